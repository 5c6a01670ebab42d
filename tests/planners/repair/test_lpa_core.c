/// g, rhs and OPEN under changes, without a planner around them: what a batch leaves behind is what
/// the definition of rhs says, in whatever order its cells come.
#include "planners/repair/lpa_core.h"

#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define SIDE       9u
#define BATCH_MOST 12u
#define BATCHES    60

static rp_grid_t *grid;
static rp_lpa_core_t look;
static rp_lpa_core_t twin; ///< the same search, told the same changes in another order
static rp_search_stats_t stats;
static rp_random_t rng;

static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
    rp_grid_destroy(&grid);
}

static rp_cell_t cell_at(uint32_t x, uint32_t y)
{
    return rp_grid_cell(grid, x, y);
}

static void set_out(rp_lpa_core_t *self, const rp_goal_t *roots, uint32_t count, rp_cell_t target)
{
    uint64_t budget = UINT64_MAX;
    rp_lpa_core_begin(self, roots, count, target);
    ck_assert(rp_lpa_core_lay(self, &budget));
}

/// Kind 0 .. 7: one bit each for 8 neighbours, weights, wrapped.
static void begin(unsigned kind)
{
    const rp_grid_shape_t shape = {.width = SIDE,
                                   .height = SIDE,
                                   .neighbors = (kind & 1u) != 0 ? 8 : 4,
                                   .wraps = (kind & 4u) != 0,
                                   .unit = 1,
                                   .least = 1};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    if ((kind & 2u) != 0) { // the grid must know its dearest factor: a later one voids all costs
        rp_grid_set(grid, cell_at(0, 1), 7);
    }
    rng = (rp_random_t){100u + kind};
    rp_lpa_core_init(&look, grid, 2, &arena);
    rp_lpa_core_init(&twin, grid, 2, &arena);
    const rp_goal_t roots[] = {{cell_at(0, 0), 0}, {cell_at(4, 8), 3}};
    set_out(&look, roots, 2, cell_at(8, 3));
    set_out(&twin, roots, 2, cell_at(8, 3));
}

/// @return false when nothing is left to expand
static bool expand_one(rp_lpa_core_t *self)
{
    if (rp_indexed_heap_is_empty(&self->open) ||
        rp_indexed_heap_top(&self->open).key >= rp_lpa_core_limit(self)) {
        return false;
    }
    rp_lpa_core_expand(self, rp_indexed_heap_top(&self->open).cell, &stats);
    return true;
}

static void expand_all(rp_lpa_core_t *self)
{
    while (expand_one(self)) {
    }
}

static bool is_end(rp_cell_t cell)
{
    return cell == cell_at(0, 0) || cell == cell_at(4, 8) || cell == cell_at(8, 3);
}

/// Write a batch into the grid, each cell once. @return how many cells differ
static size_t write_batch(rp_change_t changes[BATCH_MOST])
{
    const uint32_t most = rp_random_between(&rng, 1, BATCH_MOST);
    size_t count = 0;
    for (uint32_t i = 0; i < most; i++) {
        const uint32_t y = rp_random_below(&rng, SIDE);
        const rp_cell_t cell = cell_at(rp_random_below(&rng, SIDE), y);
        bool is_taken = is_end(cell);
        for (size_t k = 0; k < count; k++) {
            is_taken = is_taken || changes[k].cell == cell;
        }
        uint8_t factor = rp_random_chance(&rng, 40) ? 0 : 1;
        if (grid->weighted && factor != 0) {
            factor = (uint8_t)rp_random_between(&rng, 1, 7);
        }
        if (!is_taken && grid->factor[cell] != factor) {
            changes[count++] = (rp_change_t){cell, rp_grid_set(grid, cell, factor), factor};
        }
    }
    return count;
}

START_TEST(the_cells_of_a_batch_may_come_in_any_order)
{
    begin((unsigned)_i);
    for (int round = 0; round < BATCHES; round++) {
        rp_change_t changes[BATCH_MOST];
        const size_t count = write_batch(changes);
        for (size_t i = 0; i < count; i++) {
            rp_lpa_core_change(&look, &changes[i]);
            rp_lpa_core_change(&twin, &changes[count - 1u - i]);
        }
        ck_assert(rp_lpa_core_check(&look, false));
        ck_assert(rp_lpa_core_check(&twin, false));
        expand_all(&look);
        expand_all(&twin);
        ck_assert(look.nodes[look.target].rhs == twin.nodes[twin.target].rhs);
    }
}
END_TEST

START_TEST(the_invariants_hold_after_each_expansion)
{
    begin((unsigned)_i);
    for (int round = 0; round < BATCHES; round++) {
        rp_change_t changes[BATCH_MOST];
        const size_t count = write_batch(changes);
        for (size_t i = 0; i < count; i++) {
            rp_lpa_core_change(&look, &changes[i]);
        }
        for (uint32_t left = rp_random_below(&rng, 60); left != 0 && expand_one(&look); left--) {
            ck_assert(rp_lpa_core_check(&look, false));
        }
    }
}
END_TEST

START_TEST(no_cell_is_expanded_more_than_twice_between_changes)
{
    begin((unsigned)_i);
    for (int round = 0; round < BATCHES; round++) {
        uint8_t times[(SIDE + 2u) * 32u] = {0};
        ck_assert_uint_le(grid->cell_count, sizeof times);
        rp_change_t changes[BATCH_MOST];
        const size_t count = write_batch(changes);
        for (size_t i = 0; i < count; i++) {
            rp_lpa_core_change(&look, &changes[i]);
        }
        while (!rp_indexed_heap_is_empty(&look.open)) {
            const rp_cell_t top = rp_indexed_heap_top(&look.open).cell;
            if (!expand_one(&look)) {
                break;
            }
            times[top]++;
            ck_assert_uint_le(times[top], 2);
        }
    }
}
END_TEST

START_TEST(a_generation_that_wraps_clears_what_old_ones_left)
{
    begin((unsigned)_i);
    const rp_goal_t root = {cell_at(8, 8), 0};
    const rp_lpa_core_node_t *old = &look.nodes[look.target];
    const uint32_t first = look.generation;
    expand_all(&look);
    ck_assert(rp_lpa_core_is_met(&look, old));
    look.generation = 0u - RP_LPA_CORE_GENERATION; // the last one
    set_out(&look, &root, 1, cell_at(7, 8));
    ck_assert_uint_eq(look.generation, first);
    ck_assert(!rp_lpa_core_is_met(&look, old));
    ck_assert(rp_lpa_core_check(&look, false));
    expand_all(&look);
    ck_assert(rp_lpa_core_check(&look, false));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_cells_of_a_batch_may_come_in_any_order,
        the_invariants_hold_after_each_expansion,
        no_cell_is_expanded_more_than_twice_between_changes,
        a_generation_that_wraps_clears_what_old_ones_left,
    };
    return rp_suite_run("lpa_core", tests, sizeof tests / sizeof tests[0], 8, tear_down);
}
