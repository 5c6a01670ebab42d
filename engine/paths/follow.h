/// @file
/// Following: whether an agent is still on its way and path, or near enough beside them to keep
/// them; and cutting off the part that lies behind the agent.
///
/// Beside means by a free line: the straight segment from the agent to the nearest such point of
/// the line through the centres of the cells. It meets the interior of no obstacle, and passes no
/// corner of one. Cells that only inflation or an inscribed byte blocks are no obstacles.
#ifndef REPLAN_ENGINE_PATHS_FOLLOW_H
#define REPLAN_ENGINE_PATHS_FOLLOW_H

#include "engine/paths/escape.h"
#include "engine/paths/published_path.h"

/// Prune to where the agent is: to the cell of what is left that it stands in, else to the cell
/// with the nearest point that a free line leads to.
/// @param way     leads to the beginning of the path, or has no steps left
/// @param radius  of free lines, in cells; 0: there are none
/// @param was_beside  way and path were pruned to where the agent was beside them, so they begin
///                    there, within their first cell, and not at its middle
/// @return false when it follows no more; nothing is pruned then. Time: O(steps), and for each step
///         within the radius O(cells between it and the agent)
bool rp_follow(const rp_layer_t *layer, rp_way_t *way, rp_published_path_t *path,
               const rp_pose_t *pose, double radius, bool was_beside);

#endif
