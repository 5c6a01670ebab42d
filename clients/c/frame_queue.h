/// @file
/// Queue of frames, first in first out: a ring that grows.
#ifndef REPLAN_CLIENT_FRAME_QUEUE_H
#define REPLAN_CLIENT_FRAME_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <zmq.h>

/// All zero: none wait.
typedef struct rp_frame_queue {
    zmq_msg_t *ring; ///< owned [capacity], a power of two
    size_t capacity;
    size_t first;
    size_t count;
} rp_frame_queue_t;

/// @param frame  given, also when there is no memory
/// @return false without memory
bool rp_frame_queue_put(rp_frame_queue_t *self, zmq_msg_t *frame);

/// @param frame  written: the oldest, to be closed by the caller
/// @return false when none waits
bool rp_frame_queue_take(rp_frame_queue_t *self, zmq_msg_t *frame);

/// Close all that wait.
void rp_frame_queue_fini(rp_frame_queue_t *self);

#endif
