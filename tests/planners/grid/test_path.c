/// Paths: their cost outside a search, and which step leads from cell to cell.
#include "replan/path.h"

#include <math.h>

#include "tests/support/drawing.h"
#include "tests/support/suite.h"

/// Cost of a path through the given places (y * width + x).
static double cost_of(const rp_grid_t *grid, const uint32_t *places, uint32_t count)
{
    rp_cell_t cells[64];
    for (uint32_t i = 0; i < count; i++) {
        cells[i] = rp_grid_cell(grid, places[i] % grid->shape.width, places[i] / grid->shape.width);
    }
    const rp_path_t path = {cells, count};
    return rp_path_cost(&path, grid);
}

START_TEST(straights_cost_one_and_diagonals_the_root_of_two)
{
    rp_grid_t *grid = rp_drawing_grid("....\n....\n....", 8, false);
    ck_assert_double_eq(cost_of(grid, (const uint32_t[]){0, 1, 2, 6}, 4), 3.0);
    ck_assert_double_eq(cost_of(grid, (const uint32_t[]){0, 5, 10}, 3), 2.0 * sqrt(2.0));
    ck_assert_double_eq(cost_of(grid, (const uint32_t[]){7}, 1), 0.0);
    rp_grid_destroy(&grid);
}
END_TEST

START_TEST(a_step_costs_the_mean_factor_of_its_two_cells)
{
    rp_grid_t *grid = rp_drawing_grid("19\n44", 8, false);
    ck_assert_double_eq(cost_of(grid, (const uint32_t[]){0, 1}, 2), 5.0);
    ck_assert_double_eq(cost_of(grid, (const uint32_t[]){0, 3}, 2), 2.5 * sqrt(2.0));
    ck_assert_double_eq(cost_of(grid, (const uint32_t[]){0, 1, 3, 2}, 4), 5.0 + 6.5 + 4.0);
    rp_grid_destroy(&grid);
}
END_TEST

START_TEST(the_unit_divides_what_factors_multiply)
{
    const rp_grid_shape_t shape = {
        .width = 3, .height = 1, .neighbors = 4, .unit = 50, .least = 10};
    rp_grid_t *grid;
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    ck_assert_double_eq(cost_of(grid, (const uint32_t[]){0, 1, 2}, 3), 2.0);
    rp_grid_set(grid, rp_grid_cell(grid, 2, 0), 150);
    ck_assert_double_eq(cost_of(grid, (const uint32_t[]){0, 1, 2}, 3), 3.0);
    rp_grid_set(grid, rp_grid_cell(grid, 0, 0), 10);
    ck_assert_double_eq(cost_of(grid, (const uint32_t[]){0, 1, 2}, 3), 0.6 + 2.0);
    rp_grid_destroy(&grid);
}
END_TEST

START_TEST(illegal_steps_have_no_cost)
{
    rp_grid_t *grid = rp_drawing_grid(".#..\n....\n....", 8, false);
    ck_assert_double_eq(cost_of(grid, (const uint32_t[]){0, 1}, 2), -1.0); // blocked
    ck_assert_double_eq(cost_of(grid, (const uint32_t[]){1}, 1), -1.0);
    ck_assert_double_eq(cost_of(grid, (const uint32_t[]){0, 5}, 2), -1.0); // cuts the corner
    ck_assert_double_eq(cost_of(grid, (const uint32_t[]){4, 6}, 2), -1.0); // two cells at once
    ck_assert_double_eq(cost_of(grid, (const uint32_t[]){4, 4}, 2), -1.0); // stands still
    ck_assert_double_eq(cost_of(grid, (const uint32_t[]){4, 7}, 2), -1.0); // no seam here
    ck_assert_double_gt(cost_of(grid, (const uint32_t[]){5, 8}, 2), 0.0);
    rp_grid_destroy(&grid);
    grid = rp_drawing_grid("..\n..", 4, false);
    ck_assert_double_eq(cost_of(grid, (const uint32_t[]){0, 3}, 2), -1.0); // 4 neighbours
    rp_grid_destroy(&grid);
}
END_TEST

START_TEST(a_path_may_cross_the_seams_of_a_torus)
{
    rp_grid_t *grid = rp_drawing_grid("....\n....\n....", 8, true);
    ck_assert_double_eq(cost_of(grid, (const uint32_t[]){0, 3, 11}, 3), 2.0);
    ck_assert_double_eq(cost_of(grid, (const uint32_t[]){0, 11}, 2), sqrt(2.0));
    rp_grid_destroy(&grid);
}
END_TEST

START_TEST(a_long_path_is_exact_to_the_last_bits)
{
    const rp_grid_shape_t shape = {
        .width = 4000, .height = 2, .neighbors = 8, .unit = 1, .least = 1};
    rp_grid_t *grid;
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    static rp_cell_t cells[4000];
    for (uint32_t x = 0; x < 4000; x++) {
        cells[x] = rp_grid_cell(grid, x, x & 1u);
    }
    const rp_path_t path = {cells, 4000};
    ck_assert_double_eq(rp_path_cost(&path, grid), 3999.0 * sqrt(2.0));
    rp_grid_destroy(&grid);
}
END_TEST

/// Also in the narrowest torus, where each cell is a neighbour of each.
START_TEST(directions_between_neighbors_undo_steps)
{
    static const char *const worlds[] = {"...\n...\n...", "....\n....\n....\n...."};
    for (unsigned kind = 0; kind < 4; kind++) {
        rp_grid_t *grid = rp_drawing_grid(worlds[kind & 1u], 8, kind >= 2);
        for (uint32_t place = 0; place < grid->shape.width * grid->shape.height; place++) {
            const rp_cell_t cell =
                rp_grid_cell(grid, place % grid->shape.width, place / grid->shape.width);
            unsigned direction;
            rp_cell_t next;
            RP_FOR_MOVES (grid, cell, direction, next) {
                ck_assert_uint_eq(rp_path_direction(grid, cell, next), direction);
            }
            ck_assert_uint_eq(rp_path_direction(grid, cell, cell), RP_DIRECTIONS);
        }
        rp_grid_destroy(&grid);
    }
}
END_TEST

START_TEST(cells_apart_have_no_direction)
{
    rp_grid_t *grid = rp_drawing_grid(".....\n.....\n.....", 8, true);
    const rp_cell_t corner = rp_grid_cell(grid, 0, 0);
    ck_assert_uint_eq(rp_path_direction(grid, corner, rp_grid_cell(grid, 2, 0)), RP_DIRECTIONS);
    ck_assert_uint_eq(rp_path_direction(grid, corner, rp_grid_cell(grid, 3, 1)), RP_DIRECTIONS);
    rp_grid_destroy(&grid);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        straights_cost_one_and_diagonals_the_root_of_two,
        a_step_costs_the_mean_factor_of_its_two_cells,
        the_unit_divides_what_factors_multiply,
        illegal_steps_have_no_cost,
        a_path_may_cross_the_seams_of_a_torus,
        a_long_path_is_exact_to_the_last_bits,
        directions_between_neighbors_undo_steps,
        cells_apart_have_no_direction,
    };
    return rp_suite_run("path", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
