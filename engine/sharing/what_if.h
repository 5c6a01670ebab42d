/// @file
/// What-if: the factors of a layer as an edit would make them, without applying the edit. A small
/// layer around the edit is derived, and can be written into a copy of the large one, in slices.
#ifndef REPLAN_ENGINE_SHARING_WHAT_IF_H
#define REPLAN_ENGINE_SHARING_WHAT_IF_H

#include "engine/ground/world_state.h"

typedef struct rp_what_if {
    rp_grid_shape_t shape; ///< of the large one
    int64_t x;             ///< where the ground begins in it; on a torus it may reach across the
    int64_t y;             ///< seam, and hold a cell twice
    rp_box_t ground;       ///< only its sides count
    rp_box_t inner;        ///< of the ground: what the edit may change, inflation included
    uint8_t *bytes;        ///< of the ground with those of the edit on top, owned
    rp_layer_t small;      ///< owned, when
    bool is_laid_out;      ///< there is anything to change
    uint32_t row;          ///< of `inner`: those before it are written
} rp_what_if_t;

/// @param edit  inside the world
/// @return RP_E_MEMORY; fini is right then too. Time: a copy of the bytes round the edit
rp_status_t rp_what_if_init(rp_what_if_t *self, const rp_world_t *world, const rp_layer_t *layer,
                            const rp_edit_t *edit);
void rp_what_if_fini(rp_what_if_t *self);

/// Write what the edit changes into a copy of the layer's grid.
/// @param budget  counted down, in expansions that take as long
/// @return RP_MORE when it was spent first: call again, and do not search meanwhile
rp_status_t rp_what_if_write(rp_what_if_t *self, rp_grid_t *grid, uint64_t *budget);

#endif
