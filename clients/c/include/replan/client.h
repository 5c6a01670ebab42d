/// @file
/// Client of repland: requests and their replies, watches and their events. The common calls, which
/// need no message filled in, stand in client_calls.h, which this header includes:
///
///     rp_client_t *client = NULL;
///     rp_client_path_t path;
///     if (rp_client_open(RP_CLIENT_CONTROL, 1500, &client) == RP_CLIENT_OK &&
///         rp_client_answer(client, "arena", "scout", &path) == RP_CLIENT_OK) {
///         printf("%s, %zu points\n", path.outcome, path.count);
///     }
///
/// What they leave out is a message of the wire:
///
///     rp_client_t *client = NULL;
///     if (rp_client_open(RP_CLIENT_CONTROL, 1500, &client) != RP_CLIENT_OK) { ... }
///     Replan__V1__GetAnswer get = REPLAN__V1__GET_ANSWER__INIT;
///     Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
///     const Replan__V1__Reply *reply;
///     get.world = (char *)"arena";
///     get.agent = (char *)"scout";
///     request.body_case = REPLAN__V1__REQUEST__BODY_GET_ANSWER;
///     request.get_answer = &get;
///     if (rp_client_call(client, &request, &reply) != RP_CLIENT_OK) {
///         fputs(rp_client_sentence(client), stderr);
///     }
///
/// Cells are cells of the window of the world whose geometry came last: in an answer, a chunk, a
/// delta, or the reply to a Resize, CreateWorld or ListWorlds; if none came, of the window that the
/// first change was for. Changes, probes and paths that name no window are sent with that one, so
/// they land where they were meant to when somebody else shifts the world. If that window is GONE,
/// the reply says so once and names the present one; what follows is for the newest.
///
/// A client is one socket, and belongs to one thread. The messages are those of
/// msgs/replan.proto, as protobuf-c generates them; positions in them are metres in the world's
/// frame, cells are y * width + x.
///
/// `self` must come from rp_client_open(); that is not checked. Any other NULL is refused with
/// RP_CLIENT_E_INVALID, or by false or 0, except where its meaning is documented.
#ifndef REPLAN_CLIENT_H
#define REPLAN_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "replan.pb-c.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where repland listens unless it is told otherwise.
#define RP_CLIENT_CONTROL "tcp://127.0.0.1:7403"

/// How long a request without a deadline_ms of its own may take.
#define RP_CLIENT_DEADLINE_MS 5000u

/// Requests of rp_client_send() that may wait for their replies at the same time: what the daemon
/// allows, but for one place that is left for rp_client_call().
#define RP_CLIENT_WINDOW 63u

/// Watches of one client.
#define RP_CLIENT_WATCHES 64u

/// Events that a watch without a credit of its own may be ahead of its reader.
#define RP_CLIENT_CREDIT 256u

typedef enum rp_client_status {
    RP_CLIENT_OK = 0,
    RP_CLIENT_E_NO_DAEMON = -1, ///< nobody answered in time, or the line broke
    RP_CLIENT_E_REFUSED = -2,   ///< the daemon said no; the sentence says why
    RP_CLIENT_E_FULL = -3,      ///< RP_CLIENT_WINDOW or RP_CLIENT_WATCHES is reached
    RP_CLIENT_E_INVALID = -4,   ///< not an endpoint, or a request that cannot be sent
    RP_CLIENT_E_MEMORY = -5,
    RP_CLIENT_E_TIMEOUT = -6, ///< nothing came in time
} rp_client_status_t;

typedef struct rp_client rp_client_t;

/// Connect and wait until a daemon shook hands.
/// @param control     endpoint of its control socket
/// @param timeout_ms  how long to wait for it
/// @param client      written on success only; owned by the caller
/// @return RP_CLIENT_E_NO_DAEMON, RP_CLIENT_E_INVALID for an endpoint that is none, or
///         RP_CLIENT_E_MEMORY
rp_client_status_t rp_client_open(const char *control, uint32_t timeout_ms, rp_client_t **client);

/// What is wrong with an endpoint, for people: "has no scheme: ..". Static text.
const char *rp_client_endpoint_fault(const char *endpoint);

/// Ends its watches too. Accepts NULL.
void rp_client_close(rp_client_t **self);

/// Why the last call on this client failed, for people; borrowed until the next call.
const char *rp_client_sentence(const rp_client_t *self);

/// A word for a status: "no daemon".
const char *rp_client_status_text(rp_client_status_t status);

// ---- requests

/// Send a request and wait for its reply. What else arrives meanwhile is kept for rp_client_poll().
/// A message holds 20 MiB. A CreateWorld or a Resize whose bytes are more begins with a byte that
/// blocks, and its bytes follow in changes of 8 MiB: several requests, each with the deadline; the
/// reply is the last one. When one of them fails, what is not stated yet blocks. Any other message
/// that is larger is refused with RP_CLIENT_E_INVALID, as it is one version or none.
/// @param request  borrowed; its id is filled in, and a deadline_ms of 0 becomes
///                 RP_CLIENT_DEADLINE_MS
/// @param reply    written with RP_CLIENT_OK and RP_CLIENT_E_REFUSED, borrowed until the next
///                 rp_client_call(); may be NULL
/// @return RP_CLIENT_E_REFUSED when the reply's status is not OK, RP_CLIENT_E_NO_DAEMON
rp_client_status_t rp_client_call(rp_client_t *self, Replan__V1__Request *request,
                                  const Replan__V1__Reply **reply);

/// Send a request and go on: its reply comes out of rp_client_poll() with the same id. Replies may
/// come in another order than their requests. One that is larger than a message (20 MiB) is refused
/// with RP_CLIENT_E_INVALID, a CreateWorld or a Resize, too.
/// @param id  written on success; may be NULL
/// @return RP_CLIENT_E_FULL when RP_CLIENT_WINDOW replies were not yet polled,
///         RP_CLIENT_E_NO_DAEMON
rp_client_status_t rp_client_send(rp_client_t *self, Replan__V1__Request *request, uint64_t *id);

/// Requests sent whose replies were not yet polled.
uint32_t rp_client_pending(const rp_client_t *self);

// ---- watches

/// Ask for answers, and with `map` for the world itself, as they change. Credit is renewed as the
/// events are polled, so a slow reader gets the newest answers and never a backlog. With `splices`
/// the daemon sends only what is new of a path; answers are handed out whole all the same, and the
/// client keeps the newest path of each agent for that.
/// @param watch  borrowed; a credit of 0 becomes RP_CLIENT_CREDIT
/// @param id     written on success: events carry it
/// @return RP_CLIENT_E_REFUSED, RP_CLIENT_E_NO_DAEMON, RP_CLIENT_E_FULL
rp_client_status_t rp_client_watch(rp_client_t *self, Replan__V1__Watch *watch, uint32_t *id);

struct rp_mirror;

/// A watch that resumes: when the line breaks, rp_client_poll() asks for it again as soon as a
/// daemon is there, and says so with RP_CLIENT_RESUMED, or RP_CLIENT_GONE; rp_client_lost() says in
/// words what was lost. Agents that are named must be open.
/// @param watch   borrowed; a credit of 0 becomes RP_CLIENT_CREDIT
/// @param mirror  of a watch with `map`: rp_client_poll() lets it take what comes, and asks for the
///                whole map when it has a hole or another hash; borrowed until the watch is over;
///                NULL: none
/// @param id      written on success: events carry it
/// @return as rp_client_watch()
rp_client_status_t rp_client_follow(rp_client_t *self, Replan__V1__Watch *watch,
                                    struct rp_mirror *mirror, uint32_t *id);

/// What the last break lost of a watch that resumes; "" when there was none. Borrowed until the
/// next rp_client_poll().
const char *rp_client_lost(const rp_client_t *self, uint32_t id);

/// Nothing of this watch comes out of rp_client_poll() afterwards.
rp_client_status_t rp_client_unwatch(rp_client_t *self, uint32_t id);

// ---- events

typedef enum rp_client_event_kind {
    RP_CLIENT_NOTHING,
    RP_CLIENT_REPLY, ///< to a rp_client_send(); its status may be a refusal
    RP_CLIENT_ANSWER,
    RP_CLIENT_HEAD,
    RP_CLIENT_DELTA,
    RP_CLIENT_CHUNK,
    RP_CLIENT_ENDED,   ///< this watch is over; the sentence says why
    RP_CLIENT_LOST,    ///< the line broke: no reply to what was sent will come, all its watches are
                       ///< over but those that resume. The client reconnects by itself; watch again
                       ///< when a call succeeds. A watch that was opened since goes on.
    RP_CLIENT_RESUMED, ///< this watch goes on; rp_client_lost() says what was lost
    RP_CLIENT_GONE,    ///< a daemon is there, but not the world of this watch, which waits for it
} rp_client_event_kind_t;

/// The message is borrowed until the next rp_client_poll(); calls in between leave it alone.
typedef struct rp_client_event {
    rp_client_event_kind_t kind;
    uint32_t watch;       ///< which one; 0: none
    __extension__ union { // C99 knows none without a name
        const Replan__V1__Reply *reply;
        const Replan__V1__Answer *answer;
        const Replan__V1__Head *head;
        const Replan__V1__Delta *delta;
        const Replan__V1__Chunk *chunk;
        const Replan__V1__Ended *ended;
    };
} rp_client_event_t;

/// The next event, in the order of arrival.
/// @param timeout_ms  how long to wait; 0: not at all, -1: until there is one
/// @param event       always written
/// @return false with RP_CLIENT_NOTHING: the time is over, or a signal came
bool rp_client_poll(rp_client_t *self, int timeout_ms, rp_client_event_t *event);

/// A descriptor for an event loop of your own. It is edge-triggered, as ZeroMQ's is: when it
/// becomes readable, and after every other function of this client, rp_client_poll(self, 0, ...)
/// until it is false, or events are left lying.
int rp_client_fd(const rp_client_t *self);

/// For such a loop: milliseconds until rp_client_poll() is to be called even if the descriptor is
/// silent, as a watch waits to go on; -1: there is no need.
int rp_client_wake_ms(const rp_client_t *self);

// ---- answers

/// True when the answer has a path: found, partial, or arrived. Else its cost is -1.
bool rp_client_has_path(const Replan__V1__Answer *answer);

/// The cells of an answer's path, start first, as y * width + x. Steps over the edge of the world
/// come in again on the other side.
/// @param cells  written, borrowed [capacity]
/// @return the number of cells of the path, 0 without one; at most `capacity` are written
size_t rp_client_cells(const Replan__V1__Answer *answer, uint32_t *cells, size_t capacity);

/// The cells of the way out of a blocked cell: that of the agent first, then those that block and
/// are no obstacles, last the first cell of the path. Walk it before the path.
/// @param cells  written, borrowed [capacity]
/// @return the number of cells, 0 when no way is needed; at most `capacity` are written
size_t rp_client_way(const Replan__V1__Answer *answer, uint32_t *cells, size_t capacity);

/// Where the path bends: the middle of its first cell, of each cell at which its direction changes,
/// and of its last, in metres of the world's frame; between two of them it is a straight line. In a
/// world that wraps the line runs on beyond the edge. Nobody needs to be asked for it.
/// @param x_m, y_m  written, borrowed [capacity]
/// @param at        written: the number of steps, and so of cells, before the bend [capacity]
/// @return the number of bends, 0 without a path; at most `capacity` are written
size_t rp_client_bends(const Replan__V1__Answer *answer, double *x_m, double *y_m, uint32_t *at,
                       size_t capacity);

/// A place, and a direction: metres of the world's frame, radians from +x towards +y.
typedef struct rp_client_pose {
    double x_m;
    double y_m;
    double yaw;
} rp_client_pose_t;

/// The pose after so many metres along the curve of an agent with motion, whose segments the answer
/// has (`segment_x` and so on): at least that of its start, at most that of its end. Behind a turn
/// in place the pose after it is given.
/// @param pose  written on success
/// @return false when it has no segments
bool rp_client_pose_at(const Replan__V1__Answer *answer, double distance_m, rp_client_pose_t *pose);

/// Metres of all its segments, in either gear; 0 without any.
double rp_client_curve_length(const Replan__V1__Answer *answer);

/// The middle of a cell, y * width + x, in metres of the world's frame. Nothing is written for a
/// geometry that is NULL or has no columns.
void rp_client_middle(const Replan__V1__Geometry *geometry, uint32_t cell, double *x_m,
                      double *y_m);

/// Words for people: "found", "no_path", .. and "first", "invalid", ..
const char *rp_client_outcome_text(Replan__V1__Outcome outcome);
const char *rp_client_reason_text(Replan__V1__Reason reason);

#ifdef __cplusplus
}
#endif

#include "replan/client_calls.h"

#endif
