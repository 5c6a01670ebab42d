/// @file
/// Shared buffer: the bytes of an inbound message, counted by holders. Long messages are not
/// copied: the frame of ZeroMQ is taken over, and workers read their commands' arrays in it.
#ifndef REPLAN_DAEMON_NET_SHARED_BUFFER_H
#define REPLAN_DAEMON_NET_SHARED_BUFFER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rp_shared_buffer {
    uint8_t *bytes; ///< [size]; nobody writes there once a second one holds it
    size_t size;
    void (*destroy)(struct rp_shared_buffer *self); ///< called by the last who lets go of it
    atomic_uint holders;
} rp_shared_buffer_t;

/// Begin with one holder.
void rp_shared_buffer_init(rp_shared_buffer_t *self, void *bytes, size_t size,
                           void (*destroy)(rp_shared_buffer_t *));

/// A copy of these bytes, with one holder. @return NULL without memory
rp_shared_buffer_t *rp_shared_buffer_copy(const void *bytes, size_t size);

/// One more holder, on any thread that knows of one. @return it
rp_shared_buffer_t *rp_shared_buffer_hold(rp_shared_buffer_t *self);

/// One less. Accepts NULL.
void rp_shared_buffer_drop(rp_shared_buffer_t **self);

/// True when an array lies in it. @param self  NULL: none does
bool rp_shared_buffer_has(const rp_shared_buffer_t *self, const void *array, size_t size);

#endif
