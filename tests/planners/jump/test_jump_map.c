/// The map of jumps, held against walks cell by cell: whatever was written and in whichever way,
/// stops, leads and squares are what the free ground says.
#include "planners/jump/jump_map.h"

#include <string.h>

#include "tests/support/drawing.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_arena_t arena;
static const uint32_t sides[] = {1, 2, 61, 62, 63, 64, 100, 130};
#define ROUNDS (sizeof sides / sizeof sides[0])
#define ROOM   202u ///< a rim on both sides

static rp_jump_map_t map;
static bool is_free[ROOM][ROOM]; ///< by row and column; the rim is never free
static rp_random_t chance;

static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
}

static void open_map(uint32_t width, uint32_t height)
{
    rp_jump_map_init(&map, width, height, &arena);
    map.simd = rp_random_chance(&chance, 50) ? RP_SIMD_NONE : rp_simd_best();
}

static void write_place(uint32_t column, uint32_t row, bool now_free)
{
    is_free[row][column] = now_free;
    rp_jump_map_set(&map, column, row, now_free);
}

static void write_all(uint32_t percent)
{
    for (uint32_t row = 1; row <= map.height; row++) {
        for (uint32_t column = 1; column <= map.width; column++) {
            write_place(column, row, rp_random_chance(&chance, percent));
        }
    }
}

// ---- by walking

/// A step of one axis: along it, and across.
typedef struct walk {
    const rp_strips_t *strips;
    bool along_rows;
} walk_t;

static bool free_at(walk_t walk, uint32_t line, uint32_t position)
{
    return walk.along_rows ? is_free[line][position] : is_free[position][line];
}

/// A jump that comes from `before` ends here: the ground blocks, or a line beside it opens.
static bool ends_here(walk_t walk, uint32_t line, uint32_t before, uint32_t position)
{
    return !free_at(walk, line, position) ||
           (free_at(walk, line - 1u, position) && !free_at(walk, line - 1u, before)) ||
           (free_at(walk, line + 1u, position) && !free_at(walk, line + 1u, before));
}

static uint32_t walk_on(walk_t walk, enum rp_scan way, uint32_t line, uint32_t from)
{
    const uint32_t step = way == RP_ONWARD ? 1u : UINT32_MAX;
    uint32_t position = from + step;
    while (!ends_here(walk, line, position - step, position)) {
        position += step;
    }
    return position;
}

static void compare_jumps(walk_t walk, uint32_t lines, uint32_t length)
{
    for (uint32_t line = 1; line <= lines; line++) {
        for (uint32_t from = 1; from <= length; from++) {
            const size_t place = rp_strips_place(walk.strips, line, from);
            for (enum rp_scan way = RP_ONWARD; way <= RP_BACKWARD; way++) {
                const uint32_t end = walk_on(walk, way, line, from);
                const bool leads = ((walk.strips->leads[way][place] >> (from & 63u)) & 1u) != 0;
                RP_EACH_EQ(rp_strips_jump(walk.strips, way, line, from), end);
                RP_EACH_EQ(leads, free_at(walk, line, end));
            }
        }
    }
}

static void compare_squares(void)
{
    for (uint32_t row = 1; row <= map.height; row++) {
        for (uint32_t column = 1; column <= map.width; column++) {
            const uint64_t word = map.squares[rp_strips_place(&map.rows, row, column)];
            const bool is_square = is_free[row][column] && is_free[row][column + 1u] &&
                                   is_free[row + 1u][column] && is_free[row + 1u][column + 1u];
            RP_EACH_EQ((word >> (column & 63u)) & 1u, is_square);
        }
    }
}

static void compare_all(void)
{
    compare_jumps((walk_t){&map.rows, true}, map.height, map.width);
    compare_jumps((walk_t){&map.columns, false}, map.width, map.height);
    compare_squares();
    ck_assert(rp_jump_map_check(&map));
}

// ---- the tests

static void draw(const char *text)
{
    rp_drawing_t drawing;
    ck_assert(rp_drawing_read(&drawing, text));
    open_map(drawing.width, drawing.height);
    for (uint32_t row = 1; row <= map.height; row++) {
        for (uint32_t column = 1; column <= map.width; column++) {
            const uint32_t place = (row - 1u) * map.width + column - 1u;
            write_place(column, row, drawing.factors[place] != 0);
        }
    }
    rp_jump_map_settle(&map);
}

/// x where a jump along a row ends, counted from 0; it leads there or ends at a wall.
static void jump_along_row(uint32_t x, uint32_t y, enum rp_scan way, int end_x, bool leads)
{
    const size_t place = rp_strips_place(&map.rows, y + 1u, x + 1u);
    ck_assert_int_eq((int)rp_strips_jump(&map.rows, way, y + 1u, x + 1u) - 1, end_x);
    ck_assert(((map.rows.leads[way][place] >> ((x + 1u) & 63u)) & 1u) == leads);
}

static void jump_along_column(uint32_t x, uint32_t y, enum rp_scan way, int end_y, bool leads)
{
    const size_t place = rp_strips_place(&map.columns, x + 1u, y + 1u);
    ck_assert_int_eq((int)rp_strips_jump(&map.columns, way, x + 1u, y + 1u) - 1, end_y);
    ck_assert(((map.columns.leads[way][place] >> ((y + 1u) & 63u)) & 1u) == leads);
}

START_TEST(a_jump_stops_where_the_line_beside_it_opens)
{
    draw("..#......\n"
         ".........\n"
         "......##.\n"
         ".........");
    jump_along_row(0, 1, RP_ONWARD, 3, true); // behind the block above
    jump_along_row(3, 1, RP_ONWARD, 8, true); // behind the block below
    jump_along_row(8, 1, RP_ONWARD, 9, false);
    jump_along_row(8, 1, RP_BACKWARD, 5, true);
    jump_along_row(5, 1, RP_BACKWARD, 1, true);
    jump_along_row(1, 1, RP_BACKWARD, -1, false);
    jump_along_row(0, 3, RP_ONWARD, 8, true);
    jump_along_row(0, 2, RP_ONWARD, 6, false); // a wall
    jump_along_column(5, 0, RP_ONWARD, 3, true);
    jump_along_column(3, 0, RP_ONWARD, 1, true);
    jump_along_column(0, 0, RP_ONWARD, 4, false);
    jump_along_column(8, 3, RP_BACKWARD, 1, true);
}
END_TEST

START_TEST(a_jump_crosses_words)
{
    open_map(200, 200);
    write_all(100);
    write_place(182, 10, false);
    write_place(10, 151, false);
    rp_jump_map_settle(&map);
    jump_along_row(2, 10, RP_ONWARD, 182, true);
    jump_along_row(199, 8, RP_BACKWARD, 180, true);
    jump_along_row(180, 8, RP_BACKWARD, -1, false);
    jump_along_row(2, 9, RP_ONWARD, 181, false);
    jump_along_column(8, 0, RP_ONWARD, 151, true);
    jump_along_column(10, 199, RP_BACKWARD, 149, true);
    jump_along_column(11, 199, RP_BACKWARD, -1, false);
}
END_TEST

START_TEST(jumps_end_where_walks_end)
{
    chance.state = (uint64_t)_i;
    open_map(sides[_i], sides[ROUNDS - 1u - (size_t)_i]);
    write_all(_i % 2 == 0 ? 90 : 60);
    rp_jump_map_settle(&map);
    compare_all();
}
END_TEST

START_TEST(a_few_places_written_later_change_what_they_should)
{
    chance.state = (uint64_t)_i;
    open_map(sides[ROUNDS - 1u - (size_t)_i], sides[_i]);
    write_all(85);
    rp_jump_map_settle(&map);
    for (unsigned batch = 0; batch < 4u; batch++) {
        for (unsigned i = 0; i < 1u << batch; i++) {
            const bool frees = rp_random_chance(&chance, 50);
            const uint32_t y = rp_random_between(&chance, 1, map.height);
            write_place(rp_random_between(&chance, 1, map.width), y, frees);
        }
        rp_jump_map_settle(&map);
        compare_all();
    }
}
END_TEST

/// A tile of what is free; beyond the world it says free as well, which must not matter.
static void read_tile(uint32_t tile_column, uint32_t tile_row, uint64_t rows[64])
{
    memset(rows, 0xff, 64u * sizeof *rows);
    for (uint32_t i = 0; i < 64u * 64u; i++) {
        const uint32_t row = tile_row * 64u + i / 64u;
        const uint32_t column = tile_column * 64u + i % 64u;
        const bool is_inside = row != 0 && row <= map.height && column != 0 && column <= map.width;
        if (is_inside && !is_free[row][column]) {
            rows[i / 64u] &= ~((uint64_t)1 << (i % 64u));
        }
    }
}

/// Change some places of some rows. @return rows of a tile that may have changed
static uint64_t redraw_rows(uint32_t tile_row, uint32_t percent)
{
    const uint64_t which = rp_random_next(&chance) | rp_random_next(&chance);
    for (uint32_t i = 0; i < 64u; i++) {
        const uint32_t row = tile_row * 64u + i;
        for (uint32_t column = 1; column <= map.width; column++) {
            if (row != 0 && row <= map.height && ((which >> i) & 1u) != 0 &&
                rp_random_chance(&chance, percent)) {
                is_free[row][column] = !is_free[row][column];
            }
        }
    }
    return which;
}

/// New, over what was there, and some rows of which few places change or many.
START_TEST(tiles_write_what_single_places_would)
{
    chance.state = (uint64_t)_i;
    open_map(sides[_i], sides[(size_t)_i * 3u % ROUNDS]);
    for (unsigned round = 0; round < 6u; round++) {
        for (uint32_t row = 1; row <= map.height && round < 2u; row++) {
            for (uint32_t column = 1; column <= map.width; column++) {
                is_free[row][column] = rp_random_chance(&chance, 75);
            }
        }
        for (uint32_t row = 0; row < rp_jump_map_tile_rows(&map); row++) {
            const uint64_t which =
                round < 2u ? ~(uint64_t)0 : redraw_rows(row, round % 2u == 0 ? 1 : 20);
            for (uint32_t column = 0; column < rp_jump_map_tile_columns(&map); column++) {
                uint64_t rows[64];
                read_tile(column, row, rows);
                const uint64_t changed = rp_jump_map_set_tile(&map, column, row, which, rows);
                ck_assert_uint_eq(changed & ~which, 0);
                read_tile(column, row, rows);
                ck_assert_uint_eq(rp_jump_map_set_tile(&map, column, row, which, rows), 0);
            }
        }
        rp_jump_map_settle(&map);
        compare_all();
    }
}
END_TEST

START_TEST(what_is_written_and_written_back_leaves_the_map_as_it_was)
{
    open_map(100, 3);
    write_all(100);
    rp_jump_map_settle(&map);
    write_place(64, 2, false);
    rp_jump_map_settle(&map);
    ck_assert_uint_eq(rp_strips_jump(&map.rows, RP_ONWARD, 2, 1), 64);
    ck_assert_uint_eq(rp_strips_jump(&map.rows, RP_ONWARD, 1, 1), 65);
    write_place(64, 2, true);
    rp_jump_map_settle(&map);
    ck_assert_uint_eq(rp_strips_jump(&map.rows, RP_ONWARD, 2, 1), 101);
    compare_all();
}
END_TEST

/// What a line beside opens far away is known at the other end of the line, words before.
START_TEST(a_place_written_far_away_is_felt_along_the_line)
{
    open_map(200, 3);
    write_all(100);
    rp_jump_map_settle(&map);
    for (uint32_t column = 3; column <= 198; column += 195) { // one for each way
        for (unsigned now_free = 0; now_free < 2u; now_free++) {
            write_place(column, 1, now_free != 0);
            rp_jump_map_settle(&map);
            compare_all();
        }
    }
}
END_TEST

START_TEST(check_finds_a_bit_that_is_wrong)
{
    open_map(70, 5);
    write_all(80);
    rp_jump_map_settle(&map);
    uint64_t *const arrays[] = {map.rows.free, map.rows.stop[RP_ONWARD],
                                map.columns.leads[RP_BACKWARD], map.squares};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        uint64_t *word = &arrays[i][rp_strips_place(&map.rows, 2, 8)];
        *word ^= (uint64_t)1 << 8;
        ck_assert(!rp_jump_map_check(&map));
        *word ^= (uint64_t)1 << 8;
        ck_assert(rp_jump_map_check(&map));
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_jump_stops_where_the_line_beside_it_opens,
        a_jump_crosses_words,
        jumps_end_where_walks_end,
        a_few_places_written_later_change_what_they_should,
        tiles_write_what_single_places_would,
        what_is_written_and_written_back_leaves_the_map_as_it_was,
        a_place_written_far_away_is_felt_along_the_line,
        check_finds_a_bit_that_is_wrong,
    };
    return rp_suite_run("jump_map", tests, sizeof tests / sizeof tests[0], ROUNDS, tear_down);
}
