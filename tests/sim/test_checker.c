/// The checker: what is right passes, and each way to be wrong is a violation.
///
///     0 1 2 3 4        . . . . .
///     5 6 7 8 9        . # # . .
///     10 .. 14         . . . . .
#include "sim/checker.h"
#include "tests/support/suite.h"

static const uint8_t bytes[15] = {1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1};
static const rp_plane_t plane = {bytes, 5, 3, 8, false};

static rp_checker_t checker;

static void set_up(void)
{
    ck_assert(rp_checker_init(&checker, 15, 1, (rp_dice_t){1}));
}

static void tear_down(void)
{
    rp_checker_fini(&checker);
}

static Replan__V1__Answer answer_of(uint32_t start, uint8_t *steps, size_t count, double cost)
{
    Replan__V1__Answer answer = REPLAN__V1__ANSWER__INIT;
    answer.agent = (char *)"agent-1";
    answer.version = 1;
    answer.outcome = REPLAN__V1__OUTCOME__FOUND;
    answer.optimal = 1;
    answer.cost = cost;
    answer.start = start;
    answer.steps = (ProtobufCBinaryData){count, steps};
    return answer;
}

/// Take one answer, and pay what is owed. @return true when neither complained
static bool passes(const Replan__V1__Answer *answer, uint32_t start, uint32_t goal)
{
    const bool taken = rp_checker_take(&checker, &plane, answer, (rp_question_t){start, goal});
    bool paid = true;
    while (rp_checker_debt(&checker) != NULL) {
        paid = rp_checker_settle(&checker, &plane) && paid;
    }
    ck_assert_uint_eq(checker.violations, !(taken && paid));
    ck_assert_uint_eq(checker.first[0] != '\0', !(taken && paid));
    return taken && paid;
}

START_TEST(a_right_path_is_no_violation)
{
    set_up();
    uint8_t steps[] = {0, 0, 0, 2};
    const Replan__V1__Answer answer = answer_of(0, steps, 4, 4);
    ck_assert(passes(&answer, 0, 8));
    ck_assert_uint_eq(checker.checked, 1);
    ck_assert_uint_eq(checker.optima, 1);
    ck_assert(rp_checker_is_content(&checker));
}
END_TEST

START_TEST(a_broken_path_is_a_violation)
{
    set_up();
    uint8_t steps[] = {2, 0, 0, 0};
    const Replan__V1__Answer answer = answer_of(0, steps, 4, 4);
    ck_assert(!passes(&answer, 0, 8));
    ck_assert(!rp_checker_is_content(&checker));
}
END_TEST

START_TEST(a_cut_corner_is_a_violation)
{
    set_up();
    uint8_t steps[] = {0, 0, 1};
    const Replan__V1__Answer answer = answer_of(0, steps, 3, 2 + 1.4142135623730951);
    ck_assert(!passes(&answer, 0, 8));
}
END_TEST

START_TEST(a_path_over_the_edge_is_a_violation)
{
    set_up();
    uint8_t steps[] = {4};
    const Replan__V1__Answer answer = answer_of(0, steps, 1, 1);
    ck_assert(!passes(&answer, 0, 4));
}
END_TEST

START_TEST(a_step_that_is_no_direction_is_a_violation)
{
    set_up();
    uint8_t steps[] = {8};
    const Replan__V1__Answer answer = answer_of(0, steps, 1, 1);
    ck_assert(!passes(&answer, 0, 1));
}
END_TEST

START_TEST(a_detour_that_claims_to_be_optimal_is_a_violation)
{
    set_up();
    uint8_t steps[] = {2, 2, 0, 0, 0, 6};
    const Replan__V1__Answer answer = answer_of(0, steps, 6, 6);
    ck_assert(!passes(&answer, 0, 8));
}
END_TEST

START_TEST(a_detour_with_a_bound_that_holds_is_no_violation)
{
    set_up();
    uint8_t steps[] = {2, 2, 0, 0, 0, 6};
    Replan__V1__Answer answer = answer_of(0, steps, 6, 6);
    answer.optimal = 0;
    answer.bound = 3.5;
    ck_assert(passes(&answer, 0, 8));
}
END_TEST

START_TEST(a_bound_above_the_optimum_is_a_violation)
{
    set_up();
    uint8_t steps[] = {2, 2, 0, 0, 0, 6};
    Replan__V1__Answer answer = answer_of(0, steps, 6, 6);
    answer.optimal = 0;
    answer.bound = 5;
    ck_assert(!passes(&answer, 0, 8));
}
END_TEST

START_TEST(a_wrong_start_is_a_violation)
{
    set_up();
    uint8_t steps[] = {0, 0, 2};
    const Replan__V1__Answer answer = answer_of(1, steps, 3, 3);
    ck_assert(!passes(&answer, 0, 8));
}
END_TEST

START_TEST(a_path_that_ends_short_is_a_violation)
{
    set_up();
    uint8_t steps[] = {0, 0, 0};
    const Replan__V1__Answer answer = answer_of(0, steps, 3, 3);
    ck_assert(!passes(&answer, 0, 8));
}
END_TEST

START_TEST(a_cost_that_is_not_the_sum_is_a_violation)
{
    set_up();
    uint8_t steps[] = {0, 0, 0, 2};
    const Replan__V1__Answer answer = answer_of(0, steps, 4, 3.9);
    ck_assert(!passes(&answer, 0, 8));
}
END_TEST

START_TEST(no_path_where_there_is_one_is_a_violation)
{
    set_up();
    Replan__V1__Answer answer = answer_of(0, NULL, 0, 0);
    answer.outcome = REPLAN__V1__OUTCOME__NO_PATH;
    ck_assert(!passes(&answer, 0, 8));
}
END_TEST

START_TEST(no_path_where_there_is_none_is_no_violation)
{
    const uint8_t parted[15] = {1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
    const rp_plane_t two_halves = {parted, 5, 3, 8, false};
    set_up();
    Replan__V1__Answer answer = answer_of(0, NULL, 0, 0);
    answer.outcome = REPLAN__V1__OUTCOME__NO_PATH;
    ck_assert(rp_checker_take(&checker, &two_halves, &answer, (rp_question_t){0, 14}));
    ck_assert(rp_checker_settle(&checker, &two_halves));
    ck_assert_uint_eq(checker.optima, 1);
}
END_TEST

START_TEST(a_free_goal_called_blocked_is_a_violation)
{
    set_up();
    Replan__V1__Answer answer = answer_of(0, NULL, 0, 0);
    answer.outcome = REPLAN__V1__OUTCOME__GOAL_BLOCKED;
    ck_assert(!passes(&answer, 0, 8));
}
END_TEST

START_TEST(a_blocked_goal_called_blocked_is_no_violation)
{
    set_up();
    Replan__V1__Answer answer = answer_of(0, NULL, 0, 0);
    answer.outcome = REPLAN__V1__OUTCOME__GOAL_BLOCKED;
    ck_assert(passes(&answer, 0, 7));
}
END_TEST

START_TEST(an_outcome_without_cause_is_a_violation)
{
    set_up();
    Replan__V1__Answer answer = answer_of(0, NULL, 0, 0);
    answer.outcome = REPLAN__V1__OUTCOME__OUTSIDE;
    ck_assert(!passes(&answer, 0, 8));
}
END_TEST

START_TEST(one_percent_skipped_is_too_much_when_passed)
{
    set_up();
    uint8_t steps[] = {0};
    const Replan__V1__Answer answer = answer_of(0, steps, 1, 1);
    ck_assert(!rp_checker_is_content(&checker));
    for (unsigned i = 0; i < 99; i++) {
        ck_assert(passes(&answer, 0, 1));
    }
    rp_checker_skip(&checker);
    ck_assert(rp_checker_is_content(&checker));
    rp_checker_skip(&checker);
    ck_assert(!rp_checker_is_content(&checker));
}
END_TEST

START_TEST(more_debts_than_fit_are_paid_at_once)
{
    set_up();
    uint8_t steps[] = {0};
    const Replan__V1__Answer answer = answer_of(0, steps, 1, 1);
    for (unsigned i = 0; i < RP_CHECKER_DEBTS + 5; i++) {
        ck_assert(rp_checker_take(&checker, &plane, &answer, (rp_question_t){0, 1}));
    }
    ck_assert_uint_eq(checker.optima, 5);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_right_path_is_no_violation,
        a_broken_path_is_a_violation,
        a_cut_corner_is_a_violation,
        a_path_over_the_edge_is_a_violation,
        a_step_that_is_no_direction_is_a_violation,
        a_detour_that_claims_to_be_optimal_is_a_violation,
        a_detour_with_a_bound_that_holds_is_no_violation,
        a_bound_above_the_optimum_is_a_violation,
        a_wrong_start_is_a_violation,
        a_path_that_ends_short_is_a_violation,
        a_cost_that_is_not_the_sum_is_a_violation,
        no_path_where_there_is_one_is_a_violation,
        no_path_where_there_is_none_is_no_violation,
        a_free_goal_called_blocked_is_a_violation,
        a_blocked_goal_called_blocked_is_no_violation,
        an_outcome_without_cause_is_a_violation,
        one_percent_skipped_is_too_much_when_passed,
        more_debts_than_fit_are_paid_at_once,
    };
    return rp_suite_run("sim_checker", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
