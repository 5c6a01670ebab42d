/// @file
/// Pose planner: what a lattice (lattice.h) does with one control set, so with headings of one
/// number.
#ifndef REPLAN_PLANNERS_LATTICE_POSE_PLANNER_H
#define REPLAN_PLANNERS_LATTICE_POSE_PLANNER_H

#include "base/simd.h"
#include "planners/lattice/control_set.h"
#include "replan/planner.h"

/// Least side of a torus, cells.
#define RP_LATTICE_TORUS_LEAST 8u

/// What a plan found.
typedef struct rp_lattice_plan {
    rp_outcome_t outcome;
    double cost;  ///< in cell lengths on normal ground; infinite without a path
    double bound; ///< no path of the lattice costs less, as far as is known
    bool is_optimal;
    const rp_segment_t *segments; ///< borrowed until the next call [segment_count]
    uint32_t segment_count;       ///< 0: no path, or the start is the goal
    uint32_t escape_count;        ///< of these, the first ones: they leave a collision
    rp_motion_pose_t end;         ///< with a path: the pose where it ends
    rp_path_t path;    ///< borrowed as well: the cells that the curve's centre runs through
    uint64_t expanded; ///< poses, since the last event; 0: the last path was kept
    uint32_t family;   ///< headings of the lattice that was searched last; 0: there is no path of
                       ///< cells either, so none with any headings
} rp_lattice_plan_t;

typedef struct rp_pose_planner rp_pose_planner_t;

/// As rp_lattice_new(), but that a torus is wide enough. What follows is as of rp_lattice_t.
rp_status_t rp_pose_planner_new(const rp_control_set_t *set, const rp_grid_t *grid,
                                rp_pose_planner_t **planner);
void rp_pose_planner_destroy(rp_pose_planner_t **self);
rp_status_t rp_pose_planner_set_start(rp_pose_planner_t *self, rp_cell_t cell, double yaw);
rp_status_t rp_pose_planner_set_goal(rp_pose_planner_t *self, const rp_lattice_goal_t *goal);
void rp_pose_planner_set_gear(rp_pose_planner_t *self, int32_t gear);
/// @param most  within its limits
void rp_pose_planner_set_escape(rp_pose_planner_t *self, double most);
rp_status_t rp_pose_planner_set_percent(rp_pose_planner_t *self, uint32_t percent);
void rp_pose_planner_set_simd(rp_pose_planner_t *self, rp_simd_t simd);
rp_status_t rp_pose_planner_apply(rp_pose_planner_t *self, const rp_change_t *changes,
                                  size_t count);
rp_status_t rp_pose_planner_plan(rp_pose_planner_t *self, uint64_t *budget,
                                 rp_lattice_plan_t *plan);
rp_status_t rp_pose_planner_improve(rp_pose_planner_t *self, uint64_t *budget,
                                    rp_lattice_plan_t *plan);
rp_status_t rp_pose_planner_keep(rp_pose_planner_t *self, uint64_t *budget,
                                 rp_lattice_plan_t *plan);
uint64_t rp_pose_planner_bytes(const rp_pose_planner_t *self);
const struct rp_lattice_search *rp_pose_planner_searched(const rp_pose_planner_t *self);

#endif
