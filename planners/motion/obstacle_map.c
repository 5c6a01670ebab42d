/// Reading 64 cells at a time.
#include "planners/motion/obstacle_map.h"

static int64_t wrapped(int64_t value, uint32_t size)
{
    const int64_t rest = value % (int64_t)size;
    return rest < 0 ? rest + (int64_t)size : rest;
}

static bool is_obstacle(const rp_obstacle_map_t *self, const uint64_t *row, int64_t x)
{
    const int64_t column = self->wraps ? wrapped(x, self->width) : x;
    return column < 0 || column >= (int64_t)self->width ||
           (row[column / 64] >> (column % 64) & 1u) != 0;
}

static uint64_t one_by_one(const rp_obstacle_map_t *self, const uint64_t *row, int64_t x)
{
    uint64_t cells = 0;
    for (uint32_t i = 0; i < 64u; i++) {
        cells |= (uint64_t)is_obstacle(self, row, x + (int64_t)i) << i;
    }
    return cells;
}

uint64_t rp_obstacle_map_row(const rp_obstacle_map_t *self, int64_t x, int64_t y)
{
    const int64_t line = self->wraps ? wrapped(y, self->height) : y;
    if (line < 0 || line >= (int64_t)self->height) {
        return UINT64_MAX;
    }
    const uint64_t *row = self->bits + (uint64_t)line * self->stride;
    if (x < 0 || x + 64 > (int64_t)self->width) {
        return one_by_one(self, row, x);
    }
    const uint32_t shift = (uint32_t)(x % 64);
    const uint64_t low = row[x / 64] >> shift;
    return shift == 0 ? low : low | row[x / 64 + 1] << (64u - shift);
}
