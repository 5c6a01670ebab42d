/// Lattices short of memory: a plan in which some allocation fails is asked for again, and its
/// answer is as if there had been memory all the time.
#include <stdlib.h>

#include "tests/planners/lattice/lattice_scene.h"

static rp_control_set_t *set;
static rp_grid_t *grid;
static rp_lattice_t *lattice;

// ---- memory: the linker has all allocations come here

void *__real_malloc(size_t size);               // NOLINT(bugprone-reserved-identifier,cert-*)
void *__wrap_malloc(size_t size);               // NOLINT(bugprone-reserved-identifier,cert-*)
void *__real_calloc(size_t count, size_t size); // NOLINT(bugprone-reserved-identifier,cert-*)
void *__wrap_calloc(size_t count, size_t size); // NOLINT(bugprone-reserved-identifier,cert-*)
void *__real_realloc(void *old, size_t size);   // NOLINT(bugprone-reserved-identifier,cert-*)
void *__wrap_realloc(void *old, size_t size);   // NOLINT(bugprone-reserved-identifier,cert-*)

static uint32_t left = UINT32_MAX; ///< allocations until one fails; UINT32_MAX: none does

static bool may_allocate(void)
{
    const bool is_short = left == 0;
    left = left == 0 || left == UINT32_MAX ? UINT32_MAX : left - 1u;
    return !is_short;
}

void *__wrap_malloc(size_t size) // NOLINT(bugprone-reserved-identifier,cert-*)
{
    return may_allocate() ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size) // NOLINT(bugprone-reserved-identifier,cert-*)
{
    return may_allocate() ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *old, size_t size) // NOLINT(bugprone-reserved-identifier,cert-*)
{
    return may_allocate() ? __real_realloc(old, size) : NULL;
}

static void tear_down(void)
{
    left = UINT32_MAX;
    rp_lattice_destroy(&lattice);
    rp_grid_destroy(&grid);
    rp_control_set_destroy(&set);
}

// ---- scenes

static void write_cell(rp_cell_t cell, uint8_t factor)
{
    const rp_change_t change = {.cell = cell, .before = grid->factor[cell], .after = factor};
    rp_grid_set(grid, cell, factor);
    ck_assert_int_eq(rp_lattice_apply(lattice, &change, 1), RP_OK);
}

/// Three for each allocation that fails; an emulator takes a second for each.
#ifdef RP_EMULATED
#define CASES 15u
#else
#define CASES 120u
#endif

static void begin(rp_lattice_t **made)
{
    ck_assert_int_eq(rp_lattice_new(set, grid, made), RP_OK);
    rp_lattice_set_percent(*made, 0);
    rp_lattice_set_start(*made, rp_grid_cell(grid, 5, 20), 0.0);
    rp_lattice_set_goal(*made, rp_grid_cell(grid, 34, 22));
}

static double fresh_cost(void)
{
    rp_lattice_plan_t plan;
    rp_lattice_t *fresh = NULL;
    begin(&fresh);
    ck_assert_int_eq(rp_lattice_plan(fresh, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    rp_lattice_destroy(&fresh);
    return plan.cost;
}

static void write_wall(uint32_t first, uint32_t last)
{
    for (uint32_t y = 0; y < 43u; y++) {
        write_cell(rp_grid_cell(grid, 20, y), y >= first && y <= last);
    }
}

/// A wall with one gap comes, and with it costs are rescaled, or not; or a wall gets a gap. Cells
/// are rewritten after the plan that fails, too.
START_TEST(a_plan_that_failed_for_memory_is_right_the_next_time)
{
    const rp_grid_shape_t shape = {
        .width = 40, .height = 43, .neighbors = 8, .unit = 1, .least = 1};
    rp_lattice_plan_t plan;
    set = scene_set(2.0, 1.45, 16, RP_DRIVE_CAR);
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    begin(&lattice);
    if (_i % 3 == 2) {
        write_wall(43, 43);
    }
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    write_wall(33, 37);
    if (_i % 3 == 0) {
        write_cell(rp_grid_cell(grid, 2, 2), 5);
    }
    left = (uint32_t)_i / 3u;
    const rp_status_t status = rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan);
    const bool was_short = left == UINT32_MAX;
    left = UINT32_MAX;
    ck_assert(status == RP_OK || (status == RP_E_MEMORY && was_short));
    ck_assert(_i > 2 || was_short);
    write_cell(rp_grid_cell(grid, 20, 38), 1);
    write_cell(rp_grid_cell(grid, 20, 33), 0);
    ck_assert_int_eq(rp_lattice_plan(lattice, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    for (uint32_t i = 0; i < plan.segment_count; i++) {
        ck_assert(scene_is_clear(grid, &plan.segments[i], 1.45 - 1e-9));
    }
    ck_assert(fabs(plan.cost - fresh_cost()) < 1e-9);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_plan_that_failed_for_memory_is_right_the_next_time};
    return rp_suite_run("lattice_scarcity", tests, 1, CASES, tear_down);
}
