/// @file
/// Deferred decreases: cells of a field (field.h) that became cheaper too far away to matter: even
/// by the geometric bounds, a path from root to apex through the cell is beyond the field's limit.
/// The field need not take them in before the limit rises, so they are only listed, and such a
/// change costs no access to the field.
///
/// Deferred decreases count as waiting in the field's invariants: d never exceeds the true cost on
/// any path with cost + shift <= limit, as no such path meets a deferred cell or passes beside one
/// by a diagonal. They may sleep on when the apex moves, as keys only grow.
///
/// Before the field grows, those that may matter to the new limit are woken.
///
/// An obstacle that goes frees some cells side by side. Where all cells of a small box are too far
/// away they sleep as one, and with them those that did not change: no path of interest meets them,
/// either, and to wake them is only a look for nothing.
///
/// d of a deferred cell is out of date. So a search must not enter it; nor does it need to.
#ifndef REPLAN_PLANNERS_FIELD_DEFERRED_DECREASES_H
#define REPLAN_PLANNERS_FIELD_DEFERRED_DECREASES_H

#include <assert.h>
#include <endian.h>
#include <string.h>

#include "planners/field/field.h"
#include "planners/field/stale_values.h"

/// Cells of a box that sleep as one.
typedef struct rp_deferred_decreases_box {
    uint32_t first : 28;  ///< top left
    uint32_t columns : 2; ///< beyond the first
    uint32_t rows : 2;    ///< beyond the first
} rp_deferred_decreases_box_t;

static_assert(RP_GRID_CELLS_MAX <= 1u << 28, "a place fits in 28 bits");

/// Most columns and most rows of a box.
#define RP_DEFERRED_DECREASES_SIDE 4u

/// `bits` is read in words of so many bytes.
#define RP_DEFERRED_DECREASES_WORD 4u

typedef struct rp_deferred_decreases {
    const rp_grid_t *grid;
    rp_deferred_decreases_box_t *boxes; ///< they do not overlap [capacity]
    uint8_t *bits;     ///< by cell, one bit: it sleeps [capacity / 8 + RP_DEFERRED_DECREASES_WORD]
    uint32_t count;    ///< of boxes
    uint32_t peak;     ///< greatest count at the times when they were woken or cleared
    uint32_t capacity; ///< places of the grid
    bool are_near;     ///< some may matter within the limit: the field is not being asked now
    uint32_t looked;   ///< while waking: the first elements of `boxes` that were looked at
    uint32_t kept;     ///< while waking: the first elements of `boxes` that sleep on
    rp_cost_t quiet;   ///< a limit up to which all of them may sleep on; 0: not known
} rp_deferred_decreases_t;

static inline bool rp_deferred_decreases_have(const rp_deferred_decreases_t *self, rp_cell_t cell)
{
    return ((self->bits[cell >> 3] >> (cell & 7u)) & 1u) != 0;
}

static inline void rp_deferred_decreases_add(rp_deferred_decreases_t *self, rp_cell_t cell)
{
    uint8_t *byte = &self->bits[cell >> 3];
    self->boxes[self->count] = (rp_deferred_decreases_box_t){.first = cell};
    self->count += ((*byte >> (cell & 7u)) & 1u) ^ 1u;
    *byte |= (uint8_t)(1u << (cell & 7u));
}

/// The columns of a box as bits of a word of `bits`, in the machine's order of bytes. As rows are
/// whole bytes long, they are the same in each row.
static inline uint32_t rp_deferred_decreases_mask(rp_deferred_decreases_box_t box)
{
    return htole32(((2u << box.columns) - 1u) << (box.first & 7u));
}

/// Put a whole box to sleep.
/// @return false when some of it sleeps already; nothing changes then
static inline bool rp_deferred_decreases_add_box(rp_deferred_decreases_t *self,
                                                 rp_deferred_decreases_box_t box)
{
    const uint32_t mask = rp_deferred_decreases_mask(box);
    const uint32_t row_bytes = self->grid->stride / 8u;
    uint8_t *const first = &self->bits[box.first >> 3];
    uint32_t words[RP_DEFERRED_DECREASES_SIDE];
    uint32_t asleep = 0;
    for (uint32_t row = 0; row <= box.rows; row++) {
        memcpy(&words[row], first + (size_t)row * row_bytes, RP_DEFERRED_DECREASES_WORD);
        asleep |= words[row];
        words[row] |= mask;
    }
    if ((asleep & mask) != 0) {
        return false;
    }
    for (uint32_t row = 0; row <= box.rows; row++) {
        memcpy(first + (size_t)row * row_bytes, &words[row], RP_DEFERRED_DECREASES_WORD);
    }
    self->boxes[self->count++] = box;
    return true;
}

/// Put all cells of a batch to sleep that became cheaper.
/// @param site  that of the batch, all of which may sleep
static inline void rp_deferred_decreases_add_cheaper(rp_deferred_decreases_t *self,
                                                     const rp_change_t *changes, size_t count,
                                                     const rp_extent_t *extent)
{
    const uint32_t columns = extent->right - extent->left;
    const uint32_t rows = extent->bottom - extent->top;
    const rp_deferred_decreases_box_t box = {extent->top * self->grid->stride + extent->left,
                                             columns & 3u, rows & 3u};
    if (columns < RP_DEFERRED_DECREASES_SIDE && rows < RP_DEFERRED_DECREASES_SIDE &&
        (columns + 1u) * (rows + 1u) <= 2u * count && rp_deferred_decreases_add_box(self, box)) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (rp_change_is_cheaper(&changes[i])) {
            rp_deferred_decreases_add(self, changes[i].cell);
        }
    }
}

/// Prefetch the bit of a cell that may be put to sleep soon.
static inline void rp_deferred_decreases_prefetch(const rp_deferred_decreases_t *self,
                                                  rp_cell_t cell)
{
    __builtin_prefetch(&self->bits[cell >> 3], 1);
}

/// Most that slept at once so far.
static inline uint32_t rp_deferred_decreases_most(const rp_deferred_decreases_t *self)
{
    return self->count > self->peak ? self->count : self->peak;
}

/// True when no path within a limit leads through a cell with this bound on root - cell - apex. The
/// diagonals that a freed cell opens pass between its neighbours; the bound of these may be less by
/// two steps.
static inline bool rp_deferred_decreases_suit_bound(const rp_field_t *field, rp_cost_t limit,
                                                    rp_cost_t bound)
{
    const rp_cost_t key = bound + field->shift;
    const rp_cost_t beside = field->grid->shape.neighbors == 8 ? 2u * field->metric.h_straight : 0u;
    return key > limit && key - limit > beside;
}

/// True when a cell that became cheaper may sleep while the limit is no greater than this.
static inline bool rp_deferred_decreases_suit_to(const rp_field_t *field, rp_cost_t limit,
                                                 rp_cell_t cell)
{
    const rp_point_t point = rp_point_of(field->grid, cell);
    return rp_deferred_decreases_suit_bound(field, limit,
                                            rp_bound(&field->metric, field->root_point, point) +
                                                rp_bound(&field->metric, point, field->apex_point));
}

/// True when a cell that became cheaper may sleep.
static inline bool rp_deferred_decreases_suit(const rp_field_t *field, rp_cell_t cell)
{
    return rp_deferred_decreases_suit_to(field, field->limit, cell);
}

/// True when all cells of a site may sleep that became cheaper.
static inline bool rp_deferred_decreases_suit_all(const rp_field_t *field,
                                                  const rp_extent_t *extent)
{
    return rp_deferred_decreases_suit_bound(
        field, field->limit,
        rp_bound_to_extent(&field->metric, field->root_point, extent) +
            rp_bound_to_extent(&field->metric, field->apex_point, extent));
}

/// True when no cell of a site may sleep: the bound to the site, plus a walk through it, is at
/// least that of each of its cells. On a torus this cannot be told.
static inline bool rp_deferred_decreases_suit_none(const rp_field_t *field,
                                                   const rp_extent_t *extent)
{
    const rp_metric_t *metric = &field->metric;
    const rp_cost_t through = (extent->right - extent->left + extent->bottom - extent->top) *
                              (rp_cost_t)metric->h_straight;
    const rp_cost_t bound = rp_bound_to_extent(metric, field->root_point, extent) +
                            rp_bound_to_extent(metric, field->apex_point, extent) + 2u * through;
    return !metric->wraps && !rp_deferred_decreases_suit_bound(field, field->limit, bound);
}

/// True when the cells of a box may sleep while the limit is no greater than this.
static inline bool rp_deferred_decreases_box_suits_to(const rp_field_t *field, rp_cost_t limit,
                                                      rp_deferred_decreases_box_t box)
{
    const rp_metric_t *metric = &field->metric;
    if (box.columns == 0 && box.rows == 0) {
        return rp_deferred_decreases_suit_to(field, limit, box.first);
    }
    const uint32_t row = rp_grid_row(field->grid, box.first);
    const uint32_t column = box.first - row * field->grid->stride;
    const rp_extent_t extent = {column, column + box.columns, row, row + box.rows};
    return rp_deferred_decreases_suit_bound(
        field, limit,
        rp_bound_to_extent(metric, field->root_point, &extent) +
            rp_bound_to_extent(metric, field->apex_point, &extent));
}

/// True when a step leads to a deferred cell, or diagonally past one.
static inline bool rp_deferred_decreases_bar(const rp_deferred_decreases_t *self,
                                             const rp_grid_t *grid, rp_cell_t from,
                                             unsigned direction, rp_cell_t to)
{
    return rp_deferred_decreases_have(self, to) ||
           (rp_direction_is_diagonal(direction) &&
            (rp_deferred_decreases_have(self, rp_grid_step(grid, from, direction - 1u)) ||
             rp_deferred_decreases_have(self, rp_grid_step(grid, from, (direction + 1u) & 7u))));
}

/// Take the bits of a box back.
static inline void rp_deferred_decreases_rouse(rp_deferred_decreases_t *self,
                                               rp_deferred_decreases_box_t box)
{
    const uint32_t mask = rp_deferred_decreases_mask(box);
    uint8_t *bits = &self->bits[box.first >> 3];
    for (uint32_t left = box.rows + 1u; left != 0; left--, bits += self->grid->stride / 8u) {
        uint32_t word;
        memcpy(&word, bits, sizeof word);
        word &= ~mask;
        memcpy(bits, &word, sizeof word);
    }
}

/// Drop all of them: the field begins anew. Time: O(deferred decreases).
static inline void rp_deferred_decreases_clear(rp_deferred_decreases_t *self)
{
    self->peak = rp_deferred_decreases_most(self);
    for (uint32_t i = 0; i < self->count; i++) {
        rp_deferred_decreases_rouse(self, self->boxes[i]);
    }
    self->count = 0;
    self->are_near = false;
}

/// So many looks at deferred decreases that may sleep on take as long as an expansion.
#define RP_DEFERRED_DECREASES_LOOKS 16u

/// Begin to wake deferred decreases; rp_deferred_decreases_wake() goes on.
static inline void rp_deferred_decreases_stir(rp_deferred_decreases_t *self)
{
    self->peak = rp_deferred_decreases_most(self);
    self->looked = 0;
    self->kept = 0;
}

/// Move those that may sleep on to the beginning of `boxes`.
/// @return false when the budget was spent first
static inline bool rp_deferred_decreases_part(rp_deferred_decreases_t *self,
                                              const rp_field_t *field, rp_cost_t limit,
                                              uint64_t *budget)
{
    for (; self->looked < self->count; self->looked++) {
        const rp_deferred_decreases_box_t box = self->boxes[self->looked];
        if (self->looked % RP_DEFERRED_DECREASES_LOOKS == 0) {
            if (*budget == 0) {
                return false;
            }
            --*budget;
        }
        if (rp_deferred_decreases_box_suits_to(field, limit, box)) {
            self->boxes[self->looked] = self->boxes[self->kept];
            self->boxes[self->kept++] = box;
        }
    }
    return true;
}

/// Let the field take in a cell that slept.
static inline void rp_deferred_decreases_wake_cell(rp_field_t *field, rp_cell_t cell)
{
    const rp_change_t change = {cell, 0, field->grid->factor[cell]};
    if (change.after == 0) {
        return;
    }
    if (cell != field->root) { // d of the root needs no neighbour
        rp_stale_values_forget(field, &change, 1);
    }
    rp_field_apply(field, &change, 1);
}

/// Let the field take in the cells of a box, of which none sleeps any more.
/// @return how many these are
static inline uint64_t rp_deferred_decreases_wake_box(rp_field_t *field,
                                                      rp_deferred_decreases_box_t box)
{
    for (uint32_t row = 0; row <= box.rows; row++) {
        for (uint32_t column = 0; column <= box.columns; column++) {
            rp_deferred_decreases_wake_cell(field, box.first + row * field->grid->stride + column);
        }
    }
    return (box.columns + 1u) * (box.rows + 1u);
}

/// Let the field take in the deferred decreases that may not sleep on.
/// @param limit  that the field is to grow to
/// @return false when the budget was spent first: call again
static inline bool rp_deferred_decreases_wake(rp_deferred_decreases_t *self, rp_field_t *field,
                                              rp_cost_t limit, uint64_t *budget)
{
    const rp_cost_t most = limit > field->limit ? limit : field->limit;
    if (!rp_deferred_decreases_part(self, field, most, budget)) {
        return false;
    }
    while (self->count != self->kept) {
        if (*budget == 0) {
            return false;
        }
        const rp_deferred_decreases_box_t box = self->boxes[--self->count];
        rp_deferred_decreases_rouse(self, box);
        if (self->count >= self->kept + RP_FIELD_AHEAD) {
            rp_field_prefetch_cell(field, self->boxes[self->count - RP_FIELD_AHEAD].first);
        }
        const uint64_t cells = rp_deferred_decreases_wake_box(field, box);
        *budget -= cells < *budget ? cells : *budget;
    }
    self->are_near = false;
    self->quiet = most;
    return true;
}

/// Put the cells of a batch to sleep that became cheaper and may.
static inline void rp_deferred_decreases_add_far(rp_deferred_decreases_t *self,
                                                 const rp_field_t *field,
                                                 const rp_change_t *changes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (rp_change_is_cheaper(&changes[i]) &&
            rp_deferred_decreases_suit(field, changes[i].cell)) {
            rp_deferred_decreases_add(self, changes[i].cell);
        }
    }
}

/// True when the field has to take in a change: the cell became cheaper, and does not sleep.
static inline bool rp_deferred_decreases_leave(const rp_deferred_decreases_t *self,
                                               const rp_change_t *change)
{
    return rp_change_is_cheaper(change) && !rp_deferred_decreases_have(self, change->cell);
}

/// rp_stale_values_forget() and rp_field_apply() for the cells of a batch that do not sleep.
static inline void rp_deferred_decreases_apply(const rp_deferred_decreases_t *self,
                                               rp_field_t *field, const rp_change_t *changes,
                                               size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (rp_deferred_decreases_leave(self, &changes[i])) {
            rp_stale_values_forget(field, &changes[i], 1);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (rp_deferred_decreases_leave(self, &changes[i])) {
            rp_field_apply(field, &changes[i], 1);
        }
    }
}

/// @return RP_E_MEMORY
static inline void rp_deferred_decreases_init(rp_deferred_decreases_t *self, const rp_grid_t *grid,
                                              rp_arena_t *arena)
{
    const uint32_t cells = grid->cell_count;
    *self = (rp_deferred_decreases_t){.grid = grid, .capacity = cells};
    self->boxes = rp_arena_new_sparse(arena, cells, sizeof *self->boxes);
    self->bits = rp_arena_new(arena, cells / 8u + RP_DEFERRED_DECREASES_WORD, sizeof *self->bits);
}

static inline uint64_t rp_deferred_decreases_bytes(const rp_deferred_decreases_t *self)
{
    return (uint64_t)rp_deferred_decreases_most(self) * sizeof *self->boxes + self->capacity / 8u;
}

#endif
