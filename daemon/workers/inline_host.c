/// Each verb is a call of the one engine; only queries have numbers of the host's own.
#include "daemon/workers/inline_host.h"

#include <stdlib.h>

/// A query that was asked, until it is forgotten.
typedef struct query {
    rp_query_id_t id;        ///< 0: none
    rp_query_id_t engines;   ///< the engine's number; 0: it is a walk
    rp_query_report_t *walk; ///< owned; NULL: it is none
    rp_query_report_t lent;  ///< with the engine's own arrays
} query_t;

typedef struct rp_inline_host {
    rp_host_t host;
    query_t queries[RP_QUERIES_MAX];
    rp_query_id_t last_query;
    uint64_t slices; ///< of planning so far
} rp_inline_host_t;

// ---- worlds

static rp_status_t inline_open_world(rp_host_t *host, const rp_world_options_t *options,
                                     rp_shared_buffer_t *buffer, rp_world_id_t *world)
{
    (void)buffer;
    return rp_host_open_placed(host->authority, options, world);
}

static rp_status_t inline_close_world(rp_host_t *host, rp_world_id_t world)
{
    return rp_engine_close_world(host->authority, world);
}

static rp_status_t inline_apply(rp_host_t *host, rp_world_id_t world, const rp_edit_t *edit,
                                rp_shared_buffer_t *buffer, rp_cause_t cause, uint64_t *version)
{
    (void)buffer;
    return rp_engine_apply(host->authority, world, edit, cause, version);
}

static rp_status_t inline_overlay(rp_host_t *host, rp_world_id_t world,
                                  const rp_overlay_edit_t *edit, rp_cause_t cause,
                                  uint64_t *version)
{
    return rp_engine_overlay(host->authority, world, edit, cause, version);
}

static bool inline_expire(rp_host_t *host, rp_world_id_t world, uint64_t now_us, rp_cause_t cause,
                          uint64_t *version)
{
    return rp_engine_next_us(host->authority) <= now_us &&
           rp_engine_expire(host->authority, world, now_us, cause, version);
}

static rp_status_t inline_resize(rp_host_t *host, rp_world_id_t world, const rp_window_t *window,
                                 rp_shared_buffer_t *buffer, rp_cause_t cause, uint64_t *version)
{
    (void)buffer;
    return rp_engine_resize(host->authority, world, window, cause, version);
}

static rp_status_t inline_judge_body(const rp_host_t *host, rp_world_id_t world,
                                     const rp_body_t *body)
{
    return rp_engine_judge_body(host->authority, world, body);
}

static uint32_t inline_layers(const rp_host_t *host, rp_world_id_t world)
{
    return rp_engine_layers(host->authority, world);
}

static rp_progress_t inline_progress(rp_host_t *host, rp_world_id_t world, rp_left_out_t *left_out)
{
    left_out->count = 0;
    return rp_progress_of(host->authority, world, left_out->sessions, &left_out->count);
}

// ---- sessions

static rp_status_t inline_open(rp_host_t *host, rp_world_id_t world,
                               const rp_session_options_t *options, rp_session_id_t *session)
{
    return rp_engine_open(host->authority, world, options, session);
}

static rp_status_t inline_close(rp_host_t *host, rp_session_id_t session)
{
    return rp_engine_close(host->authority, session);
}

static rp_status_t inline_pose(rp_host_t *host, rp_session_id_t session, const rp_host_pose_t *pose,
                               rp_cause_t cause)
{
    return rp_engine_pose_with_yaw(host->authority, session, pose->x_m, pose->y_m, pose->yaw,
                                   pose->seq, cause);
}

static rp_status_t inline_aim(rp_host_t *host, rp_session_id_t session, const rp_aim_t *aim,
                              rp_cause_t cause)
{
    return rp_engine_aim(host->authority, session, aim, cause);
}

static rp_status_t inline_retarget(rp_host_t *host, rp_session_id_t session, rp_session_id_t target,
                                   rp_cause_t cause)
{
    return rp_engine_retarget(host->authority, session, target, cause);
}

static rp_status_t inline_answer(const rp_host_t *host, rp_session_id_t session,
                                 rp_answer_t *answer)
{
    return rp_engine_answer(host->authority, session, answer);
}

static uint64_t inline_last_published(const rp_host_t *host, rp_session_id_t session)
{
    return rp_engine_last_published(host->authority, session);
}

static size_t inline_past(const rp_host_t *host, rp_session_id_t session, rp_past_answer_t *past)
{
    return rp_engine_past(host->authority, session, past);
}

static uint64_t inline_look(rp_host_t *host, rp_session_id_t session)
{
    (void)host;
    (void)session;
    return 0; // it can be seen from here
}

static bool inline_has_looked(const rp_host_t *host, rp_session_id_t session, uint64_t ticket)
{
    (void)ticket;
    return rp_engine_is_sure(host->authority, session);
}

static void inline_hasten(rp_host_t *host, rp_session_id_t session)
{
    (void)rp_engine_hasten(host->authority, session); // without memory it is said later
}

static bool inline_is_current(rp_host_t *host, rp_session_id_t session)
{
    return rp_engine_is_sure(host->authority, session);
}

static bool inline_next_answer(rp_host_t *host, rp_answer_t *answer)
{
    return rp_engine_next_answer(host->authority, answer);
}

// ---- queries

static query_t *find(rp_host_t *host, rp_query_id_t id)
{
    rp_inline_host_t *self = (rp_inline_host_t *)host;
    for (size_t i = 0; id != 0 && i < RP_QUERIES_MAX; i++) {
        if (self->queries[i].id == id) {
            return &self->queries[i];
        }
    }
    return NULL;
}

/// @return NULL when too many are open
static query_t *begin(rp_host_t *host)
{
    rp_inline_host_t *self = (rp_inline_host_t *)host;
    for (size_t i = 0; i < RP_QUERIES_MAX; i++) {
        if (self->queries[i].id == 0) {
            self->last_query += self->last_query == UINT32_MAX ? 2u : 1u;
            self->queries[i] = (query_t){.id = self->last_query};
            return &self->queries[i];
        }
    }
    return NULL;
}

static void end(query_t *query)
{
    rp_query_report_destroy(&query->walk);
    *query = (query_t){.id = 0};
}

/// A status instead of a query, or a query.
static rp_status_t conclude(query_t *query, rp_status_t status, rp_query_id_t *id)
{
    if (status == RP_OK) {
        *id = query->id;
    } else {
        end(query);
    }
    return status;
}

static bool inline_may_ask(const rp_host_t *host)
{
    const rp_inline_host_t *self = (const rp_inline_host_t *)host;
    bool may_ask = false;
    for (size_t i = 0; i < RP_QUERIES_MAX; i++) {
        may_ask = may_ask || self->queries[i].id == 0;
    }
    return may_ask;
}

static rp_status_t inline_ask(rp_host_t *host, rp_world_id_t world, const rp_question_t *question,
                              rp_query_id_t *query)
{
    query_t *asked = begin(host);
    if (asked == NULL) {
        return RP_E_LIMIT;
    }
    return conclude(asked, rp_engine_start_query(host->authority, world, question, &asked->engines),
                    query);
}

/// A walk is over at once.
static rp_status_t walk(rp_host_t *host, query_t *query, const rp_route_t *route)
{
    rp_answer_t answer;
    if (rp_engine_answer(host->authority, route->session, &answer) != RP_OK) {
        return RP_E_UNKNOWN;
    }
    query->walk = rp_query_report_new(query->id, RP_OK);
    if (query->walk == NULL) {
        return RP_E_MEMORY;
    }
    rp_query_report_t *report = query->walk;
    report->offenders = calloc(rp_route_room(route), sizeof *report->offenders);
    report->result.costs = calloc(1, sizeof *report->result.costs);
    if (report->offenders == NULL || report->result.costs == NULL) {
        return RP_E_MEMORY;
    }
    rp_query_report_walk(report, host->authority, route->session, route);
    return RP_OK;
}

static rp_status_t inline_walk(rp_host_t *host, const rp_route_t *route, rp_query_id_t *query)
{
    query_t *asked = begin(host);
    if (asked == NULL) {
        return RP_E_LIMIT;
    }
    return conclude(asked, walk(host, asked, route), query);
}

static const rp_query_report_t *inline_query_report(rp_host_t *host, rp_query_id_t query)
{
    query_t *asked = find(host, query);
    if (asked == NULL || asked->walk != NULL) {
        return asked != NULL ? asked->walk : NULL;
    }
    const rp_query_result_t *result = rp_engine_query_result(host->authority, asked->engines);
    if (result == NULL) {
        return NULL;
    }
    asked->lent = (rp_query_report_t){.query = query, .status = result->status, .result = *result};
    return &asked->lent;
}

static void inline_forget(rp_host_t *host, rp_query_id_t query)
{
    query_t *asked = find(host, query);
    if (asked == NULL) {
        return;
    }
    if (asked->engines != 0) {
        rp_engine_forget(host->authority, asked->engines);
    }
    end(asked);
}

// ---- work

static bool inline_step(rp_host_t *host, uint64_t now_us, uint64_t budget)
{
    ((rp_inline_host_t *)host)->slices++;
    return rp_engine_step(host->authority, now_us, budget);
}

static uint64_t inline_slices(const rp_host_t *host)
{
    return ((const rp_inline_host_t *)host)->slices;
}

static rp_effort_t inline_effort(const rp_host_t *host)
{
    return rp_engine_effort(host->authority);
}

static void inline_flush(rp_host_t *host, uint64_t now_us)
{
    (void)host;
    (void)now_us; // there are no commands
}

static void inline_flush_settled(rp_host_t *host, uint64_t now_us)
{
    while (rp_engine_step(host->authority, now_us, UINT64_MAX)) {
    }
}

static uint64_t inline_next_us(const rp_host_t *host)
{
    return rp_engine_next_us(host->authority);
}

static int inline_descriptor(const rp_host_t *host)
{
    (void)host;
    return -1;
}

static bool inline_lags(const rp_host_t *host)
{
    (void)host;
    return false; // what it was told is done
}

static bool inline_is_at_work(const rp_host_t *host)
{
    (void)host;
    return false;
}

static uint64_t inline_cpu_ns(const rp_host_t *host, unsigned worker)
{
    (void)host;
    (void)worker; // it is that of the loop
    return 0;
}

// ---- birth and death

static void inline_destroy(rp_host_t *host)
{
    rp_inline_host_t *self = (rp_inline_host_t *)host;
    for (size_t i = 0; i < RP_QUERIES_MAX; i++) {
        end(&self->queries[i]);
    }
    rp_host_fini(host);
    free(self);
}

static const rp_host_ops_t inline_ops = {
    .destroy = inline_destroy,
    .worlds =
        {
            .open_world = inline_open_world,
            .close_world = inline_close_world,
            .apply = inline_apply,
            .overlay = inline_overlay,
            .expire = inline_expire,
            .resize = inline_resize,
            .judge_body = inline_judge_body,
            .layers = inline_layers,
            .progress = inline_progress,
        },
    .sessions =
        {
            .open = inline_open,
            .close = inline_close,
            .pose = inline_pose,
            .aim = inline_aim,
            .retarget = inline_retarget,
            .answer = inline_answer,
            .last_published = inline_last_published,
            .past = inline_past,
            .look = inline_look,
            .has_looked = inline_has_looked,
            .hasten = inline_hasten,
            .is_current = inline_is_current,
            .next_answer = inline_next_answer,
        },
    .queries =
        {
            .may_ask = inline_may_ask,
            .ask = inline_ask,
            .walk = inline_walk,
            .query_report = inline_query_report,
            .forget = inline_forget,
        },
    .work =
        {
            .step = inline_step,
            .slices = inline_slices,
            .effort = inline_effort,
            .flush = inline_flush,
            .flush_settled = inline_flush_settled,
            .next_us = inline_next_us,
            .descriptor = inline_descriptor,
            .is_at_work = inline_is_at_work,
            .lags = inline_lags,
            .cpu_ns = inline_cpu_ns,
        },
};

rp_status_t rp_inline_host_new(uint64_t memory_bytes, rp_host_t **host)
{
    rp_inline_host_t *self = calloc(1, sizeof *self);
    if (self == NULL || rp_host_init(&self->host, &inline_ops, memory_bytes) != RP_OK) {
        free(self);
        return RP_E_MEMORY;
    }
    *host = &self->host;
    return RP_OK;
}
