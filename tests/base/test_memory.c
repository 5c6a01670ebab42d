/// Memory of a search: zeroed whatever its size, refused instead of wrapped round.
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tests/support/suite.h"

static bool is_zero(const unsigned char *bytes, size_t count)
{
    return count == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1u) == 0);
}

/// Sizes on both sides of a mapping and of a huge page; twice, as memory given back may come again.
START_TEST(memory_is_zeroed_and_writable_to_its_end)
{
    static const size_t sizes[] = {
        1,       7,        4096,     98303u,          98304u,    (1u << 20) - 1u, 1u << 20,
        1234567, 1703936u, 2u << 20, (2u << 20) + 1u, 15000000u, 9u << 20};
    for (size_t i = 0; i < 2u * sizeof sizes / sizeof sizes[0]; i++) {
        const size_t size = sizes[i / 2u];
        unsigned char *bytes = rp_memory_new(size, 1);
        ck_assert_ptr_nonnull(bytes);
        ck_assert(is_zero(bytes, size));
        memset(bytes, 0xa5, size);
        rp_memory_free(bytes, size, 1, NULL);
        unsigned char *sparse = rp_memory_new_sparse(size, 1);
        ck_assert_ptr_nonnull(sparse);
        ck_assert(is_zero(sparse, size));
        memset(sparse, 0xa5, size);
        rp_memory_free(sparse, size, 1, NULL);
        unsigned char *dense = rp_memory_new_dense(size, 1);
        ck_assert_ptr_nonnull(dense);
        ck_assert(is_zero(dense, size));
        memset(dense, 0xa5, size);
        rp_memory_free(dense, size, 1, NULL);
    }
}
END_TEST

START_TEST(things_are_aligned_for_any_use)
{
    for (size_t count = 1; count < 4000000u; count = 3u * count + 1u) {
        void *memory = rp_memory_new(count, 16);
        ck_assert_uint_eq((uintptr_t)memory % 16u, 0);
        rp_memory_free(memory, count, 16, NULL);
    }
}
END_TEST

#ifndef RP_SANITIZED // sanitizers take all of it from the heap
/// Else it would be chance how much of an array lies in small pages. Of each size there are two, as
/// a system that begins elsewhere may hit upon such an address by chance.
START_TEST(large_arrays_begin_where_a_huge_page_may)
{
    const size_t huge_page = 2u << 20;
    for (size_t count = huge_page; count < 8u * huge_page; count += 777777u) {
        void *one = rp_memory_new_dense(count, 1);
        void *other = rp_memory_new_dense(count, 1);
        ck_assert_uint_eq((uintptr_t)one % huge_page, 0);
        ck_assert_uint_eq((uintptr_t)other % huge_page, 0);
        rp_memory_free(one, count, 1, NULL);
        rp_memory_free(other, count, 1, NULL);
    }
}
END_TEST
#endif

START_TEST(nothing_is_memory_too)
{
    void *memory = rp_memory_new(0, 8);
    ck_assert_ptr_nonnull(memory);
    rp_memory_free(memory, 0, 8, NULL);
    rp_memory_free(NULL, 5, 8, NULL);
}
END_TEST

START_TEST(memory_that_was_met_is_as_it_was)
{
    const size_t count = 5u << 20;
    unsigned char *bytes = rp_memory_new(count, 1);
    memset(bytes, 0xa5, count / 2u);
    rp_memory_prefault(bytes, count, 1, count / 4u, count);
    ck_assert_int_eq(bytes[0], 0xa5);
    ck_assert_int_eq(memcmp(bytes, bytes + 1, count / 2u - 1u), 0);
    ck_assert(is_zero(bytes + count / 2u, count - count / 2u));
    rp_memory_free(bytes, count, 1, NULL);
}
END_TEST

START_TEST(memory_that_is_touched_is_as_it_was)
{
    static const size_t counts[] = {1u, 5000u, 98304u, (1u << 20) + 1u, 5u << 20};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        unsigned char *bytes = rp_memory_new(counts[i], 1);
        memset(bytes, 0xa5, counts[i]);
        rp_memory_touch(bytes, counts[i]);
        rp_memory_touch(bytes + counts[i], 0);
        ck_assert_int_eq(bytes[0], 0xa5);
        ck_assert_int_eq(memcmp(bytes, bytes + 1, counts[i] - 1u), 0);
        rp_memory_free(bytes, counts[i], 1, NULL);
    }
    rp_memory_touch(NULL, 5);
}
END_TEST

START_TEST(sizes_that_overflow_are_refused)
{
    ck_assert_ptr_null(rp_memory_new(SIZE_MAX, 2));
    ck_assert_ptr_null(rp_memory_new(SIZE_MAX - 1u, 1));
    ck_assert_ptr_null(rp_memory_new(SIZE_MAX / 8u + 1u, 8));
    ck_assert_ptr_null(rp_memory_new(2, SIZE_MAX / 2u + 1u));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        memory_is_zeroed_and_writable_to_its_end,
        things_are_aligned_for_any_use,
#ifndef RP_SANITIZED
        large_arrays_begin_where_a_huge_page_may,
#endif
        nothing_is_memory_too,
        memory_that_is_touched_is_as_it_was,
        memory_that_was_met_is_as_it_was,
        sizes_that_overflow_are_refused,
    };
    return rp_suite_run("memory", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
