/// Questions: each goes to the worker that plans for the session it is about, a probe of many
/// sessions in parts, one for each worker that plans for some of them.
#include "daemon/workers/workers.h"

#include <stdlib.h>
#include <string.h>

#include "daemon/workers/workers_state.h"

static rp_pending_query_t *find(rp_workers_t *self, rp_query_id_t id)
{
    for (size_t i = 0; id != 0 && i < RP_QUERIES_MAX; i++) {
        if (self->asked[i].id == id) {
            return &self->asked[i];
        }
    }
    return NULL;
}

/// @return NULL when too many are open
static rp_pending_query_t *begin(rp_workers_t *self)
{
    for (size_t i = 0; i < RP_QUERIES_MAX; i++) {
        if (self->asked[i].id == 0) {
            self->last_ask += self->last_ask == UINT32_MAX ? 2u : 1u;
            self->asked[i] = (rp_pending_query_t){.id = self->last_ask};
            return &self->asked[i];
        }
    }
    return NULL;
}

static void end(rp_pending_query_t *asked)
{
    rp_query_report_destroy(&asked->found);
    free(asked->owners);
    *asked = (rp_pending_query_t){.id = 0};
}

/// A status instead of an answer, or an answer.
static rp_status_t conclude(rp_pending_query_t *asked, rp_status_t status, rp_query_id_t *ask)
{
    if (status == RP_OK) {
        *ask = asked->id;
    } else {
        end(asked);
    }
    return status;
}

// ---- probes in parts

/// The worker of each session, seated if it was not.
/// @return RP_E_UNKNOWN, RP_E_MEMORY
static rp_status_t find_owners(rp_workers_t *self, rp_pending_query_t *asked, rp_world_id_t world,
                               const rp_question_t *question)
{
    asked->owners = calloc(question->session_count + 1u, 1);
    asked->session_count = question->session_count;
    if (asked->owners == NULL) {
        return RP_E_MEMORY;
    }
    for (size_t i = 0; i < question->session_count; i++) {
        rp_session_entry_t *entry = rp_session_entry_of(self, question->sessions[i]);
        if (entry == NULL || entry->world != world) {
            return RP_E_UNKNOWN;
        }
        if (rp_session_entry_settle(self, entry) != RP_OK) {
            return RP_E_MEMORY;
        }
        asked->owners[i] = (uint8_t)entry->group->worker;
    }
    asked->pair_owner = question->session_count != 0 ? asked->owners[0] : asked->id % self->count;
    return RP_OK;
}

/// The part of one worker. @param sessions  room for them [session_count]
static rp_question_t part_of(const rp_pending_query_t *asked, const rp_question_t *question,
                             unsigned worker, rp_session_id_t *sessions)
{
    rp_question_t part = *question;
    part.sessions = sessions;
    part.session_count = 0;
    for (size_t i = 0; i < question->session_count; i++) {
        if (asked->owners[i] == worker) {
            sessions[part.session_count++] = question->sessions[i];
        }
    }
    if (worker != asked->pair_owner) {
        part.from_count = 0;
        part.to_count = 0;
    }
    return part;
}

/// Room for all that the parts will bring.
static rp_status_t make_room(rp_pending_query_t *asked, const rp_question_t *question)
{
    const size_t count = question->session_count + question->from_count;
    asked->found = rp_query_report_new(asked->id, RP_OK);
    if (asked->found == NULL) {
        return RP_E_MEMORY;
    }
    asked->found->finding.count = count;
    asked->found->finding.costs = calloc(count + 1u, sizeof(double));
    asked->found->finding.after = calloc(count + 1u, sizeof(double));
    return asked->found->finding.costs != NULL && asked->found->finding.after != NULL ? RP_OK
                                                                                      : RP_E_MEMORY;
}

static void take_value(rp_pending_query_t *asked, const rp_query_report_t *part, size_t to,
                       size_t from)
{
    if (from < part->finding.count) {
        asked->found->finding.costs[to] = part->finding.costs[from];
        asked->found->finding.after[to] = part->finding.after[from];
    }
}

static void take_part(rp_pending_query_t *asked, unsigned worker, const rp_query_report_t *part)
{
    size_t from = 0;
    if (part->status != RP_OK) {
        asked->found->status = part->status;
        return;
    }
    asked->found->finding.version = part->finding.version;
    for (size_t i = 0; i < asked->session_count; i++) {
        if (asked->owners[i] == worker) {
            take_value(asked, part, i, from++);
        }
    }
    for (size_t to = asked->session_count;
         worker == asked->pair_owner && to < asked->found->finding.count; to++) {
        take_value(asked, part, to, from++);
    }
}

void rp_pending_queries_take_report(rp_workers_t *self, unsigned worker, rp_query_report_t *found)
{
    rp_pending_query_t *asked = find(self, found->ask);
    if (asked != NULL && asked->found != NULL) {
        take_part(asked, worker, found);
    } else if (asked != NULL) {
        asked->found = found;
        found = NULL;
    }
    if (asked != NULL) {
        asked->parts_left--;
    }
    rp_query_report_destroy(&found);
}

// ---- asking

static bool has_part(const rp_pending_query_t *asked, const rp_question_t *part, unsigned worker)
{
    return part->session_count != 0 || worker == asked->pair_owner;
}

static rp_status_t ask_workers(rp_workers_t *self, rp_pending_query_t *asked, rp_world_id_t world,
                               const rp_question_t *question)
{
    rp_session_id_t *sessions = calloc(question->session_count + 1u, sizeof(rp_session_id_t));
    rp_fanout_t fanout = {.count = 0};
    rp_status_t status = sessions != NULL ? find_owners(self, asked, world, question) : RP_E_MEMORY;
    for (unsigned i = 0; i < self->count && status == RP_OK; i++) {
        const rp_question_t part = part_of(asked, question, i, sessions);
        rp_command_t command = {.kind = RP_COMMAND_ASK, .subject = asked->id};
        command.with.ask.question = &part;
        command.with.ask.world = world;
        if (has_part(asked, &part, i)) {
            rp_fanout_add(self, &fanout, i, &command);
        }
    }
    if (status == RP_OK && fanout.count > 1) {
        status = make_room(asked, question);
    }
    free(sessions);
    if (status != RP_OK || fanout.lacks_memory) {
        return status != RP_OK ? status : RP_E_MEMORY;
    }
    asked->parts_left = fanout.count;
    rp_fanout_send(self, &fanout);
    return RP_OK;
}

rp_status_t rp_workers_ask(rp_workers_t *self, rp_world_id_t world, const rp_question_t *question,
                           rp_query_id_t *ask)
{
    rp_pending_query_t *asked = begin(self);
    if (asked == NULL) {
        return RP_E_LIMIT;
    }
    const rp_status_t status =
        self->count == 0 ? rp_engine_start_query(self->ground, world, question, &asked->local)
                         : ask_workers(self, asked, world, question);
    return conclude(asked, status, ask);
}

bool rp_workers_may_ask(const rp_workers_t *self)
{
    bool may_ask = false;
    for (size_t i = 0; i < RP_QUERIES_MAX; i++) {
        may_ask = may_ask || self->asked[i].id == 0;
    }
    return may_ask;
}

/// Without workers a walk is over at once.
static rp_status_t walk_here(rp_workers_t *self, rp_pending_query_t *asked, const rp_route_t *walk)
{
    rp_answer_t answer;
    if (rp_engine_answer(self->ground, walk->session, &answer) != RP_OK) {
        return RP_E_UNKNOWN;
    }
    asked->found = rp_query_report_new(asked->id, RP_OK);
    if (asked->found == NULL) {
        return RP_E_MEMORY;
    }
    rp_query_report_t *found = asked->found;
    const size_t most = walk->step_count + walk->way_count + 3u;
    found->offenders = calloc(most, sizeof *found->offenders);
    found->finding.costs = calloc(1, sizeof *found->finding.costs);
    if (found->offenders == NULL || found->finding.costs == NULL) {
        return RP_E_MEMORY;
    }
    rp_query_report_walk(found, self->ground, walk->session, walk);
    return RP_OK;
}

static rp_status_t walk_there(rp_workers_t *self, rp_pending_query_t *asked, const rp_route_t *walk)
{
    rp_session_entry_t *entry = rp_session_entry_of(self, walk->session);
    rp_fanout_t fanout = {.count = 0};
    rp_command_t command = {.kind = RP_COMMAND_WALK, .subject = asked->id};
    command.with.walk = walk;
    if (entry == NULL) {
        return RP_E_UNKNOWN;
    }
    if (rp_session_entry_settle(self, entry) != RP_OK) {
        return RP_E_MEMORY;
    }
    rp_fanout_add(self, &fanout, entry->group->worker, &command);
    asked->parts_left = 1;
    rp_fanout_send(self, &fanout);
    return fanout.lacks_memory ? RP_E_MEMORY : RP_OK;
}

rp_status_t rp_workers_walk(rp_workers_t *self, const rp_route_t *walk, rp_query_id_t *ask)
{
    rp_pending_query_t *asked = begin(self);
    if (asked == NULL) {
        return RP_E_LIMIT;
    }
    const rp_status_t status =
        self->count == 0 ? walk_here(self, asked, walk) : walk_there(self, asked, walk);
    return conclude(asked, status, ask);
}

const rp_query_report_t *rp_workers_query_report(rp_workers_t *self, rp_query_id_t ask)
{
    rp_pending_query_t *asked = find(self, ask);
    if (asked == NULL) {
        return NULL;
    }
    if (asked->local == 0) {
        return asked->parts_left == 0 ? asked->found : NULL;
    }
    const rp_query_result_t *finding = rp_engine_query_result(self->ground, asked->local);
    if (finding == NULL) {
        return NULL;
    }
    asked->lent = (rp_query_report_t){.ask = ask, .finding = *finding};
    return &asked->lent;
}

void rp_workers_forget(rp_workers_t *self, rp_query_id_t ask)
{
    rp_pending_query_t *asked = find(self, ask);
    rp_fanout_t fanout = {.count = 0};
    if (asked == NULL) {
        return;
    }
    if (asked->local != 0) {
        rp_engine_forget(self->ground, asked->local);
    } else if (asked->parts_left != 0) {
        rp_fanout_add_all(self, &fanout,
                          &(rp_command_t){.kind = RP_COMMAND_FORGET, .subject = ask});
        rp_fanout_send(self, &fanout);
    }
    end(asked);
}

void rp_pending_queries_fini(rp_workers_t *self)
{
    for (size_t i = 0; i < RP_QUERIES_MAX; i++) {
        end(&self->asked[i]);
    }
}
