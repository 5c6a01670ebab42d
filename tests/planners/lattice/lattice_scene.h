/// @file
/// What tests of lattices share: sets, random worlds, and a second opinion on what a curve meets,
/// which shares nothing with the sweeps: the distance from the middle of a body to a set changes no
/// faster than the body moves.
#ifndef REPLAN_TESTS_LATTICE_SCENE_H
#define REPLAN_TESTS_LATTICE_SCENE_H

#include <math.h>

#include "planners/lattice/child_cost.h"
#include "planners/lattice/lattice.h"
#include "planners/lattice/lattice_search.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

/// An outline for the checker, which knows nothing of vehicles.
typedef struct scene_footprint {
    double x[8];
    double y[8];
    uint32_t count;
} scene_footprint_t;

static inline rp_control_set_t *scene_set_of(const rp_lattice_shape_t *shape)
{
    rp_control_set_t *set = NULL;
    uint64_t budget = UINT64_MAX;
    ck_assert_int_eq(rp_control_set_new(shape, &set), RP_OK);
    ck_assert_int_eq(rp_control_set_build(set, &budget), RP_OK);
    return set;
}

static inline rp_control_set_t *scene_set(double radius, double body, uint32_t headings,
                                          rp_drive_t drive)
{
    const rp_lattice_shape_t shape = {.turning_radius = radius,
                                      .body_radius = body,
                                      .turn_price = 0.7,
                                      .headings = headings,
                                      .drive = drive};
    return scene_set_of(&shape);
}

/// Rectangles over so many percent of a world.
static inline rp_grid_t *scene_world(rp_random_t *rng, uint32_t side, uint32_t percent, bool wraps,
                                     uint8_t dearest)
{
    const rp_grid_shape_t shape = {
        .width = side, .height = side + 3u, .neighbors = 8, .wraps = wraps, .unit = 1, .least = 1};
    rp_grid_t *grid = NULL;
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    for (uint32_t y = 0; y < shape.height; y++) {
        for (uint32_t x = 0; x < side && dearest > 1; x++) {
            rp_grid_set(grid, rp_grid_cell(grid, x, y),
                        (uint8_t)rp_random_between(rng, 1, dearest));
        }
    }
    while (grid->free_count * 100u > (100u - percent) * side * shape.height) {
        const uint32_t width = rp_random_between(rng, 1, 4);
        const uint32_t height = rp_random_between(rng, 1, 4);
        const uint32_t left = rp_random_below(rng, side);
        const uint32_t top = rp_random_below(rng, shape.height);
        for (uint32_t y = top; y < top + height && y < shape.height; y++) {
            for (uint32_t x = left; x < left + width && x < side; x++) {
                rp_grid_set(grid, rp_grid_cell(grid, x, y), 0);
            }
        }
    }
    return grid;
}

static inline double scene_to_square(const rp_motion_pose_t *pose, double x, double y)
{
    const double dx = fmax(fabs(pose->x - x) - 0.5, 0.0);
    const double dy = fmax(fabs(pose->y - y) - 0.5, 0.0);
    return sqrt(dx * dx + dy * dy);
}

/// Proof that a part of a segment stays at least so far from the square of a cell.
static inline bool scene_proves(const rp_segment_t *segment, double from, double to, double x,
                                double y, double least)
{
    const double middle = 0.5 * (from + to);
    const rp_motion_pose_t pose = rp_segment_pose(segment, middle);
    const double apart = scene_to_square(&pose, x, y);
    if (apart - 0.5 * (to - from) >= least) {
        return true;
    }
    return apart >= least && to - from > 1e-10 &&
           scene_proves(segment, from, middle, x, y, least) &&
           scene_proves(segment, middle, to, x, y, least);
}

static inline bool scene_is_blocked(const rp_grid_t *grid, int32_t x, int32_t y)
{
    const int32_t width = (int32_t)grid->shape.width;
    const int32_t height = (int32_t)grid->shape.height;
    if (grid->shape.wraps) {
        x = (x % width + width) % width;
        y = (y % height + height) % height;
    }
    return !rp_grid_contains(grid, x, y) ||
           grid->factor[rp_grid_cell(grid, (uint32_t)x, (uint32_t)y)] == 0;
}

/// True when a disc that drives along a segment stays so far from every obstacle.
static inline bool scene_is_clear(const rp_grid_t *grid, const rp_segment_t *segment, double least)
{
    const int32_t reach = (int32_t)ceil(segment->length + least) + 1;
    const int32_t at_x = (int32_t)floor(segment->start.x + 0.5);
    const int32_t at_y = (int32_t)floor(segment->start.y + 0.5);
    for (int32_t y = at_y - reach; y <= at_y + reach; y++) {
        for (int32_t x = at_x - reach; x <= at_x + reach; x++) {
            if (scene_is_blocked(grid, x, y) &&
                !scene_proves(segment, 0.0, segment->length, x, y, least)) {
                return false;
            }
        }
    }
    return true;
}

#endif
