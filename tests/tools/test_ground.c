/// How bytes look, by the profile that says what they mean.
#include "tools/ground.h"

#include "tests/support/suite.h"
#include "view/canvas.h"

static rp_ground_t ground;

START_TEST(factors_block_at_0_and_are_dearer_the_greater_they_are)
{
    rp_ground_learn(&ground, "factor", NULL);
    ck_assert_int_eq(ground.paints[0], RP_PAINT_WALL);
    ck_assert_int_eq(ground.paints[1], RP_PAINT_FLOOR);
    ck_assert_int_eq(ground.paints[2], RP_PAINT_COSTLY);
    ck_assert_int_eq(ground.paints[4], RP_PAINT_COSTLIER);
    ck_assert_int_eq(ground.paints[254], RP_PAINT_COSTLIEST);
    ck_assert_int_eq(ground.paints[255], RP_PAINT_FOG);
}
END_TEST

START_TEST(costmaps_block_from_253_on)
{
    rp_ground_learn(&ground, "costmap", NULL);
    ck_assert_int_eq(ground.paints[0], RP_PAINT_FLOOR);
    ck_assert_int_eq(ground.paints[60], RP_PAINT_COSTLY);
    ck_assert_int_eq(ground.paints[252], RP_PAINT_COSTLIEST);
    ck_assert_int_eq(ground.paints[253], RP_PAINT_INSCRIBED);
    ck_assert_int_eq(ground.paints[254], RP_PAINT_WALL);
    ck_assert_int_eq(ground.paints[255], RP_PAINT_FOG);
}
END_TEST

START_TEST(a_profile_of_the_world_s_own_counts)
{
    uint8_t factors[256] = {[7] = 10, [8] = 5, [9] = 20};
    uint8_t inscribed[] = {200};
    Replan__V1__Profile own = REPLAN__V1__PROFILE__INIT;
    Replan__V1__Profile *list[] = {&own};
    Replan__V1__WorldInfo info = REPLAN__V1__WORLD_INFO__INIT;
    own.name = (char *)"wheels";
    own.factors = (ProtobufCBinaryData){sizeof factors, factors};
    own.unit = 10;
    own.inscribed = (ProtobufCBinaryData){sizeof inscribed, inscribed};
    info.profiles = list;
    info.n_profiles = 1;
    rp_ground_learn(&ground, "wheels", &info);
    ck_assert_int_eq(ground.paints[7], RP_PAINT_FLOOR);
    ck_assert_int_eq(ground.paints[8], RP_PAINT_ROAD);
    ck_assert_int_eq(ground.paints[9], RP_PAINT_COSTLY);
    ck_assert_int_eq(ground.paints[1], RP_PAINT_WALL);
    ck_assert_int_eq(ground.paints[200], RP_PAINT_INSCRIBED);
    own.factors.len = 0;
    own.like = (char *)"costmap";
    rp_ground_learn(&ground, "wheels", &info);
    ck_assert_int_eq(ground.paints[254], RP_PAINT_WALL);
    ck_assert_int_eq(ground.paints[0], RP_PAINT_FLOOR);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        factors_block_at_0_and_are_dearer_the_greater_they_are,
        costmaps_block_from_253_on,
        a_profile_of_the_world_s_own_counts,
    };
    return rp_suite_run("ground", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
