/// AUTO: the planner that chooses a planner, for each update anew.
///
/// Ours. Guarantee: optimal. Cost of a change: about that of the member that suits it. Bytes a
/// cell: those of the members that were used. Choose it unless you know better: it is the default
/// of the daemon and of the tools.
///
/// Three hands, each a member bound to the same grid:
///
///     flood   starts over each time, as fast as this ground allows: the first path, big batches,
///             goals that jump
///     repair  keeps what it knows and repairs it: small batches, one after the other
///     sets    several goals at once
///
/// First the path at hand may prove itself (search/certificate.h): then nobody works. Otherwise
/// the choice is made from counters alone, so that a replay decides the same. What each hand cost
/// lately is known in nanoseconds of a reference machine: expansions times a constant a member. A
/// repairing hand must be made ready first, which costs more than a flood; as one who does not know
/// whether to rent or to buy, AUTO floods until the floods that small batches needed have cost as
/// much, and then lets the repair begin. It goes back when repairs turn out dearer than floods.
#include "planners/planner_ops.h"

#include <stdlib.h>
#include <string.h>

#include "planners/search/certificate.h"
#include "planners/search/cost.h"

// ---- state

enum {
    FLOOD,
    REPAIR,
    SETS,
    HANDS,
};

/// A member that may serve as a hand, and what it costs on the reference machine.
typedef struct candidate {
    const rp_planner_ops_t *ops;
    rp_open_t open;
    uint16_t expansion_ns; ///< per expansion, queue and path included
    uint16_t change_ns;    ///< per changed cell
    uint16_t begin_factor; ///< of a flood: a repair that begins costs about so many of it
} candidate_t;

extern const rp_planner_ops_t RP_MEMBER(astar), RP_MEMBER(bpa), RP_MEMBER(cert),
    RP_MEMBER(dstar_lite), RP_MEMBER(jps);

/// For each hand those that may serve, the best first; the first that can do the grid is taken.
static const candidate_t floods[] = {
    {&RP_MEMBER(bpa), RP_OPEN_HEAP, 13, 5, 40},
    {&RP_MEMBER(jps), RP_OPEN_HEAP, 110, 10, 3},
    {&RP_MEMBER(astar), RP_OPEN_BUCKETS, 60, 1, 4},
};
static const candidate_t repairs[] = {
    {&RP_MEMBER(cert), RP_OPEN_HEAP, 60, 20, 0},
    {&RP_MEMBER(dstar_lite), RP_OPEN_HEAP, 110, 60, 0},
};
static const candidate_t sets[] = {
    {&RP_MEMBER(dstar_lite), RP_OPEN_HEAP, 110, 60, 0},
};

typedef struct hand {
    const candidate_t *member;
    void *state;       ///< owned; the member's
    bool is_live;      ///< holds a search that heard of every event so far
    uint64_t plans;    ///< that it finished
    uint64_t cost_ns;  ///< of its plans lately, a running mean
    uint64_t expanded; ///< in the plan under way
    uint64_t begin_ns; ///< what beginning cost last, or is thought to cost
} hand_t;

typedef struct automatic {
    hand_t hands[HANDS];
    const rp_grid_t *grid;
    rp_certificate_t certificate;
    unsigned current;  ///< the hand that searches, or searched last
    bool is_beginning; ///< its search begins anew
    bool is_proven;    ///< the path at hand proved itself: nobody searches
    bool is_done;      ///< the search is over
    bool is_set;       ///< several goals, or one with an offset
    size_t changes;    ///< in the plan under way
    uint64_t rent_ns;  ///< what floods cost that a repair might have spared
    const char *why;   ///< static text: why the current hand
} automatic_t;

/// A running mean that forgets with the eighth plan.
static uint64_t mean_with(uint64_t mean, uint64_t value)
{
    return mean - mean / 8u + value / 8u;
}

// ---- invariants

static bool auto_check(const void *state)
{
    const automatic_t *self = state;
    const hand_t *hand = &self->hands[self->current];
    return !hand->is_live || hand->member->ops->check(hand->state);
}

// ---- the choice

/// What a plan by this hand will cost, as far as counters tell.
static uint64_t expected_ns(const hand_t *hand, size_t changes)
{
    return hand->cost_ns + changes * hand->member->change_ns;
}

/// Which hand takes this update. @param why  written: static text
static unsigned choose(automatic_t *self, const rp_update_t *update, const char **why)
{
    const hand_t *flood = &self->hands[FLOOD];
    const hand_t *repair = &self->hands[REPAIR];
    const uint32_t natives = repair->member->ops->info.capabilities;
    if (self->is_set) {
        *why = "several goals";
        return SETS;
    }
    if ((update->goals_changed && (natives & RP_NATIVE_GOAL) == 0) ||
        (update->start_moved && (natives & RP_NATIVE_START) == 0)) {
        *why = "an end moved";
        return FLOOD;
    }
    const uint64_t flood_ns = expected_ns(flood, update->change_count);
    const uint64_t repair_ns = expected_ns(repair, update->change_count);
    if (repair->is_live) {
        *why = repair_ns <= flood_ns ? "repairs are cheap here" : "repairs cost more than a flood";
        return repair_ns <= flood_ns ? REPAIR : FLOOD;
    }
    if (flood_ns <= repair_ns) {
        *why = "a flood is cheap here";
        return FLOOD;
    }
    *why = self->rent_ns >= repair->begin_ns ? "repairs will pay" : "repairs may not pay yet";
    return self->rent_ns >= repair->begin_ns ? REPAIR : FLOOD;
}

/// What a repair is thought to cost before it was tried: the first plan of the flood tells how far
/// the ends are apart, and a small part of that is usually touched.
static void guess_costs(automatic_t *self)
{
    const hand_t *flood = &self->hands[FLOOD];
    for (unsigned i = REPAIR; i < HANDS; i++) {
        hand_t *hand = &self->hands[i];
        if (hand->plans == 0) {
            hand->begin_ns = flood->cost_ns * flood->member->begin_factor;
            hand->cost_ns = flood->cost_ns / 16u;
        }
    }
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
    self->is_beginning = true;
}

static void auto_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    automatic_t *self = state;
    for (unsigned i = 0; i < HANDS; i++) {
        self->hands[i].is_live = false;
    }
    rp_certificate_drop(&self->certificate);
    self->is_set = goal_count > 1 || goals[0].offset != 0;
    self->changes = 0;
    self->rent_ns = 0;
    start_with(self, self->is_set ? SETS : FLOOD, self->is_set ? "several goals" : "first");
    begin_hand(self, self->current, start, goals, goal_count);
}

// ---- changes

/// Let a hand take the update, or begin anew.
static void update_hand(automatic_t *self, unsigned which, const rp_update_t *update)
{
    hand_t *hand = &self->hands[which];
    const rp_planner_ops_t *ops = hand->member->ops;
    uint32_t needed = update->change_count != 0 ? RP_NATIVE_CHANGES : 0u;
    needed |= update->start_moved ? RP_NATIVE_START : 0u;
    needed |= update->goals_changed ? RP_NATIVE_GOAL : 0u;
    self->is_beginning = false;
    if (!hand->is_live || (ops->info.capabilities & needed) != needed ||
        !ops->update(hand->state, update)) {
        begin_hand(self, which, update->start, update->goals, update->goal_count);
    }
}

static bool auto_update(void *state, const rp_update_t *update)
{
    automatic_t *self = state;
    hand_t *flood = &self->hands[FLOOD];
    hand_t *repair = &self->hands[REPAIR];
    self->is_set = update->goal_count > 1 || update->goals[0].offset != 0;
    self->changes = update->change_count;
    const bool is_same_trip = !update->start_moved && !update->goals_changed && self->is_done;
    if (is_same_trip && !self->is_set && self->current == FLOOD &&
        rp_certificate_holds(&self->certificate, update->changes, update->change_count)) {
        update_hand(self, FLOOD, update);
        start_with(self, FLOOD, "the path proves itself");
        self->is_proven = true;
        repair->is_live = false;
        return true;
    }
    const char *why;
    const unsigned which = choose(self, update, &why);
    // A flood keeps at most a map of the ground, which must follow every change.
    const bool flood_follows = which != FLOOD && flood->is_live && !self->is_set;
    if (flood_follows) {
        update_hand(self, FLOOD, update);
    }
    flood->is_live = flood->is_live && (flood_follows || which == FLOOD);
    repair->is_live = repair->is_live && which == REPAIR;
    self->hands[SETS].is_live = self->hands[SETS].is_live && which == SETS;
    start_with(self, which, why);
    update_hand(self, which, update);
    if (which != FLOOD || self->is_set) {
        rp_certificate_drop(&self->certificate);
    }
    return true;
}

// ---- search

/// A plan is finished: what did it cost?
static void note_cost(automatic_t *self)
{
    hand_t *hand = &self->hands[self->current];
    const uint64_t cost_ns = hand->expanded * hand->member->expansion_ns;
    if (self->is_beginning && self->current != FLOOD) {
        hand->begin_ns = cost_ns;
        self->rent_ns = 0;
    } else {
        hand->cost_ns = hand->plans == 0 ? cost_ns : mean_with(hand->cost_ns, cost_ns);
    }
    hand->plans++;
    if (self->current == FLOOD) {
        hand_t *repair = &self->hands[REPAIR];
        self->rent_ns += cost_ns;
        repair->cost_ns -= repair->cost_ns / 64u; // what it cost long ago says little
        guess_costs(self);
    }
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
        rp_certificate_drop(&self->certificate);
        rp_certificate_take(&self->certificate,
                            hand->member->ops->path(hand->state, self->certificate.cells));
    }
    return RP_OK;
}

// ---- path

static uint32_t auto_path(const void *state, rp_cell_t *cells)
{
    const automatic_t *self = state;
    const hand_t *hand = &self->hands[self->current];
    if (self->is_proven) {
        return RP_PATH_KEPT;
    }
    if (self->current != FLOOD) {
        return hand->member->ops->path(hand->state, cells);
    }
    memcpy(cells, self->certificate.cells, self->certificate.count * sizeof *cells);
    return self->certificate.count;
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
    self->grid = NULL;
}

/// Bind the first candidate that can do this grid.
static rp_status_t bind_hand(hand_t *hand, const rp_grid_t *grid, const candidate_t *candidates,
                             size_t count, uint32_t needed)
{
    size_t i = 0;
    while (i < count && (candidates[i].ops->info.capabilities & needed) != needed) {
        i++;
    }
    if (i == count) {
        return RP_E_UNSUPPORTED;
    }
    const rp_planner_options_t options = {.open = candidates[i].open};
    hand->member = &candidates[i];
    hand->state = calloc(1, hand->member->ops->state_bytes);
    if (hand->state == NULL) {
        return RP_E_MEMORY;
    }
    const rp_status_t status = hand->member->ops->bind(hand->state, grid, &options);
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
    rp_status_t status = rp_certificate_init(&self->certificate, grid);
    if (status == RP_OK) {
        status =
            bind_hand(&self->hands[FLOOD], grid, floods, sizeof floods / sizeof floods[0], needed);
    }
    if (status == RP_OK) {
        status = bind_hand(&self->hands[REPAIR], grid, repairs, sizeof repairs / sizeof repairs[0],
                           needed);
    }
    if (status == RP_OK) {
        status = bind_hand(&self->hands[SETS], grid, sets, sizeof sets / sizeof sets[0],
                           needed | RP_CAN_GOAL_SET);
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
