/// An array that grows by doubling.
#include "engine/table.h"

#include <stdlib.h>

uint32_t rp_table_place(rp_table_t *self)
{
    uint32_t place = self->lowest_free;
    while (place < self->capacity && self->items[place] != NULL) {
        place++;
    }
    if (place == self->capacity) {
        const uint32_t capacity = self->capacity == 0 ? 16u : 2u * self->capacity;
        void **items = realloc(self->items, capacity * sizeof(void *));
        if (items == NULL) {
            return UINT32_MAX;
        }
        for (uint32_t i = self->capacity; i < capacity; i++) {
            items[i] = NULL;
        }
        self->items = items;
        self->capacity = capacity;
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
