/// The guide layer and its field: after any changes they are what a fresh look gives.
#include <stdlib.h>

#include "planners/guide/guide.h"
#include "planners/guide/guide_field.h"
#include "tests/planners/lattice/lattice_scene.h"

static rp_random_t rng;
static rp_grid_t *grid;
static rp_obstacles_t obstacles;
static rp_guide_t guide;
static rp_guide_field_t field;
static rp_guide_field_t fresh;

static void tear_down(void)
{
    rp_guide_field_fini(&field);
    rp_guide_field_fini(&fresh);
    rp_guide_fini(&guide);
    rp_obstacles_fini(&obstacles);
    rp_grid_destroy(&grid);
}

static const double bodies[] = {0.0, 1.0, 1.9, 2.0, 2.5, 4.0};
#define BODIES (sizeof bodies / sizeof bodies[0])

/// @param kind  bit 0: a torus, bit 1: weighted
static void open_scene(double body, unsigned kind)
{
    rng.state = kind + 7u;
    grid = scene_world(&rng, 26, 6, (kind & 1u) != 0, (kind & 2u) != 0 ? 6 : 1);
    ck_assert_int_eq(rp_obstacles_init(&obstacles, grid, 8), RP_OK);
    rp_obstacles_fill(&obstacles, grid);
    ck_assert_int_eq(rp_guide_make(&guide, grid, &obstacles, body, 2), RP_OK);
    ck_assert_int_eq(rp_guide_field_init(&field, guide.layer, grid->weighted), RP_OK);
    ck_assert_int_eq(rp_guide_field_init(&fresh, guide.layer, grid->weighted), RP_OK);
}

static uint8_t factor_at(int32_t x, int32_t y)
{
    const int32_t width = (int32_t)grid->shape.width;
    const int32_t height = (int32_t)grid->shape.height;
    if (scene_is_blocked(grid, x, y)) {
        return 0;
    }
    return grid->factor[rp_grid_cell(grid, (uint32_t)((x + width) % width),
                                     (uint32_t)((y + height) % height))];
}

/// An obstacle, or the outside, within a distance, middle to middle. A cell is its own only
/// obstacle within less than 1.
static bool is_within(int32_t x, int32_t y, double radius)
{
    const int32_t most = radius < 1.0 ? 0 : (int32_t)radius;
    for (int32_t dy = -most; dy <= most; dy++) {
        for (int32_t dx = -most; dx <= most; dx++) {
            const bool is_inside = grid->shape.wraps || rp_grid_contains(grid, x + dx, y + dy);
            const bool counts = is_inside ? dx * dx + dy * dy <= radius * radius
                                          : abs(dx) <= most && abs(dy) <= most;
            if ((counts || most == 0) && factor_at(x + dx, y + dy) == 0) {
                return true;
            }
        }
    }
    return false;
}

static bool is_near_open(int32_t x, int32_t y, double body)
{
    for (int32_t dy = -1; dy <= 1; dy++) {
        for (int32_t dx = -1; dx <= 1; dx++) {
            const bool is_inside = grid->shape.wraps || rp_grid_contains(grid, x + dx, y + dy);
            if (is_inside && !is_within(x + dx, y + dy, body)) {
                return true;
            }
        }
    }
    return false;
}

/// What the layer shall have: by the rules, cell by cell.
static uint8_t expected(int32_t x, int32_t y, double body)
{
    uint8_t least = UINT8_MAX;
    if (is_within(x, y, fmax(0.0, body - 1.0)) || (body >= 1.0 && !is_near_open(x, y, body))) {
        return 0;
    }
    for (int32_t dy = -2; dy <= 2; dy++) {
        for (int32_t dx = -2; dx <= 2; dx++) {
            const uint8_t factor = factor_at(x + dx, y + dy);
            least = factor != 0 && factor < least ? factor : least;
        }
    }
    return grid->weighted ? least : grid->shape.unit;
}

static void change_world(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t y = rp_random_below(&rng, grid->shape.height);
        const rp_cell_t cell = rp_grid_cell(grid, rp_random_below(&rng, grid->shape.width), y);
        const uint8_t before = grid->factor[cell];
        const bool blocks = before != 0 && rp_random_chance(&rng, 40);
        const uint8_t free = grid->weighted ? (uint8_t)rp_random_between(&rng, 1, 6) : 1u;
        rp_grid_set(grid, cell, blocks ? 0 : free);
        uint64_t budget = UINT64_MAX;
        rp_obstacles_set(&obstacles, rp_grid_x(grid, cell), rp_grid_y(grid, cell), blocks);
        ck_assert_int_eq(rp_guide_apply(&guide, cell, before == 0, &budget), RP_OK);
    }
}

START_TEST(each_cell_is_by_the_rule_after_every_change)
{
    const double body = bodies[(size_t)_i % BODIES];
    open_scene(body, (unsigned)((size_t)_i / BODIES));
    for (uint32_t round = 0; round < 12u; round++) {
        for (int32_t y = 0; y < (int32_t)grid->shape.height; y++) {
            for (int32_t x = 0; x < (int32_t)grid->shape.width; x++) {
                const rp_cell_t cell = rp_grid_cell(grid, (uint32_t)x, (uint32_t)y);
                RP_EACH_EQ(guide.layer->factor[cell], expected(x, y, body));
            }
        }
        change_world(3);
    }
}
END_TEST

START_TEST(a_repaired_field_is_a_fresh_one)
{
    open_scene(bodies[(size_t)_i % BODIES], (unsigned)((size_t)_i / BODIES));
    rp_guide_field_begin(&field, rp_grid_cell(grid, 13, 14));
    for (uint32_t round = 0; round < 40u; round++) {
        uint64_t budget = UINT64_MAX;
        rp_status_t status = RP_MORE;
        while (status == RP_MORE) {
            uint64_t one = 1u + round % 2u * 1000u;
            status = rp_guide_field_work(&field, &one);
        }
        rp_guide_field_begin(&fresh, field.goal);
        ck_assert_int_eq(rp_guide_field_work(&fresh, &budget), RP_OK);
        for (rp_cell_t cell = 0; cell < grid->cell_count; cell++) {
            RP_EACH_EQ(field.values[cell], fresh.values[cell]);
        }
        change_world(round % 5u == 0 ? 30u : 2u);
        rp_guide_field_apply(&field, guide.changed, guide.changed_count);
        guide.changed_count = 0;
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {each_cell_is_by_the_rule_after_every_change,
                                  a_repaired_field_is_a_fresh_one};
    return rp_suite_run("guide", tests, sizeof tests / sizeof tests[0], 4u * BODIES, tear_down);
}
