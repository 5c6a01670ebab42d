/// @file
/// Host of engines: everything that plans, behind the engine's own verbs. There are two, which
/// rp_hosts_new() chooses between: an engine in the loop (inline_host.h), and engines on threads
/// (threaded_host.h). Callers cannot tell them apart, except by when answers come.
///
/// One engine of a host is the *authority*: it takes in every world and every session, so that what
/// is asked for is judged at once and in one place. Whether the authority plans too is the host's
/// affair.
///
/// One thread calls all of this.
#ifndef REPLAN_DAEMON_WORKERS_HOST_H
#define REPLAN_DAEMON_WORKERS_HOST_H

#include <math.h>

#include "replan/engine.h"

#include "daemon/net/shared_buffer.h"
#include "daemon/workers/query_report.h"

/// Threads that plan, at most.
#define RP_WORKERS_MAX 16u

/// Sessions whose answers take longer than RP_LIMIT_OVERDUE_MS: nobody waits for them.
#define RP_LEFT_OUT_MAX (RP_OVERDUE_MAX * RP_WORKERS_MAX)
typedef struct rp_left_out {
    rp_session_id_t sessions[RP_LEFT_OUT_MAX];
    size_t count;
} rp_left_out_t;

/// How far planning is in a world. A figure more is a field here and a line in each of the two
/// functions below: reports of threads and both hosts carry the whole struct; one that is no sum
/// also needs its start in threaded_progress(). With threads a figure is as of each one's last
/// report, 0 before the first, and may be older than the last change. `settled` is only too low
/// then; see that another figure errs on the safe side as well.
typedef struct rp_progress {
    uint64_t settled; ///< the newest answer of every session is true up to this version
} rp_progress_t;

/// That of one engine.
/// @param overdue  written: sessions that `settled` leaves out [RP_OVERDUE_MAX]
rp_progress_t rp_progress_of(const rp_engine_t *engine, rp_world_id_t world,
                             rp_session_id_t *overdue, size_t *count);

/// Add that of another engine, which plans for other sessions of the world.
void rp_progress_add(rp_progress_t *self, const rp_progress_t *other);

typedef struct rp_host rp_host_t;

/// As rp_engine_open_world(), at a place within the arrays of the daemon.
/// @return RP_E_LIMIT when there is none: each was used too often
rp_status_t rp_host_open_placed(rp_engine_t *authority, const rp_world_options_t *options,
                                rp_world_id_t *world);

// Slots without a comment are as rp_engine_<slot>().

/// Verbs of worlds.
typedef struct rp_host_world_ops {
    /// @param buffer  in which arrays of the options or the edit lie; borrowed. Threads hold it
    ///               rather than be told a copy of them. NULL: they lie elsewhere
    rp_status_t (*open_world)(rp_host_t *self, const rp_world_options_t *options,
                              rp_shared_buffer_t *buffer, rp_world_id_t *world);
    rp_status_t (*close_world)(rp_host_t *self, rp_world_id_t world);
    rp_status_t (*apply)(rp_host_t *self, rp_world_id_t world, const rp_edit_t *edit,
                         rp_shared_buffer_t *buffer, rp_cause_t cause, uint64_t *version);
    rp_status_t (*overlay)(rp_host_t *self, rp_world_id_t world, const rp_overlay_edit_t *edit,
                           rp_cause_t cause, uint64_t *version);
    bool (*expire)(rp_host_t *self, rp_world_id_t world, uint64_t now_us, rp_cause_t cause,
                   uint64_t *version);
    rp_status_t (*resize)(rp_host_t *self, rp_world_id_t world, const rp_window_t *window,
                          rp_shared_buffer_t *buffer, rp_cause_t cause, uint64_t *version);
    rp_status_t (*judge_body)(const rp_host_t *self, rp_world_id_t world, const rp_body_t *body);
    uint32_t (*layers)(const rp_host_t *self, rp_world_id_t world);

    /// How far planning is in the world, as far as is known; `settled` never falls.
    /// @param left_out  written: for these `settled` may be too new
    rp_progress_t (*progress)(rp_host_t *self, rp_world_id_t world, rp_left_out_t *left_out);
} rp_host_world_ops_t;

/// Where an agent is.
typedef struct rp_host_pose {
    double x_m;
    double y_m;
    double yaw; ///< no number: the last one
    uint64_t seq;
} rp_host_pose_t;

/// Verbs of sessions.
typedef struct rp_host_session_ops {
    rp_status_t (*open)(rp_host_t *self, rp_world_id_t world, const rp_session_options_t *options,
                        rp_session_id_t *session);
    rp_status_t (*close)(rp_host_t *self, rp_session_id_t session);
    /// As rp_engine_pose_with_yaw().
    rp_status_t (*pose)(rp_host_t *self, rp_session_id_t session, const rp_host_pose_t *pose,
                        rp_cause_t cause);
    rp_status_t (*aim)(rp_host_t *self, rp_session_id_t session, const rp_aim_t *aim,
                       rp_cause_t cause);
    rp_status_t (*retarget)(rp_host_t *self, rp_session_id_t session, rp_session_id_t target,
                            rp_cause_t cause);

    /// The newest answer, as it was told last; from a thread it may be cut less than the agent has
    /// gone.
    rp_status_t (*answer)(const rp_host_t *self, rp_session_id_t session, rp_answer_t *answer);
    uint64_t (*last_published)(const rp_host_t *self, rp_session_id_t session);
    size_t (*past)(const rp_host_t *self, rp_session_id_t session, rp_past_answer_t *past);

    /// Have the answer looked at that is true for everything told so far.
    /// @return a ticket for `has_looked`
    uint64_t (*look)(rp_host_t *self, rp_session_id_t session);

    /// True when `answer` is as true as was asked for by that look.
    bool (*has_looked)(const rp_host_t *self, rp_session_id_t session, uint64_t ticket);

    /// As rp_engine_hasten(): `has_looked` will be true sooner.
    void (*hasten)(rp_host_t *self, rp_session_id_t session);

    /// True when the answer names the newest version, or one that was newest when this was asked a
    /// moment before. If it is not, a look is on the way.
    bool (*is_current)(rp_host_t *self, rp_session_id_t session);

    /// As rp_engine_next_answer(), by path_seq of the session wherever it was planned.
    bool (*next_answer)(rp_host_t *self, rp_answer_t *answer);
} rp_host_session_ops_t;

/// Verbs of queries.
typedef struct rp_host_query_ops {
    /// False when RP_QUERIES_MAX are open.
    bool (*may_ask)(const rp_host_t *self);

    /// As rp_engine_start_query(); what a thread refuses is in its report.
    rp_status_t (*ask)(rp_host_t *self, rp_world_id_t world, const rp_question_t *question,
                       rp_query_id_t *query);

    /// As rp_engine_walk(), answered later.
    /// @return RP_E_UNKNOWN (session), RP_E_LIMIT (RP_QUERIES_MAX), RP_E_MEMORY
    rp_status_t (*walk)(rp_host_t *self, const rp_route_t *route, rp_query_id_t *query);

    /// @return NULL while the query is under way, or when there is no such query; borrowed until it
    ///         is forgotten
    const rp_query_report_t *(*query_report)(rp_host_t *self, rp_query_id_t query);
    void (*forget)(rp_host_t *self, rp_query_id_t query);
} rp_host_query_ops_t;

/// What the loop does each round.
typedef struct rp_host_work_ops {
    /// Plan for at most `budget` expansions, or take in what threads report and send them their
    /// commands.
    /// @return true when the caller has work left
    bool (*step)(rp_host_t *self, uint64_t now_us, uint64_t budget);

    /// Slices of planning that came to their end so far: steps, or reports.
    uint64_t (*slices)(const rp_host_t *self);

    /// As rp_engine_effort(), of all engines together, as far as they have reported.
    rp_effort_t (*effort)(const rp_host_t *self);

    /// Send the commands that came about since `step`.
    void (*flush)(rp_host_t *self, uint64_t now_us);

    /// Send them, and settle all sessions for them before any later command is looked at: so that
    /// the same commands are the same work, however fast they are given.
    void (*flush_settled)(rp_host_t *self, uint64_t now_us);

    /// When `step` must be called at the latest; RP_NEVER_US: it need not.
    uint64_t (*next_us)(const rp_host_t *self);

    /// Readable when `step` has reports to take in; -1: there never are any.
    int (*descriptor)(const rp_host_t *self);

    /// True while some thread has not yet done everything that it was told.
    bool (*is_at_work)(const rp_host_t *self);

    /// True while a thread has so much of long messages before it that it should get no more.
    bool (*lags)(const rp_host_t *self);

    /// Processor time that a thread has used, in nanoseconds.
    uint64_t (*cpu_ns)(const rp_host_t *self, unsigned worker);
} rp_host_work_ops_t;

/// What a host can do.
typedef struct rp_host_ops {
    void (*destroy)(rp_host_t *self);
    rp_host_world_ops_t worlds;
    rp_host_session_ops_t sessions;
    rp_host_query_ops_t queries;
    rp_host_work_ops_t work;
} rp_host_ops_t;

/// The first member of each host.
struct rp_host {
    const rp_host_ops_t *ops;
    rp_engine_t *authority; ///< owned
    unsigned world_copies;  ///< engines that hold each world
    unsigned layer_copies;  ///< of these, those that plan in it
};

/// What a host begins with.
/// @param memory_bytes  as rp_engine_limit_memory()
/// @return RP_E_MEMORY: then there is nothing to end
rp_status_t rp_host_init(rp_host_t *self, const rp_host_ops_t *ops, uint64_t memory_bytes);
void rp_host_fini(rp_host_t *self);

/// Accepts NULL.
void rp_host_destroy(rp_host_t **self);

/// Worlds as they are: what the engine can be asked about worlds is asked here.
const rp_engine_t *rp_host_authority(const rp_host_t *self);

/// An edit that is staged by the authority; threads write the edit when they are told of it.
rp_status_t rp_host_stage(rp_host_t *self, rp_world_id_t world, const rp_staged_kind_t *what,
                          rp_staged_edit_t **staged);

/// rp_engine_idle() of the authority; threads idle by themselves.
/// @return true when there is more to do in idle time
bool rp_host_idle(rp_host_t *self, uint64_t budget);

// ---- each is the slot of its name

static inline rp_status_t rp_host_open_world(rp_host_t *self, const rp_world_options_t *options,
                                             rp_shared_buffer_t *buffer, rp_world_id_t *world)
{
    return self->ops->worlds.open_world(self, options, buffer, world);
}

static inline rp_status_t rp_host_close_world(rp_host_t *self, rp_world_id_t world)
{
    return self->ops->worlds.close_world(self, world);
}

static inline rp_status_t rp_host_apply(rp_host_t *self, rp_world_id_t world, const rp_edit_t *edit,
                                        rp_shared_buffer_t *buffer, rp_cause_t cause,
                                        uint64_t *version)
{
    return self->ops->worlds.apply(self, world, edit, buffer, cause, version);
}

static inline rp_status_t rp_host_overlay(rp_host_t *self, rp_world_id_t world,
                                          const rp_overlay_edit_t *edit, rp_cause_t cause,
                                          uint64_t *version)
{
    return self->ops->worlds.overlay(self, world, edit, cause, version);
}

static inline bool rp_host_expire(rp_host_t *self, rp_world_id_t world, uint64_t now_us,
                                  rp_cause_t cause, uint64_t *version)
{
    return self->ops->worlds.expire(self, world, now_us, cause, version);
}

static inline rp_status_t rp_host_resize(rp_host_t *self, rp_world_id_t world,
                                         const rp_window_t *window, rp_shared_buffer_t *buffer,
                                         rp_cause_t cause, uint64_t *version)
{
    return self->ops->worlds.resize(self, world, window, buffer, cause, version);
}

static inline rp_status_t rp_host_judge_body(const rp_host_t *self, rp_world_id_t world,
                                             const rp_body_t *body)
{
    return self->ops->worlds.judge_body(self, world, body);
}

static inline uint32_t rp_host_layers(const rp_host_t *self, rp_world_id_t world)
{
    return self->ops->worlds.layers(self, world);
}

static inline rp_progress_t rp_host_progress(rp_host_t *self, rp_world_id_t world,
                                             rp_left_out_t *left_out)
{
    return self->ops->worlds.progress(self, world, left_out);
}

static inline rp_status_t rp_host_open(rp_host_t *self, rp_world_id_t world,
                                       const rp_session_options_t *options,
                                       rp_session_id_t *session)
{
    return self->ops->sessions.open(self, world, options, session);
}

static inline rp_status_t rp_host_close(rp_host_t *self, rp_session_id_t session)
{
    return self->ops->sessions.close(self, session);
}

static inline rp_status_t rp_host_turn_to(rp_host_t *self, rp_session_id_t session,
                                          const rp_host_pose_t *pose, rp_cause_t cause)
{
    return self->ops->sessions.pose(self, session, pose, cause);
}

/// The same without a yaw.
static inline rp_status_t rp_host_pose(rp_host_t *self, rp_session_id_t session, double x_m,
                                       double y_m, uint64_t pose_seq, rp_cause_t cause)
{
    const rp_host_pose_t pose = {x_m, y_m, NAN, pose_seq};
    return rp_host_turn_to(self, session, &pose, cause);
}

static inline rp_status_t rp_host_aim(rp_host_t *self, rp_session_id_t session, const rp_aim_t *aim,
                                      rp_cause_t cause)
{
    return self->ops->sessions.aim(self, session, aim, cause);
}

static inline rp_status_t rp_host_retarget(rp_host_t *self, rp_session_id_t session,
                                           rp_session_id_t target, rp_cause_t cause)
{
    return self->ops->sessions.retarget(self, session, target, cause);
}

static inline rp_status_t rp_host_answer(const rp_host_t *self, rp_session_id_t session,
                                         rp_answer_t *answer)
{
    return self->ops->sessions.answer(self, session, answer);
}

static inline uint64_t rp_host_last_published(const rp_host_t *self, rp_session_id_t session)
{
    return self->ops->sessions.last_published(self, session);
}

static inline size_t rp_host_past(const rp_host_t *self, rp_session_id_t session,
                                  rp_past_answer_t *past)
{
    return self->ops->sessions.past(self, session, past);
}

static inline uint64_t rp_host_look(rp_host_t *self, rp_session_id_t session)
{
    return self->ops->sessions.look(self, session);
}

static inline bool rp_host_has_looked(const rp_host_t *self, rp_session_id_t session,
                                      uint64_t ticket)
{
    return self->ops->sessions.has_looked(self, session, ticket);
}

static inline void rp_host_hasten(rp_host_t *self, rp_session_id_t session)
{
    self->ops->sessions.hasten(self, session);
}

static inline bool rp_host_is_current(rp_host_t *self, rp_session_id_t session)
{
    return self->ops->sessions.is_current(self, session);
}

static inline bool rp_host_next_answer(rp_host_t *self, rp_answer_t *answer)
{
    return self->ops->sessions.next_answer(self, answer);
}

static inline bool rp_host_may_ask(const rp_host_t *self)
{
    return self->ops->queries.may_ask(self);
}

static inline rp_status_t rp_host_ask(rp_host_t *self, rp_world_id_t world,
                                      const rp_question_t *question, rp_query_id_t *query)
{
    return self->ops->queries.ask(self, world, question, query);
}

static inline rp_status_t rp_host_walk(rp_host_t *self, const rp_route_t *route,
                                       rp_query_id_t *query)
{
    return self->ops->queries.walk(self, route, query);
}

static inline const rp_query_report_t *rp_host_query_report(rp_host_t *self, rp_query_id_t query)
{
    return self->ops->queries.query_report(self, query);
}

static inline void rp_host_forget(rp_host_t *self, rp_query_id_t query)
{
    self->ops->queries.forget(self, query);
}

static inline bool rp_host_step(rp_host_t *self, uint64_t now_us, uint64_t budget)
{
    return self->ops->work.step(self, now_us, budget);
}

static inline uint64_t rp_host_slices(const rp_host_t *self)
{
    return self->ops->work.slices(self);
}

static inline rp_effort_t rp_host_effort(const rp_host_t *self)
{
    return self->ops->work.effort(self);
}

static inline void rp_host_flush(rp_host_t *self, uint64_t now_us)
{
    self->ops->work.flush(self, now_us);
}

static inline void rp_host_flush_settled(rp_host_t *self, uint64_t now_us)
{
    self->ops->work.flush_settled(self, now_us);
}

static inline uint64_t rp_host_next_us(const rp_host_t *self)
{
    return self->ops->work.next_us(self);
}

static inline int rp_host_descriptor(const rp_host_t *self)
{
    return self->ops->work.descriptor(self);
}

static inline bool rp_host_lags(const rp_host_t *self)
{
    return self->ops->work.lags(self);
}

static inline bool rp_host_is_at_work(const rp_host_t *self)
{
    return self->ops->work.is_at_work(self);
}

static inline uint64_t rp_host_cpu_ns(const rp_host_t *self, unsigned worker)
{
    return self->ops->work.cpu_ns(self, worker);
}

#endif
