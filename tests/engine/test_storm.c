/// A storm: everything that an engine can be told, at random and all at once, and a witness
/// (witness.h) that holds each answer against the truth after each of it.
///
///     REPLAN_STORM="rounds [seed]" build/release/tests/test_storm     # longer, or one round again
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/engine/storm.h"
#include "tests/support/suite.h"

#define ROUNDS       30u
#define LARGE_ROUNDS 8u
#define SEED         1u
#define STEPS_MOST   200000u ///< of an engine until it is at rest
#define ASKS         3u
#define POINTS_ASKED 2u

static rp_storm_t storm;
static uint64_t pose_seq;
static uint64_t goal_id;
static rp_query_id_t asks[ASKS];
static rp_destination_t asked[ASKS][2u * POINTS_ASKED];

static const rp_cause_t nothing = {0, 0};

static void tear_down(void)
{
    rp_witness_end(&storm.witness);
    rp_engine_destroy(&storm.engine);
}

static void expect(const char *complaint, const char *of, uint32_t number)
{
    ck_assert_msg(complaint == NULL, "seed %llu, event %u, %s %u: %s",
                  (unsigned long long)storm.seed, storm.event, of, number, complaint);
}

// ---- agents

static rp_witness_agent_t *some_agent(void)
{
    rp_witness_agent_t *agent =
        &storm.witness.agents[rp_storm_below(&storm, storm.witness.agent_count)];
    return agent->id != 0 ? agent : NULL;
}

static void pose(rp_witness_agent_t *agent, rp_spot_t at)
{
    agent->x_m = at.x_m;
    agent->y_m = at.y_m;
    agent->has_pose = true;
    agent->pose_seq = ++pose_seq;
    rp_storm_trace(&storm, "pose", agent->id, at.x_m, at.y_m);
    ck_assert_int_eq(rp_engine_pose(storm.engine, agent->id, at.x_m, at.y_m, pose_seq, nothing),
                     RP_OK);
}

/// Some steps along what it was told, whether that is still true or not.
static void walk(rp_witness_agent_t *agent)
{
    static const int dx[] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const int dy[] = {0, 1, 1, 1, 0, -1, -1, -1};
    const rp_past_ground_t *ground = rp_witness_ground(&storm.witness);
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_answer(storm.engine, agent->id, &answer), RP_OK);
    const uint32_t most = rp_storm_chance(&storm, 20) ? answer.step_count
                          : answer.step_count < 3     ? answer.step_count
                                                      : 3;
    double x = answer.start_x;
    double y = answer.start_y;
    for (uint32_t i = 0; i < most; i++) {
        x += dx[answer.steps[i]];
        y += dy[answer.steps[i]];
    }
    x += 0.5 + (rp_storm_chance(&storm, 20) ? (rp_storm_below(&storm, 20) - 9.5) / 10.0 : 0.0);
    y += 0.5 + (rp_storm_chance(&storm, 20) ? (rp_storm_below(&storm, 20) - 9.5) / 10.0 : 0.0);
    pose(agent, (rp_spot_t){ground->origin_x_m + x * storm.witness.resolution_m,
                            ground->origin_y_m + y * storm.witness.resolution_m});
}

static void move(rp_witness_agent_t *agent)
{
    if (!agent->has_pose || rp_storm_chance(&storm, 25)) {
        pose(agent, rp_storm_chance(&storm, 15) ? storm.pool[rp_storm_below(&storm, RP_STORM_POOL)]
                                                : rp_storm_place(&storm));
    } else {
        walk(agent);
    }
}

/// So many cells that only the rim is listed.
static void fill_large_region(rp_witness_agent_t *agent, rp_aim_t *aim)
{
    const rp_past_ground_t *ground = rp_witness_ground(&storm.witness);
    const double metre = storm.witness.resolution_m;
    aim->kind = RP_AIM_REGION;
    aim->count = 2;
    aim->tolerance_m = 0.0;
    aim->is_nearest = rp_storm_chance(&storm, 35);
    for (unsigned i = 0; i < 2; i++) {
        const double x = (rp_storm_below(&storm, 25) + i * 75u) / 100.0 * ground->width;
        const double y = (rp_storm_below(&storm, 25) + i * 75u) / 100.0 * ground->height;
        agent->points[i] =
            (rp_destination_t){ground->origin_x_m + x * metre, ground->origin_y_m + y * metre, 0};
    }
    aim->points = agent->points;
}

static void fill_aim(rp_witness_agent_t *agent, rp_aim_t *aim, rp_destination_t *rendezvous)
{
    static const rp_aim_kind_t kinds[] = {RP_AIM_POINTS, RP_AIM_POINTS,    RP_AIM_POINTS,
                                          RP_AIM_REGION, RP_AIM_WAYPOINTS, RP_AIM_TARGET};
    *aim = (rp_aim_t){.kind = RP_AIM_POINTS, .count = 1, .goal_id = ++goal_id};
    if (rp_storm_chance(&storm, storm.weather.awkward)) {
        aim->kind = kinds[rp_storm_below(&storm, 6)];
        aim->count =
            aim->kind == RP_AIM_REGION ? 2u : 1u + rp_storm_below(&storm, RP_WITNESS_POINTS);
        aim->tolerance_m = rp_storm_chance(&storm, 30)
                               ? rp_storm_below(&storm, 40) / 10.0 * storm.witness.resolution_m
                               : 0.0;
        aim->is_nearest = rp_storm_chance(&storm, 35);
    }
    agent->target = RP_NOBODY;
    if (rp_storm_chance(&storm, storm.regions)) {
        fill_large_region(agent, aim);
        return;
    }
    for (size_t i = 0; i < aim->count; i++) {
        const rp_spot_t at = rp_storm_wanted(&storm);
        const bool has_offset =
            aim->kind == RP_AIM_POINTS && rp_storm_chance(&storm, storm.weather.awkward / 2u);
        agent->points[i] =
            (rp_destination_t){at.x_m, at.y_m, has_offset ? rp_storm_below(&storm, 9) : 0};
    }
    if (aim->kind == RP_AIM_TARGET) {
        const uint32_t target = rp_storm_below(&storm, storm.witness.agent_count);
        aim->count = 0;
        agent->target =
            &storm.witness.agents[target] != agent && storm.witness.agents[target].id != 0
                ? target
                : RP_NOBODY;
        aim->target = agent->target != RP_NOBODY ? storm.witness.agents[target].id : 0;
    }
    aim->points = aim->count != 0 ? agent->points : NULL;
    if (aim->kind == RP_AIM_POINTS && aim->count == 1 && rp_storm_chance(&storm, 40)) {
        *rendezvous = (rp_destination_t){storm.pool[0].x_m, storm.pool[0].y_m, 0};
        aim->rendezvous = rendezvous;
    }
}

static void aim_at(rp_witness_agent_t *agent)
{
    const rp_witness_agent_t before = *agent;
    rp_aim_t aim;
    rp_destination_t rendezvous;
    fill_aim(agent, &aim, &rendezvous);
    const rp_status_t status = rp_engine_aim(storm.engine, agent->id, &aim, nothing);
    rp_storm_trace(&storm, "aim", agent->id, aim.kind, aim.count + aim.is_nearest * 10);
    if (status != RP_OK) { // a planner of one goal
        ck_assert_int_eq(status, RP_E_UNSUPPORTED);
        *agent = before;
        return;
    }
    agent->aim = aim;
    agent->aim.rendezvous = NULL;
    agent->has_aim = true;
}

static void retarget(rp_witness_agent_t *agent)
{
    const uint32_t target = rp_storm_below(&storm, storm.witness.agent_count);
    const rp_witness_agent_t *chased = &storm.witness.agents[target];
    if (agent->aim.kind != RP_AIM_TARGET || !agent->has_aim || chased == agent) {
        return;
    }
    agent->target = chased->id != 0 ? target : RP_NOBODY;
    rp_storm_trace(&storm, "retarget", agent->id, chased->id, 0);
    ck_assert_int_eq(rp_engine_retarget(storm.engine, agent->id, chased->id, nothing), RP_OK);
}

static rp_policy_t random_policy(void)
{
    rp_policy_t policy = {.may_wait = rp_storm_chance(&storm, 10)};
    if (rp_storm_chance(&storm, storm.weather.patience)) {
        policy.switch_gain_percent =
            rp_storm_chance(&storm, 50) ? rp_storm_below(&storm, 40) : rp_storm_below(&storm, 101);
        policy.min_interval_ms = rp_storm_chance(&storm, 40) ? rp_storm_below(&storm, 30) : 0;
        policy.max_age_ms = rp_storm_chance(&storm, 30) ? rp_storm_below(&storm, 60) : 0;
        policy.answer_within_ms = rp_storm_chance(&storm, 40) ? 1u + rp_storm_below(&storm, 8) : 0;
        policy.starts_at_once = rp_storm_chance(&storm, 40);
    }
    return policy;
}

static void open_agent(rp_witness_agent_t *agent)
{
    rp_session_options_t options = {.policy = random_policy()};
    *agent = (rp_witness_agent_t){.taken = agent->taken, .policy = options.policy};
    agent->kind = rp_storm_chance(&storm, storm.weather.bodies)
                      ? rp_storm_below(&storm, storm.witness.kind_count)
                      : 0;
    options.body = storm.witness.kinds[agent->kind].body;
    if (rp_storm_chance(&storm, storm.weather.named)) {
        const rp_planner_info_t *planner = NULL;
        size_t count = 0;
        while (rp_planner_info(count) != NULL) {
            count++;
        }
        planner = rp_planner_info(rp_storm_below(&storm, (uint32_t)count));
        options.planner = planner->id;
    }
    options.follow_radius_m = rp_storm_chance(&storm, 25 + storm.regions)
                                  ? rp_storm_below(&storm, 20) / 10.0 * storm.witness.resolution_m
                                  : 0.0;
    options.escape_m = agent->escape_m =
        rp_storm_chance(&storm, 35 + storm.regions)
            ? rp_storm_below(&storm, 60) / 10.0 * storm.witness.resolution_m
            : 0.0;
    const rp_status_t status = rp_engine_open(storm.engine, storm.world, &options, &agent->id);
    rp_storm_trace(&storm, options.planner != NULL ? options.planner : "auto", agent->id,
                   agent->kind, (double)status);
    if (status != RP_OK) {
        ck_assert_int_eq(status, RP_E_UNSUPPORTED);
        agent->id = 0;
        return;
    }
    agent->true_until = storm.witness.past_count;
    if (rp_storm_chance(&storm, 95)) {
        pose(agent, rp_storm_place(&storm));
    }
    if (rp_storm_chance(&storm, 95)) {
        aim_at(agent);
    }
}

static void close_agent(uint32_t closed)
{
    rp_witness_agent_t *agent = &storm.witness.agents[closed];
    rp_storm_trace(&storm, "close", agent->id, 0, 0);
    for (uint32_t i = 0; i < storm.witness.agent_count; i++) {
        rp_witness_agent_t *chaser = &storm.witness.agents[i];
        if (chaser->has_aim && chaser->aim.kind == RP_AIM_TARGET && chaser->target == closed) {
            chaser->target = RP_NOBODY;
        }
    }
    ck_assert_int_eq(rp_engine_close(storm.engine, agent->id), RP_OK);
    agent->id = 0;
}

// ---- questions

static void ask(void)
{
    const unsigned place = rp_storm_below(&storm, ASKS);
    if (asks[place] != 0) {
        return;
    }
    for (unsigned i = 0; i < 2u * POINTS_ASKED; i++) {
        const rp_spot_t at = rp_storm_place(&storm);
        asked[place][i] = (rp_destination_t){at.x_m, at.y_m, 0};
    }
    const rp_question_t question = {.kind = RP_QUERY_COSTS,
                                    .from = asked[place],
                                    .from_count = POINTS_ASKED,
                                    .to = asked[place] + POINTS_ASKED,
                                    .to_count = POINTS_ASKED};
    ck_assert_int_eq(rp_engine_start_query(storm.engine, storm.world, &question, &asks[place]),
                     RP_OK);
}

static void hear(void)
{
    for (unsigned place = 0; place < ASKS; place++) {
        const rp_query_result_t *result =
            asks[place] != 0 ? rp_engine_query_result(storm.engine, asks[place]) : NULL;
        for (unsigned i = 0; result != NULL && i < POINTS_ASKED * POINTS_ASKED; i++) {
            const double truth =
                rp_witness_cost(&storm.witness, result->version, &asked[place][i % POINTS_ASKED],
                                &asked[place][POINTS_ASKED + i / POINTS_ASKED]);
            const double off = result->costs[i] - truth;
            ck_assert_msg(off * off <= 1e-10 * (1.0 + truth * truth),
                          "seed %llu, event %u: asked %.9g, truth %.9g",
                          (unsigned long long)storm.seed, storm.event, result->costs[i], truth);
        }
        if (result != NULL) {
            rp_engine_forget(storm.engine, asks[place]);
            asks[place] = 0;
        }
    }
}

// ---- a round

static void judge(uint32_t percent, bool is_at_rest)
{
    rp_witness_look(&storm.witness);
    for (uint32_t i = 0; i < storm.witness.agent_count; i++) {
        if (storm.witness.agents[i].id != 0) {
            rp_witness_note(&storm.witness, i);
            expect(rp_storm_chance(&storm, percent)
                       ? rp_witness_judge(&storm.witness, i, is_at_rest)
                       : NULL,
                   "agent", i);
        }
    }
    if (percent == 100) {
        expect(rp_witness_judge_world(&storm.witness, is_at_rest), "world", storm.world);
    }
}

static void take_answers(void)
{
    rp_answer_t answer;
    while (rp_engine_next_answer(storm.engine, &answer)) {
        expect(rp_witness_take(&storm.witness, &answer), "session", answer.session);
    }
}

static bool step(uint64_t budget)
{
    const uint64_t now_us = storm.witness.now_us + rp_storm_below(&storm, 3000);
    rp_storm_trace(&storm, "step", (double)budget, (double)now_us, 0);
    uint64_t version; // a step would do it, but then it is not seen who was sure in between
    if (rp_engine_expire(storm.engine, storm.world, now_us, nothing, &version)) {
        judge(storm.weather.looks, false); // intervals that are over by now are the step's to know
    }
    storm.witness.now_us = now_us;
    const bool is_left = rp_engine_step(storm.engine, storm.witness.now_us, budget);
    rp_witness_look(&storm.witness);
    return is_left;
}

static uint64_t some_budget(void)
{
    return storm.weather.budget == UINT64_MAX
               ? UINT64_MAX
               : 1u + rp_random_next(&storm.rng) % storm.weather.budget;
}

static void settle(void)
{
    uint32_t steps = 0;
    rp_storm_trace(&storm, "settle", 0, 0, 0);
    while (rp_engine_step(storm.engine, storm.witness.now_us, 1000000)) {
        rp_witness_look(&storm.witness);
        ck_assert_msg(++steps < STEPS_MOST, "seed %llu, event %u: it comes to no end",
                      (unsigned long long)storm.seed, storm.event);
    }
    judge(100, true);
    hear();
}

static void tell(void)
{
    const uint32_t place = rp_storm_below(&storm, storm.witness.agent_count);
    rp_witness_agent_t *agent = &storm.witness.agents[place];
    const uint32_t what = rp_storm_below(&storm, 100);
    if (agent->id == 0) {
        open_agent(agent);
    } else if (what < 70) {
        move(agent);
    } else if (what < 88) {
        aim_at(agent);
    } else if (what < 92) {
        retarget(agent);
    } else if (what < 95) {
        close_agent(place);
    } else {
        storm.pool[rp_storm_below(&storm, RP_STORM_POOL)] = rp_storm_place(&storm);
    }
}

static void tend(void)
{
    rp_witness_agent_t *agent = some_agent();
    const uint32_t what = rp_storm_below(&storm, 100);
    if (what < 45) {
        rp_storm_trace(&storm, "idle", 0, 0, 0);
        (void)rp_engine_idle(storm.engine, rp_storm_below(&storm, 2000));
    } else if (what < 60) {
        rp_storm_trace(&storm, "memory", 0, 0, 0);
        rp_engine_limit_memory(storm.engine, rp_storm_chance(&storm, 40) ? UINT64_MAX
                                             : rp_storm_chance(&storm, 50)
                                                 ? 0
                                                 : rp_storm_below(&storm, 2000000));
    } else if (what < 80 && agent != NULL) {
        rp_storm_trace(&storm, "hasten", agent->id, 0, 0);
        ck_assert_int_eq(rp_engine_hasten(storm.engine, agent->id), RP_OK);
    } else {
        ask();
    }
}

static void play(uint64_t seed, uint32_t regions)
{
    storm.seed = seed;
    storm.regions = regions;
    storm.rng = (rp_random_t){seed};
    pose_seq = goal_id = 0;
    memset(asks, 0, sizeof asks);
    storm.witness.now_us = 1000;
    rp_storm_choose(&storm);
    rp_storm_open(&storm);
    for (uint32_t i = 0; i < RP_STORM_POOL; i++) {
        storm.pool[i] = rp_storm_place(&storm);
    }
    storm.witness.agent_count = storm.weather.agents;
    for (uint32_t i = 0; i < storm.witness.agent_count; i++) {
        open_agent(&storm.witness.agents[i]);
    }
    for (storm.event = 0; storm.event < storm.weather.events; storm.event++) {
        const uint32_t what = rp_storm_below(&storm, 100);
        if (what < 10) {
            tend();
        } else if (what < 10 + storm.weather.moves) {
            tell();
        } else {
            rp_storm_change(&storm);
        }
        judge(storm.weather.looks, false);
        for (uint32_t i = rp_storm_below(&storm, 4); i != 0; i--) {
            (void)step(some_budget());
            judge(storm.weather.looks, false);
        }
        if (rp_storm_chance(&storm, storm.weather.at_rest)) {
            settle();
        }
        if (rp_storm_chance(&storm, 40)) {
            take_answers();
        }
        hear();
    }
    settle();
    take_answers();
}

static uint64_t first_seed = SEED;

START_TEST(every_answer_is_true_in_a_storm)
{
    play(first_seed + (unsigned)_i, 0);
}
END_TEST

/// Bounds of paths that are kept though another one by the rendezvous is dearer.
START_TEST(every_answer_is_true_in_rounds_that_found_a_fault_once)
{
    static const uint64_t seeds[] = {1002, 3103};
    play(seeds[_i], 0);
}
END_TEST

/// Rims of goals, ways out and lines beside paths, all at once.
START_TEST(every_answer_is_true_where_regions_are_large)
{
    play(first_seed + (unsigned)_i, 60);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {every_answer_is_true_in_a_storm};
    const TTest *const once[] = {every_answer_is_true_in_rounds_that_found_a_fault_once};
    const TTest *const large[] = {every_answer_is_true_where_regions_are_large};
    const char *long_form = getenv("REPLAN_STORM");
    size_t rounds = RP_ROUNDS(ROUNDS);
    storm.is_traced = getenv("REPLAN_STORM_TRACE") != NULL;
    if (long_form != NULL) {
        char *rest;
        rounds = (size_t)strtoul(long_form, &rest, 10);
        first_seed = *rest != '\0' ? strtoull(rest, NULL, 10) : SEED;
    }
    int failed = rp_suite_run("storm", tests, 1, rounds, tear_down);
    failed += rp_suite_run("storm once more", once, 1, 2, tear_down);
    return rp_suite_run("storm of regions", large, 1, RP_ROUNDS(LARGE_ROUNDS), tear_down) + failed;
}
