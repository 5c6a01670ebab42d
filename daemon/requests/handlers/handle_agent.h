/// @file
/// OpenAgent, CloseAgent, SetPose, SetPoses, SetGoal. Each handler finds its checked message in
/// `call->request`, and returns true when the reply is ready (call.h).
#ifndef REPLAN_DAEMON_REQUESTS_HANDLERS_HANDLE_AGENT_H
#define REPLAN_DAEMON_REQUESTS_HANDLERS_HANDLE_AGENT_H

#include "daemon/requests/handlers/call.h"

bool rp_handle_open_agent(rp_call_t *call);
bool rp_handle_close_agent(rp_call_t *call);
bool rp_handle_set_pose(rp_call_t *call);
bool rp_handle_set_poses(rp_call_t *call);
bool rp_handle_set_goal(rp_call_t *call);

#endif
