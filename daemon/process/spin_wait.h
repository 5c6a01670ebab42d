/// @file
/// Spin wait: poll() that stays awake. Waking a thread on a core that fell asleep takes some 50 us,
/// so while messages come close together the loop asks on instead of sleeping; when they do not it
/// sleeps at once, and burns nothing. Each time it offers its core first: it may be the one that
/// libzmq's thread, with the message in its hands, waits for, and the scheduler would let that wait
/// until the next tick.
#ifndef REPLAN_DAEMON_PROCESS_SPIN_WAIT_H
#define REPLAN_DAEMON_PROCESS_SPIN_WAIT_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct rp_spin_wait {
    uint64_t awake_us;  ///< how long a wait may be that is spent awake
    bool stays_awake;   ///< the last wait was no longer: the next one may be as short
    uint64_t waited_us; ///< for a message, so far
} rp_spin_wait_t;

/// Wait until a descriptor speaks.
/// @param timeout_ms  0: do not wait
/// @param may_burn  false: the core is needed, sleep at once
/// @param aside  a descriptor that speaks of no message: alone it ends no wait for one
/// @return as poll()
int rp_spin_wait(rp_spin_wait_t *self, struct pollfd *descriptors, nfds_t count, int timeout_ms,
                 bool may_burn, unsigned aside);

#endif
