/// What the design says of following, sentence by sentence. What is left of way and path stands
/// below each world as cells.
#include "tests/engine/paths/following_reference.h"

#include <math.h>

#include "tests/engine/paths/escape_drawing.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define LINE_MOST 16u
#define SAMPLES   512u ///< of one step, and of one segment

static rp_escape_drawing_t drawing;
static uint32_t line[LINE_MOST];
static size_t count;

/// A world, and as what is left of the path a row of it.
static void draw(const char *text, uint32_t row, uint32_t from, uint32_t to)
{
    rp_escape_draw(&drawing, text);
    count = 0;
    for (uint32_t x = from; x <= to; x++) {
        line[count++] = row * drawing.world.width + x;
    }
}

static double distance_from(double x, double y)
{
    return rp_following_distance_m(&drawing.world, x, y, line, count);
}

static void expect(double x, double y, double distance)
{
    if (isinf(distance)) {
        ck_assert(isinf(distance_from(x, y)));
    } else {
        ck_assert_double_eq_tol(distance_from(x, y), distance, 1e-9);
    }
}

START_TEST(a_pose_in_a_cell_that_is_left_follows_whatever_the_radius)
{
    draw("......", 0, 2, 5);
    expect(2.0, 0.99, 0.0);
    ck_assert(rp_following_holds(&drawing.world, 5.9, 0.1, 0.0, line, count));
    ck_assert(!rp_following_holds(&drawing.world, 1.9, 0.1, 0.0, line, count));
}
END_TEST

START_TEST(beside_its_line_a_pose_follows_within_the_radius)
{
    draw("......\n"
         "......\n"
         "......",
         0, 2, 5);
    expect(3.2, 1.75, 1.25);
    expect(1.5, 0.5, 1.0); // the line begins in the middle of its first cell
    expect(1.5, 2.5, sqrt(5.0));
    ck_assert(rp_following_holds(&drawing.world, 3.2, 1.75, 1.26, line, count));
    ck_assert(!rp_following_holds(&drawing.world, 3.2, 1.75, 1.24, line, count));
}
END_TEST

START_TEST(behind_a_wall_a_pose_does_not_follow)
{
    draw("......\n"
         "######\n"
         "......",
         0, 0, 5);
    expect(2.5, 2.1, INFINITY);
}
END_TEST

START_TEST(inflation_and_inscribed_cells_do_not_count)
{
    draw("......\n"
         "++++++\n"
         "......",
         0, 0, 5);
    expect(2.5, 2.1, 1.6);
    expect(2.5, 1.1, 0.6);
}
END_TEST

START_TEST(of_the_points_that_can_be_seen_the_nearest_counts)
{
    draw("......\n"
         "###...\n"
         "......",
         0, 0, 5);
    expect(2.5, 2.5, sqrt(8.0)); // past the corner (3, 2) to (4.5, 0.5)
}
END_TEST

START_TEST(a_segment_passes_no_corner_at_which_two_obstacles_touch)
{
    draw("......\n"
         "..#...\n"
         "###...\n"
         "....##\n"
         "...#..",
         0, 0, 0);
    line[0] = 2 * 6 + 3;
    line[1] = 2 * 6 + 4;
    line[2] = 2 * 6 + 5;
    count = 3;
    expect(3.5, 3.5, 1.0);
    draw("....\n"
         "#...\n"
         ".#..\n"
         "..#.",
         0, 3, 3);
    line[0] = 3;
    expect(0.5, 3.5, INFINITY); // through the corner (1, 2) or (2, 3)
}
END_TEST

START_TEST(a_segment_passes_no_corner_beside_a_single_obstacle)
{
    draw("...\n"
         ".#.\n"
         "...",
         0, 2, 2);
    expect(1.5, 2.5, INFINITY); // (2.5, 0.5) lies behind the obstacle
    draw("...\n"
         "...\n"
         ".#.",
         1, 1, 1);
    expect(0.5, 2.5, INFINITY); // exactly through the corner (1, 2)
    expect(0.5, 2.4, hypot(1.0, 0.9));
}
END_TEST

START_TEST(between_two_obstacles_side_by_side_nothing_passes)
{
    draw("......\n"
         "######\n"
         "......",
         0, 0, 5);
    expect(3.0, 2.5, INFINITY);
    expect(3.0, 2.0, INFINITY);
}
END_TEST

START_TEST(on_a_corner_of_an_obstacle_a_pose_sees_only_what_its_own_cell_leads_to)
{
    draw("....\n"
         ".#..\n"
         "....",
         2, 3, 3);
    expect(2.0, 2.0, hypot(1.5, 0.5)); // it stands in (2, 2)
    line[0] = 2 * 4 + 1;
    expect(2.0, 2.0, INFINITY);
    line[0] = 4 + 2;
    expect(2.0, 2.0, INFINITY);
}
END_TEST

START_TEST(a_line_goes_on_over_the_lower_seam)
{
    draw(".....\n"
         ".....\n"
         ".....\n"
         ".....\n"
         ".....",
         4, 2, 2);
    drawing.world.wraps = true;
    line[1] = 2;
    count = 2;
    expect(3.7, 4.9, 1.2);
    expect(3.7, 0.2, 1.2);
    expect(3.7, 1.5, hypot(1.2, 1.0));
}
END_TEST

START_TEST(from_inside_an_obstacle_no_line_is_seen)
{
    draw("......\n"
         "..#...\n"
         "......",
         0, 0, 5);
    expect(2.5, 1.1, INFINITY);
    expect(2.0, 1.5, 1.0); // on its border, beside which the line is seen
}
END_TEST

START_TEST(on_a_diagonal_the_line_leads_through_the_corner)
{
    draw("A..\n"
         "...\n"
         "...",
         0, 0, 0);
    line[1] = 4;
    line[2] = 8;
    count = 3;
    expect(1.5, 0.5, sqrt(0.5));
    expect(2.5, 0.5, sqrt(2.0));
}
END_TEST

START_TEST(where_the_world_wraps_the_short_way_round_counts_and_no_other)
{
    draw("..........\n"
         "..........\n"
         "..........",
         1, 8, 9);
    expect(0.5, 1.5, 8.0);
    drawing.world.wraps = true;
    expect(0.5, 1.5, 1.0);
    drawing.world.is_obstacle[10] = true; // (0, 1) shuts the short way from (1.5, 1.5)
    expect(1.5, 1.5, INFINITY);
    drawing.world.is_obstacle[10] = false;
    line[1] = 10; // over the seam
    line[0] = 19;
    expect(0.7, 2.5, hypot(0.2, 1.0));
    expect(9.9, 2.5, 1.0);
}
END_TEST

START_TEST(in_its_own_obstacle_a_pose_follows_while_the_way_begins_in_a_run_of_it)
{
    draw("..#..\n"
         "..X..\n"
         "..#..",
         1, 2, 4);
    expect(2.9, 1.5, 0.0);
    expect(2.5, 1.5, 0.0);
    expect(2.4, 1.5, INFINITY);
}
END_TEST

START_TEST(the_line_in_the_obstacle_in_which_a_way_begins_is_not_seen)
{
    draw("..#..\n"
         "..X..\n"
         ".....",
         1, 2, 3);
    expect(2.5, 2.5, INFINITY);
    expect(2.9, 2.5, hypot(0.2, 1.0)); // past the corner (3, 2)
    expect(3.5, 2.5, 1.0);
}
END_TEST

START_TEST(outside_nothing_follows)
{
    draw("...", 0, 0, 2);
    expect(-0.1, 0.5, INFINITY);
}
END_TEST

// ---- the same by points alone

/// Whether a segment meets no obstacle, as far as points on it tell. Where two points lie in cells
/// that only touch by a corner, it passed beside the other two cells there.
static bool is_open_by_points(double x, double y, double to_x, double to_y)
{
    const uint32_t width = drawing.world.width;
    uint32_t column = (uint32_t)x;
    uint32_t row = (uint32_t)y;
    for (uint32_t i = 0; i <= SAMPLES; i++) {
        const double part = (double)i / SAMPLES;
        const uint32_t to_column = (uint32_t)(x + part * (to_x - x));
        const uint32_t to_row = (uint32_t)(y + part * (to_y - y));
        if (drawing.world.is_obstacle[to_row * width + to_column] ||
            drawing.world.is_obstacle[to_row * width + column] ||
            drawing.world.is_obstacle[row * width + to_column]) {
            return false;
        }
        column = to_column;
        row = to_row;
    }
    return true;
}

static double distance_by_points(double x, double y)
{
    const uint32_t width = drawing.world.width;
    double nearest = INFINITY;
    for (size_t i = 0; i + 1u < count; i++) {
        double from[2];
        double to[2];
        rp_escape_middle(width, line[i], from);
        rp_escape_middle(width, line[i + 1u], to);
        for (uint32_t k = 0; k <= SAMPLES; k++) {
            const double part = (double)k / SAMPLES;
            const double at_x = from[0] + part * (to[0] - from[0]);
            const double at_y = from[1] + part * (to[1] - from[1]);
            const double off = hypot(at_x - x, at_y - y);
            if (off < nearest && is_open_by_points(x, y, at_x, at_y)) {
                nearest = off;
            }
        }
    }
    return nearest;
}

/// A world with some obstacles, and a walk between them.
static void draw_by_chance(rp_random_t *random)
{
    rp_escape_draw(&drawing, "........\n........\n........\n........\n"
                             "........\n........\n........\n........");
    for (uint32_t cell = 0; cell < 64; cell++) {
        drawing.world.is_obstacle[cell] = rp_random_chance(random, 30);
    }
    line[0] = rp_random_below(random, 64);
    drawing.world.is_obstacle[line[0]] = false;
    count = 1;
    for (int tries = 0; tries < 60 && count < 6; tries++) {
        const unsigned direction = rp_random_below(random, RP_DIRECTIONS);
        const uint32_t to = rp_escape_step(&drawing.world, line[count - 1u], direction & 6u);
        if (to != RP_ESCAPE_NO_CELL && !drawing.world.is_obstacle[to]) {
            line[count++] = to;
        }
    }
}

/// They agree within the distance of two points, but for poses from which a point sees the line
/// closer past a corner than points can tell.
START_TEST(by_points_the_distance_is_the_same)
{
    rp_random_t random = {1};
    uint32_t compared = 0;
    uint32_t differed = 0;
    for (uint32_t i = 0; i < RP_ROUNDS(1000u); i++) {
        draw_by_chance(&random);
        const double x = rp_random_below(&random, 8000) / 1000.0 + 0.0003;
        const double y = rp_random_below(&random, 8000) / 1000.0 + 0.0007;
        const double exact = distance_from(x, y);
        const double by_points = distance_by_points(x, y);
        const bool is_same = isinf(exact) || isinf(by_points) ? isinf(exact) == isinf(by_points)
                                                              : fabs(exact - by_points) < 0.02;
        compared += exact > 0.0 && count > 1;
        differed += exact > 0.0 && count > 1 && !is_same;
    }
    ck_assert_uint_gt(compared, RP_ROUNDS(1000u) / 2u);
    ck_assert_uint_le(differed * 100u, compared);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_pose_in_a_cell_that_is_left_follows_whatever_the_radius,
        beside_its_line_a_pose_follows_within_the_radius,
        behind_a_wall_a_pose_does_not_follow,
        inflation_and_inscribed_cells_do_not_count,
        of_the_points_that_can_be_seen_the_nearest_counts,
        a_segment_passes_no_corner_at_which_two_obstacles_touch,
        a_segment_passes_no_corner_beside_a_single_obstacle,
        between_two_obstacles_side_by_side_nothing_passes,
        on_a_corner_of_an_obstacle_a_pose_sees_only_what_its_own_cell_leads_to,
        a_line_goes_on_over_the_lower_seam,
        from_inside_an_obstacle_no_line_is_seen,
        on_a_diagonal_the_line_leads_through_the_corner,
        where_the_world_wraps_the_short_way_round_counts_and_no_other,
        in_its_own_obstacle_a_pose_follows_while_the_way_begins_in_a_run_of_it,
        the_line_in_the_obstacle_in_which_a_way_begins_is_not_seen,
        outside_nothing_follows,
        by_points_the_distance_is_the_same,
    };
    return rp_suite_run("following_reference", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
