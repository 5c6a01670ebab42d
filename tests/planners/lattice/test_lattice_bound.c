/// The lower bound that guides a lattice: on every legal edge it falls by no more than the edge
/// costs, for bodies of 0 to 6 cells, on normal and on weighted ground. REPLAN_BOUND_WORLDS asks
/// for more worlds than a test takes.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "tests/planners/lattice/lattice_scene.h"

#define BODIES 7u ///< of radius 0 to 6
#define SIDE   36u
#define GOALS  4u ///< of each world

static rp_random_t rng;
static rp_control_set_t *set;
static rp_grid_t *grid;
static rp_lattice_t *lattice;
static uint64_t *edges; ///< looked at by all, each in a process of its own

static void tear_down(void)
{
    rp_lattice_destroy(&lattice);
    rp_grid_destroy(&grid);
    rp_control_set_destroy(&set);
}

static rp_cell_t draw_cell(void)
{
    const uint32_t x = rp_random_below(&rng, grid->shape.width);
    const uint32_t y = rp_random_below(&rng, grid->shape.height);
    return rp_grid_cell(grid, x, y);
}

static void expect_consistent(rp_lattice_pose_t pose)
{
    const rp_lattice_search_t *search = rp_lattice_searched(lattice);
    const uint32_t h = rp_lattice_search_h(search, pose);
    for (uint32_t i = set->first[pose.heading]; i < set->first[pose.heading + 1u]; i++) {
        if (!rp_lattice_search_is_legal(search, pose.x, pose.y, i)) {
            continue;
        }
        const uint64_t cost = rp_child_cost(search->set, search->ground, pose.x, pose.y, i);
        const uint64_t after = rp_lattice_search_h(search, rp_lattice_search_end(search, pose, i));
        ++*edges;
        if (h == RP_COST_INF ? after != RP_COST_INF : h > cost + after) {
            ck_abort_msg("body %g: child %u of (%u, %u, %u): %u is more than %u + %u",
                         set->shape.body_radius, i, pose.x, pose.y, pose.heading, h, (uint32_t)cost,
                         (uint32_t)after);
        }
    }
}

/// Plan to some goal, so that the field leads there. @return false where the goal is blocked
static bool aim(void)
{
    rp_lattice_plan_t plan;
    const rp_cell_t start = draw_cell();
    const rp_cell_t goal = draw_cell();
    const uint32_t heading = rp_random_below(&rng, set->headings.count);
    rp_lattice_set_start(lattice, start, set->headings.angle[heading]);
    rp_lattice_set_goal(lattice, goal);
    ck_assert_int_eq(rp_lattice_improve(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    return plan.outcome == RP_OUTCOME_FOUND;
}

static void free_some(void)
{
    for (uint32_t i = 0; i < 40u; i++) {
        const rp_cell_t cell = draw_cell();
        const uint8_t factor = grid->weighted ? (uint8_t)rp_random_between(&rng, 1, 9) : 1u;
        const rp_change_t change = {.cell = cell, .before = grid->factor[cell], .after = factor};
        rp_grid_set(grid, cell, factor);
        ck_assert_int_eq(rp_lattice_apply(lattice, &change, 1), RP_OK);
    }
}

START_TEST(it_is_consistent_on_every_legal_edge)
{
    const uint32_t body = (uint32_t)_i / 2u % BODIES;
    rng.state = (uint64_t)_i + 15000u;
    set = scene_set(_i % 3 == 0 ? 4.0 : 2.0, body, 16,
                    _i / 2 % 5 == 4 ? RP_DRIVE_SPOT : RP_DRIVE_CAR);
    grid = scene_world(&rng, SIDE, 24u / (body * body + 1u), false, _i % 2 == 0 ? 1 : 9);
    ck_assert_int_eq(rp_lattice_new(set, grid, &lattice), RP_OK);
    uint32_t aimed = 0;
    for (uint32_t round = 0; aimed < GOALS && round < 100u; round++) {
        if (!aim()) {
            free_some();
            continue;
        }
        aimed++;
        for (uint32_t i = 0; i < grid->shape.width * grid->shape.height * set->states; i++) {
            const uint32_t cell = i / set->states;
            expect_consistent((rp_lattice_pose_t){(uint16_t)(cell % grid->shape.width),
                                                  (uint16_t)(cell / grid->shape.width),
                                                  (uint8_t)(i % set->states)});
        }
        free_some();
    }
    ck_assert_uint_gt(aimed, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {it_is_consistent_on_every_legal_edge};
    const char *asked = getenv("REPLAN_BOUND_WORLDS");
    const size_t worlds = asked != NULL ? strtoul(asked, NULL, 10) : 1u;
    edges = mmap(NULL, sizeof *edges, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const int code = rp_suite_run("lattice bound", tests, 1, 2u * BODIES * worlds, tear_down);
    fprintf(stderr, "lattice bound: %llu edges\n", (unsigned long long)*edges);
    return code;
}
