/// FLOW: starts that jump cost nothing, a change costs what it changes, goals of all offsets. Every
/// plan is judged by the oracle too.
#include <math.h>
#include <string.h>

#include "tests/support/drawing.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/trial.h"

#define SIDE 60u

static rp_trial_t trial;
static rp_random_t rng;

static void tear_down(void)
{
    rp_trial_fini(&trial);
}

/// SIDE x SIDE, so many of 100 cells blocked, the goal in the middle, planned from a corner.
static void make_checked_world(uint8_t neighbors, uint32_t blocked_percent,
                               const rp_member_options_t *options)
{
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = SIDE, .neighbors = neighbors, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_trial_init(&trial, "flow", options), RP_OK);
    rng = (rp_random_t){17};
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    for (uint32_t place = 0; place < SIDE * SIDE; place++) {
        if (rp_random_chance(&rng, blocked_percent)) {
            rp_trial_set(&trial, place % SIDE, place / SIDE, 0);
        }
    }
    rp_trial_set(&trial, 0, 0, 1);
    rp_trial_set(&trial, SIDE / 2u, SIDE / 2u, 1);
    rp_trial_set_start(&trial, 0, 0);
    rp_trial_set_goal(&trial, SIDE / 2u, SIDE / 2u);
    rp_trial_expect_plan(&trial);
}

static void make_world(uint8_t neighbors, uint32_t blocked_percent)
{
    make_checked_world(neighbors, blocked_percent, NULL);
}

/// Cost from every cell to the goal, by the oracle [SIDE * SIDE]
static void costs_of_all(uint64_t *costs)
{
    rp_oracle_flood(trial.oracle, trial.goals[0].place);
    memcpy(costs, trial.oracle->cost, SIDE * SIDE * sizeof *costs);
}

START_TEST(a_start_that_jumps_within_what_is_known_costs_nothing)
{
    make_world(_i == 0 ? 4 : 8, 20);
    for (uint32_t i = 0; i < 200; i++) { // from the corner the whole square was asked for
        const uint32_t x = rp_random_between(&rng, SIDE / 4u, SIDE * 3u / 4u);
        const uint32_t y = rp_random_between(&rng, SIDE / 4u, SIDE * 3u / 4u);
        if (rp_trial_factor(&trial, x, y) != 0) {
            rp_trial_set_start(&trial, x, y);
            rp_trial_expect_plan(&trial);
            if (trial.plan.outcome == RP_OUTCOME_FOUND) {
                ck_assert_uint_eq(trial.plan.stats.expanded, 0);
            }
        }
    }
}
END_TEST

START_TEST(no_path_is_known_at_once_once_all_is_known)
{
    ck_assert_int_eq(rp_trial_init(&trial, "flow", NULL), RP_OK);
    ck_assert(rp_drawing_try("S..#..\n...#..\n...#G.", 8, false, &trial));
    rp_trial_expect_plan(&trial);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_NO_PATH);
    rp_trial_set_start(&trial, 2, 2);
    ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
    rp_trial_set(&trial, 3, 0, 1);
    (void)rp_trial_expect_repair(&trial);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_FOUND);
}
END_TEST

/// Ramalingam and Reps: work is bounded by what changes and its neighbours, not by the world.
START_TEST(a_change_costs_the_cells_whose_cost_changes_at_most_twice)
{
    static uint64_t before[SIDE * SIDE];
    static uint64_t after[SIDE * SIDE];
    make_world(_i == 0 ? 4 : 8, 25);
    rp_trial_set(&trial, 1, 0, 0); // the start is walled in, so that all else is known
    rp_trial_set(&trial, 0, 1, 0);
    rp_trial_expect_plan(&trial);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_NO_PATH);
    costs_of_all(before);
    for (unsigned i = 0; i < 60; i++) {
        const uint32_t x = rp_random_between(&rng, 2, SIDE - 2u);
        const uint32_t y = rp_random_between(&rng, 2, SIDE - 2u);
        if (x == SIDE / 2u && y == SIDE / 2u) {
            continue;
        }
        rp_trial_set(&trial, x, y, rp_trial_factor(&trial, x, y) == 0);
        const uint64_t expanded = rp_trial_expect_repair(&trial);
        costs_of_all(after);
        uint64_t changed = 0;
        for (uint32_t place = 0; place < SIDE * SIDE; place++) {
            changed += before[place] != after[place];
        }
        ck_assert_uint_le(expanded, 2u * changed + 1u);
        memcpy(before, after, sizeof before);
    }
}
END_TEST

START_TEST(goals_far_apart_in_offset_come_in_when_it_is_their_turn)
{
    ck_assert_int_eq(rp_trial_init(&trial, "flow", NULL), RP_OK);
    ck_assert(rp_drawing_try("S...................", 8, false, &trial));
    const rp_oracle_goal_t goals[] = {
        {.place = 19, .offset = 0}, {.place = 10, .offset = 5}, {.place = 1, .offset = 100000}};
    ck_assert_int_eq(rp_trial_set_goals(&trial, goals, 3), RP_OK);
    rp_trial_expect_plan(&trial);
    ck_assert_double_eq(trial.plan.cost, 15.0);
    rp_trial_set(&trial, 2, 0, 0); // only the dear one is left
    ck_assert_uint_le(rp_trial_expect_repair(&trial), 200);
    ck_assert_double_eq(trial.plan.cost, 100001.0);
    rp_trial_set(&trial, 2, 0, 1);
    (void)rp_trial_expect_repair(&trial);
    ck_assert_double_eq(trial.plan.cost, 15.0);
}
END_TEST

/// A cell that is doubted, then lowered before it was judged, must be judged by what it says now.
START_TEST(changes_between_the_slices_of_a_judgement_are_taken_in)
{
    for (unsigned round = 0; round < 60; round++) {
        make_world(8, 20);
        rng.state += round;
        for (unsigned i = 0; i < 30; i++) {
            const uint32_t x = rp_random_between(&rng, 1, SIDE - 2u);
            const uint32_t y = rp_random_between(&rng, 1, SIDE - 2u);
            rp_trial_set(&trial, x, y, (uint8_t)rp_random_below(&rng, 2));
            rp_trial_tell(&trial);
            (void)rp_trial_slice(&trial, rp_random_below(&rng, 40));
        }
        rp_trial_expect_plan(&trial);
        tear_down();
    }
    make_world(8, 20);
}
END_TEST

/// The short way breaks at (1, 1), and the search is cut short while (5, 1) still waits for a new
/// cost. It is offered one by (5, 2), on which (5, 0) builds, before that way breaks as well.
START_TEST(a_cost_that_others_build_on_does_not_rise_unheard)
{
    for (uint64_t budget = 0; budget < 40; budget++) {
        ck_assert_int_eq(rp_trial_init(&trial, "flow", NULL), RP_OK);
        ck_assert(rp_drawing_try("######S.....\n"
                                 "G.....#####.\n"
                                 ".##########.\n"
                                 "............",
                                 4, false, &trial));
        rp_trial_expect_plan(&trial);
        rp_trial_set(&trial, 1, 1, 0);
        (void)rp_trial_slice(&trial, budget);
        rp_trial_set(&trial, 5, 2, 1);
        (void)rp_trial_slice(&trial, 0);
        rp_trial_set(&trial, 5, 1, 0);
        (void)rp_trial_slice(&trial, 0);
        rp_trial_set(&trial, 5, 1, 1);
        (void)rp_trial_slice(&trial, 0);
        rp_trial_set(&trial, 5, 2, 0);
        rp_trial_set(&trial, 5, 0, 1);
        rp_trial_expect_plan(&trial);
        tear_down();
    }
    ck_assert_int_eq(rp_trial_init(&trial, "flow", NULL), RP_OK);
}
END_TEST

/// A path that somebody has.
typedef struct kept {
    rp_cell_t cells[SIDE * SIDE];
    rp_path_t path;
    double cost;
    uint64_t units;
    uint64_t whole; ///< as the oracle says
    unsigned step;  ///< at which it was the cheapest, from 1
} kept_t;

/// @return false when it is legal no more, or there is none
static bool walk_kept(const kept_t *kept, rp_walk_t *walk)
{
    const rp_grid_t *grid = trial.grid;
    *walk = (rp_walk_t){.factors = {0, 0}};
    if (rp_path_cost(&kept->path, grid) < 0.0 || kept->path.count == 0) {
        return false;
    }
    for (uint32_t i = 0; i + 1u < kept->path.count; i++) {
        const rp_cell_t from = kept->cells[i];
        const rp_cell_t to = kept->cells[i + 1u];
        walk->factors[rp_path_direction(grid, from, to) & 1u] +=
            (uint64_t)grid->factor[from] + grid->factor[to];
    }
    walk->end = kept->cells[kept->path.count - 1u];
    return true;
}

/// It was the cheapest before the newest change, and is legal and costs no more.
/// @param walk  written when it is legal
static bool was_cheapest_before(const kept_t *kept, unsigned step, rp_walk_t *walk, bool *is_legal)
{
    *is_legal = walk_kept(kept, walk);
    return *is_legal && kept->step + 1u == step &&
           rp_path_cost(&kept->path, trial.grid) < kept->cost + 1e-9;
}

/// Ask whether the path is as cheap as any; if it is not, keep the one that is.
/// @param step  one change was made since the one before, at most
/// @return true when it was
static bool confirm(kept_t *kept, unsigned step)
{
    rp_walk_t walk;
    bool is_legal;
    rp_trial_tell(&trial);
    const bool was_cheapest = was_cheapest_before(kept, step, &walk, &is_legal);
    const rp_status_t status =
        is_legal ? rp_planner_confirm(trial.planner, &walk, was_cheapest, UINT64_MAX, &trial.plan)
                 : rp_planner_plan(trial.planner, UINT64_MAX, &trial.plan);
    ck_assert_int_eq(status, RP_OK);
    const bool stands = trial.plan.outcome == RP_OUTCOME_FOUND && trial.plan.path.count == 0;
    if (stands) {
        trial.plan.path = kept->path;
    } else {
        memcpy(kept->cells, trial.plan.path.cells, trial.plan.path.count * sizeof *kept->cells);
        kept->path = (rp_path_t){kept->cells, trial.plan.path.count};
    }
    kept->cost = trial.plan.cost;
    kept->units = trial.plan.units;
    kept->step = trial.plan.outcome == RP_OUTCOME_FOUND ? step : 0u;
    const char *complaint = rp_trial_judge(&trial);
    ck_assert_msg(complaint == NULL, "%s", complaint);
    return stands;
}

START_TEST(a_path_that_is_confirmed_is_as_cheap_as_any)
{
    enum {
        STARTS = 6
    };
    static kept_t kept[STARTS];
    static const uint32_t starts[STARTS][2] = {{0, 0},   {59, 0},  {3, 55},
                                               {40, 40}, {58, 57}, {9, 30}};
    unsigned confirmed = 0;
    memset(kept, 0, sizeof kept);
    make_world(_i == 0 ? 4 : 8, 25);
    for (unsigned i = 0; i < 1000; i++) {
        const uint32_t x = rp_random_between(&rng, 1, SIDE - 2u);
        const uint32_t y = rp_random_between(&rng, 1, SIDE - 2u);
        if (x != SIDE / 2u || y != SIDE / 2u) {
            rp_trial_set(&trial, x, y, rp_trial_factor(&trial, x, y) == 0);
        }
        const unsigned begin = rp_random_below(&rng, STARTS);
        const unsigned asked = rp_random_below(&rng, STARTS);
        for (unsigned j = 0; j < asked; j++) {
            const unsigned which = (begin + j) % STARTS;
            rp_trial_set_start(&trial, starts[which][0], starts[which][1]);
            confirmed += confirm(&kept[which], i + 1u);
        }
    }
    ck_assert_uint_gt(confirmed, 100);
}
END_TEST

/// Some cells change, to one of so many factors or to block. Who stands at an end is not walled in.
static void change_some(uint32_t factors, uint32_t most)
{
    for (uint32_t i = rp_random_between(&rng, 1, most); i != 0; i--) {
        const uint32_t x = rp_random_between(&rng, 1, SIDE - 2u);
        const uint32_t y = rp_random_between(&rng, 1, SIDE - 2u);
        const uint32_t factor = rp_random_below(&rng, factors + 1u);
        const bool is_end =
            (y * SIDE + x) % (3u * SIDE + 4u) == 0 || (x == SIDE / 2u && y == SIDE / 2u);
        rp_trial_set(&trial, x, y, (uint8_t)(is_end && factor == 0 ? 1u : factor));
    }
    rp_trial_tell(&trial);
}

/// Paths that are asked after stay the cheapest for as long as that is said, over many changes,
/// while others are planned for: one change at a time and several, plain ground and weighted.
START_TEST(who_keeps_a_path_need_not_be_planned_for)
{
    enum {
        STARTS = 12
    };
    static kept_t kept[STARTS];
    static uint64_t costs[SIDE * SIDE];
    uint32_t starts[STARTS];
    unsigned confirmed = 0;
    memset(kept, 0, sizeof kept);
    make_world(_i % 2 == 0 ? 4 : 8, 25);
    for (unsigned i = 0; i < STARTS; i++) {
        starts[i] = (2u + i) * (3u * SIDE + 4u);
        rp_trial_set(&trial, starts[i] % SIDE, starts[i] / SIDE, 1);
    }
    for (unsigned i = 0; i < 1500; i++) {
        bool needs_plan[STARTS];
        change_some(_i < 4 ? 1 : 5, _i % 4 < 2 ? 1 : 5);
        costs_of_all(costs);
        for (unsigned j = 0; j < STARTS; j++) {
            rp_walk_t walk;
            bool is_legal;
            const rp_cell_t from = rp_grid_cell(trial.grid, starts[j] % SIDE, starts[j] / SIDE);
            needs_plan[j] = !was_cheapest_before(&kept[j], i + 1u, &walk, &is_legal) ||
                            !rp_planner_keeps(trial.planner, from, kept[j].units);
            confirmed += !needs_plan[j];
            kept[j].step += !needs_plan[j];
            const uint64_t walked = 408u * walk.factors[0] + 577u * walk.factors[1];
            ck_assert(needs_plan[j] || (walked == costs[starts[j]] && walked == kept[j].whole));
        }
        for (unsigned j = 0; j < STARTS; j++) {
            if (needs_plan[j] && rp_random_chance(&rng, 70)) {
                rp_trial_set_start(&trial, starts[j] % SIDE, starts[j] / SIDE);
                (void)confirm(&kept[j], i + 1u);
                kept[j].whole = costs[starts[j]];
            }
        }
    }
    ck_assert_uint_gt(confirmed, 1500);
}
END_TEST

/// A wall goes. What that lowers spreads at first for one who comes anew, and needs little of it;
/// the rest waits for the other, whose path is not the cheapest any more.
START_TEST(what_waits_after_the_search_of_one_start_is_not_forgotten_by_the_next)
{
    static kept_t kept[2];
    static const uint32_t starts[2][2] = {{30, 22}, {5, 58}};
    make_world(8, 0);
    rp_trial_set_goal(&trial, 5, 10);
    for (uint32_t x = 0; x <= 34; x++) {
        rp_trial_set(&trial, x, 20, 0);
    }
    memset(kept, 0, sizeof kept);
    for (unsigned step = 1; step <= 2; step++) {
        kept[0].path.count = 0;
        for (unsigned i = 0; i < 2; i++) {
            rp_trial_set_start(&trial, starts[i][0], starts[i][1]);
            ck_assert(!confirm(&kept[i], step));
        }
        for (uint32_t x = 0; x <= 34; x++) {
            rp_trial_set(&trial, x, 20, 1);
        }
    }
}
END_TEST

/// Writes a cell, for a batch.
static rp_change_t written(uint32_t x, uint32_t y, uint8_t factor)
{
    const rp_cell_t cell = rp_grid_cell(trial.grid, x, y);
    return (rp_change_t){cell, rp_grid_set(trial.grid, cell, factor), factor};
}

/// A batch that opens a short cut is so large that the planner takes it in at once, and a small one
/// follows: both are news to the path.
START_TEST(a_path_is_held_against_all_batches_since_it_was_the_cheapest)
{
    static rp_change_t batch[SIDE * SIDE];
    size_t count = 0;
    make_world(4, 0);
    rp_trial_set_goal(&trial, SIDE - 1u, 0);
    for (uint32_t y = 0; y + 1u < SIDE; y++) {
        rp_trial_set(&trial, SIDE / 2u, y, 0);
    }
    rp_trial_expect_plan(&trial);
    const rp_cell_t start = rp_grid_cell(trial.grid, 0, 0);
    const uint64_t units = trial.plan.units;
    for (uint32_t place = 0; place < 20u * SIDE; place++) {
        const uint32_t x = place % SIDE;
        const uint32_t y = 20u + place / SIDE;
        if (x != SIDE / 2u && x != 0 && x != SIDE - 1u) {
            batch[count++] = written(x, y, 0);
        }
    }
    batch[count++] = written(SIDE / 2u, 0, 1);
    ck_assert_uint_gt(count, 1024);
    ck_assert_int_eq(rp_planner_apply(trial.planner, batch, count), RP_OK);
    const rp_change_t small = written(1, 50, 0);
    ck_assert_int_eq(rp_planner_apply(trial.planner, &small, 1), RP_OK);
    ck_assert(!rp_planner_keeps(trial.planner, start, units));
    // It was asked: from now on only what is new since then counts.
    ck_assert_int_eq(rp_planner_plan(trial.planner, UINT64_MAX, &trial.plan), RP_OK);
    ck_assert_double_eq(trial.plan.cost, SIDE - 1u);
    const rp_change_t another = written(1, 52, 0);
    ck_assert_int_eq(rp_planner_apply(trial.planner, &another, 1), RP_OK);
    ck_assert(rp_planner_keeps(trial.planner, start, trial.plan.units));
    const rp_change_t third = written(1, 54, 0);
    ck_assert_int_eq(rp_planner_apply(trial.planner, &third, 1), RP_OK);
    ck_assert(rp_planner_keeps(trial.planner, start, trial.plan.units));
}
END_TEST

/// Of the paths that are asked after some are planned for, and checked: each so manieth.
START_TEST(a_planner_that_is_checked_keeps_paths_between_checks)
{
    const rp_member_options_t options = {.check_every = 4};
    unsigned checked = 0;
    unsigned kept = 0;
    make_checked_world(4, 0, &options);
    const rp_cell_t start = rp_grid_cell(trial.grid, 0, 0);
    for (uint32_t i = 0; i < 40; i++) {
        rp_trial_set(&trial, i, SIDE - 1u, 0);
        rp_trial_tell(&trial);
        if (rp_planner_keeps(trial.planner, start, trial.plan.units)) {
            kept++;
        } else {
            rp_trial_expect_plan(&trial);
            checked += trial.plan.stats.checked;
        }
    }
    ck_assert_uint_eq(kept, 30);
    ck_assert_uint_eq(checked, 10);
}
END_TEST

int main(void)
{
    const TTest *const twice[] = {
        a_start_that_jumps_within_what_is_known_costs_nothing,
        a_change_costs_the_cells_whose_cost_changes_at_most_twice,
        a_path_that_is_confirmed_is_as_cheap_as_any,
    };
    const TTest *const in_forms[] = {who_keeps_a_path_need_not_be_planned_for};
    const TTest *const once[] = {
        no_path_is_known_at_once_once_all_is_known,
        goals_far_apart_in_offset_come_in_when_it_is_their_turn,
        changes_between_the_slices_of_a_judgement_are_taken_in,
        a_cost_that_others_build_on_does_not_rise_unheard,
        what_waits_after_the_search_of_one_start_is_not_forgotten_by_the_next,
        a_path_is_held_against_all_batches_since_it_was_the_cheapest,
        a_planner_that_is_checked_keeps_paths_between_checks,
    };
    int failed = rp_suite_run("flow", twice, 3, 2, tear_down);
    failed += rp_suite_run("flow", in_forms, 1, 8, tear_down);
    return rp_suite_run("flow", once, 7, 1, tear_down) + failed;
}
