/// What all hosts share, and the verbs of whichever it is.
#include "daemon/workers/host.h"

rp_status_t rp_host_init(rp_host_t *self, const rp_host_ops_t *ops, uint64_t memory_bytes)
{
    *self = (rp_host_t){.ops = ops, .world_copies = 1, .layer_copies = 1};
    const rp_status_t status = rp_engine_new(&self->ground);
    if (status == RP_OK) {
        rp_engine_limit_memory(self->ground, memory_bytes);
    }
    return status;
}

void rp_host_fini(rp_host_t *self)
{
    rp_engine_destroy(&self->ground);
}

void rp_host_destroy(rp_host_t **self)
{
    if (*self != NULL) {
        (*self)->ops->destroy(*self);
        *self = NULL;
    }
}

const rp_engine_t *rp_host_ground(const rp_host_t *self)
{
    return self->ground;
}

rp_status_t rp_host_stage(rp_host_t *self, rp_world_id_t world, const rp_staged_kind_t *what,
                          rp_staged_edit_t **staged)
{
    return rp_engine_stage(self->ground, world, what, staged);
}

bool rp_host_idle(rp_host_t *self, uint64_t budget)
{
    return rp_engine_idle(self->ground, budget);
}

// ---- slots

rp_status_t rp_host_open_world(rp_host_t *self, const rp_world_options_t *options,
                               rp_shared_buffer_t *buffer, rp_world_id_t *world)
{
    return self->ops->worlds.open_world(self, options, buffer, world);
}

rp_status_t rp_host_close_world(rp_host_t *self, rp_world_id_t world)
{
    return self->ops->worlds.close_world(self, world);
}

rp_status_t rp_host_apply(rp_host_t *self, rp_world_id_t world, const rp_edit_t *edit,
                          rp_shared_buffer_t *buffer, rp_cause_t cause, uint64_t *version)
{
    return self->ops->worlds.apply(self, world, edit, buffer, cause, version);
}

rp_status_t rp_host_overlay(rp_host_t *self, rp_world_id_t world, const rp_overlay_edit_t *edit,
                            rp_cause_t cause, uint64_t *version)
{
    return self->ops->worlds.overlay(self, world, edit, cause, version);
}

bool rp_host_expire(rp_host_t *self, rp_world_id_t world, uint64_t now_us, rp_cause_t cause,
                    uint64_t *version)
{
    return self->ops->worlds.expire(self, world, now_us, cause, version);
}

rp_status_t rp_host_resize(rp_host_t *self, rp_world_id_t world, const rp_window_t *window,
                           rp_shared_buffer_t *buffer, rp_cause_t cause, uint64_t *version)
{
    return self->ops->worlds.resize(self, world, window, buffer, cause, version);
}

rp_status_t rp_host_judge_body(const rp_host_t *self, rp_world_id_t world, const rp_body_t *body)
{
    return self->ops->worlds.judge_body(self, world, body);
}

uint32_t rp_host_layers(const rp_host_t *self, rp_world_id_t world)
{
    return self->ops->worlds.layers(self, world);
}

uint64_t rp_host_settled(rp_host_t *self, rp_world_id_t world, rp_left_out_t *left_out)
{
    return self->ops->worlds.settled(self, world, left_out);
}

rp_status_t rp_host_open(rp_host_t *self, rp_world_id_t world, const rp_session_options_t *options,
                         rp_session_id_t *session)
{
    return self->ops->sessions.open(self, world, options, session);
}

rp_status_t rp_host_close(rp_host_t *self, rp_session_id_t session)
{
    return self->ops->sessions.close(self, session);
}

rp_status_t rp_host_pose(rp_host_t *self, rp_session_id_t session, double x_m, double y_m,
                         uint64_t pose_seq, rp_cause_t cause)
{
    return self->ops->sessions.pose(self, session, x_m, y_m, pose_seq, cause);
}

rp_status_t rp_host_aim(rp_host_t *self, rp_session_id_t session, const rp_aim_t *aim,
                        rp_cause_t cause)
{
    return self->ops->sessions.aim(self, session, aim, cause);
}

rp_status_t rp_host_retarget(rp_host_t *self, rp_session_id_t session, rp_session_id_t target,
                             rp_cause_t cause)
{
    return self->ops->sessions.retarget(self, session, target, cause);
}

rp_status_t rp_host_answer(const rp_host_t *self, rp_session_id_t session, rp_answer_t *answer)
{
    return self->ops->sessions.answer(self, session, answer);
}

uint64_t rp_host_last_published(const rp_host_t *self, rp_session_id_t session)
{
    return self->ops->sessions.last_published(self, session);
}

size_t rp_host_past(const rp_host_t *self, rp_session_id_t session, rp_said_t *said)
{
    return self->ops->sessions.past(self, session, said);
}

uint64_t rp_host_look(rp_host_t *self, rp_session_id_t session)
{
    return self->ops->sessions.look(self, session);
}

bool rp_host_has_looked(const rp_host_t *self, rp_session_id_t session, uint64_t ticket)
{
    return self->ops->sessions.has_looked(self, session, ticket);
}

void rp_host_hasten(rp_host_t *self, rp_session_id_t session)
{
    self->ops->sessions.hasten(self, session);
}

bool rp_host_is_fresh(rp_host_t *self, rp_session_id_t session)
{
    return self->ops->sessions.is_fresh(self, session);
}

bool rp_host_next_answer(rp_host_t *self, rp_answer_t *answer)
{
    return self->ops->sessions.next_answer(self, answer);
}

bool rp_host_may_ask(const rp_host_t *self)
{
    return self->ops->queries.may_ask(self);
}

rp_status_t rp_host_ask(rp_host_t *self, rp_world_id_t world, const rp_question_t *question,
                        rp_query_id_t *query)
{
    return self->ops->queries.ask(self, world, question, query);
}

rp_status_t rp_host_walk(rp_host_t *self, const rp_route_t *route, rp_query_id_t *query)
{
    return self->ops->queries.walk(self, route, query);
}

const rp_query_report_t *rp_host_query_report(rp_host_t *self, rp_query_id_t query)
{
    return self->ops->queries.query_report(self, query);
}

void rp_host_forget(rp_host_t *self, rp_query_id_t query)
{
    self->ops->queries.forget(self, query);
}

bool rp_host_step(rp_host_t *self, uint64_t now_us, uint64_t budget)
{
    return self->ops->work.step(self, now_us, budget);
}

uint64_t rp_host_slices(const rp_host_t *self)
{
    return self->ops->work.slices(self);
}

rp_effort_t rp_host_effort(const rp_host_t *self)
{
    return self->ops->work.effort(self);
}

void rp_host_flush(rp_host_t *self, uint64_t now_us)
{
    self->ops->work.flush(self, now_us);
}

void rp_host_flush_settled(rp_host_t *self, uint64_t now_us)
{
    self->ops->work.flush_settled(self, now_us);
}

uint64_t rp_host_next_us(const rp_host_t *self)
{
    return self->ops->work.next_us(self);
}

int rp_host_descriptor(const rp_host_t *self)
{
    return self->ops->work.descriptor(self);
}

bool rp_host_is_at_work(const rp_host_t *self)
{
    return self->ops->work.is_at_work(self);
}

uint64_t rp_host_cpu_ns(const rp_host_t *self, unsigned worker)
{
    return self->ops->work.cpu_ns(self, worker);
}
