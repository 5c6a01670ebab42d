/// @file
/// What a member is bound with: what users choose (rp_planner_options_t), and what tables of papers
/// compare (papers/papers.h).
#ifndef REPLAN_PLANNERS_GRID_MEMBER_OPTIONS_H
#define REPLAN_PLANNERS_GRID_MEMBER_OPTIONS_H

#include "replan/planner.h"

/// A capability beside those of enum rp_capability.
#define RP_CAN_VARIANTS (1u << 12) ///< fast expansion variants 1 and 2

typedef struct rp_member_options {
    rp_open_t open;  ///< default heap
    uint8_t variant; ///< fast expansion variant of "Simple Optimization Techniques for A*-Based
                     ///< Search" section 3.6: 0 (none), 1, 2
    uint32_t check_every; ///< as in rp_planner_options_t
} rp_member_options_t;

#endif
