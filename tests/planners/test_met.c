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
    const rp_grid_t grid = {.cell_count = RP_MET_FROM - 1u};
    rp_met_t met = rp_met_none(&grid);
    ck_assert_uint_eq(paid(&met, 1), 0);
    ck_assert_uint_eq(paid(&met, RP_MET_FROM - 2u), 0);
}
END_TEST

START_TEST(each_page_is_paid_for_once)
{
    const rp_grid_t grid = {.cell_count = 100u * RP_MET_CELLS};
    rp_met_t met = rp_met_none(&grid);
    ck_assert_uint_eq(paid(&met, 50u * RP_MET_CELLS + 7u), RP_MET_PRICE);
    ck_assert_uint_eq(paid(&met, 50u * RP_MET_CELLS), 0);
    ck_assert_uint_eq(paid(&met, 51u * RP_MET_CELLS - 1u), 0);
    ck_assert_uint_eq(paid(&met, 51u * RP_MET_CELLS), RP_MET_PRICE);
    ck_assert_uint_eq(paid(&met, 50u * RP_MET_CELLS - 1u), RP_MET_PRICE);
    ck_assert_uint_eq(paid(&met, 47u * RP_MET_CELLS), 2u * RP_MET_PRICE);
    ck_assert_uint_eq(paid(&met, 48u * RP_MET_CELLS), 0);
    ck_assert_uint_eq(paid(&met, 0), 47u * RP_MET_PRICE);
    ck_assert_uint_eq(paid(&met, grid.cell_count - 1u), 48u * RP_MET_PRICE);
}
END_TEST

START_TEST(a_budget_ends_at_nothing)
{
    const rp_grid_t grid = {.cell_count = 100u * RP_MET_CELLS};
    rp_met_t met = rp_met_none(&grid);
    uint64_t budget = 3;
    rp_met_note(&met, 5, &budget);
    ck_assert_uint_eq(budget, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        small_grids_are_free,
        each_page_is_paid_for_once,
        a_budget_ends_at_nothing,
    };
    return rp_suite_run("met", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
