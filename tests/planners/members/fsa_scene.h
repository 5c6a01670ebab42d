/// @file
/// What the tests of FSA* from inside share: a world and the planner, whose source is compiled once
/// more here, under another name, with its assertions. It is built for 32- and for 64-bit costs.
#ifndef REPLAN_TESTS_FSA_SCENE_H
#define REPLAN_TESTS_FSA_SCENE_H

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

static inline uint32_t place_count(void)
{
    return session.grid->shape.width * session.grid->shape.height;
}

static inline rp_cell_t cell_of(uint32_t place)
{
    const uint32_t width = session.grid->shape.width;
    return rp_grid_cell(session.grid, place % width, place / width);
}

static inline uint32_t place_of(rp_cell_t cell)
{
    return rp_grid_y(session.grid, cell) * session.grid->shape.width +
           rp_grid_x(session.grid, cell);
}

static inline void make_world(const rp_grid_shape_t *shape)
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
static inline void set(uint32_t place, uint8_t factor)
{
    rp_grid_set(session.grid, cell_of(place), factor);
    session.oracle->factors[place] = factor;
}

static inline void begin(uint32_t start, uint32_t goal)
{
    const rp_member_options_t options = {.open = session.open};
    if (session.fsa.reuse.grid == NULL) {
        ck_assert_int_eq(
            rp_member_bind(&RP_MEMBER(fsa), &session.fsa, session.grid, &options, &arena), RP_OK);
    }
    session.start = start;
    session.goal = goal;
    memcpy(session.told, session.oracle->factors, place_count());
    fsa_begin(&session.fsa, cell_of(start), &(rp_goal_t){cell_of(goal), 0}, 1);
}

/// From the first place to the last.
static inline void begin_across(void)
{
    begin(0, place_count() - 1u);
}

/// Tell what was written since the last time. @return what the planner said
static inline bool update(uint32_t goal)
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

static inline bool is_closed(uint32_t place)
{
    return rp_prefix_reuse_is_closed(&session.fsa.reuse, cell_of(place));
}

static inline bool search(uint64_t budget)
{
    session.stats = (rp_search_stats_t){0};
    return fsa_search(&session.fsa, &budget, &session.stats) == RP_OK;
}

/// OPEN is put back, unless the path is known, and nothing expanded.
static inline void put_back_open(void)
{
    uint64_t budget = UINT64_MAX;
    if (!is_closed(session.goal)) {
        ck_assert(bring_open_up_to_date(&session.fsa, &budget));
    }
}

/// Search to the end; the cost must be the oracle's, and the invariants must hold.
static inline void plan(void)
{
    ck_assert(search(UINT64_MAX));
    ck_assert(fsa_check(&session.fsa));
    rp_oracle_flood(session.oracle, session.start);
    const uint64_t cost = session.oracle->cost[session.goal];
    const bool is_found = is_closed(session.goal);
    ck_assert(is_found == (cost != RP_ORACLE_NO_PATH));
    if (is_found) {
        const rp_grid_t *grid = session.grid;
        const uint64_t scale =
            (grid->shape.neighbors == 4 ? RP_STRAIGHT : 1u) * (grid->weighted ? 1u : 2u);
        ck_assert_uint_eq(session.fsa.reuse.nodes[cell_of(session.goal)].g * scale, cost);
    }
}

// ---- worlds

/// Blocked, so many of 100 times; else normal, or any factor.
static inline void set_any(uint32_t place, uint32_t blocked_percent, bool is_weighted,
                           rp_random_t *random)
{
    const uint8_t ground = is_weighted ? (uint8_t)rp_random_between(random, 1, DEAREST) : 1;
    set(place, rp_random_chance(random, blocked_percent) ? 0 : ground);
}

/// Bits of `form`: 1 eight neighbours, 2 weighted, 4 wraps.
static inline void make_random_world(unsigned form, uint32_t width, uint32_t height,
                                     rp_random_t *random, uint32_t blocked_percent)
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
        set_any(place, blocked_percent, is_weighted, random);
    }
    if (is_weighted) { // costs must not be rescaled later
        rp_grid_set(session.grid, cell_of(0), DEAREST);
    }
    set(0, 1);
    set(place_count() - 1u, 1);
}

static inline void churn(rp_random_t *random, uint32_t writes)
{
    for (uint32_t i = 0; i < writes; i++) {
        const uint32_t place = rp_random_below(random, place_count());
        if (place != session.start && place != session.goal) {
            set_any(place, 45, session.grid->weighted, random);
        }
    }
}

static inline uint32_t draw_free_place(rp_random_t *random)
{
    uint32_t place;
    do {
        place = rp_random_below(random, place_count());
    } while (session.oracle->factors[place] == 0);
    return place;
}

/// Tell what was written, once in five times with another goal; the planner goes on.
static inline void update_and_move(rp_random_t *random)
{
    ck_assert(update(rp_random_chance(random, 20) ? draw_free_place(random) : session.goal));
}

#endif
