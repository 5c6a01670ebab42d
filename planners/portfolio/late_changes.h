/// @file
/// Changes that the search from scratch of AUTO is told later, in the order in which they happened:
/// it is not needed while another member works, or a path proves itself. A cell may be among them
/// more than once; its last change counts. Told at once instead, a hundred footprints with 4
/// neighbours take 1.3 times as long, and P3 1.15.
#ifndef REPLAN_PLANNERS_PORTFOLIO_LATE_CHANGES_H
#define REPLAN_PLANNERS_PORTFOLIO_LATE_CHANGES_H

#include <string.h>

#include "planners/portfolio/portfolio.h"

/// Most changes that are kept; with more, the search from scratch had better begin anew.
#define RP_LATE_CHANGES_MAX 1024u

typedef struct rp_late_changes {
    rp_change_t *changes; ///< [RP_LATE_CHANGES_MAX]
    size_t count;         ///< 0: it was told everything
    size_t uncounted;     ///< changes that it was told late, not counted as a cost yet
    bool is_ahead;        ///< it was told since it searched last
} rp_late_changes_t;

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

/// It begins anew, from the grid as it is now.
static inline void rp_late_changes_drop(rp_late_changes_t *self)
{
    self->count = 0;
    self->is_ahead = false;
}

/// How many changes it was told late since the last call.
static inline size_t rp_late_changes_take_count(rp_late_changes_t *self)
{
    const size_t count = self->uncounted;
    self->uncounted = 0;
    return count;
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

/// Tell the search from scratch what was kept.
/// @param update  its ends; its changes are not looked at
static inline void rp_late_changes_tell(rp_late_changes_t *self, rp_portfolio_member_t *scratch,
                                        const rp_update_t *update)
{
    const rp_update_t late = {.changes = self->changes,
                              .change_count = self->count,
                              .goals = update->goals,
                              .goal_count = update->goal_count,
                              .start = update->start};
    if (scratch->is_live && self->count != 0) {
        scratch->is_live = rp_portfolio_member_update(scratch, &late);
        self->uncounted += self->count;
        self->is_ahead = true;
    }
    self->count = 0;
}

/// Keep an update for later. If it is too much to keep, the search from scratch is told at once, or
/// must begin anew if another member is at work.
static inline void rp_late_changes_defer(rp_late_changes_t *self, rp_portfolio_member_t *scratch,
                                         bool is_at_work, const rp_update_t *update)
{
    if (!scratch->is_live || (!update->goals_changed &&
                              rp_late_changes_add(self, update->changes, update->change_count))) {
        return;
    }
    if (is_at_work) {
        rp_late_changes_tell(self, scratch, update);
        scratch->is_live = rp_portfolio_member_update(scratch, update);
        self->is_ahead = true;
    } else {
        scratch->is_live = false;
    }
}

/// Tell the search from scratch what was kept and what is new as one batch, if that is not too
/// much: it updates its map only once then.
/// @return false when it must begin anew
static inline bool rp_late_changes_update(rp_late_changes_t *self, rp_portfolio_member_t *scratch,
                                          const rp_update_t *update)
{
    rp_update_t all = *update;
    const size_t late = self->count;
    if (late != 0 && rp_late_changes_add(self, update->changes, update->change_count)) {
        self->uncounted += late;
        all.changes = self->changes;
        all.change_count = self->count;
    } else {
        rp_late_changes_tell(self, scratch, update);
    }
    rp_late_changes_drop(self);
    return rp_portfolio_member_update(scratch, &all);
}

#endif
