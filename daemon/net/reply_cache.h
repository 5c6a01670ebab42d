/// @file
/// The replies to requests that changed a world or an agent, for clients that repeat one as they
/// did not hear its reply: those of the last minute, the newest RP_LIMIT_REPLIES_KEPT.
#ifndef REPLAN_DAEMON_NET_REPLY_CACHE_H
#define REPLAN_DAEMON_NET_REPLY_CACHE_H

#include <uthash.h>

#include "daemon/net/peer.h"
#include "daemon/net/request_key.h"

/// Bytes of the replies above RP_REPLY_LARGE that are kept, all together: beyond it the oldest of
/// them lose theirs, and only that they were there is known.
#define RP_REPLY_LARGE        4096u
#define RP_REPLIES_LARGE_MOST ((size_t)16 << 20)

typedef struct rp_kept_reply {
    rp_hash128_t body; ///< of the request
    uint64_t kept_us;
    uint8_t *bytes; ///< a packed ToClient, owned [size]; NULL: no longer kept
    size_t size;
    UT_hash_handle hh;
    size_t name_size;
    uint8_t name[]; ///< id, life and peer of the request [name_size]
} rp_kept_reply_t;

/// All zero: none is kept.
typedef struct rp_reply_cache {
    rp_kept_reply_t *by_name; ///< a hash of owned replies, oldest first
    uint32_t count;
    size_t large_bytes;
} rp_reply_cache_t;

void rp_reply_cache_fini(rp_reply_cache_t *self);

/// Remember the reply to a request for RP_LIMIT_REPEAT_MS, if it is to be kept. Without memory it
/// is not. @param key  hashed. @param bytes  copied [size]
void rp_reply_cache_keep(rp_reply_cache_t *self, const rp_peer_t *peer, const rp_request_key_t *key,
                         const void *bytes, size_t size, uint64_t now_us);

/// The reply to a request of this peer, this life and this id, whatever its body was.
/// @return borrowed until the next one is kept; NULL when there is none
const rp_kept_reply_t *rp_reply_cache_find(rp_reply_cache_t *self, const rp_peer_t *peer,
                                           const rp_request_key_t *key, uint64_t now_us);

#endif
