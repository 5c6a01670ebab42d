/// @file
/// A bulk: the bytes of a message that came in, for as long as somebody holds them. Long ones are
/// not copied: the frame that ZeroMQ brought is taken over, and workers read in it what they are
/// told.
#ifndef REPLAN_DAEMON_BULK_H
#define REPLAN_DAEMON_BULK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct rp_bulk {
    uint8_t *bytes; ///< [size]; nobody writes there once a second one holds it
    size_t size;
    void (*destroy)(struct rp_bulk *self); ///< called by the last who lets go of it
    atomic_uint holders;
} rp_bulk_t;

/// Begin with one holder.
void rp_bulk_init(rp_bulk_t *self, void *bytes, size_t size, void (*destroy)(rp_bulk_t *));

/// A copy of these bytes, with one holder. @return NULL without memory
rp_bulk_t *rp_bulk_copy(const void *bytes, size_t size);

/// One more holder, on any thread that knows of one. @return it
rp_bulk_t *rp_bulk_hold(rp_bulk_t *self);

/// One less. Accepts NULL.
void rp_bulk_drop(rp_bulk_t **self);

/// True when an array lies in it. @param self  NULL: none does
bool rp_bulk_has(const rp_bulk_t *self, const void *array, size_t size);

#endif
