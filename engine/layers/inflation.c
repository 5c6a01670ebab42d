/// Costs by distance, as costmap_2d has them.
#include "engine/layers/inflation.h"

#include <math.h>
#include <string.h>

/// The greatest squared distance in cells that is not beyond a radius. The slack forgives what the
/// division of two decimal numbers loses.
static uint32_t squared_cells(double radius_m, double resolution_m)
{
    const double cells = radius_m / resolution_m;
    return (uint32_t)floor(cells * cells + 1e-6);
}

/// costmap_2d's formula.
static uint8_t soft_cost(const rp_body_t *body, uint32_t squared, double resolution_m)
{
    if (squared <= squared_cells(body->inscribed_radius_m, resolution_m)) {
        return RP_INFLATION_INSCRIBED;
    }
    const double distance_m = sqrt(squared) * resolution_m;
    const double share = exp(-body->cost_scaling * (distance_m - body->inscribed_radius_m));
    return (uint8_t)((RP_INFLATION_INSCRIBED - 1u) * share);
}

static bool is_legal(double number, double most)
{
    return isfinite(number) && number >= 0.0 && number <= most;
}

/// A square body of one cell is a point.
static rp_status_t make_square(rp_inflation_t *self, const rp_body_t *body)
{
    if (body->cells > RP_REACH_MAX || body->radius_m != 0.0 || body->inscribed_radius_m != 0.0 ||
        body->inflation_radius_m != 0.0) {
        return RP_E_INVALID;
    }
    *self =
        (rp_inflation_t){.side = body->cells > 1u ? body->cells : 0u, .reach = body->cells - 1u};
    return RP_OK;
}

rp_status_t rp_inflation_make(rp_inflation_t *self, const rp_body_t *body, double resolution_m)
{
    if (body->cells != 0) {
        return make_square(self, body);
    }
    const double most_m = (RP_REACH_MAX + 1e-6) * resolution_m;
    if (!is_legal(body->radius_m, most_m) || !is_legal(body->inscribed_radius_m, most_m) ||
        !is_legal(body->inflation_radius_m, most_m) || !is_legal(body->cost_scaling, INFINITY) ||
        body->inscribed_radius_m > body->inflation_radius_m) {
        return RP_E_INVALID;
    }
    const uint32_t hard = squared_cells(body->radius_m, resolution_m);
    // costmap_2d rounds its radius up to whole cells.
    const double soft_cells = ceil(body->inflation_radius_m / resolution_m - 1e-6);
    const uint32_t soft = body->inflation_radius_m > 0.0 ? (uint32_t)(soft_cells * soft_cells) : 0u;
    const uint32_t most = hard > soft ? hard : soft;
    *self = (rp_inflation_t){.is_soft = false};
    for (uint32_t squared = 1; squared <= most; squared++) {
        const uint8_t cost = squared > soft ? 0u : soft_cost(body, squared, resolution_m);
        self->cost[squared] = squared <= hard ? RP_INFLATION_BLOCKED : cost;
        self->is_soft = self->is_soft || (squared > hard && cost != 0);
        while (self->cost[squared] != 0 && self->reach * self->reach < squared) {
            self->reach++;
        }
    }
    return RP_OK;
}

bool rp_inflation_equals(const rp_inflation_t *self, const rp_inflation_t *other)
{
    return self->side == other->side && self->reach == other->reach &&
           memcmp(self->cost, other->cost, sizeof self->cost) == 0;
}
