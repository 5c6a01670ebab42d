/// @file
/// The loop of jump point search: a diagonal walk puts the ends of all straight jumps off it into
/// OPEN, and never its own cells. It has few nodes, and is right on structured maps.
///
/// On open ground a walk runs far, and one that leads away from the target does so in vain. So a
/// walk is put off where its detour is more than twice that of the cell where it began, by a few
/// cells: that place goes into OPEN like the end of a jump. Most searches end before its turn
/// comes.
///
/// Nodes are stored in the order in which their cells were met, so that a search touches little
/// memory. The node of a cell is found by a small hash table, and once that is full by an array by
/// cell. Both name a node by a number that no node of an earlier search had, so neither is cleared.
/// After a search that filled the table the next one begins with the array.
#ifndef REPLAN_PLANNERS_JUMP_JUMP_LOOP_H
#define REPLAN_PLANNERS_JUMP_JUMP_LOOP_H

#include <string.h>

#include "planners/jump/jump_state.h"
#include "replan/trace.h"

/// The table by hash, at its largest and at its smallest: one that is no larger than it must be
/// stays in the first cache. Half of its slots are used.
#define RP_JUMP_SLOT_BITS       14u
#define RP_JUMP_SLOT_BITS_LEAST 9u
#define RP_JUMP_SLOT_COUNT      (1u << RP_JUMP_SLOT_BITS)
#define RP_JUMP_SLOTS_FULL      (RP_JUMP_SLOT_COUNT / 2u)

/// Greatest name of a first node: those of all nodes of a search are below 2^32.
#define RP_JUMP_NAMES_MOST (UINT32_MAX / 2u)

/// The detour of a walk at which it may be put off, that of its beginning apart.
#define RP_JUMP_LOOP_DETOUR (4u * RP_STRAIGHT)

struct rp_jump_node {
    rp_cost_t g;
    uint32_t place;
    uint32_t parent;  ///< node; a diagonal walk from there, then a straight jump, either maybe none
    uint8_t waiting;  ///< directions in which it was reached at this g and is yet to be expanded
    uint8_t expanded; ///< and those for which it was
};

// ---- nodes

/// Where in the table a place is sought first.
RP_JUMP_INLINE uint32_t rp_jump_slot_of(const rp_jump_t *self, uint32_t place)
{
    return (place * UINT32_C(0x9e3779b1)) >> (32u - self->slot_bits);
}

RP_JUMP_INLINE uint32_t rp_jump_slot_after(const rp_jump_t *self, uint32_t slot)
{
    return (slot + 1u) & ((1u << self->slot_bits) - 1u);
}

/// A node more, of no g yet; whoever lowers it writes the rest. @return its number
static inline uint32_t rp_jump_loop_add(rp_jump_t *self, uint32_t place)
{
    const uint32_t number = self->node_count++;
    self->nodes[number].g = RP_COST_INF;
    self->nodes[number].place = place;
    return number;
}

/// Where in the table a place stands, or is to stand.
RP_JUMP_INLINE rp_jump_slot_t *rp_jump_loop_slot(const rp_jump_t *self, uint32_t place)
{
    uint32_t slot = rp_jump_slot_of(self, place);
    while (self->slots[slot].name - self->names < self->node_count &&
           self->slots[slot].place != place) {
        slot = rp_jump_slot_after(self, slot);
    }
    return &self->slots[slot];
}

/// The table becomes four times as large.
static inline void rp_jump_loop_grow(rp_jump_t *self)
{
    const uint32_t count = self->node_count;
    self->slot_bits += self->slot_bits + 1u < RP_JUMP_SLOT_BITS ? 2u : 1u;
    self->names += count;
    for (self->node_count = 0; self->node_count < count; self->node_count++) {
        const uint32_t place = self->nodes[self->node_count].place;
        *rp_jump_loop_slot(self, place) = (rp_jump_slot_t){place, self->names + self->node_count};
    }
}

/// From now on nodes are sought by cell.
static inline void rp_jump_loop_spread(rp_jump_t *self)
{
    self->is_by_cell = true;
    self->names_met = self->name_count;
    for (uint32_t number = 0; number < self->node_count; number++) {
        self->by_cell[rp_jump_spot(self, self->nodes[number].place)] = self->names + number;
    }
}

/// No slot is to be had any more.
static __attribute__((noinline, unused)) void rp_jump_loop_make_room(rp_jump_t *self)
{
    if (self->slot_bits < RP_JUMP_SLOT_BITS) {
        rp_jump_loop_grow(self);
    } else {
        rp_jump_loop_spread(self);
    }
}

RP_JUMP_INLINE uint32_t rp_jump_loop_node(rp_jump_t *self, uint32_t place)
{
    if (__builtin_expect(!self->is_by_cell && self->node_count >= 1u << self->slot_bits >> 1, 0)) {
        rp_jump_loop_make_room(self);
    }
    uint32_t *name;
    if (__builtin_expect(!self->is_by_cell, 1)) {
        rp_jump_slot_t *slot = rp_jump_loop_slot(self, place);
        slot->place = place;
        name = &slot->name;
    } else {
        name = &self->by_cell[rp_jump_spot(self, place)];
    }
    if (*name - self->names >= self->node_count) {
        *name = self->names + self->node_count;
        return rp_jump_loop_add(self, place);
    }
    return *name - self->names;
}

/// OPEN holds the numbers of nodes.
static inline bool rp_jump_loop_is_live(const void *owner, const rp_bucket_entry_t *entry)
{
    const rp_jump_t *self = owner;
    const rp_jump_node_t *node = &self->nodes[entry->cell];
    return node->waiting != 0 &&
           node->g + rp_jump_bound_at(self, node->place) - self->base == entry->key;
}

/// A node is reached at this cost, in this direction. All directions of equal cost count: the moves
/// worth it after one are not those after another.
/// @return true when it goes into OPEN
RP_JUMP_INLINE bool rp_jump_loop_arrive(rp_jump_t *self, uint32_t number, rp_cost_t cost,
                                        unsigned direction)
{
    rp_jump_node_t *node = &self->nodes[number];
    const uint8_t arrival = (uint8_t)(1u << direction);
    if (cost < node->g) {
        node->g = cost;
        node->parent = self->parent;
        node->waiting = arrival;
        node->expanded = 0;
    } else if (cost > node->g || ((node->waiting | node->expanded) & arrival) != 0) {
        return false;
    } else {
        const bool is_open = node->waiting != 0;
        node->waiting |= arrival;
        if (is_open) {
            return false;
        }
    }
    self->generated++;
    return true;
}

/// A cell is reached. Called from twelve places, and as long as each of them: inlined, it made
/// searches slower.
static RP_CALLED_CLEAN void rp_jump_loop_reach(rp_jump_t *self, uint32_t place, rp_cost_t g,
                                               unsigned direction)
{
    const uint32_t number = rp_jump_loop_node(self, place);
    if (rp_jump_loop_arrive(self, number, g, direction)) {
        rp_jump_open(self, g + rp_jump_bound_at(self, place) - self->base, number, 0,
                     rp_jump_loop_is_live);
    }
}

// ---- jumps

/// Jump straight on.
/// @param leads  that ends on free ground; else the target may lie on the way
RP_JUMP_INLINE void rp_jump_loop_run(rp_jump_t *self, uint32_t column, uint32_t row, rp_cost_t g,
                                     unsigned direction, bool leads)
{
    const uint32_t end = rp_jump_end(self, column, row, direction, leads);
    if (end == RP_JUMP_NOWHERE) {
        return;
    }
    const bool is_row = (direction & 2u) == 0;
    const uint32_t from = is_row ? column : row;
    const uint32_t length = direction < 4u ? end - from : from - end;
    rp_jump_loop_reach(self, is_row ? rp_jump_place(end, row) : rp_jump_place(column, end),
                       g + RP_STRAIGHT * length, direction);
}

/// So many diagonal steps stay in the words of the first one, on both axes.
RP_JUMP_INLINE uint32_t rp_jump_loop_stretch(uint32_t column, uint32_t row, bool right, bool down)
{
    // Rightwards the first square may be the last of the word before.
    const uint32_t rightwards = (column & 63u) == 63u ? 1u : 63u - (column & 63u);
    const uint32_t across = right ? rightwards : ((column - 1u) & 63u) + 1u;
    const uint32_t along = down ? 64u - ((row + 1u) & 63u) : ((row - 1u) & 63u) + 1u;
    return across < along ? across : along;
}

/// A place on a diagonal walk from which a straight jump leads somewhere or may meet the target.
/// @return false at the target: the walk ends there
RP_JUMP_INLINE bool rp_jump_loop_turn_off(rp_jump_t *self, uint32_t column, uint32_t row,
                                          rp_cost_t g, unsigned direction, bool row_leads,
                                          bool column_leads)
{
    const bool on_row = row == self->target_row;
    const bool on_column = column == self->target_column;
    if (__builtin_expect(on_row & on_column, 0)) {
        rp_jump_loop_reach(self, self->target, g, direction);
        return false;
    }
    if (row_leads | on_row) {
        const unsigned along_row = direction == 1u || direction == 7u ? 0u : 4u;
        rp_jump_loop_run(self, column, row, g, along_row, row_leads);
    }
    if (column_leads | on_column) {
        const unsigned along_column = direction == 1u || direction == 3u ? 2u : 6u;
        rp_jump_loop_run(self, column, row, g, along_column, column_leads);
    }
    return true;
}

/// Steps of a diagonal walk that are looked at together, and words that a wide register holds.
#define RP_JUMP_LOOP_STRIDE 8u
#define RP_JUMP_LOOP_FOUR   4u

typedef uint64_t rp_jump_loop_four_t
    __attribute__((vector_size(RP_JUMP_LOOP_FOUR * sizeof(uint64_t))));

/// What a diagonal walk reads next: words of lines that it steps through, one after the other.
typedef struct rp_jump_loop_lines {
    const uint64_t *square;
    const uint64_t *on_row;
    const uint64_t *on_column;
} rp_jump_loop_lines_t;

/// What the next steps of a walk come to: bit i of each is step i.
typedef struct rp_jump_loop_ahead {
    uint32_t barred;    ///< it is illegal
    uint32_t row_leads; ///< where it arrives, a jump along the row leads somewhere
    uint32_t column_leads;
} rp_jump_loop_ahead_t;

/// Add the bits that a walk meets in words of lines, one of each line: every step goes to the next
/// line and to the next bit.
/// @param words     of the first line [1 on either side of RP_JUMP_LOOP_STRIDE - 1 more]
/// @param bit       of the first step
/// @param goes_on   lines follow each other in memory, else they precede each other
/// @param goes_up   bits go up, else down
/// @param flipped   what to turn over before
/// @param place     bit of the sum that stands for the first step
RP_JUMP_INLINE void rp_jump_loop_gather(rp_jump_loop_four_t *sum, const uint64_t *words,
                                        uint32_t bit, bool goes_on, bool goes_up, uint64_t flipped,
                                        uint32_t place)
{
    const uint64_t *lines = goes_on ? words : words - (RP_JUMP_LOOP_STRIDE - 1u);
    for (uint64_t i = 0; i < RP_JUMP_LOOP_STRIDE; i += RP_JUMP_LOOP_FOUR) {
        const rp_jump_loop_four_t step =
            goes_on ? (rp_jump_loop_four_t){i, i + 1u, i + 2u, i + 3u}
                    : (rp_jump_loop_four_t){7u - i, 6u - i, 5u - i, 4u - i};
        rp_jump_loop_four_t four;
        memcpy(&four, lines + i, sizeof four);
        four ^= flipped;
        four = goes_up ? four >> bit << place : four << (63u - bit) >> (63u - place - 2u * step);
        *sum |= four & (rp_jump_loop_four_t){1, 1, 1, 1} << (step + place);
    }
}

/// Look at the next steps of a walk at once. Those that leave the words of the first are not asked
/// rightly.
RP_JUMP_INLINE rp_jump_loop_ahead_t rp_jump_loop_look(rp_jump_loop_lines_t at, uint32_t column,
                                                      uint32_t row, bool right, bool down)
{
    const uint32_t square = (right ? column : column - 1u) & 63u;
    const uint32_t to_column = (right ? column + 1u : column - 1u) & 63u;
    const uint32_t to_row = (down ? row + 1u : row - 1u) & 63u;
    rp_jump_loop_four_t sum = {0};
    rp_jump_loop_gather(&sum, at.square, square, down, right, ~(uint64_t)0, 0);
    rp_jump_loop_gather(&sum, at.on_row, to_column, down, right, 0, 8);
    rp_jump_loop_gather(&sum, at.on_column, to_row, right, down, 0, 16);
    sum |= __builtin_shufflevector(sum, sum, 2, 3, 0, 1);
    sum |= __builtin_shufflevector(sum, sum, 1, 0, 3, 2);
    const uint32_t all = (uint32_t)sum[0];
    return (rp_jump_loop_ahead_t){all & 0xffu, all >> 8 & 0xffu, all >> 16};
}

/// Walk diagonally until a step is illegal, or the walk is put off: stretch by stretch, and in each
/// some steps at once.
RP_JUMP_INLINE void rp_jump_loop_walk(rp_jump_t *self, uint32_t column, uint32_t row, rp_cost_t g,
                                      unsigned direction)
{
    const bool right = direction == 1u || direction == 7u;
    const bool down = direction == 1u || direction == 3u;
    const uint32_t across = right ? 1u : UINT32_MAX;
    const uint32_t along = down ? 1u : UINT32_MAX;
    const rp_strips_t *rows = &self->map.rows;
    const rp_strips_t *columns = &self->map.columns;
    for (bool is_first = true;; is_first = false) {
        if (!is_first && g + rp_jump_bound(self, column, row) > self->limit) {
            rp_jump_loop_reach(self, rp_jump_place(column, row), g, direction);
            return;
        }
        rp_jump_loop_lines_t at = {
            .square = self->map.squares +
                      rp_strips_place(rows, down ? row : row - 1u, right ? column : column - 1u),
            .on_row = rows->leads[right ? RP_ONWARD : RP_BACKWARD] +
                      rp_strips_place(rows, row + along, column + across),
            .on_column = columns->leads[down ? RP_ONWARD : RP_BACKWARD] +
                         rp_strips_place(columns, column + across, row + along),
        };
        const uint32_t to_row = (self->target_row - row) * along;
        const uint32_t to_column = (self->target_column - column) * across;
        uint64_t meets = (to_row - 1u < 64u ? (uint64_t)1 << (to_row - 1u) : 0) |
                         (to_column - 1u < 64u ? (uint64_t)1 << (to_column - 1u) : 0);
        uint32_t left = rp_jump_loop_stretch(column, row, right, down);
        while (left != 0) {
            const uint32_t stride = left < RP_JUMP_LOOP_STRIDE ? left : RP_JUMP_LOOP_STRIDE;
            const rp_jump_loop_ahead_t ahead = rp_jump_loop_look(at, column, row, right, down);
            const uint32_t steps = (uint32_t)__builtin_ctz(ahead.barred | 1u << stride);
            uint32_t turns =
                (ahead.row_leads | ahead.column_leads | (uint32_t)meets) & ((1u << steps) - 1u);
            for (; turns != 0; turns &= turns - 1u) {
                const uint32_t step = (uint32_t)__builtin_ctz(turns);
                const uint32_t length = step + 1u;
                if (!rp_jump_loop_turn_off(self, column + length * across, row + length * along,
                                           g + length * RP_DIAGONAL, direction,
                                           (ahead.row_leads >> step & 1u) != 0,
                                           (ahead.column_leads >> step & 1u) != 0)) {
                    return;
                }
            }
            if (steps < stride) {
                return;
            }
            column += stride * across;
            row += stride * along;
            g += stride * RP_DIAGONAL;
            at.square += down ? (int)stride : -(int)stride;
            at.on_row += down ? (int)stride : -(int)stride;
            at.on_column += right ? (int)stride : -(int)stride;
            meets >>= stride;
            left -= stride;
        }
    }
}

// ---- search

/// Moves that are worth it and were not made yet.
RP_JUMP_INLINE unsigned rp_jump_loop_moves(const rp_jump_t *self, const rp_jump_node_t *node)
{
    const unsigned ring =
        rp_jump_pruning(self, rp_jump_column(node->place), rp_jump_row(node->place));
    if (__builtin_expect(node->place == self->root, 0)) {
        return rp_jump_pruning_all(ring);
    }
    unsigned moves = 0;
    for (unsigned bits = node->waiting; bits != 0; bits &= bits - 1u) {
        moves |= rp_jump_pruning_moves(ring, (unsigned)__builtin_ctz(bits));
    }
    for (unsigned bits = node->expanded; bits != 0; bits &= bits - 1u) {
        moves &= ~rp_jump_pruning_moves(ring, (unsigned)__builtin_ctz(bits));
    }
    return moves;
}

/// Make these moves. In each direction stands a copy of the code.
RP_JUMP_INLINE void rp_jump_loop_expand(rp_jump_t *self, uint32_t number, unsigned moves)
{
    const uint32_t column = rp_jump_column(self->nodes[number].place);
    const uint32_t row = rp_jump_row(self->nodes[number].place);
    const rp_cost_t g = self->nodes[number].g;
    const rp_cost_t detour = g + rp_jump_bound(self, column, row) - self->base;
    self->limit = self->base + 2u * detour + RP_JUMP_LOOP_DETOUR;
    const unsigned leads = rp_jump_leads(self, column, row);
    const unsigned runs = moves & (leads | rp_jump_target_lines(self, column, row));
    if ((runs & 0x01u) != 0) {
        rp_jump_loop_run(self, column, row, g, 0, (leads & 0x01u) != 0);
    }
    if ((runs & 0x04u) != 0) {
        rp_jump_loop_run(self, column, row, g, 2, (leads & 0x04u) != 0);
    }
    if ((runs & 0x10u) != 0) {
        rp_jump_loop_run(self, column, row, g, 4, (leads & 0x10u) != 0);
    }
    if ((runs & 0x40u) != 0) {
        rp_jump_loop_run(self, column, row, g, 6, (leads & 0x40u) != 0);
    }
    if ((moves & 0x02u) != 0) {
        rp_jump_loop_walk(self, column, row, g, 1);
    }
    if ((moves & 0x08u) != 0) {
        rp_jump_loop_walk(self, column, row, g, 3);
    }
    if ((moves & 0x20u) != 0) {
        rp_jump_loop_walk(self, column, row, g, 5);
    }
    if ((moves & 0x80u) != 0) {
        rp_jump_loop_walk(self, column, row, g, 7);
    }
}

RP_JUMP_INLINE rp_status_t rp_jump_loop_search_with(rp_jump_t *self, uint64_t *budget)
{
    while (*budget != 0) {
        const rp_bucket_entry_t *entry = rp_bucket_levels_pop(&self->open);
        if (__builtin_expect(entry == NULL, 0)) {
            return RP_OK;
        }
        const uint32_t number = entry->cell;
        rp_jump_node_t *node = &self->nodes[number];
        if (node->waiting == 0) {
            continue; // an older entry of a cell that was reached more cheaply since
        }
        const unsigned moves = rp_jump_loop_moves(self, node);
        node->expanded |= node->waiting;
        node->waiting = 0;
        --*budget;
        RP_TRACE(rp_jump_cell(self, node->place), EXPANDED);
        if (__builtin_expect(self->is_by_cell, 0)) {
            rp_prefault_note(&self->prefault, rp_jump_spot(self, node->place), budget);
        }
        if (__builtin_expect(node->place == self->target, 0)) {
            self->found = number;
            self->is_found = true;
            return RP_OK;
        }
        self->parent = number;
        rp_jump_loop_expand(self, number, moves);
    }
    return RP_MORE;
}

static inline rp_status_t rp_jump_loop_search_plain(rp_jump_t *self, uint64_t *budget)
{
    return rp_jump_loop_search_with(self, budget);
}

/// The same, for processors that count zeros in one step. Old ones need a table of microcode.
RP_FOR_AVX2 static inline rp_status_t rp_jump_loop_search_fast(rp_jump_t *self, uint64_t *budget)
{
    return rp_jump_loop_search_with(self, budget);
}

static inline rp_status_t rp_jump_loop_search(rp_jump_t *self, uint64_t *budget)
{
    if (self->simd >= RP_SIMD_AVX2) {
        return rp_jump_loop_search_fast(self, budget);
    }
    return rp_jump_loop_search_plain(self, budget);
}

/// Give the nodes of a new search names of their own.
static inline void rp_jump_loop_rename(rp_jump_t *self)
{
    self->names += self->node_count;
    if (self->names > RP_JUMP_NAMES_MOST) {
        memset(self->slots, 0, self->slots != NULL ? RP_JUMP_SLOT_COUNT * sizeof *self->slots : 0);
        memset(self->by_cell, 0, self->name_count * sizeof *self->by_cell);
        self->names = 1u;
    }
}

/// Begin with the root alone, in whichever order OPEN is.
/// @param note  of its entry
/// Time: O(1), but for clearing all names once in 2^31 nodes.
static inline void rp_jump_loop_begin_with(rp_jump_t *self, uint32_t note,
                                           rp_bucket_is_live_t *is_live)
{
    self->is_by_cell = false;
    // A table that was much too large for the last search is smaller in this one.
    while (self->slot_bits > RP_JUMP_SLOT_BITS_LEAST &&
           self->node_count < 1u << self->slot_bits >> 4) {
        self->slot_bits--;
    }
    self->most_nodes = self->node_count > self->most_nodes ? self->node_count : self->most_nodes;
    const bool is_large = self->node_count >= RP_JUMP_SLOTS_FULL;
    rp_jump_loop_rename(self);
    self->node_count = 0;
    if (self->slots == NULL || is_large) {
        rp_jump_loop_spread(self);
    }
    rp_jump_node_t *root = &self->nodes[rp_jump_loop_node(self, self->root)];
    root->g = 0;
    root->parent = 0;
    root->waiting = 0xff; // all moves are worth it
    root->expanded = 0;
    rp_jump_open(self, 0, 0, note, is_live);
}

static inline void rp_jump_loop_begin(rp_jump_t *self)
{
    rp_jump_loop_begin_with(self, 0, rp_jump_loop_is_live);
}

#endif
