#include "planners/bits/bit_bfs_path.h"

/// Where the way back has come to.
typedef struct walk {
    uint32_t x;
    uint32_t y;
    int parity;         ///< of the layer in which the place was reached
    unsigned direction; ///< of the last step: 0 to 3 from +x towards +y
} walk_t;

/// True when a step leads to a place that may come before this one. One that is further from the
/// goal is of the same layer or of the next; one that is nearer is of the same or of the one
/// before.
static bool try_step(const rp_bit_bfs_t *self, walk_t *walk, unsigned direction)
{
    static const int8_t step_x[4] = {1, 0, -1, 0};
    static const int8_t step_y[4] = {0, 1, 0, -1};
    const uint32_t x = walk->x + (uint32_t)step_x[direction];
    const uint32_t y = walk->y + (uint32_t)step_y[direction];
    const bool is_further = direction == 0   ? walk->x >= self->across.goal
                            : direction == 1 ? walk->y >= self->down.goal
                            : direction == 2 ? walk->x <= self->across.goal
                                             : walk->y <= self->down.goal;
    const int parity = is_further ? walk->parity : walk->parity ^ 1;
    if (x >= self->map.width || y >= self->map.height || rp_bit_bfs_parity(self, x, y) != parity) {
        return false;
    }
    *walk = (walk_t){x, y, parity, direction};
    return true;
}

/// Straight away from the goal inside the tile, as far as the layer goes: along the row, or if that
/// leads nowhere along the column. @return the number of steps, which were not taken
static uint32_t steps_away(const rp_bit_bfs_t *self, walk_t *walk)
{
    const rp_bit_bfs_spot_t column = rp_bit_bfs_spot_of(&self->across, walk->x);
    const rp_bit_bfs_spot_t row = rp_bit_bfs_spot_of(&self->down, walk->y);
    // The walk stands on a place that was reached, so the tile is one of this search.
    const rp_bit_bfs_tile_t *tile =
        rp_bit_bfs_tile(self, row.tile * self->across.count + column.tile);
    const uint64_t *reached = tile->reached[walk->parity];
    const uint64_t gaps = ~reached[row.bit] & (((uint64_t)1 << column.bit) - 1u);
    const uint32_t along =
        column.bit - (gaps == 0 ? 0u : RP_BIT_BFS_SIDE - (uint32_t)__builtin_clzll(gaps));
    if (along != 0) {
        walk->direction = column.tile < self->across.beyond ? 0u : 2u;
        return along;
    }
    uint32_t first = row.bit;
    while (first != 0 && (reached[first - 1u] >> column.bit & 1u) != 0) {
        first--;
    }
    walk->direction = row.tile < self->down.beyond ? 1u : 3u;
    return row.bit - first;
}

uint32_t rp_bit_bfs_path_count(const rp_bit_bfs_t *self)
{
    return self->f_first + 2u * self->goal_layer + 1u;
}

static bool is_still(const rp_bit_bfs_t *self, const walk_t *walk)
{
    return !rp_bit_bfs_is_live(self, rp_bit_bfs_spot_of(&self->across, walk->x).tile,
                               rp_bit_bfs_spot_of(&self->down, walk->y).tile);
}

uint32_t rp_bit_bfs_path(const rp_bit_bfs_t *self, uint32_t stride, rp_cell_t *cells,
                         uint32_t known)
{
    const rp_cell_t offsets[4] = {1u, stride, 0u - 1u, 0u - stride};
    walk_t walk = {self->across.goal, self->down.goal, (int)(self->goal_layer & 1u), 0};
    uint32_t place = rp_bit_bfs_path_count(self) - 1u;
    rp_cell_t before = cells[place];
    cells[place] = (walk.y + 1u) * stride + walk.x + 1u;
    while (place != 0) {
        if (place < known && cells[place] == before && is_still(self, &walk)) {
            return place + 1u;
        }
        const uint32_t steps = steps_away(self, &walk);
        const rp_cell_t offset = offsets[walk.direction];
        for (uint32_t i = 0; i < steps; i++, place--) {
            before = cells[place - 1u];
            cells[place - 1u] = cells[place] + offset;
        }
        const bool is_row = (walk.direction & 1u) == 0;
        const uint32_t moved = walk.direction < 2u ? steps : 0u - steps;
        walk.x += is_row ? moved : 0u;
        walk.y += is_row ? 0u : moved;
        if (steps == 0) {
            while (!try_step(self, &walk, walk.direction)) {
                walk.direction = (walk.direction + 1u) & 3u;
            }
            place--;
            before = cells[place];
            cells[place] = (walk.y + 1u) * stride + walk.x + 1u;
        }
    }
    return 0;
}
