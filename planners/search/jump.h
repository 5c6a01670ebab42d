/// @file
/// Jump point search: A* over the few cells where a shortest path may turn ("Improving Jump Point
/// Search", Harabor and Grastien 2014; without corner cutting, as jump_map.h says).
///
/// A cell is known with the directions in which it was reached at its g, and expanded only towards
/// what these do not make pointless. Several directions of equal g count together: dropping one
/// would lose paths.
///
/// Two forms, equal in cost. *Eager*: a diagonal walk puts in the ends of all straight jumps off it
/// and is never put in itself: few cells, right on structured maps. *Lazy*: it is put in where it
/// first sees a straight jump that leads somewhere, and goes on when its turn comes: right in
/// clutter, where most of an eager walk is wasted. There so many cells are met that their memory is
/// what costs: a lazy search keeps g and directions, and finds parents by walking back.
///
/// g of a lazy search is kept as credit = ceiling - g: the more the better, and 0 is unmet. Each
/// search raises the ceiling by more than its g will come to, so that what earlier ones left is
/// beaten by everything new, and nothing has to be cleared or stamped.
///
/// It knows no grid: 1 .. width and 1 .. height of its map. A place is packed as row << 16 |
/// column.
#ifndef REPLAN_SEARCH_JUMP_H
#define REPLAN_SEARCH_JUMP_H

#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "planners/planner_ops.h"
#include "planners/search/jump_map.h"
#include "planners/search/jump_ring.h"
#include "planners/search/open_ladder.h"

/// Directions in which a cell was reached at its g, one bit each.
typedef struct rp_arrivals {
    uint8_t waiting;  ///< it is yet to be expanded for these
    uint8_t expanded; ///< it was expanded for these
} rp_arrivals_t;

/// What an eager search knows of a cell.
typedef struct rp_jump_node {
    rp_cost_t g;
    uint32_t search; ///< that wrote it
    uint32_t parent; ///< place; a diagonal walk from there, then a straight jump, either maybe none
    rp_arrivals_t arrivals;
} rp_jump_node_t;

/// Hot members first.
typedef struct rp_jump {
    rp_cost_t *credit;       ///< lazy, by cell: ceiling - g
    rp_arrivals_t *arrivals; ///< lazy, by cell: true where the credit is of this search
    rp_jump_node_t *nodes;   ///< eager, by cell
    rp_jump_map_t map;
    rp_ladder_t open;
    uint32_t stride; ///< of the cells: row * stride + column
    uint32_t cell_count;
    uint32_t search; ///< number of this search
    uint32_t root;   ///< place, as `target`
    uint32_t target;
    uint32_t target_column;
    uint32_t target_row;
    rp_cost_t base;      ///< heuristic of the root: OPEN counts from there
    rp_cost_t ceiling;   ///< credit of the root
    rp_cost_t room;      ///< g that fits under the ceiling in this search
    rp_cost_t allowance; ///< room that a search begins with
    rp_cost_t longest;   ///< no jump costs more
    bool is_eager;
    bool is_found;
    bool has_been_eager;
    bool has_been_lazy;
    bool has_fast_bits; ///< the processor counts zeros in one step
} rp_jump_t;

#define RP_JUMP_INLINE static inline __attribute__((always_inline))

// ---- places

static inline uint32_t rp_jump_place(uint32_t column, uint32_t row)
{
    return row << 16 | column;
}

static inline uint32_t rp_jump_column(uint32_t place)
{
    return place & 0xffffu;
}

static inline uint32_t rp_jump_row(uint32_t place)
{
    return place >> 16;
}

static inline uint32_t rp_jump_cell(const rp_jump_t *self, uint32_t place)
{
    return rp_jump_row(place) * self->stride + rp_jump_column(place);
}

/// Cost between two places on open ground.
RP_JUMP_INLINE rp_cost_t rp_jump_octile(int32_t dx, int32_t dy)
{
    const uint32_t across = (uint32_t)(dx < 0 ? -dx : dx);
    const uint32_t down = (uint32_t)(dy < 0 ? -dy : dy);
    const rp_cost_t low = across < down ? across : down;
    const rp_cost_t high = across < down ? down : across;
    return RP_STRAIGHT * high + (RP_DIAGONAL - RP_STRAIGHT) * low;
}

static inline rp_cost_t rp_jump_distance(uint32_t from, uint32_t to)
{
    return rp_jump_octile((int32_t)rp_jump_column(to) - (int32_t)rp_jump_column(from),
                          (int32_t)rp_jump_row(to) - (int32_t)rp_jump_row(from));
}

/// The heuristic.
RP_JUMP_INLINE rp_cost_t rp_jump_bound(const rp_jump_t *self, uint32_t column, uint32_t row)
{
    return rp_jump_octile((int32_t)self->target_column - (int32_t)column,
                          (int32_t)self->target_row - (int32_t)row);
}

/// Three free bits round a position, the one before it in bit 0.
RP_JUMP_INLINE unsigned rp_jump_three(const rp_strips_t *rows, size_t place, unsigned bit)
{
    const uint64_t *free = rows->free + place;
    if (__builtin_expect(bit == 0, 0)) {
        return (unsigned)((free[0] & 3u) << 1 | free[-(ptrdiff_t)rows->line_stride] >> 63);
    }
    if (__builtin_expect(bit == 63u, 0)) {
        return (unsigned)(free[0] >> 62 | (free[rows->line_stride] & 1u) << 2);
    }
    return (unsigned)(free[0] >> (bit - 1u)) & 7u;
}

RP_JUMP_INLINE unsigned rp_jump_ring(const rp_jump_t *self, uint32_t column, uint32_t row)
{
    const rp_strips_t *rows = &self->map.rows;
    const size_t place = rp_strips_place(rows, row, column);
    const unsigned bit = column & 63u;
    const unsigned above = rp_jump_three(rows, place - 1u, bit);
    const unsigned beside = rp_jump_three(rows, place, bit);
    const unsigned below = rp_jump_three(rows, place + 1u, bit);
    return above << 5 | (below & 1u) << 3 | (below & 2u) << 1 | below >> 2 << 1 |
           (beside & 1u) << 4 | beside >> 2;
}

// ---- one cell

RP_JUMP_INLINE rp_cost_t rp_jump_g(const rp_jump_t *self, bool is_eager, uint32_t cell)
{
    return is_eager ? self->nodes[cell].g : self->ceiling - self->credit[cell];
}

RP_JUMP_INLINE rp_arrivals_t *rp_jump_arrivals(const rp_jump_t *self, bool is_eager, uint32_t cell)
{
    return is_eager ? &self->nodes[cell].arrivals : &self->arrivals[cell];
}

static inline bool rp_jump_is_live(const void *owner, uint32_t place, rp_cost_t f)
{
    const rp_jump_t *self = owner;
    const uint32_t cell = rp_jump_cell(self, place);
    return rp_jump_arrivals(self, self->is_eager, cell)->waiting != 0 &&
           rp_jump_g(self, self->is_eager, cell) + rp_jump_distance(place, self->target) -
                   self->base ==
               f;
}

/// One more direction of the same g. @return true when the cell must go into OPEN for it
RP_JUMP_INLINE bool rp_arrivals_add(rp_arrivals_t *self, uint8_t arrival)
{
    if (((self->waiting | self->expanded) & arrival) != 0) {
        return false;
    }
    const bool is_open = self->waiting != 0;
    self->waiting |= arrival;
    return !is_open;
}

/// Take note of a way to a cell. @return true when the cell must go into OPEN for it
RP_JUMP_INLINE bool rp_jump_note(rp_jump_t *self, bool is_eager, uint32_t cell, rp_cost_t g,
                                 uint8_t arrival, uint32_t parent)
{
    if (is_eager) {
        rp_jump_node_t *node = &self->nodes[cell];
        if (node->search == self->search && node->g <= g) {
            return node->g == g && rp_arrivals_add(&node->arrivals, arrival);
        }
        *node = (rp_jump_node_t){g, self->search, parent, {arrival, 0}};
        return true;
    }
    const rp_cost_t credit = self->ceiling - g;
    const rp_cost_t known = self->credit[cell];
    if (credit <= known) {
        return credit == known && rp_arrivals_add(&self->arrivals[cell], arrival);
    }
    self->credit[cell] = credit;
    self->arrivals[cell] = (rp_arrivals_t){arrival, 0};
    return true;
}

/// A cell is reached at this cost, in this direction.
RP_JUMP_INLINE void rp_jump_reach(rp_jump_t *self, bool is_eager, uint32_t column, uint32_t row,
                                  rp_cost_t g, unsigned direction, uint32_t parent,
                                  rp_plan_stats_t *stats)
{
    if (rp_jump_note(self, is_eager, row * self->stride + column, g, (uint8_t)(1u << direction),
                     parent)) {
        stats->generated++;
        rp_ladder_push(&self->open, g + rp_jump_bound(self, column, row) - self->base,
                       rp_jump_place(column, row), rp_jump_is_live, self);
    }
}

// ---- jumps

RP_JUMP_INLINE bool rp_jump_bit(const rp_strips_t *strips, const uint64_t *words, uint32_t line,
                                uint32_t position)
{
    return ((words[rp_strips_place(strips, line, position)] >> (position & 63u)) & 1u) != 0;
}

/// Jump straight on: to the target if it lies on the way, else to where the jump ends, if that is
/// free ground.
RP_JUMP_INLINE void rp_jump_run(rp_jump_t *self, bool is_eager, uint32_t column, uint32_t row,
                                rp_cost_t g, unsigned direction, uint32_t parent,
                                rp_plan_stats_t *stats)
{
    const bool is_row = (direction & 2u) == 0;
    const enum rp_way way = direction < 4u ? RP_ONWARD : RP_BACKWARD;
    const rp_strips_t *strips = is_row ? &self->map.rows : &self->map.columns;
    const uint32_t line = is_row ? row : column;
    const uint32_t from = is_row ? column : row;
    const bool has_target = is_row ? row == self->target_row : column == self->target_column;
    const bool leads = rp_jump_bit(strips, strips->leads[way], line, from);
    if (!leads && !has_target) {
        return;
    }
    uint32_t end = rp_strips_jump(strips, way, line, from);
    if (__builtin_expect(has_target, 0)) {
        const uint32_t target = is_row ? self->target_column : self->target_row;
        if (way == RP_ONWARD ? target > from && target <= end : target < from && target >= end) {
            end = target;
        } else if (!leads) {
            return;
        }
    }
    const uint32_t length = way == RP_ONWARD ? end - from : from - end;
    rp_jump_reach(self, is_eager, is_row ? end : column, is_row ? row : end,
                  g + RP_STRAIGHT * length, direction, parent, stats);
}

/// Walk diagonally until a step is illegal.
RP_JUMP_INLINE void rp_jump_walk(rp_jump_t *self, bool is_eager, uint32_t column, uint32_t row,
                                 rp_cost_t g, unsigned direction, uint32_t parent,
                                 rp_plan_stats_t *stats)
{
    const bool right = direction == 1u || direction == 7u;
    const bool down = direction == 1u || direction == 3u;
    const rp_strips_t *rows = &self->map.rows;
    const rp_strips_t *columns = &self->map.columns;
    const uint64_t *row_leads = rows->leads[right ? RP_ONWARD : RP_BACKWARD];
    const uint64_t *column_leads = columns->leads[down ? RP_ONWARD : RP_BACKWARD];
    const uint32_t target_column = self->target_column;
    const uint32_t target_row = self->target_row;
    while (
        rp_jump_bit(rows, self->map.squares, down ? row : row - 1u, right ? column : column - 1u)) {
        column = right ? column + 1u : column - 1u;
        row = down ? row + 1u : row - 1u;
        g += RP_DIAGONAL;
        const bool has_row = rp_jump_bit(rows, row_leads, row, column) | (row == target_row);
        const bool has_column =
            rp_jump_bit(columns, column_leads, column, row) | (column == target_column);
        if (__builtin_expect(!(has_row | has_column), 1)) {
            continue;
        }
        if (!is_eager || (row == target_row && column == target_column)) {
            rp_jump_reach(self, is_eager, column, row, g, direction, parent, stats);
            return;
        }
        if (has_row) {
            rp_jump_run(self, is_eager, column, row, g, right ? 0u : 4u, parent, stats);
        }
        if (has_column) {
            rp_jump_run(self, is_eager, column, row, g, down ? 2u : 6u, parent, stats);
        }
    }
}

// ---- credit

/// More than any g: the bound on costs of the whole ground (search/cost.h), and one jump.
static inline rp_cost_t rp_jump_most(const rp_jump_t *self)
{
    return (rp_cost_t)RP_DIAGONAL * self->map.width * self->map.height + 2u * self->longest;
}

/// A lazy search costs more than was allowed for: forget what earlier ones left, and raise what
/// this one knows. Time: O(cells), rare, as the next searches are allowed more.
static __attribute__((noinline, unused)) void rp_jump_make_room(rp_jump_t *self)
{
    const rp_cost_t floor = self->ceiling - self->room;
    const rp_cost_t most = rp_jump_most(self);
    const rp_cost_t raise = most - self->room;
    for (uint32_t cell = 0; cell < self->cell_count; cell++) {
        const rp_cost_t credit = self->credit[cell];
        self->credit[cell] = credit > floor ? credit - floor + raise : 0;
    }
    self->ceiling = most;
    self->room = most;
    self->allowance = self->allowance < most / 4u ? 4u * self->allowance : most;
}

static inline void rp_jump_raise_ceiling(rp_jump_t *self)
{
    if (self->ceiling > RP_COST_INF - self->allowance) {
        memset(self->credit, 0, (size_t)self->cell_count * sizeof *self->credit);
        self->ceiling = 0;
    }
    self->ceiling += self->allowance;
    self->room = self->allowance;
}

// ---- search

/// Moves that are worth it and were not made yet.
RP_JUMP_INLINE unsigned rp_jump_moves(const rp_jump_t *self, uint32_t place, rp_arrivals_t arrivals)
{
    const unsigned ring = rp_jump_ring(self, rp_jump_column(place), rp_jump_row(place));
    if (__builtin_expect(place == self->root, 0)) {
        return rp_ring_all(ring);
    }
    unsigned moves = 0;
    for (unsigned bits = arrivals.waiting; bits != 0; bits &= bits - 1u) {
        moves |= rp_ring_moves(ring, (unsigned)__builtin_ctz(bits));
    }
    for (unsigned bits = arrivals.expanded; bits != 0; bits &= bits - 1u) {
        moves &= ~rp_ring_moves(ring, (unsigned)__builtin_ctz(bits));
    }
    return moves;
}

RP_JUMP_INLINE void rp_jump_expand(rp_jump_t *self, bool is_eager, uint32_t place, rp_cost_t g,
                                   rp_arrivals_t arrivals, rp_plan_stats_t *stats)
{
    const uint32_t column = rp_jump_column(place);
    const uint32_t row = rp_jump_row(place);
    const unsigned moves = rp_jump_moves(self, place, arrivals);
    if ((moves & 0x01u) != 0) {
        rp_jump_run(self, is_eager, column, row, g, 0, place, stats);
    }
    if ((moves & 0x04u) != 0) {
        rp_jump_run(self, is_eager, column, row, g, 2, place, stats);
    }
    if ((moves & 0x10u) != 0) {
        rp_jump_run(self, is_eager, column, row, g, 4, place, stats);
    }
    if ((moves & 0x40u) != 0) {
        rp_jump_run(self, is_eager, column, row, g, 6, place, stats);
    }
    if ((moves & 0x02u) != 0) {
        rp_jump_walk(self, is_eager, column, row, g, 1, place, stats);
    }
    if ((moves & 0x08u) != 0) {
        rp_jump_walk(self, is_eager, column, row, g, 3, place, stats);
    }
    if ((moves & 0x20u) != 0) {
        rp_jump_walk(self, is_eager, column, row, g, 5, place, stats);
    }
    if ((moves & 0x80u) != 0) {
        rp_jump_walk(self, is_eager, column, row, g, 7, place, stats);
    }
}

RP_JUMP_INLINE rp_status_t rp_jump_search_form(rp_jump_t *self, bool is_eager, uint64_t *budget,
                                               rp_plan_stats_t *stats)
{
    while (*budget != 0) {
        const uint32_t place = rp_ladder_pop(&self->open);
        if (__builtin_expect(place == RP_LADDER_NONE, 0)) {
            return RP_OK;
        }
        const uint32_t cell = rp_jump_cell(self, place);
        rp_arrivals_t *known = rp_jump_arrivals(self, is_eager, cell);
        const rp_arrivals_t arrivals = *known;
        if (arrivals.waiting == 0) {
            continue; // an older entry of a cell that was reached more cheaply since
        }
        const rp_cost_t g = rp_jump_g(self, is_eager, cell);
        *known = (rp_arrivals_t){0, arrivals.waiting | arrivals.expanded};
        stats->expanded++;
        --*budget;
        if (__builtin_expect(place == self->target, 0)) {
            self->is_found = true;
            return RP_OK;
        }
        if (!is_eager && __builtin_expect(g + self->longest >= self->room, 0)) {
            rp_jump_make_room(self);
        }
        rp_jump_expand(self, is_eager, place, g, arrivals, stats);
    }
    return RP_MORE;
}

static inline rp_status_t rp_jump_search_plain(rp_jump_t *self, uint64_t *budget,
                                               rp_plan_stats_t *stats)
{
    return self->is_eager ? rp_jump_search_form(self, true, budget, stats)
                          : rp_jump_search_form(self, false, budget, stats);
}

#if defined(__x86_64__)
/// The same, for processors that count zeros in one step. Old ones need a table of microcode.
static __attribute__((target("bmi,bmi2,lzcnt"), unused)) rp_status_t
rp_jump_search_fast(rp_jump_t *self, uint64_t *budget, rp_plan_stats_t *stats)
{
    return self->is_eager ? rp_jump_search_form(self, true, budget, stats)
                          : rp_jump_search_form(self, false, budget, stats);
}

static inline bool rp_jump_has_fast_bits(void)
{
    unsigned a;
    unsigned b;
    unsigned c;
    unsigned d;
    const bool has_lzcnt = __get_cpuid(0x80000001u, &a, &b, &c, &d) != 0 && (c & bit_LZCNT) != 0;
    return has_lzcnt && __get_cpuid_count(7u, 0, &a, &b, &c, &d) != 0 && (b & bit_BMI) != 0 &&
           (b & bit_BMI2) != 0;
}
#else
#define rp_jump_search_fast rp_jump_search_plain

static inline bool rp_jump_has_fast_bits(void)
{
    return false;
}
#endif

/// Go on until the target is expanded, OPEN is empty, or the budget is used up (counted down).
/// @return RP_OK or RP_MORE
static inline rp_status_t rp_jump_search(rp_jump_t *self, uint64_t *budget, rp_plan_stats_t *stats)
{
    return self->has_fast_bits ? rp_jump_search_fast(self, budget, stats)
                               : rp_jump_search_plain(self, budget, stats);
}

/// Begin a search between two free places. The map must be settled. Time: O(1), but for a sweep
/// over all cells in some hundred lazy searches, or 2^32 eager ones.
static inline void rp_jump_begin(rp_jump_t *self, uint32_t root, uint32_t target)
{
    const uint32_t cell = rp_jump_cell(self, root);
    self->root = root;
    self->target = target;
    self->target_column = rp_jump_column(target);
    self->target_row = rp_jump_row(target);
    self->base = rp_jump_distance(root, target);
    self->is_eager = !self->map.is_cluttered;
    self->is_found = false;
    if (self->is_eager) {
        self->has_been_eager = true;
        if (++self->search == 0) {
            memset(self->nodes, 0, (size_t)self->cell_count * sizeof *self->nodes);
            self->search = 1;
        }
        self->nodes[cell] = (rp_jump_node_t){0, self->search, root, {1, 0}};
    } else {
        self->has_been_lazy = true;
        rp_jump_raise_ceiling(self);
        self->credit[cell] = self->ceiling;
        self->arrivals[cell] = (rp_arrivals_t){1, 0};
    }
    rp_ladder_clear(&self->open);
    rp_ladder_push(&self->open, 0, root, rp_jump_is_live, self);
}

// ---- birth and death

static inline void rp_jump_fini(rp_jump_t *self)
{
    rp_jump_map_fini(&self->map);
    rp_memory_free(self->nodes, self->cell_count, sizeof *self->nodes);
    rp_memory_free(self->credit, self->cell_count, sizeof *self->credit);
    rp_memory_free(self->arrivals, self->cell_count, sizeof *self->arrivals);
    rp_ladder_fini(&self->open);
    *self = (rp_jump_t){0};
}

/// All places block at first.
/// @param stride  of the cells in nodes and paths, at least width + 2
/// @return RP_E_MEMORY (then all is zeroed)
static inline rp_status_t rp_jump_init(rp_jump_t *self, uint32_t width, uint32_t height,
                                       uint32_t stride)
{
    const uint64_t raise = 2u * RP_DIAGONAL * ((uint64_t)width + height);
    *self = (rp_jump_t){
        .stride = stride,
        .cell_count = stride * (height + 2u),
        .longest = (rp_cost_t)RP_DIAGONAL * (width + height),
        .has_fast_bits = rp_jump_has_fast_bits(),
    };
    self->allowance = 8u * self->longest;
    self->nodes = rp_memory_new(self->cell_count, sizeof *self->nodes);
    self->credit = rp_memory_new(self->cell_count, sizeof *self->credit);
    self->arrivals = rp_memory_new(self->cell_count, sizeof *self->arrivals);
    rp_status_t status = RP_OK;
    if (self->nodes == NULL || self->credit == NULL || self->arrivals == NULL) {
        status = RP_E_MEMORY;
    }
    if (status == RP_OK) {
        status = rp_jump_map_init(&self->map, width, height);
    }
    if (status == RP_OK) {
        status = rp_ladder_init(&self->open, self->cell_count, raise);
    }
    if (status != RP_OK) {
        rp_jump_fini(self);
    }
    return status;
}

static inline uint64_t rp_jump_bytes(const rp_jump_t *self)
{
    const uint64_t of_cell =
        (self->has_been_eager ? sizeof *self->nodes : 0u) +
        (self->has_been_lazy ? sizeof *self->credit + sizeof *self->arrivals : 0u);
    return self->cell_count * of_cell + rp_jump_map_bytes(&self->map) +
           rp_ladder_bytes(&self->open);
}

#endif
