/// Wide instructions that are taken away and given back.
#include "bench/measure/simd_limit.h"

#include "tests/support/suite.h"

static void tear_down(void)
{
    rp_simd_limit_lift();
}

START_TEST(what_is_taken_away_is_not_found_until_the_limit_is_lifted)
{
    const rp_simd_t best = rp_simd_best();
    ck_assert(rp_simd_limit_set(RP_SIMD_NONE));
    ck_assert_int_eq(rp_simd_best(), RP_SIMD_NONE);
    ck_assert(rp_simd_limit_set(RP_SIMD_NONE));
    rp_simd_limit_lift();
    ck_assert_int_eq(rp_simd_best(), best);
    ck_assert(rp_simd_limit_set(best));
    ck_assert_int_eq(rp_simd_best(), best);
}
END_TEST

START_TEST(what_a_machine_does_not_have_is_refused_and_changes_nothing)
{
    const rp_simd_t best = rp_simd_best();
    ck_assert(rp_simd_limit_set(RP_SIMD_AVX2) == (best == RP_SIMD_AVX2));
    ck_assert_int_eq(rp_simd_best(), best);
}
END_TEST

START_TEST(levels_have_names)
{
    rp_simd_t simd = RP_SIMD_AVX2;
    ck_assert(rp_simd_limit_find("none", &simd));
    ck_assert_int_eq(simd, RP_SIMD_NONE);
    ck_assert(rp_simd_limit_find(rp_simd_limit_name(RP_SIMD_AVX2), &simd));
    ck_assert_int_eq(simd, RP_SIMD_AVX2);
    ck_assert(!rp_simd_limit_find("avx512", &simd));
    ck_assert(!rp_simd_limit_find("", &simd));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_is_taken_away_is_not_found_until_the_limit_is_lifted,
        what_a_machine_does_not_have_is_refused_and_changes_nothing,
        levels_have_names,
    };
    return rp_suite_run("simd_limit", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
