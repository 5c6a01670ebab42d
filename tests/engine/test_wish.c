/// Areas as cells, held against a look at every cell.
#include "engine/wish.h"

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
        rp_wish_t wish;
        rp_goal_list_t list = {0};
        rp_cell_t own = RP_NO_CELL;
        ck_assert_int_eq(rp_wish_init(&wish, &aim), RP_OK);
        ck_assert_int_eq(rp_wish_goals(&wish, world, RP_NO_CELL, &list), RP_OK);
        (void)rp_world_cell_at(world, corners[0].x_m, corners[0].y_m, &own);
        for (uint32_t y = 0; y < world->layers[0]->grid->shape.height; y++) {
            for (uint32_t x = 0; x < world->layers[0]->grid->shape.width; x++) {
                double x_m;
                double y_m;
                middle(x, y, &x_m, &y_m);
                const bool in_box = (x_m - corners[0].x_m) * (x_m - corners[1].x_m) <= 0.0 &&
                                    (y_m - corners[0].y_m) * (y_m - corners[1].y_m) <= 0.0;
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
        rp_wish_fini(&wish);
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
        rp_wish_t wish;
        rp_goal_list_t list = {0};
        rp_cell_t own = RP_NO_CELL;
        ck_assert_int_eq(rp_wish_init(&wish, &aim), RP_OK);
        ck_assert_int_eq(rp_wish_goals(&wish, world, RP_NO_CELL, &list), RP_OK);
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
                RP_EACH_EQ(rp_wish_offset(&wish, world, cell) == 0, beyond <= 0.0);
                RP_EACH(fabs(rp_wish_distance_m(&wish, world, cell) - beyond) < 1e-6);
            }
        }
        rp_goal_list_fini(&list);
        rp_wish_fini(&wish);
        rp_world_destroy(&world);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        an_area_holds_the_cells_whose_middles_it_holds,
        a_disc_on_a_torus_holds_each_cell_that_lies_near_on_any_turn,
    };
    rng = (rp_random_t){5};
    return rp_suite_run("wish", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
