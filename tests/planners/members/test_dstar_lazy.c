/// D* Lite that is told of obstacles where its path leads: what it need not look at, and that it
/// finds out in time. That answers are right is the oracle's business (test_oracle.c); each plan
/// here is judged all the same.
#include <string.h>

#include "tests/support/drawing.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE 40u

static rp_trial_t trial;
static rp_trial_t twin; ///< D* Lite, told the same
static rp_random_t rng;

static void tear_down(void)
{
    rp_trial_fini(&trial);
    rp_trial_fini(&twin);
}

static void begin(void)
{
    ck_assert_int_eq(rp_trial_init(&trial, "dstar-lazy", NULL), RP_OK);
    ck_assert_int_eq(rp_trial_init(&twin, "dstar-lite", NULL), RP_OK);
}

static void draw(const char *text, uint8_t neighbors)
{
    ck_assert(rp_drawing_try(text, neighbors, false, &trial));
    ck_assert(rp_drawing_try(text, neighbors, false, &twin));
    rp_trial_expect_plan(&trial);
    rp_trial_expect_plan(&twin);
}

static void set_both(uint32_t x, uint32_t y, uint8_t factor)
{
    rp_trial_set(&trial, x, y, factor);
    rp_trial_set(&twin, x, y, factor);
}

/// An empty world with its ends on the middle row.
static void make_hall(uint8_t neighbors)
{
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = SIDE, .neighbors = neighbors, .unit = 1, .least = 1};
    rp_trial_t *const both[] = {&trial, &twin};
    for (unsigned i = 0; i < 2u; i++) {
        ck_assert_int_eq(rp_trial_bind(both[i], &shape), RP_OK);
        rp_trial_set_start(both[i], 1, SIDE / 2u);
        rp_trial_set_goal(both[i], SIDE - 2u, SIDE / 2u);
        rp_trial_expect_plan(both[i]);
    }
}

/// A wall grows beside the path, and nothing is searched. Then the path is cut, too, and has to
/// lead round all of it.
START_TEST(a_wall_beside_the_path_is_met_when_the_path_is_cut)
{
    begin();
    make_hall(_i % 2 == 0 ? 4 : 8);
    for (uint32_t y = 4; y < SIDE - 4u; y++) {
        if (y != SIDE / 2u) {
            set_both(SIDE / 2u, y, 0);
            ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
        }
    }
    (void)rp_trial_expect_repair(&twin);
    set_both(SIDE / 2u, SIDE / 2u, 0);
    const uint64_t expanded = rp_trial_expect_repair(&trial);
    ck_assert_uint_le(expanded, 2u * rp_trial_expect_repair(&twin));
}
END_TEST

/// The detour would lead where another obstacle appeared that the search was not told of.
START_TEST(a_detour_is_looked_at_before_it_is_shown)
{
    begin();
    draw("..........\n"
         ".########.\n"
         "S........G\n"
         ".########.\n"
         "..........",
         _i % 2 == 0 ? 4 : 8);
    set_both(4, 0, 0); // beside the path
    ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
    set_both(4, 2, 0);
    (void)rp_trial_expect_repair(&trial); // judged: below, and not above
    set_both(4, 4, 0);
    rp_trial_expect_plan(&trial);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_NO_PATH);
    set_both(4, 0, 1);
    rp_trial_expect_plan(&trial);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_FOUND);
}
END_TEST

/// While a cell was blocked that the search was not told of, its neighbours lost what they had from
/// it, as a search came by. When it is freed they get it back.
START_TEST(a_cell_that_is_freed_again_gives_what_it_gave)
{
    for (uint32_t round = 0; round < RP_ROUNDS(400u); round++) {
        rng = (rp_random_t){7919u * (unsigned)_i + round};
        begin();
        make_hall(_i % 2 == 0 ? 4 : 8);
        for (uint32_t i = 0; i < 60; i++) {
            const uint32_t x = rp_random_between(&rng, SIDE / 2u - 3u, SIDE / 2u + 3u);
            const uint32_t y = rp_random_between(&rng, SIDE / 2u - 3u, SIDE / 2u + 3u);
            rp_trial_set(&trial, x, y, rp_random_chance(&rng, 40) ? 0 : 1);
            if (rp_random_chance(&rng, 70)) {
                rp_trial_expect_plan(&trial); // judged
                ck_assert_uint_eq(trial.plan.stats.restarts, 0);
            }
        }
        tear_down();
    }
    begin();
}
END_TEST

/// A batch that shortens the path is heard of before the plan, and part of it is undone by then. A
/// cell that it writes as it was knows the way over the obstacle again.
START_TEST(an_obstacle_that_was_undone_before_the_plan_leaves_nothing_behind)
{
    begin();
    draw(".......\n"
         "S..#..G\n"
         ".#####.\n"
         ".......\n"
         ".......",
         _i % 2 == 0 ? 4 : 8);
    rp_trial_set(&trial, 3, 0, 0);
    rp_trial_expect_plan(&trial); // below
    rp_trial_set(&trial, 3, 0, 1);
    rp_trial_expect_plan(&trial); // above
    rp_trial_set(&trial, 2, 3, 1);
    rp_trial_set(&trial, 3, 3, 0);
    rp_trial_set(&trial, 3, 1, 1);
    rp_trial_tell(&trial);
    rp_trial_set(&trial, 3, 3, 1);
    rp_trial_tell(&trial);
    rp_trial_expect_plan(&trial); // straight through
    rp_trial_set(&trial, 3, 1, 0);
    rp_trial_set(&trial, 3, 0, 0);
    rp_trial_expect_plan(&trial); // judged: below
}
END_TEST

/// What most cells beside its path turn out to be does not matter to an agent that walks.
START_TEST(a_trip_costs_no_more_than_with_dstar_lite)
{
    uint64_t expanded = 0;
    uint64_t by_twin = 0;
    rng = (rp_random_t){5u + (unsigned)_i};
    begin();
    make_hall(_i % 2 == 0 ? 4 : 8);
    while (trial.plan.outcome == RP_OUTCOME_FOUND && trial.plan.path.count > 4u) {
        const rp_cell_t next = trial.plan.path.cells[1];
        const uint32_t x = rp_grid_x(trial.grid, next);
        const uint32_t y = rp_grid_y(trial.grid, next);
        for (unsigned i = 0; i < 4; i++) {
            const uint32_t seen_x = x + rp_random_below(&rng, 4);
            const uint32_t seen_y = y + rp_random_below(&rng, 7) - 3u;
            if (seen_x < SIDE - 3u && seen_y < SIDE && (seen_x != x || seen_y != y)) {
                set_both(seen_x, seen_y, 0);
            }
        }
        rp_trial_set_start(&trial, x, y);
        rp_trial_set_start(&twin, x, y);
        expanded += rp_trial_expect_repair(&trial);
        by_twin += rp_trial_expect_repair(&twin);
    }
    ck_assert_uint_gt(by_twin, 0);
    ck_assert_uint_le(expanded, by_twin + by_twin / 4u);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_wall_beside_the_path_is_met_when_the_path_is_cut,
        a_detour_is_looked_at_before_it_is_shown,
        a_cell_that_is_freed_again_gives_what_it_gave,
        an_obstacle_that_was_undone_before_the_plan_leaves_nothing_behind,
        a_trip_costs_no_more_than_with_dstar_lite,
    };
    return rp_suite_run("dstar_lazy", tests, sizeof tests / sizeof tests[0], 4, tear_down);
}
