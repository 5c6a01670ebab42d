/// @file
/// Cells of a field that were lowered and wait, out of its heap, until they matter to somebody who
/// starts. An entry is live while its cell waits with this d; one that is not is dropped when it is
/// looked at. A cell can lower d(start) only if its f is less.
#ifndef REPLAN_SEARCH_ASLEEP_H
#define REPLAN_SEARCH_ASLEEP_H

#include "planners/search/budget.h"
#include "planners/search/tiled.h"

/// Cells that wake in the time of an expansion.
#define RP_ASLEEP_EACH 4u

/// A cell of the field, which was taken out of those that wait, waits on if there is room.
/// @return false when there is none
static inline bool rp_asleep_add(rp_tiled_t *self, const rp_field_t *field, rp_cell_t cell,
                                 rp_cost_t d)
{
    if (rp_tiled_is_full(self)) {
        return false;
    }
    field->nodes[cell].mark = field->build;
    rp_tiled_add(self, cell, rp_point_of(field->grid, cell), d);
    return true;
}

/// The cells of a tile with a lesser f than this go into the field's heap.
static inline void rp_asleep_wake_tile(rp_tiled_t *self, rp_tiled_tile_t *tile, rp_field_t *field,
                                       const rp_metric_t *metric, rp_cost_t limit)
{
    uint32_t *link = &tile->first;
    tile->least = RP_COST_INF;
    while (*link != 0) {
        rp_tiled_entry_t *entry = &self->entries[*link];
        const rp_cell_t cell = entry->cell;
        const rp_cost_t d = entry->d;
        const rp_point_t point = rp_point_of(field->grid, cell);
        if (d + rp_bound(metric, point, field->apex_point) >= limit) {
            tile->least = d < tile->least ? d : tile->least;
            link = &entry->next;
            continue;
        }
        rp_tiled_drop(self, link);
        if (rp_field_take(field, cell, d)) {
            rp_field_put(field, cell, point, d);
        }
    }
}

/// Those that may lower the apex of the field to less than `limit` wake, tile by tile. Time:
/// O(tiles + entries of the tiles near its ways)
/// @param only_new  those of tiles where some fell asleep in the batch that is now
/// @return false when the budget was spent first
static inline bool rp_asleep_wake(rp_tiled_t *self, rp_field_t *field, const rp_metric_t *metric,
                                  rp_cost_t limit, bool only_new, uint64_t *budget)
{
    for (uint32_t i = rp_tiled_next(self, 0); i < RP_TILED_ALL; i = rp_tiled_next(self, i + 1u)) {
        rp_tiled_tile_t *tile = &self->tiles[i];
        if (tile->least < limit && (!only_new || tile->batch == self->batch) &&
            rp_tiled_least_f(self, i, metric, field->apex_point) < limit) {
            if (*budget == 0) {
                return false;
            }
            const uint32_t asleep = self->count;
            rp_asleep_wake_tile(self, tile, field, metric, limit);
            rp_budget_pay(budget, (asleep - self->count) / RP_ASLEEP_EACH);
        }
    }
    return true;
}

#endif
