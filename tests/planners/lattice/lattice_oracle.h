/// @file
/// What the answers of lattices are held to: the cheapest path of the whole lattice, by relaxing
/// every pose until nothing falls, without a queue or a bound; and curves that the independent
/// checker judges. What a child sweeps is found by that checker, what it costs by its segments.
#ifndef REPLAN_TESTS_LATTICE_ORACLE_H
#define REPLAN_TESTS_LATTICE_ORACLE_H

#include <stdlib.h>
#include <string.h>

#include "planners/motion/trig.h"
#include "planners/motion/words.h"
#include "tests/planners/lattice/lattice_scene.h"
#include "tests/planners/motion/checker.h"

/// Poses that the checker may look at for one curve.
#define ORACLE_BUDGET 200000u

/// Cells that a child needs.
typedef struct oracle_swept {
    int16_t (*cells)[2];
    uint32_t count;
} oracle_swept_t;

typedef struct oracle {
    const rp_control_set_t *set;
    const rp_grid_t *grid;
    const scene_footprint_t *footprint; ///< NULL: a disc
    oracle_swept_t *swept;              ///< by child
    uint8_t *legal;                     ///< by cell and child: 0 not known, 1 legal, 2 not
    uint64_t *costs;                    ///< by cell and state
    uint8_t *fell;                      ///< the same: the cost fell, and nobody heard of it
} oracle_t;

// ---- the checker

static inline bool oracle_is_obstacle(const void *user, int64_t x, int64_t y)
{
    return scene_is_blocked(user, (int32_t)x, (int32_t)y);
}

static inline bool oracle_is_cell(const void *user, int64_t x, int64_t y)
{
    const int32_t *cell = user;
    return cell[0] == x && cell[1] == y;
}

/// True when the body, a disc wider by a margin or a footprint, meets nothing on segments.
static inline bool oracle_is_free(const rp_checked_world_t *world, const rp_lattice_shape_t *shape,
                                  const scene_footprint_t *footprint, const rp_segment_t *segments,
                                  size_t count, double margin)
{
    rp_checked_body_t body = {.radius = fmax(shape->body_radius, 1e-3) + margin};
    if (footprint != NULL) {
        body = (rp_checked_body_t){.x = footprint->x, .y = footprint->y, .count = footprint->count};
    }
    return rp_checker_judge(world, &body, segments, count, ORACLE_BUDGET) == RP_VERDICT_FREE;
}

/// Segments at their places, judged in the world.
static inline bool oracle_judges(const oracle_t *self, const rp_segment_t *segments, size_t count,
                                 double margin)
{
    const rp_checked_world_t world = {oracle_is_obstacle, self->grid};
    return oracle_is_free(&world, &self->set->shape, self->footprint, segments, count, margin);
}

// ---- children

static inline double oracle_length(const rp_lattice_shape_t *shape, const rp_segment_t *segments,
                                   uint32_t count)
{
    double length = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        length += segments[i].length * (segments[i].gear < 0 ? shape->reverse_factor : 1.0) +
                  fabs(segments[i].turn) * shape->turn_price;
    }
    return length;
}

static inline uint32_t oracle_cost_of(double length)
{
    return (uint32_t)ceil(length * 408.0 - 1e-6);
}

/// A change of gear before a child, in cells.
static inline double oracle_change(const rp_control_set_t *set, uint32_t child)
{
    rp_segment_t segments[RP_CURVE_PIECES_MAX];
    (void)rp_control_set_segments(set, child, segments);
    const bool was_back = set->children[child].from >= set->headings.count;
    const bool changes = segments[0].turn == 0.0 && was_back != (segments[0].gear < 0) &&
                         set->states > set->headings.count;
    return changes ? set->shape.gear_change : 0.0;
}

/// True when no segment comes so near to a cell.
static inline bool oracle_is_far(const rp_segment_t *segments, uint32_t count, int32_t x, int32_t y,
                                 double least)
{
    bool is_far = true;
    for (uint32_t i = 0; i < count && is_far; i++) {
        is_far = scene_proves(&segments[i], 0.0, segments[i].length, x, y, least);
    }
    return is_far;
}

/// True when a child needs a cell. Discs by the proof of lattice_scene.h, footprints by the
/// checker.
static inline bool oracle_needs(const oracle_t *self, const rp_segment_t *segments, uint32_t count,
                                int32_t x, int32_t y)
{
    const rp_lattice_shape_t *shape = &self->set->shape;
    const int32_t cell[2] = {x, y};
    const rp_checked_world_t world = {oracle_is_cell, cell};
    if (oracle_is_far(segments, count, x, y, fmax(rp_lattice_shape_reach(shape), 1e-3) + 1e-6)) {
        return false;
    }
    return self->footprint == NULL ||
           !oracle_is_free(&world, shape, self->footprint, segments, count, 1e-6);
}

static inline void oracle_sweep(oracle_t *self, uint32_t child)
{
    const int32_t reach = (int32_t)self->set->reach + 2;
    oracle_swept_t *swept = &self->swept[child];
    rp_segment_t segments[RP_CURVE_PIECES_MAX];
    const uint32_t count = rp_control_set_segments(self->set, child, segments);
    swept->cells = malloc((size_t)(2 * reach + 1) * (size_t)(2 * reach + 1) * 4u);
    for (int32_t y = -reach; y <= reach; y++) {
        for (int32_t x = -reach; x <= reach; x++) {
            if (oracle_needs(self, segments, count, x, y)) {
                swept->cells[swept->count][0] = (int16_t)x;
                swept->cells[swept->count++][1] = (int16_t)y;
            }
        }
    }
}

static inline size_t oracle_cells(const oracle_t *self)
{
    return (size_t)self->grid->shape.width * self->grid->shape.height;
}

static inline void oracle_open(oracle_t *self, const rp_control_set_t *set, const rp_grid_t *grid,
                               const scene_footprint_t *footprint)
{
    *self = (oracle_t){.set = set, .grid = grid, .footprint = footprint};
    self->swept = calloc(set->child_count, sizeof *self->swept);
    self->legal = calloc(oracle_cells(self) * set->child_count, 1);
    self->costs = malloc(oracle_cells(self) * set->states * sizeof *self->costs);
    self->fell = calloc(oracle_cells(self) * set->states, 1);
    for (uint32_t i = 0; i < set->child_count; i++) {
        oracle_sweep(self, i);
    }
}

static inline void oracle_close(oracle_t *self)
{
    for (uint32_t i = 0; self->set != NULL && i < self->set->child_count; i++) {
        free(self->swept[i].cells);
    }
    free(self->swept);
    free(self->legal);
    free(self->costs);
    free(self->fell);
    *self = (oracle_t){0};
}

/// The world changed: nothing is known to be legal.
static inline void oracle_forget(oracle_t *self)
{
    memset(self->legal, 0, oracle_cells(self) * self->set->child_count);
}

static inline bool oracle_allows(oracle_t *self, uint32_t x, uint32_t y, uint32_t child)
{
    const size_t cell = (size_t)y * self->grid->shape.width + x;
    uint8_t *known = &self->legal[cell * self->set->child_count + child];
    const oracle_swept_t *swept = &self->swept[child];
    for (uint32_t i = 0; *known == 0 && i < swept->count; i++) {
        if (scene_is_blocked(self->grid, (int32_t)x + swept->cells[i][0],
                             (int32_t)y + swept->cells[i][1])) {
            *known = 2;
        }
    }
    *known = *known == 0 ? 1 : *known;
    return *known == 1;
}

/// What a child costs on normal ground.
static inline uint32_t oracle_child_cost(const oracle_t *self, uint32_t child)
{
    rp_segment_t segments[RP_CURVE_PIECES_MAX];
    const uint32_t count = rp_control_set_segments(self->set, child, segments);
    return oracle_cost_of(oracle_length(&self->set->shape, segments, count)) +
           oracle_cost_of(oracle_change(self->set, child));
}

// ---- paths

static inline uint64_t *oracle_cost_at(const oracle_t *self, int32_t x, int32_t y, uint32_t state)
{
    const int32_t width = (int32_t)self->grid->shape.width;
    const int32_t height = (int32_t)self->grid->shape.height;
    x = (x % width + width) % width;
    y = (y % height + height) % height;
    return &self->costs[(size_t)(y * width + x) * self->set->states + state];
}

/// Lower the costs of what a pose leads to. @param costs  of children on normal ground
static inline void oracle_relax(oracle_t *self, const uint32_t *costs,
                                const rp_lattice_search_t *search, uint32_t x, uint32_t y,
                                uint32_t state)
{
    const rp_control_set_t *set = self->set;
    const uint64_t cost = *oracle_cost_at(self, (int32_t)x, (int32_t)y, state);
    for (uint32_t i = set->first[state]; i < set->first[state + 1u]; i++) {
        const rp_child_t *child = &set->children[i];
        if (!oracle_allows(self, x, y, i)) {
            continue;
        }
        uint64_t *other =
            oracle_cost_at(self, (int32_t)x + child->dx, (int32_t)y + child->dy, child->heading);
        const uint64_t sum =
            cost +
            (self->grid->weighted ? rp_child_cost(search->set, search->ground, x, y, i) : costs[i]);
        if (sum < *other) {
            *other = sum;
            self->fell[other - self->costs] = 1;
        }
    }
}

/// Costs from a heading on a cell to all poses: no queue, no bound. On weighted ground children
/// cost what the search says.
static inline void oracle_fill(oracle_t *self, const rp_lattice_search_t *search, rp_cell_t start,
                               uint32_t heading)
{
    const rp_control_set_t *set = self->set;
    const size_t poses = oracle_cells(self) * set->states;
    uint32_t *costs = malloc(set->child_count * sizeof *costs);
    for (uint32_t i = 0; i < set->child_count; i++) {
        costs[i] = oracle_child_cost(self, i);
    }
    memset(self->costs, 0xff, poses * sizeof *self->costs);
    for (uint32_t state = heading; state < set->states; state += set->headings.count) {
        uint64_t *cost = oracle_cost_at(self, (int32_t)rp_grid_x(self->grid, start),
                                        (int32_t)rp_grid_y(self->grid, start), state);
        *cost = 0;
        self->fell[cost - self->costs] = 1;
    }
    for (bool fell = true; fell;) {
        fell = false;
        for (size_t pose = 0; pose < poses; pose++) {
            const uint32_t cell = (uint32_t)(pose / set->states);
            if (self->fell[pose] != 0) {
                self->fell[pose] = 0;
                fell = true;
                oracle_relax(self, costs, search, cell % self->grid->shape.width,
                             cell / self->grid->shape.width, (uint32_t)(pose % set->states));
            }
        }
    }
    free(costs);
}

static inline double oracle_apart(double a, double b)
{
    return fabs(remainder(a - b, 2.0 * 3.14159265358979323846));
}

static inline bool oracle_accepts(const rp_lattice_goal_t *goal, double yaw)
{
    const double most = goal->yaw_tolerance + 1e-9;
    return goal->heading == RP_GOAL_FREE || oracle_apart(yaw, goal->yaw) <= most ||
           (goal->heading == RP_GOAL_EITHER_WAY &&
            oracle_apart(yaw, goal->yaw + 3.14159265358979323846) <= most);
}

/// The least cost of a pose of a cell whose heading a goal accepts.
static inline uint64_t oracle_least(const oracle_t *self, const rp_lattice_goal_t *goal)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t state = 0; state < self->set->states; state++) {
        const double yaw = self->set->headings.angle[state % self->set->headings.count];
        const uint64_t cost = *oracle_cost_at(self, (int32_t)rp_grid_x(self->grid, goal->cell),
                                              (int32_t)rp_grid_y(self->grid, goal->cell), state);
        least = oracle_accepts(goal, yaw) && cost < least ? cost : least;
    }
    return least;
}

/// @return the cost of the cheapest path in cells, infinite without one; headings of the lattice
/// end
///         it only
static inline double oracle_solve(oracle_t *self, const rp_lattice_search_t *search,
                                  rp_cell_t start, uint32_t heading, const rp_lattice_goal_t *goal)
{
    oracle_fill(self, search, start, heading);
    const uint64_t least = oracle_least(self, goal);
    return least == UINT64_MAX ? INFINITY : (double)least / 408.0;
}

// ---- curves

static inline void oracle_expect_joined(const rp_motion_pose_t *from, const rp_motion_pose_t *to)
{
    ck_assert(fabs(from->x - to->x) < 1e-9 && fabs(from->y - to->y) < 1e-9);
    ck_assert(oracle_apart(to->heading, from->heading) < 1e-6);
}

/// On uniform ground a path costs what its segments and its changes of gear do.
static inline void oracle_expect_cost(const oracle_t *self, const rp_lattice_plan_t *plan)
{
    const rp_lattice_shape_t *shape = &self->set->shape;
    double length = oracle_length(shape, plan->segments, plan->segment_count);
    int32_t gear = 0;
    for (uint32_t i = 0; i < plan->segment_count; i++) {
        const rp_segment_t *segment = &plan->segments[i];
        if (segment->turn == 0.0) {
            length += gear != 0 && gear != segment->gear ? shape->gear_change : 0.0;
            gear = segment->gear;
        }
    }
    if (!self->grid->weighted && plan->outcome == RP_OUTCOME_FOUND) {
        ck_assert(plan->cost >= length - 1e-9);
        ck_assert_double_le(plan->cost, length + 2.0 * (double)plan->segment_count / 408.0);
    }
}

/// Segments follow each other, are driven by this vehicle, meet nothing, and cost what is said.
static inline void oracle_expect_legal(const oracle_t *self, const rp_lattice_plan_t *plan)
{
    const rp_lattice_shape_t *shape = &self->set->shape;
    for (uint32_t i = 0; i < plan->segment_count; i++) {
        const rp_segment_t *segment = &plan->segments[i];
        const rp_motion_pose_t end = rp_segment_end(segment);
        oracle_expect_joined(&end, i + 1u < plan->segment_count ? &plan->segments[i + 1u].start
                                                                : &plan->end);
        ck_assert(segment->curvature == 0.0 ||
                  fabs(fabs(segment->curvature) * shape->turning_radius - 1.0) < 1e-12);
        ck_assert(segment->gear == 1 || shape->reverse);
    }
    ck_assert(oracle_judges(self, plan->segments, plan->segment_count, -1e-9));
    oracle_expect_cost(self, plan);
}

#endif
