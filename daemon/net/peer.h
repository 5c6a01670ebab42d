/// @file
/// Who sent a request: the routing frames as they came. The first is the peer's identity; a REQ
/// socket adds an empty one. They go back in front of each reply, and of all that a watch sends.
#ifndef REPLAN_DAEMON_NET_PEER_H
#define REPLAN_DAEMON_NET_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "msgs/limits.h"

typedef struct rp_peer {
    uint32_t frame_count;
    uint32_t size;       ///< of `bytes` that are used
    uint64_t connection; ///< number of the one that it speaks by; 0: not known
    uint64_t life;       ///< of its client, as its request tells; 0: it does not
    uint8_t bytes[RP_LIMIT_PARTS * (RP_LIMIT_ENVELOPE + 1u)]; ///< each frame: its length, then it
} rp_peer_t;

/// @return false when the frame is too long or one too many
static inline bool rp_peer_add(rp_peer_t *self, const void *frame, size_t size)
{
    if (size > RP_LIMIT_ENVELOPE || self->frame_count == RP_LIMIT_PARTS) {
        return false;
    }
    self->bytes[self->size] = (uint8_t)size;
    if (size != 0) {
        memcpy(self->bytes + self->size + 1u, frame, size);
    }
    self->size += (uint32_t)size + 1u;
    self->frame_count++;
    return true;
}

/// The frames after each other: start with `at` = 0.
/// @return false behind the last
static inline bool rp_peer_next(const rp_peer_t *self, uint32_t *at, const uint8_t **frame,
                                size_t *size)
{
    if (*at >= self->size) {
        return false;
    }
    *size = self->bytes[*at];
    *frame = self->bytes + *at + 1u;
    *at += (uint32_t)*size + 1u;
    return true;
}

/// True when both are the same connection: the first frames are equal.
static inline bool rp_peer_is_same(const rp_peer_t *a, const rp_peer_t *b)
{
    return a->frame_count != 0 && b->frame_count != 0 && a->bytes[0] == b->bytes[0] &&
           memcmp(a->bytes, b->bytes, (size_t)a->bytes[0] + 1u) == 0;
}

/// True when all frames are: of those that share a connection, as behind a proxy, the same one.
static inline bool rp_peer_is_equal(const rp_peer_t *a, const rp_peer_t *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

/// True when both tell of a life, and of different ones.
static inline bool rp_peer_lives_differ(const rp_peer_t *a, const rp_peer_t *b)
{
    return a->life != b->life && a->life != 0 && b->life != 0;
}

/// True when the connection of `now`, of the same name, is another one.
static inline bool rp_peer_connections_differ(const rp_peer_t *a, const rp_peer_t *now)
{
    return a->connection != now->connection && a->connection != 0 && now->connection != 0;
}

/// True when a reply to `before` must not be given to `now`: the peer began another life meanwhile.
/// On one connection a request may leave its life out.
static inline bool rp_peer_has_new_life(const rp_peer_t *before, const rp_peer_t *now)
{
    return rp_peer_is_equal(before, now) && before->life != now->life &&
           (rp_peer_lives_differ(before, now) || rp_peer_connections_differ(before, now));
}

/// A copy of only what is used.
static inline void rp_peer_copy(rp_peer_t *to, const rp_peer_t *from)
{
    to->frame_count = from->frame_count;
    to->size = from->size;
    to->connection = from->connection;
    to->life = from->life;
    memcpy(to->bytes, from->bytes, from->size);
}

#endif
