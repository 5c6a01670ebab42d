/// A layer's grid, its inflation, and its ring of batches.
#include "engine/layers/layer.h"

#include <stdlib.h>
#include <string.h>

/// Batches are kept while they name fewer cells than a quarter of the grid, or than this: beyond
/// it a session that slept does better to search anew.
#define CHANGES_KEPT_LEAST 4096u

/// Changes that a planner takes in at once: sorted and looked at in a few milliseconds. To begin
/// anew takes as long as the search, but that comes in slices.
#define CAUGHT_UP_MOST 32768u

/// So few are looked at in some microseconds.
#define LITTLE_MOST 256u

// ---- the version being written

rp_status_t rp_layer_begin(rp_layer_t *self, size_t count)
{
    self->open_batch_count = 0;
    self->open_batch_is_lost = false;
    self->has_toggled = false;
    count = count < self->grid->cell_count ? count : self->grid->cell_count; // each cell once
    if (count <= self->open_batch_capacity) {
        return RP_OK;
    }
    rp_change_t *open_batch = realloc(self->open_batch, count * sizeof *open_batch);
    if (open_batch == NULL) {
        return RP_E_MEMORY;
    }
    self->open_batch = open_batch;
    self->open_batch_capacity = count;
    self->lacks_newest = true; // what it held of the version before stands elsewhere
    return RP_OK;
}

/// Write the open batch to the grid, and keep of it each cell once, as it is in the end; those
/// that are as they were drop out.
static void finish_open_batch(rp_layer_t *self)
{
    size_t kept = 0;
    rp_grid_write(self->grid, self->open_batch, self->open_batch_count);
    for (size_t i = 0; i < self->open_batch_count; i++) {
        rp_change_t change = self->open_batch[i];
        const uint8_t bit = (uint8_t)(1u << (change.cell & 7u));
        uint8_t *in_open_batch = &self->in_open_batch[change.cell >> 3];
        const bool is_first = (*in_open_batch & bit) != 0;
        *in_open_batch &= (uint8_t)~bit;
        change.after = self->grid->factor[change.cell];
        if (is_first && change.before != change.after) {
            self->open_batch[kept++] = change;
        }
    }
    self->open_batch_count = kept;
}

/// Make more room than rp_layer_begin() did, as inflation reaches beyond the edit. Without memory
/// what was noted is written at once, and so is all that follows.
static bool grow_open_batch(rp_layer_t *self)
{
    const size_t capacity = 2u * self->open_batch_capacity + 64u;
    rp_change_t *open_batch = realloc(self->open_batch, capacity * sizeof *open_batch);
    if (open_batch == NULL) {
        self->open_batch_is_lost = true;
        finish_open_batch(self);
        self->open_batch_count = 0;
        return false;
    }
    self->open_batch = open_batch;
    self->open_batch_capacity = capacity;
    return true;
}

/// A factor is to be written, with all the others of the version, in this order.
static void write_factor(rp_layer_t *self, rp_cell_t cell, uint8_t after)
{
    const uint8_t bit = (uint8_t)(1u << (cell & 7u));
    uint8_t *in_open_batch = &self->in_open_batch[cell >> 3];
    if ((*in_open_batch & bit) == 0 && self->grid->factor[cell] == after) {
        return;
    }
    if (self->open_batch_is_lost ||
        (self->open_batch_count == self->open_batch_capacity && !grow_open_batch(self))) {
        (void)rp_grid_set(self->grid, cell, after);
        return;
    }
    *in_open_batch |= bit;
    self->open_batch[self->open_batch_count++] = (rp_change_t){.cell = cell, .after = after};
}

void rp_layer_note_toggled(rp_layer_t *self, rp_cell_t cell)
{
    const rp_rectangle_t nowhere = {.left = UINT32_MAX, .top = UINT32_MAX};
    self->toggled_in = self->has_toggled ? self->toggled_in : nowhere;
    rp_rectangle_grow(&self->toggled_in, rp_grid_x(self->grid, cell), rp_grid_y(self->grid, cell));
    self->has_toggled = true;
}

void rp_layer_write(rp_layer_t *self, const rp_written_t *written)
{
    if (self->profile.is_obstacle[written->before] != self->profile.is_obstacle[written->after]) {
        rp_layer_note_toggled(self, written->cell);
    }
    if (self->footprint != NULL) {
        rp_footprint_note(self->footprint, rp_grid_x(self->grid, written->cell),
                          rp_grid_y(self->grid, written->cell), written->before, written->after);
        return;
    }
    if (self->inflated == NULL) {
        write_factor(self, written->cell, self->profile.factor[written->after]);
        return;
    }
    rp_inflated_note(self->inflated, rp_grid_x(self->grid, written->cell),
                     rp_grid_y(self->grid, written->cell), written->before, written->after);
    write_factor(self, written->cell, rp_inflated_factor(self->inflated, written->index));
}

/// As rp_distance_changed_fn.
static void hear_of_inflated(void *user, uint32_t x, uint32_t y, uint64_t index)
{
    rp_layer_t *self = user;
    write_factor(self, rp_grid_cell(self->grid, x, y), rp_inflated_factor(self->inflated, index));
}

/// As rp_footprint_changed_fn.
static void hear_of_footprint(void *user, uint32_t x, uint32_t y, uint8_t factor)
{
    rp_layer_t *self = user;
    write_factor(self, rp_grid_cell(self->grid, x, y), factor);
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

static void note_all_components(rp_layer_t *self)
{
    if (self->components != NULL) {
        rp_components_note_all(self->components);
    }
}

void rp_layer_forget(rp_layer_t *self, uint64_t version)
{
    drop_all(self, version);
    note_all_components(self);
    self->is_rewritten = true;
    self->lacks_newest = true;
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

/// Cells that were blocked or freed make their tiles stale.
static void note_components(rp_layer_t *self)
{
    if (self->open_batch_is_lost) {
        note_all_components(self);
        return;
    }
    for (size_t i = 0; i < self->open_batch_count && self->components != NULL; i++) {
        const rp_change_t *change = &self->open_batch[i];
        if ((change->before == 0) != (change->after == 0)) {
            rp_components_note(self->components, change->cell);
        }
    }
}

size_t rp_layer_commit(rp_layer_t *self, uint64_t version)
{
    if (self->inflated != NULL) {
        rp_inflated_run(self->inflated, hear_of_inflated, self);
    }
    if (self->footprint != NULL) {
        rp_footprint_run(self->footprint, hear_of_footprint, self);
    }
    finish_open_batch(self);
    note_components(self);
    const size_t count = self->open_batch_count;
    self->is_rewritten = count != 0 || self->open_batch_is_lost || self->has_toggled;
    self->lacks_newest = self->open_batch_is_lost;
    self->newest_count = self->lacks_newest ? 0 : count;
    if (self->open_batch_is_lost) {
        drop_all(self, version);
        return count;
    }
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
    memcpy(batch->changes, self->open_batch, count * sizeof batch->changes[0]);
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

const rp_batch_t *rp_layer_next_batch(const rp_layer_t *self, uint64_t heard)
{
    const size_t place = first_after(self, heard);
    return place < self->count ? *place_of(self, place) : NULL;
}

bool rp_layer_is_as_at(const rp_layer_t *self, uint64_t version)
{
    return version >= self->known_since && rp_layer_next_batch(self, version) == NULL;
}

/// True when all that changed after this version is known, and is no more than this.
static bool is_at_most(const rp_layer_t *self, uint64_t heard, size_t most)
{
    size_t changes = 0;
    for (size_t i = first_after(self, heard); i < self->count && changes <= most; i++) {
        changes += (*place_of(self, i))->count;
    }
    return heard >= self->known_since && changes <= most;
}

bool rp_layer_is_little(const rp_layer_t *self, uint64_t heard)
{
    return is_at_most(self, heard, LITTLE_MOST);
}

rp_status_t rp_layer_catch_up(const rp_layer_t *self, rp_planner_t *planner, uint64_t heard)
{
    const size_t first = first_after(self, heard);
    if (!is_at_most(self, heard, CAUGHT_UP_MOST)) {
        return RP_E_LIMIT;
    }
    for (size_t i = first; i < self->count; i++) {
        const rp_batch_t *batch = *place_of(self, i);
        const rp_status_t status = rp_planner_apply(planner, batch->changes, batch->count);
        if (status != RP_OK) {
            return status;
        }
    }
    return RP_OK;
}

uint64_t rp_layer_bytes(const rp_layer_t *self)
{
    const uint64_t cells = self->grid->cell_count;
    return sizeof *self + cells * 2u + cells / 8u + // factors, legal moves, bits of the open batch
           (self->grid->seam != NULL ? cells / 8u : 0u) +
           (self->inflated != NULL ? rp_inflated_bytes(self->inflated) : 0u) +
           (self->footprint != NULL ? rp_footprint_bytes(self->footprint) : 0u) +
           (self->components != NULL ? rp_components_bytes(self->components) : 0u) +
           (self->open_batch_capacity + self->change_count) * sizeof *self->open_batch +
           self->count * sizeof(rp_batch_t) + self->capacity * sizeof(rp_batch_t *);
}

// ---- components

rp_status_t rp_layer_components(rp_layer_t *self, const rp_components_t **components)
{
    if (self->components == NULL) {
        self->components = rp_components_new(self->grid);
    }
    *components = self->components;
    return *components != NULL ? rp_components_update(self->components, RP_LAYER_TILES)
                               : RP_E_MEMORY;
}

void rp_layer_drop_components(rp_layer_t *self)
{
    rp_components_destroy(&self->components);
}

bool rp_goals_any_free(const rp_grid_t *grid, const rp_goal_t *goals, size_t count)
{
    size_t i = 0;
    while (i < count && grid->factor[goals[i].cell] == 0) {
        i++;
    }
    return i < count;
}

bool rp_layer_separates(rp_layer_t *self, rp_cell_t start, const rp_goal_t *goals, size_t count,
                        bool may_work)
{
    if (self->components == NULL && may_work) {
        self->components = rp_components_new(self->grid);
    }
    rp_components_t *components = self->components;
    if (components == NULL || self->grid->factor[start] == 0 ||
        !(rp_components_are_current(components) ||
          (may_work && rp_components_update(components, RP_LAYER_TILES) == RP_OK))) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (rp_components_connect(components, start, goals[i].cell)) {
            return false;
        }
    }
    return rp_goals_any_free(self->grid, goals, count);
}

// ---- birth and death

rp_status_t rp_layer_init(rp_layer_t *self, const rp_grid_shape_t *shape,
                          const rp_profile_t *profile, const rp_inflation_t *inflation,
                          const uint8_t *bytes, uint64_t version)
{
    *self = (rp_layer_t){.profile = *profile, .bytes = bytes};
    rp_grid_shape_t full = *shape;
    full.unit = profile->unit;
    full.least = profile->least;
    rp_status_t status = rp_grid_new_blank(&full, &self->grid);
    if (status != RP_OK) {
        return status;
    }
    const bool is_square = inflation != NULL && inflation->side != 0;
    const bool is_inflated = inflation != NULL && inflation->reach != 0 && !is_square;
    self->in_open_batch = calloc(self->grid->cell_count / 8u + 1u, 1);
    if (is_inflated) {
        self->inflated = rp_inflated_new(shape, profile->factor, inflation, bytes);
    }
    if (is_square) {
        self->footprint = rp_footprint_new(shape, profile->factor, inflation, bytes);
    }
    if (self->in_open_batch == NULL || (is_inflated && self->inflated == NULL) ||
        (is_square && self->footprint == NULL)) {
        rp_layer_fini(self);
        return RP_E_MEMORY;
    }
    const rp_box_t all = {0, 0, shape->width, shape->height};
    rp_layer_mark_dirty(self, &all, version);
    return RP_OK;
}

void rp_layer_rebase(rp_layer_t *self, const uint8_t *bytes)
{
    self->bytes = bytes;
    if (self->inflated != NULL) {
        self->inflated->bytes = bytes;
    }
    if (self->footprint != NULL) {
        self->footprint->bytes = bytes;
    }
}

const rp_inflation_t *rp_layer_inflation(const rp_layer_t *self)
{
    if (self->footprint != NULL) {
        return &self->footprint->inflation;
    }
    return self->inflated != NULL ? &self->inflated->inflation : NULL;
}

bool rp_layer_serves(const rp_layer_t *self, const rp_profile_t *profile,
                     const rp_inflation_t *inflation)
{
    if (strcmp(self->profile.name, profile->name) != 0) {
        return false;
    }
    const rp_inflation_t *mine = rp_layer_inflation(self);
    return mine == NULL ? inflation->reach == 0 : rp_inflation_equals(mine, inflation);
}

void rp_layer_fini(rp_layer_t *self)
{
    drop_all(self, 0);
    free(self->batches);
    free(self->open_batch);
    free(self->in_open_batch);
    rp_inflated_destroy(&self->inflated, self->grid != NULL ? self->grid->deferred_free : NULL);
    rp_footprint_destroy(&self->footprint);
    rp_components_destroy(&self->components);
    if (self->audience != NULL) {
        self->audience_destroy(&self->audience);
    }
    rp_grid_destroy(&self->grid);
    *self = (rp_layer_t){0};
}
