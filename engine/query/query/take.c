/// What a question asks for: the layers that are copied, jobs and goals, the agents of a probe, a
/// curve.
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "engine/query/copy.h"
#include "engine/query/query.h"
#include "engine/query/query_result.h"
#include "engine/session/endpoints.h"

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

/// Only the rows that the curve may come near are copied.
static rp_status_t take_curve(rp_query_t *self, const rp_world_t *world,
                              const rp_question_t *question, const rp_session_t *session)
{
    rp_status_t status = rp_driven_check_new(session, question, &self->check);
    status = status == RP_OK ? rp_probe_ground_init(&self->ground, world, 1) : status;
    if (status == RP_OK) {
        self->ground.first = self->ground.row = self->check->first_row;
        self->ground.end = self->check->end_row;
    }
    return status;
}

bool rp_query_is_legal(const rp_question_t *question, rp_session_t *const *sessions)
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
    case RP_QUERY_DRIVE:
        return question->session_count == 1 &&
               (question->segments != NULL || question->segment_count == 0);
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

rp_status_t rp_query_take(rp_query_t *self, rp_world_t *world, const rp_question_t *question,
                          rp_session_t *const *sessions)
{
    uint32_t first;
    rp_status_t status = make_room(self, question, sessions);
    if (status != RP_OK) {
        return status;
    }
    self->world = world;
    if (question->kind == RP_QUERY_DRIVE) {
        return take_curve(self, world, question, sessions[0]);
    }
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
