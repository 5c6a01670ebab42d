/// Who shares sits together, the rest is spread.
#include "daemon/workers/assignment.h"

#include <math.h>

#include "tests/support/suite.h"

static rp_assignment_t assignment;
static rp_destination_t place = {.x_m = 1.5, .y_m = 2.5};
static const rp_aim_t aim = {.points = &place, .count = 1};

static void begin(unsigned workers)
{
    assignment = (rp_assignment_t){.worker_count = workers};
}

static void tear_down(void)
{
    rp_assignment_fini(&assignment);
}

/// A session of a layer, with a goal of that number. @return its worker
static unsigned join(rp_layer_use_t *layer, double goal)
{
    place.x_m = goal;
    return rp_session_group_join(&assignment, layer, rp_session_group_key(layer, &aim),
                                 RP_NO_WORKER)
        ->worker;
}

START_TEST(sessions_with_the_same_goals_share_a_worker)
{
    begin(4);
    rp_layer_use_t *layer = rp_layer_use_enter(&assignment, 1, 11, true);
    const unsigned worker = join(layer, 1.0);
    for (unsigned i = 0; i < 20; i++) {
        ck_assert_uint_eq(join(layer, 1.0), worker);
    }
}
END_TEST

START_TEST(groups_are_spread_evenly)
{
    begin(3);
    rp_layer_use_t *layer = rp_layer_use_enter(&assignment, 1, 11, true);
    for (unsigned i = 0; i < 30; i++) {
        (void)join(layer, i);
    }
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_uint_eq(assignment.load[i], 10);
    }
}
END_TEST

/// Each differs from the first in one thing, and of that in the lowest bits.
START_TEST(a_key_tells_apart_all_that_makes_another_search)
{
    const double next = nextafter(1.5, 2.0);
    rp_destination_t places[] = {{.x_m = 1.5, .y_m = 1.5},
                                 {.x_m = next, .y_m = 1.5},
                                 {.x_m = 1.5, .y_m = next},
                                 {.x_m = 1.5, .y_m = 1.5, .offset = 1}};
    const rp_aim_t aims[] = {{.points = &places[0], .count = 1},
                             {.points = &places[1], .count = 1},
                             {.points = &places[2], .count = 1},
                             {.points = &places[3], .count = 1},
                             {.points = &places[0], .count = 1, .kind = 1},
                             {.points = &places[0], .count = 1, .target = 1},
                             {.points = &places[0], .count = 1, .tolerance_m = 5e-324},
                             {.points = &places[0], .count = 0},
                             {.points = &places[0], .count = 1},
                             {.points = &places[0], .count = 1}};
    const size_t count = sizeof aims / sizeof aims[0];
    uint64_t keys[sizeof aims / sizeof aims[0]];
    begin(1);
    rp_layer_use_t *layer = rp_layer_use_enter(&assignment, 1, 11, true);
    for (size_t i = 0; i + 2 < count; i++) {
        keys[i] = rp_session_group_key(layer, &aims[i]);
    }
    keys[count - 2] =
        rp_session_group_key(rp_layer_use_enter(&assignment, 2, 11, true), &aims[count - 2]);
    keys[count - 1] =
        rp_session_group_key(rp_layer_use_enter(&assignment, 1, 12, true), &aims[count - 1]);
    for (size_t i = 0; i < count; i++) {
        for (size_t other = 0; other < i; other++) {
            ck_assert_msg(keys[i] != keys[other], "%zu and %zu", i, other);
        }
    }
    // Where all gather counts, and not where each goes from there.
    const rp_aim_t one = {.points = &places[1], .count = 1, .rendezvous = &places[0]};
    ck_assert_uint_eq(rp_session_group_key(layer, &one), keys[0]);
}
END_TEST

START_TEST(a_layer_that_must_be_built_stays_with_one_worker_while_it_has_little_to_do)
{
    begin(2);
    rp_layer_use_t *wide = rp_layer_use_enter(&assignment, 1, 22, false);
    const unsigned worker = join(wide, 0.0);
    for (unsigned i = 1; i < 8; i++) {
        ck_assert_uint_eq(join(wide, i), worker);
    }
    for (unsigned i = 8; i < 100; i++) {
        (void)join(wide, i);
    }
    ck_assert_uint_gt(assignment.load[1u - worker], 20);
}
END_TEST

START_TEST(a_group_of_its_own_stays_where_its_session_was)
{
    begin(2);
    rp_layer_use_t *layer = rp_layer_use_enter(&assignment, 1, 11, true);
    (void)join(layer, 1.0);
    place.x_m = 2.0;
    const uint64_t key = rp_session_group_key(layer, &aim);
    ck_assert_uint_eq(rp_session_group_join(&assignment, layer, key, 0)->worker, 0);
}
END_TEST

START_TEST(who_leaves_is_forgotten)
{
    bool is_known;
    begin(2);
    rp_layer_use_t *layer = rp_layer_use_enter(&assignment, 1, 22, false);
    rp_session_group_t *group = rp_session_group_join(&assignment, layer, 5, RP_NO_WORKER);
    const unsigned worker = group->worker;
    ck_assert(rp_assignment_serves(&assignment, 1, worker));
    ck_assert(!rp_assignment_serves(&assignment, 2, worker));
    ck_assert_uint_eq(rp_assignment_layers(&assignment, 1, 22, &is_known), 2);
    ck_assert(is_known);
    rp_session_group_leave(&assignment, layer, group);
    rp_layer_use_leave(&assignment, layer);
    ck_assert(!rp_assignment_serves(&assignment, 1, worker));
    ck_assert_uint_eq(assignment.load[worker], 0);
    ck_assert_uint_eq(rp_assignment_layers(&assignment, 1, 22, &is_known), 1);
    ck_assert(!is_known);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        sessions_with_the_same_goals_share_a_worker,
        groups_are_spread_evenly,
        a_key_tells_apart_all_that_makes_another_search,
        a_layer_that_must_be_built_stays_with_one_worker_while_it_has_little_to_do,
        a_group_of_its_own_stays_where_its_session_was,
        who_leaves_is_forgotten,
    };
    return rp_suite_run("assignment", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
