/// Fringe-Saving A* from inside: which cells it keeps, what it puts back into OPEN, and that both
/// ways of doing so agree. That its paths are right is the oracle's and the contract's business.
///
/// None of that is part of the contract, so this test compiles the planner's source once more,
/// under another name, with its assertions. It is built for 32- and for 64-bit costs.
#undef NDEBUG
#include "planners/grid/cost.h"

#undef RP_MEMBER
#define RP_MEMBER(name) name##_under_test
#include "planners/members/fsa.c" // NOLINT(bugprone-suspicious-include)

#include <string.h>

#include "tests/support/oracle.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define SIDE_MAX   110u
#define PLACES_MAX (SIDE_MAX * SIDE_MAX)
#define DEAREST    3u

/// A world and FSA* in it. Places are y * width + x.
typedef struct session {
    rp_grid_t *grid;
    rp_oracle_t *oracle;
    fsa_t fsa;
    rp_open_t open; ///< what begin() asks for
    uint32_t start;
    uint32_t goal;
    rp_change_t changes[PLACES_MAX];
    size_t change_count;
    uint8_t told[PLACES_MAX]; ///< the map as the planner knows it
    rp_search_stats_t stats;  ///< of the last search
} session_t;

static session_t session;

// ---- a session

static uint32_t place_count(void)
{
    return session.grid->shape.width * session.grid->shape.height;
}

static rp_cell_t cell_of(uint32_t place)
{
    const uint32_t width = session.grid->shape.width;
    return rp_grid_cell(session.grid, place % width, place / width);
}

static uint32_t place_of(rp_cell_t cell)
{
    return rp_grid_y(session.grid, cell) * session.grid->shape.width +
           rp_grid_x(session.grid, cell);
}

static void make_world(const rp_grid_shape_t *shape)
{
    session = (session_t){0};
    ck_assert_int_eq(rp_grid_new(shape, &session.grid), RP_OK);
    session.oracle = rp_oracle_new(shape);
    ck_assert_ptr_nonnull(session.oracle);
}

static void tear_down(void)
{
    rp_member_unbind(&RP_MEMBER(fsa), &session.fsa, &arena, NULL);
    rp_oracle_destroy(&session.oracle);
    rp_grid_destroy(&session.grid);
}

/// Write a cell; it is told with the next update, once, however often it is written.
static void set(uint32_t place, uint8_t factor)
{
    rp_grid_set(session.grid, cell_of(place), factor);
    session.oracle->factors[place] = factor;
}

static void begin(uint32_t start, uint32_t goal, rp_restore_t restore)
{
    const rp_member_options_t options = {.open = session.open, .restore = restore};
    if (session.fsa.reuse.grid == NULL) {
        ck_assert_int_eq(
            rp_member_bind(&RP_MEMBER(fsa), &session.fsa, session.grid, &options, &arena), RP_OK);
    }
    session.start = start;
    session.goal = goal;
    memcpy(session.told, session.oracle->factors, place_count());
    fsa_begin(&session.fsa, cell_of(start), &(rp_goal_t){cell_of(goal), 0}, 1);
}

/// Tell what was written since the last time. @return what the planner said
static bool update(uint32_t goal)
{
    session.change_count = 0;
    for (uint32_t place = 0; place < place_count(); place++) {
        const uint8_t before = session.told[place];
        const uint8_t after = session.oracle->factors[place];
        if (before != after) {
            session.changes[session.change_count++] = (rp_change_t){cell_of(place), before, after};
        }
    }
    const rp_goal_t goals[1] = {{cell_of(goal), 0}};
    const rp_update_t news = {
        .changes = session.changes,
        .change_count = session.change_count,
        .goals = goals,
        .goal_count = 1,
        .start = cell_of(session.start),
        .goals_changed = goal != session.goal,
    };
    session.goal = goal;
    memcpy(session.told, session.oracle->factors, place_count());
    return fsa_update(&session.fsa, &news);
}

static bool search(uint64_t budget)
{
    session.stats = (rp_search_stats_t){0};
    return fsa_search(&session.fsa, &budget, &session.stats) == RP_OK;
}

/// OPEN is put back, unless the path is known, and nothing expanded.
static void put_back_open(void)
{
    uint64_t budget = UINT64_MAX;
    if (!rp_prefix_reuse_is_closed(&session.fsa.reuse, cell_of(session.goal))) {
        ck_assert(bring_open_up_to_date(&session.fsa, &budget));
    }
}

/// Search to the end; the cost must be the oracle's, and the invariants must hold.
static void plan(void)
{
    ck_assert(search(UINT64_MAX));
    ck_assert(fsa_check(&session.fsa));
    rp_oracle_flood(session.oracle, session.start);
    const uint64_t cost = session.oracle->cost[session.goal];
    const bool is_found = rp_prefix_reuse_is_closed(&session.fsa.reuse, cell_of(session.goal));
    ck_assert(is_found == (cost != RP_ORACLE_NO_PATH));
    if (is_found) {
        const rp_grid_t *grid = session.grid;
        const uint64_t scale =
            (grid->shape.neighbors == 4 ? RP_STRAIGHT : 1u) * (grid->weighted ? 1u : 2u);
        ck_assert_uint_eq(session.fsa.reuse.nodes[cell_of(session.goal)].g * scale, cost);
    }
}

// ---- worlds

/// Bits of `form`: 1 eight neighbours, 2 weighted, 4 wraps.
static void make_random_world(unsigned form, uint32_t width, uint32_t height, rp_random_t *random,
                              uint32_t blocked_percent)
{
    const rp_grid_shape_t shape = {
        .width = width,
        .height = height,
        .neighbors = (form & 1u) != 0 ? 8 : 4,
        .wraps = (form & 4u) != 0,
        .unit = 1,
        .least = 1,
    };
    make_world(&shape);
    const bool is_weighted = (form & 2u) != 0;
    for (uint32_t place = 0; place < place_count(); place++) {
        const uint8_t ground = is_weighted ? (uint8_t)rp_random_between(random, 1, DEAREST) : 1;
        set(place, rp_random_chance(random, blocked_percent) ? 0 : ground);
    }
    if (is_weighted) { // costs must not be rescaled later
        rp_grid_set(session.grid, cell_of(0), DEAREST);
    }
    set(0, 1);
    set(place_count() - 1u, 1);
}

static void churn(rp_random_t *random, uint32_t writes)
{
    for (uint32_t i = 0; i < writes; i++) {
        const uint32_t place = rp_random_below(random, place_count());
        if (place != session.start && place != session.goal) {
            const uint8_t ground =
                session.grid->weighted ? (uint8_t)rp_random_between(random, 1, DEAREST) : 1;
            set(place, rp_random_chance(random, 45) ? 0 : ground);
        }
    }
}

static uint32_t draw_free_place(rp_random_t *random)
{
    uint32_t place;
    do {
        place = rp_random_below(random, place_count());
    } while (session.oracle->factors[place] == 0);
    return place;
}

/// A world drawn as text, 4 neighbours: '#' blocks, 's' and 'g' are the ends.
static void make_drawn_world(const char *const *rows, uint32_t height, rp_restore_t restore)
{
    const uint32_t width = (uint32_t)strlen(rows[0]);
    make_world(&(rp_grid_shape_t){
        .width = width, .height = height, .neighbors = 4, .unit = 1, .least = 1});
    uint32_t start = 0;
    uint32_t goal = 0;
    for (uint32_t place = 0; place < place_count(); place++) {
        const char sign = rows[place / width][place % width];
        set(place, sign == '#' ? 0 : 1);
        start = sign == 's' ? place : start;
        goal = sign == 'g' ? place : goal;
    }
    begin(start, goal, restore);
    plan();
}

// ---- the definition, by brute force

static uint32_t rank(uint8_t factor)
{
    return factor == 0 ? 256u : factor;
}

/// Did this cell, when it was expanded, look at something that is different now? A neighbour that
/// is cheaper; with diagonals also one straight beside it that blocks.
static bool saw_a_change(uint32_t place, const uint8_t *before, const uint8_t *after)
{
    const rp_grid_shape_t *shape = &session.grid->shape;
    const int width = (int)shape->width;
    const int height = (int)shape->height;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            int x = (int)place % width + dx;
            int y = (int)place / width + dy;
            const bool is_straight = (dx == 0) != (dy == 0);
            if ((dx == 0 && dy == 0) || (shape->neighbors == 4 && !is_straight)) {
                continue;
            }
            if (shape->wraps) {
                x = (x + width) % width;
                y = (y + height) % height;
            } else if (x < 0 || y < 0 || x >= width || y >= height) {
                continue;
            }
            const int beside = y * width + x;
            if (rank(after[beside]) < rank(before[beside])) {
                return true;
            }
            if (shape->neighbors == 8 && is_straight && before[beside] != 0 && after[beside] == 0) {
                return true;
            }
        }
    }
    return false;
}

/// How many expansions an A* on the new map repeats for certain: up to the first cell that is not
/// what it was, and up to and with the first that sees a change.
static uint32_t allowed_length(const uint8_t *before, const uint8_t *after)
{
    for (uint32_t i = 0; i < session.fsa.reuse.log.length; i++) {
        const uint32_t place = place_of(session.fsa.reuse.log.cells[i]);
        if (before[place] != after[place]) {
            return i;
        }
        if (saw_a_change(place, before, after)) {
            return i + 1u;
        }
    }
    return session.fsa.reuse.log.length;
}

START_TEST(fsa_keeps_exactly_the_expansions_that_the_definition_allows)
{
    static uint8_t before[PLACES_MAX];
    uint32_t cut_count = 0;
    uint32_t kept_count = 0;
    for (uint64_t seed = 0; seed < 150; seed++) {
        rp_random_t random = {seed * 8u + (unsigned)_i};
        make_random_world((unsigned)_i, rp_random_between(&random, 3, 12),
                          rp_random_between(&random, 3, 12), &random, 25);
        session.open = seed % 2u != 0 ? RP_OPEN_BUCKETS : RP_OPEN_HEAP;
        begin(0, place_count() - 1u, RP_RESTORE_AUTO);
        for (unsigned step = 0; step < 20; step++) {
            memcpy(before, session.told, place_count());
            const uint32_t old_length = session.fsa.reuse.log.length;
            churn(&random, rp_random_below(&random, 4));
            const uint32_t allowed = allowed_length(before, session.oracle->factors);
            const uint32_t goal =
                rp_random_chance(&random, 20) ? draw_free_place(&random) : session.goal;
            ck_assert(update(goal));
            ck_assert_uint_eq(session.fsa.reuse.log.length, allowed);
            ck_assert(fsa_check(&session.fsa));
            cut_count += allowed < old_length;
            kept_count += allowed == old_length;
            if (rp_random_chance(&random, 25)) {
                search(rp_random_below(&random, 20)); // the next change comes between two slices
            } else {
                plan();
            }
        }
        tear_down();
    }
    ck_assert_uint_gt(cut_count, 300); // else this proved little
    ck_assert_uint_gt(kept_count, 300);
}
END_TEST

// ---- both ways to put OPEN back

/// g by place of what is in OPEN, RP_COST_INF elsewhere.
static void read_open(rp_cost_t *open)
{
    for (uint32_t place = 0; place < place_count(); place++) {
        const rp_cell_t cell = cell_of(place);
        const rp_node_t *node = &session.fsa.reuse.nodes[cell];
        open[place] =
            rp_prefix_reuse_is_live(&session.fsa.reuse, cell, node->g) ? node->g : RP_COST_INF;
    }
}

/// Marks what the goal can reach without passing a closed cell.
static void flood_from_goal(bool *is_reached)
{
    static uint32_t stack[PLACES_MAX];
    uint32_t count = 1;
    memset(is_reached, 0, place_count() * sizeof *is_reached);
    stack[0] = session.goal;
    is_reached[session.goal] = true;
    while (count != 0) {
        const uint32_t place = stack[--count];
        for (int i = 0; i < 4; i++) {
            static const int8_t steps[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
            const uint32_t next = rp_oracle_step(session.oracle, place, steps[i][0], steps[i][1]);
            if (next != RP_ORACLE_NO_PLACE && !is_reached[next] &&
                !rp_prefix_reuse_is_closed(&session.fsa.reuse, cell_of(next))) {
                is_reached[next] = true;
                stack[count++] = next;
            }
        }
    }
}

START_TEST(fsa_walk_and_log_put_back_the_same_cells)
{
    static rp_cost_t walked[PLACES_MAX];
    static rp_cost_t logged[PLACES_MAX];
    static bool faces_goal[PLACES_MAX];
    uint32_t compared_count = 0;
    uint32_t hole_count = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        rp_random_t random = {seed};
        const uint32_t most = seed < 290 ? 14 : 60;
        make_random_world(0, rp_random_between(&random, 1, most),
                          rp_random_between(&random, 2, most), &random,
                          rp_random_below(&random, 45));
        begin(0, place_count() - 1u, RP_RESTORE_WALK);
        for (unsigned step = 0; step < 20; step++) {
            plan();
            churn(&random, rp_random_between(&random, 1, 4));
            const bool goal_moves = rp_random_chance(&random, 20);
            ck_assert(update(goal_moves ? draw_free_place(&random) : session.goal));
            if (rp_prefix_reuse_is_closed(&session.fsa.reuse, cell_of(session.goal))) {
                continue;
            }
            put_back_open();
            ck_assert(fsa_check(&session.fsa));
            if (!session.fsa.open_is_partial) {
                continue; // nothing was cut so far
            }
            read_open(walked);
            session.fsa.may_walk = false;
            session.fsa.open_state = OPEN_NEEDS_RESTORE;
            put_back_open();
            ck_assert(fsa_check(&session.fsa));
            read_open(logged);
            flood_from_goal(faces_goal);
            for (uint32_t place = 0; place < place_count(); place++) {
                if (walked[place] != RP_COST_INF) {
                    ck_assert_uint_eq(walked[place], logged[place]);
                    compared_count++;
                } else if (logged[place] != RP_COST_INF) {
                    ck_assert(!faces_goal[place]);
                    hole_count++;
                }
            }
            session.fsa.may_walk = true;
            session.fsa.open_state = OPEN_NEEDS_RESTORE;
        }
        tear_down();
    }
    ck_assert_uint_gt(compared_count, 5000); // else this proved little
    ck_assert_uint_gt(hole_count, 50);
}
END_TEST

START_TEST(fsa_log_stays_exact_over_many_copies_of_open)
{
    uint32_t copied_count = 0;
    for (unsigned form = 0; form < 16; form++) {
        rp_random_t random = {form + 40u};
        make_random_world(form, SIDE_MAX, SIDE_MAX - 10u, &random, 25);
        session.open = form >= 8 ? RP_OPEN_BUCKETS : RP_OPEN_HEAP;
        begin(0, place_count() - 1u, RP_RESTORE_LOG);
        for (unsigned step = 0; step < 30; step++) {
            plan();
            copied_count += session.fsa.checkpoint_count;
            ck_assert_uint_le(session.fsa.saved_count * GAP_PER_OPEN, session.fsa.reuse.log.length);
            churn(&random, rp_random_between(&random, 0, 3));
            const bool goal_moves = step > 15 && rp_random_chance(&random, 20);
            ck_assert(update(goal_moves ? draw_free_place(&random) : session.goal));
        }
        tear_down();
    }
    ck_assert_uint_gt(copied_count, 300); // else this proved little
}
END_TEST

/// A copy of OPEN taken just where a change cuts the log lacks the cell that was freed there.
START_TEST(fsa_forgets_a_copy_of_open_that_was_taken_at_the_cut)
{
    uint32_t cut_count = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        rp_random_t random = {seed};
        make_random_world((unsigned)seed % 8u, SIDE_MAX, SIDE_MAX - 10u, &random, 30);
        begin(0, place_count() - 1u, RP_RESTORE_LOG);
        plan();
        for (uint32_t i = session.fsa.checkpoint_count; i-- > 0;) {
            const uint32_t length = session.fsa.checkpoints[i].length;
            const rp_cell_t last = session.fsa.reuse.log.cells[length - 1u];
            for (unsigned direction = 0; direction < RP_DIRECTIONS; direction += 2) {
                const rp_cell_t cell = rp_grid_step(session.grid, last, direction);
                const rp_change_t freed = {cell, 0, 1};
                if (rp_grid_holds(session.grid, cell) && session.grid->factor[cell] == 0 &&
                    rp_expansion_log_limit(&session.fsa.reuse.log, session.grid, &freed,
                                           session.fsa.reuse.log.length) == length) {
                    set(place_of(cell), 1);
                    ck_assert(update(session.goal));
                    ck_assert_uint_eq(session.fsa.reuse.log.length, length);
                    plan();
                    cut_count++;
                    break;
                }
            }
        }
        tear_down();
    }
    ck_assert_uint_gt(cut_count, 3); // else this proved little
}
END_TEST

// ---- holes, goals, slices

static const char *const island[] = {
    "...........", //
    "...........", //
    ".s..#####..", //
    "....#...#..", //
    "....#...#.g", //
    "....#...#..", //
    "....#####..", //
    "...........", //
    "...........", //
};
#define ISLAND_MIDDLE (4u * 11u + 6u)
#define ISLAND_DOOR   (4u * 11u + 4u)

/// A place that the start reaches, not closed, and cut off from the goal by closed cells.
static uint32_t find_hole(void)
{
    static bool faces_goal[PLACES_MAX];
    flood_from_goal(faces_goal);
    rp_oracle_flood(session.oracle, session.start);
    for (uint32_t place = 0; place < place_count(); place++) {
        if (session.oracle->cost[place] != RP_ORACLE_NO_PATH && !faces_goal[place] &&
            !rp_prefix_reuse_is_closed(&session.fsa.reuse, cell_of(place))) {
            return place;
        }
    }
    return RP_ORACLE_NO_PLACE;
}

START_TEST(fsa_finds_a_goal_that_moves_into_a_hole_left_out_by_a_walk)
{
    uint32_t hole_count = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        rp_random_t random = {seed};
        make_random_world(0, 30, 30, &random, 36);
        begin(0, place_count() - 1u, RP_RESTORE_WALK);
        plan();
        for (unsigned step = 0; step < 30; step++) {
            churn(&random, rp_random_below(&random, 3));
            ck_assert(update(session.goal));
            search(rp_random_below(&random, 30));
            const uint32_t hole = find_hole();
            if (session.fsa.open_is_partial && hole != RP_ORACLE_NO_PLACE) {
                ck_assert(update(hole));
                hole_count++;
            }
            plan();
        }
        tear_down();
    }
    ck_assert_uint_gt(hole_count, 20); // else this proved little
}
END_TEST

START_TEST(fsa_takes_in_a_cell_freed_in_a_hole_beside_the_last_one_expanded)
{
    uint32_t freed_count = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        rp_random_t random = {seed};
        make_random_world(0, 10, 10, &random, 30);
        begin(0, place_count() - 1u, RP_RESTORE_WALK);
        plan();
        churn(&random, 3);
        ck_assert(update(session.goal));
        put_back_open(); // the last cell of the log may border on a hole
        const uint32_t length = session.fsa.reuse.log.length;
        const rp_cell_t last = session.fsa.reuse.log.cells[length - 1u];
        for (unsigned direction = 0; direction < RP_DIRECTIONS; direction += 2) {
            const rp_cell_t cell = rp_grid_step(session.grid, last, direction);
            if (rp_grid_holds(session.grid, cell) && session.grid->factor[cell] == 0) {
                set(place_of(cell), 1);
                ck_assert(update(session.goal));
                freed_count += session.fsa.open_state == OPEN_NEEDS_RESTORE &&
                               session.fsa.reuse.log.length == length;
                break;
            }
        }
        search(rp_random_below(&random, 9));
        ck_assert(fsa_check(&session.fsa));
        plan();
        tear_down();
    }
    ck_assert_uint_gt(freed_count, 20); // else this proved little
}
END_TEST

START_TEST(fsa_keeps_closed_cells_through_a_time_without_a_path)
{
    make_drawn_world(island, 9, RP_RESTORE_AUTO);
    ck_assert(update(ISLAND_MIDDLE)); // walled in
    plan();
    ck_assert(!rp_prefix_reuse_is_closed(&session.fsa.reuse, cell_of(ISLAND_MIDDLE)));
    const uint32_t length = session.fsa.reuse.log.length;
    ck_assert_uint_eq(length, 9u * 11u - 25u);
    set(2u * 11u + 8u, 1); // a corner of the wall, the farthest from the start
    ck_assert(update(ISLAND_MIDDLE));
    plan();
    ck_assert_uint_lt(session.stats.expanded, length);
    set(3u * 11u + 8u, 1); // and the way in
    ck_assert(update(ISLAND_MIDDLE));
    plan();
    ck_assert(rp_prefix_reuse_is_closed(&session.fsa.reuse, cell_of(ISLAND_MIDDLE)));
}
END_TEST

START_TEST(fsa_expands_nothing_when_the_goal_moves_to_a_closed_cell)
{
    make_drawn_world(island, 9, RP_RESTORE_AUTO);
    ck_assert(update(session.start + 2u));
    plan();
    ck_assert_uint_eq(session.stats.expanded, 0);
    ck_assert(update(session.start));
    plan();
    ck_assert_uint_eq(session.stats.expanded, 0);
}
END_TEST

START_TEST(fsa_goes_on_past_a_goal_that_it_has_reached)
{
    const char *const corridor[] = {"s..g......"};
    make_drawn_world(corridor, 1, RP_RESTORE_AUTO);
    ck_assert(update(9));
    plan();
    ck_assert_uint_eq(session.stats.expanded, 6);
}
END_TEST

START_TEST(fsa_open_stays_within_its_memory_when_a_cell_changes_again_and_again)
{
    rp_random_t random = {5};
    make_random_world(3, 10, 10, &random, 0);
    begin(0, place_count() - 1u, RP_RESTORE_AUTO);
    search(12);
    const rp_cell_t last =
        session.fsa.reuse.open.heap.entries[session.fsa.reuse.open.heap.count - 1u].cell;
    for (uint32_t round = 0; round < 4u * session.fsa.reuse.open.heap.capacity; round++) {
        set(place_of(last), (uint8_t)(1u + round % DEAREST));
        ck_assert(update(session.goal));
        ck_assert_uint_le(session.fsa.reuse.open.heap.count, session.fsa.reuse.open.heap.capacity);
    }
    ck_assert(fsa_check(&session.fsa));
    plan();
}
END_TEST

START_TEST(fsa_starts_over_when_its_numbers_are_used_up)
{
    make_drawn_world(island, 9, RP_RESTORE_AUTO);
    session.fsa.reuse.search = 0u - 2u * RP_NODE_SEARCH;
    begin(session.start, session.goal, RP_RESTORE_AUTO);
    plan();
    set(session.goal - 1u, 0);
    ck_assert(!update(session.goal));
    begin(session.start, session.goal, RP_RESTORE_AUTO);
    plan();
    set(session.goal - 1u, 1);
    ck_assert(update(session.goal));
    plan();
}
END_TEST

START_TEST(fsa_starts_over_when_the_start_itself_costs_something_else)
{
    rp_random_t random = {9};
    make_random_world(3, 10, 10, &random, 0);
    begin(0, place_count() - 1u, RP_RESTORE_AUTO);
    plan();
    set(0, 2);
    ck_assert(!update(session.goal));
}
END_TEST

int main(void)
{
    const TTest *const forms[] = {fsa_keeps_exactly_the_expansions_that_the_definition_allows};
    const TTest *const plain[] = {
        fsa_walk_and_log_put_back_the_same_cells,
        fsa_log_stays_exact_over_many_copies_of_open,
        fsa_forgets_a_copy_of_open_that_was_taken_at_the_cut,
        fsa_takes_in_a_cell_freed_in_a_hole_beside_the_last_one_expanded,
        fsa_finds_a_goal_that_moves_into_a_hole_left_out_by_a_walk,
        fsa_keeps_closed_cells_through_a_time_without_a_path,
        fsa_expands_nothing_when_the_goal_moves_to_a_closed_cell,
        fsa_goes_on_past_a_goal_that_it_has_reached,
        fsa_open_stays_within_its_memory_when_a_cell_changes_again_and_again,
        fsa_starts_over_when_its_numbers_are_used_up,
        fsa_starts_over_when_the_start_itself_costs_something_else,
    };
    const int failed = rp_suite_run("fsa: forms", forms, 1, 8, tear_down);
    return rp_suite_run("fsa", plain, sizeof plain / sizeof plain[0], 1, tear_down) + failed;
}
