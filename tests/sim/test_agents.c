/// Agents walk what they receive.
#include "sim/world/driving.h"
#include "tests/support/suite.h"

static const uint8_t open_field[5 * 5] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                          1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
static const rp_grid_view_t grid = {open_field, 5, 5, 8, false, RP_SCALE_FACTOR};

static Replan__V1__Answer answer_of(uint32_t start, uint8_t *steps, size_t count)
{
    Replan__V1__Answer answer = REPLAN__V1__ANSWER__INIT;
    answer.outcome = REPLAN__V1__OUTCOME__FOUND;
    answer.goal_id = 1;
    answer.pose_seq = 1;
    answer.start = start;
    answer.steps = (ProtobufCBinaryData){count, steps};
    return answer;
}

START_TEST(an_agent_walks_its_path_to_the_goal)
{
    uint8_t steps[] = {0, 1, 2};
    rp_sim_agent_t agent;
    ck_assert(rp_sim_agent_init(&agent, 1, 0, 12));
    const Replan__V1__Answer answer = answer_of(0, steps, 3);
    ck_assert(rp_sim_agent_hear(&agent, &grid, &answer));
    ck_assert(rp_sim_agent_step(&agent, &grid));
    ck_assert_uint_eq(agent.cell, 1);
    ck_assert(rp_sim_agent_step(&agent, &grid));
    ck_assert(rp_sim_agent_step(&agent, &grid));
    ck_assert_uint_eq(agent.cell, 12);
    ck_assert_uint_eq(agent.cell, agent.goal);
    ck_assert(!rp_sim_agent_step(&agent, &grid));
    ck_assert_uint_eq(agent.pose_seq, 4);
    rp_sim_agent_fini(&agent);
}
END_TEST

START_TEST(an_agent_joins_a_path_that_starts_behind_it)
{
    uint8_t steps[] = {0, 0, 0};
    rp_sim_agent_t agent;
    ck_assert(rp_sim_agent_init(&agent, 1, 0, 3));
    rp_sim_agent_place(&agent, 1);
    const Replan__V1__Answer answer = answer_of(0, steps, 3);
    ck_assert(rp_sim_agent_hear(&agent, &grid, &answer));
    ck_assert(rp_sim_agent_step(&agent, &grid));
    ck_assert_uint_eq(agent.cell, 2);
    rp_sim_agent_fini(&agent);
}
END_TEST

START_TEST(an_agent_in_an_obstacle_walks_its_way_and_then_its_path)
{
    uint8_t bytes[25];
    rp_grid_view_t rock = grid;
    uint8_t way[] = {0};
    uint8_t steps[] = {0, 0};
    rp_sim_agent_t agent;
    for (unsigned i = 0; i < 25; i++) {
        bytes[i] = i != 10;
    }
    rock.bytes = bytes;
    ck_assert(rp_sim_agent_init(&agent, 1, 10, 13));
    Replan__V1__Answer answer = answer_of(11, steps, 2);
    answer.way_start = 10;
    answer.way = (ProtobufCBinaryData){1, way};
    ck_assert(rp_sim_agent_hear(&agent, &rock, &answer));
    ck_assert_uint_eq(agent.way_count, 1);
    ck_assert_uint_eq(agent.path_count, 4);
    for (uint32_t cell = 11; cell <= 13; cell++) {
        ck_assert(rp_sim_agent_step(&agent, &rock));
        ck_assert_uint_eq(agent.cell, cell);
    }
    ck_assert(!rp_sim_agent_step(&agent, &rock));
    rp_sim_agent_fini(&agent);
}
END_TEST

START_TEST(an_agent_waits_when_the_path_is_not_its_own)
{
    uint8_t steps[] = {0, 0, 0};
    rp_sim_agent_t agent;
    ck_assert(rp_sim_agent_init(&agent, 1, 0, 3));
    rp_sim_agent_place(&agent, 7);
    const Replan__V1__Answer answer = answer_of(0, steps, 3);
    ck_assert(rp_sim_agent_hear(&agent, &grid, &answer));
    ck_assert(!rp_sim_agent_step(&agent, &grid));
    ck_assert_uint_eq(agent.cell, 7);
    rp_sim_agent_fini(&agent);
}
END_TEST

START_TEST(an_agent_does_not_enter_a_cell_that_was_blocked_meanwhile)
{
    uint8_t bytes[25];
    rp_grid_view_t blocked = grid;
    uint8_t steps[] = {0, 0};
    rp_sim_agent_t agent;
    for (unsigned i = 0; i < 25; i++) {
        bytes[i] = i != 1;
    }
    blocked.bytes = bytes;
    ck_assert(rp_sim_agent_init(&agent, 1, 0, 2));
    const Replan__V1__Answer answer = answer_of(0, steps, 2);
    ck_assert(rp_sim_agent_hear(&agent, &grid, &answer));
    ck_assert(!rp_sim_agent_step(&agent, &blocked));
    ck_assert_uint_eq(agent.cell, 0);
    rp_sim_agent_fini(&agent);
}
END_TEST

START_TEST(an_answer_for_an_older_goal_is_passed_over)
{
    uint8_t steps[] = {0, 0};
    rp_sim_agent_t agent;
    ck_assert(rp_sim_agent_init(&agent, 1, 0, 2));
    rp_sim_agent_aim(&agent, 20, false);
    const Replan__V1__Answer answer = answer_of(0, steps, 2);
    ck_assert(rp_sim_agent_hear(&agent, &grid, &answer));
    ck_assert(!rp_sim_agent_step(&agent, &grid));
    rp_sim_agent_fini(&agent);
}
END_TEST

START_TEST(a_question_is_remembered_by_pose_and_goal)
{
    rp_sim_agent_t agent;
    rp_search_query_t question;
    Replan__V1__Answer answer = answer_of(0, NULL, 0);
    ck_assert(rp_sim_agent_init(&agent, 1, 3, 2));
    rp_sim_agent_place(&agent, 4);
    rp_sim_agent_aim(&agent, 20, false);
    ck_assert(rp_sim_agent_question(&agent, NULL, &answer, &question));
    ck_assert_uint_eq(question.start, 3);
    ck_assert_uint_eq(question.goal, 2);
    answer.pose_seq = answer.goal_id = 2;
    ck_assert(rp_sim_agent_question(&agent, NULL, &answer, &question));
    ck_assert_uint_eq(question.start, 4);
    ck_assert_uint_eq(question.goal, 20);
    answer.pose_seq = 3;
    ck_assert(!rp_sim_agent_question(&agent, NULL, &answer, &question));
    answer.pose_seq = 1;
    for (unsigned i = 0; i < RP_SIM_AGENT_MEMORY; i++) {
        rp_sim_agent_place(&agent, 5);
    }
    ck_assert(!rp_sim_agent_question(&agent, NULL, &answer, &question));
    rp_sim_agent_fini(&agent);
}
END_TEST

START_TEST(an_agent_that_drives_stays_at_the_end_of_its_curve)
{
    const rp_drive_options_t drive = {.turning_radius_m = 1.0, .radius_m = 0.4};
    double numbers[] = {0.5, 2.5, 0.0, 0.0, 2.5, 0.0};
    rp_sim_agent_t agent;
    ck_assert(rp_sim_agent_init(&agent, 1, 10, 13));
    ck_assert(rp_driving_seat(&agent, &grid, &(rp_drive_pose_t){0.5, 2.5, 0.0}));
    ck_assert(!rp_driving_go(&agent, &drive, &grid, 1.0)); // it has none yet
    Replan__V1__Answer answer = answer_of(10, NULL, 0);
    answer.n_segment_x = answer.n_segment_y = answer.n_segment_yaw = 1;
    answer.n_segment_curvature = answer.n_segment_length = answer.n_segment_turn = 1;
    answer.segment_x = &numbers[0];
    answer.segment_y = &numbers[1];
    answer.segment_yaw = &numbers[2];
    answer.segment_curvature = &numbers[3];
    answer.segment_length = &numbers[4];
    answer.segment_turn = &numbers[5];
    ck_assert(rp_driving_hear(&agent, &answer));
    ck_assert(rp_driving_go(&agent, &drive, &grid, 1.0));
    ck_assert(rp_driving_go(&agent, &drive, &grid, 1.0));
    ck_assert(rp_driving_go(&agent, &drive, &grid, 1.0)); // half of that
    ck_assert(!rp_driving_go(&agent, &drive, &grid, 1.0));
    ck_assert_double_eq(rp_driving_seat_of(&agent, agent.pose_seq)->x, 3.0);
    rp_sim_agent_fini(&agent);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        an_agent_walks_its_path_to_the_goal,
        an_agent_joins_a_path_that_starts_behind_it,
        an_agent_in_an_obstacle_walks_its_way_and_then_its_path,
        an_agent_waits_when_the_path_is_not_its_own,
        an_agent_does_not_enter_a_cell_that_was_blocked_meanwhile,
        an_answer_for_an_older_goal_is_passed_over,
        a_question_is_remembered_by_pose_and_goal,
        an_agent_that_drives_stays_at_the_end_of_its_curve,
    };
    return rp_suite_run("sim_agents", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
