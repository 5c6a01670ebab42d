/// A ring by version whose length is bounded in bytes.
#include "daemon/serving/deltas.h"

#include <stdlib.h>
#include <string.h>

static rp_delta_t *place_of(const rp_deltas_t *self, uint64_t version)
{
    return &self->ring[version & (self->capacity - 1u)];
}

static void drop_oldest(rp_deltas_t *self)
{
    rp_delta_t *delta = place_of(self, self->oldest);
    self->size_bytes -= delta->size;
    free(delta->bytes);
    *delta = (rp_delta_t){0};
    self->oldest++;
}

static void drop_all(rp_deltas_t *self)
{
    while (self->oldest <= self->newest) {
        drop_oldest(self);
    }
}

static bool grow(rp_deltas_t *self)
{
    const size_t capacity = self->capacity == 0 ? 64u : 2u * self->capacity;
    rp_delta_t *ring = calloc(capacity, sizeof *ring);
    if (ring == NULL) {
        return false;
    }
    for (uint64_t version = self->oldest; version <= self->newest; version++) {
        ring[version & (capacity - 1u)] = *place_of(self, version);
    }
    free(self->ring);
    self->ring = ring;
    self->capacity = capacity;
    return true;
}

void rp_deltas_init(rp_deltas_t *self, uint64_t version, size_t limit_bytes)
{
    *self = (rp_deltas_t){.oldest = version + 1u, .newest = version, .limit_bytes = limit_bytes};
}

void rp_deltas_fini(rp_deltas_t *self)
{
    drop_all(self);
    free(self->ring);
    *self = (rp_deltas_t){0};
}

void rp_deltas_add(rp_deltas_t *self, const uint8_t *bytes, size_t size)
{
    uint8_t *copy = size <= self->limit_bytes ? malloc(size == 0 ? 1u : size) : NULL;
    const bool has_room = self->newest + 1u - self->oldest < self->capacity || grow(self);
    if (copy == NULL || !has_room) {
        free(copy);
        drop_all(self);
        self->newest++;
        self->oldest = self->newest + 1u;
        return;
    }
    memcpy(copy, bytes, size);
    self->newest++;
    *place_of(self, self->newest) = (rp_delta_t){copy, size};
    self->size_bytes += size;
    while (self->size_bytes > self->limit_bytes) {
        drop_oldest(self);
    }
}

const rp_delta_t *rp_deltas_get(const rp_deltas_t *self, uint64_t version)
{
    return version >= self->oldest && version <= self->newest ? place_of(self, version) : NULL;
}

void rp_deltas_note_window(rp_deltas_t *self)
{
    self->window = self->newest + 1u;
}

uint64_t rp_deltas_oldest(const rp_deltas_t *self, bool follows)
{
    return !follows && self->window >= self->oldest ? self->window + 1u : self->oldest;
}

bool rp_deltas_reach(const rp_deltas_t *self, uint64_t version, bool follows)
{
    return version <= self->newest && version + 1u >= rp_deltas_oldest(self, follows);
}
