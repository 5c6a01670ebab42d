/// @file
/// Policy: whether a path that is still legal gives way to a cheaper one. A robot that gets
/// another path each time noise moves a cost by a percent goes nowhere.
#ifndef REPLAN_ENGINE_PATHS_POLICY_H
#define REPLAN_ENGINE_PATHS_POLICY_H

#include "replan/session.h"

/// The published path against the cheapest one, on the same version.
typedef struct rp_policy_input {
    double kept;    ///< cost of what is left of the published path
    double optimum; ///< cost of the new one; by way of a rendezvous it may be above `kept`
    uint64_t published_us;
    uint64_t now_us;
} rp_policy_input_t;

/// True when `kept` is dearer than `optimum`; they are sums of doubles, so not by a hair.
bool rp_policy_is_cheaper(double kept, double optimum);

/// True when switching saves as much as the policy asks for.
bool rp_policy_gains(const rp_policy_t *self, double kept, double optimum);

/// @param reason  why it would be given up: RP_REASON_CHEAPER or RP_REASON_AGED; written when the
///                answer is false, and when only the interval, or the age, keeps the path
/// @param look_us  written: when to ask again though nothing happens meanwhile; RP_NEVER_US when
///                 that would change nothing
/// @return true: keep it
bool rp_policy_keeps(const rp_policy_t *self, const rp_policy_input_t *input, rp_reason_t *reason,
                     uint64_t *look_us);

#endif
