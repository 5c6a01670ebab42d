/// @file
/// How much ground a search will meet, before it begins. A guess by the length of the path alone
/// makes batches of footprints without idle time take 1.3 times as long.
#ifndef REPLAN_PLANNERS_PORTFOLIO_SEARCH_ESTIMATE_H
#define REPLAN_PLANNERS_PORTFOLIO_SEARCH_ESTIMATE_H

#include "planners/portfolio/certificate.h"

/// Estimate by samples how many cells a search between the ends of a path must expand: those that a
/// path of about the same cost can pass, if costs exceed the bound everywhere as much as they do
/// for this path.
/// @param slack  added to the cost, in cell lengths
static inline uint64_t rp_search_estimate(rp_certificate_t *found, uint32_t slack)
{
    enum {
        SIDE = 32
    };
    const rp_grid_t *grid = found->grid;
    const rp_metric_t *metric = &found->metric;
    const uint64_t bound = rp_bound(metric, found->start, found->goal);
    const uint64_t cost = rp_certificate_cost(found);
    const uint64_t longer = bound != 0 ? (cost << 10) / bound : 1024u; // in 1024ths
    const uint64_t most = cost + slack * (uint64_t)metric->cell_length;
    uint64_t count = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const rp_point_t point = {
            (int32_t)((i % SIDE * 2u + 1u) * grid->shape.width / (2u * SIDE)),
            (int32_t)((i / SIDE * 2u + 1u) * grid->shape.height / (2u * SIDE))};
        const uint64_t way = (rp_bound(metric, found->goal, point) * longer) >> 10;
        count += way + rp_bound(metric, point, found->start) <= most;
    }
    const uint64_t area = count * grid->free_count / (SIDE * SIDE);
    const uint64_t least = found->path.count;
    return area > least ? area : least;
}

#endif
