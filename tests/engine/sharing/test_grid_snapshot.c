/// A grid snapshot that is made in slices while the layer goes on is the layer's grid in the end,
/// and stands still from then on.
#include <string.h>

#include "engine/sharing/grid_snapshot.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE 40u

static rp_layer_t layer;
static rp_grid_snapshot_t snapshot;
static rp_random_t rng;
static uint64_t version;

static void tear_down(void)
{
    rp_grid_snapshot_fini(&snapshot);
    rp_layer_fini(&layer);
}

static void begin(uint64_t seed)
{
    rp_profile_t profile;
    static uint8_t bytes[SIDE * SIDE];
    const rp_grid_shape_t shape = {.width = SIDE, .height = SIDE, .neighbors = 8};
    memset(bytes, 1, sizeof bytes);
    rng = (rp_random_t){seed};
    version = 1;
    ck_assert(rp_profile_find("factor", &profile));
    ck_assert_int_eq(rp_layer_init(&layer, &shape, &profile, NULL, bytes, version), RP_OK);
    uint64_t budget = UINT64_MAX;
    ck_assert_int_eq(rp_layer_derive(&layer, version, &budget), RP_OK);
    ck_assert_int_eq(rp_grid_snapshot_init(&snapshot, &layer, version), RP_OK);
}

/// One version that writes `count` cells.
static void write_version(uint32_t count)
{
    ck_assert_int_eq(rp_layer_begin(&layer, count), RP_OK);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t y = rp_random_below(&rng, SIDE);
        const rp_written_t written = {
            .cell = rp_grid_cell(layer.grid, rp_random_below(&rng, SIDE), y),
            .after = (uint8_t)rp_random_below(&rng, 3),
        };
        rp_layer_write(&layer, &written);
    }
    (void)rp_layer_commit(&layer, ++version);
}

static bool is_the_grid(void)
{
    return memcmp(snapshot.grid->factor, layer.grid->factor, layer.grid->cell_count) == 0 &&
           memcmp(snapshot.grid->moves, layer.grid->moves, layer.grid->cell_count) == 0 &&
           snapshot.grid->free_count == layer.grid->free_count;
}

/// Slices of a few rows, versions between them. @return slices
static unsigned finish(uint32_t cells_a_version)
{
    unsigned slices = 1;
    uint64_t budget = 4;
    while (rp_grid_snapshot_work(&snapshot, version, &budget) == RP_MORE) {
        write_version(cells_a_version);
        budget = 4;
        slices++;
        ck_assert_uint_le(slices, 1000);
    }
    return slices;
}

START_TEST(a_snapshot_made_in_slices_is_the_newest_version)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        begin(seed);
        ck_assert_uint_ge(finish(5), SIDE / 4u);
        ck_assert_msg(is_the_grid(), "seed %u", (unsigned)seed);
        ck_assert_uint_eq(snapshot.version, version);
        tear_down();
    }
}
END_TEST

START_TEST(a_slice_copies_no_more_rows_than_it_is_given)
{
    begin(1);
    uint64_t budget = UINT64_MAX;
    ck_assert_int_eq(rp_layer_derive(&layer, version, &budget), RP_OK);
    budget = 1;
    ck_assert_int_eq(rp_grid_snapshot_work(&snapshot, version, &budget), RP_MORE);
    ck_assert_uint_eq(budget, 0);
    ck_assert_uint_eq(snapshot.row, 1);
}
END_TEST

START_TEST(a_snapshot_stands_still_until_it_is_asked_again)
{
    begin(1);
    (void)finish(5);
    const uint64_t before = snapshot.version;
    write_version(SIDE);
    write_version(SIDE);
    ck_assert(!is_the_grid());
    ck_assert_uint_eq(snapshot.version, before);
    uint64_t budget = UINT64_MAX;
    ck_assert_int_eq(rp_grid_snapshot_work(&snapshot, version, &budget), RP_OK);
    ck_assert(is_the_grid());
}
END_TEST

/// The ring keeps a few thousand changed cells; who slept longer copies all rows anew.
START_TEST(a_snapshot_that_slept_too_long_is_copied_anew)
{
    begin(1);
    (void)finish(5);
    for (unsigned i = 0; i < 60; i++) {
        write_version(SIDE * SIDE / 4u);
    }
    ck_assert_uint_gt(layer.known_since, snapshot.version);
    (void)finish(5);
    ck_assert(is_the_grid());
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_snapshot_made_in_slices_is_the_newest_version,
        a_slice_copies_no_more_rows_than_it_is_given,
        a_snapshot_stands_still_until_it_is_asked_again,
        a_snapshot_that_slept_too_long_is_copied_anew,
    };
    return rp_suite_run("grid_snapshot", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
