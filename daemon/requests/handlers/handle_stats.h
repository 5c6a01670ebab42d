/// @file
/// AskWhy, GetStats. Each handler finds its checked message in `call->request`, and returns true
/// when the reply is ready (call.h).
#ifndef REPLAN_DAEMON_REQUESTS_HANDLERS_HANDLE_STATS_H
#define REPLAN_DAEMON_REQUESTS_HANDLERS_HANDLE_STATS_H

#include "daemon/requests/handlers/call.h"

bool rp_handle_ask_why(rp_call_t *call);
bool rp_handle_get_stats(rp_call_t *call);

#endif
