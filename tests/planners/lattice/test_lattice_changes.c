/// Changes, many of them: after each the answer is as good as that of a lattice that knows nothing
/// of what was, whether it was searched for or kept. Pedestrians walk to and fro, boxes come and
/// go, ground gets dearer and cheaper, the start moves along the path. REPLAN_LATTICE_CHANGES asks
/// for more than a test takes.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "tests/planners/lattice/lattice_cases.h"

#define WALKERS   6u
#define EACH      60u ///< changes a world
#define WRITTEN   128u
#define AIM_EVERY 20u ///< changes until the ends are other ones

/// What all worlds showed, each in a process of its own.
typedef struct counts {
    uint32_t changes;
    uint32_t found;
    uint32_t kept; ///< of these, answered without a search
    uint32_t improved;
} counts_t;

static counts_t *counts;
static rp_change_t written[WRITTEN];
static size_t written_count;
static rp_cell_t start;
static rp_cell_t goal;
static double yaw;

// ---- changes

static uint8_t draw_factor(void)
{
    return grid->weighted ? (uint8_t)rp_random_between(&rng, 1, 9) : 1u;
}

static void write_cell(rp_cell_t cell, uint8_t factor)
{
    ck_assert_uint_lt(written_count, WRITTEN);
    if (grid->factor[cell] != factor) {
        written[written_count++] =
            (rp_change_t){.cell = cell, .before = grid->factor[cell], .after = factor};
        rp_grid_set(grid, cell, factor);
    }
}

/// One that stands on a cell, or nowhere.
typedef struct walker {
    rp_cell_t at;   ///< RP_NO_CELL: nowhere
    rp_cell_t from; ///< where it stood before, and goes back to
} walker_t;

static walker_t walkers[WALKERS];

static void walk(walker_t *walker)
{
    const rp_cell_t to =
        rp_random_chance(&rng, 60) && walker->from != RP_NO_CELL ? walker->from : draw_cell();
    if (walker->at != RP_NO_CELL) {
        write_cell(walker->at, draw_factor());
    }
    walker->from = walker->at;
    walker->at = RP_NO_CELL;
    if (rp_random_chance(&rng, 80) && grid->factor[to] != 0) {
        write_cell(to, 0);
        walker->at = to;
    }
}

/// A box that is blocked, or free from one end to the other.
static void write_box(void)
{
    const uint32_t width = rp_random_between(&rng, 1, 5);
    const uint32_t height = rp_random_between(&rng, 1, 5);
    const uint32_t left = rp_random_below(&rng, grid->shape.width - width);
    const uint32_t top = rp_random_below(&rng, grid->shape.height - height);
    const bool blocks = rp_random_chance(&rng, 30);
    for (uint32_t i = 0; i < width * height; i++) {
        write_cell(rp_grid_cell(grid, left + i % width, top + i / width),
                   blocks ? 0 : draw_factor());
    }
}

static void change_world(void)
{
    written_count = 0;
    for (uint32_t i = rp_random_between(&rng, 1, 3); i != 0; i--) {
        walk(&walkers[rp_random_below(&rng, WALKERS)]);
    }
    if (rp_random_chance(&rng, 25)) {
        write_box();
    }
    ck_assert_int_eq(rp_lattice_apply(lattice, written, written_count), RP_OK);
}

// ---- ends

static void aim(uint32_t round)
{
    start = draw_cell();
    goal = draw_cell();
    const uint32_t heading = rp_random_below(&rng, set->headings.count);
    yaw = rp_random_chance(&rng, 20) ? draw_yaw() : set->headings.angle[heading];
    rp_lattice_set_percent(lattice, round % (2u * AIM_EVERY) == 0 ? 10 : 0);
    rp_lattice_set_start(lattice, start, yaw);
    rp_lattice_set_goal(lattice, goal);
}

/// Go on along the path, to where a segment begins in the middle of a cell.
static void drive(const rp_lattice_plan_t *plan)
{
    if (plan->segment_count < 2u || grid->shape.wraps) {
        return;
    }
    const rp_motion_pose_t *at =
        &plan->segments[rp_random_below(&rng, plan->segment_count - 1u) + 1u].start;
    if (at->x == floor(at->x) && at->y == floor(at->y)) {
        start = rp_grid_cell(grid, (uint32_t)at->x, (uint32_t)at->y);
        yaw = at->heading;
        rp_lattice_set_start(lattice, start, yaw);
    }
}

// ---- answers

/// Leave an answer half done now and then, so that changes meet it at any stage.
static bool work_a_little(rp_lattice_plan_t *plan)
{
    const bool is_better = rp_random_chance(&rng, 50);
    const uint64_t budget = rp_random_below(&rng, 200);
    const rp_status_t status = is_better ? rp_lattice_improve(lattice, &(uint64_t){budget}, plan)
                                         : rp_lattice_plan(lattice, &(uint64_t){budget}, plan);
    ck_assert(status == RP_OK || status == RP_MORE);
    return status == RP_OK;
}

static void expect_answer(rp_lattice_plan_t *plan)
{
    rp_outcome_t outcome;
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, plan), RP_OK);
    const double cost = fresh_cost(start, yaw, goal, &outcome);
    counts->kept += expect_right(plan, cost, outcome);
    counts->found += outcome == RP_OUTCOME_FOUND;
    if (rp_random_chance(&rng, 20)) {
        ck_assert_int_eq(rp_lattice_improve(lattice, &(uint64_t){UINT64_MAX}, plan), RP_OK);
        ck_assert(plan->is_optimal);
        (void)expect_right(plan, cost, outcome);
        counts->improved++;
    }
}

START_TEST(after_each_change_the_answer_is_that_of_a_fresh_lattice)
{
    open_scene((size_t)_i % SCENES, (uint64_t)_i + 9000u);
    for (uint32_t i = 0; i < WALKERS; i++) {
        walkers[i] = (walker_t){RP_NO_CELL, RP_NO_CELL};
    }
    for (uint32_t round = 0; round < EACH; round++) {
        rp_lattice_plan_t plan = {0};
        if (round % AIM_EVERY == 0) {
            aim(round);
        }
        if (!rp_random_chance(&rng, 10) || work_a_little(&plan)) {
            expect_answer(&plan);
            if (rp_random_chance(&rng, 10)) {
                drive(&plan);
            }
        }
        change_world();
        counts->changes++;
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {after_each_change_the_answer_is_that_of_a_fresh_lattice};
    const char *asked = getenv("REPLAN_LATTICE_CHANGES");
    const size_t rounds =
        asked != NULL ? strtoul(asked, NULL, 10) / EACH + 1u : RP_ROUNDS(2u * SCENES);
    counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const int code = rp_suite_run("lattice changes", tests, 1, rounds, tear_down);
    fprintf(stderr, "lattice changes: %u, answers with a path %u, kept %u, improved %u\n",
            counts->changes, counts->found, counts->kept, counts->improved);
    return code;
}
