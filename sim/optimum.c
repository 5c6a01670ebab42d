/// Optima by flooding and by looking at every cell afterwards. Nothing here is clever, as it judges
/// what is.
#include "sim/optimum.h"

#include <math.h>
#include <stdlib.h>

#define SAME_DISTANCE 1e-9

double rp_plane_distance(const rp_plane_t *plane, uint32_t a, uint32_t b)
{
    const uint32_t width = plane->width;
    const uint32_t row_a = a / width;
    const uint32_t row_b = b / width;
    double dx = fabs((double)(a % width) - (double)(b % width));
    double dy = fabs((double)row_a - (double)row_b);
    if (plane->wraps) {
        dx = fmin(dx, width - dx);
        dy = fmin(dy, plane->height - dy);
    }
    return hypot(dx, dy);
}

// ---- goals

/// The cheapest of the cells that were reached and lie within a distance of the goal.
static double cheapest_within(const rp_dijkstra_t *dijkstra, const rp_plane_t *seen, uint32_t goal,
                              double distance)
{
    const uint32_t cell_count = (uint32_t)rp_plane_cell_count(seen);
    double least = INFINITY;
    for (uint32_t cell = 0; cell < cell_count; cell++) {
        const double cost = rp_dijkstra_cost_to(dijkstra, cell);
        if (cost < least && rp_plane_distance(seen, cell, goal) <= distance + SAME_DISTANCE) {
            least = cost;
        }
    }
    return least;
}

/// How near to the goal the cells come that were reached.
static double nearest_reached(const rp_dijkstra_t *dijkstra, const rp_plane_t *seen, uint32_t goal)
{
    const uint32_t cell_count = (uint32_t)rp_plane_cell_count(seen);
    double least = INFINITY;
    for (uint32_t cell = 0; cell < cell_count; cell++) {
        if (isfinite(rp_dijkstra_cost_to(dijkstra, cell))) {
            least = fmin(least, rp_plane_distance(seen, cell, goal));
        }
    }
    return least;
}

rp_optimum_t rp_optimum_find(rp_dijkstra_t *dijkstra, const rp_plane_t *seen, uint32_t from,
                             const rp_question_t *question)
{
    if (question->tolerance <= 0 && !question->is_nearest) {
        return (rp_optimum_t){rp_dijkstra_cost(dijkstra, seen, from, question->goal), 0};
    }
    if (!rp_dijkstra_flood(dijkstra, seen, from)) {
        return (rp_optimum_t){NAN, 0};
    }
    const double cost = cheapest_within(dijkstra, seen, question->goal, question->tolerance);
    if (isfinite(cost) || !question->is_nearest) {
        return (rp_optimum_t){cost, 0};
    }
    const double distance = nearest_reached(dijkstra, seen, question->goal);
    return (rp_optimum_t){cheapest_within(dijkstra, seen, question->goal, distance),
                          distance - question->tolerance};
}

// ---- the way out

/// The nearest free cell within a radius of the start.
/// @param reached  by a flood from the goal; NULL: all cells count
static double nearest_free(const rp_dijkstra_t *reached, const rp_plane_t *seen, uint32_t start,
                           double radius)
{
    const int span = (int)ceil(radius);
    double least = INFINITY;
    for (int dy = -span; dy <= span; dy++) {
        for (int dx = -span; dx <= span; dx++) {
            const uint32_t cell = rp_plane_offset(seen, start, dx, dy);
            if (cell != RP_NOWHERE && hypot(dx, dy) <= radius + SAME_DISTANCE &&
                rp_plane_factor(seen, cell) != 0 &&
                (reached == NULL || isfinite(rp_dijkstra_cost_to(reached, cell)))) {
                least = fmin(least, hypot(dx, dy));
            }
        }
    }
    return least;
}

double rp_optimum_escape(rp_dijkstra_t *dijkstra, const rp_plane_t *plane, const rp_plane_t *seen,
                         const rp_question_t *question)
{
    const bool is_inflated = rp_plane_factor(plane, question->start) != 0;
    const double radius = is_inflated ? RP_ESCAPE_MOST : question->escape;
    if (!rp_dijkstra_flood(dijkstra, seen, question->goal)) {
        return NAN;
    }
    const double best = nearest_free(dijkstra, seen, question->start, radius);
    return isfinite(best) ? best : nearest_free(NULL, seen, question->start, radius);
}
