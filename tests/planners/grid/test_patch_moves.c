/// Patches: small changes that lie together leave the grid as filling it would.
#include "planners/grid/batch_summary.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/random.h"
#include "tests/support/suite.h"

enum {
    MOST = 32
};

static rp_random_t rng;
static rp_grid_t *grid;
static uint8_t *factors; // what the grid should hold

static void tear_down(void)
{
    rp_grid_destroy(&grid);
    free(factors);
    factors = NULL;
}

static void begin(uint32_t width, uint32_t height, uint8_t neighbors)
{
    const rp_grid_shape_t shape = {width, height, neighbors, false, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    factors = malloc((size_t)width * height);
    memset(factors, 1, (size_t)width * height);
}

/// The same as a grid that is filled at once, the rim included.
static bool is_true(void)
{
    rp_grid_t *filled;
    ck_assert_int_eq(rp_grid_new(&grid->shape, &filled), RP_OK);
    rp_grid_fill(filled, factors);
    const bool is_same = memcmp(grid->factor, filled->factor, grid->cell_count) == 0 &&
                         memcmp(grid->moves, filled->moves, grid->cell_count) == 0 &&
                         grid->free_count == filled->free_count;
    rp_grid_destroy(&filled);
    return is_same;
}

static bool is_gist(const rp_batch_summary_t *summary, const rp_change_t *changes, size_t count)
{
    const rp_batch_summary_t true_gist = rp_batch_summary_of(grid, changes, count);
    return memcmp(&summary->extent, &true_gist.extent, sizeof summary->extent) == 0 &&
           summary->has_cheaper == true_gist.has_cheaper && summary->has_same == true_gist.has_same;
}

/// A box of cells in order of rows or backwards, with gaps; a stretch of cells over the end of a
/// row; or any cells. Some come twice.
static size_t draw(rp_change_t *changes, uint8_t *befores, uint8_t most)
{
    const uint32_t width = grid->shape.width;
    const uint32_t places = width * grid->shape.height;
    const uint32_t kind = rp_random_below(&rng, 10);
    const uint32_t side = kind < 8 ? rp_random_between(&rng, 1, 6) : width;
    const uint32_t corner = rp_random_below(&rng, places);
    const uint32_t cells = rp_random_between(&rng, 1, kind == 8 ? 4 : MOST);
    const bool is_backwards = rp_random_chance(&rng, 30);
    size_t count = 0;
    for (uint32_t i = 0; i < cells; i++) {
        const uint32_t k = is_backwards ? cells - 1u - i : i;
        const uint32_t in_box = corner + k % side + k / side * width;
        const uint32_t place = kind == 9 ? rp_random_below(&rng, places) : in_box % places;
        if (rp_random_chance(&rng, 20)) {
            continue;
        }
        changes[count] = (rp_change_t){.cell = rp_grid_cell(grid, place % width, place / width),
                                       .before = (uint8_t)rp_random_below(&rng, 256),
                                       .after = (uint8_t)rp_random_below(&rng, most + 1u)};
        befores[count] = factors[place];
        factors[place] = changes[count++].after;
    }
    return count;
}

/// Fill a box, or copy rows from a grid as it should be.
static void write_otherwise(void)
{
    const uint32_t width = grid->shape.width;
    const uint32_t y = rp_random_below(&rng, grid->shape.height);
    const uint32_t x = rp_random_below(&rng, width);
    const uint32_t columns = rp_random_between(&rng, 1, width - x);
    uint8_t row[256];
    for (uint32_t i = 0; i < columns; i++) {
        row[i] = factors[y * width + x + i] = (uint8_t)rp_random_below(&rng, 2);
    }
    rp_grid_fill_box(grid, x, y, columns, 1, row);
}

static bool play(uint32_t batches, uint8_t most)
{
    bool all_true = true;
    for (uint32_t i = 0; i < batches && all_true; i++) {
        rp_change_t changes[MOST];
        uint8_t befores[MOST];
        if (rp_random_chance(&rng, 5)) {
            write_otherwise();
        }
        const size_t count = draw(changes, befores, most);
        if (count == 0) {
            continue;
        }
        rp_grid_write(grid, changes, count);
        for (size_t k = 0; k < count; k++) {
            all_true = all_true && changes[k].before == befores[k];
        }
        all_true = all_true && is_gist(&grid->last, changes, count) && is_true();
    }
    return all_true;
}

START_TEST(small_changes_leave_the_grid_true)
{
    for (uint64_t seed = 1; seed <= 300; seed++) {
        rng = (rp_random_t){seed};
        // 38 columns and the rim fill a row: the ends of rows lie closest together.
        const uint32_t width = rp_random_chance(&rng, 30) ? 38 : rp_random_between(&rng, 1, 120);
        const uint8_t neighbours = rp_random_chance(&rng, 50) ? 8 : 4;
        begin(width, rp_random_between(&rng, 1, 20), neighbours);
        const uint8_t most = rp_random_chance(&rng, 10) ? 2 : 1; // soon it is weighted
        ck_assert_msg(play(40, most), "seed %llu", (unsigned long long)seed);
        tear_down();
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        small_changes_leave_the_grid_true,
    };
    return rp_suite_run("patch_moves", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
