/// @file
/// Worlds whose window moves, seen by a client.
#ifndef REPLAN_TESTS_DAEMON_REQUESTS_WINDOWS_SCENE_H
#define REPLAN_TESTS_DAEMON_REQUESTS_WINDOWS_SCENE_H

#include <string.h>

#include "msgs/request.h"
#include "tests/daemon/wire.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_wire_t wire;
static rp_random_t rng;

static void tear_down(void)
{
    rp_wire_close(&wire);
}

enum {
    MOST = 30,
    WINDOWS = 400
};

/// Windows as the test knows them, by number, in cells of window 1.
static struct {
    int64_t x;
    int64_t y;
    uint32_t width;
    uint32_t height;
} known[WINDOWS];
static uint64_t newest;
static uint8_t ground[MOST * MOST]; ///< of the newest
static uint64_t epoch;

static void open_wire(void)
{
    rp_wire_open(&wire);
    newest = 1;
    known[1].x = known[1].y = 0;
    known[1].width = 16;
    known[1].height = 8;
    memset(ground, 1, sizeof ground);
    epoch = rp_wire_marsh(&wire)->epoch;
}

static void note_window(int64_t x, int64_t y, uint32_t width, uint32_t height, uint8_t fill)
{
    uint8_t after[MOST * MOST] = {0};
    const uint64_t was = newest++;
    known[newest].x = x;
    known[newest].y = y;
    known[newest].width = width;
    known[newest].height = height;
    for (uint32_t i = 0; i < width * height; i++) {
        const int64_t old_x = x + i % width - known[was].x;
        const int64_t old_y = y + i / width - known[was].y;
        const bool is_old =
            old_x >= 0 && old_y >= 0 && old_x < known[was].width && old_y < known[was].height;
        after[i] = is_old ? ground[old_y * known[was].width + old_x] : fill;
    }
    memcpy(ground, after, sizeof after);
}

static const Replan__V1__Reply *ask_resize(Replan__V1__Resize *body)
{
    body->world = rp_text("marsh");
    Replan__V1__Request request = RP_REQUEST(RESIZE, resize, body);
    return rp_wire_ask(&wire, 0, &request);
}

/// Another window, by whole cells or by metres, with a fill or with rectangles for what is new.
static void resize_some(void)
{
    Replan__V1__Resize body = REPLAN__V1__RESIZE__INIT;
    Replan__V1__Geometry told = REPLAN__V1__GEOMETRY__INIT;
    const int32_t x = (int32_t)rp_random_below(&rng, 7) - 3;
    const int32_t y = (int32_t)rp_random_below(&rng, 7) - 3;
    const bool keeps_sides = rp_random_chance(&rng, 50);
    const uint32_t width = keeps_sides ? known[newest].width : 8u + rp_random_below(&rng, 18);
    const uint32_t height = keeps_sides ? known[newest].height : 8u + rp_random_below(&rng, 18);
    const uint8_t fill = (uint8_t)rp_random_between(&rng, 2, 5);
    if (rp_random_chance(&rng, 50)) {
        // Less than half a cell beside the whole number: the cells are the same.
        told.width = width;
        told.height = height;
        told.origin_x = (double)(known[newest].x + x) + rp_random_below(&rng, 9) / 10.0 - 0.4;
        told.origin_y = (double)(known[newest].y + y) + rp_random_below(&rng, 9) / 10.0 - 0.4;
        body.geometry = &told;
    } else {
        body.x = x;
        body.y = y;
        body.width = width;
        body.height = height;
    }
    uint32_t rects[] = {0, 0, width, height};
    uint8_t bytes[MOST * MOST];
    note_window(known[newest].x + x, known[newest].y + y, width, height, fill);
    if (rp_random_chance(&rng, 30)) {
        body.rects = rects;
        body.n_rects = 4;
        body.rect_data = (ProtobufCBinaryData){(size_t)width * height, bytes};
        for (uint32_t i = 0; i < width * height; i++) {
            ground[i] = bytes[i] = (uint8_t)rp_random_below(&rng, 250);
        }
    } else {
        body.content_case = REPLAN__V1__RESIZE__CONTENT_FILL;
        body.fill = fill;
    }
    const Replan__V1__Reply *reply = ask_resize(&body);
    ck_assert_msg(reply->status == REPLAN__V1__STATUS__OK, "%s", reply->sentence);
    ck_assert_uint_eq(reply->applied->window, newest);
}

/// Write a cell of an older window into the newest one. @return 1 when it is dropped
static uint64_t write_cell(uint64_t window, uint32_t x, uint32_t y, uint8_t byte)
{
    for (uint64_t i = window; i <= newest; i++) {
        const int64_t there_x = known[window].x + x - known[i].x;
        const int64_t there_y = known[window].y + y - known[i].y;
        if (there_x < 0 || there_y < 0 || there_x >= known[i].width || there_y >= known[i].height) {
            return 1;
        }
    }
    const int64_t at_x = known[window].x + x - known[newest].x;
    const int64_t at_y = known[window].y + y - known[newest].y;
    ground[at_y * known[newest].width + at_x] = byte;
    return 0;
}

static uint8_t data[MOST * MOST];
static uint8_t values[16];
static uint32_t cells[16];

/// @param dropped  written: cells that must be
static Replan__V1__Change *some_change(uint64_t window, uint64_t *dropped)
{
    const uint32_t width = known[window].width;
    const uint32_t height = known[window].height;
    const uint32_t byte = rp_random_below(&rng, 250);
    const uint32_t row = rp_random_below(&rng, height);
    Replan__V1__Change *change = rp_wire_change(rp_random_below(&rng, width), row, byte);
    change->epoch = epoch;
    change->window = window;
    change->width = 1 + rp_random_below(&rng, width - change->x);
    change->height = 1 + rp_random_below(&rng, height - change->y);
    *dropped = 0;
    const bool has_data = rp_random_chance(&rng, 50);
    const uint8_t fill = (uint8_t)change->fill;
    for (uint32_t i = 0; i < change->width * change->height; i++) {
        data[i] = has_data ? (uint8_t)rp_random_below(&rng, 250) : fill;
        *dropped += write_cell(window, change->x + i % change->width, change->y + i / change->width,
                               data[i]);
    }
    if (has_data) {
        change->rect_case = REPLAN__V1__CHANGE__RECT_DATA;
        change->data = (ProtobufCBinaryData){(size_t)change->width * change->height, data};
    }
    change->n_cells = rp_random_below(&rng, 16);
    const bool is_one = change->n_cells != 0 && rp_random_chance(&rng, 30);
    for (size_t i = 0; i < change->n_cells; i++) {
        cells[i] = rp_random_below(&rng, width * height);
        values[i] = (uint8_t)rp_random_below(&rng, 250);
        *dropped += write_cell(window, cells[i] % width, cells[i] / width, values[is_one ? 0 : i]);
    }
    change->cells = cells;
    change->values = (ProtobufCBinaryData){is_one ? 1 : change->n_cells, values};
    return change;
}

static const Replan__V1__Reply *ask_change(Replan__V1__Change *change, Replan__V1__Wait wait)
{
    Replan__V1__Request request = rp_wire_apply_request(&wire, change, wait);
    return rp_wire_ask(&wire, 0, &request);
}

static void shift(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        Replan__V1__Resize body = REPLAN__V1__RESIZE__INIT;
        body.x = 1;
        body.width = 16;
        body.height = 8;
        ck_assert_int_eq(ask_resize(&body)->status, REPLAN__V1__STATUS__OK);
    }
}

#endif
