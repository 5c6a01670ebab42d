/// The shared part of all planners: what it tells a member, and when.
///
/// This program has a registry of its own, with one member that searches nothing and notes what it
/// is told. (The library's registry is left out by the linker, as its one function stands here.)
#include "replan/planner.h"

#include <math.h>
#include <string.h>

#include "planners/planner_ops.h"
#include "planners/search/simd.h"
#include "tests/support/drawing.h"
#include "tests/support/suite.h"

#define CHANGES_MAX 2048u

/// What the member was told; one for the program, as the ops have no other way out.
static struct {
    int binds;
    int unbinds;
    int begins;
    int updates;
    int searches;
    int stands; ///< times it was asked whether the answer stands
    bool stands_says;
    bool state_was_zeroed;
    bool with_64_bits;
    rp_status_t bind_says;
    bool update_says;
    bool check_says;
    uint64_t expansions_left; ///< of each search
    rp_update_t update;       ///< the last; its arrays are copied here
    rp_change_t changes[CHANGES_MAX];
    rp_cell_t start;
    rp_goal_t goals[8];
    size_t goal_count;
} note;

typedef struct probe {
    const rp_grid_t *grid;
    uint64_t left;
} probe_t;

static void note_ends(rp_cell_t start, const rp_goal_t *goals, size_t count)
{
    note.start = start;
    note.goal_count = count;
    memcpy(note.goals, goals, count * sizeof *goals);
}

static rp_status_t probe_bind(void *state, const rp_grid_t *grid,
                              const rp_planner_options_t *options)
{
    probe_t *self = state;
    (void)options;
    note.binds++;
    note.state_was_zeroed = self->grid == NULL && self->left == 0;
    if (note.bind_says == RP_OK) {
        self->grid = grid;
    }
    return note.bind_says;
}

static rp_status_t probe_bind_64(void *state, const rp_grid_t *grid,
                                 const rp_planner_options_t *options)
{
    note.with_64_bits = true;
    return probe_bind(state, grid, options);
}

static void probe_unbind(void *state, rp_rubble_t *rubble)
{
    probe_t *self = state;
    (void)rubble;
    note.unbinds += self->grid != NULL;
    note.with_64_bits = false;
}

static void probe_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    probe_t *self = state;
    note.begins++;
    note_ends(start, goals, goal_count);
    self->left = note.expansions_left;
}

static bool probe_update(void *state, const rp_update_t *update)
{
    probe_t *self = state;
    note.updates++;
    note.update = *update;
    ck_assert_uint_le(update->change_count, CHANGES_MAX);
    if (update->change_count != 0) {
        memcpy(note.changes, update->changes, update->change_count * sizeof *note.changes);
    }
    note_ends(update->start, update->goals, update->goal_count);
    self->left = note.expansions_left;
    return note.update_says;
}

static bool probe_stands(void *state, const rp_change_t *changes, size_t count,
                         const rp_site_t *site)
{
    (void)state;
    (void)site;
    note.stands++;
    ck_assert_uint_le(count, CHANGES_MAX);
    memcpy(note.changes, changes, count * sizeof *note.changes);
    return note.stands_says;
}

static rp_status_t probe_search(void *state, uint64_t *budget, rp_plan_stats_t *stats)
{
    probe_t *self = state;
    note.searches++;
    while (self->left != 0) {
        if (*budget == 0) {
            return RP_MORE;
        }
        --*budget;
        self->left--;
        stats->expanded++;
    }
    return RP_OK;
}

/// The start and its neighbour to the right, if that is a goal; else no path.
static uint32_t probe_path(const void *state, rp_cell_t *cells, rp_path_stands_t *stands)
{
    (void)state;
    (void)stands; // all of it is written
    cells[0] = note.start;
    cells[1] = note.goals[note.goal_count - 1u].cell;
    return cells[1] == cells[0] + 1u ? 2 : 0;
}

static uint64_t probe_bytes(const void *state)
{
    (void)state;
    return 4321;
}

static bool probe_check(const void *state)
{
    (void)state;
    return note.check_says;
}

#define PROBE(capabilities_, bind_)                                                                \
    {                                                                                              \
        .info = {.id = "probe",                                                                    \
                 .paper = "-",                                                                     \
                 .guarantee = "none",                                                              \
                 .capabilities = (capabilities_)},                                                 \
        .state_bytes = sizeof(probe_t), .bind = (bind_), .unbind = probe_unbind,                   \
        .begin = probe_begin, .update = probe_update, .stands = probe_stands,                      \
        .search = probe_search, .path = probe_path, .bytes = probe_bytes, .check = probe_check,    \
    }
#define PROBE_CAN                                                                                  \
    (RP_NATIVE_CHANGES | RP_NATIVE_GOAL | RP_CAN_GOAL_SET | RP_CAN_8 | RP_CAN_WEIGHTED)

static const rp_planner_ops_t probe_32 = PROBE(PROBE_CAN, probe_bind);
static const rp_planner_ops_t probe_64 = PROBE(PROBE_CAN, probe_bind_64);

const rp_planner_member_t *rp_registry_member(size_t index)
{
    static const rp_planner_member_t member = {&probe_32, &probe_64};
    return index == 0 ? &member : NULL;
}

// ---- arrangement

static rp_planner_t *planner;
static rp_grid_t *grid;
static rp_plan_t plan;

/// A world, both ends set beside each other in its first row, nothing planned yet.
static void arrange(const char *world)
{
    memset(&note, 0, sizeof note);
    note.update_says = true;
    note.check_says = true;
    note.expansions_left = 3;
    grid = rp_drawing_grid(world, 8, false);
    ck_assert_ptr_nonnull(grid);
    ck_assert_int_eq(rp_planner_new("probe", NULL, &planner), RP_OK);
    ck_assert_int_eq(rp_planner_bind(planner, grid), RP_OK);
    ck_assert_int_eq(rp_planner_set_start(planner, rp_grid_cell(grid, 0, 0)), RP_OK);
    ck_assert_int_eq(rp_planner_set_goal(planner, rp_grid_cell(grid, 1, 0)), RP_OK);
}

static void tear_down(void)
{
    rp_planner_destroy(&planner);
    rp_grid_destroy(&grid);
}

static void write_cell(uint32_t x, uint32_t y, uint8_t factor)
{
    const rp_cell_t cell = rp_grid_cell(grid, x, y);
    const rp_change_t change = {cell, rp_grid_set(grid, cell, factor), factor};
    ck_assert_int_eq(rp_planner_apply(planner, &change, 1), RP_OK);
}

static void plan_for(rp_outcome_t outcome)
{
    ck_assert_int_eq(rp_planner_plan(planner, UINT64_MAX, &plan), RP_OK);
    ck_assert_int_eq(plan.outcome, outcome);
}

// ---- tests

START_TEST(what_lets_the_answer_stand_is_told_at_once_and_once)
{
    arrange("....\n....");
    plan_for(RP_OUTCOME_FOUND);
    note.stands_says = true;
    write_cell(3, 1, 0);
    ck_assert_int_eq(note.stands, 1);
    ck_assert_uint_eq(note.changes[0].cell, rp_grid_cell(grid, 3, 1));
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_double_eq(plan.cost, 1.0);
    ck_assert_uint_eq(plan.path.count, 2);
    ck_assert_uint_eq(plan.stats.expanded, 0);
    ck_assert_int_eq(note.updates, 0);
    ck_assert_int_eq(note.searches, 1);
    note.stands_says = false;
    write_cell(2, 1, 0);
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(note.updates, 1);
    ck_assert_uint_eq(note.update.change_count, 1); // the first one is not told again
}
END_TEST

START_TEST(nobody_is_asked_whether_it_stands_while_the_answer_is_old)
{
    arrange("....\n....");
    note.stands_says = true;
    write_cell(3, 1, 0); // no answer yet
    plan_for(RP_OUTCOME_FOUND);
    note.stands_says = false;
    write_cell(3, 1, 1);
    ck_assert_int_eq(note.stands, 1);
    note.stands_says = true;
    write_cell(2, 1, 0); // another change is untold
    ck_assert_int_eq(rp_planner_set_start(planner, rp_grid_cell(grid, 0, 1)), RP_OK);
    write_cell(1, 1, 0);
    write_cell(0, 1, 0);
    ck_assert_int_eq(note.stands, 1);
    plan_for(RP_OUTCOME_START_BLOCKED);
    write_cell(3, 0, 0); // that answer is not the member's
    ck_assert_int_eq(note.stands, 1);
}
END_TEST

/// The member knows those that were free when it was told of them.
START_TEST(of_several_goals_one_may_be_freed_by_what_would_stand)
{
    arrange("....\n...#");
    const rp_goal_t goals[] = {{.cell = rp_grid_cell(grid, 3, 1)},
                               {.cell = rp_grid_cell(grid, 1, 0)}};
    ck_assert_int_eq(rp_planner_set_goals(planner, goals, 2), RP_OK);
    plan_for(RP_OUTCOME_FOUND);
    note.stands_says = true;
    write_cell(3, 1, 1);
    ck_assert_int_eq(note.stands, 0);
}
END_TEST

/// The first factor makes costs of another kind: the path that stood must be summed up anew.
START_TEST(a_rescale_is_not_for_the_member_to_see_through)
{
    arrange("....\n....");
    plan_for(RP_OUTCOME_FOUND);
    note.stands_says = true;
    write_cell(3, 1, 7);
    ck_assert_int_eq(note.stands, 0);
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_uint_eq(plan.stats.restarts, 1);
}
END_TEST

START_TEST(the_first_plan_begins_and_reads_the_grid_itself)
{
    arrange("....\n....");
    write_cell(3, 1, 0);
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(note.begins, 1);
    ck_assert_int_eq(note.updates, 0);
    ck_assert_double_eq(plan.cost, 1.0);
    ck_assert_uint_eq(plan.stats.expanded, 3);
    ck_assert_uint_eq(plan.stats.restarts, 0);
    ck_assert_uint_eq(plan.stats.bytes, 4321);
}
END_TEST

START_TEST(changes_are_merged_to_first_and_last_of_each_cell)
{
    arrange("....\n2...\n....");
    plan_for(RP_OUTCOME_FOUND);
    write_cell(3, 2, 0);
    write_cell(0, 1, 0);
    write_cell(2, 1, 0);
    write_cell(3, 2, 1);
    write_cell(0, 1, 3);
    write_cell(1, 1, 0);
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(note.updates, 1);
    ck_assert_uint_eq(note.update.change_count, 3); // (3, 2) is as it was
    uint32_t seen = 0;
    for (size_t i = 0; i < 3; i++) {
        const rp_change_t *change = &note.changes[i];
        const uint32_t x = rp_grid_x(grid, change->cell);
        ck_assert_uint_eq(rp_grid_y(grid, change->cell), 1);
        ck_assert_uint_eq(change->before, x == 0 ? 2 : 1);
        ck_assert_uint_eq(change->after, x == 0 ? 3 : 0);
        seen |= 1u << x;
    }
    ck_assert_uint_eq(seen, 7);
}
END_TEST

START_TEST(what_was_told_is_not_told_again)
{
    arrange("....\n....");
    plan_for(RP_OUTCOME_FOUND);
    write_cell(3, 1, 0);
    plan_for(RP_OUTCOME_FOUND);
    write_cell(2, 1, 0);
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(note.updates, 2);
    ck_assert_uint_eq(note.update.change_count, 1);
    ck_assert_uint_eq(rp_grid_x(grid, note.changes[0].cell), 2);
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(note.updates, 2);
}
END_TEST

START_TEST(nothing_in_the_end_is_not_told_at_all)
{
    arrange("....\n....");
    plan_for(RP_OUTCOME_FOUND);
    const int searches = note.searches;
    write_cell(3, 1, 0);
    write_cell(3, 1, 1);
    ck_assert_int_eq(rp_planner_set_start(planner, rp_grid_cell(grid, 3, 0)), RP_OK);
    ck_assert_int_eq(rp_planner_set_start(planner, rp_grid_cell(grid, 0, 0)), RP_OK);
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(note.updates, 0);
    ck_assert_int_eq(note.begins, 1);
    ck_assert_int_eq(note.searches, searches);
    ck_assert_uint_eq(plan.stats.expanded, 0);
}
END_TEST

/// A large world, planned in; then most of its lower half becomes blocked, told to nobody yet.
/// @return the number of changes
static size_t block_much(rp_change_t *changes)
{
    const rp_grid_shape_t shape = {
        .width = 64, .height = 64, .neighbors = 8, .unit = 1, .least = 1};
    rp_grid_t *large = NULL;
    arrange("..");
    ck_assert_int_eq(rp_grid_new(&shape, &large), RP_OK);
    ck_assert_int_eq(rp_planner_bind(planner, large), RP_OK);
    rp_grid_destroy(&grid);
    grid = large;
    ck_assert_int_eq(rp_planner_set_start(planner, rp_grid_cell(grid, 0, 0)), RP_OK);
    ck_assert_int_eq(rp_planner_set_goal(planner, rp_grid_cell(grid, 1, 0)), RP_OK);
    plan_for(RP_OUTCOME_FOUND);
    size_t count = 0;
    for (uint32_t y = 40; y < 60; y++) {
        for (uint32_t x = 0; x < 64; x++) {
            changes[count++] = (rp_change_t){.cell = rp_grid_cell(grid, x, y), .after = 0};
        }
    }
    rp_grid_write(grid, changes, count);
    return count;
}

START_TEST(a_large_batch_is_told_at_once_when_it_is_all)
{
    static rp_change_t changes[CHANGES_MAX];
    const size_t count = block_much(changes);
    ck_assert_int_eq(rp_planner_apply(planner, changes, count), RP_OK);
    ck_assert_int_eq(note.updates, rp_simd_best() != RP_SIMD_NONE);
    write_cell(0, 63, 0); // while the member is not at rest
    const int updates = note.updates;
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(note.updates, updates + 1);
    ck_assert_int_eq(note.searches, 2);
    ck_assert_uint_eq(note.update.change_count, updates != 0 ? 1 : count + 1u);
}
END_TEST

START_TEST(a_large_batch_waits_while_the_grid_holds_what_was_not_told)
{
    static rp_change_t changes[CHANGES_MAX];
    size_t count = block_much(changes);
    const rp_cell_t other = rp_grid_cell(grid, 0, 63);
    const rp_change_t late = {other, rp_grid_set(grid, other, 0), 0};
    ck_assert_int_eq(rp_planner_apply(planner, changes, count), RP_OK);
    ck_assert_int_eq(note.updates, 0);
    ck_assert_int_eq(rp_planner_apply(planner, &late, 1), RP_OK);
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(note.updates, 1);
    ck_assert_uint_eq(note.update.change_count, count + 1u);
}
END_TEST

START_TEST(a_large_batch_waits_while_an_end_is_blocked)
{
    static rp_change_t changes[CHANGES_MAX];
    size_t count = block_much(changes);
    changes[count] = (rp_change_t){.cell = rp_grid_cell(grid, 0, 0), .after = 0};
    rp_grid_write(grid, &changes[count++], 1);
    ck_assert_int_eq(rp_planner_apply(planner, changes, count), RP_OK);
    plan_for(RP_OUTCOME_START_BLOCKED);
    ck_assert_int_eq(note.updates, 0);
}
END_TEST

START_TEST(many_untold_changes_are_merged_while_they_wait)
{
    arrange("....\n....\n....");
    plan_for(RP_OUTCOME_FOUND);
    for (int round = 0; round < 2001; round++) {
        for (uint32_t x = 0; x < 4; x++) {
            write_cell(x, 2, round % 2 == 0 ? 0 : 1);
        }
    }
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_uint_eq(note.update.change_count, 4);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(note.changes[i].before, 1);
        ck_assert_uint_eq(note.changes[i].after, 0);
    }
}
END_TEST

START_TEST(an_event_without_its_bit_starts_over_and_is_counted)
{
    arrange("....\n....");
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(rp_planner_set_start(planner, rp_grid_cell(grid, 2, 0)), RP_OK);
    plan_for(RP_OUTCOME_NO_PATH);      // the probe cannot go back
    ck_assert_int_eq(note.updates, 0); // no RP_NATIVE_START
    ck_assert_int_eq(note.begins, 2);
    ck_assert_uint_eq(plan.stats.restarts, 1);
    ck_assert_uint_eq(note.start, rp_grid_cell(grid, 2, 0));
    ck_assert(isinf(plan.cost));
}
END_TEST

START_TEST(a_member_may_decline_an_update_and_begin_again)
{
    arrange("....\n....");
    plan_for(RP_OUTCOME_FOUND);
    note.update_says = false;
    write_cell(3, 1, 0);
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(note.updates, 1);
    ck_assert_int_eq(note.begins, 2);
    ck_assert_uint_eq(plan.stats.restarts, 1);
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_uint_eq(plan.stats.restarts, 0);
}
END_TEST

START_TEST(only_free_goals_are_told)
{
    arrange("....\n....");
    const rp_goal_t goals[] = {{rp_grid_cell(grid, 3, 0), 7}, {rp_grid_cell(grid, 1, 0), 2}};
    ck_assert_int_eq(rp_planner_set_goals(planner, goals, 2), RP_OK);
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_double_eq(plan.cost, 3.0); // the offset included
    ck_assert_uint_eq(note.goal_count, 2);
    write_cell(3, 0, 0);
    plan_for(RP_OUTCOME_FOUND);
    ck_assert(note.update.goals_changed);
    ck_assert_uint_eq(note.goal_count, 1);
    ck_assert_uint_eq(note.goals[0].cell, goals[1].cell);
    write_cell(3, 1, 0);
    plan_for(RP_OUTCOME_FOUND);
    ck_assert(!note.update.goals_changed);
    write_cell(3, 0, 1);
    plan_for(RP_OUTCOME_FOUND);
    ck_assert(note.update.goals_changed);
    ck_assert_uint_eq(note.goal_count, 2);
}
END_TEST

START_TEST(blocked_ends_are_answered_without_the_member)
{
    arrange("....\n....");
    plan_for(RP_OUTCOME_FOUND);
    write_cell(1, 0, 0);
    plan_for(RP_OUTCOME_GOAL_BLOCKED);
    write_cell(0, 0, 0);
    plan_for(RP_OUTCOME_START_BLOCKED);
    ck_assert_int_eq(note.updates, 0);
    ck_assert_uint_eq(plan.path.count, 0);
    write_cell(0, 0, 1);
    write_cell(3, 1, 0);
    write_cell(1, 0, 1);
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(note.updates, 1);
    ck_assert_uint_eq(note.update.change_count, 1);
}
END_TEST

START_TEST(slices_add_up_in_one_plan)
{
    arrange("....\n....");
    note.expansions_left = 10;
    ck_assert_int_eq(rp_planner_plan(planner, 4, &plan), RP_MORE);
    ck_assert_int_eq(rp_planner_plan(planner, 4, &plan), RP_MORE);
    ck_assert_int_eq(rp_planner_plan(planner, 4, &plan), RP_OK);
    ck_assert_uint_eq(plan.stats.expanded, 10);
    ck_assert_int_eq(note.begins, 1);
    write_cell(3, 1, 0);
    ck_assert_int_eq(rp_planner_plan(planner, 4, &plan), RP_MORE);
    note.update_says = false;
    write_cell(2, 1, 0);
    ck_assert_int_eq(rp_planner_plan(planner, 100, &plan), RP_OK);
    ck_assert_uint_eq(plan.stats.expanded, 14);
    ck_assert_uint_eq(plan.stats.restarts, 1);
}
END_TEST

START_TEST(the_form_follows_the_greatest_cost)
{
    arrange("....\n....");
    ck_assert(!note.with_64_bits);
    plan_for(RP_OUTCOME_FOUND);
    write_cell(3, 1, 2);
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(note.binds, 2); // rescaled: bound once more, and counted
    ck_assert_uint_eq(plan.stats.restarts, 1);
    ck_assert(!note.with_64_bits);
    const rp_goal_t far_off = {rp_grid_cell(grid, 1, 0), UINT32_MAX};
    ck_assert_int_eq(rp_planner_set_goals(planner, &far_off, 1), RP_OK);
    plan_for(RP_OUTCOME_FOUND);
    ck_assert(note.with_64_bits);
    ck_assert(note.state_was_zeroed);
    ck_assert_double_eq(plan.cost, 1.0 + UINT32_MAX);
    const rp_grid_shape_t large = {
        .width = 2000, .height = 1000, .neighbors = 8, .unit = 1, .least = 1};
    rp_grid_t *other;
    ck_assert_int_eq(rp_grid_new(&large, &other), RP_OK);
    ck_assert_int_eq(rp_planner_bind(planner, other), RP_OK);
    ck_assert(note.with_64_bits);
    ck_assert_int_eq(rp_planner_bind(planner, grid), RP_OK);
    ck_assert(!note.with_64_bits);
    rp_grid_destroy(&other);
}
END_TEST

START_TEST(a_failed_bind_leaves_the_planner_bound_to_nothing)
{
    arrange("....\n....");
    plan_for(RP_OUTCOME_FOUND);
    note.bind_says = RP_E_MEMORY;
    ck_assert_int_eq(rp_planner_bind(planner, grid), RP_E_MEMORY);
    ck_assert_int_eq(note.unbinds, 1);
    ck_assert_int_eq(rp_planner_plan(planner, 1, &plan), RP_E_INVALID);
    note.bind_says = RP_OK;
    ck_assert_int_eq(rp_planner_bind(planner, grid), RP_OK);
    ck_assert(note.state_was_zeroed);
    ck_assert_int_eq(rp_planner_set_start(planner, rp_grid_cell(grid, 0, 0)), RP_OK);
    ck_assert_int_eq(rp_planner_set_goal(planner, rp_grid_cell(grid, 1, 0)), RP_OK);
    plan_for(RP_OUTCOME_FOUND);
}
END_TEST

START_TEST(a_rescale_without_memory_is_said_and_nothing_leaks)
{
    arrange("....\n....");
    plan_for(RP_OUTCOME_FOUND);
    write_cell(3, 1, 2);
    note.bind_says = RP_E_MEMORY;
    ck_assert_int_eq(rp_planner_plan(planner, UINT64_MAX, &plan), RP_E_MEMORY);
    ck_assert_int_eq(rp_planner_plan(planner, UINT64_MAX, &plan), RP_E_INVALID);
}
END_TEST

START_TEST(check_asks_the_member_once_it_has_begun)
{
    arrange("....\n....");
    note.check_says = false;
    ck_assert(rp_planner_check(planner));
    plan_for(RP_OUTCOME_FOUND);
    ck_assert(!rp_planner_check(planner));
    note.check_says = true;
    ck_assert(rp_planner_check(planner));
}
END_TEST

START_TEST(the_family_is_known_by_its_ids)
{
    arrange("..");
    ck_assert_str_eq(rp_planner_info(0)->id, "probe");
    ck_assert_ptr_null(rp_planner_info(1));
    ck_assert_ptr_eq(rp_planner_find("probe"), rp_planner_info(0));
    ck_assert_ptr_null(rp_planner_find("prob"));
    ck_assert_ptr_eq(rp_planner_about(planner), rp_planner_info(0));
    rp_planner_t *other = NULL;
    ck_assert_int_eq(rp_planner_new("nobody", NULL, &other), RP_E_UNKNOWN);
    const rp_planner_options_t buckets = {.open = RP_OPEN_BUCKETS};
    ck_assert_int_eq(rp_planner_new("probe", &buckets, &other), RP_E_UNSUPPORTED);
    const rp_planner_options_t variant = {.variant = 1};
    ck_assert_int_eq(rp_planner_new("probe", &variant, &other), RP_E_UNSUPPORTED);
    ck_assert_ptr_null(other);
}
END_TEST

/// With a check of each so manieth plan.
static void arrange_checked(uint32_t check_every, const char *world)
{
    arrange(world);
    rp_planner_destroy(&planner);
    const rp_planner_options_t options = {.check_every = check_every};
    ck_assert_int_eq(rp_planner_new("probe", &options, &planner), RP_OK);
    ck_assert_int_eq(rp_planner_bind(planner, grid), RP_OK);
    ck_assert_int_eq(rp_planner_set_start(planner, rp_grid_cell(grid, 0, 0)), RP_OK);
    ck_assert_int_eq(rp_planner_set_goal(planner, rp_grid_cell(grid, 1, 0)), RP_OK);
}

START_TEST(a_path_that_is_the_best_passes_the_check)
{
    arrange_checked(1, "....\n....");
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_uint_eq(plan.stats.checked, 1);
    ck_assert_uint_eq(plan.stats.differed, 0);
    ck_assert_int_eq(note.begins, 1);
}
END_TEST

START_TEST(a_wrong_answer_is_counted_and_searched_anew)
{
    arrange_checked(1, "....\n....");
    // The probe says "no path" when its goal is not beside it: a lie.
    ck_assert_int_eq(rp_planner_set_goal(planner, rp_grid_cell(grid, 3, 1)), RP_OK);
    plan_for(RP_OUTCOME_NO_PATH);
    ck_assert_uint_eq(plan.stats.checked, 1);
    ck_assert_uint_eq(plan.stats.differed, 1);
    ck_assert_int_eq(note.begins, 2);
    ck_assert_int_eq(note.searches, 2);
    ck_assert_uint_eq(plan.stats.restarts, 1);
}
END_TEST

START_TEST(a_plan_in_so_many_is_checked)
{
    arrange_checked(3, "....\n....");
    unsigned checked = 0;
    for (uint32_t i = 0; i < 30; i++) {
        write_cell(3, 1, i % 2u != 0);
        plan_for(RP_OUTCOME_FOUND);
        checked += plan.stats.checked;
        ck_assert_uint_eq(plan.stats.checked, i % 3u == 2u);
    }
    ck_assert_uint_eq(checked, 10);
}
END_TEST

START_TEST(a_planner_that_is_checked_takes_nothing_on_the_spot)
{
    arrange_checked(1, "....\n....");
    plan_for(RP_OUTCOME_FOUND);
    note.stands_says = true;
    write_cell(3, 1, 0);
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_int_eq(note.stands, 0);
    ck_assert_uint_eq(plan.stats.checked, 1);
}
END_TEST

START_TEST(a_check_keeps_to_the_budget)
{
    arrange_checked(1, "........\n........\n........");
    ck_assert_int_eq(rp_planner_set_goal(planner, rp_grid_cell(grid, 7, 2)), RP_OK);
    note.expansions_left = 0;
    int calls = 0;
    for (rp_status_t status = RP_MORE; status == RP_MORE; calls++) {
        status = rp_planner_plan(planner, 2, &plan);
        ck_assert_int_le(calls, 40);
    }
    ck_assert_int_gt(calls, 5);
    ck_assert_uint_eq(plan.stats.checked, 1);
    ck_assert_uint_eq(plan.stats.differed, 1);
    // A change in the middle of a check: the path is another, and so is what it is held against.
    ck_assert_int_eq(rp_planner_set_goal(planner, rp_grid_cell(grid, 7, 1)), RP_OK);
    ck_assert_int_eq(rp_planner_plan(planner, 2, &plan), RP_MORE);
    ck_assert_int_eq(rp_planner_set_goal(planner, rp_grid_cell(grid, 1, 0)), RP_OK);
    plan_for(RP_OUTCOME_FOUND);
    ck_assert_uint_eq(plan.stats.checked, 1);
    ck_assert_uint_eq(plan.stats.differed, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_path_that_is_the_best_passes_the_check,
        a_wrong_answer_is_counted_and_searched_anew,
        a_plan_in_so_many_is_checked,
        a_planner_that_is_checked_takes_nothing_on_the_spot,
        a_check_keeps_to_the_budget,
        the_first_plan_begins_and_reads_the_grid_itself,
        what_lets_the_answer_stand_is_told_at_once_and_once,
        nobody_is_asked_whether_it_stands_while_the_answer_is_old,
        of_several_goals_one_may_be_freed_by_what_would_stand,
        a_rescale_is_not_for_the_member_to_see_through,
        changes_are_merged_to_first_and_last_of_each_cell,
        what_was_told_is_not_told_again,
        nothing_in_the_end_is_not_told_at_all,
        many_untold_changes_are_merged_while_they_wait,
        a_large_batch_is_told_at_once_when_it_is_all,
        a_large_batch_waits_while_the_grid_holds_what_was_not_told,
        a_large_batch_waits_while_an_end_is_blocked,
        an_event_without_its_bit_starts_over_and_is_counted,
        a_member_may_decline_an_update_and_begin_again,
        only_free_goals_are_told,
        blocked_ends_are_answered_without_the_member,
        slices_add_up_in_one_plan,
        the_form_follows_the_greatest_cost,
        a_failed_bind_leaves_the_planner_bound_to_nothing,
        a_rescale_without_memory_is_said_and_nothing_leaks,
        check_asks_the_member_once_it_has_begun,
        the_family_is_known_by_its_ids,
    };
    return rp_suite_run("planner", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
