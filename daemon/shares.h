/// @file
/// How many of the places, or bytes, that all peers share each of them holds. Where no place is
/// left, the peer that holds most gives one to a peer that holds less; where bytes run out, who
/// holds many is refused before who holds none.
#ifndef REPLAN_DAEMON_SHARES_H
#define REPLAN_DAEMON_SHARES_H

#include <stdbool.h>
#include <stddef.h>
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
    size_t total;        ///< that all of them hold
} rp_shares_t;

void rp_shares_fini(rp_shares_t *self);

/// The peer gets so many more, at least one.
/// @return its share, borrowed until all was given back; NULL without memory
rp_share_t *rp_shares_take(rp_shares_t *self, const rp_peer_t *peer, size_t count);

/// So many of them are given back. @param share  may be NULL
void rp_shares_give(rp_shares_t *self, rp_share_t *share, size_t count);

/// How many the peer holds.
size_t rp_shares_held(const rp_shares_t *self, const rp_peer_t *peer);

/// Of `all` bytes, what one peer may hold.
#define RP_SHARES_PART(all) ((all) / 4u)

/// True when the peer may have so many more of `all` bytes: up to its part, and the last part is
/// left to those who hold nothing. Who holds nothing may have any number at once, so that a message
/// longer than a part can pass: the total exceeds `all` by one message at most.
bool rp_shares_have_room(const rp_shares_t *self, const rp_peer_t *peer, size_t more, size_t all);

#endif
