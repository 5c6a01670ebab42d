/// @file
/// Requests whose reply has to wait: for a version, for everybody's answer to be true, for one
/// agent's answer.
#ifndef REPLAN_DAEMON_SERVING_PENDING_REPLIES_H
#define REPLAN_DAEMON_SERVING_PENDING_REPLIES_H

#include "daemon/net/peer_quota.h"
#include "daemon/net/request_key.h"
#include "daemon/serving/worlds.h"
#include "msgs/limits.h"

/// Requests that may wait at the same time, all peers together. Beyond it one gives way for a peer
/// that has fewer of them: the oldest of the peer that has most.
#define RP_PENDING_REPLIES_MAX 4096u

/// Bytes of the requests that are kept for when their wait is over, of all and of one peer
/// (peer_quota.h), unless it is a single one.
#define RP_PENDING_REPLIES_BYTES ((size_t)64 << 20)
#define RP_PENDING_REPLIES_PEER  RP_PEER_QUOTA_PART(RP_PENDING_REPLIES_BYTES)

typedef enum rp_pending_kind {
    RP_PENDING_AFTER,   ///< for a version or a publisher's sequence; then the request is handled
    RP_PENDING_SETTLED, ///< until the world is settled up to `version`; then Apply is answered
    RP_PENDING_DURABLE, ///< until `version` is on the disk; then Apply is answered
    RP_PENDING_PACE,    ///< until planning keeps up; then Apply is answered
    RP_PENDING_QUERY,   ///< until a question is answered; then what was found is told
    RP_PENDING_SURE,    ///< until the agent's session is sure; then its answer is told
} rp_pending_kind_t;

typedef enum rp_pending_state {
    RP_PENDING_WAITS,
    RP_PENDING_GAVE_WAY, ///< to another peer's, and is to be told
    RP_PENDING_LEFT,     ///< its peer is gone: it is told if it comes back
} rp_pending_state_t;

typedef struct rp_pending_reply {
    rp_pending_kind_t kind;
    rp_pending_state_t state;
    rp_request_key_t key; ///< of the request; hashed but for RP_PENDING_AFTER
    uint64_t deadline_us;
    uint64_t cells;     ///< RP_PENDING_PACE: that the change wrote
    uint64_t hasten_us; ///< RP_PENDING_SURE: when something legal will do; RP_NEVER_US: never
    uint64_t epoch;     ///< of the world when the wait began
    uint64_t version;
    uint64_t window;  ///< what the reply tells, too
    uint64_t dropped; ///< the same
    uint64_t sequence;
    uint64_t ticket; ///< RP_PENDING_SURE: of a look at the session
    char world[RP_LIMIT_NAME + 1u];
    char publisher[RP_LIMIT_NAME + 1u]; ///< RP_PENDING_AFTER: empty when it waits for a version
    char agent[RP_LIMIT_NAME + 1u];     ///< RP_PENDING_SURE: by name, as handles are used again
    bool bends;                         ///< RP_PENDING_SURE: the answer tells where its path bends
    bool segments;                      ///< RP_PENDING_SURE: and has the segments of its curve
    rp_query_id_t query;                ///< RP_PENDING_QUERY
    rp_query_kind_t query_kind;
    bool is_walk;  ///< RP_PENDING_QUERY: not one of those kinds, but about a path of the client's
    uint32_t rows; ///< of a matrix of costs
    uint8_t *request; ///< RP_PENDING_AFTER: the packed request, owned [request_size]
    size_t request_size;
    uint64_t began_us;
    rp_peer_usage_t *place;    ///< one of its peer's; NULL: it holds none
    rp_peer_usage_t *question; ///< RP_PENDING_QUERY: the same of questions
    rp_peer_usage_t *bytes;    ///< RP_PENDING_AFTER: of `request`
    bool is_mute;              ///< its peer began another life: nobody is to be told
    rp_peer_t peer;
} rp_pending_reply_t;

typedef struct rp_pending_replies {
    rp_pending_reply_t **list; ///< owned [count], oldest first
    uint32_t count;
    size_t capacity;
    uint32_t yielded;          ///< that wait no longer, and are to be told
    rp_peer_quota_t places;    ///< of peers: those that wait
    rp_peer_quota_t questions; ///< those that are questions
    rp_peer_quota_t bytes;     ///< of the requests that are kept
} rp_pending_replies_t;

void rp_pending_replies_fini(rp_pending_replies_t *self);

/// True when one more request of this peer may wait, and none has to give way for it.
bool rp_pending_replies_have_room(const rp_pending_replies_t *self, const rp_peer_t *peer);

/// True when one more may wait, and perhaps another one gives way.
bool rp_pending_replies_may_add(const rp_pending_replies_t *self, const rp_peer_t *peer,
                                uint64_t now_us);

/// True when so many bytes of a request of this peer may be kept.
bool rp_pending_replies_may_keep(const rp_pending_replies_t *self, const rp_peer_t *peer,
                                 size_t size);

/// Keep a wait. @param wait  with `began_us`: now. @param request  copied when not NULL [size]
/// @return RP_E_LIMIT when the peer has RP_LIMIT_WINDOW waiting, or all have RP_PENDING_REPLIES_MAX
/// and none
///         gives way, or the request is too long to be kept; RP_E_MEMORY
rp_status_t rp_pending_replies_add(rp_pending_replies_t *self, const rp_pending_reply_t *wait,
                                   const void *request, size_t size);

/// The one that is to give way for one more of this peer, where there are as many as there may be:
/// the oldest of the peer that has most of them, two more than this one, or one more for long.
/// @param is_question  it must be a question, and they are what is counted
/// @return NULL when there is none
rp_pending_reply_t *rp_pending_replies_yielder(const rp_pending_replies_t *self,
                                               const rp_peer_t *peer, bool is_question,
                                               uint64_t now_us);

/// It gives way: it stays until it was told, and holds no place.
void rp_pending_replies_yield(rp_pending_replies_t *self, rp_pending_reply_t *wait);

/// Its peer is gone: all that this one waits for is over. It is told if it comes back, and asks
/// again.
void rp_pending_replies_yield_all(rp_pending_replies_t *self, const rp_peer_t *peer);

/// Take one out of the list; the caller owns it then. Later ones move down.
rp_pending_reply_t *rp_pending_replies_take(rp_pending_replies_t *self, uint32_t place);
void rp_pending_reply_destroy(rp_pending_reply_t **self);

/// The peer began another life: what waited in its name does so for nobody. What was only asked is
/// over.
void rp_pending_replies_mute(rp_pending_replies_t *self, const rp_peer_t *peer);

/// The change of this peer, this life and this id that waits; NULL when there is none.
const rp_pending_reply_t *rp_pending_replies_find(const rp_pending_replies_t *self,
                                                  const rp_peer_t *peer,
                                                  const rp_request_key_t *key);

#endif
