/// A world that is resized under its agents and mirrors, through the daemon without its sockets.
#include <string.h>

#include "tests/daemon/wire.h"
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
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    body.world = (char *)world;
    body.x = x;
    body.y = y;
    body.width = width;
    body.height = height;
    body.content_case = REPLAN__V1__RESIZE__CONTENT_FILL;
    body.fill = 3;
    body.wait = wait;
    request.body_case = REPLAN__V1__REQUEST__BODY_RESIZE;
    request.resize = &body;
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
    const rp_served_t *marsh = rp_worlds_find(&wire.daemon.worlds, "marsh");
    ck_assert(!rp_deltas_reach(&marsh->deltas, 1));
    ck_assert(rp_deltas_reach(&marsh->deltas, 2));
}
END_TEST

START_TEST(changes_are_held_against_the_new_sides)
{
    rp_wire_open(&wire);
    (void)resize("marsh", 0, 0, 4, 4, REPLAN__V1__WAIT__APPLIED);
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    apply.change = rp_wire_change(4, 0, 9);
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &apply;
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
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    geometry.width = geometry.height = 8;
    geometry.resolution = 1.0;
    create.world = (char *)"torus";
    create.geometry = &geometry;
    create.wraps = 1;
    request.body_case = REPLAN__V1__REQUEST__BODY_CREATE_WORLD;
    request.create_world = &create;
    (void)rp_wire_do(&wire, 0, &request);
    const Replan__V1__Reply *reply = resize("torus", 0, 0, 4, 4, REPLAN__V1__WAIT__APPLIED);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "\"torus\" wraps"));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        agents_go_on_in_the_new_geometry,
        a_window_beyond_all_coordinates_is_refused,
        a_mirror_gets_the_new_window_as_rows_and_then_deltas_again,
        changes_are_held_against_the_new_sides,
        a_world_that_is_not_there_or_wraps_is_not_resized,
    };
    return rp_suite_run("daemon: resize", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
