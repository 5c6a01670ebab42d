/// LWF: what a tick of a robot costs by what happens in it, and the mistakes that low water, levels
/// and a field that ends somewhere invite. Every plan is judged by the oracle too, and its
/// invariants are checked.
#include "tests/support/drawing.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE 60u

/// Cells to each side of the robot in which things happen.
#define NEAR 12u

static rp_trial_t trial;
static rp_random_t rng;

static void begin(void)
{
    ck_assert_int_eq(rp_trial_init(&trial, "lwf", NULL), RP_OK);
    rng = (rp_random_t){29};
}

static void tear_down(void)
{
    rp_trial_fini(&trial);
}

/// SIDE x SIDE, so many of 100 cells blocked, factors up to `dearest`; the robot in one corner, the
/// goal in the opposite one. The first plan is made.
static void make_world(uint8_t neighbors, bool wraps, uint32_t blocked_percent, uint32_t dearest)
{
    begin();
    const rp_grid_shape_t shape = {.width = SIDE,
                                   .height = SIDE,
                                   .neighbors = neighbors,
                                   .wraps = wraps,
                                   .unit = 1,
                                   .least = 1};
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    for (uint32_t place = 0; place < SIDE * SIDE; place++) {
        const bool is_blocked = rp_random_chance(&rng, blocked_percent);
        const uint8_t factor = (uint8_t)rp_random_between(&rng, 1, dearest);
        rp_trial_set(&trial, place % SIDE, place / SIDE, is_blocked ? 0 : factor);
    }
    rp_trial_set(&trial, 0, 0, (uint8_t)dearest); // costs are scaled once
    rp_trial_set_start(&trial, 5, 5);
    rp_trial_set_goal(&trial, SIDE - 6u, SIDE - 6u);
    rp_trial_set(&trial, 5, 5, 1);
    rp_trial_set(&trial, SIDE - 6u, SIDE - 6u, 1);
    rp_trial_expect_plan(&trial);
}

/// A rectangle of one factor, but for the ends.
static void fill(uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint8_t factor)
{
    for (uint32_t place = 0; place < width * height; place++) {
        const uint32_t at = (y + place / width) * SIDE + x + place % width;
        if (at != trial.start && at != trial.goals[0].place) {
            rp_trial_set(&trial, at % SIDE, at / SIDE, factor);
        }
    }
}

static void walk(void)
{
    if (trial.plan.path.count > 2u) {
        const rp_cell_t cell = trial.plan.path.cells[1];
        rp_trial_set_start(&trial, rp_grid_x(trial.grid, cell), rp_grid_y(trial.grid, cell));
    }
}

/// Rewrite a cell near the robot, but no end.
static void write_near(uint32_t dearest)
{
    const uint32_t x = trial.start % SIDE + rp_random_below(&rng, 2u * NEAR + 1u) - NEAR;
    const uint32_t y = trial.start / SIDE + rp_random_below(&rng, 2u * NEAR + 1u) - NEAR;
    const uint32_t place = y * SIDE + x;
    if (x < SIDE && y < SIDE && place != trial.start && place != trial.goals[0].place) {
        const uint8_t factor = (uint8_t)rp_random_between(&rng, 1, dearest);
        rp_trial_set(&trial, x, y, rp_random_chance(&rng, 30) ? 0 : factor);
    }
}

// ---- what it is for

START_TEST(a_robot_that_walks_its_path_expands_nothing)
{
    make_world(_i == 0 ? 4 : 8, false, 20, 3);
    while (trial.plan.path.count > 2u) {
        walk();
        ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
    }
}
END_TEST

/// A search goes no farther than what changed.
START_TEST(changes_round_the_robot_cost_a_search_round_the_robot)
{
    make_world(_i == 0 ? 4 : 8, false, 20, 3);
    const uint64_t first = trial.plan.stats.expanded;
    uint64_t expanded = 0;
    for (unsigned i = 0; i < RP_ROUNDS(40u); i++) {
        for (unsigned k = 0; k < 10; k++) {
            write_near(3);
        }
        expanded += rp_trial_expect_repair(&trial);
        walk();
    }
    ck_assert_uint_lt(expanded, RP_ROUNDS(40u) * first / 8u);
}
END_TEST

/// d is for the cheapest world so far: what goes again leaves it as it was.
START_TEST(what_comes_and_goes_costs_the_field_nothing)
{
    make_world(_i == 0 ? 4 : 8, false, 0, 1);
    const double cost = trial.plan.cost;
    fill(20, 3, 1, 30, 0);
    (void)rp_trial_expect_repair(&trial);
    fill(20, 3, 1, 30, 1);
    ck_assert_uint_le(rp_trial_expect_repair(&trial), 1);
    ck_assert_double_eq(trial.plan.cost, cost);
}
END_TEST

START_TEST(a_cell_freed_where_it_cannot_help_expands_nothing)
{
    make_world(_i == 0 ? 4 : 8, false, 0, 1);
    rp_trial_set(&trial, SIDE - 3u, 3, 0);
    (void)rp_trial_expect_repair(&trial);
    rp_trial_set(&trial, SIDE - 3u, 3, 1);
    ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
}
END_TEST

/// What idle time does, in expansions.
static uint64_t idle(void)
{
    uint64_t budget = UINT64_MAX;
    ck_assert_int_eq(rp_planner_idle(trial.planner, &budget), RP_OK);
    return UINT64_MAX - budget;
}

/// A corner of two walls shuts the robot off from the goal; the way round it is longer than the
/// field covers, unless there was time to grow it.
START_TEST(a_way_round_is_found_without_growth_after_idle_time)
{
    uint64_t expanded[2];
    for (unsigned has_time = 0; has_time < 2; has_time++) {
        make_world(_i == 0 ? 4 : 8, false, 0, 1);
        rp_trial_set_start(&trial, 25, 25);
        rp_planner_start_over(trial.planner);
        rp_trial_expect_plan(&trial);
        ck_assert(has_time == 0 || idle() != 0);
        ck_assert(has_time == 0 || idle() == 0);
        fill(30, 15, 1, 16, 0);
        fill(15, 30, 15, 1, 0);
        expanded[has_time] = rp_trial_expect_repair(&trial);
        tear_down();
    }
    ck_assert_uint_lt(2u * expanded[1], expanded[0]);
    begin();
}
END_TEST

// ---- what goes wrong easily

/// The blocked cell is farther from the goal than both ends of the diagonal that it closes.
START_TEST(a_blocked_cell_has_the_level_of_the_diagonals_beside_it)
{
    begin();
    ck_assert(rp_drawing_try("9S\n"
                             "G9",
                             8, false, &trial));
    rp_trial_expect_plan(&trial);
    ck_assert_uint_eq(trial.plan.path.count, 2);
    rp_trial_set(&trial, 0, 0, 0);
    (void)rp_trial_expect_repair(&trial);
    ck_assert_uint_eq(trial.plan.path.count, 3);
}
END_TEST

/// What was found above the last search's end was true for then. When clutter goes, d there is what
/// it was before, and nothing says that the old path is not.
START_TEST(the_old_path_is_no_proof_above_where_the_search_ended)
{
    make_world(_i == 0 ? 4 : 8, false, 10, 4);
    for (unsigned i = 0; i < RP_ROUNDS(60u); i++) {
        const uint32_t x = trial.start % SIDE + 2u;
        const uint32_t y = trial.start / SIDE + 1u;
        const bool has_room = x + 4u < SIDE - 7u && y + 4u < SIDE - 7u;
        if (has_room) {
            fill(x, y, 4, 4, (uint8_t)(i % 3u == 0 ? 0 : 4));
            rp_trial_expect_plan(&trial);
            fill(x, y + 1u, 4, 2, 1);
            rp_trial_expect_plan(&trial);
        }
        walk();
        rp_trial_expect_plan(&trial);
    }
}
END_TEST

/// Walls that make the path dearer again and again, so that it leaves what the field covers.
START_TEST(a_path_that_leaves_the_field_is_found_when_it_has_grown)
{
    make_world(_i == 0 ? 4 : 8, false, 0, 1);
    for (uint32_t x = 15; x + 10u < SIDE; x += 5u) {
        fill(x, x % 10u == 0 ? 0 : 10, 1, SIDE - 10u, 0);
        rp_trial_expect_plan(&trial);
        walk();
        rp_trial_expect_plan(&trial);
        ck_assert(trial.plan.outcome == RP_OUTCOME_FOUND);
    }
}
END_TEST

/// The old path is a bound, and may be dearer than the field covers: a better one may lead through
/// cells that are not known yet.
START_TEST(an_old_path_that_became_dear_is_a_bound_and_not_the_best)
{
    make_world(_i == 0 ? 4 : 8, false, 0, 9);
    fill(0, 0, SIDE, SIDE, 2);
    rp_trial_expect_plan(&trial);
    fill(30, 0, 3, SIDE - 1u, 9); // all but the last row
    rp_trial_expect_plan(&trial);
    fill(30, SIDE - 1u, 3, 1, 9);
    rp_trial_expect_plan(&trial);
    fill(30, 0, 3, 1, 1); // a gap far off
    rp_trial_expect_plan(&trial);
}
END_TEST

/// Inflation reaches the goal too: d there stays 0, its edges change.
START_TEST(the_factor_of_the_goal_itself_may_change)
{
    make_world(_i == 0 ? 4 : 8, false, 10, 9);
    for (unsigned i = 0; i < RP_ROUNDS(30u); i++) {
        const uint8_t factor = (uint8_t)rp_random_between(&rng, 1, 9);
        rp_trial_set(&trial, SIDE - 6u, SIDE - 6u, factor);
        if (i % 3u == 0) {
            walk();
        }
        (void)rp_trial_expect_repair(&trial);
    }
}
END_TEST

/// When d falls, the levels of raised cells fall with it, and those of blocked ones with d beside
/// them. Bit 0 eight neighbours, bit 1 weighted, bit 2 wrapped; the robot walks, and now and then
/// it is put elsewhere.
START_TEST(levels_hold_while_ground_becomes_cheaper_and_dearer)
{
    for (unsigned form = 0; form < 8; form++) {
        const uint32_t dearest = (form & 2u) != 0 ? 9 : 1;
        make_world((form & 1u) != 0 ? 8 : 4, (form & 4u) != 0, 25, dearest);
        for (unsigned step = 0; step < RP_ROUNDS(60u); step++) {
            for (unsigned i = 0; i < 4; i++) {
                write_near(dearest);
            }
            walk();
            if (step % 20u == 19u) {
                rp_trial_set_start(&trial, 5, 5u + step / 2u);
            }
            rp_trial_expect_plan(&trial);
        }
        tear_down();
    }
    begin();
}
END_TEST

START_TEST(a_robot_that_is_walled_in_and_let_out_goes_on)
{
    make_world(_i == 0 ? 4 : 8, false, 10, 3);
    fill(3, 3, 5, 5, 0);
    (void)rp_trial_expect_repair(&trial);
    ck_assert(trial.plan.outcome == RP_OUTCOME_NO_PATH);
    fill(3, 3, 5, 5, 2);
    (void)rp_trial_expect_repair(&trial);
    ck_assert(trial.plan.outcome == RP_OUTCOME_FOUND);
    fill(SIDE - 8u, SIDE - 8u, 5, 5, 0);
    (void)rp_trial_expect_repair(&trial);
    ck_assert(trial.plan.outcome == RP_OUTCOME_NO_PATH);
    fill(SIDE - 8u, SIDE - 8u, 5, 5, 1);
    (void)rp_trial_expect_repair(&trial);
    ck_assert(trial.plan.outcome == RP_OUTCOME_FOUND);
}
END_TEST

/// A wall that stays makes d of the cheapest world so far a poor guide: in the end it is built
/// anew.
START_TEST(a_field_that_has_aged_is_built_anew_once)
{
    make_world(_i == 0 ? 4 : 8, false, 0, 1);
    for (uint32_t y = 0; y + 1u < SIDE; y++) {
        rp_trial_set(&trial, 30, y, 0);
    }
    uint32_t restarts = 0;
    uint64_t last = 0;
    for (unsigned i = 0; i < 100; i++) {
        rp_trial_set(&trial, 6, 5, (uint8_t)(i % 2u)); // on many paths, beside the robot
        rp_trial_set(&trial, 6, 6, (uint8_t)(i % 2u));
        rp_trial_expect_plan(&trial);
        restarts += trial.plan.stats.restarts;
        last = trial.plan.stats.expanded;
    }
    ck_assert_uint_ge(restarts, 1);
    ck_assert_uint_le(restarts, 3);
    ck_assert_uint_lt(last, 500);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_robot_that_walks_its_path_expands_nothing,
        changes_round_the_robot_cost_a_search_round_the_robot,
        what_comes_and_goes_costs_the_field_nothing,
        a_cell_freed_where_it_cannot_help_expands_nothing,
        a_way_round_is_found_without_growth_after_idle_time,
        a_blocked_cell_has_the_level_of_the_diagonals_beside_it,
        the_old_path_is_no_proof_above_where_the_search_ended,
        a_path_that_leaves_the_field_is_found_when_it_has_grown,
        an_old_path_that_became_dear_is_a_bound_and_not_the_best,
        the_factor_of_the_goal_itself_may_change,
        levels_hold_while_ground_becomes_cheaper_and_dearer,
        a_robot_that_is_walled_in_and_let_out_goes_on,
        a_field_that_has_aged_is_built_anew_once,
    };
    return rp_suite_run("lwf", tests, sizeof tests / sizeof tests[0], 2, tear_down);
}
