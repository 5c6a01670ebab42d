/// @file
/// Bodies: what an agent's footprint is to its layer, and to what sweeps it.
#ifndef REPLAN_DAEMON_RULES_BODIES_H
#define REPLAN_DAEMON_RULES_BODIES_H

#include "replan/session.h"

#include "replan.pb-c.h"

/// @param body  was checked; NULL: a point
/// @param footprint  written when there is one
/// @return false: it has none
bool rp_bodies_footprint(const Replan__V1__Body *body, rp_polygon_body_t *footprint);

/// How far a body reaches from its origin, metres: its radius, or the farthest corner with padding.
double rp_bodies_reach(const Replan__V1__Body *body);

#endif
