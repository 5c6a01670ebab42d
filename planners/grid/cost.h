/// @file
/// The type of a cost inside a search, and OPEN's keys. Compiled for 32 and for 64 bits; which of
/// the two a grid needs is decided by the bound below, so that no sum can overflow.
#ifndef REPLAN_PLANNERS_GRID_COST_H
#define REPLAN_PLANNERS_GRID_COST_H

#include "replan/grid.h"

#ifndef RP_COST_BITS
#define RP_COST_BITS 32
#endif

#if RP_COST_BITS == 32
typedef uint32_t rp_cost_t;
typedef uint64_t rp_key_t;
#define RP_COST_INF     UINT32_MAX
#define RP_MEMBER(name) rp_##name##_ops_32
#else
typedef uint64_t rp_cost_t;
typedef rp_wide_t rp_key_t;
#define RP_COST_INF     UINT64_MAX
#define RP_MEMBER(name) rp_##name##_ops_64
#endif

/// OPEN's order: least first, ties by least second.
static inline rp_key_t rp_key(rp_cost_t first, rp_cost_t second)
{
    return ((rp_key_t)first << RP_COST_BITS) | second;
}

static inline rp_cost_t rp_key_first(rp_key_t key)
{
    return (rp_cost_t)(key >> RP_COST_BITS);
}

static inline rp_cost_t rp_key_second(rp_key_t key)
{
    return (rp_cost_t)key;
}

/// Lengths of a straight and a diagonal step in whole numbers: 408 : 577 is 1 : sqrt 2 within 1e-6.
/// Members may be compiled for others, to repeat what papers measured (100 : 150); whole costs are
/// theirs then, published ones are still lengths.
#ifndef RP_STRAIGHT
#define RP_STRAIGHT 408u
#define RP_DIAGONAL 577u
#endif

/// No g on this grid is greater: a path visits no cell twice. In every planner g + h stays below
/// three times this.
static inline uint64_t rp_cost_bound(const rp_grid_t *grid)
{
    uint64_t edge = grid->shape.neighbors == 8 ? RP_DIAGONAL : 1u;
    if (grid->weighted) {
        edge *= 2u * (uint64_t)grid->greatest;
    }
    return edge * grid->shape.width * grid->shape.height;
}

/// True when 32-bit costs hold this offset of a goal beside the bound.
static inline bool rp_offset_fits_32(const rp_grid_t *grid, uint32_t offset)
{
    return (uint64_t)offset * 2u * RP_STRAIGHT * grid->shape.unit < UINT32_MAX / 4u;
}

/// True when 32-bit costs do: a quarter of their range holds every g, so g + h and D* Lite's k_m
/// have room, and RP_COST_INF is never met by a sum.
static inline bool rp_cost_fits_32(const rp_grid_t *grid)
{
    return rp_cost_bound(grid) < UINT32_MAX / 4u;
}

#endif
