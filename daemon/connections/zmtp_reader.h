/// @file
/// ZMTP reader: where messages end in the bytes of a connection, by the framing of ZMTP 1.0, 2.0
/// and 3.x, read as libzmq 4.3 reads it. It keeps no bytes of messages, only their sizes, and takes
/// any bytes: where libzmq ends the connection, the rest is skipped.
///
///     greeting     not 0xff, or a tenth byte that is even: 1.0, and the greeting is its first
///     bytes
///                  revision 0 or 1: 12 bytes, then frames of 1.0 or 2.0; else 64 bytes, then 3.x
///     frame, 1.0   length 1 (or 0xff, length 8), flags 1, body: the length counts the flags, too
///     frame, else  flags 1, length 1 (8 if the flags say so), body
#ifndef REPLAN_DAEMON_CONNECTIONS_ZMTP_READER_H
#define REPLAN_DAEMON_CONNECTIONS_ZMTP_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes of the greeting that decide how the rest is read.
#define RP_ZMTP_GREETING 12u

typedef struct rp_zmtp_size {
    uint64_t frames; ///< those that are whole
    uint64_t bytes;  ///< of bodies
} rp_zmtp_size_t;

/// All zero: nothing came yet.
typedef struct rp_zmtp_reader {
    rp_zmtp_size_t unfinished; ///< what came of the message whose end has not
    uint64_t size;             ///< of the body at hand
    uint64_t left;             ///< bytes until the step at hand ends
    uint8_t step;
    uint8_t flags; ///< of the frame at hand
    uint8_t first; ///< byte of its body
    uint8_t greeted;
    uint8_t greeting[RP_ZMTP_GREETING]; ///< [greeted]
} rp_zmtp_reader_t;

/// The next byte belongs to a body of which some came before.
bool rp_zmtp_reader_is_within(const rp_zmtp_reader_t *self);

/// Bytes came. A command that is not part of a message counts as a message of its own if it
/// subscribes or cancels, and else not at all.
/// @param bytes  [size]
/// @param ended  added to: what the messages that ended with these bytes have
/// Time: O(frames)
void rp_zmtp_reader_take(rp_zmtp_reader_t *self, const uint8_t *bytes, size_t size,
                         rp_zmtp_size_t *ended);

#endif
