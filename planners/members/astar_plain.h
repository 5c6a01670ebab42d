/// @file
/// A* on plain ground: 4 neighbours, uniform, not wrapped. A step changes f by 0, towards the
/// target, or by 2, away from it. So OPEN is two stacks, f is never computed, and g is never
/// stored: g = f - h, and f is told by the stack. What is left of a cell is one word:
///
///     mark:  | search number, 26 bits | stack, 1 | root, 1 | closed, 1 | direction back, 3 |
///
/// Half of what another search reads and writes. Source: ours.
#ifndef REPLAN_PLANNERS_MEMBERS_ASTAR_PLAIN_H
#define REPLAN_PLANNERS_MEMBERS_ASTAR_PLAIN_H

#include <string.h>

#include "base/prefault.h"
#include "planners/grid/metric.h"
#include "planners/grid/search_stats.h"
#include "planners/open/nodes.h"
#include "planners/open/open_list.h"
#include "planners/open/stacks.h"
#include "replan/trace.h"

typedef struct rp_astar_plain {
    uint32_t *marks; ///< owned, by cell; NULL where the ground is not plain
    rp_stacks_t stacks;
    rp_point_t target_point;
    rp_cell_t target;
    uint32_t search; ///< number of this search, in place for marks
    uint32_t bucket; ///< which stack the cell expanded last was in
    bool found;
    rp_prefault_t prefault; ///< of the marks
} rp_astar_plain_t;

#define RP_ASTAR_PLAIN_STACK                                                                       \
    32u ///< which stack the cell was put on; RP_NODE_ROOT and less as in nodes.h
#define RP_ASTAR_PLAIN_SEARCH 64u ///< one search number

static inline void rp_astar_plain_init(rp_astar_plain_t *self, const rp_grid_t *grid,
                                       rp_arena_t *arena)
{
    *self = (rp_astar_plain_t){0};
    self->marks = rp_arena_new_by_cell(arena, &self->prefault, grid->cell_count,
                                       sizeof *self->marks, grid->stride);
    rp_stacks_init(&self->stacks, grid->cell_count, arena);
}

static inline void rp_astar_plain_begin(rp_astar_plain_t *self, const rp_grid_t *grid,
                                        rp_cell_t start, rp_cell_t target)
{
    self->search += RP_ASTAR_PLAIN_SEARCH;
    if (self->search == 0) {
        memset(self->marks, 0, (size_t)grid->cell_count * sizeof *self->marks);
        self->search = RP_ASTAR_PLAIN_SEARCH;
    }
    self->target = target;
    self->target_point = rp_point_of(grid, target);
    self->bucket = UINT32_MAX;
    self->found = false;
    rp_stacks_clear(&self->stacks);
    self->marks[start] =
        self->search | RP_NODE_ROOT | (self->stacks.now != 0 ? RP_ASTAR_PLAIN_STACK : 0u);
    rp_stacks_push(&self->stacks, 0, start);
}

/// True when the cell was put on a stack or closed in this search.
static inline bool rp_astar_plain_is_reached(uint32_t mark, uint32_t search)
{
    return (mark & ~(RP_ASTAR_PLAIN_SEARCH - 1u)) == search;
}

/// One step: a cell reached first, or before its turn on the later stack, goes onto a stack. One
/// that is closed, or waits on the stack of now, cannot be reached more cheaply.
/// @param now  the stack of now, in place for marks
RP_SEARCH_LOOP void rp_astar_plain_step(uint32_t *marks, rp_stacks_t *stacks, uint32_t search,
                                        uint32_t now, unsigned moves, unsigned direction,
                                        rp_cell_t next, bool is_away)
{
    if (((moves >> direction) & 1u) == 0) {
        return;
    }
    const uint32_t mark = marks[next];
    const bool is_late =
        (mark & (RP_NODE_CLOSED | RP_ASTAR_PLAIN_STACK)) == (now ^ RP_ASTAR_PLAIN_STACK);
    if (rp_astar_plain_is_reached(mark, search) && (is_away || !is_late)) {
        return;
    }
    const uint32_t stack = now ^ (is_away ? RP_ASTAR_PLAIN_STACK : 0u);
    marks[next] = search | stack | rp_direction_back(direction);
    rp_stacks_push(stacks, is_away, next);
}

/// Search on. The caller's statistics are written as A*'s.
static inline rp_status_t rp_astar_plain_search(rp_astar_plain_t *self, const rp_grid_t *grid,
                                                uint64_t *budget, rp_search_stats_t *stats)
{
    const uint32_t search = self->search;
    const rp_point_t target = self->target_point;
    const rp_cell_t stride = grid->stride;
    uint32_t *marks = self->marks;
    rp_stacks_t stacks = self->stacks; // a local copy, which no store to a mark can alias
    uint64_t left = *budget;
    uint64_t expanded = 0;
    uint64_t bucket_from = 0; // what was expanded when this stack began
    uint64_t generated = 0;
    rp_status_t status = RP_MORE;
    while (left != 0) {
        const rp_cell_t cell = rp_stacks_pop(&stacks);
        if (cell == RP_NO_CELL) {
            status = RP_OK;
            break;
        }
        if ((marks[cell] & RP_NODE_CLOSED) != 0) {
            continue; // an older entry of a cell that was reached more cheaply since
        }
        marks[cell] |= RP_NODE_CLOSED;
        if (stacks.now != self->bucket) {
            self->bucket = stacks.now;
            bucket_from = expanded;
            stats->iterations++;
            stats->expanded_last = 0;
        }
        expanded++;
        RP_TRACE(cell, EXPANDED);
        left--;
        rp_prefault_note(&self->prefault, cell, &left);
        if (cell == self->target) {
            self->found = true;
            status = RP_OK;
            break;
        }
        const rp_point_t at = rp_point_of(grid, cell);
        const unsigned moves = grid->moves[cell];
        const uint32_t now = stacks.now != 0 ? RP_ASTAR_PLAIN_STACK : 0u;
        const uint32_t before = stacks.count[0] + stacks.count[1];
        rp_astar_plain_step(marks, &stacks, search, now, moves, 0, cell + 1u, at.x >= target.x);
        rp_astar_plain_step(marks, &stacks, search, now, moves, 4, cell - 1u, at.x <= target.x);
        rp_astar_plain_step(marks, &stacks, search, now, moves, 2, cell + stride, at.y >= target.y);
        rp_astar_plain_step(marks, &stacks, search, now, moves, 6, cell - stride, at.y <= target.y);
        generated += stacks.count[0] + stacks.count[1] - before;
    }
    stats->expanded += expanded;
    stats->expanded_last += expanded - bucket_from;
    stats->generated += generated;
    self->stacks = stacks;
    *budget = left;
    return status;
}

/// The path, the target first. @return its number of cells; 0: none was found
static inline uint32_t rp_astar_plain_path(const rp_astar_plain_t *self, const rp_grid_t *grid,
                                           rp_cell_t *cells)
{
    uint32_t count = 0;
    rp_cell_t cell = self->target;
    while (self->found) {
        const uint32_t mark = self->marks[cell];
        cells[count++] = cell;
        if ((mark & RP_NODE_ROOT) != 0) {
            break;
        }
        cell = rp_grid_step(grid, cell, mark & RP_NODE_DIRECTION);
    }
    return count;
}

/// Each closed cell but the root has a closed parent, and a way to it.
static inline bool rp_astar_plain_check(const rp_astar_plain_t *self, const rp_grid_t *grid)
{
    for (rp_cell_t cell = 0; cell < grid->cell_count; cell++) {
        const uint32_t mark = self->marks[cell];
        if (!rp_astar_plain_is_reached(mark, self->search) || (mark & RP_NODE_CLOSED) == 0 ||
            (mark & RP_NODE_ROOT) != 0) {
            continue;
        }
        const unsigned back = mark & RP_NODE_DIRECTION;
        const uint32_t parent = self->marks[rp_grid_step(grid, cell, back)];
        if (((grid->moves[cell] >> back) & 1u) == 0 ||
            !rp_astar_plain_is_reached(parent, self->search) || (parent & RP_NODE_CLOSED) == 0) {
            return false;
        }
    }
    return true;
}

/// Bytes that marks take, and stacks took at most.
static inline uint64_t rp_astar_plain_bytes(const rp_astar_plain_t *self, const rp_grid_t *grid)
{
    const uint64_t marks = self->marks != NULL ? sizeof *self->marks : 0u;
    return marks * grid->cell_count + rp_stacks_bytes(&self->stacks);
}

#endif
