/// Row by row: each row of cells that a shape left or entered is composed from the topmost shape
/// down. Whole stack: first the ground where shapes were removed, then all shapes from the lowest
/// up; then the bytes are compared with what they were.
#include "engine/ground/compose.h"

#include <string.h>

#include "engine/ground/world_state.h"

/// Cells of a layer that may be derived anew for each byte that changed.
#define LAID_FOR_EACH 16u

rp_bounds_t rp_bounds_of(const rp_spans_t *spans)
{
    rp_bounds_t bounds = {.left = UINT16_MAX};
    for (size_t i = 0; i < spans->count; i++) {
        const rp_span_t *span = &spans->list[i];
        const uint32_t right = span->x + span->count - 1u;
        bounds.left = span->x < bounds.left ? (uint16_t)span->x : bounds.left;
        bounds.right = right > bounds.right ? (uint16_t)right : bounds.right;
    }
    if (spans->count != 0) {
        bounds.top = (uint16_t)spans->list[0].y;
        bounds.bottom = (uint16_t)spans->list[spans->count - 1u].y;
    }
    return bounds;
}

// ---- row by row

/// Write the part of a shape that lies in a piece of a row, beneath the shapes written before.
/// @return number of cells that show it
static uint32_t paint(const rp_placed_shape_t *laid, const rp_span_t *piece, uint8_t *row,
                      uint8_t *marks)
{
    const rp_spans_t *spans = &laid->spans;
    const uint32_t piece_end = piece->x + piece->count;
    uint32_t shown = 0;
    for (size_t i = rp_spans_row(spans, piece->y); i < spans->count; i++) {
        const rp_span_t *span = &spans->list[i];
        if (span->y != piece->y || span->x >= piece_end) {
            break;
        }
        const uint32_t span_end = span->x + span->count;
        const uint32_t end = span_end < piece_end ? span_end : piece_end;
        for (uint32_t x = span->x > piece->x ? span->x : piece->x; x < end; x++) {
            if (marks[x - piece->x] == 0) {
                marks[x - piece->x] = 1;
                row[x - piece->x] = laid->byte;
                shown++;
            }
        }
    }
    return shown;
}

/// Shapes that may have cells among some spans, the lowest first.
static size_t find_near(rp_overlay_t *self, const rp_spans_t *spans)
{
    size_t count = 0;
    const rp_bounds_t bounds = rp_bounds_of(spans);
    for (size_t i = 0; i < self->count; i++) {
        const rp_bounds_t *other = &self->bounds[i];
        self->near[count] = &self->stack[i]; // without a branch, that nobody could foretell
        count += (size_t)((other->left <= bounds.right) & (other->right >= bounds.left) &
                          (other->top <= bounds.bottom) & (other->bottom >= bounds.top));
    }
    return count;
}

/// Compose the cells of some spans anew and write what differs into the world.
static void compose_spans(rp_world_t *world, const rp_spans_t *spans)
{
    rp_overlay_t *self = &world->overlay;
    const rp_grid_t *grid = world->layers[0]->grid;
    const size_t near_count = spans->count != 0 ? find_near(self, spans) : 0;
    for (size_t i = 0; i < spans->count; i++) {
        const rp_span_t *span = &spans->list[i];
        const uint64_t index = (uint64_t)span->y * grid->shape.width + span->x;
        const rp_cell_t cell = rp_grid_cell(grid, span->x, span->y);
        memcpy(self->row, self->base + index, span->count);
        memset(self->marks, 0, span->count);
        uint32_t left = span->count; // from the topmost down, until no more can be seen
        for (size_t k = near_count; k-- > 0 && left != 0;) {
            left -= paint(self->near[k], span, self->row, self->marks);
        }
        for (uint32_t x = 0; x < span->count; x++) {
            const uint8_t bit = (uint8_t)(1u << ((index + x) & 7u));
            uint8_t *covered = &self->covered[(index + x) >> 3];
            *covered = (uint8_t)(self->marks[x] != 0 ? *covered | bit : *covered & ~bit);
            rp_world_put(world, index + x, cell + x, self->row[x]);
        }
    }
}

void rp_overlay_compose(rp_world_t *world)
{
    rp_overlay_t *self = &world->overlay;
    for (size_t i = 0; i < self->gone_count; i++) {
        compose_spans(world, &self->gone[i]);
    }
    for (size_t i = 0; i < self->count; i++) {
        if (self->stack[i].is_new) {
            compose_spans(world, &self->stack[i].spans);
        }
    }
    rp_world_commit(world);
}

// ---- all anew

static void set_covered(rp_overlay_t *self, uint64_t first, uint64_t end, bool is_covered)
{
    uint64_t i = first;
    while (i < end) {
        if (i % 8u == 0 && end - i >= 8u) {
            memset(&self->covered[i / 8u], is_covered ? UINT8_MAX : 0, (end - i) / 8u);
            i += (end - i) / 8u * 8u;
            continue;
        }
        const uint8_t bit = (uint8_t)(1u << i % 8u);
        uint8_t *covered = &self->covered[i++ / 8u];
        *covered = (uint8_t)(is_covered ? *covered | bit : *covered & ~bit);
    }
}

/// Show the ground beneath some spans, or a byte there.
/// @param laid  NULL: the ground
static void show(rp_world_t *world, const rp_spans_t *spans, const rp_placed_shape_t *laid)
{
    rp_overlay_t *self = &world->overlay;
    const uint32_t width = world->layers[0]->grid->shape.width;
    for (size_t i = 0; i < spans->count; i++) {
        const rp_span_t *span = &spans->list[i];
        const uint64_t index = (uint64_t)span->y * width + span->x;
        if (laid != NULL) {
            memset(world->bytes + index, laid->byte, span->count);
        } else {
            memcpy(world->bytes + index, self->base + index, span->count);
        }
        set_covered(self, index, index + span->count, laid != NULL);
    }
}

/// Note cells that may become others, and their bytes as they are.
static void list_cells(rp_world_t *world, const rp_spans_t *spans)
{
    const uint32_t width = world->layers[0]->grid->shape.width;
    for (size_t i = 0; i < spans->count; i++) {
        const uint32_t index = spans->list[i].y * width + spans->list[i].x;
        for (uint32_t x = 0; x < spans->list[i].count; x++) {
            world->rewritten_cells[world->rewritten_count] = index + x;
            world->rewritten_values[world->rewritten_count++] = world->bytes[index + x];
        }
    }
}

/// Take the bytes of the list back; of the list those stay that became others, each once, with what
/// they became. Backwards, so that of a cell that stands there twice the last place holds that.
static void take_back(rp_world_t *world)
{
    size_t kept = 0;
    for (size_t i = world->rewritten_count; i-- > 0;) {
        uint8_t *byte = &world->bytes[world->rewritten_cells[i]];
        const uint8_t after = *byte;
        *byte = world->rewritten_values[i];
        world->rewritten_values[i] = after;
    }
    for (size_t i = 0; i < world->rewritten_count; i++) {
        const uint32_t index = world->rewritten_cells[i];
        const uint8_t after = world->rewritten_values[i];
        world->rewritten_cells[kept] = index;
        world->rewritten_values[kept] = after;
        kept += after != world->bytes[index];
    }
    world->rewritten_count = kept;
}

/// Write the bytes of the list, and have each layer hear of each.
static void put_listed(rp_world_t *world)
{
    const rp_grid_t *grid = world->layers[0]->grid;
    const size_t count = world->rewritten_count;
    world->rewritten_count = 0; // what is written is noted there again
    for (size_t i = 0; i < count; i++) {
        const uint32_t index = world->rewritten_cells[i];
        const uint32_t y = index / grid->shape.width;
        rp_world_put(world, index, rp_grid_cell(grid, index - y * grid->shape.width, y),
                     world->rewritten_values[i]);
    }
}

/// Write the bytes of the list.
static void write_listed(rp_world_t *world)
{
    for (size_t i = 0; i < world->rewritten_count; i++) {
        world->bytes[world->rewritten_cells[i]] = world->rewritten_values[i];
    }
}

static void widen(rp_bounds_t *self, const rp_bounds_t *by)
{
    self->left = by->left < self->left ? by->left : self->left;
    self->right = by->right > self->right ? by->right : self->right;
    self->top = by->top < self->top ? by->top : self->top;
    self->bottom = by->bottom > self->bottom ? by->bottom : self->bottom;
}

/// Note which cells an edit may change. @return a rectangle around them
static rp_bounds_t list_edit(rp_world_t *world)
{
    const rp_overlay_t *self = &world->overlay;
    rp_bounds_t around = {.left = UINT16_MAX, .top = UINT16_MAX};
    for (size_t i = 0; i < self->gone_count + self->count; i++) {
        const rp_placed_shape_t *laid =
            i < self->gone_count ? NULL : &self->stack[i - self->gone_count];
        const rp_spans_t *spans = laid == NULL ? &self->gone[i] : &laid->spans;
        if ((laid != NULL && !laid->is_new) || spans->count == 0) {
            continue;
        }
        const rp_bounds_t bounds = rp_bounds_of(spans);
        widen(&around, &bounds);
        if (world->rewritten_is_kept) {
            list_cells(world, spans);
        }
    }
    return around;
}

/// True when so many bytes became others, close together, that layers are to be derived anew.
static bool is_much(const rp_world_t *world, const rp_bounds_t *around)
{
    const uint64_t width = (uint64_t)around->right - around->left + 1u;
    const uint64_t height = (uint64_t)around->bottom - around->top + 1u;
    const size_t count = world->rewritten_count;
    return count > RP_WORLD_REWRITTEN_MOST && count >= width * height / LAID_FOR_EACH;
}

void rp_overlay_compose_all(rp_world_t *world)
{
    rp_overlay_t *self = &world->overlay;
    const rp_bounds_t around = list_edit(world);
    for (size_t i = 0; i < self->gone_count; i++) {
        show(world, &self->gone[i], NULL);
    }
    for (size_t i = 0; i < self->count; i++) {
        show(world, &self->stack[i].spans, &self->stack[i]);
    }
    if (world->rewritten_is_kept) {
        take_back(world);
        if (!is_much(world, &around)) {
            put_listed(world);
            rp_world_commit(world);
            return;
        }
        write_listed(world);
    }
    const rp_box_t box = {around.left, around.top, around.right - around.left + 1u,
                          around.bottom - around.top + 1u};
    rp_world_commit_box(world, &box);
}
