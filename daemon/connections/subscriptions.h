/// @file
/// Subscriptions: the topics that each connection asked for, as ZeroMQ's tree has them. Exactly
/// those: what is asked for twice counts once, and what was never asked for cannot be given back,
/// so that nobody lies about the number. One thread owns it.
#ifndef REPLAN_DAEMON_CONNECTIONS_SUBSCRIPTIONS_H
#define REPLAN_DAEMON_CONNECTIONS_SUBSCRIPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uthash.h>

typedef struct rp_subscription rp_subscription_t;

/// Of one connection. It is there as long as it has a topic, at the same address.
typedef struct rp_subscriber {
    rp_subscription_t *by_topic; ///< owned
    void *connection;            ///< the owner's
    UT_hash_handle hh;
} rp_subscriber_t;

/// All zero: nobody asked for anything.
typedef struct rp_subscriptions {
    rp_subscriber_t *by_connection; ///< owned
    size_t count;                   ///< topics of all
    size_t bytes;                   ///< of those
} rp_subscriptions_t;

void rp_subscriptions_fini(rp_subscriptions_t *self);

/// @param topic  copied [size]
/// @return false without memory
bool rp_subscriptions_add(rp_subscriptions_t *self, void *connection, const void *topic,
                          size_t size);

void rp_subscriptions_remove(rp_subscriptions_t *self, void *connection, const void *topic,
                             size_t size);

/// All of a connection's.
void rp_subscriptions_drop(rp_subscriptions_t *self, void *connection);

size_t rp_subscriptions_held(const rp_subscriptions_t *self, void *connection);

/// The connection that holds most. @return NULL when nobody holds any
/// Time: O(connections)
void *rp_subscriptions_greatest(const rp_subscriptions_t *self);

#endif
