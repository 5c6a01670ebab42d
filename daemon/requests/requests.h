/// @file
/// Requests on their way: unpacked, known as a repeat or not, checked, made to wait for what must
/// come first, and handled.
#ifndef REPLAN_DAEMON_REQUESTS_REQUESTS_H
#define REPLAN_DAEMON_REQUESTS_REQUESTS_H

#include "daemon/requests/intake.h"

/// A request came through control, with a reply to be given. Bytes from outside.
void rp_requests_receive(rp_intake_t *self, const rp_peer_t *peer, const void *body, size_t size);

/// A message that cannot even be taken apart: too many frames, no body.
void rp_requests_malformed(rp_intake_t *self, const char *socket, const char *sentence);

/// Take a request that came, that waited for what its `after` names, or whose turn in the queue has
/// come.
void rp_requests_take(rp_intake_t *self, const rp_inbound_t *inbound);

/// Everything of a long request that took time is done: handle it.
void rp_requests_finish_staged(rp_intake_t *self, const rp_queued_t *queued);

/// True when a request is a repeat, or takes the id of another one: then it is over with.
bool rp_requests_is_repeat(rp_intake_t *self, const rp_inbound_t *inbound);

/// True when what a request wants to come first has happened.
bool rp_requests_is_after(const rp_serving_t *self, const rp_served_t *world, const char *publisher,
                          uint64_t version, uint64_t sequence);

/// The world that a request names; "": none.
const char *rp_requests_world(const Replan__V1__Request *request);

#endif
