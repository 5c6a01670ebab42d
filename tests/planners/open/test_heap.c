/// OPEN as a heap: least key first, whatever was put in, filtered or appended.
#include "planners/open/heap.h"

#include <stdlib.h>

#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define ENTRIES 2000u

static int compare_keys(const void *a, const void *b)
{
    const rp_key_t left = *(const rp_key_t *)a;
    const rp_key_t right = *(const rp_key_t *)b;
    return (left > right) - (left < right);
}

static rp_heap_t new_heap(uint32_t cells)
{
    rp_heap_t heap;
    rp_heap_init(&heap, cells, &arena);
    return heap;
}

/// Take everything out. @return true when the keys are those given, least first
static bool pops_in_order(rp_heap_t *heap, rp_key_t *keys, uint32_t count)
{
    qsort(keys, count, sizeof *keys, compare_keys);
    bool is_right = heap->count == count;
    for (uint32_t i = 0; i < count && is_right; i++) {
        is_right = rp_heap_pop(heap).key == keys[i];
    }
    return is_right && heap->count == 0;
}

START_TEST(keys_are_ordered_by_first_then_by_second)
{
    ck_assert(rp_key(1, RP_COST_INF) < rp_key(2, 0));
    ck_assert(rp_key(2, 1) < rp_key(2, 2));
    ck_assert(rp_key(RP_COST_INF - 1u, RP_COST_INF) < rp_key(RP_COST_INF, 0));
    ck_assert(rp_key_first(rp_key(RP_COST_INF - 5u, 7)) == RP_COST_INF - 5u);
    ck_assert(rp_key_second(rp_key(RP_COST_INF - 5u, 7)) == 7u);
}
END_TEST

START_TEST(what_is_put_in_comes_out_least_first)
{
    static rp_key_t keys[ENTRIES];
    rp_random_t random = {3};
    rp_heap_t heap = new_heap(ENTRIES);
    for (uint32_t size = 0; size <= ENTRIES; size = size < 40u ? size + 1u : size * 2u + 1u) {
        for (uint32_t i = 0; i < size; i++) {
            const uint32_t k2 = rp_random_below(&random, 1000);
            keys[i] = rp_key(rp_random_below(&random, 50), k2);
            rp_heap_push(&heap, keys[i], i + 1u);
        }
        ck_assert(pops_in_order(&heap, keys, size));
    }
    rp_arena_free(&arena, NULL);
}
END_TEST

START_TEST(an_entry_keeps_its_cell)
{
    rp_random_t random = {5};
    rp_heap_t heap = new_heap(ENTRIES);
    for (uint32_t i = 0; i < ENTRIES; i++) {
        const uint32_t first = rp_random_below(&random, 1u << 20);
        rp_heap_push(&heap, rp_key(first, i), first ^ i);
    }
    bool is_right = true;
    while (heap.count != 0) {
        const rp_heap_entry_t entry = rp_heap_pop(&heap);
        is_right = is_right &&
                   entry.cell == (uint32_t)(rp_key_first(entry.key) ^ rp_key_second(entry.key));
    }
    ck_assert(is_right);
    rp_arena_free(&arena, NULL);
}
END_TEST

START_TEST(pushes_between_pops_keep_the_order)
{
    rp_random_t random = {9};
    rp_heap_t heap = new_heap(ENTRIES);
    uint32_t held[256] = {0}; // how many entries of each key stand in the heap
    bool is_right = true;
    for (uint32_t i = 0; i < 20000u; i++) {
        if (heap.count == 0 || (rp_random_chance(&random, 52) && !rp_heap_is_full(&heap))) {
            const uint32_t first = rp_random_below(&random, 256);
            rp_heap_push(&heap, rp_key(first, 0), 1);
            held[first]++;
            continue;
        }
        const uint32_t first = (uint32_t)rp_key_first(rp_heap_pop(&heap).key);
        for (uint32_t less = 0; less < first; less++) {
            is_right = is_right && held[less] == 0;
        }
        is_right = is_right && held[first]-- != 0;
    }
    ck_assert(is_right);
    rp_arena_free(&arena, NULL);
}
END_TEST

/// As a search does: read the least, open its place, put some in, fill the place or close it.
START_TEST(an_open_place_is_filled_or_closed)
{
    rp_random_t random = {11};
    rp_heap_t heap = new_heap(ENTRIES);
    uint32_t held[256] = {0}; // how many entries of each key stand in the heap
    bool is_right = true;
    rp_heap_push(&heap, rp_key(100, 0), 1);
    held[100]++;
    for (uint32_t i = 0; i < 20000u && heap.count != 0; i++) {
        const uint32_t first = (uint32_t)rp_key_first(heap.entries[0].key);
        for (uint32_t less = 0; less < first; less++) {
            is_right = is_right && held[less] == 0;
        }
        is_right = is_right && held[first]-- != 0;
        rp_heap_open(&heap);
        const uint32_t more = heap.count < ENTRIES / 2u ? rp_random_below(&random, 4) : 0u;
        for (uint32_t k = 0; k < more; k++) {
            const uint32_t next = rp_random_below(&random, 256); // lesser ones than the last, too
            rp_heap_push(&heap, rp_key(next, 0), 1);
            held[next]++;
        }
        if (heap.count == 1 || rp_random_chance(&random, 50)) {
            const uint32_t next = rp_random_below(&random, 256);
            rp_heap_fill(&heap, rp_key(next, 0), 1);
            held[next]++;
        } else {
            rp_heap_close(&heap);
        }
    }
    ck_assert(is_right);
    ck_assert_uint_gt(heap.count, 0);
    rp_arena_free(&arena, NULL);
}
END_TEST

START_TEST(restore_makes_a_heap_of_any_order)
{
    static rp_key_t keys[ENTRIES];
    rp_random_t random = {4};
    rp_heap_t heap = new_heap(ENTRIES);
    for (uint32_t size = 0; size <= ENTRIES; size = size < 40u ? size + 1u : size * 2u + 1u) {
        for (uint32_t i = 0; i < size; i++) {
            keys[i] = rp_key(rp_random_below(&random, 1000), i);
            heap.entries[i] = (rp_heap_entry_t){keys[i], 1};
        }
        heap.count = size;
        rp_heap_restore(&heap);
        ck_assert(pops_in_order(&heap, keys, size));
    }
    rp_arena_free(&arena, NULL);
}
END_TEST

START_TEST(there_is_room_for_more_than_one_entry_a_cell)
{
    rp_heap_t heap = new_heap(10);
    uint32_t count = 0;
    while (!rp_heap_is_full(&heap)) {
        rp_heap_push(&heap, rp_key(count, 0), 1);
        count++;
    }
    ck_assert_uint_gt(count, 10);
    ck_assert_uint_eq(heap.peak, count);
    rp_heap_pop(&heap);
    ck_assert(!rp_heap_is_full(&heap));
    ck_assert_uint_eq(heap.peak, count);
    rp_arena_free(&arena, NULL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        keys_are_ordered_by_first_then_by_second,
        what_is_put_in_comes_out_least_first,
        an_entry_keeps_its_cell,
        pushes_between_pops_keep_the_order,
        an_open_place_is_filled_or_closed,
        restore_makes_a_heap_of_any_order,
        there_is_room_for_more_than_one_entry_a_cell,
    };
    return rp_suite_run("heap", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
