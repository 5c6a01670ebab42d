/// The one place that knows whether there are workers.
#include "daemon/workers/hosts.h"

#include "daemon/workers/inline_host.h"
#include "daemon/workers/threaded_host.h"

rp_status_t rp_hosts_new(unsigned count, uint64_t memory_bytes, rp_host_t **host)
{
    return count == 0 ? rp_inline_host_new(memory_bytes, host)
                      : rp_threaded_host_new(count, memory_bytes, host);
}
