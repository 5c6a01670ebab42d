/// What is refused of a question, and in which words; and that the limits themselves are accepted.
#include <math.h>

#include "msgs/limits.h"
#include "tests/msgs/spoilt.h"
#include "tests/support/suite.h"

/// A curve instead of steps.
#define RP_CURVE(s, count)                                                                         \
    (s)->ask_valid.steps.len = 0;                                                                  \
    (s)->ask_valid.segment_x = (s)->ask_valid.segment_y = (s)->ask_valid.segment_yaw =             \
        (s)->ask_valid.segment_curvature = (s)->ask_valid.segment_length =                         \
            (s)->ask_valid.segment_turn = rp_many_doubles;                                         \
    (s)->ask_valid.n_segment_x = (s)->ask_valid.n_segment_y = (s)->ask_valid.n_segment_yaw =       \
        (s)->ask_valid.n_segment_curvature = (s)->ask_valid.n_segment_length =                     \
            (s)->ask_valid.n_segment_turn = (count)

#define QUESTIONS(X)                                                                               \
    X(ASK_COSTS, costs_nowhere, "ask_costs.world", s->ask_costs.world = rp_sample_text(""))        \
    X(ASK_COSTS, costs_of_nothing, "ask_costs.from_x times ask_costs.to_x is 0",                   \
      s->ask_costs.n_to_x = s->ask_costs.n_to_y = 0)                                               \
    X(ASK_COSTS, costs_uneven, "ask_costs.from_x has 2 entries, ask_costs.from_y has 1",           \
      s->ask_costs.n_from_y = 1)                                                                   \
    X(ASK_COSTS, costs_from_nan, "ask_costs.to.x", s->ask_costs.n_from_x = 1;                      \
      s->ask_costs.n_from_y = 1; s->x[1] = NAN)                                                    \
    X(ASK_COSTS, costs_of_too_many, "is 280000, it must be 1 to 16641",                            \
      s->ask_costs.from_x = s->ask_costs.from_y = rp_many_doubles;                                 \
      s->ask_costs.n_from_x = s->ask_costs.n_from_y = RP_MANY)                                     \
    X(ASK_PROBE, probe_of_nothing, "ask_probe.change is missing", s->ask_probe.change = NULL)      \
    X(ASK_PROBE, probe_nowhere, "change.world is empty", s->change.world = rp_sample_text(""))     \
    X(ASK_PROBE, probe_for_nobody, "ask_probe.agents and ask_probe.from_x together is 0",          \
      s->ask_probe.n_agents = 0;                                                                   \
      s->ask_probe.n_from_x = s->ask_probe.n_from_y = s->ask_probe.n_to_x = 0;                     \
      s->ask_probe.n_to_y = 0)                                                                     \
    X(ASK_PROBE, probe_of_halves, "ask_probe.to_x has 1 entries, ask_probe.from_x has 2",          \
      s->ask_probe.n_to_x = s->ask_probe.n_to_y = 1)                                               \
    X(ASK_PROBE, probe_to_more_than_from, "ask_probe.to_x has 2 entries, ask_probe.from_x has 1",  \
      s->ask_probe.n_from_x = s->ask_probe.n_from_y = 1)                                           \
    X(ASK_PROBE, probe_odd_name, "ask_probe.agents has the byte",                                  \
      s->agents[1] = rp_sample_text("el f"))                                                       \
    X(ASK_FIELD, wide_field, "ask_field.reach is 65, at most 64", s->ask_field.reach = 65)         \
    X(ASK_FIELD, field_of_nobody, "ask_field.agent", s->ask_field.agent = rp_sample_text(""))      \
    X(ASK_PROBE, probe_for_a_window, NULL, s->ask_probe.epoch = s->ask_probe.window = 3)           \
    X(ASK_PROBE, probe_for_a_number, "ask_probe.epoch is missing", s->ask_probe.window = 3)        \
    X(ASK_PROBE, probe_for_two_windows, "ask_probe.change.window 4 of epoch 3, leave one out",     \
      s->ask_probe.epoch = s->ask_probe.window = s->change.epoch = 3;                              \
      s->change.window = 4)                                                                        \
    X(ASK_VALID, valid_for_a_number, "ask_valid.epoch is missing", s->ask_valid.window = 3)        \
    X(ASK_VALID, odd_step, "ask_valid.steps has 254 at 4", s->ask_valid.steps.len = 6;             \
      s->data[3] = 7)                                                                              \
    X(ASK_VALID, first_odd_step, "ask_valid.steps has 8 at 3", s->ask_valid.steps.len = 4;         \
      s->data[3] = 8)                                                                              \
    X(ASK_VALID, odd_step_of_a_way, "ask_valid.way has 254 at 4", s->ask_valid.way.len = 6;        \
      s->ask_valid.way.data = s->data; s->data[3] = 7)                                             \
    X(ASK_VALID, a_way, NULL, s->ask_valid.way.len = 3; s->ask_valid.way.data = s->data)           \
    X(ASK_FIELD, field_nowhere, "ask_field.world", s->ask_field.world = rp_sample_text(""))        \
    X(ASK_WHY, why_of_nobody, "ask_why.agent", s->ask_why.agent = rp_sample_text(""))              \
    X(ASK_WHY, why_nowhere, "ask_why.world", s->ask_why.world = rp_sample_text("/"))               \
    X(ASK_COSTS, as_many_costs_as_there_may_be, NULL,                                              \
      s->ask_costs.from_x = s->ask_costs.from_y = rp_many_doubles;                                 \
      s->ask_costs.n_from_x = s->ask_costs.n_from_y = RP_LIMIT_SEARCHES;                           \
      s->ask_costs.n_to_x = s->ask_costs.n_to_y = 1)                                               \
    X(ASK_COSTS, one_cost_too_many, "is 16642, it must be 1 to 16641",                             \
      s->ask_costs.from_x = s->ask_costs.from_y = rp_many_doubles;                                 \
      s->ask_costs.n_from_x = s->ask_costs.n_from_y = RP_LIMIT_SEARCHES + 1;                       \
      s->ask_costs.n_to_x = s->ask_costs.n_to_y = 1)                                               \
    X(ASK_PROBE, probe_for_those_by_name, NULL, s->ask_probe.n_from_x = s->ask_probe.n_from_y = 0; \
      s->ask_probe.n_to_x = s->ask_probe.n_to_y = 0)                                               \
    X(ASK_VALID, no_steps, NULL, s->ask_valid.steps.len = 0)                                       \
    X(ASK_FIELD, widest_field, NULL, s->ask_field.reach = 64)                                      \
    X(ASK_VALID, a_curve, NULL, RP_CURVE(s, 1))                                                    \
    X(ASK_VALID, a_curve_of_a_body, NULL, RP_CURVE(s, 1); s->ask_valid.body = &s->body;            \
      s->body = (Replan__V1__Body)REPLAN__V1__BODY__INIT; s->body.radius_m = 0.4)                  \
    X(ASK_VALID, a_long_curve, NULL, RP_CURVE(s, RP_LIMIT_SEGMENTS))                               \
    X(ASK_VALID, too_long_a_curve, "ask_valid.segment_x has 4097 entries, at most 4096",           \
      RP_CURVE(s, RP_LIMIT_SEGMENTS + 1u))                                                         \
    X(ASK_VALID, an_uneven_curve,                                                                  \
      "ask_valid.segment_yaw has 2 entries, ask_valid.segment_x has 1", RP_CURVE(s, 1);            \
      s->ask_valid.n_segment_yaw = 2)                                                              \
    X(ASK_VALID, a_curve_without_end, "ask_valid.segment_length is inf", RP_CURVE(s, 1);           \
      s->ask_valid.segment_length = s->x; s->x[0] = INFINITY)                                      \
    X(ASK_VALID, a_curve_from_nowhere, "ask_valid.segment_x is nan", RP_CURVE(s, 1);               \
      s->ask_valid.segment_x = s->x; s->x[0] = NAN)                                                \
    X(ASK_VALID, more_than_a_turn, "ask_valid.segment_turn is 7, it must lie within",              \
      RP_CURVE(s, 1);                                                                              \
      s->ask_valid.segment_turn = s->x; s->x[0] = 7.0)                                             \
    X(ASK_VALID, a_turn_that_drives, "ask_valid.segment_length is 2, that of a turn in place",     \
      RP_CURVE(s, 1);                                                                              \
      s->ask_valid.segment_turn = s->ask_valid.segment_length = s->x; s->x[0] = 2.0)               \
    X(ASK_VALID, curve_and_steps, "ask_valid.steps and ask_valid.segment_x exclude each other",    \
      RP_CURVE(s, 1);                                                                              \
      s->ask_valid.steps.len = 1)                                                                  \
    X(ASK_VALID, steps_of_a_body, "ask_valid.body: only a curve", s->ask_valid.body = &s->body)    \
    X(ASK_VALID, a_curve_of_a_soft_body, "ask_valid.body: a disc of body.radius_m or",             \
      RP_CURVE(s, 1);                                                                              \
      s->ask_valid.body = &s->body; s->body = (Replan__V1__Body)REPLAN__V1__BODY__INIT;            \
      s->body.cells = 2)                                                                           \
    X(ASK_VALID, valid_nowhere, "ask_valid.world", s->ask_valid.world = rp_sample_text(""))        \
    X(ASK_VALID, valid_for_nobody, "ask_valid.agent", s->ask_valid.agent = rp_sample_text(""))

QUESTIONS(RP_SPOILER)

static const rp_spoilt_t spoilt[] = {QUESTIONS(RP_SPOILT)};

START_TEST(a_question_is_refused_for_what_is_wrong_with_it)
{
    rp_spoilt_judge(&spoilt[_i]);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_question_is_refused_for_what_is_wrong_with_it};
    return rp_suite_run("check_ask", tests, 1, sizeof spoilt / sizeof spoilt[0], NULL);
}
