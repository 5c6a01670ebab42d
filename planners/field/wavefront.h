/// @file
/// A wavefront: the first growth of a field (field.h) on ground where every step costs the same: 4
/// neighbours, uniform. It needs no ring of buckets:
///
///     aimed   whole layers of equal keys, 64 cells an instruction (bits/bit_bfs.h)
///     blind   breadth-first search: one list, in the order in which cells were reached
///
/// It is more than three times as fast as growth by the ring. In a blind field what became cheaper
/// is spread by that list, too: by the heap it takes more than twice as long.
#ifndef REPLAN_PLANNERS_FIELD_WAVEFRONT_H
#define REPLAN_PLANNERS_FIELD_WAVEFRONT_H

#include <assert.h>

#include "base/budget.h"
#include "planners/bits/bit_bfs.h"
#include "planners/field/field.h"
#include "planners/grid/search_stats.h"

typedef struct rp_wavefront {
    rp_bit_bfs_t bfs;  ///< aimed; all zero on a torus, where a step may keep the distance
    uint32_t *list;    ///< blind; NULL on ground that wavefronts are not for [capacity]
    rp_field_t *field; ///< borrowed; of the aimed wave under way, NULL when there is none
    uint64_t *budget;  ///< borrowed; of the present slice of it
    uint32_t list_peak;
    uint32_t capacity;
} rp_wavefront_t;

static inline void rp_wavefront_init(rp_wavefront_t *self, const rp_grid_t *grid, rp_arena_t *arena)
{
    const rp_grid_shape_t *shape = &grid->shape;
    *self = (rp_wavefront_t){.capacity = grid->cell_count};
    if (shape->neighbors != 4 || grid->weighted) {
        return;
    }
    self->list = rp_arena_new(arena, self->capacity, sizeof *self->list);
    rp_arena_note(arena, &self->list_peak, &self->list_peak, sizeof *self->list);
    if (!shape->wraps) {
        rp_bit_bfs_init(&self->bfs, shape->width, shape->height, rp_simd_best(), arena);
    }
}

/// True when a wavefront can make the first growth: the field has just begun, and the ground is
/// right.
static inline bool rp_wavefront_suits(const rp_wavefront_t *self, const rp_field_t *field)
{
    const bool is_blind = field->metric.h_straight == 0;
    return self->list != NULL && field->hear == NULL && (is_blind || !field->grid->shape.wraps) &&
           field->nodes[field->root].mark == field->build && field->outside.count == 1u &&
           field->lowered.count == 0;
}

// ---- aimed

/// So many values of d are written in the time of a step of the search.
#define RP_WAVEFRONT_WRITES_EACH 8u

/// As rp_bit_bfs_hear_t: cells were reached. Those of the last layer are put into the ring.
static inline void rp_wavefront_hear(void *owner, const rp_bit_bfs_news_t *news)
{
    const rp_wavefront_t *self = owner;
    rp_field_t *field = self->field;
    rp_node_t *nodes = field->nodes;
    const uint32_t mark = field->build | (news->is_last ? 0u : RP_NODE_CLOSED);
    const rp_cost_t key = news->f + field->shift;
    uint64_t written = 0;
    field->limit = key - 1u;
    for (uint64_t rows = news->rows; rows != 0; rows &= rows - 1u) {
        const unsigned row = (unsigned)__builtin_ctzll(rows);
        const rp_cell_t first = news->corner + row * (rp_cell_t)news->row_step;
        const unsigned least = (unsigned)__builtin_ctzll(news->words[row]);
        rp_prefault_note(&field->prefault, first + least * (rp_cell_t)news->bit_step, self->budget);
        for (uint64_t word = news->words[row]; word != 0; word &= word - 1u) {
            const unsigned bit = (unsigned)__builtin_ctzll(word);
            const rp_cell_t cell = first + bit * (rp_cell_t)news->bit_step;
            const rp_cost_t d = (uint32_t)(news->g + row + bit);
            nodes[cell] = (rp_node_t){d, mark};
            written++;
            if (news->is_last) {
                rp_field_put_outside(field, cell, key, d);
            }
        }
    }
    rp_budget_pay(self->budget, written / RP_WAVEFRONT_WRITES_EACH);
}

static inline void rp_wavefront_begin_aimed(rp_wavefront_t *self, rp_field_t *field,
                                            rp_cost_t slack)
{
    const rp_point_t root = rp_point_of(field->grid, field->root);
    const rp_point_t apex = field->apex_point;
    rp_bit_bfs_t *bfs = &self->bfs;
    self->field = field;
    rp_free_map_read(&bfs->map, field->grid, bfs->simd);
    rp_bit_bfs_begin(bfs, (uint32_t)root.x, (uint32_t)root.y, (uint32_t)apex.x, (uint32_t)apex.y);
    rp_bit_bfs_tell(bfs, field->grid->stride, (uint32_t)(slack / 2u) + 1u, rp_wavefront_hear, self);
}

/// @return false when the budget was spent first: call again
static inline bool rp_wavefront_grow_aimed(rp_wavefront_t *self, rp_cost_t slack, uint64_t *budget,
                                           rp_search_stats_t *stats)
{
    rp_field_t *field = self->field;
    rp_bit_bfs_count_t count = {0};
    self->budget = budget;
    const rp_status_t status = rp_bit_bfs_search(&self->bfs, budget, &count);
    stats->expanded += count.steps;
    if (status == RP_MORE) {
        return false;
    }
    field->limit = self->bfs.is_whole ? RP_FIELD_WHOLE
                                      : rp_field_at(field, field->apex) + field->shift + slack;
    self->field = NULL;
    return true;
}

// ---- blind

/// The front of a breadth-first search, in the list: cells of one d that are to be expanded, and
/// behind them the cells that were reached from these, one step farther.
typedef struct rp_frontier {
    rp_cost_t d;
    uint32_t first; ///< place of the next cell of this d
    uint32_t end;   ///< place of the first cell one step farther
    uint32_t count; ///< cells in the list
} rp_frontier_t;

/// An entry of the list: a cell, and above it the direction back to the cell that it was reached
/// from, where there is nothing to be lowered.
#define RP_WAVEFRONT_CELL_BITS 28u
static_assert(RP_GRID_CELLS_MAX <= 1u << RP_WAVEFRONT_CELL_BITS, "a direction fits above a cell");

/// In place of a straight direction: it was not reached from a neighbour.
#define RP_WAVEFRONT_NO_WAY_BACK 1u

static inline uint32_t rp_wavefront_entry(rp_cell_t cell, unsigned back)
{
    return cell | back << RP_WAVEFRONT_CELL_BITS;
}

static inline rp_cell_t rp_wavefront_cell(uint32_t entry)
{
    return entry & ((1u << RP_WAVEFRONT_CELL_BITS) - 1u);
}

/// True when this d lowers nothing at the node.
/// @param is_first  a constant: this is the first growth, so every known cell is as near already
static inline __attribute__((always_inline)) bool
rp_wavefront_is_known(const rp_node_t *node, uint32_t build, rp_cost_t d, bool is_first)
{
    return rp_node_is_of(node, build) & (is_first | (node->g <= d));
}

/// Offer d to the neighbours of a cell: close those that it lowers, and append them to the list.
/// There is no branch on whether it lowers a neighbour, as that would be mispredicted about once a
/// cell where several ways lead on. If it does not, the write goes to place 0, a corner of the rim,
/// which is never read.
/// @param ways  the moves to be looked at, all straight
/// @return the new number of cells in the list
static inline __attribute__((always_inline)) uint32_t
rp_wavefront_branch(const rp_field_t *field, rp_cell_t cell, unsigned ways, rp_cost_t d,
                    uint32_t *list, uint32_t count, bool is_first)
{
    const uint32_t mark = field->build | RP_NODE_CLOSED;
    for (unsigned straight = 0; straight < RP_DIRECTIONS; straight += 2u) {
        const rp_cell_t next = rp_grid_step(field->grid, cell, straight);
        const bool is_known = rp_wavefront_is_known(&field->nodes[next], field->build, d, is_first);
        const uint32_t is_news = (ways >> straight) & 1u & (uint32_t)!is_known;
        field->nodes[next & -is_news] = (rp_node_t){d, mark};
        list[count] = rp_wavefront_entry(next, rp_direction_back(straight));
        count += is_news;
    }
    return count;
}

/// Expand the cells of the front that have one d. No cell is listed twice, as d never falls along
/// the list. In a maze one way leads on from most cells, and to one that is news: there a branch
/// foresees it, and the next cell need not wait for the node of this one. The loop works on local
/// copies: the compiler would have to read members again after each node that is written.
/// @param is_first  as of rp_wavefront_is_known()
/// @return false when the budget was spent first
static inline __attribute__((always_inline)) bool
rp_wavefront_advance(rp_wavefront_t *self, rp_field_t *field, rp_frontier_t *front,
                     uint64_t *budget, rp_search_stats_t *stats, bool is_first)
{
    const rp_grid_t *grid = field->grid;
    const rp_node_t news = {front->d + field->metric.length[0], field->build | RP_NODE_CLOSED};
    const uint32_t build = field->build;
    const uint32_t end = front->end;
    rp_node_t *nodes = field->nodes;
    uint32_t *list = self->list;
    uint32_t first = front->first;
    uint32_t count = front->count;
    uint64_t left = *budget;
    for (; first < end && left != 0; first++) {
        const uint32_t entry = list[first];
        const rp_cell_t cell = rp_wavefront_cell(entry);
        const unsigned ways = grid->moves[cell] & ~(1u << (entry >> RP_WAVEFRONT_CELL_BITS));
        left--;
        RP_TRACE(cell, EXPANDED);
        rp_prefault_note(&field->prefault, cell, &left);
        if ((ways & (ways - 1u)) != 0) {
            count = rp_wavefront_branch(field, cell, ways, news.g, list, count, is_first);
        } else if (ways != 0) {
            const unsigned straight = (unsigned)__builtin_ctz(ways);
            const rp_cell_t next = rp_grid_step(grid, cell, straight);
            if (!rp_wavefront_is_known(&nodes[next], build, news.g, is_first)) {
                nodes[next] = news;
                list[count++] = rp_wavefront_entry(next, rp_direction_back(straight));
            }
        }
    }
    *budget = left;
    stats->expanded += first - front->first;
    self->list_peak = count > self->list_peak ? count : self->list_peak;
    front->first = first;
    front->count = count;
    if (first < end) {
        return false;
    }
    front->d = news.g;
    front->end = count;
    return true;
}

/// Give the cells of the front back to the field: they wait.
static inline void rp_wavefront_let_wait(const rp_wavefront_t *self, rp_field_t *field,
                                         const rp_frontier_t *front)
{
    const rp_cost_t step = field->metric.length[0];
    for (uint32_t i = front->first; i < front->count; i++) {
        rp_field_put(field, rp_wavefront_cell(self->list[i]), field->apex_point,
                     i < front->end ? front->d : front->d + step);
    }
}

/// Grow a blind field. When the budget is spent, the front goes into the ring, and rp_field_grow()
/// takes over.
static inline void rp_wavefront_grow_blind(rp_wavefront_t *self, rp_field_t *field, rp_cost_t slack,
                                           uint64_t *budget, rp_search_stats_t *stats)
{
    rp_frontier_t front = {.end = 1, .count = 1};
    self->list[0] = rp_wavefront_entry(field->root, RP_WAVEFRONT_NO_WAY_BACK);
    field->nodes[field->root].mark |= RP_NODE_CLOSED;
    while (front.first < front.count &&
           front.d + field->shift <= rp_field_target(field, 0, slack) &&
           rp_wavefront_advance(self, field, &front, budget, stats, true)) {
    }
    field->limit = front.first < front.count ? front.d + field->shift - 1u : RP_FIELD_WHOLE;
    rp_wavefront_let_wait(self, field, &front);
}

/// Move the cells of the field's heap that have the d of the front into it. An empty front takes
/// the least d of the heap.
static inline void rp_wavefront_take_lowered(rp_wavefront_t *self, rp_field_t *field,
                                             rp_frontier_t *front)
{
    rp_heap_t *lowered = &field->lowered;
    if (front->first == front->count) {
        front->d = rp_key_first(lowered->entries[0].key);
    }
    while (lowered->count != 0 && rp_key_first(lowered->entries[0].key) == front->d) {
        const rp_cell_t cell = rp_heap_pop(lowered).cell;
        if (rp_field_take(field, cell, front->d)) {
            self->list[front->count++] = rp_wavefront_entry(cell, RP_WAVEFRONT_NO_WAY_BACK);
        }
    }
    front->end = front->count;
}

/// True when rp_wavefront_settle() may take the place of rp_field_settle().
static inline bool rp_wavefront_can_settle(const rp_wavefront_t *self, const rp_field_t *field)
{
    return self->list != NULL && field->hear == NULL && field->metric.h_straight == 0;
}

/// rp_field_settle() for blind fields; it expands the same cells.
static inline bool rp_wavefront_settle(rp_wavefront_t *self, rp_field_t *field, uint64_t *budget,
                                       rp_search_stats_t *stats)
{
    rp_frontier_t front = {0};
    bool goes_on = true;
    while (goes_on && (front.first < front.count || field->lowered.count != 0)) {
        rp_wavefront_take_lowered(self, field, &front);
        goes_on = front.d + field->shift <= field->limit &&
                  rp_wavefront_advance(self, field, &front, budget, stats, false);
    }
    rp_wavefront_let_wait(self, field, &front);
    return field->lowered.count == 0;
}

// ---- both

/// True while an aimed wave is under way; the field is not complete then.
static inline bool rp_wavefront_is_rolling(const rp_wavefront_t *self)
{
    return self->field != NULL;
}

/// Give up the wavefront under way.
static inline void rp_wavefront_drop(rp_wavefront_t *self)
{
    self->field = NULL;
}

/// Begin or go on: grow the field to `slack` beyond the key of the apex.
/// @return false when the budget was spent first and an aimed wave is still under way: call again
static inline bool rp_wavefront_grow(rp_wavefront_t *self, rp_field_t *field, rp_cost_t slack,
                                     uint64_t *budget, rp_search_stats_t *stats)
{
    if (!rp_wavefront_is_rolling(self)) {
        rp_buckets_clear(&field->outside);
        if (field->metric.h_straight == 0) {
            rp_wavefront_grow_blind(self, field, slack, budget, stats);
            return true;
        }
        rp_wavefront_begin_aimed(self, field, slack);
    }
    return rp_wavefront_grow_aimed(self, slack, budget, stats);
}

#endif
