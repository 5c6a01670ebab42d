/// @file
/// Query report: the result of a query, or of a walk along a client's path.
#ifndef REPLAN_DAEMON_WORKERS_QUERY_REPORT_H
#define REPLAN_DAEMON_WORKERS_QUERY_REPORT_H

#include "replan/engine.h"

/// A path that a client asks about.
typedef struct rp_route {
    rp_session_id_t session;
    uint32_t start_x;
    uint32_t start_y;
    const uint8_t *steps; ///< directions [step_count]
    size_t step_count;
    uint32_t way_x; ///< where a way out of a blocked cell begins that leads to the start
    uint32_t way_y;
    const uint8_t *way; ///< directions [way_count]
    size_t way_count;   ///< 0: there is none
    uint64_t version;   ///< newest of the world, echoed
} rp_route_t;

typedef struct rp_query_report {
    struct rp_query_report *next;
    rp_query_id_t query; ///< by the host's number
    rp_status_t status;
    rp_query_result_t result; ///< of RP_OK; its arrays are owned, the cost of a walk is in `costs`
    uint32_t *offenders;      ///< of a walk: of the path, then of the way, owned
                              ///< [offender_count + way_offender_count]
    size_t offender_count;
    size_t way_offender_count;
} rp_query_report_t;

/// @return NULL without memory
rp_query_report_t *rp_query_report_new(rp_query_id_t query, rp_status_t status);

/// A result as a copy; `costs`, and those of `after` and `steps` that `from` has.
/// @return false without memory
bool rp_query_report_copy(rp_query_report_t *self, const rp_query_result_t *from);
void rp_query_report_destroy(rp_query_report_t **self);

/// Room for offenders that a walk needs.
size_t rp_route_room(const rp_route_t *self);

/// Walk a route, with room made for what comes of it: a cost, and rp_route_room() offenders.
/// @param session  by the engine's number
void rp_query_report_walk(rp_query_report_t *self, rp_engine_t *engine, rp_session_id_t session,
                          const rp_route_t *route);

#endif
