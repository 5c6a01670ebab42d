/// @file
/// Touch the memory of an anchored search (search/anchored.h) in idle time. Searches touch pages
/// all over the grid, and each first touch is a page fault, while somebody waits for the answer.
#ifndef REPLAN_SEARCH_MEETING_H
#define REPLAN_SEARCH_MEETING_H

#include "planners/search/anchored.h"
#include "planners/search/budget.h"

/// Places whose memory is touched between two looks at the budget, and in the time of an expansion.
#define RP_MEETING_AT_ONCE (1u << 15)
#define RP_MEETING_EACH    64u

/// Touch the beginning of lists of which only that is used as a rule.
static inline void rp_meeting_lists_(const rp_anchored_t *anchored)
{
    const rp_stacks_t *stacks = &anchored->homing.stacks;
    const rp_heap_t *lowered = &anchored->field.lowered;
    for (unsigned i = 0; anchored->homing.has_stacks && i < 2u; i++) {
        rp_memory_meet(stacks->cells[i], stacks->capacity, sizeof *stacks->cells[i], 0, 1);
    }
    rp_memory_meet(lowered->entries, lowered->capacity, sizeof *lowered->entries, 0, 1);
}

/// Go on touching memory, in the order of places.
/// @param met   places that are done; 0 at first, counted up
/// @param more  another array by cell, of the member's own; NULL: none
/// @param size  bytes of one of its elements
/// @return RP_OK when all is done, RP_MORE when the budget was spent first
static inline rp_status_t rp_meeting_go_on(const rp_anchored_t *anchored, uint32_t *met, void *more,
                                           size_t size, uint64_t *budget)
{
    const uint32_t cells = anchored->grid->cell_count;
    while (*met < cells) {
        if (*budget == 0) {
            return RP_MORE;
        }
        if (*met == 0) {
            rp_meeting_lists_(anchored);
        }
        const uint32_t left = cells - *met;
        const uint32_t end = *met + (left < RP_MEETING_AT_ONCE ? left : RP_MEETING_AT_ONCE);
        rp_memory_meet(anchored->homing.nodes, cells, sizeof(rp_node_t), *met, end);
        rp_memory_meet(anchored->field.nodes, cells, sizeof(rp_node_t), *met, end);
        if (more != NULL) {
            rp_memory_meet(more, cells, size, *met, end);
        }
        rp_budget_pay(budget, (end - *met) / RP_MEETING_EACH + 1u);
        *met = end;
    }
    return RP_OK;
}

#endif
