/// Lattices in slices: the ground is made, and changes are taken in, as part of plans, and each
/// pays for it; what is rewritten meanwhile is as good as rewritten before; obstacles beside the
/// path keep nobody waiting.
#include <stdio.h>
#include <stdlib.h>

#include "tests/planners/lattice/lattice_scene.h"

static rp_random_t rng;
static rp_control_set_t *set;
static rp_grid_t *grid;
static rp_lattice_t *lattice;

static void tear_down(void)
{
    rp_lattice_destroy(&lattice);
    rp_grid_destroy(&grid);
    rp_control_set_destroy(&set);
}

typedef rp_status_t work_t(rp_lattice_t *self, uint64_t *budget, rp_lattice_plan_t *plan);

/// @return calls that it took
static uint32_t work_in_slices(work_t *work, uint64_t budget, rp_lattice_plan_t *plan)
{
    uint32_t calls = 1;
    rp_status_t status = work(lattice, &(uint64_t){budget}, plan);
    for (; status == RP_MORE; calls++) {
        status = work(lattice, &(uint64_t){budget}, plan);
    }
    ck_assert_int_eq(status, RP_OK);
    return calls;
}

static void write_cell(rp_cell_t cell, uint8_t factor)
{
    const rp_change_t change = {.cell = cell, .before = grid->factor[cell], .after = factor};
    rp_grid_set(grid, cell, factor);
    ck_assert_int_eq(rp_lattice_apply(lattice, &change, 1), RP_OK);
}

/// By a lattice that knows nothing of what was. @param expanded  written: by the cheapest plan
static double fresh_plan(rp_cell_t start, rp_cell_t goal, uint64_t *expanded)
{
    rp_lattice_plan_t plan;
    rp_lattice_t *fresh = NULL;
    ck_assert_int_eq(rp_lattice_new(set, grid, &fresh), RP_OK);
    rp_lattice_set_percent(fresh, 0);
    rp_lattice_set_start(fresh, start, 0.0);
    rp_lattice_set_goal(fresh, goal);
    ck_assert_int_eq(rp_lattice_plan(fresh, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    rp_lattice_destroy(&fresh);
    *expanded = plan.expanded;
    return plan.cost;
}

static double fresh_cost(rp_cell_t start, rp_cell_t goal)
{
    uint64_t expanded;
    return fresh_plan(start, goal, &expanded);
}

// ---- the ground

/// Cells are rewritten to and fro while obstacles are read, counted, and the layer is written.
START_TEST(what_is_rewritten_while_the_ground_is_made_is_seen)
{
    static const double bodies[] = {0.45, 1.5, 2.2, 0.45};
    const bool is_weighted = _i % 4 == 3;
    rng.state = (uint64_t)_i + 11000u;
    set = scene_set(2.0, bodies[_i % 4], 16, RP_DRIVE_CAR);
    grid = scene_world(&rng, 40, _i % 4 == 0 ? 14 : 3, _i % 8 > 3, is_weighted ? 7 : 1);
    const rp_cell_t start = rp_grid_cell(grid, 5, 20);
    const rp_cell_t goal = rp_grid_cell(grid, 34, 22);
    ck_assert_int_eq(rp_lattice_new(set, grid, &lattice), RP_OK);
    rp_lattice_set_percent(lattice, 0);
    rp_lattice_set_start(lattice, start, 0.0);
    rp_lattice_set_goal(lattice, goal);
    rp_lattice_plan_t plan;
    rp_cell_t last = rp_grid_cell(grid, 20, 20);
    for (uint32_t i = 0; i < 150u; i++) {
        const rp_status_t status =
            rp_lattice_plan(lattice, &(uint64_t){rp_random_between(&rng, 1, 6)}, &plan);
        ck_assert(status == RP_OK || status == RP_MORE);
        if (!rp_random_chance(&rng, 40)) {
            const uint32_t y = rp_random_below(&rng, 40);
            last = rp_grid_cell(grid, rp_random_below(&rng, 40), y);
        }
        const uint8_t free = is_weighted ? (uint8_t)rp_random_between(&rng, 1, 7) : 1u;
        write_cell(last, grid->factor[last] != 0 ? 0 : free);
    }
    (void)work_in_slices(rp_lattice_plan, 1000, &plan);
    const double cost = fresh_cost(start, goal);
    ck_assert_msg(plan.cost == cost || fabs(plan.cost - cost) < 1e-9, "%f is said, %f is right",
                  plan.cost, cost);
}
END_TEST

/// A wall with one gap comes while the layer is made, and a cell elsewhere that costs more than any
/// before: all costs are rescaled, and the layer is begun anew.
START_TEST(what_was_rewritten_before_costs_are_rescaled_is_seen)
{
    const rp_grid_shape_t shape = {
        .width = 40, .height = 43, .neighbors = 8, .unit = 1, .least = 1};
    const uint64_t before =
        20u + (uint64_t)_i * 5u; // for some rows; for all of them, and a part of the layer
    rp_lattice_plan_t plan;
    set = scene_set(2.0, 0.45, 16, RP_DRIVE_CAR);
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    ck_assert_int_eq(rp_lattice_new(set, grid, &lattice), RP_OK);
    const rp_cell_t start = rp_grid_cell(grid, 5, 20);
    const rp_cell_t goal = rp_grid_cell(grid, 34, 22);
    rp_lattice_set_percent(lattice, 0);
    rp_lattice_set_start(lattice, start, 0.0);
    rp_lattice_set_goal(lattice, goal);
    (void)rp_lattice_plan(lattice, &(uint64_t){before}, &plan);
    for (uint32_t y = 0; y < 43u; y++) {
        write_cell(rp_grid_cell(grid, 20, y), y == 35u);
    }
    write_cell(rp_grid_cell(grid, 2, 2), 5);
    (void)work_in_slices(rp_lattice_plan, 1000, &plan);
    for (uint32_t i = 0; i < plan.segment_count; i++) {
        ck_assert(scene_is_clear(grid, &plan.segments[i], 0.45 - 1e-9));
    }
    ck_assert(fabs(plan.cost - fresh_cost(start, goal)) < 1e-9);
}
END_TEST

/// 40,000 cells, each read, counted in discs of 2 * 5 + 1 and 2 * 6 + 1 rows, and written.
START_TEST(who_plans_first_pays_for_the_ground_by_and_by)
{
    const rp_grid_shape_t shape = {
        .width = 200, .height = 200, .neighbors = 8, .unit = 1, .least = 1};
    rp_lattice_plan_t plan;
    set = scene_set(2.0, 6.0, 16, RP_DRIVE_CAR);
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    ck_assert_int_eq(rp_lattice_new(set, grid, &lattice), RP_OK);
    ck_assert_int_eq(rp_lattice_set_start(lattice, rp_grid_cell(grid, 20, 20), 0.0), RP_OK);
    ck_assert_int_eq(rp_lattice_set_goal(lattice, rp_grid_cell(grid, 24, 20)), RP_OK);
    ck_assert_uint_ge(work_in_slices(rp_lattice_plan, 100, &plan), 60);
    ck_assert_int_eq(plan.outcome, RP_OUTCOME_FOUND);
    rp_lattice_set_goal(lattice, rp_grid_cell(grid, 26, 20));
    ck_assert_uint_le(work_in_slices(rp_lattice_plan, 5000, &plan), 20);
}
END_TEST

/// The ground, the field and the poses: each is charged, whether or not the call finds an answer.
START_TEST(a_plan_leaves_what_it_did_not_use_of_its_budget)
{
    const rp_grid_shape_t shape = {
        .width = 100, .height = 100, .neighbors = 8, .unit = 1, .least = 1};
    rp_lattice_plan_t plan;
    uint64_t taken = UINT64_MAX;
    set = scene_set(2.0, 2.0, 16, RP_DRIVE_CAR);
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    for (unsigned i = 0; i < 3; i++) {
        uint64_t budget = i == 0 ? UINT64_MAX : i == 1 ? taken + 32u : taken / 2u;
        ck_assert_int_eq(rp_lattice_new(set, grid, &lattice), RP_OK);
        rp_lattice_set_start(lattice, rp_grid_cell(grid, 10, 20), 0.0);
        rp_lattice_set_goal(lattice, rp_grid_cell(grid, 80, 70));
        ck_assert_int_eq(rp_lattice_plan(lattice, &budget, &plan), i < 2 ? RP_OK : RP_MORE);
        taken = i == 0 ? UINT64_MAX - budget : taken;
        ck_assert(i == 0 || budget <= 32u);
        ck_assert_uint_ge(taken, plan.expanded + 1000u); // the field is one of 10,000 cells
        rp_lattice_destroy(&lattice);
    }
}
END_TEST

// ---- changes

/// A path along the upper edge, and 30,000 cells beside it, rewritten one by one or all at once.
static void write_block(uint8_t factor, bool is_at_once)
{
    rp_change_t *changes = calloc(30000, sizeof *changes);
    for (uint32_t i = 0; i < 30000u; i++) {
        const rp_cell_t cell = rp_grid_cell(grid, 20u + i % 200u, 60u + i / 200u);
        changes[i] = (rp_change_t){.cell = cell, .before = 1u - factor, .after = factor};
        rp_grid_set(grid, cell, factor);
    }
    for (uint32_t i = 0; i < 30000u; i += is_at_once ? 30000u : 1000u) {
        ck_assert_int_eq(rp_lattice_apply(lattice, changes + i, is_at_once ? 30000u : 1000u),
                         RP_OK);
    }
    free(changes);
}

/// Each of them stands in discs of 81 and 113 cells: that takes as long as 20 expansions and more.
START_TEST(thirty_thousand_obstacles_beside_a_truck_keep_nobody_waiting)
{
    const rp_grid_shape_t shape = {
        .width = 260, .height = 260, .neighbors = 8, .unit = 1, .least = 1};
    rp_lattice_plan_t plan;
    set = scene_set(4.0, 6.0, 16, RP_DRIVE_CAR);
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    ck_assert_int_eq(rp_lattice_new(set, grid, &lattice), RP_OK);
    rp_lattice_set_start(lattice, rp_grid_cell(grid, 30, 30), 0.0);
    rp_lattice_set_goal(lattice, rp_grid_cell(grid, 230, 30));
    (void)work_in_slices(rp_lattice_plan, 100000, &plan);
    const double cost = plan.cost;
    write_block(0, _i == 0);
    ck_assert_uint_eq(work_in_slices(rp_lattice_plan, 100, &plan), 1); // it stands
    ck_assert_uint_le(plan.expanded, 1);
    ck_assert(plan.cost == cost);
    ck_assert_uint_ge(work_in_slices(rp_lattice_improve, 1000, &plan), 300);
    ck_assert(plan.is_optimal);
    write_block(1, _i == 0);
    ck_assert_uint_ge(work_in_slices(rp_lattice_plan, 1000, &plan), 300); // what is freed is asked
    ck_assert(plan.cost >= 200.0 && plan.cost <= cost);
}
END_TEST

/// A cell waits once, however often it is rewritten.
START_TEST(a_cell_that_is_rewritten_again_and_again_waits_once)
{
    const rp_grid_shape_t shape = {
        .width = 60, .height = 60, .neighbors = 8, .unit = 1, .least = 1};
    rp_lattice_plan_t plan;
    set = scene_set(2.0, 2.0, 16, RP_DRIVE_CAR);
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    ck_assert_int_eq(rp_lattice_new(set, grid, &lattice), RP_OK);
    rp_lattice_set_start(lattice, rp_grid_cell(grid, 10, 10), 0.0);
    rp_lattice_set_goal(lattice, rp_grid_cell(grid, 50, 10));
    (void)work_in_slices(rp_lattice_plan, 100000, &plan);
    const uint64_t bytes = rp_lattice_bytes(lattice);
    for (uint32_t i = 0; i < 20001u; i++) {
        write_cell(rp_grid_cell(grid, 30u + i % 3u, 40), (uint8_t)(i / 3u % 2u));
    }
    ck_assert_uint_le(rp_lattice_bytes(lattice), bytes + 4096u);
    ck_assert_uint_eq(work_in_slices(rp_lattice_plan, 100000, &plan), 1);
}
END_TEST

// ---- many searches

/// Pages of this process.
static long resident(void)
{
    long size = 0;
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%ld %ld", &size, &pages), 2);
    (void)fclose(file);
    return pages;
}

/// The numbers of searches begin again: 16 million poses, of which few were met, are not cleared.
START_TEST(the_ten_thousandth_search_takes_no_more_memory_than_the_first)
{
    const rp_grid_shape_t shape = {
        .width = 1000, .height = 1000, .neighbors = 8, .unit = 1, .least = 1};
    rp_lattice_search_t search;
    rp_obstacles_t obstacles;
    set = scene_set(2.0, 0.45, 16, RP_DRIVE_CAR);
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    ck_assert_int_eq(rp_obstacles_init(&obstacles, grid, set->reach), RP_OK);
    rp_obstacles_fill(&obstacles, grid);
    ck_assert_int_eq(rp_lattice_search_init(&search, set, grid, &obstacles, NULL), RP_OK);
    uint32_t cost = 0;
    long before = 0;
    for (uint32_t i = 0; i < 10000u; i++) {
        const rp_lattice_pose_t start = {500, 500, 0};
        uint64_t budget = UINT64_MAX;
        rp_lattice_search_begin(&search, 506, 501, 10, RP_LATTICE_COST_MOST);
        rp_lattice_search_root(&search, start, 0);
        ck_assert_int_eq(rp_lattice_search_work(&search, &budget), RP_OK);
        cost = i == 0 ? search.best : cost;
        before = i == 0 ? resident() : before;
        RP_EACH_EQ(search.best, cost);
    }
    ck_assert_int_le(resident() - before, 20000); // the poses take 31,250
    rp_lattice_search_fini(&search);
    rp_obstacles_fini(&obstacles);
}
END_TEST

// ---- a broken path

/// The cheapest path is known, and blocked in the middle: the next one is found before the field
/// hears of that, and what the last one told about costs still stands. Then one search more is
/// enough for the cheapest.
START_TEST(a_broken_path_is_mended_where_it_broke)
{
    const rp_grid_shape_t shape = {
        .width = 300, .height = 60, .neighbors = 8, .unit = 1, .least = 1};
    rp_lattice_plan_t plan;
    set = scene_set(3.0, 1.0, 16, RP_DRIVE_CAR);
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    ck_assert_int_eq(rp_lattice_new(set, grid, &lattice), RP_OK);
    const rp_cell_t start = rp_grid_cell(grid, 10, 30);
    const rp_cell_t goal = rp_grid_cell(grid, 290, 30);
    rp_lattice_set_start(lattice, start, 0.0);
    rp_lattice_set_goal(lattice, goal);
    (void)work_in_slices(rp_lattice_improve, 100000, &plan);
    write_cell(rp_grid_cell(grid, 150, 30), 0);
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    ck_assert_uint_le(plan.expanded, 400);
    ck_assert(plan.bound >= 280.0);
    const uint64_t mended = plan.expanded;
    uint64_t expanded;
    const double cost = fresh_plan(start, goal, &expanded);
    ck_assert(plan.cost <= 1.1 * cost && plan.bound <= cost + 1e-9);
    for (uint32_t i = 0; i < plan.segment_count; i++) {
        ck_assert(scene_is_clear(grid, &plan.segments[i], 1.0 - 1e-9));
    }
    ck_assert_int_eq(rp_lattice_improve(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    ck_assert(fabs(plan.cost - cost) < 1e-9);
    ck_assert_uint_le(plan.expanded, mended + expanded);
}
END_TEST

int main(void)
{
    const TTest *const made[] = {what_is_rewritten_while_the_ground_is_made_is_seen};
    const TTest *const rescaled[] = {what_was_rewritten_before_costs_are_rescaled_is_seen};
    const TTest *const changed[] = {thirty_thousand_obstacles_beside_a_truck_keep_nobody_waiting};
    const TTest *const once[] = {
        who_plans_first_pays_for_the_ground_by_and_by,
        a_plan_leaves_what_it_did_not_use_of_its_budget,
        a_cell_that_is_rewritten_again_and_again_waits_once,
        the_ten_thousandth_search_takes_no_more_memory_than_the_first,
        a_broken_path_is_mended_where_it_broke,
    };
    const int first = rp_suite_run("ground", made, 1, RP_ROUNDS(48), tear_down);
    const int second = rp_suite_run("changes", changed, 1, 2, tear_down);
    const int third = rp_suite_run("mended", once, sizeof once / sizeof once[0], 1, tear_down);
    const int fourth = rp_suite_run("rescaled", rescaled, 1, RP_ROUNDS(24), tear_down);
    return first != 0 ? first : second != 0 ? second : third != 0 ? third : fourth;
}
