/// A plan of a session: what it costs, whose planner serves, and what is over when it is done.
#include "engine/core.h"
#include "engine/session/session_state.h"
#include "tests/engine/scene.h"
#include "tests/support/suite.h"

#define WIDTH  200u
#define LOOK   64u ///< looking at a session costs so much at least
#define BUDGET 100000u

static rp_scene_t scene;
static const rp_cause_t nothing = {0, 0};
static rp_session_t *session;

// ---- what planners are told; the linker puts these before the library's

static bool fails_apply;
static bool is_confirmed; ///< a path at hand was held against the planner's
static bool was_cheapest; ///< as it was told then

rp_status_t __real_rp_planner_apply( // NOLINT(bugprone-reserved-identifier,cert-*)
    rp_planner_t *planner, const rp_change_t *changes, size_t count);
rp_status_t __wrap_rp_planner_apply( // NOLINT(bugprone-reserved-identifier,cert-*)
    rp_planner_t *planner, const rp_change_t *changes, size_t count);
rp_status_t __real_rp_planner_confirm( // NOLINT(bugprone-reserved-identifier,cert-*)
    rp_planner_t *planner, const rp_walk_t *walk, bool is_cheapest, uint64_t budget,
    rp_plan_t *plan);
rp_status_t __wrap_rp_planner_confirm( // NOLINT(bugprone-reserved-identifier,cert-*)
    rp_planner_t *planner, const rp_walk_t *walk, bool is_cheapest, uint64_t budget,
    rp_plan_t *plan);

rp_status_t __wrap_rp_planner_apply( // NOLINT(bugprone-reserved-identifier,cert-*)
    rp_planner_t *planner, const rp_change_t *changes, size_t count)
{
    return fails_apply ? RP_E_MEMORY : __real_rp_planner_apply(planner, changes, count);
}

rp_status_t __wrap_rp_planner_confirm( // NOLINT(bugprone-reserved-identifier,cert-*)
    rp_planner_t *planner, const rp_walk_t *walk, bool is_cheapest, uint64_t budget,
    rp_plan_t *plan)
{
    is_confirmed = true;
    was_cheapest = is_cheapest;
    return __real_rp_planner_confirm(planner, walk, is_cheapest, budget, plan);
}

/// Of the last plan.
static rp_status_t status;
static bool is_new;
static uint64_t look_us;

static void tear_down(void)
{
    rp_scene_close(&scene);
}

static uint64_t plan(uint64_t now_us)
{
    uint64_t budget = BUDGET;
    rp_scene_derive(session->world);
    status = rp_session_plan(session, now_us, &budget, &is_new, &look_us);
    return BUDGET - budget;
}

/// A long field with a session that goes along its upper row, and was told so.
static rp_session_id_t begin(const char *planner)
{
    const rp_world_options_t options = {.width = WIDTH, .height = 8, .neighbors = 8};
    rp_scene_open(&scene, &options);
    const rp_session_id_t id = rp_scene_session(&scene, planner, 0, 0, WIDTH - 1u, 0);
    ck_assert_int_eq(rp_scene_answer(&scene).outcome, RP_ANSWER_FOUND);
    session = rp_engine_session(scene.engine, id);
    return id;
}

// ---- what it costs

START_TEST(who_is_outside_is_looked_at_and_no_more)
{
    const rp_session_id_t id = begin(NULL);
    ck_assert_int_eq(rp_engine_pose(scene.engine, id, -5.0, 0.5, 0, nothing), RP_OK);
    ck_assert_uint_eq(plan(0), LOOK);
    ck_assert_int_eq(status, RP_OK);
    ck_assert(is_new);
    ck_assert_uint_eq(look_us, RP_NEVER_US);
}
END_TEST

START_TEST(what_was_published_is_walked_and_paid_for)
{
    (void)begin(NULL);
    (void)rp_scene_set(&scene, WIDTH - 1u, 0, 0); // its goal
    ck_assert_uint_eq(plan(0), LOOK + (WIDTH - 1u) / RP_SESSION_MEASURED_EACH);
    ck_assert_int_eq(session->published.outcome, RP_ANSWER_GOAL_BLOCKED);
}
END_TEST

START_TEST(what_lies_in_another_window_is_read_once_more)
{
    (void)begin(NULL);
    const rp_window_t window = {.x = 0, .y = -1, .width = WIDTH, .height = 9, .fill = 1};
    uint64_t version;
    ck_assert_int_eq(rp_engine_resize(scene.engine, scene.world, &window, nothing, &version),
                     RP_OK);
    (void)rp_scene_set(&scene, WIDTH - 1u, 1, 0); // its goal
    const uint64_t read = (WIDTH - 1u) / RP_SESSION_STEPS_EACH;
    ck_assert_uint_eq(plan(0), LOOK + read + (WIDTH - 1u) / RP_SESSION_MEASURED_EACH);
}
END_TEST

/// No path crosses the field. Whether that is so is asked when the search took an eighth of it.
START_TEST(a_search_that_has_taken_an_eighth_of_the_cells_asks_what_is_connected)
{
    enum {
        SIDE = 128,
        STEP = 100
    };
    static uint8_t bytes[SIDE * SIDE];
    uint64_t most = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        bytes[i] = i % SIDE != SIDE - 2;
    }
    const rp_world_options_t options = {
        .width = SIDE, .height = SIDE, .neighbors = 4, .data = bytes};
    rp_scene_open(&scene, &options);
    const rp_session_id_t id = rp_scene_session(&scene, "astar", 0, 64, SIDE - 1, 64);
    session = rp_engine_session(scene.engine, id);
    while (rp_engine_step(scene.engine, 0, STEP)) {
        most = session->schedule.searched > most ? session->schedule.searched : most;
    }
    const uint64_t eighth = session->layer->grid->cell_count / 8u;
    ck_assert_int_eq(session->published.outcome, RP_ANSWER_NO_PATH);
    ck_assert_uint_ge(most, eighth);
    ck_assert_uint_lt(most, eighth + STEP);
}
END_TEST

/// However long changes cut it off.
START_TEST(what_a_search_took_is_counted_up_to_the_greatest_number)
{
    (void)begin("astar");
    const rp_destination_t goal = {.x_m = 150.5, .y_m = 7.5};
    ck_assert_int_eq(rp_engine_goals(scene.engine, session->id, &goal, 1, 0, nothing), RP_OK);
    uint64_t budget = LOOK + 20u;
    rp_scene_derive(session->world);
    ck_assert_int_eq(rp_session_plan(session, 0, &budget, &is_new, &look_us), RP_MORE);
    ck_assert(session->schedule.is_long);
    ck_assert_uint_gt(session->schedule.searched, 0);
    ck_assert_uint_le(session->schedule.searched, 20);
    session->schedule.searched = UINT32_MAX - 3u;
    budget = LOOK + 20u;
    ck_assert_int_eq(rp_session_plan(session, 0, &budget, &is_new, &look_us), RP_MORE);
    ck_assert_uint_eq(session->schedule.searched, UINT32_MAX);
}
END_TEST

/// Only then: a change that comes between two searches disturbs none.
START_TEST(a_search_is_cut_off_by_what_changes_while_it_is_under_way)
{
    const rp_destination_t goal = {.x_m = 150.5, .y_m = 7.5};
    (void)begin("astar");
    (void)rp_scene_set(&scene, 100, 6, 0);
    ck_assert_int_eq(rp_engine_goals(scene.engine, session->id, &goal, 1, 0, nothing), RP_OK);
    for (unsigned i = 0; i < 4; i++) {
        uint64_t budget = LOOK + 20u;
        rp_scene_derive(session->world);
        ck_assert_int_eq(rp_session_plan(session, 0, &budget, &is_new, &look_us), RP_MORE);
        ck_assert(session->schedule.is_long);
        ck_assert_uint_eq(session->schedule.cut_off, i < 2 ? 0 : i - 1u);
        if (i != 0) {
            (void)rp_scene_set(&scene, 100, 6, i % 2u);
        }
    }
}
END_TEST

/// More changes than are kept: the planner reads the ground anew.
START_TEST(who_has_not_heard_of_all_that_changed_begins_anew)
{
    (void)begin("dstar-lite");
    for (uint32_t y = 0; y < 7; y++) {
        (void)rp_scene_set(&scene, 50, y, 0);
    }
    rp_scene_derive(session->world);
    session->layer->known_since = session->world->version; // as if nothing was kept
    (void)plan(0);
    ck_assert_int_eq(status, RP_OK);
    const double cost = session->published.cost;
    const rp_session_id_t other = rp_scene_session(&scene, "astar", 0, 0, WIDTH - 1u, 0);
    rp_scene_settle(&scene);
    rp_answer_t should;
    ck_assert_int_eq(rp_engine_answer(scene.engine, other, &should), RP_OK);
    ck_assert_double_eq_tol(cost, should.cost, 1e-9);
    ck_assert_double_gt(cost, WIDTH); // round the wall
}
END_TEST

/// It is told of them when it plans next.
START_TEST(a_planner_that_lacks_memory_for_changes_is_told_of_them_again)
{
    (void)begin("dstar-lite");
    for (uint32_t y = 0; y < 7; y++) {
        (void)rp_scene_set(&scene, 50, y, 0);
    }
    const double before = session->published.cost;
    const uint64_t heard = session->own.heard;
    fails_apply = true;
    (void)plan(0);
    fails_apply = false;
    ck_assert_int_eq(status, RP_E_MEMORY);
    ck_assert(!is_new);
    ck_assert_double_eq(session->published.cost, before);
    ck_assert_uint_eq(session->own.heard, heard);
    (void)plan(0);
    ck_assert_int_eq(status, RP_OK);
    ck_assert_uint_eq(session->own.heard, session->world->version);
    ck_assert_double_gt(session->published.cost, WIDTH); // round the wall
}
END_TEST

/// What spoils the promise that the path at hand was the cheapest before the newest changes.
typedef enum spoilt {
    NOTHING,
    BY_ANOTHER, ///< another search found it
    BY_EXCESS,  ///< it was not
    DEARER,
    UNTESTED, ///< whether it became dearer was not asked for the newest version
    OLDER,    ///< it was true before changes of which the planner had been told by then
    SPOILT
} spoilt_t;

START_TEST(a_planner_is_told_that_a_path_was_the_cheapest_only_if_it_was)
{
    for (spoilt_t i = NOTHING; i < SPOILT; i++) {
        (void)begin("dstar-lite");
        const uint64_t first = session->world->version;
        (void)rp_scene_set(&scene, 100, 6, 0);
        (void)plan(0);
        ck_assert_uint_eq(session->own.before, first);
        (void)rp_scene_set(&scene, 100, 7, 0);
        rp_session_validity_t *validity = &session->validity;
        validity->is_intact = i != DEARER;
        validity->tested_at = session->world->version - (i == UNTESTED ? 1u : 0u);
        validity->sure_until = i == OLDER ? first : first + 1u;
        session->published.term += i == BY_ANOTHER ? 1u : 0u;
        session->published.excess = i == BY_EXCESS ? 0.5 : 0.0;
        is_confirmed = false;
        (void)plan(0);
        ck_assert_int_eq(status, RP_OK);
        ck_assert_uint_eq(session->own.before, first + 1u);
        ck_assert_uint_eq(session->own.heard, first + 2u);
        ck_assert(is_confirmed);
        ck_assert_msg(was_cheapest == (i == NOTHING), "%u", i);
        rp_scene_close(&scene);
    }
    (void)begin(NULL);
}
END_TEST

/// Nor is any path held against it that has to be replaced, or does not begin where the agent is.
START_TEST(a_path_that_will_not_do_is_held_against_nothing)
{
    for (unsigned i = 0; i < 4; i++) {
        const rp_session_id_t id = begin("dstar-lite");
        is_confirmed = false;
        (void)rp_scene_set(&scene, i == 1 ? 100 : 90, i == 1 ? 0 : 6, 0); // on it, or beside
        if (i == 2) {
            ck_assert_int_eq(rp_scene_goal(&scene, id, 150, 0), RP_OK);
        } else if (i == 3) {
            ck_assert_int_eq(rp_scene_pose(&scene, id, 0, 5), RP_OK);
        }
        (void)plan(0);
        ck_assert_int_eq(status, RP_OK);
        ck_assert_msg(is_confirmed == (i == 0), "%u", i);
        rp_scene_close(&scene);
    }
    (void)begin(NULL);
}
END_TEST

START_TEST(what_plans_took_is_counted)
{
    const rp_session_id_t id = begin("astar");
    const rp_effort_t first = session->schedule.effort;
    ck_assert_uint_gt(first.expanded, 0);
    ck_assert_uint_eq(first.expanded, session->published.expansions);
    ck_assert_uint_eq(rp_engine_effort(scene.engine).expanded, first.expanded);
    ck_assert_uint_eq(first.checked, 0);
    ck_assert_int_eq(rp_scene_goal(&scene, id, 150, 5), RP_OK);
    (void)rp_scene_answer(&scene);
    ck_assert_uint_eq(session->schedule.effort.expanded,
                      first.expanded + session->published.expansions);
    ck_assert_uint_eq(rp_engine_effort(scene.engine).expanded, session->schedule.effort.expanded);
}
END_TEST

// ---- whose planner

/// What it paid for plans of the common planner is as much as an eighth of the cells, or is not.
START_TEST(who_paid_for_an_eighth_of_the_cells_has_a_planner_of_its_own)
{
    for (unsigned is_paid = 0; is_paid < 2; is_paid++) {
        const rp_session_id_t id = begin(NULL);
        const rp_planner_t *common = session->layer->audience->shared.common.planner;
        ck_assert_ptr_nonnull(common);
        session->rent = session->layer->grid->cell_count / 8u - !is_paid;
        ck_assert_int_eq(rp_scene_goal(&scene, id, 3, 0), RP_OK);
        (void)plan(0);
        ck_assert_int_eq(status, RP_OK);
        ck_assert_ptr_eq(session->own.planner, is_paid ? common : NULL);
        ck_assert(!is_paid || session->rent == 0);
        rp_scene_close(&scene);
    }
    (void)begin(NULL);
}
END_TEST

START_TEST(who_waits_for_a_planner_has_none_and_may_have_none)
{
    const rp_session_id_t id = begin(NULL);
    rp_shared_planner_t *shared = &session->layer->audience->shared;
    rp_cached_planner_t busy[RP_LENT_MAX] = {{.is_under_way = true}, {.is_under_way = true}};
    rp_cached_planner_drop(&shared->common);
    ck_assert(!rp_session_awaits_planner(session));
    for (unsigned i = 0; i < RP_LENT_MAX; i++) {
        shared->lent[i] = &busy[i];
    }
    ck_assert(rp_shared_planner_is_out(shared));
    ck_assert(rp_session_awaits_planner(session));
    session->goal.group->users = RP_GOAL_GROUP_SHARES_FROM;
    ck_assert(!rp_session_awaits_planner(session));
    session->goal.group->users = RP_GOAL_GROUP_SHARES_FROM - 1u;
    ck_assert(rp_session_awaits_planner(session));
    session->goal.group->users = 1;
    session->rent = session->layer->grid->cell_count / 8u;
    ck_assert(!rp_session_awaits_planner(session)); // it is to have one of its own
    for (unsigned i = 0; i < RP_LENT_MAX; i++) {
        shared->lent[i] = NULL;
    }
    ck_assert_int_eq(rp_engine_close(scene.engine, id), RP_OK);
}
END_TEST

/// What knows the ground goes with the search that is stopped, and comes back when that is over.
START_TEST(a_planner_that_is_lent_comes_back_when_somebody_needs_it)
{
    (void)begin(NULL);
    rp_shared_planner_t *shared = &session->layer->audience->shared;
    const rp_planner_t *common = shared->common.planner;
    const rp_destination_t goal = {.x_m = 150.5, .y_m = 7.5};
    uint64_t budget = LOOK + 1u;
    ck_assert_ptr_nonnull(common);
    ck_assert_int_eq(rp_engine_goals(scene.engine, session->id, &goal, 1, 0, nothing), RP_OK);
    ck_assert_int_eq(rp_session_plan(session, 0, &budget, &is_new, &look_us), RP_MORE);
    ck_assert_uint_eq(budget, 0);
    ck_assert_ptr_eq(session->own.planner, common);
    ck_assert_ptr_nonnull(session->own.loan);
    ck_assert(session->own.is_under_way);
    ck_assert_ptr_null(shared->common.planner);
    const rp_session_id_t other = rp_scene_session(&scene, NULL, 0, 4, 100, 4);
    rp_session_t *first = session;
    session = rp_engine_session(scene.engine, other);
    (void)plan(0); // with a planner that is made for it
    ck_assert_ptr_eq(first->own.planner, common);
    ck_assert_ptr_nonnull(shared->common.planner);
    rp_cached_planner_drop(&shared->common);
    session = first;
    (void)plan(0);
    ck_assert_int_eq(status, RP_OK);
    ck_assert(!first->own.is_under_way);
    ck_assert_int_eq(rp_scene_goal(&scene, other, 90, 4), RP_OK);
    session = rp_engine_session(scene.engine, other);
    (void)plan(0);
    ck_assert_ptr_eq(shared->common.planner, common);
    ck_assert_ptr_null(first->own.planner);
    ck_assert_ptr_null(first->own.loan);
}
END_TEST

/// What is lent is its holder's own as soon as that has paid for it.
START_TEST(what_was_lent_and_is_paid_for_stays)
{
    (void)begin(NULL);
    const rp_destination_t goal = {.x_m = 150.5, .y_m = 7.5};
    uint64_t budget = LOOK + 1u;
    ck_assert_int_eq(rp_engine_goals(scene.engine, session->id, &goal, 1, 0, nothing), RP_OK);
    ck_assert_int_eq(rp_session_plan(session, 0, &budget, &is_new, &look_us), RP_MORE);
    ck_assert_ptr_nonnull(session->own.loan);
    session->rent = session->layer->grid->cell_count / 8u - 1u;
    (void)plan(0);
    ck_assert_int_eq(status, RP_OK);
    ck_assert_ptr_nonnull(session->own.planner);
    ck_assert_ptr_null(session->own.loan);
    ck_assert_uint_eq(session->rent, 0);
}
END_TEST

START_TEST(who_belongs_to_a_large_group_plans_on_its_field_and_keeps_nothing_else)
{
    const rp_session_id_t id = begin(NULL);
    session->rent = session->layer->grid->cell_count / 8u;
    ck_assert_int_eq(rp_scene_goal(&scene, id, 3, 0), RP_OK);
    (void)plan(0);
    ck_assert_ptr_nonnull(session->own.planner);
    for (uint32_t i = 1; i < RP_GOAL_GROUP_SHARES_FROM; i++) {
        (void)rp_scene_session(&scene, NULL, 5, i % 8u, 100, 4);
    }
    ck_assert_int_eq(rp_scene_goal(&scene, id, 100, 4), RP_OK);
    ck_assert_uint_eq(session->goal.group->users, RP_GOAL_GROUP_SHARES_FROM);
    (void)plan(0);
    ck_assert_int_eq(status, RP_OK);
    ck_assert_ptr_null(session->own.planner);
    ck_assert_ptr_nonnull(session->goal.group->search.planner);
    ck_assert_uint_eq(session->published.term, session->goal.group->search.term);
    ck_assert_uint_ne(session->published.term, 0);
}
END_TEST

// ---- what is over then

START_TEST(when_it_is_done_nothing_of_it_is_under_way)
{
    (void)begin("astar");
    session->position.is_escaping = true;
    session->own.is_under_way = true;
    session->far->user = session;
    (void)rp_scene_set(&scene, 100, 0, 0);
    (void)plan(0);
    ck_assert_int_eq(status, RP_OK);
    ck_assert(is_new);
    ck_assert(!session->position.is_escaping);
    ck_assert(!session->own.is_under_way);
    ck_assert_ptr_null(session->far->user);
    ck_assert(!session->schedule.is_long);
    ck_assert_uint_eq(session->schedule.cut_off, 0);
}
END_TEST

/// A cheaper path is there for a second before it may be told: then ways out are looked for anew.
START_TEST(who_stands_in_inflation_and_waits_to_switch_leaves_it_by_the_same_way)
{
    static uint8_t bytes[20 * 5];
    for (uint32_t i = 0; i < 100; i++) { // a wall across but for its end, inflation on the left
        const uint32_t x = i % 20;
        bytes[i] = x == 10 && i / 20 < 4 ? 254 : x < 3 ? 253 : 0;
    }
    const rp_world_options_t options = {
        .width = 20, .height = 5, .neighbors = 8, .profile = "costmap", .data = bytes};
    rp_scene_open(&scene, &options);
    scene.policy = (rp_policy_t){.min_interval_ms = 1000};
    scene.now_us = 5000000;
    const rp_session_id_t id = rp_scene_session(&scene, NULL, 0, 1, 19, 1);
    const rp_answer_t first = rp_scene_answer(&scene);
    ck_assert_uint_eq(first.way_count, 3);
    (void)rp_scene_set(&scene, 10, 1, 0);
    rp_scene_expect_silence(&scene);
    session = rp_engine_session(scene.engine, id);
    ck_assert(!session->position.is_escaping);
    ck_assert_uint_eq(rp_escape_bytes(rp_session_escape(session)), 0);
    scene.now_us += 1000000;
    const rp_answer_t answer = rp_scene_answer(&scene);
    ck_assert_int_eq(answer.reason, RP_REASON_CHEAPER);
    ck_assert_double_eq(answer.cost, 16.0);
    ck_assert_uint_eq(answer.way_count, 3);
    ck_assert_uint_eq(answer.way_x, 0);
    ck_assert_uint_eq(answer.start_x, 3);
    ck_assert_uint_eq(answer.start_y, 1);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        who_is_outside_is_looked_at_and_no_more,
        what_was_published_is_walked_and_paid_for,
        what_lies_in_another_window_is_read_once_more,
        a_search_that_has_taken_an_eighth_of_the_cells_asks_what_is_connected,
        what_a_search_took_is_counted_up_to_the_greatest_number,
        a_search_is_cut_off_by_what_changes_while_it_is_under_way,
        who_has_not_heard_of_all_that_changed_begins_anew,
        a_planner_that_lacks_memory_for_changes_is_told_of_them_again,
        a_planner_is_told_that_a_path_was_the_cheapest_only_if_it_was,
        a_path_that_will_not_do_is_held_against_nothing,
        what_plans_took_is_counted,
        who_paid_for_an_eighth_of_the_cells_has_a_planner_of_its_own,
        who_waits_for_a_planner_has_none_and_may_have_none,
        a_planner_that_is_lent_comes_back_when_somebody_needs_it,
        what_was_lent_and_is_paid_for_stays,
        who_belongs_to_a_large_group_plans_on_its_field_and_keeps_nothing_else,
        when_it_is_done_nothing_of_it_is_under_way,
        who_stands_in_inflation_and_waits_to_switch_leaves_it_by_the_same_way,
    };
    return rp_suite_run("plan", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
