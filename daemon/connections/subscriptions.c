/// A table of connections, and in each one of topics.
#include "daemon/connections/subscriptions.h"

#include <stdlib.h>
#include <string.h>

struct rp_subscription {
    UT_hash_handle hh;
    size_t size;
    uint8_t topic[];
};

static rp_subscriber_t *find(const rp_subscriptions_t *self, void *connection)
{
    rp_subscriber_t *subscriber;
    HASH_FIND_PTR(self->by_connection, &connection, subscriber);
    return subscriber;
}

/// @return NULL without memory
static rp_subscriber_t *find_or_add(rp_subscriptions_t *self, void *connection)
{
    rp_subscriber_t *subscriber = find(self, connection);
    if (subscriber == NULL) {
        subscriber = calloc(1, sizeof *subscriber);
        if (subscriber != NULL) {
            subscriber->connection = connection;
            HASH_ADD_PTR(self->by_connection, connection, subscriber);
        }
    }
    return subscriber;
}

static void drop_if_empty(rp_subscriptions_t *self, rp_subscriber_t *subscriber)
{
    if (subscriber->by_topic == NULL && subscriber->leaving_bytes == 0) {
        HASH_DEL(self->by_connection, subscriber);
        free(subscriber);
    }
}

static size_t weight_of(size_t size)
{
    return (size + 1u) * RP_TOPIC_NODE_BYTES;
}

static void remove_one(rp_subscriptions_t *self, rp_subscriber_t *subscriber,
                       rp_subscription_t *subscription)
{
    const size_t size = subscription->size;
    HASH_DEL(subscriber->by_topic, subscription);
    rp_topic_tree_remove(&self->tree, subscription->topic, size);
    self->count--;
    subscriber->weight -= weight_of(size);
    free(subscription);
}

bool rp_subscriptions_add(rp_subscriptions_t *self, void *connection, const void *topic,
                          size_t size)
{
    rp_subscriber_t *subscriber = find_or_add(self, connection);
    rp_subscription_t *subscription;
    if (subscriber == NULL) {
        return false;
    }
    HASH_FIND(hh, subscriber->by_topic, topic, size, subscription);
    if (subscription != NULL) {
        return true;
    }
    subscription = calloc(1, sizeof *subscription + size);
    if (subscription == NULL || !rp_topic_tree_add(&self->tree, topic, size)) {
        free(subscription);
        drop_if_empty(self, subscriber);
        return false;
    }
    if (size != 0) {
        memcpy(subscription->topic, topic, size);
    }
    subscription->size = size;
    HASH_ADD_KEYPTR(hh, subscriber->by_topic, subscription->topic, size, subscription);
    self->count++;
    subscriber->weight += weight_of(size);
    return true;
}

void rp_subscriptions_remove(rp_subscriptions_t *self, void *connection, const void *topic,
                             size_t size)
{
    rp_subscriber_t *subscriber = find(self, connection);
    rp_subscription_t *subscription = NULL;
    if (subscriber != NULL) {
        HASH_FIND(hh, subscriber->by_topic, topic, size, subscription);
    }
    if (subscription != NULL) {
        remove_one(self, subscriber, subscription);
        drop_if_empty(self, subscriber);
    }
}

static void remove_all(rp_subscriptions_t *self, rp_subscriber_t *subscriber)
{
    rp_subscription_t *subscription;
    rp_subscription_t *next;
    HASH_ITER(hh, subscriber->by_topic, subscription, next)
    {
        remove_one(self, subscriber, subscription);
    }
}

void rp_subscriptions_leave(rp_subscriptions_t *self, void *connection)
{
    rp_subscriber_t *subscriber = find(self, connection);
    if (subscriber == NULL) {
        return;
    }
    const size_t before = self->tree.bytes;
    remove_all(self, subscriber);
    subscriber->leaving_bytes += before - self->tree.bytes;
    self->leaving_bytes += before - self->tree.bytes;
    drop_if_empty(self, subscriber);
}

void rp_subscriptions_drop(rp_subscriptions_t *self, void *connection)
{
    rp_subscriber_t *subscriber = find(self, connection);
    if (subscriber == NULL) {
        return;
    }
    remove_all(self, subscriber);
    self->leaving_bytes -= subscriber->leaving_bytes;
    subscriber->leaving_bytes = 0;
    drop_if_empty(self, subscriber);
}

size_t rp_subscriptions_held(const rp_subscriptions_t *self, void *connection)
{
    const rp_subscriber_t *subscriber = find(self, connection);
    return subscriber != NULL ? HASH_COUNT(subscriber->by_topic) : 0;
}

void *rp_subscriptions_greatest(const rp_subscriptions_t *self)
{
    const rp_subscriber_t *greatest = NULL;
    for (const rp_subscriber_t *other = self->by_connection; other != NULL;
         other = other->hh.next) {
        if (other->weight > (greatest != NULL ? greatest->weight : 0)) {
            greatest = other;
        }
    }
    return greatest != NULL ? greatest->connection : NULL;
}

void rp_subscriptions_fini(rp_subscriptions_t *self)
{
    while (self->by_connection != NULL) {
        rp_subscriptions_drop(self, self->by_connection->connection);
    }
}
