/// @file
/// Newest path of each watched agent, so that a spliced answer, which carries only what is new, can
/// be made whole.
#ifndef REPLAN_CLIENT_PATHS_H
#define REPLAN_CLIENT_PATHS_H

#include <stdbool.h>
#include <stdint.h>

#include "replan.pb-c.h"

typedef struct rp_watched_path rp_watched_path_t;

typedef struct rp_paths {
    rp_watched_path_t *by_key; ///< watch and agent, owned
} rp_paths_t;

/// Keep the path of an answer of a watch with splices; what was left out of it is filled in.
/// @param answer  rewritten: its steps are whole, borrowed until the next call
/// @return false when the path that it builds upon is not here, or without memory: then nothing is
///         kept of this agent. Time: O(steps)
bool rp_paths_take(rp_paths_t *self, uint32_t watch, Replan__V1__Answer *answer);

/// The watch is over. @param watch  0: all of them
void rp_paths_forget(rp_paths_t *self, uint32_t watch);

#endif
