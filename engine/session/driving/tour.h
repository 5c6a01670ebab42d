/// @file
/// Tour: where an agent with motion goes, and the search where that is more than one place: the
/// cheapest of several stops, or waypoints, which are passed in order. One lattice searches them
/// one after the other.
///
/// Of several stops the cheapest counts, with its offset. A stop is left out when the straight way
/// to it costs no less than a path to another one. So the path that is found is within the
/// lattice's percentage of the best, and the bound is the least of all stops.
///
/// Waypoints make legs: each begins in the pose in which the one before ends, and the cost is that
/// of all legs. Where a waypoint may be passed with any heading, the first search takes the one in
/// which the leg ends that it found. The search for the cheapest path tries that one, the direction
/// of the next waypoint and the one half-way between that and the direction of this leg, and goes
/// on with three of them (a beam search): the best by what they cost and the least curve to the
/// next waypoint. Only the straight length of the leg after such a waypoint counts for the bound.
/// Where a later leg has no path, the tour ends before it.
#ifndef REPLAN_ENGINE_SESSION_DRIVING_TOUR_H
#define REPLAN_ENGINE_SESSION_DRIVING_TOUR_H

#include "planners/lattice/lattice.h"
#include "replan/session.h"

typedef struct rp_tour_stop {
    rp_lattice_goal_t goal; ///< its cell RP_NO_CELL: outside of the world
    uint32_t offset;        ///< cost of stopping there, in cell lengths
    double bound;           ///< no path from where the search begins costs less
    bool is_left_out;       ///< of several: it was searched
} rp_tour_stop_t;

/// Where a path begins.
typedef struct rp_tour_root {
    rp_cell_t cell;
    double yaw;
    int32_t gear; ///< in which the agent comes there; 0: in none
} rp_tour_root_t;

/// A path that a search found.
typedef struct rp_tour_path {
    rp_lattice_plan_t plan; ///< its segments are ours
    size_t end;             ///< the stop where it ends
    rp_segment_t *segments; ///< owned [plan.segment_count]
    size_t segment_capacity;
    uint32_t *legs; ///< owned: by segment the stop that it leads to
    size_t leg_capacity;
} rp_tour_path_t;

/// Headings with which a waypoint is tried, and paths that are gone on with.
#define RP_TOUR_HEADINGS 3u
#define RP_TOUR_BRANCHES 3u
#define RP_TOUR_SLOTS    (RP_TOUR_BRANCHES * (1u + RP_TOUR_HEADINGS))

/// A path to a waypoint, and where the next leg begins.
typedef struct rp_tour_branch {
    rp_tour_path_t path;
    rp_tour_root_t from;
} rp_tour_branch_t;

/// The search for the cheapest path through waypoints.
typedef struct rp_tour_beam {
    rp_tour_branch_t branches[RP_TOUR_SLOTS]; ///< to the stop before `at` [count]; behind place
                                              ///< RP_TOUR_BRANCHES to stop `at` [found_count]
    size_t count;
    size_t found_count;
    size_t tried; ///< searches to stop `at`: by heading, then branch
    double bound; ///< no path costs less
} rp_tour_beam_t;

typedef struct rp_tour {
    rp_tour_stop_t *stops; ///< owned [count]
    uint32_t *leg_at;      ///< owned: room to tell where legs begin [count]
    size_t count;          ///< 0: it goes nowhere
    bool is_chain;         ///< of waypoints
    bool is_over;          ///< `path` is what the search found
    bool is_exact;         ///< the cheapest path was looked for
    bool is_told;          ///< the lattice knows where the path to stop `at` begins and ends
    bool stays;            ///< the agent stands on a stop as it should, whatever its yaw
    size_t first;          ///< where the search begins
    size_t at;             ///< the stop that is searched
    double change;         ///< of the agent's prices: a change of gear, cells
    rp_tour_root_t root;
    rp_tour_root_t from; ///< where the leg begins that is searched
    rp_tour_path_t path;
    rp_tour_path_t before; ///< of the search before, while the cheapest path is looked for
    rp_tour_beam_t *beam;  ///< owned, for that; NULL: it was not looked for
} rp_tour_t;

/// Stops with headings; where they lie in cells is set later.
/// @param origin_yaw  of the world
/// @return RP_E_MEMORY; fini is right then too
rp_status_t rp_tour_init(rp_tour_t *self, const rp_aim_t *aim, double origin_yaw);
void rp_tour_fini(rp_tour_t *self);

/// True when it takes more than the lattice's own search.
static inline bool rp_tour_is_long(const rp_tour_t *self)
{
    return self->count > 1;
}

/// No path from a point costs less, to where it ends: of waypoints to one stop, else to any.
/// @param x,y  cells; whole numbers are middles of cells
double rp_tour_least(const rp_tour_t *self, const rp_grid_t *grid, size_t stop, double x, double y);

/// Begin a search.
/// @param first  number of the next waypoint; of several stops 0
/// @param stays  the agent stands on a stop as it should
void rp_tour_begin(rp_tour_t *self, const rp_tour_root_t *root, size_t first, bool stays);

/// Paths may have become cheaper: what stops cost at least is not known any more.
void rp_tour_forget_bounds(rp_tour_t *self);

/// Begin once more, for the cheapest path from the same place. That which was found before stays
/// where this search finds none that is cheaper, or leads farther.
/// @return RP_E_MEMORY; then nothing is begun
rp_status_t rp_tour_begin_exact(rp_tour_t *self);

/// Give that search up, if it is under way: what was found before it is what is known. It may be
/// begun again.
void rp_tour_give_up_exact(rp_tour_t *self);

/// Go on with it.
/// @param lattice  of the grid
/// @param percent  how much dearer than the cheapest a path may be, unless that is looked for
/// @param budget   counted down
/// @return RP_OK: it is over; RP_MORE, RP_E_INVALID, RP_E_MEMORY
rp_status_t rp_tour_search(rp_tour_t *self, rp_lattice_t *lattice, const rp_grid_t *grid,
                           uint32_t percent, uint64_t *budget);

uint64_t rp_tour_bytes(const rp_tour_t *self);

#endif
