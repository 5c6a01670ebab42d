/// @file
/// Journal: the writer of a state (folder.h; the reader is reader.h). It knows no messages.
///
/// Flushed records survive the end of the process; synced records survive the loss of power. A
/// checkpoint is written beside the log of its own generation; when it is whole and on the disk,
/// older files are removed. So there is always one whole checkpoint, or none yet, with every log
/// since.
///
/// Each log names its predecessor by length and check sum, and the predecessor ends with a record
/// that says that a log follows. The order, each on the disk before the next: the old log; the new
/// log with its head; the end of the old log; the first record of the new log. So a file that is
/// missing, cut or exchanged is detected, and no loss of power leaves what looks like damage.
///
/// One thread calls all functions. A thread of the journal's own waits for the disk (syncer.h);
/// only the beginning of a generation waits itself.
#ifndef REPLAN_STORE_JOURNAL_H
#define REPLAN_STORE_JOURNAL_H

#include "store/reader.h"

typedef struct rp_journal rp_journal_t;

/// Open a folder for this process alone; it is made if it is not there, its parent is not.
/// @param disk   NULL: the system's
/// @param error  written on failure: a sentence [room]
/// @return NULL on failure
rp_journal_t *rp_journal_open(const char *folder, const rp_disk_t *disk, char *error, size_t room);

/// What was flushed stays; it is brought to the disk first, and the log is closed.
void rp_journal_close(rp_journal_t **self);

/// True when the file system locks no folders (rp_folder_t).
bool rp_journal_has_file_lock_alone(const rp_journal_t *self);

/// Read what the folder holds, as rp_state_read() does, once; before the first base is begun.
bool rp_journal_read(rp_journal_t *self, bool is_salvaging, rp_visit_t visit, void *user,
                     rp_state_found_t *found, char *error, size_t room);

/// What was read is whole, but not all of it counts: as after damage its files are kept, and what
/// comes follows from the next base alone.
void rp_journal_distrust(rp_journal_t *self);

/// Why the last call that returned false did; an owned text.
const char *rp_journal_error(const rp_journal_t *self);

// ---- the log; there is one from the first rp_journal_begin_checkpoint() on

/// See to it that so many more bytes of records fit on the disk, so that adding them will not fail
/// for want of room. @return false when they do not, or what is added now is not sure to last
bool rp_journal_reserve(rp_journal_t *self, size_t bytes);

/// True when writing failed, and no base was begun since.
bool rp_journal_is_broken(const rp_journal_t *self);

/// Add a record; it is written with the next flush. @return false when the journal broke
bool rp_journal_add(rp_journal_t *self, const rp_record_t *record);

/// Write what was added. @return false when that failed, now or before: the log ends before it, and
///         nothing is sure to last until a new base is whole and on the disk
bool rp_journal_flush(rp_journal_t *self);

/// Bytes of records that were flushed, and of those that are on the disk, since the journal was
/// opened; never less than before.
uint64_t rp_journal_flushed(const rp_journal_t *self);
uint64_t rp_journal_synced(rp_journal_t *self);

/// Have all that was flushed brought to the disk; rp_journal_descriptor() tells when it is.
void rp_journal_sync(rp_journal_t *self);

/// Readable after a sync, until rp_journal_synced() is asked.
int rp_journal_descriptor(const rp_journal_t *self);

// ---- bases

/// False while an older base is still on its way to the disk; when it is there
/// rp_journal_descriptor() tells.
bool rp_journal_is_free(rp_journal_t *self);

/// Begin a generation: records go to its log from now on, and its base is to be written. What the
/// last reading found torn is put aside first. Waits for the disk.
/// @return false when the files cannot be made, or rp_journal_is_free() is not true
bool rp_journal_begin_checkpoint(rp_journal_t *self);

/// Write a record of the base. @return false when that failed: then the base is given up
bool rp_journal_write_checkpoint(rp_journal_t *self, const rp_record_t *record);

/// The base is whole: it is brought to the disk, and what it replaces goes.
/// @param wall_us  of its last record
bool rp_journal_end_checkpoint(rp_journal_t *self, uint64_t wall_us);

/// Give up the base that was begun.
void rp_journal_drop_checkpoint(rp_journal_t *self);

/// Wait until the base that was ended last is on the disk. @return false when it is not, with the
/// reason
bool rp_journal_await_checkpoint(rp_journal_t *self);

/// Bytes of the newest whole base, and of the log since the last one was begun.
uint64_t rp_journal_checkpoint_bytes(const rp_journal_t *self);
uint64_t rp_journal_log_bytes(const rp_journal_t *self);

#endif
