/// Decides between keeping and switching, and writes down the result.
#include "engine/session/decision.h"

#include "engine/paths/policy.h"
#include "engine/session/endpoints.h"

/// Nothing on its path has changed, and all steps of a kind cost the same.
static bool need_only_count(const rp_session_t *self)
{
    const bool is_known =
        !rp_session_is_unsure(self) || self->validity.tested_at == self->world->version;
    return self->validity.is_intact && is_known && !self->layer->grid->weighted;
}

uint64_t rp_session_walk_price(const rp_session_t *self)
{
    const uint64_t steps = self->published.path.count - self->published.path.first;
    return steps / (need_only_count(self) ? RP_SESSION_STEPS_EACH : RP_SESSION_MEASURED_EACH);
}

bool rp_session_walk(const rp_session_t *self, rp_walk_t *walk, uint32_t *offset)
{
    const rp_grid_t *grid = self->layer->grid;
    if (need_only_count(self)) {
        rp_published_path_count(&self->published.path, grid, walk);
    } else if (!rp_published_path_measure(&self->published.path, grid, walk)) {
        return false;
    }
    const rp_goal_t *goal = rp_endpoints_goal_at(self, walk->end);
    if (goal == NULL) {
        return false;
    }
    *offset = goal->offset;
    return true;
}

double rp_session_remaining_cost(const rp_session_t *self)
{
    rp_walk_t walk;
    uint32_t offset;
    return rp_session_walk(self, &walk, &offset) ? rp_walk_cost(&walk, self->layer->grid) + offset
                                                 : -1.0;
}

static rp_decision_t say_new(rp_reason_t reason, double cost)
{
    return (rp_decision_t){.is_new = true, .reason = reason, .cost = cost, .look_us = RP_NEVER_US};
}

/// Is the published path kept? Compare it with the cheapest one of the newest version.
/// @param cost         of that one
/// @param is_as_cheap  the published path is known to cost the same
static rp_decision_t judge_path(const rp_session_t *self, double cost, bool is_as_cheap,
                                uint64_t now_us)
{
    const double kept = is_as_cheap ? cost : rp_session_remaining_cost(self);
    if (kept < 0.0) {
        return say_new(rp_session_is_due(self, RP_DUE_TARGET) ? RP_REASON_GOAL : RP_REASON_INVALID,
                       cost);
    }
    if (!rp_endpoints_keep_start(
            self)) { // the obstacle that it stood in is gone, or the way is cut
        return say_new(self->position.at == self->position.from ? RP_REASON_OFF_PATH
                                                                : RP_REASON_INVALID,
                       cost);
    }
    // A provisional path need not have stood for the minimum interval when the optimum comes.
    const rp_policy_input_t input = {.kept = kept,
                                     .optimum = cost,
                                     .published_us =
                                         self->published.is_provisional ? 0 : self->published.at_us,
                                     .now_us = now_us};
    rp_decision_t decision = {
        .is_kept = true,
        .cost = kept,
        .excess = rp_policy_is_cheaper(kept, cost) ? kept - cost : 0.0,
    };
    if (!rp_policy_keeps(&self->policy, &input, &decision.reason, &decision.look_us)) {
        return say_new(decision.reason, cost);
    }
    if (self->published.outcome == RP_ANSWER_FOUND && rp_session_is_done(self)) {
        decision.is_new = true;
        decision.reason = RP_REASON_REACHED;
    }
    return decision;
}

bool rp_session_has_cause(const rp_session_t *self, rp_reason_t *reason)
{
    const bool has_cause =
        self->published.path_seq == 0 || (self->validity.due & ~(unsigned)RP_DUE_TARGET) != 0;
    if (has_cause) {
        *reason = self->published.path_seq == 0              ? RP_REASON_FIRST
                  : rp_session_is_due(self, RP_DUE_GOALS)    ? RP_REASON_GOAL
                  : rp_session_is_due(self, RP_DUE_LEG)      ? RP_REASON_REACHED
                  : rp_session_is_due(self, RP_DUE_OFF_PATH) ? RP_REASON_OFF_PATH
                                                             : self->validity.begin_reason;
    }
    return has_cause;
}

void rp_session_clear_causes(rp_session_t *self)
{
    self->validity.due = 0;
}

static rp_decision_t judge(const rp_session_t *self, rp_answer_outcome_t outcome,
                           const rp_plan_t *plan, uint64_t now_us)
{
    const double cost = rp_answer_has_path(outcome) ? plan->cost : 0.0;
    rp_reason_t reason;
    if (rp_session_has_cause(self, &reason)) {
        return say_new(reason, cost);
    }
    if (outcome != self->published.outcome &&
        !(rp_answer_has_path(outcome) && rp_answer_has_path(self->published.outcome))) {
        // The rest of a way comes for the reason for which its beginning came.
        const bool is_rest =
            self->published.outcome == RP_ANSWER_PARTIAL && rp_answer_has_path(outcome);
        return say_new(is_rest ? self->published.reason : RP_REASON_INVALID, cost);
    }
    return outcome == RP_ANSWER_FOUND
               ? judge_path(self, cost, rp_path_is_empty(&plan->path), now_us)
               : (rp_decision_t){.look_us = RP_NEVER_US};
}

void rp_session_note_published(rp_session_t *self, rp_reason_t reason, double cost,
                               uint64_t expansions, uint64_t now_us)
{
    self->validity.is_intact = false; // for all that is known here
    self->published.reason = reason;
    self->published.version = self->world->version;
    self->published.at_us = now_us;
    self->published.path_seq++;
    self->published.planner = rp_session_planner(self);
    self->published.expansions = expansions;
    self->published.cause = self->schedule.cause;
    const rp_past_answer_t answer = {
        .path_seq = self->published.path_seq,
        .sure_until = self->validity.sure_until,
        .version = self->world->version,
        .published_us = now_us,
        .outcome = self->published.outcome,
        .reason = reason,
        .cost = cost,
        .expansions = expansions,
        .cause = self->schedule.cause,
    };
    rp_answer_history_add(&self->published.past, &answer);
}

/// Say it: another path, or that the end of the old one is reached.
static rp_status_t say(rp_session_t *self, rp_answer_outcome_t outcome,
                       const rp_decision_t *decision, const rp_plan_t *plan, uint64_t now_us)
{
    if (!rp_answer_has_path(outcome)) {
        rp_published_path_clear(&self->published.path, self->position.at);
        rp_way_fini(&self->published.way);
    } else if (!decision->is_kept) {
        const bool is_other = !rp_path_is_empty(&plan->path); // else only the way is
        const rp_status_t status = rp_endpoints_publish(self, is_other ? &plan->path : NULL);
        if (status != RP_OK) {
            return status;
        }
        if (is_other) {
            rp_sectors_of_path(rp_session_sectors(self), self->layer->grid, &self->published.path);
        } else {
            rp_published_path_repeat(&self->published.path);
        }
    } else {
        rp_published_path_repeat(&self->published.path);
    }
    const bool is_done = rp_answer_has_path(outcome) && rp_session_is_done(self);
    self->published.outcome = is_done ? RP_ANSWER_ARRIVED : outcome;
    rp_session_note_published(self, decision->reason, decision->cost,
                              plan != NULL ? plan->stats.expanded : 0, now_us);
    return RP_OK;
}

rp_status_t rp_session_decide(rp_session_t *self, rp_answer_outcome_t outcome,
                              const rp_plan_t *plan, double excess, uint64_t now_us,
                              rp_decision_t *decision)
{
    *decision = judge(self, outcome, plan, now_us);
    self->published.is_at_rendezvous = excess > 0.0 && decision->excess <= 0.0;
    if (excess > 0.0) { // a path that is kept may cost less than the one by the rendezvous
        const double least = plan->cost - excess;
        decision->excess = decision->cost > least ? decision->cost - least : 0.0;
    }
    if (decision->is_new && !decision->is_kept && self->position.is_beside) {
        self->position.is_beside = false;
        self->position.from = self->position.cell;
        self->position.is_escaping = false;
        self->goal.is_stale = self->goal.is_stale || self->goal.is_rim;
        self->validity.due |= RP_DUE_BEGINNING;
        self->validity.begin_reason = decision->reason;
        return RP_MORE;
    }
    if (decision->is_new) {
        const rp_status_t status = say(self, outcome, decision, plan, now_us);
        if (status != RP_OK) {
            return status;
        }
    }
    self->validity.version = self->world->version;
    self->validity.is_intact = true;
    self->published.cost = decision->cost;
    self->published.excess = decision->excess;
    self->published.is_provisional = false;
    rp_session_clear_causes(self);
    self->schedule.is_put_off = !decision->is_new && decision->reason == RP_REASON_CHEAPER &&
                                decision->look_us != RP_NEVER_US;
    self->published.goal_id = self->goal.id;
    self->published.pose_seq = self->position.pose_seq;
    self->published.target_seq =
        self->goal.target != NULL ? self->goal.target->position.pose_seq : 0;
    self->published.goal_distance_m =
        self->goal.is_short && rp_answer_has_path(self->published.outcome)
            ? rp_endpoints_distance_m(self)
            : 0.0;
    return RP_OK;
}
