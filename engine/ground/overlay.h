/// @file
/// Overlay: a stack of shapes over the bytes of a world. The effective byte of a cell is that of
/// the topmost shape that covers the cell, or else the byte beneath.
///
/// A world without shapes has no second copy of its bytes and pays nothing.
#ifndef REPLAN_ENGINE_GROUND_OVERLAY_H
#define REPLAN_ENGINE_GROUND_OVERLAY_H

#include "engine/ground/shape.h"

/// Where a shape lies, all inclusive; together in an array, as every edit looks at all of them.
typedef struct rp_bounds {
    uint16_t left;
    uint16_t right; ///< less than left: nowhere
    uint16_t top;
    uint16_t bottom;
} rp_bounds_t;

/// A shape that lies on the world.
typedef struct rp_placed_shape {
    uint32_t id;
    uint8_t byte;
    bool is_new;           ///< put by the edit at hand
    bool goes;             ///< removed by it
    uint64_t expires_us;   ///< UINT64_MAX: never
    rp_bounds_t bounds;    ///< of its cells
    rp_spans_t spans;      ///< owned
    rp_outline_t *outline; ///< in metres, owned: another window covers other cells
} rp_placed_shape_t;

typedef struct rp_overlay {
    uint8_t *base;            ///< by y * width + x; NULL: there is no shape, owned [width * height]
    uint8_t *covered;         ///< one bit a cell: some shape covers it, owned
    rp_placed_shape_t *stack; ///< the lowest first, owned [count]
    size_t count;
    uint64_t ids[1024];      ///< bits of hashes of the ids: most that are not there are not set
    uint64_t next_expiry_us; ///< UINT64_MAX: none
    size_t composed_most;    ///< cells of an edit that are composed row by row; of more all is anew

    // room for an edit, so that nothing can fail once it has begun
    size_t capacity;                ///< of stack, bounds and near
    rp_bounds_t *bounds;            ///< of the stack, while an edit is made, owned
    const rp_placed_shape_t **near; ///< those that may cover a span, owned
    rp_spans_t *gone;               ///< cells of shapes that went or moved, owned
    size_t gone_count;
    size_t gone_capacity;
    uint8_t *row;   ///< effective bytes, owned [width]
    uint8_t *marks; ///< covered or not, owned [width]
} rp_overlay_t;

void rp_overlay_init(rp_overlay_t *self);
void rp_overlay_fini(rp_overlay_t *self);

/// Bytes of the shapes and of what they cover. Time: O(shapes)
uint64_t rp_overlay_stack_bytes(const rp_overlay_t *self);

/// No shape is left: the world has one copy of its bytes again.
void rp_overlay_free_base(rp_overlay_t *self);

/// True when the arrays that an edit counts are there. @param edit  NULL: none is
bool rp_overlay_is_given(const rp_overlay_edit_t *edit);

/// Something is written beneath. @return true when a shape hides it, so that nothing changes above
static inline bool rp_overlay_hides(rp_overlay_t *self, uint64_t index, uint8_t byte)
{
    self->base[index] = byte;
    return ((self->covered[index >> 3] >> (index & 7u)) & 1u) != 0;
}

#endif
