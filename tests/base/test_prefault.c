/// What a search pays for memory that it comes to: each page once, and only on large grids. And
/// that it comes to blocks, not to single pages.
#include "base/prefault.h"

#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "replan/grid.h"

#include "tests/support/suite.h"

static uint64_t paid(rp_prefault_t *prefault, rp_cell_t cell)
{
    uint64_t budget = 1000000;
    rp_prefault_note(prefault, cell, &budget);
    return 1000000 - budget;
}

START_TEST(small_grids_are_free)
{
    rp_prefault_t prefault = rp_prefault_none(NULL, RP_PREFAULT_FROM - 1u, 16, 1000);
    ck_assert_uint_eq(paid(&prefault, 1), 0);
    ck_assert_uint_eq(paid(&prefault, RP_PREFAULT_FROM - 2u), 0);
}
END_TEST

START_TEST(each_page_is_paid_for_once)
{
    const rp_cell_t page = 1u << 17; // cells of 16 bytes
    rp_prefault_t prefault = rp_prefault_none(NULL, 100u * page, 16, 1000);
    ck_assert_uint_eq(paid(&prefault, 50u * page + 7u), RP_PREFAULT_PRICE);
    ck_assert_uint_eq(paid(&prefault, 50u * page), 0);
    ck_assert_uint_eq(paid(&prefault, 51u * page - 1u), 0);
    ck_assert_uint_eq(paid(&prefault, 51u * page), RP_PREFAULT_PRICE);
    ck_assert_uint_eq(paid(&prefault, 50u * page - 1u), RP_PREFAULT_PRICE);
    ck_assert_uint_eq(paid(&prefault, 0), RP_PREFAULT_PRICE);
    ck_assert_uint_eq(paid(&prefault, 100u * page - 1u), RP_PREFAULT_PRICE);
    ck_assert_uint_eq(prefault.paid, 5u * RP_PREFAULT_PRICE);
}
END_TEST

START_TEST(pages_hold_as_many_cells_as_their_bytes_allow)
{
    rp_prefault_t prefault = rp_prefault_none(NULL, 1u << 24, 4, 1000);
    ck_assert_uint_eq(paid(&prefault, 0), RP_PREFAULT_PRICE);
    ck_assert_uint_eq(paid(&prefault, (1u << 19) - 1u), 0);
    ck_assert_uint_eq(paid(&prefault, 1u << 19), RP_PREFAULT_PRICE);
}
END_TEST

START_TEST(the_largest_grid_has_blocks_enough)
{
    const uint32_t cells = (RP_GRID_SIDE_MAX + 2u) * (RP_GRID_SIDE_MAX + 2u);
    const rp_prefault_t prefault = rp_prefault_none(NULL, cells, 64, RP_GRID_SIDE_MAX + 2u);
    ck_assert_uint_lt((cells - 1u) >> prefault.shift, RP_PREFAULT_WORDS * 64u);
}
END_TEST

START_TEST(a_budget_ends_at_nothing)
{
    rp_prefault_t prefault = rp_prefault_none(NULL, 1u << 24, 16, 1000);
    uint64_t budget = 3;
    rp_prefault_note(&prefault, 5, &budget);
    ck_assert_uint_eq(budget, 0);
    ck_assert_uint_eq(prefault.paid, 3);
}
END_TEST

/// Small pages of an array that are resident. [count bytes]
static size_t resident(unsigned char *bytes, size_t count)
{
    static unsigned char pages[1024];
    ck_assert_uint_le(count / RP_MEMORY_PAGE, sizeof pages);
    ck_assert_int_eq(mincore(bytes, count, pages), 0);
    size_t sum = 0;
    for (size_t i = 0; i < count / RP_MEMORY_PAGE; i++) {
        sum += pages[i] & 1u;
    }
    return sum;
}

/// Where the sanitizers have memory from the heap, and on old systems, pages come one by one.
START_TEST(a_block_is_met_with_the_rows_beside_it)
{
    const uint32_t stride = 1024;
    const uint32_t cells = 1u << 19;
    unsigned char *bytes = rp_memory_new_sparse(cells, 4);
    if ((uintptr_t)bytes % RP_MEMORY_PAGE == 0 && resident(bytes, 4u * (size_t)cells) == 0) {
        rp_prefault_t prefault = rp_prefault_none(bytes, cells, 4, stride);
        ck_assert_uint_eq(paid(&prefault, cells / 2u), 0);
        const size_t met_pages = resident(bytes, 4u * (size_t)cells);
        const size_t block = RP_MEMORY_BLOCK / RP_MEMORY_PAGE;
        const size_t rows = 4u * (stride + 1u) / RP_MEMORY_PAGE + 1u;
        ck_assert_uint_ge(met_pages, block + 2u);
        ck_assert_uint_le(met_pages, block + 2u * rows);
        ck_assert_uint_eq(paid(&prefault, cells / 2u + 1u), 0);
        ck_assert_uint_eq(resident(bytes, 4u * (size_t)cells), met_pages);
    }
    rp_memory_free(bytes, cells, 4, NULL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        small_grids_are_free,
        each_page_is_paid_for_once,
        pages_hold_as_many_cells_as_their_bytes_allow,
        the_largest_grid_has_blocks_enough,
        a_budget_ends_at_nothing,
        a_block_is_met_with_the_rows_beside_it,
    };
    return rp_suite_run("prefault", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
