/// Leaving a collision: obstacles that the body overlaps at the start are left out until it has
/// left them, deeper into none at any time; no other is met.
#include "tests/planners/lattice/lattice_cases.h"

/// Cells round the world that are looked at as well: what is outside is an obstacle.
#define ROUND 16

/// The start's obstacles.
static bool overlapped[64 + 2 * ROUND][64 + 2 * ROUND];

static bool is_overlapped(int64_t x, int64_t y)
{
    return x >= -ROUND && y >= -ROUND && x < 64 + ROUND && y < 64 + ROUND &&
           overlapped[y + ROUND][x + ROUND];
}

static bool is_other(const void *user, int64_t x, int64_t y)
{
    return scene_is_blocked(user, (int32_t)x, (int32_t)y) && !is_overlapped(x, y);
}

/// By the checker: the body at rest on a pose overlaps a cell.
static bool overlaps(const rp_motion_pose_t *pose, int32_t x, int32_t y, double margin)
{
    const int32_t cell[2] = {x, y};
    const rp_checked_world_t world = {oracle_is_cell, cell};
    const rp_segment_t rest = {.start = *pose, .turn = 1e-9, .gear = 1};
    return !oracle_is_free(&world, &set->shape, footprint, &rest, 1, margin);
}

static uint32_t note_overlapped(const rp_motion_pose_t *pose)
{
    uint32_t count = 0;
    memset(overlapped, 0, sizeof overlapped);
    for (int32_t y = -ROUND; y < (int32_t)grid->shape.height + ROUND; y++) {
        for (int32_t x = -ROUND; x < (int32_t)grid->shape.width + ROUND; x++) {
            if (scene_is_blocked(grid, x, y) && overlaps(pose, x, y, 1e-6)) {
                overlapped[y + ROUND][x + ROUND] = true;
                count++;
            }
        }
    }
    return count;
}

/// Once left an obstacle is not met again, and of a disc the distance never falls.
static void expect_out(const rp_lattice_plan_t *plan, int32_t x, int32_t y)
{
    double least = 0.0;
    bool has_left = false;
    for (uint32_t i = 0; i < plan->escape_count; i++) {
        const rp_segment_t *segment = &plan->segments[i];
        for (uint32_t k = 0; k <= 64u; k++) {
            const rp_motion_pose_t pose =
                rp_segment_pose(segment, rp_segment_extent(segment) * k / 64.0);
            const double apart = scene_to_square(&pose, x, y);
            const bool is_met = overlaps(&pose, x, y, -1e-9);
            ck_assert(!is_met || !has_left);
            ck_assert(footprint != NULL || !is_met || apart >= least - 1e-6);
            has_left = has_left || !is_met;
            least = apart;
        }
    }
    ck_assert(has_left);
}

static void expect_escape(const rp_lattice_plan_t *plan, double most)
{
    const rp_checked_world_t others = {is_other, grid};
    double length = 0.0;
    ck_assert_uint_gt(plan->escape_count, 0);
    ck_assert(
        oracle_is_free(&others, &set->shape, footprint, plan->segments, plan->escape_count, -1e-9));
    for (uint32_t i = 0; i < plan->escape_count; i++) {
        length += plan->segments[i].length;
    }
    ck_assert_double_le(length, most + 1e-9);
    for (int32_t y = -ROUND; y < (int32_t)grid->shape.height + ROUND; y++) {
        for (int32_t x = -ROUND; x < (int32_t)grid->shape.width + ROUND; x++) {
            if (is_overlapped(x, y)) {
                expect_out(plan, x, y);
            }
        }
    }
    const oracle_t judge = {.set = set, .grid = grid, .footprint = footprint};
    ck_assert(oracle_judges(&judge, plan->segments + plan->escape_count,
                            plan->segment_count - plan->escape_count, -1e-9));
    oracle_expect_cost(&judge, plan);
}

static const size_t cases[] = {0, 2, 6, 8, 11, 14, 15, 16, 17};
#define CASES (sizeof cases / sizeof cases[0])

START_TEST(a_body_leaves_what_it_overlaps)
{
    open_scene(cases[(size_t)_i % CASES], (uint64_t)_i + 11000u);
    uint32_t left = 0;
    for (uint32_t round = 0; round < 200u && left < 4u; round++) {
        rp_lattice_plan_t plan;
        const rp_cell_t start = draw_cell();
        const double yaw = draw_yaw();
        const double most = rp_random_between(&rng, 1, 6);
        rp_lattice_set_start(lattice, start, yaw);
        const rp_cell_t goal = draw_cell();
        rp_lattice_set_goal(lattice, footprint != NULL && round % 8u == 7u ? start : goal);
        ck_assert_int_eq(rp_lattice_set_escape(lattice, 0.0), RP_OK);
        ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
        ck_assert_uint_eq(plan.escape_count, 0);
        const bool was_blocked = plan.outcome == RP_OUTCOME_START_BLOCKED;
        ck_assert_int_eq(rp_lattice_set_escape(lattice, most), RP_OK);
        rp_status_t status = RP_MORE;
        while (status == RP_MORE) {
            status = rp_lattice_plan(lattice, &(uint64_t){500}, &plan);
        }
        ck_assert_int_eq(status, RP_OK);
        if (was_blocked && plan.outcome == RP_OUTCOME_FOUND && !grid->shape.wraps) {
            const rp_motion_pose_t pose = {rp_grid_x(grid, start), rp_grid_y(grid, start), yaw};
            ck_assert_uint_gt(note_overlapped(&pose), 0);
            expect_escape(&plan, most);
            left++;
        }
        ck_assert(was_blocked || plan.escape_count == 0);
    }
    ck_assert(left > 0 || grid->shape.wraps);
}
END_TEST

/// A long body that stands with its front in a wall is not where it may stay, though it could turn
/// round there.
START_TEST(a_goal_in_a_collision_is_not_reached_by_staying)
{
    const rp_grid_shape_t shape = {
        .width = 40, .height = 30, .neighbors = 8, .unit = 1, .least = 1};
    rp_lattice_shape_t long_car = {.turning_radius = 2.0, .headings = 16, .drive = RP_DRIVE_CAR};
    rp_lattice_plan_t plan;
    footprint = &footprints[0];
    ck_assert_ptr_null(rp_vehicle_set_footprint(&long_car.footprint, footprint->x, footprint->y,
                                                footprint->count, 0.0));
    set = scene_set_of(&long_car);
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    for (uint32_t y = 0; y < 30u; y++) {
        rp_grid_set(grid, rp_grid_cell(grid, 23, y), 0);
    }
    ck_assert_int_eq(rp_lattice_new(set, grid, &lattice), RP_OK);
    rp_lattice_set_start(lattice, rp_grid_cell(grid, 20, 15), 0.0);
    rp_lattice_set_goal(lattice, rp_grid_cell(grid, 20, 15));
    ck_assert_int_eq(rp_lattice_set_escape(lattice, 4.0), RP_OK);
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    ck_assert_int_eq(plan.outcome, RP_OUTCOME_START_BLOCKED);
}
END_TEST

/// An obstacle that comes onto the start is one that the body may leave, so that there is a path
/// after an answer that there is none.
START_TEST(what_had_no_path_may_have_one_as_an_escape)
{
    uint32_t found = 0;
    for (uint64_t seed = 0; seed < 4u; seed++) {
        open_scene(0, seed + 300u);
        ck_assert_int_eq(rp_lattice_set_escape(lattice, 8.0), RP_OK);
        for (uint32_t round = 0; round < 30u; round++) {
            rp_lattice_t *fresh = NULL;
            rp_lattice_plan_t plan;
            rp_lattice_plan_t other;
            const rp_cell_t start = draw_cell();
            const rp_cell_t goal = draw_cell();
            const double yaw = draw_yaw();
            rp_lattice_set_start(lattice, start, yaw);
            rp_lattice_set_goal(lattice, goal);
            ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
            const bool had_none = plan.outcome == RP_OUTCOME_NO_PATH && plan.escape_count == 0;
            const rp_change_t change = {.cell = start, .before = grid->factor[start], .after = 0};
            rp_grid_set(grid, start, 0);
            ck_assert_int_eq(rp_lattice_apply(lattice, &change, 1), RP_OK);
            ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
            ck_assert_int_eq(rp_lattice_new(set, grid, &fresh), RP_OK);
            ck_assert_int_eq(rp_lattice_set_escape(fresh, 8.0), RP_OK);
            rp_lattice_set_start(fresh, start, yaw);
            rp_lattice_set_goal(fresh, goal);
            ck_assert_int_eq(rp_lattice_plan(fresh, &(uint64_t){UINT64_MAX}, &other), RP_OK);
            ck_assert_int_eq(plan.outcome, other.outcome);
            found += had_none && other.outcome == RP_OUTCOME_FOUND;
            const rp_change_t back = {.cell = start, .before = 0, .after = change.before};
            rp_grid_set(grid, start, change.before);
            ck_assert_int_eq(rp_lattice_apply(lattice, &back, 1), RP_OK);
            rp_lattice_destroy(&fresh);
        }
        tear_down();
    }
    ck_assert_uint_gt(found, 0);
}
END_TEST

/// Beside a wall that is a little too near a car drives on, straight; into it, it does not.
START_TEST(a_car_drives_off_a_wall_and_not_into_it)
{
    const rp_grid_shape_t shape = {
        .width = 40, .height = 20, .neighbors = 8, .unit = 1, .least = 1};
    rp_lattice_plan_t plan;
    set = scene_set(3.0, 1.4, 16, RP_DRIVE_CAR);
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    for (uint32_t y = 0; y < 20u; y++) {
        rp_grid_set(grid, rp_grid_cell(grid, 9, y), 0);
    }
    ck_assert_int_eq(rp_lattice_new(set, grid, &lattice), RP_OK);
    rp_lattice_set_start(lattice, rp_grid_cell(grid, 10, 10), 0.0);
    rp_lattice_set_goal(lattice, rp_grid_cell(grid, 30, 10));
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    ck_assert_int_eq(plan.outcome, RP_OUTCOME_START_BLOCKED);
    ck_assert_int_eq(rp_lattice_set_escape(lattice, 3.0), RP_OK);
    ck_assert_int_eq(rp_lattice_improve(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    ck_assert(plan.outcome == RP_OUTCOME_FOUND && plan.cost == 20.0 && plan.escape_count == 1u);
    rp_lattice_set_start(lattice, rp_grid_cell(grid, 10, 10), 3.14159265358979323846);
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    ck_assert_int_eq(plan.outcome, RP_OUTCOME_START_BLOCKED);
    ck_assert_int_eq(rp_lattice_set_escape(lattice, -1.0), RP_E_INVALID);
    ck_assert_int_eq(rp_lattice_set_escape(lattice, NAN), RP_E_INVALID);
    ck_assert_int_eq(rp_lattice_set_escape(lattice, RP_LATTICE_ESCAPE_MOST + 1.0), RP_E_INVALID);
}
END_TEST

int main(void)
{
    const TTest *const once[] = {a_car_drives_off_a_wall_and_not_into_it,
                                 a_goal_in_a_collision_is_not_reached_by_staying,
                                 what_had_no_path_may_have_one_as_an_escape};
    const TTest *const each[] = {a_body_leaves_what_it_overlaps};
    const int code = rp_suite_run("leaving", once, 3, 1, tear_down);
    const int more = rp_suite_run("leaving_cases", each, 1, CASES, tear_down);
    return code != 0 ? code : more;
}
