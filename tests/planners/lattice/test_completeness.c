/// Completeness: where a lattice of 64 headings on cells of a third finds a
/// path, that of 32 headings finds one, but for few. Worlds where it does not
/// are written to REPLAN_TEST_OUT, one a file. REPLAN_COMPLETENESS_WORLDS asks
/// for more worlds than a test takes.
#include <stdio.h>
#include <stdlib.h>

#include "tests/planners/lattice/lattice_scene.h"

#define SIDE 40u
#define FINE                                                                                       \
    3u           ///< cells of the fine world a side of a cell: the middle of one is that of
                 ///< its own
#define PAIRS 6u ///< of each world

#define BLOCKED (SIDE * SIDE / 4u) ///< cells

/// Paths that the fine lattice finds and the other one misses, of a thousand.
#define MISSES_MOST 5u

static rp_random_t rng;
static rp_control_set_t *set;
static rp_control_set_t *fine_set;
static rp_grid_t *grid;
static rp_grid_t *fine_grid;
static rp_lattice_t *lattice;
static rp_lattice_t *fine;

static void close_world(void)
{
    rp_lattice_destroy(&lattice);
    rp_lattice_destroy(&fine);
    rp_grid_destroy(&grid);
    rp_grid_destroy(&fine_grid);
}

static void tear_down(void)
{
    close_world();
    rp_control_set_destroy(&set);
    rp_control_set_destroy(&fine_set);
}

/// Rectangles of 3 to 10 cells over a quarter of the world.
static void block_rectangles(void)
{
    for (uint32_t blocked = 0; blocked < BLOCKED;) {
        const uint32_t width = rp_random_between(&rng, 3, 10);
        const uint32_t height = rp_random_between(&rng, 3, 10);
        const uint32_t left = rp_random_below(&rng, SIDE - width);
        const uint32_t top = rp_random_below(&rng, SIDE - height);
        for (uint32_t i = 0; i < width * height; i++) {
            const rp_cell_t cell = rp_grid_cell(grid, left + i % width, top + i / width);
            blocked += rp_grid_set(grid, cell, 0) != 0;
        }
    }
}

static void open_world(void)
{
    const rp_grid_shape_t shape = {
        .width = FINE * SIDE, .height = FINE * SIDE, .neighbors = 8, .unit = 1, .least = 1};
    grid = scene_world(&rng, SIDE, 0, false, 1);
    block_rectangles();
    ck_assert_int_eq(rp_grid_new(&shape, &fine_grid), RP_OK);
    for (uint32_t y = 0; y < FINE * SIDE; y++) {
        for (uint32_t x = 0; x < FINE * SIDE; x++) {
            rp_grid_set(fine_grid, rp_grid_cell(fine_grid, x, y),
                        grid->factor[rp_grid_cell(grid, x / FINE, y / FINE)]);
        }
    }
    ck_assert_int_eq(rp_lattice_new(set, grid, &lattice), RP_OK);
    ck_assert_int_eq(rp_lattice_new(fine_set, fine_grid, &fine), RP_OK);
}

static bool has_path(rp_lattice_t *self, const rp_grid_t *ground, const uint32_t ends[4],
                     uint32_t scale)
{
    rp_lattice_plan_t plan;
    const rp_cell_t start =
        rp_grid_cell(ground, ends[0] * scale + scale / 2u, ends[1] * scale + scale / 2u);
    const rp_cell_t goal =
        rp_grid_cell(ground, ends[2] * scale + scale / 2u, ends[3] * scale + scale / 2u);
    ck_assert_int_eq(rp_lattice_set_start(self, start, 0.0), RP_OK);
    ck_assert_int_eq(rp_lattice_set_goal(self, goal), RP_OK);
    ck_assert_int_eq(rp_lattice_plan(self, &(uint64_t){UINT64_MAX}, &plan), RP_OK);
    return plan.outcome == RP_OUTCOME_FOUND;
}

static void write_miss(uint32_t number, const uint32_t ends[4])
{
    char path[4096];
    const char *folder = getenv("REPLAN_TEST_OUT");
    (void)snprintf(path, sizeof path, "%s/completeness-%u.map", folder != NULL ? folder : ".",
                   number);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "type octile\nheight %u\nwidth %u\nmap\n", SIDE, SIDE);
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            (void)fputc(grid->factor[rp_grid_cell(grid, x, y)] == 0 ? '@' : '.', file);
        }
        (void)fputc('\n', file);
    }
    (void)fclose(file);
    fprintf(stderr, "%s: from %u,%u to %u,%u, turning radius %g, body %g\n", path, ends[0], ends[1],
            ends[2], ends[3], set->shape.turning_radius, set->shape.body_radius);
}

static uint32_t worlds(void)
{
    const char *asked = getenv("REPLAN_COMPLETENESS_WORLDS");
    return asked != NULL ? (uint32_t)strtoul(asked, NULL, 10) : RP_ROUNDS(16u);
}

START_TEST(what_a_fine_lattice_finds_is_found)
{
    uint32_t found = 0;
    uint32_t missed = 0;
    rng.state = 12000u;
    const rp_lattice_shape_t shape = {.turning_radius = 2.0, .body_radius = 0.45, .headings = 32};
    rp_lattice_shape_t fine_shape = shape;
    fine_shape.turning_radius *= FINE;
    fine_shape.body_radius *= FINE;
    fine_shape.headings = 64;
    set = scene_set_of(&shape);
    fine_set = scene_set_of(&fine_shape);
    for (uint32_t world = 0; world < worlds(); world++) {
        open_world();
        for (uint32_t pair = 0; pair < RP_ROUNDS(PAIRS); pair++) {
            uint32_t ends[4];
            for (uint32_t i = 0; i < 4u; i++) {
                ends[i] = rp_random_below(&rng, SIDE);
            }
            if (has_path(fine, fine_grid, ends, FINE)) {
                found++;
                if (!has_path(lattice, grid, ends, 1)) {
                    write_miss(missed++, ends);
                }
            }
        }
        close_world();
    }
    fprintf(stderr, "completeness: %u of %u are missed\n", missed, found);
    ck_assert_uint_gt(found, 0);
    ck_assert_uint_le(1000u * missed, MISSES_MOST * found);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {what_a_fine_lattice_finds_is_found};
    return rp_suite_run("completeness", tests, 1, 1, tear_down);
}
