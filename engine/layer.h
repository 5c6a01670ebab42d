/// @file
/// A layer: what planners see of a world, a grid of factors, and what was rewritten in it lately,
/// so that each session can catch up when it is its turn.
#ifndef REPLAN_ENGINE_LAYER_H
#define REPLAN_ENGINE_LAYER_H

#include "replan/grid.h"
#include "replan/planner.h"

#include "engine/profile.h"

/// The factors that one version rewrote.
typedef struct rp_batch {
    uint64_t version;
    size_t count;
    rp_change_t changes[]; ///< each cell once
} rp_batch_t;

typedef struct rp_layer {
    rp_profile_t profile;
    rp_grid_t *grid;      ///< owned
    rp_batch_t **batches; ///< ring, oldest at `first`, owned [capacity, a power of two]
    size_t first;
    size_t count;
    size_t capacity;
    size_t change_count;  ///< in all batches
    uint64_t known_since; ///< who has heard of this version can catch up by batches
    rp_change_t *draft;   ///< the version being written, owned
    size_t draft_count;
    size_t draft_capacity;
    uint8_t *drafted; ///< one bit a cell: stands in the draft, owned
} rp_layer_t;

/// @param bytes  row by row, borrowed until return [width * height]
/// @return RP_E_INVALID (shape), RP_E_MEMORY; the layer is void then
rp_status_t rp_layer_init(rp_layer_t *self, const rp_grid_shape_t *shape,
                          const rp_profile_t *profile, const uint8_t *bytes, uint64_t version);
void rp_layer_fini(rp_layer_t *self);

/// Make room for a version that writes up to `count` times, so that writing cannot fail.
/// @return RP_E_MEMORY
rp_status_t rp_layer_begin(rp_layer_t *self, size_t count);

/// Write one byte; only a factor that changes is noted. A cell may be written several times.
void rp_layer_write(rp_layer_t *self, rp_cell_t cell, uint8_t byte);

/// The version is whole. Without memory for the batch its readers start over.
/// @return number of cells whose factor is another one now
size_t rp_layer_commit(rp_layer_t *self, uint64_t version);

/// Tell a planner bound to the layer's grid all that was rewritten after version `heard`.
/// @return RP_E_LIMIT when that is too long ago: bind again; RP_E_MEMORY
rp_status_t rp_layer_catch_up(const rp_layer_t *self, rp_planner_t *planner, uint64_t heard);

#endif
