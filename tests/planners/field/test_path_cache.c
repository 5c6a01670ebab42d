/// A cached path that is laid, cut and laid again: its table by hash knows where each of its cells
/// stands, and no other cell.
#include "planners/field/path_cache.h"

#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define SIDE 40u

static rp_grid_t *grid;
static rp_path_cache_t path_cache;
static rp_random_t rng;

static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
    rp_grid_destroy(&grid);
}

static void begin(uint64_t seed)
{
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = SIDE, .neighbors = 8, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    rp_path_cache_init(&path_cache, grid, &arena);
    rng = (rp_random_t){seed};
}

/// A cell that is not on the cached path.
static rp_cell_t draw_other(void)
{
    for (;;) {
        const uint32_t y = rp_random_below(&rng, SIDE);
        const rp_cell_t cell = rp_grid_cell(grid, rp_random_below(&rng, SIDE), y);
        if (!rp_path_cache_has(&path_cache, cell)) {
            return cell;
        }
    }
}

/// Keep a part at either end, and put other cells between. Whether its steps are legal is nobody's
/// business here.
static void lay(void)
{
    const uint32_t tail = rp_random_between(&rng, path_cache.begin, path_cache.end - 1u);
    const bool has_head = tail + 1u < path_cache.end && rp_random_chance(&rng, 50);
    const uint32_t head =
        has_head ? rp_random_between(&rng, tail + 1u, path_cache.end - 1u) : RP_PATH_CACHE_NONE;
    const uint32_t kept = tail + 1u - path_cache.begin + (has_head ? path_cache.end - head : 0u);
    const uint32_t most = SIDE * SIDE - 1u - kept;
    const uint32_t count = rp_random_below(&rng, rp_random_chance(&rng, 10) ? most : most / 16u);
    const uint32_t gap = rp_path_cache_splice(&path_cache, tail, count, head);
    for (uint32_t i = 0; i < count; i++) {
        rp_path_cache_fill(&path_cache, gap + i, draw_other(), i);
    }
}

static void hold_against_steps(void)
{
    uint32_t on_it = 0;
    for (uint32_t place = path_cache.begin; place < path_cache.end; place++) {
        RP_EACH(rp_path_cache_has(&path_cache, path_cache.steps[place].cell));
        RP_EACH_EQ(rp_path_cache_place(&path_cache, path_cache.steps[place].cell), place);
    }
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            on_it += rp_path_cache_has(&path_cache, rp_grid_cell(grid, x, y));
        }
    }
    ck_assert_uint_eq(on_it, path_cache.end - path_cache.begin);
}

START_TEST(a_cell_stands_where_its_step_is_whatever_was_laid)
{
    begin((uint64_t)_i + 1u);
    rp_path_cache_reset(&path_cache, rp_grid_cell(grid, 3, 4), 0);
    for (int round = 0; round < 200; round++) {
        const uint32_t place = rp_random_between(&rng, path_cache.begin, path_cache.end - 1u);
        switch (rp_random_below(&rng, 8)) {
        case 0:
            rp_path_cache_end_at(&path_cache, path_cache.steps[place].cell);
            break;
        case 1:
            rp_path_cache_begin_at(&path_cache, path_cache.steps[place].cell);
            break;
        case 2:
            rp_path_cache_reset(&path_cache, draw_other(), 0);
            break;
        default:
            lay();
        }
        hold_against_steps();
    }
    ck_assert_uint_gt(path_cache.slot_bits, RP_PATH_CACHE_SLOT_BITS);
}
END_TEST

START_TEST(a_trail_over_all_cells_has_room)
{
    begin((uint64_t)_i + 1u);
    rp_path_cache_reset(&path_cache, rp_grid_cell(grid, 0, 0), 0);
    const uint32_t gap = rp_path_cache_splice(&path_cache, 0, SIDE * SIDE - 1u, RP_PATH_CACHE_NONE);
    for (uint32_t i = 1; i < SIDE * SIDE; i++) {
        rp_path_cache_fill(&path_cache, gap + i - 1u, rp_grid_cell(grid, i % SIDE, i / SIDE), i);
    }
    hold_against_steps();
    ck_assert_uint_le(path_cache.slot_bits, rp_path_cache_slot_bits_most(&path_cache));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_cell_stands_where_its_step_is_whatever_was_laid,
                                  a_trail_over_all_cells_has_room};
    return rp_suite_run("path_cache", tests, sizeof tests / sizeof tests[0], 8, tear_down);
}
