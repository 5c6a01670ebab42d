/// Fringe-Saving A* from inside: which cells it keeps, and when it starts over. What it puts back
/// into OPEN: test_fsa_open.c. That its paths are right is the oracle's and the contract's
/// business.
#include "tests/planners/members/fsa_scene.h"

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
        const uint32_t height = rp_random_between(&random, 3, 12);
        make_random_world((unsigned)_i, rp_random_between(&random, 3, 12), height, &random, 25);
        session.open = seed % 2u != 0 ? RP_OPEN_BUCKETS : RP_OPEN_HEAP;
        begin_across();
        for (unsigned step = 0; step < 20; step++) {
            memcpy(before, session.told, place_count());
            const uint32_t old_length = session.fsa.reuse.log.length;
            churn(&random, rp_random_below(&random, 4));
            const uint32_t allowed = allowed_length(before, session.oracle->factors);
            update_and_move(&random);
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

// ---- goals, slices, numbers

/// A world drawn as text, 4 neighbours: '#' blocks, 's' and 'g' are the ends.
static void make_drawn_world(const char *const *rows, uint32_t height)
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
    begin(start, goal);
    plan();
}

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

START_TEST(fsa_keeps_closed_cells_through_a_time_without_a_path)
{
    make_drawn_world(island, 9);
    ck_assert(update(ISLAND_MIDDLE)); // walled in
    plan();
    ck_assert(!is_closed(ISLAND_MIDDLE));
    const uint32_t length = session.fsa.reuse.log.length;
    ck_assert_uint_eq(length, 9u * 11u - 25u);
    set(2u * 11u + 8u, 1); // a corner of the wall, the farthest from the start
    ck_assert(update(ISLAND_MIDDLE));
    plan();
    ck_assert_uint_lt(session.stats.expanded, length);
    set(3u * 11u + 8u, 1); // and the way in
    ck_assert(update(ISLAND_MIDDLE));
    plan();
    ck_assert(is_closed(ISLAND_MIDDLE));
}
END_TEST

START_TEST(fsa_expands_nothing_when_the_goal_moves_to_a_closed_cell)
{
    make_drawn_world(island, 9);
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
    make_drawn_world(corridor, 1);
    ck_assert(update(9));
    plan();
    ck_assert_uint_eq(session.stats.expanded, 6);
}
END_TEST

START_TEST(fsa_open_stays_within_its_memory_when_a_cell_changes_again_and_again)
{
    rp_random_t random = {5};
    make_random_world(3, 10, 10, &random, 0);
    begin_across();
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
    make_drawn_world(island, 9);
    session.fsa.reuse.search = 0u - 2u * RP_NODE_SEARCH;
    begin(session.start, session.goal);
    plan();
    set(session.goal - 1u, 0);
    ck_assert(!update(session.goal));
    begin(session.start, session.goal);
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
    begin_across();
    plan();
    set(0, 2);
    ck_assert(!update(session.goal));
}
END_TEST

int main(void)
{
    const TTest *const forms[] = {fsa_keeps_exactly_the_expansions_that_the_definition_allows};
    const TTest *const plain[] = {
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
