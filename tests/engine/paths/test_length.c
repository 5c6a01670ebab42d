/// Lengths have the bits that IEEE 754 gives products, a sum and sqrt(), each rounded by itself.
/// For these vectors hypot() of glibc has others, and so has a product that is added without
/// rounding.
#include "engine/paths/length.h"

#include "tests/support/suite.h"

START_TEST(each_operation_is_rounded_by_itself)
{
    static const double rows[][3] = {
        {0x1.6666666666667p+0, 0x1.a733333333334p-1, 0x1.a03406330403ap+0},
        {0x1.6b9999999999ap+1, 0x1.4e9999999999ap+1, 0x1.ee20acb58dfefp+1},
        {0x1.8733333333334p-2, 0x1.18ccccccccccdp-1, 0x1.5635e0cf064f8p-1},
        {0x1.58b3333333334p+1, 0x1.5d33333333334p+1, 0x1.eaabf56325190p+1},
        {0x1.13e6666666667p+1, 0x1.8accccccccccdp+0, 0x1.533edef4351c2p+1},
        {0x1.301999999999ap+1, 0x1.8766666666667p+1, 0x1.efa6e08a47618p+1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        volatile double x = rows[i][0], y = rows[i][1]; // not computed by the compiler
        ck_assert(rp_length(x, y) == rows[i][2]);
        ck_assert(rp_length(-y, x) == rows[i][2]);
    }
}
END_TEST

START_TEST(what_is_exact_stays_exact)
{
    ck_assert(rp_length(3.0, -4.0) == 5.0);
    ck_assert(rp_length(0.0, -0.3) == 0.3);
    ck_assert(rp_length(0.0, 0.0) == 0.0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {each_operation_is_rounded_by_itself, what_is_exact_stays_exact};
    return rp_suite_run("length", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
