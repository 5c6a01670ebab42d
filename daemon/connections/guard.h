/// @file
/// Guard over the connections of ZeroMQ's sockets, which tells of them by number only, when they
/// come and when they go. A number may be another's a moment later. So each connection's descriptor
/// is duplicated when it comes, is known by the cookie that the system gives to a socket once, and
/// is closed when the connection goes. By it we learn what the connection has sent, and can end it
/// alone.
///
/// A look at a connection that sent something is taken RP_GUARD_LOOK_US later at the
/// earliest. Who holds too much of a message without end is cut off (partial_message.h); who comes
/// when there are enough is refused. One thread owns it.
#ifndef REPLAN_DAEMON_CONNECTIONS_GUARD_H
#define REPLAN_DAEMON_CONNECTIONS_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <zmq.h>

#include "daemon/connections/partial_message.h"
#include "daemon/process/memory_blame.h"

#define RP_GUARD_LOOK_US 5000u

/// Sockets whose connections one thread watches, at most.
#define RP_GUARD_SOCKETS 3u

typedef struct rp_guarded {
    uint64_t cookie;
    int number;      ///< that ZeroMQ has: to find it by, never to act on
    int descriptor;  ///< owned: the same socket
    unsigned socket; ///< its place among the watched ones
    bool is_local;   ///< it does not say what has come
    bool is_cut;     ///< it was told to go
    bool is_listed;  ///< among those to look at
    rp_partial_message_t unfinished;
    void *user;               ///< the owner's; NULL at first
    struct rp_guarded *next;  ///< of those to look at
    uint64_t received_before; ///< at the look before
} rp_guarded_t;

typedef struct rp_guard_options {
    uint32_t most_each;      ///< connections of one socket
    uint32_t most_all;       ///< of all
    uint64_t unfinished_one; ///< bytes that one may hold of a message without end
    uint64_t unfinished_all; ///< that all may hold
    void (*has_left)(void *user, rp_guarded_t *connection); ///< about to be forgotten; or NULL
    void *user;
} rp_guard_options_t;

typedef struct rp_guard_counts {
    uint64_t open;
    uint64_t refused; ///< that came when there were enough
    uint64_t cut;     ///< for what they sent
} rp_guard_counts_t;

typedef struct rp_guard rp_guard_t;

/// @return NULL without memory or descriptors
rp_guard_t *rp_guard_new(const rp_guard_options_t *options);
void rp_guard_destroy(rp_guard_t **self);

/// Watch a socket of rp_socket_bind().
/// @param name  as it was bound with
/// @param endpoint  that it is bound to: what comes to another is none of its connections
/// @return false when it cannot be heard
bool rp_guard_watch(rp_guard_t *self, void *context, const char *name, const char *endpoint);

/// Speaks when rp_guard_work() has something to do.
int rp_guard_descriptor(const rp_guard_t *self);

/// A message of a watched socket ended. @return whose; NULL: of one that is gone
rp_guarded_t *rp_guard_finish(rp_guard_t *self, unsigned socket, zmq_msg_t *frame);

/// A watched socket has no whole message left.
void rp_guard_turn(rp_guard_t *self, unsigned socket);

/// Hear of connections that came and went, and look at those that sent something.
/// @param has_spoken  its descriptor did; else nothing happens unless a look or a millisecond is
/// over
void rp_guard_work(rp_guard_t *self, uint64_t now_us, bool has_spoken);

/// When the next look is due; UINT64_MAX: when the descriptor speaks.
uint64_t rp_guard_next_us(const rp_guard_t *self);

/// End a connection, and say why in the log: a word.
void rp_guard_cut(rp_guard_t *self, rp_guarded_t *connection, const char *reason);

rp_guard_counts_t rp_guard_counts(const rp_guard_t *self);

#endif
