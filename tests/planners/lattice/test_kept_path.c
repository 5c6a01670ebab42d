/// Kept paths: whatever was blocked and freed since the search, together or one after the other, a
/// path that is kept is as good as a fresh plan says.
#include "tests/planners/lattice/lattice_scene.h"

#define CHANGES_MOST 128u
#define WALKERS      12u

static rp_random_t rng;
static rp_control_set_t *set;
static rp_grid_t *grid;
static rp_lattice_t *lattice;
static rp_cell_t start;
static double yaw;
static rp_cell_t goal;
static rp_change_t batch[CHANGES_MOST];
static size_t batch_count;

static void tear_down(void)
{
    rp_lattice_destroy(&lattice);
    rp_grid_destroy(&grid);
    rp_control_set_destroy(&set);
}

// ---- changes

static void write_cell(rp_cell_t cell, uint8_t factor)
{
    if (grid->factor[cell] == factor) {
        return;
    }
    ck_assert_uint_lt(batch_count, CHANGES_MOST);
    batch[batch_count++] =
        (rp_change_t){.cell = cell, .before = grid->factor[cell], .after = factor};
    rp_grid_set(grid, cell, factor);
}

static void write_rect(uint32_t left, uint32_t top, uint32_t width, uint32_t height, uint8_t factor)
{
    for (uint32_t y = top; y < top + height; y++) {
        for (uint32_t x = left; x < left + width; x++) {
            write_cell(rp_grid_cell(grid, x, y), factor);
        }
    }
}

static void tell(void)
{
    ck_assert_int_eq(rp_lattice_apply(lattice, batch, batch_count), RP_OK);
    batch_count = 0;
}

// ---- answers

/// What the cheapest path costs, by a lattice that knows nothing of what was.
static double fresh_cost(void)
{
    rp_lattice_plan_t plan;
    rp_lattice_t *fresh = NULL;
    ck_assert_int_eq(rp_lattice_new(set, grid, &fresh), RP_OK);
    rp_lattice_set_percent(fresh, 0);
    rp_lattice_set_start(fresh, start, yaw);
    rp_lattice_set_goal(fresh, goal);
    ck_assert_int_eq(rp_lattice_plan(fresh, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    rp_lattice_destroy(&fresh);
    return plan.cost;
}

/// Hold an answer to the cheapest path. @return whether the last path was kept
static bool expect_right(const rp_lattice_plan_t *plan, double cost)
{
    ck_assert(isfinite(plan->cost) == isfinite(cost));
    if (!isfinite(cost)) {
        return false;
    }
    for (uint32_t i = 0; i < plan->segment_count; i++) {
        ck_assert(scene_is_clear(grid, &plan->segments[i], set->shape.body_radius - 1e-9));
    }
    ck_assert_double_le(plan->bound, cost + 1e-9);
    ck_assert_double_le(plan->cost, (plan->is_optimal ? 1.0 : 1.1) * cost + 32.0 / 408.0);
    ck_assert_msg(!plan->is_optimal || fabs(plan->cost - cost) < 1e-9,
                  "%f is called the cheapest, %f is", plan->cost, cost);
    return plan->expanded == 0 && plan->segment_count != 0;
}

static bool plan_is_kept(void)
{
    rp_lattice_plan_t plan;
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    return expect_right(&plan, fresh_cost());
}

static void improve(void)
{
    rp_lattice_plan_t plan;
    ck_assert_int_eq(rp_lattice_improve(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    ck_assert(plan.is_optimal);
    (void)expect_right(&plan, fresh_cost());
}

/// Begin on an answer, or on a better one, so that changes meet it at any stage.
static void work_a_little(void)
{
    rp_lattice_plan_t plan;
    const bool is_better = rp_random_chance(&rng, 50);
    const uint64_t budget = rp_random_below(&rng, 300);
    const rp_status_t status = is_better ? rp_lattice_improve(lattice, &(uint64_t){budget}, &plan)
                                         : rp_lattice_plan(lattice, &(uint64_t){budget}, &plan);
    ck_assert(status == RP_OK || status == RP_MORE);
}

// ---- scenes

static void open_world(double body, uint32_t width, uint32_t height)
{
    const rp_grid_shape_t shape = {
        .width = width, .height = height, .neighbors = 8, .unit = 1, .least = 1};
    set = scene_set(2.0, body, 16, RP_DRIVE_CAR);
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
}

static void begin(uint32_t percent)
{
    batch_count = 0; // cells of the world as it is taken in
    ck_assert_int_eq(rp_lattice_new(set, grid, &lattice), RP_OK);
    rp_lattice_set_percent(lattice, percent);
    rp_lattice_set_start(lattice, start, 0.0);
    rp_lattice_set_goal(lattice, goal);
}

/// A corridor that is plugged at its far end, and so much of it at once that the field is grown
/// anew. The search had no cause to look into the corridor.
START_TEST(a_plug_that_goes_at_once_is_seen)
{
    open_world(0.45, 50, 50);
    for (uint32_t x = 8; x < 40u; x++) {
        rp_grid_set(grid, rp_grid_cell(grid, x, 19), 0);
        rp_grid_set(grid, rp_grid_cell(grid, x, 30), 0);
    }
    for (uint32_t i = 0; i < 100u; i++) {
        rp_grid_set(grid, rp_grid_cell(grid, 30u + i % 10u, 20u + i / 10u), 0);
    }
    start = rp_grid_cell(grid, 3, 25);
    goal = rp_grid_cell(grid, 45, 25);
    begin((uint32_t)_i % 2u * 10u);
    (void)plan_is_kept();
    if (_i % 4 > 1) {
        improve();
    }
    write_rect(30, 20, 10, 10, 1);
    tell();
    ck_assert(!plan_is_kept());
    improve();
}
END_TEST

/// Rectangles that come and go whole: some are so large that the field is grown anew.
START_TEST(what_comes_and_goes_in_large_pieces_is_seen)
{
    open_world(_i % 3 == 0 ? 0.0 : 0.45, 30, 30);
    rng.state = (uint64_t)_i + 5180u;
    for (uint32_t round = 0; round < 60u; round++) {
        const uint32_t width = rp_random_between(&rng, 1, 9);
        const uint32_t height = rp_random_between(&rng, 1, 9);
        const uint32_t left = rp_random_below(&rng, 30u - width);
        const uint32_t top = rp_random_below(&rng, 30u - height);
        const uint8_t factor = rp_random_chance(&rng, 50);
        if (round % 12u == 0) {
            rp_lattice_destroy(&lattice);
            start = rp_grid_cell(grid, 1, rp_random_below(&rng, 30));
            goal = rp_grid_cell(grid, 28, rp_random_below(&rng, 30));
            begin(round % 24u == 0 ? 10u : 0u);
        }
        write_rect(left, top, width, height, factor);
        tell();
        if (rp_random_chance(&rng, 20)) {
            work_a_little();
            continue;
        }
        (void)plan_is_kept();
        if (round % 5u == 4) {
            improve();
        }
    }
}
END_TEST

// ---- what moves

/// A gap just as wide as the body needs, and another one on the way round. What stands at the rim
/// of the first walks by one cell, which opens nothing, and then it leaves.
START_TEST(a_gap_that_opens_by_and_by_is_seen)
{
    open_world(2.45, 44, 44);
    for (uint32_t y = 0; y < 44u; y++) {
        const bool is_open = (y >= 10u && y <= 14u) || (y >= 30u && y <= 36u);
        rp_grid_set(grid, rp_grid_cell(grid, 20, y), is_open ? 1 : 0);
    }
    rp_grid_set(grid, rp_grid_cell(grid, 20, 10), 0);
    start = rp_grid_cell(grid, 4, 14);
    goal = rp_grid_cell(grid, 27, 16);
    begin((uint32_t)_i % 2u * 10u);
    (void)plan_is_kept();
    if (_i % 4 > 1) {
        improve();
    }
    write_cell(rp_grid_cell(grid, 20, 10), 1);
    write_cell(rp_grid_cell(grid, 20, 11), 0);
    tell();
    ck_assert(plan_is_kept());
    write_cell(rp_grid_cell(grid, 20, 11), 1);
    tell();
    ck_assert(!plan_is_kept());
    improve();
}
END_TEST

/// One that walks to and fro between two cells, and leaves now and then.
typedef struct walker {
    rp_cell_t cells[2];
    uint32_t at; ///< 0 or 1, or 2: not there
} walker_t;

static walker_t walkers[WALKERS];

static void draw_walker(walker_t *walker)
{
    const uint32_t x = rp_random_between(&rng, 4, 24);
    const uint32_t y = rp_random_between(&rng, 1, 27);
    const bool is_across = rp_random_chance(&rng, 70);
    walker->cells[0] = rp_grid_cell(grid, x, y);
    walker->cells[1] = rp_grid_cell(grid, is_across ? x : x + 1u, is_across ? y + 1u : y);
    walker->at = 2;
}

/// Walk to the other cell, come or leave. Walls, and cells where another stands, are not entered.
static void walk(walker_t *walker)
{
    const uint32_t next = rp_random_chance(&rng, 25) ? 2u
                          : walker->at == 2u         ? rp_random_below(&rng, 2)
                                                     : 1u - walker->at;
    if (next != 2u && grid->factor[walker->cells[next]] == 0) {
        return;
    }
    if (walker->at != 2u) {
        write_cell(walker->cells[walker->at], 1);
    }
    if (next != 2u) {
        write_cell(walker->cells[next], 0);
    }
    walker->at = next;
}

START_TEST(what_walks_to_and_fro_is_seen)
{
    static const double bodies[] = {0.45, 1.0, 0.45, 2.0};
    rng.state = (uint64_t)_i + 6156u;
    set = scene_set(2.0, bodies[_i % 4], 16, RP_DRIVE_CAR);
    grid = scene_world(&rng, 28, _i % 4 == 0 ? 14 : 3, false, 1);
    for (uint32_t round = 0; round < 120u; round++) {
        if (round % 30u == 0) {
            rp_lattice_destroy(&lattice);
            start = rp_grid_cell(grid, 2, rp_random_between(&rng, 2, 28));
            goal = rp_grid_cell(grid, 25, rp_random_between(&rng, 2, 28));
            begin(round % 60u == 0 ? 0u : 10u);
        }
        if (round == 0) {
            for (uint32_t i = 0; i < WALKERS; i++) {
                draw_walker(&walkers[i]);
            }
        }
        for (uint32_t i = 0; i < 2u; i++) {
            walk(&walkers[rp_random_below(&rng, WALKERS)]);
        }
        tell();
        if (rp_random_chance(&rng, 20)) {
            work_a_little();
            continue;
        }
        (void)plan_is_kept();
        if (round % 7u == 6) {
            improve();
        }
    }
}
END_TEST

// ---- searches that had hardly to look

/// Write some cell where no end is.
static void write_any(uint8_t factor)
{
    const uint32_t x = rp_random_between(&rng, 7, 24);
    const rp_cell_t cell = rp_grid_cell(grid, x, rp_random_below(&rng, 31));
    write_cell(cell, factor);
}

/// A long body that is asked again from where it stands, when only obstacles came: the last path is
/// the cheapest still, which needs no search. What is freed then was not looked at by that one.
START_TEST(what_is_freed_after_a_search_that_ended_at_once_is_seen)
{
    static const double xs[] = {3.31, 3.31, -0.77, -0.77};
    static const double ys[] = {0.93, -0.93, -0.93, 0.93};
    rp_lattice_shape_t shape = {
        .turning_radius = 2.0, .turn_price = 0.7, .headings = 16, .drive = RP_DRIVE_CAR};
    ck_assert_ptr_null(rp_vehicle_set_footprint(&shape.footprint, xs, ys, 4, 0.0));
    rng.state = (uint64_t)_i + 7321u;
    set = scene_set_of(&shape);
    grid = scene_world(&rng, 28, 5, false, 1);
    for (uint32_t round = 0; round < 60u; round++) {
        if (round % 12u == 0) {
            rp_lattice_destroy(&lattice);
            start = rp_grid_cell(grid, 3, rp_random_between(&rng, 3, 27));
            goal = rp_grid_cell(grid, 25, rp_random_between(&rng, 3, 27));
            begin(0);
            (void)plan_is_kept();
        }
        write_any(0);
        tell();
        rp_lattice_set_start(lattice, start, 0.0);
        (void)plan_is_kept();
        for (uint32_t i = 0; i < 40u; i++) {
            write_any(1);
        }
        tell();
        (void)plan_is_kept();
    }
}
END_TEST

// ---- paths that break

static rp_cell_t block[9]; ///< cells that were free before
static size_t block_count;

/// Put a block of cells onto the path, but not near its ends. @return false: it is too short
static bool break_path(const rp_lattice_plan_t *plan)
{
    if (plan->path.count < 24u) {
        return false;
    }
    const rp_cell_t cell = plan->path.cells[rp_random_between(&rng, 9, plan->path.count - 10u)];
    const uint32_t side = rp_random_between(&rng, 1, 3);
    const uint32_t x = rp_grid_x(grid, cell);
    const uint32_t y = rp_grid_y(grid, cell);
    write_rect(x < 2u ? 0 : x - 1u, y < 2u ? 0 : y - 1u, side, side, 0);
    for (block_count = 0; block_count < batch_count; block_count++) {
        block[block_count] = batch[block_count].cell;
    }
    tell();
    return true;
}

/// All of the last block goes again.
static void free_block(void)
{
    for (size_t i = 0; i < block_count; i++) {
        write_cell(block[i], 1);
    }
    block_count = 0;
    tell();
}

/// An answer within the bound is proved by the exact search that found the path before, or by the
/// search that found its own: a bounded one proves nothing of other paths when it goes on.
/// @return true: by the search before
static bool is_proved_by_old(const rp_lattice_plan_t *plan)
{
    const rp_lattice_search_t *search = rp_lattice_searched(lattice);
    if (plan->is_optimal || !isfinite(plan->cost)) {
        return false;
    }
    ck_assert(search->percent == 0 || search->has_path);
    return search->percent == 0;
}

/// Go on to where a segment begins on a pose of the lattice.
static void drive(const rp_lattice_plan_t *plan)
{
    for (uint32_t i = 1; i + 4u < plan->segment_count; i++) {
        const rp_motion_pose_t *at = &plan->segments[i].start;
        if (at->x == floor(at->x) && at->y == floor(at->y) && rp_random_chance(&rng, 40)) {
            start = rp_grid_cell(grid, (uint32_t)at->x, (uint32_t)at->y);
            yaw = at->heading;
            rp_lattice_set_start(lattice, start, yaw);
            return;
        }
    }
}

/// Blocks come onto the path, one after the other, before and behind the start's next poses; some
/// go again at once, others later, and walls of before with them. Whatever proves an answer, it is
/// within its bound.
START_TEST(what_is_mended_is_within_its_bound)
{
    static const double bodies[] = {0.45, 1.0, 0.0, 1.5};
    rng.state = (uint64_t)_i + 8412u;
    set = scene_set(2.0, bodies[_i % 4], 16, RP_DRIVE_CAR);
    grid = scene_world(&rng, 60, _i % 4 == 0 ? 12 : 4, false, 1);
    uint32_t by_old = 0;
    block_count = 0;
    for (uint32_t round = 0; round < 40u; round++) {
        rp_lattice_plan_t plan;
        if (round % 10u == 0) {
            rp_lattice_destroy(&lattice);
            start = rp_grid_cell(grid, 2, rp_random_between(&rng, 2, 60));
            goal = rp_grid_cell(grid, 57, rp_random_between(&rng, 2, 60));
            yaw = 0.0;
            begin(round % 20u == 0 ? 0u : 10u);
            block_count = 0; // ends may lie there now
        }
        ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
        (void)expect_right(&plan, fresh_cost());
        by_old += is_proved_by_old(&plan);
        if (rp_random_chance(&rng, 30)) {
            free_block();
            ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
            (void)expect_right(&plan, fresh_cost());
        }
        if (rp_random_chance(&rng, 50)) {
            improve();
            ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
        }
        if (rp_random_chance(&rng, 25)) {
            drive(&plan);
        }
        if (rp_random_chance(&rng, 20)) {
            write_any(1);
            tell();
            work_a_little();
        }
        (void)break_path(&plan);
        if (rp_random_chance(&rng, 20)) {
            work_a_little();
        }
    }
    yaw = 0.0;
    ck_assert(by_old != 0 || _i != 1); // elsewhere searches for ways round may all be short
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_is_mended_is_within_its_bound,
        a_plug_that_goes_at_once_is_seen,
        what_comes_and_goes_in_large_pieces_is_seen,
        a_gap_that_opens_by_and_by_is_seen,
        what_walks_to_and_fro_is_seen,
        what_is_freed_after_a_search_that_ended_at_once_is_seen,
    };
    return rp_suite_run("kept_path", tests, sizeof tests / sizeof tests[0], RP_ROUNDS(12),
                        tear_down);
}
