/// @file
/// MovingAI scenario (.scen, version 1): one query a line, with start, goal and the length of a
/// shortest path.
#ifndef REPLAN_FILES_SCEN_H
#define REPLAN_FILES_SCEN_H

#include "files/text.h"

typedef struct rp_scen_query {
    uint32_t line; ///< of the file
    uint32_t start_x;
    uint32_t start_y;
    uint32_t goal_x;
    uint32_t goal_y;
    double length;    ///< as recorded
    double half_unit; ///< half a unit of its last digit as written
} rp_scen_query_t;

typedef struct rp_scen {
    rp_scen_query_t *queries; ///< owned [count]
    size_t count;
} rp_scen_t;

/// True when the file says that no path exists: -1, or 0 between different cells.
bool rp_scen_query_has_no_path(const rp_scen_query_t *self);

/// @param width, height  of the map that the queries are for; others are refused
/// @param scen  written when all is well
/// @return RP_E_INVALID or RP_E_MEMORY, with a complaint
rp_status_t rp_scen_parse(const rp_text_t *text, uint32_t width, uint32_t height, rp_scen_t *scen,
                          rp_complaint_t *complaint);

void rp_scen_fini(rp_scen_t *self);

#endif
