/// A hash by routing id, in the order in which peers came.
#include "daemon/connections.h"

#include <stdlib.h>
#include <string.h>

/// An address that is this connection's alone; NULL when its peer has no properties.
static const char *mark_of(zmq_msg_t *id)
{
    return zmq_msg_gets(id, "Socket-Type");
}

static void drop(rp_connections_t *self, rp_connection_t *connection)
{
    HASH_DEL(self->by_name, connection); // NOLINT(clang-analyzer-unix.Malloc): freed once each
    (void)zmq_msg_close(&connection->held);
    free(connection);
}

static bool is_needed(const rp_connection_t *connection, const rp_shares_t *needed)
{
    rp_peer_t peer = {0};
    return rp_peer_add(&peer, connection->name, connection->size) &&
           rp_shares_held(needed, &peer) != 0;
}

/// Forget the oldest that nobody needs; those that are needed are the newest then.
static void make_room(rp_connections_t *self, const rp_shares_t *needed)
{
    while (HASH_COUNT(self->by_name) >= RP_CONNECTIONS_KNOWN) {
        rp_connection_t *oldest = self->by_name;
        if (!is_needed(oldest, needed)) {
            drop(self, oldest);
            return;
        }
        HASH_DEL(self->by_name, oldest);
        HASH_ADD_KEYPTR(hh, self->by_name, oldest->name, oldest->size, oldest);
    }
}

static rp_connection_t *add(rp_connections_t *self, zmq_msg_t *id, const rp_shares_t *needed)
{
    const size_t size = zmq_msg_size(id);
    rp_connection_t *connection = malloc(sizeof *connection + size);
    if (connection == NULL) {
        return NULL;
    }
    make_room(self, needed);
    connection->mark = NULL;
    connection->size = (uint32_t)size;
    (void)zmq_msg_init(&connection->held);
    memcpy(connection->name, zmq_msg_data(id), size);
    HASH_ADD_KEYPTR(hh, self->by_name, connection->name, connection->size, connection);
    return connection;
}

uint64_t rp_connections_number(rp_connections_t *self, zmq_msg_t *id, const rp_shares_t *needed)
{
    const char *mark = mark_of(id);
    rp_connection_t *connection;
    if (mark == NULL) {
        return 0;
    }
    HASH_FIND(hh, self->by_name, zmq_msg_data(id), zmq_msg_size(id), connection);
    if (connection == NULL) {
        connection = add(self, id, needed);
    }
    if (connection == NULL) {
        return 0;
    }
    if (connection->mark != mark) {
        (void)zmq_msg_copy(&connection->held, id);
        connection->mark = mark;
        connection->number = ++self->last;
    }
    return connection->number;
}

void rp_connections_fini(rp_connections_t *self)
{
    while (self->by_name != NULL) {
        drop(self, self->by_name); // NOLINT(clang-analyzer-unix.Malloc): freed once each
    }
}
