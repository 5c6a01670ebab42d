/// @file
/// Mailbox: a queue between two threads. One puts, the other takes all that is there. What is put
/// is given whole; the mailbox owns nothing but the order.
///
/// A mutex, not ZeroMQ: a hand-over of hers is invisible to ThreadSanitizer, and whole batches pass
/// here, so that the lock is taken a few times a millisecond.
#ifndef REPLAN_DAEMON_PROCESS_MAILBOX_H
#define REPLAN_DAEMON_PROCESS_MAILBOX_H

#include <pthread.h>
#include <stdbool.h>

/// The first member of whatever is put.
typedef struct rp_mailbox_link {
    struct rp_mailbox_link *next;
} rp_mailbox_link_t;

typedef struct rp_mailbox {
    pthread_mutex_t mutex;
    pthread_cond_t has_spoken;
    rp_mailbox_link_t *first;
    rp_mailbox_link_t **last;
    int descriptor; ///< readable while something waits; -1: the reader sleeps in rp_mailbox_wait()
} rp_mailbox_t;

/// @param by_descriptor  the reader polls `descriptor`
/// @return false without a descriptor
bool rp_mailbox_init(rp_mailbox_t *self, bool by_descriptor);
void rp_mailbox_fini(rp_mailbox_t *self);

/// @param link  given
void rp_mailbox_put(rp_mailbox_t *self, rp_mailbox_link_t *link);

bool rp_mailbox_is_empty(rp_mailbox_t *self);

/// All that waits, oldest first; NULL when nothing does. Never blocks.
rp_mailbox_link_t *rp_mailbox_take(rp_mailbox_t *self);

/// The same, but sleep until there is something.
rp_mailbox_link_t *rp_mailbox_wait(rp_mailbox_t *self);

#endif
