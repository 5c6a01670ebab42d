/// @file
/// Transport: how the daemon sends, and the frames that what came in lies in.
/// The reactor fills it in with sockets, the tests with lists. Nothing here waits.
#ifndef REPLAN_DAEMON_NET_TRANSPORT_H
#define REPLAN_DAEMON_NET_TRANSPORT_H

#include <stddef.h>

#include "daemon/net/peer.h"
#include "daemon/net/shared_buffer.h"

typedef enum rp_sent {
    RP_SENT,
    RP_SENT_FULL, ///< the peer does not keep up: nothing was sent, try later
    RP_SENT_GONE, ///< there is no such peer any more
} rp_sent_t;

/// A connection to one of the sockets that messages come in by.
typedef struct rp_connection {
    uint64_t number;    ///< as in rp_peer_t; 0: nobody spoke by it, or not on control
    const char *socket; ///< "control", "changes", "poses"
    int descriptor;     ///< for `address`
    uint64_t since_us;  ///< when it came, steady
    bool is_told;       ///< for who lists: it stands in the list already; false at first
} rp_connection_t;

typedef struct rp_transport {
    /// Send a packed ToClient to one peer.
    rp_sent_t (*control)(void *user, const rp_peer_t *peer, const void *bytes, size_t size);

    /// Publish on the paths socket: best effort.
    void (*publish)(void *user, const char *topic, const void *bytes, size_t size);

    /// Microseconds since 1970, read now: the stamp of what is being sent.
    uint64_t (*wall_us)(void *user);

    /// The message at hand is to stay: take over the frame that has this body, which spares a copy.
    /// NULL: nobody can. @return NULL when it must be copied
    rp_shared_buffer_t *(*keep)(void *user, const void *body);

    /// Bytes of long messages that did not leave yet, to this peer. NULL: nobody counts them.
    /// @param peer  NULL: to all
    uint64_t (*unsent)(void *user, const rp_peer_t *peer);

    /// Connections that there are, but for those of the paths socket. NULL: nobody knows.
    /// @param list  written, the first of them [most]
    /// @return how many there are
    size_t (*connections)(void *user, rp_connection_t *list, size_t most);

    /// Where a connection of that list comes from. There is one if there are `connections`.
    /// @param address  written; empty: not known [size]
    void (*address)(void *user, const rp_connection_t *connection, char *address, size_t size);

    /// Bytes of this process that are in memory. NULL: nobody knows.
    uint64_t (*resident)(void);
    void *user;
} rp_transport_t;

#endif
