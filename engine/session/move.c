/// An agent moves: its path is cut to where it is, or it has left it.
#include "engine/paths/follow.h"
#include "engine/paths/policy.h"
#include "engine/session/decision.h"
#include "engine/session/provisional.h"
#include "engine/session/session.h"

/// The agent went on along its path: by the triangle inequality the optimum from where it is now is
/// at most as much less as the path became, so the excess still bounds it.
/// @return true when it may now be such a share of the cost that the policy would switch
static bool is_worth_a_look(rp_session_t *self)
{
    const double cost = rp_session_remaining_cost(self);
    self->cost = cost >= 0.0 ? cost : self->cost;
    self->excess = self->excess < self->cost ? self->excess : self->cost;
    return self->excess > 0.0 && !self->is_put_off &&
           rp_policy_gains(&self->policy, self->cost, self->cost - self->excess);
}

/// Prune way and path to where the agent is, or to beside it.
static bool follow(rp_session_t *self)
{
    const rp_pose_t pose = rp_world_pose_at(self->world, self->x_m, self->y_m);
    const double radius = self->follow_radius_m / self->world->frame.resolution_m;
    return rp_answer_has_steps(self->outcome) && !self->is_off_path &&
           rp_follow(self->layer, &self->way, &self->published, &pose, radius, self->is_beside);
}

/// Where way and path begin now. @param follows  else where the agent stands
static void begin_there(rp_session_t *self, bool follows)
{
    self->at = follows ? self->published.at : self->stands_at;
    self->from = follows && rp_way_left(&self->way) != 0 ? self->way.at : self->at;
    self->is_beside = self->from != self->stands_at;
    self->is_off_path = !follows;
    self->is_provisional = self->is_provisional && follows;
    self->is_escaping = false;
    self->followed = self->world->version;
}

bool rp_session_follow_on(rp_session_t *self)
{
    const uint32_t left = rp_way_left(&self->way) + self->published.count - self->published.first;
    if (!self->is_beside || self->followed == self->world->version) {
        return true;
    }
    begin_there(self, follow(self));
    return !self->is_off_path &&
           rp_way_left(&self->way) + self->published.count - self->published.first == left;
}

bool rp_session_move(rp_session_t *self, double x_m, double y_m, uint64_t pose_seq)
{
    rp_cell_t cell = RP_NO_CELL;
    rp_session_settle(self);
    (void)rp_world_cell_at(self->world, x_m, y_m, &cell);
    const bool is_there = self->has_pose && x_m == self->x_m && y_m == self->y_m &&
                          self->followed == self->world->version;
    const bool is_same = self->has_pose && cell == self->stands_at && !self->is_beside &&
                         rp_way_left(&self->way) == 0;
    self->x_m = x_m;
    self->y_m = y_m;
    self->pose_seq = pose_seq;
    self->has_pose = true;
    if (is_there) {
        return false;
    }
    if (is_same) { // from elsewhere in an obstacle another side of it may be the nearest
        self->is_escaping = false;
        return self->has_goals && !rp_answer_has_steps(self->outcome) && cell != RP_NO_CELL &&
               self->layer->grid->factor[cell] == 0;
    }
    self->is_unasked = false; // what is left of its path cost something else before
    self->stands_at = cell;
    self->goals_are_stale = self->goals_are_stale || self->is_rim;
    begin_there(self, follow(self));
    if (self->is_off_path) {
        return self->has_goals;
    }
    self->published_pose_seq = pose_seq;
    if (self->is_beside) {
        rp_interest_index_ask(&self->layer->audience->interests, self->interest);
    }
    if (self->is_provisional) {
        rp_session_shorten_provisional(self);
    }
    const bool arrives = self->outcome == RP_ANSWER_FOUND && rp_session_is_done(self);
    return !self->is_unsure && (is_worth_a_look(self) || arrives);
}
