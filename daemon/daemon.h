/// @file
/// The daemon without its sockets: messages in, messages out by a transport. One thread owns
/// it.
///
///     rp_daemon_request / _change / _pose / _goal / _poses     a message came in
///     rp_daemon_work       plan within a budget, publish, reply to requests that waited, serve the
///     watches
#ifndef REPLAN_DAEMON_DAEMON_H
#define REPLAN_DAEMON_DAEMON_H

#include "daemon/requests/intake.h"
#include "daemon/serving/serving.h"

/// It stays at its address: the intake points to what is served.
typedef struct rp_daemon {
    rp_serving_t serving;
    rp_intake_t intake;
    bool is_idling;      ///< the engine has a use for time that nobody needs
    uint8_t full_rounds; ///< those just now that served what is long, and left the rest undone
} rp_daemon_t;

/// @param worker_count  threads that plan; 0: rp_daemon_work() plans itself
/// @param memory_bytes  that those who plan may hold, together
/// @return RP_E_MEMORY, also when there can be no thread; RP_E_UNKNOWN (default planner)
rp_status_t rp_daemon_init(rp_daemon_t *self, const rp_transport_t *transport,
                           const char *default_planner, unsigned worker_count,
                           uint64_t memory_bytes);
void rp_daemon_fini(rp_daemon_t *self);

/// A world of 8 neighbours in the frame "map".
/// @param name  legal
/// @param map   its sides, profile (a built-in one), frame and data are taken
/// @return RP_E_EXISTS, RP_E_LIMIT, RP_E_INVALID (sides), RP_E_MEMORY (also beyond `--memory`)
rp_status_t rp_daemon_open_map(rp_daemon_t *self, const char *name, const rp_world_options_t *map);

// ---- messages: bytes from outside, borrowed until return; a bad one is refused and counted

/// Through control, with a reply.
void rp_daemon_request(rp_daemon_t *self, const rp_peer_t *peer, const void *body, size_t size);
/// By PUB (topics.c): topic change/<world>/.
void rp_daemon_change(rp_daemon_t *self, const void *topic, size_t topic_size, const void *body,
                      size_t size);

/// Topics pose/<world>/<agent>/, goal/<world>/<agent>/ and poses/<world>/.
void rp_daemon_pose(rp_daemon_t *self, const void *topic, size_t topic_size, const void *body,
                    size_t size);

/// A connection to control is gone: so are its watches. A client that has its routing id is told.
/// @param connection  as of rp_peer_t, known
void rp_daemon_left(rp_daemon_t *self, uint64_t connection);

/// A message that cannot even be taken apart: too many frames, no body.
void rp_daemon_malformed(rp_daemon_t *self, const char *socket, const char *sentence);

// ---- work

/// Plan for at most `budget` expansions, or take in what workers report, then send all that is due.
void rp_daemon_work(rp_daemon_t *self, uint64_t budget);

/// Microseconds (steady) when rp_daemon_work() has to be called at the latest, for heads, deadlines
/// and policies.
uint64_t rp_daemon_next_us(const rp_daemon_t *self);

#endif
