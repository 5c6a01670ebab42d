/// @file
/// Partial message: what a connection has sent of a message whose end has not come. ZeroMQ keeps
/// the parts of a message until the last, and limits the length of each, not their number. It tells
/// nobody of them; but the system says what has come over a connection, and each message that ends
/// says whose it was. Between two looks at a connection there is one of
///
///     a message ended          nothing is unfinished but what came since: counting begins anew
///     none ended, and          what had come at the look before is no whole message: whole ones
///     everybody had a turn     were taken out meanwhile. So much of it is certain
///     none ended               nothing new is known
///
/// A local socket does not say what has come over it, only what waits to be read.
#ifndef REPLAN_DAEMON_CONNECTIONS_PARTIAL_MESSAGE_H
#define REPLAN_DAEMON_CONNECTIONS_PARTIAL_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

/// What may come each second without being of any message: heartbeats, of both sides.
#define RP_PARTIAL_MESSAGE_HEARTBEATS 16u

/// A local socket is the offender's when bytes wait in so many looks and no message ends.
#define RP_PARTIAL_MESSAGE_LOOKS 10u

/// All zero: a connection that is new.
typedef struct rp_partial_message {
    uint64_t finished;      ///< messages that ended; counted by the owner
    uint64_t finished_seen; ///< of these, at the last look
    uint64_t base;          ///< bytes that had come when the last of them was seen
    uint64_t seen;          ///< bytes that had come at turn `seen_turn`
    uint64_t seen_turn;
    uint64_t certain;     ///< bytes that are of no message that ended
    uint64_t since_us;    ///< when `base` was taken
    uint64_t blamed;      ///< bytes of memory that came to be while it sent (memory_blame.h)
    uint32_t waiting;     ///< looks at which bytes waited, since then
    uint32_t active;      ///< looks since then
    bool has_more_to_say; ///< of what was seen not all is certain yet: look again
} rp_partial_message_t;

/// What a look found.
typedef struct rp_partial_message_look {
    uint64_t received; ///< bytes that ZeroMQ has read; of a local socket 0
    bool is_waiting;   ///< bytes wait to be read
    uint64_t turn;     ///< of the socket: between two of them whoever has a whole message was heard
    uint64_t now_us;
} rp_partial_message_look_t;

/// @return bytes that are certain, as `certain`
uint64_t rp_partial_message_take(rp_partial_message_t *self, const rp_partial_message_look_t *look);

/// Who goes first where all hold too much: bytes by time, so that a message that has just begun
/// stays before one that others wait for.
double rp_partial_message_weight(const rp_partial_message_t *self, uint64_t held_bytes,
                                 uint64_t now_us);

#endif
