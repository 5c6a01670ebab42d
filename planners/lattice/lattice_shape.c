#include "planners/lattice/lattice_shape.h"

#include "planners/motion/headings.h"

static bool is_within(double value, double least, double most)
{
    return value >= least && value <= most; // false of what is no number
}

uint32_t rp_lattice_headings_for(double turning_radius)
{
    uint32_t sum = 0;
    for (uint32_t count = 8u; count <= RP_HEADINGS_MOST; count *= 2u) {
        rp_headings_t headings;
        (void)rp_headings_init(&headings, count);
        sum += rp_headings_ring(&headings, turning_radius) != 0 ? count : 0;
    }
    return sum;
}

rp_lattice_fault_t rp_lattice_shape_fault(const rp_lattice_shape_t *self)
{
    rp_headings_t headings;
    const bool is_car = self->drive == RP_DRIVE_CAR;
    if (!is_car && self->drive != RP_DRIVE_SPOT && self->drive != RP_DRIVE_OMNI) {
        return RP_LATTICE_BAD_DRIVE;
    }
    if (!rp_headings_init(&headings, self->headings)) {
        return RP_LATTICE_BAD_HEADINGS;
    }
    if (!is_within(self->body_radius, 0.0, RP_LATTICE_BODY_MOST)) {
        return RP_LATTICE_BAD_BODY_RADIUS;
    }
    if (!is_within(self->turning_radius, 0.0, RP_LATTICE_RADIUS_MOST) ||
        (is_car && self->turning_radius == 0.0)) {
        return RP_LATTICE_BAD_TURNING_RADIUS;
    }
    if (!is_car && !is_within(self->turn_price, RP_LATTICE_TURN_LEAST, RP_LATTICE_TURN_MOST)) {
        return RP_LATTICE_BAD_TURN_PRICE;
    }
    const bool turns = !is_car || rp_headings_ring(&headings, self->turning_radius) != 0;
    return turns ? RP_LATTICE_FINE : RP_LATTICE_TOO_WIDE;
}
