/// Birth, death and memory of an engine. Its other calls stand in engine/: on worlds, on sessions,
/// questions, and the steps of the scheduler.
#include "replan/engine.h"

#include <stdlib.h>

#include "engine/core.h"

void rp_engine_limit_memory(rp_engine_t *self, uint64_t bytes)
{
    if (self != NULL) {
        self->memory_bytes = bytes;
    }
}

rp_memory_t rp_engine_memory(const rp_engine_t *self)
{
    if (self == NULL) {
        return (rp_memory_t){.evicted = 0};
    }
    rp_memory_t memory = {
        .ground_bytes = rp_engine_ground_bytes(self),
        .search_bytes = self->searches.bytes,
        .rubble_bytes = self->deferred_free.held,
        .evicted = self->searches.evicted,
    };
    for (uint32_t place = 0; place < self->sessions.capacity; place++) {
        const rp_session_t *session = self->sessions.items[place];
        memory.session_bytes += session != NULL ? rp_session_bytes(session) : 0u;
    }
    return memory;
}

// ---- birth and death

rp_status_t rp_engine_new(rp_engine_t **engine)
{
    rp_engine_t *self = engine != NULL ? calloc(1, sizeof *self) : NULL;
    if (self == NULL) {
        return engine != NULL ? RP_E_MEMORY : RP_E_INVALID;
    }
    self->memory_bytes = UINT64_MAX;
    rp_greedy_search_init(&self->greedy, RP_GREEDY_SEARCH_CELLS);
    rp_greedy_search_init(&self->far, RP_GREEDY_SEARCH_FAR);
    *engine = self;
    return RP_OK;
}

void rp_engine_destroy(rp_engine_t **self)
{
    rp_engine_t *engine = self != NULL ? *self : NULL;
    if (engine == NULL) {
        return;
    }
    for (uint32_t place = 0; place < engine->asks.capacity; place++) {
        // First, so that none must copy the rest of its world.
        rp_engine_forget(engine, rp_table_handle(&engine->asks, place));
    }
    for (uint32_t place = 0; place < engine->worlds.capacity; place++) {
        (void)rp_engine_close_world(engine, rp_table_handle(&engine->worlds, place));
    }
    rp_table_fini(&engine->worlds);
    rp_table_fini(&engine->asks);
    rp_table_fini(&engine->sessions);
    rp_timers_fini(&engine->timers);
    rp_greedy_search_fini(&engine->greedy);
    rp_greedy_search_fini(&engine->far);
    rp_frozen_search_fini(&engine->frozen);
    rp_deferred_free_fini(&engine->deferred_free);
    free(engine);
    *self = NULL;
}
