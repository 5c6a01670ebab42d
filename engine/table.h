/// @file
/// Table: objects by handle. Handle i stands at place i - 1; a closed handle leaves NULL there and
/// is used again first.
#ifndef REPLAN_ENGINE_TABLE_H
#define REPLAN_ENGINE_TABLE_H

#include <stddef.h>
#include <stdint.h>

typedef struct rp_table {
    void **items; ///< [capacity]; the things belong to the user
    size_t capacity;
    uint32_t lowest_free; ///< no place below is free
} rp_table_t;

/// A free place, for the user to fill. @return UINT32_MAX without memory
uint32_t rp_table_place(rp_table_t *self);

/// @return NULL when there is no such handle
void *rp_table_get(const rp_table_t *self, uint32_t handle);

/// The handle is free again; it must be one that is taken.
void rp_table_clear(rp_table_t *self, uint32_t handle);

void rp_table_fini(rp_table_t *self);

#endif
