/// @file
/// What the tiles of a breadth first search that no change can concern (still tiles) have sent to
/// the others, layer by layer. With this log the others can be searched again alone: churn near the
/// goal (P1) takes two thirds of what it takes without.
///
/// What is sent towards the goal belongs to the layer of its sender. What is sent away from the
/// goal is late: it belongs to the next layer.
#ifndef REPLAN_PLANNERS_BITS_BIT_BFS_LOG_H
#define REPLAN_PLANNERS_BITS_BIT_BFS_LOG_H

#include "base/arena.h"
#include "replan/types.h"

/// A search that would need more goes without: what it knows cannot be kept then.
#define RP_BIT_BFS_LOG_MOST 2048u

typedef struct rp_bit_bfs_send {
    uint64_t bits;
    uint32_t tile;  ///< to whom
    uint32_t layer; ///< that sent it
    uint8_t side;   ///< of the tile; the search's own numbers
    uint8_t is_late;
} rp_bit_bfs_send_t;

typedef struct rp_bit_bfs_log {
    rp_bit_bfs_send_t *sends; ///< in the order in which they were sent [RP_BIT_BFS_LOG_MOST]
    uint32_t count;
    uint32_t next[2]; ///< the first that was not told yet, of those in time and of late ones
    bool is_full;     ///< some are missing
} rp_bit_bfs_log_t;

static inline void rp_bit_bfs_log_init(rp_bit_bfs_log_t *self, rp_arena_t *arena)
{
    *self =
        (rp_bit_bfs_log_t){.sends = rp_arena_new(arena, RP_BIT_BFS_LOG_MOST, sizeof *self->sends)};
}

static inline void rp_bit_bfs_log_clear(rp_bit_bfs_log_t *self)
{
    self->count = 0;
    self->is_full = false;
}

static inline void rp_bit_bfs_log_add(rp_bit_bfs_log_t *self, rp_bit_bfs_send_t send)
{
    if (self->count < RP_BIT_BFS_LOG_MOST) {
        self->sends[self->count++] = send;
    } else {
        self->is_full = true;
    }
}

/// Tell all of it once more.
static inline void rp_bit_bfs_log_rewind(rp_bit_bfs_log_t *self)
{
    self->next[0] = 0;
    self->next[1] = 0;
}

/// @return what is to be taken in before this layer and was not told yet, NULL when all was
static inline const rp_bit_bfs_send_t *rp_bit_bfs_log_next(rp_bit_bfs_log_t *self, uint32_t layer)
{
    for (unsigned late = 0; late <= 1u; late++) {
        while (self->next[late] < self->count &&
               self->sends[self->next[late]].layer + late <= layer) {
            const rp_bit_bfs_send_t *send = &self->sends[self->next[late]++];
            if (send->is_late == late) {
                return send;
            }
        }
    }
    return NULL;
}

#endif
