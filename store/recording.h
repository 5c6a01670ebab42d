/// @file
/// Recording (`repland --record FILE`): every input of a daemon in order, and after each input what
/// the daemon sent during it. The bytes of an event are defined by daemon/recorder.h.
///
///     recording = begin *(event [result])     plain records of a file, as in record.h
///
/// If an event cannot be written, the recording ends before it.
#ifndef REPLAN_STORE_RECORDING_H
#define REPLAN_STORE_RECORDING_H

#include "msgs/limits.h"
#include "store/record.h"

/// Kinds of records.
typedef enum rp_recording_kind {
    RP_RECORDING_BEGIN = 16, ///< rp_recording_begin_t
    RP_RECORDING_NOW,
    RP_RECORDING_MAP,
    RP_RECORDING_REQUEST,
    RP_RECORDING_CHANGE,
    RP_RECORDING_POSE,
    RP_RECORDING_MALFORMED,
    RP_RECORDING_LEFT,
    RP_RECORDING_OUTSIDE,
    RP_RECORDING_WORK,
    RP_RECORDING_RESULT, ///< of the event before it: rp_recording_result_t, walls, losses
} rp_recording_kind_t;

/// What a daemon is made with.
typedef struct rp_recording_begin {
    char version[32]; ///< of replan
    char planner[RP_LIMIT_NAME + 1u];
    uint32_t check_every;
    uint64_t memory_bytes;
} rp_recording_begin_t;

/// What was sent during an event.
typedef struct rp_recording_result {
    uint64_t messages;
    uint64_t bytes;
    uint32_t sum;    ///< CRC-32 of them: peers and topics, too
    uint32_t walls;  ///< clocks that were read for stamps: uint64_t each, microseconds since 1970
    uint32_t sends;  ///< to single peers
    uint32_t losses; ///< of these, those that were not taken: rp_recording_loss_t each
} rp_recording_result_t;

/// A send that was not taken.
typedef struct rp_recording_loss {
    uint32_t index; ///< among the sends of the event
    uint32_t sent;  ///< why (rp_sent_t of the daemon)
} rp_recording_loss_t;

/// Count a message among what was sent. @param to  the peer's frames, or the topic
void rp_recording_result_add(rp_recording_result_t *self, const void *to, size_t to_size,
                             const void *bytes, size_t size);

// ---- writing

typedef struct rp_recording rp_recording_t;

/// @param file  made, or emptied
/// @param error  written on failure: a sentence [room]
/// @return NULL on failure
rp_recording_t *rp_recording_open(const char *file, const rp_recording_begin_t *begin, char *error,
                                  size_t room);

/// All of it is in the file then.
void rp_recording_close(rp_recording_t **self);

/// Why it ended. @return NULL while it goes on
const char *rp_recording_error(const rp_recording_t *self);

/// Bytes that are in the file.
uint64_t rp_recording_bytes(const rp_recording_t *self);

/// A part of an event.
typedef struct rp_recording_part {
    const void *bytes; ///< borrowed [size]
    size_t size;
} rp_recording_part_t;

/// Something came. What was sent since the event before it goes behind that one.
void rp_recording_event(rp_recording_t *self, rp_recording_kind_t kind,
                        const rp_recording_part_t *parts, size_t count);

/// A message was sent to a single peer, or was not taken, or published. @param to  as above
void rp_recording_sent(rp_recording_t *self, const void *to, size_t to_size, const void *bytes,
                       size_t size);
void rp_recording_lost(rp_recording_t *self, uint32_t sent);
void rp_recording_published(rp_recording_t *self, const void *to, size_t to_size, const void *bytes,
                            size_t size);

/// A clock was read for a stamp.
void rp_recording_wall(rp_recording_t *self, uint64_t wall_us);

/// A round is over: what was noted is written.
void rp_recording_pour(rp_recording_t *self);

// ---- reading

/// An event and its result; borrows the bytes.
typedef struct rp_recorded {
    rp_record_t event; ///< its kind is a rp_recording_kind_t
    size_t at;         ///< where it begins
    bool has_result;
    bool is_last;                 ///< nothing whole stands behind it
    rp_recording_result_t result; ///< zeros without a result
    const uint8_t *walls;         ///< [result.walls] uint64_t, unaligned
    const uint8_t *losses;        ///< [result.losses] rp_recording_loss_t, unaligned
} rp_recorded_t;

typedef enum rp_recorded_look {
    RP_RECORDED,
    RP_RECORDED_ENDS,   ///< no whole event stands there
    RP_RECORDED_BROKEN, ///< its result is none
} rp_recorded_look_t;

/// The event at a place. @param at  no more than `size`; moved behind the event and its result
rp_recorded_look_t rp_recording_next(const uint8_t *bytes, size_t size, size_t *at,
                                     rp_recorded_t *recorded);

#endif
