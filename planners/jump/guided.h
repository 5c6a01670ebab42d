/// @file
/// A guided search, for clutter. A* from cell to cell, with a heuristic from two breadth first
/// searches that are made for it, 64 places an instruction. 8 neighbours, no corner cutting,
/// uniform ground.
///
/// A straight step costs 408 = 239 + 169, a diagonal one 577 = 239 + 2 * 169. So a path costs 239
/// for each move, and 169 for each line (row or column) that it crosses. It has no fewer moves than
/// the hops of bits/bfs_distance.h. It crosses no fewer lines than a path with 4
/// neighbours has steps, as each diagonal move can be made by two straight ones: the cells beside
/// it are free. Hence
///
///     h = 239 * hops + 169 * steps
///
/// is admissible. It is consistent, as a move changes the hops by one at most, and the steps by no
/// more than the lines that it crosses. In clutter detours cost mainly hops where a path is
/// diagonal, and mainly steps where it follows a row; with both known A* expands few cells beside
/// the path. Whether the target can be reached at all is told by the steps alone.
///
/// In order: first the breadth first search of steps (bits/bit_bfs.h). A walk down the steps,
/// diagonally where it can, gives a path, whose cost limits the rings of hops and the detours that
/// A* looks at.
///
/// Layers: of two cells a step apart, the one farther from the root is in the same layer or the
/// next one. A cell that the breadth first search did not reach is in a later layer than all that
/// it did reach, and is taken to be in the next one. So the steps from a cell are bounded by its
/// layer and by its distance from the root; the lesser of two consistent bounds is consistent.
///
/// Nodes and OPEN are those of jump point search (jump/jump_loop.h), which touch little memory. A
/// node's g is its detour: its f less that of the root. It is reached by one move from its parent.
#ifndef REPLAN_PLANNERS_JUMP_GUIDED_H
#define REPLAN_PLANNERS_JUMP_GUIDED_H

#include <assert.h>

#include "base/budget.h"
#include "planners/bits/bfs_distance.h"
#include "planners/bits/bit_bfs.h"
#include "planners/grid/search_stats.h"
#include "planners/jump/guided_lines.h"
#include "planners/jump/jump_loop.h"
#include "replan/planner.h"
#include "replan/trace.h"

/// Cells of the walk between two looks at the budget.
#define RP_GUIDED_PART 1024u

/// What is done in the time of an expansion: steps of the breadth first search, words of a ring,
/// cells of the walk, and words of ground that are made ready.
#define RP_GUIDED_STEPS      4u
#define RP_GUIDED_WORDS      64u
#define RP_GUIDED_WALK       4u
#define RP_GUIDED_WORDS_READ 128u

enum rp_guided_stage {
    RP_GUIDED_AT_STEPS,
    RP_GUIDED_AT_WALK,
    RP_GUIDED_AT_DISTANCES,
    RP_GUIDED_AT_CELLS,
    RP_GUIDED_DONE,
};

typedef struct rp_guided {
    rp_bit_bfs_t bfs;            ///< from the target; its user writes its map
    rp_bfs_distance_t distances; ///< to the target
    const rp_grid_t *grid;
    uint32_t root_x;
    uint32_t root_y;
    uint32_t target_x;
    uint32_t target_y;
    enum rp_guided_stage stage;
    uint32_t beyond; ///< layer of what the breadth first search did not reach, or less
    uint32_t x;      ///< where the walk has come to
    uint32_t y;
    uint32_t moves; ///< of the walk; then hops of the root, once it was met
    bool is_met;
    uint32_t base;     ///< h of the root
    uint32_t walk;     ///< cost of a path
    uint32_t detour;   ///< the longest that is looked at
    uint32_t steps;    ///< of the breadth first search that were not paid for yet
    uint64_t expanded; ///< by this call
    uint64_t flooded;  ///< of these, the breadth first searches' and the walk's share
} rp_guided_t;

/// A move, as a number to be added to a column or a row.
static inline uint32_t rp_guided_right(unsigned direction)
{
    static const int8_t right[RP_DIRECTIONS] = {1, 1, 0, -1, -1, -1, 0, 1};
    return (uint32_t)right[direction];
}

static inline uint32_t rp_guided_down(unsigned direction)
{
    static const int8_t down[RP_DIRECTIONS] = {0, 1, 1, 1, 0, -1, -1, -1};
    return (uint32_t)down[direction];
}

// ---- a walk

/// Moves from a free place that lead as far towards the target as they can.
static inline unsigned rp_guided_downhill(const rp_guided_t *self, uint32_t x, uint32_t y)
{
    const unsigned legal = self->grid->moves[rp_grid_cell(self->grid, x, y)];
    return legal & ~rp_guided_lines(&self->bfs, self->beyond, x, y).some;
}

/// The one to take: a diagonal one, or one after which there is such; else a straight one.
static inline unsigned rp_guided_descend(const rp_guided_t *self, uint32_t x, uint32_t y)
{
    const unsigned moves = rp_guided_downhill(self, x, y);
    unsigned best = 0;
    if ((moves & RP_GUIDED_DIAGONAL) != 0) {
        return (unsigned)__builtin_ctz(moves & RP_GUIDED_DIAGONAL);
    }
    for (unsigned left = moves; left != 0; left &= left - 1u) {
        best = (unsigned)__builtin_ctz(left);
        if ((rp_guided_downhill(self, x + rp_guided_right(best), y + rp_guided_down(best)) &
             RP_GUIDED_DIAGONAL) != 0) {
            break;
        }
    }
    return best;
}

/// Once the breadth first search has found the root: walk down the steps to the target, so many
/// cells at most.
/// @return true at the target
static inline bool rp_guided_walk(rp_guided_t *self, uint32_t most)
{
    for (; most != 0 && (self->x != self->target_x || self->y != self->target_y); most--) {
        const unsigned direction = rp_guided_descend(self, self->x, self->y);
        self->x += rp_guided_right(direction);
        self->y += rp_guided_down(direction);
        self->moves++;
    }
    return self->x == self->target_x && self->y == self->target_y;
}

// ---- one cell

/// OPEN holds the numbers of nodes.
static inline bool rp_guided_is_live(const void *owner, const rp_bucket_entry_t *entry)
{
    const rp_jump_t *jump = owner;
    const rp_jump_node_t *node = &jump->nodes[entry->cell];
    return node->waiting != 0 && node->g == entry->key;
}

/// A cell is reached from the node that is being expanded.
RP_JUMP_INLINE void rp_guided_reach(rp_jump_t *jump, uint32_t place, uint32_t detour,
                                    uint32_t moves, unsigned direction)
{
    const uint32_t number = rp_jump_loop_node(jump, place);
    if (rp_jump_loop_arrive(jump, number, detour, direction)) {
        rp_jump_open(jump, detour, number, moves, rp_guided_is_live);
    }
}

/// Three bits round a place, that before it first.
static inline unsigned rp_guided_three(const uint64_t *words, size_t stride, unsigned bit)
{
    const unsigned before = (unsigned)(words[-(ptrdiff_t)stride] >> RP_BFS_DISTANCE_SPAN & 1u);
    const unsigned after = (unsigned)(words[stride] >> 1 & 1u) << 2;
    return ((unsigned)(words[0] >> (bit - 1u)) & 7u) | (bit == 1u ? before : 0u) |
           (bit == RP_BFS_DISTANCE_SPAN ? after : 0u);
}

static __attribute__((noinline, unused)) unsigned
rp_guided_ring_at_border(const uint64_t *words, size_t stride, unsigned bit)
{
    return rp_guided_three(words - 1, stride, bit) << 5 |
           rp_jump_pruning_lower(rp_guided_three(words, stride, bit),
                                 rp_guided_three(words + 1, stride, bit));
}

/// Bit d: the bit of the neighbour in direction d.
static inline unsigned rp_guided_ring(const uint64_t *words, size_t stride, unsigned bit)
{
    if (__builtin_expect(bit - 2u >= RP_BFS_DISTANCE_SPAN - 2u, 0)) {
        return rp_guided_ring_at_border(words, stride, bit);
    }
    const unsigned from = bit - 1u;
    return ((unsigned)(words[-1] >> from) & 7u) << 5 |
           rp_jump_pruning_lower((unsigned)(words[0] >> from) & 7u,
                                 (unsigned)(words[1] >> from) & 7u);
}

/// Straight moves, and the diagonal ones whose square is free. It is not said whether they end on
/// free ground.
static inline unsigned rp_guided_open(const uint64_t *squares, unsigned bit)
{
    const unsigned above = (unsigned)(squares[-1] >> (bit - 1u));
    const unsigned below = (unsigned)(squares[0] >> (bit - 1u));
    return RP_GUIDED_STRAIGHT | (below >> 1 & 1u) << 1 | (below & 1u) << 3 | (above & 1u) << 5 |
           (above >> 1 & 1u) << 7;
}

/// The cell whose turn it is.
typedef struct rp_guided_turn {
    uint32_t place;
    uint32_t detour;
    uint32_t moves;
    unsigned arrivals; ///< directions in which it was reached
    unsigned earlier;  ///< and those for which it was expanded before
} rp_guided_turn_t;

/// Moves after any of these arrivals that lead where its neighbours do not lead as cheaply.
/// @param ring  neighbours that were met. The others count as blocked, though they may be free.
static inline unsigned rp_guided_worth(unsigned arrivals, unsigned ring)
{
    unsigned moves = 0;
    for (; arrivals != 0; arrivals &= arrivals - 1u) {
        const unsigned way = (unsigned)__builtin_ctz(arrivals);
        const unsigned round = ring >> way | ring << (8u - way);
        const unsigned after = (way & 1u) != 0 ? 0x83u
                                               : 1u | ((round >> 3 & 1u) != 0 ? 0u : 0x06u) |
                                                     ((round >> 5 & 1u) != 0 ? 0u : 0xc0u);
        moves |= after << way | after >> (8u - way);
    }
    return moves;
}

static inline void rp_guided_expand(rp_guided_t *self, rp_jump_t *jump,
                                    const rp_guided_turn_t *turn)
{
    const rp_bfs_distance_t *distances = &self->distances;
    const uint32_t x = rp_jump_column(turn->place) - 1u;
    const uint32_t y = rp_jump_row(turn->place) - 1u;
    const size_t word = rp_bfs_distance_word(distances, x, y);
    const unsigned bit = x % RP_BFS_DISTANCE_SPAN + 1u;
    unsigned rings[3]; // of neighbours that are a hop nearer, as near, and one farther
    for (uint32_t more = 0; more < 3u; more++) {
        rings[more] = rp_guided_ring(distances->met[(turn->moves + more + 2u) % 3u] + word,
                                     distances->strip_stride, bit);
    }
    const unsigned ring = rings[0] | rings[1] | rings[2];
    const unsigned open = rp_guided_open(distances->squares + word, bit) &
                          rp_guided_worth(turn->arrivals, ring) &
                          ~rp_guided_worth(turn->earlier, ring);
    const rp_guided_lines_t lines = rp_guided_lines(&self->bfs, self->beyond, x, y);
    for (unsigned left = open & ring; left != 0; left &= left - 1u) {
        const unsigned direction = (unsigned)__builtin_ctz(left);
        const uint32_t more = 2u * (rings[2] >> direction & 1u) + (rings[1] >> direction & 1u);
        const uint32_t twice = (lines.some >> direction & 1u) + (lines.four >> direction & 1u);
        const uint32_t detour =
            turn->detour + RP_BFS_DISTANCE_MOVE * more + 2u * RP_BFS_DISTANCE_LINE * twice;
        if (detour <= self->detour) {
            rp_guided_reach(
                jump, turn->place + (rp_guided_down(direction) << 16) + rp_guided_right(direction),
                detour, turn->moves + more - 1u, direction);
        }
    }
}

// ---- search

/// Begin between two cells. The search's map is the grid's. Time: O(1).
static inline void rp_guided_begin(rp_guided_t *self, rp_jump_t *jump, uint32_t root,
                                   uint32_t target)
{
    self->root_x = rp_jump_column(root) - 1u;
    self->root_y = rp_jump_row(root) - 1u;
    self->target_x = rp_jump_column(target) - 1u;
    self->target_y = rp_jump_row(target) - 1u;
    self->x = self->root_x;
    self->y = self->root_y;
    self->moves = 0;
    self->stage = RP_GUIDED_AT_STEPS;
    self->steps = 0;
    jump->root = root;
    jump->target = target;
    jump->is_found = false;
    rp_bit_bfs_begin(&self->bfs, self->target_x, self->target_y, self->root_x, self->root_y);
}

/// For the breadth first searches. What takes more than the budget is counted in whole all the
/// same, as it is in one go.
static inline void rp_guided_pay(rp_guided_t *self, uint64_t *budget, uint64_t price)
{
    self->expanded += price;
    self->flooded += price;
    rp_budget_pay(budget, price);
}

/// Begin the rings, within what the walk costs: so the hops of the root are those of any other
/// time.
static inline void rp_guided_begin_distances(rp_guided_t *self, uint64_t *budget)
{
    const rp_bfs_distance_way_t way = {
        .from_x = self->target_x,
        .from_y = self->target_y,
        .to_x = self->root_x,
        .to_y = self->root_y,
        .lines = self->bfs.f_first + 2u * self->bfs.goal_layer,
        .most = self->walk,
    };
    self->stage = RP_GUIDED_AT_DISTANCES;
    self->is_met = false;
    rp_bfs_distance_begin(&self->distances, &self->bfs.map, &way);
    rp_guided_pay(self, budget,
                  (uint64_t)(self->distances.box.bottom - self->distances.box.top + 1u) *
                          (self->distances.box.right - self->distances.box.left + 64u) / 64u /
                          RP_GUIDED_WORDS_READ +
                      1u);
}

/// The steps are known: how many moves of a path, and with that what it costs at most?
static inline void rp_guided_find_walk(rp_guided_t *self, uint64_t *budget)
{
    const rp_bit_bfs_t *bfs = &self->bfs;
    const uint64_t steps = bfs->f_first + 2ull * bfs->goal_layer;
    const uint32_t before = self->moves;
    const bool is_done = rp_guided_walk(
        self, *budget < RP_GUIDED_PART ? (uint32_t)*budget * RP_GUIDED_WALK : RP_GUIDED_PART);
    rp_guided_pay(self, budget, (self->moves - before) / RP_GUIDED_WALK);
    if (is_done) {
        self->walk = RP_BFS_DISTANCE_MOVE * self->moves + RP_BFS_DISTANCE_LINE * (uint32_t)steps;
        rp_guided_begin_distances(self, budget);
    }
}

/// The breadth first search, until it is done.
static inline void rp_guided_find_steps(rp_guided_t *self, uint64_t *budget,
                                        rp_search_stats_t *stats)
{
    rp_bit_bfs_t *bfs = &self->bfs;
    uint64_t part = *budget < UINT64_MAX / RP_GUIDED_STEPS ? RP_GUIDED_STEPS * *budget : UINT64_MAX;
    rp_bit_bfs_count_t count = {0};
    const rp_status_t status = rp_bit_bfs_search(bfs, &part, &count);
    self->steps += (uint32_t)count.steps;
    rp_guided_pay(self, budget, self->steps / RP_GUIDED_STEPS);
    self->steps %= RP_GUIDED_STEPS;
    stats->generated += count.visits;
    if (status == RP_OK && bfs->is_found) {
        self->beyond = bfs->layer + 1u;
        self->stage = RP_GUIDED_AT_WALK;
    } else if (status == RP_OK) {
        self->stage = RP_GUIDED_DONE; // there is no path
    }
}

/// All that is of use was met: the search goes on from cell to cell.
static inline void rp_guided_take_hops(rp_guided_t *self, rp_jump_t *jump)
{
    rp_bucket_levels_clear(&jump->open);
    rp_jump_loop_begin_with(jump, self->moves, rp_guided_is_live);
    self->stage = RP_GUIDED_AT_CELLS;
}

/// A ring more.
static inline void rp_guided_find_hops(rp_guided_t *self, rp_jump_t *jump, uint64_t *budget)
{
    uint64_t words;
    if (!self->is_met && rp_bfs_distance_code(&self->distances, self->root_x, self->root_y) != 0) {
        const uint32_t steps = self->distances.way.lines;
        self->is_met = true;
        self->moves = self->distances.level;
        self->base = RP_BFS_DISTANCE_MOVE * self->moves + RP_BFS_DISTANCE_LINE * steps;
        self->detour = self->walk - self->base;
    }
    if (!rp_bfs_distance_grow(&self->distances, &words)) {
        rp_guided_take_hops(self, jump);
    }
    rp_guided_pay(self, budget, 1u + words / RP_GUIDED_WORDS);
}

/// Expand until the target's turn comes.
static inline void rp_guided_find_cells(rp_guided_t *self, rp_jump_t *jump, uint64_t *budget)
{
    while (*budget != 0) {
        const rp_bucket_entry_t *entry = rp_bucket_levels_pop(&jump->open);
        assert(entry != NULL); // the walk is a path, and no longer than what is looked at
        const uint32_t number = entry->cell;
        const uint32_t moves = (uint32_t)entry->note;
        rp_jump_node_t *node = &jump->nodes[number];
        if (node->waiting == 0) {
            continue; // an older entry of a cell that was reached more cheaply since
        }
        const uint32_t place = node->place;
        const rp_guided_turn_t turn = {place, (uint32_t)node->g, moves, node->waiting,
                                       node->expanded};
        node->expanded |= node->waiting;
        node->waiting = 0;
        self->expanded++;
        RP_TRACE(rp_jump_cell(jump, place), EXPANDED);
        --*budget;
        if (jump->is_by_cell) {
            rp_prefault_note(&jump->prefault, rp_jump_spot(jump, place), budget);
        }
        if (place == jump->target) {
            jump->found = number;
            jump->is_found = true;
            self->stage = RP_GUIDED_DONE;
            return;
        }
        jump->parent = number;
        rp_guided_expand(self, jump, &turn);
    }
}

/// Go on until the path is found, or there is none, or the budget is used up (counted down).
/// @return RP_OK or RP_MORE
static inline rp_status_t rp_guided_search(rp_guided_t *self, rp_jump_t *jump, uint64_t *budget,
                                           rp_search_stats_t *stats)
{
    jump->generated = 0;
    self->expanded = 0;
    self->flooded = 0;
    while (*budget != 0 && self->stage != RP_GUIDED_DONE) {
        switch (self->stage) {
        case RP_GUIDED_AT_STEPS:
            rp_guided_find_steps(self, budget, stats);
            break;
        case RP_GUIDED_AT_WALK:
            rp_guided_find_walk(self, budget);
            break;
        case RP_GUIDED_AT_DISTANCES:
            rp_guided_find_hops(self, jump, budget);
            break;
        default:
            rp_guided_find_cells(self, jump, budget);
            break;
        }
    }
    stats->expanded += self->expanded;
    stats->expanded_fast += self->flooded;
    stats->generated += jump->generated;
    return self->stage == RP_GUIDED_DONE ? RP_OK : RP_MORE;
}

// ---- birth and death

/// @param grid  borrowed until the end
static inline void rp_guided_init(rp_guided_t *self, const rp_grid_t *grid, rp_arena_t *arena)
{
    const rp_grid_shape_t *shape = &grid->shape;
    *self = (rp_guided_t){.grid = grid};
    rp_bit_bfs_init(&self->bfs, shape->width, shape->height, rp_simd_best(), arena);
    rp_bfs_distance_init(&self->distances, shape->width, shape->height, rp_simd_best(), arena);
}

#endif
