/// A list that is empty as long as everybody reads.
#include "daemon/net/outbox.h"

#include <stdlib.h>
#include <string.h>

struct rp_outbox_reply {
    rp_outbox_reply_t *next;
    rp_peer_usage_t *share; ///< of its peer
    rp_peer_t peer;
    size_t size;
    uint8_t bytes[];
};

static size_t weight_of(size_t size)
{
    return sizeof(rp_outbox_reply_t) + size;
}

static void append(rp_outbox_t *self, rp_outbox_reply_t *reply)
{
    reply->next = NULL;
    if (self->first == NULL) {
        self->first = reply;
    } else {
        self->last->next = reply;
    }
    self->last = reply;
}

void rp_outbox_fini(rp_outbox_t *self)
{
    while (self->first != NULL) {
        rp_outbox_reply_t *reply = self->first;
        self->first = reply->next;
        free(reply);
    }
    rp_peer_quota_fini(&self->shares);
    *self = (rp_outbox_t){0};
}

rp_status_t rp_outbox_add(rp_outbox_t *self, const rp_peer_t *peer, const void *bytes, size_t size)
{
    if (!rp_peer_quota_have_room(&self->shares, peer, weight_of(size), RP_OUTBOX_BYTES)) {
        return RP_E_LIMIT;
    }
    rp_outbox_reply_t *reply = malloc(weight_of(size));
    if (reply == NULL) {
        return RP_E_MEMORY;
    }
    reply->share = rp_peer_quota_take(&self->shares, peer, weight_of(size));
    if (reply->share == NULL) {
        free(reply);
        return RP_E_MEMORY;
    }
    rp_peer_copy(&reply->peer, peer);
    reply->size = size;
    memcpy(reply->bytes, bytes, size);
    append(self, reply);
    return RP_OK;
}

static void drop(rp_outbox_t *self, rp_outbox_reply_t *reply)
{
    rp_peer_quota_give(&self->shares, reply->share, weight_of(reply->size));
    free(reply);
}

void rp_outbox_forget(rp_outbox_t *self, const rp_peer_t *peer)
{
    rp_outbox_reply_t *reply = self->first;
    self->first = NULL;
    self->last = NULL;
    while (reply != NULL) {
        rp_outbox_reply_t *next = reply->next;
        if (rp_peer_has_new_life(&reply->peer, peer)) {
            drop(self, reply);
        } else {
            append(self, reply);
        }
        reply = next;
    }
}

bool rp_outbox_send(rp_outbox_t *self, const rp_transport_t *transport, uint64_t *gone)
{
    rp_outbox_reply_t *reply = self->first;
    self->first = NULL;
    self->last = NULL;
    while (reply != NULL) {
        rp_outbox_reply_t *next = reply->next;
        const rp_sent_t sent =
            transport->control(transport->user, &reply->peer, reply->bytes, reply->size);
        if (sent == RP_SENT_FULL) {
            append(self, reply);
        } else {
            *gone += sent == RP_SENT_GONE;
            drop(self, reply);
        }
        reply = next;
    }
    return self->first != NULL;
}
