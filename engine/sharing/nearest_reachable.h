/// @file
/// Nearest reachable goal: when no path reaches any goal, finds the cells that the agent can reach
/// and that are nearest to a goal (Euclidean, centre to centre; all of them if several tie). Runs
/// in slices. Cost: one test per 64 x 64 tile, then one per cell of the tiles that qualify.
#ifndef REPLAN_ENGINE_SHARING_NEAREST_REACHABLE_H
#define REPLAN_ENGINE_SHARING_NEAREST_REACHABLE_H

#include "engine/layers/components.h"
#include "engine/sharing/goal_list.h"

/// All zero: there is none.
typedef struct rp_nearest_reachable {
    rp_goal_list_t found; ///< nearest so far; all of them when `is_done`
    uint64_t least;       ///< squared distance that they have, or that is known to be possible
    uint32_t *tiles;      ///< that can be reached and may be near enough, owned [tile_count]
    uint32_t tile_count;
    uint32_t place; ///< of the tile that is asked next whether it can be reached
    size_t at;      ///< which of the places is looked round now
    uint32_t tile;  ///< in which of the list
    bool is_sifted; ///< all tiles were asked, and those too far away are gone from the list
    bool is_begun;
    bool is_done;
    rp_cell_t from;
    uint64_t key;      ///< of the places
    uint64_t version;  ///< of the ground
    uint32_t restarts; ///< for the same ends on other ground
} rp_nearest_reachable_t;

void rp_nearest_reachable_fini(rp_nearest_reachable_t *self);

/// End one that lies in memory of its own, from calloc(), and free that. Accepts none.
void rp_nearest_reachable_destroy(rp_nearest_reachable_t **self);

/// Set out, unless it is under way or done for the same ends on the same ground. On ground that
/// does not stand still it does not begin anew forever, but is not cut into slices in the end.
/// @param is_same_ground  since `self->version`
void rp_nearest_reachable_begin(rp_nearest_reachable_t *self, const rp_places_t *places,
                                rp_cell_t from, uint64_t version, bool is_same_ground);

/// Go on for about a millisecond. Time in all: O(tiles + places * tiles at the distance of the
/// nearest)
/// @param places  as it set out for; none of these cells can be reached
/// @param components  current
/// @return RP_MORE when more is to be looked at; RP_E_MEMORY
rp_status_t rp_nearest_reachable_go(rp_nearest_reachable_t *self, const rp_places_t *places,
                                    const rp_grid_t *grid, const rp_components_t *components);

/// Take over what was found. @param goals  replaced. @return RP_E_MEMORY
rp_status_t rp_nearest_reachable_tell(const rp_nearest_reachable_t *self, rp_goal_list_t *goals);

#endif
