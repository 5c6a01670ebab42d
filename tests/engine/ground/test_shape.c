/// Shapes as cells, held against a look at each cell of the plane by itself. Corners lie on
/// quarters of a cell, half of them on the borders, so that the truth is found in whole numbers.
#include "engine/ground/shape.h"

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

/// The cell of a point; the closing border belongs to the last cells.
static void mark_cell_of(int32_t x, int32_t y)
{
    const int32_t width = (int32_t)world.width;
    const int32_t height = (int32_t)world.height;
    mark(cell_of(x) - (!world.wraps && x == width * CELL),
         cell_of(y) - (!world.wraps && y == height * CELL));
}

/// For each point, quarter by quarter, of what lies on borders.
/// @param visit  called with the point
/// @return how often it said yes
static unsigned visit_points(const figure_t *figure, bool (*visit)(int32_t x, int32_t y))
{
    unsigned count = 0;
    for (uint32_t i = 0; i < figure->corners; i++) {
        const uint32_t next = (i + 1u) % figure->corners;
        int32_t x = figure->x[i];
        int32_t y = figure->y[i];
        count += visit(x, y);
        while (x != figure->x[next] || y != figure->y[next]) {
            x += (figure->x[next] > x) - (figure->x[next] < x);
            y += (figure->y[next] > y) - (figure->y[next] < y);
            count += visit(x, y);
        }
    }
    return count;
}

static bool is_in_world(int32_t x, int32_t y)
{
    return world.wraps || (x >= 0 && y >= 0 && x < (int32_t)world.width * CELL &&
                           y < (int32_t)world.height * CELL);
}

static bool take_point(int32_t x, int32_t y)
{
    mark_cell_of(x, y);
    return true;
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
    if (count == 0 && visit_points(figure, is_in_world) != 0) {
        (void)visit_points(figure, take_point);
    }
}

// ---- what is said

static rp_status_t cover(const figure_t *figure, int32_t off_x, int32_t off_y)
{
    rp_outline_t outline = {
        .corners = figure->corners, .radius = figure->radius / (double)CELL, .snap = 1e-12};
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
    const int32_t rim = 8 * CELL; // of a torus it goes round
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
    ck_assert_int_eq(cover(&figure, turns * (int32_t)world.width, -turns * (int32_t)world.height),
                     RP_OK);
    find_truth(&figure);
    check_cover(round);
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

START_TEST(a_torus_takes_what_goes_round_it_up_to_the_longest_side)
{
    const figure_t square = {{0, 20, 20, 0}, {0, 0, 24, 24}, 4, 0};
    const figure_t wider = {{0, 47, 47, 0}, {0, 0, 4, 4}, 4, 0};
    figure_t widest = wider;
    world = (rp_grid_shape_t){.width = 5, .height = 6, .wraps = true};
    ck_assert_int_eq(cover(&square, 3, 2), RP_OK);
    ck_assert_uint_eq(rp_spans_area(&spans), 30);
    rp_spans_fini(&spans);
    ck_assert_int_eq(cover(&wider, 3, 2), RP_OK);
    ck_assert_uint_eq(rp_spans_area(&spans), 5); // each cell once, however often it is met
    rp_spans_fini(&spans);
    widest.x[1] = widest.x[2] = CELL * (int32_t)RP_GRID_SIDE_MAX;
    ck_assert_int_eq(cover(&widest, 3, 2), RP_OK);
    rp_spans_fini(&spans);
    widest.x[1]++;
    ck_assert_int_eq(cover(&widest, 3, 2), RP_E_INVALID);
}
END_TEST

/// Cells that a line covers, and whether they are those of one row, or of one column.
static void check_line(double x0, double y0, double x1, double y1, unsigned x, unsigned y,
                       unsigned columns, unsigned rows)
{
    const rp_outline_t line = {.x = {x0, x1, x1}, .y = {y0, y1, y1}, .corners = 3, .snap = 1e-12};
    ck_assert_int_eq(rp_outline_cover(&line, &world, &spans), RP_OK);
    memset(is_touched, 0, sizeof is_touched);
    for (unsigned row = 0; row < rows; row++) {
        memset(&is_touched[y + row][x], true, columns);
    }
    check_cover(0);
    rp_spans_fini(&spans);
}

START_TEST(a_line_on_a_border_blocks_along_its_whole_length)
{
    world = (rp_grid_shape_t){.width = 10, .height = 8};
    check_line(2, 3, 7, 3, 2, 3, 6, 1); // the point (7, 3) lies in cell (7, 3)
    check_line(2.5, 3, 6.5, 3, 2, 3, 5, 1);
    check_line(4, 1, 4, 8, 4, 1, 1, 7); // the last point in the last cell
    check_line(4, -3, 4, 30, 4, 0, 1, 8);
    check_line(-2, 0, 0, 0, 0, 0, 1, 1);
    check_line(9.5, 2, 12, 2, 9, 2, 1, 1);
    check_line(0, 8, 10, 8, 0, 0, 0, 0); // the closing borders
    check_line(10, 0, 10, 8, 0, 0, 0, 0);
    check_line(10, 3, 14, 3, 0, 0, 0, 0);
    world.wraps = true;
    check_line(0, 8, 10, 8, 0, 0, 10, 1);
    check_line(10, 3, 10, 3, 0, 3, 1, 1);
}
END_TEST

START_TEST(what_has_an_area_somewhere_covers_nothing_by_its_lines)
{
    world = (rp_grid_shape_t){.width = 10, .height = 8};
    const rp_outline_t flag = {.x = {2, 2, 4, 4, 2}, .y = {4, -9, -9, -6, -6}, .corners = 5};
    ck_assert_int_eq(rp_outline_cover(&flag, &world, &spans), RP_OK);
    ck_assert_uint_eq(spans.count, 0);
}
END_TEST

START_TEST(rounding_of_a_crossing_covers_no_cell_more)
{
    world = (rp_grid_shape_t){.width = 10, .height = 8};
    rp_outline_t disc = {.x = {5.0}, .y = {4.0}, .corners = 1, .radius = 1.0, .snap = 1e-9};
    for (int i = -1; i <= 1; i++) {
        disc.radius = 1.0 + 0.9e-9 * i; // touches four borders
        ck_assert_int_eq(rp_outline_cover(&disc, &world, &spans), RP_OK);
        ck_assert_uint_eq(rp_spans_area(&spans), 4);
        rp_spans_fini(&spans);
    }
    disc.radius = 1.0 + 1.1e-9;
    ck_assert_int_eq(rp_outline_cover(&disc, &world, &spans), RP_OK);
    ck_assert_uint_gt(rp_spans_area(&spans), 4);
    rp_spans_fini(&spans);
    // A side through corners of cells, one end of it a little off. Along its borders it is off by
    // more than the snap, across them by less.
    const rp_outline_t shallow = {
        .x = {0.5, 6.5, 6.5}, .y = {1.5 + 1.2e-9, 3.5, 1.5}, .corners = 3, .snap = 1e-9};
    ck_assert_int_eq(rp_outline_cover(&shallow, &world, &spans), RP_OK);
    memset(is_touched, 0, sizeof is_touched);
    memset(&is_touched[1][0], true, 7);
    memset(&is_touched[2][2], true, 5);
    memset(&is_touched[3][5], true, 2);
    check_cover(0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_shape_covers_the_cells_that_it_touches,
        on_a_torus_it_comes_in_again_from_the_other_side,
        what_lies_beside_a_world_covers_none_of_its_border,
        a_torus_takes_what_goes_round_it_up_to_the_longest_side,
        a_line_on_a_border_blocks_along_its_whole_length,
        what_has_an_area_somewhere_covers_nothing_by_its_lines,
        rounding_of_a_crossing_covers_no_cell_more,
    };
    return rp_suite_run("shape", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
