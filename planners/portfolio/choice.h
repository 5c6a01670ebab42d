/// @file
/// The choice among AUTO's members. It depends on counters alone, so that a replay decides the
/// same. Costs are in nanoseconds of a reference machine: changed cells and expansions, each times
/// a constant of the member.
///
/// A member that repairs must be made ready first, which costs more than many searches from
/// scratch. This is the ski rental problem: AUTO searches from scratch until the searches from
/// scratch that a repair might have spared have cost as much as making it ready (or a fixed part of
/// that, as sessions are long), and then lets the repair begin. It goes back by the same rule: not
/// when one repair turns out dearer than a search from scratch, but when repairs have cost more
/// than searches from scratch would have, by as much as it takes to make the member ready again.
/// And by the same rule it changes from one repair to another, when the one at work does not suit
/// what happens and has cost as much as making it ready; in idle time, if there is any (warmup.h).
#ifndef REPLAN_PLANNERS_PORTFOLIO_CHOICE_H
#define REPLAN_PLANNERS_PORTFOLIO_CHOICE_H

#include "planners/portfolio/certificate.h"
#include "planners/portfolio/portfolio.h"
#include "planners/portfolio/workload.h"

/// Repairs begin when searches from scratch have cost 1 / this of what it takes to make the repair
/// ready.
#define RP_RENT_SHARE 4u

/// Where there is idle time, they end when they have cost 1 / this of that more than searches from
/// scratch, but no less than so many searches from scratch.
#define RP_LOSS_SHARE     8u
#define RP_LOSS_SCRATCHES 8u

/// Expansions that a repair for a start that walks is thought to take at least.
#ifndef RP_WALK_LEAST
#define RP_WALK_LEAST 150u
#endif

static const char *const rp_portfolio_suits[MEMBERS] = {
    [SCRATCH] = "a flood is cheap here",           [STAY] = "repairs pay where both ends stay",
    [NEAR_GOAL] = "repairs from the goal pay",     [WALK] = "repairs pay for a start that walks",
    [CHASE] = "repairs pay for a goal that walks", [SETS] = "several goals",
};

/// Hot members first: the member at work, then the search from scratch.
typedef struct rp_choice {
    unsigned current; ///< the member that searches, or searched last
    unsigned repair;  ///< the repairing member that is thought of
    rp_portfolio_member_t members[MEMBERS];
    rp_workload_t workload;
    uint64_t rent_ns; ///< what the member at work has cost more than the other would have
    uint64_t quiet;   ///< batches since the last plan that left it nothing to do
    bool idles;       ///< there was idle time before this update, so there may be again
} rp_choice_t;

/// Another trip begins: forget what was learnt of this one.
static inline void rp_choice_forget_trip(rp_choice_t *self)
{
    self->rent_ns = 0;
    for (unsigned i = 0; i < MEMBERS; i++) {
        self->members[i].is_live = self->members[i].is_live && i == SCRATCH;
        self->members[i].ready_for = 0;
        self->members[i].begin_ns = 0;
    }
}

/// The repairing member for what usually happens.
static inline unsigned rp_choice_suited(const rp_choice_t *self)
{
    if (self->workload.hunting >= RP_WORKLOAD_OFTEN) {
        return CHASE;
    }
    if (self->workload.walking >= RP_WORKLOAD_OFTEN) {
        return WALK;
    }
    return self->workload.near_goal >= RP_WORKLOAD_MOSTLY ? NEAR_GOAL : STAY;
}

// ---- what things cost

/// By how much `a` exceeds `b`; 0 when it does not.
static inline uint64_t rp_cost_beyond(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0u;
}

/// Guess the cost of a repair that was not seen yet: a part of that of a search from scratch,
/// changes aside. For a start that walks at least some cells: it has to repair where a search from
/// scratch is not needed, as the path proves itself by geometry.
static inline void rp_choice_guess_cost(rp_choice_t *self, unsigned which)
{
    rp_portfolio_member_t *member = &self->members[which];
    const uint64_t least = which == WALK ? RP_WALK_LEAST * (uint64_t)member->expansion_ns : 0u;
    if (member->plans == 0) {
        const uint64_t part = self->members[SCRATCH].cost_ns / 4u;
        member->cost_ns = part > least ? part : least;
    }
}

/// Let the known cost of the repair decay with each update that it was not asked to take: it is out
/// of date, and at most of those updates the repair would have had nothing to do.
static inline void rp_choice_forget_repair(rp_choice_t *self)
{
    rp_portfolio_member_t *repair = &self->members[self->repair];
    repair->cost_ns -= repair->cost_ns / 64u;
}

/// Note updates that left the repair at work nothing to do. It has saved as many searches from
/// scratch, which pays for making it ready again.
/// @return what it saved, in ns
static inline uint64_t rp_choice_note_quiet(rp_choice_t *self, uint64_t updates)
{
    rp_portfolio_member_t *member = &self->members[self->current];
    const uint64_t saved_ns = updates * self->members[SCRATCH].cost_ns;
    self->rent_ns = rp_cost_beyond(self->rent_ns, saved_ns);
    self->quiet += updates;
    for (; updates != 0 && member->cost_ns >= 8u; updates--) {
        member->cost_ns -= member->cost_ns / 8u;
    }
    return saved_ns;
}

/// The running mean of what the member at work costs an update, with a plan of this cost. The
/// updates before it that left nothing to do share the cost: otherwise one dear repair in a hundred
/// updates would make the member look dear.
static inline uint64_t rp_choice_mean_with(const rp_choice_t *self, uint64_t cost_ns)
{
    const rp_portfolio_member_t *member = &self->members[self->current];
    const uint64_t share_ns = cost_ns / (self->quiet + 1u);
    uint64_t forgotten_ns = share_ns;
    for (uint64_t left = self->quiet + 1u; left != 0 && forgotten_ns >= 8u; left--) {
        forgotten_ns -= forgotten_ns / 8u;
    }
    return member->plans == 0 ? share_ns
                              : member->cost_ns - member->cost_ns / 8u + share_ns - forgotten_ns;
}

/// True when the repair at work does not suit what happens, and has cost as much as making it
/// ready.
static inline bool rp_choice_is_misplaced(const rp_choice_t *self)
{
    const rp_portfolio_member_t *member = &self->members[self->current];
    return self->current != SCRATCH && rp_choice_suited(self) != self->current &&
           member->begin_ns != 0 && member->spent_ns >= member->begin_ns &&
           rp_workload_is_trip(&self->workload);
}

/// True when the one that suits may take an update without being made ready in idle time: if there
/// is no such time, and there is a path. Without a path it would have to search all that can be
/// reached.
static inline bool rp_choice_may_change(const rp_choice_t *self, const rp_update_t *update)
{
    return rp_choice_is_misplaced(self) && !self->idles && update->shown.count != 0 &&
           rp_portfolio_member_can_take(&self->members[rp_choice_suited(self)], update);
}

/// Note that this plan has made the member at work ready. A search from scratch would have searched
/// about the same cells.
static inline void rp_choice_note_beginning(rp_choice_t *self)
{
    rp_portfolio_member_t *member = &self->members[self->current];
    rp_portfolio_member_t *scratch = &self->members[SCRATCH];
    if (scratch->plans == 0) {
        scratch->cost_ns = member->expanded * scratch->expansion_ns;
    }
    member->begin_ns = member->expanded * member->expansion_ns;
    member->plans++;
}

/// Note what a finished plan cost, and what the other member would have.
/// @param changes  cells that it took in
/// @param late     cells of earlier batches that it took in only now, as they left its path alone;
/// a
///                 repair that sees that at once need not take them in
/// @return what its search cost, with the late cells, in ns
static inline uint64_t rp_choice_note_plan(rp_choice_t *self, size_t changes, size_t late)
{
    rp_portfolio_member_t *member = &self->members[self->current];
    const bool is_repair = self->current != SCRATCH;
    const rp_portfolio_member_t *other = &self->members[is_repair ? SCRATCH : self->repair];
    const uint64_t cost_ns = member->expanded * member->expansion_ns;
    const uint64_t late_ns = late * member->change_ns;
    const uint64_t paid_ns = self->rent_ns + cost_ns + late_ns + changes * member->change_ns;
    const size_t its = changes + (rp_portfolio_member_sees_at_once(other) ? 0u : late);
    self->rent_ns = rp_cost_beyond(paid_ns, rp_portfolio_member_expected_ns(other, its));
    member->cost_ns = rp_choice_mean_with(self, cost_ns);
    self->quiet = 0;
    member->plans++;
    member->spent_ns += cost_ns;
    if (!is_repair) {
        rp_choice_forget_repair(self);
    }
    return cost_ns + late_ns;
}

// ---- the choice

/// What the repair at work may cost more than searches from scratch before it is left. To come back
/// takes as much as making it ready. In idle time that costs nobody anything; but every repair has
/// dear plans.
static inline uint64_t rp_choice_most_loss(const rp_choice_t *self, uint64_t begin_ns,
                                           uint64_t flood_ns)
{
    const uint64_t part_ns = begin_ns / RP_LOSS_SHARE;
    const uint64_t floods_ns = flood_ns * RP_LOSS_SCRATCHES;
    const uint64_t most_ns = part_ns > floods_ns ? part_ns : floods_ns;
    return self->idles && most_ns < begin_ns ? most_ns : begin_ns;
}

/// Choose the member for an update. Both ends are where they were, or near.
/// @param changes  cells that the member at work would take in
/// @param ready    the member that was made ready in idle time, from which it costs nothing to go
/// back
/// @param found    the search from scratch's last
/// @param why      written: static text
static inline unsigned rp_choice_make(rp_choice_t *self, const rp_update_t *update, size_t changes,
                                      unsigned ready, rp_certificate_t *found, const char **why)
{
    rp_portfolio_member_t *repair = &self->members[self->repair];
    if (!repair->is_live || !rp_portfolio_member_can_take(repair, update)) {
        const unsigned other = rp_choice_suited(self);
        self->rent_ns = other != self->repair ? 0u : self->rent_ns;
        self->repair = other;
        repair = &self->members[other];
    }
    if (!rp_portfolio_member_can_take(repair, update)) {
        *why = "an end moved";
        return SCRATCH;
    }
    rp_choice_guess_cost(self, self->repair);
    const uint64_t flood_ns = rp_portfolio_member_expected_ns(&self->members[SCRATCH], changes);
    const uint64_t repair_ns = rp_portfolio_member_expected_ns(repair, changes);
    if (repair->is_live) {
        if (self->current == self->repair && rp_choice_may_change(self, update)) {
            self->repair = rp_choice_suited(self);
            *why = rp_portfolio_suits[self->repair];
            return self->repair;
        }
        const uint64_t most_ns =
            ready == self->repair
                ? 0
                : rp_choice_most_loss(self, rp_portfolio_member_begin_ns(repair, found), flood_ns);
        const bool stays = repair_ns <= flood_ns || self->rent_ns + repair_ns - flood_ns <= most_ns;
        *why = stays ? rp_portfolio_suits[self->repair] : "repairs cost more than floods";
        return stays ? self->repair : SCRATCH;
    }
    const uint64_t rent_ns = self->rent_ns + rp_cost_beyond(flood_ns, repair_ns);
    if (flood_ns <= repair_ns || !rp_workload_is_trip(&self->workload) ||
        rent_ns < rp_portfolio_member_begin_ns(repair, found) / RP_RENT_SHARE) {
        *why = flood_ns <= repair_ns ? rp_portfolio_suits[SCRATCH] : "repairs may not pay yet";
        return SCRATCH;
    }
    *why = rp_portfolio_suits[self->repair];
    return self->repair;
}

/// Let this member take the update. The others are not told of it, but for the search from scratch,
/// which may be told later.
static inline void rp_choice_take(rp_choice_t *self, unsigned which)
{
    if ((which == SCRATCH) != (self->current == SCRATCH)) {
        self->rent_ns = 0;
    }
    for (unsigned i = 0; i < MEMBERS; i++) {
        self->members[i].is_live = self->members[i].is_live && (i == which || i == SCRATCH);
    }
    if (which != self->current) {
        self->quiet = 0;
        rp_portfolio_member_note_bytes(&self->members[self->current]);
    }
    self->current = which;
}

#endif
