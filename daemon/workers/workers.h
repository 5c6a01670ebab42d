/// @file
/// All who plan, behind the engine's own verbs. Without workers each verb is a call of one engine.
/// With workers that engine, the *ground*, still takes in every world and every session, so that
/// what is asked for is judged at once and in one place; but it never plans. What it accepted goes
/// to the workers as commands: what happens to worlds to all of them, what happens to a session to
/// the one that plans for it. What they say comes back as reports, and the newest answer of each
/// session is kept here.
///
///                             +--> commands --> worker 0 --+
///     verbs --> ground (judges)                            +--> reports --> newest answers
///                             +--> commands --> worker 1 --+
///
/// One thread calls all of this.
#ifndef REPLAN_DAEMON_WORKERS_WORKERS_H
#define REPLAN_DAEMON_WORKERS_WORKERS_H

#include "replan/engine.h"

#include "daemon/workers/assignment.h"
#include "daemon/workers/command_batch.h"
#include "daemon/workers/report.h"

typedef struct rp_workers rp_workers_t;

/// @param count  0: one engine, no thread; at most RP_WORKERS_MAX
/// @param memory_bytes  as rp_engine_limit_memory(); each worker gets its part of it
/// @return RP_E_MEMORY, also when there can be no thread
rp_status_t rp_workers_new(unsigned count, uint64_t memory_bytes, rp_workers_t **workers);
void rp_workers_destroy(rp_workers_t **self);

/// Worlds as they are: what the engine can be asked about worlds is asked here.
const rp_engine_t *rp_workers_ground(const rp_workers_t *self);

/// Readable when reports came; -1 without workers.
int rp_workers_descriptor(const rp_workers_t *self);

/// True while some worker has not yet done all that it was told.
bool rp_workers_are_at_work(const rp_workers_t *self);

/// Processor time that a worker has used, in nanoseconds.
uint64_t rp_workers_cpu_ns(const rp_workers_t *self, unsigned worker);

// ---- worlds: as rp_engine_...

/// @param buffer  in which arrays of the options or the edit lie; borrowed. Workers hold it rather
///               than be told a copy of them. NULL: they lie elsewhere
rp_status_t rp_workers_open_world(rp_workers_t *self, const rp_world_options_t *options,
                                  rp_shared_buffer_t *buffer, rp_world_id_t *world);
rp_status_t rp_workers_close_world(rp_workers_t *self, rp_world_id_t world);
rp_status_t rp_workers_apply(rp_workers_t *self, rp_world_id_t world, const rp_edit_t *edit,
                             rp_shared_buffer_t *buffer, rp_cause_t cause, uint64_t *version);

/// A draft of the ground; workers write the edit when they are told of it.
rp_status_t rp_workers_draft(rp_workers_t *self, rp_world_id_t world, const rp_staged_kind_t *what,
                             rp_staged_edit_t **staged_edit);
rp_status_t rp_workers_overlay(rp_workers_t *self, rp_world_id_t world,
                               const rp_overlay_edit_t *edit, rp_cause_t cause, uint64_t *version);
bool rp_workers_expire(rp_workers_t *self, rp_world_id_t world, uint64_t now_us, rp_cause_t cause,
                       uint64_t *version);
rp_status_t rp_workers_resize(rp_workers_t *self, rp_world_id_t world, const rp_window_t *window,
                              rp_shared_buffer_t *buffer, rp_cause_t cause, uint64_t *version);
rp_status_t rp_workers_judge_body(const rp_workers_t *self, rp_world_id_t world,
                                  const rp_body_t *body);
uint32_t rp_workers_layers(const rp_workers_t *self, rp_world_id_t world);

/// Sessions whose answers take longer than RP_LIMIT_OVERDUE_MS: nobody waits for them.
#define RP_LEFT_OUT_MAX (RP_OVERDUE_MAX * RP_WORKERS_MAX)
typedef struct rp_left_out {
    rp_session_id_t sessions[RP_LEFT_OUT_MAX];
    size_t count;
} rp_left_out_t;

/// The least over the workers that plan for sessions of the world, as far as they have reported. It
/// never falls.
/// @param left_out  written: for these it may be too new
uint64_t rp_workers_settled(rp_workers_t *self, rp_world_id_t world, rp_left_out_t *left_out);

// ---- sessions: as rp_engine_...

rp_status_t rp_workers_open(rp_workers_t *self, rp_world_id_t world,
                            const rp_session_options_t *options, rp_session_id_t *session);
rp_status_t rp_workers_close(rp_workers_t *self, rp_session_id_t session);
rp_status_t rp_workers_pose(rp_workers_t *self, rp_session_id_t session, double x_m, double y_m,
                            uint64_t pose_seq, rp_cause_t cause);
rp_status_t rp_workers_aim(rp_workers_t *self, rp_session_id_t session, const rp_aim_t *aim,
                           rp_cause_t cause);
rp_status_t rp_workers_retarget(rp_workers_t *self, rp_session_id_t session, rp_session_id_t target,
                                rp_cause_t cause);

/// The newest answer, as it was told last; of a worker it may be cut less than the agent has gone.
rp_status_t rp_workers_answer(const rp_workers_t *self, rp_session_id_t session,
                              rp_answer_t *answer);
uint64_t rp_workers_last_said(const rp_workers_t *self, rp_session_id_t session);
size_t rp_workers_past(const rp_workers_t *self, rp_session_id_t session, rp_said_t *said);

/// Have the answer looked at that is true for everything told so far.
/// @return a ticket for rp_workers_have_looked()
uint64_t rp_workers_look(rp_workers_t *self, rp_session_id_t session);

/// True when rp_workers_answer() is as true as was asked for by that look.
bool rp_workers_have_looked(const rp_workers_t *self, rp_session_id_t session, uint64_t ticket);

/// As rp_engine_hasten(): rp_workers_have_looked() will be true sooner.
void rp_workers_hasten(rp_workers_t *self, rp_session_id_t session);

/// True when the answer names the newest version, or one that was newest when this was asked
/// a moment before. If it is not, a look is on the way.
bool rp_workers_are_fresh(rp_workers_t *self, rp_session_id_t session);

// ---- questions

/// False when RP_QUERIES_MAX are open.
bool rp_workers_may_ask(const rp_workers_t *self);

/// As rp_engine_start_query(); what a worker refuses is found later.
rp_status_t rp_workers_ask(rp_workers_t *self, rp_world_id_t world, const rp_question_t *question,
                           rp_query_id_t *ask);

/// As rp_engine_walk(), answered later.
/// @return RP_E_UNKNOWN (session), RP_E_LIMIT (RP_QUERIES_MAX), RP_E_MEMORY
rp_status_t rp_workers_walk(rp_workers_t *self, const rp_route_t *walk, rp_query_id_t *ask);

/// @return NULL while it is looked for, or when there is no such question; borrowed until it is
///         forgotten
const rp_query_report_t *rp_workers_query_report(rp_workers_t *self, rp_query_id_t ask);
void rp_workers_forget(rp_workers_t *self, rp_query_id_t ask);

// ---- work

/// Without workers rp_engine_step(). With them take in what they report, and send them their
/// commands.
/// @return true when the caller has work left
bool rp_workers_step(rp_workers_t *self, uint64_t now_us, uint64_t budget);

/// Slices of planning that came to their end so far: steps, or reports of workers.
uint64_t rp_workers_slices(const rp_workers_t *self);

/// rp_engine_idle() of the ground; workers idle by themselves.
/// @return true when the caller has more to do if nobody else needs the time
bool rp_workers_idle(rp_workers_t *self, uint64_t budget);

/// As rp_engine_effort(), of all together, as far as they have reported.
rp_effort_t rp_workers_effort(const rp_workers_t *self);

/// Send the commands that came about since rp_workers_step().
void rp_workers_flush(rp_workers_t *self, uint64_t now_us);

/// Send them, and have everybody settled for them before any command that comes later is looked at:
/// so that the same commands are the same work, however fast they are given.
void rp_workers_flush_settled(rp_workers_t *self, uint64_t now_us);

/// When rp_workers_step() must be called at the latest; RP_NEVER_US: it need not.
uint64_t rp_workers_next_us(const rp_workers_t *self);

/// As rp_engine_next_answer(), by path_seq of the session wherever it was planned.
bool rp_workers_next_answer(rp_workers_t *self, rp_answer_t *answer);

#endif
