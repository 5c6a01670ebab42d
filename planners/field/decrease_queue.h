/// @file
/// A queue of lowered cells that takes the place of a field's heap: lists by d
/// (open/buckets.h), for users that spread them by a loop of their own.
#ifndef REPLAN_PLANNERS_FIELD_DECREASE_QUEUE_H
#define REPLAN_PLANNERS_FIELD_DECREASE_QUEUE_H

#include "planners/field/field.h"
#include "planners/open/buckets.h"

/// Keys in the window differ by so many steps.
#define RP_DECREASE_QUEUE_STEPS 2046u

/// @param cheapest  no edge costs less: a step is no longer
static inline void rp_decrease_queue_init(rp_buckets_t *self, uint32_t cells, rp_cost_t cheapest,
                                          rp_arena_t *arena)
{
    const unsigned shift = rp_buckets_shift_below(cheapest);
    rp_buckets_init(self, cells, shift, (rp_cost_t)RP_DECREASE_QUEUE_STEPS << shift, arena);
}

/// Put in a cell that waits with this d. A full queue is swept first: it holds stale entries, or a
/// cell twice.
static inline void rp_decrease_queue_push(rp_buckets_t *self, const rp_field_t *field,
                                          rp_cell_t cell, rp_cost_t d)
{
    if (rp_buckets_is_full(self)) {
        rp_field_sweep(field, self);
    }
    rp_buckets_push(self, d, d, cell);
}

/// rp_field_put() for this queue, and for blind fields: give a cell a new d, and put it here, or
/// into the ring when its key is beyond the field's limit.
static inline void rp_decrease_queue_put(rp_buckets_t *self, rp_field_t *field, rp_cell_t cell,
                                         rp_cost_t d)
{
    const rp_cost_t key = d + field->shift;
    field->nodes[cell] = (rp_node_t){d, field->build};
    if (key > field->limit) {
        rp_field_put_outside(field, cell, key, d);
    } else {
        rp_decrease_queue_push(self, field, cell, d);
    }
}

/// Move all cells from the field's heap to this queue.
static inline void rp_decrease_queue_gather(rp_buckets_t *self, rp_field_t *field)
{
    rp_heap_t *heap = &field->lowered;
    while (heap->count != 0) {
        const rp_heap_entry_t *entry = &heap->entries[--heap->count];
        rp_decrease_queue_push(self, field, entry->cell, rp_key_first(entry->key));
    }
}

#endif
