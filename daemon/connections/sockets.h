/// @file
/// ZeroMQ sockets with our limits: how many messages may wait, how long one may be, how long a
/// peer may be silent.
#ifndef REPLAN_DAEMON_CONNECTIONS_SOCKETS_H
#define REPLAN_DAEMON_CONNECTIONS_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>

#include "daemon/connections/ipc_claim.h"

/// A socket that is bound, and tells of its connections (rp_guard_watch()).
/// @param type  ZMQ_ROUTER, ZMQ_SUB or ZMQ_XPUB
/// @param name  a word
/// @param claim  to the path of an ipc:// endpoint: written, to be released when the context is
/// gone
/// @param error  a sentence on failure: which endpoint, and why [size]
/// @return NULL on failure
void *rp_socket_bind(void *context, int type, const char *name, const char *endpoint,
                     rp_ipc_claim_t *claim, char *error, size_t size);

/// Where a socket of that name tells of its connections: ZMQ_EVENT_ACCEPTED,
/// ZMQ_EVENT_DISCONNECTED.
/// @return owned; NULL on failure
void *rp_socket_monitor(void *context, const char *name);

/// Publishers may bind, and we connect to them. @param endpoint  "": nobody does
bool rp_socket_listen_to(void *socket, const char *endpoint, char *error, size_t size);

#endif
