/// Changes of many batches as one: what a cell was first, what it is last.
#include "planners/pending.h"

#include "planners/planner_ops.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define CELLS 40u

START_TEST(a_cell_that_is_as_it_was_drops_out)
{
    const rp_change_t there[] = {{7, 1, 0}, {3, 1, 5}};
    const rp_change_t back[] = {{7, 0, 1}};
    rp_pending_t pending = {0};
    rp_pending_clear(&pending);
    ck_assert_int_eq(rp_pending_add(&pending, there, 2), RP_OK);
    ck_assert_int_eq(rp_pending_add(&pending, back, 1), RP_OK);
    rp_pending_merge(&pending);
    ck_assert_uint_eq(pending.count, 1);
    ck_assert_uint_eq(pending.changes[0].cell, 3);
    ck_assert_uint_eq(pending.changes[0].before, 1);
    ck_assert_uint_eq(pending.changes[0].after, 5);
    ck_assert_uint_eq(pending.natives, RP_NATIVE_DEARER);
    rp_pending_clear(&pending);
    rp_pending_merge(&pending);
    ck_assert_uint_eq(pending.count, 0);
    ck_assert_uint_eq(pending.natives, 0);
    rp_pending_fini(&pending);
}
END_TEST

START_TEST(batches_come_together_as_if_they_were_one)
{
    rp_random_t random = {6};
    rp_pending_t pending = {0};
    for (unsigned round = 0; round < 300; round++) {
        uint8_t before[CELLS];
        uint8_t now[CELLS];
        for (rp_cell_t cell = 0; cell < CELLS; cell++) {
            before[cell] = now[cell] = (uint8_t)rp_random_below(&random, 3);
        }
        rp_pending_clear(&pending);
        const uint32_t batches = rp_random_between(&random, 1, 6);
        for (uint32_t batch = 0; batch < batches; batch++) {
            rp_change_t changes[CELLS];
            size_t count = 0;
            for (rp_cell_t i = 0; i < CELLS; i++) { // backwards in every second round
                const rp_cell_t cell = round % 2u == 0 ? i : CELLS - 1u - i;
                if (rp_random_chance(&random, 30)) {
                    const uint8_t after = (uint8_t)rp_random_below(&random, 3);
                    changes[count++] = (rp_change_t){cell, now[cell], after};
                    now[cell] = after;
                }
            }
            ck_assert_int_eq(rp_pending_add(&pending, changes, count), RP_OK);
        }
        rp_pending_merge(&pending);
        size_t differ = 0;
        for (rp_cell_t cell = 0; cell < CELLS; cell++) {
            differ += before[cell] != now[cell];
        }
        ck_assert_uint_eq(pending.count, differ);
        for (size_t i = 0; i < pending.count; i++) {
            const rp_change_t change = pending.changes[i];
            ck_assert_uint_eq(change.before, before[change.cell]);
            ck_assert_uint_eq(change.after, now[change.cell]);
        }
    }
    rp_pending_fini(&pending);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_cell_that_is_as_it_was_drops_out,
        batches_come_together_as_if_they_were_one,
    };
    return rp_suite_run("pending", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
