/// What a byte means: the built-in tables, said once more.
#include <stdbool.h>

#include "engine/layers/profile.h"
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

// ---- a world's own

START_TEST(a_world_may_bring_a_table_of_its_own)
{
    uint8_t table[256] = {0};
    rp_profile_t profile;
    table[7] = 30; // road
    table[9] = 60; // forest
    const rp_profile_options_t options = {.name = "wheels", .factors = table, .unit = 60};
    ck_assert_int_eq(rp_profile_make(&options, &profile), RP_OK);
    ck_assert_str_eq(profile.name, "wheels");
    ck_assert_uint_eq(profile.factor[7], 30);
    ck_assert_uint_eq(profile.factor[8], 0);
    ck_assert_uint_eq(profile.unit, 60);
    ck_assert_uint_eq(profile.least, 30);
    ck_assert_uint_eq(profile.normal, 9);
    ck_assert(!profile.is_graded);
}
END_TEST

START_TEST(unknown_counts_as_the_profile_says)
{
    rp_profile_t profile;
    rp_profile_options_t options = {.name = "careful", .like = "costmap"};
    ck_assert_int_eq(rp_profile_make(&options, &profile), RP_OK);
    ck_assert_uint_eq(profile.factor[255], 50);
    options.unknown = RP_UNKNOWN_BLOCKED;
    ck_assert_int_eq(rp_profile_make(&options, &profile), RP_OK);
    ck_assert_uint_eq(profile.factor[255], 0);
    options.unknown = RP_UNKNOWN_FACTOR;
    options.unknown_factor = 20;
    ck_assert_int_eq(rp_profile_make(&options, &profile), RP_OK);
    ck_assert_uint_eq(profile.factor[255], 20);
    ck_assert_uint_eq(profile.least, 20);
    ck_assert_uint_eq(profile.factor[100], 130);
}
END_TEST

START_TEST(graded_are_those_in_which_no_greater_byte_is_cheaper)
{
    ck_assert(find("costmap").is_graded);
    ck_assert(!find("factor").is_graded); // 0 blocks, 1 does not
}
END_TEST

START_TEST(what_blocks_is_an_obstacle_unless_it_is_inscribed)
{
    static const uint8_t table[256] = {1, 0, 0, 2};
    static const uint8_t second[] = {2, 2};
    const rp_profile_options_t options = {.name = "own",
                                          .factors = table,
                                          .unit = 1,
                                          .unknown = RP_UNKNOWN_BLOCKED,
                                          .inscribed = second,
                                          .inscribed_count = 2};
    rp_profile_t own;
    ck_assert_int_eq(rp_profile_make(&options, &own), RP_OK);
    ck_assert(!own.is_obstacle[0] && own.is_obstacle[1] && !own.is_obstacle[2]);
    ck_assert(own.is_obstacle[RP_BYTE_UNKNOWN]);
    ck_assert_uint_eq(own.inscribed_count, 1);
    const rp_profile_t costmap = find("costmap");
    ck_assert(!costmap.is_obstacle[252] && !costmap.is_obstacle[253] && costmap.is_obstacle[254]);
    ck_assert(!costmap.is_obstacle[RP_BYTE_UNKNOWN]);
    const rp_profile_options_t like = {.name = "own", .like = "costmap"};
    ck_assert_int_eq(rp_profile_make(&like, &own), RP_OK);
    ck_assert(!own.is_obstacle[253] && own.is_obstacle[254]);
    ck_assert(find("factor").is_obstacle[0]);
}
END_TEST

START_TEST(profiles_that_make_no_sense_are_refused)
{
    static uint8_t table[256] = {1, 2, 3};
    static const uint8_t first[] = {0};
    static const uint8_t unknown[] = {RP_BYTE_UNKNOWN};
    static const struct {
        rp_profile_options_t options;
        rp_status_t status;
    } cases[] = {
        {{.name = "", .like = "factor"}, RP_E_INVALID},
        {{.name = "a-name-of-more-than-32-characters", .like = "factor"}, RP_E_INVALID},
        {{.name = "costmap", .like = "factor"}, RP_E_EXISTS},
        {{.name = "own", .like = "water"}, RP_E_UNKNOWN},
        {{.name = "own", .factors = table, .unit = 0}, RP_E_INVALID},
        {{.name = "own", .factors = table, .unit = 4}, RP_E_INVALID}, // no byte has it
        {{.name = "own", .like = "factor", .unknown = RP_UNKNOWN_FACTOR}, RP_E_INVALID},
        {{.name = "own", .factors = table, .unit = 1, .inscribed = first, .inscribed_count = 1},
         RP_E_INVALID},
        {{.name = "own",
          .like = "factor",
          .unknown = RP_UNKNOWN_BLOCKED,
          .inscribed = unknown,
          .inscribed_count = 1},
         RP_E_INVALID},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rp_profile_t profile = {.unit = 7};
        const rp_status_t status = rp_profile_make(&cases[i].options, &profile);
        ck_assert_msg(status == cases[i].status, "case %zu: %d", i, status);
        ck_assert_uint_eq(profile.unit, 7);
    }
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
        a_world_may_bring_a_table_of_its_own,
        unknown_counts_as_the_profile_says,
        graded_are_those_in_which_no_greater_byte_is_cheaper,
        what_blocks_is_an_obstacle_unless_it_is_inscribed,
        profiles_that_make_no_sense_are_refused,
    };
    return rp_suite_run("profile", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
