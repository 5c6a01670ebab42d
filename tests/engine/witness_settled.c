/// What a world says is settled, against what is true.
#include "engine/core.h"
#include "tests/engine/witness.h"

/// Who is unsure for so long is overdue: a few steps of the storm.
#define OVERDUE_US 5000u

/// What is settled but for those who are overdue: it never falls, and holds for all others.
static const char *judge_settled_but(rp_witness_t *self)
{
    rp_session_id_t overdue[RP_OVERDUE_MAX];
    size_t count;
    const uint64_t settled =
        rp_engine_settled_but(self->engine, self->world, OVERDUE_US, overdue, &count);
    if (settled < self->settled_but || settled < self->settled) {
        return rp_witness_complain(self, "settled but some went back", (double)settled,
                                   (double)self->settled_but);
    }
    self->settled_but = settled;
    for (uint32_t i = 0; i < self->agent_count; i++) {
        const rp_witness_agent_t *agent = &self->agents[i];
        size_t place = 0;
        while (place < count && overdue[place] != agent->id) {
            place++;
        }
        const rp_session_t *session = rp_engine_session(self->engine, agent->id);
        if (session != NULL && rp_session_is_unsure(session) && place == count &&
            settled > agent->true_until) {
            return rp_witness_complain(self, "settled but some", (double)settled,
                                       (double)agent->true_until);
        }
    }
    return NULL;
}

const char *rp_witness_judge_world(rp_witness_t *self, bool is_at_rest)
{
    const uint64_t settled = rp_engine_settled(self->engine, self->world);
    if (settled < self->settled) {
        return rp_witness_complain(self, "settled went back", (double)settled,
                                   (double)self->settled);
    }
    self->settled = settled;
    for (uint32_t i = 0; i < self->agent_count; i++) {
        const rp_witness_agent_t *agent = &self->agents[i];
        if (agent->id == 0) {
            continue;
        }
        const rp_session_t *session = rp_engine_session(self->engine, agent->id);
        if (rp_session_is_unsure(session) && (is_at_rest || settled > agent->true_until)) {
            return rp_witness_complain(self, "settled", (double)settled, (double)agent->true_until);
        }
        const bool may_age = agent->policy.max_age_ms == 0 || session->published.excess <= 0.0 ||
                             session->schedule.look_us > self->now_us;
        if (is_at_rest && !may_age) {
            return "a path is kept beyond its age";
        }
    }
    return judge_settled_but(self);
}
