/// @file
/// A* without nodes: whole layers of equal f, 64 cells an instruction. For 4 neighbours, unit
/// costs, worlds that do not wrap.
///
/// With the Manhattan distance as heuristic a step towards the goal leaves f as it is and a step
/// away adds 2. So A* is a sequence of layers; layer k + 1 is what steps away from layer k reach
/// for the first time, and then all that steps towards the goal reach from there. Inside one word
/// the latter is an addition: of the free places in a row, those that a carry from a seed runs
/// through.
///
/// The map is folded at the goal: every quadrant is turned so that "towards the goal" is a higher
/// bit and a later row, and cut into tiles of 64 x 64. One axis:
///
///     tile:    0 ..... beyond - 1 | beyond ...... count - 1
///     places:  far ..... goal + 1 | 0 ................ goal
///                   bit 63 ->     |           bit 63 ->
///
/// Of two neighbours one lies farther from the goal. What a tile sends towards the goal goes to a
/// tile with a greater number, what it sends away to a smaller one. So one pass through the tiles
/// by number is one layer (planners/bits/work_set.h).
///
/// g is never stored. Two neighbours are at most one layer apart, and only the one farther from the
/// goal can be the later one. So to walk back it is enough to know of each cell whether its layer
/// is even or odd. A user that needs g is told of the cells that are reached, layer by layer.
#ifndef REPLAN_PLANNERS_BITS_BIT_BFS_H
#define REPLAN_PLANNERS_BITS_BIT_BFS_H

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

typedef struct rp_bit_bfs {
    rp_bit_bfs_tile_t *tiles; ///< in the order in which searches met them first [tile_capacity]
    rp_bit_bfs_slot_t *seats; ///< by number: row by row of tiles [tile_capacity]
    rp_work_set_t agenda;     ///< tiles that something was sent to
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
    uint32_t radius;      ///< tiles farther from the goal are still
    uint32_t nearest;     ///< to the start, of all that changed since that search began
    uint32_t last_layer;  ///< the last that any search between these ends had to reach
    bool knows_layer;     ///< one has found a path
    bool is_kept;         ///< still tiles know all layers up to that one
    bool is_again;        ///< live tiles alone are searched
    uint32_t tile_capacity;
    uint32_t tiles_met;   ///< by any search
    uint32_t tiles_ready; ///< for which memory is resident
    uint32_t owed;        ///< steps that were made beyond the budget
    bool has_begun;       ///< the start was visited
    bool is_found;
    uint32_t goal_layer;     ///< in which the goal was reached, when it was
    uint32_t until;          ///< the last layer to search then
    bool is_whole;           ///< nothing is left that could be reached
    uint32_t stride;         ///< of the grid: (x, y) is the cell (y + 1) * stride + x + 1
    rp_bit_bfs_hear_t *hear; ///< NULL: nobody asks
    void *owner;             ///< handed to it
} rp_bit_bfs_t;

/// What a search did. A step is a visit to a tile, or a word in which a visit reached cells.
typedef struct rp_bit_bfs_count {
    uint64_t steps;
    uint64_t visits;
    uint64_t layers;
} rp_bit_bfs_count_t;

/// A world on which every place blocks.
/// @param simd  at most rp_simd_best()
/// @return RP_E_MEMORY (then all is zeroed)
rp_status_t rp_bit_bfs_init(rp_bit_bfs_t *self, uint32_t width, uint32_t height, rp_simd_t simd);
void rp_bit_bfs_fini(rp_bit_bfs_t *self, rp_deferred_free_t *deferred_free);

/// Begin a search between two free places. Time: O(1).
void rp_bit_bfs_begin(rp_bit_bfs_t *self, uint32_t start_x, uint32_t start_y, uint32_t goal_x,
                      uint32_t goal_y);

/// Begin another search between the same ends, after changes of the map.
/// @param nearest  no cell that changed since the last beginning is fewer steps from the start
void rp_bit_bfs_begin_again(rp_bit_bfs_t *self, uint32_t nearest);

/// Right after the other beginning: have somebody hear of all that is reached, and go on for so
/// many layers beyond the goal's.
/// @param stride  of the grid whose cells are told
void rp_bit_bfs_tell(rp_bit_bfs_t *self, uint32_t stride, uint32_t layers, rp_bit_bfs_hear_t *hear,
                     void *owner);

/// Go on until the goal is reached, nothing is left, or `*budget` steps are made (it is counted
/// down).
/// @param count  added to
/// @return RP_OK or RP_MORE
rp_status_t rp_bit_bfs_search(rp_bit_bfs_t *self, uint64_t *budget, rp_bit_bfs_count_t *count);

/// After a search that found the goal: the cells of the path, both ends counted.
uint32_t rp_bit_bfs_path_count(const rp_bit_bfs_t *self);

/// Lay that path, start first.
/// @param stride  of the grid: (x, y) is written as (y + 1) * stride + x + 1
/// @param cells   room for all of it; may hold the path that was laid last
/// @param known   cells of that one, when tiles that are still now were so, or were searched, then;
///                else 0
/// @return the number of cells that stand as they were laid last; those behind them are written
uint32_t rp_bit_bfs_path(const rp_bit_bfs_t *self, uint32_t stride, rp_cell_t *cells,
                         uint32_t known);

/// True when no place is open and reached, or reached and blocked. Slow, for tests.
bool rp_bit_bfs_check(const rp_bit_bfs_t *self);

/// Bytes touched so far: the map, and the tiles of the largest search.
uint64_t rp_bit_bfs_bytes(const rp_bit_bfs_t *self);

#endif
