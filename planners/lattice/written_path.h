/// @file
/// Written path: a path that a search found as segments, and as the cells that its curve's centre
/// runs through. Coordinates run on over the seam of a torus.
#ifndef REPLAN_PLANNERS_LATTICE_WRITTEN_PATH_H
#define REPLAN_PLANNERS_LATTICE_WRITTEN_PATH_H

#include "planners/lattice/goal_ends.h"

/// What is left of a path after changes, as a help for the next search. Its first part, as far as
/// it is legal, is where that search begins; who comes upon its last part, as far as that is legal,
/// is done. So a path that was broken is mended by a search from one end of the gap to the other.
///
/// That changes nothing about bounds: all of it are poses with costs that are no less than the
/// least, and the start is among them. Every child is asked anew whether it is legal.
typedef struct rp_old_path {
    rp_lattice_pose_t *poses; ///< owned: from its start to its goal [count]
    uint16_t *children;       ///< owned: by which each but the last is left [count]
    uint32_t *costs;          ///< owned: from each to the goal [count]
    size_t count;             ///< 0: there is none
    size_t first;             ///< pose from which all that follows is left
    uint32_t bound;           ///< no path from its start costs less
    size_t poses_room;
    size_t children_room;
    size_t costs_room;
} rp_old_path_t;

typedef struct rp_written_path {
    uint16_t *children; ///< owned: between a first and a last curve, the last one first
                        ///< [child_count]
    size_t child_count;
    size_t child_capacity;
    uint32_t first_count;   ///< segments of the first curve
    uint32_t spare;         ///< the path costs so much less than its search says: a bounded search
                            ///< does not tell every pose that one before it got cheaper
    bool is_whole;          ///< there is neither a first nor a last curve
    rp_lattice_pose_t root; ///< where the first child begins
    rp_segment_t *segments; ///< owned [segment_count]
    size_t segment_count;
    size_t segment_capacity;
    rp_cell_t *cells; ///< owned [cell_count]
    size_t cell_count;
    size_t cell_capacity;
    int32_t x; ///< cell where the path has come to
    int32_t y;
    double heading; ///< and its heading there
    rp_old_path_t old;
} rp_written_path_t;

void rp_written_path_fini(rp_written_path_t *self);

static inline uint64_t rp_written_path_bytes(const rp_written_path_t *self)
{
    return self->child_capacity * sizeof *self->children +
           self->segment_capacity * sizeof *self->segments +
           self->cell_capacity * sizeof *self->cells +
           self->old.poses_room * sizeof *self->old.poses +
           self->old.children_room * sizeof *self->old.children +
           self->old.costs_room * sizeof *self->old.costs;
}

/// Nothing is written.
void rp_written_path_clear(rp_written_path_t *self);

/// A path that stays on its cell. @return RP_E_MEMORY
rp_status_t rp_written_path_stay(rp_written_path_t *self, const rp_lattice_search_t *search,
                                 uint32_t x, uint32_t y, double yaw);

/// The path that a search found.
/// @param first  with what it begins; NULL: with a child
/// @param x,y    cell of the start
/// @param yaw    of the start
/// @return RP_E_MEMORY
rp_status_t rp_written_path_write(rp_written_path_t *self, const rp_lattice_search_t *search,
                                  const rp_goal_ends_t *ends, const rp_first_curves_t *first,
                                  uint32_t x, uint32_t y, double yaw);

/// Remember the path that is written as the old one, if it has neither a first nor a last curve.
/// On uniform ground only, where children cost what they cost.
/// @param bound  no path costs less, after all that happened; 0: nothing is known
/// @return RP_E_MEMORY
rp_status_t rp_written_path_remember(rp_written_path_t *self, const rp_lattice_search_t *search,
                                     uint32_t bound);

/// True when a pose lies on the old path. @param driven  written then: what it costs to come there
static inline bool rp_written_path_is_on_old(const rp_written_path_t *self, rp_lattice_pose_t pose,
                                             uint32_t *driven)
{
    const rp_old_path_t *old = &self->old;
    size_t place = 0;
    while (place < old->count && (old->poses[place].x != pose.x || old->poses[place].y != pose.y ||
                                  old->poses[place].heading != pose.heading)) {
        place++;
    }
    *driven = place < old->count ? old->costs[0] - old->costs[place] : 0;
    return place < old->count;
}

/// Tell a search that was begun, before it has roots, what is left at the end.
/// Time: O(what the path sweeps).
void rp_written_path_lend_end(rp_written_path_t *self, rp_lattice_search_t *search);

/// Tell it, when it has roots, what is left from one of them on that costs nothing to come to, if
/// that is a pose of the path. What is known of the cost of paths is known from there on, too, less
/// what was driven, but where gears are told apart: then a start may be another.
void rp_written_path_lend_start(const rp_written_path_t *self, rp_lattice_search_t *search);

#endif
