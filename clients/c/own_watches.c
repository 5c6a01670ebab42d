/// Watches. One that resumes is asked for again after a break, a request at a time:
///
///     BROKEN --ListWorlds--> ASKS_WORLDS --AskWhy--> ASKS_AGENT --Watch--> ASKS_WATCH --> BOUND
///        ^                        |                  (each agent)              |
///        +---- RETRY_MS later ----+---- no such world: told once --------------+
///        +---- a question without a reply ends at its deadline
#include "own_watches.h"
#include "msgs/request.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Between a break and the first look for a daemon, between two, or for a world that is gone.
#define RETRY_MS 100

/// Ids of watches that resume: beyond the numbers that a daemon gives.
#define FIRST_ID (1u << 31)

rp_watch_place_t *rp_own_watches_find(rp_client_t *self, uint32_t id)
{
    for (size_t i = 0; i < RP_CLIENT_WATCHES; i++) {
        if (self->watches[i].id == id) {
            return &self->watches[i];
        }
    }
    return NULL;
}

rp_watch_place_t *rp_own_watches_by_number(rp_client_t *self, uint32_t number)
{
    for (size_t i = 0; i < RP_CLIENT_WATCHES; i++) {
        if (self->watches[i].id != 0 && self->watches[i].number == number) {
            return &self->watches[i];
        }
    }
    return NULL;
}

void rp_own_watches_drop(rp_client_t *self, rp_watch_place_t *watch)
{
    rp_paths_forget(&self->paths, watch->id);
    if (watch->body != NULL) {
        replan__v1__watch__free_unpacked(watch->body, NULL);
    }
    *watch = (rp_watch_place_t){0};
}

// ---- what the owner heard

void rp_own_watches_note(rp_watch_place_t *watch, uint64_t epoch, uint64_t version)
{
    if (epoch > watch->epoch || (epoch == watch->epoch && version > watch->version)) {
        watch->epoch = epoch;
        watch->version = version;
    }
}

void rp_own_watches_note_reply(rp_client_t *self, const Replan__V1__Reply *reply,
                               const rp_named_t *named)
{
    if (reply->body_case != REPLAN__V1__REPLY__BODY_APPLIED || named->by == NULL) {
        return;
    }
    for (size_t i = 0; i < RP_CLIENT_WATCHES; i++) {
        rp_watch_place_t *watch = &self->watches[i];
        // A reply of another epoch came after a break that the watch has yet to tell of.
        if (watch->body != NULL && strcmp(watch->body->world, named->by->world) == 0 &&
            (watch->epoch == 0 || watch->epoch == reply->applied->epoch)) {
            rp_own_watches_note(watch, reply->applied->epoch, reply->applied->version);
        }
    }
}

// ---- break

static void wait_to_ask(rp_watch_place_t *watch, int64_t retry_ms)
{
    watch->number = 0;
    watch->asked = 0;
    watch->stage = RP_WATCH_BROKEN;
    watch->retry_ms = retry_ms;
}

/// One that was on its way back keeps the time and the words of its first break.
static void break_watch(rp_watch_place_t *watch, bool is_repaired)
{
    if (watch->stage == RP_WATCH_BOUND) {
        watch->broke_ms = rp_line_now_ms();
        watch->is_repaired = is_repaired;
        watch->lost[0] = '\0';
    }
    watch->is_repaired = watch->is_repaired && is_repaired; // a break meanwhile is more than that
    wait_to_ask(watch, is_repaired ? 0 : rp_line_now_ms() + RETRY_MS);
}

void rp_own_watches_break(rp_client_t *self)
{
    for (size_t i = 0; i < RP_CLIENT_WATCHES; i++) {
        rp_watch_place_t *watch = &self->watches[i];
        if (watch->stage == RP_WATCH_BOUND && watch->line == self->line.breaks) {
            continue;
        }
        if (watch->body != NULL) {
            rp_paths_forget(&self->paths, watch->id);
            break_watch(watch, false);
        } else if (watch->id != 0) {
            rp_own_watches_drop(self, watch);
        }
    }
    rp_frame_queue_fini(&self->early);
}

/// The request keeps id 0, so that it is not replied to.
static void end_at_daemon(rp_client_t *self, uint32_t number)
{
    Replan__V1__Unwatch unwatch = REPLAN__V1__UNWATCH__INIT;
    rp_named_t named;
    unwatch.watch = number;
    Replan__V1__Request request = RP_REQUEST(UNWATCH, unwatch, &unwatch);
    (void)rp_caller_send(self, &request, false, &named);
}

void rp_own_watches_end_late(rp_client_t *self, const Replan__V1__Reply *reply)
{
    // A break that is not told yet: the number is of a daemon that has forgotten it.
    if (reply->body_case == REPLAN__V1__REPLY__BODY_WATCHING && reply->watching->watch != 0 &&
        !self->is_lost) {
        end_at_daemon(self, reply->watching->watch);
    }
}

void rp_own_watches_repair(rp_client_t *self, rp_watch_place_t *watch)
{
    end_at_daemon(self, watch->number);
    break_watch(watch, true);
}

// ---- asking again

/// @return false when it did not leave: it is tried again
static bool ask(rp_client_t *self, rp_watch_place_t *watch, Replan__V1__Request *request,
                rp_watch_stage_t stage)
{
    rp_named_t named;
    request->id = self->next_id++;
    if (rp_caller_send(self, request, false, &named) != RP_CLIENT_OK) {
        wait_to_ask(watch, rp_line_now_ms() + RETRY_MS);
        return false;
    }
    watch->asked = request->id;
    watch->line = self->sent_on;
    watch->stage = stage;
    watch->retry_ms = rp_line_now_ms() + request->deadline_ms + RP_CALLER_GRACE_MS;
    return true;
}

static void ask_for_watch(rp_client_t *self, rp_watch_place_t *watch)
{
    Replan__V1__Request request = RP_REQUEST(WATCH, watch, watch->body);
    (void)ask(self, watch, &request, RP_WATCH_ASKS_WATCH);
}

/// The next agent, or the watch when all were asked for.
static void ask_for_next(rp_client_t *self, rp_watch_place_t *watch)
{
    Replan__V1__AskWhy why = REPLAN__V1__ASK_WHY__INIT;
    if (watch->agent == watch->body->n_agents) {
        ask_for_watch(self, watch);
        return;
    }
    why.world = watch->body->world;
    why.agent = watch->body->agents[watch->agent];
    Replan__V1__Request request = RP_REQUEST(ASK_WHY, ask_why, &why);
    (void)ask(self, watch, &request, RP_WATCH_ASKS_AGENT);
}

void rp_own_watches_go_on(rp_client_t *self)
{
    for (size_t i = 0; i < RP_CLIENT_WATCHES; i++) {
        rp_watch_place_t *watch = &self->watches[i];
        if (watch->body == NULL || watch->stage != RP_WATCH_BROKEN ||
            watch->retry_ms > rp_line_now_ms()) {
            continue;
        }
        Replan__V1__ListWorlds list = REPLAN__V1__LIST_WORLDS__INIT;
        Replan__V1__Request request = RP_REQUEST(LIST_WORLDS, list_worlds, &list);
        watch->agent = 0;
        watch->missing[0] = '\0';
        (void)ask(self, watch, &request, RP_WATCH_ASKS_WORLDS);
    }
}

int64_t rp_own_watches_wake_ms(const rp_client_t *self)
{
    int64_t wake_ms = -1;
    for (size_t i = 0; i < RP_CLIENT_WATCHES; i++) {
        const rp_watch_place_t *watch = &self->watches[i];
        if (watch->body != NULL && watch->stage != RP_WATCH_BOUND &&
            (wake_ms < 0 || watch->retry_ms < wake_ms)) {
            wake_ms = watch->retry_ms;
        }
    }
    return wake_ms;
}

void rp_own_watches_expire(rp_client_t *self)
{
    for (size_t i = 0; i < RP_CLIENT_WATCHES; i++) {
        rp_watch_place_t *watch = &self->watches[i];
        if (watch->asked != 0 && watch->retry_ms <= rp_line_now_ms()) {
            wait_to_ask(watch, 0);
        }
    }
}

// ---- what comes back

static rp_watch_place_t *find_asked(rp_client_t *self, uint64_t id)
{
    for (size_t i = 0; i < RP_CLIENT_WATCHES; i++) {
        if (self->watches[i].asked != 0 && self->watches[i].asked == id) {
            return &self->watches[i];
        }
    }
    return NULL;
}

bool rp_own_watches_await(const rp_client_t *self, uint64_t id)
{
    for (size_t i = 0; i < RP_CLIENT_WATCHES; i++) {
        if (self->watches[i].asked != 0 && self->watches[i].asked == id) {
            return true;
        }
    }
    return false;
}

bool rp_own_watches_are_asked(const rp_client_t *self)
{
    for (size_t i = 0; i < RP_CLIENT_WATCHES; i++) {
        if (self->watches[i].stage == RP_WATCH_ASKS_WATCH) {
            return true;
        }
    }
    return false;
}

static void tell_gone(rp_watch_place_t *watch, rp_client_event_t *event)
{
    wait_to_ask(watch, rp_line_now_ms() + RETRY_MS);
    if (!watch->is_told_gone) {
        watch->is_told_gone = true;
        (void)snprintf(watch->lost, sizeof watch->lost,
                       "the line broke, and the daemon that is there now has no world \"%s\": its "
                       "cells and agents are lost; the watch waits for it",
                       watch->body->world);
        *event = (rp_client_event_t){.kind = RP_CLIENT_GONE, .watch = watch->id};
    }
}

/// What became of the versions that the owner heard of.
static void describe(const rp_watch_place_t *watch, char *words, size_t size)
{
    if (watch->is_told_gone && watch->epoch != watch->now_epoch) {
        (void)snprintf(words, size,
                       "its world was gone, and was made anew: what it was before is lost");
    } else if (watch->is_repaired) {
        (void)snprintf(words, size,
                       "its copy did not continue what the daemon told, and was sent anew");
    } else if (watch->epoch == 0 || watch->epoch == watch->now_epoch) {
        (void)snprintf(words, size,
                       "the daemon is the same, no change is lost; answers that newer ones "
                       "replaced are");
    } else if (watch->now_version < watch->version) {
        (void)snprintf(words, size,
                       "another epoch of the world began (%" PRIu64 ", now %" PRIu64
                       "); it is at version %" PRIu64 ", and was at %" PRIu64
                       ": the changes since are lost",
                       watch->epoch, watch->now_epoch, watch->now_version, watch->version);
    } else {
        (void)snprintf(words, size,
                       "the daemon was started again (epoch %" PRIu64 ", now %" PRIu64
                       "); no change up to version %" PRIu64
                       " is lost, answers of the old epoch are void",
                       watch->epoch, watch->now_epoch, watch->version);
    }
}

static void tell_resumed(rp_watch_place_t *watch, rp_client_event_t *event)
{
    char words[400];
    describe(watch, words, sizeof words);
    (void)snprintf(watch->lost, sizeof watch->lost,
                   "the watch of \"%s\" goes on after %.1f s: %s%s", watch->body->world,
                   (double)(rp_line_now_ms() - watch->broke_ms) / 1000.0, words, watch->missing);
    watch->is_told_gone = false;
    if (watch->epoch != watch->now_epoch || watch->version < watch->now_version) {
        watch->epoch = watch->now_epoch;
        watch->version = watch->now_version;
    }
    *event = (rp_client_event_t){.kind = RP_CLIENT_RESUMED, .watch = watch->id};
}

/// What came for this watch before its number was known comes first.
static void release_early(rp_client_t *self)
{
    zmq_msg_t frame;
    self->before_break += self->is_lost ? self->early.count : 0u;
    while (rp_frame_queue_take(&self->inbox, &frame)) {
        (void)rp_frame_queue_put(&self->early, &frame);
    }
    const rp_frame_queue_t empty = self->inbox;
    self->inbox = self->early;
    self->early = empty;
}

static void bind_again(rp_client_t *self, rp_watch_place_t *watch, uint32_t number,
                       rp_client_event_t *event)
{
    watch->number = number;
    watch->stage = RP_WATCH_BOUND;
    watch->spent = 0;
    release_early(self);
    tell_resumed(watch, event);
}

static void take_worlds(rp_client_t *self, rp_watch_place_t *watch, const Replan__V1__Reply *reply,
                        rp_client_event_t *event)
{
    for (size_t i = 0; i < reply->worlds->n_worlds; i++) {
        const Replan__V1__WorldInfo *info = reply->worlds->worlds[i];
        if (strcmp(info->world, watch->body->world) == 0 && info->head != NULL) {
            watch->now_epoch = info->head->epoch;
            watch->now_version = info->head->version;
            ask_for_next(self, watch);
            return;
        }
    }
    tell_gone(watch, event);
}

static void take_agent(rp_client_t *self, rp_watch_place_t *watch, const Replan__V1__Reply *reply)
{
    if (reply->status == REPLAN__V1__STATUS__UNKNOWN) {
        const size_t used = strlen(watch->missing);
        (void)snprintf(watch->missing + used, sizeof watch->missing - used, "%s%s",
                       used == 0 ? "; lost are the agents " : ", ",
                       watch->body->agents[watch->agent]);
    }
    watch->agent++;
    ask_for_next(self, watch);
}

bool rp_own_watches_take_reply(rp_client_t *self, const Replan__V1__Reply *reply,
                               rp_client_event_t *event)
{
    rp_watch_place_t *watch = find_asked(self, reply->id);
    if (watch == NULL) {
        return false;
    }
    const bool is_ok = reply->status == REPLAN__V1__STATUS__OK;
    const bool is_unknown = reply->status == REPLAN__V1__STATUS__UNKNOWN;
    watch->asked = 0;
    if (watch->stage == RP_WATCH_ASKS_WORLDS && is_ok &&
        reply->body_case == REPLAN__V1__REPLY__BODY_WORLDS) {
        take_worlds(self, watch, reply, event);
    } else if (watch->stage == RP_WATCH_ASKS_AGENT && (is_ok || is_unknown)) {
        take_agent(self, watch, reply);
    } else if (watch->stage == RP_WATCH_ASKS_WATCH && is_ok &&
               reply->body_case == REPLAN__V1__REPLY__BODY_WATCHING &&
               reply->watching->watch != 0) {
        bind_again(self, watch, reply->watching->watch, event);
    } else if (watch->stage == RP_WATCH_ASKS_WATCH && is_unknown) {
        tell_gone(watch, event);
    } else {
        wait_to_ask(watch, rp_line_now_ms() + RETRY_MS);
    }
    return true;
}

// ---- birth and end

static rp_watch_place_t *free_place(rp_client_t *self)
{
    rp_watch_place_t *place = rp_own_watches_find(self, 0);
    if (place == NULL) {
        (void)rp_caller_fail(self, RP_CLIENT_E_FULL, "%u watches are open", RP_CLIENT_WATCHES);
    }
    return place;
}

/// @param number  written: that the daemon gave it
static rp_client_status_t call_once(rp_client_t *self, Replan__V1__Watch *watch, uint32_t *number)
{
    Replan__V1__Request request = RP_REQUEST(WATCH, watch, watch);
    const Replan__V1__Reply *reply;
    const rp_client_status_t status = rp_client_call(self, &request, &reply);
    if (status != RP_CLIENT_OK) {
        return status;
    }
    if (reply->body_case != REPLAN__V1__REPLY__BODY_WATCHING || reply->watching->watch == 0) {
        return rp_caller_fail(self, RP_CLIENT_E_REFUSED, "the reply to a watch names no watch");
    }
    *number = reply->watching->watch;
    return RP_CLIENT_OK;
}

/// True when a watch of the line that is there has this number.
static bool is_ours(const rp_client_t *self, uint32_t number)
{
    for (size_t i = 0; i < RP_CLIENT_WATCHES; i++) {
        const rp_watch_place_t *watch = &self->watches[i];
        if (watch->id != 0 && watch->number == number && watch->line == self->line.breaks) {
            return true;
        }
    }
    return false;
}

/// When the line breaks while the reply is under way, nobody can tell whether it came before or
/// after that: the watch is asked for once more, and the one before ends if it is there.
/// @param number  written: that of a watch of the line that is there
static rp_client_status_t call_watch(rp_client_t *self, Replan__V1__Watch *watch, uint32_t *number)
{
    uint32_t before = 0;
    if (watch->credit == 0) {
        watch->credit = RP_CLIENT_CREDIT;
    }
    for (;;) {
        const rp_client_status_t status = call_once(self, watch, number);
        if (status != RP_CLIENT_OK) {
            return status;
        }
        if (before != 0 && before != *number && !is_ours(self, before)) {
            end_at_daemon(self, before);
        }
        if (!rp_caller_look(self) && self->line.breaks == self->sent_on) {
            return RP_CLIENT_OK;
        }
        before = *number;
    }
}

static void occupy(const rp_client_t *self, rp_watch_place_t *place, const Replan__V1__Watch *watch,
                   uint32_t id, uint32_t number)
{
    *place = (rp_watch_place_t){.id = id,
                                .number = number,
                                .credit = watch->credit,
                                .line = self->line.breaks,
                                .splices = watch->splices != 0};
}

rp_client_status_t rp_client_watch(rp_client_t *self, Replan__V1__Watch *watch, uint32_t *id)
{
    uint32_t number = 0;
    if (watch == NULL || id == NULL) {
        return rp_caller_refuse_null(self, watch == NULL ? "watch" : "id");
    }
    rp_watch_place_t *place = free_place(self);
    if (place == NULL) {
        return RP_CLIENT_E_FULL;
    }
    const rp_client_status_t status = call_watch(self, watch, &number);
    if (status == RP_CLIENT_OK) {
        occupy(self, place, watch, number, number);
        *id = number;
    }
    return status;
}

/// Nobody is followed by a mistyped name.
static rp_client_status_t find_agents(rp_client_t *self, const Replan__V1__Watch *watch)
{
    rp_client_status_t status = RP_CLIENT_OK;
    for (size_t i = 0; i < watch->n_agents && status == RP_CLIENT_OK; i++) {
        Replan__V1__AskWhy why = REPLAN__V1__ASK_WHY__INIT;
        why.world = watch->world;
        why.agent = watch->agents[i];
        Replan__V1__Request request = RP_REQUEST(ASK_WHY, ask_why, &why);
        status = rp_client_call(self, &request, NULL);
    }
    return status;
}

/// @return NULL without memory
static Replan__V1__Watch *copy_of(rp_client_t *self, const Replan__V1__Watch *watch)
{
    return rp_codec_pack(&self->packed, &watch->base)
               ? replan__v1__watch__unpack(NULL, self->packed.size, self->packed.bytes)
               : NULL;
}

rp_client_status_t rp_client_follow(rp_client_t *self, Replan__V1__Watch *watch,
                                    struct rp_mirror *mirror, uint32_t *id)
{
    uint32_t number = 0;
    if (watch == NULL || id == NULL) {
        return rp_caller_refuse_null(self, watch == NULL ? "watch" : "id");
    }
    rp_watch_place_t *place = free_place(self);
    if (place == NULL) {
        return RP_CLIENT_E_FULL;
    }
    rp_client_status_t status = find_agents(self, watch);
    status = status == RP_CLIENT_OK ? call_watch(self, watch, &number) : status;
    if (status != RP_CLIENT_OK) {
        return status;
    }
    Replan__V1__Watch *body = copy_of(self, watch);
    if (body == NULL) {
        end_at_daemon(self, number);
        return rp_caller_fail(self, RP_CLIENT_E_MEMORY, "no memory to keep the watch");
    }
    occupy(self, place, watch, FIRST_ID + self->resuming++ % FIRST_ID, number);
    place->body = body;
    place->mirror = mirror;
    *id = place->id;
    return RP_CLIENT_OK;
}

rp_client_status_t rp_client_unwatch(rp_client_t *self, uint32_t id)
{
    rp_watch_place_t *watch = id == 0 ? NULL : rp_own_watches_find(self, id);
    if (watch == NULL) {
        return rp_caller_fail(self, RP_CLIENT_E_INVALID, "this client has no watch %" PRIu32, id);
    }
    Replan__V1__Unwatch unwatch = REPLAN__V1__UNWATCH__INIT;
    unwatch.watch = watch->number;
    rp_own_watches_drop(self, watch);
    if (unwatch.watch == 0) {
        return RP_CLIENT_OK; // no daemon knows it
    }
    Replan__V1__Request request = RP_REQUEST(UNWATCH, unwatch, &unwatch);
    return rp_client_call(self, &request, NULL);
}

const char *rp_client_lost(const rp_client_t *self, uint32_t id)
{
    for (size_t i = 0; i < RP_CLIENT_WATCHES && id != 0; i++) {
        if (self->watches[i].id == id) {
            return self->watches[i].lost;
        }
    }
    return "";
}
