/// Words, their cost, their segments.
#include "planners/motion/curve.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

// Pieces that are shorter, in radii, come from rounding: two of them in a row would count as a
// change of gear.
#define SHORTEST 1e-12

static int32_t gear_of(double length)
{
    return length < 0.0 ? -1 : 1;
}

double rp_curve_cost(const rp_curve_t *self, const rp_curve_price_t *price)
{
    double cost = 0.0;
    int32_t gear = price->gear;
    for (uint32_t i = 0; i < self->count; i++) {
        const double length = self->lengths[i];
        cost += length < 0.0 ? -length * price->reverse_factor : length;
        cost += gear != 0 && gear != gear_of(length) ? price->gear_change : 0.0;
        gear = gear_of(length);
    }
    return cost;
}

double rp_curve_length(const rp_curve_t *self)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < self->count; i++) {
        sum += fabs(self->lengths[i]);
    }
    return sum;
}

static bool is_same(const rp_curve_t *a, const rp_curve_t *b)
{
    bool same = a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; i++) {
        same = a->sides[i] == b->sides[i] &&
               fabs(a->lengths[i] - b->lengths[i]) <= SHORTEST * (a->radius + fabs(a->lengths[i]));
    }
    return same;
}

/// True when one of nearly the same cost is the same curve. Place: of the first one that costs
/// more.
static bool has(const rp_curve_list_t *self, const rp_curve_t *curve, uint32_t *place)
{
    const double near = 10.0 * SHORTEST * (curve->radius + curve->cost);
    uint32_t i = self->count;
    bool found = false;
    while (i > 0 && self->curves[i - 1u].cost > curve->cost) {
        i--;
        found = found ||
                (self->curves[i].cost < curve->cost + near && is_same(&self->curves[i], curve));
    }
    *place = i;
    while (!found && i > 0 && self->curves[i - 1u].cost > curve->cost - near) {
        i--;
        found = is_same(&self->curves[i], curve);
    }
    return found;
}

static void add_piece(rp_curve_t *self, int8_t side, double length)
{
    if (fabs(length) >= SHORTEST) {
        self->sides[self->count] = side;
        self->lengths[self->count] = length * self->radius;
        self->count++;
    }
}

rp_curve_t rp_curve_of(const rp_curve_price_t *price, const int8_t *sides, const double *lengths,
                       uint32_t count)
{
    rp_curve_t curve = {.radius = price->radius};
    for (uint32_t i = 0; i < count; i++) {
        add_piece(&curve, sides[i], lengths[i]);
    }
    curve.cost = rp_curve_cost(&curve, price);
    return curve;
}

void rp_curve_list_add(rp_curve_list_t *self, const rp_curve_t *curve)
{
    uint32_t place;
    if (!has(self, curve, &place)) {
        memmove(&self->curves[place + 1u], &self->curves[place],
                (self->count - place) * sizeof *curve);
        self->curves[place] = *curve;
        self->count++;
    }
}

static rp_segment_t segment_of(const rp_curve_t *self, uint32_t piece,
                               const rp_motion_pose_t *start)
{
    return (rp_segment_t){
        .start = *start,
        .curvature = self->sides[piece] / self->radius,
        .length = fabs(self->lengths[piece]),
        .gear = gear_of(self->lengths[piece]),
    };
}

uint32_t rp_curve_segments(const rp_curve_t *self, const rp_motion_pose_t *start,
                           rp_segment_t *segments)
{
    rp_motion_pose_t pose = *start;
    for (uint32_t i = 0; i < self->count; i++) {
        segments[i] = segment_of(self, i, &pose);
        pose = rp_segment_end(&segments[i]);
    }
    return self->count;
}

rp_motion_pose_t rp_curve_end(const rp_curve_t *self, const rp_motion_pose_t *start)
{
    rp_segment_t segments[RP_CURVE_PIECES_MAX];
    const uint32_t count = rp_curve_segments(self, start, segments);
    return count == 0 ? *start : rp_segment_end(&segments[count - 1u]);
}
