/// Whoever came later waits, if it concerns the same.
#include "daemon/line.h"

#include <stdlib.h>
#include <string.h>

#include "daemon/haul.h"

/// Whose share a message is of. No peer has an empty name: that is who publishes.
static const rp_peer_t *sender_of(const rp_letter_t *letter)
{
    static const rp_peer_t publishers = {.frame_count = 1, .size = 1};
    return letter->peer != NULL ? letter->peer : &publishers;
}

static size_t weight_of(const rp_letter_t *letter)
{
    return letter->size + RP_LINE_WEIGHT;
}

size_t rp_line_held(const rp_line_t *self, const rp_letter_t *letter)
{
    return rp_shares_held(&self->shares, sender_of(letter));
}

bool rp_line_has_room(const rp_line_t *self, const rp_letter_t *letter)
{
    return rp_shares_have_room(&self->shares, sender_of(letter), weight_of(letter), RP_LINE_BYTES);
}

static bool concerns(const rp_letter_t *before, const rp_letter_t *letter)
{
    const bool is_same_world = (before->touches & letter->touches) != 0 &&
                               letter->world[0] != '\0' &&
                               strcmp(before->world, letter->world) == 0;
    return is_same_world || (before->peer != NULL && letter->peer != NULL &&
                             rp_peer_is_same(before->peer, letter->peer));
}

bool rp_line_holds(const rp_line_t *self, const rp_letter_t *letter, const rp_lined_t *end)
{
    for (const rp_lined_t *lined = self->first; lined != end; lined = lined->next) {
        if (concerns(&lined->letter, letter)) {
            return true;
        }
    }
    return false;
}

const rp_lined_t *rp_line_find(const rp_line_t *self, const rp_peer_t *peer,
                               const rp_request_key_t *key)
{
    for (const rp_lined_t *lined = self->first; lined != NULL; lined = lined->next) {
        const rp_request_key_t *its = &lined->letter.key;
        if (its->id == key->id && its->life == key->life && its->changes &&
            lined->letter.peer != NULL && rp_peer_is_equal(&lined->peer, peer)) {
            return lined;
        }
    }
    return NULL;
}

void rp_line_mute(rp_line_t *self, const rp_peer_t *peer)
{
    for (rp_lined_t *lined = self->first; lined != NULL; lined = lined->next) {
        lined->letter.is_mute = lined->letter.is_mute || (lined->letter.peer != NULL &&
                                                          rp_peer_has_new_life(&lined->peer, peer));
    }
}

static void destroy(rp_lined_t *lined)
{
    rp_haul_destroy(&lined->haul);
    rp_bulk_drop(&lined->bulk);
    free(lined);
}

rp_lined_t *rp_line_add(rp_line_t *self, const rp_letter_t *letter, rp_bulk_t **bulk)
{
    rp_lined_t *lined = *bulk != NULL ? calloc(1, sizeof *lined) : NULL;
    if (lined == NULL) {
        rp_bulk_drop(bulk);
        return NULL;
    }
    lined->bulk = *bulk;
    *bulk = NULL;
    lined->share = rp_shares_take(&self->shares, sender_of(letter), weight_of(letter));
    if (lined->share == NULL) {
        destroy(lined);
        return NULL;
    }
    lined->letter = *letter;
    lined->letter.body = lined->bulk->bytes;
    lined->letter.in_line = lined;
    if (letter->peer != NULL) {
        rp_peer_copy(&lined->peer, letter->peer);
        lined->letter.peer = &lined->peer;
    }
    if (letter->topic != NULL) {
        memcpy(lined->topic, letter->topic, letter->topic_size);
        lined->letter.topic = lined->topic;
    }
    memcpy(lined->world, letter->world, strlen(letter->world));
    lined->letter.world = lined->world;
    *(self->first != NULL ? &self->last->next : &self->first) = lined;
    self->last = lined;
    self->count++;
    return lined;
}

void rp_line_remove(rp_line_t *self, rp_lined_t *lined)
{
    rp_lined_t *before = NULL;
    rp_lined_t **place = &self->first;
    while (*place != lined) {
        before = *place;
        place = &before->next;
    }
    *place = lined->next;
    self->last = self->last == lined ? before : self->last;
    self->count--;
    rp_shares_give(&self->shares, lined->share, weight_of(&lined->letter));
    if (lined->haul != NULL) {
        lined->next = self->over;
        self->over = lined;
    } else {
        destroy(lined);
    }
}

bool rp_line_clear(rp_line_t *self)
{
    rp_lined_t *lined = self->over;
    if (lined == NULL) {
        return false;
    }
    self->over = lined->next;
    destroy(lined);
    return true;
}

void rp_line_fini(rp_line_t *self)
{
    while (self->first != NULL) {
        rp_line_remove(self, self->first);
    }
    while (rp_line_clear(self)) {
    }
}
