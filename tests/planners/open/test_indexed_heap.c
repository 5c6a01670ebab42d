/// OPEN as a heap that knows its cells: least key first while keys fall, rise and go, held against
/// a plain table of keys.
#include "planners/open/indexed_heap.h"

#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define CELLS  300u
#define STEPS  20000
#define STRIDE 3u

/// The heap, and the same cells in a table without any order.
typedef struct pair {
    rp_indexed_heap_t heap;
    uint32_t data[CELLS][STRIDE]; ///< of the cells, the places among them
    bool is_in[CELLS];
    rp_key_t keys[CELLS];
    uint32_t count;
    rp_random_t random;
} pair_t;

static pair_t pair;

static void begin(uint64_t seed)
{
    pair = (pair_t){.random = {seed}};
    rp_indexed_heap_init(&pair.heap, CELLS, &pair.data[0][1], STRIDE, &arena);
}

static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
}

/// Few firsts, so that ties are common.
static rp_key_t draw_key(void)
{
    const uint32_t k2 = rp_random_below(&pair.random, 40);
    return rp_key(rp_random_below(&pair.random, 40), k2);
}

/// Never RP_NO_CELL.
static rp_cell_t draw_cell(void)
{
    return rp_random_between(&pair.random, 1, CELLS - 1u);
}

static void put(rp_cell_t cell, rp_key_t key)
{
    if (pair.is_in[cell]) {
        rp_indexed_heap_move(&pair.heap, key, cell);
    } else {
        rp_indexed_heap_push(&pair.heap, key, cell);
        pair.count++;
    }
    pair.is_in[cell] = true;
    pair.keys[cell] = key;
}

static void forget(rp_cell_t cell)
{
    pair.is_in[cell] = false;
    pair.count--;
}

static bool is_true_to_the_table(void)
{
    for (uint32_t place = RP_INDEXED_HEAP_ROOT; place < pair.heap.end; place++) {
        const rp_indexed_heap_entry_t entry = pair.heap.entries[place];
        if (!rp_indexed_heap_holds_at(&pair.heap, place) || !pair.is_in[entry.cell] ||
            pair.keys[entry.cell] != entry.key) {
            return false;
        }
    }
    return rp_indexed_heap_count(&pair.heap) == pair.count;
}

/// Empty the heap from the top. @return true when no key is less than the one before
static bool comes_out_in_order(void)
{
    rp_key_t last = 0;
    while (!rp_indexed_heap_is_empty(&pair.heap)) {
        const rp_indexed_heap_entry_t top = pair.heap.entries[RP_INDEXED_HEAP_ROOT];
        if (top.key < last || !pair.is_in[top.cell] || pair.keys[top.cell] != top.key) {
            return false;
        }
        last = top.key;
        rp_indexed_heap_remove(&pair.heap, top.cell);
        forget(top.cell);
    }
    return pair.count == 0;
}

START_TEST(what_is_put_in_comes_out_least_first)
{
    for (uint32_t size = 0; size < CELLS; size = size < 24u ? size + 1u : size * 2u) {
        begin(size);
        for (rp_cell_t cell = 1; cell <= size; cell++) {
            put(cell, draw_key());
        }
        ck_assert(comes_out_in_order());
        tear_down();
    }
}
END_TEST

START_TEST(keys_fall_rise_and_go_in_any_order)
{
    begin((uint64_t)_i);
    for (int step = 0; step < STEPS; step++) {
        const rp_cell_t cell = draw_cell();
        if (pair.is_in[cell] && rp_random_chance(&pair.random, 45)) {
            rp_indexed_heap_remove(&pair.heap, cell);
            forget(cell);
        } else {
            put(cell, draw_key());
        }
        if (step % 64 == 0) {
            ck_assert(is_true_to_the_table());
        }
    }
    ck_assert(comes_out_in_order());
}
END_TEST

START_TEST(a_cleared_heap_knows_nobody)
{
    begin(5);
    for (rp_cell_t cell = 1; cell < CELLS; cell++) {
        put(cell, draw_key());
    }
    const uint32_t peak = pair.heap.peak;
    rp_indexed_heap_clear(&pair.heap);
    ck_assert(rp_indexed_heap_is_empty(&pair.heap));
    pair.count = 0;
    for (rp_cell_t cell = 1; cell < CELLS; cell++) {
        pair.is_in[cell] = false;
    }
    put(7, draw_key());
    put(9, draw_key());
    ck_assert(is_true_to_the_table());
    ck_assert_uint_eq(pair.heap.peak, peak);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_is_put_in_comes_out_least_first,
        keys_fall_rise_and_go_in_any_order,
        a_cleared_heap_knows_nobody,
    };
    return rp_suite_run("indexed_heap", tests, sizeof tests / sizeof tests[0], 4, tear_down);
}
