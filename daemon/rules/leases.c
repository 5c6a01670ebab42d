/// Leases are looked through when the first of them may be over, not one by one as agents speak.
#include "daemon/rules/leases.h"

#include "daemon/serving/encode.h"

void rp_lease_renew(const rp_serving_t *self, rp_agent_t *agent)
{
    agent->heard_us = self->now.steady_us;
}

static uint64_t lease_end_us(const rp_agent_t *agent)
{
    return agent->heard_us + (uint64_t)agent->lease_s * 1000000u;
}

void rp_lease_begin(rp_serving_t *self, rp_agent_t *agent, uint32_t lease_s)
{
    agent->lease_s = lease_s;
    rp_lease_renew(self, agent);
    if (lease_s != 0) {
        const uint64_t end_us = lease_end_us(agent);
        self->lease_us = end_us < self->lease_us ? end_us : self->lease_us;
    }
}

/// Whoever watches all keeps those who were opened, not those who just appeared: they would never
/// go.
static bool is_watched(const rp_serving_t *self, const rp_agent_t *agent)
{
    for (uint32_t i = 0; i < self->watches.count; i++) {
        const rp_watch_t *watch = self->watches.list[i];
        if (watch->world == agent->world && rp_watch_wants(watch, agent->name) &&
            !(watch->all && agent->has_appeared)) {
            return true;
        }
    }
    return false;
}

/// @return true when it is over
static bool end_lease(rp_serving_t *self, rp_agent_t *agent)
{
    if (is_watched(self, agent)) {
        rp_lease_renew(self, agent); // whom somebody listens to is not forgotten
        return false;
    }
    rp_refusal_t notice;
    (void)rp_refuse(&notice, REPLAN__V1__STATUS__OK,
                    "agent \"%s\" is closed: nobody spoke of it for lease_s, %u s", agent->name,
                    agent->lease_s);
    rp_publish_notice(self, agent->world->name, &notice, NULL, false);
    self->stats.agents_expired++;
    return true;
}

void rp_leases_end(rp_serving_t *self, void (*close)(rp_serving_t *self, rp_agent_t *agent))
{
    if (self->now.steady_us < self->lease_us) {
        return;
    }
    self->lease_us = RP_NEVER_US;
    for (rp_served_t *world = self->worlds.by_name; world != NULL; world = world->hh.next) {
        rp_agent_t *agent;
        rp_agent_t *next;
        HASH_ITER(hh, world->agents, agent, next)
        {
            const bool is_over = agent->lease_s != 0 && lease_end_us(agent) <= self->now.steady_us;
            if (agent->lease_s == 0) {
                continue;
            }
            if (is_over && end_lease(self, agent)) {
                close(self, agent);
                continue;
            }
            const uint64_t end_us = lease_end_us(agent);
            self->lease_us = end_us < self->lease_us ? end_us : self->lease_us;
        }
    }
}
