/// What the engine knows, said in messages: each field from where it should come.

#include "daemon/serving/encode.h"
#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

static rp_wire_t wire;

static void tear_down(void)
{
    rp_wire_close(&wire);
}

START_TEST(more_to_do_is_fine_and_everything_else_has_a_status)
{
    ck_assert_int_eq(rp_encode_status(RP_OK), REPLAN__V1__STATUS__OK);
    ck_assert_int_eq(rp_encode_status(RP_MORE), REPLAN__V1__STATUS__OK);
    ck_assert_int_eq(rp_encode_status(RP_E_INVALID), REPLAN__V1__STATUS__INVALID);
    ck_assert_int_eq(rp_encode_status(RP_E_UNSUPPORTED), REPLAN__V1__STATUS__UNSUPPORTED);
    ck_assert_int_eq(rp_encode_status(RP_E_UNKNOWN), REPLAN__V1__STATUS__UNKNOWN);
    ck_assert_int_eq(rp_encode_status(RP_E_EXISTS), REPLAN__V1__STATUS__EXISTS);
    ck_assert_int_eq(rp_encode_status(RP_E_MEMORY), REPLAN__V1__STATUS__LIMIT);
    ck_assert_int_eq(rp_encode_status(RP_E_LIMIT), REPLAN__V1__STATUS__LIMIT);
}
END_TEST

START_TEST(a_head_names_version_age_and_agents)
{
    Replan__V1__Head head;
    char *names[RP_LEFT_OUT_MAX];
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "scout", 1, 1, 9, 1);
    const uint64_t version =
        rp_wire_apply(&wire, 0, rp_wire_change(3, 3, 0), REPLAN__V1__WAIT__SETTLED);
    rp_wire_pass(&wire, 70500);
    rp_encode_head(&wire.daemon.serving, rp_wire_marsh(&wire), names, &head);
    ck_assert_str_eq(head.world, "marsh");
    ck_assert_uint_eq(head.epoch, rp_wire_marsh(&wire)->epoch);
    ck_assert_uint_eq(head.version, version);
    ck_assert_uint_eq(head.settled, version);
    ck_assert_uint_eq(head.map_age_ms, 70);
    ck_assert_uint_eq(head.agents, 1);
    ck_assert_uint_eq(head.hash,
                      rp_engine_hash(wire.daemon.serving.engine, rp_wire_marsh(&wire)->id));
    ck_assert_uint_eq(head.n_overdue_agents, 0);
    ck_assert(!head.gap);
}
END_TEST

static void say(const rp_answer_t *answer, Replan__V1__Answer *message)
{
    static Replan__V1__Geometry geometry;
    rp_encode_answer(&wire.daemon.serving, rp_worlds_find_agent(rp_wire_marsh(&wire), "scout"),
                     answer, &geometry, message);
}

START_TEST(an_answer_names_its_agent_its_start_and_its_steps)
{
    static const uint8_t steps[] = {0, 1, 2};
    const rp_answer_t answer = {
        .version = 4,
        .window = {.width = 11, // before the world was resized
                   .height = 9,
                   .frame = {.resolution_m = 0.5, .origin_x_m = 7.0}},
        .path_seq = 5,
        .goal_id = 6,
        .pose_seq = 7,
        .outcome = RP_ANSWER_FOUND,
        .reason = RP_REASON_CHEAPER,
        .cost = 3.5,
        .start_x = 2,
        .start_y = 3,
        .steps = steps,
        .step_count = 3,
        .planner = "jps",
        .expansions = 8,
        .cause = {.source_us = 9, .arrival_us = 10},
    };
    Replan__V1__Answer message;
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "scout", 1, 1, 9, 1);
    say(&answer, &message);
    ck_assert_str_eq(message.world, "marsh");
    ck_assert_str_eq(message.agent, "scout");
    ck_assert_uint_eq(message.epoch, rp_wire_marsh(&wire)->epoch);
    ck_assert_uint_eq(message.version, 4);
    ck_assert_uint_eq(message.path_seq, 5);
    ck_assert_uint_eq(message.goal_id, 6);
    ck_assert_uint_eq(message.pose_seq, 7);
    ck_assert_int_eq(message.outcome, REPLAN__V1__OUTCOME__FOUND);
    ck_assert_int_eq(message.reason, REPLAN__V1__REASON__CHEAPER);
    ck_assert_double_eq(message.cost, 3.5);
    ck_assert_uint_eq(message.start, 3u * 11u + 2u);
    ck_assert_uint_eq(message.steps.len, 3);
    ck_assert_mem_eq(message.steps.data, steps, 3);
    ck_assert_str_eq(message.planner, "jps"); // whatever the agent asked for
    ck_assert_uint_eq(message.expansions, 8);
    ck_assert_uint_eq(message.source_us, 9);
    ck_assert_uint_eq(message.arrival_us, 10);
    ck_assert_uint_eq(message.geometry->width, 11);
    ck_assert_uint_eq(message.geometry->height, 9);
    ck_assert_double_eq(message.geometry->resolution, 0.5);
    ck_assert_double_eq(message.geometry->origin_x, 7.0);
}
END_TEST

START_TEST(each_outcome_has_a_word_of_its_own)
{
    static const struct {
        rp_answer_outcome_t outcome;
        Replan__V1__Outcome word;
    } rows[] = {
        {RP_ANSWER_NONE, REPLAN__V1__OUTCOME__NO_OUTCOME},
        {RP_ANSWER_NO_PATH, REPLAN__V1__OUTCOME__NO_PATH},
        {RP_ANSWER_START_BLOCKED, REPLAN__V1__OUTCOME__START_BLOCKED},
        {RP_ANSWER_GOAL_BLOCKED, REPLAN__V1__OUTCOME__GOAL_BLOCKED},
        {RP_ANSWER_OUTSIDE, REPLAN__V1__OUTCOME__OUTSIDE},
        {RP_ANSWER_TARGET_LOST, REPLAN__V1__OUTCOME__TARGET_LOST},
    };
    Replan__V1__Answer message;
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "scout", 1, 1, 9, 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        say(&(rp_answer_t){.outcome = rows[i].outcome}, &message);
        ck_assert_int_eq(message.outcome, rows[i].word);
        ck_assert(!message.optimal);
        ck_assert_uint_eq(message.steps.len, 0);
        ck_assert_double_eq(message.cost, -1.0);
        ck_assert_double_eq(message.bound, -1.0);
    }
}
END_TEST

START_TEST(the_chunks_of_a_world_are_its_rows_in_order)
{
    const uint32_t width = 400;
    const uint32_t height = 300; // two chunks, the second one shorter
    const rp_world_options_t options = {.width = width,
                                        .height = height,
                                        .neighbors = 4,
                                        .profile = "factor",
                                        .frame = {.resolution_m = 0.5}};
    rp_served_t *plain;
    Replan__V1__Geometry geometry;
    Replan__V1__Chunk chunk;
    uint32_t row = 0;
    rp_wire_open(&wire);
    ck_assert_int_eq(rp_worlds_open(&wire.daemon.serving.worlds, wire.daemon.serving.host, "plain",
                                    "map", &options, NULL, wire.daemon.serving.now.wall_us, &plain),
                     RP_OK);
    for (unsigned count = 0; row < height; count++) {
        rp_encode_chunk(&wire.daemon.serving, plain, row, &geometry, &chunk);
        ck_assert_uint_eq(chunk.first_row, row);
        ck_assert_uint_gt(chunk.rows, 0);
        ck_assert_uint_eq(chunk.data.len, (size_t)chunk.rows * width);
        ck_assert_uint_le(chunk.data.len, RP_LIMIT_CHUNK_BYTES);
        ck_assert_mem_eq(chunk.data.data,
                         rp_engine_bytes(wire.daemon.serving.engine, plain->id) +
                             (size_t)row * width,
                         chunk.data.len);
        ck_assert_int_eq(chunk.first, count == 0);
        ck_assert_int_eq(chunk.geometry != NULL, count == 0);
        row += chunk.rows;
        ck_assert_int_eq(chunk.last, row == height);
    }
    ck_assert_uint_eq(row, height);
}
END_TEST

START_TEST(a_refusal_for_a_world_that_is_not_there_goes_where_all_listen)
{
    rp_refusal_t refusal = {.status = REPLAN__V1__STATUS__LATE, .sentence = "too late"};
    rp_wire_open(&wire);
    rp_publish_notice(&wire.daemon.serving, "bog", &refusal, NULL, false);
    rp_publish_notice(&wire.daemon.serving, "marsh", &refusal, NULL, true);
    const Replan__V1__Notice *stray =
        (const Replan__V1__Notice *)rp_wire_published(&wire, "status/-/");
    const Replan__V1__Notice *known =
        (const Replan__V1__Notice *)rp_wire_published(&wire, "status/marsh/");
    ck_assert_ptr_nonnull(stray);
    ck_assert_ptr_nonnull(known);
    ck_assert_str_eq(stray->world, "bog");
    ck_assert(!stray->gap);
    ck_assert_str_eq(known->sentence, "too late");
    ck_assert_int_eq(known->status, REPLAN__V1__STATUS__LATE);
    ck_assert(known->gap);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        more_to_do_is_fine_and_everything_else_has_a_status,
        a_head_names_version_age_and_agents,
        an_answer_names_its_agent_its_start_and_its_steps,
        each_outcome_has_a_word_of_its_own,
        the_chunks_of_a_world_are_its_rows_in_order,
        a_refusal_for_a_world_that_is_not_there_goes_where_all_listen,
    };
    return rp_suite_run("encode", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
