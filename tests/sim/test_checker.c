/// The checker: what is right passes, and each way to be wrong is a violation.
///
///     0 1 2 3 4        . . . . .
///     5 6 7 8 9        . # # . .
///     10 .. 14         . . . . .
#include "sim/check/checker.h"
#include "tests/support/suite.h"

static const uint8_t bytes[15] = {1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1};
static const rp_grid_view_t grid = {bytes, 5, 3, 8, false, RP_SCALE_FACTOR};

static rp_checker_t checker;

static void set_up(void)
{
    ck_assert(rp_checker_init(&checker, 15, NULL, 1, (rp_seeded_t){1}));
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
    const bool taken =
        rp_checker_take(&checker, &grid, answer, (rp_search_query_t){.start = start, .goal = goal});
    bool paid = true;
    while (rp_checker_debt(&checker) != NULL) {
        paid = rp_checker_settle(&checker, &grid) && paid;
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
    Replan__V1__Answer answer = answer_of(0, NULL, 0, -1);
    answer.outcome = REPLAN__V1__OUTCOME__NO_PATH;
    ck_assert(!passes(&answer, 0, 8));
}
END_TEST

START_TEST(no_path_where_there_is_none_is_no_violation)
{
    const uint8_t parted[15] = {1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
    const rp_grid_view_t two_halves = {parted, 5, 3, 8, false, RP_SCALE_FACTOR};
    set_up();
    Replan__V1__Answer answer = answer_of(0, NULL, 0, -1);
    answer.outcome = REPLAN__V1__OUTCOME__NO_PATH;
    ck_assert(rp_checker_take(&checker, &two_halves, &answer, (rp_search_query_t){.goal = 14}));
    ck_assert(rp_checker_settle(&checker, &two_halves));
    ck_assert_uint_eq(checker.optima, 1);
}
END_TEST

START_TEST(a_cost_without_a_path_is_a_violation)
{
    const uint8_t parted[15] = {1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
    const rp_grid_view_t two_halves = {parted, 5, 3, 8, false, RP_SCALE_FACTOR};
    set_up();
    Replan__V1__Answer answer = answer_of(0, NULL, 0, 0);
    answer.outcome = REPLAN__V1__OUTCOME__NO_PATH;
    ck_assert(!rp_checker_take(&checker, &two_halves, &answer, (rp_search_query_t){.goal = 14}));
}
END_TEST

START_TEST(a_free_goal_called_blocked_is_a_violation)
{
    set_up();
    Replan__V1__Answer answer = answer_of(0, NULL, 0, -1);
    answer.outcome = REPLAN__V1__OUTCOME__GOAL_BLOCKED;
    ck_assert(!passes(&answer, 0, 8));
}
END_TEST

START_TEST(a_blocked_goal_called_blocked_is_no_violation)
{
    set_up();
    Replan__V1__Answer answer = answer_of(0, NULL, 0, -1);
    answer.outcome = REPLAN__V1__OUTCOME__GOAL_BLOCKED;
    ck_assert(passes(&answer, 0, 7));
}
END_TEST

START_TEST(an_outcome_without_cause_is_a_violation)
{
    set_up();
    Replan__V1__Answer answer = answer_of(0, NULL, 0, -1);
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

START_TEST(one_skipped_of_few_is_not_too_much)
{
    set_up();
    uint8_t steps[] = {0};
    const Replan__V1__Answer answer = answer_of(0, steps, 1, 1);
    rp_checker_skip(&checker);
    ck_assert(!rp_checker_is_content(&checker)); // nothing was checked
    ck_assert(passes(&answer, 0, 1));
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
        ck_assert(rp_checker_take(&checker, &grid, &answer, (rp_search_query_t){.goal = 1}));
    }
    ck_assert_uint_eq(checker.optima, 5);
}
END_TEST

/// @return true when what an agent holds is still true on the plane
static bool stands(const rp_grid_view_t *now, const uint32_t *path, size_t count, double kept)
{
    const rp_silence_t silence = {.agent = "agent-1",
                                  .outcome = count > 0 ? REPLAN__V1__OUTCOME__FOUND
                                                       : REPLAN__V1__OUTCOME__NO_PATH,
                                  .path = path,
                                  .path_count = count,
                                  .kept = kept};
    const rp_search_query_t question = {.start = 0, .goal = 8};
    bool stands = rp_checker_take_silence(&checker, now, &silence, question);
    while (rp_checker_debt(&checker) != NULL) {
        stands = rp_checker_settle(&checker, now) && stands;
    }
    return stands;
}

START_TEST(silence_about_the_best_path_is_no_violation)
{
    const uint32_t path[] = {0, 1, 2, 3, 8};
    set_up();
    ck_assert(stands(&grid, path, 5, 0));
    ck_assert_uint_eq(checker.silences, 1);
    ck_assert_uint_eq(checker.checked, 0);
}
END_TEST

START_TEST(silence_about_a_path_that_broke_is_a_violation)
{
    const uint32_t path[] = {0, 5, 6, 7, 8};
    set_up();
    ck_assert(!stands(&grid, path, 5, 1));
}
END_TEST

START_TEST(silence_about_a_better_path_is_a_violation_beyond_what_is_kept)
{
    const uint32_t detour[] = {0, 5, 10, 11, 12, 13, 14, 9, 8};
    set_up();
    ck_assert(stands(&grid, detour, 9, 0.6)); // 8 against 4
    ck_assert(!stands(&grid, detour, 9, 0.4));
}
END_TEST

START_TEST(silence_about_a_way_that_opened_is_a_violation)
{
    set_up();
    ck_assert(!stands(&grid, NULL, 0, 0));
}
END_TEST

/// Take an answer to a question of any kind. @return true without a violation
static bool satisfies(const rp_grid_view_t *on, const Replan__V1__Answer *answer,
                      rp_search_query_t question)
{
    bool right = rp_checker_take(&checker, on, answer, question);
    while (rp_checker_debt(&checker) != NULL) {
        right = rp_checker_settle(&checker, on) && right;
    }
    return right;
}

START_TEST(an_end_within_the_tolerance_must_be_the_cheapest)
{
    uint8_t steps[] = {0, 0, 0, 2};
    const rp_search_query_t question = {.goal = 8, .tolerance = 1};
    set_up();
    Replan__V1__Answer answer = answer_of(0, steps, 3, 3);
    ck_assert(satisfies(&grid, &answer, question));
    answer = answer_of(0, steps, 4, 4); // the goal itself is one step too far
    ck_assert(!satisfies(&grid, &answer, question));
    answer = answer_of(0, steps, 2, 2); // and this one short
    ck_assert(!satisfies(&grid, &answer, question));
}
END_TEST

START_TEST(the_end_nearest_to_a_goal_that_is_cut_off_is_right)
{
    const uint8_t parted[15] = {1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
    const rp_grid_view_t two_halves = {parted, 5, 3, 8, false, RP_SCALE_FACTOR};
    const rp_search_query_t question = {.start = 0, .goal = 8, .is_nearest = true};
    uint8_t steps[] = {1};
    set_up();
    Replan__V1__Answer answer = answer_of(0, steps, 1, 1.4142135623730951);
    answer.goal_distance_m = 2;
    ck_assert(satisfies(&two_halves, &answer, question));
    answer.goal_distance_m = 1;
    ck_assert(!satisfies(&two_halves, &answer, question));
    uint8_t straight[] = {0};
    answer = answer_of(0, straight, 1, 1);
    answer.goal_distance_m = 2.23606797749979;
    ck_assert(!satisfies(&two_halves, &answer, question)); // one could come nearer
}
END_TEST

/// A way of one step, to where the path begins.
static bool leaves(uint32_t start, uint8_t direction, double metres, uint8_t *steps, size_t count,
                   const rp_search_query_t *question)
{
    Replan__V1__Answer answer = answer_of(start, steps, count, (double)count);
    answer.way_start = question->start;
    answer.way = (ProtobufCBinaryData){1, &direction};
    answer.escape_m = metres;
    return satisfies(&grid, &answer, *question);
}

START_TEST(a_path_out_of_an_obstacle_begins_at_the_end_of_the_shortest_way)
{
    uint8_t steps[] = {0, 0};
    const rp_search_query_t question = {.start = 6, .goal = 3, .escape = 2};
    set_up();
    ck_assert(leaves(1, 6, 1.0, steps, 2, &question));
    ck_assert(!leaves(1, 6, 0.5, steps, 2, &question));
    ck_assert(!leaves(1, 7, 1.0, steps, 2, &question)); // that leads elsewhere
    ck_assert(!leaves(2, 7, 1.4142135623730951, steps, 1, &question));
    const Replan__V1__Answer by_air = answer_of(1, steps, 2, 2);
    ck_assert(!satisfies(&grid, &by_air, question));
}
END_TEST

START_TEST(who_is_stuck_although_there_is_a_way_out_is_a_violation)
{
    const rp_search_query_t question = {.start = 6, .goal = 3, .escape = 2};
    set_up();
    Replan__V1__Answer answer = answer_of(6, NULL, 0, -1);
    answer.outcome = REPLAN__V1__OUTCOME__START_BLOCKED;
    ck_assert(!satisfies(&grid, &answer, question));
    ck_assert(satisfies(&grid, &answer, (rp_search_query_t){.start = 6, .goal = 3, .escape = 0.5}));
}
END_TEST

START_TEST(a_partial_path_must_be_legal_and_its_bound_must_hold)
{
    uint8_t steps[] = {0, 0};
    const rp_search_query_t question = {.goal = 8};
    set_up();
    Replan__V1__Answer answer = answer_of(0, steps, 2, 2);
    answer.outcome = REPLAN__V1__OUTCOME__PARTIAL;
    ck_assert(!satisfies(&grid, &answer, question)); // it cannot be the optimum
    answer.optimal = 0;
    answer.bound = 4;
    ck_assert(satisfies(&grid, &answer, question));
    answer.bound = 4.1;
    ck_assert(!satisfies(&grid, &answer, question));
    uint8_t broken[] = {2, 0};
    answer.steps.data = broken;
    answer.bound = 4;
    ck_assert(!satisfies(&grid, &answer, question));
}
END_TEST

START_TEST(a_lost_target_is_the_answer_to_a_lost_target_only)
{
    set_up();
    Replan__V1__Answer answer = answer_of(0, NULL, 0, -1);
    answer.outcome = REPLAN__V1__OUTCOME__TARGET_LOST;
    ck_assert(satisfies(&grid, &answer, (rp_search_query_t){.goal = RP_NOWHERE, .is_lost = true}));
    ck_assert(!satisfies(&grid, &answer, (rp_search_query_t){.goal = 8}));
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
        a_cost_without_a_path_is_a_violation,
        a_free_goal_called_blocked_is_a_violation,
        a_blocked_goal_called_blocked_is_no_violation,
        an_outcome_without_cause_is_a_violation,
        one_percent_skipped_is_too_much_when_passed,
        one_skipped_of_few_is_not_too_much,
        more_debts_than_fit_are_paid_at_once,
        silence_about_the_best_path_is_no_violation,
        silence_about_a_path_that_broke_is_a_violation,
        silence_about_a_better_path_is_a_violation_beyond_what_is_kept,
        silence_about_a_way_that_opened_is_a_violation,
        an_end_within_the_tolerance_must_be_the_cheapest,
        the_end_nearest_to_a_goal_that_is_cut_off_is_right,
        a_path_out_of_an_obstacle_begins_at_the_end_of_the_shortest_way,
        who_is_stuck_although_there_is_a_way_out_is_a_violation,
        a_partial_path_must_be_legal_and_its_bound_must_hold,
        a_lost_target_is_the_answer_to_a_lost_target_only,
    };
    return rp_suite_run("sim_checker", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
