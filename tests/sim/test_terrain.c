/// Worlds: the seed decides, and one can walk in them.
#include <string.h>

#include "sim/world/flood.h"
#include "sim/world/terrain.h"
#include "tests/support/suite.h"

static const rp_terrain_options_t sorts[] = {
    {.sort = RP_TERRAIN_WARCRAFT, .width = 160, .height = 96, .neighbors = 8},
    {.sort = RP_TERRAIN_MAZE, .width = 40, .height = 24, .neighbors = 4},
    {.sort = RP_TERRAIN_RANDOM, .width = 64, .height = 50, .neighbors = 4, .density = 0.25},
};
#define SORTS (sizeof sorts / sizeof sorts[0])

static rp_terrain_t make(size_t sort, uint64_t seed)
{
    rp_terrain_options_t options = sorts[sort];
    rp_terrain_t terrain;
    options.seed = seed;
    ck_assert(rp_terrain_init(&terrain, &options));
    return terrain;
}

static size_t count_free(const rp_terrain_t *terrain)
{
    size_t count = 0;
    for (uint32_t cell = 0; cell < rp_terrain_cell_count(terrain); cell++) {
        count += rp_terrain_is_free(terrain, cell);
    }
    return count;
}

static size_t count_kind(const rp_terrain_t *terrain, rp_terrain_kind_t kind)
{
    size_t count = 0;
    for (size_t cell = 0; cell < rp_terrain_cell_count(terrain); cell++) {
        count += terrain->kinds[cell] == kind;
    }
    return count;
}

/// How many cells a walk from this one reaches.
static size_t reach(const rp_terrain_t *terrain, uint32_t from)
{
    rp_flood_t flood;
    ck_assert(rp_flood_init(&flood, rp_terrain_cell_count(terrain)));
    const size_t reached = rp_flood_from(&flood, &terrain->grid, from, 1);
    rp_flood_fini(&flood);
    return reached;
}

START_TEST(a_seed_makes_the_same_world_again)
{
    for (size_t sort = 0; sort < SORTS; sort++) {
        rp_terrain_t one = make(sort, 7);
        rp_terrain_t two = make(sort, 7);
        ck_assert_mem_eq(one.kinds, two.kinds, rp_terrain_cell_count(&one));
        ck_assert_mem_eq(one.bytes, two.bytes, rp_terrain_cell_count(&one));
        rp_terrain_fini(&one);
        rp_terrain_fini(&two);
    }
}
END_TEST

START_TEST(another_seed_makes_another_world)
{
    for (size_t sort = 0; sort < SORTS; sort++) {
        rp_terrain_t one = make(sort, 7);
        rp_terrain_t two = make(sort, 8);
        ck_assert_mem_ne(one.kinds, two.kinds, rp_terrain_cell_count(&one));
        rp_terrain_fini(&one);
        rp_terrain_fini(&two);
    }
}
END_TEST

START_TEST(everything_free_in_a_warcraft_world_hangs_together)
{
    rp_terrain_t terrain = make(0, (uint64_t)_i + 1);
    ck_assert_uint_ge(terrain.base_count, 2);
    for (uint32_t i = 0; i < terrain.base_count; i++) {
        ck_assert(rp_terrain_is_free(&terrain, terrain.bases[i]));
    }
    ck_assert_uint_eq(reach(&terrain, terrain.bases[0]), count_free(&terrain));
    rp_terrain_fini(&terrain);
}
END_TEST

START_TEST(a_warcraft_world_has_something_of_everything)
{
    size_t seen[RP_KIND_COUNT] = {0};
    for (uint64_t seed = 1; seed <= 8; seed++) {
        rp_terrain_t terrain = make(0, seed);
        for (rp_terrain_kind_t kind = RP_KIND_GRASS; kind < RP_KIND_BUILDING; kind++) {
            seen[kind] += count_kind(&terrain, kind);
        }
        rp_terrain_fini(&terrain);
    }
    ck_assert_uint_gt(seen[RP_KIND_GRASS], 0);
    ck_assert_uint_gt(seen[RP_KIND_HIGHLAND], 0);
    ck_assert_uint_gt(seen[RP_KIND_SAND], 0);
    ck_assert_uint_gt(seen[RP_KIND_ROAD], 0);
    ck_assert_uint_gt(seen[RP_KIND_RAMP], 0);
    ck_assert_uint_gt(seen[RP_KIND_TREE], 0);
    ck_assert_uint_gt(seen[RP_KIND_WATER], 0);
    ck_assert_uint_gt(seen[RP_KIND_CLIFF], 0);
}
END_TEST

START_TEST(a_maze_is_a_tree_of_rooms_at_even_places)
{
    rp_terrain_t terrain = make(1, (uint64_t)_i + 1);
    const size_t rooms = (40 / 2) * (24 / 2);
    ck_assert(terrain.grid.wraps);
    // One door fewer than rooms, and all are reached: a tree.
    ck_assert_uint_eq(count_free(&terrain), 2 * rooms - 1);
    ck_assert_uint_eq(reach(&terrain, 0), 2 * rooms - 1);
    rp_terrain_fini(&terrain);
}
END_TEST

START_TEST(a_random_world_has_exactly_its_density)
{
    rp_terrain_t terrain = make(2, (uint64_t)_i + 1);
    ck_assert_uint_eq(count_free(&terrain), 64 * 50 * 3 / 4);
    rp_terrain_fini(&terrain);
}
END_TEST

START_TEST(bytes_say_what_kinds_are)
{
    rp_terrain_options_t options = sorts[0];
    rp_terrain_t terrain;
    options.weighted = _i % 2 == 1;
    ck_assert(rp_terrain_init(&terrain, &options));
    for (uint32_t cell = 0; cell < rp_terrain_cell_count(&terrain); cell++) {
        if (terrain.bytes[cell] != rp_terrain_byte(&terrain, terrain.kinds[cell]) ||
            (terrain.bytes[cell] != 0) != rp_terrain_is_free(&terrain, cell)) {
            ck_abort_msg("cell %u", cell);
        }
    }
    ck_assert_uint_eq(rp_terrain_byte(&terrain, RP_KIND_SAND), options.weighted ? 3 : 1);
    rp_terrain_fini(&terrain);
}
END_TEST

START_TEST(sizes_that_cannot_be_are_refused)
{
    rp_terrain_options_t options = sorts[1];
    rp_terrain_t terrain;
    options.width = 41;
    ck_assert(!rp_terrain_init(&terrain, &options));
    options = sorts[0];
    options.height = 63;
    ck_assert(!rp_terrain_init(&terrain, &options));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_seed_makes_the_same_world_again,
        another_seed_makes_another_world,
        everything_free_in_a_warcraft_world_hangs_together,
        a_warcraft_world_has_something_of_everything,
        a_maze_is_a_tree_of_rooms_at_even_places,
        a_random_world_has_exactly_its_density,
        bytes_say_what_kinds_are,
        sizes_that_cannot_be_are_refused,
    };
    return rp_suite_run("sim_terrain", tests, sizeof tests / sizeof tests[0], 4, NULL);
}
