/// Bends by the wire: told where they were asked for, and nowhere else.
#include <string.h>

#include "msgs/request.h"
#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

static rp_wire_t wire;

static void tear_down(void)
{
    rp_wire_close(&wire);
}

#define PEER 2u

/// An agent whose published answers tell bends, in the middle of a cell of a world with cells of a
/// metre.
static void open_agent(const char *world, const char *name, double x, double y, double goal_x,
                       double goal_y)
{
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    pose.x = x;
    pose.y = y;
    goal.n_x = goal.n_y = 1;
    goal.x = &goal_x;
    goal.y = &goal_y;
    open.world = rp_text(world);
    open.agent = rp_text(name);
    open.pose = &pose;
    open.goal = &goal;
    open.bends = 1;
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &open);
    (void)rp_wire_do(&wire, 0, &request);
}

static void watch_all(bool splices, bool bends)
{
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    watch.world = rp_text("marsh");
    watch.all = 1;
    watch.credit = 1000;
    watch.splices = splices;
    watch.bends = bends;
    Replan__V1__Request request = RP_REQUEST(WATCH, watch, &watch);
    (void)rp_wire_do(&wire, PEER, &request);
}

/// The next answer of the watch, heads left out.
static const Replan__V1__Answer *expect_answer(void)
{
    const Replan__V1__ToClient *message;
    do {
        message = rp_wire_next(&wire, PEER);
        ck_assert_ptr_nonnull(message);
    } while (message->body_case == REPLAN__V1__TO_CLIENT__BODY_HEAD);
    ck_assert_int_eq(message->body_case, REPLAN__V1__TO_CLIENT__BODY_ANSWER);
    return message->answer;
}

static void ask_for(bool bends, const Replan__V1__Answer **answer)
{
    Replan__V1__GetAnswer get = REPLAN__V1__GET_ANSWER__INIT;
    get.world = rp_text("marsh");
    get.agent = rp_text("orc");
    get.bends = bends;
    Replan__V1__Request request = RP_REQUEST(GET_ANSWER, get_answer, &get);
    *answer = rp_wire_do(&wire, 1, &request)->answer;
}

START_TEST(who_asks_for_an_answer_is_told_where_its_path_bends)
{
    const Replan__V1__Answer *answer;
    rp_wire_open(&wire);
    open_agent("marsh", "orc", 1.5, 1.5, 9.5, 4.5);
    ask_for(false, &answer);
    ck_assert_uint_eq(answer->n_bend_x, 0);
    ask_for(true, &answer);
    ck_assert_uint_ge(answer->n_bend_x, 3);
    ck_assert_uint_eq(answer->n_bend_y, answer->n_bend_x);
    ck_assert_uint_eq(answer->n_bend_at, answer->n_bend_x);
    const size_t last = answer->n_bend_x - 1u;
    ck_assert_double_eq(answer->bend_x[0], 1.5);
    ck_assert_double_eq(answer->bend_y[last], 4.5);
    ck_assert_uint_eq(answer->bend_at[last], answer->steps.len);
}
END_TEST

START_TEST(an_answer_that_had_to_be_waited_for_tells_them_too)
{
    Replan__V1__GetAnswer get = REPLAN__V1__GET_ANSWER__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    rp_wire_open(&wire);
    open_agent("marsh", "orc", 1.5, 1.5, 9.5, 4.5);
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    Replan__V1__Request block = REPLAN__V1__REQUEST__INIT;
    const Replan__V1__Answer *before;
    ask_for(true, &before);
    apply.change = rp_wire_change((uint32_t)before->bend_x[1], (uint32_t)before->bend_y[1], 0);
    block.id = 1;
    block.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    block.apply = &apply;
    rp_wire_send(&wire, 0, &block); // and no work: the agent is unsure when it is asked for
    get.world = rp_text("marsh");
    get.agent = rp_text("orc");
    get.bends = 1;
    request.id = 2;
    request.body_case = REPLAN__V1__REQUEST__BODY_GET_ANSWER;
    request.get_answer = &get;
    rp_wire_send(&wire, 1, &request);
    ck_assert_ptr_null(rp_wire_reply(&wire, 1));
    rp_wire_work(&wire);
    const Replan__V1__Reply *reply = rp_wire_reply(&wire, 1);
    ck_assert_ptr_nonnull(reply);
    ck_assert_uint_ge(reply->answer->n_bend_x, 3);
}
END_TEST

START_TEST(a_watch_tells_all_bends_though_it_splices_the_steps)
{
    rp_wire_open(&wire);
    for (uint32_t y = 1; y < 6; y += 2) { // corridors to and fro
        for (uint32_t x = 0; x < 15; x++) {
            (void)rp_wire_apply(&wire, 0, rp_wire_change(y == 3 ? x + 1u : x, y, 0),
                                REPLAN__V1__WAIT__SETTLED);
        }
    }
    open_agent("marsh", "orc", 0.5, 0.5, 0.5, 7.5);
    watch_all(true, true);
    const Replan__V1__Answer *first = expect_answer();
    ck_assert_uint_ge(first->n_bend_x, 8);
    ck_assert_uint_eq(first->bend_at[first->n_bend_at - 1u], first->steps.len);
    (void)rp_wire_apply(&wire, 0, rp_wire_change(4, 6, 0), REPLAN__V1__WAIT__SETTLED);
    (void)rp_wire_apply(&wire, 0, rp_wire_change(12, 7, 0), REPLAN__V1__WAIT__SETTLED);
    (void)rp_wire_apply(&wire, 0, rp_wire_change(8, 7, 0), REPLAN__V1__WAIT__SETTLED);
    const Replan__V1__Answer *next = NULL;
    for (const Replan__V1__ToClient *message; (message = rp_wire_next(&wire, PEER)) != NULL;) {
        next = message->body_case == REPLAN__V1__TO_CLIENT__BODY_ANSWER ? message->answer : next;
    }
    ck_assert_ptr_nonnull(next);
    ck_assert_uint_ne(next->base_seq, 0);
    const size_t steps = next->kept_head + next->steps.len + next->kept_tail;
    ck_assert_uint_eq(next->bend_at[next->n_bend_at - 1u], steps);
    ck_assert_double_eq(next->bend_x[0], 0.5);
}
END_TEST

START_TEST(a_watch_that_did_not_ask_is_not_told)
{
    rp_wire_open(&wire);
    open_agent("marsh", "orc", 1.5, 1.5, 9.5, 4.5);
    watch_all(false, false);
    ck_assert_uint_eq(expect_answer()->n_bend_x, 0);
}
END_TEST

START_TEST(what_is_published_tells_them_of_agents_that_were_opened_so)
{
    rp_wire_open(&wire);
    open_agent("marsh", "orc", 1.5, 1.5, 9.5, 4.5);
    (void)rp_wire_agent(&wire, 0, "elf", 1, 1, 9, 4);
    rp_wire_work(&wire);
    const Replan__V1__Answer *orc =
        (const Replan__V1__Answer *)rp_wire_published(&wire, "path/marsh/orc/");
    const Replan__V1__Answer *elf =
        (const Replan__V1__Answer *)rp_wire_published(&wire, "path/marsh/elf/");
    ck_assert_ptr_nonnull(orc);
    ck_assert_ptr_nonnull(elf);
    ck_assert_uint_ge(orc->n_bend_x, 3);
    ck_assert_uint_eq(elf->n_bend_x, 0);
}
END_TEST

START_TEST(bends_that_do_not_fit_into_what_is_published_are_left_out)
{
    enum {
        WIDTH = 2,
        HEIGHT = 7001
    };
    static uint8_t bytes[WIDTH * HEIGHT]; // one long row of bends: each second row has one way
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    for (uint32_t y = 0; y < HEIGHT; y++) {
        bytes[2u * y] = y % 4u != 1;
        bytes[2u * y + 1u] = y % 4u != 3;
    }
    geometry.width = WIDTH;
    geometry.height = HEIGHT;
    geometry.resolution = 1.0;
    create.world = rp_text("stairs");
    create.geometry = &geometry;
    create.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_DATA;
    create.data = (ProtobufCBinaryData){sizeof bytes, bytes};
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &create);
    rp_wire_open(&wire);
    (void)rp_wire_do(&wire, 0, &request);
    open_agent("stairs", "orc", 0.5, 0.5, 0.5, HEIGHT - 0.5);
    rp_wire_work(&wire);
    const Replan__V1__Answer *answer =
        (const Replan__V1__Answer *)rp_wire_published(&wire, "path/stairs/orc/");
    ck_assert_ptr_nonnull(answer);
    ck_assert_uint_gt(answer->steps.len, HEIGHT);
    ck_assert_uint_eq(answer->n_bend_x, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        who_asks_for_an_answer_is_told_where_its_path_bends,
        an_answer_that_had_to_be_waited_for_tells_them_too,
        a_watch_tells_all_bends_though_it_splices_the_steps,
        a_watch_that_did_not_ask_is_not_told,
        what_is_published_tells_them_of_agents_that_were_opened_so,
        bends_that_do_not_fit_into_what_is_published_are_left_out,
    };
    return rp_suite_run("bends by wire", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
