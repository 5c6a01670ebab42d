/// @file
/// Which moves are worth it for a cell that was reached in some direction (jump point search, no
/// corner cutting): those that do not lead where its neighbours lead as cheaply without it.
#ifndef REPLAN_SEARCH_JUMP_RING_H
#define REPLAN_SEARCH_JUMP_RING_H

#include <stdint.h>

// Bit d of a ring: the neighbour in direction d is free. Turned so that bit 0 is straight ahead,
// the moves after an arrival are one table: `ahead` and what opens beside it (the side is free, the
// cell behind the side is not), or the three forward moves of a diagonal.
#define RP_RING_BIT(ring, bit) (((ring) >> (bit)) & 1u)
#define RP_RING_OPENS(ring, side, behind)                                                          \
    (RP_RING_BIT(ring, side) & (RP_RING_BIT(ring, behind) ^ 1u))
#define RP_AFTER_STRAIGHT(ring)                                                                    \
    (uint8_t)(RP_RING_BIT(ring, 0) | RP_RING_OPENS(ring, 2, 3) << 2 |                              \
              (RP_RING_OPENS(ring, 2, 3) & RP_RING_BIT(ring, 1) & RP_RING_BIT(ring, 0)) << 1 |     \
              RP_RING_OPENS(ring, 6, 5) << 6 |                                                     \
              (RP_RING_OPENS(ring, 6, 5) & RP_RING_BIT(ring, 7) & RP_RING_BIT(ring, 0)) << 7)
#define RP_AFTER_DIAGONAL(ring)                                                                    \
    (uint8_t)(RP_RING_BIT(ring, 1) << 1 | RP_RING_BIT(ring, 7) << 7 |                              \
              (RP_RING_BIT(ring, 0) & RP_RING_BIT(ring, 1) & RP_RING_BIT(ring, 7)))
#define RP_RINGS_4(what, ring) what(ring), what((ring) + 1u), what((ring) + 2u), what((ring) + 3u)
#define RP_RINGS_16(what, ring)                                                                    \
    RP_RINGS_4(what, ring), RP_RINGS_4(what, (ring) + 4u), RP_RINGS_4(what, (ring) + 8u),          \
        RP_RINGS_4(what, (ring) + 12u)
#define RP_RINGS_64(what, ring)                                                                    \
    RP_RINGS_16(what, ring), RP_RINGS_16(what, (ring) + 16u), RP_RINGS_16(what, (ring) + 32u),     \
        RP_RINGS_16(what, (ring) + 48u)
#define RP_RINGS_256(what)                                                                         \
    RP_RINGS_64(what, 0u), RP_RINGS_64(what, 64u), RP_RINGS_64(what, 128u), RP_RINGS_64(what, 192u)

static inline unsigned rp_ring_turn(unsigned ring, unsigned direction)
{
    return ((ring | ring << 8) >> direction) & 0xffu;
}

/// Moves after an arrival in this direction.
static inline unsigned rp_ring_moves(unsigned ring, unsigned direction)
{
    static const uint8_t moves[2][256] = {{RP_RINGS_256(RP_AFTER_STRAIGHT)},
                                          {RP_RINGS_256(RP_AFTER_DIAGONAL)}};
    const unsigned turned = moves[direction & 1u][rp_ring_turn(ring, direction)];
    return rp_ring_turn(turned, (8u - direction) & 7u);
}

/// All legal moves: a diagonal needs both cells beside it.
static inline unsigned rp_ring_all(unsigned ring)
{
    const unsigned straight = ring & 0x55u;
    return straight | (ring & 0xaau & straight << 1 & (straight >> 1 | straight << 7));
}

#endif
