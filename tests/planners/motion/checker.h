/// @file
/// The independent checker: whether a vehicle can drive segments past obstacles, by halving. It
/// shares nothing with the sweeps: its poses come from libm, its distances are those of a resting
/// body. On its way the distance to an obstacle changes by at most so much for each cell driven; a
/// middle that is farther away than half a part can change proves that part.
#ifndef REPLAN_TESTS_MOTION_CHECKER_H
#define REPLAN_TESTS_MOTION_CHECKER_H

#include <stdbool.h>

#include "planners/motion/segment.h"

typedef enum rp_verdict {
    RP_VERDICT_FREE,
    RP_VERDICT_MEETS,
    RP_VERDICT_OPEN, ///< too close to tell: the budget is spent
} rp_verdict_t;

typedef struct rp_checked_body {
    double radius;   ///< of a disc; 0: a footprint
    const double *x; ///< in either sense of rotation; may be concave [count]
    const double *y;
    uint32_t count;
    double slack; ///< so far it may lie in an obstacle, from each side: what only touches may
                  ///< seem to
} rp_checked_body_t;

typedef struct rp_checked_world {
    bool (*is_obstacle)(const void *user, int64_t x, int64_t y);
    const void *user;
} rp_checked_world_t;

/// @param budget  poses that may be looked at
rp_verdict_t rp_checker_judge(const rp_checked_world_t *world, const rp_checked_body_t *body,
                              const rp_segment_t *segments, size_t count, uint32_t budget);

#endif
