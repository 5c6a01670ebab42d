/// Worlds take their part of what the daemon may hold.
#include "daemon/rules/world_quota.h"

#include <stdio.h>
#include <string.h>

#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

static rp_wire_t wire;

static void tear_down(void)
{
    rp_wire_close(&wire);
}

/// Room for so many cells, those of "marsh" included.
static void open_with_room(uint64_t cells)
{
    rp_wire_open(&wire);
    wire.daemon.serving.memory_bytes = 0;
    const uint64_t each = rp_world_quota_bytes_with(&wire.daemon.serving, NULL, 10) -
                          rp_world_quota_bytes_with(&wire.daemon.serving, NULL, 0);
    wire.daemon.serving.memory_bytes = cells * each / 10u;
}

static const Replan__V1__Reply *create(const char *name, uint32_t width, uint32_t height)
{
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__CreateWorld body = REPLAN__V1__CREATE_WORLD__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    geometry.width = width;
    geometry.height = height;
    geometry.resolution = 1.0;
    body.world = rp_text(name);
    body.geometry = &geometry;
    request.body_case = REPLAN__V1__REQUEST__BODY_CREATE_WORLD;
    request.create_world = &body;
    return rp_wire_ask(&wire, 0, &request);
}

static const Replan__V1__Reply *resize(uint32_t width, uint32_t height)
{
    Replan__V1__Resize body = REPLAN__V1__RESIZE__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    body.world = rp_text("marsh");
    body.width = width;
    body.height = height;
    request.body_case = REPLAN__V1__REQUEST__BODY_RESIZE;
    request.resize = &body;
    return rp_wire_ask(&wire, 0, &request);
}

START_TEST(worlds_are_made_as_long_as_there_is_room)
{
    open_with_room(128 + 1000);
    ck_assert_int_eq(create("fen", 10, 50)->status, REPLAN__V1__STATUS__OK);
    ck_assert_int_eq(create("bog", 10, 50)->status, REPLAN__V1__STATUS__OK);
    const Replan__V1__Reply *reply = create("moor", 1, 2);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__LIMIT);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "create_world.geometry"));
    ck_assert_ptr_nonnull(strstr(reply->sentence, "--memory"));
}
END_TEST

START_TEST(a_world_that_goes_makes_room)
{
    Replan__V1__RemoveWorld body = REPLAN__V1__REMOVE_WORLD__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    open_with_room(128);
    ck_assert_int_eq(create("fen", 16, 8)->status, REPLAN__V1__STATUS__LIMIT);
    body.world = rp_text("marsh");
    request.body_case = REPLAN__V1__REQUEST__BODY_REMOVE_WORLD;
    request.remove_world = &body;
    (void)rp_wire_do(&wire, 0, &request);
    ck_assert_int_eq(create("fen", 16, 8)->status, REPLAN__V1__STATUS__OK);
}
END_TEST

START_TEST(a_world_grows_as_far_as_there_is_room)
{
    open_with_room(200);
    const Replan__V1__Reply *reply = resize(20, 11);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__LIMIT);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "resize"));
    ck_assert_int_eq(resize(20, 10)->status, REPLAN__V1__STATUS__OK);
    ck_assert_int_eq(resize(4, 4)->status, REPLAN__V1__STATUS__OK);
    ck_assert_int_eq(create("fen", 16, 10)->status, REPLAN__V1__STATUS__OK);
}
END_TEST

/// The largest there are, each by a message of some fifty bytes.
START_TEST(small_requests_for_large_worlds_have_an_end)
{
    char name[16];
    unsigned made = 0;
    rp_wire_open(&wire);
    wire.daemon.serving.memory_bytes = (uint64_t)1 << 30;
    for (unsigned i = 0; i < RP_LIMIT_WORLDS - 1u; i++) {
        (void)snprintf(name, sizeof name, "bomb%u", i);
        made += create(name, 8192, 8192)->status == REPLAN__V1__STATUS__OK;
    }
    ck_assert_uint_gt(made, 0);
    ck_assert_uint_le(made, 5);
}
END_TEST

START_TEST(a_map_counts_as_any_world)
{
    static const uint8_t factors[300];
    open_with_room(400);
    rp_world_options_t map = {
        .width = 20, .height = 15, .frame = {.resolution_m = 1.0}, .data = factors};
    ck_assert_int_eq(rp_daemon_open_map(&wire.daemon, "fen", &map), RP_E_MEMORY);
    map.height = 10;
    ck_assert_int_eq(rp_daemon_open_map(&wire.daemon, "fen", &map), RP_OK);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        worlds_are_made_as_long_as_there_is_room,
        a_world_that_goes_makes_room,
        a_world_grows_as_far_as_there_is_room,
        small_requests_for_large_worlds_have_an_end,
        a_map_counts_as_any_world,
    };
    return rp_suite_run("world_quota", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
