/// Worlds, batches and reports. Sessions stand in session_entries.c, questions in
/// pending_queries.c.
#include "daemon/workers/workers.h"

#include <stdlib.h>

#include "daemon/workers/workers_state.h"

/// A worker that plans is told the time at least this often.
#define TICK_US 10000u

// ---- commands

static rp_command_batch_t *batch_of(rp_worker_proxy_t *proxy)
{
    if (proxy->batch == NULL) {
        proxy->batch = rp_command_batch_new();
    }
    return proxy->batch;
}

void rp_fanout_add(rp_workers_t *self, rp_fanout_t *fanout, unsigned worker,
                   const rp_command_t *command)
{
    rp_command_batch_t *batch = batch_of(&self->proxies[worker]);
    rp_command_t *staged_edit = batch != NULL ? rp_command_batch_draft(batch, command) : NULL;
    fanout->lacks_memory = fanout->lacks_memory || staged_edit == NULL;
    fanout->workers[fanout->count] = worker;
    fanout->commands[fanout->count++] = staged_edit;
}

void rp_fanout_add_all(rp_workers_t *self, rp_fanout_t *fanout, const rp_command_t *command)
{
    for (unsigned i = 0; i < self->count; i++) {
        rp_fanout_add(self, fanout, i, command);
    }
}

void rp_fanout_send(rp_workers_t *self, const rp_fanout_t *fanout)
{
    for (unsigned i = 0; i < fanout->count; i++) {
        if (fanout->commands[i] != NULL) {
            rp_command_batch_add(self->proxies[fanout->workers[i]].batch, fanout->commands[i]);
        }
    }
}

static void give_batch(rp_workers_t *self, rp_worker_proxy_t *proxy, bool settles)
{
    rp_command_batch_t *batch = batch_of(proxy);
    if (batch == NULL) {
        return; // it is told the time later
    }
    batch->now_us = self->now_us;
    batch->settles = settles;
    proxy->batch = NULL;
    proxy->sent++;
    proxy->next_us = RP_NEVER_US; // its report will say
    proxy->tick_us = self->now_us;
    rp_worker_give(proxy->worker, batch);
}

static bool is_at_work(const rp_worker_proxy_t *proxy)
{
    return proxy->sent != proxy->done || proxy->is_busy;
}

void rp_workers_flush(rp_workers_t *self, uint64_t now_us)
{
    self->now_us = now_us;
    for (unsigned i = 0; i < self->count; i++) {
        rp_worker_proxy_t *proxy = &self->proxies[i];
        const bool has_commands = proxy->batch != NULL && proxy->batch->first != NULL;
        const bool is_tick_due = is_at_work(proxy) && proxy->tick_us + TICK_US <= now_us;
        if (has_commands || is_tick_due || proxy->next_us <= now_us) {
            give_batch(self, proxy, false);
        }
    }
}

void rp_workers_flush_settled(rp_workers_t *self, uint64_t now_us)
{
    self->now_us = now_us;
    for (unsigned i = 0; i < self->count; i++) {
        give_batch(self, &self->proxies[i], true);
    }
    while (self->count == 0 && rp_engine_step(self->ground, now_us, UINT64_MAX)) {
    }
}

// ---- reports

static void take_report(rp_workers_t *self, rp_report_t *report)
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
    while (report->told != NULL) {
        rp_answer_msg_t *told = report->told;
        report->told = told->next;
        rp_session_entry_take_answer(self, told);
    }
    while (report->found != NULL) {
        rp_query_report_t *found = report->found;
        report->found = found->next;
        rp_pending_queries_take_report(self, report->worker, found);
    }
    rp_report_destroy(&report);
}

static void take_reports(rp_workers_t *self)
{
    rp_mailbox_link_t *all = self->count != 0 ? rp_mailbox_take(&self->reports) : NULL;
    while (all != NULL) {
        rp_report_t *report = (rp_report_t *)all;
        all = all->next;
        take_report(self, report);
        self->slices++;
    }
}

uint64_t rp_workers_slices(const rp_workers_t *self)
{
    return self->slices;
}

bool rp_workers_step(rp_workers_t *self, uint64_t now_us, uint64_t budget)
{
    if (self->count == 0) {
        self->slices++;
        return rp_engine_step(self->ground, now_us, budget);
    }
    self->now_us = now_us;
    take_reports(self);
    rp_workers_flush(self, now_us);
    return rp_engine_count(self->ground, budget); // nobody else wants the ground's hash
}

bool rp_workers_idle(rp_workers_t *self, uint64_t budget)
{
    return rp_engine_idle(self->ground, budget);
}

rp_effort_t rp_workers_effort(const rp_workers_t *self)
{
    rp_effort_t sum = rp_engine_effort(self->ground);
    for (unsigned i = 0; i < self->count; i++) {
        const rp_effort_t *effort = &self->proxies[i].effort;
        sum.expanded += effort->expanded;
        sum.checked += effort->checked;
        sum.differed += effort->differed;
    }
    return sum;
}

uint64_t rp_workers_next_us(const rp_workers_t *self)
{
    uint64_t next_us = rp_engine_next_us(self->ground); // of shapes, when it does not plan itself
    for (unsigned i = 0; i < self->count; i++) {
        const rp_worker_proxy_t *proxy = &self->proxies[i];
        const uint64_t tick_us = is_at_work(proxy) ? proxy->tick_us + TICK_US : RP_NEVER_US;
        next_us = proxy->next_us < next_us ? proxy->next_us : next_us;
        next_us = tick_us < next_us ? tick_us : next_us;
    }
    return next_us;
}

bool rp_workers_are_at_work(const rp_workers_t *self)
{
    for (unsigned i = 0; i < self->count; i++) {
        if (is_at_work(&self->proxies[i])) {
            return true;
        }
    }
    return false;
}

// ---- worlds

rp_status_t rp_workers_open_world(rp_workers_t *self, const rp_world_options_t *options,
                                  rp_shared_buffer_t *buffer, rp_world_id_t *world)
{
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
    self->settled[*world] = 0;
    rp_fanout_send(self, &fanout);
    return RP_OK;
}

rp_status_t rp_workers_close_world(rp_workers_t *self, rp_world_id_t world)
{
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

rp_status_t rp_workers_apply(rp_workers_t *self, rp_world_id_t world, const rp_edit_t *edit,
                             rp_shared_buffer_t *buffer, rp_cause_t cause, uint64_t *version)
{
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

rp_status_t rp_workers_draft(rp_workers_t *self, rp_world_id_t world, const rp_staged_kind_t *what,
                             rp_staged_edit_t **staged_edit)
{
    return rp_engine_stage(self->ground, world, what, staged_edit);
}

rp_status_t rp_workers_overlay(rp_workers_t *self, rp_world_id_t world,
                               const rp_overlay_edit_t *edit, rp_cause_t cause, uint64_t *version)
{
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

bool rp_workers_expire(rp_workers_t *self, rp_world_id_t world, uint64_t now_us, rp_cause_t cause,
                       uint64_t *version)
{
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

rp_status_t rp_workers_resize(rp_workers_t *self, rp_world_id_t world, const rp_window_t *window,
                              rp_shared_buffer_t *buffer, rp_cause_t cause, uint64_t *version)
{
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

rp_status_t rp_workers_judge_body(const rp_workers_t *self, rp_world_id_t world,
                                  const rp_body_t *body)
{
    const rp_status_t status = rp_engine_judge_body(self->ground, world, body);
    if (self->count == 0 || status != RP_OK) {
        return status;
    }
    bool is_known;
    const rp_body_t point = {.profile = NULL};
    const uint64_t key = rp_engine_layer_key(self->ground, world, body);
    const uint32_t layers = rp_assignment_layers(&self->assignment, world, key, &is_known);
    is_known = is_known || key == rp_engine_layer_key(self->ground, world, &point);
    return is_known || layers < RP_LAYERS_MAX ? RP_OK : RP_E_LIMIT;
}

uint32_t rp_workers_layers(const rp_workers_t *self, rp_world_id_t world)
{
    bool is_known;
    return self->count == 0 ? rp_engine_layers(self->ground, world)
                            : rp_assignment_layers(&self->assignment, world, 0, &is_known);
}

/// Add those of a world who still sit where they sat when they were reported.
static void add_overdue(const rp_workers_t *self, rp_world_id_t world,
                        const rp_worker_proxy_t *proxy, rp_left_out_t *left_out)
{
    for (const rp_overdue_t *one = proxy->overdue; one != NULL; one = one->next) {
        const rp_session_entry_t *entry =
            one->world == world ? rp_session_entry_of(self, one->session) : NULL;
        if (entry != NULL && entry->number == one->entry) {
            left_out->sessions[left_out->count++] = one->session;
        }
    }
}

uint64_t rp_workers_settled(rp_workers_t *self, rp_world_id_t world, rp_left_out_t *left_out)
{
    left_out->count = 0;
    if (self->count == 0) {
        return rp_engine_settled_but(self->ground, world, RP_LIMIT_OVERDUE_MS * UINT64_C(1000),
                                     left_out->sessions, &left_out->count);
    }
    uint64_t settled = rp_engine_version(self->ground, world);
    for (unsigned i = 0; i < self->count; i++) {
        const uint64_t here = self->proxies[i].settled[world];
        if (rp_assignment_serves(&self->assignment, world, i)) {
            settled = here < settled ? here : settled;
            add_overdue(self, world, &self->proxies[i], left_out);
        }
    }
    // Who is given its first session may be behind; what was said up to now holds all the same.
    if (settled > self->settled[world]) {
        self->settled[world] = settled;
    }
    return self->settled[world];
}

// ---- birth and death

uint64_t rp_workers_cpu_ns(const rp_workers_t *self, unsigned worker)
{
    return rp_worker_cpu_ns(self->proxies[worker].worker);
}

const rp_engine_t *rp_workers_ground(const rp_workers_t *self)
{
    return self->ground;
}

int rp_workers_descriptor(const rp_workers_t *self)
{
    return self->count != 0 ? self->reports.descriptor : -1;
}

rp_status_t rp_workers_new(unsigned count, uint64_t memory_bytes, rp_workers_t **workers)
{
    rp_workers_t *self = calloc(1, sizeof *self);
    if (self == NULL || rp_engine_new(&self->ground) != RP_OK ||
        (count != 0 && !rp_mailbox_init(&self->reports, true))) {
        rp_workers_destroy(&self);
        return RP_E_MEMORY;
    }
    rp_engine_limit_memory(self->ground, memory_bytes);
    const uint64_t part =
        memory_bytes == UINT64_MAX || count == 0 ? memory_bytes : memory_bytes / count;
    for (unsigned i = 0; i < count; i++) {
        if (rp_worker_start(i, part, &self->reports, &self->proxies[i].worker) != RP_OK) {
            rp_workers_destroy(&self);
            return RP_E_MEMORY;
        }
        self->proxies[i].next_us = RP_NEVER_US;
        self->count++;
    }
    self->assignment.worker_count = count;
    *workers = self;
    return RP_OK;
}

void rp_workers_destroy(rp_workers_t **self)
{
    rp_workers_t *workers = *self;
    if (workers == NULL) {
        return;
    }
    for (unsigned i = 0; i < workers->count; i++) {
        rp_worker_stop(&workers->proxies[i].worker);
        rp_command_batch_destroy(&workers->proxies[i].batch);
    }
    take_reports(workers);
    for (unsigned i = 0; i < workers->count; i++) {
        rp_overdue_destroy(&workers->proxies[i].overdue);
    }
    rp_mailbox_fini(&workers->reports);
    rp_pending_queries_fini(workers);
    rp_session_entries_fini(workers);
    rp_assignment_fini(&workers->assignment);
    rp_engine_destroy(&workers->ground);
    free(workers);
    *self = NULL;
}
