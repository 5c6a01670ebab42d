/// The shared part of every planner: arguments, merged changes, blocked ends, when to start over,
/// the path and its cost. It never names a member.
#include "replan/planner.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "planners/core/audit.h"
#include "planners/core/change_log.h"
#include "planners/core/goal_set.h"
#include "planners/core/incumbent.h"
#include "planners/core/instance.h"
#include "planners/core/result_path.h"
#include "planners/grid/batch_summary.h"
#include "planners/grid/patch_writer.h"

/// Among more changes than this, some will not let the answer stand: it is not worth a look at
/// each.
#define STANDS_MOST 256u

/// A batch of so many changes is told to the member at once.
#define TELL_FROM 1024u

struct rp_planner {
    rp_instance_t form;    ///< the member
    const rp_grid_t *grid; ///< borrowed; NULL when not bound

    rp_cell_t start;
    rp_goal_set_t goals;

    rp_change_log_t pending; ///< since the last update
    uint64_t heard;          ///< of the cells that the grid has written: those of the last update

    bool has_idled;        ///< since memory was touched again
    bool has_begun;        ///< the member holds a search
    bool has_ended;        ///< and came to its end: it has the answer to what it was told
    bool is_taken;         ///< the path of that answer is shown
    rp_cell_t known_start; ///< the start that it was told
    bool goals_changed;    ///< since the last update
    bool was_asked;        ///< for a plan, or what it keeps, since the last update with changes
    bool is_split;         ///< they came in several updates: no path is confirmed
    bool is_answered;      ///< nothing happened since the last answer, but for moves of the start
    bool may_stand;        ///< and what happens next may leave it as it is, by the member's word
    rp_cell_t answered_start; ///< where the start was in that answer
    rp_result_path_t shown;   ///< what the member found last
    rp_outcome_t outcome;     ///< of the last plan
    double cost;              ///< of its path; infinite without one
    uint64_t units;           ///< the same as the member counts, if it does
    rp_plan_stats_t stats;    ///< of the plan under way; between two the counts are 0

    rp_audit_t audit;
};

// ---- what is said of a plan

/// Name the member as the planner that searches, until it says otherwise.
static void name_member(rp_planner_t *self)
{
    self->stats.planner = self->form.ops->info.id;
    self->stats.why = "";
}

/// Zero the counts, which were reported; keep who searched, and why.
static void forget_counts(rp_planner_t *self)
{
    const rp_plan_stats_t *stats = &self->stats;
    self->stats =
        (rp_plan_stats_t){.bytes = stats->bytes, .planner = stats->planner, .why = stats->why};
}

// ---- binding

static void unbind(rp_planner_t *self)
{
    if (self->grid == NULL) {
        return;
    }
    rp_deferred_free_t *deferred_free = self->grid->deferred_free;
    const uint64_t span = rp_deferred_free_span(deferred_free);
    const uint64_t bytes = deferred_free != NULL ? rp_planner_bytes(self) : 0u;
    rp_instance_unbind(&self->form, deferred_free);
    rp_audit_close(&self->audit);
    rp_result_path_fini(&self->shown, deferred_free);
    rp_deferred_free_note(deferred_free, span, bytes);
    self->grid = NULL;
    self->has_begun = false;
    self->is_answered = false;
    rp_change_log_clear(&self->pending);
}

/// Bind without touching start and goals: they mean the same on a grid that was only rescaled.
static rp_status_t bind_member(rp_planner_t *self, const rp_grid_t *grid)
{
    const rp_status_t status = rp_instance_bind(&self->form, grid, self->goals.greatest_offset);
    if (status != RP_OK) {
        return status;
    }
    if (rp_result_path_init(&self->shown, grid) != RP_OK ||
        rp_audit_open(&self->audit, grid) != RP_OK) {
        rp_instance_unbind(&self->form, NULL);
        rp_result_path_fini(&self->shown, NULL);
        return RP_E_MEMORY;
    }
    self->grid = grid;
    name_member(self);
    return RP_OK;
}

/// True while the form bound is the one for the grid as it is now.
static bool is_form_right(const rp_planner_t *self)
{
    return rp_instance_fits(&self->form, self->goals.greatest_offset);
}

// ---- planning

static void begin(rp_planner_t *self)
{
    self->form.ops->begin(self->form.state, self->start, self->goals.free, self->goals.free_count);
    self->heard = self->grid->written;
    self->has_begun = true;
    self->has_ended = false;
    self->is_answered = false;
    rp_audit_forget(&self->audit);
}

static rp_path_t shown_path(const rp_planner_t *self)
{
    return (rp_path_t){self->shown.cells + self->shown.first, self->shown.count};
}

/// Cost of the path that is shown, with the offset of its goal.
static double shown_cost(const rp_planner_t *self)
{
    const rp_path_t path = shown_path(self);
    return rp_result_path_cost(&self->shown) +
           rp_goal_set_offset(&self->goals, path.cells[path.count - 1u]);
}

/// Tell the member what happened: merged changes, and ends that moved since it was told last.
/// @param natives  native capabilities that the changes need
static void tell(rp_planner_t *self, const rp_change_t *changes, size_t count, uint32_t natives)
{
    const uint32_t needed = natives | (self->start != self->known_start ? RP_NATIVE_START : 0u) |
                            (self->goals_changed ? RP_NATIVE_GOAL : 0u);
    if (self->shown.left != 0) {
        rp_result_path_turn_back(&self->shown);
        self->is_answered = false; // that was for where the start had gone
    }
    if (needed == 0) {
        return;
    }
    const rp_update_t update = {
        .changes = changes,
        .change_count = count,
        .goals = self->goals.free,
        .goal_count = self->goals.free_count,
        .start = self->start,
        .goals_changed = self->goals_changed,
        .start_moved = self->start != self->known_start,
        .shown = shown_path(self),
        .is_own = true,
    };
    self->heard = self->grid->written;
    self->has_ended = false;
    self->is_answered = false;
    self->is_split = count != 0 ? !self->was_asked : self->is_split;
    self->was_asked = self->was_asked && count == 0;
    rp_audit_forget(&self->audit);
    if (!rp_instance_can(&self->form, needed) ||
        !self->form.ops->update(self->form.state, &update)) {
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
        rp_change_log_merge(&self->pending);
        tell(self, self->pending.changes, self->pending.count, self->pending.natives);
    }
    rp_change_log_clear(&self->pending);
}

/// Some members judge their path where it is shown.
static void show_path(rp_planner_t *self)
{
    if (self->form.ops->show != NULL) {
        const rp_path_t path = shown_path(self);
        self->form.ops->show(self->form.state, &path);
    }
}

/// Let the member write what is new of its path, once for each answer.
static rp_outcome_t take_path(rp_planner_t *self)
{
    rp_path_stands_t stands = {0};
    if (!self->is_taken) {
        const uint32_t count = self->form.ops->path(self->form.state, self->shown.room, &stands);
        if (count != RP_PATH_KEPT) {
            rp_result_path_rewrite(&self->shown, stands, count);
            show_path(self);
        }
        self->is_taken = true;
    }
    return self->shown.count == 0 ? RP_OUTCOME_NO_PATH : RP_OUTCOME_FOUND;
}

static bool knows_cost(const rp_planner_t *self)
{
    return rp_instance_can(&self->form, RP_KNOWS_COST);
}

/// Write the plan, with the counts if these were not reported yet.
/// @param plan  written
static void say(const rp_planner_t *self, rp_plan_t *plan)
{
    const bool is_found = self->outcome == RP_OUTCOME_FOUND;
    const rp_path_t none = {self->shown.cells, 0};
    *plan = (rp_plan_t){
        .outcome = self->outcome,
        .cost = self->cost,
        .units = self->units,
        .path = is_found ? shown_path(self) : none,
        .stats = self->stats,
    };
}

/// The outcome is known: write the plan, and note that it is current.
/// @param plan  written
static void finish(rp_planner_t *self, rp_outcome_t outcome, rp_plan_t *plan)
{
    const bool is_found = outcome == RP_OUTCOME_FOUND;
    self->stats.bytes = self->has_ended ? self->form.met_bytes : rp_instance_bytes(&self->form);
    self->outcome = outcome;
    self->cost = is_found ? shown_cost(self) : INFINITY;
    self->units = is_found && knows_cost(self) ? self->form.ops->cost(self->form.state) : 0;
    self->is_answered = true;
    self->answered_start = self->start;
    self->may_stand = (is_found || outcome == RP_OUTCOME_NO_PATH) && self->goals.count == 1 &&
                      self->form.ops->stands != NULL;
    say(self, plan);
    rp_audit_note(&self->audit, self->stats.checked != 0);
    forget_counts(self);
}

/// Bind anew when the grid's costs were rescaled, or no more fit the form.
static rp_status_t renew_form(rp_planner_t *self)
{
    if (is_form_right(self)) {
        return RP_OK;
    }
    const rp_grid_t *grid = self->grid;
    const bool had_begun = self->has_begun;
    unbind(self);
    const rp_status_t status = bind_member(self, grid);
    self->stats.restarts += status == RP_OK && had_begun;
    return status;
}

/// True when an end is blocked, which decides the outcome.
static bool is_blocked(const rp_planner_t *self, rp_outcome_t *outcome)
{
    if (self->grid->factor[self->start] == 0) {
        *outcome = RP_OUTCOME_START_BLOCKED;
        return true;
    }
    *outcome = RP_OUTCOME_GOAL_BLOCKED;
    return rp_goal_set_is_blocked(&self->goals, self->grid);
}

static rp_status_t search(rp_planner_t *self, uint64_t *budget)
{
    if (!self->has_ended) {
        if (self->form.ops->search(self->form.state, budget, &self->stats) == RP_MORE) {
            return RP_MORE;
        }
        self->has_ended = true;
        self->is_taken = false;
        self->form.met_bytes = rp_instance_bytes(&self->form);
    }
    self->was_asked = true;
    return RP_OK;
}

/// True when this plan is to be checked by the referee, and was not yet.
static bool is_check_due(const rp_planner_t *self)
{
    return self->stats.checked == 0 && rp_audit_is_due(&self->audit);
}

static rp_status_t check_path(rp_planner_t *self, uint64_t *budget)
{
    const rp_path_t path = shown_path(self);
    bool differs;
    if (rp_audit_check(&self->audit, &path, self->start, &self->goals, budget, &differs) ==
        RP_MORE) {
        return RP_MORE;
    }
    self->stats.checked = 1;
    self->stats.differed = differs;
    return RP_OK;
}

/// The last answer is that to what is asked now, in units that the grid still has.
static bool is_current(const rp_planner_t *self)
{
    return self->is_answered && self->answered_start == self->start &&
           self->form.scale == self->grid->scale;
}

/// True when the start only went on along the path that is shown, and the member has answered. The
/// rest of an optimal path is optimal, so the member is told only with the next event.
static bool goes_on(rp_planner_t *self)
{
    if (!self->is_answered || self->outcome != RP_OUTCOME_FOUND || knows_cost(self) ||
        self->form.scale != self->grid->scale || is_check_due(self) ||
        !rp_result_path_follow(&self->shown, self->start)) {
        return false;
    }
    self->answered_start = self->start;
    self->cost = shown_cost(self);
    rp_audit_note(&self->audit, false);
    return true;
}

/// True when the claim is known to hold, after the search or without one: it is the answer then,
/// and no path is written.
static bool confirm(rp_planner_t *self, const rp_incumbent_t *claim, rp_plan_t *plan)
{
    if (claim == NULL || !knows_cost(self) || is_check_due(self) ||
        !(self->has_ended ? rp_incumbent_holds(claim, &self->form, &self->goals)
                          : !self->is_split && rp_incumbent_stands(claim, &self->form, &self->goals,
                                                                   self->start))) {
        return false;
    }
    self->was_asked = true;
    *plan = rp_incumbent_plan(claim, &self->form, &self->goals);
    plan->stats = self->stats;
    forget_counts(self);
    rp_audit_note(&self->audit, false);
    return true;
}

/// Let the path be written. If a check finds that it is not optimal, search once more from scratch.
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

/// Bring the path up to date; it is not written if a claim holds.
/// @param claim  NULL: there is none
static rp_status_t plan_or_confirm(rp_planner_t *self, const rp_incumbent_t *claim, uint64_t budget,
                                   rp_plan_t *plan)
{
    assert(!is_current(self));
    if (self->grid == NULL || self->start == RP_NO_CELL || self->goals.count == 0) {
        return RP_E_INVALID;
    }
    const rp_status_t status = renew_form(self);
    rp_outcome_t outcome;
    if (status != RP_OK) {
        return status;
    }
    if (!is_blocked(self, &outcome)) {
        self->goals_changed |= rp_goal_set_look(&self->goals, self->grid);
        bring_up_to_date(self);
        if (confirm(self, claim, plan)) {
            return RP_OK;
        }
        if (search(self, &budget) == RP_MORE) {
            return RP_MORE;
        }
        if (confirm(self, claim, plan)) {
            return RP_OK;
        }
        if (find_path(self, &budget, &outcome) == RP_MORE) {
            return RP_MORE;
        }
    } else {
        name_member(self);
    }
    finish(self, outcome, plan);
    return RP_OK;
}

rp_status_t rp_planner_plan(rp_planner_t *self, uint64_t budget, rp_plan_t *plan)
{
    if (plan == NULL) {
        return RP_E_INVALID;
    }
    if (is_current(self) || goes_on(self)) {
        say(self, plan);
        return RP_OK;
    }
    return plan_or_confirm(self, NULL, budget, plan);
}

rp_status_t rp_planner_confirm(rp_planner_t *self, const rp_walk_t *walk, bool was_cheapest,
                               uint64_t budget, rp_plan_t *plan)
{
    if (walk == NULL || plan == NULL) {
        return RP_E_INVALID;
    }
    if (is_current(self)) {
        say(self, plan);
        return RP_OK;
    }
    return plan_or_confirm(self, &(rp_incumbent_t){walk, was_cheapest}, budget, plan);
}

bool rp_planner_keeps(rp_planner_t *self, rp_cell_t from, uint64_t units)
{
    rp_outcome_t outcome;
    if (self->grid == NULL || !self->has_begun || !knows_cost(self) || is_check_due(self) ||
        !is_form_right(self) || is_blocked(self, &outcome)) {
        return false;
    }
    self->goals_changed |= rp_goal_set_look(&self->goals, self->grid);
    bring_up_to_date(self);
    self->was_asked = true;
    if (self->is_split || !self->form.ops->confirm(self->form.state, from, units)) {
        return false;
    }
    rp_audit_note(&self->audit, false);
    return true;
}

/// Idle time has mapped memory. Touch again what most updates come to.
static void revisit(rp_planner_t *self)
{
    const rp_planner_ops_t *ops = self->form.ops;
    rp_patch_writer_warm(self->grid);
    rp_result_path_warm(&self->shown);
    if (ops->revisit != NULL) {
        ops->revisit(self->form.state);
    }
    self->has_idled = false;
}

/// A member idles only when it was told everything, and found a path.
rp_status_t rp_planner_idle(rp_planner_t *self, uint64_t *budget)
{
    const bool is_at_rest = is_current(self) && self->outcome == RP_OUTCOME_FOUND;
    if (budget == NULL) {
        return RP_E_INVALID;
    }
    if (!is_at_rest || !rp_instance_can(&self->form, RP_CAN_IDLE)) {
        return RP_OK;
    }
    const uint64_t most = *budget;
    const rp_status_t status = self->form.ops->idle(self->form.state, budget);
    self->has_idled = self->has_idled || *budget != most;
    if (status == RP_OK && self->has_idled) {
        revisit(self);
    }
    return status;
}

// ---- what is asked of it

uint32_t rp_planner_price(const rp_planner_t *self)
{
    return rp_instance_price(&self->form, self->stats.expanded);
}

rp_status_t rp_planner_bind(rp_planner_t *self, const rp_grid_t *grid)
{
    if (grid == NULL) {
        return RP_E_INVALID;
    }
    unbind(self);
    self->start = RP_NO_CELL;
    rp_goal_set_clear(&self->goals);
    return bind_member(self, grid);
}

rp_status_t rp_planner_set_start(rp_planner_t *self, rp_cell_t start)
{
    if (self->is_answered && start == self->start) {
        return RP_OK;
    }
    if (self->grid == NULL || !rp_grid_holds(self->grid, start)) {
        return RP_E_INVALID;
    }
    self->start = start;
    return RP_OK;
}

rp_status_t rp_planner_set_goals(rp_planner_t *self, const rp_goal_t *goals, size_t count)
{
    if (self->grid == NULL || goals == NULL || count == 0 || count > RP_GOALS_MAX) {
        return RP_E_INVALID;
    }
    if (rp_goal_set_is(&self->goals, goals, count)) {
        return RP_OK;
    }
    for (size_t i = 0; i < count; i++) {
        if (!rp_grid_holds(self->grid, goals[i].cell)) {
            return RP_E_INVALID;
        }
    }
    if ((count > 1 || goals[0].offset != 0) && !rp_instance_can(&self->form, RP_CAN_GOAL_SET)) {
        return RP_E_UNSUPPORTED;
    }
    const rp_status_t status = rp_goal_set_give(&self->goals, goals, count);
    self->is_answered = self->is_answered && status != RP_OK;
    return status;
}

rp_status_t rp_planner_set_goal(rp_planner_t *self, rp_cell_t goal)
{
    if (self->grid != NULL && rp_goal_set_is_one(&self->goals, goal)) {
        return RP_OK;
    }
    return rp_planner_set_goals(self, &(rp_goal_t){.cell = goal}, 1);
}

/// True when the grid has written no more cells since the member was told last than this batch has.
static bool knows_all_but(const rp_planner_t *self, size_t count)
{
    return self->grid->written - self->heard == count;
}

/// A batch left the answer as it was: it is that of one more plan. When it is this one's turn to be
/// checked, it is not taken as said.
static void count_what_stands(rp_planner_t *self)
{
    if (is_check_due(self)) {
        self->is_answered = false;
    } else {
        rp_audit_note(&self->audit, false);
    }
}

/// True when the member sees at once that a batch leaves the answer as it is, as most do. Not with
/// several goals: the member knows only the free ones, and the batch may free another one. Nor when
/// a cell became cheaper, and a neighbour that the member takes to be free is blocked on the grid:
/// it would see no step between them, and look for none if the neighbour is free again before it
/// hears of that.
static bool answer_stands(rp_planner_t *self, const rp_change_t *changes, size_t count)
{
    rp_batch_summary_t room;
    if (!is_current(self) || !self->may_stand || count > STANDS_MOST) {
        return false;
    }
    const bool is_all = knows_all_but(self, count);
    const rp_batch_summary_t *gist =
        rp_batch_summary_take(self->grid, changes, count, is_all, &room);
    if (gist == NULL || (gist->has_cheaper && !is_all) ||
        !self->form.ops->stands(self->form.state, changes, count, gist)) {
        return false; // a cell outside the grid is refused later
    }
    self->heard = is_all ? self->grid->written : self->heard;
    if (self->stats.why[0] != '\0') { // it chooses, and says why
        self->stats.why = "the path proves itself";
    }
    count_what_stands(self);
    return true;
}

/// Tell the member of a large batch at once, if its search has ended and nothing else is pending.
/// To keep it would mean a copy, into memory that may not be resident yet.
/// @return false when it is to be kept: more is pending, or the next plan may need no search
static bool tell_at_once(rp_planner_t *self, const rp_change_t *changes, size_t count)
{
    rp_outcome_t outcome;
    uint32_t natives;
    const bool is_alone = self->pending.count == 0 && knows_all_but(self, count);
    if (count < TELL_FROM || !is_alone || !self->has_ended || !is_form_right(self) ||
        is_blocked(self, &outcome) ||
        !rp_change_log_is_merged(self->grid, changes, count, &natives) ||
        !rp_instance_can(&self->form, natives)) {
        return false;
    }
    self->goals_changed |= rp_goal_set_look(&self->goals, self->grid);
    tell(self, changes, count, natives);
    return true;
}

rp_status_t rp_planner_apply(rp_planner_t *self, const rp_change_t *changes, size_t count)
{
    if (self->grid == NULL || (changes == NULL && count != 0)) {
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
        self->is_answered = false;
        return RP_OK;
    }
    if (answer_stands(self, changes, count)) {
        return RP_OK;
    }
    if (tell_at_once(self, changes, count)) {
        self->is_answered = false;
        return RP_OK;
    }
    const rp_status_t status = rp_change_log_add(&self->pending, self->grid, changes, count);
    if (status == RP_E_INVALID) {
        return status;
    }
    self->is_answered = false;
    if (status != RP_OK) {
        rp_planner_start_over(self); // as the member cannot be told everything
        return status;
    }
    if (self->pending.count > self->grid->cell_count) {
        rp_change_log_merge(&self->pending); // a planner whose ends are blocked may wait long
    }
    return RP_OK;
}

void rp_planner_start_over(rp_planner_t *self)
{
    self->stats.restarts += self->has_begun;
    self->has_begun = false;
    self->is_answered = false;
    rp_change_log_clear(&self->pending);
}

uint64_t rp_planner_bytes(const rp_planner_t *self)
{
    const size_t goals = 2u * self->goals.capacity * sizeof *self->goals.given;
    const uint64_t small = sizeof *self + self->form.ops->state_bytes + goals +
                           self->pending.capacity * sizeof *self->pending.changes;
    return self->grid == NULL
               ? small
               : small + rp_instance_bytes(&self->form) + rp_result_path_bytes(&self->shown);
}

/// True when the sums of the path that is shown are those of its steps.
static bool shown_is_true(const rp_planner_t *self)
{
    const rp_path_t path = shown_path(self);
    return !is_current(self) || self->outcome != RP_OUTCOME_FOUND ||
           rp_path_cost(&path, self->grid) +
                   rp_goal_set_offset(&self->goals, path.cells[path.count - 1u]) ==
               self->cost;
}

const char *rp_outcome_text(rp_outcome_t outcome)
{
    switch (outcome) {
    case RP_OUTCOME_FOUND:
        return "found";
    case RP_OUTCOME_NO_PATH:
        return "no_path";
    case RP_OUTCOME_START_BLOCKED:
        return "start_blocked";
    case RP_OUTCOME_GOAL_BLOCKED:
        return "goal_blocked";
    }
    return "not an outcome";
}

const rp_planner_info_t *rp_planner_about(const rp_planner_t *self)
{
    return &self->form.member->with_32_bits->info;
}

bool rp_planner_check(const rp_planner_t *self)
{
    return self->grid == NULL || !self->has_begun || self->pending.count != 0 ||
           (shown_is_true(self) && self->form.ops->check(self->form.state));
}

// ---- birth and death

rp_status_t rp_planner_new(const char *id, const rp_planner_options_t *options,
                           rp_planner_t **planner)
{
    if (id == NULL || planner == NULL) {
        return RP_E_INVALID;
    }
    rp_planner_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return RP_E_MEMORY;
    }
    const rp_status_t status = rp_instance_init(&self->form, id, options);
    if (status != RP_OK) {
        free(self);
        return status;
    }
    self->audit.every = self->form.options.check_every;
    rp_change_log_clear(&self->pending);
    *planner = self;
    return RP_OK;
}

void rp_planner_destroy(rp_planner_t **self)
{
    rp_planner_t *planner = self != NULL ? *self : NULL;
    if (planner == NULL) {
        return;
    }
    unbind(planner);
    rp_instance_fini(&planner->form);
    rp_goal_set_fini(&planner->goals);
    rp_change_log_fini(&planner->pending);
    free(planner);
    *self = NULL;
}
