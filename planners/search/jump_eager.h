/// @file
/// The eager form of jump point search: a diagonal walk puts in the ends of all straight jumps off
/// it and is never put in itself. Few cells; right on structured maps.
///
/// Nodes stand in the order in which their cells were met, so that a search touches little memory.
/// Which node a cell has says a small table by hash, and when that is full one by cell. An entry of
/// either is right when the node that it names says so itself: nothing is ever cleared.
#ifndef REPLAN_SEARCH_JUMP_EAGER_H
#define REPLAN_SEARCH_JUMP_EAGER_H

#include "planners/search/jump_state.h"

/// The table by hash, and how many nodes it serves.
#define RP_SLOT_BITS  14u
#define RP_SLOT_COUNT (1u << RP_SLOT_BITS)
#define RP_SLOTS_FULL (RP_SLOT_COUNT / 2u)

struct rp_jump_node {
    rp_cost_t g;
    uint32_t place;
    uint32_t parent;  ///< node; a diagonal walk from there, then a straight jump, either maybe none
    uint16_t slot;    ///< that names this node
    uint8_t waiting;  ///< directions in which it was reached at this g and is yet to be expanded
    uint8_t expanded; ///< and those for which it was
};

// ---- nodes

/// Where in the table a place is sought first.
static inline uint32_t rp_slot_of(uint32_t place)
{
    return (place * UINT32_C(0x9e3779b1)) >> (32u - RP_SLOT_BITS);
}

/// A node more, of no g yet. @return its number
static inline uint32_t rp_eager_add(rp_jump_t *self, uint32_t place, uint32_t slot)
{
    const uint32_t number = self->node_count++;
    self->nodes[number] =
        (rp_jump_node_t){.g = RP_COST_INF, .place = place, .slot = (uint16_t)slot};
    return number;
}

/// The node of a place that may be new, by hash.
RP_JUMP_INLINE uint32_t rp_eager_seek(rp_jump_t *self, uint32_t place)
{
    for (uint32_t slot = rp_slot_of(place);; slot = (slot + 1u) & (RP_SLOT_COUNT - 1u)) {
        const uint32_t number = self->slots[slot];
        if (number >= self->node_count || self->nodes[number].slot != slot) {
            self->slots[slot] = (uint16_t)self->node_count;
            return rp_eager_add(self, place, slot);
        }
        if (self->nodes[number].place == place) {
            return number;
        }
    }
}

/// From now on nodes are sought by cell. What lazy searches left there is void, and they will see
/// to what this one leaves.
static __attribute__((noinline, unused)) void rp_eager_spread(rp_jump_t *self)
{
    self->is_by_cell = true;
    self->has_been_by_cell = true;
    self->ceiling = RP_CREDIT_MAX;
    for (uint32_t number = 0; number < self->node_count; number++) {
        self->by_cell[rp_jump_cell(self, self->nodes[number].place)] = number;
    }
}

RP_JUMP_INLINE uint32_t rp_eager_node(rp_jump_t *self, uint32_t place)
{
    if (__builtin_expect(!self->is_by_cell, 1)) {
        if (__builtin_expect(self->node_count < RP_SLOTS_FULL, 1)) {
            return rp_eager_seek(self, place);
        }
        rp_eager_spread(self);
    }
    uint32_t *number = &self->by_cell[rp_jump_cell(self, place)];
    if (*number >= self->node_count || self->nodes[*number].place != place) {
        *number = rp_eager_add(self, place, 0);
    }
    return *number;
}

/// OPEN holds the numbers of nodes.
static inline bool rp_eager_is_live(const void *owner, const rp_ladder_entry_t *entry)
{
    const rp_jump_t *self = owner;
    const rp_jump_node_t *node = &self->nodes[entry->cell];
    return node->waiting != 0 &&
           node->g + rp_jump_distance(node->place, self->target) - self->base == entry->f;
}

/// A cell is reached at this cost, in this direction. Called from twelve places, and as long as
/// each of them: inlined, it made searches slower. All directions of equal g count: dropping one
/// would lose paths.
static __attribute__((noinline)) void rp_eager_reach(rp_jump_t *self, uint32_t column, uint32_t row,
                                                     rp_cost_t g, unsigned direction,
                                                     uint32_t parent, rp_plan_stats_t *stats)
{
    const uint32_t number = rp_eager_node(self, rp_jump_place(column, row));
    rp_jump_node_t *node = &self->nodes[number];
    const uint8_t arrival = (uint8_t)(1u << direction);
    if (g < node->g) {
        node->g = g;
        node->parent = parent;
        node->waiting = arrival;
        node->expanded = 0;
    } else if (g > node->g || ((node->waiting | node->expanded) & arrival) != 0) {
        return;
    } else {
        const bool is_open = node->waiting != 0;
        node->waiting |= arrival;
        if (is_open) {
            return;
        }
    }
    stats->generated++;
    // No cell waits twice, so there is room.
    (void)rp_ladder_push(&self->open, g + rp_jump_bound(self, column, row) - self->base, number, 0,
                         rp_eager_is_live, self);
}

// ---- jumps

/// Jump straight on.
/// @param leads  that ends on free ground; else the target may lie on the way
RP_JUMP_INLINE void rp_eager_run(rp_jump_t *self, uint32_t column, uint32_t row, rp_cost_t g,
                                 unsigned direction, bool leads, uint32_t parent,
                                 rp_plan_stats_t *stats)
{
    const uint32_t end = rp_jump_end(self, column, row, direction, leads);
    if (end == RP_JUMP_NOWHERE) {
        return;
    }
    const bool is_row = (direction & 2u) == 0;
    const uint32_t from = is_row ? column : row;
    const uint32_t length = direction < 4u ? end - from : from - end;
    rp_eager_reach(self, is_row ? end : column, is_row ? row : end, g + RP_STRAIGHT * length,
                   direction, parent, stats);
}

/// Walk diagonally until a step is illegal.
RP_JUMP_INLINE void rp_eager_walk(rp_jump_t *self, uint32_t column, uint32_t row, rp_cost_t g,
                                  unsigned direction, uint32_t parent, rp_plan_stats_t *stats)
{
    const bool right = direction == 1u || direction == 7u;
    const bool down = direction == 1u || direction == 3u;
    const rp_strips_t *rows = &self->map.rows;
    const rp_strips_t *columns = &self->map.columns;
    const uint64_t *on_row = rows->leads[right ? RP_ONWARD : RP_BACKWARD];
    const uint64_t *on_column = columns->leads[down ? RP_ONWARD : RP_BACKWARD];
    const uint32_t target_column = self->target_column;
    const uint32_t target_row = self->target_row;
    while (
        rp_jump_bit(rows, self->map.squares, down ? row : row - 1u, right ? column : column - 1u)) {
        column = right ? column + 1u : column - 1u;
        row = down ? row + 1u : row - 1u;
        g += RP_DIAGONAL;
        const bool row_leads = rp_jump_bit(rows, on_row, row, column);
        const bool column_leads = rp_jump_bit(columns, on_column, column, row);
        const bool has_row = row_leads | (row == target_row);
        const bool has_column = column_leads | (column == target_column);
        if (__builtin_expect(!(has_row | has_column), 1)) {
            continue;
        }
        if (row == target_row && column == target_column) {
            rp_eager_reach(self, column, row, g, direction, parent, stats);
            return;
        }
        if (has_row) {
            rp_eager_run(self, column, row, g, right ? 0u : 4u, row_leads, parent, stats);
        }
        if (has_column) {
            rp_eager_run(self, column, row, g, down ? 2u : 6u, column_leads, parent, stats);
        }
    }
}

// ---- search

/// Moves that are worth it and were not made yet.
RP_JUMP_INLINE unsigned rp_eager_moves(const rp_jump_t *self, const rp_jump_node_t *node)
{
    const unsigned ring = rp_jump_ring(self, rp_jump_column(node->place), rp_jump_row(node->place));
    if (__builtin_expect(node->place == self->root, 0)) {
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

RP_JUMP_INLINE void rp_eager_expand(rp_jump_t *self, uint32_t number, unsigned moves,
                                    rp_plan_stats_t *stats)
{
    const uint32_t column = rp_jump_column(self->nodes[number].place);
    const uint32_t row = rp_jump_row(self->nodes[number].place);
    const rp_cost_t g = self->nodes[number].g;
    const unsigned leads = rp_jump_leads(self, column, row);
    const unsigned runs = moves & (leads | rp_jump_target_lines(self, column, row));
    if ((runs & 0x01u) != 0) {
        rp_eager_run(self, column, row, g, 0, (leads & 0x01u) != 0, number, stats);
    }
    if ((runs & 0x04u) != 0) {
        rp_eager_run(self, column, row, g, 2, (leads & 0x04u) != 0, number, stats);
    }
    if ((runs & 0x10u) != 0) {
        rp_eager_run(self, column, row, g, 4, (leads & 0x10u) != 0, number, stats);
    }
    if ((runs & 0x40u) != 0) {
        rp_eager_run(self, column, row, g, 6, (leads & 0x40u) != 0, number, stats);
    }
    if ((moves & 0x02u) != 0) {
        rp_eager_walk(self, column, row, g, 1, number, stats);
    }
    if ((moves & 0x08u) != 0) {
        rp_eager_walk(self, column, row, g, 3, number, stats);
    }
    if ((moves & 0x20u) != 0) {
        rp_eager_walk(self, column, row, g, 5, number, stats);
    }
    if ((moves & 0x80u) != 0) {
        rp_eager_walk(self, column, row, g, 7, number, stats);
    }
}

RP_JUMP_INLINE rp_status_t rp_eager_search_with(rp_jump_t *self, uint64_t *budget,
                                                rp_plan_stats_t *stats)
{
    while (*budget != 0) {
        const rp_ladder_entry_t *entry = rp_ladder_pop(&self->open);
        if (__builtin_expect(entry == NULL, 0)) {
            return RP_OK;
        }
        const uint32_t number = entry->cell;
        rp_jump_node_t *node = &self->nodes[number];
        if (node->waiting == 0) {
            continue; // an older entry of a cell that was reached more cheaply since
        }
        const unsigned moves = rp_eager_moves(self, node);
        node->expanded |= node->waiting;
        node->waiting = 0;
        stats->expanded++;
        --*budget;
        if (__builtin_expect(node->place == self->target, 0)) {
            self->found = number;
            self->is_found = true;
            return RP_OK;
        }
        rp_eager_expand(self, number, moves, stats);
    }
    return RP_MORE;
}

static inline rp_status_t rp_eager_search_plain(rp_jump_t *self, uint64_t *budget,
                                                rp_plan_stats_t *stats)
{
    return rp_eager_search_with(self, budget, stats);
}

#if RP_HAS_X86
/// The same, for processors that count zeros in one step. Old ones need a table of microcode.
RP_FOR_AVX2 static inline rp_status_t rp_eager_search_fast(rp_jump_t *self, uint64_t *budget,
                                                           rp_plan_stats_t *stats)
{
    return rp_eager_search_with(self, budget, stats);
}
#endif

static inline rp_status_t rp_eager_search(rp_jump_t *self, uint64_t *budget, rp_plan_stats_t *stats)
{
#if RP_HAS_X86
    if (self->simd >= RP_SIMD_AVX2) {
        return rp_eager_search_fast(self, budget, stats);
    }
#endif
    return rp_eager_search_plain(self, budget, stats);
}

/// Time: O(1).
static inline void rp_eager_begin(rp_jump_t *self)
{
    self->is_by_cell = false;
    self->most_nodes = self->node_count > self->most_nodes ? self->node_count : self->most_nodes;
    self->node_count = 0;
    if (self->slots == NULL) {
        rp_eager_spread(self);
    }
    rp_jump_node_t *root = &self->nodes[rp_eager_node(self, self->root)];
    root->g = 0;
    root->waiting = 1;
    (void)rp_ladder_push(&self->open, 0, 0, 0, rp_eager_is_live, self);
}

#endif
