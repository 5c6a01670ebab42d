/// @file
/// The common part of FSA* and iA*: A* from the start with a log of its expansions. After changes
/// the log is cut where they may have altered the search, and the search goes on from there. Closed
/// cells have their exact g for any goal, and are never rewritten.
///
/// Rebuilding OPEN as it was at the cut is left to the user; all else is here.
#ifndef REPLAN_PLANNERS_REPAIR_PREFIX_REUSE_H
#define REPLAN_PLANNERS_REPAIR_PREFIX_REUSE_H

#include <string.h>

#include "base/bits.h"
#include "base/prefault.h"
#include "planners/grid/member_options.h"
#include "planners/grid/metric.h"
#include "planners/grid/search_stats.h"
#include "planners/open/extract.h"
#include "planners/open/nodes.h"
#include "planners/open/open_list.h"
#include "planners/repair/expansion_log.h"
#include "replan/planner.h"
#include "replan/trace.h"

typedef struct rp_prefix_reuse {
    rp_node_t *nodes; ///< by cell; which of them are of `search` the user says
    const rp_grid_t *grid;
    rp_metric_t metric;
    rp_expansion_log_t log; ///< the closed cells, the start first
    rp_open_list_t open;
    uint32_t search; ///< number of this OPEN, in place for marks
    rp_cell_t start;
    rp_cell_t goal;
    rp_point_t goal_point;
    rp_prefault_t prefault;         ///< of the nodes
    RP_TRACE_ONLY(uint8_t *traced;) ///< by cell, one bit: expanded by this plan
} rp_prefix_reuse_t;

/// What a cell takes, but for its entry in OPEN.
#define RP_PREFIX_REUSE_BYTES_PER_CELL (sizeof(rp_node_t) + RP_EXPANSION_LOG_BYTES_PER_CELL)

// ---- one cell

/// Mark a closed cell beside OPEN as one of the present search, so that no step back rewrites it.
static inline void rp_prefix_reuse_hold(const rp_prefix_reuse_t *self, rp_node_t *node)
{
    const uint32_t way = node->mark & (RP_NODE_DIRECTION | RP_NODE_ROOT);
    node->mark = way | RP_NODE_CLOSED | self->search;
}

static inline bool rp_prefix_reuse_is_closed(const rp_prefix_reuse_t *self, rp_cell_t cell)
{
    return rp_expansion_log_have(&self->log, cell);
}

/// An rp_is_live_t, whose owner is an rp_prefix_reuse_t: true when the cell is in OPEN with this g.
static inline bool rp_prefix_reuse_is_live(const void *owner, rp_cell_t cell, rp_cost_t g)
{
    const rp_prefix_reuse_t *self = owner;
    const rp_node_t *node = &self->nodes[cell];
    const uint32_t mark = node->mark & ~(RP_NODE_DIRECTION | RP_NODE_ROOT);
    return node->g == g && mark == self->search;
}

static inline rp_key_t rp_prefix_reuse_key(const rp_prefix_reuse_t *self, rp_cell_t cell)
{
    const rp_cost_t g = self->nodes[cell].g;
    const rp_cost_t h = rp_bound(&self->metric, rp_point_of(self->grid, cell), self->goal_point);
    return rp_key(g + h, RP_COST_INF - g);
}

/// The least g that closed neighbours offer a cell; RP_COST_INF when it has none.
static inline rp_cost_t rp_prefix_reuse_offer(const rp_prefix_reuse_t *self, rp_cell_t cell)
{
    rp_cost_t least = RP_COST_INF;
    unsigned direction;
    rp_cell_t next;
    RP_FOR_MOVES (self->grid, cell, direction, next) {
        if (rp_prefix_reuse_is_closed(self, next)) {
            const rp_cost_t g = self->nodes[next].g + rp_edge(&self->metric, next, cell, direction);
            least = g < least ? g : least;
        }
    }
    return least;
}

/// The invariant of the log, at one place: the cell stands there, a cell before it explains its g,
/// and no closed cell offers less.
static inline bool rp_prefix_reuse_check_closed(const rp_prefix_reuse_t *self, uint32_t place)
{
    const rp_cell_t cell = self->log.cells[place];
    const rp_node_t *node = &self->nodes[cell];
    if (self->log.places[cell] != place || self->grid->factor[cell] == 0) {
        return false;
    }
    const bool is_root = (node->mark & RP_NODE_ROOT) != 0;
    if (is_root || place == 0) {
        return is_root && place == 0 && cell == self->start && node->g == 0;
    }
    const unsigned back = node->mark & RP_NODE_DIRECTION;
    const rp_cell_t parent = rp_grid_step(self->grid, cell, back);
    return ((self->grid->moves[cell] >> back) & 1u) != 0 &&
           rp_prefix_reuse_is_closed(self, parent) && self->log.places[parent] < place &&
           self->nodes[parent].g + rp_edge(&self->metric, parent, cell, back) == node->g &&
           rp_prefix_reuse_offer(self, cell) >= node->g;
}

// ---- the search

static inline void rp_prefix_reuse_push(rp_prefix_reuse_t *self, rp_open_t kind, rp_cell_t cell)
{
    const rp_key_t key = rp_prefix_reuse_key(self, cell);
    rp_open_push(&self->open, kind, rp_key_first(key), self->nodes[cell].g, cell,
                 rp_prefix_reuse_is_live, self);
}

/// Empty OPEN, and draw a new search number. Closed cells stay closed.
static inline void rp_prefix_reuse_renew_open(rp_prefix_reuse_t *self)
{
    self->search = rp_nodes_next_search(self->search, self->nodes, self->grid->cell_count);
    rp_open_clear(&self->open);
}

/// Make a heap of cells that were listed in OPEN without keys, each once.
static inline void rp_prefix_reuse_order_open(rp_prefix_reuse_t *self)
{
    rp_heap_t *heap = &self->open.heap;
    for (uint32_t i = 0; i < heap->count; i++) {
        heap->entries[i].key = rp_prefix_reuse_key(self, heap->entries[i].cell);
    }
    heap->peak = heap->count > heap->peak ? heap->count : heap->peak;
    rp_heap_restore(heap);
}

/// The goal moved: compute the keys of the heap anew.
static inline void rp_prefix_reuse_renew_keys(rp_prefix_reuse_t *self)
{
    rp_heap_t *heap = &self->open.heap;
    uint32_t count = 0;
    for (uint32_t i = 0; i < heap->count; i++) {
        const rp_heap_entry_t entry = heap->entries[i];
        if (rp_prefix_reuse_is_live(self, entry.cell, RP_COST_INF - rp_key_second(entry.key))) {
            heap->entries[count++] = entry;
        }
    }
    heap->count = count;
    rp_prefix_reuse_order_open(self);
}

static inline void rp_prefix_reuse_set_goal(rp_prefix_reuse_t *self, rp_cell_t goal)
{
    self->goal = goal;
    self->goal_point = rp_point_of(self->grid, goal);
}

/// Begin anew: OPEN holds the start alone.
static inline void rp_prefix_reuse_begin(rp_prefix_reuse_t *self, rp_open_t kind, rp_cell_t start,
                                         rp_cell_t goal)
{
    rp_prefix_reuse_renew_open(self);
    self->log.length = 0;
    self->start = start;
    rp_prefix_reuse_set_goal(self, goal);
    self->nodes[start] = (rp_node_t){0, self->search | RP_NODE_ROOT};
    rp_prefix_reuse_push(self, kind, start);
}

/// Expand a cell that left OPEN: append it to the log, and put each neighbour into OPEN that it
/// lowers. The goal is expanded like any other cell, so that a search for another goal can go on.
RP_SEARCH_LOOP void rp_prefix_reuse_expand(rp_prefix_reuse_t *self, rp_open_t kind, rp_cell_t cell,
                                           rp_search_stats_t *stats)
{
    const rp_grid_t *grid = self->grid;
    const uint32_t search = self->search;
    rp_node_t *nodes = self->nodes;
    const rp_cost_t g = nodes[cell].g;
    unsigned direction;
    rp_cell_t next;
    nodes[cell].mark |= RP_NODE_CLOSED;
    rp_expansion_log_append(&self->log, cell);
    RP_TRACE_ONLY(rp_bits_set(self->traced, cell, true));
    RP_FOR_MOVES (grid, cell, direction, next) {
        rp_node_t *node = &nodes[next];
        const rp_cost_t g_next = g + rp_edge(&self->metric, cell, next, direction);
        if (rp_node_is_of(node, search) && node->g <= g_next) {
            continue;
        }
        *node = (rp_node_t){g_next, search | rp_direction_back(direction)};
        rp_prefix_reuse_push(self, kind, next);
        stats->generated++;
    }
}

#ifdef REPLAN_TRACE
/// The search is over: tell the closed cells that it found closed.
static inline void rp_prefix_reuse_trace_reused(const rp_prefix_reuse_t *self)
{
    const bool is_wanted = rp_trace(RP_NO_CELL, RP_TRACE_REUSED);
    for (uint32_t place = 0; is_wanted && place < self->log.length; place++) {
        const rp_cell_t cell = self->log.cells[place];
        if (!rp_bits_has(self->traced, cell)) {
            rp_trace(cell, RP_TRACE_REUSED);
        }
    }
    memset(self->traced, 0, self->grid->cell_count / 8u + 1u);
}
#endif

// ---- changes

/// True when no search number is left. Only rp_prefix_reuse_begin() clears the nodes, and the log
/// with them.
static inline bool rp_prefix_reuse_is_worn_out(const rp_prefix_reuse_t *self)
{
    return self->search + RP_NODE_SEARCH == 0;
}

/// Cut the log before the first expansion that the changes may have altered.
/// @return true when it became shorter: OPEN must be rebuilt then
static inline bool rp_prefix_reuse_cut(rp_prefix_reuse_t *self, const rp_change_t *changes,
                                       size_t count)
{
    uint32_t limit = self->log.length;
    for (size_t i = 0; i < count; i++) {
        limit = rp_expansion_log_limit(&self->log, self->grid, &changes[i], limit);
    }
    const bool is_cut = limit < self->log.length;
    self->log.length = limit;
    return is_cut;
}

// ---- path

/// The slot `path` of a user whose state begins with it.
static inline uint32_t rp_prefix_reuse_path(const void *state, rp_cell_t *cells,
                                            rp_path_stands_t *stands)
{
    const rp_prefix_reuse_t *self = state;
    (void)stands; // all of it is written
    RP_TRACE_ONLY(rp_prefix_reuse_trace_reused(self));
    if (!rp_prefix_reuse_is_closed(self, self->goal)) {
        return 0;
    }
    const uint32_t count = rp_extract_back(self->grid, self->nodes, self->goal, cells);
    rp_extract_reverse(cells, count);
    return count;
}

// ---- birth and death

/// @param kind  the dearest form of OPEN that will be asked for
static inline void rp_prefix_reuse_init(rp_prefix_reuse_t *self, const rp_grid_t *grid,
                                        rp_open_t kind, rp_arena_t *arena)
{
    self->grid = grid;
    self->metric = rp_metric_of(grid);
    self->nodes = rp_arena_new_by_cell(arena, &self->prefault, grid->cell_count,
                                       sizeof *self->nodes, grid->stride);
    rp_open_init(&self->open, kind, grid->cell_count, 0, self->metric.dearest, arena);
    rp_expansion_log_init(&self->log, grid->cell_count, arena);
    RP_TRACE_ONLY(self->traced = rp_bits_new(arena, grid->cell_count));
}

#endif
