/// Whoever came later waits, if it concerns the same.
#include "daemon/serving/request_queue.h"

#include <stdlib.h>
#include <string.h>

/// Whose share a message is of. No peer has an empty name: that is who publishes.
static const rp_peer_t *sender_of(const rp_inbound_t *inbound)
{
    static const rp_peer_t publishers = {.frame_count = 1, .size = 1};
    return inbound->peer != NULL ? inbound->peer : &publishers;
}

static size_t weight_of(const rp_inbound_t *inbound)
{
    return inbound->size + RP_REQUEST_QUEUE_WEIGHT;
}

size_t rp_request_queue_held(const rp_request_queue_t *self, const rp_inbound_t *inbound)
{
    return rp_peer_quota_held(&self->shares, sender_of(inbound));
}

bool rp_request_queue_has_room(const rp_request_queue_t *self, const rp_inbound_t *inbound)
{
    return rp_peer_quota_have_room(&self->shares, sender_of(inbound), weight_of(inbound),
                                   RP_REQUEST_QUEUE_BYTES);
}

static bool concerns(const rp_inbound_t *before, const rp_inbound_t *inbound)
{
    const bool is_same_world = (before->touches & inbound->touches) != 0 &&
                               inbound->world[0] != '\0' &&
                               strcmp(before->world, inbound->world) == 0;
    return is_same_world || (before->peer != NULL && inbound->peer != NULL &&
                             rp_peer_is_same(before->peer, inbound->peer));
}

bool rp_request_queue_holds(const rp_request_queue_t *self, const rp_inbound_t *inbound,
                            const rp_queued_t *end)
{
    for (const rp_queued_t *queued = self->first; queued != end; queued = queued->next) {
        if (concerns(&queued->inbound, inbound)) {
            return true;
        }
    }
    return false;
}

const rp_queued_t *rp_request_queue_find(const rp_request_queue_t *self, const rp_peer_t *peer,
                                         const rp_request_key_t *key)
{
    for (const rp_queued_t *queued = self->first; queued != NULL; queued = queued->next) {
        const rp_request_key_t *its = &queued->inbound.key;
        if (its->id == key->id && its->life == key->life && its->changes &&
            queued->inbound.peer != NULL && rp_peer_is_equal(&queued->peer, peer)) {
            return queued;
        }
    }
    return NULL;
}

void rp_request_queue_mute(rp_request_queue_t *self, const rp_peer_t *peer)
{
    for (rp_queued_t *queued = self->first; queued != NULL; queued = queued->next) {
        queued->inbound.is_mute =
            queued->inbound.is_mute ||
            (queued->inbound.peer != NULL && rp_peer_has_new_life(&queued->peer, peer));
    }
}

static void destroy(rp_queued_t *queued)
{
    if (queued->staged != NULL) {
        queued->destroy_staged(&queued->staged);
    }
    rp_shared_buffer_drop(&queued->buffer);
    free(queued);
}

rp_queued_t *rp_request_queue_add(rp_request_queue_t *self, const rp_inbound_t *inbound,
                                  rp_shared_buffer_t **buffer)
{
    rp_queued_t *queued = *buffer != NULL ? calloc(1, sizeof *queued) : NULL;
    if (queued == NULL) {
        rp_shared_buffer_drop(buffer);
        return NULL;
    }
    queued->buffer = *buffer;
    *buffer = NULL;
    queued->share = rp_peer_quota_take(&self->shares, sender_of(inbound), weight_of(inbound));
    if (queued->share == NULL) {
        destroy(queued);
        return NULL;
    }
    queued->inbound = *inbound;
    queued->inbound.body = queued->buffer->bytes;
    queued->inbound.queued = queued;
    if (inbound->peer != NULL) {
        rp_peer_copy(&queued->peer, inbound->peer);
        queued->inbound.peer = &queued->peer;
    }
    if (inbound->topic != NULL) {
        memcpy(queued->topic, inbound->topic, inbound->topic_size);
        queued->inbound.topic = queued->topic;
    }
    memcpy(queued->world, inbound->world, strlen(inbound->world));
    queued->inbound.world = queued->world;
    *(self->first != NULL ? &self->last->next : &self->first) = queued;
    self->last = queued;
    self->count++;
    return queued;
}

void rp_request_queue_remove(rp_request_queue_t *self, rp_queued_t *queued)
{
    rp_queued_t *before = NULL;
    rp_queued_t **place = &self->first;
    while (*place != queued) {
        before = *place;
        place = &before->next;
    }
    *place = queued->next;
    self->last = self->last == queued ? before : self->last;
    self->count--;
    rp_peer_quota_give(&self->shares, queued->share, weight_of(&queued->inbound));
    if (queued->staged != NULL) {
        queued->next = self->over;
        self->over = queued;
    } else {
        destroy(queued);
    }
}

bool rp_request_queue_clear(rp_request_queue_t *self)
{
    rp_queued_t *queued = self->over;
    if (queued == NULL) {
        return false;
    }
    self->over = queued->next;
    destroy(queued);
    return true;
}

void rp_request_queue_fini(rp_request_queue_t *self)
{
    while (self->first != NULL) {
        rp_request_queue_remove(self, self->first);
    }
    while (rp_request_queue_clear(self)) {
    }
}
