/// Parts of queries: who gets which, and how their reports become one.
#include "daemon/workers/pending_queries.h"

#include <stdlib.h>

#include "daemon/workers/session_entries.h"

static rp_pending_query_t *find(const rp_worker_pool_t *self, rp_query_id_t id)
{
    for (size_t i = 0; id != 0 && i < RP_QUERIES_MAX; i++) {
        if (self->queries[i].id == id) {
            return &self->queries[i];
        }
    }
    return NULL;
}

/// @return NULL when too many are open
static rp_pending_query_t *begin(rp_worker_pool_t *self)
{
    for (size_t i = 0; i < RP_QUERIES_MAX; i++) {
        if (self->queries[i].id == 0) {
            self->queries[i] = (rp_pending_query_t){.id = ++self->last_query};
            return &self->queries[i];
        }
    }
    return NULL;
}

static void end(rp_pending_query_t *pending)
{
    rp_query_report_destroy(&pending->report);
    free(pending->owners);
    *pending = (rp_pending_query_t){.id = 0};
}

/// A status instead of an answer, or an answer.
static rp_status_t conclude(rp_pending_query_t *pending, rp_status_t status, rp_query_id_t *query)
{
    if (status == RP_OK) {
        *query = pending->id;
    } else {
        end(pending);
    }
    return status;
}

// ---- probes in parts

/// The worker of each session, planned for if it was not.
/// @return RP_E_UNKNOWN, RP_E_MEMORY
static rp_status_t find_owners(rp_worker_pool_t *self, rp_pending_query_t *pending,
                               rp_world_id_t world, const rp_question_t *question)
{
    pending->owners = calloc(question->session_count + 1u, 1);
    pending->session_count = question->session_count;
    if (pending->owners == NULL) {
        return RP_E_MEMORY;
    }
    for (size_t i = 0; i < question->session_count; i++) {
        rp_session_entry_t *entry = rp_session_entries_find(self, question->sessions[i]);
        if (entry == NULL || entry->world != world) {
            return RP_E_UNKNOWN;
        }
        if (rp_session_entries_settle(self, entry) != RP_OK) {
            return RP_E_MEMORY;
        }
        pending->owners[i] = (uint8_t)entry->group->worker;
    }
    pending->pair_owner =
        question->session_count != 0 ? pending->owners[0] : (unsigned)(pending->id % self->count);
    return RP_OK;
}

/// The part of one worker. @param sessions  room for them [session_count]
static rp_question_t part_of(const rp_pending_query_t *pending, const rp_question_t *question,
                             unsigned worker, rp_session_id_t *sessions)
{
    rp_question_t part = *question;
    part.sessions = sessions;
    part.session_count = 0;
    for (size_t i = 0; i < question->session_count; i++) {
        if (pending->owners[i] == worker) {
            sessions[part.session_count++] = question->sessions[i];
        }
    }
    if (worker != pending->pair_owner) {
        part.from_count = 0;
        part.to_count = 0;
    }
    return part;
}

/// Room for all that the parts will bring.
static rp_status_t make_room(rp_pending_query_t *pending, const rp_question_t *question)
{
    const size_t count = question->session_count + question->from_count;
    pending->report = rp_query_report_new(pending->id, RP_OK);
    if (pending->report == NULL) {
        return RP_E_MEMORY;
    }
    pending->report->result.count = count;
    pending->report->result.costs = calloc(count + 1u, sizeof(double));
    pending->report->result.after = calloc(count + 1u, sizeof(double));
    pending->report->result.outcomes = calloc(count + 1u, 2u);
    return pending->report->result.costs != NULL && pending->report->result.after != NULL &&
                   pending->report->result.outcomes != NULL
               ? RP_OK
               : RP_E_MEMORY;
}

static void take_value(rp_pending_query_t *pending, const rp_query_report_t *part, size_t to,
                       size_t from)
{
    rp_query_result_t *whole = &pending->report->result;
    if (from < part->result.count) {
        whole->costs[to] = part->result.costs[from];
        whole->after[to] = part->result.after[from];
        whole->outcomes[to] = part->result.outcomes[from];
        whole->outcomes[whole->count + to] = part->result.outcomes[part->result.count + from];
    }
}

static void take_part(rp_pending_query_t *pending, unsigned worker, const rp_query_report_t *part)
{
    size_t from = 0;
    if (part->status != RP_OK) {
        pending->report->status = part->status;
        return;
    }
    pending->report->result.version = part->result.version;
    for (size_t i = 0; i < pending->session_count; i++) {
        if (pending->owners[i] == worker) {
            take_value(pending, part, i, from++);
        }
    }
    for (size_t to = pending->session_count;
         worker == pending->pair_owner && to < pending->report->result.count; to++) {
        take_value(pending, part, to, from++);
    }
}

void rp_pending_queries_take_report(rp_worker_pool_t *self, unsigned worker,
                                    rp_query_report_t *report)
{
    rp_pending_query_t *pending = find(self, report->query);
    if (pending != NULL && pending->report != NULL) {
        take_part(pending, worker, report);
    } else if (pending != NULL) {
        pending->report = report;
        report = NULL;
    }
    if (pending != NULL) {
        pending->parts_left--;
    }
    rp_query_report_destroy(&report);
}

// ---- asking

static bool has_part(const rp_pending_query_t *pending, const rp_question_t *part, unsigned worker)
{
    return part->session_count != 0 || worker == pending->pair_owner;
}

static rp_status_t ask_workers(rp_worker_pool_t *self, rp_pending_query_t *pending,
                               rp_world_id_t world, const rp_question_t *question)
{
    rp_session_id_t *sessions = calloc(question->session_count + 1u, sizeof(rp_session_id_t));
    rp_fanout_t fanout = {.count = 0};
    rp_status_t status =
        sessions != NULL ? find_owners(self, pending, world, question) : RP_E_MEMORY;
    for (unsigned i = 0; i < self->count && status == RP_OK; i++) {
        const rp_question_t part = part_of(pending, question, i, sessions);
        rp_command_t command = {.kind = RP_COMMAND_ASK, .subject = pending->id};
        command.with.ask.question = &part;
        command.with.ask.world = world;
        if (has_part(pending, &part, i)) {
            rp_fanout_add(self, &fanout, i, &command);
        }
    }
    if (status == RP_OK && fanout.count > 1) {
        status = make_room(pending, question);
    }
    free(sessions);
    if (status != RP_OK || fanout.lacks_memory) {
        return status != RP_OK ? status : RP_E_MEMORY;
    }
    pending->parts_left = fanout.count;
    rp_fanout_send(self, &fanout);
    return RP_OK;
}

rp_status_t rp_pending_queries_ask(rp_host_t *host, rp_world_id_t world,
                                   const rp_question_t *question, rp_query_id_t *query)
{
    rp_worker_pool_t *self = rp_worker_pool_of(host);
    rp_pending_query_t *pending = begin(self);
    if (pending == NULL) {
        return RP_E_LIMIT;
    }
    return conclude(pending, ask_workers(self, pending, world, question), query);
}

bool rp_pending_queries_may_ask(const rp_host_t *host)
{
    const rp_worker_pool_t *self = rp_worker_pool_at(host);
    bool may_ask = false;
    for (size_t i = 0; i < RP_QUERIES_MAX; i++) {
        may_ask = may_ask || self->queries[i].id == 0;
    }
    return may_ask;
}

static rp_status_t ask_walk(rp_worker_pool_t *self, rp_pending_query_t *pending,
                            const rp_route_t *route)
{
    rp_session_entry_t *entry = rp_session_entries_find(self, route->session);
    rp_fanout_t fanout = {.count = 0};
    rp_command_t command = {.kind = RP_COMMAND_WALK, .subject = pending->id};
    command.with.walk = route;
    if (entry == NULL) {
        return RP_E_UNKNOWN;
    }
    if (rp_session_entries_settle(self, entry) != RP_OK) {
        return RP_E_MEMORY;
    }
    rp_fanout_add(self, &fanout, entry->group->worker, &command);
    pending->parts_left = 1;
    rp_fanout_send(self, &fanout);
    return fanout.lacks_memory ? RP_E_MEMORY : RP_OK;
}

rp_status_t rp_pending_queries_walk(rp_host_t *host, const rp_route_t *route, rp_query_id_t *query)
{
    rp_worker_pool_t *self = rp_worker_pool_of(host);
    rp_pending_query_t *pending = begin(self);
    if (pending == NULL) {
        return RP_E_LIMIT;
    }
    return conclude(pending, ask_walk(self, pending, route), query);
}

const rp_query_report_t *rp_pending_queries_report(rp_host_t *host, rp_query_id_t query)
{
    const rp_worker_pool_t *self = rp_worker_pool_of(host);
    const rp_pending_query_t *pending = find(self, query);
    return pending != NULL && pending->parts_left == 0 ? pending->report : NULL;
}

void rp_pending_queries_forget(rp_host_t *host, rp_query_id_t query)
{
    rp_worker_pool_t *self = rp_worker_pool_of(host);
    rp_pending_query_t *pending = find(self, query);
    rp_fanout_t fanout = {.count = 0};
    if (pending == NULL) {
        return;
    }
    if (pending->parts_left != 0) {
        rp_fanout_add_all(self, &fanout,
                          &(rp_command_t){.kind = RP_COMMAND_FORGET, .subject = query});
        rp_fanout_send(self, &fanout);
    }
    end(pending);
}

// ---- birth and death

bool rp_pending_queries_init(rp_worker_pool_t *self)
{
    self->queries = calloc(RP_QUERIES_MAX, sizeof *self->queries);
    return self->queries != NULL;
}

void rp_pending_queries_fini(rp_worker_pool_t *self)
{
    for (size_t i = 0; self->queries != NULL && i < RP_QUERIES_MAX; i++) {
        end(&self->queries[i]);
    }
    free(self->queries);
}
