/// Records of a state, handled again for nobody.
#include "daemon/requests/restore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/process/log.h"
#include "daemon/requests/handlers.h"
#include "daemon/requests/leases.h"
#include "daemon/requests/salvage.h"
#include "daemon/requests/state.h"
#include "store/reassembly.h"

/// Worlds opened in the same microsecond have epochs beyond it: at most so far.
#define EPOCH_MARGIN 1000u

/// What restoring has come to.
typedef struct restoring {
    rp_daemon_t *daemon;
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

/// Handles of 32 bits, which states hold that were written before handles had 64, are sessions.
/// Take one that was free, so that the next agent gets its own.
static bool open_hole(restoring_t *self)
{
    rp_daemon_t *daemon = self->daemon;
    const rp_session_options_t options = {.planner = daemon->default_planner, .is_judged = true};
    if (self->hole_count == self->hole_capacity) {
        const size_t capacity = 2u * self->hole_capacity + 64u;
        rp_session_id_t *holes = realloc(self->holes, capacity * sizeof *holes);
        if (holes == NULL) {
            return false;
        }
        self->holes = holes;
        self->hole_capacity = capacity;
    }
    return daemon->worlds.by_name != NULL &&
           rp_host_open(daemon->host, daemon->worlds.by_name->id, &options,
                        &self->holes[self->hole_count]) == RP_OK &&
           ++self->hole_count != 0;
}

static void close_holes(restoring_t *self)
{
    for (size_t i = 0; i < self->hole_count; i++) {
        (void)rp_host_close(self->daemon->host, self->holes[i]);
    }
    self->hole_count = 0;
}

/// Name agents by the handles that they have now. @return false without memory
static bool translate(rp_daemon_t *daemon, uint32_t **handles32, size_t *count32,
                      uint64_t **handles, size_t *count)
{
    if (*count32 == 0) {
        return true;
    }
    *handles = rp_arena_take(&daemon->arena, *count32 * sizeof **handles);
    for (size_t i = 0; *handles != NULL && i < *count32; i++) {
        const rp_agent_t *agent = rp_worlds_agent_of(&daemon->worlds, (*handles32)[i]);
        (*handles)[i] = agent != NULL ? agent->handle : 0u;
    }
    *count = *handles != NULL ? *count32 : 0u;
    *count32 = 0;
    return *handles != NULL;
}

static bool translate_handles(rp_daemon_t *daemon, const Replan__V1__Request *request)
{
    Replan__V1__Poses *poses = request->set_poses;
    Replan__V1__Order *order = request->order;
    switch (request->body_case) {
    case REPLAN__V1__REQUEST__BODY_SET_POSES:
        return translate(daemon, &poses->handles32, &poses->n_handles32, &poses->handles,
                         &poses->n_handles);
    case REPLAN__V1__REQUEST__BODY_ORDER:
        return translate(daemon, &order->handles32, &order->n_handles32, &order->handles,
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
static const Replan__V1__Request *unpack(rp_daemon_t *daemon, const rp_record_t *record)
{
    rp_arena_reset(&daemon->arena);
    const Replan__V1__Request *request = (const Replan__V1__Request *)rp_codec_unpack(
        &daemon->arena, &replan__v1__request__descriptor, record->bytes, record->size);
    return request != NULL && rp_state_keeps(request) ? request : NULL;
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
    rp_daemon_t *daemon = self->daemon;
    const Replan__V1__Request *request = unpack(daemon, record);
    rp_call_t call = {.daemon = daemon, .request = request};
    replan__v1__reply__init(&call.reply);
    if (request == NULL || !translate_handles(daemon, request)) {
        return refuse(self, record, "it cannot be read");
    }
    daemon->now = then(self, record->wall_us);
    rp_expire_shapes(daemon);
    if (rp_check_request(request, &call.refusal)) {
        (void)rp_daemon_dispatch(&call);
    }
    if (self->is_salvaging) {
        rp_salvage_note(&self->salvage, request, record->is_of_base, daemon->worlds.first_version);
    }
    return call.refusal.status == REPLAN__V1__STATUS__OK ||
           refuse(self, record, call.refusal.sentence);
}

/// Something long was published, and taken.
static bool tell_published(restoring_t *self, const rp_record_t *record, const rp_record_t *whole)
{
    rp_daemon_t *daemon = self->daemon;
    const uint64_t refused = daemon->stats.changes_refused;
    daemon->now = then(self, record->wall_us);
    rp_expire_shapes(daemon);
    rp_daemon_change(daemon, record->bytes, record->size, whole->bytes, whole->size);
    return daemon->stats.changes_refused == refused ||
           refuse(self, record, "a change that was published");
}

static bool take_number(restoring_t *self, const rp_record_t *record)
{
    rp_worlds_t *worlds = &self->daemon->worlds;
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
static void begin_epoch(rp_daemon_t *daemon, rp_served_t *world, uint64_t epoch)
{
    rp_epochs_add(&world->epochs, world->epoch,
                  rp_engine_window(daemon->engine, world->id, 0)->number);
    world->epoch = epoch;
    if (epoch > daemon->worlds.last_epoch) {
        daemon->worlds.last_epoch = epoch;
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
    rp_served_t *world = rp_worlds_find(&self->daemon->worlds, name);
    if (world != NULL && world->epoch != epoch) {
        begin_epoch(self->daemon, world, epoch);
    }
    return true;
}

/// A published change was lost.
static bool take_lost(restoring_t *self, const rp_record_t *record)
{
    rp_daemon_t *daemon = self->daemon;
    rp_arena_reset(&daemon->arena);
    const Replan__V1__Change *change = (const Replan__V1__Change *)rp_codec_unpack(
        &daemon->arena, &replan__v1__change__descriptor, record->bytes, record->size);
    if (change == NULL || strlen(change->publisher) > RP_LIMIT_NAME) {
        return refuse(self, record, "it tells of no change");
    }
    (void)rp_lose_change(daemon, change);
    return true;
}

static bool take_windows(restoring_t *self, const rp_record_t *record)
{
    if (!rp_windows_recall(record->bytes, record->size, &self->kept)) {
        return refuse(self, record, "these are no windows");
    }
    self->daemon->worlds.first_windows = &self->kept;
    return true;
}

/// @param whole  the record, or all that it ends
static bool tell(restoring_t *self, const rp_record_t *record, const rp_record_t *whole)
{
    rp_worlds_t *worlds = &self->daemon->worlds;
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
        rp_salvage_lose(&self->salvage, unpack(self->daemon, whole));
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
        rp_salvage_end_base(&self->salvage, self->daemon);
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
static void renew_epochs(rp_daemon_t *daemon, uint64_t newest_us)
{
    rp_worlds_t *worlds = &daemon->worlds;
    const uint64_t now_us = newest_us > daemon->now.wall_us ? newest_us : daemon->now.wall_us;
    worlds->last_epoch = (now_us > worlds->last_epoch ? now_us : worlds->last_epoch) + EPOCH_MARGIN;
    for (rp_served_t *world = worlds->by_name; world != NULL; world = world->hh.next) {
        const uint64_t version = rp_engine_version(daemon->engine, world->id);
        begin_epoch(daemon, world, worlds->last_epoch + 1u);
        rp_deltas_fini(&world->deltas);
        rp_deltas_init(&world->deltas, version, RP_LIMIT_DELTA_RING);
        world->published = version;
    }
}

/// Nobody could speak while there was no daemon: leases begin anew.
static void renew_leases(rp_daemon_t *daemon)
{
    for (rp_served_t *world = daemon->worlds.by_name; world != NULL; world = world->hh.next) {
        for (rp_agent_t *agent = world->agents; agent != NULL; agent = agent->hh.next) {
            rp_lease_renew(daemon, agent);
        }
    }
    daemon->lease_us = 0;
}

bool rp_restore(rp_daemon_t *daemon, rp_journal_t *journal, bool is_salvaging,
                rp_restored_t *restored, char *error, size_t room)
{
    restoring_t self = {.daemon = daemon,
                        .now = daemon->now,
                        .is_salvaging = is_salvaging,
                        .error = error,
                        .room = room};
    const size_t long_from = daemon->long_from;
    daemon->long_from = SIZE_MAX; // nobody else wants to be heard yet
    const bool is_read =
        rp_journal_read(journal, is_salvaging, visit, &self, &restored->found, error, room);
    daemon->worlds.first_windows = NULL;
    rp_reassembly_fini(&self.long_ones);
    close_holes(&self);
    free(self.holes);
    daemon->long_from = long_from;
    daemon->now = self.now;
    if (self.salvage.refused != 0) {
        rp_journal_distrust(journal);
    }
    restored->is_salvaged = restored->found.damage[0] != '\0' || self.salvage.refused != 0;
    rp_salvage_end_base(&self.salvage, daemon);
    if (is_salvaging) {
        rp_salvage_end(&self.salvage, daemon, &restored->found);
    }
    rp_expire_shapes(daemon); // before anybody asks: nobody could put them again
    rp_handles_set_clock(&daemon->worlds.handles, daemon->now.wall_us, daemon->now.steady_us);
    rp_handles_restored(&daemon->worlds.handles, self.newest_us);
    renew_epochs(daemon, self.newest_us);
    renew_leases(daemon);
    daemon->stats =
        (rp_stats_t){.agents = daemon->stats.agents, .subscriptions = daemon->stats.subscriptions};
    return is_read;
}
