/// @file
/// The daemon without its sockets: messages in, messages out by a transport. One thread owns
/// it.
///
///     rp_daemon_request / _change / _pose / _goal / _poses     a message came in
///     rp_daemon_work       plan within a budget, publish, reply to who waited, serve the watches
#ifndef REPLAN_DAEMON_DAEMON_H
#define REPLAN_DAEMON_DAEMON_H

#include "replan/engine.h"

#include "daemon/net/known_peers.h"
#include "daemon/net/outbox.h"
#include "daemon/net/reply_cache.h"
#include "daemon/net/transport.h"
#include "daemon/serving/pending_replies.h"
#include "daemon/serving/refusal_log.h"
#include "daemon/serving/request_queue.h"
#include "daemon/serving/stats.h"
#include "daemon/serving/watches.h"
#include "daemon/serving/worlds.h"
#include "daemon/workers/host.h"
#include "msgs/check.h"
#include "msgs/codec.h"

/// Time as the daemon sees it: the reactor reads the clocks, everybody else is told.
typedef struct rp_now {
    uint64_t steady_us; ///< monotone: deadlines
    uint64_t wall_us;   ///< since 1970: stamps, epochs
} rp_now_t;

typedef struct rp_daemon {
    rp_host_t *host;
    const rp_engine_t *engine; ///< of the workers: worlds as they are
    rp_worlds_t worlds;
    rp_watches_t watches;
    rp_pending_replies_t waits;
    rp_reply_cache_t replies;
    rp_siphash_key_t hash_key; ///< of the bodies of requests; drawn by whoever has sockets
    rp_known_peers_t peers;
    rp_outbox_t owed;
    rp_request_queue_t line;
    size_t long_from; ///< messages of so many bytes are staged (staged_request.h)
    rp_stats_t stats;
    rp_refusal_log_t refusals;
    rp_transport_t transport;
    rp_now_t now;
    uint64_t lease_us; ///< before this moment no agent's lease is over
    char default_planner[RP_LIMIT_NAME + 1u];
    struct rp_state *state; ///< owned, what is kept on disk (state.h); NULL: nothing is
    uint64_t memory_bytes;  ///< that all may hold
    uint32_t check_every;   ///< paranoid: of agents' plans each so manieth is checked; 0: none
    rp_arena_t arena;       ///< of the message at hand
    rp_buffer_t packed;     ///< of the message being sent
    rp_buffer_t wrapped;    ///< a packed one, wrapped for a watch
    uint8_t *chunk;         ///< rows of a snapshot [RP_LIMIT_CHUNK_BYTES]
    uint64_t slices;        ///< of planning, when acknowledgements were allowed last
    int64_t acks_left;      ///< what may be acknowledged while planning falls behind, by weight
    bool is_work_left;      ///< the engine stopped for its budget, or somebody waits in the queue
    bool is_idling;         ///< the engine has a use for time that nobody needs
    uint8_t full_rounds;    ///< those just now that served what is long, and left the rest undone
    bool is_delivery_left;  ///< a watch was stopped by the length of a round
    bool is_peer_full;      ///< a watch or a reply was stopped by its peer's queue: soon again
} rp_daemon_t;

/// @param worker_count  threads that plan; 0: rp_daemon_work() plans itself
/// @param memory_bytes  that those who plan may hold, together
/// @return RP_E_MEMORY, also when there can be no thread; RP_E_UNKNOWN (default planner)
rp_status_t rp_daemon_init(rp_daemon_t *self, const rp_transport_t *transport,
                           const char *default_planner, unsigned worker_count,
                           uint64_t memory_bytes);
void rp_daemon_fini(rp_daemon_t *self);

/// A world of 8 neighbours and one metre a cell, from factors row by row [width * height].
/// @param name  legal
/// @return RP_E_EXISTS, RP_E_LIMIT, RP_E_INVALID (sides), RP_E_MEMORY (also beyond `--memory`)
rp_status_t rp_daemon_open_map(rp_daemon_t *self, const char *name, uint32_t width, uint32_t height,
                               const uint8_t *factors);

// ---- messages: bytes from outside, borrowed until return; a bad one is refused and counted

/// Through control, with a reply.
void rp_daemon_request(rp_daemon_t *self, const rp_peer_t *peer, const void *body, size_t size);
/// By PUB (topics.c): topic change/<world>/.
void rp_daemon_change(rp_daemon_t *self, const void *topic, size_t topic_size, const void *body,
                      size_t size);

/// Topics pose/<world>/<agent>/, goal/<world>/<agent>/ and poses/<world>/.
void rp_daemon_pose(rp_daemon_t *self, const void *topic, size_t topic_size, const void *body,
                    size_t size);

/// A connection to control is gone: so are its watches. Whoever has its routing id by now is told.
/// @param connection  as of rp_peer_t, known
void rp_daemon_left(rp_daemon_t *self, uint64_t connection);

/// A message that cannot even be taken apart: too many frames, no body.
void rp_daemon_malformed(rp_daemon_t *self, const char *socket, const char *sentence);

// ---- work

/// Bring those statistics up to date that say how many there are now.
void rp_daemon_count(rp_daemon_t *self);

/// Plan for at most `budget` expansions, or take in what workers report, then send all that is due.
void rp_daemon_work(rp_daemon_t *self, uint64_t budget);

/// Microseconds (steady) when rp_daemon_work() has to be called at the latest, for heads, deadlines
/// and policies.
uint64_t rp_daemon_next_us(const rp_daemon_t *self);

#endif
