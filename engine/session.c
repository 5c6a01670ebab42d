/// One agent: when its answer is still true, and when a new one must be said.
#include "engine/session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Two costs that differ by less than this, relatively, are equal: they are sums of doubles.
#define SAME_COST 1e-9

/// What looking at a session costs at least, in expansions: budgets must end.
#define LEAST_COST 64u

// ---- the path that was said

/// Cost of the path that is left, on the grid as it is now.
/// @return -1 when it is broken
static double remaining_cost(const rp_session_t *self)
{
    const rp_grid_t *grid = self->layer->grid;
    uint64_t factors[2] = {0, 0}; // of straight and diagonal steps: exact in whole numbers
    rp_cell_t cell = self->said_at;
    for (uint32_t i = self->said_step; i < self->step_count; i++) {
        const unsigned direction = self->steps[i];
        if (((grid->moves[cell] >> direction) & 1u) == 0) {
            return -1.0;
        }
        const rp_cell_t next = rp_grid_step(grid, cell, direction);
        factors[direction & 1u] += (uint64_t)grid->factor[cell] + grid->factor[next];
        cell = next;
    }
    if (grid->factor[cell] == 0) {
        return -1.0;
    }
    double cost = ((double)factors[0] + (double)factors[1] * sqrt(2.0)) / (2.0 * grid->shape.unit);
    for (size_t i = 0; i < self->goal_count; i++) {
        cost += self->goals[i].cell == cell ? self->goals[i].offset : 0.0;
    }
    return cost;
}

/// Prune the path to the cell where the agent is now.
/// @return false when the cell is not on what is left of the path
static bool prune_to(rp_session_t *self, rp_cell_t at)
{
    const rp_grid_t *grid = self->layer->grid;
    rp_cell_t cell = self->said_at;
    for (uint32_t i = self->said_step; cell != at; i++) {
        if (i == self->step_count) {
            return false;
        }
        cell = rp_grid_step(grid, cell, self->steps[i]);
        if (cell == at) {
            self->said_step = i + 1u;
        }
    }
    self->said_at = at;
    return true;
}

static rp_status_t keep_path(rp_session_t *self, const rp_path_t *path)
{
    const uint32_t count = path->count - 1u;
    if (count > self->step_capacity) {
        const uint32_t capacity = count + count / 2u + 64u;
        uint8_t *steps = realloc(self->steps, capacity);
        if (steps == NULL) {
            return RP_E_MEMORY;
        }
        self->steps = steps;
        self->step_capacity = capacity;
    }
    const rp_grid_t *grid = self->layer->grid;
    for (uint32_t i = 0; i < count; i++) {
        self->steps[i] = (uint8_t)rp_path_direction(grid, path->cells[i], path->cells[i + 1u]);
    }
    self->step_count = count;
    return RP_OK;
}

// ---- pose and goals

bool rp_session_move(rp_session_t *self, rp_cell_t at, uint64_t pose_seq)
{
    const bool is_first = !self->has_pose;
    self->pose_seq = pose_seq;
    self->has_pose = true;
    if (!is_first && at == self->at) {
        return false;
    }
    self->at = at;
    if (at != RP_NO_CELL && self->outcome == RP_ANSWER_FOUND && !self->is_off_path &&
        prune_to(self, at)) {
        const double cost = self->is_unsure ? -1.0 : remaining_cost(self);
        self->cost = cost >= 0.0 ? cost : self->cost;
        self->said_pose_seq = pose_seq;
        return false;
    }
    self->is_off_path = true;
    return self->has_goals;
}

/// The cells of the goals that lie inside, each once with its least offset.
static size_t collect_goals(const rp_session_t *self, const rp_destination_t *goals, size_t count,
                            rp_goal_t *cells)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        rp_goal_t goal = {.offset = goals[i].offset};
        if (!rp_world_cell_at(self->world, goals[i].x_m, goals[i].y_m, &goal.cell)) {
            continue;
        }
        size_t same = 0;
        while (same < kept && cells[same].cell != goal.cell) {
            same++;
        }
        if (same == kept) {
            cells[kept++] = goal;
        } else if (goal.offset < cells[same].offset) {
            cells[same].offset = goal.offset;
        }
    }
    return kept;
}

rp_status_t rp_session_aim(rp_session_t *self, const rp_destination_t *goals, size_t count,
                           uint64_t goal_id)
{
    const uint32_t capabilities = rp_planner_about(self->planner)->capabilities;
    if ((count > 1 || goals[0].offset != 0) && (capabilities & RP_CAN_GOAL_SET) == 0) {
        return RP_E_UNSUPPORTED;
    }
    rp_goal_t *cells = malloc(count * sizeof *cells);
    if (cells == NULL) {
        return RP_E_MEMORY;
    }
    free(self->goals);
    self->goals = cells;
    self->goal_count = collect_goals(self, goals, count, cells);
    self->goal_id = goal_id;
    self->has_goals = true;
    self->goals_are_new = true;
    return RP_OK;
}

// ---- planning

/// Bring the planner to the newest version of the layer, the newest pose and goals.
static rp_status_t catch_up(rp_session_t *self)
{
    const rp_world_t *world = self->world;
    if (self->heard != world->version) {
        rp_status_t status = rp_layer_catch_up(self->layer, self->planner, self->heard);
        if (status == RP_E_LIMIT) {
            status = rp_planner_bind(self->planner, self->layer->grid);
        }
        if (status != RP_OK) {
            return status;
        }
        self->heard = world->version;
    }
    const rp_status_t status = rp_planner_set_start(self->planner, self->at);
    return status != RP_OK ? status
                           : rp_planner_set_goals(self->planner, self->goals, self->goal_count);
}

static rp_answer_outcome_t outcome_of(rp_outcome_t outcome)
{
    switch (outcome) {
    case RP_OUTCOME_FOUND:
        return RP_ANSWER_FOUND;
    case RP_OUTCOME_NO_PATH:
        return RP_ANSWER_NO_PATH;
    case RP_OUTCOME_START_BLOCKED:
        return RP_ANSWER_START_BLOCKED;
    case RP_OUTCOME_GOAL_BLOCKED:
        return RP_ANSWER_GOAL_BLOCKED;
    }
    return RP_ANSWER_NONE;
}

/// True when what was said before still holds, so that nothing needs to be said.
static bool still_holds(const rp_session_t *self, rp_answer_outcome_t outcome, double cost,
                        rp_reason_t *reason)
{
    if (self->path_seq == 0) {
        *reason = RP_REASON_FIRST;
        return false;
    }
    if (self->goals_are_new) {
        *reason = RP_REASON_GOAL;
        return false;
    }
    if (self->is_off_path) {
        *reason = RP_REASON_OFF_PATH;
        return false;
    }
    *reason = RP_REASON_INVALID;
    if (outcome != self->outcome || outcome != RP_ANSWER_FOUND) {
        return outcome == self->outcome;
    }
    const double kept = remaining_cost(self);
    if (kept < 0.0) {
        return false;
    }
    *reason = RP_REASON_CHEAPER;
    return kept <= cost + SAME_COST * cost;
}

static rp_status_t conclude(rp_session_t *self, rp_answer_outcome_t outcome, const rp_plan_t *plan,
                            bool *is_new)
{
    const double cost = outcome == RP_ANSWER_FOUND ? plan->cost : 0.0;
    rp_reason_t reason;
    *is_new = !still_holds(self, outcome, cost, &reason);
    if (*is_new && outcome == RP_ANSWER_FOUND) {
        const rp_status_t status = keep_path(self, &plan->path);
        if (status != RP_OK) {
            return status;
        }
    }
    self->version = self->world->version;
    self->cost = cost;
    self->goals_are_new = false;
    self->is_off_path = false;
    self->said_goal_id = self->goal_id;
    self->said_pose_seq = self->pose_seq;
    if (!*is_new) {
        return RP_OK;
    }
    self->outcome = outcome;
    self->reason = reason;
    self->said_at = self->at;
    self->said_step = 0;
    self->step_count = outcome == RP_ANSWER_FOUND ? self->step_count : 0;
    self->last_said = self->version;
    self->path_seq++;
    self->expansions = plan != NULL ? plan->stats.expanded : 0;
    self->said_cause = self->cause;
    return RP_OK;
}

rp_status_t rp_session_plan(rp_session_t *self, uint64_t *budget, bool *is_new)
{
    // The smallest budget still buys one expansion, so that each step gets somewhere.
    const uint64_t expansions = *budget > LEAST_COST ? *budget - LEAST_COST : 1u;
    *budget -= *budget < LEAST_COST ? *budget : LEAST_COST;
    if (self->at == RP_NO_CELL || self->goal_count == 0) {
        return conclude(self, RP_ANSWER_OUTSIDE, NULL, is_new);
    }
    rp_status_t status = catch_up(self);
    if (status != RP_OK) {
        return status;
    }
    rp_plan_t plan;
    status = rp_planner_plan(self->planner, expansions, &plan);
    if (status == RP_MORE) {
        *budget = 0;
    }
    if (status != RP_OK) {
        return status;
    }
    *budget -= plan.stats.expanded < *budget ? plan.stats.expanded : *budget;
    return conclude(self, outcome_of(plan.outcome), &plan, is_new);
}

// ---- what it says

void rp_session_say(const rp_session_t *self, rp_answer_t *answer)
{
    const rp_grid_t *grid = self->layer->grid;
    const bool is_inside = self->said_at != RP_NO_CELL;
    *answer = (rp_answer_t){
        .session = self->id,
        .world = self->world->id,
        .version = self->is_unsure ? self->version : self->world->version,
        .path_seq = self->path_seq,
        .goal_id = self->said_goal_id,
        .pose_seq = self->said_pose_seq,
        .outcome = self->outcome,
        .reason = self->reason,
        .cost = self->cost,
        .start_x = is_inside ? rp_grid_x(grid, self->said_at) : 0u,
        .start_y = is_inside ? rp_grid_y(grid, self->said_at) : 0u,
        .steps = self->steps != NULL ? self->steps + self->said_step : NULL,
        .step_count = self->step_count - self->said_step,
        .expansions = self->expansions,
        .cause = self->said_cause,
    };
}

// ---- birth and death

rp_status_t rp_session_new(rp_world_t *world, rp_session_id_t id,
                           const rp_session_options_t *options, rp_session_t **session)
{
    rp_session_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return RP_E_MEMORY;
    }
    self->world = world;
    rp_status_t status = rp_world_borrow_layer(world, &options->body, &self->layer);
    const char *planner = options->planner != NULL ? options->planner : "auto";
    if (status == RP_OK) {
        status = rp_planner_new(planner, &options->planner_options, &self->planner);
    }
    if (status == RP_OK) {
        status = rp_planner_bind(self->planner, self->layer->grid);
    }
    if (status != RP_OK) {
        rp_session_destroy(&self);
        return status;
    }
    self->id = id;
    self->heard = world->version;
    *session = self;
    return RP_OK;
}

void rp_session_destroy(rp_session_t **self)
{
    rp_session_t *session = *self;
    if (session == NULL) {
        return;
    }
    rp_planner_destroy(&session->planner);
    rp_world_return_layer(session->world, session->layer);
    free(session->goals);
    free(session->steps);
    free(session);
    *self = NULL;
}
