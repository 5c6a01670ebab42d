/// A stack of arrays, unmapped from the end of the last one on; and a chain of litter.
#include "replan/deferred_free.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/pages.h"

/// Less is unmapped as fast as it is noted.
#define LEAST ((size_t)1 << 20)

bool rp_deferred_free_add(rp_deferred_free_t *self, void *memory, size_t bytes)
{
    if (self == NULL || bytes < LEAST ||
        !rp_array_reserve(&self->ruins, &self->capacity, self->count + 1u, sizeof *self->ruins)) {
        return false;
    }
    const size_t whole = (bytes + RP_MEMORY_PAGE - 1u) / RP_MEMORY_PAGE * RP_MEMORY_PAGE;
    self->ruins[self->count++] = (rp_deferred_array_t){memory, whole};
    self->span += whole;
    return true;
}

void rp_deferred_free_block(rp_deferred_free_t *self, void *memory, size_t bytes)
{
    if (self == NULL || memory == NULL || bytes < sizeof self->litter) {
        free(memory);
        return;
    }
    memcpy(memory, &self->litter, sizeof self->litter);
    self->litter = memory;
}

static void sweep(rp_deferred_free_t *self)
{
    void *piece = self->litter;
    memcpy(&self->litter, piece, sizeof self->litter);
    free(piece);
}

uint64_t rp_deferred_free_span(const rp_deferred_free_t *self)
{
    return self != NULL ? self->span : 0u;
}

void rp_deferred_free_note(rp_deferred_free_t *self, uint64_t span, uint64_t bytes)
{
    if (self != NULL) {
        const uint64_t added = self->span - span;
        self->held += bytes < added ? bytes : added;
    }
}

/// So much less spans it: what is resident is thought to lie evenly.
static void shrink(rp_deferred_free_t *self, size_t bytes)
{
    const double rest = (double)(self->span - bytes) / (double)self->span;
    self->span -= bytes;
    self->held = (uint64_t)((double)self->held * rest);
}

bool rp_deferred_free_clear(rp_deferred_free_t *self, uint64_t span)
{
    size_t most = (size_t)(span / RP_MEMORY_PAGE * RP_MEMORY_PAGE);
    for (; most != 0 && self->litter != NULL; most -= RP_MEMORY_PAGE) {
        sweep(self);
    }
    while (most != 0 && self->count != 0) {
        rp_deferred_array_t *last = &self->ruins[self->count - 1u];
        const size_t part = last->bytes < most ? last->bytes : most;
        last->bytes -= part;
        rp_pages_unmap(last->memory + last->bytes, part);
        shrink(self, part);
        self->count -= last->bytes == 0;
        most -= part;
    }
    return !rp_deferred_free_is_empty(self);
}

void rp_deferred_free_fini(rp_deferred_free_t *self)
{
    (void)rp_deferred_free_clear(self, UINT64_MAX);
    free(self->ruins);
    *self = (rp_deferred_free_t){0};
}
