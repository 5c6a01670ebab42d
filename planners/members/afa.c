/// AFA*, anchored-field A*: a field rooted at the start, and a search from the goal that ends where
/// nothing changed.
///
/// Ours; that the costs to one end are the heuristic of a search from the other is from Generalized
/// Adaptive A* (repair/adaptive.h). Guarantee: optimal. Cost of a change: a look at the
/// cell and its neighbours; then a search from the goal, down to the lowest level that changed.
/// Bytes a cell: 20. Choose it when changes, many at a time, lie around the goal, or when the goal
/// moves.
///
/// d is the cost to the start in an optimistic world, where each cell has the least factor that it
/// has had since the field was built (low water). An obstacle that appears and goes again costs the
/// field nothing: when it appears d is still a lower bound, and when it goes d is exact as before.
/// Only what becomes cheaper than ever is spread (field/field.h).
///
/// A cell whose factor is greater than its least is raised, and has a level
/// (field/change_levels.h). Below the lowest level of all raised cells d is exact, and a
/// walk down d is a shortest path. So the search ends there. A blocked cell also closes the
/// diagonals that pass beside it: its level is the least d of its own and its four straight
/// neighbours.
///
/// Obstacles that stay for good do not raise d, so searches grow longer. Once they have cost many
/// times what the field did, it is built anew, which is counted as a restart.
#include "planners/core/planner_ops.h"

#include <string.h>

#include "planners/field/change_levels.h"
#include "planners/field/field_core_check.h"
#include "planners/field/field_gain.h"
#include "planners/field/rebuild_policy.h"
#include "planners/field/warm_cache.h"

// ---- state

/// What is known of a raised cell: | build, 12 bits | level, 12 | least factor, 8 |
#define RAISED_LEVEL 256u
#define RAISED_BUILD (RAISED_LEVEL * RP_CHANGE_LEVELS)

/// The field is built anew when searches have cost so many times what it did.
#define PATIENCE 8u

typedef struct afa {
    rp_field_core_t core;             ///< first; rooted at the start; its apex is the goal
    rp_change_levels_t change_levels; ///< of raised cells
    uint32_t *raised;                 ///< by cell; of this build when it is raised [cells]
    uint32_t build;                   ///< number of this build, in place for `raised`
    bool is_sure; ///< nothing that happened since the cached path was laid made anything cheaper
    rp_warm_cache_t warm_cache;         ///< what idle time has touched
    rp_rebuild_policy_t rebuild_policy; ///< of the field
} afa_t;

static bool is_raised(const afa_t *self, rp_cell_t cell)
{
    return self->raised[cell] / RAISED_BUILD == self->build / RAISED_BUILD &&
           self->raised[cell] % RAISED_LEVEL != 0;
}

static uint32_t level_of_raised(const afa_t *self, rp_cell_t cell)
{
    return self->raised[cell] / RAISED_LEVEL % RP_CHANGE_LEVELS;
}

/// True when d of this cell is exact, and walking down it leads to the start.
static bool is_below_changes(const afa_t *self, rp_cell_t cell)
{
    return rp_change_levels_are_above(&self->change_levels, rp_field_at(&self->core.field, cell));
}

// ---- invariants

/// Raised cells are counted, the lowest level is low enough, and below it all cells lean on others.
static bool afa_check(const void *state)
{
    const afa_t *self = state;
    const rp_field_t *field = &self->core.field;
    uint32_t raised_count = 0;
    for (rp_cell_t cell = 0; cell < field->grid->cell_count; cell++) {
        if (is_raised(self, cell)) {
            raised_count++;
            if (level_of_raised(self, cell) < self->change_levels.lowest) {
                return false;
            }
        }
        unsigned heading = RP_FIELD_CORE_NO_HEADING;
        if (field->grid->factor[cell] != 0 && cell != field->root &&
            rp_field_at(field, cell) != RP_COST_INF && is_below_changes(self, cell) &&
            rp_field_core_step_down(&self->core, cell, &heading) == RP_NO_CELL) {
            return false;
        }
    }
    return raised_count == self->change_levels.count && rp_field_core_check(&self->core);
}

// ---- search

static void afa_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    afa_t *self = state;
    (void)goal_count; // one: the capabilities do not offer more
    rp_field_core_begin(&self->core, start, goals[0].cell, 0);
    self->build += RAISED_BUILD;
    if (self->build == 0) {
        memset(self->raised, 0, (size_t)self->core.field.grid->cell_count * sizeof *self->raised);
        self->build = RAISED_BUILD;
    }
    rp_change_levels_begin(&self->change_levels, &self->core.field);
    self->is_sure = false;
    rp_rebuild_policy_begin(&self->rebuild_policy);
}

static void begin_search(afa_t *self)
{
    rp_change_levels_settle(&self->change_levels);
    rp_field_core_open(&self->core);
    rp_field_search_put_root(&self->core.field_search, self->core.field.apex, 0);
}

/// From this cell on d is exact: with it the search has the cost of the path.
static void finish(afa_t *self, rp_cell_t stop)
{
    rp_field_core_t *core = &self->core;
    const rp_cost_t cost = core->field_search.nodes[stop].g + rp_field_at(&core->field, stop);
    self->is_sure = true;
    if (rp_field_core_has_path(core) && rp_path_cache_apex(&core->path_cache).cost == cost) {
        rp_field_core_answer(core, RP_FIELD_CORE_KEPT);
        return;
    }
    rp_field_core_lay(core, stop, false, cost);
    rp_field_core_answer(core, RP_FIELD_CORE_NEW);
}

/// @return false when the budget was spent first
static bool search(afa_t *self, uint64_t *budget, rp_search_stats_t *stats)
{
    rp_field_core_t *core = &self->core;
    while (core->phase == RP_FIELD_CORE_SEARCH) {
        if (*budget == 0) {
            return false;
        }
        const rp_cell_t cell = rp_field_core_close(core, budget, stats);
        if (cell == RP_NO_CELL) {
            continue;
        }
        self->rebuild_policy.searched++;
        if (is_below_changes(self, cell) || rp_field_core_joins(core, cell)) {
            finish(self, cell);
            break;
        }
        rp_field_core_expand(core, cell, budget, stats);
    }
    return true;
}

static rp_status_t afa_search(void *state, uint64_t *budget, rp_search_stats_t *stats)
{
    afa_t *self = state;
    rp_field_core_t *core = &self->core;
    while (core->phase != RP_FIELD_CORE_DONE) {
        if (!rp_rebuild_policy_prepare(&self->rebuild_policy, core, budget, stats)) {
            return RP_MORE;
        }
        if (core->phase == RP_FIELD_CORE_READY) {
            if (self->is_sure && rp_field_core_has_path(core)) {
                rp_field_core_answer(core, RP_FIELD_CORE_KEPT);
                break;
            }
            begin_search(self);
        }
        if (!search(self, budget, stats)) {
            return RP_MORE;
        }
    }
    return RP_OK;
}

// ---- changes

/// Keep low water: a cell is raised while its factor is not the least that it has had.
static void take_in(afa_t *self, const rp_change_t *change)
{
    const rp_cell_t cell = change->cell;
    uint32_t level = RP_CHANGE_LEVELS;
    uint32_t low = change->before;
    if (is_raised(self, cell)) {
        level = level_of_raised(self, cell);
        low = self->raised[cell] % RAISED_LEVEL;
        rp_change_levels_drop(&self->change_levels, level);
        self->raised[cell] = 0;
    }
    if (low == 0 || (change->after != 0 && change->after <= low)) {
        return;
    }
    const uint32_t level_now =
        rp_change_levels_at(&self->change_levels, &self->core.field, cell, change->after == 0);
    level = level_now < level ? level_now : level;
    self->raised[cell] = self->build | level * RAISED_LEVEL | low;
    rp_change_levels_add(&self->change_levels, level);
}

static bool afa_update(void *state, const rp_update_t *update)
{
    afa_t *self = state;
    rp_field_core_t *core = &self->core;
    if (self->change_levels.count != 0 &&
        rp_rebuild_policy_is_out(&self->rebuild_policy, PATIENCE)) {
        return false;
    }
    const bool was_settled = core->phase == RP_FIELD_CORE_DONE;
    self->is_sure = self->is_sure && was_settled && core->answer != RP_FIELD_CORE_NO_PATH;
    if (!rp_field_core_aim(core, update->goals[0].cell)) {
        return false;
    }
    for (size_t i = 0; i < update->change_count; i++) {
        if (i + RP_FIELD_AHEAD < update->change_count) {
            __builtin_prefetch(&self->raised[update->changes[i + RP_FIELD_AHEAD].cell]);
        }
        rp_field_prefetch_ahead(&core->field, update->changes, i, update->change_count);
        take_in(self, &update->changes[i]);
    }
    rp_field_core_apply(core, update->changes, update->change_count);
    const rp_path_cache_step_t apex = rp_path_cache_apex(&core->path_cache);
    self->is_sure = self->is_sure && apex.cell == core->field.apex &&
                    rp_field_gain_is_none(&core->field, core->grid, update->changes,
                                          update->change_count, apex.cost);
    return true;
}

// ---- idle time

static rp_status_t afa_idle(void *state, uint64_t *budget)
{
    afa_t *self = state;
    return rp_warm_cache_go_on(&self->warm_cache, &self->core, self->raised, sizeof *self->raised,
                               budget);
}

// ---- birth and death

static void afa_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                     rp_arena_t *arena)
{
    afa_t *self = state;
    (void)options; // none concerns this planner
    rp_field_core_init(&self->core, grid, grid, 0, arena);
    self->raised = rp_arena_new(arena, grid->cell_count, sizeof *self->raised);
    rp_change_levels_init(&self->change_levels, arena);
}

static uint64_t afa_bytes(const void *state)
{
    const afa_t *self = state;
    return rp_field_core_bytes(&self->core) + rp_change_levels_bytes() +
           (uint64_t)self->core.field.grid->cell_count * sizeof *self->raised;
}

const rp_planner_ops_t RP_MEMBER(afa) = {
    .info =
        {
            .id = "afa",
            .paper = "ours: field anchored at the start, search from the goal",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_GOAL | RP_NATIVE_NO_PATH |
                            RP_CAN_EVERY_GRID | RP_CAN_IDLE,
            .bytes_per_cell = RP_FIELD_CORE_BYTES + sizeof(uint32_t),
        },
    .state_bytes = sizeof(afa_t),
    .bind = afa_bind,
    .begin = afa_begin,
    .update = afa_update,
    .search = afa_search,
    .idle = afa_idle,
    .path = rp_field_core_path_from_root,
    .bytes = afa_bytes,
    .check = afa_check,
};
