/// @file
/// What the system says of a socket by its descriptor: one call each. A descriptor that is no
/// socket, or closed, is answered for by 0 or false.
#ifndef REPLAN_DAEMON_PROCESS_DESCRIPTORS_H
#define REPLAN_DAEMON_PROCESS_DESCRIPTORS_H

#include <stdbool.h>
#include <stdint.h>

/// A number that no other socket gets, ever. @return 0: it is none
uint64_t rp_descriptor_cookie(int descriptor);

/// The port of an endpoint tcp://HOST:PORT. @return 0: it is a local one
uint16_t rp_descriptor_port(const char *endpoint);

/// True when it is a connection to that port of ours; with 0, to a local socket.
bool rp_descriptor_is_to(int descriptor, uint16_t port);

/// Bytes that wait to be read.
uint64_t rp_descriptor_waiting(int descriptor);

/// Bytes that came over a tcp connection, those that wait included.
uint64_t rp_descriptor_received(int descriptor);

/// End the connection: ZeroMQ reads its end, and nothing of what waits. The last close of it resets
/// it, so that a peer which sends and does not read hears of that, too.
void rp_descriptor_end(int descriptor);

#endif
