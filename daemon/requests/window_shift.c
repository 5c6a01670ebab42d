/// Cells move by the difference of the windows' offsets. What once left a window is forgotten, so
/// only what lies in all windows since may be written.
#include "daemon/requests/window_shift.h"

#include <string.h>

#include "daemon/requests/handlers.h"
#include "daemon/requests/state.h"
#include "daemon/serving/encode.h"

// ---- which window

/// The newest window that a world was in an epoch.
/// @return 0 when the epoch is not known
static uint64_t newest_of(const rp_daemon_t *self, const rp_served_t *world, uint64_t epoch)
{
    const uint64_t newest = rp_engine_window(self->engine, world->id, 0)->number;
    const rp_past_epoch_t *past = rp_epochs_find(&world->epochs, epoch);
    const bool is_present = epoch == 0 || epoch == world->epoch;
    // What is told again after a restart was found right before.
    return is_present     ? newest
           : past != NULL ? past->newest
                          : (rp_state_is_restoring(self) ? newest : 0);
}

static bool refuse_gone(const rp_served_t *world, const char *field, uint64_t epoch,
                        uint64_t window, uint64_t newest, rp_refusal_t *refusal)
{
    return rp_refuse(refusal, REPLAN__V1__STATUS__GONE,
                     "%s.window %llu of epoch %llu is not known: it is window %llu of epoch %llu "
                     "now, and the last %u are kept",
                     field, (unsigned long long)window, (unsigned long long)epoch,
                     (unsigned long long)newest, (unsigned long long)world->epoch, RP_WINDOWS_KEPT);
}

/// Leave what lies in another window, too.
static void narrow(rp_window_shift_t *self, const rp_known_window_t *window)
{
    const int64_t left = window->offset_x - self->to.offset_x;
    const int64_t top = window->offset_y - self->to.offset_y;
    const int64_t right = left + window->width;
    const int64_t bottom = top + window->height;
    self->left = left > self->left ? left : self->left;
    self->top = top > self->top ? top : self->top;
    self->right = right < self->right ? right : self->right;
    self->bottom = bottom < self->bottom ? bottom : self->bottom;
}

bool rp_window_shift_find(const rp_daemon_t *self, const rp_served_t *world, const char *field,
                          uint64_t epoch, uint64_t window, rp_window_shift_t *shift,
                          rp_refusal_t *refusal)
{
    const rp_known_window_t *newest = rp_engine_window(self->engine, world->id, 0);
    const uint64_t last = newest_of(self, world, epoch);
    const uint64_t number = window != 0 ? window : last;
    if (epoch == world->epoch && number > last) {
        return rp_refuse(refusal, REPLAN__V1__STATUS__INVALID,
                         "%s.window is %llu, the newest of the world is %llu", field,
                         (unsigned long long)window, (unsigned long long)last);
    }
    const rp_known_window_t *from =
        number != 0 && number <= last ? rp_engine_window(self->engine, world->id, number) : NULL;
    if (from == NULL) {
        return refuse_gone(world, field, epoch, window, newest->number, refusal);
    }
    *shift = (rp_window_shift_t){
        .from = *from, .to = *newest, .right = newest->width, .bottom = newest->height};
    for (uint64_t since = number; since < newest->number; since++) {
        narrow(shift, rp_engine_window(self->engine, world->id, since));
    }
    return true;
}

void rp_encode_window(const rp_daemon_t *self, const rp_served_t *world,
                      Replan__V1__Geometry *geometry, Replan__V1__Window *window)
{
    rp_encode_geometry(world, geometry);
    replan__v1__window__init(window);
    window->epoch = world->epoch;
    window->window = rp_engine_window(self->engine, world->id, 0)->number;
    window->geometry = geometry;
}

// ---- a change for it

bool rp_rectangle_is_inside(const Replan__V1__Change *change, const rp_known_window_t *window,
                            rp_refusal_t *refusal)
{
    return ((uint64_t)change->x + change->width <= window->width &&
            (uint64_t)change->y + change->height <= window->height) ||
           rp_refuse(refusal, REPLAN__V1__STATUS__INVALID,
                     "change: the rectangle %u x %u at (%u, %u) reaches outside the world of "
                     "%u x %u",
                     change->width, change->height, change->x, change->y, window->width,
                     window->height);
}

bool rp_cell_is_inside(const Replan__V1__Change *change, size_t i, const rp_known_window_t *window,
                       rp_refusal_t *refusal)
{
    const uint64_t cells = (uint64_t)window->width * window->height;
    return change->cells[i] < cells ||
           rp_refuse(refusal, REPLAN__V1__STATUS__INVALID,
                     "change.cells[%zu] is %u, the world of %u x %u has cells below %llu", i,
                     change->cells[i], window->width, window->height, (unsigned long long)cells);
}

bool rp_window_shift_cell(const rp_window_shift_t *self, uint32_t cell, uint32_t *moved)
{
    const int64_t x = rp_window_shift_x(self, cell % self->from.width);
    const int64_t y = rp_window_shift_y(self, cell / self->from.width);
    if (cell / self->from.width >= self->from.height || x < self->left || x >= self->right ||
        y < self->top || y >= self->bottom) {
        return false;
    }
    *moved = (uint32_t)y * self->to.width + (uint32_t)x;
    return true;
}

uint64_t rp_window_shift_rectangle(const rp_window_shift_t *shift, rp_edit_t *edit)
{
    const uint64_t area = (uint64_t)edit->width * edit->height;
    const int64_t x = rp_window_shift_x(shift, edit->x);
    const int64_t y = rp_window_shift_y(shift, edit->y);
    const int64_t left = x > shift->left ? x : shift->left;
    const int64_t top = y > shift->top ? y : shift->top;
    const int64_t right = x + edit->width < shift->right ? x + edit->width : shift->right;
    const int64_t bottom = y + edit->height < shift->bottom ? y + edit->height : shift->bottom;
    if (area == 0 || left >= right || top >= bottom) {
        edit->x = edit->y = edit->width = edit->height = 0;
        edit->data = NULL;
        return area;
    }
    edit->data =
        edit->data != NULL ? edit->data + (size_t)(top - y) * edit->width + (left - x) : NULL;
    edit->stride = edit->width;
    edit->x = (uint32_t)left;
    edit->y = (uint32_t)top;
    edit->width = (uint32_t)(right - left);
    edit->height = (uint32_t)(bottom - top);
    return area - (uint64_t)edit->width * edit->height;
}

/// Cells and values of their own, of the arena, without what is dropped.
/// @return false without memory
static bool place_cells(rp_arena_t *arena, const rp_window_shift_t *shift, rp_edit_t *edit)
{
    const size_t count = edit->cell_count;
    uint32_t *cells = rp_arena_take(arena, count * sizeof *cells);
    uint8_t *values = edit->values != NULL ? rp_arena_take(arena, count) : NULL;
    if (cells == NULL || (values == NULL && edit->values != NULL)) {
        return false;
    }
    edit->cell_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (values != NULL) {
            values[edit->cell_count] = edit->values[i];
        }
        edit->cell_count += rp_window_shift_cell(shift, edit->cells[i], &cells[edit->cell_count]);
    }
    edit->cells = cells;
    edit->values = values;
    return true;
}

bool rp_window_shift_change(rp_arena_t *arena, const Replan__V1__Change *change,
                            const rp_window_shift_t *shift, rp_edit_t *edit, uint64_t *dropped,
                            rp_refusal_t *refusal)
{
    *dropped = 0;
    if (!rp_rectangle_is_inside(change, &shift->from, refusal)) {
        return false;
    }
    for (size_t i = 0; i < change->n_cells; i++) {
        if (!rp_cell_is_inside(change, i, &shift->from, refusal)) {
            return false;
        }
    }
    *edit = rp_edit_of(change);
    if (rp_window_shift_is_none(shift)) {
        return true;
    }
    *dropped = rp_window_shift_rectangle(shift, edit);
    if (edit->cell_count != 0 && !place_cells(arena, shift, edit)) {
        return rp_refuse(refusal, REPLAN__V1__STATUS__LIMIT, "change: %s",
                         rp_status_text(RP_E_MEMORY));
    }
    *dropped += change->n_cells - edit->cell_count;
    return true;
}

// ---- a window as a delta

/// Rectangles of the newest window and their bytes.
typedef struct rects {
    uint32_t *list; ///< x, y, width, height by rectangle, of the arena
    size_t count;   ///< of rectangles
    uint64_t cells;
} rects_t;

static void add_rect(rects_t *self, int64_t left, int64_t top, int64_t right, int64_t bottom)
{
    if (left >= right || top >= bottom) {
        return;
    }
    uint32_t *rect = self->list + 4u * self->count++;
    rect[0] = (uint32_t)left;
    rect[1] = (uint32_t)top;
    rect[2] = (uint32_t)(right - left);
    rect[3] = (uint32_t)(bottom - top);
    self->cells += (uint64_t)rect[2] * rect[3];
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/// The strips that are new, then what the request stated of cells that are not.
static void find_rects(const rp_window_shift_t *shift, const rp_window_t *window, bool are_stated,
                       rects_t *rects)
{
    const int64_t width = shift->to.width;
    const int64_t height = shift->to.height;
    const bool is_apart = shift->left >= shift->right || shift->top >= shift->bottom;
    const int64_t top = is_apart ? height : shift->top;
    const int64_t bottom = is_apart ? height : shift->bottom;
    add_rect(rects, 0, 0, width, top);
    add_rect(rects, 0, bottom, width, height);
    add_rect(rects, 0, top, shift->left, bottom);
    add_rect(rects, shift->right, top, width, bottom);
    for (size_t i = 0; i < window->rect_count && are_stated && !is_apart; i++) {
        const uint32_t *rect = window->rects + 4u * i;
        add_rect(rects, greatest(rect[0], shift->left), greatest(rect[1], top),
                 least((int64_t)rect[0] + rect[2], shift->right),
                 least((int64_t)rect[1] + rect[3], bottom));
    }
}

/// @return of the arena; NULL without memory
static uint8_t *copy_rects(rp_daemon_t *self, const rp_served_t *world, const rects_t *rects)
{
    const uint8_t *bytes = rp_engine_bytes(self->engine, world->id);
    uint8_t *data = rp_arena_take(&self->arena, rects->cells);
    uint8_t *to = data;
    for (size_t i = 0; i < rects->count && data != NULL; i++) {
        const uint32_t *rect = rects->list + 4u * i;
        for (uint32_t row = 0; row < rect[3]; row++, to += rect[2]) {
            memcpy(to, bytes + (size_t)(rect[1] + row) * world->options.width + rect[0], rect[2]);
        }
    }
    return data;
}

static int32_t clamped(int64_t cells)
{
    return (int32_t)greatest(INT32_MIN, least(INT32_MAX, cells)); // so far away all cells are new
}

void rp_keep_window(rp_daemon_t *self, rp_served_t *world, const rp_known_window_t *before,
                    const rp_window_t *window, uint64_t version)
{
    const rp_known_window_t *newest = rp_engine_window(self->engine, world->id, 0);
    rp_window_shift_t shift = {
        .from = *before, .to = *newest, .right = newest->width, .bottom = newest->height};
    rects_t rects = {rp_arena_take(&self->arena, (window->rect_count + 4u) * 4u * sizeof(uint32_t)),
                     0, 0};
    Replan__V1__Delta delta;
    Replan__V1__Geometry geometry;
    rp_edit_t rewritten = {.cell_count = 0};
    const bool is_listed = rp_engine_rewritten(self->engine, world->id, &rewritten);
    const bool is_known = is_listed || !rp_engine_has_shapes(self->engine, world->id);
    rp_deltas_note_window(&world->deltas);
    narrow(&shift, before);
    if (rects.list != NULL) {
        find_rects(&shift, window, !is_listed, &rects);
    }
    const bool is_small = is_known && rects.list != NULL && rects.cells <= RP_LIMIT_DELTA_RING;
    uint8_t *data = is_small ? copy_rects(self, world, &rects) : NULL;
    if (data == NULL) {
        rp_keep_no_delta(world);
        return;
    }
    replan__v1__delta__init(&delta);
    rp_encode_geometry(world, &geometry);
    delta.geometry = &geometry;
    delta.moved_x = clamped(newest->offset_x - before->offset_x);
    delta.moved_y = clamped(newest->offset_y - before->offset_y);
    delta.n_rects = 4u * rects.count;
    delta.rects = rects.list;
    delta.rect_data = (ProtobufCBinaryData){rects.cells, data};
    delta.n_cells = rewritten.cell_count;
    delta.cells = (uint32_t *)rewritten.cells; // the generated type knows no const
    delta.values = (ProtobufCBinaryData){rewritten.cell_count, (uint8_t *)rewritten.values};
    rp_keep_delta(self, world, &delta, version);
}
