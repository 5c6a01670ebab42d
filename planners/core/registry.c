/// The one list of planners. Everything else asks here.
#include "planners/core/registry.h"

/// In alphabetical order, as file names.
#define MEMBERS(each)                                                                              \
    each(afa) each(astar) each(at) each(auto) each(bpa) each(cert) each(dstar_lazy)                \
        each(dstar_lite) each(flow) each(fringe) each(fsa) each(gaa) each(gaa_eager) each(ia_star) \
            each(jps) each(lpa) each(lwf) each(me_ida) each(mpgaa)

#define DECLARE(name) extern const rp_planner_ops_t rp_##name##_ops_32, rp_##name##_ops_64;
MEMBERS(DECLARE)

#define LIST(name) {&rp_##name##_ops_32, &rp_##name##_ops_64},
static const rp_planner_member_t members[] = {MEMBERS(LIST)};

const rp_planner_member_t *rp_registry_member(size_t index)
{
    return index < sizeof members / sizeof members[0] ? &members[index] : NULL;
}
