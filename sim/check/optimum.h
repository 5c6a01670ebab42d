/// @file
/// Optimal cost of a question, by Dijkstra's algorithm: the checker's reference for goal sets,
/// unreachable goals and blocked starts.
#ifndef REPLAN_SIM_CHECK_OPTIMUM_H
#define REPLAN_SIM_CHECK_OPTIMUM_H

#include "sim/check/dijkstra.h"

/// What an answer was asked for, by the pose_seq and goal_id that it names. Lengths in cells, from
/// middle to middle; other than 0 only on planes that do not wrap.
typedef struct rp_search_query {
    uint32_t start;   ///< RP_NOWHERE: outside
    uint32_t goal;    ///< RP_NOWHERE: outside
    bool is_lost;     ///< it went after somebody who is not there
    bool is_nearest;  ///< when the goal cannot be reached, the nearest cell that can will do
    double tolerance; ///< each cell so near to the goal will do
    double escape;    ///< a way out of a blocked start may be so long; 0: RP_ESCAPE_MOST
} rp_search_query_t;

/// How far apart the middles of two cells are, by the shorter way round on a torus.
double rp_grid_view_distance(const rp_grid_view_t *grid, uint32_t a, uint32_t b);

typedef struct rp_optimum {
    double cost;     ///< of the cheapest path that will do; INFINITY: none
    double distance; ///< from its end to the goal, less the tolerance
} rp_optimum_t;

/// @param seen  the world as the body finds it
/// @param from  where the path begins, free
/// @return cost NAN without memory
rp_optimum_t rp_optimum_find(rp_dijkstra_t *dijkstra, const rp_grid_view_t *seen, uint32_t from,
                             const rp_search_query_t *question);

/// How long a way out may be when nothing was said, in cells.
#define RP_ESCAPE_MOST 64.0

/// A step of a way out of a blocked cell: over no obstacle, and past none on a diagonal. From a
/// start that is an obstacle it leads to a side that the middle of the start is nearest to.
/// @param grid  the world itself
/// @return the cell; RP_NOWHERE when the rules forbid it
uint32_t rp_optimum_way_step(const rp_grid_view_t *grid, uint32_t start, uint32_t from,
                             unsigned direction);

/// Length of the shortest way from a blocked start to a free cell from where the goal can be
/// reached; or, when there is none, to any free one if the question asks for what is nearest.
/// @param grid  the world itself
/// @param any  written: length of the shortest way to any free cell; INFINITY: there is none
/// @return INFINITY when there is none; NAN without memory
double rp_optimum_escape(rp_dijkstra_t *dijkstra, const rp_grid_view_t *grid,
                         const rp_grid_view_t *seen, const rp_search_query_t *question,
                         double *any);

#endif
