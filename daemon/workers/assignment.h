/// @file
/// Assignment of sessions to workers. Sessions of one world with the same goals and the same layer
/// can share a search, so they form a group, and a group lives with one worker. A group that comes
/// to be goes to the least busy worker that holds its layer, or to the least busy of all when those
/// have much more to do.
#ifndef REPLAN_DAEMON_WORKERS_ASSIGNMENT_H
#define REPLAN_DAEMON_WORKERS_ASSIGNMENT_H

#include <uthash.h>

#include "replan/engine.h"

#include "daemon/workers/host.h"

#define RP_NO_WORKER RP_WORKERS_MAX

/// A layer of a world: what sessions with one kind of body share.
typedef struct rp_layer_use {
    uint64_t key; ///< as rp_engine_layer_key()
    rp_world_id_t world;
    bool is_everywhere;                ///< every engine holds it, needed or not
    uint32_t sessions;                 ///< that need it, with goals or without
    uint32_t assigned[RP_WORKERS_MAX]; ///< of those, by the worker that plans for them
    struct rp_layer_use *next;
} rp_layer_use_t;

typedef struct rp_session_group {
    uint64_t key;
    unsigned worker;
    uint32_t sessions;
    UT_hash_handle hh;
} rp_session_group_t;

typedef struct rp_assignment {
    unsigned worker_count;
    uint32_t load[RP_WORKERS_MAX]; ///< sessions
    rp_layer_use_t *layers;        ///< owned
    rp_session_group_t *groups;    ///< owned, by key
} rp_assignment_t;

void rp_assignment_fini(rp_assignment_t *self);

/// Note a session's need of a layer. To be left by rp_layer_use_leave().
/// @param is_everywhere  it is that of the world's own profile
/// @return NULL without memory
rp_layer_use_t *rp_layer_use_enter(rp_assignment_t *self, rp_world_id_t world, uint64_t key,
                                   bool is_everywhere);
void rp_layer_use_leave(rp_assignment_t *self, rp_layer_use_t *layer);

/// Number of layers that a world's sessions need, with that of its own profile.
/// @param is_known  written: `key` is one of them
uint32_t rp_assignment_layers(const rp_assignment_t *self, rp_world_id_t world, uint64_t key,
                              bool *is_known);

/// True when some session of the world is with this worker.
bool rp_assignment_serves(const rp_assignment_t *self, rp_world_id_t world, unsigned worker);

/// A number that sessions have in common when they can share a search.
uint64_t rp_session_group_key(const rp_layer_use_t *layer, const rp_aim_t *aim);

/// Join the group of this key; the first one founds it.
/// @param now_at  the worker that plans for the session now, where a new group stays; RP_NO_WORKER
/// @return NULL without memory
rp_session_group_t *rp_session_group_join(rp_assignment_t *self, rp_layer_use_t *layer,
                                          uint64_t key, unsigned now_at);
void rp_session_group_leave(rp_assignment_t *self, rp_layer_use_t *layer,
                            rp_session_group_t *group);

#endif
