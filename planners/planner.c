/// The shared part of every planner: arguments, merged changes, blocked ends, when to start over,
/// the path and its cost. It never names a member.
#include "replan/planner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "planners/family.h"
#include "planners/goal_set.h"
#include "planners/pending.h"
#include "planners/planner_ops.h"
#include "planners/referee.h"
#include "planners/search/cost.h"
#include "planners/search/memory.h"
#include "planners/shown_path.h"

/// Of more changes than this some will not let the answer stand: they are not looked at twice.
#define STANDS_MOST 256u

/// A batch of so many changes is told to the member at once.
#define TELL_FROM 1024u

/// A grid of so many cells takes hundreds of pages of memory.
#define LARGE_FROM ((uint32_t)1 << 20)

/// What an expansion takes there, in memory that is known, and in memory that none has met: of a
/// search that goes on, and of one that has expanded so few cells that it may lead straight away.
#define LARGE_PRICE 4u
#define FRESH_PRICE 16u
#define EARLY_PRICE 64u
#define EARLY_MOST  16384u

struct rp_planner {
    const rp_planner_member_t *member;
    const rp_planner_ops_t *ops; ///< the form bound now
    void *state;                 ///< the member's, zeroed when not bound
    const rp_grid_t *grid;       ///< borrowed; NULL when not bound
    uint32_t scale;              ///< the grid's when bound: another one makes old costs void
    rp_planner_options_t options;

    rp_cell_t start;
    rp_goal_set_t goals;

    rp_pending_t pending; ///< since the last update
    uint64_t heard;       ///< of the cells that the grid has written: those of the last update

    bool has_begun;        ///< the member holds a search
    bool has_ended;        ///< and came to its end: it has the answer to what it was told
    bool is_taken;         ///< the path of that answer is shown
    rp_cell_t known_start; ///< the start that it was told
    bool goals_changed;    ///< since the last update
    bool is_current;       ///< `plan` answers what was asked: nothing happened since
    rp_cell_t *cells;      ///< room for what a member writes [grid->cell_count]
    uint32_t cells_peak;   ///< most cells that it wrote
    uint64_t met_bytes;    ///< that the member held when it came to its last end
    rp_shown_path_t shown; ///< what the member found last
    double cost;           ///< of that
    rp_plan_stats_t stats; ///< of the plan under way
    rp_plan_t plan;

    rp_referee_t *referee; ///< owned; NULL when no plan is checked
    uint32_t unchecked;    ///< plans since one was
    bool is_checking;      ///< the referee is searching
};

// ---- binding

static void unbind(rp_planner_t *self)
{
    if (self->grid == NULL) {
        return;
    }
    rp_rubble_t *rubble = self->grid->rubble;
    const uint64_t span = rp_rubble_span(rubble);
    const uint64_t bytes = rubble != NULL ? rp_planner_bytes(self) : 0u;
    self->ops->unbind(self->state, rubble);
    memset(self->state, 0, self->ops->state_bytes);
    rp_referee_destroy(&self->referee);
    self->is_checking = false;
    rp_memory_free(self->cells, self->grid->cell_count, sizeof *self->cells, rubble);
    self->cells = NULL;
    self->cells_peak = 0;
    self->met_bytes = 0;
    rp_shown_path_fini(&self->shown, rubble);
    rp_rubble_note(rubble, span, bytes);
    self->grid = NULL;
    self->has_begun = false;
    self->is_current = false;
    rp_pending_clear(&self->pending);
}

/// The form whose costs hold every path on this grid, and the goals' offsets on top.
static const rp_planner_ops_t *form_for(const rp_planner_t *self, const rp_grid_t *grid)
{
    const bool fits =
        rp_cost_fits_32(grid) && rp_offset_fits_32(grid, rp_goal_set_greatest_offset(&self->goals));
    return fits ? self->member->with_32_bits : self->member->with_64_bits;
}

/// Bind without touching start and goals: they mean the same on a grid that was only rescaled.
static rp_status_t bind_member(rp_planner_t *self, const rp_grid_t *grid)
{
    const rp_planner_ops_t *ops = form_for(self, grid);
    const uint32_t needed = rp_family_needs(grid);
    if ((ops->info.capabilities & needed) != needed) {
        return RP_E_UNSUPPORTED;
    }
    rp_cell_t *cells = rp_memory_new_sparse(grid->cell_count, sizeof *cells);
    rp_status_t status = RP_E_MEMORY;
    if (cells == NULL || rp_shown_path_init(&self->shown, grid) != RP_OK) {
        rp_memory_free(cells, grid->cell_count, sizeof *cells, NULL);
        return status;
    }
    memset(self->state, 0, ops->state_bytes);
    status = ops->bind(self->state, grid, &self->options);
    if (status != RP_OK) {
        goto fail;
    }
    if (self->options.check_every != 0) {
        self->referee = rp_referee_new(grid);
        if (self->referee == NULL) {
            ops->unbind(self->state, NULL);
            status = RP_E_MEMORY;
            goto fail;
        }
    }
    self->ops = ops;
    self->grid = grid;
    self->scale = grid->scale;
    self->cells = cells;
    return RP_OK;
fail:
    memset(self->state, 0, ops->state_bytes);
    rp_memory_free(cells, grid->cell_count, sizeof *cells, NULL);
    rp_shown_path_fini(&self->shown, NULL);
    return status;
}

// ---- planning

static void begin(rp_planner_t *self)
{
    self->ops->begin(self->state, self->start, self->goals.free, self->goals.free_count);
    self->heard = self->grid->written;
    self->has_begun = true;
    self->has_ended = false;
}

static rp_path_t shown_path(const rp_planner_t *self)
{
    return (rp_path_t){self->shown.cells + self->shown.first, self->shown.count};
}

/// Tell the member what happened: merged changes, and what was asked since it was told last.
/// @param natives  what the changes ask of it natively
static void tell(rp_planner_t *self, const rp_change_t *changes, size_t count, uint32_t natives)
{
    const uint32_t needed = natives | (self->start != self->known_start ? RP_NATIVE_START : 0u) |
                            (self->goals_changed ? RP_NATIVE_GOAL : 0u);
    const rp_update_t update = {
        .changes = changes,
        .change_count = count,
        .goals = self->goals.free,
        .goal_count = self->goals.free_count,
        .start = self->start,
        .goals_changed = self->goals_changed,
        .start_moved = self->start != self->known_start,
        .shown = shown_path(self),
    };
    if (needed == 0) {
        return;
    }
    self->heard = self->grid->written;
    self->has_ended = false;
    self->is_checking = false;
    if ((self->ops->info.capabilities & needed) != needed ||
        !self->ops->update(self->state, &update)) {
        begin(self);
        self->stats.restarts++;
    }
    self->known_start = self->start;
    self->goals_changed = false;
}

static void bring_up_to_date(rp_planner_t *self)
{
    if (!self->has_begun) {
        begin(self);
        self->known_start = self->start;
        self->goals_changed = false;
    } else {
        rp_pending_merge(&self->pending);
        tell(self, self->pending.changes, self->pending.count, self->pending.natives);
    }
    rp_pending_clear(&self->pending);
}

/// What the member found last, its end's offset included.
static double cost_of_shown(const rp_planner_t *self)
{
    const rp_shown_path_t *shown = &self->shown;
    return shown->count == 0
               ? INFINITY
               : rp_shown_path_cost(shown) +
                     rp_goal_set_offset(&self->goals,
                                        shown->cells[shown->first + shown->count - 1u]);
}

/// Have the member write what is new of its path, once an answer.
static rp_outcome_t take_path(rp_planner_t *self)
{
    rp_path_stands_t stands = {0};
    if (!self->is_taken) {
        const uint32_t count = self->ops->path(self->state, self->cells, &stands);
        if (count != RP_PATH_KEPT) {
            self->cells_peak = count > self->cells_peak ? count : self->cells_peak;
            rp_shown_path_rewrite(&self->shown, stands, self->cells, count);
            self->cost = cost_of_shown(self);
        }
        self->is_taken = true;
    }
    return self->shown.count == 0 ? RP_OUTCOME_NO_PATH : RP_OUTCOME_FOUND;
}

static bool knows_cost(const rp_planner_t *self)
{
    return (self->ops->info.capabilities & RP_KNOWS_COST) != 0;
}

/// @param plan  written; asked again, what it did is not said again
static void finish(rp_planner_t *self, rp_outcome_t outcome, rp_plan_t *plan)
{
    self->stats.bytes = self->has_ended ? self->met_bytes : self->ops->bytes(self->state);
    if (self->stats.planner == NULL) {
        self->stats.planner = self->ops->info.id;
        self->stats.why = "";
    }
    const bool is_found = outcome == RP_OUTCOME_FOUND;
    const rp_path_t none = {self->shown.cells, 0};
    *plan = (rp_plan_t){
        .outcome = outcome,
        .cost = is_found ? self->cost : INFINITY,
        .units = is_found && knows_cost(self) ? self->ops->cost(self->state) : 0,
        .path = is_found ? shown_path(self) : none,
        .stats = self->stats,
    };
    self->plan = *plan;
    self->plan.stats = (rp_plan_stats_t){
        .bytes = plan->stats.bytes, .planner = plan->stats.planner, .why = plan->stats.why};
    self->unchecked = self->stats.checked != 0 ? 0 : self->unchecked + 1u;
    self->stats = (rp_plan_stats_t){0};
    self->is_current = true;
}

/// Bind anew when the grid's costs were rescaled, or no more fit the form.
static rp_status_t renew_form(rp_planner_t *self)
{
    if (self->scale == self->grid->scale && self->ops == form_for(self, self->grid)) {
        return RP_OK;
    }
    const rp_grid_t *grid = self->grid;
    const bool had_begun = self->has_begun;
    unbind(self);
    const rp_status_t status = bind_member(self, grid);
    self->stats.restarts += status == RP_OK && had_begun;
    return status;
}

/// True when an end blocks: then it is known what comes of it.
static bool is_blocked(const rp_planner_t *self, rp_outcome_t *outcome)
{
    if (self->grid->factor[self->start] == 0) {
        *outcome = RP_OUTCOME_START_BLOCKED;
        return true;
    }
    *outcome = RP_OUTCOME_GOAL_BLOCKED;
    return rp_goal_set_is_blocked(&self->goals, self->grid);
}

/// What the walk costs as the member counts, its end included.
static uint64_t units_of(const rp_planner_t *self, const rp_walk_t *walk)
{
    const rp_grid_t *grid = self->grid;
    const bool eight = grid->shape.neighbors == 8;
    const uint64_t straight = eight ? RP_STRAIGHT : 1u;
    const uint64_t sum = straight * walk->factors[0] + RP_DIAGONAL * walk->factors[1];
    const uint64_t unit = 2u * (uint64_t)grid->shape.unit;
    const uint64_t offset = rp_goal_set_offset(&self->goals, walk->end);
    return grid->weighted ? sum + offset * straight * unit : sum / unit + offset * straight;
}

static rp_status_t search(rp_planner_t *self, uint64_t *budget)
{
    if (!self->has_ended) {
        if (self->ops->search(self->state, budget, &self->stats) == RP_MORE) {
            return RP_MORE;
        }
        self->has_ended = true;
        self->is_taken = false;
        self->met_bytes = self->ops->bytes(self->state);
    }
    return RP_OK;
}

/// It is this plan's turn to be held against the referee, and it was not yet.
static bool is_check_due(const rp_planner_t *self)
{
    return self->referee != NULL && self->stats.checked == 0 &&
           self->unchecked + 1u >= self->options.check_every;
}

static rp_status_t check_path(rp_planner_t *self, uint64_t *budget)
{
    if (!self->is_checking) {
        rp_referee_begin(self->referee, self->start, self->goals.free, self->goals.free_count);
        self->is_checking = true;
    }
    uint64_t best;
    if (rp_referee_search(self->referee, budget, &best) == RP_MORE) {
        return RP_MORE;
    }
    self->is_checking = false;
    self->stats.checked = 1;
    const rp_path_t path = shown_path(self);
    self->stats.differed = rp_referee_cost(self->grid, &path, self->start, self->goals.free,
                                           self->goals.free_count) != best;
    return RP_OK;
}

/// What is asked of a plan by somebody who has a path already.
typedef struct wish {
    const rp_walk_t *walk; ///< NULL: it is to be written
    bool was_cheapest;     ///< before the newest changes
} wish_t;

/// True when the walk is known to cost no more than the best path: the search came to its end, or
/// need not begin.
static bool is_confirmed(rp_planner_t *self, const wish_t *wish)
{
    if (wish->walk == NULL || !knows_cost(self) || is_check_due(self)) {
        return false;
    }
    const uint64_t cost = units_of(self, wish->walk);
    return self->has_ended
               ? self->ops->cost(self->state) == cost
               : wish->was_cheapest && self->ops->confirm(self->state, self->start, cost);
}

/// The walk is the answer: no path is written.
static void confirm(rp_planner_t *self, const rp_walk_t *walk, rp_plan_t *plan)
{
    *plan = (rp_plan_t){.outcome = RP_OUTCOME_FOUND,
                        .cost = rp_walk_cost(walk, self->grid) +
                                rp_goal_set_offset(&self->goals, walk->end),
                        .units = units_of(self, walk),
                        .stats = self->stats};
    self->stats = (rp_plan_stats_t){0};
    self->unchecked++;
}

/// Have the path written; when a check finds that it is not the best, search once more from
/// scratch.
static rp_status_t find_path(rp_planner_t *self, uint64_t *budget, rp_outcome_t *outcome)
{
    for (;;) {
        if (search(self, budget) == RP_MORE) {
            return RP_MORE;
        }
        *outcome = take_path(self);
        if (!is_check_due(self)) {
            return RP_OK;
        }
        if (check_path(self, budget) == RP_MORE) {
            return RP_MORE;
        }
        if (self->stats.differed == 0) {
            return RP_OK;
        }
        begin(self);
        self->stats.restarts++;
    }
}

/// Bring the path up to date, but for writing it when the walk is as cheap.
static rp_status_t plan_or_confirm(rp_planner_t *self, const wish_t *wish, uint64_t budget,
                                   rp_plan_t *plan)
{
    if (self->grid == NULL || self->start == RP_NO_CELL || self->goals.count == 0) {
        return RP_E_INVALID;
    }
    if (self->is_current) {
        *plan = self->plan;
        return RP_OK;
    }
    const rp_status_t status = renew_form(self);
    rp_outcome_t outcome;
    if (status != RP_OK) {
        return status;
    }
    if (!is_blocked(self, &outcome)) {
        self->goals_changed |= rp_goal_set_look(&self->goals, self->grid);
        bring_up_to_date(self);
        if (is_confirmed(self, wish)) {
            confirm(self, wish->walk, plan);
            return RP_OK;
        }
        if (search(self, &budget) == RP_MORE) {
            return RP_MORE;
        }
        if (is_confirmed(self, wish)) {
            confirm(self, wish->walk, plan);
            return RP_OK;
        }
        if (find_path(self, &budget, &outcome) == RP_MORE) {
            return RP_MORE;
        }
    }
    finish(self, outcome, plan);
    return RP_OK;
}

rp_status_t rp_planner_plan(rp_planner_t *self, uint64_t budget, rp_plan_t *plan)
{
    return plan_or_confirm(self, &(wish_t){.walk = NULL}, budget, plan);
}

rp_status_t rp_planner_confirm(rp_planner_t *self, const rp_walk_t *walk, bool was_cheapest,
                               uint64_t budget, rp_plan_t *plan)
{
    return plan_or_confirm(self, &(wish_t){walk, was_cheapest}, budget, plan);
}

bool rp_planner_keeps(rp_planner_t *self, rp_cell_t from, uint64_t units)
{
    rp_outcome_t outcome;
    if (self->grid == NULL || !self->has_begun || !knows_cost(self) || self->referee != NULL ||
        self->scale != self->grid->scale || self->ops != form_for(self, self->grid) ||
        is_blocked(self, &outcome)) {
        return false;
    }
    self->goals_changed |= rp_goal_set_look(&self->goals, self->grid);
    bring_up_to_date(self);
    return self->ops->confirm(self->state, from, units);
}

/// A member idles only where it has heard of everything, and found a path.
rp_status_t rp_planner_idle(rp_planner_t *self, uint64_t *budget)
{
    const bool is_at_rest = self->is_current && self->plan.outcome == RP_OUTCOME_FOUND &&
                            self->scale == self->grid->scale;
    return is_at_rest && (self->ops->info.capabilities & RP_CAN_IDLE) != 0
               ? self->ops->idle(self->state, budget)
               : RP_OK;
}

// ---- what is asked of it

/// A search of another kind than those before, or a much wider one, holds more than they did.
static bool is_fresh(const rp_planner_t *self)
{
    return self->ops->bytes(self->state) > self->met_bytes + self->met_bytes / 4u;
}

uint32_t rp_planner_price(const rp_planner_t *self)
{
    if (self->grid == NULL || self->grid->cell_count < LARGE_FROM) {
        return 1;
    }
    if (!is_fresh(self)) {
        return LARGE_PRICE;
    }
    return self->stats.expanded < EARLY_MOST ? EARLY_PRICE : FRESH_PRICE;
}

rp_status_t rp_planner_bind(rp_planner_t *self, const rp_grid_t *grid)
{
    unbind(self);
    self->start = RP_NO_CELL;
    rp_goal_set_clear(&self->goals);
    return bind_member(self, grid);
}

rp_status_t rp_planner_set_start(rp_planner_t *self, rp_cell_t start)
{
    if (self->grid == NULL || !rp_grid_holds(self->grid, start)) {
        return RP_E_INVALID;
    }
    if (start != self->start) {
        self->start = start;
        self->is_current = false;
    }
    return RP_OK;
}

rp_status_t rp_planner_set_goals(rp_planner_t *self, const rp_goal_t *goals, size_t count)
{
    if (self->grid == NULL || count == 0 || count > RP_GOALS_MAX) {
        return RP_E_INVALID;
    }
    for (size_t i = 0; i < count; i++) {
        if (!rp_grid_holds(self->grid, goals[i].cell)) {
            return RP_E_INVALID;
        }
    }
    if ((count > 1 || goals[0].offset != 0) &&
        (self->ops->info.capabilities & RP_CAN_GOAL_SET) == 0) {
        return RP_E_UNSUPPORTED;
    }
    if (rp_goal_set_is(&self->goals, goals, count)) {
        return RP_OK;
    }
    const rp_status_t status = rp_goal_set_give(&self->goals, goals, count);
    self->is_current = self->is_current && status != RP_OK;
    return status;
}

rp_status_t rp_planner_set_goal(rp_planner_t *self, rp_cell_t goal)
{
    return rp_planner_set_goals(self, &(rp_goal_t){.cell = goal}, 1);
}

/// True when the grid wrote no more since the member was told last than a batch of so many.
static bool knows_all_but(const rp_planner_t *self, size_t count)
{
    return self->grid->written - self->heard == count;
}

/// Most changes leave the answer as it is: the member sees that at once. Of several goals it knows
/// those that were free, and another one may be freed.
static bool answer_stands(rp_planner_t *self, const rp_change_t *changes, size_t count)
{
    const rp_outcome_t outcome = self->plan.outcome;
    const bool is_answered = self->is_current && self->scale == self->grid->scale &&
                             (outcome == RP_OUTCOME_FOUND || outcome == RP_OUTCOME_NO_PATH);
    if (!is_answered || self->goals.count != 1 || self->referee != NULL ||
        self->ops->stands == NULL || count > STANDS_MOST) {
        return false;
    }
    const rp_site_t site = rp_extent_site(self->grid, rp_extent_of(self->grid, changes, count));
    if (!rp_site_is_inside(&site, self->grid)) {
        return false; // refused by whoever looks next
    }
    if (!self->ops->stands(self->state, changes, count, &site)) {
        return false;
    }
    self->heard = knows_all_but(self, count) ? self->grid->written : self->heard;
    if (self->plan.stats.why[0] != '\0') { // it chooses, and says why
        self->plan.stats.why = "the path proves itself";
    }
    return true;
}

/// A large batch is told at once to a member at rest, when nothing else is left to tell: to keep it
/// would mean to copy it, into memory that may be fresh.
/// @return false when it is to be kept: for what comes besides, or as the next plan may not search
static bool tell_at_once(rp_planner_t *self, const rp_change_t *changes, size_t count)
{
    rp_outcome_t outcome;
    uint32_t natives;
    const bool is_alone = self->pending.count == 0 && knows_all_but(self, count);
    if (count < TELL_FROM || !is_alone || !self->has_ended || self->scale != self->grid->scale ||
        self->ops != form_for(self, self->grid) || is_blocked(self, &outcome) ||
        !rp_pending_is_merged(self->grid, changes, count, &natives) ||
        (self->ops->info.capabilities & natives) != natives) {
        return false;
    }
    self->goals_changed |= rp_goal_set_look(&self->goals, self->grid);
    tell(self, changes, count, natives);
    return true;
}

rp_status_t rp_planner_apply(rp_planner_t *self, const rp_change_t *changes, size_t count)
{
    if (self->grid == NULL) {
        return RP_E_INVALID;
    }
    if (count == 0) {
        return RP_OK;
    }
    if (!self->has_begun) { // the first search reads the grid itself
        for (size_t i = 0; i < count; i++) {
            if (!rp_grid_holds(self->grid, changes[i].cell)) {
                return RP_E_INVALID;
            }
        }
        self->is_current = false;
        return RP_OK;
    }
    if (answer_stands(self, changes, count)) {
        return RP_OK;
    }
    if (tell_at_once(self, changes, count)) {
        self->is_current = false;
        return RP_OK;
    }
    const rp_status_t status = rp_pending_add(&self->pending, self->grid, changes, count);
    if (status == RP_E_INVALID) {
        return status;
    }
    self->is_current = false;
    if (status != RP_OK) {
        rp_planner_start_over(self); // rather than go on from half the truth
        return status;
    }
    if (self->pending.count > self->grid->cell_count) {
        rp_pending_merge(&self->pending); // a planner whose ends are blocked may wait long
    }
    return RP_OK;
}

void rp_planner_start_over(rp_planner_t *self)
{
    self->stats.restarts += self->has_begun;
    self->has_begun = false;
    self->is_current = false;
    rp_pending_clear(&self->pending);
}

uint64_t rp_planner_bytes(const rp_planner_t *self)
{
    const size_t goals = 2u * self->goals.capacity * sizeof *self->goals.given;
    const uint64_t small = sizeof *self + self->ops->state_bytes + goals +
                           self->pending.capacity * sizeof *self->pending.changes;
    return self->grid == NULL ? small
                              : small + self->ops->bytes(self->state) +
                                    (uint64_t)self->cells_peak * sizeof *self->cells +
                                    rp_shown_path_bytes(&self->shown);
}

/// What is shown costs what a sum over all of it gives.
static bool shown_is_true(const rp_planner_t *self)
{
    const rp_path_t *path = &self->plan.path;
    return !self->is_current || self->plan.outcome != RP_OUTCOME_FOUND ||
           rp_path_cost(path, self->grid) +
                   rp_goal_set_offset(&self->goals, path->cells[path->count - 1u]) ==
               self->plan.cost;
}

const rp_planner_info_t *rp_planner_about(const rp_planner_t *self)
{
    return &self->member->with_32_bits->info;
}

bool rp_planner_check(const rp_planner_t *self)
{
    return self->grid == NULL || !self->has_begun || self->pending.count != 0 ||
           (shown_is_true(self) && self->ops->check(self->state));
}

// ---- birth and death

rp_status_t rp_planner_new(const char *id, const rp_planner_options_t *options,
                           rp_planner_t **planner)
{
    const rp_planner_member_t *member = rp_family_find(id);
    if (member == NULL) {
        return RP_E_UNKNOWN;
    }
    const rp_planner_options_t defaults = {0};
    options = options != NULL ? options : &defaults;
    if (!rp_family_fits(member->with_32_bits->info.capabilities, options)) {
        return RP_E_UNSUPPORTED;
    }
    const size_t small = member->with_32_bits->state_bytes;
    const size_t large = member->with_64_bits->state_bytes;
    rp_planner_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return RP_E_MEMORY;
    }
    self->state = calloc(1, small > large ? small : large);
    if (self->state == NULL) {
        free(self);
        return RP_E_MEMORY;
    }
    self->member = member;
    self->ops = member->with_32_bits;
    self->options = *options;
    rp_pending_clear(&self->pending);
    *planner = self;
    return RP_OK;
}

void rp_planner_destroy(rp_planner_t **self)
{
    rp_planner_t *planner = *self;
    if (planner == NULL) {
        return;
    }
    unbind(planner);
    free(planner->state);
    rp_goal_set_fini(&planner->goals);
    rp_pending_fini(&planner->pending);
    free(planner);
    *self = NULL;
}
