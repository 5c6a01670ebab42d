/// @file
/// OPEN with lazy deletion in one interface: a heap, or buckets. Least f first, ties to larger g
/// (buckets: nearly).
///
/// A cell whose g fell is put in again; its older entry is stale and is dropped when it comes up.
/// The user says which entries are live: each cell has at most one, so a list that is full has
/// room again once the stale ones are swept out. Pass the kind and the question as constants.
#ifndef REPLAN_PLANNERS_OPEN_OPEN_LIST_H
#define REPLAN_PLANNERS_OPEN_OPEN_LIST_H

#include "planners/grid/member_options.h"
#include "planners/grid/search_stats.h"
#include "planners/open/buckets.h"
#include "planners/open/heap.h"
#include "replan/planner.h"

typedef struct rp_open_list {
    rp_heap_t heap;
    rp_buckets_t buckets; ///< all zero unless asked for
} rp_open_list_t;

/// True when `cell` still has this g and waits in OPEN.
typedef bool rp_is_live_t(const void *owner, rp_cell_t cell, rp_cost_t g);

/// @param kind     RP_OPEN_BUCKETS adds its own; the heap is always there
/// @param cells    number of cells that can be live at once
/// @param shift    buckets are steps of 2^shift values of f
/// @param dearest  no edge costs more
static inline void rp_open_init(rp_open_list_t *self, rp_open_t kind, uint32_t cells,
                                unsigned shift, rp_cost_t dearest, rp_arena_t *arena)
{
    rp_heap_init(&self->heap, cells, arena);
    if (kind == RP_OPEN_BUCKETS) {
        rp_buckets_init(&self->buckets, cells, shift, 2u * dearest, arena);
    }
}

static inline void rp_open_clear(rp_open_list_t *self)
{
    self->heap.count = 0;
    if (self->buckets.entries != NULL) {
        rp_buckets_clear(&self->buckets);
    }
}

/// Drop the stale entries of the heap. Time: O(entries).
static inline void rp_open_sweep_heap(rp_open_list_t *self, rp_is_live_t *is_live,
                                      const void *owner)
{
    rp_heap_t *heap = &self->heap;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < heap->count; i++) {
        const rp_heap_entry_t entry = heap->entries[i];
        if (is_live(owner, entry.cell, RP_COST_INF - rp_key_second(entry.key))) {
            heap->entries[kept++] = entry;
        }
    }
    heap->count = kept;
    rp_heap_restore(heap);
}

/// What the buckets ask (rp_bucket_is_live_t), put to the user.
typedef struct rp_open_question {
    rp_is_live_t *is_live;
    const void *owner;
} rp_open_question_t;

static inline bool rp_open_is_live(const void *owner, const rp_bucket_entry_t *entry)
{
    const rp_open_question_t *question = owner;
    return question->is_live(question->owner, entry->cell, entry->note);
}

static inline void rp_open_push(rp_open_list_t *self, rp_open_t kind, rp_cost_t f, rp_cost_t g,
                                rp_cell_t cell, rp_is_live_t *is_live, const void *owner)
{
    if (kind == RP_OPEN_HEAP) {
        if (rp_heap_is_full(&self->heap)) {
            rp_open_sweep_heap(self, is_live, owner);
        }
        rp_heap_push(&self->heap, rp_key(f, RP_COST_INF - g), cell);
    } else {
        if (rp_buckets_is_full(&self->buckets)) {
            const rp_open_question_t question = {is_live, owner};
            rp_buckets_sweep(&self->buckets, rp_open_is_live, &question);
        }
        rp_buckets_push(&self->buckets, f, g, cell);
    }
}

static inline bool rp_open_is_empty(const rp_open_list_t *self, rp_open_t kind)
{
    return kind == RP_OPEN_HEAP ? self->heap.count == 0 : self->buckets.count == 0;
}

/// Take the first entry out; the list must not be empty. A stale one costs as much as another, so
/// whoever has a budget pays for each.
/// @return its cell, which leaves OPEN; RP_NO_CELL when the entry was stale
static inline rp_cell_t rp_open_take(rp_open_list_t *self, rp_open_t kind, rp_is_live_t *is_live,
                                     const void *owner)
{
    rp_cell_t cell;
    rp_cost_t g;
    if (kind == RP_OPEN_BUCKETS) {
        const rp_bucket_entry_t *top = rp_buckets_pop(&self->buckets);
        cell = top->cell;
        g = top->note;
    } else {
        const rp_heap_entry_t top = rp_heap_pop(&self->heap);
        cell = top.cell;
        g = RP_COST_INF - rp_key_second(top.key);
    }
    return is_live(owner, cell, g) ? cell : RP_NO_CELL;
}

/// No live entry has a smaller f. RP_COST_INF when the list is empty.
static inline rp_cost_t rp_open_least(rp_open_list_t *self, rp_open_t kind)
{
    if (rp_open_is_empty(self, kind)) {
        return RP_COST_INF;
    }
    return kind == RP_OPEN_HEAP ? rp_key_first(self->heap.entries[0].key)
                                : rp_buckets_top(&self->buckets);
}

#endif
