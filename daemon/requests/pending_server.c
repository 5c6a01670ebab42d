/// Whose wait is over, one way or the other.
#include "daemon/requests/pending_server.h"

#include "daemon/requests/handlers/acknowledge.h"
#include "daemon/requests/handlers/handle_query.h"
#include "daemon/requests/requests.h"
#include "daemon/rules/pacing.h"
#include "daemon/rules/state.h"

/// True when a version is on the disk, or nothing comes there any more until somebody mends it.
static bool is_durable(const rp_serving_t *self, const rp_pending_reply_t *wait,
                       const rp_served_t *world)
{
    return world->durable >= wait->version || rp_state_is_lost(self->state);
}

/// @return true when the wait is over, one way or the other
static bool is_over(rp_serving_t *self, const rp_pending_reply_t *wait, const rp_served_t *world)
{
    if (wait->state != RP_PENDING_WAITS || world == NULL || world->epoch != wait->epoch ||
        wait->deadline_us <= self->now.steady_us) {
        return true;
    }
    rp_left_out_t left_out;
    switch (wait->kind) {
    case RP_PENDING_AFTER:
        return rp_requests_is_after(self, world, wait->publisher, wait->version, wait->sequence);
    case RP_PENDING_SETTLED:
        return rp_host_progress(self->host, world->id, &left_out).settled >= wait->version &&
               (!rp_state_is_disk(self->state) || is_durable(self, wait, world));
    case RP_PENDING_DURABLE:
        return is_durable(self, wait, world);
    case RP_PENDING_PACE:
        return rp_pacing_may_acknowledge(self, wait->cells);
    case RP_PENDING_QUERY:
        return rp_host_query_report(self->host, wait->query) != NULL;
    case RP_PENDING_SURE:
        break;
    }
    const rp_agent_t *agent = rp_worlds_find_agent(world, wait->agent);
    return agent == NULL || rp_host_has_looked(self->host, agent->session, wait->ticket);
}

/// Refuse what waited in vain. @return false when it did not
static bool refuse_wait(rp_call_t *call, const rp_pending_reply_t *wait)
{
    rp_serving_t *self = call->serving;
    if (wait->state == RP_PENDING_LEFT) {
        self->stats.requests_gave_way++;
        return rp_call_refuse(call, REPLAN__V1__STATUS__TIMEOUT,
                              "request: you were gone while it waited, and it waits no longer");
    }
    if (wait->state == RP_PENDING_GAVE_WAY) {
        self->stats.requests_gave_way++;
        return rp_call_refuse(call, REPLAN__V1__STATUS__TIMEOUT,
                              "request: it waited for %llu ms and gave way to another peer's, as "
                              "no peer had more waiting (limit %u requests of all, %u questions)",
                              (unsigned long long)(self->now.steady_us - wait->began_us) / 1000u,
                              RP_PENDING_REPLIES_MAX, RP_LIMIT_QUESTIONS);
    }
    if (wait->deadline_us <= self->now.steady_us) {
        self->stats.requests_timed_out++;
        return rp_call_refuse(call, REPLAN__V1__STATUS__TIMEOUT,
                              "request.deadline_ms passed before the request could be answered");
    }
    return false;
}

/// Handle a request, as what its `after` names has happened.
static void take_after(rp_intake_t *intake, const rp_pending_reply_t *wait)
{
    const rp_inbound_t inbound = {.kind = RP_INBOUND_REQUEST,
                                  .peer = &wait->peer,
                                  .body = wait->request,
                                  .size = wait->request_size,
                                  .is_met = true,
                                  .is_mute = wait->is_mute,
                                  .deadline_us = wait->deadline_us};
    rp_requests_take(intake, &inbound);
}

/// What was awaited has come.
static void give_reply(rp_intake_t *intake, rp_call_t *call, const rp_pending_reply_t *wait,
                       const rp_served_t *world)
{
    switch (wait->kind) {
    case RP_PENDING_AFTER:
        take_after(intake, wait);
        break;
    case RP_PENDING_SETTLED:
        rp_acknowledge_settled(call, world, wait->version);
        break;
    case RP_PENDING_DURABLE:
    case RP_PENDING_PACE:
        rp_acknowledge_late(call, world, wait->version);
        break;
    case RP_PENDING_QUERY:
        rp_finish_query(call, world, wait);
        break;
    case RP_PENDING_SURE:
        rp_message_arena_reset(&call->serving->arena);
        rp_finish_answer(call, rp_worlds_find_agent(world, wait->agent), wait->bends,
                         wait->segments);
        break;
    }
}

static void finish_wait(rp_intake_t *intake, const rp_pending_reply_t *wait,
                        const rp_served_t *world)
{
    rp_serving_t *self = intake->serving;
    rp_call_t call = rp_call_of(self, &wait->peer, wait->key.id);
    call.key = wait->key;
    call.is_mute = wait->is_mute;
    call.window = wait->window;
    call.dropped = wait->dropped;
    if (world == NULL || world->epoch != wait->epoch) {
        (void)rp_call_refuse(&call, REPLAN__V1__STATUS__UNKNOWN,
                             "world \"%s\" was removed while the request waited", wait->world);
        rp_call_reply(&call);
        return;
    }
    // Done is done: such a change is acknowledged however late.
    const bool is_done = wait->kind == RP_PENDING_PACE ||
                         (wait->kind == RP_PENDING_DURABLE && is_durable(self, wait, world));
    if (!is_done && refuse_wait(&call, wait)) {
        rp_call_reply(&call);
        return;
    }
    give_reply(intake, &call, wait, world);
}

/// The time of who waits for an answer is half over.
static void hasten(rp_serving_t *self, rp_pending_reply_t *wait, const rp_served_t *world)
{
    const rp_agent_t *agent = world != NULL ? rp_worlds_find_agent(world, wait->agent) : NULL;
    if (wait->kind == RP_PENDING_SURE && wait->hasten_us <= self->now.steady_us && agent != NULL) {
        wait->hasten_us = RP_NEVER_US;
        rp_host_hasten(self->host, agent->session);
    }
}

void rp_pending_serve(rp_intake_t *intake)
{
    rp_serving_t *self = intake->serving;
    for (uint32_t place = 0; place < self->pending.count;) {
        rp_pending_reply_t *candidate = self->pending.list[place];
        const rp_served_t *world = rp_worlds_find(&self->worlds, candidate->world);
        hasten(self, candidate, world);
        if (!is_over(self, candidate, world)) {
            place++;
            continue;
        }
        rp_pending_reply_t *wait = rp_pending_replies_take(&self->pending, place);
        finish_wait(intake, wait, world);
        rp_host_forget(self->host, wait->query);
        rp_pending_reply_destroy(&wait);
    }
}

uint64_t rp_pending_next_us(const rp_serving_t *self)
{
    uint64_t next_us = RP_NEVER_US;
    for (uint32_t i = 0; i < self->pending.count; i++) {
        const rp_pending_reply_t *wait = self->pending.list[i];
        const bool hastens = wait->kind == RP_PENDING_SURE && wait->hasten_us < wait->deadline_us;
        const uint64_t due_us = hastens ? wait->hasten_us : wait->deadline_us;
        next_us = due_us < next_us ? due_us : next_us;
    }
    return next_us;
}
