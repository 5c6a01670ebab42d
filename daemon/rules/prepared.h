/// @file
/// What was made ready in slices for a long message, before it is handled in one go
/// (daemon/requests/staged_request.h).
#ifndef REPLAN_DAEMON_RULES_PREPARED_H
#define REPLAN_DAEMON_RULES_PREPARED_H

#include "replan/engine.h"

#include "daemon/net/shared_buffer.h"
#include "daemon/rules/orders.h"

typedef struct rp_prepared {
    rp_shared_buffer_t *buffer;    ///< the bytes of the message, borrowed
    rp_staged_edit_t *staged_edit; ///< owned; NULL: there is none
    rp_edit_t edit;                ///< of a change, in cells of the newest window
    bool is_placed;                ///< its cells are those of the newest window, and lie inside
    uint64_t dropped;              ///< cells that lie outside of a window since
    uint8_t *bytes;                ///< of a world to be, owned; NULL: there are none
    size_t posed;                  ///< poses that were taken
    rp_order_progress_t order;     ///< how far an order was taken
} rp_prepared_t;

/// The edit that was staged. @param self  NULL: the message is short
/// @return NULL when there is none
static inline rp_staged_edit_t *rp_prepared_staged_edit(const rp_prepared_t *self)
{
    return self != NULL ? self->staged_edit : NULL;
}

/// The bytes that arrays of the message lie in. @param self  NULL: the message is short
/// @return NULL when nobody may hold them
static inline rp_shared_buffer_t *rp_prepared_buffer(const rp_prepared_t *self)
{
    return self != NULL ? self->buffer : NULL;
}

#endif
