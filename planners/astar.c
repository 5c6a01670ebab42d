/// A*: the search that starts over each time, and the floor that every other planner has to beat.
///
/// Paper: Hart, Nilsson, Raphael 1968; the form and the order of ties of "Fringe-Saving A*"
/// (papers/fsa.txt), section 3: least f, ties to larger g. Guarantee: optimal.
/// Cost of a change: a new search. Bytes a cell: 8, and 16 for each cell in OPEN at its largest.
/// Choose it when everything changes, or when a path is asked for once.
///
/// One goal: from the start towards the goal. Several: from all goals towards the start, which is
/// the same as costs are symmetric.
///
/// OPEN is a heap, or buckets. 4 neighbours on uniform ground that does not wrap know only two
/// values of f at a time (a step changes f by 0 or 2): there the buckets are two plain stacks.
#include "planners/planner_ops.h"

#include "planners/search/extract.h"
#include "planners/search/metric.h"
#include "planners/search/nodes.h"
#include "planners/search/open_buckets.h"
#include "planners/search/open_heap.h"
#include "planners/search/open_stacks.h"

// ---- state

typedef enum open_kind {
    OPEN_HEAP,
    OPEN_BUCKETS,
    OPEN_STACKS,
} open_kind_t;

typedef struct astar {
    rp_node_t *nodes; ///< by cell
    const rp_grid_t *grid;
    rp_metric_t metric;
    rp_heap_t heap;       ///< always there: sets of goals need it
    rp_buckets_t buckets; ///< option, unless the stacks serve
    rp_stacks_t stacks;
    uint32_t search;  ///< number of this search, in place for marks
    rp_cell_t target; ///< where the search ends
    rp_point_t target_point;
    open_kind_t bound_kind; ///< what the options chose for one goal
    open_kind_t kind;       ///< what this search uses
    bool from_goals;        ///< roots are goals, the target is the start
    bool found;
} astar_t;

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

// ---- OPEN

static bool is_live(const astar_t *self, rp_cell_t cell, rp_cost_t g)
{
    const rp_node_t *node = &self->nodes[cell];
    return node->g == g && (node->mark & RP_NODE_CLOSED) == 0;
}

/// Drop stale entries of a full heap: each cell has one live entry, so there is room afterwards.
static void sweep_heap(astar_t *self)
{
    rp_heap_t *heap = &self->heap;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < heap->count; i++) {
        const rp_heap_entry_t entry = heap->entries[i];
        if (is_live(self, entry.cell, RP_COST_INF - rp_key_second(entry.key))) {
            heap->entries[kept++] = entry;
        }
    }
    heap->count = kept;
    rp_heap_restore(heap);
}

/// The same for buckets: stale entries leave their stacks, the live ones keep their order.
static void sweep_buckets(astar_t *self)
{
    rp_buckets_t *buckets = &self->buckets;
    for (uint32_t bucket = 0; bucket <= buckets->mask; bucket++) {
        for (uint32_t *link = &buckets->heads[bucket]; *link != 0;) {
            rp_bucket_entry_t *entry = &buckets->entries[*link];
            if (is_live(self, entry->cell, entry->g)) {
                link = &entry->next;
            } else {
                rp_buckets_drop(buckets, link);
            }
        }
        rp_buckets_note_empty(buckets, bucket);
    }
}

static inline void open_push(astar_t *self, open_kind_t kind, rp_cost_t f, rp_cost_t g,
                             rp_cell_t cell)
{
    if (kind == OPEN_HEAP) {
        if (rp_heap_is_full(&self->heap)) {
            sweep_heap(self);
        }
        rp_heap_push(&self->heap, rp_key(f, RP_COST_INF - g), cell);
    } else {
        if (rp_buckets_is_full(&self->buckets)) {
            sweep_buckets(self);
        }
        rp_buckets_push(&self->buckets, f, g, cell);
    }
}

/// Take the best live cell out of OPEN. @return RP_NO_CELL when OPEN is empty
static inline rp_cell_t open_pop(astar_t *self, open_kind_t kind)
{
    if (kind == OPEN_HEAP) {
        while (self->heap.count != 0) {
            const rp_heap_entry_t top = rp_heap_pop(&self->heap);
            if (is_live(self, top.cell, RP_COST_INF - rp_key_second(top.key))) {
                return top.cell;
            }
        }
    } else {
        while (self->buckets.count != 0) {
            const rp_bucket_entry_t top = rp_buckets_pop(&self->buckets);
            if (is_live(self, top.cell, top.g)) {
                return top.cell;
            }
        }
    }
    return RP_NO_CELL;
}

// ---- search

static void put_root(astar_t *self, rp_cell_t cell, rp_cost_t g)
{
    const rp_cost_t h = rp_bound(&self->metric, rp_point_of(self->grid, cell), self->target_point);
    self->nodes[cell] = (rp_node_t){g, self->search | RP_NODE_ROOT};
    if (self->kind == OPEN_STACKS) {
        rp_stacks_push(&self->stacks, 0, cell);
    } else {
        open_push(self, self->kind, g + h, g, cell);
    }
}

static void astar_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    astar_t *self = state;
    self->search = rp_nodes_next_search(self->search, self->nodes, self->grid->cell_count);
    self->found = false;
    self->from_goals = goal_count > 1 || goals[0].offset != 0;
    self->target = self->from_goals ? start : goals[0].cell;
    self->target_point = rp_point_of(self->grid, self->target);
    self->kind = self->from_goals ? OPEN_HEAP : self->bound_kind;
    self->heap.count = 0;
    if (self->kind == OPEN_BUCKETS) {
        rp_buckets_clear(&self->buckets);
    }
    rp_stacks_clear(&self->stacks);
    if (!self->from_goals) {
        put_root(self, start, 0);
        return;
    }
    for (size_t i = 0; i < goal_count; i++) {
        put_root(self, goals[i].cell, goals[i].offset * self->metric.cell_length);
    }
}

/// A cell leaves OPEN: each neighbour that it reaches more cheaply goes in.
static inline void expand(astar_t *self, open_kind_t kind, rp_cell_t cell, rp_plan_stats_t *stats)
{
    const rp_grid_t *grid = self->grid;
    const uint32_t search = self->search;
    rp_node_t *nodes = self->nodes;
    const rp_cost_t g = nodes[cell].g;
    unsigned direction;
    rp_cell_t next;
    nodes[cell].mark |= RP_NODE_CLOSED;
    RP_FOR_MOVES (grid, cell, direction, next) {
        rp_node_t *node = &nodes[next];
        const rp_cost_t g_next = g + rp_edge(&self->metric, cell, next, direction);
        if (rp_node_is_of(node, search) && node->g <= g_next) {
            continue;
        }
        *node = (rp_node_t){g_next, search | rp_direction_back(direction)};
        const rp_cost_t h = rp_bound(&self->metric, rp_point_of(grid, next), self->target_point);
        open_push(self, kind, g_next + h, g_next, next);
        stats->generated++;
    }
}

static inline rp_status_t search_with(astar_t *self, open_kind_t kind, uint64_t *budget,
                                      rp_plan_stats_t *stats)
{
    while (*budget != 0) {
        const rp_cell_t cell = open_pop(self, kind);
        if (cell == RP_NO_CELL) {
            return RP_OK;
        }
        stats->expanded++;
        --*budget;
        if (cell == self->target) {
            self->found = true;
            return RP_OK;
        }
        expand(self, kind, cell, stats);
    }
    return RP_MORE;
}

/// The same with two stacks: f is never computed, only whether a step leads towards the target.
static rp_status_t search_stacks(astar_t *self, uint64_t *budget, rp_plan_stats_t *stats)
{
    const rp_grid_t *grid = self->grid;
    const uint32_t search = self->search;
    const int32_t target_x = self->target_point.x;
    const int32_t target_y = self->target_point.y;
    rp_node_t *nodes = self->nodes;
    uint64_t left = *budget;
    uint64_t generated = 0;
    rp_status_t status = RP_MORE;
    while (left != 0) {
        const rp_cell_t cell = rp_stacks_pop(&self->stacks);
        if (cell == RP_NO_CELL) {
            status = RP_OK;
            break;
        }
        rp_node_t *node = &nodes[cell];
        if ((node->mark & RP_NODE_CLOSED) != 0) {
            continue; // an older entry of a cell that was reached more cheaply since
        }
        node->mark |= RP_NODE_CLOSED;
        left--;
        if (cell == self->target) {
            self->found = true;
            status = RP_OK;
            break;
        }
        const rp_point_t point = rp_point_of(grid, cell);
        // Bit d: a step in direction d leads away from the target, so f grows by 2.
        const unsigned away =
            (unsigned)(point.x >= target_x) | (unsigned)(point.y >= target_y) << 2 |
            (unsigned)(point.x <= target_x) << 4 | (unsigned)(point.y <= target_y) << 6;
        const rp_cost_t g_next = node->g + 1u;
        for (unsigned moves = grid->moves[cell]; moves != 0; moves &= moves - 1u) {
            const unsigned direction = (unsigned)__builtin_ctz(moves);
            const rp_cell_t next = cell + (rp_cell_t)grid->offset[direction];
            rp_node_t *other = &nodes[next];
            if (rp_node_is_of(other, search) && other->g <= g_next) {
                continue;
            }
            *other = (rp_node_t){g_next, search | rp_direction_back(direction)};
            rp_stacks_push(&self->stacks, (away >> direction) & 1u, next);
            generated++;
        }
    }
    stats->expanded += *budget - left;
    stats->generated += generated;
    *budget = left;
    return status;
}

static rp_status_t astar_search(void *state, uint64_t *budget, rp_plan_stats_t *stats)
{
    astar_t *self = state;
    switch (self->kind) {
    case OPEN_BUCKETS:
        return search_with(self, OPEN_BUCKETS, budget, stats);
    case OPEN_STACKS:
        return search_stacks(self, budget, stats);
    case OPEN_HEAP:
        break;
    }
    return search_with(self, OPEN_HEAP, budget, stats);
}

// ---- changes

static bool astar_update(void *state, const rp_update_t *update)
{
    (void)state;
    (void)update;
    return false; // no native capability: every event starts over
}

// ---- path

static uint32_t astar_path(const void *state, rp_cell_t *cells)
{
    const astar_t *self = state;
    if (!self->found) {
        return 0;
    }
    uint32_t count = 0;
    rp_cell_t cell = self->target;
    for (;;) {
        const uint32_t mark = self->nodes[cell].mark;
        cells[count++] = cell;
        if ((mark & RP_NODE_ROOT) != 0) {
            break;
        }
        cell = rp_grid_step(self->grid, cell, mark & RP_NODE_DIRECTION);
    }
    if (!self->from_goals) {
        rp_reverse(cells, count);
    }
    return count;
}

// ---- birth and death

static void astar_unbind(void *state)
{
    astar_t *self = state;
    if (self->grid == NULL) {
        return;
    }
    rp_memory_free(self->nodes, self->grid->cell_count, sizeof *self->nodes);
    rp_heap_fini(&self->heap);
    rp_buckets_fini(&self->buckets);
    rp_stacks_fini(&self->stacks);
    self->grid = NULL;
}

static open_kind_t choose_open(const rp_grid_t *grid, const rp_planner_options_t *options)
{
    if (options->open != RP_OPEN_BUCKETS) {
        return OPEN_HEAP;
    }
    const bool is_plain = grid->shape.neighbors == 4 && !grid->weighted && !grid->shape.wraps;
    return is_plain ? OPEN_STACKS : OPEN_BUCKETS;
}

static rp_status_t astar_bind(void *state, const rp_grid_t *grid,
                              const rp_planner_options_t *options)
{
    astar_t *self = state;
    self->grid = grid;
    self->metric = rp_metric_of(grid);
    self->bound_kind = choose_open(grid, options);
    self->nodes = rp_memory_new(grid->cell_count, sizeof *self->nodes);
    rp_status_t status = self->nodes != NULL ? RP_OK : RP_E_MEMORY;
    if (status == RP_OK) {
        status = rp_heap_init(&self->heap, grid->cell_count);
    }
    if (status == RP_OK && self->bound_kind == OPEN_BUCKETS) {
        status = rp_buckets_init(&self->buckets, grid->cell_count, self->metric.dearest);
    }
    if (status == RP_OK && self->bound_kind == OPEN_STACKS) {
        status = rp_stacks_init(&self->stacks, grid->cell_count);
    }
    if (status != RP_OK) {
        astar_unbind(self);
    }
    return status;
}

static uint64_t astar_bytes(const void *state)
{
    const astar_t *self = state;
    return (uint64_t)self->grid->cell_count * sizeof *self->nodes +
           (uint64_t)self->heap.peak * sizeof *self->heap.entries +
           rp_buckets_bytes(&self->buckets) + rp_stacks_bytes(&self->stacks);
}

const rp_planner_ops_t RP_MEMBER(astar) = {
    .info =
        {
            .id = "astar",
            .paper = "Hart, Nilsson, Raphael 1968",
            .guarantee = "optimal",
            .capabilities = RP_CAN_EVERY_GRID | RP_CAN_GOAL_SET | RP_CAN_OPEN_BUCKETS,
            .bytes_per_cell = sizeof(rp_node_t),
        },
    .state_bytes = sizeof(astar_t),
    .bind = astar_bind,
    .unbind = astar_unbind,
    .begin = astar_begin,
    .update = astar_update,
    .search = astar_search,
    .path = astar_path,
    .bytes = astar_bytes,
    .check = astar_check,
};
