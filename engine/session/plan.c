/// Planning for a session: what is known without a search, which search serves it, and what comes
/// of the result.
#include "engine/session/session_state.h"

#include <math.h>

#include "base/budget.h"
#include "engine/paths/policy.h"
#include "engine/session/decision.h"
#include "engine/session/endpoints.h"
#include "engine/session/provisional.h"
#include "engine/session/rendezvous.h"

/// What looking at a session costs at least, in expansions: budgets must end.
#define LEAST_COST 64u

/// A search of a frozen version that takes more expansions than this, a few tenths of a second,
/// does not leave its agent without an answer.
#define PATIENCE ((uint64_t)1 << 18)

/// Budget that a search takes, as a share of the cells, before it pays to label components beside
/// it: most searches have found their path by then.
#define LABELLED_SHARE 8u

// ---- the planner

/// Expansions by others' planners, as a share of the cells, from which on a planner of one's own is
/// worth its memory: what it keeps from one search to the next may then save as much again.
#define RENT_SHARE 8u

static rp_status_t make_search(rp_session_t *self, rp_cached_planner_t *search)
{
    return rp_cached_planner_make(search, self->searches, rp_session_planner(self)->id,
                                  &self->options, self->layer->grid, self->world->version);
}

/// True when it has not paid for a planner of its own so far.
static bool rents(const rp_session_t *self)
{
    return self->may_share && self->rent < self->layer->grid->cell_count / RENT_SHARE;
}

/// Give the session a planner of its own: the common one if it may be taken, as it knows the
/// ground.
static rp_status_t make_own(rp_session_t *self)
{
    if (self->may_share) {
        rp_cached_planner_take(&self->own, &self->layer->audience->shared.common);
    }
    self->rent = 0;
    return self->own.planner == NULL ? make_search(self, &self->own) : RP_OK;
}

/// Choose the planner for the session: that of its group, one of its own if that pays, or the one
/// that all others of the layer share.
static rp_status_t choose_search(rp_session_t *self, rp_cached_planner_t **search)
{
    rp_shared_planner_t *shared = &self->layer->audience->shared;
    *search = self->goal.group != NULL ? rp_goal_group_search(self->goal.group, self->searches,
                                                              self->layer, self->world->version)
                                       : NULL;
    if (*search != NULL) {
        rp_cached_planner_drop(&self->own);
        return RP_OK;
    }
    *search = &self->own;
    if (self->own.planner != NULL) {
        return RP_OK;
    }
    if (!rents(self)) {
        return make_own(self);
    }
    *search = &shared->common;
    rp_shared_planner_recall(shared);
    return shared->common.planner != NULL ? RP_OK : make_search(self, *search);
}

bool rp_session_awaits_planner(const rp_session_t *self)
{
    const rp_goal_group_t *group = self->goal.group;
    const bool has_group = group != NULL && group->users >= RP_GOAL_GROUP_SHARES_FROM;
    return self->own.planner == NULL && !has_group && rents(self) &&
           rp_shared_planner_is_out(&self->layer->audience->shared);
}

/// The budget stopped a search: nobody else may disturb what is under way. It is lent where AUTO
/// searches from scratch, on ground that it has read, which serves whoever comes next. With weights
/// or a seam AUTO builds a field for one goal.
static void hold_search(rp_session_t *self, rp_cached_planner_t *search)
{
    const rp_grid_t *grid = self->layer->grid;
    rp_shared_planner_t *shared = &self->layer->audience->shared;
    search->is_under_way = true;
    if (search != &shared->common) {
        return;
    }
    if (grid->weighted || grid->shape.wraps) {
        rp_cached_planner_take(&self->own, search);
    } else {
        rp_shared_planner_lend(shared, &self->own);
    }
}

/// The budget stopped a search. @param was_long  it is not the first time
static void note_searched(rp_session_t *self, bool was_long, uint64_t budget)
{
    const uint64_t searched = (was_long ? self->schedule.searched : 0u) + budget;
    self->schedule.searched = searched < UINT32_MAX ? (uint32_t)searched : UINT32_MAX;
}

/// Pay for a plan. What was lent is the session's own once it is paid for.
static void pay_rent(rp_session_t *self, const rp_cached_planner_t *search, const rp_plan_t *plan)
{
    const bool is_lent = self->own.loan != NULL;
    const bool is_common = search == &self->layer->audience->shared.common;
    self->rent += is_common || is_lent ? plan->stats.expanded : 0u;
    if (is_lent && !rents(self)) {
        rp_shared_planner_give(&self->own);
        self->rent = 0;
    }
}

rp_status_t rp_session_catch_up(rp_session_t *self, rp_cached_planner_t *search,
                                const rp_goal_t *goals, size_t goal_count)
{
    const rp_world_t *world = self->world;
    rp_planner_t *planner = search->planner;
    if (search->heard != world->version) {
        const bool is_told = rp_layer_next_batch(self->layer, search->heard) != NULL;
        self->schedule.cut_off += self->schedule.is_long && is_told;
        rp_status_t status = rp_layer_catch_up(self->layer, planner, search->heard);
        if (status == RP_E_LIMIT) {
            rp_planner_start_over(planner);
            status = RP_OK;
        }
        if (status != RP_OK) {
            return status;
        }
        search->before = is_told ? search->heard : search->before;
        search->heard = world->version;
    }
    const rp_status_t status = rp_planner_set_start(planner, self->position.at);
    return status != RP_OK ? status : rp_planner_set_goals(planner, goals, goal_count);
}

static rp_answer_outcome_t outcome_of(rp_outcome_t outcome)
{
    switch (outcome) {
    case RP_OUTCOME_FOUND:
        return RP_ANSWER_FOUND;
    case RP_OUTCOME_NO_PATH:
        return RP_ANSWER_NO_PATH;
    case RP_OUTCOME_START_BLOCKED:
        return RP_ANSWER_START_BLOCKED;
    case RP_OUTCOME_GOAL_BLOCKED:
        return RP_ANSWER_GOAL_BLOCKED;
    }
    return RP_ANSWER_NONE;
}

/// True when start and goals are known to be apart. To find that out is worth some work when the
/// search has looked for long, when it found nothing last time, or when somebody else's found
/// nothing here and the goals are new; else it is asked only if it costs nothing.
static bool is_apart(rp_session_t *self)
{
    const uint32_t patience = self->layer->grid->cell_count / LABELLED_SHARE;
    const bool has_looked = self->schedule.is_long && self->schedule.searched >= patience;
    const bool is_suspect = has_looked || self->published.outcome == RP_ANSWER_NO_PATH ||
                            (self->layer->is_cut && rp_session_is_due(self, RP_DUE_GOALS));
    return rp_layer_separates(self->layer, self->position.at, self->goal.cells, self->goal.count,
                              is_suspect);
}

/// What is known without a planner: an end that blocks, or ends that are apart.
/// @return false when it takes a search
static bool is_known_without_search(rp_session_t *self, rp_outcome_t *outcome)
{
    const rp_grid_t *grid = self->layer->grid;
    const bool is_stuck = grid->factor[self->position.at] == 0;
    if (is_stuck && rp_session_escape(self)->end_count == 0) {
        *outcome = RP_OUTCOME_START_BLOCKED;
        return true;
    }
    if (!rp_goals_any_free(grid, self->goal.cells, self->goal.count)) {
        *outcome = RP_OUTCOME_GOAL_BLOCKED;
        return true;
    }
    *outcome = RP_OUTCOME_NO_PATH;
    return is_stuck || is_apart(self);
}

/// Search where no change disturbs, and say what comes of it; when that takes long, what can be
/// said without it.
/// @return RP_MORE: the newest version is searched after that
static rp_status_t search_frozen(rp_session_t *self, uint64_t now_us, uint64_t *budget,
                                 bool *is_new)
{
    const rp_frozen_search_job_t job = {
        .user = self,
        .layer = self->layer,
        .world_version = self->world->version,
        .planner = rp_session_planner(self),
        .start = self->position.at,
        .goals = self->goal.cells,
        .goal_count = self->goal.count,
    };
    rp_plan_t plan;
    uint64_t version;
    self->published.term = 0;
    *budget = *budget != 0 ? *budget : 1u; // the look at the session may have taken all of it
    rp_status_t status = rp_session_await_greedy_search(self, now_us, budget, is_new);
    if (status != RP_OK || *is_new) {
        return status == RP_OK ? RP_MORE : status;
    }
    const uint64_t before = *budget;
    status = rp_frozen_search_work(self->frozen, &job, budget, &plan, &version);
    self->schedule.frozen_expansions += before - *budget;
    if (status == RP_OK) {
        self->schedule.cut_off = 0;
        self->schedule.frozen_expansions = 0;
        self->schedule.effort.expanded += plan.stats.expanded;
        status = rp_session_publish_frozen(self, &plan, version, now_us, is_new);
    } else if (status == RP_MORE && self->schedule.frozen_expansions >= PATIENCE) {
        self->schedule.frozen_expansions = 0;
        status = rp_session_hasten(self, now_us, budget, is_new);
        status = status == RP_OK ? rp_session_start_greedy_search(self) : status;
    }
    return status == RP_OK ? RP_MORE : status;
}

/// Whether the published path will do when it is as cheap as any.
/// @param walk  written: of what is left of it
static bool would_keep(const rp_session_t *self, rp_walk_t *walk)
{
    rp_reason_t reason;
    uint32_t offset;
    return !rp_session_has_cause(self, &reason) && rp_answer_has_path(self->published.outcome) &&
           self->published.path.at == self->position.at && rp_session_walk(self, walk, &offset);
}

/// This search said that its path was the cheapest, so it was before the changes that the planner
/// was told of last, and nothing on it became dearer since.
static bool was_cheapest(const rp_session_t *self, const rp_cached_planner_t *search)
{
    return self->published.term == search->term && rp_session_has_cheapest(self) &&
           self->validity.is_intact && self->validity.tested_at == self->world->version &&
           self->validity.sure_until >= search->before;
}

/// Search the newest version, as far as the budget goes.
static rp_status_t search(rp_session_t *self, uint64_t *budget, rp_plan_t *plan)
{
    rp_cached_planner_t *search;
    rp_status_t status = choose_search(self, &search);
    if (status == RP_OK) {
        status = rp_session_catch_up(self, search, self->goal.cells, self->goal.count);
    }
    if (status != RP_OK) {
        return status;
    }
    const uint64_t expansions = rp_cached_planner_expansions(search->planner, *budget);
    rp_walk_t walk;
    status = would_keep(self, &walk)
                 ? rp_planner_confirm(search->planner, &walk, was_cheapest(self, search),
                                      expansions, plan)
                 : rp_planner_plan(search->planner, expansions, plan);
    if (status == RP_E_UNSUPPORTED) {
        rp_cached_planner_drop(
            search); // the ground has weights now, and the next one is made for them
        return RP_MORE;
    }
    rp_cached_planner_note_use(search, plan->stats.restarts != 0);
    const bool was_long = self->schedule.is_long;
    self->schedule.is_long = status == RP_MORE;
    self->published.term = status == RP_OK ? search->term : 0;
    self->published.units = status == RP_OK ? plan->units : 0;
    if (status == RP_MORE) {
        note_searched(self, was_long, *budget);
        *budget = 0;
        hold_search(self, search);
    }
    if (status == RP_OK) {
        self->schedule.effort.expanded += plan->stats.expanded;
        self->schedule.effort.checked += plan->stats.checked;
        self->schedule.effort.differed += plan->stats.differed;
        self->schedule.cut_off = 0;
        rp_cached_planner_pay(search->planner, plan, budget);
        pay_rent(self, search, plan);
        self->layer->is_cut = self->layer->is_cut || plan->outcome == RP_OUTCOME_NO_PATH;
    }
    return status;
}

/// Several shortest ways lead out of a blocked cell: the exact costs of the paths on decide.
static bool has_choice_of_ends(const rp_session_t *self)
{
    return self->position.at != self->position.from && rp_session_escape(self)->end_count > 1u;
}

/// True when a way by the rendezvous may be good enough, and is less work than a search: where many
/// share the session's own goals a field leads them straight there, and a path that may miss
/// nothing takes a search of its own.
static bool may_gather(const rp_session_t *self)
{
    const rp_goal_group_t *group = self->goal.group;
    return self->goal.rendezvous != NULL && self->policy.switch_gain_percent != 0 &&
           (group == NULL || group->users < RP_GOAL_GROUP_SHARES_FROM) && !has_choice_of_ends(self);
}

/// Go by way of the rendezvous, if that is as good as the policy asks.
/// @param excess  written: how much dearer than the best path that may be
/// @return RP_E_UNSUPPORTED when it takes a search of one's own
static rp_status_t go_by_rendezvous(rp_session_t *self, uint64_t *budget, rp_plan_t *plan,
                                    double *excess)
{
    if (!may_gather(self)) {
        return RP_E_UNSUPPORTED;
    }
    const rp_status_t status =
        rp_rendezvous_route(self, &self->policy, budget, &plan->path, excess);
    self->schedule.searched = self->schedule.is_long ? self->schedule.searched : 0;
    self->schedule.is_long = status == RP_MORE;
    if (status != RP_OK) {
        return status;
    }
    rp_walk_t walk;
    plan->outcome = RP_OUTCOME_FOUND;
    plan->cost = rp_path_cost(&plan->path, self->layer->grid);
    const double kept = would_keep(self, &walk) ? rp_session_remaining_cost(self) : 0.0;
    const double published = kept > plan->cost ? kept : plan->cost; // at most
    self->published.term = 0;
    return rp_policy_gains(&self->policy, published, plan->cost - *excess) ? RP_E_UNSUPPORTED
                                                                           : RP_OK;
}

/// Search and judge. @return RP_MORE also when it must be done again with other ends
static rp_status_t search_and_conclude(rp_session_t *self, uint64_t now_us, uint64_t *budget,
                                       bool *is_new, rp_decision_t *decision)
{
    rp_plan_t plan = {.outcome = RP_OUTCOME_NO_PATH};
    double excess = 0.0;
    rp_status_t status = RP_OK;
    rp_budget_pay(budget, LEAST_COST + rp_session_walk_price(self));
    if (is_known_without_search(self, &plan.outcome)) {
        self->schedule.is_long = false;
    } else if (self->schedule.cut_off >= RP_FROZEN_SEARCH_FROM &&
               rp_frozen_search_is_for(self->frozen, self)) {
        status = search_frozen(self, now_us, budget, is_new);
    } else if ((status = go_by_rendezvous(self, budget, &plan, &excess)) == RP_E_UNSUPPORTED) {
        excess = 0.0;
        plan = (rp_plan_t){.outcome = RP_OUTCOME_NO_PATH};
        status = search(self, budget, &plan);
    }
    if (status != RP_OK) {
        return status;
    }
    if (!rp_endpoints_weigh(self, plan.outcome == RP_OUTCOME_FOUND ? plan.cost : INFINITY)) {
        return RP_MORE;
    }
    const bool is_cut_off =
        plan.outcome == RP_OUTCOME_NO_PATH || plan.outcome == RP_OUTCOME_GOAL_BLOCKED;
    if (is_cut_off && self->goal.spec.is_nearest && !self->goal.is_short) {
        self->goal.is_short = true;
        return RP_MORE;
    }
    return rp_session_decide(self, outcome_of(plan.outcome), &plan, excess, now_us, decision);
}

/// Its path would lack an end.
static rp_answer_outcome_t why_endless(const rp_session_t *self)
{
    if (rp_endpoints_are_lost(self)) {
        return RP_ANSWER_TARGET_LOST;
    }
    const bool is_stuck = self->position.at != RP_NO_CELL && self->goal.spec.is_nearest;
    return is_stuck ? RP_ANSWER_START_BLOCKED : RP_ANSWER_OUTSIDE; // else some cell were nearest
}

rp_status_t rp_session_plan(rp_session_t *self, uint64_t now_us, uint64_t *budget, bool *is_new,
                            uint64_t *look_us)
{
    rp_decision_t decision;
    *is_new = false;
    if (rp_layer_derive(self->layer, self->world->version, budget) != RP_OK) {
        return RP_MORE;
    }
    rp_budget_pay(budget, self->validity.is_strayed ? rp_session_read_price(self) : 0u);
    rp_session_settle(self);
    if (self->driver != NULL) {
        return rp_driving_plan(self, now_us, budget, is_new, look_us);
    }
    rp_status_t status = rp_endpoints_prepare(self, budget);
    const bool is_lost = rp_endpoints_are_lost(self);
    if (status == RP_MORE) {
        const uint64_t tiles = (uint64_t)RP_LAYER_TILES * RP_LAYER_TILE_COST;
        rp_budget_pay(budget, tiles);
    }
    if (status == RP_OK && (is_lost || self->position.at == RP_NO_CELL || self->goal.count == 0)) {
        rp_budget_pay(budget, LEAST_COST);
        status = rp_session_decide(self, why_endless(self), NULL, 0.0, now_us, &decision);
    } else if (status == RP_OK) {
        status = search_and_conclude(self, now_us, budget, is_new, &decision);
    }
    if (status == RP_OK) {
        rp_escape_destroy(&self->position.escape);
        self->position.is_escaping = false;
        self->own.is_under_way = false;
        rp_frozen_search_forget(self->frozen, self);
        rp_session_stop_greedy_search(self);
        *is_new = decision.is_new;
        *look_us = decision.look_us;
    }
    return status;
}
