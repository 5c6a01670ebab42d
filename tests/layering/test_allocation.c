/// Nothing is allocated inside a search: the linker sends every allocation through a counter.
#include <check.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "replan/planner.h"
#include "tests/support/contestant.h"
#include "tests/support/random.h"

// Names that the linker's --wrap prescribes.
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset);

static unsigned allocations;

void *__wrap_malloc(size_t size)
{
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    allocations++;
    return __real_realloc(memory, size);
}

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
    allocations++;
    return __real_mmap(at, size, protection, flags, file, offset);
}

#define SIDE  64u
#define PLANS 60

static rp_cell_t random_cell(rp_random_t *random, const rp_grid_t *grid)
{
    return rp_grid_cell(grid, rp_random_below(random, SIDE), rp_random_below(random, SIDE));
}

/// Change a few cells, and tell the planner.
static void churn(rp_random_t *random, rp_grid_t *grid, rp_planner_t *planner)
{
    for (int i = 0; i < 20; i++) {
        const rp_cell_t cell = random_cell(random, grid);
        const uint8_t after = rp_random_chance(random, 30) ? 0 : 1;
        const rp_change_t change = {cell, rp_grid_set(grid, cell, after), after};
        if (change.before != change.after) {
            ck_assert_int_eq(rp_planner_apply(planner, &change, 1), RP_OK);
        }
    }
}

START_TEST(a_plan_allocates_nothing)
{
    rp_contestant_t contestant;
    ck_assert(rp_contestant_at((size_t)_i, &contestant));
    rp_random_t random = {7};
    rp_grid_t *grid;
    rp_planner_t *planner;
    const bool has_4 = (contestant.info->capabilities & RP_CAN_4) != 0;
    const rp_grid_shape_t shape = {SIDE, SIDE, has_4 ? 4 : 8, false, 1, 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    ck_assert_int_eq(rp_planner_new(contestant.info->id, &contestant.options, &planner), RP_OK);
    ck_assert_int_eq(rp_planner_bind(planner, grid), RP_OK);
    for (int i = 0; i < PLANS; i++) {
        rp_plan_t plan;
        churn(&random, grid, planner);
        if (i % 5 == 0) {
            ck_assert_int_eq(rp_planner_set_start(planner, random_cell(&random, grid)), RP_OK);
        }
        if (i % 7 == 0) {
            ck_assert_int_eq(rp_planner_set_goal(planner, random_cell(&random, grid)), RP_OK);
        }
        const unsigned before = allocations;
        uint64_t idle = 500;
        const rp_status_t status = rp_planner_plan(planner, UINT64_MAX, &plan);
        (void)rp_planner_idle(planner, &idle);
        const unsigned taken = allocations - before; // read here: the assertions allocate too
        ck_assert_int_eq(status, RP_OK);
        ck_assert_msg(taken == 0, "%s allocated %u times in plan %d", contestant.name, taken, i);
    }
    rp_planner_destroy(&planner);
    rp_grid_destroy(&grid);
}
END_TEST

START_TEST(the_counter_counts)
{
    const unsigned before = allocations;
    free(malloc(1)); // NOLINT: the compiler must not see through it
    rp_grid_t *grid;
    const rp_grid_shape_t shape = {3, 3, 8, false, 1, 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    rp_grid_destroy(&grid);
    ck_assert_uint_gt(allocations, before);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("allocation");
    TCase *tests = tcase_create("plans");
    tcase_add_test(tests, the_counter_counts);
    tcase_add_loop_test(tests, a_plan_allocates_nothing, 0, (int)rp_contestant_count());
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
