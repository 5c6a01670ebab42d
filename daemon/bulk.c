/// Who holds a bulk is counted.
#include "daemon/bulk.h"

#include <stdlib.h>
#include <string.h>

static void destroy_copy(rp_bulk_t *self)
{
    free(self);
}

void rp_bulk_init(rp_bulk_t *self, void *bytes, size_t size, void (*destroy)(rp_bulk_t *))
{
    *self = (rp_bulk_t){.bytes = bytes, .size = size, .destroy = destroy};
    atomic_init(&self->holders, 1u);
}

rp_bulk_t *rp_bulk_copy(const void *bytes, size_t size)
{
    rp_bulk_t *self = malloc(sizeof *self + size);
    if (self != NULL) {
        rp_bulk_init(self, self + 1, size, destroy_copy);
        if (size != 0) {
            memcpy(self->bytes, bytes, size);
        }
    }
    return self;
}

rp_bulk_t *rp_bulk_hold(rp_bulk_t *self)
{
    (void)atomic_fetch_add_explicit(&self->holders, 1u, memory_order_relaxed);
    return self;
}

void rp_bulk_drop(rp_bulk_t **self)
{
    rp_bulk_t *bulk = *self;
    *self = NULL;
    // What a holder read was read before the last one frees it.
    if (bulk != NULL && atomic_fetch_sub_explicit(&bulk->holders, 1u, memory_order_acq_rel) == 1u) {
        bulk->destroy(bulk);
    }
}

bool rp_bulk_has(const rp_bulk_t *self, const void *array, size_t size)
{
    const uintptr_t at = (uintptr_t)array;
    const uintptr_t begin = self != NULL ? (uintptr_t)self->bytes : 0;
    return self != NULL && at >= begin && size <= self->size && at - begin <= self->size - size;
}
