/// Files of records, and the thread that waits for the disk.
#include "store/journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/// A file begins with this, and its generation.
static const char magic[8] = "replanJ1";
#define FILE_HEAD (sizeof magic + sizeof(uint64_t))

/// Room on the disk is asked for in such steps.
#define RESERVE_STEP ((uint64_t)4 << 20)

/// Added records are written when so much has gathered, flushed or not.
#define GATHER_MOST ((size_t)256 << 10)

struct rp_journal {
    char *folder; ///< owned
    int folder_fd;
    int lock_fd;
    int spoken; ///< an eventfd: a sync came to its end
    uint64_t generation;
    char error[256];

    rp_sink_t log;        ///< of this generation
    uint64_t reserved;    ///< bytes of it that have room on the disk
    uint64_t flushed;     ///< of all logs
    bool is_broken;       ///< a write failed
    rp_sink_t base;       ///< of this generation, while it is being written
    uint64_t whole_bytes; ///< of the newest whole base

    // what the thread is to do, and has done
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool is_ending;
    int sync_log;          ///< to be synced up to sync_through; -1: nothing
    uint64_t sync_through; ///< in bytes of all logs
    int old_log;           ///< of the generation before: to be synced first, and closed; -1: none
    int whole_base;        ///< to be synced, given its name, and closed; -1: none
    uint64_t whole_generation;
    bool has_failed; ///< the disk did not take something, and no base has replaced it since
    bool is_void;    ///< nor will the one under way: another generation is to begin
    uint64_t synced; ///< bytes of all logs
};

// ---- names and errors

static bool fail(rp_journal_t *self, const char *what)
{
    (void)snprintf(self->error, sizeof self->error, "%s: %s", what, strerror(errno));
    return false;
}

const char *rp_journal_error(const rp_journal_t *self)
{
    return self->error;
}

#define NAME_ROOM 32u

static void name_of(char name[NAME_ROOM], uint64_t generation, const char *ending)
{
    (void)snprintf(name, NAME_ROOM, "%08llu.%s", (unsigned long long)generation, ending);
}

/// @return the generation, 0 when it is no file of ours
static uint64_t generation_of(const char *name, const char *ending)
{
    char *end;
    const unsigned long long generation = strtoull(name, &end, 10);
    return end - name >= 8 && end[0] == '.' && strcmp(end + 1, ending) == 0 ? generation : 0;
}

// ---- writing

/// @return -1 on failure
static int make_file(rp_journal_t *self, uint64_t generation, const char *ending)
{
    char name[NAME_ROOM];
    uint8_t start[FILE_HEAD];
    memcpy(start, magic, sizeof magic);
    memcpy(start + sizeof magic, &generation, sizeof generation);
    name_of(name, generation, ending);
    const int file =
        openat(self->folder_fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0 || !rp_write_all(file, start, sizeof start)) {
        (void)fail(self, name);
        if (file >= 0) {
            (void)close(file);
        }
        return -1;
    }
    return file;
}

bool rp_journal_reserve(rp_journal_t *self, size_t bytes)
{
    if (self->is_broken) {
        return false;
    }
    const uint64_t end = self->log.bytes + self->log.size + bytes + RP_RECORD_HEAD;
    if (end <= self->reserved) {
        return true;
    }
    const uint64_t more = end - self->reserved + RESERVE_STEP;
    const bool has_room =
        fallocate(self->log.file, FALLOC_FL_KEEP_SIZE, (off_t)self->reserved, (off_t)more) == 0 ||
        errno == EOPNOTSUPP || errno == ENOSYS; // there room cannot be had before it is used
    self->reserved += has_room ? more : 0u;
    return has_room || fail(self, "no room for the journal");
}

/// A write came to its end.
/// @param before  bytes of the log until then
static bool note_write(rp_journal_t *self, bool is_written, uint64_t before)
{
    self->flushed += self->log.bytes - before;
    if (!is_written) {
        self->is_broken = true;
        (void)fail(self, "the journal cannot be written");
    }
    return is_written;
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
    return self->log.size < GATHER_MOST || rp_journal_flush(self);
}

bool rp_journal_flush(rp_journal_t *self)
{
    const uint64_t before = self->log.bytes;
    return !self->is_broken &&
           (self->log.size == 0 || note_write(self, rp_sink_pour(&self->log), before));
}

bool rp_journal_is_broken(const rp_journal_t *self)
{
    return self->is_broken;
}

uint64_t rp_journal_flushed(const rp_journal_t *self)
{
    return self->flushed;
}

uint64_t rp_journal_base_bytes(const rp_journal_t *self)
{
    return self->whole_bytes;
}

uint64_t rp_journal_log_bytes(const rp_journal_t *self)
{
    return self->log.bytes;
}

// ---- the thread that waits for the disk

/// Files of generations before this one.
static void remove_older(const rp_journal_t *self, uint64_t generation)
{
    DIR *folder = opendir(self->folder);
    const struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        const uint64_t log = generation_of(entry->d_name, "log");
        const uint64_t base = generation_of(entry->d_name, "base");
        const uint64_t part = generation_of(entry->d_name, "part");
        const uint64_t its = log | base | part;
        if (its != 0 && its < generation) {
            (void)unlinkat(self->folder_fd, entry->d_name, 0);
        }
    }
    if (folder != NULL) {
        (void)closedir(folder);
    }
}

/// Bring a base to the disk, and what it replaces off it. @return false when it stays a part
static bool settle_base(const rp_journal_t *self, int base, uint64_t generation)
{
    char part[NAME_ROOM];
    char name[NAME_ROOM];
    name_of(part, generation, "part");
    name_of(name, generation, "base");
    const bool is_whole = fsync(base) == 0 &&
                          renameat(self->folder_fd, part, self->folder_fd, name) == 0 &&
                          fsync(self->folder_fd) == 0;
    (void)close(base);
    if (is_whole) {
        remove_older(self, generation);
    }
    return is_whole;
}

/// Bring a log to the disk, and its name, which must be there before anything in it is.
/// @param named  the log whose name is there; written
static bool settle_log(const rp_journal_t *self, int log, int *named)
{
    const bool has_name = log == *named || fsync(self->folder_fd) == 0;
    *named = has_name ? log : -1;
    return has_name && fdatasync(log) == 0;
}

static bool has_work(const rp_journal_t *self)
{
    return self->sync_log >= 0 || self->whole_base >= 0;
}

static void *wait_for_disk(void *argument)
{
    rp_journal_t *self = argument;
    int named = -1;
    (void)pthread_mutex_lock(&self->lock);
    for (;;) {
        while (!has_work(self) && !self->is_ending) {
            (void)pthread_cond_wait(&self->wake, &self->lock);
        }
        if (!has_work(self)) {
            break;
        }
        const int log = self->sync_log;
        const int old = self->old_log;
        const int base = self->whole_base;
        const uint64_t generation = self->whole_generation;
        const uint64_t through = self->sync_through;
        (void)pthread_mutex_unlock(&self->lock);
        const bool old_failed = old >= 0 && fdatasync(old) != 0;
        const bool log_failed = log >= 0 && !settle_log(self, log, &named);
        const bool is_settled = base >= 0 && settle_base(self, base, generation);
        (void)pthread_mutex_lock(&self->lock);
        const bool is_newest = self->old_log != log; // else a base is under way that mends it
        if (old >= 0) {
            (void)close(old);
            self->old_log = -1;
        }
        const bool is_done = self->sync_log == log && self->sync_through == through;
        self->sync_log = is_done ? -1 : self->sync_log;
        self->whole_base = base >= 0 ? -1 : self->whole_base;
        const bool is_mended = is_settled && !log_failed;
        self->has_failed = (self->has_failed || old_failed || log_failed) && !is_mended;
        self->is_void |= (log_failed && is_newest) || (base >= 0 && self->has_failed);
        self->synced = !self->has_failed && through > self->synced ? through : self->synced;
        const uint64_t one = 1;
        (void)!write(self->spoken, &one, sizeof one);
    }
    (void)pthread_mutex_unlock(&self->lock);
    return NULL;
}

void rp_journal_sync(rp_journal_t *self)
{
    (void)pthread_mutex_lock(&self->lock);
    self->sync_log = self->log.file;
    self->sync_through = self->flushed;
    (void)pthread_cond_signal(&self->wake);
    (void)pthread_mutex_unlock(&self->lock);
}

uint64_t rp_journal_synced(rp_journal_t *self)
{
    uint64_t bell;
    (void)!read(self->spoken, &bell, sizeof bell);
    (void)pthread_mutex_lock(&self->lock);
    const uint64_t synced = self->synced;
    const bool is_void = self->is_void;
    (void)pthread_mutex_unlock(&self->lock);
    if (is_void && !self->is_broken) {
        self->is_broken = true;
        errno = EIO;
        (void)fail(self, "the disk of the journal");
    }
    return synced;
}

int rp_journal_descriptor(const rp_journal_t *self)
{
    return self->spoken;
}

// ---- bases

bool rp_journal_is_free(rp_journal_t *self)
{
    (void)pthread_mutex_lock(&self->lock);
    const bool is_free = self->old_log < 0 && self->whole_base < 0;
    (void)pthread_mutex_unlock(&self->lock);
    return is_free;
}

bool rp_journal_begin_base(rp_journal_t *self)
{
    rp_journal_drop_base(self);
    if (!rp_journal_is_free(self)) {
        errno = EBUSY;
        return fail(self, "the disk is slow");
    }
    (void)(self->log.file >= 0 && rp_journal_flush(self)); // a base makes up for what is lost
    const int log = make_file(self, self->generation + 1u, "log");
    const int base = log >= 0 ? make_file(self, self->generation + 1u, "part") : -1;
    if (base < 0) {
        if (log >= 0) {
            (void)close(log);
        }
        return false;
    }
    (void)pthread_mutex_lock(&self->lock);
    self->old_log = self->log.file;
    self->is_void = false;
    self->sync_log = log;
    self->sync_through = self->flushed;
    (void)pthread_cond_signal(&self->wake);
    (void)pthread_mutex_unlock(&self->lock);
    self->generation++;
    self->log.file = log;
    self->log.bytes = FILE_HEAD;
    self->log.size = 0;
    self->reserved = FILE_HEAD;
    self->is_broken = false;
    self->base.file = base;
    self->base.bytes = FILE_HEAD;
    self->base.size = 0;
    return true;
}

bool rp_journal_write_base(rp_journal_t *self, const rp_record_t *record)
{
    if (rp_sink_add(&self->base, record) &&
        (self->base.size < GATHER_MOST || rp_sink_pour(&self->base))) {
        return true;
    }
    (void)fail(self, "a base of the journal cannot be written");
    rp_journal_drop_base(self);
    return false;
}

bool rp_journal_end_base(rp_journal_t *self, uint64_t wall_us)
{
    const rp_record_t end = {.kind = RP_RECORD_END, .wall_us = wall_us};
    if (!rp_journal_write_base(self, &end)) {
        return false;
    }
    if (!rp_sink_pour(&self->base)) {
        (void)fail(self, "a base of the journal cannot be written");
        rp_journal_drop_base(self);
        return false;
    }
    self->whole_bytes = self->base.bytes;
    (void)pthread_mutex_lock(&self->lock);
    self->whole_base = self->base.file;
    self->whole_generation = self->generation;
    (void)pthread_cond_signal(&self->wake);
    (void)pthread_mutex_unlock(&self->lock);
    self->base.file = -1;
    return true;
}

void rp_journal_drop_base(rp_journal_t *self)
{
    char part[NAME_ROOM];
    if (self->base.file >= 0) {
        (void)close(self->base.file);
        self->base.file = -1;
        name_of(part, self->generation, "part");
        (void)unlinkat(self->folder_fd, part, 0);
    }
}

// ---- reading

/// A file that is being read.
typedef struct text {
    const uint8_t *bytes;
    size_t size;
} text_t;

static bool map_file(rp_journal_t *self, const char *name, text_t *text)
{
    struct stat about;
    const int file = openat(self->folder_fd, name, O_RDONLY | O_CLOEXEC);
    *text = (text_t){NULL, 0};
    bool is_read = file >= 0 && fstat(file, &about) == 0;
    if (is_read && about.st_size != 0) {
        void *bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        is_read = bytes != MAP_FAILED;
        *text = is_read ? (text_t){bytes, (size_t)about.st_size} : *text;
    }
    is_read = is_read || fail(self, name);
    if (file >= 0) {
        (void)close(file);
    }
    return is_read;
}

static void unmap_file(const text_t *text)
{
    if (text->bytes != NULL) {
        (void)munmap((void *)text->bytes, text->size);
    }
}

/// A file cut short within its head is an empty one: it was being made when its process died.
static bool has_file_head(rp_journal_t *self, const char *name, const text_t *text)
{
    const size_t size = text->size < sizeof magic ? text->size : sizeof magic;
    if (size != 0 && memcmp(text->bytes, magic, size) != 0) {
        (void)snprintf(self->error, sizeof self->error, "%s is no journal of this program", name);
        return false;
    }
    return true;
}

/// @param is_whole  written: the file's last record ends it as a base
static bool read_file(rp_journal_t *self, uint64_t generation, const char *ending,
                      rp_journal_visit_t visit, void *user, rp_journal_found_t *found,
                      bool *is_whole)
{
    char name[NAME_ROOM];
    text_t text;
    name_of(name, generation, ending);
    *is_whole = false;
    if (!map_file(self, name, &text)) {
        return false;
    }
    bool goes_on = has_file_head(self, name, &text);
    size_t at = FILE_HEAD < text.size ? FILE_HEAD : text.size;
    rp_record_t record;
    while (goes_on && rp_record_at(text.bytes, text.size, at, &record)) {
        at += RP_RECORD_HEAD + record.size;
        *is_whole = record.kind == RP_RECORD_END;
        found->records++;
        goes_on = visit(user, &record);
    }
    found->bytes += at;
    found->torn_bytes += goes_on ? text.size - at : 0u;
    unmap_file(&text);
    return goes_on;
}

/// The newest base; 0: none. And the newest log, and the oldest.
static bool list_files(rp_journal_t *self, uint64_t *base, uint64_t *oldest, uint64_t *newest)
{
    DIR *folder = opendir(self->folder);
    if (folder == NULL) {
        return fail(self, self->folder);
    }
    const struct dirent *entry;
    *base = 0;
    *oldest = UINT64_MAX;
    *newest = 0;
    while ((entry = readdir(folder)) != NULL) {
        const uint64_t log = generation_of(entry->d_name, "log");
        const uint64_t its = generation_of(entry->d_name, "base");
        *base = its > *base ? its : *base;
        *newest = log > *newest ? log : *newest;
        *oldest = log != 0 && log < *oldest ? log : *oldest;
    }
    (void)closedir(folder);
    return true;
}

bool rp_journal_read(rp_journal_t *self, rp_journal_visit_t visit, void *user,
                     rp_journal_found_t *found, char *error, size_t room)
{
    uint64_t base = 0;
    uint64_t oldest = 0;
    uint64_t newest = 0;
    bool is_whole = true;
    *found = (rp_journal_found_t){0};
    bool is_read = list_files(self, &base, &oldest, &newest);
    if (is_read && base != 0) {
        is_read = read_file(self, base, "base", visit, user, found, &is_whole);
        self->whole_bytes = found->bytes;
        if (is_read && !is_whole) {
            (void)snprintf(self->error, sizeof self->error,
                           "%08llu.base is damaged: its last record is not its end",
                           (unsigned long long)base);
            is_read = false;
        }
    }
    for (uint64_t log = base > oldest ? base : oldest; is_read && log <= newest; log++) {
        bool ends;
        is_read = read_file(self, log, "log", visit, user, found, &ends);
    }
    self->generation = newest > base ? newest : base;
    if (!is_read) {
        (void)snprintf(error, room, "%s: %s", self->folder, self->error);
    }
    return is_read;
}

// ---- birth and death

static bool take_folder(rp_journal_t *self, const char *folder)
{
    self->folder = strdup(folder);
    if (self->folder == NULL || (mkdir(folder, 0700) != 0 && errno != EEXIST)) {
        return fail(self, folder);
    }
    self->folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (self->folder_fd < 0) {
        return fail(self, folder);
    }
    self->lock_fd = openat(self->folder_fd, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (self->lock_fd < 0) {
        return fail(self, folder);
    }
    if (flock(self->lock_fd, LOCK_EX | LOCK_NB) != 0) {
        (void)snprintf(self->error, sizeof self->error, "%s is in use by another process", folder);
        return false;
    }
    return true;
}

rp_journal_t *rp_journal_open(const char *folder, char *error, size_t room)
{
    rp_journal_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        (void)snprintf(error, room, "no memory");
        return NULL;
    }
    self->folder_fd = self->lock_fd = self->log.file = self->base.file = -1;
    self->sync_log = self->old_log = self->whole_base = -1;
    self->spoken = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    (void)pthread_mutex_init(&self->lock, NULL);
    (void)pthread_cond_init(&self->wake, NULL);
    bool is_open = self->spoken >= 0 && take_folder(self, folder);
    if (is_open) {
        self->has_thread = pthread_create(&self->thread, NULL, wait_for_disk, self) == 0;
        is_open = self->has_thread || fail(self, "journal");
    }
    if (!is_open) {
        (void)snprintf(error, room, "%s", self->error);
        rp_journal_close(&self);
    }
    return self;
}

void rp_journal_close(rp_journal_t **self)
{
    rp_journal_t *journal = *self;
    if (journal == NULL) {
        return;
    }
    if (journal->log.file >= 0) {
        (void)rp_journal_flush(journal);
        rp_journal_sync(journal);
    }
    if (journal->has_thread) {
        (void)pthread_mutex_lock(&journal->lock);
        journal->is_ending = true;
        (void)pthread_cond_signal(&journal->wake);
        (void)pthread_mutex_unlock(&journal->lock);
        (void)pthread_join(journal->thread, NULL);
    }
    rp_journal_drop_base(journal);
    const int files[] = {journal->log.file, journal->old_log, journal->spoken, journal->lock_fd,
                         journal->folder_fd};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (files[i] >= 0) {
            (void)close(files[i]);
        }
    }
    (void)pthread_mutex_destroy(&journal->lock);
    (void)pthread_cond_destroy(&journal->wake);
    free(journal->log.gathered);
    free(journal->base.gathered);
    free(journal->folder);
    free(journal);
    *self = NULL;
}
