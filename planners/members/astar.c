/// A*: the search that starts over each time, and the floor that every other planner has to beat.
///
/// Paper: Hart, Nilsson, Raphael 1968; the form and the order of ties of "Fringe-Saving A*" (Sun,
/// Koenig 2007), section 3: least f, ties to larger g. Guarantee: optimal. Cost of a change: a new
/// search. Bytes a cell: 8, and 16 for each cell in OPEN at its largest. Choose it when everything
/// changes, or when a path is asked for once.
///
/// One goal: from the start towards the goal. Several: from all goals towards the start, which is
/// the same as costs are symmetric.
///
/// OPEN is a heap, or buckets.
#include "planners/core/planner_ops.h"

#include "base/prefault.h"
#include "planners/grid/metric.h"
#include "planners/open/extract.h"
#include "planners/open/nodes.h"
#include "planners/open/open_list.h"
#include "replan/trace.h"

// ---- state

typedef struct astar {
    rp_node_t *nodes; ///< by cell
    const rp_grid_t *grid;
    rp_metric_t metric;
    rp_open_list_t open;
    rp_member_options_t options;
    uint32_t search;  ///< number of this search, in place for marks
    rp_cell_t target; ///< where the search ends
    rp_point_t target_point;
    rp_prefault_t prefault; ///< of the nodes
    rp_cell_t held;         ///< held back by a variant at the end of a slice
    rp_cost_t last_f;       ///< f of the cell expanded last
    rp_open_t kind;         ///< what this search uses
    bool from_goals;        ///< roots are goals, the target is the start
    bool found;
} astar_t;

static bool is_open(const void *owner, rp_cell_t cell, rp_cost_t g)
{
    const astar_t *self = owner;
    const rp_node_t *node = &self->nodes[cell];
    return node->g == g && (node->mark & RP_NODE_CLOSED) == 0;
}

// ---- invariants

/// Each closed cell but a root has a closed parent, one edge cheaper.
static bool astar_check(const void *state)
{
    const astar_t *self = state;
    for (rp_cell_t cell = 0; cell < self->grid->cell_count; cell++) {
        const rp_node_t *node = &self->nodes[cell];
        if (!rp_node_is_closed(node, self->search) || (node->mark & RP_NODE_ROOT) != 0) {
            continue;
        }
        const unsigned back = node->mark & RP_NODE_DIRECTION;
        const rp_cell_t parent = rp_grid_step(self->grid, cell, back);
        const rp_node_t *from = &self->nodes[parent];
        if (!rp_node_is_closed(from, self->search) ||
            from->g + rp_edge(&self->metric, parent, cell, back) != node->g) {
            return false;
        }
    }
    return true;
}

// ---- search

static void put_root(astar_t *self, rp_cell_t cell, rp_cost_t g)
{
    const rp_cost_t h = rp_bound(&self->metric, rp_point_of(self->grid, cell), self->target_point);
    self->nodes[cell] = (rp_node_t){g, self->search | RP_NODE_ROOT};
    rp_open_push(&self->open, self->kind, g + h, g, cell, is_open, self);
}

static void astar_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    astar_t *self = state;
    self->from_goals = goal_count > 1 || goals[0].offset != 0;
    self->search = rp_nodes_next_search(self->search, self->nodes, self->grid->cell_count);
    self->found = false;
    self->held = RP_NO_CELL;
    self->last_f = RP_COST_INF;
    self->target = self->from_goals ? start : goals[0].cell;
    self->target_point = rp_point_of(self->grid, self->target);
    // Roots of unlike cost may lie farther apart in f than the ring of buckets is long.
    self->kind = self->from_goals ? RP_OPEN_HEAP : self->options.open;
    rp_open_clear(&self->open);
    if (!self->from_goals) {
        put_root(self, start, 0);
        return;
    }
    for (size_t i = 0; i < goal_count; i++) {
        put_root(self, goals[i].cell, goals[i].offset * self->metric.cell_length);
    }
}

static inline void open_push(astar_t *self, rp_open_t kind, rp_cost_t f, rp_cell_t cell,
                             rp_search_stats_t *stats)
{
    rp_open_push(&self->open, kind, f, self->nodes[cell].g, cell, is_open, self);
    stats->generated++;
}

/// f never falls from one expansion to the next, so each value of it is one iteration.
static inline void count_expansion(astar_t *self, rp_cell_t cell, rp_search_stats_t *stats)
{
    const rp_cost_t h = rp_bound(&self->metric, rp_point_of(self->grid, cell), self->target_point);
    const rp_cost_t f = self->nodes[cell].g + h;
    if (f != self->last_f) {
        self->last_f = f;
        stats->iterations++;
        stats->expanded_last = 0;
    }
    stats->expanded++;
    stats->expanded_last++;
}

/// The first entry of OPEN, which must not be empty; a cell that leaves a heap leaves its place
/// open until its neighbours are known.
/// @return RP_NO_CELL when it was stale
static inline rp_cell_t open_take(astar_t *self, rp_open_t kind, bool fills)
{
    if (!fills) {
        return rp_open_take(&self->open, kind, is_open, self);
    }
    rp_heap_t *heap = &self->open.heap;
    const rp_heap_entry_t top = heap->entries[0];
    if (!is_open(self, top.cell, RP_COST_INF - rp_key_second(top.key))) {
        rp_heap_pop(heap);
        return RP_NO_CELL;
    }
    if (rp_heap_room(heap) < RP_DIRECTIONS) { // the sweep leaves this entry where it is
        rp_open_sweep_heap(&self->open, is_open, self);
    }
    rp_heap_open(heap);
    return top.cell;
}

static inline void open_fill(astar_t *self, rp_cell_t cell, rp_cost_t f, rp_search_stats_t *stats)
{
    if (cell == RP_NO_CELL) {
        rp_heap_close(&self->open.heap);
    } else {
        rp_heap_fill(&self->open.heap, rp_key(f, RP_COST_INF - self->nodes[cell].g), cell);
        stats->generated++;
    }
}

/// A cell leaves OPEN: each neighbour that it reaches more cheaply goes in, but for one that is
/// certain to be expanded next.
/// @param variant  0: none is held back, but a heap has a place open, which the neighbour with
///                 least f fills; 1: a neighbour with the same f; 2: else the neighbour with
///                 least f, if OPEN has nothing better. One that stands in OPEN with a greater g
///                 counts too: what stands there of it is void. So the paper's counts come out.
/// @return the one held back, or RP_NO_CELL
RP_SEARCH_LOOP rp_cell_t expand(astar_t *self, rp_open_t kind, unsigned variant, rp_cell_t cell,
                                rp_search_stats_t *stats)
{
    const uint32_t search = self->search;
    rp_node_t *nodes = self->nodes;
    const rp_cost_t g = nodes[cell].g;
    const rp_point_t point = rp_point_of(self->grid, cell);
    const rp_cost_t f = self->last_f;
    const bool fills = variant == 0 && kind == RP_OPEN_HEAP;
    rp_cell_t held = RP_NO_CELL;
    rp_cost_t held_f = RP_COST_INF;
    unsigned direction;
    rp_cell_t next;
    nodes[cell].mark |= RP_NODE_CLOSED;
    RP_FOR_MOVES (self->grid, cell, direction, next) {
        rp_node_t *node = &nodes[next];
        const rp_cost_t g_next = g + rp_edge(&self->metric, cell, next, direction);
        if (rp_node_is_of(node, search) && node->g <= g_next) {
            continue;
        }
        const rp_cost_t f_next =
            g_next + rp_bound(&self->metric, rp_point_step(point, direction), self->target_point);
        *node = (rp_node_t){g_next, search | rp_direction_back(direction)};
        if ((variant == 0 && !fills) || f_next >= held_f || (variant == 1 && f_next != f)) {
            open_push(self, kind, f_next, next, stats);
            continue;
        }
        if (held != RP_NO_CELL) {
            open_push(self, kind, held_f, held, stats);
        }
        held = next;
        held_f = f_next;
    }
    if (fills) {
        open_fill(self, held, held_f, stats);
        return RP_NO_CELL;
    }
    if (variant == 2 && held != RP_NO_CELL && held_f != f &&
        rp_open_least(&self->open, kind) < held_f) {
        open_push(self, kind, held_f, held, stats);
        held = RP_NO_CELL;
    }
    return held;
}

RP_SEARCH_LOOP rp_status_t search_with(astar_t *self, rp_open_t kind, unsigned variant,
                                       uint64_t *budget, rp_search_stats_t *stats)
{
    rp_cell_t held = self->held;
    while (*budget != 0) {
        const bool is_fast = variant != 0 && held != RP_NO_CELL;
        const bool fills = variant == 0 && kind == RP_OPEN_HEAP;
        if (!is_fast && rp_open_is_empty(&self->open, kind)) {
            return RP_OK;
        }
        const rp_cell_t cell = is_fast ? held : open_take(self, kind, fills);
        --*budget;
        if (cell == RP_NO_CELL) {
            continue;
        }
        count_expansion(self, cell, stats);
        RP_TRACE(cell, EXPANDED);
        stats->expanded_fast += is_fast;
        rp_prefault_note(&self->prefault, cell, budget);
        if (cell == self->target) {
            self->found = true;
            return RP_OK;
        }
        held = expand(self, kind, variant, cell, stats);
    }
    self->held = held;
    return RP_MORE;
}

static rp_status_t astar_search(void *state, uint64_t *budget, rp_search_stats_t *stats)
{
    astar_t *self = state;
    const unsigned variant = self->options.variant;
    const rp_status_t status =
        self->kind != RP_OPEN_HEAP ? search_with(self, RP_OPEN_BUCKETS, variant, budget, stats)
        : variant == 0             ? search_with(self, RP_OPEN_HEAP, 0, budget, stats)
                                   : search_with(self, RP_OPEN_HEAP, variant, budget, stats);
    stats->visited = stats->expanded; // a cell is looked at when it is taken from OPEN, not before
    stats->visited_last = stats->expanded_last;
    return status;
}

// ---- changes

static bool astar_update(void *state, const rp_update_t *update)
{
    (void)state;
    (void)update;
    return false; // no native capability: every event starts over
}

// ---- path

static uint32_t astar_path(const void *state, rp_cell_t *cells, rp_path_stands_t *stands)
{
    const astar_t *self = state;
    (void)stands; // all of it is written
    const uint32_t count =
        self->found ? rp_extract_back(self->grid, self->nodes, self->target, cells) : 0;
    if (!self->from_goals) {
        rp_extract_reverse(cells, count);
    }
    return count;
}

// ---- birth and death

static void astar_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                       rp_arena_t *arena)
{
    astar_t *self = state;
    self->grid = grid;
    self->metric = rp_metric_of(grid);
    self->options = *options;
    self->nodes = rp_arena_new_by_cell(arena, &self->prefault, grid->cell_count,
                                       sizeof *self->nodes, grid->stride);
    rp_open_init(&self->open, options->open, grid->cell_count, 0, self->metric.dearest, arena);
}

const rp_planner_ops_t RP_MEMBER(astar) = {
    .info =
        {
            .id = "astar",
            .paper = "Hart, Nilsson, Raphael 1968",
            .guarantee = "optimal",
            .capabilities = RP_CAN_EVERY_GRID | RP_CAN_GOAL_SET | RP_CAN_OPEN_BUCKETS |
                            RP_CAN_VARIANTS,
            .bytes_per_cell = sizeof(rp_node_t),
        },
    .state_bytes = sizeof(astar_t),
    .bind = astar_bind,
    .begin = astar_begin,
    .update = astar_update,
    .search = astar_search,
    .path = astar_path,
    .check = astar_check,
};
