/// Descriptors are shared out among sockets, and some stay free.
#include "daemon/process/capacity.h"

#include "msgs/limits.h"
#include "tests/support/suite.h"

START_TEST(with_enough_each_socket_has_what_the_limits_say)
{
    const rp_capacity_t capacity = rp_capacity_of(1u << 20);
    ck_assert_uint_eq(capacity.inlet, RP_LIMIT_CONNECTIONS);
    ck_assert_uint_eq(capacity.paths, RP_LIMIT_CONNECTIONS);
    ck_assert_uint_ge(capacity.inlets, 3u * RP_LIMIT_CONNECTIONS);
}
END_TEST

START_TEST(with_what_is_asked_for_each_socket_has_it_too)
{
    const uint32_t used = 2u * 4u * RP_LIMIT_CONNECTIONS + 64u;
    const rp_capacity_t capacity = rp_capacity_of(used + used / 3u + 1u);
    ck_assert_uint_eq(capacity.inlet, RP_LIMIT_CONNECTIONS);
    ck_assert_uint_eq(capacity.paths, RP_LIMIT_CONNECTIONS);
    ck_assert_uint_eq(capacity.inlets, 3u * RP_LIMIT_CONNECTIONS);
}
END_TEST

START_TEST(with_few_nobody_takes_all)
{
    for (uint32_t descriptors = 0; descriptors < 5000; descriptors++) {
        const rp_capacity_t capacity = rp_capacity_of(descriptors);
        ck_assert_uint_gt(capacity.inlet, 0);
        ck_assert_uint_gt(capacity.paths, 0);
        ck_assert_uint_le(2u * capacity.inlet, capacity.inlets);
        if (descriptors > 200) {
            ck_assert_uint_le(2u * (capacity.inlets + capacity.paths) + 64u,
                              descriptors - descriptors / 4u);
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        with_enough_each_socket_has_what_the_limits_say,
        with_what_is_asked_for_each_socket_has_it_too,
        with_few_nobody_takes_all,
    };
    return rp_suite_run("capacity", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
