/// Memory-Enhanced IDA* from inside: against a plain recursive rendering with the table that the
/// paper describes, and against A*. That its paths are right is the oracle's and the contract's
/// business.
///
/// None of that is part of the contract, so this test compiles the planner's source once more,
/// under another name, with its assertions. It is built for 32- and for 64-bit costs.
#undef NDEBUG
#include "planners/grid/cost.h"

#undef RP_MEMBER
#define RP_MEMBER(name) name##_under_test
#include "planners/papers/me_ida.c" // NOLINT(bugprone-suspicious-include)

#include "planners/papers/papers.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define SIDE_MAX 14u
#define ROOM     ((SIDE_MAX + 2u) * (SIDE_MAX + 10u)) ///< places of a grid, the rim included
#define WORLDS   240u
#define KINDS    8u ///< one a round; one bit each for 8 neighbours, weights, wrapped

static rp_grid_t *grid;
static me_ida_t ida;
static rp_planner_t *astar;
static rp_search_stats_t stats; ///< of the last search

// ---- worlds

static void close_world(void)
{
    rp_member_unbind(&RP_MEMBER(me_ida), &ida, &arena, NULL);
    rp_planner_destroy(&astar);
    rp_grid_destroy(&grid);
}

static void open_world(unsigned kind, rp_random_t *random)
{
    const bool wraps = (kind & 4u) != 0;
    const rp_grid_shape_t shape = {
        .width = rp_random_between(random, wraps ? 3 : 1, SIDE_MAX),
        .height = rp_random_between(random, wraps ? 3 : 1, SIDE_MAX),
        .neighbors = (kind & 1u) != 0 ? 8 : 4,
        .wraps = wraps,
        .unit = 1,
        .least = 1,
    };
    const bool is_weighted = (kind & 2u) != 0;
    const uint32_t blocked = rp_random_below(random, 45);
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    ck_assert_uint_le(grid->cell_count, ROOM);
    for (uint32_t y = 0; y < shape.height; y++) {
        for (uint32_t x = 0; x < shape.width; x++) {
            const uint32_t factor = is_weighted ? rp_random_between(random, 1, 4) : 1;
            const bool is_blocked = rp_random_chance(random, blocked);
            rp_grid_set(grid, rp_grid_cell(grid, x, y), is_blocked ? 0 : (uint8_t)factor);
        }
    }
    ck_assert_int_eq(
        rp_member_bind(&RP_MEMBER(me_ida), &ida, grid, &(rp_member_options_t){0}, &arena), RP_OK);
    ck_assert_int_eq(rp_planner_new("astar", NULL, &astar), RP_OK);
}

/// @return RP_NO_CELL when none is found
static rp_cell_t draw_free_cell(rp_random_t *random)
{
    for (int tries = 0; tries < 1000; tries++) {
        const uint32_t y = rp_random_below(random, grid->shape.height);
        const rp_cell_t cell = rp_grid_cell(grid, rp_random_below(random, grid->shape.width), y);
        if (grid->factor[cell] != 0) {
            return cell;
        }
    }
    return RP_NO_CELL;
}

static void begin(rp_cell_t start, rp_cell_t goal)
{
    stats = (rp_search_stats_t){0};
    me_ida_begin(&ida, start, &(rp_goal_t){.cell = goal}, 1);
}

static rp_status_t search(uint64_t budget)
{
    return me_ida_search(&ida, &budget, &stats);
}

// ---- the plain rendering

#define ORDER_ROOM 20000u

/// The paper's table: g, the bound, and the iteration of the last expansion.
typedef struct plain {
    bool is_known[ROOM];
    rp_cost_t g[ROOM];
    rp_cost_t hb[ROOM];
    uint64_t iteration_of[ROOM];
    rp_cell_t goal;
    rp_cost_t limit;
    uint64_t iterations;
    uint64_t visited;
    uint64_t expanded;
    rp_cell_t order[ORDER_ROOM]; ///< the first expansions
    bool hears_inferior;         ///< without the third benefit
    bool found;
} plain_t;

static plain_t plain;

static rp_cost_t lesser(rp_cost_t a, rp_cost_t b)
{
    return a < b ? a : b;
}

static void plain_count(rp_cell_t cell)
{
    if (plain.expanded < ORDER_ROOM) {
        plain.order[plain.expanded] = cell;
    }
    plain.expanded++;
    plain.iteration_of[cell] = plain.iterations;
    plain.found = cell == plain.goal;
}

static rp_cost_t plain_search(rp_cell_t cell, unsigned back);

/// @return the least f beyond the limit that is met by this step and below it
static rp_cost_t plain_step(rp_cell_t next, rp_cost_t q, unsigned back)
{
    plain.visited++;
    if (!plain.is_known[next] || q < plain.g[next]) {
        plain.is_known[next] = true;
        plain.g[next] = q;
        plain.hb[next] = h_of(&ida, next);
    } else if (q > plain.g[next]) {
        const rp_cost_t f = q + h_of(&ida, next);
        return plain.hears_inferior && f > plain.limit ? f : RP_COST_INF;
    } else if (plain.iteration_of[next] == plain.iterations) {
        return RP_COST_INF; // searched within this limit already, and who did was told
    }
    if (plain.hb[next] == RP_COST_INF) {
        return RP_COST_INF;
    }
    const rp_cost_t f = q + plain.hb[next];
    return f > plain.limit ? f : plain_search(next, back);
}

/// @param back  the direction that it was met from, which is not tried; RP_DIRECTIONS: none
static rp_cost_t plain_search(rp_cell_t cell, unsigned back)
{
    rp_cost_t best = RP_COST_INF;
    plain_count(cell);
    for (unsigned direction = RP_DIRECTIONS; direction-- > 0 && !plain.found;) {
        if (direction != back && ((grid->moves[cell] >> direction) & 1u) != 0) {
            const rp_cell_t next = rp_grid_step(grid, cell, direction);
            const rp_cost_t edge = rp_edge(&ida.metric, cell, next, direction);
            best = lesser(best, plain_step(next, plain.g[cell] + edge, (direction + 4u) % 8u));
        }
    }
    plain.hb[cell] = best == RP_COST_INF ? RP_COST_INF : best - plain.g[cell];
    return best;
}

static void plain_run(rp_cell_t start, rp_cell_t goal, bool hears_inferior)
{
    plain = (plain_t){.goal = goal, .hears_inferior = hears_inferior};
    plain.is_known[start] = true;
    plain.hb[start] = h_of(&ida, start);
    rp_cost_t next = plain.hb[start];
    while (next != RP_COST_INF && !plain.found) {
        plain.limit = next;
        plain.iterations++;
        plain.visited++;
        next = plain_search(start, RP_DIRECTIONS);
    }
}

// ---- tests

START_TEST(me_ida_expands_what_the_recursive_form_does_in_its_order)
{
    rp_random_t random = {(uint64_t)_i};
    uint64_t compared = 0;
    for (unsigned world = 0; world < WORLDS; world++) {
        open_world((unsigned)_i, &random);
        const rp_cell_t start = draw_free_cell(&random);
        const rp_cell_t goal = draw_free_cell(&random);
        if (start != RP_NO_CELL) {
            begin(start, goal);
            plain_run(start, goal, false);
            for (uint64_t i = 0; i < plain.expanded && i < ORDER_ROOM; i++) {
                search(1);
                ck_assert_uint_eq(ida.frames[ida.depth - 1u].cell, plain.order[i]);
                ck_assert(i % 16u != 0 || me_ida_check(&ida));
            }
            ck_assert_int_eq(search(UINT64_MAX), RP_OK);
            ck_assert_int_eq(ida.found, plain.found);
            ck_assert_uint_eq(stats.expanded, plain.expanded);
            ck_assert_uint_eq(stats.visited, plain.visited);
            ck_assert_uint_eq(stats.iterations, plain.iterations);
            compared += plain.expanded;
        }
        close_world();
    }
    ck_assert_uint_gt(compared, 1000); // else this proved little
}
END_TEST

/// Each f that A* pops becomes a limit. Others may come between, from cells that are met by an
/// inferior way first.
START_TEST(me_ida_works_through_every_f_that_astar_pops)
{
    rp_random_t random = {100u + (uint64_t)_i};
    uint64_t iterations = 0;
    for (unsigned world = 0; world < WORLDS; world++) {
        open_world((unsigned)_i, &random);
        const rp_cell_t start = draw_free_cell(&random);
        const rp_cell_t goal = draw_free_cell(&random);
        rp_plan_t plan;
        if (start != RP_NO_CELL) {
            begin(start, goal);
            ck_assert_int_eq(search(UINT64_MAX), RP_OK);
            ck_assert_int_eq(rp_planner_bind(astar, grid), RP_OK);
            rp_planner_set_start(astar, start);
            rp_planner_set_goal(astar, goal);
            ck_assert_int_eq(rp_planner_plan(astar, UINT64_MAX, &plan), RP_OK);
            ck_assert_int_eq(ida.found, plan.outcome == RP_OUTCOME_FOUND);
            ck_assert_uint_ge(stats.iterations, rp_papers_stats(astar).iterations);
            ck_assert(!ida.found || ida.nodes[goal].g == ida.limit);
            iterations += rp_papers_stats(astar).iterations;
        }
        close_world();
    }
    ck_assert_uint_gt(iterations, WORLDS);
}
END_TEST

START_TEST(me_ida_saves_iterations_by_not_hearing_inferior_cells)
{
    rp_random_t random = {200u + (uint64_t)_i};
    uint64_t without = 0;
    uint64_t with = 0;
    for (unsigned world = 0; world < WORLDS / 4u; world++) {
        open_world((unsigned)_i, &random);
        const rp_cell_t start = draw_free_cell(&random);
        const rp_cell_t goal = draw_free_cell(&random);
        if (start != RP_NO_CELL) {
            begin(start, goal);
            ck_assert_int_eq(search(UINT64_MAX), RP_OK);
            plain_run(start, goal, true);
            ck_assert_int_eq(plain.found, ida.found);
            without += plain.iterations;
            with += stats.iterations;
        }
        close_world();
    }
    // Where all steps cost the same there may be nothing inferior to hear.
    const bool is_even = (_i & 3) == 0;
    ck_assert(is_even ? without >= with : without > with);
}
END_TEST

START_TEST(search_numbers_begin_again_without_a_trace)
{
    rp_random_t random = {300u + (uint64_t)_i};
    open_world((unsigned)_i, &random);
    ida.search = 0u - 3u * RP_NODE_SEARCH;
    for (int query = 0; query < 6; query++) {
        const rp_cell_t start = draw_free_cell(&random);
        const rp_cell_t goal = draw_free_cell(&random);
        ck_assert_uint_ne(start, RP_NO_CELL);
        begin(start, goal);
        plain_run(start, goal, false);
        ck_assert_int_eq(search(UINT64_MAX), RP_OK);
        ck_assert_uint_eq(stats.expanded, plain.expanded);
    }
    ck_assert_uint_lt(ida.search, 8u * RP_NODE_SEARCH);
    close_world();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        me_ida_expands_what_the_recursive_form_does_in_its_order,
        me_ida_works_through_every_f_that_astar_pops,
        me_ida_saves_iterations_by_not_hearing_inferior_cells,
        search_numbers_begin_again_without_a_trace,
    };
    return rp_suite_run("me_ida", tests, sizeof tests / sizeof tests[0], KINDS, close_world);
}
