/// @file
/// Routing ids of a ROUTER, and the connections that they come by. A routing id tells who a peer
/// says that it is; when another connection takes it over (ZMQ_ROUTER_HANDOVER), only the
/// connection tells that.
///
/// libzmq hands out no name of a connection, and its descriptor may be another one's by the time
/// that a message is read. But all messages of a connection share its properties, at one address,
/// for as long as one of them is held: the address is compared, and one message of each connection
/// is held.
#ifndef REPLAN_DAEMON_CONNECTIONS_ROUTING_IDS_H
#define REPLAN_DAEMON_CONNECTIONS_ROUTING_IDS_H

#include <uthash.h>
#include <zmq.h>

#include "daemon/net/peer_quota.h"

/// Peers whose connections are known at a time: about 1 KiB each.
#define RP_ROUTING_IDS_KNOWN 8192u

typedef struct rp_routing_id {
    uint64_t number;
    const char *mark; ///< address of a property of the connection, as long as `held` is
    zmq_msg_t held;
    UT_hash_handle hh;
    uint32_t size;
    uint8_t name[]; ///< routing id of the peer [size]
} rp_routing_id_t;

/// All zero: none is known.
typedef struct rp_routing_ids {
    rp_routing_id_t *by_name; ///< owned, by routing id, the one that is known for longest first
    uint64_t last;
} rp_routing_ids_t;

void rp_routing_ids_fini(rp_routing_ids_t *self);

/// The number of the connection that a message came by, greater than those of earlier ones.
/// @param id      the frame with the routing id
/// @param needed  peers whose connections are remembered in any case; fewer than
///                RP_ROUTING_IDS_KNOWN
/// @return 0 when it cannot be told: an old peer without properties, no memory
uint64_t rp_routing_ids_connection(rp_routing_ids_t *self, zmq_msg_t *id,
                                   const rp_peer_quota_t *needed);

#endif
