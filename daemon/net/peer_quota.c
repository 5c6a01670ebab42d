/// Counts by peer.
#include "daemon/net/peer_quota.h"

#include <stdlib.h>

static rp_peer_usage_t *find(const rp_peer_quota_t *self, const rp_peer_t *peer)
{
    rp_peer_usage_t *share;
    HASH_FIND(hh, self->by_name, peer->bytes, peer->bytes[0] + 1u, share);
    return share;
}

rp_peer_usage_t *rp_peer_quota_take(rp_peer_quota_t *self, const rp_peer_t *peer, size_t count)
{
    rp_peer_usage_t *share = find(self, peer);
    if (share == NULL) {
        share = calloc(1, sizeof *share);
        if (share == NULL) {
            return NULL;
        }
        memcpy(share->name, peer->bytes, peer->bytes[0] + 1u);
        HASH_ADD(hh, self->by_name, name, share->name[0] + 1u, share);
    }
    share->held += count;
    self->total += count;
    return share;
}

void rp_peer_quota_give(rp_peer_quota_t *self, rp_peer_usage_t *share, size_t count)
{
    if (share == NULL) {
        return;
    }
    share->held -= count;
    self->total -= count;
    if (share->held == 0) {
        HASH_DEL(self->by_name, share); // NOLINT(clang-analyzer-unix.Malloc): freed once each
        free(share);
    }
}

size_t rp_peer_quota_held(const rp_peer_quota_t *self, const rp_peer_t *peer)
{
    const rp_peer_usage_t *share = find(self, peer);
    return share != NULL ? share->held : 0u;
}

bool rp_peer_quota_have_room(const rp_peer_quota_t *self, const rp_peer_t *peer, size_t more,
                             size_t all)
{
    const size_t held = rp_peer_quota_held(self, peer);
    if (held == 0) {
        return self->total < all;
    }
    const size_t part = RP_PEER_QUOTA_PART(all);
    return held < part && more <= part - held && self->total + more <= all - part;
}

void rp_peer_quota_fini(rp_peer_quota_t *self)
{
    while (self->by_name != NULL) {
        // NOLINTNEXTLINE(clang-analyzer-unix.Malloc): what was freed is no longer in the hash
        rp_peer_quota_give(self, self->by_name, self->by_name->held);
    }
}
