/// @file
/// A field search: A* through a field towards its root, with h = d. The user puts cells into OPEN,
/// and decides when the search ends.
///
/// As d is consistent, no cell is expanded twice. Cells whose f is beyond the ceiling are left out,
/// and so are cells behind sleeping ones (field/deferred_decreases.h).
///
/// OPEN may be coarse, with buckets for several values of f each, on ground where f has so many
/// values that hardly two cells would share a bucket. A cell may be closed too early then, and be
/// closed again. The user must not end the search before no bucket is left that could hold anything
/// better.
#ifndef REPLAN_PLANNERS_FIELD_FIELD_SEARCH_H
#define REPLAN_PLANNERS_FIELD_FIELD_SEARCH_H

#include "planners/field/deferred_decreases.h"
#include "planners/grid/search_stats.h"
#include "planners/open/buckets.h"
#include "replan/trace.h"

/// Hot members first.
typedef struct rp_field_search {
    rp_node_t *nodes;                        ///< by cell: g in this search [grid->cell_count]
    const rp_field_t *field;                 ///< borrowed: d. It may lie on another grid
    const rp_grid_t *grid;                   ///< borrowed; searched
    rp_metric_t metric;                      ///< of `grid`
    rp_buckets_t open;                       ///< by f = g + d; the note is g
    rp_cost_t ceiling;                       ///< cells of greater f are left out
    uint32_t search;                         ///< number of this search, in place for marks
    bool is_pruned;                          ///< it left out a cell
    uint32_t closed_count;                   ///< of this search; one that comes again counts again
    uint32_t closed_peak;                    ///< greatest of all searches before this one
    const rp_deferred_decreases_t *deferred; ///< borrowed; all zero where none may sleep
    rp_prefault_t prefault;                  ///< of the nodes
} rp_field_search_t;

/// An rp_bucket_is_live_t.
static inline bool rp_field_search_is_live(const void *owner, const rp_bucket_entry_t *entry)
{
    const rp_field_search_t *self = owner;
    const rp_node_t *node = &self->nodes[entry->cell];
    return node->g == entry->note && (node->mark & RP_NODE_CLOSED) == 0;
}

// ---- OPEN

static inline void rp_field_search_push(rp_field_search_t *self, rp_cell_t cell, rp_cost_t f,
                                        rp_cost_t g)
{
    if (rp_buckets_is_full(&self->open)) {
        rp_buckets_sweep(&self->open, rp_field_search_is_live, self);
    }
    rp_buckets_push(&self->open, f, g, cell);
}

/// No cell in OPEN has a smaller f. RP_COST_INF when it is empty.
static inline rp_cost_t rp_field_search_least(rp_field_search_t *self)
{
    return self->open.count == 0 ? RP_COST_INF : rp_buckets_top(&self->open);
}

/// The first entry leaves OPEN, right after rp_field_search_least(), which was not RP_COST_INF.
/// @return RP_NO_CELL when it was stale
static inline rp_cell_t rp_field_search_take(rp_field_search_t *self)
{
    const rp_bucket_entry_t *entry = rp_buckets_take(&self->open);
    return rp_field_search_is_live(self, entry) ? entry->cell : RP_NO_CELL;
}

// ---- search

/// Begin a search with nothing in OPEN, as far as the field reaches.
static inline void rp_field_search_begin(rp_field_search_t *self)
{
    const rp_field_t *field = self->field;
    self->search = rp_nodes_next_search(self->search, self->nodes, self->grid->cell_count);
    rp_buckets_clear(&self->open);
    self->closed_peak =
        self->closed_count > self->closed_peak ? self->closed_count : self->closed_peak;
    self->closed_count = 0;
    self->ceiling = field->limit == RP_FIELD_WHOLE ? RP_COST_INF : field->limit - field->shift;
    self->is_pruned = false;
}

/// Put a cell in that can be reached at cost g without the search's help.
static inline void rp_field_search_put_root(rp_field_search_t *self, rp_cell_t cell, rp_cost_t g)
{
    self->nodes[cell] = (rp_node_t){g, self->search | RP_NODE_ROOT};
    rp_field_search_push(self, cell, g + rp_field_at(self->field, cell), g);
}

/// Close a cell that was taken out of OPEN; the caller has counted the budget down for it.
static inline void rp_field_search_shut(rp_field_search_t *self, rp_cell_t cell, uint64_t *budget,
                                        rp_search_stats_t *stats)
{
    stats->expanded++;
    RP_TRACE(cell, EXPANDED);
    rp_prefault_note(&self->prefault, cell, budget);
    self->nodes[cell].mark |= RP_NODE_CLOSED;
    self->closed_count++;
}

/// Close the first cell of OPEN, as rp_field_search_take(); this takes one from the budget.
/// @return RP_NO_CELL when its entry was stale: nothing was closed
static inline rp_cell_t rp_field_search_close(rp_field_search_t *self, uint64_t *budget,
                                              rp_search_stats_t *stats)
{
    const rp_cell_t cell = rp_field_search_take(self);
    --*budget;
    if (cell != RP_NO_CELL) {
        rp_field_search_shut(self, cell, budget, stats);
    }
    return cell;
}

/// Put the neighbours of a closed cell into OPEN.
static inline void rp_field_search_expand(rp_field_search_t *self, rp_cell_t cell,
                                          rp_search_stats_t *stats)
{
    const rp_field_t *field = self->field;
    const rp_grid_t *grid = self->grid;
    const rp_metric_t *metric = &self->metric;
    const uint32_t search = self->search;
    const rp_cost_t ceiling = self->ceiling;
    const bool has_sleepers = self->deferred->count != 0;
    rp_node_t *nodes = self->nodes;
    const rp_cost_t g = nodes[cell].g;
    unsigned direction;
    rp_cell_t next;
    RP_FOR_MOVES (grid, cell, direction, next) {
        rp_node_t *node = &nodes[next];
        const rp_cost_t g_next = g + rp_edge(metric, cell, next, direction);
        if (rp_node_is_of(node, search) && node->g <= g_next) {
            continue;
        }
        if (has_sleepers &&
            rp_deferred_decreases_bar(self->deferred, grid, cell, direction, next)) {
            self->is_pruned = true;
            continue;
        }
        const rp_cost_t f = g_next + rp_field_at(field, next); // known: `cell` is not waiting
        if (f > ceiling) {
            self->is_pruned = true;
            continue;
        }
        *node = (rp_node_t){g_next, search | rp_direction_back(direction)};
        rp_field_search_push(self, next, f, g_next);
        stats->generated++;
    }
}

// ---- birth and death

/// @param grid    what is searched, as large as what the field lies on
/// @param coarse  steps of f in OPEN are 2^coarse
static inline void rp_field_search_init(rp_field_search_t *self, const rp_grid_t *grid,
                                        const rp_field_t *field,
                                        const rp_deferred_decreases_t *deferred, unsigned coarse,
                                        rp_arena_t *arena)
{
    const uint32_t cells = grid->cell_count;
    *self = (rp_field_search_t){
        .grid = grid, .metric = rp_metric_of(grid), .field = field, .deferred = deferred};
    rp_buckets_init(&self->open, cells, coarse, 2u * self->metric.dearest, arena);
    self->nodes =
        rp_arena_new_by_cell(arena, &self->prefault, cells, sizeof *self->nodes, grid->stride);
}

#endif
