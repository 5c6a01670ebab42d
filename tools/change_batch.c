/// Cells that are written, each of them once.
#include "tools/change_batch.h"

#include <stdlib.h>
#include <string.h>

rp_status_t rp_change_batch_tell(rp_change_batch_t *self, rp_grid_t *grid, rp_planner_t *planner)
{
    const size_t count = self->count;
    self->count = 0;
    rp_grid_write(grid, self->changes, count);
    return count != 0 ? rp_planner_apply(planner, self->changes, count) : RP_OK;
}

// ---- birth and death

rp_status_t rp_change_batch_init(rp_change_batch_t *self, const rp_grid_t *grid)
{
    *self = (rp_change_batch_t){
        .changes = malloc(RP_CHANGE_BATCH_MOST * sizeof *self->changes),
        .places = malloc(grid->cell_count * sizeof *self->places),
    };
    if (self->changes == NULL || self->places == NULL) {
        return RP_E_MEMORY;
    }
    // Write to every page now: else the plan that touches it first would be charged for the page
    // fault. Ones, as the compiler would turn zeros into a calloc(), which touches nothing.
    memset(self->changes, 0xff, RP_CHANGE_BATCH_MOST * sizeof *self->changes);
    memset(self->places, 0xff, grid->cell_count * sizeof *self->places);
    return RP_OK;
}

void rp_change_batch_fini(rp_change_batch_t *self)
{
    free(self->changes);
    free(self->places);
    *self = (rp_change_batch_t){0};
}
