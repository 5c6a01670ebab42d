/// @file
/// What is served: worlds and agents, watches, replies that wait, who spoke, and the way out. The
/// daemon's rules and the handlers of requests work on this; what came in and has not been looked
/// at is not part of it (daemon/requests/intake.h).
#ifndef REPLAN_DAEMON_SERVING_SERVING_H
#define REPLAN_DAEMON_SERVING_SERVING_H

#include "replan/engine.h"

#include "daemon/net/known_peers.h"
#include "daemon/net/outbox.h"
#include "daemon/net/refusal_log.h"
#include "daemon/net/reply_cache.h"
#include "daemon/net/transport.h"
#include "daemon/serving/pending_replies.h"
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

/// How many changes may be acknowledged while planning falls behind (daemon/rules/pacing.h).
typedef struct rp_pacing {
    uint64_t slices;   ///< of planning, when acknowledgements were allowed last
    int64_t acks_left; ///< by weight
} rp_pacing_t;

typedef struct rp_serving {
    rp_host_t *host;           ///< owned
    const rp_engine_t *engine; ///< the host's authority: worlds as they are
    rp_worlds_t worlds;
    rp_watches_t watches;
    rp_pending_replies_t pending;
    rp_reply_cache_t replies;
    rp_outbox_t outbox;
    rp_known_peers_t peers;
    const rp_request_queue_t *queue; ///< of what came in and was not handled yet, borrowed
    rp_stats_t stats;
    rp_refusal_log_t refusals;
    rp_transport_t transport;
    rp_now_t now;
    uint64_t started_us; ///< steady; 0: it has not worked yet
    rp_pacing_t pacing;
    uint64_t lease_us; ///< before this moment no agent's lease is over
    char default_planner[RP_LIMIT_NAME + 1u];
    uint64_t memory_bytes;    ///< that all may hold
    uint32_t check_every;     ///< paranoid: of agents' plans each so manieth is checked; 0: none
    struct rp_state *state;   ///< owned, what is kept on disk (daemon/rules/state.h); NULL: nothing
    rp_message_arena_t arena; ///< of the message at hand
    rp_buffer_t packed;       ///< of the message being sent
    rp_buffer_t wrapped;      ///< a packed one, wrapped for a watch
    uint8_t *chunk;           ///< rows of a snapshot, owned [RP_LIMIT_CHUNK_BYTES]
    bool is_work_left;     ///< the engine stopped for its budget, or a message waits in the queue
    bool is_delivery_left; ///< a watch was stopped by the length of a round
    bool is_peer_full;     ///< a watch or a reply was stopped by its peer's queue: soon again
} rp_serving_t;

/// @param worker_count  threads that plan; 0: the loop does
/// @param memory_bytes  that those who plan may hold, together
/// @return RP_E_MEMORY, also when there can be no thread; RP_E_UNKNOWN (default planner)
rp_status_t rp_serving_init(rp_serving_t *self, const rp_transport_t *transport,
                            const char *default_planner, unsigned worker_count,
                            uint64_t memory_bytes);

/// Bring those statistics up to date that say how many there are now.
void rp_serving_count(rp_serving_t *self);

/// The same of those that take a while: memory and latencies.
void rp_serving_measure(rp_serving_t *self);

/// The world has one more version. @param cells  that its change states
void rp_serving_note_change(rp_serving_t *self, rp_served_t *world, uint64_t cells);

/// How long answers of a world took lately. @param sum  written, in microseconds
void rp_serving_latency(const rp_serving_t *self, rp_served_t *world, rp_histogram_t *sum);

/// The state must be closed before.
void rp_serving_fini(rp_serving_t *self);

#endif
