/// Birth and death of an audience, and what it does when a version comes.
#include "engine/session/audience.h"

#include <stdlib.h>

static void audience_destroy(rp_audience_t **self)
{
    rp_audience_t *audience = *self;
    rp_cached_planner_drop(&audience->shared.common);
    rp_interest_index_fini(&audience->interests);
    free(audience->groups.slots); // its sessions have left their groups
    free(audience);
    *self = NULL;
}

rp_status_t rp_audience_open(rp_layer_t *layer)
{
    if (layer->audience == NULL) {
        layer->audience = calloc(1, sizeof *layer->audience);
        layer->audience_destroy = audience_destroy;
    }
    return layer->audience != NULL ? RP_OK : RP_E_MEMORY;
}

void rp_audience_read(const rp_layer_t *layer)
{
    if (layer->audience != NULL) {
        rp_change_impact_read(&layer->audience->impact, layer->grid, layer->open_batch,
                              layer->lacks_newest ? 0 : layer->newest_count);
    }
}

void rp_audience_rebind(const rp_layer_t *layer)
{
    if (layer->audience != NULL) {
        rp_cached_planner_drop(&layer->audience->shared.common);
    }
}
