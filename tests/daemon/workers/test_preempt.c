/// Whatever the daemon is busy with, robots are heard. Time is counted in rounds of work: each is a
/// step of the budget that the reactor gives, a millisecond or so.
#include <stdlib.h>
#include <string.h>

#include "daemon/workers/worker.h"
#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

#define SIDE        2048u
#define ROUND_US    1000u
#define ROUNDS_MOST 100000u

static rp_wire_t wire;
static uint8_t *bytes; ///< of a world [SIDE * SIDE]

static void tear_down(void)
{
    rp_wire_close(&wire);
    free(bytes);
    bytes = NULL;
}

/// Walls across the world, with gaps at their ends in turn.
static void grow_walls(void)
{
    bytes = malloc((size_t)SIDE * SIDE);
    ck_assert_ptr_nonnull(bytes);
    memset(bytes, 1, (size_t)SIDE * SIDE);
    for (uint32_t row = 8; row < SIDE; row += 8) {
        memset(bytes + (size_t)row * SIDE + (row % 16u == 0 ? 1u : 0u), 0, SIDE - 1u);
    }
}

/// An agent that has been told its way.
static void begin(void)
{
    rp_wire_open_bare(&wire);
    rp_wire_create(&wire, "marsh", SIDE, SIDE);
    (void)rp_wire_agent(&wire, 0, "orc", 4, 4, SIDE - 5u, SIDE - 5u);
    ck_assert_uint_gt(rp_wire_answer(&wire, 0, "orc")->path_seq, 0);
}

/// Another world altogether, from somebody else.
static void rewrite_world(void)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    grow_walls();
    change.world = rp_text("marsh");
    change.width = SIDE;
    change.height = SIDE;
    change.rect_case = REPLAN__V1__CHANGE__RECT_DATA;
    change.data = (ProtobufCBinaryData){(size_t)SIDE * SIDE, bytes};
    apply.change = &change;
    request.id = ++wire.next_id;
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &apply;
    rp_wire_send(&wire, 1, &request);
}

static void resize_world(void)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__Resize resize = REPLAN__V1__RESIZE__INIT;
    resize.world = rp_text("marsh");
    resize.width = SIDE + 100u;
    resize.height = SIDE + 100u;
    request.id = ++wire.next_id;
    request.body_case = REPLAN__V1__REQUEST__BODY_RESIZE;
    request.resize = &resize;
    rp_wire_send(&wire, 1, &request);
}

static void move_to(double x, double y, uint64_t pose_seq)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    static char agent[] = "orc";
    pose.world = rp_text("marsh");
    pose.agent = agent;
    pose.x = x;
    pose.y = y;
    pose.pose_seq = pose_seq;
    request.id = ++wire.next_id;
    request.body_case = REPLAN__V1__REQUEST__BODY_SET_POSE;
    request.set_pose = &pose;
    rp_wire_send(&wire, 0, &request);
}

static void work_a_round(void)
{
    wire.daemon.serving.now.steady_us += ROUND_US;
    wire.daemon.serving.now.wall_us += ROUND_US;
    rp_daemon_work(&wire.daemon, RP_WORKER_STEP);
}

/// The rest of the work. @return the rounds that it took
static unsigned finish(void)
{
    unsigned rounds = 0;
    for (; wire.daemon.serving.is_work_left; rounds++) {
        ck_assert_uint_lt(rounds, ROUNDS_MOST);
        work_a_round();
    }
    return rounds;
}

START_TEST(a_pose_is_taken_at_once_while_a_world_is_rewritten)
{
    begin();
    rewrite_world();
    for (unsigned round = 0; round < 8; round++) {
        work_a_round();
        ck_assert(wire.daemon.serving.is_work_left);
        move_to(5.5 + round, 4.5, 1u + round);
        const Replan__V1__Reply *reply = rp_wire_reply(&wire, 0);
        ck_assert_ptr_nonnull(reply); // no round of work lies between
        ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__OK);
    }
    ck_assert_uint_gt(finish(), 8);
    const Replan__V1__Answer *answer = rp_wire_answer(&wire, 0, "orc");
    ck_assert_int_eq(answer->outcome, REPLAN__V1__OUTCOME__FOUND);
    ck_assert_uint_eq(answer->pose_seq, 8);
}
END_TEST

START_TEST(a_pose_is_taken_at_once_while_a_world_is_resized)
{
    begin();
    resize_world();
    for (unsigned round = 0; round < 8; round++) {
        work_a_round();
        ck_assert(wire.daemon.serving.is_work_left);
        move_to(5.5 + round, 5.5 + round, 1u + round);
        ck_assert_ptr_nonnull(rp_wire_reply(&wire, 0));
    }
    ck_assert_uint_gt(finish(), 8);
    ck_assert_uint_eq(rp_wire_answer(&wire, 0, "orc")->pose_seq, 8);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_pose_is_taken_at_once_while_a_world_is_rewritten,
        a_pose_is_taken_at_once_while_a_world_is_resized,
    };
    return rp_suite_run("preempt", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
