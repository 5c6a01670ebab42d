/// @file
/// Lattice planner: curves that a vehicle with a body can drive, from a pose to a cell. It is bound
/// to one grid, whose cells of factor 0 are obstacles, and is told of changes as other planners are
/// (replan/planner.h); it is no member of their family, as its answers are curves.
///
///     set -> build .. RP_MORE .. build        once for a shape, shared
///     new -> start, goal -> plan .. RP_MORE .. plan -> result -> improve .. RP_MORE .. improve
///             apply(changes) / start / goal -> plan ...
///
/// A path is a sequence of children of the control set (control_set.h). Every curve is free of
/// obstacles for the whole body, with a margin of 1e-6 cells, proved by exact sweeps.
///
/// plan() gives a path that costs at most `percent` more than the cheapest path of the lattice;
/// improve() then looks for the cheapest. Costs are whole numbers inside; an answer never depends
/// on budgets or the machine. After changes a path is kept without a search where that is proved to
/// be right (kept_path.h): another path may be as good. Where obstacles broke it, the next search
/// begins with what is left of it, on the field as it was, for a few hundred expansions; then the
/// field is repaired first.
#ifndef REPLAN_PLANNERS_LATTICE_LATTICE_H
#define REPLAN_PLANNERS_LATTICE_LATTICE_H

#include "planners/lattice/pose_planner.h"

typedef struct rp_lattice rp_lattice_t;

/// @param set   whole; borrowed
/// @param grid  borrowed; its cells are read as a part of plan(), and what is rewritten meanwhile
/// is
///              told as ever. A torus must be wider than the body
/// @return RP_E_INVALID (the set is not whole), RP_E_UNSUPPORTED (a side of a torus is below twice
///         the body's radius, or below RP_LATTICE_TORUS_LEAST), RP_E_MEMORY. Time: O(1)
rp_status_t rp_lattice_new(const rp_control_set_t *set, const rp_grid_t *grid,
                           rp_lattice_t **lattice);

/// Accepts NULL.
void rp_lattice_destroy(rp_lattice_t **self);

/// Start from the middle of a cell.
/// @param yaw  radians; taken as the nearest heading when it is within 1e-9 of one; else the path
///             begins with a curve, or a turn, to a pose of the lattice
/// @return RP_E_INVALID: the cell is not inside, or the yaw is not finite
rp_status_t rp_lattice_set_start(rp_lattice_t *self, rp_cell_t cell, double yaw);

/// In which gear the vehicle comes to the start: to begin in the other one is a change of gear.
/// @param gear  +1 forwards, -1 backwards; 0, at first: in none
void rp_lattice_set_gear(rp_lattice_t *self, int32_t gear);

/// Families of more headings, at most.
#define RP_LATTICE_FINER_MOST 3u

/// Where there is no path, ask these sets one after the other before that is said.
/// @param sets  borrowed: of the same vehicle, each with more headings than the one before, and
/// than
///              the lattice's own. Those that are not whole are built when they are needed, as a
///              part of plan() [count]
/// @return RP_E_INVALID: too many, or headings that are no more
rp_status_t rp_lattice_set_finer(rp_lattice_t *self, rp_control_set_t *const *sets, uint32_t count);

/// Go to the middle of a cell, with any heading there.
/// @return RP_E_INVALID: the cell is not inside
rp_status_t rp_lattice_set_goal(rp_lattice_t *self, rp_cell_t cell);

/// Go to the middle of a cell, with an asked heading, or one of two. Of all paths that end so the
/// cheapest is meant. Once for a goal, and after changes near it, all poses round it are searched
/// first: goal_box.h.
/// @param goal  a yaw between headings of the lattice is reached by a last curve, or turn
/// @return RP_E_INVALID: the cell is not inside, the yaw is not finite, the tolerance is below 0 or
///         no number
rp_status_t rp_lattice_set_goal_pose(rp_lattice_t *self, const rp_lattice_goal_t *goal);

/// How far the vehicle may drive out of obstacles that its body overlaps at the start. It must come
/// out of each of them, deeper into none at any time, and may meet no other.
/// @param most  cells, 0..RP_LATTICE_ESCAPE_MOST; 0 at first: such a start is blocked. A way of
/// more
///              than four cells beyond the longest move is not looked for
/// @return RP_E_INVALID: outside
rp_status_t rp_lattice_set_escape(rp_lattice_t *self, double most);

/// How much dearer than the cheapest the path of plan() may be.
/// @param percent  0..RP_LATTICE_PERCENT_MOST; 10 at first
/// @return RP_E_INVALID: outside
rp_status_t rp_lattice_set_percent(rp_lattice_t *self, uint32_t percent);

/// Tell of cells of the grid that were rewritten, as rp_planner_apply(). Time: O(count): they are
/// obstacles, or none, at once, and all else that hears of them does so as a part of plan().
/// @return RP_E_INVALID when a cell is not inside; RP_E_MEMORY: then destroy it
rp_status_t rp_lattice_apply(rp_lattice_t *self, const rp_change_t *changes, size_t count);

/// Find a path within the bound.
/// @param budget  expansions, and other work as so many, counted down; with RP_MORE it is spent
/// @param plan    written with RP_OK only
/// @return RP_OK, RP_MORE; RP_E_INVALID without start or goal; RP_E_UNSUPPORTED: every path costs
///         more than RP_LATTICE_COST_MOST; RP_E_MEMORY
rp_status_t rp_lattice_plan(rp_lattice_t *self, uint64_t *budget, rp_lattice_plan_t *plan);

/// Find the cheapest path of the lattice: go on after plan().
/// @return as rp_lattice_plan()
rp_status_t rp_lattice_improve(rp_lattice_t *self, uint64_t *budget, rp_lattice_plan_t *plan);

/// See whether the last path stands after what was told since, without a search.
/// @param budget  as above
/// @param plan    written with RP_OK only
/// @return RP_OK, RP_MORE; RP_E_UNSUPPORTED: it takes rp_lattice_plan()
rp_status_t rp_lattice_keep(rp_lattice_t *self, uint64_t *budget, rp_lattice_plan_t *plan);

/// About what it holds: all that is dense, and what the last search has met.
uint64_t rp_lattice_bytes(const rp_lattice_t *self);

/// Which instructions to use: RP_SIMD_NONE for the portable ones. Answers are the same.
void rp_lattice_set_simd(rp_lattice_t *self, rp_simd_t simd);

/// The search itself (lattice_search.h): for tests and benchmarks.
const struct rp_lattice_search *rp_lattice_searched(const rp_lattice_t *self);

#endif
