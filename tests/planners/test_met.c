/// What a search pays for memory that it comes to: each page once, and only on large grids.
#include "planners/search/met.h"

#include "tests/support/suite.h"

static uint64_t paid(rp_met_t *met, rp_cell_t cell)
{
    uint64_t budget = 1000000;
    rp_met_note(met, cell, &budget);
    return 1000000 - budget;
}

START_TEST(small_grids_are_free)
{
    rp_met_t met = rp_met_none(RP_MET_FROM - 1u, 16);
    ck_assert_uint_eq(paid(&met, 1), 0);
    ck_assert_uint_eq(paid(&met, RP_MET_FROM - 2u), 0);
}
END_TEST

START_TEST(each_page_is_paid_for_once)
{
    const rp_cell_t page = 1u << 17; // cells of 16 bytes
    rp_met_t met = rp_met_none(100u * page, 16);
    ck_assert_uint_eq(paid(&met, 50u * page + 7u), RP_MET_PRICE);
    ck_assert_uint_eq(paid(&met, 50u * page), 0);
    ck_assert_uint_eq(paid(&met, 51u * page - 1u), 0);
    ck_assert_uint_eq(paid(&met, 51u * page), RP_MET_PRICE);
    ck_assert_uint_eq(paid(&met, 50u * page - 1u), RP_MET_PRICE);
    ck_assert_uint_eq(paid(&met, 0), RP_MET_PRICE);
    ck_assert_uint_eq(paid(&met, 100u * page - 1u), RP_MET_PRICE);
    ck_assert_uint_eq(met.paid, 5u * RP_MET_PRICE);
}
END_TEST

START_TEST(pages_hold_as_many_cells_as_their_bytes_allow)
{
    rp_met_t met = rp_met_none(1u << 24, 4);
    ck_assert_uint_eq(paid(&met, 0), RP_MET_PRICE);
    ck_assert_uint_eq(paid(&met, (1u << 19) - 1u), 0);
    ck_assert_uint_eq(paid(&met, 1u << 19), RP_MET_PRICE);
}
END_TEST

START_TEST(the_largest_grid_has_pages_enough)
{
    const uint32_t cells = (RP_GRID_SIDE_MAX + 2u) * (RP_GRID_SIDE_MAX + 2u);
    const rp_met_t met = rp_met_none(cells, 64);
    ck_assert_uint_lt((cells - 1u) >> met.shift, RP_MET_WORDS * 64u);
}
END_TEST

START_TEST(a_budget_ends_at_nothing)
{
    rp_met_t met = rp_met_none(1u << 24, 16);
    uint64_t budget = 3;
    rp_met_note(&met, 5, &budget);
    ck_assert_uint_eq(budget, 0);
    ck_assert_uint_eq(met.paid, 3);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        small_grids_are_free,
        each_page_is_paid_for_once,
        pages_hold_as_many_cells_as_their_bytes_allow,
        the_largest_grid_has_pages_enough,
        a_budget_ends_at_nothing,
    };
    return rp_suite_run("met", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
