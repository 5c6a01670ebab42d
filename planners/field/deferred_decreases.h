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
/// d of a deferred cell is out of date. So a search must not enter it; nor does it need to.
#ifndef REPLAN_PLANNERS_FIELD_DEFERRED_DECREASES_H
#define REPLAN_PLANNERS_FIELD_DEFERRED_DECREASES_H

#include "base/bits.h"
#include "planners/field/field.h"
#include "planners/field/stale_values.h"

typedef struct rp_deferred_decreases {
    rp_cell_t *cells;  ///< that sleep, each once [capacity]
    uint8_t *bits;     ///< by cell, one bit: it sleeps
    uint32_t count;    ///< of cells
    uint32_t peak;     ///< greatest count at the times when they were woken or cleared
    uint32_t capacity; ///< places of the grid
    bool are_near;     ///< some may matter within the limit: the field is not being asked now
    uint32_t looked;   ///< while waking: the first elements of `cells` that were looked at
    uint32_t kept;     ///< while waking: the first elements of `cells` that sleep on
    rp_cost_t quiet;   ///< a limit up to which all of them may sleep on; 0: not known
} rp_deferred_decreases_t;

static inline bool rp_deferred_decreases_have(const rp_deferred_decreases_t *self, rp_cell_t cell)
{
    return rp_bits_has(self->bits, cell);
}

static inline void rp_deferred_decreases_add(rp_deferred_decreases_t *self, rp_cell_t cell)
{
    uint8_t *byte = &self->bits[cell >> 3];
    self->cells[self->count] = cell;
    self->count += ((*byte >> (cell & 7u)) & 1u) ^ 1u;
    *byte |= (uint8_t)(1u << (cell & 7u));
}

/// Put all cells of a batch to sleep that became cheaper.
static inline void rp_deferred_decreases_add_cheaper(rp_deferred_decreases_t *self,
                                                     const rp_change_t *changes, size_t count)
{
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

/// Drop all of them: the field begins anew. Time: O(deferred decreases).
static inline void rp_deferred_decreases_clear(rp_deferred_decreases_t *self)
{
    self->peak = rp_deferred_decreases_most(self);
    for (uint32_t i = 0; i < self->count; i++) {
        rp_bits_set(self->bits, self->cells[i], false);
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

/// Move those that may sleep on to the beginning of `cells`.
/// @return false when the budget was spent first
static inline bool rp_deferred_decreases_part(rp_deferred_decreases_t *self,
                                              const rp_field_t *field, rp_cost_t limit,
                                              uint64_t *budget)
{
    for (; self->looked < self->count; self->looked++) {
        const rp_cell_t cell = self->cells[self->looked];
        if (self->looked % RP_DEFERRED_DECREASES_LOOKS == 0) {
            if (*budget == 0) {
                return false;
            }
            --*budget;
        }
        if (rp_deferred_decreases_suit_to(field, limit, cell)) {
            self->cells[self->looked] = self->cells[self->kept];
            self->cells[self->kept++] = cell;
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
        --*budget;
        const rp_cell_t cell = self->cells[--self->count];
        rp_bits_set(self->bits, cell, false);
        if (self->count >= self->kept + RP_FIELD_AHEAD) {
            rp_field_prefetch_cell(field, self->cells[self->count - RP_FIELD_AHEAD]);
        }
        rp_deferred_decreases_wake_cell(field, cell);
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

static inline void rp_deferred_decreases_init(rp_deferred_decreases_t *self, const rp_grid_t *grid,
                                              rp_arena_t *arena)
{
    const uint32_t cells = grid->cell_count;
    *self = (rp_deferred_decreases_t){.capacity = cells};
    self->cells = rp_arena_new_sparse(arena, cells, sizeof *self->cells);
    rp_arena_note(arena, &self->count, &self->peak, sizeof *self->cells);
    self->bits = rp_bits_new(arena, cells);
}

#endif
