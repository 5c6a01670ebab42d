/// An agent moves: its path is cut to where it is, or it has left it.
#include "engine/paths/follow.h"
#include "engine/paths/policy.h"
#include "engine/session/decision.h"
#include "engine/session/provisional.h"
#include "engine/session/session_state.h"

/// The agent went on along its path: by the triangle inequality the optimum from where it is now is
/// at most as much less as the path became, so the excess still bounds it.
/// @return true when it may now be such a share of the cost that the policy would switch
static bool is_worth_a_look(rp_session_t *self)
{
    const double cost = rp_session_remaining_cost(self);
    self->published.cost = cost >= 0.0 ? cost : self->published.cost;
    self->published.excess = self->published.excess < self->published.cost ? self->published.excess
                                                                           : self->published.cost;
    return self->published.excess > 0.0 && !self->schedule.is_put_off &&
           rp_policy_gains(&self->policy, self->published.cost,
                           self->published.cost - self->published.excess);
}

/// Prune way and path to where the agent is, or to beside it.
static bool follow(rp_session_t *self)
{
    const rp_pose_t pose = rp_world_pose_at(self->world, self->position.x_m, self->position.y_m);
    const double radius = self->position.follow_radius_m / self->world->frame.resolution_m;
    return rp_answer_has_steps(self->published.outcome) &&
           !rp_session_is_due(self, RP_DUE_OFF_PATH) &&
           rp_follow(self->layer, &self->published.way, &self->published.path, &pose, radius,
                     self->position.is_beside);
}

/// Where way and path begin now. @param follows  else where the agent stands
static void begin_there(rp_session_t *self, bool follows)
{
    self->position.at = follows ? self->published.path.at : self->position.cell;
    self->position.from = follows && rp_way_left(&self->published.way) != 0 ? self->published.way.at
                                                                            : self->position.at;
    self->position.is_beside = self->position.from != self->position.cell;
    self->validity.due &= ~(unsigned)RP_DUE_OFF_PATH;
    self->validity.due |= follows ? 0u : (unsigned)RP_DUE_OFF_PATH;
    self->published.is_provisional = self->published.is_provisional && follows;
    self->position.is_escaping = false;
    self->position.followed = self->world->version;
}

bool rp_session_follow_on(rp_session_t *self)
{
    const uint32_t left =
        rp_way_left(&self->published.way) + self->published.path.count - self->published.path.first;
    if (!self->position.is_beside || self->position.followed == self->world->version) {
        return true;
    }
    begin_there(self, follow(self));
    return !rp_session_is_due(self, RP_DUE_OFF_PATH) && rp_way_left(&self->published.way) +
                                                                self->published.path.count -
                                                                self->published.path.first ==
                                                            left;
}

bool rp_session_move(rp_session_t *self, double x_m, double y_m, uint64_t pose_seq)
{
    rp_cell_t cell = RP_NO_CELL;
    rp_session_settle(self);
    (void)rp_world_cell_at(self->world, x_m, y_m, &cell);
    const bool is_there = self->position.has_pose && x_m == self->position.x_m &&
                          y_m == self->position.y_m &&
                          self->position.followed == self->world->version;
    const bool is_same = self->position.has_pose && cell == self->position.cell &&
                         !self->position.is_beside && rp_way_left(&self->published.way) == 0;
    self->position.x_m = x_m;
    self->position.y_m = y_m;
    self->position.pose_seq = pose_seq;
    self->position.has_pose = true;
    if (is_there) {
        return false;
    }
    if (is_same) { // from elsewhere in an obstacle another side of it may be the nearest
        self->position.is_escaping = false;
        return self->goal.is_given && !rp_answer_has_steps(self->published.outcome) &&
               cell != RP_NO_CELL && self->layer->grid->factor[cell] == 0;
    }
    rp_session_stop_asking(self); // what is left of its path cost something else before
    self->position.cell = cell;
    self->goal.is_stale = self->goal.is_stale || self->goal.is_rim;
    begin_there(self, follow(self));
    if (rp_session_is_due(self, RP_DUE_OFF_PATH)) {
        return self->goal.is_given;
    }
    self->published.pose_seq = pose_seq;
    if (self->position.is_beside) {
        rp_interest_index_ask(&self->layer->audience->interests, self->interest);
    }
    if (self->published.is_provisional) {
        rp_session_shorten_provisional(self);
    }
    const bool arrives = self->published.outcome == RP_ANSWER_FOUND && rp_session_is_done(self);
    return !rp_session_is_unsure(self) && (is_worth_a_look(self) || arrives);
}
