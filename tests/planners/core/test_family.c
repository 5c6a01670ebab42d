/// The family: who is in it by id, what each may be asked for, and what a grid asks of them.
#include "planners/core/family.h"

#include "tests/support/suite.h"

START_TEST(each_member_is_found_by_its_id_and_nobody_else)
{
    const rp_planner_info_t *info;
    size_t count = 0;
    for (; (info = rp_planner_info(count)) != NULL; count++) {
        ck_assert_ptr_eq(rp_planner_find(info->id), info);
        ck_assert_ptr_eq(rp_family_find(info->id), rp_registry_member(count));
    }
    ck_assert_uint_gt(count, 10);
    ck_assert_ptr_null(rp_planner_info(count + 1u));
    ck_assert_ptr_null(rp_family_find(""));
    ck_assert_ptr_null(rp_planner_find("asta"));
    ck_assert_ptr_null(rp_planner_find("astar "));
}
END_TEST

START_TEST(what_is_chosen_takes_a_capability_of_its_own)
{
    static const struct {
        rp_member_options_t options;
        uint32_t needed;
    } choices[] = {
        {{.open = RP_OPEN_HEAP}, 0},
        {{.open = RP_OPEN_BUCKETS}, RP_CAN_OPEN_BUCKETS},
        {{.variant = 1}, RP_CAN_VARIANTS},
        {{.variant = 2}, RP_CAN_VARIANTS},
        {{.open = RP_OPEN_BUCKETS, .variant = 2}, RP_CAN_OPEN_BUCKETS | RP_CAN_VARIANTS},
        {{.check_every = 7}, 0},
    };
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        const uint32_t needed = choices[i].needed;
        ck_assert(rp_family_fits(needed, &choices[i].options));
        ck_assert(rp_family_fits(UINT32_MAX, &choices[i].options));
        for (uint32_t left = needed; left != 0; left &= left - 1u) {
            const uint32_t bit = left & (0u - left);
            ck_assert(!rp_family_fits(~bit, &choices[i].options));
        }
    }
    ck_assert(!rp_family_fits(UINT32_MAX, &(rp_member_options_t){.variant = 3}));
}
END_TEST

static uint32_t needs_of(rp_grid_shape_t shape, uint8_t factor)
{
    rp_grid_t *grid;
    shape.width = shape.height = 4;
    shape.unit = 2;
    shape.least = 1;
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    rp_grid_set(grid, rp_grid_cell(grid, 1, 1), factor);
    const uint32_t needs = rp_family_needs(grid);
    rp_grid_destroy(&grid);
    return needs;
}

START_TEST(a_grid_needs_what_it_is)
{
    const rp_grid_shape_t plain = {.neighbors = 8};
    const rp_grid_shape_t four = {.neighbors = 4};
    const rp_grid_shape_t torus = {.neighbors = 4, .wraps = true};
    ck_assert_uint_eq(needs_of(plain, 2), RP_CAN_8);
    ck_assert_uint_eq(needs_of(plain, 0), RP_CAN_8);
    ck_assert_uint_eq(needs_of(plain, 5), RP_CAN_8 | RP_CAN_WEIGHTED);
    ck_assert_uint_eq(needs_of(four, 2), RP_CAN_4);
    ck_assert_uint_eq(needs_of(torus, 1), RP_CAN_4 | RP_CAN_WRAP | RP_CAN_WEIGHTED);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        each_member_is_found_by_its_id_and_nobody_else,
        what_is_chosen_takes_a_capability_of_its_own,
        a_grid_needs_what_it_is,
    };
    return rp_suite_run("family", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
