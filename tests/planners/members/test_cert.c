/// CERT: what a change costs, and the mistakes that certificates invite, each in a world where it
/// would show. Every plan is judged by the oracle too.
///
/// One test looks inside, so this file compiles the planner's source once more, under another name.
#include "planners/grid/cost.h"

#undef RP_MEMBER
#define RP_MEMBER(name) name##_under_test
#include "planners/members/cert.c" // NOLINT(bugprone-suspicious-include)

#include <math.h>

#include "tests/support/drawing.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define SIDE 100u

static rp_trial_t trial;
static rp_random_t rng;

static void begin(void)
{
    ck_assert_int_eq(rp_trial_init(&trial, "cert", NULL), RP_OK);
    rng = (rp_random_t){31};
}

static void tear_down(void)
{
    rp_trial_fini(&trial);
}

static void draw(const char *text, uint8_t neighbors)
{
    begin();
    ck_assert(rp_drawing_try(text, neighbors, false, &trial));
}

/// SIDE x SIDE, so many of 100 cells blocked, the ends in opposite corners. The first plan is made.
static void make_world(uint8_t neighbors, uint32_t blocked_percent)
{
    begin();
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = SIDE, .neighbors = neighbors, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    for (uint32_t place = 0; place < SIDE * SIDE; place++) {
        if (rp_random_chance(&rng, blocked_percent)) {
            rp_trial_set(&trial, place % SIDE, place / SIDE, 0);
        }
    }
    rp_trial_set_start(&trial, 5, 5);
    rp_trial_set_goal(&trial, SIDE - 6u, SIDE - 6u);
    rp_trial_set(&trial, 5, 5, 1);
    rp_trial_set(&trial, SIDE - 6u, SIDE - 6u, 1);
    rp_trial_expect_plan(&trial);
}

static void path_cell(uint32_t index, uint32_t *x, uint32_t *y)
{
    const rp_cell_t cell = trial.plan.path.cells[index];
    *x = rp_grid_x(trial.grid, cell);
    *y = rp_grid_y(trial.grid, cell);
}

static bool is_on_path(uint32_t x, uint32_t y)
{
    for (uint32_t i = 0; i < trial.plan.path.count; i++) {
        if (trial.plan.path.cells[i] == rp_grid_cell(trial.grid, x, y)) {
            return true;
        }
    }
    return false;
}

// ---- the certificate

START_TEST(a_cell_blocked_off_the_path_costs_no_expansion)
{
    make_world(_i == 0 ? 4 : 8, 20);
    for (unsigned i = 0; i < RP_ROUNDS(300u); i++) {
        const uint32_t x = rp_random_below(&rng, SIDE);
        const uint32_t y = rp_random_below(&rng, SIDE);
        bool is_near = false;
        for (uint32_t beside = 0; beside < 9; beside++) {
            is_near = is_near || is_on_path(x + beside % 3u - 1u, y + beside / 3u - 1u);
        }
        if (!is_near) {
            rp_trial_set(&trial, x, y, 0);
            ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
        }
    }
}
END_TEST

/// Decreases are spread inside the ellipse only.
START_TEST(a_cell_freed_far_outside_the_ellipse_costs_no_expansion)
{
    draw("............................................................#...........\n"
         "...S....G...................................................#...........\n"
         "........................................................................",
         _i == 0 ? 4 : 8);
    rp_trial_expect_plan(&trial);
    rp_trial_set(&trial, 60, 0, 1);
    ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
}
END_TEST

/// Two cells behind the freed one come nearer to the goal: they hear of it, and nobody searches.
START_TEST(a_cell_freed_near_the_path_of_which_few_hear_is_taken_in_at_once)
{
    draw("G.......S.\n"
         "..........\n"
         "...####...\n"
         "...#..#...\n"
         "..........",
         _i == 0 ? 4 : 8);
    rp_trial_expect_plan(&trial);
    rp_trial_set(&trial, 4, 2, 1);
    ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
    rp_trial_set(&trial, 5, 1, 0);
    rp_trial_set(&trial, 5, 0, 0);
    (void)rp_trial_expect_repair(&trial);
}
END_TEST

/// The field is not told of the gate while no path can pass it: it must be when one can.
START_TEST(a_cell_freed_out_of_reach_is_found_when_paths_grow_longer)
{
    draw("..................................\n"
         "S.................................\n"
         ".#################################\n"
         "G.................................",
         _i == 0 ? 4 : 8);
    rp_trial_expect_plan(&trial);
    rp_trial_set(&trial, 30, 2, 1);
    ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
    rp_trial_set(&trial, 0, 2, 0);
    (void)rp_trial_expect_repair(&trial);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_FOUND);
    rp_trial_set(&trial, 30, 2, 0); // and it may go again, and come
    rp_trial_tell(&trial);
    rp_trial_set(&trial, 30, 2, 1);
    (void)rp_trial_expect_repair(&trial);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_FOUND);
}
END_TEST

START_TEST(the_diagonals_beside_a_freed_cell_are_seen)
{
    draw("S#\n"
         ".G",
         8);
    rp_trial_expect_plan(&trial);
    rp_trial_set(&trial, 1, 0, 1);
    (void)rp_trial_expect_repair(&trial);
    ck_assert_uint_eq(trial.plan.path.count, 2);
}
END_TEST

START_TEST(a_cell_blocked_beside_a_diagonal_cuts_it)
{
    draw("S.\n"
         ".G",
         8);
    rp_trial_expect_plan(&trial);
    ck_assert_uint_eq(trial.plan.path.count, 2);
    rp_trial_set(&trial, 1, 0, 0);
    (void)rp_trial_expect_repair(&trial);
    ck_assert_uint_eq(trial.plan.path.count, 3);
}
END_TEST

/// Neither gate helps alone. The first is in the field before the second is judged.
START_TEST(two_freed_cells_combine_over_two_updates)
{
    draw("..............\n"
         ".############.\n"
         ".#..........#.\n"
         "S#..........#G\n"
         ".#..........#.\n"
         ".############.\n"
         "..............",
         _i == 0 ? 4 : 8);
    rp_trial_expect_plan(&trial);
    const double around = trial.plan.cost;
    rp_trial_set(&trial, 12, 3, 1);
    (void)rp_trial_expect_repair(&trial);
    ck_assert_double_eq(trial.plan.cost, around);
    rp_trial_set(&trial, 1, 3, 1);
    (void)rp_trial_expect_repair(&trial);
    ck_assert_double_eq(trial.plan.cost, 13.0);
}
END_TEST

START_TEST(a_cell_blocked_and_freed_in_one_batch_is_as_it_was)
{
    make_world(_i == 0 ? 4 : 8, 20);
    uint32_t x;
    uint32_t y;
    path_cell(trial.plan.path.count / 2u, &x, &y);
    rp_trial_set(&trial, x, y, 0);
    rp_trial_tell(&trial);
    rp_trial_set(&trial, x, y, 1);
    rp_trial_tell(&trial);
    ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
}
END_TEST

/// The field has heard of a way that is gone again.
START_TEST(a_way_opened_and_closed_before_a_plan_is_asked_for_leaves_the_answer)
{
    draw("##G\n"
         "S..",
         8);
    rp_trial_expect_plan(&trial);
    rp_trial_set(&trial, 1, 0, 1);
    rp_trial_tell(&trial);
    rp_trial_set(&trial, 1, 0, 0);
    rp_trial_tell(&trial);
    ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
    ck_assert_double_eq(trial.plan.cost, 3.0);
    rp_trial_set(&trial, 1, 0, 1);
    rp_trial_expect_plan(&trial);
    ck_assert_double_eq(trial.plan.cost, 1.0 + sqrt(2.0));
}
END_TEST

/// While the gate beside the start is shut the field hears of two shorter ways; nobody is told that
/// it is open again.
START_TEST(a_gate_shut_while_ways_were_opened_leads_to_the_best_of_them)
{
    draw("G#..S\n"
         ".###.\n"
         "..#..\n"
         ".###.\n"
         ".....",
         4);
    rp_trial_expect_plan(&trial);
    rp_trial_set(&trial, 3, 0, 0);
    rp_trial_set(&trial, 1, 0, 1);
    rp_trial_set(&trial, 2, 2, 1);
    rp_trial_tell(&trial);
    rp_trial_set(&trial, 3, 0, 1);
    rp_trial_expect_plan(&trial);
    ck_assert_double_eq(trial.plan.cost, 4.0);
}
END_TEST

/// Both are done before the first is told: the field hears of a shorter way while the gate that it
/// leads to is shut, and nobody is told that the gate is open again.
START_TEST(a_way_told_of_after_a_gate_was_shut_is_found_when_that_is_open_again)
{
    draw("G.#S\n"
         "#.#.\n"
         "#.#.\n"
         "#...",
         4);
    rp_trial_expect_plan(&trial);
    rp_trial_set(&trial, 2, 0, 1);
    rp_trial_set(&trial, 1, 0, 0);
    const rp_change_t gate = trial.untold[--trial.untold_count];
    rp_trial_tell(&trial);
    trial.untold[trial.untold_count++] = gate;
    rp_trial_tell(&trial);
    rp_trial_set(&trial, 1, 0, 1);
    rp_trial_expect_plan(&trial);
    ck_assert_double_eq(trial.plan.cost, 3.0);
}
END_TEST

// ---- repair

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
            (void)rp_trial_expect_repair(&trial);
        }
        rng.state += seed;
        tear_down();
    }
    begin();
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
        (void)rp_trial_expect_repair(&trial);
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
    begin();
}
END_TEST

/// The ellipse is pruned for paths a little longer than the last. A longer one is not "no path".
/// The way along a row is cut by a wall, a longer one each time. Beyond it all was freed once.
START_TEST(what_sleeps_beyond_a_longer_path_sleeps_on)
{
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = SIDE, .neighbors = _i % 2 == 0 ? 4 : 8, .unit = 1, .least = 1};
    const uint32_t walls[] = {12, 40, 80};
    begin();
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    for (uint32_t place = 60u * SIDE; place < SIDE * SIDE; place++) {
        rp_trial_set(&trial, place % SIDE, place / SIDE, 0);
    }
    rp_trial_set_start(&trial, 25, 5);
    rp_trial_set_goal(&trial, SIDE - 26u, 5);
    rp_trial_expect_plan(&trial);
    for (uint32_t place = 60u * SIDE; place < SIDE * SIDE; place++) {
        rp_trial_set(&trial, place % SIDE, place / SIDE, 1);
        if (place % SIDE == SIDE - 1u) {
            ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
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
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = SIDE, .neighbors = _i % 2 == 0 ? 4 : 8, .unit = 1, .least = 1};
    begin();
    ck_assert_int_eq(rp_trial_bind(&trial, &shape), RP_OK);
    set_box(WALL, 0, 3, SIDE, 0);
    set_box(WALL, SIDE / 5u, 3, 3, 1);
    rp_trial_set_start(&trial, WALL - 25u, ROW);
    rp_trial_set_goal(&trial, WALL + 27u, ROW);
    rp_trial_expect_plan(&trial);
    set_box(WALL, ROW - 1u, 3, 3, 1);
    (void)rp_trial_expect_repair(&trial);
    for (uint32_t i = 0; i < 3; i++) {
        rp_trial_set_start(&trial, WALL - 25u, ROW - 30u);
        (void)rp_trial_expect_repair(&trial);
        rp_trial_set_start(&trial, WALL - 25u, ROW);
        (void)rp_trial_expect_repair(&trial);
    }
    set_box(WALL, SIDE / 2u, 3, 3, 1);
    (void)rp_trial_expect_repair(&trial);
    set_box(WALL, ROW - 1u, 3, 3, 0);
    (void)rp_trial_expect_repair(&trial);
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
    (void)rp_trial_expect_repair(&trial);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_FOUND);
}
END_TEST

/// With each step the limit covers less; it must be taken down by what the bounds can fall.
START_TEST(a_walking_start_sees_changes_where_it_goes)
{
    for (unsigned form = 0; form < 4; form++) {
        make_world(form % 2u == 0 ? 4 : 8, 25);
        for (unsigned step = 0; step < RP_ROUNDS(150u) && trial.plan.path.count > 2u; step++) {
            uint32_t x;
            uint32_t y;
            path_cell(1, &x, &y);
            rp_trial_set_start(&trial, x, y);
            for (unsigned k = 0; k < 12; k++) {
                const uint32_t near_x = x + rp_random_below(&rng, 21) - 10u;
                const uint32_t near_y = y + rp_random_below(&rng, 21) - 10u;
                if (near_x < SIDE && near_y < SIDE && !(near_x == x && near_y == y) &&
                    !(near_x == SIDE - 6u && near_y == SIDE - 6u)) {
                    rp_trial_set(&trial, near_x, near_y, rp_random_chance(&rng, 25) ? 0 : 1);
                }
            }
            (void)rp_trial_expect_repair(&trial);
        }
        tear_down();
    }
    begin();
}
END_TEST

START_TEST(a_start_that_walks_along_its_path_expands_nothing)
{
    make_world(_i == 0 ? 4 : 8, 25);
    while (trial.plan.path.count > 1u) {
        uint32_t x;
        uint32_t y;
        path_cell(1, &x, &y);
        rp_trial_set_start(&trial, x, y);
        ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
    }
}
END_TEST

// ---- no path

static void wall_in(uint32_t x, uint32_t y, uint8_t factor)
{
    for (uint32_t place = 0; place < 49; place++) {
        const uint32_t dx = place % 7u;
        const uint32_t dy = place / 7u;
        if (dx == 0 || dy == 0 || dx == 6u || dy == 6u) {
            rp_trial_set(&trial, x + dx - 3u, y + dy - 3u, factor);
        }
    }
}

/// The smaller component is the proof, on whichever side it is.
START_TEST(a_walled_in_end_is_found_out_by_its_own_cells)
{
    make_world(4, 0);
    const uint32_t corner = _i == 0 ? 5 : SIDE - 6u;
    wall_in(corner, corner, 0);
    ck_assert_uint_lt(rp_trial_expect_repair(&trial), 2000);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_NO_PATH);
}
END_TEST

START_TEST(without_a_path_only_a_cell_beside_the_smaller_side_costs_a_search)
{
    make_world(4, 20);
    const uint32_t corner = _i == 0 ? 5 : SIDE - 6u;
    wall_in(corner, corner, 1);
    wall_in(corner, corner, 0);
    (void)rp_trial_expect_repair(&trial);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_NO_PATH);
    for (unsigned i = 0; i < 100; i++) {
        const uint32_t x = rp_random_between(&rng, 20, 80);
        const uint32_t y = rp_random_between(&rng, 20, 80);
        rp_trial_set(&trial, x, y, rp_trial_factor(&trial, x, y) == 0);
        ck_assert_uint_eq(rp_trial_expect_repair(&trial), 0);
        ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_NO_PATH);
    }
    for (uint32_t away = 1; away < 12; away++) { // a lane out of it
        rp_trial_set(&trial, corner, _i == 0 ? corner + away : corner - away, 1);
    }
    (void)rp_trial_expect_repair(&trial);
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_FOUND);
}
END_TEST

// ---- from inside

START_TEST(check_finds_what_is_wrong)
{
    static cert_t cert;
    static rp_grid_t *grid;
    const rp_grid_shape_t shape = {
        .width = 20, .height = 20, .neighbors = 4, .unit = 1, .least = 1};
    const rp_member_options_t options = {0};
    rp_search_stats_t stats = {0};
    uint64_t budget = UINT64_MAX;
    begin();
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    ck_assert_int_eq(rp_member_bind(&RP_MEMBER(cert), &cert, grid, &options, &arena), RP_OK);
    const rp_goal_t goal = {rp_grid_cell(grid, 17, 15), 0};
    cert_begin(&cert, rp_grid_cell(grid, 2, 3), &goal, 1);
    ck_assert_int_eq(cert_search(&cert, &budget, &stats), RP_OK);
    ck_assert(cert_check(&cert));
    rp_node_t *known = &cert.core.field.nodes[rp_grid_cell(grid, 9, 9)];
    known->g += 2u;
    ck_assert(!cert_check(&cert)); // too high: not admissible
    known->g -= 4u;
    ck_assert(!cert_check(&cert)); // too low for its neighbours
    known->g += 2u;
    ck_assert(cert_check(&cert));
    cert.core.path_cache.steps[cert.core.path_cache.end - 1u].cost += 2u;
    ck_assert(!cert_check(&cert));
    rp_member_unbind(&RP_MEMBER(cert), &cert, &arena, NULL);
    rp_grid_destroy(&grid);
}
END_TEST

/// Whoever wrote a cell of the grid may still tell of another one, which there is not.
START_TEST(a_cell_that_is_none_is_refused_though_as_many_were_written)
{
    const rp_grid_shape_t shape = {
        .width = 30, .height = 30, .neighbors = 4, .unit = 1, .least = 1};
    rp_grid_t *own;
    rp_planner_t *cert;
    rp_plan_t plan;
    ck_assert_int_eq(rp_grid_new(&shape, &own), RP_OK);
    ck_assert_int_eq(rp_planner_new("cert", NULL, &cert), RP_OK);
    ck_assert_int_eq(rp_planner_bind(cert, own), RP_OK);
    ck_assert_int_eq(rp_planner_set_start(cert, rp_grid_cell(own, 1, 1)), RP_OK);
    ck_assert_int_eq(rp_planner_set_goal(cert, rp_grid_cell(own, 9, 1)), RP_OK);
    ck_assert_int_eq(rp_planner_plan(cert, UINT64_MAX, &plan), RP_OK);
    const rp_cell_t none[] = {0, own->stride - 1u, own->cell_count, UINT32_MAX};
    rp_change_t written = {.cell = rp_grid_cell(own, 20, 20), .after = 0};
    rp_grid_write(own, &written, 1);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        const rp_change_t told = {.cell = none[i], .before = 1, .after = 0};
        ck_assert_int_eq(rp_planner_apply(cert, &told, 1), RP_E_INVALID);
    }
    ck_assert_int_eq(rp_planner_apply(cert, &written, 1), RP_OK);
    ck_assert_int_eq(rp_planner_plan(cert, UINT64_MAX, &plan), RP_OK);
    ck_assert_double_eq(plan.cost, 8.0);
    rp_planner_destroy(&cert);
    rp_grid_destroy(&own);
}
END_TEST

/// What idle time did, in expansions.
static uint64_t idle(void)
{
    uint64_t budget = UINT64_MAX;
    ck_assert_int_eq(rp_planner_idle(trial.planner, &budget), RP_OK);
    return UINT64_MAX - budget;
}

/// A field that was built has driven the grid out of the caches; a repair has not.
START_TEST(idle_time_reads_the_grid_after_each_build_of_the_field)
{
    uint32_t x;
    uint32_t y;
    make_world(_i == 0 ? 4 : 8, 10);
    ck_assert_uint_gt(idle(), 0);
    ck_assert_uint_eq(idle(), 0);
    path_cell(trial.plan.path.count / 2u, &x, &y);
    rp_trial_set(&trial, x, y, 0);
    rp_trial_expect_plan(&trial);
    ck_assert_uint_eq(idle(), 0);
    rp_planner_start_over(trial.planner);
    rp_trial_expect_plan(&trial);
    uint64_t budget = 1;
    ck_assert_int_eq(rp_planner_idle(trial.planner, &budget), RP_OK); // a small world: all at once
    ck_assert_uint_eq(budget, 0);
    ck_assert_uint_eq(idle(), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        idle_time_reads_the_grid_after_each_build_of_the_field,
        a_cell_that_is_none_is_refused_though_as_many_were_written,
        a_cell_blocked_off_the_path_costs_no_expansion,
        a_cell_freed_far_outside_the_ellipse_costs_no_expansion,
        a_cell_freed_near_the_path_of_which_few_hear_is_taken_in_at_once,
        a_cell_freed_out_of_reach_is_found_when_paths_grow_longer,
        the_diagonals_beside_a_freed_cell_are_seen,
        a_cell_blocked_beside_a_diagonal_cuts_it,
        two_freed_cells_combine_over_two_updates,
        a_cell_blocked_and_freed_in_one_batch_is_as_it_was,
        a_way_opened_and_closed_before_a_plan_is_asked_for_leaves_the_answer,
        a_gate_shut_while_ways_were_opened_leads_to_the_best_of_them,
        a_way_told_of_after_a_gate_was_shut_is_found_when_that_is_open_again,
        a_cut_path_is_led_round_the_cut,
        a_cell_that_slept_through_a_raise_is_woken,
        an_obstacle_that_comes_and_goes_again_costs_a_search_only_when_it_comes,
        obstacles_that_come_and_go_in_any_order_leave_the_best_path,
        what_sleeps_beyond_a_longer_path_sleeps_on,
        a_gate_that_opened_beyond_the_limit_is_woken,
        a_path_far_beyond_the_ellipse_is_found,
        a_walking_start_sees_changes_where_it_goes,
        a_start_that_walks_along_its_path_expands_nothing,
        a_walled_in_end_is_found_out_by_its_own_cells,
        without_a_path_only_a_cell_beside_the_smaller_side_costs_a_search,
        check_finds_what_is_wrong,
    };
    return rp_suite_run("cert", tests, sizeof tests / sizeof tests[0], 2, tear_down);
}
