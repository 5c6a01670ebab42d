/// Landmarks: where they stand, what numbers cells have then, and that no step ever changes one by
/// more than it costs, whatever is blocked and freed, also while a wavefront is under way.
#include <stdlib.h>

#include "planners/jump/landmarks.h"
#include "tests/support/drawing.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;
static rp_grid_t *grid;
static rp_landmarks_t landmarks;

static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
    rp_grid_destroy(&grid);
}

static void draw(const char *text)
{
    grid = rp_drawing_grid(text, 8, false);
    ck_assert_ptr_nonnull(grid);
    rp_landmarks_init(&landmarks, grid, &arena);
}

static void scatter(uint32_t width, uint32_t height, uint32_t percent, rp_random_t *random)
{
    const rp_grid_shape_t shape = {
        .width = width, .height = height, .neighbors = 8, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            rp_grid_set(grid, rp_grid_cell(grid, x, y), !rp_random_chance(random, percent));
        }
    }
    rp_landmarks_init(&landmarks, grid, &arena);
}

static void make_from(uint32_t x, uint32_t y)
{
    uint64_t budget = UINT64_MAX;
    ck_assert(rp_landmarks_make(&landmarks, rp_grid_cell(grid, x, y), &budget));
}

static unsigned number(uint32_t x, uint32_t y, unsigned landmark)
{
    return landmarks.cells[rp_grid_cell(grid, x, y)].to[landmark];
}

static uint32_t bound(uint32_t x, uint32_t y, uint32_t to_x, uint32_t to_y)
{
    const rp_target_bounds_t bounds =
        rp_landmarks_bounds_to(&landmarks, rp_grid_cell(grid, to_x, to_y));
    ck_assert_ptr_nonnull(bounds.cells);
    return rp_target_bounds_at(&bounds, rp_grid_cell(grid, x, y));
}

static bool write(uint32_t x, uint32_t y, uint8_t factor)
{
    const rp_cell_t cell = rp_grid_cell(grid, x, y);
    const rp_change_t change = {cell, rp_grid_set(grid, cell, factor), factor};
    return change.before == factor || rp_landmarks_update(&landmarks, &change, 1);
}

// ---- wavefronts

START_TEST(each_landmark_is_the_farthest_from_those_before)
{
    draw("......");
    make_from(2, 0);
    for (uint32_t x = 0; x < 6; x++) {
        ck_assert_uint_eq(number(x, 0, 0), 12u * (5u - x));
        ck_assert_uint_eq(number(x, 0, 1), 12u * x);
        ck_assert_uint_eq(number(x, 0, 2), x < 2 ? 12u * (2u - x) : 12u * (x - 2u));
    }
}
END_TEST

START_TEST(a_bound_goes_round_what_is_in_the_way)
{
    draw(".#.\n"
         ".#.\n"
         "...");
    make_from(0, 0);
    ck_assert_uint_eq(number(0, 0, 0), 72); // six straight steps from (2, 0)
    ck_assert_uint_le(bound(0, 0, 2, 0), 6u * RP_STRAIGHT);
    ck_assert_uint_gt(bound(0, 0, 2, 0), 6u * RP_STRAIGHT - RP_STRAIGHT / 10u);
    ck_assert_uint_eq(bound(2, 0, 2, 0), 0);
}
END_TEST

START_TEST(what_cannot_be_reached_is_as_far_as_can_be)
{
    draw("..#.\n"
         "..#.");
    make_from(0, 0);
    ck_assert_uint_eq(number(3, 0, 0), RP_LANDMARK_MAX);
    ck_assert_uint_eq(number(3, 1, 7), RP_LANDMARK_MAX);
    ck_assert(rp_landmarks_check(&landmarks));
}
END_TEST

START_TEST(a_slice_takes_no_more_cells_than_its_budget)
{
    rp_random_t random = {(uint64_t)_i + 1u};
    scatter(70, 60, 25, &random);
    uint64_t spent = 0;
    uint64_t budget = 7;
    while (!rp_landmarks_make(&landmarks, rp_grid_cell(grid, 3, 3), &budget)) {
        ck_assert_uint_eq(budget, 0);
        spent += 7;
        budget = 7;
        ck_assert(rp_landmarks_check(&landmarks));
        ck_assert_uint_lt(spent, 9u * 70u * 60u);
    }
    ck_assert_uint_gt(spent, 7);
}
END_TEST

// ---- changes

START_TEST(a_blocked_cell_changes_no_number)
{
    draw("...\n"
         "...");
    make_from(0, 0);
    const unsigned before = number(0, 0, 0);
    ck_assert(write(1, 0, 0));
    ck_assert(write(1, 1, 0));
    ck_assert_uint_eq(number(0, 0, 0), before);
    ck_assert(rp_landmarks_check(&landmarks));
}
END_TEST

START_TEST(a_freed_cell_lowers_what_its_steps_ask_for)
{
    draw(".#.\n"
         ".#.\n"
         "...");
    make_from(0, 0);
    ck_assert(write(1, 0, 1));
    ck_assert_uint_eq(number(2, 0, 0), 0);
    ck_assert_uint_eq(number(1, 0, 0), 12);
    ck_assert_uint_eq(number(0, 0, 0), 24); // 72 before
    ck_assert_uint_eq(number(0, 1, 0), 36); // no diagonal past the cell that is still blocked
    ck_assert_uint_eq(number(0, 2, 0), 48); // 48 before
    ck_assert_uint_eq(number(1, 2, 0), 36);
    ck_assert(rp_landmarks_check(&landmarks));
}
END_TEST

/// A step is new that does not touch the freed cell: between the two beside it.
START_TEST(a_freed_cell_opens_the_diagonal_beside_it)
{
    draw("#..\n"
         "...");
    make_from(2, 0);
    ck_assert_uint_eq(number(0, 1, 0), 0); // the landmark; (1, 0) is 24 from it
    ck_assert_uint_eq(number(1, 0, 0), 24);
    ck_assert(write(0, 0, 1));
    ck_assert_uint_eq(number(1, 0, 0), 17);
    ck_assert_uint_eq(number(0, 0, 0), 12);
    ck_assert(rp_landmarks_check(&landmarks));
}
END_TEST

/// A gate between halves of which one knew no landmark asks for all of that half.
START_TEST(what_a_freed_cell_asks_of_too_many_is_not_done)
{
    rp_random_t random = {1};
    scatter(101, 50, 0, &random);
    for (uint32_t y = 0; y < 50; y++) {
        rp_grid_set(grid, rp_grid_cell(grid, 50, y), 0);
    }
    make_from(3, 3);
    ck_assert(!write(50, 20, 1));
    ck_assert_ptr_null(rp_landmarks_bounds_to(&landmarks, rp_grid_cell(grid, 3, 3)).cells);
    make_from(3, 3);
    ck_assert_uint_gt(bound(0, 0, 100, 0), 100u * RP_STRAIGHT);
}
END_TEST

START_TEST(landmarks_are_made_anew_when_much_was_blocked)
{
    rp_random_t random = {1};
    scatter(40, 40, 0, &random);
    make_from(3, 3);
    const uint32_t before = bound(20, 0, 22, 0);
    for (uint32_t y = 0; y < 39; y++) {
        ck_assert(write(21, y, 0));
        ck_assert(write(30, y, 0)); // enough of them
    }
    ck_assert_uint_eq(bound(20, 0, 22, 0), before);
    make_from(3, 3);
    ck_assert_uint_gt(bound(20, 0, 22, 0), 70u * RP_STRAIGHT);
}
END_TEST

START_TEST(no_step_changes_a_number_by_more_than_it_costs_whatever_happens)
{
    rp_random_t random = {(uint64_t)_i + 9u};
    const uint32_t percent = rp_random_below(&random, 50);
    const uint32_t rows = rp_random_between(&random, 5, 60);
    scatter(rp_random_between(&random, 5, 60), rows, percent, &random);
    for (unsigned round = 0; round < 300; round++) {
        uint64_t budget = rp_random_below(&random, rp_random_chance(&random, 50) ? 30 : 3000);
        const uint32_t x = rp_random_below(&random, grid->shape.width);
        const uint32_t y = rp_random_below(&random, grid->shape.height);
        if (grid->factor[rp_grid_cell(grid, x, y)] != 0) {
            (void)rp_landmarks_make(&landmarks, rp_grid_cell(grid, x, y), &budget);
            ck_assert(rp_landmarks_check(&landmarks));
        }
        rp_change_t changes[4];
        const uint32_t row = rp_random_below(&random, grid->shape.height);
        const uint32_t count = rp_random_between(&random, 1, 4);
        for (uint32_t i = 0; i < count; i++) { // side by side
            const rp_cell_t cell = rp_grid_cell(grid, (x + i) % grid->shape.width, row);
            const uint8_t after = rp_random_chance(&random, 60);
            changes[i] = (rp_change_t){cell, rp_grid_set(grid, cell, after), after};
        }
        (void)rp_landmarks_update(&landmarks, changes, count);
        ck_assert(rp_landmarks_check(&landmarks));
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        each_landmark_is_the_farthest_from_those_before,
        a_bound_goes_round_what_is_in_the_way,
        what_cannot_be_reached_is_as_far_as_can_be,
        a_slice_takes_no_more_cells_than_its_budget,
        a_blocked_cell_changes_no_number,
        a_freed_cell_lowers_what_its_steps_ask_for,
        a_freed_cell_opens_the_diagonal_beside_it,
        what_a_freed_cell_asks_of_too_many_is_not_done,
        landmarks_are_made_anew_when_much_was_blocked,
        no_step_changes_a_number_by_more_than_it_costs_whatever_happens,
    };
    return rp_suite_run("landmarks", tests, sizeof tests / sizeof tests[0], 6, tear_down);
}
