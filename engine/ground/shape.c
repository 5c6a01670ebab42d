/// A shape goes row by row: each side gives the interval that it crosses within the row, the inside
/// the cells whose centres lie in it. Together they are every cell whose open square it meets.
#include "engine/ground/shape.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "engine/ground/snap.h"

/// Cells from `first` to before `end` in a row; numbers of cells fit a double exactly.
typedef struct interval {
    double first;
    double end;
} interval_t;

/// Intervals of one row: one a side, one for two crossings.
typedef struct row {
    interval_t list[2u * RP_CORNERS_MAX];
    size_t count;
} row_t;

static void add_touched(row_t *self, double low, double high)
{
    const interval_t touched = {floor(low), ceil(high)};
    if (touched.first < touched.end) {
        self->list[self->count++] = touched;
    }
}

// ---- where borders are crossed

/// @param at     where a line crosses the border of two rows
/// @param slope  how far the line goes across rows there, per cell along the border; not negative
/// @return the nearest border of two columns, if the line meets that border within the snap of
///         the corner of the four cells, by either coordinate
static double snap_crossing(const rp_outline_t *self, double at, double slope)
{
    const double border = rint(at);
    return fabs(at - border) * fmin(slope, 1.0) <= self->snap ? border : at;
}

// ---- discs

/// Half the chord of a disc on a line; 0 when the line passes by.
static double half_chord(const rp_outline_t *self, double away)
{
    return away < self->radius ? sqrt((self->radius - away) * (self->radius + away)) : 0.0;
}

/// Where the circle crosses the border of a row, east or west of the centre.
/// @param away  from the centre to the border, positive
static double cross_circle(const rp_outline_t *self, double away, double half)
{
    const double at = self->x[0] + half;
    const double off = fabs(rint(at) - self->x[0]);
    return snap_crossing(self, at, (fabs(half) + off) / (2.0 * away));
}

static void cross_disc(const rp_outline_t *self, double y, row_t *row)
{
    const double x = self->x[0];
    const double away = fmax(y - self->y[0], self->y[0] - (y + 1.0));
    if (rp_snap(self->y[0] + self->radius, self->snap) <= y ||
        rp_snap(self->y[0] - self->radius, self->snap) >= y + 1.0) {
        return;
    }
    if (away > 0.0) {
        const double half = half_chord(self, away);
        add_touched(row, cross_circle(self, away, -half), cross_circle(self, away, half));
    } else {
        add_touched(row, rp_snap(x - self->radius, self->snap),
                    rp_snap(x + self->radius, self->snap));
    }
}

// ---- polygons

typedef struct side {
    double low_x; ///< of the end with the smaller y
    double low_y;
    double high_x;
    double high_y;
} side_t;

static side_t side_of(const rp_outline_t *self, uint32_t i)
{
    const uint32_t next = (i + 1u) % self->corners;
    const uint32_t low = self->y[i] <= self->y[next] ? i : next;
    const uint32_t high = low == i ? next : i;
    return (side_t){self->x[low], self->y[low], self->x[high], self->y[high]};
}

/// Where a side crosses the border of two rows, which lies between its ends.
static double cross_border(const rp_outline_t *self, const side_t *side, double border)
{
    const double width = side->high_x - side->low_x;
    const double height = side->high_y - side->low_y;
    const double at = side->low_x + (border - side->low_y) * width / height;
    return width != 0.0 ? snap_crossing(self, at, fabs(height / width)) : at;
}

/// Where side i crosses the row from y to y + 1.
static void cross_side(const rp_outline_t *self, uint32_t i, double y, row_t *row)
{
    const side_t side = side_of(self, i);
    if (side.high_y <= y || side.low_y >= y + 1.0) {
        return; // a side along the border of two rows belongs to neither
    }
    const double from = side.low_y < y ? cross_border(self, &side, y) : side.low_x;
    const double to = side.high_y > y + 1.0 ? cross_border(self, &side, y + 1.0) : side.high_x;
    add_touched(row, fmin(from, to), fmax(from, to));
}

static void sort(double *numbers, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const double number = numbers[i];
        size_t place = i;
        for (; place > 0 && numbers[place - 1u] > number; place--) {
            numbers[place] = numbers[place - 1u];
        }
        numbers[place] = number;
    }
}

/// The cells of the row whose centres lie inside.
static void fill_inside(const rp_outline_t *self, double y, row_t *row)
{
    const double middle = y + 0.5;
    double crossings[RP_CORNERS_MAX];
    size_t count = 0;
    for (uint32_t i = 0; i < self->corners; i++) {
        const uint32_t next = (i + 1u) % self->corners;
        if ((self->y[i] <= middle) != (self->y[next] <= middle)) {
            crossings[count++] = self->x[i] + (middle - self->y[i]) * (self->x[next] - self->x[i]) /
                                                  (self->y[next] - self->y[i]);
        }
    }
    sort(crossings, count);
    for (size_t i = 0; i + 1u < count; i += 2u) {
        const interval_t inside = {ceil(crossings[i] - 0.5), ceil(crossings[i + 1u] - 0.5)};
        if (inside.first < inside.end) {
            row->list[row->count++] = inside;
        }
    }
}

// ---- spans

static rp_status_t add_span(rp_spans_t *self, uint32_t y, uint32_t x, uint32_t count)
{
    if (!rp_array_reserve(&self->list, &self->capacity, self->count + 1u, sizeof *self->list)) {
        return RP_E_MEMORY;
    }
    self->list[self->count++] = (rp_span_t){y, x, count};
    return RP_OK;
}

static double wrapped(double value, double side)
{
    const double rest = fmod(value, side);
    return rest < 0.0 ? rest + side : rest;
}

/// Add an interval of a row; cut at the edge, or brought back inside a world that wraps.
static rp_status_t add_interval(rp_spans_t *self, const rp_grid_shape_t *world, double y,
                                const interval_t *interval)
{
    const double width = world->width;
    if (!world->wraps) {
        const double first = fmax(0.0, interval->first);
        const double end = fmin(width, interval->end);
        return first < end ? add_span(self, (uint32_t)y, (uint32_t)first, (uint32_t)(end - first))
                           : RP_OK;
    }
    const uint32_t row = (uint32_t)wrapped(y, world->height);
    const double length = fmin(width, interval->end - interval->first);
    const double first = wrapped(interval->first, width);
    const double before_seam = fmin(length, width - first);
    rp_status_t status = add_span(self, row, (uint32_t)first, (uint32_t)before_seam);
    if (status == RP_OK && before_seam < length) {
        status = add_span(self, row, 0, (uint32_t)(length - before_seam));
    }
    return status;
}

static int compare_spans(const void *a, const void *b)
{
    const rp_span_t *left = a;
    const rp_span_t *right = b;
    const int by_row = (left->y > right->y) - (left->y < right->y);
    return by_row != 0 ? by_row : (left->x > right->x) - (left->x < right->x);
}

void rp_spans_fini(rp_spans_t *self)
{
    free(self->list);
    *self = (rp_spans_t){0};
}

size_t rp_spans_area(const rp_spans_t *self)
{
    size_t area = 0;
    for (size_t i = 0; i < self->count; i++) {
        area += self->list[i].count;
    }
    return area;
}

size_t rp_spans_row(const rp_spans_t *self, uint32_t y)
{
    size_t low = 0;
    size_t high = self->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (self->list[middle].y < y) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// ---- cover

typedef struct extent {
    double left;
    double right;
    double top;
    double bottom;
} extent_t;

static extent_t extent_of(const rp_outline_t *self)
{
    extent_t extent = {self->x[0], self->x[0], self->y[0], self->y[0]};
    for (uint32_t i = 1; i < self->corners; i++) {
        extent.left = fmin(extent.left, self->x[i]);
        extent.right = fmax(extent.right, self->x[i]);
        extent.top = fmin(extent.top, self->y[i]);
        extent.bottom = fmax(extent.bottom, self->y[i]);
    }
    if (self->corners == 1) {
        extent.left = rp_snap(extent.left - self->radius, self->snap);
        extent.right = rp_snap(extent.right + self->radius, self->snap);
        extent.top = rp_snap(extent.top - self->radius, self->snap);
        extent.bottom = rp_snap(extent.bottom + self->radius, self->snap);
    }
    return extent;
}

static void find_row(const rp_outline_t *self, double y, row_t *row)
{
    row->count = 0;
    if (self->corners == 1) {
        cross_disc(self, y, row);
        return;
    }
    for (uint32_t i = 0; i < self->corners; i++) {
        cross_side(self, i, y, row);
    }
    fill_inside(self, y, row);
}

/// @param extent  of the shape
static rp_status_t cover_rows(const rp_outline_t *self, const rp_grid_shape_t *world,
                              const extent_t *extent, rp_spans_t *spans)
{
    const double first = world->wraps ? extent->top : fmax(0.0, extent->top);
    const double end = world->wraps ? extent->bottom : fmin(world->height, extent->bottom);
    for (double y = floor(first); y < end; y += 1.0) {
        row_t row;
        find_row(self, y, &row);
        for (size_t i = 0; i < row.count; i++) {
            const rp_status_t status = add_interval(spans, world, y, &row.list[i]);
            if (status != RP_OK) {
                return status;
            }
        }
    }
    return RP_OK;
}

// ---- what meets no open square

static bool is_border(double at)
{
    return floor(at) == at;
}

/// True when the side, or the disc, is a piece of a border, or a point on one.
static bool is_on_border(const extent_t *side)
{
    return (side->left == side->right && is_border(side->left)) ||
           (side->top == side->bottom && is_border(side->top));
}

static extent_t extent_of_side(const rp_outline_t *self, uint32_t i)
{
    const side_t side = side_of(self, i);
    return self->corners == 1 ? extent_of(self)
                              : (extent_t){fmin(side.low_x, side.high_x),
                                           fmax(side.low_x, side.high_x), side.low_y, side.high_y};
}

/// True when the shape meets no open square of the endless grid.
static bool is_thin(const rp_outline_t *self)
{
    for (uint32_t i = 0; i < self->corners; i++) {
        const extent_t side = extent_of_side(self, i);
        if (!is_on_border(&side)) {
            return false;
        }
    }
    // With all sides on borders the inside is one of rows, and changes only from corner to corner.
    row_t row = {.count = 0};
    for (uint32_t i = 0; i < self->corners && self->corners > 1 && row.count == 0; i++) {
        fill_inside(self, self->y[i], &row);
    }
    return row.count == 0;
}

/// True when a piece of a border reaches into the world, or lies on its first border.
static bool reaches(const extent_t *side, const rp_grid_shape_t *world)
{
    return world->wraps || (side->left < world->width && side->right >= 0.0 &&
                            side->top < world->height && side->bottom >= 0.0);
}

/// The cells of the points of a piece of a border.
static rp_status_t cover_border(const extent_t *side, const rp_grid_shape_t *world,
                                rp_spans_t *spans)
{
    interval_t columns = {floor(side->left), floor(side->right) + 1.0};
    interval_t rows = {floor(side->top), floor(side->bottom) + 1.0};
    if (!world->wraps) { // the closing border belongs to the last cells
        columns.first -= side->left == world->width ? 1.0 : 0.0;
        rows.first = fmax(0.0, rows.first - (side->top == world->height ? 1.0 : 0.0));
        rows.end = fmin(world->height, rows.end);
    }
    rp_status_t status = RP_OK;
    for (double y = rows.first; y < rows.end && status == RP_OK; y += 1.0) {
        status = add_interval(spans, world, y, &columns);
    }
    return status;
}

static rp_status_t cover_borders(const rp_outline_t *self, const rp_grid_shape_t *world,
                                 rp_spans_t *spans)
{
    bool is_in = false;
    for (uint32_t i = 0; i < self->corners; i++) {
        const extent_t side = extent_of_side(self, i);
        is_in = is_in || reaches(&side, world);
    }
    rp_status_t status = RP_OK;
    for (uint32_t i = 0; i < self->corners && is_in && status == RP_OK; i++) {
        const extent_t side = extent_of_side(self, i);
        status = cover_border(&side, world, spans);
    }
    return status;
}

// ---- cover

/// Whole worlds away is the same place: from here on nothing is negative.
static void turn_back(rp_outline_t *self, const rp_grid_shape_t *world, const extent_t *extent)
{
    const double x = floor(extent->left / world->width) * world->width;
    const double y = floor(extent->top / world->height) * world->height;
    for (uint32_t i = 0; i < self->corners; i++) {
        self->x[i] -= x;
        self->y[i] -= y;
    }
}

/// Spans that overlap become one. @param self  in order
static void join_spans(rp_spans_t *self)
{
    size_t kept = 0;
    for (size_t i = 1; i < self->count; i++) {
        rp_span_t *last = &self->list[kept];
        const rp_span_t *span = &self->list[i];
        if (span->y == last->y && span->x <= last->x + last->count) {
            const uint32_t end = span->x + span->count;
            last->count = end > last->x + last->count ? end - last->x : last->count;
        } else {
            self->list[++kept] = *span;
        }
    }
    self->count = self->count != 0 ? kept + 1u : 0;
}

rp_status_t rp_outline_cover(const rp_outline_t *self, const rp_grid_shape_t *world,
                             rp_spans_t *spans)
{
    rp_outline_t moved = *self;
    extent_t extent = extent_of(self);
    const double width = extent.right - extent.left;
    const double height = extent.bottom - extent.top;
    *spans = (rp_spans_t){0};
    if (world->wraps && !(width <= RP_GRID_SIDE_MAX && height <= RP_GRID_SIDE_MAX)) {
        return RP_E_INVALID;
    }
    if (world->wraps) {
        turn_back(&moved, world, &extent);
        extent = extent_of(&moved);
    }
    rp_status_t status = cover_rows(&moved, world, &extent, spans);
    if (status == RP_OK && spans->count == 0 && is_thin(&moved)) {
        status = cover_borders(&moved, world, spans);
    }
    if (status != RP_OK) {
        rp_spans_fini(spans);
        return status;
    }
    if (spans->count != 0) {
        qsort(spans->list, spans->count, sizeof spans->list[0], compare_spans);
    }
    if (world->wraps && (width > world->width || height > world->height)) {
        join_spans(spans); // it went round, over the same cells again
    }
    return RP_OK;
}
