/// Computed from the agent's view: the agent is the origin, and lengths are cells. An obstacle
/// hides an interval of each step of the line; what remains between such intervals is in sight.
#include "engine/paths/follow.h"

#include <math.h>

#include "engine/paths/length.h"

/// Lengths, in cells, that are taken for none: what a straight segment passes so near it touches.
#define TOUCH 1e-9

typedef struct vector {
    double x;
    double y;
} vector_t;

/// What an agent sees.
typedef struct view {
    const rp_layer_t *layer;
    const rp_pose_t *pose;
    double radius;
    double touch;      ///< lengths that are none
    bool is_at_corner; ///< of an obstacle: only lines into its own cell are free
    vector_t side;     ///< there: 1 or -1, where its own cell lies
} view_t;

/// A step of the line, or a part of it: from `from + first * along` to `from + last * along`.
typedef struct stretch {
    vector_t from; ///< middle of its first cell
    vector_t along;
    double first;
    double last;
} stretch_t;

static vector_t point_at(const stretch_t *self, double share)
{
    return (vector_t){self->from.x + share * self->along.x, self->from.y + share * self->along.y};
}

// ---- obstacles

static bool is_obstacle(const view_t *self, int64_t x, int64_t y)
{
    const rp_grid_t *grid = self->layer->grid;
    const int64_t width = grid->shape.width;
    const int64_t height = grid->shape.height;
    if (grid->shape.wraps) {
        x = (x % width + width) % width;
        y = (y % height + height) % height;
    }
    return rp_grid_contains(grid, x, y) &&
           self->layer->profile.is_obstacle[self->layer->bytes[y * width + x]];
}

/// True when one of the four cells that meet at the corner where the agent stands is an obstacle.
static bool stands_at_corner(const view_t *self)
{
    const double x = floor(self->pose->x + 0.5);
    const double y = floor(self->pose->y + 0.5);
    const int64_t column = (int64_t)x;
    const int64_t row = (int64_t)y;
    return fabs(x - self->pose->x) <= self->touch && fabs(y - self->pose->y) <= self->touch &&
           (is_obstacle(self, column, row) || is_obstacle(self, column - 1, row) ||
            is_obstacle(self, column, row - 1) || is_obstacle(self, column - 1, row - 1));
}

/// The cell of an agent begins where it stands, but on the closing border of a world.
static vector_t side_of(const view_t *self)
{
    const rp_grid_t *grid = self->layer->grid;
    const rp_pose_t *pose = self->pose;
    const bool is_inside = pose->cell != RP_NO_CELL;
    return (vector_t){is_inside && pose->x > rp_grid_x(grid, pose->cell) + 0.5 ? -1.0 : 1.0,
                      is_inside && pose->y > rp_grid_y(grid, pose->cell) + 0.5 ? -1.0 : 1.0};
}

/// Columns of a row that a triangle from the agent may meet; it is the segment to `one` when both
/// ends are the same.
/// @return false when it meets none
static bool columns_of_row(const view_t *self, vector_t one, vector_t other, int64_t row,
                           int64_t *first, int64_t *last)
{
    const vector_t corners[] = {{0.0, 0.0}, one, other, {0.0, 0.0}};
    const double low = (double)row - self->pose->y - self->touch;
    const double high = (double)row + 1.0 - self->pose->y + self->touch;
    double least = INFINITY;
    double most = -INFINITY;
    for (unsigned i = 0; i < 3; i++) {
        const vector_t a = corners[i];
        const vector_t b = corners[i + 1u];
        if (fmax(a.y, b.y) < low || fmin(a.y, b.y) > high) {
            continue;
        }
        const double slope = b.y != a.y ? (b.x - a.x) / (b.y - a.y) : 0.0;
        const double at_a = b.y != a.y ? a.x + slope * (fmin(fmax(a.y, low), high) - a.y) : a.x;
        const double at_b = b.y != a.y ? a.x + slope * (fmin(fmax(b.y, low), high) - a.y) : b.x;
        least = fmin(least, fmin(at_a, at_b));
        most = fmax(most, fmax(at_a, at_b));
    }
    *first = (int64_t)floor(self->pose->x + least - self->touch);
    *last = (int64_t)floor(self->pose->x + most + self->touch);
    return least <= most;
}

/// What is done with an obstacle. @return true: go on
typedef bool (*visit_t)(void *user, vector_t corner);

/// Visit the obstacles that a triangle from the agent may meet.
/// @return false when a visit ended it
static bool visit_obstacles(const view_t *self, vector_t one, vector_t other, visit_t visit,
                            void *user)
{
    const double y = self->pose->y;
    const int64_t end = (int64_t)floor(y + fmax(fmax(one.y, other.y), 0.0) + self->touch);
    int64_t first;
    int64_t last;
    for (int64_t row = (int64_t)floor(y + fmin(fmin(one.y, other.y), 0.0) - self->touch);
         row <= end; row++) {
        if (!columns_of_row(self, one, other, row, &first, &last)) {
            continue;
        }
        for (int64_t column = first; column <= last; column++) {
            const vector_t corner = {(double)column - self->pose->x, (double)row - y};
            if (is_obstacle(self, column, row) && !visit(user, corner)) {
                return false;
            }
        }
    }
    return true;
}

// ---- a straight segment

typedef struct segment {
    const view_t *view;
    vector_t to;
} segment_t;

/// Cut the part of a segment, in shares, where one coordinate lies between two bounds.
static void cut_to_band(double to, double low, double high, double *first, double *last)
{
    if (to == 0.0) {
        *last = low <= 0.0 && high >= 0.0 ? *last : -1.0;
        return;
    }
    *first = fmax(*first, fmin(low / to, high / to));
    *last = fmin(*last, fmax(low / to, high / to));
}

/// True when a point lies on the segment. The corner where the agent stands is not passed by who
/// goes into the agent's own cell.
static bool passes(const segment_t *self, vector_t point)
{
    const double touch = self->view->touch;
    const double square = self->to.x * self->to.x + self->to.y * self->to.y;
    const double share =
        square > 0.0 ? (point.x * self->to.x + point.y * self->to.y) / square : 0.0;
    const double near = fmin(fmax(share, 0.0), 1.0);
    const vector_t side = self->view->side;
    if (rp_length(point.x, point.y) <= touch && self->to.x * side.x >= -touch &&
        self->to.y * side.y >= -touch) {
        return false;
    }
    return rp_length(point.x - near * self->to.x, point.y - near * self->to.y) <= touch;
}

static bool is_clear_of(void *user, vector_t corner)
{
    const segment_t *self = user;
    const double touch = self->view->touch;
    double first = 0.0;
    double last = 1.0;
    cut_to_band(self->to.x, corner.x + touch, corner.x + 1.0 - touch, &first, &last);
    cut_to_band(self->to.y, corner.y + touch, corner.y + 1.0 - touch, &first, &last);
    return first > last && !passes(self, corner) &&
           !passes(self, (vector_t){corner.x + 1.0, corner.y}) &&
           !passes(self, (vector_t){corner.x, corner.y + 1.0}) &&
           !passes(self, (vector_t){corner.x + 1.0, corner.y + 1.0});
}

static bool is_free(const view_t *self, vector_t to)
{
    segment_t segment = {self, to};
    return visit_obstacles(self, to, to, is_clear_of, &segment);
}

// ---- what an obstacle hides

/// The shares of a stretch that are known to be hidden.
typedef struct shadow {
    const stretch_t *of;
    double first;
    double last;
    bool has_grown;
} shadow_t;

/// A point as a * (from + t * along), given as (a, a * t): what lies before the stretch has a <= 1.
static vector_t along_stretch(const stretch_t *self, vector_t point)
{
    const vector_t u = self->from;
    const vector_t d = self->along;
    const double area = u.x * d.y - u.y * d.x;
    return (vector_t){(point.x * d.y - point.y * d.x) / area,
                      (u.x * point.y - u.y * point.x) / area};
}

/// Cut a polygon to where a * p.x + b * p.y <= c. @return number of corners that are left
static unsigned cut(const vector_t *from, unsigned count, double a, double b, double c,
                    vector_t *to)
{
    unsigned left = 0;
    for (unsigned i = 0; i < count; i++) {
        const vector_t p = from[i];
        const vector_t q = from[(i + 1u) % count];
        const double at_p = a * p.x + b * p.y - c;
        const double at_q = a * q.x + b * q.y - c;
        if (at_p <= 0.0) {
            to[left++] = p;
        }
        if ((at_p < 0.0 && at_q > 0.0) || (at_p > 0.0 && at_q < 0.0)) {
            const double share = at_p / (at_p - at_q);
            to[left++] = (vector_t){p.x + share * (q.x - p.x), p.y + share * (q.y - p.y)};
        }
    }
    return left;
}

/// Let a shadow grow by that of an obstacle beside it.
static bool add_shadow(void *user, vector_t corner)
{
    shadow_t *self = user;
    const stretch_t *of = self->of;
    vector_t square[8];
    vector_t spare[8];
    for (unsigned i = 0; i < 4; i++) {
        const vector_t at = {corner.x + (i == 1 || i == 2), corner.y + (i >= 2)};
        square[i] = along_stretch(of, at);
    }
    unsigned count = cut(square, 4, 1.0, 0.0, 1.0, spare);
    count = cut(spare, count, 0.0, -1.0, 0.0, square);
    count = cut(square, count, -1.0, 1.0, 0.0, spare);
    double first = INFINITY;
    double last = -INFINITY;
    double area = 0.0;
    for (unsigned i = 0; i < count; i++) {
        const vector_t p = spare[i];
        const vector_t q = spare[(i + 1u) % count];
        area += p.x * q.y - p.y * q.x;
        if (p.x > TOUCH) {
            first = fmin(first, p.y / p.x);
            last = fmax(last, p.y / p.x);
        }
    }
    if (fabs(area) > TOUCH && first <= self->last + TOUCH && last >= self->first - TOUCH &&
        (first < self->first || last > self->last)) {
        self->first = fmin(self->first, first);
        self->last = fmax(self->last, last);
        self->has_grown = true;
    }
    return true;
}

/// The share nearest to a hidden one that is in sight. Shadows are those on the whole step, so that
/// none of them is too small to be seen.
/// @param share  of the nearest point; replaced
static bool look_past(const view_t *self, const stretch_t *of, double *share)
{
    const vector_t one = point_at(of, 0.0);
    const vector_t other = point_at(of, 1.0);
    shadow_t shadow = {.of = of, .first = *share, .last = *share};
    if (fabs(of->from.x * of->along.y - of->from.y * of->along.x) <= TOUCH) {
        return false; // what hides one point hides all behind it
    }
    do {
        shadow.has_grown = false;
        (void)visit_obstacles(self, one, other, add_shadow, &shadow);
    } while (shadow.has_grown);
    const bool has_first = shadow.first > of->first + TOUCH;
    const bool has_last = shadow.last < of->last - TOUCH;
    const bool is_first = has_first && (!has_last || *share - shadow.first <= shadow.last - *share);
    *share = is_first ? shadow.first : shadow.last;
    return has_first || has_last;
}

// ---- the nearest point of a stretch

/// Only the part within the radius; only into the agent's own cell if it stands at a corner.
/// @return false when nothing is left
static bool cut_to_view(const view_t *self, stretch_t *of)
{
    const vector_t u = of->from;
    const vector_t d = of->along;
    const double radius = self->radius + TOUCH;
    const double a = d.x * d.x + d.y * d.y;
    const double b = u.x * d.x + u.y * d.y;
    const double c = u.x * u.x + u.y * u.y - radius * radius;
    const double inside = b * b - a * c;
    if (a == 0.0 ? c > 0.0 : inside < 0.0) {
        return false;
    }
    if (a > 0.0) {
        of->first = fmax(of->first, (-b - sqrt(inside)) / a);
        of->last = fmin(of->last, (-b + sqrt(inside)) / a);
    }
    for (unsigned axis = 0; self->is_at_corner && axis < 2; axis++) {
        const double at = axis == 0 ? u.x * self->side.x : u.y * self->side.y;
        const double by = axis == 0 ? d.x * self->side.x : d.y * self->side.y;
        if (by == 0.0) {
            of->last = at >= -self->touch ? of->last : -1.0;
        } else if (by > 0.0) {
            of->first = fmax(of->first, -at / by);
        } else {
            of->last = fmin(of->last, -at / by);
        }
    }
    return of->first <= of->last;
}

/// Find the nearest point of a stretch that is in sight.
/// @param least  only nearer ones count; replaced
/// @param share  written when there is one
static bool find_nearest(const view_t *self, stretch_t of, double *least, double *share)
{
    if (!cut_to_view(self, &of)) {
        return false;
    }
    const double square = of.along.x * of.along.x + of.along.y * of.along.y;
    const double foot =
        square > 0.0 ? -(of.from.x * of.along.x + of.from.y * of.along.y) / square : 0.0;
    double at = fmin(fmax(foot, of.first), of.last);
    vector_t point = point_at(&of, at);
    if (rp_length(point.x, point.y) >= *least) {
        return false;
    }
    if (!is_free(self, point)) {
        if (square == 0.0 || !look_past(self, &of, &at)) {
            return false;
        }
        point = point_at(&of, at);
    }
    const double distance = rp_length(point.x, point.y);
    if (distance >= *least) {
        return false;
    }
    *least = distance;
    *share = at;
    return true;
}

/// Only the part where this image of the stretch is the nearest one, on the short way round.
static void cut_to_half(double from, double along, double half, stretch_t *of)
{
    if (along == 0.0) {
        of->last = fabs(from) <= half + TOUCH ? of->last : -1.0;
        return;
    }
    of->first = fmax(of->first, fmin((-half - from) / along, (half - from) / along));
    of->last = fmin(of->last, fmax((-half - from) / along, (half - from) / along));
}

/// find_nearest() for a step, and where the world wraps for each image of it.
static bool find_nearest_image(const view_t *self, const stretch_t *step, double *least,
                               double *share)
{
    const rp_grid_shape_t *shape = &self->layer->grid->shape;
    const int turns = shape->wraps ? 1 : 0;
    bool is_found = false;
    for (int down = -turns; down <= turns; down++) {
        for (int across = -turns; across <= turns; across++) {
            stretch_t image = *step;
            image.from.x += (double)across * shape->width;
            image.from.y += (double)down * shape->height;
            if (shape->wraps) {
                cut_to_half(image.from.x, image.along.x, shape->width / 2.0, &image);
                cut_to_half(image.from.y, image.along.y, shape->height / 2.0, &image);
            }
            is_found |= image.first <= image.last && find_nearest(self, image, least, share);
        }
    }
    return is_found;
}

// ---- the line

/// What is left of way and path, as one line.
typedef struct line {
    rp_way_t *way;
    rp_published_path_t *path;
} line_t;

static uint32_t step_count(const line_t *self)
{
    return rp_way_left(self->way) + self->path->count - self->path->first;
}

static unsigned step_of(const line_t *self, uint32_t number)
{
    const uint32_t left = rp_way_left(self->way);
    return number < left ? self->way->steps[self->way->first + number]
                         : self->path->steps[self->path->first + number - left];
}

static rp_cell_t beginning_of(const line_t *self)
{
    return rp_way_left(self->way) != 0 ? self->way->at : self->path->at;
}

/// So many steps lie behind the agent.
static void pass(const line_t *self, const rp_grid_t *grid, uint32_t steps)
{
    const uint32_t left = rp_way_left(self->way);
    const uint32_t of_way = steps < left ? steps : left;
    rp_way_pass(self->way, grid, of_way);
    rp_published_path_pass(self->path, grid, steps - of_way);
}

/// The agent stands in a cell of the line. From an obstacle the line must lead to a side that the
/// agent is nearest to.
static bool follow_within(const line_t *self, const rp_layer_t *layer, const rp_pose_t *pose)
{
    const uint32_t count = step_count(self);
    rp_cell_t cell = beginning_of(self);
    uint32_t i = 0;
    for (; i < count && cell != pose->cell; i++) {
        cell = rp_grid_step(layer->grid, cell, step_of(self, i));
    }
    if (cell != pose->cell) {
        return false;
    }
    if (rp_layer_is_obstacle(layer, cell) &&
        (i == count || ((rp_escape_first_steps(layer, pose) >> step_of(self, i)) & 1u) == 0)) {
        return false;
    }
    pass(self, layer->grid, i);
    return true;
}

/// A step as the agent sees it; the half that lies in an obstacle is left out.
/// @param next  where it leads: to the cell itself, then it is a point; RP_NO_CELL: only the half
///              that lies in the cell counts
static stretch_t stretch_of(const view_t *self, rp_cell_t cell, rp_cell_t next, unsigned step)
{
    static const int dx[] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const int dy[] = {0, 1, 1, 1, 0, -1, -1, -1};
    const rp_grid_t *grid = self->layer->grid;
    const bool is_point = cell == next;
    const bool is_half = next == RP_NO_CELL || rp_layer_is_obstacle(self->layer, next);
    return (stretch_t){
        .from = {rp_grid_x(grid, cell) + 0.5 - self->pose->x,
                 rp_grid_y(grid, cell) + 0.5 - self->pose->y},
        .along = {is_point ? 0.0 : dx[step], is_point ? 0.0 : dy[step]},
        .first = rp_layer_is_obstacle(self->layer, cell) ? 0.5 : 0.0,
        .last = is_half ? 0.5 : 1.0,
    };
}

/// The last step that was passed, which led into the first cell that is left.
/// @return RP_DIRECTIONS when there is none
static unsigned last_passed(const line_t *self)
{
    const rp_way_t *way = self->way;
    const rp_published_path_t *path = self->path;
    if (path->first != 0) {
        return path->steps[path->first - 1u];
    }
    return way->first != 0 ? way->steps[way->first - 1u] : RP_DIRECTIONS;
}

/// What is left of a line that was cut beside the agent begins beside it: within the first cell, on
/// the half of the passed step that lies there, not in the middle. So an agent that stays where it
/// is follows still, whatever becomes of the cell before. In an obstacle no part of the half
/// counts, not even its end on the border, from which the line would lead through the obstacle.
static void find_before(const line_t *self, const view_t *view, double *least)
{
    const rp_cell_t cell = beginning_of(self);
    const unsigned step = last_passed(self);
    double share;
    if (step != RP_DIRECTIONS && !rp_layer_is_obstacle(view->layer, cell)) {
        const stretch_t half = stretch_of(view, cell, RP_NO_CELL, rp_direction_back(step));
        (void)find_nearest_image(view, &half, least, &share);
    }
}

static bool follow_beside(const line_t *self, const view_t *view, bool was_beside)
{
    const rp_grid_t *grid = view->layer->grid;
    const uint32_t count = step_count(self);
    rp_cell_t cell = beginning_of(self);
    uint32_t passed = 0;
    double least = INFINITY;
    if (was_beside) {
        find_before(self, view, &least);
    }
    for (uint32_t i = 0; i < count || (i == 0 && count == 0); i++) {
        const rp_cell_t next = count != 0 ? rp_grid_step(grid, cell, step_of(self, i)) : cell;
        const stretch_t stretch = stretch_of(view, cell, next, count != 0 ? step_of(self, i) : 0u);
        double share;
        if (find_nearest_image(view, &stretch, &least, &share)) {
            const bool is_in_next = count != 0 && (share > 0.5 || stretch.first > 0.0);
            passed = is_in_next ? i + 1u : i;
        }
        cell = next;
    }
    if (!isfinite(least)) {
        return false;
    }
    pass(self, grid, passed);
    return true;
}

bool rp_follow(const rp_layer_t *layer, rp_way_t *way, rp_published_path_t *path,
               const rp_pose_t *pose, double radius, bool was_beside)
{
    const line_t line = {way, path};
    view_t view = {
        .layer = layer,
        .pose = pose,
        .radius = radius,
        .touch = fmax(pose->snap, TOUCH),
    };
    if (pose->cell != RP_NO_CELL && follow_within(&line, layer, pose)) {
        return true;
    }
    view.is_at_corner = stands_at_corner(&view);
    view.side = side_of(&view);
    return radius > 0.0 && follow_beside(&line, &view, was_beside);
}
