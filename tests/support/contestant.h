/// @file
/// The contestants: every planner of the registry, once with each form that its capabilities offer.
#ifndef REPLAN_TESTS_CONTESTANT_H
#define REPLAN_TESTS_CONTESTANT_H

#include "planners/papers/papers.h"
#include "replan/planner.h"

typedef struct rp_contestant {
    const rp_planner_info_t *info;
    rp_member_options_t options;
    char name[64]; ///< as on a command line: "astar --open buckets"
} rp_contestant_t;

/// Go through them all: index 0, 1, 2 ... until it says false.
bool rp_contestant_at(size_t index, rp_contestant_t *contestant);

/// How many there are.
size_t rp_contestant_count(void);

#endif
