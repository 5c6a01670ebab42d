/// OPEN with lazy deletion: the best live cell first, and room for every live cell, however often
/// keys fall.
#include "planners/open/open_list.h"

#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define CELLS 40u

/// What the owner of OPEN knows: g by cell; RP_COST_INF when it is not in OPEN.
typedef struct owner {
    rp_open_list_t open;
    rp_cost_t g[CELLS + 1u];
} owner_t;

static bool is_live(const void *user, rp_cell_t cell, rp_cost_t g)
{
    const owner_t *owner = user;
    return owner->g[cell] == g;
}

static void owner_init(owner_t *owner, rp_open_t kind)
{
    *owner = (owner_t){0};
    rp_open_init(&owner->open, kind, CELLS, 0, 5000, &arena);
    for (rp_cell_t cell = 0; cell <= CELLS; cell++) {
        owner->g[cell] = RP_COST_INF;
    }
}

/// Put in with h = 0: f is g.
static void put(owner_t *owner, rp_open_t kind, rp_cell_t cell, rp_cost_t g)
{
    owner->g[cell] = g;
    rp_open_push(&owner->open, kind, g, g, cell, is_live, owner);
}

/// The first live cell, which stays as it is. @return RP_NO_CELL when there is none
static rp_cell_t look(owner_t *owner, rp_open_t kind)
{
    while (!rp_open_is_empty(&owner->open, kind)) {
        const rp_cell_t cell = rp_open_take(&owner->open, kind, is_live, owner);
        if (cell != RP_NO_CELL) {
            return cell;
        }
    }
    return RP_NO_CELL;
}

static rp_cell_t take(owner_t *owner, rp_open_t kind)
{
    const rp_cell_t cell = look(owner, kind);
    if (cell != RP_NO_CELL) {
        owner->g[cell] = RP_COST_INF;
    }
    return cell;
}

START_TEST(a_full_list_drops_what_is_stale_and_keeps_what_is_live)
{
    const rp_open_t kind = (rp_open_t)_i;
    rp_random_t random = {11};
    owner_t owner;
    owner_init(&owner, kind);
    for (rp_cost_t round = 0; round < 100; round++) { // 4000 entries where there is room for 114
        for (rp_cell_t cell = 1; cell <= CELLS; cell++) {
            put(&owner, kind, cell, 9000u - 50u * round - rp_random_below(&random, 50));
        }
    }
    rp_cost_t last = 0;
    for (uint32_t left = CELLS; left != 0; left--) {
        rp_cost_t least = RP_COST_INF;
        for (rp_cell_t cell = 1; cell <= CELLS; cell++) {
            least = owner.g[cell] < least ? owner.g[cell] : least;
        }
        ck_assert(rp_open_least(&owner.open, kind) <= least);
        const rp_cell_t next = look(&owner, kind);
        ck_assert_uint_ne(next, RP_NO_CELL);
        ck_assert(owner.g[next] == least && least >= last);
        last = least;
        owner.g[next] = RP_COST_INF;
    }
    ck_assert_uint_eq(take(&owner, kind), RP_NO_CELL);
    ck_assert(rp_open_least(&owner.open, kind) == RP_COST_INF);
    rp_arena_free(&arena, NULL);
}
END_TEST

START_TEST(of_equal_f_the_heap_gives_the_larger_g)
{
    const rp_open_t kind = (rp_open_t)_i;
    if (kind == RP_OPEN_BUCKETS) {
        return; // they give what was put in last
    }
    owner_t owner;
    owner_init(&owner, kind);
    for (rp_cell_t cell = 1; cell <= CELLS; cell++) {
        owner.g[cell] = cell * 7u % 41u;
        rp_open_push(&owner.open, kind, 100, owner.g[cell], cell, is_live, &owner);
    }
    for (rp_cost_t g = CELLS; g >= 1; g--) {
        ck_assert(owner.g[look(&owner, kind)] == g);
    }
    rp_arena_free(&arena, NULL);
}
END_TEST

START_TEST(a_cleared_list_is_empty_and_may_begin_anywhere)
{
    const rp_open_t kind = (rp_open_t)_i;
    owner_t owner;
    owner_init(&owner, kind);
    put(&owner, kind, 1, 10);
    put(&owner, kind, 2, 20);
    rp_open_clear(&owner.open);
    ck_assert_uint_eq(take(&owner, kind), RP_NO_CELL);
    put(&owner, kind, 3, 123456);
    put(&owner, kind, 4, 123450);
    ck_assert_uint_eq(take(&owner, kind), 4);
    ck_assert_uint_eq(take(&owner, kind), 3);
    rp_arena_free(&arena, NULL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_full_list_drops_what_is_stale_and_keeps_what_is_live,
        of_equal_f_the_heap_gives_the_larger_g,
        a_cleared_list_is_empty_and_may_begin_anywhere,
    };
    // Each with every kind: RP_OPEN_HEAP is 0, RP_OPEN_BUCKETS 1.
    return rp_suite_run("open_list", tests, sizeof tests / sizeof tests[0], 2, NULL);
}
