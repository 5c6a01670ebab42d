/// @file
/// A cached path: the path that was found last, with the cost from each of its cells to the root,
/// and which of its steps are broken, that is, no longer legal at the cost that they had. A new
/// path often differs from it by a few cells; only those are written.
///
///     steps:  root  .  tail  .  low | x  x  x | high + 1  .  head  .  apex
///                  intact             broken              intact
///
/// Step i leads from cell i + 1 to cell i. `low` is the first broken step, `high` the last. When
/// the end at the root walks along the cached path, cells are left behind, and it begins farther
/// on.
///
/// The place of a cell on the cached path is found in a hash table. An array by cell would be
/// simpler, but a path of some thousand cells would touch a page of it in each row of a large grid.
#ifndef REPLAN_PLANNERS_FIELD_PATH_CACHE_H
#define REPLAN_PLANNERS_FIELD_PATH_CACHE_H

#include <endian.h>
#include <string.h>

#include "base/arena.h"
#include "planners/grid/batch_summary.h"
#include "planners/grid/events.h"
#include "planners/grid/metric.h"

typedef struct rp_path_cache_step {
    rp_cell_t cell;
    rp_cost_t cost; ///< from here to the root
} rp_path_cache_step_t;

/// `bits` is read in words of so many bytes.
#define RP_PATH_CACHE_WORD 4u

/// No place on a cached path.
#define RP_PATH_CACHE_NONE UINT32_MAX

/// Least size of the hash table, as a power of two. It doubles when more than a quarter of its
/// slots would be used, as long as there is memory for that.
#define RP_PATH_CACHE_SLOT_BITS 8u

typedef struct rp_path_cache_slot {
    rp_cell_t cell; ///< on the cached path; 0, which is no cell: none
    uint32_t place; ///< index of its step
} rp_path_cache_slot_t;

typedef struct rp_path_cache {
    uint8_t *bits; ///< by cell, one bit: on the cached path [capacity / 8 + RP_PATH_CACHE_WORD]
    rp_path_cache_slot_t
        *slots; ///< [1 << rp_path_cache_slot_bits_most()], the first 1 << slot_bits in use
    rp_path_cache_step_t *steps; ///< [capacity]
    const rp_grid_t *grid;
    uint32_t slot_bits;
    uint32_t begin;      ///< place of its first cell
    uint32_t end;        ///< one behind the apex
    uint32_t low;        ///< first broken step, RP_PATH_CACHE_NONE when there is none
    uint32_t high;       ///< last broken step; undefined when there is none
    uint32_t shown;      ///< `begin` when it was written last
    uint32_t fresh;      ///< cells from this place on are not what was written last
    uint32_t peak;       ///< greatest `end` so far
    uint32_t slot_count; ///< 1 << slot_bits
    uint32_t capacity;
} rp_path_cache_t;

// ---- where a cell stands

/// Where in the table a cell is sought first.
static inline uint32_t rp_path_cache_slot_of(const rp_path_cache_t *self, rp_cell_t cell)
{
    return (cell * UINT32_C(0x9e3779b1)) >> (32u - self->slot_bits);
}

static inline uint32_t rp_path_cache_slot_after(const rp_path_cache_t *self, uint32_t slot)
{
    return (slot + 1u) & ((1u << self->slot_bits) - 1u);
}

/// The slot of a cell, or the empty one where it would be.
static inline rp_path_cache_slot_t *rp_path_cache_seek(const rp_path_cache_t *self, rp_cell_t cell)
{
    uint32_t slot = rp_path_cache_slot_of(self, cell);
    while (self->slots[slot].cell != cell && self->slots[slot].cell != 0) {
        slot = rp_path_cache_slot_after(self, slot);
    }
    return &self->slots[slot];
}

/// Index of the step of a cell on the cached path.
static inline uint32_t rp_path_cache_place(const rp_path_cache_t *self, rp_cell_t cell)
{
    return rp_path_cache_seek(self, cell)->place;
}

/// Take a cell out of the table, and move back entries that were displaced by it.
static inline void rp_path_cache_forget(rp_path_cache_t *self, rp_cell_t cell)
{
    const uint32_t mask = (1u << self->slot_bits) - 1u;
    uint32_t hole = (uint32_t)(rp_path_cache_seek(self, cell) - self->slots);
    for (uint32_t slot = rp_path_cache_slot_after(self, hole); self->slots[slot].cell != 0;
         slot = rp_path_cache_slot_after(self, slot)) {
        const uint32_t first = rp_path_cache_slot_of(self, self->slots[slot].cell);
        if (((slot - first) & mask) >= ((slot - hole) & mask)) { // it is sought from the hole on
            self->slots[hole] = self->slots[slot];
            hole = slot;
        }
    }
    self->slots[hole] = (rp_path_cache_slot_t){0, 0};
}

// ---- its steps

static inline bool rp_path_cache_has(const rp_path_cache_t *self, rp_cell_t cell)
{
    return ((self->bits[cell >> 3] >> (cell & 7u)) & 1u) != 0;
}

static inline bool rp_path_cache_is_intact(const rp_path_cache_t *self)
{
    return self->low == RP_PATH_CACHE_NONE;
}

/// Its first cell, and the cost that it counts from there.
static inline rp_path_cache_step_t rp_path_cache_foot(const rp_path_cache_t *self)
{
    return self->steps[self->begin];
}

/// Where the cached path began when it was laid, and what the whole of it cost.
static inline rp_path_cache_step_t rp_path_cache_apex(const rp_path_cache_t *self)
{
    return self->steps[self->end - 1u];
}

/// Number of cells from which the cached path leads to its first cell without a broken step.
static inline uint32_t rp_path_cache_tail(const rp_path_cache_t *self)
{
    return (rp_path_cache_is_intact(self) ? self->end : self->low + 1u) - self->begin;
}

/// The farthest cell from which the cached path leads to its first cell without a broken step.
static inline rp_cell_t rp_path_cache_tail_end(const rp_path_cache_t *self)
{
    return self->steps[self->begin + rp_path_cache_tail(self) - 1u].cell;
}

/// True when the cached path leads from this cell to its first one without a broken step.
static inline bool rp_path_cache_leads_from(const rp_path_cache_t *self, rp_cell_t cell)
{
    return rp_path_cache_has(self, cell) && rp_path_cache_place(self, cell) <= self->low;
}

// ---- changes

static inline void rp_path_cache_break(rp_path_cache_t *self, uint32_t from, uint32_t to)
{
    const bool is_first = rp_path_cache_is_intact(self);
    self->low = is_first || from < self->low ? from : self->low;
    self->high = is_first || to > self->high ? to : self->high;
}

/// A cell of the cached path changed: the steps to it and from it are broken.
static inline void rp_path_cache_break_at(rp_path_cache_t *self, rp_cell_t cell)
{
    const uint32_t place = rp_path_cache_place(self, cell);
    if (self->end == self->begin + 1u) {
        return; // a cached path of one cell has no step
    }
    rp_path_cache_break(self, place != self->begin ? place - 1u : place,
                        place + 1u < self->end ? place : place - 1u);
}

/// True when a diagonal of the cached path may pass beside a cell: one of its ends lies to the left
/// or to the right of the cell, beyond which most cells need not be asked.
static inline bool rp_path_cache_may_pass(const rp_path_cache_t *self, rp_cell_t cell)
{
    return rp_path_cache_has(self, rp_grid_step(self->grid, cell, 0)) ||
           rp_path_cache_has(self, rp_grid_step(self->grid, cell, 4));
}

/// The diagonal that passes beside a cell, from its neighbour in one straight direction to that in
/// the next. @return place of that step; RP_PATH_CACHE_NONE when none does
static inline uint32_t rp_path_cache_passing(const rp_path_cache_t *self, rp_cell_t cell,
                                             unsigned straight)
{
    const rp_cell_t from = rp_grid_step(self->grid, cell, straight);
    const rp_cell_t to = rp_grid_step(self->grid, cell, (straight + 2u) % RP_DIRECTIONS);
    if (!rp_path_cache_has(self, from) || !rp_path_cache_has(self, to)) {
        return RP_PATH_CACHE_NONE;
    }
    const uint32_t a = rp_path_cache_place(self, from);
    const uint32_t b = rp_path_cache_place(self, to);
    return a + 1u == b ? a : b + 1u == a ? b : RP_PATH_CACHE_NONE;
}

/// A cell beside the cached path was blocked: diagonals that pass beside it are closed.
static inline void rp_path_cache_close_diagonals(rp_path_cache_t *self, rp_cell_t cell)
{
    const bool may_pass = rp_path_cache_may_pass(self, cell);
    for (unsigned straight = 0; may_pass && straight < RP_DIRECTIONS; straight += 2u) {
        const uint32_t step = rp_path_cache_passing(self, cell, straight);
        if (step != RP_PATH_CACHE_NONE) {
            rp_path_cache_break(self, step, step);
        }
    }
}

/// True when a diagonal of the cached path passes beside this cell.
static inline bool rp_path_cache_passes_beside(const rp_path_cache_t *self, rp_cell_t cell)
{
    unsigned straight = rp_path_cache_may_pass(self, cell) ? 0u : RP_DIRECTIONS;
    while (straight < RP_DIRECTIONS &&
           rp_path_cache_passing(self, cell, straight) == RP_PATH_CACHE_NONE) {
        straight += 2u;
    }
    return straight < RP_DIRECTIONS;
}

/// True when rp_path_cache_apply() may break it for this change.
static inline bool rp_path_cache_is_hit(const rp_path_cache_t *self, const rp_change_t *change)
{
    return rp_path_cache_has(self, change->cell) ||
           (change->after == 0 && self->grid->shape.neighbors == 8 &&
            rp_path_cache_passes_beside(self, change->cell));
}

/// False when no change at this site can break the cached path; else each must be looked at. This
/// reads one word for each row of the site; with diagonals also the cells around the site.
static inline bool rp_path_cache_may_meet(const rp_path_cache_t *self, const rp_extent_t *extent)
{
    const uint32_t beside = self->grid->shape.neighbors == 8 ? 1u : 0u;
    const uint32_t columns = extent->right - extent->left + 1u + 2u * beside;
    const uint32_t row_bytes = self->grid->stride / 8u; // whole ones: the shift is that of all rows
    const rp_cell_t first = (extent->top - beside) * self->grid->stride + extent->left - beside;
    if (!rp_extent_is_small(extent) || self->grid->shape.wraps) {
        return true; // too large for words, or to be seen across a seam
    }
    const uint8_t *row = self->bits + (first >> 3);
    uint32_t met = 0;
    for (uint32_t left = extent->bottom - extent->top + 1u + 2u * beside; left != 0; left--) {
        uint32_t word;
        memcpy(&word, row, sizeof word);
        met |= word;
        row += row_bytes;
    }
    return ((le32toh(met) >> (first & 7u)) & ((1u << columns) - 1u)) != 0;
}

/// Take in a batch. A cell that became cheaper breaks the cached path, too: its cost is not what it
/// was.
static inline void rp_path_cache_apply(rp_path_cache_t *self, const rp_change_t *changes,
                                       size_t count)
{
    const bool has_diagonals = self->grid->shape.neighbors == 8;
    for (size_t i = 0; i < count; i++) {
        if (rp_path_cache_has(self, changes[i].cell)) {
            rp_path_cache_break_at(self, changes[i].cell);
        } else if (changes[i].after == 0 && has_diagonals) {
            rp_path_cache_close_diagonals(self, changes[i].cell);
        }
    }
}

/// If all broken steps are still legal, compute the costs from the first of them on anew. The
/// cached path is intact then, though perhaps not optimal. Time: O(cells from the first broken step
/// on).
/// @return false when a step is not legal; nothing changes then
static inline bool rp_path_cache_mend(rp_path_cache_t *self, const rp_metric_t *metric)
{
    for (uint32_t place = self->low; place + 1u < self->end; place++) {
        const rp_cell_t from = self->steps[place + 1u].cell;
        const unsigned direction = rp_path_direction(self->grid, from, self->steps[place].cell);
        if (((self->grid->moves[from] >> direction) & 1u) == 0) {
            return false;
        }
    }
    for (uint32_t place = self->low; place + 1u < self->end; place++) {
        const rp_path_cache_step_t to = self->steps[place];
        rp_path_cache_step_t *from = &self->steps[place + 1u];
        const unsigned direction = rp_path_direction(self->grid, from->cell, to.cell);
        from->cost = to.cost + rp_edge(metric, from->cell, to.cell, direction);
    }
    self->fresh = self->low + 1u < self->fresh ? self->low + 1u : self->fresh;
    self->low = RP_PATH_CACHE_NONE;
    return true;
}

// ---- its cells

/// Note whether the cached path was written as a path since this was called last.
static inline void rp_path_cache_note_written(rp_path_cache_t *self, bool is_written)
{
    self->shown = self->begin;
    self->fresh = is_written ? self->end : 0;
}

static inline void rp_path_cache_mark(rp_path_cache_t *self, uint32_t place)
{
    const rp_cell_t cell = self->steps[place].cell;
    self->bits[cell >> 3] |= (uint8_t)(1u << (cell & 7u));
    *rp_path_cache_seek(self, cell) = (rp_path_cache_slot_t){cell, place};
}

static inline void rp_path_cache_unmark(rp_path_cache_t *self, uint32_t from, uint32_t to)
{
    for (uint32_t place = from; place < to; place++) {
        const rp_cell_t cell = self->steps[place].cell;
        self->bits[cell >> 3] &= (uint8_t) ~(1u << (cell & 7u));
        rp_path_cache_forget(self, cell);
    }
}

/// The apex has moved to a cell of the cached path: cut off the cells beyond it.
static inline void rp_path_cache_end_at(rp_path_cache_t *self, rp_cell_t apex)
{
    const uint32_t place = rp_path_cache_place(self, apex);
    rp_path_cache_unmark(self, place + 1u, self->end);
    self->end = place + 1u;
    if (self->low != RP_PATH_CACHE_NONE && self->low >= place) {
        self->low = RP_PATH_CACHE_NONE;
    } else if (self->low != RP_PATH_CACHE_NONE && self->high >= place) {
        self->high = place - 1u;
    }
}

static inline void rp_path_cache_fill(rp_path_cache_t *self, uint32_t place, rp_cell_t cell,
                                      rp_cost_t cost)
{
    self->steps[place] = (rp_path_cache_step_t){cell, cost};
    rp_path_cache_mark(self, place);
}

/// The foot has moved to a cell of the cached path: cut off the cells before it.
static inline void rp_path_cache_begin_at(rp_path_cache_t *self, rp_cell_t cell)
{
    const uint32_t place = rp_path_cache_place(self, cell);
    rp_path_cache_unmark(self, self->begin, place);
    self->begin = place;
    if (self->low != RP_PATH_CACHE_NONE && self->high < place) {
        self->low = RP_PATH_CACHE_NONE;
    } else if (self->low < place) {
        self->low = place;
    }
}

/// Forget the cached path but for one cell.
/// @param cost  what it costs to end there
static inline void rp_path_cache_reset(rp_path_cache_t *self, rp_cell_t root, rp_cost_t cost)
{
    rp_path_cache_unmark(self, self->begin, self->end);
    self->begin = 0;
    self->shown = 0;
    self->end = 1;
    self->low = RP_PATH_CACHE_NONE;
    self->fresh = 0;
    rp_path_cache_fill(self, 0, root, cost);
}

static inline void rp_path_cache_move(rp_path_cache_t *self, uint32_t from, uint32_t count,
                                      uint32_t to)
{
    if (from == to) {
        return;
    }
    memmove(self->steps + to, self->steps + from, count * sizeof *self->steps);
    for (uint32_t place = to; place < to + count; place++) {
        rp_path_cache_mark(self, place);
    }
}

/// Greatest size of the table, as a power of two: a cached path over all cells fills half of it.
static inline uint32_t rp_path_cache_slot_bits_most(const rp_path_cache_t *self)
{
    uint32_t bits = RP_PATH_CACHE_SLOT_BITS;
    while ((UINT64_C(1) << bits) / 2u < self->capacity) {
        bits++;
    }
    return bits;
}

/// Make room in the table for a number of cells. It holds those of two stretches now.
static inline void rp_path_cache_reserve(rp_path_cache_t *self, uint32_t tail_end, uint32_t head,
                                         uint32_t count)
{
    uint32_t bits = self->slot_bits;
    if (count <= 1u << (bits - 2u)) {
        return;
    }
    const uint32_t most = rp_path_cache_slot_bits_most(self);
    while (bits < most && count > 1u << (bits - 2u)) {
        bits++;
    }
    if (bits == self->slot_bits) {
        return;
    }
    memset(self->slots, 0, sizeof *self->slots << self->slot_bits);
    self->slot_bits = bits;
    self->slot_count = 1u << bits;
    for (uint32_t place = self->begin; place < tail_end; place++) {
        rp_path_cache_mark(self, place);
    }
    for (uint32_t place = head; place < self->end; place++) {
        rp_path_cache_mark(self, place);
    }
}

/// Make room: keep the tail up to `tail` and the head from `head` on (RP_PATH_CACHE_NONE: none of
/// it), with `count` places between, which the user fills by rp_path_cache_fill(). The cached path
/// is intact then.
/// @return the first of these places
static inline uint32_t rp_path_cache_splice(rp_path_cache_t *self, uint32_t tail, uint32_t count,
                                            uint32_t head)
{
    const uint32_t head_first = head == RP_PATH_CACHE_NONE ? self->end : head;
    const uint32_t head_count = self->end - head_first;
    rp_path_cache_unmark(self, tail + 1u, head_first);
    rp_path_cache_reserve(self, tail + 1u, head_first,
                          tail + 1u - self->begin + count + head_count);
    if (tail + 1u + count + head_count > self->capacity) { // back over what was left behind
        rp_path_cache_move(self, self->begin, tail + 1u - self->begin, 0);
        tail -= self->begin;
        self->begin = 0;
        self->shown = 0;
        self->fresh = 0;
    }
    const uint32_t gap = tail + 1u;
    rp_path_cache_move(self, head_first, head_count, gap + count);
    self->end = gap + count + head_count;
    self->peak = self->end > self->peak ? self->end : self->peak;
    self->fresh = gap < self->fresh ? gap : self->fresh;
    self->low = RP_PATH_CACHE_NONE;
    return gap;
}

/// Write the cached path as the slot `path` does, from its first cell to the apex.
static inline uint32_t rp_path_cache_write_from_root(const rp_path_cache_t *self, rp_cell_t *path,
                                                     rp_path_stands_t *stands)
{
    const uint32_t known = self->fresh < self->end ? self->fresh : self->end;
    const uint32_t from = known > self->begin ? known : self->begin;
    if (from != self->begin) {
        stands->left = self->begin - self->shown;
        stands->head = from - self->begin;
    }
    for (uint32_t i = from; i < self->end; i++) {
        path[i - from] = self->steps[i].cell;
    }
    return self->end - from;
}

/// Write the cached path as the slot `path` does, from the apex to its first cell.
static inline uint32_t rp_path_cache_write_from_apex(const rp_path_cache_t *self, rp_cell_t *path,
                                                     rp_path_stands_t *stands)
{
    const uint32_t from = self->fresh < self->end ? self->fresh : self->end;
    stands->tail = from;
    for (uint32_t i = from; i < self->end; i++) {
        path[self->end - 1u - i] = self->steps[i].cell;
    }
    return self->end - from;
}

// ---- birth and death

static inline void rp_path_cache_init(rp_path_cache_t *self, const rp_grid_t *grid,
                                      rp_arena_t *arena)
{
    const size_t cells = grid->cell_count;
    *self = (rp_path_cache_t){.grid = grid,
                              .slot_bits = RP_PATH_CACHE_SLOT_BITS,
                              .slot_count = 1u << RP_PATH_CACHE_SLOT_BITS,
                              .capacity = grid->cell_count,
                              .low = RP_PATH_CACHE_NONE};
    self->bits = rp_arena_new_dense(arena, cells / 8u + RP_PATH_CACHE_WORD, sizeof *self->bits);
    self->slots = rp_arena_new_sparse(arena, (size_t)1 << rp_path_cache_slot_bits_most(self),
                                      sizeof *self->slots);
    rp_arena_note(arena, &self->slot_count, &self->slot_count, sizeof *self->slots);
    self->steps = rp_arena_new_sparse(arena, cells, sizeof *self->steps);
    rp_arena_note(arena, &self->peak, &self->peak, sizeof *self->steps);
}

// ---- invariants

/// Steps that are not broken are legal now and cost what it says. Time: O(length).
static inline bool rp_path_cache_check(const rp_path_cache_t *self, const rp_metric_t *metric)
{
    for (uint32_t i = self->begin; i < self->end; i++) {
        const rp_path_cache_step_t to = self->steps[i];
        if (!rp_path_cache_has(self, to.cell) || rp_path_cache_place(self, to.cell) != i) {
            return false;
        }
        const bool is_kept = rp_path_cache_is_intact(self) || i < self->low || i > self->high;
        if (!is_kept || i + 1u == self->end) {
            continue;
        }
        const rp_path_cache_step_t from = self->steps[i + 1u];
        const unsigned direction = rp_path_direction(self->grid, from.cell, to.cell);
        if (direction == RP_DIRECTIONS || ((self->grid->moves[from.cell] >> direction) & 1u) == 0 ||
            rp_edge(metric, from.cell, to.cell, direction) + to.cost != from.cost) {
            return false;
        }
    }
    return true;
}

#endif
