/// What an agent took, one answer after the other; and a witness from its beginning to its end.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/engine/truth.h"
#include "tests/engine/witness.h"

// ---- what was taken

const char *rp_witness_take(rp_witness_t *self, const rp_answer_t *answer)
{
    uint32_t i = 0;
    while (i < self->agent_count && self->agents[i].id != answer->session) {
        i++;
    }
    if (i == self->agent_count) {
        return "an answer of nobody";
    }
    rp_witness_agent_t *agent = &self->agents[i];
    const rp_splice_t *splice = &answer->splice;
    const char *complaint = NULL;
    if (answer->path_seq <= agent->taken_seq) {
        complaint = "an answer twice";
    } else if (answer->path_seq == agent->taken_seq + 1u && agent->taken_seq != 0) {
        const uint32_t kept = splice->head + splice->tail;
        if (kept > answer->step_count || splice->from_end > agent->taken_count ||
            (kept != 0 && splice->from_end < kept)) {
            complaint = rp_witness_complain(self, "splice", kept, splice->from_end);
        } else if (kept != 0 &&
                   (memcmp(agent->taken + agent->taken_count - splice->from_end, answer->steps,
                           splice->head) != 0 ||
                    memcmp(agent->taken + agent->taken_count - splice->tail,
                           answer->steps + answer->step_count - splice->tail, splice->tail) != 0)) {
            complaint = "a splice of other steps";
        }
    }
    agent->taken_seq = answer->path_seq;
    agent->taken_count = answer->step_count;
    agent->taken = realloc(agent->taken, answer->step_count + 1u);
    ck_assert_ptr_nonnull(agent->taken);
    if (answer->step_count != 0) {
        memcpy(agent->taken, answer->steps, answer->step_count);
    }
    return complaint;
}

// ---- birth and death

void rp_witness_begin(rp_witness_t *self, rp_engine_t *engine, rp_world_id_t world)
{
    self->engine = engine;
    self->world = world;
    self->past_count = 0;
    self->settled = 0;
    self->settled_but = 0;
    self->agent_count = 0;
    rp_witness_look(self);
}

void rp_witness_end(rp_witness_t *self)
{
    for (uint32_t i = 0; i < RP_WITNESS_BODIES; i++) {
        rp_oracle_destroy(&self->oracles[i]);
        self->laid[i] = 0;
    }
    for (uint64_t i = 0; i < self->past_count; i++) {
        free(self->past[i].bytes);
    }
    for (uint32_t i = 0; i < RP_WITNESS_AGENTS; i++) {
        free(self->agents[i].taken);
        self->agents[i] = (rp_witness_agent_t){0};
    }
    free(self->past);
    self->past = NULL;
    self->past_count = 0;
}
