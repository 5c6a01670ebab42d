/// @file
/// Planner cache: the planners that sessions, goal groups and layers hold. What a planner knows
/// can be computed again, so when memory is short the least recently used one is dropped. That
/// costs time, never an answer.
#ifndef REPLAN_ENGINE_SHARING_PLANNER_CACHE_H
#define REPLAN_ENGINE_SHARING_PLANNER_CACHE_H

#include "replan/planner.h"

typedef struct rp_planner_cache rp_planner_cache_t;

/// A planner, and the version that it knows. All zero: none yet.
typedef struct rp_cached_planner {
    rp_planner_t *planner;           ///< owned; NULL: not needed so far, or dropped
    uint64_t heard;                  ///< version up to which it was told the layer's changes
    uint64_t before;                 ///< `heard` before it was told of the last ones
    uint64_t term;                   ///< a new number, from 1, whenever it was made or began anew
    uint64_t bytes;                  ///< of its state when it was used last
    rp_planner_cache_t *of;          ///< borrowed; the cache that it is in while there is a planner
    struct rp_cached_planner *newer; ///< used after it
    struct rp_cached_planner *older; ///< used before it
    bool is_at_rest;   ///< since it was used last it idled, and has nothing more to do
    bool is_under_way; ///< its search was stopped by the budget
    struct rp_cached_planner *
        *loan; ///< where it is noted that it was lent (shared_planner.h); NULL: it is not
} rp_cached_planner_t;

struct rp_planner_cache {
    rp_cached_planner_t *newest;
    rp_cached_planner_t *oldest;
    uint64_t count;
    uint64_t bytes;   ///< of all
    uint64_t terms;   ///< given out
    uint64_t evicted; ///< how often one had to go
};

/// A planner bound to a grid. @param version  the layer's newest
/// @return RP_E_UNKNOWN, RP_E_UNSUPPORTED, RP_E_MEMORY; nothing is made then
rp_status_t rp_cached_planner_make(rp_cached_planner_t *self, rp_planner_cache_t *of,
                                   const char *planner, const rp_planner_options_t *options,
                                   const rp_grid_t *grid, uint64_t version);

/// Free the planner, if there is one.
void rp_cached_planner_drop(rp_cached_planner_t *self);

/// Take over another's planner. @param from  has none after that
void rp_cached_planner_take(rp_cached_planner_t *self, rp_cached_planner_t *from);

/// Note that it was used now; it may have grown.
/// @param has_begun_anew  it forgot what it had found before
void rp_cached_planner_note_use(rp_cached_planner_t *self, bool has_begun_anew);

/// Expansions that a planner may make with what is left of a budget, by rp_planner_price(); enough
/// to make progress, however little it is.
uint64_t rp_cached_planner_expansions(const rp_planner_t *planner, uint64_t budget);

/// Take from a budget what a finished plan took.
void rp_cached_planner_pay(const rp_planner_t *planner, const rp_plan_t *plan, uint64_t *budget);

/// Let its planner spend idle time (rp_planner_idle()), which does not count as use. There must be
/// a planner that is not at rest.
/// @param may_work  false: only note that it is at rest
/// @param budget    counted down by rp_planner_price() for each expansion
void rp_cached_planner_idle(rp_cached_planner_t *self, bool may_work, uint64_t *budget);

/// Drop the least recently used planners until the rest fits. The most recent one always stays.
void rp_planner_cache_trim(rp_planner_cache_t *self, uint64_t bytes);

/// Drop the least recently used planner, if there is one.
void rp_planner_cache_evict(rp_planner_cache_t *self);

#endif
