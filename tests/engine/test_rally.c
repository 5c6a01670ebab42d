/// Orders to a formation: one field for all, each at its own place, and never dearer than was said.
#include "engine/rally.h"

#include <limits.h>
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
    const rp_destination_t rally = places[rp_engine_middle(places, UNITS)];
    for (uint32_t i = 0; i < UNITS; i++) {
        const rp_aim_t aim = {.points = &places[i], .count = 1, .goal_id = 7, .rally = &rally};
        ck_assert_int_eq(rp_engine_aim(scene.engine, units[i], &aim, (rp_cause_t){0, 0}), RP_OK);
    }
}

static void judge_all(uint32_t gain_percent)
{
    for (uint32_t i = 0; i < UNITS; i++) {
        const uint32_t place = (uint32_t)places[i].y_m * SIDE + (uint32_t)places[i].x_m;
        const rp_scene_wish_t wish = {.start = starts[i],
                                      .goals = {{place, 0}},
                                      .goal_count = 1,
                                      .switch_gain_percent = gain_percent};
        rp_answer_t answer;
        ck_assert_int_eq(rp_engine_answer(scene.engine, units[i], &answer), RP_OK);
        const char *complaint = rp_scene_judge(&scene, &answer, &wish);
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
        (void)rp_scene_set(&scene, x, rp_random_below(&rng, SIDE),
                           (uint8_t)rp_random_below(&rng, 2));
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

static unsigned count_herds(const rp_layer_t *layer)
{
    unsigned count = 0;
    for (const rp_herd_t *herd = layer->herds; herd != NULL; herd = herd->next) {
        count++;
    }
    return count;
}

START_TEST(an_order_without_memory_leaves_the_one_before)
{
    rp_scene_draw(&scene, "........\n"
                          "........");
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 0, 7, 0);
    rp_destination_t rally = {.x_m = 6.5, .y_m = 1.5};
    rp_destination_t place = {.x_m = 5.5, .y_m = 0.5};
    const rp_aim_t aim = {.points = &place, .count = 1, .rally = &rally};
    ck_assert_int_eq(rp_engine_aim(scene.engine, id, &aim, (rp_cause_t){0, 0}), RP_OK);
    const rp_session_t *session = rp_engine_session(scene.engine, id);
    const rp_herd_t *before = session->rally;
    rally.x_m = 1.5;
    place.x_m = 2.5;
    unsigned failed = 0;
    rp_status_t status = RP_E_MEMORY;
    while (status != RP_OK) { // each time a later one fails, that of the goals last
        ck_assert_ptr_eq(session->rally, before);
        ck_assert_uint_eq(count_herds(session->layer), 2);
        callocs_left = failed++;
        status = rp_engine_aim(scene.engine, id, &aim, (rp_cause_t){0, 0});
        callocs_left = UINT_MAX;
        ck_assert(status == RP_OK || status == RP_E_MEMORY);
    }
    ck_assert_uint_gt(failed, 2);
    ck_assert_ptr_ne(session->rally, before);
    ck_assert_uint_eq(count_herds(session->layer), 2);
}
END_TEST

int main(void)
{
    const TTest *const rounds[] = {
        a_formation_goes_by_one_field_and_says_how_far_from_the_best_it_may_be};
    const TTest *const once[] = {
        who_wants_the_optimum_gets_it_though_it_was_ordered_with_others,
        a_formation_costs_one_search,
        who_starts_at_once_has_a_way_before_the_best_one_is_known,
        the_middle_of_a_formation_is_the_place_nearest_to_its_mean,
        an_order_without_memory_leaves_the_one_before,
    };
    const int failed = rp_suite_run("rally", rounds, 1, 4, tear_down);
    return rp_suite_run("rally", once, sizeof once / sizeof once[0], 1, tear_down) + failed;
}
