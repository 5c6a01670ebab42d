/// Rubble: what was destroyed goes in parts, and counts until it is gone.
#include "replan/deferred_free.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "replan/planner.h"

#include "tests/support/suite.h"

#define MEGABYTE ((size_t)1 << 20)

static rp_deferred_free_t deferred_free;

static void tear_down(void)
{
    rp_deferred_free_fini(&deferred_free);
}

START_TEST(without_a_heap_memory_is_given_back_at_once)
{
    rp_memory_free(rp_memory_new(5u * MEGABYTE, 1), 5u * MEGABYTE, 1, NULL);
    ck_assert(!rp_deferred_free_add(NULL, NULL, 5u * MEGABYTE));
    ck_assert_uint_eq(rp_deferred_free_span(NULL), 0);
    rp_deferred_free_note(NULL, 0, 5);
}
END_TEST

START_TEST(what_is_small_never_lies_there)
{
    rp_memory_free(rp_memory_new(100, 1), 100, 1, &deferred_free);
    rp_memory_free(rp_memory_new(MEGABYTE / 2u, 1), MEGABYTE / 2u, 1, &deferred_free);
    ck_assert_uint_eq(deferred_free.count, 0);
    ck_assert(!rp_deferred_free_clear(&deferred_free, UINT64_MAX));
}
END_TEST

START_TEST(more_is_not_thought_to_be_resident_than_lies_there)
{
    rp_deferred_free_note(&deferred_free, 0, 12345);
    ck_assert_uint_eq(deferred_free.held, 0);
}
END_TEST

START_TEST(litter_is_swept_a_piece_for_each_page)
{
    unsigned rounds = 0;
    rp_deferred_free_block(&deferred_free, NULL, 0);
    rp_deferred_free_block(&deferred_free, malloc(3), 3); // too small to lie there
    ck_assert(rp_deferred_free_is_empty(&deferred_free));
    rp_deferred_free_block(NULL, malloc(100), 100);
    for (unsigned i = 0; i < 25; i++) {
        rp_deferred_free_block(&deferred_free, malloc(8u + i), 8u + i);
    }
    ck_assert(!rp_deferred_free_is_empty(&deferred_free));
    while (rp_deferred_free_clear(&deferred_free, 10u * RP_MEMORY_PAGE)) {
        rounds++;
    }
    ck_assert_uint_eq(rounds, 2);
    ck_assert(rp_deferred_free_is_empty(&deferred_free));
    rp_deferred_free_block(&deferred_free, malloc(100), 100); // goes with the heap
}
END_TEST

#ifndef RP_SANITIZED // sanitizers take all of it from the heap

START_TEST(arrays_are_cleared_in_parts)
{
    const size_t size = 8u * MEGABYTE;
    uint8_t *bytes = rp_memory_new(size, 1);
    memset(bytes, 1, size);
    rp_memory_free(bytes, size, 1, &deferred_free);
    rp_deferred_free_note(&deferred_free, 0, size);
    ck_assert_uint_eq(deferred_free.span, size);
    ck_assert(rp_deferred_free_clear(&deferred_free, size / 2u));
    ck_assert_uint_eq(deferred_free.span, size / 2u);
    ck_assert_uint_eq(deferred_free.held, size / 2u);
    ck_assert_uint_eq(bytes[size / 2u - 1u], 1); // the rest is still there
    ck_assert(!rp_deferred_free_clear(&deferred_free, size / 2u));
    ck_assert_uint_eq(deferred_free.held, 0);
}
END_TEST

START_TEST(a_part_may_end_within_an_array)
{
    const size_t sizes[] = {3u * MEGABYTE + 12345u, 5u * MEGABYTE + 1u, 2u * MEGABYTE};
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint8_t *bytes = rp_memory_new_sparse(sizes[i], 1);
        bytes[sizes[i] - 1u] = 1;
        rp_memory_free(bytes, sizes[i], 1, &deferred_free);
    }
    const uint64_t whole = deferred_free.span;
    unsigned parts = 1;
    while (rp_deferred_free_clear(&deferred_free, 300000)) {
        parts++;
    }
    ck_assert_uint_ge(parts, whole / 300000);
    ck_assert_uint_le(parts, whole / 290000);
    ck_assert_uint_eq(deferred_free.span, 0);
}
END_TEST

START_TEST(a_planner_leaves_its_memory_to_the_heap_of_its_grid)
{
    const rp_grid_shape_t shape = {
        .width = 1024, .height = 1024, .neighbors = 8, .unit = 1, .least = 1};
    rp_grid_t *grid;
    rp_planner_t *planner;
    rp_plan_t plan;
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    grid->deferred_free = &deferred_free;
    ck_assert_int_eq(rp_planner_new("auto", NULL, &planner), RP_OK);
    ck_assert_int_eq(rp_planner_bind(planner, grid), RP_OK);
    ck_assert_int_eq(rp_planner_set_start(planner, rp_grid_cell(grid, 3, 3)), RP_OK);
    ck_assert_int_eq(rp_planner_set_goal(planner, rp_grid_cell(grid, 1000, 900)), RP_OK);
    ck_assert_int_eq(rp_planner_plan(planner, UINT64_MAX, &plan), RP_OK);
    const uint64_t bytes = rp_planner_bytes(planner);
    rp_planner_destroy(&planner);
    ck_assert_uint_gt(deferred_free.span, deferred_free.held);
    ck_assert_uint_eq(deferred_free.held, bytes);
    rp_grid_destroy(&grid);
    ck_assert_uint_gt(deferred_free.held, bytes + 2u * MEGABYTE);
    ck_assert(rp_deferred_free_clear(&deferred_free, 2u * MEGABYTE));
}
END_TEST

#endif

int main(void)
{
    const TTest *const tests[] = {
        without_a_heap_memory_is_given_back_at_once,
        what_is_small_never_lies_there,
        more_is_not_thought_to_be_resident_than_lies_there,
        litter_is_swept_a_piece_for_each_page,
#ifndef RP_SANITIZED
        arrays_are_cleared_in_parts,
        a_part_may_end_within_an_array,
        a_planner_leaves_its_memory_to_the_heap_of_its_grid,
#endif
    };
    return rp_suite_run("deferred_free", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
