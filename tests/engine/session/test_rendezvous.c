/// Orders to a formation: one field for all, each at its own place, and never dearer than was said.
#include "engine/session/rendezvous.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "engine/core.h"
#include "tests/engine/scene.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE  64u
#define UNITS 16u

static rp_scene_t scene;
static rp_random_t rng;
static rp_session_id_t units[UNITS];
static uint32_t starts[UNITS];
static rp_destination_t places[UNITS];

static void tear_down(void)
{
    rp_scene_close(&scene);
}

static void open_world(uint64_t seed, uint32_t blocked_percent)
{
    static uint8_t data[SIDE * SIDE];
    const rp_world_options_t options = {.width = SIDE,
                                        .height = SIDE,
                                        .neighbors = 8,
                                        .frame = {.resolution_m = 1.0},
                                        .data = data};
    rng = (rp_random_t){seed};
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t x = i % SIDE;
        const uint32_t y = i / SIDE;
        const bool is_square = x >= 50 && x < 60 && y >= 50 && y < 60;
        data[i] = is_square || !rp_random_chance(&rng, blocked_percent);
    }
    rp_scene_open(&scene, &options);
}

/// Units anywhere, ordered to a square of 4 x 4 places two cells apart.
static void order_all(const rp_policy_t *policy)
{
    for (uint32_t i = 0; i < UNITS; i++) {
        const rp_session_options_t options = {.policy = *policy};
        ck_assert_int_eq(rp_engine_open(scene.engine, scene.world, &options, &units[i]), RP_OK);
        const uint32_t x = rp_random_below(&rng, 20);
        const uint32_t y = rp_random_below(&rng, SIDE);
        starts[i] = y * SIDE + x;
        (void)rp_scene_set(&scene, x, y, 1);
        ck_assert_int_eq(rp_scene_pose(&scene, units[i], x, y), RP_OK);
        places[i] = (rp_destination_t){.x_m = 51.5 + 2u * (i % 4u), .y_m = 51.5 + 2u * (i / 4u)};
    }
    const rp_destination_t rendezvous = places[rp_engine_middle(places, UNITS)];
    for (uint32_t i = 0; i < UNITS; i++) {
        const rp_aim_t aim = {
            .points = &places[i], .count = 1, .goal_id = 7, .rendezvous = &rendezvous};
        ck_assert_int_eq(rp_engine_aim(scene.engine, units[i], &aim, (rp_cause_t){0, 0}), RP_OK);
    }
}

static void judge_all(uint32_t gain_percent)
{
    for (uint32_t i = 0; i < UNITS; i++) {
        const uint32_t place = (uint32_t)places[i].y_m * SIDE + (uint32_t)places[i].x_m;
        const rp_scene_goal_spec_t goal_spec = {.start = starts[i],
                                                .goals = {{place, 0}},
                                                .goal_count = 1,
                                                .switch_gain_percent = gain_percent};
        rp_answer_t answer;
        ck_assert_int_eq(rp_engine_answer(scene.engine, units[i], &answer), RP_OK);
        const char *complaint = rp_scene_judge(&scene, &answer, &goal_spec);
        ck_assert_msg(complaint == NULL, "unit %u: %s", i, complaint);
    }
}

START_TEST(a_formation_goes_by_one_field_and_says_how_far_from_the_best_it_may_be)
{
    const rp_policy_t policy = {.switch_gain_percent = 25};
    open_world(40u + (unsigned)_i, 15);
    order_all(&policy);
    rp_scene_settle(&scene);
    judge_all(25);
    for (unsigned i = 0; i < 100; i++) {
        const uint32_t x = rp_random_below(&rng, SIDE);
        const uint8_t factor = (uint8_t)rp_random_below(&rng, 2);
        (void)rp_scene_set(&scene, x, rp_random_below(&rng, SIDE), factor);
        rp_scene_settle(&scene);
        judge_all(25);
    }
}
END_TEST

START_TEST(who_wants_the_optimum_gets_it_though_it_was_ordered_with_others)
{
    const rp_policy_t policy = {.switch_gain_percent = 0};
    open_world(70, 20);
    order_all(&policy);
    rp_scene_settle(&scene);
    judge_all(0);
}
END_TEST

START_TEST(a_formation_costs_one_search)
{
    const rp_policy_t policy = {.switch_gain_percent = 40};
    open_world(71, 10);
    order_all(&policy);
    rp_scene_settle(&scene);
    ck_assert_uint_lt(rp_engine_effort(scene.engine).expanded, 2u * SIDE * SIDE);
    ck_assert_uint_gt(rp_engine_effort(scene.engine).expanded, SIDE); // that, too, counts
}
END_TEST

/// Corridors: by way of the rendezvous the goal is 46 away and at most 10 dearer than the best, 56
/// while `0` is shut. Its own road, shut at `1`, is 40 long. A path of 56 that is kept is too dear
/// by the policy, as 40 saves a quarter, though neither 56 against 46 nor 46 against 36 does.
START_TEST(a_path_kept_by_a_formation_is_no_dearer_than_the_policy_asks)
{
    static const char *const map[] = {
        "#########...#############################", //
        "#########.#.#############################", //
        "#########.#.#############################", //
        "#########.#.#############################", //
        "#########.#.#############################", //
        "..........0..............................", // from its corner to the rendezvous
        ".###################################.####", //
        ".###################################.####", //
        ".###################################.####", //
        ".###################################.####", //
        ".1...................#...............####", // from all of them to the goal
        "####################.#.##################", //
        "####################...##################", //
    };
    enum {
        WIDTH = 41,
        HEIGHT = sizeof map / sizeof map[0],
        ROAD = 10,
        WAY = 5
    };
    static uint8_t data[HEIGHT * WIDTH];
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] = map[i / WIDTH][i % WIDTH] == '.';
    }
    const rp_world_options_t options = {.width = WIDTH,
                                        .height = HEIGHT,
                                        .neighbors = 8,
                                        .frame = {.resolution_m = 1.0},
                                        .data = data};
    rp_scene_open(&scene, &options);
    scene.policy = (rp_policy_t){.switch_gain_percent = 25};
    const rp_session_id_t unit = rp_scene_session(&scene, NULL, 0, ROAD, 36, ROAD);
    const rp_destination_t rendezvous = {.x_m = 40.5, .y_m = WAY + 0.5};
    const rp_destination_t place = {.x_m = 36.5, .y_m = ROAD + 0.5};
    const rp_aim_t aim = {.points = &place, .count = 1, .goal_id = 7, .rendezvous = &rendezvous};
    const rp_aim_t its = {
        .points = &rendezvous, .count = 1, .goal_id = 7, .rendezvous = &rendezvous};
    ck_assert_int_eq(rp_engine_aim(scene.engine, unit, &aim, (rp_cause_t){0, 0}), RP_OK);
    for (unsigned i = 0; i < RP_GOAL_GROUP_SHARES_FROM; i++) { // who are worth a field
        const rp_session_id_t other = rp_scene_session(&scene, NULL, 0, ROAD, 40, WAY);
        ck_assert_int_eq(rp_engine_aim(scene.engine, other, &its, (rp_cause_t){0, 0}), RP_OK);
    }
    rp_scene_settle(&scene);
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_answer(scene.engine, unit, &answer), RP_OK);
    ck_assert_double_eq_tol(answer.cost, 56.0, 1e-9);
    ck_assert_double_eq_tol(answer.bound, 46.0, 1e-9); // by way of the rendezvous
    (void)rp_scene_set(&scene, 10, WAY, 1);
    (void)rp_scene_set(&scene, 1, ROAD, 1);
    rp_scene_settle(&scene);
    ck_assert_int_eq(rp_engine_answer(scene.engine, unit, &answer), RP_OK);
    ck_assert_double_eq_tol(answer.cost, 40.0, 1e-9);
}
END_TEST

/// From `i`, which is blocked and no obstacle, two ways out are as short. From `A` the goal is 16
/// away, and 24 by way of the rendezvous; from `B` it is 18 away by any way.
START_TEST(of_two_ways_out_the_one_with_the_cheapest_path_on_is_taken_whatever_the_formation)
{
    static const char *const map[] = {
        ".............", //
        ".###########R", //
        ".#.........#.", //
        ".#.#######.#.", //
        ".#.#######.#.", //
        ".#.#######.#.", //
        "AiB#######..G", //
        ".###########.", //
        ".............", //
    };
    enum {
        WIDTH = 13,
        HEIGHT = sizeof map / sizeof map[0]
    };
    static uint8_t data[HEIGHT * WIDTH];
    for (size_t i = 0; i < sizeof data; i++) {
        const char drawn = map[i / WIDTH][i % WIDTH];
        data[i] = drawn == '#' ? 254 : drawn == 'i' ? 253 : 0;
    }
    const rp_world_options_t options = {.width = WIDTH,
                                        .height = HEIGHT,
                                        .neighbors = 8,
                                        .profile = "costmap",
                                        .frame = {.resolution_m = 1.0},
                                        .data = data};
    rp_scene_open(&scene, &options);
    scene.policy = (rp_policy_t){.switch_gain_percent = 100};
    const rp_session_id_t unit = rp_scene_session(&scene, NULL, 1, 6, 12, 6);
    const rp_destination_t rendezvous = {.x_m = 12.5, .y_m = 1.5};
    const rp_destination_t place = {.x_m = 12.5, .y_m = 6.5};
    const rp_aim_t aim = {.points = &place, .count = 1, .goal_id = 7, .rendezvous = &rendezvous};
    ck_assert_int_eq(rp_engine_aim(scene.engine, unit, &aim, (rp_cause_t){0, 0}), RP_OK);
    for (unsigned i = 0; i < RP_GOAL_GROUP_SHARES_FROM; i++) { // who are worth a field
        (void)rp_scene_session(&scene, NULL, 0, 0, 12, 1);
    }
    rp_scene_settle(&scene);
    rp_answer_t answer;
    ck_assert_int_eq(rp_engine_answer(scene.engine, unit, &answer), RP_OK);
    ck_assert_uint_eq(answer.way_count, 1);
    ck_assert_uint_eq(answer.start_x, 0);
    ck_assert_double_eq_tol(answer.cost, 16.0, 1e-9);
    ck_assert_double_eq_tol(answer.bound, 16.0, 1e-9);
}
END_TEST

/// Long before the search that all of them need could end.
START_TEST(who_starts_at_once_has_a_way_before_the_best_one_is_known)
{
    const rp_policy_t policy = {.starts_at_once = true};
    uint32_t provisional = 0;
    open_world(72, 10);
    order_all(&policy);
    for (unsigned i = 0; i < 20 && provisional == 0; i++) { // the ground is laid first
        (void)rp_engine_step(scene.engine, 1, 600);
        for (uint32_t unit = 0; unit < UNITS; unit++) {
            rp_answer_t answer;
            ck_assert_int_eq(rp_engine_answer(scene.engine, units[unit], &answer), RP_OK);
            provisional += answer.step_count != 0 && answer.bound < answer.cost;
        }
    }
    ck_assert_uint_gt(provisional, 0);
    rp_scene_settle(&scene);
    judge_all(0);
}
END_TEST

/// The field is there from the order before: the way by the rendezvous is said at once, with a
/// bound. Half of the units have a long way round a wall, for which the rendezvous knows more than
/// distances.
START_TEST(a_way_by_the_rendezvous_published_at_once_promises_no_more_than_is_true)
{
    const rp_policy_t policy = {.starts_at_once = true};
    double bounds[UNITS] = {0.0}; // of what each was told first
    uint32_t rough = 0;
    uint32_t near = 0; // bounds that are better than distances
    open_world(73, 5);
    for (uint32_t y = 0; y < SIDE - 1u; y++) {
        (void)rp_scene_set(&scene, 11, y, 0);
    }
    order_all(&policy);
    rp_scene_settle(&scene);
    const rp_destination_t rendezvous = places[rp_engine_middle(places, UNITS)];
    for (uint32_t i = 0; i < UNITS; i++) { // each to its neighbour's place
        const rp_aim_t aim = {.points = &places[(i + 1u) % UNITS],
                              .count = 1,
                              .goal_id = 8,
                              .rendezvous = &rendezvous};
        ck_assert_int_eq(rp_engine_aim(scene.engine, units[i], &aim, (rp_cause_t){0, 0}), RP_OK);
    }
    for (uint32_t published = 0; published < UNITS;) { // each is told one thing in a step so small
        rp_answer_t answer;
        while (!rp_engine_next_answer(scene.engine, &answer)) {
            ck_assert(rp_engine_step(scene.engine, scene.now_us, 1));
        }
        uint32_t i = 0;
        while (units[i] != answer.session) {
            i++;
        }
        if (answer.goal_id == 8 && bounds[i] == 0.0) {
            const rp_destination_t place = places[(i + 1u) % UNITS];
            const double x = fabs(place.x_m - 0.5 - starts[i] % SIDE);
            const double y = fabs(place.y_m - 0.5 - starts[i] / SIDE);
            const double octile = (x > y ? x - y : y - x) + (x > y ? y : x) * sqrt(2.0);
            bounds[i] = answer.bound;
            ck_assert_double_ge(answer.bound, octile - 1e-9);
            rough += answer.bound < answer.cost;
            near += answer.bound > octile + 1.0;
            published++;
        }
    }
    rp_scene_settle(&scene);
    for (uint32_t i = 0; i < UNITS; i++) {
        rp_answer_t answer;
        ck_assert_int_eq(rp_engine_answer(scene.engine, units[i], &answer), RP_OK);
        ck_assert_double_le(bounds[i], answer.cost + 1e-9);
    }
    ck_assert_uint_ne(rough, 0);
    ck_assert_uint_ne(near, 0);
}
END_TEST

/// Which of several it would come to nobody knows, nor what it would cost to stop there.
START_TEST(by_a_rendezvous_nobody_goes_to_several_places_or_to_a_dear_one)
{
    rp_scene_draw(&scene, "........\n"
                          "........");
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    const rp_destination_t rendezvous = {.x_m = 6.5, .y_m = 1.5};
    for (unsigned i = 0; i < RP_GOAL_GROUP_SHARES_FROM; i++) { // who are worth a field
        (void)rp_scene_session(&scene, NULL, 0, 1, 6, 1);
    }
    for (unsigned i = 0; i < 3; i++) {
        const rp_destination_t ends[] = {{.x_m = 5.5, .y_m = 0.5, .offset = i == 1},
                                         {.x_m = 7.5, .y_m = 1.5}};
        const rp_aim_t aim = {.points = ends, .count = i == 2 ? 2 : 1, .rendezvous = &rendezvous};
        uint64_t budget = 100000;
        rp_path_t path;
        double excess;
        ck_assert_int_eq(rp_engine_aim(scene.engine, id, &aim, (rp_cause_t){0, 0}), RP_OK);
        rp_scene_settle(&scene);
        ck_assert_int_eq(
            rp_rendezvous_route(rp_engine_session(scene.engine, id), NULL, &budget, &path, &excess),
            i == 0 ? RP_OK : RP_E_UNSUPPORTED);
    }
}
END_TEST

/// From there the rest may cost as much more as it is long, both ways.
START_TEST(a_way_by_the_rendezvous_is_left_where_it_is_nearest_to_the_goal)
{
    static const struct {
        uint32_t x, y;  // of the goal
        uint32_t cells; // of the path
        double cost;
        double rest;
    } rows[] = {
        {5, 3, 4, 3.0, 3.0},  {4, 0, 2, 1.0, 1.0}, {8, 3, 7, 6.0, 3.0},
        {11, 2, 9, 8.0, 2.0}, {8, 0, 4, 3.0, 0.0},
    };
    rp_scene_draw(&scene, "............\n"
                          "............\n"
                          "............\n"
                          "............");
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 5, 0, 11, 0);
    const rp_destination_t rendezvous = {.x_m = 11.5, .y_m = 0.5};
    for (unsigned i = 0; i < RP_GOAL_GROUP_SHARES_FROM; i++) { // who are worth a field
        (void)rp_scene_session(&scene, NULL, 0, 1, 11, 0);
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const rp_destination_t place = {.x_m = rows[i].x + 0.5, .y_m = rows[i].y + 0.5};
        const rp_aim_t aim = {.points = &place, .count = 1, .rendezvous = &rendezvous};
        uint64_t budget = 100000;
        rp_path_t path;
        double excess;
        ck_assert_int_eq(rp_engine_aim(scene.engine, id, &aim, (rp_cause_t){0, 0}), RP_OK);
        rp_scene_settle(&scene);
        rp_session_t *session = rp_engine_session(scene.engine, id);
        ck_assert_int_eq(rp_rendezvous_route(session, NULL, &budget, &path, &excess), RP_OK);
        ck_assert_msg(path.count == rows[i].cells, "%zu: %u", i, path.count);
        ck_assert_double_eq(rp_path_cost(&path, session->layer->grid), rows[i].cost);
        ck_assert_double_eq(excess, 2.0 * rows[i].rest);
        ck_assert_uint_le(budget, 100000u - session->greedy->expanded);
    }
}
END_TEST

START_TEST(the_middle_of_a_formation_is_the_place_nearest_to_its_mean)
{
    const rp_destination_t line[] = {
        {.x_m = 0.0}, {.x_m = 1.0}, {.x_m = 2.0}, {.x_m = 3.0}, {.x_m = 9.0}};
    ck_assert_uint_eq(rp_engine_middle(line, 1), 0);
    ck_assert_uint_eq(rp_engine_middle(line, 3), 1);
    ck_assert_uint_eq(rp_engine_middle(line, 5), 3);
}
END_TEST

// ---- without memory

static unsigned callocs_left = UINT_MAX; ///< that succeed

/// The linker has all callocs come here, and knows the real one by that name.
void *__real_calloc(size_t count, size_t size); // NOLINT(bugprone-reserved-identifier,cert-*)
void *__wrap_calloc(size_t count, size_t size); // NOLINT(bugprone-reserved-identifier,cert-*)

void *__wrap_calloc(size_t count, size_t size) // NOLINT(bugprone-reserved-identifier,cert-*)
{
    if (callocs_left == 0) {
        return NULL;
    }
    callocs_left -= callocs_left != UINT_MAX;
    return __real_calloc(count, size);
}

static size_t count_groups(const rp_layer_t *layer)
{
    return layer->audience->groups.count;
}

START_TEST(an_order_without_memory_leaves_the_one_before)
{
    rp_scene_draw(&scene, "........\n"
                          "........");
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    rp_destination_t rendezvous = {.x_m = 6.5, .y_m = 1.5};
    rp_destination_t place = {.x_m = 5.5, .y_m = 0.5};
    const rp_aim_t aim = {.points = &place, .count = 1, .rendezvous = &rendezvous};
    ck_assert_int_eq(rp_engine_aim(scene.engine, id, &aim, (rp_cause_t){0, 0}), RP_OK);
    const rp_session_t *session = rp_engine_session(scene.engine, id);
    const rp_goal_group_t *before = session->goal.rendezvous;
    rendezvous.x_m = 1.5;
    place.x_m = 2.5;
    unsigned failed = 0;
    rp_status_t status = RP_E_MEMORY;
    while (status != RP_OK) { // each time a later one fails, that of the goals last
        ck_assert_ptr_eq(session->goal.rendezvous, before);
        ck_assert_uint_eq(count_groups(session->layer), 2);
        callocs_left = failed++;
        status = rp_engine_aim(scene.engine, id, &aim, (rp_cause_t){0, 0});
        callocs_left = UINT_MAX;
        ck_assert(status == RP_OK || status == RP_E_MEMORY);
    }
    ck_assert_uint_gt(failed, 2);
    ck_assert_ptr_ne(session->goal.rendezvous, before);
    ck_assert_uint_eq(count_groups(session->layer), 2);
}
END_TEST

START_TEST(who_goes_leaves_no_field_behind)
{
    rp_scene_draw(&scene, "........\n"
                          "........");
    const rp_session_id_t other = rp_scene_session(&scene, NULL, 0, 1, 7, 1);
    const rp_layer_t *layer = rp_engine_session(scene.engine, other)->layer;
    const size_t before = count_groups(layer);
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    const rp_destination_t rendezvous = {.x_m = 6.5, .y_m = 1.5};
    const rp_destination_t place = {.x_m = 5.5, .y_m = 0.5};
    const rp_aim_t aim = {.points = &place, .count = 1, .rendezvous = &rendezvous};
    ck_assert_int_eq(rp_engine_aim(scene.engine, id, &aim, (rp_cause_t){0, 0}), RP_OK);
    ck_assert_uint_gt(count_groups(layer), before);
    ck_assert_int_eq(rp_engine_close(scene.engine, id), RP_OK);
    ck_assert_uint_eq(count_groups(layer), before);
}
END_TEST

int main(void)
{
    const TTest *const rounds[] = {
        a_formation_goes_by_one_field_and_says_how_far_from_the_best_it_may_be};
    const TTest *const once[] = {
        who_wants_the_optimum_gets_it_though_it_was_ordered_with_others,
        a_formation_costs_one_search,
        a_path_kept_by_a_formation_is_no_dearer_than_the_policy_asks,
        of_two_ways_out_the_one_with_the_cheapest_path_on_is_taken_whatever_the_formation,
        who_starts_at_once_has_a_way_before_the_best_one_is_known,
        a_way_by_the_rendezvous_published_at_once_promises_no_more_than_is_true,
        by_a_rendezvous_nobody_goes_to_several_places_or_to_a_dear_one,
        a_way_by_the_rendezvous_is_left_where_it_is_nearest_to_the_goal,
        the_middle_of_a_formation_is_the_place_nearest_to_its_mean,
        an_order_without_memory_leaves_the_one_before,
        who_goes_leaves_no_field_behind,
    };
    const int failed = rp_suite_run("rendezvous", rounds, 1, 4, tear_down);
    return rp_suite_run("rendezvous", once, sizeof once / sizeof once[0], 1, tear_down) + failed;
}
