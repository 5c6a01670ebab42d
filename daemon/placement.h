/// @file
/// Which worker plans for whom. Sessions of one world with the same goals and the same layer can
/// share a search, so they form a group, and a group lives with one worker. A group that comes to
/// be goes to the least busy worker that holds its layer, or to the least busy of all when those
/// have much more to do.
#ifndef REPLAN_DAEMON_PLACEMENT_H
#define REPLAN_DAEMON_PLACEMENT_H

#include <uthash.h>

#include "replan/engine.h"

#define RP_WORKERS_MAX 16u
#define RP_NO_WORKER   RP_WORKERS_MAX

/// A layer of a world: what sessions with one kind of body share.
typedef struct rp_lodging {
    uint64_t key; ///< as rp_engine_layer_key()
    rp_world_id_t world;
    bool is_everywhere;              ///< every engine holds it, needed or not
    uint32_t sessions;               ///< that need it, with goals or without
    uint32_t seated[RP_WORKERS_MAX]; ///< of those, by the worker that plans for them
    struct rp_lodging *next;
} rp_lodging_t;

typedef struct rp_group {
    uint64_t key;
    unsigned worker;
    uint32_t sessions;
    UT_hash_handle hh;
} rp_group_t;

typedef struct rp_placement {
    unsigned worker_count;
    uint32_t load[RP_WORKERS_MAX]; ///< sessions
    rp_lodging_t *lodgings;        ///< owned
    rp_group_t *groups;            ///< owned, by key
} rp_placement_t;

void rp_placement_fini(rp_placement_t *self);

/// Note a session's need of a layer. To be left by rp_lodging_leave().
/// @param is_everywhere  it is that of the world's own profile
/// @return NULL without memory
rp_lodging_t *rp_lodging_enter(rp_placement_t *self, rp_world_id_t world, uint64_t key,
                               bool is_everywhere);
void rp_lodging_leave(rp_placement_t *self, rp_lodging_t *lodging);

/// Number of layers that a world's sessions need, with that of its own profile.
/// @param is_known  written: `key` is one of them
uint32_t rp_placement_layers(const rp_placement_t *self, rp_world_id_t world, uint64_t key,
                             bool *is_known);

/// True when some session of the world is with this worker.
bool rp_placement_serves(const rp_placement_t *self, rp_world_id_t world, unsigned worker);

/// A number that sessions have in common when they can share a search.
uint64_t rp_group_key(const rp_lodging_t *lodging, const rp_aim_t *aim);

/// Join the group of this key; the first one founds it.
/// @param now_at  the worker that plans for the session now, where a new group stays; RP_NO_WORKER
/// @return NULL without memory
rp_group_t *rp_group_join(rp_placement_t *self, rp_lodging_t *lodging, uint64_t key,
                          unsigned now_at);
void rp_group_leave(rp_placement_t *self, rp_lodging_t *lodging, rp_group_t *group);

#endif
