/// The registry: every member whole, each id once, both forms of a member the same but for costs.
#include <string.h>

#include "planners/core/registry.h"
#include "tests/support/suite.h"

static bool is_whole(const rp_planner_ops_t *ops)
{
    const bool knows_cost = (ops->info.capabilities & RP_KNOWS_COST) != 0;
    const bool can_idle = (ops->info.capabilities & RP_CAN_IDLE) != 0;
    return (ops->cost != NULL) == knows_cost && (ops->confirm != NULL) == knows_cost &&
           (ops->idle != NULL) == can_idle && ops->info.id != NULL && ops->info.paper != NULL &&
           ops->info.guarantee != NULL && ops->state_bytes != 0 && ops->bind != NULL &&
           ops->begin != NULL && ops->update != NULL && ops->search != NULL && ops->path != NULL &&
           ops->check != NULL;
}

START_TEST(every_slot_of_every_member_is_filled)
{
    size_t index = 0;
    for (const rp_planner_member_t *member; (member = rp_registry_member(index)) != NULL; index++) {
        ck_assert(is_whole(member->with_32_bits));
        ck_assert(is_whole(member->with_64_bits));
    }
    ck_assert_uint_gt(index, 0);
    ck_assert_ptr_null(rp_registry_member(index));
    ck_assert_ptr_null(rp_registry_member(SIZE_MAX));
}
END_TEST

START_TEST(both_forms_of_a_member_say_the_same_of_it)
{
    const rp_planner_member_t *member;
    for (size_t index = 0; (member = rp_registry_member(index)) != NULL; index++) {
        const rp_planner_info_t *small = &member->with_32_bits->info;
        const rp_planner_info_t *large = &member->with_64_bits->info;
        ck_assert_ptr_ne(small, large);
        ck_assert_str_eq(small->id, large->id);
        ck_assert_uint_eq(small->capabilities, large->capabilities);
        ck_assert_uint_le(small->bytes_per_cell, large->bytes_per_cell);
    }
}
END_TEST

START_TEST(an_id_names_one_planner_in_lower_case)
{
    const rp_planner_info_t *info;
    for (size_t index = 0; (info = rp_planner_info(index)) != NULL; index++) {
        ck_assert_ptr_eq(rp_planner_find(info->id), info);
        ck_assert_uint_eq(strspn(info->id, "abcdefghijklmnopqrstuvwxyz-"), strlen(info->id));
    }
}
END_TEST

START_TEST(every_planner_can_some_neighborhood)
{
    const rp_planner_info_t *info;
    for (size_t index = 0; (info = rp_planner_info(index)) != NULL; index++) {
        ck_assert_uint_ne(info->capabilities & (RP_CAN_4 | RP_CAN_8), 0);
        ck_assert_str_eq(info->guarantee, "optimal");
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        every_slot_of_every_member_is_filled,
        both_forms_of_a_member_say_the_same_of_it,
        an_id_names_one_planner_in_lower_case,
        every_planner_can_some_neighborhood,
    };
    return rp_suite_run("registry", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
