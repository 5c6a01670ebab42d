/// The verbs of worlds, reports, and the table. What is said of a session is in session_entries.c,
/// of a query in pending_queries.c, and what goes to the threads in worker_pool.c.
#include "daemon/workers/threaded_host.h"

#include <stdlib.h>

#include "daemon/workers/pending_queries.h"
#include "daemon/workers/session_entries.h"
#include "daemon/workers/worker_pool.h"
#include "msgs/limits.h"

typedef struct rp_threaded_host {
    rp_host_t host;
    rp_worker_pool_t pool;
    uint64_t settled[RP_LIMIT_WORLDS + 1u]; ///< by world, as it was told last
    uint64_t slices;                        ///< of planning so far
} rp_threaded_host_t;

static rp_threaded_host_t *threaded_of(rp_host_t *host)
{
    return (rp_threaded_host_t *)host;
}

static rp_worker_pool_t *pool_of(rp_host_t *host)
{
    return &threaded_of(host)->pool;
}

static const rp_worker_pool_t *const_pool_of(const rp_host_t *host)
{
    return &((const rp_threaded_host_t *)host)->pool;
}

// ---- worlds

static rp_status_t threaded_open_world(rp_host_t *host, const rp_world_options_t *options,
                                       rp_shared_buffer_t *buffer, rp_world_id_t *world)
{
    rp_worker_pool_t *self = pool_of(host);
    rp_fanout_t fanout = {.count = 0};
    rp_command_t command = {.kind = RP_COMMAND_OPEN_WORLD, .buffer = buffer};
    rp_world_options_t unhashed = *options; // the ground's hash is the one that is told
    unhashed.cell_hash = NULL;
    unhashed.given = NULL; // it is the ground's
    command.with.world = &unhashed;
    rp_fanout_add_all(self, &fanout, &command);
    const rp_status_t status =
        fanout.lacks_memory ? RP_E_MEMORY : rp_engine_open_world(self->ground, options, world);
    if (status != RP_OK) {
        return status;
    }
    for (unsigned i = 0; i < fanout.count; i++) {
        fanout.commands[i]->subject = *world;
        self->proxies[i].settled[*world] = 0;
        self->proxies[i].opened_at[*world] = self->proxies[i].sent;
    }
    threaded_of(host)->settled[*world] = 0;
    rp_fanout_send(self, &fanout);
    return RP_OK;
}

static rp_status_t threaded_close_world(rp_host_t *host, rp_world_id_t world)
{
    rp_worker_pool_t *self = pool_of(host);
    rp_fanout_t fanout = {.count = 0};
    const rp_command_t command = {.kind = RP_COMMAND_CLOSE_WORLD, .subject = world};
    rp_fanout_add_all(self, &fanout, &command);
    const rp_status_t status =
        fanout.lacks_memory ? RP_E_MEMORY : rp_engine_close_world(self->ground, world);
    if (status == RP_OK) {
        rp_fanout_send(self, &fanout);
    }
    return status;
}

static rp_status_t threaded_apply(rp_host_t *host, rp_world_id_t world, const rp_edit_t *edit,
                                  rp_shared_buffer_t *buffer, rp_cause_t cause, uint64_t *version)
{
    rp_worker_pool_t *self = pool_of(host);
    rp_fanout_t fanout = {.count = 0};
    rp_command_t command = {
        .kind = RP_COMMAND_APPLY, .subject = world, .buffer = buffer, .cause = cause};
    command.with.edit = edit;
    rp_fanout_add_all(self, &fanout, &command);
    const rp_status_t status = fanout.lacks_memory
                                   ? RP_E_MEMORY
                                   : rp_engine_apply(self->ground, world, edit, cause, version);
    if (status == RP_OK) {
        rp_fanout_send(self, &fanout);
    }
    return status;
}

static rp_status_t threaded_overlay(rp_host_t *host, rp_world_id_t world,
                                    const rp_overlay_edit_t *edit, rp_cause_t cause,
                                    uint64_t *version)
{
    rp_worker_pool_t *self = pool_of(host);
    rp_fanout_t fanout = {.count = 0};
    rp_command_t command = {.kind = RP_COMMAND_OVERLAY, .subject = world, .cause = cause};
    command.with.overlay = edit;
    rp_fanout_add_all(self, &fanout, &command);
    const rp_status_t status = fanout.lacks_memory
                                   ? RP_E_MEMORY
                                   : rp_engine_overlay(self->ground, world, edit, cause, version);
    if (status == RP_OK) {
        rp_fanout_send(self, &fanout);
    }
    return status;
}

static bool threaded_expire(rp_host_t *host, rp_world_id_t world, uint64_t now_us, rp_cause_t cause,
                            uint64_t *version)
{
    rp_worker_pool_t *self = pool_of(host);
    rp_fanout_t fanout = {.count = 0};
    rp_command_t command = {.kind = RP_COMMAND_EXPIRE, .subject = world, .cause = cause};
    command.with.until_us = now_us;
    if (rp_engine_next_us(self->ground) > now_us) {
        return false;
    }
    rp_fanout_add_all(self, &fanout, &command);
    const bool is_gone =
        !fanout.lacks_memory && rp_engine_expire(self->ground, world, now_us, cause, version);
    if (is_gone) {
        rp_fanout_send(self, &fanout);
    }
    return is_gone;
}

static rp_status_t threaded_resize(rp_host_t *host, rp_world_id_t world, const rp_window_t *window,
                                   rp_shared_buffer_t *buffer, rp_cause_t cause, uint64_t *version)
{
    rp_worker_pool_t *self = pool_of(host);
    rp_fanout_t fanout = {.count = 0};
    rp_command_t command = {
        .kind = RP_COMMAND_RESIZE, .subject = world, .buffer = buffer, .cause = cause};
    command.with.window = *window;
    rp_fanout_add_all(self, &fanout, &command);
    const rp_status_t status = fanout.lacks_memory
                                   ? RP_E_MEMORY
                                   : rp_engine_resize(self->ground, world, window, cause, version);
    if (status == RP_OK) {
        rp_fanout_send(self, &fanout);
    }
    return status;
}

static rp_status_t threaded_judge_body(const rp_host_t *host, rp_world_id_t world,
                                       const rp_body_t *body)
{
    return rp_session_entries_judge_body(const_pool_of(host), world, body);
}

static uint32_t threaded_layers(const rp_host_t *host, rp_world_id_t world)
{
    bool is_known;
    return rp_assignment_layers(&const_pool_of(host)->assignment, world, 0, &is_known);
}

/// Add those of a world who still sit where they sat when they were reported.
static void add_overdue(const rp_worker_pool_t *self, rp_world_id_t world,
                        const rp_worker_proxy_t *proxy, rp_left_out_t *left_out)
{
    for (const rp_overdue_t *one = proxy->overdue; one != NULL; one = one->next) {
        const rp_session_entry_t *entry =
            one->world == world ? rp_session_entries_find(self, one->session) : NULL;
        if (entry != NULL && entry->number == one->entry) {
            left_out->sessions[left_out->count++] = one->session;
        }
    }
}

static uint64_t threaded_settled(rp_host_t *host, rp_world_id_t world, rp_left_out_t *left_out)
{
    rp_threaded_host_t *threaded = threaded_of(host);
    const rp_worker_pool_t *self = &threaded->pool;
    uint64_t settled = rp_engine_version(self->ground, world);
    left_out->count = 0;
    for (unsigned i = 0; i < self->count; i++) {
        const uint64_t here = self->proxies[i].settled[world];
        if (rp_assignment_serves(&self->assignment, world, i)) {
            settled = here < settled ? here : settled;
            add_overdue(self, world, &self->proxies[i], left_out);
        }
    }
    // Who is given its first session may be behind; what was said up to now holds all the same.
    if (settled > threaded->settled[world]) {
        threaded->settled[world] = settled;
    }
    return threaded->settled[world];
}

// ---- sessions

static rp_status_t threaded_open(rp_host_t *host, rp_world_id_t world,
                                 const rp_session_options_t *options, rp_session_id_t *session)
{
    return rp_session_entries_open(pool_of(host), world, options, session);
}

static rp_status_t threaded_close(rp_host_t *host, rp_session_id_t session)
{
    return rp_session_entries_close(pool_of(host), session);
}

static rp_status_t threaded_pose(rp_host_t *host, rp_session_id_t session, double x_m, double y_m,
                                 uint64_t pose_seq, rp_cause_t cause)
{
    return rp_session_entries_pose(pool_of(host), session, x_m, y_m, pose_seq, cause);
}

static rp_status_t threaded_aim(rp_host_t *host, rp_session_id_t session, const rp_aim_t *aim,
                                rp_cause_t cause)
{
    return rp_session_entries_aim(pool_of(host), session, aim, cause);
}

static rp_status_t threaded_retarget(rp_host_t *host, rp_session_id_t session,
                                     rp_session_id_t target, rp_cause_t cause)
{
    return rp_session_entries_retarget(pool_of(host), session, target, cause);
}

static rp_status_t threaded_answer(const rp_host_t *host, rp_session_id_t session,
                                   rp_answer_t *answer)
{
    return rp_session_entries_answer(const_pool_of(host), session, answer);
}

static uint64_t threaded_last_published(const rp_host_t *host, rp_session_id_t session)
{
    return rp_session_entries_last_published(const_pool_of(host), session);
}

static size_t threaded_past(const rp_host_t *host, rp_session_id_t session, rp_said_t *said)
{
    return rp_session_entries_past(const_pool_of(host), session, said);
}

static uint64_t threaded_look(rp_host_t *host, rp_session_id_t session)
{
    return rp_session_entries_look(pool_of(host), session);
}

static bool threaded_has_looked(const rp_host_t *host, rp_session_id_t session, uint64_t ticket)
{
    return rp_session_entries_has_looked(const_pool_of(host), session, ticket);
}

static void threaded_hasten(rp_host_t *host, rp_session_id_t session)
{
    rp_session_entries_hasten(pool_of(host), session);
}

static bool threaded_is_fresh(rp_host_t *host, rp_session_id_t session)
{
    return rp_session_entries_is_fresh(pool_of(host), session);
}

static bool threaded_next_answer(rp_host_t *host, rp_answer_t *answer)
{
    return rp_session_entries_next_answer(pool_of(host), answer);
}

// ---- queries

static bool threaded_may_ask(const rp_host_t *host)
{
    return rp_pending_queries_may_ask(const_pool_of(host));
}

static rp_status_t threaded_ask(rp_host_t *host, rp_world_id_t world, const rp_question_t *question,
                                rp_query_id_t *query)
{
    return rp_pending_queries_ask(pool_of(host), world, question, query);
}

static rp_status_t threaded_walk(rp_host_t *host, const rp_route_t *route, rp_query_id_t *query)
{
    return rp_pending_queries_walk(pool_of(host), route, query);
}

static const rp_query_report_t *threaded_query_report(rp_host_t *host, rp_query_id_t query)
{
    return rp_pending_queries_report(pool_of(host), query);
}

static void threaded_forget(rp_host_t *host, rp_query_id_t query)
{
    rp_pending_queries_forget(pool_of(host), query);
}

// ---- work

static void take_report(rp_worker_pool_t *self, rp_report_t *report)
{
    rp_worker_proxy_t *proxy = &self->proxies[report->worker];
    proxy->done = report->done;
    proxy->is_busy = report->is_busy;
    proxy->effort = report->effort;
    proxy->next_us = proxy->sent == proxy->done ? report->next_us : RP_NEVER_US;
    for (rp_world_id_t world = 1; world <= RP_LIMIT_WORLDS; world++) {
        if (report->done > proxy->opened_at[world]) {
            proxy->settled[world] = report->settled[world];
        }
    }
    rp_overdue_destroy(&proxy->overdue);
    proxy->overdue = report->overdue;
    report->overdue = NULL;
    while (report->answers != NULL) {
        rp_answer_msg_t *message = report->answers;
        report->answers = message->next;
        rp_session_entries_take_answer(self, message);
    }
    while (report->queries != NULL) {
        rp_query_report_t *query = report->queries;
        report->queries = query->next;
        rp_pending_queries_take_report(self, report->worker, query);
    }
    rp_report_destroy(&report);
}

static void take_reports(rp_threaded_host_t *self)
{
    rp_mailbox_link_t *all = rp_mailbox_take(&self->pool.reports);
    while (all != NULL) {
        rp_report_t *report = (rp_report_t *)all;
        all = all->next;
        take_report(&self->pool, report);
        self->slices++;
    }
}

static bool threaded_step(rp_host_t *host, uint64_t now_us, uint64_t budget)
{
    rp_threaded_host_t *self = threaded_of(host);
    self->pool.now_us = now_us;
    take_reports(self);
    rp_worker_pool_flush(&self->pool, now_us);
    return rp_engine_count(host->ground, budget); // nobody else wants the ground's hash
}

static uint64_t threaded_slices(const rp_host_t *host)
{
    return ((const rp_threaded_host_t *)host)->slices;
}

static rp_effort_t threaded_effort(const rp_host_t *host)
{
    const rp_worker_pool_t *self = const_pool_of(host);
    rp_effort_t sum = rp_engine_effort(host->ground);
    for (unsigned i = 0; i < self->count; i++) {
        const rp_effort_t *effort = &self->proxies[i].effort;
        sum.expanded += effort->expanded;
        sum.checked += effort->checked;
        sum.differed += effort->differed;
    }
    return sum;
}

static void threaded_flush(rp_host_t *host, uint64_t now_us)
{
    rp_worker_pool_flush(pool_of(host), now_us);
}

static void threaded_flush_settled(rp_host_t *host, uint64_t now_us)
{
    rp_worker_pool_flush_settled(pool_of(host), now_us);
}

static bool threaded_is_at_work(const rp_host_t *host)
{
    return rp_worker_pool_is_at_work(const_pool_of(host));
}

static uint64_t threaded_next_us(const rp_host_t *host)
{
    const uint64_t shapes_us = rp_engine_next_us(host->ground); // the ground does not plan
    const uint64_t next_us = rp_worker_pool_next_us(const_pool_of(host));
    return shapes_us < next_us ? shapes_us : next_us;
}

static int threaded_descriptor(const rp_host_t *host)
{
    return const_pool_of(host)->reports.descriptor;
}

static uint64_t threaded_cpu_ns(const rp_host_t *host, unsigned worker)
{
    return rp_worker_cpu_ns(const_pool_of(host)->proxies[worker].worker);
}

// ---- birth and death

static void threaded_destroy(rp_host_t *host)
{
    rp_threaded_host_t *self = threaded_of(host);
    rp_worker_pool_stop(&self->pool);
    if (self->pool.count != 0) {
        take_reports(self);
    }
    rp_pending_queries_fini(&self->pool);
    rp_session_entries_fini(&self->pool);
    rp_worker_pool_fini(&self->pool);
    rp_host_fini(host);
    free(self);
}

static const rp_host_ops_t threaded_ops = {
    .destroy = threaded_destroy,
    .worlds =
        {
            .open_world = threaded_open_world,
            .close_world = threaded_close_world,
            .apply = threaded_apply,
            .overlay = threaded_overlay,
            .expire = threaded_expire,
            .resize = threaded_resize,
            .judge_body = threaded_judge_body,
            .layers = threaded_layers,
            .settled = threaded_settled,
        },
    .sessions =
        {
            .open = threaded_open,
            .close = threaded_close,
            .pose = threaded_pose,
            .aim = threaded_aim,
            .retarget = threaded_retarget,
            .answer = threaded_answer,
            .last_published = threaded_last_published,
            .past = threaded_past,
            .look = threaded_look,
            .has_looked = threaded_has_looked,
            .hasten = threaded_hasten,
            .is_fresh = threaded_is_fresh,
            .next_answer = threaded_next_answer,
        },
    .queries =
        {
            .may_ask = threaded_may_ask,
            .ask = threaded_ask,
            .walk = threaded_walk,
            .query_report = threaded_query_report,
            .forget = threaded_forget,
        },
    .work =
        {
            .step = threaded_step,
            .slices = threaded_slices,
            .effort = threaded_effort,
            .flush = threaded_flush,
            .flush_settled = threaded_flush_settled,
            .next_us = threaded_next_us,
            .descriptor = threaded_descriptor,
            .is_at_work = threaded_is_at_work,
            .cpu_ns = threaded_cpu_ns,
        },
};

rp_status_t rp_threaded_host_new(unsigned count, uint64_t memory_bytes, rp_host_t **host)
{
    rp_threaded_host_t *self = calloc(1, sizeof *self);
    if (self == NULL || rp_host_init(&self->host, &threaded_ops, memory_bytes) != RP_OK) {
        free(self);
        return RP_E_MEMORY;
    }
    self->pool.ground = self->host.ground;
    self->host.world_copies = count + 1u; // the ground has one, too
    self->host.layer_copies = count;
    if (!rp_pending_queries_init(&self->pool) ||
        rp_worker_pool_start(&self->pool, count, memory_bytes) != RP_OK) {
        threaded_destroy(&self->host);
        return RP_E_MEMORY;
    }
    *host = &self->host;
    return RP_OK;
}
