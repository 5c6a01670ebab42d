/// @file
/// Overlay: shapes are put, moved and removed. Each handler finds its checked message in
/// `call->request`, and returns true when the reply is ready (call.h).
#ifndef REPLAN_DAEMON_REQUESTS_HANDLERS_HANDLE_OVERLAY_H
#define REPLAN_DAEMON_REQUESTS_HANDLERS_HANDLE_OVERLAY_H

#include "daemon/requests/handlers/call.h"

bool rp_handle_overlay(rp_call_t *call);

/// Shapes whose time is over go.
void rp_expire_shapes(rp_serving_t *self);

#endif
