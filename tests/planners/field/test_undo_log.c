/// Raises: taken back in reverse order, they leave the field as it was, but for what is lower now.
#include "planners/field/undo_log.h"

#include "tests/support/suite.h"

static rp_arena_t arena;

#define SIDE 20u

static rp_grid_t *grid;
static rp_field_t field;
static rp_path_cache_t path_cache;
static rp_undo_log_t undo_log;
static rp_deferred_decreases_t deferred;

static void tear_down(void)
{
    rp_arena_free(&arena, NULL);
    rp_grid_destroy(&grid);
}

static rp_cell_t at(uint32_t x)
{
    return rp_grid_cell(grid, x, 0);
}

/// A field and a cached path along the first row, whose first cell is the root.
static void begin(void)
{
    const rp_grid_shape_t shape = {
        .width = SIDE, .height = SIDE, .neighbors = 4, .unit = 1, .least = 1};
    uint64_t budget = UINT64_MAX;
    rp_search_stats_t stats = {0};
    ck_assert_int_eq(rp_grid_new(&shape, &grid), RP_OK);
    rp_field_init(&field, grid, &arena);
    rp_path_cache_init(&path_cache, grid, &arena);
    rp_undo_log_init(&undo_log, grid, &arena);
    rp_deferred_decreases_init(&deferred, grid, &arena);
    rp_field_begin(&field, at(0), at(SIDE - 1u));
    ck_assert(rp_field_settle(&field, &budget, &stats));
    ck_assert(rp_field_grow(&field, 0, SIDE, RP_COST_INF, &budget, &stats));
    rp_path_cache_reset(&path_cache, at(0), 0);
    const uint32_t gap = rp_path_cache_splice(&path_cache, 0, SIDE - 1u, RP_PATH_CACHE_NONE);
    for (uint32_t x = 1; x < SIDE; x++) {
        rp_path_cache_fill(&path_cache, gap + x - 1u, at(x), x);
    }
}

/// Raise some cells of the row by 2.
static void raise_from(uint32_t x, uint32_t end)
{
    rp_undo_log_begin(&undo_log);
    for (; x < end; x++) {
        rp_undo_log_note(&undo_log, at(x), field.nodes[at(x)].g);
        field.nodes[at(x)].g += 2u;
    }
}

static size_t take_back(void)
{
    size_t count;
    (void)rp_undo_log_restore(&undo_log, &field, &count);
    rp_undo_log_drop_last(&undo_log);
    return count;
}

START_TEST(raises_are_taken_back_in_reverse_order)
{
    begin();
    raise_from(5, 9);
    rp_undo_log_end_way(&undo_log, &path_cache, 2, 4);
    raise_from(7, 12);
    rp_undo_log_end_way(&undo_log, &path_cache, 3, 6);
    ck_assert_uint_eq(field.nodes[at(8)].g, 12);
    field.nodes[at(11)].g = 4; // lowered since
    ck_assert_uint_eq(take_back(), 0);
    ck_assert_uint_eq(field.nodes[at(8)].g, 10);
    ck_assert_uint_eq(field.nodes[at(10)].g, 10);
    ck_assert_uint_eq(field.nodes[at(11)].g, 4);
    ck_assert_uint_eq(take_back(), 0);
    ck_assert_uint_eq(field.nodes[at(8)].g, 8);
    ck_assert_uint_eq(undo_log.count, 0);
}
END_TEST

START_TEST(a_raise_that_leads_no_other_way_goes_with_the_one_before)
{
    begin();
    raise_from(5, 9);
    rp_undo_log_end(&undo_log); // no one before
    ck_assert_uint_eq(undo_log.count, 0);
    raise_from(5, 9);
    rp_undo_log_end_way(&undo_log, &path_cache, 2, 4);
    raise_from(7, 12);
    rp_undo_log_end(&undo_log);
    (void)take_back();
    ck_assert_uint_eq(field.nodes[at(8)].g, 10); // as before the first that was remembered
    ck_assert_uint_eq(field.nodes[at(11)].g, 11);
    ck_assert_uint_eq(undo_log.count, 0);
}
END_TEST

START_TEST(a_raise_without_room_makes_all_be_forgotten)
{
    begin();
    raise_from(5, 9);
    rp_undo_log_end_way(&undo_log, &path_cache, 2, 4);
    rp_undo_log_begin(&undo_log);
    for (uint32_t i = 0; i < undo_log.capacity; i++) {
        rp_undo_log_note(&undo_log, at(1), 1);
    }
    rp_undo_log_end(&undo_log);
    ck_assert_uint_eq(undo_log.count, 0);
}
END_TEST

/// A freed cell is forgotten where it does not agree with its neighbours. The root must not be.
START_TEST(the_root_that_was_freed_is_told_as_one_that_became_cheaper)
{
    size_t count;
    begin();
    raise_from(5, 9);
    rp_undo_log_end_way(&undo_log, &path_cache, 2, 4);
    const rp_change_t changes[] = {{at(0), 0, 1}, {at(3), 0, 1}, {at(9), 1, 0}};
    rp_undo_log_note_cheaper(&undo_log, &deferred, changes, 3);
    const rp_change_t *freed = rp_undo_log_restore(&undo_log, &field, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_ne(freed[0].before, 0);
    ck_assert(rp_change_is_cheaper(&freed[0]));
    ck_assert_uint_eq(freed[1].before, 0);
}
END_TEST

/// Most of a big batch lies far away. It must not fill the list.
START_TEST(cells_that_sleep_are_not_listed)
{
    size_t count;
    begin();
    raise_from(5, 9);
    rp_undo_log_end_way(&undo_log, &path_cache, 2, 4);
    const rp_change_t changes[] = {{at(3), 0, 1}, {at(9), 0, 1}};
    rp_deferred_decreases_add(&deferred, at(3));
    for (uint32_t i = 0; i < RP_UNDO_LOG_FREED_MOST; i++) {
        rp_undo_log_note_cheaper(&undo_log, &deferred, changes, 1);
    }
    rp_undo_log_note_cheaper(&undo_log, &deferred, changes, 2);
    ck_assert_uint_ne(undo_log.count, 0);
    const rp_change_t *freed = rp_undo_log_restore(&undo_log, &field, &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(freed[0].cell, at(9));
}
END_TEST

START_TEST(the_trail_stays_broken_beyond_the_way_that_it_is_led_back)
{
    begin();
    raise_from(5, 9);
    rp_undo_log_end_way(&undo_log, &path_cache, 4, 8);
    rp_path_cache_break(&path_cache, 5, 6);
    ck_assert(rp_undo_log_lead_back(&undo_log, &path_cache));
    ck_assert(rp_path_cache_is_intact(&path_cache));
    rp_path_cache_break(&path_cache, 2, 6);
    ck_assert(rp_undo_log_lead_back(&undo_log, &path_cache));
    ck_assert_uint_eq(path_cache.low, 2);
    ck_assert_uint_eq(path_cache.high, 3);
    rp_path_cache_break(&path_cache, 2, 11);
    ck_assert(rp_undo_log_lead_back(&undo_log, &path_cache));
    ck_assert_uint_eq(path_cache.low, 2);
    ck_assert_uint_eq(path_cache.high, 11);
    path_cache.low = RP_PATH_CACHE_NONE;
    rp_path_cache_break(&path_cache, 6, 11);
    ck_assert(rp_undo_log_lead_back(&undo_log, &path_cache));
    ck_assert_uint_eq(path_cache.low, 8);
    ck_assert_uint_eq(path_cache.high, 11);
}
END_TEST

START_TEST(the_trail_is_led_back_only_between_cells_that_it_has)
{
    begin();
    raise_from(5, 9);
    rp_undo_log_end_way(&undo_log, &path_cache, 4, 8);
    path_cache.steps[6].cost = 60; // what was laid since costs more
    ck_assert(rp_undo_log_lead_back(&undo_log, &path_cache));
    ck_assert_uint_eq(path_cache.steps[6].cost, 6);
    ck_assert_uint_eq(path_cache.end, SIDE);
    rp_path_cache_end_at(&path_cache, at(7));
    ck_assert(!rp_undo_log_lead_back(&undo_log, &path_cache));
    ck_assert_uint_eq(path_cache.end, 8);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {raises_are_taken_back_in_reverse_order,
                                  a_raise_that_leads_no_other_way_goes_with_the_one_before,
                                  a_raise_without_room_makes_all_be_forgotten,
                                  the_root_that_was_freed_is_told_as_one_that_became_cheaper,
                                  cells_that_sleep_are_not_listed,
                                  the_trail_stays_broken_beyond_the_way_that_it_is_led_back,
                                  the_trail_is_led_back_only_between_cells_that_it_has};
    return rp_suite_run("undo_log", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
