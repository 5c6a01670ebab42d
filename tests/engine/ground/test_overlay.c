/// Shapes over a world: what is seen after any walk of puts, moves, removals and writes beneath.
/// Which cells a shape covers is test_shape.c's.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ground/world_state.h"
#include "msgs/codec.h"
#include "tests/engine/scene.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define WIDTH  37u
#define HEIGHT 23u

static rp_world_t *world;
static rp_scene_t scene;
static rp_random_t rng;

static void tear_down(void)
{
    rp_world_destroy(&world);
    rp_scene_close(&scene);
}

static void open_world(bool wraps, rp_frame_t frame)
{
    const rp_world_options_t options = {
        .width = WIDTH, .height = HEIGHT, .neighbors = 8, .wraps = wraps, .frame = frame};
    ck_assert_int_eq(rp_world_new(&options, 1, NULL, &world), RP_OK);
}

static const rp_frame_t plain = {.resolution_m = 1.0};

static rp_status_t put(const rp_shape_t *shape)
{
    const rp_overlay_edit_t edit = {.shapes = shape, .shape_count = 1};
    return rp_world_overlay(world, &edit);
}

static void remove_shape(uint32_t id)
{
    const rp_overlay_edit_t edit = {.removed = &id, .removed_count = 1};
    ck_assert_int_eq(rp_world_overlay(world, &edit), RP_OK);
}

static void put_rectangle(uint32_t id, double left, double top, double right, double bottom,
                          uint8_t byte)
{
    const double x[] = {left, right, right, left};
    const double y[] = {top, top, bottom, bottom};
    const rp_shape_t shape = {.id = id, .corners = 4, .x_m = x, .y_m = y, .byte = byte};
    ck_assert_int_eq(put(&shape), RP_OK);
}

static void put_disc(uint32_t id, double x, double y, double radius, uint8_t byte)
{
    const rp_shape_t shape = {
        .id = id, .corners = 1, .x_m = &x, .y_m = &y, .radius_m = radius, .byte = byte};
    ck_assert_int_eq(put(&shape), RP_OK);
}

static uint8_t byte_at(uint32_t x, uint32_t y)
{
    return world->bytes[y * WIDTH + x];
}

static unsigned count_bytes(uint8_t byte)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        count += world->bytes[i] == byte;
    }
    return count;
}

static void write_rectangle(uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint8_t byte)
{
    const rp_edit_t edit = {.x = x, .y = y, .width = width, .height = height, .fill = byte};
    ck_assert_int_eq(rp_world_write(world, &edit), RP_OK);
}

// ---- where

START_TEST(shapes_are_metres_of_the_frame)
{
    open_world(false, (rp_frame_t){.resolution_m = 0.5,
                                   .origin_x_m = 10.0,
                                   .origin_y_m = 20.0,
                                   .origin_yaw = acos(0.0)}); // x of the cells is y of the frame
    put_disc(1, 10.0 - 2.25, 20.0 + 5.25, 0.2, 9);
    ck_assert_uint_eq(byte_at(10, 4), 9);
    ck_assert_uint_eq(count_bytes(9), 1);
}
END_TEST

/// A shape whose corners lie on borders, its centre on borders or middles, in cells.
typedef struct figure {
    double x[5];
    double y[5];
    uint32_t corners;
    double radius;
} figure_t;

static figure_t random_figure(void)
{
    figure_t figure = {.corners = rp_random_between(&rng, 2, 5)};
    for (uint32_t i = 0; i < figure.corners; i++) {
        figure.x[i] = rp_random_below(&rng, 24) - 2.0;
        figure.y[i] = rp_random_below(&rng, 16) - 2.0;
    }
    if (figure.corners == 2) {
        figure.corners = 1;
        figure.x[0] += rp_random_below(&rng, 2) / 2.0;
        figure.y[0] += rp_random_below(&rng, 2) / 2.0;
        figure.radius = rp_random_below(&rng, 12) / 2.0;
    }
    return figure;
}

/// Put a figure in the metres that a program computes for it.
static void put_figure(const figure_t *figure)
{
    const rp_frame_t *frame = &world->frame;
    const double cosine = cos(frame->origin_yaw);
    const double sine = sin(frame->origin_yaw);
    double x[5];
    double y[5];
    for (uint32_t i = 0; i < figure->corners; i++) {
        const double east = figure->x[i] * frame->resolution_m;
        const double north = figure->y[i] * frame->resolution_m;
        x[i] = frame->origin_x_m + east * cosine - north * sine;
        y[i] = frame->origin_y_m + east * sine + north * cosine;
    }
    const rp_shape_t shape = {.id = 1,
                              .corners = figure->corners,
                              .x_m = x,
                              .y_m = y,
                              .radius_m = figure->radius * frame->resolution_m,
                              .byte = 9};
    ck_assert_int_eq(put(&shape), RP_OK);
}

/// Random figures on borders cover the same cells as in a frame that needs no rounding.
static void play_figures(rp_frame_t frame, bool wraps)
{
    enum {
        FIGURES = 60
    };
    static uint8_t plainly[FIGURES][WIDTH * HEIGHT];
    const rp_random_t again = rng;
    open_world(wraps, plain);
    for (unsigned i = 0; i < FIGURES; i++) {
        const figure_t figure = random_figure();
        put_figure(&figure);
        memcpy(plainly[i], world->bytes, sizeof plainly[i]);
    }
    tear_down();
    rng = again;
    open_world(wraps, frame);
    for (unsigned i = 0; i < FIGURES; i++) {
        const figure_t figure = random_figure();
        put_figure(&figure);
        ck_assert_msg(memcmp(plainly[i], world->bytes, sizeof plainly[i]) == 0,
                      "figure %u of %u corners: others at %g, %g, %g, %g m a cell", i,
                      figure.corners, frame.origin_x_m, frame.origin_y_m, frame.origin_yaw,
                      frame.resolution_m);
    }
    tear_down();
}

START_TEST(what_is_drawn_on_borders_covers_the_same_cells_in_every_frame)
{
    static const double resolutions[] = {1.0, 0.05, 0.1, 0.25, 0.3};
    static const double yaws[] = {0.0, 0.3, 1.5707963267948966, 2.5};
    static const double origins[][2] = {
        {0.0, 0.0}, {-10.3, 2.2}, {452000.25, 5411000.5}, {1e9, -1e9}};
    rng = (rp_random_t){7};
    for (unsigned i = 0; i < 5u * 4u * 4u; i++) {
        play_figures((rp_frame_t){resolutions[i % 5u], origins[i / 20u][0], origins[i / 20u][1],
                                  yaws[i / 5u % 4u]},
                     i % 3u == 0);
    }
}
END_TEST

START_TEST(a_building_of_two_by_three_cells_is_six_wherever_it_stands)
{
    open_world(false, (rp_frame_t){.resolution_m = 0.05, .origin_x_m = -10.3, .origin_y_m = 3.1});
    for (uint32_t x = 0; x + 2u <= WIDTH; x++) {
        for (uint32_t y = 0; y + 3u <= HEIGHT; y++) {
            const double left = (-1030 + 5 * (int)x) / 100.0; // decimals, as people write them
            const double top = (310 + 5 * (int)y) / 100.0;
            put_rectangle(1, left, top, (-1020 + 5 * (int)x) / 100.0, (325 + 5 * (int)y) / 100.0,
                          9);
            RP_EACH_EQ(count_bytes(9), 6);
            RP_EACH(byte_at(x, y) == 9 && byte_at(x + 1u, y + 2u) == 9);
        }
    }
}
END_TEST

START_TEST(a_shape_goes_over_the_seam_of_a_world_that_wraps)
{
    open_world(true, plain);
    put_rectangle(1, -2.0, -1.0, 1.0, 2.0, 9);
    ck_assert_uint_eq(count_bytes(9), 9);
    ck_assert_uint_eq(byte_at(WIDTH - 2u, HEIGHT - 1u), 9);
    ck_assert_uint_eq(byte_at(0, 1), 9);
    put_disc(1, 3.0 * WIDTH + 5.5, -2.0 * HEIGHT + 6.5, 0.4, 9);
    ck_assert_uint_eq(count_bytes(9), 1);
    ck_assert_uint_eq(byte_at(5, 6), 9);
    const double x[] = {0.0, RP_GRID_SIDE_MAX + 1.0, 0.0};
    const double y[] = {0.0, 0.0, 5.0};
    const rp_shape_t large = {.id = 2, .corners = 3, .x_m = x, .y_m = y};
    ck_assert_int_eq(put(&large), RP_E_INVALID);
    ck_assert_uint_eq(count_bytes(9), 1);
}
END_TEST

START_TEST(a_number_too_large_to_count_in_cells_is_refused)
{
    open_world(true, (rp_frame_t){.resolution_m = 1e-9});
    const double far_off = 1e300;
    const rp_shape_t shape = {.id = 1, .corners = 1, .x_m = &far_off, .y_m = &far_off};
    ck_assert_int_eq(put(&shape), RP_E_INVALID);
    ck_assert_uint_eq(world->version, 1);
}
END_TEST

// ---- the stack

START_TEST(the_topmost_shape_is_seen_and_the_ground_comes_back)
{
    open_world(false, plain);
    put_rectangle(1, 0.0, 0.0, 3.0, 1.0, 5);
    put_rectangle(2, 1.0, 0.0, 2.0, 1.0, 6);
    ck_assert_uint_eq(byte_at(1, 0), 6);
    put_rectangle(1, 1.0, 0.0, 4.0, 1.0, 7); // keeps its place below
    ck_assert_uint_eq(byte_at(0, 0), 1);
    ck_assert_uint_eq(byte_at(1, 0), 6);
    ck_assert_uint_eq(byte_at(2, 0), 7);
    write_rectangle(0, 0, 3, 1, 0);
    ck_assert_uint_eq(byte_at(0, 0), 0);
    ck_assert_uint_eq(byte_at(1, 0), 6);
    remove_shape(2);
    ck_assert_uint_eq(byte_at(1, 0), 7);
    remove_shape(1);
    ck_assert_uint_eq(byte_at(1, 0), 0);
    ck_assert_uint_eq(byte_at(3, 0), 1);
    ck_assert_ptr_null(world->overlay.base); // without shapes there is no second copy
}
END_TEST

START_TEST(a_shape_goes_when_its_time_is_over)
{
    open_world(false, plain);
    const double at = 4.5;
    const rp_shape_t shapes[] = {
        {.id = 1, .corners = 1, .x_m = &at, .y_m = &at, .byte = 5, .expires_us = 1000},
        {.id = 2, .corners = 1, .x_m = &at, .y_m = &at, .byte = 6, .expires_us = 500},
    };
    const rp_overlay_edit_t edit = {.shapes = shapes, .shape_count = 2};
    ck_assert_int_eq(rp_world_overlay(world, &edit), RP_OK);
    ck_assert_uint_eq(world->version, 2);
    ck_assert_uint_eq(world->overlay.next_expiry_us, 500);
    ck_assert(!rp_world_expire(world, 499));
    ck_assert_uint_eq(byte_at(4, 4), 6);
    ck_assert(rp_world_expire(world, 500));
    ck_assert_uint_eq(byte_at(4, 4), 5);
    ck_assert_uint_eq(world->version, 3);
    ck_assert(rp_world_expire(world, 2000));
    ck_assert_uint_eq(byte_at(4, 4), 1);
    ck_assert(!rp_world_expire(world, UINT64_MAX - 1u));
    ck_assert_uint_eq(world->version, 4);
}
END_TEST

START_TEST(an_edit_that_is_refused_leaves_everything_as_it_was)
{
    open_world(false, plain);
    put_rectangle(1, 0.0, 0.0, 3.0, 1.0, 5);
    const double at[] = {4.5, NAN};
    const uint32_t removed = 1;
    const rp_shape_t bad[] = {
        {.id = 2, .corners = 1, .x_m = at, .y_m = at, .byte = 9},
        {.id = 3, .corners = 1, .x_m = at + 1, .y_m = at, .byte = 9},
    };
    const rp_overlay_edit_t edit = {
        .shapes = bad, .shape_count = 2, .removed = &removed, .removed_count = 1};
    ck_assert_int_eq(rp_world_overlay(world, &edit), RP_E_INVALID);
    const rp_shape_t line = {.id = 2, .corners = 2, .x_m = at, .y_m = at};
    ck_assert_int_eq(put(&line), RP_E_INVALID);
    const rp_shape_t negative = {.id = 2, .corners = 1, .x_m = at, .y_m = at, .radius_m = -1.0};
    ck_assert_int_eq(put(&negative), RP_E_INVALID);
    ck_assert_uint_eq(world->version, 2);
    ck_assert_uint_eq(count_bytes(5), 3);
    ck_assert_uint_eq(count_bytes(9), 0);
    write_rectangle(0, 0, 3, 1, 0);
    ck_assert_uint_eq(count_bytes(5), 3);
}
END_TEST

START_TEST(a_world_has_at_most_4096_shapes)
{
    open_world(false, plain);
    static rp_shape_t shapes[RP_SHAPES_MAX + 1u];
    const double at = 4.5;
    for (uint32_t i = 0; i <= RP_SHAPES_MAX; i++) {
        shapes[i] = (rp_shape_t){.id = i, .corners = 1, .x_m = &at, .y_m = &at, .byte = 5};
    }
    rp_overlay_edit_t edit = {.shapes = shapes, .shape_count = RP_SHAPES_MAX};
    ck_assert_int_eq(rp_world_overlay(world, &edit), RP_OK);
    ck_assert_int_eq(put(&shapes[RP_SHAPES_MAX]), RP_E_LIMIT);
    ck_assert_int_eq(put(&shapes[0]), RP_OK);
    // One that goes leaves a place, and no more: put again it is a new one. The first lies where
    // it is looked for first.
    const uint32_t places[] = {7, 0};
    for (size_t i = 0; i < 2; i++) {
        const rp_shape_t two[] = {shapes[places[i]], shapes[RP_SHAPES_MAX]};
        edit = (rp_overlay_edit_t){
            .shapes = two, .shape_count = 2, .removed = &two[0].id, .removed_count = 1};
        ck_assert_int_eq(rp_world_overlay(world, &edit), RP_E_LIMIT);
        edit.shape_count = 1;
        ck_assert_int_eq(rp_world_overlay(world, &edit), RP_OK);
        ck_assert_uint_eq(world->overlay.count, RP_SHAPES_MAX);
    }
    edit = (rp_overlay_edit_t){.clears = true, .shapes = &shapes[RP_SHAPES_MAX], .shape_count = 1};
    ck_assert_int_eq(rp_world_overlay(world, &edit), RP_OK);
    ck_assert_uint_eq(world->overlay.count, 1);
}
END_TEST

// ---- walks

enum {
    IDS = 6
};

/// What a shape covers, as its own world says that holds nothing else.
typedef struct model {
    uint8_t ground[WIDTH * HEIGHT];
    uint8_t covers[IDS][WIDTH * HEIGHT];
    uint8_t bytes[IDS];
    unsigned rank[IDS]; ///< 0: not there
    unsigned last_rank;
} model_t;

static uint8_t expected_at(const model_t *model, uint32_t i)
{
    unsigned top = 0;
    uint8_t byte = model->ground[i];
    for (unsigned id = 0; id < IDS; id++) {
        if (model->rank[id] > top && model->covers[id][i] != 0) {
            top = model->rank[id];
            byte = model->bytes[id];
        }
    }
    return byte;
}

/// Corners in order round a middle, near and far: any star, seldom convex.
static unsigned random_star(double *x, double *y)
{
    const unsigned corners = rp_random_between(&rng, 3, 9);
    const double middle_x = rp_random_below(&rng, 3700) / 100.0;
    const double middle_y = rp_random_below(&rng, 2300) / 100.0;
    for (unsigned i = 0; i < corners; i++) {
        const double angle = 6.283185307 * (i + rp_random_below(&rng, 80) / 100.0) / corners;
        const double radius = rp_random_below(&rng, 900) / 100.0;
        x[i] = middle_x + radius * cos(angle);
        y[i] = middle_y + radius * sin(angle);
        if (rp_random_chance(&rng, 30)) { // on the borders of cells
            x[i] = floor(x[i]);
            y[i] = floor(y[i]);
        }
    }
    return corners;
}

/// Put a random shape, in the world and in the model.
static void walk_put(model_t *model, unsigned id, bool wraps)
{
    double x[9];
    double y[9];
    rp_shape_t shape = {.id = id, .corners = random_star(x, y), .x_m = x, .y_m = y};
    if (rp_random_chance(&rng, 50)) {
        shape.corners = 1;
        shape.radius_m = rp_random_below(&rng, 600) / 100.0;
    }
    shape.byte = model->bytes[id] = (uint8_t)rp_random_below(&rng, 256);
    ck_assert_int_eq(put(&shape), RP_OK);
    rp_world_t *const kept = world;
    open_world(wraps, plain);
    shape.byte = 77;
    ck_assert_int_eq(put(&shape), RP_OK);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        model->covers[id][i] = world->bytes[i] == 77;
    }
    rp_world_destroy(&world);
    world = kept;
    model->rank[id] = model->rank[id] != 0 ? model->rank[id] : ++model->last_rank;
}

START_TEST(any_walk_shows_the_topmost_byte_of_each_cell)
{
    static model_t model;
    static uint8_t mirror[WIDTH * HEIGHT];
    rng = (rp_random_t){(uint64_t)_i};
    const bool wraps = _i % 2 != 0;
    open_world(wraps, plain);
    memset(&model, 0, sizeof model);
    memset(model.ground, 1, sizeof model.ground);
    memset(mirror, 1, sizeof mirror);
    for (int round = 0; round < 120; round++) {
        const unsigned id = rp_random_below(&rng, IDS);
        const bool was_bare = world->overlay.base == NULL;
        if (rp_random_chance(&rng, 40)) {
            walk_put(&model, id, wraps);
        } else if (rp_random_chance(&rng, 50)) {
            remove_shape(id);
            model.rank[id] = 0;
        } else {
            const uint32_t x = rp_random_below(&rng, WIDTH - 8u);
            const uint32_t y = rp_random_below(&rng, HEIGHT - 8u);
            const uint8_t byte = (uint8_t)rp_random_below(&rng, 256);
            write_rectangle(x, y, 8, 8, byte);
            for (uint32_t i = 0; i < 64; i++) {
                model.ground[(y + i / 8u) * WIDTH + x + i % 8u] = byte;
            }
        }
        for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
            ck_assert_msg(world->bytes[i] == expected_at(&model, i), "round %d: cell %u", round, i);
        }
        // What is kept of the version brings a mirror there.
        ck_assert(world->rewritten_is_kept || was_bare);
        for (size_t i = 0; i < world->rewritten_count && world->rewritten_is_kept; i++) {
            mirror[world->rewritten_cells[i]] = world->rewritten_values[i];
        }
        if (!world->rewritten_is_kept) {
            memcpy(mirror, world->bytes, sizeof mirror);
        }
        ck_assert_int_eq(memcmp(mirror, world->bytes, sizeof mirror), 0);
    }
}
END_TEST

// ---- many

/// Some shapes of any size, in one edit that also removes some.
static void walk_many(rp_world_t *const worlds[2], uint32_t side)
{
    enum {
        MOST = 20
    };
    double x[MOST];
    double y[MOST];
    uint32_t removed[3];
    rp_shape_t shapes[MOST];
    const uint32_t count = rp_random_below(&rng, MOST);
    const bool is_large = rp_random_chance(&rng, 30);
    for (uint32_t i = 0; i < count; i++) {
        x[i] = rp_random_below(&rng, side);
        y[i] = rp_random_below(&rng, side);
        shapes[i] = (rp_shape_t){.id = rp_random_below(&rng, 30),
                                 .corners = 1,
                                 .x_m = &x[i],
                                 .y_m = &y[i],
                                 .radius_m = rp_random_below(&rng, is_large ? side / 2u : 9u),
                                 .byte = (uint8_t)rp_random_below(&rng, 5)};
    }
    for (uint32_t i = 0; i < 3; i++) {
        removed[i] = rp_random_below(&rng, 30);
    }
    const rp_overlay_edit_t edit = {.shapes = shapes,
                                    .shape_count = count,
                                    .removed = removed,
                                    .removed_count = rp_random_below(&rng, 4),
                                    .clears = rp_random_chance(&rng, 10)};
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_int_eq(rp_world_overlay(worlds[i], &edit), RP_OK);
    }
}

static void follow(uint8_t *mirror, const rp_world_t *from)
{
    for (size_t i = 0; from->rewritten_is_kept && i < from->rewritten_count; i++) {
        mirror[from->rewritten_cells[i]] = from->rewritten_values[i];
    }
    if (!from->rewritten_is_kept) {
        memcpy(mirror, from->bytes, from->cells);
    }
}

START_TEST(shapes_laid_anew_show_what_their_rows_composed_show)
{
    static uint8_t mirror[800 * 800];
    const uint32_t side = _i % 3 == 0 ? 800 : 20 + 30 * (uint32_t)_i;
    const rp_world_options_t options = {.width = side,
                                        .height = side,
                                        .neighbors = 8,
                                        .wraps = _i % 2 != 0 && _i % 3 != 0,
                                        .is_filled = true,
                                        .fill = 1,
                                        .frame = plain,
                                        .cells_hash = rp_codec_cells_hash};
    rp_world_t *worlds[2];
    rng = (rp_random_t){(uint64_t)_i};
    memset(mirror, 1, sizeof mirror);
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_int_eq(rp_world_new(&options, 1, NULL, &worlds[i]), RP_OK);
        worlds[i]->overlay.composed_most = i == 0 ? 0 : SIZE_MAX;
    }
    for (int round = 0; round < 12; round++) {
        uint64_t budget = UINT64_MAX;
        walk_many(worlds, side);
        follow(mirror, worlds[0]);
        ck_assert_int_eq(memcmp(worlds[0]->bytes, worlds[1]->bytes, worlds[0]->cells), 0);
        ck_assert_int_eq(memcmp(mirror, worlds[0]->bytes, worlds[0]->cells), 0);
        for (unsigned i = 0; i < 2; i++) {
            (void)rp_world_count(worlds[i], &budget);
            ck_assert_int_eq(
                rp_layer_derive(worlds[i]->layers[0], worlds[i]->version, &(uint64_t){UINT64_MAX}),
                RP_OK);
        }
        ck_assert_uint_eq(worlds[0]->hash, worlds[1]->hash);
        ck_assert_uint_eq(worlds[0]->version, worlds[1]->version);
        const rp_grid_t *grids[2] = {worlds[0]->layers[0]->grid, worlds[1]->layers[0]->grid};
        ck_assert_int_eq(memcmp(grids[0]->factor, grids[1]->factor, grids[0]->cell_count), 0);
        if (worlds[0]->overlay.base != NULL) {
            ck_assert_int_eq(memcmp(worlds[0]->overlay.covered, worlds[1]->overlay.covered,
                                    worlds[0]->cells / 8u),
                             0);
        }
    }
    rp_world_destroy(&worlds[0]);
    rp_world_destroy(&worlds[1]);
}
END_TEST

// ---- sessions

START_TEST(sessions_walk_round_a_shape_that_moves_and_goes_by_itself)
{
    rp_scene_draw(&scene, "S.......G\n"
                          ".........\n"
                          ".........\n");
    uint64_t version = 0;
    (void)rp_scene_session(&scene, "astar", 0, 0, 8, 0);
    ck_assert_double_eq(rp_scene_answer(&scene).cost, 8.0);
    const double x[] = {4.0, 5.0, 5.0, 4.0};
    const double y[] = {0.0, 0.0, 3.0, 3.0};
    const rp_shape_t gate = {.corners = 4, .x_m = x, .y_m = y, .byte = 0, .expires_us = 50};
    const rp_overlay_edit_t edit = {.shapes = &gate, .shape_count = 1};
    ck_assert_int_eq(
        rp_engine_overlay(scene.engine, scene.world, &edit, (rp_cause_t){0, 0}, &version), RP_OK);
    ck_assert_uint_eq(version, 2);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_NO_PATH);
    ck_assert_uint_eq(rp_engine_next_us(scene.engine), 50);
    ck_assert(!rp_engine_step(scene.engine, 50, 100000));
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_uint_eq(answer.version, 3);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        shapes_are_metres_of_the_frame,
        what_is_drawn_on_borders_covers_the_same_cells_in_every_frame,
        a_building_of_two_by_three_cells_is_six_wherever_it_stands,
        a_shape_goes_over_the_seam_of_a_world_that_wraps,
        a_number_too_large_to_count_in_cells_is_refused,
        the_topmost_shape_is_seen_and_the_ground_comes_back,
        a_shape_goes_when_its_time_is_over,
        an_edit_that_is_refused_leaves_everything_as_it_was,
        a_world_has_at_most_4096_shapes,
        sessions_walk_round_a_shape_that_moves_and_goes_by_itself,
    };
    const TTest *const walks[] = {any_walk_shows_the_topmost_byte_of_each_cell};
    const TTest *const crowds[] = {shapes_laid_anew_show_what_their_rows_composed_show};
    const int failed = rp_suite_run("overlay: walks", walks, 1, 10, tear_down) +
                       rp_suite_run("overlay: crowds", crowds, 1, 10, tear_down);
    return rp_suite_run("overlay", tests, sizeof tests / sizeof tests[0], 1, tear_down) + failed;
}
