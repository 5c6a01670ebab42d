/// Goal groups: who shares a planner, and that nobody can tell from the answers.
#include "engine/sharing/goal_group.h"

#include "tests/engine/scene.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE    40u
#define MEMBERS 12u

static rp_scene_t scene;
static rp_random_t rng;
static rp_session_id_t members[MEMBERS];
static rp_scene_goal_spec_t goal_specs[MEMBERS];

static void tear_down(void)
{
    rp_scene_close(&scene);
}

// ---- the table

START_TEST(same_goals_make_a_group_and_the_last_one_endpoints_it)
{
    const rp_goal_t here[] = {{5, 0}, {9, 2}};
    const rp_goal_t there[] = {{5, 0}, {9, 3}};
    rp_goal_groups_t groups = {0};
    rp_goal_group_t *first = rp_goal_group_join(&groups, here, 2);
    ck_assert_ptr_nonnull(first);
    ck_assert_ptr_eq(rp_goal_group_join(&groups, here, 2), first);
    rp_goal_group_t *other = rp_goal_group_join(&groups, there, 2);
    ck_assert_ptr_ne(other, first);
    rp_goal_group_t *part = rp_goal_group_join(&groups, here, 1);
    ck_assert_ptr_ne(part, first);
    rp_goal_group_leave(&groups, first);
    ck_assert_ptr_eq(rp_goal_group_join(&groups, here, 2), first);
    rp_goal_group_leave(&groups, first);
    rp_goal_group_leave(&groups, first);
    rp_goal_group_leave(&groups, part);
    rp_goal_group_leave(&groups, NULL);
    ck_assert_uint_eq(groups.count, 1);
    rp_goal_group_leave(&groups, other);
    ck_assert_ptr_null(groups.slots);
}
END_TEST

/// Groups come and go by chance: each is found as long as it has a member, whatever moved in the
/// table, and no other group is.
START_TEST(of_many_groups_each_is_found_until_its_last_member_leaves)
{
    enum {
        MANY = 3000
    };
    static rp_goal_group_t *joined[MANY];
    static uint32_t users[MANY];
    rp_goal_groups_t groups = {0};
    rng = (rp_random_t){77};
    for (uint32_t i = 0; i < 20u * MANY; i++) {
        const uint32_t which = rp_random_below(&rng, MANY);
        const rp_goal_t goal = {which * 64u, which % 3u};
        const bool grows = i < 10u * MANY;
        if (rp_random_chance(&rng, grows ? 60 : 30)) {
            rp_goal_group_t *group = rp_goal_group_join(&groups, &goal, 1);
            RP_EACH(users[which] == 0 || group == joined[which]);
            RP_EACH_EQ(group->goals[0].cell, goal.cell);
            RP_EACH_EQ(group->users, users[which] + 1u);
            joined[which] = group;
            users[which]++;
        } else if (users[which] != 0) {
            rp_goal_group_leave(&groups, joined[which]);
            users[which]--;
        }
    }
    size_t left = 0;
    for (uint32_t which = 0; which < MANY; which++) {
        left += users[which] != 0;
    }
    ck_assert_uint_eq(groups.count, left);
    ck_assert_uint_ge(groups.slot_count, 2u * left);
    for (uint32_t which = 0; which < MANY; which++) {
        for (; users[which] != 0; users[which]--) {
            rp_goal_group_leave(&groups, joined[which]);
        }
    }
    ck_assert_ptr_null(groups.slots);
}
END_TEST

START_TEST(a_group_has_a_planner_when_it_is_large)
{
    const rp_grid_shape_t shape = {8, 8, 8, false, 1, 1};
    rp_layer_t layer = {0};
    rp_planner_cache_t searches = {0};
    ck_assert_int_eq(rp_grid_new(&shape, &layer.grid), RP_OK);
    const rp_goal_t goal = {rp_grid_cell(layer.grid, 3, 3), 0};
    rp_goal_groups_t groups = {0};
    rp_goal_group_t *group = NULL;
    for (unsigned i = 1; i < RP_GOAL_GROUP_SHARES_FROM; i++) {
        group = rp_goal_group_join(&groups, &goal, 1);
        ck_assert_ptr_null(rp_goal_group_search(group, &searches, &layer, 4));
    }
    (void)rp_goal_group_join(&groups, &goal, 1);
    const rp_cached_planner_t *search = rp_goal_group_search(group, &searches, &layer, 4);
    ck_assert_ptr_nonnull(search);
    ck_assert_uint_eq(search->heard, 4);
    rp_goal_group_leave(&groups, group); // smaller again: it keeps what it has built
    ck_assert_ptr_eq(rp_goal_group_search(group, &searches, &layer, 5), search);
    ck_assert_uint_eq(search->heard, 4);
    for (unsigned i = 1; i < RP_GOAL_GROUP_SHARES_FROM; i++) {
        rp_goal_group_leave(&groups, group);
    }
    ck_assert_ptr_null(groups.slots);
    rp_grid_destroy(&layer.grid);
}
END_TEST

// ---- in the engine

static void open_world(uint64_t seed)
{
    static uint8_t data[SIDE * SIDE];
    const rp_world_options_t options = {.width = SIDE,
                                        .height = SIDE,
                                        .neighbors = 8,
                                        .frame = {.resolution_m = 1.0},
                                        .data = data};
    rng = (rp_random_t){seed};
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        data[i] = !rp_random_chance(&rng, 20);
    }
    rp_scene_open(&scene, &options);
}

/// A member moves to a place, or aims at one.
static void place_member(uint32_t member, bool is_goal)
{
    const uint32_t x = rp_random_below(&rng, SIDE);
    const uint32_t y = rp_random_below(&rng, SIDE);
    if (is_goal) {
        ck_assert_int_eq(rp_scene_goal(&scene, members[member], x, y), RP_OK);
        goal_specs[member].goals[0] = (rp_oracle_goal_t){y * SIDE + x, 0};
    } else {
        ck_assert_int_eq(rp_scene_pose(&scene, members[member], x, y), RP_OK);
        goal_specs[member].start = y * SIDE + x;
    }
}

static void judge_all(void)
{
    rp_scene_settle(&scene);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        rp_answer_t answer;
        ck_assert_int_eq(rp_engine_answer(scene.engine, members[i], &answer), RP_OK);
        const char *complaint = rp_scene_judge(&scene, &answer, &goal_specs[i]);
        ck_assert_msg(complaint == NULL, "member %u: %s", i, complaint);
    }
}

/// Members come to one goal, leave it, are replaced; the world changes all the time.
START_TEST(every_answer_of_a_group_is_a_cheapest_path)
{
    open_world(100u + (unsigned)_i);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        const uint32_t x = rp_random_below(&rng, SIDE);
        const uint32_t y = rp_random_below(&rng, SIDE);
        members[i] = rp_scene_session(&scene, NULL, x, y, 20, 20);
        goal_specs[i] = (rp_scene_goal_spec_t){
            .start = y * SIDE + x, .goals = {{20u * SIDE + 20u, 0}}, .goal_count = 1};
    }
    judge_all();
    for (unsigned i = 0; i < 150; i++) {
        const uint32_t member = rp_random_below(&rng, MEMBERS);
        const uint32_t what = rp_random_below(&rng, 10);
        if (what == 0) {
            place_member(member, true);
        } else if (what == 1) {
            ck_assert_int_eq(rp_scene_goal(&scene, members[member], 20, 20), RP_OK);
            goal_specs[member].goals[0] = (rp_oracle_goal_t){20u * SIDE + 20u, 0};
        } else if (what < 5) {
            place_member(member, false);
        } else {
            const uint32_t x = rp_random_below(&rng, SIDE);
            const uint8_t factor = (uint8_t)rp_random_below(&rng, 3);
            (void)rp_scene_set(&scene, x, rp_random_below(&rng, SIDE), factor);
        }
        judge_all();
    }
}
END_TEST

/// A cell that is freed inside a block lies nearer to the line from start to goal than the paths
/// round the block do, but the field shows that it leads nowhere.
START_TEST(a_group_is_not_invalidated_by_what_its_search_can_answer)
{
    const rp_world_options_t options = {
        .width = SIDE, .height = SIDE, .neighbors = 8, .frame = {.resolution_m = 1.0}};
    rp_invalidations_t before;
    rp_invalidations_t after;
    rp_scene_open(&scene, &options);
    for (uint32_t y = 10; y < 30; y++) {
        (void)rp_scene_set(&scene, 19, y, 0);
        (void)rp_scene_set(&scene, 20, y, 0);
        (void)rp_scene_set(&scene, 21, y, 0);
    }
    for (uint32_t i = 0; i < MEMBERS; i++) {
        (void)rp_scene_session(&scene, NULL, 5, 14 + i, 35, 20);
    }
    rp_scene_settle(&scene);
    (void)rp_scene_set(&scene, 2, 2, 0); // what was said before the search is not known to it
    rp_scene_settle(&scene);
    ck_assert(rp_engine_invalidations(scene.engine, scene.world, &before));
    const uint64_t version = rp_scene_set(&scene, 20, 20, 1);
    ck_assert(rp_engine_invalidations(scene.engine, scene.world, &after));
    ck_assert_uint_le(after.invalidated - before.invalidated,
                      RP_GOAL_GROUP_SHARES_FROM); // who came before it was one
    rp_scene_settle(&scene);
    (void)rp_scene_set(&scene, 20, 20, 0);
    ck_assert(rp_engine_invalidations(scene.engine, scene.world, &before));
    ck_assert_uint_eq(rp_scene_set(&scene, 20, 20, 1), version + 2u);
    ck_assert(rp_engine_invalidations(scene.engine, scene.world, &after));
    ck_assert_uint_eq(after.invalidated, before.invalidated);
}
END_TEST

/// Two goals of which one is blocked at times, so that the search that is shared begins anew from
/// the few who ask, and must not take the paths of the others for its own. Changes come between
/// them.
START_TEST(a_path_that_somebody_else_found_is_no_promise_of_the_search)
{
    enum {
        WIDTH = 48,
        AT = 24
    };
    static uint8_t data[WIDTH * WIDTH];
    const rp_world_options_t options = {.width = WIDTH,
                                        .height = WIDTH,
                                        .neighbors = _i % 2 == 0 ? 4u : 8u,
                                        .frame = {.resolution_m = 1.0},
                                        .data = data};
    const rp_destination_t goals[] = {{AT + 0.5, AT + 0.5, 0}, {AT + 3.5, AT + 0.5, 0}};
    rng = (rp_random_t){206u + (unsigned)_i};
    for (uint32_t i = 0; i < WIDTH * WIDTH; i++) {
        data[i] = !rp_random_chance(&rng, 35);
    }
    rp_scene_open(&scene, &options);
    for (uint32_t i = 0; i < MEMBERS; i++) {
        const uint32_t reach = i % 3u == 0 ? AT : 4;
        const uint32_t x = rp_random_between(&rng, AT - reach, AT + reach - 1u);
        const uint32_t y = rp_random_between(&rng, AT - reach, AT + reach - 1u);
        members[i] = rp_scene_session(&scene, NULL, x, y, AT, AT);
        ck_assert_int_eq(rp_engine_goals(scene.engine, members[i], goals, 2, 1, (rp_cause_t){0}),
                         RP_OK);
        goal_specs[i] =
            (rp_scene_goal_spec_t){.start = y * WIDTH + x,
                                   .goals = {{AT * WIDTH + AT, 0}, {AT * WIDTH + AT + 3u, 0}},
                                   .goal_count = 2};
    }
    judge_all();
    for (unsigned i = 0; i < 400; i++) {
        const bool hits_goal = rp_random_chance(&rng, 5);
        const uint32_t x = hits_goal ? AT + 3u : rp_random_below(&rng, WIDTH);
        const uint32_t y = hits_goal ? AT : rp_random_below(&rng, WIDTH);
        (void)rp_scene_set(&scene, x, y, (uint8_t)rp_random_below(&rng, 2));
        judge_all();
    }
}
END_TEST

int main(void)
{
    const TTest *const once[] = {
        same_goals_make_a_group_and_the_last_one_endpoints_it,
        of_many_groups_each_is_found_until_its_last_member_leaves,
        a_group_has_a_planner_when_it_is_large,
        a_group_is_not_invalidated_by_what_its_search_can_answer,
    };
    const TTest *const rounds[] = {
        every_answer_of_a_group_is_a_cheapest_path,
        a_path_that_somebody_else_found_is_no_promise_of_the_search,
    };
    const int failed = rp_suite_run("goal_group", once, 4, 1, tear_down);
    return rp_suite_run("goal_group", rounds, 2, 8, tear_down) + failed;
}
