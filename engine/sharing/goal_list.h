/// @file
/// Goal list: goal cells without duplicates, in the order of their places, and the places of the
/// goals.
#ifndef REPLAN_ENGINE_SHARING_GOAL_LIST_H
#define REPLAN_ENGINE_SHARING_GOAL_LIST_H

#include "replan/planner.h"

#include "engine/layers/components.h"

typedef struct rp_goal_list {
    rp_goal_t *goals; ///< owned [capacity]
    size_t count;
    size_t capacity;
    bool is_rim; ///< of an area too large to name in full: to be made anew when the agent is inside
} rp_goal_list_t;

void rp_goal_list_fini(rp_goal_list_t *self);

/// At the end, for once; rp_goal_list_tidy() is to follow. @return RP_E_MEMORY; nothing is added
/// then
/// @param offset  in cell lengths
rp_status_t rp_goal_list_add(rp_goal_list_t *self, rp_cell_t cell, uint32_t offset);

/// Each cell once, with its least offset. Time: O(count * log count)
void rp_goal_list_tidy(rp_goal_list_t *self);

/// True when one of the goals is connected to a cell; the list need not be tidy. Time: O(count)
/// @param components  current
bool rp_goal_list_is_reached(const rp_goal_list_t *self, const rp_components_t *components,
                             rp_cell_t from);

/// Components in which goals lie, in ascending order, so that a cell is looked up among many. All
/// zero: none.
typedef struct rp_goal_parts {
    uint64_t *numbers; ///< owned [count]
    size_t count;
} rp_goal_parts_t;

/// @param components  current
/// @param goals  inside of their grid [count]
/// @return RP_E_MEMORY; nothing is owned then
rp_status_t rp_goal_parts_find(rp_goal_parts_t *self, const rp_components_t *components,
                               const rp_goal_t *goals, size_t count);
void rp_goal_parts_fini(rp_goal_parts_t *self);

/// True when a goal lies in the component of this number. Time: O(log goals)
bool rp_goal_parts_hold(const rp_goal_parts_t *self, uint64_t number);

/// Where goals lie, by whole coordinates, which may be outside of the grid.
typedef struct rp_place {
    int64_t x;
    int64_t y;
} rp_place_t;

/// None twice, by rows and columns in ascending order.
typedef struct rp_places {
    rp_place_t *list; ///< owned [count]
    size_t count;
} rp_places_t;

/// @param self  written. @return RP_E_MEMORY
rp_status_t rp_places_of_goals(rp_places_t *self, const rp_goal_list_t *goals,
                               const rp_grid_t *grid);
void rp_places_fini(rp_places_t *self);

/// Put them in order, none twice.
void rp_places_tidy(rp_places_t *self);

/// True when it is one of them. @param self  in order
bool rp_places_hold(const rp_places_t *self, rp_place_t place);

#endif
