/// Cells move by the difference of the windows' offsets. What once left a window is forgotten, so
/// only what lies in all windows since may be written.
#include "daemon/rules/window_shift.h"

#include "daemon/rules/decode.h"
#include "daemon/rules/state.h"
#include "daemon/serving/encode.h"

// ---- which window

/// The newest window that a world was in an epoch.
/// @return 0 when the epoch is not known
static uint64_t newest_of(const rp_serving_t *self, const rp_served_t *world, uint64_t epoch)
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
void rp_window_shift_narrow(rp_window_shift_t *self, const rp_known_window_t *window)
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

bool rp_window_shift_find(const rp_serving_t *self, const rp_served_t *world, const char *field,
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
        rp_window_shift_narrow(shift, rp_engine_window(self->engine, world->id, since));
    }
    return true;
}

void rp_encode_window(const rp_serving_t *self, const rp_served_t *world,
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
static bool place_cells(rp_message_arena_t *arena, const rp_window_shift_t *shift, rp_edit_t *edit)
{
    const size_t count = edit->cell_count;
    uint32_t *cells = rp_message_arena_take(arena, count * sizeof *cells);
    uint8_t *values = edit->values != NULL ? rp_message_arena_take(arena, count) : NULL;
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

bool rp_window_shift_change(rp_message_arena_t *arena, const Replan__V1__Change *change,
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
    *edit = rp_decode_change(change);
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
