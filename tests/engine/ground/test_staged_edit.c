/// Drafts: what is made ready in slices is what is written in one go, and nobody sees half of it.
#include "engine/ground/staged_edit.h"

#include <string.h>

#include "msgs/codec.h"
#include "tests/engine/scene.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define WIDTH  400u
#define HEIGHT 300u
#define CELLS  (WIDTH * HEIGHT)

static rp_world_t *world;    ///< is told by drafts
static rp_world_t *snapshot; ///< is told in one go
static rp_staged_edit_t *staged_edit;
static uint8_t bytes[CELLS];
static uint32_t cells[CELLS];
static rp_random_t chance;

static void tear_down(void)
{
    rp_staged_edit_destroy(&staged_edit);
    rp_world_destroy(&world);
    rp_world_destroy(&snapshot);
}

static void open_worlds(void)
{
    const rp_world_options_t options = {.width = WIDTH,
                                        .height = HEIGHT,
                                        .neighbors = 8,
                                        .frame = {.resolution_m = 1.0},
                                        .cells_hash = rp_codec_cells_hash};
    ck_assert_int_eq(rp_world_new(&options, 1, NULL, &world), RP_OK);
    ck_assert_int_eq(rp_world_new(&options, 1, NULL, &snapshot), RP_OK);
}

static void finish(rp_world_t *self)
{
    uint64_t budget = UINT64_MAX;
    rp_scene_derive(self);
    (void)rp_world_count(self, &budget);
}

static void expect_same(void)
{
    const rp_grid_t *is = world->layers[0]->grid;
    const rp_grid_t *should = snapshot->layers[0]->grid;
    finish(world);
    finish(snapshot);
    ck_assert_uint_eq(world->version, snapshot->version);
    ck_assert_uint_eq(world->hash, snapshot->hash);
    ck_assert_uint_eq(world->cells, snapshot->cells);
    ck_assert_int_eq(memcmp(world->bytes, snapshot->bytes, snapshot->cells), 0);
    ck_assert_uint_eq(world->overlay.count, snapshot->overlay.count);
    ck_assert((world->overlay.base == NULL) == (snapshot->overlay.base == NULL));
    if (snapshot->overlay.base != NULL) {
        ck_assert_int_eq(memcmp(world->overlay.base, snapshot->overlay.base, snapshot->cells), 0);
    }
    for (uint32_t y = 0; y < should->shape.height; y++) {
        for (uint32_t x = 0; x < should->shape.width; x++) {
            const rp_cell_t cell = rp_grid_cell(is, x, y);
            RP_EACH_EQ(is->factor[cell], should->factor[cell]);
            RP_EACH_EQ(is->moves[cell], should->moves[cell]);
        }
    }
}

static uint32_t below(uint32_t limit)
{
    return rp_random_below(&chance, limit);
}

/// Large or small, a rectangle or single cells or both.
static rp_edit_t some_edit(void)
{
    const bool is_wide = below(2) == 0;
    rp_edit_t edit = {.fill = (uint8_t)below(2), .value = (uint8_t)below(2)};
    if (below(4) != 0) {
        edit.x = is_wide ? 0 : below(WIDTH);
        edit.y = below(HEIGHT);
        edit.width = is_wide ? WIDTH : 1u + below(WIDTH - edit.x);
        edit.height = 1u + below(HEIGHT - edit.y);
        edit.data = below(2) == 0 ? bytes : NULL;
    }
    if (edit.width == 0 || below(3) == 0) {
        edit.cell_count = 1u + below(below(2) == 0 ? 50 : CELLS);
        edit.cells = cells;
        edit.values = below(2) == 0 ? bytes : NULL;
    }
    const uint32_t dense = 1u + below(100);
    for (uint32_t i = 0; i < CELLS; i++) {
        bytes[i] = below(dense) != 0;
        cells[i] = below(CELLS);
    }
    return edit;
}

static void begin_of(const rp_staged_kind_t *what)
{
    rp_staged_edit_destroy(&staged_edit);
    ck_assert_int_eq(rp_staged_edit_new(world, what, &staged_edit), RP_OK);
}

static void begin(const rp_edit_t *edit)
{
    begin_of(&(rp_staged_kind_t){.edit = edit});
}

static void work(uint64_t each)
{
    uint64_t budget = each;
    while (rp_staged_edit_work(staged_edit, &budget)) {
        budget = each;
    }
}

static void apply(rp_edit_t *edit)
{
    ck_assert_int_eq(rp_world_write(snapshot, edit), RP_OK);
    edit->staged_edit = staged_edit;
    ck_assert_int_eq(rp_world_write(world, edit), RP_OK);
    edit->staged_edit = NULL;
}

START_TEST(drafts_come_to_what_is_written_in_one_go)
{
    chance.state = (uint64_t)_i + 1u;
    open_worlds();
    for (unsigned i = 0; i < 8; i++) {
        rp_edit_t edit = some_edit();
        begin(&edit);
        work(1u + below(300));
        ck_assert(rp_staged_edit_is_ready(staged_edit));
        apply(&edit);
        expect_same();
    }
}
END_TEST

// ---- shapes and windows

#define SHAPES 20u

/// Discs under few ids, so that some take the place of others; now and then all go first.
static rp_overlay_edit_t some_shapes(void)
{
    static rp_shape_t shapes[SHAPES];
    static double x[SHAPES];
    static double y[SHAPES];
    static uint32_t removed[3];
    const uint32_t count = 1u + below(SHAPES);
    for (uint32_t i = 0; i < count; i++) {
        x[i] = below(WIDTH);
        y[i] = below(HEIGHT);
        shapes[i] = (rp_shape_t){.id = below(2u * SHAPES),
                                 .corners = 1,
                                 .x_m = &x[i],
                                 .y_m = &y[i],
                                 .radius_m = below(below(8) == 0 ? 100 : 9),
                                 .expires_us = below(2) * 1000u,
                                 .byte = (uint8_t)below(3)};
    }
    for (uint32_t i = 0; i < 3; i++) {
        removed[i] = below(2u * SHAPES);
    }
    return (rp_overlay_edit_t){.shapes = shapes,
                               .shape_count = count,
                               .removed = removed,
                               .removed_count = below(4),
                               .clears = below(4) == 0};
}

static void put(rp_overlay_edit_t *edit)
{
    ck_assert_int_eq(rp_world_overlay(snapshot, edit), RP_OK);
    edit->staged_edit = staged_edit;
    ck_assert_int_eq(rp_world_overlay(world, edit), RP_OK);
    edit->staged_edit = NULL;
}

static void remove_shapes(void)
{
    rp_overlay_edit_t edit = {.clears = true};
    ck_assert_int_eq(rp_world_overlay(snapshot, &edit), RP_OK);
    ck_assert_int_eq(rp_world_overlay(world, &edit), RP_OK);
}

START_TEST(shapes_that_were_staged_come_to_those_that_are_put_in_one_go)
{
    chance.state = (uint64_t)_i + 1u;
    open_worlds();
    for (unsigned i = 0; i < 8; i++) {
        rp_overlay_edit_t edit = some_shapes();
        begin_of(&(rp_staged_kind_t){.overlay = &edit});
        work(1u + below(300));
        ck_assert(rp_staged_edit_is_ready(staged_edit));
        put(&edit);
        ck_assert_uint_eq(world->overlay.next_expiry_us, snapshot->overlay.next_expiry_us);
        expect_same();
        if (below(3) == 0) {
            remove_shapes();
            expect_same();
        }
    }
}
END_TEST

START_TEST(a_version_between_makes_shapes_as_if_there_were_no_staged_edit)
{
    chance.state = 1;
    open_worlds();
    const rp_edit_t between = {.width = WIDTH, .height = 3, .fill = 0};
    rp_overlay_edit_t edit = some_shapes();
    begin_of(&(rp_staged_kind_t){.overlay = &edit});
    work(1000);
    ck_assert_int_eq(rp_world_write(world, &between), RP_OK);
    ck_assert_int_eq(rp_world_write(snapshot, &between), RP_OK);
    ck_assert(!rp_staged_edit_serves(staged_edit, world));
    put(&edit);
    expect_same();
}
END_TEST

START_TEST(a_shape_that_is_none_is_refused_as_ever)
{
    open_worlds();
    const double at[2] = {5.0, 6.0};
    const rp_shape_t shape = {.corners = 2, .x_m = at, .y_m = at};
    rp_overlay_edit_t edit = {.shapes = &shape, .shape_count = 1};
    begin_of(&(rp_staged_kind_t){.overlay = &edit});
    work(1000);
    ck_assert(!rp_staged_edit_is_ready(staged_edit));
    edit.staged_edit = staged_edit;
    ck_assert_int_eq(rp_world_overlay(world, &edit), RP_E_INVALID);
    ck_assert_ptr_null(world->overlay.base);
    expect_same();
}
END_TEST

START_TEST(the_time_of_a_staged_shape_begins_when_it_is_put)
{
    open_worlds();
    const double at = 5.0;
    rp_shape_t shape = {
        .id = 1, .corners = 1, .x_m = &at, .y_m = &at, .radius_m = 2.0, .expires_us = 1000};
    rp_overlay_edit_t edit = {.shapes = &shape, .shape_count = 1};
    begin_of(&(rp_staged_kind_t){.overlay = &edit});
    work(1000);
    shape.expires_us = 5000; // it took that long
    put(&edit);
    ck_assert_uint_eq(world->overlay.next_expiry_us, 5000);
    ck_assert(!rp_world_expire(world, 4999));
    ck_assert(rp_world_expire(world, 5000));
}
END_TEST

START_TEST(staged_shapes_count_with_those_that_lie_there)
{
    const uint32_t side = 4096; // its cells are as many as shapes may cover
    const rp_world_options_t options = {
        .width = side, .height = side, .neighbors = 8, .frame = {.resolution_m = 1.0}};
    ck_assert_int_eq(rp_world_new(&options, 1, NULL, &world), RP_OK);
    const double x[] = {0.0, side, side, 0.0};
    const double y[] = {0.0, 0.0, side / 2.0, side / 2.0};
    const double higher[] = {0.0, 0.0, side / 2.0 + 1.0, side / 2.0 + 1.0};
    const rp_shape_t half = {.id = 1, .corners = 4, .x_m = x, .y_m = y};
    const rp_shape_t more = {.id = 2, .corners = 4, .x_m = x, .y_m = higher};
    rp_overlay_edit_t edit = {.shapes = &half, .shape_count = 1};
    ck_assert_int_eq(rp_world_overlay(world, &edit), RP_OK);
    edit.shapes = &more;
    begin_of(&(rp_staged_kind_t){.overlay = &edit});
    work(100000);
    ck_assert(rp_staged_edit_is_ready(staged_edit));
    edit.staged_edit = staged_edit;
    ck_assert_int_eq(rp_world_overlay(world, &edit), RP_E_LIMIT);
    ck_assert_uint_eq(world->overlay.count, 1);
}
END_TEST

static uint32_t rects[8];

/// One of three states bytes of its own, and another one is told in metres.
static rp_window_t some_window(void)
{
    rp_window_t window = {.x = (int32_t)below(40) - 20,
                          .y = (int32_t)below(40) - 20,
                          .width = below(3) == 0 ? WIDTH : WIDTH - 30u + below(60),
                          .height = below(3) == 0 ? HEIGHT : HEIGHT - 30u + below(60),
                          .is_told = below(3) == 0,
                          .origin_x_m = world->frame.origin_x_m + below(300) / 10.0 - 15.0,
                          .origin_y_m = world->frame.origin_y_m + below(300) / 10.0 - 15.0,
                          .is_filled = below(2) == 0,
                          .fill = (uint8_t)below(3)};
    if (window.is_filled && below(3) != 0) {
        for (unsigned i = 0; i < 2; i++) {
            rects[4u * i] = below(20);
            rects[4u * i + 1u] = below(20);
            rects[4u * i + 2u] = 1u + below(30);
            rects[4u * i + 3u] = 1u + below(30);
        }
        window.rects = rects;
        window.rect_count = 2;
        window.rect_data = bytes;
    }
    return window;
}

static void become_one(rp_world_t *one, const rp_window_t *window)
{
    rp_world_t *before;
    rp_placed_t placed;
    ck_assert_int_eq(rp_windows_place(&one->windows, &one->frame, window, &placed), RP_OK);
    ck_assert_int_eq(rp_world_resize(one, &placed, &before), RP_OK);
    rp_world_destroy(&before);
}

static void become(rp_window_t *window)
{
    become_one(snapshot, window);
    window->staged_edit = staged_edit;
    become_one(world, window);
}

START_TEST(windows_that_were_staged_come_to_those_that_are_made_in_one_go)
{
    chance.state = (uint64_t)_i + 1u;
    open_worlds();
    rp_edit_t edit = {.width = WIDTH, .height = HEIGHT, .data = bytes};
    for (uint32_t i = 0; i < CELLS; i++) {
        bytes[i] = (uint8_t)below(3);
    }
    apply(&edit);
    for (unsigned i = 0; i < 6; i++) {
        rp_window_t window = some_window();
        const rp_grid_shape_t *shape = &world->layers[0]->grid->shape;
        if (window.width == shape->width && window.height == shape->height &&
            window.rect_count == 0) {
            continue;
        }
        begin_of(&(rp_staged_kind_t){.window = &window});
        work(1u + below(300));
        ck_assert(rp_staged_edit_serves(staged_edit, world));
        become(&window);
        expect_same();
    }
}
END_TEST

START_TEST(a_window_with_nothing_to_be_made_ready_has_no_staged_edit)
{
    open_worlds();
    rp_window_t window = {.x = 5, .width = WIDTH, .height = HEIGHT};
    const rp_staged_kind_t what = {.window = &window};
    ck_assert_int_eq(rp_staged_edit_new(world, &what, &staged_edit), RP_E_UNSUPPORTED);
    window.width = 0;
    ck_assert_int_eq(rp_staged_edit_new(world, &what, &staged_edit), RP_E_INVALID);
    rp_overlay_edit_t edit = {.clears = true};
    ck_assert_int_eq(rp_staged_edit_new(world, &(rp_staged_kind_t){.overlay = &edit}, &staged_edit),
                     RP_E_UNSUPPORTED);
    chance.state = 1;
    edit = some_shapes();
    put(&edit);
    window.width = WIDTH + 5u;
    ck_assert_int_eq(rp_staged_edit_new(world, &what, &staged_edit), RP_E_UNSUPPORTED);
    ck_assert_ptr_null(staged_edit);
    ck_assert_ptr_null(world->staged_edit);
}
END_TEST

START_TEST(nobody_sees_a_staged_edit_before_it_is_applied)
{
    chance.state = 1;
    open_worlds();
    rp_edit_t edit = {.width = WIDTH, .height = HEIGHT, .fill = 0};
    begin(&edit);
    uint64_t budget = 100;
    ck_assert(rp_staged_edit_work(staged_edit, &budget));
    expect_same();
    work(100);
    expect_same();
    apply(&edit);
    expect_same();
}
END_TEST

START_TEST(what_comes_between_makes_a_staged_edit_void)
{
    open_worlds();
    for (unsigned round = 0; round < 3; round++) {
        const rp_edit_t between = {.x = 7 + round, .y = 8, .width = 2, .height = 2, .fill = 0};
        rp_edit_t edit = {.width = WIDTH, .height = HEIGHT - 20u, .y = 20, .fill = round % 2u};
        uint64_t budget = 100;
        begin(&edit);
        ck_assert(rp_staged_edit_work(staged_edit, &budget) && round < 2);
        if (round == 1) {
            work(100);
        }
        ck_assert_int_eq(rp_world_write(world, &between), RP_OK);
        ck_assert_int_eq(rp_world_write(snapshot, &between), RP_OK);
        ck_assert(!rp_staged_edit_is_ready(staged_edit));
        budget = 1000;
        ck_assert(!rp_staged_edit_work(staged_edit, &budget));
        apply(&edit);
        expect_same();
        if (round == 1) {
            break;
        }
    }
}
END_TEST

START_TEST(a_cell_outside_is_refused_as_ever)
{
    open_worlds();
    cells[0] = 5;
    cells[1] = CELLS;
    rp_edit_t edit = {.cells = cells, .cell_count = 2};
    begin(&edit);
    work(10);
    ck_assert(!rp_staged_edit_is_ready(staged_edit));
    edit.staged_edit = staged_edit;
    ck_assert_int_eq(rp_world_write(world, &edit), RP_E_INVALID);
    expect_same();
}
END_TEST

/// Behind the cells of the edit stand others, which are none of the world.
START_TEST(no_cell_behind_those_of_an_edit_is_written_whatever_the_budget)
{
    enum {
        COUNT = 24,
        BUDGETS = 64
    };
    open_worlds();
    for (uint32_t i = 0; i < COUNT + BUDGETS; i++) {
        cells[i] = i < COUNT ? i * WIDTH : UINT32_MAX;
    }
    const rp_edit_t edit = {.cells = cells, .cell_count = COUNT};
    for (uint64_t each = 1; each <= BUDGETS; each++) {
        begin(&edit);
        work(each);
        ck_assert(rp_staged_edit_is_ready(staged_edit));
    }
}
END_TEST

START_TEST(a_staged_edit_outlives_its_world_and_one_that_takes_its_place)
{
    open_worlds();
    rp_edit_t edit = {.width = WIDTH, .height = HEIGHT, .fill = 0};
    rp_staged_edit_t *later;
    uint64_t budget = 50;
    begin(&edit);
    ck_assert_int_eq(rp_staged_edit_new(world, &(rp_staged_kind_t){.edit = &edit}, &later), RP_OK);
    ck_assert(!rp_staged_edit_work(staged_edit, &budget));
    rp_world_destroy(&world);
    ck_assert(!rp_staged_edit_work(later, &budget));
    rp_staged_edit_destroy(&later);
    rp_staged_edit_destroy(&staged_edit);
}
END_TEST

START_TEST(a_staged_edit_of_an_unfilled_world_needs_its_bytes)
{
    const rp_world_options_t options = {.width = 1100,
                                        .height = 1000,
                                        .neighbors = 4,
                                        .is_filled = true,
                                        .fill = 3,
                                        .frame = {.resolution_m = 1.0}};
    ck_assert_int_eq(rp_world_new(&options, 1, NULL, &world), RP_OK);
    rp_edit_t edit = {.x = 1, .width = 1099, .height = 500, .fill = 2};
    begin(&edit);
    work(1000);
    edit.staged_edit = staged_edit;
    ck_assert_int_eq(rp_world_write(world, &edit), RP_OK);
    rp_world_complete(world);
    for (uint32_t i = 0; i < 1100u * 1000u; i++) {
        RP_EACH_EQ(world->bytes[i], i % 1100u != 0 && i < 1100u * 500u ? 2 : 3);
    }
}
END_TEST

START_TEST(a_window_staged_of_an_unfilled_world_keeps_none_of_its_unfilled_parts)
{
    // Only some unfilled bytes are needed for the window; no other is written into it.
    const rp_world_options_t options = {.width = 1100,
                                        .height = 1000,
                                        .neighbors = 4,
                                        .is_filled = true,
                                        .fill = 3,
                                        .frame = {.resolution_m = 1.0}};
    ck_assert_int_eq(rp_world_new(&options, 1, NULL, &world), RP_OK);
    rp_window_t window = {.y = 600, .width = 1200, .height = 1000, .is_filled = true, .fill = 2};
    begin_of(&(rp_staged_kind_t){.window = &window});
    work(1000);
    ck_assert(rp_staged_edit_serves(staged_edit, world));
    window.staged_edit = staged_edit;
    become_one(world, &window);
    rp_world_complete(world);
    for (uint32_t i = 0; i < 1200u * 1000u; i++) {
        RP_EACH_EQ(world->bytes[i], i % 1200u < 1100u && i < 1200u * 400u ? 3 : 2);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        nobody_sees_a_staged_edit_before_it_is_applied,
        what_comes_between_makes_a_staged_edit_void,
        a_cell_outside_is_refused_as_ever,
        no_cell_behind_those_of_an_edit_is_written_whatever_the_budget,
        a_staged_edit_outlives_its_world_and_one_that_takes_its_place,
        a_staged_edit_of_an_unfilled_world_needs_its_bytes,
        a_window_staged_of_an_unfilled_world_keeps_none_of_its_unfilled_parts,
        a_version_between_makes_shapes_as_if_there_were_no_staged_edit,
        the_time_of_a_staged_shape_begins_when_it_is_put,
        staged_shapes_count_with_those_that_lie_there,
        a_shape_that_is_none_is_refused_as_ever,
        a_window_with_nothing_to_be_made_ready_has_no_staged_edit,
    };
    const TTest *const by_chance[] = {
        drafts_come_to_what_is_written_in_one_go,
        shapes_that_were_staged_come_to_those_that_are_put_in_one_go,
        windows_that_were_staged_come_to_those_that_are_made_in_one_go,
    };
    int failed = rp_suite_run("staged_edit", tests, sizeof tests / sizeof tests[0], 1, tear_down);
    failed += rp_suite_run("staged_edit: by chance", by_chance,
                           sizeof by_chance / sizeof by_chance[0], RP_ROUNDS(30), tear_down);
    return failed;
}
