/// @file
/// Connection to a daemon: one DEALER socket, with detection of a broken connection. Moves frames;
/// the client interprets them.
#ifndef REPLAN_CLIENT_LINE_H
#define REPLAN_CLIENT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zmq.h>

/// All zero: not open.
typedef struct rp_line {
    void *context;
    void *socket;
    void *monitor;   ///< tells when the line breaks, and when the next one is there
    int fd;          ///< edge-triggered, as ZeroMQ's is
    int monitor_fd;  ///< the same of the monitor
    uint32_t breaks; ///< that were noticed; each begins another line
    bool is_down;    ///< the line broke, and the next one is not there yet
} rp_line_t;

/// @return false without sockets or memory
bool rp_line_open(rp_line_t *self, uint32_t timeout_ms);

/// Accepts one that is half open, or not at all.
void rp_line_close(rp_line_t *self);

/// @return false when this is not an endpoint
bool rp_line_connect(rp_line_t *self, const char *endpoint);

/// Wait until the other side shook hands: before that nothing can be sent. @return false in vain
bool rp_line_await(rp_line_t *self, uint32_t timeout_ms);

/// Look, and after a break wait until the next line is there. ZeroMQ tells a break before its
/// socket lets go of the old line, and what is sent there is lost.
/// @return false in vain
bool rp_line_settle(rp_line_t *self, uint32_t timeout_ms);

/// @param may_wait  as long as rp_line_open() was told
/// @return false when it did not leave
bool rp_line_send(rp_line_t *self, const void *bytes, size_t size, bool may_wait);

typedef enum rp_line_event {
    RP_LINE_FRAME,
    RP_LINE_NOTHING, ///< the deadline, or a signal
    RP_LINE_BROKE,   ///< the line broke
} rp_line_event_t;

/// The last frame of the next message. What came before the line broke is read before the break is
/// told.
/// @param deadline_ms  of rp_line_now_ms(); -1: never
/// @param frame        written with RP_LINE_FRAME, to be closed by the caller
rp_line_event_t rp_line_receive(rp_line_t *self, int64_t deadline_ms, zmq_msg_t *frame);

/// @return true when the line broke since the last look
bool rp_line_look(rp_line_t *self);

/// A clock that goes on steadily.
int64_t rp_line_now_ms(void);

/// @return milliseconds until the deadline, as zmq_poll() wants them: at least 0, -1 for never
long rp_line_left_ms(int64_t deadline_ms);

#endif
