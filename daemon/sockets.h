/// @file
/// ZeroMQ sockets with our limits: how many messages may wait, how long one may be, how long a
/// peer may be silent.
#ifndef REPLAN_DAEMON_SOCKETS_H
#define REPLAN_DAEMON_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>

/// A socket that is bound. @param type  ZMQ_ROUTER, ZMQ_SUB or ZMQ_XPUB
/// @param error  a sentence on failure: which endpoint, and why [size]
/// @return NULL on failure
void *rp_socket_bind(void *context, int type, const char *endpoint, char *error, size_t size);

/// Publishers may bind, and we connect to them. @param endpoint  "": nobody does
bool rp_socket_listen_to(void *socket, const char *endpoint, char *error, size_t size);

#endif
