/// @file
/// Holds each answer to what it claims, on the version that it names: a path must be legal, must
/// start where the agent was and end at its goal, and its cost must be its sum. A sample of them is
/// held to an optimum of the checker's own. Grid rules (plane.h) and search (dijkstra.h) are not
/// the planners'.
#ifndef REPLAN_SIM_CHECKER_H
#define REPLAN_SIM_CHECKER_H

#include "sim/dice.h"
#include "sim/dijkstra.h"
#include "sim/plane.h"

#include "replan.pb-c.h"

/// What the answer was asked for, by the pose_seq and goal_id that it names.
typedef struct rp_question {
    uint32_t start;
    uint32_t goal;
} rp_question_t;

/// Answers that may wait for their optimum at the same time.
#define RP_CHECKER_DEBTS 256u

/// An optimum that is still to be computed.
typedef struct rp_debt {
    char agent[33];
    bool is_bound; ///< the claim is a lower bound only
    uint64_t epoch;
    uint64_t version;
    uint64_t path_seq;
    rp_question_t question;
    double claim; ///< cost; INFINITY for "no path"
} rp_debt_t;

typedef struct rp_checker {
    uint64_t checked;    ///< answers looked at
    uint64_t optima;     ///< of these, how many were held to the optimum
    uint64_t skipped;    ///< answers whose version, pose or goal was too old to look at
    uint64_t violations; ///< answers that claimed what is not so
    char first[256];     ///< a sentence about the first violation; empty before
    double rate;         ///< share of answers that are held to the optimum, 0..1
    rp_dice_t dice;
    rp_dijkstra_t *dijkstra;           ///< owned
    rp_debt_t debts[RP_CHECKER_DEBTS]; ///< ring
    uint64_t debt_first;               ///< number of the oldest debt
    uint64_t debt_end;                 ///< behind the newest
} rp_checker_t;

/// @return false without memory
bool rp_checker_init(rp_checker_t *self, size_t cell_count, double rate, rp_dice_t dice);
void rp_checker_fini(rp_checker_t *self);

/// Check one answer and count it. What is cheap is done at once; an optimum becomes a debt, so that
/// a search of ours does not hold up what is measured.
/// @param plane  the world at the version that the answer names
/// @return false for a violation
bool rp_checker_take(rp_checker_t *self, const rp_plane_t *plane, const Replan__V1__Answer *answer,
                     rp_question_t question);

/// @return the oldest debt, NULL without any
const rp_debt_t *rp_checker_debt(const rp_checker_t *self);

/// Compute the optimum of the oldest debt, and compare.
/// @param plane  the world at the debt's version; NULL when nobody knows it any more: skipped
/// @return false for a violation
bool rp_checker_settle(rp_checker_t *self, const rp_plane_t *plane);

/// Count an answer that cannot be looked at.
void rp_checker_skip(rp_checker_t *self);

/// No violation, at most 1 % skipped, and something checked at all.
bool rp_checker_is_content(const rp_checker_t *self);

#endif
