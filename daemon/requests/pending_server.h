/// @file
/// Serving replies that wait (daemon/serving/pending_replies.h): those whose wait is over are
/// given.
#ifndef REPLAN_DAEMON_REQUESTS_PENDING_SERVER_H
#define REPLAN_DAEMON_REQUESTS_PENDING_SERVER_H

#include "daemon/requests/intake.h"

void rp_pending_serve(rp_intake_t *intake);

/// When the next one is due though nothing happens until then, steady; RP_NEVER_US: never.
uint64_t rp_pending_next_us(const rp_serving_t *self);

#endif
