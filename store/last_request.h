/// @file
/// Last request of each agent and shape, kept so that a checkpoint can write it and a restart can
/// replay it (daemon/rules/checkpointer.h). Kept only with --state.
#ifndef REPLAN_STORE_LAST_REQUEST_H
#define REPLAN_STORE_LAST_REQUEST_H

#include <uthash.h>

#include "msgs/codec.h"
#include "msgs/limits.h"

/// A packed replan.v1.Request; all zero: none.
typedef struct rp_last_request {
    uint8_t *bytes; ///< owned [size]
    size_t size;
} rp_last_request_t;

/// Keep this request instead of the one before.
/// @return false without memory: then none is kept
bool rp_last_request_keep(rp_last_request_t *self, const Replan__V1__Request *request);
void rp_last_request_fini(rp_last_request_t *self);

/// The newest pose of an agent.
typedef struct rp_last_request_pose {
    double x_m;
    double y_m;
    double yaw;
    uint64_t pose_seq;
    uint64_t source_us;
    bool is_there;
} rp_last_request_pose_t;

/// What one agent was told. It may have been opened without a request, by its first pose or goal.
typedef struct rp_last_request_agent {
    rp_last_request_t open; ///< without pose and goal
    rp_last_request_t goal;
    uint32_t waypoint; ///< that the goal begins with
    rp_last_request_pose_t pose;
} rp_last_request_agent_t;

void rp_last_request_agent_fini(rp_last_request_agent_t *self);

/// Keep what an OpenAgent says of the agent itself.
bool rp_last_request_open(rp_last_request_agent_t *self, const Replan__V1__OpenAgent *open);

/// Keep a goal. @param world, agent  their names, which the goal may leave out
bool rp_last_request_goal(rp_last_request_agent_t *self, const char *world, const char *agent,
                          const Replan__V1__Goal *goal);

/// The agent has come so far on its way: the goal begins there from now on.
/// @return the request that says so; NULL when it did before, or without memory
const rp_last_request_t *rp_last_request_waypoint(rp_last_request_agent_t *self, uint32_t waypoint);

/// A shape that lies on a world.
typedef struct rp_last_request_shape {
    uint32_t id;
    uint64_t put_us;       ///< wall clock
    uint64_t expires_us;   ///< steady, as the engine counts it; UINT64_MAX: never
    rp_last_request_t put; ///< an Overlay of this shape alone
    UT_hash_handle hh;
} rp_last_request_shape_t;

/// The shapes of one world, the topmost at the end.
typedef struct rp_last_request_shapes {
    rp_last_request_shape_t *by_id; ///< owned
} rp_last_request_shapes_t;

void rp_last_request_shapes_fini(rp_last_request_shapes_t *self);

/// Shapes were put, moved and removed. @param wall_us, steady_us  now, by either clock
/// @return false without memory: then some of them are not kept
bool rp_last_request_overlay(rp_last_request_shapes_t *self, const Replan__V1__Overlay *overlay,
                             uint64_t wall_us, uint64_t steady_us);

/// Shapes went, as their time is over: forget them. @param steady_us  now
/// @param ids  written: whose [RP_LIMIT_SHAPES]
/// @return how many
size_t rp_last_request_expire(rp_last_request_shapes_t *self, uint64_t steady_us, uint32_t *ids);

#endif
