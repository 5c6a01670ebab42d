/// The path that was said: what of the one before stands in it, wherever the agent was when either
/// was told.
#include "engine/paths/published_path.h"

#include <math.h>
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

// ---- what is left, walked step by step

#define WALK_MOST 14u
#define UNKNOWN   7u

/// A random grid, a path of random steps in it, legal or not, and its cells.
static uint8_t factors[SIDE * SIDE];
static uint8_t bytes[SIDE * SIDE];
static uint8_t steps[WALK_MOST];
static uint32_t columns[WALK_MOST + 1u]; ///< of the cells, as far as they lie inside
static uint32_t rows[WALK_MOST + 1u];
static uint32_t count;
static uint32_t inside; ///< so many steps lead to cells inside

static uint32_t moved(uint32_t at, uint32_t by, uint32_t side)
{
    return grid->shape.wraps ? (at + by + side) % side : at + by;
}

static uint8_t factor_at(uint32_t x, uint32_t y)
{
    return rp_grid_contains(grid, x, y) ? factors[y * grid->shape.width + x] : 0;
}

static void draw_grid(uint32_t blocked, bool wraps)
{
    const rp_grid_shape_t shape = {.width = rp_random_between(&rng, 3, 9),
                                   .height = rp_random_between(&rng, 3, 9),
                                   .neighbors = rp_random_chance(&rng, 80) ? 8 : 4,
                                   .wraps = wraps,
                                   .unit = 2,
                                   .least = 1};
    for (uint32_t i = 0; i < shape.width * shape.height; i++) {
        factors[i] = rp_random_chance(&rng, blocked) ? 0 : (uint8_t)rp_random_between(&rng, 1, 9);
        bytes[i] = rp_random_chance(&rng, 10) ? UNKNOWN : 1;
    }
    rp_grid_destroy(&grid);
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    rp_grid_fill(grid, factors);
}

/// Straight on as a rule, so that it gets somewhere.
static void draw_steps(void)
{
    const rp_grid_shape_t *shape = &grid->shape;
    count = rp_random_below(&rng, WALK_MOST + 1u);
    inside = 0;
    columns[0] = rp_random_below(&rng, shape->width);
    rows[0] = rp_random_below(&rng, shape->height);
    for (uint32_t i = 0; i < count; i++) {
        steps[i] = (uint8_t)(i != 0 && rp_random_chance(&rng, 60) ? steps[i - 1u]
                                                                  : rp_random_below(&rng, 8));
        const uint32_t x = moved(columns[i], rp_step_x[steps[i]], shape->width);
        const uint32_t y = moved(rows[i], rp_step_y[steps[i]], shape->height);
        columns[i + 1u] = x;
        rows[i + 1u] = y;
        inside += inside == i && rp_grid_contains(grid, x, y);
    }
    published.steps = steps;
    published.count = count;
    published.first = 0;
    published.at = rp_grid_cell(grid, columns[0], rows[0]);
    rp_published_path_pass(&published, grid, rp_random_below(&rng, inside + 1u));
}

static bool is_legal(uint32_t step)
{
    const bool is_diagonal = steps[step] % 2u != 0;
    const uint32_t x = columns[step];
    const uint32_t y = rows[step];
    return factor_at(x, y) != 0 && factor_at(columns[step + 1u], rows[step + 1u]) != 0 &&
           (!is_diagonal || (grid->shape.neighbors == 8 && factor_at(columns[step + 1u], y) != 0 &&
                             factor_at(x, rows[step + 1u]) != 0));
}

static double cost_of(uint32_t step)
{
    return (factor_at(columns[step], rows[step]) + factor_at(columns[step + 1u], rows[step + 1u])) /
           (2.0 * grid->shape.unit) * (steps[step] % 2u != 0 ? sqrt(2.0) : 1.0);
}

START_TEST(what_is_left_costs_what_its_steps_do_unless_one_is_illegal)
{
    unsigned whole = 0;
    for (unsigned round = 0; round < RP_ROUNDS(4000); round++) {
        rng = (rp_random_t){round};
        if (round % 10u == 0) {
            const bool is_weighted = rp_random_chance(&rng, 50);
            draw_grid(rp_random_below(&rng, 3) * 8u, is_weighted);
        }
        draw_steps();
        uint32_t offenders[WALK_MOST + 1u];
        uint32_t first = UINT32_MAX;
        size_t illegal = 0;
        double sum = 0.0;
        for (uint32_t i = published.first; i < count && i <= inside; i++) {
            illegal += i == inside || !is_legal(i);
            first = illegal == 1 && first == UINT32_MAX ? i - published.first : first;
            sum += i < inside ? cost_of(i) : 0.0;
        }
        illegal += inside < count ? count - inside - 1u : 0; // nothing is legal out there
        const uint32_t left = count - published.first;
        const bool is_free = factor_at(columns[published.first], rows[published.first]) != 0;
        const bool is_right = illegal == 0 && is_free;
        rp_cell_t end = RP_NO_CELL;
        double walked;
        const double cost = rp_published_path_cost(&published, grid, &end);
        RP_EACH(is_right ? fabs(cost - sum) < 1e-9 : cost == -1.0);
        RP_EACH(!is_right || end == rp_grid_cell(grid, columns[count], rows[count]));
        memset(offenders, 0xff, sizeof offenders);
        RP_EACH_EQ(rp_published_path_walk(grid, published.at, steps + published.first, left,
                                          offenders, WALK_MOST + 1u, &walked),
                   illegal);
        RP_EACH(is_right ? fabs(walked - sum) < 1e-9 : walked == -1.0);
        RP_EACH_EQ(offenders[0], first);
        RP_EACH(offenders[illegal] == UINT32_MAX &&
                (illegal == 0 || offenders[illegal - 1u] != UINT32_MAX));
        if (illegal != 0) {
            offenders[1] = UINT32_MAX;
            RP_EACH_EQ(rp_published_path_walk(grid, published.at, steps + published.first, left,
                                              offenders, 1, &walked),
                       illegal);
            RP_EACH(offenders[0] == first && offenders[1] == UINT32_MAX);
        }
        whole += is_right && left > 2;
    }
    published.steps = NULL;
    ck_assert_uint_gt(whole, RP_ROUNDS(200));
}
END_TEST

START_TEST(what_is_left_rests_on_known_cells_up_to_the_first_unknown_one)
{
    for (unsigned round = 0; round < RP_ROUNDS(4000); round++) {
        rng = (rp_random_t){round};
        if (round % 10u == 0) {
            draw_grid(0, rp_random_chance(&rng, 50));
        }
        draw_steps();
        published.count = inside;
        const uint32_t width = grid->shape.width;
        uint32_t known = 0;
        for (uint32_t i = published.first; i < inside; i++) {
            const bool is_diagonal = steps[i] % 2u != 0;
            const uint32_t x = columns[i + 1u];
            const uint32_t y = rows[i + 1u];
            if (bytes[y * width + x] == UNKNOWN ||
                (is_diagonal && (bytes[rows[i] * width + x] == UNKNOWN ||
                                 bytes[y * width + columns[i]] == UNKNOWN))) {
                break;
            }
            known++;
        }
        RP_EACH_EQ(rp_published_path_known(&published, grid, bytes, UNKNOWN), known);
    }
    published.steps = NULL;
}
END_TEST

START_TEST(what_is_left_stays_inside_or_comes_into_a_rectangle_by_its_cells)
{
    unsigned entered = 0;
    for (unsigned round = 0; round < RP_ROUNDS(4000); round++) {
        rng = (rp_random_t){round};
        if (round % 10u == 0) {
            draw_grid(0, false);
        }
        draw_steps();
        RP_EACH_EQ(rp_published_path_is_inside(&published, grid), inside == count);
        published.count = inside;
        const uint32_t left = rp_random_below(&rng, grid->shape.width);
        const uint32_t top = rp_random_below(&rng, grid->shape.height);
        const uint32_t right = rp_random_between(&rng, left, grid->shape.width - 1u);
        const uint32_t bottom = rp_random_between(&rng, top, grid->shape.height - 1u);
        bool enters = false;
        for (uint32_t i = published.first; i <= inside; i++) {
            enters |=
                columns[i] >= left && columns[i] <= right && rows[i] >= top && rows[i] <= bottom;
        }
        RP_EACH_EQ(rp_published_path_enters(&published, grid, left, top, right, bottom), enters);
        entered +=
            enters && !(columns[published.first] >= left && columns[published.first] <= right);
    }
    published.steps = NULL;
    ck_assert_uint_gt(entered, RP_ROUNDS(80));
}
END_TEST

START_TEST(on_uniform_ground_counted_steps_cost_what_walked_ones_do)
{
    const rp_grid_shape_t shape = {SIDE, SIDE, 8, false, 3, 3};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    rp_cell_t cells[20];
    for (unsigned round = 0; round < 20; round++) {
        rp_walk_t counted;
        rp_walk_t walked;
        const rp_path_t path = make_path(cells, rp_grid_cell(grid, 3, 30), 20, 0, round);
        ck_assert_int_eq(rp_published_path_keep(&published, grid, &path), RP_OK);
        rp_published_path_pass(&published, grid, round);
        rp_published_path_count(&published, grid, &counted);
        ck_assert(rp_published_path_measure(&published, grid, &walked));
        RP_EACH(counted.factors[0] == walked.factors[0] && counted.factors[1] == walked.factors[1]);
        RP_EACH(counted.end == walked.end && counted.end == cells[19]);
        RP_EACH_EQ(rp_published_path_is_done(&published), round == 19);
        rp_published_path_cut(&published, grid, (19u - round) / 2u);
        rp_published_path_count(&published, grid, &counted);
        ck_assert(rp_published_path_measure(&published, grid, &walked));
        RP_EACH(counted.factors[0] == walked.factors[0] && counted.factors[1] == walked.factors[1]);
    }
}
END_TEST

int main(void)
{
    const TTest *const rounds[] = {a_splice_gives_the_new_path_to_whoever_has_the_old_one};
    const TTest *const once[] = {
        a_path_that_is_cut_endpoints_where_its_last_step_leads,
        what_is_left_costs_what_its_steps_do_unless_one_is_illegal,
        what_is_left_rests_on_known_cells_up_to_the_first_unknown_one,
        what_is_left_stays_inside_or_comes_into_a_rectangle_by_its_cells,
        on_uniform_ground_counted_steps_cost_what_walked_ones_do,
    };
    const int failed = rp_suite_run("said path", rounds, 1, 6, tear_down);
    return rp_suite_run("said path", once, 5, 1, tear_down) + failed;
}
