/// @file
/// What the members of AUTO were not told yet. The search from scratch is not needed while another
/// member works, and a repair that is ready may never be. Each is told when its turn comes.
#ifndef REPLAN_PLANNERS_PORTFOLIO_CHANGE_CURSORS_H
#define REPLAN_PLANNERS_PORTFOLIO_CHANGE_CURSORS_H

#include "planners/core/change_log.h"
#include "planners/portfolio/late_changes.h"
#include "planners/portfolio/portfolio.h"

typedef struct rp_change_cursors {
    const rp_grid_t *grid;          ///< borrowed
    rp_late_changes_t late_changes; ///< what the search from scratch has not heard of
    size_t late;             ///< changes that it heard of after they were deferred, not counted yet
    bool is_ahead;           ///< it has not searched since
    rp_change_log_t unheard; ///< and what the repair that is ready has not
} rp_change_cursors_t;

static inline bool rp_change_cursors_has_heard(const rp_change_cursors_t *self, unsigned which)
{
    return which == SCRATCH ? self->late_changes.count == 0 : self->unheard.count == 0;
}

/// True when the member was told everything, and has searched since.
static inline bool rp_change_cursors_is_done(const rp_change_cursors_t *self, unsigned which)
{
    return rp_change_cursors_has_heard(self, which) && (which != SCRATCH || !self->is_ahead);
}

/// A member begins anew, from the grid as it is now.
static inline void rp_change_cursors_drop(rp_change_cursors_t *self, unsigned which)
{
    if (which == SCRATCH) {
        self->late_changes.count = 0;
        self->is_ahead = false;
    }
    rp_change_log_clear(&self->unheard);
}

/// How many changes the search from scratch was told late since the last call.
static inline size_t rp_change_cursors_take_late(rp_change_cursors_t *self)
{
    const size_t late = self->late;
    self->late = 0;
    return late;
}

// ---- the search from scratch

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

// ---- a repair

/// True when so many more changes may be kept from the repair.
static inline bool rp_change_cursors_has_room(const rp_change_cursors_t *self, size_t count)
{
    return self->unheard.count + count <= RP_LATE_CHANGES_MAX;
}

/// Keep changes from the repair that is ready.
/// @return false without memory; nothing changes then
static inline bool rp_change_cursors_keep(rp_change_cursors_t *self, const rp_change_t *changes,
                                          size_t count)
{
    return rp_change_log_add(&self->unheard, self->grid, changes, count) == RP_OK;
}

/// Tell the repair what was kept from it and what is new as one batch; a cell may be in both.
/// @param count  written: changes in that batch
/// @return false when it must begin anew
static inline bool rp_change_cursors_update_repair(rp_change_cursors_t *self,
                                                   rp_portfolio_member_t *repair,
                                                   const rp_update_t *update, size_t *count)
{
    rp_update_t all = *update;
    if (self->unheard.count != 0) {
        if (rp_change_log_add(&self->unheard, self->grid, update->changes, update->change_count) !=
            RP_OK) {
            return false;
        }
        rp_change_log_merge(&self->unheard);
        all.changes = self->unheard.changes;
        all.change_count = self->unheard.count;
    }
    *count = all.change_count;
    const bool goes_on = rp_portfolio_member_update(repair, &all);
    rp_change_log_clear(&self->unheard);
    return goes_on;
}

// ---- birth and death

static inline void rp_change_cursors_fini(rp_change_cursors_t *self)
{
    rp_change_log_fini(&self->unheard);
}

/// @return RP_E_MEMORY
static inline void rp_change_cursors_init(rp_change_cursors_t *self, const rp_grid_t *grid,
                                          rp_arena_t *arena)
{
    self->grid = grid;
    rp_change_log_clear(&self->unheard);
    rp_late_changes_init(&self->late_changes, arena);
}

#endif
