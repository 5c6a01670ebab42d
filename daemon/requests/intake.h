/// @file
/// Intake: the messages that came in and have not been handled yet.
#ifndef REPLAN_DAEMON_REQUESTS_INTAKE_H
#define REPLAN_DAEMON_REQUESTS_INTAKE_H

#include "daemon/serving/request_queue.h"
#include "daemon/serving/serving.h"

typedef struct rp_intake {
    rp_serving_t *serving; ///< borrowed
    rp_request_queue_t queue;
    rp_siphash_key_t hash_key; ///< of the bodies of requests; drawn by whoever has sockets
    size_t long_from;          ///< messages of so many bytes are staged (staged_request.h)
} rp_intake_t;

void rp_intake_init(rp_intake_t *self, rp_serving_t *serving);
void rp_intake_fini(rp_intake_t *self);

/// Let a message wait in the queue if something long is before it.
/// @return true when it does; false with the refusal filled in when it should, and its sender has
///         too much in the queue
bool rp_intake_enqueue(rp_intake_t *self, const rp_inbound_t *inbound, rp_refusal_t *refusal);

/// Stage a message that is long, and was checked.
/// @return false with the refusal filled in: its sender has too much in the queue, or without
/// memory
bool rp_intake_stage(rp_intake_t *self, const rp_inbound_t *inbound, rp_refusal_t *refusal);

/// A queued message was served.
void rp_intake_remove(rp_intake_t *self, rp_queued_t *queued);

#endif
