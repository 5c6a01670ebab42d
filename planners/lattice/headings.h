/// @file
/// Headings of a lattice: whole vectors, so that a straight move ends exactly on the middle of a
/// cell. Heading i + count / 4 is heading i turned left by a quarter; heading 0 is +x.
#ifndef REPLAN_PLANNERS_LATTICE_HEADINGS_H
#define REPLAN_PLANNERS_LATTICE_HEADINGS_H

#include <stdbool.h>
#include <stdint.h>

#define RP_HEADINGS_MOST 64u

typedef struct rp_headings {
    uint32_t count;             ///< 8, 16, 32 or 64
    uint32_t longest;           ///< the greatest coordinate of a vector, cells
    int8_t x[RP_HEADINGS_MOST]; ///< cells
    int8_t y[RP_HEADINGS_MOST];
    double angle[RP_HEADINGS_MOST]; ///< radians, 0 .. 2 pi
} rp_headings_t;

/// @param count  8, 16, 32 or 64
/// @return false for any other count; nothing is written then
bool rp_headings_init(rp_headings_t *self, uint32_t count);

/// The heading that comes nearest to an angle, the lower one of two.
/// @param angle  radians, any finite
uint32_t rp_headings_nearest(const rp_headings_t *self, double angle);

#endif
