/// @file
/// Length of a vector with the same bits on every machine: products and sqrt() are rounded as IEEE
/// 754 says, while hypot() is each libm's own. Who includes it is built with -ffp-contract=off.
#ifndef REPLAN_ENGINE_PATHS_LENGTH_H
#define REPLAN_ENGINE_PATHS_LENGTH_H

#include <math.h>

/// @param x,y  0 or between 1e-150 and 1e150 in size
static inline double rp_length(double x, double y)
{
    return sqrt(x * x + y * y);
}

#endif
