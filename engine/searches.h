/// @file
/// Searches: the planners that sessions, herds and layers hold, as a cache. What a planner knows
/// can always be found again, so the one that was useful longest ago may go when memory is short:
/// that costs time, never an answer.
#ifndef REPLAN_ENGINE_SEARCHES_H
#define REPLAN_ENGINE_SEARCHES_H

#include "replan/planner.h"

typedef struct rp_searches rp_searches_t;

/// A planner, and how far it has heard. All zero: none yet.
typedef struct rp_search {
    rp_planner_t *planner;   ///< owned; NULL: not needed so far, or it had to go
    uint64_t heard;          ///< version up to which it knows the layer's changes
    uint64_t before;         ///< the same before it was told of any last
    uint64_t term;           ///< a new one, from 1, whenever it was made or began anew
    uint64_t bytes;          ///< of its state when it was used last
    rp_searches_t *of;       ///< borrowed; what it is filed in while there is a planner
    struct rp_search *newer; ///< used after it
    struct rp_search *older; ///< used before it
    bool is_at_rest;         ///< since it was used last it idled, and has nothing more to do
} rp_search_t;

struct rp_searches {
    rp_search_t *newest;
    rp_search_t *oldest;
    uint64_t count;
    uint64_t bytes;   ///< of all
    uint64_t terms;   ///< given out
    uint64_t evicted; ///< how often one had to go
};

/// A planner bound to a grid. @param version  the layer's newest
/// @return RP_E_UNKNOWN, RP_E_UNSUPPORTED, RP_E_MEMORY; nothing is made then
rp_status_t rp_search_make(rp_search_t *self, rp_searches_t *of, const char *planner,
                           const rp_planner_options_t *options, const rp_grid_t *grid,
                           uint64_t version);

/// Free the planner, if there is one.
void rp_search_drop(rp_search_t *self);

/// Take over another's planner. @param from  has none after that
void rp_search_take(rp_search_t *self, rp_search_t *from);

/// It was of use now, and may have grown.
/// @param has_begun_anew  it forgot what it had found before
void rp_search_note_use(rp_search_t *self, bool has_begun_anew);

/// Expansions that a planner may make where so much of a budget is left; the smallest gets
/// somewhere, too.
uint64_t rp_search_expansions(const rp_planner_t *planner, uint64_t budget);

/// Take from a budget what a plan that is finished took.
void rp_search_pay(const rp_planner_t *planner, const rp_plan_t *plan, uint64_t *budget);

/// Let its planner use time that nobody else needs (rp_planner_idle()); that is no use of it. There
/// is a planner, and it is not at rest.
/// @param may_work  false: it is not to, and is at rest
/// @param budget    counted down, as by a plan of it: an expansion costs rp_planner_price()
void rp_search_idle(rp_search_t *self, bool may_work, uint64_t *budget);

/// Drop what was useful longest ago until the rest fits; the newest always stays.
void rp_searches_trim(rp_searches_t *self, uint64_t bytes);

#endif
