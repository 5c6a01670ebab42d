/// @file
/// Serving the queue of messages that wait for something long, slice by slice.
#ifndef REPLAN_DAEMON_REQUESTS_QUEUE_SERVER_H
#define REPLAN_DAEMON_REQUESTS_QUEUE_SERVER_H

#include "daemon/requests/intake.h"

/// Serve queued messages that nothing before them holds up; of a long one a slice.
/// @param budget  expansions that take as long
/// @return true when a long one was handled, or given back, which takes milliseconds
bool rp_queue_serve(rp_intake_t *self, uint64_t budget);

#endif
