/// An edit of a world: checked, then written cell by cell, or at once where it rewrites much.
#include "engine/ground/world_state.h"

#include <string.h>

#include "engine/ground/staged_edit.h"

/// Have the bytes written that an edit reads and writes.
static void need_edit(rp_world_t *self, const rp_edit_t *edit)
{
    const uint64_t width = self->layers[0]->grid->shape.width;
    if (rp_world_is_written(self)) {
        return;
    }
    if (edit->width != 0) {
        const uint64_t first = edit->y * width;
        rp_lazy_fill_need(&self->unfilled, self->bytes, first, first + edit->height * width);
    }
    for (size_t i = 0; i < edit->cell_count; i++) {
        rp_lazy_fill_need(&self->unfilled, self->bytes, edit->cells[i],
                          (uint64_t)edit->cells[i] + 1u);
    }
}

static bool edit_is_inside(const rp_edit_t *edit, const rp_grid_shape_t *shape)
{
    if (edit->cells == NULL && edit->cell_count != 0) {
        return false;
    }
    if (edit->width != 0 &&
        (edit->height == 0 || edit->width > shape->width || edit->height > shape->height ||
         edit->x > shape->width - edit->width || edit->y > shape->height - edit->height)) {
        return false;
    }
    const uint64_t cells = (uint64_t)shape->width * shape->height;
    for (size_t i = 0; i < edit->cell_count; i++) {
        if (edit->cells[i] >= cells) {
            return false;
        }
    }
    return true;
}

/// Write a byte of an edit.
/// @param is_bare  there are no shapes beneath which it might stand
static inline void write_byte(rp_world_t *self, uint64_t index, rp_cell_t cell, uint8_t byte,
                              bool is_bare)
{
    if ((is_bare || !rp_overlay_hides(&self->overlay, index, byte)) && self->bytes[index] != byte) {
        rp_world_put(self, index, cell, byte);
    }
}

static void write_rectangle(rp_world_t *self, const rp_edit_t *edit, bool is_bare)
{
    const rp_grid_t *grid = self->layers[0]->grid;
    for (uint32_t row = 0; row < edit->height; row++) {
        const uint64_t index = (uint64_t)(edit->y + row) * grid->shape.width + edit->x;
        const uint8_t *data = rp_edit_row(edit, row);
        const rp_cell_t first = rp_grid_cell(grid, edit->x, edit->y + row);
        for (uint32_t column = 0; column < edit->width; column++) {
            const uint8_t byte = data != NULL ? data[column] : edit->fill;
            write_byte(self, index + column, first + column, byte, is_bare);
        }
    }
}

bool rp_world_holds_edit(const rp_world_t *self, const rp_edit_t *edit)
{
    return edit_is_inside(edit, &self->layers[0]->grid->shape);
}

bool rp_edit_box(const rp_edit_t *edit, uint32_t world_width, rp_box_t *box)
{
    uint32_t left = edit->width != 0 ? edit->x : UINT32_MAX;
    uint32_t top = edit->width != 0 ? edit->y : UINT32_MAX;
    uint32_t right = edit->width != 0 ? edit->x + edit->width : 0;
    uint32_t bottom = edit->width != 0 ? edit->y + edit->height : 0;
    for (size_t i = 0; i < edit->cell_count; i++) {
        const uint32_t x = edit->cells[i] % world_width;
        const uint32_t y = edit->cells[i] / world_width;
        left = x < left ? x : left;
        top = y < top ? y : top;
        right = x + 1u > right ? x + 1u : right;
        bottom = y + 1u > bottom ? y + 1u : bottom;
    }
    *box = (rp_box_t){left, top, right - left, bottom - top};
    return right != 0;
}

static uint8_t value_of(const rp_edit_t *edit, size_t i)
{
    return edit->values != NULL ? edit->values[i] : edit->value;
}

/// Bytes of an edit that are others than those that stand there; beyond RP_WORLD_REWRITTEN_MOST not
/// all.
static size_t count_rewritten(const rp_world_t *self, const rp_edit_t *edit)
{
    const uint32_t width = self->layers[0]->grid->shape.width;
    size_t count = 0;
    for (uint32_t row = 0;
         edit->width != 0 && row < edit->height && count <= RP_WORLD_REWRITTEN_MOST; row++) {
        const uint8_t *bytes = self->bytes + (size_t)(edit->y + row) * width + edit->x;
        const uint8_t *data = rp_edit_row(edit, row);
        uint32_t others = 0; // of 32 bits, so that many are compared at a time
        for (uint32_t i = 0; i < edit->width; i++) {
            others += bytes[i] != (data != NULL ? data[i] : edit->fill);
        }
        count += others;
    }
    for (size_t i = 0; i < edit->cell_count && count <= RP_WORLD_REWRITTEN_MOST; i++) {
        count += self->bytes[edit->cells[i]] != value_of(edit, i);
    }
    return count;
}

/// The next version, of a world without shapes: bytes are written at once, and the rest is found
/// anew from them when somebody needs it.
static void rewrite(rp_world_t *self, const rp_edit_t *edit)
{
    const uint32_t width = self->layers[0]->grid->shape.width;
    rp_box_t box;
    for (uint32_t row = 0; edit->width != 0 && row < edit->height; row++) {
        uint8_t *bytes = self->bytes + (size_t)(edit->y + row) * width + edit->x;
        if (edit->data != NULL) {
            memcpy(bytes, rp_edit_row(edit, row), edit->width);
        } else {
            memset(bytes, edit->fill, edit->width);
        }
    }
    for (size_t i = 0; i < edit->cell_count; i++) {
        self->bytes[edit->cells[i]] = value_of(edit, i);
    }
    self->rewritten_is_kept = false;
    (void)rp_edit_box(edit, width, &box);
    rp_world_commit_box(self, &box);
}

rp_status_t rp_world_write(rp_world_t *self, const rp_edit_t *edit)
{
    const rp_grid_t *grid = self->layers[0]->grid;
    if (rp_staged_edit_serves(edit->staged_edit, self)) {
        return rp_staged_edit_apply(edit->staged_edit);
    }
    if (!edit_is_inside(edit, &grid->shape)) {
        return RP_E_INVALID;
    }
    need_edit(self, edit);
    const size_t area = edit->width != 0 ? (size_t)edit->width * edit->height : 0;
    const bool is_bare = self->overlay.base == NULL;
    const size_t most = is_bare ? count_rewritten(self, edit) : area + edit->cell_count;
    if (is_bare && most > RP_WORLD_REWRITTEN_MOST) {
        rewrite(self, edit);
        return RP_OK;
    }
    const rp_status_t status = rp_world_begin(self, most, !is_bare);
    if (status != RP_OK) {
        return status;
    }
    if (area != 0) {
        write_rectangle(self, edit, is_bare);
    }
    for (size_t i = 0; i < edit->cell_count; i++) {
        const uint32_t index = edit->cells[i];
        const uint32_t y = index / grid->shape.width;
        write_byte(self, index, rp_grid_cell(grid, index - y * grid->shape.width, y),
                   value_of(edit, i), is_bare);
    }
    rp_world_commit(self);
    return RP_OK;
}
