/// LWF: a low-water field rooted at the goal, and a search from the start that ends where nothing
/// changed. And `afa` (AFA*, anchored-field A*), which is LWF turned round: rooted at the start,
/// with a search from the goal.
///
/// Ours; that the costs to one end are the heuristic of a search from the other is from Generalized
/// Adaptive A* (repair/adaptive.h). Guarantee: optimal. Cost of a change: a few reads, unless the
/// cell becomes cheaper than ever: then the cells that this makes cheaper. Then a search from the
/// apex, which is the end that may move, down to the lowest level that changed. The first search
/// copies the grid. Bytes a cell: 20. Choose `lwf` for a robot that drives over inflated ground to
/// a goal that stays while things near it come, go and move; `afa` when changes, many at a time,
/// lie around the goal, or when the goal moves.
///
/// d is the cost to the root on a grid of its own, the low-water grid, where each cell has the
/// least factor that it has had since the field was built (low water). An obstacle that appears
/// costs the field nothing, as d is still a lower bound; when it goes the low-water grid is as the
/// field knows it. Only what becomes cheaper than ever is written to the low-water grid and spread
/// (field/field.h).
///
/// A cell whose factor is greater than on the low-water grid is raised, and has a level
/// (field/change_levels.h). Below the lowest level of all raised cells d is exact, and a
/// walk down d is a shortest path: the search ends there. It also ends on the old path, where that
/// still leads on and costs d. Where the old path leads on but costs more, it is an upper bound,
/// and nothing dearer goes into OPEN. If the old path is still legal, its cost is computed before
/// the search, as an upper bound from the beginning.
///
/// When d of a cell falls, its level falls if it is raised, and so does that of a blocked cell
/// beside it. The field tells of each such cell (rp_field_hear_t).
///
/// OPEN is coarse (open/buckets.h): on weighted ground f has nearly as many values as
/// there are cells, and a bucket for each would only be more memory to go through.
///
/// Obstacles that stay for good leave d lower than need be, so searches grow longer. Once they have
/// cost more than the field did, it is built anew, which is counted as a restart.
#include "planners/core/planner_ops.h"

#include <assert.h>

#include "planners/field/change_levels.h"
#include "planners/field/field_core.h"
#include "planners/field/field_core_check.h"
#include "planners/grid/batch_summary.h"
#include "planners/members/lwf_expand.h"

// ---- state

/// The field reaches this part of the bound between the ends beyond the path: growing is what makes
/// a tick long, and a path that has to go round one thing will have to go round others.
#define ROOM 16u

/// In idle time it grows to so many times that. Farther out, ways round that are longer still would
/// cost no growth either, but what becomes cheaper would spread farther in each tick.
#define AHEAD 2u

/// Where f takes so many values that OPEN is coarse, it may be coarser than that by so many bits:
/// a few cells are closed again, but most of OPEN's lists hold several.
#define COARSER 4u

/// The field is built anew when searches have cost so many times what it did. One that took fewer
/// expansions than CHEAP is cheap to build, but never worth a restart.
#define PATIENCE 2u
#define CHEAP    4096u

/// Cells of the low-water grid that are laid at a time, and those laid in the time of an expansion.
/// Memory that is met for the first time is the dear part of it.
#define LAID_AT_ONCE (1u << 15)
#define LAID_EACH    64u
#define MET_EACH     8u

typedef struct lwf {
    rp_field_core_t core;             ///< first; rooted at one end; its apex is the other
    bool is_turned;                   ///< `afa`: the root is the start; else it is the goal
    rp_change_levels_t change_levels; ///< of raised cells
    uint16_t *level;                  ///< by cell: its level, when it is raised [cells]
    rp_grid_t *low_water;             ///< owned; what the field lies on
    rp_cell_t *fallen;                ///< in a batch: cheaper than ever [cells]
    uint32_t laid;     ///< rows of the low-water grid that are copied; the field waits for all
    bool is_met;       ///< memory by cell has been met
    rp_cost_t best;    ///< of the paths met so far in this search; RP_COST_INF: none
    rp_cell_t stop;    ///< where its known part begins
    bool stop_joins;   ///< that is a part of the old path
    bool is_sure;      ///< since the cached path was laid nothing happened that may better it
    uint64_t built;    ///< expansions that the field has taken
    uint64_t searched; ///< expansions of all searches since it began
} lwf_t;

static bool is_laid(const lwf_t *self)
{
    return self->laid == self->low_water->shape.height;
}

static bool is_raised(const lwf_t *self, rp_cell_t cell)
{
    return self->core.grid->factor[cell] != self->low_water->factor[cell];
}

/// True when d of this cell is exact, and walking down it leads to the root.
static bool is_below_changes(const lwf_t *self, rp_cell_t cell)
{
    const rp_field_t *field = &self->core.field;
    return cell == field->root ||
           rp_change_levels_are_above(&self->change_levels, rp_field_at(field, cell));
}

// ---- invariants

/// Nothing on the low-water grid is dearer than it is, levels are those of d, and below the lowest
/// all cells lean on others.
static bool lwf_check(const void *state)
{
    const lwf_t *self = state;
    const rp_field_core_t *core = &self->core;
    const rp_grid_t *grid = core->grid;
    const rp_field_t *field = &core->field;
    uint32_t raised_count = 0;
    if (!is_laid(self)) {
        return self->change_levels.count == 0;
    }
    if (!rp_field_core_check(core)) {
        return false;
    }
    for (rp_cell_t cell = 0; cell < grid->cell_count; cell++) {
        const uint8_t factor = grid->factor[cell];
        const uint8_t low = self->low_water->factor[cell];
        if (is_raised(self, cell)) {
            raised_count++;
            if (low == 0 || (factor != 0 && factor < low) ||
                self->level[cell] !=
                    rp_change_levels_at(&self->change_levels, field, cell, factor == 0) ||
                self->level[cell] < self->change_levels.lowest) {
                return false;
            }
        }
        unsigned heading = RP_FIELD_CORE_NO_HEADING;
        if (factor != 0 && cell != field->root && rp_field_at(field, cell) != RP_COST_INF &&
            is_below_changes(self, cell) &&
            rp_field_core_step_down(core, cell, &heading) == RP_NO_CELL) {
            return false;
        }
    }
    return raised_count == self->change_levels.count;
}

// ---- levels

static void raise(lwf_t *self, rp_cell_t cell)
{
    const bool is_blocked = self->core.grid->factor[cell] == 0;
    const uint32_t level =
        rp_change_levels_at(&self->change_levels, &self->core.field, cell, is_blocked);
    self->level[cell] = (uint16_t)level;
    rp_change_levels_add(&self->change_levels, level);
}

static void raise_again(lwf_t *self, rp_cell_t cell)
{
    if (is_raised(self, cell)) {
        rp_change_levels_drop(&self->change_levels, self->level[cell]);
        raise(self, cell);
    }
}

/// As rp_field_hear_t: d fell here.
static void hear_of_fall(void *owner, rp_cell_t cell)
{
    lwf_t *self = owner;
    raise_again(self, cell);
    for (unsigned straight = 0; straight < RP_DIRECTIONS; straight += 2u) {
        raise_again(self, rp_grid_step(self->low_water, cell, straight));
    }
}

// ---- search

static void lwf_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    lwf_t *self = state;
    (void)goal_count; // one: the capabilities do not offer more
    const rp_grid_t *grid = self->core.grid;
    const rp_cell_t goal = goals[0].cell;
    const rp_cost_t bound = rp_bound(&self->core.field_search.metric, rp_point_of(grid, start),
                                     rp_point_of(grid, goal));
    self->laid = 0;
    self->core.field.hear = NULL;
    rp_field_core_begin(&self->core, self->is_turned ? start : goal, self->is_turned ? goal : start,
                        bound / ROOM);
    rp_change_levels_begin(&self->change_levels, &self->core.field);
    self->is_sure = false;
    self->built = 0;
    self->searched = 0;
}

static void begin_search(lwf_t *self)
{
    rp_change_levels_settle(&self->change_levels);
    rp_field_core_open(&self->core);
    rp_field_search_put_root(&self->core.field_search, self->core.field.apex, 0);
    self->best = RP_COST_INF;
}

/// A path of this cost leads over this cell: nothing dearer, nor as dear, is of interest now.
static void meet(lwf_t *self, rp_cell_t cell, bool joins, rp_cost_t cost)
{
    rp_field_search_t *field_search = &self->core.field_search;
    const rp_cost_t below = cost != 0 ? cost - 1u : 0;
    if (cost < self->best) {
        self->best = cost;
        self->stop = cell;
        self->stop_joins = joins;
        field_search->ceiling = below < field_search->ceiling ? below : field_search->ceiling;
        self->core.disconnection_due = UINT32_MAX; // no need to ask whether there is one
    }
}

/// What is known of the way on from a closed cell: that of the old path, or d.
/// @return true when it is no dearer than d, so need not be searched
static bool meet_known(lwf_t *self, rp_cell_t cell, bool is_below, rp_cost_t g, rp_cost_t d)
{
    const rp_path_cache_t *path_cache = &self->core.path_cache;
    if (rp_path_cache_leads_from(path_cache, cell)) {
        const rp_cost_t cost = path_cache->steps[rp_path_cache_place(path_cache, cell)].cost;
        meet(self, cell, true, g + cost);
        if (cost == d) {
            return true;
        }
    }
    if (is_below) {
        meet(self, cell, false, g + d);
    }
    return is_below;
}

/// @return true when the way on from this cell is known
static inline bool is_met(lwf_t *self, rp_cell_t cell, rp_cost_t g, rp_cost_t d)
{
    const bool is_below =
        cell == self->core.field.root || rp_change_levels_are_above(&self->change_levels, d);
    return (is_below || rp_path_cache_has(&self->core.path_cache, cell)) &&
           meet_known(self, cell, is_below, g, d);
}

static void finish(lwf_t *self)
{
    rp_field_core_t *core = &self->core;
    self->is_sure = true;
    if (rp_field_core_has_path(core) && rp_path_cache_apex(&core->path_cache).cost == self->best) {
        rp_field_core_answer(core, RP_FIELD_CORE_KEPT);
        return;
    }
    rp_field_core_lay(core, self->stop, self->stop_joins, self->best);
    rp_field_core_answer(core, RP_FIELD_CORE_NEW);
}

/// @param is_plain, is_weighted  constants: the ground has no seam; it has weights
/// @return false when the budget was spent first
RP_SEARCH_LOOP bool close_cells(lwf_t *self, bool is_plain, bool is_weighted, uint64_t *budget,
                                rp_search_stats_t *stats)
{
    rp_field_core_t *core = &self->core;
    rp_field_search_t *field_search = &core->field_search;
    const rp_lwf_around_t around = rp_lwf_around_of(core->grid);
    while (core->phase != RP_FIELD_CORE_DONE) {
        if (*budget == 0) {
            return false;
        }
        const rp_cost_t least = rp_field_search_least(field_search);
        if (least == RP_COST_INF || least > field_search->ceiling) {
            break;
        }
        const rp_cell_t cell = rp_field_search_take(field_search);
        --*budget;
        if (cell == RP_NO_CELL) {
            continue;
        }
        rp_field_search_shut(field_search, cell, budget, stats);
        const rp_cost_t g = field_search->nodes[cell].g;
        const rp_cost_t d = rp_field_at(&core->field, cell);
        if (g + d > field_search->ceiling || is_met(self, cell, g, d)) {
            continue;
        }
        if (!is_plain) {
            rp_field_core_expand(core, cell, budget, stats);
        } else {
            rp_lwf_expand(field_search, &around, is_weighted, cell, stats);
            if (field_search->closed_count >= core->disconnection_due) {
                rp_field_core_ask_disconnection(core, budget, stats);
            }
        }
    }
    return true;
}

/// @return false when the budget was spent first
static bool search(lwf_t *self, uint64_t *budget, rp_search_stats_t *stats)
{
    rp_field_core_t *core = &self->core;
    const bool is_plain = core->grid->seam == NULL;
    const bool is_weighted = core->field_search.metric.factor != NULL;
    const uint32_t closed = core->field_search.closed_count;
    const bool is_over = !is_plain     ? close_cells(self, false, false, budget, stats)
                         : is_weighted ? close_cells(self, true, true, budget, stats)
                                       : close_cells(self, true, false, budget, stats);
    self->searched += core->field_search.closed_count - closed;
    if (!is_over || core->phase == RP_FIELD_CORE_DONE) {
        return is_over;
    }
    if (self->best == RP_COST_INF) {
        rp_field_core_fail(core);
    } else if (rp_field_covers(&core->field, self->best)) {
        finish(self);
    } else { // what is left of the old path goes farther than the field reaches
        rp_field_core_widen(core, self->best);
    }
    return true;
}

/// Copy the grid, rows at a time. In the same go memory is met that ticks of a robot would meet one
/// by one wherever it gets to.
/// @return false when the budget was spent first
static bool lay_low_water(lwf_t *self, uint64_t *budget)
{
    rp_field_core_t *core = &self->core;
    const rp_grid_t *grid = core->grid;
    const uint32_t cells = grid->cell_count;
    while (!is_laid(self)) {
        if (*budget == 0) {
            return false;
        }
        const uint32_t left = grid->shape.height - self->laid;
        const uint32_t most = LAID_AT_ONCE / grid->stride + 1u;
        const uint32_t rows = left < most ? left : most;
        const uint32_t begin = rp_grid_cell(grid, 0, self->laid);
        const uint32_t end = begin + rows * grid->stride;
        if (!self->is_met) {
            rp_grid_prefault_rows(self->low_water, self->laid, rows);
            rp_prefault_ahead(&core->field_search.prefault, core->field_search.nodes, begin, end);
            rp_memory_prefault(self->level, cells, sizeof *self->level, begin, end);
        }
        rp_grid_copy_rows(self->low_water, grid, self->laid, rows);
        self->laid += rows;
        rp_budget_pay(budget, (end - begin) / (self->is_met ? LAID_EACH : MET_EACH) + 1u);
    }
    if (!self->is_met) {
        rp_heap_prefault(&core->field.lowered);
        self->is_met = true;
    }
    return true;
}

static rp_status_t lwf_search(void *state, uint64_t *budget, rp_search_stats_t *stats)
{
    lwf_t *self = state;
    rp_field_core_t *core = &self->core;
    if (!lay_low_water(self, budget)) {
        return RP_MORE;
    }
    while (core->phase != RP_FIELD_CORE_DONE) {
        const uint64_t before = *budget + core->field.prefault.paid;
        const bool is_ready = rp_field_core_prepare(core, budget, stats);
        self->built += before - core->field.prefault.paid - *budget;
        if (!is_ready) {
            return RP_MORE;
        }
        if (core->phase == RP_FIELD_CORE_READY) {
            if (self->is_sure && rp_field_core_has_path(core)) {
                rp_field_core_answer(core, RP_FIELD_CORE_KEPT);
                break;
            }
            begin_search(self);
        }
        if (core->phase == RP_FIELD_CORE_SEARCH && !search(self, budget, stats)) {
            return RP_MORE;
        }
    }
    return RP_OK;
}

// ---- idle time

/// Grow the field ahead: what makes the path longer finds it large enough then.
static rp_status_t lwf_idle(void *state, uint64_t *budget)
{
    lwf_t *self = state;
    rp_field_core_t *core = &self->core;
    rp_search_stats_t unseen = {0};
    assert(core->phase == RP_FIELD_CORE_DONE && core->field.lowered.count == 0);
    const rp_cost_t slack = AHEAD * core->slack;
    return rp_field_grow(&core->field, 0, slack, RP_COST_INF, budget, &unseen) ? RP_OK : RP_MORE;
}

// ---- changes

/// Keep low water, where a cell is freed or blocked, or cheaper than ever.
/// @return true when it is the last: the field must hear of it
static bool take_in_any(lwf_t *self, const rp_change_t *change)
{
    const rp_cell_t cell = change->cell;
    const uint8_t low = self->low_water->factor[cell];
    if (change->before != low) {
        rp_change_levels_drop(&self->change_levels, self->level[cell]);
    }
    if (change->after == low) {
        return false;
    }
    if (change->after == 0 || (low != 0 && change->after > low)) {
        raise(self, cell);
        return false;
    }
    rp_grid_set(self->low_water, cell, change->after);
    return true;
}

/// Keep low water. Most cells are free before and after, on ground that has been as cheap: their
/// level is that of d alone, and whether they are raised is not asked but counted, as nobody could
/// foretell it.
/// @return true when the cell is cheaper than ever: the field must hear of it
static bool take_in(lwf_t *self, const rp_change_t *change)
{
    const rp_cell_t cell = change->cell;
    const uint8_t low = self->low_water->factor[cell];
    if (change->before == 0 || change->after < low || change->after == 0) {
        return take_in_any(self, change);
    }
    const uint32_t level =
        rp_change_levels_at(&self->change_levels, &self->core.field, cell, false);
    self->level[cell] = (uint16_t)level;
    rp_change_levels_change(&self->change_levels, level, change->before != low,
                            change->after != low);
    return false;
}

static void spread(lwf_t *self, uint32_t count)
{
    rp_field_t *field = &self->core.field;
    for (uint32_t i = 0; i < count; i++) {
        rp_field_look_again(field, self->fallen[i]);
        if (field->grid->shape.neighbors == 8) {
            rp_field_open_diagonals(field, self->fallen[i]);
        }
    }
}

/// The low-water grid is still being laid: rows that are laid already, and moves into them, are as
/// the grid has them.
static void keep_laid(lwf_t *self, const rp_change_t *changes, size_t count)
{
    const rp_grid_t *grid = self->core.grid;
    for (size_t i = 0; i < count; i++) {
        if (grid->shape.wraps || rp_grid_y(grid, changes[i].cell) <= self->laid) {
            rp_grid_copy_cell(self->low_water, grid, changes[i].cell);
        }
    }
}

/// True when a path from the apex through a cell may cost less than `cost`, by the field's bounds.
static bool may_lead(const rp_field_t *field, rp_cell_t cell, rp_cost_t cost)
{
    const rp_cost_t d = rp_field_at(field, cell);
    const rp_point_t point = rp_point_of(field->grid, cell);
    return d != RP_COST_INF && d + rp_bound(&field->metric, point, field->apex_point) < cost;
}

/// True when a path by way of this cell, which became cheaper, may cost less than `cost`. Up to the
/// first cheaper step such a path costs what it did before, so d bounds that part.
static bool may_gain(const rp_field_t *field, const rp_change_t *change, rp_cost_t cost)
{
    bool may = may_lead(field, change->cell, cost);
    const bool has_corners = change->before == 0 && field->grid->shape.neighbors == 8;
    for (unsigned straight = 0; has_corners && !may && straight < RP_DIRECTIONS; straight += 2u) {
        may = may_lead(field, rp_grid_step(field->grid, change->cell, straight), cost);
    }
    return may;
}

/// True when none of these changes can have made a path cheaper than the cached one.
static bool gains_nothing(const rp_field_core_t *core, const rp_update_t *update)
{
    const rp_cost_t cost = rp_path_cache_apex(&core->path_cache).cost;
    size_t i = 0;
    while (i < update->change_count && !(rp_change_is_cheaper(&update->changes[i]) &&
                                         may_gain(&core->field, &update->changes[i], cost))) {
        i++;
    }
    return i == update->change_count;
}

static bool lwf_update(void *state, const rp_update_t *update)
{
    lwf_t *self = state;
    rp_field_core_t *core = &self->core;
    const rp_cell_t apex = self->is_turned ? update->goals[0].cell : update->start;
    if (!is_laid(self)) {
        keep_laid(self, update->changes, update->change_count);
        return rp_field_core_aim(core, apex);
    }
    if (self->change_levels.count != 0 && self->searched > PATIENCE * (self->built + CHEAP)) {
        return false;
    }
    const bool was_settled = core->phase == RP_FIELD_CORE_DONE;
    self->is_sure = self->is_sure && was_settled && core->answer != RP_FIELD_CORE_NO_PATH;
    if (!rp_field_core_aim(core, apex)) {
        return false;
    }
    uint32_t fallen_count = 0;
    const rp_change_t *changes = update->changes;
    const size_t change_count = update->change_count;
    for (size_t i = 0; i < change_count; i++) {
        if (take_in(self, &changes[i])) {
            self->fallen[fallen_count++] = changes[i].cell;
        }
    }
    core->field.hear = self->change_levels.count != 0 ? hear_of_fall : NULL;
    spread(self, fallen_count);
    rp_path_cache_apply(&core->path_cache, changes, change_count);
    rp_disconnection_apply(&core->disconnection, core->grid, changes, change_count);
    self->is_sure = self->is_sure && rp_field_core_has_path(core);
    rp_field_core_mend(core);
    self->is_sure = self->is_sure && gains_nothing(core, update);
    return true;
}

// ---- birth and death

static void lwf_unbind(void *state, rp_deferred_free_t *deferred_free)
{
    lwf_t *self = state;
    (void)deferred_free;
    rp_grid_destroy(&self->low_water);
}

static void lwf_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                     rp_arena_t *arena)
{
    lwf_t *self = state;
    const unsigned fine = rp_buckets_shift_for(rp_metric_of(grid).dearest);
    (void)options; // none concerns this planner
    if (rp_grid_new_blank(&grid->shape, &self->low_water) != RP_OK) {
        arena->is_short = true;
        return;
    }
    rp_grid_copy_rows(self->low_water, grid, 0, 1); // with it whether there are weights
    arena->beside = 2u * (uint64_t)grid->cell_count;
    self->level = rp_arena_new(arena, grid->cell_count, sizeof *self->level);
    self->fallen = rp_arena_new_sparse(arena, grid->cell_count, sizeof *self->fallen);
    rp_change_levels_init(&self->change_levels, arena);
    rp_field_core_init(&self->core, grid, self->low_water, fine != 0 ? fine + COARSER : 0u, arena);
    self->core.field.owner = self;
}

static void afa_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                     rp_arena_t *arena)
{
    lwf_t *self = state;
    lwf_bind(state, grid, options, arena);
    self->is_turned = true;
}

#define SLOTS_OF_ALL                                                                               \
    .state_bytes = sizeof(lwf_t), .unbind = lwf_unbind, .begin = lwf_begin, .update = lwf_update,  \
    .search = lwf_search, .idle = lwf_idle, .check = lwf_check

const rp_planner_ops_t RP_MEMBER(afa) = {
    .info =
        {
            .id = "afa",
            .paper = "ours: field of low water anchored at the start, search from the goal",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_GOAL | RP_NATIVE_NO_PATH |
                            RP_CAN_EVERY_GRID | RP_CAN_IDLE,
            .bytes_per_cell = RP_FIELD_CORE_BYTES + sizeof(uint16_t) + 2u,
        },
    .bind = afa_bind,
    .path = rp_field_core_path_from_root,
    SLOTS_OF_ALL,
};

const rp_planner_ops_t RP_MEMBER(lwf) = {
    .info =
        {
            .id = "lwf",
            .paper = "ours: field of low water anchored at the goal, search from the start",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_START | RP_NATIVE_NO_PATH |
                            RP_CAN_EVERY_GRID | RP_CAN_IDLE,
            .bytes_per_cell = RP_FIELD_CORE_BYTES + sizeof(uint16_t) + 2u,
        },
    .bind = lwf_bind,
    .path = rp_field_core_path_from_apex,
    SLOTS_OF_ALL,
};
