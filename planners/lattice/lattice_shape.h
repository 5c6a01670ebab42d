/// @file
/// What a lattice planner is made for and asked: a vehicle with its body, a goal. Lengths are
/// cells, angles radians.
#ifndef REPLAN_PLANNERS_LATTICE_LATTICE_SHAPE_H
#define REPLAN_PLANNERS_LATTICE_LATTICE_SHAPE_H

#include "planners/motion/vehicle.h"
#include "replan/types.h"

/// How a vehicle moves.
typedef enum rp_drive {
    RP_DRIVE_CAR,  ///< forwards, on arcs of the turning radius and on lines
    RP_DRIVE_SPOT, ///< the same, and it turns in place
    RP_DRIVE_OMNI, ///< lines in any direction, whatever its heading, and turns in place
} rp_drive_t;

/// Greatest body radius, and distance from the origin to a corner of a footprint.
#define RP_LATTICE_BODY_MOST 64.0

/// Greatest price of a cell driven backwards, and of a change of gear, in cells.
#define RP_LATTICE_REVERSE_MOST 100.0
#define RP_LATTICE_CHANGE_MOST  1000.0

/// Greatest turning radius.
#define RP_LATTICE_RADIUS_MOST 64.0

/// Least and greatest price of a turn in place.
#define RP_LATTICE_TURN_LEAST 0.01
#define RP_LATTICE_TURN_MOST  1000.0

/// A yaw within this of a heading of the lattice is that heading, radians.
#define RP_LATTICE_YAW_SLACK 1e-9

/// Greatest bound, percent, and the one at first.
#define RP_LATTICE_PERCENT_MOST    50u
#define RP_LATTICE_PERCENT_DEFAULT 10u

/// Longest way out of a collision at the start, cells.
#define RP_LATTICE_ESCAPE_MOST 16.0

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
    bool reverse;           ///< CAR, SPOT: it drives backwards, too
    double reverse_factor;  ///< with reverse: a cell backwards costs so much,
                            ///< 1..RP_LATTICE_REVERSE_MOST
    double gear_change;     ///< with reverse: each change between forwards and backwards costs as
                            ///< much as so many cells, 0..RP_LATTICE_CHANGE_MOST
    rp_vehicle_t footprint; ///< a body in place of the disc, in cells, with part_count above 0;
                            ///< then body_radius is 0, and the origin lies inside of the body
} rp_lattice_shape_t;

/// With which heading a path ends.
typedef enum rp_goal_heading {
    RP_GOAL_FREE,       ///< with any
    RP_GOAL_FIXED,      ///< with the goal's yaw
    RP_GOAL_EITHER_WAY, ///< with the goal's yaw, or the opposite
} rp_goal_heading_t;

typedef struct rp_lattice_goal {
    rp_cell_t cell;
    rp_goal_heading_t heading;
    double yaw;           ///< radians, but for RP_GOAL_FREE
    double yaw_tolerance; ///< radians, at least 0: headings of the lattice that are so near to an
                          ///< asked one end a path as well
} rp_lattice_goal_t;

/// The first field that is wrong, and how.
typedef enum rp_lattice_fault {
    RP_LATTICE_FINE,
    RP_LATTICE_BAD_DRIVE,
    RP_LATTICE_BAD_HEADINGS,       ///< none of 8, 16, 32, 64
    RP_LATTICE_BAD_BODY_RADIUS,    ///< outside its limits, or no number
    RP_LATTICE_BAD_TURNING_RADIUS, ///< outside its limits, or no number; CAR: 0
    RP_LATTICE_BAD_TURN_PRICE,     ///< outside its limits, or no number
    RP_LATTICE_BAD_REVERSE,        ///< OMNI, which needs no gear
    RP_LATTICE_BAD_REVERSE_FACTOR, ///< with reverse: outside its limits, or no number
    RP_LATTICE_BAD_GEAR_CHANGE,    ///< with reverse: outside its limits, or no number
    RP_LATTICE_BAD_FOOTPRINT, ///< reaches farther than RP_LATTICE_BODY_MOST, or comes nearer than
                              ///< RP_VEHICLE_LEAST to its origin, or the origin lies outside
    RP_LATTICE_TOO_WIDE,      ///< CAR: no move of up to 8 cells turns by one heading at this radius
} rp_lattice_fault_t;

rp_lattice_fault_t rp_lattice_shape_fault(const rp_lattice_shape_t *self);

/// True when two shapes ask for the same control set.
bool rp_lattice_shape_is_same(const rp_lattice_shape_t *a, const rp_lattice_shape_t *b);

/// The body: the footprint, or the disc.
rp_vehicle_t rp_lattice_shape_vehicle(const rp_lattice_shape_t *self);

/// Radius of a disc round the origin that lies inside of the body.
double rp_lattice_shape_inner(const rp_lattice_shape_t *self);

/// How far the body reaches from its origin.
double rp_lattice_shape_reach(const rp_lattice_shape_t *self);

/// Numbers of headings with which a CAR can turn at this radius: the sum of 8, 16, 32 and 64, each
/// where it can; 0: with none.
uint32_t rp_lattice_headings_for(double turning_radius);

#endif
