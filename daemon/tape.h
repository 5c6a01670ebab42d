/// @file
/// A tape (`--record FILE`): all that comes into a daemon from outside, in its order. Messages, the
/// clocks, the maps, and what became of each send. A daemon without threads and without a state
/// folder follows from these alone, so that it says the same bytes when the tape is played
/// (replay.h, `--replay FILE`).
///
///     tape = begin *(event [result])     records of a file, as in record.h
///
/// A tape that cannot be written ends; the daemon goes on. NULL for a tape: nothing is recorded.
#ifndef REPLAN_DAEMON_TAPE_H
#define REPLAN_DAEMON_TAPE_H

#include "daemon/daemon.h"

/// Kinds of records; the layout of each is told at its function.
typedef enum rp_tape_kind {
    RP_TAPE_BEGIN = 16,
    RP_TAPE_NOW,
    RP_TAPE_MAP,
    RP_TAPE_REQUEST,
    RP_TAPE_CHANGE,
    RP_TAPE_POSE,
    RP_TAPE_MALFORMED,
    RP_TAPE_LEFT,
    RP_TAPE_OUTSIDE,
    RP_TAPE_WORK,
    RP_TAPE_RESULT, ///< of the event before it: rp_tape_said_t, walls, losses
} rp_tape_kind_t;

/// What a daemon is made with.
typedef struct rp_tape_begin {
    char version[32]; ///< of replan
    char planner[RP_LIMIT_NAME + 1u];
    uint32_t check_every;
    uint64_t memory_bytes;
} rp_tape_begin_t;

/// What was said during an event: packed into a RP_TAPE_RESULT, then its walls and losses.
typedef struct rp_tape_said {
    uint64_t messages;
    uint64_t bytes;
    uint32_t sum;    ///< CRC-32 of them: peers and topics, too
    uint32_t walls;  ///< clocks that were read for stamps: uint64_t each, microseconds since 1970
    uint32_t sends;  ///< to single peers
    uint32_t losses; ///< of these, those that were not taken: rp_tape_loss_t each
} rp_tape_said_t;

/// A send that was not taken.
typedef struct rp_tape_loss {
    uint32_t index; ///< among the sends of the event
    uint32_t sent;  ///< rp_sent_t
} rp_tape_loss_t;

/// Count a message among what was said. @param to  the peer's frames, or the topic
void rp_tape_said_add(rp_tape_said_t *self, const void *to, size_t to_size, const void *bytes,
                      size_t size);

typedef struct rp_tape rp_tape_t;

/// @param file  made, or emptied
/// @param error  written on failure: a sentence [room]
/// @return NULL on failure
rp_tape_t *rp_tape_open(const char *file, const rp_tape_begin_t *begin, char *error, size_t room);

/// All of it is in the file then.
void rp_tape_close(rp_tape_t **self);

/// What the daemon says goes this way, and is noted. @param to  copied
rp_transport_t rp_tape_transport(rp_tape_t *self, const rp_transport_t *to);

// ---- what comes in, each told before the daemon hears of it

/// rp_now_t.
void rp_tape_now(rp_tape_t *self, const rp_now_t *now);

/// uint32_t width, uint32_t height, name with its end, factors [width * height].
void rp_tape_map(rp_tape_t *self, const char *name, uint32_t width, uint32_t height,
                 const uint8_t *factors);

/// uint32_t frame_count, uint32_t size, uint64_t connection, the peer's bytes [size], body.
void rp_tape_request(rp_tape_t *self, const rp_peer_t *peer, const void *body, size_t size);

/// uint32_t topic_size, topic, body. @param kind  RP_TAPE_CHANGE or RP_TAPE_POSE
void rp_tape_published(rp_tape_t *self, rp_tape_kind_t kind, const void *topic, size_t topic_size,
                       const void *body, size_t size);

/// uint64_t: the number of a connection that is gone.
void rp_tape_left(rp_tape_t *self, uint64_t connection);

/// Two texts, each with its end.
void rp_tape_malformed(rp_tape_t *self, const char *socket, const char *sentence);

/// rp_stats_outside_t, when one of them is another than before.
void rp_tape_outside(rp_tape_t *self, const rp_stats_outside_t *outside);

/// uint64_t budget.
void rp_tape_work(rp_tape_t *self, uint64_t budget);

/// A round is over: what was noted is written.
void rp_tape_pour(rp_tape_t *self);

#endif
