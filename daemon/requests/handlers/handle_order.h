/// @file
/// Order: one place for many agents, or one each. Each handler finds its checked message in
/// `call->request`, and returns true when the reply is ready (call.h).
#ifndef REPLAN_DAEMON_REQUESTS_HANDLERS_HANDLE_ORDER_H
#define REPLAN_DAEMON_REQUESTS_HANDLERS_HANDLE_ORDER_H

#include "daemon/requests/handlers/call.h"

bool rp_handle_order(rp_call_t *call);

#endif
