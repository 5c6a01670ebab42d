#include "planners/lattice/headings.h"

#include <math.h>

#include "planners/motion/trig.h"

/// Vectors of the first eighth by slope, of 64 headings. Those of fewer headings are each second,
/// fourth or eighth of them; the diagonal follows.
static const int8_t eighth[8][2] = {
    {1, 0}, {7, 1}, {4, 1}, {5, 2}, {2, 1}, {5, 3}, {4, 3}, {7, 6},
};

/// Heading `index` of 64 in the first quarter.
static void quarter_vector(uint32_t index, int8_t *x, int8_t *y)
{
    if (index < 8u) {
        *x = eighth[index][0];
        *y = eighth[index][1];
    } else if (index == 8u) {
        *x = 1;
        *y = 1;
    } else {
        *x = eighth[16u - index][1];
        *y = eighth[16u - index][0];
    }
}

bool rp_headings_init(rp_headings_t *self, uint32_t count)
{
    if (count != 8u && count != 16u && count != 32u && count != 64u) {
        return false;
    }
    *self = (rp_headings_t){.count = count};
    const uint32_t quarter = count / 4u;
    for (uint32_t i = 0; i < count; i++) {
        if (i < quarter) {
            quarter_vector(i * (RP_HEADINGS_MOST / count), &self->x[i], &self->y[i]);
        } else {
            self->x[i] = (int8_t)-self->y[i - quarter];
            self->y[i] = self->x[i - quarter];
        }
        self->angle[i] = rp_trig_turn(rp_trig_angle(self->y[i], self->x[i]));
        self->longest = self->x[i] > (int8_t)self->longest ? (uint32_t)self->x[i] : self->longest;
    }
    return true;
}

uint32_t rp_headings_nearest(const rp_headings_t *self, double angle)
{
    uint32_t nearest = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < self->count; i++) {
        const double left = rp_trig_turn(angle - self->angle[i]);
        const double apart = left < RP_TRIG_PI ? left : RP_TRIG_TURN - left;
        if (apart < least) {
            least = apart;
            nearest = i;
        }
    }
    return nearest;
}
