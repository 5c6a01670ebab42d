/// Metres become cells, and cells their middles.
#include <math.h>

#include "tests/engine/paths/escape_reference.h"

#define SNAPS 8.0 ///< units in the last place

static double snap_m(const rp_escape_world_t *self, double x_m, double y_m)
{
    const double greatest = fmax(fmax(fabs(x_m), fabs(y_m)),
                                 fmax(fabs(self->frame.origin_x_m), fabs(self->frame.origin_y_m)));
    return SNAPS * (nextafter(greatest, INFINITY) - greatest);
}

double rp_escape_snap(const rp_escape_world_t *self, double x_m, double y_m)
{
    return snap_m(self, x_m, y_m) / self->frame.resolution_m;
}

/// Metres along an axis of the grid as cells.
static double in_cells(double along_m, double resolution_m, double snap)
{
    const double border = round(along_m / resolution_m);
    return fabs(along_m - border * resolution_m) <= snap ? border : along_m / resolution_m;
}

/// Bring a coordinate inside: over the seam where the world wraps, else only from the closing
/// border. @return its column or row; RP_ESCAPE_NO_CELL outside
static uint32_t come_inside(double *at, uint32_t side, bool wraps)
{
    if (wraps) {
        *at -= floor(*at / side) * side;
        *at = *at < side ? *at : 0.0;
        return (uint32_t)*at;
    }
    if (*at < 0.0 || *at > side) {
        return RP_ESCAPE_NO_CELL;
    }
    return *at == side ? side - 1u : (uint32_t)*at;
}

uint32_t rp_escape_cell(const rp_escape_world_t *self, double x_m, double y_m, double *at)
{
    const double off_x = x_m - self->frame.origin_x_m;
    const double off_y = y_m - self->frame.origin_y_m;
    const double along = cos(self->frame.origin_yaw);
    const double across = sin(self->frame.origin_yaw);
    const double snap = snap_m(self, x_m, y_m);
    at[0] = in_cells(off_x * along + off_y * across, self->frame.resolution_m, snap);
    at[1] = in_cells(off_y * along - off_x * across, self->frame.resolution_m, snap);
    const uint32_t x = come_inside(&at[0], self->width, self->wraps);
    const uint32_t y = come_inside(&at[1], self->height, self->wraps);
    return x == RP_ESCAPE_NO_CELL || y == RP_ESCAPE_NO_CELL ? RP_ESCAPE_NO_CELL
                                                            : y * self->width + x;
}

void rp_escape_middle(uint32_t width, uint32_t cell, double *at)
{
    const uint32_t row = cell / width;
    at[0] = cell % width + 0.5;
    at[1] = row + 0.5;
}
