/// Points of a world's frame as cells.
#include "engine/ground/world_state.h"

#include <math.h>

#include "engine/ground/snap.h"

static double wrapped(double value, double side)
{
    const double rest = fmod(value, side);
    return rest < 0.0 ? rest + side : rest;
}

/// The greatest rounding error of a point, in metres.
static double snap_m(const rp_world_t *self, double x_m, double y_m)
{
    const rp_frame_t *frame = &self->frame;
    return rp_snap_distance_m(
        fmax(fmax(fabs(x_m), fabs(y_m)), fmax(fabs(frame->origin_x_m), fabs(frame->origin_y_m))));
}

double rp_world_snap_at(const rp_world_t *self, double x_m, double y_m)
{
    return snap_m(self, x_m, y_m) / self->frame.resolution_m;
}

/// @param parts  as of rp_snap_metres()
static void place(const rp_world_t *self, double x_m, double y_m, double parts, double *x,
                  double *y)
{
    const double dx = x_m - self->frame.origin_x_m;
    const double dy = y_m - self->frame.origin_y_m;
    const double resolution = self->frame.resolution_m;
    const double snap = snap_m(self, x_m, y_m);
    *x = rp_snap_metres(dx * self->cosine + dy * self->sine, resolution, snap, parts);
    *y = rp_snap_metres(dy * self->cosine - dx * self->sine, resolution, snap, parts);
}

void rp_world_point_at(const rp_world_t *self, double x_m, double y_m, double *x, double *y)
{
    place(self, x_m, y_m, 1.0, x, y);
}

void rp_world_corner_at(const rp_world_t *self, double x_m, double y_m, double *x, double *y)
{
    place(self, x_m, y_m, 2.0, x, y);
}

/// The column or row of a coordinate.
/// @return one that is not less than `side`, or negative, outside
static double index_of(double at, uint32_t side, bool wraps)
{
    const double index = floor(at);
    return wraps ? wrapped(index, side) : at == side ? side - 1.0 : index;
}

bool rp_world_cell_of(const rp_world_t *self, double x, double y, rp_cell_t *cell)
{
    const rp_grid_t *grid = self->layers[0]->grid;
    const double column = index_of(x, grid->shape.width, grid->shape.wraps);
    const double row = index_of(y, grid->shape.height, grid->shape.wraps);
    if (!(column >= 0.0 && row >= 0.0 && column < grid->shape.width && row < grid->shape.height)) {
        return false;
    }
    *cell = rp_grid_cell(grid, (uint32_t)column, (uint32_t)row);
    return true;
}

bool rp_world_cell_at(const rp_world_t *self, double x_m, double y_m, rp_cell_t *cell)
{
    double x;
    double y;
    rp_world_point_at(self, x_m, y_m, &x, &y);
    return rp_world_cell_of(self, x, y, cell);
}

rp_pose_t rp_world_pose_at(const rp_world_t *self, double x_m, double y_m)
{
    const rp_grid_t *grid = self->layers[0]->grid;
    rp_pose_t pose = {.cell = RP_NO_CELL, .snap = rp_world_snap_at(self, x_m, y_m)};
    rp_world_point_at(self, x_m, y_m, &pose.x, &pose.y);
    if (rp_world_cell_at(self, x_m, y_m, &pose.cell) && grid->shape.wraps) {
        pose.x = rp_grid_x(grid, pose.cell) + (pose.x - floor(pose.x));
        pose.y = rp_grid_y(grid, pose.cell) + (pose.y - floor(pose.y));
    }
    return pose;
}
