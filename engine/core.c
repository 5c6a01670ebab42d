/// What several calls of an engine need.
#include "engine/core.h"

uint64_t rp_engine_ground_bytes(const rp_engine_t *self)
{
    uint64_t bytes =
        rp_frozen_search_bytes(&self->frozen) + rp_control_sets_bytes(&self->control_sets);
    for (uint32_t place = 0; place < self->worlds.capacity; place++) {
        const rp_world_t *world = self->worlds.items[place];
        bytes += world != NULL ? rp_world_bytes(world) : 0u;
    }
    return bytes;
}

void rp_engine_end_session(rp_engine_t *self, rp_session_t *session)
{
    rp_plan_queue_remove(session);
    rp_answer_queue_remove(&self->published, session);
    rp_timers_set(&self->timers, session, RP_NEVER_US);
    rp_frozen_search_forget(&self->frozen, session);
    rp_session_stop_greedy_search(session);
    for (rp_session_t *chaser = session->goal.chasers; chaser != NULL;
         chaser = chaser->goal.chase_next) {
        rp_plan_queue_add(chaser, chaser->world->version, (rp_cause_t){0, 0});
    }
    self->driving_bytes -= session->driver != NULL ? session->driver->counted : 0u;
    rp_roster_remove(session);
    rp_table_clear(&self->sessions, session->id);
    self->session_count--;
    rp_session_destroy(&session);
}
