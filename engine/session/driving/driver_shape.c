/// What motion asks for, in cells, and whether a lattice can do it.
#include "engine/session/driving/driver_shape.h"

#include <math.h>

#include "engine/session/driving/driven_body.h"
#include "planners/lattice/lattice.h"
#include "planners/motion/trig.h"

#define HEADINGS_DEFAULT 16u

static rp_drive_t drive_of(rp_motion_drive_t drive)
{
    return drive == RP_MOTION_SPOT   ? RP_DRIVE_SPOT
           : drive == RP_MOTION_OMNI ? RP_DRIVE_OMNI
                                     : RP_DRIVE_CAR;
}

rp_lattice_shape_t rp_driver_shape(const rp_motion_t *motion, double resolution_m)
{
    rp_lattice_shape_t shape = {
        .turning_radius = motion->turning_radius_m / resolution_m,
        .body_radius = motion->body_radius_m / resolution_m,
        .turn_price = motion->drive != RP_MOTION_CAR ? motion->turn_m_per_rad / resolution_m : 0.0,
        .headings = motion->headings != 0 ? motion->headings : HEADINGS_DEFAULT,
        .drive = drive_of(motion->drive),
        .reverse = motion->reverse,
        .reverse_factor = motion->reverse_factor != 0.0 ? motion->reverse_factor : 1.0,
        .gear_change = motion->gear_change_m / resolution_m,
    };
    if (motion->footprint != NULL &&
        rp_driven_body_of(motion->footprint, resolution_m, &shape.footprint) != NULL) {
        shape.footprint = (rp_vehicle_t){.part_count = 1}; // no body, and so no shape
    }
    return shape;
}

static rp_motion_fault_t fault_of(rp_lattice_fault_t fault)
{
    switch (fault) {
    case RP_LATTICE_FINE:
        return RP_MOTION_FINE;
    case RP_LATTICE_BAD_HEADINGS:
        return RP_MOTION_BAD_HEADINGS;
    case RP_LATTICE_BAD_BODY_RADIUS:
        return RP_MOTION_BAD_BODY_RADIUS;
    case RP_LATTICE_BAD_FOOTPRINT:
        return RP_MOTION_BAD_FOOTPRINT;
    case RP_LATTICE_BAD_TURNING_RADIUS:
        return RP_MOTION_BAD_TURNING_RADIUS;
    case RP_LATTICE_BAD_TURN_PRICE:
        return RP_MOTION_BAD_TURN;
    case RP_LATTICE_BAD_REVERSE:
        return RP_MOTION_BAD_REVERSE;
    case RP_LATTICE_BAD_REVERSE_FACTOR:
        return RP_MOTION_BAD_REVERSE_FACTOR;
    case RP_LATTICE_BAD_GEAR_CHANGE:
        return RP_MOTION_BAD_GEAR_CHANGE;
    case RP_LATTICE_TOO_WIDE:
        return RP_MOTION_TOO_WIDE;
    default:
        return RP_MOTION_BAD_DRIVE;
    }
}

bool rp_driver_shape_has_room(const rp_lattice_shape_t *shape, uint64_t cells)
{
    return cells * shape->headings <= RP_MOTION_POSES_MAX;
}

rp_motion_fault_t rp_driver_judge(const rp_motion_t *motion, double resolution_m,
                                  const rp_grid_shape_t *shape)
{
    const rp_lattice_shape_t asked = rp_driver_shape(motion, resolution_m);
    const double side = shape->width < shape->height ? shape->width : shape->height;
    const uint64_t cells = (uint64_t)shape->width * shape->height;
    const bool is_omni = motion->drive == RP_MOTION_OMNI;
    if (motion->drive != RP_MOTION_CAR && motion->drive != RP_MOTION_SPOT && !is_omni) {
        return RP_MOTION_BAD_DRIVE;
    }
    if (is_omni && motion->turning_radius_m != 0.0) {
        return RP_MOTION_BAD_TURNING_RADIUS;
    }
    const uint32_t most = motion->headings_most;
    if (most != 0 && (most < asked.headings || most > RP_HEADINGS_MOST)) {
        return RP_MOTION_BAD_HEADINGS;
    }
    const rp_motion_fault_t fault = fault_of(rp_lattice_shape_fault(&asked));
    if (fault != RP_MOTION_FINE) {
        return fault;
    }
    if (motion->bound_percent > RP_MOTION_PERCENT_MAX) {
        return RP_MOTION_BAD_PERCENT;
    }
    if (!(motion->hold_m >= 0.0 && isfinite(motion->hold_m))) {
        return RP_MOTION_BAD_HOLD;
    }
    if (!(motion->follow_yaw >= 0.0 && motion->follow_yaw <= RP_TRIG_PI)) {
        return RP_MOTION_BAD_FOLLOW_YAW;
    }
    if (rp_driven_body_is_too_wide(rp_lattice_shape_inner(&asked), rp_lattice_shape_reach(&asked),
                                   shape) ||
        (shape->wraps && side < RP_LATTICE_TORUS_LEAST)) {
        return RP_MOTION_TOO_NARROW;
    }
    return rp_driver_shape_has_room(&asked, cells) ? RP_MOTION_FINE : RP_MOTION_TOO_LARGE;
}
