/// Hops, held against a search in rings cell by cell: right where nothing was cut off, and on every
/// path within the limit.
#include "planners/bits/bfs_distance.h"

#include <string.h>

#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define SIDE_MAX 200u
#define NOWHERE  UINT32_MAX
#define NO_LIMIT UINT32_MAX

static rp_free_map_t map;
static rp_bfs_distance_t distances;
static uint32_t moves[SIDE_MAX][SIDE_MAX];  ///< to the end where rings begin, by row and column
static uint32_t before[SIDE_MAX][SIDE_MAX]; ///< the place that each was reached from
static uint32_t queue[SIDE_MAX * SIDE_MAX];
static rp_random_t chance;

static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
}

static void open_map(uint32_t width, uint32_t height, uint32_t blocked_percent)
{
    const rp_simd_t simd = rp_random_chance(&chance, 50) ? RP_SIMD_NONE : rp_simd_best();
    rp_free_map_init(&map, width, height, &arena);
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            rp_free_map_set(&map, x, y, !rp_random_chance(&chance, blocked_percent));
        }
    }
    rp_bfs_distance_init(&distances, width, height, simd, &arena);
}

static bool is_free(int32_t x, int32_t y)
{
    return x >= 0 && y >= 0 && x < (int32_t)map.width && y < (int32_t)map.height &&
           rp_free_map_is_free(&map, (uint32_t)x, (uint32_t)y);
}

static bool is_legal(int32_t x, int32_t y, int32_t right, int32_t down)
{
    return is_free(x + right, y + down) && is_free(x + right, y) && is_free(x, y + down);
}

static void search_in_rings(uint32_t from_x, uint32_t from_y)
{
    uint32_t count = 1;
    memset(moves, 0xff, sizeof moves);
    moves[from_y][from_x] = 0;
    queue[0] = from_y * SIDE_MAX + from_x;
    for (uint32_t i = 0; i < count; i++) {
        const int32_t x = (int32_t)(queue[i] % SIDE_MAX);
        const int32_t y = (int32_t)(queue[i] / SIDE_MAX);
        for (int32_t turn = 0; turn < 9; turn++) {
            const int32_t right = turn % 3 - 1;
            const int32_t down = turn / 3 - 1;
            if (is_legal(x, y, right, down) && moves[y + down][x + right] == NOWHERE) {
                moves[y + down][x + right] = moves[y][x] + 1u;
                before[y + down][x + right] = queue[i];
                queue[count++] = (uint32_t)(y + down) * SIDE_MAX + (uint32_t)(x + right);
            }
        }
    }
}

static void draw_free(uint32_t *x, uint32_t *y)
{
    do {
        *x = rp_random_below(&chance, map.width);
        *y = rp_random_below(&chance, map.height);
    } while (!rp_free_map_is_free(&map, *x, *y));
}

static uint32_t apart(uint32_t a, uint32_t b)
{
    return a < b ? b - a : a - b;
}

/// Lines that the path crosses by which the search in rings came here.
static uint32_t lines_to(uint32_t x, uint32_t y)
{
    uint32_t lines = 0;
    while (moves[y][x] != 0) {
        const uint32_t place = before[y][x];
        lines += apart(place % SIDE_MAX, x) + apart(place / SIDE_MAX, y);
        x = place % SIDE_MAX;
        y = place / SIDE_MAX;
    }
    return lines;
}

static void grow_all(const rp_bfs_distance_way_t *way)
{
    uint64_t words;
    rp_bfs_distance_begin(&distances, &map, way);
    while (rp_bfs_distance_grow(&distances, &words)) {
    }
    search_in_rings(way->from_x, way->from_y);
}

static unsigned code_of(uint32_t number)
{
    return number == NOWHERE ? 0u : number % 3u + 1u;
}

static void open_any_map(int seed)
{
    chance = (rp_random_t){(uint64_t)seed + 3u};
    const uint32_t percent = rp_random_below(&chance, 45);
    const uint32_t height = rp_random_between(&chance, 3, SIDE_MAX);
    open_map(rp_random_between(&chance, 3, SIDE_MAX), height, percent);
}

START_TEST(without_a_limit_each_place_has_the_moves_that_a_search_in_rings_finds)
{
    open_any_map(_i);
    for (int round = 0; round < 6; round++) {
        rp_bfs_distance_way_t way = {.most = NO_LIMIT};
        draw_free(&way.from_x, &way.from_y);
        draw_free(&way.to_x, &way.to_y);
        grow_all(&way);
        for (uint32_t y = 0; y < map.height; y++) {
            for (uint32_t x = 0; x < map.width; x++) {
                const uint32_t known = is_free((int32_t)x, (int32_t)y) ? moves[y][x] : NOWHERE;
                ck_assert_uint_eq(rp_bfs_distance_code(&distances, x, y), code_of(known));
            }
        }
    }
}
END_TEST

START_TEST(every_place_of_a_path_within_the_limit_is_met)
{
    open_any_map(_i + 100);
    for (int round = 0; round < 12; round++) {
        rp_bfs_distance_way_t way = {.most = NO_LIMIT};
        draw_free(&way.from_x, &way.from_y);
        draw_free(&way.to_x, &way.to_y);
        search_in_rings(way.from_x, way.from_y);
        if (moves[way.to_y][way.to_x] == NOWHERE) {
            continue;
        }
        way.lines = apart(way.from_x, way.to_x) + apart(way.from_y, way.to_y);
        way.most = RP_BFS_DISTANCE_MOVE * moves[way.to_y][way.to_x] +
                   RP_BFS_DISTANCE_LINE * lines_to(way.to_x, way.to_y);
        grow_all(&way);
        for (uint32_t x = way.to_x, y = way.to_y; moves[y][x] != 0;) {
            ck_assert_uint_eq(rp_bfs_distance_code(&distances, x, y), code_of(moves[y][x]));
            const uint32_t place = before[y][x];
            x = place % SIDE_MAX;
            y = place / SIDE_MAX;
        }
    }
}
END_TEST

START_TEST(only_places_that_lead_to_the_end_are_met)
{
    open_any_map(_i + 200);
    for (int round = 0; round < 12; round++) {
        rp_bfs_distance_way_t way = {.most = rp_random_below(&chance, SIDE_MAX * RP_DIAGONAL)};
        draw_free(&way.from_x, &way.from_y);
        draw_free(&way.to_x, &way.to_y);
        grow_all(&way);
        for (uint32_t y = 0; y < map.height; y++) {
            for (uint32_t x = 0; x < map.width; x++) {
                const unsigned code = rp_bfs_distance_code(&distances, x, y);
                ck_assert(code == 0 || moves[y][x] != NOWHERE);
                ck_assert(code != 0 || x != way.from_x || y != way.from_y);
            }
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        without_a_limit_each_place_has_the_moves_that_a_search_in_rings_finds,
        every_place_of_a_path_within_the_limit_is_met,
        only_places_that_lead_to_the_end_are_met,
    };
    return rp_suite_run("bfs_distance", tests, sizeof tests / sizeof tests[0], RP_ROUNDS(20),
                        tear_down);
}
