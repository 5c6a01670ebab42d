/// Questions: the newest answer of an agent, its past, what a path or a change would cost,
/// counters.
#include "daemon/daemon.h"

#include <assert.h>
#include <string.h>

static_assert(RP_LIMIT_QUESTIONS == RP_ASKS_MAX && RP_LIMIT_SEARCHES == RP_ERRANDS_MAX,
              "the wire refuses what the engine would");

void rp_finish_answer(rp_call_t *call, const rp_agent_t *agent)
{
    rp_daemon_t *self = call->daemon;
    rp_answer_t answer;
    Replan__V1__Geometry geometry;
    Replan__V1__Answer message;
    if (agent == NULL || rp_engine_answer(self->engine, agent->session, &answer) != RP_OK) {
        (void)rp_call_refuse(call, REPLAN__V1__STATUS__UNKNOWN,
                             "agent: it was closed while the request waited");
    } else {
        rp_say_answer(self, agent, &answer, &geometry, &message);
        message.reason = REPLAN__V1__REASON__REQUESTED;
        call->reply.body_case = REPLAN__V1__REPLY__BODY_ANSWER;
        call->reply.answer = &message;
    }
    rp_call_reply(call);
}

bool rp_handle_get_answer(rp_call_t *call, const Replan__V1__GetAnswer *get)
{
    rp_daemon_t *self = call->daemon;
    const rp_agent_t *agent = rp_call_agent(call, get->world, get->agent);
    if (agent == NULL) {
        return true;
    }
    if (rp_engine_is_sure(self->engine, agent->session)) {
        rp_finish_answer(call, agent);
        return false; // replied
    }
    rp_wait_t wait = {.kind = RP_WAIT_SURE, .epoch = agent->world->epoch};
    memcpy(wait.world, agent->world->name, sizeof wait.world);
    memcpy(wait.agent, agent->name, sizeof wait.agent);
    return rp_call_wait(call, &wait);
}

// ---- questions that take searches

static rp_destination_t *points_of(rp_arena_t *arena, const double *x, const double *y,
                                   size_t count)
{
    rp_destination_t *points = rp_arena_take(arena, (count + 1u) * sizeof *points);
    for (size_t i = 0; i < count && points != NULL; i++) {
        points[i] = (rp_destination_t){.x_m = x[i], .y_m = y[i]};
    }
    return points;
}

static bool refuse_question(rp_call_t *call, rp_status_t status, const char *what)
{
    if (status == RP_E_LIMIT) {
        return rp_call_refuse(call, REPLAN__V1__STATUS__LIMIT,
                              "%s: at most %u questions at the same time, of %u searches each",
                              what, RP_LIMIT_QUESTIONS, RP_LIMIT_SEARCHES);
    }
    return rp_call_refuse_status(call, status, what);
}

/// Ask the engine, and let the call wait until it knows.
static bool ask_engine(rp_call_t *call, const rp_served_t *world, const rp_question_t *question,
                       const char *what)
{
    rp_daemon_t *self = call->daemon;
    rp_wait_t wait = {.kind = RP_WAIT_ASK,
                      .epoch = world->epoch,
                      .ask_kind = question->kind,
                      .rows = (uint32_t)question->from_count};
    if (!rp_call_may_wait(call)) {
        return true;
    }
    const rp_status_t status = rp_engine_ask(self->engine, world->id, question, &wait.ask);
    if (status != RP_OK) {
        return refuse_question(call, status, what);
    }
    memcpy(wait.world, world->name, sizeof wait.world);
    const bool is_refused = rp_call_wait(call, &wait);
    if (is_refused) {
        rp_engine_forget(self->engine, wait.ask);
    }
    return is_refused;
}

bool rp_handle_ask_costs(rp_call_t *call, const Replan__V1__AskCosts *ask)
{
    rp_arena_t *arena = &call->daemon->arena;
    const rp_served_t *world = rp_call_world(call, ask->world);
    if (world == NULL) {
        return true;
    }
    const rp_question_t question = {
        .kind = RP_ASK_COSTS,
        .from = points_of(arena, ask->from_x, ask->from_y, ask->n_from_x),
        .from_count = ask->n_from_x,
        .to = points_of(arena, ask->to_x, ask->to_y, ask->n_to_x),
        .to_count = ask->n_to_x,
    };
    if (question.from == NULL || question.to == NULL) {
        return rp_call_refuse_status(call, RP_E_MEMORY, "ask_costs");
    }
    return ask_engine(call, world, &question, "ask_costs");
}

bool rp_handle_ask_probe(rp_call_t *call, const Replan__V1__AskProbe *ask)
{
    rp_arena_t *arena = &call->daemon->arena;
    const rp_served_t *world = rp_call_world(call, ask->change->world);
    if (world == NULL) {
        return true;
    }
    rp_session_id_t *sessions = rp_arena_take(arena, (ask->n_agents + 1u) * sizeof *sessions);
    const rp_edit_t edit = rp_edit_of(ask->change);
    const rp_question_t question = {
        .kind = RP_ASK_PROBE,
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
    return ask_engine(call, world, &question, "ask_probe.change");
}

bool rp_handle_ask_field(rp_call_t *call, const Replan__V1__AskField *ask)
{
    const rp_agent_t *agent = rp_call_agent(call, ask->world, ask->agent);
    if (agent == NULL) {
        return true;
    }
    const rp_question_t question = {
        .kind = RP_ASK_FIELD, .sessions = &agent->session, .session_count = 1, .reach = ask->reach};
    return ask_engine(call, agent->world, &question, "ask_field.agent");
}

static bool reply_costs(rp_call_t *call, const rp_served_t *world, const rp_wait_t *wait,
                        const rp_finding_t *finding)
{
    rp_arena_t *arena = &call->daemon->arena;
    Replan__V1__Costs *costs = rp_arena_take(arena, sizeof *costs);
    double *values = rp_arena_take(arena, finding->count * sizeof *values);
    if (costs == NULL || values == NULL) {
        return false;
    }
    replan__v1__costs__init(costs);
    costs->epoch = world->epoch;
    costs->version = finding->version;
    costs->rows = wait->rows;
    costs->columns = (uint32_t)(finding->count / wait->rows);
    for (size_t i = 0; i < finding->count; i++) { // the engine goes goal by goal
        values[i] = finding->costs[i % costs->columns * wait->rows + i / costs->columns];
    }
    costs->n_costs = finding->count;
    costs->costs = values;
    call->reply.body_case = REPLAN__V1__REPLY__BODY_COSTS;
    call->reply.costs = costs;
    return true;
}

static bool reply_probe(rp_call_t *call, const rp_served_t *world, const rp_finding_t *finding)
{
    Replan__V1__Probe *probe = rp_arena_take(&call->daemon->arena, sizeof *probe);
    if (probe == NULL) {
        return false;
    }
    replan__v1__probe__init(probe);
    probe->epoch = world->epoch;
    probe->version = finding->version;
    probe->n_before = probe->n_after = finding->count;
    probe->before = finding->costs;
    probe->after = finding->after;
    call->reply.body_case = REPLAN__V1__REPLY__BODY_PROBE;
    call->reply.probe = probe;
    return true;
}

static bool reply_field(rp_call_t *call, const rp_served_t *world, const rp_finding_t *finding)
{
    rp_arena_t *arena = &call->daemon->arena;
    Replan__V1__Field *field = rp_arena_take(arena, sizeof *field);
    float *costs = rp_arena_take(arena, finding->count * sizeof *costs);
    if (field == NULL || costs == NULL) {
        return false;
    }
    replan__v1__field__init(field);
    field->epoch = world->epoch;
    field->version = finding->version;
    field->x = finding->x;
    field->y = finding->y;
    field->width = finding->width;
    field->height = finding->height;
    for (size_t i = 0; i < finding->count; i++) {
        costs[i] = (float)finding->costs[i];
    }
    field->n_costs = finding->count;
    field->costs = costs;
    field->steps = (ProtobufCBinaryData){finding->count, finding->steps};
    call->reply.body_case = REPLAN__V1__REPLY__BODY_FIELD;
    call->reply.field = field;
    return true;
}

void rp_finish_ask(rp_call_t *call, const rp_served_t *world, const rp_wait_t *wait)
{
    const rp_finding_t *finding = rp_engine_finding(call->daemon->engine, wait->ask);
    bool has_room = false;
    rp_arena_reset(&call->daemon->arena);
    switch (wait->ask_kind) {
    case RP_ASK_COSTS:
        has_room = reply_costs(call, world, wait, finding);
        break;
    case RP_ASK_PROBE:
        has_room = reply_probe(call, world, finding);
        break;
    case RP_ASK_FIELD:
        has_room = reply_field(call, world, finding);
        break;
    }
    if (!has_room) {
        (void)rp_call_refuse_status(call, RP_E_MEMORY, "ask");
    }
    rp_call_reply(call);
}

void rp_forget_asks(rp_daemon_t *self, const rp_peer_t *peer)
{
    for (uint32_t i = 0; i < self->waits.count; i++) {
        if (rp_peer_is_same(&self->waits.list[i]->peer, peer)) {
            rp_engine_forget(self->engine, self->waits.list[i]->ask);
        }
    }
}

// ---- questions that are answered at once

bool rp_handle_ask_valid(rp_call_t *call, const Replan__V1__AskValid *ask)
{
    rp_daemon_t *self = call->daemon;
    const rp_agent_t *agent = rp_call_agent(call, ask->world, ask->agent);
    if (agent == NULL) {
        return true;
    }
    Replan__V1__Valid *valid = rp_arena_take(&self->arena, sizeof *valid);
    uint32_t *offending = rp_arena_take(&self->arena, (ask->steps.len + 1u) * sizeof *offending);
    if (valid == NULL || offending == NULL) {
        return rp_call_refuse_status(call, RP_E_MEMORY, "ask_valid");
    }
    const uint32_t width = agent->world->options.width;
    replan__v1__valid__init(valid);
    valid->n_offending =
        rp_engine_walk(self->engine, agent->session, ask->start % width, ask->start / width,
                       ask->steps.data, ask->steps.len, offending, ask->steps.len, &valid->cost);
    valid->offending = offending;
    valid->legal = valid->cost >= 0.0;
    valid->epoch = agent->world->epoch;
    valid->version = rp_engine_version(self->engine, agent->world->id);
    call->reply.body_case = REPLAN__V1__REPLY__BODY_VALID;
    call->reply.valid = valid;
    return true;
}

static void say_said(const rp_daemon_t *self, const rp_said_t *said, Replan__V1__Said *message)
{
    replan__v1__said__init(message);
    message->path_seq = said->path_seq;
    message->outcome = rp_say_outcome(said->outcome);
    message->reason = rp_say_reason(said->reason);
    message->cost = said->cost;
    message->sure_until = said->sure_until;
    message->version = said->version;
    message->expansions = said->expansions;
    message->source_us = said->cause.source_us;
    message->arrival_us = said->cause.arrival_us;
    message->age_ms = (self->now.steady_us - said->said_us) / 1000u;
}

bool rp_handle_ask_why(rp_call_t *call, const Replan__V1__AskWhy *ask)
{
    rp_daemon_t *self = call->daemon;
    const rp_agent_t *agent = rp_call_agent(call, ask->world, ask->agent);
    if (agent == NULL) {
        return true;
    }
    rp_said_t past[RP_PAST_MAX];
    const size_t count = rp_engine_past(self->engine, agent->session, past);
    Replan__V1__Why *why = rp_arena_take(&self->arena, sizeof *why);
    Replan__V1__Said *said = rp_arena_take(&self->arena, RP_PAST_MAX * sizeof *said);
    Replan__V1__Said **list = rp_arena_take(&self->arena, RP_PAST_MAX * sizeof(Replan__V1__Said *));
    if (why == NULL || said == NULL || list == NULL) {
        return rp_call_refuse_status(call, RP_E_MEMORY, "ask_why");
    }
    for (size_t i = 0; i < count; i++) {
        say_said(self, &past[i], &said[i]);
        list[i] = &said[i];
    }
    replan__v1__why__init(why);
    why->n_said = count;
    why->said = list;
    call->reply.body_case = REPLAN__V1__REPLY__BODY_WHY;
    call->reply.why = why;
    return true;
}

bool rp_handle_get_stats(rp_call_t *call)
{
    rp_daemon_t *self = call->daemon;
    Replan__V1__Stats *stats = rp_arena_take(&self->arena, sizeof *stats);
    char **names = rp_arena_take(&self->arena, RP_STATS_COUNT * sizeof(char *));
    uint64_t *values = rp_arena_take(&self->arena, RP_STATS_COUNT * sizeof *values);
    if (stats == NULL || names == NULL || values == NULL) {
        return rp_call_refuse_status(call, RP_E_MEMORY, "get_stats");
    }
    replan__v1__stats__init(stats);
    rp_daemon_count(self);
    for (size_t i = 0; i < RP_STATS_COUNT; i++) {
        names[i] = (char *)rp_stats_name(i);
        values[i] = rp_stats_value(&self->stats, i);
    }
    stats->version = (char *)REPLAN_VERSION;
    stats->n_names = RP_STATS_COUNT;
    stats->names = names;
    stats->n_values = RP_STATS_COUNT;
    stats->values = values;
    call->reply.body_case = REPLAN__V1__REPLY__BODY_STATS;
    call->reply.stats = stats;
    return true;
}
