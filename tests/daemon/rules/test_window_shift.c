/// Changes for older windows, held against one cell after the other.
#include "daemon/rules/window_shift.h"

#include <string.h>

#include "daemon/process/log.h"
#include "msgs/request.h"
#include "tests/daemon/wire.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define MOST 8u ///< a side of a window

static rp_random_t rng = {17};
static rp_message_arena_t arena;
static rp_refusal_t refusal;
static rp_wire_t wire;

static void tear_down(void)
{
    rp_message_arena_fini(&arena);
    if (wire.last != NULL) {
        rp_wire_close(&wire);
    }
}

static rp_known_window_t some_window(uint64_t number)
{
    rp_known_window_t window = {.number = number};
    window.offset_x = (int64_t)rp_random_below(&rng, 13) - 6;
    window.offset_y = (int64_t)rp_random_below(&rng, 13) - 6;
    window.width = rp_random_between(&rng, 1, MOST);
    window.height = rp_random_between(&rng, 1, MOST);
    return window;
}

/// Two windows, and one between.
static rp_window_shift_t some_shift(rp_known_window_t *between)
{
    rp_window_shift_t shift = {.from = some_window(3), .to = some_window(5)};
    *between = some_window(4);
    shift.right = shift.to.width;
    shift.bottom = shift.to.height;
    rp_window_shift_narrow(&shift, &shift.from);
    rp_window_shift_narrow(&shift, between);
    return shift;
}

static bool holds(const rp_known_window_t *window, int64_t x, int64_t y)
{
    return x >= window->offset_x && x < window->offset_x + window->width && y >= window->offset_y &&
           y < window->offset_y + window->height;
}

/// Where a cell of the older window is in the newest. @return false when it lay outside of one
static bool place(const rp_window_shift_t *shift, const rp_known_window_t *between, uint32_t x,
                  uint32_t y, uint32_t *moved)
{
    const int64_t at_x = shift->from.offset_x + x;
    const int64_t at_y = shift->from.offset_y + y;
    *moved = (uint32_t)((at_y - shift->to.offset_y) * shift->to.width + at_x - shift->to.offset_x);
    return holds(&shift->to, at_x, at_y) && holds(between, at_x, at_y) &&
           holds(&shift->from, at_x, at_y);
}

START_TEST(a_cell_is_the_same_place_in_each_window_or_is_dropped)
{
    for (unsigned round = 0; round < 2000; round++) {
        rp_known_window_t between;
        const rp_window_shift_t shift = some_shift(&between);
        const uint32_t cells = shift.from.width * shift.from.height;
        for (uint32_t cell = 0; cell < cells + 2u * shift.from.width; cell++) {
            uint32_t moved = UINT32_MAX;
            uint32_t should;
            const bool is_there =
                place(&shift, &between, cell % shift.from.width, cell / shift.from.width, &should);
            RP_EACH_EQ(rp_window_shift_cell(&shift, cell, &moved), is_there);
            RP_EACH_EQ(moved, is_there ? should : UINT32_MAX);
        }
    }
}
END_TEST

/// A rectangle, its bytes numbered, lands where each of its cells would.
START_TEST(a_rectangle_is_cut_to_what_lies_in_each_window)
{
    static uint8_t bytes[MOST * MOST];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i + 1u);
    }
    for (unsigned round = 0; round < 4000; round++) {
        uint8_t is[MOST * MOST] = {0};
        uint8_t should[MOST * MOST] = {0};
        uint64_t dropped = 0;
        rp_known_window_t between;
        const rp_window_shift_t shift = some_shift(&between);
        rp_edit_t edit = {.x = rp_random_below(&rng, shift.from.width)};
        edit.y = rp_random_below(&rng, shift.from.height);
        edit.width = rp_random_below(&rng, shift.from.width - edit.x + 1u);
        edit.height = rp_random_below(&rng, shift.from.height - edit.y + 1u);
        const bool has_data = rp_random_chance(&rng, 70);
        edit.data = has_data ? bytes : NULL;
        for (uint32_t i = 0; i < edit.width * edit.height; i++) {
            uint32_t moved;
            if (place(&shift, &between, edit.x + i % edit.width, edit.y + i / edit.width, &moved)) {
                should[moved] = has_data ? bytes[i] : 1u;
            } else {
                dropped++;
            }
        }
        RP_EACH_EQ(rp_window_shift_rectangle(&shift, &edit), dropped);
        RP_EACH(edit.data != NULL || !has_data || edit.width == 0);
        RP_EACH((edit.width == 0) == (edit.height == 0));
        RP_EACH(edit.width != 0 || (edit.x == 0 && edit.y == 0 && edit.data == NULL));
        for (uint32_t i = 0; i < edit.width * edit.height; i++) {
            const uint32_t x = i % edit.width;
            const uint32_t y = i / edit.width;
            is[(edit.y + y) * shift.to.width + edit.x + x] =
                has_data ? edit.data[y * edit.stride + x] : 1u;
        }
        RP_EACH(memcmp(is, should, sizeof is) == 0);
    }
}
END_TEST

// ---- whole changes

static uint32_t cells[MOST * MOST];
static uint8_t values[MOST * MOST];

/// A change of single cells, each with a value of its own or all with one.
static Replan__V1__Change change_of(size_t count, size_t value_count)
{
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    change.n_cells = count;
    change.cells = cells;
    change.values = (ProtobufCBinaryData){value_count, values};
    return change;
}

START_TEST(cells_that_are_dropped_make_room_for_those_behind_them)
{
    for (unsigned round = 0; round < 2000; round++) {
        rp_known_window_t between;
        rp_edit_t edit;
        uint64_t dropped = 77;
        uint8_t is[MOST * MOST] = {0};
        uint8_t should[MOST * MOST] = {0};
        uint64_t lost = 0;
        const rp_window_shift_t shift = some_shift(&between);
        const uint32_t most = shift.from.width * shift.from.height;
        const size_t count = rp_random_below(&rng, most + 1u);
        const bool has_values = rp_random_chance(&rng, 50);
        rp_message_arena_init(&arena, RP_LIMIT_ARENA_BYTES);
        for (uint32_t i = 0; i < most; i++) {
            cells[i] = i;
            values[i] = (uint8_t)(i + 9u);
        }
        Replan__V1__Change change = change_of(count, has_values && count > 1 ? count : 1);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t moved;
            if (place(&shift, &between, i % shift.from.width, i / shift.from.width, &moved)) {
                should[moved] = change.values.len > 1 ? values[i] : values[0];
            } else {
                lost++;
            }
        }
        RP_EACH(rp_window_shift_change(&arena, &change, &shift, &edit, &dropped, &refusal));
        RP_EACH_EQ(dropped, lost);
        RP_EACH_EQ(edit.cell_count, count - lost);
        for (size_t i = 0; i < edit.cell_count; i++) {
            is[edit.cells[i]] = edit.values != NULL ? edit.values[i] : edit.value;
        }
        RP_EACH(memcmp(is, should, sizeof is) == 0);
        rp_message_arena_fini(&arena);
    }
    rp_message_arena_init(&arena, RP_LIMIT_ARENA_BYTES);
}
END_TEST

START_TEST(for_the_newest_window_a_change_is_taken_as_it_is)
{
    rp_edit_t edit;
    uint64_t dropped = 77;
    rp_message_arena_init(&arena, RP_LIMIT_ARENA_BYTES);
    const rp_known_window_t newest = {.number = 4, .width = 3, .height = 2};
    const rp_window_shift_t shift = {.from = newest, .to = newest, .right = 3, .bottom = 2};
    cells[0] = 5;
    Replan__V1__Change change = change_of(1, 1);
    ck_assert(rp_window_shift_change(&arena, &change, &shift, &edit, &dropped, &refusal));
    ck_assert_uint_eq(dropped, 0);
    ck_assert_ptr_eq(edit.cells, cells);
    ck_assert_uint_eq(edit.cell_count, 1);
}
END_TEST

START_TEST(what_reaches_out_of_the_window_it_names_is_refused_by_name)
{
    static const struct {
        uint32_t x, y, width, height, cell;
        const char *word; // NULL: it is inside
    } rows[] = {
        {0, 0, 5, 4, 19, NULL},
        {4, 3, 1, 1, 0, NULL},
        {0, 0, 6, 4, 0, "6 x 4 at (0, 0)"},
        {0, 0, 5, 5, 0, "5 x 5 at (0, 0)"},
        {1, 0, 5, 4, 0, "5 x 4 at (1, 0)"},
        {UINT32_MAX, 0, 1, 1, 0, "1 x 1 at (4294967295, 0)"},
        {0, UINT32_MAX, 1, 1, 0, "1 x 1 at (0, 4294967295)"},
        {0, 0, 0, 0, 20, "change.cells[1] is 20, the world of 5 x 4 has cells below 20"},
    };
    rp_message_arena_init(&arena, RP_LIMIT_ARENA_BYTES);
    const rp_window_shift_t shift = {
        .from = {.number = 1, .width = 5, .height = 4},
        .to = {.number = 2, .width = 9, .height = 9},
        .right = 5,
        .bottom = 4,
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rp_edit_t edit;
        uint64_t dropped = 77;
        refusal = (rp_refusal_t){.status = REPLAN__V1__STATUS__OK};
        cells[0] = 0;
        cells[1] = rows[i].cell;
        Replan__V1__Change change = change_of(2, 1);
        change.x = rows[i].x;
        change.y = rows[i].y;
        change.width = rows[i].width;
        change.height = rows[i].height;
        change.rect_case = REPLAN__V1__CHANGE__RECT_FILL;
        const bool is_taken =
            rp_window_shift_change(&arena, &change, &shift, &edit, &dropped, &refusal);
        ck_assert_int_eq(is_taken, rows[i].word == NULL);
        ck_assert_uint_eq(dropped, 0);
        ck_assert_int_eq(refusal.status,
                         is_taken ? REPLAN__V1__STATUS__OK : REPLAN__V1__STATUS__INVALID);
        ck_assert_msg(is_taken || strstr(refusal.sentence, rows[i].word) != NULL, "%s",
                      refusal.sentence);
    }
}
END_TEST

// ---- which window

static void shift_marsh(int32_t x, int32_t y, uint32_t width, uint32_t height)
{
    Replan__V1__Resize resize = REPLAN__V1__RESIZE__INIT;
    resize.world = rp_text("marsh");
    resize.x = x;
    resize.y = y;
    resize.width = width;
    resize.height = height;
    resize.fill = 1;
    resize.content_case = REPLAN__V1__RESIZE__CONTENT_FILL;
    Replan__V1__Request request = RP_REQUEST(RESIZE, resize, &resize);
    (void)rp_wire_do(&wire, 0, &request);
}

START_TEST(a_window_is_found_by_its_epoch_and_its_number)
{
    rp_window_shift_t shift;
    rp_message_arena_init(&arena, RP_LIMIT_ARENA_BYTES);
    rp_wire_open(&wire); // 16 x 8
    shift_marsh(2, 1, 16, 8);
    shift_marsh(-5, 0, 12, 8);
    const rp_serving_t *serving = &wire.daemon.serving;
    const rp_served_t *marsh = rp_wire_marsh(&wire);
    const uint64_t epoch = marsh->epoch;
    const struct {
        uint64_t epoch, window;
        Replan__V1__Status status;
        uint64_t number;
    } rows[] = {
        {0, 0, REPLAN__V1__STATUS__OK, 3},
        {epoch, 0, REPLAN__V1__STATUS__OK, 3},
        {epoch, 3, REPLAN__V1__STATUS__OK, 3},
        {epoch, 2, REPLAN__V1__STATUS__OK, 2},
        {epoch, 1, REPLAN__V1__STATUS__OK, 1},
        {0, 1, REPLAN__V1__STATUS__OK, 1},
        {epoch, 4, REPLAN__V1__STATUS__INVALID, 0},
        {0, 4, REPLAN__V1__STATUS__GONE, 0},
        {epoch + 1u, 0, REPLAN__V1__STATUS__GONE, 0},
        {epoch + 1u, 2, REPLAN__V1__STATUS__GONE, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        refusal = (rp_refusal_t){.status = REPLAN__V1__STATUS__OK};
        const bool is_found = rp_window_shift_find(serving, marsh, "change", rows[i].epoch,
                                                   rows[i].window, &shift, &refusal);
        ck_assert_int_eq(is_found, rows[i].status == REPLAN__V1__STATUS__OK);
        ck_assert_int_eq(refusal.status, rows[i].status);
        ck_assert(!is_found || shift.from.number == rows[i].number);
        ck_assert(is_found || strstr(refusal.sentence, "change.window") != NULL);
        ck_assert(!is_found || shift.to.number == 3);
    }
    ck_assert(rp_window_shift_find(serving, marsh, "change", epoch, 3, &shift, &refusal));
    ck_assert(rp_window_shift_is_none(&shift));
    ck_assert_int_eq(shift.left, 0);
    ck_assert_int_eq(shift.right, 12);
    ck_assert(rp_window_shift_find(serving, marsh, "change", epoch, 1, &shift, &refusal));
    ck_assert(!rp_window_shift_is_none(&shift));
    ck_assert_int_eq(shift.to.offset_x, -3);
    ck_assert_int_eq(shift.to.offset_y, 1);
    // From window 2 on: columns 2 to 8 of window 1, which are 5 to 11 now, and rows from 1 on.
    ck_assert_int_eq(shift.left, 5);
    ck_assert_int_eq(shift.right, 12);
    ck_assert_int_eq(shift.top, 0);
    ck_assert_int_eq(shift.bottom, 7);
}
END_TEST

START_TEST(whoever_is_told_of_a_window_can_name_it)
{
    Replan__V1__Geometry geometry;
    Replan__V1__Window window;
    rp_message_arena_init(&arena, RP_LIMIT_ARENA_BYTES);
    rp_wire_open(&wire);
    shift_marsh(2, 1, 10, 9);
    const rp_served_t *marsh = rp_wire_marsh(&wire);
    rp_encode_window(&wire.daemon.serving, marsh, &geometry, &window);
    ck_assert_uint_eq(window.epoch, marsh->epoch);
    ck_assert_uint_eq(window.window, 2);
    ck_assert_ptr_eq(window.geometry, &geometry);
    ck_assert_uint_eq(geometry.width, 10);
    ck_assert_uint_eq(geometry.height, 9);
    ck_assert_double_eq(geometry.origin_x, 2.0);
    ck_assert_double_eq(geometry.origin_y, 1.0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_cell_is_the_same_place_in_each_window_or_is_dropped,
        a_rectangle_is_cut_to_what_lies_in_each_window,
        cells_that_are_dropped_make_room_for_those_behind_them,
        for_the_newest_window_a_change_is_taken_as_it_is,
        what_reaches_out_of_the_window_it_names_is_refused_by_name,
        a_window_is_found_by_its_epoch_and_its_number,
        whoever_is_told_of_a_window_can_name_it,
    };
    rp_log_set_level(RP_LOG_ERROR);
    return rp_suite_run("window_shift", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
