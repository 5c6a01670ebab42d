/// Files that are written; the syncer waits for the disk.
#include "store/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "store/syncer.h"

/// Room on the disk is asked for in such steps.
#define RESERVE_STEP ((uint64_t)4 << 20)

/// Added records are written when so much has gathered, flushed or not.
#define GATHER_MOST ((size_t)256 << 10)

struct rp_journal {
    rp_folder_t folder;
    const rp_disk_t *disk;  ///< borrowed
    rp_state_found_t found; ///< by reading; its log goes on until a base is begun
    bool is_salvaged;       ///< what was found is damaged: nothing follows from it
    uint64_t generation;
    char error[320];

    rp_sink_t log;        ///< of this generation
    uint64_t reserved;    ///< bytes of it that have room on the disk
    uint64_t flushed;     ///< of all logs, without marks
    uint64_t mark_bytes;  ///< of what was added and not flushed
    uint64_t marked;      ///< number that the last mark named
    bool is_broken;       ///< a write failed
    rp_sink_t base;       ///< of this generation, while it is being written
    uint64_t whole_bytes; ///< of the newest whole base
    rp_syncer_t syncer;
};

// ---- errors

static bool fail(rp_journal_t *self, const char *what)
{
    (void)snprintf(self->error, sizeof self->error, "%s: %s", what, strerror(errno));
    return false;
}

const char *rp_journal_error(const rp_journal_t *self)
{
    return self->error;
}

// ---- writing

/// Make a file of the next generation, with its head on the disk if it is a log.
/// @return false on failure: then there is none
static bool make_file(rp_journal_t *self, const rp_file_head_t *head, rp_sink_t *sink)
{
    char name[RP_FOLDER_NAME];
    uint8_t start[RP_FILE_HEAD_MOST];
    const bool is_base = head->kind == RP_FILE_BASE;
    const size_t size = rp_file_head_pack(head, start);
    rp_folder_name(name, head->generation, is_base ? "part" : "log");
    const int file =
        self->disk->open(self->folder.fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
    if (file < 0 || !rp_write_all(self->disk, file, start, size) ||
        (!is_base && (self->disk->sync(file) != 0 || self->disk->sync(self->folder.fd) != 0))) {
        (void)fail(self, name);
        if (file >= 0) {
            (void)close(file);
        }
        return false;
    }
    const rp_series_t series = rp_file_head_series(head);
    *sink = (rp_sink_t){.file = file,
                        .bytes = size,
                        .gathered = sink->gathered,
                        .capacity = sink->capacity,
                        .series = series,
                        .written = series,
                        .disk = self->disk};
    return true;
}

/// True while what is added is not sure to last.
static bool is_mending(rp_journal_t *self)
{
    const bool is_mending = rp_syncer_is_mending(&self->syncer);
    if (is_mending) {
        (void)snprintf(self->error, sizeof self->error,
                       "the journal broke, and its base is not on the disk yet");
    }
    return is_mending;
}

bool rp_journal_reserve(rp_journal_t *self, size_t bytes)
{
    if (self->is_broken || is_mending(self)) {
        return false;
    }
    const uint64_t end =
        self->log.bytes + self->log.size + bytes + rp_series_head(&self->log.series);
    if (end <= self->reserved) {
        return true;
    }
    const uint64_t more = end - self->reserved + RESERVE_STEP;
    const bool has_room =
        self->disk->reserve(self->log.file, (off_t)self->reserved, (off_t)more) == 0 ||
        errno == EOPNOTSUPP || errno == ENOSYS; // there room cannot be had before it is used
    self->reserved += has_room ? more : 0u;
    return has_room || fail(self, "no room for the journal");
}

/// A write came to its end.
/// @param before  bytes of the log until then
static bool note_write(rp_journal_t *self, bool is_written, uint64_t before)
{
    const uint64_t written = self->log.bytes - before;
    self->flushed += written > self->mark_bytes ? written - self->mark_bytes : 0;
    self->mark_bytes = 0;
    if (!is_written) {
        self->is_broken = true;
        (void)fail(self, "the journal cannot be written");
    }
    return is_written;
}

/// Write what was added, sure to last or not.
static bool pour(rp_journal_t *self)
{
    const uint64_t before = self->log.bytes;
    return !self->is_broken &&
           (self->log.size == 0 || note_write(self, rp_sink_pour(&self->log), before));
}

bool rp_journal_add(rp_journal_t *self, const rp_record_t *record)
{
    if (self->is_broken) {
        return false; // whoever begins anew begins with all that is so then
    }
    if (record->size >= GATHER_MOST) {
        const uint64_t before = self->log.bytes;
        return note_write(self, rp_sink_pass(&self->log, record), before);
    }
    if (!rp_sink_add(&self->log, record)) {
        errno = ENOMEM;
        self->is_broken = true;
        return fail(self, "journal");
    }
    return self->log.size < GATHER_MOST || pour(self);
}

bool rp_journal_flush(rp_journal_t *self)
{
    return pour(self) && !is_mending(self);
}

bool rp_journal_is_broken(const rp_journal_t *self)
{
    return self->is_broken;
}

uint64_t rp_journal_flushed(const rp_journal_t *self)
{
    return self->flushed;
}

uint64_t rp_journal_checkpoint_bytes(const rp_journal_t *self)
{
    return self->whole_bytes;
}

uint64_t rp_journal_log_bytes(const rp_journal_t *self)
{
    return self->log.bytes;
}

// ---- the disk

/// The log as far as it was written.
static rp_sync_log_t written_log(const rp_journal_t *self)
{
    return (rp_sync_log_t){.file = self->log.file,
                           .generation = self->generation,
                           .bytes = self->flushed,
                           .number = self->log.written.number - 1u};
}

void rp_journal_sync(rp_journal_t *self)
{
    const rp_sync_log_t log = written_log(self);
    rp_syncer_take_log(&self->syncer, &log);
}

/// Say in the log how far it is on the disk. The mark itself need not be there.
static void mark(rp_journal_t *self, uint64_t number)
{
    const rp_record_t record = {
        .kind = RP_RECORD_MARK, .bytes = (const uint8_t *)&number, .size = sizeof number};
    if (number > self->marked && !self->is_broken && rp_sink_add(&self->log, &record)) {
        self->marked = number;
        self->mark_bytes += rp_series_head(&self->log.series) + record.size;
    }
}

uint64_t rp_journal_synced(rp_journal_t *self)
{
    char reason[sizeof self->error];
    uint64_t synced;
    uint64_t number;
    if (!rp_syncer_ask(&self->syncer, &synced, &number, reason, sizeof reason) &&
        !self->is_broken) {
        self->is_broken = true;
        memcpy(self->error, reason, sizeof reason);
    }
    mark(self, number);
    return synced;
}

int rp_journal_descriptor(const rp_journal_t *self)
{
    return self->syncer.bell;
}

/// Wait until all that was flushed is on the disk. @return false when it is not
static bool drain(rp_journal_t *self)
{
    if (!self->is_broken) {
        rp_journal_sync(self);
    }
    return rp_syncer_drain(&self->syncer) && !self->is_broken;
}

/// A record of the journal's own at the end of the log, on the disk.
static bool end_log(rp_journal_t *self, rp_record_kind_t kind)
{
    return rp_sink_add(&self->log, &(rp_record_t){.kind = kind}) && rp_sink_pour(&self->log) &&
           self->disk->sync_data(self->log.file) == 0;
}

// ---- what was found

/// Keep a copy of what stands behind the last whole record, before it is cut off.
static bool copy_torn(rp_journal_t *self, int log)
{
    char name[RP_FOLDER_NAME];
    uint8_t bytes[4096];
    rp_folder_name(name, self->found.log, "torn");
    const int copy =
        self->disk->open(self->folder.fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
    bool is_copied = copy >= 0;
    off_t at = (off_t)self->found.log_bytes;
    for (ssize_t got = 1; is_copied && got > 0; at += got) {
        got = pread(log, bytes, sizeof bytes, at);
        is_copied = got >= 0 && rp_write_all(self->disk, copy, bytes, (size_t)got);
    }
    is_copied = is_copied && self->disk->sync(copy) == 0 && self->disk->sync(self->folder.fd) == 0;
    if (copy >= 0) {
        (void)close(copy);
    }
    return is_copied;
}

/// Go on with the log that was found, so that another can follow it.
static bool adopt_log(rp_journal_t *self)
{
    char name[RP_FOLDER_NAME];
    rp_folder_name(name, self->found.log, "log");
    const int log = self->disk->open(self->folder.fd, name, O_RDWR | O_APPEND);
    if (log < 0 ||
        (self->found.torn_bytes != 0 &&
         !(copy_torn(self, log) && self->disk->truncate(log, (off_t)self->found.log_bytes) == 0))) {
        (void)fail(self, name);
        if (log >= 0) {
            (void)close(log);
        }
        return false;
    }
    self->generation = self->found.log;
    self->log.file = log;
    self->log.bytes = self->found.log_bytes;
    self->log.series = self->log.written = self->found.series;
    self->log.disk = self->disk;
    return true;
}

/// Salvage: a damaged state stays under other names.
static bool keep_damaged(void *user, const char *name, uint64_t generation)
{
    rp_journal_t *self = user;
    char kept[RP_FOLDER_NAME + sizeof ".damaged"];
    (void)generation;
    (void)snprintf(kept, sizeof kept, "%s.damaged", name);
    return self->disk->link(self->folder.fd, name, kept) == 0 || errno == EEXIST ||
           fail(self, kept);
}

bool rp_journal_read(rp_journal_t *self, bool is_salvaging, rp_visit_t visit, void *user,
                     rp_state_found_t *found, char *error, size_t room)
{
    const bool is_read =
        rp_state_read(&self->folder, is_salvaging, visit, user, found, error, room);
    self->found = *found;
    self->whole_bytes = found->base_bytes;
    self->is_salvaged = found->damage[0] != '\0';
    return is_read;
}

void rp_journal_distrust(rp_journal_t *self)
{
    self->is_salvaged = true;
}

// ---- bases

bool rp_journal_is_free(rp_journal_t *self)
{
    return rp_syncer_is_free(&self->syncer);
}

/// The head of the next generation's log.
static rp_file_head_t next_head(const rp_journal_t *self, bool follows)
{
    const rp_series_t *series = &self->log.written;
    const bool is_first = self->log.file < 0 && !self->is_salvaged;
    const uint64_t newest =
        self->found.newest > self->found.base ? self->found.newest : self->found.base;
    rp_file_head_t head = {.format = RP_FILE_FORMAT,
                           .kind = follows || is_first ? RP_FILE_LOG : RP_FILE_FRESH_LOG,
                           .generation = (self->is_salvaged ? newest : self->generation) + 1u,
                           .first = 1};
    if (follows) {
        head.first = series->number + 1u; // an end record comes between
        head.before_bytes = self->log.bytes;
        head.before_sum = series->sum;
    }
    self->disk->boot_id(head.boot_id);
    (void)!getrandom(&head.key, sizeof head.key, 0);
    return head;
}

/// Have the files of the next generation follow the log at hand.
static bool make_generation(rp_journal_t *self, bool follows)
{
    rp_file_head_t head = next_head(self, follows);
    rp_sink_t log = {.file = -1};
    if (!make_file(self, &head, &log)) {
        return false;
    }
    head.kind = RP_FILE_BASE;
    (void)!getrandom(&head.key, sizeof head.key, 0);
    bool is_made = make_file(self, &head, &self->base);
    if (is_made && follows && !end_log(self, RP_RECORD_FOLLOWED)) {
        self->is_broken = true; // it may have its end, or not
        is_made = fail(self, "the journal cannot be written");
    }
    if (!is_made) {
        (void)close(log.file);
        return false;
    }
    if (self->log.file >= 0) {
        (void)close(self->log.file);
    }
    log.gathered = self->log.gathered;
    log.capacity = self->log.capacity;
    self->log = log;
    self->reserved = log.bytes;
    self->generation = head.generation;
    return true;
}

bool rp_journal_begin_checkpoint(rp_journal_t *self)
{
    rp_journal_drop_checkpoint(self);
    if (!rp_journal_is_free(self)) {
        errno = EBUSY;
        return fail(self, "the disk is slow");
    }
    if (!rp_folder_is_there(&self->folder)) {
        return fail(self, self->folder.path);
    }
    if (self->is_salvaged && !rp_folder_each(&self->folder, keep_damaged, self)) {
        return false;
    }
    if (self->log.file < 0 && self->found.log != 0 && !self->is_salvaged && !adopt_log(self)) {
        return false;
    }
    const bool has_log = self->log.file >= 0;
    (void)(has_log && pour(self)); // a base makes up for what is lost
    const bool follows = has_log && drain(self);
    if (!make_generation(self, follows)) {
        return false;
    }
    rp_syncer_begin(&self->syncer, !follows && (has_log || self->is_salvaged));
    self->is_broken = false;
    return true;
}

bool rp_journal_write_checkpoint(rp_journal_t *self, const rp_record_t *record)
{
    if (rp_sink_add(&self->base, record) &&
        (self->base.size < GATHER_MOST || rp_sink_pour(&self->base))) {
        return true;
    }
    (void)fail(self, "a base of the journal cannot be written");
    rp_journal_drop_checkpoint(self);
    return false;
}

bool rp_journal_end_checkpoint(rp_journal_t *self, uint64_t wall_us)
{
    const rp_record_t end = {.kind = RP_RECORD_END, .wall_us = wall_us};
    if (!rp_journal_write_checkpoint(self, &end)) {
        return false;
    }
    if (!rp_sink_pour(&self->base)) {
        (void)fail(self, "a base of the journal cannot be written");
        rp_journal_drop_checkpoint(self);
        return false;
    }
    self->whole_bytes = self->base.bytes;
    (void)pour(self); // where the log counts by this base alone, it counts with all in it
    const rp_sync_log_t log = written_log(self);
    rp_syncer_take_base(&self->syncer, self->base.file, &log);
    self->base.file = -1;
    self->is_salvaged = false;
    return true;
}

void rp_journal_drop_checkpoint(rp_journal_t *self)
{
    char part[RP_FOLDER_NAME];
    if (self->base.file >= 0) {
        (void)close(self->base.file);
        self->base.file = -1;
        self->base.size = 0;
        rp_folder_name(part, self->generation, "part");
        (void)self->disk->unlink(self->folder.fd, part);
    }
}

bool rp_journal_await_checkpoint(rp_journal_t *self)
{
    rp_syncer_await_base(&self->syncer);
    (void)rp_journal_synced(self);
    return !self->is_broken && !is_mending(self);
}

// ---- birth and death

rp_journal_t *rp_journal_open(const char *folder, const rp_disk_t *disk, char *error, size_t room)
{
    rp_journal_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        (void)snprintf(error, room, "no memory");
        return NULL;
    }
    self->log.file = self->base.file = -1;
    bool is_open = rp_folder_open(&self->folder, folder, RP_FOLDER_WRITE, disk, error, room);
    if (is_open) {
        self->disk = self->folder.disk;
        is_open = rp_syncer_open(&self->syncer, &self->folder) || fail(self, "journal");
        if (!is_open) {
            (void)snprintf(error, room, "%s", self->error);
        }
    }
    if (!is_open) {
        rp_journal_close(&self);
    }
    return self;
}

bool rp_journal_has_file_lock_alone(const rp_journal_t *self)
{
    return self->folder.is_file_alone;
}

void rp_journal_close(rp_journal_t **self)
{
    rp_journal_t *journal = *self;
    if (journal == NULL) {
        return;
    }
    if (journal->log.file >= 0 && pour(journal) && drain(journal)) { // else it is not whole
        (void)end_log(journal, RP_RECORD_CLOSED);
    }
    rp_syncer_close(&journal->syncer);
    rp_journal_drop_checkpoint(journal);
    if (journal->log.file >= 0) {
        (void)close(journal->log.file);
    }
    rp_folder_close(&journal->folder);
    free(journal->log.gathered);
    free(journal->base.gathered);
    free(journal);
    *self = NULL;
}
