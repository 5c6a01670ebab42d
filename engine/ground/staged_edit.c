/// Rows are copied, cells are written, and the rows compared with those that stand.
#include "engine/ground/staged_edit.h"

#include <stdlib.h>
#include <string.h>

#include "base/budget.h"

/// What is done in the time of an expansion: bytes that are copied to fresh pages, cells that are
/// written in any order, and bytes that are compared.
#define COPIED_EACH   256u
#define WRITTEN_EACH  8u
#define COMPARED_EACH 1024u

/// What it takes to find the cells of a shape, in expansions, and by how many of their rows one
/// more.
#define SHAPE_PRICE 12u
#define ROWS_EACH   4u

static uint32_t width_of(const rp_staged_edit_t *self)
{
    return self->world->layers[0]->grid->shape.width;
}

static bool is_void(const rp_staged_edit_t *self)
{
    return self->world == NULL || self->world->version != self->version;
}

/// The bytes that stand in a row.
static const uint8_t *standing(const rp_staged_edit_t *self, uint32_t row)
{
    const uint64_t width = width_of(self);
    rp_world_t *world = self->world;
    rp_lazy_fill_need(&world->unfilled, world->bytes, row * width, (row + 1u) * width);
    return world->bytes + row * width;
}

static void copy_edited_row(const rp_staged_edit_t *self, uint32_t row)
{
    const rp_edit_t *edit = self->of.edit;
    const size_t width = width_of(self);
    uint8_t *bytes = self->bytes + row * width;
    const bool is_edited = edit->width != 0 && row >= edit->y && row - edit->y < edit->height;
    if (!is_edited || edit->width != width) {
        memcpy(bytes, standing(self, row), width);
    }
    if (is_edited && edit->data != NULL) {
        memcpy(bytes + edit->x, rp_edit_row(edit, row - edit->y), edit->width);
    } else if (is_edited) {
        memset(bytes + edit->x, edit->fill, edit->width);
    }
}

static void copy_window_row(const rp_staged_edit_t *self, uint32_t row)
{
    const rp_window_t *window = &self->placed.window;
    const int64_t y = (int64_t)window->y + row;
    const bool is_there = y >= 0 && y < self->world->layers[0]->grid->shape.height;
    rp_window_copy_row(window, row, rp_window_fill(window, self->world),
                       is_there ? standing(self, (uint32_t)y) : NULL, width_of(self),
                       self->bytes + (size_t)row * window->width);
}

static void copy_row(const rp_staged_edit_t *self, uint32_t row)
{
    if (self->of.edit != NULL) {
        copy_edited_row(self, row);
    } else if (self->of.window != NULL) {
        copy_window_row(self, row);
    } else {
        const size_t width = width_of(self);
        memcpy(self->bytes + row * width, standing(self, row), width);
    }
}

/// Write the next cells. @return false when one lies outside: the staged edit is void
static bool write_cells(rp_staged_edit_t *self, size_t count)
{
    const rp_edit_t *edit = self->of.edit;
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
static void compare_row(rp_staged_edit_t *self, uint32_t row)
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

/// Write cells, then compare rows. @return false when there is nothing left to do
static bool work_on_edit(rp_staged_edit_t *self, uint64_t *budget)
{
    const rp_edit_t *edit = self->of.edit;
    if (self->cells < edit->cell_count) {
        const size_t left = edit->cell_count - self->cells;
        const uint64_t most = *budget < left / WRITTEN_EACH + 1u ? *budget * WRITTEN_EACH : left;
        if (!write_cells(self, most)) {
            self->version = 0;
        }
        rp_budget_pay(budget, most / WRITTEN_EACH + 1u);
        return true;
    }
    if (self->compared == self->row_count || self->other_count > RP_WORLD_REWRITTEN_MOST) {
        return false;
    }
    compare_row(self, self->compared++);
    rp_budget_pay(budget, width_of(self) / COMPARED_EACH + 1u);
    return true;
}

/// Find the cells of the next shape. @return false when there is none
static bool work_on_shapes(rp_staged_edit_t *self, uint64_t *budget)
{
    const rp_overlay_edit_t *overlay = self->of.overlay;
    if (self->laid_count == overlay->shape_count) {
        return false;
    }
    rp_placed_shape_t *laid = &self->laid[self->laid_count];
    if (rp_world_place_shape(self->world, &overlay->shapes[self->laid_count++], &self->covered,
                             laid) != RP_OK) {
        self->version = 0;
    }
    rp_budget_pay(budget, SHAPE_PRICE + laid->spans.count / ROWS_EACH);
    return true;
}

/// @return false when there is nothing left to do
static bool work_on(rp_staged_edit_t *self, uint64_t *budget)
{
    if (self->rows < self->row_count) {
        const uint32_t width = self->of.window != NULL ? self->of.window->width : width_of(self);
        const size_t rects = self->of.window != NULL ? self->of.window->rect_count : 0;
        copy_row(self, self->rows++);
        rp_budget_pay(budget, (width + rects) / COPIED_EACH + 1u);
        return true;
    }
    return self->of.edit != NULL      ? work_on_edit(self, budget)
           : self->of.overlay != NULL ? work_on_shapes(self, budget)
                                      : false;
}

bool rp_staged_edit_work(rp_staged_edit_t *self, uint64_t *budget)
{
    if (self == NULL || budget == NULL) {
        return false;
    }
    while (*budget != 0 && !is_void(self) && !self->is_ready) {
        self->is_ready = !work_on(self, budget);
    }
    return !is_void(self) && !self->is_ready;
}

bool rp_staged_edit_is_ready(const rp_staged_edit_t *self)
{
    return self != NULL && !is_void(self) && self->is_ready;
}

bool rp_staged_edit_serves(const rp_staged_edit_t *self, const rp_world_t *world)
{
    return rp_staged_edit_is_ready(self) && self->world == world;
}

/// The arrays change places.
static void take_place(rp_staged_edit_t *self)
{
    rp_world_t *world = self->world;
    uint8_t *bytes = world->bytes;
    world->bytes = self->bytes;
    self->bytes = bytes;
    world->unfilled.parts = 0; // what was still to be written there
    for (uint32_t i = 0; i < world->layer_count; i++) {
        rp_layer_rebase(world->layers[i], world->bytes);
    }
    world->rewritten_is_kept = false;
    rp_world_commit_box(world, &self->box);
}

rp_status_t rp_staged_edit_apply(rp_staged_edit_t *self)
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

/// Which bytes it is to hold. @return RP_E_INVALID, RP_E_UNSUPPORTED
static rp_status_t measure(rp_staged_edit_t *self, uint64_t *cells)
{
    const rp_world_t *world = self->world;
    const rp_grid_shape_t *shape = &world->layers[0]->grid->shape;
    const rp_edit_t *edit = self->of.edit;
    const rp_window_t *window = self->of.window;
    const bool has_shapes = world->overlay.base != NULL;
    self->row_count = shape->height;
    *cells = world->cells;
    if (edit != NULL) {
        const rp_edit_t rectangle = {
            .x = edit->x, .y = edit->y, .width = edit->width, .height = edit->height};
        if (edit->width != 0) {
            self->box = (rp_box_t){edit->x, edit->y, edit->width, edit->height};
        }
        const bool lacks_cells = edit->cells == NULL && edit->cell_count != 0;
        return !rp_world_holds_edit(world, &rectangle) || lacks_cells ? RP_E_INVALID
               : has_shapes                                           ? RP_E_UNSUPPORTED
                                                                      : RP_OK;
    }
    if (window != NULL) {
        const bool moves_in_place = window->width == shape->width &&
                                    window->height == shape->height && window->rect_count == 0;
        self->row_count = window->height;
        *cells = (uint64_t)window->width * window->height;
        return has_shapes || moves_in_place || shape->wraps
                   ? RP_E_UNSUPPORTED
                   : rp_windows_place(&world->windows, &world->frame, window, &self->placed);
    }
    if (has_shapes) { // what stands beneath them is copied already
        self->row_count = 0;
        *cells = 0;
    }
    return !rp_overlay_is_given(self->of.overlay) ? RP_E_INVALID
           : self->of.overlay->shape_count != 0   ? RP_OK
                                                  : RP_E_UNSUPPORTED;
}

static rp_status_t reserve(rp_staged_edit_t *self, uint64_t cells)
{
    const size_t shapes = self->of.overlay != NULL ? self->of.overlay->shape_count : 0u;
    const size_t others = self->of.edit != NULL ? RP_WORLD_REWRITTEN_MOST : 0u;
    self->bytes = cells != 0 ? malloc(cells) : NULL;
    self->others = others != 0 ? malloc(others * sizeof *self->others) : NULL;
    self->laid = shapes != 0 ? calloc(shapes, sizeof *self->laid) : NULL;
    return (cells != 0 && self->bytes == NULL) || (others != 0 && self->others == NULL) ||
                   (shapes != 0 && self->laid == NULL)
               ? RP_E_MEMORY
               : RP_OK;
}

rp_status_t rp_staged_edit_new(rp_world_t *world, const rp_staged_kind_t *what,
                               rp_staged_edit_t **staged_edit)
{
    rp_staged_edit_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return RP_E_MEMORY;
    }
    uint64_t cells;
    self->world = world;
    self->version = world->version;
    self->of = *what;
    rp_status_t status = measure(self, &cells);
    if (status == RP_OK) {
        status = reserve(self, cells);
    }
    if (status != RP_OK) {
        self->world = NULL; // whose staged edit it is not
        rp_staged_edit_destroy(&self);
        return status;
    }
    if (world->staged_edit != NULL) {
        world->staged_edit->world = NULL;
    }
    world->staged_edit = self;
    *staged_edit = self;
    return RP_OK;
}

void rp_staged_edit_destroy(rp_staged_edit_t **self)
{
    rp_staged_edit_t *staged_edit = self != NULL ? *self : NULL;
    if (staged_edit == NULL) {
        return;
    }
    if (staged_edit->world != NULL) {
        staged_edit->world->staged_edit = NULL;
    }
    rp_placed_shape_destroy(&staged_edit->laid, staged_edit->laid_count);
    free(staged_edit->bytes);
    free(staged_edit->others);
    free(staged_edit);
    *self = NULL;
}
