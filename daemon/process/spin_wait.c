/// poll(), again and again.
#include "daemon/process/spin_wait.h"

#include <sched.h>
#include <time.h>

static uint64_t steady_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

int rp_spin_wait(rp_spin_wait_t *self, struct pollfd *descriptors, nfds_t count, int timeout_ms,
                 bool may_burn, unsigned aside)
{
    int spoken = poll(descriptors, count, 0);
    if (spoken != 0 || timeout_ms == 0) {
        return spoken;
    }
    const uint64_t from_us = steady_us();
    uint64_t waited_us = 0;
    while (spoken == 0 && self->stays_awake && may_burn && waited_us < self->awake_us) {
        (void)sched_yield();
        spoken = poll(descriptors, count, 0);
        waited_us = steady_us() - from_us;
    }
    if (spoken == 0) {
        spoken = poll(descriptors, count, timeout_ms);
        waited_us = steady_us() - from_us;
    }
    const bool is_aside = spoken == 1 && descriptors[aside].revents != 0;
    self->waited_us += waited_us;
    self->stays_awake = self->waited_us < self->awake_us;
    self->waited_us = is_aside ? self->waited_us : 0;
    return spoken;
}
