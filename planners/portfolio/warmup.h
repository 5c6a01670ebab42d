/// @file
/// What AUTO does in idle time, where making a member ready costs nothing. After a search from
/// scratch the member that suits the workload is made ready at once, and takes the next update if
/// it is expected to be the cheaper one; after a repair that does not suit, the one that does. An
/// update
/// that comes before it is ready ends the attempt, and the next attempt waits until plans have cost
/// as much again. A member that was given up in its search ends it, if no update comes before: so
/// it is ready, too. On weighted ground, where searches through a field become longer with time
/// (the field wears), another field is built beside it and takes its place.
///
/// Without idle time a dear repair for ends that stay is made ready in slices, each behind an
/// update, with or without a search: an eighth of the whole less what the search cost, or half of a
/// search that cost more.
#ifndef REPLAN_PLANNERS_PORTFOLIO_WARMUP_H
#define REPLAN_PLANNERS_PORTFOLIO_WARMUP_H

#include "planners/grid/search_stats.h"
#include "planners/portfolio/choice.h"
#include "planners/portfolio/member_path.h"

/// Without idle time a repair for ends that stay is made ready behind updates, when that is thought
/// to cost so much: at once it would take as long as many searches from scratch.
#ifndef RP_SLICED_FROM_NS
#define RP_SLICED_FROM_NS 250000u
#endif

/// An update and what is done of it behind that cost 1 / this of it together.
#ifndef RP_SLICES
#define RP_SLICES 8u
#endif

/// Behind a search from scratch that costs more than that alone, 1 / this of it is done.
#define RP_SLICE_SHARE 2u

/// A field is worn when its searches have cost 1 / this of what it took.
#define RP_WORN_SHARE 2u

typedef struct rp_warmup {
    unsigned under_way; ///< the member that is being made ready, or ends its search; MEMBERS: none
    unsigned done;      ///< the member that is ready but was not chosen yet; MEMBERS: none
    unsigned halted;    ///< the member that was given up in its last search; MEMBERS: none
    bool goes_on;       ///< the member under way is one that was halted
    bool is_sliced;     ///< it is made ready behind updates, and hears of them
    bool is_guess;      ///< the last one was made ready before the first update
    rp_member_path_t
        member_path;      ///< the path that the member that is ready, or was halted, wrote last
    uint64_t patience_ns; ///< what plans must cost before a member is made ready again
} rp_warmup_t;

/// Another trip begins: forget what was learnt of this one.
static inline void rp_warmup_forget_trip(rp_warmup_t *self)
{
    self->patience_ns = 0;
    self->under_way = MEMBERS;
    self->done = MEMBERS;
    self->halted = MEMBERS;
    self->is_guess = false;
}

/// True when no member is being made ready, and none is ready or may soon be.
static inline bool rp_warmup_is_idle(const rp_warmup_t *self)
{
    return self->under_way == MEMBERS && self->done == MEMBERS && self->halted == MEMBERS;
}

/// True when a member is made ready behind updates.
static inline bool rp_warmup_is_in_slices(const rp_warmup_t *self)
{
    return self->under_way != MEMBERS && self->is_sliced;
}

/// Count what plans have cost, or would have, towards `patience_ns`, which is what the member under
/// way has cost where it is made ready behind them.
static inline void rp_warmup_wait(rp_warmup_t *self, uint64_t cost_ns)
{
    if (rp_warmup_is_in_slices(self)) {
        return;
    }
    self->patience_ns = rp_cost_beyond(self->patience_ns, cost_ns);
}

/// End the preparation, as a member takes an update, be it the one that is ready or another; not
/// where that is the search from scratch, and the preparation goes on behind it.
/// @param was_shown  the path of the last plan was asked for
static inline void rp_warmup_end(rp_warmup_t *self, unsigned which, bool was_shown)
{
    if (was_shown && which != self->done) {
        self->member_path.count = 0;
    }
    self->under_way = rp_warmup_is_in_slices(self) && which == SCRATCH ? self->under_way : MEMBERS;
    self->done = MEMBERS;
    self->halted = MEMBERS;
}

/// A member was given up in its search, and heard of all before.
/// @param shown  the path that it wrote last, if that was shown: a cell at least
static inline void rp_warmup_halt(rp_warmup_t *self, unsigned which, const rp_path_t *shown)
{
    if (self->member_path.count == 0) {
        rp_member_path_keep(&self->member_path, shown);
    }
    self->halted = which;
}

/// The member that was halted does not hear of what happens now.
static inline void rp_warmup_forget_halted(rp_warmup_t *self)
{
    self->member_path.count = self->halted != MEMBERS ? 0u : self->member_path.count;
    self->halted = MEMBERS;
}

/// True when the field at work is worn: its searches have cost a part of what building it takes.
static inline bool rp_warmup_is_worn(const rp_choice_t *choice)
{
    const rp_portfolio_member_t *walk = &choice->members[WALK];
    return choice->current == WALK && choice->members[SPARE].candidate != NULL &&
           walk->begin_ns != 0 && walk->spent_ns >= walk->begin_ns / RP_WORN_SHARE;
}

/// The member to make ready: the one for what usually happens; without workload one that can take
/// what comes.
/// @param versatile  which that is
static inline unsigned rp_warmup_promising(const rp_choice_t *choice, unsigned versatile)
{
    if (rp_warmup_is_worn(choice) && !rp_choice_is_misplaced(choice)) {
        return SPARE;
    }
    return choice->workload.has_any ? rp_choice_suited(choice) : versatile;
}

/// True when a field is worn, or searches from scratch are dear enough for a repair to be thought
/// cheaper, or the repair that was a guess is not the one for what happens, or has cost
/// as much as making it ready.
static inline bool rp_warmup_may_begin(const rp_warmup_t *self, rp_choice_t *choice,
                                       unsigned versatile)
{
    const unsigned which = rp_warmup_promising(choice, versatile);
    const rp_portfolio_member_t *member = &choice->members[which];
    if (self->patience_ns != 0 || rp_workload_is_restless(&choice->workload)) {
        return false;
    }
    rp_choice_guess_cost(choice, which);
    if (which == SPARE) {
        return true;
    }
    const bool was_wrong = self->is_guess && choice->workload.has_any;
    const bool pays = choice->current == SCRATCH
                          ? member->cost_ns < choice->members[SCRATCH].cost_ns
                          : was_wrong || rp_choice_is_misplaced(choice);
    return !member->is_live && pays;
}

/// Without memory for the member nothing is begun.
static inline void rp_warmup_begin(rp_warmup_t *self, rp_choice_t *choice, unsigned versatile,
                                   const rp_grid_t *grid)
{
    const rp_goal_t goal = {.cell = choice->workload.goal};
    const unsigned which = rp_warmup_promising(choice, versatile);
    if (rp_portfolio_member_equip(&choice->members[which], grid) == RP_OK) {
        self->under_way = which;
        self->goes_on = false;
        self->is_sliced = false;
        rp_portfolio_member_begin(&choice->members[which], choice->workload.start, &goal, 1);
    }
}

/// Let the member that was halted end its search: it keeps what it knows, as of obstacles that go
/// again.
static inline void rp_warmup_resume(rp_warmup_t *self)
{
    self->under_way = self->halted;
    self->goes_on = true;
    self->is_sliced = false;
    self->halted = MEMBERS;
}

/// The member is ready: its path costs what the search from scratch's does, but may be another one.
static inline void rp_warmup_finish(rp_warmup_t *self, rp_choice_t *choice)
{
    rp_portfolio_member_t *member = &choice->members[self->under_way];
    if (self->goes_on) {
        rp_member_path_renew(&self->member_path, member->candidate->ops, member->state);
    } else {
        rp_member_path_take(&self->member_path, member->candidate->ops, member->state);
        member->begin_ns = self->patience_ns;
    }
    member->is_live = true;
    if (self->under_way == SPARE) {
        rp_portfolio_member_replace(&choice->members[WALK], member);
        self->under_way = WALK;
    }
    choice->repair = self->under_way;
    choice->rent_ns = 0;
    self->is_guess = !choice->workload.has_any;
    self->patience_ns = self->is_guess ? 0u : self->patience_ns;
    if (self->done != MEMBERS && self->done != self->under_way) {
        choice->members[self->done].is_live = false; // it may not have heard of all
    }
    self->done = self->under_way;
    self->under_way = MEMBERS;
}

/// Begin to make a member ready behind updates. Without memory for it nothing is begun.
static inline void rp_warmup_begin_in_slices(rp_warmup_t *self, rp_choice_t *choice, unsigned which,
                                             const rp_grid_t *grid)
{
    rp_warmup_begin(self, choice, which, grid);
    self->is_sliced = self->under_way == which;
    self->patience_ns = 0;
}

/// Tell the member that is made ready behind updates what happened; one that would have to begin
/// anew is given up.
static inline void rp_warmup_tell(rp_warmup_t *self, rp_choice_t *choice, const rp_update_t *update)
{
    rp_portfolio_member_t *member = &choice->members[self->under_way];
    member->is_live = true; // for this call: it hears of every event
    if (!rp_portfolio_member_update(member, update)) {
        self->under_way = MEMBERS;
    }
    member->is_live = false;
}

/// Go on making the member ready that is under way.
static inline rp_status_t rp_warmup_go_on(rp_warmup_t *self, rp_choice_t *choice, uint64_t *budget)
{
    rp_portfolio_member_t *member = &choice->members[self->under_way];
    rp_search_stats_t stats = {0};
    const rp_status_t status = member->candidate->ops->search(member->state, budget, &stats);
    self->patience_ns += stats.expanded * member->expansion_ns;
    rp_portfolio_member_note_bytes(member);
    if (status == RP_OK) {
        rp_warmup_finish(self, choice);
    }
    return status;
}

#endif
