/// What a session makes of a plan: whether it keeps what it published, what is new, and why.
#include "engine/session/decision.h"

#include "engine/core.h"
#include "tests/engine/scene.h"
#include "tests/support/suite.h"

static rp_scene_t scene;
static const rp_cause_t nothing = {0, 0};
static rp_session_t *session;
static rp_decision_t decision;

static void tear_down(void)
{
    rp_scene_close(&scene);
}

#define MEADOW                                                                                     \
    "..........\n"                                                                                 \
    "..........\n"                                                                                 \
    "..........\n"                                                                                 \
    ".........."

/// A session on its way along the upper row, nine steps, told at 5 s.
static rp_session_id_t begin(const char *drawing, rp_policy_t policy)
{
    rp_scene_draw(&scene, drawing);
    scene.policy = policy;
    scene.now_us = 5000000;
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 0, 9, 0);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_FOUND);
    session = rp_engine_session(scene.engine, id);
    return id;
}

static rp_cell_t cell(uint32_t x, uint32_t y)
{
    return rp_grid_cell(session->layer->grid, x, y);
}

/// As if a search had found the same path, or one along the second row, to cost so much.
static rp_status_t decide(double cost, bool is_other, double excess, uint64_t now_us)
{
    static rp_cell_t cells[10];
    rp_plan_t plan = {.outcome = RP_OUTCOME_FOUND, .cost = cost, .stats = {.expanded = 21}};
    for (uint32_t x = 0; x < 10 && is_other; x++) {
        cells[x] = cell(x, x == 0 || x == 9 ? 0 : 1);
        plan.path = (rp_path_t){cells, 10};
    }
    return rp_session_decide(session, RP_ANSWER_FOUND, &plan, excess, now_us, &decision);
}

// ---- what is left of the path

START_TEST(an_intact_path_on_uniform_ground_is_counted_and_costs_a_quarter)
{
    const uint64_t unsure = 9;
    (void)begin(MEADOW, (rp_policy_t){0});
    session->published.path.first = 0;
    ck_assert_double_eq(rp_session_remaining_cost(session), 9.0);
    const uint32_t count = session->published.path.count;
    session->published.path.count = 640; // nothing reads it here
    session->validity.is_intact = true;
    ck_assert_uint_eq(rp_session_walk_price(session), 640 / RP_SESSION_STEPS_EACH);
    session->validity.is_intact = false;
    ck_assert_uint_eq(rp_session_walk_price(session), 640 / RP_SESSION_MEASURED_EACH);
    session->validity.is_intact = true;
    session->validity.state = RP_SESSION_UNSURE; // since an older version
    session->validity.tested_at = unsure;
    ck_assert_uint_eq(rp_session_walk_price(session), 640 / RP_SESSION_MEASURED_EACH);
    session->validity.tested_at = session->world->version;
    ck_assert_uint_eq(rp_session_walk_price(session), 640 / RP_SESSION_STEPS_EACH);
    session->published.path.first = 320;
    ck_assert_uint_eq(rp_session_walk_price(session), 320 / RP_SESSION_STEPS_EACH);
    session->published.path.first = 0;
    session->published.path.count = count;
    session->validity.state = RP_SESSION_SURE;
}
END_TEST

START_TEST(a_path_that_is_broken_or_ends_at_no_goal_has_no_cost)
{
    (void)begin(MEADOW, (rp_policy_t){0});
    (void)rp_scene_set(&scene, 4, 0, 0);
    rp_scene_derive(session->world);
    session->validity.is_intact = true; // which is taken for granted
    session->validity.tested_at = session->world->version;
    ck_assert_double_eq(rp_session_remaining_cost(session), 9.0);
    session->validity.is_intact = false;
    ck_assert_double_eq(rp_session_remaining_cost(session), -1.0);
    (void)rp_scene_set(&scene, 4, 0, 1);
    rp_scene_derive(session->world);
    ck_assert_double_eq(rp_session_remaining_cost(session), 9.0);
    session->goal.group->goals[0].offset = 4;
    ck_assert_double_eq(rp_session_remaining_cost(session), 13.0);
    session->goal.group->goals[0].offset = 0;
    session->goal.group->goals[0].cell = cell(5, 3);
    ck_assert_double_eq(rp_session_remaining_cost(session), -1.0);
    session->goal.group->goals[0].cell = cell(9, 0);
}
END_TEST

// ---- causes

START_TEST(whatever_asks_for_another_answer_is_its_reason_the_first_of_several)
{
    static const struct {
        unsigned due;
        rp_reason_t reason;
        bool is_cause;
    } rows[] = {
        {0, RP_REASON_FIRST, false},
        {RP_DUE_TARGET, RP_REASON_FIRST, false},
        {RP_DUE_GOALS, RP_REASON_GOAL, true},
        {RP_DUE_LEG, RP_REASON_REACHED, true},
        {RP_DUE_OFF_PATH, RP_REASON_OFF_PATH, true},
        {RP_DUE_BEGINNING, RP_REASON_AGED, true},
        {RP_DUE_BEGINNING | RP_DUE_OFF_PATH, RP_REASON_OFF_PATH, true},
        {RP_DUE_OFF_PATH | RP_DUE_LEG, RP_REASON_REACHED, true},
        {RP_DUE_LEG | RP_DUE_GOALS | RP_DUE_TARGET, RP_REASON_GOAL, true},
    };
    (void)begin(MEADOW, (rp_policy_t){0});
    session->validity.begin_reason = RP_REASON_AGED;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rp_reason_t reason = RP_REASON_FIRST;
        session->validity.due = rows[i].due;
        ck_assert_int_eq(rp_session_has_cause(session, &reason), rows[i].is_cause);
        ck_assert_int_eq(reason, rows[i].reason);
    }
    rp_session_clear_causes(session);
    ck_assert_uint_eq(session->validity.due, 0);
    session->published.path_seq = 0;
    session->validity.due = RP_DUE_GOALS;
    rp_reason_t reason;
    ck_assert(rp_session_has_cause(session, &reason));
    ck_assert_int_eq(reason, RP_REASON_FIRST);
    session->validity.due = 0;
    ck_assert(rp_session_has_cause(session, &reason));
}
END_TEST

// ---- keep or switch

START_TEST(a_path_that_is_as_cheap_as_any_is_kept_in_silence)
{
    (void)begin(MEADOW, (rp_policy_t){0});
    session->validity.is_intact = false;
    session->validity.version = 0;
    session->validity.due = RP_DUE_TARGET;
    session->published.is_provisional = true;
    session->published.excess = 3.0;
    session->schedule.is_put_off = true;
    ck_assert_int_eq(decide(9.0, false, 0.0, 5000000), RP_OK);
    ck_assert(!decision.is_new);
    ck_assert(decision.is_kept);
    ck_assert_uint_eq(decision.look_us, RP_NEVER_US);
    ck_assert(session->validity.is_intact);
    ck_assert_uint_eq(session->validity.version, session->world->version);
    ck_assert_uint_eq(session->validity.due, 0);
    ck_assert(!session->published.is_provisional);
    ck_assert(!session->schedule.is_put_off);
    ck_assert_double_eq(session->published.cost, 9.0);
    ck_assert_double_eq(session->published.excess, 0.0);
    ck_assert_uint_eq(session->published.path_seq, 1);
}
END_TEST

START_TEST(a_cheaper_path_waits_until_the_old_one_has_stood_for_a_while)
{
    (void)begin(MEADOW, (rp_policy_t){.min_interval_ms = 1000});
    ck_assert_int_eq(decide(7.0, true, 0.0, 5999999), RP_OK);
    ck_assert(!decision.is_new);
    ck_assert_uint_eq(decision.look_us, 6000000);
    ck_assert_double_eq(session->published.excess, 2.0);
    ck_assert(session->schedule.is_put_off);
    ck_assert_int_eq(decide(7.0, true, 0.0, 6000000), RP_OK);
    ck_assert(decision.is_new);
    ck_assert_int_eq(session->published.reason, RP_REASON_CHEAPER);
    ck_assert_double_eq(session->published.excess, 0.0);
    ck_assert(!session->schedule.is_put_off);
    ck_assert_uint_eq(session->published.path_seq, 2);
    ck_assert_uint_eq(session->published.at_us, 6000000);
    ck_assert_uint_eq(session->published.expansions, 21);
}
END_TEST

START_TEST(what_was_published_for_want_of_the_optimum_need_not_have_stood_for_a_while)
{
    (void)begin(MEADOW, (rp_policy_t){.min_interval_ms = 1000});
    session->published.is_provisional = true;
    ck_assert_int_eq(decide(7.0, true, 0.0, 5000001), RP_OK);
    ck_assert(decision.is_new);
}
END_TEST

/// A path by the rendezvous: what it may cost more than the best bounds what is kept, too.
START_TEST(what_is_kept_is_as_far_from_the_best_as_a_way_by_the_rendezvous_tells)
{
    static const struct {
        double cost, excess; // of the plan
        double kept_excess;  // of what is kept
        bool is_at_rendezvous;
    } rows[] = {
        {9.0, 0.0, 0.0, false}, {9.0, 4.0, 4.0, true},  {8.0, 4.0, 5.0, false},
        {12.0, 2.0, 0.0, true}, {12.0, 3.0, 0.0, true}, {12.0, 4.0, 1.0, true},
    };
    (void)begin(MEADOW, (rp_policy_t){.switch_gain_percent = 50});
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_int_eq(decide(rows[i].cost, true, rows[i].excess, 5000001), RP_OK);
        ck_assert(!decision.is_new);
        ck_assert_double_eq(session->published.cost, 9.0);
        ck_assert_double_eq(session->published.excess, rows[i].kept_excess);
        ck_assert_int_eq(session->published.is_at_rendezvous, rows[i].is_at_rendezvous);
    }
}
END_TEST

START_TEST(a_broken_path_is_told_as_such_unless_its_target_moved)
{
    for (unsigned moved = 0; moved < 2; moved++) {
        (void)begin(MEADOW, (rp_policy_t){.switch_gain_percent = 90, .min_interval_ms = 60000});
        (void)rp_scene_set(&scene, 4, 0, 0);
        rp_scene_derive(session->world);
        session->validity.is_intact = false;
        session->validity.due = moved != 0 ? RP_DUE_TARGET : 0;
        ck_assert_int_eq(decide(9.8, true, 0.0, 5000001), RP_OK);
        ck_assert(decision.is_new);
        ck_assert_int_eq(session->published.reason,
                         moved != 0 ? RP_REASON_GOAL : RP_REASON_INVALID);
        rp_scene_close(&scene);
    }
    (void)begin(MEADOW, (rp_policy_t){0});
}
END_TEST

START_TEST(the_rest_of_a_part_comes_for_the_reason_of_the_part)
{
    static const struct {
        rp_answer_outcome_t before;
        rp_reason_t reason;
    } rows[] = {{RP_ANSWER_PARTIAL, RP_REASON_OFF_PATH}, {RP_ANSWER_NO_PATH, RP_REASON_INVALID}};
    (void)begin(MEADOW, (rp_policy_t){0});
    for (size_t i = 0; i < 2; i++) {
        session->published.outcome = rows[i].before;
        session->published.reason = RP_REASON_OFF_PATH;
        ck_assert_int_eq(decide(9.0, true, 0.0, 5000001), RP_OK);
        ck_assert(decision.is_new);
        ck_assert_int_eq(session->published.reason, rows[i].reason);
        ck_assert_int_eq(session->published.outcome, RP_ANSWER_FOUND);
    }
}
END_TEST

START_TEST(without_a_path_as_before_there_is_nothing_to_say)
{
    (void)begin(MEADOW, (rp_policy_t){0});
    rp_plan_t plan = {.outcome = RP_OUTCOME_NO_PATH};
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_int_eq(
            rp_session_decide(session, RP_ANSWER_NO_PATH, &plan, 0.0, 5000001, &decision), RP_OK);
        ck_assert_int_eq(decision.is_new, i == 0);
        ck_assert_uint_eq(decision.look_us, RP_NEVER_US);
        ck_assert_double_eq(session->published.cost, 0.0);
        ck_assert_uint_eq(session->published.path.count, session->published.path.first);
    }
    ck_assert_int_eq(session->published.reason, RP_REASON_INVALID);
}
END_TEST

START_TEST(without_a_path_there_is_no_way_to_it)
{
    static uint8_t bytes[40];
    for (uint32_t i = 0; i < 40; i++) {
        bytes[i] = i % 10 < 3 ? 253 : 0;
    }
    const rp_world_options_t options = {
        .width = 10, .height = 4, .neighbors = 8, .profile = "costmap", .data = bytes};
    rp_scene_open(&scene, &options);
    (void)rp_scene_session(&scene, NULL, 0, 1, 9, 1);
    ck_assert_uint_eq(rp_scene_answer(&scene).way_count, 3);
    (void)rp_scene_set(&scene, 9, 1, 254);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_GOAL_BLOCKED);
    ck_assert_uint_eq(answer.way_count, 0);
    ck_assert_double_eq(answer.escape_m, 0.0);
}
END_TEST

/// What it follows from beside is not where a new path begins.
START_TEST(a_new_path_of_one_beside_its_path_is_planned_from_where_it_stands)
{
    (void)begin(MEADOW, (rp_policy_t){0});
    session->position.is_beside = true;
    session->position.is_escaping = true;
    session->position.cell = cell(0, 1);
    for (unsigned is_rim = 0; is_rim < 2; is_rim++) {
        session->position.is_beside = true;
        session->position.from = cell(0, 0);
        session->goal.is_rim = is_rim != 0;
        session->goal.is_stale = false;
        ck_assert_int_eq(decide(7.0, true, 0.0, 5000001), RP_MORE);
        ck_assert(!session->position.is_beside);
        ck_assert(!session->position.is_escaping);
        ck_assert_uint_eq(session->position.from, cell(0, 1));
        ck_assert_int_eq(session->goal.is_stale, is_rim);
        ck_assert_uint_eq(session->validity.due, RP_DUE_BEGINNING);
        ck_assert_int_eq(session->validity.begin_reason, RP_REASON_CHEAPER);
        ck_assert_uint_eq(session->published.path_seq, 1);
        session->validity.due = 0;
        session->position.is_escaping = true;
    }
    session->goal.is_rim = session->goal.is_stale = false;
}
END_TEST

START_TEST(an_answer_names_what_it_answers)
{
    const rp_session_id_t prey = begin(MEADOW, (rp_policy_t){0});
    const rp_session_id_t hunter = rp_scene_session(&scene, NULL, 0, 3, 0, 0);
    const rp_aim_t aim = {.kind = RP_AIM_TARGET, .target = prey, .goal_id = 7};
    ck_assert_int_eq(rp_engine_aim(scene.engine, hunter, &aim, nothing), RP_OK);
    ck_assert_int_eq(rp_engine_pose(scene.engine, prey, 4.5, 0.5, 31, nothing), RP_OK);
    ck_assert_int_eq(rp_engine_pose(scene.engine, hunter, 1.5, 3.5, 32, nothing), RP_OK);
    rp_scene_settle(&scene);
    rp_past_answer_t past[RP_PAST_MAX];
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_answer(scene.engine, hunter, &answer), RP_OK);
    ck_assert_uint_eq(answer.goal_id, 7);
    ck_assert_uint_eq(answer.target_pose_seq, 31);
    ck_assert_uint_eq(answer.pose_seq, 32);
    ck_assert_uint_eq(answer.path_seq, 1);
    ck_assert_uint_eq(rp_engine_past(scene.engine, hunter, past), 1);
    ck_assert_uint_eq(past[0].path_seq, 1);
    ck_assert_uint_eq(past[0].published_us, 5000000);
    ck_assert_uint_eq(past[0].version, 1);
    ck_assert_int_eq(past[0].outcome, RP_ANSWER_FOUND);
    ck_assert_int_eq(past[0].reason, RP_REASON_FIRST);
    ck_assert_double_eq(past[0].cost, answer.cost);
    ck_assert_uint_eq(past[0].expansions, answer.expansions);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        an_intact_path_on_uniform_ground_is_counted_and_costs_a_quarter,
        a_path_that_is_broken_or_ends_at_no_goal_has_no_cost,
        whatever_asks_for_another_answer_is_its_reason_the_first_of_several,
        a_path_that_is_as_cheap_as_any_is_kept_in_silence,
        a_cheaper_path_waits_until_the_old_one_has_stood_for_a_while,
        what_was_published_for_want_of_the_optimum_need_not_have_stood_for_a_while,
        what_is_kept_is_as_far_from_the_best_as_a_way_by_the_rendezvous_tells,
        a_broken_path_is_told_as_such_unless_its_target_moved,
        the_rest_of_a_part_comes_for_the_reason_of_the_part,
        without_a_path_as_before_there_is_nothing_to_say,
        without_a_path_there_is_no_way_to_it,
        a_new_path_of_one_beside_its_path_is_planned_from_where_it_stands,
        an_answer_names_what_it_answers,
    };
    return rp_suite_run("decision", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
