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
/// walked on along it: then nobody works. Otherwise the choice is made from counters alone, so that
/// a replay decides the same. What each hand costs is known in nanoseconds of a reference machine:
/// changed cells and expansions, each times a constant a member.
///
/// A repairing hand must be made ready first, which costs more than many floods. As one who does
/// not know whether to rent or to buy, AUTO floods until the floods that a repair might have spared
/// have cost as much as that (a part of it: sessions are long), and then lets the repair begin. In
/// the same way it goes back: not when one repair turns out dearer than a flood, but when repairs
/// together have cost more than it takes to make the hand ready again.
#include "planners/planner_ops.h"

#include <stdlib.h>
#include <string.h>

#include "planners/search/certificate.h"
#include "planners/search/cost.h"

// ---- state

enum {
    FLOOD,
    STAY,
    NEAR_GOAL,
    WALK,
    CHASE,
    SETS,
    HANDS,
};

/// A member that may serve as a hand, and what it costs on the reference machine with 4 and with 8
/// neighbours: per expansion, queue and path included, and per changed cell.
typedef struct candidate {
    const rp_planner_ops_t *ops;
    rp_open_t open;
    uint32_t shuns; ///< what a grid must not need (enum rp_capability): another is better there
    uint32_t slack; ///< cell lengths beyond the cost of the path to which it is made ready
    uint16_t expansion_ns[2];
    uint16_t change_ns[2];
} candidate_t;

extern const rp_planner_ops_t RP_MEMBER(afa), RP_MEMBER(astar), RP_MEMBER(at), RP_MEMBER(bpa),
    RP_MEMBER(cert), RP_MEMBER(dstar_lite), RP_MEMBER(fringe), RP_MEMBER(jps), RP_MEMBER(lwf);

/// For each hand those that may serve, the best first; the first that can do the grid is taken.
#define CANDIDATES 4u
static const candidate_t candidates[HANDS][CANDIDATES] = {
    [FLOOD] = {{&RP_MEMBER(bpa), RP_OPEN_HEAP, 0, 0, {7, 7}, {5, 5}},
               {&RP_MEMBER(jps), RP_OPEN_HEAP, 0, 0, {105, 105}, {100, 100}},
               {&RP_MEMBER(fringe), RP_OPEN_HEAP, RP_CAN_8 | RP_CAN_WEIGHTED, 0, {32, 32}, {1, 1}},
               {&RP_MEMBER(astar), RP_OPEN_BUCKETS, 0, 0, {40, 75}, {1, 1}}},
    [STAY] = {{&RP_MEMBER(cert), RP_OPEN_HEAP, 0, 4, {45, 80}, {80, 115}}},
    [NEAR_GOAL] = {{&RP_MEMBER(afa), RP_OPEN_HEAP, 0, 12, {45, 80}, {60, 115}}},
    [WALK] = {{&RP_MEMBER(dstar_lite), RP_OPEN_HEAP, RP_CAN_WEIGHTED, 0, {110, 160}, {70, 110}},
              {&RP_MEMBER(lwf), RP_OPEN_HEAP, 0, 12, {70, 110}, {15, 25}}},
    [CHASE] = {{&RP_MEMBER(at), RP_OPEN_HEAP, 0, 2, {40, 80}, {60, 100}}},
    [SETS] = {{&RP_MEMBER(dstar_lite), RP_OPEN_HEAP, 0, 0, {110, 160}, {70, 110}}},
};

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

/// Expansions that a repair for a start that walks is thought to take at least.
#define WALK_LEAST 150u

/// An end that moves farther at once jumps, in cell lengths.
#define JUMP 16u

/// A habit is a running mean of these, over the last eight updates or so.
#define ALWAYS 1024u

/// What happens so often is a habit; what happens more often than not is a stronger one.
#define OFTEN  (ALWAYS / 4u)
#define MOSTLY (ALWAYS / 2u)

/// Cells of a batch that are looked at to see where it lies. A smaller one than BATCH, a thing that
/// comes or goes, lies somewhere by chance.
#define LOOKS 8u
#define BATCH 12u

/// Changes that a flood may hear of late, when it is needed: its map of the ground is no use
/// before.
#define DEFERRED 1024u

typedef struct hand {
    const candidate_t *member;
    void *state;         ///< owned; the member's
    bool is_live;        ///< holds a search that heard of every event so far
    uint64_t plans;      ///< that it finished
    uint64_t cost_ns;    ///< of its plans' expansions lately, a running mean
    uint64_t expanded;   ///< in the plan under way
    uint64_t begin_ns;   ///< what beginning cost on this trip; 0: not known
    uint64_t ready_ns;   ///< what it is thought to cost, by area
    rp_cost_t ready_for; ///< cost of the path for which this was thought; 0: none
} hand_t;

typedef struct automatic {
    hand_t hands[HANDS];
    const rp_grid_t *grid;
    rp_certificate_t certificate;
    rp_cell_t *middle; ///< owned; what the flood wrote of its last path [cell_count]
    uint32_t middle_count;
    rp_path_stands_t stands; ///< what is round it
    rp_change_t *deferred;   ///< owned; what the flood has not heard of yet [DEFERRED]
    size_t deferred_count;
    rp_cell_t start; ///< of the last update
    rp_cell_t goal;
    unsigned current;   ///< the hand that searches, or searched last
    unsigned repair;    ///< the repairing hand that is thought of
    bool is_beginning;  ///< its search begins anew
    bool is_proven;     ///< the path at hand proved itself: nobody searches
    bool is_fresh;      ///< the flood's path has not been written yet
    bool is_walked;     ///< it has, and the start has left cells of it since
    bool is_done;       ///< the search is over
    bool is_set;        ///< several goals, or one with an offset
    size_t changes;     ///< in the plan under way
    uint64_t rent_ns;   ///< what the hand at work cost beyond what the other would have
    bool has_habits;    ///< an update came since the first search
    uint32_t walking;   ///< habit: the start moves a little
    uint32_t hunting;   ///< habit: the goal does
    uint32_t near_goal; ///< habit: changes lie near the goal
    const char *why;    ///< static text: why the current hand
} automatic_t;

/// A running mean that forgets with the eighth plan.
static uint64_t mean_with(uint64_t mean, uint64_t value)
{
    return mean - mean / 8u + value / 8u;
}

static unsigned by_neighbors(const automatic_t *self)
{
    return self->grid->shape.neighbors == 8;
}

// ---- invariants

static bool auto_check(const void *state)
{
    const automatic_t *self = state;
    const hand_t *hand = &self->hands[self->current];
    const bool has_heard = self->current != FLOOD || self->deferred_count == 0;
    return !hand->is_live || !has_heard || hand->member->ops->check(hand->state);
}

// ---- habits

static bool is_a_step(const automatic_t *self, rp_cell_t from, rp_cell_t to)
{
    const rp_metric_t *metric = &self->certificate.metric;
    return rp_bound(metric, rp_point_of(self->grid, from), rp_point_of(self->grid, to)) <=
           JUMP * metric->h_straight;
}

/// True when a batch lies nearer to the goal than to the start, by a few of its cells.
static bool is_near_goal(const automatic_t *self, const rp_update_t *update)
{
    const rp_metric_t *metric = &self->certificate.metric;
    const rp_point_t start = rp_point_of(self->grid, update->start);
    const rp_point_t goal = rp_point_of(self->grid, update->goals[0].cell);
    uint64_t to_start = 0;
    uint64_t to_goal = 0;
    for (size_t i = 0; i < LOOKS; i++) {
        const size_t place = i * update->change_count / LOOKS;
        const rp_point_t point = rp_point_of(self->grid, update->changes[place].cell);
        to_start += rp_bound(metric, start, point);
        to_goal += rp_bound(metric, point, goal);
    }
    return to_goal < to_start / 2u;
}

/// What happens for the first time is taken for a habit; later it takes some times.
static uint32_t habit_with(const automatic_t *self, uint32_t habit, bool happens)
{
    const uint32_t now = happens ? ALWAYS : 0u;
    return self->has_habits ? (uint32_t)mean_with(habit, now) : now;
}

/// Learn from what happens. @return false when an end jumped: another trip begins
static bool note_habits(automatic_t *self, const rp_update_t *update)
{
    const rp_cell_t goal = update->goals[0].cell;
    const bool walks = update->start_moved && is_a_step(self, self->start, update->start);
    const bool hunts = update->goals_changed && is_a_step(self, self->goal, goal);
    self->walking = habit_with(self, self->walking, walks);
    self->hunting = habit_with(self, self->hunting, hunts);
    if (update->change_count >= BATCH) {
        self->near_goal = habit_with(self, self->near_goal, is_near_goal(self, update));
    }
    self->has_habits = true;
    self->start = update->start;
    self->goal = goal;
    return update->start_moved == walks && update->goals_changed == hunts;
}

/// What was learnt of this trip says nothing of another.
static void forget_trip(automatic_t *self)
{
    self->rent_ns = 0;
    for (unsigned i = 0; i < HANDS; i++) {
        self->hands[i].is_live = self->hands[i].is_live && i == FLOOD;
        self->hands[i].ready_for = 0;
        self->hands[i].begin_ns = 0;
    }
}

/// The repairing hand for what usually happens.
static unsigned suited(const automatic_t *self)
{
    if (self->hunting >= OFTEN) {
        return CHASE;
    }
    if (self->walking >= OFTEN) {
        return WALK;
    }
    return self->near_goal >= MOSTLY ? NEAR_GOAL : STAY;
}

// ---- what things cost

/// How many cells a search between these ends must look at: those that a path of about this cost
/// can pass, when ways are as much longer than the bound everywhere; by samples.
/// @param slack  cell lengths more
static uint64_t area_between(const rp_certificate_t *path, uint32_t slack)
{
    enum {
        SIDE = 32
    };
    const rp_grid_t *grid = path->grid;
    const rp_metric_t *metric = &path->metric;
    const uint64_t bound = rp_bound(metric, path->start, path->goal);
    const uint64_t longer = bound != 0 ? ((uint64_t)path->cost << 10) / bound : 1024u; // in 1024
    const uint64_t most = path->cost + slack * (uint64_t)metric->cell_length;
    uint64_t count = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const rp_point_t point = {
            (int32_t)((i % SIDE * 2u + 1u) * grid->shape.width / (2u * SIDE)),
            (int32_t)((i / SIDE * 2u + 1u) * grid->shape.height / (2u * SIDE))};
        const uint64_t way = (rp_bound(metric, path->goal, point) * longer) >> 10;
        count += way + rp_bound(metric, point, path->start) <= most;
    }
    const uint64_t area = count * grid->free_count / (SIDE * SIDE);
    const uint64_t least = path->count - path->first;
    return area > least ? area : least;
}

/// What making this hand ready costs: as it did on this trip, or by the area between the ends.
static uint64_t begin_ns(automatic_t *self, hand_t *hand)
{
    const rp_certificate_t *path = &self->certificate;
    if (hand->begin_ns != 0) {
        return hand->begin_ns;
    }
    if (path->count != 0 &&
        (hand->ready_for == 0 || path->cost > hand->ready_for + hand->ready_for / 8u ||
         path->cost < hand->ready_for - hand->ready_for / 8u)) {
        hand->ready_for = path->cost;
        hand->ready_ns = area_between(path, hand->member->slack) *
                         hand->member->expansion_ns[by_neighbors(self)];
    }
    return hand->ready_for != 0 ? hand->ready_ns : UINT64_MAX;
}

/// What a plan by this hand will cost, as far as counters tell.
static uint64_t expected_ns(const automatic_t *self, const hand_t *hand)
{
    return hand->cost_ns + self->changes * hand->member->change_ns[by_neighbors(self)];
}

/// By how much `a` is more.
static uint64_t beyond(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0u;
}

/// Before a repair was seen it is thought to cost, besides its changes, a part of what a flood
/// does. For a start that walks it is not less than some cells: it repairs with each step, where a
/// flood rests while the path proves itself.
static void guess_cost(automatic_t *self, hand_t *hand)
{
    const bool walks = hand == &self->hands[WALK];
    const uint64_t least =
        walks ? WALK_LEAST * (uint64_t)hand->member->expansion_ns[by_neighbors(self)] : 0u;
    if (hand->plans == 0) {
        const uint64_t part = self->hands[FLOOD].cost_ns / 4u;
        hand->cost_ns = part > least ? part : least;
    }
}

// ---- the choice

static uint32_t natives_for(const rp_update_t *update)
{
    return (update->change_count != 0 ? RP_NATIVE_CHANGES : 0u) |
           (update->start_moved ? RP_NATIVE_START : 0u) |
           (update->goals_changed ? RP_NATIVE_GOAL : 0u);
}

static bool can_take(const hand_t *hand, const rp_update_t *update)
{
    const uint32_t needed = natives_for(update);
    return (hand->member->ops->info.capabilities & needed) == needed;
}

/// Which hand takes this update. @param why  written: static text
static unsigned choose(automatic_t *self, const rp_update_t *update, bool same_trip,
                       const char **why)
{
    hand_t *repair = &self->hands[self->repair];
    if (self->is_set) {
        *why = suits[SETS];
        return SETS;
    }
    if (!same_trip) {
        *why = "an end jumped";
        return FLOOD;
    }
    if (!repair->is_live || !can_take(repair, update)) {
        const unsigned other = suited(self);
        self->rent_ns = other != self->repair ? 0u : self->rent_ns;
        self->repair = other;
        repair = &self->hands[other];
    }
    if (!can_take(repair, update)) {
        *why = "an end moved";
        return FLOOD;
    }
    guess_cost(self, repair);
    const uint64_t flood_ns = expected_ns(self, &self->hands[FLOOD]);
    const uint64_t repair_ns = expected_ns(self, repair);
    if (repair->is_live) {
        const bool stays =
            repair_ns <= flood_ns || self->rent_ns + repair_ns - flood_ns <= begin_ns(self, repair);
        *why = stays ? suits[self->repair] : "repairs cost more than floods";
        return stays ? self->repair : FLOOD;
    }
    const uint64_t rent_ns = self->rent_ns + beyond(flood_ns, repair_ns);
    if (flood_ns <= repair_ns || rent_ns < begin_ns(self, repair) / RENT_SHARE) {
        *why = flood_ns <= repair_ns ? suits[FLOOD] : "repairs may not pay yet";
        return FLOOD;
    }
    *why = suits[self->repair];
    return self->repair;
}

static void start_with(automatic_t *self, unsigned which, const char *why)
{
    self->current = which;
    self->why = why;
    self->is_done = false;
    self->is_proven = false;
    self->hands[which].expanded = 0;
}

static void begin_hand(automatic_t *self, unsigned which, rp_cell_t start, const rp_goal_t *goals,
                       size_t goal_count)
{
    hand_t *hand = &self->hands[which];
    hand->member->ops->begin(hand->state, start, goals, goal_count);
    hand->is_live = true;
    self->deferred_count = which == FLOOD ? 0u : self->deferred_count;
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
    self->has_habits = false;
    self->start = start;
    self->goal = goals[0].cell;
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

/// The flood hears of what was deferred, in the order in which it happened: a cell may be in it
/// twice, and what comes last stands.
static void tell_deferred(automatic_t *self, const rp_update_t *update)
{
    hand_t *flood = &self->hands[FLOOD];
    const rp_update_t late = {.changes = self->deferred,
                              .change_count = self->deferred_count,
                              .goals = update->goals,
                              .goal_count = update->goal_count,
                              .start = update->start};
    if (flood->is_live && self->deferred_count != 0) {
        flood->is_live = can_take(flood, &late) && flood->member->ops->update(flood->state, &late);
    }
    self->deferred_count = 0;
}

/// The flood is not needed: it may hear of this later, or at once when it is too much to keep.
static void defer(automatic_t *self, const rp_update_t *update)
{
    hand_t *flood = &self->hands[FLOOD];
    const size_t count = self->deferred_count;
    if (!flood->is_live) {
        self->deferred_count = 0;
        return;
    }
    if (update->change_count > DEFERRED - count) {
        tell_deferred(self, update);
        flood->is_live = flood->is_live && can_take(flood, update) &&
                         flood->member->ops->update(flood->state, update);
        return;
    }
    if (update->change_count != 0) { // a start that moved comes without changes
        memcpy(self->deferred + count, update->changes,
               update->change_count * sizeof *update->changes);
    }
    self->deferred_count = count + update->change_count;
}

/// Let a hand take the update, or begin anew.
static void update_hand(automatic_t *self, unsigned which, const rp_update_t *update)
{
    hand_t *hand = &self->hands[which];
    self->is_beginning = false;
    if (which == FLOOD) {
        tell_deferred(self, update);
    }
    if (!hand->is_live || !can_take(hand, update) ||
        !hand->member->ops->update(hand->state, update)) {
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

static bool auto_update(void *state, const rp_update_t *update)
{
    automatic_t *self = state;
    self->is_set = update->goal_count > 1 || update->goals[0].offset != 0;
    self->changes = update->change_count;
    const bool same_trip = note_habits(self, update);
    if (!same_trip) {
        forget_trip(self);
    }
    if (proves_itself(self, update)) {
        defer(self, update);
        start_with(self, FLOOD, "the path proves itself");
        self->is_proven = true;
        self->is_fresh = false;
        self->is_walked = update->start_moved;
        return true;
    }
    const char *why;
    const unsigned which = choose(self, update, same_trip, &why);
    if ((which == FLOOD) != (self->current == FLOOD)) {
        self->rent_ns = 0;
    }
    for (unsigned i = 0; i < HANDS; i++) {
        self->hands[i].is_live = self->hands[i].is_live && i == which; // the others do not hear
    }
    start_with(self, which, why);
    update_hand(self, which, update);
    rp_certificate_drop(&self->certificate);
    return true;
}

// ---- search

/// A plan is finished: what did it cost, and what would the other hand have?
static void note_cost(automatic_t *self)
{
    hand_t *hand = &self->hands[self->current];
    const bool is_repair = self->current != FLOOD;
    const uint64_t cost_ns = hand->expanded * hand->member->expansion_ns[by_neighbors(self)];
    const hand_t *other = &self->hands[is_repair ? FLOOD : self->repair];
    if (is_repair && self->is_beginning) {
        hand_t *flood = &self->hands[FLOOD];
        if (flood->plans == 0) { // it would have searched about the same cells
            flood->cost_ns = hand->expanded * flood->member->expansion_ns[by_neighbors(self)];
        }
        hand->begin_ns = cost_ns;
        hand->plans++;
        return;
    }
    const uint64_t paid_ns =
        self->rent_ns + cost_ns + self->changes * hand->member->change_ns[by_neighbors(self)];
    self->rent_ns = beyond(paid_ns, expected_ns(self, other));
    hand->cost_ns = hand->plans == 0 ? cost_ns : mean_with(hand->cost_ns, cost_ns);
    hand->plans++;
    if (!is_repair) {
        hand_t *repair = &self->hands[self->repair];
        repair->cost_ns -= repair->cost_ns / 64u; // what it cost long ago says little
    }
}

/// The flood has a path. What it leaves standing is the head of its last one at most, which the
/// certificate has held since.
static void take_flooded(automatic_t *self)
{
    const hand_t *flood = &self->hands[FLOOD];
    rp_certificate_t *path = &self->certificate;
    rp_certificate_drop(path);
    self->stands = (rp_path_stands_t){0};
    self->middle_count = flood->member->ops->path(flood->state, self->middle, &self->stands);
    memcpy(path->cells + self->stands.head, self->middle,
           self->middle_count * sizeof *self->middle);
    rp_certificate_take(path, self->stands.head + self->middle_count);
    self->is_fresh = true;
}

static rp_status_t auto_search(void *state, uint64_t *budget, rp_plan_stats_t *stats)
{
    automatic_t *self = state;
    hand_t *hand = &self->hands[self->current];
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

// ---- path

static uint32_t auto_path(const void *state, rp_cell_t *cells, rp_path_stands_t *stands)
{
    const automatic_t *self = state;
    const hand_t *hand = &self->hands[self->current];
    const rp_certificate_t *path = &self->certificate;
    const uint32_t count = path->count - path->first;
    if (self->current != FLOOD) {
        return hand->member->ops->path(hand->state, cells, stands);
    }
    if (self->is_fresh) {
        *stands = self->stands;
        memcpy(cells, self->middle, self->middle_count * sizeof *cells);
        return self->middle_count;
    }
    stands->tail = count;
    return self->is_walked ? 0 : RP_PATH_KEPT;
}

// ---- birth and death

static void unbind_hand(hand_t *hand)
{
    if (hand->state != NULL) {
        hand->member->ops->unbind(hand->state);
        free(hand->state);
    }
    *hand = (hand_t){0};
}

static void auto_unbind(void *state)
{
    automatic_t *self = state;
    for (unsigned i = 0; i < HANDS; i++) {
        unbind_hand(&self->hands[i]);
    }
    rp_certificate_fini(&self->certificate);
    if (self->grid != NULL) {
        rp_memory_free(self->middle, self->grid->cell_count, sizeof *self->middle);
    }
    free(self->deferred);
    self->deferred = NULL;
    self->grid = NULL;
}

/// Bind the first candidate that can do this grid, and does it well.
static rp_status_t bind_hand(automatic_t *self, unsigned which, uint32_t needed)
{
    hand_t *hand = &self->hands[which];
    const candidate_t *candidate = candidates[which];
    const candidate_t *end = candidate + CANDIDATES;
    while (candidate != end && candidate->ops != NULL &&
           ((candidate->ops->info.capabilities & needed) != needed ||
            (candidate->shuns & needed) != 0)) {
        candidate++;
    }
    if (candidate == end || candidate->ops == NULL) {
        return RP_E_UNSUPPORTED;
    }
    const rp_planner_options_t options = {.open = candidate->open};
    hand->member = candidate;
    hand->state = calloc(1, candidate->ops->state_bytes);
    if (hand->state == NULL) {
        return RP_E_MEMORY;
    }
    const rp_status_t status = candidate->ops->bind(hand->state, self->grid, &options);
    if (status != RP_OK) {
        free(hand->state);
        *hand = (hand_t){0};
    }
    return status;
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
    self->deferred = malloc(DEFERRED * sizeof *self->deferred);
    self->middle = rp_memory_new_sparse(grid->cell_count, sizeof *self->middle);
    const bool has_both = self->deferred != NULL && self->middle != NULL;
    rp_status_t status = has_both ? RP_OK : RP_E_MEMORY;
    status = status == RP_OK ? rp_certificate_init(&self->certificate, grid) : status;
    for (unsigned i = 0; status == RP_OK && i < HANDS; i++) {
        status = bind_hand(self, i, i == SETS ? needed | RP_CAN_GOAL_SET : needed);
    }
    if (status != RP_OK) {
        auto_unbind(self);
    }
    return status;
}

/// A hand that was never used has touched nothing.
static uint64_t auto_bytes(const void *state)
{
    const automatic_t *self = state;
    uint64_t bytes = 0;
    for (unsigned i = 0; i < HANDS; i++) {
        const hand_t *hand = &self->hands[i];
        bytes += hand->plans != 0 || hand->is_live ? hand->member->ops->bytes(hand->state) : 0u;
    }
    return bytes + self->grid->cell_count / 8u + self->certificate.count * sizeof(rp_cell_t);
}

const rp_planner_ops_t RP_MEMBER(auto) = {
    .info =
        {
            .id = "auto",
            .paper = "ours: chooses among the others, for each update",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_START | RP_NATIVE_GOAL |
                            RP_NATIVE_NO_PATH | RP_CAN_EVERY_GRID | RP_CAN_GOAL_SET,
            .bytes_per_cell = 32,
        },
    .state_bytes = sizeof(automatic_t),
    .bind = auto_bind,
    .unbind = auto_unbind,
    .begin = auto_begin,
    .update = auto_update,
    .search = auto_search,
    .path = auto_path,
    .bytes = auto_bytes,
    .check = auto_check,
};
