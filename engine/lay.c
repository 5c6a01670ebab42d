/// How the ground of a layer comes to be: first what obstacles cost, box by box, then factors and
/// moves, rows at a time. All of it follows from the world's bytes, and what is written meanwhile
/// is written here as well, so that it does not matter what was laid already.
#include <assert.h>
#include <string.h>

#include "engine/layer.h"

/// Cells whose factors are laid at a time; a row of the widest world is less.
#define FACTORS_AT_ONCE 32768u

/// Columns and rows of which inflated costs are laid at a time: rows above and below are looked at
/// again for each piece.
#define COSTS_WIDTH  512u
#define COSTS_HEIGHT 128u

/// What is laid in the time of an expansion: factors of cells; and costs of cells, times the reach
/// of inflation and some.
#define FACTORS_PRICE 20u
#define COSTS_PRICE   128u
#define COSTS_EACH    4u

static_assert(FACTORS_AT_ONCE >= RP_GRID_SIDE_MAX, "a row is laid at once");

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void pay(uint64_t *budget, uint64_t price)
{
    *budget -= price < *budget ? price : *budget;
}

// ---- what is to be laid

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
    const uint32_t reach = layer->inflated->inflation.reach;
    rp_box_t around = *box;
    stretch(&around.x, &around.width, reach, shape->width, shape->wraps);
    stretch(&around.y, &around.height, reach, shape->height, shape->wraps);
    return around;
}

void rp_layer_lift(rp_layer_t *self, const rp_box_t *box, uint64_t version)
{
    rp_unlaid_t *unlaid = &self->unlaid;
    const rp_box_t around = self->inflated != NULL ? box_around(box, self) : *box;
    unlaid->factors = hull(&unlaid->factors, &around);
    unlaid->costs = self->inflated != NULL ? unlaid->factors : (rp_box_t){0};
    unlaid->column = 0;
    rp_layer_forget(self, version);
}

// ---- laying

/// Takes costs as they are: factors come later.
static void keep_costs(void *user, uint32_t x, uint32_t y, const uint8_t *costs, uint32_t count)
{
    const rp_inflated_t *self = user;
    memcpy(self->costs + (uint64_t)y * self->obstacles.width + x, costs, count);
}

static void lay_costs(rp_layer_t *self, uint64_t *budget)
{
    rp_unlaid_t *unlaid = &self->unlaid;
    rp_inflated_t *inflated = self->inflated;
    const rp_box_t piece = {unlaid->costs.x + unlaid->column, unlaid->costs.y,
                            least(COSTS_WIDTH, unlaid->costs.width - unlaid->column),
                            least(COSTS_HEIGHT, unlaid->costs.height)};
    rp_inflation_run(&inflated->inflation, &inflated->room, &inflated->obstacles, piece, keep_costs,
                     inflated);
    unlaid->column += piece.width;
    if (unlaid->column == unlaid->costs.width) {
        unlaid->column = 0;
        unlaid->costs.y += piece.height;
        unlaid->costs.height -= piece.height;
    }
    pay(budget, (uint64_t)piece.width * piece.height * (COSTS_EACH + inflated->inflation.reach) /
                        COSTS_PRICE +
                    1u);
}

/// @param costs  NULL: the ground is not inflated
static void read_factors(const rp_profile_t *profile, const uint8_t *bytes, const uint8_t *costs,
                         uint8_t *factors, uint32_t count)
{
    for (uint32_t i = 0; i < count && costs == NULL; i++) {
        factors[i] = profile->factor[bytes[i]];
    }
    for (uint32_t i = 0; i < count && costs != NULL; i++) {
        factors[i] = rp_inflated_factor(profile, bytes[i], costs[i]);
    }
}

static void lay_factors(rp_layer_t *self, uint64_t *budget)
{
    rp_box_t *box = &self->unlaid.factors;
    const size_t world_width = self->grid->shape.width;
    const uint32_t rows = least(FACTORS_AT_ONCE / box->width, box->height);
    uint8_t factors[FACTORS_AT_ONCE];
    for (uint32_t row = 0; row < rows; row++) {
        const size_t first = (box->y + row) * world_width + box->x;
        const uint8_t *costs = self->inflated != NULL ? self->inflated->costs + first : NULL;
        read_factors(&self->profile, self->bytes + first, costs, factors + (size_t)row * box->width,
                     box->width);
    }
    rp_grid_fill_box(self->grid, box->x, box->y, box->width, rows, factors);
    pay(budget, (uint64_t)box->width * rows / FACTORS_PRICE + 1u);
    box->y += rows;
    box->height -= rows;
}

rp_status_t rp_layer_lay(rp_layer_t *self, uint64_t version, uint64_t *budget)
{
    if (rp_layer_is_whole(self)) {
        return RP_OK;
    }
    while (!rp_layer_is_whole(self)) {
        if (*budget == 0) {
            return RP_MORE;
        }
        if (self->unlaid.costs.height != 0) {
            lay_costs(self, budget);
        } else {
            lay_factors(self, budget);
        }
    }
    rp_layer_forget(self, version);
    return RP_OK;
}
