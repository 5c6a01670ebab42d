/// @file
/// A bout: contenders play a trace, or each one of its own, in rounds, and what a round took beyond
/// the least of all counts for nothing.
///
/// A planner does the same work for the same step in each round, as whatever it decides it decides
/// by counting: that its cost and its expansions are the same is checked. Where its times differ,
/// the host gave less of its caches, memory or time; that only ever adds. So of each step stands
/// the least. Updates of a sprint overlap, and what one leaves undone the next one pays for: some
/// dozens stand together as they were in the round in which they were quickest.
///
/// What is done in each round stays: pages met, searches now and then.
///
/// Noise cannot hide who is many times as fast as whom, but who is a tenth faster. So the quick may
/// play further rounds alone: those of whom a step takes at most four times what it takes the
/// quickest.
///
/// Nor does the least tell that, where the host leaves the whole of a core to us in one round of
/// thirty: one contender has met such a round, another has not. Two of them are compared round by
/// round, as they played one soon after the other, and the median of these quotients stands.
#ifndef REPLAN_BENCH_BOUT_H
#define REPLAN_BENCH_BOUT_H

#include "bench/match.h"

#define RP_BOUT_ROUNDS_MOST 40u

typedef struct rp_bout {
    rp_trace_t *traces; ///< owned; one for all, or one each [trace_count]
    size_t trace_count;
    rp_play_t *plays; ///< owned; of each contender in turn [contenders * capacity]
    size_t capacity;
    size_t apart;     ///< so many first steps stand apart
    double *round_ns; ///< owned; what a step took a contender in a round, in the mean of those that
                      ///< do not stand apart, in a sprint with the writing of the grid; NAN: it did
                      ///< not play [contenders * RP_BOUT_ROUNDS_MOST]
    size_t step_counts[RP_CONTENDERS_MAX]; ///< steps that a contender has played
    unsigned rounds;                       ///< played so far
    uint64_t again_ns;                     ///< wall time of all but the first, with everybody
    uint64_t extra_ns;                     ///< and of those of the quick alone
    unsigned differences;                  ///< costs that did not agree
} rp_bout_t;

/// @param traces       given; each one's own, or one that all play [trace_count]
/// @param trace_count  of the contenders, or 1
/// @param apart        so many first steps do not count in rp_bout_quotient()
void rp_bout_init(rp_bout_t *self, rp_trace_t *traces, size_t trace_count, size_t apart);
void rp_bout_fini(rp_bout_t *self);

/// One round more, with everybody. In the first everybody plays, and costs are compared: where each
/// has a trace of its own, with those of two witnesses on it, `D* Lite` at every step and `A*`, as
/// far as they are there. Those that play once are not in the others. At most RP_BOUT_ROUNDS_MOST,
/// those of the quick alone counted.
/// @param what  names it in complaints
/// @return false when a planner refuses (said on stderr)
bool rp_bout_play(rp_bout_t *self, rp_match_t *match, const char *what);

/// One round more, with the quick alone, after some others.
/// @return as rp_bout_play()
bool rp_bout_play_quick(rp_bout_t *self, rp_match_t *match, const char *what);

/// What a step took one contender, divided by what it took another one: of the rounds that both
/// played, the median. @return NAN when there was none
double rp_bout_quotient(const rp_bout_t *self, size_t contender, size_t other);

/// What a contender did [step_counts[contender]].
const rp_play_t *rp_bout_plays(const rp_bout_t *self, size_t contender);

const rp_trace_t *rp_bout_trace(const rp_bout_t *self, size_t contender);

#endif
