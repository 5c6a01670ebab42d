/// @file
/// Sine, cosine and arctangent with the same bits on every machine: made of + - * / and fmod()
/// only, which IEEE 754 defines exactly, so neither compiler nor libm decides. The folder is built
/// with -ffp-contract=off. Errors below 1e-15. Angles are radians.
#ifndef REPLAN_PLANNERS_MOTION_TRIG_H
#define REPLAN_PLANNERS_MOTION_TRIG_H

#define RP_TRIG_PI      3.14159265358979323846
#define RP_TRIG_TURN    (2.0 * RP_TRIG_PI) ///< once round
#define RP_TRIG_QUARTER (0.5 * RP_TRIG_PI)

/// A direction of length 1.
typedef struct rp_trig_unit {
    double cos;
    double sin;
} rp_trig_unit_t;

/// Cosine and sine of any finite angle. Beyond 1e6 the angle is reduced by the double nearest to 2
/// pi first, which costs one more rounding error of 2 pi per turn. Time: about 20 ns.
rp_trig_unit_t rp_trig_unit(double angle);

/// The angle of the vector (x, y), in -pi .. pi. The vector 0 has angle 0. A y of -0.0 counts as 0,
/// so that a vector straight to the left has the angle pi, never -pi.
/// @param y,x  0 or between 1e-290 and 1e290 in size
double rp_trig_angle(double y, double x);

/// The same direction as an angle in 0 .. 2 pi, the latter excluded. An angle closer than 1e-12
/// below a whole turn becomes 0: without that, rounding errors would make full circles of arcs of
/// length 0.
double rp_trig_turn(double angle);

#endif
