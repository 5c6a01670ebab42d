/// @file
/// The state of a bit-parallel breadth first search (bits/bit_bfs.h): its tiles, and which place
/// stands where in them. For its own files, and for users that look at many places.
#ifndef REPLAN_PLANNERS_BITS_BIT_BFS_TILE_H
#define REPLAN_PLANNERS_BITS_BIT_BFS_TILE_H

#include "planners/bits/bit_bfs_log.h"
#include "planners/bits/free_map.h"
#include "planners/bits/work_set.h"

typedef struct rp_bit_bfs_tile rp_bit_bfs_tile_t;

/// One axis of the world, as seen from the goal.
typedef struct rp_bit_bfs_axis {
    uint32_t goal;
    uint32_t beyond; ///< tiles of the places beyond the goal
    uint32_t count;  ///< all tiles
} rp_bit_bfs_axis_t;

/// What one visit reached: bit b of words[r] is the cell corner + r * row_step + b * bit_step, and
/// its g is g + r + b. Both count modulo 2^32: the tile's own corner may lie outside the world.
typedef struct rp_bit_bfs_news {
    const uint64_t *words; ///< [64]
    uint64_t rows;         ///< bit r: words[r] is not 0
    rp_cell_t corner;
    int32_t row_step;
    int32_t bit_step;
    uint32_t g;
    uint32_t f;   ///< of all these cells
    bool is_last; ///< of the last layer that is searched
} rp_bit_bfs_news_t;

/// Where a tile is. All that a search asks of tiles that it does not meet stands here.
typedef struct rp_bit_bfs_slot {
    uint32_t search; ///< in which the tile holds
    uint32_t place;  ///< of the tile, from 1 on; 0: no search has met it
} rp_bit_bfs_slot_t;

typedef void rp_bit_bfs_hear_t(void *owner, const rp_bit_bfs_news_t *news);

/// What another search between the same ends can reuse of the last whole one.
typedef struct rp_bit_bfs_reuse {
    uint32_t radius;     ///< tiles farther from the goal are still
    uint32_t nearest;    ///< to the start, of all that changed since that search began
    uint32_t last_layer; ///< the last that any search between these ends had to reach
    bool knows_layer;    ///< one has found a path
    bool is_kept;        ///< still tiles know all layers up to that one
} rp_bit_bfs_reuse_t;

typedef struct rp_bit_bfs {
    rp_bit_bfs_tile_t *tiles; ///< in the order in which searches met them first [tile_capacity]
    rp_bit_bfs_slot_t *slots; ///< by number: row by row of tiles [tile_capacity]
    rp_work_set_t work_set;   ///< tiles that something was sent to
    uint32_t cursor;          ///< tiles below it are done in this layer
    uint32_t layer;
    uint32_t more;   ///< layers to search after that of the goal
    uint32_t search; ///< number of this search: tiles of other numbers do not count
    rp_bit_bfs_axis_t across;
    rp_bit_bfs_axis_t down;
    rp_free_map_t map; ///< the user writes it between searches
    rp_simd_t simd;
    uint32_t start_x;
    uint32_t start_y;
    uint32_t f_first;     ///< f of the first layer
    rp_bit_bfs_log_t log; ///< of the last whole search
    rp_bit_bfs_reuse_t reuse;
    bool is_again; ///< live tiles alone are searched
    uint32_t tile_capacity;
    uint32_t tiles_met; ///< by any search
    uint32_t owed;      ///< steps that were made beyond the budget
    bool has_begun;     ///< the start was visited
    bool is_found;
    uint32_t goal_layer;     ///< in which the goal was reached, when it was
    uint32_t until;          ///< the last layer to search then
    bool is_whole;           ///< nothing is left that could be reached
    uint32_t stride;         ///< of the grid: (x, y) is the cell (y + 1) * stride + x + 1
    rp_bit_bfs_hear_t *hear; ///< NULL: nobody asks
    void *owner;             ///< handed to it
} rp_bit_bfs_t;

#define RP_BIT_BFS_SIDE 64u ///< places of a tile, both ways
#define RP_BIT_BFS_NEAR 63u ///< the row and the bit that lie nearest to the goal

/// A row more than there are: the loop over rows ends where nothing is open.
struct rp_bit_bfs_tile {
    uint64_t open[RP_BIT_BFS_SIDE + 1u];       ///< by row: free and not reached yet
    uint64_t reached[2][RP_BIT_BFS_SIDE + 1u]; ///< by row, in layers of even and of odd number
    uint64_t
        fresh[RP_BIT_BFS_SIDE + 2u]; ///< by row: reached in the layer before; the row beyond the
                                     ///< last: seeds sent into the last from beyond the tile
    uint64_t fresh_rows;             ///< bit r: fresh[r] is not 0
    uint64_t into_far_row;           ///< seeds sent into row 0
    uint64_t into_far_bit;           ///< bit r: a seed was sent into bit 0 of row r
    uint64_t into_near_bit;          ///< bit r: the same, into bit 63
    uint16_t column;                 ///< of tiles
    uint16_t row;
};

typedef struct rp_bit_bfs_spot {
    uint32_t tile; ///< along the axis
    uint32_t bit;
} rp_bit_bfs_spot_t;

static inline rp_bit_bfs_spot_t rp_bit_bfs_spot_of(const rp_bit_bfs_axis_t *axis, uint32_t place)
{
    const bool is_beyond = place > axis->goal;
    const uint32_t distance = is_beyond ? place - axis->goal - 1u : axis->goal - place;
    const uint32_t nearest = (is_beyond ? axis->beyond : axis->count) - 1u;
    return (rp_bit_bfs_spot_t){nearest - distance / RP_BIT_BFS_SIDE,
                               RP_BIT_BFS_NEAR - distance % RP_BIT_BFS_SIDE};
}

/// The least place of a tile, which may lie outside the world.
static inline int32_t rp_bit_bfs_least_place(const rp_bit_bfs_axis_t *axis, uint32_t tile)
{
    if (tile < axis->beyond) {
        return (int32_t)(axis->goal + 1u + (axis->beyond - 1u - tile) * RP_BIT_BFS_SIDE);
    }
    return (int32_t)axis->goal -
           (int32_t)((axis->count - 1u - tile) * RP_BIT_BFS_SIDE + RP_BIT_BFS_NEAR);
}

/// Steps between two places of one axis.
static inline uint32_t rp_bit_bfs_steps_between(int32_t a, int32_t b)
{
    return (uint32_t)(a < b ? b - a : a - b);
}

/// How far the nearest place of a tile lies from the goal, along one axis.
static inline uint32_t rp_bit_bfs_distance(const rp_bit_bfs_axis_t *axis, uint32_t tile)
{
    return tile < axis->beyond ? (axis->beyond - 1u - tile) * RP_BIT_BFS_SIDE + 1u
                               : (axis->count - 1u - tile) * RP_BIT_BFS_SIDE;
}

/// True when what changes may concern this tile.
static inline bool rp_bit_bfs_is_live(const rp_bit_bfs_t *self, uint32_t column, uint32_t row)
{
    return rp_bit_bfs_distance(&self->across, column) + rp_bit_bfs_distance(&self->down, row) <=
           self->reuse.radius;
}

/// True when the tile of this number holds for this search.
static inline bool rp_bit_bfs_is_met(const rp_bit_bfs_t *self, uint32_t number)
{
    return self->slots[number].search == self->search;
}

/// The tile of a number that was met by some search.
static inline rp_bit_bfs_tile_t *rp_bit_bfs_tile(const rp_bit_bfs_t *self, uint32_t number)
{
    return &self->tiles[self->slots[number].place - 1u];
}

/// The tile at these spots; NULL when it does not hold for this search.
static inline const rp_bit_bfs_tile_t *
rp_bit_bfs_tile_of(const rp_bit_bfs_t *self, rp_bit_bfs_spot_t column, rp_bit_bfs_spot_t row)
{
    const uint32_t number = row.tile * self->across.count + column.tile;
    return rp_bit_bfs_is_met(self, number) ? rp_bit_bfs_tile(self, number) : NULL;
}

/// The layer in which a place was reached is even (0) or odd (1); -1 when it was not reached.
static inline int rp_bit_bfs_parity(const rp_bit_bfs_t *self, uint32_t x, uint32_t y)
{
    const rp_bit_bfs_spot_t column = rp_bit_bfs_spot_of(&self->across, x);
    const rp_bit_bfs_spot_t row = rp_bit_bfs_spot_of(&self->down, y);
    const rp_bit_bfs_tile_t *tile = rp_bit_bfs_tile_of(self, column, row);
    if (tile == NULL) {
        return -1;
    }
    const uint64_t odd = tile->reached[1][row.bit] >> column.bit & 1u;
    const uint64_t even = tile->reached[0][row.bit] >> column.bit & 1u;
    return odd != 0 ? 1 : (int)even - 1;
}

/// Let the user hear of a tile that was just visited.
void rp_bit_bfs_tell_tile(const rp_bit_bfs_t *self, const rp_bit_bfs_tile_t *tile);

/// True when no place is open and reached, or reached and blocked. Slow, for tests.
bool rp_bit_bfs_check(const rp_bit_bfs_t *self);

#endif
