/// @file
/// Pending queries: each goes to the worker that plans for the session that it is about; a probe of
/// many sessions goes in parts, one for each worker that plans for some of them. Verbs are those of
/// host.h.
#ifndef REPLAN_DAEMON_WORKERS_PENDING_QUERIES_H
#define REPLAN_DAEMON_WORKERS_PENDING_QUERIES_H

#include "daemon/workers/worker_pool.h"

/// A query that was asked, until it is forgotten.
typedef struct rp_pending_query {
    rp_query_id_t id;    ///< 0: none
    unsigned parts_left; ///< workers that still look
    uint8_t *owners;     ///< of a probe of several: worker of each session, owned [session_count]
    size_t session_count;
    unsigned pair_owner;       ///< worker that looks for the pairs
    rp_query_report_t *report; ///< owned; filled part by part
} rp_pending_query_t;

/// @return false without memory
bool rp_pending_queries_init(rp_worker_pool_t *self);
void rp_pending_queries_fini(rp_worker_pool_t *self);

bool rp_pending_queries_may_ask(const rp_host_t *host);
rp_status_t rp_pending_queries_ask(rp_host_t *host, rp_world_id_t world,
                                   const rp_question_t *question, rp_query_id_t *query);
rp_status_t rp_pending_queries_walk(rp_host_t *host, const rp_route_t *route, rp_query_id_t *query);
const rp_query_report_t *rp_pending_queries_report(rp_host_t *host, rp_query_id_t query);
void rp_pending_queries_forget(rp_host_t *host, rp_query_id_t query);

/// A worker reports on its part. @param report  given
void rp_pending_queries_take_report(rp_worker_pool_t *self, unsigned worker,
                                    rp_query_report_t *report);

#endif
