/// Questions: the newest answer of an agent, the counters.
#include "daemon/daemon.h"

#include <string.h>

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
