/// Lists of what is owed to requesters.
#include "daemon/serving/pending_replies.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void rp_pending_reply_destroy(rp_pending_reply_t **self)
{
    if (*self != NULL) {
        free((*self)->request);
        free(*self);
        *self = NULL;
    }
}

bool rp_pending_replies_have_room(const rp_pending_replies_t *self, const rp_peer_t *peer)
{
    return rp_peer_quota_held(&self->places, peer) < RP_LIMIT_WINDOW &&
           self->count - self->yielded < RP_PENDING_REPLIES_MAX;
}

/// Give back what it holds.
static void leave(rp_pending_replies_t *self, rp_pending_reply_t *wait)
{
    rp_peer_quota_give(&self->places, wait->place, 1);
    rp_peer_quota_give(&self->questions, wait->question, 1);
    rp_peer_quota_give(&self->bytes, wait->bytes, wait->request_size);
    wait->place = NULL;
    wait->question = NULL;
    wait->bytes = NULL;
}

rp_pending_reply_t *rp_pending_replies_yielder(const rp_pending_replies_t *self,
                                               const rp_peer_t *peer, bool is_question,
                                               uint64_t now_us)
{
    const size_t own = rp_peer_quota_held(is_question ? &self->questions : &self->places, peer);
    size_t most = own;
    rp_pending_reply_t *yielder = NULL;
    for (uint32_t i = 0; i < self->count; i++) {
        const rp_peer_usage_t *share = is_question ? self->list[i]->question : self->list[i]->place;
        if (share != NULL && share->held > most) {
            most = share->held;
            yielder = self->list[i];
        }
    }
    const uint64_t long_us = (uint64_t)RP_LIMIT_YIELD_MS * 1000u;
    const bool is_fair =
        most > own + 1u || (yielder != NULL && yielder->began_us + long_us <= now_us);
    return is_fair ? yielder : NULL;
}

bool rp_pending_replies_may_add(const rp_pending_replies_t *self, const rp_peer_t *peer,
                                uint64_t now_us)
{
    return rp_pending_replies_have_room(self, peer) ||
           (rp_peer_quota_held(&self->places, peer) < RP_LIMIT_WINDOW &&
            rp_pending_replies_yielder(self, peer, false, now_us) != NULL);
}

bool rp_pending_replies_may_keep(const rp_pending_replies_t *self, const rp_peer_t *peer,
                                 size_t size)
{
    return rp_peer_quota_have_room(&self->bytes, peer, size, RP_PENDING_REPLIES_BYTES);
}

void rp_pending_replies_yield(rp_pending_replies_t *self, rp_pending_reply_t *wait)
{
    if (wait->state == RP_PENDING_WAITS) {
        wait->state = RP_PENDING_GAVE_WAY;
        leave(self, wait);
        self->yielded++;
    }
}

void rp_pending_replies_yield_all(rp_pending_replies_t *self, const rp_peer_t *peer)
{
    for (uint32_t i = 0; i < self->count; i++) {
        if (rp_peer_is_same(&self->list[i]->peer, peer)) {
            rp_pending_replies_yield(self, self->list[i]);
            self->list[i]->state = RP_PENDING_LEFT;
        }
    }
}

/// @return NULL without memory
static rp_pending_reply_t *copy(rp_pending_replies_t *self, const rp_pending_reply_t *wait,
                                const void *request, size_t size)
{
    rp_pending_reply_t *kept = malloc(sizeof *kept);
    if (kept == NULL) {
        return NULL;
    }
    const bool is_question = wait->kind == RP_PENDING_QUERY;
    *kept = *wait;
    kept->request = request != NULL ? malloc(size) : NULL;
    kept->request_size = request != NULL ? size : 0;
    kept->place = rp_peer_quota_take(&self->places, &wait->peer, 1);
    kept->question = is_question ? rp_peer_quota_take(&self->questions, &wait->peer, 1) : NULL;
    kept->bytes = request != NULL ? rp_peer_quota_take(&self->bytes, &wait->peer, size) : NULL;
    if ((request != NULL && (kept->request == NULL || kept->bytes == NULL)) ||
        kept->place == NULL || (is_question && kept->question == NULL)) {
        leave(self, kept);
        rp_pending_reply_destroy(&kept);
        return NULL;
    }
    if (request != NULL) {
        memcpy(kept->request, request, size);
    }
    return kept;
}

rp_status_t rp_pending_replies_add(rp_pending_replies_t *self, const rp_pending_reply_t *wait,
                                   const void *request, size_t size)
{
    if (!rp_pending_replies_may_add(self, &wait->peer, wait->began_us) ||
        (request != NULL && !rp_pending_replies_may_keep(self, &wait->peer, size))) {
        return RP_E_LIMIT;
    }
    if (!rp_pending_replies_have_room(self, &wait->peer)) {
        rp_pending_replies_yield(
            self, rp_pending_replies_yielder(self, &wait->peer, false, wait->began_us));
    }
    const bool is_room = rp_array_reserve(&self->list, &self->capacity, self->count + 1u,
                                          sizeof(rp_pending_reply_t *));
    rp_pending_reply_t *kept = is_room ? copy(self, wait, request, size) : NULL;
    if (kept == NULL) {
        return RP_E_MEMORY;
    }
    self->list[self->count++] = kept;
    return RP_OK;
}

rp_pending_reply_t *rp_pending_replies_take(rp_pending_replies_t *self, uint32_t place)
{
    rp_pending_reply_t *wait = self->list[place];
    self->yielded -= wait->state != RP_PENDING_WAITS;
    leave(self, wait);
    self->count--;
    memmove(self->list + place, self->list + place + 1u,
            (self->count - place) * sizeof(rp_pending_reply_t *));
    return wait;
}

void rp_pending_replies_mute(rp_pending_replies_t *self, const rp_peer_t *peer)
{
    for (uint32_t i = 0; i < self->count; i++) {
        rp_pending_reply_t *wait = self->list[i];
        if (!wait->is_mute && rp_peer_has_new_life(&wait->peer, peer)) {
            wait->is_mute = true;
            if (!wait->key.changes) {
                rp_pending_replies_yield(self, wait);
            }
        }
    }
}

const rp_pending_reply_t *rp_pending_replies_find(const rp_pending_replies_t *self,
                                                  const rp_peer_t *peer,
                                                  const rp_request_key_t *key)
{
    for (uint32_t i = 0; i < self->count; i++) {
        const rp_pending_reply_t *wait = self->list[i];
        if (wait->key.id == key->id && wait->key.life == key->life && wait->key.changes &&
            rp_peer_is_equal(&wait->peer, peer)) {
            return wait;
        }
    }
    return NULL;
}

void rp_pending_replies_fini(rp_pending_replies_t *self)
{
    while (self->count != 0) {
        rp_pending_reply_t *wait = rp_pending_replies_take(self, self->count - 1u);
        rp_pending_reply_destroy(&wait);
    }
    free(self->list);
    rp_peer_quota_fini(&self->places);
    rp_peer_quota_fini(&self->questions);
    rp_peer_quota_fini(&self->bytes);
    *self = (rp_pending_replies_t){0};
}
