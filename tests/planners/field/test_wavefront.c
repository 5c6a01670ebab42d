/// A wavefront leaves a field as the ring would have, or the heap: the same cells closed, at the
/// same cost, and no fewer that wait.
#include <string.h>

#include "planners/field/field_check.h"
#include "planners/field/wavefront.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define SIDE 40u

static rp_grid_t *grid;
static rp_field_t by_ring;
static rp_field_t by_wave;
static rp_wavefront_t wave;
static rp_random_t rng;

static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
    rp_grid_destroy(&grid);
}

#define BLIND 1u
#define TORUS 2u

/// What wavefronts are right for: only a blind one goes round a torus.
static const unsigned kinds[] = {0, BLIND, BLIND | TORUS};
#define KINDS (sizeof kinds / sizeof kinds[0])

/// A random world, and two fields on it. @param kind  of BLIND, TORUS
static void begin(unsigned kind, uint32_t blocked_percent)
{
    const rp_grid_shape_t shape = {.width = SIDE,
                                   .height = SIDE,
                                   .neighbors = 4,
                                   .wraps = (kind & TORUS) != 0,
                                   .unit = 1,
                                   .least = 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    for (uint32_t place = 0; place < SIDE * SIDE; place++) {
        if (rp_random_chance(&rng, blocked_percent)) {
            (void)rp_grid_set(grid, rp_grid_cell(grid, place % SIDE, place / SIDE), 0);
        }
    }
    rp_field_init(&by_ring, grid, &arena);
    rp_field_init(&by_wave, grid, &arena);
    rp_wavefront_init(&wave, grid, &arena);
    rp_field_set_blind(&by_ring, (kind & BLIND) != 0);
    rp_field_set_blind(&by_wave, (kind & BLIND) != 0);
}

static rp_cell_t draw_free_cell(void)
{
    for (;;) {
        const uint32_t y = rp_random_below(&rng, SIDE);
        const rp_cell_t cell = rp_grid_cell(grid, rp_random_below(&rng, SIDE), y);
        if (grid->factor[cell] != 0) {
            return cell;
        }
    }
}

/// Grow both. @param portion  expansions before the wavefront is interrupted for the first time
static void grow(uint64_t portion)
{
    rp_search_stats_t stats = {0};
    const rp_cell_t root = draw_free_cell();
    const rp_cell_t apex = draw_free_cell();
    const rp_cost_t slack = rp_random_below(&rng, 8);
    uint64_t budget = UINT64_MAX;
    rp_field_begin(&by_ring, root, apex);
    rp_field_begin(&by_wave, root, apex);
    ck_assert(rp_wavefront_suits(&wave, &by_wave));
    ck_assert(rp_field_grow(&by_ring, 0, slack, RP_COST_INF, &budget, &stats));
    while (!rp_wavefront_grow(&wave, &by_wave, slack, &portion, &stats)) {
        ck_assert(rp_wavefront_is_rolling(&wave));
        portion = 1;
    }
    budget = UINT64_MAX;
    ck_assert(rp_field_grow(&by_wave, 0, slack, RP_COST_INF, &budget, &stats));
}

static void compare(void)
{
    ck_assert_uint_eq(by_wave.limit, by_ring.limit);
    ck_assert(rp_field_check(&by_wave, false));
    for (rp_cell_t cell = 0; cell < grid->cell_count; cell++) {
        if (rp_field_at(&by_ring, cell) != RP_COST_INF) {
            ck_assert_uint_eq(rp_field_at(&by_wave, cell), rp_field_at(&by_ring, cell));
        }
        if (rp_grid_holds(grid, cell)) {
            ck_assert_int_eq(rp_node_is_closed(&by_wave.nodes[cell], by_wave.build),
                             rp_node_is_closed(&by_ring.nodes[cell], by_ring.build));
        }
    }
}

START_TEST(a_wave_leaves_the_field_that_the_ring_would_have)
{
    for (uint32_t world = 0; world < RP_ROUNDS(20u); world++) {
        rng = (rp_random_t){world};
        begin(kinds[_i], world % 5u * 10u);
        for (unsigned round = 0; round < 20; round++) {
            grow(UINT64_MAX);
            compare();
        }
        tear_down();
    }
}
END_TEST

START_TEST(a_wave_that_is_interrupted_is_gone_on_with)
{
    rng = (rp_random_t){7};
    begin(kinds[_i], 25);
    for (uint64_t portion = 0; portion < 200; portion++) {
        grow(portion);
        compare();
    }
}
END_TEST

/// Free some cells; both fields hear of it. @return the number of them
static size_t free_some(void)
{
    rp_change_t changes[16];
    size_t count = 0;
    for (unsigned i = 0; i < 16; i++) {
        const uint32_t y = rp_random_below(&rng, SIDE);
        const rp_cell_t cell = rp_grid_cell(grid, rp_random_below(&rng, SIDE), y);
        if (grid->factor[cell] == 0) {
            changes[count++] = (rp_change_t){cell, rp_grid_set(grid, cell, 1), 1};
        }
    }
    rp_field_apply(&by_ring, changes, count);
    rp_field_apply(&by_wave, changes, count);
    return count;
}

/// @param portion  expansions between two interruptions
static void settle(uint64_t portion)
{
    rp_search_stats_t by_heap = {0};
    rp_search_stats_t by_list = {0};
    uint64_t budget = UINT64_MAX;
    ck_assert(rp_wavefront_can_settle(&wave, &by_wave));
    ck_assert(rp_field_settle(&by_ring, &budget, &by_heap));
    do {
        budget = portion;
    } while (!rp_wavefront_settle(&wave, &by_wave, &budget, &by_list));
    ck_assert(portion != UINT64_MAX || by_list.expanded == by_heap.expanded);
    compare();
}

START_TEST(what_became_cheaper_spreads_by_a_list_as_by_the_heap)
{
    static const uint64_t portions[] = {1, 7, 100, UINT64_MAX};
    unsigned settled = 0;
    for (uint32_t world = 0; world < RP_ROUNDS(20u); world++) {
        rng = (rp_random_t){world};
        begin(BLIND | (_i != 0 ? TORUS : 0u), 35 + world % 3u * 10u);
        grow(UINT64_MAX);
        for (unsigned round = 0; round < 20; round++) {
            settled += free_some() != 0;
            settle(portions[world % 4u]);
        }
        tear_down();
    }
    ck_assert_uint_gt(settled, 0);
}
END_TEST

START_TEST(an_aimed_field_is_left_to_the_heap)
{
    rng = (rp_random_t){5};
    begin(0, 25);
    ck_assert(!rp_wavefront_can_settle(&wave, &by_wave));
}
END_TEST

START_TEST(no_wave_begins_where_something_happened_already)
{
    uint64_t budget = 1;
    rp_search_stats_t stats = {0};
    rng = (rp_random_t){3};
    begin(0, 0);
    rp_field_begin(&by_wave, rp_grid_cell(grid, 5, 5), rp_grid_cell(grid, 9, 9));
    ck_assert(!rp_field_grow(&by_wave, 0, 0, RP_COST_INF, &budget, &stats));
    ck_assert(!rp_wavefront_suits(&wave, &by_wave));
}
END_TEST

int main(void)
{
    const TTest *const waves[] = {
        a_wave_leaves_the_field_that_the_ring_would_have,
        a_wave_that_is_interrupted_is_gone_on_with,
    };
    const TTest *const blind[] = {what_became_cheaper_spreads_by_a_list_as_by_the_heap};
    const TTest *const plain[] = {no_wave_begins_where_something_happened_already,
                                  an_aimed_field_is_left_to_the_heap};
    int failed = rp_suite_run("wavefront", waves, 2, KINDS, tear_down);
    failed += rp_suite_run("wave: blind", blind, 1, 2, tear_down);
    return rp_suite_run("wave: plain", plain, 2, 1, tear_down) + failed;
}
