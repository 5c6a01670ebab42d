/// @file
/// Who handles which request: rp_handle_<message>() in the handle_*.c of its kind, called by
/// rp_daemon_dispatch() in requests.c with a checked message. Beside them stands what the daemon's
/// other files need of each kind.
#ifndef REPLAN_DAEMON_REQUESTS_HANDLERS_H
#define REPLAN_DAEMON_REQUESTS_HANDLERS_H

#include "daemon/requests/call.h"

/// Call the handler of the request. @return true when the reply is ready, as handlers do
bool rp_daemon_dispatch(rp_call_t *call);

/// The world that a request names; "": none.
const char *rp_request_world(const Replan__V1__Request *request);

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

/// Keep a delta as that of the newest version.
void rp_keep_delta(rp_daemon_t *self, rp_served_t *world, Replan__V1__Delta *delta,
                   uint64_t version);

/// The newest version has no delta: readers ask anew.
void rp_keep_no_delta(rp_served_t *world);

/// Keep the delta of a version that made the world another window (windows.c).
/// @param before  the window that it was; `window` says what came with the new one
void rp_keep_window(rp_daemon_t *self, rp_served_t *world, const rp_known_window_t *before,
                    const rp_window_t *window, uint64_t version);

/// Publish the deltas that were not yet; takes some of the arena. Answers go out before them: an
/// agent waits for its path.
void rp_publish_deltas(rp_daemon_t *self, rp_served_t *world);

/// The change as the engine is told it; borrows its arrays.
rp_edit_t rp_edit_of(const Replan__V1__Change *change);

/// The shapes of a checked request as the engine is told them; they borrow its arrays.
/// @return without `shapes` when memory is missing
rp_overlay_edit_t rp_overlay_edit_of(rp_arena_t *arena, const Replan__V1__Overlay *overlay,
                                     uint64_t now_us);

/// The window of a checked request.
rp_window_t rp_window_of(const Replan__V1__Resize *resize);

/// What became of a change.
typedef struct rp_taken {
    uint64_t version;
    uint64_t dropped; ///< cells, of one that was made for an older window
} rp_taken_t;

/// Apply a checked change. @param queued  it is long, and was staged; NULL: it is short
/// @return true, or false with the refusal filled in
bool rp_apply_change(rp_daemon_t *self, const Replan__V1__Change *change, const rp_queued_t *queued,
                     rp_taken_t *taken, rp_refusal_t *refusal);

/// A published change named a window that is not known any more: its publisher has lost it.
/// @return true when the publisher is marked `gap` now
bool rp_lose_change(rp_daemon_t *self, const Replan__V1__Change *change);

// topics.c: what came by topic, and what did and was staged
void rp_topics_take(rp_daemon_t *self, const rp_inbound_t *inbound);
void rp_topics_finish(rp_daemon_t *self, const rp_queued_t *queued);

// requests.c
/// Take a request that came, that waited for what its `after` names, or that has its turn in the
/// queue.
void rp_request_take(rp_daemon_t *self, const rp_inbound_t *inbound);

/// True when what a request wants to come first has happened.
bool rp_daemon_is_after(const rp_daemon_t *self, const rp_served_t *world, const char *publisher,
                        uint64_t version, uint64_t sequence);

/// Let a message wait in the queue if something long is before it.
/// @return true when it does; false with the refusal filled in when it should, and its sender has
///         too much in the queue
bool rp_daemon_enqueue(rp_daemon_t *self, const rp_inbound_t *inbound, rp_refusal_t *refusal);

/// Stage a message that is long, and was checked.
/// @return false with the refusal filled in: its sender has too much in the queue, or without
/// memory
bool rp_daemon_stage(rp_daemon_t *self, const rp_inbound_t *inbound, rp_refusal_t *refusal);

/// Serve those in the queue whom nobody before them holds up; of what is long a slice.
/// @param budget  expansions that take as long
/// @return true when what is long was handled, or given back, which takes milliseconds
bool rp_serve_queue(rp_daemon_t *self, uint64_t budget);

// handle_agent.c
bool rp_handle_open_agent(rp_call_t *call, const Replan__V1__OpenAgent *open);
bool rp_handle_close_agent(rp_call_t *call, const Replan__V1__CloseAgent *close);
bool rp_handle_set_pose(rp_call_t *call, const Replan__V1__Pose *pose);
bool rp_handle_set_poses(rp_call_t *call, const Replan__V1__Poses *poses);
bool rp_handle_set_goal(rp_call_t *call, const Replan__V1__Goal *goal);

/// Close an agent and all that hangs on it.
void rp_close_agent(rp_daemon_t *self, rp_agent_t *agent);

/// Keep what an agent was told, for a base of what is kept on disk.
void rp_note_goal(const rp_daemon_t *self, rp_agent_t *agent, const Replan__V1__Goal *goal);

/// Refuse a goal that the engine refused. @return false
bool rp_refuse_goal(rp_status_t status, const rp_agent_t *agent, rp_refusal_t *refusal);

/// Take what is said of the agent that it names. One that is not there is opened with defaults
/// (docs/policy.md); handles must be there.
/// @return false with the refusal filled in: then no agent was opened
bool rp_take_pose(rp_daemon_t *self, const Replan__V1__Pose *pose, rp_refusal_t *refusal);
bool rp_take_goal(rp_daemon_t *self, const Replan__V1__Goal *goal, rp_refusal_t *refusal);

/// Leave out of published poses those whose handles are nobody's: the others are to be taken, as
/// their publisher cannot hear which one was refused.
/// @param refusal  filled in when some are left out
void rp_leave_out_stale(const rp_daemon_t *self, Replan__V1__Poses *poses, rp_refusal_t *refusal);

/// The same of many, in slices. @param taken  how many were, counted up
/// @param budget  counted down, in expansions that take as long
/// @return false with the refusal filled in: then none was
bool rp_take_poses(rp_daemon_t *self, const Replan__V1__Poses *poses, size_t *taken,
                   uint64_t *budget, rp_refusal_t *refusal);

// handle_order.c
bool rp_handle_order(rp_call_t *call, const Replan__V1__Order *order);

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
void rp_finish_query(rp_call_t *call, const rp_served_t *world, const rp_pending_reply_t *wait);

/// A peer is gone: its questions are over.
void rp_forget_queries(rp_daemon_t *self, const rp_peer_t *peer);

bool rp_handle_get_answer(rp_call_t *call, const Replan__V1__GetAnswer *get);
bool rp_handle_get_stats(rp_call_t *call);

/// Reply with the agent's answer.
/// @param agent  NULL: it was closed meanwhile
/// @param bends  it tells where its path bends
void rp_finish_answer(rp_call_t *call, const rp_agent_t *agent, bool bends);

// handle_watch.c
bool rp_handle_watch(rp_call_t *call, const Replan__V1__Watch *watch);
bool rp_handle_credit(rp_call_t *call, const Replan__V1__Credit *credit);
bool rp_handle_unwatch(rp_call_t *call, const Replan__V1__Unwatch *unwatch);

/// The world goes: tell its watches, and end them.
void rp_end_watches(rp_daemon_t *self, const rp_served_t *world);

/// A peer speaks that may be another than had its routing id before: tell watches of that one that
/// they are over, and end them.
void rp_end_foreign_watches(rp_daemon_t *self, const rp_peer_t *peer);

/// Send what the watches are owed, as far as credit and peers allow.
void rp_serve_watches(rp_daemon_t *self);

#endif
