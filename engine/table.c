/// Two arrays by place that grow by doubling.
#include "engine/table.h"

#include <stdlib.h>

#include "base/array.h"

/// From so many on a place is not used: the handle of what was there last fills 53 bits.
#define FREED_MAX ((1u << (53u - RP_ID_PLACE_BITS)) - 1u)

static bool is_usable(const rp_table_t *self, uint32_t place)
{
    return self->items[place] == NULL && self->freed[place] < FREED_MAX;
}

rp_status_t rp_table_take(rp_table_t *self, uint32_t *place)
{
    uint32_t free_place = self->lowest_free;
    while (free_place < self->capacity && !is_usable(self, free_place)) {
        free_place++;
    }
    if (free_place == RP_ID_PLACES_MAX) {
        return RP_E_LIMIT;
    }
    if (!rp_array_reserve_zeroed(&self->freed, &self->freed_capacity, free_place + 1u,
                                 sizeof *self->freed) ||
        !rp_array_reserve_zeroed(&self->items, &self->capacity, free_place + 1u, sizeof(void *))) {
        return RP_E_MEMORY;
    }
    self->lowest_free = free_place;
    *place = free_place;
    return RP_OK;
}

uint64_t rp_table_handle(const rp_table_t *self, uint32_t place)
{
    return (uint64_t)self->freed[place] << RP_ID_PLACE_BITS | (place + 1u);
}

void *rp_table_get(const rp_table_t *self, uint64_t handle)
{
    const uint32_t place = rp_id_place(handle) - 1u;
    return place < self->capacity && rp_table_handle(self, place) == handle ? self->items[place]
                                                                            : NULL;
}

void rp_table_clear(rp_table_t *self, uint64_t handle)
{
    const uint32_t place = rp_id_place(handle) - 1u;
    self->items[place] = NULL;
    self->freed[place]++;
    self->lowest_free = place < self->lowest_free ? place : self->lowest_free;
}

void rp_table_fini(rp_table_t *self)
{
    free(self->items);
    free(self->freed);
    *self = (rp_table_t){0};
}
