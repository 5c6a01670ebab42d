/// Sine, cosine and arctangent beside those of libm in long double.
#include "planners/motion/trig.h"

#include <math.h>

#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_random_t chance;

static double between(double low, double high)
{
    return low + (high - low) * ((double)(rp_random_next(&chance) >> 11) * 0x1p-53);
}

static void check_unit(double angle)
{
    const rp_trig_unit_t unit = rp_trig_unit(angle);
    RP_EACH(fabsl(unit.sin - sinl(angle)) < 1e-15L);
    RP_EACH(fabsl(unit.cos - cosl(angle)) < 1e-15L);
}

static void check_angle(double y, double x)
{
    RP_EACH(fabsl(rp_trig_angle(y, x) - atan2l(y, x)) < 1e-15L);
}

START_TEST(sine_and_cosine_are_within_1e_15)
{
    static const double reach[] = {1.0, 7.0, 1000.0, 1e6};
    for (uint32_t i = 0; i < RP_ROUNDS(400000u); i++) {
        check_unit(between(-reach[i % 4u], reach[i % 4u]));
    }
}
END_TEST

START_TEST(sine_and_cosine_are_within_1e_15_beside_multiples_of_an_eighth)
{
    for (int32_t i = -400000; i <= 400000; i += i > -2000 && i < 2000 ? 1 : 997) {
        const double angle = i * (RP_TRIG_PI / 4.0);
        check_unit(angle);
        check_unit(nextafter(angle, -INFINITY));
        check_unit(nextafter(angle, INFINITY));
    }
}
END_TEST

START_TEST(sine_and_cosine_of_simple_angles_are_exact)
{
    ck_assert(rp_trig_unit(0.0).cos == 1.0 && rp_trig_unit(0.0).sin == 0.0);
    ck_assert(rp_trig_unit(RP_TRIG_QUARTER).sin == 1.0);
    ck_assert(rp_trig_unit(RP_TRIG_PI).cos == -1.0);
    ck_assert(rp_trig_unit(-RP_TRIG_QUARTER).sin == -1.0);
}
END_TEST

START_TEST(very_large_angles_still_have_a_direction)
{
    for (double angle = 1e6; angle < 1e300; angle *= 7.3) {
        const rp_trig_unit_t unit = rp_trig_unit(angle);
        ck_assert(fabs(unit.cos * unit.cos + unit.sin * unit.sin - 1.0) < 1e-15);
    }
}
END_TEST

START_TEST(angles_of_vectors_are_within_1e_15)
{
    for (uint32_t i = 0; i < RP_ROUNDS(400000u); i++) {
        const double size = i % 3u == 0 ? 1.0 : i % 3u == 1 ? 1e-200 : 1e200;
        const double other = size * between(-1.0, 1.0);
        check_angle(size * between(-1.0, 1.0), other);
    }
    for (int32_t y = -20; y <= 20;
         y++) { // the borders between the tangents of the table among them
        for (int32_t x = -20; x <= 20; x++) {
            check_angle(y, x);
            check_angle(y + 1e-16 * x, x - 1e-16 * y);
        }
    }
}
END_TEST

START_TEST(angles_along_the_axes_are_exact)
{
    ck_assert(rp_trig_angle(0.0, 0.0) == 0.0);
    ck_assert(rp_trig_angle(0.0, 3.0) == 0.0);
    ck_assert(rp_trig_angle(3.0, 0.0) == RP_TRIG_QUARTER);
    ck_assert(rp_trig_angle(-3.0, 0.0) == -RP_TRIG_QUARTER);
    ck_assert(rp_trig_angle(0.0, -3.0) == RP_TRIG_PI);
    ck_assert(rp_trig_angle(-0.0, -3.0) == RP_TRIG_PI);
}
END_TEST

START_TEST(a_turn_is_never_a_full_circle_out_of_rounding)
{
    ck_assert(rp_trig_turn(-1e-17) == 0.0);
    ck_assert(rp_trig_turn(-1e-13) == 0.0);
    ck_assert(rp_trig_turn(RP_TRIG_TURN) == 0.0);
    ck_assert(rp_trig_turn(-RP_TRIG_TURN) == 0.0);
    ck_assert(rp_trig_turn(nextafter(RP_TRIG_TURN, 0.0)) == 0.0);
    ck_assert(rp_trig_turn(-1e-11) > 6.28);
    ck_assert(fabs(rp_trig_turn(-1.0) - (RP_TRIG_TURN - 1.0)) < 1e-15);
    ck_assert(fabs(rp_trig_turn(7.0) - (7.0 - RP_TRIG_TURN)) < 1e-15);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        sine_and_cosine_are_within_1e_15,
        sine_and_cosine_are_within_1e_15_beside_multiples_of_an_eighth,
        sine_and_cosine_of_simple_angles_are_exact,
        very_large_angles_still_have_a_direction,
        angles_of_vectors_are_within_1e_15,
        angles_along_the_axes_are_exact,
        a_turn_is_never_a_full_circle_out_of_rounding,
    };
    return rp_suite_run("trig", tests, sizeof tests / sizeof *tests, 1, NULL);
}
