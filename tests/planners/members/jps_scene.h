/// @file
/// What the tests of JPS from inside share: a grid and the planner, whose source is compiled once
/// more here, under another name, with its assertions. It is built for 32- and for 64-bit costs.
#ifndef REPLAN_TESTS_JPS_SCENE_H
#define REPLAN_TESTS_JPS_SCENE_H

#undef NDEBUG
#include "planners/grid/cost.h"

#undef RP_MEMBER
#define RP_MEMBER(name) name##_under_test
#include "planners/members/jps.c" // NOLINT(bugprone-suspicious-include)

#include <stdlib.h>

#include "tests/support/drawing.h"
#include "tests/support/oracle.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;
static rp_grid_t *grid;
static rp_cell_t *cells; ///< of the path that was found last [grid->cell_count]
static jps_t jps;

static void tear_down(void)
{
    rp_member_unbind(&RP_MEMBER(jps), &jps, &arena, NULL);
    rp_grid_destroy(&grid);
    free(cells);
    cells = NULL;
}

static inline void read_grid(jps_t *self)
{
    uint64_t budget = UINT64_MAX;
    forget_ground(self);
    ck_assert(read_ground(self, &budget));
    self->is_ready = true;
}

static inline void begin_between(rp_cell_t start, rp_cell_t goal)
{
    jps.start = start;
    jps.goal = goal;
    begin_search(&jps);
}

static inline void bind(void)
{
    cells = calloc(grid->cell_count, sizeof *cells);
    ck_assert_ptr_nonnull(cells);
    ck_assert_int_eq(rp_member_bind(&RP_MEMBER(jps), &jps, grid, &(rp_member_options_t){0}, &arena),
                     RP_OK);
    read_grid(&jps);
}

static inline void draw(const char *text)
{
    grid = rp_drawing_grid(text, 8, false);
    ck_assert_ptr_nonnull(grid);
    bind();
}

/// A world of scattered blocked cells.
static inline void scatter(uint32_t width, uint32_t height, uint32_t percent, rp_random_t *random)
{
    const rp_grid_shape_t shape = {
        .width = width, .height = height, .neighbors = 8, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            rp_grid_set(grid, rp_grid_cell(grid, x, y), !rp_random_chance(random, percent));
        }
    }
}

/// Tell the planner of written cells.
static inline void tell(rp_cell_t start, rp_cell_t goal, const rp_change_t *changes, size_t count)
{
    const rp_goal_t goals[1] = {{goal, 0}};
    const rp_update_t update = {
        .changes = changes, .change_count = count, .goals = goals, .goal_count = 1, .start = start};
    ck_assert(jps_update(&jps, &update));
}

static inline rp_cell_t draw_free_cell(rp_random_t *random)
{
    for (;;) {
        const uint32_t y = rp_random_below(random, grid->shape.height);
        const rp_cell_t cell = rp_grid_cell(grid, rp_random_below(random, grid->shape.width), y);
        if (grid->factor[cell] != 0) {
            return cell;
        }
    }
}

static inline uint64_t expanded_to_the_end(uint64_t slice, uint64_t *slices)
{
    rp_search_stats_t stats = {0};
    rp_status_t status = RP_MORE;
    for (*slices = 0; status == RP_MORE; ++*slices) {
        uint64_t budget = slice;
        status = jps_search(&jps, &budget, &stats);
        ck_assert(status == RP_OK || budget == 0);
    }
    return stats.expanded;
}

#endif
