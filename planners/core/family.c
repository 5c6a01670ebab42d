/// Questions to the registry.
#include "planners/core/family.h"

#include <string.h>

const rp_planner_member_t *rp_family_find(const char *id)
{
    for (size_t i = 0; rp_registry_member(i) != NULL; i++) {
        if (strcmp(rp_planner_info(i)->id, id) == 0) {
            return rp_registry_member(i);
        }
    }
    return NULL;
}

bool rp_family_fits(uint32_t capabilities, const rp_member_options_t *options)
{
    return (options->open != RP_OPEN_BUCKETS || (capabilities & RP_CAN_OPEN_BUCKETS) != 0) &&
           (options->variant == 0 ||
            (options->variant <= 2 && (capabilities & RP_CAN_VARIANTS) != 0));
}

uint32_t rp_family_needs(const rp_grid_t *grid)
{
    return (grid->shape.neighbors == 8 ? RP_CAN_8 : RP_CAN_4) |
           (grid->weighted ? RP_CAN_WEIGHTED : 0u) | (grid->shape.wraps ? RP_CAN_WRAP : 0u);
}
