/// The path that was said: what of the one before stands in it, wherever the agent was when either
/// was told.
#include "engine/paths/published_path.h"

#include <string.h>

#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE 64u
#define LONG 120u

static rp_random_t rng;
static rp_grid_t *grid;
static rp_published_path_t published;

static void tear_down(void)
{
    rp_published_path_fini(&published);
    rp_grid_destroy(&grid);
}

/// The steps that are told, and from where they are on the receiver's side.
typedef struct told {
    uint8_t steps[2u * LONG];
    uint32_t count;
} told_t;

static told_t tell(void)
{
    told_t told = {.count = published.count - published.first};
    if (told.count != 0) {
        memcpy(told.steps, published.steps + published.first, told.count);
    }
    return told;
}

/// What a receiver of `base` makes of the splice, given the middle of `now`.
static told_t join(const told_t *base, const told_t *now)
{
    const rp_splice_t splice = rp_published_path_splice(&published);
    const uint32_t middle = now->count - splice.head - splice.tail;
    told_t whole = {.count = now->count};
    ck_assert_uint_le(splice.head + splice.tail, now->count);
    if (splice.head + splice.tail != 0) {
        ck_assert_uint_le(splice.from_end, base->count);
        ck_assert_uint_le(splice.head + splice.tail, splice.from_end);
        memcpy(whole.steps, base->steps + base->count - splice.from_end, splice.head);
        memcpy(whole.steps + splice.head + middle, base->steps + base->count - splice.tail,
               splice.tail);
    }
    memcpy(whole.steps + splice.head, now->steps + splice.head, middle);
    return whole;
}

/// The agent goes on by some steps.
static void walk_on(uint32_t most)
{
    const uint32_t steps = rp_random_below(&rng, most + 1u);
    const uint32_t left = published.count - published.first;
    rp_published_path_pass(&published, grid, steps < left ? steps : left);
}

/// A path that goes right, and up or down a little now and then, from the row `y`.
static rp_path_t make_path(rp_cell_t *cells, rp_cell_t from, uint32_t count, uint32_t turn_from,
                           uint32_t turn_to)
{
    static const uint8_t turns[] = {1, 7, 2, 6};
    cells[0] = from;
    for (uint32_t i = 1; i < count; i++) {
        const bool turns_here = i >= turn_from && i < turn_to && rp_random_chance(&rng, 50);
        cells[i] =
            rp_grid_step(grid, cells[i - 1u], turns_here ? turns[rp_random_below(&rng, 4)] : 0);
    }
    return (rp_path_t){cells, count};
}

START_TEST(a_splice_gives_the_new_path_to_whoever_has_the_old_one)
{
    const rp_grid_shape_t shape = {SIDE, SIDE, 8, true, 1, 1};
    rp_cell_t cells[LONG];
    uint64_t stood = 0;
    rng = (rp_random_t){7u + (uint64_t)_i};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    rp_cell_t from = rp_grid_cell(grid, 3, 30);
    for (unsigned i = 0; i < 400; i++) {
        const told_t base = published.steps != NULL ? tell() : (told_t){.count = 0};
        if (published.steps != NULL) {
            walk_on(20);
            from = rp_random_chance(&rng, 80) ? published.at : rp_grid_step(grid, published.at, 2);
        }
        const uint32_t what = rp_random_below(&rng, 10);
        if (what == 0) {
            rp_published_path_clear(&published, from);
        } else if (what == 1 && published.count != published.first) {
            rp_published_path_cut(&published, grid,
                                  rp_random_below(&rng, published.count - published.first));
        } else {
            const uint32_t count = rp_random_between(&rng, 1, LONG - 1u);
            const uint32_t turn = rp_random_below(&rng, count);
            const rp_path_t path = make_path(cells, from, count, turn, turn + 10u);
            ck_assert_int_eq(rp_published_path_keep(&published, grid, &path), RP_OK);
        }
        walk_on(12); // before it is told
        const told_t now = tell();
        const told_t joined = join(&base, &now);
        ck_assert_mem_eq(joined.steps, now.steps, now.count + 1u);
        stood +=
            rp_published_path_splice(&published).head + rp_published_path_splice(&published).tail;
    }
    ck_assert_uint_gt(stood, 1500);
}
END_TEST

START_TEST(a_path_that_is_cut_endpoints_where_its_last_step_leads)
{
    const rp_grid_shape_t shape = {SIDE, SIDE, 8, false, 1, 1};
    rp_cell_t cells[10];
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    const rp_path_t path = make_path(cells, rp_grid_cell(grid, 3, 3), 10, 10, 10);
    ck_assert_int_eq(rp_published_path_keep(&published, grid, &path), RP_OK);
    rp_published_path_pass(&published, grid, 2);
    ck_assert_uint_eq(published.at, cells[2]);
    rp_published_path_cut(&published, grid, 4);
    ck_assert_uint_eq(published.at, cells[2]);
    ck_assert_uint_eq(published.end, cells[6]);
    ck_assert_uint_eq(published.count - published.first, 4);
    rp_published_path_repeat(&published);
    ck_assert_uint_eq(rp_published_path_splice(&published).head, 0);
}
END_TEST

int main(void)
{
    const TTest *const rounds[] = {a_splice_gives_the_new_path_to_whoever_has_the_old_one};
    const TTest *const once[] = {a_path_that_is_cut_endpoints_where_its_last_step_leads};
    const int failed = rp_suite_run("said path", rounds, 1, 6, tear_down);
    return rp_suite_run("said path", once, 1, 1, tear_down) + failed;
}
