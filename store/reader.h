/// @file
/// Reader of a state: the newest checkpoint and the logs since, each checked against what the
/// others say of it. Tells a torn end, which a crash leaves and which was never acknowledged as
/// durable, from damage. Changes no file.
///
/// Only the end of the newest log can be torn. If the machine was not restarted (same boot id),
/// nothing that was written is lost, so a torn end is one last record that the file cuts short.
/// After a restart of the machine a torn end is everything from the first bad record on, unless a
/// mark behind it says that it had reached the disk. Everything else that is not whole is damage:
/// in a checkpoint, in a log that was closed or followed, a file that is missing.
///
/// Format 1 had neither boot ids nor marks nor ends, one check sum a record, and none of a file. Of
/// its newest log only that is torn which no whole record stands behind; whether its last record
/// was cut short or damaged later, and whether more had stood behind, nobody can tell.
#ifndef REPLAN_STORE_READER_H
#define REPLAN_STORE_READER_H

#include "store/file_head.h"
#include "store/folder.h"

/// What reading found.
typedef struct rp_state_found {
    uint64_t records; ///< that were visited
    uint64_t bytes;   ///< of whole records, and heads of files
    uint64_t torn_bytes;
    bool may_be_damaged; ///< what is torn may have been damaged: it is of format 1
    uint64_t base;       ///< generation of the newest; 0: none
    uint64_t base_bytes; ///< of it
    uint64_t newest;     ///< generation of any log
    bool is_closed;      ///< the last process came to an orderly end

    // the log that goes on
    uint64_t log;       ///< its generation; 0: none
    uint64_t log_bytes; ///< without what is torn
    rp_series_t series; ///< its next record

    // salvage
    char damage[256];    ///< the first, a sentence; "": none
    uint64_t lost;       ///< records behind it that are whole
    uint64_t unreadable; ///< records that are not, as far as the numbers of others tell
    bool is_open;        ///< how many more are gone at the end is not known
} rp_state_found_t;

/// @return false to stop reading
typedef bool (*rp_visit_t)(void *user, const rp_record_t *record);

/// Read what a folder holds, oldest first.
/// @param visit         NULL: nobody is told
/// @param is_salvaging  damage ends nothing: in a base a record RP_RECORD_GAP tells of each that
///                      cannot be read, in a log all records behind the first that cannot are lost
///                      (`is_lost`)
/// @param error         written on failure: a sentence that names the file [room]
/// @return false when a file cannot be read, is damaged, or the visit stopped; `error` says so, but
///         for the visit
bool rp_state_read(const rp_folder_t *folder, bool is_salvaging, rp_visit_t visit, void *user,
                   rp_state_found_t *found, char *error, size_t room);

#endif
