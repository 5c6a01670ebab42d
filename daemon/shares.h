/// @file
/// How many of the places that all peers share each of them holds: where none is left, the peer
/// that holds most gives one to a peer that holds less.
#ifndef REPLAN_DAEMON_SHARES_H
#define REPLAN_DAEMON_SHARES_H

#include <uthash.h>

#include "daemon/peer.h"

/// What one peer holds. It is there as long as that is something, at the same address.
typedef struct rp_share {
    size_t held;
    uint8_t name[RP_LIMIT_ENVELOPE + 1u]; ///< of the peer: its first frame, length before it
    UT_hash_handle hh;
} rp_share_t;

/// All zero: nobody holds anything.
typedef struct rp_shares {
    rp_share_t *by_name; ///< owned
} rp_shares_t;

void rp_shares_fini(rp_shares_t *self);

/// The peer gets so many more, at least one.
/// @return its share, borrowed until all was given back; NULL without memory
rp_share_t *rp_shares_take(rp_shares_t *self, const rp_peer_t *peer, size_t count);

/// So many of them are given back. @param share  may be NULL
void rp_shares_give(rp_shares_t *self, rp_share_t *share, size_t count);

/// How many the peer holds.
size_t rp_shares_held(const rp_shares_t *self, const rp_peer_t *peer);

#endif
