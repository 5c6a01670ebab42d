/// @file
/// World quota: worlds, their agents and shapes are charged to `--memory` when they come, so that
/// small requests which need much are refused in time. A cell costs a byte in each engine, 2.1
/// bytes in the layer that an engine plans on, and 4.1 in each further layer, for other bodies and
/// profiles; an agent costs RP_WORLD_QUOTA_AGENT_BYTES, with workers twice that; shapes cost what
/// they occupy, in each engine. In a world with agents that drive, each engine that plans for
/// some has one planner of curves at a time, which costs 20 bytes a cell; while a state is restored
/// these are left out. Not counted are the steps of paths, 1.5 bytes each, and components. What is
/// there already is never refused: a smaller window, a pose, a shape that is removed.
#ifndef REPLAN_DAEMON_RULES_WORLD_QUOTA_H
#define REPLAN_DAEMON_RULES_WORLD_QUOTA_H

#include "daemon/serving/serving.h"

#define RP_WORLD_QUOTA_AGENT_BYTES 2600u

/// Bytes that all worlds take with one more of so many cells.
/// @param instead  a world that it takes the place of; NULL: it is a new one
/// Time: O(worlds)
uint64_t rp_world_quota_bytes_with(const rp_serving_t *self, const rp_served_t *instead,
                                   uint64_t cells);

/// @return true when that is within `--memory`, or `instead` is no smaller
bool rp_world_quota_has_room(const rp_serving_t *self, const rp_served_t *instead, uint64_t cells);

/// Refuse a request for it with LIMIT: the option, what is needed and what is given.
/// @param what  the field that asks for it @return false
bool rp_world_quota_refuse(const rp_serving_t *self, const char *what, const rp_served_t *instead,
                           uint64_t cells, rp_refusal_t *refusal);

/// After an agent came, which may need a layer: if it returns false, the agent has to go again.
/// @param what  the field that asked for it @return false with the refusal filled in
bool rp_world_quota_holds_agent(const rp_serving_t *self, const char *what, rp_refusal_t *refusal);

/// True when shapes may be put on a world. What the shapes of one request cover is known only
/// afterwards, and may exceed `--memory`: then the next ones are refused.
/// @return false with the refusal filled in
bool rp_world_quota_takes_shapes(const rp_serving_t *self, const rp_served_t *world,
                                 rp_refusal_t *refusal);

/// The shapes of a world have changed, or cover other cells. Time: O(shapes)
void rp_world_quota_note_shapes(const rp_serving_t *self, rp_served_t *world);

#endif
