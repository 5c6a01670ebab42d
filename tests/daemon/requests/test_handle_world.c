/// Worlds on the wire, through the daemon without its sockets: resized under their agents and
/// mirrors, and copied by snapshots and deltas.
#include <string.h>

#include "msgs/request.h"
#include "tests/daemon/wire.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_wire_t wire;

static void tear_down(void)
{
    rp_wire_close(&wire);
}

static const Replan__V1__Reply *resize(const char *world, int32_t x, int32_t y, uint32_t width,
                                       uint32_t height, Replan__V1__Wait wait)
{
    Replan__V1__Resize body = REPLAN__V1__RESIZE__INIT;
    body.world = (char *)world;
    body.x = x;
    body.y = y;
    body.width = width;
    body.height = height;
    body.content_case = REPLAN__V1__RESIZE__CONTENT_FILL;
    body.fill = 3;
    body.wait = wait;
    Replan__V1__Request request = RP_REQUEST(RESIZE, resize, &body);
    return rp_wire_ask(&wire, 0, &request);
}

START_TEST(agents_go_on_in_the_new_geometry)
{
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 2, 2, 12, 2);
    (void)rp_wire_watch(&wire, 1, false, 100);
    rp_wire_work(&wire);
    const Replan__V1__Reply *reply = resize("marsh", 1, 1, 14, 7, REPLAN__V1__WAIT__SETTLED);
    ck_assert_msg(reply->status == REPLAN__V1__STATUS__OK, "%s", reply->sentence);
    ck_assert_uint_eq(reply->applied->version, 2);
    ck_assert_uint_eq(reply->applied->n_changed_agents, 0); // its way is as it was
    (void)rp_wire_apply(&wire, 0, rp_wire_change(5, 1, 0), REPLAN__V1__WAIT__SETTLED);
    const Replan__V1__Answer *newest = NULL;
    for (const Replan__V1__ToClient *news = rp_wire_next(&wire, 1); news != NULL;
         news = rp_wire_next(&wire, 1)) {
        newest = news->body_case == REPLAN__V1__TO_CLIENT__BODY_ANSWER ? news->answer : newest;
    }
    ck_assert_ptr_nonnull(newest);
    ck_assert_uint_eq(newest->version, 3);
    ck_assert_uint_eq(newest->geometry->width, 14);
    ck_assert_double_eq(newest->geometry->origin_x, 1.0);
    ck_assert_uint_eq(newest->start, 1 * 14 + 1);
    ck_assert_double_gt(newest->cost, 10.0);
}
END_TEST

START_TEST(a_window_beyond_all_coordinates_is_refused)
{
    rp_wire_open(&wire);
    const Replan__V1__Reply *reply = resize("marsh", INT32_MAX, 0, 4, 4, REPLAN__V1__WAIT__APPLIED);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__INVALID);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "resize.x"));
    ck_assert_ptr_nonnull(strstr(reply->sentence, "1e+09"));
    reply = resize("marsh", 0, -1000000001, 4, 4, REPLAN__V1__WAIT__APPLIED);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__INVALID);
    reply = resize("marsh", 0, -1000000000, 16, 8, REPLAN__V1__WAIT__APPLIED);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__OK);
    ck_assert_uint_eq(reply->applied->version, 2); // what was refused left no trace
}
END_TEST

START_TEST(a_mirror_gets_the_new_window_as_rows_and_then_deltas_again)
{
    rp_wire_open(&wire);
    (void)rp_wire_watch(&wire, 1, true, 100);
    rp_wire_work(&wire);
    while (rp_wire_next(&wire, 1) != NULL) {
    }
    (void)resize("marsh", -1, 0, 18, 9, REPLAN__V1__WAIT__APPLIED);
    (void)rp_wire_apply(&wire, 0, rp_wire_change(17, 8, 9), REPLAN__V1__WAIT__APPLIED);
    rp_wire_work(&wire);
    bool has_chunk = false;
    for (const Replan__V1__ToClient *news = rp_wire_next(&wire, 1); news != NULL;
         news = rp_wire_next(&wire, 1)) {
        if (news->body_case == REPLAN__V1__TO_CLIENT__BODY_CHUNK) {
            const Replan__V1__Chunk *chunk = news->chunk;
            has_chunk = true;
            ck_assert(chunk->first && chunk->last);
            ck_assert_uint_eq(chunk->geometry->width, 18);
            ck_assert_uint_eq(chunk->rows, 9);
            ck_assert_uint_eq(chunk->data.data[0], 3);
            ck_assert_uint_eq(chunk->data.data[1], 1);
        } else if (news->body_case == REPLAN__V1__TO_CLIENT__BODY_DELTA) {
            ck_assert_uint_eq(news->delta->version, 3);
            ck_assert(has_chunk);
        }
    }
    ck_assert(has_chunk);
    const rp_served_t *marsh = rp_wire_marsh(&wire);
    ck_assert(!rp_deltas_reach(&marsh->deltas, 1, false));
    ck_assert(rp_deltas_reach(&marsh->deltas, 2, false));
    ck_assert(rp_deltas_reach(&marsh->deltas, 1, true));
}
END_TEST

START_TEST(changes_are_held_against_the_new_sides)
{
    rp_wire_open(&wire);
    (void)resize("marsh", 0, 0, 4, 4, REPLAN__V1__WAIT__APPLIED);
    Replan__V1__Request request =
        rp_wire_apply_request(&wire, rp_wire_change(4, 0, 9), REPLAN__V1__WAIT__APPLIED);
    const Replan__V1__Reply *reply = rp_wire_ask(&wire, 0, &request);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__INVALID);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "the world of 4 x 4"));
}
END_TEST

START_TEST(a_world_that_is_not_there_or_wraps_is_not_resized)
{
    rp_wire_open(&wire);
    ck_assert_int_eq(resize("hill", 0, 0, 4, 4, REPLAN__V1__WAIT__APPLIED)->status,
                     REPLAN__V1__STATUS__UNKNOWN);
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    geometry.width = geometry.height = 8;
    geometry.resolution = 1.0;
    create.world = rp_text("torus");
    create.geometry = &geometry;
    create.wraps = 1;
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &create);
    (void)rp_wire_do(&wire, 0, &request);
    const Replan__V1__Reply *reply = resize("torus", 0, 0, 4, 4, REPLAN__V1__WAIT__APPLIED);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "\"torus\" wraps"));
}
END_TEST

// ---- copies

enum {
    WIDTH = 16,
    HEIGHT = 8,
    CELLS = WIDTH * HEIGHT,
};

/// A client's copy of "marsh".
typedef struct copy {
    uint8_t bytes[CELLS];
    uint64_t epoch;
    uint64_t version;
} copy_t;

static void take_snapshot(copy_t *copy)
{
    Replan__V1__GetSnapshot get = REPLAN__V1__GET_SNAPSHOT__INIT;
    const Replan__V1__Chunk *chunk = NULL;
    get.world = rp_text("marsh");
    Replan__V1__Request request = RP_REQUEST(GET_SNAPSHOT, get_snapshot, &get);
    while (chunk == NULL || !chunk->last) {
        chunk = rp_wire_do(&wire, 1, &request)->chunk;
        ck_assert_uint_eq(chunk->first_row, get.first_row);
        ck_assert_uint_eq(chunk->data.len, (size_t)chunk->rows * WIDTH);
        memcpy(&copy->bytes[get.first_row * WIDTH], chunk->data.data, chunk->data.len);
        get.first_row += chunk->rows;
    }
    ck_assert_uint_eq(get.first_row, HEIGHT);
    copy->epoch = chunk->epoch;
    copy->version = chunk->version;
}

/// First the rectangle, then the single cells.
static void write_delta(copy_t *copy, const Replan__V1__Delta *delta)
{
    for (uint32_t i = 0; i < delta->width * delta->height; i++) {
        const uint32_t cell = (delta->y + i / delta->width) * WIDTH + delta->x + i % delta->width;
        copy->bytes[cell] = delta->rect_case == REPLAN__V1__DELTA__RECT_DATA ? delta->data.data[i]
                                                                             : (uint8_t)delta->fill;
    }
    for (size_t i = 0; i < delta->n_cells; i++) {
        copy->bytes[delta->cells[i]] = delta->values.data[delta->values.len == 1 ? 0 : i];
    }
}

static const Replan__V1__Reply *ask_deltas(uint64_t epoch, uint64_t version)
{
    Replan__V1__DeltasSince since = REPLAN__V1__DELTAS_SINCE__INIT;
    since.world = rp_text("marsh");
    since.epoch = epoch;
    since.version = version;
    Replan__V1__Request request = RP_REQUEST(DELTAS_SINCE, deltas_since, &since);
    return rp_wire_ask(&wire, 1, &request);
}

static void catch_up(copy_t *copy)
{
    while (copy->version < rp_wire_version(&wire)) {
        const Replan__V1__Reply *reply = ask_deltas(copy->epoch, copy->version);
        ck_assert_msg(reply->status == REPLAN__V1__STATUS__OK, "%s", reply->sentence);
        ck_assert_uint_ge(reply->deltas->n_deltas, 1);
        for (size_t i = 0; i < reply->deltas->n_deltas; i++) {
            const ProtobufCBinaryData *packed = &reply->deltas->deltas[i];
            Replan__V1__Delta *delta = replan__v1__delta__unpack(NULL, packed->len, packed->data);
            ck_assert_uint_eq(delta->version, ++copy->version);
            write_delta(copy, delta);
            replan__v1__delta__free_unpacked(delta, NULL);
        }
    }
}

/// A rectangle of one byte or of several, single cells of one byte or of several, or both; what a
/// copy is to be after it.
static void change_some(rp_random_t *rng, uint8_t *model)
{
    uint8_t data[CELLS];
    uint8_t values[5];
    uint32_t cells[5];
    const uint32_t byte = rp_random_below(rng, 256);
    const uint32_t row = rp_random_below(rng, HEIGHT - 4u);
    Replan__V1__Change *change = rp_wire_change(rp_random_below(rng, WIDTH - 4u), row, byte);
    change->width = rp_random_below(rng, 5);
    change->height = change->width != 0 ? rp_random_between(rng, 1, 4) : 0;
    for (uint32_t i = 0; i < CELLS; i++) {
        data[i] = (uint8_t)rp_random_below(rng, 256);
    }
    if (change->width == 0) {
        change->x = change->y = 0;
        change->rect_case = REPLAN__V1__CHANGE__RECT__NOT_SET;
    } else if (rp_random_chance(rng, 50)) {
        change->rect_case = REPLAN__V1__CHANGE__RECT_DATA;
        change->data = (ProtobufCBinaryData){(size_t)change->width * change->height, data};
    }
    for (uint32_t i = 0; i < change->width * change->height; i++) {
        const uint32_t y = change->y + i / change->width;
        model[y * WIDTH + change->x + i % change->width] =
            change->rect_case == REPLAN__V1__CHANGE__RECT_DATA ? data[i] : (uint8_t)change->fill;
    }
    change->n_cells = rp_random_between(rng, change->width == 0 ? 1 : 0, 5);
    const bool is_one = change->n_cells != 0 && rp_random_chance(rng, 30);
    for (size_t i = 0; i < change->n_cells; i++) {
        cells[i] = rp_random_below(rng, CELLS);
        values[i] = (uint8_t)rp_random_below(rng, 256);
        model[cells[i]] = values[is_one ? 0 : i];
    }
    change->cells = cells;
    change->values = (ProtobufCBinaryData){is_one ? 1 : change->n_cells, values};
    (void)rp_wire_apply(&wire, 0, change, REPLAN__V1__WAIT__APPLIED);
}

START_TEST(a_snapshot_and_the_deltas_since_make_a_copy)
{
    static uint8_t model[CELLS];
    rp_random_t rng = {1};
    copy_t copies[2]; // one takes in each version, the other many together
    rp_wire_open(&wire);
    memset(model, 1, sizeof model);
    take_snapshot(&copies[0]);
    take_snapshot(&copies[1]);
    for (unsigned round = 0; round < RP_ROUNDS(400); round++) {
        change_some(&rng, model);
        catch_up(&copies[0]);
        RP_EACH_EQ(memcmp(copies[0].bytes, model, CELLS), 0);
        if (rp_random_chance(&rng, 5)) {
            catch_up(&copies[1]);
            RP_EACH_EQ(memcmp(copies[1].bytes, model, CELLS), 0);
        }
    }
    take_snapshot(&copies[1]);
    ck_assert_mem_eq(copies[1].bytes, model, CELLS);
    ck_assert_uint_eq(copies[1].version, copies[0].version);
}
END_TEST

START_TEST(deltas_that_are_not_kept_are_gone_and_rows_that_are_none_refused)
{
    Replan__V1__GetSnapshot get = REPLAN__V1__GET_SNAPSHOT__INIT;
    rp_wire_open(&wire);
    const uint64_t epoch = rp_wire_marsh(&wire)->epoch;
    (void)rp_wire_apply(&wire, 0, rp_wire_change(1, 1, 0), REPLAN__V1__WAIT__APPLIED);
    ck_assert_uint_eq(ask_deltas(epoch, 1)->deltas->n_deltas, 1);
    ck_assert_uint_eq(ask_deltas(epoch, 2)->deltas->n_deltas, 0);
    ck_assert_int_eq(ask_deltas(epoch, 0)->status, REPLAN__V1__STATUS__GONE);
    ck_assert_int_eq(ask_deltas(epoch, 3)->status, REPLAN__V1__STATUS__GONE);
    ck_assert_int_eq(ask_deltas(epoch - 1u, 1)->status, REPLAN__V1__STATUS__GONE);
    get.world = rp_text("marsh");
    get.first_row = HEIGHT;
    Replan__V1__Request request = RP_REQUEST(GET_SNAPSHOT, get_snapshot, &get);
    const Replan__V1__Reply *reply = rp_wire_ask(&wire, 1, &request);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__INVALID);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "first_row"));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_snapshot_and_the_deltas_since_make_a_copy,
        deltas_that_are_not_kept_are_gone_and_rows_that_are_none_refused,
        agents_go_on_in_the_new_geometry,
        a_window_beyond_all_coordinates_is_refused,
        a_mirror_gets_the_new_window_as_rows_and_then_deltas_again,
        changes_are_held_against_the_new_sides,
        a_world_that_is_not_there_or_wraps_is_not_resized,
    };
    return rp_suite_run("handle_world", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
