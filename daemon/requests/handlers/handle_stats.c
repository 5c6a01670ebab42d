/// What is told of the past, at once: the newest answers of an agent, counters.
#include "daemon/requests/handlers/handle_stats.h"

#include "daemon/serving/encode.h"

static void encode_past_answer(const rp_serving_t *self, const rp_past_answer_t *said,
                               Replan__V1__Said *message)
{
    replan__v1__said__init(message);
    message->path_seq = said->path_seq;
    message->outcome = rp_encode_outcome(said->outcome);
    message->reason = rp_encode_reason(said->reason);
    message->cost = rp_encode_cost(said->outcome, said->cost);
    message->sure_until = said->sure_until;
    message->version = said->version;
    message->expansions = said->expansions;
    message->source_us = said->cause.source_us;
    message->arrival_us = said->cause.arrival_us;
    message->age_ms = (self->now.steady_us - said->published_us) / 1000u;
}

bool rp_handle_ask_why(rp_call_t *call)
{
    const Replan__V1__AskWhy *ask = call->request->ask_why;
    rp_serving_t *self = call->serving;
    const rp_agent_t *agent = rp_call_agent(call, ask->world, ask->agent);
    if (agent == NULL) {
        return true;
    }
    rp_past_answer_t past[RP_PAST_MAX];
    const size_t count = rp_host_past(self->host, agent->session, past);
    Replan__V1__Why *why = rp_message_arena_take(&self->arena, sizeof *why);
    Replan__V1__Said *said = rp_message_arena_take(&self->arena, RP_PAST_MAX * sizeof *said);
    Replan__V1__Said **list =
        rp_message_arena_take(&self->arena, RP_PAST_MAX * sizeof(Replan__V1__Said *));
    if (why == NULL || said == NULL || list == NULL) {
        return rp_call_refuse_status(call, RP_E_MEMORY, "ask_why");
    }
    for (size_t i = 0; i < count; i++) {
        encode_past_answer(self, &past[i], &said[i]);
        list[i] = &said[i];
    }
    replan__v1__why__init(why);
    why->n_said = count;
    why->said = list;
    call->reply.body_case = REPLAN__V1__REPLY__BODY_WHY;
    call->reply.why = why;
    return true;
}

/// What was counted of each world. @return false without memory
static bool put_world_stats(rp_serving_t *self, Replan__V1__Stats *stats)
{
    const size_t count = self->worlds.count;
    Replan__V1__WorldStats *list = rp_message_arena_take(&self->arena, (count + 1u) * sizeof *list);
    stats->worlds =
        rp_message_arena_take(&self->arena, (count + 1u) * sizeof(Replan__V1__WorldStats *));
    if (list == NULL || stats->worlds == NULL) {
        return false;
    }
    for (rp_served_t *world = self->worlds.by_name; world != NULL; world = world->hh.next) {
        Replan__V1__WorldStats *one = &list[stats->n_worlds];
        rp_histogram_t latency;
        rp_serving_latency(self, world, &latency);
        replan__v1__world_stats__init(one);
        one->world = world->name;
        one->agents = world->agent_count;
        one->changes = world->changes;
        one->cells = world->cells;
        one->answers = world->answers;
        one->p50_us = rp_histogram_percentile(&latency, 50);
        one->p90_us = rp_histogram_percentile(&latency, 90);
        one->p99_us = rp_histogram_percentile(&latency, 99);
        one->max_us = latency.most;
        stats->worlds[stats->n_worlds++] = one;
    }
    return true;
}

bool rp_handle_get_stats(rp_call_t *call)
{
    rp_serving_t *self = call->serving;
    Replan__V1__Stats *stats = rp_message_arena_take(&self->arena, sizeof *stats);
    char **names = rp_message_arena_take(&self->arena, RP_STATS_COUNT * sizeof(char *));
    uint64_t *values = rp_message_arena_take(&self->arena, RP_STATS_COUNT * sizeof *values);
    if (stats == NULL || names == NULL || values == NULL) {
        return rp_call_refuse_status(call, RP_E_MEMORY, "get_stats");
    }
    replan__v1__stats__init(stats);
    rp_serving_count(self);
    rp_serving_measure(self);
    if (!put_world_stats(self, stats)) {
        return rp_call_refuse_status(call, RP_E_MEMORY, "get_stats");
    }
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
