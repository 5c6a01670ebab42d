/// The rules of movement, for the simulator and its checker.
#include "sim/check/grid_view.h"

#define ROOT_2 1.4142135623730951

static const int8_t delta_x[RP_PLANE_DIRECTIONS] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int8_t delta_y[RP_PLANE_DIRECTIONS] = {0, 1, 1, 1, 0, -1, -1, -1};

int rp_grid_view_dx(unsigned direction)
{
    return delta_x[direction];
}

int rp_grid_view_dy(unsigned direction)
{
    return delta_y[direction];
}

size_t rp_grid_view_cell_count(const rp_grid_view_t *self)
{
    return (size_t)self->width * self->height;
}

unsigned rp_scale_unit(rp_scale_t scale)
{
    return scale == RP_SCALE_COSTMAP ? 50u : scale == RP_SCALE_PERCENT ? 100u : 1u;
}

unsigned rp_grid_view_factor(const rp_grid_view_t *self, uint32_t cell)
{
    const unsigned byte = self->bytes[cell];
    if (byte == RP_UNKNOWN_BYTE) {
        return rp_scale_unit(self->scale);
    }
    if (self->scale == RP_SCALE_COSTMAP) {
        return byte >= 253u ? 0u : 50u + 4u * byte / 5u;
    }
    return byte;
}

/// @param reach  size of the grid along this axis
/// @return the place after `by` steps, or -1 beyond the edge
static int64_t along(int64_t place, int by, int64_t reach, bool wraps)
{
    const int64_t to = place + by;
    if (wraps) {
        return ((to % reach) + reach) % reach;
    }
    return to >= 0 && to < reach ? to : -1;
}

bool rp_grid_view_is_obstacle(const rp_grid_view_t *self, uint32_t cell)
{
    const bool is_inscribed = self->scale == RP_SCALE_COSTMAP && self->bytes[cell] == 253;
    return rp_grid_view_factor(self, cell) == 0 && !is_inscribed;
}

uint32_t rp_grid_view_offset(const rp_grid_view_t *self, uint32_t cell, int dx, int dy)
{
    const int64_t x = along(cell % self->width, dx, self->width, self->wraps);
    const int64_t y = along(cell / self->width, dy, self->height, self->wraps);
    if (x < 0 || y < 0) {
        return RP_NOWHERE;
    }
    return (uint32_t)(y * self->width + x);
}

static bool is_free(const rp_grid_view_t *self, uint32_t cell)
{
    return cell != RP_NOWHERE && rp_grid_view_factor(self, cell) != 0;
}

uint32_t rp_grid_view_move(const rp_grid_view_t *self, uint32_t cell, unsigned direction)
{
    if (direction >= RP_PLANE_DIRECTIONS || !is_free(self, cell)) {
        return RP_NOWHERE;
    }
    const int dx = rp_grid_view_dx(direction);
    const int dy = rp_grid_view_dy(direction);
    const uint32_t to = rp_grid_view_offset(self, cell, dx, dy);
    if (!is_free(self, to)) {
        return RP_NOWHERE;
    }
    if (dx != 0 && dy != 0 &&
        (self->neighbors != 8 || !is_free(self, rp_grid_view_offset(self, cell, dx, 0)) ||
         !is_free(self, rp_grid_view_offset(self, cell, 0, dy)))) {
        return RP_NOWHERE;
    }
    return to;
}

double rp_grid_view_move_cost(const rp_grid_view_t *self, uint32_t from, uint32_t to,
                              unsigned direction)
{
    const double length = direction % 2 == 0 ? 1.0 : ROOT_2;
    const unsigned both = rp_grid_view_factor(self, from) + rp_grid_view_factor(self, to);
    return length * both / (2.0 * rp_scale_unit(self->scale));
}

static uint32_t apart(uint32_t a, uint32_t b, uint32_t reach, bool wraps)
{
    const uint32_t direct = a > b ? a - b : b - a;
    return wraps && reach - direct < direct ? reach - direct : direct;
}

uint32_t rp_grid_view_manhattan(const rp_grid_view_t *self, uint32_t a, uint32_t b)
{
    return apart(a % self->width, b % self->width, self->width, self->wraps) +
           apart(a / self->width, b / self->width, self->height, self->wraps);
}
