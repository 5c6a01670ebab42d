#include "planners/guide/guide.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/budget.h"
#include "base/memory.h"

/// Cells that are looked at in the time of an expansion, and those that are counted in a row.
#define CELLS_EACH   8u
#define COUNTED_EACH 256u

/// Rows of the layer that are written together: their neighbours are written again each time.
#define FILLED_AT_ONCE 8u

// ---- places round a cell

/// A coordinate on the torus, or -1 outside of a world that ends.
static int32_t fold(int32_t at, int32_t side, bool wraps)
{
    if (at >= 0 && at < side) {
        return at;
    }
    return wraps ? (at % side + side) % side : -1;
}

/// The cell at (x, y), which may lie outside. @return RP_NO_CELL outside of a world that ends
static rp_cell_t cell_at(const rp_grid_t *grid, int32_t x, int32_t y)
{
    const int32_t column = fold(x, (int32_t)grid->shape.width, grid->shape.wraps);
    const int32_t row = fold(y, (int32_t)grid->shape.height, grid->shape.wraps);
    return column < 0 || row < 0 ? RP_NO_CELL : rp_grid_cell(grid, (uint32_t)column, (uint32_t)row);
}

// ---- counts

static uint32_t count_at(const rp_guide_disc_t *disc, rp_cell_t cell)
{
    return disc->count_bytes == 1u ? ((const uint8_t *)disc->counts)[cell]
                                   : ((const uint16_t *)disc->counts)[cell];
}

static void write_count(rp_guide_disc_t *disc, rp_cell_t cell, uint32_t count)
{
    if (disc->count_bytes == 1u) {
        ((uint8_t *)disc->counts)[cell] = (uint8_t)count;
    } else {
        ((uint16_t *)disc->counts)[cell] = (uint16_t)count;
    }
}

/// Count for each cell of a row the obstacles within `half` of it in another row.
/// @param sums  obstacles of that before each column
static void add_sums_8(uint8_t *counts, const uint32_t *sums, int32_t half, int32_t width)
{
    for (int32_t x = 0; x < width; x++) {
        counts[x] = (uint8_t)(counts[x] + sums[x + half + 1] - sums[x - half]);
    }
}

static void add_sums_16(uint16_t *counts, const uint32_t *sums, int32_t half, int32_t width)
{
    for (int32_t x = 0; x < width; x++) {
        counts[x] = (uint16_t)(counts[x] + sums[x + half + 1] - sums[x - half]);
    }
}

// ---- the factor of a cell

static uint8_t least_factor(const rp_guide_t *self, int32_t x, int32_t y)
{
    uint8_t least = UINT8_MAX;
    for (int32_t row = y - self->spread; row <= y + self->spread; row++) {
        for (int32_t column = x - self->spread; column <= x + self->spread; column++) {
            const rp_cell_t cell = cell_at(self->ground, column, row);
            const uint8_t factor = cell == RP_NO_CELL ? 0 : self->ground->factor[cell];
            least = factor != 0 && factor < least ? factor : least;
        }
    }
    return least;
}

/// True where a disc round (x, y) reaches outside of a world that ends.
static bool is_at_edge(const rp_grid_shape_t *shape, int32_t radius, int32_t x, int32_t y)
{
    const int32_t right = (int32_t)shape->width - x;
    const int32_t below = (int32_t)shape->height - y;
    const int32_t beside = x + 1 < right ? x + 1 : right;
    const int32_t above = y + 1 < below ? y + 1 : below;
    return !shape->wraps && (beside <= radius || above <= radius);
}

/// True when an obstacle lies within the disc round a cell.
static bool meets(const rp_guide_t *self, const rp_guide_disc_t *disc, rp_cell_t cell, int32_t x,
                  int32_t y)
{
    return disc->counts != NULL
               ? count_at(disc, cell) != 0 || is_at_edge(&self->ground->shape, disc->radius, x, y)
               : rp_obstacles_has(self->obstacles, (uint32_t)x, (uint32_t)y);
}

bool rp_guide_is_closed(const rp_guide_t *self, rp_cell_t cell)
{
    return meets(self, &self->outer, cell, (int32_t)rp_grid_x(self->ground, cell),
                 (int32_t)rp_grid_y(self->ground, cell));
}

/// True when a legal centre may lie in a cell, or in one of its neighbours.
static bool is_near_open(const rp_guide_t *self, int32_t x, int32_t y)
{
    for (int32_t row = y - 1; row <= y + 1; row++) {
        for (int32_t column = x - 1; column <= x + 1; column++) {
            const rp_cell_t cell = cell_at(self->ground, column, row);
            if (cell != RP_NO_CELL && !rp_guide_is_closed(self, cell)) {
                return true;
            }
        }
    }
    return false;
}

static uint8_t factor_of(const rp_guide_t *self, rp_cell_t cell, int32_t x, int32_t y)
{
    if (meets(self, &self->inner, cell, x, y) ||
        (self->outer.counts != NULL && !is_near_open(self, x, y))) {
        return 0;
    }
    return self->ground->weighted ? least_factor(self, x, y) : self->ground->shape.unit;
}

// ---- all cells at once

/// Obstacles of a row before each column from -radius to width + radius + 1.
static void sum_row(rp_guide_t *self, int32_t radius, int32_t y)
{
    const int32_t width = (int32_t)self->ground->shape.width;
    self->sums[0] = 0;
    for (int32_t column = -radius; column <= width + radius; column++) {
        const int32_t x = fold(column, width, self->ground->shape.wraps);
        const bool blocks = x >= 0 && rp_obstacles_has(self->obstacles, (uint32_t)x, (uint32_t)y);
        self->sums[column + radius + 1] = self->sums[column + radius] + (blocks ? 1u : 0u);
    }
}

/// Count the obstacles of a row for the discs that reach into it.
static void count_row(rp_guide_t *self, rp_guide_disc_t *disc, int32_t y)
{
    const rp_grid_shape_t *shape = &self->ground->shape;
    const int32_t width = (int32_t)shape->width;
    const int32_t radius = disc->radius;
    if (disc->counts == NULL) {
        return;
    }
    sum_row(self, radius, y);
    for (int32_t dy = -radius; dy <= radius; dy++) {
        const int32_t row = fold(y + dy, (int32_t)shape->height, shape->wraps);
        const int32_t half = disc->half[dy + radius];
        if (row < 0) {
            continue;
        }
        const uint32_t *sum = self->sums + radius;
        const rp_cell_t first = rp_grid_cell(self->ground, 0, (uint32_t)row);
        if (disc->count_bytes == 1u) {
            add_sums_8((uint8_t *)disc->counts + first, sum, half, width);
        } else {
            add_sums_16((uint16_t *)disc->counts + first, sum, half, width);
        }
    }
}

static rp_status_t fill_rows(rp_guide_t *self, uint32_t count)
{
    const uint32_t width = self->ground->shape.width;
    uint8_t *factors = malloc((size_t)width * count);
    if (factors == NULL) {
        return RP_E_MEMORY;
    }
    for (uint32_t y = 0; y < count; y++) {
        for (uint32_t x = 0; x < width; x++) {
            factors[(size_t)y * width + x] =
                factor_of(self, rp_grid_cell(self->ground, x, self->filled + y), (int32_t)x,
                          (int32_t)(self->filled + y));
        }
    }
    rp_grid_fill_box(self->layer, 0, self->filled, width, count, factors);
    free(factors);
    return RP_OK;
}

/// One row more that is counted, or some that are written. @return RP_E_MEMORY
static rp_status_t build_next(rp_guide_t *self, uint64_t *budget)
{
    const rp_grid_shape_t *shape = &self->ground->shape;
    if (self->counted < shape->height) {
        const int32_t rows = 2 * (self->inner.radius + self->outer.radius + 1);
        count_row(self, &self->inner, (int32_t)self->counted);
        count_row(self, &self->outer, (int32_t)self->counted);
        self->counted++;
        rp_budget_pay(budget, 1u + (uint64_t)shape->width * (uint64_t)rows / COUNTED_EACH);
        return RP_OK;
    }
    const uint32_t left = shape->height - self->filled;
    const uint32_t count = left < FILLED_AT_ONCE ? left : FILLED_AT_ONCE;
    const uint64_t side = self->ground->weighted ? 2u * (uint64_t)self->spread + 1u : 1u;
    const rp_status_t status = fill_rows(self, count);
    self->filled += status == RP_OK ? count : 0;
    rp_budget_pay(budget, 1u + (uint64_t)shape->width * count * side * side / CELLS_EACH);
    return status;
}

rp_status_t rp_guide_build(rp_guide_t *self, uint64_t *budget)
{
    const uint32_t height = self->ground->shape.height;
    rp_status_t status = RP_OK;
    while (self->filled < height && status == RP_OK) {
        status = *budget == 0 ? RP_MORE : build_next(self, budget);
    }
    if (status == RP_OK) {
        free(self->sums);
        self->sums = NULL;
    }
    return status;
}

// ---- one cell

/// Write a cell of the layer again, and note it if that changes it.
static rp_status_t refresh(rp_guide_t *self, rp_cell_t cell)
{
    const int32_t x = (int32_t)rp_grid_x(self->ground, cell);
    const int32_t y = (int32_t)rp_grid_y(self->ground, cell);
    const uint8_t factor = factor_of(self, cell, x, y);
    self->looked_at += self->ground->weighted ? (uint64_t)(self->spread * self->spread) : 1u;
    if (factor == self->layer->factor[cell]) {
        return RP_OK;
    }
    if (!rp_array_reserve(&self->changed, &self->changed_capacity, self->changed_count + 1u,
                          sizeof *self->changed)) {
        return RP_E_MEMORY;
    }
    (void)rp_grid_set(self->layer, cell, factor);
    self->changed[self->changed_count++] = cell;
    return RP_OK;
}

static rp_status_t refresh_box(rp_guide_t *self, int32_t x, int32_t y, int32_t reach)
{
    rp_status_t status = RP_OK;
    for (int32_t row = y - reach; row <= y + reach && status == RP_OK; row++) {
        for (int32_t column = x - reach; column <= x + reach && status == RP_OK; column++) {
            const rp_cell_t cell = cell_at(self->ground, column, row);
            status = cell == RP_NO_CELL ? RP_OK : refresh(self, cell);
        }
    }
    return status;
}

/// An obstacle came (+1) or went (-1): count it for the cells of the disc round it.
/// @return cells for which that decides
static int32_t count_obstacle(rp_guide_t *self, rp_guide_disc_t *disc, int32_t x, int32_t y,
                              int32_t more)
{
    int32_t turned = 0;
    for (int32_t dy = -disc->radius; dy <= disc->radius && disc->counts != NULL; dy++) {
        const int32_t half = disc->half[dy + disc->radius];
        self->looked_at += (uint64_t)half;
        for (int32_t dx = -half; dx <= half; dx++) {
            const rp_cell_t cell = cell_at(self->ground, x + dx, y + dy);
            if (cell != RP_NO_CELL) {
                const uint32_t count = count_at(disc, cell) + (uint32_t)more;
                write_count(disc, cell, count);
                turned += count == (more > 0 ? 1u : 0u);
            }
        }
    }
    return turned;
}

/// Write those cells again, each with so many round it, or where they are many the whole box.
static rp_status_t refresh_turned(rp_guide_t *self, const rp_guide_disc_t *disc, int32_t x,
                                  int32_t y, int32_t more, int32_t turned, int32_t reach)
{
    const int32_t side = 2 * (disc->radius + reach) + 1;
    rp_status_t status = RP_OK;
    if (turned * (2 * reach + 1) * (2 * reach + 1) > side * side) {
        return refresh_box(self, x, y, disc->radius + reach);
    }
    for (int32_t dy = -disc->radius; dy <= disc->radius && turned != 0; dy++) {
        const int32_t half = disc->half[dy + disc->radius];
        for (int32_t dx = -half; dx <= half && status == RP_OK; dx++) {
            const rp_cell_t cell = cell_at(self->ground, x + dx, y + dy);
            if (cell != RP_NO_CELL && count_at(disc, cell) == (more > 0 ? 1u : 0u)) {
                status = refresh_box(self, x + dx, y + dy, reach);
            }
        }
    }
    return status;
}

static rp_status_t take_obstacle(rp_guide_t *self, rp_cell_t cell, int32_t x, int32_t y,
                                 int32_t more)
{
    const int32_t inner = count_obstacle(self, &self->inner, x, y, more);
    const int32_t outer = count_obstacle(self, &self->outer, x, y, more);
    rp_status_t status = refresh_turned(self, &self->inner, x, y, more, inner, 0);
    if (status == RP_OK) {
        status = refresh_turned(self, &self->outer, x, y, more, outer, 1);
    }
    return status == RP_OK ? refresh(self, cell) : status;
}

rp_status_t rp_guide_apply(rp_guide_t *self, rp_cell_t cell, bool was_blocked, uint64_t *budget)
{
    const int32_t x = (int32_t)rp_grid_x(self->ground, cell);
    const int32_t y = (int32_t)rp_grid_y(self->ground, cell);
    const bool blocks = rp_obstacles_has(self->obstacles, (uint32_t)x, (uint32_t)y);
    rp_status_t status = RP_OK;
    self->looked_at = 0;
    if (blocks != was_blocked) {
        status = take_obstacle(self, cell, x, y, blocks ? 1 : -1);
    }
    if (status == RP_OK && self->ground->weighted) {
        status = refresh_box(self, x, y, self->spread);
    }
    rp_budget_pay(budget, 1u + self->looked_at / CELLS_EACH);
    return status;
}

// ---- birth and death

static rp_status_t init_disc(const rp_grid_t *ground, rp_guide_disc_t *disc, double radius)
{
    if (radius < 1.0) {
        return RP_OK;
    }
    uint32_t cells = 0;
    disc->radius = (int32_t)radius;
    disc->half = malloc((size_t)(2 * disc->radius + 1) * sizeof *disc->half);
    if (disc->half == NULL) {
        return RP_E_MEMORY;
    }
    for (int32_t dy = -disc->radius; dy <= disc->radius; dy++) {
        const int16_t half = (int16_t)sqrt(radius * radius - (double)dy * dy);
        disc->half[dy + disc->radius] = half;
        cells += 2u * (uint32_t)half + 1u;
    }
    disc->count_bytes = cells <= UINT8_MAX ? 1u : 2u;
    disc->counts = rp_memory_new(ground->cell_count, disc->count_bytes);
    return disc->counts != NULL ? RP_OK : RP_E_MEMORY;
}

static void fini_disc(const rp_grid_t *ground, rp_guide_disc_t *disc)
{
    rp_memory_free(disc->counts, ground->cell_count, disc->count_bytes, NULL);
    free(disc->half);
}

rp_status_t rp_guide_init(rp_guide_t *self, const rp_grid_t *ground,
                          const rp_obstacles_t *obstacles, double body, uint32_t spread)
{
    *self = (rp_guide_t){.ground = ground, .obstacles = obstacles, .spread = (int32_t)spread};
    rp_grid_shape_t shape = ground->shape;
    shape.neighbors = 8;
    rp_status_t status = rp_grid_new_blank(&shape, &self->layer);
    if (status == RP_OK) {
        status = init_disc(ground, &self->inner, body - 1.0);
    }
    if (status == RP_OK) {
        status = init_disc(ground, &self->outer, body);
    }
    const size_t columns = (size_t)ground->shape.width + 2u * (size_t)self->outer.radius + 2u;
    self->sums = malloc(columns * sizeof *self->sums);
    if (status != RP_OK || self->sums == NULL) {
        rp_guide_fini(self);
        return RP_E_MEMORY;
    }
    return RP_OK;
}

rp_status_t rp_guide_make(rp_guide_t *self, const rp_grid_t *ground,
                          const rp_obstacles_t *obstacles, double body, uint32_t spread)
{
    uint64_t budget = UINT64_MAX;
    const rp_status_t status = rp_guide_init(self, ground, obstacles, body, spread);
    return status == RP_OK ? rp_guide_build(self, &budget) : status;
}

void rp_guide_fini(rp_guide_t *self)
{
    if (self->ground != NULL) {
        fini_disc(self->ground, &self->inner);
        fini_disc(self->ground, &self->outer);
    }
    rp_grid_destroy(&self->layer);
    free(self->changed);
    free(self->sums);
    *self = (rp_guide_t){0};
}

uint64_t rp_guide_bytes(const rp_guide_t *self)
{
    const uint64_t of_cell = 2u + self->inner.count_bytes + self->outer.count_bytes;
    const uint64_t cells = self->ground != NULL ? self->ground->cell_count : 0u;
    return cells * of_cell + self->changed_capacity * sizeof *self->changed;
}
