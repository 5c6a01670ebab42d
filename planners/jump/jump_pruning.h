/// @file
/// Which moves are worth it for a cell that was reached in some direction (jump point search, no
/// corner cutting): those that do not lead where its neighbours lead as cheaply without it.
#ifndef REPLAN_PLANNERS_JUMP_JUMP_PRUNING_H
#define REPLAN_PLANNERS_JUMP_JUMP_PRUNING_H

#include <stdint.h>

// Bit d of a ring: the neighbour in direction d is free. The moves after an arrival in direction
// `way` are one table: on ahead and what opens beside (the side is free, the cell behind the side
// is not), or the three forward moves of a diagonal. Neighbours are named by eighths of a turn.
#define RP_PRUNING_AT(way, turn)        (((way) + (turn)) & 7u)
#define RP_PRUNING_BIT(ring, way, turn) (((ring) >> RP_PRUNING_AT(way, turn)) & 1u)
#define RP_PRUNING_MOVE(bit, way, turn) ((bit) << RP_PRUNING_AT(way, turn))
#define RP_PRUNING_OPENS(ring, way, side, behind)                                                  \
    (RP_PRUNING_BIT(ring, way, side) & (RP_PRUNING_BIT(ring, way, behind) ^ 1u))
#define RP_PRUNING_ROUND(ring, way, side, behind, corner)                                          \
    (RP_PRUNING_OPENS(ring, way, side, behind) & RP_PRUNING_BIT(ring, way, corner) &               \
     RP_PRUNING_BIT(ring, way, 0u))
#define RP_AFTER_STRAIGHT(ring, way)                                                               \
    (uint8_t)(RP_PRUNING_MOVE(RP_PRUNING_BIT(ring, way, 0u), way, 0u) |                            \
              RP_PRUNING_MOVE(RP_PRUNING_OPENS(ring, way, 2u, 3u), way, 2u) |                      \
              RP_PRUNING_MOVE(RP_PRUNING_ROUND(ring, way, 2u, 3u, 1u), way, 1u) |                  \
              RP_PRUNING_MOVE(RP_PRUNING_OPENS(ring, way, 6u, 5u), way, 6u) |                      \
              RP_PRUNING_MOVE(RP_PRUNING_ROUND(ring, way, 6u, 5u, 7u), way, 7u))
#define RP_AFTER_DIAGONAL(ring, way)                                                               \
    (uint8_t)(RP_PRUNING_MOVE(RP_PRUNING_BIT(ring, way, 1u), way, 1u) |                            \
              RP_PRUNING_MOVE(RP_PRUNING_BIT(ring, way, 7u), way, 7u) |                            \
              RP_PRUNING_MOVE(RP_PRUNING_BIT(ring, way, 0u) & RP_PRUNING_BIT(ring, way, 1u) &      \
                                  RP_PRUNING_BIT(ring, way, 7u),                                   \
                              way, 0u))
#define RP_PRUNINGS_4(what, way, ring)                                                             \
    what(ring, way), what((ring) + 1u, way), what((ring) + 2u, way), what((ring) + 3u, way)
#define RP_PRUNINGS_16(what, way, ring)                                                            \
    RP_PRUNINGS_4(what, way, ring), RP_PRUNINGS_4(what, way, (ring) + 4u),                         \
        RP_PRUNINGS_4(what, way, (ring) + 8u), RP_PRUNINGS_4(what, way, (ring) + 12u)
#define RP_PRUNINGS_64(what, way, ring)                                                            \
    RP_PRUNINGS_16(what, way, ring), RP_PRUNINGS_16(what, way, (ring) + 16u),                      \
        RP_PRUNINGS_16(what, way, (ring) + 32u), RP_PRUNINGS_16(what, way, (ring) + 48u)
#define RP_PRUNINGS_256(what, way)                                                                 \
    {                                                                                              \
        RP_PRUNINGS_64(what, way, 0u), RP_PRUNINGS_64(what, way, 64u),                             \
            RP_PRUNINGS_64(what, way, 128u), RP_PRUNINGS_64(what, way, 192u)                       \
    }

#define RP_PRUNING_LOWER(places, unused)                                                           \
    (uint8_t)(((places) >> 5 & 1u) | ((places) >> 1 & 2u) | ((places) << 1 & 4u) |                 \
              ((places) << 3 & 8u) | ((places) << 1 & 16u))

/// The bits 0 to 4 of a ring, out of the three places beside and the three below, from the left.
static inline unsigned rp_jump_pruning_lower(unsigned beside, unsigned below)
{
    static const uint8_t lower[64] = {RP_PRUNINGS_64(RP_PRUNING_LOWER, 0u, 0u)};
    return lower[beside << 3 | below];
}

/// Moves after an arrival in this direction.
static inline unsigned rp_jump_pruning_moves(unsigned ring, unsigned direction)
{
    static const uint8_t moves[8][256] = {
        RP_PRUNINGS_256(RP_AFTER_STRAIGHT, 0u), RP_PRUNINGS_256(RP_AFTER_DIAGONAL, 1u),
        RP_PRUNINGS_256(RP_AFTER_STRAIGHT, 2u), RP_PRUNINGS_256(RP_AFTER_DIAGONAL, 3u),
        RP_PRUNINGS_256(RP_AFTER_STRAIGHT, 4u), RP_PRUNINGS_256(RP_AFTER_DIAGONAL, 5u),
        RP_PRUNINGS_256(RP_AFTER_STRAIGHT, 6u), RP_PRUNINGS_256(RP_AFTER_DIAGONAL, 7u)};
    return moves[direction][ring];
}

/// All legal moves: a diagonal needs both cells beside it.
static inline unsigned rp_jump_pruning_all(unsigned ring)
{
    const unsigned straight = ring & 0x55u;
    return straight | (ring & 0xaau & straight << 1 & (straight >> 1 | straight << 7));
}

#endif
