/// @file
/// What a jump point search knows, and where things are.
///
/// A search knows no grid: 1 .. width and 1 .. height of its map. A place is packed as row << 16 |
/// column.
#ifndef REPLAN_PLANNERS_JUMP_JUMP_STATE_H
#define REPLAN_PLANNERS_JUMP_JUMP_STATE_H

#include "base/prefault.h"
#include "base/simd.h"
#include "planners/jump/jump_map.h"
#include "planners/jump/jump_pruning.h"
#include "planners/jump/landmarks.h"
#include "planners/open/bucket_levels.h"
#include "replan/grid.h"

typedef struct rp_jump_node rp_jump_node_t; ///< what a search knows of a cell

#define RP_JUMP_NOWHERE UINT32_MAX

/// A place in the table by hash.
typedef struct rp_jump_slot {
    uint32_t place;
    uint32_t name; ///< of its node; of an earlier search: free
} rp_jump_slot_t;

/// Hot members first.
typedef struct rp_jump {
    uint32_t *by_cell;     ///< name of a node, where the hash is full, in blocks [name_count]
    rp_jump_node_t *nodes; ///< in the order in which cells were met [cell_count]
    rp_jump_slot_t *slots; ///< by hash; NULL on small ground
    rp_jump_map_t map;
    rp_bucket_levels_t open;
    uint32_t stride; ///< of the cells: row * stride + column
    uint32_t cell_count;
    uint32_t blocks; ///< of `by_cell`, in a row
    uint32_t name_count;
    uint32_t node_count; ///< nodes of this search
    uint32_t names;      ///< name of its first node: a node's name is this and its number
    uint32_t root;       ///< place, as `target`
    uint32_t target;
    uint32_t root_column;
    uint32_t root_row;
    uint32_t target_column;
    uint32_t target_row;
    uint32_t base;   ///< heuristic of the root: OPEN counts from there
    uint32_t parent; ///< node that is being expanded
    rp_cost_t limit; ///< f at which walks from there are put off
    uint32_t found;  ///< node of the target
    bool is_by_cell; ///< nodes are sought so, not by hash
    bool is_found;
    uint64_t generated;  ///< cells put into OPEN by this call
    uint32_t slot_bits;  ///< size of the table by hash
    uint32_t most_nodes; ///< of a search before
    uint32_t names_met;  ///< names by cell that were written: none, or all
    rp_simd_t simd;
    rp_target_bounds_t bounds; ///< towards the target, where its user has one
    rp_prefault_t prefault;    ///< of what is by cell
} rp_jump_t;

#define RP_JUMP_INLINE static inline __attribute__((always_inline))

// ---- OPEN

/// Put an entry in; f counts from the root. No cell waits twice, so there is room.
RP_JUMP_INLINE void rp_jump_open(rp_jump_t *self, rp_cost_t f, uint32_t cell, uint32_t note,
                                 rp_bucket_is_live_t *is_live)
{
    (void)rp_bucket_levels_push(&self->open, f, cell, note, is_live, self);
}

// ---- places

static inline uint32_t rp_jump_place(uint32_t column, uint32_t row)
{
    return row << 16 | column;
}

static inline uint32_t rp_jump_column(uint32_t place)
{
    return place & 0xffffu;
}

static inline uint32_t rp_jump_row(uint32_t place)
{
    return place >> 16;
}

static inline uint32_t rp_jump_cell(const rp_jump_t *self, uint32_t place)
{
    return rp_jump_row(place) * self->stride + rp_jump_column(place);
}

/// Names by cell stand in blocks of so many cells a side, each of which becomes resident at a time
/// (RP_MEMORY_BLOCK), and there in squares of 32, a page each: a search that leads across the rows
/// comes to few of them. On small ground they stand row by row.
#define RP_JUMP_BLOCK 128u

/// Where the name of a place's node stands when it is sought by cell.
static inline uint32_t rp_jump_spot(const rp_jump_t *self, uint32_t place)
{
    if (self->slots == NULL) {
        return rp_jump_cell(self, place);
    }
    const uint32_t column = rp_jump_column(place);
    const uint32_t row = rp_jump_row(place);
    const uint32_t block = row / RP_JUMP_BLOCK * self->blocks + column / RP_JUMP_BLOCK;
    return block * RP_JUMP_BLOCK * RP_JUMP_BLOCK + ((row & 96u) << 7) + ((column & 96u) << 5) +
           ((row & 31u) << 5) + (column & 31u);
}

/// Cost between two places on open ground.
RP_JUMP_INLINE uint32_t rp_jump_octile(uint32_t column, uint32_t row, uint32_t to_column,
                                       uint32_t to_row)
{
    const uint32_t across = column < to_column ? to_column - column : column - to_column;
    const uint32_t down = row < to_row ? to_row - row : row - to_row;
    const uint32_t low = across < down ? across : down;
    return RP_STRAIGHT * (across + down) - (2u * RP_STRAIGHT - RP_DIAGONAL) * low;
}

static inline uint32_t rp_jump_distance(uint32_t from, uint32_t to)
{
    return rp_jump_octile(rp_jump_column(from), rp_jump_row(from), rp_jump_column(to),
                          rp_jump_row(to));
}

/// The heuristic.
RP_JUMP_INLINE uint32_t rp_jump_bound(const rp_jump_t *self, uint32_t column, uint32_t row)
{
    const uint32_t open = rp_jump_octile(column, row, self->target_column, self->target_row);
    if (self->bounds.cells == NULL) {
        return open;
    }
    const uint32_t known = rp_target_bounds_at(&self->bounds, row * self->stride + column);
    return known > open ? known : open;
}

RP_JUMP_INLINE uint32_t rp_jump_bound_at(const rp_jump_t *self, uint32_t place)
{
    return rp_jump_bound(self, rp_jump_column(place), rp_jump_row(place));
}

// ---- bits

/// Three free bits round a position at the end of a word, the one before it in bit 0.
static inline unsigned rp_jump_three(const uint64_t *free, size_t stride, unsigned bit)
{
    return bit == 0 ? (unsigned)((free[0] & 3u) << 1 | free[-(ptrdiff_t)stride] >> 63)
                    : (unsigned)(free[0] >> 62 | (free[stride] & 1u) << 2);
}

/// Bit d: the neighbour in direction d is free.
RP_JUMP_INLINE unsigned rp_jump_pruning(const rp_jump_t *self, uint32_t column, uint32_t row)
{
    const rp_strips_t *rows = &self->map.rows;
    const uint64_t *free = rows->free + rp_strips_place(rows, row, column);
    const unsigned bit = column & 63u;
    unsigned above;
    unsigned beside;
    unsigned below;
    if (__builtin_expect(bit - 1u < 62u, 1)) {
        above = (unsigned)(free[-1] >> (bit - 1u));
        beside = (unsigned)(free[0] >> (bit - 1u));
        below = (unsigned)(free[1] >> (bit - 1u));
    } else {
        above = rp_jump_three(free - 1, rows->line_stride, bit);
        beside = rp_jump_three(free, rows->line_stride, bit);
        below = rp_jump_three(free + 1, rows->line_stride, bit);
    }
    return (above & 7u) << 5 | rp_jump_pruning_lower(beside & 7u, below & 7u);
}

/// Bits 0, 2, 4, 6: a straight jump in this direction ends on free ground.
RP_JUMP_INLINE unsigned rp_jump_leads(const rp_jump_t *self, uint32_t column, uint32_t row)
{
    const rp_strips_t *rows = &self->map.rows;
    const rp_strips_t *columns = &self->map.columns;
    const size_t in_rows = rp_strips_place(rows, row, column);
    const size_t in_columns = rp_strips_place(columns, column, row);
    return (unsigned)((rows->leads[RP_ONWARD][in_rows] >> (column & 63u)) & 1u) |
           (unsigned)((rows->leads[RP_BACKWARD][in_rows] >> (column & 63u)) & 1u) << 4 |
           (unsigned)((columns->leads[RP_ONWARD][in_columns] >> (row & 63u)) & 1u) << 2 |
           (unsigned)((columns->leads[RP_BACKWARD][in_columns] >> (row & 63u)) & 1u) << 6;
}

/// The straight directions along whose line the target may lie.
RP_JUMP_INLINE unsigned rp_jump_target_lines(const rp_jump_t *self, uint32_t column, uint32_t row)
{
    return (row == self->target_row ? 0x11u : 0u) | (column == self->target_column ? 0x44u : 0u);
}

/// The position at which a straight jump ends on free ground or meets the target.
/// @param leads  it ends on free ground; else the target may lie on the way
/// @return RP_JUMP_NOWHERE when neither is so
RP_JUMP_INLINE uint32_t rp_jump_end(const rp_jump_t *self, uint32_t column, uint32_t row,
                                    unsigned direction, bool leads)
{
    const bool is_row = (direction & 2u) == 0;
    const enum rp_scan way = direction < 4u ? RP_ONWARD : RP_BACKWARD;
    const rp_strips_t *strips = is_row ? &self->map.rows : &self->map.columns;
    const uint32_t from = is_row ? column : row;
    const uint32_t end = rp_strips_jump(strips, way, is_row ? row : column, from);
    const bool has_target = is_row ? row == self->target_row : column == self->target_column;
    if (__builtin_expect(has_target, 0)) {
        const uint32_t target = is_row ? self->target_column : self->target_row;
        if (way == RP_ONWARD ? target > from && target <= end : target < from && target >= end) {
            return target;
        }
    }
    return leads ? end : RP_JUMP_NOWHERE;
}

#endif
