/// AT, for a moving target: a field rooted where the start once was, for a start that follows a
/// goal that flees.
///
/// Ours; that the costs to one end are the heuristic of a search from the other, and are raised by
/// what it finds, is from Generalized Adaptive A* ("Simple Optimization Techniques for A*-Based
/// Search", Sun, Yeoh, Chen, Koenig 2009, section 4.1). Guarantee: optimal. Cost of a moved end: a
/// few steps down the field as a rule, whatever the size of the world. Cost of a change: a look at
/// the cell and its neighbours, and the cells that it makes cheaper. Bytes a cell: 16, and 4 for
/// each cell that the last search closed. Choose it when the goal moves, or both ends do, and
/// changes come now and then.
///
/// d is consistent (field/field.h), so it bounds the cost between any two cells: from the
/// start, which is the foot of the path, to a cell it is at least d(cell) - d(foot), wherever the
/// root lies. While the start walks along its path and the goal walks away from it, that bound is
/// attained: a walk down d from the goal meets the path, which proves that the two together are
/// optimal.
///
/// Where no step leads down d, something that d was computed from is dearer now. Then A* with h = d
/// searches from the goal until it meets the foot, or the path at a cell from which that costs what
/// d promises. Each cell that it closed is raised then: d := C - g (line 06' of figure 4 there).
///
/// Repairs make the field exact only where they went, and the next ones may have to go elsewhere.
/// So their cost is compared with that of building the field, in expansions. Once repairs have cost
/// as much, or are expected to for so many changes, the field is built anew from where the start is
/// now. That does not count as a restart: it is the other of two ways to repair.
#include "planners/core/planner_ops.h"

#include "planners/field/field_core.h"
#include "planners/field/field_core_check.h"
#include "planners/field/stale_values.h"

// ---- state

/// A field reaches so many cell lengths beyond the goal: the goal may flee, and cells that are not
/// needed cost as much as others.
#define SLACK 2u

/// Ground on which a path costs so many halves of its bound winds: bounds are no use there. Fewer
/// where a field without them is made several times as fast a cell (field/wavefront.h).
#define WINDING      4u
#define WINDING_SOON 3u

/// While a field is built there, a look is taken whether ways wind each time so many cells were
/// expanded.
#define LOOK_EVERY 256u

/// Built anew, the field is likely to cost what it did; fewer expansions than these are not worth
/// the trouble.
#define BUILD_LEAST 64u

/// An expansion of a repair takes so many times as long as one of a build.
#define DEARER 2u

/// Rates are what a change costs in parts of a build, of which there are so many.
#define RATE_UNIT 4096u

/// Before any was seen, so many changes are thought to cost as much as a build.
#define RATE_GUESS 32u

typedef struct at {
    rp_field_core_t core; ///< first; its foot is the start, its apex the goal
    bool is_building;     ///< the field is new, and no plan was made with it
    bool is_blind;        ///< ways wind here
    uint64_t built;       ///< expansions that the field took
    uint64_t repaired;    ///< in such expansions, what repairs have taken since
    uint64_t update;      ///< of this, since the last update
    uint64_t since_batch; ///< of this, since the last changes
    size_t batch;         ///< number of the last changes; 0: the field is newer
    uint64_t rate;        ///< what a change costs, a running mean
} at_t;

// ---- invariants

/// With an answer the certificate holds.
static bool at_check(const void *state)
{
    const at_t *self = state;
    const rp_field_core_t *core = &self->core;
    const bool has_answer =
        core->phase == RP_FIELD_CORE_DONE && core->answer != RP_FIELD_CORE_NO_PATH;
    return rp_field_core_check(core) && (!has_answer || rp_field_core_is_certified(core));
}

// ---- build or repair

/// A new field, from where the start is now. What is left of the path may be joined again.
static void build(at_t *self)
{
    rp_field_core_t *core = &self->core;
    rp_field_set_blind(&core->field, self->is_blind);
    rp_field_core_rebuild(core, core->field.apex, 0);
    rp_field_core_set_slack(core, SLACK);
    self->is_building = true;
    self->built = 0;
    self->repaired = 0;
    self->update = 0;
    self->batch = 0;
}

/// The first field, or one for ends that nothing is known of.
static void start_over(at_t *self, rp_cell_t start, rp_cell_t goal)
{
    rp_field_core_begin(&self->core, start, goal, 0);
    build(self); // blind or not; to begin twice costs nothing
}

static void at_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    at_t *self = state;
    (void)goal_count; // one: the capabilities do not offer more
    self->is_blind = false;
    self->rate = RATE_UNIT / RATE_GUESS;
    start_over(self, start, goals[0].cell);
}

static void note_expanded(at_t *self, uint64_t count)
{
    if (self->is_building) {
        self->built += count;
        return;
    }
    self->repaired += DEARER * count;
    self->update += DEARER * count;
    self->since_batch += DEARER * count;
}

/// What a build costs that repairs are held against.
static uint64_t build_cost(const at_t *self)
{
    return self->built > BUILD_LEAST ? self->built : BUILD_LEAST;
}

/// More changes come: what the last ones cost is known now.
static void learn_rate(at_t *self, size_t count)
{
    if (self->batch != 0) {
        const uint64_t rate = self->since_batch * RATE_UNIT / (self->batch * build_cost(self));
        self->rate = self->rate - self->rate / 4u + rate / 4u;
    }
    self->batch = count;
    self->since_batch = 0;
}

/// True when repairs for these changes are likely to cost more than a build. To be asked that
/// often makes it forget what repairs cost: times change.
static bool repair_is_dear(at_t *self, size_t count)
{
    if (self->rate * count <= RATE_UNIT) {
        return false;
    }
    self->rate -= self->rate / 64u;
    return true;
}

// ---- search

/// The way down d from the goal is known up to a cell from which the cached path leads on: lay it.
/// @param count  cells in `closed`, from the goal on, without that cell
static void lay_descent(at_t *self, uint32_t count, rp_cell_t tail)
{
    rp_field_core_t *core = &self->core;
    rp_path_cache_t *path_cache = &core->path_cache;
    const rp_cost_t base = rp_field_core_base(core);
    const uint32_t gap = rp_path_cache_splice(path_cache, rp_path_cache_place(path_cache, tail),
                                              count, RP_PATH_CACHE_NONE);
    for (uint32_t i = 0; i < count; i++) {
        const rp_cell_t cell = self->core.closed[count - 1u - i];
        rp_path_cache_fill(path_cache, gap + i, cell, rp_field_at(&core->field, cell) - base);
    }
}

/// Go down d from the goal, and lay that way if it leads to the path. Time: O(steps).
/// @return false when it ends where no step keeps d's promise
static bool descend(at_t *self)
{
    rp_field_core_t *core = &self->core;
    rp_cell_t cell = core->field.apex;
    uint32_t count = 0;
    unsigned heading = RP_FIELD_CORE_NO_HEADING;
    while (!rp_field_core_joins(core, cell)) {
        self->core.closed[count++] = cell;
        cell = rp_field_core_step_down(core, cell, &heading);
        if (cell == RP_NO_CELL) {
            return false;
        }
    }
    lay_descent(self, count, cell);
    return true;
}

static void begin_search(at_t *self)
{
    rp_field_core_open(&self->core);
    rp_field_search_put_root(&self->core.field_search, self->core.field.apex, 0);
}

/// The search met the path.
/// @return false when the budget was spent first
static bool finish(at_t *self, uint64_t *budget)
{
    rp_field_core_t *core = &self->core;
    if (!rp_field_core_raise(core, budget)) {
        return false;
    }
    if (rp_field_core_is_certified(core)) { // what seemed cheaper is not
        rp_field_core_answer(core, RP_FIELD_CORE_KEPT);
        return true;
    }
    rp_field_core_lay(core, core->stop, true, rp_field_core_met(core) - rp_field_core_base(core));
    rp_field_core_answer(core, RP_FIELD_CORE_NEW);
    return true;
}

/// @return false when the budget was spent first
static bool search(at_t *self, uint64_t *budget, rp_search_stats_t *stats)
{
    rp_field_core_t *core = &self->core;
    while (core->phase == RP_FIELD_CORE_SEARCH) {
        if (*budget == 0) {
            return false;
        }
        if (!self->is_building && self->update > build_cost(self)) {
            build(self);
            break;
        }
        const rp_cell_t cell = rp_field_core_close(core, budget, stats);
        if (cell == RP_NO_CELL) {
            continue;
        }
        note_expanded(self, 1);
        if (rp_field_core_meets(core, cell)) {
            break;
        }
        rp_field_core_expand(core, cell, budget, stats);
    }
    return core->phase != RP_FIELD_CORE_RAISE || finish(self, budget);
}

/// The field is up to date, and does not prove the path at hand.
static void look_for_path(at_t *self)
{
    rp_field_core_t *core = &self->core;
    const rp_field_t *field = &core->field;
    const bool is_lost = rp_field_at(field, field->apex) == RP_COST_INF; // with the old root
    if (!is_lost && descend(self)) {
        rp_field_core_answer(core, RP_FIELD_CORE_NEW);
    } else if (is_lost || (!self->is_building && self->repaired > build_cost(self))) {
        build(self);
    } else {
        begin_search(self);
    }
}

/// There is no path: make a proof of that (field/disconnection.h), which holds while the ends move.
/// @return false when the budget was spent first
static bool prove_cut(at_t *self, uint64_t *budget, rp_search_stats_t *stats)
{
    rp_field_core_t *core = &self->core;
    rp_disconnection_t *disconnection = &core->disconnection;
    if (core->answer != RP_FIELD_CORE_NO_PATH || disconnection->state == RP_DISCONNECTION_CLOSED) {
        return true;
    }
    if (disconnection->state != RP_DISCONNECTION_GROWING) {
        rp_disconnection_begin(disconnection, core->foot);
    }
    const uint32_t before = disconnection->next;
    rp_disconnection_grow(disconnection, core->field.grid,
                          *budget < UINT32_MAX ? (uint32_t)*budget : UINT32_MAX, NULL, 0);
    *budget -= disconnection->next - before;
    stats->expanded += disconnection->next - before;
    RP_TRACE_ONLY(rp_disconnection_trace(disconnection, before));
    return disconnection->state == RP_DISCONNECTION_CLOSED;
}

/// True where only a blind field is made by a wavefront: over a seam.
static bool prefers_blind(const at_t *self)
{
    const rp_field_core_t *core = &self->core;
    return core->wavefront.list != NULL && core->grid->shape.wraps;
}

/// True when a path of this cost, or of more, winds.
static bool is_winding(const at_t *self, rp_cost_t cost)
{
    const rp_field_core_t *core = &self->core;
    const rp_metric_t metric = rp_metric_of(core->grid);
    const rp_point_t foot = rp_point_of(core->grid, core->foot);
    const unsigned winding = prefers_blind(self) ? WINDING_SOON : WINDING;
    return cost / winding > rp_bound(&metric, foot, core->field.apex_point) / 2u;
}

/// Bring the field up to date. No path costs less than what its limit covers: when that tells,
/// while it is built, that ways wind, it begins anew without bounds.
/// @return false when the budget was spent first
static bool prepare(at_t *self, uint64_t *budget, rp_search_stats_t *stats)
{
    rp_field_core_t *core = &self->core;
    while (self->is_building && !self->is_blind && prefers_blind(self)) {
        const uint64_t portion = *budget < LOOK_EVERY ? *budget : LOOK_EVERY;
        uint64_t rest = portion;
        const bool is_ready = rp_field_core_prepare(core, &rest, stats);
        *budget -= portion - rest;
        if (is_ready || *budget == 0) {
            return is_ready;
        }
        if (is_winding(self, core->field.limit)) {
            self->is_blind = true;
            build(self);
        }
    }
    return rp_field_core_prepare(core, budget, stats);
}

/// Ways that wind are learnt from the path.
static void note_path(at_t *self)
{
    const rp_field_core_t *core = &self->core;
    if (self->is_building && core->answer != RP_FIELD_CORE_NO_PATH) {
        self->is_blind = is_winding(self, rp_path_cache_apex(&core->path_cache).cost -
                                              rp_path_cache_foot(&core->path_cache).cost);
    }
    self->is_building = false;
}

static rp_status_t at_search(void *state, uint64_t *budget, rp_search_stats_t *stats)
{
    at_t *self = state;
    rp_field_core_t *core = &self->core;
    bool goes_on = true;
    while (goes_on && core->phase != RP_FIELD_CORE_DONE) {
        const uint64_t before = stats->expanded;
        goes_on = prepare(self, budget, stats);
        note_expanded(self, stats->expanded - before);
        if (goes_on && core->phase == RP_FIELD_CORE_READY) {
            look_for_path(self);
        }
        goes_on = goes_on && search(self, budget, stats);
    }
    if (!goes_on || !prove_cut(self, budget, stats)) {
        return RP_MORE;
    }
    note_path(self);
    return RP_OK;
}

// ---- changes

/// The start is elsewhere: on along the path, or off it.
static void move_foot(rp_field_core_t *core, rp_cell_t start)
{
    if (start == core->foot) {
        return;
    }
    core->foot = start;
    core->answer = RP_FIELD_CORE_NEW;
    if (rp_path_cache_has(&core->path_cache, start)) {
        rp_path_cache_begin_at(&core->path_cache, start);
    } else {
        rp_path_cache_reset(&core->path_cache, start, 0);
    }
}

/// True when the field says nothing of the start, or too much to leave room for more.
static bool is_out_of_reach(const at_t *self, rp_cell_t start)
{
    const rp_field_core_t *core = &self->core;
    const rp_cost_t d = rp_field_at(&core->field, start);
    const bool is_known = start == core->foot ? d != RP_COST_INF : rp_field_covers(&core->field, d);
    return !is_known || d > RP_FIELD_SHIFT_MAX;
}

/// True when a new field is likely to be cheaper than repairs for so many changes.
static bool wants_build(at_t *self, size_t count)
{
    if (self->is_building || count == 0) {
        return false;
    }
    learn_rate(self, count);
    return repair_is_dear(self, count);
}

static bool at_update(void *state, const rp_update_t *update)
{
    at_t *self = state;
    rp_field_core_t *core = &self->core;
    const rp_cell_t goal = update->goals[0].cell;
    rp_field_core_raise_rest(core);
    bool is_void = wants_build(self, update->change_count);
    if (!is_void) {
        rp_stale_values_forget(&core->field, update->changes, update->change_count);
        is_void = is_out_of_reach(self, update->start);
    }
    if (!rp_field_core_aim(core, goal)) {
        start_over(self, update->start, goal);
        return true;
    }
    self->update = 0;
    move_foot(core, update->start);
    if (is_void) {
        rp_path_cache_apply(&core->path_cache, update->changes, update->change_count);
        build(self);
    } else {
        rp_field_core_apply(core, update->changes, update->change_count);
    }
    return true;
}

// ---- birth and death

static void at_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                    rp_arena_t *arena)
{
    at_t *self = state;
    (void)options; // none concerns this planner
    rp_field_core_init(&self->core, grid, grid, 0, arena);
    rp_field_core_take_closed(&self->core, arena);
}

const rp_planner_ops_t RP_MEMBER(at) = {
    .info =
        {
            .id = "at",
            .paper = "ours: field from where the start was, certificate, repair or a new field",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_START | RP_NATIVE_GOAL |
                            RP_NATIVE_NO_PATH | RP_CAN_EVERY_GRID,
            .bytes_per_cell = RP_FIELD_CORE_BYTES,
        },
    .state_bytes = sizeof(at_t),
    .bind = at_bind,
    .begin = at_begin,
    .update = at_update,
    .search = at_search,
    .path = rp_field_core_path_from_root,
    .check = at_check,
};
