#include "planners/papers/papers.h"

#include "planners/core/planner/state.h"

rp_status_t rp_papers_new(const char *id, const rp_member_options_t *options,
                          rp_planner_t **planner)
{
    return rp_state_new(id, options, planner);
}

rp_search_stats_t rp_papers_stats(const rp_planner_t *planner)
{
    return planner->told;
}
