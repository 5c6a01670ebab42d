/// Lattices: every answer is the cheapest of the whole lattice, or within its bound; every curve is
/// legal; slices, instructions and earlier plans change nothing.
#include "tests/planners/lattice/lattice_cases.h"

static void draw_ends(void)
{
    ck_assert_int_eq(rp_lattice_set_start(lattice, draw_cell(), draw_yaw()), RP_OK);
    ck_assert_int_eq(rp_lattice_set_goal(lattice, draw_cell()), RP_OK);
}

static bool is_blocked_outcome(rp_outcome_t outcome)
{
    return outcome == RP_OUTCOME_START_BLOCKED || outcome == RP_OUTCOME_GOAL_BLOCKED;
}

START_TEST(each_answer_is_the_cheapest_of_the_whole_lattice)
{
    const size_t index = (size_t)_i % SCENES;
    open_scene(index, (uint64_t)_i);
    oracle_open(&oracle, set, grid, footprint);
    uint32_t found = 0;
    for (uint32_t round = 0; round < 40u && found < 3u; round++) {
        rp_lattice_plan_t plan;
        const rp_cell_t start = draw_cell();
        const rp_cell_t goal = draw_cell();
        const uint32_t heading = rp_random_below(&rng, set->headings.count);
        ck_assert_int_eq(rp_lattice_set_percent(lattice, 0), RP_OK);
        rp_lattice_set_start(lattice, start, set->headings.angle[heading]);
        rp_lattice_set_goal(lattice, goal);
        ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
        ck_assert(plan.is_optimal);
        if (is_blocked_outcome(plan.outcome)) {
            continue;
        }
        const double cost = oracle_solve(&oracle, rp_lattice_searched(lattice), start, heading,
                                         &(rp_lattice_goal_t){.cell = goal});
        ck_assert_msg(plan.cost == cost || fabs(plan.cost - cost) < 1e-9,
                      "scene %zu: %f is said, %f is the cheapest", index, plan.cost, cost);
        found += plan.outcome == RP_OUTCOME_FOUND;
        ck_assert_int_eq(rp_lattice_set_percent(lattice, 10), RP_OK);
        ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
        ck_assert((plan.outcome == RP_OUTCOME_FOUND) == isfinite(cost));
        if (isfinite(cost)) {
            ck_assert(plan.bound <= cost + 1e-9);
            ck_assert(plan.cost <= 1.1 * cost + 32.0 / 408.0);
        }
        ck_assert_int_eq(rp_lattice_improve(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
        ck_assert(plan.is_optimal && (plan.cost == cost || fabs(plan.cost - cost) < 1e-9));
    }
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
        const uint32_t cost = rp_child_cost(search->set, search->ground, pose.x, pose.y, i);
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
        ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
        if (is_blocked_outcome(plan.outcome) || plan.outcome == RP_OUTCOME_NO_PATH) {
            continue;
        }
        for (uint32_t y = 0; y < grid->shape.height; y++) {
            for (uint32_t x = 0; x < grid->shape.width; x++) {
                for (uint32_t heading = 0; heading < set->states; heading++) {
                    expect_consistent(
                        (rp_lattice_pose_t){(uint16_t)x, (uint16_t)y, (uint8_t)heading});
                }
            }
        }
    }
}
END_TEST

// ---- curves

START_TEST(each_curve_is_joined_legal_and_as_long_as_it_costs)
{
    open_scene((size_t)_i % SCENES, (uint64_t)_i + 2000u);
    for (uint32_t round = 0; round < 12u; round++) {
        rp_lattice_plan_t plan;
        draw_ends();
        ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
        expect_legal(&plan);
        ck_assert_int_eq(rp_lattice_improve(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
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
        ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
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
        ck_assert_int_eq(round % 3u == 0 ? rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan)
                                         : (plan_in_steps(lattice, &plan), RP_OK),
                         RP_OK);
        const double cost = fresh_cost(start, yaw, goal, &outcome);
        kept += expect_right(&plan, cost, outcome);
        if (round % 4u == 3) {
            ck_assert_int_eq(rp_lattice_improve(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
            ck_assert(plan.is_optimal);
            (void)expect_right(&plan, cost, outcome);
        }
        change_world();
    }
    ck_assert(kept > 0 || grid->weighted || set->shape.body_radius > 0.5 || footprint != NULL);
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
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    const double cost = plan.cost;
    ck_assert(cost >= 40.0 && cost <= 44.1);
    for (uint32_t round = 0; round < 6u; round++) {
        const rp_change_t change = {.cell = rp_grid_cell(grid, 30, 3u + round / 2u),
                                    .before = 1u - round % 2u,
                                    .after = round % 2u};
        rp_grid_set(grid, change.cell, change.after);
        ck_assert_int_eq(rp_lattice_apply(lattice, &change, 1), RP_OK);
        ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
        ck_assert_uint_eq(plan.expanded, 0);
        ck_assert(plan.cost == cost);
    }
    const rp_cell_t middle = plan.path.cells[plan.path.count / 2u];
    const rp_change_t wall = {.cell = middle, .before = 1, .after = 0};
    rp_grid_set(grid, wall.cell, 0);
    ck_assert_int_eq(rp_lattice_apply(lattice, &wall, 1), RP_OK);
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    ck_assert_uint_gt(plan.expanded, 0);
    ck_assert(plan.cost > 40.0);
    const rp_change_t freed = {.cell = wall.cell, .before = 0, .after = 1};
    rp_grid_set(grid, wall.cell, 1);
    ck_assert_int_eq(rp_lattice_apply(lattice, &freed, 1), RP_OK);
    ck_assert_int_eq(rp_lattice_improve(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    ck_assert(plan.cost == 40.0);
}
END_TEST

START_TEST(what_is_blocked_outside_or_no_number_is_said)
{
    rp_lattice_plan_t plan;
    open_scene(0, 1);
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){1}, &plan), RP_E_INVALID);
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
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    ck_assert_int_eq(plan.outcome, RP_OUTCOME_START_BLOCKED);
}
END_TEST

/// A corridor to and fro on the dearest ground, where each turn costs a thirteenth of what a path
/// may: that there is no path is not known, however often it is asked, and with more obstacles.
START_TEST(a_path_that_is_too_dear_is_not_none)
{
    const rp_grid_shape_t shape = {
        .width = 12, .height = 21, .neighbors = 8, .unit = 1, .least = 1};
    const rp_lattice_shape_t spot = {.body_radius = 0.45,
                                     .turn_price = RP_LATTICE_TURN_MOST,
                                     .headings = 8,
                                     .drive = RP_DRIVE_SPOT};
    rp_lattice_plan_t plan;
    set = scene_set_of(&spot);
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    for (uint32_t y = 0; y < 21u; y++) {
        for (uint32_t x = 0; x < 12u; x++) {
            const bool is_open = y % 2u == 0 || x == (y % 4u == 1u ? 11u : 0);
            rp_grid_set(grid, rp_grid_cell(grid, x, y), is_open ? UINT8_MAX : 0);
        }
    }
    ck_assert_int_eq(rp_lattice_new(set, grid, &lattice), RP_OK);
    rp_lattice_set_start(lattice, rp_grid_cell(grid, 5, 0), 0.0);
    rp_lattice_set_goal(lattice, rp_grid_cell(grid, 5, 20));
    for (uint32_t i = 0; i < 3u; i++) {
        const rp_change_t change = {
            .cell = rp_grid_cell(grid, i, 0), .before = UINT8_MAX, .after = 0};
        ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan),
                         RP_E_UNSUPPORTED);
        ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan),
                         RP_E_UNSUPPORTED);
        rp_grid_set(grid, change.cell, 0);
        ck_assert_int_eq(rp_lattice_apply(lattice, &change, 1), RP_OK);
        ck_assert_int_eq(rp_lattice_keep(lattice, &(uint64_t){UINT64_MAX}, &plan),
                         RP_E_UNSUPPORTED);
    }
    rp_lattice_set_goal(lattice, rp_grid_cell(grid, 5, 2));
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    ck_assert_int_eq(plan.outcome, RP_OUTCOME_FOUND);
}
END_TEST

int main(void)
{
    const TTest *const once[] = {a_path_that_is_too_dear_is_not_none};
    const TTest *const tests[] = {
        each_answer_is_the_cheapest_of_the_whole_lattice,
        the_lower_bound_is_consistent_on_every_legal_edge,
        each_curve_is_joined_legal_and_as_long_as_it_costs,
        slices_instructions_and_earlier_plans_change_nothing,
        after_every_change_the_answer_is_as_good_as_a_fresh_one,
        what_is_beside_the_path_needs_no_search,
        what_is_blocked_outside_or_no_number_is_said,
    };
    const int code = rp_suite_run("lattice_once", once, 1, 1, tear_down);
    const int more = rp_suite_run("lattice", tests, sizeof tests / sizeof tests[0],
                                  RP_ROUNDS(SCENES), tear_down);
    return code != 0 ? code : more;
}
