/// A*'s invariant, cell by cell: before the last f-layer it closes exactly the reachable cells with
/// f* < C, whatever structure holds OPEN, and each with its exact g.
///
/// Which cells are closed is no part of the contract, so this test looks inside: it compiles the
/// planner's source once more, under another name. Costs and f* are the oracle's.
#include "planners/grid/cost.h"

#undef RP_MEMBER
#define RP_MEMBER(name) name##_under_test
#include "planners/members/astar.c" // NOLINT(bugprone-suspicious-include)

#include <stdlib.h>

#include "tests/support/oracle.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define SIDE_MAX 16u
#define WORLDS   2400u
#define KINDS    8u

/// One a round.
static const rp_open_t opens[] = {RP_OPEN_HEAP, RP_OPEN_BUCKETS};

/// A world, A* in it, and the oracle's unit: so many of its costs are one of A*'s.
typedef struct session {
    rp_grid_t *grid;
    rp_oracle_t *oracle;
    astar_t astar;
    uint64_t scale;
    uint32_t start; ///< places: y * width + x
    uint32_t goal;
    rp_search_stats_t stats;
} session_t;

static rp_cell_t cell_of(const session_t *self, uint32_t place)
{
    const uint32_t width = self->grid->shape.width;
    return rp_grid_cell(self->grid, place % width, place / width);
}

// ---- worlds

/// Kind 0 .. KINDS - 1: one bit each for 8 neighbours, weights, wrapped.
static void open_session(session_t *self, unsigned kind, rp_open_t open, rp_random_t *random)
{
    const bool wraps = (kind & 4u) != 0;
    const rp_grid_shape_t shape = {
        .width = rp_random_between(random, wraps ? 3 : 1, SIDE_MAX),
        .height = rp_random_between(random, wraps ? 3 : 1, SIDE_MAX),
        .neighbors = (kind & 1u) != 0 ? 8 : 4,
        .wraps = wraps,
        .unit = 2,
        .least = 1,
    };
    *self = (session_t){0};
    ck_assert_int_eq(rp_grid_new(&shape, &self->grid), RP_OK);
    self->oracle = rp_oracle_new(&shape);
    const uint32_t blocked = rp_random_below(random, 45);
    for (uint32_t place = 0; place < shape.width * shape.height; place++) {
        const bool is_weighted = (kind & 2u) != 0;
        uint8_t factor = is_weighted ? (uint8_t)rp_random_between(random, 1, 5) : shape.unit;
        factor = rp_random_chance(random, blocked) ? 0 : factor;
        self->oracle->factors[place] = factor;
        rp_grid_set(self->grid, cell_of(self, place), factor);
    }
    const uint32_t lengths = shape.neighbors == 8 ? 1u : 408u;
    self->scale = lengths * (self->grid->weighted ? 1u : 2u * shape.unit);
    const rp_member_options_t options = {.open = open};
    ck_assert_int_eq(rp_member_bind(&RP_MEMBER(astar), &self->astar, self->grid, &options, &arena),
                     RP_OK);
}

static void close_session(session_t *self)
{
    rp_member_unbind(&RP_MEMBER(astar), &self->astar, &arena, NULL);
    rp_grid_destroy(&self->grid);
    rp_oracle_destroy(&self->oracle);
}

static uint32_t draw_free_place(const session_t *self, rp_random_t *random)
{
    const uint32_t places = self->grid->shape.width * self->grid->shape.height;
    for (uint32_t tries = 0; tries < 4000u; tries++) {
        const uint32_t place = rp_random_below(random, places);
        if (self->oracle->factors[place] != 0) {
            return place;
        }
    }
    return RP_ORACLE_NO_PLACE; // everything blocks
}

// ---- what should be

static uint64_t distance(uint32_t a, uint32_t b, uint32_t side, bool wraps)
{
    const uint32_t apart = a < b ? b - a : a - b;
    return wraps && side - apart < apart ? side - apart : apart;
}

/// The heuristic that the design names, in the oracle's units.
static uint64_t h_of(const session_t *self, uint32_t place)
{
    const rp_grid_shape_t *shape = &self->grid->shape;
    const uint32_t width = shape->width;
    const uint64_t dx = distance(place % width, self->goal % width, width, shape->wraps);
    const uint64_t dy = distance(place / width, self->goal / width, shape->height, shape->wraps);
    const uint64_t low = dx < dy ? dx : dy;
    const uint64_t high = dx < dy ? dy : dx;
    const uint64_t factors = 2u * (self->grid->weighted ? shape->least : shape->unit);
    if (shape->neighbors == 4) {
        return 408u * factors * (dx + dy);
    }
    return factors * (577u * low + 408u * (high - low));
}

/// How many reachable cells have f* < C; all of them without a path.
static uint64_t count_below(const session_t *self, uint64_t cost)
{
    uint64_t count = 0;
    for (uint32_t place = 0; place < self->grid->shape.width * self->grid->shape.height; place++) {
        const uint64_t g = self->oracle->cost[place];
        count += g != RP_ORACLE_NO_PATH && g + h_of(self, place) < cost;
    }
    return count;
}

static int compare_costs(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a;
    const uint64_t right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/// How many different f* the reachable cells have, up to C and with it.
static uint64_t count_layers(const session_t *self, uint64_t cost)
{
    static uint64_t f[SIDE_MAX * SIDE_MAX];
    size_t count = 0;
    for (uint32_t place = 0; place < self->grid->shape.width * self->grid->shape.height; place++) {
        const uint64_t g = self->oracle->cost[place];
        if (g != RP_ORACLE_NO_PATH && g + h_of(self, place) <= cost) {
            f[count++] = g + h_of(self, place);
        }
    }
    qsort(f, count, sizeof f[0], compare_costs);
    uint64_t layers = 0;
    for (size_t i = 0; i < count; i++) {
        layers += i == 0 || f[i] != f[i - 1];
    }
    return layers;
}

static bool is_closed(const astar_t *astar, rp_cell_t cell)
{
    return rp_node_is_closed(&astar->nodes[cell], astar->search);
}

/// True when the closed cells are those with f* < C, each with its exact g.
static bool closed_are_those_below(const session_t *self, uint64_t cost)
{
    for (uint32_t place = 0; place < self->grid->shape.width * self->grid->shape.height; place++) {
        const rp_cell_t cell = cell_of(self, place);
        const uint64_t g = self->oracle->cost[place];
        const bool is_below = g != RP_ORACLE_NO_PATH && g + h_of(self, place) < cost;
        if (is_closed(&self->astar, cell) != is_below ||
            (is_below && self->astar.nodes[cell].g * self->scale != g)) {
            return false;
        }
    }
    return true;
}

// ---- tests

/// Search as far as the last layer, look, and go on to the end.
static void check_layers(session_t *self)
{
    rp_oracle_flood(self->oracle, self->start);
    const uint64_t cost = self->oracle->cost[self->goal];
    const uint64_t below = count_below(self, cost);
    const rp_goal_t goal = {.cell = cell_of(self, self->goal)};
    self->stats = (rp_search_stats_t){0};
    astar_begin(&self->astar, cell_of(self, self->start), &goal, 1);
    while (self->stats.expanded != below) { // a stale entry takes a slice, too
        uint64_t slice = 1;
        ck_assert_int_eq(astar_search(&self->astar, &slice, &self->stats), RP_MORE);
    }
    ck_assert(closed_are_those_below(self, cost));
    uint64_t budget = UINT64_MAX;
    ck_assert_int_eq(astar_search(&self->astar, &budget, &self->stats), RP_OK);
    ck_assert(astar_check(&self->astar));
    const bool found = self->astar.found;
    ck_assert_int_eq(found, cost != RP_ORACLE_NO_PATH);
    ck_assert_uint_eq(self->stats.iterations, count_layers(self, cost));
    if (found) {
        ck_assert_uint_eq(self->stats.expanded - self->stats.expanded_last, below);
        ck_assert_uint_eq(self->astar.nodes[goal.cell].g * self->scale, cost);
        ck_assert_uint_gt(self->stats.expanded, below);
        ck_assert_uint_le(self->stats.expanded, count_below(self, cost + 1u));
    } else {
        ck_assert_uint_eq(self->stats.expanded, below);
    }
}

START_TEST(the_cells_before_the_last_layer_are_those_below_the_cost)
{
    rp_random_t random = {1};
    for (unsigned world = 0; world < WORLDS; world++) {
        session_t session;
        open_session(&session, world % KINDS, opens[_i], &random);
        for (int query = 0; query < 4; query++) {
            session.start = draw_free_place(&session, &random);
            session.goal = draw_free_place(&session, &random);
            if (session.start != RP_ORACLE_NO_PLACE) {
                check_layers(&session);
            }
        }
        close_session(&session);
    }
}
END_TEST

/// Ties to larger g: on open ground nothing but the path is expanded.
START_TEST(open_ground_is_crossed_without_a_detour)
{
    for (unsigned kind = 0; kind < 2; kind++) {
        const rp_grid_shape_t shape = {
            .width = 40, .height = 30, .neighbors = kind == 0 ? 4 : 8, .unit = 1, .least = 1};
        const rp_member_options_t options = {.open = opens[_i]};
        rp_grid_t *grid;
        astar_t astar = {0};
        ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
        ck_assert_int_eq(rp_member_bind(&RP_MEMBER(astar), &astar, grid, &options, &arena), RP_OK);
        const rp_goal_t goal = {.cell = rp_grid_cell(grid, 35, 25)};
        rp_search_stats_t stats = {0};
        uint64_t budget = UINT64_MAX;
        astar_begin(&astar, rp_grid_cell(grid, 3, 2), &goal, 1);
        ck_assert_int_eq(astar_search(&astar, &budget, &stats), RP_OK);
        ck_assert_uint_eq(stats.expanded, kind == 0 ? 32u + 23u + 1u : 32u + 1u);
        ck_assert_uint_eq(UINT64_MAX - budget, stats.expanded);
        rp_member_unbind(&RP_MEMBER(astar), &astar, &arena, NULL);
        rp_grid_destroy(&grid);
    }
}
END_TEST

/// A search number lasts for ever: the nodes are cleared when the numbers are used up.
START_TEST(search_numbers_begin_again_without_a_trace)
{
    rp_random_t random = {5};
    for (unsigned kind = 0; kind < KINDS; kind++) {
        session_t session;
        open_session(&session, kind, opens[_i], &random);
        session.start = draw_free_place(&session, &random);
        session.goal = draw_free_place(&session, &random);
        check_layers(&session);
        session.astar.search = 0u - 3u * RP_NODE_SEARCH;
        for (int query = 0; query < 6; query++) {
            check_layers(&session);
        }
        ck_assert_uint_lt(session.astar.search, 8u * RP_NODE_SEARCH);
        close_session(&session);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_cells_before_the_last_layer_are_those_below_the_cost,
        open_ground_is_crossed_without_a_detour,
        search_numbers_begin_again_without_a_trace,
    };
    return rp_suite_run("astar", tests, sizeof tests / sizeof tests[0],
                        sizeof opens / sizeof opens[0], NULL);
}
