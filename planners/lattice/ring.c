#include "planners/lattice/ring.h"

#include <math.h>

#include "planners/motion/trig.h"

/// A place that is missed by less than this is met.
#define SLACK 1e-9

/// Where a ring is just wide enough, each heading has two or three moves, and turning by several
/// headings takes far longer than an arc (radius 4, ring 3: over 1.3 times). So it is to be wide
/// enough for this multiple of the radius.
#define WANTED_SLACK 1.15

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

uint32_t rp_ring_for(const rp_headings_t *headings, double radius)
{
    const uint32_t needed = needed_ring(headings, radius);
    const uint32_t wanted = needed_ring(headings, radius * WANTED_SLACK);
    if (needed > RP_RING_MOST) {
        return 0;
    }
    return wanted <= RP_RING_MOST ? wanted : needed;
}
