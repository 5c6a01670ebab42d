/// @file
/// The path that a planner shows, with its cost. Cells that stand from one path to the next are
/// neither written nor summed up again.
///
///     cells:   .. left | start . head . | middle | . tail . goal | .......
///                      first            rewritten                  first + count
///
/// The cost is kept as two sums of whole numbers, for straight and for diagonal steps. So taking
/// steps out again leaves exactly what was there without them.
#ifndef REPLAN_PLANNERS_CORE_RESULT_PATH_H
#define REPLAN_PLANNERS_CORE_RESULT_PATH_H

#include "planners/core/planner_ops.h"

typedef struct rp_result_path {
    const rp_grid_t *grid; ///< borrowed; NULL when nothing is held
    rp_cell_t *cells;      ///< owned [grid->cell_count]
    uint16_t *steps;       ///< owned; what the step from this cell to the next counts, where cells
                           ///< alone do not tell [cell_count]
    rp_cell_t *room;       ///< owned; for whoever writes what comes between [cell_count]
    uint32_t first;
    uint32_t count; ///< 0: no path
    uint32_t left;  ///< cells before the first that a start left since it was rewritten
    uint32_t peak;  ///< greatest count so far
    uint32_t room_peak;
    rp_walk_t walk; ///< of factors at both ends of each straight and each diagonal step; its end
                    ///< is not kept
} rp_result_path_t;

void rp_result_path_init(rp_result_path_t *self, const rp_grid_t *grid, rp_arena_t *arena);

/// Replace all but what stands, by what was written into the room.
/// @param stands  what does, no more than there is
/// @param count   cells in the room
/// Time: O(count + cells replaced), and a move of what stands when there is no room beside it.
void rp_result_path_rewrite(rp_result_path_t *self, rp_path_stands_t stands, uint32_t count);

/// Follow a start that goes on along the path, and cut off the cells behind it.
/// @return false when it does not, or has left too many by now; nothing changes then
bool rp_result_path_follow(rp_result_path_t *self, rp_cell_t start);

/// Undo rp_result_path_follow(), as the member that wrote the path was not told: the cells that
/// were cut off are there again, at the cost that they had. Time: O(cells left).
void rp_result_path_turn_back(rp_result_path_t *self);

/// As rp_path_cost(), for a path that is legal and not empty. Time: O(1).
static inline double rp_result_path_cost(const rp_result_path_t *self)
{
    return rp_walk_cost(&self->walk, self->grid);
}

#endif
