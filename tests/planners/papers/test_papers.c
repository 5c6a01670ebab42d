/// What tables of papers get of a planner, and users do not.
#include "planners/papers/papers.h"

#include "tests/support/suite.h"
#include "tests/support/trial.h"

static rp_trial_t trial;

static void tear_down(void)
{
    rp_trial_fini(&trial);
}

START_TEST(papers_are_told_all_counts_of_the_plan_that_users_are_told_of)
{
    const rp_member_options_t options = {.open = RP_OPEN_BUCKETS, .variant = 2};
    ck_assert_int_eq(rp_trial_init(&trial, "astar", &options), RP_OK);
    const rp_grid_shape_t shape = {.width = 9, .height = 9, .neighbors = 8, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    rp_trial_set_start(&trial, 0, 0);
    rp_trial_set_goal(&trial, 8, 5);
    ck_assert_ptr_null(rp_trial_plan(&trial, UINT64_MAX));
    const rp_search_stats_t all = rp_papers_stats(trial.planner);
    ck_assert_uint_eq(all.expanded, trial.plan.stats.expanded);
    ck_assert_uint_eq(all.generated, trial.plan.stats.generated);
    ck_assert_str_eq(all.planner, "astar");
    ck_assert_uint_gt(all.expanded_fast, 0);
    ck_assert_uint_gt(all.iterations, 0);
    ck_assert_uint_eq(all.visited, all.expanded);
}
END_TEST

START_TEST(users_choose_a_heap_or_buckets)
{
    const rp_planner_options_t neither = {.open = (rp_open_t)(RP_OPEN_BUCKETS + 1)};
    rp_planner_t *planner = NULL;
    ck_assert_int_eq(rp_planner_new("astar", &neither, &planner), RP_E_UNSUPPORTED);
    ck_assert_int_eq(rp_planner_new("nobody", &neither, &planner), RP_E_UNKNOWN);
    ck_assert_ptr_null(planner);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        papers_are_told_all_counts_of_the_plan_that_users_are_told_of,
        users_choose_a_heap_or_buckets,
    };
    return rp_suite_run("papers", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
