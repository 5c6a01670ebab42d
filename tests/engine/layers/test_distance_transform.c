/// How near the next obstacle is, against stamps round each obstacle, and with every kind of
/// instructions that this machine has.
#include <stdlib.h>
#include <string.h>

#include "engine/layers/distance_transform.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define CELLS_MAX (1200u * 40u)

static rp_distance_transform_t plane;
static rp_random_t rng;
static bool stands[CELLS_MAX]; ///< where an obstacle stands
static uint32_t expected[CELLS_MAX];
static uint32_t before[CELLS_MAX]; ///< the numbers before a run
static unsigned heard[CELLS_MAX];  ///< how often a run told of a cell
static unsigned spread_count;      ///< changes that needed no run
static bool is_put[CELLS_MAX];     ///< something came or went there before it

static void tear_down(void)
{
    rp_distance_fini(&plane, NULL);
}

static void begin(uint32_t width, uint32_t height, bool wraps, uint32_t reach, rp_simd_t simd)
{
    memset(stands, 0, sizeof stands);
    ck_assert_int_eq(rp_distance_init(&plane, width, height, wraps, reach), RP_OK);
    plane.simd = simd;
}

/// Cells reached from one obstacle.
static void stamp(uint32_t index)
{
    const int64_t width = plane.width;
    const int64_t height = plane.height;
    const int64_t reach = plane.reach;
    for (int64_t place = 0; place < (2 * reach + 1) * (2 * reach + 1); place++) {
        const int64_t dx = place % (2 * reach + 1) - reach;
        const int64_t dy = place / (2 * reach + 1) - reach;
        int64_t x = index % width + dx;
        int64_t y = index / width + dy;
        const int64_t number = reach * reach + 1 - dx * dx - dy * dy;
        if (plane.wraps) {
            x = (x % width + width) % width;
            y = (y % height + height) % height;
        }
        if (number > 0 && x >= 0 && y >= 0 && x < width && y < height &&
            expected[y * width + x] < number) {
            expected[y * width + x] = (uint32_t)number;
        }
    }
}

static void expect_stamps(void)
{
    const uint32_t count = plane.width * plane.height;
    memset(expected, 0, sizeof expected);
    for (uint32_t index = 0; index < count; index++) {
        if (stands[index]) {
            stamp(index);
        }
    }
    for (uint32_t index = 0; index < count; index++) {
        ck_assert_msg(rp_distance_at(&plane, index) == expected[index],
                      "(%u, %u) of %u x %u is %u, not %u", index % plane.width, index / plane.width,
                      plane.width, plane.height, rp_distance_at(&plane, index), expected[index]);
    }
}

/// As rp_distance_changed_fn.
static void hear(void *user, uint32_t x, uint32_t y, uint64_t index)
{
    RP_EACH(user == NULL && index == (uint64_t)y * plane.width + x);
    heard[index]++;
}

/// Grow a stretch of a side by the reach.
static void grow(uint32_t *first, uint32_t *length, uint32_t side)
{
    const uint32_t low = *first > plane.reach ? *first - plane.reach : 0;
    const uint32_t end = *first + *length + plane.reach;
    *length = (end < side ? end : side) - low;
    *first = low;
}

/// Things come and go inside a box, and what lies round it is brought up to date; where they only
/// came, by what they say alone if that will do.
static void change_something(void)
{
    rp_box_t box = {.width = 1u + rp_random_below(&rng, plane.width),
                    .height = 1u + rp_random_below(&rng, plane.height)};
    box.x = rp_random_below(&rng, plane.width - box.width + 1u);
    box.y = rp_random_below(&rng, plane.height - box.height + 1u);
    const uint32_t count = plane.width * plane.height;
    for (uint32_t index = 0; index < count; index++) {
        before[index] = rp_distance_at(&plane, index);
    }
    memset(is_put, 0, sizeof is_put);
    const bool only_come = rp_random_chance(&rng, 50);
    for (uint32_t i = rp_random_below(&rng, 12); i != 0; i--) {
        const uint32_t index = (box.y + rp_random_below(&rng, box.height)) * plane.width + box.x +
                               rp_random_below(&rng, box.width);
        stands[index] = only_come || rp_random_chance(&rng, 50);
        is_put[index] = true;
        rp_distance_put(&plane, index, stands[index]);
    }
    const rp_box_t put_in = box;
    grow(&box.x, &box.width, plane.width);
    grow(&box.y, &box.height, plane.height);
    const rp_box_t all = {0, 0, plane.width, plane.height};
    memset(heard, 0, sizeof heard);
    const bool is_spread = only_come && rp_distance_spread(&plane, put_in, hear, NULL);
    spread_count += is_spread;
    if (!is_spread) {
        rp_distance_run(&plane, plane.wraps ? all : box, hear, NULL);
    }
    for (uint32_t index = 0; index < count; index++) {
        const bool is_new = rp_distance_at(&plane, index) != before[index];
        RP_EACH(is_put[index] || heard[index] == is_new);
    }
}

static void walk(rp_simd_t simd, uint32_t reach_most, uint32_t width_most)
{
    const uint32_t reach = rp_random_between(&rng, 1, reach_most);
    const bool wraps = rp_random_chance(&rng, 40);
    const uint32_t height = rp_random_between(&rng, 3, 40);
    begin(rp_random_between(&rng, 3, width_most), height, wraps, reach, simd);
    for (unsigned round = 0; round < RP_ROUNDS(5u); round++) {
        change_something();
        expect_stamps();
    }
    rp_distance_fini(&plane, NULL);
}

/// Reach up to 15 takes bytes, beyond that numbers of 16 bits.
START_TEST(any_walk_gives_what_stamps_give_on_every_machine)
{
    for (unsigned simd = RP_SIMD_NONE; simd <= (unsigned)rp_simd_best(); simd++) {
        rng = (rp_random_t){(uint64_t)_i};
        walk((rp_simd_t)simd, 15, 60);
        walk((rp_simd_t)simd, 40, 60);
        walk((rp_simd_t)simd, RP_REACH_MAX, 1200);
        spread_count = 0;
        for (unsigned i = 0; i < 8; i++) {
            walk((rp_simd_t)simd, 4, 120);
            walk((rp_simd_t)simd, 18, 120);
        }
        ck_assert_uint_ne(spread_count, 0);
    }
}
END_TEST

START_TEST(what_a_byte_holds_takes_a_byte)
{
    begin(9, 9, false, 15, RP_SIMD_NONE);
    ck_assert_uint_eq(rp_distance_size(&plane), 1);
    rp_distance_fini(&plane, NULL);
    begin(9, 9, false, 16, RP_SIMD_NONE);
    ck_assert_uint_eq(rp_distance_size(&plane), 2);
}
END_TEST

int main(void)
{
    const TTest *const walks[] = {any_walk_gives_what_stamps_give_on_every_machine};
    const TTest *const tests[] = {what_a_byte_holds_takes_a_byte};
    const int failed = rp_suite_run("distance_transform: walks", walks, 1, 10, tear_down);
    return rp_suite_run("distance_transform", tests, 1, 1, tear_down) + failed;
}
