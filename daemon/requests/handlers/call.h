/// @file
/// A request being handled: what it brought, what it is replied, and how it is refused or waits.
#ifndef REPLAN_DAEMON_REQUESTS_HANDLERS_CALL_H
#define REPLAN_DAEMON_REQUESTS_HANDLERS_CALL_H

#include "daemon/rules/prepared.h"
#include "daemon/serving/serving.h"

/// A request being handled. A handler fills in `reply` and returns true, or keeps a wait (add it by
/// rp_call_wait) and returns false; a refusal is `return rp_call_refuse(...)`.
typedef struct rp_call {
    rp_serving_t *serving;
    const rp_peer_t *peer; ///< NULL: nobody, it is told again after a restart (state.h)
    const Replan__V1__Request *request;
    const uint8_t *bytes; ///< the packed request [size]
    size_t size;
    rp_request_key_t key;
    bool is_mute;            ///< the reply is kept, and sent to nobody: its peer began another life
    uint64_t deadline_us;    ///< steady
    uint64_t cells;          ///< that it wrote
    uint64_t window;         ///< of the world at the version that is replied; 0: the newest
    uint64_t dropped;        ///< cells of a change for an older window
    rp_prepared_t *prepared; ///< it is long, and this was made ready; NULL: it is short
    bool is_noted;           ///< the journal has what was done: it is not to be noted again
    Replan__V1__Reply reply;
    rp_refusal_t refusal;
} rp_call_t;

/// A call to begin with. @param peer  borrowed as long as the call
rp_call_t rp_call_of(rp_serving_t *self, const rp_peer_t *peer, uint64_t request_id);

/// Refuse with a sentence. @return true: the reply is ready
bool rp_call_refuse(rp_call_t *call, Replan__V1__Status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Refuse for a status of the library. @param what  names the field: "create_world.geometry"
bool rp_call_refuse_status(rp_call_t *call, rp_status_t status, const char *what);

/// The call is refused. If that is for a window that is not known any more, tell the one that the
/// world is. @return true
bool rp_call_refuse_window(rp_call_t *call, const char *world);

/// True when one more request of this peer may wait; refuses the call when not. To be asked before
/// anything is done that the refusal would deny.
bool rp_call_may_wait(rp_call_t *call);

/// Let the call wait; request id, deadline and peer are filled in. There is a peer.
/// @param wait  copied
/// @return false, or true with a refusal when too many wait, or without memory
bool rp_call_wait(rp_call_t *call, rp_pending_reply_t *wait);

/// The world of this name; refuses the call when there is none.
rp_served_t *rp_call_world(rp_call_t *call, const char *name);

/// The agent of this name, whose lease begins anew by that; refuses the call when there is none.
rp_agent_t *rp_call_agent(rp_call_t *call, const char *world_name, const char *name);

/// Put the epoch of a world and a version into the reply.
/// @return of the daemon's arena; NULL without memory, then the call is refused
Replan__V1__Applied *rp_call_put_applied(rp_call_t *call, const rp_served_t *world,
                                         uint64_t version);

/// Send the call's reply, and remember it for a repeat of the request.
void rp_call_reply(rp_call_t *call);

/// Send a packed reply; what finds the peer's queue full is owed.
/// @return false when it is lost, as too much is owed already
bool rp_send_reply(rp_serving_t *self, const rp_peer_t *peer, const void *bytes, size_t size);

#endif
