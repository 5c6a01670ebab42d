/// @file
/// A line: what came in and has to wait, because something long is in work that came before it,
/// from the same peer, or about the same of the same world. It is served in the order in which it
/// came; nobody else waits.
///
///     first -> [apply, 16 MiB, marsh, ann: in work]   [apply, marsh, bob]   [list_worlds, ann]
///     not in line: [pose, marsh, bob], [apply, moor, bob], handled when they come
#ifndef REPLAN_DAEMON_LINE_H
#define REPLAN_DAEMON_LINE_H

#include "daemon/bulk.h"
#include "daemon/peer.h"
#include "daemon/request_key.h"
#include "daemon/shares.h"
#include "replan/types.h"

/// What the messages in line may weigh, all of them and those of one sender (shares.h): their
/// bytes, and RP_LINE_WEIGHT for each.
#define RP_LINE_BYTES  ((size_t)64 << 20)
#define RP_LINE_SENDER RP_SHARES_PART(RP_LINE_BYTES)
#define RP_LINE_WEIGHT ((size_t)16 << 10)

typedef enum rp_letter_kind {
    RP_LETTER_REQUEST,
    RP_LETTER_CHANGE, ///< published
    RP_LETTER_POSE,   ///< published: a pose, a goal, or poses
} rp_letter_kind_t;

struct rp_haul;

/// What of a world a message is about: it waits for those that are about the same.
enum {
    RP_TOUCHES_MAP = 1,    ///< its cells, its publishers
    RP_TOUCHES_AGENTS = 2, ///< poses and goals; and whatever is asked
};

/// A message; all borrowed.
typedef struct rp_letter {
    rp_letter_kind_t kind;
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
    struct rp_lined *in_line; ///< it waited in line, and has its turn; NULL: it just came
} rp_letter_t;

typedef struct rp_lined {
    rp_letter_t letter; ///< borrows from this
    rp_peer_t peer;
    char topic[RP_LIMIT_TOPIC];
    rp_bulk_t *bulk;   ///< held
    rp_share_t *share; ///< of its sender
    char world[RP_LIMIT_NAME + 1u];
    struct rp_haul *haul; ///< owned: it is long, and in work; NULL: it was not looked at
    struct rp_lined *next;
} rp_lined_t;

typedef struct rp_line {
    rp_lined_t *first; ///< owned, oldest first
    rp_lined_t *last;
    rp_lined_t *over; ///< owned: it was long, and is freed in another slice than it was handled in
    uint32_t count;
    rp_shares_t shares; ///< of senders, in weight
} rp_line_t;

void rp_line_fini(rp_line_t *self);

/// What its sender has in line. What is published has no sender: all of it counts as one's.
size_t rp_line_held(const rp_line_t *self, const rp_letter_t *letter);

/// True when one more message of this sender may stand in line.
bool rp_line_has_room(const rp_line_t *self, const rp_letter_t *letter);

/// True when a message has to wait for one in line.
/// @param end  only those before it count; NULL: all
bool rp_line_holds(const rp_line_t *self, const rp_letter_t *letter, const rp_lined_t *end);

/// The change of this peer, this life and this id that is in line; NULL when there is none.
const rp_lined_t *rp_line_find(const rp_line_t *self, const rp_peer_t *peer,
                               const rp_request_key_t *key);

/// The peer began another life: what is in line in its name is done for nobody.
void rp_line_mute(rp_line_t *self, const rp_peer_t *peer);

/// Be the last in line. @param bulk  given; NULL is taken for want of memory
/// @return NULL without memory
rp_lined_t *rp_line_add(rp_line_t *self, const rp_letter_t *letter, rp_bulk_t **bulk);

/// Remove a message that was served.
void rp_line_remove(rp_line_t *self, rp_lined_t *lined);

/// Free what was long and is over. @return false when there was nothing
bool rp_line_clear(rp_line_t *self);

/// True when nobody waits, and nothing is to be freed.
static inline bool rp_line_is_empty(const rp_line_t *self)
{
    return self->first == NULL && self->over == NULL;
}

#endif
