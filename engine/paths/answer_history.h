/// @file
/// Answer history: the last answers of a session, RP_PAST_MAX at most. Most sessions of a large
/// crowd have answered once or twice, so room is made as answers come.
#ifndef REPLAN_ENGINE_PATHS_ANSWER_HISTORY_H
#define REPLAN_ENGINE_PATHS_ANSWER_HISTORY_H

#include "replan/session.h"

/// All zero: none so far.
typedef struct rp_answer_history {
    rp_past_answer_t *ring; ///< owned [capacity]
    uint8_t capacity;       ///< 0, or a power of two of at most RP_PAST_MAX
    uint8_t count;
    uint8_t next; ///< place of the answer to come; of as many as there is room for, the oldest one
} rp_answer_history_t;

void rp_answer_history_fini(rp_answer_history_t *self);

/// Without memory the oldest answer makes room, or none is kept.
void rp_answer_history_add(rp_answer_history_t *self, const rp_past_answer_t *answer);

/// @param i  0: the newest; less than `count`
const rp_past_answer_t *rp_answer_history_get(const rp_answer_history_t *self, size_t i);

static inline uint64_t rp_answer_history_bytes(const rp_answer_history_t *self)
{
    return self->capacity * sizeof *self->ring;
}

#endif
