/// @file
/// Stirred boxes: where cells around which something depends on them were written, gathered in a
/// few boxes until a version is complete.
#ifndef REPLAN_ENGINE_LAYERS_STIRRED_H
#define REPLAN_ENGINE_LAYERS_STIRRED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/layers/distance_transform.h"

typedef struct rp_stirred {
    rp_box_t box;
    bool has_gone; ///< some obstacle went there
} rp_stirred_t;

typedef struct rp_stirred_list {
    rp_stirred_t *items; ///< owned [capacity]
    size_t count;
    size_t capacity;
    uint32_t reach; ///< cells to each side of a box that are looked at for it
} rp_stirred_list_t;

/// @return false without memory; fini is right then too
bool rp_stirred_init(rp_stirred_list_t *self, uint32_t reach);
void rp_stirred_fini(rp_stirred_list_t *self);

/// A cell was written: it joins a box that was begun lately if that is cheaper than a box of its
/// own. Cannot fail: without memory boxes become larger. Time: O(1)
void rp_stirred_note(rp_stirred_list_t *self, uint32_t x, uint32_t y, bool has_gone);

/// The box around all boxes, if looking at that is cheaper than looking at each.
/// @return false when it is not, or when there are none
bool rp_stirred_hull(const rp_stirred_list_t *self, rp_box_t *hull);

/// A part of a world, cut where it reaches across the seams of one that wraps.
typedef struct rp_stirred_parts {
    rp_box_t list[4];
    unsigned count;
} rp_stirred_parts_t;

/// What depends on the cells of a box.
/// @param before, after  cells to the lower and to the upper sides of the box that do
/// @param width, height  of the world
rp_stirred_parts_t rp_stirred_parts_of(const rp_box_t *box, uint32_t before, uint32_t after,
                                       uint32_t width, uint32_t height, bool wraps);

#endif
