/// @file
/// What AUTO does with idle time: it makes a member ready, tells the one that searches from scratch
/// what it missed, and lets members idle.
#ifndef REPLAN_PLANNERS_PORTFOLIO_AUTO_IDLE_H
#define REPLAN_PLANNERS_PORTFOLIO_AUTO_IDLE_H

#include "planners/portfolio/auto_state.h"

/// Changes that are kept for the search from scratch until idle time: to take them in together is
/// cheaper.
#define RP_AUTO_FEW_BATCHES 64u

/// Let a member idle, if it has been told of everything.
static inline rp_status_t rp_auto_idle_member(rp_auto_t *self, unsigned which, uint64_t *budget)
{
    rp_portfolio_member_t *member = &self->choice.members[which];
    const rp_planner_ops_t *ops = member->candidate->ops;
    if (!member->is_live || ops->idle == NULL ||
        (which == SCRATCH && (self->late.count != 0 || self->late.is_ahead))) {
        return RP_OK;
    }
    const rp_status_t status = ops->idle(member->state, budget);
    rp_portfolio_member_note_bytes(member);
    return status;
}

/// Let members idle: first the one that is ready, then the one at work.
static inline rp_status_t rp_auto_idle_members(rp_auto_t *self, uint64_t *budget)
{
    const unsigned ready = self->warmup.done;
    if (ready != MEMBERS && rp_auto_idle_member(self, ready, budget) == RP_MORE) {
        return RP_MORE;
    }
    return rp_auto_idle_member(self, self->choice.current, budget);
}

/// True when a few batches are kept for the search from scratch: told in idle time, they do not
/// delay its next search.
static inline bool rp_auto_idle_may_tell_scratch(const rp_auto_t *self)
{
    return self->late.count >= RP_AUTO_FEW_BATCHES;
}

/// Tell the search from scratch of what was kept for it. If the search from scratch is at work, the
/// cost counts towards making another member ready, although nobody waits for it.
static inline void rp_auto_idle_tell_scratch(rp_auto_t *self)
{
    rp_portfolio_member_t *scratch = &self->choice.members[SCRATCH];
    rp_goal_t goal;
    const rp_update_t nothing = rp_auto_nothing_new(self, &goal);
    rp_late_changes_tell(&self->late, scratch, &nothing);
    const size_t late = rp_late_changes_take_count(&self->late);
    if (self->choice.current == SCRATCH) {
        rp_warmup_wait(&self->warmup, late * scratch->change_ns);
    }
}

/// The slot `idle`.
static rp_status_t rp_auto_idle(void *state, uint64_t *budget)
{
    rp_auto_t *self = state;
    rp_warmup_t *warmup = &self->warmup;
    if (self->has_idled && !rp_auto_idle_may_tell_scratch(self)) {
        return RP_OK; // nothing came since
    }
    if (warmup->halted != MEMBERS) {
        rp_warmup_resume(warmup);
    }
    const unsigned versatile = self->stood >= RP_AUTO_STAYS_FROM ? STAY
                               : self->grid->shape.wraps         ? CHASE
                                                                 : WALK;
    const bool has_path = self->choice.current != SCRATCH || self->certificate.path.count != 0;
    if (warmup->under_way == MEMBERS && self->is_done && !self->is_set && has_path &&
        rp_warmup_may_begin(warmup, &self->choice, versatile)) {
        rp_warmup_begin(warmup, &self->choice, versatile, self->grid);
    }
    if (warmup->under_way != MEMBERS) {
        if (rp_warmup_go_on(warmup, &self->choice, budget) == RP_MORE) {
            return RP_MORE;
        }
    }
    if (rp_auto_idle_may_tell_scratch(self)) {
        rp_auto_idle_tell_scratch(self);
    }
    const rp_status_t status = rp_auto_idle_members(self, budget);
    rp_auto_count_bytes(self);
    if (status == RP_OK && !self->has_idled) {
        rp_late_changes_prefault(&self->late);
        self->has_idled = true;
    }
    return status;
}

#endif
