/// @file
/// First curves: from a start whose yaw is no heading of the lattice to poses of the lattice round
/// it, each swept on its own against the obstacles of the moment.
///
/// CAR: the shortest curves to the cells of the ring, with the headings within an eighth of a turn
/// of the yaw. SPOT, OMNI: turns in place to the heading on either side.
#ifndef REPLAN_PLANNERS_LATTICE_FIRST_CURVES_H
#define REPLAN_PLANNERS_LATTICE_FIRST_CURVES_H

#include "planners/lattice/lattice_search.h"

/// A curve from the start to a pose of the lattice.
typedef struct rp_first_curve {
    rp_lattice_pose_t pose;
    uint32_t cost;
    uint32_t segment_count;
    rp_segment_t segments[RP_CURVE_PIECES_MAX]; ///< from (0, 0)
} rp_first_curve_t;

typedef struct rp_first_curves {
    rp_first_curve_t *curves; ///< owned: those that are legal [count]
    size_t count;
    size_t capacity;
    uint32_t next; ///< cell of the ring that is tried next
    uint32_t x;    ///< cell of the start
    uint32_t y;
    double yaw;
} rp_first_curves_t;

void rp_first_curves_begin(rp_first_curves_t *self, uint32_t x, uint32_t y, double yaw);
void rp_first_curves_fini(rp_first_curves_t *self);

/// Go on. @param search  whose set, ground and obstacles count
/// @param budget  expansions, counted down
/// @return RP_OK when all are known; RP_MORE; RP_E_MEMORY
rp_status_t rp_first_curves_work(rp_first_curves_t *self, const rp_lattice_search_t *search,
                                 uint64_t *budget);

/// The cheapest one to a pose. @return NULL: there is none
const rp_first_curve_t *rp_first_curves_to(const rp_first_curves_t *self, rp_lattice_pose_t pose);

#endif
