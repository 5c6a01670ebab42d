/// Planning: from what is asked to the answer, slice by slice. Blocked ends are answered here.
#include "replan/planner.h"

#include <assert.h>
#include <math.h>

#include "base/memory.h"
#include "planners/core/incumbent.h"
#include "planners/core/planner/binding.h"
#include "planners/core/planner/telling.h"

/// Cost of the path that is shown, with the offset of its goal.
static double shown_cost(const rp_planner_t *self)
{
    const rp_path_t path = rp_planner_shown_path(self);
    return rp_result_path_cost(&self->shown) +
           rp_goal_set_offset(&self->goals, path.cells[path.count - 1u]);
}

/// Some members judge their path where it is shown.
static void show_path(rp_planner_t *self)
{
    if (self->instance.ops->show != NULL) {
        const rp_path_t path = rp_planner_shown_path(self);
        self->instance.ops->show(self->instance.state, &path);
    }
}

/// Let the member write what is new of its path, once for each answer.
static rp_outcome_t take_path(rp_planner_t *self)
{
    rp_path_stands_t stands = {0};
    if (self->phase != RP_PLANNER_SHOWN) {
        const uint32_t count =
            self->instance.ops->path(self->instance.state, self->shown.room, &stands);
        if (count != RP_PATH_KEPT) {
            rp_result_path_rewrite(&self->shown, stands, count);
            show_path(self);
        }
        self->phase = RP_PLANNER_SHOWN;
    }
    return self->shown.count == 0 ? RP_OUTCOME_NO_PATH : RP_OUTCOME_FOUND;
}

/// Write the plan, with the counts if these were not reported yet.
/// @param plan  written
static void say(rp_planner_t *self, rp_plan_t *plan)
{
    const bool is_found = self->outcome == RP_OUTCOME_FOUND;
    const rp_path_t none = {self->shown.cells, 0};
    *plan = (rp_plan_t){
        .outcome = self->outcome,
        .cost = self->cost,
        .units = self->units,
        .path = is_found ? rp_planner_shown_path(self) : none,
        .stats = rp_search_stats_told(&self->stats),
    };
    self->told = self->stats;
}

/// The outcome is known: write the plan, and note that it is current.
/// @param plan  written
static void finish(rp_planner_t *self, rp_outcome_t outcome, rp_plan_t *plan)
{
    const bool is_found = outcome == RP_OUTCOME_FOUND;
    self->stats.bytes =
        rp_planner_is_done(self) ? self->instance.met_bytes : rp_arena_bytes(&self->instance.arena);
    self->outcome = outcome;
    self->cost = is_found ? shown_cost(self) : INFINITY;
    self->units = is_found && rp_planner_knows_cost(self)
                      ? self->instance.ops->cost(self->instance.state)
                      : 0;
    self->answered_start = self->start;
    self->answer = (is_found || outcome == RP_OUTCOME_NO_PATH) && self->goals.count == 1 &&
                           self->instance.ops->stands != NULL
                       ? RP_PLANNER_STANDS
                       : RP_PLANNER_HOLDS;
    say(self, plan);
    rp_audit_note(&self->audit, self->stats.checked != 0);
    rp_planner_forget_counts(self);
}

static rp_status_t search(rp_planner_t *self, uint64_t *budget)
{
    if (!rp_planner_is_done(self)) {
        if (self->instance.ops->search(self->instance.state, budget, &self->stats) == RP_MORE) {
            return RP_MORE;
        }
        self->phase = RP_PLANNER_DONE;
        self->instance.met_bytes = rp_arena_bytes(&self->instance.arena);
    }
    self->was_asked = true;
    return RP_OK;
}

static rp_status_t check_path(rp_planner_t *self, uint64_t *budget)
{
    const rp_path_t path = rp_planner_shown_path(self);
    bool differs;
    if (rp_audit_check(&self->audit, &path, self->start, &self->goals, budget, &differs) ==
        RP_MORE) {
        return RP_MORE;
    }
    self->stats.checked = 1;
    self->stats.differed = differs;
    return RP_OK;
}

/// True when the start only went on along the path that is shown, and the member has answered. The
/// rest of an optimal path is optimal, so the member is told only with the next event.
static bool goes_on(rp_planner_t *self)
{
    if (self->answer == RP_PLANNER_OLD || self->outcome != RP_OUTCOME_FOUND ||
        rp_planner_knows_cost(self) || self->instance.scale != self->grid->scale ||
        rp_planner_is_check_due(self) || !rp_result_path_follow(&self->shown, self->start)) {
        return false;
    }
    self->answered_start = self->start;
    self->cost = shown_cost(self);
    rp_audit_note(&self->audit, false);
    return true;
}

/// True when the incumbent is known to hold, after the search or without one: it is the answer
/// then, and no path is written.
static bool confirm(rp_planner_t *self, const rp_incumbent_t *incumbent, rp_plan_t *plan)
{
    if (incumbent == NULL || !rp_planner_knows_cost(self) || rp_planner_is_check_due(self) ||
        !(rp_planner_is_done(self)
              ? rp_incumbent_holds(incumbent, &self->instance, &self->goals)
              : !self->is_split &&
                    rp_incumbent_stands(incumbent, &self->instance, &self->goals, self->start))) {
        return false;
    }
    self->was_asked = true;
    *plan = rp_incumbent_plan(incumbent, &self->instance, &self->goals);
    plan->stats = rp_search_stats_told(&self->stats);
    self->told = self->stats;
    rp_planner_forget_counts(self);
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
        if (!rp_planner_is_check_due(self)) {
            return RP_OK;
        }
        if (check_path(self, budget) == RP_MORE) {
            return RP_MORE;
        }
        if (self->stats.differed == 0) {
            return RP_OK;
        }
        rp_telling_begin(self);
        self->stats.restarts++;
    }
}

/// Bring the path up to date; it is not written if an incumbent holds.
/// @param incumbent  NULL: there is none
static rp_status_t plan_or_confirm(rp_planner_t *self, const rp_incumbent_t *incumbent,
                                   uint64_t budget, rp_plan_t *plan)
{
    assert(!rp_planner_is_current(self));
    if (self->grid == NULL || self->start == RP_NO_CELL || self->goals.count == 0) {
        return RP_E_INVALID;
    }
    const rp_status_t status = rp_binding_renew(self);
    rp_outcome_t outcome;
    if (status != RP_OK) {
        return status;
    }
    if (!rp_planner_is_blocked(self, &outcome)) {
        self->goals_changed |= rp_goal_set_look(&self->goals, self->grid);
        rp_telling_bring_up_to_date(self);
        if (confirm(self, incumbent, plan)) {
            return RP_OK;
        }
        if (search(self, &budget) == RP_MORE) {
            return RP_MORE;
        }
        if (confirm(self, incumbent, plan)) {
            return RP_OK;
        }
        if (find_path(self, &budget, &outcome) == RP_MORE) {
            return RP_MORE;
        }
    } else {
        rp_planner_name_member(self);
    }
    finish(self, outcome, plan);
    return RP_OK;
}

rp_status_t rp_planner_plan(rp_planner_t *self, uint64_t budget, rp_plan_t *plan)
{
    if (plan == NULL) {
        return RP_E_INVALID;
    }
    if (rp_planner_is_current(self) || goes_on(self)) {
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
    if (rp_planner_is_current(self)) {
        say(self, plan);
        return RP_OK;
    }
    return plan_or_confirm(self, &(rp_incumbent_t){walk, was_cheapest}, budget, plan);
}

bool rp_planner_keeps(rp_planner_t *self, rp_cell_t from, uint64_t units)
{
    rp_outcome_t outcome;
    if (self->grid == NULL || self->phase == RP_PLANNER_IDLE || !rp_planner_knows_cost(self) ||
        rp_planner_is_check_due(self) || !rp_binding_is_right(self) ||
        rp_planner_is_blocked(self, &outcome)) {
        return false;
    }
    self->goals_changed |= rp_goal_set_look(&self->goals, self->grid);
    rp_telling_bring_up_to_date(self);
    self->was_asked = true;
    if (self->is_split || !self->instance.ops->confirm(self->instance.state, from, units)) {
        return false;
    }
    rp_audit_note(&self->audit, false);
    return true;
}

/// A member idles only when it was told everything, and found a path.
rp_status_t rp_planner_idle(rp_planner_t *self, uint64_t *budget)
{
    const bool is_at_rest = rp_planner_is_current(self) && self->outcome == RP_OUTCOME_FOUND;
    if (budget == NULL) {
        return RP_E_INVALID;
    }
    if (!is_at_rest || !rp_instance_can(&self->instance, RP_CAN_IDLE)) {
        return RP_OK;
    }
    return self->instance.ops->idle(self->instance.state, budget);
}
