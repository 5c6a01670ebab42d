/// A layer's grid, its inflation, and its ring of batches.
#include "engine/layer.h"

#include <stdlib.h>
#include <string.h>

/// Batches are kept while they name fewer cells than a quarter of the grid, or than this: beyond
/// it a session that slept does better to search anew.
#define CHANGES_KEPT_LEAST 4096u

/// Changes that a planner takes in at once: sorted and looked at in a few milliseconds. To begin
/// anew takes as long as the search, but that comes in slices.
#define CAUGHT_UP_MOST 32768u

/// An obstacle is tried against this many boxes: edits come in rows, so a near one was begun
/// lately.
#define BOXES_TRIED 8u
#define BOXES_FIRST 64u

// ---- inflation

static rp_box_t joined(const rp_box_t *box, uint32_t x, uint32_t y)
{
    const uint32_t left = x < box->x ? x : box->x;
    const uint32_t top = y < box->y ? y : box->y;
    const uint32_t right = x >= box->x + box->width ? x + 1u : box->x + box->width;
    const uint32_t bottom = y >= box->y + box->height ? y + 1u : box->y + box->height;
    return (rp_box_t){left, top, right - left, bottom - top};
}

/// Cells that a box makes us look at.
static uint64_t area_around(const rp_box_t *box, uint32_t reach)
{
    return (uint64_t)(box->width + 2u * reach) * (box->height + 2u * reach);
}

/// An obstacle came or went at (x, y): it joins a box that was begun lately if that is cheaper than
/// a box of its own.
static void note_obstacle(rp_inflated_t *self, uint32_t x, uint32_t y)
{
    const uint32_t reach = self->inflation.reach;
    const rp_box_t alone = {x, y, 1, 1};
    const uint64_t apart = area_around(&alone, reach);
    const size_t last = self->box_count;
    for (size_t i = last; i-- > (last > BOXES_TRIED ? last - BOXES_TRIED : 0);) {
        const rp_box_t both = joined(&self->boxes[i], x, y);
        if (area_around(&both, reach) <= area_around(&self->boxes[i], reach) + apart) {
            self->boxes[i] = both;
            return;
        }
    }
    if (last == self->box_capacity) {
        const size_t capacity = 2u * last + BOXES_FIRST;
        rp_box_t *boxes = realloc(self->boxes, capacity * sizeof *boxes);
        if (boxes == NULL) {
            self->boxes[last - 1u] = joined(&self->boxes[last - 1u], x, y); // dearer, as exact
            return;
        }
        self->boxes = boxes;
        self->box_capacity = capacity;
    }
    self->boxes[self->box_count++] = alone;
}

// ---- the version being written

rp_status_t rp_layer_begin(rp_layer_t *self, size_t count)
{
    self->draft_count = 0;
    self->draft_is_lost = false;
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

/// There is more to note than rp_layer_begin() made room for: inflation reaches beyond the edit.
static bool grow_draft(rp_layer_t *self)
{
    const size_t capacity = 2u * self->draft_capacity + 64u;
    rp_change_t *draft = realloc(self->draft, capacity * sizeof *draft);
    if (draft == NULL) {
        self->draft_is_lost = true;
        return false;
    }
    self->draft = draft;
    self->draft_capacity = capacity;
    return true;
}

static void write_factor(rp_layer_t *self, rp_cell_t cell, uint8_t after)
{
    const uint8_t before = rp_grid_set(self->grid, cell, after);
    const uint8_t bit = (uint8_t)(1u << (cell & 7u));
    if (before == after || (self->drafted[cell >> 3] & bit) != 0 ||
        (self->draft_count == self->draft_capacity && !grow_draft(self))) {
        return;
    }
    self->drafted[cell >> 3] |= bit;
    self->draft[self->draft_count++] = (rp_change_t){cell, before, after};
}

void rp_layer_write(rp_layer_t *self, const rp_written_t *written)
{
    if (self->inflated == NULL) {
        write_factor(self, written->cell, self->profile.factor[written->after]);
        return;
    }
    const rp_inflated_t *inflated = self->inflated;
    const uint8_t cost = inflated->costs[written->index];
    write_factor(self, written->cell, rp_inflated_factor(&self->profile, written->after, cost));
    const uint8_t *is_obstacle = inflated->obstacles.is_obstacle;
    if (is_obstacle[written->before] != is_obstacle[written->after]) {
        note_obstacle(self->inflated, rp_grid_x(self->grid, written->cell),
                      rp_grid_y(self->grid, written->cell));
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

// ---- inflation of the version being written

/// Takes costs that were run anew.
static void take_costs(void *user, uint32_t x, uint32_t y, const uint8_t *costs, uint32_t count)
{
    rp_layer_t *self = user;
    const rp_obstacles_t *obstacles = &self->inflated->obstacles;
    const uint64_t first = (uint64_t)y * obstacles->width + x;
    uint8_t *kept = self->inflated->costs + first;
    if (memcmp(kept, costs, count) == 0) {
        return;
    }
    const rp_cell_t cell = rp_grid_cell(self->grid, x, y);
    for (uint32_t i = 0; i < count; i++) {
        if (kept[i] != costs[i]) {
            kept[i] = costs[i];
            write_factor(self, cell + i,
                         rp_inflated_factor(&self->profile, obstacles->bytes[first + i], costs[i]));
        }
    }
}

/// A stretch of a side, as pieces that do not reach across the seam of a wrapped world.
typedef struct pieces {
    uint32_t first[2];
    uint32_t length[2];
    unsigned count;
} pieces_t;

/// Reach out from a stretch on both sides.
static pieces_t pieces_around(uint32_t first, uint32_t length, uint32_t reach, uint32_t side,
                              bool wraps)
{
    const int64_t low = (int64_t)first - reach;
    const int64_t high = (int64_t)first + length + reach;
    if ((low >= 0 && high <= side) || !wraps || high - low >= side) {
        const bool is_all = wraps && high - low >= side;
        const uint32_t from = low < 0 || is_all ? 0u : (uint32_t)low;
        const uint32_t end = high > side || is_all ? side : (uint32_t)high;
        return (pieces_t){.first = {from}, .length = {end - from}, .count = 1};
    }
    const uint32_t from = low < 0 ? (uint32_t)(low + side) : (uint32_t)low;
    const uint32_t end = high > side ? (uint32_t)(high - side) : (uint32_t)high;
    return (pieces_t){.first = {from, 0}, .length = {side - from, end}, .count = 2};
}

/// Inflate and deflate around the obstacles that came and went.
static void run_boxes(rp_layer_t *self)
{
    rp_inflated_t *inflated = self->inflated;
    const rp_obstacles_t *obstacles = &inflated->obstacles;
    const uint32_t reach = inflated->inflation.reach;
    for (size_t i = 0; i < inflated->box_count; i++) {
        const rp_box_t *box = &inflated->boxes[i];
        const pieces_t columns =
            pieces_around(box->x, box->width, reach, obstacles->width, obstacles->wraps);
        const pieces_t rows =
            pieces_around(box->y, box->height, reach, obstacles->height, obstacles->wraps);
        for (unsigned piece = 0; piece < columns.count * rows.count; piece++) {
            const unsigned column = piece % columns.count;
            const unsigned row = piece / columns.count;
            const rp_box_t part = {columns.first[column], rows.first[row], columns.length[column],
                                   rows.length[row]};
            rp_inflation_run(&inflated->inflation, &inflated->room, obstacles, part, take_costs,
                             self);
        }
    }
    inflated->box_count = 0;
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

void rp_layer_forget(rp_layer_t *self, uint64_t version)
{
    drop_all(self, version);
    rp_components_destroy(&self->components);
    self->is_rewritten = true;
    self->is_unread = true;
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
    if (self->draft_is_lost) {
        rp_components_destroy(&self->components);
    }
    for (size_t i = 0; i < self->draft_count && self->components != NULL; i++) {
        const rp_change_t *change = &self->draft[i];
        if ((change->before == 0) != (change->after == 0)) {
            rp_components_note(self->components, change->cell);
        }
    }
}

size_t rp_layer_commit(rp_layer_t *self, uint64_t version)
{
    if (self->inflated != NULL) {
        run_boxes(self);
    }
    finish_draft(self);
    note_components(self);
    const size_t count = self->draft_count;
    self->is_rewritten = count != 0 || self->draft_is_lost;
    self->is_unread = self->draft_is_lost;
    rp_news_read(&self->news, self->grid, self->draft, self->is_unread ? 0 : count);
    if (self->draft_is_lost) {
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

const rp_batch_t *rp_layer_next_batch(const rp_layer_t *self, uint64_t heard)
{
    const size_t place = first_after(self, heard);
    return place < self->count ? *place_of(self, place) : NULL;
}

bool rp_layer_is_as_at(const rp_layer_t *self, uint64_t version)
{
    return version >= self->known_since && rp_layer_next_batch(self, version) == NULL;
}

rp_status_t rp_layer_catch_up(const rp_layer_t *self, rp_planner_t *planner, uint64_t heard)
{
    const size_t first = first_after(self, heard);
    size_t changes = 0;
    for (size_t i = first; i < self->count && changes <= CAUGHT_UP_MOST; i++) {
        changes += (*place_of(self, i))->count;
    }
    if (heard < self->known_since || changes > CAUGHT_UP_MOST) {
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
    return sizeof *self + cells * 2u + cells / 8u + // factors, legal moves, bits of the draft
           (self->grid->seam != NULL ? cells / 8u : 0u) + (self->inflated != NULL ? cells : 0u) +
           (self->components != NULL ? rp_components_bytes(self->components) : 0u) +
           (self->draft_capacity + self->change_count) * sizeof *self->draft +
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

static void inflated_destroy(rp_inflated_t **self)
{
    rp_inflated_t *inflated = *self;
    if (inflated == NULL) {
        return;
    }
    rp_inflation_room_fini(&inflated->room);
    free(inflated->costs);
    free(inflated->boxes);
    free(inflated);
    *self = NULL;
}

/// @return NULL without memory
static rp_inflated_t *inflated_new(const rp_grid_shape_t *shape, const rp_profile_t *profile,
                                   const rp_inflation_t *inflation, const uint8_t *bytes)
{
    rp_inflated_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    self->inflation = *inflation;
    self->obstacles = (rp_obstacles_t){
        .bytes = bytes, .width = shape->width, .height = shape->height, .wraps = shape->wraps};
    for (unsigned byte = 0; byte < RP_BYTE_UNKNOWN; byte++) {
        self->obstacles.is_obstacle[byte] = profile->factor[byte] == 0;
    }
    self->costs = calloc((size_t)shape->width * shape->height, 1);
    self->boxes = malloc(BOXES_FIRST * sizeof *self->boxes);
    self->box_capacity = BOXES_FIRST;
    if (self->costs == NULL || self->boxes == NULL ||
        rp_inflation_room_init(&self->room, inflation) != RP_OK) {
        inflated_destroy(&self);
        return NULL;
    }
    return self;
}

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
    const bool is_inflated = inflation != NULL && inflation->reach != 0;
    self->drafted = calloc(self->grid->cell_count / 8u + 1u, 1);
    self->common = calloc(1, sizeof *self->common);
    if (is_inflated) {
        self->inflated = inflated_new(shape, profile, inflation, bytes);
    }
    if (self->drafted == NULL || self->common == NULL || (is_inflated && self->inflated == NULL)) {
        rp_layer_fini(self);
        return RP_E_MEMORY;
    }
    const rp_box_t all = {0, 0, shape->width, shape->height};
    rp_layer_lift(self, &all, version);
    return RP_OK;
}

bool rp_layer_serves(const rp_layer_t *self, const rp_profile_t *profile,
                     const rp_inflation_t *inflation)
{
    if (strcmp(self->profile.name, profile->name) != 0) {
        return false;
    }
    return self->inflated == NULL ? inflation->reach == 0
                                  : rp_inflation_equals(&self->inflated->inflation, inflation);
}

void rp_layer_fini(rp_layer_t *self)
{
    drop_all(self, 0);
    free(self->batches);
    free(self->draft);
    free(self->drafted);
    inflated_destroy(&self->inflated);
    rp_components_destroy(&self->components);
    if (self->common != NULL) {
        rp_search_drop(self->common);
        free(self->common);
    }
    rp_stances_fini(&self->stances);
    rp_grid_destroy(&self->grid);
    *self = (rp_layer_t){0};
}
