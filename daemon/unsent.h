/// @file
/// What was handed to ZeroMQ for one peer or another, and is not with the system yet. A queue of
/// messages has a limit in messages; this one is in bytes, so that who reads nothing, or little,
/// has no more than so much of the daemon's memory.
#ifndef REPLAN_DAEMON_UNSENT_H
#define REPLAN_DAEMON_UNSENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daemon/peer.h"

/// Smaller messages are not counted: a queue of 512 of them is small, and they come often.
#define RP_UNSENT_COUNTED_FROM 4096u

/// Of one peer, and of all: with many peers each has its part of that, but RP_UNSENT_PART at least.
/// One message, however long, may always be under way.
#define RP_UNSENT_PEER ((size_t)4 << 20)
#define RP_UNSENT_ALL  ((size_t)64 << 20)
#define RP_UNSENT_PART ((size_t)256 << 10)

typedef struct rp_unsent rp_unsent_t;

/// A copy of a message that is under way.
typedef struct rp_unsent_message rp_unsent_message_t;

/// @return NULL without memory
rp_unsent_t *rp_unsent_new(void);

/// No message may be under way any more.
void rp_unsent_destroy(rp_unsent_t **self);

/// True when the peer may be sent so much more.
bool rp_unsent_has_room(rp_unsent_t *self, const rp_peer_t *peer, size_t size);

/// Count a message, and copy it. @return NULL without memory
rp_unsent_message_t *rp_unsent_copy(rp_unsent_t *self, const rp_peer_t *peer, const void *bytes,
                                    size_t size);
uint8_t *rp_unsent_bytes(rp_unsent_message_t *message);

/// It is sent, or will never be. By any thread; the message is gone then.
void rp_unsent_done(rp_unsent_message_t *message);

/// Bytes of all peers that are under way.
size_t rp_unsent_total(const rp_unsent_t *self);

#endif
