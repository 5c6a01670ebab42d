#include "base/arena.h"

static void *keep(rp_arena_t *self, void *memory, size_t bytes)
{
    if (memory == NULL || self->count == RP_ARENA_MOST) {
        rp_memory_free(memory, bytes, 1, NULL);
        self->is_short = true;
        return NULL;
    }
    self->arrays[self->count++] = (rp_arena_array_t){memory, bytes};
    self->whole += bytes;
    self->last = bytes;
    return memory;
}

/// The newest array does not count as a whole.
static void leave_out(rp_arena_t *self)
{
    self->whole -= self->last;
    self->last = 0;
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
    void *memory = keep(self, rp_memory_new_sparse(count, size), count * size);
    leave_out(self);
    return memory;
}

void *rp_arena_new_by_cell(rp_arena_t *self, rp_prefault_t *prefault, uint32_t cells, size_t size,
                           uint32_t stride)
{
    void *memory = rp_arena_new(self, cells, size);
    *prefault = rp_prefault_none(memory, cells, size, stride);
    return memory;
}

void rp_arena_note(rp_arena_t *self, const uint32_t *now, const uint32_t *most, size_t size)
{
    leave_out(self);
    if (self->part_count == RP_ARENA_PARTS) {
        self->is_short = true;
        return;
    }
    self->parts[self->part_count++] = (rp_arena_part_t){now, most, size};
}

uint64_t rp_arena_bytes(const rp_arena_t *self)
{
    uint64_t bytes = self->whole + self->beside;
    for (uint32_t i = 0; i < self->part_count; i++) {
        const rp_arena_part_t *part = &self->parts[i];
        bytes += (*part->now > *part->most ? *part->now : *part->most) * (uint64_t)part->size;
    }
    return bytes;
}

void rp_arena_free(rp_arena_t *self, rp_deferred_free_t *deferred_free)
{
    while (self->count != 0) {
        const rp_arena_array_t *array = &self->arrays[--self->count];
        rp_memory_free(array->memory, array->bytes, 1, deferred_free);
    }
    *self = (rp_arena_t){0};
}
