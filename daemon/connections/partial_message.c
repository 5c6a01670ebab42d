/// Two looks and a turn between them.
#include "daemon/connections/partial_message.h"

static void begin(rp_partial_message_t *self, const rp_partial_message_look_t *look)
{
    const uint64_t finished = self->finished;
    *self = (rp_partial_message_t){.finished = finished,
                                   .finished_seen = finished,
                                   .base = look->received,
                                   .seen = look->received,
                                   .seen_turn = look->turn,
                                   .since_us = look->now_us};
}

/// @param bytes  that came since `since_us` @return those that are no heartbeats
static uint64_t without_heartbeats(const rp_partial_message_t *self, uint64_t bytes,
                                   uint64_t now_us)
{
    const uint64_t heartbeats =
        RP_PARTIAL_MESSAGE_HEARTBEATS * (now_us - self->since_us) / 1000000u;
    return bytes > heartbeats ? bytes - heartbeats : 0;
}

uint64_t rp_partial_message_take(rp_partial_message_t *self, const rp_partial_message_look_t *look)
{
    self->since_us = self->since_us == 0 ? look->now_us : self->since_us;
    if (self->finished != self->finished_seen) {
        begin(self, look);
        return 0;
    }
    self->active++;
    self->waiting = look->is_waiting ? self->waiting + 1u : 0u;
    if (look->turn >= self->seen_turn + 2u) { // one of them began after the look before
        self->certain = without_heartbeats(self, self->seen - self->base, look->now_us);
        self->has_more_to_say = self->seen != look->received;
        self->seen = look->received;
        self->seen_turn = look->turn;
    } else {
        self->has_more_to_say = true;
    }
    return self->certain;
}

double rp_partial_message_weight(const rp_partial_message_t *self, uint64_t held_bytes,
                                 uint64_t now_us)
{
    return (double)held_bytes * (double)(now_us - self->since_us + 1u);
}
