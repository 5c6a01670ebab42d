/// The dearest of a square is the dearest of the dearest of its rows. Of a row it is found for all
/// places at once, by doubling what each one has looked at; of a column by the last rows.
#include "engine/layers/footprint.h"

#include <stdlib.h>
#include <string.h>

#define BLOCKED 255u ///< the greatest dearness

static uint8_t dearer(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

// ---- rows

/// Dearness of cells that follow each other in a row, over the edge, too.
static void read_line(rp_footprint_t *self, uint32_t x, uint32_t y, uint32_t count)
{
    if (y >= self->height && !self->wraps) {
        memset(self->line, BLOCKED, count);
        return;
    }
    const uint8_t *bytes = self->bytes + (size_t)(y % self->height) * self->width;
    const uint32_t inside = self->width - x < count ? self->width - x : count;
    for (uint32_t i = 0; i < inside; i++) {
        self->line[i] = self->dearness[bytes[x + i]];
    }
    for (uint32_t i = inside; i < count; i++) {
        self->line[i] = self->wraps ? self->dearness[bytes[(x + i) % self->width]] : BLOCKED;
    }
}

/// Make each of `count` places the dearest of itself and those at `ahead`.
static void look_ahead(uint8_t *line, uint32_t count, uint32_t ahead)
{
    for (uint32_t i = 0; i < count; i++) {
        line[i] = dearer(line[i], line[i + ahead]);
    }
}

/// The dearest of `side` cells from each of `count` places of a row on.
static void fill_row(rp_footprint_t *self, uint32_t x, uint32_t y, uint32_t count)
{
    const uint32_t side = self->inflation.side;
    const uint32_t cells = count + side - 1u;
    uint32_t seen = 1;
    read_line(self, x, y, cells);
    for (; 2u * seen <= side; seen *= 2u) {
        look_ahead(self->line, cells - seen, seen);
    }
    look_ahead(self->line, count, side - seen);
    memcpy(self->rows + (size_t)(y % side) * self->width, self->line, count);
}

/// The rows before those of a box's first one.
static void begin_rows(rp_footprint_t *self, const rp_box_t *box)
{
    for (uint32_t row = 0; row + 1u < self->inflation.side; row++) {
        fill_row(self, box->x, box->y + row, box->width);
    }
}

/// The factors of the next row of a box. @return [width of the box]
static const uint8_t *next_row(rp_footprint_t *self, const rp_box_t *box, uint32_t y)
{
    const uint32_t side = self->inflation.side;
    fill_row(self, box->x, y + side - 1u, box->width);
    memcpy(self->factors, self->rows, box->width);
    for (uint32_t row = 1; row < side; row++) {
        const uint8_t *other = self->rows + (size_t)row * self->width;
        for (uint32_t i = 0; i < box->width; i++) {
            self->factors[i] = dearer(self->factors[i], other[i]);
        }
    }
    for (uint32_t i = 0; i < box->width; i++) {
        self->factors[i]++; // what blocks becomes 0
    }
    return self->factors;
}

void rp_footprint_read(rp_footprint_t *self, rp_box_t box, uint8_t *factors)
{
    begin_rows(self, &box);
    for (uint32_t row = 0; row < box.height; row++) {
        memcpy(factors + (size_t)row * box.width, next_row(self, &box, box.y + row), box.width);
    }
}

uint64_t rp_footprint_price(const rp_footprint_t *self, const rp_box_t *box)
{
    const uint64_t side = self->inflation.side;
    return (box->width + side) * (box->height + side) +
           (uint64_t)box->width * box->height * side / 16u;
}

// ---- changes

void rp_footprint_note(rp_footprint_t *self, uint32_t x, uint32_t y, uint8_t before, uint8_t after)
{
    if (self->dearness[before] != self->dearness[after]) {
        rp_stirred_note(&self->stirred, x, y, false);
    }
}

static void run_part(rp_footprint_t *self, rp_box_t part, rp_footprint_changed_fn *hear, void *user)
{
    begin_rows(self, &part);
    for (uint32_t row = 0; row < part.height; row++) {
        const uint8_t *factors = next_row(self, &part, part.y + row);
        for (uint32_t i = 0; i < part.width; i++) {
            hear(user, part.x + i, part.y + row, factors[i]);
        }
    }
}

/// A body at a place covers cells after it only.
static void run_box(rp_footprint_t *self, const rp_box_t *box, rp_footprint_changed_fn *hear,
                    void *user)
{
    const rp_stirred_parts_t parts =
        rp_stirred_parts_of(box, self->inflation.reach, 0, self->width, self->height, self->wraps);
    for (unsigned i = 0; i < parts.count; i++) {
        run_part(self, parts.list[i], hear, user);
    }
}

void rp_footprint_run(rp_footprint_t *self, rp_footprint_changed_fn *hear, void *user)
{
    rp_stirred_list_t *list = &self->stirred;
    rp_box_t all;
    if (rp_stirred_hull(list, &all)) {
        run_box(self, &all, hear, user);
        list->count = 0;
    }
    for (size_t i = 0; i < list->count; i++) {
        run_box(self, &list->items[i].box, hear, user);
    }
    list->count = 0;
}

uint64_t rp_footprint_bytes(const rp_footprint_t *self)
{
    return sizeof *self + (self->inflation.side + 2u) * (uint64_t)self->width;
}

// ---- birth and death

void rp_footprint_destroy(rp_footprint_t **self)
{
    rp_footprint_t *footprint = *self;
    if (footprint == NULL) {
        return;
    }
    rp_stirred_fini(&footprint->stirred);
    free(footprint->line);
    free(footprint->rows);
    free(footprint->factors);
    free(footprint);
    *self = NULL;
}

rp_footprint_t *rp_footprint_new(const rp_grid_shape_t *shape, const uint8_t factor[256],
                                 const rp_inflation_t *inflation, const uint8_t *bytes)
{
    rp_footprint_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    self->inflation = *inflation;
    self->width = shape->width;
    self->height = shape->height;
    self->wraps = shape->wraps;
    self->bytes = bytes;
    for (unsigned byte = 0; byte < 256; byte++) {
        self->dearness[byte] = (uint8_t)(factor[byte] - 1u);
    }
    self->line = malloc((size_t)shape->width + inflation->side);
    self->rows = malloc((size_t)shape->width * inflation->side);
    self->factors = malloc(shape->width);
    if (!rp_stirred_init(&self->stirred, inflation->reach) || self->line == NULL ||
        self->rows == NULL || self->factors == NULL) {
        rp_footprint_destroy(&self);
    }
    return self;
}
