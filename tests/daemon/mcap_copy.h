/// @file
/// What whoever reads an MCAP of ours knows of one world at its end: the cells, kept from the
/// wire's own messages on its topic, and how much there was of the rest.
#ifndef REPLAN_TESTS_MCAP_COPY_H
#define REPLAN_TESTS_MCAP_COPY_H

#include "msgs/codec.h"
#include "replan/mirror.h"

typedef struct rp_mcap_copy {
    rp_mirror_t mirror; ///< the caller's to end
    unsigned snapshots, grids, answers;
    unsigned curves;    ///< answers that have one
    unsigned elsewhere; ///< messages of other worlds
    uint64_t last_ns;
    const char *world;
    rp_message_arena_t arena;
} rp_mcap_copy_t;

/// Read a file whole; a fault, a hole in the deltas, or a time that goes back fails the test.
void rp_mcap_copy_read(rp_mcap_copy_t *self, const char *file, const char *world);

#endif
