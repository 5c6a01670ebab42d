/// @file
/// What an engine holds, for the files that make it up: engine.c, and in engine/ the calls on
/// worlds and sessions, questions, and the scheduler.
#ifndef REPLAN_ENGINE_CORE_H
#define REPLAN_ENGINE_CORE_H

#include "replan/engine.h"

#include "engine/ground/world_state.h"
#include "engine/query/query.h"
#include "engine/session/driving/driver.h"
#include "engine/session/roster.h"
#include "engine/session/session_queues.h"
#include "engine/session/session_state.h"
#include "engine/table.h"
#include "engine/timers.h"

struct rp_engine {
    rp_table_t worlds;
    rp_table_t sessions;
    rp_table_t asks;
    uint32_t ask_count;
    uint32_t session_count;
    rp_answer_queue_t published;
    rp_timers_t timers;
    rp_greedy_search_t greedy;
    rp_greedy_search_t far; ///< that goes in slices
    rp_frozen_search_t frozen;
    rp_planner_cache_t searches;
    rp_control_sets_t control_sets;   ///< of sessions with motion
    uint64_t driving_bytes;           ///< of their planners
    bool may_improve;                 ///< one of them may have a cheaper curve
    rp_deferred_free_t deferred_free; ///< of layers and searches
    uint64_t memory_bytes;            ///< that may be held; searches get what the rest leaves
    uint64_t search_bytes;            ///< that it leaves now
    uint64_t now_us;                  ///< of the newest step
    uint64_t planned_us;              ///< of the newest step that planned for a session
    bool is_short;                    ///< memory was lacking in the last step
    bool is_at_rest;                  ///< since a session planned last all idled, as they wanted
    rp_effort_t effort;               ///< of all sessions' plans
    rp_draw_t draw;                   ///< what is told of searches; its expansion is NULL: nothing
    uint32_t next_world[RP_RANKS]; ///< place of the world that has its turn first in the next step
};

/// What searches may hold beside planners of curves.
static inline uint64_t rp_engine_room(const rp_engine_t *self)
{
    return self->search_bytes > self->driving_bytes ? self->search_bytes - self->driving_bytes : 0u;
}

// ---- handles

/// @param self  NULL: nothing is open
static inline rp_world_t *rp_engine_world(const rp_engine_t *self, rp_world_id_t world)
{
    return self != NULL ? rp_table_get(&self->worlds, world) : NULL;
}

static inline rp_session_t *rp_engine_session(const rp_engine_t *self, rp_session_id_t session)
{
    return self != NULL ? rp_table_get(&self->sessions, session) : NULL;
}

/// What worlds and layers take, and the copy that is frozen.
uint64_t rp_engine_ground_bytes(const rp_engine_t *self);

/// Close a session: nothing of the engine's knows it any more.
void rp_engine_end_session(rp_engine_t *self, rp_session_t *session);

#endif
