/// @file
/// Curves and vehicles of the command line: which words there are, which of them the vehicle can
/// drive, what it sweeps.
#ifndef REPLAN_TOOLS_DRAW_CURVES_H
#define REPLAN_TOOLS_DRAW_CURVES_H

#include "planners/motion/vehicle.h"
#include "planners/motion/words.h"
#include "tools/draw/drawing.h"
#include "tools/draw/search.h"

#define RP_DRAWN_CURVES_MAX 64u

/// From a pose to a pose, or to a point.
typedef struct rp_asked_curve {
    rp_motion_pose_t start;
    rp_motion_pose_t end;
    bool is_point; ///< any heading at the end
} rp_asked_curve_t;

typedef struct rp_drawn_curves {
    const char *program;
    rp_asked_curve_t asked[RP_DRAWN_CURVES_MAX];
    size_t count;
    rp_curve_price_t price; ///< radius 0: not told
    bool reverses;
    bool draws_all;
    bool has_vehicle;
    rp_vehicle_t vehicle;
    const char *segments_path; ///< a file of segments; NULL: none
} rp_drawn_curves_t;

/// Read numbers, with brackets, commas and spaces between them.
/// @param numbers  written [most]
/// @return how many; 0 when there is anything else, more than `most`, or one that is not finite
size_t rp_drawn_curves_numbers(const char *text, double *numbers, size_t most);

/// Draw all curves, and say on stdout what they cost and what is in their way.
/// @param world  its obstacles are in the way of the vehicle
/// @return RP_EXIT_FINE, or RP_EXIT_INPUT after saying why
int rp_drawn_curves_draw(const rp_drawn_curves_t *self, const rp_drawn_search_t *world,
                         rp_drawing_t *picture);

#endif
