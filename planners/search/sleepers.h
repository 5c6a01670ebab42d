/// @file
/// Sleepers: cells of a field (field.h) that became cheaper too far away to matter: even by the
/// geometric bounds, a path from root to apex through the cell is beyond the field's limit. The
/// field need not take them in before the limit rises, so they are only listed, and such a change
/// costs no access to the field.
///
/// Sleepers count as waiting in the field's invariants: d never exceeds the true cost on any path
/// with cost + shift <= limit, as no such path meets a sleeper or passes beside one by a diagonal.
/// They may sleep on when the apex moves, as keys only grow.
///
/// Before the field grows, those that may matter to the new limit are woken.
///
/// d of a sleeper is out of date. So a search must not enter its cell; nor does it need to.
#ifndef REPLAN_SEARCH_SLEEPERS_H
#define REPLAN_SEARCH_SLEEPERS_H

#include "planners/search/field.h"
#include "planners/search/freed.h"

typedef struct rp_sleepers {
    rp_cell_t *cells; ///< [capacity]
    uint8_t *bits;    ///< by cell, one bit: it sleeps [capacity / 8 + 1]
    uint32_t count;
    uint32_t peak;     ///< greatest count at the times when they were woken or cleared
    uint32_t capacity; ///< places of the grid
    bool are_near;     ///< some may matter within the limit: the field is not being asked now
    uint32_t looked;   ///< while waking: the first elements of `cells` that were looked at
    uint32_t kept;     ///< while waking: the first elements of `cells` that sleep on
    rp_cost_t quiet;   ///< a limit up to which all of them may sleep on; 0: not known
} rp_sleepers_t;

static inline bool rp_sleepers_have(const rp_sleepers_t *self, rp_cell_t cell)
{
    return ((self->bits[cell >> 3] >> (cell & 7u)) & 1u) != 0;
}

static inline void rp_sleepers_add(rp_sleepers_t *self, rp_cell_t cell)
{
    uint8_t *byte = &self->bits[cell >> 3];
    self->cells[self->count] = cell; // the rim never sleeps, so there is room for one more
    self->count += ((*byte >> (cell & 7u)) & 1u) ^ 1u;
    *byte |= (uint8_t)(1u << (cell & 7u));
}

/// Put all cells of a batch to sleep that became cheaper.
static inline void rp_sleepers_add_cheaper(rp_sleepers_t *self, const rp_change_t *changes,
                                           size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (rp_change_is_cheaper(&changes[i])) {
            rp_sleepers_add(self, changes[i].cell);
        }
    }
}

/// Prefetch the bit of a cell that may be put to sleep soon.
static inline void rp_sleepers_prefetch(const rp_sleepers_t *self, rp_cell_t cell)
{
    __builtin_prefetch(&self->bits[cell >> 3], 1);
}

/// Most that slept at once so far.
static inline uint32_t rp_sleepers_most(const rp_sleepers_t *self)
{
    return self->count > self->peak ? self->count : self->peak;
}

/// True when no path within a limit leads through a cell with this bound on root - cell - apex. The
/// diagonals that a freed cell opens pass between its neighbours; the bound of these may be less by
/// two steps.
static inline bool rp_sleepers_suit_bound(const rp_field_t *field, rp_cost_t limit, rp_cost_t bound)
{
    const rp_cost_t key = bound + field->shift;
    const rp_cost_t beside = field->grid->shape.neighbors == 8 ? 2u * field->metric.h_straight : 0u;
    return key > limit && key - limit > beside;
}

/// True when a cell that became cheaper may sleep while the limit is no greater than this.
static inline bool rp_sleepers_suit_to(const rp_field_t *field, rp_cost_t limit, rp_cell_t cell)
{
    const rp_point_t point = rp_point_of(field->grid, cell);
    return rp_sleepers_suit_bound(field, limit,
                                  rp_bound(&field->metric, field->root_point, point) +
                                      rp_bound(&field->metric, point, field->apex_point));
}

/// True when a cell that became cheaper may sleep.
static inline bool rp_sleepers_suit(const rp_field_t *field, rp_cell_t cell)
{
    return rp_sleepers_suit_to(field, field->limit, cell);
}

/// True when all cells of a site may sleep that became cheaper.
static inline bool rp_sleepers_suit_all(const rp_field_t *field, const rp_site_t *site)
{
    return rp_sleepers_suit_bound(field, field->limit,
                                  rp_bound_to_site(&field->metric, field->root_point, site) +
                                      rp_bound_to_site(&field->metric, field->apex_point, site));
}

/// True when no cell of a site may sleep: the bound to the site, plus a walk through it, is at
/// least that of each of its cells. On a torus this cannot be told.
static inline bool rp_sleepers_suit_none(const rp_field_t *field, const rp_site_t *site)
{
    const rp_metric_t *metric = &field->metric;
    const rp_cost_t through =
        (site->right - site->left + site->bottom - site->top) * (rp_cost_t)metric->h_straight;
    const rp_cost_t bound = rp_bound_to_site(metric, field->root_point, site) +
                            rp_bound_to_site(metric, field->apex_point, site) + 2u * through;
    return !metric->wraps && !rp_sleepers_suit_bound(field, field->limit, bound);
}

/// True when a step leads to a sleeper, or diagonally past one.
static inline bool rp_sleepers_bar(const rp_sleepers_t *self, const rp_grid_t *grid, rp_cell_t from,
                                   unsigned direction, rp_cell_t to)
{
    return rp_sleepers_have(self, to) ||
           (rp_direction_is_diagonal(direction) &&
            (rp_sleepers_have(self, rp_grid_step(grid, from, direction - 1u)) ||
             rp_sleepers_have(self, rp_grid_step(grid, from, (direction + 1u) & 7u))));
}

/// Drop all of them: the field begins anew. Time: O(sleepers).
static inline void rp_sleepers_clear(rp_sleepers_t *self)
{
    self->peak = rp_sleepers_most(self);
    for (uint32_t i = 0; i < self->count; i++) {
        self->bits[self->cells[i] >> 3] = 0;
    }
    self->count = 0;
    self->are_near = false;
}

/// So many looks at sleepers that may sleep on take as long as an expansion.
#define RP_SLEEPERS_LOOKS 16u

/// Begin to wake sleepers; rp_sleepers_wake() goes on.
static inline void rp_sleepers_stir(rp_sleepers_t *self)
{
    self->peak = rp_sleepers_most(self);
    self->looked = 0;
    self->kept = 0;
}

/// Move those that may sleep on to the beginning of `cells`.
/// @return false when the budget was spent first
static inline bool rp_sleepers_part(rp_sleepers_t *self, const rp_field_t *field, rp_cost_t limit,
                                    uint64_t *budget)
{
    for (; self->looked < self->count; self->looked++) {
        const rp_cell_t cell = self->cells[self->looked];
        if (self->looked % RP_SLEEPERS_LOOKS == 0) {
            if (*budget == 0) {
                return false;
            }
            --*budget;
        }
        if (rp_sleepers_suit_to(field, limit, cell)) {
            self->cells[self->looked] = self->cells[self->kept];
            self->cells[self->kept++] = cell;
        }
    }
    return true;
}

/// Let the field take in the sleepers that may not sleep on.
/// @param limit  that the field is to grow to
/// @return false when the budget was spent first: call again
static inline bool rp_sleepers_wake(rp_sleepers_t *self, rp_field_t *field, rp_cost_t limit,
                                    uint64_t *budget)
{
    const rp_cost_t most = limit > field->limit ? limit : field->limit;
    if (!rp_sleepers_part(self, field, most, budget)) {
        return false;
    }
    while (self->count != self->kept) {
        if (*budget == 0) {
            return false;
        }
        --*budget;
        const rp_cell_t cell = self->cells[--self->count];
        self->bits[cell >> 3] &= (uint8_t) ~(1u << (cell & 7u));
        if (self->count >= self->kept + RP_FIELD_AHEAD) {
            rp_field_prefetch_cell(field, self->cells[self->count - RP_FIELD_AHEAD]);
        }
        const rp_change_t change = {cell, 0, field->grid->factor[cell]};
        if (change.after != 0 && cell != field->root) { // d of the root needs no neighbour
            rp_freed_forget(field, &change, 1);
        }
        if (change.after != 0) {
            rp_field_apply(field, &change, 1);
        }
    }
    self->are_near = false;
    self->quiet = most;
    return true;
}

/// rp_freed_forget() and rp_field_apply(), with cells put to sleep that may.
static inline void rp_sleepers_apply(rp_sleepers_t *self, rp_field_t *field,
                                     const rp_change_t *changes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!rp_change_is_cheaper(&changes[i])) {
            continue;
        }
        if (rp_sleepers_suit(field, changes[i].cell)) {
            rp_sleepers_add(self, changes[i].cell);
        } else {
            rp_freed_forget(field, &changes[i], 1);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (rp_change_is_cheaper(&changes[i]) && !rp_sleepers_have(self, changes[i].cell)) {
            rp_field_apply(field, &changes[i], 1);
        }
    }
}

static inline void rp_sleepers_fini(rp_sleepers_t *self, rp_rubble_t *rubble)
{
    rp_memory_free(self->cells, self->capacity, sizeof *self->cells, rubble);
    rp_memory_free(self->bits, self->capacity / 8u + 1u, sizeof *self->bits, rubble);
    *self = (rp_sleepers_t){0};
}

/// @param cells  number of places of the grid
/// @return RP_E_MEMORY
static inline rp_status_t rp_sleepers_init(rp_sleepers_t *self, uint32_t cells)
{
    *self = (rp_sleepers_t){.capacity = cells};
    self->cells = rp_memory_new_sparse(cells, sizeof *self->cells);
    self->bits = rp_memory_new(cells / 8u + 1u, sizeof *self->bits);
    if (self->cells == NULL || self->bits == NULL) {
        rp_sleepers_fini(self, NULL);
        return RP_E_MEMORY;
    }
    return RP_OK;
}

static inline uint64_t rp_sleepers_bytes(const rp_sleepers_t *self)
{
    return (uint64_t)rp_sleepers_most(self) * sizeof *self->cells + self->capacity / 8u;
}

#endif
