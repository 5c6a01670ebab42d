/// @file
/// Accept gate: how fast new connections reach ZeroMQ. Each takes its I/O thread and the guard
/// (guard.h) some hundred microseconds, whatever it brings, so a peer that connects again and again
/// would take a core from all others.
///
/// A connection is a debt until its first whole message comes, or until time has paid for it. While
/// the debt exceeds RP_ACCEPT_GATE_BURST connections, accepting goes by rounds: in each, a listener
/// drops the connections that their peers have closed already, which takes little, and lets one in.
/// The others stay with the system meanwhile. So newcomers beside such a peer wait for a round or a
/// few, and connections that are there wait for nothing.
///
/// One thread owns it.
#ifndef REPLAN_DAEMON_CONNECTIONS_ACCEPT_GATE_H
#define REPLAN_DAEMON_CONNECTIONS_ACCEPT_GATE_H

#include "daemon/connections/paused_reads.h"

/// Connections that are let in at once, and a second. How long a round is.
#define RP_ACCEPT_GATE_BURST    128u
#define RP_ACCEPT_GATE_RATE     100u
#define RP_ACCEPT_GATE_ROUND_US 10000u

/// No more is owed than takes so long to pay: then newcomers are served as before.
#define RP_ACCEPT_GATE_OWED_US 1000000u

typedef struct rp_accept_gate {
    rp_paused_reads_t listeners; ///< that are in an epoll; paused between rounds
    uint64_t paid_us;            ///< when time will have paid for all that came
    uint64_t round_us;           ///< when the next round begins
} rp_accept_gate_t;

/// For descriptors below `count`. @return false without memory
bool rp_accept_gate_init(rp_accept_gate_t *self, size_t count);
void rp_accept_gate_fini(rp_accept_gate_t *self);

/// True when the descriptor is one of the listeners.
bool rp_accept_gate_has(const rp_accept_gate_t *self, int descriptor);

/// As epoll_ctl() of a listener, which is one of ours while it is in an epoll. accept() on it does
/// not block from then on. @param listener  below the count
int rp_accept_gate_control(rp_accept_gate_t *self, int epoll, int operation, int listener,
                           const struct epoll_event *event);

/// A connection came, whether it is let in or dropped.
void rp_accept_gate_came(rp_accept_gate_t *self, uint64_t now_us);

/// The first whole message of a connection came.
void rp_accept_gate_repay(rp_accept_gate_t *self);

/// A listener has let one in, or has no more. It waits for the next round, if there are any.
void rp_accept_gate_end_turn(rp_accept_gate_t *self, int listener, uint64_t now_us);

/// Before epoll_wait(): when a round begins, the listeners are heard of again.
/// @return how long the epoll may wait [ms], `timeout_ms` at most; negative: for ever
int rp_accept_gate_go_on(rp_accept_gate_t *self, uint64_t now_us, int timeout_ms);

/// True when a listener waits for the next round.
static inline bool rp_accept_gate_is_waiting(const rp_accept_gate_t *self)
{
    return rp_paused_reads_first(&self->listeners) >= 0;
}

#endif
