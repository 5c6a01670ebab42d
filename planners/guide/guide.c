#include "planners/guide/guide.h"

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
               ? disc->counts[cell] != 0 || is_at_edge(&self->ground->shape, disc->radius, x, y)
               : self->ground->factor[cell] == 0;
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

/// Obstacles within the disc of each cell of a row, from sums along the rows of the ground.
static void count_row(const rp_grid_t *ground, rp_guide_disc_t *disc, const uint32_t *sums,
                      int32_t y)
{
    const int32_t width = (int32_t)ground->shape.width;
    const int32_t height = (int32_t)ground->shape.height;
    const int32_t radius = disc->radius;
    uint16_t *counts = disc->counts + rp_grid_cell(ground, 0, (uint32_t)y);
    for (int32_t dy = -radius; dy <= radius; dy++) {
        const int32_t row = fold(y + dy, height, ground->shape.wraps);
        const int32_t half = disc->half[dy + radius];
        if (row < 0) {
            continue;
        }
        const uint32_t *sum = sums + (size_t)row * (size_t)(width + 2 * radius + 2);
        for (int32_t x = 0; x < width; x++) {
            counts[x] = (uint16_t)(counts[x] + sum[x + radius + half + 1] - sum[x + radius - half]);
        }
    }
}

/// @return for each row the obstacles before each column from -radius to width + radius + 1; to be
///         freed; NULL without memory
static uint32_t *sum_rows(const rp_grid_t *ground, int32_t radius)
{
    const int32_t width = (int32_t)ground->shape.width;
    const size_t columns = (size_t)(width + 2 * radius + 2);
    uint32_t *sums = malloc(columns * ground->shape.height * sizeof *sums);
    if (sums == NULL) {
        return NULL;
    }
    for (uint32_t y = 0; y < ground->shape.height; y++) {
        uint32_t *row = sums + y * columns;
        row[0] = 0;
        for (int32_t column = 0; column + 1 < (int32_t)columns; column++) {
            const rp_cell_t cell = cell_at(ground, column - radius, (int32_t)y);
            const bool blocks = cell != RP_NO_CELL && ground->factor[cell] == 0;
            row[column + 1] = row[column] + (blocks ? 1u : 0u);
        }
    }
    return sums;
}

static rp_status_t count_all(const rp_grid_t *ground, rp_guide_disc_t *disc)
{
    uint32_t *sums = sum_rows(ground, disc->radius);
    if (sums == NULL) {
        return RP_E_MEMORY;
    }
    for (uint32_t y = 0; y < ground->shape.height; y++) {
        count_row(ground, disc, sums, (int32_t)y);
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
        for (int32_t dx = -half; dx <= half; dx++) {
            const rp_cell_t cell = cell_at(self->ground, x + dx, y + dy);
            if (cell != RP_NO_CELL) {
                disc->counts[cell] = (uint16_t)(disc->counts[cell] + more);
                turned += disc->counts[cell] == (more > 0 ? 1u : 0u);
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
            if (cell != RP_NO_CELL && disc->counts[cell] == (more > 0 ? 1u : 0u)) {
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

rp_status_t rp_guide_apply(rp_guide_t *self, rp_cell_t cell, bool was_blocked)
{
    const int32_t x = (int32_t)rp_grid_x(self->ground, cell);
    const int32_t y = (int32_t)rp_grid_y(self->ground, cell);
    const bool blocks = self->ground->factor[cell] == 0;
    rp_status_t status = RP_OK;
    if (blocks != was_blocked) {
        status = take_obstacle(self, cell, x, y, blocks ? 1 : -1);
    }
    if (status == RP_OK && self->ground->weighted) {
        status = refresh_box(self, x, y, self->spread);
    }
    return status;
}

// ---- birth and death

static rp_status_t init_disc(const rp_grid_t *ground, rp_guide_disc_t *disc, double radius)
{
    if (radius < 1.0) {
        return RP_OK;
    }
    disc->radius = (int32_t)radius;
    disc->half = malloc((size_t)(2 * disc->radius + 1) * sizeof *disc->half);
    disc->counts = rp_memory_new(ground->cell_count, sizeof *disc->counts);
    if (disc->half == NULL || disc->counts == NULL) {
        return RP_E_MEMORY;
    }
    for (int32_t dy = -disc->radius; dy <= disc->radius; dy++) {
        disc->half[dy + disc->radius] = (int16_t)sqrt(radius * radius - (double)dy * dy);
    }
    return count_all(ground, disc);
}

static void fini_disc(const rp_grid_t *ground, rp_guide_disc_t *disc)
{
    rp_memory_free(disc->counts, ground->cell_count, sizeof *disc->counts, NULL);
    free(disc->half);
}

rp_status_t rp_guide_init(rp_guide_t *self, const rp_grid_t *ground, double body, uint32_t spread)
{
    *self = (rp_guide_t){.ground = ground, .spread = (int32_t)spread};
    rp_grid_shape_t shape = ground->shape;
    shape.neighbors = 8;
    rp_status_t status = rp_grid_new_blank(&shape, &self->layer);
    if (status == RP_OK) {
        status = init_disc(ground, &self->inner, body - 1.0);
    }
    if (status == RP_OK) {
        status = init_disc(ground, &self->outer, body);
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
        fini_disc(self->ground, &self->inner);
        fini_disc(self->ground, &self->outer);
    }
    rp_grid_destroy(&self->layer);
    free(self->changed);
    *self = (rp_guide_t){0};
}

uint64_t rp_guide_bytes(const rp_guide_t *self)
{
    const uint64_t of_cell = 2u + (self->inner.counts != NULL ? sizeof(uint16_t) : 0u) +
                             (self->outer.counts != NULL ? sizeof(uint16_t) : 0u);
    const uint64_t cells = self->ground != NULL ? self->ground->cell_count : 0u;
    return cells * of_cell + self->changed_capacity * sizeof *self->changed;
}
