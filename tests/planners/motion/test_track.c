/// Distances of tracks to squares, beside a search that only knows poses.
#include "planners/motion/track.h"

#include <math.h>

#include "planners/motion/trig.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define PARTS 24u

static rp_random_t chance;

static double between(double low, double high)
{
    return low + (high - low) * ((double)(rp_random_next(&chance) >> 11) * 0x1p-53);
}

static double distance_at(const rp_segment_t *segment, double part, double x, double y)
{
    const rp_motion_pose_t pose = rp_segment_pose(segment, part);
    return hypot(fmax(fabs(pose.x - x) - 0.5, 0.0), fmax(fabs(pose.y - y) - 0.5, 0.0));
}

/// The least distance between two parts so close that it falls and then rises, by thirds.
static double least_between(const rp_segment_t *segment, double from, double to, double x, double y)
{
    const double ends = fmin(distance_at(segment, from, x, y), distance_at(segment, to, x, y));
    for (uint32_t i = 0; i < 45u; i++) {
        const double low = from + (to - from) / 3.0;
        const double high = to - (to - from) / 3.0;
        if (distance_at(segment, low, x, y) < distance_at(segment, high, x, y)) {
            to = high;
        } else {
            from = low;
        }
    }
    return fmin(ends, distance_at(segment, 0.5 * (from + to), x, y));
}

static double searched(const rp_segment_t *segment, double x, double y)
{
    const double step = segment->length / PARTS;
    double least = INFINITY;
    for (uint32_t i = 0; i < PARTS; i++) {
        least = fmin(least, least_between(segment, i * step, (i + 1u) * step, x, y));
    }
    return least;
}

static void check(const rp_segment_t *segment, double x, double y)
{
    const rp_track_t track = rp_track_of_segment(segment);
    const double is = rp_track_distance(&track, x, y);
    const double should = searched(segment, x, y);
    RP_EACH(is <= should + 1e-12 && is >= should - 1e-8);
}

START_TEST(distances_are_those_of_a_search)
{
    for (uint32_t i = 0; i < RP_ROUNDS(6000u); i++) {
        const double radius = between(0.2, 6.0);
        const rp_segment_t segment = {
            .start = {between(-3.0, 3.0), between(-3.0, 3.0), between(-4.0, 4.0)},
            .curvature = i % 3u == 0 ? 0.0 : (i % 3u == 1 ? 1.0 : -1.0) / radius,
            .length = i % 3u == 0 ? between(0.01, 9.0) : between(0.01, 7.0) * radius,
            .gear = i % 2u == 0 ? 1 : -1,
            .course = i % 6u == 0 ? between(-3.0, 3.0) : 0.0,
        };
        const double y = rp_random_below(&chance, 9) - 4.0;
        check(&segment, rp_random_below(&chance, 9) - 4.0, y);
    }
}
END_TEST

START_TEST(on_a_lattice_distances_are_those_of_a_search)
{
    for (uint32_t i = 0; i < RP_ROUNDS(6000u); i++) {
        const double radius = rp_random_between(&chance, 1, 4);
        const rp_segment_t segment = {
            .start = {0.5 * rp_random_below(&chance, 9) - 2.0,
                      0.5 * rp_random_below(&chance, 9) - 2.0,
                      rp_random_below(&chance, 8) * RP_TRIG_PI / 4.0},
            .curvature = (rp_random_below(&chance, 3) - 1.0) / radius,
            .length = rp_random_between(&chance, 1, 8) * RP_TRIG_PI / 4.0 * radius,
            .gear = 1,
        };
        const double y = rp_random_below(&chance, 9) - 4.0;
        check(&segment, rp_random_below(&chance, 9) - 4.0, y);
    }
}
END_TEST

START_TEST(a_huge_radius_loses_no_digits)
{
    for (uint32_t i = 0; i < RP_ROUNDS(1500u); i++) {
        rp_segment_t segment = {
            .start = {between(-3.0, 3.0), between(-3.0, 3.0), between(-4.0, 4.0)},
            .curvature = pow(10.0, between(-15.0, -2.0)),
            .length = between(1.0, 20.0),
            .gear = 1,
        };
        const double y = rp_random_below(&chance, 19) - 9.0;
        check(&segment, rp_random_below(&chance, 19) - 9.0, y);
    }
}
END_TEST

/// Where the circle runs parallel to an edge, seen from a start nearby.
START_TEST(a_huge_radius_loses_no_digits_beside_an_axis)
{
    for (uint32_t i = 0; i < RP_ROUNDS(1500u); i++) {
        const double length = between(2.0, 9.0);
        const double curvature = (i % 2u == 0 ? 1.0 : -1.0) * pow(10.0, between(-9.0, -7.5));
        const rp_segment_t segment = {
            .start = {between(-9.0, 0.0), between(-3.0, 3.0),
                      -curvature * length * between(0.0, 1.0)},
            .curvature = curvature,
            .length = length,
            .gear = 1,
        };
        const double y = rp_random_below(&chance, 9) - 4.0;
        check(&segment, rp_random_below(&chance, 9) - 4.0, y);
    }
}
END_TEST

START_TEST(what_rests_is_as_far_away_as_its_place)
{
    const rp_segment_t turn = {.start = {2.0, 1.0, 0.0}, .turn = 1.0, .gear = 1};
    const rp_track_t track = rp_track_of_segment(&turn);
    ck_assert(rp_track_distance(&track, 0.0, 1.0) == 1.5);
    ck_assert(rp_track_distance(&track, 2.25, 1.25) == 0.0);
}
END_TEST

START_TEST(a_line_that_passes_a_corner_touches_it)
{
    const rp_motion_vector_t corner = {0.5, 0.5};
    for (uint32_t i = 0; i < 1000u; i++) {
        const rp_trig_unit_t way = rp_trig_unit(between(1.6, 3.1));
        const rp_motion_vector_t start = {corner.x - 3.0 * way.cos, corner.y - 3.0 * way.sin};
        const rp_track_t track =
            rp_track_of_point(start, (rp_motion_vector_t){way.cos, way.sin}, 0.0, 6.0);
        RP_EACH(rp_track_distance(&track, 0.0, 0.0) < 1e-15);
    }
}
END_TEST

START_TEST(an_arc_crosses_a_line_only_where_both_are)
{
    const rp_motion_vector_t left = {-1.0, 0.0};
    const rp_track_t half = rp_track_of_point((rp_motion_vector_t){1.0, 0.0},
                                              (rp_motion_vector_t){0.0, 1.0}, 1.0, RP_TRIG_PI);
    ck_assert(fabs(half.end.x - left.x) < 1e-15);
    ck_assert(
        rp_track_crosses(&half, (rp_motion_vector_t){0.0, 0.0}, (rp_motion_vector_t){0.0, 2.0}));
    ck_assert(
        !rp_track_crosses(&half, (rp_motion_vector_t){0.0, 0.0}, (rp_motion_vector_t){0.0, 0.9}));
    ck_assert(
        !rp_track_crosses(&half, (rp_motion_vector_t){0.0, 0.0}, (rp_motion_vector_t){0.0, -2.0}));
    ck_assert(
        !rp_track_crosses(&half, (rp_motion_vector_t){-2.0, 1.1}, (rp_motion_vector_t){4.0, 0.0}));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        distances_are_those_of_a_search,
        on_a_lattice_distances_are_those_of_a_search,
        a_huge_radius_loses_no_digits,
        a_huge_radius_loses_no_digits_beside_an_axis,
        what_rests_is_as_far_away_as_its_place,
        a_line_that_passes_a_corner_touches_it,
        an_arc_crosses_a_line_only_where_both_are,
    };
    return rp_suite_run("track", tests, sizeof tests / sizeof *tests, 1, NULL);
}
