/// @file
/// A base: everything that the daemon serves, as requests that make it so. It begins at once with
/// worlds, publishers, shapes and agents; the worlds' bytes follow in pieces. What is rewritten
/// meanwhile does no harm: it is in the log too, which is told after the base, and says what each
/// cell came to be.
#ifndef REPLAN_DAEMON_BASE_H
#define REPLAN_DAEMON_BASE_H

#include "daemon/daemon.h"
#include "daemon/journal.h"

typedef struct rp_base {
    rp_journal_t *journal; ///< borrowed
    rp_buffer_t packed;
    uint8_t *rows;       ///< owned [RP_LIMIT_CHUNK_BYTES]
    bool is_begun;       ///< and not ended
    rp_world_id_t world; ///< whose bytes come next
    uint32_t row;
    uint64_t epoch; ///< none of the worlds that are in it is of a later one
} rp_base_t;

/// Begin one: a generation of the journal. All of `self` but the journal is zero, or as the one
/// before left it. Time: O(agents + shapes + remembered changes)
/// @return false when the journal cannot, or without memory
bool rp_base_begin(rp_base_t *self, const rp_daemon_t *daemon);

/// Write some 64 KiB more of one that is begun; `is_begun` ends with the last piece.
/// @return false when the journal cannot: then it is given up
bool rp_base_step(rp_base_t *self, const rp_daemon_t *daemon);

/// It is void: a world went, or became another window.
void rp_base_drop(rp_base_t *self);

void rp_base_fini(rp_base_t *self);

#endif
