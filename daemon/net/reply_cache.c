/// A hash that keeps the order of arrival: the first is the oldest.
#include "daemon/net/reply_cache.h"

#include <stdlib.h>
#include <string.h>

#include "msgs/limits.h"

/// Who asked what, in one row of bytes.
typedef struct name {
    uint8_t bytes[2u * sizeof(uint64_t) + sizeof((rp_peer_t){0}.bytes)];
    size_t size;
} name_t;

static void name_of(const rp_peer_t *peer, const rp_request_key_t *key, name_t *name)
{
    memcpy(name->bytes, &key->id, sizeof key->id);
    memcpy(name->bytes + sizeof key->id, &key->life, sizeof key->life);
    memcpy(name->bytes + sizeof key->id + sizeof key->life, peer->bytes, peer->size);
    name->size = sizeof key->id + sizeof key->life + peer->size;
}

static rp_kept_reply_t *find(const rp_reply_cache_t *self, const name_t *name)
{
    rp_kept_reply_t *reply;
    HASH_FIND(hh, self->by_name, name->bytes, name->size, reply);
    return reply;
}

/// Its bytes go.
static void empty(rp_reply_cache_t *self, rp_kept_reply_t *reply)
{
    if (reply->bytes != NULL && reply->size > RP_REPLY_LARGE) {
        self->large_bytes -= reply->size;
    }
    free(reply->bytes);
    reply->bytes = NULL;
}

static void drop(rp_reply_cache_t *self, rp_kept_reply_t *reply)
{
    empty(self, reply);
    HASH_DEL(self->by_name, reply); // NOLINT(clang-analyzer-unix.Malloc): freed once each
    self->count--;
    free(reply);
}

static void drop_old(rp_reply_cache_t *self, uint32_t most, uint64_t now_us)
{
    while (self->by_name != NULL &&
           (self->count > most || self->by_name->kept_us + RP_LIMIT_REPEAT_MS * 1000u < now_us)) {
        drop(self, self->by_name); // NOLINT(clang-analyzer-unix.Malloc): freed once each
    }
}

/// Large replies make room for one of this size.
static void empty_large(rp_reply_cache_t *self, size_t size)
{
    for (rp_kept_reply_t *reply = self->by_name;
         reply != NULL && self->large_bytes + size > RP_REPLIES_LARGE_MOST;
         reply = reply->hh.next) {
        if (reply->size > RP_REPLY_LARGE) {
            empty(self, reply);
        }
    }
}

void rp_reply_cache_keep(rp_reply_cache_t *self, const rp_peer_t *peer, const rp_request_key_t *key,
                         const void *bytes, size_t size, uint64_t now_us)
{
    name_t name;
    if (!rp_request_key_is_kept(key) || !key->is_hashed) {
        return;
    }
    name_of(peer, key, &name);
    rp_kept_reply_t *reply = find(self, &name);
    if (reply != NULL) {
        drop(self, reply);
    }
    drop_old(self, RP_LIMIT_REPLIES_KEPT - 1u, now_us);
    reply = calloc(1, sizeof *reply + name.size);
    if (reply == NULL) {
        return;
    }
    if (size > RP_REPLY_LARGE) {
        empty_large(self, size);
        self->large_bytes += size;
    }
    reply->bytes = malloc(size);
    if (reply->bytes == NULL) {
        self->large_bytes -= size > RP_REPLY_LARGE ? size : 0u;
    } else {
        memcpy(reply->bytes, bytes, size);
    }
    reply->body = key->body;
    reply->kept_us = now_us;
    reply->size = size;
    reply->name_size = name.size;
    memcpy(reply->name, name.bytes, name.size);
    HASH_ADD_KEYPTR(hh, self->by_name, reply->name, reply->name_size, reply);
    self->count++;
}

const rp_kept_reply_t *rp_reply_cache_find(rp_reply_cache_t *self, const rp_peer_t *peer,
                                           const rp_request_key_t *key, uint64_t now_us)
{
    name_t name;
    drop_old(self, RP_LIMIT_REPLIES_KEPT, now_us);
    name_of(peer, key, &name);
    return find(self, &name);
}

void rp_reply_cache_fini(rp_reply_cache_t *self)
{
    while (self->by_name != NULL) {
        drop(self, self->by_name); // NOLINT(clang-analyzer-unix.Malloc): freed once each
    }
}
