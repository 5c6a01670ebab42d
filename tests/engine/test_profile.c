/// What a byte means: the tables of DESIGN 3, said once more.
#include <stdbool.h>

#include "engine/profile.h"
#include "tests/support/suite.h"

static rp_profile_t find(const char *name)
{
    rp_profile_t profile = {0};
    ck_assert(rp_profile_find(name, &profile));
    return profile;
}

START_TEST(in_factor_the_byte_is_the_factor_and_unknown_is_free)
{
    const rp_profile_t profile = find("factor");
    ck_assert_uint_eq(profile.unit, 1);
    for (unsigned byte = 0; byte < 255; byte++) {
        ck_assert_uint_eq(profile.factor[byte], byte);
    }
    ck_assert_uint_eq(profile.factor[255], profile.unit);
}
END_TEST

START_TEST(no_name_means_factor)
{
    const rp_profile_t profile = find(NULL);
    ck_assert_str_eq(profile.name, "factor");
}
END_TEST

START_TEST(costmap_grades_to_252_and_blocks_from_inscribed_on)
{
    const rp_profile_t profile = find("costmap");
    ck_assert_uint_eq(profile.unit, 50);
    ck_assert_uint_eq(profile.factor[0], 50);
    ck_assert_uint_eq(profile.factor[128], 152);
    ck_assert_uint_eq(profile.factor[252], 251);
    ck_assert_uint_eq(profile.factor[253], 0);
    ck_assert_uint_eq(profile.factor[254], 0);
    ck_assert_uint_eq(profile.factor[255], 50);
    for (unsigned byte = 1; byte < 253; byte++) {
        ck_assert_uint_ge(profile.factor[byte], profile.factor[byte - 1u]);
    }
}
END_TEST

START_TEST(least_is_the_least_of_the_table_and_normal_ground_has_the_unit)
{
    static const char *const names[] = {"factor", "costmap"};
    for (size_t i = 0; i < 2; i++) {
        const rp_profile_t profile = find(names[i]);
        unsigned least = 255;
        for (unsigned byte = 0; byte < 256; byte++) {
            const unsigned factor = profile.factor[byte];
            least = factor != 0 && factor < least ? factor : least;
        }
        ck_assert_uint_eq(profile.least, least);
        ck_assert_uint_eq(profile.factor[profile.normal], profile.unit);
    }
}
END_TEST

START_TEST(an_unknown_name_leaves_the_profile_as_it_was)
{
    rp_profile_t profile = {.unit = 7};
    ck_assert(!rp_profile_find("water", &profile));
    ck_assert(!rp_profile_find("", &profile));
    ck_assert_uint_eq(profile.unit, 7);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        in_factor_the_byte_is_the_factor_and_unknown_is_free,
        no_name_means_factor,
        costmap_grades_to_252_and_blocks_from_inscribed_on,
        least_is_the_least_of_the_table_and_normal_ground_has_the_unit,
        an_unknown_name_leaves_the_profile_as_it_was,
    };
    return rp_suite_run("profile", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
