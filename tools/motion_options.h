/// @file
/// Options of planner `lattice`, whose paths are curves: the vehicle, and what is shown of curves.
#ifndef REPLAN_TOOLS_MOTION_OPTIONS_H
#define REPLAN_TOOLS_MOTION_OPTIONS_H

#include <stdio.h>

#include "planners/lattice/lattice.h"
#include "tools/flags.h"

typedef struct rp_motion_options {
    const char *program; ///< argv[0], for messages
    rp_lattice_shape_t shape;
    double corners_x[RP_VEHICLE_CORNERS_MAX]; ///< of a footprint [corner_count]
    double corners_y[RP_VEHICLE_CORNERS_MAX];
    size_t corner_count;
    double padding;
    bool has_radius;    ///< a radius of the body was given
    bool is_either_way; ///< a goal's yaw may be the opposite as well
    double goal_yaw;    ///< of goals that have none of their own; no number: free
    double yaw_tolerance;
    double escape;          ///< longest way out of a collision at the start
    uint64_t headings_most; ///< where there is no path, so many headings are asked, too
    uint64_t percent;       ///< that a path may cost more than the cheapest; 0: the cheapest
    bool curves;            ///< show them
    const char *given;      ///< the first of these options that was given; NULL: none
} rp_motion_options_t;

/// Their part of a help text.
#define RP_MOTION_HELP                                                                             \
    "\n"                                                                                           \
    "Planner lattice finds curves that a vehicle can drive with its body. Lengths are\n"           \
    "cells, angles radians from +x towards +y. Recorded lengths are not compared: `expected` is\n" \
    "null.\n"                                                                                      \
    "\n"                                                                                           \
    "  --turning-radius R  of its smallest circle (default 2)\n"                                   \
    "  --body-radius B     of its body (default 0.5)\n"                                            \
    "  --footprint X,Y,... corners in order, in place of the disc; the origin lies inside\n"       \
    "  --padding P         as Nav2's footprint_padding\n"                                          \
    "  --headings N        8, 16 (default), 32 or 64\n"                                            \
    "  --headings-most N   without a path twice as many are tried, up to N (default 64)\n"         \
    "  --drive D           car (default): forwards on arcs and lines; spot: it turns in place,\n"  \
    "                      too; omni: lines in any direction, and turns in place\n"                \
    "  --turn-price C      spot, omni: a radian in place costs as much as C cells (default 1)\n"   \
    "  --reverse           car, spot: it drives backwards, too\n"                                  \
    "  --reverse-factor F  a cell backwards costs so much (1..100, default 1)\n"                   \
    "  --gear-change C     what a change of gear costs, in cells (0..1000, default 0)\n"           \
    "  --goal-yaw A        of goals without one of their own (default: any)\n"                     \
    "  --yaw-tolerance T   a goal's yaw may be missed by so much (default 0)\n"                    \
    "  --either-way        a goal's yaw may be the opposite as well\n"                             \
    "  --escape L          longest way out of a collision at the start (0..16, default 0)\n"       \
    "  --bound-percent P   a path may cost so much more than the cheapest (0..50, default 10)\n"   \
    "  --curves            with --json: family (headings that were tried; 0: no path of cells),\n" \
    "                      bound (no path costs less), and segments as\n"                          \
    "                      {x, y, yaw, curvature, length, turn, course}\n"                         \
    "\n"

rp_motion_options_t rp_motion_options_default(void);

/// Rows of these options.
/// @param program  for messages
/// @param flags    written [at most 17]
/// @return how many
size_t rp_motion_options_flags(rp_motion_options_t *self, const char *program, rp_flag_t *flags);

/// Make the footprint of its corners and the padding, once all options were taken in.
/// @return false after saying what is wrong
bool rp_motion_options_settle(rp_motion_options_t *self);

/// Say what is wrong with the vehicle, by the option and its limit.
/// @return RP_EXIT_FINE, RP_EXIT_INPUT
int rp_motion_options_check(const rp_motion_options_t *self, const char *program);

/// A goal on a cell. @param yaw  no number: that of the options, or any
rp_lattice_goal_t rp_motion_options_goal(const rp_motion_options_t *self, rp_cell_t cell,
                                         double yaw);

/// `,"bound":..,"curves":[..]` of a plan.
void rp_motion_print(FILE *stream, const rp_lattice_plan_t *plan);

#endif
