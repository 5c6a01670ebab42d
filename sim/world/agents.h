/// @file
/// Simulated agents, which walk the paths that they receive. An agent knows its place, its goal and
/// its newest path. It never enters a cell that is blocked right in front of it, but waits for an
/// answer.
#ifndef REPLAN_SIM_WORLD_AGENTS_H
#define REPLAN_SIM_WORLD_AGENTS_H

#include "sim/check/checker.h"
#include "sim/check/curve_check.h"
#include "sim/check/grid_view.h"

/// Poses and goals remembered, so that an answer can be held to what it was asked.
#define RP_SIM_AGENT_MEMORY 1024u

typedef struct rp_sim_agent {
    char name[33];
    uint32_t cell;
    uint32_t home; ///< where this trip began
    uint32_t goal;
    uint64_t pose_seq; ///< of the newest pose, from 1
    uint64_t goal_id;  ///< of the newest goal, from 1
    uint32_t *path;    ///< cells, start first; owned [path_count]
    size_t path_count; ///< 0: no path
    size_t path_capacity;
    size_t at;        ///< where on the path the agent is
    bool has_no_path; ///< the newest answer says so
    bool is_away;     ///< it has left the world for a while
    uint32_t prey; ///< number of the agent that it goes after instead of a goal; RP_NOWHERE: none
    size_t way_count; ///< so many cells of the path lead out of a blocked cell, before it begins

    // the newest answer
    Replan__V1__Outcome outcome;
    Replan__V1__Reason reason;
    uint64_t heard_goal; ///< its goal_id
    uint64_t path_seq;
    uint64_t prey_pose;  ///< its target_pose_seq
    uint64_t stirred_us; ///< when the agent last heard, or said where it is

    // of one that drives (driving.h)
    rp_drive_pose_t *seats;    ///< pose of pose_seq, as `poses`; owned; NULL: it walks
    rp_drive_segment_t *curve; ///< what is left of its curve, owned [curve_count]
    size_t curve_count;
    size_t curve_capacity;
    double along; ///< how far it has come on the first of them

    uint32_t *poses; ///< cell of pose_seq, at pose_seq % RP_SIM_AGENT_MEMORY; owned
    uint32_t *goals; ///< cell of goal_id, likewise; owned
} rp_sim_agent_t;

/// @return false without memory
bool rp_sim_agent_init(rp_sim_agent_t *self, unsigned number, uint32_t cell, uint32_t goal);
void rp_sim_agent_fini(rp_sim_agent_t *self);

/// Stand somewhere: the next pose.
void rp_sim_agent_place(rp_sim_agent_t *self, uint32_t cell);

/// Want to go somewhere else: the next goal. The path so far is forgotten unless `keep_path`.
void rp_sim_agent_aim(rp_sim_agent_t *self, uint32_t goal, bool keep_path);

/// What an answer was asked for: start and goal.
/// @param prey  whom the agent goes after; NULL: nobody
/// @return false when pose or goal are unknown or forgotten
bool rp_sim_agent_question(const rp_sim_agent_t *self, const rp_sim_agent_t *prey,
                           const Replan__V1__Answer *answer, rp_search_query_t *question);

/// Take the newest path in, if it is for the newest goal. The agent may have walked on since:
/// it joins the path where it stands on it, or waits for the next one. One that stands in an
/// obstacle goes to where the path begins.
/// @return false without memory
bool rp_sim_agent_hear(rp_sim_agent_t *self, const rp_grid_view_t *grid,
                       const Replan__V1__Answer *answer);

/// One step along the path, if the grid allows it; or out of an obstacle, at once.
/// @return true when the agent moved
bool rp_sim_agent_step(rp_sim_agent_t *self, const rp_grid_view_t *grid);

#endif
