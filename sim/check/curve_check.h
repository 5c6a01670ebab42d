/// @file
/// Checks curves of agents that drive: arcs no tighter than asked, joints without gaps, a body that
/// meets no obstacle, by a proof of its own: on its way the distance of a body to an obstacle
/// changes no faster than its points move. Shares nothing with the planners' sweeps.
///
/// A cell is a metre wide; cell (x, y) is the square from (x, y) to (x + 1, y + 1).
#ifndef REPLAN_SIM_CHECK_CURVE_CHECK_H
#define REPLAN_SIM_CHECK_CURVE_CHECK_H

#include "sim/check/grid_view.h"

#include "replan.pb-c.h"

#define RP_DRIVE_CORNERS 4u

/// How agents drive. All 0: they walk, from cell to cell.
typedef struct rp_drive_options {
    double turning_radius_m; ///< above 0: they drive
    double radius_m;         ///< of a disc; 0: a footprint
    double ahead_m;          ///< a footprint: a rectangle that reaches so far ahead of the agent,
    double behind_m;         ///< behind it
    double aside_m;          ///< and to either side
    bool turns_in_place;
    bool reverses;
} rp_drive_options_t;

static inline bool rp_drive_is_on(const rp_drive_options_t *self)
{
    return self->turning_radius_m > 0.0;
}

/// Corners of a footprint, to the left round it. @return how many; 0: a disc
uint32_t rp_drive_corners(const rp_drive_options_t *self, double x[RP_DRIVE_CORNERS],
                          double y[RP_DRIVE_CORNERS]);

typedef struct rp_drive_pose {
    double x;
    double y;
    double yaw;
} rp_drive_pose_t;

typedef struct rp_drive_segment {
    rp_drive_pose_t start;
    double curvature; ///< 1/m, above 0 to the left
    double length;    ///< below 0: backwards
    double turn;      ///< radians, of a turn in place
} rp_drive_segment_t;

/// Segment `at` of an answer that has them all.
rp_drive_segment_t rp_drive_segment(const Replan__V1__Answer *answer, size_t at);

/// Its length, or the radians of its turn, without sign.
double rp_drive_extent(const rp_drive_segment_t *self);

rp_drive_pose_t rp_drive_pose_on(const rp_drive_segment_t *self, double part);

/// True when the body rests there and touches no obstacle but at its rim.
bool rp_drive_is_clear(const rp_drive_options_t *self, const rp_grid_view_t *grid,
                       const rp_drive_pose_t *pose);

/// True when the body meets no obstacle on segments, from a part of the first one on.
bool rp_drive_is_free(const rp_drive_options_t *self, const rp_grid_view_t *grid,
                      const rp_drive_segment_t *segments, size_t count, double along);

/// The curve of an answer, from near a pose to the middle of a cell.
/// @return NULL, or what is wrong with it
const char *rp_drive_check(const rp_drive_options_t *self, const rp_grid_view_t *grid,
                           const Replan__V1__Answer *answer, const rp_drive_pose_t *from,
                           uint32_t goal);

#endif
