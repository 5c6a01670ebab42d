/// A hash in the order in which peers came.
#include "daemon/net/known_peers.h"

#include <stdlib.h>

static void drop(rp_known_peers_t *self, rp_known_peer_t *known)
{
    HASH_DEL(self->by_name, known); // NOLINT(clang-analyzer-unix.Malloc): freed once each
    free(known);
}

/// Without memory it stays unknown.
static void add(rp_known_peers_t *self, const rp_peer_t *peer)
{
    rp_known_peer_t *known = malloc(sizeof *known + peer->size);
    if (known == NULL) {
        return;
    }
    if (HASH_COUNT(self->by_name) == RP_KNOWN_PEERS_MAX) {
        drop(self, self->by_name);
    }
    known->connection = peer->connection;
    known->life = peer->life;
    known->size = peer->size;
    memcpy(known->bytes, peer->bytes, peer->size);
    HASH_ADD_KEYPTR(hh, self->by_name, known->bytes, known->size, known);
}

bool rp_known_peers_note(rp_known_peers_t *self, const rp_peer_t *peer)
{
    rp_known_peer_t *known;
    HASH_FIND(hh, self->by_name, peer->bytes, peer->size, known);
    if (known == NULL) {
        add(self, peer);
        return true;
    }
    const bool is_other_connection = known->connection != peer->connection;
    const bool is_other_life = known->life != peer->life && known->life != 0 && peer->life != 0;
    known->connection = peer->connection;
    known->life = is_other_connection || peer->life != 0 ? peer->life : known->life;
    return is_other_connection || is_other_life;
}

void rp_known_peers_fini(rp_known_peers_t *self)
{
    while (self->by_name != NULL) {
        drop(self, self->by_name); // NOLINT(clang-analyzer-unix.Malloc): freed once each
    }
}
