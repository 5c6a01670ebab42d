/// @file
/// A rectangle of cells that grows by cells.
#ifndef REPLAN_ENGINE_LAYERS_RECTANGLE_H
#define REPLAN_ENGINE_LAYERS_RECTANGLE_H

#include <stdint.h>

/// Cells, all inclusive; empty: left is greater than right.
typedef struct rp_rectangle {
    uint32_t left;
    uint32_t top;
    uint32_t right;
    uint32_t bottom;
} rp_rectangle_t;

/// Grow by a cell.
static inline void rp_rectangle_grow(rp_rectangle_t *self, uint32_t x, uint32_t y)
{
    self->left = x < self->left ? x : self->left;
    self->top = y < self->top ? y : self->top;
    self->right = x > self->right ? x : self->right;
    self->bottom = y > self->bottom ? y : self->bottom;
}

#endif
