/// Routes: what a planner of jump points leaves standing of its last path is there, and the whole
/// is legal and as cheap as that of another planner.
///
/// None of that is part of the contract, so this test compiles the planner's source once more,
/// under another name, with its assertions.
#undef NDEBUG
#include "planners/grid/cost.h"

#undef RP_MEMBER
#define RP_MEMBER(name) name##_under_test
#include "planners/members/jps.c" // NOLINT(bugprone-suspicious-include)

#include <stdlib.h>

#include "planners/core/change_log.h"
#include "replan/path.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define WIDTH  180u
#define HEIGHT 140u
#define CELLS  ((WIDTH + 2u) * (HEIGHT + 2u))

static rp_grid_t *grid;
static jps_t jps;
static rp_planner_t *other;
static rp_cell_t shown[CELLS]; ///< the path that is shown, as far as the start has not left it
static uint32_t count;
static uint32_t stood; ///< cells that were left standing
static rp_cell_t start;
static rp_cell_t goal;

static void tear_down(void)
{
    rp_planner_destroy(&other);
    rp_member_unbind(&RP_MEMBER(jps), &jps, &arena, NULL);
    rp_grid_destroy(&grid);
}

static void begin(rp_random_t *random)
{
    const rp_grid_shape_t shape = {
        .width = WIDTH, .height = HEIGHT, .neighbors = 8, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    for (uint32_t wall = 0; wall < 25u; wall++) {
        const uint32_t x = rp_random_between(random, 10, WIDTH - 11u);
        const uint32_t y = rp_random_below(random, HEIGHT - 30u);
        for (uint32_t i = 0; i < 30u; i++) {
            rp_grid_set(grid, rp_grid_cell(grid, x, y + i), 0);
        }
    }
    start = rp_grid_cell(grid, 2, 70);
    goal = rp_grid_cell(grid, WIDTH - 3u, 66);
    ck_assert_int_eq(rp_member_bind(&RP_MEMBER(jps), &jps, grid, &(rp_member_options_t){0}, &arena),
                     RP_OK);
    ck_assert_int_eq(rp_planner_new("astar", NULL, &other), RP_OK);
    ck_assert_int_eq(rp_planner_bind(other, grid), RP_OK);
    jps_begin(&jps, start, &(rp_goal_t){.cell = goal}, 1);
    count = 0;
    stood = 0;
}

/// The new path takes the place of the one that is shown.
static void take_path(void)
{
    static rp_cell_t cells[CELLS];
    rp_path_stands_t stands = {0};
    const uint32_t written = jps_path(&jps, cells, &stands);
    ck_assert_uint_eq(stands.head, 0);
    ck_assert_uint_le(stands.tail, count);
    memcpy(cells + written, shown + count - stands.tail, stands.tail * sizeof *cells);
    count = written + stands.tail;
    stood += stands.tail;
    memcpy(shown, cells, count * sizeof *shown);
    uint32_t diagonals = 0;
    for (uint32_t i = 1; i < count; i++) {
        diagonals += rp_path_direction(grid, shown[i - 1u], shown[i]) & 1u;
    }
    ck_assert(!stands.has_diagonals || stands.diagonals == diagonals);
}

static void plan(void)
{
    rp_search_stats_t stats = {0};
    uint64_t budget = UINT64_MAX;
    rp_plan_t its;
    ck_assert_int_eq(jps_search(&jps, &budget, &stats), RP_OK);
    ck_assert(jps_check(&jps));
    take_path();
    ck_assert_int_eq(rp_planner_set_start(other, start), RP_OK);
    ck_assert_int_eq(rp_planner_set_goal(other, goal), RP_OK);
    ck_assert_int_eq(rp_planner_plan(other, UINT64_MAX, &its), RP_OK);
    ck_assert((its.outcome == RP_OUTCOME_FOUND) == (count != 0));
    if (count != 0) {
        const rp_path_t path = {shown, count};
        ck_assert_uint_eq(shown[0], start);
        ck_assert_uint_eq(shown[count - 1u], goal);
        ck_assert_double_eq_tol(rp_path_cost(&path, grid), its.cost, 1e-9);
    }
}

/// Something comes or goes near the start, and the planners are told.
/// @param is_own  the path that is shown is what `jps` wrote last
static void happen(rp_random_t *random, bool goal_moved, bool start_moved, bool is_own)
{
    rp_change_t changes[6];
    size_t change_count = 0;
    const uint32_t x = rp_grid_x(grid, start);
    const uint32_t y = rp_grid_y(grid, start);
    for (unsigned i = 0; i < 6u; i++) {
        const rp_cell_t cell =
            rp_grid_cell(grid, (x + rp_random_below(random, 12)) % WIDTH,
                         (y + HEIGHT - 6u + rp_random_below(random, 12)) % HEIGHT);
        const uint8_t before = grid->factor[cell];
        if (cell != start && cell != goal) {
            rp_grid_set(grid, cell, before == 0);
            changes[change_count++] = (rp_change_t){cell, before, before == 0};
        }
    }
    const rp_goal_t goals[1] = {{goal, 0}};
    ck_assert_int_eq(rp_planner_apply(other, changes, change_count), RP_OK);
    rp_change_log_t merged = {0};
    rp_change_log_clear(&merged);
    ck_assert_int_eq(rp_change_log_add(&merged, grid, changes, change_count), RP_OK);
    merged.is_merged = false;
    rp_change_log_merge(&merged);
    ck_assert(jps_update(&jps, &(rp_update_t){.changes = merged.changes,
                                              .change_count = merged.count,
                                              .goals = goals,
                                              .goal_count = 1,
                                              .start = start,
                                              .goals_changed = goal_moved,
                                              .start_moved = start_moved,
                                              .shown = {shown, count},
                                              .is_own = is_own}));
    rp_change_log_fini(&merged);
}

/// @param knows  the planner is told that the path is its own
static void walk(rp_random_t *random, bool knows)
{
    for (unsigned step = 0; step < 120u && start != goal; step++) {
        const uint32_t steps = rp_random_below(random, count > 4u ? 4u : 1u);
        if (rp_random_chance(random, 50)) { // what the start has left is shown no more
            memmove(shown, shown + steps, (count - steps) * sizeof *shown);
            count -= steps;
            start = count != 0 ? shown[0] : start;
        } else {
            start = count != 0 ? shown[steps] : start;
        }
        const bool jumps = rp_random_chance(random, 5);
        const rp_cell_t next =
            rp_grid_cell(grid, WIDTH - 4u + rp_random_below(random, 3), HEIGHT / 2u);
        jps.work[0] = rp_random_chance(random, 50) ? 1u : 9u; // from either end
        jps.work[1] = 5u;
        if (jumps && next != start) {
            rp_grid_set(grid, next, 1);
            goal = next;
            forget_ground(&jps);
            ck_assert_int_eq(rp_planner_bind(other, grid), RP_OK);
        }
        happen(random, jumps, steps != 0, knows);
        plan();
    }
}

START_TEST(what_is_left_standing_is_there)
{
    rp_random_t random = {(uint64_t)_i + 3u};
    begin(&random);
    plan();
    walk(&random, true);
    ck_assert_uint_gt(stood, 500);
}
END_TEST

START_TEST(of_a_path_by_somebody_else_nothing_stands)
{
    rp_random_t random = {(uint64_t)_i + 13u};
    begin(&random);
    plan();
    walk(&random, false);
    ck_assert_uint_eq(stood, 0);
}
END_TEST

/// Beyond that, a path is written as a whole.
START_TEST(a_path_may_turn_at_more_places_than_a_route_holds)
{
    rp_random_t random = {1};
    begin(&random);
    for (uint32_t x = 0; x < WIDTH; x++) { // combs, whose gaps lie at either end in turns
        for (uint32_t y = 0; y < HEIGHT; y++) {
            rp_grid_set(grid, rp_grid_cell(grid, x, y),
                        x % 2u == 0 || y == (x % 4u == 1u ? 0 : HEIGHT - 1u));
        }
    }
    forget_ground(&jps);
    ck_assert_int_eq(rp_planner_bind(other, grid), RP_OK);
    goal = rp_grid_cell(grid, WIDTH - 2u, 66);
    jps_begin(&jps, start, &(rp_goal_t){.cell = goal}, 1);
    jps.form = JUMPS;
    plan();
    ck_assert_uint_gt(count, WIDTH / 2u * (HEIGHT - 4u));
    ck_assert_uint_eq(jps.routes[jps.fresh].count, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_is_left_standing_is_there,
        of_a_path_by_somebody_else_nothing_stands,
        a_path_may_turn_at_more_places_than_a_route_holds,
    };
    return rp_suite_run("jump_route", tests, sizeof tests / sizeof tests[0], 6, tear_down);
}
