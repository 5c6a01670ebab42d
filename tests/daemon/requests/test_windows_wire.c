/// Windows on the wire, through the daemon without its sockets: changes that were made for older
/// ones, mirrors that follow, and what is gone.
#include <stdlib.h>
#include <string.h>

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
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    body->world = rp_text("marsh");
    request.body_case = REPLAN__V1__REQUEST__BODY_RESIZE;
    request.resize = body;
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
    Replan__V1__Change *change = rp_wire_change(
        rp_random_below(&rng, width), rp_random_below(&rng, height), rp_random_below(&rng, 250));
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

static void expect_ground(void)
{
    const rp_served_t *marsh = rp_wire_marsh(&wire);
    ck_assert_uint_eq(marsh->options.width, known[newest].width);
    ck_assert_uint_eq(marsh->options.height, known[newest].height);
    ck_assert_mem_eq(rp_engine_bytes(wire.daemon.serving.engine, marsh->id), ground,
                     (size_t)known[newest].width * known[newest].height);
}

// ---- changes for older windows

/// @param long_from  bytes from which messages are staged
static void change_by_chance(size_t long_from)
{
    uint64_t all_dropped = 0;
    uint64_t all_kept = 0;
    rng = (rp_random_t){(uint64_t)long_from + 1u};
    open_wire();
    wire.daemon.intake.long_from = long_from;
    for (unsigned round = 0; round < RP_ROUNDS(300); round++) {
        if (rp_random_chance(&rng, 40)) {
            resize_some();
        }
        const uint64_t oldest = newest > 8 ? newest - 8 : 1;
        const uint64_t window = oldest + rp_random_below(&rng, (uint32_t)(newest - oldest) + 1u);
        uint64_t dropped;
        Replan__V1__Change *change = some_change(window, &dropped);
        const uint64_t size = (uint64_t)change->width * change->height + change->n_cells;
        const Replan__V1__Wait wait =
            rp_random_chance(&rng, 20) ? REPLAN__V1__WAIT__SETTLED : REPLAN__V1__WAIT__APPLIED;
        const Replan__V1__Reply *reply = ask_change(change, wait);
        ck_assert_msg(reply->status == REPLAN__V1__STATUS__OK, "%s", reply->sentence);
        ck_assert_uint_eq(reply->applied->dropped, dropped);
        ck_assert_uint_eq(reply->applied->window, newest);
        expect_ground();
        all_dropped += dropped;
        all_kept += size - dropped;
    }
    ck_assert_uint_eq(rp_wire_stat(&wire, "changes.cells_dropped"), all_dropped);
    ck_assert_uint_gt(all_dropped, 500);
    ck_assert_uint_gt(all_kept, 500);
    tear_down();
}

START_TEST(a_change_for_an_older_window_lands_where_it_was_meant)
{
    change_by_chance(SIZE_MAX);
    change_by_chance(40); // staged, nearly all of them
}
END_TEST

START_TEST(limits_are_those_of_the_window_that_is_named)
{
    Replan__V1__Resize body = REPLAN__V1__RESIZE__INIT;
    open_wire();
    body.x = 4;
    body.width = 20;
    body.height = 4;
    ck_assert_int_eq(ask_resize(&body)->status, REPLAN__V1__STATUS__OK);
    Replan__V1__Change *change = rp_wire_change(15, 7, 9);
    change->epoch = epoch;
    change->window = 1;
    ck_assert_uint_eq(ask_change(change, REPLAN__V1__WAIT__APPLIED)->applied->dropped, 1);
    change = rp_wire_change(16, 0, 9);
    change->epoch = epoch;
    change->window = 1;
    const Replan__V1__Reply *reply = ask_change(change, REPLAN__V1__WAIT__APPLIED);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__INVALID);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "outside the world of 16 x 8"));
    change = rp_wire_change(16, 0, 9);
    change->epoch = epoch;
    change->window = 3;
    reply = ask_change(change, REPLAN__V1__WAIT__APPLIED);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__INVALID);
    ck_assert_ptr_nonnull(
        strstr(reply->sentence, "change.window is 3, the newest of the world is 2"));
    change = rp_wire_change(16, 0, 9);
    change->epoch = epoch; // the newest of this epoch
    ck_assert_int_eq(ask_change(change, REPLAN__V1__WAIT__APPLIED)->status, REPLAN__V1__STATUS__OK);
}
END_TEST

START_TEST(questions_may_be_asked_in_cells_of_an_older_window)
{
    Replan__V1__Resize body = REPLAN__V1__RESIZE__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__AskProbe probe = REPLAN__V1__ASK_PROBE__INIT;
    Replan__V1__AskValid valid = REPLAN__V1__ASK_VALID__INIT;
    double from[] = {8.5, 0.5};
    double to[] = {12.5, 0.5};
    open_wire();
    (void)rp_wire_agent(&wire, 0, "orc", 8, 0, 12, 0);
    body.x = 4;
    body.width = 16;
    body.height = 1; // a corridor
    ck_assert_int_eq(ask_resize(&body)->status, REPLAN__V1__STATUS__OK);
    probe.change = rp_wire_change(10, 0, 0); // in the way, in window 1
    probe.from_x = &from[0];
    probe.from_y = &from[1];
    probe.to_x = &to[0];
    probe.to_y = &to[1];
    probe.n_from_x = probe.n_from_y = probe.n_to_x = probe.n_to_y = 1;
    probe.epoch = epoch;
    probe.window = 1;
    request.body_case = REPLAN__V1__REQUEST__BODY_ASK_PROBE;
    request.ask_probe = &probe;
    ck_assert_double_eq(rp_wire_do(&wire, 0, &request)->probe->after[0], -1.0);
    probe.epoch = probe.window = 0;
    probe.change = rp_wire_change(10, 0, 0); // behind it, in the newest
    ck_assert_double_eq(rp_wire_do(&wire, 0, &request)->probe->after[0], 4.0);
    probe.change->epoch = epoch;
    probe.change->window = 1;
    ck_assert_double_eq(rp_wire_do(&wire, 0, &request)->probe->after[0], -1.0);
    (void)rp_wire_apply(&wire, 0, rp_wire_change(8, 0, 0), REPLAN__V1__WAIT__APPLIED); // 12 there
    uint8_t steps[] = {0, 0, 0, 0};
    valid.world = rp_text("marsh");
    valid.agent = rp_text("orc");
    valid.start = 8;
    valid.steps = (ProtobufCBinaryData){4, steps};
    valid.epoch = epoch;
    valid.window = 1;
    request.body_case = REPLAN__V1__REQUEST__BODY_ASK_VALID;
    request.ask_valid = &valid;
    const Replan__V1__Valid *found = rp_wire_do(&wire, 0, &request)->valid;
    ck_assert(!found->legal);
    ck_assert_uint_eq(found->n_offending, 1);
    ck_assert_uint_eq(found->offending[0], 3);
    valid.start = 2; // left of the newest window
    found = rp_wire_do(&wire, 0, &request)->valid;
    ck_assert(!found->legal);
    ck_assert_uint_eq(found->n_offending, 0);
    valid.epoch = epoch + 1u;
    const Replan__V1__Reply *reply = rp_wire_ask(&wire, 0, &request);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__GONE);
    ck_assert_uint_eq(reply->present->window, 2);
}
END_TEST

// ---- gone

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

static void expect_gone(const Replan__V1__Reply *reply, uint64_t window, double origin)
{
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__GONE);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "change.window"));
    ck_assert_ptr_nonnull(reply->present);
    ck_assert_uint_eq(reply->present->epoch, epoch);
    ck_assert_uint_eq(reply->present->window, window);
    ck_assert_uint_eq(reply->present->geometry->width, 16);
    ck_assert_double_eq(reply->present->geometry->origin_x, origin);
}

START_TEST(the_last_256_windows_are_known_and_older_ones_are_gone)
{
    open_wire();
    shift(255);
    Replan__V1__Change *change = rp_wire_change(15, 0, 9);
    change->epoch = epoch;
    change->window = 1;
    ck_assert_uint_eq(ask_change(change, REPLAN__V1__WAIT__APPLIED)->applied->dropped, 1);
    shift(1);
    const uint64_t version = rp_wire_version(&wire);
    expect_gone(ask_change(change, REPLAN__V1__WAIT__APPLIED), 257, 256.0);
    change->window = 2;
    change->epoch = epoch - 1u;
    expect_gone(ask_change(change, REPLAN__V1__WAIT__APPLIED), 257, 256.0);
    change->window = 0;
    expect_gone(ask_change(change, REPLAN__V1__WAIT__APPLIED), 257, 256.0);
    ck_assert_uint_eq(rp_wire_version(&wire), version);
    change->window = 2;
    change->epoch = epoch;
    ck_assert_int_eq(ask_change(change, REPLAN__V1__WAIT__APPLIED)->status, REPLAN__V1__STATUS__OK);
}
END_TEST

static void publish(Replan__V1__Change *change)
{
    rp_buffer_t buffer = {0};
    ck_assert(rp_codec_pack(&buffer, &change->base));
    rp_daemon_change(&wire.daemon, "change/marsh/", 13, buffer.bytes, buffer.size);
    rp_buffer_fini(&buffer);
    rp_wire_work(&wire);
}

START_TEST(a_publisher_whose_window_is_gone_is_marked_until_it_restates)
{
    open_wire();
    shift(256);
    Replan__V1__Change *change = rp_wire_change(5, 5, 9);
    change->publisher = rp_text("lidar");
    change->incarnation = 1;
    change->sequence = 1;
    change->epoch = epoch;
    change->window = 1;
    publish(change);
    const Replan__V1__Notice *notice =
        (const Replan__V1__Notice *)rp_wire_published(&wire, "status/marsh/");
    ck_assert_ptr_nonnull(notice);
    ck_assert_int_eq(notice->status, REPLAN__V1__STATUS__GONE);
    ck_assert(notice->gap);
    ck_assert_str_eq(notice->publisher, "lidar");
    ck_assert_uint_eq(rp_wire_marsh(&wire)->publishers.gaps, 1);
    change->sequence = 2;
    change->window = 257;
    publish(change); // the next one is taken, but states nothing of what was lost
    ck_assert_uint_eq(rp_wire_marsh(&wire)->publishers.gaps, 1);
    change->sequence = 3;
    change->repairs_through = 2;
    publish(change);
    ck_assert_uint_eq(rp_wire_marsh(&wire)->publishers.gaps, 0);
    ck_assert_uint_eq(rp_wire_version(&wire), 1 + 256 + 2);
}
END_TEST

START_TEST(a_repeat_is_answered_whatever_became_of_its_window)
{
    open_wire();
    Replan__V1__Change *change = rp_wire_change(5, 5, 9);
    change->publisher = rp_text("lidar");
    change->incarnation = 1;
    change->sequence = 1;
    change->epoch = epoch;
    change->window = 1;
    ck_assert_uint_eq(ask_change(change, REPLAN__V1__WAIT__APPLIED)->applied->version, 2);
    shift(256);
    const Replan__V1__Reply *reply = ask_change(change, REPLAN__V1__WAIT__APPLIED);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__OK);
    ck_assert_uint_eq(reply->applied->version, 2);
}
END_TEST

// ---- windows

START_TEST(a_window_with_a_new_cell_that_nothing_states_is_refused_and_so_is_another_frame)
{
    Replan__V1__Resize body = REPLAN__V1__RESIZE__INIT;
    Replan__V1__Geometry told = REPLAN__V1__GEOMETRY__INIT;
    uint32_t rects[] = {14, 0, 2, 7};
    uint8_t bytes[14] = {0};
    open_wire();
    told.width = 16;
    told.height = 8;
    told.origin_x = 2.0;
    body.geometry = &told;
    body.rects = rects;
    body.n_rects = 4;
    body.rect_data = (ProtobufCBinaryData){14, bytes};
    const Replan__V1__Reply *reply = ask_resize(&body);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__INVALID);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "resize.rects: cell (14, 7) is new"));
    body.n_rects = 0;
    body.rect_data.len = 0;
    told.resolution = 0.5;
    reply = ask_resize(&body);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__INVALID);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "resize.geometry.resolution is 0.5"));
    told.resolution = 1.0;
    told.origin_yaw = 0.1;
    ck_assert_ptr_nonnull(strstr(ask_resize(&body)->sentence, "resize.geometry.origin_yaw is 0.1"));
    told.origin_yaw = 0.0;
    told.frame_id = rp_text("odom");
    ck_assert_ptr_nonnull(strstr(ask_resize(&body)->sentence, "resize.geometry.frame_id"));
    told.frame_id = rp_text("");
    ck_assert_uint_eq(rp_wire_version(&wire), 1);
    reply = ask_resize(&body);
    ck_assert_uint_eq(reply->applied->window, 2);
    ck_assert_uint_eq(reply->applied->epoch, epoch);
}
END_TEST

// ---- mirrors

/// A client's copy, that follows or not.
typedef struct copy {
    uint8_t bytes[MOST * MOST];
    uint32_t width;
    uint32_t height;
    uint64_t version;
    uint64_t window;
    unsigned snapshots;
    bool follows;
} copy_t;

static void move_copy(copy_t *copy, const Replan__V1__Delta *delta)
{
    uint8_t was[MOST * MOST];
    const uint8_t *bytes = delta->rect_data.data;
    const uint32_t width = delta->geometry->width;
    memcpy(was, copy->bytes, sizeof was);
    for (uint32_t i = 0; i < width * delta->geometry->height; i++) {
        const int64_t x = (int64_t)delta->moved_x + i % width;
        const int64_t y = (int64_t)delta->moved_y + i / width;
        const bool is_old = x >= 0 && y >= 0 && x < copy->width && y < copy->height;
        copy->bytes[i] = is_old ? was[y * copy->width + x] : 251; // is to be overwritten
    }
    copy->width = width;
    copy->height = delta->geometry->height;
    for (size_t i = 0; i < delta->n_rects; i += 4u) {
        const uint32_t *rect = delta->rects + i;
        for (uint32_t k = 0; k < rect[2] * rect[3]; k++) {
            copy->bytes[(rect[1] + k / rect[2]) * width + rect[0] + k % rect[2]] = *bytes++;
        }
    }
}

static void write_delta(copy_t *copy, const Replan__V1__Delta *delta)
{
    ck_assert_uint_eq(delta->version, copy->version + 1u);
    ck_assert(delta->geometry == NULL || copy->follows);
    if (delta->geometry != NULL) {
        move_copy(copy, delta);
    }
    ck_assert_uint_eq(delta->window, copy->window + (delta->geometry != NULL));
    for (uint32_t i = 0; i < delta->width * delta->height; i++) {
        const uint32_t y = delta->y + i / delta->width;
        copy->bytes[y * copy->width + delta->x + i % delta->width] =
            delta->rect_case == REPLAN__V1__DELTA__RECT_DATA ? delta->data.data[i]
                                                             : (uint8_t)delta->fill;
    }
    for (size_t i = 0; i < delta->n_cells; i++) {
        copy->bytes[delta->cells[i]] = delta->values.data[delta->values.len == 1 ? 0 : i];
    }
    copy->version = delta->version;
    copy->window = delta->window;
}

static void take_news(copy_t *copy, const Replan__V1__ToClient *news)
{
    if (news->body_case == REPLAN__V1__TO_CLIENT__BODY_CHUNK) {
        const Replan__V1__Chunk *chunk = news->chunk; // these worlds have one
        copy->snapshots++;
        copy->width = chunk->geometry->width;
        copy->height = chunk->geometry->height;
        copy->version = chunk->version;
        copy->window = chunk->window;
        memcpy(copy->bytes, chunk->data.data, chunk->data.len);
    } else if (news->body_case == REPLAN__V1__TO_CLIENT__BODY_DELTA) {
        write_delta(copy, news->delta);
    } else if (news->body_case == REPLAN__V1__TO_CLIENT__BODY_HEAD &&
               news->head->version == copy->version) {
        ck_assert_uint_eq(news->head->window, copy->window);
    }
}

static void open_copy(copy_t *copy, unsigned peer)
{
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    watch.world = rp_text("marsh");
    watch.map = true;
    watch.follows = copy->follows;
    watch.credit = 60000;
    request.body_case = REPLAN__V1__REQUEST__BODY_WATCH;
    request.watch = &watch;
    (void)rp_wire_do(&wire, peer, &request);
}

static void put_shape(void)
{
    Replan__V1__Overlay overlay = REPLAN__V1__OVERLAY__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    uint32_t id = rp_random_below(&rng, 3);
    uint32_t corners = 1;
    double x = (double)known[newest].x + rp_random_below(&rng, 160) / 10.0;
    double y = (double)known[newest].y + rp_random_below(&rng, 80) / 10.0;
    double radius = 1.7;
    uint8_t byte = 7;
    overlay.world = rp_text("marsh");
    overlay.ids = &id;
    overlay.corners = &corners;
    overlay.x = &x;
    overlay.y = &y;
    overlay.radii_m = &radius;
    overlay.n_ids = overlay.n_corners = overlay.n_x = overlay.n_y = overlay.n_radii_m = 1;
    overlay.values = (ProtobufCBinaryData){1, &byte};
    request.body_case = REPLAN__V1__REQUEST__BODY_OVERLAY;
    request.overlay = &overlay;
    (void)rp_wire_do(&wire, 0, &request);
}

/// One copy by a watch that follows, one by a watch that does not, one that asks for deltas now and
/// then: all are what is seen, and only the second ever gets rows again.
static void mirror_by_chance(bool has_shapes)
{
    copy_t copies[2] = {{.follows = true}, {.follows = false}};
    rng = (rp_random_t){has_shapes ? 5 : 6};
    open_wire();
    open_copy(&copies[0], 1);
    open_copy(&copies[1], 2);
    for (unsigned round = 0; round < RP_ROUNDS(200); round++) {
        for (unsigned i = rp_random_below(&rng, 4); i-- > 0;) {
            uint64_t dropped;
            if (rp_random_chance(&rng, 40)) {
                resize_some();
            }
            (void)ask_change(some_change(newest, &dropped), REPLAN__V1__WAIT__APPLIED);
            if (has_shapes && rp_random_chance(&rng, 20)) {
                put_shape();
            }
        }
        rp_wire_work(&wire);
        const rp_served_t *marsh = rp_wire_marsh(&wire);
        const uint8_t *seen = rp_engine_bytes(wire.daemon.serving.engine, marsh->id);
        for (unsigned i = 0; i < 2; i++) {
            for (const Replan__V1__ToClient *news = rp_wire_next(&wire, 1 + i); news != NULL;
                 news = rp_wire_next(&wire, 1 + i)) {
                take_news(&copies[i], news);
            }
            ck_assert_uint_eq(copies[i].version, rp_wire_version(&wire));
            ck_assert_uint_eq(copies[i].width, known[newest].width);
            ck_assert_mem_eq(copies[i].bytes, seen, (size_t)copies[i].width * copies[i].height);
        }
    }
    ck_assert_uint_eq(copies[0].snapshots, 1);
    ck_assert_uint_gt(copies[1].snapshots, 10);
    tear_down();
}

START_TEST(a_mirror_that_follows_gets_windows_as_deltas_and_others_get_rows)
{
    mirror_by_chance(false);
    mirror_by_chance(true);
}
END_TEST

/// All of another window comes with it.
static void state_window(uint32_t width, uint32_t height)
{
    Replan__V1__Resize body = REPLAN__V1__RESIZE__INIT;
    uint32_t rects[] = {0, 0, width, height};
    uint8_t *bytes = malloc((size_t)width * height);
    ck_assert_ptr_nonnull(bytes);
    memset(bytes, 3, (size_t)width * height);
    body.x = 40; // nothing of the one before stays
    body.width = width;
    body.height = height;
    body.rects = rects;
    body.n_rects = 4;
    body.rect_data = (ProtobufCBinaryData){(size_t)width * height, bytes};
    ck_assert_int_eq(ask_resize(&body)->status, REPLAN__V1__STATUS__OK);
    free(bytes);
}

/// @param deltas  written: other windows that came as such to peer 1
/// @return the rows that came to it
static uint32_t count_rows(unsigned *deltas)
{
    uint32_t rows = 0;
    *deltas = 0;
    rp_wire_work(&wire);
    for (const Replan__V1__ToClient *news = rp_wire_next(&wire, 1); news != NULL;
         news = rp_wire_next(&wire, 1)) {
        rows += news->body_case == REPLAN__V1__TO_CLIENT__BODY_CHUNK ? news->chunk->rows : 0u;
        *deltas +=
            news->body_case == REPLAN__V1__TO_CLIENT__BODY_DELTA && news->delta->geometry != NULL;
    }
    return rows;
}

/// In pieces it spares the queue of a reader that does not read.
START_TEST(a_mirror_that_follows_gets_a_window_of_more_than_128_kib_as_rows)
{
    copy_t copy = {.follows = true};
    unsigned deltas;
    open_wire();
    open_copy(&copy, 1);
    ck_assert_uint_eq(count_rows(&deltas), 8);
    state_window(400, 320); // 128,000 bytes
    ck_assert_uint_eq(count_rows(&deltas), 0);
    ck_assert_uint_eq(deltas, 1);
    state_window(410, 320); // 131,200
    ck_assert_uint_eq(count_rows(&deltas), 320);
    ck_assert_uint_eq(deltas, 0);
}
END_TEST

static const Replan__V1__Reply *ask_deltas(uint64_t version, bool follows)
{
    Replan__V1__DeltasSince since = REPLAN__V1__DELTAS_SINCE__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    since.world = rp_text("marsh");
    since.epoch = epoch;
    since.version = version;
    since.follows = follows;
    request.body_case = REPLAN__V1__REQUEST__BODY_DELTAS_SINCE;
    request.deltas_since = &since;
    return rp_wire_ask(&wire, 1, &request);
}

START_TEST(deltas_across_a_window_are_for_those_who_follow)
{
    copy_t copy = {.follows = true, .width = 16, .height = 8, .version = 1, .window = 1};
    rng = (rp_random_t){3};
    open_wire();
    memset(copy.bytes, 1, sizeof copy.bytes);
    for (unsigned round = 0; round < 60; round++) {
        uint64_t dropped;
        resize_some();
        (void)ask_change(some_change(newest, &dropped), REPLAN__V1__WAIT__APPLIED);
        ck_assert_int_eq(ask_deltas(copy.version, false)->status, REPLAN__V1__STATUS__GONE);
        ck_assert_uint_eq(ask_deltas(copy.version + 1u, false)->deltas->n_deltas, 1);
        const Replan__V1__Reply *reply = ask_deltas(copy.version, true);
        ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__OK);
        for (size_t i = 0; i < reply->deltas->n_deltas; i++) {
            const ProtobufCBinaryData *packed = &reply->deltas->deltas[i];
            Replan__V1__Delta *delta = replan__v1__delta__unpack(NULL, packed->len, packed->data);
            write_delta(&copy, delta);
            replan__v1__delta__free_unpacked(delta, NULL);
        }
        ck_assert_mem_eq(copy.bytes, ground, (size_t)copy.width * copy.height);
    }
}
END_TEST

START_TEST(subscribers_are_told_the_name_of_a_window_alone)
{
    Replan__V1__Resize body = REPLAN__V1__RESIZE__INIT;
    open_wire();
    (void)rp_wire_apply(&wire, 0, rp_wire_change(15, 7, 9), REPLAN__V1__WAIT__APPLIED);
    body.x = -1;
    body.width = 20;
    body.height = 9;
    ck_assert_int_eq(ask_resize(&body)->status, REPLAN__V1__STATUS__OK);
    rp_wire_work(&wire);
    const Replan__V1__Delta *delta =
        (const Replan__V1__Delta *)rp_wire_published(&wire, "delta/marsh/");
    ck_assert_uint_eq(delta->version, 2);
    ck_assert(!delta->only_names);
    delta = (const Replan__V1__Delta *)rp_wire_published(&wire, "delta/marsh/");
    ck_assert_uint_eq(delta->version, 3);
    ck_assert(delta->only_names);
    ck_assert_ptr_null(delta->geometry);
    ck_assert_uint_eq(delta->width, 20);
    ck_assert_uint_eq(delta->height, 9);
    ck_assert_ptr_null(rp_wire_published(&wire, "delta/marsh/"));
}
END_TEST

START_TEST(whoever_hears_of_a_world_hears_its_window)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__ListWorlds list = REPLAN__V1__LIST_WORLDS__INIT;
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    open_wire();
    geometry.width = geometry.height = 8;
    geometry.resolution = 1.0;
    create.world = rp_text("hill");
    create.geometry = &geometry;
    request.body_case = REPLAN__V1__REQUEST__BODY_CREATE_WORLD;
    request.create_world = &create;
    ck_assert_uint_eq(rp_wire_do(&wire, 0, &request)->applied->window, 1);
    (void)rp_wire_agent(&wire, 0, "orc", 5, 2, 12, 2);
    shift(2);
    ck_assert_uint_eq(rp_wire_answer(&wire, 0, "orc")->window, 3);
    ck_assert_double_eq(rp_wire_answer(&wire, 0, "orc")->geometry->origin_x, 2.0);
    request.body_case = REPLAN__V1__REQUEST__BODY_LIST_WORLDS;
    request.list_worlds = &list;
    const Replan__V1__Worlds *worlds = rp_wire_do(&wire, 0, &request)->worlds;
    ck_assert_uint_eq(worlds->n_worlds, 2);
    ck_assert_uint_eq(worlds->worlds[0]->window, 3);
    ck_assert_uint_eq(worlds->worlds[1]->window, 1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_change_for_an_older_window_lands_where_it_was_meant,
        limits_are_those_of_the_window_that_is_named,
        questions_may_be_asked_in_cells_of_an_older_window,
        the_last_256_windows_are_known_and_older_ones_are_gone,
        a_publisher_whose_window_is_gone_is_marked_until_it_restates,
        a_repeat_is_answered_whatever_became_of_its_window,
        a_window_with_a_new_cell_that_nothing_states_is_refused_and_so_is_another_frame,
        a_mirror_that_follows_gets_windows_as_deltas_and_others_get_rows,
        a_mirror_that_follows_gets_a_window_of_more_than_128_kib_as_rows,
        deltas_across_a_window_are_for_those_who_follow,
        subscribers_are_told_the_name_of_a_window_alone,
        whoever_hears_of_a_world_hears_its_window,
    };
    return rp_suite_run("windows_wire", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
