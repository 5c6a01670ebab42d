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

static bool is_same_footprint(const rp_vehicle_t *a, const rp_vehicle_t *b)
{
    bool same = a->part_count == b->part_count;
    for (uint32_t i = 0; i <= a->part_count && same && a->part_count != 0; i++) {
        same = a->first[i] == b->first[i];
    }
    for (uint32_t i = 0; same && i < (a->part_count != 0 ? a->first[a->part_count] : 0u); i++) {
        same = a->corners[i].x == b->corners[i].x && a->corners[i].y == b->corners[i].y;
    }
    return same;
}

bool rp_lattice_shape_is_same(const rp_lattice_shape_t *a, const rp_lattice_shape_t *b)
{
    const bool is_same_way =
        a->reverse == b->reverse && (!a->reverse || (a->reverse_factor == b->reverse_factor &&
                                                     a->gear_change == b->gear_change));
    return a->turning_radius == b->turning_radius && a->body_radius == b->body_radius &&
           a->turn_price == b->turn_price && a->headings == b->headings && a->drive == b->drive &&
           is_same_way && is_same_footprint(&a->footprint, &b->footprint);
}

rp_vehicle_t rp_lattice_shape_vehicle(const rp_lattice_shape_t *self)
{
    rp_vehicle_t vehicle = self->footprint;
    if (vehicle.part_count == 0) {
        (void)rp_vehicle_set_disc(&vehicle, self->body_radius);
    }
    return vehicle;
}

double rp_lattice_shape_inner(const rp_lattice_shape_t *self)
{
    return self->footprint.part_count != 0 ? self->footprint.inner : self->body_radius;
}

double rp_lattice_shape_reach(const rp_lattice_shape_t *self)
{
    return self->footprint.part_count != 0 ? self->footprint.reach : self->body_radius;
}

static rp_lattice_fault_t body_fault(const rp_lattice_shape_t *self)
{
    const rp_vehicle_t *footprint = &self->footprint;
    if (!is_within(self->body_radius, 0.0, RP_LATTICE_BODY_MOST) ||
        (footprint->part_count != 0 && self->body_radius != 0.0)) {
        return RP_LATTICE_BAD_BODY_RADIUS;
    }
    const bool is_fine =
        footprint->part_count == 0 ||
        (footprint->part_count <= RP_VEHICLE_PARTS_MAX && footprint->inner >= RP_VEHICLE_LEAST &&
         footprint->reach <= RP_LATTICE_BODY_MOST);
    return is_fine ? RP_LATTICE_FINE : RP_LATTICE_BAD_FOOTPRINT;
}

static rp_lattice_fault_t reverse_fault(const rp_lattice_shape_t *self)
{
    if (!self->reverse) {
        return RP_LATTICE_FINE;
    }
    if (self->drive == RP_DRIVE_OMNI) {
        return RP_LATTICE_BAD_REVERSE;
    }
    if (!is_within(self->reverse_factor, 1.0, RP_LATTICE_REVERSE_MOST)) {
        return RP_LATTICE_BAD_REVERSE_FACTOR;
    }
    return is_within(self->gear_change, 0.0, RP_LATTICE_CHANGE_MOST) ? RP_LATTICE_FINE
                                                                     : RP_LATTICE_BAD_GEAR_CHANGE;
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
    if (body_fault(self) != RP_LATTICE_FINE) {
        return body_fault(self);
    }
    if (!is_within(self->turning_radius, 0.0, RP_LATTICE_RADIUS_MOST) ||
        (is_car && self->turning_radius == 0.0)) {
        return RP_LATTICE_BAD_TURNING_RADIUS;
    }
    if (!is_car && !is_within(self->turn_price, RP_LATTICE_TURN_LEAST, RP_LATTICE_TURN_MOST)) {
        return RP_LATTICE_BAD_TURN_PRICE;
    }
    if (reverse_fault(self) != RP_LATTICE_FINE) {
        return reverse_fault(self);
    }
    const bool turns = !is_car || rp_headings_ring(&headings, self->turning_radius) != 0;
    return turns ? RP_LATTICE_FINE : RP_LATTICE_TOO_WIDE;
}
