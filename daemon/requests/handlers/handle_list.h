/// @file
/// ListAgents, ListShapes, ListPeers: what there is, in portions. Each handler finds its checked
/// message in `call->request`, and returns true when the reply is ready (call.h).
#ifndef REPLAN_DAEMON_REQUESTS_HANDLERS_HANDLE_LIST_H
#define REPLAN_DAEMON_REQUESTS_HANDLERS_HANDLE_LIST_H

#include "daemon/requests/handlers/call.h"

bool rp_handle_list_agents(rp_call_t *call);
bool rp_handle_list_shapes(rp_call_t *call);
bool rp_handle_list_peers(rp_call_t *call);

#endif
