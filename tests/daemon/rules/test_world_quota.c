/// Worlds take their part of what the daemon may hold.
#include "daemon/rules/world_quota.h"

#include <stdio.h>
#include <string.h>

#include "msgs/request.h"
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
    geometry.width = width;
    geometry.height = height;
    geometry.resolution = 1.0;
    body.world = rp_text(name);
    body.geometry = &geometry;
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &body);
    return rp_wire_ask(&wire, 0, &request);
}

static const Replan__V1__Reply *resize(uint32_t width, uint32_t height)
{
    Replan__V1__Resize body = REPLAN__V1__RESIZE__INIT;
    body.world = rp_text("marsh");
    body.width = width;
    body.height = height;
    Replan__V1__Request request = RP_REQUEST(RESIZE, resize, &body);
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
    open_with_room(128);
    ck_assert_int_eq(create("fen", 16, 8)->status, REPLAN__V1__STATUS__LIMIT);
    body.world = rp_text("marsh");
    Replan__V1__Request request = RP_REQUEST(REMOVE_WORLD, remove_world, &body);
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

// ---- what moves and lies on worlds

/// Room for so much beside what is there: agents, layers of "marsh", bytes in each engine.
static void open_with_room_for(uint64_t agents, uint64_t layers, uint64_t bytes)
{
    rp_wire_open(&wire);
    const rp_host_t *host = wire.daemon.serving.host;
    wire.daemon.serving.memory_bytes =
        rp_world_quota_bytes_with(&wire.daemon.serving, NULL, 0) +
        agents * RP_WORLD_QUOTA_AGENT_BYTES * (host->world_copies > 1u ? 2u : 1u) +
        (layers * host->layer_copies * 41u * 128u + 9u) / 10u + bytes * host->world_copies;
}

/// @param radius_m  of its body; 0: a point
static const Replan__V1__Reply *open_agent(const char *name, double radius_m)
{
    Replan__V1__Body body = REPLAN__V1__BODY__INIT;
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    body.radius_m = radius_m;
    open.world = rp_text("marsh");
    open.agent = rp_text(name);
    open.body = &body;
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &open);
    return rp_wire_ask(&wire, 0, &request);
}

static const Replan__V1__Reply *appear(const char *name)
{
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    pose.world = rp_text("marsh");
    pose.agent = rp_text(name);
    Replan__V1__Request request = RP_REQUEST(SET_POSE, set_pose, &pose);
    return rp_wire_ask(&wire, 0, &request);
}

static void close_agent(const char *name)
{
    Replan__V1__CloseAgent close = REPLAN__V1__CLOSE_AGENT__INIT;
    close.world = rp_text("marsh");
    close.agent = rp_text(name);
    Replan__V1__Request request = RP_REQUEST(CLOSE_AGENT, close_agent, &close);
    (void)rp_wire_do(&wire, 0, &request);
}

static void expect_refused(const Replan__V1__Reply *reply, const char *field)
{
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__LIMIT);
    ck_assert_msg(strstr(reply->sentence, field) == reply->sentence, "%s", reply->sentence);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "--memory"));
}

START_TEST(agents_come_as_long_as_there_is_room)
{
    open_with_room_for(2, 0, 0);
    ck_assert_int_eq(open_agent("orc", 0)->status, REPLAN__V1__STATUS__OK);
    ck_assert_int_eq(appear("elf")->status, REPLAN__V1__STATUS__OK);
    expect_refused(open_agent("troll", 0), "open_agent");
    expect_refused(appear("troll"), "agent");
    ck_assert_uint_eq(rp_wire_stat(&wire, "agents.open"), 2);
    expect_refused(create("fen", 1, 1), "create_world.geometry");
    ck_assert_int_eq(appear("elf")->status, REPLAN__V1__STATUS__OK); // it is there
    close_agent("orc");
    ck_assert_int_eq(open_agent("troll", 0)->status, REPLAN__V1__STATUS__OK);
}
END_TEST

static const Replan__V1__Reply *open_car(const char *name)
{
    Replan__V1__Motion motion = REPLAN__V1__MOTION__INIT;
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    motion.turning_radius_m = 2.0;
    open.world = rp_text("marsh");
    open.agent = rp_text(name);
    open.motion = &motion;
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &open);
    return rp_wire_ask(&wire, 0, &request);
}

START_TEST(who_drives_needs_room_for_a_planner_of_curves)
{
    open_with_room_for(2, 0, 0);
    const rp_host_t *host = wire.daemon.serving.host;
    wire.daemon.serving.memory_bytes += 20u * 128u - 1u;
    ck_assert_int_eq(open_agent("orc", 0)->status, REPLAN__V1__STATUS__OK);
    expect_refused(open_car("cart"), "open_agent");
    ck_assert_uint_eq(rp_wire_stat(&wire, "agents.open"), 1);
    ck_assert_int_eq(open_agent("elf", 0)->status, REPLAN__V1__STATUS__OK); // it takes no such room
    close_agent("elf");
    wire.daemon.serving.memory_bytes += 1u;
    ck_assert_int_eq(open_car("cart")->status, REPLAN__V1__STATUS__OK);
    close_agent("cart");
    ck_assert_int_eq(open_car("coach")->status, REPLAN__V1__STATUS__OK); // it made room
    close_agent("orc");
    if (host->layer_copies == 1u) { // the planner of one of them goes where there is no room
        ck_assert_int_eq(open_car("cart")->status, REPLAN__V1__STATUS__OK);
    }
}
END_TEST

START_TEST(a_body_that_needs_a_layer_needs_room_for_it)
{
    open_with_room_for(2, 1, 0);
    ck_assert_int_eq(open_agent("orc", 1.0)->status, REPLAN__V1__STATUS__OK);
    expect_refused(open_agent("troll", 2.0), "open_agent");
    ck_assert_uint_eq(rp_host_layers(wire.daemon.serving.host, 1), 2);
    ck_assert_int_eq(open_agent("elf", 1.0)->status, REPLAN__V1__STATUS__OK); // the same one
    close_agent("orc");
    close_agent("elf");
    ck_assert_int_eq(open_agent("troll", 2.0)->status, REPLAN__V1__STATUS__OK);
}
END_TEST

static const Replan__V1__Reply *put_disc(uint32_t id, bool removes)
{
    const double middle = 4.5;
    const double radius = 2.0;
    const uint32_t corners = 1;
    uint8_t byte = 0;
    Replan__V1__Overlay overlay = REPLAN__V1__OVERLAY__INIT;
    overlay.world = rp_text("marsh");
    overlay.n_removed = removes;
    overlay.removed = &id;
    overlay.n_ids = overlay.n_corners = overlay.n_x = overlay.n_y = overlay.n_radii_m = !removes;
    overlay.ids = &id;
    overlay.corners = (uint32_t *)&corners;
    overlay.x = overlay.y = (double *)&middle;
    overlay.radii_m = (double *)&radius;
    overlay.values = (ProtobufCBinaryData){!removes, &byte};
    Replan__V1__Request request = RP_REQUEST(OVERLAY, overlay, &overlay);
    return rp_wire_ask(&wire, 0, &request);
}

START_TEST(shapes_are_put_as_long_as_there_is_room)
{
    open_with_room_for(0, 0, 128u + 128u / 8u);
    wire.daemon.serving.memory_bytes--;
    expect_refused(put_disc(1, false), "overlay");
    wire.daemon.serving.memory_bytes++;
    const uint64_t before = rp_world_quota_bytes_with(&wire.daemon.serving, NULL, 0);
    ck_assert_int_eq(put_disc(1, false)->status, REPLAN__V1__STATUS__OK);
    ck_assert_uint_gt(rp_world_quota_bytes_with(&wire.daemon.serving, NULL, 0),
                      before + 128u + 16u);
    expect_refused(put_disc(2, false), "overlay"); // the first took more than was known of it
    ck_assert_int_eq(resize(8, 8)->status, REPLAN__V1__STATUS__OK);
    ck_assert_int_eq(put_disc(1, true)->status, REPLAN__V1__STATUS__OK);
    ck_assert_uint_lt(rp_world_quota_bytes_with(&wire.daemon.serving, NULL, 0), before);
}
END_TEST

/// A strip for each shape, as thin as can be: of a row each it takes as much as of a cell.
START_TEST(small_requests_for_many_shapes_have_an_end)
{
    uint32_t ids[64];
    uint32_t corners[64];
    double x[256];
    double y[256];
    uint8_t byte = 0;
    rp_wire_open(&wire);
    wire.daemon.serving.memory_bytes = (uint64_t)64 << 20;
    ck_assert_int_eq(create("plain", 64, 16384)->status, REPLAN__V1__STATUS__OK);
    Replan__V1__Overlay overlay = REPLAN__V1__OVERLAY__INIT;
    overlay.world = rp_text("plain");
    overlay.ids = ids;
    overlay.corners = corners;
    overlay.x = x;
    overlay.y = y;
    overlay.n_ids = overlay.n_corners = 64;
    overlay.n_x = overlay.n_y = 256;
    overlay.values = (ProtobufCBinaryData){1, &byte};
    Replan__V1__Request request = RP_REQUEST(OVERLAY, overlay, &overlay);
    unsigned put = 0;
    Replan__V1__Status status = REPLAN__V1__STATUS__OK;
    for (; status == REPLAN__V1__STATUS__OK && put < 16; put++) {
        for (uint32_t i = 0; i < 64; i++) {
            ids[i] = 64u * put + i;
            corners[i] = 4;
            for (uint32_t corner = 0; corner < 4; corner++) {
                x[4u * i + corner] = i + (corner == 1 || corner == 2 ? 1.0 : 0.0);
                y[4u * i + corner] = corner >= 2 ? 16384.0 : 0.0;
            }
        }
        status = rp_wire_ask(&wire, 0, &request)->status;
    }
    ck_assert_int_eq(status, REPLAN__V1__STATUS__LIMIT);
    ck_assert_uint_lt(rp_world_quota_bytes_with(&wire.daemon.serving, NULL, 0), (uint64_t)96 << 20);
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
        agents_come_as_long_as_there_is_room,
        who_drives_needs_room_for_a_planner_of_curves,
        a_body_that_needs_a_layer_needs_room_for_it,
        shapes_are_put_as_long_as_there_is_room,
        small_requests_for_many_shapes_have_an_end,
    };
    return rp_suite_run("world_quota", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
