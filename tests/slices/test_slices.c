/// What one call of a planner does is bounded by what it was given: the budget, changes, the length
/// of the path. Nothing goes over a whole world, or over all that a search has met, in one go. It
/// is counted, not timed (effort.h): a world need not be large to tell.
#include <stdlib.h>
#include <string.h>

#include "replan/planner.h"
#include "tests/slices/effort.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE  256u
#define CELLS (SIDE * SIDE)
#define KINDS 5u
#define SLICE 64u ///< the budget of a call

/// What a call may do for each expansion of its budget, each change that it is told or that a plan
/// has to take in, each cell of the path that it shows, and at all.
#define EACH_EXPANSION 200u
#define EACH_CHANGE    700u
#define EACH_STEP      100u
#define AT_ALL         CELLS

/// A batch beyond it has a search begin anew, as the engine has it.
#define TOLD_MOST 32768u

/// How far the ground round a block is dearer, where there are weights.
#define HALO 8u

static rp_grid_t *grid;
static rp_planner_t *planner;
static rp_grid_shape_t shape;
static const rp_planner_info_t *info;
static uint8_t world[CELLS];
static rp_change_t changes[CELLS];
static size_t count;   ///< of the batch that is drawn up
static size_t untaken; ///< changes that were told since the last plan

static void tear_down(void)
{
    rp_planner_destroy(&planner);
    rp_grid_destroy(&grid);
}

// ---- the world

/// Draw up that a box is all of one factor.
static void box(uint32_t left, uint32_t top, uint32_t width, uint32_t height, uint8_t factor)
{
    for (uint32_t y = top; y < top + height; y++) {
        for (uint32_t x = left; x < left + width; x++) {
            uint8_t *cell = &world[y * SIDE + x];
            if (*cell != factor) {
                *cell = factor;
                changes[count++] = (rp_change_t){.cell = rp_grid_cell(grid, x, y), .after = factor};
            }
        }
    }
}

/// A block, and round it ground that is the dearer the nearer.
static void put_block(uint32_t left, uint32_t top, uint32_t side, bool is_weighted)
{
    for (unsigned far = HALO; is_weighted && far != 0; far--) {
        for (uint32_t y = top - far; y < top + side + far; y++) {
            for (uint32_t x = left - far; x < left + side + far; x++) {
                uint8_t *cell = &world[y * SIDE + x];
                const uint8_t factor = (uint8_t)(255u >> far);
                *cell = *cell != 0 && *cell < factor ? factor : *cell;
            }
        }
    }
    for (uint32_t y = top; y < top + side; y++) {
        memset(&world[y * SIDE + left], 0, side);
    }
}

static void clear_corner(uint32_t left, uint32_t top)
{
    for (uint32_t y = top; y < top + 48u; y++) {
        memset(&world[y * SIDE + left], 1, 48);
    }
}

/// Blocks over about a sixth of it; both corners are clear.
static void make_world(bool is_weighted)
{
    rp_random_t random = {7};
    memset(world, 1, sizeof world);
    for (uint32_t i = 0; i < CELLS / 1500u; i++) {
        const uint32_t side = rp_random_between(&random, 6, 25);
        const uint32_t room = SIDE - side - 2u * HALO;
        const uint32_t left = HALO + rp_random_below(&random, room);
        put_block(left, HALO + rp_random_below(&random, room), side, is_weighted);
    }
    clear_corner(0, 0);
    clear_corner(SIDE - 48u, SIDE - 48u);
}

/// A wall round the corner of the goal; on a torus the corner has four sides.
static void wall_in(uint8_t factor)
{
    const uint32_t near = SIDE - 40u;
    box(near, near, 40, 2, factor);
    box(near, near, 2, 40, factor);
    if (shape.wraps) {
        box(0, near, 1, 40, factor);
        box(near, 0, 40, 1, factor);
    }
}

static void wall_off(uint8_t factor)
{
    box(0, SIDE / 2u, SIDE, 1, factor);
    if (shape.wraps) {
        box(0, 0, SIDE, 1, factor);
    }
}

// ---- calls

static void hold_against(const char *what, const char *call, uint64_t did, uint64_t may)
{
    ck_assert_msg(did <= may + AT_ALL,
                  "%s, %u neighbours%s%s: %s does %lu in one go of %s, not %lu", info->id,
                  shape.neighbors, grid->weighted ? ", weighted" : "",
                  shape.wraps ? ", wrapped" : "", call, (unsigned long)did, what,
                  (unsigned long)(may + AT_ALL));
}

static rp_plan_t plan(const char *what)
{
    rp_plan_t plan;
    rp_status_t status;
    uint64_t most = 0;
    do {
        const uint64_t from = rp_effort();
        status = rp_planner_plan(planner, SLICE, &plan);
        const uint64_t did = rp_effort() - from;
        most = did > most ? did : most;
    } while (status == RP_MORE);
    ck_assert_int_eq(status, RP_OK);
    hold_against(what, "a plan", most,
                 (uint64_t)SLICE * EACH_EXPANSION + untaken * EACH_CHANGE +
                     (uint64_t)plan.path.count * EACH_STEP);
    untaken = 0;
    return plan;
}

static void idle(const char *what)
{
    rp_status_t status;
    do {
        uint64_t budget = SLICE;
        const uint64_t from = rp_effort();
        status = rp_planner_idle(planner, &budget);
        hold_against(what, "idle time", rp_effort() - from, (uint64_t)SLICE * EACH_EXPANSION);
    } while (status == RP_MORE);
}

/// Write and tell what is drawn up.
static void tell(const char *what)
{
    rp_grid_write(grid, changes, count);
    const uint64_t from = rp_effort();
    if (count > TOLD_MOST) {
        rp_planner_start_over(planner);
    } else {
        ck_assert_int_eq(rp_planner_apply(planner, changes, count), RP_OK);
    }
    hold_against(what, "a batch", rp_effort() - from, count * EACH_CHANGE);
    untaken += count;
    count = 0;
}

static rp_plan_t change(const char *what)
{
    tell(what);
    return plan(what);
}

/// The same, but what comes next cuts the search off after so many slices.
static void begin_change(const char *what, unsigned slices)
{
    rp_status_t status = RP_MORE;
    tell(what);
    for (; slices != 0 && status == RP_MORE; slices--) {
        rp_plan_t plan;
        const uint64_t from = rp_effort();
        status = rp_planner_plan(planner, SLICE, &plan);
        hold_against(what, "a slice", rp_effort() - from,
                     (uint64_t)SLICE * EACH_EXPANSION + untaken * EACH_CHANGE +
                         (status == RP_OK ? (uint64_t)plan.path.count * EACH_STEP : 0));
    }
}

/// The world of this round is made, and the planner bound to it.
/// @return false when the planner cannot that
static bool begin(int round)
{
    static const struct {
        uint8_t neighbors;
        bool is_weighted;
        bool wraps;
    } kinds[KINDS] = {
        {4, false, false}, {8, false, false}, {8, true, false}, {4, false, true}, {8, true, true},
    };
    const size_t kind = (size_t)round % KINDS;
    info = rp_planner_info((size_t)round / KINDS);
    shape = (rp_grid_shape_t){.width = SIDE,
                              .height = SIDE,
                              .neighbors = kinds[kind].neighbors,
                              .wraps = kinds[kind].wraps,
                              .unit = 1,
                              .least = 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    ck_assert_int_eq(rp_planner_new(info->id, NULL, &planner), RP_OK);
    make_world(kinds[kind].is_weighted);
    rp_grid_fill(grid, world);
    return rp_planner_bind(planner, grid) == RP_OK;
}

static void set_ends(uint32_t start_x, uint32_t start_y, uint32_t goal_x, uint32_t goal_y)
{
    const rp_cell_t start = rp_grid_cell(grid, start_x, start_y);
    const rp_cell_t goal = rp_grid_cell(grid, goal_x, goal_y);
    ck_assert_int_eq(rp_planner_set_start(planner, start), RP_OK);
    ck_assert_int_eq(rp_planner_set_goal(planner, goal), RP_OK);
}

/// One passes over the world whenever the goal moves: it is there to show what that costs.
static bool is_measured(void)
{
    return strcmp(info->id, "gaa-eager") != 0;
}

START_TEST(no_call_goes_over_the_world)
{
    const uint32_t far = SIDE - 21u;
    const uint32_t middle = SIDE / 2u;
    if (!begin(_i) || !is_measured()) {
        return;
    }
    set_ends(20, 20, far, far);
    (void)plan("the first search");
    idle("the first search");
    box(middle, middle, 25, 25, 0);
    (void)change("a block");
    box(middle, 64, 100, 100, 0);
    (void)change("a large block");
    idle("a large block");
    box(middle - 60u, middle - 60u, 120, 120, 1);
    (void)change("room");
    wall_in(0);
    ck_assert_int_eq(change("a wall round the goal").outcome, RP_OUTCOME_NO_PATH);
    box(SIDE - 40u, SIDE - 30u, 2, 2, 1);
    ck_assert_int_eq(change("a door").outcome, RP_OUTCOME_FOUND);
    box(SIDE - 40u, SIDE - 30u, 2, 2, 0);
    ck_assert_int_eq(change("the door shut").outcome, RP_OUTCOME_NO_PATH);
    wall_in(1);
    (void)change("the wall gone");
    wall_off(0);
    ck_assert_int_eq(change("a wall across").outcome, RP_OUTCOME_NO_PATH);
    box(SIDE - 3u, middle, 1, 1, 1);
    (void)change("a gap in it");
    set_ends(20, far, far, far);
    (void)plan("another start");
    set_ends(20, far, far, 20);
    (void)plan("another goal");
    wall_off(1);
    (void)change("no wall across");
    box(0, 0, SIDE, SIDE, 1);
    (void)change("nothing in the way");
    idle("nothing in the way");
    box(10, 10, 1, SIDE - 20u, 0);
    box(10, SIDE - 10u, SIDE - 20u, 1, 0);
    (void)change("an angle");
}
END_TEST

START_TEST(no_change_amid_a_search_goes_over_the_world)
{
    const uint32_t far = SIDE - 21u;
    const uint32_t middle = SIDE / 2u;
    if (!begin(_i) || !is_measured()) {
        return;
    }
    set_ends(20, 20, far, far);
    (void)plan("the first search");
    for (unsigned slices = 16; slices <= 1024u; slices *= 2u) {
        box(0, SIDE - 60u, SIDE - 3u, 1, 0);
        begin_change("a wall", slices);
        box(middle, middle, 2, 2, 0);
        (void)change("a block amid it");
        box(middle, middle, 2, 2, 1);
        box(0, SIDE - 60u, SIDE - 3u, 1, 1);
        begin_change("no wall", slices);
        box(middle + 4u, middle, 2, 2, 0);
        (void)change("a block amid that");
        box(middle + 4u, middle, 2, 2, 1);
        (void)change("the block gone");
    }
}
END_TEST

/// An obstacle grows beside the path, a row at a time, where a search has been; then the path is
/// cut beside it.
START_TEST(no_obstacle_that_grew_row_by_row_is_taken_in_at_once)
{
    const uint32_t middle = SIDE / 2u;
    if (!begin(_i) || !is_measured()) {
        return;
    }
    box(0, 0, SIDE, SIDE, 1);
    set_ends(20, middle, SIDE - 21u, middle);
    (void)plan("the first search");
    box(40, 0, 1, SIDE, 0);
    (void)change("a wall across");
    box(40, 0, 1, SIDE, 1);
    (void)change("no wall");
    for (uint32_t y = middle - 1u; y > 40; y--) {
        box(60, y, SIDE - 120u, 1, 0);
        (void)change("a row beside the path");
    }
    box(middle, middle, 1, 1, 0);
    (void)change("a cell of the path");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {no_call_goes_over_the_world,
                                  no_change_amid_a_search_goes_over_the_world,
                                  no_obstacle_that_grew_row_by_row_is_taken_in_at_once};
    size_t planners = 0;
    while (rp_planner_info(planners) != NULL) {
        planners++;
    }
    return rp_suite_run("slices", tests, sizeof tests / sizeof tests[0], planners * KINDS,
                        tear_down);
}
