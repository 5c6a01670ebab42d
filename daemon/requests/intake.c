/// What came in waits here, if something long is before it.
#include "daemon/requests/intake.h"

#include "daemon/requests/staged_request.h"
#include "daemon/serving/encode.h"

static void note_bytes(rp_intake_t *self)
{
    self->serving->stats.line_bytes = self->queue.shares.total;
}

void rp_intake_remove(rp_intake_t *self, rp_queued_t *queued)
{
    rp_request_queue_remove(&self->queue, queued);
    note_bytes(self);
}

/// The bytes of a message that is to stay.
static rp_shared_buffer_t *keep(rp_intake_t *self, const rp_inbound_t *inbound)
{
    rp_shared_buffer_t *buffer =
        self->serving->transport.keep != NULL
            ? self->serving->transport.keep(self->serving->transport.user, inbound->body)
            : NULL;
    return buffer != NULL ? buffer : rp_shared_buffer_copy(inbound->body, inbound->size);
}

/// @return false
static bool refuse_memory(rp_refusal_t *refusal)
{
    return rp_refuse(refusal, rp_encode_status(RP_E_MEMORY), "message: %s",
                     rp_status_text(RP_E_MEMORY));
}

/// @return NULL with the refusal filled in
static rp_queued_t *add_to_queue(rp_intake_t *self, const rp_inbound_t *inbound,
                                 rp_refusal_t *refusal)
{
    if (!rp_request_queue_has_room(&self->queue, inbound)) {
        (void)rp_refuse(refusal, REPLAN__V1__STATUS__LIMIT,
                        "message: it has %zu bytes, and %zu of its sender wait behind what is long "
                        "(limit %zu, or one message; %zu of all)",
                        inbound->size, rp_request_queue_held(&self->queue, inbound),
                        RP_REQUEST_QUEUE_SENDER, RP_REQUEST_QUEUE_BYTES);
        return NULL;
    }
    rp_shared_buffer_t *buffer = keep(self, inbound);
    rp_queued_t *queued = rp_request_queue_add(&self->queue, inbound, &buffer);
    note_bytes(self);
    if (queued == NULL) {
        (void)refuse_memory(refusal);
    }
    return queued;
}

bool rp_intake_enqueue(rp_intake_t *self, const rp_inbound_t *inbound, rp_refusal_t *refusal)
{
    if (inbound->queued != NULL || !rp_request_queue_holds(&self->queue, inbound, NULL)) {
        return false;
    }
    return add_to_queue(self, inbound, refusal) != NULL;
}

bool rp_intake_stage(rp_intake_t *self, const rp_inbound_t *inbound, rp_refusal_t *refusal)
{
    rp_queued_t *queued =
        inbound->queued != NULL ? inbound->queued : add_to_queue(self, inbound, refusal);
    if (queued == NULL) {
        return false;
    }
    queued->destroy_staged = rp_staged_request_destroy;
    queued->staged = rp_staged_request_new(queued);
    if (queued->staged != NULL) {
        return true;
    }
    if (inbound->queued == NULL) {
        rp_intake_remove(self, queued);
    }
    return refuse_memory(refusal);
}

void rp_intake_init(rp_intake_t *self, rp_serving_t *serving)
{
    *self = (rp_intake_t){.serving = serving, .long_from = RP_STAGED_FROM_BYTES};
}

void rp_intake_fini(rp_intake_t *self)
{
    rp_request_queue_fini(&self->queue);
}
