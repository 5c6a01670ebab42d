/// @file
/// A queue between two threads: one puts, the other takes all that is there. What is put is given
/// whole; the queue owns nothing but the order.
///
/// A mutex, not ZeroMQ: a hand-over of hers is invisible to ThreadSanitizer, and whole parcels pass
/// here, so that the lock is taken a few times a millisecond.
#ifndef REPLAN_DAEMON_QUEUE_H
#define REPLAN_DAEMON_QUEUE_H

#include <pthread.h>
#include <stdbool.h>

/// The first member of whatever is put.
typedef struct rp_link {
    struct rp_link *next;
} rp_link_t;

typedef struct rp_queue {
    pthread_mutex_t mutex;
    pthread_cond_t has_spoken;
    rp_link_t *first;
    rp_link_t **last;
    int descriptor; ///< readable while something waits; -1: the reader sleeps in rp_queue_wait()
} rp_queue_t;

/// @param by_descriptor  the reader polls `descriptor`
/// @return false without a descriptor
bool rp_queue_init(rp_queue_t *self, bool by_descriptor);
void rp_queue_fini(rp_queue_t *self);

/// @param link  given
void rp_queue_put(rp_queue_t *self, rp_link_t *link);

bool rp_queue_is_empty(rp_queue_t *self);

/// All that waits, oldest first; NULL when nothing does. Never blocks.
rp_link_t *rp_queue_take(rp_queue_t *self);

/// The same, but sleep until there is something.
rp_link_t *rp_queue_wait(rp_queue_t *self);

#endif
