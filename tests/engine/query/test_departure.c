/// What a probe says is what happens when its change is made: to agents that leave blocked cells,
/// that follow beside their paths, and that stand where the change puts an obstacle.
#include "tests/engine/scene.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define AGENTS_MOST 6u
#define SIDE_MOST   90u

/// Costs are sums of doubles.
#define CLOSE 1e-6

static rp_scene_t scene;
static rp_random_t rng;
static int seed;

static void tear_down(void)
{
    rp_scene_close(&scene);
}

static uint32_t below(uint32_t limit)
{
    return rp_random_below(&rng, limit);
}

/// Of one agent. @param after  written
static double probe(rp_session_id_t session, const rp_edit_t *edit, double *after)
{
    const rp_question_t question = {
        .kind = RP_QUERY_PROBE, .sessions = &session, .session_count = 1, .edit = edit};
    rp_query_id_t id;
    ck_assert_int_eq(rp_engine_start_query(scene.engine, scene.world, &question, &id), RP_OK);
    rp_scene_settle(&scene);
    const rp_query_result_t *result = rp_engine_query_result(scene.engine, id);
    ck_assert_ptr_nonnull(result);
    const double before = result->costs[0];
    *after = result->after[0];
    rp_engine_forget(scene.engine, id);
    return before;
}

static rp_session_id_t open_wide(double radius_m, uint32_t x, uint32_t y, uint32_t goal_x,
                                 uint32_t goal_y)
{
    const rp_session_options_t options = {.body = {.radius_m = radius_m}};
    rp_session_id_t session;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    ck_assert_int_eq(rp_scene_pose(&scene, session, x, y), RP_OK);
    ck_assert_int_eq(rp_scene_goal(&scene, session, goal_x, goal_y), RP_OK);
    rp_scene_settle(&scene);
    return session;
}

// ---- stories

#define NICHE                                                                                      \
    "##########\n"                                                                                 \
    "#........#\n"                                                                                 \
    "##########\n"                                                                                 \
    "..........\n"                                                                                 \
    "..........\n"                                                                                 \
    ".........."

START_TEST(a_probe_tells_whose_way_out_is_cut)
{
    rp_scene_draw(&scene, "#.........\n"
                          "#.........\n"
                          "#.........\n"
                          "##########");
    const rp_session_id_t session = open_wide(1.0, 1, 0, 9, 0);
    const rp_edit_t wall = {.x = 2, .y = 0, .width = 1, .height = 3, .fill = 0};
    double after;
    ck_assert_double_eq(probe(session, &wall, &after), 7.0); // from (2, 0)
    ck_assert_double_eq(after, -1.0);
}
END_TEST

START_TEST(a_probe_knows_another_way_out)
{
    rp_scene_draw(&scene, "#.........\n"
                          "#.........\n"
                          "#.........\n"
                          "#.........\n"
                          "#.........");
    const rp_session_id_t session = open_wide(1.0, 1, 2, 9, 2);
    const rp_edit_t post = {.x = 2, .y = 2, .width = 1, .height = 1, .fill = 0};
    double after;
    ck_assert_double_eq(probe(session, &post, &after), 7.0);
    ck_assert_double_gt(after, 7.0);
}
END_TEST

START_TEST(a_probe_sees_an_agent_out_of_the_inflation_that_the_change_brings)
{
    rp_scene_draw(&scene, "..........\n"
                          "..........\n"
                          "..........");
    const rp_session_id_t session = open_wide(1.0, 1, 0, 9, 0);
    const rp_edit_t house = {.x = 0, .y = 0, .width = 1, .height = 1, .fill = 0};
    double after;
    ck_assert_double_eq(probe(session, &house, &after), 8.0);
    ck_assert_double_eq(after, 7.0); // without the way to (2, 0)
}
END_TEST

START_TEST(a_probe_leads_nobody_out_through_a_wall)
{
    rp_scene_draw(&scene, NICHE);
    const rp_session_id_t session = open_wide(1.0, 1, 1, 9, 5);
    const rp_edit_t door = {.x = 1, .y = 2, .width = 3, .height = 1, .fill = 1};
    double after;
    ck_assert_double_eq(probe(session, &door, &after), -1.0);
    ck_assert_double_gt(after, 0.0);
}
END_TEST

/// The agent stands in a row beside its path, and a wall would come between.
START_TEST(a_probe_knows_who_would_follow_no_more)
{
    rp_scene_draw(&scene, "..........\n"
                          "..........\n"
                          "..........");
    const rp_session_options_t options = {.planner = "astar", .follow_radius_m = 2.5};
    rp_session_id_t session;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 0, 2), RP_OK);
    ck_assert_int_eq(rp_scene_goal(&scene, session, 9, 2), RP_OK);
    rp_scene_settle(&scene);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 3, 0), RP_OK);
    rp_scene_settle(&scene);
    const rp_edit_t between = {.x = 2, .y = 1, .width = 3, .height = 1, .fill = 0};
    const rp_edit_t beyond = {.x = 4, .y = 0, .width = 1, .height = 1, .fill = 0};
    double after;
    ck_assert_double_eq(probe(session, &beyond, &after), 6.0);
    ck_assert_double_eq(after, 6.0);
    ck_assert_double_eq(probe(session, &between, &after), 6.0);
    ck_assert_double_eq_tol(after, 4.0 + 2.0 * 1.4142135623730951, 1e-9); // from (3, 0)
}
END_TEST

// ---- by chance

static uint8_t ground(void)
{
    return scene.is_costmap ? (rp_random_chance(&rng, 15) ? 120 : 0)
                            : (rp_random_chance(&rng, 15) ? 4 : 1);
}

static uint8_t obstacle(void)
{
    return !scene.is_costmap ? 0 : rp_random_chance(&rng, 30) ? 253 : 254;
}

static uint32_t width;
static uint32_t height;

/// A rectangle of obstacles, or of ground.
static rp_edit_t any_edit(uint32_t longest, uint32_t percent_obstacle)
{
    rp_edit_t edit = {.x = below(width), .y = below(height)};
    const bool is_wall = rp_random_chance(&rng, 70);
    edit.width = 1u + below(is_wall ? 2u : longest);
    edit.height = 1u + below(is_wall ? longest : 2u);
    edit.width = edit.x + edit.width > width ? width - edit.x : edit.width;
    edit.height = edit.y + edit.height > height ? height - edit.y : edit.height;
    edit.fill = rp_random_chance(&rng, percent_obstacle) ? obstacle() : ground();
    return edit;
}

static void apply(const rp_edit_t *edit)
{
    uint64_t version;
    ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, edit, (rp_cause_t){0, 0}, &version),
                     RP_OK);
}

static void open_any_world(bool is_large)
{
    scene.is_costmap = rp_random_chance(&rng, 50);
    width = is_large ? 80u + below(SIDE_MOST - 80u) : 6u + below(16u);
    height = is_large ? 80u + below(SIDE_MOST - 80u) : 6u + below(12u);
    const bool is_costmap = scene.is_costmap;
    const rp_world_options_t options = {.width = width,
                                        .height = height,
                                        .neighbors = rp_random_chance(&rng, 70) ? 8 : 4,
                                        .wraps = rp_random_chance(&rng, 30),
                                        .profile = is_costmap ? "costmap" : NULL};
    rp_scene_open(&scene, &options);
    scene.is_costmap = is_costmap;
    for (uint32_t i = 0; i < width * height / 25u; i++) {
        const rp_edit_t edit = any_edit(6, 85);
        apply(&edit);
    }
}

static rp_destination_t any_point(void)
{
    return (rp_destination_t){below(4u * width) / 4.0 + 0.01, below(4u * height) / 4.0 + 0.01, 0};
}

static void aim(rp_session_id_t session, bool is_large)
{
    const rp_destination_t points[] = {any_point(), any_point()};
    const rp_destination_t corners[] = {{below(6), below(6), 0},
                                        {width - 1.0 - below(6), height - 1.0 - below(6), 0}};
    const rp_aim_t wide = {.kind = RP_AIM_REGION, .points = corners, .count = 2};
    rp_aim_t any = {.kind = RP_AIM_POINTS,
                    .points = points,
                    .count = 1u + below(2),
                    .tolerance_m = rp_random_chance(&rng, 30) ? 1.5 : 0.0};
    ck_assert_int_eq(
        rp_engine_aim(scene.engine, session, is_large ? &wide : &any, (rp_cause_t){0, 0}), RP_OK);
}

static rp_session_id_t open_any_agent(bool is_large)
{
    static const double radii[] = {0.0, 0.0, 1.0, 1.5, 2.3};
    const rp_session_options_t options = {
        .body = {.radius_m = radii[below(5)]},
        .follow_radius_m = rp_random_chance(&rng, 60) ? 1.0 + below(3) : 0.0,
        .escape_m = rp_random_chance(&rng, 30) ? 1.0 + below(4) : 0.0};
    rp_session_id_t session;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    aim(session, is_large);
    return session;
}

static void pose(rp_session_id_t session, rp_destination_t at)
{
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, at.x_m, at.y_m, 0, (rp_cause_t){0, 0}),
                     RP_OK);
}

/// A little beside where its path begins, or anywhere.
static void move(rp_session_id_t session)
{
    rp_answer_t answer;
    rp_destination_t at = any_point();
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    if (rp_random_chance(&rng, 75) && answer.window.width != 0) {
        at.x_m = answer.start_x + 0.5 + (below(13) - 6.0) / 4.0;
        at.y_m = answer.start_y + 0.5 + (below(13) - 6.0) / 4.0;
    }
    pose(session, at);
}

/// What the newest answer says that it costs. @param is_stuck  written: it leaves a blocked cell
static double answered(rp_session_id_t session, bool *is_stuck)
{
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    *is_stuck = answer.way_count != 0;
    return answer.outcome == RP_ANSWER_FOUND || answer.outcome == RP_ANSWER_ARRIVED ? answer.cost
                                                                                    : -1.0;
}

/// Who moves within an obstacle follows while its way begins on a side that it is nearest to,
/// though another way may be cheaper from there: until something happens, as a probe supposes.
static void hold(const double *probed, const rp_session_id_t *sessions, uint32_t count,
                 bool is_before)
{
    for (uint32_t i = 0; i < count; i++) {
        bool is_stuck;
        const double truth = answered(sessions[i], &is_stuck);
        const bool may_be_less = is_before && is_stuck && probed[i] >= 0.0;
        if (probed[i] > truth + CLOSE || (probed[i] < truth - CLOSE && !may_be_less)) {
            ck_abort_msg("seed %d, agent %u, %s: probed %g, answered %g", seed, i,
                         is_before ? "before" : "after", probed[i], truth);
        }
    }
}

static void play(bool is_large)
{
    rp_session_id_t sessions[AGENTS_MOST];
    double after[AGENTS_MOST];
    const uint32_t count = is_large ? 2u : AGENTS_MOST;
    open_any_world(is_large);
    for (uint32_t i = 0; i < count; i++) {
        sessions[i] = open_any_agent(is_large);
        pose(sessions[i], any_point());
    }
    rp_scene_settle(&scene);
    for (uint32_t round = 0; round < (is_large ? 3u : 12u); round++) {
        const rp_edit_t edit = any_edit(8, 65);
        const rp_question_t question = {
            .kind = RP_QUERY_PROBE, .sessions = sessions, .session_count = count, .edit = &edit};
        rp_query_id_t id;
        for (uint32_t i = 0; i < count; i++) {
            move(sessions[i]);
        }
        rp_scene_settle(&scene);
        ck_assert_int_eq(rp_engine_start_query(scene.engine, scene.world, &question, &id), RP_OK);
        while (rp_engine_step(scene.engine, 0, 1u + below(500))) {
        }
        const rp_query_result_t *result = rp_engine_query_result(scene.engine, id);
        ck_assert_ptr_nonnull(result);
        for (uint32_t i = 0; i < count; i++) {
            after[i] = result->after[i];
        }
        hold(result->costs, sessions, count, true);
        rp_engine_forget(scene.engine, id);
        apply(&edit);
        rp_scene_settle(&scene);
        hold(after, sessions, count, false);
    }
}

START_TEST(what_a_probe_says_is_what_happens)
{
    seed = _i;
    rng = (rp_random_t){.state = (uint64_t)_i};
    play(false);
}
END_TEST

START_TEST(so_it_is_where_an_area_is_too_large_to_be_named)
{
    seed = _i;
    rng = (rp_random_t){.state = (uint64_t)_i};
    play(true);
}
END_TEST

int main(void)
{
    const TTest *const stories[] = {
        a_probe_tells_whose_way_out_is_cut,
        a_probe_knows_another_way_out,
        a_probe_sees_an_agent_out_of_the_inflation_that_the_change_brings,
        a_probe_leads_nobody_out_through_a_wall,
        a_probe_knows_who_would_follow_no_more,
    };
    const TTest *const chances[] = {
        what_a_probe_says_is_what_happens,
        so_it_is_where_an_area_is_too_large_to_be_named,
    };
    const int told =
        rp_suite_run("departure", stories, sizeof stories / sizeof stories[0], 1, tear_down);
    const int held = rp_suite_run("departure by chance", chances,
                                  sizeof chances / sizeof chances[0], RP_ROUNDS(100), tear_down);
    return told != 0 ? told : held;
}
