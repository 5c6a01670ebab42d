/// @file
/// The paths socket. What is published goes out at once, by the thread that publishes it. What
/// subscribers do, their coming, their leaving, their topics, is the work of a thread of its own:
/// ZeroMQ walks over its whole tree of topics for each that leaves, which takes up to some tenth of
/// a second, and nobody else is to wait for that. A mutex lets one of them in; what is published
/// while the other is there, or has to go there first, waits in a queue for it.
///
/// A subscriber may have RP_LIMIT_SUBSCRIPTIONS_PEER topics, all together RP_LIMIT_SUBSCRIPTIONS,
/// which may take RP_LIMIT_SUBSCRIPTIONS_TREE in ZeroMQ's tree: where those are used up, whoever
/// has most of them is cut off, for one that has fewer.
#ifndef REPLAN_DAEMON_CONNECTIONS_PATHS_SOCKET_H
#define REPLAN_DAEMON_CONNECTIONS_PATHS_SOCKET_H

#include <stddef.h>
#include <stdint.h>

#include "daemon/connections/ipc_claim.h"

/// Bytes that may wait for the thread; beyond, what is published is dropped and counted.
#define RP_PATHS_SOCKET_QUEUE ((size_t)16 << 20)

typedef struct rp_paths_socket rp_paths_socket_t;

typedef struct rp_paths_counts {
    uint64_t subscriptions;
    uint64_t dropped; ///< messages that were published and found the queue full
    uint64_t connections;
    uint64_t refused;
    uint64_t cut;
} rp_paths_counts_t;

/// @param claim  as rp_socket_bind()
/// @param most_connections  at once
/// @param error  a sentence on failure [size]
/// @return NULL on failure
rp_paths_socket_t *rp_paths_socket_open(void *context, const char *endpoint, rp_ipc_claim_t *claim,
                                        uint32_t most_connections, char *error, size_t size);
void rp_paths_socket_close(rp_paths_socket_t **self);

/// The endpoint that it got.
const char *rp_paths_socket_endpoint(const rp_paths_socket_t *self);

/// Best effort; does not wait. By one thread.
/// @param self  NULL: what is kept on disk is told again, before there are sockets; nobody hears it
void rp_paths_socket_publish(rp_paths_socket_t *self, const char *topic, const void *bytes,
                             size_t size);

/// By any thread; O(1).
rp_paths_counts_t rp_paths_socket_counts(const rp_paths_socket_t *self);

#endif
