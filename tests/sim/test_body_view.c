/// Bodies: what stands near a blocked cell, drawn by hand.
#include <string.h>

#include "sim/check/body_view.h"
#include "tests/support/suite.h"

#define SIDE 9u

static uint8_t bytes[SIDE * SIDE];
static rp_body_view_t body_view;

static void tear_down(void)
{
    rp_body_view_fini(&body_view);
}

static uint32_t at(uint32_t x, uint32_t y)
{
    return y * SIDE + x;
}

/// One obstacle in the middle of open ground.
static rp_grid_view_t seen_with(rp_scale_t scale, uint8_t open, uint8_t blocked,
                                rp_body_view_options_t body)
{
    const rp_grid_view_t grid = {bytes, SIDE, SIDE, 8, false, scale};
    memset(bytes, open, sizeof bytes);
    bytes[at(4, 4)] = blocked;
    ck_assert(rp_body_view_init(&body_view, &body, sizeof bytes));
    return rp_body_view_see(&body_view, &grid, rp_box_of(&grid));
}

START_TEST(a_point_sees_the_world_itself)
{
    const rp_grid_view_t seen = seen_with(RP_SCALE_FACTOR, 1, 0, (rp_body_view_options_t){0});
    ck_assert_ptr_eq(seen.bytes, bytes);
}
END_TEST

START_TEST(a_body_cannot_stand_within_its_radius_of_an_obstacle)
{
    const rp_grid_view_t seen =
        seen_with(RP_SCALE_FACTOR, 1, 0, (rp_body_view_options_t){.radius_m = 2});
    ck_assert_uint_eq(rp_grid_view_factor(&seen, at(6, 4)), 0);
    ck_assert_uint_eq(rp_grid_view_factor(&seen, at(5, 5)), 0);
    ck_assert_uint_eq(rp_grid_view_factor(&seen, at(6, 5)), 1); // sqrt 5
    ck_assert_uint_eq(rp_grid_view_factor(&seen, at(7, 4)), 1);
}
END_TEST

START_TEST(ground_gets_dear_by_the_formula_of_costmap_2d)
{
    const rp_body_view_options_t body = {
        .inscribed_radius_m = 1, .inflation_radius_m = 3, .cost_scaling = 1};
    const rp_grid_view_t seen = seen_with(RP_SCALE_COSTMAP, 0, 254, body);
    ck_assert_uint_eq(seen.bytes[at(4, 4)], 254);
    ck_assert_uint_eq(seen.bytes[at(5, 4)], 253);
    ck_assert_uint_eq(seen.bytes[at(6, 4)], 92); // 252 / e
    ck_assert_uint_eq(seen.bytes[at(7, 4)], 34); // 252 / e^2
    ck_assert_uint_eq(seen.bytes[at(8, 4)], 0);
    ck_assert_uint_eq(rp_grid_view_factor(&seen, at(6, 4)), 50 + 4 * 92 / 5);
}
END_TEST

START_TEST(the_dearer_of_two_counts)
{
    const rp_body_view_options_t body = {
        .inscribed_radius_m = 1, .inflation_radius_m = 3, .cost_scaling = 1};
    const rp_grid_view_t seen = seen_with(RP_SCALE_COSTMAP, 60, 254, body);
    ck_assert_uint_eq(seen.bytes[at(6, 4)], 92);
    ck_assert_uint_eq(seen.bytes[at(7, 4)], 60);
}
END_TEST

START_TEST(unknown_ground_stays_unknown_but_where_a_body_would_collide)
{
    const rp_body_view_options_t body = {
        .inscribed_radius_m = 1, .inflation_radius_m = 3, .cost_scaling = 1};
    const rp_grid_view_t seen = seen_with(RP_SCALE_COSTMAP, RP_UNKNOWN_BYTE, 254, body);
    ck_assert_uint_eq(seen.bytes[at(5, 4)], 253);
    ck_assert_uint_eq(seen.bytes[at(6, 4)], RP_UNKNOWN_BYTE);
    ck_assert_uint_eq(rp_grid_view_factor(&seen, at(6, 4)), 50);
}
END_TEST

START_TEST(a_box_looks_as_the_whole_does_there)
{
    static uint8_t whole[SIDE * SIDE];
    const rp_body_view_options_t body = {
        .radius_m = 1, .inscribed_radius_m = 1, .inflation_radius_m = 3, .cost_scaling = 0.5};
    rp_grid_view_t seen = seen_with(RP_SCALE_COSTMAP, 10, 254, body);
    const rp_grid_view_t grid = {bytes, SIDE, SIDE, 8, false, RP_SCALE_COSTMAP};
    memcpy(whole, seen.bytes, sizeof whole);
    seen = rp_body_view_see(&body_view, &grid, (rp_terrain_box_t){5, 3, 3, 4});
    for (uint32_t y = 3; y < 7; y++) {
        ck_assert_mem_eq(seen.bytes + at(5, y), whole + at(5, y), 3);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_point_sees_the_world_itself,
        a_body_cannot_stand_within_its_radius_of_an_obstacle,
        ground_gets_dear_by_the_formula_of_costmap_2d,
        the_dearer_of_two_counts,
        unknown_ground_stays_unknown_but_where_a_body_would_collide,
        a_box_looks_as_the_whole_does_there,
    };
    return rp_suite_run("sim_ground", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
