/// Mirrors of worlds whose window moves.
#include <stdlib.h>
#include <string.h>

#include "msgs/request.h"
#include "tests/daemon/requests/windows_scene.h"
#include "tests/daemon/wire.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

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
        ck_assert(rect[2] != 0 && rect[3] != 0);
        ck_assert(rect[0] + rect[2] <= width && rect[1] + rect[3] <= copy->height);
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
    watch.world = rp_text("marsh");
    watch.map = true;
    watch.follows = copy->follows;
    watch.credit = 60000;
    Replan__V1__Request request = RP_REQUEST(WATCH, watch, &watch);
    (void)rp_wire_do(&wire, peer, &request);
}

static void put_shape(void)
{
    Replan__V1__Overlay overlay = REPLAN__V1__OVERLAY__INIT;
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
    Replan__V1__Request request = RP_REQUEST(OVERLAY, overlay, &overlay);
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
    since.world = rp_text("marsh");
    since.epoch = epoch;
    since.version = version;
    since.follows = follows;
    Replan__V1__Request request = RP_REQUEST(DELTAS_SINCE, deltas_since, &since);
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
    Replan__V1__ListWorlds list = REPLAN__V1__LIST_WORLDS__INIT;
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    open_wire();
    geometry.width = geometry.height = 8;
    geometry.resolution = 1.0;
    create.world = rp_text("hill");
    create.geometry = &geometry;
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &create);
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
        a_mirror_that_follows_gets_windows_as_deltas_and_others_get_rows,
        a_mirror_that_follows_gets_a_window_of_more_than_128_kib_as_rows,
        deltas_across_a_window_are_for_those_who_follow,
        subscribers_are_told_the_name_of_a_window_alone,
        whoever_hears_of_a_world_hears_its_window,
    };
    return rp_suite_run("windows_mirror", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
