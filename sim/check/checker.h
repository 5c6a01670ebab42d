/// @file
/// Checks each answer against what it claims, on the version that it names: the path is legal,
/// starts where the agent was, ends at its goal, and costs what it says. A sample is compared with
/// an optimum of the checker's own. Silence is checked, too: when a head says that all is settled,
/// the last answer of an agent must still be true.
///
/// Grid rules (plane.h), bodies (body_view.h) and searches (optimum.h) share no code with the
/// engine.
#ifndef REPLAN_SIM_CHECK_CHECKER_H
#define REPLAN_SIM_CHECK_CHECKER_H

#include "sim/check/body_view.h"
#include "sim/check/optimum.h"
#include "sim/seeded.h"

#include "replan.pb-c.h"

/// Claims that may wait for their optimum at the same time.
#define RP_CHECKER_DEBTS 256u

/// An optimum that is still to be computed.
typedef struct rp_debt {
    char agent[33];
    bool is_bound; ///< the claim is a lower bound only
    uint64_t epoch;
    uint64_t version;
    uint64_t path_seq;
    rp_search_query_t question;
    uint32_t from;   ///< where the path begins
    double claim;    ///< cost; INFINITY for "no path"
    double distance; ///< in cells, from the end of the path to the goal: is_nearest
    double way;      ///< length of the way out of a blocked start
    double kept;     ///< 0..1, the share of the claim that a better path may save
} rp_debt_t;

typedef struct rp_checker {
    uint64_t checked;    ///< answers looked at
    uint64_t silences;   ///< times that an agent's newest answer was looked at again
    uint64_t optima;     ///< of both, how many were held to the optimum
    uint64_t skipped;    ///< answers whose version, pose or goal was too old to look at
    uint64_t violations; ///< answers that claimed what is not so
    char first[256];     ///< a sentence about the first violation; empty before
    double rate;         ///< share of answers that are held to the optimum, 0..1
    bool is_hurried; ///< no optimum is computed at once: what does not fit drops out of the sample
    rp_seeded_t seeded;
    rp_body_view_t body_view; ///< what all agents' bodies make of the world
    rp_dijkstra_t *dijkstra;  ///< owned
    uint32_t *cells;          ///< scratch: a path; owned [cell_capacity]
    size_t cell_capacity;
    rp_debt_t debts[RP_CHECKER_DEBTS]; ///< ring
    uint64_t debt_first;               ///< number of the oldest debt
    uint64_t debt_end;                 ///< behind the newest
} rp_checker_t;

/// @param body  of all agents; NULL: points
/// @return false without memory
bool rp_checker_init(rp_checker_t *self, size_t cell_count, const rp_body_view_options_t *body,
                     double rate, rp_seeded_t seeded);
void rp_checker_fini(rp_checker_t *self);

/// Check one answer and count it. What is cheap is done at once; an optimum becomes a debt, so that
/// a search of ours does not hold up what is measured.
/// @param grid  the world at the version that the answer names
/// @return false for a violation
bool rp_checker_take(rp_checker_t *self, const rp_grid_view_t *grid,
                     const Replan__V1__Answer *answer, rp_search_query_t question);

/// Count an answer that was checked elsewhere. @param wrong  NULL: nothing
void rp_checker_take_verdict(rp_checker_t *self, const Replan__V1__Answer *answer,
                             const char *wrong);

/// The same of a curve that an agent follows while nothing is said to it.
void rp_checker_take_standing(rp_checker_t *self, const char *agent, uint64_t path_seq,
                              uint64_t version, bool is_free);

/// What an agent holds while nothing is said to it.
typedef struct rp_silence {
    const char *agent;
    uint64_t epoch;
    uint64_t version; ///< all is settled up to here
    uint64_t path_seq;
    Replan__V1__Outcome outcome;
    const uint32_t *path; ///< what is left of it, from where the agent stands; borrowed
    size_t path_count;    ///< cells
    double kept;          ///< 0..1, the share of its cost that a better path may save; 1: any
} rp_silence_t;

/// Check that what was said last is still true.
/// @param grid  the world at that version
/// @return false for a violation
bool rp_checker_take_silence(rp_checker_t *self, const rp_grid_view_t *grid,
                             const rp_silence_t *silence, rp_search_query_t question);

/// @return the oldest debt, NULL without any
const rp_debt_t *rp_checker_debt(const rp_checker_t *self);

/// Compute the optimum of the oldest debt, and compare.
/// @param grid  the world at the debt's version; NULL when nobody knows it any more: skipped
/// @return false for a violation
bool rp_checker_settle(rp_checker_t *self, const rp_grid_view_t *grid);

/// Count an answer that cannot be looked at.
void rp_checker_skip(rp_checker_t *self);

/// No violation, at most 1 % skipped, or one where few came, and something checked at all.
bool rp_checker_is_content(const rp_checker_t *self);

#endif
