/// The way along the field, cut where it comes nearest to the goal, and from there the path of a
/// greedy search.
#include "engine/session/rendezvous.h"

#include <string.h>

#include "base/array.h"
#include "base/budget.h"
#include "engine/paths/policy.h"

/// The way of the session to the rendezvous, the field brought up to date for it.
static rp_status_t find_way(rp_session_t *self, uint64_t *budget, rp_plan_t *plan)
{
    const rp_goal_group_t *rendezvous = self->goal.rendezvous;
    rp_cached_planner_t *search = rp_goal_group_search(self->goal.rendezvous, self->searches,
                                                       self->layer, self->world->version);
    if (search == NULL) {
        return RP_E_UNSUPPORTED;
    }
    rp_status_t status =
        rp_session_catch_up(self, search, rendezvous->goals, rendezvous->goal_count);
    if (status != RP_OK) {
        return status;
    }
    status = rp_planner_plan(search->planner,
                             rp_cached_planner_expansions(search->planner, *budget), plan);
    rp_cached_planner_note_use(search, plan->stats.restarts != 0);
    if (status == RP_MORE) {
        *budget = 0;
    } else if (status == RP_OK) {
        self->schedule.effort.expanded += plan->stats.expanded;
        rp_cached_planner_pay(search->planner, plan, budget);
    }
    return status == RP_OK && plan->outcome != RP_OUTCOME_FOUND ? RP_E_UNSUPPORTED : status;
}

/// Number of the cell on a way that a goal is nearest to, the last of several.
static uint32_t nearest_on(const rp_grid_t *grid, const rp_path_t *way, const rp_goal_t *goal)
{
    uint32_t nearest = way->count - 1u;
    double least = rp_greedy_search_bound(grid, way->cells[nearest], goal, 1);
    for (uint32_t i = nearest; i-- > 0;) {
        const double bound = rp_greedy_search_bound(grid, way->cells[i], goal, 1);
        if (bound < least) {
            least = bound;
            nearest = i;
        }
    }
    return nearest;
}

/// True when the rest is too long for the policy, even if it leads straight to the goal. A longer
/// one gains no less by another path: it is dearer, and its bound is lower.
static bool is_too_dear(const rp_grid_t *grid, const rp_path_t *way, uint32_t leaves,
                        const rp_goal_t *goal, const rp_policy_t *policy)
{
    const rp_path_t used = {way->cells, leaves + 1u};
    const double cost = rp_path_cost(&used, grid);
    const double rest = rp_greedy_search_bound(grid, way->cells[leaves], goal, 1);
    return rp_policy_gains(policy, cost + rest, cost - rest);
}

rp_status_t rp_rendezvous_route(rp_session_t *self, const rp_policy_t *policy, uint64_t *budget,
                                rp_path_t *path, double *excess)
{
    const rp_grid_t *grid = self->layer->grid;
    rp_plan_t plan;
    rp_path_t rest;
    bool arrives;
    if (self->goal.count != 1 || self->goal.cells[0].offset != 0) {
        return RP_E_UNSUPPORTED;
    }
    rp_status_t status = find_way(self, budget, &plan);
    if (status != RP_OK) {
        return status;
    }
    const uint32_t leaves = nearest_on(grid, &plan.path, self->goal.cells);
    if (policy != NULL && is_too_dear(grid, &plan.path, leaves, self->goal.cells, policy)) {
        return RP_E_UNSUPPORTED;
    }
    status = rp_greedy_search_run(self->greedy, grid, plan.path.cells[leaves], self->goal.cells, 1,
                                  &rest, &arrives);
    if (status != RP_OK || !arrives) {
        return status != RP_OK ? status : RP_E_UNSUPPORTED;
    }
    rp_budget_pay(budget, self->greedy->expanded);
    if (!rp_array_reserve(&self->goal.rendezvous->room, &self->goal.rendezvous->room_capacity,
                          (size_t)leaves + rest.count, sizeof(rp_cell_t))) {
        return RP_E_MEMORY;
    }
    memcpy(self->goal.rendezvous->room, plan.path.cells,
           leaves * sizeof *self->goal.rendezvous->room);
    memcpy(self->goal.rendezvous->room + leaves, rest.cells,
           rest.count * sizeof *self->goal.rendezvous->room);
    *path = (rp_path_t){self->goal.rendezvous->room, leaves + rest.count};
    *excess = 2.0 * rp_path_cost(&rest, grid);
    return RP_OK;
}
