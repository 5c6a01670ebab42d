/// A limit of the system, shared out.
#include "daemon/process/capacity.h"

#include "daemon/process/process.h"
#include "msgs/limits.h"

#define SOCKETS 4u

/// Files, ZeroMQ's own descriptors, threads.
#define KEPT 64u

static uint32_t at_most(uint32_t count)
{
    return count < RP_LIMIT_CONNECTIONS ? count : RP_LIMIT_CONNECTIONS;
}

rp_capacity_t rp_capacity_of(uint32_t descriptors)
{
    const uint32_t used = descriptors - descriptors / 4u;
    const uint32_t all = used > KEPT + 16u ? (used - KEPT) / 2u : 8u;
    const uint32_t paths = at_most(all / 4u);
    const uint32_t inlets = all - all / 4u;
    return (rp_capacity_t){.inlet = at_most(inlets / 2u), .inlets = inlets, .paths = paths};
}

rp_capacity_t rp_capacity_raise(void)
{
    const uint32_t used = 2u * SOCKETS * RP_LIMIT_CONNECTIONS + KEPT;
    return rp_capacity_of(rp_process_raise_descriptors(used + used / 3u + 1u));
}
