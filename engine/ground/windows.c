/// Offsets are computed from origins with errors carried along (Dekker's products, Knuth's sums),
/// so that a half is a half: of two doubles that differ by one unit in the last place one may be
/// nearer to the cell before, and the other to the next.
#include "engine/ground/windows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Beyond so many cells from window 1 a double no longer tells halves.
#define OFFSET_MOST ((int64_t)1 << 50)

// ---- exact offsets

/// The unevaluated sum of two doubles, the second at most half a unit in the last place of the
/// first.
typedef struct wide {
    double high;
    double low;
} wide_t;

static wide_t sum_of(double a, double b)
{
    const double sum = a + b;
    const double part = sum - a;
    return (wide_t){sum, (a - (sum - part)) + (b - part)};
}

static wide_t product_of(double a, double b)
{
    const double product = a * b;
    return (wide_t){product, fma(a, b, -product)};
}

static wide_t wide_sum(wide_t a, wide_t b)
{
    const wide_t high = sum_of(a.high, b.high);
    const wide_t low = sum_of(a.low, b.low);
    const wide_t middle = sum_of(high.low, low.high);
    const wide_t top = sum_of(high.high, middle.high);
    return sum_of(top.high, top.low + (middle.low + low.low));
}

static wide_t wide_product(wide_t a, double b)
{
    return wide_sum(product_of(a.high, b), (wide_t){a.low * b, 0.0});
}

/// True when a length is at least so many cells.
static bool reaches(wide_t length, double cells, double resolution)
{
    const wide_t border = product_of(cells, -resolution);
    const wide_t beyond = wide_sum(length, border);
    return beyond.high > 0.0 || (beyond.high == 0.0 && beyond.low >= 0.0);
}

/// The nearest whole number of cells; half rounds up.
/// @return false when that is beyond OFFSET_MOST
static bool count_cells(wide_t length, double resolution, int64_t *cells)
{
    double nearest = floor(length.high / resolution + 0.5);
    if (!(fabs(nearest) <= (double)OFFSET_MOST)) {
        return false;
    }
    while (!reaches(length, nearest - 0.5, resolution)) {
        nearest -= 1.0;
    }
    while (reaches(length, nearest + 0.5, resolution)) {
        nearest += 1.0;
    }
    *cells = (int64_t)nearest;
    return true;
}

static bool count_offsets(const rp_windows_t *self, const rp_frame_t *frame, rp_placed_t *placed)
{
    const wide_t dx = sum_of(frame->origin_x_m, -self->first_x_m);
    const wide_t dy = sum_of(frame->origin_y_m, -self->first_y_m);
    const double cosine = cos(frame->origin_yaw);
    const double sine = sin(frame->origin_yaw);
    const wide_t along = wide_sum(wide_product(dx, cosine), wide_product(dy, sine));
    const wide_t across = wide_sum(wide_product(dy, cosine), wide_product(dx, -sine));
    return count_cells(along, frame->resolution_m, &placed->offset_x) &&
           count_cells(across, frame->resolution_m, &placed->offset_y);
}

// ---- a window in its place

static int32_t clamped(int64_t cells)
{
    // As far away nothing is left of the window before: how far it is does not matter.
    return cells > INT32_MAX ? INT32_MAX : cells < INT32_MIN ? INT32_MIN : (int32_t)cells;
}

static bool is_legal(const rp_window_t *window)
{
    if (window->width == 0 || window->height == 0 || window->width > RP_GRID_SIDE_MAX ||
        window->height > RP_GRID_SIDE_MAX || window->rect_count > RP_WINDOW_RECTS_MAX ||
        (window->rect_count != 0 && (window->rects == NULL || window->rect_data == NULL))) {
        return false;
    }
    for (size_t i = 0; i < window->rect_count; i++) {
        const uint32_t *rect = window->rects + 4u * i;
        if (rect[2] == 0 || rect[3] == 0 || (uint64_t)rect[0] + rect[2] > window->width ||
            (uint64_t)rect[1] + rect[3] > window->height) {
            return false;
        }
    }
    return true;
}

/// By the origin that was told, or by whole cells: then from the origin that was told last, at
/// once.
static bool place_frame(const rp_windows_t *self, const rp_window_t *window, rp_placed_t *placed)
{
    rp_frame_t *frame = &placed->frame;
    if (window->is_told) {
        frame->origin_x_m = window->origin_x_m;
        frame->origin_y_m = window->origin_y_m;
        return isfinite(window->origin_x_m) && isfinite(window->origin_y_m) &&
               count_offsets(self, frame, placed);
    }
    const rp_known_window_t *newest = rp_windows_find(self, 0);
    placed->offset_x = newest->offset_x + window->x;
    placed->offset_y = newest->offset_y + window->y;
    const double dx = (double)(placed->offset_x - self->told_offset_x) * frame->resolution_m;
    const double dy = (double)(placed->offset_y - self->told_offset_y) * frame->resolution_m;
    const double cosine = cos(frame->origin_yaw);
    const double sine = sin(frame->origin_yaw);
    frame->origin_x_m = self->told_x_m + (dx * cosine - dy * sine);
    frame->origin_y_m = self->told_y_m + (dx * sine + dy * cosine);
    return llabs(placed->offset_x) <= OFFSET_MOST && llabs(placed->offset_y) <= OFFSET_MOST;
}

rp_status_t rp_windows_place(const rp_windows_t *self, const rp_frame_t *frame,
                             const rp_window_t *window, rp_placed_t *placed)
{
    const rp_known_window_t *newest = rp_windows_find(self, 0);
    uint32_t x;
    uint32_t y;
    *placed = (rp_placed_t){.window = *window, .frame = *frame};
    if (!is_legal(window) || !place_frame(self, window, placed)) {
        return RP_E_INVALID;
    }
    placed->window.x = clamped(placed->offset_x - newest->offset_x);
    placed->window.y = clamped(placed->offset_y - newest->offset_y);
    return rp_window_find_unstated(&placed->window, newest->width, newest->height, &x, &y)
               ? RP_E_INVALID
               : RP_OK;
}

// ---- what is stated

/// A stretch of rows in which the same columns are new, and the same rectangles lie.
typedef struct band {
    const rp_window_t *window;
    const uint32_t **by_x; ///< rectangles, by their first column
    uint32_t y;
    uint32_t old_left; ///< columns that are not new; none where right is not greater
    uint32_t old_right;
} band_t;

static int compare_columns(const void *a, const void *b)
{
    const uint32_t *first = *(const uint32_t *const *)a;
    const uint32_t *second = *(const uint32_t *const *)b;
    return (first[0] > second[0]) - (first[0] < second[0]);
}

static int compare_rows(const void *a, const void *b)
{
    const uint32_t first = *(const uint32_t *)a;
    const uint32_t second = *(const uint32_t *)b;
    return (first > second) - (first < second);
}

/// Columns that are known from `x` on: those of the window before.
static uint32_t skip_old(const band_t *band, uint32_t x)
{
    return x >= band->old_left && x < band->old_right ? band->old_right : x;
}

/// The first column of the band that nothing states. @return the width when there is none
static uint32_t find_column(const band_t *band)
{
    uint32_t x = skip_old(band, 0);
    for (size_t i = 0; i < band->window->rect_count; i++) {
        const uint32_t *rect = band->by_x[i];
        const bool is_here = rect[1] <= band->y && band->y - rect[1] < rect[3];
        if (is_here && rect[0] > x) {
            break; // all that follow begin behind it, too
        }
        if (is_here && rect[0] + rect[2] > x) {
            x = skip_old(band, rect[0] + rect[2]);
        }
    }
    return x;
}

/// The part of a side that the window before has. @return false when there is none
static bool find_old(int32_t at, uint32_t side, uint32_t old_side, uint32_t *first, uint32_t *end)
{
    const int64_t low = at < 0 ? -(int64_t)at : 0;
    const int64_t high = (int64_t)old_side - at;
    *first = low < side ? (uint32_t)low : side;
    *end = high < 0 ? 0u : high < side ? (uint32_t)high : side;
    return *first < *end;
}

bool rp_window_find_unstated(const rp_window_t *window, uint32_t old_width, uint32_t old_height,
                             uint32_t *x, uint32_t *y)
{
    const uint32_t *by_x[RP_WINDOW_RECTS_MAX];
    uint32_t rows[2u * RP_WINDOW_RECTS_MAX + 3u]; // where bands begin
    uint32_t left;
    uint32_t right;
    uint32_t top;
    uint32_t bottom;
    size_t count = 0;
    if (window->rect_count == 0 || window->rect_count > RP_WINDOW_RECTS_MAX || window->is_filled) {
        return false;
    }
    const bool has_columns = find_old(window->x, window->width, old_width, &left, &right);
    const bool has_rows = find_old(window->y, window->height, old_height, &top, &bottom);
    rows[count++] = 0;
    rows[count++] = has_rows ? top : 0;
    rows[count++] = has_rows ? bottom : 0;
    for (size_t i = 0; i < window->rect_count; i++) {
        by_x[i] = window->rects + 4u * i;
        rows[count++] = by_x[i][1];
        rows[count++] = by_x[i][1] + by_x[i][3];
    }
    qsort(by_x, window->rect_count, sizeof(uint32_t *), compare_columns);
    qsort(rows, count, sizeof *rows, compare_rows);
    for (size_t i = 0; i < count && rows[i] < window->height; i++) {
        const bool is_old = has_columns && has_rows && rows[i] >= top && rows[i] < bottom;
        const band_t band = {window, by_x, rows[i], is_old ? left : 0, is_old ? right : 0};
        *x = find_column(&band);
        *y = rows[i];
        if (*x < window->width) {
            return true;
        }
    }
    return false;
}

// ---- windows that were

const rp_known_window_t *rp_windows_find(const rp_windows_t *self, uint64_t number)
{
    const rp_known_window_t *window =
        &self->list[(number != 0 ? number : self->newest) % RP_WINDOWS_KEPT];
    return number == 0 || window->number == number ? window : NULL;
}

rp_known_window_t rp_windows_next(const rp_windows_t *self, const rp_placed_t *placed)
{
    return (rp_known_window_t){
        .number = self->newest + 1u,
        .offset_x = placed->offset_x,
        .offset_y = placed->offset_y,
        .width = placed->window.width,
        .height = placed->window.height,
        .origin_x_m = placed->frame.origin_x_m,
        .origin_y_m = placed->frame.origin_y_m,
    };
}

void rp_windows_add(rp_windows_t *self, const rp_placed_t *placed, bool is_told)
{
    const rp_known_window_t next = rp_windows_next(self, placed);
    self->newest = next.number;
    self->list[next.number % RP_WINDOWS_KEPT] = next;
    if (is_told) {
        self->told_x_m = next.origin_x_m;
        self->told_y_m = next.origin_y_m;
        self->told_offset_x = next.offset_x;
        self->told_offset_y = next.offset_y;
    }
}

void rp_windows_init(rp_windows_t *self, const rp_frame_t *frame, uint32_t width, uint32_t height)
{
    const rp_placed_t first = {.window = {.width = width, .height = height}, .frame = *frame};
    memset(self, 0, sizeof *self);
    self->first_x_m = frame->origin_x_m;
    self->first_y_m = frame->origin_y_m;
    rp_windows_add(self, &first, true);
}
