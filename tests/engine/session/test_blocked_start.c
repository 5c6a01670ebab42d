/// Starts in obstacles: the way out of a blocked cell, and where the path begins behind it.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core.h"
#include "engine/session/session_state.h"
#include "tests/engine/paths/escape_reference.h"
#include "tests/engine/scene.h"
#include "tests/engine/session/standing.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

// ---- starts in obstacles

static rp_session_id_t stand_in_obstacle(double escape_m, double radius_m)
{
    const rp_session_options_t options = {
        .planner = "dstar-lite", .escape_m = escape_m, .body = {.radius_m = radius_m}};
    const rp_destination_t goal = {8.5, 3.5, 0};
    rp_session_id_t session;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 2.3, 1.5, 0, nothing), RP_OK);
    ck_assert_int_eq(rp_engine_goals(scene.engine, session, &goal, 1, 0, nothing), RP_OK);
    return session;
}

#define ROCK                                                                                       \
    "..........\n"                                                                                 \
    ".###......\n"                                                                                 \
    "..........\n"                                                                                 \
    ".........."

START_TEST(from_inside_an_obstacle_a_way_leads_to_where_the_path_begins)
{
    rp_scene_draw(&scene, ROCK);
    const rp_session_id_t session = stand_in_obstacle(1.0, 0.0);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_uint_eq(answer.start_x, 2);
    ck_assert_uint_eq(answer.start_y, 2); // as near as the other side, and nearer to the goal
    ck_assert_uint_eq(answer.way_x, 2);
    ck_assert_uint_eq(answer.way_y, 1);
    ck_assert_uint_eq(answer.way_count, 1);
    ck_assert_uint_eq(answer.way[0], 2);
    ck_assert_double_eq(answer.escape_m, 1.0);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 2.3, 1.5, 0, nothing), RP_OK);
    rp_scene_expect_silence(&scene);
    (void)rp_scene_set(&scene, 2, 1, 1); // the rock is gone where it stands
    const rp_answer_t out = rp_scene_answer(&scene);
    ck_assert_int_eq(out.reason, RP_REASON_OFF_PATH);
    ck_assert_uint_eq(out.start_y, 1);
    ck_assert_uint_eq(out.way_count, 0);
    ck_assert_double_eq(out.escape_m, 0.0);
}
END_TEST

START_TEST(without_a_way_that_is_short_enough_the_start_is_blocked)
{
    rp_scene_draw(&scene, ROCK);
    (void)stand_in_obstacle(0.9, 0.0);
    rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_START_BLOCKED);
    ck_assert_uint_eq(answer.start_x, 2);
    ck_assert_uint_eq(answer.start_y, 1);
    ck_assert_uint_eq(answer.way_count, 0);
    (void)stand_in_obstacle(0.0, 0.0); // what is not said is 64 cells
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_FOUND);
}
END_TEST

START_TEST(deeper_than_a_cell_inside_an_obstacle_there_is_no_way)
{
    rp_scene_draw(&scene, "####......\n"
                          "####......\n"
                          "####......\n"
                          "..........");
    const rp_session_id_t session = stand_in_obstacle(5.0, 0.0);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_START_BLOCKED);
    (void)rp_engine_pose(scene.engine, session, 2.3, 2.5, 0, nothing);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_FOUND);
}
END_TEST

START_TEST(a_start_that_only_inflation_blocks_escapes_unasked)
{
    rp_scene_draw(&scene, ROCK);
    (void)rp_scene_set(&scene, 2, 1, 1);
    (void)stand_in_obstacle(0.0, 1.0);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_double_gt(answer.escape_m, 0.0);
}
END_TEST

START_TEST(who_goes_to_another_side_within_an_obstacle_leaves_it_there)
{
    rp_scene_draw(&scene, ROCK);
    const rp_session_id_t session = stand_in_obstacle(0.0, 0.0);
    ck_assert_uint_eq(rp_scene_answer(&scene).start_y, 2);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 2.3, 1.7, 0, nothing), RP_OK);
    rp_scene_expect_silence(&scene);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 2.3, 1.4, 0, nothing), RP_OK);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.reason, RP_REASON_OFF_PATH);
    ck_assert_uint_eq(answer.start_y, 0);
}
END_TEST

START_TEST(for_other_goals_ways_are_looked_for_anew)
{
    rp_scene_draw(&scene, ROCK);
    const rp_session_id_t id = stand_in_obstacle(0.0, 0.0);
    rp_session_t *session = rp_engine_session(scene.engine, id);
    rp_scene_settle(&scene);
    session->position.is_escaping = true; // as while it is sliced
    ck_assert_int_eq(rp_scene_goal(&scene, id, 9, 0), RP_OK);
    ck_assert(!session->position.is_escaping);
}
END_TEST

START_TEST(no_way_leads_through_a_wall_even_if_a_goal_is_reached_only_there)
{
    rp_scene_draw(&scene, "....#.....\n"
                          "....#.....\n"
                          "....#.....\n"
                          "....#.....");
    const rp_session_options_t options = {.escape_m = 1.5};
    const rp_destination_t goals[] = {{8.5, 1.5, 0}, {1.5, 1.5, 0}};
    rp_session_id_t session;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 4.3, 1.5, 0, nothing), RP_OK);
    ck_assert_int_eq(rp_engine_goals(scene.engine, session, goals, 2, 0, nothing), RP_OK);
    ck_assert_uint_eq(rp_scene_answer(&scene).start_x, 3);
    for (uint32_t y = 0; y < 4; y++) { // now no path leads to that goal
        (void)rp_scene_set(&scene, 2, y, 0);
    }
    const rp_answer_t shut = rp_scene_answer(&scene);
    ck_assert_int_eq(shut.outcome, RP_ANSWER_NO_PATH);
    ck_assert_uint_eq(shut.start_x, 4);
    ck_assert_double_eq(shut.escape_m, 0.0);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 4.7, 1.5, 0, nothing), RP_OK);
    ck_assert_uint_eq(rp_scene_answer(&scene).start_x, 5); // from its other side
}
END_TEST

START_TEST(the_nearest_end_from_which_a_goal_is_reached_is_taken_and_with_nearest_any)
{
    rp_scene_draw(&scene, "#..#......\n"
                          "#..#......\n"
                          "#..#......\n"
                          "#..#......");
    (void)stand_in_obstacle(0.0, 1.0); // inflation fills what lies between the walls
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_START_BLOCKED);
    (void)rp_scene_set(&scene, 0, 3, 1); // the corner opens, and leads nowhere
    (void)rp_scene_set(&scene, 0, 2, 1);
    const rp_answer_t shut = rp_scene_answer(&scene);
    ck_assert_int_eq(shut.outcome, RP_ANSWER_NO_PATH);
    ck_assert_uint_eq(shut.start_x, 2);
    const rp_session_options_t options = {.body = {.radius_m = 1.0}};
    const rp_destination_t goal = {8.5, 3.5, 0};
    rp_session_id_t session;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 2.3, 1.5, 0, nothing), RP_OK);
    aim(session, (rp_aim_t){.points = &goal, .count = 1, .is_nearest = true});
    const rp_answer_t nearest = rp_scene_answer(&scene);
    ck_assert_int_eq(nearest.outcome, RP_ANSWER_FOUND);
    ck_assert_uint_eq(nearest.start_x, 1);
    ck_assert_uint_eq(nearest.start_y, 2);
    ck_assert_uint_eq(nearest.way_count, 1);
    ck_assert_double_eq(nearest.cost, 1.0);
    ck_assert_double_eq(nearest.goal_distance_m, 7.0);
}
END_TEST

START_TEST(who_goes_on_along_a_way_hears_nothing_and_its_way_is_cut_off_behind)
{
    rp_scene_draw(&scene, "##########\n"
                          "..........\n"
                          "..........\n"
                          "..........");
    const rp_session_options_t options = {.body = {.radius_m = 2.0}};
    const rp_destination_t goal = {8.5, 3.5, 0};
    rp_session_id_t session;
    rp_answer_t left;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 2, 1), RP_OK);
    ck_assert_int_eq(rp_engine_goals(scene.engine, session, &goal, 1, 0, nothing), RP_OK);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_uint_eq(answer.way_count, 2);
    ck_assert_double_eq(answer.escape_m, 2.0);
    ck_assert_double_eq(answer.cost, 6.0);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 2, 2), RP_OK);
    rp_scene_expect_silence(&scene);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &left), RP_OK);
    ck_assert_uint_eq(left.way_y, 2);
    ck_assert_uint_eq(left.way_count, 1);
    ck_assert_double_eq(left.escape_m, 1.0);
    ck_assert_double_eq(left.cost, 6.0);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 4, 3), RP_OK);
    rp_scene_expect_silence(&scene);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &left), RP_OK);
    ck_assert_uint_eq(left.way_count, 0);
    ck_assert_double_eq(left.cost, 4.0);
}
END_TEST

START_TEST(a_way_that_is_cut_or_no_longer_the_shortest_gives_way_to_another)
{
    rp_scene_draw(&scene, "..........\n"
                          "..........\n"
                          "..........\n"
                          "..........");
    rp_session_options_t options = {.body = {.radius_m = 1.5}};
    const rp_destination_t goal = {9.5, 2.5, 0};
    rp_session_id_t session;
    (void)rp_scene_set(&scene, 3, 1, 0);
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 2, 1), RP_OK);
    ck_assert_int_eq(rp_engine_goals(scene.engine, session, &goal, 1, 0, nothing), RP_OK);
    ck_assert_uint_eq(rp_scene_answer(&scene).way[0], 4);
    (void)rp_scene_set(&scene, 1, 1, 0); // no cell of the path, and none that was free
    const rp_answer_t cut = rp_scene_answer(&scene);
    ck_assert_int_eq(cut.outcome, RP_ANSWER_FOUND);
    ck_assert_int_eq(cut.reason, RP_REASON_INVALID);
    ck_assert_uint_eq(cut.way[0], 2);
    ck_assert_double_eq(cut.escape_m, 2.0);
    (void)rp_scene_set(&scene, 1, 1, 1);
    ck_assert_double_eq(rp_scene_answer(&scene).escape_m, 1.0);
}
END_TEST

START_TEST(who_passes_a_waypoint_in_a_pocket_is_not_led_through_its_walls)
{
    rp_scene_draw(&scene, "####......\n"
                          "#.##......\n"
                          "####......\n"
                          "..........");
    const rp_session_options_t options = {.escape_m = 3.0};
    const rp_destination_t route[] = {{1.5, 1.5, 0}, {8.5, 1.5, 0}};
    rp_session_id_t session;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    ck_assert_int_eq(rp_engine_pose(scene.engine, session, 2.1, 1.5, 0, nothing), RP_OK);
    aim(session, (rp_aim_t){.kind = RP_AIM_WAYPOINTS, .points = route, .count = 2});
    rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_NO_PATH);
    ck_assert_uint_eq(answer.waypoint, 1);
    (void)rp_scene_set(&scene, 1, 2, 1);
    answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_uint_eq(answer.start_x, 1);
}
END_TEST

START_TEST(a_way_out_is_there_as_soon_as_inflation_alone_blocks_and_no_longer)
{
    rp_scene_draw(&scene, "#####.....\n"
                          "####......\n"
                          "#####.....\n"
                          "#####.....");
    (void)rp_scene_set(&scene, 3, 1, 0);
    (void)stand_in_obstacle(0.0, 1.5);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_START_BLOCKED);
    (void)rp_scene_set(&scene, 3, 1, 1); // no factor changes by it
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_FOUND);
    (void)rp_scene_set(&scene, 3, 1, 0);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_START_BLOCKED);
}
END_TEST

/// The bytes of a costmap that has no body: inscribed beside a wall.
START_TEST(a_robot_on_an_inscribed_cell_finds_a_way_out_of_it)
{
    uint8_t data[50];
    for (uint32_t i = 0; i < 50; i++) {
        data[i] = i < 10 ? 254 : i < 30 ? 253 : 0;
    }
    const rp_world_options_t options = {
        .width = 10, .height = 5, .neighbors = 8, .profile = "costmap", .data = data};
    rp_scene_open(&scene, &options);
    (void)rp_scene_session(&scene, NULL, 2, 1, 8, 4);
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    ck_assert_uint_eq(answer.start_y, 3);
    ck_assert_double_eq(answer.escape_m, 2.0);
    const rp_edit_t walls = {.x = 0, .y = 2, .width = 10, .height = 1, .fill = 254};
    uint64_t version;
    ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &walls, nothing, &version), RP_OK);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_START_BLOCKED);
}
END_TEST

// ---- by chance

enum {
    WIDTH = 16,
    HEIGHT = 12,
    PLACES = WIDTH * HEIGHT,
};

#define ESCAPE_M 3.0

static uint8_t ground[PLACES];

/// What is said is what the escape reference says.
static void check_endpoints(const rp_escape_question_t *question, const rp_answer_t *answer)
{
    static rp_escape_world_t world;
    static rp_escape_decision_t decision;
    world = (rp_escape_world_t){.width = WIDTH, .height = HEIGHT, .neighbors = 8, .unit = 1};
    world.frame.resolution_m = 1.0;
    memcpy(world.factors, ground, PLACES);
    for (uint32_t i = 0; i < PLACES; i++) {
        world.is_obstacle[i] = ground[i] == 0;
    }
    rp_escape_resolve(&world, question, &decision);
    const bool is_found = decision.outcome == RP_ANSWER_FOUND;
    ck_assert_int_eq(answer->outcome, is_found && answer->step_count + answer->way_count == 0
                                          ? RP_ANSWER_ARRIVED
                                          : decision.outcome);
    ck_assert_uint_eq(answer->start_y * WIDTH + answer->start_x, decision.end);
    ck_assert_double_eq_tol(answer->escape_m, is_found ? decision.way_m : 0.0, 1e-9);
    ck_assert_double_eq_tol(answer->goal_distance_m, is_found ? decision.goal_distance : 0.0, 1e-9);
    ck_assert_double_eq_tol(answer->cost, is_found ? decision.cost : 0.0, 1e-5);
}

START_TEST(the_endpoints_are_the_nearest_that_will_do)
{
    rp_random_t rng = {1};
    for (unsigned round = 0; round < RP_ROUNDS(400); round++) {
        for (uint32_t i = 0; i < PLACES; i++) {
            ground[i] = rp_random_chance(&rng, 55) ? 0 : 1;
        }
        rp_scene_open(&scene,
                      &(rp_world_options_t){
                          .width = WIDTH, .height = HEIGHT, .neighbors = 8, .data = ground});
        const rp_session_options_t options = {.escape_m = ESCAPE_M};
        const double x = rp_random_below(&rng, WIDTH * 1000u) / 1000.0 + 0.0001;
        const double y = rp_random_below(&rng, HEIGHT * 1000u) / 1000.0 + 0.0003;
        const uint32_t goal = rp_random_below(&rng, PLACES);
        const rp_destination_t point = {.x_m = goal % WIDTH + 0.5,
                                        .y_m = (uint32_t)(goal / WIDTH) + 0.5};
        rp_session_id_t session;
        ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
        ck_assert_int_eq(rp_engine_pose(scene.engine, session, x, y, 0, nothing), RP_OK);
        aim(session, (rp_aim_t){.points = &point, .count = 1, .is_nearest = true});
        const rp_answer_t answer = newest(session);
        const rp_escape_question_t question = {.x_m = x,
                                               .y_m = y,
                                               .goals = {{goal, 0}},
                                               .goal_count = 1,
                                               .is_nearest = true,
                                               .escape_m = ESCAPE_M};
        check_endpoints(&question, &answer);
        rp_scene_close(&scene);
    }
}
END_TEST

// ---- without memory

static unsigned mallocs_left = UINT_MAX; ///< that succeed

/// The linker has all mallocs come here, and knows the real one by that name.
void *__real_malloc(size_t size); // NOLINT(bugprone-reserved-identifier,cert-*)
void *__wrap_malloc(size_t size); // NOLINT(bugprone-reserved-identifier,cert-*)

void *__wrap_malloc(size_t size) // NOLINT(bugprone-reserved-identifier,cert-*)
{
    if (mallocs_left == 0) {
        return NULL;
    }
    mallocs_left -= mallocs_left != UINT_MAX;
    return __real_malloc(size);
}

/// Each time a later malloc fails, and all behind it: what is said by then is whole, and the rest
/// comes when there is memory.
START_TEST(without_memory_a_way_comes_later_and_never_in_part)
{
    rp_scene_draw(&scene, "##########\n"
                          "..........\n"
                          "..........\n"
                          "..........");
    const rp_session_options_t options = {.body = {.radius_m = 2.0}};
    rp_session_id_t session;
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 2, 1), RP_OK);
    unsigned failed = 0;
    for (bool is_short = true; is_short;) {
        const uint64_t order = failed + 1u;
        const rp_destination_t goal = {order % 2 == 0 ? 8.5 : 7.5, 3.5, 0};
        ck_assert_int_eq(rp_engine_goals(scene.engine, session, &goal, 1, order, nothing), RP_OK);
        mallocs_left = failed++;
        (void)rp_engine_step(scene.engine, scene.now_us, UINT64_MAX);
        is_short = mallocs_left == 0;
        mallocs_left = UINT_MAX;
        for (int round = 0; round < 2; round++) {
            rp_answer_t answer;
            ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
            ck_assert(round == 0 || answer.goal_id == order);
            ck_assert(answer.goal_id == 0 || answer.way_count == 2);
            ck_assert(answer.goal_id != order || answer.cost == goal.x_m - 2.5);
            rp_scene_settle(&scene);
        }
    }
    ck_assert_uint_gt(failed, 2);
}
END_TEST

/// Whether a path is the one before where its splice says so.
static bool is_joined(const rp_answer_t *answer, const uint8_t *before, uint32_t count)
{
    const rp_splice_t *splice = &answer->splice;
    const uint32_t stands = splice->head + splice->tail;
    return stands == 0 ||
           (stands <= answer->step_count && splice->from_end <= count &&
            memcmp(answer->steps, before + count - splice->from_end, splice->head) == 0 &&
            memcmp(answer->steps + answer->step_count - splice->tail, before + count - splice->tail,
                   splice->tail) == 0);
}

/// A receiver joins a path to the one before by its splice, also when only the way is another.
START_TEST(a_path_behind_another_way_is_the_one_before)
{
    static const char *const planners[] = {NULL, "dstar-lite", "astar", "flow"};
    uint8_t before[32];
    uint8_t data[48] = {0};
    data[0] = data[1] = data[12] = 253;
    data[2] = data[24] = 254;
    const rp_world_options_t options = {
        .width = 12, .height = 4, .neighbors = 4, .profile = "costmap", .data = data};
    rp_scene_open(&scene, &options);
    (void)rp_scene_session(&scene, planners[_i], 0, 0, 11, 1);
    (void)rp_scene_answer(&scene);
    (void)rp_scene_set(&scene, 6, 1, 254);
    rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_uint_gt(answer.splice.head + answer.splice.tail, 0);
    ck_assert_uint_eq(answer.step_count, 12);
    memcpy(before, answer.steps, 12);
    const uint8_t first = answer.way[0];
    // The cell that the way leads over, and one that the planner hears of and that is on no path.
    const uint32_t cells[] = {first == 0 ? 1 : 12, 47};
    const rp_edit_t edit = {.cells = cells, .values = (const uint8_t[]){254, 254}, .cell_count = 2};
    uint64_t version;
    ck_assert_int_eq(rp_engine_apply(scene.engine, scene.world, &edit, nothing, &version), RP_OK);
    answer = rp_scene_answer(&scene);
    ck_assert_uint_eq(answer.way_count, 2);
    ck_assert_uint_ne(answer.way[0], first);
    ck_assert_uint_eq(answer.step_count, 12);
    ck_assert(is_joined(&answer, before, 12));
}
END_TEST

/// An end that comes within reach while an agent goes on along its way is asked about at the next
/// change, not before: who follows hears nothing. From row 1 the way to the pocket at the left is
/// shorter than the longest one, from row 0 the one to the goal is, too.
START_TEST(who_follows_its_way_keeps_it_though_a_better_end_comes_within_reach)
{
    uint8_t data[27] = {0, 253, 253, 0};
    memset(data + 9, 254, 18);
    data[10] = 253;
    const rp_world_options_t world = {
        .width = 9, .height = 3, .neighbors = 4, .profile = "costmap", .data = data};
    const rp_session_options_t options = {.escape_m = 2.5};
    const rp_destination_t goal = {8.5, 0.5, 0};
    rp_session_id_t session;
    rp_answer_t answer;
    rp_scene_open(&scene, &world);
    ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &session), RP_OK);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 1, 1), RP_OK);
    aim(session, (rp_aim_t){.points = &goal, .count = 1, .is_nearest = true});
    answer = rp_scene_answer(&scene);
    ck_assert_uint_eq(answer.start_x, 0);
    ck_assert_uint_eq(answer.way_count, 2);
    ck_assert_int_eq(rp_scene_pose(&scene, session, 1, 0), RP_OK);
    rp_scene_expect_silence(&scene);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    ck_assert_uint_eq(answer.start_x, 0);
    ck_assert_uint_eq(answer.way_count, 1);
    (void)rp_scene_set(&scene, 8, 2, 0);
    answer = rp_scene_answer(&scene);
    ck_assert_uint_eq(answer.start_x, 3);
    ck_assert_uint_eq(answer.way_count, 2);
}
END_TEST

/// Far from the only free cell, which is its goal.
static rp_session_id_t stand_far_from_ground(void)
{
    uint8_t data[1600];
    memset(data, 253, sizeof data);
    data[39] = 0;
    const rp_world_options_t options = {
        .width = 40, .height = 40, .neighbors = 8, .profile = "costmap", .data = data};
    rp_scene_open(&scene, &options);
    return rp_scene_session(&scene, "astar", 0, 39, 39, 0);
}

/// A change at each step ends the search for ways out twice. The third one is made in one go,
/// however little a step may do.
START_TEST(changes_that_come_too_fast_put_a_way_off_no_more_than_twice)
{
    const rp_session_id_t id = stand_far_from_ground();
    const rp_session_t *session = rp_engine_session(scene.engine, id);
    unsigned changes = 0;
    for (; session->published.path_seq == 0 && changes < 9; changes++) {
        (void)rp_scene_set(&scene, 1, 1, changes % 2 == 0 ? 254 : 253);
        (void)rp_engine_step(scene.engine, scene.now_us, 1);
    }
    ck_assert_uint_eq(changes, 3);
    ck_assert_uint_eq(rp_scene_answer(&scene).way_count, 39);
}
END_TEST

START_TEST(a_way_that_is_found_in_one_go_is_paid_for)
{
    const rp_session_id_t id = stand_far_from_ground(); // which opens the engine
    rp_session_t *session = rp_engine_session(scene.engine, id);
    for (unsigned changes = 0; changes < 3; changes++) {
        uint64_t all = UINT64_MAX;
        uint64_t budget = 600;
        uint64_t look_us;
        bool is_new;
        ck_assert_int_eq(rp_layer_derive(session->layer, session->world->version, &all), RP_OK);
        ck_assert_int_eq(rp_session_plan(session, 0, &budget, &is_new, &look_us),
                         changes < 2 ? RP_MORE : RP_OK);
        ck_assert_uint_eq(budget, 0);
        (void)rp_scene_set(&scene, 1, 1, changes % 2 == 0 ? 254 : 253);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        for_other_goals_ways_are_looked_for_anew,
        who_follows_its_way_keeps_it_though_a_better_end_comes_within_reach,
        changes_that_come_too_fast_put_a_way_off_no_more_than_twice,
        a_way_that_is_found_in_one_go_is_paid_for,
        from_inside_an_obstacle_a_way_leads_to_where_the_path_begins,
        without_a_way_that_is_short_enough_the_start_is_blocked,
        deeper_than_a_cell_inside_an_obstacle_there_is_no_way,
        a_start_that_only_inflation_blocks_escapes_unasked,
        who_goes_to_another_side_within_an_obstacle_leaves_it_there,
        no_way_leads_through_a_wall_even_if_a_goal_is_reached_only_there,
        the_nearest_end_from_which_a_goal_is_reached_is_taken_and_with_nearest_any,
        who_goes_on_along_a_way_hears_nothing_and_its_way_is_cut_off_behind,
        a_way_that_is_cut_or_no_longer_the_shortest_gives_way_to_another,
        who_passes_a_waypoint_in_a_pocket_is_not_led_through_its_walls,
        a_way_out_is_there_as_soon_as_inflation_alone_blocks_and_no_longer,
        a_robot_on_an_inscribed_cell_finds_a_way_out_of_it,
        the_endpoints_are_the_nearest_that_will_do,
        without_memory_a_way_comes_later_and_never_in_part,
    };
    const TTest *const planners[] = {a_path_behind_another_way_is_the_one_before};
    const int failed = rp_suite_run("blocked_start", planners, 1, 4, tear_down);
    return rp_suite_run("blocked_start", tests, sizeof tests / sizeof tests[0], 1, tear_down) +
           failed;
}
