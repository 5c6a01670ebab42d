/// @file
/// How many connections there may be. Each takes two descriptors, ZeroMQ's and the guard's.
#ifndef REPLAN_DAEMON_PROCESS_CAPACITY_H
#define REPLAN_DAEMON_PROCESS_CAPACITY_H

#include <stdint.h>

typedef struct rp_capacity {
    uint32_t inlet;  ///< connections of control, of changes, of poses
    uint32_t inlets; ///< of these together
    uint32_t paths;  ///< of the paths socket
} rp_capacity_t;

/// Raise the soft limit of descriptors to what RP_LIMIT_CONNECTIONS a socket need, as far as the
/// hard one allows. Where that gives fewer, the paths socket gets a quarter of the connections, and
/// each inlet half of the rest at most. A quarter of the descriptors stays free in any case, for
/// files, and for connections that ZeroMQ has taken before they can be refused.
rp_capacity_t rp_capacity_raise(void);

/// The same, of so many descriptors.
rp_capacity_t rp_capacity_of(uint32_t descriptors);

#endif
