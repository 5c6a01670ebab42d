/// Vehicles: what is refused, how footprints are cut and widened.
#include "planners/motion/vehicle.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "planners/motion/convex_cut.h"
#include "planners/motion/trig.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_random_t chance;
static rp_vehicle_t vehicle;

static double between(double low, double high)
{
    return low + (high - low) * ((double)(rp_random_next(&chance) >> 11) * 0x1p-53);
}

static double area_of(const rp_motion_vector_t *corners, uint32_t count)
{
    double area = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        const rp_motion_vector_t a = corners[i];
        const rp_motion_vector_t b = corners[(i + 1u) % count];
        area += 0.5 * (a.x * b.y - a.y * b.x);
    }
    return area;
}

/// Every part is convex and to the left round it. @return the area of all
static double check_parts(const rp_vehicle_t *self)
{
    double area = 0.0;
    for (uint32_t part = 0; part < self->part_count; part++) {
        const rp_motion_vector_t *corners = &self->corners[self->first[part]];
        const uint32_t count = self->first[part + 1u] - self->first[part];
        RP_EACH(count >= 3);
        for (uint32_t i = 0; i < count; i++) {
            const rp_motion_vector_t three[] = {corners[i], corners[(i + 1u) % count],
                                                corners[(i + 2u) % count]};
            RP_EACH(area_of(three, 3) >= -1e-12);
        }
        area += area_of(corners, count);
    }
    return area;
}

static bool says(const char *wrong, const char *word)
{
    return wrong != NULL && strstr(wrong, word) != NULL;
}

START_TEST(a_disc_that_is_none_is_refused)
{
    ck_assert(says(rp_vehicle_set_disc(&vehicle, -1.0), "below 0"));
    ck_assert(says(rp_vehicle_set_disc(&vehicle, NAN), "no number"));
    ck_assert(says(rp_vehicle_set_disc(&vehicle, INFINITY), "1024"));
    ck_assert(says(rp_vehicle_set_disc(&vehicle, 1024.5), "1024"));
    ck_assert_ptr_null(rp_vehicle_set_disc(&vehicle, 1024.0));
}
END_TEST

START_TEST(a_disc_of_radius_0_counts_as_a_thousandth_of_a_cell)
{
    ck_assert_ptr_null(rp_vehicle_set_disc(&vehicle, 0.0));
    ck_assert(vehicle.radius == 1e-3 && vehicle.inner == 1e-3 && vehicle.reach == 1e-3);
}
END_TEST

START_TEST(a_rectangle_is_one_part_in_either_sense_of_rotation)
{
    const double x[] = {3.0, -1.0, -1.0, 3.0};
    const double left[] = {1.0, 1.0, -1.0, -1.0};
    const double right[] = {-1.0, -1.0, 1.0, 1.0};
    for (uint32_t i = 0; i < 2u; i++) {
        ck_assert_ptr_null(rp_vehicle_set_footprint(&vehicle, x, i == 0 ? left : right, 4, 0.0));
        ck_assert_uint_eq(vehicle.part_count, 1);
        ck_assert_double_eq_tol(check_parts(&vehicle), 8.0, 1e-12);
        ck_assert(vehicle.reach == sqrt(10.0) && vehicle.inner == 1.0);
    }
}
END_TEST

START_TEST(corners_on_a_straight_edge_are_none)
{
    const double x[] = {2.0, 2.0, 2.0, 0.0, -2.0, -2.0, 1.0};
    const double y[] = {-1.0, 0.0, 1.0, 1.0, 1.0, -1.0, -1.0};
    ck_assert_ptr_null(rp_vehicle_set_footprint(&vehicle, x, y, 7, 0.0));
    ck_assert_uint_eq(vehicle.part_count, 1);
    ck_assert_uint_eq(vehicle.first[1], 4);
}
END_TEST

START_TEST(an_l_is_cut_into_two_parts)
{
    const double x[] = {0.0, 3.0, 3.0, 1.0, 1.0, 0.0};
    const double y[] = {0.0, 0.0, 1.0, 1.0, 3.0, 3.0};
    ck_assert_ptr_null(rp_vehicle_set_footprint(&vehicle, x, y, 6, 0.0));
    ck_assert_uint_eq(vehicle.part_count, 2);
    ck_assert_double_eq_tol(check_parts(&vehicle), 5.0, 1e-12);
    ck_assert(vehicle.inner == 0.0); // the origin is a corner
}
END_TEST

/// A star of 3 to 16 corners, each at a distance of its own.
static uint32_t random_star(double *x, double *y)
{
    const uint32_t count = rp_random_between(&chance, 3, 16);
    for (uint32_t i = 0; i < count; i++) {
        const double angle = (i + between(-0.4, 0.4)) * RP_TRIG_TURN / count;
        const double distance = between(0.3, 4.0);
        x[i] = distance * cos(angle);
        y[i] = distance * sin(angle);
    }
    return count;
}

START_TEST(all_of_a_concave_outline_is_in_its_parts_and_nothing_else)
{
    for (uint32_t round = 0; round < RP_ROUNDS(3000u); round++) {
        double x[16];
        double y[16];
        rp_motion_vector_t outline[16];
        const uint32_t count = random_star(x, y);
        const double shift = between(-5.0, 5.0);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t place = round % 2u == 0 ? i : count - 1u - i;
            outline[place] = (rp_motion_vector_t){x[i] + shift, y[i]};
        }
        for (uint32_t i = 0; i < count; i++) {
            x[i] = outline[i].x;
            y[i] = outline[i].y;
        }
        if (rp_vehicle_set_footprint(&vehicle, x, y, count, 0.0) ==
            NULL) { // some stars of three come too close to themselves
            RP_EACH(fabs(check_parts(&vehicle) - fabs(area_of(outline, count))) < 1e-9);
        } else {
            RP_EACH(count < 8);
        }
    }
}
END_TEST

START_TEST(a_comb_of_16_corners_is_cut)
{
    double x[16];
    double y[16];
    for (uint32_t i = 0; i < 14u; i++) {
        x[i] = 6.5 - i;
        y[i] = i % 2u == 0 ? 3.0 : 0.5;
    }
    x[14] = -6.5;
    x[15] = 6.5;
    y[14] = y[15] = -1.0;
    x[13] = -6.4;
    ck_assert_ptr_null(rp_vehicle_set_footprint(&vehicle, x, y, 16, 0.0));
    rp_motion_vector_t outline[16];
    for (uint32_t i = 0; i < 16u; i++) {
        outline[i] = (rp_motion_vector_t){x[i], y[i]};
    }
    ck_assert_double_eq_tol(check_parts(&vehicle), area_of(outline, 16), 1e-9);
}
END_TEST

START_TEST(padding_moves_corners_away_from_both_axes)
{
    const double x[] = {2.0, -1.0, -1.0, 2.0};
    const double y[] = {1.0, 1.0, -1.0, -1.0};
    ck_assert_ptr_null(rp_vehicle_set_footprint(&vehicle, x, y, 4, 0.25));
    ck_assert_double_eq_tol(check_parts(&vehicle), 3.5 * 2.5, 1e-12);
    ck_assert(vehicle.reach == hypot(2.25, 1.25));
}
END_TEST

START_TEST(footprints_that_are_none_are_refused)
{
    static const struct {
        const char *word;
        double x[4];
        double y[4];
        size_t count;
        double padding;
    } bad[] = {
        {"fewer than 3", {0, 1}, {0, 0}, 2, 0},
        {"crosses itself", {0, 1, 1, 0}, {0, 1, 0, 1}, 4, 0},
        {"crosses itself", {0, 2, 1, 1}, {0, 0, 1, 0}, 4, 0}, // a corner on an edge
        {"crosses itself", {0, 1, 1, 0}, {0, 0, 0, 1}, 4, 0}, // the same corner twice
        {"crosses itself", {0, 1, 0, 0}, {0, 0, 1, 0}, 4, 0}, // the first corner again
        {"crosses itself", {0, 2, 1}, {0, 0, 0}, 3, 0},       // a line
        {"crosses itself", {0, 1, 1, 0}, {0, 0, 1e-4, 1e-4}, 4, 0},
        {"no number", {0, 1, NAN}, {0, 0, 1}, 3, 0},
        {"no number", {0, 1, 1}, {0, NAN, 1}, 3, 0},
        {"1024", {0, 1, INFINITY}, {0, 0, 1}, 3, 0},
        {"1024", {0, 1, 0}, {0, 0, -INFINITY}, 3, 0},
        {"1024", {0, 1025, 0}, {0, 0, 1}, 3, 0},
        {"1024", {0, 1, 0}, {0, 0, 1}, 3, INFINITY},
        {"padding", {0, 1, 0}, {0, 0, 1}, 3, -0.1},
        {"padding", {0, 1, 0}, {0, 0, 1}, 3, NAN},
    };
    for (uint32_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        vehicle.radius = 7.0;
        const char *wrong =
            rp_vehicle_set_footprint(&vehicle, bad[i].x, bad[i].y, bad[i].count, bad[i].padding);
        ck_assert_msg(says(wrong, bad[i].word), "case %u: %s", i,
                      wrong == NULL ? "accepted" : wrong);
        ck_assert(vehicle.radius == 7.0);
    }
}
END_TEST

START_TEST(more_than_16_corners_are_refused)
{
    double x[17];
    double y[17];
    for (uint32_t i = 0; i < 17u; i++) {
        x[i] = cos(i * RP_TRIG_TURN / 17.0);
        y[i] = sin(i * RP_TRIG_TURN / 17.0);
    }
    ck_assert(says(rp_vehicle_set_footprint(&vehicle, x, y, 17, 0.0), "more than 16"));
    ck_assert_ptr_null(rp_vehicle_set_footprint(&vehicle, x, y, 16, 0.0));
    ck_assert_uint_eq(vehicle.part_count, 1);
}
END_TEST

START_TEST(any_numbers_are_taken_or_refused)
{
    static const double odd[] = {0.0, -0.0, 1e-300, -1e-9, 1e-3,     1.0, 1.0,
                                 2.0, -3.0, 1023.0, 1e308, INFINITY, NAN};
    uint32_t taken = 0;
    for (uint32_t round = 0; round < RP_ROUNDS(200000u); round++) {
        double x[16];
        double y[16];
        const uint32_t count = rp_random_between(&chance, 3, 8);
        const uint32_t kinds = round % 4u == 0 ? sizeof odd / sizeof *odd : 10u;
        for (uint32_t i = 0; i < count; i++) {
            x[i] =
                odd[rp_random_below(&chance, kinds)] + (round % 2u == 0 ? 0.0 : between(-2.0, 2.0));
            y[i] = odd[rp_random_below(&chance, kinds)];
        }
        if (rp_vehicle_set_footprint(&vehicle, x, y, count, 0.0) == NULL) {
            rp_motion_vector_t outline[16];
            for (uint32_t i = 0; i < count; i++) {
                outline[i] = (rp_motion_vector_t){x[i], y[i]};
            }
            const double area = fabs(area_of(outline, count));
            RP_EACH(fabs(check_parts(&vehicle) - area) < 1e-5 + 1e-9 * area);
            taken++;
        }
    }
    ck_assert_uint_gt(taken, 100);
}
END_TEST

START_TEST(a_margin_moves_every_edge)
{
    const double x[] = {3.0, -1.0, -1.0, 3.0};
    const double y[] = {1.0, 1.0, -1.0, -1.0};
    ck_assert_ptr_null(rp_vehicle_set_footprint(&vehicle, x, y, 4, 0.0));
    const rp_vehicle_t wide = rp_vehicle_widened(&vehicle, 0.5);
    ck_assert_double_eq_tol(check_parts(&wide), 5.0 * 3.0, 1e-12);
    ck_assert_double_eq_tol(wide.inner, 1.5, 1e-12);
    const rp_vehicle_t narrow = rp_vehicle_widened(&vehicle, -0.25);
    ck_assert_double_eq_tol(check_parts(&narrow), 3.5 * 1.5, 1e-12);
    ck_assert_double_eq_tol(narrow.reach, hypot(2.75, 0.75), 1e-12);
    const rp_vehicle_t gone = rp_vehicle_widened(&vehicle, -1.5); // it would turn inside out
    ck_assert_double_eq_tol(check_parts(&gone), 8.0, 1e-12);
}
END_TEST

START_TEST(a_disc_is_widened_by_its_radius)
{
    ck_assert_ptr_null(rp_vehicle_set_disc(&vehicle, 2.0));
    const rp_vehicle_t wide = rp_vehicle_widened(&vehicle, RP_VEHICLE_PLANNING_MARGIN);
    ck_assert(wide.radius == 2.0 + 1e-6 && wide.inner == wide.radius && wide.reach == wide.radius);
}
END_TEST

START_TEST(judging_allows_for_the_rounding_of_poses)
{
    ck_assert(rp_vehicle_judging_margin(0.0) == -1e-9);
    const double far = 4e6 / 0.05; // the origin of a map in UTM, in cells
    ck_assert(rp_vehicle_judging_margin(far) <= -1e-9 - 8.0 * (nextafter(far, INFINITY) - far));
    ck_assert(rp_vehicle_judging_margin(-far) > -1e-6);
}
END_TEST

START_TEST(outlines_are_put_together)
{
    const double x[] = {2.0, 2.0, -1.0, -1.0};
    const double y[] = {-1.0, 1.0, 1.0, -1.0};
    const double behind_x[] = {-0.5, -0.5, -3.0, -3.0};
    const double behind_y[] = {-0.5, 0.5, 0.5, -0.5};
    rp_vehicle_t train = {.radius = 0.0};
    ck_assert_ptr_null(rp_vehicle_add_footprint(&train, x, y, 4, 0.0));
    ck_assert_ptr_null(rp_vehicle_add_footprint(&train, behind_x, behind_y, 4, 0.0));
    ck_assert_uint_eq(train.part_count, 2);
    ck_assert_uint_eq(train.first[1], 4);
    ck_assert_uint_eq(train.first[2], 8);
    ck_assert_double_eq(train.inner, 1.0);
    ck_assert_double_eq_tol(train.reach, hypot(3.0, 0.5), 1e-12);
    ck_assert_double_eq(
        train.corners[4].x * train.corners[4].x + train.corners[6].x * train.corners[6].x, 9.25);
    ck_assert_ptr_nonnull(rp_vehicle_add_footprint(&train, x, y, 2, 0.0));
    ck_assert_uint_eq(train.part_count, 2);
    const char *wrong = NULL;
    for (uint32_t i = 0; i < RP_VEHICLE_PARTS_MAX && wrong == NULL; i++) {
        wrong = rp_vehicle_add_footprint(&train, x, y, 4, 0.0);
    }
    ck_assert_str_eq(wrong, "more than 14 convex parts");
    ck_assert_uint_le(train.first[train.part_count], RP_VEHICLE_PART_CORNERS_MAX);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        outlines_are_put_together,
        a_disc_that_is_none_is_refused,
        a_disc_of_radius_0_counts_as_a_thousandth_of_a_cell,
        a_rectangle_is_one_part_in_either_sense_of_rotation,
        corners_on_a_straight_edge_are_none,
        an_l_is_cut_into_two_parts,
        all_of_a_concave_outline_is_in_its_parts_and_nothing_else,
        a_comb_of_16_corners_is_cut,
        padding_moves_corners_away_from_both_axes,
        footprints_that_are_none_are_refused,
        more_than_16_corners_are_refused,
        any_numbers_are_taken_or_refused,
        a_margin_moves_every_edge,
        a_disc_is_widened_by_its_radius,
        judging_allows_for_the_rounding_of_poses,
    };
    return rp_suite_run("vehicle", tests, sizeof tests / sizeof *tests, 1, NULL);
}
