/// GAA*, eager beside lazy: the same h in every cell after every step, and the same searches.
///
/// h is no part of the contract, so this test looks inside: it compiles the sources of both once
/// more, under other names, with their assertions. It is built for 32- and for 64-bit costs.
#undef NDEBUG
#include "planners/grid/cost.h"

#undef RP_MEMBER
#define RP_MEMBER(name) name##_under_test
#include "planners/members/gaa.c"      // NOLINT(bugprone-suspicious-include)
#include "planners/papers/gaa_eager.c" // NOLINT(bugprone-suspicious-include)

#include <stdlib.h>

#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define PLACES_MAX 400u
#define NO_LIMIT   UINT64_MAX
#define FORMS      48

/// A world, and both in it.
typedef struct session {
    rp_grid_t *grid;
    rp_adaptive_lazy_t lazy;
    gaa_eager_t eager;
    rp_search_stats_t lazy_stats; ///< of the last search
    rp_search_stats_t eager_stats;
    uint32_t start; ///< places: y * width + x
    uint32_t goal;
    rp_change_t changes[PLACES_MAX];
    size_t change_count;
} session_t;

// ---- a session

static uint32_t place_count(const session_t *self)
{
    return self->grid->shape.width * self->grid->shape.height;
}

static rp_cell_t cell_of(const session_t *self, uint32_t place)
{
    const uint32_t width = self->grid->shape.width;
    return rp_grid_cell(self->grid, place % width, place / width);
}

static void session_begin(session_t *self, uint32_t start, uint32_t goal)
{
    const rp_goal_t goals[1] = {{cell_of(self, goal), 0}};
    self->start = start;
    self->goal = goal;
    self->change_count = 0;
    gaa_begin(&self->lazy, cell_of(self, start), goals, 1);
    gaa_eager_begin(&self->eager, cell_of(self, start), goals, 1);
}

static void session_init(session_t *self, const rp_grid_shape_t *shape, bool is_weighted,
                         const rp_member_options_t *options)
{
    *self = (session_t){0};
    ck_assert_int_eq(rp_grid_new(shape, &self->grid), RP_OK);
    if (is_weighted) { // the grid must know its dearest factor: a later one would mean a restart
        rp_grid_set(self->grid, cell_of(self, 0), 7);
        rp_grid_set(self->grid, cell_of(self, 0), 1);
    }
    ck_assert_int_eq(rp_member_bind(&RP_MEMBER(gaa), &self->lazy, self->grid, options, &arena),
                     RP_OK);
    ck_assert_int_eq(
        rp_member_bind(&RP_MEMBER(gaa_eager), &self->eager, self->grid, options, &arena), RP_OK);
    session_begin(self, 0, place_count(self) - 1u);
}

static void session_fini(session_t *self)
{
    rp_member_unbind(&RP_MEMBER(gaa), &self->lazy, &arena, NULL);
    rp_member_unbind(&RP_MEMBER(gaa_eager), &self->eager, &arena, NULL);
    rp_grid_destroy(&self->grid);
}

static void session_set(session_t *self, uint32_t place, uint8_t factor)
{
    const rp_cell_t cell = cell_of(self, place);
    const uint8_t before = rp_grid_set(self->grid, cell, factor);
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
    ck_assert(gaa_update(&self->lazy, &update));
    ck_assert(gaa_eager_update(&self->eager, &update));
    self->change_count = 0;
    self->start = start;
    self->goal = goal;
    self->lazy_stats = (rp_search_stats_t){0};
    self->eager_stats = (rp_search_stats_t){0};
}

/// One slice of both. @return what both said
static rp_status_t session_search(session_t *self, uint64_t budget)
{
    uint64_t eager_budget = budget;
    const rp_status_t status = gaa_search(&self->lazy, &budget, &self->lazy_stats);
    ck_assert_int_eq(gaa_eager_search(&self->eager, &eager_budget, &self->eager_stats), status);
    ck_assert_uint_eq(budget, eager_budget);
    return status;
}

static void assert_same_searches(const session_t *self)
{
    rp_cell_t lazy[PLACES_MAX];
    rp_cell_t eager[PLACES_MAX];
    ck_assert_uint_eq(self->lazy_stats.expanded, self->eager_stats.expanded);
    ck_assert_uint_eq(self->lazy_stats.expanded_fast, self->eager_stats.expanded_fast);
    ck_assert_uint_eq(self->lazy_stats.generated, self->eager_stats.generated);
    const uint32_t count = rp_adaptive_path(&self->lazy, lazy, &(rp_path_stands_t){0});
    ck_assert_uint_eq(rp_adaptive_path(&self->eager, eager, &(rp_path_stands_t){0}), count);
    ck_assert_mem_eq(lazy, eager, count * sizeof lazy[0]);
}

static void assert_same_h(const session_t *self)
{
    for (uint32_t s = 0; s < place_count(self); s++) {
        const uint64_t lazy = rp_adaptive_lazy_h(&self->lazy.adaptive, cell_of(self, s));
        const uint64_t eager = gaa_eager_h(&self->eager.adaptive, cell_of(self, s));
        RP_EACH_EQ(lazy, eager);
    }
    ck_assert(gaa_eager_check(&self->eager));
}

// ---- churn

/// One form of the world. Bits of `form`: 1 wraps, 2 eight neighbours, 4 weighted; above them the
/// structure of OPEN and the variant.
static void churn_begin(session_t *self, unsigned form, uint32_t side)
{
    const rp_grid_shape_t shape = {
        .width = side,
        .height = 17u - side,
        .neighbors = (form & 2u) != 0 ? 8 : 4,
        .wraps = (form & 1u) != 0,
        .unit = 1,
        .least = 1,
    };
    const rp_member_options_t options = {
        .open = (rp_open_t)(form / 8u % 2u),
        .variant = (uint8_t)(form / 16u),
    };
    session_init(self, &shape, (form & 4u) != 0, &options);
}

static void churn_cells(session_t *self, rp_random_t *random, bool is_weighted)
{
    static const uint8_t percents[] = {0, 2, 5, 15, 100};
    const uint32_t percent =
        percents[rp_random_below(random, rp_random_chance(random, 10) ? 5u : 4u)];
    for (uint32_t place = 0; place < place_count(self); place++) {
        if (rp_random_chance(random, percent)) {
            const bool is_blocked = place != 0 && rp_random_chance(random, 35);
            const uint8_t ground = is_weighted ? (uint8_t)rp_random_between(random, 1, 7) : 1;
            session_set(self, place, is_blocked ? 0 : ground);
        }
    }
}

/// Stay or jump; the next free place from there on. Place 0 is always free.
static uint32_t churn_end(const session_t *self, rp_random_t *random, uint32_t percent,
                          uint32_t old)
{
    uint32_t place =
        rp_random_chance(random, percent) ? rp_random_below(random, place_count(self)) : old;
    while (self->grid->factor[cell_of(self, place)] == 0) {
        place = place + 1u < place_count(self) ? place + 1u : 0;
    }
    return place;
}

static void churn(session_t *self, rp_random_t *random, bool is_weighted)
{
    churn_cells(self, random, is_weighted);
    const uint32_t start = churn_end(self, random, 50, self->start);
    session_update(self, start, churn_end(self, random, 40, self->goal));
}

// ---- tests

START_TEST(eager_and_lazy_know_the_same_and_search_the_same)
{
    const unsigned form = (unsigned)_i;
    rp_random_t random = {form + 1000u};
    uint64_t expanded = 0;
    for (uint32_t side = 3; side <= 14; side += 3) {
        session_t self;
        churn_begin(&self, form, side);
        for (uint32_t step = 0; step < 150u; step++) {
            churn(&self, &random, (form & 4u) != 0);
            assert_same_h(&self);
            if (session_search(&self, rp_random_chance(&random, 70) ? NO_LIMIT : 9) == RP_OK) {
                assert_same_searches(&self);
                expanded += self.eager_stats.expanded;
            }
            assert_same_h(&self);
        }
        session_fini(&self);
    }
    ck_assert_uint_ge(expanded, 1000);
}
END_TEST

START_TEST(eager_raises_nothing_when_a_search_is_given_up)
{
    session_t self;
    churn_begin(&self, 2, 10);
    for (uint32_t x = 0; x < 9; x++) {
        session_set(&self, 3u * 10u + x, 0);
    }
    session_begin(&self, 0, 60);
    ck_assert_int_eq(session_search(&self, 20), RP_MORE);
    session_update(&self, 1, 60);
    for (uint32_t s = 0; s < place_count(&self); s++) {
        const rp_cell_t cell = cell_of(&self, s);
        ck_assert(gaa_eager_h(&self.eager.adaptive, cell) ==
                  rp_adaptive_bound(&self.eager.adaptive, cell));
    }
    session_fini(&self);
}
END_TEST

START_TEST(eager_forgets_everything_when_it_begins_anew)
{
    rp_random_t random = {3};
    session_t self;
    churn_begin(&self, 2, 9);
    for (uint32_t i = 0; i < 300; i++) {
        churn(&self, &random, false);
        session_search(&self, NO_LIMIT);
        session_begin(&self, 0, churn_end(&self, &random, 100, 0));
        for (uint32_t s = 0; s < place_count(&self); s++) {
            const rp_cell_t cell = cell_of(&self, s);
            ck_assert(gaa_eager_h(&self.eager.adaptive, cell) ==
                      rp_adaptive_bound(&self.eager.adaptive, cell));
        }
    }
    session_fini(&self);
}
END_TEST

START_TEST(bytes_count_the_cells_that_one_search_closed)
{
    session_t self;
    churn_begin(&self, 0, 14);
    const uint64_t before = rp_arena_bytes(&arena);
    ck_assert_int_eq(session_search(&self, NO_LIMIT), RP_OK);
    const uint64_t closed = self.eager_stats.expanded - 1u; // the goal is not
    ck_assert_uint_ge(closed, 10);
    ck_assert_uint_ge(rp_arena_bytes(&arena), before + closed * sizeof(rp_cell_t));
    session_fini(&self);
}
END_TEST

int main(void)
{
    const TTest *const churned[] = {eager_and_lazy_know_the_same_and_search_the_same};
    const TTest *const plain[] = {
        eager_raises_nothing_when_a_search_is_given_up,
        eager_forgets_everything_when_it_begins_anew,
        bytes_count_the_cells_that_one_search_closed,
    };
    const int failed = rp_suite_run("gaa_eager: churn", churned, 1, FORMS, NULL);
    return rp_suite_run("gaa_eager", plain, sizeof plain / sizeof plain[0], 1, NULL) + failed;
}
