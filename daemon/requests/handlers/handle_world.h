/// @file
/// CreateWorld, RemoveWorld, Resize, ListWorlds, DeltasSince, GetSnapshot. Each handler finds its
/// checked message in `call->request`, and returns true when the reply is ready (call.h).
#ifndef REPLAN_DAEMON_REQUESTS_HANDLERS_HANDLE_WORLD_H
#define REPLAN_DAEMON_REQUESTS_HANDLERS_HANDLE_WORLD_H

#include "daemon/requests/handlers/call.h"

bool rp_handle_create_world(rp_call_t *call);
bool rp_handle_remove_world(rp_call_t *call);
bool rp_handle_resize(rp_call_t *call);
bool rp_handle_list_worlds(rp_call_t *call);
bool rp_handle_deltas_since(rp_call_t *call);
bool rp_handle_get_snapshot(rp_call_t *call);

/// Close a world and all that hangs on it.
void rp_close_world(rp_serving_t *self, rp_served_t *world);

#endif
