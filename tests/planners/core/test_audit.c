/// Each so many plans one is held against a search that shares nothing with the planners.
#include "tests/planners/scribe.h"
#include "tests/support/suite.h"

START_TEST(a_path_that_is_the_best_passes_the_check)
{
    rp_scribe_arrange(1, "....\n....");
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_uint_eq(rp_scribe.plan.stats.checked, 1);
    ck_assert_uint_eq(rp_scribe.plan.stats.differed, 0);
    ck_assert_int_eq(rp_scribe.begins, 1);
}
END_TEST

START_TEST(a_wrong_answer_is_counted_and_searched_anew)
{
    rp_scribe_arrange(1, "....\n....");
    // The scribe says "no path" when its goal is not beside it: a lie.
    rp_scribe_set_goal(3, 1);
    rp_scribe_plan_for(RP_OUTCOME_NO_PATH);
    ck_assert_uint_eq(rp_scribe.plan.stats.checked, 1);
    ck_assert_uint_eq(rp_scribe.plan.stats.differed, 1);
    ck_assert_int_eq(rp_scribe.begins, 2);
    ck_assert_int_eq(rp_scribe.searches, 2);
    ck_assert_uint_eq(rp_scribe.plan.stats.restarts, 1);
}
END_TEST

START_TEST(a_plan_in_so_many_is_checked)
{
    rp_scribe_arrange(3, "....\n....");
    unsigned checked = 0;
    for (uint32_t i = 0; i < 30; i++) {
        rp_scribe_write(3, 1, i % 2u != 0);
        rp_scribe_plan_for(RP_OUTCOME_FOUND);
        checked += rp_scribe.plan.stats.checked;
        ck_assert_uint_eq(rp_scribe.plan.stats.checked, i % 3u == 2u);
    }
    ck_assert_uint_eq(checked, 10);
}
END_TEST

START_TEST(what_stands_on_the_spot_is_a_plan_like_any)
{
    rp_scribe_arrange(3, "....\n....");
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    rp_scribe.stands_says = true;
    for (uint32_t i = 1; i < 30; i++) {
        rp_scribe_write(3, 1, i % 2u == 0);
        rp_scribe_plan_for(RP_OUTCOME_FOUND);
        ck_assert_uint_eq(rp_scribe.plan.stats.checked, i % 3u == 2u);
    }
    ck_assert_int_eq(rp_scribe.stands, 29);
    ck_assert_int_eq(rp_scribe.updates, 0);
    ck_assert_int_eq(rp_scribe.begins, 1);
}
END_TEST

START_TEST(an_answer_that_stands_wrongly_is_found_out)
{
    rp_scribe_arrange(2, "..#.\n..#.");
    rp_scribe_set_goal(3, 0);
    rp_scribe_plan_for(RP_OUTCOME_NO_PATH);
    rp_scribe.stands_says = true; // a lie: the gate opens
    rp_scribe_write(2, 0, 1);
    rp_scribe_plan_for(RP_OUTCOME_NO_PATH);
    ck_assert_int_eq(rp_scribe.stands, 1);
    ck_assert_uint_eq(rp_scribe.plan.stats.checked, 1);
    ck_assert_uint_eq(rp_scribe.plan.stats.differed, 1);
    ck_assert_int_eq(rp_scribe.begins, 2);
}
END_TEST

START_TEST(a_check_keeps_to_the_budget)
{
    rp_scribe_arrange(1, "........\n........\n........");
    rp_scribe_set_goal(7, 2);
    rp_scribe.expansions_left = 0;
    int calls = 0;
    for (rp_status_t status = RP_MORE; status == RP_MORE; calls++) {
        status = rp_planner_plan(rp_scribe.planner, 2, &rp_scribe.plan);
        ck_assert_int_le(calls, 40);
    }
    ck_assert_int_gt(calls, 5);
    ck_assert_uint_eq(rp_scribe.plan.stats.checked, 1);
    ck_assert_uint_eq(rp_scribe.plan.stats.differed, 1);
    // A change in the middle of a check: the path is another, and so is what it is held against.
    rp_scribe_set_goal(7, 1);
    ck_assert_int_eq(rp_planner_plan(rp_scribe.planner, 2, &rp_scribe.plan), RP_MORE);
    rp_scribe_set_goal(1, 0);
    rp_scribe_plan_for(RP_OUTCOME_FOUND);
    ck_assert_uint_eq(rp_scribe.plan.stats.checked, 1);
    ck_assert_uint_eq(rp_scribe.plan.stats.differed, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_path_that_is_the_best_passes_the_check,
        a_wrong_answer_is_counted_and_searched_anew,
        a_plan_in_so_many_is_checked,
        what_stands_on_the_spot_is_a_plan_like_any,
        an_answer_that_stands_wrongly_is_found_out,
        a_check_keeps_to_the_budget,
    };
    return rp_suite_run("audit", tests, sizeof tests / sizeof tests[0], 1, rp_scribe_tear_down);
}
