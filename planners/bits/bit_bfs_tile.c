#include "planners/bits/bit_bfs_tile.h"

/// The place of a tile that is farthest from the goal.
static int32_t far_place(const rp_bit_bfs_axis_t *axis, uint32_t tile)
{
    return rp_bit_bfs_least_place(axis, tile) +
           (tile < axis->beyond ? (int32_t)RP_BIT_BFS_NEAR : 0);
}

void rp_bit_bfs_tell_tile(const rp_bit_bfs_t *self, const rp_bit_bfs_tile_t *tile)
{
    const int32_t x = far_place(&self->across, tile->column);
    const int32_t y = far_place(&self->down, tile->row);
    const uint32_t h = rp_bit_bfs_steps_between(x, (int32_t)self->across.goal) +
                       rp_bit_bfs_steps_between(y, (int32_t)self->down.goal);
    const int32_t stride = (int32_t)self->stride;
    const uint32_t f = self->f_first + 2u * self->layer;
    const rp_bit_bfs_news_t news = {
        .words = tile->fresh,
        .rows = tile->fresh_rows,
        .corner = (rp_cell_t)((y + 1) * stride + x + 1),
        .row_step = tile->row < self->down.beyond ? -stride : stride,
        .bit_step = tile->column < self->across.beyond ? -1 : 1,
        .g = f - h,
        .f = f,
        .is_last = self->is_found && self->layer == self->until,
    };
    self->hear(self->owner, &news);
}

bool rp_bit_bfs_check(const rp_bit_bfs_t *self)
{
    if (self->search == 0) {
        return true; // there was none
    }
    for (uint32_t y = 0; y < self->map.height; y++) {
        for (uint32_t x = 0; x < self->map.width; x++) {
            const rp_bit_bfs_spot_t column = rp_bit_bfs_spot_of(&self->across, x);
            const rp_bit_bfs_spot_t row = rp_bit_bfs_spot_of(&self->down, y);
            const rp_bit_bfs_tile_t *tile = rp_bit_bfs_tile_of(self, column, row);
            if (tile == NULL) {
                continue;
            }
            const uint64_t open = tile->open[row.bit] >> column.bit & 1u;
            const uint64_t even = tile->reached[0][row.bit] >> column.bit & 1u;
            const uint64_t odd = tile->reached[1][row.bit] >> column.bit & 1u;
            const uint64_t is_free = rp_free_map_is_free(&self->map, x, y);
            const bool is_live = rp_bit_bfs_is_live(self, column.tile, row.tile);
            if (is_live ? open + even + odd != is_free : even + odd > is_free) {
                return false;
            }
        }
    }
    return true;
}
