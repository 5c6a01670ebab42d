/// A hash by routing id, in the order in which peers came.
#include "daemon/connections/routing_ids.h"

#include <stdlib.h>
#include <string.h>

/// An address that is this connection's alone; NULL when its peer has no properties.
static const char *mark_of(zmq_msg_t *id)
{
    return zmq_msg_gets(id, "Socket-Type");
}

static void drop(rp_routing_ids_t *self, rp_routing_id_t *known)
{
    HASH_DEL(self->by_name, known); // NOLINT(clang-analyzer-unix.Malloc): freed once each
    (void)zmq_msg_close(&known->held);
    free(known);
}

static bool is_needed(const rp_routing_id_t *known, const rp_peer_quota_t *needed)
{
    rp_peer_t peer = {0};
    return rp_peer_add(&peer, known->name, known->size) && rp_peer_quota_held(needed, &peer) != 0;
}

/// Forget the oldest that nobody needs; those that are needed are the newest then.
static void make_room(rp_routing_ids_t *self, const rp_peer_quota_t *needed)
{
    while (HASH_COUNT(self->by_name) >= RP_ROUTING_IDS_KNOWN) {
        rp_routing_id_t *oldest = self->by_name;
        if (!is_needed(oldest, needed)) {
            drop(self, oldest);
            return;
        }
        HASH_DEL(self->by_name, oldest);
        HASH_ADD_KEYPTR(hh, self->by_name, oldest->name, oldest->size, oldest);
    }
}

static rp_routing_id_t *add(rp_routing_ids_t *self, zmq_msg_t *id, const rp_peer_quota_t *needed)
{
    const size_t size = zmq_msg_size(id);
    rp_routing_id_t *known = malloc(sizeof *known + size);
    if (known == NULL) {
        return NULL;
    }
    make_room(self, needed);
    known->mark = NULL;
    known->size = (uint32_t)size;
    (void)zmq_msg_init(&known->held);
    memcpy(known->name, zmq_msg_data(id), size);
    HASH_ADD_KEYPTR(hh, self->by_name, known->name, known->size, known);
    return known;
}

uint64_t rp_routing_ids_connection(rp_routing_ids_t *self, zmq_msg_t *id,
                                   const rp_peer_quota_t *needed)
{
    const char *mark = mark_of(id);
    rp_routing_id_t *known;
    if (mark == NULL) {
        return 0;
    }
    HASH_FIND(hh, self->by_name, zmq_msg_data(id), zmq_msg_size(id), known);
    if (known == NULL) {
        known = add(self, id, needed);
    }
    if (known == NULL) {
        return 0;
    }
    if (known->mark != mark) {
        (void)zmq_msg_copy(&known->held, id);
        known->mark = mark;
        known->number = ++self->last;
    }
    return known->number;
}

void rp_routing_ids_fini(rp_routing_ids_t *self)
{
    while (self->by_name != NULL) {
        drop(self, self->by_name); // NOLINT(clang-analyzer-unix.Malloc): freed once each
    }
}
