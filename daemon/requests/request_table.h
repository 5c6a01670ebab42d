/// @file
/// The one table of requests: what the daemon must know of each kind beside its handler. Its fields
/// are checked in msgs/check.c before anything here is asked.
#ifndef REPLAN_DAEMON_REQUESTS_REQUEST_TABLE_H
#define REPLAN_DAEMON_REQUESTS_REQUEST_TABLE_H

#include "daemon/requests/handlers/call.h"

typedef struct rp_request_kind {
    const char *name; ///< as the wire has it
    unsigned touches; ///< of its world (request_queue.h): it waits for what came before and touches
                      ///< the same
    bool is_persisted; ///< it changes something, which is kept on disk; its reply is kept for
                       ///< repeats

    /// True when it takes so long that it is staged. NULL: it never does.
    bool (*is_long)(const rp_serving_t *serving, const Replan__V1__Request *request, size_t size,
                    size_t long_from);

    /// @return true when the reply is ready, false when it was given or waits
    bool (*handle)(rp_call_t *call);
} rp_request_kind_t;

/// @return a kind that refuses, when the request has no body or one that is unknown here
const rp_request_kind_t *rp_request_table_find(const Replan__V1__Request *request);

/// Call the handler of a checked request. @return as `handle`
bool rp_request_table_handle(rp_call_t *call);

#endif
