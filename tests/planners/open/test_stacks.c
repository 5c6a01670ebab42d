/// OPEN as two stacks: what is searched now, newest first, and then what was put off.
#include "planners/open/stacks.h"

#include "tests/support/suite.h"

static rp_arena_t arena;

START_TEST(what_is_put_off_waits_until_the_first_stack_is_empty)
{
    rp_stacks_t stacks;
    rp_stacks_init(&stacks, 8, &arena);
    rp_stacks_push(&stacks, 0, 10);
    rp_stacks_push(&stacks, 1, 20);
    rp_stacks_push(&stacks, 0, 11);
    rp_stacks_push(&stacks, 1, 21);
    ck_assert_uint_eq(rp_stacks_pop(&stacks), 11);
    rp_stacks_push(&stacks, 0, 12);
    ck_assert_uint_eq(rp_stacks_pop(&stacks), 12);
    ck_assert_uint_eq(rp_stacks_pop(&stacks), 10);
    ck_assert_uint_eq(rp_stacks_pop(&stacks), 21);
    rp_stacks_push(&stacks, 1, 30); // one f later than what is searched now
    rp_stacks_push(&stacks, 0, 22);
    ck_assert_uint_eq(rp_stacks_pop(&stacks), 22);
    ck_assert_uint_eq(rp_stacks_pop(&stacks), 20);
    ck_assert_uint_eq(rp_stacks_pop(&stacks), 30);
    ck_assert_uint_eq(rp_stacks_pop(&stacks), RP_NO_CELL);
    rp_arena_free(&arena, NULL);
}
END_TEST

START_TEST(empty_stacks_give_no_cell_however_often)
{
    rp_stacks_t stacks;
    rp_stacks_init(&stacks, 4, &arena);
    for (int i = 0; i < 3; i++) {
        ck_assert_uint_eq(rp_stacks_pop(&stacks), RP_NO_CELL);
    }
    rp_stacks_push(&stacks, 0, 7);
    ck_assert_uint_eq(rp_stacks_pop(&stacks), 7);
    rp_arena_free(&arena, NULL);
}
END_TEST

START_TEST(cleared_stacks_are_empty_and_hold_as_much_as_before)
{
    rp_stacks_t stacks;
    rp_stacks_init(&stacks, 16, &arena);
    for (int round = 0; round < 3; round++) {
        for (rp_cell_t cell = 1; cell <= 16; cell++) {
            rp_stacks_push(&stacks, 0, cell);
            rp_stacks_push(&stacks, 1, 100u + cell);
        }
        ck_assert_uint_eq(rp_stacks_pop(&stacks), 16);
        rp_stacks_clear(&stacks);
        ck_assert_uint_eq(rp_stacks_pop(&stacks), RP_NO_CELL);
    }
    rp_arena_free(&arena, NULL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_is_put_off_waits_until_the_first_stack_is_empty,
        empty_stacks_give_no_cell_however_often,
        cleared_stacks_are_empty_and_hold_as_much_as_before,
    };
    return rp_suite_run("stacks", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
