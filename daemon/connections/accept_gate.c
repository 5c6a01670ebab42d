/// A debt in microseconds, which pass, and the listeners that wait for a round.
#include "daemon/connections/accept_gate.h"

#include <fcntl.h>

#define EACH_US  (1000000u / RP_ACCEPT_GATE_RATE)
#define BURST_US ((uint64_t)RP_ACCEPT_GATE_BURST * EACH_US)

bool rp_accept_gate_init(rp_accept_gate_t *self, size_t count)
{
    *self = (rp_accept_gate_t){0};
    return rp_paused_reads_init(&self->listeners, count);
}

void rp_accept_gate_fini(rp_accept_gate_t *self)
{
    rp_paused_reads_fini(&self->listeners);
}

bool rp_accept_gate_has(const rp_accept_gate_t *self, int descriptor)
{
    return descriptor >= 0 && (size_t)descriptor < self->listeners.count &&
           self->listeners.polled[descriptor].is_known;
}

int rp_accept_gate_control(rp_accept_gate_t *self, int epoll, int operation, int listener,
                           const struct epoll_event *event)
{
    const int result = rp_paused_reads_control(&self->listeners, epoll, operation, listener, event);
    if (operation == EPOLL_CTL_ADD) {
        (void)fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) | O_NONBLOCK);
    } else if (operation == EPOLL_CTL_DEL) {
        rp_paused_reads_forget(&self->listeners, listener);
    }
    return result;
}

void rp_accept_gate_came(rp_accept_gate_t *self, uint64_t now_us)
{
    const uint64_t from_us = self->paid_us > now_us ? self->paid_us : now_us;
    const uint64_t most_us = now_us + BURST_US + RP_ACCEPT_GATE_OWED_US;
    self->paid_us = from_us + EACH_US < most_us ? from_us + EACH_US : most_us;
}

void rp_accept_gate_repay(rp_accept_gate_t *self)
{
    self->paid_us -= self->paid_us > EACH_US ? EACH_US : self->paid_us;
}

void rp_accept_gate_end_turn(rp_accept_gate_t *self, int listener, uint64_t now_us)
{
    if (self->paid_us <= now_us + BURST_US) {
        return;
    }
    if (!rp_accept_gate_is_waiting(self)) {
        self->round_us = now_us + RP_ACCEPT_GATE_ROUND_US;
    }
    rp_paused_reads_pause(&self->listeners, listener);
}

/// They are heard of again, but for those that the system has no memory for.
static void begin_round(rp_accept_gate_t *self)
{
    const int last = self->listeners.last;
    for (int listener = -1; listener != last;) {
        listener = rp_paused_reads_first(&self->listeners);
        rp_paused_reads_resume(&self->listeners, listener);
    }
}

int rp_accept_gate_go_on(rp_accept_gate_t *self, uint64_t now_us, int timeout_ms)
{
    if (now_us >= self->round_us) {
        begin_round(self);
        self->round_us = now_us + RP_ACCEPT_GATE_ROUND_US;
    }
    if (!rp_accept_gate_is_waiting(self)) {
        return timeout_ms;
    }
    const int wait_ms = (int)((self->round_us - now_us + 999u) / 1000u);
    return timeout_ms < 0 || timeout_ms > wait_ms ? wait_ms : timeout_ms;
}
