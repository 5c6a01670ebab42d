/// @file
/// Guard over the connections of ZeroMQ's sockets, which tells of them by number only, when they
/// come and when they go. A number may be another's a moment later. So each connection's descriptor
/// is duplicated when it comes, is known by the cookie that the system gives to a socket once, and
/// is closed when the connection goes. The descriptor ends that connection and no other. A client
/// that connects when there are enough is refused.
///
/// What connections bring is counted elsewhere (ingress.h), which the guard tells of its sockets
/// and of the messages that were taken. One thread owns it, and takes the messages of the sockets.
#ifndef REPLAN_DAEMON_CONNECTIONS_GUARD_H
#define REPLAN_DAEMON_CONNECTIONS_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <zmq.h>

#include "daemon/connections/ingress.h"
#include "daemon/net/frames.h"

/// Sockets whose connections one thread watches, at most.
#define RP_GUARD_SOCKETS 3u

typedef struct rp_guarded {
    uint64_t cookie;
    int number;       ///< that ZeroMQ has: to find it by, never to act on
    int descriptor;   ///< owned: the same socket
    unsigned socket;  ///< its place among the watched ones
    bool is_cut;      ///< it was told to go by rp_guard_cut()
    void *user;       ///< the owner's; NULL at first
    uint64_t came_us; ///< by the clock of rp_guard_work()
} rp_guarded_t;

typedef struct rp_guard_options {
    uint32_t most_each; ///< connections of one socket
    uint32_t most_all;  ///< of all
    rp_ingress_limits_t ingress;
    void (*has_left)(void *user, rp_guarded_t *connection); ///< about to be forgotten; or NULL
    void *user;
} rp_guard_options_t;

typedef struct rp_guard_counts {
    uint64_t open;
    uint64_t refused; ///< that came when there were enough
    uint64_t cut;     ///< for what they sent, by the ingress too
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

/// Whose message it is, of a watched socket. @return NULL: of one that is gone
rp_guarded_t *rp_guard_sender(rp_guard_t *self, unsigned socket, rp_frames_t *message);

/// A message of a watched socket is done with. @param frames  that it had @param bytes  of these
void rp_guard_done(rp_guard_t *self, unsigned socket, size_t frames, size_t bytes);

/// A watched socket has no whole message left.
void rp_guard_turn(rp_guard_t *self, unsigned socket);

/// Hear of connections that came and went.
/// @param has_spoken  its descriptor did; else nothing happens unless a millisecond is over
void rp_guard_work(rp_guard_t *self, uint64_t now_us, bool has_spoken);

/// End a connection, and say why in the log: a word.
void rp_guard_cut(rp_guard_t *self, rp_guarded_t *connection, const char *reason);

rp_guard_counts_t rp_guard_counts(const rp_guard_t *self);

/// Connections that there are, one after the other. @param at  0 to begin with; moved on
/// @return borrowed until the next call; NULL behind the last
const rp_guarded_t *rp_guard_next(const rp_guard_t *self, size_t *at);

#endif
