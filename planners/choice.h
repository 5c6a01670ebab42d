/// @file
/// The choice among AUTO's hands, from counters alone, so that a replay decides the same. What each
/// hand costs is known in nanoseconds of a reference machine: changed cells and expansions, each
/// times a constant a member.
///
/// A repairing hand must be made ready first, which costs more than many floods. As one who does
/// not know whether to rent or to buy, AUTO floods until the floods that a repair might have spared
/// have cost as much as that (a part of it: sessions are long), and then lets the repair begin. In
/// the same way it goes back: not when one repair turns out dearer than a flood, but when repairs
/// together have cost more than it takes to make the hand ready again. And so it changes from one
/// repair to another: where the one at work is not the one for what happens, or was dearer than
/// another that is known; in idle time, if there is any (preparation.h).
#ifndef REPLAN_CHOICE_H
#define REPLAN_CHOICE_H

#include "planners/hands.h"
#include "planners/search/certificate.h"
#include "planners/search/habits.h"

/// Repairs begin when floods have cost 1 / this of what that takes.
#define RP_RENT_SHARE 4u

/// Expansions that a repair for a start that walks is thought to take at least.
#ifndef RP_WALK_LEAST
#define RP_WALK_LEAST 150u
#endif

static const char *const rp_suits[HANDS] = {
    [FLOOD] = "a flood is cheap here",
    [STAY] = "repairs pay where both ends stay",
    [NEAR_GOAL] = "repairs from the goal pay",
    [WALK] = "repairs pay for a start that walks",
    [CHASE] = "repairs pay for a goal that walks",
    [SETS] = "several goals",
};

typedef struct rp_choice {
    rp_hand_t hands[HANDS];
    rp_habits_t habits;
    unsigned current; ///< the hand that searches, or searched last
    unsigned repair;  ///< the repairing hand that is thought of
    uint64_t rent_ns; ///< what the hand at work cost beyond what the other would have
    uint64_t lost_ns; ///< and a repair at work beyond what its rival might have
    uint64_t quiet;   ///< batches since the last plan that left it nothing to do
    bool idles;       ///< there was time to idle before this update: it is thought to come again
} rp_choice_t;

/// What was learnt of this trip says nothing of another.
static inline void rp_choice_forget_trip(rp_choice_t *self)
{
    self->rent_ns = 0;
    self->lost_ns = 0;
    for (unsigned i = 0; i < HANDS; i++) {
        self->hands[i].is_live = self->hands[i].is_live && i == FLOOD;
        self->hands[i].ready_for = 0;
        self->hands[i].begin_ns = 0;
    }
}

/// The repairing hand for what usually happens.
static inline unsigned rp_choice_suited(const rp_choice_t *self)
{
    if (self->habits.hunting >= RP_HABIT_OFTEN) {
        return CHASE;
    }
    if (self->habits.walking >= RP_HABIT_OFTEN) {
        return WALK;
    }
    return self->habits.near_goal >= RP_HABIT_MOSTLY ? NEAR_GOAL : STAY;
}

// ---- what things cost

/// By how much `a` is more.
static inline uint64_t rp_beyond(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0u;
}

/// Before a repair was seen it is thought to cost, besides its changes, a part of what a flood
/// does. For a start that walks it is not less than some cells: it repairs with each step, where a
/// flood rests while the path proves itself.
static inline void rp_choice_guess_cost(rp_choice_t *self, unsigned which)
{
    rp_hand_t *hand = &self->hands[which];
    const uint64_t least = which == WALK ? RP_WALK_LEAST * (uint64_t)hand->expansion_ns : 0u;
    if (hand->plans == 0) {
        const uint64_t part = self->hands[FLOOD].cost_ns / 4u;
        hand->cost_ns = part > least ? part : least;
    }
}

/// What the repair cost long ago says little: it is counted in updates that it was not asked to
/// take, as it would have had nothing to do at most of them.
static inline void rp_choice_forget_repair(rp_choice_t *self)
{
    rp_hand_t *repair = &self->hands[self->repair];
    repair->cost_ns -= repair->cost_ns / 64u;
}

/// So many updates left the repair at work nothing to do. They count, too: it has saved so many
/// floods, which pays for making it ready again.
/// @return what it saved, in ns
static inline uint64_t rp_choice_note_quiet(rp_choice_t *self, uint64_t updates)
{
    rp_hand_t *hand = &self->hands[self->current];
    const uint64_t saved_ns = updates * self->hands[FLOOD].cost_ns;
    self->rent_ns = rp_beyond(self->rent_ns, saved_ns);
    self->quiet += updates;
    for (; updates != 0 && hand->cost_ns >= 8u; updates--) {
        hand->cost_ns -= hand->cost_ns / 8u;
    }
    return saved_ns;
}

/// What the hand at work costs lately, with a plan that cost so much: a running mean over updates.
/// Those before it that left nothing to do share its cost with it, or one dear repair in a hundred
/// updates would make the hand look dear.
static inline uint64_t rp_choice_mean_with(const rp_choice_t *self, uint64_t cost_ns)
{
    const rp_hand_t *hand = &self->hands[self->current];
    const uint64_t share_ns = cost_ns / (self->quiet + 1u);
    uint64_t forgotten_ns = share_ns;
    for (uint64_t left = self->quiet + 1u; left != 0 && forgotten_ns >= 8u; left--) {
        forgotten_ns -= forgotten_ns / 8u;
    }
    return hand->plans == 0 ? share_ns
                            : hand->cost_ns - hand->cost_ns / 8u + share_ns - forgotten_ns;
}

/// The repair that might do better than the one at work: that for what happens, or when this is it
/// the cheapest of those that are known; where both ends stay, of those for ends that do. The one
/// at work when there is none.
static inline unsigned rp_choice_rival(const rp_choice_t *self)
{
    const unsigned suited = rp_choice_suited(self);
    if (suited != self->current) {
        return suited;
    }
    const bool do_stay = suited == STAY || suited == NEAR_GOAL;
    const unsigned last = do_stay ? NEAR_GOAL : CHASE;
    unsigned rival = self->current;
    for (unsigned i = STAY; i <= last; i++) {
        const bool is_known = self->hands[i].plans != 0;
        rival = is_known && self->hands[i].cost_ns < self->hands[rival].cost_ns ? i : rival;
    }
    return rival;
}

/// What a rival of the repair at work would cost. One that was not seen yet is thought to cost a
/// part of it.
static inline uint64_t rp_choice_rival_ns(const rp_choice_t *self, unsigned rival, size_t changes)
{
    const rp_hand_t *hand = &self->hands[rival];
    return hand->plans != 0 ? rp_hand_expected_ns(hand, changes)
                            : self->hands[self->current].cost_ns / 4u + changes * hand->change_ns;
}

/// What it takes to make a rival ready: about what the repair at work took, until it is known.
static inline uint64_t rp_choice_rival_begin_ns(const rp_choice_t *self, unsigned rival)
{
    const uint64_t begin_ns = self->hands[rival].begin_ns;
    return begin_ns != 0 ? begin_ns : self->hands[self->current].begin_ns;
}

/// A plan of the repair at work cost so much: what did it lose? One plan counts for a part of what
/// making the rival ready takes, however dear: any repair has some of those.
static inline void rp_choice_note_loss(rp_choice_t *self, size_t changes, uint64_t cost_ns)
{
    const unsigned rival = rp_choice_rival(self);
    const uint64_t rival_ns = rp_choice_rival_ns(self, rival, changes);
    const uint64_t most_ns = rp_choice_rival_begin_ns(self, rival) / RP_RENT_SHARE;
    const uint64_t lost_ns = rp_beyond(cost_ns, rival_ns);
    self->lost_ns += lost_ns < most_ns ? lost_ns : most_ns;
    self->lost_ns = rp_beyond(self->lost_ns, rp_beyond(rival_ns, cost_ns));
}

/// True when the repair at work has lost as much as it takes to make its rival ready.
static inline bool rp_choice_gives_way(const rp_choice_t *self, unsigned rival)
{
    const uint64_t begin_ns = rp_choice_rival_begin_ns(self, rival);
    return self->current != FLOOD && rival != self->current && begin_ns != 0 &&
           self->lost_ns >= begin_ns && rp_habits_is_trip(&self->habits);
}

/// True when the rival takes an update at once. Not where there is idle time to make it ready in,
/// nor while there is no path: that would take it through all that can be reached.
static inline bool rp_choice_may_change(const rp_choice_t *self, unsigned rival,
                                        const rp_update_t *update, size_t changes)
{
    return rp_choice_gives_way(self, rival) && !self->idles && update->shown.count != 0 &&
           rp_hand_can_take(&self->hands[rival], update) &&
           rp_choice_rival_ns(self, rival, changes) <
               rp_hand_expected_ns(&self->hands[self->current], changes);
}

/// The hand at work was made ready with this plan. A flood would have searched about the same
/// cells.
static inline void rp_choice_note_beginning(rp_choice_t *self)
{
    rp_hand_t *hand = &self->hands[self->current];
    rp_hand_t *flood = &self->hands[FLOOD];
    if (flood->plans == 0) {
        flood->cost_ns = hand->expanded * flood->expansion_ns;
    }
    hand->begin_ns = hand->expanded * hand->expansion_ns;
    hand->plans++;
}

/// A plan is finished: what did it cost, and what would the other hand have?
/// @param changes  cells that it took in
/// @param late     and of batches before that left its path as it was: a repair that sees so at
///                 once need not take them in
/// @return what its search cost, in ns, and what came late
static inline uint64_t rp_choice_note_plan(rp_choice_t *self, size_t changes, size_t late)
{
    rp_hand_t *hand = &self->hands[self->current];
    const bool is_repair = self->current != FLOOD;
    const rp_hand_t *other = &self->hands[is_repair ? FLOOD : self->repair];
    const uint64_t cost_ns = hand->expanded * hand->expansion_ns;
    const uint64_t late_ns = late * hand->change_ns;
    const uint64_t paid_ns = self->rent_ns + cost_ns + late_ns + changes * hand->change_ns;
    const size_t its = changes + (rp_hand_sees_at_once(other) ? 0u : late);
    self->rent_ns = rp_beyond(paid_ns, rp_hand_expected_ns(other, its));
    if (is_repair) {
        rp_choice_note_loss(self, changes, cost_ns + changes * hand->change_ns);
    }
    hand->cost_ns = rp_choice_mean_with(self, cost_ns);
    self->quiet = 0;
    hand->plans++;
    hand->spent_ns += cost_ns;
    if (!is_repair) {
        rp_choice_forget_repair(self);
    }
    return cost_ns + late_ns;
}

// ---- the choice

/// Which hand takes this update; both ends are where they were, or near.
/// @param changes  that the hand at work would hear of
/// @param ready    the hand that was made ready in idle time: to go back from it costs nothing
/// @param found    the flood's last
/// @param why      written: static text
static inline unsigned rp_choice_make(rp_choice_t *self, const rp_update_t *update, size_t changes,
                                      unsigned ready, rp_certificate_t *found, const char **why)
{
    rp_hand_t *repair = &self->hands[self->repair];
    if (!repair->is_live || !rp_hand_can_take(repair, update)) {
        const unsigned other = rp_choice_suited(self);
        self->rent_ns = other != self->repair ? 0u : self->rent_ns;
        self->repair = other;
        repair = &self->hands[other];
    }
    if (!rp_hand_can_take(repair, update)) {
        *why = "an end moved";
        return FLOOD;
    }
    rp_choice_guess_cost(self, self->repair);
    const uint64_t flood_ns = rp_hand_expected_ns(&self->hands[FLOOD], changes);
    const uint64_t repair_ns = rp_hand_expected_ns(repair, changes);
    if (repair->is_live) {
        const unsigned rival = self->current == self->repair ? rp_choice_rival(self) : self->repair;
        if (rp_choice_may_change(self, rival, update, changes)) {
            self->repair = rival;
            *why = rp_suits[rival];
            return rival;
        }
        const uint64_t most_ns = ready == self->repair ? 0 : rp_hand_begin_ns(repair, found);
        const bool stays = repair_ns <= flood_ns || self->rent_ns + repair_ns - flood_ns <= most_ns;
        *why = stays ? rp_suits[self->repair] : "repairs cost more than floods";
        return stays ? self->repair : FLOOD;
    }
    const uint64_t rent_ns = self->rent_ns + rp_beyond(flood_ns, repair_ns);
    if (flood_ns <= repair_ns || !rp_habits_is_trip(&self->habits) ||
        rent_ns < rp_hand_begin_ns(repair, found) / RP_RENT_SHARE) {
        *why = flood_ns <= repair_ns ? rp_suits[FLOOD] : "repairs may not pay yet";
        return FLOOD;
    }
    *why = rp_suits[self->repair];
    return self->repair;
}

/// This hand takes the update: the others do not hear of it, but for the flood, which may do so
/// late.
static inline void rp_choice_take(rp_choice_t *self, unsigned which)
{
    if ((which == FLOOD) != (self->current == FLOOD)) {
        self->rent_ns = 0;
    }
    self->lost_ns = which != self->current ? 0u : self->lost_ns;
    for (unsigned i = 0; i < HANDS; i++) {
        self->hands[i].is_live = self->hands[i].is_live && (i == which || i == FLOOD);
    }
    if (which != self->current) {
        self->quiet = 0;
        rp_hand_note_bytes(&self->hands[self->current]);
    }
    self->current = which;
}

#endif
