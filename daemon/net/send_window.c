/// Bytes under way are counted up by the thread that sends, and down by ZeroMQ's.
#include "daemon/net/send_window.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <uthash.h>

typedef struct account {
    atomic_size_t bytes;                  ///< 0: nobody but us knows of it
    uint8_t name[RP_LIMIT_ENVELOPE + 1u]; ///< of the peer: its first frame, length before it
    UT_hash_handle hh;
} account_t;

struct rp_send_window {
    atomic_size_t bytes;
    account_t *by_name; ///< owned; those of peers that have read all go when another one comes
};

struct rp_send_window_message {
    rp_send_window_t *all;
    account_t *account;
    size_t size;
    uint8_t bytes[];
};

static account_t *find(const rp_send_window_t *self, const rp_peer_t *peer)
{
    account_t *account;
    HASH_FIND(hh, self->by_name, peer->bytes, peer->bytes[0] + 1u, account);
    return account;
}

static void drop_idle(rp_send_window_t *self)
{
    account_t *account;
    account_t *next;
    HASH_ITER(hh, self->by_name, account, next)
    {
        if (atomic_load(&account->bytes) == 0) {
            HASH_DEL(self->by_name, account);
            free(account);
        }
    }
}

/// @return NULL without memory
static account_t *add(rp_send_window_t *self, const rp_peer_t *peer)
{
    drop_idle(self);
    account_t *account = calloc(1, sizeof *account);
    if (account != NULL) {
        memcpy(account->name, peer->bytes, peer->bytes[0] + 1u);
        HASH_ADD(hh, self->by_name, name, account->name[0] + 1u, account);
    }
    return account;
}

bool rp_send_window_has_room(rp_send_window_t *self, const rp_peer_t *peer, size_t size)
{
    const account_t *account = find(self, peer);
    const size_t bytes = account != NULL ? atomic_load(&account->bytes) : 0;
    if (bytes == 0) {
        return true;
    }
    const size_t part = RP_SEND_WINDOW_ALL / HASH_COUNT(self->by_name);
    const size_t most = part > RP_SEND_WINDOW_PEER   ? RP_SEND_WINDOW_PEER
                        : part < RP_SEND_WINDOW_PART ? RP_SEND_WINDOW_PART
                                                     : part;
    return bytes < most && size <= most - bytes;
}

rp_send_window_message_t *rp_send_window_copy(rp_send_window_t *self, const rp_peer_t *peer,
                                              const void *bytes, size_t size)
{
    account_t *account = find(self, peer);
    account = account != NULL ? account : add(self, peer);
    rp_send_window_message_t *message = account != NULL ? malloc(sizeof *message + size) : NULL;
    if (message == NULL) {
        return NULL;
    }
    message->all = self;
    message->account = account;
    message->size = size;
    memcpy(message->bytes, bytes, size);
    atomic_fetch_add(&account->bytes, size);
    atomic_fetch_add(&self->bytes, size);
    return message;
}

uint8_t *rp_send_window_bytes(rp_send_window_message_t *message)
{
    return message->bytes;
}

void rp_send_window_done(rp_send_window_message_t *message)
{
    const size_t size = message->size;
    atomic_fetch_sub(&message->all->bytes, size);
    atomic_fetch_sub(&message->account->bytes, size); // the account may be gone from here on
    free(message);
}

size_t rp_send_window_total(const rp_send_window_t *self)
{
    return atomic_load(&self->bytes);
}

size_t rp_send_window_of(const rp_send_window_t *self, const rp_peer_t *peer)
{
    const account_t *account = find(self, peer);
    return account != NULL ? atomic_load(&account->bytes) : 0;
}

// ---- birth and death

rp_send_window_t *rp_send_window_new(void)
{
    return calloc(1, sizeof(rp_send_window_t));
}

void rp_send_window_destroy(rp_send_window_t **self)
{
    if (*self != NULL) {
        drop_idle(*self);
        free(*self);
        *self = NULL;
    }
}
