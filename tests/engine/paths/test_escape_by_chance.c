/// Blocked starts by chance: agents that are moved into walls and out again (escape_story.h), while
/// everything else changes and steps have little budget. Each answer that the engine is sure of is
/// held against the references (escape_judge.h).
///
///     REPLAN_ESCAPE="rounds [seed]" build/release/tests/test_escape_by_chance   # longer, or one
///     again
#include <stdlib.h>

#include "tests/engine/paths/escape_judge.h"
#include "tests/support/suite.h"

#define ROUNDS     80u
#define SEED       1u
#define EVENTS     40u
#define AGENTS     RP_ESCAPE_STORY_AGENTS
#define STEPS_MOST 100000u

static rp_escape_story_t story;

static const rp_cause_t nothing = {0, 0};

static void tear_down(void)
{
    rp_engine_destroy(&story.engine);
}

// ---- a round

/// Hold the newest answer of an agent against the truth, if the engine is sure of it.
static void judge_now(rp_escape_story_t *self, rp_escape_agent_t *agent)
{
    rp_answer_t answer;
    if (!rp_engine_is_sure(self->engine, agent->session)) {
        return;
    }
    RP_EACH_EQ(rp_engine_answer(self->engine, agent->session, &answer), RP_OK);
    rp_escape_story_look(self, &self->kinds[agent->kind]);
    rp_escape_judge(self, agent, &answer);
    agent->judged_seq = answer.path_seq;
}

/// One step; what is said in it is judged at once.
static bool step(rp_escape_story_t *self)
{
    rp_answer_t answer;
    self->is_at_rest = false;
    const bool is_left = rp_engine_step(self->engine, ++self->now_us, self->budget);
    while (rp_engine_next_answer(self->engine, &answer)) {
        for (uint32_t i = 0; i < AGENTS; i++) {
            if (self->agents[i].session == answer.session) {
                judge_now(self, &self->agents[i]);
            }
        }
    }
    return is_left;
}

static void step_to_the_end(rp_escape_story_t *self)
{
    uint32_t steps = 0;
    while (step(self)) {
        ck_assert_msg(++steps < STEPS_MOST, "seed %llu, event %u: it comes to no end",
                      (unsigned long long)self->seed, self->event);
    }
    self->is_at_rest = true;
}

/// A session that knows nothing of what was before says the same.
static void judge_newcomer(rp_escape_story_t *self, const rp_escape_agent_t *agent)
{
    rp_escape_agent_t newcomer = *agent;
    rp_answer_t answer;
    const rp_session_options_t options = rp_escape_story_options(self, agent, NULL);
    newcomer.judged_seq = 0;
    newcomer.is_hastened = false;
    newcomer.must_keep = newcomer.must_leave = newcomer.may_be_beside = false;
    ck_assert_int_eq(rp_engine_open(self->engine, self->world, &options, &newcomer.session), RP_OK);
    ck_assert_int_eq(rp_engine_pose(self->engine, newcomer.session, agent->question.x_m,
                                    agent->question.y_m, 0, nothing),
                     RP_OK);
    ck_assert_int_eq(rp_escape_story_aim(self, &agent->question, newcomer.session), RP_OK);
    step_to_the_end(self);
    ck_assert_int_eq(rp_engine_answer(self->engine, newcomer.session, &answer), RP_OK);
    rp_escape_story_look(self, &self->kinds[agent->kind]);
    rp_escape_judge(self, &newcomer, &answer);
    ck_assert_int_eq(rp_engine_close(self->engine, newcomer.session), RP_OK);
}

static void settle(rp_escape_story_t *self)
{
    step_to_the_end(self);
    for (uint32_t i = 0; i < AGENTS; i++) {
        rp_escape_agent_t *agent = &self->agents[i];
        rp_answer_t answer;
        RP_EACH(rp_engine_is_sure(self->engine, agent->session));
        agent->is_hastened = false;
        judge_now(self, agent);
        RP_EACH_EQ(rp_engine_answer(self->engine, agent->session, &answer), RP_OK);
        rp_escape_story_note(self, agent, &answer);
    }
    if (rp_escape_story_chance(self, 40)) {
        judge_newcomer(self, &self->agents[rp_escape_story_below(self, AGENTS)]);
    }
}

/// -1 to 1.
static double some_part(rp_escape_story_t *self)
{
    return rp_escape_story_below(self, 201) / 100.0 - 1.0;
}

/// Each agent goes somewhere near its line, on this side of a wall or on the other.
static void drift(rp_escape_story_t *self)
{
    for (uint32_t i = 0; i < AGENTS; i++) {
        rp_escape_agent_t *agent = &self->agents[i];
        const uint32_t cell = agent->left[rp_escape_story_below(self, (uint32_t)agent->left_count)];
        const double reach = 0.7 + agent->follow_radius_m / self->options.frame.resolution_m;
        double at[2];
        rp_escape_middle(self->options.width, cell, at);
        const double x = at[0] + reach * some_part(self);
        const double y = at[1] + reach * some_part(self);
        if (x > 0.0 && y > 0.0 && x < self->options.width && y < self->options.height) {
            rp_escape_story_pose_at(self, agent, x, y);
        }
    }
}

static void happen(rp_escape_story_t *self)
{
    rp_escape_agent_t *agent = &self->agents[rp_escape_story_below(self, AGENTS)];
    const uint32_t what = rp_escape_story_below(self, 100);
    if (what < 50) {
        rp_escape_story_pose(self, agent);
    } else if (what < 65) {
        rp_escape_story_aim_anew(self, agent);
    } else if (what < 83) {
        rp_escape_story_rewrite(self);
    } else if (what < 93) {
        rp_escape_story_overlay(self);
    } else if (what < 97) {
        rp_escape_story_resize(self);
    } else {
        agent->is_hastened = true;
        ck_assert_int_eq(rp_engine_hasten(self->engine, agent->session), RP_OK);
    }
    judge_now(self, &self->agents[rp_escape_story_below(self, AGENTS)]);
}

static void play(rp_escape_story_t *self, uint64_t seed)
{
    static const uint64_t budgets[] = {1, 1, 7, 100000};
    *self = (rp_escape_story_t){.seed = seed, .random = {seed}, .now_us = 1000};
    self->budget = budgets[rp_escape_story_below(self, 4)];
    rp_escape_story_open(self);
    for (self->event = 0; self->event < EVENTS; self->event++) {
        settle(self);
        if (rp_escape_story_chance(self, 30)) {
            drift(self);
            continue;
        }
        for (uint32_t i = 1u + rp_escape_story_below(self, 3); i != 0; i--) {
            happen(self);
            for (uint32_t k = rp_escape_story_below(self, 12); k != 0;
                 k--) { // and it is cut somewhere
                (void)step(self);
            }
        }
    }
    settle(self);
    rp_engine_destroy(&self->engine);
}

START_TEST(blocked_starts_are_left_as_the_references_say)
{
    const char *wanted = getenv("REPLAN_ESCAPE");
    char *rest = NULL;
    const uint64_t rounds = wanted != NULL ? strtoull(wanted, &rest, 10) : RP_ROUNDS(ROUNDS);
    const uint64_t first = rest != NULL && *rest == ' ' ? strtoull(rest, NULL, 10) : SEED;
    for (uint64_t seed = first; seed < first + rounds; seed++) {
        play(&story, seed);
    }
}
END_TEST

// ---- what chance found, as little worlds

/// A world of rows of five, its corner at (0, 0), one metre a cell; one agent with a goal.
static rp_session_id_t open_little(const uint8_t *data, uint32_t height, double follow_radius_m,
                                   double x, double y, double goal_x, double goal_y)
{
    const rp_world_options_t options = {.width = 5,
                                        .height = height,
                                        .neighbors = 8,
                                        .profile = "costmap",
                                        .frame = {.resolution_m = 1.0},
                                        .data = data};
    const rp_session_options_t body = {.follow_radius_m = follow_radius_m};
    const rp_destination_t goal = {goal_x, goal_y, 0};
    rp_session_id_t session;
    ck_assert_int_eq(rp_engine_new(&story.engine), RP_OK);
    ck_assert_int_eq(rp_engine_open_world(story.engine, &options, &story.world), RP_OK);
    ck_assert_int_eq(rp_engine_open(story.engine, story.world, &body, &session), RP_OK);
    ck_assert_int_eq(rp_engine_pose(story.engine, session, x, y, 0, nothing), RP_OK);
    ck_assert_int_eq(rp_engine_goals(story.engine, session, &goal, 1, 0, nothing), RP_OK);
    return session;
}

static rp_answer_t newest(rp_session_id_t session, uint64_t budget)
{
    rp_answer_t answer;
    uint32_t steps = 0;
    while (rp_engine_step(story.engine, 1000, budget)) {
        ck_assert_uint_lt(++steps, STEPS_MOST);
    }
    ck_assert_int_eq(rp_engine_answer(story.engine, session, &answer), RP_OK);
    return answer;
}

START_TEST(an_agent_that_has_a_way_before_it_has_not_arrived)
{
    static const uint8_t data[] = {253, 253, 0, 254, 254};
    const rp_session_id_t session = open_little(data, 1, 0.0, 0.5, 0.5, 2.5, 0.5);
    const rp_answer_t answer = newest(session, 1000);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_uint_eq(answer.start_x, 2);
    ck_assert_uint_eq(answer.step_count, 0);
    ck_assert_uint_eq(answer.way_count, 2);
    ck_assert_int_eq(rp_engine_pose(story.engine, session, 2.5, 0.5, 0, nothing), RP_OK);
    ck_assert_int_eq(newest(session, 1000).outcome, RP_ANSWER_ARRIVED);
}
END_TEST

/// The path leads from (2, 1) up to the right, so the end of its line is exactly two metres off.
START_TEST(behind_an_obstacle_exactly_as_far_off_as_the_radius_a_pose_does_not_follow)
{
    static const uint8_t data[] = {0, 0, 0, 0, 0, 0, 254, 0, 0, 0, 0, 0, 0, 0, 0};
    const rp_session_id_t session = open_little(data, 3, 2.0, 2.5, 1.5, 3.5, 0.5);
    const uint64_t path_seq = newest(session, 1000).path_seq;
    ck_assert_int_eq(rp_engine_pose(story.engine, session, 0.5, 1.5, 0, nothing), RP_OK);
    const rp_answer_t answer = newest(session, 1000);
    ck_assert_uint_gt(answer.path_seq, path_seq);
    ck_assert_uint_eq(answer.start_x, 0);
}
END_TEST

START_TEST(a_cell_that_was_passed_is_none_of_what_is_left)
{
    static const uint8_t data[5];
    const rp_session_id_t session = open_little(data, 1, 0.8, 0.5, 0.5, 4.5, 0.5);
    const uint64_t path_seq = newest(session, 1000).path_seq;
    ck_assert_int_eq(rp_engine_pose(story.engine, session, 2.9, 0.3, 0, nothing), RP_OK);
    const rp_answer_t passed = newest(session, 1000);
    ck_assert_uint_eq(passed.path_seq, path_seq);
    ck_assert_uint_eq(passed.start_x, 2);
    ck_assert_int_eq(rp_engine_pose(story.engine, session, 1.6, 0.5, 0, nothing), RP_OK);
    const rp_answer_t back = newest(session, 1000); // 0.9 from the middle of what is left first
    ck_assert_uint_gt(back.path_seq, path_seq);
    ck_assert_uint_eq(back.start_x, 1);
}
END_TEST

/// The new window leaves out the column in which the agent was before.
START_TEST(a_resize_that_leaves_out_what_was_passed_does_no_harm)
{
    static uint8_t data[11 * 11] = {0, 0, 254};
    const rp_world_options_t options = {.width = 11,
                                        .height = 11,
                                        .neighbors = 8,
                                        .profile = "costmap",
                                        .frame = {.resolution_m = 1.0},
                                        .data = data};
    const rp_session_options_t inflates = {
        .body = {.inscribed_radius_m = 1.5, .inflation_radius_m = 2.5, .cost_scaling = 1.0},
        .follow_radius_m = 2.5};
    const rp_destination_t goal = {2.5, 9.5, 0};
    const rp_window_t window = {.x = 2, .width = 10, .height = 10, .is_filled = true, .fill = 254};
    rp_session_id_t session;
    uint64_t version;
    ck_assert_int_eq(rp_engine_new(&story.engine), RP_OK);
    ck_assert_int_eq(rp_engine_open_world(story.engine, &options, &story.world), RP_OK);
    ck_assert_int_eq(rp_engine_open(story.engine, story.world, &inflates, &session), RP_OK);
    ck_assert_int_eq(rp_engine_goals(story.engine, session, &goal, 1, 0, nothing), RP_OK);
    ck_assert_int_eq(rp_engine_pose(story.engine, session, 5.6, 0.14, 0, nothing), RP_OK);
    (void)newest(session, 1);
    ck_assert_int_eq(rp_engine_pose(story.engine, session, 0.3, 0.4, 0, nothing), RP_OK);
    (void)rp_engine_step(story.engine, 1000, 1);
    (void)rp_engine_step(story.engine, 1000, 1);
    ck_assert_int_eq(rp_engine_pose(story.engine, session, 4.45, 8.2, 0, nothing), RP_OK);
    ck_assert_int_eq(rp_engine_resize(story.engine, story.world, &window, nothing, &version),
                     RP_OK);
    const rp_answer_outcome_t outcome = newest(session, 1).outcome; // some paths end near enough
    ck_assert(outcome == RP_ANSWER_FOUND || outcome == RP_ANSWER_ARRIVED);
}
END_TEST

START_TEST(steps_of_one_expansion_come_to_an_end_between_changes)
{
    static const uint8_t data[25];
    const rp_session_id_t session = open_little(data, 5, 0.0, 0.5, 0.5, 4.5, 4.5);
    for (uint32_t x = 1; x < 4; x++) {
        const rp_edit_t edit = {.x = x, .y = 2, .width = 1, .height = 1, .fill = 100};
        uint64_t version;
        (void)rp_engine_step(story.engine, 1000, 1);
        ck_assert_int_eq(rp_engine_apply(story.engine, story.world, &edit, nothing, &version),
                         RP_OK);
    }
    ck_assert_int_eq(newest(session, 1).outcome, RP_ANSWER_FOUND);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        blocked_starts_are_left_as_the_references_say,
        an_agent_that_has_a_way_before_it_has_not_arrived,
        behind_an_obstacle_exactly_as_far_off_as_the_radius_a_pose_does_not_follow,
        a_cell_that_was_passed_is_none_of_what_is_left,
        a_resize_that_leaves_out_what_was_passed_does_no_harm,
        steps_of_one_expansion_come_to_an_end_between_changes,
    };
    return rp_suite_run("escape_by_chance", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
