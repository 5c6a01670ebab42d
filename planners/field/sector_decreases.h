/// @file
/// Lowered cells of a field that sleep: they have not offered their d to their neighbours, and need
/// not while no start can profit. A cell can lower d(start) only if its f = d + bound(cell, start)
/// is less than d(start). Sleeping cells are listed by sector instead of in the field's heap. An
/// entry is live while its cell waits with the d of the entry; stale ones are dropped when they are
/// met.
#ifndef REPLAN_PLANNERS_FIELD_SECTOR_DECREASES_H
#define REPLAN_PLANNERS_FIELD_SECTOR_DECREASES_H

#include "base/budget.h"
#include "planners/field/sector_lists.h"

/// So many cells are woken in the time of an expansion.
#define RP_SECTOR_DECREASES_EACH 4u

/// Put a cell to sleep that rp_field_take() has just taken.
/// @return false when there is no room
static inline bool rp_sector_decreases_add(rp_sector_lists_t *self, const rp_field_t *field,
                                           rp_cell_t cell, rp_cost_t d)
{
    if (rp_sector_lists_is_full(self)) {
        return false;
    }
    field->nodes[cell].mark = field->build;
    rp_sector_lists_add(self, cell, rp_point_of(field->grid, cell), d);
    return true;
}

/// Wake the cells of a sector whose f is less than the limit: put them into the field's heap.
static inline void rp_sector_decreases_wake_sector(rp_sector_lists_t *self,
                                                   rp_sector_list_t *sector, rp_field_t *field,
                                                   const rp_metric_t *metric, rp_cost_t limit)
{
    uint32_t *link = &sector->first;
    sector->least = RP_COST_INF;
    while (*link != 0) {
        rp_sector_lists_entry_t *entry = &self->entries[*link];
        const rp_cell_t cell = entry->cell;
        const rp_cost_t d = entry->d;
        const rp_point_t point = rp_point_of(field->grid, cell);
        if (d + rp_bound(metric, point, field->apex_point) >= limit) {
            sector->least = d < sector->least ? d : sector->least;
            link = &entry->next;
            continue;
        }
        rp_sector_lists_drop(self, link);
        if (rp_field_take(field, cell, d)) {
            rp_field_put(field, cell, point, d);
        }
    }
}

/// Wake all cells whose f towards the apex of the field is less than the limit, sector by sector.
/// @param only_new  only in sectors where a cell was put to sleep in the current batch
/// @return false when the budget was spent first
/// Time: O(sectors + entries of those sectors that may hold such a cell)
static inline bool rp_sector_decreases_wake(rp_sector_lists_t *self, rp_field_t *field,
                                            const rp_metric_t *metric, rp_cost_t limit,
                                            bool only_new, uint64_t *budget)
{
    for (uint32_t i = rp_sector_lists_next(self, 0); i < RP_SECTOR_LISTS_ALL;
         i = rp_sector_lists_next(self, i + 1u)) {
        rp_sector_list_t *sector = &self->sectors[i];
        if (sector->least < limit && (!only_new || sector->batch == self->batch) &&
            rp_sector_lists_least_f(self, i, metric, field->apex_point) < limit) {
            if (*budget == 0) {
                return false;
            }
            const uint32_t asleep = self->count;
            rp_sector_decreases_wake_sector(self, sector, field, metric, limit);
            rp_budget_pay(budget, (asleep - self->count) / RP_SECTOR_DECREASES_EACH);
        }
    }
    return true;
}

#endif
