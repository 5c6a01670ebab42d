/// A socket and two flags.
#include "daemon/connections/inlet.h"

#include <stdio.h>
#include <zmq.h>

#include "daemon/connections/sockets.h"

bool rp_inlet_open(rp_inlet_t *self, void *context, int type, const char *name,
                   const char *endpoint, rp_ipc_claim_t *claim, char *error, size_t size)
{
    char why[512];
    self->socket = rp_socket_bind(context, type, name, endpoint, claim, why, sizeof why);
    if (self->socket == NULL) {
        (void)snprintf(error, size, "--%s: %s", name, why);
        return false;
    }
    size_t room = sizeof self->descriptor;
    (void)zmq_getsockopt(self->socket, ZMQ_FD, &self->descriptor, &room);
    room = sizeof self->endpoint;
    (void)zmq_getsockopt(self->socket, ZMQ_LAST_ENDPOINT, self->endpoint, &room);
    self->is_doubtful = true; // it may have spoken before anybody listened
    return true;
}

void rp_inlet_close(rp_inlet_t *self)
{
    if (self->is_ahead) {
        rp_frames_close(&self->ahead);
        self->is_ahead = false;
    }
    if (self->socket != NULL) {
        (void)zmq_close(self->socket);
        self->socket = NULL;
    }
}

bool rp_inlet_receive(rp_inlet_t *self, rp_frames_t *message)
{
    if (self->is_ahead) {
        *message = self->ahead;
        self->is_ahead = false;
        return true;
    }
    if (rp_frames_receive(self->socket, message)) {
        return true;
    }
    self->may_hold_input = false;
    self->is_doubtful = false;
    return false;
}

bool rp_inlet_settle(rp_inlet_t *self)
{
    if (self->is_doubtful && !self->may_hold_input) {
        self->is_ahead = rp_inlet_receive(self, &self->ahead);
        self->may_hold_input = self->is_ahead;
    }
    self->is_doubtful = false;
    return self->may_hold_input;
}
