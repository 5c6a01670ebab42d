#include "planners/guide/obstacles.h"

#include <assert.h>
#include <math.h>

#include "base/memory.h"

// Bits are read as little-endian words, bit 0 the leftmost cell.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "rows of bits are loaded as words");

/// A window reads 8 bytes from the byte of its first cell.
#define SURPLUS 8u

rp_status_t rp_obstacles_init(rp_obstacles_t *self, const rp_grid_t *grid, uint32_t reach)
{
    const uint32_t margin = (reach + 16u + 7u) & ~7u;
    *self = (rp_obstacles_t){
        .margin = margin,
        .width = grid->shape.width,
        .height = grid->shape.height,
        .wraps = grid->shape.wraps,
        .stride = (grid->shape.width + 2u * margin + 7u) / 8u + SURPLUS,
        .rows = grid->shape.height + 2u * margin,
    };
    self->bits = rp_memory_new((size_t)self->stride * self->rows + SURPLUS, 1);
    return self->bits != NULL ? RP_OK : RP_E_MEMORY;
}

void rp_obstacles_fini(rp_obstacles_t *self)
{
    rp_memory_free(self->bits, (size_t)self->stride * self->rows + SURPLUS, 1, NULL);
    *self = (rp_obstacles_t){0};
}

static void put(rp_obstacles_t *self, uint32_t column, uint32_t row, bool blocks)
{
    uint8_t *byte = self->bits + (size_t)row * self->stride + (column >> 3);
    const uint8_t bit = (uint8_t)(1u << (column & 7u));
    *byte = (uint8_t)(blocks ? *byte | bit : *byte & ~bit);
}

/// Every place that stands for the column x: itself, and on a torus those of the margin.
void rp_obstacles_set(rp_obstacles_t *self, uint32_t x, uint32_t y, bool blocks)
{
    if (!self->wraps) {
        put(self, x + self->margin, y + self->margin, blocks);
        return;
    }
    const uint32_t columns = self->width + 2u * self->margin;
    for (uint32_t row = (y + self->margin) % self->height; row < self->rows; row += self->height) {
        for (uint32_t column = (x + self->margin) % self->width; column < columns;
             column += self->width) {
            put(self, column, row, blocks);
        }
    }
}

/// Rows that block from end to end.
static void close_rows(rp_obstacles_t *self, uint32_t row, uint32_t count)
{
    memset(self->bits + (size_t)row * self->stride, 0xff, (size_t)count * self->stride);
}

void rp_obstacles_fill_row(rp_obstacles_t *self, const rp_grid_t *grid, uint32_t y)
{
    const uint8_t *factors = grid->factor + rp_grid_cell(grid, 0, y);
    if (!self->wraps) {
        close_rows(self, y == 0 ? 0 : self->margin + y, y == 0 ? self->margin + 1u : 1u);
        close_rows(self, self->margin + self->height, y + 1u == self->height ? self->margin : 0);
    }
    for (uint32_t x = 0; x < self->width; x++) {
        if (self->wraps || factors[x] != 0) {
            rp_obstacles_set(self, x, y, factors[x] == 0);
        }
    }
}

void rp_obstacles_fill(rp_obstacles_t *self, const rp_grid_t *grid)
{
    for (uint32_t y = 0; y < self->height; y++) {
        rp_obstacles_fill_row(self, grid, y);
    }
}

bool rp_obstacles_meet(const rp_obstacles_t *self, int32_t x, int32_t y, uint32_t count)
{
    uint32_t place;
    const uint8_t *byte = rp_obstacles_byte(self, x, y, &place);
    while (count != 0) {
        const uint32_t taken = count < 56u ? count : 56u;
        uint64_t bits;
        memcpy(&bits, byte, sizeof bits);
        if (((bits >> place) & (((uint64_t)1 << taken) - 1u)) != 0) {
            return true;
        }
        byte += 7;
        count -= taken;
    }
    return false;
}

bool rp_obstacles_meet_disc(const rp_obstacles_t *self, int32_t x, int32_t y, double radius)
{
    const int32_t most = (int32_t)(radius + 0.5);
    bool meets = false;
    for (int32_t dy = -most; dy <= most && !meets; dy++) {
        const double beside = dy == 0 ? 0.0 : fabs((double)dy) - 0.5;
        if (beside >= radius) {
            continue;
        }
        // Squares whose near edge is nearer than the rest of the radius.
        const double left = sqrt(radius * radius - beside * beside) + 0.5;
        const int32_t half = (int32_t)ceil(left) - 1;
        meets = rp_obstacles_meet(self, x - half, y + dy, 2u * (uint32_t)half + 1u);
    }
    return meets;
}
