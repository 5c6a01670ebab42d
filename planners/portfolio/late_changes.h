/// @file
/// Changes that a member is told later, in the order in which they happened. A cell may be among
/// them more than once; its last change counts. Told at once instead, a hundred footprints with 4
/// neighbours take 1.3 times as long, and P3 1.15.
#ifndef REPLAN_PLANNERS_PORTFOLIO_LATE_CHANGES_H
#define REPLAN_PLANNERS_PORTFOLIO_LATE_CHANGES_H

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "planners/core/planner_ops.h"

/// Most changes that are kept; with more, the member had better begin anew.
#define RP_LATE_CHANGES_MAX 1024u

typedef struct rp_late_changes {
    rp_change_t *changes; ///< owned [RP_LATE_CHANGES_MAX]
    size_t count;
} rp_late_changes_t;

/// @return RP_E_MEMORY
static inline void rp_late_changes_init(rp_late_changes_t *self, rp_arena_t *arena)
{
    *self = (rp_late_changes_t){
        .changes = rp_arena_new(arena, RP_LATE_CHANGES_MAX, sizeof *self->changes)};
}

/// Touch the memory that the next batches will be written to.
static inline void rp_late_changes_prefault(rp_late_changes_t *self)
{
    const size_t a_page = RP_MEMORY_PAGE / sizeof *self->changes;
    for (size_t i = self->count; i < RP_LATE_CHANGES_MAX; i += a_page) {
        *(volatile uint8_t *)&self->changes[i].after = 0;
    }
}

/// True when there is room for so many more.
static inline bool rp_late_changes_has_room(const rp_late_changes_t *self, size_t count)
{
    return count <= RP_LATE_CHANGES_MAX - self->count;
}

/// Keep a batch for later.
/// @return false when there is no room; nothing changes then
static inline bool rp_late_changes_add(rp_late_changes_t *self, const rp_change_t *changes,
                                       size_t count)
{
    if (!rp_late_changes_has_room(self, count)) {
        return false;
    }
    if (count != 0) { // a start that moved comes without changes
        memcpy(self->changes + self->count, changes, count * sizeof *changes);
    }
    self->count += count;
    return true;
}

#endif
