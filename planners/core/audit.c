/// Whose turn it is, and one check in slices.
#include "planners/core/audit.h"

rp_status_t rp_audit_open(rp_audit_t *self, const rp_grid_t *grid)
{
    if (self->every == 0) {
        return RP_OK;
    }
    self->grid = grid;
    self->reference = rp_reference_search_new(grid);
    return self->reference != NULL ? RP_OK : RP_E_MEMORY;
}

void rp_audit_close(rp_audit_t *self)
{
    rp_reference_search_destroy(&self->reference);
    self->is_under_way = false;
}

rp_status_t rp_audit_check(rp_audit_t *self, const rp_path_t *path, rp_cell_t start,
                           const rp_goal_set_t *goals, uint64_t *budget, bool *differs)
{
    if (!self->is_under_way) {
        rp_reference_search_begin(self->reference, start, goals->free, goals->free_count);
        self->is_under_way = true;
    }
    uint64_t best;
    if (rp_reference_search_run(self->reference, budget, &best) == RP_MORE) {
        return RP_MORE;
    }
    self->is_under_way = false;
    *differs =
        rp_reference_search_cost(self->grid, path, start, goals->free, goals->free_count) != best;
    return RP_OK;
}
