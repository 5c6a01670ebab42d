/// What a version rewrote: each change in its own form, windows by their new cells, and what
/// subscribers are told of it.
#include "daemon/rules/world_deltas.h"

#include <stdlib.h>
#include <string.h>

#include "daemon/process/log.h"
#include "msgs/request.h"
#include "tests/daemon/wire.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define TOPIC "delta/marsh/"

static rp_wire_t wire;
static rp_served_t *marsh;
static Replan__V1__Delta *delta; ///< that was read last

static void forget(void)
{
    if (delta != NULL) {
        protobuf_c_message_free_unpacked(&delta->base, NULL);
    }
    delta = NULL;
}

static void tear_down(void)
{
    forget();
    rp_wire_close(&wire);
}

static void begin(void)
{
    rp_wire_open(&wire); // 16 x 8
    marsh = rp_wire_marsh(&wire);
}

/// The delta of the newest version. @return false when none is kept
static bool read_newest(void)
{
    const rp_delta_t *kept = rp_deltas_get(&marsh->deltas, marsh->deltas.newest);
    forget();
    if (kept == NULL) {
        return false;
    }
    delta = (Replan__V1__Delta *)protobuf_c_message_unpack(&replan__v1__delta__descriptor, NULL,
                                                           kept->size, kept->bytes);
    ck_assert_ptr_nonnull(delta);
    ck_assert_str_eq(delta->world, "marsh");
    ck_assert_uint_eq(delta->epoch, marsh->epoch);
    ck_assert_uint_eq(delta->version, marsh->deltas.newest);
    ck_assert(!delta->only_names);
    return true;
}

static void keep(const rp_edit_t *edit)
{
    rp_world_deltas_keep_edit(&wire.daemon.serving, marsh, edit, marsh->deltas.newest + 1u);
}

// ---- edits

START_TEST(a_change_is_kept_in_its_own_form)
{
    static const uint8_t data[] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const uint8_t joined[] = {1, 2, 5, 6};
    static const uint32_t cells[] = {7, 9, 100};
    static const uint8_t values[] = {40, 50, 60};
    const struct {
        rp_edit_t edit;
        Replan__V1__Delta__RectCase kind;
        const uint8_t *data; // [4]
        const uint8_t *values;
        size_t value_count;
    } rows[] = {
        {{.x = 3, .y = 2, .width = 2, .height = 2, .fill = 9},
         REPLAN__V1__DELTA__RECT_FILL,
         NULL,
         NULL,
         0},
        {{.x = 3, .y = 2, .width = 2, .height = 2, .data = data},
         REPLAN__V1__DELTA__RECT_DATA,
         data,
         NULL,
         0},
        {{.x = 3, .y = 2, .width = 2, .height = 2, .data = data, .stride = 2},
         REPLAN__V1__DELTA__RECT_DATA,
         data,
         NULL,
         0},
        {{.x = 3, .y = 2, .width = 2, .height = 2, .data = data, .stride = 4},
         REPLAN__V1__DELTA__RECT_DATA,
         joined,
         NULL,
         0},
        {{.cells = cells, .cell_count = 3, .value = 40},
         REPLAN__V1__DELTA__RECT__NOT_SET,
         NULL,
         values,
         1},
        {{.cells = cells, .cell_count = 3, .values = values},
         REPLAN__V1__DELTA__RECT__NOT_SET,
         NULL,
         values,
         3},
        {{.cell_count = 0}, REPLAN__V1__DELTA__RECT__NOT_SET, NULL, NULL, 0},
    };
    begin();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rp_edit_t *edit = &rows[i].edit;
        keep(edit);
        ck_assert(read_newest());
        ck_assert_uint_eq(delta->version, i + 2u);
        ck_assert_uint_eq(delta->window, 1);
        ck_assert_uint_eq(delta->x, edit->x);
        ck_assert_uint_eq(delta->y, edit->y);
        ck_assert_uint_eq(delta->width, edit->width);
        ck_assert_uint_eq(delta->height, edit->height);
        ck_assert_int_eq(delta->rect_case, rows[i].kind);
        ck_assert(rows[i].kind != REPLAN__V1__DELTA__RECT_FILL || delta->fill == 9);
        ck_assert(rows[i].data == NULL ||
                  (delta->data.len == 4 && memcmp(delta->data.data, rows[i].data, 4) == 0));
        ck_assert_uint_eq(delta->n_cells, edit->cell_count);
        ck_assert(edit->cell_count == 0 || memcmp(delta->cells, cells, sizeof cells) == 0);
        ck_assert_uint_eq(delta->values.len, rows[i].value_count);
        ck_assert(rows[i].value_count == 0 ||
                  memcmp(delta->values.data, rows[i].values, rows[i].value_count) == 0);
        ck_assert_ptr_null(delta->geometry);
        ck_assert_uint_eq(delta->n_rects, 0);
    }
}
END_TEST

START_TEST(what_is_larger_than_all_that_is_kept_is_not_kept)
{
    const uint32_t most = RP_LIMIT_DELTA_RING;
    uint8_t *data = calloc(most, 1);
    ck_assert_ptr_nonnull(data);
    begin();
    keep(&(rp_edit_t){.width = 1, .height = 1, .data = data});
    ck_assert(read_newest());
    keep(&(rp_edit_t){.width = most, .height = 1, .data = data});
    ck_assert(!read_newest());
    ck_assert_uint_eq(marsh->deltas.newest, 3);
    ck_assert(!rp_deltas_reach(&marsh->deltas, 2, true));
    keep(&(rp_edit_t){.width = 1, .height = 1, .data = data});
    ck_assert(read_newest());
    ck_assert(rp_deltas_reach(&marsh->deltas, 3, true));
    rp_world_deltas_keep_none(marsh);
    ck_assert(!read_newest());
    ck_assert_uint_eq(marsh->deltas.newest, 5);
    free(data);
}
END_TEST

// ---- what subscribers are told

static const Replan__V1__Delta *told(void)
{
    return (const Replan__V1__Delta *)rp_wire_published(&wire, TOPIC);
}

static void publish(void)
{
    rp_world_deltas_publish(&wire.daemon.serving, marsh);
}

START_TEST(each_version_is_told_once_while_somebody_subscribes)
{
    const rp_edit_t edit = {.x = 1, .width = 1, .height = 1, .fill = 5};
    begin();
    keep(&edit);
    keep(&edit);
    publish();
    ck_assert_uint_eq(told()->version, 2);
    ck_assert_uint_eq(told()->version, 3);
    ck_assert_ptr_null(told());
    publish();
    ck_assert_ptr_null(told());
    wire.daemon.serving.stats.subscriptions = 0;
    keep(&edit);
    publish();
    wire.daemon.serving.stats.subscriptions = 1;
    rp_world_deltas_keep_none(marsh); // of it nothing is known
    publish();
    ck_assert_ptr_null(told());
    keep(&edit);
    publish();
    ck_assert_uint_eq(told()->version, 6);
    ck_assert_uint_eq(marsh->published, 6);
}
END_TEST

START_TEST(beyond_the_limit_of_a_message_a_delta_is_named_by_what_it_lies_in)
{
    static uint32_t cells[20000];
    const struct {
        uint32_t cells[2];
        rp_edit_t edit;
        uint32_t x, y, width, height;
    } rows[] = {
        {{2 * 16 + 3, 6 * 16 + 9}, {.cell_count = 20000}, 3, 2, 7, 5},
        {{2 * 16 + 3, 6 * 16 + 9}, {.x = 5, .y = 1, .width = 2, .height = 2}, 3, 1, 7, 6},
        {{2 * 16 + 3, 2 * 16 + 3}, {.x = 5, .y = 3, .width = 6, .height = 4}, 3, 2, 8, 5},
        {{3 * 16 + 6, 4 * 16 + 7}, {.x = 5, .y = 3, .width = 6, .height = 4}, 5, 3, 6, 4},
        {{0, 7 * 16 + 15}, {.x = 5, .y = 3, .width = 6, .height = 4}, 0, 0, 16, 8},
    };
    begin();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rp_edit_t edit = rows[i].edit;
        for (size_t j = 0; j < 20000; j++) {
            cells[j] = rows[i].cells[j % 2];
        }
        edit.cells = cells;
        edit.cell_count = 20000;
        edit.fill = 3;
        keep(&edit);
        publish();
        const Replan__V1__Delta *named = told();
        ck_assert(named->only_names);
        ck_assert_uint_eq(named->version, i + 2u);
        ck_assert_uint_eq(named->window, 1);
        ck_assert_uint_eq(named->x, rows[i].x);
        ck_assert_uint_eq(named->y, rows[i].y);
        ck_assert_uint_eq(named->width, rows[i].width);
        ck_assert_uint_eq(named->height, rows[i].height);
        ck_assert_int_eq(named->rect_case, REPLAN__V1__DELTA__RECT__NOT_SET);
        ck_assert_uint_eq(named->n_cells, 0);
        ck_assert_uint_eq(named->values.len, 0);
    }
}
END_TEST

START_TEST(a_delta_of_as_many_bytes_as_a_message_may_have_is_told_whole)
{
    static uint8_t data[RP_LIMIT_PUB_BYTES];
    uint32_t bytes = RP_LIMIT_PUB_BYTES - 100u;
    begin();
    do {
        keep(&(rp_edit_t){.width = ++bytes, .height = 1, .data = data});
    } while (rp_deltas_get(&marsh->deltas, marsh->deltas.newest)->size < RP_LIMIT_PUB_BYTES);
    ck_assert_uint_eq(rp_deltas_get(&marsh->deltas, marsh->deltas.newest)->size,
                      RP_LIMIT_PUB_BYTES);
    marsh->published = marsh->deltas.newest - 1u;
    keep(&(rp_edit_t){.width = bytes + 1u, .height = 1, .data = data});
    publish();
    const Replan__V1__Delta *whole = told();
    ck_assert(!whole->only_names);
    ck_assert_uint_eq(whole->data.len, bytes);
    ck_assert(told()->only_names);
}
END_TEST

// ---- windows

/// Ask for another window. @param rects  what is stated of it [4 * count]
static void resize(const rp_window_t *window, uint32_t *rects, size_t count)
{
    static uint8_t data[4096];
    Replan__V1__Resize body = REPLAN__V1__RESIZE__INIT;
    body.world = rp_text("marsh");
    body.x = window->x;
    body.y = window->y;
    body.width = window->width;
    body.height = window->height;
    body.content_case = REPLAN__V1__RESIZE__CONTENT_FILL;
    body.fill = 1;
    body.n_rects = 4u * count;
    body.rects = rects;
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = (uint8_t)(i * 7u + window->width);
    }
    for (size_t i = 0; i < count; i++) {
        body.rect_data.len += (size_t)rects[4u * i + 2u] * rects[4u * i + 3u];
    }
    body.rect_data.data = body.rect_data.len != 0 ? data : NULL;
    Replan__V1__Request request = RP_REQUEST(RESIZE, resize, &body);
    (void)rp_wire_do(&wire, 0, &request);
}

START_TEST(of_another_window_subscribers_are_told_that_it_is_new)
{
    begin();
    resize(&(rp_window_t){.x = 2, .y = 1, .width = 15, .height = 9}, NULL, 0);
    const Replan__V1__Delta *named = told();
    ck_assert_str_eq(named->world, "marsh");
    ck_assert_uint_eq(named->epoch, marsh->epoch);
    ck_assert_uint_eq(named->version, 2);
    ck_assert_uint_eq(named->window, 2);
    ck_assert_uint_eq(named->x, 0);
    ck_assert_uint_eq(named->width, 15);
    ck_assert_uint_eq(named->height, 9);
    ck_assert(named->only_names);
    ck_assert_ptr_null(named->geometry);
    ck_assert_ptr_null(told());
}
END_TEST

/// Each new cell stands in the delta, and each that was stated, with its byte; no other does.
static void check_window(const rp_known_window_t *before, const uint32_t *rects, size_t count)
{
    enum {
        MOST = 24
    };
    unsigned told_of[MOST * MOST] = {0};
    const rp_known_window_t *now = rp_engine_window(wire.daemon.serving.engine, marsh->id, 0);
    const uint8_t *bytes = rp_engine_bytes(wire.daemon.serving.engine, marsh->id);
    const uint8_t *data = delta->rect_data.data;
    for (size_t i = 0; i < delta->n_rects; i += 4) {
        const uint32_t *rect = delta->rects + i;
        for (uint32_t j = 0; j < rect[2] * rect[3]; j++) {
            const uint32_t cell = (rect[1] + j / rect[2]) * now->width + rect[0] + j % rect[2];
            RP_EACH(cell < now->width * now->height);
            RP_EACH_EQ(*data++, bytes[cell]);
            told_of[cell]++;
        }
    }
    ck_assert_uint_eq((size_t)(data - delta->rect_data.data), delta->rect_data.len);
    for (uint32_t cell = 0; cell < now->width * now->height; cell++) {
        const int64_t x = now->offset_x + cell % now->width;
        const int64_t y = now->offset_y + cell / now->width;
        const bool is_new = x < before->offset_x || x >= before->offset_x + before->width ||
                            y < before->offset_y || y >= before->offset_y + before->height;
        unsigned stated = 0;
        for (size_t i = 0; i < count; i++) {
            const uint32_t *rect = rects + 4u * i;
            stated +=
                cell % now->width - rect[0] < rect[2] && cell / now->width - rect[1] < rect[3];
        }
        RP_EACH_EQ(told_of[cell], is_new ? 1u : stated);
    }
}

START_TEST(a_window_is_kept_as_what_is_new_in_it)
{
    rp_random_t rng = {5};
    begin();
    for (unsigned round = 0; round < 250; round++) {
        uint32_t rects[8];
        const rp_known_window_t before =
            *rp_engine_window(wire.daemon.serving.engine, marsh->id, 0);
        const uint64_t version = rp_wire_version(&wire);
        rp_window_t window = {.x = (int32_t)rp_random_below(&rng, 41) - 20};
        window.y = (int32_t)rp_random_below(&rng, 31) - 15;
        window.x = rp_random_chance(&rng, 60) ? window.x / 5 : window.x;
        window.y = rp_random_chance(&rng, 60) ? window.y / 5 : window.y;
        window.width = rp_random_between(&rng, 1, 20);
        window.height = rp_random_between(&rng, 1, 15);
        const size_t count = rp_random_below(&rng, 3);
        for (size_t i = 0; i < count; i++) {
            rects[4u * i] = rp_random_below(&rng, window.width);
            rects[4u * i + 1u] = rp_random_below(&rng, window.height);
            rects[4u * i + 2u] = rp_random_between(&rng, 1, window.width - rects[4u * i]);
            rects[4u * i + 3u] = rp_random_between(&rng, 1, window.height - rects[4u * i + 1u]);
        }
        resize(&window, rects, count);
        ck_assert_uint_eq(marsh->deltas.newest, version + 1u);
        ck_assert(read_newest());
        ck_assert_uint_eq(delta->window, round + 2u);
        ck_assert_uint_eq(delta->geometry->width, window.width);
        ck_assert_uint_eq(delta->geometry->height, window.height);
        ck_assert_int_eq(delta->moved_x, window.x);
        ck_assert_int_eq(delta->moved_y, window.y);
        ck_assert_uint_eq(delta->n_cells, 0);
        check_window(&before, rects, count);
    }
}
END_TEST

/// Of cells so small that a number of the wire does not reach from end to end: all are new.
START_TEST(a_window_that_is_too_far_off_to_say_how_far_is_told_whole)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
        Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
        Replan__V1__Resize body = REPLAN__V1__RESIZE__INIT;
        geometry.width = 5;
        geometry.height = 4;
        geometry.resolution = 0.0625;
        create.world = body.world = rp_text("marsh");
        create.geometry = body.geometry = &geometry;
        Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &create);
        rp_wire_open_bare(&wire);
        (void)rp_wire_do(&wire, 0, &request);
        marsh = rp_wire_marsh(&wire);
        geometry.origin_x = 1e9 * sign;
        geometry.origin_y = -1e9 * sign;
        request.body_case = REPLAN__V1__REQUEST__BODY_RESIZE;
        request.resize = &body;
        (void)rp_wire_do(&wire, 0, &request);
        ck_assert(read_newest());
        ck_assert_int_eq(delta->moved_x, sign > 0 ? INT32_MAX : INT32_MIN);
        ck_assert_int_eq(delta->moved_y, sign > 0 ? INT32_MIN : INT32_MAX);
        ck_assert_uint_eq(delta->rect_data.len, 20);
        tear_down();
    }
    begin();
}
END_TEST

// ---- with shapes

START_TEST(with_shapes_what_they_rewrite_is_kept_cell_by_cell)
{
    const rp_edit_t plain = {.x = 5, .y = 5, .width = 1, .height = 1};
    uint32_t id = 4;
    uint32_t corners = 1;
    double at[] = {3.5, 2.5};
    uint8_t byte = 9;
    Replan__V1__Overlay overlay = REPLAN__V1__OVERLAY__INIT;
    begin();
    ck_assert(!rp_world_deltas_keep_rewritten(&wire.daemon.serving, marsh, 2));
    ck_assert_uint_eq(marsh->deltas.newest, 1);
    overlay.world = rp_text("marsh");
    overlay.n_ids = overlay.n_corners = overlay.n_x = overlay.n_y = 1;
    overlay.ids = &id;
    overlay.corners = &corners;
    overlay.x = &at[0];
    overlay.y = &at[1];
    overlay.values = (ProtobufCBinaryData){1, &byte};
    Replan__V1__Request request = RP_REQUEST(OVERLAY, overlay, &overlay);
    (void)rp_wire_do(&wire, 0, &request);
    ck_assert(read_newest());
    ck_assert_uint_eq(delta->n_cells, 1);
    ck_assert_uint_eq(delta->cells[0], 2 * 16 + 3);
    ck_assert_uint_eq(delta->values.len, 1);
    ck_assert_uint_eq(delta->values.data[0], 9);
    (void)rp_wire_apply(&wire, 0, rp_wire_change(3, 2, 7), REPLAN__V1__WAIT__APPLIED);
    ck_assert(read_newest());
    ck_assert_uint_eq(delta->width, 0);
    ck_assert_uint_eq(delta->n_cells, 0); // it lies beneath the shape
    (void)rp_wire_apply(&wire, 0, rp_wire_change(plain.x, plain.y, 7), REPLAN__V1__WAIT__APPLIED);
    ck_assert(read_newest());
    ck_assert_uint_eq(delta->n_cells, 1);
    ck_assert_uint_eq(delta->cells[0], 5 * 16 + 5);
    ck_assert_uint_eq(delta->values.data[0], 7);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_change_is_kept_in_its_own_form,
        what_is_larger_than_all_that_is_kept_is_not_kept,
        each_version_is_told_once_while_somebody_subscribes,
        beyond_the_limit_of_a_message_a_delta_is_named_by_what_it_lies_in,
        a_delta_of_as_many_bytes_as_a_message_may_have_is_told_whole,
        of_another_window_subscribers_are_told_that_it_is_new,
        a_window_is_kept_as_what_is_new_in_it,
        a_window_that_is_too_far_off_to_say_how_far_is_told_whole,
        with_shapes_what_they_rewrite_is_kept_cell_by_cell,
    };
    rp_log_set_level(RP_LOG_ERROR);
    return rp_suite_run("world_deltas", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
