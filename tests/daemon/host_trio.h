/// @file
/// Host trio: the same world with no worker, two and three, all told the same, so that what they
/// say can be compared.
#ifndef REPLAN_TESTS_HOST_TRIO_H
#define REPLAN_TESTS_HOST_TRIO_H

#include "daemon/workers/hosts.h"

#define RP_HOST_TRIO 3u

/// Workers of each host.
extern const unsigned rp_host_trio_workers[RP_HOST_TRIO];

/// Each has a world of 8 neighbours and cells of a metre. @param data  NULL: normal ground
/// @param world  written: the same handle with all
void rp_host_trio_open(rp_host_t **hosts, uint32_t side, const uint8_t *data, rp_world_id_t *world);
void rp_host_trio_close(rp_host_t **hosts);

/// Work until all has been done that was asked for; answers are taken.
void rp_host_trio_settle(rp_host_t *host, uint64_t now_us);

/// The answer that is true for all that was told.
rp_answer_t rp_host_trio_look(rp_host_t *host, rp_session_id_t session, uint64_t now_us);

#endif
