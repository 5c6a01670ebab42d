/// @file
/// Records as bytes of a file: a head with check sums, then the content; and a file that records
/// are appended to.
///
///     plain     size, sum, wall_us, kind                                format 1, recordings
///     numbered  head_sum, size, number, wall_us, kind, body_sum         format 2
///
/// The head of a numbered record has a check sum of its own, seeded with the key of its file. So
/// its length can be trusted before its bytes are read, and no bytes of a client can pass for a
/// record.
#ifndef REPLAN_STORE_RECORD_H
#define REPLAN_STORE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/disk.h"

typedef enum rp_record_kind {
    RP_RECORD_REQUEST = 1, ///< a packed replan.v1.Request that was accepted
    RP_RECORD_HOLE = 2,    ///< of bases before handles had 64 bits: one was free; no bytes
    RP_RECORD_END = 3,     ///< of a base: it is whole
    RP_RECORD_LONG = 4,    ///< the first part of something long that came
    RP_RECORD_MORE = 5,    ///< the next part of it
    RP_RECORD_DONE = 6,    ///< it was accepted: a packed request, or a Change by PUB whose topic
                           ///< stands here; without this record its parts are void
    RP_RECORD_VERSION = 7, ///< of a base: that of the world that comes next (uint64_t)
    RP_RECORD_HANDLE = 8,  ///< of the agent that the next request opens; none up to its serial
                           ///< number is given anew, whether that opens one or not (uint64_t)
    RP_RECORD_WINDOWS = 9, ///< of a base: windows and epochs of the world that comes next, in words
                           ///< (daemon/serving/epochs.h)
    RP_RECORD_EPOCH = 10,  ///< a world has another epoch: uint64_t, then its name
    RP_RECORD_LOST = 11,   ///< a change by PUB that could not be made is lost: a packed Change that
                           ///< says whose and which one, and no cells

    // what the journal writes and reads for itself
    RP_RECORD_MARK = 64,     ///< of a log: on the disk up to this number (uint64_t)
    RP_RECORD_CLOSED = 65,   ///< of a log: an orderly end
    RP_RECORD_FOLLOWED = 66, ///< of a log, its last: the next one is there
    RP_RECORD_FORMAT = 67,   ///< records from here on follow the checks of this format (uint32_t)
    RP_RECORD_GAP = 68,      ///< of no file: salvage found records of a base that it cannot read
} rp_record_kind_t;

typedef struct rp_record {
    rp_record_kind_t kind;
    uint64_t wall_us;     ///< when it was so, since 1970
    const uint8_t *bytes; ///< borrowed [size]
    size_t size;
    uint64_t number; ///< as it was read, from 1; of plain ones: by their place
    unsigned format; ///< as it was read: whose checks it follows
    bool is_of_base; ///< as it was read
    bool is_lost;    ///< salvage: whole, but behind damage
} rp_record_t;

/// Bytes of a plain record in a file, besides its own.
#define RP_RECORD_HEAD 20u

/// The same of any record at most.
#define RP_RECORD_HEAD_MOST 32u

/// The plain record that begins at a place.
/// @param at      no more than `size`
/// @param record  written, borrows the bytes; means nothing when false is returned
/// @return false when there is no whole one, or its check sum differs
bool rp_record_at(const uint8_t *bytes, size_t size, size_t at, rp_record_t *record);

/// Find the next whole plain record of a state at or behind a place, whatever stands before it.
/// Time: O(size - at) as a rule; it looks into each that has a kind and a length of a record
/// @return `size` when there is none
size_t rp_record_find(const uint8_t *bytes, size_t size, size_t at);

// ---- records of one file, one after the other

typedef struct rp_series {
    bool is_numbered;
    uint32_t key;    ///< of the file
    uint32_t sum;    ///< CRC-32 of the file's head, if told, and of all heads since
    uint64_t number; ///< of the next record
} rp_series_t;

/// Bytes of a record's head.
size_t rp_series_head(const rp_series_t *self);

typedef enum rp_record_look {
    RP_RECORD_WHOLE,
    RP_RECORD_CUT,  ///< the file ends in its head, or its head is right and its body is cut
    RP_RECORD_BAD,  ///< its head is wrong, or its body is
    RP_RECORD_ENDS, ///< the file ends here
} rp_record_look_t;

/// Look at the record that begins at a place; a whole one counts.
/// @param at      no more than `size`
/// @param record  written if it is whole, borrows the bytes
rp_record_look_t rp_series_next(rp_series_t *self, const uint8_t *bytes, size_t size, size_t at,
                                rp_record_t *record);

/// Find the next whole numbered record at or behind a place, whatever stands before it.
/// Time: O(size - at)
/// @param series  written if there is one: it goes on there, `sum` means nothing
/// @return `size` when there is none
size_t rp_series_find(rp_series_t *self, const uint8_t *bytes, size_t size, size_t at,
                      rp_record_t *record);

// ---- writing

/// A file that records are appended to. Its opener closes it, and frees `gathered`.
typedef struct rp_sink {
    int file;          ///< -1: there is none
    uint64_t bytes;    ///< that it holds
    uint8_t *gathered; ///< records that wait to be written, owned [capacity]
    size_t size;
    size_t capacity;
    rp_series_t series;    ///< of all that was added
    rp_series_t written;   ///< of what is in the file
    const rp_disk_t *disk; ///< NULL: the system's
} rp_sink_t;

/// Add a record, to be written by and by. @return false without memory
bool rp_sink_add(rp_sink_t *self, const rp_record_t *record);

/// Write what was added. @return false with errno when that fails: nothing of it stays in the file
bool rp_sink_pour(rp_sink_t *self);

/// Write a record that is large, and what was added before it, without gathering its bytes.
/// @return as rp_sink_pour()
bool rp_sink_pass(rp_sink_t *self, const rp_record_t *record);

/// Write all of these bytes. @return false with errno
bool rp_write_all(const rp_disk_t *disk, int file, const void *bytes, size_t size);

#endif
