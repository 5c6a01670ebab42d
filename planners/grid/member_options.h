/// @file
/// What a member is bound with: what users choose (rp_planner_options_t), and what tables of papers
/// compare (papers/papers.h).
#ifndef REPLAN_PLANNERS_GRID_MEMBER_OPTIONS_H
#define REPLAN_PLANNERS_GRID_MEMBER_OPTIONS_H

#include "replan/planner.h"

/// Capabilities beside those of enum rp_capability.
#define RP_CAN_VARIANTS (1u << 12) ///< fast expansion variants 1 and 2
#define RP_CAN_RESTORE  (1u << 13) ///< offers each rp_restore_t

/// How Fringe-Saving A*, which keeps the beginning of its last search, rebuilds OPEN as it was at
/// that point.
typedef enum rp_restore {
    RP_RESTORE_AUTO, ///< the planner chooses
    RP_RESTORE_WALK, ///< walks round the closed cells, as the paper does; as LOG where that would
                     ///< not be exact
    RP_RESTORE_LOG,  ///< from copies of OPEN that were made during the search
} rp_restore_t;

typedef struct rp_member_options {
    rp_open_t open;  ///< default heap
    uint8_t variant; ///< fast expansion variant of "Simple Optimization Techniques for A*-Based
                     ///< Search" section 3.6: 0 (none), 1, 2
    rp_restore_t restore;
    uint32_t check_every; ///< as in rp_planner_options_t
} rp_member_options_t;

#endif
