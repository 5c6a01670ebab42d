/// Buildings: where they may stand, and what they leave behind.
#include "sim/world/buildings.h"
#include "tests/support/suite.h"

static rp_terrain_t terrain;
static rp_buildings_t buildings;
static rp_edits_t edits;

/// 16 x 16 cells of grass, a road along row 4.
static void set_up(void)
{
    const rp_terrain_options_t options = {
        .sort = RP_TERRAIN_RANDOM, .width = 16, .height = 16, .neighbors = 8};
    ck_assert(rp_terrain_init(&terrain, &options));
    for (uint32_t cell = 0; cell < 256; cell++) {
        rp_terrain_write(&terrain, cell, cell / 16 == 4 ? RP_KIND_ROAD : RP_KIND_GRASS);
    }
}

static void tear_down(void)
{
    rp_terrain_fini(&terrain);
    rp_buildings_fini(&buildings);
    rp_edits_fini(&edits);
}

START_TEST(a_building_blocks_its_footprint_and_leaves_rubble)
{
    set_up();
    const rp_building_t building = {.corner = 8 * 16 + 8, .side = 3};
    ck_assert(rp_buildings_raise(&buildings, &terrain, building, &edits));
    ck_assert_uint_eq(edits.count, 9);
    ck_assert(!rp_terrain_is_free(&terrain, 8 * 16 + 8));
    ck_assert(!rp_terrain_is_free(&terrain, 10 * 16 + 10));
    ck_assert(rp_terrain_is_free(&terrain, 11 * 16 + 10));
    ck_assert_uint_eq(rp_building_middle(&terrain, building), 9 * 16 + 9);
    ck_assert(rp_buildings_raze(&buildings, &terrain, 0, &edits));
    ck_assert_uint_eq(buildings.count, 0);
    ck_assert_int_eq(terrain.kinds[9 * 16 + 9], RP_KIND_RUBBLE);
}
END_TEST

START_TEST(a_road_comes_back_where_a_building_stood_on_it)
{
    set_up();
    ck_assert(rp_buildings_raise(&buildings, &terrain,
                                 (rp_building_t){.corner = 3 * 16 + 3, .side = 4}, &edits));
    ck_assert(rp_buildings_raze(&buildings, &terrain, 0, &edits));
    for (uint32_t x = 3; x < 7; x++) {
        ck_assert_int_eq(terrain.kinds[4 * 16 + x], RP_KIND_ROAD);
        ck_assert_int_eq(terrain.kinds[5 * 16 + x], RP_KIND_RUBBLE);
    }
}
END_TEST

START_TEST(roads_need_leave_to_be_built_on)
{
    set_up();
    const rp_building_t building = {.corner = 3 * 16 + 3, .side = 3};
    rp_building_rules_t rules = {0};
    ck_assert(!rp_buildings_has_room(&terrain, building, &rules));
    rules.on_roads = true;
    ck_assert(rp_buildings_has_room(&terrain, building, &rules));
}
END_TEST

START_TEST(a_gap_keeps_neighbours_apart)
{
    set_up();
    const rp_building_t beside = {.corner = 8 * 16 + 5, .side = 3};
    rp_building_rules_t rules = {0};
    ck_assert(rp_buildings_raise(&buildings, &terrain,
                                 (rp_building_t){.corner = 8 * 16 + 8, .side = 3}, &edits));
    ck_assert(rp_buildings_has_room(&terrain, beside, &rules));
    rules.gap = 1;
    ck_assert(!rp_buildings_has_room(&terrain, beside, &rules));
}
END_TEST

START_TEST(nobody_builds_on_or_beside_a_kept_cell_or_over_the_edge)
{
    set_up();
    const uint32_t kept[] = {8 * 16 + 4};
    rp_building_rules_t rules = {.kept = kept, .kept_count = 1};
    rp_building_t building = {.corner = 8 * 16 + 5, .side = 3};
    ck_assert(!rp_buildings_has_room(&terrain, building, &rules));
    building.corner++;
    ck_assert(rp_buildings_has_room(&terrain, building, &rules));
    building.corner = 8 * 16 + 14;
    ck_assert(!rp_buildings_has_room(&terrain, building, &rules));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_building_blocks_its_footprint_and_leaves_rubble,
        a_road_comes_back_where_a_building_stood_on_it,
        roads_need_leave_to_be_built_on,
        a_gap_keeps_neighbours_apart,
        nobody_builds_on_or_beside_a_kept_cell_or_over_the_edge,
    };
    return rp_suite_run("sim_buildings", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
