/// libGPPCentry.so as the competition's runner uses it, held against Dijkstra while the map
/// changes.
#include "gppc/gppc.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/oracle.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE_MAX 200u
#define PATCHES  4u

static uint8_t bits[SIDE_MAX * SIDE_MAX / 8u + 1u]; ///< the active map
static struct gppc_patch active_map;
static rp_oracle_t *oracle;
static void *data;

static void tear_down(void)
{
    gppc_free_data(data);
    rp_oracle_destroy(&oracle);
}

static void set(uint32_t x, uint32_t y, bool is_free)
{
    const uint32_t place = y * active_map.width + x;
    oracle->factors[place] = is_free;
    bits[place >> 3] =
        (uint8_t)((bits[place >> 3] & ~(1u << (place & 7u))) | (unsigned)is_free << (place & 7u));
}

static void make(uint16_t width, uint16_t height, uint32_t percent, rp_random_t *random)
{
    const rp_grid_shape_t shape = {
        .width = width, .height = height, .neighbors = 8, .unit = 1, .least = 1};
    oracle = rp_oracle_new(&shape);
    ck_assert_ptr_nonnull(oracle);
    active_map = (struct gppc_patch){.bitarray = bits, .width = width, .height = height};
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            set(x, y, !rp_random_chance(random, percent));
        }
    }
    gppc_preprocess_init_map(active_map, "unused");
    data = gppc_search_init(active_map, "unused");
    ck_assert_ptr_nonnull(data);
}

static int sign(int value)
{
    return (value > 0) - (value < 0);
}

/// Every place of a path that lists turns. @return their number
static size_t spell_out(const struct gppc_path *path, uint32_t *places)
{
    int x = path->path[0].x;
    int y = path->path[0].y;
    size_t count = 0;
    places[count++] = (uint32_t)y * active_map.width + (uint32_t)x;
    for (uint32_t i = 1; i < path->length; i++) {
        const int dx = path->path[i].x - x;
        const int dy = path->path[i].y - y;
        ck_assert(dx == 0 || dy == 0 || abs(dx) == abs(dy));
        while (x != path->path[i].x || y != path->path[i].y) {
            x += sign(dx);
            y += sign(dy);
            places[count++] = (uint32_t)y * active_map.width + (uint32_t)x;
        }
    }
    return count;
}

static void query(struct gppc_point start, struct gppc_point goal)
{
    static uint32_t places[SIDE_MAX * SIDE_MAX];
    const uint32_t from = (uint32_t)start.y * active_map.width + start.x;
    const uint32_t to = (uint32_t)goal.y * active_map.width + goal.x;
    const struct gppc_path path = gppc_get_path(data, start, goal);
    ck_assert_uint_eq(path.incomplete, 0);
    if (oracle->factors[from] == 0 || oracle->factors[to] == 0) {
        ck_assert_uint_eq(path.length, 0);
        return;
    }
    rp_oracle_flood(oracle, from);
    if (oracle->cost[to] == RP_ORACLE_NO_PATH) {
        ck_assert_uint_eq(path.length, 0);
        return;
    }
    ck_assert_uint_gt(path.length, 0);
    const size_t count = spell_out(&path, places);
    uint64_t cost = 0;
    double length = 0;
    ck_assert_uint_eq(places[0], from);
    ck_assert_uint_eq(places[count - 1u], to);
    ck_assert(rp_oracle_measure(oracle, places, count, &cost, &length));
    ck_assert_uint_eq(cost, oracle->cost[to]);
}

static void query_anywhere(rp_random_t *random)
{
    const struct gppc_point start = {(uint16_t)rp_random_below(random, active_map.width),
                                     (uint16_t)rp_random_below(random, active_map.height)};
    const struct gppc_point goal = {(uint16_t)rp_random_below(random, active_map.width),
                                    (uint16_t)rp_random_below(random, active_map.height)};
    query(start, goal);
}

/// Rewrite some rectangles. What the patches say is left out: the active map holds what is true.
static void change(rp_random_t *random)
{
    struct gppc_patch changes[PATCHES];
    const uint32_t count = rp_random_between(random, 1, PATCHES);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t width = rp_random_between(random, 1, active_map.width);
        const uint32_t height = rp_random_between(random, 1, active_map.height);
        const uint32_t left = rp_random_below(random, active_map.width - width + 1u);
        const uint32_t top = rp_random_below(random, active_map.height - height + 1u);
        const uint32_t percent = rp_random_below(random, 50);
        for (uint32_t y = top; y < top + height; y++) {
            for (uint32_t x = left; x < left + width; x++) {
                set(x, y, !rp_random_chance(random, percent));
            }
        }
        changes[i] = (struct gppc_patch){
            .width = (uint16_t)width,
            .height = (uint16_t)height,
            .pos = {(uint16_t)left, (uint16_t)top},
        };
    }
    gppc_map_change(data, changes, count);
}

START_TEST(every_query_is_answered_as_the_map_is_then)
{
    rp_random_t random = {(uint64_t)_i + 1u};
    const uint32_t percent = rp_random_below(&random, 45);
    const uint16_t height = (uint16_t)rp_random_between(&random, 1, SIDE_MAX);
    make((uint16_t)rp_random_between(&random, 1, SIDE_MAX), height, percent, &random);
    for (int round = 0; round < 12; round++) {
        for (int i = 0; i < 6; i++) {
            query_anywhere(&random);
        }
        change(&random);
    }
}
END_TEST

START_TEST(a_start_on_the_goal_is_a_path_of_one_point)
{
    rp_random_t random = {1};
    make(70, 70, 0, &random);
    const struct gppc_point point = {64, 3};
    const struct gppc_path path = gppc_get_path(data, point, point);
    ck_assert_uint_eq(path.length, 1);
    ck_assert(path.path[0].x == 64 && path.path[0].y == 3);
}
END_TEST

START_TEST(a_point_outside_has_no_path)
{
    rp_random_t random = {1};
    make(10, 20, 0, &random);
    const struct gppc_point inside = {5, 5};
    ck_assert_uint_eq(gppc_get_path(data, inside, (struct gppc_point){10, 5}).length, 0);
    ck_assert_uint_eq(gppc_get_path(data, (struct gppc_point){5, 20}, inside).length, 0);
    ck_assert_uint_eq(gppc_get_path(data, inside, (struct gppc_point){65535, 65535}).length, 0);
    ck_assert_uint_gt(gppc_get_path(data, inside, (struct gppc_point){9, 19}).length, 0);
}
END_TEST

START_TEST(a_map_of_no_cells_and_no_map_are_survived)
{
    data = gppc_search_init((struct gppc_patch){0}, "");
    ck_assert_ptr_null(data);
    gppc_map_change(NULL, NULL, 0);
    ck_assert_uint_eq(
        gppc_get_path(NULL, (struct gppc_point){0, 0}, (struct gppc_point){0, 0}).length, 0);
    ck_assert_uint_gt(strlen(gppc_get_name()), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        every_query_is_answered_as_the_map_is_then,
        a_start_on_the_goal_is_a_path_of_one_point,
        a_point_outside_has_no_path,
        a_map_of_no_cells_and_no_map_are_survived,
    };
    return rp_suite_run("gppc_entry", tests, sizeof tests / sizeof tests[0], 8, tear_down);
}
