/// @file
/// Jump point search: A* over the few cells where a shortest path may turn ("Improving Jump Point
/// Search", Harabor and Grastien 2014; without corner cutting, as jump_map.h says).
///
/// A cell is met with the directions from which it was reached at its g, and expanded only towards
/// what these do not make pointless. Several directions of equal g count together: dropping one
/// would lose paths.
///
/// Two forms, equal in cost. *Eager*: a diagonal walk puts in the ends of all straight jumps off it
/// and is never put in itself: few cells, right on structured maps. *Lazy*: it is put in where it
/// first sees a straight jump that leads somewhere, and goes on when its turn comes: right in
/// clutter, where most of an eager walk is wasted.
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
#include "planners/search/open_ladder.h"

typedef struct rp_jump_node {
    rp_cost_t g;
    uint32_t search; ///< that wrote it
    uint32_t parent; ///< place; a diagonal walk from there, then a straight jump, either maybe none
    uint8_t waiting; ///< directions of arrival that it is yet to be expanded for, one bit each
    uint8_t expanded; ///< those that it was expanded for
} rp_jump_node_t;

/// Hot members first.
typedef struct rp_jump {
    rp_jump_node_t *nodes; ///< by cell
    rp_jump_map_t map;
    rp_ladder_t open;
    uint32_t stride; ///< of the cells: row * stride + column
    uint32_t cell_count;
    uint32_t search; ///< number of this search
    uint32_t root;   ///< place, as `target`
    uint32_t target;
    uint32_t target_column;
    uint32_t target_row;
    rp_cost_t base; ///< heuristic of the root: OPEN counts from there
    bool is_eager;
    bool is_found;
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

// ---- which moves are worth it

// Bit d of a ring: the neighbour in direction d is free. Turned so that bit 0 is straight ahead,
// the moves after an arrival are one table: `ahead` and what opens beside it (the side is free, the
// cell behind the side is not), or the three forward moves of a diagonal.
#define RP_RING_BIT(ring, bit) (((ring) >> (bit)) & 1u)
#define RP_RING_OPENS(ring, side, behind)                                                          \
    (RP_RING_BIT(ring, side) & (RP_RING_BIT(ring, behind) ^ 1u))
#define RP_AFTER_STRAIGHT(ring)                                                                    \
    (uint8_t)(RP_RING_BIT(ring, 0) | RP_RING_OPENS(ring, 2, 3) << 2 |                              \
              (RP_RING_OPENS(ring, 2, 3) & RP_RING_BIT(ring, 1) & RP_RING_BIT(ring, 0)) << 1 |     \
              RP_RING_OPENS(ring, 6, 5) << 6 |                                                     \
              (RP_RING_OPENS(ring, 6, 5) & RP_RING_BIT(ring, 7) & RP_RING_BIT(ring, 0)) << 7)
#define RP_AFTER_DIAGONAL(ring)                                                                    \
    (uint8_t)(RP_RING_BIT(ring, 1) << 1 | RP_RING_BIT(ring, 7) << 7 |                              \
              (RP_RING_BIT(ring, 0) & RP_RING_BIT(ring, 1) & RP_RING_BIT(ring, 7)))
#define RP_RINGS_4(what, ring) what(ring), what((ring) + 1u), what((ring) + 2u), what((ring) + 3u)
#define RP_RINGS_16(what, ring)                                                                    \
    RP_RINGS_4(what, ring), RP_RINGS_4(what, (ring) + 4u), RP_RINGS_4(what, (ring) + 8u),          \
        RP_RINGS_4(what, (ring) + 12u)
#define RP_RINGS_64(what, ring)                                                                    \
    RP_RINGS_16(what, ring), RP_RINGS_16(what, (ring) + 16u), RP_RINGS_16(what, (ring) + 32u),     \
        RP_RINGS_16(what, (ring) + 48u)
#define RP_RINGS_256(what)                                                                         \
    RP_RINGS_64(what, 0u), RP_RINGS_64(what, 64u), RP_RINGS_64(what, 128u), RP_RINGS_64(what, 192u)

RP_JUMP_INLINE unsigned rp_ring_turn(unsigned ring, unsigned direction)
{
    return ((ring | ring << 8) >> direction) & 0xffu;
}

/// Moves after an arrival in this direction.
RP_JUMP_INLINE unsigned rp_ring_moves(unsigned ring, unsigned direction)
{
    static const uint8_t moves[2][256] = {{RP_RINGS_256(RP_AFTER_STRAIGHT)},
                                          {RP_RINGS_256(RP_AFTER_DIAGONAL)}};
    const unsigned turned = moves[direction & 1u][rp_ring_turn(ring, direction)];
    return rp_ring_turn(turned, (8u - direction) & 7u);
}

/// All legal moves: a diagonal needs both cells beside it.
RP_JUMP_INLINE unsigned rp_ring_all(unsigned ring)
{
    const unsigned straight = ring & 0x55u;
    return straight | (ring & 0xaau & straight << 1 & (straight >> 1 | straight << 7));
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

static inline bool rp_jump_is_live(const void *owner, uint32_t place, rp_cost_t f)
{
    const rp_jump_t *self = owner;
    const rp_jump_node_t *node = &self->nodes[rp_jump_cell(self, place)];
    return node->waiting != 0 &&
           node->g + rp_jump_bound(self, rp_jump_column(place), rp_jump_row(place)) - self->base ==
               f;
}

/// A cell is reached at this cost, in this direction.
RP_JUMP_INLINE void rp_jump_reach(rp_jump_t *self, uint32_t column, uint32_t row, rp_cost_t g,
                                  unsigned direction, uint32_t parent, rp_plan_stats_t *stats)
{
    rp_jump_node_t *node = &self->nodes[row * self->stride + column];
    const uint8_t arrival = (uint8_t)(1u << direction);
    if (node->search == self->search && node->g <= g) {
        if (node->g < g || ((node->waiting | node->expanded) & arrival) != 0) {
            return;
        }
        const bool is_open = node->waiting != 0;
        node->waiting |= arrival;
        if (is_open) {
            return;
        }
    } else {
        node->g = g;
        node->search = self->search;
        node->parent = parent;
        node->waiting = arrival;
        node->expanded = 0;
    }
    stats->generated++;
    rp_ladder_push(&self->open, g + rp_jump_bound(self, column, row) - self->base,
                   rp_jump_place(column, row), rp_jump_is_live, self);
}

// ---- jumps

RP_JUMP_INLINE bool rp_jump_bit(const rp_strips_t *strips, const uint64_t *words, uint32_t line,
                                uint32_t position)
{
    return ((words[rp_strips_place(strips, line, position)] >> (position & 63u)) & 1u) != 0;
}

/// Jump straight on: to the target if it lies on the way, else to where the jump ends, if that is
/// free ground.
RP_JUMP_INLINE void rp_jump_run(rp_jump_t *self, uint32_t column, uint32_t row, rp_cost_t g,
                                unsigned direction, uint32_t parent, rp_plan_stats_t *stats)
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
    rp_jump_reach(self, is_row ? end : column, is_row ? row : end, g + RP_STRAIGHT * length,
                  direction, parent, stats);
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
            rp_jump_reach(self, column, row, g, direction, parent, stats);
            return;
        }
        if (has_row) {
            rp_jump_run(self, column, row, g, right ? 0u : 4u, parent, stats);
        }
        if (has_column) {
            rp_jump_run(self, column, row, g, down ? 2u : 6u, parent, stats);
        }
    }
}

// ---- search

/// Moves that are worth it and were not made yet.
RP_JUMP_INLINE unsigned rp_jump_moves(const rp_jump_t *self, uint32_t place,
                                      const rp_jump_node_t *node)
{
    const unsigned ring = rp_jump_ring(self, rp_jump_column(place), rp_jump_row(place));
    if (__builtin_expect(place == self->root, 0)) {
        return rp_ring_all(ring);
    }
    unsigned moves = 0;
    for (unsigned bits = node->waiting; bits != 0; bits &= bits - 1u) {
        moves |= rp_ring_moves(ring, (unsigned)__builtin_ctz(bits));
    }
    for (unsigned bits = node->expanded; bits != 0; bits &= bits - 1u) {
        moves &= ~rp_ring_moves(ring, (unsigned)__builtin_ctz(bits));
    }
    return moves;
}

RP_JUMP_INLINE void rp_jump_expand(rp_jump_t *self, bool is_eager, uint32_t place,
                                   rp_jump_node_t *node, rp_plan_stats_t *stats)
{
    const uint32_t column = rp_jump_column(place);
    const uint32_t row = rp_jump_row(place);
    const rp_cost_t g = node->g;
    const unsigned moves = rp_jump_moves(self, place, node);
    node->expanded |= node->waiting;
    node->waiting = 0;
    if ((moves & 0x01u) != 0) {
        rp_jump_run(self, column, row, g, 0, place, stats);
    }
    if ((moves & 0x04u) != 0) {
        rp_jump_run(self, column, row, g, 2, place, stats);
    }
    if ((moves & 0x10u) != 0) {
        rp_jump_run(self, column, row, g, 4, place, stats);
    }
    if ((moves & 0x40u) != 0) {
        rp_jump_run(self, column, row, g, 6, place, stats);
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
        rp_jump_node_t *node = &self->nodes[rp_jump_cell(self, place)];
        if (node->waiting == 0) {
            continue; // an older entry of a cell that was reached more cheaply since
        }
        stats->expanded++;
        --*budget;
        if (__builtin_expect(place == self->target, 0)) {
            self->is_found = true;
            return RP_OK;
        }
        rp_jump_expand(self, is_eager, place, node, stats);
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

/// Begin a search between two free places. The map must be settled. Time: O(1), but for one search
/// in 2^32.
static inline void rp_jump_begin(rp_jump_t *self, uint32_t root, uint32_t target)
{
    if (++self->search == 0) {
        memset(self->nodes, 0, (size_t)self->cell_count * sizeof *self->nodes);
        self->search = 1;
    }
    self->root = root;
    self->target = target;
    self->target_column = rp_jump_column(target);
    self->target_row = rp_jump_row(target);
    self->base = rp_jump_distance(root, target);
    self->is_eager = !self->map.is_cluttered;
    self->is_found = false;
    self->nodes[rp_jump_cell(self, root)] =
        (rp_jump_node_t){.search = self->search, .parent = root, .waiting = 1};
    rp_ladder_clear(&self->open);
    rp_ladder_push(&self->open, 0, root, rp_jump_is_live, self);
}

// ---- path

/// Write the cells from the target to the root of a search that found it.
/// @param cells  [width * height]
/// @return their number
static inline uint32_t rp_jump_path(const rp_jump_t *self, rp_cell_t *cells)
{
    uint32_t place = self->target;
    rp_cell_t cell = rp_jump_cell(self, place);
    uint32_t count = 0;
    cells[count++] = cell;
    while (place != self->root) {
        const uint32_t parent = self->nodes[cell].parent;
        const int32_t dx = (int32_t)rp_jump_column(parent) - (int32_t)rp_jump_column(place);
        const int32_t dy = (int32_t)rp_jump_row(parent) - (int32_t)rp_jump_row(place);
        const uint32_t across = (uint32_t)(dx < 0 ? -dx : dx);
        const uint32_t down = (uint32_t)(dy < 0 ? -dy : dy);
        const rp_cell_t step_x = dx < 0 ? UINT32_MAX : (rp_cell_t)(dx > 0);
        const rp_cell_t step_y = dy < 0 ? 0u - self->stride : dy > 0 ? self->stride : 0u;
        const rp_cell_t step = across > down ? step_x : step_y;
        const uint32_t diagonals = across < down ? across : down;
        for (uint32_t i = across + down - 2u * diagonals; i != 0; i--) {
            cell += step;
            cells[count++] = cell;
        }
        for (uint32_t i = diagonals; i != 0; i--) {
            cell += step_x + step_y;
            cells[count++] = cell;
        }
        place = parent;
    }
    return count;
}

// ---- birth and death

static inline void rp_jump_fini(rp_jump_t *self)
{
    rp_jump_map_fini(&self->map);
    rp_memory_free(self->nodes, self->cell_count, sizeof *self->nodes);
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
        .has_fast_bits = rp_jump_has_fast_bits(),
    };
    self->nodes = rp_memory_new(self->cell_count, sizeof *self->nodes);
    rp_status_t status = self->nodes != NULL ? RP_OK : RP_E_MEMORY;
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
    return (uint64_t)self->cell_count * sizeof *self->nodes + rp_jump_map_bytes(&self->map) +
           rp_ladder_bytes(&self->open);
}

#endif
