/// Whose turn it is, and a slice of what is long.
#include "daemon/requests/queue_server.h"

#include "daemon/requests/requests.h"
#include "daemon/requests/staged_request.h"
#include "daemon/requests/topics.h"

/// Bytes that are hashed in the time of an expansion.
#define HASHED_EACH 128u

/// Messages that have their turn in a round, after they waited in the queue.
#define SERVED_MOST 256u

/// Serve a message whose turn has come.
/// @return false when it is long, and staging it was begun
static bool take_turn(rp_intake_t *self, const rp_queued_t *queued)
{
    if (queued->inbound.kind == RP_INBOUND_REQUEST) {
        rp_requests_take(self, &queued->inbound);
    } else {
        rp_topics_take(self, &queued->inbound);
    }
    return queued->staged == NULL;
}

/// Hash a long change, to know it when it is repeated. @return true when its hash is known
static bool hash(rp_intake_t *self, rp_queued_t *queued, uint64_t *budget)
{
    rp_inbound_t *inbound = &queued->inbound;
    rp_staged_request_t *staged = queued->staged;
    const bool is_due = inbound->kind == RP_INBOUND_REQUEST && !inbound->key.is_hashed &&
                        rp_request_key_is_kept(&inbound->key);
    if (!is_due) {
        return true;
    }
    if (staged->body.at == NULL) {
        rp_request_body_init(&staged->body, &self->hash_key, inbound->body, inbound->size);
    }
    const uint64_t price = inbound->size / HASHED_EACH + 1u;
    const uint64_t spent = *budget < price ? *budget : price;
    *budget -= spent;
    if (rp_request_body_hash(&staged->body, (size_t)spent * HASHED_EACH)) {
        return false;
    }
    inbound->key.body = rp_siphash_end(&staged->body.hash);
    inbound->key.is_hashed = true;
    staged->is_repeat = rp_requests_is_repeat(self, inbound);
    return true;
}

/// Go on with the first that is long, unless the workers are far behind: what they have not taken
/// in is held in memory, and more would be staged beside it. What is ready is handled in one go, in
/// a round of its own if most of this one's time was spent. @return true when it was served
static bool work(rp_intake_t *self, rp_queued_t *queued, uint64_t *budget)
{
    const uint64_t given = *budget;
    if (rp_host_lags(self->serving->host) || !hash(self, queued, budget)) {
        return false;
    }
    if (queued->staged->is_repeat) {
        return true;
    }
    if (!rp_staged_request_work(self->serving, queued, budget) || *budget < given / 2u) {
        return false;
    }
    if (queued->inbound.kind == RP_INBOUND_REQUEST) {
        rp_requests_finish_staged(self, queued);
    } else {
        rp_topics_finish_staged(self, queued);
    }
    return true;
}

bool rp_queue_serve(rp_intake_t *self, uint64_t budget)
{
    unsigned served = 0;
    bool has_staged = rp_request_queue_clear(&self->queue);
    bool is_dear = has_staged;
    for (rp_queued_t *queued = self->queue.first; queued != NULL && served < SERVED_MOST;) {
        bool is_over = false;
        if (!rp_request_queue_holds(&self->queue, &queued->inbound, queued)) {
            const bool is_new = queued->staged == NULL;
            served += is_new;
            is_over = is_new && take_turn(self, queued);
            if (!is_over && !has_staged) {
                has_staged = true;
                is_over = work(self, queued, &budget);
                is_dear = is_over;
            }
        }
        rp_queued_t *next = queued->next;
        if (is_over) {
            rp_intake_remove(self, queued);
        }
        queued = next;
    }
    return is_dear;
}
