/// GAA*'s learnt heuristic, cell by cell: the lazy h against an eager one kept here by the paper's
/// own words (figure 4), on the oracle's edges.
///
/// h is no part of the contract, so this test looks inside: it compiles the planner's source once
/// more, under another name, with its assertions. It is built for 32- and for 64-bit costs.
#undef NDEBUG
#include "planners/grid/cost.h"

#undef RP_MEMBER
#define RP_MEMBER(name) name##_under_test
#include "planners/members/gaa.c" // NOLINT(bugprone-suspicious-include)

#include <stdlib.h>

#include "tests/support/oracle.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define SIDE_MAX   12u
#define PLACES_MAX (SIDE_MAX * SIDE_MAX)
#define NO_LIMIT   UINT64_MAX

/// A world, GAA* in it, and what an eager GAA* would know.
typedef struct session {
    rp_grid_t *grid;
    rp_oracle_t *oracle;
    rp_adaptive_lazy_t gaa;
    rp_member_options_t options;
    uint64_t scale;         ///< a cost of the oracle is so many times one of GAA*
    uint64_t h[PLACES_MAX]; ///< eager, in the oracle's units
    uint32_t start;         ///< places: y * width + x
    uint32_t goal;
    rp_change_t changes[PLACES_MAX];
    size_t change_count;
    rp_search_stats_t stats; ///< of the last search
} session_t;

static const int8_t steps[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                   {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};

// ---- the eager side

static uint32_t place_count(const session_t *self)
{
    return self->grid->shape.width * self->grid->shape.height;
}

static rp_cell_t cell_of(const session_t *self, uint32_t place)
{
    const uint32_t width = self->grid->shape.width;
    return rp_grid_cell(self->grid, place % width, place / width);
}

static uint32_t gap(uint32_t a, uint32_t b, uint32_t side, bool wraps)
{
    const uint32_t direct = a < b ? b - a : a - b;
    return wraps && side - direct < direct ? side - direct : direct;
}

static const rp_adaptive_t *inside(const session_t *self)
{
    return &self->gaa.adaptive;
}

/// H: octile or Manhattan, times twice the least factor of the table, which is 1 here.
static uint64_t metric(const session_t *self, uint32_t a, uint32_t b)
{
    const rp_grid_shape_t *shape = &self->grid->shape;
    const uint64_t dx = gap(a % shape->width, b % shape->width, shape->width, shape->wraps);
    const uint64_t dy = gap(a / shape->width, b / shape->width, shape->height, shape->wraps);
    const uint64_t low = dx < dy ? dx : dy;
    const uint64_t high = dx < dy ? dy : dx;
    return shape->neighbors == 4 ? 2u * 408u * (dx + dy) : 2u * (577u * low + 408u * (high - low));
}

/// Lines 9' to 12'.
static void eager_move_goal(session_t *self, uint32_t goal)
{
    const uint64_t lowered = self->h[goal];
    self->goal = goal;
    for (uint32_t s = 0; s < place_count(self); s++) {
        const uint64_t bound = metric(self, s, goal);
        self->h[s] = self->h[s] > lowered + bound ? self->h[s] - lowered : bound;
    }
}

/// A cell that was blocked has whatever h its neighbours allow.
static void eager_free(session_t *self)
{
    for (size_t i = 0; i < self->change_count; i++) {
        const rp_change_t *change = &self->changes[i];
        const uint32_t place = rp_grid_y(self->grid, change->cell) * self->grid->shape.width +
                               rp_grid_x(self->grid, change->cell);
        if (change->before == 0 && change->after != 0 && place != self->goal) {
            self->h[place] = (uint64_t)rp_adaptive_unknown(inside(self)) * self->scale;
        }
    }
}

/// Lines 14' to 28', without a queue: again and again until nothing falls.
static void eager_make_consistent(session_t *self)
{
    const uint8_t *factors = self->oracle->factors;
    for (bool has_fallen = true; has_fallen;) {
        has_fallen = false;
        for (uint32_t a = 0; a < place_count(self); a++) {
            for (unsigned i = 0; i < 8u; i++) {
                const uint32_t b = rp_oracle_step(self->oracle, a, steps[i][0], steps[i][1]);
                if (b == RP_ORACLE_NO_PLACE || factors[a] == 0) {
                    continue;
                }
                const uint64_t length = i % 2u == 0 ? 408u : 577u;
                const uint64_t limit = length * (factors[a] + factors[b]) + self->h[b];
                has_fallen = has_fallen || self->h[a] > limit;
                self->h[a] = self->h[a] > limit ? limit : self->h[a];
            }
        }
    }
}

/// Lines 5' and 6'. A* closes a cell before the goal exactly when its f is less than the cost, and
/// where f is equal h would not change. @return the cost, or RP_ORACLE_NO_PATH
static uint64_t eager_learn(session_t *self)
{
    rp_oracle_flood(self->oracle, self->start);
    const uint64_t *g = self->oracle->cost;
    const uint64_t cost = g[self->goal];
    for (uint32_t s = 0; s < place_count(self) && cost != RP_ORACLE_NO_PATH; s++) {
        if (g[s] != RP_ORACLE_NO_PATH && g[s] + self->h[s] < cost) {
            self->h[s] = cost - g[s];
        }
    }
    return cost;
}

// ---- a session

static void session_init(session_t *self, const rp_grid_shape_t *shape, bool is_weighted)
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
}

static void session_begin(session_t *self, uint32_t start, uint32_t goal)
{
    if (inside(self)->grid == NULL) {
        ck_assert_int_eq(
            rp_member_bind(&RP_MEMBER(gaa), &self->gaa, self->grid, &self->options, &arena), RP_OK);
    }
    self->start = start;
    self->goal = goal;
    self->change_count = 0;
    gaa_begin(&self->gaa, cell_of(self, start), &(rp_goal_t){cell_of(self, goal), 0}, 1);
    for (uint32_t s = 0; s < place_count(self); s++) {
        self->h[s] = metric(self, s, goal);
    }
}

static void session_fini(session_t *self)
{
    rp_member_unbind(&RP_MEMBER(gaa), &self->gaa, &arena, NULL);
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
    ck_assert(gaa_update(&self->gaa, &update));
    self->start = start;
    if (update.goals_changed) {
        eager_move_goal(self, goal);
    }
    eager_free(self);
    self->change_count = 0;
    eager_make_consistent(self);
}

static bool session_search(session_t *self, uint64_t budget)
{
    return gaa_search(&self->gaa, &budget, &self->stats) == RP_OK;
}

/// Search to the end; the eager side learns, and both must have found the same cost.
static void session_plan(session_t *self)
{
    self->stats = (rp_search_stats_t){0};
    ck_assert(session_search(self, NO_LIMIT));
    const uint64_t cost = eager_learn(self);
    ck_assert(inside(self)->found == (cost != RP_ORACLE_NO_PATH));
    if (inside(self)->found) {
        ck_assert_uint_eq(rp_adaptive_cost(inside(self)) * self->scale, cost);
    }
}

static uint64_t lazy_h(const session_t *self, uint32_t place)
{
    return rp_adaptive_lazy_h(inside(self), cell_of(self, place)) * self->scale;
}

static void assert_h_is_eager(const session_t *self)
{
    for (uint32_t s = 0; s < place_count(self); s++) {
        RP_EACH_EQ(lazy_h(self, s), self->h[s]);
    }
    ck_assert(gaa_check(&self->gaa));
}

// ---- churn

/// No cell, a few or all of them are written anew. Place 0 stays free: there is somewhere to stand.
static void churn_cells(session_t *self, rp_random_t *random, bool is_weighted,
                        uint32_t blocked_percent)
{
    static const uint8_t percents[] = {0, 2, 5, 15, 100};
    const uint32_t percent =
        percents[rp_random_below(random, rp_random_chance(random, 10) ? 5u : 4u)];
    for (uint32_t place = 0; place < place_count(self); place++) {
        if (!rp_random_chance(random, percent)) {
            continue;
        }
        const bool is_blocked = place != 0 && rp_random_chance(random, blocked_percent);
        const uint8_t ground = is_weighted ? (uint8_t)rp_random_between(random, 1, 7) : 1;
        session_set(self, place, is_blocked ? 0 : ground);
    }
}

/// Stay or jump; the next free place from there on.
static uint32_t churn_end(const session_t *self, rp_random_t *random, uint32_t percent,
                          uint32_t old)
{
    uint32_t place = old;
    if (rp_random_chance(random, percent)) {
        place = rp_random_below(random, place_count(self));
    }
    while (self->oracle->factors[place] == 0) {
        place = place + 1u < place_count(self) ? place + 1u : 0;
    }
    return place;
}

static void churn_ends(session_t *self, rp_random_t *random, uint32_t percent)
{
    const uint32_t start = churn_end(self, random, percent, self->start);
    session_update(self, start, churn_end(self, random, percent, self->goal));
}

/// One form of the world. Bits of `form`: 1 wraps, 2 eight neighbours, 4 weighted, 8 buckets; above
/// them the variant.
static void churn_begin(session_t *self, unsigned form, uint32_t side)
{
    const rp_grid_shape_t shape = {
        .width = side,
        .height = 11u - side,
        .neighbors = (form & 2u) != 0 ? 8 : 4,
        .wraps = (form & 1u) != 0,
        .unit = 1,
        .least = 1,
    };
    session_init(self, &shape, (form & 4u) != 0);
    self->options.open = (form & 8u) != 0 ? RP_OPEN_BUCKETS : RP_OPEN_HEAP;
    self->options.variant = (uint8_t)(form / 16u);
    session_begin(self, 0, place_count(self) - 1u);
}

// ---- tests

#define FORMS 48

START_TEST(gaa_lazy_h_equals_eager_h_in_every_cell_after_every_step)
{
    const unsigned form = (unsigned)_i;
    rp_random_t random = {form};
    for (uint32_t side = 3; side <= 8; side++) {
        session_t self;
        churn_begin(&self, form, side);
        for (uint32_t step = 0; step < 200u; step++) {
            churn_cells(&self, &random, (form & 4u) != 0, 35);
            churn_ends(&self, &random, 50);
            if (rp_random_chance(&random, 70)) {
                session_plan(&self);
            } else {
                while (inside(&self)->phase ==
                       RP_ADAPTIVE_REPAIR) { // the eager side has done this at once
                    session_search(&self, 1);
                }
                if (session_search(&self, rp_random_below(&random, 20))) {
                    eager_learn(&self);
                }
            }
            assert_h_is_eager(&self);
        }
        session_fini(&self);
    }
}
END_TEST

START_TEST(gaa_stays_exact_when_it_is_left_in_the_middle_of_a_repair)
{
    const unsigned form = (unsigned)_i;
    rp_random_t random = {form};
    uint32_t left_count = 0;
    for (uint32_t side = 3; side <= 8; side++) {
        session_t self;
        churn_begin(&self, form, side);
        for (uint32_t step = 0; step < 300u; step++) {
            const bool is_left = step % 3u != 0;
            // Walls before a whole search make h rise, and what they leave free makes it fall.
            churn_cells(&self, &random, (form & 4u) != 0, is_left ? 10 : 55);
            churn_ends(&self, &random, 10);
            if (!is_left) {
                session_plan(&self); // against the oracle's cost; the eager h plays no part in it
            } else {
                session_search(&self, rp_random_below(&random, 3));
                left_count += inside(&self)->phase == RP_ADAPTIVE_REPAIR &&
                              inside(&self)->open.heap.count != 0;
            }
            ck_assert(gaa_check(&self.gaa));
        }
        session_fini(&self);
    }
    ck_assert_uint_ge(left_count, 5); // else this proved little
}
END_TEST

static const rp_grid_shape_t square = {
    .width = SIDE_MAX, .height = SIDE_MAX, .neighbors = 8, .unit = 1, .least = 1};

/// A wall across the square, with `gap_count` cells left open at its right end.
static void build_wall(session_t *self, uint32_t y, uint32_t gap_count)
{
    for (uint32_t x = 0; x + gap_count < SIDE_MAX; x++) {
        session_set(self, y * SIDE_MAX + x, 0);
    }
}

/// Bits of `form`: 1 eight neighbours, 2 weighted, 4 variant 2.
START_TEST(gaa_stays_exact_when_it_expands_at_once_what_stands_in_open)
{
    const unsigned form = (unsigned)_i;
    const bool is_weighted = (form & 2u) != 0;
    rp_grid_shape_t shape = square;
    rp_random_t random = {form};
    session_t self;
    uint32_t again_count = 0;
    shape.neighbors = (form & 1u) != 0 ? 8 : 4;
    session_init(&self, &shape, is_weighted);
    self.options.variant = (form & 4u) != 0 ? 2 : 1;
    session_begin(&self, 0, PLACES_MAX - 1u);
    for (uint32_t step = 0; step < 500u; step++) {
        churn_cells(&self, &random, is_weighted, 30); // both sorts of changes
        churn_ends(&self, &random, 40);
        while (!session_search(&self, 1)) {
            again_count += inside(&self)->phase == RP_ADAPTIVE_SEARCHING &&
                           inside(&self)->held != RP_NO_CELL &&
                           rp_adaptive_is_queued(inside(&self), inside(&self)->held);
        }
        session_plan(&self); // the cost is the oracle's
        assert_h_is_eager(&self);
    }
    ck_assert_uint_ge(again_count, 20); // else this proved little
    session_fini(&self);
}
END_TEST

START_TEST(gaa_never_reopens_a_closed_cell)
{
    session_t self;
    uint64_t closed_g[PLACES_MAX] = {0};
    uint32_t closed_count = 0;
    session_init(&self, &square, false);
    build_wall(&self, 6, 1);
    session_begin(&self, 0, PLACES_MAX - SIDE_MAX);
    session_plan(&self);
    session_set(&self, 6u * SIDE_MAX + 4u, 1);
    session_update(&self, 3, PLACES_MAX - SIDE_MAX + 2u);
    while (!session_search(&self, 1)) {
        for (uint32_t s = 0; s < PLACES_MAX; s++) {
            const rp_adaptive_node_t *node = &inside(&self)->nodes[cell_of(&self, s)];
            const bool is_closed = (node->mark & ~RP_ADAPTIVE_DIRECTION) ==
                                   (inside(&self)->search | RP_ADAPTIVE_CLOSED);
            ck_assert(closed_g[s] == 0 || (is_closed && node->g + 1u == closed_g[s]));
            closed_count += is_closed && closed_g[s] == 0;
            closed_g[s] = is_closed ? node->g + 1u : 0;
        }
    }
    ck_assert_uint_ge(closed_count, 10);
    session_fini(&self);
}
END_TEST

START_TEST(gaa_learns_nothing_where_there_is_no_path)
{
    session_t self;
    session_init(&self, &square, false);
    session_begin(&self, 0, PLACES_MAX - 1u);
    session_plan(&self);
    build_wall(&self, 6, 0);
    session_update(&self, 0, PLACES_MAX - 1u);
    session_plan(&self);
    ck_assert(!inside(&self)->found);
    assert_h_is_eager(&self);
    session_set(&self, 6u * SIDE_MAX, 1);
    session_update(&self, 0, PLACES_MAX - 1u);
    session_plan(&self);
    ck_assert(inside(&self)->found);
    assert_h_is_eager(&self);
    session_fini(&self);
}
END_TEST

START_TEST(gaa_learns_nothing_from_a_search_that_was_given_up)
{
    session_t self;
    session_init(&self, &square, false);
    build_wall(&self, 6, 1);
    session_begin(&self, 0, PLACES_MAX - SIDE_MAX);
    ck_assert(!session_search(&self, 20));
    session_update(&self, 1, PLACES_MAX - SIDE_MAX);
    for (uint32_t s = 0; s < PLACES_MAX; s++) {
        ck_assert_uint_eq(lazy_h(&self, s), metric(&self, s, self.goal));
    }
    session_fini(&self);
}
END_TEST

START_TEST(gaa_expands_less_than_half_the_second_time)
{
    for (uint8_t variant = 0; variant <= 2; variant++) {
        session_t self;
        session_init(&self, &square, false);
        self.options.variant = variant;
        build_wall(&self, 6, 1);
        session_begin(&self, 0, PLACES_MAX - SIDE_MAX);
        session_plan(&self);
        const uint64_t first = self.stats.expanded;
        session_update(&self, 0, PLACES_MAX - SIDE_MAX);
        session_plan(&self);
        ck_assert_uint_lt(2u * self.stats.expanded, first);
        ck_assert_uint_ge(2u * self.stats.expanded_fast, variant == 0 ? 0 : self.stats.expanded);
        session_fini(&self);
    }
}
END_TEST

START_TEST(gaa_stays_exact_when_its_search_numbers_go_round)
{
    // One long search teaches the cells behind the wall. Then the start dances beside the goal, and
    // nothing looks at what they learnt but the slices.
    const uint32_t goal = PLACES_MAX - SIDE_MAX;
    rp_random_t random = {5};
    session_t self;
    session_init(&self, &square, false);
    build_wall(&self, 6, 1);
    session_begin(&self, 0, goal);
    session_plan(&self);
    for (uint32_t step = 0; step < 3u * RP_ADAPTIVE_LAZY_PASTS; step++) {
        const bool has_changed = step % 97u == 0;
        if (has_changed) {
            session_set(&self, goal - 3u * SIDE_MAX + 2u, step % 2u == 0 ? 0 : 1);
        }
        session_update(&self, goal + rp_random_below(&random, 3),
                       step < 2u * RP_ADAPTIVE_LAZY_PASTS ? goal : goal + 1u);
        session_plan(&self);
        if (has_changed) {
            assert_h_is_eager(&self);
        }
    }
    ck_assert_uint_gt(self.h[0], metric(&self, 0, self.goal));
    session_fini(&self);
}
END_TEST

START_TEST(gaa_forgets_everything_when_it_begins_anew)
{
    session_t self;
    session_init(&self, &square, false);
    build_wall(&self, 6, 1);
    session_begin(&self, 0, PLACES_MAX - SIDE_MAX);
    session_plan(&self);
    for (uint32_t i = 0; i < RP_ADAPTIVE_LAZY_PASTS + 10u; i++) {
        session_begin(&self, 0, i % 2u == 0 ? PLACES_MAX - SIDE_MAX : 30u);
        assert_h_is_eager(&self);
        if (i % 100u == 0) {
            session_plan(&self);
        }
    }
    session_fini(&self);
}
END_TEST

int main(void)
{
    const TTest *const forms[] = {
        gaa_lazy_h_equals_eager_h_in_every_cell_after_every_step,
        gaa_stays_exact_when_it_is_left_in_the_middle_of_a_repair,
    };
    const TTest *const plain[] = {
        gaa_never_reopens_a_closed_cell,
        gaa_learns_nothing_where_there_is_no_path,
        gaa_learns_nothing_from_a_search_that_was_given_up,
        gaa_expands_less_than_half_the_second_time,
        gaa_stays_exact_when_its_search_numbers_go_round,
        gaa_forgets_everything_when_it_begins_anew,
    };
    const TTest *const fast[] = {gaa_stays_exact_when_it_expands_at_once_what_stands_in_open};
    const int failed =
        rp_suite_run("gaa: forms", forms, sizeof forms / sizeof forms[0], FORMS, NULL) +
        rp_suite_run("gaa: fast", fast, 1, 8, NULL);
    return rp_suite_run("gaa", plain, sizeof plain / sizeof plain[0], 1, NULL) + failed;
}
