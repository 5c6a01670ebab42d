/// @file
/// Subscriptions: the topics that each connection asked for, as ZeroMQ's tree has them. Exactly
/// those: what is asked for twice counts once, and what was never asked for cannot be given back,
/// so that nobody lies about the number. What they take in that tree is counted, too
/// (topic_tree.h), of a connection that was told to go until ZeroMQ has noticed. One thread owns
/// it.
#ifndef REPLAN_DAEMON_CONNECTIONS_SUBSCRIPTIONS_H
#define REPLAN_DAEMON_CONNECTIONS_SUBSCRIPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uthash.h>

#include "daemon/connections/topic_tree.h"

typedef struct rp_subscription rp_subscription_t;

/// Of one connection. It is there as long as it has a topic, at the same address.
typedef struct rp_subscriber {
    rp_subscription_t *by_topic; ///< owned
    void *connection;            ///< the owner's
    size_t weight;               ///< of its topics, as if it shared none of ZeroMQ's nodes
    size_t leaving_bytes;        ///< of the tree, that go with it
    UT_hash_handle hh;
} rp_subscriber_t;

/// All zero: nobody asked for anything.
typedef struct rp_subscriptions {
    rp_subscriber_t *by_connection; ///< owned
    rp_topic_tree_t tree;
    size_t count;         ///< topics of all
    size_t leaving_bytes; ///< of ZeroMQ's tree, of connections that were told to go
} rp_subscriptions_t;

void rp_subscriptions_fini(rp_subscriptions_t *self);

/// @param topic  copied [size]
/// @return false without memory
bool rp_subscriptions_add(rp_subscriptions_t *self, void *connection, const void *topic,
                          size_t size);

void rp_subscriptions_remove(rp_subscriptions_t *self, void *connection, const void *topic,
                             size_t size);

/// A connection was told to go: its topics are nobody's, but take what they took until it is
/// dropped.
void rp_subscriptions_leave(rp_subscriptions_t *self, void *connection);

/// All of a connection's, which is gone.
void rp_subscriptions_drop(rp_subscriptions_t *self, void *connection);

size_t rp_subscriptions_held(const rp_subscriptions_t *self, void *connection);

/// The connection that holds most, in nodes. @return NULL when nobody holds any
/// Time: O(connections)
void *rp_subscriptions_greatest(const rp_subscriptions_t *self);

#endif
