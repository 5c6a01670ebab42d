/// @file
/// A field: what it costs to get from each cell to the root, a search tree that is kept and
/// repaired. It covers the cells that a path from root to apex can pass whose cost is within a
/// limit: an ellipse with these two as its foci. Cells outside of it are unknown until the limit is
/// raised and the field grows.
///
/// d(cell) is a consistent lower bound on the cost to the root, and exact right after the field was
/// built. A cell that becomes dearer does not change d: a lower bound stays one. A cell that
/// becomes cheaper may lower d of its neighbours, which may lower d of theirs, and so on. A cell
/// whose d fell and has not been offered to its neighbours yet *waits*, in one of two queues:
///
///     key = d + bound(cell, apex) + shift
///
///     key <= limit   the heap `lowered`, least d first; rp_field_settle() empties it
///     key >  limit   the buckets `outside`; not needed until rp_field_grow() raises the limit
///
/// The first build is nothing but growth from the root, in the order of A*. Where a bucket holds
/// several keys, the order is only nearly that; a cell that offered its d too early is lowered
/// again and offers it again.
///
/// Invariants. For every cell u that does not wait, and every legal step u - v:
/// d(v) <= d(u) + c(u, v). No entry outside has a key of `limit` or less. So once `lowered` is
/// empty, d does not exceed the true cost along any path with cost + shift <= limit. Proof: follow
/// the path from the root; the cell before the first one whose d is too great would have to wait.
///
/// Where paths wind around many obstacles the geometric bound is far too small to be worth
/// computing. A *blind* field has bound = 0, and grows in all directions alike.
///
/// The apex may move. The bounds to it then fall by no more than bound(old apex, new apex), which
/// is added to `shift` (the k_m of D* Lite). So keys only grow, what is outside stays outside, and
/// the cost that the limit covers shrinks by the same amount.
#ifndef REPLAN_PLANNERS_FIELD_FIELD_H
#define REPLAN_PLANNERS_FIELD_FIELD_H

#include "base/prefault.h"
#include "planners/grid/batch_summary.h"
#include "planners/grid/metric.h"
#include "planners/grid/search_stats.h"
#include "planners/open/buckets.h"
#include "planners/open/heap.h"
#include "planners/open/nodes.h"
#include "replan/planner.h"
#include "replan/trace.h"

/// The limit of a field with an empty ring: d of every cell that can reach the root is known.
#define RP_FIELD_WHOLE (RP_COST_INF - 1u)

/// The shift of a new field: not 0, so that every key is greater than the first limit.
#define RP_FIELD_SHIFT_FIRST 1u

/// Greatest shift: d + bound + shift stay below the range of costs (grid/cost.h).
#define RP_FIELD_SHIFT_MAX (RP_COST_INF / 4u)

/// Is called for each cell whose d fell or became known.
typedef void rp_field_hear_t(void *owner, rp_cell_t cell);

typedef struct rp_field {
    rp_node_t *nodes;      ///< g is d; a node that is not closed waits; owned [grid->cell_count]
    const rp_grid_t *grid; ///< borrowed
    uint32_t build;        ///< number of this build, where the mark of a node has it
    rp_cost_t limit;       ///< greatest key that is taken in; greater ones stand in `outside`
    rp_cost_t shift;       ///< how far the apex has moved, as a sum of bounds
    rp_metric_t metric;    ///< without a heuristic when the field is blind
    rp_point_t apex_point;
    rp_point_t root_point;
    rp_cell_t apex;
    rp_cell_t root;
    rp_heap_t lowered;      ///< waiting cells within the limit, by d
    rp_buckets_t outside;   ///< waiting cells beyond the limit, by key
    rp_field_hear_t *hear;  ///< NULL: nobody listens
    void *owner;            ///< first argument of `hear`
    rp_prefault_t prefault; ///< pages of `nodes` that were touched
} rp_field_t;

/// d of a cell, RP_COST_INF when it is unknown.
static inline rp_cost_t rp_field_at(const rp_field_t *self, rp_cell_t cell)
{
    const rp_node_t *node = &self->nodes[cell];
    return rp_node_is_of(node, self->build) ? node->g : RP_COST_INF;
}

/// True when d is a lower bound along every path from the apex whose cost is no greater than this,
/// provided that `lowered` is empty.
static inline bool rp_field_covers(const rp_field_t *self, rp_cost_t cost)
{
    return self->limit == RP_FIELD_WHOLE ||
           (cost <= self->limit && cost + self->shift <= self->limit);
}

/// Write d of a cell, and tell whoever listens.
static inline void rp_field_set(rp_field_t *self, rp_cell_t cell, rp_node_t node)
{
    self->nodes[cell] = node;
    if (self->hear != NULL) {
        self->hear(self->owner, cell);
    }
}

// ---- cells that wait

/// Take an entry out of a queue.
/// @return true when it was live, which ends its cell's waiting; false when it was stale
static inline bool rp_field_take(const void *owner, rp_cell_t cell, rp_cost_t d)
{
    const rp_field_t *self = owner;
    rp_node_t *node = &self->nodes[cell];
    if (node->mark != self->build || node->g != d) {
        return false;
    }
    node->mark |= RP_NODE_CLOSED;
    return true;
}

/// Drop the stale entries of the heap. A cell may stand in it twice with the same d, which fell to
/// an older value again; taking the first entry closes the cell, so the second counts as stale.
static inline void rp_field_sweep_lowered(rp_field_t *self)
{
    rp_heap_t *heap = &self->lowered;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < heap->count; i++) {
        const rp_heap_entry_t entry = heap->entries[i];
        if (rp_field_take(self, entry.cell, rp_key_first(entry.key))) {
            heap->entries[kept++] = entry;
        }
    }
    heap->count = kept;
    rp_heap_restore(heap);
    for (uint32_t i = 0; i < kept; i++) {
        self->nodes[heap->entries[i].cell].mark = self->build;
    }
}

/// An rp_bucket_is_live_t by rp_field_take(), which closes the cells that it keeps; `note` is d.
static inline bool rp_field_takes(const void *owner, const rp_bucket_entry_t *entry)
{
    return rp_field_take(owner, entry->cell, entry->note);
}

/// An rp_bucket_is_live_t that keeps every entry, and lets its cell wait again.
static inline bool rp_field_lets_wait(const void *owner, const rp_bucket_entry_t *entry)
{
    const rp_field_t *self = owner;
    self->nodes[entry->cell].mark = self->build;
    return true;
}

/// Drop the stale entries of waiting cells: the first sweep closes cells only to tell live from
/// stale. Time: O(buckets + entries).
static inline void rp_field_sweep(const rp_field_t *self, rp_buckets_t *waiting)
{
    rp_buckets_sweep(waiting, rp_field_takes, self);
    rp_buckets_sweep(waiting, rp_field_lets_wait, self);
}

/// A key in the buckets lies at most so many steps beyond the limit, and the limit less than that
/// beyond the first bucket, as an expansion adds no more to f (RP_BUCKETS_MOST).
#define RP_FIELD_REACH 2047u

/// Put a waiting cell into the buckets. A key beyond their window is cut to the greatest that it
/// holds, as what stands beyond would come into it all at once; rp_field_puts_off() corrects such a
/// key when it comes up.
static inline void rp_field_put_outside(rp_field_t *self, rp_cell_t cell, rp_cost_t key,
                                        rp_cost_t d)
{
    const rp_cost_t reach = self->limit + ((rp_cost_t)RP_FIELD_REACH << self->outside.shift);
    if (rp_buckets_is_full(&self->outside)) {
        rp_field_sweep(self, &self->outside);
    }
    rp_buckets_push(&self->outside, key < reach ? key : reach, d, cell);
}

/// Give a cell a new d, and put it into the queue of its key.
static inline void rp_field_put(rp_field_t *self, rp_cell_t cell, rp_point_t point, rp_cost_t d)
{
    const rp_cost_t key = d + rp_bound(&self->metric, point, self->apex_point) + self->shift;
    rp_field_set(self, cell, (rp_node_t){d, self->build});
    if (key > self->limit) {
        rp_field_put_outside(self, cell, key, d);
        return;
    }
    if (rp_heap_is_full(&self->lowered)) {
        rp_field_sweep_lowered(self);
    }
    rp_heap_push(&self->lowered, rp_key(d, 0), cell);
}

/// Offer a cell a path of this cost to the root.
static inline void rp_field_lower(rp_field_t *self, rp_cell_t cell, rp_point_t point, rp_cost_t d)
{
    if (d < rp_field_at(self, cell)) {
        rp_field_put(self, cell, point, d);
    }
}

/// Offer the neighbours of a cell the path by way of it.
static inline void rp_field_tell(rp_field_t *self, rp_cell_t cell, rp_point_t point)
{
    const rp_cost_t d = self->nodes[cell].g;
    unsigned direction;
    rp_cell_t next;
    RP_FOR_MOVES (self->grid, cell, direction, next) {
        rp_field_lower(self, next, rp_point_step(point, direction),
                       d + rp_edge(&self->metric, cell, next, direction));
    }
}

// ---- bringing it up to date

/// Empty `lowered`: spread what became cheaper, as far as the limit.
/// @param budget  expansions; counted down
/// @return false when the budget was spent first: call again
static inline bool rp_field_settle(rp_field_t *self, uint64_t *budget, rp_search_stats_t *stats)
{
    rp_heap_t *lowered = &self->lowered;
    while (lowered->count != 0) {
        if (*budget == 0) {
            return false;
        }
        const rp_heap_entry_t top = rp_heap_pop(lowered);
        if (rp_field_take(self, top.cell, rp_key_first(top.key))) {
            --*budget;
            stats->expanded++;
            RP_TRACE(top.cell, EXPANDED);
            rp_prefault_note(&self->prefault, top.cell, budget);
            rp_field_tell(self, top.cell, rp_point_of(self->grid, top.cell));
        }
    }
    return true;
}

/// How far to grow: to `least`, and `slack` beyond the key of the apex once that is known; without
/// end until then.
static inline rp_cost_t rp_field_target(const rp_field_t *self, rp_cost_t least, rp_cost_t slack)
{
    const rp_cost_t d = rp_field_at(self, self->apex);
    if (d == RP_COST_INF) {
        return RP_COST_INF;
    }
    const rp_cost_t key = d + self->shift + slack;
    return key > least ? key : least;
}

/// Put a cell back outside when its key belongs into a later bucket now, because the apex has moved
/// since it was put there, or because its key was cut.
/// @param top  no key in the bucket that it came from is less
/// @return true when it was put back
static inline bool rp_field_puts_off(rp_field_t *self, rp_cell_t cell, rp_cost_t d, rp_cost_t top)
{
    const rp_point_t point = rp_point_of(self->grid, cell);
    const rp_cost_t key_now = d + rp_bound(&self->metric, point, self->apex_point) + self->shift;
    if (key_now >> self->outside.shift <= top >> self->outside.shift) {
        return false;
    }
    self->nodes[cell].mark = self->build;
    rp_field_put_outside(self, cell, key_now, d);
    return true;
}

/// Expand the cells of one bucket. What they lower has a key at least as great, and waits outside,
/// too. The loop works on local copies of members: the compiler would have to read these again
/// after each node that is written.
/// @param is_blind  a constant, so that each case is a loop of its own
/// @param top       rp_buckets_top()
/// @return false when the budget was spent first
static inline __attribute__((always_inline)) bool rp_field_grow_by(rp_field_t *self, bool is_blind,
                                                                   rp_cost_t top, uint64_t *budget,
                                                                   rp_search_stats_t *stats)
{
    const rp_grid_t *grid = self->grid;
    const rp_metric_t metric = self->metric;
    const rp_point_t apex_point = self->apex_point;
    const rp_cost_t shift = self->shift;
    const uint32_t build = self->build;
    rp_node_t *nodes = self->nodes;
    rp_buckets_t *outside = &self->outside;
    const bool has_moved = !is_blind && shift != RP_FIELD_SHIFT_FIRST;
    while (outside->count != 0 && rp_buckets_top(outside) == top) {
        if (*budget == 0) {
            return false;
        }
        const rp_bucket_entry_t *entry = rp_buckets_take(outside);
        const rp_cell_t cell = entry->cell;
        const rp_cost_t d_cell = entry->note;
        --*budget; // a stale one counts, too: there may be as many as cells
        if (!rp_field_take(self, cell, d_cell)) {
            continue;
        }
        if (has_moved && rp_field_puts_off(self, cell, d_cell, top)) {
            continue;
        }
        stats->expanded++;
        RP_TRACE(cell, EXPANDED);
        rp_prefault_note(&self->prefault, cell, budget);
        const rp_point_t point = is_blind ? (rp_point_t){0, 0} : rp_point_of(grid, cell);
        unsigned direction;
        rp_cell_t next;
        RP_FOR_MOVES (grid, cell, direction, next) {
            const rp_cost_t d = d_cell + rp_edge(&metric, cell, next, direction);
            if (rp_node_is_of(&nodes[next], build) && nodes[next].g <= d) {
                continue;
            }
            const rp_point_t beside = rp_point_step(point, direction);
            const rp_cost_t bound = is_blind ? 0 : rp_bound(&metric, beside, apex_point);
            rp_field_set(self, next, (rp_node_t){d, build});
            rp_field_put_outside(self, next, d + bound + shift, d);
        }
    }
    return true;
}

/// Raise the limit to `least`, and `slack` beyond the key of the apex, but not above `most`. Call
/// it when `lowered` is empty.
/// @return false when the budget was spent first: call again
static inline bool rp_field_grow(rp_field_t *self, rp_cost_t least, rp_cost_t slack, rp_cost_t most,
                                 uint64_t *budget, rp_search_stats_t *stats)
{
    while (self->outside.count != 0) {
        const rp_cost_t key = rp_buckets_top(&self->outside); // no entry has less
        const rp_cost_t wanted = rp_field_target(self, least, slack);
        const rp_cost_t target = wanted < most ? wanted : most;
        if (key > target) {
            self->limit = target > self->limit ? target : self->limit;
            return true;
        }
        // No cell that is lowered from here on has a smaller key.
        self->limit = key > self->limit ? key - 1u : self->limit;
        const bool goes_on = self->metric.h_straight == 0
                                 ? rp_field_grow_by(self, true, key, budget, stats)
                                 : rp_field_grow_by(self, false, key, budget, stats);
        if (!goes_on) {
            return false;
        }
    }
    self->limit = RP_FIELD_WHOLE;
    return true;
}

#ifdef REPLAN_TRACE
/// The search is over: tell the cells whose d is known.
/// @param grid  searched; the field may lie on another
static inline void rp_field_trace_reused(const rp_field_t *self, const rp_grid_t *grid)
{
    if (!rp_trace(RP_NO_CELL, RP_TRACE_REUSED)) {
        return;
    }
    for (rp_cell_t cell = 0; cell < self->grid->cell_count; cell++) {
        if (grid->factor[cell] != 0 && rp_field_at(self, cell) != RP_COST_INF &&
            (self->nodes[cell].mark & RP_NODE_CLOSED) != 0) {
            rp_trace(cell, RP_TRACE_REUSED);
        }
    }
}
#endif

// ---- changes

/// How many changes ahead of the one at hand nodes are prefetched: changed cells are far apart as a
/// rule, and their nodes not in the cache.
#define RP_FIELD_AHEAD 8u

/// Prefetch the nodes of a cell and of its neighbours.
static inline void rp_field_prefetch_cell(const rp_field_t *self, rp_cell_t cell)
{
    __builtin_prefetch(&self->nodes[cell - self->grid->stride]);
    __builtin_prefetch(&self->nodes[cell]);
    __builtin_prefetch(&self->nodes[cell + self->grid->stride]);
}

/// Prefetch the nodes of a small site and of the cells around it.
static inline void rp_field_prefetch_site(const rp_field_t *self, const rp_extent_t *extent)
{
    const uint32_t stride = self->grid->stride;
    for (uint32_t row = extent->top - 1u; row <= extent->bottom + 1u; row++) {
        __builtin_prefetch(&self->nodes[row * stride + extent->left - 1u]);
        __builtin_prefetch(&self->nodes[row * stride + extent->right + 1u]);
    }
}

/// While change i is taken in, prefetch the nodes of a later one.
static inline void rp_field_prefetch_ahead(const rp_field_t *self, const rp_change_t *changes,
                                           size_t i, size_t count)
{
    if (i + RP_FIELD_AHEAD < count) {
        rp_field_prefetch_cell(self, changes[i + RP_FIELD_AHEAD].cell);
    }
}

/// Prefetch the nodes of the first changes, before any of them is taken in. GCC 12 drops the call
/// of a function that only prefetches, unless it was inlined before.
static inline __attribute__((always_inline)) void
rp_field_prefetch_first(const rp_field_t *self, const rp_change_t *changes, size_t count)
{
    for (size_t i = 0; i < count && i < RP_FIELD_AHEAD; i++) {
        rp_field_prefetch_cell(self, changes[i].cell);
    }
}

/// Take in a cell that became cheaper or free: compute its d from its neighbours, and let it wait
/// if it can lower one of them in turn.
static inline void rp_field_look_again(rp_field_t *self, rp_cell_t cell)
{
    rp_cost_t around[RP_DIRECTIONS]; // d of the neighbours, and the steps to them
    rp_cost_t edges[RP_DIRECTIONS];
    unsigned count = 0;
    const rp_cost_t before = rp_field_at(self, cell);
    rp_cost_t least = before;
    unsigned direction;
    rp_cell_t next;
    RP_FOR_MOVES (self->grid, cell, direction, next) {
        const rp_cost_t d = rp_field_at(self, next);
        const rp_cost_t edge = rp_edge(&self->metric, cell, next, direction);
        least = d < least && d + edge < least ? d + edge : least; // such a d is finite
        around[count] = d;
        edges[count++] = edge;
    }
    if (least == RP_COST_INF) {
        return;
    }
    bool is_news = false;
    for (unsigned i = 0; i < count; i++) {
        is_news |= least + edges[i] < around[i];
    }
    const uint32_t mark = self->nodes[cell].mark;
    if (is_news) {
        if (least < before || (mark & RP_NODE_CLOSED) != 0) { // else it waits already
            rp_field_put(self, cell, rp_point_of(self->grid, cell), least);
        }
    } else if (least < before) {
        rp_field_set(self, cell, (rp_node_t){least, self->build | RP_NODE_CLOSED});
    }
}

/// Take in the four diagonals that pass beside a freed cell, each from the neighbour in one
/// straight direction to the neighbour in the next.
static inline void rp_field_open_diagonals(rp_field_t *self, rp_cell_t cell)
{
    const rp_grid_t *grid = self->grid;
    for (unsigned straight = 0; straight < RP_DIRECTIONS; straight += 2u) {
        const rp_cell_t from = rp_grid_step(grid, cell, straight);
        const rp_cell_t to = rp_grid_step(grid, cell, (straight + 2u) % RP_DIRECTIONS);
        const unsigned direction = (straight + 3u) % RP_DIRECTIONS;
        if (((grid->moves[from] >> direction) & 1u) == 0) {
            continue;
        }
        const rp_cost_t edge = rp_edge(&self->metric, from, to, direction);
        const rp_cost_t d_from = rp_field_at(self, from);
        const rp_cost_t d_to = rp_field_at(self, to);
        if (d_from < d_to && d_from + edge < d_to) {
            rp_field_put(self, to, rp_point_of(grid, to), d_from + edge);
        } else if (d_to < d_from && d_to + edge < d_from) {
            rp_field_put(self, from, rp_point_of(grid, from), d_to + edge);
        }
    }
}

/// Take in the cheaper cells of a batch; the grid holds all of it already. A cheaper path may use
/// several of them, so judge nothing by d before the whole batch was taken in and settled.
static inline void rp_field_apply(rp_field_t *self, const rp_change_t *changes, size_t count)
{
    const bool has_diagonals = self->grid->shape.neighbors == 8;
    for (size_t i = 0; i < count; i++) {
        rp_field_prefetch_ahead(self, changes, i, count);
        if (rp_change_is_cheaper(&changes[i])) {
            rp_field_look_again(self, changes[i].cell);
            if (has_diagonals && changes[i].before == 0) {
                rp_field_open_diagonals(self, changes[i].cell);
            }
        }
    }
}

/// Move the apex. @return false when `shift` would grow too great: build the field anew
static inline bool rp_field_move_apex(rp_field_t *self, rp_cell_t apex)
{
    const rp_point_t point = rp_point_of(self->grid, apex);
    const rp_cost_t step = rp_bound(&self->metric, self->apex_point, point);
    if (step > RP_FIELD_SHIFT_MAX - self->shift) {
        return false;
    }
    self->shift += step;
    self->apex = apex;
    self->apex_point = point;
    return true;
}

// ---- birth and death

/// Forget every d, and empty both queues. Time: O(1), but for clearing all nodes once in 2^27
/// calls.
static inline void rp_field_clear(rp_field_t *self, rp_cell_t apex)
{
    self->build = rp_nodes_next_search(self->build, self->nodes, self->grid->cell_count);
    self->lowered.count = 0;
    rp_buckets_clear(&self->outside);
    self->limit = 0;
    self->shift = RP_FIELD_SHIFT_FIRST;
    self->root = RP_NO_CELL;
    self->apex = apex;
    self->apex_point = rp_point_of(self->grid, apex);
}

/// Make the field blind, or give it its bounds back. Call it before rp_field_begin().
static inline void rp_field_set_blind(rp_field_t *self, bool is_blind)
{
    const rp_metric_t metric = rp_metric_of(self->grid);
    self->metric.h_straight = is_blind ? 0 : metric.h_straight;
    self->metric.h_diagonal = is_blind ? 0 : metric.h_diagonal;
}

/// Begin a new field with one root, d = 0. Time: as rp_field_clear().
static inline void rp_field_begin(rp_field_t *self, rp_cell_t root, rp_cell_t apex)
{
    const rp_point_t point = rp_point_of(self->grid, root);
    rp_field_clear(self, apex);
    self->root = root;
    self->root_point = point;
    self->limit = rp_bound(&self->metric, point, self->apex_point); // no key is less
    rp_field_put(self, root, point, 0);
}

static inline void rp_field_init(rp_field_t *self, const rp_grid_t *grid, rp_arena_t *arena)
{
    const uint32_t cells = grid->cell_count;
    *self = (rp_field_t){.grid = grid, .metric = rp_metric_of(grid)};
    self->nodes =
        rp_arena_new_by_cell(arena, &self->prefault, cells, sizeof *self->nodes, grid->stride);
    rp_heap_init(&self->lowered, cells, arena);
    const unsigned shift = rp_buckets_shift_for(self->metric.dearest);
    rp_buckets_init(&self->outside, cells, shift, (2u * (rp_cost_t)RP_FIELD_REACH) << shift, arena);
}

#endif
