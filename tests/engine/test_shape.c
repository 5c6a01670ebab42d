/// Shapes as cells, held against a look at each cell of the plane by itself. Corners lie on
/// quarters of a cell, half of them on the borders, so that the truth is found in whole numbers.
#include "engine/shape.h"

#include <string.h>

#include "tests/support/random.h"
#include "tests/support/suite.h"

enum {
    CELL = 4, ///< quarters
    SIDE_MAX = 12,
    RIM = 14, ///< cells beyond the world that a shape may reach
    CORNERS = 7,
    ROUNDS = 3000,
};

/// All in quarters.
typedef struct figure {
    int32_t x[CORNERS];
    int32_t y[CORNERS];
    uint32_t corners;
    int32_t radius;
} figure_t;

static rp_random_t rng;
static rp_spans_t spans;
static rp_grid_shape_t world;
static bool is_touched[SIDE_MAX][SIDE_MAX];

static void tear_down(void)
{
    rp_spans_fini(&spans);
}

// ---- the truth

static bool crosses(const figure_t *figure, uint32_t i, int32_t left, int32_t top)
{
    const uint32_t next = (i + 1u) % figure->corners;
    const int32_t x[] = {figure->x[i], figure->x[next]};
    const int32_t y[] = {figure->y[i], figure->y[next]};
    unsigned before = 0; // corners of the cell on one side of the line, and on the other
    unsigned behind = 0;
    for (unsigned corner = 0; corner < 4; corner++) {
        const int32_t dx = left + (corner & 1u ? CELL : 0) - x[0];
        const int32_t dy = top + (corner & 2u ? CELL : 0) - y[0];
        const int32_t turn = (x[1] - x[0]) * dy - (y[1] - y[0]) * dx;
        before += turn > 0;
        behind += turn < 0;
    }
    return before != 0 && behind != 0 && (x[0] > left || x[1] > left) &&
           (x[0] < left + CELL || x[1] < left + CELL) && (y[0] > top || y[1] > top) &&
           (y[0] < top + CELL || y[1] < top + CELL);
}

/// By the sides that a line from the middle of the cell to the right goes through.
static bool holds_middle(const figure_t *figure, int32_t left, int32_t top)
{
    bool is_inside = false;
    for (uint32_t i = 0; i < figure->corners; i++) {
        const uint32_t next = (i + 1u) % figure->corners;
        const int32_t dx = left + CELL / 2 - figure->x[i];
        const int32_t dy = top + CELL / 2 - figure->y[i];
        const int32_t height = figure->y[next] - figure->y[i];
        if ((dy >= 0) != (dy - height >= 0)) {
            const int32_t turn = (figure->x[next] - figure->x[i]) * dy - height * dx;
            is_inside ^= height > 0 ? turn > 0 : turn < 0;
        }
    }
    return is_inside;
}

static int32_t beyond(int32_t at, int32_t low)
{
    return at < low ? low - at : at > low + CELL ? at - low - CELL : 0;
}

static bool touches(const figure_t *figure, int32_t left, int32_t top)
{
    if (figure->corners == 1) {
        const int32_t dx = beyond(figure->x[0], left);
        const int32_t dy = beyond(figure->y[0], top);
        return dx * dx + dy * dy < figure->radius * figure->radius;
    }
    bool is_hit = holds_middle(figure, left, top);
    for (uint32_t i = 0; i < figure->corners && !is_hit; i++) {
        is_hit = crosses(figure, i, left, top);
    }
    return is_hit;
}

static int32_t rest_of(int32_t value, int32_t side)
{
    return (value % side + side) % side;
}

static int32_t cell_of(int32_t quarters)
{
    return (quarters - rest_of(quarters, CELL)) / CELL;
}

/// A cell of the plane is touched: the world's, if that has it.
static void mark(int32_t x, int32_t y)
{
    const int32_t width = (int32_t)world.width;
    const int32_t height = (int32_t)world.height;
    if (world.wraps || (x >= 0 && y >= 0 && x < width && y < height)) {
        is_touched[rest_of(y, height)][rest_of(x, width)] = true;
    }
}

static void find_truth(const figure_t *figure)
{
    unsigned count = 0;
    memset(is_touched, 0, sizeof is_touched);
    for (int32_t y = -RIM; y < SIDE_MAX + RIM; y++) {
        for (int32_t x = -RIM; x < SIDE_MAX + RIM; x++) {
            if (touches(figure, x * CELL, y * CELL)) {
                mark(x, y);
                count++;
            }
        }
    }
    for (uint32_t i = 0; i < figure->corners && count == 0; i++) {
        mark(cell_of(figure->x[i]), cell_of(figure->y[i]));
    }
}

// ---- what is said

static rp_status_t cover(const figure_t *figure, int32_t off_x, int32_t off_y)
{
    rp_outline_t outline = {.corners = figure->corners, .radius = figure->radius / (double)CELL};
    for (uint32_t i = 0; i < figure->corners; i++) {
        outline.x[i] = figure->x[i] / (double)CELL + off_x;
        outline.y[i] = figure->y[i] / (double)CELL + off_y;
    }
    return rp_outline_cover(&outline, &world, &spans);
}

static void check_order(void)
{
    size_t area = 0;
    for (size_t i = 0; i < spans.count; i++) {
        const rp_span_t *span = &spans.list[i];
        const rp_span_t *before = i == 0 ? span : span - 1;
        RP_EACH(span->count >= 1 && span->x + span->count <= world.width && span->y < world.height);
        RP_EACH(before->y < span->y || (before->y == span->y && before->x <= span->x));
        area += span->count;
    }
    ck_assert_uint_eq(rp_spans_area(&spans), area);
    for (uint32_t y = 0; y <= world.height; y++) {
        size_t first = 0;
        while (first < spans.count && spans.list[first].y < y) {
            first++;
        }
        RP_EACH_EQ(rp_spans_row(&spans, y), first);
    }
}

static void check_cover(unsigned round)
{
    static bool is_covered[SIDE_MAX][SIDE_MAX];
    memset(is_covered, 0, sizeof is_covered);
    check_order();
    for (size_t i = 0; i < spans.count; i++) {
        memset(&is_covered[spans.list[i].y][spans.list[i].x], true, spans.list[i].count);
    }
    for (uint32_t y = 0; y < world.height; y++) {
        for (uint32_t x = 0; x < world.width; x++) {
            if (is_covered[y][x] != is_touched[y][x]) {
                ck_abort_msg("round %u: cell (%u, %u) of %u x %u: %s", round, x, y, world.width,
                             world.height, is_covered[y][x] ? "not touched" : "left out");
            }
        }
    }
}

// ---- chance

static int32_t random_quarter(int32_t low, int32_t high)
{
    const int32_t at = low + (int32_t)rp_random_below(&rng, (uint32_t)(high - low + 1));
    return rp_random_chance(&rng, 50) ? at - rest_of(at, CELL) : at;
}

static figure_t random_figure(void)
{
    const int32_t rim = world.wraps ? 0 : 8 * CELL;
    const int32_t width = (int32_t)world.width * CELL;
    const int32_t height = (int32_t)world.height * CELL;
    figure_t figure = {.corners = rp_random_between(&rng, 2, CORNERS)};
    const bool is_little = rp_random_chance(&rng, 30); // thin ones, and those without an area
    for (uint32_t i = 0; i < figure.corners; i++) {
        const bool is_near = is_little && i != 0;
        figure.x[i] = random_quarter(is_near ? 0 : -rim, is_near ? CELL : width + rim);
        figure.y[i] = random_quarter(is_near ? 0 : -rim, is_near ? CELL : height + rim);
        figure.x[i] += is_near ? cell_of(figure.x[0]) * CELL : 0;
        figure.y[i] += is_near ? cell_of(figure.y[0]) * CELL : 0;
    }
    if (figure.corners == 2) {
        const int32_t most = (width < height ? width : height) / 2;
        figure.corners = 1;
        figure.radius = (int32_t)rp_random_below(&rng, (uint32_t)most + 1u);
    }
    return figure;
}

static void play(bool wraps, unsigned round)
{
    world = (rp_grid_shape_t){.width = rp_random_between(&rng, 3, SIDE_MAX),
                              .height = rp_random_between(&rng, 3, SIDE_MAX),
                              .wraps = wraps};
    const figure_t figure = random_figure();
    const int32_t turns = wraps ? (int32_t)rp_random_below(&rng, 5) - 2 : 0;
    const rp_status_t status =
        cover(&figure, turns * (int32_t)world.width, -turns * (int32_t)world.height);
    if (status == RP_OK) {
        find_truth(&figure);
        check_cover(round);
    } else {
        ck_assert(wraps && figure.corners > 1 && status == RP_E_INVALID);
    }
    tear_down();
}

START_TEST(a_shape_covers_the_cells_that_it_touches)
{
    rng = (rp_random_t){1};
    for (unsigned round = 0; round < RP_ROUNDS(ROUNDS); round++) {
        play(false, round);
    }
}
END_TEST

START_TEST(on_a_torus_it_comes_in_again_from_the_other_side)
{
    rng = (rp_random_t){2};
    for (unsigned round = 0; round < RP_ROUNDS(ROUNDS); round++) {
        play(true, round);
    }
}
END_TEST

START_TEST(what_lies_beside_a_world_covers_none_of_its_border)
{
    const figure_t square = {{-8, 0, 0, -8}, {8, 8, 16, 16}, 4, 0};
    world = (rp_grid_shape_t){.width = 5, .height = 6};
    ck_assert_int_eq(cover(&square, 0, 0), RP_OK);
    ck_assert_uint_eq(spans.count, 0);
    rp_spans_fini(&spans);
    ck_assert_int_eq(cover(&square, 7, 0), RP_OK); // and beyond the other border
    ck_assert_uint_eq(spans.count, 0);
}
END_TEST

START_TEST(a_torus_takes_what_is_as_large_as_itself_and_no_more)
{
    const figure_t square = {{0, 20, 20, 0}, {0, 0, 24, 24}, 4, 0};
    const figure_t wider = {{0, 21, 20, 0}, {0, 0, 24, 24}, 4, 0};
    const figure_t higher = {{0, 20, 20, 0}, {-1, 0, 24, 24}, 4, 0};
    world = (rp_grid_shape_t){.width = 5, .height = 6, .wraps = true};
    ck_assert_int_eq(cover(&square, 3, 2), RP_OK);
    ck_assert_uint_eq(rp_spans_area(&spans), 30);
    rp_spans_fini(&spans);
    ck_assert_int_eq(cover(&wider, 0, 0), RP_E_INVALID);
    ck_assert_int_eq(cover(&higher, 0, 0), RP_E_INVALID);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_shape_covers_the_cells_that_it_touches,
        on_a_torus_it_comes_in_again_from_the_other_side,
        what_lies_beside_a_world_covers_none_of_its_border,
        a_torus_takes_what_is_as_large_as_itself_and_no_more,
    };
    return rp_suite_run("shape", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
