/// @file
/// A* whose heuristic learns: the common part of the planners after Generalized Adaptive A*
/// ("Simple Optimization Techniques for A*-Based Search", Sun, Yeoh, Chen, Koenig 2009, figure 4).
///
/// A cell keeps its h from search to search. h stays consistent: dearer cells leave it so, cheaper
/// ones are followed by the Consistency Procedure, and a user raises and lowers it only in ways
/// that the paper proves right. So each search is an A* that closes a cell once.
///
/// What differs within the family is handed in as constant functions, so that each user gets plain
/// loops of its own: how h is known, what is noted when it falls, and where a search may end.
///
/// Letters: g cost from the start, h the learnt bound on the cost to the goal, H the metric's, c an
/// edge, f = g + h, C the cost of the path that was found.
#ifndef REPLAN_PLANNERS_REPAIR_ADAPTIVE_H
#define REPLAN_PLANNERS_REPAIR_ADAPTIVE_H

#include <assert.h>

#include "base/prefault.h"
#include "planners/grid/member_options.h"
#include "planners/grid/metric.h"
#include "planners/grid/search_stats.h"
#include "planners/open/extract.h"
#include "planners/open/open_list.h"
#include "replan/planner.h"
#include "replan/trace.h"

/// What a cell keeps from search to search.
///
///     mark:  | search number, 27 bits | known, 1 | closed, 1 | direction back to the parent, 3 |
typedef struct rp_adaptive_node {
    rp_cost_t g; ///< RP_COST_INF until this search reaches the cell
    rp_cost_t h; ///< as of the search in the mark
    uint32_t mark;
} rp_adaptive_node_t;

static_assert(RP_COST_BITS != 32 || sizeof(rp_adaptive_node_t) == 12, "five cells a cache line");

#define RP_ADAPTIVE_DIRECTION 7u
#define RP_ADAPTIVE_CLOSED    8u
#define RP_ADAPTIVE_KNOWN     16u ///< never written cells are zero
#define RP_ADAPTIVE_SEARCH    32u ///< one search number
#define RP_ADAPTIVE_NUMBERS   (1u << 27)

typedef enum rp_adaptive_phase {
    RP_ADAPTIVE_REPAIR, ///< the Consistency Procedure's queue stands in the heap
    RP_ADAPTIVE_SEARCHING,
    RP_ADAPTIVE_DONE,
} rp_adaptive_phase_t;

/// Comes first in its user's state, so that the functions below lead back to the user.
typedef struct rp_adaptive {
    rp_adaptive_node_t *nodes; ///< by cell
    const rp_grid_t *grid;
    rp_metric_t metric;
    rp_open_list_t open;
    uint32_t search; ///< number of this search, in place for marks, with RP_ADAPTIVE_KNOWN
    uint32_t span;   ///< searches that count, this one included: older marks mean "not known"
    rp_cell_t held;  ///< to be expanded next without OPEN (variants 1 and 2), or RP_NO_CELL
    rp_cell_t start;
    rp_cell_t goal;
    rp_point_t target; ///< where the goal is
    rp_cell_t end;     ///< where the search ended, when a path was found
    rp_adaptive_phase_t phase;
    bool found;
    rp_member_options_t options;
    rp_prefault_t prefault; ///< of the nodes
} rp_adaptive_t;

/// The h of a cell in a search that begins now, or in the one that runs.
typedef rp_cost_t rp_adaptive_h_t(const rp_adaptive_t *self, rp_cell_t cell);

/// h of `cell` fell, and now equals the cost of the step in `direction` and h behind it.
typedef void rp_adaptive_fell_t(rp_adaptive_t *self, rp_cell_t cell, unsigned direction);

/// A cell left OPEN. @return true when the search has found its path with it
typedef bool rp_adaptive_visit_t(rp_adaptive_t *self, rp_cell_t cell);

/// An rp_adaptive_fell_t that notes nothing: h alone is what its user learns.
static inline void rp_adaptive_note_nothing(rp_adaptive_t *self, rp_cell_t cell, unsigned direction)
{
    (void)self;
    (void)cell;
    (void)direction;
}

// ---- one cell brought up to date

/// True when the cell was looked at since the planner began.
static inline bool rp_adaptive_is_known(const rp_adaptive_t *self, const rp_adaptive_node_t *node)
{
    const uint32_t age = self->search / RP_ADAPTIVE_SEARCH - node->mark / RP_ADAPTIVE_SEARCH;
    return (node->mark & RP_ADAPTIVE_KNOWN) != 0 && age % RP_ADAPTIVE_NUMBERS < self->span;
}

/// H of a cell.
static inline rp_cost_t rp_adaptive_bound(const rp_adaptive_t *self, rp_cell_t cell)
{
    return rp_bound(&self->metric, rp_point_of(self->grid, cell), self->target);
}

/// Make the cell one of this search. Comes before every look at its g or h.
static inline rp_adaptive_node_t *rp_adaptive_touch(rp_adaptive_t *self, rp_cell_t cell,
                                                    rp_adaptive_h_t *h_of)
{
    rp_adaptive_node_t *node = &self->nodes[cell];
    if ((node->mark & ~(RP_ADAPTIVE_DIRECTION | RP_ADAPTIVE_CLOSED)) != self->search) {
        *node = (rp_adaptive_node_t){RP_COST_INF, h_of(self, cell), self->search};
    }
    return node;
}

// ---- invariants

static inline bool rp_adaptive_is_queued(const rp_adaptive_t *self, rp_cell_t cell)
{
    for (uint32_t i = 0; i < self->open.heap.count; i++) {
        if (self->open.heap.entries[i].cell == cell) {
            return true;
        }
    }
    return false;
}

/// h(goal) = 0, and h(a) <= c(a, b) + h(b) on every edge unless b still waits to pass its h on.
static inline bool rp_adaptive_check(const rp_adaptive_t *self, rp_adaptive_h_t *h_of)
{
    const bool is_repairing = self->phase == RP_ADAPTIVE_REPAIR;
    for (rp_cell_t a = 0; a < self->grid->cell_count; a++) {
        unsigned direction;
        rp_cell_t b;
        RP_FOR_MOVES (self->grid, a, direction, b) {
            const rp_cost_t limit = rp_edge(&self->metric, a, b, direction) + h_of(self, b);
            if (h_of(self, a) > limit && !(is_repairing && rp_adaptive_is_queued(self, b))) {
                return false;
            }
        }
    }
    return h_of(self, self->goal) == 0;
}

// ---- the Consistency Procedure

/// Its queue is an OPEN list whose f and g are both h.
static inline bool rp_adaptive_is_waiting(const void *owner, rp_cell_t cell, rp_cost_t h)
{
    const rp_adaptive_t *self = owner;
    return self->nodes[cell].h == h;
}

/// See that h(a) <= c(a, b) + h(b) (lines 16' to 20').
static inline void rp_adaptive_keep(rp_adaptive_t *self, rp_cell_t a, unsigned direction,
                                    rp_cell_t b, rp_adaptive_h_t *h_of, rp_adaptive_fell_t *fell)
{
    const rp_cost_t c = rp_edge(&self->metric, a, b, direction);
    const rp_cost_t limit = rp_adaptive_touch(self, b, h_of)->h + c;
    rp_adaptive_node_t *node = rp_adaptive_touch(self, a, h_of);
    if (node->h > limit) {
        node->h = limit;
        fell(self, a, direction);
        rp_open_push(&self->open, RP_OPEN_HEAP, limit, limit, a, rp_adaptive_is_waiting, self);
    }
}

static inline void rp_adaptive_note_edge(rp_adaptive_t *self, rp_cell_t a, unsigned direction,
                                         rp_adaptive_h_t *h_of, rp_adaptive_fell_t *fell)
{
    const rp_cell_t b = rp_grid_step(self->grid, a, direction);
    rp_adaptive_keep(self, a, direction, b, h_of, fell);
    rp_adaptive_keep(self, b, rp_direction_back(direction), a, h_of, fell);
}

/// Give a freed cell the greatest h that its neighbours allow. It need not wait in the queue: who
/// lies beside it is looked at next, and passes on to it what falls later.
static inline void rp_adaptive_settle(rp_adaptive_t *self, rp_cell_t cell, rp_adaptive_h_t *h_of,
                                      rp_adaptive_fell_t *fell)
{
    rp_cost_t least = rp_adaptive_touch(self, cell, h_of)->h;
    unsigned towards = RP_DIRECTIONS;
    unsigned direction;
    rp_cell_t next;
    RP_FOR_MOVES (self->grid, cell, direction, next) {
        const rp_cost_t c = rp_edge(&self->metric, cell, next, direction);
        const rp_cost_t h = rp_adaptive_touch(self, next, h_of)->h + c;
        towards = h < least ? direction : towards;
        least = h < least ? h : least;
    }
    if (towards != RP_DIRECTIONS) {
        self->nodes[cell].h = least;
        fell(self, cell, towards);
    }
}

/// Look at every edge that a cheaper cell may have made cheaper, or a free one have opened.
/// Edges that became dearer or went leave h consistent.
static inline void rp_adaptive_note_change(rp_adaptive_t *self, const rp_change_t *change,
                                           rp_adaptive_h_t *h_of, rp_adaptive_fell_t *fell)
{
    const rp_grid_t *grid = self->grid;
    const bool is_freed = change->before == 0;
    if (change->after == 0 || (!is_freed && change->after > change->before)) {
        return;
    }
    if (is_freed) {
        rp_adaptive_settle(self, change->cell, h_of, fell);
    }
    for (unsigned moves = grid->moves[change->cell]; moves != 0; moves &= moves - 1u) {
        rp_adaptive_note_edge(self, change->cell, (unsigned)__builtin_ctz(moves), h_of, fell);
    }
    // Beside a freed cell: from its neighbour in direction d to the one in direction d + 2.
    for (unsigned direction = 0; is_freed && direction < RP_DIRECTIONS; direction += 2u) {
        const rp_cell_t beside = rp_grid_step(grid, change->cell, direction);
        const unsigned diagonal = (direction + 3u) % RP_DIRECTIONS;
        if (((grid->moves[beside] >> diagonal) & 1u) != 0) {
            rp_adaptive_note_edge(self, beside, diagonal, h_of, fell);
        }
    }
}

/// What is known of the way from a cell that was blocked: nothing, so that its neighbours alone
/// say what its h is. More than any path costs, and g + it is still a cost.
static inline rp_cost_t rp_adaptive_unknown(const rp_adaptive_t *self)
{
    return (rp_cost_t)(2u * rp_cost_bound(self->grid));
}

/// Take in changes, the goal being the new one. A cell that was blocked has an h that no search
/// ever raised; were it kept, the procedure would lower everything around the cell to it. h of a
/// freed cell may be raised to whatever its neighbours allow, so it begins unknown.
static inline void rp_adaptive_note_changes(rp_adaptive_t *self, const rp_change_t *changes,
                                            size_t count, rp_adaptive_h_t *h_of,
                                            rp_adaptive_fell_t *fell)
{
    for (size_t i = 0; i < count; i++) {
        const rp_cell_t cell = changes[i].cell;
        if (changes[i].before == 0 && changes[i].after != 0 && cell != self->goal) {
            rp_adaptive_touch(self, cell, h_of)->h = rp_adaptive_unknown(self);
        }
    }
    for (size_t i = 0; i < count; i++) {
        rp_adaptive_note_change(self, &changes[i], h_of, fell);
    }
}

/// Stop what is going on. A search is given up, but the queue of a repair keeps its live cells:
/// until they have passed their h on, h is not consistent.
static inline void rp_adaptive_interrupt(rp_adaptive_t *self)
{
    if (self->phase == RP_ADAPTIVE_REPAIR) {
        rp_open_sweep_heap(&self->open, rp_adaptive_is_waiting, self);
    } else {
        rp_open_clear(&self->open);
    }
    self->phase = RP_ADAPTIVE_REPAIR;
    self->held = RP_NO_CELL;
    self->found = false;
}

/// Cells that wait in the queue while the goal moves wait with their new h.
static inline void rp_adaptive_requeue(rp_adaptive_t *self, rp_adaptive_h_t *h_of)
{
    rp_heap_t *heap = &self->open.heap;
    for (uint32_t i = 0; i < heap->count; i++) {
        const rp_cost_t h = rp_adaptive_touch(self, heap->entries[i].cell, h_of)->h;
        heap->entries[i].key = rp_key(h, RP_COST_INF - h);
    }
    rp_heap_restore(heap);
}

/// The Consistency Procedure (lines 21' to 28'). @return false when the budget was spent first
static inline bool rp_adaptive_repair(rp_adaptive_t *self, uint64_t *budget, rp_adaptive_h_t *h_of,
                                      rp_adaptive_fell_t *fell)
{
    while (*budget != 0) {
        if (rp_open_is_empty(&self->open, RP_OPEN_HEAP)) {
            return true;
        }
        const rp_cell_t b = rp_open_take(&self->open, RP_OPEN_HEAP, rp_adaptive_is_waiting, self);
        --*budget;
        if (b == RP_NO_CELL) {
            continue;
        }
        unsigned direction;
        rp_cell_t a;
        RP_FOR_MOVES (self->grid, b, direction, a) {
            rp_adaptive_keep(self, a, rp_direction_back(direction), b, h_of, fell);
        }
    }
    return false;
}

// ---- ends

/// From now on H is the metric's bound to this goal.
static inline void rp_adaptive_set_goal(rp_adaptive_t *self, rp_cell_t goal)
{
    self->goal = goal;
    self->target = rp_point_of(self->grid, goal);
}

/// Begin anew. The user has drawn a new search number, and no older one counts.
static inline void rp_adaptive_begin(rp_adaptive_t *self, rp_cell_t start, rp_cell_t goal)
{
    self->span = 1;
    self->phase = RP_ADAPTIVE_DONE;
    rp_adaptive_interrupt(self);
    self->start = start;
    rp_adaptive_set_goal(self, goal);
}

// ---- the search

static inline bool rp_adaptive_is_open(const void *owner, rp_cell_t cell, rp_cost_t g)
{
    const rp_adaptive_t *self = owner;
    return self->nodes[cell].g == g;
}

static inline void rp_adaptive_push(rp_adaptive_t *self, rp_open_t kind, rp_cost_t f,
                                    rp_cell_t cell, rp_search_stats_t *stats)
{
    rp_open_push(&self->open, kind, f, self->nodes[cell].g, cell, rp_adaptive_is_open, self);
    stats->generated++;
}

/// h is consistent: put the start into OPEN.
static inline void rp_adaptive_open(rp_adaptive_t *self, rp_adaptive_h_t *h_of,
                                    rp_search_stats_t *stats)
{
    rp_adaptive_node_t *node = rp_adaptive_touch(self, self->start, h_of);
    node->g = 0;
    self->phase = RP_ADAPTIVE_SEARCHING;
    rp_adaptive_push(self, self->options.open, node->h, self->start, stats);
}

/// A cell leaves OPEN: each neighbour that it reaches more cheaply goes in, but for one that is
/// certain to be expanded next.
/// @param variant  0: none is held back; 1: a neighbour with the same f; 2: else the neighbour with
///                 least f, if OPEN has nothing better
///
/// One that stands in OPEN with a greater g may be held back, too: as h is consistent, A* may take
/// whoever has the f of the cell expanded, or the least in OPEN, next, and the entry under the
/// greater g is void (rp_adaptive_is_open). The paper's counts come out only so.
/// @return the one held back, or RP_NO_CELL
RP_SEARCH_LOOP rp_cell_t rp_adaptive_expand(rp_adaptive_t *self, rp_open_t kind, unsigned variant,
                                            rp_cell_t cell, rp_search_stats_t *stats,
                                            rp_adaptive_h_t *h_of)
{
    rp_adaptive_node_t *from = &self->nodes[cell];
    const rp_cost_t g = from->g;
    const rp_cost_t f = g + from->h;
    rp_cell_t held = RP_NO_CELL;
    rp_cost_t held_f = RP_COST_INF;
    unsigned direction;
    rp_cell_t next;
    from->mark |= RP_ADAPTIVE_CLOSED;
    RP_FOR_MOVES (self->grid, cell, direction, next) {
        rp_adaptive_node_t *node = rp_adaptive_touch(self, next, h_of);
        const rp_cost_t g_next = g + rp_edge(&self->metric, cell, next, direction);
        if (node->g <= g_next) {
            continue;
        }
        assert((node->mark & RP_ADAPTIVE_CLOSED) == 0); // closed once, closed for good
        const rp_cost_t f_next = g_next + node->h;
        node->g = g_next;
        node->mark = self->search | rp_direction_back(direction);
        if (variant == 0 || f_next >= held_f || (variant == 1 && f_next != f)) {
            rp_adaptive_push(self, kind, f_next, next, stats);
            continue;
        }
        if (held != RP_NO_CELL) {
            rp_adaptive_push(self, kind, held_f, held, stats);
        }
        held = next;
        held_f = f_next;
    }
    if (variant == 2 && held != RP_NO_CELL && held_f != f &&
        rp_open_least(&self->open, kind) < held_f) {
        rp_adaptive_push(self, kind, held_f, held, stats);
        held = RP_NO_CELL;
    }
    return held;
}

#ifdef REPLAN_TRACE
/// The search is over: tell the cells that an earlier one closed, and this one had no need to meet.
static inline void rp_adaptive_trace_reused(const rp_adaptive_t *self)
{
    if (!rp_trace(RP_NO_CELL, RP_TRACE_REUSED)) {
        return;
    }
    for (rp_cell_t cell = 0; cell < self->grid->cell_count; cell++) {
        const rp_adaptive_node_t *node = &self->nodes[cell];
        const uint32_t of = node->mark & ~(RP_ADAPTIVE_DIRECTION | RP_ADAPTIVE_CLOSED);
        if (rp_adaptive_is_known(self, node) && (node->mark & RP_ADAPTIVE_CLOSED) != 0 &&
            of != self->search && self->grid->factor[cell] != 0) {
            rp_trace(cell, RP_TRACE_REUSED);
        }
    }
}
#endif

/// End the search. @param end  a cell whose h is exact, or RP_NO_CELL when there is no path
static inline void rp_adaptive_finish(rp_adaptive_t *self, rp_cell_t end)
{
    RP_TRACE_ONLY(rp_adaptive_trace_reused(self));
    self->phase = RP_ADAPTIVE_DONE;
    self->found = end != RP_NO_CELL;
    self->end = end;
}

/// The cost of the path that was found.
static inline rp_cost_t rp_adaptive_cost(const rp_adaptive_t *self)
{
    const rp_adaptive_node_t *node = &self->nodes[self->end];
    return node->g + node->h;
}

RP_SEARCH_LOOP rp_status_t rp_adaptive_search_with(rp_adaptive_t *self, rp_open_t kind,
                                                   unsigned variant, uint64_t *budget,
                                                   rp_search_stats_t *stats, rp_adaptive_h_t *h_of,
                                                   rp_adaptive_visit_t *visit)
{
    rp_cell_t held = self->held;
    while (*budget != 0) {
        const bool is_fast = variant != 0 && held != RP_NO_CELL;
        if (!is_fast && rp_open_is_empty(&self->open, kind)) {
            rp_adaptive_finish(self, RP_NO_CELL);
            return RP_OK;
        }
        const rp_cell_t cell =
            is_fast ? held : rp_open_take(&self->open, kind, rp_adaptive_is_open, self);
        --*budget;
        if (cell == RP_NO_CELL) {
            continue;
        }
        stats->expanded++;
        RP_TRACE(cell, EXPANDED);
        stats->expanded_fast += is_fast;
        rp_prefault_note(&self->prefault, cell, budget);
        if (visit(self, cell)) {
            rp_adaptive_finish(self, cell);
            return RP_OK;
        }
        held = rp_adaptive_expand(self, kind, variant, cell, stats, h_of);
    }
    self->held = held;
    return RP_MORE;
}

/// Search on, with a loop for each OPEN, and one for the usual variant.
RP_SEARCH_LOOP rp_status_t rp_adaptive_search(rp_adaptive_t *self, uint64_t *budget,
                                              rp_search_stats_t *stats, rp_adaptive_h_t *h_of,
                                              rp_adaptive_visit_t *visit)
{
    const unsigned variant = self->options.variant;
    if (self->options.open == RP_OPEN_BUCKETS) {
        return rp_adaptive_search_with(self, RP_OPEN_BUCKETS, variant, budget, stats, h_of, visit);
    }
    return variant == 0
               ? rp_adaptive_search_with(self, RP_OPEN_HEAP, 0, budget, stats, h_of, visit)
               : rp_adaptive_search_with(self, RP_OPEN_HEAP, variant, budget, stats, h_of, visit);
}

// ---- path

/// The slot `path` of a user: by parents, from where the search ended back to the start.
static inline uint32_t rp_adaptive_path(const void *state, rp_cell_t *cells,
                                        rp_path_stands_t *stands)
{
    const rp_adaptive_t *self = state;
    (void)stands; // all of it is written
    if (!self->found) {
        return 0;
    }
    uint32_t count = 0;
    rp_cell_t cell = self->end;
    cells[count++] = cell;
    while (cell != self->start) {
        cell = rp_grid_step(self->grid, cell, self->nodes[cell].mark & RP_ADAPTIVE_DIRECTION);
        cells[count++] = cell;
    }
    rp_extract_reverse(cells, count);
    return count;
}

// ---- birth and death

static inline void rp_adaptive_init(rp_adaptive_t *self, const rp_grid_t *grid,
                                    const rp_member_options_t *options, rp_arena_t *arena)
{
    *self = (rp_adaptive_t){
        .grid = grid,
        .metric = rp_metric_of(grid),
        .search = RP_ADAPTIVE_KNOWN,
        .options = *options,
    };
    self->nodes = rp_arena_new_by_cell(arena, &self->prefault, grid->cell_count,
                                       sizeof *self->nodes, grid->stride);
    rp_open_init(&self->open, options->open, grid->cell_count, 0, self->metric.dearest, arena);
}

#endif
