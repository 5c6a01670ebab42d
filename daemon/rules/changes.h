/// @file
/// Changes of the map, through control or published: which of them are written, and which are
/// repeats, late or lost.
#ifndef REPLAN_DAEMON_RULES_CHANGES_H
#define REPLAN_DAEMON_RULES_CHANGES_H

#include "daemon/rules/prepared.h"
#include "daemon/serving/serving.h"

/// What became of a change.
typedef struct rp_taken {
    uint64_t version;
    uint64_t dropped; ///< cells, of one that was made for an older window
} rp_taken_t;

/// Apply a checked change. @param prepared  what was made ready for it; NULL: it is short
/// @return true, or false with the refusal filled in
bool rp_changes_apply(rp_serving_t *self, const Replan__V1__Change *change,
                      const rp_prepared_t *prepared, rp_taken_t *taken, rp_refusal_t *refusal);

/// A published change named a window that is not known any more: its publisher has lost it.
/// @return true when the publisher is marked `gap` now
bool rp_changes_lose(rp_serving_t *self, const Replan__V1__Change *change);

#endif
