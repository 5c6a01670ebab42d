/// The path that is shown: whatever is rewritten, cells and cost are those of the whole.
#include <math.h>
#include <string.h>

#include "planners/core/result_path.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define SIDE 40u
#define MOST (SIDE * SIDE)

static rp_grid_t *grid;
static rp_result_path_t shown;
static rp_random_t rng;
static rp_cell_t cells[MOST]; ///< what ought to be shown
static uint32_t count;

static void begin_plain(void)
{
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = SIDE, .neighbors = 8, .unit = 3, .least = 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    rp_result_path_init(&shown, grid, &arena);
    rng = (rp_random_t){3};
    count = 0;
}

static void begin(void)
{
    begin_plain();
    for (uint32_t place = 0; place < SIDE * SIDE; place++) {
        rp_grid_set(grid, rp_grid_cell(grid, place % SIDE, place / SIDE),
                    (uint8_t)rp_random_between(&rng, 1, 200));
    }
}

static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
    rp_grid_destroy(&grid);
}

/// Any cell, then neighbours of neighbours.
static uint32_t draw_walk(rp_cell_t *walk, uint32_t length, rp_cell_t from)
{
    uint32_t drawn = 0;
    rp_cell_t cell = from;
    while (drawn < length) {
        const unsigned direction = rp_random_below(&rng, RP_DIRECTIONS);
        if (((grid->moves[cell] >> direction) & 1u) != 0) {
            cell = rp_grid_step(grid, cell, direction);
            walk[drawn++] = cell;
        }
    }
    return drawn;
}

/// Ends that do not meet count as a step too: no path of a planner has them.
static double sum(void)
{
    double cost = 0.0;
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t ahead = cells[i] - cells[i - 1u];
        const bool is_straight = ahead == 1u || ahead == UINT32_MAX || ahead == grid->stride ||
                                 ahead == 0u - grid->stride;
        cost += (is_straight ? 1.0 : sqrt(2.0)) *
                ((double)grid->factor[cells[i - 1u]] + grid->factor[cells[i]]) / 6.0;
    }
    return cost;
}

/// @param middle_count  cells in the room, which come between
static void rewrite(uint32_t left, uint32_t head, uint32_t tail, uint32_t middle_count)
{
    static rp_cell_t next[2u * MOST];
    memcpy(next, cells + left, head * sizeof *next);
    memcpy(next + head, shown.room, middle_count * sizeof *next);
    memcpy(next + head + middle_count, cells + count - tail, tail * sizeof *next);
    count = head + middle_count + tail;
    memcpy(cells, next, count * sizeof *next);
    rp_result_path_rewrite(&shown, (rp_path_stands_t){.left = left, .head = head, .tail = tail},
                           middle_count);
    ck_assert_uint_eq(shown.count, count);
    ck_assert_mem_eq(shown.cells + shown.first, cells, count * sizeof *cells);
    if (count != 0) {
        ck_assert_double_eq_tol(rp_result_path_cost(&shown), sum(), 1e-6);
    }
}

/// @param row  the whole path [SIDE]
static void show(const rp_cell_t *row)
{
    memcpy(shown.room, row, SIDE * sizeof *row);
    rewrite(0, 0, 0, SIDE);
}

/// Any parts of it, by any walks.
static void rewrite_much(void)
{
    for (unsigned i = 0; i < RP_ROUNDS(4000u); i++) {
        const uint32_t left = rp_random_below(&rng, count > 8u ? 8u : count + 1u);
        const uint32_t head = rp_random_below(&rng, count - left + 1u);
        const uint32_t tail = rp_random_below(&rng, count - left - head + 1u);
        const uint32_t room = MOST - head - tail;
        const uint32_t length = rp_random_below(&rng, room < 40u ? room + 1u : 40u);
        const rp_cell_t from = head != 0 ? cells[left + head - 1u] : rp_grid_cell(grid, 5, 5);
        const uint32_t drawn = draw_walk(shown.room, length, from);
        rewrite(left, head, tail, drawn);
    }
}

START_TEST(what_is_shown_is_the_whole_whatever_was_rewritten)
{
    begin();
    rewrite_much();
}
END_TEST

START_TEST(on_plain_ground_the_cells_tell_what_steps_count)
{
    begin_plain();
    rewrite_much();
}
END_TEST

/// Behind the start ground may change as it likes: nothing there is summed up again.
START_TEST(a_start_that_walks_takes_off_what_the_steps_counted_then)
{
    begin();
    rp_cell_t row[SIDE];
    for (uint32_t x = 0; x < SIDE; x++) {
        row[x] = rp_grid_cell(grid, x, 7);
    }
    show(row);
    for (uint32_t left = SIDE - 1u; left != 0; left--) {
        rp_grid_set(grid, cells[0], (uint8_t)rp_random_between(&rng, 1, 200));
        rewrite(0, 0, left, 0);
    }
    ck_assert_uint_eq(shown.walk.factors[0] + shown.walk.factors[1], 0);
}
END_TEST

/// What was left behind comes back at the cost that it had, whatever the ground costs now.
START_TEST(whoever_turns_back_has_the_whole_path_again)
{
    begin();
    rp_cell_t row[SIDE];
    for (uint32_t x = 0; x < SIDE; x++) {
        row[x] = rp_grid_cell(grid, x, 7);
    }
    show(row);
    const double cost = rp_result_path_cost(&shown);
    ck_assert(!rp_result_path_follow(&shown, rp_grid_cell(grid, 5, 8))); // beside it
    ck_assert(rp_result_path_follow(&shown, row[2]));
    rp_grid_set(grid, row[1], 1);
    ck_assert(rp_result_path_follow(&shown, row[5]));
    ck_assert_uint_eq(shown.count, SIDE - 5u);
    ck_assert_uint_eq(shown.cells[shown.first], row[5]);
    ck_assert_double_lt(rp_result_path_cost(&shown), cost);
    ck_assert(!rp_result_path_follow(&shown, row[SIDE - 1u])); // too far
    rp_result_path_turn_back(&shown);
    ck_assert_uint_eq(shown.count, SIDE);
    ck_assert_mem_eq(shown.cells + shown.first, row, sizeof row);
    ck_assert_double_eq(rp_result_path_cost(&shown), cost);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_is_shown_is_the_whole_whatever_was_rewritten,
        on_plain_ground_the_cells_tell_what_steps_count,
        a_start_that_walks_takes_off_what_the_steps_counted_then,
        whoever_turns_back_has_the_whole_path_again,
    };
    return rp_suite_run("result_path", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
