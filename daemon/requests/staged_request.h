/// @file
/// Staged request: a long message that is being worked on. What takes time is done in slices, while
/// everything else goes on; then the message is handled in one go, like a short one.
///
///     note      its bytes, if they are many, go to the journal in parts, which are void without
///               their end
///     move      words that stand at an odd address come to an even one, within the buffer
///     place     cells of an older window become those of the newest, where they stand
///     prepare   a staged edit of the change, the shapes, the window; the bytes of the world to be;
///               poses, one after the other; agents of an order, which is noted as far as it went;
///               agents of a world that goes are closed
///     handle    by its handler, who finds done what was prepared; its end is noted, the reply goes
///               out
///
/// Messages about the same world, or from the same peer, wait in the queue meanwhile
/// (request_queue.h). A slice is measured in expansions, never in time, so that the replay of a
/// recording does the same.
#ifndef REPLAN_DAEMON_REQUESTS_STAGED_REQUEST_H
#define REPLAN_DAEMON_REQUESTS_STAGED_REQUEST_H

#include "daemon/rules/prepared.h"
#include "daemon/rules/window_shift.h"
#include "daemon/serving/request_queue.h"

/// Shorter messages are handled when they come: they take some milliseconds at worst.
#define RP_STAGED_FROM_BYTES ((size_t)512 << 10)

/// A pose, and a shape, take as long as so many bytes.
#define RP_POSE_BYTES  1024u
#define RP_SHAPE_BYTES 1024u

typedef struct rp_staged_request {
    rp_message_arena_t arena;              ///< of the message
    ProtobufCMessage *message;             ///< a Request, a Change or Poses
    Replan__V1__Change *change;            ///< that it brings, if any
    Replan__V1__CreateWorld *create;       ///< the same
    Replan__V1__Poses *poses;              ///< the same
    const Replan__V1__Order *order;        ///< the same
    const Replan__V1__Overlay *put;        ///< the same, of shapes
    const Replan__V1__Resize *resize;      ///< the same
    const Replan__V1__RemoveWorld *remove; ///< the same
    rp_request_body_t body;                ///< of a change, that is being hashed
    bool is_repeat;                        ///< it is one: nothing is left to do
    size_t noted;                          ///< bytes of the buffer that are in the journal
    bool is_lost;            ///< they cannot be kept: what is published is taken all the same
    size_t moved;            ///< bytes of the words that stand where they should
    rp_window_shift_t shift; ///< from the window that a change names, when it is known
    bool is_begun;           ///< it was looked for
    bool has_shift;          ///< it is not the newest
    size_t placed;           ///< cells that were looked at
    bool has_staged_edit;    ///< it was asked for
    rp_overlay_edit_t overlay;
    rp_window_t window;
    size_t copied;          ///< of them
    rp_prepared_t prepared; ///< for its handler
    rp_refusal_t stale;     ///< of poses that were left out
    rp_refusal_t refusal;   ///< of its peer or publisher, before it came to be handled
} rp_staged_request_t;

/// What takes long of each kind that may; the table of requests (request_table.h) says which is
/// which.
/// @param size  of the packed request
/// @param long_from  bytes from which a message is long
bool rp_staged_request_has_many_bytes(const rp_serving_t *serving,
                                      const Replan__V1__Request *request, size_t size,
                                      size_t long_from);
bool rp_staged_request_has_many_poses(const rp_serving_t *serving,
                                      const Replan__V1__Request *request, size_t size,
                                      size_t long_from);
bool rp_staged_request_has_many_sent(const rp_serving_t *serving,
                                     const Replan__V1__Request *request, size_t size,
                                     size_t long_from);
bool rp_staged_request_has_many_shapes(const rp_serving_t *serving,
                                       const Replan__V1__Request *request, size_t size,
                                       size_t long_from);
bool rp_staged_request_has_many_agents(const rp_serving_t *serving,
                                       const Replan__V1__Request *request, size_t size,
                                       size_t long_from);
bool rp_staged_request_has_large_window(const rp_serving_t *serving,
                                        const Replan__V1__Request *request, size_t size,
                                        size_t long_from);

/// The same of published poses. @param count  how many
bool rp_staged_request_are_many(size_t count, size_t long_from);

/// Begin. @return NULL without memory
rp_staged_request_t *rp_staged_request_new(const rp_queued_t *queued);
void rp_staged_request_destroy(rp_staged_request_t **self);

/// True when its bytes go to the journal in parts: else it is noted as whatever is short.
bool rp_staged_request_is_in_parts(const rp_staged_request_t *self);

/// Go on with it, until it is ready to be handled.
/// @param budget  counted down, in expansions that take as long
/// @return true when it is
bool rp_staged_request_work(rp_serving_t *serving, const rp_queued_t *queued, uint64_t *budget);

#endif
