/// The certificate: what it may say yes to, what it must not. The counterexample to judging cells
/// instead of edges is the first test; a random one holds it to the oracle.
#include <check.h>

#include "planners/grid/batch_summary.h"
#include "planners/portfolio/certificate.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_grid_t *grid;
static rp_certificate_t certificate;
static rp_cell_t path[64];

static void make(uint32_t width, uint32_t height, uint8_t neighbors)
{
    const rp_grid_shape_t shape = {width, height, neighbors, false, 1, 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
}

static void tear_down(void)
{
    rp_grid_destroy(&grid);
}

/// The path through these cells, as (x, y) pairs.
static void take(const uint32_t (*cells)[2], uint32_t count)
{
    rp_certificate_init(&certificate, grid);
    for (uint32_t i = 0; i < count; i++) {
        path[i] = rp_grid_cell(grid, cells[i][0], cells[i][1]);
    }
    rp_certificate_take(&certificate, &(rp_path_t){path, count});
}

static bool holds_after(uint32_t x, uint32_t y, uint8_t factor)
{
    const rp_cell_t cell = rp_grid_cell(grid, x, y);
    const rp_change_t change = {cell, rp_grid_set(grid, cell, factor), factor};
    return rp_certificate_holds(&certificate, &change, 1, NULL);
}

START_TEST(certificate_falls_when_a_freed_cell_opens_a_diagonal_beside_it)
{
    // From (0,0) to (1,1) round (1,0): 2. Freeing (1,0) makes no path through it cheaper than 2,
    // but the diagonal beside it costs 1.41.
    make(2, 2, 8);
    rp_grid_set(grid, rp_grid_cell(grid, 1, 0), 0);
    take((const uint32_t[][2]){{0, 0}, {0, 1}, {1, 1}}, 3);
    ck_assert(!holds_after(1, 0, 1));
}
END_TEST

START_TEST(certificate_falls_when_the_path_is_blocked)
{
    make(5, 5, 8);
    take((const uint32_t[][2]){{0, 2}, {1, 2}, {2, 2}, {3, 2}}, 4);
    ck_assert(!holds_after(2, 2, 0));
}
END_TEST

START_TEST(certificate_falls_when_the_corner_of_a_diagonal_is_blocked)
{
    make(5, 5, 8);
    take((const uint32_t[][2]){{0, 0}, {1, 1}}, 2);
    ck_assert(!holds_after(1, 0, 0));
}
END_TEST

START_TEST(certificate_stands_when_walls_grow_elsewhere)
{
    make(5, 5, 8);
    take((const uint32_t[][2]){{0, 0}, {1, 1}, {2, 2}}, 3);
    ck_assert(holds_after(4, 0, 0));
    ck_assert(holds_after(4, 0, 1)); // and goes again: no way over that corner is as short
}
END_TEST

START_TEST(certificate_falls_when_the_path_itself_becomes_cheaper)
{
    make(5, 5, 4);
    rp_grid_set(grid, rp_grid_cell(grid, 1, 0), 3);
    take((const uint32_t[][2]){{0, 0}, {1, 0}, {2, 0}}, 3);
    ck_assert(!holds_after(1, 0, 2)); // it stays the best, but costs something else
}
END_TEST

START_TEST(certificate_proves_nothing_without_a_path)
{
    make(5, 5, 8);
    rp_certificate_init(&certificate, grid);
    ck_assert(!holds_after(4, 4, 0));
}
END_TEST

START_TEST(certificate_goes_on_with_whoever_walks_the_path)
{
    // Round a wall: blocking a cell that was passed leaves the rest as it is.
    make(5, 5, 8);
    take((const uint32_t[][2]){{0, 0}, {1, 1}, {2, 2}, {3, 3}}, 4);
    ck_assert(rp_certificate_follow(&certificate, rp_grid_cell(grid, 2, 2)));
    ck_assert(holds_after(0, 0, 0));
    ck_assert(holds_after(1, 0, 0));
    ck_assert(!holds_after(3, 2, 0)); // beside a diagonal that is yet to come
}
END_TEST

START_TEST(certificate_goes_nowhere_with_who_left_the_path)
{
    make(5, 5, 8);
    take((const uint32_t[][2]){{0, 0}, {1, 1}, {2, 2}}, 3);
    ck_assert(!rp_certificate_follow(&certificate, rp_grid_cell(grid, 1, 0)));
    ck_assert(holds_after(4, 4, 0));
}
END_TEST

START_TEST(certificate_keeps_a_corner_that_two_diagonals_share)
{
    // Two diagonals round the dear (1, 0): the first is passed, the second still needs it free.
    make(5, 4, 8);
    rp_grid_set(grid, rp_grid_cell(grid, 1, 0), 255);
    take((const uint32_t[][2]){{0, 0}, {1, 1}, {2, 0}}, 3);
    ck_assert(holds_after(4, 3, 2));
    ck_assert(rp_certificate_follow(&certificate, rp_grid_cell(grid, 1, 1)));
    ck_assert(!holds_after(1, 0, 0));
}
END_TEST

START_TEST(certificate_keeps_a_corner_that_comes_again_three_steps_later)
{
    // North-east, east, south, south-west round the dear (1, 1): the first diagonal is passed, the
    // last one still needs it free.
    make(5, 4, 8);
    rp_grid_set(grid, rp_grid_cell(grid, 1, 1), 255);
    take((const uint32_t[][2]){{0, 1}, {1, 0}, {2, 0}, {2, 1}, {1, 2}}, 5);
    ck_assert(holds_after(4, 3, 2));
    ck_assert(rp_certificate_follow(&certificate, rp_grid_cell(grid, 1, 0)));
    ck_assert(!holds_after(1, 1, 0));
}
END_TEST

/// More changes than the path has cells: most of the last row is blocked, and one cell besides.
static bool holds_after_many(uint32_t x, uint32_t y)
{
    rp_change_t changes[7] = {{rp_grid_cell(grid, x, y), 1, 0}};
    rp_grid_set(grid, changes[0].cell, 0);
    for (uint32_t i = 1; i < 7u; i++) {
        changes[i] = (rp_change_t){rp_grid_cell(grid, i, 7), 1, 0};
        rp_grid_set(grid, changes[i].cell, 0);
    }
    return rp_certificate_holds(&certificate, changes, 7, NULL);
}

START_TEST(certificate_falls_when_one_of_many_changes_cuts_the_path)
{
    static const uint32_t cuts[][2] = {{1, 1}, {3, 2}, {2, 3}, {3, 4}, {6, 6}};
    const bool stands = _i >= 3;
    make(8, 8, 8);
    take((const uint32_t[][2]){{1, 1}, {2, 2}, {3, 3}, {4, 3}}, 4);
    if (_i < 5) { // on the path, or beside its second diagonal, or elsewhere
        ck_assert(holds_after_many(cuts[_i][0], cuts[_i][1]) == stands);
    }
}
END_TEST

/// Plan with A*; the path goes into the certificate. @return its cost, or infinity
static double plan(rp_planner_t *planner)
{
    rp_plan_t found;
    ck_assert_int_eq(rp_planner_plan(planner, UINT64_MAX, &found), RP_OK);
    rp_certificate_drop(&certificate);
    for (uint32_t i = 0; i < found.path.count; i++) {
        path[i] = found.path.cells[i];
    }
    rp_certificate_take(&certificate, &(rp_path_t){path, found.path.count});
    return found.cost;
}

START_TEST(certificate_is_never_wrong_on_random_worlds)
{
    rp_random_t random = {(uint64_t)_i};
    unsigned proofs = 0;
    const uint8_t neighbors = _i % 2 == 0 ? 8 : 4;
    const uint32_t side = 3u + (uint32_t)_i % 6u;
    make(side, side, neighbors);
    rp_certificate_init(&certificate, grid);
    rp_planner_t *planner;
    ck_assert_int_eq(rp_planner_new("astar", NULL, &planner), RP_OK);
    ck_assert_int_eq(rp_planner_bind(planner, grid), RP_OK);
    ck_assert_int_eq(rp_planner_set_start(planner, rp_grid_cell(grid, 0, 0)), RP_OK);
    ck_assert_int_eq(rp_planner_set_goal(planner, rp_grid_cell(grid, side - 1u, side - 2u)), RP_OK);
    double cost = plan(planner);
    for (int i = 0; i < 400; i++) {
        const uint32_t y = rp_random_below(&random, side);
        const rp_cell_t cell = rp_grid_cell(grid, rp_random_below(&random, side), y);
        if (cell == rp_grid_cell(grid, 0, 0) || cell == rp_grid_cell(grid, side - 1u, side - 2u)) {
            continue; // with a blocked end there is nothing to prove
        }
        const uint8_t after = rp_random_chance(&random, 25) ? 0 : 1;
        const rp_change_t change = {cell, rp_grid_set(grid, cell, after), after};
        if (change.before == change.after) {
            continue;
        }
        const rp_batch_summary_t summary = rp_batch_summary_of(grid, &change, 1);
        const bool is_proven = rp_certificate_holds(&certificate, &change, 1, NULL);
        ck_assert_int_eq(rp_certificate_holds(&certificate, &change, 1, &summary), is_proven);
        ck_assert_int_eq(rp_planner_apply(planner, &change, 1), RP_OK);
        const double now = plan(planner);
        ck_assert_msg(!is_proven || now == cost, "proven %.3f, but it costs %.3f", cost, now);
        proofs += is_proven;
        cost = now;
    }
    ck_assert_uint_gt(proofs, 5);
    rp_planner_destroy(&planner);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        certificate_falls_when_a_freed_cell_opens_a_diagonal_beside_it,
        certificate_falls_when_the_path_is_blocked,
        certificate_falls_when_the_corner_of_a_diagonal_is_blocked,
        certificate_stands_when_walls_grow_elsewhere,
        certificate_falls_when_the_path_itself_becomes_cheaper,
        certificate_proves_nothing_without_a_path,
        certificate_goes_on_with_whoever_walks_the_path,
        certificate_goes_nowhere_with_who_left_the_path,
        certificate_keeps_a_corner_that_two_diagonals_share,
        certificate_keeps_a_corner_that_comes_again_three_steps_later,
        certificate_falls_when_one_of_many_changes_cuts_the_path,
        certificate_is_never_wrong_on_random_worlds,
    };
    return rp_suite_run("certificate", tests, sizeof tests / sizeof tests[0], 24, tear_down);
}
