/// @file
/// What moves of a guided search (jump/guided.h) cost in lines: those that a move crosses,
/// and the steps to the target after it less those before. All moves from a place at once, bit d
/// for the one in direction d.
///
/// A step towards the root stays in its layer of the breadth first search or goes to the one
/// before, a step away stays or goes to the next. So it is enough to know of each place whether its
/// layer is odd. A straight step costs no line that is not gained if it leads away and stays, or
/// towards the root and changes the layer; else two. A diagonal move is one step across and one
/// down.
#ifndef REPLAN_PLANNERS_JUMP_GUIDED_LINES_H
#define REPLAN_PLANNERS_JUMP_GUIDED_LINES_H

#include "planners/bits/bit_bfs_tile.h"
#include "planners/jump/jump_pruning.h"

#define RP_GUIDED_STRAIGHT 0x55u
#define RP_GUIDED_DIAGONAL 0xaau

/// Moves that cost more lines than they gain steps: two or four, and of these those that cost four.
typedef struct rp_guided_lines {
    unsigned some;
    unsigned four;
} rp_guided_lines_t;

/// Layers that are odd: of the neighbours, and of the place itself.
typedef struct rp_guided_odd {
    unsigned ring;
    unsigned here;
} rp_guided_odd_t;

/// Every place in turn, for those at the border of a tile or of the world.
static __attribute__((noinline, unused)) rp_guided_odd_t
rp_guided_odd_at_border(const rp_bit_bfs_t *bfs, uint32_t beyond, uint32_t x, uint32_t y)
{
    unsigned rows[3] = {0};
    for (uint32_t i = 0; i < 9u; i++) {
        const uint32_t column = x + i % 3u - 1u;
        const uint32_t row = y + i / 3u - 1u;
        if (column < bfs->map.width && row < bfs->map.height) {
            const int parity = rp_bit_bfs_parity(bfs, column, row);
            rows[i / 3u] |= ((parity < 0 ? beyond : (unsigned)parity) & 1u) << i % 3u;
        }
    }
    return (rp_guided_odd_t){rows[0] << 5 | rp_jump_pruning_lower(rows[1], rows[2]),
                             rows[1] >> 1 & 1u};
}

/// Three bits, the first one last.
static inline unsigned rp_guided_reversed(unsigned three)
{
    return (three & 2u) | (three & 1u) << 2 | three >> 2;
}

/// @param beyond  the layer that places are taken to be in which the breadth first search did not
/// reach
static inline rp_guided_odd_t rp_guided_odd(const rp_bit_bfs_t *bfs, uint32_t beyond, uint32_t x,
                                            uint32_t y)
{
    const rp_bit_bfs_spot_t column = rp_bit_bfs_spot_of(&bfs->across, x);
    const rp_bit_bfs_spot_t row = rp_bit_bfs_spot_of(&bfs->down, y);
    if (column.bit - 1u >= RP_BIT_BFS_NEAR - 1u || row.bit - 1u >= RP_BIT_BFS_NEAR - 1u) {
        return rp_guided_odd_at_border(bfs, beyond, x, y);
    }
    const unsigned is_odd = beyond & 1u;
    const rp_bit_bfs_tile_t *tile = rp_bit_bfs_tile_of(bfs, column, row);
    if (tile == NULL) {
        return (rp_guided_odd_t){is_odd * 0xffu, is_odd};
    }
    // What was not reached in the other layers is in those of its parity.
    const uint64_t *words = tile->reached[is_odd ^ 1u] + row.bit;
    const unsigned flip = is_odd * 7u;
    unsigned far = ((unsigned)(words[-1] >> (column.bit - 1u)) & 7u) ^ flip;
    unsigned beside = ((unsigned)(words[0] >> (column.bit - 1u)) & 7u) ^ flip;
    unsigned near = ((unsigned)(words[1] >> (column.bit - 1u)) & 7u) ^ flip;
    if (x > bfs->across.goal) {
        far = rp_guided_reversed(far);
        beside = rp_guided_reversed(beside);
        near = rp_guided_reversed(near);
    }
    const bool is_below = y > bfs->down.goal; // then the far row is the lower one
    const unsigned above = is_below ? near : far;
    const unsigned below = is_below ? far : near;
    return (rp_guided_odd_t){above << 5 | rp_jump_pruning_lower(beside, below), beside >> 1 & 1u};
}

/// For each diagonal move what is said of the step across that begins it.
static inline unsigned rp_guided_across(unsigned straight)
{
    return (straight & 1u) * 0x82u | (straight >> 4 & 1u) * 0x28u;
}

/// Of all moves from a free place. Of those that are illegal it says nothing.
static inline rp_guided_lines_t rp_guided_lines(const rp_bit_bfs_t *bfs, uint32_t beyond,
                                                uint32_t x, uint32_t y)
{
    const uint32_t root_x = bfs->across.goal;
    const uint32_t root_y = bfs->down.goal;
    const rp_guided_odd_t odd = rp_guided_odd(bfs, beyond, x, y);
    const unsigned down = (unsigned)(y < root_y);
    const unsigned up = (unsigned)(y > root_y);
    const unsigned towards =
        (unsigned)(x < root_x) | down << 2 | (unsigned)(x > root_x) << 4 | up << 6;
    const unsigned straight = (odd.ring ^ (0u - odd.here) ^ towards) & RP_GUIDED_STRAIGHT;
    const unsigned across = rp_guided_across(straight);
    const unsigned along =
        (odd.ring ^ rp_guided_across(odd.ring) ^ (down * 0x0au | up * 0xa0u)) & RP_GUIDED_DIAGONAL;
    return (rp_guided_lines_t){straight | across | along, across & along};
}

#endif
