/// AFA*: a field anchored at the start, and a search from the goal that ends where nothing changed.
///
/// Ours; from "Generalized Adaptive A*" it has the thought that costs to one end are the heuristic
/// of a search from the other. Guarantee: optimal. Cost of a change: a look at the cell and its
/// neighbours; then a search from the goal that goes no deeper than the lowest changed level. Bytes
/// a cell: 20, and 4 for each cell that the last search closed.
/// Choose it when changes, many at a time, lie around the goal, or when the goal moves.
///
/// d is the cost to the start in an optimistic world: each cell has the least factor that it has
/// had since the field was built (low water). What appears and goes again costs the field nothing:
/// when it appears d is still a lower bound, when it goes d is what it was. Only what becomes
/// cheaper than ever is spread (search/field.h).
///
/// A cell whose factor is not its least is raised, and has a level: no cell with smaller d ever
/// leaned on a step that is dearer now. So below the lowest level of all raised cells d is exact,
/// and attained by walking down it. There the search ends, and the path below it stands. A blocked
/// cell closes the diagonals that pass beside it too: its level is the least of its four
/// neighbours' d and its own.
///
/// What goes away for good never raises d again, and searches grow longer; when they have cost many
/// times what the field did, it is built anew, which is counted as a restart.
#include "planners/planner_ops.h"

#include <assert.h>
#include <string.h>

#include "planners/search/anchored.h"

// ---- state

/// Levels are d >> shift, so that the greatest d that matters has one; the last level is for all
/// beyond.
#define LEVELS 4096u

/// What is known of a raised cell: | build, 12 bits | level, 12 | least factor, 8 |
#define RAISED_LEVEL 256u
#define RAISED_BUILD (RAISED_LEVEL * LEVELS)

/// The field is built anew when searches have cost so many times its first growth.
#define PATIENCE 8u

/// A field smaller than this is as good as free, and never worth a restart.
#define PATIENCE_LEAST 4096u

typedef struct afa {
    rp_anchored_t anchored; ///< rooted at the start; its apex is the goal
    uint32_t *raised;       ///< by cell; of this build when it is raised [cells]
    uint32_t *counts;       ///< of raised cells by level [LEVELS]
    uint32_t build;         ///< number of this build, in place for `raised`
    uint32_t raised_count;
    uint32_t lowest;   ///< no raised cell has a lower level
    unsigned shift;    ///< from costs to levels
    bool is_sure;      ///< nothing that happened since the trail was laid made anything cheaper
    uint64_t built;    ///< expansions that the field has taken
    uint64_t searched; ///< expansions of all searches since
} afa_t;

static bool is_raised(const afa_t *self, rp_cell_t cell)
{
    return self->raised[cell] / RAISED_BUILD == self->build / RAISED_BUILD &&
           self->raised[cell] % RAISED_LEVEL != 0;
}

static uint32_t level_of(const afa_t *self, rp_cost_t d)
{
    const rp_cost_t level = d >> self->shift;
    return level < LEVELS - 1u ? (uint32_t)level : LEVELS - 1u;
}

/// True when d of this cell is exact, and walking down it leads to the start.
static bool is_below_changes(const afa_t *self, rp_cell_t cell)
{
    return level_of(self, rp_field_at(&self->anchored.field, cell)) < self->lowest;
}

// ---- invariants

/// The neighbour that a cell's d leans on, straight on if that is as good as any.
static rp_cell_t step_down(const rp_field_t *field, rp_cell_t cell, unsigned *heading)
{
    const rp_cost_t d = rp_field_at(field, cell);
    const rp_grid_t *grid = field->grid;
    unsigned direction = *heading;
    rp_cell_t next;
    if (((grid->moves[cell] >> direction) & 1u) != 0) {
        next = rp_grid_step(grid, cell, direction);
        const rp_cost_t edge = rp_edge(&field->metric, cell, next, direction);
        if (d >= edge && rp_field_at(field, next) <= d - edge) {
            return next;
        }
    }
    RP_FOR_MOVES (grid, cell, direction, next) {
        const rp_cost_t edge = rp_edge(&field->metric, cell, next, direction);
        if (d >= edge && rp_field_at(field, next) <= d - edge) {
            *heading = direction;
            return next;
        }
    }
    return RP_NO_CELL;
}

/// Raised cells are counted, the lowest level is low enough, and below it all cells lean on others.
static bool afa_check(const void *state)
{
    const afa_t *self = state;
    const rp_field_t *field = &self->anchored.field;
    uint32_t raised_count = 0;
    for (rp_cell_t cell = 0; cell < field->grid->cell_count; cell++) {
        if (is_raised(self, cell)) {
            raised_count++;
            if (self->raised[cell] / RAISED_LEVEL % LEVELS < self->lowest) {
                return false;
            }
        }
        unsigned heading = 0;
        if (field->grid->factor[cell] != 0 && cell != field->root &&
            rp_field_at(field, cell) != RP_COST_INF && is_below_changes(self, cell) &&
            step_down(field, cell, &heading) == RP_NO_CELL) {
            return false;
        }
    }
    return raised_count == self->raised_count && rp_anchored_check(&self->anchored);
}

// ---- search

/// Levels as fine as they can be while a path several times as long as the shortest has its own.
static unsigned shift_for(const rp_field_t *field)
{
    const rp_metric_t *metric = &field->metric;
    const rp_point_t root = rp_point_of(field->grid, field->root);
    const uint64_t steps = rp_bound(metric, root, field->apex_point) / metric->h_straight;
    const uint64_t most = 4u * (steps + RP_ANCHORED_SLACK) * metric->cell_length;
    unsigned shift = 0;
    while ((most >> shift) >= LEVELS) {
        shift++;
    }
    return shift;
}

static void afa_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    afa_t *self = state;
    (void)goal_count; // one: the capabilities do not offer more
    rp_anchored_begin(&self->anchored, start, goals[0].cell);
    self->build += RAISED_BUILD;
    if (self->build == 0) {
        memset(self->raised, 0,
               (size_t)self->anchored.field.grid->cell_count * sizeof *self->raised);
        self->build = RAISED_BUILD;
    }
    memset(self->counts, 0, LEVELS * sizeof *self->counts);
    self->raised_count = 0;
    self->lowest = LEVELS;
    self->shift = shift_for(&self->anchored.field);
    self->is_sure = false;
    self->built = 0;
    self->searched = 0;
}

static void begin_search(afa_t *self)
{
    while (self->lowest < LEVELS && self->counts[self->lowest] == 0) {
        self->lowest++;
    }
    rp_anchored_open(&self->anchored);
    rp_anchored_put_root(&self->anchored, self->anchored.field.apex, 0);
}

/// Lay the trail: from the goal along the search to `stop`, from there down d to the old trail.
static void lay(afa_t *self, rp_cell_t stop, rp_cost_t cost)
{
    rp_anchored_t *anchored = &self->anchored;
    const rp_field_t *field = &anchored->field;
    const rp_node_t *nodes = anchored->nodes;
    rp_trail_t *trail = &anchored->trail;
    uint32_t below = 0;
    uint32_t above = 0;
    unsigned heading = 0;
    rp_cell_t cell = stop;
    while (!rp_anchored_joins(anchored, cell)) {
        cell = step_down(field, cell, &heading);
        assert(cell != RP_NO_CELL);
        below++;
    }
    const uint32_t tail = trail->places[cell];
    for (cell = stop; (nodes[cell].mark & RP_NODE_ROOT) == 0; above++) {
        cell = rp_grid_step(field->grid, cell, nodes[cell].mark & RP_NODE_DIRECTION);
    }
    const uint32_t gap = rp_trail_splice(trail, tail, below + above, RP_TRAIL_NONE);
    heading = 0;
    cell = stop;
    for (uint32_t place = gap + below; place-- > gap;) {
        rp_trail_fill(trail, place, cell, rp_field_at(field, cell));
        cell = step_down(field, cell, &heading);
    }
    cell = stop;
    for (uint32_t place = gap + below; place < gap + below + above; place++) {
        cell = rp_grid_step(field->grid, cell, nodes[cell].mark & RP_NODE_DIRECTION);
        rp_trail_fill(trail, place, cell, cost - nodes[cell].g);
    }
}

/// From this cell on d is exact: with it the search has the cost of the path.
static void finish(afa_t *self, rp_cell_t stop)
{
    rp_anchored_t *anchored = &self->anchored;
    const rp_cost_t cost = anchored->nodes[stop].g + rp_field_at(&anchored->field, stop);
    self->is_sure = true;
    if (rp_anchored_has_path(anchored) && rp_trail_apex(&anchored->trail).cost == cost) {
        rp_anchored_answer(anchored, RP_ANSWER_KEPT);
        return;
    }
    lay(self, stop, cost);
    rp_anchored_answer(anchored, RP_ANSWER_NEW);
}

/// @return false when the budget was spent first
static bool search(afa_t *self, uint64_t *budget, rp_plan_stats_t *stats)
{
    rp_anchored_t *anchored = &self->anchored;
    while (anchored->phase == RP_ANCHORED_SEARCH) {
        if (*budget == 0) {
            return false;
        }
        const rp_cell_t cell = rp_anchored_close(anchored, budget, stats);
        if (cell == RP_NO_CELL) {
            break;
        }
        self->searched++;
        if (is_below_changes(self, cell) || rp_anchored_joins(anchored, cell)) {
            finish(self, cell);
            break;
        }
        rp_anchored_expand(anchored, cell, budget, stats);
    }
    return true;
}

static rp_status_t afa_search(void *state, uint64_t *budget, rp_plan_stats_t *stats)
{
    afa_t *self = state;
    rp_anchored_t *anchored = &self->anchored;
    while (anchored->phase != RP_ANCHORED_DONE) {
        const uint64_t before = *budget;
        const bool is_ready = rp_anchored_prepare(anchored, budget, stats);
        self->built += before - *budget;
        if (!is_ready) {
            return RP_MORE;
        }
        if (anchored->phase == RP_ANCHORED_READY) {
            if (self->is_sure && rp_anchored_has_path(anchored)) {
                rp_anchored_answer(anchored, RP_ANSWER_KEPT);
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

static void forget_raised(afa_t *self, rp_cell_t cell)
{
    self->counts[self->raised[cell] / RAISED_LEVEL % LEVELS]--;
    self->raised_count--;
    self->raised[cell] = 0;
}

/// The lowest level that may have leaned on what this dearer cell was.
static uint32_t level_at(const afa_t *self, const rp_change_t *change)
{
    const rp_field_t *field = &self->anchored.field;
    rp_cost_t least = rp_field_at(field, change->cell);
    if (change->after == 0 && field->grid->shape.neighbors == 8) {
        for (unsigned straight = 0; straight < RP_DIRECTIONS; straight += 2u) {
            const rp_cost_t d =
                rp_field_at(field, rp_grid_step(field->grid, change->cell, straight));
            least = d < least ? d : least;
        }
    }
    return level_of(self, least);
}

/// Keep low water: a cell is raised while its factor is not the least that it has had.
static void take_in(afa_t *self, const rp_change_t *change)
{
    const rp_cell_t cell = change->cell;
    uint32_t level = LEVELS;
    uint32_t low = change->before;
    if (is_raised(self, cell)) {
        level = self->raised[cell] / RAISED_LEVEL % LEVELS;
        low = self->raised[cell] % RAISED_LEVEL;
        forget_raised(self, cell);
    }
    if (low == 0 || (change->after != 0 && change->after <= low)) {
        return;
    }
    const uint32_t level_now = level_at(self, change);
    level = level_now < level ? level_now : level;
    self->raised[cell] = self->build | level * RAISED_LEVEL | low;
    self->counts[level]++;
    self->raised_count++;
    self->lowest = level < self->lowest ? level : self->lowest;
}

/// True when a path through this cell, which became cheaper, may cost less than `cost`. The part of
/// such a path up to its first cheaper step is as it was, so d there is a bound.
static bool may_gain(const rp_field_t *field, const rp_change_t *change, rp_cost_t cost)
{
    const rp_grid_t *grid = field->grid;
    const rp_cell_t cell = change->cell;
    const rp_cost_t d = rp_field_at(field, cell);
    if (d != RP_COST_INF &&
        d + rp_bound(&field->metric, rp_point_of(grid, cell), field->apex_point) < cost) {
        return true;
    }
    if (change->before != 0 || grid->shape.neighbors == 4) {
        return false;
    }
    for (unsigned straight = 0; straight < RP_DIRECTIONS; straight += 2u) {
        const rp_cell_t beside = rp_grid_step(grid, cell, straight);
        const rp_cost_t d_beside = rp_field_at(field, beside);
        if (d_beside != RP_COST_INF &&
            d_beside + rp_bound(&field->metric, rp_point_of(grid, beside), field->apex_point) <
                cost) {
            return true;
        }
    }
    return false;
}

static bool afa_update(void *state, const rp_update_t *update)
{
    afa_t *self = state;
    rp_anchored_t *anchored = &self->anchored;
    if (self->raised_count != 0 && self->searched > PATIENCE * (self->built + PATIENCE_LEAST)) {
        return false;
    }
    const bool was_settled = anchored->phase == RP_ANCHORED_DONE;
    self->is_sure = self->is_sure && was_settled && anchored->answer != RP_ANSWER_NONE;
    if (!rp_anchored_aim(anchored, update->goals[0].cell)) {
        return false;
    }
    for (size_t i = 0; i < update->change_count; i++) {
        if (i + RP_FIELD_AHEAD < update->change_count) {
            __builtin_prefetch(&self->raised[update->changes[i + RP_FIELD_AHEAD].cell]);
        }
        rp_field_send_for(&anchored->field, update->changes, i, update->change_count);
        take_in(self, &update->changes[i]);
    }
    rp_anchored_apply(anchored, update->changes, update->change_count);
    const rp_trail_step_t apex = rp_trail_apex(&anchored->trail);
    self->is_sure = self->is_sure && apex.cell == anchored->field.apex;
    for (size_t i = 0; i < update->change_count && self->is_sure; i++) {
        self->is_sure = !rp_field_is_cheaper(&update->changes[i]) ||
                        !may_gain(&anchored->field, &update->changes[i], apex.cost);
    }
    return true;
}

// ---- path

static uint32_t afa_path(const void *state, rp_cell_t *cells)
{
    const afa_t *self = state;
    switch (self->anchored.answer) {
    case RP_ANSWER_KEPT:
        return RP_PATH_KEPT;
    case RP_ANSWER_NEW:
        return rp_trail_write_from_root(&self->anchored.trail, cells);
    default:
        return 0;
    }
}

// ---- birth and death

static void afa_unbind(void *state)
{
    afa_t *self = state;
    if (self->anchored.field.grid == NULL) {
        return;
    }
    rp_memory_free(self->raised, self->anchored.field.grid->cell_count, sizeof *self->raised);
    rp_memory_free(self->counts, LEVELS, sizeof *self->counts);
    rp_anchored_fini(&self->anchored);
}

static rp_status_t afa_bind(void *state, const rp_grid_t *grid, const rp_planner_options_t *options)
{
    afa_t *self = state;
    (void)options; // none concerns this planner
    const rp_status_t status = rp_anchored_init(&self->anchored, grid);
    if (status != RP_OK) {
        return status;
    }
    self->raised = rp_memory_new(grid->cell_count, sizeof *self->raised);
    self->counts = rp_memory_new(LEVELS, sizeof *self->counts);
    if (self->raised == NULL || self->counts == NULL) {
        afa_unbind(self);
        return RP_E_MEMORY;
    }
    return RP_OK;
}

static uint64_t afa_bytes(const void *state)
{
    const afa_t *self = state;
    return rp_anchored_bytes(&self->anchored) + LEVELS * sizeof *self->counts +
           (uint64_t)self->anchored.field.grid->cell_count * sizeof *self->raised;
}

const rp_planner_ops_t RP_MEMBER(afa) = {
    .info =
        {
            .id = "afa",
            .paper = "ours: field anchored at the start, search from the goal",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_GOAL | RP_NATIVE_NO_PATH |
                            RP_CAN_EVERY_GRID,
            .bytes_per_cell = RP_ANCHORED_BYTES + sizeof(uint32_t),
        },
    .state_bytes = sizeof(afa_t),
    .bind = afa_bind,
    .unbind = afa_unbind,
    .begin = afa_begin,
    .update = afa_update,
    .search = afa_search,
    .path = afa_path,
    .bytes = afa_bytes,
    .check = afa_check,
};
