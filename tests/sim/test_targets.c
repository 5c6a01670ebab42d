/// Moving targets after the GAA* paper.
#include "sim/world/targets.h"
#include "tests/support/suite.h"

static rp_terrain_t maze(uint64_t seed)
{
    const rp_terrain_options_t options = {
        .sort = RP_TERRAIN_MAZE, .width = 40, .height = 40, .neighbors = 4, .seed = seed};
    rp_terrain_t terrain;
    ck_assert(rp_terrain_init(&terrain, &options));
    return terrain;
}

START_TEST(a_target_takes_legal_steps_and_turns_back_only_when_it_must)
{
    rp_terrain_t terrain = maze((uint64_t)_i + 1);
    rp_seeded_t seeded = {5};
    rp_target_t target = {0, RP_NOWHERE};
    for (unsigned step = 0; step < 2000; step++) {
        const rp_target_t before = target;
        rp_target_step(&target, &terrain.grid, &seeded);
        ck_assert_uint_eq(rp_grid_view_manhattan(&terrain.grid, before.cell, target.cell), 1);
        ck_assert(rp_terrain_is_free(&terrain, target.cell));
        unsigned ways = 0;
        for (unsigned direction = 0; direction < 8; direction += 2) {
            ways += rp_grid_view_move(&terrain.grid, before.cell, direction) != RP_NOWHERE;
        }
        ck_assert(target.cell != before.previous || ways == 1);
    }
    rp_terrain_fini(&terrain);
}
END_TEST

START_TEST(a_walled_in_target_stays)
{
    uint8_t bytes[9] = {0, 0, 0, 0, 1, 0, 0, 0, 0};
    const rp_grid_view_t grid = {bytes, 3, 3, 4, false, RP_SCALE_FACTOR};
    rp_seeded_t seeded = {1};
    rp_target_t target = {4, 3};
    rp_target_step(&target, &grid, &seeded);
    ck_assert_uint_eq(target.cell, 4);
}
END_TEST

START_TEST(walls_shift_k_each_way_and_cut_nobody_off)
{
    rp_terrain_t terrain = maze((uint64_t)_i + 1);
    rp_flood_t flood;
    rp_seeded_t seeded = {(uint64_t)_i + 9};
    rp_edits_t edits = {0};
    ck_assert(rp_flood_init(&flood, rp_terrain_cell_count(&terrain)));
    rp_chase_t chases[3];
    for (unsigned i = 0; i < 3; i++) {
        chases[i] = (rp_chase_t){rp_terrain_any_free(&terrain, &seeded),
                                 rp_terrain_any_free(&terrain, &seeded)};
    }
    for (unsigned round = 0; round < 20; round++) {
        edits.count = 0;
        ck_assert(rp_targets_shift_walls(&terrain, chases, 3, 5, &flood, &seeded, &edits));
        size_t freed = 0;
        for (size_t i = 0; i < edits.count; i++) {
            freed += rp_terrain_is_free(&terrain, edits.cells[i]);
        }
        ck_assert_uint_eq(freed, 5);
        ck_assert_uint_eq(edits.count, 10);
        for (unsigned i = 0; i < 3; i++) {
            rp_flood_reset(&flood);
            rp_flood_from(&flood, &terrain.grid, chases[i].agent, 1);
            ck_assert_uint_eq(flood.labels[chases[i].target], 1);
        }
    }
    rp_edits_fini(&edits);
    rp_flood_fini(&flood);
    rp_terrain_fini(&terrain);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_target_takes_legal_steps_and_turns_back_only_when_it_must,
        a_walled_in_target_stays,
        walls_shift_k_each_way_and_cut_nobody_off,
    };
    return rp_suite_run("sim_targets", tests, sizeof tests / sizeof tests[0], 3, NULL);
}
