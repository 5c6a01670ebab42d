/// @file
/// Inside of a client, for the files that share it: client.c sends requests, events.c hands out
/// what comes, own_watches.c opens watches and opens them again.
#ifndef REPLAN_CLIENTS_C_CALLER_H
#define REPLAN_CLIENTS_C_CALLER_H

#include "clients/c/frame_queue.h"
#include "clients/c/line.h"
#include "clients/c/paths.h"
#include "clients/c/windows.h"
#include "msgs/codec.h"
#include "replan/client.h"
#include "replan/mirror.h"

/// The daemon says TIMEOUT itself at the deadline; wait a little longer to hear it.
#define RP_CALLER_GRACE_MS 500u

/// How far a watch that resumes has come since it broke.
typedef enum rp_watch_stage {
    RP_WATCH_BOUND,       ///< the daemon knows it
    RP_WATCH_BROKEN,      ///< nothing was asked yet, or it is to be asked again later
    RP_WATCH_ASKS_WORLDS, ///< is its world there?
    RP_WATCH_ASKS_AGENT,  ///< is this one of its agents there?
    RP_WATCH_ASKS_WATCH,
} rp_watch_stage_t;

typedef struct rp_watch_place {
    uint32_t id;     ///< that the owner knows; 0: free
    uint32_t number; ///< that the daemon knows; 0: none
    uint32_t credit; ///< granted; half of it spent is renewed
    uint32_t spent;  ///< handed out since the last renewal
    uint32_t line;   ///< the line on which it was asked for, by `breaks`
    bool splices;    ///< its answers build upon each other

    // Of one that resumes.
    Replan__V1__Watch *body; ///< owned; NULL: a break ends it
    rp_mirror_t *mirror;     ///< borrowed: it is fed with what comes; NULL: none
    rp_watch_stage_t stage;
    uint64_t asked;     ///< id of the request under way
    size_t agent;       ///< number of the one that is asked for
    int64_t broke_ms;   ///< by rp_line_now_ms()
    int64_t retry_ms;   ///< not asked again before; while asked: then without a reply
    uint64_t epoch;     ///< of the newest that was handed out; 0: nothing was
    uint64_t version;   ///< likewise
    uint64_t now_epoch; ///< of the world that is there
    uint64_t now_version;
    bool is_told_gone; ///< the owner was told that its world is gone
    bool is_repaired;  ///< it was asked for anew because its mirror had a hole, not because of a
                       ///< break
    char missing[240]; ///< agents that the last break lost, in words
    char lost[700];    ///< all that it lost
} rp_watch_place_t;

/// A request of rp_client_send() without a polled reply.
typedef struct rp_sent_request {
    uint64_t id;
    rp_named_t named;
} rp_sent_request_t;

/// A message that is lent out, until the next one takes its place.
typedef struct rp_loan {
    rp_message_arena_t arena;
    zmq_msg_t frame; ///< it came in this: long fields of bytes still lie there
} rp_loan_t;

struct rp_client {
    rp_line_t line;
    uint32_t connect_ms;
    uint64_t next_id; ///< starts at random, too
    uint64_t life;    ///< random: ids of another run are not taken for this one's
    rp_sent_request_t waiting[RP_CLIENT_WINDOW];
    uint32_t waiting_count;
    rp_watch_place_t watches[RP_CLIENT_WATCHES];
    uint32_t resuming; ///< watches that resume, ever opened
    rp_frame_queue_t inbox;
    rp_frame_queue_t early; ///< of watches that are being asked for again, before the reply
    rp_paths_t paths;       ///< of watches with splices
    rp_heard_windows_t windows;
    const Replan__V1__Answers *batch; ///< answers that are handed out one by one; NULL: none
    size_t batch_next;
    uint32_t batch_watch;
    bool is_lost;        ///< the line broke, and the owner was not told yet
    size_t before_break; ///< frames of the inbox that came before; they are handed out first
    uint32_t sent_on;    ///< line on which the newest request was sent, by `breaks`
    rp_loan_t event;
    rp_loan_t reply;
    rp_buffer_t packed;
    double *points_m; ///< of the answer that was told last: all x, then all y; owned
    size_t points_capacity;
    char sentence[800];
};

/// @return status, so that a failure is one line
rp_client_status_t rp_caller_fail(rp_client_t *self, rp_client_status_t status, const char *format,
                                  ...) __attribute__((format(printf, 3, 4)));
rp_client_status_t rp_caller_refuse_null(rp_client_t *self, const char *argument);

/// Look whether the line broke. A break is told by rp_client_poll(), whoever notices it.
/// @return true when it did since the last look
bool rp_caller_look(rp_client_t *self);

/// The same when nothing has come.
rp_line_event_t rp_caller_receive(rp_client_t *self, int64_t deadline_ms, zmq_msg_t *frame);

/// @param frame  given
const Replan__V1__ToClient *rp_caller_unpack(rp_loan_t *loan, zmq_msg_t *frame);

/// @return its place in `waiting`, waiting_count when it is not there
uint32_t rp_caller_find_waiting(const rp_client_t *self, uint64_t id);

/// Send on the line that is there. After a break: when the next one is.
/// @param named  written: whose window it names, or makes
rp_client_status_t rp_caller_send(rp_client_t *self, Replan__V1__Request *request, bool may_wait,
                                  rp_named_t *named);

#endif
