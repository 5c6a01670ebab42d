/// What searches tell of themselves cell by cell (replan/trace.h), held against what they count and
/// against the oracle. The members that are linked here are compiled with REPLAN_TRACE.
#include <string.h>

#include "replan/trace.h"
#include "tests/planners/trace_members.h"
#include "tests/support/contestant.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/trial.h"

#define SIDE     32u
#define ROOM     ((SIDE + 2u) * (SIDE + 16u)) ///< places of a grid, the rim included
#define UPDATES  RP_ROUNDS(1000u)
#define KINDS    8u  ///< worlds, one bit each for 8 neighbours, weights, wrapped
#define KEPT_FOR 32u ///< updates in one world
#define IS(kind) (1u << RP_TRACE_##kind)

static rp_contestant_t contestant;
static rp_trial_t trial;
static rp_random_t rng;

// ---- what is told

static bool is_planning;
static uint64_t calls[RP_TRACE_LEVEL + 1];
static uint8_t told[ROOM]; ///< by cell: IS() of all that was told of it
static uint32_t level_of[ROOM];
static uint32_t level;

bool rp_trace(rp_cell_t cell, rp_trace_kind_t kind)
{
    if (!is_planning || cell == RP_NO_CELL) {
        level += is_planning && kind == RP_TRACE_LEVEL;
        return true;
    }
    // One that was let wait, and blocks since, may still be expanded.
    if (!rp_grid_holds(trial.grid, cell) ||
        (kind == RP_TRACE_REUSED && trial.grid->factor[cell] == 0)) {
        ck_abort_msg("%s tells cell %u, kind %d", contestant.name, cell, (int)kind);
    }
    calls[kind]++;
    told[cell] |= (uint8_t)(1u << kind);
    level_of[cell] = level;
    return true;
}

static void tear_down(void)
{
    rp_trial_fini(&trial);
}

static bool can(uint32_t capability)
{
    return (contestant.info->capabilities & capability) == capability;
}

/// Plan to the end, listening.
static void plan(void)
{
    rp_trial_tell(&trial);
    memset(calls, 0, sizeof calls);
    memset(told, 0, sizeof told);
    level = 0;
    is_planning = true;
    ck_assert_int_eq(rp_trial_slice(&trial, UINT64_MAX), RP_OK);
    is_planning = false;
    const char *complaint = rp_trial_judge(&trial);
    ck_assert_msg(complaint == NULL, "%s: %s", contestant.name, complaint);
}

// ---- worlds

static bool is_end(uint32_t place)
{
    return place == trial.start || place == trial.goals[0].place;
}

static void change_cell(bool is_weighted)
{
    const uint32_t x = rp_random_below(&rng, SIDE);
    const uint32_t y = rp_random_below(&rng, SIDE);
    if (!is_end(y * SIDE + x)) {
        const uint32_t factor = is_weighted ? rp_random_between(&rng, 1, 3) : 1;
        rp_trial_set(&trial, x, y, rp_random_chance(&rng, 25) ? 0 : (uint8_t)factor);
    }
}

/// A place that does not block.
static uint32_t free_place(void)
{
    for (;;) {
        const uint32_t x = rp_random_below(&rng, SIDE);
        const uint32_t y = rp_random_below(&rng, SIDE);
        if (rp_trial_factor(&trial, x, y) != 0) {
            return y * SIDE + x;
        }
    }
}

/// @return false when the planner cannot that
static bool make_world(unsigned kind)
{
    const bool is_weighted = (kind & 2u) != 0;
    const rp_grid_shape_t shape = {
        .width = SIDE,
        .height = SIDE,
        .neighbors = (kind & 1u) != 0 ? 8 : 4,
        .wraps = (kind & 4u) != 0,
        .unit = 1,
        .least = 1,
    };
    if ((is_weighted && !can(RP_CAN_WEIGHTED)) || rp_trial_bind(&trial, &shape) != RP_OK) {
        return false;
    }
    ck_assert_uint_le(trial.grid->cell_count, ROOM);
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            const uint32_t factor = is_weighted ? rp_random_between(&rng, 1, 3) : 1;
            rp_trial_set(&trial, x, y, rp_random_chance(&rng, 25) ? 0 : (uint8_t)factor);
        }
    }
    const uint32_t start = free_place();
    const uint32_t goal = free_place();
    rp_trial_set_start(&trial, start % SIDE, start / SIDE);
    rp_trial_set_goal(&trial, goal % SIDE, goal / SIDE);
    return true;
}

/// Something happens: cells change, mostly, or an end moves.
static void disturb(unsigned kind)
{
    const uint32_t what = rp_random_below(&rng, 8);
    if (what == 0) {
        const uint32_t start = free_place();
        rp_trial_set_start(&trial, start % SIDE, start / SIDE);
    } else if (what == 1) {
        const uint32_t goal = free_place();
        rp_trial_set_goal(&trial, goal % SIDE, goal / SIDE);
    } else {
        const uint32_t count = rp_random_between(&rng, 1, what == 2 ? 40 : 4);
        for (uint32_t i = 0; i < count; i++) {
            change_cell((kind & 2u) != 0);
        }
    }
}

/// Let so many updates happen in worlds of every kind that the planner can, each planned and looked
/// at.
static void go_through(void (*look)(void))
{
    unsigned kind = 0;
    bool is_open = false;
    for (uint32_t update = 0; update < UPDATES; update++) {
        if (update % KEPT_FOR == 0) {
            do {
                kind = (kind + 1u) % KINDS;
                is_open = make_world(kind);
            } while (!is_open);
        } else {
            disturb(kind);
        }
        plan();
        look();
    }
}

static void begin(const char *id, const rp_member_options_t *options)
{
    ck_assert_int_eq(rp_trial_init(&trial, id, options), RP_OK);
    rng = (rp_random_t){31};
}

// ---- as many calls as expansions

static uint64_t exact; ///< plans that expanded cells, and told no levels

/// Searches by words count words: there the calls are of levels.
static void look_at_counts(void)
{
    const uint64_t single = calls[RP_TRACE_EXPANDED] + calls[RP_TRACE_RAISED];
    const uint64_t expanded = trial.plan.stats.expanded;
    if (strcmp(trial.plan.stats.planner, "bpa") == 0 || calls[RP_TRACE_LEVEL] != 0) {
        ck_assert_msg(single <= expanded, "%s told %lu cells, and counts %lu", contestant.name,
                      (unsigned long)single, (unsigned long)expanded);
        return;
    }
    exact += expanded != 0;
    ck_assert_msg(single == expanded, "%s told %lu cells, and counts %lu", contestant.name,
                  (unsigned long)single, (unsigned long)expanded);
}

START_TEST(as_many_cells_are_told_as_counted)
{
    if (!rp_contestant_at((size_t)_i, &contestant)) {
        return;
    }
    begin(contestant.info->id, &contestant.options);
    go_through(look_at_counts);
    ck_assert_msg(exact > UPDATES / 20u || strcmp(contestant.info->id, "bpa") == 0,
                  "%s: %lu plans were counted cell by cell", contestant.name, (unsigned long)exact);
}
END_TEST

// ---- searches from scratch

static uint64_t searched; ///< plans for which something was searched

static uint64_t steps_between(uint32_t a, uint32_t b)
{
    const uint64_t d = a < b ? b - a : a - b;
    return trial.grid->shape.wraps && SIDE - d < d ? SIDE - d : d;
}

/// What the oracle's cost cannot be less than, from a place to the goal.
static uint64_t bound_of(uint32_t place)
{
    const uint32_t goal = trial.goals[0].place;
    const uint64_t dx = steps_between(place % SIDE, goal % SIDE);
    const uint64_t dy = steps_between(place / SIDE, goal / SIDE);
    const uint64_t low = dx < dy ? dx : dy;
    const uint64_t straight = 2u * 408u;
    return trial.grid->shape.neighbors == 4 ? straight * (dx + dy)
                                            : straight * (dx + dy - 2u * low) + 2u * 577u * low;
}

/// Every cell with f < C is expanded, and none with f > C. If nothing changed, nothing is searched.
static void look_at_scratch(void)
{
    if (trial.plan.stats.expanded == 0) {
        return;
    }
    searched++;
    rp_oracle_flood(trial.oracle, trial.start);
    const uint64_t cost = rp_oracle_cheapest(trial.oracle, trial.goals, 1);
    for (uint32_t place = 0; place < SIDE * SIDE; place++) {
        const uint64_t g = trial.oracle->cost[place];
        const rp_cell_t cell = rp_grid_cell(trial.grid, place % SIDE, place / SIDE);
        const bool is_expanded = (told[cell] & IS(EXPANDED)) != 0;
        if (g == RP_ORACLE_NO_PATH) {
            RP_EACH(!is_expanded);
        } else if (g + bound_of(place) != cost) {
            RP_EACH_EQ(is_expanded, g + bound_of(place) < cost);
        }
    }
    RP_EACH_EQ(calls[RP_TRACE_REUSED] + calls[RP_TRACE_RAISED], 0);
}

START_TEST(searches_from_scratch_tell_what_lies_below_the_cost)
{
    static const char *const ids[] = {"astar", "fringe"};
    static const rp_open_t opens[] = {RP_OPEN_HEAP, RP_OPEN_BUCKETS};
    const rp_member_options_t options = {.open = opens[_i / 2]};
    contestant.info = rp_planner_find(ids[_i % 2]);
    begin(ids[_i % 2], &options);
    go_through(look_at_scratch);
    ck_assert_uint_gt(searched, UPDATES / 2u);
}
END_TEST

// ---- searches that go on from an earlier one

typedef struct reuser {
    const char *id;
    rp_trace_g_t *g;
    bool is_from_goal;
} reuser_t;

static const reuser_t reusers[] = {{"lpa", rp_trace_dstar_lite_g, false},
                                   {"dstar-lite", rp_trace_dstar_lite_g, true},
                                   {"fsa", rp_trace_fsa_g, false}};
static const reuser_t *reuser;
static uint64_t reused;

/// What the oracle says for 1 in the planner's numbers (grid/metric.h).
static uint64_t oracle_unit(void)
{
    return (trial.grid->weighted ? 1u : 2u) * (trial.grid->shape.neighbors == 8 ? 1u : 408u);
}

static void look_at_reused(void)
{
    rp_oracle_flood(trial.oracle, reuser->is_from_goal ? trial.goals[0].place : trial.start);
    for (uint32_t place = 0; place < SIDE * SIDE; place++) {
        const rp_cell_t cell = rp_grid_cell(trial.grid, place % SIDE, place / SIDE);
        if ((told[cell] & IS(REUSED)) == 0) {
            continue;
        }
        reused++;
        RP_EACH_EQ(told[cell], IS(REUSED));
        RP_EACH_EQ(reuser->g(trial.planner, cell) * oracle_unit(), trial.oracle->cost[place]);
    }
}

START_TEST(what_is_reused_is_right_and_not_expanded)
{
    reuser = &reusers[_i];
    contestant.info = rp_planner_find(reuser->id);
    begin(reuser->id, NULL);
    go_through(look_at_reused);
    ck_assert_uint_gt(reused, UPDATES);
}
END_TEST

// ---- searches by words

/// With 4 neighbours each level has one f, and each level's is greater by two steps.
START_TEST(levels_are_those_of_f)
{
    contestant.info = rp_planner_find("bpa");
    begin("bpa", NULL);
    for (uint32_t world = 0; world < KEPT_FOR; world++) {
        ck_assert(make_world(0));
        plan();
        rp_oracle_flood(trial.oracle, trial.start);
        for (uint32_t place = 0; place < SIDE * SIDE; place++) {
            const rp_cell_t cell = rp_grid_cell(trial.grid, place % SIDE, place / SIDE);
            if ((told[cell] & IS(LEVEL)) != 0) {
                RP_EACH_EQ(trial.oracle->cost[place] + bound_of(place),
                           bound_of(trial.start) + 4u * 408u * level_of[cell]);
            }
        }
        ck_assert_uint_gt(calls[RP_TRACE_LEVEL], 0);
    }
}
END_TEST

int main(void)
{
    const TTest *counts[] = {as_many_cells_are_told_as_counted};
    const TTest *scratch[] = {searches_from_scratch_tell_what_lies_below_the_cost};
    const TTest *kept[] = {what_is_reused_is_right_and_not_expanded};
    const TTest *levels[] = {levels_are_those_of_f};
    int code = rp_suite_run("trace: counts", counts, 1, rp_contestant_count(), tear_down);
    code |= rp_suite_run("trace: scratch", scratch, 1, 4, tear_down);
    code |= rp_suite_run("trace: reused", kept, 1, 3, tear_down);
    return code | rp_suite_run("trace: levels", levels, 1, 1, tear_down);
}
