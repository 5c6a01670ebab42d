/// @file
/// A daemon without sockets: requests go in as messages, what it sends is kept in lists, by peer
/// and by topic. The test holds the clock.
#ifndef REPLAN_TESTS_WIRE_H
#define REPLAN_TESTS_WIRE_H

#include "daemon/daemon.h"

#define RP_WIRE_PEERS 80u

/// Something that was sent, unpacked.
typedef struct rp_wire_sent {
    struct rp_wire_sent *next;
    unsigned peer;
    char topic[RP_LIMIT_TOPIC]; ///< empty: control
    ProtobufCMessage *message;  ///< owned
    bool is_taken;
} rp_wire_sent_t;

typedef struct rp_wire {
    rp_daemon_t daemon;
    rp_wire_sent_t *first;
    rp_wire_sent_t **last;
    rp_sent_t fate[RP_WIRE_PEERS]; ///< what the transport says when this peer is sent to
    uint64_t next_id;
    uint64_t connection[RP_WIRE_PEERS]; ///< that this peer speaks by; 0: not known
} rp_wire_t;

/// A daemon with one world "marsh" of 16 x 8, at 1 s on its clock, subscribed to by somebody. It
/// has as many workers as $REPLAN_TEST_WORKERS says.
void rp_wire_open(rp_wire_t *self);

/// The same without a world.
void rp_wire_open_bare(rp_wire_t *self);
void rp_wire_close(rp_wire_t *self);

/// The generated types know no const.
static inline char *rp_text(const char *constant)
{
    return (char *)constant;
}

// ---- any message

/// A request as it stands, its id included.
void rp_wire_send(rp_wire_t *self, unsigned peer, const Replan__V1__Request *request);

/// What may be no request. @param bytes  [size]
void rp_wire_send_bytes(rp_wire_t *self, unsigned peer, const uint8_t *bytes, size_t size);

/// Work until nothing is left to do at this time.
void rp_wire_work(rp_wire_t *self);

/// The clock goes on.
void rp_wire_pass(rp_wire_t *self, uint64_t microseconds);

/// The next message to this peer; NULL when there is none.
const Replan__V1__ToClient *rp_wire_next(rp_wire_t *self, unsigned peer);

/// The next reply to this peer, whatever its watches say; NULL when there is none.
const Replan__V1__Reply *rp_wire_reply(rp_wire_t *self, unsigned peer);

/// The next message on this topic, by its type; NULL when there is none.
const ProtobufCMessage *rp_wire_published(rp_wire_t *self, const char *topic);

/// Send with an id of its own, work, take the reply; fails when there is none.
const Replan__V1__Reply *rp_wire_ask(rp_wire_t *self, unsigned peer, Replan__V1__Request *request);

/// The same, and fails when the reply is not OK.
const Replan__V1__Reply *rp_wire_do(rp_wire_t *self, unsigned peer, Replan__V1__Request *request);

/// Fails unless the next reply to this peer has this status, and this word in its sentence.
void rp_wire_expect(rp_wire_t *self, unsigned peer, Replan__V1__Status status, const char *word);

/// Fails when there is a reply to this peer.
void rp_wire_expect_no_reply(rp_wire_t *self, unsigned peer);

// ---- those that most tests need

/// A world of cells of a metre; fails when there can be none.
void rp_wire_create(rp_wire_t *self, const char *name, uint32_t width, uint32_t height);

/// A change of one cell of "marsh", unnumbered; points into static storage until the next one.
Replan__V1__Change *rp_wire_change(uint32_t x, uint32_t y, uint32_t byte);

/// A request to apply it, with an id of its own; points into static storage until the next one.
Replan__V1__Request rp_wire_apply_request(rp_wire_t *self, Replan__V1__Change *change,
                                          Replan__V1__Wait wait);

/// Apply it and wait for what `wait` names. @return the version
uint64_t rp_wire_apply(rp_wire_t *self, unsigned peer, Replan__V1__Change *change,
                       Replan__V1__Wait wait);

/// An agent of "marsh" in the middle of a cell, bound for the middle of another.
/// @return its handle
uint64_t rp_wire_agent(rp_wire_t *self, unsigned peer, const char *name, uint32_t x, uint32_t y,
                       uint32_t goal_x, uint32_t goal_y);

/// The same, with a policy of its own; NULL: the daemon's.
uint64_t rp_wire_agent_with(rp_wire_t *self, unsigned peer, const char *name, uint32_t x,
                            uint32_t y, uint32_t goal_x, uint32_t goal_y,
                            Replan__V1__Policy *policy);

/// An agent of "marsh" is there now, in metres.
void rp_wire_pose(rp_wire_t *self, unsigned peer, const char *name, double x, double y);

/// A request for the newest answer of an agent of "marsh", as rp_wire_apply_request().
Replan__V1__Request rp_wire_answer_request(rp_wire_t *self, const char *name);

/// The newest answer of an agent of "marsh".
const Replan__V1__Answer *rp_wire_answer(rp_wire_t *self, unsigned peer, const char *name);

/// A watch of all agents of "marsh" that wants splices. @return its number
uint32_t rp_wire_watch_splices(rp_wire_t *self, unsigned peer, uint32_t credit);

/// A watch of all agents of "marsh" that takes so many answers in a message. @return its number
uint32_t rp_wire_watch_batch(rp_wire_t *self, unsigned peer, uint32_t batch, uint32_t credit);

/// A watch of all agents of "marsh". @return its number
uint32_t rp_wire_watch(rp_wire_t *self, unsigned peer, bool map, uint32_t credit);

// ---- what became of it

/// "marsh", as the daemon serves it; NULL when it was removed.
rp_served_t *rp_wire_marsh(const rp_wire_t *self);

/// Its version.
uint64_t rp_wire_version(const rp_wire_t *self);

/// The counter of this name.
uint64_t rp_wire_stat(const rp_wire_t *self, const char *name);

#endif
