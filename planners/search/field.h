/// @file
/// A field: what it costs from each cell to the root, for the cells that a path between root and
/// apex of limited cost can pass. Cells outside that ellipse are unknown; asked for more, it grows.
///
/// d is a consistent lower bound on the cost to the root, and exact where it was just built. A cell
/// that becomes dearer leaves d alone: a bound stays one. A cell that becomes cheaper lowers d here
/// and there, and each lowered cell must tell its neighbours. Such cells wait in one of two places:
///
///     key = d + bound(cell, apex) + shift
///
///     key <= limit   the heap "lowered", least d first: brought up to date by rp_field_settle()
///     key >  limit   the ring "outside", by key: not needed until rp_field_grow() raises the limit
///
/// The first build is nothing but growth from the root, in the order of A*; nearly so where the
/// ring's lists are for several keys each. A cell that has told its neighbours too early is lowered
/// and tells them again.
///
/// Invariants. For every cell u that does not wait, and every legal step u - v now:
/// d(v) <= d(u) + c(u, v). Nobody in the ring has a key of `limit` or less. So once "lowered" is
/// empty, d never exceeds the true cost on any path with cost + shift <= limit: going along it from
/// the root, the first cell whose d is too great would have a waiting neighbour on the path.
///
/// Where ways wind, bounds promise too little to be worth their trouble: a blind field has bound =
/// 0, and grows in all directions alike.
///
/// The apex may walk. Its bounds fall by no more than the step's own bound, which is added to
/// `shift` (D* Lite's k_m): keys only grow, so what is outside stays outside, and the cost that the
/// limit covers shrinks by the same amount.
#ifndef REPLAN_SEARCH_FIELD_H
#define REPLAN_SEARCH_FIELD_H

#include "planners/planner_ops.h"
#include "planners/search/met.h"
#include "planners/search/metric.h"
#include "planners/search/nodes.h"
#include "planners/search/open_buckets.h"
#include "planners/search/open_heap.h"

/// The limit of a field that has nothing outside: it knows every cell that the root can reach.
#define RP_FIELD_WHOLE (RP_COST_INF - 1u)

/// The first shift: every key is above the first limit.
#define RP_FIELD_SHIFT_FIRST 1u

/// Greatest shift: d + bound + shift stay below the range of costs (search/cost.h).
#define RP_FIELD_SHIFT_MAX (RP_COST_INF / 4u)

/// Hears of a cell whose d fell or came to be known.
typedef void rp_field_hear_t(void *owner, rp_cell_t cell);

typedef struct rp_field {
    rp_node_t *nodes; ///< by cell: g is d; not closed means that the cell waits
    const rp_grid_t *grid;
    uint32_t build; ///< number of this build, in place for marks
    rp_cost_t limit;
    rp_cost_t shift;
    rp_metric_t metric;
    rp_point_t apex_point;
    rp_point_t root_point;
    rp_cell_t apex;
    rp_cell_t root;
    rp_heap_t lowered;    ///< cells that wait, key d
    rp_buckets_t outside; ///< cells that wait until the limit is raised; keys in steps of 2^coarse
    unsigned coarse;
    rp_field_hear_t *hear; ///< NULL: nobody asks
    void *owner;           ///< handed to it
    rp_met_t met;          ///< of the nodes
} rp_field_t;

/// d of a cell, RP_COST_INF when it is unknown.
static inline rp_cost_t rp_field_at(const rp_field_t *self, rp_cell_t cell)
{
    const rp_node_t *node = &self->nodes[cell];
    return rp_node_is_of(node, self->build) ? node->g : RP_COST_INF;
}

/// True when d bounds every path from the apex of this cost, once nothing lowered is left.
static inline bool rp_field_covers(const rp_field_t *self, rp_cost_t cost)
{
    return self->limit == RP_FIELD_WHOLE ||
           (cost <= self->limit && cost + self->shift <= self->limit);
}

/// d of a cell is new.
static inline void rp_field_set(rp_field_t *self, rp_cell_t cell, rp_node_t node)
{
    self->nodes[cell] = node;
    if (self->hear != NULL) {
        self->hear(self->owner, cell);
    }
}

// ---- who waits

/// An entry comes out: true when it is live; then its cell waits no more.
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

/// Drop the stale entries of the heap, and all but one of a cell that is in twice because its d
/// came back to an older value: taking an entry marks its cell, so a second one is stale.
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

/// Keep what is live of one list of the ring's entries.
static inline void rp_field_sweep_list(rp_field_t *self, uint32_t *link)
{
    rp_buckets_t *outside = &self->outside;
    while (*link != 0) {
        const rp_bucket_entry_t *entry = &outside->entries[*link];
        if (rp_field_take(self, entry->cell, entry->g)) {
            link = &outside->entries[*link].next;
        } else {
            rp_buckets_drop(outside, link);
        }
    }
}

/// They were taken only to be counted: they wait.
static inline void rp_field_let_wait(rp_field_t *self, uint32_t place)
{
    const rp_buckets_t *outside = &self->outside;
    for (; place != 0; place = outside->entries[place].next) {
        self->nodes[outside->entries[place].cell].mark = self->build;
    }
}

/// The same as for the heap. Time: O(ring + entries).
static inline void rp_field_sweep_outside(rp_field_t *self)
{
    rp_buckets_t *outside = &self->outside;
    rp_field_sweep_list(self, &outside->list);
    for (uint32_t bucket = 0; bucket <= outside->ring.mask; bucket++) {
        rp_field_sweep_list(self, &outside->ring.heads[bucket]);
        rp_ring_note_empty(&outside->ring, bucket);
    }
    rp_field_let_wait(self, outside->list);
    for (uint32_t bucket = 0; bucket <= outside->ring.mask; bucket++) {
        rp_field_let_wait(self, outside->ring.heads[bucket]);
    }
}

/// Put a waiting cell into the ring. A key beyond the ring's reach is put in as great as it may be:
/// too small a key is put right when it comes up.
static inline void rp_field_put_outside(rp_field_t *self, rp_cell_t cell, rp_cost_t key,
                                        rp_cost_t d)
{
    const rp_cost_t reach = self->limit + 2u * self->metric.dearest + 1u;
    if (rp_buckets_is_full(&self->outside)) {
        rp_field_sweep_outside(self);
    }
    rp_buckets_push(&self->outside, (key < reach ? key : reach) >> self->coarse, d, cell);
}

/// Have a cell wait, for its d is new.
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

/// A way of this cost leads from the cell to the root.
static inline void rp_field_lower(rp_field_t *self, rp_cell_t cell, rp_point_t point, rp_cost_t d)
{
    if (d < rp_field_at(self, cell)) {
        rp_field_put(self, cell, point, d);
    }
}

/// A cell tells its neighbours.
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

/// Spread what was lowered, inside the limit. @return false when the budget was spent first
static inline bool rp_field_settle(rp_field_t *self, uint64_t *budget, rp_plan_stats_t *stats)
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
            rp_met_note(&self->met, top.cell, budget);
            rp_field_tell(self, top.cell, rp_point_of(self->grid, top.cell));
        }
    }
    return true;
}

/// How far growth goes: to `least`, and to `slack` beyond the apex when that is known.
static inline rp_cost_t rp_field_target(const rp_field_t *self, rp_cost_t least, rp_cost_t slack)
{
    const rp_cost_t d = rp_field_at(self, self->apex);
    if (d == RP_COST_INF) {
        return RP_COST_INF;
    }
    const rp_cost_t key = d + self->shift + slack;
    return key > least ? key : least;
}

/// True when the apex has moved since the cell was put outside, and it may wait longer there.
static inline bool rp_field_puts_off(rp_field_t *self, rp_cell_t cell, rp_cost_t d,
                                     rp_cost_t bucket)
{
    const rp_point_t point = rp_point_of(self->grid, cell);
    const rp_cost_t key_now = d + rp_bound(&self->metric, point, self->apex_point) + self->shift;
    if (key_now >> self->coarse <= bucket) {
        return false;
    }
    self->nodes[cell].mark = self->build;
    rp_field_put_outside(self, cell, key_now, d);
    return true;
}

/// The cells of one bucket, which stand in a list, tell their neighbours while the limit rises: all
/// that they lower has no less a key, and waits outside too. What the loop reads stands in copies,
/// or it would be read again after each cell that is written.
/// @param is_blind  a constant: one plain loop for each
/// @return false when the budget was spent first: the rest is back in the ring
static inline __attribute__((always_inline)) bool rp_field_grow_by(rp_field_t *self, bool is_blind,
                                                                   rp_cost_t bucket,
                                                                   uint64_t *budget,
                                                                   rp_plan_stats_t *stats)
{
    const rp_grid_t *grid = self->grid;
    const rp_metric_t metric = self->metric;
    const rp_point_t apex_point = self->apex_point;
    const rp_cost_t shift = self->shift;
    const uint32_t build = self->build;
    rp_node_t *nodes = self->nodes;
    const bool has_moved = !is_blind && shift != RP_FIELD_SHIFT_FIRST;
    while (self->outside.list != 0) {
        if (*budget == 0) {
            rp_buckets_put_back(&self->outside, bucket);
            return false;
        }
        const rp_bucket_entry_t top = rp_buckets_take_next(&self->outside);
        if (!rp_field_take(self, top.cell, top.g)) {
            continue;
        }
        --*budget;
        if (has_moved && rp_field_puts_off(self, top.cell, top.g, bucket)) {
            continue;
        }
        stats->expanded++;
        rp_met_note(&self->met, top.cell, budget);
        const rp_point_t point = is_blind ? (rp_point_t){0, 0} : rp_point_of(grid, top.cell);
        unsigned direction;
        rp_cell_t next;
        RP_FOR_MOVES (grid, top.cell, direction, next) {
            const rp_cost_t d = top.g + rp_edge(&metric, top.cell, next, direction);
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

/// Raise the limit to `least`, and to `slack` beyond the apex, but not above `most`. Call it with
/// nothing lowered left.
/// @return false when the budget was spent first; it goes on where it was
static inline bool rp_field_grow(rp_field_t *self, rp_cost_t least, rp_cost_t slack, rp_cost_t most,
                                 uint64_t *budget, rp_plan_stats_t *stats)
{
    rp_buckets_t *outside = &self->outside;
    while (outside->count != 0) {
        const rp_cost_t bucket = rp_buckets_top(outside);
        const rp_cost_t key = bucket << self->coarse; // no entry has less
        const rp_cost_t wanted = rp_field_target(self, least, slack);
        const rp_cost_t target = wanted < most ? wanted : most;
        if (key > target) {
            self->limit = target > self->limit ? target : self->limit;
            return true;
        }
        // Whatever is lowered from here on has this key at least.
        self->limit = key > self->limit ? key - 1u : self->limit;
        rp_buckets_take_list(outside);
        const bool goes_on = self->metric.h_straight == 0
                                 ? rp_field_grow_by(self, true, bucket, budget, stats)
                                 : rp_field_grow_by(self, false, bucket, budget, stats);
        if (!goes_on) {
            return false;
        }
    }
    self->limit = RP_FIELD_WHOLE;
    return true;
}

// ---- changes

/// How many changes lie between the one that is taken in and the one whose cells are sent for: they
/// are far apart as a rule, and come from memory.
#define RP_FIELD_AHEAD 8u

static inline void rp_field_send_for_cell(const rp_field_t *self, rp_cell_t cell)
{
    __builtin_prefetch(&self->nodes[cell - self->grid->stride]);
    __builtin_prefetch(&self->nodes[cell]);
    __builtin_prefetch(&self->nodes[cell + self->grid->stride]);
}

/// The same for all cells of a small site, and those beside it.
static inline void rp_field_send_for_site(const rp_field_t *self, const rp_site_t *site)
{
    const uint32_t stride = self->grid->stride;
    for (uint32_t row = site->top - 1u; row <= site->bottom + 1u; row++) {
        __builtin_prefetch(&self->nodes[row * stride + site->left - 1u]);
        __builtin_prefetch(&self->nodes[row * stride + site->right + 1u]);
    }
}

/// Send for what stands at a change that is to be taken in soon.
static inline void rp_field_send_for(const rp_field_t *self, const rp_change_t *changes, size_t i,
                                     size_t count)
{
    if (i + RP_FIELD_AHEAD < count) {
        rp_field_send_for_cell(self, changes[i + RP_FIELD_AHEAD].cell);
    }
}

/// The same for the first ones, before any is taken in.
static inline void rp_field_send_for_first(const rp_field_t *self, const rp_change_t *changes,
                                           size_t count)
{
    for (size_t i = 0; i < count && i < RP_FIELD_AHEAD; i++) {
        rp_field_send_for_cell(self, changes[i].cell);
    }
}

/// True when neither end of a step can be lowered from the other.
static inline bool rp_field_step_agrees(rp_cost_t a, rp_cost_t b, rp_cost_t edge)
{
    return (a < b ? b - a : a - b) <= edge;
}

/// As rp_field_agrees() on ground of one kind that is no torus: whoever guesses which steps are
/// legal is wrong half of the time, so none is guessed.
static inline bool rp_field_agrees_evenly(const rp_field_t *self, rp_cell_t cell)
{
    const rp_grid_t *grid = self->grid;
    const bool has_diagonals = grid->shape.neighbors == 8;
    const unsigned each = has_diagonals ? 1u : 2u;
    const rp_cost_t d = rp_field_at(self, cell);
    const unsigned moves = grid->moves[cell];
    rp_cost_t around[RP_DIRECTIONS];
    unsigned differ = 0;
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction += each) {
        const rp_cost_t edge = self->metric.length[direction & 1u];
        around[direction] = rp_field_at(self, cell + (rp_cell_t)grid->offset[direction]);
        differ |=
            (unsigned)!rp_field_step_agrees(d, around[direction], edge) & (moves >> direction);
    }
    for (unsigned straight = 0; has_diagonals && straight < RP_DIRECTIONS; straight += 2u) {
        const unsigned from = grid->moves[cell + (rp_cell_t)grid->offset[straight]];
        const unsigned next = (straight + 2u) % RP_DIRECTIONS;
        differ |= (unsigned)!rp_field_step_agrees(around[straight], around[next],
                                                  self->metric.length[1]) &
                  (from >> ((straight + 3u) % RP_DIRECTIONS));
    }
    return (differ & 1u) == 0;
}

/// True when a cell that became cheaper needs no look: what is known of it from before fits in
/// with its neighbours, or nobody there is known.
static inline bool rp_field_agrees(const rp_field_t *self, const rp_change_t *change)
{
    const rp_grid_t *grid = self->grid;
    const rp_cell_t cell = change->cell;
    if (self->metric.factor == NULL && grid->seam == NULL) {
        return rp_field_agrees_evenly(self, cell);
    }
    const rp_cost_t d = rp_field_at(self, cell);
    unsigned direction;
    rp_cell_t next;
    RP_FOR_MOVES (grid, cell, direction, next) {
        if (!rp_field_step_agrees(d, rp_field_at(self, next),
                                  rp_edge(&self->metric, cell, next, direction))) {
            return false;
        }
    }
    for (unsigned straight = 0; grid->shape.neighbors == 8 && straight < RP_DIRECTIONS;
         straight += 2u) {
        const rp_cell_t from = rp_grid_step(grid, cell, straight);
        const unsigned beside = (straight + 3u) % RP_DIRECTIONS;
        if (((grid->moves[from] >> beside) & 1u) == 0) {
            continue;
        }
        const rp_cell_t to = rp_grid_step(grid, from, beside);
        if (!rp_field_step_agrees(rp_field_at(self, from), rp_field_at(self, to),
                                  rp_edge(&self->metric, from, to, beside))) {
            return false;
        }
    }
    return true;
}

/// For users that raise d: forget what is known of freed cells, before the batch is taken in, where
/// it does not agree with what is round them. It is from another time: while a cell was blocked its
/// neighbours may have been raised, and it would lower them again for nothing. All of them first,
/// or one would ask another that is as old.
static inline void rp_field_forget(rp_field_t *self, const rp_change_t *changes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        rp_field_send_for(self, changes, i, count);
        rp_node_t *node = &self->nodes[changes[i].cell];
        if (changes[i].before == 0 && rp_node_is_of(node, self->build) &&
            !rp_field_agrees(self, &changes[i])) {
            *node = (rp_node_t){RP_COST_INF, self->build | RP_NODE_CLOSED};
        }
    }
}

/// A cell became cheaper, or was freed: take d from the neighbours, and wait when one of them can
/// be lowered from here.
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

/// A cell was freed, and with it the four diagonals that pass beside it, from the neighbour in each
/// straight direction to the next one.
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

/// Take in the cheaper cells of a batch, the grid being in its state after all of it. Two of them
/// may combine, so d of all must be in the field before anything is judged by it.
static inline void rp_field_apply(rp_field_t *self, const rp_change_t *changes, size_t count)
{
    const bool has_diagonals = self->grid->shape.neighbors == 8;
    for (size_t i = 0; i < count; i++) {
        rp_field_send_for(self, changes, i, count);
        if (rp_change_is_cheaper(&changes[i])) {
            rp_field_look_again(self, changes[i].cell);
            if (has_diagonals && changes[i].before == 0) {
                rp_field_open_diagonals(self, changes[i].cell);
            }
        }
    }
}

/// The apex goes elsewhere. @return false when the shift would grow too great: build anew
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

/// Forget everything: nobody waits. Time: O(1), but for one clearing in 2^27.
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

/// Do without bounds, or with them. Call it before the field begins anew.
static inline void rp_field_set_blind(rp_field_t *self, bool is_blind)
{
    const rp_metric_t metric = rp_metric_of(self->grid);
    self->metric.h_straight = is_blind ? 0 : metric.h_straight;
    self->metric.h_diagonal = is_blind ? 0 : metric.h_diagonal;
}

/// Begin anew, from one root that costs nothing.
static inline void rp_field_begin(rp_field_t *self, rp_cell_t root, rp_cell_t apex)
{
    const rp_point_t point = rp_point_of(self->grid, root);
    rp_field_clear(self, apex);
    self->root = root;
    self->root_point = point;
    self->limit = rp_bound(&self->metric, point, self->apex_point); // no key is less
    rp_field_put(self, root, point, 0);
}

static inline void rp_field_fini(rp_field_t *self, rp_rubble_t *rubble)
{
    if (self->grid == NULL) {
        return;
    }
    rp_memory_free(self->nodes, self->grid->cell_count, sizeof *self->nodes, rubble);
    rp_heap_fini(&self->lowered, rubble);
    rp_buckets_fini(&self->outside, rubble);
    *self = (rp_field_t){0};
}

static inline rp_status_t rp_field_init(rp_field_t *self, const rp_grid_t *grid)
{
    *self = (rp_field_t){.grid = grid,
                         .metric = rp_metric_of(grid),
                         .met = rp_met_none(grid->cell_count, sizeof *self->nodes)};
    self->coarse = rp_buckets_coarse(self->metric.dearest);
    self->nodes = rp_memory_new(grid->cell_count, sizeof *self->nodes);
    const rp_status_t heap = rp_heap_init(&self->lowered, grid->cell_count);
    const rp_status_t ring = rp_buckets_init(&self->outside, grid->cell_count,
                                             (self->metric.dearest >> self->coarse) + 2u);
    if (self->nodes == NULL || heap != RP_OK || ring != RP_OK) {
        rp_field_fini(self, NULL);
        return RP_E_MEMORY;
    }
    return RP_OK;
}

/// Have its queues lie in small pages: for fields that are many, each with little in its queues.
static inline void rp_field_make_sparse(rp_field_t *self)
{
    rp_heap_t *lowered = &self->lowered;
    rp_buckets_t *outside = &self->outside;
    rp_memory_make_sparse(lowered->entries - RP_HEAP_LEAD, lowered->capacity + RP_HEAP_LEAD,
                          sizeof *lowered->entries);
    rp_memory_make_sparse(outside->entries, outside->capacity, sizeof *outside->entries);
}

static inline uint64_t rp_field_bytes(const rp_field_t *self)
{
    return (uint64_t)self->grid->cell_count * sizeof *self->nodes +
           (uint64_t)self->lowered.peak * sizeof *self->lowered.entries +
           rp_buckets_bytes(&self->outside);
}

#endif
