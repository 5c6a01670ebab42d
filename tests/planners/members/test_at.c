/// AT: what moved ends and changes cost it, and what a field may not be trusted with once the start
/// has left its root. Every plan is judged by the oracle too.
#include "tests/support/drawing.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE 60u

static rp_trial_t trial;
static rp_random_t rng;

static void begin(void)
{
    ck_assert_int_eq(rp_trial_init(&trial, "at", NULL), RP_OK);
    rng = (rp_random_t){53};
}

static void tear_down(void)
{
    rp_trial_fini(&trial);
}

static void draw(const char *text, uint8_t neighbors)
{
    begin();
    ck_assert(rp_drawing_try(text, neighbors, false, &trial));
}

static uint32_t cell_x(rp_cell_t cell)
{
    return rp_grid_x(trial.grid, cell);
}

static uint32_t cell_y(rp_cell_t cell)
{
    return rp_grid_y(trial.grid, cell);
}

/// The start takes a step along its path.
static void walk(void)
{
    if (trial.plan.path.count > 1) {
        const rp_cell_t next = trial.plan.path.cells[1];
        rp_trial_set_start(&trial, cell_x(next), cell_y(next));
    }
}

/// SIDE x SIDE, so many of 100 cells blocked. @param dearest  factors of the others are 1 .. this
static void make_world(uint8_t neighbors, bool wraps, uint32_t blocked_percent, uint8_t dearest)
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
    rp_trial_set_start(&trial, 5, 5);
    rp_trial_set_goal(&trial, SIDE - 6u, SIDE - 6u);
    rp_trial_set(&trial, 5, 5, 1);
    rp_trial_set(&trial, SIDE - 6u, SIDE - 6u, 1);
}

// ---- moved ends

/// Straight away from the start, over ground that the field knows.
START_TEST(a_goal_that_flees_and_a_start_that_follows_cost_no_search)
{
    draw("....................\n"
         ".S...G..............\n"
         "....................",
         _i == 0 ? 4 : 8);
    rp_trial_expect_plan(&trial);
    uint64_t searched = 0;
    for (uint32_t x = 6; x < 18; x++) {
        rp_trial_set_goal(&trial, x, 1);
        walk();
        rp_trial_expect_plan(&trial);
        searched += trial.plan.stats.generated;
    }
    ck_assert_uint_eq(searched, 0);
}
END_TEST

START_TEST(a_goal_on_the_path_costs_no_expansion)
{
    make_world(_i == 0 ? 4 : 8, false, 20, 1);
    rp_trial_expect_plan(&trial);
    while (trial.plan.path.count > 3) {
        const rp_cell_t last = trial.plan.path.cells[trial.plan.path.count - 2u];
        rp_trial_set_goal(&trial, cell_x(last), cell_y(last));
        walk();
        ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
    }
}
END_TEST

/// The start goes round and round: its cached path is longer than the world, and begins anew.
START_TEST(a_chase_without_end_stays_exact)
{
    draw("G......\n"
         "S#####.\n"
         ".#####.\n"
         ".......",
         4);
    static const uint32_t ring[][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0},
                                       {6, 0}, {6, 1}, {6, 2}, {6, 3}, {5, 3}, {4, 3},
                                       {3, 3}, {2, 3}, {1, 3}, {0, 3}, {0, 2}, {0, 1}};
    const uint32_t length = sizeof ring / sizeof ring[0];
    rp_trial_expect_plan(&trial);
    for (uint32_t i = 1; i < 40u * length; i++) {
        const uint32_t *goal = ring[i % length];
        rp_trial_set_goal(&trial, goal[0], goal[1]);
        walk();
        rp_trial_expect_plan(&trial);
    }
}
END_TEST

START_TEST(a_start_that_is_thrown_off_its_path_is_found_again)
{
    make_world(_i == 0 ? 4 : 8, false, 20, 1);
    rp_trial_expect_plan(&trial);
    for (unsigned i = 0; i < RP_ROUNDS(200u); i++) {
        const uint32_t y = rp_random_below(&rng, SIDE);
        rp_trial_set_start(&trial, rp_random_below(&rng, SIDE), y);
        (void)rp_trial_expect_repair(&trial);
    }
}
END_TEST

// ---- the root left behind

START_TEST(a_wall_between_the_root_and_the_start_does_not_matter)
{
    draw("S.........G\n"
         "###########",
         4);
    rp_trial_expect_plan(&trial);
    walk();
    rp_trial_expect_plan(&trial);
    walk();
    rp_trial_expect_plan(&trial);
    rp_trial_set(&trial, 1, 0, 0); // behind the start
    rp_trial_expect_plan(&trial);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_FOUND);
    rp_trial_set_goal(&trial, 9, 0);
    walk();
    rp_trial_expect_plan(&trial);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_FOUND);
}
END_TEST

/// The way behind the start becomes shorter: d of start and goal fall together.
START_TEST(a_gate_behind_the_start_keeps_the_path)
{
    draw(".......#.......\n"
         ".#####.#.#####.\n"
         "S#.....#......G\n"
         ".#.###########.\n"
         "...............",
         4);
    rp_trial_expect_plan(&trial);
    for (int i = 0; i < 8; i++) {
        walk();
        (void)rp_trial_expect_repair(&trial);
    }
    rp_trial_set(&trial, 1, 2, 1);
    (void)rp_trial_expect_repair(&trial);
    walk();
    rp_trial_set_goal(&trial, 13, 2);
    (void)rp_trial_expect_repair(&trial);
}
END_TEST

START_TEST(no_path_is_known_while_the_ends_move_about)
{
    draw(".....#.....\n"
         ".S...#...G.\n"
         ".....#.....",
         _i == 0 ? 4 : 8);
    rp_trial_expect_plan(&trial);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_NO_PATH);
    for (uint32_t i = 0; i < 12; i++) {
        rp_trial_set_start(&trial, i % 5u, i % 3u);
        rp_trial_set_goal(&trial, 6u + i % 5u, (i + 1u) % 3u);
        rp_trial_set(&trial, 7, 2, i % 2 == 0 ? 0 : 1);
        ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
        ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_NO_PATH);
    }
    rp_trial_set(&trial, 5, 1, 1);
    rp_trial_expect_plan(&trial);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_FOUND);
}
END_TEST

// ---- changes

START_TEST(a_cell_blocked_off_the_path_costs_no_expansion)
{
    make_world(4, false, 0, 1);
    rp_trial_expect_plan(&trial);
    for (uint32_t x = 0; x < 10; x++) {
        rp_trial_set(&trial, SIDE - 10u + x, 0, 0);
        ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
    }
}
END_TEST

/// Repairs of such batches would cost many times what a new field does.
START_TEST(a_batch_that_changes_everything_costs_about_what_a_field_does)
{
    make_world(4, false, 25, 1);
    rp_trial_expect_plan(&trial);
    for (unsigned round = 0; round < 20; round++) {
        for (uint32_t i = 0; i < 400; i++) {
            const uint32_t x = rp_random_below(&rng, SIDE);
            const uint32_t y = rp_random_below(&rng, SIDE - 10u);
            if (x != 5 || y != 5) {
                rp_trial_set(&trial, x, y, rp_random_chance(&rng, 25) ? 0 : 1);
            }
        }
        ck_assert_uint_le(rp_trial_expect_repair(&trial), 2u * SIDE * SIDE);
    }
}
END_TEST

// ---- everything at once

/// Kind: one bit each for 8 neighbours, a torus, weights; slices in the last.
static void chase(unsigned kind, uint64_t slice)
{
    make_world((kind & 1u) != 0 ? 8 : 4, (kind & 2u) != 0, 25, (kind & 4u) != 0 ? 9 : 1);
    rp_trial_expect_plan(&trial);
    for (unsigned step = 0; step < RP_ROUNDS(400u); step++) {
        const uint32_t goal = trial.goals[0].place;
        const uint32_t x = (goal % SIDE + SIDE + rp_random_below(&rng, 3) - 1u) % SIDE;
        const uint32_t y = (goal / SIDE + SIDE + rp_random_below(&rng, 3) - 1u) % SIDE;
        rp_trial_set_goal(&trial, x, y);
        walk();
        for (uint32_t i = 0; step % 10u == 0 && i < 6u; i++) {
            const uint8_t factor = (uint8_t)rp_random_below(&rng, (kind & 4u) != 0 ? 10u : 2u);
            const uint32_t row = rp_random_below(&rng, SIDE);
            rp_trial_set(&trial, rp_random_below(&rng, SIDE), row, factor);
        }
        if (slice != UINT64_MAX) { // left in the middle, whatever comes next
            (void)rp_trial_slice(&trial, slice);
        } else {
            rp_trial_expect_plan(&trial);
        }
        ck_assert(step % 20u != 0 || rp_planner_check(trial.planner));
    }
    rp_trial_expect_plan(&trial);
}

START_TEST(a_chase_with_changes_stays_exact)
{
    chase((unsigned)_i, UINT64_MAX);
}
END_TEST

START_TEST(a_chase_that_is_left_in_the_middle_goes_on)
{
    chase((unsigned)_i, 3);
}
END_TEST

// ---- ways that wind

/// One long way, to and fro between walls, whose ends are near each other over the seam: the field
/// begins anew while it is built, wherever a slice ends.
START_TEST(a_field_that_begins_anew_as_ways_wind_stays_exact)
{
    static const uint64_t slices[] = {1, 100, 255, 256, 257, UINT64_MAX};
    make_world(4, true, 0, 1);
    for (uint32_t place = 0; place < SIDE; place++) {
        rp_trial_set(&trial, place, 0, 0);
        for (uint32_t y = 1; place % 2u == 0 && y < SIDE; y++) {
            const uint32_t gap = place % 4u == 0 ? SIDE - 1u : 1u;
            rp_trial_set(&trial, place, y, place != 0 && y == gap ? 1 : 0);
        }
    }
    rp_trial_set_start(&trial, 1, 30);
    rp_trial_set_goal(&trial, SIDE - 1u, 30);
    const char *complaint = rp_trial_plan(&trial, slices[_i]);
    ck_assert_msg(complaint == NULL, "%s", complaint);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_FOUND);
    for (uint32_t x = 2; x < 20; x += 2) {
        rp_trial_set(&trial, x, 30, 1);
        walk();
        (void)rp_trial_expect_repair(&trial);
    }
}
END_TEST

int main(void)
{
    const TTest *const plain[] = {
        a_chase_without_end_stays_exact,
        a_wall_between_the_root_and_the_start_does_not_matter,
        a_gate_behind_the_start_keeps_the_path,
        a_cell_blocked_off_the_path_costs_no_expansion,
        a_batch_that_changes_everything_costs_about_what_a_field_does,
    };
    const TTest *const both[] = {
        a_goal_that_flees_and_a_start_that_follows_cost_no_search,
        a_goal_on_the_path_costs_no_expansion,
        a_start_that_is_thrown_off_its_path_is_found_again,
        no_path_is_known_while_the_ends_move_about,
    };
    const TTest *const kinds[] = {
        a_chase_with_changes_stays_exact,
        a_chase_that_is_left_in_the_middle_goes_on,
    };
    const TTest *const sliced[] = {a_field_that_begins_anew_as_ways_wind_stays_exact};
    const int failed =
        rp_suite_run("at: slices", sliced, 1, 6, tear_down) +
        rp_suite_run("at: 4 and 8 neighbours", both, sizeof both / sizeof both[0], 2, tear_down) +
        rp_suite_run("at: kinds of worlds", kinds, sizeof kinds / sizeof kinds[0], 8, tear_down);
    return rp_suite_run("at", plain, sizeof plain / sizeof plain[0], 1, tear_down) + failed;
}
