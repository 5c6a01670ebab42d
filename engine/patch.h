/// @file
/// What an edit would make of a layer, without making it: the factors of the cells that it may
/// change, inflation included.
#ifndef REPLAN_ENGINE_PATCH_H
#define REPLAN_ENGINE_PATCH_H

#include "engine/world.h"

typedef struct rp_patch {
    rp_change_t *changes; ///< only `cell` and `after` count; a cell may come twice, owned [count]
    size_t count;
} rp_patch_t;

/// @param edit  inside the world
/// @return RP_E_MEMORY; fini is right then too. Time: that of writing the rectangle round the edit
rp_status_t rp_patch_init(rp_patch_t *self, const rp_world_t *world, const rp_layer_t *layer,
                          const rp_edit_t *edit);
void rp_patch_fini(rp_patch_t *self);

#endif
