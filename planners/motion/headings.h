/// @file
/// Headings of a lattice: whole vectors, so that a straight move ends exactly on the middle of a
/// cell. Heading i + count / 4 is heading i turned left by a quarter; heading 0 is +x.
#ifndef REPLAN_PLANNERS_MOTION_HEADINGS_H
#define REPLAN_PLANNERS_MOTION_HEADINGS_H

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

/// Moves of a lattice reach no further than so many cells in x or y.
#define RP_RING_MOST 8u

/// How far the moves of a lattice reach, in cells. They must reach so far that a vehicle can turn
/// from each heading to the next by one move that turns no further, and that each heading has a
/// straight move.
/// @param radius  of the smallest circle, cells; 0 asks for straight moves only
/// @return a ring that gives some choice, up to RP_RING_MOST; 0 when the vehicle cannot turn in
/// that
///         either. Time: O(headings * ring^2)
uint32_t rp_headings_ring(const rp_headings_t *self, double radius);

/// Turn a vector left by quarters.
static inline void rp_quarters_turn(int32_t *x, int32_t *y, uint32_t quarters)
{
    for (; quarters != 0; quarters--) {
        const int32_t before = *x;
        *x = -*y;
        *y = before;
    }
}

/// The heading that comes nearest to an angle, the lower one of two.
/// @param angle  radians, any finite
uint32_t rp_headings_nearest(const rp_headings_t *self, double angle);

#endif
