/// A provisional answer promises two things: its path is legal now, and it costs at most so much
/// more than the best.
#include "engine/session/provisional.h"

#include "base/budget.h"
#include "engine/paths/policy.h"
#include "engine/session/decision.h"
#include "engine/session/endpoints.h"
#include "engine/session/rendezvous.h"

/// What looking at a session costs at least, in expansions.
#define LEAST_COST 64u

typedef struct provisional {
    rp_answer_outcome_t outcome; ///< found, or partial
    double cost;                 ///< of its steps, and of stopping at a goal
    double bound;                ///< no path to a goal costs less from there on that version
    uint64_t version;
    uint64_t expansions;
} provisional_t;

/// A lower bound on the cost of any path to a goal; 0 if the nearest reachable cell will do, which
/// may be at hand.
static double least_cost(const rp_session_t *self)
{
    return self->goal.spec.is_nearest ? 0.0
                                      : rp_greedy_search_bound(self->layer->grid, self->position.at,
                                                               self->goal.cells, self->goal.count);
}

/// The path that stands in `published` is the answer until there is a better one.
static void take_note(rp_session_t *self, const provisional_t *provisional)
{
    // Another way out of a blocked cell may lead to a cheaper path.
    const double bound = rp_endpoints_are_weighed(self) ? provisional->bound : 0.0;
    const double excess = provisional->cost - bound;
    self->published.is_provisional = true;
    self->published.stands_for = self->world->version;
    self->validity.version = provisional->version;
    self->published.cost = provisional->cost;
    self->published.excess =
        provisional->outcome == RP_ANSWER_PARTIAL || excess > 0.0 ? excess : 0.0;
    self->published.goal_id = self->goal.id;
    self->published.pose_seq = self->position.pose_seq;
    self->published.target_seq =
        self->goal.target != NULL ? self->goal.target->position.pose_seq : 0;
    self->published.goal_distance_m = self->goal.is_short && provisional->outcome == RP_ANSWER_FOUND
                                          ? rp_endpoints_distance_m(self)
                                          : 0.0;
}

/// Publish the path that stands in `published`.
static void say(rp_session_t *self, const provisional_t *provisional, uint64_t now_us)
{
    rp_reason_t reason = RP_REASON_INVALID;
    if (!rp_session_has_cause(self, &reason) && rp_session_is_due(self, RP_DUE_TARGET)) {
        reason = RP_REASON_GOAL;
    }
    self->published.outcome = provisional->outcome;
    take_note(self, provisional);
    rp_session_note_published(self, reason, provisional->cost, provisional->expansions, now_us);
    rp_session_clear_causes(self);
    rp_sectors_of_path(rp_session_sectors(self), self->layer->grid, &self->published.path);
}

// ---- at once

/// True when the published path still leads from the agent to a goal, and nothing asks for
/// another one.
static bool stands(const rp_session_t *self, double *cost)
{
    rp_reason_t reason;
    *cost = rp_session_remaining_cost(self);
    return rp_answer_has_path(self->published.outcome) &&
           self->published.path.at == self->position.at && *cost >= 0.0 &&
           rp_endpoints_keep_start(self) && !rp_session_has_cause(self, &reason);
}

/// Steps of the published path that are legal, from where the agent is.
static uint32_t legal_steps(const rp_session_t *self)
{
    const rp_published_path_t *published = &self->published.path;
    uint32_t offender;
    double cost;
    if (published->at != self->position.at || published->count == published->first ||
        rp_session_is_due(self, RP_DUE_OFF_PATH) || rp_session_is_due(self, RP_DUE_GOALS)) {
        return 0;
    }
    return rp_published_path_walk(self->layer->grid, published->at,
                                  published->steps + published->first,
                                  published->count - published->first, &offender, 1, &cost) == 0
               ? published->count - published->first
               : offender;
}

static double cost_of_rest(const rp_session_t *self)
{
    rp_cell_t end;
    const double cost = rp_published_path_cost(&self->published.path, self->layer->grid, &end);
    return cost > 0.0 ? cost : 0.0;
}

/// Send a greedy search, and say what it found or what is left of the old path.
static rp_status_t improvise(rp_session_t *self, uint64_t now_us, uint64_t *budget)
{
    const rp_grid_t *grid = self->layer->grid;
    rp_path_t path;
    bool arrives;
    double excess;
    uint64_t none = 0; // the rendezvous's field is of use only if it is there
    const bool by_rendezvous = self->goal.rendezvous != NULL &&
                               rp_rendezvous_route(self, NULL, &none, &path, &excess) == RP_OK;
    rp_status_t status = RP_OK;
    arrives = by_rendezvous;
    if (!by_rendezvous) {
        status = rp_greedy_search_run(self->greedy, grid, self->position.at, self->goal.cells,
                                      self->goal.count, &path, &arrives);
    }
    if (status != RP_OK) {
        return status;
    }
    rp_budget_pay(budget, self->greedy->expanded);
    const uint32_t legal = arrives ? 0 : legal_steps(self);
    status = rp_endpoints_publish(self, legal != 0 ? NULL : &path);
    if (status != RP_OK) {
        return status;
    }
    if (legal != 0) {
        rp_published_path_cut(&self->published.path, grid, legal);
    }
    provisional_t provisional = {
        .outcome = arrives ? RP_ANSWER_FOUND : RP_ANSWER_PARTIAL,
        .bound = least_cost(self),
        .version = self->world->version,
        .expansions = self->greedy->expanded,
    };
    provisional.cost = arrives ? rp_session_remaining_cost(self) : cost_of_rest(self);
    if (by_rendezvous && provisional.cost - excess > provisional.bound) {
        provisional.bound = provisional.cost - excess;
    }
    say(self, &provisional, now_us);
    return RP_OK;
}

rp_status_t rp_session_hasten(rp_session_t *self, uint64_t now_us, uint64_t *budget, bool *is_new)
{
    double cost;
    *is_new = false;
    if (self->driver != NULL) {
        rp_budget_pay(budget, 1u);
        return RP_OK; // there is no curve before the search is done
    }
    rp_budget_pay(budget, LEAST_COST + rp_session_walk_price(self));
    rp_session_settle(self);
    if (self->goal.is_short || !rp_layer_is_whole(self->layer)) {
        return RP_OK; // which goals stand for the ones out of reach is itself a search
    }
    const rp_status_t status = rp_endpoints_prepare(self, budget);
    if (status == RP_MORE) {
        return RP_OK; // what is connected is being looked at still
    }
    if (status != RP_OK || rp_endpoints_are_lost(self) || self->position.at == RP_NO_CELL ||
        self->goal.count == 0 || self->layer->grid->factor[self->position.at] == 0) {
        return status;
    }
    if (stands(self, &cost)) {
        take_note(self, &(provisional_t){RP_ANSWER_FOUND, cost, least_cost(self),
                                         self->world->version, 0});
        return RP_OK;
    }
    if (self->position.is_beside) { // what is new begins where the agent stands
        self->position.is_beside = false;
        self->position.is_escaping = false;
        self->position.at = self->position.from = self->position.cell;
        self->validity.due |= RP_DUE_BEGINNING;
        self->validity.begin_reason = RP_REASON_INVALID;
    }
    if (self->position.at == RP_NO_CELL || self->layer->grid->factor[self->position.at] == 0) {
        return RP_OK;
    }
    *is_new = true;
    return improvise(self, now_us, budget);
}

// ---- for an older version

/// The part of a path that begins where the agent is and is legal now.
/// @param is_whole  written: it leads to the end
/// @return without cells when the agent is not on it
static rp_path_t legal_part(const rp_session_t *self, const rp_path_t *path, bool *is_whole)
{
    const rp_grid_t *grid = self->layer->grid;
    uint32_t first = 0;
    while (first < path->count && path->cells[first] != self->position.at) {
        first++;
    }
    uint32_t end = first;
    while (end + 1u < path->count &&
           ((grid->moves[path->cells[end]] >>
             rp_path_direction(grid, path->cells[end], path->cells[end + 1u])) &
            1u) != 0) {
        end++;
    }
    *is_whole = end + 1u == path->count;
    return (rp_path_t){path->cells + first, first < path->count ? end + 1u - first : 0};
}

/// True when the policy keeps the published path rather than the one of the plan.
static bool keeps(const rp_session_t *self, double kept, double cost, uint64_t now_us)
{
    const rp_policy_input_t input = {
        .kept = kept, .optimum = cost, .published_us = self->published.at_us, .now_us = now_us};
    rp_reason_t reason;
    uint64_t look_us;
    return rp_policy_keeps(&self->policy, &input, &reason, &look_us);
}

// ---- by a greedy search that goes far

rp_status_t rp_session_start_greedy_search(rp_session_t *self)
{
    rp_greedy_search_t *far = self->far;
    const bool is_needed =
        self->published.is_provisional && self->published.outcome == RP_ANSWER_PARTIAL;
    if (!is_needed || far->user != NULL) {
        return RP_OK;
    }
    const rp_status_t status = rp_greedy_search_begin(far, self->layer->grid, self->position.at,
                                                      self->goal.cells, self->goal.count);
    far->user = status == RP_OK ? self : NULL;
    return status;
}

rp_status_t rp_session_await_greedy_search(rp_session_t *self, uint64_t now_us, uint64_t *budget,
                                           bool *is_new)
{
    uint64_t share = *budget / 2u;
    const uint64_t given = share;
    rp_path_t found;
    bool arrives;
    bool is_whole;
    double kept;
    *is_new = false;
    if (self->far->user != self) {
        return RP_OK;
    }
    const rp_status_t gone = rp_greedy_search_go(self->far, &share, &found, &arrives);
    *budget -= given - share;
    if (gone == RP_MORE) {
        return RP_OK;
    }
    rp_session_stop_greedy_search(self);
    const rp_path_t path = legal_part(self, &found, &is_whole);
    if (!arrives || !is_whole || path.count == 0 || stands(self, &kept) ||
        rp_endpoints_goal_at(self, path.cells[path.count - 1u]) == NULL) {
        return RP_OK; // goals may have moved since the greedy search set out
    }
    const rp_status_t status = rp_endpoints_publish(self, &path);
    if (status != RP_OK) {
        return status;
    }
    const provisional_t provisional = {
        .outcome = RP_ANSWER_FOUND,
        .cost = rp_session_remaining_cost(self),
        .bound = least_cost(self),
        .version = self->world->version,
        .expansions = self->far->expanded,
    };
    say(self, &provisional, now_us);
    *is_new = true;
    return RP_OK;
}

rp_status_t rp_session_publish_frozen(rp_session_t *self, const rp_plan_t *plan, uint64_t version,
                                      uint64_t now_us, bool *is_new)
{
    double kept;
    bool is_whole;
    *is_new = false;
    if (plan->outcome != RP_OUTCOME_FOUND) {
        return RP_OK; // whether that is so now takes no search (rp_layer_separates())
    }
    const rp_path_t path = legal_part(self, &plan->path, &is_whole);
    if (path.count == 0) {
        return RP_OK;
    }
    if (stands(self, &kept) && (!is_whole || keeps(self, kept, plan->cost, now_us))) {
        take_note(self, &(provisional_t){RP_ANSWER_FOUND, kept, least_cost(self),
                                         self->world->version, 0});
        return RP_OK;
    }
    const rp_status_t status = rp_endpoints_publish(self, &path);
    if (status != RP_OK) {
        return status;
    }
    // What is left of a cheapest path is a cheapest one; both are summed on their own version.
    const rp_grid_t *grid = self->frozen->snapshot.grid;
    const rp_path_t passed = {plan->path.cells, (uint32_t)(path.cells - plan->path.cells) + 1u};
    const double least = plan->cost - rp_path_cost(&passed, grid);
    const provisional_t provisional = {
        .outcome = is_whole ? RP_ANSWER_FOUND : RP_ANSWER_PARTIAL,
        .cost = is_whole ? least : rp_path_cost(&path, grid),
        .bound = least,
        .version = version,
        .expansions = plan->stats.expanded,
    };
    say(self, &provisional, now_us);
    *is_new = true;
    return RP_OK;
}

/// What the agent passed is the same of its path and of the best: the excess stays, as far as there
/// is a cost that it may be a part of. A path of an older version that was held against the newest
/// one is measured on that, of which no more is known of the best.
void rp_session_shorten_provisional(rp_session_t *self)
{
    const double cost = self->published.outcome == RP_ANSWER_PARTIAL
                            ? cost_of_rest(self)
                            : rp_session_remaining_cost(self);
    if (cost < 0.0) {
        return;
    }
    if (self->published.stands_for == self->world->version &&
        self->validity.version != self->world->version) {
        self->validity.version = self->world->version;
        self->published.excess = cost;
    }
    self->published.cost = cost;
    self->published.excess = self->published.excess < cost ? self->published.excess : cost;
}
