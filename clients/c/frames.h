/// @file
/// Queue of frames, first in first out: a ring that grows.
#ifndef REPLAN_CLIENT_FRAMES_H
#define REPLAN_CLIENT_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <zmq.h>

/// All zero: none wait.
typedef struct rp_frames {
    zmq_msg_t *ring; ///< owned [capacity], a power of two
    size_t capacity;
    size_t first;
    size_t count;
} rp_frames_t;

/// @param frame  given, also when there is no memory
/// @return false without memory
bool rp_frames_put(rp_frames_t *self, zmq_msg_t *frame);

/// @param frame  written: the oldest, to be closed by the caller
/// @return false when none waits
bool rp_frames_take(rp_frames_t *self, zmq_msg_t *frame);

/// Close all that wait.
void rp_frames_fini(rp_frames_t *self);

#endif
