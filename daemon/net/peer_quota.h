/// @file
/// Peer quota: how much each peer holds of a limited number of places or bytes. When no place is
/// left, the peer that holds most gives one up for a peer that holds less; when bytes run out,
/// peers that hold many are refused before peers that hold none.
#ifndef REPLAN_DAEMON_NET_PEER_QUOTA_H
#define REPLAN_DAEMON_NET_PEER_QUOTA_H

#include <stdbool.h>
#include <stddef.h>
#include <uthash.h>

#include "daemon/net/peer.h"

/// What one peer holds. It is there as long as that is something, at the same address.
typedef struct rp_peer_usage {
    size_t held;
    uint8_t name[RP_LIMIT_ENVELOPE + 1u]; ///< of the peer: its first frame, length before it
    UT_hash_handle hh;
} rp_peer_usage_t;

/// All zero: nobody holds anything.
typedef struct rp_peer_quota {
    rp_peer_usage_t *by_name; ///< owned
    size_t total;             ///< that all of them hold
} rp_peer_quota_t;

void rp_peer_quota_fini(rp_peer_quota_t *self);

/// The peer gets so many more, at least one.
/// @return its share, borrowed until all was given back; NULL without memory
rp_peer_usage_t *rp_peer_quota_take(rp_peer_quota_t *self, const rp_peer_t *peer, size_t count);

/// So many of them are given back. @param share  may be NULL
void rp_peer_quota_give(rp_peer_quota_t *self, rp_peer_usage_t *share, size_t count);

/// How many the peer holds.
size_t rp_peer_quota_held(const rp_peer_quota_t *self, const rp_peer_t *peer);

/// Of `all` bytes, what one peer may hold.
#define RP_PEER_QUOTA_PART(all) ((all) / 4u)

/// True when the peer may have so many more of `all` bytes: up to its part, and the last part is
/// left to peers that hold nothing. Such a peer may have any number at once, so that a message
/// longer than a part can pass: the total exceeds `all` by one message at most.
bool rp_peer_quota_have_room(const rp_peer_quota_t *self, const rp_peer_t *peer, size_t more,
                             size_t all);

#endif
