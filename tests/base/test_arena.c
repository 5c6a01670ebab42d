/// Arrays that end together: zeroed, given back at once, and one word when memory was short.
#include "base/arena.h"

#include <string.h>

#include "tests/support/suite.h"

static rp_arena_t arena;
static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
}

static bool is_zeroed(const unsigned char *bytes, size_t count)
{
    size_t i = 0;
    while (i < count && bytes[i] == 0) {
        i++;
    }
    return i == count;
}

START_TEST(arrays_are_zeroed_and_apart)
{
    unsigned char *plain = rp_arena_new(&arena, 300, 1);
    unsigned char *dense = rp_arena_new_dense(&arena, 3u << 20, 1);
    unsigned char *sparse = rp_arena_new_sparse(&arena, 1u << 20, 4);
    ck_assert(!arena.is_short);
    ck_assert_uint_eq(arena.count, 3);
    memset(plain, 1, 300);
    memset(dense, 2, 3u << 20);
    ck_assert(is_zeroed(sparse, 4u << 20));
    rp_arena_free(&arena, NULL);
    ck_assert(is_zeroed(rp_arena_new(&arena, 300, 1), 300));
    rp_arena_free(&arena, NULL);
    ck_assert_uint_eq(arena.count, 0);
}
END_TEST

START_TEST(bytes_are_those_that_were_met)
{
    uint32_t now = 0;
    uint32_t most = 0;
    (void)rp_arena_new(&arena, 300, 2);
    ck_assert_uint_eq(rp_arena_bytes(&arena), 600);
    (void)rp_arena_new_sparse(&arena, 1u << 20, 4);
    ck_assert_uint_eq(rp_arena_bytes(&arena), 600);
    rp_arena_note(&arena, &now, &most, 4);
    (void)rp_arena_new(&arena, 1000, 8);
    rp_arena_note(&arena, &now, &most, 8);
    now = 7;
    ck_assert_uint_eq(rp_arena_bytes(&arena), 600 + 7 * (4 + 8));
    now = 2;
    most = 5;
    arena.beside = 11;
    ck_assert_uint_eq(rp_arena_bytes(&arena), 600 + 5 * (4 + 8) + 11);
    rp_arena_free(&arena, NULL);
    ck_assert_uint_eq(rp_arena_bytes(&arena), 0);
}
END_TEST

START_TEST(large_arrays_go_to_the_deferred_free)
{
    rp_deferred_free_t deferred_free = {0};
    (void)rp_arena_new(&arena, 5u << 20, 1);
    rp_arena_free(&arena, &deferred_free);
    ck_assert_uint_eq(arena.count, 0);
    ck_assert(!rp_deferred_free_is_empty(&deferred_free));
    rp_deferred_free_fini(&deferred_free);
}
END_TEST

START_TEST(what_could_not_be_had_is_noted_until_all_is_given_back)
{
    ck_assert_ptr_nonnull(rp_arena_new(&arena, 8, 8));
    ck_assert_ptr_null(rp_arena_new(&arena, SIZE_MAX, 2));
    ck_assert(arena.is_short);
    ck_assert_ptr_nonnull(rp_arena_new_sparse(&arena, 8, 8)); // and is given back with the rest
    ck_assert(arena.is_short);
    rp_arena_free(&arena, NULL);
    ck_assert(!arena.is_short);
}
END_TEST

START_TEST(more_arrays_than_it_holds_are_refused)
{
    for (unsigned i = 0; i < RP_ARENA_MOST; i++) {
        ck_assert_ptr_nonnull(rp_arena_new(&arena, 1, 1));
    }
    ck_assert(!arena.is_short);
    ck_assert_ptr_null(rp_arena_new(&arena, 1, 1));
    ck_assert(arena.is_short);
    rp_arena_free(&arena, NULL);
    const uint32_t count = 0;
    for (unsigned i = 0; i < RP_ARENA_PARTS; i++) {
        rp_arena_note(&arena, &count, &count, 1);
    }
    ck_assert(!arena.is_short);
    rp_arena_note(&arena, &count, &count, 1);
    ck_assert(arena.is_short);
    rp_arena_free(&arena, NULL);
}
END_TEST

START_TEST(an_array_by_cell_is_met_as_a_search_comes_to_it)
{
    const uint32_t cells = 1u << 20;
    rp_prefault_t prefault;
    uint64_t budget = UINT64_MAX;
    uint32_t *array = rp_arena_new_by_cell(&arena, &prefault, cells, sizeof *array, 1024);
    ck_assert_uint_eq(prefault.cells, cells);
    rp_prefault_note(&prefault, cells / 2u, &budget);
    array[cells / 2u] = 1;
    rp_arena_free(&arena, NULL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        arrays_are_zeroed_and_apart,
        bytes_are_those_that_were_met,
        large_arrays_go_to_the_deferred_free,
        what_could_not_be_had_is_noted_until_all_is_given_back,
        more_arrays_than_it_holds_are_refused,
        an_array_by_cell_is_met_as_a_search_comes_to_it,
    };
    return rp_suite_run("arena", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
