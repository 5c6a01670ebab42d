/// A ring that is laid out anew, the oldest answer first, when it grows.
#include "engine/paths/answer_history.h"

#include <assert.h>
#include <stdlib.h>

static_assert((RP_PAST_MAX & (RP_PAST_MAX - 1u)) == 0 && RP_PAST_MAX < 256u,
              "capacities are powers of two, and fit a byte");

/// Twice the room. Without memory all stays as it is.
static void grow(rp_answer_history_t *self)
{
    const unsigned capacity = self->capacity != 0 ? 2u * self->capacity : 1u;
    rp_past_answer_t *ring = malloc(capacity * sizeof *ring);
    if (ring == NULL) {
        return;
    }
    for (unsigned i = 0; i < self->count; i++) {
        ring[i] = *rp_answer_history_get(self, self->count - 1u - i);
    }
    free(self->ring);
    self->ring = ring;
    self->capacity = (uint8_t)capacity;
    self->next = self->count;
}

void rp_answer_history_add(rp_answer_history_t *self, const rp_past_answer_t *answer)
{
    if (self->count == self->capacity && self->capacity < RP_PAST_MAX) {
        grow(self);
    }
    if (self->capacity == 0) {
        return;
    }
    self->ring[self->next] = *answer;
    self->next = (uint8_t)((self->next + 1u) & (self->capacity - 1u));
    self->count += self->count < self->capacity;
}

const rp_past_answer_t *rp_answer_history_get(const rp_answer_history_t *self, size_t i)
{
    return &self->ring[(self->next + self->capacity - 1u - i) & (self->capacity - 1u)];
}

void rp_answer_history_fini(rp_answer_history_t *self)
{
    free(self->ring);
    *self = (rp_answer_history_t){0};
}
