/// @file
/// Records of a checkpoint: the whole state as requests that rebuild it, in the file that ends in
/// .base (folder.h). The owner of the state writes them here; a start replays them (reader.h).
///
/// Each function writes into the checkpoint that rp_journal_begin_checkpoint() began.
/// @return false when the journal cannot write, or without memory
#ifndef REPLAN_STORE_CHECKPOINT_H
#define REPLAN_STORE_CHECKPOINT_H

#include "store/journal.h"
#include "store/last_request.h"

/// All but the journal zero: nothing was written yet.
typedef struct rp_checkpoint {
    rp_journal_t *journal; ///< borrowed
    rp_buffer_t packed;
} rp_checkpoint_t;

/// @param wall_us  when it was told: what lasts for some time does so from then on
bool rp_checkpoint_request(rp_checkpoint_t *self, uint64_t wall_us,
                           const Replan__V1__Request *request);

/// The same of one that was kept; none: nothing is written.
bool rp_checkpoint_last(rp_checkpoint_t *self, uint64_t wall_us, const rp_last_request_t *last);

/// A world.
/// @param version  its versions go on from there
/// @param windows  and epochs, in words [count]
/// @param create   the request that makes it
bool rp_checkpoint_world(rp_checkpoint_t *self, uint64_t wall_us, uint64_t version,
                         const uint64_t *windows, size_t count, const Replan__V1__Request *create);

/// The handle of the agent that comes next; none up to its serial number is given anew.
bool rp_checkpoint_handle(rp_checkpoint_t *self, uint64_t handle);

/// A change by PUB that is lost: whose, and which one.
bool rp_checkpoint_lost(rp_checkpoint_t *self, uint64_t wall_us, const Replan__V1__Change *change);

void rp_checkpoint_fini(rp_checkpoint_t *self);

#endif
