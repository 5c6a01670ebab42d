/// @file
/// Free ground as bits, and where straight jumps end: the map under jump point search.
///
/// Places count from 1 in both directions, so that a rim of blocked places lies all round: (column,
/// row) is (x + 1, y + 1). Everything is kept twice, for jumps along rows and along columns; an
/// axis knows lines (rows, or columns) and positions on them.
///
///     strips: the words of the same 64 positions stand together, one a line
///
///         word 0: line 0, line 1, line 2 ...   word 1: line 0, line 1 ...
///
/// so a diagonal walk stays in a cache line of each axis for eight steps.
///
/// Without corner cutting a straight jump must stop where a line beside it opens: only there may
/// every shortest path have to turn. A jump *leads* somewhere if it stops on free ground, not at a
/// wall. By these bits a diagonal walk passes cells from which both straight jumps end at walls,
/// without following the jumps.
#ifndef REPLAN_PLANNERS_JUMP_JUMP_MAP_H
#define REPLAN_PLANNERS_JUMP_JUMP_MAP_H

#include "base/arena.h"
#include "base/simd.h"
#include "planners/jump/jump_strips.h"
#include "replan/types.h"

typedef struct rp_jump_map {
    rp_strips_t rows;
    rp_strips_t columns;
    uint64_t *squares; ///< as an array of `rows`: this place, and those right, below and between
    uint32_t width;
    uint32_t height;
    bool is_new;       ///< nothing but free bits is true yet, but for what is settled:
    unsigned settling; ///< the pass over all words that is under way
    size_t settled;    ///< words that it has settled
    size_t words;      ///< of all arrays
    rp_simd_t simd;
} rp_jump_map_t;

/// A map on which every place blocks.
void rp_jump_map_init(rp_jump_map_t *self, uint32_t width, uint32_t height, rp_arena_t *arena);

/// Write one place, 1 .. width and 1 .. height. Time: O(1). rp_jump_map_settle() must follow before
/// the next search.
void rp_jump_map_set(rp_jump_map_t *self, uint32_t column, uint32_t row, bool is_free);

/// Write 64 x 64 places at once: the columns 64 * tile_column .. + 63 (bit 0 first) of the rows 64
/// * tile_row .. + 63. What lies on the rim or beyond is taken as blocked. rp_jump_map_settle()
/// must follow.
/// @param which  rows that are written, a bit each; the others stay
/// @param rows   is overwritten
/// @return rows in which some place changed, a bit each
uint64_t rp_jump_map_set_tile(rp_jump_map_t *self, uint32_t tile_column, uint32_t tile_row,
                              uint64_t which, uint64_t rows[64]);

/// Tiles across and down, the rim included.
static inline uint32_t rp_jump_map_tile_columns(const rp_jump_map_t *self)
{
    return self->rows.word_count;
}

static inline uint32_t rp_jump_map_tile_rows(const rp_jump_map_t *self)
{
    return self->columns.word_count;
}

/// Bring stops and leads up to date. Time: O(words touched), and those whose leads follow.
void rp_jump_map_settle(rp_jump_map_t *self);

/// The same in parts, of which only a map that is new takes several; places may be written between.
/// @param words  settle so many of a new map now, a multiple of four
/// @return false when words are left
bool rp_jump_map_settle_some(rp_jump_map_t *self, size_t words);

/// True when stops, leads and squares are what the free bits say. Slow, for tests.
bool rp_jump_map_check(const rp_jump_map_t *self);

// ---- questions; all places inside the rim

static inline bool rp_jump_map_is_free(const rp_jump_map_t *self, uint32_t column, uint32_t row)
{
    return ((self->rows.free[rp_strips_place(&self->rows, row, column)] >> (column & 63u)) & 1u) !=
           0;
}

#endif
