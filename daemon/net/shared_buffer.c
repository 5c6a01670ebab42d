/// Who holds a buffer is counted.
#include "daemon/net/shared_buffer.h"

#include <stdlib.h>
#include <string.h>

static void destroy_copy(rp_shared_buffer_t *self)
{
    free(self);
}

void rp_shared_buffer_init(rp_shared_buffer_t *self, void *bytes, size_t size,
                           void (*destroy)(rp_shared_buffer_t *))
{
    *self = (rp_shared_buffer_t){.bytes = bytes, .size = size, .destroy = destroy};
    atomic_init(&self->holders, 1u);
}

rp_shared_buffer_t *rp_shared_buffer_copy(const void *bytes, size_t size)
{
    rp_shared_buffer_t *self = malloc(sizeof *self + size);
    if (self != NULL) {
        rp_shared_buffer_init(self, self + 1, size, destroy_copy);
        if (size != 0) {
            memcpy(self->bytes, bytes, size);
        }
    }
    return self;
}

rp_shared_buffer_t *rp_shared_buffer_hold(rp_shared_buffer_t *self)
{
    (void)atomic_fetch_add_explicit(&self->holders, 1u, memory_order_relaxed);
    return self;
}

void rp_shared_buffer_drop(rp_shared_buffer_t **self)
{
    rp_shared_buffer_t *buffer = *self;
    *self = NULL;
    // What a holder read was read before the last one frees it.
    if (buffer != NULL &&
        atomic_fetch_sub_explicit(&buffer->holders, 1u, memory_order_acq_rel) == 1u) {
        buffer->destroy(buffer);
    }
}

bool rp_shared_buffer_has(const rp_shared_buffer_t *self, const void *array, size_t size)
{
    const uintptr_t at = (uintptr_t)array;
    const uintptr_t begin = self != NULL ? (uintptr_t)self->bytes : 0;
    return self != NULL && at >= begin && size <= self->size && at - begin <= self->size - size;
}
