/// @file
/// Hops: the least number of moves from each place near a possible path to the end of that path. 8
/// neighbours, no corner cutting; a move counts one, straight or diagonal.
///
/// A breadth-first search by bits. The ring of places k moves away gives the next ring, some
/// hundred places an instruction: the places a straight step away, and all places of each free
/// square of 2 x 2 that contains one of the ring. A place remembers k modulo 3, as one of three
/// bits. As the numbers of places a move apart differ by one at most, this tells which is nearer.
/// All places round an older ring were met, so the bits of a number can serve as the ring itself.
///
/// Rings are cut off where they are of no use. The cost of a path through a place k moves from one
/// end is bounded by the cost of these moves, that of open ground to the other end, and the lines
/// that any path crosses; if that exceeds a limit, no path worth finding leads through. So rings
/// shrink as they near the other end. Every place of a path within the limit is met, by no more
/// moves than the path has from there. A place that was cut off is never met, so the numbers of
/// places that were met still differ by one at most.
///
/// Strips: a word holds 62 places of a row, and on either side a copy of the place beside them; the
/// words of the same places stand together, one a row. Memory holds the box that the rings stay in,
/// one strip after the other, whatever the size of the world: so the first rings of all meet few
/// pages.
#ifndef REPLAN_PLANNERS_BITS_BFS_DISTANCE_H
#define REPLAN_PLANNERS_BITS_BFS_DISTANCE_H

#include <assert.h>

#include "planners/bits/free_map.h"
#include "planners/grid/cost.h"

/// What a move costs, and each of the lines that it crosses: one if it is straight, else two.
#define RP_BFS_DISTANCE_MOVE (2u * RP_STRAIGHT - RP_DIAGONAL)
#define RP_BFS_DISTANCE_LINE (RP_DIAGONAL - RP_STRAIGHT)
static_assert(RP_BFS_DISTANCE_MOVE + RP_BFS_DISTANCE_LINE == RP_STRAIGHT, "one line");
static_assert(RP_BFS_DISTANCE_MOVE + 2u * RP_BFS_DISTANCE_LINE == RP_DIAGONAL, "two lines");

#define RP_BFS_DISTANCE_SPAN 62u ///< places of a word that are its own: bits 1 .. 62
#define RP_BFS_DISTANCE_PAD  4u  ///< lines above the first row of a strip

/// Where the rings begin, where they are to come, and what paths in between may cost.
typedef struct rp_bfs_distance_way {
    uint32_t from_x;
    uint32_t from_y;
    uint32_t to_x;
    uint32_t to_y;
    uint32_t lines; ///< every way between these crosses so many at least
    uint32_t most;
} rp_bfs_distance_way_t;

/// Lines of a strip: begin .. end - 1.
typedef struct rp_bfs_distance_stretch {
    uint32_t begin;
    uint32_t end;
    bool is_left;  ///< the strip to the left may be concerned, too
    bool is_right; ///< and that to the right
} rp_bfs_distance_stretch_t;

/// Places with bounds, all included.
typedef struct rp_bfs_distance_box {
    uint32_t left;
    uint32_t right;
    uint32_t top;
    uint32_t bottom;
} rp_bfs_distance_box_t;

typedef struct rp_bfs_distance {
    uint64_t *memory;                  ///< owned; what the arrays are parts of
    uint64_t *met[3];                  ///< places that were met, by number of moves modulo 3
    uint64_t *squares;                 ///< this place, and those right, below and between are free
    uint64_t *unmet;                   ///< free places of the box that no ring has met
    rp_bfs_distance_stretch_t *useful; ///< owned; what was not cut off, by strip [strip_count]
    rp_bfs_distance_stretch_t
        *stretches[2]; ///< of both rings, by strip, from -1 on [strip_count + 2]
    rp_bfs_distance_way_t way;
    rp_bfs_distance_box_t box;
    uint32_t level;        ///< of the ring that was found last
    uint32_t first_strip;  ///< of the box: strips are counted from there
    uint32_t strip_count;  ///< of the box
    uint32_t strip_stride; ///< words, of the box
    uint32_t most_words;   ///< of the memory that any box has taken
    uint32_t width;        ///< of the world
    uint32_t height;
    rp_simd_t simd;
} rp_bfs_distance_t;

/// @param simd  at most rp_simd_best()
void rp_bfs_distance_init(rp_bfs_distance_t *self, uint32_t width, uint32_t height, rp_simd_t simd,
                          rp_arena_t *arena);

/// Begin at one end of a way on this ground. Time: O(words of the box round it, and round the
/// last).
void rp_bfs_distance_begin(rp_bfs_distance_t *self, const rp_free_map_t *map,
                           const rp_bfs_distance_way_t *way);

/// Find the next ring. Time: O(words of it).
/// @param words  written: so many were looked at
/// @return false when nothing is left
bool rp_bfs_distance_grow(rp_bfs_distance_t *self, uint64_t *words);

/// @param x, y  in the box
static inline size_t rp_bfs_distance_word(const rp_bfs_distance_t *self, uint32_t x, uint32_t y)
{
    return (size_t)(x / RP_BFS_DISTANCE_SPAN - self->first_strip) * self->strip_stride +
           (y - self->box.top) + RP_BFS_DISTANCE_PAD;
}

/// 1 + k modulo 3 of a place; 0 when it was not met.
static inline unsigned rp_bfs_distance_code(const rp_bfs_distance_t *self, uint32_t x, uint32_t y)
{
    const rp_bfs_distance_box_t *box = &self->box;
    if (x < box->left || x > box->right || y < box->top || y > box->bottom) {
        return 0;
    }
    const size_t word = rp_bfs_distance_word(self, x, y);
    const unsigned bit = x % RP_BFS_DISTANCE_SPAN + 1u;
    for (unsigned code = 1; code <= 3u; code++) {
        if ((self->met[code - 1u][word] >> bit & 1u) != 0) {
            return code;
        }
    }
    return 0;
}

#endif
