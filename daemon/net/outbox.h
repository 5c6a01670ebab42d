/// @file
/// Outbox: replies that found the queue of their peer full. A watch may fill that queue, and a
/// reply must not be lost because of it: the reply waits here and is sent before the next message
/// of the watch. The order of two replies does not matter, as each names its request.
#ifndef REPLAN_DAEMON_NET_OUTBOX_H
#define REPLAN_DAEMON_NET_OUTBOX_H

#include "daemon/net/peer_quota.h"
#include "daemon/net/transport.h"
#include "replan/types.h"

/// All peers together, and one of them (peer_quota.h), unless it is a single reply. A peer that
/// reads nothing at all cannot have the daemon hold more, and leaves the others room.
#define RP_OUTBOX_BYTES ((size_t)16 << 20)
#define RP_OUTBOX_PEER  RP_PEER_QUOTA_PART(RP_OUTBOX_BYTES)

typedef struct rp_outbox_reply rp_outbox_reply_t;

typedef struct rp_outbox {
    rp_outbox_reply_t *first; ///< owned, oldest first
    rp_outbox_reply_t *last;
    rp_peer_quota_t shares; ///< of peers, in bytes
} rp_outbox_t;

void rp_outbox_fini(rp_outbox_t *self);

/// Keep a packed reply. @param bytes  copied [size]
/// @return RP_E_LIMIT beyond RP_OUTBOX_BYTES, or RP_OUTBOX_PEER; RP_E_MEMORY
rp_status_t rp_outbox_add(rp_outbox_t *self, const rp_peer_t *peer, const void *bytes, size_t size);

/// The peer began another life: what is owed to the one before is not given to it.
void rp_outbox_forget(rp_outbox_t *self, const rp_peer_t *peer);

/// Try each once more. @param gone  increased for each whose peer is gone
/// @return true when some are still owed
bool rp_outbox_send(rp_outbox_t *self, const rp_transport_t *transport, uint64_t *gone);

#endif
