/// @file
/// What the search from scratch of AUTO was not told yet: it is not needed while another member
/// works, or a path proves itself. It is told when its turn comes.
#ifndef REPLAN_PLANNERS_PORTFOLIO_CHANGE_CURSORS_H
#define REPLAN_PLANNERS_PORTFOLIO_CHANGE_CURSORS_H

#include "planners/portfolio/late_changes.h"
#include "planners/portfolio/portfolio.h"

typedef struct rp_change_cursors {
    rp_late_changes_t late_changes; ///< what the search from scratch has not heard of
    size_t late;   ///< changes that it heard of after they were deferred, not counted yet
    bool is_ahead; ///< it has not searched since
} rp_change_cursors_t;

/// True when it was told everything.
static inline bool rp_change_cursors_has_heard(const rp_change_cursors_t *self)
{
    return self->late_changes.count == 0;
}

/// True when it has searched since, too.
static inline bool rp_change_cursors_is_done(const rp_change_cursors_t *self)
{
    return rp_change_cursors_has_heard(self) && !self->is_ahead;
}

/// It begins anew, from the grid as it is now.
static inline void rp_change_cursors_drop(rp_change_cursors_t *self)
{
    self->late_changes.count = 0;
    self->is_ahead = false;
}

/// How many changes the search from scratch was told late since the last call.
static inline size_t rp_change_cursors_take_late(rp_change_cursors_t *self)
{
    const size_t late = self->late;
    self->late = 0;
    return late;
}

/// Tell the search from scratch what was deferred.
/// @param update  its ends; its changes are not looked at
static inline void rp_change_cursors_tell_scratch(rp_change_cursors_t *self,
                                                  rp_portfolio_member_t *scratch,
                                                  const rp_update_t *update)
{
    const rp_update_t late = {.changes = self->late_changes.changes,
                              .change_count = self->late_changes.count,
                              .goals = update->goals,
                              .goal_count = update->goal_count,
                              .start = update->start};
    if (scratch->is_live && self->late_changes.count != 0) {
        scratch->is_live = rp_portfolio_member_update(scratch, &late);
        self->late += self->late_changes.count;
        self->is_ahead = true;
    }
    self->late_changes.count = 0;
}

/// Keep an update for later, as the search from scratch is not needed now. If it is too much to
/// keep, the search from scratch is told at once, or must begin anew if another member is at work.
static inline void rp_change_cursors_defer(rp_change_cursors_t *self,
                                           rp_portfolio_member_t *scratch, bool is_at_work,
                                           const rp_update_t *update)
{
    if (!scratch->is_live ||
        (!update->goals_changed &&
         rp_late_changes_add(&self->late_changes, update->changes, update->change_count))) {
        return;
    }
    if (is_at_work) {
        rp_change_cursors_tell_scratch(self, scratch, update);
        scratch->is_live = rp_portfolio_member_update(scratch, update);
        self->is_ahead = true;
    } else {
        scratch->is_live = false;
    }
}

/// Tell the search from scratch what was deferred and what is new as one batch, if that is not too
/// much: it updates its map only once then.
/// @return false when it must begin anew
static inline bool rp_change_cursors_update_scratch(rp_change_cursors_t *self,
                                                    rp_portfolio_member_t *scratch,
                                                    const rp_update_t *update)
{
    rp_update_t all = *update;
    const size_t late = self->late_changes.count;
    if (late != 0 &&
        rp_late_changes_add(&self->late_changes, update->changes, update->change_count)) {
        self->late += late;
        all.changes = self->late_changes.changes;
        all.change_count = self->late_changes.count;
    } else {
        rp_change_cursors_tell_scratch(self, scratch, update);
    }
    self->late_changes.count = 0;
    self->is_ahead = false;
    return rp_portfolio_member_update(scratch, &all);
}

static inline void rp_change_cursors_init(rp_change_cursors_t *self, rp_arena_t *arena)
{
    rp_late_changes_init(&self->late_changes, arena);
}

#endif
