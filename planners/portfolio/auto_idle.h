/// @file
/// What AUTO does with idle time: it makes a member ready, tells the one that searches from scratch
/// what it missed, and lets members idle.
#ifndef REPLAN_PLANNERS_PORTFOLIO_AUTO_IDLE_H
#define REPLAN_PLANNERS_PORTFOLIO_AUTO_IDLE_H

#include "planners/portfolio/auto_state.h"

/// Changes that are kept for the flood until idle time: to take them in together is cheaper.
#define RP_AUTO_FEW_BATCHES 64u

/// Let a hand idle, if it has been told of everything.
static inline rp_status_t rp_auto_idle_member(rp_auto_t *self, unsigned which, uint64_t *budget)
{
    rp_portfolio_member_t *hand = &self->choice.hands[which];
    const rp_planner_ops_t *ops = hand->member->ops;
    if (!hand->is_live || ops->idle == NULL || !rp_change_cursors_is_done(&self->backlog, which)) {
        return RP_OK;
    }
    const rp_status_t status = ops->idle(hand->state, budget);
    rp_portfolio_member_note_bytes(hand);
    return status;
}

/// Let hands idle: first the one that is ready, then the one at work.
static inline rp_status_t rp_auto_idle_members(rp_auto_t *self, uint64_t *budget)
{
    const unsigned ready = self->preparation.done;
    if (ready != MEMBERS && rp_auto_idle_member(self, ready, budget) == RP_MORE) {
        return RP_MORE;
    }
    return rp_auto_idle_member(self, self->choice.current, budget);
}

/// True when a few batches are kept for the flood: told in idle time, they do not delay its next
/// search.
static inline bool rp_auto_idle_may_tell_scratch(const rp_auto_t *self)
{
    return self->backlog.deferred.count >= RP_AUTO_FEW_BATCHES;
}

/// Tell the flood of what was kept for it. If the flood is at work, the cost counts towards making
/// another hand ready, although nobody waits for it.
static inline void rp_auto_idle_tell_scratch(rp_auto_t *self)
{
    rp_portfolio_member_t *flood = &self->choice.hands[SCRATCH];
    rp_goal_t goal;
    const rp_update_t nothing = rp_auto_nothing_new(self, &goal);
    rp_change_cursors_tell_scratch(&self->backlog, flood, &nothing);
    const size_t late = rp_change_cursors_take_late(&self->backlog);
    if (self->choice.current == SCRATCH) {
        rp_warmup_wait(&self->preparation, late * flood->change_ns);
    }
}

/// The slot `idle`.
static inline rp_status_t rp_auto_idle(rp_auto_t *self, uint64_t *budget)
{
    rp_warmup_t *preparation = &self->preparation;
    if (self->has_idled && !rp_auto_idle_may_tell_scratch(self)) {
        return RP_OK; // nothing came since
    }
    if (preparation->halted != MEMBERS) {
        rp_warmup_resume(preparation);
    }
    const unsigned versatile = self->stood >= RP_AUTO_STAYS_FROM ? STAY
                               : self->grid->shape.wraps         ? CHASE
                                                                 : WALK;
    const bool has_path = self->choice.current != SCRATCH || self->certificate.path.count != 0;
    if (preparation->under_way == MEMBERS && self->is_done && !self->is_set && has_path &&
        rp_warmup_may_begin(preparation, &self->choice, versatile)) {
        rp_warmup_begin(preparation, &self->choice, versatile, self->grid);
    }
    if (preparation->under_way != MEMBERS) {
        if (rp_warmup_go_on(preparation, &self->choice, budget) == RP_MORE) {
            return RP_MORE;
        }
        rp_change_log_clear(&self->backlog.unheard); // of another that was ready
    }
    if (rp_auto_idle_may_tell_scratch(self)) {
        rp_auto_idle_tell_scratch(self);
    }
    const rp_status_t status = rp_auto_idle_members(self, budget);
    if (status == RP_OK && !self->has_idled) {
        rp_late_changes_prefault(&self->backlog.deferred);
        self->has_idled = true;
    }
    return status;
}

#endif
