/// The shared part of every planner: arguments, changes, birth and death, and what is known of
/// planners before one is made. It never names a member.
/// planner/ has the rest: binding a member, telling it what happened, planning.
#include "replan/planner.h"

#include <stdlib.h>

#include "planners/core/family.h"
#include "planners/core/planner/binding.h"
#include "planners/core/planner/telling.h"

/// Among more changes than this, some will not let the answer stand: it is not worth a look at
/// each.
#define STANDS_MOST 256u

/// A batch of so many changes is told to the member at once. A smaller one waits for the start,
/// which may move before the next plan: members repair for both together in less time.
#define TELL_FROM 1024u

uint32_t rp_planner_price(const rp_planner_t *self)
{
    return rp_instance_price(&self->instance, self->stats.expanded);
}

rp_status_t rp_planner_bind(rp_planner_t *self, const rp_grid_t *grid)
{
    if (grid == NULL) {
        return RP_E_INVALID;
    }
    rp_binding_drop(self);
    self->start = RP_NO_CELL;
    rp_goal_set_clear(&self->goals);
    return rp_binding_make(self, grid);
}

rp_status_t rp_planner_set_start(rp_planner_t *self, rp_cell_t start)
{
    if (self->answer != RP_PLANNER_OLD && start == self->start) {
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
    if ((count > 1 || goals[0].offset != 0) && !rp_instance_can(&self->instance, RP_CAN_GOAL_SET)) {
        return RP_E_UNSUPPORTED;
    }
    const rp_status_t status = rp_goal_set_give(&self->goals, goals, count);
    self->answer = status == RP_OK ? RP_PLANNER_OLD : self->answer;
    return status;
}

rp_status_t rp_planner_set_goal(rp_planner_t *self, rp_cell_t goal)
{
    if (self->grid != NULL && rp_goal_set_is_one(&self->goals, goal)) {
        return RP_OK;
    }
    return rp_planner_set_goals(self, &(rp_goal_t){.cell = goal}, 1);
}

/// A batch left the answer as it was: it is that of one more plan. When it is this one's turn to be
/// checked, it is not taken as said.
static void count_what_stands(rp_planner_t *self)
{
    if (rp_planner_is_check_due(self)) {
        self->answer = RP_PLANNER_OLD;
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
    if (self->answer != RP_PLANNER_STANDS || !rp_planner_is_current(self) || count > STANDS_MOST) {
        return false;
    }
    const bool is_all = rp_planner_has_heard_all_but(self, count);
    const rp_batch_summary_t *summary =
        rp_batch_summary_take(self->grid, changes, count, is_all, &room);
    if (summary == NULL || (summary->has_cheaper && !is_all) ||
        !self->instance.ops->stands(self->instance.state, changes, count, summary)) {
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
/// To keep it would mean a copy, which takes longer than what most members do with it. The grid
/// knows that it may be told as it is, without a look at it.
/// @return false when it is to be kept: more is pending, or the next plan may need no search
static bool tell_at_once(rp_planner_t *self, const rp_change_t *changes, size_t count)
{
    rp_outcome_t outcome;
    const rp_batch_summary_t *summary = &self->grid->last;
    const uint32_t natives = RP_NATIVE_DEARER | (summary->has_cheaper ? RP_NATIVE_CHEAPER : 0u);
    if (count < TELL_FROM || !rp_grid_has_just_written(self->grid, changes, count) ||
        summary->has_same || self->change_log.count != 0 || !rp_planner_is_done(self) ||
        !rp_planner_has_heard_all_but(self, count) || !rp_binding_is_right(self) ||
        rp_planner_is_blocked(self, &outcome) || !rp_instance_can(&self->instance, natives)) {
        return false;
    }
    self->goals_changed |= rp_goal_set_look(&self->goals, self->grid);
    rp_telling_tell(self, changes, count, natives);
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
    if (self->phase == RP_PLANNER_IDLE) { // the first search reads the grid itself
        for (size_t i = 0; i < count; i++) {
            if (!rp_grid_holds(self->grid, changes[i].cell)) {
                return RP_E_INVALID;
            }
        }
        self->answer = RP_PLANNER_OLD;
        return RP_OK;
    }
    if (answer_stands(self, changes, count)) {
        return RP_OK;
    }
    if (tell_at_once(self, changes, count)) {
        self->answer = RP_PLANNER_OLD;
        return RP_OK;
    }
    const rp_status_t status = rp_change_log_add(&self->change_log, self->grid, changes, count);
    if (status == RP_E_INVALID) {
        return status;
    }
    self->answer = RP_PLANNER_OLD;
    if (status != RP_OK) {
        rp_planner_start_over(self); // as the member cannot be told everything
        return status;
    }
    if (self->change_log.count > self->grid->cell_count) {
        rp_change_log_merge(&self->change_log); // a planner whose ends are blocked may wait long
    }
    return RP_OK;
}

void rp_planner_start_over(rp_planner_t *self)
{
    self->stats.restarts += self->phase != RP_PLANNER_IDLE;
    self->phase = RP_PLANNER_IDLE;
    self->answer = RP_PLANNER_OLD;
    rp_change_log_clear(&self->change_log);
}

uint64_t rp_planner_bytes(const rp_planner_t *self)
{
    const size_t goals = 2u * self->goals.capacity * sizeof *self->goals.given;
    return sizeof *self + self->instance.ops->state_bytes + goals +
           self->change_log.capacity * sizeof *self->change_log.changes +
           rp_arena_bytes(&self->instance.arena);
}

/// True when the sums of the path that is shown are those of its steps.
static bool shown_is_true(const rp_planner_t *self)
{
    const rp_path_t path = rp_planner_shown_path(self);
    return !rp_planner_is_current(self) || self->outcome != RP_OUTCOME_FOUND ||
           rp_path_cost(&path, self->grid) +
                   rp_goal_set_offset(&self->goals, path.cells[path.count - 1u]) ==
               self->cost;
}

const rp_planner_info_t *rp_planner_about(const rp_planner_t *self)
{
    return &self->instance.member->with_32_bits->info;
}

bool rp_planner_check(const rp_planner_t *self)
{
    return self->grid == NULL || self->phase == RP_PLANNER_IDLE || self->change_log.count != 0 ||
           (shown_is_true(self) && self->instance.ops->check(self->instance.state));
}

// ---- before one is made

const rp_planner_info_t *rp_planner_info(size_t index)
{
    const rp_planner_member_t *member = rp_registry_member(index);
    return member != NULL ? &member->with_32_bits->info : NULL;
}

const rp_planner_info_t *rp_planner_find(const char *id)
{
    const rp_planner_member_t *member = id != NULL ? rp_family_find(id) : NULL;
    return member != NULL ? &member->with_32_bits->info : NULL;
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

// ---- birth and death

rp_status_t rp_planner_new(const char *id, const rp_planner_options_t *options,
                           rp_planner_t **planner)
{
    const rp_planner_options_t defaults = {0};
    const rp_planner_options_t *chosen = options != NULL ? options : &defaults;
    if (id == NULL || planner == NULL) {
        return RP_E_INVALID;
    }
    if (chosen->open != RP_OPEN_HEAP && chosen->open != RP_OPEN_BUCKETS) {
        return rp_planner_find(id) != NULL ? RP_E_UNSUPPORTED : RP_E_UNKNOWN;
    }
    const rp_member_options_t all = {.open = chosen->open, .check_every = chosen->check_every};
    return rp_state_new(id, &all, planner);
}

void rp_planner_destroy(rp_planner_t **self)
{
    rp_planner_t *planner = self != NULL ? *self : NULL;
    if (planner == NULL) {
        return;
    }
    rp_binding_drop(planner);
    rp_instance_fini(&planner->instance);
    rp_goal_set_fini(&planner->goals);
    rp_change_log_fini(&planner->change_log);
    free(planner);
    *self = NULL;
}
