/// AUTO: whom it chooses when, and that it says so. That answers are right is the oracle's business
/// (test_oracle.c); each plan here is judged all the same.
#include <string.h>

#include "planners/portfolio/choice.h"
#include "tests/support/drawing.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/trial.h"

#define SIDE 100u

static rp_trial_t trial;
static rp_random_t rng;

static void tear_down(void)
{
    rp_trial_fini(&trial);
}

/// A quarter blocked, the ends far apart.
static void make_world_of(uint8_t neighbors, uint32_t side)
{
    const rp_grid_shape_t shape = {
        .width = side, .height = side, .neighbors = neighbors, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_trial_init(&trial, "auto", NULL), RP_OK);
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    rng = (rp_random_t){5};
    rp_trial_set_start(&trial, 1, 1);
    rp_trial_set_goal(&trial, side - 2u, side - 2u);
    for (uint32_t i = 0; i < side * side / 4u; i++) {
        const uint32_t x = rp_random_below(&rng, side);
        const uint32_t y = rp_random_below(&rng, side);
        if ((x > 3 || y > 3) && (x < side - 4u || y < side - 4u)) {
            rp_trial_set(&trial, x, y, 0);
        }
    }
    rp_trial_expect_plan(&trial);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_FOUND);
}

static void make_world(uint8_t neighbors)
{
    make_world_of(neighbors, SIDE);
}

/// Idle to the end. @return expansions that it took
static uint64_t idle(void)
{
    uint64_t budget = UINT64_MAX;
    ck_assert_int_eq(rp_planner_idle(trial.planner, &budget), RP_OK);
    return UINT64_MAX - budget;
}

/// A cell in the middle of the path that is there now.
static rp_cell_t middle_of_path(void)
{
    return trial.plan.path.cells[trial.plan.path.count / 2u];
}

static void flip(rp_cell_t cell, uint8_t factor)
{
    rp_trial_set(&trial, rp_grid_x(trial.grid, cell), rp_grid_y(trial.grid, cell), factor);
}

START_TEST(auto_floods_first_and_says_so)
{
    make_world(8);
    ck_assert_str_eq(trial.plan.stats.planner, "bpa");
    ck_assert_str_eq(trial.plan.stats.why, "first");
}
END_TEST

/// What searches from scratch follows the ground: in clutter one that is guided, else by jumps. The
/// ends jump, so that nothing is repaired.
START_TEST(auto_floods_as_the_ground_asks_for)
{
    make_world(8);
    for (uint32_t round = 0; round < 2; round++) { // it is swept, and cluttered again
        const bool is_swept = round == 0;
        for (uint32_t y = 4; y < SIDE - 4u; y++) {
            for (uint32_t x = 4; x < SIDE - 4u; x++) {
                rp_trial_set(&trial, x, y, is_swept || !rp_random_chance(&rng, 25) ? 1 : 0);
            }
            rp_trial_set_start(&trial, 1, y % 2u == 0 ? 1 : SIDE - 2u);
            rp_trial_expect_plan(&trial);
        }
        ck_assert_str_eq(trial.plan.stats.planner, is_swept ? "jps" : "bpa");
        ck_assert_uint_eq(trial.plan.stats.restarts, 0);
    }
}
END_TEST

START_TEST(auto_searches_nothing_when_the_path_proves_itself)
{
    make_world(8);
    // The corners beside the straight way: no path of this cost can run through them.
    rp_trial_set(&trial, SIDE - 1u, 0, 0);
    rp_trial_set(&trial, 0, SIDE - 1u, 0);
    rp_trial_expect_plan(&trial);
    ck_assert_uint_eq(trial.plan.stats.expanded, 0);
    ck_assert_str_eq(trial.plan.stats.why, "the path proves itself");
}
END_TEST

START_TEST(auto_turns_to_repair_when_small_batches_go_on)
{
    make_world(_i % 2 == 0 ? 4 : 8);
    bool has_repaired = false;
    for (int i = 0; i < 400 && !has_repaired; i++) {
        const rp_cell_t cell = middle_of_path();
        flip(cell, 0);
        rp_trial_expect_plan(&trial);
        flip(cell, 1);
        rp_trial_expect_plan(&trial);
        has_repaired = strcmp(trial.plan.stats.planner, "cert") == 0;
    }
    ck_assert(has_repaired);
}
END_TEST

static void set_start(rp_cell_t cell)
{
    rp_trial_set_start(&trial, rp_grid_x(trial.grid, cell), rp_grid_y(trial.grid, cell));
}

/// One cell along the path that is there now. @return false at its end
static bool walk_on(void)
{
    if (trial.plan.path.count < 3u) {
        return false;
    }
    set_start(trial.plan.path.cells[1]);
    return true;
}

START_TEST(auto_searches_nothing_while_its_start_walks_the_path)
{
    make_world(_i % 2 == 0 ? 4 : 8);
    while (walk_on()) {
        rp_trial_expect_plan(&trial); // judged, what is left of the path is the best from there
        ck_assert_uint_eq(trial.plan.stats.expanded, 0);
    }
}
END_TEST

START_TEST(auto_searches_when_what_is_left_of_the_path_is_cut)
{
    make_world(8);
    for (int i = 0; i < 10; i++) {
        (void)walk_on();
        rp_trial_expect_plan(&trial);
    }
    const uint32_t gone = trial.plan.path.count / 2u;
    flip(trial.plan.path.cells[gone], 0);
    rp_trial_expect_plan(&trial);
    ck_assert_uint_gt(trial.plan.stats.expanded, 0);
}
END_TEST

/// Block a free cell somewhere, but not on the path that is there now, nor beside it.
static void block_elsewhere(void)
{
    const uint32_t x = rp_random_below(&rng, SIDE);
    const uint32_t y = rp_random_below(&rng, SIDE);
    for (uint32_t i = 0; i < trial.plan.path.count; i++) {
        const int32_t dx = (int32_t)rp_grid_x(trial.grid, trial.plan.path.cells[i]) - (int32_t)x;
        const int32_t dy = (int32_t)rp_grid_y(trial.grid, trial.plan.path.cells[i]) - (int32_t)y;
        if (dx * dx + dy * dy <= 1) {
            return;
        }
    }
    rp_trial_set(&trial, x, y, 0);
}

START_TEST(auto_tells_its_flood_what_happened_while_it_was_not_needed)
{
    // Few changes are told late; after many the search from scratch reads the grid anew.
    const int counts[] = {60, 2500};
    make_world(_i % 2 == 0 ? 4 : 8);
    for (int i = 0; i < counts[_i / 2]; i++) {
        block_elsewhere();
        rp_trial_expect_plan(&trial);
        ck_assert_uint_eq(trial.plan.stats.expanded, 0);
    }
    flip(middle_of_path(), 0);
    rp_trial_expect_plan(&trial); // judged
}
END_TEST

START_TEST(auto_turns_to_a_repair_for_a_start_that_walks)
{
    make_world(8);
    bool has_repaired = false;
    while (!has_repaired && trial.plan.path.count > 8u && walk_on()) {
        const rp_cell_t cell = trial.plan.path.cells[trial.plan.path.count - 3u];
        flip(cell, 0);
        rp_trial_expect_plan(&trial);
        has_repaired = strcmp(trial.plan.stats.planner, "dstar-lazy") == 0;
        flip(cell, 1);
        rp_trial_expect_plan(&trial);
    }
    ck_assert(has_repaired);
}
END_TEST

/// A blocked cell becomes free and a free one blocked, near the goal or near the start.
static void churn_near(uint32_t x, uint32_t y, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t cell_x = x + rp_random_below(&rng, 12);
        const uint32_t cell_y = y + rp_random_below(&rng, 12);
        rp_trial_set(&trial, cell_x, cell_y, rp_random_chance(&rng, 25) ? 0 : 1);
    }
}

/// No search from scratch is much cheaper there than a field that serves the whole drive.
START_TEST(auto_begins_with_the_repair_for_a_robot_on_weighted_ground)
{
    make_world(8);
    rp_trial_set(&trial, SIDE / 2u, SIDE / 2u, 3);
    rp_trial_expect_plan(&trial);
    ck_assert_str_eq(trial.plan.stats.planner, "lwf");
    for (unsigned i = 0; i < RP_ROUNDS(40u) && trial.plan.path.count > 8u; i++) {
        const rp_cell_t next = trial.plan.path.cells[1];
        flip(trial.plan.path.cells[6], (uint8_t)(i % 3u + 1u));
        rp_trial_set_start(&trial, rp_grid_x(trial.grid, next), rp_grid_y(trial.grid, next));
        rp_trial_expect_plan(&trial);
        ck_assert_str_eq(trial.plan.stats.planner, "lwf");
        ck_assert_uint_eq(trial.plan.stats.restarts, 0);
    }
}
END_TEST

/// What stands in the way for ever wears the field out: searches grow until it is built anew.
START_TEST(auto_builds_a_worn_field_anew_in_idle_time)
{
    uint64_t spent = 0;
    make_world(8);
    rp_trial_set(&trial, SIDE / 2u, SIDE / 2u, 40); // nothing dearer comes later
    rp_trial_expect_plan(&trial);
    for (unsigned i = 0; i < RP_ROUNDS(400u) && trial.plan.path.count > 12u; i++) {
        flip(trial.plan.path.cells[trial.plan.path.count / 2u + i % 5u], 40);
        rp_trial_expect_plan(&trial);
        ck_assert_uint_eq(trial.plan.stats.restarts, 0);
        spent += idle();
    }
    ck_assert_uint_gt(spent, 0);
    ck_assert_uint_eq(idle(), 0);
}
END_TEST

START_TEST(auto_repairs_from_the_goal_when_changes_lie_near_it)
{
    make_world(8);
    bool has_repaired = false;
    for (int i = 0; i < 400 && !has_repaired; i++) {
        churn_near(SIDE - 20u, SIDE - 20u, 60);
        rp_trial_expect_plan(&trial);
        has_repaired = strcmp(trial.plan.stats.planner, "afa") == 0;
    }
    ck_assert(has_repaired);
}
END_TEST

/// The field of a start that walks is rooted at the goal: where changes lie there and the start
/// stays, it is the wrong one, and others are tried when it has cost as much as they take.
START_TEST(auto_changes_from_one_repair_to_another_that_suits)
{
    make_world(8);
    rp_trial_set(&trial, SIDE / 2u, SIDE / 2u, 3);
    rp_trial_expect_plan(&trial);
    ck_assert_str_eq(trial.plan.stats.planner, "lwf");
    uint64_t expanded = 0;
    bool has_changed = false;
    for (int i = 0; i < 400 && !has_changed; i++) {
        const uint64_t before = expanded;
        churn_near(SIDE - 20u, SIDE - 20u, 60);
        rp_trial_expect_plan(&trial);
        expanded += trial.plan.stats.expanded;
        has_changed = strcmp(trial.plan.stats.planner, "afa") == 0;
        ck_assert(!has_changed || before > SIDE);
    }
    ck_assert(has_changed);
    ck_assert_uint_eq(trial.plan.stats.restarts, 0);
}
END_TEST

/// Nobody waits for that where there is idle time.
START_TEST(auto_makes_another_repair_that_suits_ready_in_idle_time)
{
    make_world(8);
    rp_trial_set(&trial, SIDE / 2u, SIDE / 2u, 3);
    rp_trial_expect_plan(&trial);
    uint64_t made = 0;
    bool has_changed = false;
    for (int i = 0; i < 400 && !has_changed; i++) {
        made = idle();
        churn_near(SIDE - 20u, SIDE - 20u, 60);
        rp_trial_expect_plan(&trial);
        has_changed = strcmp(trial.plan.stats.planner, "afa") == 0;
    }
    ck_assert(has_changed);
    ck_assert_uint_gt(made, SIDE);
    ck_assert_uint_lt(trial.plan.stats.expanded, made / 4u);
}
END_TEST

/// Of a batch that leaves the path alone nothing is to be repaired; where it lies is learnt.
START_TEST(auto_lets_its_repair_see_that_a_batch_leaves_the_path)
{
    make_world(8);
    for (int i = 0; i < 400 && strcmp(trial.plan.stats.planner, "cert") != 0; i++) {
        flip(middle_of_path(), 0);
        rp_trial_expect_plan(&trial);
    }
    ck_assert_str_ne(trial.plan.stats.why, "the path proves itself");
    for (uint32_t x = SIDE - 30u; x < SIDE - 2u; x++) {
        rp_trial_set(&trial, x, 0, 0);
    }
    rp_trial_expect_plan(&trial);
    ck_assert_str_eq(trial.plan.stats.planner, "cert");
    ck_assert_str_eq(trial.plan.stats.why, "the path proves itself");
}
END_TEST

/// A plain, where a search takes a few jumps: what a search from scratch costs is to hear of
/// batches that leave its path alone. A repair sees at once that they do.
START_TEST(auto_turns_to_a_repair_where_its_flood_hears_of_much_for_nothing)
{
    const bool idles = _i % 2 != 0;
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = SIDE, .neighbors = 8, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_trial_init(&trial, "auto", NULL), RP_OK);
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    rp_trial_set_start(&trial, 1, SIDE / 2u);
    rp_trial_set_goal(&trial, SIDE - 2u, SIDE / 2u);
    rp_trial_expect_plan(&trial);
    for (uint32_t i = 0; i < 80; i++) {
        for (uint32_t x = 0; x < 20; x++) {
            rp_trial_set(&trial, x, 0, i % 2u);
        }
        rp_trial_expect_plan(&trial);
        ck_assert(idles || strcmp(trial.plan.stats.planner, "jps") == 0);
        ck_assert(!idles || idle() < 10000);
    }
    for (uint32_t i = 0; !idles && i < 4; i++) { // else it was made ready meanwhile
        rp_trial_set(&trial, SIDE / 2u, SIDE / 2u, i % 2u);
        rp_trial_expect_plan(&trial);
    }
    ck_assert_str_eq(trial.plan.stats.planner, "cert");
}
END_TEST

START_TEST(auto_chases_a_goal_that_walks)
{
    make_world(_i % 2 == 0 ? 4 : 8);
    bool has_chased = false;
    for (uint32_t i = 0; i < 400 && !has_chased; i++) {
        const rp_cell_t beside = rp_grid_cell(trial.grid, SIDE - 2u, SIDE - 2u - i % 3u);
        rp_trial_set_goal(&trial, rp_grid_x(trial.grid, beside), rp_grid_y(trial.grid, beside));
        rp_trial_expect_plan(&trial);
        has_chased = strcmp(trial.plan.stats.planner, "at") == 0;
    }
    ck_assert(has_chased || _i % 2 == 0); // with 4 neighbours bits may be faster for ever
}
END_TEST

START_TEST(auto_makes_a_repair_ready_in_idle_time_and_uses_it)
{
    make_world(8);
    ck_assert_uint_gt(idle(), 0);
    ck_assert_uint_eq(idle(), 0);
    flip(middle_of_path(), 0);
    rp_trial_expect_plan(&trial);
    ck_assert_str_ne(trial.plan.stats.why, "first");
    ck_assert_uint_eq(trial.plan.stats.restarts, 0);
    ck_assert_str_eq(trial.plan.stats.planner, "dstar-lazy");
    flip(middle_of_path(), 0);
    rp_trial_expect_plan(&trial);
    (void)walk_on();
    rp_trial_expect_plan(&trial);
}
END_TEST

/// The repair for a start that walks is at work, and does nothing where its path is not touched.
START_TEST(auto_searches_nothing_where_its_walk_is_not_touched)
{
    make_world(8);
    (void)idle();
    flip(middle_of_path(), 0);
    rp_trial_expect_plan(&trial);
    ck_assert_str_eq(trial.plan.stats.planner, "dstar-lazy");
    for (unsigned i = 0; i < 60; i++) {
        block_elsewhere();
        if (i % 3 == 0) {
            (void)walk_on();
        }
        rp_trial_expect_plan(&trial);
        ck_assert_uint_eq(trial.plan.stats.expanded, 0);
    }
    for (unsigned i = 0; i < 10; i++) { // what it did not hear of is undone, and the path is cut
        const rp_cell_t cell = rp_grid_cell(trial.grid, SIDE / 2u, i);
        flip(cell, 0);
        (void)walk_on();
        rp_trial_expect_plan(&trial);
        flip(cell, 1);
        flip(middle_of_path(), 0);
        rp_trial_expect_plan(&trial); // judged
        ck_assert_uint_eq(trial.plan.stats.restarts, 0);
    }
}
END_TEST

/// Cells come and go round the start, no farther from it than this, and not at the ends.
static void churn_round_start(uint32_t reach)
{
    const rp_cell_t start = trial.plan.path.cells[0];
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t x =
            rp_grid_x(trial.grid, start) + rp_random_below(&rng, 2u * reach + 1u) - reach;
        const uint32_t y =
            rp_grid_y(trial.grid, start) + rp_random_below(&rng, 2u * reach + 1u) - reach;
        const bool is_at_end = (x < 3u && y < 3u) || (x > SIDE - 4u && y > SIDE - 4u);
        if (x < SIDE && y < SIDE && !is_at_end && rp_grid_cell(trial.grid, x, y) != start) {
            rp_trial_set(&trial, x, y, rp_random_chance(&rng, 40) ? 0 : 1);
        }
    }
}

/// As in a map that is partly wrong: most cells are freed where no way is cheaper for it.
START_TEST(auto_searches_nothing_for_what_is_freed_beside_its_walk)
{
    unsigned kept = 0;
    for (unsigned world = 0; world < RP_ROUNDS(20u); world++) {
        make_world(_i % 2 == 0 ? 4 : 8);
        rng = (rp_random_t){1u + world + 100u * (unsigned)_i};
        (void)idle();
        do {
            churn_round_start(2u + world % 5u);
            rp_trial_expect_plan(&trial); // judged
            kept += strcmp(trial.plan.stats.planner, "dstar-lazy") == 0 &&
                    strcmp(trial.plan.stats.why, "the path proves itself") == 0;
        } while (trial.plan.outcome == RP_OUTCOME_FOUND &&
                 (rp_random_chance(&rng, 70) || walk_on()));
        rp_trial_fini(&trial);
    }
    ck_assert_int_eq(rp_trial_init(&trial, "auto", NULL), RP_OK);
    ck_assert(kept != 0 || _i % 2 == 0); // with 4 neighbours bits may be faster for ever
}
END_TEST

static void dig(uint32_t left, uint32_t top, uint32_t right, uint32_t bottom)
{
    for (uint32_t y = top; y <= bottom; y++) {
        for (uint32_t x = left; x <= right; x++) {
            rp_trial_set(&trial, x, y, 1);
        }
    }
}

/// Three ways lead from the start to a crossing, and the rest is far. The shortest is blocked, the
/// next opens and closes again before the plan, and the start takes a step along the third: nothing
/// has happened. But then the third becomes shorter, though not as short as the second was.
START_TEST(auto_forgets_a_way_that_was_open_for_a_moment)
{
    const uint32_t side = 2u * SIDE;
    const rp_grid_shape_t shape = {
        .width = side, .height = side, .neighbors = 8, .unit = 1, .least = 1};
    if (_i != 0) {
        return;
    }
    ck_assert_int_eq(rp_trial_init(&trial, "auto", NULL), RP_OK);
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    rng = (rp_random_t){5};
    for (uint32_t place = 0; place < side * side; place++) {
        const bool is_wall = place / side < 62u || rp_random_chance(&rng, 25);
        rp_trial_set(&trial, place % side, place / side, is_wall ? 0 : 1);
    }
    dig(10, 10, 40, 10); // the first way
    dig(40, 10, 40, 60);
    dig(5, 10, 10, 10); // the second
    dig(5, 10, 5, 40);
    dig(5, 40, 40, 40);
    dig(10, 1, 10, 10); // the third
    dig(10, 1, 60, 1);
    dig(60, 1, 60, 40);
    dig(40, 40, 60, 40);
    dig(50, 1, 50, 40); // which has a short cut
    dig(38, 58, 42, 64);
    dig(side - 8u, side - 8u, side - 1u, side - 1u);
    rp_trial_set(&trial, 50, 20, 0);
    rp_trial_set_start(&trial, 10, 10);
    rp_trial_set_goal(&trial, side - 4u, side - 4u);
    rp_trial_expect_plan(&trial);
    (void)idle();
    for (uint8_t factor = 0; factor < 2u; factor++) { // the search looks at the second, too
        rp_trial_set(&trial, 25, 10, factor);
        rp_trial_expect_plan(&trial);
    }
    rp_trial_set(&trial, 9, 10, 0);
    rp_trial_expect_plan(&trial);
    rp_trial_set(&trial, 25, 10, 0);
    rp_trial_expect_plan(&trial);
    ck_assert_str_eq(trial.plan.stats.planner, "dstar-lazy");
    for (uint8_t left = 2u; left != 0; left--) {
        rp_trial_set(&trial, 9, 10, left == 2u ? 1 : 0);
        rp_trial_tell(&trial);
    }
    rp_trial_set_start(&trial, 10, 9);
    rp_trial_expect_plan(&trial);
    rp_trial_set(&trial, 50, 20, 1);
    rp_trial_expect_plan(&trial); // judged
}
END_TEST

/// Without workload the repair for a start that walks is made ready; this one stays.
START_TEST(auto_makes_another_repair_ready_when_the_first_was_a_wrong_guess)
{
    make_world_of(_i % 2 == 0 ? 4 : 8, 3u * SIDE);
    (void)idle();
    flip(middle_of_path(), 0);
    rp_trial_expect_plan(&trial);
    (void)idle();
    ck_assert_uint_eq(idle(), 0);
    for (unsigned i = 0; i < 3; i++) {
        flip(middle_of_path(), 0);
        rp_trial_expect_plan(&trial);
        ck_assert_str_eq(trial.plan.stats.planner, "cert");
        ck_assert_uint_eq(trial.plan.stats.restarts, 0);
        ck_assert_uint_eq(idle(), 0);
    }
}
END_TEST

/// Floods are so cheap here that nothing is made ready for a start that might walk. But the path
/// stands while cells elsewhere change: the ends are thought to stay before it is cut.
START_TEST(auto_makes_the_repair_for_ends_that_stay_ready_while_its_path_stands)
{
    const uint32_t batches[] = {0, 3, 4, 20};
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = SIDE, .neighbors = 8, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_trial_init(&trial, "auto", NULL), RP_OK);
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    rp_trial_set_start(&trial, 1, SIDE / 2u);
    rp_trial_set_goal(&trial, SIDE - 2u, SIDE / 2u);
    rp_trial_expect_plan(&trial);
    ck_assert_uint_eq(idle(), 0);
    for (uint32_t i = 0; i < batches[_i]; i++) {
        rp_trial_set(&trial, i, 0, 0);
        rp_trial_expect_plan(&trial);
        (void)idle();
    }
    rp_trial_set(&trial, SIDE / 2u, SIDE / 2u, 0);
    rp_trial_expect_plan(&trial); // judged
    ck_assert_str_eq(trial.plan.stats.planner, _i < 2 ? "jps" : "cert");
    ck_assert_uint_eq(trial.plan.stats.restarts, 0);
}
END_TEST

/// Floods are dear here.
#define HALL 400u
#define ROOM 200u

/// Most of the world is a hall whose one door is closed and opened: the way round is much longer,
/// and the repair would look at the whole hall.
START_TEST(auto_gives_up_a_repair_that_costs_more_than_a_flood)
{
    if (_i != 0) {
        return; // large: once is enough
    }
    const rp_grid_shape_t shape = {
        .width = HALL, .height = HALL, .neighbors = 4, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_trial_init(&trial, "auto", NULL), RP_OK);
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    rp_trial_set_start(&trial, 1, HALL / 2u);
    rp_trial_set_goal(&trial, HALL - 2u, HALL / 2u);
    rng = (rp_random_t){7};
    for (uint32_t i = 0; i < HALL * HALL / 4u; i++) {
        const uint32_t x = 4u + rp_random_below(&rng, HALL - 20u);
        rp_trial_set(&trial, x, rp_random_below(&rng, HALL), 0);
    }
    for (uint32_t y = 1; y < HALL; y++) {
        rp_trial_set(&trial, HALL - 10u, y, y == HALL / 2u);
    }
    rp_trial_expect_plan(&trial);
    (void)idle();
    uint64_t expanded = 0;
    unsigned gave_up = 0;
    for (unsigned i = 0; i < 4; i++) {
        rp_trial_set(&trial, HALL - 10u, HALL / 2u, i % 2u);
        rp_trial_expect_plan(&trial); // judged
        gave_up += strcmp(trial.plan.stats.why, "a repair costs more than a flood") == 0;
        expanded = trial.plan.stats.expanded;
        (void)idle();
        rp_trial_set(&trial, 50, i, 0);
        rp_trial_expect_plan(&trial);
        (void)idle();
    }
    ck_assert_uint_gt(gave_up, 0);
    ck_assert_uint_lt(expanded, 100); // it ended its search, and knows the way through the door
}
END_TEST

/// Doors open and close, cells change elsewhere, the start walks, and idle time is cut short: what
/// was given up ends its search or begins anew, and shows no path but the best.
START_TEST(auto_takes_up_again_what_it_gave_up_whatever_came_between)
{
    if (_i > 1) {
        return; // large: twice is enough
    }
    const uint32_t doors[] = {ROOM / 4u, ROOM / 2u, ROOM - 40u};
    const rp_grid_shape_t shape = {
        .width = ROOM, .height = ROOM, .neighbors = _i % 2 == 0 ? 4 : 8, .unit = 1, .least = 1};
    unsigned gave_up = 0;
    ck_assert_int_eq(rp_trial_init(&trial, "auto", NULL), RP_OK);
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    rp_trial_set_start(&trial, 1, ROOM / 2u);
    rp_trial_set_goal(&trial, ROOM - 2u, ROOM / 2u);
    rng = (rp_random_t){_i == 0 ? 178 : 175};
    for (uint32_t i = 0; i < ROOM * ROOM / 8u; i++) {
        const uint32_t x = 4u + rp_random_below(&rng, ROOM - 20u);
        rp_trial_set(&trial, x, rp_random_below(&rng, ROOM), 0);
    }
    for (uint32_t y = 1; y < ROOM; y++) {
        rp_trial_set(&trial, ROOM - 10u, y, y == doors[0] || y == doors[1] || y == doors[2]);
    }
    rp_trial_expect_plan(&trial);
    (void)idle();
    for (unsigned i = 0; i < 80u; i++) {
        const uint32_t door = doors[rp_random_below(&rng, 3)];
        const rp_cell_t cell = rp_grid_cell(trial.grid, ROOM - 10u, door);
        rp_trial_set(&trial, ROOM - 10u, door, trial.grid->factor[cell] == 0);
        if (rp_random_chance(&rng, 30)) {
            rp_trial_set(&trial, 4u + rp_random_below(&rng, ROOM - 20u),
                         rp_random_below(&rng, ROOM), rp_random_chance(&rng, 50));
        }
        (void)(rp_random_chance(&rng, 5) && trial.plan.path.count > 1u && walk_on());
        rp_trial_expect_plan(&trial); // judged
        gave_up += strcmp(trial.plan.stats.why, "a repair costs more than a flood") == 0;
        uint64_t budget = rp_random_chance(&rng, 25) ? 200 : UINT64_MAX;
        (void)rp_planner_idle(trial.planner, &budget);
    }
    ck_assert_uint_gt(gave_up, 0);
}
END_TEST

/// Such a search from scratch may leave the head of its own last path, and the repair has shown
/// another one since: what changes lies near the goal, and the world is so large that tiles of the
/// search from scratch are still.
START_TEST(auto_shows_all_of_a_flood_that_is_new_since_a_repair)
{
    unsigned returns = 0;
    if (_i != 0) {
        return; // large: once is enough
    }
    make_world_of(4, HALL);
    for (unsigned i = 0; i < 80; i++) {
        const uint32_t reach = 8u + rp_random_below(&rng, 60);
        for (uint32_t left = 1u + rp_random_below(&rng, 60); left != 0; left--) {
            const uint32_t x = HALL - 5u - rp_random_below(&rng, reach);
            const uint32_t y = HALL - 5u - rp_random_below(&rng, reach);
            rp_trial_set(&trial, x, y, rp_random_chance(&rng, 30) ? 0 : 1);
        }
        rp_trial_expect_plan(&trial); // judged
        returns += strcmp(trial.plan.stats.why, "a repair costs more than a flood") == 0;
        (void)idle();
    }
    ck_assert_uint_gt(returns, 0);
}
END_TEST

START_TEST(a_dear_repair_in_a_hundred_updates_is_a_cheap_one)
{
    static rp_choice_t choice;
    choice = (rp_choice_t){.current = STAY};
    choice.members[STAY].plans = 1;
    ck_assert_uint_eq(rp_choice_mean_with(&choice, 80000), 10000); // among others that cost
    (void)rp_choice_note_quiet(&choice, 99);
    ck_assert_uint_le(rp_choice_mean_with(&choice, 80000), 800);
    choice.members[STAY].expanded = 1000;
    choice.members[STAY].expansion_ns = 80;
    (void)rp_choice_note_plan(&choice, 0, 0);
    ck_assert_uint_le(choice.members[STAY].cost_ns, 800);
    ck_assert_uint_eq(choice.quiet, 0);
}
END_TEST

START_TEST(auto_makes_nothing_ready_twice_that_an_event_ended)
{
    make_world(8);
    uint64_t budget = 10;
    ck_assert_int_eq(rp_planner_idle(trial.planner, &budget), RP_MORE);
    ck_assert_uint_eq(budget, 0);
    rp_trial_set(&trial, SIDE - 1u, 0, 0);
    rp_trial_expect_plan(&trial);
    (void)idle(); // the path proved itself: no search from scratch has cost anything since
    rp_trial_set(&trial, SIDE - 1u, 1, 0);
    rp_trial_expect_plan(&trial);
    ck_assert_uint_eq(idle(), 0);
}
END_TEST

START_TEST(auto_shows_one_path_though_another_was_found_in_idle_time)
{
    make_world(_i % 2 == 0 ? 4 : 8);
    for (unsigned i = 0; i < RP_ROUNDS(60u); i++) {
        rp_cell_t before[SIDE * SIDE];
        const uint32_t count = trial.plan.path.count;
        memcpy(before, trial.plan.path.cells, count * sizeof before[0]);
        (void)idle();
        ck_assert_mem_eq(before, trial.plan.path.cells, count * sizeof before[0]);
        if (i % 3 == 0) { // another trip, so that there is something to make ready
            rp_trial_set_goal(&trial, SIDE - 2u, i % 2 == 0 ? SIDE - 2u : 1u);
        } else if (i % 3 == 1) {
            flip(middle_of_path(), 0);
        } else if (!walk_on()) {
            break;
        }
        rp_trial_expect_plan(&trial);
        if (trial.plan.outcome != RP_OUTCOME_FOUND) {
            break;
        }
    }
}
END_TEST

START_TEST(auto_floods_when_an_end_jumps)
{
    make_world(_i % 2 == 0 ? 4 : 8);
    for (uint32_t i = 0; i < 20; i++) {
        rp_trial_set_goal(&trial, i % 2 == 0 ? 1u : SIDE - 2u, SIDE - 2u);
        rp_trial_expect_plan(&trial);
        ck_assert_str_eq(trial.plan.stats.why, "an end jumped");
    }
}
END_TEST

START_TEST(auto_chooses_the_same_in_a_replay)
{
    char first[200][16];
    for (int round = 0; round < 2; round++) {
        make_world(8);
        for (int i = 0; i < 200; i++) {
            const rp_cell_t cell = middle_of_path();
            flip(cell, i % 2 == 0 ? 0 : 1);
            if (i % 5 == 0) {
                rp_trial_set(&trial, rp_random_below(&rng, SIDE - 10u) + 5u,
                             rp_random_below(&rng, SIDE - 10u) + 5u, 1);
            }
            rp_trial_expect_plan(&trial);
            if (trial.plan.outcome != RP_OUTCOME_FOUND) {
                break;
            }
            if (round == 0) {
                strcpy(first[i], trial.plan.stats.planner);
            } else {
                ck_assert_str_eq(first[i], trial.plan.stats.planner);
            }
        }
        rp_trial_fini(&trial);
    }
    ck_assert_int_eq(rp_trial_init(&trial, "auto", NULL), RP_OK);
}
END_TEST

START_TEST(auto_knows_several_goals)
{
    ck_assert_int_eq(rp_trial_init(&trial, "auto", NULL), RP_OK);
    ck_assert(rp_drawing_try("G..#....\n"
                             "...#.S..\n"
                             "...#....\n"
                             "........\n"
                             ".......G",
                             8, false, &trial));
    rp_trial_expect_plan(&trial);
    ck_assert_str_eq(trial.plan.stats.why, "several goals");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        auto_floods_first_and_says_so,
        auto_floods_as_the_ground_asks_for,
        auto_searches_nothing_when_the_path_proves_itself,
        auto_turns_to_repair_when_small_batches_go_on,
        auto_searches_nothing_while_its_start_walks_the_path,
        auto_searches_when_what_is_left_of_the_path_is_cut,
        auto_tells_its_flood_what_happened_while_it_was_not_needed,
        auto_turns_to_a_repair_for_a_start_that_walks,
        auto_begins_with_the_repair_for_a_robot_on_weighted_ground,
        auto_builds_a_worn_field_anew_in_idle_time,
        auto_repairs_from_the_goal_when_changes_lie_near_it,
        auto_changes_from_one_repair_to_another_that_suits,
        auto_makes_another_repair_that_suits_ready_in_idle_time,
        auto_lets_its_repair_see_that_a_batch_leaves_the_path,
        auto_turns_to_a_repair_where_its_flood_hears_of_much_for_nothing,
        auto_chases_a_goal_that_walks,
        auto_makes_a_repair_ready_in_idle_time_and_uses_it,
        auto_searches_nothing_where_its_walk_is_not_touched,
        auto_searches_nothing_for_what_is_freed_beside_its_walk,
        auto_forgets_a_way_that_was_open_for_a_moment,
        auto_makes_another_repair_ready_when_the_first_was_a_wrong_guess,
        auto_makes_the_repair_for_ends_that_stay_ready_while_its_path_stands,
        auto_gives_up_a_repair_that_costs_more_than_a_flood,
        auto_takes_up_again_what_it_gave_up_whatever_came_between,
        auto_shows_all_of_a_flood_that_is_new_since_a_repair,
        a_dear_repair_in_a_hundred_updates_is_a_cheap_one,
        auto_makes_nothing_ready_twice_that_an_event_ended,
        auto_shows_one_path_though_another_was_found_in_idle_time,
        auto_floods_when_an_end_jumps,
        auto_chooses_the_same_in_a_replay,
        auto_knows_several_goals,
    };
    return rp_suite_run("auto", tests, sizeof tests / sizeof tests[0], 4, tear_down);
}
