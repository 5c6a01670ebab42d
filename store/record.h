/// @file
/// Records of a journal (journal.h) as bytes of a file: a head with a check sum, and what it is
/// about; and a file that they are appended to.
#ifndef REPLAN_DAEMON_RECORD_H
#define REPLAN_DAEMON_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
} rp_record_kind_t;

typedef struct rp_record {
    rp_record_kind_t kind;
    uint64_t wall_us;     ///< when it was so, since 1970
    const uint8_t *bytes; ///< borrowed [size]
    size_t size;
} rp_record_t;

/// Bytes of a record in a file, besides its own.
#define RP_RECORD_HEAD 20u

/// The record that begins at a place.
/// @param at      no more than `size`
/// @param record  written, borrows the bytes; means nothing when false is returned
/// @return false when there is no whole one, or its check sum differs
bool rp_record_at(const uint8_t *bytes, size_t size, size_t at, rp_record_t *record);

/// A file that records are appended to. Whoever opened the file closes it, and frees `gathered`.
typedef struct rp_sink {
    int file;          ///< -1: there is none
    uint64_t bytes;    ///< that it holds
    uint8_t *gathered; ///< records that wait to be written, owned [capacity]
    size_t size;
    size_t capacity;
} rp_sink_t;

/// Add a record, to be written by and by. @return false without memory
bool rp_sink_add(rp_sink_t *self, const rp_record_t *record);

/// Write what was added. @return false with errno when that fails: nothing of it stays in the file
bool rp_sink_pour(rp_sink_t *self);

/// Write a record that is large, and what was added before it, without gathering its bytes.
/// @return as rp_sink_pour()
bool rp_sink_pass(rp_sink_t *self, const rp_record_t *record);

/// Write all of these bytes. @return false with errno
bool rp_write_all(int file, const void *bytes, size_t size);

#endif
