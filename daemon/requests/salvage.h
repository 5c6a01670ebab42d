/// @file
/// What is gone of a damaged state (`--salvage`), world by world, for the log. Of a checkpoint that
/// has gaps only worlds stay of which all is there; of logs all that stands before the damage.
#ifndef REPLAN_DAEMON_REQUESTS_SALVAGE_H
#define REPLAN_DAEMON_REQUESTS_SALVAGE_H

#include <uthash.h>

#include "daemon/serving/serving.h"
#include "store/reader.h"

typedef struct rp_salvaged_world {
    char name[RP_LIMIT_NAME + 1u];
    uint64_t version; ///< that it had when the last request that counts was made
    uint64_t cells;   ///< whose bytes the checkpoint told
    uint64_t lost;    ///< requests that made versions of it, are whole, and do not count any more
    bool has_gap;     ///< the checkpoint told not all of it
    UT_hash_handle hh;
} rp_salvaged_world_t;

/// All zero: nothing is gone.
typedef struct rp_salvage {
    rp_salvaged_world_t *worlds; ///< owned, by name
    rp_salvaged_world_t *newest; ///< that the checkpoint told of last, while it tells of worlds
    bool is_over;                ///< the checkpoint is
    uint64_t gaps;               ///< of the checkpoint
    uint64_t refused;            ///< requests that were accepted once
} rp_salvage_t;

/// A request was handled. @param version  that a world which it creates begins with
void rp_salvage_note(rp_salvage_t *self, const Replan__V1__Request *request, bool is_of_base,
                     uint64_t version);

/// Something of the checkpoint is missing here.
void rp_salvage_gap(rp_salvage_t *self);

/// The checkpoint is over: worlds that are not whole go. Once.
void rp_salvage_end_base(rp_salvage_t *self, rp_serving_t *serving);

/// A request does not count: it stands behind the damage, or its world is gone.
/// @param request  NULL: it cannot be read
void rp_salvage_lose(rp_salvage_t *self, const Replan__V1__Request *request);

/// The same of a change that was published.
void rp_salvage_lose_change(rp_salvage_t *self, const char *world);

/// Tell what is gone, and forget it.
void rp_salvage_end(rp_salvage_t *self, const rp_serving_t *serving, const rp_state_found_t *found);

#endif
