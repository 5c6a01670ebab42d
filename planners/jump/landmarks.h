/// @file
/// Landmarks: how far every cell is from each of a few, for a bound on the cost between any two
/// cells, |d(L, a) - d(L, b)| <= d(a, b) ("Computing the Shortest Path: A* Search Meets Graph
/// Theory", Goldberg and Harrelson 2005; "Memory-Based Heuristics for Explicit State Spaces",
/// Sturtevant, Felner, Barrer, Schaeffer and Burch 2009). Made in idle time, a wavefront a
/// landmark, each from the cell that is farthest from those before it.
///
/// The numbers need not be distances: the bound is right as long as no step changes a number by
/// more than the step costs. So a cell that is blocked changes nothing; the bound is only lower
/// than it could be. A cell that is freed makes new steps: from there numbers are lowered until the
/// rule holds again, which is not far as a rule; if it is, all landmarks are dropped.
///
/// The numbers of a cell are one load of 16 bytes, 16 bits each. Their unit is 1/12 of a straight
/// step, and a diagonal step counts 17: this loses one part in 600 of straight steps, and nothing
/// of diagonal ones. A cell beyond the range keeps the greatest number, which obeys the rule, too.
#ifndef REPLAN_PLANNERS_JUMP_LANDMARKS_H
#define REPLAN_PLANNERS_JUMP_LANDMARKS_H

#include "base/arena.h"
#include "planners/grid/cost.h"

#define RP_LANDMARKS         8u
#define RP_LANDMARK_STRAIGHT 12u
#define RP_LANDMARK_DIAGONAL 17u
#define RP_LANDMARK_MAX      UINT16_MAX ///< as far, farther, or not to be reached

/// A cell's numbers, by landmark.
typedef struct rp_landmark_distances {
    _Alignas(16) uint16_t to[RP_LANDMARKS];
} rp_landmark_distances_t;

typedef struct rp_landmarks {
    const rp_grid_t *grid;          ///< borrowed
    rp_landmark_distances_t *cells; ///< [cell_count]
    rp_landmark_distances_t
        known;          ///< by landmark: RP_LANDMARK_MAX, or 0 where its numbers are not to be used
    uint64_t blocked;   ///< cells since these were found
    rp_cell_t *lowered; ///< cells from which steps may ask for more; a queue

    // the wavefront under way; the first looks for a landmark only
    unsigned wave;                  ///< its number, 0 .. RP_LANDMARKS; one more: all are done
    bool is_begun;                  ///< cells are being cleared, or have been
    uint32_t cleared;               ///< cells that have no number of it
    rp_cell_t source;               ///< where it comes from
    rp_cell_t farthest;             ///< from all landmarks so far
    uint16_t distance;              ///< of that
    struct rp_landmarks_open *open; ///< its OPEN, by number
    rp_cell_t *late;                ///< cells that were freed since it began [late_count]
    uint32_t late_count;
    uint32_t met; ///< cells whose numbers were written: none, or all
} rp_landmarks_t;

/// @param grid  borrowed while it lives
void rp_landmarks_init(rp_landmarks_t *self, const rp_grid_t *grid, rp_arena_t *arena);

/// Nothing is known of the grid any more. Time: O(1).
void rp_landmarks_drop(rp_landmarks_t *self);

/// Cells changed, which is written in the grid already. Time: O(changes), and the cells whose
/// numbers follow, a thousand at most.
/// @param changes  between blocked and free, each cell once [count]
/// @return false when it was too much: there are no landmarks any more
bool rp_landmarks_update(rp_landmarks_t *self, const rp_change_t *changes, size_t count);

/// Go on making landmarks, or better ones where much was blocked since. Those that are there can be
/// used meanwhile.
/// @param from    a free cell of the region that matters
/// @param budget  of cells that a wavefront takes in, counted down
/// @return false when it was used up first
bool rp_landmarks_make(rp_landmarks_t *self, rp_cell_t from, uint64_t *budget);

/// True when no legal step changes a number by more than it costs. Slow, for tests.
bool rp_landmarks_check(const rp_landmarks_t *self);

// ---- what a search sees of them

/// Towards one target, until the next change or rp_landmarks_make().
typedef struct rp_target_bounds {
    const rp_landmark_distances_t *cells; ///< NULL: no landmark is known
    rp_landmark_distances_t known;
    rp_landmark_distances_t target;
} rp_target_bounds_t;

rp_target_bounds_t rp_landmarks_bounds_to(const rp_landmarks_t *self, rp_cell_t target);

/// What a unit is worth, in 65536ths: no step costs less than its units.
#define RP_LANDMARK_BY_STRAIGHT (((uint64_t)RP_STRAIGHT << 16) / RP_LANDMARK_STRAIGHT)
#define RP_LANDMARK_BY_DIAGONAL (((uint64_t)RP_DIAGONAL << 16) / RP_LANDMARK_DIAGONAL)
#define RP_LANDMARK_UNIT                                                                           \
    (RP_LANDMARK_BY_STRAIGHT < RP_LANDMARK_BY_DIAGONAL ? RP_LANDMARK_BY_STRAIGHT                   \
                                                       : RP_LANDMARK_BY_DIAGONAL)

/// A bound on the cost between a cell and the target, consistent. There must be landmarks.
static inline __attribute__((always_inline)) uint32_t
rp_target_bounds_at(const rp_target_bounds_t *self, rp_cell_t cell)
{
    const uint16_t *to = self->cells[cell].to;
    uint16_t most = 0;
    for (unsigned i = 0; i < RP_LANDMARKS; i++) { // a handful of wide instructions
        const uint16_t target = self->target.to[i];
        const uint16_t apart = (uint16_t)(to[i] > target ? to[i] - target : target - to[i]);
        const uint16_t sure = (uint16_t)(apart & self->known.to[i]);
        most = sure > most ? sure : most;
    }
    return (uint32_t)((most * RP_LANDMARK_UNIT) >> 16);
}

#endif
