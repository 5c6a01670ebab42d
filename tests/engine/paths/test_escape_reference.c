/// What the design says of a start that is blocked, sentence by sentence, as little worlds.
#include <math.h>
#include <string.h>

#include "tests/engine/paths/escaping.h"
#include "tests/support/suite.h"

/// Shift the pose inside of its cell: parts of a cell from its lower corner.
static void stand(double x, double y)
{
    drawing.question.x_m = floor(drawing.question.x_m) + x;
    drawing.question.y_m = floor(drawing.question.y_m) + y;
}

// ---- ways

START_TEST(a_way_leads_out_of_a_niche_of_escape_ground)
{
    draw("######\n"
         "#S++.G\n"
         "######");
    expect_end(4, 1, 3, 0, 1.0);
}
END_TEST

START_TEST(a_shut_room_has_no_path_though_the_goal_is_near_by_air)
{
    draw("#####..\n"
         "#.+S#G.\n"
         "#.++#..\n"
         "#####..");
    expect_outcome(RP_ANSWER_NO_PATH);
}
END_TEST

START_TEST(a_wall_one_cell_thick_is_walked_round_by_the_path)
{
    draw("....#...\n"
         "...S#..G\n"
         "....#...\n"
         "........");
    expect_end(3, 2, 1, 0, 3.0 + 2.0 * SQRT2);
}
END_TEST

START_TEST(a_way_endpoints_at_its_first_free_cell)
{
    draw("#####\n"
         "S.+.G\n"
         "#####");
    expect_outcome(RP_ANSWER_NO_PATH);
}
END_TEST

START_TEST(a_nearer_end_from_which_no_goal_can_be_reached_is_left_aside)
{
    draw("######\n"
         ".S++.G\n"
         "######");
    expect_end(4, 1, 3, 0, 1.0);
}
END_TEST

START_TEST(a_diagonal_of_a_way_needs_both_cells_beside_it_to_be_no_obstacles)
{
    draw("S#..\n"
         "+..G");
    expect_end(1, 1, 2, 0, 2.0);
    draw("S+#.\n"
         "+..G");
    expect_end(1, 1, 0, 1, 2.0);
}
END_TEST

START_TEST(a_diagonal_of_the_path_on_needs_both_cells_beside_it_to_be_free)
{
    draw("S+..\n"
         "#.+G");
    expect_end(2, 0, 2, 0, 2.0);
}
END_TEST

START_TEST(with_four_neighbours_a_way_has_no_diagonals_and_a_tie_goes_to_the_lower_cell)
{
    draw("S+.\n"
         "+.G");
    expect_end(1, 1, 0, 1, 1.0);
    drawing.world.neighbors = 4;
    expect_end(2, 0, 2, 0, 1.0);
}
END_TEST

START_TEST(of_equal_ways_the_one_with_the_cheapest_path_on_is_taken)
{
    draw("G..9S..G");
    expect_end(5, 0, 1, 0, 2.0);
    drawing.question.goals[1].offset = 6;
    expect_end(3, 0, 1, 0, 7.0);
}
END_TEST

START_TEST(the_shortest_way_is_taken_whatever_the_path_on_costs)
{
    draw("S+.G\n"
         "9#..\n"
         "9...");
    expect_end(0, 1, 1, 0, 16.0 + SQRT2);
}
END_TEST

START_TEST(a_way_leads_over_the_seam_of_a_torus)
{
    draw("S+#G\n"
         "####\n"
         "####");
    expect_outcome(RP_ANSWER_START_BLOCKED);
    drawing.world.wraps = true;
    expect_end(3, 0, 1, 0, 0.0);
}
END_TEST

START_TEST(lengths_are_compared_exactly)
{
    static const struct {
        rp_escape_length_t a;
        rp_escape_length_t b;
        int order;
    } rows[] = {
        {{7, 0}, {0, 5}, -1},    {{17, 0}, {0, 12}, 1},    {{99, 0}, {0, 70}, 1},
        {{41, 0}, {0, 29}, -1},  {{0, 0}, {0, 0}, 0},      {{3, 2}, {3, 2}, 0},
        {{3, 2}, {2, 2}, 1},     {{3, 1}, {3, 2}, -1},     {{1, 5}, {8, 0}, 1},
        {{577, 0}, {0, 408}, 1}, {{0, 408}, {577, 0}, -1}, {{239, 9}, {0, 178}, -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_int_eq(rp_escape_compare(rows[i].a, rows[i].b), rows[i].order);
    }
}
END_TEST

// ---- escape_m

START_TEST(a_way_is_at_most_escape_m_long)
{
    draw("S++.G");
    drawing.question.escape_m = 2.9;
    expect_outcome(RP_ANSWER_START_BLOCKED);
    drawing.question.escape_m = 3.0;
    expect_end(3, 0, 3, 0, 1.0);
    draw("S+\n"
         "+G");
    drawing.question.escape_m = 1.4;
    expect_outcome(RP_ANSWER_START_BLOCKED);
    drawing.question.escape_m = 1.42;
    expect_end(1, 1, 0, 1, 0.0);
}
END_TEST

START_TEST(escape_m_is_counted_in_metres_and_three_tenths_hold_three_cells_of_a_tenth)
{
    draw("S++.G");
    drawing.world.frame.resolution_m = 0.1;
    drawing.question.x_m = drawing.question.y_m = 0.05;
    drawing.question.escape_m = 0.3;
    resolve();
    ck_assert_int_eq(decision.outcome, RP_ANSWER_FOUND);
    ck_assert_double_eq_tol(decision.way_m, 0.3, 1e-12);
    drawing.question.escape_m = 0.29;
    expect_outcome(RP_ANSWER_START_BLOCKED);
}
END_TEST

START_TEST(without_escape_m_a_way_is_at_most_64_cells_long)
{
    char corridor[68] = {0};
    memset(corridor, '+', 66);
    corridor[0] = 'S';
    corridor[64] = '.';
    corridor[65] = 'G';
    draw(corridor);
    expect_end(64, 0, 64, 0, 1.0);
    corridor[64] = '+';
    corridor[65] = '.';
    corridor[66] = 'G';
    draw(corridor);
    expect_outcome(RP_ANSWER_START_BLOCKED);
}
END_TEST

// ---- the own cell is an obstacle

START_TEST(from_inside_a_wall_a_way_leads_to_the_side_that_is_nearer)
{
    draw("..#..\n"
         "..X.G\n"
         "..#..");
    stand(0.1, 0.5);
    expect_outcome(RP_ANSWER_NO_PATH);
    stand(0.9, 0.5);
    expect_end(3, 1, 1, 0, 1.0);
}
END_TEST

START_TEST(from_the_middle_of_a_wall_both_sides_are_open)
{
    draw("..#..\n"
         "G.X..\n"
         "..#..");
    expect_end(1, 1, 1, 0, 1.0);
    draw("..#..\n"
         "..X.G\n"
         "..#..");
    expect_end(3, 1, 1, 0, 1.0);
}
END_TEST

START_TEST(distances_within_the_snap_distance_are_equal)
{
    draw("..#..\n"
         "..X.G\n"
         "..#..");
    drawing.world.frame.origin_x_m = 1e6;
    drawing.question.x_m = nextafter(1e6 + 2.5, 0.0);
    expect_end(3, 1, 1, 0, 1.0);
    drawing.question.x_m = 1e6 + 2.5 - 1e-8;
    expect_outcome(RP_ANSWER_NO_PATH);
}
END_TEST

START_TEST(the_nearest_cell_decides_on_the_run_even_where_no_step_enters_it)
{
    draw(".##\n"
         "#XG\n"
         "###");
    stand(0.1, 0.1);
    expect_outcome(RP_ANSWER_START_BLOCKED);
    stand(0.9, 0.1);
    expect_end(2, 1, 1, 0, 0.0);
}
END_TEST

START_TEST(a_run_is_entered_beside_its_nearest_cell)
{
    draw("####\n"
         "#X+G\n"
         "..##");
    stand(0.1, 0.9); // (0, 2) and (1, 2) are one run, (2, 1) another
    drawing.question.goals[0].cell = 8;
    expect_end(1, 2, 1, 0, 1.0);
    ck_assert_ptr_null(judge_way("2"));
    ck_assert_ptr_nonnull(judge_way("3")); // the cell on its left is an obstacle
}
END_TEST

START_TEST(cells_that_only_touch_by_a_corner_are_two_runs)
{
    draw("##.#\n"
         "#X#.\n"
         "#.#G");
    stand(0.9, 0.2); // (2, 0) is nearest, and no step leads there
    expect_outcome(RP_ANSWER_START_BLOCKED);
    draw("#..#\n"
         "#X..\n"
         "##.G");
    stand(0.2, 0.5); // all from (1, 0) round to (2, 2) are one
    expect_end(2, 1, 1, 0, SQRT2);
}
END_TEST

START_TEST(a_run_goes_on_through_the_direction_that_is_counted_first)
{
    draw("##.#\n"
         "#X.G\n"
         "####");
    stand(0.9, 0.1);
    expect_end(2, 1, 1, 0, 1.0);
    ck_assert_uint_eq(rp_escape_runs(&drawing.world, drawing.question.x_m, drawing.question.y_m),
                      1u << 7 | 1u << 0);
}
END_TEST

START_TEST(a_run_may_hold_escape_ground_and_outside_is_none)
{
    draw("X+.G\n"
         "#+##");
    expect_end(2, 0, 2, 0, 1.0);
    draw("X#.G\n"
         "##..");
    expect_outcome(RP_ANSWER_START_BLOCKED);
}
END_TEST

START_TEST(with_four_neighbours_a_run_holds_diagonal_cells_too)
{
    draw(".#.\n"
         "#X.\n"
         "G##");
    drawing.world.neighbors = 4;
    stand(0.1, 0.9);
    expect_outcome(RP_ANSWER_START_BLOCKED);
    draw("####\n"
         "#X##\n"
         "#+..\n"
         "###G");
    drawing.world.neighbors = 4;
    stand(0.9, 0.5); // the run of (1, 2) and (2, 2): the first is entered
    expect_end(2, 2, 2, 0, 2.0);
}
END_TEST

START_TEST(from_deeper_than_one_cell_inside_there_is_no_way)
{
    draw("#####\n"
         "##X#.\n"
         "####G");
    expect_outcome(RP_ANSWER_START_BLOCKED);
}
END_TEST

START_TEST(a_way_never_enters_an_obstacle_again)
{
    draw("####\n"
         "X+#G\n"
         "####");
    expect_outcome(RP_ANSWER_START_BLOCKED);
}
END_TEST

START_TEST(runs_go_over_the_seams_of_a_torus)
{
    draw("X##.\n"
         "###G\n"
         "####");
    drawing.world.wraps = true;
    stand(0.1, 0.6);
    expect_end(3, 0, 1, 0, 1.0);
}
END_TEST

// ---- outcomes in their order

START_TEST(without_an_end_the_start_is_blocked_whatever_the_goal)
{
    draw("S#g");
    expect_outcome(RP_ANSWER_START_BLOCKED);
}
END_TEST

START_TEST(with_an_end_the_goals_are_blocked_when_all_are)
{
    draw("S.#g");
    expect_outcome(RP_ANSWER_GOAL_BLOCKED);
    draw("S.#gG");
    expect_outcome(RP_ANSWER_NO_PATH);
}
END_TEST

START_TEST(a_start_that_is_free_needs_no_way)
{
    draw("A.+G");
    expect_outcome(RP_ANSWER_NO_PATH);
    ck_assert(!decision.is_blocked);
    draw("A..G");
    expect_end(0, 0, 0, 0, 3.0);
    ck_assert_ptr_null(judge_way(""));
    ck_assert_ptr_nonnull(judge_way("0"));
}
END_TEST

START_TEST(a_pose_outside_is_outside)
{
    draw("S.G");
    drawing.question.x_m = -0.01;
    expect_outcome(RP_ANSWER_OUTSIDE);
    drawing.question.x_m = 3.0; // on the closing border: the last cell
    expect_outcome(RP_ANSWER_FOUND);
    ck_assert_uint_eq(decision.cell, 2);
    drawing.question.x_m = 1.0; // on a border between two: the greater
    expect_outcome(RP_ANSWER_FOUND);
    ck_assert_uint_eq(decision.cell, 1);
}
END_TEST

START_TEST(in_a_turned_frame_a_pose_is_turned_back)
{
    draw("S.\n"
         ".G");
    drawing.world.frame.origin_yaw = acos(0.0); // +x of the grid is +y of the frame
    drawing.question.x_m = -0.5;
    drawing.question.y_m = 1.5;
    resolve();
    ck_assert_uint_eq(decision.cell, 1);
    drawing.question.x_m = -1.5;
    drawing.question.y_m = 0.5;
    resolve();
    ck_assert_uint_eq(decision.cell, 2);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_way_leads_out_of_a_niche_of_escape_ground,
        a_shut_room_has_no_path_though_the_goal_is_near_by_air,
        a_wall_one_cell_thick_is_walked_round_by_the_path,
        a_way_endpoints_at_its_first_free_cell,
        a_nearer_end_from_which_no_goal_can_be_reached_is_left_aside,
        a_diagonal_of_a_way_needs_both_cells_beside_it_to_be_no_obstacles,
        a_diagonal_of_the_path_on_needs_both_cells_beside_it_to_be_free,
        with_four_neighbours_a_way_has_no_diagonals_and_a_tie_goes_to_the_lower_cell,
        of_equal_ways_the_one_with_the_cheapest_path_on_is_taken,
        the_shortest_way_is_taken_whatever_the_path_on_costs,
        a_way_leads_over_the_seam_of_a_torus,
        lengths_are_compared_exactly,
        a_way_is_at_most_escape_m_long,
        escape_m_is_counted_in_metres_and_three_tenths_hold_three_cells_of_a_tenth,
        without_escape_m_a_way_is_at_most_64_cells_long,
        from_inside_a_wall_a_way_leads_to_the_side_that_is_nearer,
        from_the_middle_of_a_wall_both_sides_are_open,
        distances_within_the_snap_distance_are_equal,
        the_nearest_cell_decides_on_the_run_even_where_no_step_enters_it,
        a_run_is_entered_beside_its_nearest_cell,
        cells_that_only_touch_by_a_corner_are_two_runs,
        a_run_goes_on_through_the_direction_that_is_counted_first,
        a_run_may_hold_escape_ground_and_outside_is_none,
        with_four_neighbours_a_run_holds_diagonal_cells_too,
        from_deeper_than_one_cell_inside_there_is_no_way,
        a_way_never_enters_an_obstacle_again,
        runs_go_over_the_seams_of_a_torus,
        without_an_end_the_start_is_blocked_whatever_the_goal,
        with_an_end_the_goals_are_blocked_when_all_are,
        a_start_that_is_free_needs_no_way,
        a_pose_outside_is_outside,
        in_a_turned_frame_a_pose_is_turned_back,
    };
    return rp_suite_run("escape_reference", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
