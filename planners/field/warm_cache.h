/// @file
/// Touch the memory of a search through a field (field/field_core.h) in idle time. Searches
/// touch pages all over the grid, and each first touch is a page fault, while somebody waits for
/// the answer.
///
/// Building the field has driven the grid out of the caches. So after each build the grid is read
/// through, and with it the bits that each batch asks for: most updates take longer to fetch what
/// stands round the changed cells than for anything else.
#ifndef REPLAN_PLANNERS_FIELD_WARM_CACHE_H
#define REPLAN_PLANNERS_FIELD_WARM_CACHE_H

#include "base/budget.h"
#include "planners/field/field_core.h"

/// Places whose memory is touched between two looks at the budget, and in the time of an expansion.
#define RP_WARM_CACHE_AT_ONCE (1u << 13)
#define RP_WARM_CACHE_EACH    64u

/// Places that are read between two looks at the budget.
#define RP_WARM_CACHE_READ_AT_ONCE (1u << 15)

/// A line of the caches, in cells of the grid; so many are read in the time of an expansion.
#define RP_WARM_CACHE_LINE  64u
#define RP_WARM_CACHE_LINES 4u

/// The grid and the bits of more cells than these would not stay in the caches.
#define RP_WARM_CACHE_READ_MOST ((uint32_t)1 << 21)

/// So many deferred decreases have their memory met.
#define RP_WARM_CACHE_DECREASES 4096u

typedef struct rp_warm_cache {
    uint32_t met;   ///< places of which the memory was touched, from the first on
    uint32_t read;  ///< places of which the grid was read since the field was built
    uint32_t build; ///< the number of that build
} rp_warm_cache_t;

/// Touch the beginning of lists of which only that is used as a rule.
static inline void rp_warm_cache_lists_(rp_field_core_t *core)
{
    rp_deferred_decreases_t *deferred = &core->deferred;
    rp_heap_prefault(&core->field.lowered);
    rp_undo_log_prefault(&core->undo_log);
    if (deferred->capacity > RP_WARM_CACHE_DECREASES) {
        rp_memory_prefault(deferred->cells, deferred->capacity, sizeof *deferred->cells, 0,
                           RP_WARM_CACHE_DECREASES);
        rp_memory_touch(deferred->cells, RP_WARM_CACHE_DECREASES * sizeof *deferred->cells);
    }
}

/// Go on touching memory, in the order of places.
/// @return false when the budget was spent first
static inline bool rp_warm_cache_touch_(rp_warm_cache_t *self, rp_field_core_t *core,
                                        uint64_t *budget)
{
    const uint32_t cells = core->grid->cell_count;
    const bool is_huge = self->met == cells || rp_memory_is_huge(cells, sizeof(rp_node_t));
    while (self->met < cells) {
        if (*budget == 0) {
            return false;
        }
        if (self->met == 0) {
            rp_warm_cache_lists_(core);
        }
        const uint32_t left = cells - self->met;
        const uint32_t end =
            self->met + (left < RP_WARM_CACHE_AT_ONCE ? left : RP_WARM_CACHE_AT_ONCE);
        rp_prefault_ahead(&core->field_search.prefault, core->field_search.nodes, self->met, end);
        rp_prefault_ahead(&core->field.prefault, core->field.nodes, self->met, end);
        if (!is_huge) { // page by page
            const size_t bytes = (end - self->met) * sizeof(rp_node_t);
            rp_memory_touch(core->field_search.nodes + self->met, bytes);
            rp_memory_touch(core->field.nodes + self->met, bytes);
        }
        rp_budget_pay(budget, (end - self->met) / RP_WARM_CACHE_EACH + 1u);
        self->met = end;
    }
    return true;
}

/// Read what stands in some places of the grid; the search's bits are written, too, as their pages
/// may be fresh.
static inline void rp_warm_cache_read_lines_(const rp_field_core_t *core, uint32_t place,
                                             uint32_t end)
{
    const volatile uint8_t *factors = core->grid->factor;
    const volatile uint8_t *moves = core->grid->moves;
    volatile uint8_t *path_cache = core->path_cache.bits;
    volatile uint8_t *deferred = core->deferred.bits;
    for (; place < end; place += RP_WARM_CACHE_LINE) {
        (void)factors[place];
        (void)moves[place];
        path_cache[place / 8u] = path_cache[place / 8u];
        if (deferred != NULL) {
            deferred[place / 8u] = deferred[place / 8u];
        }
    }
}

/// Go on reading the grid, if the field was built since it was read last.
/// @return false when the budget was spent first
static inline bool rp_warm_cache_read_(rp_warm_cache_t *self, const rp_field_core_t *core,
                                       uint64_t *budget)
{
    const uint32_t cells = core->grid->cell_count;
    if (self->build != core->field.build) {
        self->build = core->field.build;
        self->read = cells <= RP_WARM_CACHE_READ_MOST ? 0 : cells;
    }
    while (self->read < cells) {
        if (*budget == 0) {
            return false;
        }
        const uint32_t left = cells - self->read;
        const uint32_t end =
            self->read + (left < RP_WARM_CACHE_READ_AT_ONCE ? left : RP_WARM_CACHE_READ_AT_ONCE);
        rp_warm_cache_read_lines_(core, self->read, end);
        rp_budget_pay(budget, (end - self->read) / (RP_WARM_CACHE_LINE * RP_WARM_CACHE_LINES) + 1u);
        self->read = end;
    }
    return true;
}

/// Go on touching memory, and then reading the grid.
/// @param self  zeroed at first
/// @return RP_OK when all is done, RP_MORE when the budget was spent first
static inline rp_status_t rp_warm_cache_go_on(rp_warm_cache_t *self, rp_field_core_t *core,
                                              uint64_t *budget)
{
    return rp_warm_cache_touch_(self, core, budget) && rp_warm_cache_read_(self, core, budget)
               ? RP_OK
               : RP_MORE;
}

#endif
