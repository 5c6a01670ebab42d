/// Nothing is allocated inside a search: the linker sends every allocation through a counter. AUTO
/// gets the memory of a member when that is to search for the first time, before it does.
#include <check.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "planners/papers/papers.h"
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

/// There is no memory but for what is small.
static bool is_scarce;
#define SMALL 4096u

void *__wrap_malloc(size_t size)
{
    allocations++;
    return is_scarce && size > SMALL ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    allocations++;
    return is_scarce && count * size > SMALL ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    allocations++;
    return is_scarce && size > SMALL ? NULL : __real_realloc(memory, size);
}

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int file, off_t offset)
{
    allocations++;
    return is_scarce ? MAP_FAILED : __real_mmap(at, size, protection, flags, file, offset);
}

#define SIDE  64u
#define PLANS 60

/// Members that AUTO has no memory for at first, and that may begin in a plan or in idle time.
#define LATE_MEMBERS 4u

static rp_cell_t random_cell(rp_random_t *random, const rp_grid_t *grid)
{
    const uint32_t y = rp_random_below(random, SIDE);
    return rp_grid_cell(grid, rp_random_below(random, SIDE), y);
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
    ck_assert_int_eq(rp_papers_new(contestant.info->id, &contestant.options, &planner), RP_OK);
    ck_assert_int_eq(rp_planner_bind(planner, grid), RP_OK);
    unsigned most = strcmp(contestant.info->id, "auto") == 0 ? LATE_MEMBERS : 0u;
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
        ck_assert_msg(taken == 0 || most != 0, "%s allocated %u times in plan %d", contestant.name,
                      taken, i);
        most -= taken != 0;
    }
    rp_planner_destroy(&planner);
    rp_grid_destroy(&grid);
}
END_TEST

/// A planner between two corners of a grid.
static rp_planner_t *new_planner(const char *id, const rp_grid_t *grid)
{
    rp_planner_t *planner;
    ck_assert_int_eq(rp_planner_new(id, NULL, &planner), RP_OK);
    ck_assert_int_eq(rp_planner_bind(planner, grid), RP_OK);
    ck_assert_int_eq(rp_planner_set_start(planner, rp_grid_cell(grid, 0, 0)), RP_OK);
    ck_assert_int_eq(rp_planner_set_goal(planner, rp_grid_cell(grid, SIDE - 1u, SIDE - 1u)), RP_OK);
    return planner;
}

/// Take in a change, plan and idle. Nothing is asserted here: that would allocate.
static rp_status_t go_on(rp_planner_t *planner, const rp_change_t *change, rp_plan_t *plan)
{
    uint64_t idle = 100;
    const rp_status_t taken = rp_planner_apply(planner, change, 1);
    const rp_status_t status = rp_planner_plan(planner, UINT64_MAX, plan);
    (void)rp_planner_idle(planner, &idle);
    return taken != RP_OK ? taken : status;
}

/// A cell of the path comes and goes, which a repair is better at; but there is no memory for one.
START_TEST(auto_floods_where_there_is_no_memory_for_a_repair)
{
    const rp_grid_shape_t shape = {SIDE, SIDE, 8, false, 1, 1};
    rp_grid_t *grid;
    rp_plan_t plan;
    rp_plan_t truth;
    unsigned lacks = 0;
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    rp_planner_t *planner = new_planner("auto", grid);
    rp_planner_t *judge = new_planner("astar", grid);
    ck_assert_int_eq(rp_planner_plan(planner, UINT64_MAX, &plan), RP_OK);
    rp_change_t change = {.after = 1};
    for (int i = 0; i < 400; i++) {
        change.cell = change.after == 1 ? plan.path.cells[plan.path.count / 2u] : change.cell;
        change.before = change.after;
        change.after ^= 1u;
        rp_grid_set(grid, change.cell, change.after);
        ck_assert_int_eq(go_on(judge, &change, &truth), RP_OK);
        is_scarce = true;
        const rp_status_t status = go_on(planner, &change, &plan);
        is_scarce = false;
        ck_assert_int_eq(status, RP_OK);
        ck_assert_double_eq_tol(plan.cost, truth.cost, 1e-9);
        lacks += strcmp(plan.stats.why, "no memory for a repair") == 0;
    }
    ck_assert_uint_gt(lacks, 0);
    rp_planner_destroy(&judge);
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
    tcase_add_test(tests, auto_floods_where_there_is_no_memory_for_a_repair);
    tcase_add_loop_test(tests, a_plan_allocates_nothing, 0, (int)rp_contestant_count());
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
