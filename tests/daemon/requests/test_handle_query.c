/// Questions by the wire: they wait for their answer without holding up anybody, end at their
/// deadline, and are forgotten with who asked.
#include <string.h>

#include "msgs/request.h"
#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

static rp_wire_t wire;

static void begin(void)
{
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 4, 15, 4);
    rp_wire_work(&wire);
}

static void tear_down(void)
{
    rp_wire_close(&wire);
}

static Replan__V1__AskCosts costs;
static double xs[] = {0.5, 15.5};
static double ys[] = {0.5, 0.5};

static Replan__V1__Request ask_costs(void)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    replan__v1__ask_costs__init(&costs);
    costs.world = rp_text("marsh");
    costs.from_x = costs.to_x = xs;
    costs.from_y = costs.to_y = ys;
    costs.n_from_x = costs.n_from_y = 2;
    costs.n_to_x = costs.n_to_y = 1;
    request.id = ++wire.next_id;
    request.body_case = REPLAN__V1__REQUEST__BODY_ASK_COSTS;
    request.ask_costs = &costs;
    return request;
}

START_TEST(who_asks_all_questions_that_there_are_keeps_nobody_out)
{
    begin();
    for (unsigned i = 0; i < RP_LIMIT_QUESTIONS - 1u; i++) {
        const Replan__V1__Request request = ask_costs();
        rp_wire_send(&wire, 1, &request);
    }
    for (unsigned i = 0; i < 2; i++) {
        const Replan__V1__Request request = ask_costs();
        rp_wire_send(&wire, 2, &request);
    }
    rp_wire_work(&wire);
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__TIMEOUT, "64 questions");
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_int_eq(rp_wire_reply(&wire, 2)->body_case, REPLAN__V1__REPLY__BODY_COSTS);
    }
    ck_assert_uint_eq(rp_wire_stat(&wire, "requests.gave_way"), 1);
}
END_TEST

START_TEST(a_matrix_comes_row_by_row)
{
    begin();
    Replan__V1__Request request = ask_costs();
    const Replan__V1__Reply *reply = rp_wire_do(&wire, 1, &request);
    ck_assert_int_eq(reply->body_case, REPLAN__V1__REPLY__BODY_COSTS);
    ck_assert_uint_eq(reply->costs->rows, 2);
    ck_assert_uint_eq(reply->costs->columns, 1);
    ck_assert_double_eq(reply->costs->costs[0], 0.0);
    ck_assert_double_eq(reply->costs->costs[1], 15.0);
    ck_assert_uint_eq(reply->costs->version, 1);
}
END_TEST

START_TEST(a_question_waits_and_others_do_not_wait_for_it)
{
    begin();
    const Replan__V1__Request request = ask_costs();
    rp_wire_send(&wire, 1, &request);
    ck_assert_ptr_null(rp_wire_reply(&wire, 1));
    ck_assert_uint_eq(rp_wire_apply(&wire, 2, rp_wire_change(8, 0, 0), REPLAN__V1__WAIT__APPLIED),
                      2);
    rp_wire_work(&wire);
    const Replan__V1__Reply *reply = rp_wire_reply(&wire, 1);
    ck_assert_ptr_nonnull(reply);
    ck_assert_double_eq(reply->costs->costs[1], 15.0); // the version of the question
}
END_TEST

START_TEST(a_deadline_ends_a_question_and_makes_room)
{
    begin();
    for (uint32_t i = 0; i <= RP_QUERIES_MAX; i++) {
        Replan__V1__Request request = ask_costs();
        request.deadline_ms = 10;
        rp_wire_send(&wire, i % 2u, &request);
    }
    const Replan__V1__Reply *reply = rp_wire_reply(&wire, 0);
    ck_assert_ptr_nonnull(reply); // the last one was one too many
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__LIMIT);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "64"));
    wire.daemon.serving.now.steady_us += 10001;
    rp_daemon_work(&wire.daemon, 0);
    reply = rp_wire_reply(&wire, 1);
    ck_assert_ptr_nonnull(reply);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__TIMEOUT);
    Replan__V1__Request request = ask_costs();
    (void)rp_wire_do(&wire, 2, &request);
}
END_TEST

START_TEST(a_probe_tells_agents_then_pairs_and_a_field_leads_there)
{
    begin();
    Replan__V1__AskProbe probe = REPLAN__V1__ASK_PROBE__INIT;
    Replan__V1__AskField field = REPLAN__V1__ASK_FIELD__INIT;
    char *names[] = {rp_text("orc")};
    probe.change = rp_wire_change(8, 0, 0);
    probe.change->height = 8;
    probe.agents = names;
    probe.n_agents = 1;
    probe.from_x = probe.to_x = xs;
    probe.from_y = probe.to_y = ys;
    probe.n_from_x = probe.n_from_y = probe.n_to_x = probe.n_to_y = 1;
    Replan__V1__Request request = RP_REQUEST(ASK_PROBE, ask_probe, &probe);
    const Replan__V1__Reply *reply = rp_wire_do(&wire, 1, &request);
    ck_assert_uint_eq(reply->probe->n_before, 2);
    ck_assert_double_eq(reply->probe->before[0], 15.0);
    ck_assert_double_eq(reply->probe->after[0], -1.0);
    ck_assert_double_eq(reply->probe->after[1], 0.0);
    names[0] = rp_text("nobody");
    ck_assert_int_eq(rp_wire_ask(&wire, 1, &request)->status, REPLAN__V1__STATUS__UNKNOWN);
    names[0] = rp_text("orc");
    probe.change->height = 9;
    reply = rp_wire_ask(&wire, 1, &request);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__INVALID);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "outside the world of 16 x 8"));
    field.world = rp_text("marsh");
    field.agent = rp_text("orc");
    field.reach = 2;
    request.body_case = REPLAN__V1__REQUEST__BODY_ASK_FIELD;
    request.ask_field = &field;
    reply = rp_wire_do(&wire, 1, &request);
    ck_assert_uint_eq(reply->field->width, 3);
    ck_assert_uint_eq(reply->field->height, 5);
    ck_assert_uint_eq(reply->field->steps.data[6], 0);
    ck_assert_double_eq((double)reply->field->costs[6], 15.0);
}
END_TEST

START_TEST(a_field_round_an_agent_that_stands_nowhere_is_refused_by_that_name)
{
    begin();
    Replan__V1__AskField field = REPLAN__V1__ASK_FIELD__INIT;
    (void)rp_wire_agent(&wire, 0, "eagle", 100, 4, 15, 4);
    field.world = rp_text("marsh");
    field.agent = rp_text("eagle");
    field.reach = 2;
    Replan__V1__Request request = RP_REQUEST(ASK_FIELD, ask_field, &field);
    const Replan__V1__Reply *reply = rp_wire_ask(&wire, 1, &request);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__INVALID);
    ck_assert_str_eq(reply->sentence,
                     "ask_field.agent: it has no pose, or one outside of the world");
}
END_TEST

START_TEST(valid_and_why_are_answered_at_once)
{
    begin();
    Replan__V1__AskValid valid = REPLAN__V1__ASK_VALID__INIT;
    Replan__V1__AskWhy why = REPLAN__V1__ASK_WHY__INIT;
    uint8_t steps[] = {0, 0, 0};
    (void)rp_wire_apply(&wire, 0, rp_wire_change(2, 4, 0), REPLAN__V1__WAIT__SETTLED);
    valid.world = why.world = rp_text("marsh");
    valid.agent = why.agent = rp_text("orc");
    valid.start = 4 * 16;
    valid.steps.data = steps;
    valid.steps.len = 3;
    Replan__V1__Request request = RP_REQUEST(ASK_VALID, ask_valid, &valid);
    const Replan__V1__Reply *reply = rp_wire_do(&wire, 1, &request);
    ck_assert(!reply->valid->legal);
    ck_assert_uint_eq(reply->valid->n_offending, 2);
    ck_assert_uint_eq(reply->valid->offending[0], 1);
    request.body_case = REPLAN__V1__REQUEST__BODY_ASK_WHY;
    request.ask_why = &why;
    reply = rp_wire_do(&wire, 1, &request);
    ck_assert_uint_eq(reply->why->n_said, 2);
    ck_assert_int_eq(reply->why->said[0]->reason, REPLAN__V1__REASON__BROKEN);
    ck_assert_uint_eq(reply->why->said[0]->sure_until, 1);
    ck_assert_uint_eq(reply->why->said[0]->version, 2);
}
END_TEST

/// The orc stands at the left edge; an obstacle falls on it.
START_TEST(a_way_is_valid_together_with_the_path_that_it_leads_to)
{
    begin();
    Replan__V1__AskValid valid = REPLAN__V1__ASK_VALID__INIT;
    uint8_t steps[] = {0, 0, 0};
    uint8_t way[] = {0, 0};
    (void)rp_wire_apply(&wire, 0, rp_wire_change(0, 4, 0), REPLAN__V1__WAIT__SETTLED);
    valid.world = rp_text("marsh");
    valid.agent = rp_text("orc");
    valid.start = 4 * 16 + 1;
    valid.steps = (ProtobufCBinaryData){3, steps};
    valid.way_start = 4 * 16;
    valid.way = (ProtobufCBinaryData){1, way};
    Replan__V1__Request request = RP_REQUEST(ASK_VALID, ask_valid, &valid);
    const Replan__V1__Reply *reply = rp_wire_do(&wire, 1, &request);
    ck_assert(reply->valid->legal);
    ck_assert_double_eq(reply->valid->cost, 3.0);
    valid.way.len = 2; // goes on over ground that is free, and leads past the start
    reply = rp_wire_do(&wire, 1, &request);
    ck_assert(!reply->valid->legal);
    ck_assert_double_eq(reply->valid->cost, -1.0);
    ck_assert_uint_eq(reply->valid->n_offending, 0);
    ck_assert_uint_eq(reply->valid->n_offending_way, 2);
    ck_assert_uint_eq(reply->valid->offending_way[0], 1);
    ck_assert_uint_eq(reply->valid->offending_way[1], 2);
    valid.way_start = 16 * 100; // outside
    reply = rp_wire_do(&wire, 1, &request);
    ck_assert(!reply->valid->legal);
    ck_assert_uint_eq(reply->valid->offending_way[0], 2);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        who_asks_all_questions_that_there_are_keeps_nobody_out,
        a_matrix_comes_row_by_row,
        a_question_waits_and_others_do_not_wait_for_it,
        a_deadline_ends_a_question_and_makes_room,
        a_probe_tells_agents_then_pairs_and_a_field_leads_there,
        a_field_round_an_agent_that_stands_nowhere_is_refused_by_that_name,
        valid_and_why_are_answered_at_once,
        a_way_is_valid_together_with_the_path_that_it_leads_to,
    };
    return rp_suite_run("handle_query", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
