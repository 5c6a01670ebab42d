/// Rows are copied, cells are written, and the rows compared with those that stand.
#include "engine/draft.h"

#include <stdlib.h>
#include <string.h>

/// What is done in the time of an expansion: bytes that are copied to fresh pages, cells that are
/// written in any order, and bytes that are compared.
#define COPIED_EACH   256u
#define WRITTEN_EACH  32u
#define COMPARED_EACH 1024u

static uint32_t width_of(const rp_draft_t *self)
{
    return self->world->layers[0]->grid->shape.width;
}

static uint32_t height_of(const rp_draft_t *self)
{
    return self->world->layers[0]->grid->shape.height;
}

static bool is_void(const rp_draft_t *self)
{
    return self->world == NULL || self->world->version != self->version;
}

static void spend(uint64_t *budget, uint64_t price)
{
    *budget -= price < *budget ? price : *budget;
}

/// The bytes that stand in a row.
static const uint8_t *standing(const rp_draft_t *self, uint32_t row)
{
    const uint64_t width = width_of(self);
    rp_world_t *world = self->world;
    rp_blank_need(&world->blank, world->bytes, row * width, (row + 1u) * width);
    return world->bytes + row * width;
}

static void copy_row(rp_draft_t *self, uint32_t row)
{
    const rp_edit_t *edit = self->edit;
    const size_t width = width_of(self);
    uint8_t *bytes = self->bytes + row * width;
    const bool is_edited = edit->width != 0 && row >= edit->y && row - edit->y < edit->height;
    if (!is_edited || edit->width != width) {
        memcpy(bytes, standing(self, row), width);
    }
    if (is_edited && edit->data != NULL) {
        memcpy(bytes + edit->x, edit->data + (size_t)(row - edit->y) * edit->width, edit->width);
    } else if (is_edited) {
        memset(bytes + edit->x, edit->fill, edit->width);
    }
}

/// Write the next cells. @return false when one lies outside: the draft is void
static bool write_cells(rp_draft_t *self, size_t count)
{
    const rp_edit_t *edit = self->edit;
    const uint32_t width = width_of(self);
    const bool is_first = self->box.width == 0;
    uint32_t left = is_first ? UINT32_MAX : self->box.x;
    uint32_t top = is_first ? UINT32_MAX : self->box.y;
    uint32_t right = self->box.x + self->box.width;
    uint32_t bottom = self->box.y + self->box.height;
    for (const size_t end = self->cells + count; self->cells < end; self->cells++) {
        const uint32_t cell = edit->cells[self->cells];
        if (cell >= self->world->cells) {
            return false;
        }
        const uint32_t x = cell % width;
        const uint32_t y = cell / width;
        left = x < left ? x : left;
        right = x + 1u > right ? x + 1u : right;
        top = y < top ? y : top;
        bottom = y + 1u > bottom ? y + 1u : bottom;
        self->bytes[cell] = edit->values != NULL ? edit->values[self->cells] : edit->value;
    }
    self->box = (rp_box_t){left, top, right - left, bottom - top};
    return true;
}

/// Note the cells of a row whose bytes will be others.
static void compare_row(rp_draft_t *self, uint32_t row)
{
    const uint32_t width = width_of(self);
    const uint32_t first = row * width;
    const uint8_t *before = standing(self, row);
    const uint8_t *after = self->bytes + first;
    if (memcmp(before, after, width) == 0) {
        return;
    }
    for (uint32_t i = 0; i < width; i++) {
        if (before[i] != after[i]) {
            if (self->other_count < RP_WORLD_REWRITTEN_MOST) {
                self->others[self->other_count] = first + i;
            }
            self->other_count++;
        }
    }
}

static bool is_compared(const rp_draft_t *self)
{
    return self->compared == height_of(self) || self->other_count > RP_WORLD_REWRITTEN_MOST;
}

bool rp_draft_work(rp_draft_t *self, uint64_t *budget)
{
    const uint32_t width = self->world != NULL ? width_of(self) : 0;
    while (*budget != 0 && !is_void(self)) {
        if (self->rows < height_of(self)) {
            copy_row(self, self->rows++);
            spend(budget, width / COPIED_EACH + 1u);
        } else if (self->cells < self->edit->cell_count) {
            const size_t left = self->edit->cell_count - self->cells;
            const uint64_t most =
                *budget < left / WRITTEN_EACH + 1u ? *budget * WRITTEN_EACH : left;
            if (!write_cells(self, most)) {
                self->version = 0;
            }
            spend(budget, most / WRITTEN_EACH + 1u);
        } else if (!is_compared(self)) {
            compare_row(self, self->compared++);
            spend(budget, width / COMPARED_EACH + 1u);
        } else {
            return false;
        }
    }
    return !is_void(self) && *budget == 0;
}

bool rp_draft_is_ready(const rp_draft_t *self)
{
    return !is_void(self) && self->rows == height_of(self) &&
           self->cells == self->edit->cell_count && is_compared(self);
}

/// The arrays change places.
static void take_place(rp_draft_t *self)
{
    rp_world_t *world = self->world;
    uint8_t *bytes = world->bytes;
    world->bytes = self->bytes;
    self->bytes = bytes;
    world->blank.parts = 0; // what was still to be written there
    for (uint32_t i = 0; i < world->layer_count; i++) {
        rp_layer_rebase(world->layers[i], world->bytes);
    }
    world->rewritten_is_kept = false;
    rp_world_lift(world, &self->box);
}

rp_status_t rp_draft_apply(rp_draft_t *self)
{
    rp_world_t *world = self->world;
    const uint32_t width = width_of(self);
    if (self->other_count > RP_WORLD_REWRITTEN_MOST) {
        take_place(self);
        return RP_OK;
    }
    const rp_status_t status = rp_world_begin(world, self->other_count, false);
    if (status != RP_OK) {
        return status;
    }
    for (size_t i = 0; i < self->other_count; i++) {
        const uint32_t index = self->others[i];
        const rp_cell_t cell = rp_grid_cell(world->layers[0]->grid, index % width, index / width);
        rp_world_put(world, index, cell, self->bytes[index]);
    }
    rp_world_commit(world);
    return RP_OK;
}

rp_status_t rp_draft_new(rp_world_t *world, const rp_edit_t *edit, rp_draft_t **draft)
{
    if (world->overlay.base != NULL) {
        return RP_E_UNSUPPORTED;
    }
    rp_draft_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return RP_E_MEMORY;
    }
    self->world = world;
    self->version = world->version;
    self->edit = edit;
    if (edit->width != 0) {
        self->box = (rp_box_t){edit->x, edit->y, edit->width, edit->height};
    }
    self->bytes = malloc(world->cells);
    self->others = malloc(RP_WORLD_REWRITTEN_MOST * sizeof *self->others);
    if (self->bytes == NULL || self->others == NULL) {
        self->world = NULL;
        rp_draft_destroy(&self);
        return RP_E_MEMORY;
    }
    if (world->draft != NULL) {
        world->draft->world = NULL;
    }
    world->draft = self;
    *draft = self;
    return RP_OK;
}

void rp_draft_destroy(rp_draft_t **self)
{
    rp_draft_t *draft = *self;
    if (draft == NULL) {
        return;
    }
    if (draft->world != NULL) {
        draft->world->draft = NULL;
    }
    free(draft->bytes);
    free(draft->others);
    free(draft);
    *self = NULL;
}
