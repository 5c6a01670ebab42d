/// @file
/// Agents: what may be said of them, through control or published. What is said of one that is not
/// there opens it (docs/policy.md).
#ifndef REPLAN_DAEMON_RULES_AGENTS_H
#define REPLAN_DAEMON_RULES_AGENTS_H

#include "daemon/serving/serving.h"

/// The motion that an agent asks for.
/// @param open       has motion
/// @param footprint  of its body, borrowed by the motion; NULL: it has none
rp_motion_t rp_agents_motion_of(const rp_served_t *world, const Replan__V1__OpenAgent *open,
                                const rp_polygon_body_t *footprint);

/// An agent with motion whose lattice would have too many poses in a window of so many cells.
/// @return NULL when there is none. Time: O(agents)
const rp_agent_t *rp_agents_find_crowded(const rp_served_t *world, uint64_t cells);

/// Open an agent. @param asked  NULL: with defaults in everything
/// @param status  written: as rp_worlds_open_agent(); RP_E_UNKNOWN: there is no such planner
/// @param refusal  filled in when status is RP_OK and `--memory` has no room for it
/// @return NULL unless RP_OK, or when it is refused
rp_agent_t *rp_agents_open(rp_serving_t *self, rp_served_t *world, const char *name,
                           const Replan__V1__OpenAgent *asked, const rp_body_t *body,
                           rp_status_t *status, rp_refusal_t *refusal);

/// Close an agent and all that hangs on it.
void rp_agents_close(rp_serving_t *self, rp_agent_t *agent);

/// Close an agent by itself, and note that on disk.
void rp_agents_expire(rp_serving_t *self, rp_agent_t *agent);

/// Each returns false with the refusal filled in.
bool rp_agents_set_pose(rp_serving_t *self, rp_agent_t *agent, const Replan__V1__Pose *pose,
                        rp_refusal_t *refusal);
bool rp_agents_set_goal(rp_serving_t *self, rp_agent_t *agent, const Replan__V1__Goal *goal,
                        rp_refusal_t *refusal);

/// Keep what an agent was told, for a checkpoint of what is kept on disk.
void rp_agents_note_goal(const rp_serving_t *self, rp_agent_t *agent, const Replan__V1__Goal *goal);

/// What a goal with so many yaws asks for.
rp_aim_heading_t rp_agents_heading(size_t yaws, Replan__V1__GoalHeading heading);

/// Whether an agent can be sent with a heading. @return false with the refusal filled in
/// @param field  that asks for it
bool rp_agents_can_face(const rp_agent_t *agent, const char *field, rp_aim_heading_t heading,
                        rp_refusal_t *refusal);

/// Refuse a goal that the engine refused. @return false
bool rp_agents_refuse_goal(rp_status_t status, const rp_agent_t *agent, rp_refusal_t *refusal);

/// Take what is said of the agent that it names. One that is not there is opened with defaults;
/// handles must be there.
/// @return false with the refusal filled in: then no agent was opened
bool rp_agents_take_pose(rp_serving_t *self, const Replan__V1__Pose *pose, rp_refusal_t *refusal);
bool rp_agents_take_goal(rp_serving_t *self, const Replan__V1__Goal *goal, rp_refusal_t *refusal);

/// Leave out of published poses those whose handles are nobody's: the others are to be taken, as
/// their publisher cannot hear which one was refused.
/// @param refusal  filled in when some are left out
void rp_agents_leave_out_stale(const rp_serving_t *self, Replan__V1__Poses *poses,
                               rp_refusal_t *refusal);

/// The same of many, in slices. @param taken  how many were, counted up
/// @param budget  counted down, in expansions that take as long
/// @return false with the refusal filled in: then none was
bool rp_agents_take_poses(rp_serving_t *self, const Replan__V1__Poses *poses, size_t *taken,
                          uint64_t *budget, rp_refusal_t *refusal);

/// Note poses in the journal that were taken in slices. Those of agents that closed between two
/// slices are left out: nobody would know them when they are told again.
void rp_agents_note_poses(rp_serving_t *self, Replan__V1__Poses *poses);

#endif
