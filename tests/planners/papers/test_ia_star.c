/// iA* from inside: that a replay puts back the OPEN that was there, in slices and with changes
/// between them, and that what is kept is exact. How much of the log a change leaves standing is
/// shared with Fringe-Saving A* and tested there.
///
/// None of that is part of the contract, so this test compiles the planner's source once more,
/// under another name. It is built for 32- and for 64-bit costs.
#undef NDEBUG
#include "planners/grid/cost.h"

#undef RP_MEMBER
#define RP_MEMBER(name) name##_under_test
#include "planners/papers/ia_star.c" // NOLINT(bugprone-suspicious-include)

#include "tests/support/oracle.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define SIDE_MAX   16u
#define PLACES_MAX (SIDE_MAX * SIDE_MAX)
#define DEAREST    3u
#define WORLDS     120u
#define KINDS      8u ///< one a round; one bit each for 8 neighbours, weights, wrapped

static rp_grid_t *grid;
static rp_oracle_t *oracle; ///< holds the map
static ia_star_t ia;
static rp_search_stats_t stats; ///< of the last search
static uint32_t start;          ///< places: y * width + x
static uint32_t goal;
static rp_change_t changes[PLACES_MAX]; ///< untold
static size_t change_count;

// ---- a session

static void close_world(void)
{
    rp_member_unbind(&RP_MEMBER(ia_star), &ia, &arena, NULL);
    rp_oracle_destroy(&oracle);
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

/// Both ends are free, in two corners.
static void open_world(unsigned kind, rp_random_t *random)
{
    const rp_grid_shape_t shape = {
        .width = rp_random_between(random, 3, SIDE_MAX),
        .height = rp_random_between(random, 3, SIDE_MAX),
        .neighbors = (kind & 1u) != 0 ? 8 : 4,
        .wraps = (kind & 4u) != 0,
        .unit = 1,
        .least = 1,
    };
    const bool is_weighted = (kind & 2u) != 0;
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    oracle = rp_oracle_new(&shape);
    ck_assert_ptr_nonnull(oracle);
    start = 0;
    goal = place_count() - 1u;
    for (uint32_t place = 0; place < place_count(); place++) {
        const uint32_t factor = is_weighted ? rp_random_between(random, 1, DEAREST) : 1;
        const bool is_blocked = place != start && place != goal && rp_random_chance(random, 25);
        oracle->factors[place] = is_blocked ? 0 : (uint8_t)factor;
        rp_grid_set(grid, cell_of(place), oracle->factors[place]);
    }
    if (is_weighted) { // costs must not be rescaled later
        oracle->factors[goal] = DEAREST;
        rp_grid_set(grid, cell_of(goal), DEAREST);
    }
    ck_assert_int_eq(
        rp_member_bind(&RP_MEMBER(ia_star), &ia, grid, &(rp_member_options_t){0}, &arena), RP_OK);
    ia_star_begin(&ia, cell_of(start), &(rp_goal_t){.cell = cell_of(goal)}, 1);
}

/// Write a cell; it is told with the next update.
static void set(uint32_t place, uint8_t factor)
{
    const uint8_t before = rp_grid_set(grid, cell_of(place), factor);
    oracle->factors[place] = factor;
    if (before != factor) {
        changes[change_count++] = (rp_change_t){cell_of(place), before, factor};
    }
}

/// Rewrite a few cells, each once, none of them an end.
static void churn(rp_random_t *random)
{
    uint32_t place = rp_random_below(random, 4);
    while (place < place_count()) {
        if (place != start && place != goal) {
            const uint32_t dearest = grid->weighted ? DEAREST : 1;
            const uint32_t factor = rp_random_between(random, 1, dearest);
            set(place, rp_random_chance(random, 40) ? 0 : (uint8_t)factor);
        }
        place += 1u + rp_random_below(random, place_count());
    }
}

static bool update(uint32_t to)
{
    const rp_goal_t goals[] = {{.cell = cell_of(to)}};
    const rp_update_t news = {
        .changes = changes,
        .change_count = change_count,
        .goals = goals,
        .goal_count = 1,
        .start = cell_of(start),
        .goals_changed = to != goal,
    };
    goal = to;
    change_count = 0;
    return ia_star_update(&ia, &news);
}

static rp_status_t search(uint64_t budget)
{
    stats = (rp_search_stats_t){0};
    return ia_star_search(&ia, &budget, &stats);
}

static void finish(void)
{
    ck_assert_int_eq(search(UINT64_MAX), RP_OK);
    ck_assert(ia_star_check(&ia));
}

static uint32_t draw_free_place(rp_random_t *random)
{
    uint32_t place;
    do {
        place = rp_random_below(random, place_count());
    } while (oracle->factors[place] == 0);
    return place;
}

// ---- tests

/// g by place of what waits in OPEN, RP_COST_INF elsewhere.
static void read_open(rp_cost_t *open)
{
    for (uint32_t place = 0; place < place_count(); place++) {
        const rp_node_t *node = &ia.reuse.nodes[cell_of(place)];
        open[place] =
            rp_prefix_reuse_is_live(&ia.reuse, cell_of(place), node->g) ? node->g : RP_COST_INF;
    }
}

START_TEST(ia_star_replay_puts_back_the_open_that_was_there)
{
    static rp_cost_t before[PLACES_MAX];
    static rp_cost_t after[PLACES_MAX];
    rp_random_t random = {(uint64_t)_i};
    for (unsigned world = 0; world < WORLDS; world++) {
        open_world((unsigned)_i, &random);
        if (search(rp_random_between(&random, 1, 60)) == RP_MORE) {
            const uint32_t length = ia.reuse.log.length;
            read_open(before);
            ia.open_state = OPEN_NEEDS_REPLAY;
            ck_assert_int_eq(search(length), RP_MORE);
            ck_assert_uint_eq(stats.expanded, 0);
            ck_assert_uint_eq(stats.visited, length);
            ck_assert_int_eq(ia.open_state, OPEN_IS_TRUE);
            ck_assert(ia_star_check(&ia));
            read_open(after);
            ck_assert_mem_eq(before, after, place_count() * sizeof before[0]);
        }
        close_world();
    }
}
END_TEST

/// Every closed cell has the oracle's cost on the map as it is now, at any time.
static void check_closed_cells_are_exact(void)
{
    const uint64_t lengths = grid->shape.neighbors == 8 ? 1 : RP_STRAIGHT;
    const uint64_t scale = lengths * (grid->weighted ? 1 : 2);
    rp_oracle_flood(oracle, start);
    for (uint32_t place = 0; place < place_count(); place++) {
        if (rp_prefix_reuse_is_closed(&ia.reuse, cell_of(place))) {
            RP_EACH_EQ(ia.reuse.nodes[cell_of(place)].g * scale, oracle->cost[place]);
        }
    }
    ck_assert(ia_star_check(&ia));
}

START_TEST(ia_star_keeps_exact_cells_through_slices_changes_and_goals)
{
    rp_random_t random = {100u + (uint64_t)_i};
    uint64_t reuse = 0;
    uint32_t interrupted = 0;
    for (unsigned world = 0; world < WORLDS; world++) {
        open_world((unsigned)_i, &random);
        for (int step = 0; step < 40; step++) {
            const rp_status_t status =
                search(rp_random_chance(&random, 50) ? UINT64_MAX : rp_random_below(&random, 30));
            check_closed_cells_are_exact();
            interrupted += ia.open_state == OPEN_IN_REPLAY;
            if (status == RP_OK) {
                const bool is_found = rp_prefix_reuse_is_closed(&ia.reuse, cell_of(goal));
                ck_assert_int_eq(is_found, oracle->cost[goal] != RP_ORACLE_NO_PATH);
            }
            if (ia.reuse.log.length != 0) {
                churn(&random);
                ck_assert(update(rp_random_chance(&random, 20) ? draw_free_place(&random) : goal));
                check_closed_cells_are_exact();
                reuse += ia.reuse.log.length;
            }
        }
        close_world();
    }
    ck_assert_uint_gt(reuse, 20000); // else this proved little
    ck_assert_uint_gt(interrupted, 100);
}
END_TEST

START_TEST(ia_star_repeats_nothing_for_changes_that_nothing_depends_on)
{
    rp_random_t random = {200u + (uint64_t)_i};
    for (unsigned world = 0; world < WORLDS; world++) {
        open_world((unsigned)_i, &random);
        if (search(3) == RP_MORE) {
            for (uint32_t place = 1; place + 1u < place_count(); place++) {
                if (!meets_open(&ia, cell_of(place))) {
                    set(place, oracle->factors[place] == 0);
                }
            }
            ck_assert(update(goal));
            ck_assert_int_eq(ia.open_state, OPEN_IS_TRUE);
            finish();
        }
        close_world();
    }
}
END_TEST

START_TEST(ia_star_expands_and_repeats_nothing_when_the_goal_moves_to_a_closed_cell)
{
    rp_random_t random = {300u + (uint64_t)_i};
    open_world((unsigned)_i, &random);
    finish();
    for (uint32_t place = 0; place < place_count(); place++) {
        if (rp_prefix_reuse_is_closed(&ia.reuse, cell_of(place))) {
            ck_assert(update(place));
            finish();
            ck_assert_uint_eq(stats.visited, 0);
        }
    }
}
END_TEST

START_TEST(ia_star_starts_over_when_its_numbers_are_used_up)
{
    rp_random_t random = {400u + (uint64_t)_i};
    open_world((unsigned)_i, &random);
    ia.reuse.search = 0u - 2u * RP_NODE_SEARCH;
    ia_star_begin(&ia, cell_of(start), &(rp_goal_t){.cell = cell_of(goal)}, 1);
    finish();
    ck_assert(!update(goal));
    ia_star_begin(&ia, cell_of(start), &(rp_goal_t){.cell = cell_of(goal)}, 1);
    ck_assert_uint_eq(ia.reuse.search, RP_NODE_SEARCH);
    finish();
    check_closed_cells_are_exact();
}
END_TEST

START_TEST(ia_star_starts_over_when_the_start_itself_costs_something_else)
{
    rp_random_t random = {500u + (uint64_t)_i};
    open_world((unsigned)_i, &random);
    finish();
    changes[change_count++] = (rp_change_t){cell_of(start), 1, 2};
    ck_assert(!update(goal));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        ia_star_replay_puts_back_the_open_that_was_there,
        ia_star_keeps_exact_cells_through_slices_changes_and_goals,
        ia_star_repeats_nothing_for_changes_that_nothing_depends_on,
        ia_star_expands_and_repeats_nothing_when_the_goal_moves_to_a_closed_cell,
        ia_star_starts_over_when_its_numbers_are_used_up,
        ia_star_starts_over_when_the_start_itself_costs_something_else,
    };
    return rp_suite_run("ia_star", tests, sizeof tests / sizeof tests[0], KINDS, close_world);
}
