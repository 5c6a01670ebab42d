/// Copies of layers, and a list of jobs: each is a start and a set of goals. Costs and
/// fields lead many starts to few goals, which a field from the goals answers; a probe asks for
/// each pair twice, before and after the change, and both times finds out where agents begin.
#include "engine/query/query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/budget.h"
#include "engine/query/copy.h"
#include "engine/query/query_result.h"
#include "engine/session/endpoints.h"

/// What a job costs at least, in expansions: budgets must end.
#define LEAST_COST 64u

/// What is copied before the asker goes on, in expansions: all of a world of 512 x 512, and what
/// agents see of it.
#define COPIED_AT_ONCE 13312u

// ---- the copies

static rp_status_t add_copy(rp_query_t *self, rp_layer_t *layer, uint32_t *place)
{
    for (*place = 0; *place < self->layer_count; ++*place) {
        if (self->layers[*place] == layer) {
            return RP_OK;
        }
    }
    const rp_status_t status =
        rp_grid_snapshot_init(&self->snapshots[*place], layer, self->world->version);
    if (status == RP_OK) {
        self->layers[self->layer_count++] = layer;
        layer->users++;
    }
    return status;
}

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
    if (self->departure_count != 0 &&
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
    rp_budget_pay(budget, LEAST_COST);
    const rp_status_t status = rp_driven_probe_go(&self->drives[self->at],
                                                  self->snapshots[job->layer].grid, budget, &plan);
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

rp_status_t rp_query_work(rp_query_t *self, uint64_t *budget)
{
    const rp_status_t copied = self->world != NULL ? copy_layers(self, budget) : RP_OK;
    if (copied != RP_OK) {
        return copied;
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

// ---- questions

static rp_status_t add_goals(rp_query_t *self, const rp_goal_t *goals, size_t count, size_t *first)
{
    *first = self->goal_count;
    if (!rp_array_reserve(&self->goals, &self->goal_capacity, self->goal_count + count,
                          sizeof *self->goals)) {
        return RP_E_MEMORY;
    }
    if (count != 0) {
        memcpy(&self->goals[*first], goals, count * sizeof *goals);
    }
    self->goal_count += count;
    return RP_OK;
}

static rp_cell_t place_of(const rp_world_t *world, const rp_destination_t *point)
{
    rp_cell_t cell = RP_NO_CELL;
    (void)rp_world_cell_at(world, point->x_m, point->y_m, &cell);
    return cell;
}

/// A start and one goal, both points.
static rp_status_t add_pair(rp_query_t *self, const rp_world_t *world, const rp_destination_t *from,
                            const rp_destination_t *to)
{
    const rp_goal_t goal = {.cell = place_of(world, to)};
    rp_query_job_t *job = &self->jobs[self->job_count++];
    *job = (rp_query_job_t){.start = place_of(world, from),
                            .goal_count = goal.cell != RP_NO_CELL,
                            .offset = RP_GOAL_SPEC_OUTSIDE};
    return add_goals(self, &goal, job->goal_count, &job->goals);
}

/// The goals that a session has by its goal specification, in the world as it is now.
/// @param at  where the agent is, or RP_NO_CELL: a large area is its rim for all
/// @param is_rim  written: it is
static rp_status_t add_specified(rp_query_t *self, const rp_session_t *session, rp_cell_t at,
                                 size_t *first, size_t *count, bool *is_rim)
{
    rp_goal_list_t goals = {0};
    rp_destination_t place;
    const rp_goal_spec_t goal_spec = rp_endpoints_goal_spec(session, &place);
    rp_status_t status = rp_endpoints_are_lost(session)
                             ? RP_OK
                             : rp_goal_spec_goals(&goal_spec, session->world, at, &goals);
    *count = goals.count;
    *is_rim = goals.is_rim;
    status = status == RP_OK ? add_goals(self, goals.goals, goals.count, first) : status;
    rp_goal_list_fini(&goals);
    return status;
}

/// The goals of a session as each cell around it sees them: of an area too large to be named in
/// full the rim, whether or not the agent is inside.
/// @param first, count, is_rim  written
static rp_status_t add_goals_around(rp_query_t *self, const rp_session_t *session, size_t *first,
                                    size_t *count, bool *is_rim)
{
    if (session->goal.is_rim || session->goal.is_stale) {
        return add_specified(self, session, RP_NO_CELL, first, count, is_rim);
    }
    *count = session->goal.count;
    *is_rim = false;
    return add_goals(self, session->goal.cells, session->goal.count, first);
}

/// An agent, and the goals that it planned for last: void when the world became another window
/// since, or the target moved.
static rp_status_t add_session(rp_query_t *self, rp_session_t *session)
{
    rp_query_job_t *job = &self->jobs[self->job_count];
    rp_departure_t *departure = &self->departures[self->job_count++];
    bool is_rim;
    *job =
        (rp_query_job_t){.start = session->position.has_pose ? session->position.from : RP_NO_CELL,
                         .offset = RP_GOAL_SPEC_OUTSIDE};
    rp_status_t status = add_copy(self, session->layer, &job->layer);
    if (session->driver != NULL) {
        return status == RP_OK ? rp_driven_probe_init(&self->drives[self->job_count - 1u], session)
                               : status;
    }
    if (status == RP_OK) {
        status = add_goals_around(self, session, &job->goals, &job->goal_count, &is_rim);
    }
    return status == RP_OK ? rp_departure_init(departure, session, is_rim) : status;
}

static rp_status_t take_costs(rp_query_t *self, const rp_world_t *world,
                              const rp_question_t *question)
{
    // Column by column: all starts to one goal, one after the other.
    rp_status_t status = RP_OK;
    for (size_t i = 0; i < self->result.count && status == RP_OK; i++) {
        status = add_pair(self, world, &question->from[i % question->from_count],
                          &question->to[i / question->from_count]);
    }
    return status;
}

static rp_status_t take_probe(rp_query_t *self, const rp_world_t *world,
                              const rp_question_t *question, rp_session_t *const *sessions)
{
    rp_status_t status = RP_OK;
    for (size_t i = 0; i < question->session_count && status == RP_OK; i++) {
        status = add_session(self, sessions[i]);
        self->departure_count++;
    }
    if (status == RP_OK && self->departure_count != 0) {
        status = rp_probe_ground_init(&self->ground, world, self->layer_count);
    }
    for (size_t i = 0; i < question->from_count && status == RP_OK; i++) {
        status = add_pair(self, world, &question->from[i], &question->to[i]);
    }
    return status;
}

static rp_status_t take_field(rp_query_t *self, const rp_session_t *session)
{
    uint32_t layer;
    size_t goals = 0;
    size_t goal_count = 0;
    bool is_rim = false;
    rp_destination_t place;
    const rp_goal_spec_t goal_spec = rp_endpoints_goal_spec(session, &place);
    rp_status_t status = add_copy(self, session->layer, &layer);
    if (status == RP_OK) {
        status = add_goals_around(self, session, &goals, &goal_count, &is_rim);
    }
    for (size_t i = 0; i < self->result.count && status == RP_OK; i++) {
        const uint32_t x = self->result.x + (uint32_t)(i % self->result.width);
        const uint32_t y = self->result.y + (uint32_t)(i / self->result.width);
        const rp_cell_t cell = rp_grid_cell(session->layer->grid, x, y);
        const uint32_t offset =
            is_rim ? rp_goal_spec_offset(&goal_spec, session->world, cell) : RP_GOAL_SPEC_OUTSIDE;
        self->jobs[self->job_count++] = (rp_query_job_t){layer, cell, goals, goal_count, offset};
    }
    return status;
}

static bool is_legal(const rp_question_t *question, rp_session_t *const *sessions)
{
    if ((question->from == NULL && question->from_count != 0) ||
        (question->to == NULL && question->to_count != 0)) {
        return false;
    }
    switch (question->kind) {
    case RP_QUERY_COSTS:
        return question->from_count != 0 && question->to_count != 0 && question->session_count == 0;
    case RP_QUERY_PROBE:
        return question->edit != NULL && question->from_count == question->to_count &&
               question->from_count + question->session_count != 0;
    case RP_QUERY_FIELD:
        return question->session_count == 1 && sessions[0]->position.has_pose &&
               sessions[0]->position.at != RP_NO_CELL;
    }
    return false;
}

/// Numbers and rooms for the answers.
static rp_status_t make_room(rp_query_t *self, const rp_question_t *question,
                             rp_session_t *const *sessions)
{
    rp_query_result_t *result = &self->result;
    if (question->kind == RP_QUERY_FIELD) {
        rp_query_result_frame(result, sessions[0]->layer->grid, sessions[0]->position.at,
                              question->reach);
    } else {
        result->count = question->kind == RP_QUERY_COSTS
                            ? question->from_count * question->to_count
                            : question->session_count + question->from_count;
    }
    if (result->count > RP_QUERY_JOBS_MAX) {
        return RP_E_LIMIT;
    }
    self->jobs = calloc(result->count, sizeof *self->jobs);
    self->departures = calloc(question->session_count + 1u, sizeof *self->departures);
    self->drives = calloc(question->session_count + 1u, sizeof *self->drives);
    const bool has_room = self->jobs != NULL && self->departures != NULL && self->drives != NULL;
    return has_room ? rp_query_result_init(result, question->kind) : RP_E_MEMORY;
}

/// The change of a probe, with arrays of its own.
static rp_status_t keep_edit(rp_query_t *self, const rp_world_t *world, const rp_edit_t *edit)
{
    if (!rp_world_holds_edit(world, edit)) {
        return RP_E_INVALID;
    }
    self->edit = *edit;
    self->edit.data = edit->data != NULL ? rp_copy_of(edit->data, rp_edit_data_bytes(edit)) : NULL;
    self->edit.cells = rp_copy_of(edit->cells, edit->cell_count * sizeof *edit->cells);
    self->edit.values = edit->values != NULL ? rp_copy_of(edit->values, edit->cell_count) : NULL;
    return (edit->data != NULL && self->edit.data == NULL) || self->edit.cells == NULL ||
                   (edit->values != NULL && self->edit.values == NULL)
               ? RP_E_MEMORY
               : RP_OK;
}

static rp_status_t take(rp_query_t *self, rp_world_t *world, const rp_question_t *question,
                        rp_session_t *const *sessions)
{
    uint32_t first;
    rp_status_t status = make_room(self, question, sessions);
    if (status != RP_OK) {
        return status;
    }
    self->world = world;
    status = add_copy(self, world->layers[0], &first); // that of points
    if (status == RP_OK && question->kind == RP_QUERY_PROBE) {
        status = keep_edit(self, world, question->edit);
    }
    if (status != RP_OK) {
        return status;
    }
    status = question->kind == RP_QUERY_COSTS   ? take_costs(self, world, question)
             : question->kind == RP_QUERY_PROBE ? take_probe(self, world, question, sessions)
                                                : take_field(self, sessions[0]);
    self->bound_to = self->layer_count;
    return status;
}

// ---- birth and death

rp_status_t rp_query_new(rp_world_t *world, const rp_question_t *question,
                         rp_session_t *const *sessions, rp_query_t **ask)
{
    if (!is_legal(question, sessions)) {
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
    status = status == RP_OK ? take(self, world, question, sessions) : status;
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
