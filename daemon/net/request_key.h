/// @file
/// What a request is known by when it comes again: its id, the life of its client, and what it asks
/// for, byte by byte. By these and its peer, a repeat of a change is told from a new one.
///
///     Request = id, deadline_ms, after, life, body     the body: fields beyond the first four
#ifndef REPLAN_DAEMON_NET_REQUEST_KEY_H
#define REPLAN_DAEMON_NET_REQUEST_KEY_H

#include "daemon/net/siphash.h"

typedef struct rp_request_key {
    uint64_t id;
    uint64_t life;     ///< 0: the client tells none
    rp_hash128_t body; ///< when `is_hashed`
    bool is_hashed;
    bool changes; ///< a world or an agent: its reply is kept, unless its id is 0
} rp_request_key_t;

/// True when a repeat of the request is answered by the reply to the first one.
static inline bool rp_request_key_is_kept(const rp_request_key_t *self)
{
    return self->changes && self->id != 0;
}

/// The body of a packed request being hashed, or compared, piece by piece.
typedef struct rp_request_body {
    rp_siphash_t hash;
    const uint8_t *at; ///< borrowed, the packed request from here on
    const uint8_t *end;
    const uint8_t *field_end; ///< of the field that is being hashed
} rp_request_body_t;

/// Begin. @param packed  a whole request, which could be unpacked; borrowed [size]
void rp_request_body_init(rp_request_body_t *self, const rp_siphash_key_t *key,
                          const uint8_t *packed, size_t size);

/// Hash at most so many bytes more. @return false when the body is at its end
bool rp_request_body_hash(rp_request_body_t *self, size_t most);

/// Hash the body of a request in one go.
rp_hash128_t rp_request_body_of(const rp_siphash_key_t *key, const uint8_t *packed, size_t size);

/// True when two requests have the same body. Time: O(bytes), as fast as memory
bool rp_request_body_is_same(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size);

#endif
