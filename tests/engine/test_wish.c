/// Areas as cells, and the nearest that can be reached, each held against a look at every cell.
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
        const rp_destination_t point = {random_metre() / 2.0, random_metre() / 2.0, 0};
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
                const bool is_own = rp_grid_cell(world->layers[0]->grid, x, y) == own;
                RP_EACH_EQ(is_goal(&list, x, y), off <= aim.tolerance_m || is_own);
            }
        }
        rp_goal_list_fini(&list);
        rp_wish_fini(&wish);
        rp_world_destroy(&world);
    }
}
END_TEST

/// All cells that straight steps lead to, by a stack of this test's own.
static const bool *flood(const rp_grid_t *grid, rp_cell_t from)
{
    static bool is_met[80 * 80];
    static rp_cell_t stack[80 * 80];
    size_t count = 1;
    ck_assert_uint_le(grid->cell_count, sizeof is_met);
    memset(is_met, 0, sizeof is_met);
    is_met[from] = true;
    stack[0] = from;
    while (count != 0) {
        const rp_cell_t cell = stack[--count];
        for (unsigned direction = 0; direction < RP_DIRECTIONS; direction += 2u) {
            const rp_cell_t next = rp_grid_step(grid, cell, direction);
            if (grid->factor[next] != 0 && !is_met[next]) {
                is_met[next] = true;
                stack[count++] = next;
            }
        }
    }
    return is_met;
}

/// Let a quest come to its end. @return slices
static unsigned replace(rp_goal_list_t *list, const rp_grid_t *grid,
                        const rp_components_t *components, rp_cell_t from)
{
    rp_quest_t quest = {.is_begun = false};
    unsigned slices = 1;
    rp_status_t status;
    rp_quest_begin(&quest, list, from, 1, true);
    while ((status = rp_quest_go(&quest, list, grid, components)) == RP_MORE) {
        slices++;
        rp_quest_begin(&quest, list, from, 1, true); // under way: it goes on
    }
    ck_assert_int_eq(status, RP_OK);
    ck_assert_int_eq(rp_quest_tell(&quest, list), RP_OK);
    rp_quest_fini(&quest);
    return slices;
}

START_TEST(the_nearest_cells_that_can_be_reached_are_found)
{
    for (unsigned round = 0; round < 300; round++) {
        open_world(rp_random_chance(&rng, 50));
        rp_grid_t *grid = world->layers[0]->grid;
        const uint32_t width = grid->shape.width;
        const uint32_t height = grid->shape.height;
        for (uint32_t i = 0; i < width * height; i++) {
            (void)rp_grid_set(grid, rp_grid_cell(grid, i % width, i / width),
                              rp_random_chance(&rng, 45) ? 0 : 1);
        }
        const uint32_t start_x = rp_random_below(&rng, width);
        const uint32_t start_y = rp_random_below(&rng, height);
        const uint32_t goal_x = rp_random_below(&rng, width);
        const uint32_t goal_y = rp_random_below(&rng, height);
        (void)rp_grid_set(grid, rp_grid_cell(grid, start_x, start_y), 1);
        const rp_cell_t start = rp_grid_cell(grid, start_x, start_y);
        rp_components_t *components = rp_components_new(grid);
        ck_assert_ptr_nonnull(components);
        ck_assert_int_eq(rp_components_update(components, UINT32_MAX), RP_OK);
        const bool *is_met = flood(grid, start);
        uint64_t least = UINT64_MAX;
        uint64_t squares[40 * 40];
        for (uint32_t i = 0; i < width * height; i++) {
            uint64_t dx = (uint64_t)llabs((int64_t)(i % width) - (int64_t)goal_x);
            uint64_t dy = (uint64_t)llabs((int64_t)(i / width) - (int64_t)goal_y);
            dx = grid->shape.wraps && width - dx < dx ? width - dx : dx;
            dy = grid->shape.wraps && height - dy < dy ? height - dy : dy;
            const bool is_reached = is_met[rp_grid_cell(grid, i % width, i / width)];
            squares[i] = is_reached ? dx * dx + dy * dy : UINT64_MAX;
            least = squares[i] < least ? squares[i] : least;
        }
        rp_goal_t *goal = malloc(sizeof *goal);
        ck_assert_ptr_nonnull(goal);
        *goal = (rp_goal_t){.cell = rp_grid_cell(grid, goal_x, goal_y)};
        rp_goal_list_t list = {.goals = goal, .count = 1, .capacity = 1};
        (void)replace(&list, grid, components, start);
        for (uint32_t i = 0; i < width * height; i++) {
            ck_assert_int_eq(is_goal(&list, i % width, i / width), squares[i] == least);
        }
        rp_goal_list_fini(&list);
        rp_components_destroy(&components);
        rp_world_destroy(&world);
    }
}
END_TEST

START_TEST(what_lies_far_from_the_goal_is_found_in_slices)
{
    enum {
        FAR = 600
    };
    rp_grid_t *grid;
    const rp_grid_shape_t shape = {
        .width = FAR, .height = FAR, .neighbors = 8, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_grid_new_blank(&shape, &grid), RP_OK);
    for (uint32_t y = 0; y < FAR; y++) {
        (void)rp_grid_set(grid, rp_grid_cell(grid, FAR - 1u, y), 1);
    }
    rp_components_t *components = rp_components_new(grid);
    ck_assert_ptr_nonnull(components);
    ck_assert_int_eq(rp_components_update(components, UINT32_MAX), RP_OK);
    rp_goal_t *goal = malloc(sizeof *goal);
    ck_assert_ptr_nonnull(goal);
    *goal = (rp_goal_t){.cell = rp_grid_cell(grid, 0, 200)};
    rp_goal_list_t list = {.goals = goal, .count = 1, .capacity = 1};
    ck_assert_uint_gt(replace(&list, grid, components, rp_grid_cell(grid, FAR - 1u, 0)), 5);
    ck_assert_uint_eq(list.count, 1);
    ck_assert_uint_eq(list.goals[0].cell, rp_grid_cell(grid, FAR - 1u, 200));
    rp_goal_list_fini(&list);
    rp_components_destroy(&components);
    rp_grid_destroy(&grid);
}
END_TEST

START_TEST(a_quest_does_not_begin_anew_forever)
{
    const rp_goal_t goal = {.cell = 7};
    const rp_goal_list_t list = {.goals = (rp_goal_t *)&goal, .count = 1, .capacity = 1};
    rp_quest_t quest = {.is_begun = false};
    for (uint64_t version = 1; version <= 5; version++) {
        rp_quest_begin(&quest, &list, 3, version, false);
        ck_assert_uint_eq(quest.restarts, version - 1u);
        ck_assert_uint_eq(quest.version, version);
    }
    rp_quest_begin(&quest, &list, 4, 6, false); // from elsewhere: another one
    ck_assert_uint_eq(quest.restarts, 0);
    rp_quest_fini(&quest);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_lies_far_from_the_goal_is_found_in_slices,
        a_quest_does_not_begin_anew_forever,
        an_area_holds_the_cells_whose_middles_it_holds,
        a_disc_on_a_torus_holds_each_cell_that_lies_near_on_any_turn,
        the_nearest_cells_that_can_be_reached_are_found,
    };
    rng = (rp_random_t){5};
    return rp_suite_run("wish", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
