#include "clients/c/frame_queue.h"

#include <stdlib.h>

#define FIRST_CAPACITY 64u

/// @param number  of a frame, the oldest is 0
static zmq_msg_t *place(const rp_frame_queue_t *self, size_t number)
{
    return &self->ring[(self->first + number) & (self->capacity - 1u)];
}

static bool grow(rp_frame_queue_t *self)
{
    const size_t capacity = self->capacity == 0 ? FIRST_CAPACITY : 2u * self->capacity;
    zmq_msg_t *ring = calloc(capacity, sizeof *ring);
    if (ring == NULL) {
        return false;
    }
    for (size_t i = 0; i < self->count; i++) {
        zmq_msg_init(&ring[i]);
        zmq_msg_move(&ring[i], place(self, i));
    }
    free(self->ring);
    *self = (rp_frame_queue_t){.ring = ring, .capacity = capacity, .count = self->count};
    return true;
}

bool rp_frame_queue_put(rp_frame_queue_t *self, zmq_msg_t *frame)
{
    const bool has_room = self->count < self->capacity || grow(self);
    if (has_room) {
        zmq_msg_t *at = place(self, self->count++);
        zmq_msg_init(at);
        zmq_msg_move(at, frame);
    }
    zmq_msg_close(frame);
    return has_room;
}

bool rp_frame_queue_take(rp_frame_queue_t *self, zmq_msg_t *frame)
{
    if (self->count == 0) {
        return false;
    }
    zmq_msg_t *oldest = place(self, 0);
    zmq_msg_init(frame);
    zmq_msg_move(frame, oldest);
    zmq_msg_close(oldest);
    self->first = (self->first + 1u) & (self->capacity - 1u);
    self->count--;
    return true;
}

void rp_frame_queue_fini(rp_frame_queue_t *self)
{
    zmq_msg_t frame;
    while (rp_frame_queue_take(self, &frame)) {
        zmq_msg_close(&frame);
    }
    free(self->ring);
    *self = (rp_frame_queue_t){0};
}
