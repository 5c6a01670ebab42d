/// @file
/// Cells of a field that were lowered, and wait to tell their neighbours: in lists by d, for who
/// spreads them himself (open_steps.h), instead of the field's heap.
#ifndef REPLAN_SEARCH_LOWERED_H
#define REPLAN_SEARCH_LOWERED_H

#include "planners/search/field.h"
#include "planners/search/open_steps.h"

/// As rp_steps_is_live_t: who was taken only to be counted waits.
static inline bool rp_lowered_let_wait(const void *owner, rp_cell_t cell, rp_cost_t d)
{
    const rp_field_t *field = owner;
    (void)d;
    field->nodes[cell].mark = field->build;
    return true;
}

/// A cell waits with this d. Of entries that are stale, or of a cell that is in twice, there may be
/// more than room for.
static inline void rp_lowered_push(rp_steps_t *self, const rp_field_t *field, rp_cell_t cell,
                                   rp_cost_t d)
{
    if (rp_steps_is_full(self)) {
        rp_steps_sweep(self, rp_field_take, field);
        rp_steps_sweep(self, rp_lowered_let_wait, field);
    }
    rp_steps_push(self, d, cell);
}

/// d of a cell is new: it waits here, or outside of what the field has grown to. For fields without
/// bounds.
static inline void rp_lowered_put(rp_steps_t *self, rp_field_t *field, rp_cell_t cell, rp_cost_t d)
{
    const rp_cost_t key = d + field->shift;
    field->nodes[cell] = (rp_node_t){d, field->build};
    if (key > field->limit) {
        rp_field_put_outside(field, cell, key, d);
    } else {
        rp_lowered_push(self, field, cell, d);
    }
}

/// Who waits in the heap of the field waits here.
static inline void rp_lowered_gather(rp_steps_t *self, rp_field_t *field)
{
    rp_heap_t *heap = &field->lowered;
    while (heap->count != 0) {
        const rp_heap_entry_t *entry = &heap->entries[--heap->count];
        rp_lowered_push(self, field, entry->cell, rp_key_first(entry->key));
    }
}

#endif
