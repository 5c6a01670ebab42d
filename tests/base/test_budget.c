/// A budget counts down, and never below nothing.
#include "base/budget.h"

#include "tests/support/suite.h"

START_TEST(what_exceeds_a_budget_uses_it_up)
{
    uint64_t budget = 10;
    rp_budget_pay(&budget, 0);
    ck_assert_uint_eq(budget, 10);
    rp_budget_pay(&budget, 9);
    ck_assert_uint_eq(budget, 1);
    rp_budget_pay(&budget, UINT64_MAX);
    ck_assert_uint_eq(budget, 0);
    rp_budget_pay(&budget, 1);
    ck_assert_uint_eq(budget, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {what_exceeds_a_budget_uses_it_up};
    return rp_suite_run("budget", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
