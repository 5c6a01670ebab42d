/// One thread, one log and one base at a time.
#include "store/syncer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

// ---- the disk

/// A folder, and the generation of its newest base.
typedef struct newest {
    const rp_folder_t *folder;
    uint64_t generation;
} newest_t;

/// Files of generations before the newest base.
static bool remove_older(void *user, const char *name, uint64_t generation)
{
    const newest_t *newest = user;
    if (generation < newest->generation) {
        (void)newest->folder->disk->unlink(newest->folder->fd, name);
    }
    return true;
}

/// Bring a base to the disk, and what it replaces off it. @return false when it stays a part
/// @param has_log  all that came while it was written is on the disk: else it would tell of a part
static bool settle_base(const rp_folder_t *folder, int base, uint64_t generation, bool has_log)
{
    char part[RP_FOLDER_NAME];
    char name[RP_FOLDER_NAME];
    newest_t newest = {folder, generation};
    rp_folder_name(part, generation, "part");
    rp_folder_name(name, generation, "base");
    const bool is_whole = has_log && folder->disk->sync(base) == 0 &&
                          folder->disk->rename(folder->fd, part, name) == 0 &&
                          folder->disk->sync(folder->fd) == 0;
    (void)close(base);
    if (is_whole) {
        (void)rp_folder_each(folder, remove_older, &newest);
    }
    return is_whole;
}

/// Bring the log to the disk, where a start will find it: by its name, in the folder of that name.
static bool settle_log(const rp_folder_t *folder, const rp_sync_log_t *log)
{
    char name[RP_FOLDER_NAME];
    rp_folder_name(name, log->generation, "log");
    return rp_folder_is_there(folder) && rp_folder_has(folder, name, log->file) &&
           folder->disk->sync_data(log->file) == 0;
}

// ---- the thread

static bool has_work(const rp_syncer_t *self)
{
    return self->log.file >= 0 || self->base >= 0;
}

/// One turn. The lock is held, but while the disk is waited for.
static void settle(rp_syncer_t *self)
{
    const rp_sync_log_t log = self->log;
    const int base = self->base;
    const bool was_void = self->is_void;
    (void)pthread_mutex_unlock(&self->lock);
    const bool log_failed = log.file >= 0 && !settle_log(self->folder, &log);
    const bool base_failed =
        base >= 0 && !settle_base(self->folder, base, log.generation, !log_failed && !was_void);
    const int reason = errno;
    (void)pthread_mutex_lock(&self->lock);
    if (log_failed || (base_failed && self->is_mending)) {
        self->is_void = true;
        (void)snprintf(self->reason, sizeof self->reason, "%s cannot be brought to the disk: %s",
                       self->folder->path, strerror(reason));
    }
    self->is_mending = self->is_mending && (base < 0 || self->is_void);
    self->log.file = self->log.number == log.number ? -1 : self->log.file; // marks count, too
    self->base = base >= 0 ? -1 : self->base;
    if (!self->is_mending && !self->is_void && log.bytes > self->synced) {
        self->synced = log.bytes;
        self->synced_number = log.number;
    }
}

static void *wait_for_disk(void *argument)
{
    rp_syncer_t *self = argument;
    (void)pthread_mutex_lock(&self->lock);
    for (;;) {
        while (!has_work(self) && !self->is_ending) {
            (void)pthread_cond_wait(&self->wake, &self->lock);
        }
        if (!has_work(self)) {
            break;
        }
        settle(self);
        (void)pthread_cond_broadcast(&self->done);
        const uint64_t one = 1;
        (void)!write(self->bell, &one, sizeof one);
    }
    (void)pthread_mutex_unlock(&self->lock);
    return NULL;
}

// ---- what it is given

void rp_syncer_begin(rp_syncer_t *self, bool is_mending)
{
    (void)pthread_mutex_lock(&self->lock);
    self->is_void = false;
    self->is_mending = is_mending;
    (void)pthread_mutex_unlock(&self->lock);
}

void rp_syncer_take_log(rp_syncer_t *self, const rp_sync_log_t *log)
{
    (void)pthread_mutex_lock(&self->lock);
    self->log = *log;
    (void)pthread_cond_signal(&self->wake);
    (void)pthread_mutex_unlock(&self->lock);
}

void rp_syncer_take_base(rp_syncer_t *self, int base, const rp_sync_log_t *log)
{
    (void)pthread_mutex_lock(&self->lock);
    self->log = *log;
    self->base = base;
    (void)pthread_cond_signal(&self->wake);
    (void)pthread_mutex_unlock(&self->lock);
}

// ---- what became of it

bool rp_syncer_is_free(rp_syncer_t *self)
{
    (void)pthread_mutex_lock(&self->lock);
    const bool is_free = self->base < 0;
    (void)pthread_mutex_unlock(&self->lock);
    return is_free;
}

bool rp_syncer_is_mending(rp_syncer_t *self)
{
    (void)pthread_mutex_lock(&self->lock);
    const bool is_mending = self->is_mending;
    (void)pthread_mutex_unlock(&self->lock);
    return is_mending;
}

bool rp_syncer_ask(rp_syncer_t *self, uint64_t *synced, uint64_t *number, char *reason, size_t room)
{
    uint64_t rung;
    (void)!read(self->bell, &rung, sizeof rung);
    (void)pthread_mutex_lock(&self->lock);
    const bool is_void = self->is_void;
    *synced = self->synced;
    *number = self->synced_number;
    if (is_void) {
        (void)snprintf(reason, room, "%s", self->reason);
    }
    (void)pthread_mutex_unlock(&self->lock);
    return !is_void;
}

void rp_syncer_await_base(rp_syncer_t *self)
{
    (void)pthread_mutex_lock(&self->lock);
    while (self->base >= 0) {
        (void)pthread_cond_wait(&self->done, &self->lock);
    }
    (void)pthread_mutex_unlock(&self->lock);
}

bool rp_syncer_drain(rp_syncer_t *self)
{
    (void)pthread_mutex_lock(&self->lock);
    while (has_work(self)) {
        (void)pthread_cond_wait(&self->done, &self->lock);
    }
    const bool is_drained = !self->is_void && !self->is_mending;
    (void)pthread_mutex_unlock(&self->lock);
    return is_drained;
}

// ---- birth and death

bool rp_syncer_open(rp_syncer_t *self, const rp_folder_t *folder)
{
    *self = (rp_syncer_t){.folder = folder, .log = {.file = -1}, .base = -1};
    (void)pthread_mutex_init(&self->lock, NULL);
    (void)pthread_cond_init(&self->wake, NULL);
    (void)pthread_cond_init(&self->done, NULL);
    self->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    errno = self->bell >= 0 ? pthread_create(&self->thread, NULL, wait_for_disk, self) : errno;
    self->has_thread = self->bell >= 0 && errno == 0;
    return self->has_thread;
}

void rp_syncer_close(rp_syncer_t *self)
{
    if (self->folder == NULL) {
        return;
    }
    if (self->has_thread) {
        (void)pthread_mutex_lock(&self->lock);
        self->is_ending = true;
        (void)pthread_cond_signal(&self->wake);
        (void)pthread_mutex_unlock(&self->lock);
        (void)pthread_join(self->thread, NULL);
    }
    if (self->bell >= 0) {
        (void)close(self->bell);
    }
    (void)pthread_mutex_destroy(&self->lock);
    (void)pthread_cond_destroy(&self->wake);
    (void)pthread_cond_destroy(&self->done);
    self->folder = NULL;
}
