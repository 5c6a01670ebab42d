/// @file
/// Inlet: a socket that messages come in by. The descriptor of a ZeroMQ socket is edge-triggered:
/// it speaks once, and a send or a receive may swallow what it had to say. So an inlet remembers
/// whether something may be waiting: the descriptor says so, a send makes it doubtful, and only a
/// receive that finds nothing ends it. zmq_poll() would ask all sockets twice a round instead, a
/// system call each.
///
/// ZMQ_EVENTS is not asked: a ROUTER that answers it reads a message ahead, whose routing id then
/// lacks the properties of its connection. So an inlet reads ahead by itself.
#ifndef REPLAN_DAEMON_CONNECTIONS_INLET_H
#define REPLAN_DAEMON_CONNECTIONS_INLET_H

#include "daemon/connections/ipc_claim.h"
#include "daemon/net/frames.h"

/// Characters of an endpoint, the end included.
#define RP_INLET_ENDPOINT 256u

/// All zero: it is not open.
typedef struct rp_inlet {
    char endpoint[RP_INLET_ENDPOINT]; ///< that it got, with the port
    void *socket;                     ///< owned
    int descriptor;                   ///< ZeroMQ's
    bool may_hold_input;              ///< no receive has found it empty since it spoke
    bool is_doubtful;                 ///< a send may have swallowed what its descriptor had to say
    bool is_ahead;                    ///< a message was received to settle that
    rp_frames_t ahead;                ///< owned
} rp_inlet_t;

/// Bind it. Parameters as of rp_socket_bind().
/// @param error  a sentence on failure, which names the option: --NAME [size]
bool rp_inlet_open(rp_inlet_t *self, void *context, int type, const char *name,
                   const char *endpoint, rp_ipc_claim_t *claim, char *error, size_t size);
void rp_inlet_close(rp_inlet_t *self);

/// Take the next message. @return false when none waits
bool rp_inlet_receive(rp_inlet_t *self, rp_frames_t *message);

/// Settle the doubt that a send left behind. @return true when something may be waiting
bool rp_inlet_settle(rp_inlet_t *self);

/// True when a receive found nothing, and nothing happened since.
static inline bool rp_inlet_is_empty(const rp_inlet_t *self)
{
    return !self->may_hold_input && !self->is_doubtful;
}

#endif
