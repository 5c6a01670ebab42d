/// @file
/// Options of planner `lattice`, whose paths are curves: the vehicle, and what is shown of curves.
#ifndef REPLAN_TOOLS_MOTION_OPTIONS_H
#define REPLAN_TOOLS_MOTION_OPTIONS_H

#include <getopt.h>
#include <stdio.h>

#include "planners/lattice/lattice.h"

typedef struct rp_motion_options {
    rp_lattice_shape_t shape;
    uint64_t percent;  ///< that a path may cost more than the cheapest; 0: the cheapest
    bool curves;       ///< show them
    const char *given; ///< the first of these options that was given; NULL: none
} rp_motion_options_t;

/// Letters of these options: beyond those of characters.
enum {
    RP_MOTION_TURNING_RADIUS = 0x101,
    RP_MOTION_BODY_RADIUS,
    RP_MOTION_HEADINGS,
    RP_MOTION_DRIVE,
    RP_MOTION_TURN_PRICE,
    RP_MOTION_BOUND_PERCENT,
    RP_MOTION_CURVES,
};

#define RP_MOTION_LONG_OPTIONS                                                                     \
    {"turning-radius", required_argument, NULL, RP_MOTION_TURNING_RADIUS},                         \
        {"body-radius", required_argument, NULL, RP_MOTION_BODY_RADIUS},                           \
        {"headings", required_argument, NULL, RP_MOTION_HEADINGS},                                 \
        {"drive", required_argument, NULL, RP_MOTION_DRIVE},                                       \
        {"turn-price", required_argument, NULL, RP_MOTION_TURN_PRICE},                             \
        {"bound-percent", required_argument, NULL, RP_MOTION_BOUND_PERCENT},                       \
    {                                                                                              \
        "curves", no_argument, NULL, RP_MOTION_CURVES                                              \
    }

/// Their part of a help text.
#define RP_MOTION_HELP                                                                             \
    "\n"                                                                                           \
    "Planner lattice finds curves that a vehicle can drive, with a disc as its body. Lengths "     \
    "are\n"                                                                                        \
    "cells, angles radians from +x towards +y. Recorded lengths are not compared: `expected` is\n" \
    "null.\n"                                                                                      \
    "\n"                                                                                           \
    "  --turning-radius R  of its smallest circle (default 2)\n"                                   \
    "  --body-radius B     of its body (default 0.5)\n"                                            \
    "  --headings N        8, 16 (default), 32 or 64\n"                                            \
    "  --drive D           car (default): forwards on arcs and lines; spot: it turns in place,\n"  \
    "                      too; omni: lines in any direction, and turns in place\n"                \
    "  --turn-price C      spot, omni: a radian in place costs as much as C cells (default 1)\n"   \
    "  --bound-percent P   a path may cost so much more than the cheapest (0..50, default 10)\n"   \
    "  --curves            with --json: start, bound (no path costs less), and segments as\n"      \
    "                      {x, y, yaw, curvature, length, turn, course}\n"                         \
    "\n"

rp_motion_options_t rp_motion_options_default(void);

/// Take in one of these options as getopt_long() gave it.
/// @return false when it is none of these; `code` is RP_EXIT_INPUT after saying what is wrong
bool rp_motion_options_take(rp_motion_options_t *self, const char *program, int letter,
                            const char *value, int *code);

/// Say what is wrong with the vehicle, by the option and its limit.
/// @return RP_EXIT_FINE, RP_EXIT_INPUT
int rp_motion_options_check(const rp_motion_options_t *self, const char *program);

/// `,"bound":..,"curves":[..]` of a plan.
void rp_motion_print(FILE *stream, const rp_lattice_plan_t *plan);

#endif
