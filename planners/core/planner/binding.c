#include "planners/core/planner/binding.h"

void rp_binding_drop(rp_planner_t *self)
{
    if (self->grid == NULL) {
        return;
    }
    rp_deferred_free_t *deferred_free = self->grid->deferred_free;
    const uint64_t span = rp_deferred_free_span(deferred_free);
    const uint64_t bytes = deferred_free != NULL ? rp_planner_bytes(self) : 0u;
    rp_instance_unbind(&self->instance, deferred_free);
    rp_audit_close(&self->audit);
    self->shown = (rp_result_path_t){0};
    rp_deferred_free_note(deferred_free, span, bytes);
    self->grid = NULL;
    self->phase = RP_PLANNER_IDLE;
    self->answer = RP_PLANNER_OLD;
    rp_change_log_clear(&self->change_log);
}

rp_status_t rp_binding_make(rp_planner_t *self, const rp_grid_t *grid)
{
    const rp_status_t status = rp_instance_bind(&self->instance, grid, self->goals.greatest_offset);
    if (status != RP_OK) {
        return status;
    }
    rp_result_path_init(&self->shown, grid, &self->instance.arena);
    if (self->instance.arena.is_short || rp_audit_open(&self->audit, grid) != RP_OK) {
        rp_instance_unbind(&self->instance, NULL);
        self->shown = (rp_result_path_t){0};
        return RP_E_MEMORY;
    }
    self->grid = grid;
    rp_planner_name_member(self);
    return RP_OK;
}

rp_status_t rp_binding_renew(rp_planner_t *self)
{
    if (rp_binding_is_right(self)) {
        return RP_OK;
    }
    const rp_grid_t *grid = self->grid;
    const bool had_begun = self->phase != RP_PLANNER_IDLE;
    rp_binding_drop(self);
    const rp_status_t status = rp_binding_make(self, grid);
    self->stats.restarts += status == RP_OK && had_begun;
    return status;
}
