/// Sweeps beside the independent checker, and where touching decides.
#include "planners/motion/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "planners/motion/trig.h"
#include "planners/motion/words.h"
#include "tests/planners/motion/checker.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE  100u
#define WORDS 2u

static rp_random_t chance;
static uint64_t bits[SIDE * WORDS];
static rp_obstacle_map_t map = {.bits = bits, .stride = WORDS, .width = SIDE, .height = SIDE};
static rp_sweep_hit_t hit;

static double between(double low, double high)
{
    return low + (high - low) * ((double)(rp_random_next(&chance) >> 11) * 0x1p-53);
}

static void block(int64_t x, int64_t y)
{
    bits[y * WORDS + x / 64] |= (uint64_t)1 << (x % 64);
}

static void block_rect(int64_t x, int64_t y, int64_t width, int64_t height)
{
    for (int64_t i = 0; i < width * height; i++) {
        block(x + i % width, y + i / width);
    }
}

static void clear(void)
{
    memset(bits, 0, sizeof bits);
    map.wraps = false;
}

/// The same map, read another way.
static bool is_obstacle(const void *user, int64_t x, int64_t y)
{
    (void)user;
    const int64_t side = SIDE;
    if (!map.wraps && (x < 0 || y < 0 || x >= side || y >= side)) {
        return true;
    }
    const int64_t column = ((x % side) + side) % side;
    const int64_t row = ((y % side) + side) % side;
    return (bits[row * WORDS + column / 64] >> (column % 64) & 1u) != 0;
}

// ---- vehicles

typedef struct shape {
    double radius;
    uint32_t count;
    double x[8];
    double y[8];
} shape_t;

static const shape_t shapes[] = {
    {.radius = 1e-3},
    {.radius = 0.45},
    {.radius = 2.0},
    {.radius = 6.0},
    {.count = 4, .x = {2.0, 2.0, -1.0, -1.0}, .y = {-0.7, 0.7, 0.7, -0.7}},
    {.count = 4, .x = {6.0, 6.0, -1.5, -1.5}, .y = {1.2, -1.2, -1.2, 1.2}}, // to the right round it
    {.count = 3, .x = {1.5, -1.0, -1.0}, .y = {0.0, 1.0, -1.0}},
    {.count = 6,
     .x = {3.0, 3.0, -2.0, -2.0, -1.0, -1.0},
     .y = {-1.0, 0.5, 0.5, -3.0, -3.0, -1.0}}, // an L
    {.count = 8,
     .x = {3.0, 3.0, -2.0, -2.0, 3.0, 3.0, -1.0, -1.0},
     .y = {1.0, 2.0, 2.0, -2.0, -2.0, -1.0, -1.0, 1.0}},
    {.count = 4, .x = {5.0, 7.0, 7.0, 5.0}, .y = {2.0, 2.0, 3.0, 3.0}}, // beside its origin
};
#define SHAPES (sizeof shapes / sizeof *shapes)

static rp_vehicle_t vehicle_of(const shape_t *shape)
{
    rp_vehicle_t vehicle;
    if (shape->count == 0) {
        ck_assert_ptr_null(rp_vehicle_set_disc(&vehicle, shape->radius));
    } else {
        ck_assert_ptr_null(
            rp_vehicle_set_footprint(&vehicle, shape->x, shape->y, shape->count, 0.0));
    }
    return vehicle;
}

static rp_vehicle_t rectangle(double length, double width)
{
    const double x[] = {0.5 * length, 0.5 * length, -0.5 * length, -0.5 * length};
    const double y[] = {-0.5 * width, 0.5 * width, 0.5 * width, -0.5 * width};
    rp_vehicle_t vehicle;
    ck_assert_ptr_null(rp_vehicle_set_footprint(&vehicle, x, y, 4, 0.0));
    return vehicle;
}

static rp_vehicle_t disc(double radius)
{
    rp_vehicle_t vehicle;
    ck_assert_ptr_null(rp_vehicle_set_disc(&vehicle, radius));
    return vehicle;
}

static bool is_free(const rp_vehicle_t *vehicle, const rp_segment_t *segments, size_t count,
                    int64_t x, int64_t y)
{
    return rp_sweep_is_free(&map, vehicle, segments, count, x, y, &hit);
}

static bool is_planned(const rp_vehicle_t *vehicle, const rp_segment_t *segments, size_t count)
{
    const rp_vehicle_t wide = rp_vehicle_widened(vehicle, RP_VEHICLE_PLANNING_MARGIN);
    return is_free(&wide, segments, count, 0, 0);
}

static bool is_judged_free(const rp_vehicle_t *vehicle, const rp_segment_t *segments, size_t count,
                           double coordinate)
{
    const rp_vehicle_t narrow = rp_vehicle_widened(vehicle, rp_vehicle_judging_margin(coordinate));
    return is_free(&narrow, segments, count, 0, 0);
}

// ---- by chance

/// A curve of any kind about the middle of the map.
static uint32_t random_segments(rp_segment_t *segments)
{
    static rp_curve_list_t list;
    const rp_motion_pose_t start = {between(-0.5, 0.5), between(-0.5, 0.5), between(-4.0, 4.0)};
    const rp_motion_pose_t end = {between(-12.0, 12.0), between(-12.0, 12.0), between(-4.0, 4.0)};
    const rp_curve_price_t price = {.radius = between(0.5, 6.0), .reverse_factor = 1.0};
    switch (rp_random_below(&chance, 5)) {
    case 0:
        segments[0] = (rp_segment_t){.start = start, .turn = between(-6.5, 6.5), .gear = 1};
        return 1;
    case 1:
        segments[0] = (rp_segment_t){
            .start = start, .length = between(0.1, 15.0), .course = between(-4.0, 4.0), .gear = 1};
        return 1;
    case 2:
        segments[0] = (rp_segment_t){.start = start,
                                     .curvature = between(-1.0, 1.0),
                                     .length = between(0.1, 6.0),
                                     .gear = rp_random_chance(&chance, 50) ? 1 : -1};
        return 1;
    case 3:
        rp_words_dubins(&start, &end, &price, &list);
        break;
    default:
        rp_words_reeds_shepp(&start, &end, &price, &list);
    }
    return rp_curve_segments(
        &list.curves[rp_random_below(&chance, list.count < 8u ? list.count : 8u)], &start,
        segments);
}

/// One-cell obstacles, so few that a vehicle of this reach gets through about half of the time.
static void scatter(double reach, uint32_t percent)
{
    clear();
    const double area = 4.0 * (reach + 1.0) * (reach + 5.0);
    const uint32_t count = (uint32_t)(percent / 50.0 * SIDE * SIDE / area);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t y = rp_random_below(&chance, SIDE);
        block(rp_random_below(&chance, SIDE), y);
    }
    map.wraps = rp_random_chance(&chance, 50);
}

START_TEST(the_checker_agrees)
{
    const rp_checked_world_t world = {.is_obstacle = is_obstacle};
    uint32_t decided = 0;
    uint32_t open = 0;
    uint32_t free = 0;
    chance.state = 1000u + (uint32_t)_i;
    const char *wanted = getenv("REPLAN_MOTION_ROUNDS");
    const uint32_t rounds = wanted != NULL ? (uint32_t)atoi(wanted) : RP_ROUNDS(400u);
    for (uint32_t round = 0; round < rounds; round++) {
        const shape_t *shape = &shapes[round % SHAPES];
        const rp_vehicle_t vehicle = vehicle_of(shape);
        const rp_checked_body_t body = {
            .radius = shape->radius, .x = shape->x, .y = shape->y, .count = shape->count};
        const rp_vehicle_t wide = rp_vehicle_widened(&vehicle, RP_VEHICLE_PLANNING_MARGIN);
        const rp_vehicle_t narrow = rp_vehicle_widened(&vehicle, rp_vehicle_judging_margin(SIDE));
        rp_segment_t segments[RP_CURVE_PIECES_MAX];
        const uint32_t count = random_segments(segments);
        scatter(vehicle.reach, rp_random_below(&chance, 100));
        const int64_t x = rp_random_below(&chance, SIDE); // at the edge of the world too
        const int64_t y = rp_random_below(&chance, SIDE);
        rp_segment_t placed[RP_CURVE_PIECES_MAX];
        memcpy(placed, segments, sizeof placed);
        for (uint32_t i = 0; i < count; i++) {
            placed[i].start.x += (double)x;
            placed[i].start.y += (double)y;
        }
        const rp_verdict_t verdict = rp_checker_judge(&world, &body, placed, count, 20000);
        const bool planned = is_free(&wide, segments, count, x, y);
        const bool judged = is_free(&narrow, segments, count, x, y);
        RP_EACH(judged || !planned);
        RP_EACH(!planned || verdict != RP_VERDICT_MEETS);
        RP_EACH(judged || verdict != RP_VERDICT_FREE);
        RP_EACH(judged || is_obstacle(NULL, hit.x, hit.y));
        open += verdict == RP_VERDICT_OPEN;
        decided += verdict != RP_VERDICT_OPEN;
        free += planned;
    }
    ck_assert_uint_gt(free, rounds / 5u);
    ck_assert_uint_lt(free, rounds - rounds / 5u);
    ck_assert_uint_lt(open, 1u + decided / 100u);
}
END_TEST

START_TEST(no_obstacle_beside_a_curve_is_overlooked)
{
    for (uint32_t round = 0; round < RP_ROUNDS(3000u); round++) {
        const rp_vehicle_t vehicle = vehicle_of(&shapes[round % SHAPES]);
        rp_segment_t segments[RP_CURVE_PIECES_MAX];
        const uint32_t count = random_segments(segments);
        clear();
        const int64_t x = 50 + rp_random_between(&chance, 0, 40) - 20;
        const int64_t y = 50 + rp_random_between(&chance, 0, 40) - 20;
        block(x, y);
        bool meets = false;
        for (uint32_t i = 0; i < count; i++) {
            rp_sweep_t sweep;
            rp_sweep_begin(&sweep, &vehicle, &segments[i]);
            meets = meets || rp_sweep_meets(&sweep, (double)(x - 50), (double)(y - 50));
        }
        RP_EACH(is_free(&vehicle, segments, count, 50, 50) == !meets);
        RP_EACH(!meets || (hit.x == x && hit.y == y));
    }
}
END_TEST

// ---- where touching decides

START_TEST(a_corridor_as_wide_as_the_vehicle_is_judged_free_and_not_planned)
{
    static const double widths[] = {1.0, 3.0, 8.0, 12.0};
    const double width = widths[_i % 4];
    const rp_vehicle_t vehicle = _i < 4 ? disc(0.5 * width) : rectangle(2.0, width);
    const double middle = 9.5 + 0.5 * width; // rows 10 .. 10 + width - 1 are free
    const rp_segment_t line = {.start = {20.0, middle, 0.0}, .length = 40.0, .gear = 1};
    rp_segment_t tilted = line;
    tilted.start.heading = 1e-8;
    clear();
    block_rect(0, 0, SIDE, 10);
    block_rect(0, 10 + (int64_t)width, SIDE, 10);
    ck_assert(is_judged_free(&vehicle, &line, 1, SIDE));
    ck_assert(!is_planned(&vehicle, &line, 1));
    ck_assert(!is_judged_free(&vehicle, &tilted, 1, SIDE));
}
END_TEST

START_TEST(a_corridor_wider_by_1e_5_is_planned)
{
    static const double widths[] = {1.0, 3.0, 8.0, 12.0};
    const double width = widths[_i % 4];
    const rp_vehicle_t vehicle = _i < 4 ? disc(0.5 * (width - 1e-5)) : rectangle(2.0, width - 1e-5);
    const rp_segment_t line = {.start = {20.0, 9.5 + 0.5 * width, 0.0}, .length = 40.0, .gear = 1};
    rp_segment_t back = line;
    back.start.heading = RP_TRIG_PI;
    back.gear = -1;
    clear();
    block_rect(0, 0, SIDE, 10);
    block_rect(0, 10 + (int64_t)width, SIDE, 10);
    ck_assert(is_planned(&vehicle, &line, 1));
    ck_assert(is_planned(&vehicle, &back, 1));
    back.start.y += 7e-6;
    ck_assert(!is_planned(&vehicle, &back, 1));
}
END_TEST

/// Poses in metres of a map far from its frame's origin come back rounded.
START_TEST(a_corridor_in_utm_coordinates_is_judged_free)
{
    const double origin = 4e6;
    const double resolution = 0.05;
    const rp_vehicle_t vehicle = _i % 2 == 0 ? disc(1.5) : rectangle(4.0, 3.0);
    clear();
    block_rect(0, 0, SIDE, 10);
    block_rect(0, 13, SIDE, 10);
    for (uint32_t i = 0; i < 1000u; i++) {
        const double x = between(20.0, 40.0);
        const double metres_x = origin + resolution * x;
        const double metres_y = origin + resolution * 11.0;
        const rp_segment_t line = {
            .start = {(metres_x - origin) / resolution, (metres_y - origin) / resolution, 0.0},
            .length = 20.0,
            .gear = 1};
        RP_EACH(is_judged_free(&vehicle, &line, 1, origin / resolution));
    }
}
END_TEST

START_TEST(an_arc_round_a_corner_may_graze_it)
{
    // The corner of cell (50, 50) at (50.5, 50.5) is the centre of the arc.
    const double radius = 4.0;
    rp_segment_t arc = {.start = {50.5 + radius, 50.5, RP_TRIG_QUARTER},
                        .curvature = 1.0 / radius,
                        .length = radius * RP_TRIG_QUARTER,
                        .gear = 1};
    clear();
    block(50, 50);
    rp_vehicle_t vehicle = disc(radius);
    ck_assert(is_judged_free(&vehicle, &arc, 1, SIDE));
    ck_assert(!is_planned(&vehicle, &arc, 1));
    vehicle = disc(radius - 5e-6);
    ck_assert(is_planned(&vehicle, &arc, 1));
    vehicle = rectangle(2.0, 2.0 * radius); // its left edge runs over the corner all the time
    ck_assert(is_judged_free(&vehicle, &arc, 1, SIDE));
    ck_assert(!is_planned(&vehicle, &arc, 1));
    vehicle = rectangle(2.0, 2.0 * radius + 1e-6);
    ck_assert(!is_judged_free(&vehicle, &arc, 1, SIDE));
}
END_TEST

START_TEST(a_corner_of_the_vehicle_may_graze_an_edge_while_it_turns)
{
    const rp_segment_t turn = {
        .start = {50.0, 50.5, 0.0}, .turn = _i % 2 == 0 ? 3.0 : -3.0, .gear = 1};
    const rp_vehicle_t vehicle = rectangle(8.0, 6.0); // its corners are 5 from the middle
    clear();
    block(50, 56); // its lower edge is at 55.5
    ck_assert(is_judged_free(&vehicle, &turn, 1, SIDE));
    ck_assert(!is_planned(&vehicle, &turn, 1));
    block(50, 55);
    ck_assert(!is_judged_free(&vehicle, &turn, 1, SIDE));
}
END_TEST

START_TEST(an_obstacle_inside_the_outline_is_met)
{
    static const rp_segment_t moves[] = {
        {.start = {50.0, 50.0, 0.3}, .length = 0.01, .gear = 1},
        {.start = {50.0, 50.0, 0.3}, .turn = 0.01, .gear = 1},
        {.start = {50.0, 50.0, 0.3}, .turn = 6.28, .gear = 1},
        {.start = {50.0, 50.0, 0.3}, .curvature = 0.1, .length = 0.01, .gear = -1},
        {.start = {50.0, 50.0, 0.3}, .length = 0.01, .course = 1.0, .gear = 1},
    };
    const double x[] = {20.0, 20.0, -20.0, -20.0, 3.0,
                        3.0,  -3.0, -3.0}; // a ring with a gap, and the obstacle is in the ring
    const double y[] = {-9.0, 9.0, 9.0, 3.0, 3.0, -3.0, -3.0, -9.0};
    rp_vehicle_t ring;
    ck_assert_ptr_null(rp_vehicle_set_footprint(&ring, x, y, 8, 0.0));
    const rp_vehicle_t vehicles[] = {disc(10.0), rectangle(20.0, 14.0), ring};
    for (uint32_t i = 0; i < 3u; i++) {
        clear();
        block(50 + (i == 2u ? 12 : 2), 51);
        ck_assert(!is_judged_free(&vehicles[i], &moves[_i], 1, SIDE));
        clear();
        ck_assert(is_planned(&vehicles[i], &moves[_i], 1));
    }
    clear();
    block(48, 50); // in the gap of the ring
    ck_assert(_i == 2 || is_planned(&ring, &moves[_i], 1));
}
END_TEST

START_TEST(the_edge_of_the_world_is_an_obstacle)
{
    // Cell 0 begins at -0.5.
    const rp_vehicle_t vehicle = _i % 2 == 0 ? disc(2.0) : rectangle(4.0, 4.0);
    rp_segment_t line = {.start = {1.5, 20.0, RP_TRIG_QUARTER}, .length = 30.0, .gear = 1};
    clear();
    ck_assert(is_judged_free(&vehicle, &line, 1, SIDE));
    ck_assert(!is_planned(&vehicle, &line, 1));
    line.start.x = SIDE - 0.5 - 2.0 - 2e-6;
    ck_assert(is_planned(&vehicle, &line, 1));
    line.length = SIDE - 0.5 - 20.0 - 2.0 + 1e-5;
    ck_assert(!is_judged_free(&vehicle, &line, 1, SIDE));
    ck_assert_int_eq(hit.y, SIDE);
}
END_TEST

START_TEST(on_a_torus_the_far_side_is_beside_the_edge)
{
    const rp_vehicle_t vehicle = _i % 2 == 0 ? disc(2.0) : rectangle(4.0, 4.0);
    const rp_segment_t line = {.start = {0.0, 20.0, -RP_TRIG_QUARTER}, .length = 40.0, .gear = 1};
    clear();
    map.wraps = true;
    ck_assert(is_planned(&vehicle, &line, 1));
    block(SIDE - 2, SIDE - 10);
    ck_assert(!is_judged_free(&vehicle, &line, 1, SIDE));
    ck_assert_int_eq(hit.x, -2);
    ck_assert_int_eq(hit.y, -10);
}
END_TEST

START_TEST(the_first_segment_that_meets_an_obstacle_is_told)
{
    const rp_segment_t segments[] = {
        {.start = {10.0, 10.0, 0.0}, .length = 20.0, .gear = 1},
        {.start = {30.0, 10.0, 0.0}, .turn = RP_TRIG_QUARTER, .gear = 1},
        {.start = {30.0, 10.0, RP_TRIG_QUARTER}, .length = 20.0, .gear = 1},
    };
    const rp_vehicle_t vehicle = disc(1.0);
    clear();
    block(30, 25);
    hit.segment = 9;
    ck_assert(is_judged_free(&vehicle, segments, 2, SIDE));
    ck_assert_uint_eq(hit.segment, 9);
    ck_assert(!is_judged_free(&vehicle, segments, 3, SIDE));
    ck_assert(hit.segment == 2 && hit.x == 30 && hit.y == 25);
}
END_TEST

START_TEST(a_long_line_far_from_the_axes_finds_one_cell)
{
    const rp_segment_t line = {.start = {1.5, 1.5, RP_TRIG_PI / 4.0}, .length = 130.0, .gear = 1};
    const rp_vehicle_t vehicle = disc(0.3);
    for (int64_t i = 5; i < 90; i++) {
        clear();
        block(i, i);
        RP_EACH(!is_judged_free(&vehicle, &line, 1, SIDE));
        clear();
        block(i, i + 2);
        RP_EACH(is_planned(&vehicle, &line, 1));
    }
}
END_TEST

int main(void)
{
    const TTest *const chances[] = {the_checker_agrees};
    const TTest *const pairs[] = {
        a_corridor_as_wide_as_the_vehicle_is_judged_free_and_not_planned,
        a_corridor_wider_by_1e_5_is_planned,
        a_corridor_in_utm_coordinates_is_judged_free,
        a_corner_of_the_vehicle_may_graze_an_edge_while_it_turns,
        the_edge_of_the_world_is_an_obstacle,
        on_a_torus_the_far_side_is_beside_the_edge,
    };
    const TTest *const moves[] = {an_obstacle_inside_the_outline_is_met};
    const TTest *const once[] = {
        no_obstacle_beside_a_curve_is_overlooked,
        an_arc_round_a_corner_may_graze_it,
        the_first_segment_that_meets_an_obstacle_is_told,
        a_long_line_far_from_the_axes_finds_one_cell,
    };
    int failed = rp_suite_run("sweeps: chance", chances, 1, 8, NULL);
    failed += rp_suite_run("sweeps: both kinds", pairs, sizeof pairs / sizeof *pairs, 8, NULL);
    failed += rp_suite_run("sweeps: moves", moves, 1, 5, NULL);
    return rp_suite_run("sweep", once, sizeof once / sizeof *once, 1, NULL) + failed;
}
