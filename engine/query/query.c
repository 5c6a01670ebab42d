/// Copies of layers, and a list of jobs: each is a start and a set of goals. Costs and
/// fields lead many starts to few goals, which a field from the goals answers; a probe asks for
/// each pair twice, before and after the change, and both times finds out where agents begin.
#include "engine/query/query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "engine/query/query_result.h"

/// What a job costs at least, in expansions: budgets must end.
#define LEAST_COST 64u

/// What is copied before the asker goes on, in expansions: all of a world of 512 x 512, and what
/// agents see of it.
#define COPIED_AT_ONCE 13312u

// ---- the copies

/// The layers are not needed any more.
static void return_layers(rp_query_t *self)
{
    for (uint32_t i = 0; i < self->layer_count && self->world != NULL; i++) {
        rp_world_return_layer(self->world, self->layers[i]);
    }
    self->world = NULL;
}

/// What the change of a probe makes of the layers, and what its agents see.
static rp_status_t prepare_probe(rp_query_t *self)
{
    rp_status_t status = RP_OK;
    rp_probe_ground_open(&self->ground, self->world, self->snapshots);
    for (uint32_t i = 0; i < self->layer_count && status == RP_OK; i++) {
        rp_what_if_fini(&self->patches[i]);
        status = rp_what_if_init(&self->patches[i], self->world, self->layers[i], &self->edit);
    }
    return status;
}

/// Go on copying, until all copies are true for one and the same version.
/// @return RP_MORE when the budget was spent first; RP_E_MEMORY
static rp_status_t copy_layers(rp_query_t *self, uint64_t *budget)
{
    if (!rp_world_is_written(self->world)) {
        return RP_MORE;
    }
    for (uint32_t i = 0; i < self->layer_count; i++) {
        if (rp_grid_snapshot_work(&self->snapshots[i], self->world->version, budget) != RP_OK) {
            return RP_MORE;
        }
    }
    if (self->ground.bytes != NULL &&
        rp_probe_ground_copy(&self->ground, self->world, budget) != RP_OK) {
        return RP_MORE;
    }
    const rp_status_t status = self->kind == RP_QUERY_PROBE ? prepare_probe(self) : RP_OK;
    if (status != RP_OK) {
        return status;
    }
    self->result.version = self->world->version;
    return_layers(self);
    return RP_OK;
}

void rp_query_part(rp_query_t *self)
{
    uint64_t budget = UINT64_MAX;
    if (self->world != NULL) {
        rp_world_complete(self->world);
    }
    if (self->world != NULL && copy_layers(self, &budget) != RP_OK) {
        return_layers(self); // no memory for the patches: it is answered as if nothing changed
    }
}

/// Write the change of a probe into the copies. @return RP_MORE when the budget was spent first
static rp_status_t write_patches(rp_query_t *self, uint64_t *budget)
{
    for (uint32_t i = 0; i < self->layer_count; i++) {
        if (rp_what_if_write(&self->patches[i], self->snapshots[i].grid, budget) != RP_OK) {
            return RP_MORE;
        }
    }
    return self->departure_count != 0 ? rp_probe_ground_write(&self->ground, &self->edit, budget)
                                      : RP_OK;
}

/// Begin the second half of a probe, with the change.
/// @return RP_MORE when the budget was spent first
static rp_status_t turn_to_change(rp_query_t *self, uint64_t *budget)
{
    if (write_patches(self, budget) != RP_OK) {
        return RP_MORE;
    }
    for (size_t i = 0; i < self->departure_count; i++) {
        rp_departure_start_over(&self->departures[i]);
        rp_driven_probe_start_over(&self->drives[i]);
    }
    self->is_second = true;
    self->at = 0;
    rp_planner_start_over(self->planner);
    return RP_OK;
}

// ---- searching

static bool leads_to_same(const rp_query_t *self, const rp_query_job_t *a, const rp_query_job_t *b)
{
    return a->layer == b->layer && a->goal_count == b->goal_count &&
           (a->goals == b->goals || memcmp(&self->goals[a->goals], &self->goals[b->goals],
                                           a->goal_count * sizeof *self->goals) == 0);
}

/// The agent of a job. @return NULL: it is of a point
static rp_departure_t *departure_of(const rp_query_t *self)
{
    return self->at < self->departure_count ? &self->departures[self->at] : NULL;
}

static rp_departure_scene_t scene_of(rp_query_t *self, const rp_query_job_t *job)
{
    return (rp_departure_scene_t){.ground = &self->ground,
                                  .view = job->layer,
                                  .goals = self->goals + job->goals,
                                  .goal_count = job->goal_count};
}

/// Prepare the planner for a job.
static rp_status_t set_out(rp_query_t *self, const rp_query_job_t *job, rp_cell_t start)
{
    rp_status_t status = RP_OK;
    const bool is_rebound = self->bound_to != job->layer;
    if (is_rebound) {
        status = rp_planner_bind(self->planner, self->snapshots[job->layer].grid);
        self->bound_to = status == RP_OK ? job->layer : self->layer_count;
    }
    if (status == RP_OK) {
        status = rp_planner_set_start(self->planner, start);
    }
    if (status == RP_OK &&
        (is_rebound || self->aimed == NULL || !leads_to_same(self, job, self->aimed))) {
        status = rp_planner_set_goals(self->planner, &self->goals[job->goals], job->goal_count);
        self->aimed = status == RP_OK ? job : NULL;
    }
    return status;
}

/// Where a job begins now.
typedef struct beginning {
    rp_cell_t cell;  ///< RP_NO_CELL: nowhere
    uint32_t offset; ///< as rp_query_job_t.offset
} beginning_t;

/// @return RP_MORE, RP_E_MEMORY
static rp_status_t find_beginning(rp_query_t *self, const rp_query_job_t *job,
                                  beginning_t *beginning, uint64_t *budget)
{
    rp_departure_t *departure = departure_of(self);
    *beginning = (beginning_t){job->start, job->offset};
    if (departure == NULL || job->start == RP_NO_CELL) {
        return RP_OK;
    }
    const rp_departure_scene_t scene = scene_of(self, job);
    const rp_status_t status = rp_departure_go(departure, &scene, budget);
    *beginning = (beginning_t){departure->at, departure->offset};
    return status;
}

/// True when it costs no less to go on from there than to stop, where that is a goal.
static bool ends_there(const rp_query_t *self, const rp_query_job_t *job, beginning_t beginning,
                       const rp_plan_t *plan)
{
    return beginning.cell != RP_NO_CELL && beginning.offset != RP_GOAL_SPEC_OUTSIDE &&
           self->snapshots[job->layer].grid->factor[beginning.cell] != 0 &&
           (plan->outcome != RP_OUTCOME_FOUND || beginning.offset <= plan->cost);
}

/// @param plan  NULL: it ends where it begins
static void note(rp_query_t *self, const rp_query_job_t *job, double cost,
                 rp_answer_outcome_t outcome, const rp_plan_t *plan)
{
    rp_query_result_note(&self->result, self->at, self->is_second, cost, outcome);
    if (self->result.steps != NULL && plan != NULL && cost >= 0.0 && plan->path.count > 1) {
        const rp_grid_t *grid = self->snapshots[job->layer].grid;
        self->result.steps[self->at] =
            (uint8_t)rp_path_direction(grid, plan->path.cells[0], plan->path.cells[1]);
    }
}

/// @param plan  written on RP_OK
/// @return RP_MORE when the budget was spent first
static rp_status_t search(rp_query_t *self, const rp_query_job_t *job, rp_cell_t start,
                          rp_plan_t *plan, uint64_t *budget)
{
    *plan = (rp_plan_t){.outcome = RP_OUTCOME_NO_PATH};
    if (start == RP_NO_CELL || job->goal_count == 0) {
        return RP_OK; // an area may have no rim in the world
    }
    rp_status_t status = set_out(self, job, start);
    if (status == RP_OK) {
        status = rp_planner_plan(self->planner,
                                 rp_cached_planner_expansions(self->planner, *budget), plan);
    }
    if (status == RP_MORE) {
        *budget = 0;
    }
    if (status == RP_OK) {
        rp_cached_planner_pay(self->planner, plan, budget);
    }
    return status;
}

/// The job of an agent with motion. @return RP_MORE when the budget was spent first
static rp_status_t drive(rp_query_t *self, uint64_t *budget)
{
    const rp_query_job_t *job = &self->jobs[self->at];
    rp_lattice_plan_t plan;
    const rp_status_t status = rp_driven_probe_go(&self->drives[self->at],
                                                  self->snapshots[job->layer].grid, budget, &plan);
    rp_budget_pay(budget, LEAST_COST); // afterwards, or small steps would never search
    if (status == RP_OK) {
        const bool is_open = rp_driven_probe_is_open(&self->drives[self->at]);
        note(self, job, plan.cost,
             is_open ? rp_query_result_outcome(plan.outcome) : RP_ANSWER_OUTSIDE, NULL);
        self->at++;
    }
    return status;
}

/// @return RP_MORE when the budget was spent first
static rp_status_t run_job(rp_query_t *self, uint64_t *budget)
{
    const rp_query_job_t *job = &self->jobs[self->at];
    rp_departure_t *departure = departure_of(self);
    beginning_t beginning;
    rp_plan_t plan;
    rp_budget_pay(budget, LEAST_COST);
    rp_status_t status = find_beginning(self, job, &beginning, budget);
    if (status == RP_OK) {
        status = search(self, job, beginning.cell, &plan, budget);
    }
    if (status != RP_OK) {
        return status;
    }
    const bool is_there = ends_there(self, job, beginning, &plan);
    const double cost = is_there                           ? beginning.offset
                        : plan.outcome == RP_OUTCOME_FOUND ? plan.cost
                                                           : -1.0;
    const rp_departure_scene_t scene = scene_of(self, job);
    if (departure == NULL || rp_departure_weigh(departure, &scene, cost < 0.0 ? INFINITY : cost)) {
        note(self, job, cost, is_there ? RP_ANSWER_FOUND : rp_query_result_outcome(plan.outcome),
             is_there ? NULL : &plan);
        self->at++;
    }
    return RP_OK;
}

/// The curve that is asked about. @return RP_MORE when the budget was spent first
static rp_status_t check_curve(rp_query_t *self, uint64_t *budget)
{
    rp_query_result_t *result = &self->result;
    result->status = rp_driven_check_work(self->check, self->ground.bytes, budget, &result->curve);
    rp_budget_pay(budget, LEAST_COST); // afterwards, or small steps would never check
    if (result->status == RP_MORE) {
        return RP_MORE;
    }
    const bool is_free = result->status == RP_OK && result->curve.is_free;
    result->costs[0] = is_free ? result->curve.cost : -1.0;
    self->is_answered = true;
    return RP_OK;
}

rp_status_t rp_query_work(rp_query_t *self, uint64_t *budget)
{
    const rp_status_t copied = self->world != NULL ? copy_layers(self, budget) : RP_OK;
    if (copied != RP_OK) {
        return copied;
    }
    if (self->check != NULL) {
        return check_curve(self, budget);
    }
    while (!self->is_answered) {
        if (self->at == self->job_count) {
            if (self->kind != RP_QUERY_PROBE || self->is_second) {
                self->is_answered = true;
                break;
            }
            const rp_status_t status = turn_to_change(self, budget);
            if (status != RP_OK) {
                return status;
            }
            continue;
        }
        if (*budget == 0) {
            return RP_MORE;
        }
        const bool drives =
            self->at < self->departure_count && rp_driven_probe_is_there(&self->drives[self->at]);
        const rp_status_t status = drives ? drive(self, budget) : run_job(self, budget);
        if (status != RP_OK) {
            return status;
        }
    }
    return RP_OK;
}

// ---- birth and death

rp_status_t rp_query_new(rp_world_t *world, const rp_question_t *question,
                         rp_session_t *const *sessions, rp_query_t **ask)
{
    if (!rp_query_is_legal(question, sessions)) {
        return RP_E_INVALID;
    }
    rp_query_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return RP_E_MEMORY;
    }
    self->kind = question->kind;
    const bool is_probe = question->kind == RP_QUERY_PROBE;
    const rp_planner_options_t options = {.open = is_probe ? RP_OPEN_BUCKETS : RP_OPEN_HEAP};
    rp_status_t status = rp_planner_new(is_probe ? "astar" : "flow", &options, &self->planner);
    status = status == RP_OK ? rp_query_take(self, world, question, sessions) : status;
    if (status == RP_OK) {
        uint64_t budget = COPIED_AT_ONCE;
        status = copy_layers(self, &budget);
        status = status == RP_MORE ? RP_OK : status;
    }
    if (status != RP_OK) {
        rp_query_destroy(&self);
        return status;
    }
    *ask = self;
    return RP_OK;
}

void rp_query_destroy(rp_query_t **self)
{
    rp_query_t *ask = *self;
    if (ask == NULL) {
        return;
    }
    rp_planner_destroy(&ask->planner);
    return_layers(ask);
    rp_probe_ground_fini(&ask->ground);
    rp_driven_check_destroy(&ask->check);
    for (size_t i = 0; i < ask->departure_count; i++) {
        rp_departure_fini(&ask->departures[i]);
        rp_driven_probe_fini(&ask->drives[i]);
    }
    free(ask->departures);
    free(ask->drives);
    for (uint32_t i = 0; i < ask->layer_count; i++) {
        rp_grid_snapshot_fini(&ask->snapshots[i]);
        rp_what_if_fini(&ask->patches[i]);
    }
    free((void *)ask->edit.data);
    free((void *)ask->edit.cells);
    free((void *)ask->edit.values);
    free(ask->jobs);
    free(ask->goals);
    rp_query_result_fini(&ask->result);
    free(ask);
    *self = NULL;
}
