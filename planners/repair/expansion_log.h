/// @file
/// The cells of a search in the order expanded, and how many of them a change leaves standing.
///
/// A cell is closed when the log holds it at its own place. So to take expansions back is to
/// shorten the log: no cell is visited, and it does not matter how many searches wrote it.
///
///     log:  start | .  .  .  .  .  . | .  .  .  .  |
///                   still true         cut off      length before
#ifndef REPLAN_PLANNERS_REPAIR_EXPANSION_LOG_H
#define REPLAN_PLANNERS_REPAIR_EXPANSION_LOG_H

#include "base/arena.h"
#include "planners/grid/batch_summary.h"
#include "planners/grid/cost.h"

typedef struct rp_expansion_log {
    uint32_t *places; ///< by cell: its place in the log, when the log says so too [capacity]
    rp_cell_t *cells; ///< the log [capacity]
    uint32_t length;
    uint32_t capacity;
} rp_expansion_log_t;

/// What the two arrays take.
#define RP_EXPANSION_LOG_BYTES_PER_CELL (sizeof(uint32_t) + sizeof(rp_cell_t))

/// @param cells  number of places of the grid
static inline void rp_expansion_log_init(rp_expansion_log_t *self, uint32_t cells,
                                         rp_arena_t *arena)
{
    *self = (rp_expansion_log_t){.capacity = cells};
    self->places = rp_arena_new(arena, cells, sizeof *self->places);
    self->cells = rp_arena_new(arena, cells, sizeof *self->cells);
}

/// True when the cell stands in the log before `limit`, which must not be beyond its length.
static inline bool rp_expansion_log_have_before(const rp_expansion_log_t *self, rp_cell_t cell,
                                                uint32_t limit)
{
    const uint32_t place = self->places[cell];
    return place < limit && self->cells[place] == cell;
}

/// True when the cell is closed.
static inline bool rp_expansion_log_have(const rp_expansion_log_t *self, rp_cell_t cell)
{
    return rp_expansion_log_have_before(self, cell, self->length);
}

static inline void rp_expansion_log_append(rp_expansion_log_t *self, rp_cell_t cell)
{
    self->places[cell] = self->length;
    self->cells[self->length++] = cell;
}

/// How much of the log a change leaves standing. A dearer cell matters when it was expanded itself,
/// a cheaper one when a neighbour was. With diagonals a cell that blocks also closes those beside
/// it, which were used before it was expanded.
/// @param limit  what the changes before it leave
/// @return at most `limit`
static inline uint32_t rp_expansion_log_limit(const rp_expansion_log_t *self, const rp_grid_t *grid,
                                              const rp_change_t *change, uint32_t limit)
{
    if (rp_expansion_log_have_before(self, change->cell, limit)) {
        limit = self->places[change->cell];
    }
    const bool has_diagonals = grid->shape.neighbors == 8;
    unsigned step = 2;
    if (!rp_change_is_dearer(change)) {
        step = has_diagonals ? 1 : 2;
    } else if (change->after != 0 || !has_diagonals) {
        return limit;
    }
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction += step) {
        const rp_cell_t beside = rp_grid_step(grid, change->cell, direction);
        if (rp_expansion_log_have_before(self, beside, limit)) {
            limit = self->places[beside] + 1u;
        }
    }
    return limit;
}

#endif
