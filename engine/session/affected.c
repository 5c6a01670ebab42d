/// Compares what a session's answer depends on with the impact of the newest version on its layer.
#include "engine/session/affected.h"

#include "base/budget.h"
#include "engine/paths/change_impact.h"
#include "engine/session/decision.h"
#include "engine/session/endpoints.h"

/// What it takes to have some tiles labelled, in expansions, if that has to be.
static uint64_t parts_price(const rp_components_t *components)
{
    if (components == NULL || rp_components_are_current(components)) {
        return 0;
    }
    const uint64_t tiles = rp_components_tile_count(components);
    return (tiles < RP_LAYER_TILES ? tiles : RP_LAYER_TILES) * RP_LAYER_TILE_COST;
}

/// What asking it takes at most, but for walking its path.
static uint64_t asked_price(const rp_session_t *self, bool may_be_worse)
{
    const rp_layer_t *layer = self->layer;
    const bool is_apart = self->published.outcome == RP_ANSWER_NO_PATH;
    if (layer->lacks_newest) {
        return 1u; // there is nothing to look at
    }
    const bool are_held = is_apart || rp_change_impact_names_cheaper(&layer->audience->impact);
    const uint64_t held =
        are_held ? layer->audience->impact.count * (uint64_t)self->goal.count : 0u;
    return 1u + (may_be_worse ? rp_session_read_price(self) : 0u) + held / RP_SESSION_STEPS_EACH +
           (is_apart ? parts_price(layer->components) : 0u);
}

/// The newest version broke its path, or made it dearer.
static bool is_worse(const rp_session_t *self, const rp_standing_t *standing, uint64_t *budget)
{
    bool is_measured;
    const bool is_worse =
        rp_change_impact_worsens_path(&self->layer->audience->impact, standing, &is_measured);
    if (is_measured) {
        rp_budget_pay(budget, (self->published.path.count - self->published.path.first) /
                                  RP_SESSION_MEASURED_EACH);
    }
    return is_worse;
}

/// True when a rectangle comes so near to an agent, in cells.
static bool is_near(const rp_session_t *self, const rp_rectangle_t *in, double cells)
{
    const rp_grid_t *grid = self->layer->grid;
    const double x = rp_grid_x(grid, self->position.cell);
    const double y = rp_grid_y(grid, self->position.cell);
    return grid->shape.wraps || (x + cells >= in->left && x <= in->right + cells &&
                                 y + cells >= in->top && y <= in->bottom + cells);
}

/// An obstacle came or went between an agent and its path beside it, for all that is known.
static bool is_parted(rp_session_t *self)
{
    const rp_layer_t *layer = self->layer;
    const double radius = self->position.follow_radius_m / self->world->frame.resolution_m;
    return self->position.is_beside && layer->has_toggled &&
           (self->position.cell == RP_NO_CELL || is_near(self, &layer->toggled_in, radius + 1.0)) &&
           !rp_session_follow_on(self);
}

/// A way out may be there now: something changed no farther off than the longest one.
static bool may_escape(const rp_session_t *self)
{
    const rp_layer_t *layer = self->layer;
    const double most = rp_endpoints_longest_way(self) + 1.0;
    return (layer->audience->impact.cheaper_count != 0 &&
            is_near(self, &layer->audience->impact.cheaper_in, most)) ||
           (layer->has_toggled && is_near(self, &layer->toggled_in, most));
}

/// Stands on a blocked cell, from which some way leads.
static bool is_blocked(const rp_session_t *self)
{
    return self->position.from != RP_NO_CELL &&
           self->layer->grid->factor[self->position.from] == 0 &&
           self->published.outcome != RP_ANSWER_START_BLOCKED;
}

bool rp_session_is_affected(rp_session_t *self, bool may_be_worse, uint64_t *budget)
{
    rp_layer_t *layer = self->layer;
    if (self->validity.drives) {
        rp_budget_pay(budget, 1u);
        self->validity.is_intact = false;
        return layer->is_rewritten;
    }
    const bool is_off = is_parted(self);
    const rp_standing_t standing = {&self->published.path, self->published.path.at,
                                    self->goal.cells, self->goal.count, self->published.cost};
    const bool is_stuck = self->position.at != self->position.from || is_blocked(self);
    rp_budget_pay(budget, asked_price(self, may_be_worse));
    if (!layer->is_rewritten) {
        return false;
    }
    self->validity.is_intact = self->validity.is_intact && !layer->lacks_newest &&
                               rp_answer_has_path(self->published.outcome) &&
                               !(may_be_worse && is_worse(self, &standing, budget));
    if (layer->lacks_newest || self->goal.is_short || is_stuck || is_off) {
        return true; // other ends may become possible far from the path
    }
    switch (self->published.outcome) {
    case RP_ANSWER_FOUND: // a path that is kept though there is a cheaper one must know how much
    case RP_ANSWER_ARRIVED:
        return (self->published.excess > 0.0 && !self->published.is_at_rendezvous) ||
               !self->validity.is_intact ||
               rp_change_impact_rival_path(&layer->audience->impact, &standing);
    case RP_ANSWER_NO_PATH:
        return rp_change_impact_touch_no_path(&layer->audience->impact, self->position.at,
                                              self->goal.cells, self->goal.count) &&
               !rp_layer_separates(layer, self->position.at, self->goal.cells, self->goal.count,
                                   true);
    case RP_ANSWER_START_BLOCKED:
        return may_escape(self);
    case RP_ANSWER_GOAL_BLOCKED:
        return layer->grid->factor[self->position.at] == 0 ||
               rp_goals_any_free(layer->grid, self->goal.cells, self->goal.count);
    case RP_ANSWER_OUTSIDE:
    case RP_ANSWER_TARGET_LOST:
        return false; // ground has nothing to do with it
    case RP_ANSWER_PARTIAL:
    case RP_ANSWER_NONE:
        break;
    }
    return true;
}
