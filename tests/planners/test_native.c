/// What a planner says it does natively it does without starting over, and everything else it
/// counts as a restart; what planners are for is held against A*.
#include <string.h>

#include "tests/support/contestant.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/trial.h"

#define SIDE          24u
#define DEAREST       3u ///< factors stay below it, so that costs are scaled only once
#define EVENTS        RP_ROUNDS(12u)
#define KINDS         8u
#define SERIES_SIDE   100u
#define SERIES_EVENTS RP_ROUNDS(50u)

static rp_contestant_t contestant;
static rp_trial_t trial;
static rp_random_t rng;

static void tear_down(void)
{
    rp_trial_fini(&trial);
}

static bool can(uint32_t capability)
{
    return (contestant.info->capabilities & capability) == capability;
}

static void begin(int index)
{
    ck_assert(rp_contestant_at((size_t)index, &contestant));
    ck_assert_int_eq(rp_trial_init(&trial, contestant.info->id, &contestant.options), RP_OK);
    rng = (rp_random_t){77};
}

static void plan(void)
{
    const char *complaint = rp_trial_plan(&trial, UINT64_MAX);
    ck_assert_msg(complaint == NULL, "%s: %s", contestant.name, complaint);
}

/// Plan after an event, and look how often the planner started over for it.
static void plan_after(uint32_t natives)
{
    plan();
    const uint32_t expected = can(natives) ? 0 : 1;
    ck_assert_msg(trial.plan.stats.restarts == expected, "%s: %u restarts, should be %u",
                  contestant.name, trial.plan.stats.restarts, expected);
}

// ---- worlds

static bool is_end(uint32_t x, uint32_t y)
{
    const uint32_t place = y * trial.grid->shape.width + x;
    return place == trial.start || place == trial.goals[0].place;
}

/// Kind 0 .. 7: one bit each for 8 neighbours, weights, wrapped. The first plan is made.
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
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            const uint32_t factor = is_weighted ? rp_random_between(&rng, 1, DEAREST) : 1;
            rp_trial_set(&trial, x, y, rp_random_chance(&rng, 20) ? 0 : (uint8_t)factor);
        }
    }
    if (is_weighted) {
        rp_trial_set(&trial, 0, 0, DEAREST); // met before the first plan, whatever was drawn
    }
    rp_trial_set_start(&trial, 3, 4);
    rp_trial_set_goal(&trial, 19, 18);
    rp_trial_set(&trial, 3, 4, 1);
    rp_trial_set(&trial, 19, 18, 1);
    plan();
    return true;
}

/// Change one cell, no end, in one direction: dearer (also blocked) or cheaper (also freed).
static void change_one(bool to_dearer)
{
    const bool is_weighted = trial.grid->weighted;
    for (;;) {
        const uint32_t x = rp_random_below(&rng, SIDE);
        const uint32_t y = rp_random_below(&rng, SIDE);
        const uint32_t before = rp_trial_factor(&trial, x, y);
        const uint32_t after = is_weighted ? rp_random_below(&rng, DEAREST + 1u) : before == 0;
        const uint32_t rank_before = before == 0 ? DEAREST + 1u : before;
        const uint32_t rank_after = after == 0 ? DEAREST + 1u : after;
        if (before != after && (rank_after > rank_before) == to_dearer && !is_end(x, y)) {
            rp_trial_set(&trial, x, y, (uint8_t)after);
            return;
        }
    }
}

/// A free place other than both ends.
static uint32_t draw_free_place(void)
{
    for (;;) {
        const uint32_t x = rp_random_below(&rng, SIDE);
        const uint32_t y = rp_random_below(&rng, SIDE);
        if (rp_trial_factor(&trial, x, y) != 0 && !is_end(x, y)) {
            return y * SIDE + x;
        }
    }
}

static bool is_on_path(uint32_t place)
{
    const rp_path_t *path = &trial.plan.path;
    const rp_cell_t cell = rp_grid_cell(trial.grid, place % SIDE, place / SIDE);
    uint32_t i = 0;
    while (i < path->count && path->cells[i] != cell) {
        i++;
    }
    return i != path->count;
}

/// Elsewhere: of a start that goes on along its path nobody hears.
static void move_start(void)
{
    uint32_t place = draw_free_place();
    while (is_on_path(place)) {
        place = draw_free_place();
    }
    rp_trial_set_start(&trial, place % SIDE, place / SIDE);
}

static void move_goal(void)
{
    const uint32_t place = draw_free_place();
    rp_trial_set_goal(&trial, place % SIDE, place / SIDE);
}

// ---- events

START_TEST(dearer_cells_restart_only_those_who_say_so)
{
    begin(_i);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        for (unsigned event = 0; event < EVENTS && (event != 0 || make_world(kind)); event++) {
            change_one(true);
            plan_after(RP_NATIVE_DEARER);
        }
    }
}
END_TEST

START_TEST(cheaper_cells_restart_only_those_who_say_so)
{
    begin(_i);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        for (unsigned event = 0; event < EVENTS && (event != 0 || make_world(kind)); event++) {
            change_one(false);
            plan_after(RP_NATIVE_CHEAPER);
        }
    }
}
END_TEST

START_TEST(a_mixed_batch_restarts_only_those_who_say_so)
{
    begin(_i);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        for (unsigned event = 0; event < EVENTS && (event != 0 || make_world(kind)); event++) {
            change_one(true);
            rp_trial_tell(&trial);
            change_one(false);
            change_one(false);
            rp_trial_tell(&trial);
            change_one(true);
            plan_after(RP_NATIVE_CHANGES);
        }
    }
}
END_TEST

START_TEST(a_moved_start_restarts_only_those_who_say_so)
{
    begin(_i);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        for (unsigned event = 0; event < EVENTS && (event != 0 || make_world(kind)); event++) {
            move_start();
            plan_after(RP_NATIVE_START);
        }
    }
}
END_TEST

START_TEST(a_moved_goal_restarts_only_those_who_say_so)
{
    begin(_i);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        for (unsigned event = 0; event < EVENTS && (event != 0 || make_world(kind)); event++) {
            move_goal();
            plan_after(RP_NATIVE_GOAL);
        }
    }
}
END_TEST

START_TEST(everything_at_once_restarts_at_most_once)
{
    begin(_i);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        for (unsigned event = 0; event < EVENTS && (event != 0 || make_world(kind)); event++) {
            change_one(true);
            change_one(true);
            move_start();
            move_goal();
            plan_after(RP_NATIVE_DEARER | RP_NATIVE_START | RP_NATIVE_GOAL);
        }
    }
}
END_TEST

/// Close or open the ring round the goal.
static void wall_in_goal(uint8_t factor)
{
    for (uint32_t y = 17; y <= 19; y++) {
        for (uint32_t x = 18; x <= 20; x++) {
            if (x != 19 || y != 18) {
                rp_trial_set(&trial, x, y, factor);
            }
        }
    }
}

START_TEST(those_who_say_so_keep_what_they_know_without_a_path)
{
    begin(_i);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        if (!make_world(kind)) {
            continue;
        }
        wall_in_goal(1);
        plan();
        const bool is_native = can(RP_NATIVE_CHANGES | RP_NATIVE_NO_PATH);
        uint32_t restarts = 0;
        for (int round = 0; round < 4; round++) {
            wall_in_goal(0);
            plan();
            ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_NO_PATH);
            restarts += trial.plan.stats.restarts;
            rp_trial_set(&trial, 8, 8, round % 2 == 0 ? 0 : 1);
            rp_trial_set(&trial, 3, 5, round % 2 == 0 ? 1 : 0);
            plan();
            ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_NO_PATH);
            restarts += trial.plan.stats.restarts;
            wall_in_goal(1);
            plan();
            restarts += trial.plan.stats.restarts;
        }
        ck_assert_msg(!is_native || restarts == 0, "%s: %u restarts", contestant.name, restarts);
    }
}
END_TEST

// ---- what it is good for

/// Toggle a cell at most 8 cells from the place.
static void toggle_near(uint32_t place)
{
    const uint32_t x = place % SERIES_SIDE + rp_random_below(&rng, 17) - 8u;
    const uint32_t y = place / SERIES_SIDE + rp_random_below(&rng, 17) - 8u;
    if (!is_end(x, y)) {
        rp_trial_set(&trial, x, y, rp_trial_factor(&trial, x, y) == 0);
    }
}

static void make_series_world(uint8_t neighbors)
{
    const rp_grid_shape_t shape = {
        .width = SERIES_SIDE, .height = SERIES_SIDE, .neighbors = neighbors, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    for (uint32_t place = 0; place < SERIES_SIDE * SERIES_SIDE; place++) {
        if (rp_random_chance(&rng, 25)) {
            rp_trial_set(&trial, place % SERIES_SIDE, place / SERIES_SIDE, 0);
        }
    }
    rp_trial_set_start(&trial, 12, 15);
    rp_trial_set_goal(&trial, 85, 88);
    rp_trial_set(&trial, 12, 15, 1);
    rp_trial_set(&trial, 85, 88, 1);
}

/// Expansions of a series of small changes, the first search not counted.
static uint64_t expansions_of_series(uint8_t neighbors, bool near_start)
{
    rng = (rp_random_t){4};
    make_series_world(neighbors);
    plan();
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_FOUND);
    uint64_t expanded = 0;
    for (unsigned event = 0; event < SERIES_EVENTS; event++) {
        toggle_near(near_start ? trial.start : trial.goals[0].place);
        plan();
        expanded += trial.plan.stats.expanded;
    }
    return expanded;
}

/// Where changes are cheap: far from the root of the search. A planner whose start moves natively
/// and whose goal does not is rooted at the goal.
START_TEST(small_changes_far_from_the_root_cost_fewer_expansions_than_astar)
{
    begin(_i);
    if (!can(RP_NATIVE_CHANGES)) {
        return;
    }
    const bool near_start = can(RP_NATIVE_START) && !can(RP_NATIVE_GOAL);
    for (uint8_t neighbors = 4; neighbors <= 8; neighbors += 4) {
        if (!can(neighbors == 8 ? RP_CAN_8 : RP_CAN_4)) {
            continue;
        }
        const uint64_t native = expansions_of_series(neighbors, near_start);
        rp_trial_t kept = trial;
        ck_assert_int_eq(rp_trial_init(&trial, "astar", NULL), RP_OK);
        const uint64_t floor = expansions_of_series(neighbors, near_start);
        rp_trial_fini(&trial);
        trial = kept;
        ck_assert_msg(native < floor, "%s: %lu expansions, astar %lu", contestant.name,
                      (unsigned long)native, (unsigned long)floor);
    }
}
END_TEST

/// What each planner takes in without starting over (planners/README.md).
START_TEST(each_planner_is_native_for_what_the_design_says)
{
    static const struct {
        const char *id;
        uint32_t natives;
    } rows[] = {
        {"ia-star", RP_NATIVE_CHANGES},
        {"fsa", RP_NATIVE_CHANGES | RP_NATIVE_GOAL},
        {"lpa", RP_NATIVE_CHANGES},
        {"dstar-lazy", RP_NATIVE_CHANGES | RP_NATIVE_START},
        {"dstar-lite", RP_NATIVE_CHANGES | RP_NATIVE_START},
        {"gaa", RP_NATIVE_CHANGES | RP_NATIVE_START | RP_NATIVE_GOAL},
        {"gaa-eager", RP_NATIVE_CHANGES | RP_NATIVE_START | RP_NATIVE_GOAL},
        {"at", RP_NATIVE_CHANGES | RP_NATIVE_START | RP_NATIVE_GOAL},
        {"mpgaa", RP_NATIVE_CHANGES | RP_NATIVE_START | RP_NATIVE_GOAL},
    };
    begin(_i);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].id, contestant.info->id) == 0) {
            ck_assert_msg(can(rows[i].natives), "%s is native for less", contestant.info->id);
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        dearer_cells_restart_only_those_who_say_so,
        cheaper_cells_restart_only_those_who_say_so,
        a_mixed_batch_restarts_only_those_who_say_so,
        a_moved_start_restarts_only_those_who_say_so,
        a_moved_goal_restarts_only_those_who_say_so,
        everything_at_once_restarts_at_most_once,
        those_who_say_so_keep_what_they_know_without_a_path,
        small_changes_far_from_the_root_cost_fewer_expansions_than_astar,
        each_planner_is_native_for_what_the_design_says,
    };
    return rp_suite_run("native", tests, sizeof tests / sizeof tests[0], rp_contestant_count(),
                        tear_down);
}
