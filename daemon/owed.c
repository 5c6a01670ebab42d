/// A list that is empty as long as everybody reads.
#include "daemon/owed.h"

#include <stdlib.h>
#include <string.h>

struct rp_owed_reply {
    rp_owed_reply_t *next;
    rp_share_t *share; ///< of its peer
    rp_peer_t peer;
    size_t size;
    uint8_t bytes[];
};

static size_t weight_of(size_t size)
{
    return sizeof(rp_owed_reply_t) + size;
}

static void append(rp_owed_t *self, rp_owed_reply_t *reply)
{
    reply->next = NULL;
    if (self->first == NULL) {
        self->first = reply;
    } else {
        self->last->next = reply;
    }
    self->last = reply;
}

void rp_owed_fini(rp_owed_t *self)
{
    while (self->first != NULL) {
        rp_owed_reply_t *reply = self->first;
        self->first = reply->next;
        free(reply);
    }
    rp_shares_fini(&self->shares);
    *self = (rp_owed_t){0};
}

rp_status_t rp_owed_add(rp_owed_t *self, const rp_peer_t *peer, const void *bytes, size_t size)
{
    if (!rp_shares_have_room(&self->shares, peer, weight_of(size), RP_OWED_BYTES)) {
        return RP_E_LIMIT;
    }
    rp_owed_reply_t *reply = malloc(weight_of(size));
    if (reply == NULL) {
        return RP_E_MEMORY;
    }
    reply->share = rp_shares_take(&self->shares, peer, weight_of(size));
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

static void drop(rp_owed_t *self, rp_owed_reply_t *reply)
{
    rp_shares_give(&self->shares, reply->share, weight_of(reply->size));
    free(reply);
}

void rp_owed_forget(rp_owed_t *self, const rp_peer_t *peer)
{
    rp_owed_reply_t *reply = self->first;
    self->first = NULL;
    self->last = NULL;
    while (reply != NULL) {
        rp_owed_reply_t *next = reply->next;
        if (rp_peer_has_new_life(&reply->peer, peer)) {
            drop(self, reply);
        } else {
            append(self, reply);
        }
        reply = next;
    }
}

bool rp_owed_send(rp_owed_t *self, const rp_outlet_t *outlet, uint64_t *gone)
{
    rp_owed_reply_t *reply = self->first;
    self->first = NULL;
    self->last = NULL;
    while (reply != NULL) {
        rp_owed_reply_t *next = reply->next;
        const rp_sent_t sent =
            outlet->control(outlet->user, &reply->peer, reply->bytes, reply->size);
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
