/// @file
/// Cases that tests of whole lattices share: every drive, bodies of both kinds, reverse, a torus,
/// weighted ground.
#ifndef REPLAN_TESTS_LATTICE_CASES_H
#define REPLAN_TESTS_LATTICE_CASES_H

#include "tests/planners/lattice/lattice_oracle.h"

static rp_random_t rng;
static rp_control_set_t *set;
static rp_grid_t *grid;
static rp_lattice_t *lattice;
static const scene_footprint_t *footprint;
static oracle_t oracle;

static void tear_down(void)
{
    oracle_close(&oracle);
    rp_lattice_destroy(&lattice);
    rp_grid_destroy(&grid);
    rp_control_set_destroy(&set);
}

typedef struct scene {
    double radius;
    double body;
    uint32_t headings;
    rp_drive_t drive;
    uint32_t side;
    uint32_t percent; ///< blocked
    bool wraps;
    uint8_t dearest; ///< factor
    double reverse;  ///< factor; 0: it cannot
    double change;   ///< of gear
    uint32_t shape;  ///< footprint, from 1; 0: a disc
} scene_t;

/// A long body whose origin lies far back, a concave one, and a small one that is no rectangle.
static const scene_footprint_t footprints[] = {
    {{3.31, 3.31, -0.77, -0.77}, {0.93, -0.93, -0.93, 0.93}, 4},
    {{1.83, 1.83, 0.61, 0.61, -1.27, -1.27}, {1.19, 0.37, 0.37, -0.83, -0.83, 1.19}, 6},
    {{1.37, -0.71, -0.71}, {0.03, -0.67, 0.73}, 3},
};

static const scene_t scenes[] = {
    {2.0, 0.45, 16, RP_DRIVE_CAR, 24, 15, false, 1, 0.0, 0.0, 0},
    {2.0, 0.0, 8, RP_DRIVE_CAR, 24, 20, false, 1, 0.0, 0.0, 0},
    {4.0, 1.5, 16, RP_DRIVE_CAR, 32, 4, false, 1, 0.0, 0.0, 0},
    {2.0, 1.0, 16, RP_DRIVE_CAR, 24, 5, true, 1, 0.0, 0.0, 0},
    {3.0, 2.0, 32, RP_DRIVE_CAR, 28, 3, false, 1, 0.0, 0.0, 0},
    {2.0, 0.45, 16, RP_DRIVE_CAR, 24, 10, false, 9, 0.0, 0.0, 0},
    {0.0, 0.45, 16, RP_DRIVE_SPOT, 24, 20, false, 1, 0.0, 0.0, 0},
    {1.0, 2.5, 16, RP_DRIVE_SPOT, 28, 3, true, 1, 0.0, 0.0, 0},
    {0.0, 0.7, 16, RP_DRIVE_OMNI, 24, 12, false, 5, 0.0, 0.0, 0},
    {8.0, 6.0, 16, RP_DRIVE_CAR, 40, 0, false, 1, 0.0, 0.0, 0},
    {2.0, 14.0, 16, RP_DRIVE_CAR, 44, 0, false, 1, 0.0, 0.0, 0},
    {2.0, 0.45, 16, RP_DRIVE_CAR, 22, 20, false, 1, 1.5, 2.0, 0},
    {3.0, 0.45, 8, RP_DRIVE_CAR, 20, 15, true, 1, 1.0, 0.0, 0},
    {2.0, 0.45, 16, RP_DRIVE_CAR, 20, 10, false, 7, 2.0, 1.0, 0},
    {1.0, 0.6, 16, RP_DRIVE_SPOT, 20, 12, false, 1, 1.3, 0.5, 0},
    {2.0, 0.0, 16, RP_DRIVE_CAR, 28, 3, false, 1, 0.0, 0.0, 1},
    {2.0, 0.0, 16, RP_DRIVE_CAR, 24, 4, false, 1, 1.2, 3.0, 2},
    {0.0, 0.0, 16, RP_DRIVE_SPOT, 24, 8, true, 1, 0.0, 0.0, 3},
    {0.0, 0.0, 16, RP_DRIVE_OMNI, 24, 6, false, 1, 0.0, 0.0, 2},
};
#define SCENES (sizeof scenes / sizeof scenes[0])

static void open_scene(size_t index, uint64_t seed)
{
    const scene_t *scene = &scenes[index];
    rp_lattice_shape_t shape = {.turning_radius = scene->radius,
                                .body_radius = scene->body,
                                .turn_price = 0.7,
                                .headings = scene->headings,
                                .drive = scene->drive,
                                .reverse = scene->reverse > 0.0,
                                .reverse_factor = scene->reverse,
                                .gear_change = scene->change};
    footprint = scene->shape != 0 ? &footprints[scene->shape - 1u] : NULL;
    if (footprint != NULL) {
        ck_assert_ptr_null(rp_vehicle_set_footprint(&shape.footprint, footprint->x, footprint->y,
                                                    footprint->count, 0.0));
    }
    rng.state = seed;
    set = scene_set_of(&shape);
    grid = scene_world(&rng, scene->side, scene->percent, scene->wraps, scene->dearest);
    ck_assert_int_eq(rp_lattice_new(set, grid, &lattice), RP_OK);
}

/// A cell that is not so near the edge that no body fits there.
static rp_cell_t draw_cell(void)
{
    const uint32_t rim = grid->shape.wraps ? 0 : (uint32_t)rp_lattice_shape_inner(&set->shape);
    const uint32_t x = rp_random_between(&rng, rim, grid->shape.width - 1u - rim);
    const uint32_t y = rp_random_between(&rng, rim, grid->shape.height - 1u - rim);
    return rp_grid_cell(grid, x, y);
}

static double draw_yaw(void)
{
    return rp_random_below(&rng, 1000) * 0.0131 - 6.0;
}

// ---- answers

static inline void expect_legal(const rp_lattice_plan_t *plan)
{
    const oracle_t judge = {.set = set, .grid = grid, .footprint = footprint};
    oracle_expect_legal(&judge, plan);
}

static inline void plan_in_steps(rp_lattice_t *self, rp_lattice_plan_t *plan)
{
    rp_status_t status = RP_MORE;
    while (status == RP_MORE) {
        status = rp_lattice_plan(self, &(uint64_t){1}, plan);
    }
    ck_assert_int_eq(status, RP_OK);
}

/// A lattice that knows nothing of what was: what the cheapest path costs.
static inline double fresh_cost(rp_cell_t start, double yaw, rp_cell_t goal, rp_outcome_t *outcome)
{
    rp_lattice_plan_t plan;
    rp_lattice_t *fresh = NULL;
    ck_assert_int_eq(rp_lattice_new(set, grid, &fresh), RP_OK);
    rp_lattice_set_percent(fresh, 0);
    rp_lattice_set_start(fresh, start, yaw);
    rp_lattice_set_goal(fresh, goal);
    ck_assert_int_eq(rp_lattice_plan(fresh, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    *outcome = plan.outcome;
    rp_lattice_destroy(&fresh);
    return plan.cost;
}

/// Hold a plan to the cheapest. @return whether the last path was kept
static inline bool expect_right(const rp_lattice_plan_t *plan, double cost, rp_outcome_t outcome)
{
    ck_assert_int_eq(plan->outcome, outcome);
    expect_legal(plan);
    if (outcome == RP_OUTCOME_FOUND) {
        ck_assert_double_le(plan->bound, cost + 1e-9);
        ck_assert_double_le(plan->cost, (plan->is_optimal ? 1.0 : 1.1) * cost + 32.0 / 408.0);
        ck_assert(!plan->is_optimal || fabs(plan->cost - cost) < 1e-9);
    }
    return outcome == RP_OUTCOME_FOUND && plan->expanded == 0 && plan->segment_count != 0;
}

#endif
