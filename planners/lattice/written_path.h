/// @file
/// Written path: a path that a search found as segments, and as the cells that its curve's centre
/// runs through. Coordinates run on over the seam of a torus.
#ifndef REPLAN_PLANNERS_LATTICE_WRITTEN_PATH_H
#define REPLAN_PLANNERS_LATTICE_WRITTEN_PATH_H

#include "planners/lattice/goal_ends.h"

typedef struct rp_written_path {
    uint16_t *children; ///< owned: between a first and a last curve, the last one first
                        ///< [child_count]
    size_t child_count;
    size_t child_capacity;
    uint32_t first_count;   ///< segments of the first curve
    uint32_t spare;         ///< the path costs so much less than its search says: a bounded search
                            ///< does not tell every pose that one before it got cheaper
    bool is_whole;          ///< there is neither a first nor a last curve
    rp_segment_t *segments; ///< owned [segment_count]
    size_t segment_count;
    size_t segment_capacity;
    rp_cell_t *cells; ///< owned [cell_count]
    size_t cell_count;
    size_t cell_capacity;
    int32_t x; ///< cell where the path has come to
    int32_t y;
    double heading; ///< and its heading there
} rp_written_path_t;

void rp_written_path_fini(rp_written_path_t *self);

static inline uint64_t rp_written_path_bytes(const rp_written_path_t *self)
{
    return self->child_capacity * sizeof *self->children +
           self->segment_capacity * sizeof *self->segments +
           self->cell_capacity * sizeof *self->cells;
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

#endif
