/// The slots of the member that notes, and its registry.
#include "tests/planners/scribe.h"

#include <string.h>

#include "planners/papers/papers.h"
#include "tests/support/drawing.h"
#include "tests/support/suite.h"

rp_scribe_t rp_scribe;

typedef struct scribe {
    const rp_grid_t *grid;
    uint64_t left;
} scribe_t;

static void note_ends(rp_cell_t start, const rp_goal_t *goals, size_t count)
{
    rp_scribe.start = start;
    rp_scribe.goal_count = count;
    memcpy(rp_scribe.goals, goals, count * sizeof *goals);
}

static void scribe_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                        rp_arena_t *arena)
{
    scribe_t *self = state;
    (void)options;
    rp_scribe.binds++;
    rp_scribe.state_was_zeroed = self->grid == NULL && self->left == 0;
    arena->is_short = rp_scribe.is_short;
    arena->beside = 4321;
    self->grid = rp_scribe.is_short ? NULL : grid;
}

static void scribe_bind_64(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                           rp_arena_t *arena)
{
    rp_scribe.with_64_bits = true;
    scribe_bind(state, grid, options, arena);
}

static void scribe_unbind(void *state, rp_deferred_free_t *deferred_free)
{
    scribe_t *self = state;
    (void)deferred_free;
    rp_scribe.unbinds += self->grid != NULL;
    rp_scribe.with_64_bits = false;
}

static void scribe_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    scribe_t *self = state;
    rp_scribe.begins++;
    note_ends(start, goals, goal_count);
    self->left = rp_scribe.expansions_left;
}

static bool scribe_update(void *state, const rp_update_t *update)
{
    scribe_t *self = state;
    rp_scribe.updates++;
    rp_scribe.update = *update;
    ck_assert_uint_le(update->change_count, RP_SCRIBE_CHANGES);
    if (update->change_count != 0) {
        memcpy(rp_scribe.changes, update->changes,
               update->change_count * sizeof *rp_scribe.changes);
    }
    note_ends(update->start, update->goals, update->goal_count);
    self->left = rp_scribe.expansions_left;
    return rp_scribe.update_says;
}

static bool scribe_stands(void *state, const rp_change_t *changes, size_t count,
                          const rp_batch_summary_t *summary)
{
    (void)state;
    rp_scribe.summary = *summary;
    rp_scribe.stands++;
    ck_assert_uint_le(count, RP_SCRIBE_CHANGES);
    memcpy(rp_scribe.changes, changes, count * sizeof *rp_scribe.changes);
    return rp_scribe.stands_says;
}

static rp_status_t scribe_search(void *state, uint64_t *budget, rp_search_stats_t *stats)
{
    scribe_t *self = state;
    rp_scribe.searches++;
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
static uint32_t scribe_path(const void *state, rp_cell_t *cells, rp_path_stands_t *stands)
{
    (void)state;
    (void)stands; // all of it is written
    cells[0] = rp_scribe.start;
    cells[1] = rp_scribe.goals[rp_scribe.goal_count - 1u].cell;
    return cells[1] == cells[0] + 1u ? 2 : 0;
}

static void scribe_show(void *state, const rp_path_t *shown)
{
    (void)state;
    rp_scribe.shows++;
    rp_scribe.shown = *shown;
}

static bool scribe_check(const void *state)
{
    (void)state;
    return rp_scribe.check_says;
}

#define SCRIBE(capabilities_, bind_)                                                               \
    {                                                                                              \
        .info = {.id = "scribe",                                                                   \
                 .paper = "-",                                                                     \
                 .guarantee = "none",                                                              \
                 .capabilities = (capabilities_)},                                                 \
        .state_bytes = sizeof(scribe_t), .bind = (bind_), .unbind = scribe_unbind,                 \
        .begin = scribe_begin, .update = scribe_update, .stands = scribe_stands,                   \
        .search = scribe_search, .path = scribe_path, .show = scribe_show, .check = scribe_check,  \
    }
#define SCRIBE_CAN                                                                                 \
    (RP_NATIVE_CHANGES | RP_NATIVE_GOAL | RP_CAN_GOAL_SET | RP_CAN_8 | RP_CAN_WEIGHTED)

static const rp_planner_ops_t scribe_32 = SCRIBE(SCRIBE_CAN, scribe_bind);
static const rp_planner_ops_t scribe_64 = SCRIBE(SCRIBE_CAN, scribe_bind_64);

const rp_planner_member_t *rp_registry_member(size_t index)
{
    static const rp_planner_member_t member = {&scribe_32, &scribe_64};
    return index == 0 ? &member : NULL;
}

// ---- arrangement

void rp_scribe_set_start(uint32_t x, uint32_t y)
{
    const rp_cell_t cell = rp_grid_cell(rp_scribe.grid, x, y);
    ck_assert_int_eq(rp_planner_set_start(rp_scribe.planner, cell), RP_OK);
}

void rp_scribe_set_goal(uint32_t x, uint32_t y)
{
    const rp_cell_t cell = rp_grid_cell(rp_scribe.grid, x, y);
    ck_assert_int_eq(rp_planner_set_goal(rp_scribe.planner, cell), RP_OK);
}

void rp_scribe_arrange(uint32_t check_every, const char *world)
{
    const rp_member_options_t options = {.check_every = check_every};
    rp_scribe = (rp_scribe_t){.update_says = true, .check_says = true, .expansions_left = 3};
    rp_scribe.grid = rp_drawing_grid(world, 8, false);
    ck_assert_ptr_nonnull(rp_scribe.grid);
    ck_assert_int_eq(rp_papers_new("scribe", &options, &rp_scribe.planner), RP_OK);
    ck_assert_int_eq(rp_planner_bind(rp_scribe.planner, rp_scribe.grid), RP_OK);
    rp_scribe_set_start(0, 0);
    rp_scribe_set_goal(1, 0);
}

void rp_scribe_tear_down(void)
{
    rp_planner_destroy(&rp_scribe.planner);
    rp_grid_destroy(&rp_scribe.grid);
}

void rp_scribe_write(uint32_t x, uint32_t y, uint8_t factor)
{
    const rp_cell_t cell = rp_grid_cell(rp_scribe.grid, x, y);
    const rp_change_t change = {cell, rp_grid_set(rp_scribe.grid, cell, factor), factor};
    ck_assert_int_eq(rp_planner_apply(rp_scribe.planner, &change, 1), RP_OK);
}

void rp_scribe_plan_for(rp_outcome_t outcome)
{
    ck_assert_int_eq(rp_planner_plan(rp_scribe.planner, UINT64_MAX, &rp_scribe.plan), RP_OK);
    ck_assert_int_eq(rp_scribe.plan.outcome, outcome);
}
