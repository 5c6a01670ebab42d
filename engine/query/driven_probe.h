/// @file
/// Driven probe: what the cheapest curve of an agent with motion costs on ground that need not be
/// there, from the middle of the cell where the agent stands, with its yaw. What of the session
/// matters is copied, so that it may move or close meanwhile.
#ifndef REPLAN_ENGINE_QUERY_DRIVEN_PROBE_H
#define REPLAN_ENGINE_QUERY_DRIVEN_PROBE_H

#include "engine/session/driving/driver.h"
#include "engine/session/session_state.h"

typedef struct rp_driven_probe {
    rp_control_sets_t *sets; ///< of the engine, borrowed
    rp_shared_set_t *set;    ///< joined; NULL: it asks about nobody
    rp_lattice_t *lattice;   ///< owned; NULL: not needed yet
    rp_tour_t tour;
    rp_tour_root_t root; ///< its cell RP_NO_CELL: outside, or no pose
    size_t next;         ///< waypoint
    double escape;       ///< longest way out of obstacles, cells
    bool stays;          ///< it has arrived
    bool is_begun;       ///< the search has
    bool has_goal;       ///< a stop that counts now lies inside
} rp_driven_probe_t;

/// @param session  with motion
/// @return RP_E_MEMORY; fini is right then too
rp_status_t rp_driven_probe_init(rp_driven_probe_t *self, const rp_session_t *session);
void rp_driven_probe_fini(rp_driven_probe_t *self);

/// True when it is about an agent.
static inline bool rp_driven_probe_is_there(const rp_driven_probe_t *self)
{
    return self->set != NULL;
}

/// True when the agent, and somewhere to go, lie inside.
static inline bool rp_driven_probe_is_open(const rp_driven_probe_t *self)
{
    return self->root.cell != RP_NO_CELL && self->has_goal;
}

/// Find the cheapest curve.
/// @param grid    of its layer, the same until it is over
/// @param budget  counted down
/// @param plan    written with RP_OK; without a path its cost is -1
/// @return RP_MORE when the budget was spent first; RP_E_MEMORY
rp_status_t rp_driven_probe_go(rp_driven_probe_t *self, const rp_grid_t *grid, uint64_t *budget,
                               rp_lattice_plan_t *plan);

/// The ground is another one: nothing is known.
void rp_driven_probe_start_over(rp_driven_probe_t *self);

#endif
