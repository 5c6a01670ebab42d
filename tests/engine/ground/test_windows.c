/// Windows by number and offset: bytes stay where they were written, however a world is shifted.
#include "engine/ground/windows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ground/world_state.h"
#include "msgs/codec.h"
#include "tests/engine/scene.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_engine_t *engine;
static rp_world_id_t world;
static rp_random_t rng;

static void tear_down(void)
{
    rp_engine_destroy(&engine);
}

static const rp_cause_t nothing = {0, 0};

static void open_world(uint32_t width, uint32_t height, rp_frame_t frame)
{
    const rp_world_options_t options = {
        .width = width,
        .height = height,
        .neighbors = 8,
        .profile = "costmap",
        .frame = frame,
        .cells_hash = rp_codec_cells_hash,
    };
    ck_assert_int_eq(rp_engine_new(&engine), RP_OK);
    ck_assert_int_eq(rp_engine_open_world(engine, &options, &world), RP_OK);
}

static rp_status_t resize(rp_window_t window)
{
    uint64_t version;
    return rp_engine_resize(engine, world, &window, nothing, &version);
}

static rp_frame_t shape(uint32_t *width, uint32_t *height)
{
    rp_frame_t frame;
    ck_assert(rp_engine_shape(engine, world, width, height, &frame));
    return frame;
}

static void write_cell(uint32_t x, uint32_t y, uint8_t byte)
{
    const rp_edit_t edit = {.x = x, .y = y, .width = 1, .height = 1, .fill = byte};
    uint64_t version;
    ck_assert_int_eq(rp_engine_apply(engine, world, &edit, nothing, &version), RP_OK);
}

// ---- offsets

static int64_t floor_of(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && a < 0);
}

/// All numbers are multiples of 2^-20, so that the nearest whole number is known exactly, ties too.
START_TEST(an_offset_is_the_nearest_whole_number_of_cells_from_window_1)
{
    const double unit = 1.0 / (1 << 20);
    rng = (rp_random_t){(uint64_t)_i + 1u};
    for (unsigned round = 0; round < 200; round++) {
        const int64_t resolution = 1 + rp_random_below(&rng, _i % 2 == 0 ? 16 : 1 << 20);
        const int64_t first = (int64_t)rp_random_below(&rng, 1 << 30) - (1 << 29);
        open_world(4, 4,
                   (rp_frame_t){.resolution_m = resolution * unit, .origin_x_m = first * unit});
        for (unsigned i = 0; i < 20; i++) {
            const int64_t halves = (int64_t)rp_random_below(&rng, 2000) - 1000;
            const int64_t told = first + halves * resolution / 2 + rp_random_below(&rng, 3) - 1;
            ck_assert_int_eq(
                resize((rp_window_t){
                    .is_told = true, .origin_x_m = told * unit, .width = 4, .height = 4}),
                RP_OK);
            const rp_known_window_t *is = rp_engine_window(engine, world, 0);
            RP_EACH_EQ(is->offset_x, floor_of(2 * (told - first) + resolution, 2 * resolution));
            RP_EACH_EQ(is->offset_y, 0);
            RP_EACH(is->origin_x_m == told * unit);
            RP_EACH_EQ(is->number, i + 2u);
        }
        tear_down();
    }
}
END_TEST

START_TEST(an_offset_is_counted_along_the_yaw_of_the_world)
{
    const double cosine = cos(0.3);
    const double sine = sin(0.3);
    open_world(
        4, 4,
        (rp_frame_t){
            .resolution_m = 0.05, .origin_x_m = 500.0, .origin_y_m = 40.0, .origin_yaw = 0.3});
    for (int cells = -40; cells < 40; cells++) {
        const double along = (cells + 0.49) * 0.05;
        const double across = (7.0 - cells - 0.49) * 0.05;
        ck_assert_int_eq(resize((rp_window_t){.is_told = true,
                                              .origin_x_m = 500.0 + along * cosine - across * sine,
                                              .origin_y_m = 40.0 + along * sine + across * cosine,
                                              .width = 4,
                                              .height = 4}),
                         RP_OK);
        ck_assert_int_eq(rp_engine_window(engine, world, 0)->offset_x, cells);
        ck_assert_int_eq(rp_engine_window(engine, world, 0)->offset_y, 7 - cells);
    }
}
END_TEST

/// 0.1 has no double: a thousand cells of it, added one by one, would end beside the sum.
START_TEST(whole_cells_count_from_the_origin_that_was_told_last)
{
    open_world(6, 4, (rp_frame_t){.resolution_m = 0.1, .origin_x_m = -10.3, .origin_y_m = 0.7});
    ck_assert_int_eq(
        resize((rp_window_t){
            .is_told = true, .origin_x_m = -10.26, .origin_y_m = 0.66, .width = 6, .height = 4}),
        RP_OK);
    for (int i = 1; i <= 1000; i++) {
        uint32_t width;
        uint32_t height;
        ck_assert_int_eq(resize((rp_window_t){.x = 1, .y = -3, .width = 6, .height = 4}), RP_OK);
        const rp_frame_t frame = shape(&width, &height);
        const rp_known_window_t *is = rp_engine_window(engine, world, 0);
        RP_EACH(frame.origin_x_m == -10.26 + i * 0.1);
        RP_EACH(frame.origin_y_m == 0.66 + -3 * i * 0.1);
        RP_EACH_EQ(is->offset_x, i); // 0.4 cells were none
        RP_EACH_EQ(is->offset_y, -3 * i);
    }
}
END_TEST

START_TEST(the_last_256_windows_are_known)
{
    open_world(6, 4, (rp_frame_t){.resolution_m = 0.5});
    for (unsigned i = 0; i < 300; i++) {
        ck_assert_int_eq(resize((rp_window_t){.x = 1, .width = 6, .height = 4}), RP_OK);
    }
    ck_assert_uint_eq(rp_engine_window(engine, world, 0)->number, 301);
    ck_assert_ptr_null(rp_engine_window(engine, world, 302));
    ck_assert_ptr_null(rp_engine_window(engine, world, 45));
    ck_assert_int_eq(rp_engine_window(engine, world, 46)->offset_x, 45);
    ck_assert_int_eq(rp_engine_window(engine, world, 301)->offset_x, 300);
}
END_TEST

// ---- bytes

/// Walls are written once, then the window creeps; each stands less than a cell from where it was
/// written for as long as it lies in the window.
static void creep(double yaw, double step_x, double step_y)
{
    enum {
        SIDE = 48,
        WALLS = 40
    };
    const double resolution = 0.1;
    double x_m[WALLS];
    double y_m[WALLS];
    uint32_t width;
    uint32_t height;
    open_world(
        SIDE, SIDE,
        (rp_frame_t){
            .resolution_m = resolution, .origin_x_m = -2.0, .origin_y_m = -2.0, .origin_yaw = yaw});
    const double cosine = cos(yaw);
    const double sine = sin(yaw);
    for (unsigned i = 0; i < WALLS; i++) {
        const double along = (i + 4 + 0.5) * resolution;
        const double across = (i * 7 % SIDE + 0.5) * resolution;
        write_cell(i + 4, i * 7 % SIDE, (uint8_t)(i + 1));
        x_m[i] = -2.0 + along * cosine - across * sine;
        y_m[i] = -2.0 + along * sine + across * cosine;
    }
    for (int k = 1; k <= 1000; k++) {
        const double back = k <= 500 ? k : 1000 - k; // there, and back to where it began
        const double along = back * step_x * resolution;
        const double across = back * step_y * resolution;
        const rp_window_t window = {.is_told = true,
                                    .origin_x_m = -2.0 + along * cosine - across * sine,
                                    .origin_y_m = -2.0 + along * sine + across * cosine,
                                    .width = SIDE,
                                    .height = SIDE,
                                    .is_filled = true};
        ck_assert_int_eq(resize(window), RP_OK);
        const rp_frame_t frame = shape(&width, &height);
        RP_EACH(frame.origin_x_m == window.origin_x_m && frame.origin_y_m == window.origin_y_m);
        const uint8_t *bytes = rp_engine_bytes(engine, world);
        for (uint32_t cell = 0; cell < SIDE * SIDE; cell++) {
            if (bytes[cell] != 0) {
                const unsigned wall = bytes[cell] - 1u;
                const double cx = (cell % SIDE + 0.5) * resolution;
                const double cy = (cell / SIDE + 0.5) * resolution;
                const double dx = frame.origin_x_m + cx * cosine - cy * sine - x_m[wall];
                const double dy = frame.origin_y_m + cx * sine + cy * cosine - y_m[wall];
                RP_EACH(fabs(dx * cosine + dy * sine) < resolution);
                RP_EACH(fabs(dy * cosine - dx * sine) < resolution);
            }
        }
    }
    tear_down();
}

START_TEST(after_a_thousand_shifts_of_parts_of_a_cell_each_wall_stands_where_it_was_written)
{
    creep(0.0, 0.4, 0.4);
    creep(0.3, 0.4, -0.4);
    creep(2.5, 0.05, 0.004); // slowly: most walls stay in the window
}
END_TEST

static bool is_stated(const rp_window_t *window, uint32_t old_width, uint32_t old_height,
                      uint32_t x, uint32_t y)
{
    const int64_t old_x = (int64_t)window->x + x;
    const int64_t old_y = (int64_t)window->y + y;
    bool is = old_x >= 0 && old_y >= 0 && old_x < old_width && old_y < old_height;
    for (size_t i = 0; i < window->rect_count && !is; i++) {
        const uint32_t *rect = window->rects + 4u * i;
        is = x >= rect[0] && y >= rect[1] && x - rect[0] < rect[2] && y - rect[1] < rect[3];
    }
    return is;
}

/// Every few windows the rectangles are the strips round the old one, perhaps with a hole.
START_TEST(the_first_new_cell_that_nothing_states_is_found)
{
    uint32_t rects[4 * 8];
    unsigned whole = 0;
    rng = (rp_random_t){(uint64_t)_i + 5u};
    for (unsigned round = 0; round < 3000; round++) {
        const uint32_t old_width = 1 + rp_random_below(&rng, 10);
        const uint32_t old_height = 1 + rp_random_below(&rng, 10);
        rp_window_t window = {.x = (int32_t)rp_random_below(&rng, 25) - 12,
                              .y = (int32_t)rp_random_below(&rng, 25) - 12,
                              .width = 1 + rp_random_below(&rng, 12),
                              .height = 1 + rp_random_below(&rng, 12),
                              .rects = rects,
                              .rect_count = 1 + rp_random_below(&rng, 8)};
        for (size_t i = 0; i < window.rect_count; i++) {
            uint32_t *rect = rects + 4u * i;
            rect[0] = rp_random_chance(&rng, 50) ? 0 : rp_random_below(&rng, window.width);
            rect[1] = rp_random_chance(&rng, 50) ? 0 : rp_random_below(&rng, window.height);
            const uint32_t most_x = window.width - rect[0];
            const uint32_t most_y = window.height - rect[1];
            rect[2] = rp_random_chance(&rng, 50) ? most_x : 1 + rp_random_below(&rng, most_x);
            rect[3] = rp_random_chance(&rng, 50) ? most_y : 1 + rp_random_below(&rng, most_y);
        }
        uint32_t first = window.width * window.height;
        for (uint32_t i = first; i-- > 0;) {
            const bool is =
                is_stated(&window, old_width, old_height, i % window.width, i / window.width);
            first = is ? first : i;
        }
        uint32_t x;
        uint32_t y;
        const bool is_found = rp_window_find_unstated(&window, old_width, old_height, &x, &y);
        RP_EACH_EQ(is_found, first != window.width * window.height);
        if (is_found) {
            RP_EACH_EQ(x, first % window.width);
            RP_EACH_EQ(y, first / window.width);
        }
        whole += !is_found;
    }
    ck_assert_uint_gt(whole, 100);
}
END_TEST

START_TEST(bytes_come_with_the_window_or_nothing_does)
{
    open_world(6, 4, (rp_frame_t){.resolution_m = 0.5});
    write_cell(5, 1, 33);
    const uint32_t rects[] = {4, 0, 2, 4, 0, 3, 4, 1, 3, 0, 2, 1};
    const uint8_t data[] = {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 21, 22};
    rp_window_t window = {.x = 2,
                          .y = 1,
                          .width = 6,
                          .height = 4,
                          .rects = rects,
                          .rect_count = 1,
                          .rect_data = data};
    uint32_t x;
    uint32_t y;
    ck_assert(rp_engine_find_unstated(engine, world, &window, &x, &y));
    ck_assert_uint_eq(x, 0);
    ck_assert_uint_eq(y, 3);
    ck_assert_int_eq(resize(window), RP_E_INVALID);
    ck_assert_uint_eq(rp_engine_window(engine, world, 0)->number, 1);
    ck_assert_uint_eq(rp_engine_version(engine, world), 2);
    window.rect_count = 3;
    ck_assert(!rp_engine_find_unstated(engine, world, &window, &x, &y));
    ck_assert_int_eq(resize(window), RP_OK);
    const uint8_t after[] = {0, 0, 0, 21, 22, 2, 0,  0,  0,  0,  3, 4,
                             0, 0, 0, 0,  5,  6, 11, 12, 13, 14, 7, 8};
    ck_assert_mem_eq(rp_engine_bytes(engine, world), after, sizeof after);
}
END_TEST

START_TEST(rectangles_and_origins_that_cannot_be_are_refused)
{
    open_world(6, 4, (rp_frame_t){.resolution_m = 0.5});
    const uint8_t data[4] = {0};
    const uint32_t outside[] = {5, 0, 2, 1};
    const uint32_t wraps[] = {UINT32_MAX, 0, 2, 1};
    const uint32_t empty[] = {0, 0, 0, 1};
    const uint32_t *const rects[] = {outside, wraps, empty};
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_int_eq(resize((rp_window_t){.width = 6,
                                              .height = 4,
                                              .rects = rects[i],
                                              .rect_count = 1,
                                              .rect_data = data,
                                              .is_filled = true}),
                         RP_E_INVALID);
    }
    const double origins[] = {NAN, INFINITY, 1e300};
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_int_eq(resize((rp_window_t){
                             .width = 6, .height = 4, .is_told = true, .origin_x_m = origins[i]}),
                         RP_E_INVALID);
    }
    ck_assert_uint_eq(rp_engine_version(engine, world), 1);
}
END_TEST

// ---- all of it, by chance

enum {
    MOST = 40,
    AGENTS = 6,
    SHAPES = 3
};

static uint8_t ground[MOST * MOST];
static uint8_t rect_bytes[MOST * MOST];

/// True when a window has cells that the one before had not.
static bool has_new_cells(const rp_window_t *window, uint32_t old_width, uint32_t old_height)
{
    bool is_all_old = true;
    for (uint32_t i = 0; i < window->width * window->height; i++) {
        is_all_old = is_all_old &&
                     is_stated(window, old_width, old_height, i % window->width, i / window->width);
    }
    return !is_all_old;
}

static double some_metres(double most)
{
    return rp_random_below(&rng, 1000) / 1000.0 * most;
}

static void put_discs(rp_engine_t *on, rp_world_id_t where, const double *discs)
{
    for (uint32_t i = 0; i < SHAPES; i++) {
        const rp_shape_t shape_of = {.id = i,
                                     .corners = 1,
                                     .x_m = &discs[3u * i],
                                     .y_m = &discs[3u * i + 1u],
                                     .radius_m = discs[3u * i + 2u],
                                     .byte = (uint8_t)(i == 0 ? 254 : 40 + i)};
        const rp_overlay_edit_t edit = {.shapes = &shape_of, .shape_count = 1};
        uint64_t version;
        ck_assert_int_eq(rp_engine_overlay(on, where, &edit, nothing, &version), RP_OK);
    }
}

static rp_window_t some_window(const rp_frame_t *frame)
{
    rp_window_t window = {.x = (int32_t)rp_random_below(&rng, 9) - 4,
                          .y = (int32_t)rp_random_below(&rng, 9) - 4,
                          .width = 20 + rp_random_below(&rng, MOST - 20),
                          .height = 20 + rp_random_below(&rng, MOST - 20),
                          .is_told = rp_random_chance(&rng, 60),
                          .origin_x_m = frame->origin_x_m + some_metres(1.0) - 0.5,
                          .origin_y_m = frame->origin_y_m + some_metres(1.0) - 0.5};
    return window;
}

static void settle(rp_engine_t *one)
{
    while (rp_engine_step(one, 0, 1000)) {
    }
}

/// What the same world says that is opened as this one is now.
static void compare_with_new(const double *discs, bool has_discs, const rp_session_id_t *sessions,
                             const double *places)
{
    uint32_t width;
    uint32_t height;
    const rp_frame_t frame = shape(&width, &height);
    const rp_world_options_t options = {.width = width,
                                        .height = height,
                                        .neighbors = 8,
                                        .profile = "costmap",
                                        .frame = frame,
                                        .data = ground,
                                        .cells_hash = rp_codec_cells_hash};
    rp_engine_t *other;
    rp_world_id_t there;
    ck_assert_int_eq(rp_engine_new(&other), RP_OK);
    ck_assert_int_eq(rp_engine_open_world(other, &options, &there), RP_OK);
    if (has_discs) {
        put_discs(other, there, discs);
    }
    settle(other);
    settle(engine);
    ck_assert_mem_eq(rp_engine_beneath(engine, world), ground, (size_t)width * height);
    ck_assert_mem_eq(rp_engine_bytes(engine, world), rp_engine_bytes(other, there),
                     (size_t)width * height);
    ck_assert_uint_eq(rp_engine_hash(engine, world), rp_engine_hash(other, there));
    for (unsigned i = 0; i < AGENTS; i++) {
        const rp_session_options_t asked = {.planner = "astar", .body.radius_m = i % 2 * 0.12};
        const rp_destination_t goal = {.x_m = places[4u * i + 2u], .y_m = places[4u * i + 3u]};
        rp_session_id_t fresh;
        rp_answer_t is;
        rp_answer_t should;
        ck_assert_int_eq(rp_engine_open(other, there, &asked, &fresh), RP_OK);
        (void)rp_engine_pose(other, fresh, places[4u * i], places[4u * i + 1u], 0, nothing);
        (void)rp_engine_goals(other, fresh, &goal, 1, 0, nothing);
        settle(other);
        ck_assert_int_eq(rp_engine_answer(engine, sessions[i], &is), RP_OK);
        ck_assert_int_eq(rp_engine_answer(other, fresh, &should), RP_OK);
        ck_assert_msg(is.outcome == should.outcome && fabs(is.cost - should.cost) < 1e-9,
                      "agent %u: %d at %g, not %d at %g", i, is.outcome, is.cost, should.outcome,
                      should.cost);
        ck_assert_uint_eq(is.window.number, rp_engine_window(engine, world, 0)->number);
    }
    rp_engine_destroy(&other);
}

/// Windows that creep and jump, with bytes and without, under shapes and not, while searches are
/// cut: bytes are held against a plain copy that is moved by offsets, and all answers against a
/// world that is opened as this one is now.
START_TEST(after_any_windows_a_world_is_one_that_was_opened_so)
{
    rng = (rp_random_t){(uint64_t)_i + 1u};
    rp_session_id_t sessions[AGENTS];
    double places[4 * AGENTS];
    double discs[3 * SHAPES];
    bool has_discs = false;
    uint32_t width = 30;
    uint32_t height = 28;
    const double yaw = _i % 3 == 0 ? 0.0 : 0.2 * _i;
    open_world(width, height,
               (rp_frame_t){.resolution_m = 0.1, .origin_x_m = 10.3, .origin_yaw = yaw});
    memset(ground, 0, sizeof ground);
    for (unsigned i = 0; i < AGENTS; i++) {
        const rp_session_options_t asked = {.planner = i % 3 == 0 ? "dstar-lite" : NULL,
                                            .body.radius_m = i % 2 * 0.12};
        for (unsigned k = 0; k < 4; k++) {
            places[4u * i + k] = k % 2 == 0 ? 10.3 + some_metres(2.0) : some_metres(2.5);
        }
        const rp_destination_t goal = {.x_m = places[4u * i + 2u], .y_m = places[4u * i + 3u]};
        ck_assert_int_eq(rp_engine_open(engine, world, &asked, &sessions[i]), RP_OK);
        (void)rp_engine_pose(engine, sessions[i], places[4u * i], places[4u * i + 1u], 0, nothing);
        (void)rp_engine_goals(engine, sessions[i], &goal, 1, 0, nothing);
    }
    for (unsigned round = 0; round < 30; round++) {
        for (unsigned i = 0; i < 8; i++) {
            const uint32_t x = rp_random_below(&rng, width);
            const uint32_t y = rp_random_below(&rng, height);
            const uint8_t byte = rp_random_chance(&rng, 60) ? 254 : 10;
            write_cell(x, y, byte);
            ground[y * width + x] = byte;
        }
        if (rp_random_chance(&rng, 20)) {
            for (unsigned i = 0; i < 3u * SHAPES; i++) {
                discs[i] = i % 3 == 0   ? 10.3 + some_metres(2.0)
                           : i % 3 == 1 ? some_metres(2.5)
                                        : some_metres(0.4);
            }
            put_discs(engine, world, discs);
            has_discs = true;
        }
        (void)rp_engine_step(engine, 0, 1 + rp_random_below(&rng, 40)); // searches are cut
        const rp_frame_t frame = shape(&width, &height);
        rp_window_t window = some_window(&frame);
        rp_known_window_t known;
        const rp_known_window_t was = *rp_engine_window(engine, world, 0);
        ck_assert_int_eq(rp_engine_place(engine, world, &window, &known), RP_OK);
        rp_window_t moved = window;
        moved.x = (int32_t)(known.offset_x - was.offset_x);
        moved.y = (int32_t)(known.offset_y - was.offset_y);
        const uint32_t whole[] = {0, 0, window.width, window.height};
        if (rp_random_chance(&rng, 50) && has_new_cells(&moved, width, height)) {
            window.rects = whole;
            window.rect_data = rect_bytes;
            window.rect_count = 1;
            for (size_t i = 0; i < sizeof rect_bytes; i++) {
                rect_bytes[i] = rp_random_chance(&rng, 10) ? 254 : 0;
            }
        }
        uint8_t after[MOST * MOST];
        for (uint32_t i = 0; i < window.width * window.height; i++) {
            const int64_t x = (int64_t)moved.x + i % window.width;
            const int64_t y = (int64_t)moved.y + i / window.width;
            const bool is_old = x >= 0 && y >= 0 && x < width && y < height;
            after[i] = window.rect_count != 0 ? rect_bytes[i] : is_old ? ground[y * width + x] : 0;
        }
        memcpy(ground, after, sizeof after);
        ck_assert_int_eq(resize(window), RP_OK);
        ck_assert_int_eq(rp_engine_window(engine, world, 0)->offset_x, known.offset_x);
        (void)rp_engine_step(engine, 0, 1 + rp_random_below(&rng, 40));
        (void)shape(&width, &height);
        compare_with_new(discs, has_discs, sessions, places);
    }
}
END_TEST

/// A copy of what is seen, moved as the world was and rewritten as it says, is what is seen.
START_TEST(what_shapes_rewrite_in_another_window_is_told)
{
    rng = (rp_random_t){(uint64_t)_i + 1u};
    double discs[3 * SHAPES];
    uint32_t width = 30;
    uint32_t height = 28;
    unsigned rewritten = 0;
    open_world(width, height, (rp_frame_t){.resolution_m = 0.1, .origin_yaw = 0.4 * _i});
    for (unsigned round = 0; round < 40; round++) {
        const rp_frame_t frame = shape(&width, &height);
        for (unsigned i = 0; i < SHAPES; i++) {
            const double along = some_metres(2.0);
            const double across = some_metres(2.0);
            const double yaw = frame.origin_yaw;
            discs[3u * i] = frame.origin_x_m + along * cos(yaw) - across * sin(yaw);
            discs[3u * i + 1u] = frame.origin_y_m + along * sin(yaw) + across * cos(yaw);
            discs[3u * i + 2u] = 0.3;
        }
        put_discs(engine, world, discs);
        uint8_t was[MOST * MOST];
        memcpy(was, rp_engine_bytes(engine, world), (size_t)width * height);
        const rp_known_window_t before = *rp_engine_window(engine, world, 0);
        const rp_window_t window = some_window(&frame);
        ck_assert_int_eq(resize(window), RP_OK);
        const rp_known_window_t *is = rp_engine_window(engine, world, 0);
        const rp_window_t moved = {.x = (int32_t)(is->offset_x - before.offset_x),
                                   .y = (int32_t)(is->offset_y - before.offset_y)};
        rp_edit_t edit;
        ck_assert(rp_engine_rewritten(engine, world, &edit));
        uint8_t bytes[MOST * MOST];
        const uint8_t *seen = rp_engine_bytes(engine, world);
        for (uint32_t i = 0; i < is->width * is->height; i++) {
            const int64_t x = (int64_t)moved.x + i % is->width;
            const int64_t y = (int64_t)moved.y + i / is->width;
            const bool is_old = x >= 0 && y >= 0 && x < width && y < height;
            bytes[i] = is_old ? was[y * width + x] : seen[i];
        }
        for (size_t i = 0; i < edit.cell_count; i++) {
            bytes[edit.cells[i]] = edit.values[i];
        }
        rewritten += edit.cell_count != 0;
        ck_assert_mem_eq(bytes, seen, (size_t)is->width * is->height);
        (void)shape(&width, &height);
    }
    ck_assert_uint_gt(rewritten, 10);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        an_offset_is_counted_along_the_yaw_of_the_world,
        whole_cells_count_from_the_origin_that_was_told_last,
        the_last_256_windows_are_known,
        after_a_thousand_shifts_of_parts_of_a_cell_each_wall_stands_where_it_was_written,
        bytes_come_with_the_window_or_nothing_does,
        rectangles_and_origins_that_cannot_be_are_refused,
    };
    const TTest *const walks[] = {an_offset_is_the_nearest_whole_number_of_cells_from_window_1,
                                  the_first_new_cell_that_nothing_states_is_found,
                                  after_any_windows_a_world_is_one_that_was_opened_so,
                                  what_shapes_rewrite_in_another_window_is_told};
    const int failed = rp_suite_run("windows: walks", walks, sizeof walks / sizeof walks[0],
                                    RP_ROUNDS(8), tear_down);
    return rp_suite_run("windows", tests, sizeof tests / sizeof tests[0], 1, tear_down) + failed;
}
