/// All coordinates are in cells. Where the world wraps, the line lies in each of the nine copies
/// around the pose, and of each copy only what the short way round leads to counts.
#include "tests/engine/paths/following_reference.h"

#include <math.h>
#include <stdlib.h>

#define CUTS_MAX (4u * RP_ESCAPE_CELLS_MAX + 64u)
#define TINY     1e-9 ///< of a piece of the line, as a part of one step: it has no middle to look at

typedef struct spot {
    double x;
    double y;
} spot_t;

/// One step of the line, as seen from a pose.
typedef struct view {
    const rp_escape_world_t *world;
    spot_t pose;
    uint32_t own;          ///< the pose's cell
    spot_t from;           ///< middle of a cell
    spot_t to;             ///< middle of the next
    double begins;         ///< part of the step from which it counts
    double cuts[CUTS_MAX]; ///< parts of the step at which the view may change, 0 to 1
    size_t cut_count;
} view_t;

/// The cell that holds (x, y), over the seams; RP_ESCAPE_NO_CELL outside.
static uint32_t cell_at(const rp_escape_world_t *world, int64_t x, int64_t y)
{
    if (world->wraps) {
        x = (x % world->width + world->width) % world->width;
        y = (y % world->height + world->height) % world->height;
    }
    return x < 0 || y < 0 || x >= world->width || y >= world->height
               ? RP_ESCAPE_NO_CELL
               : (uint32_t)(y * world->width + x);
}

static bool is_obstacle_at(const rp_escape_world_t *world, int64_t x, int64_t y)
{
    const uint32_t cell = cell_at(world, x, y);
    return cell != RP_ESCAPE_NO_CELL && world->is_obstacle[cell];
}

static spot_t spot_on(const view_t *view, double part)
{
    return (spot_t){view->from.x + part * (view->to.x - view->from.x),
                    view->from.y + part * (view->to.y - view->from.y)};
}

// ---- a segment and a square

/// Narrow the part of the segment to what lies between two lines of one axis.
/// @return false when nothing of it has a length
static bool clip(double from, double along, double low, double high, double *enters, double *leaves)
{
    if (along == 0.0) {
        return from > low && from < high;
    }
    const double first = (low - from) / along;
    const double second = (high - from) / along;
    *enters = fmax(*enters, fmin(first, second));
    *leaves = fmin(*leaves, fmax(first, second));
    return *enters < *leaves;
}

/// Whether the segment meets the open square of a cell.
static bool meets(spot_t from, spot_t to, int64_t x, int64_t y)
{
    double enters = 0.0;
    double leaves = 1.0;
    return clip(from.x, to.x - from.x, (double)x, (double)x + 1.0, &enters, &leaves) &&
           clip(from.y, to.y - from.y, (double)y, (double)y + 1.0, &enters, &leaves);
}

/// Whether (x, y) lies on the segment, its ends included.
static bool passes(spot_t from, spot_t to, int64_t x, int64_t y)
{
    const double off_x = (double)x - from.x;
    const double off_y = (double)y - from.y;
    const double along_x = to.x - from.x;
    const double along_y = to.y - from.y;
    const double along = off_x * along_x + off_y * along_y;
    return off_x * along_y == off_y * along_x && along >= 0.0 &&
           along <= along_x * along_x + along_y * along_y;
}

/// Whether one of the four cells at a corner is an obstacle that the segment does not meet; what it
/// meets is looked at by itself.
static bool is_beside_an_obstacle(const rp_escape_world_t *world, int64_t x, int64_t y)
{
    return is_obstacle_at(world, x, y) || is_obstacle_at(world, x - 1, y) ||
           is_obstacle_at(world, x, y - 1) || is_obstacle_at(world, x - 1, y - 1);
}

/// Whether the segment leaves the corner on which the pose lies into the pose's own cell.
static bool stays_at_home(const view_t *view, spot_t to, int64_t x, int64_t y)
{
    const bool is_there = view->pose.x == (double)x && view->pose.y == (double)y;
    for (int64_t by_y = -1; is_there && by_y <= 0; by_y++) {
        for (int64_t by_x = -1; by_x <= 0; by_x++) {
            if (cell_at(view->world, x + by_x, y + by_y) == view->own &&
                meets(view->pose, to, x + by_x, y + by_y)) {
                return true;
            }
        }
    }
    return false;
}

/// Whether nothing lies between the pose and a spot of the line.
static bool is_open(const view_t *view, spot_t to)
{
    const int64_t left = (int64_t)floor(fmin(view->pose.x, to.x)) - 1;
    const int64_t right = (int64_t)floor(fmax(view->pose.x, to.x)) + 1;
    const int64_t top = (int64_t)floor(fmin(view->pose.y, to.y)) - 1;
    const int64_t bottom = (int64_t)floor(fmax(view->pose.y, to.y)) + 1;
    for (int64_t y = top; y <= bottom; y++) {
        for (int64_t x = left; x <= right; x++) {
            if (is_obstacle_at(view->world, x, y) && meets(view->pose, to, x, y)) {
                return false;
            }
            if (passes(view->pose, to, x, y) && is_beside_an_obstacle(view->world, x, y) &&
                !stays_at_home(view, to, x, y)) {
                return false;
            }
        }
    }
    return true;
}

// ---- where the view of a step may change

static void cut(view_t *view, double part)
{
    if (part > 0.0 && part < 1.0) { // false for what is not a number, too
        view->cuts[view->cut_count++] = part;
    }
}

/// Where the ray from the pose through a corner meets the step.
static void cut_behind(view_t *view, int64_t x, int64_t y)
{
    const double ray_x = (double)x - view->pose.x;
    const double ray_y = (double)y - view->pose.y;
    const double across = ray_x * (view->to.y - view->from.y) - ray_y * (view->to.x - view->from.x);
    cut(view,
        (ray_y * (view->from.x - view->pose.x) - ray_x * (view->from.y - view->pose.y)) / across);
}

/// Where the step meets the lines on which the other way round becomes the short one.
static void cut_at_the_far_side(view_t *view)
{
    const double half_x = view->world->width / 2.0;
    const double half_y = view->world->height / 2.0;
    for (int side = -1; side <= 1; side += 2) {
        cut(view, (view->pose.x + side * half_x - view->from.x) / (view->to.x - view->from.x));
        cut(view, (view->pose.y + side * half_y - view->from.y) / (view->to.y - view->from.y));
    }
}

/// Where the spot nearest to the pose is.
static double foot(const view_t *view)
{
    const double along_x = view->to.x - view->from.x;
    const double along_y = view->to.y - view->from.y;
    return ((view->pose.x - view->from.x) * along_x + (view->pose.y - view->from.y) * along_y) /
           (along_x * along_x + along_y * along_y);
}

static int by_part(const void *a, const void *b)
{
    const double first = *(const double *)a;
    const double second = *(const double *)b;
    return (first > second) - (first < second);
}

static void find_cuts(view_t *view)
{
    const int64_t left = (int64_t)floor(fmin(view->pose.x, fmin(view->from.x, view->to.x)));
    const int64_t right = (int64_t)ceil(fmax(view->pose.x, fmax(view->from.x, view->to.x)));
    const int64_t top = (int64_t)floor(fmin(view->pose.y, fmin(view->from.y, view->to.y)));
    const int64_t bottom = (int64_t)ceil(fmax(view->pose.y, fmax(view->from.y, view->to.y)));
    view->cut_count = 0;
    view->cuts[view->cut_count++] = 0.0;
    view->cuts[view->cut_count++] = 1.0;
    cut(view, 0.5); // where it leaves the one cell for the other
    cut(view, foot(view));
    cut_at_the_far_side(view);
    for (int64_t y = top; y <= bottom; y++) {
        for (int64_t x = left; x <= right; x++) {
            if (is_beside_an_obstacle(view->world, x, y)) {
                cut_behind(view, x, y);
            }
        }
    }
    qsort(view->cuts, view->cut_count, sizeof view->cuts[0], by_part);
}

// ---- the nearest spot

static double distance(spot_t a, spot_t b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

/// Whether the short way round leads there; where both ways are as long, either does.
static bool is_the_short_way(const view_t *view, spot_t to)
{
    return !view->world->wraps || (fabs(to.x - view->pose.x) <= view->world->width / 2.0 &&
                                   fabs(to.y - view->pose.y) <= view->world->height / 2.0);
}

/// Distance of the nearest spot of one step, in cells. Between two cuts all spots are open or none,
/// and the nearest is one of the two.
static double nearest_on_step(view_t *view)
{
    double nearest = INFINITY;
    find_cuts(view);
    for (size_t i = 0; i + 1u < view->cut_count; i++) {
        const double first = view->cuts[i];
        const double last = view->cuts[i + 1u];
        const spot_t middle = spot_on(view, (first + last) / 2.0);
        if (first >= view->begins && last - first > TINY && is_the_short_way(view, middle) &&
            is_open(view, middle)) {
            nearest = fmin(nearest, fmin(distance(view->pose, spot_on(view, first)),
                                         distance(view->pose, spot_on(view, last))));
        }
    }
    return nearest;
}

static double nearest_on_spot(const view_t *view)
{
    return is_the_short_way(view, view->from) && is_open(view, view->from)
               ? distance(view->pose, view->from)
               : INFINITY;
}

/// From one column or row to that of a neighbour, over the seam.
static double stride(uint32_t from, uint32_t to, uint32_t side)
{
    const double plain = (double)to - (double)from;
    return plain > 1.0 ? plain - side : plain < -1.0 ? plain + side : plain;
}

/// Whether all of a step that begins in this middle is farther away than the short way round.
static bool is_far(const view_t *view, spot_t middle)
{
    return view->world->wraps && (fabs(middle.x - view->pose.x) > view->world->width / 2.0 + 1.0 ||
                                  fabs(middle.y - view->pose.y) > view->world->height / 2.0 + 1.0);
}

/// One step of the line, in the copy of the world so many sides away.
static double nearest_in_copy(view_t *view, uint32_t from, const uint32_t *to, int by_x, int by_y)
{
    const uint32_t width = view->world->width;
    const uint32_t height = view->world->height;
    double middle[2];
    rp_escape_middle(width, from, middle);
    view->from = (spot_t){middle[0] + (double)by_x * width, middle[1] + (double)by_y * height};
    if (is_far(view, view->from)) {
        return INFINITY;
    }
    if (to == NULL) {
        return nearest_on_spot(view);
    }
    view->to = (spot_t){view->from.x + stride(from % width, *to % width, width),
                        view->from.y + stride(from / width, *to / width, height)};
    return nearest_on_step(view);
}

static double nearest_on_line(view_t *view, const uint32_t *cells, size_t count)
{
    const int copies = view->world->wraps ? 1 : 0;
    double nearest = INFINITY;
    for (size_t i = 0; i < count; i++) {
        const uint32_t *to = i + 1u < count ? &cells[i + 1u] : NULL;
        for (int by_y = -copies; by_y <= copies; by_y++) {
            for (int by_x = -copies; by_x <= copies; by_x++) {
                nearest = fmin(nearest, nearest_in_copy(view, cells[i], to, by_x, by_y));
            }
        }
    }
    return nearest;
}

// ---- standing in what is left

static unsigned direction_of(const rp_escape_world_t *world, uint32_t from, uint32_t to)
{
    unsigned direction = 0;
    while (direction < RP_DIRECTIONS && rp_escape_step(world, from, direction) != to) {
        direction++;
    }
    return direction;
}

/// Whether the pose stands in one of the cells, and may.
static bool stands_in(const rp_escape_world_t *self, double x_m, double y_m, uint32_t own,
                      const uint32_t *cells, size_t count)
{
    size_t i = 0;
    while (i < count && cells[i] != own) {
        i++;
    }
    if (i == count || !self->is_obstacle[own]) {
        return i < count;
    }
    return i + 1u < count &&
           (rp_escape_runs(self, x_m, y_m) >> direction_of(self, own, cells[i + 1u]) & 1u) != 0;
}

// ---- the question

/// @return false outside
static bool look_from(view_t *view, const rp_escape_world_t *world, double x_m, double y_m)
{
    double at[2];
    view->world = world;
    view->own = rp_escape_cell(world, x_m, y_m, at);
    view->pose = (spot_t){at[0], at[1]};
    view->begins = 0.0;
    return view->own != RP_ESCAPE_NO_CELL;
}

double rp_following_distance_m(const rp_escape_world_t *self, double x_m, double y_m,
                               const uint32_t *cells, size_t count)
{
    static view_t view;
    if (!look_from(&view, self, x_m, y_m)) {
        return INFINITY;
    }
    if (stands_in(self, x_m, y_m, view.own, cells, count)) {
        return 0.0;
    }
    return nearest_on_line(&view, cells, count) * self->frame.resolution_m;
}

double rp_following_half_m(const rp_escape_world_t *self, double x_m, double y_m, uint32_t before,
                           uint32_t first)
{
    static view_t view;
    const uint32_t step[] = {before, first};
    if (!look_from(&view, self, x_m, y_m)) {
        return INFINITY;
    }
    view.begins = 0.5;
    return nearest_on_line(&view, step, 2) * self->frame.resolution_m;
}

bool rp_following_holds(const rp_escape_world_t *self, double x_m, double y_m,
                        double follow_radius_m, const uint32_t *cells, size_t count)
{
    return rp_following_distance_m(self, x_m, y_m, cells, count) <= follow_radius_m;
}
