#include "planners/motion/headings.h"

#include <math.h>

#include "planners/motion/trig.h"

/// A place that is missed by less than this is met.
#define SLACK 1e-9

/// Where a ring is just wide enough, each heading has two or three moves, and turning by several
/// headings takes far longer than an arc (radius 4, ring 3: over 1.3 times). So it is to be wide
/// enough for this multiple of the radius.
#define WANTED_SLACK 1.15

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

// ---- rings

/// True when a line, an arc from one heading to another and a line lead to (x, y), the lines
/// forwards: what the arc leaves of the way lies between the two headings.
static bool turns_to(double radius, double from, double to, double x, double y)
{
    const rp_trig_unit_t a = rp_trig_unit(from);
    const rp_trig_unit_t b = rp_trig_unit(to);
    const double cross = a.cos * b.sin - a.sin * b.cos;
    const double side = cross < 0.0 ? -1.0 : 1.0;
    const double left_x = x - side * radius * (b.sin - a.sin);
    const double left_y = y - side * radius * (a.cos - b.cos);
    const double before = (left_x * b.sin - left_y * b.cos) / cross;
    const double after = (a.cos * left_y - a.sin * left_x) / cross;
    return before >= -SLACK && after >= -SLACK;
}

static bool can_turn(double radius, double from, double to, int32_t ring)
{
    for (int32_t y = -ring; y <= ring; y++) {
        for (int32_t x = -ring; x <= ring; x++) {
            if ((x != 0 || y != 0) && turns_to(radius, from, to, x, y)) {
                return true;
            }
        }
    }
    return false;
}

static bool is_wide_enough(const rp_headings_t *headings, double radius, uint32_t ring)
{
    bool can = true;
    for (uint32_t i = 0; can && i < headings->count / 4u; i++) {
        const uint32_t before = (i + headings->count - 1u) % headings->count;
        can = can_turn(radius, headings->angle[i], headings->angle[i + 1u], (int32_t)ring) &&
              can_turn(radius, headings->angle[i], headings->angle[before], (int32_t)ring);
    }
    return can;
}

/// @return RP_RING_MOST + 1 when that is too narrow
static uint32_t needed_ring(const rp_headings_t *headings, double radius)
{
    uint32_t ring = headings->longest;
    while (radius > 0.0 && ring <= RP_RING_MOST && !is_wide_enough(headings, radius, ring)) {
        ring++;
    }
    return ring;
}

uint32_t rp_headings_ring(const rp_headings_t *self, double radius)
{
    const uint32_t needed = needed_ring(self, radius);
    const uint32_t wanted = needed_ring(self, radius * WANTED_SLACK);
    if (needed > RP_RING_MOST) {
        return 0;
    }
    return wanted <= RP_RING_MOST ? wanted : needed;
}
