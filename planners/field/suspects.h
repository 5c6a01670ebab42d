/// @file
/// Cells of a field that are in doubt: their d may be too small, because a cell that supported it
/// became dearer. Those that can matter to the start, and are to be judged in this round, wait in a
/// queue by d (`near`); all others are listed by sector (`far`). A cell stands in at most one of
/// them.
#ifndef REPLAN_PLANNERS_FIELD_SUSPECTS_H
#define REPLAN_PLANNERS_FIELD_SUSPECTS_H

#include "base/bits.h"
#include "base/budget.h"
#include "planners/field/decrease_queue.h"
#include "planners/field/sector_lists.h"

/// So many cells of a sector are gathered in the time of an expansion.
#define RP_SUSPECTS_EACH 4u

typedef struct rp_suspects {
    rp_sector_lists_t far;
    rp_buckets_t near; ///< key d
    uint8_t *has;      ///< one bit a cell, owned
} rp_suspects_t;

/// @param cheapest  least cost of an edge
static inline void rp_suspects_init(rp_suspects_t *self, const rp_grid_t *grid, rp_cost_t cheapest,
                                    rp_arena_t *arena)
{
    rp_sector_lists_init(&self->far, grid, grid->cell_count, arena);
    rp_decrease_queue_init(&self->near, grid->cell_count, cheapest, arena);
    self->has = rp_bits_new(arena, grid->cell_count);
}

static inline bool rp_suspects_have(const rp_suspects_t *self, rp_cell_t cell)
{
    return rp_bits_has(self->has, cell);
}

/// Put a cell into doubt, unless it is already, or its d is unknown.
static inline void rp_suspects_add(rp_suspects_t *self, const rp_field_t *field, rp_cell_t cell)
{
    const rp_cost_t d = rp_field_at(field, cell);
    if (d != RP_COST_INF && !rp_suspects_have(self, cell)) {
        rp_bits_set(self->has, cell, true);
        rp_sector_lists_add(&self->far, cell, rp_point_of(field->grid, cell), d);
    }
}

/// Put a cell into doubt that is to be judged in this round. It is not in doubt yet.
static inline void rp_suspects_judge(rp_suspects_t *self, rp_cell_t cell, rp_cost_t d)
{
    rp_bits_set(self->has, cell, true);
    rp_buckets_push(&self->near, d, d, cell);
}

/// d of a cell fell: keep the least d of its sector true.
static inline void rp_suspects_hear(rp_suspects_t *self, const rp_field_t *field, rp_cell_t cell)
{
    if (rp_suspects_have(self, cell)) {
        rp_sector_list_t *sector = rp_sector_list(&self->far, rp_point_of(field->grid, cell));
        const rp_cost_t d = field->nodes[cell].g;
        sector->least = d < sector->least ? d : sector->least;
    }
}

/// Take every cell out of doubt. Time: O(sectors + cells in doubt)
static inline void rp_suspects_forget(rp_suspects_t *self)
{
    for (uint32_t i = 0; i < RP_SECTOR_LISTS_ALL; i++) {
        uint32_t place = self->far.sectors[i].first;
        for (; place != 0; place = self->far.entries[place].next) {
            rp_bits_set(self->has, self->far.entries[place].cell, false);
        }
    }
    while (self->near.count != 0) {
        rp_bits_set(self->has, rp_buckets_pop(&self->near)->cell, false);
    }
    rp_buckets_clear(&self->near);
    rp_sector_lists_clear(&self->far);
}

/// Break a round off: put the cells that were to be judged back into their sectors, with the d that
/// they have now.
/// @return false when the budget was spent first
static inline bool rp_suspects_put_back(rp_suspects_t *self, const rp_field_t *field,
                                        uint64_t *budget)
{
    while (self->near.count != 0) {
        if (*budget == 0) {
            return false;
        }
        --*budget;
        const rp_cell_t cell = rp_buckets_pop(&self->near)->cell;
        rp_bits_set(self->has, cell, false);
        rp_suspects_add(self, field, cell);
    }
    return true;
}

/// Look in a sector for cells whose f = d + bound(cell, start) is no greater than the limit.
/// @param takes  true: move all of them to `near`; false: stop at the first
/// @return true when there is one
static inline bool rp_suspects_look(rp_suspects_t *self, rp_sector_list_t *sector,
                                    const rp_field_t *field, const rp_metric_t *metric,
                                    rp_point_t start, rp_cost_t limit, bool takes)
{
    uint32_t *link = &sector->first;
    rp_cost_t least = RP_COST_INF;
    bool is_any = false;
    while (*link != 0) {
        rp_sector_lists_entry_t *entry = &self->far.entries[*link];
        const rp_cell_t cell = entry->cell;
        const rp_cost_t d = rp_field_at(field, cell);
        const rp_cost_t bound = rp_bound(metric, rp_point_of(field->grid, cell), start);
        if (d == RP_COST_INF) { // blocked, or void
            rp_bits_set(self->has, cell, false);
            rp_sector_lists_drop(&self->far, link);
        } else if (d + bound > limit) {
            least = d < least ? d : least;
            link = &entry->next;
        } else if (takes) {
            is_any = true;
            rp_sector_lists_drop(&self->far, link);
            rp_buckets_push(&self->near, d, d, cell);
        } else {
            return true;
        }
    }
    sector->least = least;
    return is_any;
}

/// True unless it is certain that no cell of the sector has an f within the limit.
static inline bool rp_suspects_may_reach(const rp_suspects_t *self, uint32_t sector,
                                         const rp_metric_t *metric, rp_point_t start,
                                         rp_cost_t limit)
{
    return self->far.sectors[sector].least <= limit &&
           rp_sector_lists_least_f(&self->far, sector, metric, start) <= limit;
}

/// True when some cell in doubt has an f within the limit.
static inline bool rp_suspects_reach(rp_suspects_t *self, const rp_field_t *field,
                                     const rp_metric_t *metric, rp_point_t start, rp_cost_t limit)
{
    rp_sector_lists_t *far = &self->far;
    for (uint32_t i = rp_sector_lists_next(far, 0); i < RP_SECTOR_LISTS_ALL;
         i = rp_sector_lists_next(far, i + 1u)) {
        if (rp_suspects_may_reach(self, i, metric, start, limit) &&
            rp_suspects_look(self, &far->sectors[i], field, metric, start, limit, false)) {
            return true;
        }
    }
    return false;
}

/// Move all cells whose f is within the limit to `near`, sector by sector.
/// @param sector  the next sector to look at: 0 at first; counted up
/// @return false when the budget was spent first
static inline bool rp_suspects_gather(rp_suspects_t *self, const rp_field_t *field,
                                      const rp_metric_t *metric, rp_point_t start, rp_cost_t limit,
                                      uint32_t *sector, uint64_t *budget)
{
    rp_sector_lists_t *far = &self->far;
    for (; (*sector = rp_sector_lists_next(far, *sector)) < RP_SECTOR_LISTS_ALL; ++*sector) {
        if (!rp_suspects_may_reach(self, *sector, metric, start, limit)) {
            continue;
        }
        if (*budget == 0) {
            return false;
        }
        const uint32_t count = far->count;
        (void)rp_suspects_look(self, &far->sectors[*sector], field, metric, start, limit, true);
        rp_budget_pay(budget, (count - far->count) / RP_SUSPECTS_EACH);
    }
    return true;
}

#endif
