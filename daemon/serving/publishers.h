/// @file
/// Publishers of changes, and how far each is: repeats, losses, late changes (msgs/README.md).
#ifndef REPLAN_DAEMON_SERVING_PUBLISHERS_H
#define REPLAN_DAEMON_SERVING_PUBLISHERS_H

#include <stdbool.h>
#include <stdint.h>

#include "msgs/limits.h"

/// How many of its last changes a publisher may repeat and be told their version.
#define RP_PUBLISHER_REMEMBERS 256u

typedef struct rp_publisher rp_publisher_t;

/// All publishers of one world, by name.
typedef struct rp_publishers {
    rp_publisher_t *by_name; ///< a hash of owned publishers
    uint32_t count;
    uint32_t gaps; ///< of them, marked `gap`
} rp_publishers_t;

typedef enum rp_arrival {
    RP_ARRIVAL_NEXT,     ///< the one after the last: apply it
    RP_ARRIVAL_GAP,      ///< some were lost before it: apply it, the publisher is marked
    RP_ARRIVAL_REPEATED, ///< was applied already, as `version`
    RP_ARRIVAL_LATE,     ///< passed over by newer ones, or of an older incarnation: refuse it
    RP_ARRIVAL_TOO_MANY, ///< one publisher more than the limit, or no memory: refuse it
} rp_arrival_t;

/// A change that a publisher may repeat.
typedef struct rp_past_change {
    const rp_publisher_t *publisher; ///< NULL before the first
    const char *name;
    uint64_t incarnation;
    uint64_t sequence;
    bool has_gap; ///< the publisher is marked
} rp_past_change_t;

/// The next publisher whose last change was lost (rp_publishers_lose()); `sequence` is that one's.
/// @param heard  as of rp_publishers_next()
bool rp_publishers_next_lost(const rp_publishers_t *self, rp_past_change_t *heard);

void rp_publishers_fini(rp_publishers_t *self);

/// The next of these changes, by publisher and sequence.
/// @param heard  the one before, all zero for the first; rewritten
/// @return false beyond the last
bool rp_publishers_next(const rp_publishers_t *self, rp_past_change_t *heard);

/// Judge a numbered change before it is applied.
/// @param version  written when repeated
rp_arrival_t rp_publishers_judge(const rp_publishers_t *self, const char *name,
                                 uint64_t incarnation, uint64_t sequence, uint64_t *version);

/// A change that was judged NEXT or GAP was applied as `version`.
/// @param repairs_through  it states the present for all lost ones up to here
/// @return true when the publisher is marked `gap` now and was not before
bool rp_publishers_note(rp_publishers_t *self, const char *name, uint64_t incarnation,
                        uint64_t sequence, uint64_t repairs_through, uint64_t version);

/// A change that was judged NEXT or GAP could not be applied: it is lost.
/// @return true when the publisher is marked `gap` now and was not before
bool rp_publishers_lose(rp_publishers_t *self, const char *name, uint64_t incarnation,
                        uint64_t sequence);

/// End the mark `gap`. @return false when there is no such publisher
bool rp_publishers_forgive(rp_publishers_t *self, const char *name);

/// True when this publisher's `sequence` of its newest incarnation, or a later one, was applied.
bool rp_publishers_has(const rp_publishers_t *self, const char *name, uint64_t sequence);

#endif
