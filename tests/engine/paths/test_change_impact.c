/// What a change can touch: whoever is let off is let off rightly, and most are.
#include "engine/paths/change_impact.h"

#include <math.h>

#include "replan/planner.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE 96u

static rp_random_t rng;
static rp_grid_t *grid;
static rp_planner_t *planner;
static rp_plan_t plan;
static rp_published_path_t published;
static rp_goal_t goals[2];
static rp_cell_t start;

static void tear_down(void)
{
    rp_published_path_fini(&published);
    rp_planner_destroy(&planner);
    rp_grid_destroy(&grid);
}

static rp_cell_t random_cell(void)
{
    const uint32_t x = rp_random_below(&rng, SIDE);
    return rp_grid_cell(grid, x, rp_random_below(&rng, SIDE));
}

static void plan_now(void)
{
    ck_assert_int_eq(rp_planner_set_start(planner, start), RP_OK);
    ck_assert_int_eq(rp_planner_set_goals(planner, goals, 2), RP_OK);
    ck_assert_int_eq(rp_planner_plan(planner, UINT64_MAX, &plan), RP_OK);
}

static void make_world(uint64_t seed, uint8_t neighbors, bool is_weighted)
{
    const rp_grid_shape_t shape = {SIDE, SIDE, neighbors, false, is_weighted ? 2 : 1, 1};
    rng = (rp_random_t){seed};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    for (uint32_t i = 0; i < SIDE * SIDE / 6u; i++) {
        const uint8_t factor = is_weighted ? (uint8_t)rp_random_below(&rng, 5) : 0;
        rp_grid_set(grid, random_cell(), factor);
    }
    start = rp_grid_cell(grid, 10, 12);
    goals[0] = (rp_goal_t){rp_grid_cell(grid, 60, 50), 0};
    goals[1] = (rp_goal_t){rp_grid_cell(grid, 20, 80), 7};
    rp_grid_set(grid, start, 2);
    rp_grid_set(grid, goals[0].cell, 2);
    rp_grid_set(grid, goals[1].cell, 2);
    ck_assert_int_eq(rp_planner_new("dstar-lite", NULL, &planner), RP_OK);
    ck_assert_int_eq(rp_planner_bind(planner, grid), RP_OK);
    plan_now();
}

/// Cells at random, or a building of 3 x 3. @return how many really changed
static size_t change_some(rp_change_t *changes)
{
    const bool is_building = rp_random_chance(&rng, 50);
    const uint32_t x = rp_random_below(&rng, SIDE - 3u);
    const uint32_t y = rp_random_below(&rng, SIDE - 3u);
    const uint8_t factor = (uint8_t)rp_random_below(&rng, 3);
    const uint32_t cells = is_building ? 9u : rp_random_between(&rng, 1, 6);
    size_t count = 0;
    for (uint32_t i = 0; i < cells; i++) {
        const rp_cell_t cell =
            is_building ? rp_grid_cell(grid, x + i % 3u, y + i / 3u) : random_cell();
        const uint8_t before = rp_grid_set(grid, cell, factor);
        if (before != factor) {
            changes[count++] = (rp_change_t){cell, before, factor};
        }
    }
    return count;
}

static bool is_measured;

START_TEST(who_is_let_off_has_the_cheapest_path_still)
{
    unsigned let_off = 0;
    unsigned asked = 0;
    make_world(_i + 1u, (_i & 1) != 0 ? 8 : 4, (_i & 2) != 0);
    for (unsigned i = 0; i < 1500; i++) {
        rp_change_t changes[9];
        rp_change_impact_t impact;
        const rp_outcome_t outcome = plan.outcome;
        const double cost = plan.cost;
        const bool is_found = outcome == RP_OUTCOME_FOUND;
        if (is_found) {
            ck_assert_int_eq(rp_published_path_keep(&published, grid, &plan.path), RP_OK);
        }
        const size_t count = change_some(changes);
        rp_change_impact_read(&impact, grid, changes, count);
        const rp_standing_t standing = {&published, start, goals, 2, cost};
        const bool is_touched =
            is_found ? rp_change_impact_worsens_path(&impact, &standing, &is_measured) ||
                           rp_change_impact_rival_path(&impact, &standing)
                     : rp_change_impact_touch_no_path(&impact, start, goals, 2);
        ck_assert_int_eq(rp_planner_apply(planner, changes, count), RP_OK);
        plan_now();
        asked += is_touched;
        let_off += !is_touched;
        if (!is_touched && (is_found || outcome == RP_OUTCOME_NO_PATH)) {
            rp_cell_t end;
            ck_assert_int_eq(plan.outcome, outcome);
            ck_assert_msg(!is_found || fabs(plan.cost - cost) < 1e-6, "%.9f, was %.9f", plan.cost,
                          cost);
            ck_assert_msg(!is_found || rp_published_path_cost(&published, grid, &end) >= 0.0,
                          "cut");
        }
        if (plan.outcome != RP_OUTCOME_FOUND && plan.outcome != RP_OUTCOME_NO_PATH) {
            break; // an end is blocked: nothing can be let off from here
        }
    }
    ck_assert_uint_gt(let_off, asked / 4u);
}
END_TEST

START_TEST(quarters_are_sectors_four_by_four)
{
    const struct {
        uint32_t column;
        uint32_t row;
        unsigned bit;
    } places[] = {{0, 0, 0}, {3, 3, 0},    {4, 0, 1},  {31, 0, 7},
                  {0, 4, 8}, {31, 31, 63}, {9, 18, 34}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const uint32_t sector = places[i].row * RP_SECTORS_SIDE + places[i].column;
        rp_sectors_t one = {{0}};
        one.words[sector / 64u] = (uint64_t)1 << (sector % 64u);
        ck_assert_uint_eq(rp_sectors_quarters(&one), (uint64_t)1 << places[i].bit);
    }
}
END_TEST

START_TEST(a_path_stands_on_the_sectors_of_its_cells)
{
    const rp_grid_shape_t shape = {64, 64, 8, false, 1, 1}; // two cells to a sector's side
    rp_sectors_t sectors;
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    const rp_cell_t cells[] = {rp_grid_cell(grid, 10, 5), rp_grid_cell(grid, 11, 6),
                               rp_grid_cell(grid, 12, 6)};
    const rp_path_t path = {cells, 3};
    ck_assert_int_eq(rp_published_path_keep(&published, grid, &path), RP_OK);
    rp_sectors_of_path(&sectors, grid, &published);
    for (uint32_t sector = 0; sector < RP_SECTORS_SIDE * RP_SECTORS_SIDE; sector++) {
        const bool is_on = sector == 2u * RP_SECTORS_SIDE + 5u ||
                           sector == 3u * RP_SECTORS_SIDE + 5u ||
                           sector == 3u * RP_SECTORS_SIDE + 6u;
        ck_assert_uint_eq(sectors.words[sector / 64u] >> (sector % 64u) & 1u, is_on);
    }
}
END_TEST

/// A freed cell beside which a diagonal opens, and a blocked one beside which it closes.
START_TEST(diagonals_beside_a_cell_count)
{
    const rp_grid_shape_t shape = {64, 64, 8, false, 1, 1};
    rp_change_impact_t impact;
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    const rp_cell_t diagonal[] = {rp_grid_cell(grid, 31, 30), rp_grid_cell(grid, 32, 31)};
    const rp_path_t path = {diagonal, 2};
    ck_assert_int_eq(rp_published_path_keep(&published, grid, &path), RP_OK);
    goals[0] = (rp_goal_t){diagonal[1], 0};
    const rp_standing_t standing = {&published, diagonal[0], goals, 1, sqrt(2.0)};
    const rp_change_t blocked = {rp_grid_cell(grid, 32, 30), 1, 0};
    rp_grid_set(grid, blocked.cell, 0);
    rp_change_impact_read(&impact, grid, &blocked, 1);
    ck_assert(rp_change_impact_worsens_path(&impact, &standing, &is_measured));
    rp_grid_set(grid, blocked.cell, 1);
    const rp_change_t beside = {rp_grid_cell(grid, 33, 30), 1, 0}; // on the same sector
    rp_grid_set(grid, beside.cell, 0);
    rp_change_impact_read(&impact, grid, &beside, 1);
    ck_assert(!rp_change_impact_worsens_path(&impact, &standing, &is_measured));
    ck_assert(is_measured);
    const rp_change_t far_off = {rp_grid_cell(grid, 40, 30), 1, 0};
    rp_grid_set(grid, far_off.cell, 0);
    rp_change_impact_read(&impact, grid, &far_off, 1);
    ck_assert(!rp_change_impact_worsens_path(&impact, &standing, &is_measured));
    ck_assert(!is_measured);
    const rp_standing_t detour = {&published, diagonal[0], goals, 1, 2.0};
    const rp_change_t freed = {rp_grid_cell(grid, 32, 30), 0, 1};
    rp_change_impact_read(&impact, grid, &freed, 1);
    ck_assert(rp_change_impact_rival_path(&impact, &detour));
}
END_TEST

/// Where a sector is a cell, a path along each edge, and its middle is blocked.
START_TEST(a_blocked_cell_on_each_edge_counts)
{
    const rp_grid_shape_t shape = {32, 32, 8, false, 1, 1};
    rp_change_impact_t impact;
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    const rp_cell_t middles[] = {rp_grid_cell(grid, 9, 0), rp_grid_cell(grid, 9, 31),
                                 rp_grid_cell(grid, 0, 9), rp_grid_cell(grid, 31, 9)};
    const rp_cell_t down = rp_grid_cell(grid, 0, 1) - rp_grid_cell(grid, 0, 0);
    for (size_t i = 0; i < sizeof middles / sizeof middles[0]; i++) {
        const rp_cell_t from = middles[i] - (i < 2 ? 1u : down);
        const rp_cell_t cells[] = {from, middles[i], 2u * middles[i] - from};
        const rp_path_t path = {cells, 3};
        ck_assert_int_eq(rp_published_path_keep(&published, grid, &path), RP_OK);
        goals[0] = (rp_goal_t){cells[2], 0};
        const rp_standing_t standing = {&published, cells[0], goals, 1, 2.0};
        const rp_change_t blocked = {middles[i], 1, 0};
        rp_grid_set(grid, blocked.cell, 0);
        rp_change_impact_read(&impact, grid, &blocked, 1);
        ck_assert(rp_change_impact_worsens_path(&impact, &standing, &is_measured));
        const uint32_t sector =
            rp_grid_y(grid, middles[i]) * RP_SECTORS_SIDE + rp_grid_x(grid, middles[i]);
        ck_assert_uint_eq(impact.dearer.words[sector / 64u] >> (sector % 64u) & 1u, 1);
    }
}
END_TEST

START_TEST(an_end_that_is_blocked_is_another_answer_than_no_path)
{
    const rp_grid_shape_t shape = {8, 8, 8, false, 1, 1};
    rp_change_impact_t impact;
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    start = rp_grid_cell(grid, 0, 0);
    goals[0] = (rp_goal_t){rp_grid_cell(grid, 7, 7), 0};
    const rp_change_t on_start = {start, 1, 0};
    rp_change_impact_read(&impact, grid, &on_start, 1);
    ck_assert(rp_change_impact_touch_no_path(&impact, start, goals, 1));
    const rp_change_t elsewhere = {rp_grid_cell(grid, 3, 3), 1, 0};
    rp_change_impact_read(&impact, grid, &elsewhere, 1);
    ck_assert(!rp_change_impact_touch_no_path(&impact, start, goals, 1));
    const rp_change_t freed = {rp_grid_cell(grid, 3, 3), 0, 1};
    rp_change_impact_read(&impact, grid, &freed, 1);
    ck_assert(rp_change_impact_touch_no_path(&impact, start, goals, 1));
}
END_TEST

int main(void)
{
    const TTest *const rounds[] = {
        who_is_let_off_has_the_cheapest_path_still,
    };
    const TTest *const once[] = {
        diagonals_beside_a_cell_count,
        a_blocked_cell_on_each_edge_counts,
        an_end_that_is_blocked_is_another_answer_than_no_path,
        quarters_are_sectors_four_by_four,
        a_path_stands_on_the_sectors_of_its_cells,
    };
    const int failed = rp_suite_run("change_impact", rounds, 1, 8, tear_down);
    return rp_suite_run("change_impact", once, sizeof once / sizeof once[0], 1, tear_down) + failed;
}
