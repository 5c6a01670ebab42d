/// @file
/// Watch, Credit, Unwatch, and what flows to watches. Each handler finds its checked message in
/// `call->request`, and returns true when the reply is ready (call.h).
#ifndef REPLAN_DAEMON_REQUESTS_HANDLERS_HANDLE_WATCH_H
#define REPLAN_DAEMON_REQUESTS_HANDLERS_HANDLE_WATCH_H

#include "daemon/requests/handlers/call.h"

bool rp_handle_watch(rp_call_t *call);
bool rp_handle_credit(rp_call_t *call);
bool rp_handle_unwatch(rp_call_t *call);

/// The world goes: tell its watches, and end them.
void rp_end_watches(rp_serving_t *self, const rp_served_t *world);

/// A connection to control is gone: so are its watches. A client that has its routing id is told.
/// @param connection  as of rp_peer_t, known
void rp_end_watches_of_connection(rp_serving_t *self, uint64_t connection);

/// A peer speaks that may be another than had its routing id before: tell watches of that one that
/// they are over, and end them.
void rp_end_foreign_watches(rp_serving_t *self, const rp_peer_t *peer);

/// Send what the watches are owed, as far as credit and peers allow.
void rp_serve_watches(rp_serving_t *self);

#endif
