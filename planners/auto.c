/// AUTO: the planner that chooses a planner, for each update anew.
///
/// Ours. Guarantee: optimal. Cost of a change: about that of the member that suits it. Bytes a
/// cell: those of the members that were used. Choose it unless you know better: it is the default
/// of the daemon and of the tools.
///
/// Several hands, each a member bound to the same grid:
///
///     flood     starts over each time, as fast as this ground allows: the first path, big batches,
///               ends that jump
///     stay      repairs while both ends stay
///     near goal repairs, too, and searches from the goal: for changes round it
///     walk      repairs for a start that walks
///     chase     repairs for a goal that walks
///     sets      the one that knows several goals
///
/// On weighted ground nothing floods much faster than what repairs for a walking start is made
/// ready, nor on a torus than what chases: there that hand makes the first plan.
///
/// Then the path at hand may prove itself (search/certificate.h), also when the start has only
/// walked on along it: then nobody works, and a repair for a start that walks is not even told what
/// became dearer beside the path, before it has to search. Otherwise the choice is made from
/// counters alone, so that a replay decides the same. What each hand costs is known in nanoseconds
/// of a reference machine: changed cells and expansions, each times a constant a member.
///
/// A repairing hand must be made ready first, which costs more than many floods. As one who does
/// not know whether to rent or to buy, AUTO floods until the floods that a repair might have spared
/// have cost as much as that (a part of it: sessions are long), and then lets the repair begin. In
/// the same way it goes back: not when one repair turns out dearer than a flood, but when repairs
/// together have cost more than it takes to make the hand ready again.
///
/// In idle time nothing is rented: after a flood the hand that suits the habits is made ready at
/// once, and takes the next update if it is thought to be the cheaper one. An update that comes
/// before it is ready ends the attempt. The next one waits until plans have cost as much again. On
/// weighted ground, where a field wears, another one is built beside it and takes its place.
#include "planners/planner_ops.h"

#include <string.h>

#include "planners/hands.h"
#include "planners/pending.h"
#include "planners/search/certificate.h"
#include "planners/search/deferred.h"
#include "planners/search/extract.h"
#include "planners/search/habits.h"
#include "planners/search/passed.h"
#include "planners/search/unseen.h"

// ---- state

static const char *const suits[HANDS] = {
    [FLOOD] = "a flood is cheap here",
    [STAY] = "repairs pay where both ends stay",
    [NEAR_GOAL] = "repairs from the goal pay",
    [WALK] = "repairs pay for a start that walks",
    [CHASE] = "repairs pay for a goal that walks",
    [SETS] = "several goals",
};

/// Repairs begin when floods have cost 1 / this of what that takes.
#define RENT_SHARE 4u

/// A field is worn when its searches have cost 1 / this of what it took.
#define WORN_SHARE 2u

/// Expansions that a repair for a start that walks is thought to take at least.
#ifndef RP_WALK_LEAST
#define RP_WALK_LEAST 150u
#endif

typedef struct automatic {
    rp_hand_t hands[HANDS];
    const rp_grid_t *grid;
    rp_certificate_t certificate;
    rp_deferred_t deferred; ///< what the flood has not heard of yet
    rp_pending_t unheard;   ///< and what the hand for a start that walks has not
    rp_habits_t habits;
    rp_path_t shown;    ///< when the last update came
    rp_passed_t passed; ///< cells of it that the hand at work thinks are still there
    unsigned current;   ///< the hand that searches, or searched last
    unsigned repair;    ///< the repairing hand that is thought of
    bool is_beginning;  ///< its search begins anew
    bool is_proven;     ///< the path at hand proved itself: nobody searches
    bool is_walked;     ///< and the start has left cells of it
    uint32_t left;      ///< cells of it that stand then
    uint32_t head;      ///< of the flood's last path: cells that stood already
    bool is_done;       ///< the search is over
    bool is_set;        ///< several goals, or one with an offset
    size_t changes;     ///< in the plan under way
    uint64_t quiet;     ///< batches since the last update that left a repair nothing to do
    uint64_t rent_ns;   ///< what the hand at work cost beyond what the other would have
    const char *why;    ///< static text: why the current hand

    // what idle time was good for
    unsigned preparing;   ///< the hand that is being made ready; HANDS: none
    unsigned prepared;    ///< the hand that is ready, and was not chosen yet; HANDS: none
    bool is_guess;        ///< the last one was made ready before anything had happened
    rp_unseen_t unseen;   ///< what it wrote then
    uint64_t patience_ns; ///< floods are to cost so much until a hand is made ready again
} automatic_t;

// ---- invariants

static bool is_sound(const rp_hand_t *hand)
{
    return !hand->is_live || hand->member->ops->check(hand->state);
}

static bool auto_check(const void *state)
{
    const automatic_t *self = state;
    const bool has_heard =
        self->current == FLOOD ? self->deferred.count == 0 : self->unheard.count == 0;
    return (self->prepared == HANDS || is_sound(&self->hands[self->prepared])) &&
           (!has_heard || is_sound(&self->hands[self->current]));
}

// ---- habits

/// What was learnt of this trip says nothing of another.
static void forget_trip(automatic_t *self)
{
    self->rent_ns = 0;
    self->patience_ns = 0;
    self->preparing = HANDS;
    self->prepared = HANDS;
    self->is_guess = false;
    for (unsigned i = 0; i < HANDS; i++) {
        self->hands[i].is_live = self->hands[i].is_live && i == FLOOD;
        self->hands[i].ready_for = 0;
        self->hands[i].begin_ns = 0;
    }
}

/// The repairing hand for what usually happens.
static unsigned suited(const automatic_t *self)
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
static uint64_t beyond(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0u;
}

/// Before a repair was seen it is thought to cost, besides its changes, a part of what a flood
/// does. For a start that walks it is not less than some cells: it repairs with each step, where a
/// flood rests while the path proves itself.
static void guess_cost(automatic_t *self, rp_hand_t *hand)
{
    const bool walks = hand == &self->hands[WALK];
    const uint64_t least = walks ? RP_WALK_LEAST * (uint64_t)hand->expansion_ns : 0u;
    if (hand->plans == 0) {
        const uint64_t part = self->hands[FLOOD].cost_ns / 4u;
        hand->cost_ns = part > least ? part : least;
    }
}

// ---- the choice

/// Which hand takes this update. @param why  written: static text
static unsigned choose(automatic_t *self, const rp_update_t *update, bool same_trip,
                       const char **why)
{
    rp_hand_t *repair = &self->hands[self->repair];
    if (self->is_set) {
        *why = suits[SETS];
        return SETS;
    }
    if (!same_trip) {
        *why = "an end jumped";
        return FLOOD;
    }
    if (!repair->is_live || !rp_hand_can_take(repair, update)) {
        const unsigned other = suited(self);
        self->rent_ns = other != self->repair ? 0u : self->rent_ns;
        self->repair = other;
        repair = &self->hands[other];
    }
    if (!rp_hand_can_take(repair, update)) {
        *why = "an end moved";
        return FLOOD;
    }
    guess_cost(self, repair);
    const uint64_t flood_ns = rp_hand_expected_ns(&self->hands[FLOOD], self->changes);
    const uint64_t repair_ns = rp_hand_expected_ns(repair, self->changes);
    if (repair->is_live) {
        const uint64_t most_ns =
            self->prepared == self->repair ? 0 : rp_hand_begin_ns(repair, &self->certificate);
        const bool stays = repair_ns <= flood_ns || self->rent_ns + repair_ns - flood_ns <= most_ns;
        *why = stays ? suits[self->repair] : "repairs cost more than floods";
        return stays ? self->repair : FLOOD;
    }
    const uint64_t rent_ns = self->rent_ns + beyond(flood_ns, repair_ns);
    if (flood_ns <= repair_ns ||
        rent_ns < rp_hand_begin_ns(repair, &self->certificate) / RENT_SHARE) {
        *why = flood_ns <= repair_ns ? suits[FLOOD] : "repairs may not pay yet";
        return FLOOD;
    }
    *why = suits[self->repair];
    return self->repair;
}

static void start_with(automatic_t *self, unsigned which, const char *why)
{
    if (which != self->current) {
        rp_hand_note_bytes(&self->hands[self->current]);
    }
    self->current = which;
    self->why = why;
    self->is_done = false;
    self->is_proven = false;
    self->hands[which].expanded = 0;
}

static void begin_hand(automatic_t *self, unsigned which, rp_cell_t start, const rp_goal_t *goals,
                       size_t goal_count)
{
    rp_hand_t *hand = &self->hands[which];
    rp_hand_begin(hand, start, goals, goal_count);
    hand->is_live = true;
    self->deferred.count = which == FLOOD ? 0u : self->deferred.count;
    rp_pending_clear(&self->unheard);
    self->is_beginning = true;
}

/// Whoever makes the first plan: a flood, but where none is much cheaper than a hand that can take
/// what comes is made ready.
static unsigned first_hand(const automatic_t *self)
{
    if (self->grid->weighted) {
        return WALK;
    }
    return self->grid->shape.wraps ? CHASE : FLOOD;
}

static void auto_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    automatic_t *self = state;
    forget_trip(self);
    self->hands[FLOOD].is_live = false;
    rp_certificate_drop(&self->certificate);
    self->is_set = goal_count > 1 || goals[0].offset != 0;
    self->changes = 0;
    rp_pending_clear(&self->unheard);
    self->unseen.count = 0;
    self->shown = (rp_path_t){NULL, 0};
    self->passed.count = 0;
    rp_habits_begin(&self->habits, start, goals[0].cell);
    const unsigned first = first_hand(self);
    self->repair = first != FLOOD ? first : STAY;
    if (self->is_set) {
        start_with(self, SETS, suits[SETS]);
    } else {
        start_with(self, first, "first");
    }
    begin_hand(self, self->current, start, goals, goal_count);
}

// ---- changes

/// The flood hears of what was deferred.
static void tell_deferred(automatic_t *self, const rp_update_t *update)
{
    rp_hand_t *flood = &self->hands[FLOOD];
    const rp_update_t late = {.changes = self->deferred.changes,
                              .change_count = self->deferred.count,
                              .goals = update->goals,
                              .goal_count = update->goal_count,
                              .start = update->start};
    if (flood->is_live && self->deferred.count != 0) {
        flood->is_live = rp_hand_update(flood, &late);
    }
    self->deferred.count = 0;
}

/// The flood is not needed: it may hear of this later, or at once when it is too much to keep.
static void defer(automatic_t *self, const rp_update_t *update)
{
    rp_hand_t *flood = &self->hands[FLOOD];
    if (flood->is_live && !rp_deferred_add(&self->deferred, update)) {
        tell_deferred(self, update);
        flood->is_live = rp_hand_update(flood, update);
    }
}

/// The flood hears of what was deferred and of what is new at once, if that is not too much: it
/// follows its ground once then.
static bool update_flood(automatic_t *self, const rp_update_t *update)
{
    rp_update_t all = *update;
    if (self->deferred.count != 0 && rp_deferred_add(&self->deferred, update)) {
        all.changes = self->deferred.changes;
        all.change_count = self->deferred.count;
    } else {
        tell_deferred(self, update);
    }
    self->deferred.count = 0;
    return rp_hand_update(&self->hands[FLOOD], &all);
}

/// A repair hears of what it was not told and of what is new as one batch: a cell may be in both.
static bool update_repair(automatic_t *self, unsigned which, const rp_update_t *update)
{
    rp_update_t all = *update;
    if (self->unheard.count != 0) {
        if (rp_pending_add(&self->unheard, self->grid, update->changes, update->change_count) !=
            RP_OK) {
            return false;
        }
        rp_pending_merge(&self->unheard);
        all.changes = self->unheard.changes;
        all.change_count = self->unheard.count;
    }
    self->changes = all.change_count;
    const bool goes_on = rp_hand_update(&self->hands[which], &all);
    rp_pending_clear(&self->unheard);
    return goes_on;
}

/// Let a hand take the update, or begin anew.
static void update_hand(automatic_t *self, unsigned which, const rp_update_t *update)
{
    self->is_beginning = false;
    const bool goes_on =
        which == FLOOD ? update_flood(self, update) : update_repair(self, which, update);
    if (!goes_on) {
        begin_hand(self, which, update->start, update->goals, update->goal_count);
    }
}

/// True when what is left of the path at hand stands. It is judged as it was before the start moved
/// on: its cost was summed with the factors of then.
static bool proves_itself(automatic_t *self, const rp_update_t *update)
{
    return self->current == FLOOD && self->is_done && !self->is_set && !update->goals_changed &&
           rp_certificate_holds(&self->certificate, update->changes, update->change_count) &&
           (!update->start_moved || rp_certificate_follow(&self->certificate, update->start));
}

/// True when all of these became dearer, and none touches what is left of the path that is shown:
/// it stands then, whatever it costs. The start has not moved on yet.
static bool shown_stands(automatic_t *self, const rp_update_t *update)
{
    rp_certificate_t *path = &self->certificate;
    const rp_path_t *shown = &update->shown;
    for (size_t i = 0; i < update->change_count; i++) {
        if (update->changes[i].after != 0) {
            return false;
        }
    }
    if (shown->count == 0) {
        return false;
    }
    if (path->count == 0 || !rp_certificate_follow(path, shown->cells[0])) {
        rp_certificate_drop(path);
        memcpy(path->cells, shown->cells, shown->count * sizeof *shown->cells);
        rp_certificate_take(path, shown->count);
    }
    return rp_certificate_holds(path, update->changes, update->change_count);
}

/// Changes that leave the path as it is are kept from a hand that would take them in one by one for
/// a start that walks: most lie behind it before they matter. Weighted ground is for members that
/// take in more cheaply than that.
static bool may_keep(automatic_t *self, const rp_update_t *update)
{
    const bool has_room = self->unheard.count + update->change_count <= RP_DEFERRED_MAX;
    return self->current == WALK && !self->grid->weighted && self->prepared == HANDS && has_room &&
           shown_stands(self, update) &&
           rp_pending_add(&self->unheard, self->grid, update->changes, update->change_count) ==
               RP_OK;
}

/// True when the start only went on along the path of a hand that takes in steps, and nothing that
/// happened touches what is left: that is the best, and the hand need not hear of it before it has
/// to search.
static bool walks_on(automatic_t *self, const rp_update_t *update)
{
    const bool is_walk =
        (self->current == WALK || self->current == STAY) && self->is_done && !update->goals_changed;
    return is_walk && (update->change_count == 0 || may_keep(self, update)) &&
           rp_passed_add(&self->passed, &update->shown, update->start, &self->left);
}

/// What the repair cost long ago says little: it is counted in updates that it was not asked to
/// take, as it would have had nothing to do at most of them.
static void forget_repair(automatic_t *self)
{
    rp_hand_t *repair = &self->hands[self->repair];
    repair->cost_ns -= repair->cost_ns / 64u;
}

/// Nobody has to search. A hand that is being made ready, or is, goes on with steps of the start.
static void let_stand(automatic_t *self, const rp_update_t *update)
{
    if (self->current == FLOOD) {
        defer(self, update);
        if (!update->start_moved) { // whoever repairs for one that walks works at each step
            forget_repair(self);
        }
        self->left = self->certificate.count - self->certificate.first;
    }
    start_with(self, self->current, "the path proves itself");
    self->is_proven = true;
    self->is_walked = update->start_moved;
}

/// A repair may see at once that nothing is left to do; a batch to learn from is not for it alone,
/// nor one that another hand must hear of.
static bool auto_stands(void *state, const rp_change_t *changes, size_t count,
                        const rp_site_t *site)
{
    automatic_t *self = state;
    const rp_hand_t *hand = &self->hands[self->current];
    const bool is_alone =
        self->current != FLOOD && self->preparing == HANDS && self->prepared == HANDS;
    const bool stands = is_alone && count < RP_HABITS_BATCH && hand->member->ops->stands != NULL &&
                        hand->member->ops->stands(hand->state, changes, count, site);
    self->quiet += stands;
    return stands;
}

/// Batches that left the hand at work nothing to do count, too: it has saved so many floods, which
/// pays for making it ready again.
static void note_quiet(automatic_t *self)
{
    rp_hand_t *hand = &self->hands[self->current];
    const uint64_t saved_ns = self->quiet * self->hands[FLOOD].cost_ns;
    self->rent_ns = beyond(self->rent_ns, saved_ns);
    self->patience_ns = beyond(self->patience_ns, saved_ns);
    for (; self->quiet != 0 && hand->cost_ns >= 8u; self->quiet--) {
        hand->cost_ns -= hand->cost_ns / 8u;
    }
    self->quiet = 0;
}

static bool auto_update(void *state, const rp_update_t *update)
{
    automatic_t *self = state;
    note_quiet(self);
    const bool has_changes = update->change_count != 0;
    const bool was_done = self->is_done;
    self->shown = update->shown;
    self->passed.count = was_done && !self->is_proven ? 0 : self->passed.count;
    self->is_set = update->goal_count > 1 || update->goals[0].offset != 0;
    self->changes = update->change_count;
    self->preparing = has_changes || update->goals_changed ? HANDS : self->preparing;
    const bool same_trip =
        rp_habits_note(&self->habits, self->grid, &self->certificate.metric, update);
    if (!same_trip) {
        forget_trip(self);
    }
    if (walks_on(self, update) ||
        ((self->prepared == HANDS || !has_changes) && proves_itself(self, update))) {
        let_stand(self, update);
        return true;
    }
    const unsigned prepared = self->prepared;
    self->preparing = HANDS;
    const char *why;
    const unsigned which = choose(self, update, same_trip, &why);
    if (which != self->current) {
        rp_pending_clear(&self->unheard);
    }
    if ((which == FLOOD) != (self->current == FLOOD)) {
        self->rent_ns = 0;
    }
    for (unsigned i = 0; i < HANDS; i++) {
        self->hands[i].is_live = self->hands[i].is_live && i == which; // the others do not hear
    }
    if (was_done && which != prepared) {
        self->unseen.count = 0;
    }
    self->prepared = HANDS;
    start_with(self, which, why);
    update_hand(self, which, update);
    rp_certificate_drop(&self->certificate);
    return true;
}

// ---- search

/// A plan is finished: what did it cost, and what would the other hand have?
static void note_cost(automatic_t *self)
{
    rp_hand_t *hand = &self->hands[self->current];
    const bool is_repair = self->current != FLOOD;
    const uint64_t cost_ns = hand->expanded * hand->expansion_ns;
    const rp_hand_t *other = &self->hands[is_repair ? FLOOD : self->repair];
    if (is_repair && self->is_beginning) {
        rp_hand_t *flood = &self->hands[FLOOD];
        if (flood->plans == 0) { // it would have searched about the same cells
            flood->cost_ns = hand->expanded * flood->expansion_ns;
        }
        hand->begin_ns = cost_ns;
        hand->plans++;
        return;
    }
    const uint64_t paid_ns = self->rent_ns + cost_ns + self->changes * hand->change_ns;
    self->rent_ns = beyond(paid_ns, rp_hand_expected_ns(other, self->changes));
    hand->cost_ns = hand->plans == 0 ? cost_ns : rp_mean_with(hand->cost_ns, cost_ns);
    hand->plans++;
    hand->spent_ns += cost_ns;
    self->patience_ns = beyond(self->patience_ns, cost_ns);
    if (!is_repair) {
        forget_repair(self);
    }
}

/// The flood has a path. What it leaves standing is the head of its last one at most, which the
/// certificate has held since.
static void take_flooded(automatic_t *self)
{
    const rp_hand_t *flood = &self->hands[FLOOD];
    rp_certificate_t *path = &self->certificate;
    rp_cell_t *middle = self->unseen.cells; // nobody's now
    rp_path_stands_t stands = {0};
    rp_certificate_drop(path);
    const uint32_t count = flood->member->ops->path(flood->state, middle, &stands);
    memcpy(path->cells + stands.head, middle, count * sizeof *middle);
    rp_certificate_take(path, stands.head + count);
    self->head = stands.head;
}

static rp_status_t auto_search(void *state, uint64_t *budget, rp_plan_stats_t *stats)
{
    automatic_t *self = state;
    rp_hand_t *hand = &self->hands[self->current];
    stats->planner = hand->member->ops->info.id;
    stats->why = self->why;
    if (self->is_done || self->is_proven) {
        self->is_done = true;
        return RP_OK;
    }
    const uint64_t before = stats->expanded;
    const rp_status_t status = hand->member->ops->search(hand->state, budget, stats);
    hand->expanded += stats->expanded - before;
    if (status != RP_OK) {
        return status;
    }
    self->is_done = true;
    note_cost(self);
    if (self->current == FLOOD) {
        take_flooded(self);
    }
    return RP_OK;
}

// ---- idle time

/// A field that wears is worth another one when its searches have cost a part of what it takes.
static bool is_worn(const automatic_t *self)
{
    const rp_hand_t *walk = &self->hands[WALK];
    return self->current == WALK && self->hands[SPARE].member != NULL && walk->begin_ns != 0 &&
           walk->spent_ns >= walk->begin_ns / WORN_SHARE;
}

/// The hand to make ready; without habits one that can take what comes.
static unsigned promising(const automatic_t *self)
{
    if (is_worn(self)) {
        return SPARE;
    }
    const unsigned versatile = self->grid->shape.wraps ? CHASE : WALK;
    return self->habits.has_any ? suited(self) : versatile;
}

/// True when a field is worn, or floods are dear enough for a repair to be thought cheaper, or the
/// repair that was a guess is not the one for what happens.
static bool may_prepare(automatic_t *self)
{
    const unsigned which = promising(self);
    rp_hand_t *hand = &self->hands[which];
    if (!self->is_done || self->is_set || self->patience_ns != 0) {
        return false;
    }
    guess_cost(self, hand);
    return which == SPARE ||
           (self->current == FLOOD && !hand->is_live && self->certificate.count != 0 &&
            hand->cost_ns < self->hands[FLOOD].cost_ns) ||
           (self->current != FLOOD && !hand->is_live && self->is_guess && self->habits.has_any);
}

/// The hand has come as far as the flood: its path costs the same, and may be another.
static void end_preparing(automatic_t *self)
{
    rp_hand_t *hand = &self->hands[self->preparing];
    rp_unseen_take(&self->unseen, hand->member->ops, hand->state);
    hand->is_live = true;
    hand->begin_ns = self->patience_ns;
    if (self->preparing == SPARE) {
        rp_hand_replace(&self->hands[WALK], hand);
        self->preparing = WALK;
    }
    self->repair = self->preparing;
    self->is_guess = !self->habits.has_any;
    self->patience_ns = self->is_guess ? 0u : self->patience_ns;
    self->rent_ns = 0;
    self->prepared = self->preparing;
    self->preparing = HANDS;
}

/// The hand that is ready, or at work, may know of more to do.
static rp_status_t let_hand_idle(automatic_t *self, uint64_t *budget)
{
    rp_hand_t *hand = &self->hands[self->prepared != HANDS ? self->prepared : self->current];
    const rp_planner_ops_t *ops = hand->member->ops;
    if (!hand->is_live || ops->idle == NULL || self->unheard.count != 0) {
        return RP_OK;
    }
    const rp_status_t status = ops->idle(hand->state, budget);
    rp_hand_note_bytes(hand);
    return status;
}

/// Go on making the hand ready that is promising, or begin to.
static rp_status_t prepare(automatic_t *self, uint64_t *budget)
{
    if (self->preparing == HANDS) {
        const rp_goal_t goal = {.cell = self->habits.goal};
        self->preparing = promising(self);
        rp_hand_begin(&self->hands[self->preparing], self->habits.start, &goal, 1);
    }
    rp_hand_t *hand = &self->hands[self->preparing];
    rp_plan_stats_t stats = {0};
    const rp_status_t status = hand->member->ops->search(hand->state, budget, &stats);
    self->patience_ns += stats.expanded * hand->expansion_ns;
    rp_hand_note_bytes(hand);
    if (status == RP_OK) {
        end_preparing(self);
    }
    return status;
}

static rp_status_t auto_idle(void *state, uint64_t *budget)
{
    automatic_t *self = state;
    const bool prepares = self->preparing != HANDS || may_prepare(self);
    return prepares && prepare(self, budget) == RP_MORE ? RP_MORE : let_hand_idle(self, budget);
}

// ---- path

static uint32_t auto_path(const void *state, rp_cell_t *cells, rp_path_stands_t *stands)
{
    const automatic_t *self = state;
    const rp_hand_t *hand = &self->hands[self->current];
    if (self->is_proven) {
        stands->tail = self->left;
        return self->is_walked ? 0 : RP_PATH_KEPT;
    }
    if (self->current != FLOOD) {
        if (self->unseen.count != 0) {
            return rp_unseen_write(&self->unseen, hand->member->ops, hand->state, cells);
        }
        const uint32_t count = hand->member->ops->path(hand->state, cells, stands);
        return rp_passed_amend(&self->passed, &self->shown, cells, count, stands);
    }
    const rp_path_t flooded = {self->certificate.cells, self->certificate.count};
    return rp_write_new(&flooded, self->head, &self->shown, self->grid, cells, stands);
}

// ---- birth and death

static void auto_unbind(void *state)
{
    automatic_t *self = state;
    for (unsigned i = 0; i < HANDS; i++) {
        rp_hand_unbind(&self->hands[i]);
    }
    rp_certificate_fini(&self->certificate);
    rp_unseen_fini(&self->unseen);
    rp_deferred_fini(&self->deferred);
    rp_pending_fini(&self->unheard);
    self->grid = NULL;
}

static rp_status_t auto_bind(void *state, const rp_grid_t *grid,
                             const rp_planner_options_t *options)
{
    automatic_t *self = state;
    (void)options; // AUTO chooses its members' own
    const uint32_t needed = (grid->shape.neighbors == 8 ? RP_CAN_8 : RP_CAN_4) |
                            (grid->weighted ? RP_CAN_WEIGHTED : 0u) |
                            (grid->shape.wraps ? RP_CAN_WRAP : 0u);
    self->grid = grid;
    rp_pending_clear(&self->unheard);
    rp_status_t status = rp_deferred_init(&self->deferred);
    status = status == RP_OK ? rp_unseen_init(&self->unseen, grid->cell_count) : status;
    status = status == RP_OK ? rp_certificate_init(&self->certificate, grid) : status;
    for (unsigned i = 0; status == RP_OK && i < (grid->weighted ? HANDS : SPARE); i++) {
        status =
            rp_hand_bind(&self->hands[i], i, grid, i == SETS ? needed | RP_CAN_GOAL_SET : needed);
    }
    if (status != RP_OK) {
        auto_unbind(self);
    }
    return status;
}

static uint64_t auto_bytes(const void *state)
{
    const automatic_t *self = state;
    const rp_hand_t *current = &self->hands[self->current];
    uint64_t bytes = current->is_used ? current->member->ops->bytes(current->state) : 0u;
    for (unsigned i = 0; i < HANDS; i++) {
        bytes += i != self->current ? self->hands[i].bytes : 0u;
    }
    const uint64_t paths = (uint64_t)self->certificate.count + self->unseen.count;
    return bytes + self->grid->cell_count / 8u + paths * sizeof(rp_cell_t) +
           self->unheard.capacity * sizeof(rp_change_t);
}

const rp_planner_ops_t RP_MEMBER(auto) = {
    .info =
        {
            .id = "auto",
            .paper = "ours: chooses among the others, for each update",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_START | RP_NATIVE_GOAL |
                            RP_NATIVE_NO_PATH | RP_CAN_EVERY_GRID | RP_CAN_GOAL_SET | RP_CAN_IDLE,
            .bytes_per_cell = 32,
        },
    .state_bytes = sizeof(automatic_t),
    .bind = auto_bind,
    .unbind = auto_unbind,
    .begin = auto_begin,
    .update = auto_update,
    .stands = auto_stands,
    .search = auto_search,
    .idle = auto_idle,
    .path = auto_path,
    .bytes = auto_bytes,
    .check = auto_check,
};
