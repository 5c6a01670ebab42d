/// @file
/// Request queue: inbound messages that wait for a long one that came before them, from the same
/// peer or about the same part of the same world. Served in the order of arrival; messages that
/// concern neither do not wait.
///
///     first -> [apply, 16 MiB, marsh, ann: in work]   [apply, marsh, bob]   [list_worlds, ann]
///     not queued: [pose, marsh, bob], [apply, moor, bob], handled when they come
#ifndef REPLAN_DAEMON_SERVING_REQUEST_QUEUE_H
#define REPLAN_DAEMON_SERVING_REQUEST_QUEUE_H

#include "daemon/net/peer.h"
#include "daemon/net/peer_quota.h"
#include "daemon/net/request_key.h"
#include "daemon/net/shared_buffer.h"
#include "replan/types.h"

/// What the queued messages may weigh, all of them and those of one sender (peer_quota.h): their
/// bytes, and RP_REQUEST_QUEUE_WEIGHT for each.
#define RP_REQUEST_QUEUE_BYTES  ((size_t)64 << 20)
#define RP_REQUEST_QUEUE_SENDER RP_PEER_QUOTA_PART(RP_REQUEST_QUEUE_BYTES)
#define RP_REQUEST_QUEUE_WEIGHT ((size_t)16 << 10)

typedef enum rp_inbound_kind {
    RP_INBOUND_REQUEST,
    RP_INBOUND_CHANGE, ///< published
    RP_INBOUND_POSE,   ///< published: a pose, a goal, or poses
} rp_inbound_kind_t;

struct rp_staged_request;

/// What of a world a message is about: it waits for those that are about the same.
enum {
    RP_TOUCHES_MAP = 1,  ///< its cells, its publishers
    RP_TOUCHES_REST = 2, ///< poses and goals; and every request that only asks
};

/// A message; all borrowed.
typedef struct rp_inbound {
    rp_inbound_kind_t kind;
    const rp_peer_t *peer; ///< of a request
    const void *topic;     ///< of what was published [topic_size]
    size_t topic_size;
    const uint8_t *body; ///< [size]
    size_t size;
    const char *world;        ///< that it is about; "": none
    unsigned touches;         ///< of it
    rp_request_key_t key;     ///< of a request
    bool is_met;              ///< its peer was looked at when it came
    bool is_mute;             ///< its peer began another life since: nobody is to be told
    uint64_t deadline_us;     ///< 0: what the request says
    struct rp_queued *queued; ///< it waited in the queue, and has its turn; NULL: it just came
} rp_inbound_t;

typedef struct rp_queued {
    rp_inbound_t inbound; ///< borrows from this
    rp_peer_t peer;
    char topic[RP_LIMIT_TOPIC];
    rp_shared_buffer_t *buffer; ///< held
    rp_peer_usage_t *share;     ///< of its sender
    char world[RP_LIMIT_NAME + 1u];
    struct rp_staged_request
        *staged; ///< owned: it is long, and in work; NULL: it was not looked at
    void (*destroy_staged)(struct rp_staged_request **staged); ///< when it is in work
    struct rp_queued *next;
} rp_queued_t;

typedef struct rp_request_queue {
    rp_queued_t *first; ///< owned, oldest first
    rp_queued_t *last;
    rp_queued_t *over; ///< owned: it was long, and is freed in another slice than it was handled in
    uint32_t count;
    rp_peer_quota_t shares; ///< of senders, in weight
} rp_request_queue_t;

void rp_request_queue_fini(rp_request_queue_t *self);

/// What its sender has in the queue. What is published has no sender: all of it counts as one's.
size_t rp_request_queue_held(const rp_request_queue_t *self, const rp_inbound_t *inbound);

/// True when one more message of this sender may wait in the queue.
bool rp_request_queue_has_room(const rp_request_queue_t *self, const rp_inbound_t *inbound);

/// True when a message has to wait for one in the queue.
/// @param end  only those before it count; NULL: all
bool rp_request_queue_holds(const rp_request_queue_t *self, const rp_inbound_t *inbound,
                            const rp_queued_t *end);

/// The change of this peer, this life and this id that is in the queue; NULL when there is none.
const rp_queued_t *rp_request_queue_find(const rp_request_queue_t *self, const rp_peer_t *peer,
                                         const rp_request_key_t *key);

/// The peer began another life: what is in the queue in its name is done for nobody.
void rp_request_queue_mute(rp_request_queue_t *self, const rp_peer_t *peer);

/// Be the last in the queue. @param buffer  given; NULL is taken for want of memory
/// @return NULL without memory
rp_queued_t *rp_request_queue_add(rp_request_queue_t *self, const rp_inbound_t *inbound,
                                  rp_shared_buffer_t **buffer);

/// Remove a message that was served.
void rp_request_queue_remove(rp_request_queue_t *self, rp_queued_t *queued);

/// Free what was long and is over. @return false when there was nothing
bool rp_request_queue_clear(rp_request_queue_t *self);

/// True when nobody waits, and nothing is to be freed.
static inline bool rp_request_queue_is_empty(const rp_request_queue_t *self)
{
    return self->first == NULL && self->over == NULL;
}

#endif
