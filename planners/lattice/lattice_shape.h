/// @file
/// What a lattice planner is made for: a vehicle and its body. Lengths are cells, angles radians.
#ifndef REPLAN_PLANNERS_LATTICE_LATTICE_SHAPE_H
#define REPLAN_PLANNERS_LATTICE_LATTICE_SHAPE_H

#include "replan/types.h"

/// How a vehicle moves.
typedef enum rp_drive {
    RP_DRIVE_CAR,  ///< forwards, on arcs of the turning radius and on lines
    RP_DRIVE_SPOT, ///< the same, and it turns in place
    RP_DRIVE_OMNI, ///< lines in any direction, whatever its heading, and turns in place
} rp_drive_t;

/// Greatest body radius.
#define RP_LATTICE_BODY_MOST 64.0

/// Greatest turning radius.
#define RP_LATTICE_RADIUS_MOST 64.0

/// Least and greatest price of a turn in place.
#define RP_LATTICE_TURN_LEAST 0.01
#define RP_LATTICE_TURN_MOST  1000.0

/// Greatest bound, percent.
#define RP_LATTICE_PERCENT_MOST 50u

/// No path costs as much, in 1/408 of a cell.
#define RP_LATTICE_COST_MOST ((uint32_t)1 << 31)

typedef struct rp_lattice_shape {
    double turning_radius; ///< of the smallest circle, 0..RP_LATTICE_RADIUS_MOST; 0 means lines
                           ///< only, which CAR cannot drive; OMNI has no use for it
    double body_radius;    ///< of a disc, 0..RP_LATTICE_BODY_MOST; below 0.001 it counts as 0.001
    double turn_price;     ///< SPOT, OMNI: a radian turned in place costs as much as so many cells,
                           ///< RP_LATTICE_TURN_LEAST..RP_LATTICE_TURN_MOST
    uint32_t headings;     ///< 8, 16, 32 or 64
    rp_drive_t drive;
} rp_lattice_shape_t;

/// The first field that is wrong, and how.
typedef enum rp_lattice_fault {
    RP_LATTICE_FINE,
    RP_LATTICE_BAD_DRIVE,
    RP_LATTICE_BAD_HEADINGS,       ///< none of 8, 16, 32, 64
    RP_LATTICE_BAD_BODY_RADIUS,    ///< outside its limits, or no number
    RP_LATTICE_BAD_TURNING_RADIUS, ///< outside its limits, or no number; CAR: 0
    RP_LATTICE_BAD_TURN_PRICE,     ///< outside its limits, or no number
    RP_LATTICE_TOO_WIDE, ///< CAR: no move of up to 8 cells turns by one heading at this radius
} rp_lattice_fault_t;

rp_lattice_fault_t rp_lattice_shape_fault(const rp_lattice_shape_t *self);

/// Numbers of headings with which a CAR can turn at this radius: the sum of 8, 16, 32 and 64, each
/// where it can; 0: with none.
uint32_t rp_lattice_headings_for(double turning_radius);

#endif
