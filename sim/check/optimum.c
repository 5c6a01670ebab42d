/// Optima by flooding and by looking at every cell afterwards. Nothing here is clever, as it judges
/// what is.
#include "sim/check/optimum.h"

#include <math.h>
#include <stdlib.h>

#define SAME_DISTANCE 1e-9

double rp_grid_view_distance(const rp_grid_view_t *grid, uint32_t a, uint32_t b)
{
    const uint32_t width = grid->width;
    const uint32_t row_a = a / width;
    const uint32_t row_b = b / width;
    double dx = fabs((double)(a % width) - (double)(b % width));
    double dy = fabs((double)row_a - (double)row_b);
    if (grid->wraps) {
        dx = fmin(dx, width - dx);
        dy = fmin(dy, grid->height - dy);
    }
    return hypot(dx, dy);
}

// ---- goals

/// The cheapest of the cells that were reached and lie within a distance of the goal.
static double cheapest_within(const rp_dijkstra_t *dijkstra, const rp_grid_view_t *seen,
                              uint32_t goal, double distance)
{
    const uint32_t cell_count = (uint32_t)rp_grid_view_cell_count(seen);
    double least = INFINITY;
    for (uint32_t cell = 0; cell < cell_count; cell++) {
        const double cost = rp_dijkstra_cost_to(dijkstra, cell);
        if (cost < least && rp_grid_view_distance(seen, cell, goal) <= distance + SAME_DISTANCE) {
            least = cost;
        }
    }
    return least;
}

/// How near to the goal the cells come that were reached.
static double nearest_reached(const rp_dijkstra_t *dijkstra, const rp_grid_view_t *seen,
                              uint32_t goal)
{
    const uint32_t cell_count = (uint32_t)rp_grid_view_cell_count(seen);
    double least = INFINITY;
    for (uint32_t cell = 0; cell < cell_count; cell++) {
        if (isfinite(rp_dijkstra_cost_to(dijkstra, cell))) {
            least = fmin(least, rp_grid_view_distance(seen, cell, goal));
        }
    }
    return least;
}

rp_optimum_t rp_optimum_find(rp_dijkstra_t *dijkstra, const rp_grid_view_t *seen, uint32_t from,
                             const rp_search_query_t *question)
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

static bool is_open(const rp_grid_view_t *grid, uint32_t from, unsigned direction)
{
    direction %= RP_PLANE_DIRECTIONS;
    const uint32_t cell =
        rp_grid_view_offset(grid, from, rp_grid_view_dx(direction), rp_grid_view_dy(direction));
    return cell != RP_NOWHERE && !rp_grid_view_is_obstacle(grid, cell);
}

/// Around an obstacle, from whose middle straight neighbours are nearest: whether the cell in this
/// direction hangs together with one of those that are nearest.
static bool leads_to_near_side(const rp_grid_view_t *grid, uint32_t start, unsigned direction)
{
    bool has_straight = false;
    for (unsigned i = 0; i < RP_PLANE_DIRECTIONS; i += 2) {
        has_straight = has_straight || is_open(grid, start, i);
    }
    if (!has_straight || direction % 2u == 0) {
        return true;
    }
    return is_open(grid, start, direction + 1u) || is_open(grid, start, direction + 7u);
}

uint32_t rp_optimum_way_step(const rp_grid_view_t *grid, uint32_t start, uint32_t from,
                             unsigned direction)
{
    const bool is_diagonal = direction % 2u != 0;
    if (!is_open(grid, from, direction) ||
        (is_diagonal && (grid->neighbors == 4 || !is_open(grid, from, direction + 1u) ||
                         !is_open(grid, from, direction + 7u))) ||
        (from == start && rp_grid_view_is_obstacle(grid, start) &&
         !leads_to_near_side(grid, start, direction))) {
        return RP_NOWHERE;
    }
    return rp_grid_view_offset(grid, from, rp_grid_view_dx(direction), rp_grid_view_dy(direction));
}

/// Lengths of the shortest ways from a start, relaxed until none becomes shorter.
/// @param lengths  written; INFINITY: none leads there [cells]
/// @return false without memory
static bool flood_ways(const rp_grid_view_t *grid, const rp_grid_view_t *seen,
                       const rp_search_query_t *question, double *lengths)
{
    const size_t count = rp_grid_view_cell_count(grid);
    const double most = question->escape > 0 ? question->escape : RP_ESCAPE_MOST;
    uint32_t *queue = malloc(count * sizeof *queue);
    bool *waits = calloc(count, sizeof *waits);
    size_t first = 0;
    size_t waiting = 1;
    for (size_t i = 0; i < count; i++) {
        lengths[i] = INFINITY;
    }
    if (queue != NULL && waits != NULL) {
        queue[0] = question->start;
        lengths[question->start] = 0;
    }
    for (; queue != NULL && waits != NULL && waiting != 0; waiting--) {
        const uint32_t from = queue[first];
        first = (first + 1u) % count;
        waits[from] = false;
        for (unsigned direction = 0; direction < RP_PLANE_DIRECTIONS; direction++) {
            const uint32_t to = rp_optimum_way_step(grid, question->start, from, direction);
            const double length = lengths[from] + (direction % 2u != 0 ? sqrt(2.0) : 1.0);
            if (to == RP_NOWHERE || length > most + SAME_DISTANCE ||
                length >= lengths[to] - SAME_DISTANCE) {
                continue;
            }
            lengths[to] = length;
            if (rp_grid_view_factor(seen, to) == 0 && !waits[to]) {
                waits[to] = true;
                queue[(first + waiting++ - 1u) % count] = to;
            }
        }
    }
    const bool has_memory = queue != NULL && waits != NULL;
    free(queue);
    free(waits);
    return has_memory;
}

double rp_optimum_escape(rp_dijkstra_t *dijkstra, const rp_grid_view_t *grid,
                         const rp_grid_view_t *seen, const rp_search_query_t *question, double *any)
{
    const size_t count = rp_grid_view_cell_count(grid);
    double *lengths = malloc(count * sizeof *lengths);
    double least = INFINITY;
    *any = INFINITY;
    const bool is_shut = rp_grid_view_factor(seen, question->goal) == 0;
    if (lengths == NULL || (!is_shut && !rp_dijkstra_flood(dijkstra, seen, question->goal)) ||
        !flood_ways(grid, seen, question, lengths)) {
        free(lengths);
        return NAN;
    }
    for (uint32_t cell = 0; cell < count; cell++) {
        if (rp_grid_view_factor(seen, cell) != 0) {
            *any = fmin(*any, lengths[cell]);
            if (!is_shut && isfinite(rp_dijkstra_cost_to(dijkstra, cell))) {
                least = fmin(least, lengths[cell]);
            }
        }
    }
    free(lengths);
    return isfinite(least) || !question->is_nearest ? least : *any;
}
