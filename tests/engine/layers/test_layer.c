/// The ring of batches: who catches up by it ends where a fresh planner begins.
#include <string.h>

#include "engine/layers/layer.h"
#include "planners/papers/papers.h"
#include "tests/support/contestant.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE 24u

static rp_layer_t layer;
static rp_planner_t *planner;
static rp_random_t rng;
static uint64_t version;

static void tear_down(void)
{
    rp_planner_destroy(&planner);
    rp_layer_fini(&layer);
}

static void begin(uint32_t side)
{
    rp_profile_t profile;
    static uint8_t bytes[200 * 200];
    const rp_grid_shape_t shape = {.width = side, .height = side, .neighbors = 8};
    memset(bytes, 1, sizeof bytes);
    rng = (rp_random_t){3};
    version = 1;
    ck_assert(rp_profile_find("factor", &profile));
    ck_assert_int_eq(rp_layer_init(&layer, &shape, &profile, NULL, bytes, version), RP_OK);
    uint64_t budget = UINT64_MAX;
    ck_assert_int_eq(rp_layer_derive(&layer, version, &budget), RP_OK);
}

static rp_cell_t at(uint32_t x, uint32_t y)
{
    return rp_grid_cell(layer.grid, x, y);
}

/// Without inflation the layer wants to know nothing but the cell and its new byte.
static void write_byte(rp_cell_t cell, uint8_t byte)
{
    const rp_written_t written = {.cell = cell, .after = byte};
    rp_layer_write(&layer, &written);
}

/// One version that writes `count` cells of the first rows, some of them twice.
static void write_version(uint32_t count)
{
    ck_assert_int_eq(rp_layer_begin(&layer, 2u * (size_t)count), RP_OK);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t y = 1u + rp_random_below(&rng, SIDE - 2u);
        const rp_cell_t cell = at(1u + rp_random_below(&rng, SIDE - 2u), y);
        write_byte(cell, rp_random_chance(&rng, 40) ? 0 : 1);
        write_byte(cell, rp_random_chance(&rng, 40) ? 0 : 1);
    }
    (void)rp_layer_commit(&layer, ++version);
}

static double cost_of(rp_planner_t *asked)
{
    rp_plan_t plan;
    ck_assert_int_eq(rp_planner_plan(asked, UINT64_MAX, &plan), RP_OK);
    return plan.outcome == RP_OUTCOME_FOUND ? plan.cost : -1.0;
}

static void aim(rp_planner_t *asked)
{
    ck_assert_int_eq(rp_planner_set_start(asked, at(0, 0)), RP_OK);
    ck_assert_int_eq(rp_planner_set_goal(asked, at(SIDE - 1u, SIDE - 1u)), RP_OK);
}

static double fresh_cost(void)
{
    rp_planner_t *fresh;
    ck_assert_int_eq(rp_planner_new("astar", NULL, &fresh), RP_OK);
    ck_assert_int_eq(rp_planner_bind(fresh, layer.grid), RP_OK);
    aim(fresh);
    const double cost = cost_of(fresh);
    rp_planner_destroy(&fresh);
    return cost;
}

START_TEST(every_planner_catches_up_over_any_number_of_versions)
{
    rp_contestant_t contestant;
    for (size_t i = 0; rp_contestant_at(i, &contestant); i++) {
        begin(SIDE);
        ck_assert_int_eq(rp_papers_new(contestant.info->id, &contestant.options, &planner), RP_OK);
        if (rp_planner_bind(planner, layer.grid) != RP_OK) {
            tear_down(); // not in such a world
            continue;
        }
        aim(planner);
        uint64_t heard = version;
        for (int round = 0; round < 40; round++) {
            for (uint32_t versions = rp_random_below(&rng, 5); versions != 0; versions--) {
                write_version(rp_random_below(&rng, 30));
            }
            ck_assert_int_eq(rp_layer_catch_up(&layer, planner, heard), RP_OK);
            heard = version;
            const double cost = cost_of(planner);
            ck_assert_msg(cost == fresh_cost(), "%s: %g, not %g in round %d", contestant.name, cost,
                          fresh_cost(), round);
        }
        tear_down();
    }
}
END_TEST

START_TEST(a_cell_written_twice_in_a_version_is_told_once)
{
    begin(SIDE);
    ck_assert_int_eq(rp_layer_begin(&layer, 4), RP_OK);
    write_byte(at(3, 3), 0);
    write_byte(at(4, 3), 0);
    write_byte(at(3, 3), 9);
    write_byte(at(4, 3), 1);
    ck_assert_uint_eq(rp_layer_commit(&layer, 2), 1);
    ck_assert_uint_eq(layer.open_batch[0].cell, at(3, 3));
    ck_assert_uint_eq(layer.open_batch[0].before, 1);
    ck_assert_uint_eq(layer.open_batch[0].after, 9);
}
END_TEST

START_TEST(who_slept_longer_than_the_ring_must_bind_again)
{
    begin(SIDE);
    ck_assert_int_eq(rp_planner_new("dstar-lite", NULL, &planner), RP_OK);
    ck_assert_int_eq(rp_planner_bind(planner, layer.grid), RP_OK);
    aim(planner);
    (void)cost_of(planner);
    const uint64_t heard = version;
    while (layer.known_since <= heard) {
        write_version(400);
        ck_assert_uint_lt(version, 1000);
    }
    ck_assert_int_eq(rp_layer_catch_up(&layer, planner, heard), RP_E_LIMIT);
    ck_assert_int_eq(rp_layer_catch_up(&layer, planner, layer.known_since - 1u), RP_E_LIMIT);
    ck_assert_int_eq(rp_layer_catch_up(&layer, planner, layer.known_since), RP_OK);
    ck_assert_int_eq(rp_planner_bind(planner, layer.grid), RP_OK);
    aim(planner);
    ck_assert_double_eq(cost_of(planner), fresh_cost());
    const uint64_t bound = version;
    write_version(3);
    ck_assert_int_eq(rp_layer_catch_up(&layer, planner, bound), RP_OK);
    ck_assert_double_eq(cost_of(planner), fresh_cost());
}
END_TEST

START_TEST(the_ring_forgets_no_version_that_it_says_to_know)
{
    begin(SIDE);
    for (int i = 0; i < 300; i++) {
        write_version(rp_random_below(&rng, 60));
        uint64_t expected = layer.known_since;
        for (size_t k = 0; k < layer.count; k++) {
            const rp_batch_t *batch = layer.batches[(layer.first + k) & (layer.capacity - 1u)];
            ck_assert_uint_gt(batch->version, expected);
            expected = batch->version;
        }
        ck_assert_uint_le(expected, version);
    }
    ck_assert_uint_gt(layer.known_since, 1); // it did forget
}
END_TEST

START_TEST(a_version_larger_than_the_ring_is_not_kept)
{
    begin(200);
    ck_assert_int_eq(rp_layer_begin(&layer, 200u * 200u), RP_OK);
    for (uint32_t i = 0; i < 200u * 200u; i++) {
        write_byte(at(i % 200u, i / 200u), 3);
    }
    ck_assert_uint_eq(rp_layer_commit(&layer, 2), 200u * 200u);
    ck_assert_uint_eq(layer.known_since, 2);
    ck_assert_uint_eq(layer.count, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        every_planner_catches_up_over_any_number_of_versions,
        a_cell_written_twice_in_a_version_is_told_once,
        who_slept_longer_than_the_ring_must_bind_again,
        the_ring_forgets_no_version_that_it_says_to_know,
        a_version_larger_than_the_ring_is_not_kept,
    };
    return rp_suite_run("layer", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
