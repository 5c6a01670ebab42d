/// A daemon that keeps its state, and one that comes after it: told the same, they serve the same.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/handlers.h"
#include "daemon/log.h"
#include "daemon/state.h"
#include "tests/daemon/wire.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define PATIENCE 20000u ///< milliseconds for the disk

#define START_US 5000u ///< that a process takes to start

static rp_wire_t wire;
static rp_wire_t after;
static char folder[64];
static char error[512];

static void run(const char *verb, const char *ending)
{
    char command[256];
    (void)snprintf(command, sizeof command, "%s %s%s", verb, folder, ending);
    ck_assert_int_eq(system(command), 0);
}

/// A daemon with the state that stands in a folder.
static void restore(rp_wire_t *self, const char *ending, bool is_disk)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s%s", folder, ending);
    self->daemon.state = rp_state_open(path, is_disk, error, sizeof error);
    ck_assert_msg(self->daemon.state != NULL, "%s", error);
    ck_assert_msg(rp_state_restore(&self->daemon, error, sizeof error), "%s", error);
}

static void set_up(bool is_disk)
{
    strcpy(folder, "/tmp/replan-state-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    rp_wire_open_bare(&wire);
    restore(&wire, "", is_disk);
}

static void tear_down(void)
{
    if (after.last != NULL) {
        rp_wire_close(&after);
    }
    rp_wire_close(&wire);
    run("rm -rf", "*");
}

/// The first daemon is killed at this moment, and goes on as if it had not been: another one finds
/// what was flushed by now, on a machine that was started anew.
static void succeed(uint64_t later_us)
{
    char command[256];
    if (after.last != NULL) {
        rp_wire_close(&after);
    }
    (void)snprintf(command, sizeof command, "rm -rf %s.copy && cp -r %s %s.copy 2> /dev/null",
                   folder, folder, folder);
    for (unsigned tries = 0; system(command) != 0; tries++) { // a file went while it was copied
        ck_assert_uint_lt(tries, 100);
    }
    rp_wire_open_bare(&after);
    after.daemon.now.wall_us = wire.daemon.now.wall_us + START_US + later_us;
    after.daemon.now.steady_us = 10000000000;
    restore(&after, ".copy", false);
    rp_wire_work(&after);
}

/// A base takes several rounds of work, and the disk its time.
static void renew(rp_wire_t *self)
{
    rp_state_renew(&self->daemon);
    while (rp_state_is_busy(&self->daemon)) {
        rp_daemon_work(&self->daemon, 8192);
    }
}

// ---- requests

static char *text(const char *constant)
{
    return (char *)constant; // the generated types know no const
}

static Replan__V1__Request request;

static void create(rp_wire_t *self, const char *name, uint32_t width, uint32_t height)
{
    Replan__V1__CreateWorld body = REPLAN__V1__CREATE_WORLD__INIT;
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    replan__v1__request__init(&request);
    geometry.width = width;
    geometry.height = height;
    geometry.resolution = 0.5;
    geometry.origin_x = -3.0;
    geometry.frame_id = text("odom");
    body.world = text(name);
    body.geometry = &geometry;
    body.expect_every_ms = 60000;
    request.body_case = REPLAN__V1__REQUEST__BODY_CREATE_WORLD;
    request.create_world = &body;
    (void)rp_wire_ask(self, 0, &request);
}

static const Replan__V1__Reply *apply_numbered(rp_wire_t *self, uint64_t sequence, uint32_t x)
{
    static Replan__V1__Apply body;
    replan__v1__apply__init(&body);
    replan__v1__request__init(&request);
    body.change = rp_wire_change(x, 1, 0);
    body.change->publisher = text("lidar");
    body.change->incarnation = 7;
    body.change->sequence = sequence;
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &body;
    return rp_wire_ask(self, 0, &request);
}

static const Replan__V1__Reply *apply_with(rp_wire_t *self, uint32_t x, Replan__V1__Wait wait)
{
    static Replan__V1__Apply body;
    replan__v1__apply__init(&body);
    replan__v1__request__init(&request);
    body.change = rp_wire_change(x, 1, 0);
    body.wait = wait;
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &body;
    request.id = ++self->next_id;
    rp_wire_send(self, 0, &request);
    rp_daemon_work(&self->daemon, 8192);
    return rp_wire_reply(self, 0);
}

static const rp_served_t *marsh(const rp_wire_t *self)
{
    return rp_worlds_find(&self->daemon.worlds, "marsh");
}

static uint8_t byte_at(const rp_wire_t *self, uint32_t x, uint32_t y)
{
    const rp_served_t *world = marsh(self);
    return rp_engine_bytes(self->daemon.engine, world->id)[y * world->options.width + x];
}

// ---- are they the same?

static void worlds_are_same(const rp_served_t *is, const rp_served_t *should)
{
    const rp_engine_t *engine = wire.daemon.engine;
    const rp_engine_t *later = after.daemon.engine;
    const rp_world_options_t *options = &should->options;
    const size_t cells = (size_t)options->width * options->height;
    ck_assert_uint_eq(is->options.width, options->width);
    ck_assert_uint_eq(is->options.height, options->height);
    ck_assert_uint_eq(is->options.neighbors, options->neighbors);
    ck_assert(is->options.frame.origin_x_m == options->frame.origin_x_m &&
              is->options.frame.origin_y_m == options->frame.origin_y_m &&
              is->options.frame.resolution_m == options->frame.resolution_m);
    ck_assert_str_eq(is->frame_id, should->frame_id);
    ck_assert_uint_eq(is->expect_every_ms, should->expect_every_ms);
    ck_assert_uint_eq(is->publishers.gaps, should->publishers.gaps);
    ck_assert_uint_gt(is->epoch, should->epoch);
    ck_assert_int_eq(
        memcmp(rp_engine_bytes(later, is->id), rp_engine_bytes(engine, should->id), cells), 0);
    ck_assert_int_eq(
        memcmp(rp_engine_beneath(later, is->id), rp_engine_beneath(engine, should->id), cells), 0);
}

/// An answer that was kept by policy says by its bound what a new one costs. Workers say again only
/// what is news, which the cost of a path that stands is not.
static void agents_are_same(const rp_agent_t *is, const rp_agent_t *should)
{
    const bool has_workers = getenv("REPLAN_TEST_WORKERS") != NULL;
    rp_answer_t answer;
    rp_answer_t expected;
    ck_assert_uint_eq(is->session, should->session);
    ck_assert_str_eq(is->planner, should->planner);
    ck_assert_str_eq(is->target, should->target);
    ck_assert_uint_eq(is->lease_s, should->lease_s);
    ck_assert_uint_eq(is->has_appeared, should->has_appeared);
    ck_assert_uint_eq(is->memo.pose.pose_seq, should->memo.pose.pose_seq);
    ck_assert_int_eq(rp_workers_answer(after.daemon.workers, is->session, &answer),
                     rp_workers_answer(wire.daemon.workers, should->session, &expected));
    ck_assert_uint_eq(answer.goal_id, expected.goal_id);
    ck_assert_uint_eq(answer.waypoint, expected.waypoint);
    if (expected.outcome == RP_ANSWER_ARRIVED) {
        return; // one who is there already has arrived, or not
    }
    ck_assert_int_eq(answer.outcome, expected.outcome);
    ck_assert_msg(has_workers || fabs(answer.bound - expected.bound) < 1e-9 ||
                      answer.bound == expected.bound,
                  "%s: %g, it was %g", is->name, answer.bound, expected.bound);
}

static void are_same(void)
{
    ck_assert_uint_eq(after.daemon.worlds.count, wire.daemon.worlds.count);
    for (const rp_served_t *world = wire.daemon.worlds.by_name; world != NULL;
         world = world->hh.next) {
        const rp_served_t *twin = rp_worlds_find(&after.daemon.worlds, world->name);
        ck_assert_msg(twin != NULL, "%s", world->name);
        worlds_are_same(twin, world);
        ck_assert_uint_eq(twin->agent_count, world->agent_count);
        for (const rp_agent_t *agent = world->agents; agent != NULL; agent = agent->hh.next) {
            const rp_agent_t *other = rp_worlds_find_agent(twin, agent->name);
            ck_assert_msg(other != NULL, "%s", agent->name);
            agents_are_same(other, agent);
        }
    }
    ck_assert_uint_eq(after.daemon.stats.agents, wire.daemon.stats.agents);
}

// ---- one by one

START_TEST(what_was_acknowledged_is_so_again)
{
    set_up(false);
    create(&wire, "marsh", 16, 8);
    (void)rp_wire_agent(&wire, 0, "scout", 1, 1, 9, 5);
    for (uint32_t x = 3; x < 9; x++) {
        (void)rp_wire_apply(&wire, 0, rp_wire_change(x, 2, 0), REPLAN__V1__WAIT__APPLIED);
        succeed(0);
        are_same();
        ck_assert_int_eq(byte_at(&after, x, 2), 0);
    }
    renew(&wire);
    succeed(0);
    are_same();
}
END_TEST

START_TEST(a_repeated_change_is_not_made_twice_after_a_restart)
{
    set_up(false);
    create(&wire, "marsh", 16, 8);
    for (uint64_t sequence = 1; sequence <= 5; sequence++) {
        ck_assert_int_eq(apply_numbered(&wire, sequence, (uint32_t)sequence)->status, 0);
    }
    for (int round = 0; round < 2; round++) { // from the log, then from a base
        succeed(0);
        const uint64_t version = rp_engine_version(after.daemon.engine, marsh(&after)->id);
        for (uint64_t sequence = 2; sequence <= 5; sequence++) {
            const Replan__V1__Reply *reply = apply_numbered(&after, sequence, 15);
            ck_assert_msg(reply->status == 0, "%s", reply->sentence);
            ck_assert_uint_le(reply->applied->version, version);
        }
        ck_assert_int_eq(byte_at(&after, 15, 1), 1);
        ck_assert_int_eq(apply_numbered(&after, 7, 14)->status, 0);
        ck_assert_uint_eq(marsh(&after)->publishers.gaps, 1); // 6 was lost
        renew(&wire);
    }
}
END_TEST

START_TEST(a_world_whose_bytes_are_still_to_be_written_is_kept_as_they_will_be)
{
    set_up(false);
    Replan__V1__CreateWorld body = REPLAN__V1__CREATE_WORLD__INIT;
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    replan__v1__request__init(&request);
    geometry.width = 2048;
    geometry.height = 1024;
    geometry.resolution = 1.0;
    body.world = text("marsh");
    body.geometry = &geometry;
    body.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_FILL;
    body.fill = 1;
    request.body_case = REPLAN__V1__REQUEST__BODY_CREATE_WORLD;
    request.create_world = &body;
    rp_wire_send(&wire, 0, &request);
    rp_state_renew(&wire.daemon);
    while (rp_state_is_busy(&wire.daemon)) {
        rp_state_work(&wire.daemon); // and no step of the engine
    }
    succeed(0);
    const uint8_t *bytes = rp_engine_bytes(after.daemon.engine, marsh(&after)->id);
    for (size_t i = 0; i < (size_t)2048 * 1024; i++) {
        RP_EACH_EQ(bytes[i], 1);
    }
}
END_TEST

START_TEST(a_gap_stays_marked)
{
    set_up(false);
    create(&wire, "marsh", 16, 8);
    (void)apply_numbered(&wire, 1, 1);
    (void)apply_numbered(&wire, 3, 3);
    succeed(0);
    are_same();
    renew(&wire);
    succeed(0);
    are_same();
    ck_assert_uint_eq(marsh(&after)->publishers.gaps, 1);
}
END_TEST

START_TEST(free_handles_are_free_again)
{
    set_up(false);
    create(&wire, "marsh", 16, 8);
    for (char name[] = "a"; name[0] < 'k'; name[0]++) {
        (void)rp_wire_agent(&wire, 0, name, 1, 1, 9, 5);
    }
    for (char name[] = "b"; name[0] < 'k'; name[0] = (char)(name[0] + 3)) {
        Replan__V1__CloseAgent close = REPLAN__V1__CLOSE_AGENT__INIT;
        replan__v1__request__init(&request);
        close.world = text("marsh");
        close.agent = name;
        request.body_case = REPLAN__V1__REQUEST__BODY_CLOSE_AGENT;
        request.close_agent = &close;
        (void)rp_wire_do(&wire, 0, &request);
    }
    renew(&wire);
    succeed(0);
    are_same();
    const uint32_t handle = rp_wire_agent(&wire, 0, "next", 1, 1, 9, 5);
    ck_assert_uint_eq(rp_wire_agent(&after, 0, "next", 1, 1, 9, 5), handle);
    ck_assert_uint_eq(handle, 2);
}
END_TEST

START_TEST(a_lease_begins_anew_and_a_shape_s_time_goes_on)
{
    set_up(false);
    create(&wire, "marsh", 16, 8);
    (void)rp_wire_agent(&wire, 0, "scout", 1, 1, 9, 5);
    uint32_t id = 4;
    uint32_t corners = 1;
    uint32_t ttl_ms = 90000;
    double x = -2.0 + 0.25;
    double y = 2.25;
    uint8_t value = 0;
    Replan__V1__Overlay overlay = REPLAN__V1__OVERLAY__INIT;
    replan__v1__request__init(&request);
    overlay.world = text("marsh");
    overlay.n_ids = overlay.n_corners = overlay.n_x = overlay.n_y = overlay.n_ttl_ms = 1;
    overlay.ids = &id;
    overlay.corners = &corners;
    overlay.x = &x;
    overlay.y = &y;
    overlay.ttl_ms = &ttl_ms;
    overlay.values = (ProtobufCBinaryData){1, &value};
    request.body_case = REPLAN__V1__REQUEST__BODY_OVERLAY;
    request.overlay = &overlay;
    (void)rp_wire_do(&wire, 0, &request);
    succeed(80000000);
    ck_assert_int_eq(byte_at(&after, 2, 4), 0);
    ck_assert_uint_eq(marsh(&after)->agent_count, 1); // though its lease was 60 s
    rp_wire_pass(&after, 9000000);
    ck_assert_int_eq(byte_at(&after, 2, 4), 0);
    rp_wire_pass(&after, 2000000);
    ck_assert_int_eq(byte_at(&after, 2, 4), 1);
    succeed(100000000);
    ck_assert_int_eq(byte_at(&after, 2, 4), 1);
}
END_TEST

START_TEST(a_way_point_that_was_reached_is_not_gone_to_again)
{
    set_up(false);
    create(&wire, "marsh", 16, 8);
    (void)rp_wire_agent(&wire, 0, "scout", 1, 1, 9, 5);
    double x[] = {-1.75, 0.25, 3.25};
    double y[] = {0.75, 1.25, 2.25};
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    replan__v1__request__init(&request);
    goal.world = pose.world = text("marsh");
    goal.agent = pose.agent = text("scout");
    goal.kind = REPLAN__V1__GOAL_KIND__WAYPOINTS;
    goal.n_x = goal.n_y = 3;
    goal.x = x;
    goal.y = y;
    request.body_case = REPLAN__V1__REQUEST__BODY_SET_GOAL;
    request.set_goal = &goal;
    (void)rp_wire_do(&wire, 0, &request);
    for (unsigned i = 0; i < 2; i++) {
        pose.x = x[i];
        pose.y = y[i];
        pose.pose_seq = i + 1u;
        request.body_case = REPLAN__V1__REQUEST__BODY_SET_POSE;
        request.set_pose = &pose;
        (void)rp_wire_do(&wire, 0, &request);
        ck_assert_uint_eq(rp_wire_answer(&wire, 0, "scout")->waypoint, i + 1u);
        rp_wire_work(&wire);
        succeed(0);
        ck_assert_uint_eq(rp_wire_answer(&after, 0, "scout")->waypoint, i + 1u);
        are_same();
        renew(&wire);
        succeed(0);
        ck_assert_uint_eq(rp_wire_answer(&after, 0, "scout")->waypoint, i + 1u);
    }
}
END_TEST

START_TEST(what_a_refused_order_did_is_so_again)
{
    set_up(false);
    create(&wire, "marsh", 16, 8);
    const uint32_t able = rp_wire_agent(&wire, 0, "able", 1, 1, 9, 5);
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    Replan__V1__Order order = REPLAN__V1__ORDER__INIT;
    char *agents[] = {text("unable"), text("never")};
    double x[] = {0.25, 1.25, 2.25};
    double y[] = {0.25, 1.25, 2.25};
    uint64_t ids[] = {7, 8, 9};
    replan__v1__request__init(&request);
    open.world = order.world = text("marsh");
    open.agent = text("unable");
    open.planner = text("fsa"); // which takes one goal
    request.body_case = REPLAN__V1__REQUEST__BODY_OPEN_AGENT;
    request.open_agent = &open;
    (void)rp_wire_do(&wire, 0, &request);
    (void)rp_wire_agent(&wire, 0, "never", 1, 1, 9, 5);
    order.n_handles = 1;
    order.handles = (uint32_t *)&able;
    order.n_agents = 2;
    order.agents = agents;
    order.n_x = order.n_y = order.n_goal_ids = 3;
    order.x = x;
    order.y = y;
    order.goal_ids = ids;
    order.tolerance_m = 1.0;
    request.body_case = REPLAN__V1__REQUEST__BODY_ORDER;
    request.order = &order;
    ck_assert_int_eq(rp_wire_ask(&wire, 0, &request)->status, REPLAN__V1__STATUS__UNSUPPORTED);
    ck_assert_uint_eq(rp_wire_answer(&wire, 0, "able")->goal_id, 7);
    succeed(0);
    are_same();
    ck_assert_uint_eq(rp_wire_answer(&after, 0, "able")->goal_id, 7);
    ck_assert_uint_eq(rp_wire_answer(&after, 0, "never")->goal_id, 0);
}
END_TEST

/// Work until the disk has taken what is on its way.
static const Replan__V1__Reply *await_reply(rp_wire_t *self)
{
    const Replan__V1__Reply *reply = NULL;
    for (unsigned waited = 0; reply == NULL; waited++) {
        ck_assert_uint_lt(waited, PATIENCE);
        (void)usleep(1000);
        rp_daemon_work(&self->daemon, 8192);
        reply = rp_wire_reply(self, 0);
    }
    return reply;
}

START_TEST(who_waits_for_the_disk_is_told_when_it_is_there)
{
    set_up(false);
    create(&wire, "marsh", 16, 8);
    ck_assert_ptr_nonnull(apply_with(&wire, 3, REPLAN__V1__WAIT__APPLIED));
    const Replan__V1__Reply *reply = apply_with(&wire, 4, REPLAN__V1__WAIT__DURABLE);
    reply = reply != NULL ? reply : await_reply(&wire);
    ck_assert_int_eq(reply->status, 0);
    ck_assert_uint_eq(reply->applied->version, 3);
    ck_assert_uint_ge(marsh(&wire)->durable, 3);
    ck_assert_uint_gt(rp_wire_stat(&wire, "journal.syncs"), 0);
}
END_TEST

START_TEST(with_durability_disk_everybody_waits_for_it)
{
    set_up(true);
    create(&wire, "marsh", 16, 8);
    const Replan__V1__Reply *reply = apply_with(&wire, 3, REPLAN__V1__WAIT__APPLIED);
    ck_assert(reply == NULL || marsh(&wire)->durable >= reply->applied->version);
    reply = reply != NULL ? reply : await_reply(&wire);
    ck_assert_uint_ge(marsh(&wire)->durable, reply->applied->version);
    reply = apply_with(&wire, 4, REPLAN__V1__WAIT__SETTLED);
    reply = reply != NULL ? reply : await_reply(&wire);
    ck_assert_uint_ge(marsh(&wire)->durable, reply->applied->version);
}
END_TEST

START_TEST(without_a_folder_nothing_can_be_durable)
{
    rp_wire_open(&wire);
    strcpy(folder, "/tmp/replan-state-none");
    const Replan__V1__Reply *reply = apply_with(&wire, 3, REPLAN__V1__WAIT__DURABLE);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "--state"));
}
END_TEST

// ---- by chance

static rp_random_t chance;

static uint32_t below(uint32_t limit)
{
    return rp_random_below(&chance, limit);
}

static const char *some_world(void)
{
    static const char *const names[] = {"marsh", "moor", "fen"};
    return names[below(8) < 6 ? 0 : 1 + below(2)];
}

static const char *some_agent(void)
{
    static const char *const names[] = {"ann", "bob", "cy", "dan", "eve", "flo"};
    return names[below(6)];
}

static double some_metres(void)
{
    return -4.0 + 0.25 * below(48);
}

static void play_world(void)
{
    replan__v1__request__init(&request);
    if (below(3) != 0) {
        create(&wire, some_world(), 4 + below(20), 4 + below(12));
    } else {
        Replan__V1__RemoveWorld body = REPLAN__V1__REMOVE_WORLD__INIT;
        body.world = text(some_world());
        request.body_case = REPLAN__V1__REQUEST__BODY_REMOVE_WORLD;
        request.remove_world = &body;
        (void)rp_wire_ask(&wire, 0, &request);
    }
}

static void play_resize(void)
{
    Replan__V1__Resize body = REPLAN__V1__RESIZE__INIT;
    replan__v1__request__init(&request);
    body.world = text(some_world());
    body.x = (int32_t)below(5) - 2;
    body.y = (int32_t)below(5) - 2;
    body.width = 4 + below(20);
    body.height = 4 + below(12);
    request.body_case = REPLAN__V1__REQUEST__BODY_RESIZE;
    request.resize = &body;
    (void)rp_wire_ask(&wire, 0, &request);
}

static void play_change(void)
{
    static uint64_t sequence;
    Replan__V1__Apply body = REPLAN__V1__APPLY__INIT;
    replan__v1__request__init(&request);
    body.change = rp_wire_change(below(12), below(8), below(3));
    body.change->world = text(some_world());
    body.change->width = 1 + below(4);
    body.change->height = 1 + below(4);
    if (below(2) == 0) {
        body.change->publisher = text(below(2) == 0 ? "lidar" : "map");
        body.change->incarnation = 1;
        sequence += below(10) == 0 ? 2 : 1;
        body.change->sequence = sequence;
        body.change->repairs_through = below(4) == 0 ? sequence : 0;
    }
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &body;
    (void)rp_wire_ask(&wire, 0, &request);
}

static void play_overlay(void)
{
    Replan__V1__Overlay body = REPLAN__V1__OVERLAY__INIT;
    uint32_t ids[] = {below(6), 6 + below(3)};
    uint32_t corners[] = {1, 4};
    uint32_t ttls[] = {below(2) * 5000, 0};
    double radii[] = {0.25 * below(5), 0.0};
    double x[5];
    double y[5];
    uint8_t values[] = {(uint8_t)below(3), (uint8_t)below(3)};
    uint32_t removed = below(9);
    replan__v1__request__init(&request);
    x[0] = some_metres();
    y[0] = some_metres();
    const double side = 0.5 + 0.5 * below(4);
    for (unsigned i = 0; i < 4; i++) {
        x[1 + i] = x[0] + (i == 1 || i == 2 ? side : 0.0);
        y[1 + i] = y[0] + (i >= 2 ? side : 0.0);
    }
    body.world = text(some_world());
    body.n_ids = body.n_corners = body.n_radii_m = body.n_ttl_ms = 2;
    body.n_x = body.n_y = 5;
    body.ids = ids;
    body.corners = corners;
    body.x = x;
    body.y = y;
    body.radii_m = radii;
    body.ttl_ms = ttls;
    body.values = (ProtobufCBinaryData){2, values};
    body.n_removed = below(2);
    body.removed = &removed;
    body.clear = below(12) == 0;
    request.body_case = REPLAN__V1__REQUEST__BODY_OVERLAY;
    request.overlay = &body;
    (void)rp_wire_ask(&wire, 0, &request);
}

static void play_open(void)
{
    Replan__V1__OpenAgent body = REPLAN__V1__OPEN_AGENT__INIT;
    Replan__V1__Policy policy = REPLAN__V1__POLICY__INIT;
    replan__v1__request__init(&request);
    body.world = text(some_world());
    body.agent = text(some_agent());
    body.planner = text(below(2) == 0 ? "" : "auto");
    policy.gain_case = REPLAN__V1__POLICY__GAIN_SWITCH_GAIN_PERCENT;
    policy.lease_case = REPLAN__V1__POLICY__LEASE_LEASE_S;
    policy.lease_s = below(3) * 20;
    body.policy = below(2) == 0 ? &policy : NULL;
    request.body_case = REPLAN__V1__REQUEST__BODY_OPEN_AGENT;
    request.open_agent = &body;
    (void)rp_wire_ask(&wire, 0, &request);
}

static void play_close(void)
{
    Replan__V1__CloseAgent body = REPLAN__V1__CLOSE_AGENT__INIT;
    replan__v1__request__init(&request);
    body.world = text(some_world());
    body.agent = text(some_agent());
    request.body_case = REPLAN__V1__REQUEST__BODY_CLOSE_AGENT;
    request.close_agent = &body;
    (void)rp_wire_ask(&wire, 0, &request);
}

static void play_pose(void)
{
    static uint64_t pose_seq;
    Replan__V1__Pose body = REPLAN__V1__POSE__INIT;
    replan__v1__request__init(&request);
    body.world = text(some_world());
    body.agent = text(some_agent());
    body.x = some_metres();
    body.y = some_metres();
    body.pose_seq = ++pose_seq;
    request.body_case = REPLAN__V1__REQUEST__BODY_SET_POSE;
    request.set_pose = &body;
    if (below(2) == 0) {
        (void)rp_wire_ask(&wire, 0, &request);
        return;
    }
    uint8_t bytes[256];
    char topic[RP_LIMIT_TOPIC];
    const size_t size = replan__v1__pose__pack(&body, bytes);
    (void)snprintf(topic, sizeof topic, "pose/%s/%s/", body.world, body.agent);
    rp_daemon_pose(&wire.daemon, topic, strlen(topic), bytes, size);
}

static void play_goal(void)
{
    static uint64_t goal_id;
    Replan__V1__Goal body = REPLAN__V1__GOAL__INIT;
    double x[] = {some_metres(), some_metres(), some_metres()};
    double y[] = {some_metres(), some_metres(), some_metres()};
    replan__v1__request__init(&request);
    body.world = text(some_world());
    body.agent = text(some_agent());
    body.goal_id = ++goal_id;
    body.n_x = body.n_y = 1 + below(2) * 2;
    body.x = x;
    body.y = y;
    body.kind = below(2) == 0 ? REPLAN__V1__GOAL_KIND__WAYPOINTS : REPLAN__V1__GOAL_KIND__POINTS;
    body.nearest = below(3) == 0;
    if (below(4) == 0) {
        body.n_x = body.n_y = 0;
        body.kind = REPLAN__V1__GOAL_KIND__POINTS;
        body.target = text(some_agent());
    }
    request.body_case = REPLAN__V1__REQUEST__BODY_SET_GOAL;
    request.set_goal = &body;
    (void)rp_wire_ask(&wire, 0, &request);
}

static void play_order(void)
{
    static uint64_t goal_id = 1u << 20;
    Replan__V1__Order body = REPLAN__V1__ORDER__INIT;
    char *agents[] = {text(some_agent())};
    double x[] = {some_metres()};
    double y[] = {some_metres()};
    uint64_t ids[] = {++goal_id};
    replan__v1__request__init(&request);
    body.world = text(some_world());
    body.n_agents = body.n_x = body.n_y = body.n_goal_ids = 1;
    body.agents = agents;
    body.x = x;
    body.y = y;
    body.goal_ids = ids;
    request.body_case = REPLAN__V1__REQUEST__BODY_ORDER;
    request.order = &body;
    (void)rp_wire_ask(&wire, 0, &request);
}

static void play_step(void)
{
    static void (*const common[])(void) = {play_change, play_overlay, play_pose, play_goal};
    static void (*const rare[])(void) = {play_open, play_close, play_order, play_resize,
                                         play_world};
    if (below(3) != 0) {
        common[below(4)]();
    } else {
        rare[below(5)]();
    }
    if (below(4) == 0) {
        rp_wire_pass(&wire, below(2000000));
    }
    if (below(25) == 0) {
        rp_state_renew(&wire.daemon); // and what comes now comes while it is being written
    }
    if (below(4) == 0) {
        rp_daemon_work(&wire.daemon, 8192);
    }
}

START_TEST(told_the_same_by_chance_they_serve_the_same)
{
    chance.state = (uint64_t)_i * 77u + 1u;
    set_up(false);
    create(&wire, "marsh", 16, 8);
    for (unsigned i = 0; i < 60; i++) {
        play_step();
        if (below(10) == 0) {
            rp_wire_pass(&wire, 250000); // answers are true, and nobody waits for his interval
            rp_daemon_work(&wire.daemon, 8192);
            succeed(0);
            rp_wire_pass(&wire, START_US); // nothing is over sooner for one than for the other
            are_same();
        }
    }
}
END_TEST

int main(void)
{
    rp_log_set_level(RP_LOG_ERROR); // in hundreds of restarts
    const TTest *const tests[] = {
        what_was_acknowledged_is_so_again,
        a_repeated_change_is_not_made_twice_after_a_restart,
        a_world_whose_bytes_are_still_to_be_written_is_kept_as_they_will_be,
        a_gap_stays_marked,
        free_handles_are_free_again,
        a_lease_begins_anew_and_a_shape_s_time_goes_on,
        a_way_point_that_was_reached_is_not_gone_to_again,
        what_a_refused_order_did_is_so_again,
        who_waits_for_the_disk_is_told_when_it_is_there,
        with_durability_disk_everybody_waits_for_it,
        without_a_folder_nothing_can_be_durable,
    };
    const TTest *const by_chance[] = {told_the_same_by_chance_they_serve_the_same};
    const int code = rp_suite_run("state", tests, sizeof tests / sizeof tests[0], 1, tear_down);
    const int other = rp_suite_run("state by chance", by_chance, 1, RP_ROUNDS(100), tear_down);
    return code != 0 ? code : other;
}
