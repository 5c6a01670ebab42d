/// The verbs of worlds, reports, and the table. What is said of a session is in session_entries.c,
/// of a query in pending_queries.c, and what goes to the threads in worker_pool.c.
#include "daemon/workers/threaded_host.h"

#include <stdlib.h>

#include "daemon/workers/pending_queries.h"
#include "daemon/workers/session_entries.h"
#include "daemon/workers/worker_pool.h"
#include "msgs/limits.h"

// ---- worlds

static rp_fanout_t draft(rp_worker_pool_t *self, const rp_command_t *command)
{
    rp_fanout_t fanout = {.count = 0};
    rp_fanout_add_all(self, &fanout, command);
    return fanout;
}

/// The workers are told what the authority took in.
static rp_status_t conclude(rp_worker_pool_t *self, const rp_fanout_t *fanout, rp_status_t status)
{
    if (status == RP_OK) {
        rp_fanout_send(self, fanout);
    }
    return status;
}

static rp_status_t threaded_open_world(rp_host_t *host, const rp_world_options_t *options,
                                       rp_shared_buffer_t *buffer, rp_world_id_t *world)
{
    rp_worker_pool_t *self = rp_worker_pool_of(host);
    rp_command_t command = {.kind = RP_COMMAND_OPEN_WORLD, .buffer = buffer};
    rp_world_options_t unhashed = *options; // the authority's hash is the one that is told
    unhashed.cells_hash = NULL;
    unhashed.given = NULL; // it is the authority's
    command.with.world = &unhashed;
    const rp_fanout_t fanout = draft(self, &command);
    const rp_status_t status = fanout.lacks_memory
                                   ? RP_E_MEMORY
                                   : rp_host_open_placed(self->host.authority, options, world);
    if (status != RP_OK) {
        return status;
    }
    const uint32_t place = rp_id_place(*world);
    for (unsigned i = 0; i < fanout.count; i++) {
        fanout.commands[i]->subject = *world;
        self->proxies[i].progress[place] = (rp_progress_t){0};
        self->proxies[i].opened_at[place] = self->proxies[i].sent;
    }
    self->settled[place] = 0;
    rp_fanout_send(self, &fanout);
    return RP_OK;
}

static rp_status_t threaded_close_world(rp_host_t *host, rp_world_id_t world)
{
    rp_worker_pool_t *self = rp_worker_pool_of(host);
    const rp_command_t command = {.kind = RP_COMMAND_CLOSE_WORLD, .subject = world};
    const rp_fanout_t fanout = draft(self, &command);
    return conclude(self, &fanout,
                    fanout.lacks_memory ? RP_E_MEMORY
                                        : rp_engine_close_world(self->host.authority, world));
}

static rp_status_t threaded_apply(rp_host_t *host, rp_world_id_t world, const rp_edit_t *edit,
                                  rp_shared_buffer_t *buffer, rp_cause_t cause, uint64_t *version)
{
    rp_worker_pool_t *self = rp_worker_pool_of(host);
    rp_command_t command = {
        .kind = RP_COMMAND_APPLY, .subject = world, .buffer = buffer, .cause = cause};
    command.with.edit = edit;
    const rp_fanout_t fanout = draft(self, &command);
    return conclude(self, &fanout,
                    fanout.lacks_memory
                        ? RP_E_MEMORY
                        : rp_engine_apply(self->host.authority, world, edit, cause, version));
}

static rp_status_t threaded_overlay(rp_host_t *host, rp_world_id_t world,
                                    const rp_overlay_edit_t *edit, rp_cause_t cause,
                                    uint64_t *version)
{
    rp_worker_pool_t *self = rp_worker_pool_of(host);
    rp_command_t command = {.kind = RP_COMMAND_OVERLAY, .subject = world, .cause = cause};
    command.with.overlay = edit;
    const rp_fanout_t fanout = draft(self, &command);
    return conclude(self, &fanout,
                    fanout.lacks_memory
                        ? RP_E_MEMORY
                        : rp_engine_overlay(self->host.authority, world, edit, cause, version));
}

static bool threaded_expire(rp_host_t *host, rp_world_id_t world, uint64_t now_us, rp_cause_t cause,
                            uint64_t *version)
{
    rp_worker_pool_t *self = rp_worker_pool_of(host);
    rp_command_t command = {.kind = RP_COMMAND_EXPIRE, .subject = world, .cause = cause};
    command.with.until_us = now_us;
    if (rp_engine_next_us(self->host.authority) > now_us) {
        return false;
    }
    const rp_fanout_t fanout = draft(self, &command);
    const bool is_gone = !fanout.lacks_memory &&
                         rp_engine_expire(self->host.authority, world, now_us, cause, version);
    if (is_gone) {
        rp_fanout_send(self, &fanout);
    }
    return is_gone;
}

static rp_status_t threaded_resize(rp_host_t *host, rp_world_id_t world, const rp_window_t *window,
                                   rp_shared_buffer_t *buffer, rp_cause_t cause, uint64_t *version)
{
    rp_worker_pool_t *self = rp_worker_pool_of(host);
    rp_command_t command = {
        .kind = RP_COMMAND_RESIZE, .subject = world, .buffer = buffer, .cause = cause};
    command.with.window = *window;
    const rp_fanout_t fanout = draft(self, &command);
    return conclude(self, &fanout,
                    fanout.lacks_memory
                        ? RP_E_MEMORY
                        : rp_engine_resize(self->host.authority, world, window, cause, version));
}

static uint32_t threaded_layers(const rp_host_t *host, rp_world_id_t world)
{
    bool is_known;
    return rp_assignment_layers(&rp_worker_pool_at(host)->assignment, world, 0, &is_known);
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

static rp_progress_t threaded_progress(rp_host_t *host, rp_world_id_t world,
                                       rp_left_out_t *left_out)
{
    rp_worker_pool_t *self = rp_worker_pool_of(host);
    const uint32_t place = rp_id_place(world);
    rp_progress_t sum = {.settled = rp_engine_version(host->authority, world)};
    left_out->count = 0;
    for (unsigned i = 0; i < self->count; i++) {
        if (rp_assignment_serves(&self->assignment, world, i)) {
            rp_progress_add(&sum, &self->proxies[i].progress[place]);
            add_overdue(self, world, &self->proxies[i], left_out);
        }
    }
    // Who is given its first session may be behind; what was said up to now holds all the same.
    if (sum.settled > self->settled[place]) {
        self->settled[place] = sum.settled;
    }
    sum.settled = self->settled[place];
    return sum;
}

// ---- work

static void take_report(rp_worker_pool_t *self, rp_report_t *report)
{
    rp_worker_proxy_t *proxy = &self->proxies[report->worker];
    proxy->done = report->done;
    proxy->done_bytes = report->done_bytes;
    proxy->is_busy = report->is_busy;
    proxy->effort = report->effort;
    proxy->next_us = proxy->sent == proxy->done ? report->next_us : RP_NEVER_US;
    for (uint32_t place = 1; place <= RP_LIMIT_WORLDS; place++) {
        if (report->done > proxy->opened_at[place]) {
            proxy->progress[place] = report->progress[place];
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

static void take_reports(rp_worker_pool_t *self)
{
    rp_mailbox_link_t *all = rp_mailbox_take(&self->reports);
    while (all != NULL) {
        rp_report_t *report = (rp_report_t *)all;
        all = all->next;
        take_report(self, report);
        self->slices++;
    }
}

static bool threaded_step(rp_host_t *host, uint64_t now_us, uint64_t budget)
{
    rp_worker_pool_of(host)->now_us = now_us;
    take_reports(rp_worker_pool_of(host));
    rp_worker_pool_flush(host, now_us);
    return rp_engine_count(host->authority, budget); // nobody else wants the authority's hash
}

static uint64_t threaded_slices(const rp_host_t *host)
{
    return rp_worker_pool_at(host)->slices;
}

static rp_effort_t threaded_effort(const rp_host_t *host)
{
    const rp_worker_pool_t *self = rp_worker_pool_at(host);
    rp_effort_t sum = rp_engine_effort(host->authority);
    for (unsigned i = 0; i < self->count; i++) {
        const rp_effort_t *effort = &self->proxies[i].effort;
        sum.expanded += effort->expanded;
        sum.checked += effort->checked;
        sum.differed += effort->differed;
    }
    return sum;
}

static uint64_t threaded_next_us(const rp_host_t *host)
{
    const uint64_t shapes_us = rp_engine_next_us(host->authority); // the authority does not plan
    const uint64_t next_us = rp_worker_pool_next_us(rp_worker_pool_at(host));
    return shapes_us < next_us ? shapes_us : next_us;
}

static int threaded_descriptor(const rp_host_t *host)
{
    return rp_worker_pool_at(host)->reports.descriptor;
}

static uint64_t threaded_cpu_ns(const rp_host_t *host, unsigned worker)
{
    return rp_worker_cpu_ns(rp_worker_pool_at(host)->proxies[worker].worker);
}

// ---- birth and death

static void threaded_destroy(rp_host_t *host)
{
    rp_worker_pool_t *self = rp_worker_pool_of(host);
    rp_worker_pool_stop(self);
    if (self->count != 0) {
        take_reports(self);
    }
    rp_pending_queries_fini(self);
    rp_session_entries_fini(self);
    rp_worker_pool_fini(self);
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
            .judge_body = rp_session_entries_judge_body,
            .layers = threaded_layers,
            .progress = threaded_progress,
        },
    .sessions =
        {
            .open = rp_session_entries_open,
            .close = rp_session_entries_close,
            .pose = rp_session_entries_pose,
            .aim = rp_session_entries_aim,
            .retarget = rp_session_entries_retarget,
            .answer = rp_session_entries_answer,
            .last_published = rp_session_entries_last_published,
            .past = rp_session_entries_past,
            .look = rp_session_entries_look,
            .has_looked = rp_session_entries_has_looked,
            .hasten = rp_session_entries_hasten,
            .is_current = rp_session_entries_is_current,
            .next_answer = rp_session_entries_next_answer,
        },
    .queries =
        {
            .may_ask = rp_pending_queries_may_ask,
            .ask = rp_pending_queries_ask,
            .walk = rp_pending_queries_walk,
            .query_report = rp_pending_queries_report,
            .forget = rp_pending_queries_forget,
        },
    .work =
        {
            .step = threaded_step,
            .slices = threaded_slices,
            .effort = threaded_effort,
            .flush = rp_worker_pool_flush,
            .flush_settled = rp_worker_pool_flush_settled,
            .next_us = threaded_next_us,
            .descriptor = threaded_descriptor,
            .is_at_work = rp_worker_pool_is_at_work,
            .lags = rp_worker_pool_lags,
            .cpu_ns = threaded_cpu_ns,
        },
};

rp_status_t rp_threaded_host_new(unsigned count, uint64_t memory_bytes, rp_host_t **host)
{
    rp_worker_pool_t *self = calloc(1, sizeof *self);
    if (self == NULL || rp_host_init(&self->host, &threaded_ops, memory_bytes) != RP_OK) {
        free(self);
        return RP_E_MEMORY;
    }
    self->host.world_copies = count + 1u; // the authority has one, too
    self->host.layer_copies = count;
    if (!rp_pending_queries_init(self) ||
        rp_worker_pool_start(self, count, memory_bytes) != RP_OK) {
        threaded_destroy(&self->host);
        return RP_E_MEMORY;
    }
    *host = &self->host;
    return RP_OK;
}
