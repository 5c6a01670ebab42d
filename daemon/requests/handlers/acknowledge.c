/// At once, or when what was awaited has come.
#include "daemon/requests/handlers/acknowledge.h"

#include <string.h>

#include "daemon/rules/pacing.h"
#include "daemon/rules/state.h"
#include "daemon/serving/encode.h"

/// A change is acknowledged after this long however far planning is behind.
#define PACED_MOST_US 1000000u

/// The agents with a new answer since the version was applied.
static void name_changed(rp_serving_t *self, const rp_served_t *world, uint64_t version,
                         Replan__V1__Applied *applied)
{
    char **agents = rp_message_arena_take(&self->arena, (world->agent_count + 1u) * sizeof(char *));
    // What was published before the version was made was said before it.
    rp_agent_t *agent = rp_worlds_next_answered(world, NULL, version);
    for (; agents != NULL && agent != NULL;
         agent = rp_worlds_next_answered(world, agent, version)) {
        if (rp_host_last_published(self->host, agent->session) >= version) {
            agents[applied->n_changed_agents++] = agent->name;
        }
    }
    applied->changed_agents = agents;
}

/// Reply with the agents whose answer became another, and those that were not waited for.
void rp_acknowledge_settled(rp_call_t *call, const rp_served_t *world, uint64_t version)
{
    rp_serving_t *self = call->serving;
    char *overdue[RP_LEFT_OUT_MAX];
    rp_left_out_t left_out;
    rp_message_arena_reset(&self->arena);
    Replan__V1__Applied *applied = rp_call_put_applied(call, world, version);
    if (applied != NULL) {
        name_changed(self, world, version, applied);
        (void)rp_host_progress(self->host, world->id, &left_out);
        applied->n_overdue_agents = rp_encode_names(self, &left_out, overdue);
        applied->overdue_agents = overdue;
    }
    rp_call_reply(call);
}

void rp_acknowledge_late(rp_call_t *call, const rp_served_t *world, uint64_t version)
{
    rp_message_arena_reset(&call->serving->arena);
    (void)rp_call_put_applied(call, world, version);
    rp_call_reply(call);
}

bool rp_acknowledge_may_await(rp_call_t *call, const char *field, Replan__V1__Wait wait)
{
    const rp_state_t *state = call->serving->state;
    if (wait == REPLAN__V1__WAIT__DURABLE && state == NULL) {
        return !rp_call_refuse(call, REPLAN__V1__STATUS__UNSUPPORTED,
                               "%s: this daemon keeps nothing on disk, see repland --state", field);
    }
    const bool waits = wait != REPLAN__V1__WAIT__APPLIED || rp_state_is_disk(state);
    return !waits || rp_call_may_wait(call);
}

bool rp_acknowledge_version(rp_call_t *call, const rp_served_t *world, uint64_t version,
                            Replan__V1__Wait awaited)
{
    rp_serving_t *self = call->serving;
    call->window = rp_engine_window(self->engine, world->id, 0)->number;
    rp_pending_reply_t wait = {.kind = RP_PENDING_SETTLED,
                               .epoch = world->epoch,
                               .version = version,
                               .window = call->window,
                               .dropped = call->dropped};
    memcpy(wait.world, world->name, sizeof wait.world);
    if (call->peer == NULL) {
        (void)rp_call_put_applied(call, world, version);
        return true;
    }
    if (awaited == REPLAN__V1__WAIT__DURABLE || rp_state_is_disk(self->state)) {
        rp_state_hasten(self);
        wait.kind = awaited == REPLAN__V1__WAIT__SETTLED ? RP_PENDING_SETTLED : RP_PENDING_DURABLE;
    } else if (awaited != REPLAN__V1__WAIT__SETTLED) {
        // Who sends more than a window gets no slower by what it does not wait for.
        if (rp_pacing_may_acknowledge(self, call->cells) ||
            !rp_pending_replies_have_room(&self->pending, call->peer)) {
            (void)rp_call_put_applied(call, world, version);
            return true;
        }
        const uint64_t most_us = self->now.steady_us + PACED_MOST_US;
        wait.kind = RP_PENDING_PACE;
        wait.cells = call->cells;
        call->deadline_us = call->deadline_us < most_us ? call->deadline_us : most_us;
        self->stats.changes_paced++;
    }
    return rp_call_wait(call, &wait);
}
