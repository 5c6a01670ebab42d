/// @file
/// Departure: where an agent that a probe asks about would begin, on ground that need not be there.
/// It is decided as a session would: an agent beside its path follows by a free line or no more,
/// and leaves a blocked cell by a way. What of the session matters is copied, so that it may move
/// or close meanwhile.
#ifndef REPLAN_ENGINE_QUERY_DEPARTURE_H
#define REPLAN_ENGINE_QUERY_DEPARTURE_H

#include "engine/query/probe_ground.h"
#include "engine/session/session_state.h"

typedef struct rp_departure {
    rp_pose_t pose;     ///< of the agent
    double radius;      ///< of free lines, cells
    double longest;     ///< way, cells
    rp_policy_t policy; ///< which path is kept, whatever the time
    rp_way_t way;       ///< what was published and is left, while it is beside that; owned, as is
    rp_published_path_t path; ///< this
    bool is_beside;
    uint64_t followed; ///< version on which it was found to follow just so
    rp_goal_spec_t
        goal_spec; ///< its areas, where the goals are their rims; owned. Else it has no points

    // on the ground as it is
    bool is_known; ///< `at` and `offset` are
    rp_cell_t at;  ///< where its path begins; RP_NO_CELL: outside, or none leads to a goal
    uint32_t
        offset;   ///< of `at`, where that is a goal that is not listed; else RP_GOAL_SPEC_OUTSIDE
    bool follows; ///< it begins on what was published, of which is left
    rp_way_t way_left;             ///< this; the steps are those of `way`
    rp_published_path_t path_left; ///< and this
    bool has_left;                 ///< it follows no more, as what was published is not kept
    bool is_stuck;      ///< it leaves a blocked cell: of several ways out the best is to be found
    bool is_escaping;   ///< the search for them has begun
    rp_escape_t escape; ///< owned
} rp_departure_t;

/// @param session  has a pose
/// @param is_rim  of areas that are its goals only the rims are listed
/// @return RP_E_MEMORY; fini is right then too. Time: O(steps)
rp_status_t rp_departure_init(rp_departure_t *self, rp_session_t *session, bool is_rim);
void rp_departure_fini(rp_departure_t *self);

/// Ground and goals of an agent.
typedef struct rp_departure_scene {
    rp_probe_ground_t *ground;
    uint32_t view;          ///< number of its layer there
    const rp_goal_t *goals; ///< inside the world, borrowed [goal_count]
    size_t goal_count;
} rp_departure_scene_t;

/// Find out where it begins, unless that is known.
/// @param budget  counted down
/// @return RP_MORE when it was spent first; RP_E_MEMORY
rp_status_t rp_departure_go(rp_departure_t *self, const rp_departure_scene_t *scene,
                            uint64_t *budget);

/// A path from `at` costs so much. @param cost  INFINITY: there is none
/// @return false when it is to begin elsewhere: by another way out, or where it stands, as it does
///         not keep its path; go and plan again
bool rp_departure_weigh(rp_departure_t *self, const rp_departure_scene_t *scene, double cost);

/// The ground is another one: nothing is known.
void rp_departure_start_over(rp_departure_t *self);

#endif
