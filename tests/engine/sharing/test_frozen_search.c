/// A frozen search comes to its end though the layer changes between any two of its slices, and
/// what it finds is the best for the version that it names.
#include "engine/sharing/frozen_search.h"

#include <string.h>

#include "engine/session/session_state.h"
#include "tests/support/oracle.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

enum {
    SIDE = 40,
    CELLS = SIDE * SIDE,
    VERSIONS = 2000,
    GOALS = 3,
};

static rp_random_t rng;
static rp_layer_t layer;
static rp_frozen_search_t frozen;
static rp_oracle_t *oracle;
static uint8_t bytes[CELLS];
static uint8_t past[VERSIONS][CELLS]; ///< by version
static uint64_t version;
static rp_session_t users[2];
static rp_goal_t goals[GOALS];
static rp_frozen_search_job_t job;

static void tear_down(void)
{
    rp_frozen_search_fini(&frozen);
    rp_layer_fini(&layer);
    rp_oracle_destroy(&oracle);
}

static rp_cell_t random_cell(void)
{
    const uint32_t x = rp_random_below(&rng, SIDE);
    return rp_grid_cell(layer.grid, x, rp_random_below(&rng, SIDE));
}

static uint32_t place_of(rp_cell_t cell)
{
    return rp_grid_y(layer.grid, cell) * SIDE + rp_grid_x(layer.grid, cell);
}

static void write_version(unsigned cells)
{
    ck_assert_uint_lt(version + 1u, VERSIONS);
    memcpy(past[version + 1u], past[version], CELLS);
    ck_assert_int_eq(rp_layer_begin(&layer, cells), RP_OK);
    for (unsigned i = 0; i < cells; i++) {
        const rp_cell_t cell = random_cell();
        const uint8_t factor = rp_random_chance(&rng, 30) ? 0 : 1;
        past[version + 1u][place_of(cell)] = factor;
        rp_layer_write(&layer, &(rp_written_t){.cell = cell, .after = factor});
    }
    (void)rp_layer_commit(&layer, ++version);
}

static void begin(uint64_t seed)
{
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = SIDE, .neighbors = 8, .unit = 1, .least = 1};
    rp_profile_t profile;
    uint64_t budget = UINT64_MAX;
    rng = (rp_random_t){seed};
    for (uint32_t i = 0; i < CELLS; i++) {
        bytes[i] = rp_random_chance(&rng, 25) ? 0 : 1;
    }
    version = 1;
    memcpy(past[1], bytes, CELLS);
    ck_assert(rp_profile_find("factor", &profile));
    ck_assert_int_eq(rp_layer_init(&layer, &shape, &profile, NULL, bytes, version), RP_OK);
    ck_assert_int_eq(rp_layer_derive(&layer, version, &budget), RP_OK);
    oracle = rp_oracle_new(&shape);
    ck_assert_ptr_nonnull(oracle);
    job = (rp_frozen_search_job_t){.user = &users[0], .layer = &layer, .goals = goals};
}

/// Another start, and most times other goals for another planner.
static void choose_job(void)
{
    static const char *const planners[] = {"astar", "dstar-lite", "flow"};
    job.start = random_cell();
    if (job.planner != NULL && rp_random_chance(&rng, 40)) {
        return;
    }
    job.user = &users[rp_random_below(&rng, 2)];
    job.planner = rp_planner_find(planners[rp_random_below(&rng, 3)]);
    job.goal_count = rp_random_between(&rng, 1, GOALS);
    for (size_t i = 0; i < job.goal_count; i++) {
        goals[i] =
            (rp_goal_t){rp_grid_cell(layer.grid, (uint32_t)i * 9u, rp_random_below(&rng, SIDE)),
                        rp_random_below(&rng, 4)};
    }
}

static void check_plan(const rp_plan_t *plan, uint64_t of)
{
    static uint32_t places[CELLS];
    rp_oracle_goal_t there[GOALS];
    const uint8_t *factors = past[of];
    size_t blocked = 0;
    memcpy(oracle->factors, factors, CELLS);
    for (size_t i = 0; i < job.goal_count; i++) {
        there[i] = (rp_oracle_goal_t){place_of(goals[i].cell), goals[i].offset};
        blocked += factors[there[i].place] == 0;
    }
    if (factors[place_of(job.start)] == 0) {
        ck_assert_int_eq(plan->outcome, RP_OUTCOME_START_BLOCKED);
        return;
    }
    if (blocked == job.goal_count) {
        ck_assert_int_eq(plan->outcome, RP_OUTCOME_GOAL_BLOCKED);
        return;
    }
    rp_oracle_flood(oracle, place_of(job.start));
    const uint64_t cheapest = rp_oracle_cheapest(oracle, there, job.goal_count);
    if (cheapest == RP_ORACLE_NO_PATH) {
        ck_assert_int_eq(plan->outcome, RP_OUTCOME_NO_PATH);
        return;
    }
    ck_assert_int_eq(plan->outcome, RP_OUTCOME_FOUND);
    for (size_t i = 0; i < plan->path.count; i++) {
        places[i] = place_of(plan->path.cells[i]);
    }
    uint64_t whole;
    double lengths;
    ck_assert_uint_eq(places[0], place_of(job.start));
    ck_assert(rp_oracle_measure(oracle, places, plan->path.count, &whole, &lengths));
    size_t goal = 0;
    while (there[goal].place != places[plan->path.count - 1u]) {
        ck_assert_uint_lt(++goal, job.goal_count);
    }
    ck_assert_uint_eq(whole + rp_oracle_offset(oracle, there[goal].offset), cheapest);
}

/// A version before each slice. @return slices
static unsigned come_to_an_end(uint64_t slice)
{
    rp_plan_t plan;
    uint64_t of = 0;
    unsigned slices = 0;
    rp_status_t status = RP_MORE;
    while (status == RP_MORE) {
        uint64_t budget = slice;
        write_version(6);
        job.world_version = version;
        status = rp_frozen_search_work(&frozen, &job, &budget, &plan, &of);
        ck_assert_uint_le(budget, slice);
        ck_assert(status != RP_MORE || frozen.is_busy);
        ck_assert_uint_le(++slices, 1000);
    }
    ck_assert_int_eq(status, RP_OK);
    ck_assert(!frozen.is_busy);
    ck_assert_uint_ge(of, 1);
    ck_assert_uint_le(of, version);
    ck_assert_str_eq(plan.stats.planner, job.planner->id);
    check_plan(&plan, of);
    return slices;
}

START_TEST(it_finds_the_best_for_the_version_that_it_names)
{
    unsigned slices = 0;
    begin(_i + 1u);
    for (unsigned round = 0; round < RP_ROUNDS(16); round++) {
        choose_job();
        slices += come_to_an_end(rp_random_between(&rng, 4, 30));
    }
    ck_assert_uint_gt(slices, RP_ROUNDS(16));
}
END_TEST

START_TEST(it_serves_nobody_else_while_it_is_busy)
{
    rp_plan_t plan;
    uint64_t of;
    uint64_t budget = 1;
    begin(1);
    ck_assert(rp_frozen_search_is_for(&frozen, &users[0]) &&
              rp_frozen_search_is_for(&frozen, &users[1]));
    choose_job();
    job.user = &users[0];
    job.world_version = version;
    ck_assert_int_eq(rp_frozen_search_work(&frozen, &job, &budget, &plan, &of), RP_MORE);
    ck_assert(rp_frozen_search_is_for(&frozen, &users[0]));
    ck_assert(!rp_frozen_search_is_for(&frozen, &users[1]));
    (void)come_to_an_end(UINT64_MAX);
    ck_assert(rp_frozen_search_is_for(&frozen, &users[1]));
}
END_TEST

START_TEST(what_a_search_took_is_paid_for_when_it_endpoints_too)
{
    rp_plan_t plan;
    uint64_t of;
    uint64_t budget = 1000000;
    begin(1);
    job.planner = rp_planner_find("astar");
    job.goal_count = 1;
    do {
        job.start = random_cell();
        goals[0] = (rp_goal_t){random_cell(), 0};
        job.world_version = version;
        ck_assert_int_eq(rp_frozen_search_work(&frozen, &job, &budget, &plan, &of), RP_OK);
    } while (plan.stats.expanded < 50);
    const uint64_t before = budget;
    ck_assert_int_eq(rp_frozen_search_work(&frozen, &job, &budget, &plan, &of), RP_OK);
    ck_assert_uint_ge(before - budget, plan.stats.expanded);
}
END_TEST

START_TEST(only_whom_it_serves_can_have_it_forget_and_then_it_holds_nothing)
{
    begin(1);
    ck_assert_uint_eq(rp_frozen_search_bytes(&frozen), 0);
    choose_job();
    job.user = &users[0];
    (void)come_to_an_end(100);
    const uint64_t held = rp_frozen_search_bytes(&frozen);
    ck_assert_uint_gt(held, 2u * layer.grid->cell_count); // snapshot and planner
    rp_frozen_search_forget(&frozen, &users[1]);
    ck_assert_uint_eq(rp_frozen_search_bytes(&frozen), held);
    rp_frozen_search_forget(&frozen, &users[0]);
    ck_assert_uint_eq(rp_frozen_search_bytes(&frozen), 0);
    (void)come_to_an_end(100);
}
END_TEST

int main(void)
{
    const TTest *const rounds[] = {it_finds_the_best_for_the_version_that_it_names};
    const TTest *const once[] = {
        it_serves_nobody_else_while_it_is_busy,
        what_a_search_took_is_paid_for_when_it_endpoints_too,
        only_whom_it_serves_can_have_it_forget_and_then_it_holds_nothing,
    };
    const int failed = rp_suite_run("frozen_search: searches", rounds, 1, 6, tear_down);
    return rp_suite_run("frozen_search", once, sizeof once / sizeof once[0], 1, tear_down) + failed;
}
