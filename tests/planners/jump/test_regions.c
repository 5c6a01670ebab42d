/// Regions: two free places share one exactly when straight steps connect them.
#include <stdlib.h>

#include "planners/jump/regions.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define SIDE_MAX 200u

static rp_jump_map_t map;
static rp_regions_t regions;
static uint32_t flooded[SIDE_MAX * SIDE_MAX]; ///< by place: number of its flood, 0 = none yet
static uint32_t queue[SIDE_MAX * SIDE_MAX];

static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
}

static void make(uint32_t width, uint32_t height)
{
    rp_jump_map_init(&map, width, height, &arena);
    rp_regions_init(&regions, &map, &arena);
}

/// Write a place and note its row.
static void put(uint32_t column, uint32_t row, bool is_free)
{
    rp_jump_map_set(&map, column, row, is_free);
    rp_regions_note(&regions, row);
}

static bool is_free(uint32_t place)
{
    return rp_jump_map_is_free(&map, place % map.width + 1u, place / map.width + 1u);
}

static uint32_t region_of(uint32_t place)
{
    return rp_regions_at(&regions, &map, place % map.width + 1u, place / map.width + 1u);
}

static void flood(uint32_t from, uint32_t number)
{
    uint32_t count = 0;
    flooded[from] = number;
    queue[count++] = from;
    while (count != 0) {
        const uint32_t place = queue[--count];
        const uint32_t x = place % map.width;
        const uint32_t y = place / map.width;
        const uint32_t next[4] = {
            x + 1u < map.width ? place + 1u : place, x > 0 ? place - 1u : place,
            y + 1u < map.height ? place + map.width : place, y > 0 ? place - map.width : place};
        for (unsigned i = 0; i < 4; i++) {
            if (flooded[next[i]] == 0 && is_free(next[i])) {
                flooded[next[i]] = number;
                queue[count++] = next[i];
            }
        }
    }
}

/// Go on finding them. What is counted of runs is what the bands have, wherever it was interrupted.
static bool find_some(uint32_t rows)
{
    uint32_t runs = 0;
    const bool is_found = rp_regions_find(&regions, &map, rows);
    for (uint32_t band = 0; band < regions.band_count; band++) {
        runs += regions.bands[band].run_count;
    }
    RP_EACH_EQ(regions.run_count, runs);
    RP_EACH(runs <= regions.run_capacity);
    return is_found;
}

/// Build, and hold each region against a flood: one number each, none twice.
static void hold_against_floods(void)
{
    static uint32_t region_of_flood[SIDE_MAX * SIDE_MAX + 1u];
    static uint8_t is_taken[SIDE_MAX * SIDE_MAX];
    const uint32_t places = map.width * map.height;
    uint32_t floods = 0;
    ck_assert(find_some(UINT32_MAX));
    for (uint32_t place = 0; place < places; place++) {
        flooded[place] = 0;
        is_taken[place] = 0;
    }
    for (uint32_t place = 0; place < places; place++) {
        if (!is_free(place)) {
            continue;
        }
        const uint32_t region = region_of(place);
        RP_EACH(region < places);
        if (flooded[place] == 0) {
            flood(place, ++floods);
            RP_EACH_EQ(is_taken[region], 0);
            is_taken[region] = 1;
            region_of_flood[floods] = region;
        }
        RP_EACH_EQ(region, region_of_flood[flooded[place]]);
    }
}

START_TEST(regions_are_what_straight_steps_connect)
{
    rp_random_t random = {(uint64_t)_i + 1u};
    const uint32_t rows = rp_random_between(&random, 1, SIDE_MAX);
    make(rp_random_between(&random, 1, SIDE_MAX), rows);
    for (int round = 0; round < 6; round++) {
        const uint32_t percent = rp_random_between(&random, 0, 100);
        for (uint32_t row = 1; row <= map.height; row++) {
            for (uint32_t column = 1; column <= map.width; column++) {
                put(column, row, rp_random_chance(&random, percent));
            }
        }
        hold_against_floods();
    }
}
END_TEST

START_TEST(a_comb_is_one_region_until_it_is_cut)
{
    make(131, 131);
    for (uint32_t row = 1; row <= 131; row++) {
        for (uint32_t column = 1; column <= 131; column++) {
            // A comb: teeth down every second column, joined in turn above and below.
            const bool is_tooth = column % 2u == 1u;
            const bool is_bridge = column % 4u == 2u ? row == 1u : row == 131u;
            put(column, row, is_tooth || is_bridge);
        }
    }
    hold_against_floods();
    ck_assert_uint_eq(region_of(0), region_of(130));
    put(65, 60, false);
    hold_against_floods();
    ck_assert_uint_ne(region_of(0), region_of(130));
}
END_TEST

/// A few places change between two looks, some of them while the regions are being found.
START_TEST(rows_that_change_are_read_again_and_the_others_stay)
{
    rp_random_t random = {(uint64_t)_i + 50u};
    const uint32_t most = rp_random_between(&random, 30, SIDE_MAX);
    make(rp_random_between(&random, 1, SIDE_MAX), most);
    for (uint32_t row = 1; row <= map.height; row++) {
        for (uint32_t column = 1; column <= map.width; column++) {
            put(column, row, rp_random_chance(&random, 60));
        }
    }
    for (int round = 0; round < 30; round++) {
        for (uint32_t count = rp_random_below(&random, 9); count != 0; count--) {
            const bool is_free = rp_random_chance(&random, 50);
            const uint32_t y = rp_random_between(&random, 1, map.height);
            put(rp_random_between(&random, 1, map.width), y, is_free);
            (void)find_some(rp_random_below(&random, 60));
        }
        hold_against_floods();
    }
    for (uint32_t rows = 0; rows < 70u; rows += 23u) {
        rp_regions_drop(&regions);
        (void)find_some(rows);
    }
    rp_regions_drop(&regions);
    ck_assert(!find_some(map.height));
    hold_against_floods();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        regions_are_what_straight_steps_connect,
        a_comb_is_one_region_until_it_is_cut,
        rows_that_change_are_read_again_and_the_others_stay,
    };
    return rp_suite_run("regions", tests, sizeof tests / sizeof tests[0], 5, tear_down);
}
