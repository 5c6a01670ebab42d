/// @file
/// Driver: what a session has that asked for motion. The planner of curves over its layer, which is
/// made when it is needed first and may be dropped any time; and the curve that was published.
///
/// Where a search begins: on the published curve, at the next pose of the lattice ahead of the
/// agent, so that the new curve goes on where the old one led; or, where there is none, in the
/// middle of the agent's cell, or of one beside it (driver_start.h), with its yaw.
#ifndef REPLAN_ENGINE_SESSION_DRIVING_DRIVER_H
#define REPLAN_ENGINE_SESSION_DRIVING_DRIVER_H

#include "engine/layers/layer.h"
#include "engine/paths/driven_curve.h"
#include "engine/session/driving/driver_shape.h"
#include "engine/session/driving/tour.h"
#include "engine/sharing/control_sets.h"

/// Where the search under way, or the last one, begins.
typedef enum rp_driver_root {
    RP_ROOT_NONE,  ///< of none: goal, pose or ground are others
    RP_ROOT_POSE,  ///< where the agent was
    RP_ROOT_CURVE, ///< ahead of it on the curve, at `root_at`
} rp_driver_root_t;

typedef enum rp_driver_stage {
    RP_DRIVER_RESTS,    ///< nothing is to be searched until something happens
    RP_DRIVER_SEARCHES, ///< a search is under way
    RP_DRIVER_IMPROVES, ///< a cheaper curve than that of the last search may exist
} rp_driver_stage_t;

/// What is searched, or was last.
typedef struct rp_driver_search {
    rp_driver_stage_t stage;
    rp_driver_root_t root;
    double root_at; ///< extent of the curve where the lattice's path begins
    size_t root_piece;
    bool turns_off;     ///< from the curve no path leads to the goal: begin where the agent is
    bool has_news;      ///< since a tour's search began, more than obstacles came
    bool has_obstacles; ///< obstacles came, against which the tour's path was not held
    size_t held;        ///< so many segments of that path were held against them
} rp_driver_search_t;

/// The moves that its lattices are made of, shared by sessions.
typedef struct rp_driver_sets {
    rp_control_sets_t *all;                        ///< of the engine, borrowed
    rp_shared_set_t *own;                          ///< joined; NULL: not needed yet
    rp_shared_set_t *finer[RP_LATTICE_FINER_MOST]; ///< joined: of more headings [finer_count]
    uint32_t finer_count;
    uint32_t headings_most; ///< of them
    bool asks_finer;        ///< the lattice knows them
} rp_driver_sets_t;

typedef struct rp_driver {
    rp_lattice_shape_t shape;
    uint32_t percent;
    double hold;       ///< cells of the curve that stay, ahead of the agent
    double follow_yaw; ///< radians
    double escape;     ///< longest way out of obstacles, cells
    double yaw;        ///< of the newest pose, from the world's x axis; in cells as in metres
    bool has_yaw;
    rp_tour_t tour; ///< where it goes
    size_t told;    ///< the stop where the curve ends
    rp_driver_sets_t sets;
    rp_lattice_t *lattice; ///< owned; NULL: not needed yet, or dropped
    uint64_t heard;        ///< version of the ground that it has
    rp_driver_search_t search;
    uint32_t family; ///< headings that the newest plan is about
    rp_driven_curve_t curve;
    bool is_inspected;   ///< `curve.broken_at` is for version `heard`
    bool has_other_legs; ///< of the curve: it was found for stops before those of `tour`
    bool is_best;        ///< the curve is that of the lattice's last plan
    uint64_t counted;    ///< bytes of it that the engine has counted
} rp_driver_t;

/// @param escape_m  longest way out of obstacles, metres; 0: as far as one is looked for
/// @param resolution_m  of the world
/// @return RP_E_MEMORY
rp_status_t rp_driver_new(const rp_motion_t *motion, double escape_m, double resolution_m,
                          rp_driver_t **driver);
void rp_driver_destroy(rp_driver_t **self);

/// True when its lattice can have a pose in each of so many cells with each of its headings.
bool rp_driver_has_room(const rp_driver_t *self, uint64_t cells);

/// Give up the planner; the curve stays.
void rp_driver_drop(rp_driver_t *self);

/// It is to go elsewhere, or to stand there otherwise.
/// @param tour  given
void rp_driver_aim(rp_driver_t *self, rp_tour_t *tour);

/// True when its yaw is one that it may stand with at a stop.
bool rp_driver_faces(const rp_driver_t *self, const rp_tour_stop_t *stop);

/// Goals or pose are others: what is searched next begins anew.
void rp_driver_reset(rp_driver_t *self);

/// Have a planner that knows the newest ground.
/// @param budget  counted down
/// @return RP_MORE, RP_E_UNSUPPORTED (too many moves, the ground is too large, or too narrow),
///         RP_E_MEMORY
rp_status_t rp_driver_prepare(rp_driver_t *self, const rp_layer_t *layer, uint64_t version,
                              uint64_t *budget);

/// Where an agent goes from, and whether it must begin there.
typedef struct rp_driver_ends {
    rp_cell_t cell;
    rp_driven_pose_t pose; ///< where it stands in that cell
    size_t next;           ///< number of the next waypoint; else 0
    bool begins_there;
    bool is_there;    ///< it has arrived: it may stay, whatever its yaw
    bool leads_there; ///< the curve is free, and ends at the goal as asked
} rp_driver_ends_t;

/// Find a curve, or that the last one stands.
/// @param budget  counted down
/// @param plan  written with RP_OK; its path begins at the root
/// @return as rp_lattice_plan()
rp_status_t rp_driver_plan(rp_driver_t *self, const rp_grid_t *grid, const rp_driver_ends_t *ends,
                           uint64_t *budget, rp_lattice_plan_t *plan);

/// True when a plan without a path may be true no more: it is to be asked once more after that is
/// said, though nothing changes.
static inline bool rp_driver_doubts(const rp_driver_t *self, const rp_lattice_plan_t *plan)
{
    return rp_tour_is_long(&self->tour) && self->search.has_news &&
           plan->outcome != RP_OUTCOME_FOUND;
}

/// Look for the cheapest curve.
/// @param budget  counted down, as far as it was not spent
/// @param plan  written with RP_OK, as above
/// @return as rp_lattice_improve()
rp_status_t rp_driver_improve(rp_driver_t *self, const rp_grid_t *grid, uint64_t *budget,
                              rp_lattice_plan_t *plan);

/// What it costs to stop where the curve ends, and what is left of the curve.
double rp_driver_cost_left(const rp_driver_t *self, const rp_grid_t *grid);

/// What the way along the curve from the agent to the root costs; below 0: it lies behind.
double rp_driver_lead(const rp_driver_t *self, const rp_grid_t *grid);

/// The plan's curve is the published one from now on, behind what leads to it.
/// @return RP_E_MEMORY; then the agent has none
rp_status_t rp_driver_take(rp_driver_t *self, const rp_grid_t *grid, const rp_lattice_plan_t *plan);

/// False when the plan's curve is another than the published one, and leaves it behind the agent.
bool rp_driver_can_switch(const rp_driver_t *self);

/// The agent has no curve.
void rp_driver_stop(rp_driver_t *self);

/// Bytes that it holds.
uint64_t rp_driver_bytes(const rp_driver_t *self);

#endif
