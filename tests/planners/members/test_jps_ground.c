/// What jump point search keeps of the ground: bits that stay what a map from scratch would have,
/// whatever changes, and when.
#include "tests/planners/members/jps_scene.h"

static void hold_against(const rp_strips_t *strips, const rp_strips_t *fresh)
{
    for (uint32_t word = 0; word < strips->word_count; word++) {
        for (uint32_t line = 1; line + 1u < strips->line_count; line++) {
            const size_t place = (size_t)word * strips->line_stride + line;
            RP_EACH_EQ(strips->free[place], fresh->free[place]);
            for (int way = 0; way < 2; way++) {
                RP_EACH_EQ(strips->stop[way][place], fresh->stop[way][place]);
                RP_EACH_EQ(strips->leads[way][place], fresh->leads[way][place]);
            }
        }
    }
}

/// The map as one from scratch would be.
static void hold_against_a_new_map(void)
{
    jps_t other = {0};
    const rp_jump_map_t *map = &jps.jump.map;
    rp_arena_t own = {0};
    ck_assert_int_eq(rp_member_bind(&RP_MEMBER(jps), &other, grid, &(rp_member_options_t){0}, &own),
                     RP_OK);
    read_grid(&other);
    const rp_jump_map_t *fresh = &other.jump.map;
    ck_assert(rp_jump_map_check(map));
    hold_against(&map->rows, &fresh->rows);
    hold_against(&map->columns, &fresh->columns);
    for (uint32_t word = 0; word < map->rows.word_count; word++) {
        for (uint32_t line = 1; line + 1u < map->rows.line_count; line++) {
            const size_t place = (size_t)word * map->rows.line_stride + line;
            RP_EACH_EQ(map->squares[place], fresh->squares[place]);
        }
    }
    rp_member_unbind(&RP_MEMBER(jps), &other, &own, NULL);
}

START_TEST(after_any_changes_the_bits_are_those_of_a_new_map)
{
    rp_random_t random = {(uint64_t)_i + 1u};
    const uint32_t percent = rp_random_below(&random, 60);
    const uint32_t rows = rp_random_between(&random, 1, 300);
    scatter(rp_random_between(&random, 1, 300), rows, percent, &random);
    bind();
    for (int round = 0; round < 40; round++) {
        const uint32_t count = round % 8 == 7 ? 3000u : rp_random_between(&random, 1, 12);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t x = rp_random_below(&random, grid->shape.width);
            const uint32_t y = rp_random_below(&random, grid->shape.height);
            const rp_cell_t cell = rp_grid_cell(grid, x, y);
            rp_grid_set(grid, cell, grid->factor[cell] == 0);
            rp_jump_map_set(&jps.jump.map, x + 1u, y + 1u, grid->factor[cell] != 0);
        }
        rp_jump_map_settle(&jps.jump.map);
        hold_against_a_new_map();
    }
}
END_TEST

START_TEST(a_tile_that_is_read_anew_is_as_if_written_cell_by_cell)
{
    rp_random_t random = {(uint64_t)_i + 50u};
    scatter(200, 150, 20, &random);
    bind();
    for (int round = 0; round < 10; round++) {
        const uint32_t left = rp_random_below(&random, 180);
        const uint32_t top = rp_random_below(&random, 130);
        for (uint32_t y = top; y < top + 20u; y++) {
            for (uint32_t x = left; x < left + 20u; x++) {
                rp_grid_set(grid, rp_grid_cell(grid, x, y), rp_random_chance(&random, 80));
            }
        }
        read_grid(&jps);
        hold_against_a_new_map();
    }
}
END_TEST

static bool is_settled(const rp_strips_t *strips)
{
    uint64_t marks = 0;
    for (uint32_t i = 0; i < strips->marked_count; i++) {
        marks |= strips->marked[i];
    }
    return marks == 0;
}

/// Whoever tells of changes when nobody waits, as AUTO does, has a search without delay later: the
/// ground is settled when it is told.
START_TEST(changes_leave_nothing_to_the_search_but_to_search)
{
    rp_random_t random = {(uint64_t)_i + 41u};
    scatter(200, 130, 3, &random);
    const rp_cell_t start = draw_free_cell(&random);
    const rp_goal_t goal = {draw_free_cell(&random), 0};
    bind();
    uint64_t slices;
    jps_begin(&jps, start, &goal, 1);
    (void)expanded_to_the_end(UINT64_MAX, &slices);
    for (uint64_t told = 0; told < 500u; told += 5u) {
        rp_change_t changes[5];
        for (size_t k = 0; k < 5; k++) {
            const rp_cell_t cell = draw_free_cell(&random);
            const uint8_t after = cell == start || cell == goal.cell || told % 2u == 0;
            changes[k] = (rp_change_t){cell, rp_grid_set(grid, cell, after), after};
        }
        tell(start, goal.cell, changes, 5);
        ck_assert(jps.is_ready && is_settled(&jps.jump.map.rows) &&
                  is_settled(&jps.jump.map.columns));
    }
    ck_assert(jps_check(&jps));
}
END_TEST

/// While the ground is read and settled bit by bit, any of it changes.
START_TEST(ground_that_changes_while_it_is_read_is_read_as_it_is)
{
    rp_random_t random = {(uint64_t)_i + 90u};
    const uint32_t percent = rp_random_below(&random, 60);
    const uint32_t height = rp_random_between(&random, 200, 700);
    scatter(rp_random_between(&random, 20, 300), height, percent, &random);
    bind();
    const rp_goal_t goal = {draw_free_cell(&random), 0};
    const rp_cell_t start = draw_free_cell(&random);
    if (_i % 2 == 0) { // one that was never settled
        rp_member_unbind(&RP_MEMBER(jps), &jps, &arena, NULL);
        ck_assert_int_eq(
            rp_member_bind(&RP_MEMBER(jps), &jps, grid, &(rp_member_options_t){0}, &arena), RP_OK);
    }
    jps_begin(&jps, start, &goal, 1);
    unsigned slices = 0;
    for (uint64_t budget = 1; !make_ready(&jps, &budget); budget = 1u + slices++ % 300u) {
        const rp_cell_t cell = draw_free_cell(&random);
        if (cell == start || cell == goal.cell) {
            continue;
        }
        rp_grid_set(grid, cell, 0);
        tell(start, goal.cell, &(rp_change_t){cell, 1, 0}, 1);
        ck_assert_uint_lt(slices, 10000);
    }
    ck_assert_uint_gt(slices, 1);
    ck_assert(jps_check(&jps));
    hold_against_a_new_map();
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        after_any_changes_the_bits_are_those_of_a_new_map,
        a_tile_that_is_read_anew_is_as_if_written_cell_by_cell,
        changes_leave_nothing_to_the_search_but_to_search,
        ground_that_changes_while_it_is_read_is_read_as_it_is,
    };
    return rp_suite_run("jps_ground", tests, sizeof tests / sizeof tests[0], 6, tear_down);
}
