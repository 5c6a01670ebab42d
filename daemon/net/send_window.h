/// @file
/// Send window: bytes that were handed to ZeroMQ for a peer and have not reached the system yet.
/// ZeroMQ limits its queues in messages; this limit is in bytes, so that a peer which reads little
/// or nothing holds a bounded part of the daemon's memory.
#ifndef REPLAN_DAEMON_NET_SEND_WINDOW_H
#define REPLAN_DAEMON_NET_SEND_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/net/peer.h"

/// Smaller messages are not counted: a queue of 512 of them is small, and they come often.
#define RP_SEND_WINDOW_COUNTED_FROM 4096u

/// Of one peer, and of all: with many peers each has its part of that, but RP_SEND_WINDOW_PART at
/// least. One message, however long, may always be under way.
#define RP_SEND_WINDOW_PEER ((size_t)4 << 20)
#define RP_SEND_WINDOW_ALL  ((size_t)64 << 20)
#define RP_SEND_WINDOW_PART ((size_t)256 << 10)

typedef struct rp_send_window rp_send_window_t;

/// A copy of a message that is under way.
typedef struct rp_send_window_message rp_send_window_message_t;

/// @return NULL without memory
rp_send_window_t *rp_send_window_new(void);

/// No message may be under way any more.
void rp_send_window_destroy(rp_send_window_t **self);

/// True when the peer may be sent so much more.
bool rp_send_window_has_room(rp_send_window_t *self, const rp_peer_t *peer, size_t size);

/// Count a message, and copy it. @return NULL without memory
rp_send_window_message_t *rp_send_window_copy(rp_send_window_t *self, const rp_peer_t *peer,
                                              const void *bytes, size_t size);
uint8_t *rp_send_window_bytes(rp_send_window_message_t *message);

/// It is sent, or will never be. By any thread; the message is gone then.
void rp_send_window_done(rp_send_window_message_t *message);

/// Bytes of all peers that are under way.
size_t rp_send_window_total(const rp_send_window_t *self);

/// Bytes to this peer.
size_t rp_send_window_of(const rp_send_window_t *self, const rp_peer_t *peer);

#endif
