/// Areas as cells, held against a look at every cell.
#include "engine/session/goal_spec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/engine/scene.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_random_t rng;
static rp_world_t *world;

static void open_world(bool wraps)
{
    const rp_world_options_t options = {
        .width = rp_random_between(&rng, 3, 40),
        .height = rp_random_between(&rng, 3, 40),
        .neighbors = 8,
        .wraps = wraps,
        .frame = {0.5, rp_random_below(&rng, 9) - 4.0, rp_random_below(&rng, 9) - 4.0,
                  wraps ? 0.0 : rp_random_below(&rng, 7) / 2.0},
    };
    ck_assert_int_eq(rp_world_new(&options, 1, NULL, &world), RP_OK);
}

/// Metres of the middle of a cell.
static void middle(uint32_t x, uint32_t y, double *x_m, double *y_m)
{
    const double east = 0.5 * (x + 0.5);
    const double north = 0.5 * (y + 0.5);
    *x_m = world->frame.origin_x_m + east * world->cosine - north * world->sine;
    *y_m = world->frame.origin_y_m + east * world->sine + north * world->cosine;
}

/// A point in cells, by way of the angle between it and the grid.
static void along_grid(const rp_destination_t *point, double *x, double *y)
{
    const double dx = point->x_m - world->frame.origin_x_m;
    const double dy = point->y_m - world->frame.origin_y_m;
    const double angle = atan2(dy, dx) - world->frame.origin_yaw;
    *x = hypot(dx, dy) * cos(angle) / world->frame.resolution_m;
    *y = hypot(dx, dy) * sin(angle) / world->frame.resolution_m;
}

static bool is_goal(const rp_goal_list_t *list, uint32_t x, uint32_t y)
{
    const rp_cell_t cell = rp_grid_cell(world->layers[0]->grid, x, y);
    size_t times = 0;
    for (size_t i = 0; i < list->count; i++) {
        times += list->goals[i].cell == cell;
    }
    ck_assert_uint_le(times, 1);
    return times != 0;
}

static double random_metre(void)
{
    return (rp_random_below(&rng, 400) - 200.0) / 11.0;
}

START_TEST(an_area_holds_the_cells_whose_middles_it_holds)
{
    for (unsigned round = 0; round < 300; round++) {
        open_world(false);
        const bool is_disc = rp_random_chance(&rng, 50);
        const rp_destination_t corners[] = {{random_metre(), random_metre(), 0},
                                            {random_metre(), random_metre(), 0}};
        const double radius = 0.1 + rp_random_below(&rng, 80) / 10.0;
        const rp_aim_t aim = {.kind = is_disc ? RP_AIM_POINTS : RP_AIM_REGION,
                              .points = corners,
                              .count = is_disc ? 1 : 2,
                              .tolerance_m = is_disc ? radius : 0.0};
        rp_goal_spec_t goal_spec;
        rp_goal_list_t list = {0};
        rp_cell_t own = RP_NO_CELL;
        double corner_x[2];
        double corner_y[2];
        for (unsigned i = 0; i < 2; i++) {
            along_grid(&corners[i], &corner_x[i], &corner_y[i]);
        }
        ck_assert_int_eq(rp_goal_spec_init(&goal_spec, &aim), RP_OK);
        ck_assert_int_eq(rp_goal_spec_goals(&goal_spec, world, RP_NO_CELL, &list), RP_OK);
        (void)rp_world_cell_at(world, corners[0].x_m, corners[0].y_m, &own);
        for (uint32_t y = 0; y < world->layers[0]->grid->shape.height; y++) {
            for (uint32_t x = 0; x < world->layers[0]->grid->shape.width; x++) {
                double x_m;
                double y_m;
                middle(x, y, &x_m, &y_m);
                const bool in_box = (x + 0.5 - corner_x[0]) * (x + 0.5 - corner_x[1]) <= 0.0 &&
                                    (y + 0.5 - corner_y[0]) * (y + 0.5 - corner_y[1]) <= 0.0;
                const bool in_disc = hypot(x_m - corners[0].x_m, y_m - corners[0].y_m) <= radius;
                const bool is_own = rp_grid_cell(world->layers[0]->grid, x, y) == own;
                if (is_disc) {
                    ck_assert_int_eq(is_goal(&list, x, y), in_disc || is_own);
                } else if (list.count > 1) { // of a small one at least the middle counts
                    ck_assert_int_eq(is_goal(&list, x, y), in_box);
                }
            }
        }
        rp_goal_list_fini(&list);
        rp_goal_spec_fini(&goal_spec);
        rp_world_destroy(&world);
    }
}
END_TEST

START_TEST(a_disc_on_a_torus_holds_each_cell_that_lies_near_on_any_turn)
{
    for (unsigned round = 0; round < 300; round++) {
        open_world(true);
        const rp_grid_shape_t *shape = &world->layers[0]->grid->shape;
        const double far_m = 0.5 * shape->width * 50000.0 * (round % 3u); // more than a side of any
        const rp_destination_t point = {random_metre() / 2.0 - far_m, random_metre() / 2.0, 0};
        const rp_aim_t aim = {
            .points = &point, .count = 1, .tolerance_m = 0.1 + rp_random_below(&rng, 80) / 10.0};
        rp_goal_spec_t goal_spec;
        rp_goal_list_t list = {0};
        rp_cell_t own = RP_NO_CELL;
        ck_assert_int_eq(rp_goal_spec_init(&goal_spec, &aim), RP_OK);
        ck_assert_int_eq(rp_goal_spec_goals(&goal_spec, world, RP_NO_CELL, &list), RP_OK);
        ck_assert(rp_world_cell_at(world, point.x_m, point.y_m, &own));
        for (uint32_t y = 0; y < shape->height; y++) {
            for (uint32_t x = 0; x < shape->width; x++) {
                double x_m;
                double y_m;
                middle(x, y, &x_m, &y_m);
                const double off = hypot(remainder(x_m - point.x_m, 0.5 * shape->width),
                                         remainder(y_m - point.y_m, 0.5 * shape->height));
                const double beyond = fmax(off - aim.tolerance_m, 0.0);
                const rp_cell_t cell = rp_grid_cell(world->layers[0]->grid, x, y);
                RP_EACH_EQ(is_goal(&list, x, y), beyond <= 0.0 || cell == own);
                RP_EACH_EQ(rp_goal_spec_offset(&goal_spec, world, cell) == 0, beyond <= 0.0);
                RP_EACH(fabs(rp_goal_spec_distance_m(&goal_spec, world, cell) - beyond) < 1e-6);
            }
        }
        rp_goal_list_fini(&list);
        rp_goal_spec_fini(&goal_spec);
        rp_world_destroy(&world);
    }
}
END_TEST

/// A point of the grid as a program computes it.
static rp_destination_t point_of(double x, double y)
{
    const rp_frame_t *frame = &world->frame;
    const double cosine = cos(frame->origin_yaw);
    const double sine = sin(frame->origin_yaw);
    const double east = x * frame->resolution_m;
    const double north = y * frame->resolution_m;
    return (rp_destination_t){.x_m = frame->origin_x_m + east * cosine - north * sine,
                              .y_m = frame->origin_y_m + east * sine + north * cosine};
}

static size_t count_goals(const rp_aim_t *aim, rp_cell_t cell, bool *holds)
{
    rp_goal_spec_t goal_spec;
    rp_goal_list_t list = {0};
    ck_assert_int_eq(rp_goal_spec_init(&goal_spec, aim), RP_OK);
    ck_assert_int_eq(rp_goal_spec_goals(&goal_spec, world, RP_NO_CELL, &list), RP_OK);
    const rp_grid_t *grid = world->layers[0]->grid;
    *holds = is_goal(&list, rp_grid_x(grid, cell), rp_grid_y(grid, cell));
    const size_t count = list.count;
    rp_goal_list_fini(&list);
    rp_goal_spec_fini(&goal_spec);
    return count;
}

/// A region between borders, one between middles, a tolerance of whole cells, and a point.
static void check_edges(uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    const rp_cell_t first = rp_grid_cell(world->layers[0]->grid, x, y);
    const rp_cell_t last = rp_grid_cell(world->layers[0]->grid, x + width, y + height);
    const rp_destination_t borders[] = {point_of(x, y + height), point_of(x + width, y)};
    const rp_destination_t middles[] = {point_of(x + 0.5, y + 0.5),
                                        point_of(x + width + 0.5, y + height + 0.5)};
    const rp_destination_t middle = point_of(x + width + 0.5, y + height + 0.5);
    const rp_aim_t between_borders = {.kind = RP_AIM_REGION, .points = borders, .count = 2};
    const rp_aim_t between_middles = {.kind = RP_AIM_REGION, .points = middles, .count = 2};
    const rp_aim_t around = {
        .points = &middle, .count = 1, .tolerance_m = 2.0 * world->frame.resolution_m};
    bool holds;
    RP_EACH_EQ(count_goals(&between_borders, first, &holds), width * height);
    RP_EACH(holds);
    RP_EACH_EQ(count_goals(&between_middles, last, &holds), (width + 1u) * (height + 1u));
    RP_EACH(holds);
    RP_EACH_EQ(count_goals(&around, last, &holds), 13);
    RP_EACH(holds);
}

START_TEST(an_edge_on_middles_is_inside_wherever_the_world_lies)
{
    static const double resolutions[] = {1.0, 0.05, 0.1, 0.25, 0.3};
    static const double yaws[] = {0.0, 0.3, 1.5707963267948966, 2.5};
    static const double origins[][2] = {
        {0.0, 0.0}, {-10.3, 2.2}, {452000.25, 5411000.5}, {1e9, -1e9}};
    for (unsigned i = 0; i < 5u * 4u * 4u; i++) {
        const rp_world_options_t options = {.width = 40,
                                            .height = 40,
                                            .neighbors = 8,
                                            .frame = {resolutions[i % 5u], origins[i / 20u][0],
                                                      origins[i / 20u][1], yaws[i / 5u % 4u]}};
        ck_assert_int_eq(rp_world_new(&options, 1, NULL, &world), RP_OK);
        for (unsigned round = 0; round < 30; round++) {
            const uint32_t side_y = 1u + rp_random_below(&rng, 12);
            const uint32_t side_x = 1u + rp_random_below(&rng, 12);
            const uint32_t rows = 2u + rp_random_below(&rng, 20);
            check_edges(2u + rp_random_below(&rng, 20), rows, side_x, side_y);
        }
        rp_world_destroy(&world);
    }
}
END_TEST

/// Whether the middle of a cell, inside the world or not, lies in an area.
static bool lies_in(const rp_aim_t *aim, int64_t x, int64_t y)
{
    const double off_x = (double)x + 0.5 - aim->points[0].x_m;
    const double off_y = (double)y + 0.5 - aim->points[0].y_m;
    return aim->kind == RP_AIM_REGION
               ? off_x >= 0.0 && off_y >= 0.0 && (double)x + 0.5 <= aim->points[1].x_m &&
                     (double)y + 0.5 <= aim->points[1].y_m
               : hypot(off_x, off_y) <= aim->tolerance_m;
}

static bool has_outside_beside(const rp_aim_t *aim, int64_t x, int64_t y)
{
    for (unsigned i = 0; i < 9; i++) {
        if (!lies_in(aim, x + i % 3u - 1, y + i / 3u - 1)) {
            return true;
        }
    }
    return false;
}

/// Of a large area only the cells that have one outside of it beside them, and the one of the agent
/// in it.
START_TEST(a_large_area_is_its_rim_and_who_is_inside_has_arrived)
{
    const rp_world_options_t options = {
        .width = 120, .height = 110, .neighbors = 8, .frame = {.resolution_m = 1.0}};
    const rp_destination_t corners[] = {{20.5, 15.5, 0}, {99.5, 90.5, 0}};
    const rp_destination_t center = {60.5, 50.5, 0};
    const rp_aim_t aims[] = {{.kind = RP_AIM_REGION, .points = corners, .count = 2},
                             {.points = &center, .count = 1, .tolerance_m = 44.25},
                             {.points = corners, .count = 1, .tolerance_m = 73.75}};
    ck_assert_int_eq(rp_world_new(&options, 1, NULL, &world), RP_OK);
    const rp_grid_t *grid = world->layers[0]->grid;
    for (unsigned i = 0; i < 3; i++) {
        rp_goal_spec_t goal_spec;
        rp_goal_list_t goals = {0};
        size_t rim = 0;
        ck_assert_int_eq(rp_goal_spec_init(&goal_spec, &aims[i]), RP_OK);
        ck_assert_int_eq(
            rp_goal_spec_goals(&goal_spec, world, rp_grid_cell(grid, 119, 109), &goals), RP_OK);
        ck_assert(goals.is_rim);
        for (uint32_t cell = 0; cell < 120u * 110u; cell++) {
            const uint32_t x = cell % 120u;
            const uint32_t y = cell / 120u;
            rim += lies_in(&aims[i], x, y) && has_outside_beside(&aims[i], x, y);
        }
        ck_assert_uint_eq(goals.count, rim);
        for (size_t j = 0; j < goals.count; j++) {
            const uint32_t x = rp_grid_x(grid, goals.goals[j].cell);
            const uint32_t y = rp_grid_y(grid, goals.goals[j].cell);
            RP_EACH(lies_in(&aims[i], x, y) && has_outside_beside(&aims[i], x, y));
        }
        const rp_cell_t inside = rp_grid_cell(grid, 50, 45);
        ck_assert_int_eq(rp_goal_spec_goals(&goal_spec, world, inside, &goals), RP_OK);
        ck_assert(goals.is_rim);
        ck_assert_uint_eq(goals.count, 1);
        ck_assert_uint_eq(goals.goals[0].cell, inside);
        rp_goal_list_fini(&goals);
        rp_goal_spec_fini(&goal_spec);
    }
    rp_world_destroy(&world);
}
END_TEST

START_TEST(a_region_without_a_middle_is_the_cell_of_its_own)
{
    const rp_world_options_t options = {
        .width = 6, .height = 4, .neighbors = 8, .frame = {.resolution_m = 0.1}};
    ck_assert_int_eq(rp_world_new(&options, 1, NULL, &world), RP_OK);
    const struct {
        double x[2];
        double y[2];
        uint32_t cell[2];
    } regions[] = {{{1.6, 1.9}, {0.1, 3.9}, {1, 2}},
                   {{3.0, 3.0}, {2.0, 2.0}, {3, 2}},
                   {{6.0, 6.0}, {4.0, 4.0}, {5, 3}}};
    for (unsigned i = 0; i < 3; i++) {
        const rp_destination_t corners[] = {point_of(regions[i].x[0], regions[i].y[0]),
                                            point_of(regions[i].x[1], regions[i].y[1])};
        const rp_aim_t aim = {.kind = RP_AIM_REGION, .points = corners, .count = 2};
        const rp_cell_t cell =
            rp_grid_cell(world->layers[0]->grid, regions[i].cell[0], regions[i].cell[1]);
        bool holds;
        ck_assert_uint_eq(count_goals(&aim, cell, &holds), 1);
        ck_assert(holds);
    }
    rp_world_destroy(&world);
}
END_TEST

/// A world of cells of a metre, its corner at (0, 0).
static void open_plain(uint32_t width, uint32_t height)
{
    const rp_world_options_t options = {
        .width = width, .height = height, .neighbors = 8, .frame = {.resolution_m = 1.0}};
    ck_assert_int_eq(rp_world_new(&options, 1, NULL, &world), RP_OK);
}

START_TEST(what_names_no_place_is_no_aim)
{
    static const rp_destination_t points[RP_GOALS_MAX + 1u];
    static const rp_destination_t nan_x = {.x_m = NAN};
    static const rp_destination_t nan_y = {.y_m = INFINITY};
    static const struct {
        rp_aim_t aim;
        rp_status_t status;
    } rows[] = {
        {{.kind = RP_AIM_POINTS, .points = points, .count = 1}, RP_OK},
        {{.kind = RP_AIM_POINTS, .points = points, .count = 0}, RP_E_INVALID},
        {{.kind = RP_AIM_POINTS, .points = points, .count = RP_GOALS_MAX}, RP_OK},
        {{.kind = RP_AIM_POINTS, .points = points, .count = RP_GOALS_MAX + 1u}, RP_E_INVALID},
        {{.kind = RP_AIM_POINTS, .points = NULL, .count = 1}, RP_E_INVALID},
        {{.kind = RP_AIM_POINTS, .points = points, .count = 2, .first = 1}, RP_E_INVALID},
        {{.kind = RP_AIM_POINTS, .points = points, .count = 1, .tolerance_m = -0.1}, RP_E_INVALID},
        {{.kind = RP_AIM_POINTS, .points = points, .count = 1, .tolerance_m = NAN}, RP_E_INVALID},
        {{.kind = RP_AIM_POINTS, .points = &nan_x, .count = 1}, RP_E_INVALID},
        {{.kind = RP_AIM_POINTS, .points = &nan_y, .count = 1}, RP_E_INVALID},
        {{.kind = RP_AIM_WAYPOINTS, .points = points, .count = 3, .first = 2}, RP_OK},
        {{.kind = RP_AIM_WAYPOINTS, .points = points, .count = 3, .first = 3}, RP_E_INVALID},
        {{.kind = RP_AIM_REGION, .points = points, .count = 2}, RP_OK},
        {{.kind = RP_AIM_REGION, .points = points, .count = 1}, RP_E_INVALID},
        {{.kind = RP_AIM_REGION, .points = points, .count = 3}, RP_E_INVALID},
        {{.kind = RP_AIM_TARGET}, RP_OK},
        {{.kind = RP_AIM_TARGET, .points = points, .count = 1}, RP_E_INVALID},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rp_goal_spec_t goal_spec = {.next = 9};
        ck_assert_msg(rp_goal_spec_init(&goal_spec, &rows[i].aim) == rows[i].status, "%zu", i);
        ck_assert_uint_eq(goal_spec.next, rows[i].status == RP_OK ? rows[i].aim.first : 9);
        ck_assert(rows[i].aim.kind != RP_AIM_TARGET || rows[i].status != RP_OK ||
                  goal_spec.count == 1);
        if (rows[i].status == RP_OK) {
            rp_goal_spec_fini(&goal_spec);
        }
    }
}
END_TEST

START_TEST(of_waypoints_the_next_one_counts_and_of_points_all)
{
    const rp_destination_t points[] = {{1.5, 0.5, 0}, {4.5, 1.5, 2}, {7.5, 2.5, 3}};
    open_plain(10, 4);
    const rp_grid_t *grid = world->layers[0]->grid;
    for (unsigned next = 0; next <= 3; next++) { // 3: all of them
        rp_goal_spec_t goal_spec;
        rp_goal_list_t list = {0};
        rp_places_t places;
        const rp_aim_t aim = {.kind = next < 3 ? RP_AIM_WAYPOINTS : RP_AIM_POINTS,
                              .points = points,
                              .count = 3,
                              .first = next % 3u};
        ck_assert_int_eq(rp_goal_spec_init(&goal_spec, &aim), RP_OK);
        ck_assert_int_eq(rp_goal_spec_goals(&goal_spec, world, RP_NO_CELL, &list), RP_OK);
        ck_assert_int_eq(rp_goal_spec_places(&goal_spec, world, &places), RP_OK);
        ck_assert_uint_eq(list.count, next < 3 ? 1 : 3);
        ck_assert_uint_eq(places.count, next < 3 ? 1 : 3);
        ck_assert(!list.is_rim);
        for (uint32_t i = 0; i < 3; i++) {
            const rp_cell_t cell = rp_grid_cell(grid, 1u + 3u * i, i);
            const bool counts = next == 3 || i == next;
            ck_assert_int_eq(is_goal(&list, 1u + 3u * i, i), counts);
            ck_assert_uint_eq(rp_goal_spec_offset(&goal_spec, world, cell),
                              counts ? points[i].offset : RP_GOAL_SPEC_OUTSIDE);
            ck_assert(rp_goal_spec_distance_m(&goal_spec, world, cell) == 0.0 || !counts);
        }
        if (next < 3) {
            ck_assert_int_eq(places.list[0].x, 1 + 3 * (int)next);
            ck_assert_int_eq(places.list[0].y, (int)next);
        }
        rp_places_fini(&places);
        rp_goal_list_fini(&list);
        rp_goal_spec_fini(&goal_spec);
    }
    rp_world_destroy(&world);
}
END_TEST

/// Two large areas. Who stands in one has arrived, unless it costs less to stop in the other.
START_TEST(who_is_in_the_dearer_of_two_large_areas_may_stay_or_go)
{
    static const struct {
        uint32_t offsets[2];
        uint32_t x; // where it stands: in the left one, the right one, or in none
        bool has_arrived;
        bool may_stay;
    } rows[] = {
        {{9, 2}, 45, false, true},  {{9, 2}, 150, true, true}, {{2, 9}, 45, true, true},
        {{2, 9}, 150, false, true}, {{5, 5}, 45, true, true},  {{5, 5}, 97, false, false},
    };
    open_plain(200, 100);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rp_destination_t points[] = {{45.5, 50.5, rows[i].offsets[0]},
                                           {150.5, 50.5, rows[i].offsets[1]}};
        const rp_aim_t aim = {.points = points, .count = 2, .tolerance_m = 44.25};
        const rp_cell_t at = rp_grid_cell(world->layers[0]->grid, rows[i].x, 48);
        rp_goal_spec_t goal_spec;
        rp_goal_list_t list = {0};
        ck_assert_int_eq(rp_goal_spec_init(&goal_spec, &aim), RP_OK);
        ck_assert_int_eq(rp_goal_spec_goals(&goal_spec, world, at, &list), RP_OK);
        ck_assert(list.is_rim);
        ck_assert_msg((list.count == 1) == rows[i].has_arrived, "%zu: %zu", i, list.count);
        ck_assert_msg(is_goal(&list, rows[i].x, 48) == rows[i].may_stay, "%zu", i);
        for (size_t j = 0; j < list.count; j++) {
            const uint32_t x = rp_grid_x(world->layers[0]->grid, list.goals[j].cell);
            ck_assert_uint_eq(list.goals[j].offset, rows[i].offsets[x > 97]);
        }
        rp_goal_list_fini(&list);
        rp_goal_spec_fini(&goal_spec);
    }
    rp_world_destroy(&world);
}
END_TEST

START_TEST(areas_and_their_rims_have_limits)
{
    static const struct {
        double width, height; // of a region
        rp_status_t status;
    } rows[] = {
        {1024, 1024, RP_OK}, {1025, 1024, RP_E_LIMIT}, {1024, 1025, RP_E_LIMIT},
        {2048, 2, RP_OK},    {2049, 2, RP_E_LIMIT},    {2, 1000, RP_OK}, // all of it is rim
        {1100, 950, RP_OK},  {1100, 951, RP_E_LIMIT},
    };
    open_plain(2100, 1100);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rp_destination_t corners[] = {{3.0, 2.0, 0},
                                            {3.0 + rows[i].width, 2.0 + rows[i].height, 0}};
        const rp_aim_t aim = {.kind = RP_AIM_REGION, .points = corners, .count = 2};
        rp_goal_spec_t goal_spec;
        rp_goal_list_t list = {0};
        ck_assert_int_eq(rp_goal_spec_init(&goal_spec, &aim), RP_OK);
        ck_assert_msg(rp_goal_spec_goals(&goal_spec, world, RP_NO_CELL, &list) == rows[i].status,
                      "%zu", i);
        rp_goal_list_fini(&list);
        rp_goal_spec_fini(&goal_spec);
    }
    rp_world_destroy(&world);
}
END_TEST

/// The nearest place that can be had: one outside of the world only where all are.
START_TEST(a_place_outside_is_as_far_as_nothing_where_another_is_inside)
{
    static const struct {
        rp_destination_t points[2];
        size_t count;
        double tolerance_m;
        double distance_m; // from the cell of (0.5, 0.5)
    } rows[] = {
        {{{-1.5, 0.5, 0}, {5.5, 0.5, 0}}, 2, 0.0, 5.0},
        {{{5.5, 0.5, 0}, {-1.5, 0.5, 0}}, 2, 0.0, 5.0},
        {{{-1.5, 0.5, 0}, {-3.5, 0.5, 0}}, 2, 0.0, 2.0},
        {{{-3.5, 0.5, 0}, {-1.5, 0.5, 0}}, 2, 0.0, 2.0},
        {{{3.5, 0.5, 0}, {5.5, 0.5, 0}}, 2, 0.0, 3.0},
        {{{-1.5, 3.5, 0}, {9.5, 0.5, 0}}, 2, 2.0, 1.6055512754639891}, // it reaches into the world
        {{{-1.5, 0.5, 0}, {9.5, 0.5, 0}}, 2, 1.5, 7.5},                // it does not
    };
    open_plain(12, 8);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rp_aim_t aim = {
            .points = rows[i].points, .count = rows[i].count, .tolerance_m = rows[i].tolerance_m};
        rp_goal_spec_t goal_spec;
        ck_assert_int_eq(rp_goal_spec_init(&goal_spec, &aim), RP_OK);
        const double is =
            rp_goal_spec_distance_m(&goal_spec, world, rp_grid_cell(world->layers[0]->grid, 0, 0));
        ck_assert_msg(fabs(is - rows[i].distance_m) < 1e-9, "%zu: %g", i, is);
        rp_goal_spec_fini(&goal_spec);
    }
    rp_world_destroy(&world);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        an_area_holds_the_cells_whose_middles_it_holds,
        a_disc_on_a_torus_holds_each_cell_that_lies_near_on_any_turn,
        an_edge_on_middles_is_inside_wherever_the_world_lies,
        a_large_area_is_its_rim_and_who_is_inside_has_arrived,
        a_region_without_a_middle_is_the_cell_of_its_own,
        what_names_no_place_is_no_aim,
        of_waypoints_the_next_one_counts_and_of_points_all,
        who_is_in_the_dearer_of_two_large_areas_may_stay_or_go,
        areas_and_their_rims_have_limits,
        a_place_outside_is_as_far_as_nothing_where_another_is_inside,
    };
    rng = (rp_random_t){5};
    return rp_suite_run("goal_spec", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
