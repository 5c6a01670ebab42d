/// A lattice of its own, for as long as the question takes.
#include "engine/query/driven_probe.h"

#include "engine/query/copy.h"

/// Stops of its own, from where their places are known.
static rp_status_t copy_tour(rp_driven_probe_t *self, const rp_tour_t *from)
{
    self->tour = (rp_tour_t){
        .stops = rp_copy_of(from->stops, from->count * sizeof *from->stops),
        .leg_at = rp_copy_of(from->leg_at, from->count * sizeof *from->leg_at),
        .count = from->count,
        .is_chain = from->is_chain,
        .change = from->change,
    };
    return self->tour.stops != NULL && self->tour.leg_at != NULL ? RP_OK : RP_E_MEMORY;
}

rp_status_t rp_driven_probe_init(rp_driven_probe_t *self, const rp_session_t *session)
{
    const rp_driver_t *driver = session->driver;
    *self = (rp_driven_probe_t){
        .sets = driver->sets.all, .escape = driver->escape, .root = {.cell = RP_NO_CELL}};
    rp_status_t status = rp_control_sets_join(self->sets, &driver->shape, &self->set);
    if (status != RP_OK || !session->position.has_pose || !session->goal.is_given) {
        return status;
    }
    status = copy_tour(self, &driver->tour);
    if (status != RP_OK) {
        return status;
    }
    self->has_goal = rp_driving_look(session, &self->tour, &self->stays);
    self->root = (rp_tour_root_t){.cell = session->position.cell, .yaw = driver->yaw};
    self->next = driver->tour.is_chain ? session->goal.spec.next : 0u;
    return RP_OK;
}

void rp_driven_probe_fini(rp_driven_probe_t *self)
{
    rp_lattice_destroy(&self->lattice);
    if (self->set != NULL) {
        rp_control_sets_leave(self->sets, &self->set);
    }
    rp_tour_fini(&self->tour);
}

void rp_driven_probe_start_over(rp_driven_probe_t *self)
{
    rp_lattice_destroy(&self->lattice);
    self->is_begun = false;
}

static rp_status_t make_lattice(rp_driven_probe_t *self, const rp_grid_t *grid, uint64_t *budget)
{
    rp_status_t status = rp_shared_set_build(self->set, budget);
    if (status == RP_OK) {
        status = rp_lattice_new(self->set->set, grid, &self->lattice);
    }
    status = status == RP_OK ? rp_lattice_set_escape(self->lattice, self->escape) : status;
    return status;
}

rp_status_t rp_driven_probe_go(rp_driven_probe_t *self, const rp_grid_t *grid, uint64_t *budget,
                               rp_lattice_plan_t *plan)
{
    rp_status_t status = RP_OK;
    *plan = (rp_lattice_plan_t){.outcome = RP_OUTCOME_NO_PATH, .cost = -1.0};
    if (!rp_driven_probe_is_open(self)) {
        return RP_OK;
    }
    if (self->lattice == NULL) {
        status = make_lattice(self, grid, budget);
    }
    if (status == RP_OK && !self->is_begun) {
        rp_tour_begin(&self->tour, &self->root, self->next, self->stays);
        status = rp_tour_begin_exact(&self->tour);
        self->is_begun = status == RP_OK;
    }
    status = status == RP_OK ? rp_tour_search(&self->tour, self->lattice, grid, 0, budget) : status;
    if (status == RP_E_UNSUPPORTED) { // too many moves, or ground that no lattice fits
        return RP_OK;
    }
    if (status == RP_OK) {
        *plan = self->tour.path.plan;
        plan->cost = plan->outcome == RP_OUTCOME_FOUND ? plan->cost : -1.0;
    }
    return status;
}
