/// @file
/// What the system says of a socket by its descriptor: one call each. A descriptor that is no
/// socket, or closed, is answered for by 0 or false.
#ifndef REPLAN_DAEMON_PROCESS_DESCRIPTORS_H
#define REPLAN_DAEMON_PROCESS_DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A number that no other socket gets, ever. @return 0: it is none
uint64_t rp_descriptor_cookie(int descriptor);

/// True when it is a connection that was accepted at an endpoint of ours: tcp://HOST:PORT, of which
/// the port counts, or ipc://PATH.
bool rp_descriptor_is_to(int descriptor, const char *endpoint);

/// True when connections are accepted there.
bool rp_descriptor_listens(int descriptor);

/// True when the other end of a connection has closed it.
bool rp_descriptor_is_left(int descriptor);

/// The address of the other end: "127.0.0.1:7403", "[::1]:7403", or "pid 12" of a local socket.
/// @param address  written; empty when it is not known [size]
void rp_descriptor_peer(int descriptor, char *address, size_t size);

/// End the connection: ZeroMQ reads its end, and nothing of what waits. The last close of it resets
/// it, so that a peer which sends and does not read hears of that, too.
void rp_descriptor_end(int descriptor);

#endif
