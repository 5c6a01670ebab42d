/// Grids: places, steps, seams, and move masks that stay true under single writes.
#include "planners/grid/batch_summary.h"
#include "replan/grid.h"

#include <string.h>

#include "tests/support/drawing.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static const int step_x[RP_DIRECTIONS] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int step_y[RP_DIRECTIONS] = {0, 1, 1, 1, 0, -1, -1, -1};

static rp_grid_shape_t shape_of(uint32_t width, uint32_t height, uint8_t neighbors, bool wraps)
{
    return (rp_grid_shape_t){width, height, neighbors, wraps, .unit = 1, .least = 1};
}

/// One cell's mask against the oracle's rule. (Check notes each assertion, so inner loops have
/// none.)
static bool mask_is_true(const rp_grid_t *grid, const rp_oracle_t *oracle, uint32_t place)
{
    const uint32_t width = grid->shape.width;
    const rp_cell_t cell = rp_grid_cell(grid, place % width, place / width);
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        const uint32_t to = rp_oracle_step(oracle, place, step_x[direction], step_y[direction]);
        const bool is_legal = ((grid->moves[cell] >> direction) & 1u) != 0;
        if (is_legal != (to != RP_ORACLE_NO_PLACE)) {
            return false;
        }
        if (is_legal &&
            rp_grid_step(grid, cell, direction) != rp_grid_cell(grid, to % width, to / width)) {
            return false;
        }
    }
    return grid->factor[cell] == oracle->factors[place];
}

/// All masks and factors, and the count of free cells.
static bool moves_are_true(const rp_grid_t *grid, const rp_oracle_t *oracle)
{
    uint32_t free_count = 0;
    for (uint32_t place = 0; place < grid->shape.width * grid->shape.height; place++) {
        if (!mask_is_true(grid, oracle, place)) {
            return false;
        }
        free_count += oracle->factors[place] != 0;
    }
    return grid->free_count == free_count;
}

START_TEST(a_new_grid_is_free_normal_ground)
{
    rp_grid_shape_t shape = shape_of(7, 5, 8, false);
    shape.unit = 50;
    rp_grid_t *grid;
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    for (uint32_t y = 0; y < 5; y++) {
        for (uint32_t x = 0; x < 7; x++) {
            ck_assert_uint_eq(grid->factor[rp_grid_cell(grid, x, y)], 50);
        }
    }
    ck_assert_uint_eq(grid->free_count, 35);
    ck_assert(!grid->weighted);
    rp_grid_destroy(&grid);
    ck_assert_ptr_null(grid);
    rp_grid_destroy(&grid);
}
END_TEST

START_TEST(shapes_outside_the_limits_are_refused)
{
    const rp_grid_shape_t fine = shape_of(3, 3, 8, true);
    rp_grid_shape_t bad[12];
    for (size_t i = 0; i < 12; i++) {
        bad[i] = fine;
    }
    bad[0].width = 0;
    bad[1].height = 0;
    bad[2].width = 2; // a wrapped world needs 3
    bad[3].height = 2;
    bad[4].width = RP_GRID_SIDE_MAX + 1u;
    bad[5].height = UINT32_MAX;
    bad[6].neighbors = 6;
    bad[7].neighbors = 0;
    bad[8].unit = 0;
    bad[9].least = 0;
    bad[10].least = 2;                                 // above the unit
    bad[11].width = bad[11].height = RP_GRID_SIDE_MAX; // the rim takes it past the limit
    rp_grid_t *grid = NULL;
    for (size_t i = 0; i < 12; i++) {
        ck_assert_int_eq(rp_grid_new(&bad[i], &grid), RP_E_INVALID);
        ck_assert_ptr_null(grid);
    }
    ck_assert_int_eq(rp_grid_new(&fine, &grid), RP_OK);
    rp_grid_destroy(&grid);
}
END_TEST

START_TEST(places_and_coordinates_are_inverse_for_every_width)
{
    for (uint32_t width = 1; width <= 300; width += width < 20 ? 1 : 7) {
        const rp_grid_shape_t shape = shape_of(width, 9, 8, false);
        rp_grid_t *grid;
        ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
        uint32_t held = 0;
        bool places_are_true = true;
        for (rp_cell_t cell = 0; cell < grid->cell_count; cell++) {
            places_are_true = places_are_true && rp_grid_row(grid, cell) == cell / grid->stride;
            held += rp_grid_holds(grid, cell);
        }
        for (uint32_t x = 0; x < width; x++) {
            const rp_cell_t cell = rp_grid_cell(grid, x, 8);
            places_are_true = places_are_true && rp_grid_holds(grid, cell) &&
                              rp_grid_x(grid, cell) == x && rp_grid_y(grid, cell) == 8;
        }
        ck_assert_uint_eq(held, width * 9u);
        ck_assert(places_are_true);
        ck_assert(!rp_grid_holds(grid, grid->cell_count));
        ck_assert(!rp_grid_holds(grid, RP_NO_CELL));
        rp_grid_destroy(&grid);
    }
}
END_TEST

/// Neighbours above each other would fall into the same set of the cache.
START_TEST(rows_never_lie_a_multiple_of_128_places_apart)
{
    for (uint32_t width = 120; width <= 1026; width += 2) {
        const rp_grid_shape_t shape = shape_of(width, 1, 4, false);
        rp_grid_t *grid;
        ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
        ck_assert_uint_ne(grid->stride % 128u, 0);
        rp_grid_destroy(&grid);
    }
}
END_TEST

START_TEST(the_widest_grid_knows_its_last_cell)
{
    const rp_grid_shape_t shape = shape_of(RP_GRID_SIDE_MAX, 64, 4, false);
    rp_grid_t *grid;
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    const rp_cell_t cell = rp_grid_cell(grid, RP_GRID_SIDE_MAX - 1u, 63);
    ck_assert(rp_grid_holds(grid, cell));
    ck_assert_uint_eq(rp_grid_x(grid, cell), RP_GRID_SIDE_MAX - 1u);
    ck_assert_uint_eq(rp_grid_y(grid, cell), 63);
    ck_assert(!rp_grid_holds(grid, cell + 1u));
    ck_assert_uint_eq(grid->moves[cell], 1u << 4 | 1u << 6);
    rp_grid_destroy(&grid);
}
END_TEST

START_TEST(steps_go_counter_clockwise_from_plus_x)
{
    rp_grid_t *grid = rp_drawing_grid("...\n...\n...", 8, false);
    const rp_cell_t middle = rp_grid_cell(grid, 1, 1);
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        const rp_cell_t next = rp_grid_step(grid, middle, direction);
        ck_assert_uint_eq(next, rp_grid_cell(grid, (uint32_t)(1 + step_x[direction]),
                                             (uint32_t)(1 + step_y[direction])));
        ck_assert_uint_eq(rp_grid_step(grid, next, rp_direction_back(direction)), middle);
        ck_assert_int_eq(rp_direction_is_diagonal(direction),
                         step_x[direction] != 0 && step_y[direction] != 0);
    }
    rp_grid_destroy(&grid);
}
END_TEST

START_TEST(a_walk_over_moves_visits_each_once_lowest_direction_first)
{
    rp_grid_t *grid = rp_drawing_grid("..#\n...\n...", 8, false);
    const rp_cell_t middle = rp_grid_cell(grid, 1, 1);
    static const unsigned expected[] = {0, 1, 2, 3, 4, 5, 6};
    unsigned count = 0;
    unsigned direction;
    rp_cell_t next;
    RP_FOR_MOVES (grid, middle, direction, next) {
        ck_assert_uint_eq(direction, expected[count++]);
        ck_assert_uint_eq(next, rp_grid_step(grid, middle, direction));
    }
    ck_assert_uint_eq(count, 7);
    rp_grid_destroy(&grid);
}
END_TEST

START_TEST(the_seam_of_a_torus_leads_to_the_far_side)
{
    rp_grid_t *grid = rp_drawing_grid("....\n....\n....", 8, true);
    const rp_cell_t corner = rp_grid_cell(grid, 0, 0);
    ck_assert_uint_eq(rp_grid_step(grid, corner, 4), rp_grid_cell(grid, 3, 0));
    ck_assert_uint_eq(rp_grid_step(grid, corner, 6), rp_grid_cell(grid, 0, 2));
    ck_assert_uint_eq(rp_grid_step(grid, corner, 5), rp_grid_cell(grid, 3, 2));
    ck_assert_uint_eq(rp_grid_step(grid, corner, 3), rp_grid_cell(grid, 3, 1));
    ck_assert_uint_eq(rp_grid_step(grid, rp_grid_cell(grid, 3, 2), 1), corner);
    ck_assert_uint_eq(grid->moves[corner], 0xff);
    rp_grid_destroy(&grid);
}
END_TEST

START_TEST(moves_stay_true_under_random_writes)
{
    rp_random_t random = {1};
    for (unsigned round = 0; round < 160; round++) {
        const bool wraps = (round & 1u) != 0;
        const uint32_t width = rp_random_between(&random, wraps ? 3 : 1, 9);
        const uint32_t height = rp_random_between(&random, wraps ? 3 : 1, 9);
        const rp_grid_shape_t shape = shape_of(width, height, (round & 2u) != 0 ? 8 : 4, wraps);
        rp_grid_t *grid;
        ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
        rp_oracle_t *oracle = rp_oracle_new(&shape);
        ck_assert(moves_are_true(grid, oracle));
        for (int i = 0; i < 60; i++) {
            const uint32_t place = rp_random_below(&random, width * height);
            const uint8_t factor = (uint8_t)rp_random_below(&random, 3);
            const uint8_t before =
                rp_grid_set(grid, rp_grid_cell(grid, place % width, place / width), factor);
            ck_assert_uint_eq(before, oracle->factors[place]);
            oracle->factors[place] = factor;
            ck_assert(moves_are_true(grid, oracle));
        }
        rp_grid_t *filled;
        ck_assert_int_eq(rp_grid_new(&shape, &filled), RP_OK);
        rp_grid_fill(filled, oracle->factors);
        ck_assert(moves_are_true(filled, oracle));
        rp_grid_destroy(&filled);
        rp_grid_destroy(&grid);
        rp_oracle_destroy(&oracle);
    }
}
END_TEST

/// What the grid says of the batch that it wrote is what a look at each cell says; where a crowd
/// changes much of the grid, the box has whole rows.
static bool knows_gist(const rp_grid_t *self, const rp_change_t *changes, size_t count)
{
    if (count == 0 || self->last_count != count) {
        return count == 0 || self->last_count < count;
    }
    const rp_batch_summary_t summary = rp_batch_summary_of(self, changes, count);
    const rp_extent_t *extent = &self->last.extent;
    const bool is_wide = count >= 256u && count >= self->cell_count / 16u;
    return extent->left == (is_wide ? 1u : summary.extent.left) &&
           extent->right == (is_wide ? self->shape.width : summary.extent.right) &&
           extent->top == summary.extent.top && extent->bottom == summary.extent.bottom &&
           self->last.has_cheaper == summary.has_cheaper &&
           self->last.has_same == summary.has_same && self->last_end == self->written;
}

/// Draws batches that lie together, row by row, and such as lie anywhere; a cell may come twice.
START_TEST(moves_stay_true_under_random_batches)
{
    rp_random_t random = {9};
    for (unsigned round = 0; round < 240; round++) {
        const bool wraps = (round & 1u) != 0;
        const uint32_t width = rp_random_between(&random, wraps ? 3 : 1, 40);
        const uint32_t height = rp_random_between(&random, wraps ? 3 : 1, 16);
        const rp_grid_shape_t shape = shape_of(width, height, (round & 2u) != 0 ? 8 : 4, wraps);
        rp_grid_t *grid;
        ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
        rp_oracle_t *oracle = rp_oracle_new(&shape);
        bool is_true = true;
        for (int i = 0; i < 40; i++) {
            enum {
                CROWD = 400
            };
            rp_change_t changes[CROWD];
            uint8_t expected[CROWD];
            const bool is_crowd = rp_random_chance(&random, 10);
            const size_t count = rp_random_below(&random, is_crowd ? CROWD + 1u : 25u);
            const uint32_t side = rp_random_between(&random, 1, 6);
            const uint32_t corner = rp_random_below(&random, width * height);
            const bool is_patch = rp_random_chance(&random, 60);
            for (uint32_t k = 0; k < count; k++) {
                const uint32_t x = (corner % width + k % side) % width;
                const uint32_t y = (corner / width + k / side) % height;
                const uint32_t place =
                    is_patch ? y * width + x : rp_random_below(&random, width * height);
                changes[k] = (rp_change_t){.cell = rp_grid_cell(grid, place % width, place / width),
                                           .after = (uint8_t)rp_random_below(&random, 2)};
                expected[k] = oracle->factors[place];
                oracle->factors[place] = changes[k].after;
            }
            rp_grid_write(grid, changes, count);
            for (size_t k = 0; k < count; k++) {
                is_true = is_true && changes[k].before == expected[k];
            }
            is_true = is_true && moves_are_true(grid, oracle) && knows_gist(grid, changes, count);
        }
        ck_assert(is_true);
        rp_grid_destroy(&grid);
        rp_oracle_destroy(&oracle);
    }
}
END_TEST

/// Writes fall on rows that were copied and on rows to come.
START_TEST(a_copy_made_row_by_row_under_random_writes_is_the_grid)
{
    for (unsigned seed = 1; seed <= 40; seed++) {
        rp_random_t random = {seed};
        const uint32_t rows = 3u + rp_random_below(&random, 9);
        const rp_grid_shape_t shape =
            shape_of(3u + rp_random_below(&random, 9), rows, seed % 2 == 0 ? 4 : 8, seed % 4 >= 2);
        rp_grid_t *grid;
        rp_grid_t *copy;
        ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
        ck_assert_int_eq(rp_grid_new_blank(&grid->shape, &copy), RP_OK);
        for (uint32_t y = 0; y < shape.height; y++) {
            rp_grid_copy_rows(copy, grid, y, 1);
            for (unsigned i = 0; i < 6; i++) {
                const uint32_t row = rp_random_below(&random, shape.height);
                const rp_cell_t cell =
                    rp_grid_cell(grid, rp_random_below(&random, shape.width), row);
                (void)rp_grid_set(grid, cell, (uint8_t)rp_random_below(&random, 3));
                rp_grid_copy_cell(copy, grid, cell);
            }
        }
        ck_assert_msg(memcmp(copy->factor, grid->factor, grid->cell_count) == 0 &&
                          memcmp(copy->moves, grid->moves, grid->cell_count) == 0,
                      "seed %u: the copy is another one", seed);
        ck_assert_uint_eq(copy->free_count, grid->free_count);
        ck_assert_uint_eq(copy->scale, grid->scale);
        ck_assert(copy->weighted == grid->weighted && copy->greatest == grid->greatest);
        rp_grid_destroy(&grid);
        rp_grid_destroy(&copy);
    }
}
END_TEST

START_TEST(the_scale_counts_what_makes_old_costs_void)
{
    rp_grid_t *grid = rp_drawing_grid("....", 8, false);
    const rp_cell_t cell = rp_grid_cell(grid, 0, 0);
    const uint32_t uniform = grid->scale;
    rp_grid_set(grid, cell, 0);
    rp_grid_set(grid, cell, 1);
    ck_assert_uint_eq(grid->scale, uniform);
    ck_assert(!grid->weighted);
    rp_grid_set(grid, cell, 3);
    ck_assert_uint_ne(grid->scale, uniform);
    ck_assert(grid->weighted);
    ck_assert_uint_ge(grid->greatest, 3);
    const uint32_t weighted = grid->scale;
    rp_grid_set(grid, cell, 2);
    rp_grid_set(grid, cell, 1);
    ck_assert_uint_eq(grid->scale, weighted);
    ck_assert(grid->weighted); // for good
    rp_grid_set(grid, cell, 255);
    ck_assert_uint_ne(grid->scale, weighted);
    ck_assert_uint_eq(grid->greatest, 255);
    rp_grid_destroy(&grid);
}
END_TEST

START_TEST(inside_is_what_lies_between_nothing_and_the_sides)
{
    rp_grid_t *grid = rp_drawing_grid("...\n...", 4, false);
    ck_assert(rp_grid_contains(grid, 0, 0));
    ck_assert(rp_grid_contains(grid, 2, 1));
    ck_assert(!rp_grid_contains(grid, 3, 1));
    ck_assert(!rp_grid_contains(grid, 2, 2));
    ck_assert(!rp_grid_contains(grid, -1, 0));
    ck_assert(!rp_grid_contains(grid, 0, -1));
    ck_assert(!rp_grid_contains(grid, INT64_MAX, INT64_MAX));
    ck_assert(!rp_grid_contains(grid, (int64_t)1 << 32, 0));
    rp_grid_destroy(&grid);
}
END_TEST

START_TEST(a_grid_needs_a_shape_and_room_for_itself)
{
    const rp_grid_shape_t shape = shape_of(3, 3, 8, false);
    rp_grid_t *grid = NULL;
    rp_status_t (*const makers[])(const rp_grid_shape_t *, rp_grid_t **) = {
        rp_grid_new, rp_grid_new_blank, rp_grid_new_brief};
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(makers[i](NULL, &grid), RP_E_INVALID);
        ck_assert_int_eq(makers[i](&shape, NULL), RP_E_INVALID);
    }
    ck_assert_ptr_null(grid);
    rp_grid_destroy(&grid);
    rp_grid_destroy(NULL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_new_grid_is_free_normal_ground,
        shapes_outside_the_limits_are_refused,
        a_grid_needs_a_shape_and_room_for_itself,
        places_and_coordinates_are_inverse_for_every_width,
        rows_never_lie_a_multiple_of_128_places_apart,
        the_widest_grid_knows_its_last_cell,
        steps_go_counter_clockwise_from_plus_x,
        a_walk_over_moves_visits_each_once_lowest_direction_first,
        the_seam_of_a_torus_leads_to_the_far_side,
        moves_stay_true_under_random_writes,
        moves_stay_true_under_random_batches,
        a_copy_made_row_by_row_under_random_writes_is_the_grid,
        the_scale_counts_what_makes_old_costs_void,
        inside_is_what_lies_between_nothing_and_the_sides,
    };
    return rp_suite_run("grid", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
