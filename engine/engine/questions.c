/// Questions that an engine is asked: what is opened for them, and what needs no search at all.
#include "replan/engine.h"

#include <stdlib.h>
#include <string.h>

#include "engine/core.h"
#include "engine/paths/escape.h"
#include "engine/query/driven_check.h"

/// The sessions that a question names.
/// @return RP_E_UNKNOWN when one is not of this world; RP_E_UNSUPPORTED when one has motion, which
///         has no field
static rp_status_t find_sessions(const rp_engine_t *self, const rp_world_t *world,
                                 const rp_question_t *question, rp_session_t **sessions)
{
    for (size_t i = 0; i < question->session_count; i++) {
        sessions[i] = rp_engine_session(self, question->sessions[i]);
        if (sessions[i] == NULL || sessions[i]->world != world) {
            return RP_E_UNKNOWN;
        }
        if (sessions[i]->driver != NULL && question->kind == RP_QUERY_FIELD) {
            return RP_E_UNSUPPORTED;
        }
    }
    return RP_OK;
}

rp_status_t rp_engine_start_query(rp_engine_t *self, rp_world_id_t world,
                                  const rp_question_t *question, rp_query_id_t *ask)
{
    rp_world_t *asked = rp_engine_world(self, world);
    if (asked == NULL) {
        return RP_E_UNKNOWN;
    }
    if (question == NULL || ask == NULL ||
        (question->sessions == NULL && question->session_count != 0)) {
        return RP_E_INVALID;
    }
    if (self->ask_count == RP_QUERIES_MAX || question->session_count > RP_QUERY_JOBS_MAX ||
        question->from_count > RP_QUERY_JOBS_MAX || question->to_count > RP_QUERY_JOBS_MAX) {
        return RP_E_LIMIT;
    }
    uint32_t place;
    rp_session_t **sessions = calloc(question->session_count + 1u, sizeof(rp_session_t *));
    rp_query_t *opened;
    rp_status_t status = sessions != NULL ? rp_table_take(&self->asks, &place) : RP_E_MEMORY;
    status = status == RP_OK ? find_sessions(self, asked, question, sessions) : status;
    status = status == RP_OK ? rp_query_new(asked, question, sessions, &opened) : status;
    free(sessions);
    if (status == RP_OK) {
        self->asks.items[place] = opened;
        self->ask_count++;
        *ask = rp_table_handle(&self->asks, place);
    }
    return status;
}

const rp_query_result_t *rp_engine_query_result(const rp_engine_t *self, rp_query_id_t ask)
{
    const rp_query_t *asked = self != NULL ? rp_table_get(&self->asks, ask) : NULL;
    return asked != NULL && asked->is_answered ? &asked->result : NULL;
}

void rp_engine_forget(rp_engine_t *self, rp_query_id_t ask)
{
    rp_query_t *asked = self != NULL ? rp_table_get(&self->asks, ask) : NULL;
    if (asked != NULL) {
        rp_table_clear(&self->asks, ask);
        self->ask_count--;
        rp_query_destroy(&asked);
    }
}

/// The layer of a session, derived. @return NULL when there is no such session
static const rp_layer_t *layer_of(const rp_session_t *session)
{
    uint64_t budget = UINT64_MAX;
    if (session == NULL) {
        return NULL;
    }
    rp_world_complete(session->world);
    (void)rp_layer_derive(session->layer, session->world->version, &budget);
    return session->layer;
}

size_t rp_engine_walk(rp_engine_t *self, rp_session_id_t session, uint32_t start_x,
                      uint32_t start_y, const uint8_t *steps, size_t count, uint32_t *offenders,
                      size_t capacity, double *cost)
{
    const rp_layer_t *layer = layer_of(rp_engine_session(self, session));
    if (cost == NULL || (steps == NULL && count != 0) || (offenders == NULL && capacity != 0)) {
        return 0;
    }
    *cost = -1.0;
    if (layer == NULL || !rp_grid_contains(layer->grid, start_x, start_y)) {
        return 0;
    }
    return rp_published_path_walk(layer->grid, rp_grid_cell(layer->grid, start_x, start_y), steps,
                                  count, offenders, capacity, cost);
}

rp_status_t rp_engine_drive(rp_engine_t *self, rp_session_id_t session,
                            const rp_path_segment_t *segments, size_t count, double radius_m,
                            const rp_polygon_body_t *footprint, rp_curve_report_t *report)
{
    const rp_session_t *asked = rp_engine_session(self, session);
    const rp_question_t curve = {
        .segments = segments, .segment_count = count, .radius_m = radius_m, .footprint = footprint};
    rp_driven_check_t *check;
    uint64_t budget = UINT64_MAX;
    if (asked == NULL) {
        return RP_E_UNKNOWN;
    }
    if ((segments == NULL && count != 0) || report == NULL) {
        return RP_E_INVALID;
    }
    rp_world_complete(asked->world);
    rp_status_t status = rp_driven_check_new(asked, &curve, &check);
    if (status == RP_OK) {
        status = rp_driven_check_work(check, asked->world->bytes, &budget, report);
        rp_driven_check_destroy(&check);
    }
    return status;
}

rp_status_t rp_engine_factors(rp_engine_t *self, rp_session_id_t session, uint8_t *factors)
{
    const rp_layer_t *layer = layer_of(rp_engine_session(self, session));
    if (layer == NULL) {
        return RP_E_UNKNOWN;
    }
    if (factors == NULL) {
        return RP_E_INVALID;
    }
    const rp_grid_t *grid = layer->grid;
    const uint32_t width = grid->shape.width;
    for (uint32_t y = 0; y < grid->shape.height; y++) {
        memcpy(factors + (size_t)y * width, grid->factor + rp_grid_cell(grid, 0, y), width);
    }
    return RP_OK;
}

/// Where an agent is, or the middle of a cell that it is not in.
static rp_pose_t pose_in(const rp_session_t *session, rp_cell_t cell)
{
    const rp_grid_t *grid = session->layer->grid;
    rp_pose_t pose = rp_world_pose_at(session->world, session->position.x_m, session->position.y_m);
    if (!session->position.has_pose || pose.cell != cell) {
        pose.cell = cell;
        pose.x = rp_grid_x(grid, cell) + 0.5;
        pose.y = rp_grid_y(grid, cell) + 0.5;
    }
    return pose;
}

size_t rp_engine_walk_way(rp_engine_t *self, rp_session_id_t session, uint32_t start_x,
                          uint32_t start_y, const uint8_t *steps, size_t count, uint32_t end_x,
                          uint32_t end_y, uint32_t *offenders, size_t capacity)
{
    const rp_session_t *walker = rp_engine_session(self, session);
    const rp_layer_t *layer = layer_of(walker);
    if (layer == NULL || count == 0) {
        return 0;
    }
    if (steps == NULL || (offenders == NULL && capacity != 0) ||
        !rp_grid_contains(layer->grid, start_x, start_y) ||
        !rp_grid_contains(layer->grid, end_x, end_y)) {
        if (offenders != NULL && capacity != 0) {
            offenders[0] = (uint32_t)count;
        }
        return 1;
    }
    const rp_pose_t pose = pose_in(walker, rp_grid_cell(layer->grid, start_x, start_y));
    return rp_way_walk(layer, &pose, steps, count, rp_grid_cell(layer->grid, end_x, end_y),
                       offenders, capacity);
}

size_t rp_engine_past(const rp_engine_t *self, rp_session_id_t session, rp_past_answer_t *published)
{
    const rp_session_t *asked = rp_engine_session(self, session);
    const size_t count = asked != NULL && published != NULL ? asked->published.past.count : 0u;
    for (size_t i = 0; i < count; i++) {
        published[i] = *rp_answer_history_get(&asked->published.past, i);
    }
    return count;
}
