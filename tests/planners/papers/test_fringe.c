/// Fringe Search from inside: the paper's figure 2 step by step, and what ties it to A*. That its
/// paths are right is the oracle's and the contract's business.
///
/// None of that is part of the contract, so this test compiles the planner's source once more,
/// under another name, with its assertions. It is built for 32- and 64-bit costs, and for the steps
/// of the paper, 100 : 150, together with an A* that has them too.
#undef NDEBUG
#include "planners/grid/cost.h"

#undef RP_MEMBER
#define RP_MEMBER(name) name##_under_test
#include "planners/papers/fringe.c" // NOLINT(bugprone-suspicious-include)

#include "planners/papers/papers.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define SIDE_MAX 24u
#define ROOM     ((SIDE_MAX + 2u) * (SIDE_MAX + 10u)) ///< places of a grid, the rim included
#define WORLDS   300u
#define KINDS    8u ///< one bit each for 8 neighbours, weights, wrapped

/// One a round. Each serves every ground but FORM_PLAIN_LIST.
static const form_t forms[] = {FORM_LIST, FORM_BUCKETS, FORM_PLAIN_LIST};
#define ROUNDS (sizeof forms / sizeof forms[0])

static rp_grid_t *grid;
static fringe_t fringe;
static rp_planner_t *astar;
static rp_search_stats_t stats; ///< of the last search

// ---- worlds

static void close_world(void)
{
    rp_member_unbind(&RP_MEMBER(fringe), &fringe, &arena, NULL);
    rp_planner_destroy(&astar);
    rp_grid_destroy(&grid);
}

static uint32_t place_count(void)
{
    return grid->shape.width * grid->shape.height;
}

static rp_cell_t cell_of(uint32_t place)
{
    return rp_grid_cell(grid, place % grid->shape.width, place / grid->shape.width);
}

/// Plain lists serve one kind only.
static void open_world(unsigned world, form_t form, rp_random_t *random)
{
    const unsigned kind = form == FORM_PLAIN_LIST ? 0 : world % KINDS;
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
    const uint32_t dearest = rp_random_chance(random, 50) ? 3 : 12;
    const uint32_t blocked = rp_random_below(random, 45);
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    for (uint32_t place = 0; place < place_count(); place++) {
        const uint32_t factor = is_weighted ? rp_random_between(random, 1, dearest) : 1;
        const bool is_blocked = rp_random_chance(random, blocked);
        rp_grid_set(grid, cell_of(place), is_blocked ? 0 : (uint8_t)factor);
    }
    const rp_member_options_t options = {.open =
                                             form == FORM_BUCKETS ? RP_OPEN_BUCKETS : RP_OPEN_HEAP};
    ck_assert_int_eq(rp_member_bind(&RP_MEMBER(fringe), &fringe, grid, &options, &arena), RP_OK);
    fringe.form = form;
    ck_assert_int_eq(rp_planner_new("astar", NULL, &astar), RP_OK);
}

/// @return RP_NO_CELL when none is found
static rp_cell_t draw_free_cell(rp_random_t *random)
{
    for (int tries = 0; tries < 1000; tries++) {
        const rp_cell_t cell = cell_of(rp_random_below(random, place_count()));
        if (grid->factor[cell] != 0) {
            return cell;
        }
    }
    return RP_NO_CELL;
}

static void begin(rp_cell_t start, rp_cell_t goal)
{
    stats = (rp_search_stats_t){0};
    fringe_begin(&fringe, start, &(rp_goal_t){.cell = goal}, 1);
}

static rp_status_t search(uint64_t budget)
{
    return fringe_search(&fringe, &budget, &stats);
}

// ---- laws

static uint64_t count_closed(void)
{
    uint64_t count = 0;
    for (rp_cell_t cell = 1; cell < grid->cell_count; cell++) {
        count += is_of_search(&fringe, cell) && !is_in_fringe(&fringe, cell);
    }
    return count;
}

/// The goal is expanded, but it stays where it is.
static void check_counts(void)
{
    ck_assert(fringe_check(&fringe));
    ck_assert_uint_eq(count_closed() + fringe.found, stats.expanded);
    ck_assert_uint_ge(stats.visited, stats.expanded);
    ck_assert_uint_ge(stats.visited_last, stats.expanded_last);
    ck_assert_uint_le(stats.visited_last, stats.visited);
    if (fringe.form == FORM_BUCKETS) {
        ck_assert_uint_eq(stats.visited, stats.expanded);
    }
}

static void hold_against_astar(rp_cell_t start, rp_cell_t goal)
{
    rp_plan_t plan;
    ck_assert_int_eq(rp_planner_bind(astar, grid), RP_OK); // else it has the answer already
    rp_planner_set_start(astar, start);
    rp_planner_set_goal(astar, goal);
    ck_assert_int_eq(rp_planner_plan(astar, UINT64_MAX, &plan), RP_OK);
    ck_assert_int_eq(fringe.found, plan.outcome == RP_OUTCOME_FOUND);
    const rp_search_stats_t its = rp_papers_stats(astar);
    ck_assert_uint_eq(stats.iterations, its.iterations);
    ck_assert_uint_eq(stats.expanded - stats.expanded_last, its.expanded - its.expanded_last);
}

START_TEST(fringe_agrees_with_astar_in_iterations_and_in_all_but_the_last)
{
    rp_random_t random = {1};
    uint64_t iterations = 0;
    for (unsigned world = 0; world < WORLDS; world++) {
        open_world(world, forms[_i], &random);
        for (int query = 0; query < 6; query++) {
            const rp_cell_t start = draw_free_cell(&random);
            const rp_cell_t goal = draw_free_cell(&random);
            if (start != RP_NO_CELL) {
                begin(start, goal);
                ck_assert_int_eq(search(UINT64_MAX), RP_OK);
                check_counts();
                hold_against_astar(start, goal);
                iterations += stats.iterations;
            }
        }
        close_world();
    }
    ck_assert_uint_gt(iterations, 3000); // else this proved little
}
END_TEST

START_TEST(fringe_comes_to_the_same_end_in_slices)
{
    rp_random_t random = {2};
    for (unsigned world = 0; world < WORLDS / 3u; world++) {
        open_world(world, forms[_i], &random);
        const rp_cell_t start = draw_free_cell(&random);
        const rp_cell_t goal = draw_free_cell(&random);
        if (start != RP_NO_CELL) {
            begin(start, goal);
            ck_assert_int_eq(search(UINT64_MAX), RP_OK);
            const rp_search_stats_t whole = stats;
            begin(start, goal);
            while (search(rp_random_below(&random, 5)) == RP_MORE) {
                ck_assert(fringe_check(&fringe));
            }
            ck_assert_mem_eq(&stats, &whole, sizeof stats);
        }
        close_world();
    }
}
END_TEST

// ---- figure 2, word by word

/// F as an array, C as two.
typedef struct figure {
    rp_cell_t fringe[ROOM];
    uint32_t count;
    rp_cost_t g[ROOM];
    bool is_cached[ROOM];
    rp_cell_t expanded[ROOM]; ///< in order
    uint32_t expanded_count;
    uint64_t visited;
    uint64_t iterations;
} figure_t;

static figure_t figure;

static uint32_t figure_find(rp_cell_t cell)
{
    uint32_t at = 0;
    while (at < figure.count && figure.fringe[at] != cell) {
        at++;
    }
    return at;
}

static void figure_remove(uint32_t at)
{
    figure.count--;
    memmove(&figure.fringe[at], &figure.fringe[at + 1u],
            (figure.count - at) * sizeof figure.fringe[0]);
}

static void figure_insert(uint32_t at, rp_cell_t cell)
{
    memmove(&figure.fringe[at + 1u], &figure.fringe[at],
            (figure.count - at) * sizeof figure.fringe[0]);
    figure.fringe[at] = cell;
    figure.count++;
}

/// @return where in F the cell that is expanded stands afterwards
static uint32_t figure_expand(uint32_t at)
{
    const rp_cell_t n = figure.fringe[at];
    unsigned direction;
    rp_cell_t s;
    RP_FOR_MOVES (grid, n, direction, s) {
        const rp_cost_t g_s = figure.g[n] + rp_edge(&fringe.metric, n, s, direction);
        if (figure.is_cached[s] && g_s >= figure.g[s]) {
            continue;
        }
        const uint32_t place = figure_find(s);
        if (place < figure.count) {
            figure_remove(place);
            at -= place < at;
        }
        figure_insert(at + 1u, s);
        figure.g[s] = g_s;
        figure.is_cached[s] = true;
    }
    return at;
}

static bool figure_search(rp_cell_t start, rp_cell_t goal)
{
    figure = (figure_t){.fringe = {start}, .count = 1};
    figure.is_cached[start] = true;
    rp_cost_t limit = h_of(&fringe, start);
    while (figure.count != 0) {
        rp_cost_t least = RP_COST_INF;
        const uint32_t expanded_before = figure.expanded_count;
        for (uint32_t at = 0; at < figure.count;) {
            const rp_cell_t n = figure.fringe[at];
            const rp_cost_t f = figure.g[n] + h_of(&fringe, n);
            figure.visited++;
            if (f > limit) {
                least = f < least ? f : least;
                at++;
                continue;
            }
            figure.iterations += figure.expanded_count == expanded_before;
            figure.expanded[figure.expanded_count++] = n;
            if (n == goal) {
                return true;
            }
            at = figure_expand(at);
            figure_remove(at);
        }
        limit = least;
    }
    return false;
}

/// Which cell the next slice of one expansion takes; the goal does not leave the fringe.
static rp_cell_t expand_one(void)
{
    static bool was_closed[ROOM];
    for (rp_cell_t cell = 1; cell < grid->cell_count; cell++) {
        was_closed[cell] = is_of_search(&fringe, cell) && !is_in_fringe(&fringe, cell);
    }
    search(1);
    for (rp_cell_t cell = 1; cell < grid->cell_count; cell++) {
        if (!was_closed[cell] && is_of_search(&fringe, cell) && !is_in_fringe(&fringe, cell)) {
            return cell;
        }
    }
    return fringe.goal;
}

START_TEST(fringe_visits_and_expands_what_figure_2_says_in_its_order)
{
    rp_random_t random = {3};
    uint64_t compared = 0;
    if (forms[_i] == FORM_BUCKETS) {
        return; // sorted in part: another order
    }
    for (unsigned world = 0; world < WORLDS; world++) {
        open_world(world, forms[_i], &random);
        const rp_cell_t start = draw_free_cell(&random);
        const rp_cell_t goal = draw_free_cell(&random);
        if (start != RP_NO_CELL) {
            ck_assert_uint_le(grid->cell_count, ROOM);
            begin(start, goal);
            const bool is_found = figure_search(start, goal);
            for (uint32_t i = 0; i < figure.expanded_count; i++) {
                ck_assert_uint_eq(expand_one(), figure.expanded[i]);
            }
            ck_assert(fringe.found || search(0) == RP_OK);
            ck_assert_int_eq(fringe.found, is_found);
            ck_assert_uint_eq(stats.expanded, figure.expanded_count);
            ck_assert_uint_eq(stats.visited, figure.visited);
            ck_assert_uint_eq(stats.iterations, figure.iterations);
            compared += figure.expanded_count;
        }
        close_world();
    }
    ck_assert_uint_gt(compared, 2000); // else this proved little
}
END_TEST

// ---- forms

static form_t form_on(uint8_t neighbors, bool wraps, uint8_t dearest, rp_open_t open)
{
    const rp_grid_shape_t shape = {
        .width = 5, .height = 5, .neighbors = neighbors, .wraps = wraps, .unit = 1, .least = 1};
    const rp_member_options_t options = {.open = open};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    rp_grid_set(grid, rp_grid_cell(grid, 1, 1), dearest);
    ck_assert_int_eq(rp_member_bind(&RP_MEMBER(fringe), &fringe, grid, &options, &arena), RP_OK);
    const form_t form = fringe.form;
    close_world();
    return form;
}

START_TEST(fringe_takes_buckets_where_f_has_many_values_or_when_asked)
{
    ck_assert_int_eq(form_on(4, false, 1, RP_OPEN_HEAP), FORM_PLAIN_LIST);
    ck_assert_int_eq(form_on(4, true, 1, RP_OPEN_HEAP), FORM_LIST);
    ck_assert_int_eq(form_on(4, false, 3, RP_OPEN_HEAP), FORM_LIST);
    ck_assert_int_eq(form_on(4, false, 200, RP_OPEN_HEAP), FORM_BUCKETS);
    ck_assert_int_eq(form_on(4, false, 1, RP_OPEN_BUCKETS), FORM_BUCKETS);
    const bool is_coarse = RP_STRAIGHT == 100u; // the paper's steps, and its factor 3
    ck_assert_int_eq(form_on(8, false, 1, RP_OPEN_HEAP), is_coarse ? FORM_LIST : FORM_BUCKETS);
    ck_assert_int_eq(form_on(8, false, 3, RP_OPEN_HEAP), is_coarse ? FORM_LIST : FORM_BUCKETS);
    ck_assert_int_eq(form_on(8, false, 3, RP_OPEN_BUCKETS), FORM_BUCKETS);
}
END_TEST

START_TEST(search_numbers_begin_again_without_a_trace)
{
    rp_random_t random = {5};
    for (unsigned world = 0; world < 5u * KINDS; world++) {
        open_world(world, forms[_i], &random);
        fringe.search = 0u - 3u * RP_NODE_SEARCH;
        for (int query = 0; query < 6; query++) {
            const rp_cell_t start = draw_free_cell(&random);
            const rp_cell_t goal = draw_free_cell(&random);
            begin(start, goal);
            ck_assert_int_eq(search(UINT64_MAX), RP_OK);
            check_counts();
            hold_against_astar(start, goal);
        }
        ck_assert_uint_lt(fringe.search, 8u * RP_NODE_SEARCH);
        close_world();
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        fringe_agrees_with_astar_in_iterations_and_in_all_but_the_last,
        fringe_comes_to_the_same_end_in_slices,
        fringe_visits_and_expands_what_figure_2_says_in_its_order,
        fringe_takes_buckets_where_f_has_many_values_or_when_asked,
        search_numbers_begin_again_without_a_trace,
    };
    return rp_suite_run("fringe", tests, sizeof tests / sizeof tests[0], ROUNDS, close_world);
}
