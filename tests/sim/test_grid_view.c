/// The simulator's own rules of movement and its Dijkstra, on worlds small enough to count.
#include <math.h>

#include "sim/check/dijkstra.h"
#include "sim/check/grid_view.h"
#include "tests/support/suite.h"

#define ROOT_2 1.4142135623730951

static rp_grid_view_t grid_of(const uint8_t *bytes, uint32_t width, uint32_t height)
{
    return (rp_grid_view_t){bytes, width, height, 8, false, RP_SCALE_FACTOR};
}

static double cost(const rp_grid_view_t *grid, uint32_t start, uint32_t goal)
{
    rp_dijkstra_t *dijkstra = rp_dijkstra_new(rp_grid_view_cell_count(grid));
    ck_assert_ptr_nonnull(dijkstra);
    const double result = rp_dijkstra_cost(dijkstra, grid, start, goal);
    rp_dijkstra_destroy(&dijkstra);
    return result;
}

START_TEST(a_diagonal_needs_both_cells_beside_it)
{
    const uint8_t open[] = {1, 1, 1, 1};
    const uint8_t corner[] = {1, 0, 1, 1};
    rp_grid_view_t grid = grid_of(open, 2, 2);
    ck_assert_uint_eq(rp_grid_view_move(&grid, 0, 1), 3);
    grid = grid_of(corner, 2, 2);
    ck_assert_uint_eq(rp_grid_view_move(&grid, 0, 1), RP_NOWHERE);
    ck_assert_double_eq_tol(cost(&grid, 0, 3), 2, 1e-12);
}
END_TEST

START_TEST(four_neighbours_have_no_diagonals)
{
    const uint8_t open[] = {1, 1, 1, 1};
    rp_grid_view_t grid = grid_of(open, 2, 2);
    grid.neighbors = 4;
    ck_assert_uint_eq(rp_grid_view_move(&grid, 0, 1), RP_NOWHERE);
    ck_assert_uint_eq(rp_grid_view_move(&grid, 0, 2), 2);
}
END_TEST

START_TEST(the_edge_ends_a_world_and_joins_a_torus)
{
    const uint8_t open[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    rp_grid_view_t grid = grid_of(open, 3, 3);
    ck_assert_uint_eq(rp_grid_view_move(&grid, 0, 4), RP_NOWHERE);
    grid.wraps = true;
    ck_assert_uint_eq(rp_grid_view_move(&grid, 0, 4), 2);
    ck_assert_uint_eq(rp_grid_view_move(&grid, 0, 5), 8);
    ck_assert_uint_eq(rp_grid_view_manhattan(&grid, 0, 8), 2);
}
END_TEST

START_TEST(a_move_costs_its_length_times_the_mean_factor)
{
    const uint8_t bytes[] = {1, 3, 1, 3, 5, 3};
    const rp_grid_view_t grid = grid_of(bytes, 3, 2);
    ck_assert_double_eq_tol(rp_grid_view_move_cost(&grid, 0, 1, 0), 2, 1e-12);
    ck_assert_double_eq_tol(rp_grid_view_move_cost(&grid, 0, 4, 1), 3 * ROOT_2, 1e-12);
}
END_TEST

START_TEST(unknown_is_free_ground)
{
    const uint8_t bytes[] = {1, 255, 1};
    const rp_grid_view_t grid = grid_of(bytes, 3, 1);
    ck_assert_double_eq_tol(cost(&grid, 0, 2), 2, 1e-12);
}
END_TEST

START_TEST(dijkstra_goes_round_what_is_dear)
{
    const uint8_t bytes[] = {1, 90, 1, 1, 90, 1, 1, 1, 1};
    rp_grid_view_t grid = grid_of(bytes, 3, 3);
    grid.neighbors = 4;
    ck_assert_double_eq_tol(cost(&grid, 0, 2), 6, 1e-12);
}
END_TEST

START_TEST(dijkstra_says_when_there_is_no_way)
{
    const uint8_t bytes[] = {1, 0, 1};
    const rp_grid_view_t grid = grid_of(bytes, 3, 1);
    ck_assert(isinf(cost(&grid, 0, 2)));
    ck_assert(isinf(cost(&grid, 0, 1)));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_diagonal_needs_both_cells_beside_it,
        four_neighbours_have_no_diagonals,
        the_edge_ends_a_world_and_joins_a_torus,
        a_move_costs_its_length_times_the_mean_factor,
        unknown_is_free_ground,
        dijkstra_goes_round_what_is_dear,
        dijkstra_says_when_there_is_no_way,
    };
    return rp_suite_run("sim_plane", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
