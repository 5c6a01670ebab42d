#include "base/arena.h"

static void *keep(rp_arena_t *self, void *memory, size_t bytes)
{
    if (memory == NULL || self->count == RP_ARENA_MOST) {
        rp_memory_free(memory, bytes, 1, NULL);
        self->is_short = true;
        return NULL;
    }
    self->arrays[self->count++] = (rp_arena_array_t){memory, bytes};
    return memory;
}

void *rp_arena_new(rp_arena_t *self, size_t count, size_t size)
{
    return keep(self, rp_memory_new(count, size), count * size);
}

void *rp_arena_new_dense(rp_arena_t *self, size_t count, size_t size)
{
    return keep(self, rp_memory_new_dense(count, size), count * size);
}

void *rp_arena_new_sparse(rp_arena_t *self, size_t count, size_t size)
{
    return keep(self, rp_memory_new_sparse(count, size), count * size);
}

void *rp_arena_new_by_cell(rp_arena_t *self, rp_prefault_t *prefault, uint32_t cells, size_t size,
                           uint32_t stride)
{
    void *memory = rp_arena_new(self, cells, size);
    *prefault = rp_prefault_none(memory, cells, size, stride);
    return memory;
}

void rp_arena_free(rp_arena_t *self, rp_deferred_free_t *deferred_free)
{
    while (self->count != 0) {
        const rp_arena_array_t *array = &self->arrays[--self->count];
        rp_memory_free(array->memory, array->bytes, 1, deferred_free);
    }
    self->is_short = false;
}
