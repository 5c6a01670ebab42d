/// Overlaps: depths that are known, and motions that come out or go deeper.
#include "planners/motion/overlap.h"

#include <math.h>

#include "tests/support/suite.h"

static rp_vehicle_t disc_of(double radius)
{
    rp_vehicle_t vehicle;
    ck_assert_ptr_null(rp_vehicle_set_disc(&vehicle, radius));
    return vehicle;
}

/// 4 ahead, 1 behind, 1 to either side.
static rp_vehicle_t box(void)
{
    static const double x[] = {4.0, 4.0, -1.0, -1.0};
    static const double y[] = {-1.0, 1.0, 1.0, -1.0};
    rp_vehicle_t vehicle;
    ck_assert_ptr_null(rp_vehicle_set_footprint(&vehicle, x, y, 4, 0.0));
    return vehicle;
}

static double depth(const rp_vehicle_t *vehicle, double heading, double x, double y)
{
    const rp_motion_pose_t pose = {0.0, 0.0, heading};
    return rp_overlap_depth(vehicle, &pose, x, y);
}

START_TEST(depths_are_what_is_missing_to_be_apart)
{
    const rp_vehicle_t disc = disc_of(2.0);
    const rp_vehicle_t body = box();
    ck_assert(fabs(depth(&disc, 0.0, 2.0, 0.0) - 0.5) < 1e-12);
    ck_assert(fabs(depth(&disc, 0.0, 0.0, 0.0) - 2.5) < 1e-12);
    ck_assert(fabs(depth(&disc, 0.0, 1.5, 1.5) - (2.0 - sqrt(2.0))) < 1e-12);
    ck_assert(depth(&disc, 0.0, 2.5, 0.0) == 0.0);
    ck_assert(fabs(depth(&body, 0.0, 4.0, 0.0) - 0.5) < 1e-12);
    ck_assert(fabs(depth(&body, 0.0, 2.0, 1.0) - 0.5) < 1e-12);
    ck_assert(fabs(depth(&body, 1.5707963267948966, 0.0, 4.0) - 0.5) < 1e-12);
    ck_assert(depth(&body, 1.5707963267948966, 4.0, 0.0) == 0.0);
    ck_assert(depth(&body, 0.0, -2.0, 0.0) == 0.0);
}
END_TEST

START_TEST(what_comes_out_is_told_from_what_goes_deeper)
{
    const rp_vehicle_t disc = disc_of(1.5);
    const rp_vehicle_t body = box();
    rp_segment_t line = {.length = 3.0, .gear = 1};
    ck_assert(rp_overlap_falls(&disc, &line, -1.0, 0.0));
    ck_assert(!rp_overlap_falls(&disc, &line, 1.0, 0.0));
    ck_assert(!rp_overlap_falls(&disc, &line, 2.0, 1.0)); // not touched at first
    line.gear = -1;
    ck_assert(rp_overlap_falls(&disc, &line, 1.0, 0.0));
    ck_assert(rp_overlap_falls(&body, &line, 4.0, 0.0));
    const rp_segment_t turn = {.turn = 1.0, .gear = 1};
    ck_assert(rp_overlap_falls(&disc, &turn, 1.0, 0.0));
    ck_assert(!rp_overlap_falls(&body, &turn, 3.0, 1.0));
    const rp_segment_t back = {.turn = -1.0, .gear = 1};
    ck_assert(rp_overlap_falls(&body, &back, 3.0, 1.4));
    const rp_segment_t arc = {.curvature = 0.5, .length = 12.0, .gear = 1};
    ck_assert(!rp_overlap_falls(&disc, &arc, -1.0, 0.0)); // it comes round again
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        depths_are_what_is_missing_to_be_apart,
        what_comes_out_is_told_from_what_goes_deeper,
    };
    return rp_suite_run("overlap", tests, 2, 1, NULL);
}
