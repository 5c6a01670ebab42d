/// An array that grows by doubling.
#include "engine/table.h"

#include <stdlib.h>

#include "base/array.h"

uint32_t rp_table_place(rp_table_t *self)
{
    uint32_t place = self->lowest_free;
    while (place < self->capacity && self->items[place] != NULL) {
        place++;
    }
    if (!rp_array_reserve_zeroed(&self->items, &self->capacity, place + 1u, sizeof(void *))) {
        return UINT32_MAX;
    }
    self->lowest_free = place;
    return place;
}

void *rp_table_get(const rp_table_t *self, uint32_t handle)
{
    return handle != 0 && handle <= self->capacity ? self->items[handle - 1u] : NULL;
}

void rp_table_clear(rp_table_t *self, uint32_t handle)
{
    self->items[handle - 1u] = NULL;
    self->lowest_free = handle - 1u < self->lowest_free ? handle - 1u : self->lowest_free;
}

void rp_table_fini(rp_table_t *self)
{
    free(self->items);
    *self = (rp_table_t){0};
}
