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
/// by number is one layer (bits/work_set.h).
///
/// g is never stored. Two neighbours are at most one layer apart, and only the one farther from the
/// goal can be the later one. So to walk back it is enough to know of each cell whether its layer
/// is even or odd. A user that needs g is told of the cells that are reached, layer by layer.
#ifndef REPLAN_PLANNERS_BITS_BIT_BFS_H
#define REPLAN_PLANNERS_BITS_BIT_BFS_H

#include "planners/bits/bit_bfs_tile.h"

/// What a search did. A step is a visit to a tile, or a word in which a visit reached cells.
typedef struct rp_bit_bfs_count {
    uint64_t steps;
    uint64_t visits;
    uint64_t layers;
} rp_bit_bfs_count_t;

/// A world on which every place blocks.
/// @param simd  at most rp_simd_best()
void rp_bit_bfs_init(rp_bit_bfs_t *self, uint32_t width, uint32_t height, rp_simd_t simd,
                     rp_arena_t *arena);

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

#endif
