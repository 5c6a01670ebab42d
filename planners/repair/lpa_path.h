/// @file
/// Paths out of a search by LPA* (repair/lpa_core.h): from the target along the cells that give
/// each its rhs, until the path known before is met.
#ifndef REPLAN_PLANNERS_REPAIR_LPA_PATH_H
#define REPLAN_PLANNERS_REPAIR_LPA_PATH_H

#include "planners/repair/lpa_core.h"

/// The neighbour that gives a cell its rhs, straight on if it is one of several.
static inline rp_cell_t rp_lpa_path_parent(const rp_lpa_core_t *self, rp_cell_t cell, rp_cost_t rhs,
                                           unsigned *heading)
{
    const rp_grid_t *grid = self->grid;
    unsigned direction = *heading;
    rp_cell_t next;
    if (((grid->moves[cell] >> direction) & 1u) != 0) {
        next = rp_grid_step(grid, cell, direction);
        const rp_cost_t edge = rp_edge(&self->metric, cell, next, direction);
        if (rhs >= edge && rp_lpa_core_g(self, next) == rhs - edge) {
            return next;
        }
    }
    RP_FOR_MOVES (grid, cell, direction, next) {
        const rp_cost_t edge = rp_edge(&self->metric, cell, next, direction);
        if (rhs >= edge && rp_lpa_core_g(self, next) == rhs - edge) {
            *heading = direction;
            return next;
        }
    }
    return RP_NO_CELL;
}

/// True when a path from this cell at this cost may follow the cached path, as the rest of that is
/// optimal.
static inline bool rp_lpa_path_joins(const rp_lpa_core_t *self, rp_cell_t cell, rp_cost_t cost)
{
    return rp_path_cache_leads_from(&self->path_cache, cell) &&
           self->path_cache.steps[rp_path_cache_place(&self->path_cache, cell)].cost == cost;
}

/// Walk from the target until the cached path is met, or a root.
/// @return where that is; RP_NO_CELL when no step leads on as cheaply as the rhs of the last cell
///         says, which a search that was told of everything never finds
static inline rp_cell_t rp_lpa_path_walk(rp_lpa_core_t *self)
{
    rp_cell_t cell = self->target;
    rp_cost_t cost = self->nodes[cell].rhs;
    unsigned heading = 0;
    self->walked = 0;
    while (!rp_lpa_path_joins(self, cell, cost)) {
        const bool is_root = (self->nodes[cell].mark & RP_LPA_CORE_ROOT) != 0;
        if (is_root && rp_lpa_core_offset(self, cell) == cost) {
            break;
        }
        self->walk[self->walked++] = (rp_path_cache_step_t){cell, cost};
        cell = rp_lpa_path_parent(self, cell, cost, &heading);
        if (cell == RP_NO_CELL) {
            break;
        }
        cost = self->nodes[cell].g;
    }
    return cell;
}

/// Lay the cached path along what was walked. What the target has left behind is cut off.
/// @param tail  where the cached path was met, or a root
static inline void rp_lpa_path_lay(rp_lpa_core_t *self, rp_cell_t tail)
{
    rp_path_cache_t *path_cache = &self->path_cache;
    const uint32_t count = self->walked;
    const rp_cost_t cost = count != 0 ? self->nodes[tail].g : self->nodes[tail].rhs;
    if (!rp_lpa_path_joins(self, tail, cost)) {
        rp_path_cache_reset(path_cache, tail, cost);
    }
    const uint32_t gap = rp_path_cache_splice(path_cache, rp_path_cache_place(path_cache, tail),
                                              count, RP_PATH_CACHE_NONE);
    for (uint32_t i = 0; i < count; i++) {
        rp_path_cache_fill(path_cache, gap + i, self->walk[count - 1u - i].cell,
                           self->walk[count - 1u - i].cost);
    }
}

/// After the search: make the cached path lead from the target to a root. Time: O(1) when the old
/// cached path does, else O(its new cells).
/// @return RP_NO_CELL; or, for a search that was not told of all that was blocked, the cell where
///         the path ends that it has found: nothing has changed then
static inline rp_cell_t rp_lpa_path_trace(rp_lpa_core_t *self)
{
    rp_path_cache_t *path_cache = &self->path_cache;
    const bool had_path = self->has_path;
    const uint32_t end = path_cache->end;
    const bool has_path = self->nodes[self->target].rhs != RP_COST_INF;
    const rp_cell_t tail = has_path ? rp_lpa_path_walk(self) : RP_NO_CELL;
    if (has_path && tail == RP_NO_CELL) {
        return self->walk[self->walked - 1u].cell;
    }
    self->has_path = has_path;
    self->path_is_new = true;
    if (!has_path) {
        return RP_NO_CELL;
    }
    rp_path_cache_note_written(path_cache, had_path);
    if (self->walked == 0 && rp_lpa_path_joins(self, tail, self->nodes[tail].rhs)) {
        rp_path_cache_end_at(path_cache, tail);
        self->path_is_new = !had_path || path_cache->end != end;
    } else {
        rp_lpa_path_lay(self, tail);
    }
    return RP_NO_CELL;
}

#endif
