/// Questions: the newest answer of an agent, what a path or a change would cost.
#include "daemon/requests/handlers/handle_query.h"

#include <assert.h>
#include <string.h>

#include "daemon/rules/bodies.h"
#include "daemon/rules/window_shift.h"
#include "daemon/serving/encode.h"

static_assert(RP_LIMIT_QUESTIONS == RP_QUERIES_MAX && RP_LIMIT_SEARCHES == RP_QUERY_JOBS_MAX,
              "the wire refuses what the engine would");

void rp_finish_answer(rp_call_t *call, const rp_agent_t *agent, bool bends, bool segments)
{
    rp_serving_t *self = call->serving;
    rp_answer_t answer;
    Replan__V1__Geometry geometry;
    Replan__V1__Answer message;
    if (agent == NULL || rp_host_answer(self->host, agent->session, &answer) != RP_OK) {
        (void)rp_call_refuse(call, REPLAN__V1__STATUS__UNKNOWN,
                             "agent: it was closed while the request waited");
    } else {
        rp_encode_answer(self, agent, &answer, &geometry, &message);
        message.reason = REPLAN__V1__REASON__REQUESTED;
        if (bends) {
            rp_encode_bends(&self->arena, &message);
        }
        if (segments) {
            rp_encode_segments(&self->arena, &answer, &message);
        }
        call->reply.body_case = REPLAN__V1__REPLY__BODY_ANSWER;
        call->reply.answer = &message;
    }
    rp_call_reply(call);
}

/// Who asks with a deadline takes what there is before it passes: half of the time is the search's.
static uint64_t hasten_us_of(const rp_call_t *call)
{
    const uint64_t half_us = (uint64_t)call->request->deadline_ms * 1000u / 2u;
    return half_us != 0 ? call->deadline_us - half_us : RP_NEVER_US;
}

bool rp_handle_get_answer(rp_call_t *call)
{
    const Replan__V1__GetAnswer *get = call->request->get_answer;
    rp_serving_t *self = call->serving;
    const rp_agent_t *agent = rp_call_agent(call, get->world, get->agent);
    if (agent == NULL) {
        return true;
    }
    const uint64_t ticket = rp_host_look(self->host, agent->session);
    if (rp_host_has_looked(self->host, agent->session, ticket)) {
        rp_finish_answer(call, agent, get->bends, get->segments);
        return false; // replied
    }
    rp_pending_reply_t wait = {.kind = RP_PENDING_SURE,
                               .epoch = agent->world->epoch,
                               .ticket = ticket,
                               .bends = get->bends,
                               .segments = get->segments,
                               .hasten_us = hasten_us_of(call)};
    memcpy(wait.world, agent->world->name, sizeof wait.world);
    memcpy(wait.agent, agent->name, sizeof wait.agent);
    return rp_call_wait(call, &wait);
}

// ---- questions that take searches

static rp_destination_t *points_of(rp_message_arena_t *arena, const double *x, const double *y,
                                   size_t count)
{
    rp_destination_t *points = rp_message_arena_take(arena, (count + 1u) * sizeof *points);
    for (size_t i = 0; i < count && points != NULL; i++) {
        points[i] = (rp_destination_t){.x_m = x[i], .y_m = y[i]};
    }
    return points;
}

/// What a refusal of the question names.
static const char *field_of(const rp_pending_reply_t *wait)
{
    if (wait->is_walk || wait->query_kind == RP_QUERY_DRIVE) {
        return "ask_valid";
    }
    return wait->query_kind == RP_QUERY_COSTS   ? "ask_costs"
           : wait->query_kind == RP_QUERY_PROBE ? "ask_probe.change"
                                                : "ask_field.agent";
}

/// A curve cannot be checked, or its body is none.
static bool refuse_curve(rp_call_t *call, rp_status_t status)
{
    switch (status) {
    case RP_E_LIMIT:
        return rp_call_refuse(call, REPLAN__V1__STATUS__LIMIT,
                              "ask_valid.segment_length: the curve is too long to be checked at "
                              "once, that takes more than %.0f tests of cells, of which a blocked "
                              "one counts for 30 or more: ask in parts",
                              RP_CURVE_TESTS_MAX);
    case RP_E_UNSUPPORTED:
        return rp_call_refuse(call, REPLAN__V1__STATUS__UNSUPPORTED,
                              "ask_valid.body is missing: the agent has no motion, so no body of "
                              "its own");
    case RP_E_INVALID:
        return rp_call_refuse(call, REPLAN__V1__STATUS__INVALID,
                              "ask_valid.body: body.radius_m is more than %g cells",
                              RP_MOTION_RADIUS_MAX);
    default:
        return rp_call_refuse_status(call, status, "ask_valid");
    }
}

static bool refuse_question(rp_call_t *call, rp_status_t status, const rp_pending_reply_t *wait)
{
    const char *what = field_of(wait);
    if (status == RP_E_LIMIT) {
        return rp_call_refuse(call, REPLAN__V1__STATUS__LIMIT,
                              "%s: at most %u questions at the same time, of %u searches each",
                              what, RP_LIMIT_QUESTIONS, RP_LIMIT_SEARCHES);
    }
    if (status == RP_E_INVALID && wait->query_kind == RP_QUERY_FIELD) {
        return rp_call_refuse(call, REPLAN__V1__STATUS__INVALID,
                              "%s: it has no pose, or one outside of the world", what);
    }
    return rp_call_refuse_status(call, status, what);
}

/// Where there are as many questions as there may be, one of whom asks more of them gives way.
static void make_room(rp_call_t *call)
{
    rp_serving_t *self = call->serving;
    rp_pending_reply_t *yielder =
        call->peer == NULL || rp_host_may_ask(self->host)
            ? NULL
            : rp_pending_replies_yielder(&self->pending, call->peer, true, self->now.steady_us);
    if (yielder != NULL) {
        rp_host_forget(self->host, yielder->query);
        rp_pending_replies_yield(&self->pending, yielder);
    }
}

/// Let the call wait for its answer.
static bool await(rp_call_t *call, const rp_served_t *world, rp_pending_reply_t *wait)
{
    memcpy(wait->world, world->name, sizeof wait->world);
    const bool is_refused = rp_call_wait(call, wait);
    if (is_refused) {
        rp_host_forget(call->serving->host, wait->query);
    }
    return is_refused;
}

/// Ask those who plan, and let the call wait until they know.
static bool ask_engine(rp_call_t *call, const rp_served_t *world, const rp_question_t *question)
{
    rp_serving_t *self = call->serving;
    rp_pending_reply_t wait = {.kind = RP_PENDING_QUERY,
                               .epoch = world->epoch,
                               .query_kind = question->kind,
                               .rows = (uint32_t)question->from_count};
    if (!rp_call_may_wait(call)) {
        return true;
    }
    make_room(call);
    const rp_status_t status = rp_host_ask(self->host, world->id, question, &wait.query);
    if (status == RP_OK) {
        return await(call, world, &wait);
    }
    const bool is_refused_curve = question->kind == RP_QUERY_DRIVE && status != RP_E_LIMIT;
    return is_refused_curve ? refuse_curve(call, status) : refuse_question(call, status, &wait);
}

bool rp_handle_ask_costs(rp_call_t *call)
{
    const Replan__V1__AskCosts *ask = call->request->ask_costs;
    rp_message_arena_t *arena = &call->serving->arena;
    const rp_served_t *world = rp_call_world(call, ask->world);
    if (world == NULL) {
        return true;
    }
    const rp_question_t question = {
        .kind = RP_QUERY_COSTS,
        .from = points_of(arena, ask->from_x, ask->from_y, ask->n_from_x),
        .from_count = ask->n_from_x,
        .to = points_of(arena, ask->to_x, ask->to_y, ask->n_to_x),
        .to_count = ask->n_to_x,
    };
    if (question.from == NULL || question.to == NULL) {
        return rp_call_refuse_status(call, RP_E_MEMORY, "ask_costs");
    }
    return ask_engine(call, world, &question);
}

/// An agent whose path is cells.
/// @return NULL: the call is refused
static const rp_agent_t *walker_of(rp_call_t *call, const char *field, const char *world,
                                   const char *name)
{
    const rp_agent_t *agent = rp_call_agent(call, world, name);
    if (agent != NULL && agent->has_motion) {
        (void)rp_call_refuse(call, REPLAN__V1__STATUS__UNSUPPORTED,
                             "%s: \"%s\" has motion, its path is a curve and no cells", field,
                             name);
        return NULL;
    }
    return agent;
}

bool rp_handle_ask_probe(rp_call_t *call)
{
    const Replan__V1__AskProbe *ask = call->request->ask_probe;
    rp_message_arena_t *arena = &call->serving->arena;
    const rp_served_t *world = rp_call_world(call, ask->change->world);
    if (world == NULL) {
        return true;
    }
    const Replan__V1__Change *change = ask->change;
    const bool is_named = change->epoch != 0;
    rp_window_shift_t shift;
    rp_edit_t edit;
    uint64_t dropped;
    if (!rp_window_shift_find(call->serving, world, is_named ? "ask_probe.change" : "ask_probe",
                              is_named ? change->epoch : ask->epoch,
                              is_named ? change->window : ask->window, &shift, &call->refusal) ||
        !rp_window_shift_change(arena, change, &shift, &edit, &dropped, &call->refusal)) {
        return rp_call_refuse_window(call, world->name);
    }
    rp_session_id_t *sessions =
        rp_message_arena_take(arena, (ask->n_agents + 1u) * sizeof *sessions);
    const rp_question_t question = {
        .kind = RP_QUERY_PROBE,
        .from = points_of(arena, ask->from_x, ask->from_y, ask->n_from_x),
        .from_count = ask->n_from_x,
        .to = points_of(arena, ask->to_x, ask->to_y, ask->n_to_x),
        .to_count = ask->n_to_x,
        .sessions = sessions,
        .session_count = ask->n_agents,
        .edit = &edit,
    };
    if (sessions == NULL || question.from == NULL || question.to == NULL) {
        return rp_call_refuse_status(call, RP_E_MEMORY, "ask_probe");
    }
    for (size_t i = 0; i < ask->n_agents; i++) {
        const rp_agent_t *agent = rp_call_agent(call, world->name, ask->agents[i]);
        if (agent == NULL) {
            return true;
        }
        sessions[i] = agent->session;
    }
    return ask_engine(call, world, &question);
}

bool rp_handle_ask_field(rp_call_t *call)
{
    const Replan__V1__AskField *ask = call->request->ask_field;
    const rp_agent_t *agent = walker_of(call, "ask_field.agent", ask->world, ask->agent);
    if (agent == NULL) {
        return true;
    }
    const rp_question_t question = {.kind = RP_QUERY_FIELD,
                                    .sessions = &agent->session,
                                    .session_count = 1,
                                    .reach = ask->reach};
    return ask_engine(call, agent->world, &question);
}

static bool reply_costs(rp_call_t *call, const rp_served_t *world, const rp_pending_reply_t *wait,
                        const rp_query_result_t *result)
{
    rp_message_arena_t *arena = &call->serving->arena;
    Replan__V1__Costs *costs = rp_message_arena_take(arena, sizeof *costs);
    double *values = rp_message_arena_take(arena, result->count * sizeof *values);
    if (costs == NULL || values == NULL) {
        return false;
    }
    replan__v1__costs__init(costs);
    costs->epoch = world->epoch;
    costs->version = result->version;
    costs->rows = wait->rows;
    costs->columns = (uint32_t)(result->count / wait->rows);
    for (size_t i = 0; i < result->count; i++) { // the engine goes goal by goal
        values[i] = result->costs[i % costs->columns * wait->rows + i / costs->columns];
    }
    costs->n_costs = result->count;
    costs->costs = values;
    call->reply.body_case = REPLAN__V1__REPLY__BODY_COSTS;
    call->reply.costs = costs;
    return true;
}

static bool reply_probe(rp_call_t *call, const rp_served_t *world, const rp_query_result_t *result)
{
    rp_message_arena_t *arena = &call->serving->arena;
    Replan__V1__Probe *probe = rp_message_arena_take(arena, sizeof *probe);
    Replan__V1__Outcome *outcomes =
        rp_message_arena_take(arena, 2u * result->count * sizeof *outcomes);
    if (probe == NULL || outcomes == NULL) {
        return false;
    }
    for (size_t i = 0; i < 2u * result->count; i++) {
        outcomes[i] = rp_encode_outcome((rp_answer_outcome_t)result->outcomes[i]);
    }
    replan__v1__probe__init(probe);
    probe->epoch = world->epoch;
    probe->version = result->version;
    probe->n_before = probe->n_after = result->count;
    probe->before = result->costs;
    probe->after = result->after;
    probe->n_before_outcome = probe->n_after_outcome = result->count;
    probe->before_outcome = outcomes;
    probe->after_outcome = outcomes + result->count;
    call->reply.body_case = REPLAN__V1__REPLY__BODY_PROBE;
    call->reply.probe = probe;
    return true;
}

static bool reply_field(rp_call_t *call, const rp_served_t *world, const rp_query_result_t *result)
{
    rp_message_arena_t *arena = &call->serving->arena;
    Replan__V1__Field *field = rp_message_arena_take(arena, sizeof *field);
    float *costs = rp_message_arena_take(arena, result->count * sizeof *costs);
    if (field == NULL || costs == NULL) {
        return false;
    }
    replan__v1__field__init(field);
    field->epoch = world->epoch;
    field->version = result->version;
    field->x = result->x;
    field->y = result->y;
    field->width = result->width;
    field->height = result->height;
    for (size_t i = 0; i < result->count; i++) {
        costs[i] = (float)result->costs[i];
    }
    field->n_costs = result->count;
    field->costs = costs;
    field->steps = (ProtobufCBinaryData){result->count, result->steps};
    call->reply.body_case = REPLAN__V1__REPLY__BODY_FIELD;
    call->reply.field = field;
    return true;
}

static bool reply_valid(rp_call_t *call, const rp_served_t *world, const rp_query_report_t *report,
                        bool is_walk)
{
    rp_message_arena_t *arena = &call->serving->arena;
    Replan__V1__Valid *valid = rp_message_arena_take(arena, sizeof *valid);
    if (valid == NULL) {
        return false;
    }
    replan__v1__valid__init(valid);
    valid->cost = report->result.costs[0];
    valid->legal = valid->cost >= 0.0;
    if (is_walk) {
        valid->n_offending = report->offender_count;
        valid->offending = report->offenders;
        valid->n_offending_way = report->way_offender_count;
        valid->offending_way = report->offenders + report->offender_count;
    } else {
        const rp_curve_report_t *curve = &report->result.curve;
        valid->n_offending_cells = curve->cell_count;
        valid->offending_cells = (uint32_t *)curve->cells;
        valid->offending_segment = valid->legal ? 0u : curve->segment;
        valid->offending_at_m = curve->at_m;
    }
    valid->epoch = world->epoch;
    valid->version = report->result.version;
    call->reply.body_case = REPLAN__V1__REPLY__BODY_VALID;
    call->reply.valid = valid;
    return true;
}

void rp_finish_query(rp_call_t *call, const rp_served_t *world, const rp_pending_reply_t *wait)
{
    const rp_query_report_t *report = rp_host_query_report(call->serving->host, wait->query);
    bool has_room = false;
    rp_message_arena_reset(&call->serving->arena);
    const bool is_curve = !wait->is_walk && wait->query_kind == RP_QUERY_DRIVE;
    if (report->status != RP_OK) {
        (void)(is_curve ? refuse_curve(call, report->status)
                        : refuse_question(call, report->status, wait));
        rp_call_reply(call);
        return;
    }
    if (wait->is_walk || is_curve) {
        has_room = reply_valid(call, world, report, wait->is_walk);
    } else if (wait->query_kind == RP_QUERY_COSTS) {
        has_room = reply_costs(call, world, wait, &report->result);
    } else if (wait->query_kind == RP_QUERY_PROBE) {
        has_room = reply_probe(call, world, &report->result);
    } else {
        has_room = reply_field(call, world, &report->result);
    }
    if (!has_room) {
        (void)rp_call_refuse_status(call, RP_E_MEMORY, "ask");
    }
    rp_call_reply(call);
}

void rp_forget_queries(rp_serving_t *self, const rp_peer_t *peer)
{
    for (uint32_t i = 0; i < self->pending.count; i++) {
        if (rp_peer_is_same(&self->pending.list[i]->peer, peer)) {
            rp_host_forget(self->host, self->pending.list[i]->query);
        }
    }
}

/// The segments that are asked about. @return NULL without memory
static rp_path_segment_t *curve_of(rp_message_arena_t *arena, const Replan__V1__AskValid *ask)
{
    rp_path_segment_t *segments =
        rp_message_arena_take(arena, (ask->n_segment_x + 1u) * sizeof *segments);
    for (size_t i = 0; i < ask->n_segment_x && segments != NULL; i++) {
        segments[i] = (rp_path_segment_t){
            .x_m = ask->segment_x[i],
            .y_m = ask->segment_y[i],
            .yaw = ask->segment_yaw[i],
            .curvature = ask->segment_curvature[i],
            .length_m = ask->segment_length[i],
            .turn = ask->segment_turn[i],
            .course = ask->n_segment_course != 0 ? ask->segment_course[i] : 0.0};
    }
    return segments;
}

static bool ask_curve(rp_call_t *call, const Replan__V1__AskValid *ask, const rp_agent_t *agent)
{
    rp_serving_t *self = call->serving;
    rp_polygon_body_t footprint;
    const bool has_footprint = rp_bodies_footprint(ask->body, &footprint);
    const char *wrong = has_footprint ? rp_engine_judge_footprint(rp_host_authority(self->host),
                                                                  agent->world->id, &footprint)
                                      : NULL;
    if (wrong != NULL) {
        return rp_call_refuse(call, REPLAN__V1__STATUS__INVALID, "ask_valid.body.footprint_x: %s",
                              wrong);
    }
    const rp_question_t question = {
        .kind = RP_QUERY_DRIVE,
        .sessions = &agent->session,
        .session_count = 1,
        .segments = curve_of(&self->arena, ask),
        .segment_count = ask->n_segment_x,
        .radius_m = ask->body != NULL ? ask->body->radius_m : -1.0,
        .footprint = has_footprint ? &footprint : NULL,
    };
    return question.segments != NULL ? ask_engine(call, agent->world, &question)
                                     : rp_call_refuse_status(call, RP_E_MEMORY, "ask_valid");
}

static bool ask_walk(rp_call_t *call, const Replan__V1__AskValid *ask, const rp_agent_t *agent,
                     const rp_window_shift_t *shift)
{
    rp_serving_t *self = call->serving;
    const rp_served_t *world = agent->world;
    uint32_t start = UINT32_MAX; // outside
    uint32_t way_start = UINT32_MAX;
    (void)rp_window_shift_cell(shift, ask->start, &start);
    (void)rp_window_shift_cell(shift, ask->way_start, &way_start);
    const rp_route_t walk = {
        .session = agent->session,
        .start_x = start % shift->to.width,
        .start_y = start / shift->to.width,
        .steps = ask->steps.data,
        .step_count = ask->steps.len,
        .way_x = way_start % shift->to.width,
        .way_y = way_start / shift->to.width,
        .way = ask->way.data,
        .way_count = ask->way.len,
        .version = rp_engine_version(self->engine, world->id),
    };
    rp_pending_reply_t wait = {.kind = RP_PENDING_QUERY, .epoch = world->epoch, .is_walk = true};
    make_room(call);
    const rp_status_t status = rp_host_walk(self->host, &walk, &wait.query);
    if (status != RP_OK) {
        return refuse_question(call, status, &wait);
    }
    if (rp_host_query_report(self->host, wait.query) == NULL) {
        return await(call, world, &wait);
    }
    rp_finish_query(call, world, &wait);
    rp_host_forget(self->host, wait.query);
    return false; // replied
}

bool rp_handle_ask_valid(rp_call_t *call)
{
    const Replan__V1__AskValid *ask = call->request->ask_valid;
    const bool is_curve = ask->n_segment_x != 0;
    const rp_agent_t *agent = is_curve ? rp_call_agent(call, ask->world, ask->agent)
                                       : walker_of(call, "ask_valid.agent", ask->world, ask->agent);
    if (agent == NULL || !rp_call_may_wait(call)) {
        return true;
    }
    rp_window_shift_t shift;
    if (!rp_window_shift_find(call->serving, agent->world, "ask_valid", ask->epoch, ask->window,
                              &shift, &call->refusal)) {
        return rp_call_refuse_window(call, agent->world->name);
    }
    return is_curve ? ask_curve(call, ask, agent) : ask_walk(call, ask, agent, &shift);
}
