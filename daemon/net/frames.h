/// @file
/// Messages as ZeroMQ has them, in frames.
#ifndef REPLAN_DAEMON_NET_FRAMES_H
#define REPLAN_DAEMON_NET_FRAMES_H

#include <zmq.h>

#include "daemon/net/send_window.h"
#include "daemon/net/shared_buffer.h"

/// One message. Frames beyond the limit are read and dropped.
typedef struct rp_frames {
    zmq_msg_t frames[RP_LIMIT_PARTS];
    size_t count;
    size_t size; ///< bytes of all frames, those that were dropped too
    bool is_too_long;
} rp_frames_t;

/// Take the next one that came. @return false when no message waits
bool rp_frames_receive(void *socket, rp_frames_t *message);
void rp_frames_close(rp_frames_t *message);

/// Take a frame over, without a copy. @param frame  is empty then, and still to be closed
/// @return NULL without memory: the frame is as it was
rp_shared_buffer_t *rp_frames_keep(zmq_msg_t *frame);

/// The body of a message to be sent: a long one tells when it has left.
/// @param body  written, to be sent or closed
/// @return false when it would be too much for this peer, or without memory
bool rp_frames_body(rp_send_window_t *unsent, const rp_peer_t *peer, const void *bytes, size_t size,
                    zmq_msg_t *body);

#endif
