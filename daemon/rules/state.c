/// Notes requests in a journal, has checkpoints written, and tells a visitor what they hold.
#include "daemon/rules/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/process/log.h"
#include "daemon/rules/checkpointer.h"

/// A checkpoint is written when the log has grown beyond this, and beyond twice the last
/// checkpoint.
#define CHECKPOINT_LEAST ((uint64_t)16 << 20)

/// What was written is on the disk after this long, though nobody waits for it.
#define SYNC_MOST_US 1000000u

/// A checkpoint that could not be begun is tried again after this long.
#define MEND_US 5000000u

struct rp_state {
    rp_journal_t *journal;
    rp_checkpointer_t checkpointer;
    bool is_disk;
    bool is_restoring;
    bool is_checkpoint_wanted; ///< one was given up, or could not be begun
    bool is_announced;         ///< a checkpoint is due, and its log on the way to the disk
    bool is_hastened;          ///< somebody waits for the disk
    bool has_parts;            ///< of something long in the log, whose end is not there
    uint64_t syncing;          ///< flushed bytes that are on their way to the disk; 0: none are
    uint64_t synced_us;        ///< when that began last
    uint64_t mending_us;       ///< when a checkpoint could not be begun
    uint64_t opened;           ///< agents that there had been when a handle was noted last
};

/// Bytes of the journal that a request takes besides its own at most: for the handle of an agent,
/// or the epoch of a world.
#define BESIDE_BYTES (RP_RECORD_HEAD_MOST + sizeof(uint64_t) + RP_LIMIT_NAME)

// ---- what is kept

bool rp_state_is_disk(const rp_state_t *self)
{
    return self != NULL && self->is_disk;
}

bool rp_state_is_lost(const rp_state_t *self)
{
    return self != NULL && self->is_checkpoint_wanted && rp_journal_is_broken(self->journal);
}

bool rp_state_has_room(const rp_serving_t *serving, size_t size)
{
    const rp_state_t *self = serving->state;
    return self == NULL || rp_journal_reserve(self->journal, size + BESIDE_BYTES);
}

/// A checkpoint says where each world begins and what it is called: what makes that void ends it.
static void void_checkpoint(rp_state_t *self, const Replan__V1__Request *request)
{
    if (request->body_case == REPLAN__V1__REQUEST__BODY_REMOVE_WORLD ||
        request->body_case == REPLAN__V1__REQUEST__BODY_RESIZE) {
        self->is_checkpoint_wanted = self->is_checkpoint_wanted || self->checkpointer.is_begun;
        rp_checkpointer_drop(&self->checkpointer);
    }
}

/// Note the epochs of worlds that are not in the journal yet: windows are named by them. Where the
/// disk has no room for one the journal breaks, and the checkpoint that mends it tells all of them.
static void note_epochs(rp_serving_t *serving)
{
    uint8_t bytes[sizeof(uint64_t) + RP_LIMIT_NAME];
    rp_journal_t *journal = serving->state->journal;
    for (rp_served_t *world = serving->worlds.by_name; world != NULL; world = world->hh.next) {
        const size_t length = strlen(world->name);
        const rp_record_t record = {.kind = RP_RECORD_EPOCH,
                                    .wall_us = serving->now.wall_us,
                                    .bytes = bytes,
                                    .size = sizeof world->epoch + length};
        memcpy(bytes, &world->epoch, sizeof world->epoch);
        memcpy(bytes + sizeof world->epoch, world->name, length);
        if (world->epoch_noted != world->epoch) {
            (void)rp_journal_reserve(journal, record.size);
            if (rp_journal_add(journal, &record)) {
                world->epoch_noted = world->epoch;
            }
        }
    }
}

/// If a request opened an agent, note its handle before the request.
static void note_handle(rp_serving_t *serving)
{
    rp_state_t *self = serving->state;
    const uint64_t handle = serving->worlds.last_handle;
    if (self->opened != serving->worlds.opened) {
        self->opened = serving->worlds.opened;
        (void)rp_journal_add(self->journal, &(rp_record_t){.kind = RP_RECORD_HANDLE,
                                                           .wall_us = serving->now.wall_us,
                                                           .bytes = (const uint8_t *)&handle,
                                                           .size = sizeof handle});
    }
}

void rp_state_note(rp_serving_t *serving, const Replan__V1__Request *request, const void *packed,
                   size_t size)
{
    rp_state_t *self = serving->state;
    if (self == NULL || self->is_restoring) {
        return;
    }
    void_checkpoint(self, request);
    note_handle(serving);
    if (rp_journal_add(self->journal, &(rp_record_t){.kind = RP_RECORD_REQUEST,
                                                     .wall_us = serving->now.wall_us,
                                                     .bytes = packed,
                                                     .size = size})) {
        serving->stats.journal_records++;
    }
    if (request->body_case == REPLAN__V1__REQUEST__BODY_CREATE_WORLD) {
        note_epochs(serving);
    }
}

bool rp_state_note_part(rp_serving_t *serving, const uint8_t *part, size_t size, bool is_first)
{
    rp_state_t *self = serving->state;
    if (self == NULL) {
        return true;
    }
    const rp_record_kind_t kind = is_first ? RP_RECORD_LONG : RP_RECORD_MORE;
    self->has_parts = true;
    return rp_journal_reserve(self->journal, size) &&
           rp_journal_add(self->journal, &(rp_record_t){.kind = kind,
                                                        .wall_us = serving->now.wall_us,
                                                        .bytes = part,
                                                        .size = size});
}

void rp_state_note_done(rp_serving_t *serving, const Replan__V1__Request *request,
                        const char *topic)
{
    rp_state_t *self = serving->state;
    if (self == NULL) {
        return;
    }
    self->has_parts = false;
    if (request != NULL) {
        void_checkpoint(self, request);
    }
    if (rp_journal_add(self->journal, &(rp_record_t){.kind = RP_RECORD_DONE,
                                                     .wall_us = serving->now.wall_us,
                                                     .bytes = (const uint8_t *)topic,
                                                     .size = strlen(topic)})) {
        serving->stats.journal_records++;
    }
    if (request != NULL && request->body_case == REPLAN__V1__REQUEST__BODY_CREATE_WORLD) {
        note_epochs(serving);
    }
}

void rp_state_note_nothing(rp_serving_t *serving)
{
    if (serving->state != NULL) {
        serving->state->has_parts = false;
    }
}

const char *rp_state_reason(const rp_serving_t *serving)
{
    return serving->state != NULL ? rp_journal_error(serving->state->journal) : "";
}

void rp_state_note_body(rp_serving_t *serving, Replan__V1__Request__BodyCase kind,
                        ProtobufCMessage *body)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    request.body_case = kind;
    request.set_pose = (Replan__V1__Pose *)body; // the bodies share their place
    if (serving->state != NULL && !serving->state->is_restoring &&
        rp_codec_pack(&serving->packed, &request.base)) {
        (void)rp_journal_reserve(serving->state->journal, serving->packed.size + BESIDE_BYTES);
        rp_state_note(serving, &request, serving->packed.bytes, serving->packed.size);
    }
}

void rp_state_note_change(rp_serving_t *serving, Replan__V1__Change *change)
{
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    apply.change = change;
    rp_state_note_body(serving, REPLAN__V1__REQUEST__BODY_APPLY, &apply.base);
}

void rp_state_note_lost(rp_serving_t *serving, const Replan__V1__Change *change)
{
    rp_state_t *self = serving->state;
    Replan__V1__Change lost = REPLAN__V1__CHANGE__INIT;
    lost.world = change->world;
    lost.publisher = change->publisher;
    lost.incarnation = change->incarnation;
    lost.sequence = change->sequence;
    if (self != NULL && !self->is_restoring && rp_codec_pack(&serving->packed, &lost.base)) {
        (void)rp_journal_reserve(self->journal, serving->packed.size);
        (void)rp_journal_add(self->journal, &(rp_record_t){.kind = RP_RECORD_LOST,
                                                           .wall_us = serving->now.wall_us,
                                                           .bytes = serving->packed.bytes,
                                                           .size = serving->packed.size});
    }
}

void rp_state_note_expired(rp_serving_t *serving, rp_served_t *world)
{
    uint32_t ids[RP_LIMIT_SHAPES];
    Replan__V1__Overlay overlay = REPLAN__V1__OVERLAY__INIT;
    overlay.world = world->name;
    overlay.removed = ids;
    overlay.n_removed = rp_last_request_expire(&world->shapes, serving->now.steady_us, ids);
    rp_state_note_body(serving, REPLAN__V1__REQUEST__BODY_OVERLAY, &overlay.base);
}

void rp_state_note_waypoint(rp_serving_t *serving, rp_agent_t *agent, uint32_t waypoint)
{
    const rp_last_request_t *last =
        serving->state != NULL ? rp_last_request_waypoint(&agent->last, waypoint) : NULL;
    if (last != NULL) {
        Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
        request.body_case = REPLAN__V1__REQUEST__BODY_SET_GOAL;
        (void)rp_journal_reserve(serving->state->journal, last->size);
        rp_state_note(serving, &request, last->bytes, last->size);
    }
}

void rp_state_note_closed(rp_serving_t *serving, rp_agent_t *agent)
{
    Replan__V1__CloseAgent close = REPLAN__V1__CLOSE_AGENT__INIT;
    close.world = agent->world->name;
    close.agent = agent->name;
    rp_state_note_body(serving, REPLAN__V1__REQUEST__BODY_CLOSE_AGENT, &close.base);
}

void rp_state_bury(rp_serving_t *serving, rp_agent_t *agent)
{
    rp_state_t *self = serving->state;
    if (self != NULL && !rp_checkpointer_bury(&self->checkpointer, agent)) {
        self->is_checkpoint_wanted = true;
    }
}

void rp_state_renew(rp_serving_t *serving)
{
    if (serving->state != NULL) {
        rp_checkpointer_drop(&serving->state->checkpointer);
        serving->state->is_checkpoint_wanted =
            serving->state->has_parts ||
            !rp_checkpointer_begin(&serving->state->checkpointer, serving);
    }
}

bool rp_state_flush(rp_serving_t *serving, const char **reason)
{
    rp_state_t *self = serving->state;
    if (self == NULL || self->is_restoring || rp_journal_flush(self->journal)) {
        return true;
    }
    *reason = rp_journal_error(self->journal);
    return false;
}

// ---- the disk

void rp_state_hasten(rp_serving_t *serving)
{
    serving->state->is_hastened = true;
}

/// All that was written is on the disk: so is every version.
static void note_durable(rp_serving_t *serving, bool is_all)
{
    for (rp_served_t *world = serving->worlds.by_name; world != NULL; world = world->hh.next) {
        world->durable = is_all ? rp_engine_version(serving->engine, world->id) : world->noted;
    }
}

static void work_on_sync(rp_serving_t *serving)
{
    rp_state_t *self = serving->state;
    const uint64_t synced = rp_journal_synced(self->journal);
    if (!rp_journal_flush(self->journal)) {
        return; // nothing is sure to last
    }
    const uint64_t flushed = rp_journal_flushed(self->journal);
    if (synced == flushed || (self->syncing != 0 && synced >= self->syncing)) {
        note_durable(serving, synced == flushed);
        self->syncing = 0;
    }
    const bool is_due = self->is_disk || self->is_hastened ||
                        self->synced_us + SYNC_MOST_US <= serving->now.steady_us;
    if (synced == flushed || self->syncing != 0 || !is_due) {
        return;
    }
    for (rp_served_t *world = serving->worlds.by_name; world != NULL; world = world->hh.next) {
        world->noted = rp_engine_version(serving->engine, world->id);
    }
    self->is_hastened = false;
    self->syncing = flushed;
    self->synced_us = serving->now.steady_us;
    serving->stats.journal_syncs++;
    rp_journal_sync(self->journal);
}

static bool is_checkpoint_due(const rp_serving_t *serving)
{
    const rp_state_t *self = serving->state;
    const uint64_t least = 2u * rp_journal_checkpoint_bytes(self->journal);
    const uint64_t log = rp_journal_log_bytes(self->journal);
    const bool is_wanted = rp_journal_is_broken(self->journal) || self->is_checkpoint_wanted ||
                           (log > CHECKPOINT_LEAST && log > least);
    // A checkpoint would begin another log, and the end of what is long must stand in that of its
    // parts.
    return is_wanted && !self->has_parts && self->mending_us + MEND_US <= serving->now.steady_us &&
           rp_journal_is_free(self->journal);
}

/// A new generation waits for the disk, so most of the log is brought there before.
static bool is_log_ready(rp_serving_t *serving)
{
    rp_state_t *self = serving->state;
    const bool is_synced = rp_journal_synced(self->journal) == rp_journal_flushed(self->journal) ||
                           (self->is_announced && !self->is_hastened && self->syncing == 0);
    self->is_hastened = self->is_hastened || (!is_synced && !self->is_announced);
    self->is_announced = !is_synced;
    return is_synced || rp_journal_is_broken(self->journal);
}

static void work_on_checkpoint(rp_serving_t *serving)
{
    rp_state_t *self = serving->state;
    if (!self->checkpointer.is_begun && is_checkpoint_due(serving)) {
        if (!is_log_ready(serving)) {
            return;
        }
        self->is_checkpoint_wanted = !rp_checkpointer_begin(&self->checkpointer, serving);
        if (self->is_checkpoint_wanted) {
            self->mending_us = serving->now.steady_us;
            rp_log(RP_LOG_WARN, "journal", "error=\"%s\"", rp_journal_error(self->journal));
        }
    } else if (self->checkpointer.is_begun) {
        const bool is_written = rp_checkpointer_step(&self->checkpointer, serving);
        serving->stats.journal_bases += is_written && !self->checkpointer.is_begun;
        self->is_checkpoint_wanted = self->is_checkpoint_wanted || !is_written;
    }
}

void rp_state_work(rp_serving_t *serving)
{
    if (serving->state != NULL) {
        const char *reason;
        if (!rp_state_flush(serving, &reason) && is_checkpoint_due(serving)) {
            rp_log(RP_LOG_ERROR, "journal", "error=\"%s\"",
                   reason); // a new checkpoint will mend it
        }
        work_on_checkpoint(serving);
        work_on_sync(serving);
    }
}

uint64_t rp_state_next_us(const rp_serving_t *serving)
{
    const rp_state_t *self = serving->state;
    if (self == NULL) {
        return RP_NEVER_US;
    }
    // Asked first, as it empties the descriptor that tells when the journal is free.
    const uint64_t synced = rp_journal_synced(self->journal);
    const bool is_all = synced == rp_journal_flushed(self->journal);
    if (self->syncing != 0 && synced >= self->syncing) {
        return serving->now.steady_us; // it came since, and nobody is told again
    }
    if (rp_journal_is_broken(self->journal) || self->is_checkpoint_wanted) {
        return rp_journal_is_free(self->journal) ? self->mending_us + MEND_US : RP_NEVER_US;
    }
    return is_all || self->syncing != 0 ? RP_NEVER_US : self->synced_us + SYNC_MOST_US;
}

bool rp_state_is_busy(const rp_serving_t *serving)
{
    return serving->state != NULL && serving->state->checkpointer.is_begun;
}

int rp_state_descriptor(const rp_serving_t *serving)
{
    return serving->state != NULL ? rp_journal_descriptor(serving->state->journal) : -1;
}

// ---- after a restart

bool rp_state_is_restoring(const rp_serving_t *serving)
{
    return serving->state != NULL && serving->state->is_restoring;
}

bool rp_state_settle(rp_serving_t *serving, char *error, size_t room)
{
    rp_state_t *self = serving->state;
    if (self == NULL) {
        return true;
    }
    (void)rp_journal_await_checkpoint(self->journal); // an older one may be on its way
    if (!self->checkpointer.is_begun && self->is_checkpoint_wanted) {
        self->is_checkpoint_wanted = !rp_checkpointer_begin(&self->checkpointer, serving);
    }
    while (self->checkpointer.is_begun) {
        self->is_checkpoint_wanted = !rp_checkpointer_step(&self->checkpointer, serving);
    }
    if (!self->is_checkpoint_wanted && rp_journal_await_checkpoint(self->journal)) {
        return true;
    }
    (void)snprintf(error, room, "%s", rp_journal_error(self->journal));
    return false;
}

static void log_restored(const rp_serving_t *serving, const rp_state_found_t *found,
                         bool is_salvaged)
{
    rp_log(found->torn_bytes != 0 || is_salvaged ? RP_LOG_WARN : RP_LOG_INFO, "restored",
           "worlds=%u agents=%llu records=%llu bytes=%llu torn_bytes=%llu%s", serving->worlds.count,
           (unsigned long long)serving->stats.agents, (unsigned long long)found->records,
           (unsigned long long)found->bytes, (unsigned long long)found->torn_bytes,
           found->may_be_damaged ? ": torn or damaged, which a log of format 1 cannot tell" : "");
}

bool rp_state_restore(rp_serving_t *serving, bool is_salvaging, const rp_state_visitor_t *visitor,
                      char *error, size_t room)
{
    rp_state_t *self = serving->state;
    rp_state_found_t found;
    self->is_restoring = true;
    const bool is_read = rp_journal_read(self->journal, is_salvaging, visitor->visit, visitor->user,
                                         &found, error, room);
    const bool is_whole = visitor->finish(visitor->user, &found);
    self->is_restoring = false;
    if (!is_whole) {
        rp_journal_distrust(self->journal);
    }
    if (!is_read) {
        return false;
    }
    const bool is_salvaged = found.damage[0] != '\0' || !is_whole;
    self->opened = serving->worlds.opened;
    if (!rp_checkpointer_begin(&self->checkpointer, serving)) {
        (void)snprintf(error, room, "%s", rp_journal_error(self->journal));
        return false;
    }
    note_epochs(serving); // the checkpoint may not be written to its end
    serving->stats.journal_restored = found.records;
    log_restored(serving, &found, is_salvaged);
    // What follows from damage counts by its checkpoint alone.
    return !is_salvaged || rp_state_settle(serving, error, room);
}

// ---- birth and death

rp_state_t *rp_state_open(const char *folder, bool is_disk, char *error, size_t room)
{
    rp_state_t *self = calloc(1, sizeof *self);
    rp_journal_t *journal = self != NULL ? rp_journal_open(folder, NULL, error, room) : NULL;
    if (journal == NULL) {
        if (self == NULL) {
            (void)snprintf(error, room, "no memory");
        }
        free(self);
        return NULL;
    }
    if (rp_journal_has_file_lock_alone(journal)) {
        rp_log(
            RP_LOG_WARN, "state",
            "folder=\"%s\": its file system locks no folders, the lock file alone keeps others out",
            folder);
    }
    self->journal = journal;
    self->checkpointer.to.journal = journal;
    self->is_disk = is_disk;
    return self;
}

void rp_state_close(rp_state_t **self)
{
    if (*self != NULL) {
        rp_checkpointer_drop(&(*self)->checkpointer);
        rp_checkpointer_fini(&(*self)->checkpointer);
        rp_journal_close(&(*self)->journal);
        free(*self);
        *self = NULL;
    }
}
