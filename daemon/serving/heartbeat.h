/// @file
/// Heartbeat: the head of each world (epoch, version, settled), published when it changes and at
/// least every so often, and marked for the watches of the world.
#ifndef REPLAN_DAEMON_SERVING_HEARTBEAT_H
#define REPLAN_DAEMON_SERVING_HEARTBEAT_H

#include "daemon/serving/serving.h"

/// Publish those that are due.
void rp_heartbeat_publish(rp_serving_t *self);

/// When the next one is due though nothing happens until then, steady.
uint64_t rp_heartbeat_next_us(const rp_serving_t *self);

#endif
