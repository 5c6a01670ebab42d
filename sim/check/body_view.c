/// Each blocked cell writes the costs of its surroundings over the grid, and where two of these
/// overlap the greater one counts.
#include "sim/check/body_view.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INSCRIBED 253u ///< costmap_2d: a body centred here collides
#define TOO_NEAR  255u ///< in a stamp: blocked by the body's radius, on any scale

// ---- one cell

/// The cost that an obstacle gives to a cell dx, dy away, by the formula of costmap_2d. 0: none.
static uint8_t stamp_of(const rp_body_view_options_t *body, int dx, int dy)
{
    const double distance = hypot(dx, dy);
    if (distance <= body->radius_m + 1e-9) {
        return TOO_NEAR;
    }
    if (distance > ceil(body->inflation_radius_m)) {
        return 0;
    }
    if (distance <= body->inscribed_radius_m + 1e-9) {
        return INSCRIBED;
    }
    const double beyond = distance - body->inscribed_radius_m;
    return (uint8_t)((INSCRIBED - 1u) * exp(-body->cost_scaling * beyond));
}

static uint8_t blocked_byte(rp_scale_t scale)
{
    return scale == RP_SCALE_COSTMAP ? 254 : 0;
}

/// The byte of a cell under the cost of an obstacle: the greater of the two. An unknown cell stays
/// unknown unless the body would collide there.
static uint8_t stamped(uint8_t byte, unsigned stamp, rp_scale_t scale)
{
    if (stamp == TOO_NEAR) {
        return blocked_byte(scale);
    }
    if (byte == RP_UNKNOWN_BYTE) {
        return stamp >= INSCRIBED ? (uint8_t)stamp : byte;
    }
    return stamp > byte ? (uint8_t)stamp : byte;
}

// ---- the grid

/// A blocked cell inside of the grid. Unknown cells and the outside are no obstacles.
static bool is_obstacle(const rp_grid_view_t *grid, int64_t x, int64_t y)
{
    return x >= 0 && y >= 0 && x < grid->width && y < grid->height &&
           rp_grid_view_factor(grid, (uint32_t)(y * grid->width + x)) == 0;
}

/// True for an obstacle at the rim of a group. One with obstacles on all four sides reaches no cell
/// that these do not reach as well, and most are such, so they are skipped.
static bool is_rim(const rp_grid_view_t *grid, int64_t x, int64_t y)
{
    return !is_obstacle(grid, x - 1, y) || !is_obstacle(grid, x + 1, y) ||
           !is_obstacle(grid, x, y - 1) || !is_obstacle(grid, x, y + 1);
}

static void stamp_around(rp_body_view_t *self, const rp_grid_view_t *grid, rp_terrain_box_t box,
                         int64_t x, int64_t y)
{
    const int reach = (int)self->reach;
    for (int dy = -reach; dy <= reach; dy++) {
        for (int dx = -reach; dx <= reach; dx++) {
            const int64_t column = x + dx;
            const int64_t row = y + dy;
            if (column < box.x || row < box.y || column >= (int64_t)box.x + box.width ||
                row >= (int64_t)box.y + box.height) {
                continue;
            }
            uint8_t *byte = &self->bytes[row * grid->width + column];
            *byte = stamped(*byte, self->stamp[dy + reach][dx + reach], grid->scale);
        }
    }
}

rp_grid_view_t rp_body_view_see(rp_body_view_t *self, const rp_grid_view_t *grid,
                                rp_terrain_box_t box)
{
    if (self->reach == 0) {
        return *grid;
    }
    assert(!grid->wraps && rp_grid_view_cell_count(grid) <= self->cell_count);
    const int64_t reach = self->reach;
    for (uint32_t y = box.y; y < box.y + box.height; y++) {
        const size_t first = (size_t)y * grid->width + box.x;
        memcpy(self->bytes + first, grid->bytes + first, box.width);
    }
    for (int64_t y = box.y - reach; y < (int64_t)box.y + box.height + reach; y++) {
        for (int64_t x = box.x - reach; x < (int64_t)box.x + box.width + reach; x++) {
            if (is_obstacle(grid, x, y) && is_rim(grid, x, y)) {
                stamp_around(self, grid, box, x, y);
            }
        }
    }
    rp_grid_view_t seen = *grid;
    seen.bytes = self->bytes;
    return seen;
}

// ---- birth and death

bool rp_body_view_init(rp_body_view_t *self, const rp_body_view_options_t *options,
                       size_t cell_count)
{
    const double farthest = fmax(options->radius_m, options->inflation_radius_m);
    *self = (rp_body_view_t){.options = *options, .cell_count = cell_count};
    if (farthest > RP_BODY_VIEW_REACH_MAX) {
        return false;
    }
    self->reach = (uint32_t)ceil(farthest);
    const int reach = (int)self->reach;
    for (int dy = -reach; dy <= reach; dy++) {
        for (int dx = -reach; dx <= reach; dx++) {
            self->stamp[dy + reach][dx + reach] = stamp_of(options, dx, dy);
        }
    }
    self->bytes = self->reach == 0 ? NULL : malloc(cell_count);
    return self->reach == 0 || self->bytes != NULL;
}

void rp_body_view_fini(rp_body_view_t *self)
{
    free(self->bytes);
    self->bytes = NULL;
}
