/// @file
/// Staged request: a long message that is being worked on. What takes time is done in slices, while
/// everything else goes on; then the message is handled in one go, like a short one.
///
///     note      its bytes, if they are many, go to the journal in parts, which are void without
///               their end
///     move      words that stand at an odd address come to an even one, within the buffer
///     place     cells of an older window become those of the newest, where they stand
///     prepare   a draft of the change, the shapes, the window; the bytes of the world to be;
///               poses, one after the other
///     handle    by its handler, who finds done what was prepared; its end is noted, the reply goes
///               out
///
/// Messages about the same world, or from the same peer, wait in the queue meanwhile
/// (request_queue.h). A slice is measured in expansions, never in time, so that the replay of a
/// recording does the same.
#ifndef REPLAN_DAEMON_REQUESTS_STAGED_REQUEST_H
#define REPLAN_DAEMON_REQUESTS_STAGED_REQUEST_H

#include "daemon/requests/call.h"
#include "daemon/requests/window_shift.h"
#include "daemon/serving/request_queue.h"

/// Shorter messages are handled when they come: they take some milliseconds at worst.
#define RP_STAGED_FROM_BYTES ((size_t)512 << 10)

/// A pose, and a shape, take as long as so many bytes.
#define RP_POSE_BYTES  1024u
#define RP_SHAPE_BYTES 1024u

typedef struct rp_staged_request {
    rp_arena_t arena;                 ///< of the message
    ProtobufCMessage *message;        ///< a Request, a Change or Poses
    Replan__V1__Change *change;       ///< that it brings, if any
    Replan__V1__CreateWorld *create;  ///< the same
    Replan__V1__Poses *poses;         ///< the same
    const Replan__V1__Overlay *put;   ///< the same, of shapes
    const Replan__V1__Resize *resize; ///< the same
    rp_request_body_t body;           ///< of a change, that is being hashed
    bool is_repeat;                   ///< it is one: nothing is left to do
    size_t noted;                     ///< bytes of the buffer that are in the journal
    bool is_lost;            ///< they cannot be kept: what is published is taken all the same
    size_t moved;            ///< bytes of the words that stand where they should
    rp_window_shift_t shift; ///< from the window that a change names, when it is known
    bool is_begun;           ///< it was looked for
    bool has_shift;          ///< it is not the newest
    bool is_placed;          ///< its cells are those of the newest window, and lie inside
    size_t placed;           ///< cells that were looked at
    uint64_t dropped;        ///< cells that lie outside of a window since
    bool has_staged_edit;    ///< it was asked for
    rp_edit_t edit;          ///< that the draft is of, or
    rp_overlay_edit_t overlay;
    rp_window_t window;
    rp_staged_edit_t *staged_edit; ///< owned; NULL: there is none
    uint8_t *bytes;                ///< of a world to be, owned; NULL: there are none
    size_t copied;                 ///< of them
    size_t posed;                  ///< poses that were taken
    rp_refusal_t stale;            ///< of poses that were left out
    rp_refusal_t refusal;          ///< of its peer or publisher, before it came to be handled
} rp_staged_request_t;

/// True when a request is to be staged.
bool rp_request_is_long(const rp_daemon_t *self, const Replan__V1__Request *request, size_t size);

/// The same of poses. @param count  how many
bool rp_poses_are_long(const rp_daemon_t *self, size_t count);

/// Begin. @return NULL without memory
rp_staged_request_t *rp_staged_request_new(const rp_queued_t *queued);
void rp_staged_request_destroy(rp_staged_request_t **self);

/// What was made ready for it. @param queued  NULL: it is short
/// @return NULL when there is none
static inline rp_staged_edit_t *rp_staged_request_draft(const rp_queued_t *queued)
{
    return queued != NULL ? queued->staged->staged_edit : NULL;
}

/// True when its bytes go to the journal in parts: else it is noted as whatever is short.
bool rp_staged_request_is_in_parts(const rp_staged_request_t *self);

/// Go on with it, until it is ready to be handled.
/// @param budget  counted down, in expansions that take as long
/// @return true when it is
bool rp_staged_request_work(rp_daemon_t *daemon, const rp_queued_t *queued, uint64_t *budget);

#endif
