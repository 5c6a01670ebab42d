/// The reference search against an oracle, and a certificate that is wrong because a change was
/// kept from it.
#include "planners/core/reference_search.h"
#include "planners/papers/papers.h"
#include "replan/planner.h"
#include "tests/support/oracle.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define WIDTH  30u
#define HEIGHT 20u

static rp_grid_t *grid;
static rp_reference_search_t *reference;
static rp_planner_t *planner;
static rp_oracle_t *oracle;

static void tear_down(void)
{
    rp_planner_destroy(&planner);
    rp_reference_search_destroy(&reference);
    rp_oracle_destroy(&oracle);
    rp_grid_destroy(&grid);
}

static void scatter(uint8_t neighbors, bool wraps, unsigned greatest, rp_random_t *random)
{
    const rp_grid_shape_t shape = {WIDTH, HEIGHT, neighbors, wraps, 1, 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    oracle = rp_oracle_new(&shape);
    ck_assert_ptr_nonnull(oracle);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        const bool blocks = rp_random_chance(random, 30);
        const uint8_t factor = blocks ? 0 : (uint8_t)rp_random_between(random, 1, greatest);
        oracle->factors[i] = factor;
        rp_grid_set(grid, rp_grid_cell(grid, i % WIDTH, i / WIDTH), factor);
    }
}

static rp_cell_t draw_free_cell(rp_random_t *random)
{
    for (;;) {
        const uint32_t y = rp_random_below(random, HEIGHT);
        const rp_cell_t cell = rp_grid_cell(grid, rp_random_below(random, WIDTH), y);
        if (grid->factor[cell] != 0) {
            return cell;
        }
    }
}

START_TEST(it_knows_what_the_oracle_knows)
{
    rp_random_t random = {(uint64_t)_i + 1u};
    scatter(_i % 2 != 0 ? 8 : 4, _i % 4 > 1, _i % 3 != 0 ? 9 : 1, &random);
    reference = rp_reference_search_new(grid);
    ck_assert_ptr_nonnull(reference);
    for (int round = 0; round < 20; round++) {
        const rp_cell_t start = draw_free_cell(&random);
        const rp_goal_t goal = {draw_free_cell(&random), rp_random_below(&random, 3)};
        rp_oracle_flood(oracle, rp_grid_y(grid, start) * WIDTH + rp_grid_x(grid, start));
        const uint64_t known =
            oracle->cost[rp_grid_y(grid, goal.cell) * WIDTH + rp_grid_x(grid, goal.cell)];
        const uint64_t offset = rp_oracle_offset(oracle, goal.offset);
        uint64_t cost = 0;
        uint64_t budget = 7;
        rp_reference_search_begin(reference, start, &goal, 1);
        while (rp_reference_search_run(reference, &budget, &cost) == RP_MORE) {
            budget = 7;
        }
        ck_assert_uint_eq(cost,
                          known == RP_ORACLE_NO_PATH ? RP_REFERENCE_SEARCH_NONE : known + offset);
    }
}
END_TEST

/// A wall between start and goal that is open at its lower end only, and a planner.
static void make_wall(int round, uint32_t check_every)
{
    const rp_grid_shape_t shape = {WIDTH, HEIGHT, round % 2 != 0 ? 8 : 4, false, 1, 1};
    static const char *const ids[] = {"auto", "cert", "lpa", "dstar-lite"};
    const rp_member_options_t options = {.check_every = check_every};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    for (uint32_t y = 0; y < HEIGHT - 1u; y++) {
        rp_grid_set(grid, rp_grid_cell(grid, 15, y), 0);
    }
    ck_assert_int_eq(rp_papers_new(ids[round % 4], &options, &planner), RP_OK);
    ck_assert_int_eq(rp_planner_bind(planner, grid), RP_OK);
    ck_assert_int_eq(rp_planner_set_start(planner, rp_grid_cell(grid, 2, 3)), RP_OK);
    ck_assert_int_eq(rp_planner_set_goal(planner, rp_grid_cell(grid, 27, 3)), RP_OK);
}

START_TEST(a_certificate_that_was_not_told_is_caught)
{
    make_wall(_i, 2);
    rp_plan_t plan;
    ck_assert_int_eq(rp_planner_plan(planner, UINT64_MAX, &plan), RP_OK);
    const double round_about = plan.cost;
    rp_grid_set(grid, rp_grid_cell(grid, 15, 3), 1); // nobody says so
    const rp_cell_t far = rp_grid_cell(grid, 29, 19);
    rp_grid_set(grid, far, 0);
    const rp_change_t change = {far, 1, 0};
    ck_assert_int_eq(rp_planner_apply(planner, &change, 1), RP_OK);
    ck_assert_int_eq(rp_planner_plan(planner, UINT64_MAX, &plan), RP_OK);
    ck_assert_uint_eq(plan.stats.checked, 1);
    ck_assert_uint_eq(plan.stats.differed, 1);
    ck_assert_double_lt(plan.cost, round_about);
    ck_assert_double_eq(plan.cost, 25.0);
}
END_TEST

START_TEST(a_check_cut_short_begins_anew_with_the_search)
{
    rp_plan_t plan;
    for (unsigned slices = 1; slices < 150; slices++) {
        make_wall(_i, 1);
        for (unsigned i = 0; i < slices; i++) {
            (void)rp_planner_plan(planner, 7, &plan);
        }
        rp_grid_set(grid, rp_grid_cell(grid, 15, 3), 1);
        rp_planner_start_over(planner); // so this need not be told
        ck_assert_int_eq(rp_planner_plan(planner, UINT64_MAX, &plan), RP_OK);
        ck_assert_uint_eq(plan.stats.checked, 1);
        ck_assert_uint_eq(plan.stats.differed, 0);
        ck_assert_double_eq(plan.cost, 25.0);
        tear_down();
    }
}
END_TEST

/// The start goes on along its path and back again, and while that is checked it goes on once more.
START_TEST(a_start_that_turns_during_a_check_gets_its_own_path)
{
    rp_plan_t plan;
    make_wall(_i, 3);
    ck_assert_int_eq(rp_planner_plan(planner, UINT64_MAX, &plan), RP_OK);
    const rp_cell_t first = plan.path.cells[0];
    const rp_cell_t second = plan.path.cells[1];
    ck_assert_int_eq(rp_planner_set_start(planner, second), RP_OK);
    ck_assert_int_eq(rp_planner_plan(planner, UINT64_MAX, &plan), RP_OK);
    const double cost = plan.cost;
    ck_assert_int_eq(rp_planner_set_start(planner, first), RP_OK);
    ck_assert_int_eq(rp_planner_plan(planner, 1, &plan), RP_MORE);
    ck_assert_int_eq(rp_planner_set_start(planner, second), RP_OK);
    ck_assert_int_eq(rp_planner_plan(planner, UINT64_MAX, &plan), RP_OK);
    ck_assert_uint_eq(plan.path.cells[0], second);
    ck_assert_double_eq(plan.cost, cost);
    ck_assert_double_eq(rp_path_cost(&plan.path, grid), cost);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        it_knows_what_the_oracle_knows,
        a_certificate_that_was_not_told_is_caught,
        a_check_cut_short_begins_anew_with_the_search,
        a_start_that_turns_during_a_check_gets_its_own_path,
    };
    return rp_suite_run("reference_search", tests, sizeof tests / sizeof tests[0], 12, tear_down);
}
