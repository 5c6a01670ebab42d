/// AUTO: what it makes ready while nobody waits, whether that is used, and what it gives up. Each
/// plan is judged.
#include "tests/planners/portfolio/auto_scene.h"

/// What stands in the way for ever wears the field out: searches grow until it is built anew.
START_TEST(auto_builds_a_worn_field_anew_in_idle_time)
{
    uint64_t spent = 0;
    make_world(8);
    rp_trial_set(&trial, SIDE / 2u, SIDE / 2u, 40); // nothing dearer comes later
    plan();
    for (unsigned i = 0; i < RP_ROUNDS(400u) && trial.plan.path.count > 12u; i++) {
        flip(trial.plan.path.cells[trial.plan.path.count / 2u + i % 5u], 40);
        plan();
        expect_no_restart();
        spent += idle();
    }
    ck_assert_uint_gt(spent, 0);
    ck_assert_uint_eq(idle(), 0);
}
END_TEST

/// Nobody waits for that where there is idle time.
START_TEST(auto_makes_another_repair_that_suits_ready_in_idle_time)
{
    make_world(8);
    rp_trial_set(&trial, SIDE / 2u, SIDE / 2u, 3);
    plan();
    uint64_t made = 0;
    bool has_changed = false;
    for (int i = 0; i < 400 && !has_changed; i++) {
        made = idle();
        churn_near(SIDE - 20u, SIDE - 20u, 60);
        plan();
        has_changed = is_by("afa");
    }
    ck_assert(has_changed);
    ck_assert_uint_gt(made, SIDE);
    ck_assert_uint_lt(trial.plan.stats.expanded, made / 4u);
}
END_TEST

START_TEST(auto_makes_a_repair_ready_in_idle_time_and_uses_it)
{
    make_world(8);
    ck_assert_uint_gt(idle(), 0);
    ck_assert_uint_eq(idle(), 0);
    flip_and_plan(middle_of_path(), 0);
    ck_assert_str_ne(trial.plan.stats.why, "first");
    expect_no_restart();
    expect_by("dstar-lazy");
    flip_and_plan(middle_of_path(), 0);
    (void)walk_on();
    plan();
}
END_TEST

/// The repair for a start that walks is at work, and does nothing where its path is not touched.
START_TEST(auto_searches_nothing_where_its_walk_is_not_touched)
{
    make_world(8);
    (void)idle();
    flip_and_plan(middle_of_path(), 0);
    expect_by("dstar-lazy");
    for (unsigned i = 0; i < 60; i++) {
        block_elsewhere();
        if (i % 3 == 0) {
            (void)walk_on();
        }
        plan();
        expect_no_search();
    }
    for (unsigned i = 0; i < 10; i++) { // what it did not hear of is undone, and the path is cut
        const rp_cell_t cell = rp_grid_cell(trial.grid, SIDE / 2u, i);
        flip(cell, 0);
        (void)walk_on();
        plan();
        flip(cell, 1);
        flip_and_plan(middle_of_path(), 0); // judged
        expect_no_restart();
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
            plan(); // judged
            kept += is_by("dstar-lazy") && is_for("the path proves itself");
        } while (trial.plan.outcome == RP_OUTCOME_FOUND &&
                 (rp_random_chance(&rng, 70) || walk_on()));
        rp_trial_fini(&trial);
    }
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
    if (_i != 0) {
        return;
    }
    rp_trial_open(&trial, "auto", side, side, 8);
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
    plan();
    (void)idle();
    for (uint8_t factor = 0; factor < 2u; factor++) { // the search looks at the second, too
        rp_trial_set(&trial, 25, 10, factor);
        plan();
    }
    rp_trial_set(&trial, 9, 10, 0);
    plan();
    rp_trial_set(&trial, 25, 10, 0);
    plan();
    expect_by("dstar-lazy");
    for (uint8_t left = 2u; left != 0; left--) {
        rp_trial_set(&trial, 9, 10, left == 2u ? 1 : 0);
        rp_trial_tell(&trial);
    }
    rp_trial_set_start(&trial, 10, 9);
    plan();
    rp_trial_set(&trial, 50, 20, 1);
    plan(); // judged
}
END_TEST

/// Without workload the repair for a start that walks is made ready; this one stays.
START_TEST(auto_makes_another_repair_ready_when_the_first_was_a_wrong_guess)
{
    make_world_of(_i % 2 == 0 ? 4 : 8, 3u * SIDE);
    (void)idle();
    flip_and_plan(middle_of_path(), 0);
    (void)idle();
    ck_assert_uint_eq(idle(), 0);
    for (unsigned i = 0; i < 3; i++) {
        flip_and_plan(middle_of_path(), 0);
        expect_by("cert");
        expect_no_restart();
        ck_assert_uint_eq(idle(), 0);
    }
}
END_TEST

/// Floods are so cheap here that nothing is made ready for a start that might walk. But the path
/// stands while cells elsewhere change: the ends are thought to stay before it is cut.
START_TEST(auto_makes_the_repair_for_ends_that_stay_ready_while_its_path_stands)
{
    const uint32_t batches[] = {0, 3, 4, 20};
    make_plain(SIDE, 8);
    plan();
    ck_assert_uint_eq(idle(), 0);
    for (uint32_t i = 0; i < batches[_i]; i++) {
        rp_trial_set(&trial, i, 0, 0);
        plan();
        (void)idle();
    }
    rp_trial_set(&trial, SIDE / 2u, SIDE / 2u, 0);
    plan(); // judged
    expect_by(_i < 2 ? "jps" : "cert");
    expect_no_restart();
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
    make_plain(HALL, 4);
    rng = (rp_random_t){7};
    for (uint32_t i = 0; i < HALL * HALL / 4u; i++) {
        const uint32_t x = 4u + rp_random_below(&rng, HALL - 20u);
        rp_trial_set(&trial, x, rp_random_below(&rng, HALL), 0);
    }
    for (uint32_t y = 1; y < HALL; y++) {
        rp_trial_set(&trial, HALL - 10u, y, y == HALL / 2u);
    }
    plan();
    (void)idle();
    uint64_t expanded = 0;
    unsigned gave_up = 0;
    for (unsigned i = 0; i < 4; i++) {
        rp_trial_set(&trial, HALL - 10u, HALL / 2u, i % 2u);
        plan(); // judged
        gave_up += is_for("a repair costs more than a flood");
        expanded = trial.plan.stats.expanded;
        (void)idle();
        rp_trial_set(&trial, 50, i, 0);
        plan();
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
    unsigned gave_up = 0;
    make_plain(ROOM, _i % 2 == 0 ? 4 : 8);
    rng = (rp_random_t){_i == 0 ? 178 : 175};
    for (uint32_t i = 0; i < ROOM * ROOM / 8u; i++) {
        const uint32_t x = 4u + rp_random_below(&rng, ROOM - 20u);
        rp_trial_set(&trial, x, rp_random_below(&rng, ROOM), 0);
    }
    for (uint32_t y = 1; y < ROOM; y++) {
        rp_trial_set(&trial, ROOM - 10u, y, y == doors[0] || y == doors[1] || y == doors[2]);
    }
    plan();
    (void)idle();
    for (unsigned i = 0; i < 80u; i++) {
        const uint32_t door = doors[rp_random_below(&rng, 3)];
        const rp_cell_t cell = rp_grid_cell(trial.grid, ROOM - 10u, door);
        rp_trial_set(&trial, ROOM - 10u, door, trial.grid->factor[cell] == 0);
        if (rp_random_chance(&rng, 30)) {
            const bool frees = rp_random_chance(&rng, 50);
            const uint32_t row = rp_random_below(&rng, ROOM);
            rp_trial_set(&trial, 4u + rp_random_below(&rng, ROOM - 20u), row, frees);
        }
        (void)(rp_random_chance(&rng, 5) && trial.plan.path.count > 1u && walk_on());
        plan(); // judged
        gave_up += is_for("a repair costs more than a flood");
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
        plan(); // judged
        returns += is_for("a repair costs more than a flood");
        (void)idle();
    }
    ck_assert_uint_gt(returns, 0);
}
END_TEST

START_TEST(auto_makes_nothing_ready_twice_that_an_event_ended)
{
    make_world(8);
    uint64_t budget = 10;
    ck_assert_int_eq(rp_planner_idle(trial.planner, &budget), RP_MORE);
    ck_assert_uint_eq(budget, 0);
    rp_trial_set(&trial, SIDE - 1u, 0, 0);
    plan();
    (void)idle(); // the path proved itself: no search from scratch has cost anything since
    rp_trial_set(&trial, SIDE - 1u, 1, 0);
    plan();
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
        plan();
        if (trial.plan.outcome != RP_OUTCOME_FOUND) {
            break;
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        auto_builds_a_worn_field_anew_in_idle_time,
        auto_makes_another_repair_that_suits_ready_in_idle_time,
        auto_makes_a_repair_ready_in_idle_time_and_uses_it,
        auto_searches_nothing_where_its_walk_is_not_touched,
        auto_searches_nothing_for_what_is_freed_beside_its_walk,
        auto_forgets_a_way_that_was_open_for_a_moment,
        auto_makes_another_repair_ready_when_the_first_was_a_wrong_guess,
        auto_makes_the_repair_for_ends_that_stay_ready_while_its_path_stands,
        auto_gives_up_a_repair_that_costs_more_than_a_flood,
        auto_takes_up_again_what_it_gave_up_whatever_came_between,
        auto_shows_all_of_a_flood_that_is_new_since_a_repair,
        auto_makes_nothing_ready_twice_that_an_event_ended,
        auto_shows_one_path_though_another_was_found_in_idle_time,
    };
    return rp_suite_run("auto_idle", tests, sizeof tests / sizeof tests[0], 4, tear_down);
}
