/// @file
/// Peers that spoke: by which connection each did last, and in which life of its client. A routing
/// id is a name that a client may choose: another process takes it over, or the same robot that
/// began anew.
#ifndef REPLAN_DAEMON_NET_KNOWN_PEERS_H
#define REPLAN_DAEMON_NET_KNOWN_PEERS_H

#include <uthash.h>

#include "daemon/net/peer.h"

/// Peers that are known at a time; of one that was forgotten all is looked at once more.
#define RP_KNOWN_PEERS_MAX 4096u

typedef struct rp_known_peer {
    uint64_t connection;
    uint64_t life;
    uint64_t first_us; ///< when it was heard of first, steady
    uint64_t heard_us; ///< and last
    uint64_t requests;
    uint64_t refused; ///< refusals; of bytes that are no request, and for lack of room, too
    uint64_t dropped; ///< replies that were lost
    uint64_t refused_us;
    char *refusal; ///< the last sentence, owned; NULL: none
    UT_hash_handle hh;
    uint32_t size;
    uint8_t bytes[]; ///< its frames [size]
} rp_known_peer_t;

/// All zero: none is known.
typedef struct rp_known_peers {
    rp_known_peer_t *by_name; ///< owned, the one that is known for longest first
} rp_known_peers_t;

void rp_known_peers_fini(rp_known_peers_t *self);

/// A peer speaks. A request may leave its life out on a connection that told of it before.
/// @param now_us  steady
/// @return true when it is another one than before, or is not known: then what is held in its name
///         may be another's
bool rp_known_peers_note(rp_known_peers_t *self, const rp_peer_t *peer, uint64_t now_us);

/// A request of the peer was refused. @param sentence  copied; without memory it is not kept
void rp_known_peers_note_refusal(rp_known_peers_t *self, const rp_peer_t *peer,
                                 const char *sentence, uint64_t now_us);

/// A reply to the peer was lost.
void rp_known_peers_note_dropped(rp_known_peers_t *self, const rp_peer_t *peer);

/// One of them as a peer. @param peer  written
void rp_known_peers_name(const rp_known_peer_t *known, rp_peer_t *peer);

#endif
