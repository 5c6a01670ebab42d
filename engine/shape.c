/// A shape goes row by row: each side gives the interval that it crosses within the row, the inside
/// the cells whose centres lie in it. Together they are every cell touched.
#include "engine/shape.h"

#include <math.h>
#include <stdlib.h>

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

// ---- discs

static void cross_disc(const rp_outline_t *self, double y, row_t *row)
{
    const double x = self->x[0];
    const double above = y - self->y[0];
    const double below = self->y[0] - (y + 1.0);
    const double away = fmax(0.0, fmax(above, below));
    if (away < self->radius) {
        const double half = sqrt(self->radius * self->radius - away * away);
        add_touched(row, x - half, x + half);
    }
}

// ---- polygons

/// Where side i crosses the row from y to y + 1.
static void cross_side(const rp_outline_t *self, uint32_t i, double y, row_t *row)
{
    const uint32_t next = (i + 1u) % self->corners;
    const bool rises = self->y[i] <= self->y[next];
    const double low_x = rises ? self->x[i] : self->x[next];
    const double low_y = rises ? self->y[i] : self->y[next];
    const double high_x = rises ? self->x[next] : self->x[i];
    const double high_y = rises ? self->y[next] : self->y[i];
    if (high_y <= y || low_y >= y + 1.0) {
        return; // a side along the border of two rows belongs to neither
    }
    double from = low_x;
    double to = high_x;
    if (low_y < y) {
        from = low_x + (y - low_y) * (high_x - low_x) / (high_y - low_y);
    }
    if (high_y > y + 1.0) {
        to = low_x + (y + 1.0 - low_y) * (high_x - low_x) / (high_y - low_y);
    }
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
    if (self->count == self->capacity) {
        const size_t capacity = self->capacity == 0 ? 16u : 2u * self->capacity;
        rp_span_t *list = realloc(self->list, capacity * sizeof *list);
        if (list == NULL) {
            return RP_E_MEMORY;
        }
        self->list = list;
        self->capacity = capacity;
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
        extent.left -= self->radius;
        extent.right += self->radius;
        extent.top -= self->radius;
        extent.bottom += self->radius;
    }
    return extent;
}

/// @param touches  set when the shape touches a cell of the row, in the world or beside it
static rp_status_t cover_row(const rp_outline_t *self, const rp_grid_shape_t *world, double y,
                             rp_spans_t *spans, bool *touches)
{
    row_t row = {.count = 0};
    if (self->corners == 1) {
        cross_disc(self, y, &row);
    } else {
        for (uint32_t i = 0; i < self->corners; i++) {
            cross_side(self, i, y, &row);
        }
        fill_inside(self, y, &row);
    }
    const bool is_inside = world->wraps || (y >= 0.0 && y < world->height);
    rp_status_t status = RP_OK;
    for (size_t i = 0; i < row.count && is_inside && status == RP_OK; i++) {
        status = add_interval(spans, world, y, &row.list[i]);
    }
    *touches = *touches || row.count != 0;
    return status;
}

/// The cells that the corners lie in, for what has no area.
static rp_status_t cover_corners(const rp_outline_t *self, const rp_grid_shape_t *world,
                                 rp_spans_t *spans)
{
    rp_status_t status = RP_OK;
    for (uint32_t i = 0; i < self->corners && status == RP_OK; i++) {
        const double y = floor(self->y[i]);
        const interval_t cell = {floor(self->x[i]), floor(self->x[i]) + 1.0};
        if (world->wraps || (y >= 0.0 && y < world->height)) {
            status = add_interval(spans, world, y, &cell);
        }
    }
    return status;
}

rp_status_t rp_outline_cover(const rp_outline_t *self, const rp_grid_shape_t *world,
                             rp_spans_t *spans)
{
    rp_outline_t moved = *self;
    extent_t extent = extent_of(self);
    *spans = (rp_spans_t){0};
    if (world->wraps) {
        if (extent.right - extent.left > world->width ||
            extent.bottom - extent.top > world->height) {
            return RP_E_INVALID;
        }
        // Whole worlds away is the same place: from here on nothing is negative.
        const double x = floor(extent.left / world->width) * world->width;
        const double y = floor(extent.top / world->height) * world->height;
        for (uint32_t i = 0; i < moved.corners; i++) {
            moved.x[i] -= x;
            moved.y[i] -= y;
        }
        extent = extent_of(&moved);
    } else {
        // A row more on either side: what touches cells there only has corners on the border.
        extent.top = fmax(-1.0, extent.top);
        extent.bottom = fmin(world->height + 1.0, extent.bottom);
    }
    bool touches = false;
    rp_status_t status = RP_OK;
    for (double y = floor(extent.top); y < extent.bottom && status == RP_OK; y += 1.0) {
        status = cover_row(&moved, world, y, spans, &touches);
    }
    if (status == RP_OK && !touches) {
        status = cover_corners(&moved, world, spans);
    }
    if (status != RP_OK) {
        rp_spans_fini(spans);
        return status;
    }
    if (spans->count != 0) {
        qsort(spans->list, spans->count, sizeof spans->list[0], compare_spans);
    }
    return RP_OK;
}
