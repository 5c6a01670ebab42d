/// @file
/// The common part of LPA* and D* Lite: a search that repairs g-values from its roots towards one
/// target ("Lifelong Planning A*", Koenig, Likhachev, Furcy 2004; PSEUDOCODE 7 and 8). A cell has
/// two costs: g, which the last search found, and rhs, a one-step lookahead based on g:
///
///     rhs(root) = its offset at most;  rhs(s) = min over neighbours n of g(n) + c(n, s)
///
/// A cell with g = rhs is consistent. OPEN holds exactly the inconsistent cells: overconsistent
/// ones (g > rhs) and underconsistent ones (g < rhs). Cells that this generation has not touched
/// have g = rhs = infinite, so a restart costs one increment.
///
/// Keys: least min(g, rhs) + h first; of equal ones underconsistent cells first, then
/// overconsistent ones by larger g. Any order of ties is exact that leaves behind no
/// underconsistent cell which could lie on the path; hence "underconsistent first". "Larger g" is
/// the usual order of A*.
#ifndef REPLAN_PLANNERS_REPAIR_LPA_CORE_H
#define REPLAN_PLANNERS_REPAIR_LPA_CORE_H

#include <assert.h>
#include <string.h>

#include "base/bits.h"
#include "base/prefault.h"
#include "planners/field/path_cache.h"
#include "planners/grid/metric.h"
#include "planners/grid/search_stats.h"
#include "planners/open/indexed_heap.h"
#include "replan/planner.h"
#include "replan/trace.h"

/// Mark: | generation, 31 bits | root, 1 |
typedef struct rp_lpa_core_node {
    rp_cost_t g;
    rp_cost_t rhs;
    uint32_t mark;
    uint32_t place; ///< in OPEN, if it is there
} rp_lpa_core_node_t;

static_assert(RP_COST_BITS != 32 || sizeof(rp_lpa_core_node_t) == 16, "four cells a cache line");

#define RP_LPA_CORE_ROOT       1u
#define RP_LPA_CORE_GENERATION 2u ///< one generation

/// Search state a cell, the place in OPEN included.
#define RP_LPA_CORE_BYTES sizeof(rp_lpa_core_node_t)

/// Hot members first.
typedef struct rp_lpa_core {
    rp_lpa_core_node_t *nodes; ///< by cell
    const rp_grid_t *grid;
    uint32_t generation; ///< in place for marks
    bool has_path;       ///< the cached path is the path that was found last
    bool path_is_new;    ///< the last search did not leave it as it was
    rp_indexed_heap_t open;
    rp_metric_t metric;
    rp_point_t target_point;
    rp_cost_t shift; ///< k_m: what is added to every key, as h has fallen by that much at most
    rp_cell_t target;
    rp_goal_t *roots; ///< [most that a search may have]
    uint32_t root_count;
    uint32_t laid;              ///< of these are in: before that nothing is searched
    rp_path_cache_t path_cache; ///< from a root to the target
    rp_path_cache_step_t *walk; ///< owned; a new path, from the target as far as it is new [cells]
    uint32_t walked;            ///< cells of it
    rp_prefault_t prefault;     ///< of the nodes
    RP_TRACE_ONLY(uint8_t *traced;) ///< by cell, one bit: expanded by this plan
} rp_lpa_core_t;

// ---- one cell

static inline bool rp_lpa_core_is_met(const rp_lpa_core_t *self, const rp_lpa_core_node_t *node)
{
    return (node->mark & ~(RP_LPA_CORE_GENERATION - 1u)) == self->generation;
}

static inline rp_cost_t rp_lpa_core_g(const rp_lpa_core_t *self, rp_cell_t cell)
{
    const rp_lpa_core_node_t *node = &self->nodes[cell];
    return rp_lpa_core_is_met(self, node) ? node->g : RP_COST_INF;
}

/// The node of a cell, for writing.
static inline rp_lpa_core_node_t *rp_lpa_core_meet(rp_lpa_core_t *self, rp_cell_t cell)
{
    rp_lpa_core_node_t *node = &self->nodes[cell];
    if (!rp_lpa_core_is_met(self, node)) {
        *node = (rp_lpa_core_node_t){RP_COST_INF, RP_COST_INF, self->generation, 0};
    }
    return node;
}

/// What a path may cost that ends at this root. Roots are few, and rarely asked.
static inline rp_cost_t rp_lpa_core_offset(const rp_lpa_core_t *self, rp_cell_t root)
{
    uint32_t i = 0;
    while (self->roots[i].cell != root) {
        i++;
    }
    return (rp_cost_t)self->roots[i].offset * self->metric.cell_length;
}

/// rhs by its definition. Time: one look at each neighbour.
static inline rp_cost_t rp_lpa_core_rhs(const rp_lpa_core_t *self, rp_cell_t cell)
{
    const uint32_t mark = self->nodes[cell].mark;
    const bool is_root = mark == (self->generation | RP_LPA_CORE_ROOT);
    rp_cost_t least = is_root ? rp_lpa_core_offset(self, cell) : RP_COST_INF;
    unsigned direction;
    rp_cell_t next;
    RP_FOR_MOVES (self->grid, cell, direction, next) {
        const rp_cost_t g = rp_lpa_core_g(self, next);
        if (g < least) { // so it is finite, and the sum cannot overflow
            const rp_cost_t sum = g + rp_edge(&self->metric, cell, next, direction);
            least = sum < least ? sum : least;
        }
    }
    return least;
}

// ---- keys

static inline rp_key_t rp_lpa_core_key(const rp_lpa_core_t *self, rp_cell_t cell,
                                       const rp_lpa_core_node_t *node)
{
    const rp_point_t point = rp_point_of(self->grid, cell);
    const rp_cost_t h = rp_bound(&self->metric, point, self->target_point) + self->shift;
    if (node->g < node->rhs) {
        return rp_key(node->g + h, node->g);
    }
    return rp_key(node->rhs + h, RP_COST_INF - node->rhs);
}

/// The limit while the target has not been reached: greater than every key.
#define RP_LPA_CORE_NO_LIMIT rp_key(RP_COST_INF, 0)

/// The search is over when no key in OPEN is less: the target counts as over. The greatest key
/// when the target has not been reached.
static inline rp_key_t rp_lpa_core_limit(const rp_lpa_core_t *self)
{
    const rp_lpa_core_node_t *node = &self->nodes[self->target];
    const rp_cost_t cost = node->g < node->rhs ? node->g : node->rhs;
    return cost == RP_COST_INF ? RP_LPA_CORE_NO_LIMIT
                               : rp_key(cost + self->shift, RP_COST_INF - cost);
}

// ---- one cell brought up to date

/// Prefetch what the expansion of a cell will read.
static inline void rp_lpa_core_prefetch(const rp_lpa_core_t *self, rp_cell_t cell)
{
    __builtin_prefetch(&self->nodes[cell - self->grid->stride]);
    __builtin_prefetch(&self->nodes[cell + self->grid->stride]);
    __builtin_prefetch(&self->grid->moves[cell]);
}

/// Give a cell a new rhs, and update OPEN accordingly.
static inline void rp_lpa_core_set_rhs(rp_lpa_core_t *self, rp_cell_t cell,
                                       rp_lpa_core_node_t *node, rp_cost_t rhs)
{
    const bool was_open = node->g != node->rhs;
    node->rhs = rhs;
    if (node->g == rhs) {
        if (was_open) {
            rp_indexed_heap_remove(&self->open, cell);
        }
    } else if (was_open) {
        rp_indexed_heap_move(&self->open, rp_lpa_core_key(self, cell, node), cell);
    } else {
        rp_indexed_heap_push(&self->open, rp_lpa_core_key(self, cell, node), cell);
        rp_lpa_core_prefetch(self, cell);
    }
}

/// Offer a cell a path of this cost.
/// @return true when its rhs fell
static inline bool rp_lpa_core_offer(rp_lpa_core_t *self, rp_cell_t cell, rp_cost_t cost)
{
    rp_lpa_core_node_t *node = rp_lpa_core_meet(self, cell);
    if (cost >= node->rhs) {
        return false;
    }
    rp_lpa_core_set_rhs(self, cell, node, cost);
    return true;
}

/// A path of this cost no longer leads to the cell: recompute its rhs if that path gave it.
/// @return true when its rhs rose
static inline bool rp_lpa_core_withdraw(rp_lpa_core_t *self, rp_cell_t cell, rp_cost_t cost)
{
    rp_lpa_core_node_t *node = &self->nodes[cell];
    if (!rp_lpa_core_is_met(self, node) || node->rhs != cost) {
        return false;
    }
    const rp_cost_t rhs = rp_lpa_core_rhs(self, cell);
    if (rhs == cost) {
        return false;
    }
    rp_lpa_core_set_rhs(self, cell, node, rhs);
    return true;
}

/// Expand the top of OPEN: an overconsistent cell becomes consistent, an underconsistent one
/// overconsistent, and the neighbours are updated.
static inline void rp_lpa_core_expand(rp_lpa_core_t *self, rp_cell_t cell, rp_search_stats_t *stats)
{
    rp_lpa_core_node_t *node = &self->nodes[cell];
    const rp_cost_t before = node->g;
    unsigned direction;
    rp_cell_t next;
    if (before > node->rhs) {
        const rp_cost_t g = node->rhs;
        node->g = g;
        RP_TRACE(cell, EXPANDED);
        RP_TRACE_ONLY(rp_bits_set(self->traced, cell, true));
        rp_indexed_heap_remove(&self->open, cell);
        RP_FOR_MOVES (self->grid, cell, direction, next) {
            const rp_cost_t edge = rp_edge(&self->metric, cell, next, direction);
            stats->generated += rp_lpa_core_offer(self, next, g + edge);
        }
        return;
    }
    node->g = RP_COST_INF;
    RP_TRACE(cell, RAISED);
    if (node->rhs == RP_COST_INF) {
        rp_indexed_heap_remove(&self->open, cell);
    } else {
        rp_indexed_heap_move(&self->open, rp_lpa_core_key(self, cell, node), cell);
        stats->generated++;
    }
    RP_FOR_MOVES (self->grid, cell, direction, next) {
        const rp_cost_t edge = rp_edge(&self->metric, cell, next, direction);
        stats->generated += rp_lpa_core_withdraw(self, next, before + edge);
    }
}

// ---- changes

/// Cost of the step between a changed cell and a neighbour before the change, if the neighbour did
/// not change. If it did, the result does not matter: each changed cell is recomputed as a whole.
static inline rp_cost_t rp_lpa_core_edge_before(const rp_lpa_core_t *self,
                                                const rp_change_t *change, rp_cell_t next,
                                                unsigned direction)
{
    const rp_cost_t length = self->metric.length[direction & 1u];
    const uint8_t *factor = self->metric.factor;
    return factor == NULL ? length : length * ((rp_cost_t)change->before + factor[next]);
}

/// Take in the four diagonals that pass beside a cell that became blocked or free, each from the
/// neighbour in one straight direction to the neighbour in the next: they close and open with it.
static inline void rp_lpa_core_pass_by(rp_lpa_core_t *self, rp_cell_t cell, bool is_free)
{
    const rp_grid_t *grid = self->grid;
    for (unsigned straight = 0; straight < RP_DIRECTIONS; straight += 2u) {
        const rp_cell_t from = rp_grid_step(grid, cell, straight);
        const rp_cell_t to = rp_grid_step(grid, cell, (straight + 2u) % RP_DIRECTIONS);
        const unsigned direction = (straight + 3u) % RP_DIRECTIONS;
        const rp_cost_t g_from = rp_lpa_core_g(self, from);
        const rp_cost_t g_to = rp_lpa_core_g(self, to);
        const rp_cost_t edge = rp_edge(&self->metric, from, to, direction);
        if (is_free && ((grid->moves[from] >> direction) & 1u) == 0) {
            continue;
        }
        if (g_from != RP_COST_INF) {
            (void)(is_free ? rp_lpa_core_offer(self, to, g_from + edge)
                           : rp_lpa_core_withdraw(self, to, g_from + edge));
        }
        if (g_to != RP_COST_INF) {
            (void)(is_free ? rp_lpa_core_offer(self, from, g_to + edge)
                           : rp_lpa_core_withdraw(self, from, g_to + edge));
        }
    }
}

/// Take in the steps between a cell whose factor changed and its neighbours: withdraw the old path
/// by way of it, and offer the new one. For all neighbours, as a diagonal may have closed in the
/// same batch.
static inline void rp_lpa_core_reprice(rp_lpa_core_t *self, const rp_change_t *change)
{
    const rp_grid_t *grid = self->grid;
    const rp_cell_t cell = change->cell;
    const rp_cost_t g = rp_lpa_core_g(self, cell);
    const unsigned each = grid->shape.neighbors == 8 ? 1u : 2u;
    if (g == RP_COST_INF) {
        return;
    }
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction += each) {
        const rp_cell_t next = rp_grid_step(grid, cell, direction);
        if (change->after < change->before && ((grid->moves[cell] >> direction) & 1u) != 0) {
            (void)rp_lpa_core_offer(self, next, g + rp_edge(&self->metric, cell, next, direction));
        } else {
            (void)rp_lpa_core_withdraw(self, next,
                                       g + rp_lpa_core_edge_before(self, change, next, direction));
        }
    }
}

/// Take in one cell of a batch; the grid holds the whole batch already. The order of the cells does
/// not matter: an rhs is either set to what it has to be in the end, or left to the changed cell
/// that it depends on.
static inline void rp_lpa_core_change(rp_lpa_core_t *self, const rp_change_t *change)
{
    const rp_cell_t cell = change->cell;
    const bool is_blocked = change->after == 0;
    if (change->before != 0) {
        rp_lpa_core_reprice(self, change);
    }
    if (self->grid->shape.neighbors == 8 && (is_blocked || change->before == 0)) {
        rp_lpa_core_pass_by(self, cell, !is_blocked);
    }
    const rp_cost_t rhs = is_blocked ? RP_COST_INF : rp_lpa_core_rhs(self, cell);
    rp_lpa_core_node_t *node = &self->nodes[cell];
    if (rhs == RP_COST_INF && !rp_lpa_core_is_met(self, node)) {
        return;
    }
    node = rp_lpa_core_meet(self, cell);
    if (is_blocked) {
        // A blocked cell is made consistent at once: to expand it would be of no use.
        if (node->g != node->rhs) {
            rp_indexed_heap_remove(&self->open, cell);
        }
        node->g = RP_COST_INF;
        node->rhs = RP_COST_INF;
    } else if (node->rhs != rhs) {
        rp_lpa_core_set_rhs(self, cell, node, rhs);
    }
}

/// How many changes ahead of the one at hand nodes are prefetched.
#define RP_LPA_CORE_AHEAD 8u

/// Take in a batch. Its cells are far apart as a rule, and their nodes not in the cache, so they
/// are prefetched.
static inline void rp_lpa_core_apply(rp_lpa_core_t *self, const rp_change_t *changes, size_t count)
{
    const uint32_t stride = self->grid->stride;
    for (size_t i = 0; i < count; i++) {
        if (i + RP_LPA_CORE_AHEAD < count) {
            const rp_cell_t cell = changes[i + RP_LPA_CORE_AHEAD].cell;
            __builtin_prefetch(&self->nodes[cell - stride]);
            __builtin_prefetch(&self->nodes[cell]);
            __builtin_prefetch(&self->nodes[cell + stride]);
        }
        rp_lpa_core_change(self, &changes[i]);
    }
    rp_path_cache_apply(&self->path_cache, changes, count);
}

// ---- birth and death

/// Begin anew; rp_lpa_core_lay() comes next. Time: O(length of the last path), but for one
/// clearing in 2^31.
static inline void rp_lpa_core_begin(rp_lpa_core_t *self, const rp_goal_t *roots,
                                     uint32_t root_count, rp_cell_t target)
{
    self->generation += RP_LPA_CORE_GENERATION;
    if (self->generation == 0) {
        memset(self->nodes, 0, (size_t)self->grid->cell_count * sizeof *self->nodes);
        self->generation = RP_LPA_CORE_GENERATION;
    }
    rp_indexed_heap_clear(&self->open);
    self->has_path = false;
    rp_path_cache_reset(&self->path_cache, roots[0].cell,
                        (rp_cost_t)roots[0].offset * self->metric.cell_length);
    self->shift = 0;
    self->target = target;
    self->target_point = rp_point_of(self->grid, target);
    memcpy(self->roots, roots, root_count * sizeof *roots);
    self->root_count = root_count;
    self->laid = 0;
}

/// Put in what a search begins with: the target and the roots, which may lie far apart.
/// @return false when the budget, from which only pages are paid, was spent first
static inline bool rp_lpa_core_lay(rp_lpa_core_t *self, uint64_t *budget)
{
    if (self->laid == 0) {
        rp_prefault_note(&self->prefault, self->target, budget);
        (void)rp_lpa_core_meet(self, self->target);
    }
    for (; self->laid < self->root_count; self->laid++) {
        const rp_goal_t *root = &self->roots[self->laid];
        if (*budget == 0) {
            return false;
        }
        rp_prefault_note(&self->prefault, root->cell, budget);
        rp_lpa_core_node_t *node = rp_lpa_core_meet(self, root->cell);
        node->mark |= RP_LPA_CORE_ROOT;
        rp_lpa_core_set_rhs(self, root->cell, node,
                            (rp_cost_t)root->offset * self->metric.cell_length);
    }
    return true;
}

/// Most that may be added to keys, a quarter of the range of costs: g + h take less than the rest
/// (grid/cost.h).
#define RP_LPA_CORE_SHIFT_MAX (RP_COST_INF / 4u)

/// Search for another target from now on. A key in OPEN was computed for the target of that time.
/// If it has moved since, over a bound of b in all, h has fallen by at most b. Instead of lowering
/// all old keys, b is added to each new one. So a stored key is never too great.
/// @return false when `shift` would grow too great
static inline bool rp_lpa_core_aim(rp_lpa_core_t *self, rp_cell_t target)
{
    const rp_point_t point = rp_point_of(self->grid, target);
    const rp_cost_t step = rp_bound(&self->metric, self->target_point, point);
    if (step > RP_LPA_CORE_SHIFT_MAX - self->shift) {
        return false;
    }
    self->shift += step;
    self->target = target;
    self->target_point = point;
    (void)rp_lpa_core_meet(self, target);
    return true;
}

/// Expand the top of OPEN, or put its key right if that has aged.
/// @param may_age  the target may have moved
/// @param budget   at least 1, counted down: an aged key counts too, as a far jump leaves many
static inline void rp_lpa_core_step(rp_lpa_core_t *self, rp_indexed_heap_entry_t top, bool may_age,
                                    uint64_t *budget, rp_search_stats_t *stats)
{
    --*budget;
    if (may_age) {
        const rp_key_t key = rp_lpa_core_key(self, top.cell, &self->nodes[top.cell]);
        if (top.key < key) {
            rp_indexed_heap_move(&self->open, key, top.cell);
            stats->generated++;
            return;
        }
    }
    stats->expanded++;
    rp_prefault_note(&self->prefault, top.cell, budget);
    rp_lpa_core_expand(self, top.cell, stats);
}

#ifdef REPLAN_TRACE
/// The search is over: tell the cells that A* would have expanded now, and this search need not.
static inline void rp_lpa_core_trace_reused(rp_lpa_core_t *self)
{
    const bool is_wanted = rp_trace(RP_NO_CELL, RP_TRACE_REUSED);
    const bool is_over = rp_indexed_heap_is_empty(&self->open);
    const rp_key_t top = is_over ? RP_LPA_CORE_NO_LIMIT : rp_indexed_heap_top(&self->open).key;
    const rp_key_t limit = rp_lpa_core_limit(self);
    for (rp_cell_t cell = 0; is_wanted && cell < self->grid->cell_count; cell++) {
        const rp_lpa_core_node_t *node = &self->nodes[cell];
        const bool is_known = self->grid->factor[cell] != 0 && rp_lpa_core_is_met(self, node) &&
                              node->g != RP_COST_INF;
        const rp_key_t key = is_known ? rp_lpa_core_key(self, cell, node) : RP_LPA_CORE_NO_LIMIT;
        const bool is_right = is_known && node->g == node->rhs && key <= limit && key < top;
        if (is_right && !rp_bits_has(self->traced, cell)) {
            rp_trace(cell, RP_TRACE_REUSED);
        }
    }
    memset(self->traced, 0, self->grid->cell_count / 8u + 1u);
}
#endif

/// @param root_capacity  most roots that a search will have
static inline void rp_lpa_core_init(rp_lpa_core_t *self, const rp_grid_t *grid,
                                    uint32_t root_capacity, rp_arena_t *arena)
{
    const uint32_t cells = grid->cell_count;
    *self = (rp_lpa_core_t){.grid = grid, .metric = rp_metric_of(grid)};
    self->nodes =
        rp_arena_new_by_cell(arena, &self->prefault, cells, sizeof *self->nodes, grid->stride);
    self->walk = rp_arena_new(arena, cells, sizeof *self->walk);
    rp_arena_note(arena, &self->walked, &self->walked, sizeof *self->walk);
    rp_path_cache_init(&self->path_cache, grid, arena);
    RP_TRACE_ONLY(self->traced = rp_bits_new(arena, cells));
    self->roots = rp_arena_new(arena, root_capacity, sizeof *self->roots);
    rp_arena_note(arena, &self->root_count, &self->root_count, sizeof *self->roots);
    rp_indexed_heap_init(&self->open, cells, &self->nodes->place,
                         sizeof *self->nodes / sizeof(uint32_t), arena);
}

// ---- invariants

/// Every rhs is what its definition says; OPEN holds the inconsistent cells and no other, in order,
/// none by too great a key. Time: O(cells).
/// @param may_hope  the search was not told of all that was blocked: an rhs may be less
static inline bool rp_lpa_core_check(const rp_lpa_core_t *self, bool may_hope)
{
    uint32_t open_count = 0;
    for (rp_cell_t cell = 0; cell < self->grid->cell_count; cell++) {
        const rp_lpa_core_node_t *node = &self->nodes[cell];
        const bool is_met = rp_lpa_core_is_met(self, node);
        if (!is_met && !rp_grid_holds(self->grid, cell)) {
            continue; // the rim
        }
        const rp_cost_t rhs = is_met ? node->rhs : RP_COST_INF;
        const rp_cost_t defined = rp_lpa_core_rhs(self, cell);
        if (may_hope ? rhs > defined : rhs != defined) {
            return false;
        }
        if (!is_met || node->g == node->rhs) {
            continue;
        }
        open_count++;
        if (!rp_indexed_heap_holds(&self->open, cell, rp_lpa_core_key(self, cell, node))) {
            return false;
        }
    }
    return open_count == rp_indexed_heap_count(&self->open) &&
           rp_path_cache_check(&self->path_cache, &self->metric);
}

#endif
