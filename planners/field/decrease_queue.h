/// @file
/// A queue of lowered cells that takes the place of a field's heap: lists by d
/// (open/bucket_window.h), for users that spread them by a loop of their own.
#ifndef REPLAN_PLANNERS_FIELD_DECREASE_QUEUE_H
#define REPLAN_PLANNERS_FIELD_DECREASE_QUEUE_H

#include "planners/field/field.h"
#include "planners/open/bucket_window.h"

/// An rp_bucket_window_is_live_t that keeps every entry and marks its cell as waiting again, after
/// a sweep by rp_field_take() has closed the cells.
static inline bool rp_decrease_queue_let_wait(const void *owner, rp_cell_t cell, rp_cost_t d)
{
    const rp_field_t *field = owner;
    (void)d;
    field->nodes[cell].mark = field->build;
    return true;
}

/// Put in a cell that waits with this d. A full queue is swept first: it holds stale entries, or a
/// cell twice.
static inline void rp_decrease_queue_push(rp_bucket_window_t *self, const rp_field_t *field,
                                          rp_cell_t cell, rp_cost_t d)
{
    if (rp_bucket_window_is_full(self)) {
        rp_bucket_window_sweep(self, rp_field_take, field);
        rp_bucket_window_sweep(self, rp_decrease_queue_let_wait, field);
    }
    rp_bucket_window_push(self, d, cell);
}

/// rp_field_put() for this queue, and for blind fields: give a cell a new d, and put it here, or
/// into the ring when its key is beyond the field's limit.
static inline void rp_decrease_queue_put(rp_bucket_window_t *self, rp_field_t *field,
                                         rp_cell_t cell, rp_cost_t d)
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
static inline void rp_decrease_queue_gather(rp_bucket_window_t *self, rp_field_t *field)
{
    rp_heap_t *heap = &field->lowered;
    while (heap->count != 0) {
        const rp_heap_entry_t *entry = &heap->entries[--heap->count];
        rp_decrease_queue_push(self, field, entry->cell, rp_key_first(entry->key));
    }
}

#endif
