/// @file
/// Takes the daemon's events, one at a time, and hands each to mirror, checker and agents.
#ifndef REPLAN_SIM_INBOX_H
#define REPLAN_SIM_INBOX_H

#include "sim/link.h"

/// Watch the world with all its agents; also after the mirror lost its thread.
rp_link_status_t rp_inbox_watch(rp_link_t *link);

/// Take one event to where it belongs. @return RP_LINK_E_NO_DAEMON when the line broke
rp_link_status_t rp_inbox_take(rp_link_t *link, const rp_client_event_t *event);

/// Compute one optimum that the checker owes. @return false when it owes none
bool rp_inbox_settle(rp_link_t *link);

#endif
