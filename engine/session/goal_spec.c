/// Points and areas as cells. An area is a rectangle along the grid or a disc around a point; it
/// holds a cell when it holds the cell's centre, also on its border.
#include "engine/session/goal_spec.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/paths/length.h"

// ---- places

rp_cell_t rp_goal_spec_cell(const rp_grid_t *grid, int64_t x, int64_t y)
{
    if (grid->shape.wraps) {
        const int64_t width = grid->shape.width;
        const int64_t height = grid->shape.height;
        x = (x % width + width) % width;
        y = (y % height + height) % height;
    }
    return rp_grid_contains(grid, x, y) ? rp_grid_cell(grid, (uint32_t)x, (uint32_t)y) : RP_NO_CELL;
}

// ---- areas

/// All in cells.
typedef struct area {
    double left;
    double bottom;
    double right;
    double top;
    double radius; ///< around the middle of that box; 0: the box itself
    double snap;   ///< so much farther off is still in the radius
    uint32_t offset;
} area_t;

static double middle_x(const area_t *self)
{
    return (self->left + self->right) / 2.0;
}

static double middle_y(const area_t *self)
{
    return (self->bottom + self->top) / 2.0;
}

/// In a torus the image whose middle lies in the world.
static void turn_back(area_t *area, const rp_world_t *world)
{
    const rp_grid_shape_t *shape = &world->layers[0]->grid->shape;
    if (!shape->wraps) {
        return;
    }
    const double east = shape->width * floor(middle_x(area) / shape->width);
    const double north = shape->height * floor(middle_y(area) / shape->height);
    area->left -= east;
    area->right -= east;
    area->bottom -= north;
    area->top -= north;
}

/// Along the grid, however the frame is turned.
static area_t region_of(const rp_destination_t *corners, const rp_world_t *world)
{
    double x[2];
    double y[2];
    for (unsigned i = 0; i < 2; i++) {
        rp_world_corner_at(world, corners[i].x_m, corners[i].y_m, &x[i], &y[i]);
    }
    return (area_t){.left = fmin(x[0], x[1]),
                    .bottom = fmin(y[0], y[1]),
                    .right = fmax(x[0], x[1]),
                    .top = fmax(y[0], y[1])};
}

static area_t disc_of(const rp_destination_t *at, double radius_m, const rp_world_t *world)
{
    const double radius = radius_m / world->frame.resolution_m;
    double x;
    double y;
    rp_world_point_at(world, at->x_m, at->y_m, &x, &y);
    return (area_t){.left = x - radius,
                    .bottom = y - radius,
                    .right = x + radius,
                    .top = y + radius,
                    .radius = radius,
                    .snap =
                        rp_world_snap_at(world, fabs(at->x_m) + radius_m, fabs(at->y_m) + radius_m),
                    .offset = at->offset};
}

static area_t area_of(const rp_goal_spec_t *self, const rp_world_t *world, size_t point)
{
    const rp_destination_t *at = &self->points[point];
    area_t area =
        self->kind == RP_AIM_REGION ? region_of(at, world) : disc_of(at, self->tolerance_m, world);
    turn_back(&area, world);
    return area;
}

/// Distance of the middle of a cell from the area, in cells; 0 inside.
static double distance(const area_t *area, double x, double y)
{
    x += 0.5;
    y += 0.5;
    if (area->radius > 0.0) {
        const double off = rp_length(x - middle_x(area), y - middle_y(area)) - area->radius;
        return off > area->snap ? off : 0.0;
    }
    const double off_x = fmax(fmax(area->left - x, x - area->right), 0.0);
    const double off_y = fmax(fmax(area->bottom - y, y - area->top), 0.0);
    return rp_length(off_x, off_y);
}

static bool holds(const area_t *area, int64_t x, int64_t y)
{
    return distance(area, (double)x, (double)y) <= 0.0;
}

static bool is_rim(const area_t *area, int64_t x, int64_t y)
{
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            if (!holds(area, x + dx, y + dy)) {
                return true;
            }
        }
    }
    return false;
}

/// In a torus the nearest of the area's images counts.
static double least_distance(const area_t *area, const rp_world_t *world, rp_cell_t cell)
{
    const rp_grid_t *grid = world->layers[0]->grid;
    const int turns = grid->shape.wraps ? 1 : 0;
    double least = INFINITY;
    for (int down = -turns; down <= turns; down++) {
        for (int across = -turns; across <= turns; across++) {
            const double x = rp_grid_x(grid, cell) + (double)across * grid->shape.width;
            const double y = rp_grid_y(grid, cell) + (double)down * grid->shape.height;
            least = fmin(least, distance(area, x, y));
        }
    }
    return least;
}

/// Whole coordinates around an area; in a torus they may reach beyond its edges, once round, where
/// each cell is nearest to the middle.
typedef struct extent {
    int64_t left;
    int64_t bottom;
    int64_t right; ///< inclusive
    int64_t top;
} extent_t;

/// Columns or rows whose middles lie between two coordinates.
static void span_side(double low, double high, uint32_t side, bool wraps, int64_t *first,
                      int64_t *last)
{
    // What lies beyond these edges is outside, or a second time round the torus.
    const double least = wraps ? -(double)RP_GRID_SIDE_MAX : 0.0;
    const double most = side - 1.0 + (wraps ? RP_GRID_SIDE_MAX : 0.0);
    *first = (int64_t)ceil(fmin(fmax(low - 0.5, least), most + 1.0));
    *last = (int64_t)floor(fmax(fmin(high - 0.5, most), least - 1.0));
    if (wraps && *last - *first >= side) {
        const double middle = fmin(fmax((low + high) / 2.0, least), most);
        *first = (int64_t)ceil(middle - side / 2.0 - 0.5);
        *last = *first + side - 1;
    }
}

static extent_t extent_of(const area_t *area, const rp_world_t *world)
{
    const rp_grid_shape_t *shape = &world->layers[0]->grid->shape;
    extent_t extent;
    const double snap = area->snap;
    span_side(area->left - snap, area->right + snap, shape->width, shape->wraps, &extent.left,
              &extent.right);
    span_side(area->bottom - snap, area->top + snap, shape->height, shape->wraps, &extent.bottom,
              &extent.top);
    return extent;
}

static rp_status_t add_area(const area_t *area, const rp_world_t *world, bool rim_only,
                            rp_goal_list_t *goals)
{
    const rp_grid_t *grid = world->layers[0]->grid;
    const extent_t extent = extent_of(area, world);
    if (extent.right >= extent.left && extent.top >= extent.bottom &&
        (extent.right - extent.left + 1) * (extent.top - extent.bottom + 1) > RP_AREA_MAX) {
        return RP_E_LIMIT;
    }
    for (int64_t y = extent.bottom; y <= extent.top; y++) {
        for (int64_t x = extent.left; x <= extent.right; x++) {
            const rp_cell_t cell = rp_goal_spec_cell(grid, x, y);
            if (cell == RP_NO_CELL || !holds(area, x, y) || (rim_only && !is_rim(area, x, y))) {
                continue;
            }
            const rp_status_t status = rp_goal_list_add(goals, cell, area->offset);
            if (status != RP_OK) {
                return status;
            }
        }
    }
    return RP_OK;
}

// ---- goal specifications

static bool has_areas(const rp_goal_spec_t *self)
{
    return self->kind == RP_AIM_REGION || self->tolerance_m > 0.0;
}

/// Points from `first` up to `end` that count now.
static void span_of(const rp_goal_spec_t *self, size_t *first, size_t *end)
{
    *first = self->kind == RP_AIM_WAYPOINTS ? self->next : 0;
    *end = self->kind == RP_AIM_WAYPOINTS ? self->next + 1u
           : self->kind == RP_AIM_REGION  ? 1u
                                          : self->count;
}

/// The cell of the point itself, or of the middle of a region: smaller than a cell is no area.
static rp_cell_t middle_of(const area_t *area, const rp_world_t *world)
{
    rp_cell_t cell = RP_NO_CELL;
    (void)rp_world_cell_of(world, middle_x(area), middle_y(area), &cell);
    return cell;
}

static rp_status_t gather(const rp_goal_spec_t *self, const rp_world_t *world, bool rim_only,
                          rp_goal_list_t *goals)
{
    size_t first;
    size_t end;
    rp_status_t status = RP_OK;
    goals->count = 0;
    span_of(self, &first, &end);
    for (size_t i = first; i < end && status == RP_OK; i++) {
        const area_t area = area_of(self, world, i);
        const rp_cell_t middle = middle_of(&area, world);
        const size_t before = goals->count;
        if (has_areas(self)) {
            status = add_area(&area, world, rim_only, goals);
        }
        const bool is_empty = goals->count == before;
        if (status == RP_OK && middle != RP_NO_CELL &&
            (is_empty || (self->kind != RP_AIM_REGION && !rim_only))) {
            status = rp_goal_list_add(goals, middle, area.offset);
        }
    }
    rp_goal_list_tidy(goals);
    return status;
}

uint32_t rp_goal_spec_offset(const rp_goal_spec_t *self, const rp_world_t *world, rp_cell_t cell)
{
    uint32_t least = RP_GOAL_SPEC_OUTSIDE;
    size_t first;
    size_t end;
    span_of(self, &first, &end);
    for (size_t i = first; i < end; i++) {
        const area_t area = area_of(self, world, i);
        if (area.offset < least && least_distance(&area, world, cell) <= 0.0) {
            least = area.offset;
        }
    }
    return least;
}

/// @return NULL: that cell is no goal
static const rp_goal_t *goal_at(const rp_goal_list_t *goals, rp_cell_t cell)
{
    for (size_t i = 0; i < goals->count && cell != RP_NO_CELL; i++) {
        if (goals->goals[i].cell == cell) {
            return &goals->goals[i];
        }
    }
    return NULL;
}

static uint32_t least_offset(const rp_goal_list_t *goals)
{
    uint32_t least = UINT32_MAX;
    for (size_t i = 0; i < goals->count; i++) {
        least = goals->goals[i].offset < least ? goals->goals[i].offset : least;
    }
    return least;
}

rp_status_t rp_goal_spec_goals(const rp_goal_spec_t *self, const rp_world_t *world, rp_cell_t at,
                               rp_goal_list_t *goals)
{
    goals->is_rim = false;
    rp_status_t status = gather(self, world, false, goals);
    if (status != RP_OK || goals->count <= RP_GOALS_MAX) {
        return status;
    }
    // An agent outside enters an area through its rim; an agent inside has arrived, if it costs
    // no less to stop in another one.
    const rp_goal_t *own = goal_at(goals, at);
    const uint32_t offset = own != NULL ? own->offset : RP_GOAL_SPEC_OUTSIDE;
    if (own != NULL && offset == least_offset(goals)) {
        goals->goals[0] = *own;
        goals->count = 1;
        goals->is_rim = true;
        return RP_OK;
    }
    status = gather(self, world, true, goals);
    goals->is_rim = true;
    if (status == RP_OK && offset != RP_GOAL_SPEC_OUTSIDE) {
        status = rp_goal_list_add(goals, at, offset);
        rp_goal_list_tidy(goals);
    }
    return status == RP_OK && goals->count > RP_GOALS_MAX ? RP_E_LIMIT : status;
}

/// Whole coordinates, as far out as squares of them can be added.
static int64_t whole(double at)
{
    const double most = 1 << 30;
    return (int64_t)floor(fmin(fmax(at, -most), most));
}

rp_status_t rp_goal_spec_places(const rp_goal_spec_t *self, const rp_world_t *world,
                                rp_places_t *places)
{
    size_t first;
    size_t end;
    span_of(self, &first, &end);
    *places = (rp_places_t){.list = malloc((end - first + 1u) * sizeof *places->list)};
    if (places->list == NULL) {
        return RP_E_MEMORY;
    }
    for (size_t i = first; i < end; i++) {
        const area_t area = area_of(self, world, i);
        places->list[places->count++] =
            (rp_place_t){whole(middle_x(&area)), whole(middle_y(&area))};
    }
    rp_places_tidy(places);
    return RP_OK;
}

/// True when the middle of the area lies inside the world, or that of a cell inside lies in the
/// area.
static bool is_inside(const area_t *area, const rp_world_t *world)
{
    if (middle_of(area, world) != RP_NO_CELL) {
        return true;
    }
    const extent_t extent = extent_of(area, world);
    for (int64_t y = extent.bottom; y <= extent.top; y++) {
        for (int64_t x = extent.left; x <= extent.right; x++) {
            if (holds(area, x, y)) {
                return true;
            }
        }
    }
    return false;
}

double rp_goal_spec_distance_m(const rp_goal_spec_t *self, const rp_world_t *world, rp_cell_t cell)
{
    double least = INFINITY;
    double least_of_all = INFINITY;
    size_t first;
    size_t end;
    span_of(self, &first, &end);
    for (size_t i = first; i < end; i++) {
        const area_t area = area_of(self, world, i);
        const double off = least_distance(&area, world, cell);
        least_of_all = fmin(least_of_all, off);
        if (off < least && is_inside(&area, world)) {
            least = off;
        }
    }
    return (isfinite(least) ? least : least_of_all) * world->frame.resolution_m;
}

// ---- birth and death

static bool is_legal(const rp_aim_t *aim)
{
    const size_t least = aim->kind == RP_AIM_TARGET ? 0 : aim->kind == RP_AIM_REGION ? 2 : 1;
    const size_t most = aim->kind == RP_AIM_TARGET   ? 0
                        : aim->kind == RP_AIM_REGION ? 2
                                                     : RP_GOALS_MAX;
    const size_t waypoints = aim->kind == RP_AIM_WAYPOINTS ? aim->count : 1u;
    if (aim->count < least || aim->count > most || aim->first >= waypoints ||
        !isfinite(aim->tolerance_m) || aim->tolerance_m < 0.0 ||
        (aim->points == NULL && aim->count != 0)) {
        return false;
    }
    for (size_t i = 0; i < aim->count; i++) {
        if (!isfinite(aim->points[i].x_m) || !isfinite(aim->points[i].y_m)) {
            return false;
        }
    }
    return true;
}

rp_status_t rp_goal_spec_init(rp_goal_spec_t *self, const rp_aim_t *aim)
{
    if (!is_legal(aim)) {
        return RP_E_INVALID;
    }
    const size_t count = aim->kind == RP_AIM_TARGET ? 1u : aim->count;
    *self = (rp_goal_spec_t){.kind = aim->kind,
                             .points = calloc(count, sizeof *self->points),
                             .count = count,
                             .next = aim->first,
                             .tolerance_m = aim->tolerance_m,
                             .is_nearest = aim->is_nearest};
    if (self->points == NULL) {
        return RP_E_MEMORY;
    }
    if (aim->count != 0) {
        memcpy(self->points, aim->points, aim->count * sizeof *self->points);
    }
    return RP_OK;
}

void rp_goal_spec_fini(rp_goal_spec_t *self)
{
    free(self->points);
    *self = (rp_goal_spec_t){0};
}
