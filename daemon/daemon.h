/// @file
/// The daemon without its sockets: messages in, messages out through an outlet. One thread owns it.
///
///     rp_daemon_request / _change / _pose / _goal / _poses     a message came in
///     rp_daemon_work       plan within a budget, publish, reply to who waited, serve the watches
#ifndef REPLAN_DAEMON_DAEMON_H
#define REPLAN_DAEMON_DAEMON_H

#include "replan/engine.h"

#include "daemon/outlet.h"
#include "daemon/owed.h"
#include "daemon/stats.h"
#include "daemon/waits.h"
#include "daemon/watches.h"
#include "daemon/workers.h"
#include "daemon/worlds.h"
#include "msgs/check.h"
#include "msgs/codec.h"

/// Time as the daemon sees it: the reactor reads the clocks, everybody else is told.
typedef struct rp_now {
    uint64_t steady_us; ///< monotone: deadlines
    uint64_t wall_us;   ///< since 1970: stamps, epochs
} rp_now_t;

typedef struct rp_daemon {
    rp_workers_t *workers;
    const rp_engine_t *engine; ///< of the workers: worlds as they are
    rp_worlds_t worlds;
    rp_watches_t watches;
    rp_waits_t waits;
    rp_replies_t replies;
    rp_owed_t owed;
    rp_stats_t stats;
    rp_outlet_t outlet;
    rp_now_t now;
    uint64_t lease_us; ///< before this moment no agent's lease is over
    char default_planner[RP_LIMIT_NAME + 1u];
    uint32_t check_every;  ///< paranoid: of agents' plans each so manieth is checked; 0: none
    rp_arena_t arena;      ///< of the message at hand
    rp_buffer_t packed;    ///< of the message being sent
    rp_buffer_t wrapped;   ///< a packed one, wrapped for a watch
    uint8_t *chunk;        ///< rows of a snapshot [RP_LIMIT_CHUNK_BYTES]
    uint64_t slices;       ///< of planning, when acknowledgements were allowed last
    int64_t acks_left;     ///< what may be acknowledged while planning falls behind, by weight
    bool is_work_left;     ///< the engine stopped for its budget
    bool is_idling;        ///< the engine has a use for time that nobody needs
    bool is_delivery_left; ///< a watch was stopped by the length of a round
    bool is_peer_full;     ///< a watch or a reply was stopped by its peer's queue: soon again
} rp_daemon_t;

/// @param worker_count  threads that plan; 0: rp_daemon_work() plans itself
/// @param memory_bytes  that those who plan may hold, together
/// @return RP_E_MEMORY, also when there can be no thread; RP_E_UNKNOWN (default planner)
rp_status_t rp_daemon_init(rp_daemon_t *self, const rp_outlet_t *outlet,
                           const char *default_planner, unsigned worker_count,
                           uint64_t memory_bytes);
void rp_daemon_fini(rp_daemon_t *self);

// ---- messages: bytes from outside, borrowed until return; a bad one is refused and counted

/// Through control, with a reply.
void rp_daemon_request(rp_daemon_t *self, const rp_peer_t *peer, const void *body, size_t size);
/// By PUB (published.c): topic change/<world>/.
void rp_daemon_change(rp_daemon_t *self, const void *topic, size_t topic_size, const void *body,
                      size_t size);

/// Topics pose/<world>/<agent>/, goal/<world>/<agent>/ and poses/<world>/.
void rp_daemon_pose(rp_daemon_t *self, const void *topic, size_t topic_size, const void *body,
                    size_t size);

/// A message that cannot even be taken apart: too many frames, no body.
void rp_daemon_malformed(rp_daemon_t *self, const char *socket, const char *sentence);

// ---- work

/// Bring those statistics up to date that say how many there are now.
void rp_daemon_count(rp_daemon_t *self);

/// Plan for at most `budget` expansions, or take in what workers report, then send all that is due.
void rp_daemon_work(rp_daemon_t *self, uint64_t budget);

/// Microseconds (steady) when rp_daemon_work() has to be called at the latest, for heads, deadlines
/// and policies.
uint64_t rp_daemon_next_us(const rp_daemon_t *self);

// ---- between the files of the daemon

/// A request being handled. A handler fills in `reply` and returns true, or keeps a wait (add it by
/// rp_call_wait) and returns false; a refusal is `return rp_call_refuse(...)`.
typedef struct rp_call {
    rp_daemon_t *daemon;
    const rp_peer_t *peer;
    const Replan__V1__Request *request;
    const uint8_t *bytes; ///< the packed request [size]
    size_t size;
    uint64_t deadline_us; ///< steady
    uint64_t cells;       ///< that it wrote
    Replan__V1__Reply reply;
    rp_refusal_t refusal;
} rp_call_t;

// call.c

/// Refuse with a sentence. @return true: the reply is ready
bool rp_call_refuse(rp_call_t *call, Replan__V1__Status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Refuse for a status of the library. @param what  names the field: "create_world.geometry"
bool rp_call_refuse_status(rp_call_t *call, rp_status_t status, const char *what);

/// True when one more request of this peer may wait; refuses the call when not. To be asked before
/// anything is done that the refusal would deny.
bool rp_call_may_wait(rp_call_t *call);

/// Let the call wait; request id, deadline and peer are filled in. @return false, or true with a
/// refusal when too many wait
bool rp_call_wait(rp_call_t *call, rp_wait_t *wait);

/// The world of this name; refuses the call when there is none.
rp_served_t *rp_call_world(rp_call_t *call, const char *name);

/// The agent of this name; refuses the call when there is none.
rp_agent_t *rp_call_agent(rp_call_t *call, const char *world_name, const char *name);

/// Send the call's reply, and remember it for a repeat of the request.
void rp_call_reply(rp_call_t *call);

/// Send a packed reply; what finds the peer's queue full is owed.
void rp_send_reply(rp_daemon_t *self, const rp_peer_t *peer, const void *bytes, size_t size);

// handle_apply.c
bool rp_handle_apply(rp_call_t *call, const Replan__V1__Apply *apply);
bool rp_handle_forgive(rp_call_t *call, const Replan__V1__Forgive *forgive);
void rp_finish_apply(rp_call_t *call, const rp_served_t *world, uint64_t version);

/// Reply with a version alone.
void rp_finish_pace(rp_call_t *call, const rp_served_t *world, uint64_t version);

/// True when a request that makes a version may wait for what `wait` names; refuses the call when
/// not. To be asked before anything is done. @param field  "apply.wait"
bool rp_call_may_await(rp_call_t *call, const char *field, Replan__V1__Wait wait);

/// Take the right to acknowledge a change: a few for each slice of planning while some sessions
/// wait for one, fewer of large ones, else as many as come. So publishers that keep their window
/// are slowed down, and changes never take all of the time.
/// @param cells  that it wrote
/// @return false when the change must be acknowledged later
bool rp_daemon_may_acknowledge(rp_daemon_t *self, uint64_t cells);

/// Reply with the version that was made, now or when what was awaited has come.
bool rp_call_applied(rp_call_t *call, const rp_served_t *world, uint64_t version,
                     Replan__V1__Wait awaited);

/// Keep the delta of a version that was made with shapes on the world.
/// @return false when there were none
bool rp_keep_rewritten(rp_daemon_t *self, rp_served_t *world, uint64_t version);

/// Publish the deltas that were not yet. Answers go out before them: an agent waits for its path.
void rp_publish_deltas(rp_daemon_t *self, rp_served_t *world);

/// Does a checked change lie within the world? @return false with the refusal filled in
bool rp_change_is_inside(const Replan__V1__Change *change, const rp_served_t *world,
                         rp_refusal_t *refusal);

/// The change as the engine is told it; borrows its arrays.
rp_edit_t rp_edit_of(const Replan__V1__Change *change);

/// Apply a checked change. @return true, or false with the refusal filled in
bool rp_apply_change(rp_daemon_t *self, const Replan__V1__Change *change, uint64_t *version,
                     rp_refusal_t *refusal);

// handle_agent.c
bool rp_handle_open_agent(rp_call_t *call, const Replan__V1__OpenAgent *open);
bool rp_handle_close_agent(rp_call_t *call, const Replan__V1__CloseAgent *close);
bool rp_handle_set_pose(rp_call_t *call, const Replan__V1__Pose *pose);
bool rp_handle_set_poses(rp_call_t *call, const Replan__V1__Poses *poses);
bool rp_handle_set_goal(rp_call_t *call, const Replan__V1__Goal *goal);
bool rp_handle_order(rp_call_t *call, const Replan__V1__Order *order);

/// Close the agents whose lease is over.
void rp_end_leases(rp_daemon_t *self);

/// When the world's map becomes stale, unless a change comes; RP_NEVER_US: never.
uint64_t rp_stale_us(const rp_served_t *world);

/// Somebody spoke of it: its lease begins anew.
void rp_hear_of(const rp_daemon_t *self, rp_agent_t *agent);

/// Find the agent, or open it with defaults (docs/policy.md). @return NULL with the refusal filled
/// in
rp_agent_t *rp_agent_for(rp_daemon_t *self, const char *world_name, const char *name,
                         rp_refusal_t *refusal);

/// @return false with the refusal filled in
bool rp_take_pose(rp_daemon_t *self, rp_agent_t *agent, const Replan__V1__Pose *pose,
                  rp_refusal_t *refusal);
bool rp_take_poses(rp_daemon_t *self, const Replan__V1__Poses *poses, rp_refusal_t *refusal);
bool rp_take_goal(rp_daemon_t *self, rp_agent_t *agent, const Replan__V1__Goal *goal,
                  rp_refusal_t *refusal);

// handle_world.c
bool rp_handle_create_world(rp_call_t *call, const Replan__V1__CreateWorld *create);
bool rp_handle_remove_world(rp_call_t *call, const Replan__V1__RemoveWorld *remove);
bool rp_handle_resize(rp_call_t *call, const Replan__V1__Resize *resize);
bool rp_handle_list_worlds(rp_call_t *call);
bool rp_handle_deltas_since(rp_call_t *call, const Replan__V1__DeltasSince *since);
bool rp_handle_get_snapshot(rp_call_t *call, const Replan__V1__GetSnapshot *snapshot);

/// Close a world and all that hangs on it.
void rp_close_world(rp_daemon_t *self, rp_served_t *world);

// handle_overlay.c
bool rp_handle_overlay(rp_call_t *call, const Replan__V1__Overlay *overlay);

/// Shapes whose time is over go.
void rp_expire_shapes(rp_daemon_t *self);

// handle_ask.c
bool rp_handle_ask_costs(rp_call_t *call, const Replan__V1__AskCosts *ask);
bool rp_handle_ask_probe(rp_call_t *call, const Replan__V1__AskProbe *ask);
bool rp_handle_ask_field(rp_call_t *call, const Replan__V1__AskField *ask);
bool rp_handle_ask_valid(rp_call_t *call, const Replan__V1__AskValid *ask);
bool rp_handle_ask_why(rp_call_t *call, const Replan__V1__AskWhy *ask);

/// Reply with what was found.
void rp_finish_ask(rp_call_t *call, const rp_served_t *world, const rp_wait_t *wait);

/// A peer is gone: its questions are over.
void rp_forget_asks(rp_daemon_t *self, const rp_peer_t *peer);

bool rp_handle_get_answer(rp_call_t *call, const Replan__V1__GetAnswer *get);
bool rp_handle_get_stats(rp_call_t *call);

/// Reply with the agent's answer. @param agent  NULL: it was closed meanwhile
void rp_finish_answer(rp_call_t *call, const rp_agent_t *agent);

// handle_watch.c
bool rp_handle_watch(rp_call_t *call, const Replan__V1__Watch *watch);
bool rp_handle_credit(rp_call_t *call, const Replan__V1__Credit *credit);
bool rp_handle_unwatch(rp_call_t *call, const Replan__V1__Unwatch *unwatch);

/// The world goes: tell its watches, and end them.
void rp_end_watches(rp_daemon_t *self, const rp_served_t *world);

/// Send what the watches are owed, as far as credit and peers allow.
void rp_serve_watches(rp_daemon_t *self);

// say.c: structs of the engine as messages of the wire. All borrowed from the arguments.
void rp_say_geometry(const rp_served_t *world, Replan__V1__Geometry *geometry);
void rp_say_answer(const rp_daemon_t *self, const rp_agent_t *agent, const rp_answer_t *answer,
                   Replan__V1__Geometry *geometry, Replan__V1__Answer *message);

/// The reader has the path of the answer before: leave out what of it stands, if that is worth it.
/// @param message  that of the answer, rewritten
void rp_say_splice(const rp_answer_t *answer, Replan__V1__Answer *message);
void rp_say_head(const rp_daemon_t *self, const rp_served_t *world, Replan__V1__Head *message);
Replan__V1__Outcome rp_say_outcome(rp_answer_outcome_t outcome);
Replan__V1__Reason rp_say_reason(rp_reason_t reason);
Replan__V1__Status rp_say_status(rp_status_t status);

/// The rows of a snapshot from `first_row` on that fit into a chunk; the bytes stand in
/// self->chunk.
void rp_say_chunk(rp_daemon_t *self, const rp_served_t *world, uint32_t first_row,
                  Replan__V1__Geometry *geometry, Replan__V1__Chunk *message);

/// Publish a refusal, or a publisher's gap, on status/<world>/ ("-" when there is no such world).
void rp_publish_notice(rp_daemon_t *self, const char *world, const rp_refusal_t *refusal,
                       const Replan__V1__Change *change, bool gap);

#endif
