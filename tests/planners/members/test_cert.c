/// CERT: what a change costs, and the mistakes that certificates invite, each in a world where it
/// would show. Every plan is judged by the oracle too. How a cut path is repaired:
/// test_cert_repair.c.
#include <math.h>

#include "tests/planners/members/cert_scene.h"
#include "tests/support/drawing.h"

// ---- drawn worlds

/// What follows when a cell was written.
typedef enum deed {
    WRITE,  ///< nothing yet
    TELL,   ///< the planner is told of all that was written
    PLAN,   ///< a plan
    REPAIR, ///< a plan without starting over
    STAND   ///< a plan without an expansion
} deed_t;

typedef struct step {
    uint8_t x;
    uint8_t y;
    uint8_t factor;
    deed_t deed;
    double cost; ///< of the plan; 0: any that the oracle allows
} step_t;

typedef struct story {
    const char *sentence;
    const char *drawing;
    bool is_diagonal; ///< for 8 neighbours only
    bool is_straight; ///< for 4 only
    double cost;      ///< of the first plan; 0: any
    unsigned count;   ///< of steps
    step_t steps[4];
} story_t;

#define SQRT2 1.4142135623730951

static const story_t stories[] = {
    {.sentence = "decreases are spread inside the ellipse only",
     .drawing = "............................................................#...........\n"
                "...S....G...................................................#...........\n"
                "........................................................................",
     .count = 1,
     .steps = {{60, 0, 1, STAND, 5.0}}},
    {.sentence = "a cell freed near the path of which few hear is taken in at once",
     .drawing = "G.......S.\n" // two cells behind the freed one come nearer to the goal
                "..........\n"
                "...####...\n"
                "...#..#...\n"
                "..........",
     .count = 3,
     .steps = {{4, 2, 1, STAND, 8.0}, {5, 1, 0, WRITE, 0}, {5, 0, 0, REPAIR, 0}}},
    {.sentence = "a cell freed out of reach is found when paths grow longer, goes and comes again",
     .drawing = "..................................\n" // no path can pass the gate at first
                "S.................................\n"
                ".#################################\n"
                "G.................................",
     .count = 4,
     .steps = {{30, 2, 1, STAND, 2.0},
               {0, 2, 0, REPAIR, 62.0},
               {30, 2, 0, TELL, 0},
               {30, 2, 1, REPAIR, 62.0}}},
    {.sentence = "the diagonals beside a freed cell are seen",
     .drawing = "S#\n"
                ".G",
     .is_diagonal = true,
     .count = 1,
     .steps = {{1, 0, 1, REPAIR, SQRT2}}},
    {.sentence = "a cell blocked beside a diagonal cuts it",
     .drawing = "S.\n"
                ".G",
     .is_diagonal = true,
     .cost = SQRT2,
     .count = 1,
     .steps = {{1, 0, 0, REPAIR, 2.0}}},
    {.sentence = "two freed cells, of which neither helps alone, combine over two updates",
     .drawing = "..............\n"
                ".############.\n"
                ".#..........#.\n"
                "S#..........#G\n"
                ".#..........#.\n"
                ".############.\n"
                "..............",
     .cost = 19.0,
     .count = 2,
     .steps = {{12, 3, 1, REPAIR, 19.0}, {1, 3, 1, REPAIR, 13.0}}},
    {.sentence = "a way opened and closed before a plan is asked for leaves the answer",
     .drawing = "##G\n" // the field has heard of a way that is gone again
                "S..",
     .is_diagonal = true,
     .count = 3,
     .steps = {{1, 0, 1, TELL, 0}, {1, 0, 0, STAND, 3.0}, {1, 0, 1, PLAN, 1.0 + SQRT2}}},
    {.sentence = "a gate shut while ways were opened leads to the best of them",
     .drawing = "G#..S\n" // the field hears of two shorter ways while the gate beside S is shut
                ".###.\n"
                "..#..\n"
                ".###.\n"
                ".....",
     .is_straight = true,
     .count = 4,
     .steps = {{3, 0, 0, WRITE, 0}, {1, 0, 1, WRITE, 0}, {2, 2, 1, TELL, 0}, {3, 0, 1, PLAN, 4.0}}},
};
#define STORIES (sizeof stories / sizeof stories[0])

static void draw(const char *text, uint8_t neighbors)
{
    ck_assert_int_eq(rp_trial_init(&trial, "cert", NULL), RP_OK);
    ck_assert(rp_drawing_try(text, neighbors, false, &trial));
}

static void expect_cost(const story_t *story, double cost)
{
    ck_assert_msg(cost == 0.0 || fabs(trial.plan.cost - cost) < 1e-9, "%s: the cost is %g, not %g",
                  story->sentence, trial.plan.cost, cost);
}

static void take(const story_t *story, const step_t *step)
{
    rp_trial_set(&trial, step->x, step->y, step->factor);
    if (step->deed == TELL) {
        rp_trial_tell(&trial);
    } else if (step->deed != WRITE) {
        const char *complaint = rp_trial_plan(&trial, UINT64_MAX);
        const rp_plan_stats_t *stats = &trial.plan.stats;
        ck_assert_msg(complaint == NULL, "%s: %s", story->sentence, complaint);
        ck_assert_msg(step->deed == PLAN || stats->restarts == 0, "%s: %u restarts",
                      story->sentence, stats->restarts);
        ck_assert_msg(step->deed != STAND || stats->expanded == 0, "%s: %lu expansions",
                      story->sentence, (unsigned long)stats->expanded);
        expect_cost(story, step->cost);
    }
}

/// Story _i / 2, with 4 and with 8 neighbours.
START_TEST(what_is_drawn_comes_true)
{
    const story_t *story = &stories[(size_t)_i / 2u];
    const bool is_diagonal = story->is_diagonal || (_i % 2 != 0 && !story->is_straight);
    draw(story->drawing, is_diagonal ? 8 : 4);
    rp_trial_expect_plan(&trial);
    expect_cost(story, story->cost);
    for (unsigned i = 0; i < story->count; i++) {
        take(story, &story->steps[i]);
    }
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
            expect_no_search();
        }
    }
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
    expect_no_search();
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
            repair();
        }
        tear_down();
    }
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
        expect_no_search();
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
    repair();
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_NO_PATH);
    for (unsigned i = 0; i < 100; i++) {
        const uint32_t x = rp_random_between(&rng, 20, 80);
        const uint32_t y = rp_random_between(&rng, 20, 80);
        rp_trial_set(&trial, x, y, rp_trial_factor(&trial, x, y) == 0);
        expect_no_search();
        ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_NO_PATH);
    }
    for (uint32_t away = 1; away < 12; away++) { // a lane out of it
        rp_trial_set(&trial, corner, _i == 0 ? corner + away : corner - away, 1);
    }
    repair();
    ck_assert_int_eq(trial.plan.outcome, RP_OUTCOME_FOUND);
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

/// A field that was built has driven the grid out of the caches; a repair has not.
START_TEST(idle_time_reads_the_grid_after_each_build_of_the_field)
{
    uint32_t x;
    uint32_t y;
    make_world(_i == 0 ? 4 : 8, 10);
    ck_assert_uint_gt(rp_trial_idle(&trial), 0);
    ck_assert_uint_eq(rp_trial_idle(&trial), 0);
    path_cell(trial.plan.path.count / 2u, &x, &y);
    rp_trial_set(&trial, x, y, 0);
    rp_trial_expect_plan(&trial);
    ck_assert_uint_eq(rp_trial_idle(&trial), 0);
    rp_planner_start_over(trial.planner);
    rp_trial_expect_plan(&trial);
    uint64_t budget = 1;
    ck_assert_int_eq(rp_planner_idle(trial.planner, &budget), RP_OK); // a small world: all at once
    ck_assert_uint_eq(budget, 0);
    ck_assert_uint_eq(rp_trial_idle(&trial), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_way_told_of_after_a_gate_was_shut_is_found_when_that_is_open_again,
        a_cell_blocked_off_the_path_costs_no_expansion,
        a_cell_blocked_and_freed_in_one_batch_is_as_it_was,
        a_walking_start_sees_changes_where_it_goes,
        a_start_that_walks_along_its_path_expands_nothing,
        a_walled_in_end_is_found_out_by_its_own_cells,
        without_a_path_only_a_cell_beside_the_smaller_side_costs_a_search,
        a_cell_that_is_none_is_refused_though_as_many_were_written,
        idle_time_reads_the_grid_after_each_build_of_the_field,
    };
    const TTest *const drawn[] = {what_is_drawn_comes_true};
    const int failed = rp_suite_run("cert: drawn", drawn, 1, 2u * STORIES, tear_down);
    return failed + rp_suite_run("cert", tests, sizeof tests / sizeof tests[0], 2, tear_down);
}
