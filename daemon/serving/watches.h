/// @file
/// Watches: the reliable way out. One dirty bit an agent; while credit lasts the newest answer of
/// each dirty agent is sent, so a slow reader gets the newest, never a backlog. A watch of the map
/// gets a snapshot in chunks, then each delta, in order, before the answers that name its version.
#ifndef REPLAN_DAEMON_SERVING_WATCHES_H
#define REPLAN_DAEMON_SERVING_WATCHES_H

#include "daemon/net/peer_quota.h"
#include "daemon/serving/worlds.h"

/// One bit an agent, by session.
typedef struct rp_bits {
    uint64_t *words; ///< owned [capacity]
    size_t capacity;
    uint32_t count; ///< bits that are set
} rp_bits_t;

typedef struct rp_watch {
    rp_peer_t peer;
    rp_peer_usage_t *share; ///< its peer's, of all watches
    rp_served_t *world;
    uint64_t credit;
    uint64_t fed_us; ///< when its reader gave credit last, or opened it
    rp_bits_t dirty;
    char (*names)[RP_LIMIT_NAME + 1u]; ///< of the agents asked for, sorted, owned [name_count]
    size_t name_count;
    uint32_t id;       ///< on the wire, from 1
    uint32_t next_bit; ///< where the search for a dirty agent goes on: each gets its turn
    bool all;
    bool map;
    bool head_is_dirty;
    uint32_t batch;       ///< answers in one message, at most, from 1
    uint64_t answered_us; ///< when answers were sent last
    bool splices;         ///< the reader keeps the paths that it got
    bool bends;           ///< answers tell where their paths bend
    bool segments;        ///< answers have the segments of curves
    bool splices_curves;  ///< and the reader keeps those that it got
    bool follows;         ///< another window comes as a delta
    uint64_t *had;        ///< by session, the path_seq of that; 0: none, owned [had_capacity]
    size_t had_capacity;
    // the mirror at the other end
    bool snapshot_is_under_way;
    uint32_t next_row; ///< of the snapshot
    uint64_t mirrored; ///< version of the mirror: deltas after it are due
} rp_watch_t;

typedef struct rp_watches {
    rp_watch_t *list[RP_LIMIT_WATCHES]; ///< owned [count], no holes
    uint32_t count;
    uint32_t last_id;
    rp_peer_quota_t shares; ///< of peers
} rp_watches_t;

void rp_watches_fini(rp_watches_t *self);

/// What somebody wants of a watch.
typedef struct rp_watch_options {
    bool all;
    char *const *names; ///< of agents, borrowed [name_count]
    size_t name_count;
    bool map;
    bool splices;
    bool bends;
    bool segments;
    bool splices_curves;
    bool follows;
    uint32_t batch; ///< 0 is 1
    uint64_t credit;
} rp_watch_options_t;

/// A watch on a world, all dirty.
/// @return NULL without memory or beyond RP_LIMIT_WATCHES
rp_watch_t *rp_watches_add(rp_watches_t *self, const rp_peer_t *peer, rp_served_t *world,
                           const rp_watch_options_t *options);

/// The watch of this id, when it belongs to this peer.
rp_watch_t *rp_watches_find(const rp_watches_t *self, const rp_peer_t *peer, uint32_t id);

/// A peer with so many watches needs no other one's: that may only be pausing.
#define RP_WATCHES_MANY 16u

/// The watch that has been without credit for longest, since this time or before: its reader may be
/// gone, which only a message to it would tell. It is to give way for one of this peer: where that
/// has RP_WATCHES_MANY, only one of a peer that has as many. @return NULL when there is none
rp_watch_t *rp_watches_driest(const rp_watches_t *self, const rp_peer_t *peer, uint64_t fed_us);

/// The oldest watch of the peer that has most of them, two more than this one at least: it has one
/// too many where this one cannot have another. @return NULL when there is none
rp_watch_t *rp_watches_yielder(const rp_watches_t *self, const rp_peer_t *peer);

void rp_watches_remove(rp_watches_t *self, rp_watch_t *watch);

/// All watches of a peer, or of a world.
void rp_watches_remove_peer(rp_watches_t *self, const rp_peer_t *peer);
void rp_watches_remove_world(rp_watches_t *self, const rp_served_t *world);

/// An agent has a new answer; no memory makes a watch lose it, so that is counted by the caller.
/// @return number of watches that could not note it
uint32_t rp_watches_note_answer(rp_watches_t *self, const rp_agent_t *agent);

/// The agent is gone.
void rp_watches_forget_agent(rp_watches_t *self, const rp_agent_t *agent);

/// The head of a world is another one.
void rp_watches_note_head(rp_watches_t *self, const rp_served_t *world);

/// The place of the next dirty agent's session, in turn. @return UINT32_MAX when none is dirty
uint32_t rp_watch_next_dirty(rp_watch_t *self);

/// Clear or set the bit. @return false without memory
bool rp_watch_set_dirty(rp_watch_t *self, rp_session_id_t session, bool is_dirty);
bool rp_watch_is_dirty(const rp_watch_t *self, rp_session_id_t session);

/// The reader got an answer of this session, whose path the next one may build upon.
/// @param path_seq  0: it has none any more. Without memory it is taken for that
void rp_watch_note_had(rp_watch_t *self, rp_session_id_t session, uint64_t path_seq);

/// The path that the reader has of this session. @return 0 for none
uint64_t rp_watch_had(const rp_watch_t *self, rp_session_id_t session);

/// True when the watch wants to hear of this agent.
bool rp_watch_wants(const rp_watch_t *self, const char *agent);

#endif
