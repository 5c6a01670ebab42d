/// The brim of OPEN: by bucket, each live cell once, whether it passed through the ring or not.
#include "planners/open/bucket_front.h"

#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;

#define CELLS 400u

/// What the owner of OPEN knows: g by cell; RP_COST_INF when it is not in OPEN.
typedef struct owner {
    rp_open_list_t open;
    rp_bucket_front_t front;
    rp_cost_t g[CELLS + 1u];
} owner_t;

static bool is_live(const void *user, rp_cell_t cell, rp_cost_t g)
{
    const owner_t *owner = user;
    return owner->g[cell] == g;
}

static void owner_init(owner_t *owner)
{
    *owner = (owner_t){0};
    rp_open_init(&owner->open, RP_OPEN_BUCKETS, CELLS, 500, &arena);
    rp_bucket_front_begin(&owner->front, &owner->open);
    for (rp_cell_t cell = 0; cell <= CELLS; cell++) {
        owner->g[cell] = RP_COST_INF;
    }
}

/// Put in with buckets of ten. The cell's older entry is stale then.
static void put(owner_t *owner, rp_cell_t cell, rp_cost_t g)
{
    owner->g[cell] = g;
    rp_bucket_front_push(&owner->front, g / 10u, g, cell, is_live, owner);
}

/// The next live cell up to the bucket `last`. @return RP_NO_CELL when there is none
static rp_cell_t take(owner_t *owner, rp_cost_t last)
{
    while (rp_bucket_front_settle(&owner->front, last)) {
        const rp_cell_t cell = rp_bucket_front_take(&owner->front, is_live, owner);
        if (cell != RP_NO_CELL) {
            return cell;
        }
    }
    return RP_NO_CELL;
}

START_TEST(each_live_cell_comes_out_once_and_by_bucket)
{
    rp_random_t random = {(uint64_t)_i + 1u};
    owner_t owner;
    owner_init(&owner);
    uint32_t left = 0;
    for (rp_cell_t cell = 1; cell <= CELLS / 2u; cell++, left++) {
        put(&owner, cell, 100u + rp_random_below(&random, 60));
    }
    rp_cost_t bucket = 0;
    rp_cell_t new = CELLS / 2u + 1u;
    for (rp_cell_t cell = take(&owner, RP_COST_INF); cell != RP_NO_CELL;
         cell = take(&owner, RP_COST_INF)) {
        const rp_cost_t g = owner.g[cell];
        ck_assert(g != RP_COST_INF && g / 10u >= bucket);
        bucket = g / 10u;
        owner.g[cell] = RP_COST_INF;
        left--;
        if (new <= CELLS) {
            put(&owner, new ++, g + rp_random_below(&random, 30));
            left++;
        }
        const rp_cell_t again = 1u + rp_random_below(&random, CELLS);
        if (owner.g[again] != RP_COST_INF && owner.g[again] > g) { // it falls, but not below
            put(&owner, again, g + (owner.g[again] - g) / 2u);
        }
        if (rp_random_below(&random, 20) == 0) {
            rp_bucket_front_put_back(&owner.front, is_live, &owner);
        }
    }
    ck_assert_uint_eq(left, 0);
    rp_arena_free(&arena, NULL);
}
END_TEST

START_TEST(what_lies_in_a_later_bucket_stays)
{
    owner_t owner;
    owner_init(&owner);
    put(&owner, 1, 105);
    put(&owner, 2, 125);
    ck_assert_uint_eq(take(&owner, 11), 1);
    ck_assert_uint_eq(take(&owner, 11), RP_NO_CELL);
    ck_assert_uint_eq(take(&owner, 12), 2);
    rp_arena_free(&arena, NULL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        each_live_cell_comes_out_once_and_by_bucket,
        what_lies_in_a_later_bucket_stays,
    };
    return rp_suite_run("bucket_front", tests, sizeof tests / sizeof tests[0], 20, NULL);
}
