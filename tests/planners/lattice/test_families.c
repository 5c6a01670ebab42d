/// Families of headings: where one has no path the next is asked, and an answer is about the first
/// that has one. Beside lattices that have one family each.
#include "tests/planners/lattice/lattice_oracle.h"

#define FAMILIES 3u

static rp_random_t rng;
static rp_control_set_t *sets[FAMILIES];
static rp_control_set_t *late[FAMILIES]; ///< the same, not built beforehand
static rp_grid_t *grid;
static rp_lattice_t *lattice;
static rp_lattice_t *alone[FAMILIES];
static rp_cell_t start;
static rp_lattice_goal_t goal;
static double yaw;

static void close_world(void)
{
    rp_lattice_destroy(&lattice);
    for (uint32_t i = 0; i < FAMILIES; i++) {
        rp_lattice_destroy(&alone[i]);
    }
    rp_grid_destroy(&grid);
}

static void tear_down(void)
{
    close_world();
    for (uint32_t i = 0; i < FAMILIES; i++) {
        rp_control_set_destroy(&sets[i]);
        rp_control_set_destroy(&late[i]);
    }
}

static void open_sets(void)
{
    for (uint32_t i = 0; i < FAMILIES; i++) {
        const rp_lattice_shape_t shape = {
            .turning_radius = 2.0, .body_radius = 0.9, .headings = 8u << i, .drive = RP_DRIVE_CAR};
        sets[i] = scene_set_of(&shape);
        ck_assert_int_eq(rp_control_set_new(&shape, &late[i]), RP_OK);
    }
}

static rp_cell_t draw_cell(void)
{
    const uint32_t y = rp_random_between(&rng, 1, grid->shape.height - 2u);
    return rp_grid_cell(grid, rp_random_between(&rng, 1, grid->shape.width - 2u), y);
}

static void draw_ends(void)
{
    start = draw_cell();
    yaw = sets[0]->headings.angle[rp_random_below(&rng, 8)];
    goal = (rp_lattice_goal_t){.cell = draw_cell(),
                               .heading = rp_random_chance(&rng, 30) ? RP_GOAL_FIXED : RP_GOAL_FREE,
                               .yaw = sets[0]->headings.angle[rp_random_below(&rng, 8)]};
    rp_lattice_set_start(lattice, start, yaw);
    rp_lattice_set_goal_pose(lattice, &goal);
    for (uint32_t i = 0; i < FAMILIES; i++) {
        rp_lattice_set_start(alone[i], start, yaw);
        rp_lattice_set_goal_pose(alone[i], &goal);
    }
}

static void open_world(void)
{
    grid = scene_world(&rng, 20, rp_random_between(&rng, 12, 24), false, 1);
    ck_assert_int_eq(rp_lattice_new(sets[0], grid, &lattice), RP_OK);
    ck_assert_int_eq(rp_lattice_set_finer(lattice, late + 1, FAMILIES - 1u), RP_OK);
    for (uint32_t i = 0; i < FAMILIES; i++) {
        ck_assert_int_eq(rp_lattice_new(sets[i], grid, &alone[i]), RP_OK);
        ck_assert_int_eq(rp_lattice_set_percent(alone[i], 0), RP_OK);
    }
    draw_ends();
}

/// With budgets that are small, too: each makes some headway.
static void plan_in_steps(rp_lattice_plan_t *plan)
{
    const uint32_t most = rp_random_chance(&rng, 50) ? 15u : 4000u;
    rp_status_t status = RP_MORE;
    for (uint32_t calls = 0; status == RP_MORE; calls++) {
        ck_assert_uint_lt(calls, 1000000u);
        status = rp_lattice_plan(lattice, &(uint64_t){rp_random_between(&rng, 1, most)}, plan);
    }
    ck_assert_int_eq(status, RP_OK);
}

/// The first family that has a path, by lattices of one family. @return whether it was not the
/// first
static bool expect_first(const rp_lattice_plan_t *plan)
{
    const oracle_t judge = {.set = sets[0], .grid = grid};
    rp_lattice_plan_t each = {.outcome = RP_OUTCOME_NO_PATH};
    uint32_t family = 0;
    for (uint32_t i = 0; i < FAMILIES && each.outcome == RP_OUTCOME_NO_PATH; i++) {
        ck_assert_int_eq(rp_lattice_plan(alone[i], &(uint64_t){UINT64_MAX}, &each), RP_OK);
        family = 8u << i;
    }
    ck_assert_int_eq(plan->outcome, each.outcome);
    if (each.outcome == RP_OUTCOME_FOUND) {
        ck_assert_uint_eq(plan->family, family);
        ck_assert_double_le(plan->cost, 1.1 * each.cost + 32.0 / 408.0);
        ck_assert_double_le(plan->bound, each.cost + 1e-9);
        ck_assert(plan->bound >= plan->cost / 1.1 - 2.0 * 32.0 / 408.0 || plan->cost < 1.0);
        oracle_expect_legal(&judge, plan);
    } else if (each.outcome == RP_OUTCOME_NO_PATH) {
        ck_assert(plan->family == family || plan->family == 0);
    }
    return each.outcome == RP_OUTCOME_FOUND && family != 8u;
}

static void change_world(void)
{
    for (uint32_t i = 0; i < 2u; i++) {
        const rp_cell_t cell = draw_cell();
        const rp_change_t change = {
            .cell = cell, .before = grid->factor[cell], .after = grid->factor[cell] == 0};
        rp_grid_set(grid, cell, change.after);
        ck_assert_int_eq(rp_lattice_apply(lattice, &change, 1), RP_OK);
        for (uint32_t k = 0; k < FAMILIES; k++) {
            ck_assert_int_eq(rp_lattice_apply(alone[k], &change, 1), RP_OK);
        }
    }
}

START_TEST(an_answer_is_about_the_first_family_that_has_one)
{
    rng.state = (uint64_t)_i + 9000u;
    open_sets();
    uint32_t finer = 0;
    for (uint32_t world = 0; world < RP_ROUNDS(8u) || (finer == 0 && world < 100u); world++) {
        open_world();
        for (uint32_t round = 0; round < 12u; round++) {
            rp_lattice_plan_t plan;
            plan_in_steps(&plan);
            finer += expect_first(&plan);
            if (round % 4u == 3u) {
                draw_ends();
            } else {
                change_world();
            }
            const rp_status_t status = rp_lattice_keep(lattice, &(uint64_t){UINT64_MAX}, &plan);
            ck_assert(status == RP_OK || status == RP_E_UNSUPPORTED);
            if (status == RP_OK) {
                (void)expect_first(&plan);
            }
        }
        close_world();
    }
    ck_assert_uint_gt(finer, 0);
}
END_TEST

/// A wall from edge to edge: no headings help, and none are asked.
START_TEST(what_is_cut_off_is_so_for_all_families)
{
    rp_lattice_plan_t plan;
    open_sets();
    rng.state = 1;
    grid = scene_world(&rng, 20, 0, false, 1);
    for (uint32_t y = 0; y < grid->shape.height; y++) {
        rp_grid_set(grid, rp_grid_cell(grid, 10, y), 0);
    }
    ck_assert_int_eq(rp_lattice_new(sets[0], grid, &lattice), RP_OK);
    ck_assert_int_eq(rp_lattice_set_finer(lattice, late + 1, FAMILIES - 1u), RP_OK);
    rp_lattice_set_start(lattice, rp_grid_cell(grid, 4, 9), 0.0);
    rp_lattice_set_goal(lattice, rp_grid_cell(grid, 15, 9));
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    ck_assert_int_eq(plan.outcome, RP_OUTCOME_NO_PATH);
    ck_assert_uint_eq(plan.family, 0);
    ck_assert_ptr_nonnull(late[1]->builder);
    const rp_change_t change = {.cell = rp_grid_cell(grid, 5, 3), .before = 1, .after = 0};
    rp_grid_set(grid, change.cell, 0);
    ck_assert_int_eq(rp_lattice_apply(lattice, &change, 1), RP_OK);
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    ck_assert_int_eq(plan.outcome, RP_OUTCOME_NO_PATH);
    ck_assert_uint_eq(plan.expanded, 0);
}
END_TEST

/// A door that is closed after a path through it was found: no headings help either, and the field
/// has not heard of it when the search in the room is over.
START_TEST(a_door_that_closes_cuts_off_all_families)
{
    rp_lattice_plan_t plan;
    rp_change_t changes[3];
    open_sets();
    rng.state = 1;
    grid = scene_world(&rng, 20, 0, false, 1);
    for (uint32_t i = 0; i < 9u; i++) {
        rp_grid_set(grid, rp_grid_cell(grid, i, 6), 0);
        rp_grid_set(grid, rp_grid_cell(grid, i, 14), 0);
        rp_grid_set(grid, rp_grid_cell(grid, 8, 6u + i), i >= 3u && i < 6u);
    }
    ck_assert_int_eq(rp_lattice_new(sets[0], grid, &lattice), RP_OK);
    ck_assert_int_eq(rp_lattice_set_finer(lattice, late + 1, FAMILIES - 1u), RP_OK);
    rp_lattice_set_start(lattice, rp_grid_cell(grid, 4, 10), 0.0);
    rp_lattice_set_goal(lattice, rp_grid_cell(grid, 15, 10));
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    ck_assert_int_eq(plan.outcome, RP_OUTCOME_FOUND);
    for (uint32_t i = 0; i < 3u; i++) {
        changes[i] = (rp_change_t){.cell = rp_grid_cell(grid, 8, 9u + i), .before = 1, .after = 0};
        rp_grid_set(grid, changes[i].cell, 0);
    }
    ck_assert_int_eq(rp_lattice_apply(lattice, changes, 3), RP_OK);
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    ck_assert_int_eq(plan.outcome, RP_OUTCOME_NO_PATH);
    ck_assert_uint_eq(plan.family, 0);
    ck_assert_ptr_nonnull(late[1]->builder);
}
END_TEST

/// A finer set that is told to have more states than its moves can be numbered for is refused when
/// it is built: the answer is that of the families before it.
START_TEST(a_family_with_too_many_moves_is_none)
{
    rp_lattice_plan_t plan = {.outcome = RP_OUTCOME_FOUND};
    rp_lattice_plan_t first;
    uint64_t budget = UINT64_MAX;
    open_sets();
    rng.state = 9001;
    late[1]->states <<= 16;
    for (uint32_t world = 0; world < 400u && plan.outcome != RP_OUTCOME_NO_PATH; world++) {
        close_world();
        open_world();
        ck_assert_int_eq(rp_lattice_plan(alone[0], &(uint64_t){UINT64_MAX}, &first), RP_OK);
        ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
        ck_assert_int_eq(plan.outcome, first.outcome);
        ck_assert_uint_eq(plan.family, first.family);
        plan.outcome = plan.family != 0 ? plan.outcome : RP_OUTCOME_FOUND;
    }
    ck_assert_int_eq(plan.outcome, RP_OUTCOME_NO_PATH);
    ck_assert_int_eq(rp_control_set_build(late[1], &budget), RP_E_UNSUPPORTED);
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){1}, &plan), RP_OK);
    ck_assert_int_eq(plan.outcome, RP_OUTCOME_NO_PATH);
}
END_TEST

START_TEST(finer_sets_have_more_headings)
{
    open_sets();
    rng.state = 2;
    grid = scene_world(&rng, 20, 0, false, 1);
    ck_assert_int_eq(rp_lattice_new(sets[1], grid, &lattice), RP_OK);
    ck_assert_int_eq(rp_lattice_set_finer(lattice, sets, 1), RP_E_INVALID);
    ck_assert_int_eq(rp_lattice_set_finer(lattice, sets + 1, 1), RP_E_INVALID);
    ck_assert_int_eq(rp_lattice_set_finer(lattice, sets + 2, 1), RP_OK);
    ck_assert_int_eq(rp_lattice_set_finer(lattice, NULL, 0), RP_OK);
    ck_assert_int_eq(rp_lattice_set_finer(lattice, sets, RP_LATTICE_FINER_MOST + 1u), RP_E_INVALID);
}
END_TEST

int main(void)
{
    const TTest *const once[] = {
        what_is_cut_off_is_so_for_all_families, a_door_that_closes_cuts_off_all_families,
        a_family_with_too_many_moves_is_none, finer_sets_have_more_headings};
    const TTest *const each[] = {an_answer_is_about_the_first_family_that_has_one};
    const int code = rp_suite_run("families", once, 4, 1, tear_down);
    const int more = rp_suite_run("families_cases", each, 1, RP_ROUNDS(4), tear_down);
    return code != 0 ? code : more;
}
