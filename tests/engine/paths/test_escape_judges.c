/// The judges of ways and paths: right ones are told from wrong ones.
#include <string.h>

#include "tests/engine/paths/escaping.h"
#include "tests/support/suite.h"

static const char *judge_path(const char *steps, double cost)
{
    uint8_t directions[16];
    const size_t count = strlen(steps);
    for (size_t i = 0; i < count; i++) {
        directions[i] = (uint8_t)(steps[i] - '0');
    }
    resolve();
    return rp_escape_judge_path(&drawing.world, &drawing.question, &decision, decision.end,
                                directions, count, cost);
}

// ---- nearest

START_TEST(nearest_goes_to_a_goal_that_some_end_reaches)
{
    draw("######\n"
         ".S++.G\n"
         "######");
    drawing.question.is_nearest = true;
    expect_end(4, 1, 3, 0, 1.0);
    ck_assert(decision.reaches_goal);
}
END_TEST

START_TEST(nearest_takes_the_shortest_way_of_all_and_goes_as_near_as_that_leads)
{
    draw("#######\n"
         "..S+.#G\n"
         "#######");
    drawing.question.is_nearest = true;
    expect_end(1, 1, 1, 0, 0.0);
    ck_assert(!decision.reaches_goal);
    ck_assert_double_eq(decision.goal_distance, 5.0);
}
END_TEST

START_TEST(nearest_takes_of_equal_ways_the_cheapest_path_to_what_each_comes_nearest_to)
{
    draw("....S9..#g");
    drawing.question.is_nearest = true;
    expect_end(3, 0, 1, 0, 0.0); // comes no nearer than 6; the other would pay 6 to come to 2
    ck_assert_double_eq(decision.goal_distance, 6.0);
    draw("g#....S.#");
    drawing.question.is_nearest = true;
    expect_end(7, 0, 1, 0, 0.0);
}
END_TEST

START_TEST(nearest_does_without_a_free_goal)
{
    draw("S..g");
    drawing.question.is_nearest = true;
    expect_end(1, 0, 1, 0, 1.0);
    ck_assert_double_eq(decision.goal_distance, 1.0);
}
END_TEST

START_TEST(nearest_measures_the_short_way_round)
{
    draw("S.....+g\n"
         "########\n"
         "########\n"
         "########");
    drawing.question.is_nearest = true;
    expect_end(1, 0, 1, 0, 4.0);
    drawing.world.wraps = true;
    expect_end(1, 0, 1, 0, 0.0); // two cells off over the seam, as the far end is
}
END_TEST

// ---- the judges

START_TEST(ways_that_are_wrong_are_told_from_those_that_are_right)
{
    draw("#####\n"
         "#S+.#\n"
         "#++.#\n"
         "##.G#");
    expect_end(3, 1, 2, 0, 2.0);
    draw("######\n"
         "#S+.##\n"
         "#+#..#\n"
         "#++..#\n"
         "####G#");
    ck_assert_ptr_null(judge_way("00"));
    ck_assert_ptr_nonnull(judge_way("0"));     // ends on escape ground
    ck_assert_ptr_nonnull(judge_way("0020"));  // goes on over a free cell
    ck_assert_ptr_nonnull(judge_way("22000")); // leads elsewhere
    ck_assert_ptr_nonnull(judge_way("1"));     // into an obstacle
    ck_assert_ptr_nonnull(judge_way("02"));    // the same
    ck_assert_ptr_nonnull(judge_way("04000")); // forth and back
    ck_assert_ptr_nonnull(judge_way("8"));     // no direction
    ck_assert_ptr_nonnull(judge_way(""));
    draw("S.#G");
    ck_assert_ptr_null(judge_way(""));
    ck_assert_ptr_nonnull(judge_way("0")); // there is no path on
}
END_TEST

START_TEST(of_two_ways_as_long_to_the_same_end_both_are_right)
{
    draw("S+#\n"
         "++G");
    ck_assert_ptr_null(judge_way("10"));
    ck_assert_ptr_nonnull(judge_way("01")); // past an obstacle
    draw("S+++\n"
         "++.G");
    ck_assert_ptr_null(judge_way("01"));
    ck_assert_ptr_null(judge_way("10"));
}
END_TEST

START_TEST(paths_that_are_wrong_are_told_from_those_that_are_right)
{
    draw("S..#.\n"
         "##..G\n"
         "##...");
    expect_end(1, 0, 1, 0, 4.0);
    ck_assert_ptr_null(judge_path("0200", 4.0));
    ck_assert_ptr_nonnull(judge_path("0200", 3.9));               // costs more
    ck_assert_ptr_nonnull(judge_path("0217", 2.0 + 2.0 * SQRT2)); // is not the cheapest
    ck_assert_ptr_nonnull(judge_path("0", 1.0));                  // ends at no goal
    ck_assert_ptr_nonnull(judge_path("100", 2.0 + SQRT2));        // cuts a corner
    ck_assert_ptr_nonnull(judge_path("00", 2.0));                 // into an obstacle
    ck_assert_ptr_nonnull(judge_path("8", 1.0));                  // no direction
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        nearest_goes_to_a_goal_that_some_end_reaches,
        nearest_takes_the_shortest_way_of_all_and_goes_as_near_as_that_leads,
        nearest_takes_of_equal_ways_the_cheapest_path_to_what_each_comes_nearest_to,
        nearest_does_without_a_free_goal,
        nearest_measures_the_short_way_round,
        ways_that_are_wrong_are_told_from_those_that_are_right,
        of_two_ways_as_long_to_the_same_end_both_are_right,
        paths_that_are_wrong_are_told_from_those_that_are_right,
    };
    return rp_suite_run("escape_judges", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
