/// The search for ways out against one that relaxes lengths until nothing becomes shorter, on
/// random ground; and the ways themselves.
#include "engine/paths/escape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/engine/paths/chance_ground.h"
#include "tests/support/suite.h"

#define STEPS_MOST 12u

static rp_random_t rng;
static rp_chance_ground_t ground;
static rp_escape_t escape;
static rp_way_t way;

/// Where the agent is, and from which free cells a goal can be reached.
static rp_escape_question_t question;
static uint32_t own;
static rp_pose_t pose;
static bool is_wanted[RP_ESCAPE_CELLS_MAX];

static unsigned allocations_left = UINT32_MAX;

static void tear_down(void)
{
    rp_way_fini(&way);
    rp_escape_fini(&escape);
    rp_chance_ground_fini(&ground);
}

// ---- memory: the linker has all allocations come here

void *__real_malloc(size_t size);               // NOLINT(bugprone-reserved-identifier,cert-*)
void *__wrap_malloc(size_t size);               // NOLINT(bugprone-reserved-identifier,cert-*)
void *__real_calloc(size_t count, size_t size); // NOLINT(bugprone-reserved-identifier,cert-*)
void *__wrap_calloc(size_t count, size_t size); // NOLINT(bugprone-reserved-identifier,cert-*)
void *__real_realloc(void *old, size_t size);   // NOLINT(bugprone-reserved-identifier,cert-*)
void *__wrap_realloc(void *old, size_t size);   // NOLINT(bugprone-reserved-identifier,cert-*)

static bool may_allocate(void)
{
    const bool may = allocations_left != 0;
    allocations_left -= may && allocations_left != UINT32_MAX;
    return may;
}

void *__wrap_malloc(size_t size) // NOLINT(bugprone-reserved-identifier,cert-*)
{
    return may_allocate() ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size) // NOLINT(bugprone-reserved-identifier,cert-*)
{
    return may_allocate() ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *old, size_t size) // NOLINT(bugprone-reserved-identifier,cert-*)
{
    return may_allocate() ? __real_realloc(old, size) : NULL;
}

// ---- what is asked

static void place_agent(uint32_t cell)
{
    const uint32_t width = ground.world.width;
    question.x_m = cell % width + rp_chance_ground_within(&rng);
    question.y_m = (uint32_t)(cell / width) + rp_chance_ground_within(&rng);
    pose = rp_chance_ground_pose(&ground, question.x_m, question.y_m);
    own = rp_chance_ground_number(&ground, pose.cell);
}

/// An agent on a blocked cell of random ground. @return false when it came to stand on a free one
static bool draw(uint32_t side_most, uint32_t obstacles, uint32_t escape_ground)
{
    rp_chance_ground_fini(&ground);
    rp_chance_ground_init(&ground, &rng,
                          &(rp_chance_ground_options_t){side_most, obstacles, escape_ground});
    const uint32_t cells = ground.world.width * ground.world.height;
    const uint32_t wanted = rp_random_below(&rng, 3) * 30u;
    for (uint32_t i = 0; i < cells; i++) {
        is_wanted[i] = rp_random_chance(&rng, wanted);
    }
    place_agent(rp_random_below(&rng, cells));
    return ground.world.factors[own] == 0;
}

static bool reaches(const void *user, rp_cell_t cell)
{
    const uint32_t *asked = user;
    ck_assert_uint_eq(*asked, 1);
    return is_wanted[rp_chance_ground_number(&ground, cell)];
}

static const uint32_t marker = 1;
static const rp_escape_query_t wants = {.reaches = reaches, .user = &marker};

/// @return cells that were looked at
static uint64_t find_ends(double most, const rp_escape_query_t *query)
{
    uint64_t budget = 1u << 20;
    ck_assert_int_eq(rp_escape_begin(&escape, &pose, most), RP_OK);
    ck_assert_int_eq(rp_escape_go(&escape, &ground.layer, query, &budget), RP_OK);
    return (1u << 20) - budget;
}

// ---- what is right

typedef struct model {
    bool is_reached[RP_ESCAPE_CELLS_MAX];
    rp_escape_length_t length[RP_ESCAPE_CELLS_MAX];
    uint32_t count; ///< of reached cells
    rp_escape_length_t shortest;
    uint32_t ends[RP_ESCAPE_CELLS_MAX]; ///< in the order of their numbers [end_count]
    uint32_t end_count;
    bool reaches; ///< a goal can be reached from them
} model_t;

static model_t model;

static bool may_step(uint32_t from, unsigned direction)
{
    const bool is_from_obstacle = from == own && ground.world.is_obstacle[own];
    return rp_chance_ground_may_step(&ground, from, direction) &&
           (!is_from_obstacle ||
            (rp_escape_runs(&ground.world, question.x_m, question.y_m) >> direction & 1u) != 0);
}

/// @return true when the length became shorter
static bool relax(uint32_t from, unsigned direction, double most)
{
    const uint32_t to = rp_escape_step(&ground.world, from, direction);
    const rp_escape_length_t before = model.length[from];
    const rp_escape_length_t length = {before.straights + (direction % 2u == 0),
                                       before.diagonals + (direction % 2u != 0)};
    if (length.straights + length.diagonals * sqrt(2.0) > most + 1e-9 ||
        (model.is_reached[to] && rp_escape_compare(length, model.length[to]) >= 0)) {
        return false;
    }
    model.count += !model.is_reached[to];
    model.is_reached[to] = true;
    model.length[to] = length;
    return true;
}

static bool relax_all(double most)
{
    bool has_changed = false;
    for (uint32_t i = 0; i < ground.world.width * ground.world.height; i++) {
        const bool leads_on = i == own || ground.world.factors[i] == 0;
        for (unsigned d = 0; d < RP_DIRECTIONS && leads_on && model.is_reached[i]; d++) {
            has_changed |= may_step(i, d) && relax(i, d, most);
        }
    }
    return has_changed;
}

static void note_end(uint32_t cell, bool is_good)
{
    const int order =
        model.end_count != 0 ? rp_escape_compare(model.length[cell], model.shortest) : -1;
    if (model.reaches != is_good || order > 0) {
        return;
    }
    model.end_count = order < 0 ? 0 : model.end_count;
    model.shortest = model.length[cell];
    model.ends[model.end_count++] = cell;
}

static void make_model(double most, bool asks)
{
    const uint32_t cells = ground.world.width * ground.world.height;
    model = (model_t){.count = 1};
    model.is_reached[own] = true;
    while (relax_all(most)) {
    }
    for (uint32_t i = 0; i < cells; i++) {
        const bool is_end = model.is_reached[i] && ground.world.factors[i] != 0;
        model.reaches |= asks && is_end && is_wanted[i];
    }
    for (uint32_t i = 0; i < cells; i++) {
        if (model.is_reached[i] && ground.world.factors[i] != 0) {
            note_end(i, asks && is_wanted[i]);
        }
    }
}

static uint32_t end_number(uint32_t i)
{
    return rp_chance_ground_number(&ground, escape.entries[escape.ends[i]].cell);
}

static void expect_ends_of_model(void)
{
    RP_EACH(escape.is_done);
    RP_EACH_EQ(escape.reaches, model.reaches);
    RP_EACH_EQ(escape.end_count, model.end_count);
    RP_EACH_EQ(escape.is_chosen, model.end_count <= 1);
    RP_EACH(escape.closed_count <= model.count && escape.end_count <= escape.end_capacity);
    for (uint32_t i = 0; i < model.end_count; i++) {
        RP_EACH_EQ(end_number(i), model.ends[i]);
    }
}

/// Whether some steps are a way from the agent's cell to an end of the search, as short as any.
static bool is_kept_by_model(const uint8_t *steps, size_t count, uint32_t *end)
{
    rp_escape_length_t length;
    const char *wrong =
        rp_escape_walk_way(&ground.world, &question, own, steps, count, end, &length);
    bool is_end = false;
    for (uint32_t i = 0; wrong == NULL && i < model.end_count; i++) {
        is_end |= model.ends[i] == *end;
    }
    return is_end && rp_escape_compare(length, model.shortest) == 0;
}

// ---- the search

START_TEST(ends_are_those_of_a_slow_search)
{
    static const double limits[] = {64.0, 64.0, 7.0, 3.0, 2.0, 1.0, 0.5};
    for (unsigned round = 0; round < RP_ROUNDS(600); round++) {
        rng = (rp_random_t){(uint64_t)_i * 100000u + round};
        const double most = limits[rp_random_below(&rng, 7)];
        const bool asks = rp_random_chance(&rng, 80);
        const uint32_t escape_ground = 30u + rp_random_below(&rng, 70);
        const uint32_t obstacles = rp_random_below(&rng, 30);
        if (draw(3u + rp_random_below(&rng, 8), obstacles, escape_ground)) {
            (void)find_ends(most, asks ? &wants : &(rp_escape_query_t){0});
            make_model(most, asks);
            expect_ends_of_model();
        }
    }
}
END_TEST

/// From an obstacle, and from escape ground, whatever lies around it and wherever the agent stands.
START_TEST(first_steps_are_those_of_the_reference)
{
    static const double places[] = {0.0, 0.02, 0.25, 0.5, 0.6, 0.98, 1.0};
    static const uint32_t around[] = {5, 8, 7, 6, 3, 0, 1, 2}; // by direction
    rp_chance_ground_t *self = &ground;
    do { // of either kind of moves
        rng = (rp_random_t){rp_random_next(&rng) + (unsigned)_i};
        (void)draw(3, 0, 100);
    } while (self->world.wraps || self->world.neighbors != (_i == 0 ? 4 : 8));
    for (unsigned pattern = 0; pattern < 512; pattern++) {
        for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
            const bool is_obstacle = (pattern >> direction & 1u) != 0;
            self->world.is_obstacle[around[direction]] = is_obstacle;
            self->bytes[around[direction]] = is_obstacle ? 1 : 2;
        }
        self->world.is_obstacle[4] = pattern >= 256;
        self->bytes[4] = pattern >= 256 ? 1 : 2;
        for (unsigned i = 0; i < 49; i++) {
            unsigned right = 0;
            question.x_m = 1.0 + places[i % 7u];
            question.y_m = 1.0 + places[i / 7u];
            pose = rp_chance_ground_pose(self, question.x_m, question.y_m);
            own = rp_chance_ground_number(self, pose.cell);
            for (unsigned direction = 0; direction < RP_DIRECTIONS && own == 4; direction++) {
                right |= (unsigned)may_step(own, direction) << direction;
            }
            RP_EACH(own != 4 || rp_escape_first_steps(&self->layer, &pose) == right);
        }
    }
}
END_TEST

/// Each call looks at so many cells as it may, and at one at least; the ends are the same.
START_TEST(a_search_in_slices_looks_at_no_more_cells_than_in_one_go)
{
    for (unsigned round = 0; round < RP_ROUNDS(300); round++) {
        rng = (rp_random_t){(uint64_t)_i * 100000u + round};
        if (!draw(10, 15, 70)) {
            continue;
        }
        const uint64_t whole = find_ends(64.0, &wants);
        const uint64_t slice = rp_random_below(&rng, 4); // 0: nothing is left from the beginning on
        uint64_t looked = 0;
        rp_status_t status = RP_MORE;
        ck_assert_int_eq(rp_escape_begin(&escape, &pose, 64.0), RP_OK);
        while (status == RP_MORE) {
            uint64_t budget = slice;
            status = rp_escape_go(&escape, &ground.layer, &wants, &budget);
            looked += slice != 0 ? slice - budget : 1u;
            RP_EACH(status == RP_MORE || status == RP_OK);
            RP_EACH(status == RP_OK || (budget == 0 && !escape.is_done));
        }
        RP_EACH(slice != 0 ? looked == whole : looked <= whole + 1u);
        make_model(64.0, true);
        expect_ends_of_model();
    }
}
END_TEST

/// What was looked at is known, however often the table of it grows, and the table is half empty.
START_TEST(in_large_rooms_each_cell_is_looked_at_once)
{
    for (unsigned round = 0; round < RP_ROUNDS(40); round++) {
        rng = (rp_random_t){(uint64_t)_i * 100000u + round};
        if (!draw(32, 5, 95)) {
            continue;
        }
        rp_escape_fini(&escape);
        (void)find_ends(64.0, &wants);
        make_model(64.0, true);
        expect_ends_of_model();
        RP_EACH_EQ(escape.closed_count, model.count);
        RP_EACH(2u * (escape.closed_count - 1u) < escape.table_size);
        RP_EACH(escape.table_size == 256 || escape.table_size <= 4u * (escape.closed_count - 1u));
        RP_EACH(rp_escape_bytes(&escape) >= (uint64_t)escape.table_size * 4u + escape.count * 20u);
        RP_EACH(rp_escape_bytes(&escape) <= (uint64_t)escape.table_size * 4u +
                                                (2u * escape.count + 64u) * 20u +
                                                (2u * escape.end_count + 8u) * 4u);
    }
}
END_TEST

START_TEST(without_memory_a_search_says_so_and_the_next_one_is_right)
{
    rng = (rp_random_t){5};
    while (!draw(32, 5, 85)) {
    }
    rp_status_t status = RP_E_MEMORY;
    unsigned failures = 0;
    for (unsigned left = 0; status == RP_E_MEMORY; left++) {
        uint64_t budget = 1u << 20;
        rp_escape_fini(&escape);
        allocations_left = left;
        status = rp_escape_begin(&escape, &pose, 64.0);
        status = status == RP_OK
                     ? rp_escape_go(&escape, &ground.layer, &(rp_escape_query_t){0}, &budget)
                     : status;
        allocations_left = UINT32_MAX;
        failures += status == RP_E_MEMORY;
        RP_EACH(status == RP_OK || (status == RP_E_MEMORY && !escape.is_done));
        (void)find_ends(64.0, &(rp_escape_query_t){0});
        make_model(64.0, false);
        expect_ends_of_model();
    }
    ck_assert_uint_ge(failures, 4); // the table, entries, heap and ends at least
    const rp_cell_t end = escape.entries[escape.ends[0]].cell;
    allocations_left = 0;
    status = rp_escape_way(&escape, &ground.layer, end, &way);
    allocations_left = UINT32_MAX;
    ck_assert_int_eq(status, RP_E_MEMORY);
}
END_TEST

// ---- which of several ends

/// The cheapest path decides, of equal ones the first; each end is looked at once, and the best
/// once more unless it is the last.
START_TEST(of_several_ends_the_one_with_the_cheapest_path_is_chosen)
{
    static const double costs[] = {3.0, 3.0 + 1e-12, 4.0, 5.0, INFINITY};
    unsigned several = 0;
    for (unsigned round = 0; round < RP_ROUNDS(400); round++) {
        double cost[RP_ESCAPE_CELLS_MAX];
        uint32_t best = 0;
        rng = (rp_random_t){round};
        if (!draw(5, 5, 60)) {
            continue;
        }
        (void)find_ends(64.0, &(rp_escape_query_t){0});
        const uint32_t count = escape.end_count;
        for (uint32_t i = 0; i < count; i++) {
            cost[i] = costs[rp_random_below(&rng, 5)];
            best = cost[i] < cost[best] - 1e-9 || isinf(cost[best]) > isinf(cost[i]) ? i : best;
        }
        uint32_t looks = 0;
        while (count != 0 && !rp_escape_weigh(&escape, cost[escape.at])) {
            RP_EACH_EQ(escape.at, ++looks < count ? looks : best);
        }
        if (count != 0) {
            RP_EACH(escape.is_chosen);
            RP_EACH_EQ(escape.at, best);
            RP_EACH_EQ(looks, count == 1 ? 0 : best == count - 1u ? best : count);
            RP_EACH_EQ(rp_escape_end(&escape), escape.entries[escape.ends[best]].cell);
            several += count > 1;
        }
    }
    ck_assert_uint_gt(several, RP_ROUNDS(20));
}
END_TEST

// ---- ways

static void expect_walk(const uint8_t *steps, size_t count, uint32_t end)
{
    uint32_t offenders[STEPS_MOST + 2u];
    uint32_t led_to;
    rp_escape_length_t length;
    const rp_cell_t cell = rp_chance_ground_cell(&ground, end);
    const bool is_way =
        rp_escape_walk_way(&ground.world, &question, own, steps, count, &led_to, &length) == NULL &&
        led_to == end;
    memset(offenders, 0xff, sizeof offenders);
    const size_t illegal =
        rp_way_walk(&ground.layer, &pose, steps, count, cell, offenders, STEPS_MOST + 2u);
    RP_EACH_EQ(illegal == 0, is_way);
    for (size_t i = 0; i <= STEPS_MOST + 1u; i++) {
        RP_EACH(i < illegal ? offenders[i] <= count && (i == 0 || offenders[i] > offenders[i - 1u])
                            : offenders[i] == UINT32_MAX);
    }
    if (illegal > 1) {
        uint32_t first[] = {0, 7};
        RP_EACH_EQ(rp_way_walk(&ground.layer, &pose, steps, count, cell, first, 1), illegal);
        RP_EACH(first[0] == offenders[0] && first[1] == 7);
    }
}

/// A way to each end is one, and the shortest; what is made of it by chance is kept only if it is.
START_TEST(ways_are_kept_and_walked_if_they_are_legal_and_as_short_as_any)
{
    unsigned kept = 0;
    for (unsigned round = 0; round < RP_ROUNDS(500); round++) {
        rng = (rp_random_t){(uint64_t)_i * 100000u + round};
        if (!draw(8, rp_random_below(&rng, 25), 70)) {
            continue;
        }
        (void)find_ends(64.0, &wants);
        make_model(64.0, true);
        for (uint32_t i = 0; i < escape.end_count; i++) {
            uint32_t end;
            const rp_cell_t cell = escape.entries[escape.ends[i]].cell;
            ck_assert_int_eq(rp_escape_way(&escape, &ground.layer, cell, &way), RP_OK);
            RP_EACH(is_kept_by_model(way.steps, way.count, &end) && end == model.ends[i]);
            RP_EACH(way.at == pose.cell && way.first == 0);
            RP_EACH(rp_escape_keeps(&escape, &ground.layer, &way));
            RP_EACH(fabs(rp_way_length(&way) - model.shortest.straights -
                         model.shortest.diagonals * sqrt(2.0)) < 1e-9);
            for (unsigned j = 0; j < 12; j++) {
                uint8_t steps[STEPS_MOST + 1u] = {0};
                const uint32_t count = way.count < STEPS_MOST ? way.count : STEPS_MOST;
                const rp_way_t other = {.steps = steps,
                                        .count = count + rp_random_below(&rng, 3) / 2u -
                                                 (count > 1) * rp_random_below(&rng, 3) / 2u,
                                        .at = pose.cell};
                memcpy(steps, way.steps, count);
                steps[rp_random_below(&rng, count)] = (uint8_t)rp_random_below(&rng, 8);
                const bool is_kept = is_kept_by_model(steps, other.count, &end);
                RP_EACH_EQ(rp_escape_keeps(&escape, &ground.layer, &other), is_kept);
                expect_walk(steps, other.count, rp_random_chance(&rng, 80) ? model.ends[i] : own);
                kept += is_kept;
            }
            rp_way_fini(&way);
        }
        ck_assert_int_eq(rp_escape_way(&escape, &ground.layer, pose.cell, &way), RP_E_INVALID);
    }
    ck_assert_uint_gt(kept, RP_ROUNDS(100));
}
END_TEST

/// What is left of a way, its length, and whether it stays inside, step by step.
START_TEST(a_way_that_is_passed_begins_where_its_steps_led)
{
    for (unsigned round = 0; round < RP_ROUNDS(500); round++) {
        uint8_t steps[STEPS_MOST];
        rp_cell_t cells[STEPS_MOST + 1u];
        uint32_t inside = 0; // places up to which it stays inside
        rng = (rp_random_t){round};
        (void)draw(5, 0, 100);
        const uint32_t count = rp_random_below(&rng, STEPS_MOST + 1u);
        cells[0] = pose.cell;
        for (uint32_t i = 0; i < count; i++) {
            steps[i] = (uint8_t)rp_random_below(&rng, RP_DIRECTIONS);
            if (inside == i &&
                rp_escape_step(&ground.world, rp_chance_ground_number(&ground, cells[i]),
                               steps[i]) != RP_ESCAPE_NO_CELL) {
                cells[++inside] = rp_grid_step(ground.layer.grid, cells[i], steps[i]);
            }
        }
        rp_way_t other = {.steps = steps, .count = count, .at = pose.cell};
        for (uint32_t passed = 0; passed <= inside; passed++) {
            double length = 0.0;
            for (uint32_t i = passed; i < count; i++) {
                length += steps[i] % 2u != 0 ? sqrt(2.0) : 1.0;
            }
            RP_EACH(other.at == cells[passed] && rp_way_left(&other) == count - passed);
            RP_EACH(fabs(rp_way_length(&other) - length) < 1e-9);
            RP_EACH_EQ(rp_way_is_inside(&other, ground.layer.grid), inside == count);
            if (passed < inside) {
                rp_way_pass(&other, ground.layer.grid, 1);
            }
        }
    }
    const rp_way_t none = {.at = RP_NO_CELL};
    ck_assert(rp_way_is_inside(&none, ground.layer.grid));
}
END_TEST

int main(void)
{
    const TTest *const rounds[] = {
        ends_are_those_of_a_slow_search,
        a_search_in_slices_looks_at_no_more_cells_than_in_one_go,
        first_steps_are_those_of_the_reference,
        in_large_rooms_each_cell_is_looked_at_once,
        ways_are_kept_and_walked_if_they_are_legal_and_as_short_as_any,
    };
    const TTest *const once[] = {
        without_memory_a_search_says_so_and_the_next_one_is_right,
        of_several_ends_the_one_with_the_cheapest_path_is_chosen,
        a_way_that_is_passed_begins_where_its_steps_led,
    };
    const int failed = rp_suite_run("escape", rounds, 5, 2, tear_down);
    return rp_suite_run("escape", once, 3, 1, tear_down) + failed;
}
