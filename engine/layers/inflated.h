/// @file
/// Inflated ground: the factor of each cell from its own byte and from the obstacles around it.
#ifndef REPLAN_ENGINE_LAYERS_INFLATED_H
#define REPLAN_ENGINE_LAYERS_INFLATED_H

#include "replan/grid.h"

#include "engine/layers/distance_transform.h"
#include "engine/layers/inflation.h"
#include "engine/layers/profile.h"
#include "engine/layers/stirred.h"

typedef struct rp_inflated {
    rp_inflation_t inflation;
    rp_distance_transform_t distances; ///< to known cells that the profile blocks
    uint8_t factor[256];               ///< the profile's, by byte
    const uint8_t *bytes;              ///< the world's, borrowed [width * height]
    rp_stirred_list_t stirred;         ///< where obstacles came or went since the last run
} rp_inflated_t;

/// @param factor  by byte, copied
/// @param inflation  copied; with reach
/// @param bytes  row by row [width * height], borrowed until it is destroyed
/// @return no obstacle stands there yet; NULL without memory
rp_inflated_t *rp_inflated_new(const rp_grid_shape_t *shape, const uint8_t factor[256],
                               const rp_inflation_t *inflation, const uint8_t *bytes);
/// @param deferred_free  takes what is large; NULL: it is given back at once
void rp_inflated_destroy(rp_inflated_t **self, rp_deferred_free_t *deferred_free);

/// The factor of a cell: that of its own byte, or of what stands near it. An unknown cell stays
/// unknown, but where costmap_2d is sure that a body would collide. Time: O(1)
static inline uint8_t rp_inflated_factor(const rp_inflated_t *self, uint64_t index)
{
    const uint8_t byte = self->bytes[index];
    const uint8_t cost =
        rp_inflation_cost(&self->inflation, rp_distance_at(&self->distances, index));
    if (cost == RP_INFLATION_BLOCKED) {
        return 0;
    }
    const bool stays = byte == RP_BYTE_UNKNOWN ? cost < RP_INFLATION_INSCRIBED : cost <= byte;
    return self->factor[stays ? byte : cost];
}

/// The same of cells that follow each other in a row. @param factors  written [count]
void rp_inflated_read(const rp_inflated_t *self, uint64_t first, uint8_t *factors, uint32_t count);

/// Put the obstacles of a box where the bytes say now, without a run. Time: O(cells)
void rp_inflated_mark(rp_inflated_t *self, rp_box_t box);

/// A byte was written; those around it are inflated anew by the next run.
void rp_inflated_note(rp_inflated_t *self, uint32_t x, uint32_t y, uint8_t before, uint8_t after);

/// Inflate and deflate around the obstacles that came and went.
/// @param hear  of each cell near which something else stands now
/// Time: O(cells near those obstacles * reach)
void rp_inflated_run(rp_inflated_t *self, rp_distance_changed_fn *hear, void *user);

uint64_t rp_inflated_bytes(const rp_inflated_t *self);

#endif
