/// @file
/// Crews: the same world with no worker, two and three, all told the same, so that what they say
/// can be compared.
#ifndef REPLAN_TESTS_CREWS_H
#define REPLAN_TESTS_CREWS_H

#include "daemon/workers/hosts.h"

#define RP_CREWS 3u

/// Workers of each crew.
extern const unsigned rp_crew_counts[RP_CREWS];

/// Each has a world of 8 neighbours and cells of a metre. @param data  NULL: normal ground
/// @param world  written: the same handle with all
void rp_crews_open(rp_host_t **crews, uint32_t side, const uint8_t *data, rp_world_id_t *world);
void rp_crews_close(rp_host_t **crews);

/// Work until all has been done that was asked for; answers are taken.
void rp_crew_settle(rp_host_t *crew, uint64_t now_us);

/// The answer that is true for all that was told.
rp_answer_t rp_crew_look(rp_host_t *crew, rp_session_id_t session, uint64_t now_us);

#endif
