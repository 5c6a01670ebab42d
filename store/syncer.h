/// @file
/// Syncer: the thread of a journal that waits for the disk. It gets a log with the length that was
/// written, and a finished checkpoint; when they are on the disk, it signals an eventfd.
#ifndef REPLAN_STORE_SYNCER_H
#define REPLAN_STORE_SYNCER_H

#include <pthread.h>

#include "store/folder.h"

/// A log, as far as it was written.
typedef struct rp_sync_log {
    int file; ///< borrowed until rp_syncer_drain(); -1: there is none
    uint64_t generation;
    uint64_t bytes;  ///< of all logs
    uint64_t number; ///< of its last record
} rp_sync_log_t;

typedef struct rp_syncer {
    const rp_folder_t *folder; ///< borrowed
    int bell;                  ///< an eventfd
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock; ///< of all that follows
    pthread_cond_t wake;
    pthread_cond_t done;
    bool is_ending;
    rp_sync_log_t log; ///< to be synced
    int base;        ///< of the same generation, to be synced, given its name, and closed; -1: none
    bool is_mending; ///< the log follows nothing: it counts when its base is on the disk
    bool is_void;    ///< the disk did not take something: another generation is to begin
    char reason[256]; ///< of that
    uint64_t synced;  ///< bytes of all logs
    uint64_t synced_number;
} rp_syncer_t;

/// @param folder  borrowed until the end
/// @return false with errno
bool rp_syncer_open(rp_syncer_t *self, const rp_folder_t *folder);

/// What it was given is brought to the disk before. @param self  open, or all zero
void rp_syncer_close(rp_syncer_t *self);

/// Another generation begins, and nothing is under way.
/// @param is_mending  its log follows nothing
void rp_syncer_begin(rp_syncer_t *self, bool is_mending);

/// Bring a log to the disk.
void rp_syncer_take_log(rp_syncer_t *self, const rp_sync_log_t *log);

/// Bring a log to the disk, then a base of its generation, and what that replaces off it. A base
/// tells of what came while it was written, so it is none without that log.
/// @param base  given
void rp_syncer_take_base(rp_syncer_t *self, int base, const rp_sync_log_t *log);

/// False while a base is on its way.
bool rp_syncer_is_free(rp_syncer_t *self);

/// True while what is written is not sure to last.
bool rp_syncer_is_mending(rp_syncer_t *self);

/// How far all logs are on the disk; answers the bell.
/// @param synced, number  written: in bytes, and the last record
/// @param reason  written when the disk did not take something [room]
/// @return false then
bool rp_syncer_ask(rp_syncer_t *self, uint64_t *synced, uint64_t *number, char *reason,
                   size_t room);

/// Wait until the base is on the disk, or is not to be.
void rp_syncer_await_base(rp_syncer_t *self);

/// Wait until all that was given is on the disk. @return false when it is not
bool rp_syncer_drain(rp_syncer_t *self);

#endif
