/// A hash in the order in which peers came.
#include "daemon/net/known_peers.h"

#include <stdlib.h>
#include <string.h>

static void drop(rp_known_peers_t *self, rp_known_peer_t *known)
{
    HASH_DEL(self->by_name, known); // NOLINT(clang-analyzer-unix.Malloc): freed once each
    free(known->refusal);
    free(known);
}

static rp_known_peer_t *find(const rp_known_peers_t *self, const rp_peer_t *peer)
{
    rp_known_peer_t *known;
    HASH_FIND(hh, self->by_name, peer->bytes, peer->size, known);
    return known;
}

/// Without memory it stays unknown.
static void add(rp_known_peers_t *self, const rp_peer_t *peer, uint64_t now_us)
{
    rp_known_peer_t *known = malloc(sizeof *known + peer->size);
    if (known == NULL) {
        return;
    }
    *known = (rp_known_peer_t){.first_us = now_us, .heard_us = now_us, .requests = 1};
    if (HASH_COUNT(self->by_name) == RP_KNOWN_PEERS_MAX) {
        drop(self, self->by_name);
    }
    known->connection = peer->connection;
    known->life = peer->life;
    known->size = peer->size;
    memcpy(known->bytes, peer->bytes, peer->size);
    HASH_ADD_KEYPTR(hh, self->by_name, known->bytes, known->size, known);
}

bool rp_known_peers_note(rp_known_peers_t *self, const rp_peer_t *peer, uint64_t now_us)
{
    rp_known_peer_t *known = find(self, peer);
    if (known == NULL) {
        add(self, peer, now_us);
        return true;
    }
    known->heard_us = now_us;
    known->requests++;
    const bool is_other_connection = known->connection != peer->connection;
    const bool is_other_life = known->life != peer->life && known->life != 0 && peer->life != 0;
    known->connection = peer->connection;
    known->life = is_other_connection || peer->life != 0 ? peer->life : known->life;
    return is_other_connection || is_other_life;
}

void rp_known_peers_note_refusal(rp_known_peers_t *self, const rp_peer_t *peer,
                                 const char *sentence, uint64_t now_us)
{
    rp_known_peer_t *known = find(self, peer);
    if (known == NULL) {
        return;
    }
    known->refused++;
    known->refused_us = now_us;
    free(known->refusal);
    known->refusal = strdup(sentence);
}

void rp_known_peers_note_dropped(rp_known_peers_t *self, const rp_peer_t *peer)
{
    rp_known_peer_t *known = find(self, peer);
    if (known != NULL) {
        known->dropped++;
    }
}

void rp_known_peers_name(const rp_known_peer_t *known, rp_peer_t *peer)
{
    *peer = (rp_peer_t){.size = known->size, .connection = known->connection, .life = known->life};
    memcpy(peer->bytes, known->bytes, known->size);
    for (uint32_t at = 0; at < known->size; at += known->bytes[at] + 1u) {
        peer->frame_count++;
    }
}

void rp_known_peers_fini(rp_known_peers_t *self)
{
    while (self->by_name != NULL) {
        drop(self, self->by_name); // NOLINT(clang-analyzer-unix.Malloc): freed once each
    }
}
