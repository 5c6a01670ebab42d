/// @file
/// Table: objects by handle. A handle is the place of its object, and how often that place was
/// freed before:
///
///     63     53 52                   22 21                     0
///     [ 0      | times it was freed   | place, counted from 1   ]
///
/// So no handle is given twice. A place that was freed as often as can be counted is not used any
/// more. A double holds a handle, for JavaScript.
#ifndef REPLAN_ENGINE_TABLE_H
#define REPLAN_ENGINE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "replan/world.h"

typedef struct rp_table {
    void **items; ///< by place, from 0 [capacity]; NULL: free. The things belong to the user
    size_t capacity;
    uint32_t *freed; ///< how often each place was freed [freed_capacity, at least capacity]
    size_t freed_capacity;
    uint32_t lowest_free; ///< no place below can be used
} rp_table_t;

/// Find a place, for the user to fill: the lowest that is free.
/// @return RP_E_LIMIT when there is none any more, RP_E_MEMORY
rp_status_t rp_table_take(rp_table_t *self, uint32_t *place);

/// The handle of what is at a place, or will be next.
/// @param place  below the capacity
uint64_t rp_table_handle(const rp_table_t *self, uint32_t place);

/// @return NULL when there is no such handle
void *rp_table_get(const rp_table_t *self, uint64_t handle);

/// The place is free again, and the handle nobody's. It must be one that is taken.
void rp_table_clear(rp_table_t *self, uint64_t handle);

void rp_table_fini(rp_table_t *self);

#endif
