/// Frames in, and a body out.
#include "daemon/net/frames.h"

#include <stdlib.h>
#include <string.h>

void rp_frames_close(rp_frames_t *message)
{
    for (size_t i = 0; i < message->count; i++) {
        (void)zmq_msg_close(&message->frames[i]);
    }
    message->count = 0;
}

bool rp_frames_receive(void *socket, rp_frames_t *message)
{
    message->count = 0;
    message->size = 0;
    message->is_too_long = false;
    int more = 1;
    while (more != 0) {
        zmq_msg_t frame;
        (void)zmq_msg_init(&frame);
        if (zmq_msg_recv(&frame, socket, ZMQ_DONTWAIT) < 0) {
            (void)zmq_msg_close(&frame);
            rp_frames_close(message);
            return false;
        }
        more = zmq_msg_more(&frame);
        message->size += zmq_msg_size(&frame);
        if (message->count < RP_LIMIT_PARTS) {
            message->frames[message->count++] = frame;
        } else {
            message->is_too_long = true;
            (void)zmq_msg_close(&frame);
        }
    }
    return true;
}

/// A buffer of ours that holds a frame of ZeroMQ's.
typedef struct taken {
    rp_shared_buffer_t buffer;
    zmq_msg_t frame;
} taken_t;

static void destroy_taken(rp_shared_buffer_t *buffer)
{
    taken_t *taken = (taken_t *)buffer;
    (void)zmq_msg_close(&taken->frame);
    free(taken);
}

rp_shared_buffer_t *rp_frames_keep(zmq_msg_t *frame)
{
    taken_t *taken = malloc(sizeof *taken);
    if (taken == NULL) {
        return NULL;
    }
    (void)zmq_msg_init(&taken->frame);
    (void)zmq_msg_move(&taken->frame, frame);
    rp_shared_buffer_init(&taken->buffer, zmq_msg_data(&taken->frame), zmq_msg_size(&taken->frame),
                          destroy_taken);
    return &taken->buffer;
}

static void note_sent(void *bytes, void *message)
{
    (void)bytes;
    rp_send_window_done(message);
}

bool rp_frames_body(rp_send_window_t *unsent, const rp_peer_t *peer, const void *bytes, size_t size,
                    zmq_msg_t *body)
{
    if (size < RP_SEND_WINDOW_COUNTED_FROM) {
        const bool is_made = zmq_msg_init_size(body, size) == 0;
        if (is_made && size != 0) {
            memcpy(zmq_msg_data(body), bytes, size);
        }
        return is_made;
    }
    rp_send_window_message_t *message = rp_send_window_has_room(unsent, peer, size)
                                            ? rp_send_window_copy(unsent, peer, bytes, size)
                                            : NULL;
    if (message == NULL) {
        return false;
    }
    if (zmq_msg_init_data(body, rp_send_window_bytes(message), size, note_sent, message) != 0) {
        rp_send_window_done(message);
        return false;
    }
    return true;
}
