/// @file
/// Change impact: can a change of a layer matter to a session at all? An optimal path stays
/// optimal while nothing on it becomes dearer, and nothing becomes cheaper where a cheaper path
/// could run. Most changes are far from most paths: those sessions need not be asked, nor their
/// planners told.
///
/// A layer is cut into at most 32 x 32 sectors. A path is the set of sectors that it runs through;
/// what became dearer is the set of sectors at or beside it. The two sets of 1024 bits are compared
/// by words (interest_index.h). Where they meet, the path is walked, as it may still miss the
/// changed cells. What became cheaper is compared with the ellipse of all paths that could cost
/// less, by the octile distance. Both tests err on the side of asking.
#ifndef REPLAN_ENGINE_PATHS_CHANGE_IMPACT_H
#define REPLAN_ENGINE_PATHS_CHANGE_IMPACT_H

#include "replan/grid.h"
#include "replan/planner.h"

#include "engine/layers/rectangle.h"
#include "engine/paths/published_path.h"

/// Tiles of a layer, along a side and in words of bits.
#define RP_SECTORS_SIDE  32u
#define RP_SECTORS_WORDS (RP_SECTORS_SIDE * RP_SECTORS_SIDE / 64u)

typedef struct rp_sectors {
    uint64_t words[RP_SECTORS_WORDS];
} rp_sectors_t;

/// What one version changed in a layer, prepared for these tests.
typedef struct rp_change_impact {
    const rp_grid_t *grid;      ///< borrowed
    const rp_change_t *changes; ///< borrowed [count]
    size_t count;
    rp_sectors_t dearer;      ///< where cells became dearer, and one cell round them
    rp_rectangle_t dearer_in; ///< the rectangle of that
    size_t cheaper_count;
    rp_rectangle_t cheaper_in; ///< the rectangle of what became cheaper
} rp_change_impact_t;

/// The path of a session, with what it costs.
typedef struct rp_standing {
    const rp_published_path_t *published;
    rp_cell_t start;
    const rp_goal_t *goals; ///< [goal_count]
    size_t goal_count;
    double cost; ///< cell lengths on normal ground, the offset of its goal included
} rp_standing_t;

/// @param changes  each cell once, borrowed as long as the impact [count]. Time: O(count)
void rp_change_impact_read(rp_change_impact_t *self, const rp_grid_t *grid,
                           const rp_change_t *changes, size_t count);

/// True when so few cells became cheaper that each is compared with a path.
bool rp_change_impact_names_cheaper(const rp_change_impact_t *self);

/// The sectors that the rest of a path runs through. Time: O(steps).
void rp_sectors_of_path(rp_sectors_t *self, const rp_grid_t *grid, const rp_published_path_t *path);

/// The same in 8 x 8 quarters of 4 x 4 sectors, a bit each.
uint64_t rp_sectors_quarters(const rp_sectors_t *self);

/// True when the path is broken now, or costs more. Time: O(steps).
/// @param is_measured  written: its steps were walked on the grid, not only compared with sectors
bool rp_change_impact_worsens_path(const rp_change_impact_t *self, const rp_standing_t *path,
                                   bool *is_measured);

/// False when an optimal path that is not broken or dearer is certainly still optimal, at the same
/// cost. Time: O(goals), and O(goals * changes) where a few cells became cheaper near it.
bool rp_change_impact_rival_path(const rp_change_impact_t *self, const rp_standing_t *path);

/// False when there is certainly still no path between these. Time: O(changes).
bool rp_change_impact_touch_no_path(const rp_change_impact_t *self, rp_cell_t start,
                                    const rp_goal_t *goals, size_t goal_count);

#endif
