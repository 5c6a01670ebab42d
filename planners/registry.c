/// The one list of planners. Everything else asks here.
#include "planners/planner_ops.h"

#define DECLARE(name) extern const rp_planner_ops_t rp_##name##_ops_32, rp_##name##_ops_64
#define LIST(name)                                                                                 \
    {                                                                                              \
        &rp_##name##_ops_32, &rp_##name##_ops_64                                                   \
    }

DECLARE(afa);
DECLARE(astar);
DECLARE(auto);
DECLARE(bpa);
DECLARE(cert);
DECLARE(dstar_lite);
DECLARE(fringe);
DECLARE(fsa);
DECLARE(gaa);
DECLARE(gaa_eager);
DECLARE(ia_star);
DECLARE(jps);
DECLARE(lpa);
DECLARE(me_ida);
DECLARE(mpgaa);

static const rp_planner_member_t members[] = {
    LIST(afa),        LIST(astar),  LIST(auto), LIST(bpa),    LIST(cert),
    LIST(dstar_lite), LIST(fringe), LIST(fsa),  LIST(gaa),    LIST(gaa_eager),
    LIST(ia_star),    LIST(jps),    LIST(lpa),  LIST(me_ida), LIST(mpgaa),
};

const rp_planner_member_t *rp_registry_member(size_t index)
{
    return index < sizeof members / sizeof members[0] ? &members[index] : NULL;
}
