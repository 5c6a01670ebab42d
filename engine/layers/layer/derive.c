/// Deriving a layer from the world's bytes, in slices: first the distances to obstacles, box by
/// box, then factors and moves, some rows at a time. Edits are written to the layer meanwhile,
/// too, so it does not matter which part is derived already.
#include <assert.h>
#include <string.h>

#include "base/budget.h"
#include "engine/layers/layer.h"

/// Cells whose factors are derived at a time; a row of the widest world is less.
#define FACTORS_AT_ONCE 32768u

/// Columns and rows of which it is found out at a time how near obstacles are: rows above and below
/// are looked at again for each piece.
#define NEAR_WIDTH  512u
#define NEAR_HEIGHT 128u

/// What is derived in the time of an expansion: cells whose obstacles are put, or whose factors are
/// read; and cells looked at for obstacles, times the reach of inflation and some.
#define FACTORS_PRICE 20u
#define NEAR_PRICE    256u
#define NEAR_EACH     8u

static_assert(FACTORS_AT_ONCE >= RP_GRID_SIDE_MAX, "a row is derived at once");

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// ---- what is to be derived

static rp_box_t hull(const rp_box_t *a, const rp_box_t *b)
{
    if (a->height == 0 || b->height == 0) {
        return a->height == 0 ? *b : *a;
    }
    const uint32_t left = least(a->x, b->x);
    const uint32_t top = least(a->y, b->y);
    const uint32_t right = a->x + a->width > b->x + b->width ? a->x + a->width : b->x + b->width;
    const uint32_t bottom =
        a->y + a->height > b->y + b->height ? a->y + a->height : b->y + b->height;
    return (rp_box_t){left, top, right - left, bottom - top};
}

/// Reach out from a stretch on both sides; over the edge of a torus, all of its side.
static void stretch(uint32_t *first, uint32_t *length, uint32_t reach, uint32_t side, bool wraps)
{
    const bool crosses = *first < reach || *first + *length + reach > side;
    const uint32_t from = *first > reach ? *first - reach : 0;
    const uint32_t end = least(*first + *length + reach, side);
    *first = wraps && crosses ? 0 : from;
    *length = wraps && crosses ? side : end - from;
}

/// The cells on which inflation may cost something else when those of a box become others.
static rp_box_t box_around(const rp_box_t *box, const rp_layer_t *layer)
{
    const rp_grid_shape_t *shape = &layer->grid->shape;
    const uint32_t reach = rp_layer_inflation(layer)->reach;
    rp_box_t around = *box;
    stretch(&around.x, &around.width, reach, shape->width, shape->wraps);
    stretch(&around.y, &around.height, reach, shape->height, shape->wraps);
    return around;
}

void rp_layer_mark_dirty(rp_layer_t *self, const rp_box_t *box, uint64_t version)
{
    rp_dirty_region_t *dirty = &self->dirty;
    const rp_box_t around = rp_layer_inflation(self) != NULL ? box_around(box, self) : *box;
    dirty->factors = hull(&dirty->factors, &around);
    if (self->inflated != NULL) {
        dirty->marks = hull(&dirty->marks, box);
        dirty->near = dirty->factors;
    }
    dirty->column = 0;
    rp_layer_forget(self, version);
}

// ---- deriving

static void derive_marks(rp_layer_t *self, uint64_t *budget)
{
    rp_box_t *box = &self->dirty.marks;
    const uint32_t rows = least(FACTORS_AT_ONCE / box->width, box->height);
    const rp_box_t piece = {box->x, box->y, box->width, rows};
    rp_inflated_mark(self->inflated, piece);
    rp_budget_pay(budget, (uint64_t)box->width * rows / FACTORS_PRICE + 1u);
    box->y += rows;
    box->height -= rows;
}

static void derive_near(rp_layer_t *self, uint64_t *budget)
{
    rp_dirty_region_t *dirty = &self->dirty;
    rp_distance_transform_t *distances = &self->inflated->distances;
    const rp_box_t piece = {dirty->near.x + dirty->column, dirty->near.y,
                            least(NEAR_WIDTH, dirty->near.width - dirty->column),
                            least(NEAR_HEIGHT, dirty->near.height)};
    rp_distance_run(distances, piece, NULL, NULL);
    dirty->column += piece.width;
    if (dirty->column == dirty->near.width) {
        dirty->column = 0;
        dirty->near.y += piece.height;
        dirty->near.height -= piece.height;
    }
    rp_budget_pay(
        budget,
        (uint64_t)piece.width * piece.height * (NEAR_EACH + distances->reach) / NEAR_PRICE + 1u);
}

/// True when no byte is greater than 1.
static bool is_plain(const uint8_t *bytes, uint32_t count)
{
    uint8_t any = 0;
    for (uint32_t i = 0; i < count; i++) {
        any |= bytes[i];
    }
    return any <= 1u;
}

static void read_factors(const rp_layer_t *self, size_t first, uint8_t *factors, uint32_t count)
{
    const uint8_t *bytes = self->bytes + first;
    const uint8_t *table = self->profile.factor;
    if (self->inflated != NULL) {
        rp_inflated_read(self->inflated, first, factors, count);
    } else if (table[0] == 0 && table[1] == 1 && is_plain(bytes, count)) {
        memcpy(factors, bytes, count); // as most worlds are: no look into the table
    } else {
        for (uint32_t i = 0; i < count; i++) {
            factors[i] = table[bytes[i]];
        }
    }
}

static void derive_factors(rp_layer_t *self, uint64_t *budget)
{
    rp_box_t *box = &self->dirty.factors;
    const size_t world_width = self->grid->shape.width;
    const uint32_t rows = least(FACTORS_AT_ONCE / box->width, box->height);
    const rp_box_t piece = {box->x, box->y, box->width, rows};
    uint64_t cells = (uint64_t)box->width * rows;
    uint8_t factors[FACTORS_AT_ONCE];
    if (self->footprint != NULL) {
        rp_footprint_read(self->footprint, piece, factors);
        cells += rp_footprint_price(self->footprint, &piece);
    }
    for (uint32_t row = 0; row < rows && self->footprint == NULL; row++) {
        const size_t first = (box->y + row) * world_width + box->x;
        read_factors(self, first, factors + (size_t)row * box->width, box->width);
    }
    rp_grid_prefault_rows(self->grid, box->y, rows);
    rp_grid_fill_box(self->grid, box->x, box->y, box->width, rows, factors);
    rp_budget_pay(budget, cells / FACTORS_PRICE + 1u);
    box->y += rows;
    box->height -= rows;
}

rp_status_t rp_layer_derive(rp_layer_t *self, uint64_t version, uint64_t *budget)
{
    if (rp_layer_is_whole(self)) {
        return RP_OK;
    }
    while (!rp_layer_is_whole(self)) {
        if (*budget == 0) {
            return RP_MORE;
        }
        if (self->dirty.marks.height != 0) {
            derive_marks(self, budget);
        } else if (self->dirty.near.height != 0) {
            derive_near(self, budget);
        } else {
            derive_factors(self, budget);
        }
    }
    rp_layer_forget(self, version);
    return RP_OK;
}
