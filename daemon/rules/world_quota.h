/// @file
/// World quota: a world is charged to `--memory` when it is created, so that small requests for
/// large worlds are refused in time. A cell costs a byte in each engine, and 2.1 bytes in the layer
/// that an engine plans on; further layers, for other bodies, are not counted.
#ifndef REPLAN_DAEMON_RULES_WORLD_QUOTA_H
#define REPLAN_DAEMON_RULES_WORLD_QUOTA_H

#include "daemon/serving/serving.h"

/// Bytes that all worlds take with one more of so many cells.
/// @param instead  a world that it takes the place of; NULL: it is a new one
/// Time: O(worlds)
uint64_t rp_world_quota_bytes_with(const rp_serving_t *self, const rp_served_t *instead,
                                   uint64_t cells);

/// @return true when that is within `--memory`
bool rp_world_quota_has_room(const rp_serving_t *self, const rp_served_t *instead, uint64_t cells);

/// Refuse a request for it with LIMIT: the option, what is needed and what is given.
/// @param what  the field that asks for it @return false
bool rp_world_quota_refuse(const rp_serving_t *self, const char *what, const rp_served_t *instead,
                           uint64_t cells, rp_refusal_t *refusal);

#endif
