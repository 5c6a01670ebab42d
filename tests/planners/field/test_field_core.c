/// Members that search through a field, in slices: what happens between two of them, and how short
/// one may be. Each plan is judged by the oracle.
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/trial.h"

#define SIDE 100u

static const char *const members[] = {"cert", "afa", "lwf", "at"};
#define MEMBERS (sizeof members / sizeof members[0])
#define ASKING  3u ///< the first so many ask the cut; the last has its field built anew instead

static rp_trial_t trial;

static void tear_down(void)
{
    rp_trial_fini(&trial);
}

/// A clear world, its ends in opposite corners; the first plan is made.
static void begin(int round, uint8_t neighbors)
{
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = SIDE, .neighbors = neighbors, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_trial_init(&trial, members[(size_t)round % MEMBERS], NULL), RP_OK);
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    rp_trial_set_start(&trial, 5, 5);
    rp_trial_set_goal(&trial, SIDE - 6u, SIDE - 6u);
    rp_trial_expect_plan(&trial);
}

static void expect_plan_in(uint64_t slice)
{
    const char *complaint = rp_trial_plan(&trial, slice);
    ck_assert_msg(complaint == NULL, "%s", complaint);
}

/// A round wall, so that a slice always ends where the cut is asked.
START_TEST(a_walled_in_goal_is_found_out_however_short_slices_are)
{
    begin(_i % (int)ASKING, 4);
    for (uint32_t i = 0; i < 12; i++) {
        rp_trial_set(&trial, SIDE - 12u, SIDE - 12u + i, 0);
        rp_trial_set(&trial, SIDE - 12u + i, SIDE - 12u, 0);
    }
    expect_plan_in(64);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_NO_PATH);
    ck_assert_msg(trial.plan.stats.expanded < 3000, "%s expands %lu", members[_i % (int)ASKING],
                  (unsigned long)trial.plan.stats.expanded);
}
END_TEST

/// Cells of a wall across, but for a gap.
static void wall_off(uint32_t y, uint32_t gap)
{
    for (uint32_t x = 0; x < SIDE; x++) {
        rp_trial_set(&trial, x, y, x == gap);
    }
}

/// The doors that the way may go through are shut; beside them is another. Before it the search
/// meets almost half of the world, and the rest must not be flooded for as long to see that there
/// is a way.
START_TEST(a_goal_that_is_not_walled_in_is_soon_known_not_to_be)
{
    begin(0, 4);
    for (uint32_t x = 0; x < SIDE; x++) {
        rp_trial_set(&trial, x, SIDE / 2u, x == SIDE - 4u || (x >= SIDE - 10u && x < SIDE - 5u));
    }
    rp_trial_expect_plan(&trial);
    for (uint32_t x = SIDE - 10u; x < SIDE - 5u; x++) {
        rp_trial_set(&trial, x, SIDE / 2u, 0);
    }
    rp_trial_expect_plan(&trial);
    const uint64_t half = (uint64_t)SIDE * (SIDE / 2u);
    ck_assert_uint_gt(trial.plan.stats.expanded, half / 2u); // else this proves nothing
    ck_assert_uint_lt(trial.plan.stats.expanded, half);
}
END_TEST

/// The field of cert reaches 4 cell lengths farther than the path costs. A wall makes that dearer
/// by 10: one search fails for want of field, and the next must not.
START_TEST(a_field_that_was_too_small_grows_far_enough_at_once)
{
    begin(0, 4);
    for (uint32_t x = 0; x < SIDE - 1u; x++) {
        rp_trial_set(&trial, x, SIDE - 9u, 0);
    }
    rp_trial_set(&trial, SIDE - 1u, SIDE - 9u, 1);
    rp_trial_expect_plan(&trial);
    ck_assert_uint_gt(trial.plan.stats.expanded, (uint64_t)SIDE * SIDE);
    ck_assert_uint_lt(trial.plan.stats.expanded, 2u * (uint64_t)SIDE * SIDE);
}
END_TEST

/// Walls come, with gaps far from the path: the search closes most of the world. After some slices
/// of it, five more each time, so that it is cut off while cells are raised, too, gaps move.
START_TEST(changes_may_come_while_cells_are_raised)
{
    rp_random_t random = {(uint64_t)_i + 1u};
    rp_status_t status = RP_MORE;
    for (unsigned slices = 1; status == RP_MORE; slices += 5u) {
        begin(_i, _i < (int)MEMBERS ? 4 : 8);
        wall_off(30, 0);
        wall_off(60, SIDE - 1u);
        rp_trial_tell(&trial);
        for (unsigned slice = 0; slice < slices && status == RP_MORE; slice++) {
            status = rp_trial_slice(&trial, 32);
        }
        wall_off(30, rp_random_below(&random, SIDE));
        wall_off(60, rp_random_below(&random, SIDE));
        expect_plan_in(32);
        ck_assert(rp_planner_check(trial.planner));
        tear_down();
    }
    begin(_i, 4);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_walled_in_goal_is_found_out_however_short_slices_are,
        a_goal_that_is_not_walled_in_is_soon_known_not_to_be,
        a_field_that_was_too_small_grows_far_enough_at_once,
        changes_may_come_while_cells_are_raised,
    };
    return rp_suite_run("field_core", tests, sizeof tests / sizeof tests[0], 2u * MEMBERS,
                        tear_down);
}
