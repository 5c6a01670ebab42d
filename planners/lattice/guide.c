#include "planners/lattice/guide.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"

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

/// True where the disc round (x, y) reaches outside of a world that ends.
static bool is_at_edge(const rp_guide_t *self, int32_t x, int32_t y)
{
    const rp_grid_shape_t *shape = &self->ground->shape;
    const int32_t right = (int32_t)shape->width - x;
    const int32_t below = (int32_t)shape->height - y;
    const int32_t beside = x + 1 < right ? x + 1 : right;
    const int32_t above = y + 1 < below ? y + 1 : below;
    return !shape->wraps && (beside <= self->radius || above <= self->radius);
}

static uint8_t factor_of(const rp_guide_t *self, rp_cell_t cell, int32_t x, int32_t y)
{
    const bool blocks = self->near != NULL ? self->near[cell] != 0 || is_at_edge(self, x, y)
                                           : self->ground->factor[cell] == 0;
    if (blocks) {
        return 0;
    }
    return self->ground->weighted ? least_factor(self, x, y) : self->ground->shape.unit;
}

// ---- all cells at once

/// Obstacles within the disc of each cell of a row, from sums along the rows of the ground.
static void count_row(rp_guide_t *self, const uint32_t *sums, int32_t y)
{
    const rp_grid_t *ground = self->ground;
    const int32_t width = (int32_t)ground->shape.width;
    const int32_t height = (int32_t)ground->shape.height;
    uint16_t *near = self->near + rp_grid_cell(ground, 0, (uint32_t)y);
    for (int32_t dy = -self->radius; dy <= self->radius; dy++) {
        const int32_t row = fold(y + dy, height, ground->shape.wraps);
        const int32_t half = self->half[dy + self->radius];
        if (row < 0) {
            continue;
        }
        // A row of sums has 3 worlds side by side on a torus, else one with a margin.
        const uint32_t *sum = sums + (size_t)row * (size_t)(width + 2 * self->radius + 2);
        for (int32_t x = 0; x < width; x++) {
            near[x] = (uint16_t)(near[x] + sum[x + self->radius + half + 1] -
                                 sum[x + self->radius - half]);
        }
    }
}

/// @return for each row the obstacles before each column from -radius to width + radius + 1; to be
///         freed; NULL without memory
static uint32_t *sum_rows(const rp_guide_t *self)
{
    const rp_grid_t *ground = self->ground;
    const int32_t width = (int32_t)ground->shape.width;
    const size_t columns = (size_t)(width + 2 * self->radius + 2);
    uint32_t *sums = malloc(columns * ground->shape.height * sizeof *sums);
    if (sums == NULL) {
        return NULL;
    }
    for (uint32_t y = 0; y < ground->shape.height; y++) {
        uint32_t *row = sums + y * columns;
        row[0] = 0;
        for (int32_t column = 0; column + 1 < (int32_t)columns; column++) {
            const rp_cell_t cell = cell_at(ground, column - self->radius, (int32_t)y);
            const bool blocks = cell != RP_NO_CELL && ground->factor[cell] == 0;
            row[column + 1] = row[column] + (blocks ? 1u : 0u);
        }
    }
    return sums;
}

static rp_status_t count_all(rp_guide_t *self)
{
    uint32_t *sums = sum_rows(self);
    if (sums == NULL) {
        return RP_E_MEMORY;
    }
    for (uint32_t y = 0; y < self->ground->shape.height; y++) {
        count_row(self, sums, (int32_t)y);
    }
    free(sums);
    return RP_OK;
}

static rp_status_t fill_layer(rp_guide_t *self)
{
    const rp_grid_t *ground = self->ground;
    const rp_grid_shape_t *shape = &ground->shape;
    uint8_t *factors = malloc((size_t)shape->width * shape->height);
    if (factors == NULL) {
        return RP_E_MEMORY;
    }
    for (uint32_t y = 0; y < shape->height; y++) {
        for (uint32_t x = 0; x < shape->width; x++) {
            factors[(size_t)y * shape->width + x] =
                factor_of(self, rp_grid_cell(ground, x, y), (int32_t)x, (int32_t)y);
        }
    }
    rp_grid_fill(self->layer, factors);
    free(factors);
    return RP_OK;
}

// ---- one cell

/// Write a cell of the layer again, and note it if that changes it.
static rp_status_t refresh(rp_guide_t *self, rp_cell_t cell)
{
    const int32_t x = (int32_t)rp_grid_x(self->ground, cell);
    const int32_t y = (int32_t)rp_grid_y(self->ground, cell);
    const uint8_t factor = factor_of(self, cell, x, y);
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

/// An obstacle came (+1) or went (-1): the cells of the disc round it.
static rp_status_t count_obstacle(rp_guide_t *self, int32_t x, int32_t y, int32_t more)
{
    rp_status_t status = RP_OK;
    for (int32_t dy = -self->radius; dy <= self->radius && status == RP_OK; dy++) {
        const int32_t half = self->half[dy + self->radius];
        for (int32_t dx = -half; dx <= half && status == RP_OK; dx++) {
            const rp_cell_t cell = cell_at(self->ground, x + dx, y + dy);
            if (cell == RP_NO_CELL) {
                continue;
            }
            self->near[cell] = (uint16_t)(self->near[cell] + more);
            status = refresh(self, cell);
        }
    }
    return status;
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

rp_status_t rp_guide_apply(rp_guide_t *self, rp_cell_t cell, bool was_blocked)
{
    const int32_t x = (int32_t)rp_grid_x(self->ground, cell);
    const int32_t y = (int32_t)rp_grid_y(self->ground, cell);
    const bool blocks = self->ground->factor[cell] == 0;
    rp_status_t status = RP_OK;
    if (blocks != was_blocked && self->near != NULL) {
        status = count_obstacle(self, x, y, blocks ? 1 : -1);
    } else if (blocks != was_blocked) {
        status = refresh(self, cell);
    }
    if (status == RP_OK && self->ground->weighted) {
        status = refresh_box(self, x, y, self->spread);
    }
    return status;
}

// ---- birth and death

static bool init_disc(rp_guide_t *self, double radius)
{
    self->radius = (int32_t)radius;
    self->half = malloc((size_t)(2 * self->radius + 1) * sizeof *self->half);
    self->near = rp_memory_new(self->ground->cell_count, sizeof *self->near);
    if (self->half == NULL || self->near == NULL) {
        return false;
    }
    for (int32_t dy = -self->radius; dy <= self->radius; dy++) {
        self->half[dy + self->radius] = (int16_t)sqrt(radius * radius - (double)dy * dy);
    }
    return true;
}

rp_status_t rp_guide_init(rp_guide_t *self, const rp_grid_t *ground, double body, uint32_t spread)
{
    *self = (rp_guide_t){.ground = ground, .spread = (int32_t)spread};
    rp_grid_shape_t shape = ground->shape;
    shape.neighbors = 8;
    rp_status_t status = rp_grid_new_blank(&shape, &self->layer);
    if (status == RP_OK && body >= 2.0) {
        status = init_disc(self, body - 1.0) ? count_all(self) : RP_E_MEMORY;
    }
    if (status == RP_OK) {
        status = fill_layer(self);
    }
    if (status != RP_OK) {
        rp_guide_fini(self);
    }
    return status;
}

void rp_guide_fini(rp_guide_t *self)
{
    if (self->ground != NULL) {
        rp_memory_free(self->near, self->ground->cell_count, sizeof *self->near, NULL);
    }
    rp_grid_destroy(&self->layer);
    free(self->half);
    free(self->changed);
    *self = (rp_guide_t){0};
}
