/// @file
/// A wish: where an agent wants to go, as it was said, in metres; and which cells that makes goals.
#ifndef REPLAN_ENGINE_WISH_H
#define REPLAN_ENGINE_WISH_H

#include "replan/engine.h"

#include "engine/components.h"
#include "engine/world.h"

typedef struct rp_wish {
    rp_aim_kind_t kind;
    rp_destination_t *points; ///< of a region two opposite corners; owned [count]
    size_t count;             ///< of a target 1: where it is
    size_t next;              ///< of waypoints: the one to go to
    double tolerance_m;
    bool is_nearest;
} rp_wish_t;

/// Cells as goals, none twice, in the order of their places.
typedef struct rp_goal_list {
    rp_goal_t *goals; ///< owned [capacity]
    size_t count;
    size_t capacity;
    bool is_rim; ///< of an area too large to name in full: to be made anew when the agent is inside
} rp_goal_list_t;

/// The cell at whole coordinates, which may lie beyond the edge of a torus.
/// @return RP_NO_CELL outside
rp_cell_t rp_wish_cell(const rp_grid_t *grid, int64_t x, int64_t y);

/// @return RP_E_INVALID (numbers, counts), RP_E_MEMORY
rp_status_t rp_wish_init(rp_wish_t *self, const rp_aim_t *aim);
void rp_wish_fini(rp_wish_t *self);
void rp_goal_list_fini(rp_goal_list_t *self);

/// The cells that are goals now. No cell: all of it lies outside.
/// @param at     where the agent is, or RP_NO_CELL
/// @param goals  written
/// @return RP_E_LIMIT when an area is larger than RP_AREA_MAX, or its rim than RP_GOALS_MAX;
///         RP_E_MEMORY
rp_status_t rp_wish_goals(const rp_wish_t *self, const rp_world_t *world, rp_cell_t at,
                          rp_goal_list_t *goals);

/// True when one of the goals is connected to a cell. @param components  current
bool rp_goal_list_is_reached(const rp_goal_list_t *self, const rp_components_t *components,
                             rp_cell_t from);

/// Instead of goals that cannot be reached from a free cell: the cells that can, and that lie
/// nearest to one of them, by the distance of their middles. Looked for in slices. All zero: there
/// is none.
typedef struct rp_quest {
    rp_goal_list_t found; ///< nearest so far; all of them when `is_done`
    uint64_t least;       ///< squared distance of these
    size_t goal;          ///< round which is looked now
    uint32_t ring;        ///< round it, by its distance; those before are done
    bool is_begun;
    bool is_done;
    rp_cell_t from;
    uint64_t key;      ///< of the goals
    uint64_t version;  ///< of the ground
    uint32_t restarts; ///< for the same ends on other ground
} rp_quest_t;

void rp_quest_fini(rp_quest_t *self);

/// Set out, unless it is under way or done for the same ends on the same ground. On ground that
/// does not stand still it does not begin anew forever, but is not cut into slices in the end.
/// @param is_same_ground  since `self->version`
void rp_quest_begin(rp_quest_t *self, const rp_goal_list_t *goals, rp_cell_t from, uint64_t version,
                    bool is_same_ground);

/// Go on, for some ten thousand cells. Time in all: O(goals * distance^2)
/// @param goals  as it set out for
/// @param components  current
/// @return RP_MORE when cells are left; RP_E_MEMORY
rp_status_t rp_quest_go(rp_quest_t *self, const rp_goal_list_t *goals, const rp_grid_t *grid,
                        const rp_components_t *components);

/// Take over what was found. @param goals  replaced. @return RP_E_MEMORY
rp_status_t rp_quest_tell(const rp_quest_t *self, rp_goal_list_t *goals);

/// Metres from the middle of a cell to what was wished for; 0 inside of it.
double rp_wish_distance_m(const rp_wish_t *self, const rp_world_t *world, rp_cell_t cell);

#endif
