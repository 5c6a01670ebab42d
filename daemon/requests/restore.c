/// Records of a state, handled again for nobody.
#include "daemon/requests/restore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "daemon/process/log.h"
#include "daemon/requests/handlers/handle_overlay.h"
#include "daemon/requests/request_table.h"
#include "daemon/requests/salvage.h"
#include "daemon/requests/topics.h"
#include "daemon/rules/changes.h"
#include "daemon/rules/leases.h"
#include "daemon/rules/state.h"
#include "daemon/rules/world_quota.h"
#include "store/reassembly.h"

/// Worlds opened in the same microsecond have epochs beyond it: at most so far.
#define EPOCH_MARGIN 1000u

/// What restoring has come to.
typedef struct restoring {
    rp_intake_t *intake;
    rp_now_t now;       ///< when it began
    uint64_t newest_us; ///< wall clock of the newest record
    bool is_salvaging;
    rp_salvage_t salvage;
    char *error; ///< borrowed [room]: why a request was refused
    size_t room;
    rp_kept_windows_t kept; ///< of the world that the next request creates
    rp_reassembly_t long_ones;
    rp_session_id_t *holes; ///< sessions that hold a free handle of 32 bits, owned [hole_capacity]
    size_t hole_count;
    size_t hole_capacity;
} restoring_t;

/// Handles of 32 bits, which states hold that were written before handles had 64, are places of
/// sessions. Take one that was free, so that the next agent gets its own.
static bool open_hole(restoring_t *self)
{
    rp_serving_t *serving = self->intake->serving;
    const rp_session_options_t options = {.planner = serving->default_planner, .is_judged = true};
    return serving->worlds.by_name != NULL &&
           rp_array_reserve(&self->holes, &self->hole_capacity, self->hole_count + 1u,
                            sizeof *self->holes) &&
           rp_host_open(serving->host, serving->worlds.by_name->id, &options,
                        &self->holes[self->hole_count]) == RP_OK &&
           ++self->hole_count != 0;
}

static void close_holes(restoring_t *self)
{
    for (size_t i = 0; i < self->hole_count; i++) {
        (void)rp_host_close(self->intake->serving->host, self->holes[i]);
    }
    self->hole_count = 0;
}

/// Name agents by the handles that they have now. @return false without memory
static bool translate(rp_serving_t *serving, uint32_t **handles32, size_t *count32,
                      uint64_t **handles, size_t *count)
{
    if (*count32 == 0) {
        return true;
    }
    *handles = rp_message_arena_take(&serving->arena, *count32 * sizeof **handles);
    for (size_t i = 0; *handles != NULL && i < *count32; i++) {
        const rp_agent_t *agent = rp_worlds_agent_at(&serving->worlds, (*handles32)[i]);
        (*handles)[i] = agent != NULL ? agent->handle : 0u;
    }
    *count = *handles != NULL ? *count32 : 0u;
    *count32 = 0;
    return *handles != NULL;
}

static bool translate_handles(rp_serving_t *serving, const Replan__V1__Request *request)
{
    Replan__V1__Poses *poses = request->set_poses;
    Replan__V1__Order *order = request->order;
    switch (request->body_case) {
    case REPLAN__V1__REQUEST__BODY_SET_POSES:
        return translate(serving, &poses->handles32, &poses->n_handles32, &poses->handles,
                         &poses->n_handles);
    case REPLAN__V1__REQUEST__BODY_ORDER:
        return translate(serving, &order->handles32, &order->n_handles32, &order->handles,
                         &order->n_handles);
    default:
        return true;
    }
}

/// The daemon's clock, as long ago as the record is old: what lasts for some time began then.
static rp_now_t then(const restoring_t *self, uint64_t wall_us)
{
    const uint64_t age_us = self->now.wall_us > wall_us ? self->now.wall_us - wall_us : 0;
    const uint64_t steady_us = self->now.steady_us;
    return (rp_now_t){steady_us > age_us ? steady_us - age_us : 0, wall_us};
}

/// @return of the arena; NULL when it is none that is kept
static const Replan__V1__Request *unpack(rp_serving_t *serving, const rp_record_t *record)
{
    rp_message_arena_reset(&serving->arena);
    const Replan__V1__Request *request = (const Replan__V1__Request *)rp_codec_unpack(
        &serving->arena, &replan__v1__request__descriptor, record->bytes, record->size);
    return request != NULL && rp_request_table_find(request)->is_persisted ? request : NULL;
}

static bool refuse(restoring_t *self, const rp_record_t *record, const char *sentence)
{
    (void)snprintf(self->error, self->room,
                   "state: record %llu was accepted once, and is refused now: %s",
                   (unsigned long long)record->number, sentence);
    return false;
}

/// Handle it again, for nobody.
static bool tell_again(restoring_t *self, const rp_record_t *record)
{
    rp_serving_t *serving = self->intake->serving;
    const Replan__V1__Request *request = unpack(serving, record);
    rp_call_t call = {.serving = serving, .request = request};
    replan__v1__reply__init(&call.reply);
    if (request == NULL || !translate_handles(serving, request)) {
        return refuse(self, record, "it cannot be read");
    }
    serving->now = then(self, record->wall_us);
    rp_expire_shapes(serving);
    if (rp_check_request(request, &call.refusal)) {
        (void)rp_request_table_handle(&call);
    }
    if (self->is_salvaging) {
        rp_salvage_note(&self->salvage, request, record->is_of_base, serving->worlds.first_version);
    }
    return call.refusal.status == REPLAN__V1__STATUS__OK ||
           refuse(self, record, call.refusal.sentence);
}

/// Something long was published, and taken.
static bool tell_published(restoring_t *self, const rp_record_t *record, const rp_record_t *whole)
{
    rp_serving_t *serving = self->intake->serving;
    const uint64_t refused = serving->stats.changes_refused;
    serving->now = then(self, record->wall_us);
    rp_expire_shapes(serving);
    rp_topics_change(self->intake, record->bytes, record->size, whole->bytes, whole->size);
    return serving->stats.changes_refused == refused ||
           refuse(self, record, "a change that was published");
}

static bool take_number(restoring_t *self, const rp_record_t *record)
{
    rp_worlds_t *worlds = &self->intake->serving->worlds;
    uint64_t number;
    if (record->size != sizeof number) {
        return refuse(self, record, "it is no number");
    }
    memcpy(&number, record->bytes, sizeof number);
    if (record->kind == RP_RECORD_VERSION) {
        worlds->first_version = number;
    } else {
        rp_handles_want(&worlds->handles, number);
    }
    return true;
}

/// The epoch of a world is over; its windows are known by it for as long as they are kept.
static void begin_epoch(rp_serving_t *serving, rp_served_t *world, uint64_t epoch)
{
    rp_epochs_add(&world->epochs, world->epoch,
                  rp_engine_window(serving->engine, world->id, 0)->number);
    world->epoch = epoch;
    if (epoch > serving->worlds.last_epoch) {
        serving->worlds.last_epoch = epoch;
    }
}

/// A world had another epoch from here on.
static bool take_epoch(restoring_t *self, const rp_record_t *record)
{
    char name[RP_LIMIT_NAME + 1u] = "";
    uint64_t epoch;
    if (record->size <= sizeof epoch || record->size > sizeof epoch + RP_LIMIT_NAME) {
        return refuse(self, record, "it is no epoch of a world");
    }
    memcpy(&epoch, record->bytes, sizeof epoch);
    memcpy(name, record->bytes + sizeof epoch, record->size - sizeof epoch);
    rp_served_t *world = rp_worlds_find(&self->intake->serving->worlds, name);
    if (world != NULL && world->epoch != epoch) {
        begin_epoch(self->intake->serving, world, epoch);
    }
    return true;
}

/// A published change was lost.
static bool take_lost(restoring_t *self, const rp_record_t *record)
{
    rp_serving_t *serving = self->intake->serving;
    rp_message_arena_reset(&serving->arena);
    const Replan__V1__Change *change = (const Replan__V1__Change *)rp_codec_unpack(
        &serving->arena, &replan__v1__change__descriptor, record->bytes, record->size);
    if (change == NULL || strlen(change->publisher) > RP_LIMIT_NAME) {
        return refuse(self, record, "it tells of no change");
    }
    (void)rp_changes_lose(serving, change);
    return true;
}

static bool take_windows(restoring_t *self, const rp_record_t *record)
{
    if (!rp_windows_recall(record->bytes, record->size, &self->kept)) {
        return refuse(self, record, "these are no windows");
    }
    self->intake->serving->worlds.first_windows = &self->kept;
    return true;
}

/// @param whole  the record, or all that it ends
static bool tell(restoring_t *self, const rp_record_t *record, const rp_record_t *whole)
{
    rp_worlds_t *worlds = &self->intake->serving->worlds;
    bool is_taken;
    switch (record->kind) {
    case RP_RECORD_REQUEST:
        is_taken = tell_again(self, record);
        worlds->first_version = 0;
        worlds->first_windows = NULL;
        rp_handles_want(&worlds->handles, 0);
        return is_taken;
    case RP_RECORD_VERSION:
    case RP_RECORD_HANDLE:
        return take_number(self, record);
    case RP_RECORD_WINDOWS:
        return take_windows(self, record);
    case RP_RECORD_EPOCH:
        return take_epoch(self, record);
    case RP_RECORD_LOST:
        return take_lost(self, record);
    case RP_RECORD_HOLE:
        return open_hole(self) || refuse(self, record, "no memory");
    case RP_RECORD_END:
        close_holes(self);
        return true;
    case RP_RECORD_DONE:
        return record->size == 0 ? tell_again(self, whole) : tell_published(self, record, whole);
    default:
        return refuse(self, record, "it is of no kind that is known");
    }
}

/// What does not count any more is counted by the world that it is about.
static void lose(restoring_t *self, const rp_record_t *record, const rp_record_t *whole)
{
    char world[RP_LIMIT_NAME + 1u] = "";
    char agent[RP_LIMIT_NAME + 1u] = "";
    rp_refusal_t refusal;
    const bool is_published = record->kind == RP_RECORD_DONE && record->size != 0;
    if (!is_published && (record->kind == RP_RECORD_DONE || record->kind == RP_RECORD_REQUEST)) {
        rp_salvage_lose(&self->salvage, unpack(self->intake->serving, whole));
    } else if (is_published &&
               rp_check_topic(record->bytes, record->size, "change", world, agent, &refusal)) {
        rp_salvage_lose_change(&self->salvage, world);
    } // the others say nothing of a version
}

static bool visit(void *user, const rp_record_t *record)
{
    restoring_t *self = user;
    if (record->kind == RP_RECORD_GAP) {
        rp_salvage_gap(&self->salvage);
        return true;
    }
    if (!record->is_of_base) {
        rp_salvage_end_base(&self->salvage, self->intake->serving);
    }
    rp_record_t whole;
    const rp_reassembly_look_t look = rp_reassembly_take(&self->long_ones, record, &whole);
    if (record->is_lost) {
        lose(self, record, &whole);
        return true;
    }
    self->newest_us = record->wall_us > self->newest_us ? record->wall_us : self->newest_us;
    if (look == RP_REASSEMBLY_PART) {
        return true;
    }
    if (look == RP_REASSEMBLY_MEMORY ? refuse(self, record, "no memory")
                                     : tell(self, record, &whole)) {
        return true;
    }
    if (self->is_salvaging) {
        self->salvage.refused++;
        lose(self, record, &whole);
    }
    return self->is_salvaging;
}

/// What was said before the restart is void: by greater epochs, whatever the clock was set to.
static void renew_epochs(rp_serving_t *serving, uint64_t newest_us)
{
    rp_worlds_t *worlds = &serving->worlds;
    const uint64_t now_us = newest_us > serving->now.wall_us ? newest_us : serving->now.wall_us;
    worlds->last_epoch = (now_us > worlds->last_epoch ? now_us : worlds->last_epoch) + EPOCH_MARGIN;
    for (rp_served_t *world = worlds->by_name; world != NULL; world = world->hh.next) {
        const uint64_t version = rp_engine_version(serving->engine, world->id);
        begin_epoch(serving, world, worlds->last_epoch + 1u);
        rp_deltas_fini(&world->deltas);
        rp_deltas_init(&world->deltas, version, RP_LIMIT_DELTA_RING);
        world->published = version;
    }
}

/// Nobody could speak while there was no daemon: leases begin anew.
static void renew_leases(rp_serving_t *serving)
{
    for (rp_served_t *world = serving->worlds.by_name; world != NULL; world = world->hh.next) {
        for (rp_agent_t *agent = world->agents; agent != NULL; agent = agent->hh.next) {
            rp_lease_renew(serving, agent);
        }
    }
    serving->lease_us = 0;
}

/// All were told: what is so now begins anew. @return false when some were refused
static bool finish(void *user, const rp_state_found_t *found)
{
    restoring_t *self = user;
    rp_serving_t *serving = self->intake->serving;
    serving->worlds.first_windows = NULL;
    rp_reassembly_fini(&self->long_ones);
    close_holes(self);
    free(self->holes);
    serving->now = self->now;
    rp_salvage_end_base(&self->salvage, serving);
    const bool is_whole = self->salvage.refused == 0;
    if (self->is_salvaging) {
        rp_salvage_end(&self->salvage, serving, found);
    }
    rp_expire_shapes(serving); // before anybody asks: nobody could put them again
    rp_handles_set_clock(&serving->worlds.handles, serving->now.wall_us, serving->now.steady_us);
    rp_handles_restored(&serving->worlds.handles, self->newest_us);
    renew_epochs(serving, self->newest_us);
    renew_leases(serving);
    serving->stats = (rp_stats_t){.agents = serving->stats.agents,
                                  .subscriptions = serving->stats.subscriptions};
    return is_whole;
}

/// What was accepted is served, though no more of it is: shapes may be beyond the limit, and the
/// planners of agents with motion in a state of a daemon that did not count them.
static void log_excess(const rp_serving_t *serving)
{
    const uint64_t bytes = rp_world_quota_bytes_with(serving, NULL, 0);
    if (bytes > serving->memory_bytes) {
        rp_log(RP_LOG_WARN, "beyond_memory",
               "bytes=%llu limit=%llu: what was restored is served, more of it is refused",
               (unsigned long long)bytes, (unsigned long long)serving->memory_bytes);
    }
}

bool rp_restore(rp_intake_t *intake, bool is_salvaging, char *error, size_t room)
{
    restoring_t self = {.intake = intake,
                        .now = intake->serving->now,
                        .is_salvaging = is_salvaging,
                        .error = error,
                        .room = room};
    const rp_state_visitor_t visitor = {.visit = visit, .finish = finish, .user = &self};
    const size_t long_from = intake->long_from;
    intake->long_from = SIZE_MAX; // nobody else wants to be heard yet
    const bool is_restored = rp_state_restore(intake->serving, is_salvaging, &visitor, error, room);
    intake->long_from = long_from;
    if (is_restored) {
        log_excess(intake->serving);
    }
    return is_restored;
}
