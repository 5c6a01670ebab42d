/// Lattices: every answer is the cheapest of the whole lattice, or within its bound; every curve is
/// legal; slices, instructions and earlier plans change nothing.
#include <stdlib.h>
#include <string.h>

#include "planners/motion/trig.h"
#include "tests/planners/lattice/lattice_scene.h"

static rp_random_t rng;
static rp_control_set_t *set;
static rp_grid_t *grid;
static rp_lattice_t *lattice;

static void tear_down(void)
{
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
} scene_t;

static const scene_t scenes[] = {
    {2.0, 0.45, 16, RP_DRIVE_CAR, 24, 15, false, 1},
    {2.0, 0.0, 8, RP_DRIVE_CAR, 24, 20, false, 1},
    {4.0, 1.5, 16, RP_DRIVE_CAR, 32, 4, false, 1},
    {2.0, 1.0, 16, RP_DRIVE_CAR, 24, 5, true, 1},
    {3.0, 2.0, 32, RP_DRIVE_CAR, 28, 3, false, 1},
    {2.0, 0.45, 16, RP_DRIVE_CAR, 24, 10, false, 9},
    {0.0, 0.45, 16, RP_DRIVE_SPOT, 24, 20, false, 1},
    {1.0, 2.5, 16, RP_DRIVE_SPOT, 28, 3, true, 1},
    {0.0, 0.7, 16, RP_DRIVE_OMNI, 24, 12, false, 5},
    {8.0, 6.0, 16, RP_DRIVE_CAR, 40, 0, false, 1},
    {2.0, 14.0, 16, RP_DRIVE_CAR, 44, 0, false, 1},
};
#define SCENES (sizeof scenes / sizeof scenes[0])

static void open_scene(size_t index, uint64_t seed)
{
    const scene_t *scene = &scenes[index];
    rng.state = seed;
    set = scene_set(scene->radius, scene->body, scene->headings, scene->drive);
    grid = scene_world(&rng, scene->side, scene->percent, scene->wraps, scene->dearest);
    ck_assert_int_eq(rp_lattice_new(set, grid, &lattice), RP_OK);
}

/// A cell that is not so near the edge that no body fits there.
static rp_cell_t draw_cell(void)
{
    const uint32_t rim = grid->shape.wraps ? 0 : (uint32_t)set->shape.body_radius;
    return rp_grid_cell(grid, rp_random_between(&rng, rim, grid->shape.width - 1u - rim),
                        rp_random_between(&rng, rim, grid->shape.height - 1u - rim));
}

static double draw_yaw(void)
{
    return rp_random_below(&rng, 1000) * 0.0131 - 6.0;
}

static void draw_ends(void)
{
    ck_assert_int_eq(rp_lattice_set_start(lattice, draw_cell(), draw_yaw()), RP_OK);
    ck_assert_int_eq(rp_lattice_set_goal(lattice, draw_cell()), RP_OK);
}

// ---- a second opinion: Dijkstra over the whole lattice

/// Cells that a child needs, by the proof of lattice_scene.h.
typedef struct swept {
    int16_t (*cells)[2];
    uint32_t count;
    uint32_t cost;
} swept_t;

typedef struct oracle {
    swept_t *swept;  ///< by child
    uint8_t *legal;  ///< by cell and child: 0 not known, 1 legal, 2 not
    uint64_t *costs; ///< by cell and heading
} oracle_t;

static oracle_t oracle;

/// Own sum of the cost of a child.
static uint32_t sum_cost(const rp_segment_t *segments, uint32_t count)
{
    double length = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        length += segments[i].length + fabs(segments[i].turn) * set->shape.turn_price;
    }
    return (uint32_t)ceil(length * 408.0 - 1e-6);
}

static void sweep_child(uint32_t child)
{
    rp_segment_t segments[RP_CURVE_PIECES_MAX];
    const uint32_t count = rp_control_set_segments(set, child, segments);
    const double least = fmax(set->shape.body_radius, 1e-3) + 1e-6;
    const int32_t reach = (int32_t)set->reach + 2;
    swept_t *swept = &oracle.swept[child];
    swept->cost = sum_cost(segments, count);
    swept->cells = malloc((size_t)(2 * reach + 1) * (size_t)(2 * reach + 1) * 4u);
    for (int32_t y = -reach; y <= reach; y++) {
        for (int32_t x = -reach; x <= reach; x++) {
            bool is_clear = true;
            for (uint32_t i = 0; i < count && is_clear; i++) {
                is_clear = scene_proves(&segments[i], 0.0, segments[i].length, x, y, least);
            }
            if (!is_clear) {
                swept->cells[swept->count][0] = (int16_t)x;
                swept->cells[swept->count++][1] = (int16_t)y;
            }
        }
    }
}

static void open_oracle(void)
{
    const size_t cells = (size_t)grid->shape.width * grid->shape.height;
    oracle.swept = calloc(set->child_count, sizeof *oracle.swept);
    oracle.legal = calloc(cells * set->child_count, 1);
    oracle.costs = malloc(cells * set->headings.count * sizeof *oracle.costs);
    for (uint32_t i = 0; i < set->child_count; i++) {
        sweep_child(i);
    }
}

static void close_oracle(void)
{
    for (uint32_t i = 0; i < set->child_count; i++) {
        free(oracle.swept[i].cells);
    }
    free(oracle.swept);
    free(oracle.legal);
    free(oracle.costs);
}

static bool oracle_allows(uint32_t x, uint32_t y, uint32_t child)
{
    uint8_t *known = &oracle.legal[((size_t)y * grid->shape.width + x) * set->child_count + child];
    const swept_t *swept = &oracle.swept[child];
    for (uint32_t i = 0; *known == 0 && i < swept->count; i++) {
        if (scene_is_blocked(grid, (int32_t)x + swept->cells[i][0],
                             (int32_t)y + swept->cells[i][1])) {
            *known = 2;
        }
    }
    *known = *known == 0 ? 1 : *known;
    return *known == 1;
}

static uint32_t oracle_cost(uint32_t x, uint32_t y, uint32_t child)
{
    return grid->weighted ? rp_lattice_search_cost(rp_lattice_searched(lattice), x, y, child)
                          : oracle.swept[child].cost;
}

static uint64_t *cost_at(int32_t x, int32_t y, uint32_t heading)
{
    const int32_t width = (int32_t)grid->shape.width;
    const int32_t height = (int32_t)grid->shape.height;
    x = (x + width) % width;
    y = (y + height) % height;
    return &oracle.costs[(size_t)(y * width + x) * set->headings.count + heading];
}

/// Lower the costs of what a pose leads to. @return whether one fell
static bool relax(uint32_t x, uint32_t y, uint32_t heading)
{
    bool fell = false;
    const uint64_t cost = *cost_at((int32_t)x, (int32_t)y, heading);
    for (uint32_t i = set->first[heading]; i < set->first[heading + 1u]; i++) {
        const rp_child_t *child = &set->children[i];
        if (cost != UINT64_MAX && oracle_allows(x, y, i)) {
            uint64_t *other =
                cost_at((int32_t)x + child->dx, (int32_t)y + child->dy, child->heading);
            const uint64_t sum = cost + oracle_cost(x, y, i);
            fell = fell || sum < *other;
            *other = sum < *other ? sum : *other;
        }
    }
    return fell;
}

/// Bellman and Ford: no queue, no bound. @return the cost in cells, infinite without a path
static double oracle_solve(rp_cell_t start, uint32_t heading, rp_cell_t goal)
{
    const size_t cells = (size_t)grid->shape.width * grid->shape.height;
    memset(oracle.costs, 0xff, cells * set->headings.count * sizeof *oracle.costs);
    memset(oracle.legal, 0, cells * set->child_count);
    *cost_at((int32_t)rp_grid_x(grid, start), (int32_t)rp_grid_y(grid, start), heading) = 0;
    for (bool fell = true; fell;) {
        fell = false;
        for (size_t pose = 0; pose < cells * set->headings.count; pose++) {
            const uint32_t cell = (uint32_t)(pose / set->headings.count);
            fell = relax(cell % grid->shape.width, cell / grid->shape.width,
                         (uint32_t)(pose % set->headings.count)) ||
                   fell;
        }
    }
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < set->headings.count; i++) {
        const uint64_t cost =
            *cost_at((int32_t)rp_grid_x(grid, goal), (int32_t)rp_grid_y(grid, goal), i);
        least = cost < least ? cost : least;
    }
    return least == UINT64_MAX ? INFINITY : (double)least / 408.0;
}

static bool is_blocked_outcome(rp_outcome_t outcome)
{
    return outcome == RP_OUTCOME_START_BLOCKED || outcome == RP_OUTCOME_GOAL_BLOCKED;
}

START_TEST(each_answer_is_the_cheapest_of_the_whole_lattice)
{
    const size_t index = (size_t)_i % SCENES;
    open_scene(index, (uint64_t)_i);
    open_oracle();
    uint32_t found = 0;
    for (uint32_t round = 0; round < 40u && found < 3u; round++) {
        rp_lattice_plan_t plan;
        const rp_cell_t start = draw_cell();
        const rp_cell_t goal = draw_cell();
        const uint32_t heading = rp_random_below(&rng, set->headings.count);
        ck_assert_int_eq(rp_lattice_set_percent(lattice, 0), RP_OK);
        rp_lattice_set_start(lattice, start, set->headings.angle[heading]);
        rp_lattice_set_goal(lattice, goal);
        ck_assert_int_eq(rp_lattice_plan(lattice, UINT64_MAX, &plan), RP_OK);
        ck_assert(plan.is_optimal);
        if (is_blocked_outcome(plan.outcome)) {
            continue;
        }
        const double cost = oracle_solve(start, heading, goal);
        ck_assert_msg(plan.cost == cost || fabs(plan.cost - cost) < 1e-9,
                      "scene %zu: %f is said, %f is the cheapest", index, plan.cost, cost);
        found += plan.outcome == RP_OUTCOME_FOUND;
        ck_assert_int_eq(rp_lattice_set_percent(lattice, 10), RP_OK);
        ck_assert_int_eq(rp_lattice_plan(lattice, UINT64_MAX, &plan), RP_OK);
        ck_assert((plan.outcome == RP_OUTCOME_FOUND) == isfinite(cost));
        if (isfinite(cost)) {
            ck_assert(plan.bound <= cost + 1e-9);
            ck_assert(plan.cost <= 1.1 * cost + 32.0 / 408.0);
        }
        ck_assert_int_eq(rp_lattice_improve(lattice, UINT64_MAX, &plan), RP_OK);
        ck_assert(plan.is_optimal && (plan.cost == cost || fabs(plan.cost - cost) < 1e-9));
    }
    close_oracle();
    ck_assert_uint_gt(found, 0);
}
END_TEST

// ---- the lower bound

static void expect_consistent(rp_lattice_pose_t pose)
{
    const rp_lattice_search_t *search = rp_lattice_searched(lattice);
    const uint32_t h = rp_lattice_search_h(search, pose);
    for (uint32_t i = set->first[pose.heading]; i < set->first[pose.heading + 1u]; i++) {
        if (!rp_lattice_search_is_legal(search, pose.x, pose.y, i)) {
            continue;
        }
        const uint32_t cost = rp_lattice_search_cost(search, pose.x, pose.y, i);
        const uint32_t after = rp_lattice_search_h(search, rp_lattice_search_end(search, pose, i));
        if ((h == UINT32_MAX) != (after == UINT32_MAX) || (h != UINT32_MAX && h > cost + after)) {
            ck_assert_msg(false, "child %u of (%u, %u, %u): %u is more than %u + %u", i, pose.x,
                          pose.y, pose.heading, h, cost, after);
        }
    }
}

START_TEST(the_lower_bound_is_consistent_on_every_legal_edge)
{
    open_scene((size_t)_i % SCENES, (uint64_t)_i + 1000u);
    for (uint32_t round = 0; round < 4u; round++) {
        rp_lattice_plan_t plan;
        draw_ends();
        ck_assert_int_eq(rp_lattice_plan(lattice, UINT64_MAX, &plan), RP_OK);
        if (is_blocked_outcome(plan.outcome) || plan.outcome == RP_OUTCOME_NO_PATH) {
            continue;
        }
        for (uint32_t y = 0; y < grid->shape.height; y++) {
            for (uint32_t x = 0; x < grid->shape.width; x++) {
                for (uint32_t heading = 0; heading < set->headings.count; heading++) {
                    expect_consistent(
                        (rp_lattice_pose_t){(uint16_t)x, (uint16_t)y, (uint8_t)heading});
                }
            }
        }
    }
}
END_TEST

// ---- curves

static void expect_joined(const rp_motion_pose_t *from, const rp_motion_pose_t *to)
{
    const double turned = rp_trig_turn(to->heading - from->heading + 1e-6);
    ck_assert(fabs(from->x - to->x) < 1e-9 && fabs(from->y - to->y) < 1e-9);
    ck_assert(turned < 2e-6);
}

static void expect_legal(const rp_lattice_plan_t *plan)
{
    const double body = fmax(set->shape.body_radius, 1e-3);
    double length = 0.0;
    for (uint32_t i = 0; i < plan->segment_count; i++) {
        const rp_segment_t *segment = &plan->segments[i];
        const rp_motion_pose_t end = rp_segment_end(segment);
        expect_joined(&end,
                      i + 1u < plan->segment_count ? &plan->segments[i + 1u].start : &plan->end);
        ck_assert(scene_is_clear(grid, segment, body - 1e-9));
        ck_assert(segment->curvature == 0.0 ||
                  fabs(fabs(segment->curvature) * set->shape.turning_radius - 1.0) < 1e-12);
        length += segment->length + fabs(segment->turn) * set->shape.turn_price;
    }
    if (!grid->weighted && plan->outcome == RP_OUTCOME_FOUND) {
        ck_assert(plan->cost >= length - 1e-9);
        ck_assert_double_le(plan->cost, length + (double)plan->segment_count / 408.0);
    }
}

START_TEST(each_curve_is_joined_legal_and_as_long_as_it_costs)
{
    open_scene((size_t)_i % SCENES, (uint64_t)_i + 2000u);
    for (uint32_t round = 0; round < 12u; round++) {
        rp_lattice_plan_t plan;
        draw_ends();
        ck_assert_int_eq(rp_lattice_plan(lattice, UINT64_MAX, &plan), RP_OK);
        expect_legal(&plan);
        ck_assert_int_eq(rp_lattice_improve(lattice, UINT64_MAX, &plan), RP_OK);
        expect_legal(&plan);
    }
}
END_TEST

// ---- nothing else matters

static void expect_same(const rp_lattice_plan_t *a, const rp_lattice_plan_t *b)
{
    ck_assert_int_eq(a->outcome, b->outcome);
    ck_assert(a->cost == b->cost && a->bound == b->bound && a->expanded == b->expanded);
    ck_assert_uint_eq(a->segment_count, b->segment_count);
}

static void expect_same_segment(const rp_segment_t *a, const rp_segment_t *b)
{
    RP_EACH(a->start.x == b->start.x && a->start.y == b->start.y &&
            a->start.heading == b->start.heading);
    RP_EACH(a->length == b->length && a->curvature == b->curvature && a->turn == b->turn &&
            a->course == b->course && a->gear == b->gear);
}

static void plan_in_steps(rp_lattice_t *self, rp_lattice_plan_t *plan)
{
    rp_status_t status = RP_MORE;
    while (status == RP_MORE) {
        status = rp_lattice_plan(self, 1, plan);
    }
    ck_assert_int_eq(status, RP_OK);
}

START_TEST(slices_instructions_and_earlier_plans_change_nothing)
{
    open_scene((size_t)_i % SCENES, (uint64_t)_i + 3000u);
    for (uint32_t round = 0; round < 6u; round++) {
        rp_lattice_plan_t plan;
        rp_lattice_plan_t other;
        rp_lattice_t *fresh = NULL;
        const rp_cell_t start = draw_cell();
        const rp_cell_t goal = draw_cell();
        const double yaw = draw_yaw();
        ck_assert_int_eq(rp_lattice_new(set, grid, &fresh), RP_OK);
        rp_lattice_set_simd(fresh, RP_SIMD_NONE);
        rp_lattice_set_start(fresh, start, yaw);
        rp_lattice_set_goal(fresh, goal);
        rp_lattice_set_start(lattice, start, yaw);
        rp_lattice_set_goal(lattice, goal);
        plan_in_steps(fresh, &other);
        ck_assert_int_eq(rp_lattice_plan(lattice, UINT64_MAX, &plan), RP_OK);
        expect_same(&plan, &other);
        for (uint32_t i = 0; i < plan.segment_count; i++) {
            expect_same_segment(&plan.segments[i], &other.segments[i]);
        }
        rp_lattice_destroy(&fresh);
    }
}
END_TEST

/// A change of a few cells, here and there.
static void change_world(void)
{
    for (uint32_t i = 0; i < 3u; i++) {
        const rp_cell_t cell = draw_cell();
        const uint8_t before = grid->factor[cell];
        const uint8_t free = grid->weighted ? (uint8_t)rp_random_between(&rng, 1, 9) : 1u;
        const rp_change_t change = {.cell = cell,
                                    .before = before,
                                    .after = before != 0 && rp_random_chance(&rng, 50) ? 0 : free};
        rp_grid_set(grid, cell, change.after);
        ck_assert_int_eq(rp_lattice_apply(lattice, &change, 1), RP_OK);
    }
}

/// A lattice that knows nothing of what was: what the cheapest path costs.
static double fresh_cost(rp_cell_t start, double yaw, rp_cell_t goal, rp_outcome_t *outcome)
{
    rp_lattice_plan_t plan;
    rp_lattice_t *fresh = NULL;
    ck_assert_int_eq(rp_lattice_new(set, grid, &fresh), RP_OK);
    rp_lattice_set_percent(fresh, 0);
    rp_lattice_set_start(fresh, start, yaw);
    rp_lattice_set_goal(fresh, goal);
    ck_assert_int_eq(rp_lattice_plan(fresh, UINT64_MAX, &plan), RP_OK);
    *outcome = plan.outcome;
    rp_lattice_destroy(&fresh);
    return plan.cost;
}

/// Hold a plan to the cheapest. @return whether the last path was kept
static bool expect_right(const rp_lattice_plan_t *plan, double cost, rp_outcome_t outcome)
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

/// Changes, of the cells near the path above all; ends that stay for a while.
START_TEST(after_every_change_the_answer_is_as_good_as_a_fresh_one)
{
    open_scene((size_t)_i % SCENES, (uint64_t)_i + 4000u);
    rp_cell_t start = RP_NO_CELL;
    rp_cell_t goal = RP_NO_CELL;
    double yaw = 0.0;
    uint32_t kept = 0;
    for (uint32_t round = 0; round < 60u; round++) {
        rp_lattice_plan_t plan;
        rp_outcome_t outcome;
        if (round % 10u == 0) {
            start = draw_cell();
            goal = draw_cell();
            yaw = round % 30u == 0 ? draw_yaw() : set->headings.angle[round % set->headings.count];
            rp_lattice_set_percent(lattice, round % 20u == 0 ? 10 : 0);
            rp_lattice_set_start(lattice, start, yaw);
            rp_lattice_set_goal(lattice, goal);
        }
        ck_assert_int_eq(round % 3u == 0 ? rp_lattice_plan(lattice, UINT64_MAX, &plan)
                                         : (plan_in_steps(lattice, &plan), RP_OK),
                         RP_OK);
        const double cost = fresh_cost(start, yaw, goal, &outcome);
        kept += expect_right(&plan, cost, outcome);
        if (round % 4u == 3) {
            ck_assert_int_eq(rp_lattice_improve(lattice, UINT64_MAX, &plan), RP_OK);
            ck_assert(plan.is_optimal);
            (void)expect_right(&plan, cost, outcome);
        }
        change_world();
    }
    ck_assert(kept > 0 || grid->weighted || set->shape.body_radius > 0.5);
}
END_TEST

/// A wall beside the path, and its end: neither needs a search, though the wall must be known.
START_TEST(what_is_beside_the_path_needs_no_search)
{
    const rp_grid_shape_t shape = {
        .width = 60, .height = 40, .neighbors = 8, .unit = 1, .least = 1};
    set = scene_set(2.0, 1.0, 16, RP_DRIVE_CAR);
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    ck_assert_int_eq(rp_lattice_new(set, grid, &lattice), RP_OK);
    rp_lattice_plan_t plan;
    rp_lattice_set_percent(lattice, (uint32_t)_i % 2u * 10u);
    rp_lattice_set_start(lattice, rp_grid_cell(grid, 10, 20), 0.0);
    rp_lattice_set_goal(lattice, rp_grid_cell(grid, 50, 20));
    ck_assert_int_eq(rp_lattice_plan(lattice, UINT64_MAX, &plan), RP_OK);
    const double cost = plan.cost;
    ck_assert(cost >= 40.0 && cost <= 44.1);
    for (uint32_t round = 0; round < 6u; round++) {
        const rp_change_t change = {.cell = rp_grid_cell(grid, 30, 3u + round / 2u),
                                    .before = 1u - round % 2u,
                                    .after = round % 2u};
        rp_grid_set(grid, change.cell, change.after);
        ck_assert_int_eq(rp_lattice_apply(lattice, &change, 1), RP_OK);
        ck_assert_int_eq(rp_lattice_plan(lattice, UINT64_MAX, &plan), RP_OK);
        ck_assert_uint_eq(plan.expanded, 0);
        ck_assert(plan.cost == cost);
    }
    const rp_cell_t middle = plan.path.cells[plan.path.count / 2u];
    const rp_change_t wall = {.cell = middle, .before = 1, .after = 0};
    rp_grid_set(grid, wall.cell, 0);
    ck_assert_int_eq(rp_lattice_apply(lattice, &wall, 1), RP_OK);
    ck_assert_int_eq(rp_lattice_plan(lattice, UINT64_MAX, &plan), RP_OK);
    ck_assert_uint_gt(plan.expanded, 0);
    ck_assert(plan.cost > 40.0);
    const rp_change_t freed = {.cell = wall.cell, .before = 0, .after = 1};
    rp_grid_set(grid, wall.cell, 1);
    ck_assert_int_eq(rp_lattice_apply(lattice, &freed, 1), RP_OK);
    ck_assert_int_eq(rp_lattice_improve(lattice, UINT64_MAX, &plan), RP_OK);
    ck_assert(plan.cost == 40.0);
}
END_TEST

START_TEST(what_is_blocked_outside_or_no_number_is_said)
{
    rp_lattice_plan_t plan;
    open_scene(0, 1);
    ck_assert_int_eq(rp_lattice_plan(lattice, 1, &plan), RP_E_INVALID);
    ck_assert_int_eq(rp_lattice_set_start(lattice, RP_NO_CELL, 0.0), RP_E_INVALID);
    ck_assert_int_eq(rp_lattice_set_start(lattice, rp_grid_cell(grid, 3, 3), NAN), RP_E_INVALID);
    ck_assert_int_eq(rp_lattice_set_goal(lattice, 1), RP_E_INVALID);
    ck_assert_int_eq(rp_lattice_set_percent(lattice, RP_LATTICE_PERCENT_MOST + 1u), RP_E_INVALID);
    const rp_change_t outside = {.cell = 1};
    ck_assert_int_eq(rp_lattice_apply(lattice, &outside, 1), RP_E_INVALID);
    const rp_cell_t wall = rp_grid_cell(grid, 3, 3);
    const rp_change_t change = {.cell = wall, .before = 1, .after = 0};
    rp_grid_set(grid, wall, 0);
    ck_assert_int_eq(rp_lattice_apply(lattice, &change, 1), RP_OK);
    rp_lattice_set_start(lattice, wall, 0.0);
    rp_lattice_set_goal(lattice, wall);
    ck_assert_int_eq(rp_lattice_plan(lattice, UINT64_MAX, &plan), RP_OK);
    ck_assert_int_eq(plan.outcome, RP_OUTCOME_START_BLOCKED);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        each_answer_is_the_cheapest_of_the_whole_lattice,
        the_lower_bound_is_consistent_on_every_legal_edge,
        each_curve_is_joined_legal_and_as_long_as_it_costs,
        slices_instructions_and_earlier_plans_change_nothing,
        after_every_change_the_answer_is_as_good_as_a_fresh_one,
        what_is_beside_the_path_needs_no_search,
        what_is_blocked_outside_or_no_number_is_said,
    };
    return rp_suite_run("lattice", tests, sizeof tests / sizeof tests[0], RP_ROUNDS(11), tear_down);
}
