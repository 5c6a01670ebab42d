/// @file
/// First and last curves: from a start whose yaw is no heading of the lattice to poses of the
/// lattice round it, and from such poses to a goal whose yaw is none. Each is swept on its own
/// against the obstacles of the moment.
///
/// CAR: the shortest curves to, or from, the cells of the ring, with the headings within an eighth
/// of a turn of the yaw; with reverse in both gears. SPOT, OMNI: turns in place from, or to, the
/// heading on either side.
///
/// Leaving a collision: where the body overlaps obstacles at the start, these are left out as long
/// as it comes out of them, deeper into none at any time; no other may be met, and at the end none.
/// CAR has curves to cells a little farther away then, SPOT and OMNI lines after a turn.
#ifndef REPLAN_PLANNERS_LATTICE_FIRST_CURVES_H
#define REPLAN_PLANNERS_LATTICE_FIRST_CURVES_H

#include "planners/lattice/child_cost.h"
#include "planners/lattice/lattice_search.h"

/// A curve between the start, or the goal, and a pose of the lattice.
typedef struct rp_first_curve {
    rp_lattice_pose_t pose;
    uint32_t cost;
    uint32_t segment_count;
    rp_segment_t segments[RP_CURVE_PIECES_MAX]; ///< the cell of the start, or goal, is (0, 0)
} rp_first_curve_t;

typedef struct rp_first_curves {
    rp_first_curve_t *curves; ///< owned: those that are legal [count]
    size_t count;
    size_t capacity;
    uint32_t next; ///< cell of the ring that is tried next
    uint32_t x;    ///< cell of the start, or goal
    uint32_t y;
    double yaw;
    bool is_last;         ///< they lead to the goal
    bool is_used;         ///< of the owner: whether paths begin with one of them
    int32_t gear;         ///< of the owner: in which the vehicle comes to the start, +1 or -1: to
                          ///< begin in the other one is a change; 0: in none
    double leaves_within; ///< above 0: they leave a collision, and are no longer than this, in
                          ///< cells; 0 after begin
    rp_vehicle_t vehicle; ///< the body with the margin of planning
} rp_first_curves_t;

/// @param is_last  curves to the goal, not from the start
void rp_first_curves_begin(rp_first_curves_t *self, const rp_lattice_shape_t *shape, uint32_t x,
                           uint32_t y, double yaw, bool is_last);

void rp_first_curves_fini(rp_first_curves_t *self);

static inline uint64_t rp_first_curves_bytes(const rp_first_curves_t *self)
{
    return self->capacity * sizeof *self->curves;
}

/// Go on. @param search  whose set, ground and obstacles count
/// @param budget  expansions, counted down
/// @return RP_OK when all are known; RP_MORE; RP_E_MEMORY
rp_status_t rp_first_curves_work(rp_first_curves_t *self, const rp_lattice_search_t *search,
                                 uint64_t *budget);

/// The cheapest one to, or from, a pose. @return NULL: there is none
const rp_first_curve_t *rp_first_curves_to(const rp_first_curves_t *self, rp_lattice_pose_t pose);

/// Begin a search with them, or, where they are not used, on the start's cell with a heading.
/// @param heading  of the lattice
void rp_first_curves_begin_search(const rp_first_curves_t *self, rp_lattice_search_t *search,
                                  uint32_t heading);

/// True when the body, widened by a margin, rests on the middle of a cell without an obstacle.
/// @param margin  of RP_LATTICE_MARGIN, or below 0
bool rp_first_curves_can_rest(const rp_lattice_search_t *search, uint32_t x, uint32_t y, double yaw,
                              double margin);

#endif
