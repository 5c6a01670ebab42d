/// MPGAA*: when a path still holds nothing is searched, a search ends on an old path, and what was
/// walked in vain is forgotten.
///
/// Old paths are no part of the contract, so this test looks inside: it compiles the planner's
/// source once more, under another name, with its assertions. It is built for 32- and for 64-bit
/// costs.
#undef NDEBUG
#include "planners/grid/cost.h"

#undef RP_MEMBER
#define RP_MEMBER(name) name##_under_test
#include "planners/papers/mpgaa.c" // NOLINT(bugprone-suspicious-include)

#include <stdlib.h>

#include "tests/support/oracle.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define SIDE     16u
#define PLACES   (SIDE * SIDE)
#define NO_LIMIT UINT64_MAX
#define FORMS    48

/// A world, MPGAA* in it, and the oracle.
typedef struct session {
    rp_grid_t *grid;
    rp_oracle_t *oracle;
    mpgaa_t mpgaa;
    uint64_t scale; ///< a cost of the oracle is so many times one of MPGAA*
    uint32_t start; ///< places: y * SIDE + x
    uint32_t goal;
    rp_change_t changes[PLACES];
    size_t change_count;
    rp_search_stats_t stats; ///< since the last update
} session_t;

// ---- a session

static const rp_adaptive_t *inside(const session_t *self)
{
    return &self->mpgaa.lazy.adaptive;
}

static rp_cell_t cell_of(const session_t *self, uint32_t place)
{
    return rp_grid_cell(self->grid, place % SIDE, place / SIDE);
}

static void session_init(session_t *self, const rp_grid_shape_t *shape, bool is_weighted,
                         const rp_member_options_t *options)
{
    *self = (session_t){0};
    ck_assert_int_eq(rp_grid_new(shape, &self->grid), RP_OK);
    self->oracle = rp_oracle_new(shape);
    ck_assert_ptr_nonnull(self->oracle);
    if (is_weighted) { // the grid must know its dearest factor: a later one would mean a restart
        rp_grid_set(self->grid, cell_of(self, 0), 7);
        rp_grid_set(self->grid, cell_of(self, 0), 1);
    }
    self->scale = (shape->neighbors == 4 ? 408u : 1u) * (is_weighted ? 1u : 2u);
    ck_assert_int_eq(rp_member_bind(&RP_MEMBER(mpgaa), &self->mpgaa, self->grid, options, &arena),
                     RP_OK);
}

static void session_begin(session_t *self, uint32_t start, uint32_t goal)
{
    self->start = start;
    self->goal = goal;
    self->change_count = 0;
    mpgaa_begin(&self->mpgaa, cell_of(self, start), &(rp_goal_t){cell_of(self, goal), 0}, 1);
}

static void session_fini(session_t *self)
{
    rp_member_unbind(&RP_MEMBER(mpgaa), &self->mpgaa, &arena, NULL);
    rp_oracle_destroy(&self->oracle);
    rp_grid_destroy(&self->grid);
}

static void session_set(session_t *self, uint32_t place, uint8_t factor)
{
    const rp_cell_t cell = cell_of(self, place);
    const uint8_t before = rp_grid_set(self->grid, cell, factor);
    self->oracle->factors[place] = factor;
    if (before != factor) {
        self->changes[self->change_count++] = (rp_change_t){cell, before, factor};
    }
}

/// Hand over what was set, with ends that are free now.
static void session_update(session_t *self, uint32_t start, uint32_t goal)
{
    const rp_goal_t goals[1] = {{cell_of(self, goal), 0}};
    const rp_update_t update = {
        .changes = self->changes,
        .change_count = self->change_count,
        .goals = goals,
        .goal_count = 1,
        .start = cell_of(self, start),
        .goals_changed = goal != self->goal,
        .start_moved = start != self->start,
    };
    ck_assert(mpgaa_update(&self->mpgaa, &update));
    self->change_count = 0;
    self->start = start;
    self->goal = goal;
    self->stats = (rp_search_stats_t){0};
}

static bool session_search(session_t *self, uint64_t budget)
{
    return mpgaa_search(&self->mpgaa, &budget, &self->stats) == RP_OK;
}

/// Search to the end, and hold the path against the oracle. @return expansions
static uint64_t session_plan(session_t *self)
{
    rp_cell_t cells[PLACES];
    uint32_t places[PLACES];
    uint64_t whole = 0;
    double lengths = 0;
    ck_assert(session_search(self, NO_LIMIT));
    ck_assert(mpgaa_check(&self->mpgaa));
    rp_oracle_flood(self->oracle, self->start);
    const uint64_t cost = self->oracle->cost[self->goal];
    const uint32_t count = mpgaa_path(&self->mpgaa, cells, &(rp_path_stands_t){0});
    ck_assert((count != 0) == (cost != RP_ORACLE_NO_PATH));
    for (uint32_t i = 0; i < count; i++) {
        places[i] = rp_grid_y(self->grid, cells[i]) * SIDE + rp_grid_x(self->grid, cells[i]);
    }
    if (count != 0) {
        ck_assert(places[0] == self->start && places[count - 1u] == self->goal);
        ck_assert(rp_oracle_measure(self->oracle, places, count, &whole, &lengths));
        ck_assert_uint_eq(whole, cost);
        ck_assert_uint_eq(rp_adaptive_cost(inside(self)) * self->scale, cost);
    }
    return self->stats.expanded;
}

// ---- worlds

static const rp_grid_shape_t square = {
    .width = SIDE, .height = SIDE, .neighbors = 8, .unit = 1, .least = 1};

/// A wall across the square, open at its right end only: from place 0 to the lower left corner all
/// paths go round it.
static void begin_round_a_wall(session_t *self)
{
    session_init(self, &square, false, &(rp_member_options_t){0});
    for (uint32_t x = 0; x < SIDE - 1u; x++) {
        session_set(self, 8u * SIDE + x, 0);
    }
    session_begin(self, 0, PLACES - SIDE);
}

/// Is the place on the path that was found?
static bool is_on_path(const session_t *self, uint32_t place)
{
    rp_cell_t cells[PLACES];
    const uint32_t count = mpgaa_path(&self->mpgaa, cells, &(rp_path_stands_t){0});
    for (uint32_t i = 0; i < count; i++) {
        if (cells[i] == cell_of(self, place)) {
            return true;
        }
    }
    return false;
}

// ---- tests

START_TEST(mpgaa_searches_nothing_while_the_path_holds)
{
    session_t self;
    begin_round_a_wall(&self);
    ck_assert_uint_gt(session_plan(&self), 50);
    session_set(&self, 7u * SIDE, 0); // both far from every cheapest path
    session_set(&self, 15u * SIDE + 15u, 0);
    session_update(&self, 0, self.goal);
    ck_assert_uint_eq(session_plan(&self), 0);
    session_set(&self, 7u * SIDE, 1);
    session_update(&self, 0, self.goal);
    ck_assert_uint_eq(session_plan(&self), 0);
    session_fini(&self);
}
END_TEST

START_TEST(mpgaa_searches_nothing_while_the_agent_walks_its_path)
{
    session_t self;
    begin_round_a_wall(&self);
    session_plan(&self);
    rp_cell_t cells[PLACES];
    const uint32_t count = mpgaa_path(&self.mpgaa, cells, &(rp_path_stands_t){0});
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t x = rp_grid_x(self.grid, cells[i]);
        session_update(&self, rp_grid_y(self.grid, cells[i]) * SIDE + x, self.goal);
        ck_assert_uint_eq(session_plan(&self), 0);
    }
    session_fini(&self);
}
END_TEST

START_TEST(mpgaa_searches_nothing_when_the_goal_moves_onto_the_path)
{
    session_t self;
    begin_round_a_wall(&self);
    session_plan(&self);
    const uint32_t gap = 8u * SIDE + SIDE - 1u;
    ck_assert(is_on_path(&self, gap));
    session_update(&self, 0, gap);
    ck_assert_uint_eq(session_plan(&self), 0);
    session_fini(&self);
}
END_TEST

START_TEST(mpgaa_ends_a_search_on_an_old_path)
{
    session_t self;
    begin_round_a_wall(&self);
    const uint64_t first = session_plan(&self);
    session_update(&self, 3u * SIDE, self.goal);
    session_plan(&self);
    ck_assert(inside(&self)->end != inside(&self)->goal);
    ck_assert_uint_lt(self.stats.expanded, first / 2u);
    session_fini(&self);
}
END_TEST

START_TEST(mpgaa_takes_a_short_cut_where_h_fell)
{
    session_t self;
    begin_round_a_wall(&self);
    session_plan(&self);
    session_set(&self, 8u * SIDE, 1); // the wall opens at the left: all h on this side falls
    session_update(&self, 0, self.goal);
    session_plan(&self);
    ck_assert(is_on_path(&self, 8u * SIDE));
    session_fini(&self);
}
END_TEST

START_TEST(mpgaa_forgets_what_it_walked_in_vain)
{
    session_t self;
    begin_round_a_wall(&self);
    session_plan(&self);
    const rp_cell_t gap = cell_of(&self, 8u * SIDE + SIDE - 1u);
    const rp_cell_t after = rp_grid_step(self.grid, gap, self.mpgaa.nexts[gap] - 1u);
    const uint32_t x = rp_grid_x(self.grid, after);
    session_set(&self, rp_grid_y(self.grid, after) * SIDE + x, 0);
    rp_cell_t cells[PLACES];
    const uint32_t count = mpgaa_path(&self.mpgaa, cells, &(rp_path_stands_t){0});
    session_update(&self, 0, self.goal);
    ck_assert(!session_search(&self, 1));
    for (uint32_t i = 0; i < count; i++) {
        ck_assert(self.mpgaa.nexts[cells[i]] == 0 || cells[i] == after ||
                  rp_grid_y(self.grid, cells[i]) > 8u);
    }
    session_plan(&self);
    session_fini(&self);
}
END_TEST

START_TEST(mpgaa_trusts_no_path_of_an_earlier_life)
{
    session_t self;
    begin_round_a_wall(&self);
    session_plan(&self);
    for (uint32_t x = 0; x < SIDE - 1u; x++) {
        session_set(&self, 8u * SIDE + x, 1);
    }
    session_begin(&self, 0, PLACES - SIDE); // and it hears nothing of the changes
    session_plan(&self);
    session_fini(&self);
}
END_TEST

// ---- churn

/// One form of the world. Bits of `form`: 1 wraps, 2 eight neighbours, 4 weighted; above them the
/// structure of OPEN and the variant.
static void churn_begin(session_t *self, unsigned form)
{
    rp_grid_shape_t shape = square;
    shape.neighbors = (form & 2u) != 0 ? 8 : 4;
    shape.wraps = (form & 1u) != 0;
    const rp_member_options_t options = {
        .open = (rp_open_t)(form / 8u % 2u),
        .variant = (uint8_t)(form / 16u),
    };
    session_init(self, &shape, (form & 4u) != 0, &options);
    session_begin(self, 0, PLACES - 1u);
}

static void churn_cells(session_t *self, rp_random_t *random, bool is_weighted)
{
    static const uint8_t permilles[] = {0, 4, 10, 60};
    const uint32_t permille = permilles[rp_random_below(random, 4)];
    for (uint32_t place = 1; place < PLACES; place++) {
        if (rp_random_below(random, 1000) < permille) {
            const uint8_t ground = is_weighted ? (uint8_t)rp_random_between(random, 1, 7) : 1;
            session_set(self, place, rp_random_chance(random, 45) ? 0 : ground);
        }
    }
}

/// Stay, step along or jump; the next free place from there on. Place 0 is always free.
static uint32_t churn_end(const session_t *self, rp_random_t *random, uint32_t old)
{
    uint32_t place = rp_random_chance(random, 60) ? old : (old + 1u) % PLACES;
    if (rp_random_chance(random, 10)) {
        place = rp_random_below(random, PLACES);
    }
    while (self->oracle->factors[place] == 0) {
        place = (place + 1u) % PLACES;
    }
    return place;
}

START_TEST(mpgaa_is_exact_and_often_searches_nothing)
{
    const unsigned form = (unsigned)_i;
    rp_random_t random = {form + 50u};
    session_t self;
    uint32_t skips = 0;
    uint32_t joins = 0;
    churn_begin(&self, form);
    for (uint32_t step = 0; step < 400u; step++) {
        churn_cells(&self, &random, (form & 4u) != 0);
        const uint32_t start = churn_end(&self, &random, self.start);
        session_update(&self, start, churn_end(&self, &random, self.goal));
        if (rp_random_chance(&random, 20)) { // left in the middle of a repair or a search
            session_search(&self, rp_random_below(&random, 12));
            ck_assert(mpgaa_check(&self.mpgaa));
            continue;
        }
        session_plan(&self);
        skips += inside(&self)->found && self.stats.expanded == 0;
        joins += inside(&self)->found && self.stats.expanded != 0 &&
                 inside(&self)->end != inside(&self)->goal;
    }
    ck_assert_uint_ge(skips, 20);
    ck_assert_uint_ge(joins, 15);
    ck_assert_uint_ge(skips + joins, 50); // the more paths hold from the start, the fewer joins
    session_fini(&self);
}
END_TEST

int main(void)
{
    const TTest *const churned[] = {mpgaa_is_exact_and_often_searches_nothing};
    const TTest *const plain[] = {
        mpgaa_searches_nothing_while_the_path_holds,
        mpgaa_searches_nothing_while_the_agent_walks_its_path,
        mpgaa_searches_nothing_when_the_goal_moves_onto_the_path,
        mpgaa_ends_a_search_on_an_old_path,
        mpgaa_takes_a_short_cut_where_h_fell,
        mpgaa_forgets_what_it_walked_in_vain,
        mpgaa_trusts_no_path_of_an_earlier_life,
    };
    const int failed = rp_suite_run("mpgaa: churn", churned, 1, FORMS, NULL);
    return rp_suite_run("mpgaa", plain, sizeof plain / sizeof plain[0], 1, NULL) + failed;
}
