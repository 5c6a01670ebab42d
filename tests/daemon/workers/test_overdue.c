/// Agents whose answer takes long are named, and nobody waits for them: in heads, on watches, in
/// replies that wait until all is settled.
#include <stdlib.h>
#include <string.h>

#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

#define SIDE   1000u
#define BUDGET 256u ///< of a round; the search of TITAN takes a thousand rounds
#define ROUND  1000u

static rp_wire_t wire;

static void tear_down(void)
{
    rp_wire_close(&wire);
}

/// One round of work, a millisecond later.
static void go_on(void)
{
    wire.daemon.serving.now.steady_us += ROUND;
    wire.daemon.serving.now.wall_us += ROUND;
    rp_daemon_work(&wire.daemon, BUDGET);
}

/// A world with a wall from one side to almost the other, and an agent that has a short way.
static void begin(void)
{
    rp_wire_open_bare(&wire);
    rp_wire_create(&wire, "marsh", SIDE, SIDE);
    Replan__V1__Change *wall = rp_wire_change(0, SIDE / 2u, 0);
    wall->width = SIDE - 1u;
    wall->height = 1;
    (void)rp_wire_apply(&wire, 0, wall, REPLAN__V1__WAIT__APPLIED);
    (void)rp_wire_agent(&wire, 0, "orc", 10, 10, 12, 10);
    rp_wire_work(&wire);
}

/// It goes to the other side of the wall, which takes a look at most of the world. No work is done.
static void send_titan(void)
{
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    double goal_x = 20.5;
    double goal_y = 40.5;
    pose.x = goal_x;
    pose.y = SIDE - goal_y;
    goal.n_x = goal.n_y = 1;
    goal.x = &goal_x;
    goal.y = &goal_y;
    open.world = rp_text("marsh");
    open.agent = rp_text("titan");
    open.planner = rp_text("astar");
    open.pose = &pose;
    open.goal = &goal;
    request.id = 77;
    request.body_case = REPLAN__V1__REQUEST__BODY_OPEN_AGENT;
    request.open_agent = &open;
    rp_wire_send(&wire, 1, &request);
    ck_assert_int_eq(rp_wire_reply(&wire, 1)->status, REPLAN__V1__STATUS__OK);
}

/// The newest head that was published.
static const Replan__V1__Head *newest_head(void)
{
    const ProtobufCMessage *head = NULL;
    const ProtobufCMessage *next;
    while ((next = rp_wire_published(&wire, "head/marsh/")) != NULL) {
        head = next;
    }
    return (const Replan__V1__Head *)head;
}

START_TEST(a_search_that_takes_long_is_named_and_everybody_else_is_settled)
{
    begin();
    send_titan();
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    apply.change = rp_wire_change(11, 10, 0);
    apply.wait = REPLAN__V1__WAIT__SETTLED;
    request.id = 78;
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &apply;
    go_on();
    rp_wire_send(&wire, 0, &request);
    const Replan__V1__Reply *reply = NULL;
    unsigned rounds = 0;
    while (reply == NULL) {
        ck_assert_uint_lt(++rounds, 1100);
        go_on();
        reply = rp_wire_reply(&wire, 0);
    }
    ck_assert_uint_ge(rounds, 990); // it might have been found within a second
    ck_assert_uint_eq(reply->applied->n_overdue_agents, 1);
    ck_assert_str_eq(reply->applied->overdue_agents[0], "titan");
    ck_assert_uint_eq(reply->applied->n_changed_agents, 1);
    ck_assert_str_eq(reply->applied->changed_agents[0], "orc");
    go_on();
    const Replan__V1__Head *head = newest_head();
    ck_assert_uint_eq(head->settled, head->version);
    ck_assert_uint_eq(head->n_overdue_agents, 1);
    ck_assert_str_eq(head->overdue_agents[0], "titan");
    rp_wire_work(&wire);
    wire.daemon.serving.now.steady_us += ROUND;
    rp_wire_work(&wire);
    head = newest_head();
    ck_assert_uint_eq(head->settled, head->version);
    ck_assert_uint_eq(head->n_overdue_agents, 0);
}
END_TEST

/// The newest head of a watch, whatever else it says.
static const Replan__V1__Head *watched_head(unsigned peer)
{
    const Replan__V1__Head *head = NULL;
    const Replan__V1__ToClient *next;
    while ((next = rp_wire_next(&wire, peer)) != NULL) {
        head = next->body_case == REPLAN__V1__TO_CLIENT__BODY_HEAD ? next->head : head;
    }
    return head;
}

START_TEST(a_watch_that_has_yet_to_hear_of_who_is_overdue_hears_heads)
{
    begin();
    send_titan();
    rp_wire_work(&wire);
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    double x = 40.5;
    double y = 20.5;
    goal.world = rp_text("marsh");
    goal.agent = rp_text("titan");
    goal.n_x = goal.n_y = 1;
    goal.x = &x;
    goal.y = &y;
    request.id = 79;
    request.body_case = REPLAN__V1__REQUEST__BODY_SET_GOAL;
    request.set_goal = &goal;
    rp_wire_send(&wire, 1, &request); // it has said something, and is not sure of it any more
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    watch.world = rp_text("marsh");
    watch.all = 1;
    watch.credit = 1000;
    request.id = 80;
    request.body_case = REPLAN__V1__REQUEST__BODY_WATCH;
    request.watch = &watch;
    rp_wire_send(&wire, 2, &request);
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    apply.change = rp_wire_change(900, 900, 0);
    request.id = 81;
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &apply;
    rp_wire_send(&wire, 0, &request);
    for (unsigned i = 0; i < 900; i++) {
        go_on();
    }
    ck_assert_ptr_null(watched_head(2)); // its answer is still to come, and may do so in time
    for (unsigned i = 0; i < 200; i++) {
        go_on();
    }
    const Replan__V1__Head *head = watched_head(2);
    ck_assert_ptr_nonnull(head);
    ck_assert_uint_eq(head->settled, head->version);
    ck_assert_uint_eq(head->n_overdue_agents, 1);
    ck_assert_str_eq(head->overdue_agents[0], "titan");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_search_that_takes_long_is_named_and_everybody_else_is_settled,
        a_watch_that_has_yet_to_hear_of_who_is_overdue_hears_heads,
    };
    return rp_suite_run("overdue", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
