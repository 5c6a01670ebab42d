#include "planners/core/planner/state.h"

#include <stdlib.h>

rp_status_t rp_state_new(const char *id, const rp_member_options_t *options, rp_planner_t **planner)
{
    rp_planner_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return RP_E_MEMORY;
    }
    const rp_status_t status = rp_instance_init(&self->instance, id, options);
    if (status != RP_OK) {
        free(self);
        return status;
    }
    self->audit.every = self->instance.options.check_every;
    rp_change_log_clear(&self->change_log);
    *planner = self;
    return RP_OK;
}
