/// Square bodies: each cell of a layer is as dear as the dearest cell that the body would cover,
/// found cell by cell, whatever came and went.
#include <string.h>

#include "engine/ground/world_state.h"
#include "tests/engine/scene.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE_MAX 40u

static rp_world_t *world;
static rp_scene_t scene;
static rp_random_t rng;
static uint8_t bytes[SIDE_MAX * SIDE_MAX];

static void tear_down(void)
{
    rp_world_destroy(&world);
    rp_scene_close(&scene);
}

static uint8_t some_byte(void)
{
    static const uint8_t kinds[] = {1, 1, 1, 1, 1, 1, 7, 254, 255, 0};
    return kinds[rp_random_below(&rng, sizeof kinds)];
}

/// The factor that the design asks for; 0 blocks.
static uint8_t factor_by_hand(const rp_grid_shape_t *shape, uint32_t side, uint32_t x, uint32_t y)
{
    uint8_t dearest = 0;
    for (uint32_t i = 0; i < side * side; i++) {
        const uint32_t column = x + i % side;
        const uint32_t row = y + i / side;
        if (!shape->wraps && (column >= shape->width || row >= shape->height)) {
            return 0;
        }
        const uint8_t byte =
            world->bytes[row % shape->height * shape->width + column % shape->width];
        const uint8_t factor = byte == 255 ? 1 : byte;
        if (factor == 0) {
            return 0;
        }
        dearest = factor > dearest ? factor : dearest;
    }
    return dearest;
}

static void check_layer(const rp_layer_t *layer, uint32_t side)
{
    const rp_grid_t *grid = layer->grid;
    for (uint32_t y = 0; y < grid->shape.height; y++) {
        for (uint32_t x = 0; x < grid->shape.width; x++) {
            RP_EACH_EQ(grid->factor[rp_grid_cell(grid, x, y)],
                       factor_by_hand(&grid->shape, side, x, y));
        }
    }
}

static void write_some(uint32_t width, uint32_t height)
{
    uint32_t cells[6];
    uint8_t values[6];
    rp_edit_t edit = {.cells = cells,
                      .values = values,
                      .cell_count = rp_random_below(&rng, 6),
                      .x = rp_random_below(&rng, width),
                      .y = rp_random_below(&rng, height),
                      .fill = some_byte()};
    edit.width = rp_random_below(&rng, width - edit.x < 4 ? width - edit.x + 1u : 5u);
    edit.height = edit.width != 0
                      ? 1u + rp_random_below(&rng, height - edit.y < 4 ? height - edit.y : 4u)
                      : 0u;
    for (size_t i = 0; i < edit.cell_count; i++) {
        cells[i] = rp_random_below(&rng, width * height);
        values[i] = some_byte();
    }
    ck_assert_int_eq(rp_world_write(world, &edit), RP_OK);
}

START_TEST(each_cell_is_as_dear_as_the_dearest_that_the_body_covers)
{
    rng = (rp_random_t){(uint64_t)_i + 1u};
    const uint32_t width = 3u + rp_random_below(&rng, SIDE_MAX - 2u);
    const uint32_t height = 3u + rp_random_below(&rng, SIDE_MAX - 2u);
    const rp_body_t body = {.cells = 2u + rp_random_below(&rng, _i % 4 == 0 ? 62 : 6)};
    uint64_t budget = UINT64_MAX;
    rp_layer_t *layer;
    for (uint32_t i = 0; i < width * height; i++) {
        bytes[i] = some_byte();
    }
    const rp_world_options_t options = {.width = width,
                                        .height = height,
                                        .neighbors = 8,
                                        .wraps = _i % 2 == 0,
                                        .frame = {.resolution_m = 1.0},
                                        .data = bytes};
    ck_assert_int_eq(rp_world_new(&options, 1, NULL, &world), RP_OK);
    ck_assert_int_eq(rp_world_borrow_layer(world, &body, &layer), RP_OK);
    ck_assert_int_eq(rp_layer_derive(layer, 1, &budget), RP_OK);
    check_layer(layer, body.cells);
    for (unsigned round = 0; round < 20; round++) {
        write_some(width, height);
        check_layer(layer, body.cells);
    }
}
END_TEST

START_TEST(bodies_of_one_cell_and_of_none_share_a_layer_and_others_have_their_own)
{
    const rp_world_options_t options = {
        .width = 8, .height = 8, .neighbors = 8, .frame = {.resolution_m = 1.0}};
    rp_layer_t *layers[4];
    ck_assert_int_eq(rp_world_new(&options, 1, NULL, &world), RP_OK);
    for (uint32_t cells = 0; cells < 4; cells++) {
        const rp_body_t body = {.cells = cells};
        ck_assert_int_eq(rp_world_borrow_layer(world, &body, &layers[cells]), RP_OK);
    }
    ck_assert_ptr_eq(layers[0], layers[1]);
    ck_assert_ptr_ne(layers[1], layers[2]);
    ck_assert_ptr_ne(layers[2], layers[3]);
    ck_assert_uint_ne(rp_world_layer_key(world, &(rp_body_t){.cells = 2}),
                      rp_world_layer_key(world, &(rp_body_t){.cells = 3}));
    ck_assert_int_eq(rp_world_judge_body(world, &(rp_body_t){.cells = 65}), RP_E_INVALID);
    ck_assert_int_eq(rp_world_judge_body(world, &(rp_body_t){.cells = 2, .radius_m = 1}),
                     RP_E_INVALID);
    ck_assert_int_eq(rp_world_judge_body(world, &(rp_body_t){.cells = 1, .inflation_radius_m = 1}),
                     RP_E_INVALID);
}
END_TEST

/// A session whose body has two cells each way.
static void open_square(double x, double y, double goal_x, double goal_y)
{
    const rp_session_options_t options = {.body.cells = 2};
    const rp_destination_t goal = {goal_x + 0.5, goal_y + 0.5, 0};
    rp_session_id_t session;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, x + 0.5, y + 0.5, 0, (rp_cause_t){0, 0}),
                     RP_OK);
    ck_assert_int_eq(rp_engine_goals(scene.engine, session, &goal, 1, 0, (rp_cause_t){0, 0}),
                     RP_OK);
}

START_TEST(an_agent_of_two_cells_takes_the_gap_of_two_and_stays_inside)
{
    rp_scene_draw(&scene, "....#....\n"
                          ".........\n"
                          "....#....\n"
                          "....#....\n"
                          ".........\n"
                          ".........\n"
                          "....#....");
    open_square(0, 1, 7, 1);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_double_eq_tol(answer.cost, 5.0 + 4.0 * 1.4142135623730951, 1e-9);
    (void)rp_scene_set(&scene, 4, 5, 0);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_NO_PATH);
    open_square(0, 1, 8, 1);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_GOAL_BLOCKED);
}
END_TEST

int main(void)
{
    const TTest *const rounds[] = {each_cell_is_as_dear_as_the_dearest_that_the_body_covers};
    const TTest *const tests[] = {
        bodies_of_one_cell_and_of_none_share_a_layer_and_others_have_their_own,
        an_agent_of_two_cells_takes_the_gap_of_two_and_stays_inside,
    };
    int failed = rp_suite_run("footprint", rounds, 1, RP_ROUNDS(60), tear_down);
    failed +=
        rp_suite_run("footprint: sessions", tests, sizeof tests / sizeof tests[0], 1, tear_down);
    return failed;
}
