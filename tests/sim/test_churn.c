/// Churn after the FSA* paper: the density stays, and changes are close to the goal.
#include <string.h>

#include "sim/world/churn.h"
#include "tests/support/suite.h"

static size_t count_free(const rp_terrain_t *terrain)
{
    size_t count = 0;
    for (uint32_t cell = 0; cell < rp_terrain_cell_count(terrain); cell++) {
        count += rp_terrain_is_free(terrain, cell);
    }
    return count;
}

typedef struct field {
    rp_terrain_t terrain;
    rp_churn_t churn;
    rp_edits_t edits;
    uint32_t kept[2];
    rp_front_t front;
} field_t;

static void set_up(field_t *field, rp_terrain_sort_t sort, uint64_t seed, double closeness)
{
    const rp_terrain_options_t options = {
        .sort = sort, .width = 128, .height = 128, .neighbors = 4, .density = 0.25, .seed = seed};
    rp_seeded_t seeded = {seed};
    *field = (field_t){0};
    ck_assert(rp_terrain_init(&field->terrain, &options));
    ck_assert(rp_churn_init(&field->churn, 128 * 128, rp_seeded_split(&seeded)));
    field->kept[0] = rp_terrain_any_free(&field->terrain, &seeded);
    field->kept[1] = rp_terrain_any_free(&field->terrain, &seeded);
    field->front = (rp_front_t){.start = field->kept[0],
                                .goal = field->kept[1],
                                .closeness = closeness,
                                .kept = field->kept,
                                .kept_count = 2};
}

static void tear_down(field_t *field)
{
    rp_edits_fini(&field->edits);
    rp_churn_fini(&field->churn);
    rp_terrain_fini(&field->terrain);
}

START_TEST(cells_change_and_the_density_stays)
{
    field_t field;
    set_up(&field, RP_TERRAIN_RANDOM, (uint64_t)_i + 1, 0.5);
    const size_t free_before = count_free(&field.terrain);
    for (unsigned round = 0; round < 50; round++) {
        ck_assert(rp_churn_cells(&field.churn, &field.terrain, &field.front, 0.2, &field.edits));
        ck_assert_uint_eq(count_free(&field.terrain), free_before);
    }
    ck_assert_uint_gt(field.edits.count, 0);
    tear_down(&field);
}
END_TEST

START_TEST(as_many_cells_change_as_the_rate_says)
{
    field_t field;
    set_up(&field, RP_TERRAIN_RANDOM, 3, 0.9);
    // The goal in the middle: the whole diamond of close cells lies in the world.
    field.front.goal = 64 * 128 + 64;
    field.front.start = 64 * 128 + 4;
    field.front.kept_count = 0;
    const uint32_t reach = rp_churn_reach(&field.terrain, &field.front);
    ck_assert_uint_eq(reach, 54);
    const size_t close_count = 2 * reach * (reach + 1) + 1;
    ck_assert(rp_churn_cells(&field.churn, &field.terrain, &field.front, 0.1, &field.edits));
    ck_assert_uint_eq(field.edits.count, 2 * (close_count / 20));
    tear_down(&field);
}
END_TEST

START_TEST(cells_change_close_to_the_goal_only_and_once)
{
    static uint8_t seen[128 * 128];
    field_t field;
    set_up(&field, RP_TERRAIN_RANDOM, (uint64_t)_i + 1, 0.3);
    const uint32_t reach = rp_churn_reach(&field.terrain, &field.front);
    memset(seen, 0, sizeof seen);
    ck_assert(rp_churn_cells(&field.churn, &field.terrain, &field.front, 0.5, &field.edits));
    for (size_t i = 0; i < field.edits.count; i++) {
        const uint32_t cell = field.edits.cells[i];
        ck_assert_uint_le(rp_grid_view_manhattan(&field.terrain.grid, cell, field.front.goal),
                          reach);
        ck_assert_uint_ne(cell, field.front.start);
        ck_assert_uint_ne(cell, field.front.goal);
        ck_assert_uint_eq(seen[cell]++, 0);
    }
    tear_down(&field);
}
END_TEST

START_TEST(edits_name_every_cell_that_became_something_else)
{
    static uint8_t before[128 * 128];
    field_t field;
    set_up(&field, RP_TERRAIN_RANDOM, (uint64_t)_i + 1, 0.5);
    memcpy(before, field.terrain.bytes, sizeof before);
    ck_assert(rp_churn_cells(&field.churn, &field.terrain, &field.front, 0.5, &field.edits));
    size_t changed = 0;
    for (size_t cell = 0; cell < sizeof before; cell++) {
        changed += before[cell] != field.terrain.bytes[cell];
    }
    ck_assert_uint_eq(changed, field.edits.count);
    for (size_t i = 0; i < field.edits.count; i++) {
        ck_assert_int_ne(before[field.edits.cells[i]], field.terrain.bytes[field.edits.cells[i]]);
    }
    tear_down(&field);
}
END_TEST

START_TEST(buildings_rise_and_fall_whole_and_close_to_the_goal)
{
    field_t field;
    set_up(&field, RP_TERRAIN_WARCRAFT, (uint64_t)_i + 1, 0.4);
    field.front.start = field.kept[0] = field.terrain.bases[0];
    field.front.goal = field.kept[1] = field.terrain.bases[1];
    const uint32_t reach = rp_churn_reach(&field.terrain, &field.front);
    ck_assert_uint_gt(reach, 14);
    unsigned changes = 0;
    for (unsigned round = 0; round < 200; round++) {
        field.edits.count = 0;
        ck_assert(rp_churn_building(&field.churn, &field.terrain, &field.front, &field.edits));
        changes += field.edits.count > 0;
        ck_assert(field.edits.count == 0 || field.edits.count == 9 || field.edits.count == 16);
        for (size_t i = 0; i < field.edits.count; i++) {
            const uint32_t cell = field.edits.cells[i];
            // Its middle is close; its farthest corner two rows and two columns on.
            ck_assert_uint_le(rp_grid_view_manhattan(&field.terrain.grid, cell, field.front.goal),
                              reach + 4);
            ck_assert_uint_ne(cell, field.front.start);
            ck_assert_uint_ne(cell, field.front.goal);
        }
        ck_assert_uint_le(field.churn.buildings.count, 1);
    }
    ck_assert_uint_gt(changes, 190);
    tear_down(&field);
}
END_TEST

START_TEST(defenders_build_in_the_attackers_way)
{
    field_t field;
    set_up(&field, RP_TERRAIN_RANDOM, (uint64_t)_i + 1, 0.9);
    for (uint32_t cell = 0; cell < 128 * 128; cell++) {
        rp_terrain_write(&field.terrain, cell, RP_KIND_GRASS);
    }
    uint32_t route[60];
    for (uint32_t i = 0; i < 60; i++) {
        route[i] = 64 * 128 + 64 - i;
    }
    field.front.goal = field.kept[0] = field.kept[1] = route[0];
    field.front.start = route[59];
    field.front.route = route;
    field.front.route_count = 60;
    unsigned in_the_way = 0;
    for (unsigned round = 0; round < 20; round++) {
        field.churn.attack_next = false;
        field.edits.count = 0;
        ck_assert(rp_churn_building(&field.churn, &field.terrain, &field.front, &field.edits));
        bool is_hit = false;
        for (size_t i = 0; i < field.edits.count; i++) {
            is_hit =
                is_hit || (field.edits.cells[i] / 128 == 64 && field.edits.cells[i] <= route[0]);
        }
        in_the_way += is_hit;
        ck_assert(rp_buildings_raze(&field.churn.buildings, &field.terrain, 0, &field.edits));
    }
    // Places by chance alone would hit this line one time in thirty.
    ck_assert_uint_ge(in_the_way, 6);
    tear_down(&field);
}
END_TEST

START_TEST(a_bases_number_of_buildings_stays)
{
    field_t field;
    set_up(&field, RP_TERRAIN_WARCRAFT, (uint64_t)_i + 1, 0.3);
    ck_assert(rp_churn_found_bases(&field.churn, &field.terrain, 10));
    const size_t before = field.churn.buildings.count;
    ck_assert_uint_gt(before, 10);
    for (unsigned round = 0; round < 100; round++) {
        ck_assert(rp_churn_building(&field.churn, &field.terrain, &field.front, &field.edits));
    }
    ck_assert_uint_ge(field.churn.buildings.count + 2, before);
    ck_assert_uint_le(field.churn.buildings.count, before + 2);
    tear_down(&field);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        cells_change_and_the_density_stays,
        as_many_cells_change_as_the_rate_says,
        cells_change_close_to_the_goal_only_and_once,
        edits_name_every_cell_that_became_something_else,
        buildings_rise_and_fall_whole_and_close_to_the_goal,
        defenders_build_in_the_attackers_way,
        a_bases_number_of_buildings_stays,
    };
    return rp_suite_run("sim_churn", tests, sizeof tests / sizeof tests[0], 4, NULL);
}
