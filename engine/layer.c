/// A layer's grid and its ring of batches.
#include "engine/layer.h"

#include <stdlib.h>
#include <string.h>

/// Batches are kept while they name fewer cells than a quarter of the grid, or than this: beyond
/// it a session that slept does better to search anew.
#define CHANGES_KEPT_LEAST 4096u

// ---- the version being written

rp_status_t rp_layer_begin(rp_layer_t *self, size_t count)
{
    self->draft_count = 0;
    count = count < self->grid->cell_count ? count : self->grid->cell_count; // each cell once
    if (count <= self->draft_capacity) {
        return RP_OK;
    }
    rp_change_t *draft = realloc(self->draft, count * sizeof *draft);
    if (draft == NULL) {
        return RP_E_MEMORY;
    }
    self->draft = draft;
    self->draft_capacity = count;
    return RP_OK;
}

void rp_layer_write(rp_layer_t *self, rp_cell_t cell, uint8_t byte)
{
    const uint8_t after = self->profile.factor[byte];
    const uint8_t before = rp_grid_set(self->grid, cell, after);
    const uint8_t bit = (uint8_t)(1u << (cell & 7u));
    if (before != after && (self->drafted[cell >> 3] & bit) == 0) {
        self->drafted[cell >> 3] |= bit;
        self->draft[self->draft_count++] = (rp_change_t){cell, before, after};
    }
}

/// The draft's cells as they are in the end; those that are as they were drop out.
static void finish_draft(rp_layer_t *self)
{
    size_t kept = 0;
    for (size_t i = 0; i < self->draft_count; i++) {
        rp_change_t change = self->draft[i];
        self->drafted[change.cell >> 3] &= (uint8_t) ~(1u << (change.cell & 7u));
        change.after = self->grid->factor[change.cell];
        if (change.before != change.after) {
            self->draft[kept++] = change;
        }
    }
    self->draft_count = kept;
}

// ---- the ring

/// Place of the i-th batch from the oldest on; the capacity is a power of two.
static rp_batch_t **place_of(const rp_layer_t *self, size_t i)
{
    return &self->batches[(self->first + i) & (self->capacity - 1)];
}

static void drop_oldest(rp_layer_t *self)
{
    rp_batch_t *batch = self->batches[self->first];
    self->known_since = batch->version; // NOLINT(clang-analyzer-core.NullDereference): count > 0
    self->change_count -= batch->count;
    free(batch);
    self->first = (self->first + 1) & (self->capacity - 1);
    self->count--;
}

static void drop_all(rp_layer_t *self, uint64_t version)
{
    while (self->count != 0) {
        drop_oldest(self);
    }
    self->known_since = version;
}

static bool reserve_batch(rp_layer_t *self)
{
    if (self->count < self->capacity) {
        return true;
    }
    const size_t capacity = self->capacity == 0 ? 64 : 2 * self->capacity;
    rp_batch_t **batches = calloc(capacity, sizeof(rp_batch_t *));
    if (batches == NULL) {
        return false;
    }
    for (size_t i = 0; i < self->count; i++) {
        batches[i] = *place_of(self, i);
    }
    free(self->batches);
    self->batches = batches;
    self->capacity = capacity;
    self->first = 0;
    return true;
}

size_t rp_layer_commit(rp_layer_t *self, uint64_t version)
{
    finish_draft(self);
    const size_t count = self->draft_count;
    if (count == 0) {
        return 0;
    }
    const size_t quarter = self->grid->cell_count / 4u;
    const size_t kept = quarter > CHANGES_KEPT_LEAST ? quarter : CHANGES_KEPT_LEAST;
    rp_batch_t *batch = NULL;
    if (count <= kept && reserve_batch(self)) {
        batch = malloc(sizeof *batch + count * sizeof batch->changes[0]);
    }
    if (batch == NULL) {
        drop_all(self, version);
        return count;
    }
    batch->version = version;
    batch->count = count;
    memcpy(batch->changes, self->draft, count * sizeof batch->changes[0]);
    *place_of(self, self->count) = batch;
    self->count++;
    self->change_count += count;
    while (self->change_count > kept) {
        drop_oldest(self);
    }
    return count;
}

/// Place in the ring of the first batch after version `heard`: batches ascend, so it is halved.
static size_t first_after(const rp_layer_t *self, uint64_t heard)
{
    size_t low = 0;
    size_t high = self->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((*place_of(self, middle))->version <= heard) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

rp_status_t rp_layer_catch_up(const rp_layer_t *self, rp_planner_t *planner, uint64_t heard)
{
    if (heard < self->known_since) {
        return RP_E_LIMIT;
    }
    for (size_t i = first_after(self, heard); i < self->count; i++) {
        const rp_batch_t *batch = *place_of(self, i);
        const rp_status_t status = rp_planner_apply(planner, batch->changes, batch->count);
        if (status != RP_OK) {
            return status;
        }
    }
    return RP_OK;
}

// ---- birth and death

rp_status_t rp_layer_init(rp_layer_t *self, const rp_grid_shape_t *shape,
                          const rp_profile_t *profile, const uint8_t *bytes, uint64_t version)
{
    *self = (rp_layer_t){.profile = *profile, .known_since = version};
    rp_grid_shape_t full = *shape;
    full.unit = profile->unit;
    full.least = profile->least;
    rp_status_t status = rp_grid_new(&full, &self->grid);
    if (status != RP_OK) {
        return status;
    }
    const size_t count = (size_t)shape->width * shape->height;
    uint8_t *factors = malloc(count);
    self->drafted = calloc(self->grid->cell_count / 8u + 1u, 1);
    if (factors == NULL || self->drafted == NULL) {
        free(factors);
        rp_layer_fini(self);
        return RP_E_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        factors[i] = profile->factor[bytes[i]];
    }
    rp_grid_fill(self->grid, factors);
    free(factors);
    return RP_OK;
}

void rp_layer_fini(rp_layer_t *self)
{
    drop_all(self, 0);
    free(self->batches);
    free(self->draft);
    free(self->drafted);
    rp_grid_destroy(&self->grid);
    *self = (rp_layer_t){0};
}
