/// @file
/// Lowered cells of a field that sleep: they have not offered their d to their neighbours, and need
/// not while no start can profit. A cell can lower d(start) only if its f = d + bound(cell, start)
/// is less than d(start). Sleeping cells are listed by tile instead of in the field's heap. An
/// entry is live while its cell waits with the d of the entry; stale ones are dropped when they are
/// met.
#ifndef REPLAN_PLANNERS_FIELD_TILED_DECREASES_H
#define REPLAN_PLANNERS_FIELD_TILED_DECREASES_H

#include "base/budget.h"
#include "planners/field/tile_lists.h"

/// So many cells are woken in the time of an expansion.
#define RP_TILED_DECREASES_EACH 4u

/// Put a cell to sleep that rp_field_take() has just taken.
/// @return false when there is no room
static inline bool rp_tiled_decreases_add(rp_tile_lists_t *self, const rp_field_t *field,
                                          rp_cell_t cell, rp_cost_t d)
{
    if (rp_tile_lists_is_full(self)) {
        return false;
    }
    field->nodes[cell].mark = field->build;
    rp_tile_lists_add(self, cell, rp_point_of(field->grid, cell), d);
    return true;
}

/// Wake the cells of a tile whose f is less than the limit: put them into the field's heap.
static inline void rp_tiled_decreases_wake_tile(rp_tile_lists_t *self, rp_tile_lists_tile_t *tile,
                                                rp_field_t *field, const rp_metric_t *metric,
                                                rp_cost_t limit)
{
    uint32_t *link = &tile->first;
    tile->least = RP_COST_INF;
    while (*link != 0) {
        rp_tile_lists_entry_t *entry = &self->entries[*link];
        const rp_cell_t cell = entry->cell;
        const rp_cost_t d = entry->d;
        const rp_point_t point = rp_point_of(field->grid, cell);
        if (d + rp_bound(metric, point, field->apex_point) >= limit) {
            tile->least = d < tile->least ? d : tile->least;
            link = &entry->next;
            continue;
        }
        rp_tile_lists_drop(self, link);
        if (rp_field_take(field, cell, d)) {
            rp_field_put(field, cell, point, d);
        }
    }
}

/// Wake all cells whose f towards the apex of the field is less than the limit, tile by tile.
/// @param only_new  only in tiles where a cell was put to sleep in the current batch
/// @return false when the budget was spent first
/// Time: O(tiles + entries of those tiles that may hold such a cell)
static inline bool rp_tiled_decreases_wake(rp_tile_lists_t *self, rp_field_t *field,
                                           const rp_metric_t *metric, rp_cost_t limit,
                                           bool only_new, uint64_t *budget)
{
    for (uint32_t i = rp_tile_lists_next(self, 0); i < RP_TILE_LISTS_ALL;
         i = rp_tile_lists_next(self, i + 1u)) {
        rp_tile_lists_tile_t *tile = &self->tiles[i];
        if (tile->least < limit && (!only_new || tile->batch == self->batch) &&
            rp_tile_lists_least_f(self, i, metric, field->apex_point) < limit) {
            if (*budget == 0) {
                return false;
            }
            const uint32_t asleep = self->count;
            rp_tiled_decreases_wake_tile(self, tile, field, metric, limit);
            rp_budget_pay(budget, (asleep - self->count) / RP_TILED_DECREASES_EACH);
        }
    }
    return true;
}

#endif
