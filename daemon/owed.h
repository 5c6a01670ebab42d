/// @file
/// Replies that found their peer's queue full. A watch may fill that queue, and a reply must not be
/// lost for it: it waits here, and goes out before the watch's next message. Which of two replies
/// goes first does not matter, as each names its request.
#ifndef REPLAN_DAEMON_OWED_H
#define REPLAN_DAEMON_OWED_H

#include "daemon/outlet.h"
#include "daemon/shares.h"
#include "replan/types.h"

/// All peers together, and one of them (shares.h), unless it is a single reply. A peer that reads
/// nothing at all cannot have the daemon hold more, and leaves the others room.
#define RP_OWED_BYTES ((size_t)16 << 20)
#define RP_OWED_PEER  RP_SHARES_PART(RP_OWED_BYTES)

typedef struct rp_owed_reply rp_owed_reply_t;

typedef struct rp_owed {
    rp_owed_reply_t *first; ///< owned, oldest first
    rp_owed_reply_t *last;
    rp_shares_t shares; ///< of peers, in bytes
} rp_owed_t;

void rp_owed_fini(rp_owed_t *self);

/// Keep a packed reply. @param bytes  copied [size]
/// @return RP_E_LIMIT beyond RP_OWED_BYTES, or RP_OWED_PEER; RP_E_MEMORY
rp_status_t rp_owed_add(rp_owed_t *self, const rp_peer_t *peer, const void *bytes, size_t size);

/// The peer began another life: what is owed to the one before is not given to it.
void rp_owed_forget(rp_owed_t *self, const rp_peer_t *peer);

/// Try each once more. @param gone  increased for each whose peer is gone
/// @return true when some are still owed
bool rp_owed_send(rp_owed_t *self, const rp_outlet_t *outlet, uint64_t *gone);

#endif
