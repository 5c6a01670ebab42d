/// @file
/// Following reference: whether a pose follows what is left of a way and a path, written from the
/// text of the design alone. The line through the middles is cut wherever the view of it from the
/// pose may change, and each piece is held against every obstacle.
///
/// The text leaves open whether a pose that lies exactly on a corner passes that corner. Here it
/// does unless the segment runs on into the pose's own cell. A view that is open at one single
/// point of the line only does not occur, as it would touch the corner of an obstacle.
#ifndef REPLAN_TESTS_FOLLOWING_REFERENCE_H
#define REPLAN_TESTS_FOLLOWING_REFERENCE_H

#include "tests/engine/paths/escape_reference.h"

/// Distance of a pose from the nearest point of the line that it may count as following: the
/// straight segment meets the interior of no obstacle and passes no corner beside an obstacle.
/// @param cells  what is left: the way, if any, then the path [count, at least 1]
/// @return metres; 0 in one of these cells if it is no obstacle, or if the way leaves it into a run
///         in which it may begin from this pose; INFINITY when there is no such point, or the pose
///         lies outside
double rp_following_distance_m(const rp_escape_world_t *self, double x_m, double y_m,
                               const uint32_t *cells, size_t count);

/// The same for the half of a passed step that lies in the first cell that is left: what is left of
/// a line that was cut beside the agent begins in that half. Only spots of it count, no cells.
double rp_following_half_m(const rp_escape_world_t *self, double x_m, double y_m, uint32_t before,
                           uint32_t first);

/// Whether the pose follows.
bool rp_following_holds(const rp_escape_world_t *self, double x_m, double y_m,
                        double follow_radius_m, const uint32_t *cells, size_t count);

#endif
