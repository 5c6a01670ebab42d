/// @file
/// Distance transform: how near the next obstacle is, per cell: reach^2 + 1 less the squared
/// distance to it. So reach^2 + 1 on an obstacle, and 0 where none is within reach.
///
/// The value is the maximum over all obstacles, in whatever order they came, and is computed anew
/// wherever one came or went. Nothing is counted: adding and removing an obstacle leaves the same
/// numbers.
#ifndef REPLAN_ENGINE_LAYERS_DISTANCE_TRANSFORM_H
#define REPLAN_ENGINE_LAYERS_DISTANCE_TRANSFORM_H

#include "base/simd.h"
#include "replan/world.h"

/// Cells of a world; they may not reach across its edge.
typedef struct rp_box {
    uint32_t x;
    uint32_t y;
    uint32_t width;
    uint32_t height;
} rp_box_t;

typedef struct rp_distance_transform {
    void *cells; ///< row by row; bytes where they hold reach^2 + 1, else of 16 bits; owned
    void *rows;  ///< room for a run, so that none can fail; owned
    uint32_t width;
    uint32_t height;
    uint32_t reach; ///< cells, 1..RP_REACH_MAX
    bool wraps;
    rp_simd_t simd; ///< instructions that a run may use
} rp_distance_transform_t;

/// Hears of a cell whose number is another one. @param index  y * width + x
typedef void rp_distance_changed_fn(void *user, uint32_t x, uint32_t y, uint64_t index);

/// Nothing stands anywhere.
/// @return RP_E_MEMORY; fini is right then too
rp_status_t rp_distance_init(rp_distance_transform_t *self, uint32_t width, uint32_t height,
                             bool wraps, uint32_t reach);
/// @param deferred_free  takes what is large; NULL: it is given back at once
void rp_distance_fini(rp_distance_transform_t *self, rp_deferred_free_t *deferred_free);

/// The greatest number: that of an obstacle.
static inline uint32_t rp_distance_most(const rp_distance_transform_t *self)
{
    return self->reach * self->reach + 1u;
}

/// Bytes that a cell takes.
static inline uint32_t rp_distance_size(const rp_distance_transform_t *self)
{
    return rp_distance_most(self) <= UINT8_MAX ? sizeof(uint8_t) : sizeof(int16_t);
}

static inline uint32_t rp_distance_at(const rp_distance_transform_t *self, uint64_t index)
{
    return rp_distance_size(self) == sizeof(uint8_t)
               ? ((const uint8_t *)self->cells)[index]
               : (uint32_t)((const int16_t *)self->cells)[index];
}

/// An obstacle stands here, or none does. If that is new, cells within reach of it, this one too,
/// are not true until a run over a box that holds them all.
void rp_distance_put(rp_distance_transform_t *self, uint64_t index, bool is_obstacle);

/// Bring the cells of a box up to date. Reads up to `reach` cells outside it.
/// @param hear  may be NULL
/// Time: O(cells of the box * reach), some ten of these products a nanosecond.
void rp_distance_run(rp_distance_transform_t *self, rp_box_t box, rp_distance_changed_fn *hear,
                     void *user);

/// The same for all cells within reach of a box, where a few obstacles came and none went: theirs
/// are numbers that can only rise.
/// @return false when it takes less to run, or the edge of the world is within reach: nothing is
///         done then
/// Time: O(cells within reach + obstacles of the box * reach * reach), some 30 of either a
/// nanosecond.
bool rp_distance_spread(rp_distance_transform_t *self, rp_box_t box, rp_distance_changed_fn *hear,
                        void *user);

#endif
