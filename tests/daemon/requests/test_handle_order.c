/// Orders by the wire: who gets which place, and what is refused.
#include "daemon/requests/handlers/handle_order.h"

#include <string.h>

#include "msgs/request.h"
#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

static rp_wire_t wire;
static Replan__V1__Order order;
static uint64_t handles[2];
static char *names[2];
static double x[3] = {12.5, 13.5, 14.5};
static double y[3] = {1.5, 2.5, 3.5};
static uint64_t goal_ids[3] = {7, 8, 9};

static void tear_down(void)
{
    rp_wire_close(&wire);
}

/// "orc" and "elf" by handle, "fay" by name: each to a place of its own.
static void begin(void)
{
    rp_wire_open(&wire);
    handles[0] = rp_wire_agent(&wire, 0, "orc", 0, 0, 1, 0);
    handles[1] = rp_wire_agent(&wire, 0, "elf", 0, 2, 1, 2);
    (void)rp_wire_agent(&wire, 0, "fay", 0, 4, 1, 4);
    names[0] = rp_text("fay");
    replan__v1__order__init(&order);
    order.world = rp_text("marsh");
    order.handles = handles;
    order.n_handles = 2;
    order.agents = names;
    order.n_agents = 1;
    order.x = x;
    order.y = y;
    order.n_x = order.n_y = 3;
    order.goal_ids = goal_ids;
    order.n_goal_ids = 3;
}

static const Replan__V1__Reply *send(void)
{
    Replan__V1__Request request = RP_REQUEST(ORDER, order, &order);
    return rp_wire_ask(&wire, 1, &request);
}

static void expect_refusal(Replan__V1__Status status, const char *word)
{
    const Replan__V1__Reply *reply = send();
    ck_assert_int_eq(reply->status, status);
    ck_assert_msg(strstr(reply->sentence, word) != NULL, "no \"%s\" in: %s", word, reply->sentence);
}

/// Where its path ends, by steps along a row and down a column.
static uint32_t end_of(const char *name)
{
    static const int32_t dx[] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const int32_t dy[] = {0, 1, 1, 1, 0, -1, -1, -1};
    const Replan__V1__Answer *answer = rp_wire_answer(&wire, 1, name);
    int32_t at = (int32_t)answer->start;
    ck_assert_int_eq(answer->outcome, REPLAN__V1__OUTCOME__FOUND);
    for (size_t i = 0; i < answer->steps.len; i++) {
        at += dy[answer->steps.data[i]] * 16 + dx[answer->steps.data[i]];
    }
    return (uint32_t)at;
}

START_TEST(each_goes_to_its_own_place_handles_first)
{
    begin();
    ck_assert_int_eq(send()->status, REPLAN__V1__STATUS__OK);
    ck_assert_uint_eq(end_of("orc"), 1 * 16 + 12);
    ck_assert_uint_eq(end_of("elf"), 2 * 16 + 13);
    ck_assert_uint_eq(end_of("fay"), 3 * 16 + 14);
    ck_assert_uint_eq(rp_wire_answer(&wire, 1, "orc")->goal_id, 7);
    ck_assert_uint_eq(rp_wire_answer(&wire, 1, "fay")->goal_id, 9);
}
END_TEST

START_TEST(one_place_and_one_goal_id_are_for_all)
{
    begin();
    order.n_x = order.n_y = order.n_goal_ids = 1;
    ck_assert_int_eq(send()->status, REPLAN__V1__STATUS__OK);
    static const char *const all[] = {"orc", "elf", "fay"};
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_uint_eq(end_of(all[i]), 1 * 16 + 12);
        ck_assert_uint_eq(rp_wire_answer(&wire, 1, all[i])->goal_id, 7);
    }
}
END_TEST

START_TEST(tolerance_and_nearest_are_as_in_a_goal)
{
    begin();
    order.n_x = order.n_y = 1;
    order.tolerance_m = 2.0;
    ck_assert_int_eq(send()->status, REPLAN__V1__STATUS__OK);
    ck_assert_double_lt(rp_wire_answer(&wire, 1, "orc")->cost, 12.0);
    order.tolerance_m = 0.0;
    (void)rp_wire_apply(&wire, 0, rp_wire_change(12, 1, 0), REPLAN__V1__WAIT__SETTLED);
    ck_assert_int_eq(rp_wire_answer(&wire, 1, "elf")->outcome, REPLAN__V1__OUTCOME__FOUND);
    ck_assert_int_eq(send()->status, REPLAN__V1__STATUS__OK);
    ck_assert_int_ne(rp_wire_answer(&wire, 1, "orc")->outcome, REPLAN__V1__OUTCOME__FOUND);
    order.nearest = 1;
    ck_assert_int_eq(send()->status, REPLAN__V1__STATUS__OK);
    ck_assert_int_eq(rp_wire_answer(&wire, 1, "orc")->outcome, REPLAN__V1__OUTCOME__FOUND);
    ck_assert_double_eq(rp_wire_answer(&wire, 1, "orc")->goal_distance_m, 1.0);
}
END_TEST

START_TEST(whom_it_does_not_know_it_names_and_nobody_sets_out)
{
    begin();
    names[0] = rp_text("troll");
    expect_refusal(REPLAN__V1__STATUS__UNKNOWN, "\"troll\"");
    names[0] = rp_text("fay");
    handles[1] += 100;
    expect_refusal(REPLAN__V1__STATUS__UNKNOWN, "order.handles[1]");
    handles[1] -= 100;
    order.world = rp_text("moor");
    expect_refusal(REPLAN__V1__STATUS__UNKNOWN, "\"moor\"");
    rp_wire_create(&wire, "moor", 16, 8);
    expect_refusal(REPLAN__V1__STATUS__UNKNOWN, "order.handles[0]"); // of another world
    ck_assert_uint_eq(rp_wire_answer(&wire, 1, "orc")->goal_id, 0);
}
END_TEST

START_TEST(who_is_ordered_goes_after_nobody_and_was_spoken_of)
{
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    begin();
    goal.world = rp_text("marsh");
    goal.agent = rp_text("orc");
    goal.target = rp_text("elf");
    Replan__V1__Request request = RP_REQUEST(SET_GOAL, set_goal, &goal);
    (void)rp_wire_do(&wire, 0, &request);
    rp_wire_pass(&wire, 40u * 1000000u);
    ck_assert_int_eq(send()->status, REPLAN__V1__STATUS__OK);
    rp_wire_pass(&wire, 40u * 1000000u); // longer than a lease since anything else
    ck_assert_uint_eq(rp_wire_stat(&wire, "agents.open"), 3);
    ck_assert_uint_eq(end_of("orc"), 1 * 16 + 12);
    ck_assert_str_eq(rp_worlds_find_agent(rp_wire_marsh(&wire), "orc")->target, "");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        each_goes_to_its_own_place_handles_first,
        one_place_and_one_goal_id_are_for_all,
        tolerance_and_nearest_are_as_in_a_goal,
        whom_it_does_not_know_it_names_and_nobody_sets_out,
        who_is_ordered_goes_after_nobody_and_was_spoken_of,
    };
    return rp_suite_run("handle_order", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
