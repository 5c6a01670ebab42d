/// CERT: a path that is cut, ways that come and go, and what sleeps meanwhile. Every plan is judged
/// by the oracle.
#include "tests/planners/members/cert_scene.h"

START_TEST(a_cut_path_is_led_round_the_cut)
{
    make_world(4, 0);
    const double before = trial.plan.cost;
    for (unsigned i = 0; i < 20; i++) {
        uint32_t x;
        uint32_t y;
        path_cell(rp_random_between(&rng, 60, 120), &x, &y);
        rp_trial_set(&trial, x, y, 0);
        ck_assert_uint_lt(rp_trial_expect_repair(&trial), 80); // from the start on it takes 130
        ck_assert_double_eq(trial.plan.cost, before);
    }
}
END_TEST

/// Blocked while its neighbours are raised, a cell keeps an old low d; freed, it must not be taken
/// at its word, nor left without telling.
START_TEST(a_cell_that_slept_through_a_raise_is_woken)
{
    for (unsigned seed = 0; seed < RP_ROUNDS(12u); seed++) {
        make_world((seed & 1u) != 0 ? 8 : 4, 32);
        for (unsigned i = 0; i < 400; i++) {
            for (unsigned k = 0; k < 3; k++) {
                uint32_t x = rp_random_below(&rng, SIDE);
                uint32_t y = rp_random_below(&rng, SIDE);
                if (k != 0 && trial.plan.path.count > 8u) {
                    path_cell(rp_random_between(&rng, 3, trial.plan.path.count - 4u), &x, &y);
                    x += rp_random_below(&rng, 5) - 2u;
                    y += rp_random_below(&rng, 5) - 2u;
                }
                if (x < SIDE && y < SIDE && x + y > 14u && x + y < 2u * SIDE - 16u) {
                    rp_trial_set(&trial, x, y, rp_trial_factor(&trial, x, y) == 0);
                }
            }
            repair();
        }
        rng.state += seed;
        tear_down();
    }
}
END_TEST

/// Blocks what is free of 3 x 3 cells, but for the ends. @return which cells, as bits
static unsigned block_box(uint32_t x, uint32_t y)
{
    unsigned blocked = 0;
    for (uint32_t i = 0; i < 9u; i++) {
        const uint32_t at_x = x + i % 3u - 1u;
        const uint32_t at_y = y + i / 3u - 1u;
        const bool is_end = (at_x == 5u && at_y == 5u) || (at_x == SIDE - 6u && at_y == SIDE - 6u);
        if (!is_end && at_x < SIDE && at_y < SIDE && rp_trial_factor(&trial, at_x, at_y) != 0) {
            rp_trial_set(&trial, at_x, at_y, 0);
            blocked |= 1u << i;
        }
    }
    return blocked;
}

static void free_box(uint32_t x, uint32_t y, unsigned blocked, uint8_t factor)
{
    for (uint32_t i = 0; i < 9u; i++) {
        if ((blocked >> i & 1u) != 0) {
            rp_trial_set(&trial, x + i % 3u - 1u, y + i / 3u - 1u, factor);
        }
    }
}

/// What it raised is not lowered again cell by cell, nor is the former way searched for.
START_TEST(an_obstacle_that_comes_and_goes_again_costs_a_search_only_when_it_comes)
{
    unsigned rises = 0;
    make_world(_i == 0 ? 4 : 8, 30);
    for (unsigned i = 0; i < 100; i++) {
        const double before = trial.plan.cost;
        uint32_t x;
        uint32_t y;
        path_cell(rp_random_between(&rng, 8, trial.plan.path.count - 9u), &x, &y);
        const unsigned blocked = block_box(x, y);
        repair();
        const bool rises_little = trial.plan.cost > before && trial.plan.cost < before + 3.0;
        free_box(x, y, blocked, 1);
        const uint64_t expanded = rp_trial_expect_repair(&trial);
        ck_assert_double_eq(trial.plan.cost, before);
        ck_assert(!rises_little || expanded < 40u); // the field hears of it by 32 at most
        rises += rises_little;
    }
    ck_assert_uint_ge(rises, 20);
}
END_TEST

/// In any order, some for good, while other cells change, the ends move, and factors do.
START_TEST(obstacles_that_come_and_go_in_any_order_leave_the_best_path)
{
    enum {
        BOXES = 5
    };
    for (unsigned form = 0; form < 4; form++) {
        uint32_t xs[BOXES];
        uint32_t ys[BOXES];
        unsigned blocked[BOXES] = {0};
        make_world(form % 2u == 0 ? 4 : 8, 25);
        for (unsigned i = 0; i < RP_ROUNDS(600u); i++) {
            const unsigned which = rp_random_below(&rng, BOXES);
            const uint32_t count = trial.plan.path.count;
            if (blocked[which] != 0) {
                free_box(xs[which], ys[which], blocked[which], 1);
                blocked[which] = 0;
            } else if (count > 20u) {
                path_cell(rp_random_between(&rng, 4, count - 5u), &xs[which], &ys[which]);
                blocked[which] = block_box(xs[which], ys[which]);
            }
            if (rp_random_chance(&rng, 30)) {
                const uint32_t x = rp_random_between(&rng, 8, SIDE - 9u);
                const uint32_t y = rp_random_between(&rng, 8, SIDE - 9u);
                const bool is_blocked = rp_trial_factor(&trial, x, y) == 0;
                const uint8_t factor = form < 2u ? 1 : (uint8_t)rp_random_between(&rng, 1, 3);
                rp_trial_set(&trial, x, y, is_blocked || form >= 2u ? factor : 0);
            }
            if (form % 2u == 1u && count > 40u && rp_random_chance(&rng, 5)) {
                uint32_t x;
                uint32_t y;
                path_cell(1, &x, &y);
                rp_trial_set_start(&trial, x, y);
            }
            rp_trial_expect_plan(&trial);
        }
        tear_down();
    }
}
END_TEST

/// The ellipse is pruned for paths a little longer than the last. A longer one is not "no path".
/// The way along a row is cut by a wall, a longer one each time. Beyond it all was freed once.
START_TEST(what_sleeps_beyond_a_longer_path_sleeps_on)
{
    const uint32_t walls[] = {12, 40, 80};
    open_plain(_i % 2 == 0 ? 4 : 8);
    for (uint32_t place = 60u * SIDE; place < SIDE * SIDE; place++) {
        rp_trial_set(&trial, place % SIDE, place / SIDE, 0);
    }
    rp_trial_set_start(&trial, 25, 5);
    rp_trial_set_goal(&trial, SIDE - 26u, 5);
    rp_trial_expect_plan(&trial);
    for (uint32_t place = 60u * SIDE; place < SIDE * SIDE; place++) {
        rp_trial_set(&trial, place % SIDE, place / SIDE, 1);
        if (place % SIDE == SIDE - 1u) {
            expect_no_search();
        }
    }
    for (unsigned i = 0; i < 3; i++) {
        for (uint32_t y = 0; y < walls[i]; y++) {
            rp_trial_set(&trial, SIDE / 2u, y, 0);
        }
        rp_trial_tell(&trial);
        const uint64_t budget = i == 0 ? 40u * SIDE : UINT64_MAX; // all would take that
        ck_assert_int_eq(rp_trial_slice(&trial, budget), RP_OK);
        ck_assert_ptr_null(rp_trial_judge(&trial));
    }
}
END_TEST

static void set_box(uint32_t left, uint32_t top, uint32_t columns, uint32_t rows, uint8_t factor)
{
    for (uint32_t i = 0; i < columns * rows; i++) {
        rp_trial_set(&trial, left + i % columns, top + i / columns, factor);
    }
}

/// A wall with three gates: one on the way, one far away by which all ground is known, and one
/// between, through which nobody passes yet. This one is opened where no path of interest leads, as
/// the start has walked about; then the first is shut. Each row and column of the gate matters.
START_TEST(a_gate_that_opened_beyond_the_limit_is_woken)
{
    enum {
        WALL = SIDE / 2u - 1u,
        ROW = SIDE - 6u
    };
    open_plain(_i % 2 == 0 ? 4 : 8);
    set_box(WALL, 0, 3, SIDE, 0);
    set_box(WALL, SIDE / 5u, 3, 3, 1);
    rp_trial_set_start(&trial, WALL - 25u, ROW);
    rp_trial_set_goal(&trial, WALL + 27u, ROW);
    rp_trial_expect_plan(&trial);
    set_box(WALL, ROW - 1u, 3, 3, 1);
    repair();
    for (uint32_t i = 0; i < 3; i++) {
        rp_trial_set_start(&trial, WALL - 25u, ROW - 30u);
        repair();
        rp_trial_set_start(&trial, WALL - 25u, ROW);
        repair();
    }
    set_box(WALL, SIDE / 2u, 3, 3, 1);
    repair();
    set_box(WALL, ROW - 1u, 3, 3, 0);
    repair();
}
END_TEST

START_TEST(a_path_far_beyond_the_ellipse_is_found)
{
    make_world(_i == 0 ? 4 : 8, 0);
    for (uint32_t y = 0; y + 1u < SIDE; y++) {
        rp_trial_set(&trial, 50, y, 0);
    }
    for (uint32_t x = 0; x < 50; x++) {
        rp_trial_set(&trial, x, 60, x == 0 ? 1 : 0);
    }
    rp_trial_set(&trial, 10, 97, 0);
    repair();
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_FOUND);
}
END_TEST

START_TEST(a_first_growth_goes_on_through_changes)
{
    make_world(_i == 0 ? 4 : 8, 30);
    for (unsigned round = 0; round < 5; round++) {
        rp_planner_start_over(trial.planner);
        for (unsigned slice = 0; rp_trial_slice(&trial, 20) == RP_MORE; slice++) {
            for (unsigned k = 0; k < 4 && slice < 20; k++) {
                const uint32_t x = rp_random_between(&rng, 8, SIDE - 9u);
                const uint32_t y = rp_random_between(&rng, 8, SIDE - 9u);
                rp_trial_set(&trial, x, y, rp_trial_factor(&trial, x, y) == 0);
            }
        }
        const char *complaint = rp_trial_judge(&trial);
        ck_assert_msg(complaint == NULL, "%s", complaint);
        ck_assert_uint_eq(trial.plan.stats.restarts, 1); // which was asked for
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_cut_path_is_led_round_the_cut,
        a_cell_that_slept_through_a_raise_is_woken,
        an_obstacle_that_comes_and_goes_again_costs_a_search_only_when_it_comes,
        obstacles_that_come_and_go_in_any_order_leave_the_best_path,
        what_sleeps_beyond_a_longer_path_sleeps_on,
        a_gate_that_opened_beyond_the_limit_is_woken,
        a_path_far_beyond_the_ellipse_is_found,
        a_first_growth_goes_on_through_changes,
    };
    return rp_suite_run("cert_repair", tests, sizeof tests / sizeof tests[0], 2, tear_down);
}
