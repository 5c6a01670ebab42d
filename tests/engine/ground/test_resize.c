/// A world that becomes another window of the plane: what lay in both stays, in the frame too.
#include <math.h>
#include <string.h>

#include "engine/ground/world_state.h"
#include "msgs/codec.h"
#include "tests/engine/scene.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_world_t *world;
static rp_scene_t scene;
static rp_random_t rng;

static void tear_down(void)
{
    rp_world_destroy(&world);
    rp_scene_close(&scene);
}

static void open_world(uint32_t width, uint32_t height, bool wraps, rp_frame_t frame)
{
    const rp_world_options_t options = {
        .width = width,
        .height = height,
        .neighbors = 8,
        .wraps = wraps,
        .profile = "costmap",
        .frame = frame,
        .cells_hash = rp_codec_cells_hash,
    };
    ck_assert_int_eq(rp_world_new(&options, 1, NULL, &world), RP_OK);
}

static const rp_frame_t plain = {.resolution_m = 0.5};

static rp_status_t resize(rp_window_t window)
{
    rp_world_t *before = NULL;
    rp_placed_t placed;
    rp_status_t status = rp_windows_place(&world->windows, &world->frame, &window, &placed);
    if (status == RP_OK) {
        status = rp_world_resize(world, &placed, &before);
    }
    rp_world_destroy(&before);
    return status;
}

static void write_cell(uint32_t x, uint32_t y, uint8_t byte)
{
    const rp_edit_t edit = {.x = x, .y = y, .width = 1, .height = 1, .fill = byte};
    ck_assert_int_eq(rp_world_write(world, &edit), RP_OK);
}

static void put_disc(uint32_t id, double x_m, double y_m, double radius_m, uint8_t byte)
{
    const rp_shape_t shape = {
        .id = id, .corners = 1, .x_m = &x_m, .y_m = &y_m, .radius_m = radius_m, .byte = byte};
    const rp_overlay_edit_t edit = {.shapes = &shape, .shape_count = 1};
    ck_assert_int_eq(rp_world_overlay(world, &edit), RP_OK);
}

static uint8_t byte_at(uint32_t x, uint32_t y)
{
    return world->bytes[y * world->layers[0]->grid->shape.width + x];
}

// ---- bytes

START_TEST(what_lies_in_both_windows_stays_and_the_rest_is_filled)
{
    open_world(6, 4, false, plain);
    write_cell(1, 1, 11);
    write_cell(5, 3, 12);
    ck_assert_int_eq(resize((rp_window_t){
                         .x = 1, .y = -1, .width = 7, .height = 4, .is_filled = true, .fill = 9}),
                     RP_OK);
    const rp_grid_shape_t *shape = &world->layers[0]->grid->shape;
    ck_assert_uint_eq(shape->width, 7);
    ck_assert_uint_eq(shape->height, 4);
    ck_assert_uint_eq(byte_at(0, 2), 11);
    ck_assert_uint_eq(byte_at(0, 0), 9); // above the old world
    ck_assert_uint_eq(byte_at(5, 1), 9); // right of it
    ck_assert_uint_eq(byte_at(4, 3), 0);
    ck_assert_uint_eq(world->version, 4);
    ck_assert_int_eq(resize((rp_window_t){.x = -1, .y = 1, .width = 6, .height = 4}), RP_OK);
    ck_assert_uint_eq(byte_at(1, 1), 11);
    ck_assert_uint_eq(byte_at(5, 3), 0); // it was cut off, and comes back as normal ground
}
END_TEST

static size_t counted_size;
static unsigned counted; ///< mallocs of that size

/// The linker has all mallocs come here, and knows the real one by that name.
void *__real_malloc(size_t size); // NOLINT(bugprone-reserved-identifier,cert-*)
void *__wrap_malloc(size_t size); // NOLINT(bugprone-reserved-identifier,cert-*)

void *__wrap_malloc(size_t size) // NOLINT(bugprone-reserved-identifier,cert-*)
{
    counted += size == counted_size;
    return __real_malloc(size);
}

/// A window that rolls on, or becomes narrower, needs no second copy of a large world.
START_TEST(rows_that_do_not_overtake_each_other_are_moved_where_they_are)
{
    static const rp_window_t windows[] = {
        {.x = 3, .y = 1, .width = 41, .height = 31},  {.x = -3, .y = 1, .width = 41, .height = 31},
        {.x = 3, .y = -1, .width = 41, .height = 31}, {.x = -3, .y = -1, .width = 41, .height = 31},
        {.x = 3, .y = 0, .width = 41, .height = 31},  {.x = 1, .y = 0, .width = 37, .height = 31},
        {.x = 1, .y = 1, .width = 41, .height = 31}, // wider, and upwards: not so
    };
    open_world(41, 31, false, plain);
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
        counted_size = (size_t)windows[i].width * windows[i].height;
        counted = 0;
        ck_assert_int_eq(resize(windows[i]), RP_OK);
        ck_assert_uint_eq(counted, i == 6);
    }
}
END_TEST

/// Windows that are wider, narrower, lower, taller, and lie to any side; bytes are held against a
/// plain copy of the plane.
START_TEST(every_window_shows_what_stood_there)
{
    uint8_t before[40 * 40];
    rng = (rp_random_t){(uint64_t)_i + 20u};
    const uint32_t rows = 1 + rp_random_below(&rng, 40);
    open_world(1 + rp_random_below(&rng, 40), rows, false, plain);
    for (int round = 0; round < 50; round++) {
        const rp_grid_shape_t old = world->layers[0]->grid->shape;
        for (int i = 0; i < 30; i++) {
            const uint8_t byte = (uint8_t)rp_random_below(&rng, 250);
            const uint32_t row = rp_random_below(&rng, old.height);
            write_cell(rp_random_below(&rng, old.width), row, byte);
        }
        memcpy(before, world->bytes, world->cells);
        const rp_window_t window = {.x = (int32_t)rp_random_below(&rng, 41) - 20,
                                    .y = (int32_t)rp_random_below(&rng, 41) - 20,
                                    .width = 1 + rp_random_below(&rng, 40),
                                    .height = 1 + rp_random_below(&rng, 40),
                                    .is_filled = true,
                                    .fill = 251};
        ck_assert_int_eq(resize(window), RP_OK);
        for (uint32_t y = 0; y < window.height; y++) {
            for (uint32_t x = 0; x < window.width; x++) {
                const int64_t old_x = (int64_t)window.x + x;
                const int64_t old_y = (int64_t)window.y + y;
                const bool is_inside =
                    old_x >= 0 && old_y >= 0 && old_x < old.width && old_y < old.height;
                RP_EACH_EQ(byte_at(x, y), is_inside ? before[old_y * old.width + old_x] : 251);
            }
        }
    }
}
END_TEST

START_TEST(a_window_elsewhere_has_nothing_in_common)
{
    open_world(6, 4, false, plain);
    write_cell(1, 1, 11);
    ck_assert_int_eq(resize((rp_window_t){.x = 100, .y = -2000000000, .width = 2, .height = 3}),
                     RP_OK);
    for (uint32_t i = 0; i < 6; i++) {
        ck_assert_uint_eq(world->bytes[i], 0);
    }
}
END_TEST

START_TEST(a_point_of_the_frame_stays_the_same_place)
{
    open_world(20, 20, false,
               (rp_frame_t){
                   .resolution_m = 0.25, .origin_x_m = 3.0, .origin_y_m = -7.0, .origin_yaw = 0.7});
    rng = (rp_random_t){4};
    for (int i = 0; i < 50; i++) {
        const uint32_t x = rp_random_below(&rng, 20);
        const uint32_t y = rp_random_below(&rng, 20);
        const double along = (x + 0.5) * 0.25;
        const double across = (y + 0.5) * 0.25;
        const double x_m = 3.0 + along * cos(0.7) - across * sin(0.7);
        const double y_m = -7.0 + along * sin(0.7) + across * cos(0.7);
        tear_down();
        open_world(
            20, 20, false,
            (rp_frame_t){
                .resolution_m = 0.25, .origin_x_m = 3.0, .origin_y_m = -7.0, .origin_yaw = 0.7});
        write_cell(x, y, 99);
        const rp_window_t window = {.x = (int32_t)rp_random_below(&rng, 9) - 4,
                                    .y = (int32_t)rp_random_below(&rng, 9) - 4,
                                    .width = 12 + rp_random_below(&rng, 20),
                                    .height = 12 + rp_random_below(&rng, 20)};
        ck_assert_int_eq(resize(window), RP_OK);
        rp_cell_t cell;
        const rp_grid_t *grid = world->layers[0]->grid;
        if (rp_world_cell_at(world, x_m, y_m, &cell)) {
            ck_assert_uint_eq(byte_at(rp_grid_x(grid, cell), rp_grid_y(grid, cell)), 99);
        } else {
            ck_assert((int64_t)x < window.x || (int64_t)y < window.y ||
                      (int64_t)x >= window.x + (int64_t)window.width ||
                      (int64_t)y >= window.y + (int64_t)window.height);
        }
    }
}
END_TEST

// ---- layers and shapes

START_TEST(every_layer_is_that_of_a_world_opened_with_these_bytes)
{
    const rp_body_t body = {.radius_m = 0.6, .inflation_radius_m = 2.0, .cost_scaling = 2.0};
    rp_layer_t *layer;
    rp_layer_t *same;
    rng = (rp_random_t){7};
    open_world(40, 30, false, plain);
    ck_assert_int_eq(rp_world_borrow_layer(world, &body, &layer), RP_OK);
    for (int round = 0; round < 20; round++) {
        const rp_grid_shape_t shape = layer->grid->shape;
        for (int i = 0; i < 10; i++) {
            const uint8_t byte = rp_random_chance(&rng, 70) ? 254 : 30;
            const uint32_t row = rp_random_below(&rng, shape.height);
            write_cell(rp_random_below(&rng, shape.width), row, byte);
        }
        const uint32_t row = rp_random_below(&rng, 15);
        const uint32_t column = rp_random_below(&rng, 20);
        put_disc(rp_random_below(&rng, 4), column, row, 1.3, 254);
        ck_assert_int_eq(resize((rp_window_t){.x = (int32_t)rp_random_below(&rng, 11) - 5,
                                              .y = (int32_t)rp_random_below(&rng, 11) - 5,
                                              .width = 20 + rp_random_below(&rng, 40),
                                              .height = 20 + rp_random_below(&rng, 40)}),
                         RP_OK);
        write_cell(3, 3, 254); // it goes on from there
        rp_world_t *const resized = world;
        const rp_world_options_t options = {.width = layer->grid->shape.width,
                                            .height = layer->grid->shape.height,
                                            .neighbors = 8,
                                            .profile = "costmap",
                                            .frame = plain,
                                            .data = resized->bytes,
                                            .cells_hash = rp_codec_cells_hash};
        ck_assert_int_eq(rp_world_new(&options, 1, NULL, &world), RP_OK);
        ck_assert_int_eq(rp_world_borrow_layer(world, &body, &same), RP_OK);
        rp_scene_derive(world);
        rp_scene_derive(resized);
        ck_assert_uint_eq(resized->hash, world->hash);
        ck_assert_int_eq(memcmp(layer->grid->factor, same->grid->factor, layer->grid->cell_count),
                         0);
        ck_assert_int_eq(memcmp(layer->grid->moves, same->grid->moves, layer->grid->cell_count), 0);
        rp_world_destroy(&world);
        world = resized;
    }
}
END_TEST

START_TEST(shapes_stay_where_they_are_and_come_back_whole)
{
    open_world(20, 20, false, plain);
    put_disc(1, 5.0, 5.0, 2.0, 200); // cells 6 to 13
    ck_assert_uint_eq(byte_at(9, 9), 200);
    ck_assert_int_eq(resize((rp_window_t){.x = 8, .y = 8, .width = 4, .height = 20}), RP_OK);
    ck_assert_uint_eq(byte_at(1, 1), 200);
    ck_assert_uint_eq(byte_at(1, 6), 0);
    ck_assert_int_eq(resize((rp_window_t){.x = -8, .y = -8, .width = 20, .height = 20}), RP_OK);
    ck_assert_uint_eq(byte_at(6, 9), 200);
    ck_assert_uint_eq(byte_at(13, 10), 200);
    const rp_overlay_edit_t clear = {.clears = true};
    ck_assert_int_eq(rp_world_overlay(world, &clear), RP_OK);
    for (uint32_t i = 0; i < 400; i++) {
        ck_assert_uint_eq(world->bytes[i], 0);
    }
}
END_TEST

START_TEST(a_shift_does_not_pass_for_what_shapes_rewrote_before_it)
{
    const double middle_m = 2.0;
    const rp_shape_t disc = {.id = 1, .corners = 1, .x_m = &middle_m, .y_m = &middle_m};
    const rp_overlay_edit_t put = {.shapes = &disc, .shape_count = 1};
    const rp_overlay_edit_t clear = {.clears = true};
    const rp_world_options_t options = {.width = 9, .height = 7, .neighbors = 8};
    const rp_cause_t cause = {0, 0};
    rp_edit_t edit;
    uint64_t version;
    rp_scene_open(&scene, &options);
    ck_assert_int_eq(rp_engine_overlay(scene.engine, scene.world, &put, cause, &version), RP_OK);
    ck_assert_int_eq(rp_engine_overlay(scene.engine, scene.world, &clear, cause, &version), RP_OK);
    ck_assert(rp_engine_rewritten(scene.engine, scene.world, &edit));
    const rp_window_t window = {.x = 1, .width = 9, .height = 7};
    ck_assert_int_eq(rp_engine_resize(scene.engine, scene.world, &window, cause, &version), RP_OK);
    ck_assert(!rp_engine_rewritten(scene.engine, scene.world, &edit));
}
END_TEST

/// Windows by parts of a cell, so that shapes cover other cells, and some that have no column or no
/// row in common.
START_TEST(what_shapes_rewrite_in_both_windows_is_listed_and_nothing_else)
{
    enum {
        MOST = 24
    };
    static uint8_t was[MOST * MOST];
    size_t listed = 0;
    uint32_t width = 12;
    uint32_t height = 9;
    open_world(width, height, false, plain);
    rng = (rp_random_t){90u + (unsigned)_i};
    for (unsigned round = 0; round < 200; round++) {
        const uint32_t id = rp_random_below(&rng, 4);
        const double x_m = world->frame.origin_x_m + 0.01 * rp_random_below(&rng, 50u * width);
        const double y_m = world->frame.origin_y_m + 0.01 * rp_random_below(&rng, 50u * height);
        put_disc(id, x_m, y_m, 0.1 * rp_random_below(&rng, 15), (uint8_t)(200u + id));
        memcpy(was, world->bytes, (size_t)width * height);
        const double by =
            rp_random_chance(&rng, 20) ? 0.5 * width : 0.02 * rp_random_below(&rng, 90);
        const double sign = rp_random_chance(&rng, 50) ? 1.0 : -1.0;
        const bool is_across = rp_random_chance(&rng, 50);
        const rp_window_t window = {
            .is_told = true,
            .origin_x_m = world->frame.origin_x_m + (is_across ? 0.0 : sign * by),
            .origin_y_m = world->frame.origin_y_m + (is_across ? sign * by : 0.0),
            .width = 4u + rp_random_below(&rng, MOST - 4u),
            .height = 4u + rp_random_below(&rng, MOST - 4u)};
        rp_placed_t placed;
        ck_assert_int_eq(rp_windows_place(&world->windows, &world->frame, &window, &placed), RP_OK);
        ck_assert_int_eq(resize(window), RP_OK);
        ck_assert(world->rewritten_is_kept);
        size_t count = 0;
        for (uint32_t i = 0; i < window.width * window.height; i++) {
            const int64_t x = (int64_t)(i % window.width) + placed.window.x;
            const int64_t y = (int64_t)(i / window.width) + placed.window.y;
            if (x < 0 || y < 0 || x >= width || y >= height ||
                world->bytes[i] == was[y * width + x]) {
                continue;
            }
            ck_assert_uint_lt(count, world->rewritten_count);
            ck_assert_uint_eq(world->rewritten_cells[count], i);
            ck_assert_uint_eq(world->rewritten_values[count++], world->bytes[i]);
        }
        ck_assert_uint_eq(world->rewritten_count, count);
        width = window.width;
        height = window.height;
        listed += count;
    }
    ck_assert_uint_ne(listed, 0);
}
END_TEST

START_TEST(what_cannot_be_changes_nothing)
{
    open_world(9, 9, true, plain);
    ck_assert_int_eq(resize((rp_window_t){.width = 9, .height = 9}), RP_E_UNSUPPORTED);
    tear_down();
    open_world(9, 9, false, plain);
    write_cell(2, 2, 5);
    ck_assert_int_eq(resize((rp_window_t){.width = 0, .height = 9}), RP_E_INVALID);
    ck_assert_int_eq(resize((rp_window_t){.width = 9, .height = RP_GRID_SIDE_MAX + 1u}),
                     RP_E_INVALID);
    ck_assert_uint_eq(world->version, 2);
    ck_assert_uint_eq(byte_at(2, 2), 5);
}
END_TEST

// ---- sessions

static uint64_t resize_scene(rp_window_t window)
{
    uint64_t version = 0;
    ck_assert_int_eq(
        rp_engine_resize(scene.engine, scene.world, &window, (rp_cause_t){0, 0}, &version), RP_OK);
    return version;
}

START_TEST(who_still_has_a_way_hears_nothing_of_a_shift)
{
    rp_scene_draw(&scene, "........\n"
                          "S......G\n"
                          "........\n");
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 1, 7, 1);
    (void)rp_scene_answer(&scene);
    const uint64_t version =
        resize_scene((rp_window_t){.x = -2, .y = -1, .width = 12, .height = 5});
    ck_assert_uint_eq(rp_engine_settled(scene.engine, scene.world), version - 1u);
    rp_scene_expect_silence(&scene);
    ck_assert_uint_eq(rp_engine_settled(scene.engine, scene.world), version);
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_uint_eq(answer.start_x, 2);
    ck_assert_uint_eq(answer.start_y, 2);
    ck_assert_uint_eq(answer.step_count, 7);
    (void)rp_scene_set(&scene, 5, 2, 0);
    ck_assert_double_gt(rp_scene_answer(&scene).cost, 7.0);
}
END_TEST

START_TEST(who_is_on_a_way_out_hears_nothing_of_a_shift)
{
    uint8_t data[50];
    for (uint32_t i = 0; i < 50; i++) {
        data[i] = i < 10 ? 254 : i < 30 ? 253 : 0;
    }
    const rp_world_options_t options = {
        .width = 10, .height = 5, .neighbors = 8, .profile = "costmap", .data = data};
    rp_scene_open(&scene, &options);
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 4, 1, 8, 4);
    (void)rp_scene_answer(&scene);
    (void)resize_scene((rp_window_t){.x = -2, .y = -1, .width = 13, .height = 7});
    rp_answer_t answer;
    for (unsigned i = 0; i < 2; i++) { // at once, and when it was looked at
        ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
        ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
        ck_assert_uint_eq(answer.way_x, 6);
        ck_assert_uint_eq(answer.way_y, 2);
        ck_assert_uint_eq(answer.way_count, 2);
        ck_assert_uint_eq(answer.start_y, 4);
        rp_scene_expect_silence(&scene);
    }
}
END_TEST

/// Between the window and the look at it something changes elsewhere.
START_TEST(what_a_window_brings_onto_a_path_breaks_it_whatever_changes_then)
{
    static const uint32_t rect[] = {4, 0, 1, 3};
    static const uint8_t wall[] = {0, 0, 0};
    rp_scene_draw(&scene, "........\n"
                          "........\n"
                          "........\n");
    (void)rp_scene_session(&scene, NULL, 0, 1, 7, 1);
    (void)rp_scene_answer(&scene);
    (void)resize_scene(
        (rp_window_t){.width = 8, .height = 3, .rects = rect, .rect_count = 1, .rect_data = wall});
    (void)rp_scene_set(&scene, 0, 0, 0);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_NO_PATH);
}
END_TEST

/// Before anybody plans.
START_TEST(a_path_is_published_where_it_lies_in_the_new_window_at_once)
{
    rp_answer_t answer;
    rp_scene_draw(&scene, "........\n"
                          "........");
    const rp_session_id_t session = rp_scene_session(&scene, NULL, 0, 1, 7, 1);
    (void)rp_scene_answer(&scene);
    (void)resize_scene((rp_window_t){.x = -2, .y = 0, .width = 12, .height = 4});
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_uint_eq(answer.start_x, 2);
    ck_assert_uint_eq(answer.step_count, 7);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 4, 1), RP_OK); // on it
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_uint_eq(answer.start_x, 6);
    ck_assert_uint_eq(answer.step_count, 3);
    (void)resize_scene((rp_window_t){.x = 1, .y = 0, .width = 5, .height = 4});
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_NONE);
    ck_assert_uint_eq(answer.step_count, 0);
}
END_TEST

START_TEST(a_goal_that_comes_into_the_window_is_a_goal_again)
{
    rp_scene_draw(&scene, "....\n"
                          "S...\n");
    (void)rp_scene_session(&scene, NULL, 0, 1, 9, 1); // beyond the edge
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_OUTSIDE);
    (void)resize_scene((rp_window_t){.width = 10, .height = 2});
    const rp_answer_t found = rp_scene_answer(&scene);
    ck_assert_int_eq(found.outcome, RP_ANSWER_FOUND);
    ck_assert_double_eq(found.cost, 9.0);
    (void)resize_scene((rp_window_t){.width = 6, .height = 2}); // the path was cut
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_OUTSIDE);
    (void)resize_scene((rp_window_t){.x = 1, .width = 9, .height = 2}); // now the agent is outside
    rp_scene_expect_silence(&scene);
    (void)resize_scene((rp_window_t){.x = -1, .width = 10, .height = 2});
    ck_assert_double_eq(rp_scene_answer(&scene).cost, 9.0);
}
END_TEST

/// Many agents to few goals, windows that wander, walls that come: after each step every session
/// says what one says that was opened on the world as it is.
START_TEST(after_any_walk_sessions_say_what_new_ones_would)
{
    enum {
        AGENTS = 24
    };
    const rp_world_options_t options = {.width = 24, .height = 24, .neighbors = 8};
    rp_session_id_t sessions[AGENTS];
    double x[AGENTS];
    double y[AGENTS];
    rng = (rp_random_t){(uint64_t)_i};
    rp_scene_open(&scene, &options);
    const rp_destination_t goals[2] = {{.x_m = 20.5, .y_m = 3.5}, {.x_m = 4.5, .y_m = 19.5}};
    for (unsigned i = 0; i < AGENTS; i++) {
        const rp_session_options_t asked = {.planner = i % 3 == 0 ? "dstar-lite" : NULL};
        x[i] = rp_random_below(&rng, 24) + 0.5;
        y[i] = rp_random_below(&rng, 24) + 0.5;
        ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &asked, &sessions[i]), RP_OK);
        (void)rp_engine_pose(scene.engine, sessions[i], x[i], y[i], 0, (rp_cause_t){0, 0});
        (void)rp_engine_goals(scene.engine, sessions[i], &goals[i % 2], 1, 0, (rp_cause_t){0, 0});
    }
    int32_t corner_x = 0;
    int32_t corner_y = 0;
    for (int round = 0; round < 15; round++) {
        rp_window_t window = {.x = (int32_t)rp_random_below(&rng, 9) - 4 - corner_x,
                              .y = (int32_t)rp_random_below(&rng, 9) - 4 - corner_y,
                              .width = 18 + rp_random_below(&rng, 14),
                              .height = 18 + rp_random_below(&rng, 14)};
        (void)resize_scene(window);
        corner_x += window.x;
        corner_y += window.y;
        for (int i = 0; i < 12; i++) {
            const uint8_t factor = rp_random_chance(&rng, 70) ? 0 : 1;
            const uint32_t row = rp_random_below(&rng, window.height);
            (void)rp_scene_set(&scene, rp_random_below(&rng, window.width), row, factor);
        }
        rp_scene_settle(&scene);
        for (unsigned i = 0; i < AGENTS; i++) {
            const rp_session_options_t asked = {.planner = "astar"};
            rp_session_id_t fresh;
            rp_answer_t published;
            rp_answer_t truth;
            ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &asked, &fresh), RP_OK);
            (void)rp_engine_pose(scene.engine, fresh, x[i], y[i], 0, (rp_cause_t){0, 0});
            (void)rp_engine_goals(scene.engine, fresh, &goals[i % 2], 1, 0, (rp_cause_t){0, 0});
            rp_scene_settle(&scene);
            ck_assert_int_eq(rp_engine_answer(scene.engine, sessions[i], &published), RP_OK);
            ck_assert_int_eq(rp_engine_answer(scene.engine, fresh, &truth), RP_OK);
            ck_assert_msg(
                published.outcome == truth.outcome && fabs(published.cost - truth.cost) < 1e-9 &&
                    published.start_x == truth.start_x && published.start_y == truth.start_y,
                "round %d, agent %u: %d at %g, not %d at %g", round, i, published.outcome,
                published.cost, truth.outcome, truth.cost);
            ck_assert_int_eq(rp_engine_close(scene.engine, fresh), RP_OK);
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_lies_in_both_windows_stays_and_the_rest_is_filled,
        rows_that_do_not_overtake_each_other_are_moved_where_they_are,
        a_window_elsewhere_has_nothing_in_common,
        a_point_of_the_frame_stays_the_same_place,
        every_layer_is_that_of_a_world_opened_with_these_bytes,
        shapes_stay_where_they_are_and_come_back_whole,
        a_shift_does_not_pass_for_what_shapes_rewrote_before_it,
        what_cannot_be_changes_nothing,
        who_still_has_a_way_hears_nothing_of_a_shift,
        who_is_on_a_way_out_hears_nothing_of_a_shift,
        what_a_window_brings_onto_a_path_breaks_it_whatever_changes_then,
        a_path_is_published_where_it_lies_in_the_new_window_at_once,
        a_goal_that_comes_into_the_window_is_a_goal_again,
    };
    const TTest *const walks[] = {every_window_shows_what_stood_there,
                                  what_shapes_rewrite_in_both_windows_is_listed_and_nothing_else,
                                  after_any_walk_sessions_say_what_new_ones_would};
    const int failed =
        rp_suite_run("resize: walks", walks, sizeof walks / sizeof walks[0], 8, tear_down);
    return rp_suite_run("resize", tests, sizeof tests / sizeof tests[0], 1, tear_down) + failed;
}
