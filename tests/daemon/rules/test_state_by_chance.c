/// Whatever a daemon that keeps its state is told: its heir serves the same.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "daemon/process/log.h"
#include "daemon/requests/staged_request.h"
#include "daemon/rules/state.h"
#include "tests/daemon/heir.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static Replan__V1__Request request;
static rp_random_t chance;

static uint32_t below(uint32_t limit)
{
    return rp_random_below(&chance, limit);
}

// ---- kills: between any two of the journal's steps, by a step that all of them take. These two
// stand before those of the C library

static bool may_be_killed;
static pthread_t keeper;

/// The heir has a journal, too, which is let alone. @param later_us  as rp_keeper_die()
static void kill_keeper(uint64_t later_us)
{
    may_be_killed = false;
    rp_keeper_die(later_us);
    may_be_killed = true;
}

/// What was flushed is there, whatever is being made beside it.
static void maybe_kill(void)
{
    if (may_be_killed && pthread_equal(pthread_self(), keeper) && below(3) == 0) {
        kill_keeper(-(uint64_t)RP_HEIR_START_US);
        rp_heir_has_same_worlds();
    }
}

int fsync(int file)
{
    maybe_kill();
    return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file)
{
    maybe_kill();
    return (int)syscall(SYS_fdatasync, file);
}

/// Send the request and work. Now and then the keeper is killed before all of it is done.
static void ask(void)
{
    if (below(20) != 0) {
        (void)rp_wire_ask(&rp_keeper, 0, &request);
        return;
    }
    const char *reason;
    request.id = ++rp_keeper.next_id;
    rp_wire_send(&rp_keeper, 0, &request);
    rp_daemon_work(&rp_keeper.daemon, 1u + below(8));
    ck_assert(rp_state_flush(&rp_keeper.daemon.serving, &reason));
    kill_keeper(-(uint64_t)RP_HEIR_START_US);
    rp_heir_has_same_worlds();
    rp_wire_work(&rp_keeper);
    ck_assert_ptr_nonnull(rp_wire_reply(&rp_keeper, 0));
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
        const uint32_t height = 4 + below(12);
        const uint32_t width = 4 + below(20);
        rp_keeper_create(some_world(), width, height);
    } else {
        Replan__V1__RemoveWorld body = REPLAN__V1__REMOVE_WORLD__INIT;
        body.world = rp_text(some_world());
        request.body_case = REPLAN__V1__REQUEST__BODY_REMOVE_WORLD;
        request.remove_world = &body;
        ask();
    }
}

static void play_resize(void)
{
    Replan__V1__Resize body = REPLAN__V1__RESIZE__INIT;
    replan__v1__request__init(&request);
    body.world = rp_text(some_world());
    Replan__V1__Geometry told = REPLAN__V1__GEOMETRY__INIT;
    uint8_t bytes[24 * 16];
    told.width = 4 + below(20);
    told.height = 4 + below(12);
    uint32_t rects[] = {0, 0, told.width, told.height};
    if (below(2) == 0) {
        told.origin_x = -3.0 + 0.1 * below(30);
        told.origin_y = 0.1 * below(30) - 1.5;
        body.geometry = &told;
    } else {
        body.x = (int32_t)below(5) - 2;
        body.y = (int32_t)below(5) - 2;
        body.width = told.width;
        body.height = told.height;
    }
    if (below(3) == 0) {
        for (size_t i = 0; i < sizeof bytes; i++) {
            bytes[i] = (uint8_t)below(3);
        }
        body.rects = rects;
        body.n_rects = 4;
        body.rect_data = (ProtobufCBinaryData){(size_t)told.width * told.height, bytes};
    }
    request.body_case = REPLAN__V1__REQUEST__BODY_RESIZE;
    request.resize = &body;
    ask();
}

static void play_change(void)
{
    static uint64_t sequence;
    Replan__V1__Apply body = REPLAN__V1__APPLY__INIT;
    replan__v1__request__init(&request);
    const uint32_t byte = below(3);
    const uint32_t y = below(8);
    body.change = rp_wire_change(below(12), y, byte);
    body.change->world = rp_text(some_world());
    body.change->width = 1 + below(4);
    body.change->height = 1 + below(4);
    const rp_served_t *world = rp_worlds_find(&rp_keeper.daemon.serving.worlds, body.change->world);
    if (world != NULL && below(3) == 0) { // of a window that was
        const uint64_t newest =
            rp_engine_window(rp_keeper.daemon.serving.engine, world->id, 0)->number;
        body.change->epoch = world->epoch;
        body.change->window = newest - below(newest < 4 ? (uint32_t)newest : 4u);
    }
    if (below(2) == 0) {
        body.change->publisher = rp_text(below(2) == 0 ? "lidar" : "map");
        body.change->incarnation = 1;
        sequence += below(10) == 0 ? 2 : 1;
        body.change->sequence = sequence;
        body.change->repairs_through = below(4) == 0 ? sequence : 0;
    }
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &body;
    ask();
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
    body.world = rp_text(some_world());
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
    ask();
}

static void play_open(void)
{
    Replan__V1__OpenAgent body = REPLAN__V1__OPEN_AGENT__INIT;
    Replan__V1__Policy policy = REPLAN__V1__POLICY__INIT;
    replan__v1__request__init(&request);
    body.world = rp_text(some_world());
    body.agent = rp_text(some_agent());
    body.planner = rp_text(below(2) == 0 ? "" : "auto");
    policy.gain_case = REPLAN__V1__POLICY__GAIN_SWITCH_GAIN_PERCENT;
    policy.lease_case = REPLAN__V1__POLICY__LEASE_LEASE_S;
    policy.lease_s = below(3) * 20;
    body.policy = below(2) == 0 ? &policy : NULL;
    request.body_case = REPLAN__V1__REQUEST__BODY_OPEN_AGENT;
    request.open_agent = &body;
    ask();
}

static void play_close(void)
{
    Replan__V1__CloseAgent body = REPLAN__V1__CLOSE_AGENT__INIT;
    replan__v1__request__init(&request);
    body.world = rp_text(some_world());
    body.agent = rp_text(some_agent());
    request.body_case = REPLAN__V1__REQUEST__BODY_CLOSE_AGENT;
    request.close_agent = &body;
    ask();
}

static void play_pose(void)
{
    static uint64_t pose_seq;
    Replan__V1__Pose body = REPLAN__V1__POSE__INIT;
    replan__v1__request__init(&request);
    body.world = rp_text(some_world());
    body.agent = rp_text(some_agent());
    body.x = some_metres();
    body.y = some_metres();
    body.pose_seq = below(5) != 0 ? ++pose_seq : pose_seq - below(3); // one that was overtaken
    request.body_case = REPLAN__V1__REQUEST__BODY_SET_POSE;
    request.set_pose = &body;
    if (below(2) == 0) {
        ask();
        return;
    }
    uint8_t bytes[256];
    char topic[RP_LIMIT_TOPIC];
    const size_t size = replan__v1__pose__pack(&body, bytes);
    (void)snprintf(topic, sizeof topic, "pose/%s/%s/", body.world, body.agent);
    rp_daemon_pose(&rp_keeper.daemon, topic, strlen(topic), bytes, size);
}

static void play_goal(void)
{
    static uint64_t goal_id;
    Replan__V1__Goal body = REPLAN__V1__GOAL__INIT;
    double x[] = {some_metres(), some_metres(), some_metres()};
    double y[] = {some_metres(), some_metres(), some_metres()};
    replan__v1__request__init(&request);
    body.world = rp_text(some_world());
    body.agent = rp_text(some_agent());
    body.goal_id = ++goal_id;
    body.n_x = body.n_y = 1 + below(2) * 2;
    body.x = x;
    body.y = y;
    body.kind = below(2) == 0 ? REPLAN__V1__GOAL_KIND__WAYPOINTS : REPLAN__V1__GOAL_KIND__POINTS;
    body.nearest = below(3) == 0;
    if (below(4) == 0) {
        body.n_x = body.n_y = 0;
        body.kind = REPLAN__V1__GOAL_KIND__POINTS;
        body.target = rp_text(some_agent());
    }
    request.body_case = REPLAN__V1__REQUEST__BODY_SET_GOAL;
    request.set_goal = &body;
    ask();
}

static void play_order(void)
{
    static uint64_t goal_id = 1u << 20;
    Replan__V1__Order body = REPLAN__V1__ORDER__INIT;
    char *agents[] = {rp_text(some_agent())};
    double x[] = {some_metres()};
    double y[] = {some_metres()};
    uint64_t ids[] = {++goal_id};
    replan__v1__request__init(&request);
    body.world = rp_text(some_world());
    body.n_agents = body.n_x = body.n_y = body.n_goal_ids = 1;
    body.agents = agents;
    body.x = x;
    body.y = y;
    body.goal_ids = ids;
    request.body_case = REPLAN__V1__REQUEST__BODY_ORDER;
    request.order = &body;
    ask();
}

static void play_forgive(void)
{
    Replan__V1__Forgive body = REPLAN__V1__FORGIVE__INIT;
    replan__v1__request__init(&request);
    body.world = rp_text(some_world());
    body.publisher = rp_text(below(2) == 0 ? "lidar" : "map");
    request.body_case = REPLAN__V1__REQUEST__BODY_FORGIVE;
    request.forgive = &body;
    ask();
}

/// A world that comes with its bytes: refused where it is there, after its parts were noted.
static void play_long_create(void)
{
    static uint8_t bytes[20 * 12];
    Replan__V1__CreateWorld body = REPLAN__V1__CREATE_WORLD__INIT;
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    replan__v1__request__init(&request);
    memset(bytes, (int)below(3), sizeof bytes);
    geometry.width = 20;
    geometry.height = 12;
    geometry.resolution = 0.5;
    body.world = rp_text(some_world());
    body.geometry = &geometry;
    body.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_DATA;
    body.data = (ProtobufCBinaryData){sizeof bytes, bytes};
    request.body_case = REPLAN__V1__REQUEST__BODY_CREATE_WORLD;
    request.create_world = &body;
    ask();
}

static void play_step(void)
{
    static void (*const common[])(void) = {play_change, play_overlay, play_pose, play_goal};
    static void (*const rare[])(void) = {play_open,  play_close,   play_order,      play_resize,
                                         play_world, play_forgive, play_long_create};
    if (below(3) != 0) {
        common[below(4)]();
    } else {
        rare[below(7)]();
    }
    if (below(4) == 0) {
        rp_wire_pass(&rp_keeper, below(2000000));
    }
    if (below(25) == 0) {
        rp_state_renew(
            &rp_keeper.daemon.serving); // and what comes now comes while it is being written
    }
    if (below(4) == 0) {
        rp_daemon_work(&rp_keeper.daemon, 8192);
    }
}

START_TEST(told_the_same_by_chance_they_serve_the_same)
{
    chance.state = (uint64_t)_i * 77u + 1u;
    rp_keeper_open(false);
    keeper = pthread_self();
    may_be_killed = true;
    rp_keeper.daemon.intake.long_from =
        _i % 2 == 0 ? 40 : RP_STAGED_FROM_BYTES; // half of them staged everything
    rp_keeper_create("marsh", 16, 8);
    for (unsigned i = 0; i < 60; i++) {
        play_step();
        if (below(10) == 0) {
            rp_wire_pass(&rp_keeper, 250000); // answers are true, and nobody waits for his interval
            rp_daemon_work(&rp_keeper.daemon, 8192);
            kill_keeper(0);
            rp_wire_pass(&rp_keeper,
                         RP_HEIR_START_US); // nothing is over sooner for one than for the other
            rp_heir_is_same();
        }
    }
}
END_TEST

static void tear_down(void)
{
    may_be_killed = false;
    rp_keeper_tear_down();
}

int main(void)
{
    rp_log_set_level(RP_LOG_ERROR); // in hundreds of restarts
    const TTest *const tests[] = {told_the_same_by_chance_they_serve_the_same};
    return rp_suite_run("state by chance", tests, 1, RP_ROUNDS(100), tear_down);
}
