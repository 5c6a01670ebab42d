/// Bytes of a world and how an edit is written into them.
#include "engine/ground/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/ground/snap.h"
#include "engine/ground/staged_edit.h"

/// Cells that are counted in the time of an expansion, with a hash and without; and those that are
/// at once.
#define HASHED_EACH     32u
#define SEEN_EACH       1024u
#define COUNTED_AT_ONCE 65536u

/// What a version may take that asks sessions, as much as a step.
#define ASKED_AT_ONCE 8192u

// ---- what is counted

bool rp_world_is_counted(const rp_world_t *self)
{
    return self->counted == self->cells;
}

static void count_cells(rp_world_t *self, uint64_t count)
{
    const uint64_t end = self->counted + count;
    rp_lazy_fill_need(&self->unfilled, self->bytes, self->counted, end);
    for (uint64_t i = self->counted; i < end; i++) {
        self->unknown_count += self->bytes[i] == RP_BYTE_UNKNOWN;
    }
    for (uint64_t i = self->counted; i < end && self->cell_hash != NULL; i++) {
        self->hash ^= self->cell_hash(i, self->bytes[i]);
    }
    self->counted = end;
}

void rp_world_recount(rp_world_t *self)
{
    self->hash = 0;
    self->unknown_count = 0;
    self->counted = 0;
    count_cells(self, self->cells < COUNTED_AT_ONCE ? self->cells : COUNTED_AT_ONCE);
}

bool rp_world_count(rp_world_t *self, uint64_t *budget)
{
    const uint64_t each = self->cell_hash != NULL ? HASHED_EACH : SEEN_EACH;
    const uint64_t left = self->cells - self->counted;
    const uint64_t price = left / each + 1u;
    if (left != 0 && *budget >= price) {
        count_cells(self, left);
        *budget -= price;
    } else if (left != 0) {
        count_cells(self, *budget * each);
        *budget = 0;
    }
    return !rp_world_is_counted(self);
}

// ---- edits

void rp_world_complete(rp_world_t *self)
{
    uint64_t budget = UINT64_MAX;
    (void)rp_lazy_fill_work(&self->unfilled, self->bytes, &budget);
}

/// Have the bytes written that an edit reads and writes.
static void need_edit(rp_world_t *self, const rp_edit_t *edit)
{
    const uint64_t width = self->layers[0]->grid->shape.width;
    if (rp_world_is_written(self)) {
        return;
    }
    if (edit->width != 0) {
        const uint64_t first = edit->y * width;
        rp_lazy_fill_need(&self->unfilled, self->bytes, first, first + edit->height * width);
    }
    for (size_t i = 0; i < edit->cell_count; i++) {
        rp_lazy_fill_need(&self->unfilled, self->bytes, edit->cells[i],
                          (uint64_t)edit->cells[i] + 1u);
    }
}

static bool edit_is_inside(const rp_edit_t *edit, const rp_grid_shape_t *shape)
{
    if (edit->cells == NULL && edit->cell_count != 0) {
        return false;
    }
    if (edit->width != 0 &&
        (edit->height == 0 || edit->width > shape->width || edit->height > shape->height ||
         edit->x > shape->width - edit->width || edit->y > shape->height - edit->height)) {
        return false;
    }
    const uint64_t cells = (uint64_t)shape->width * shape->height;
    for (size_t i = 0; i < edit->cell_count; i++) {
        if (edit->cells[i] >= cells) {
            return false;
        }
    }
    return true;
}

/// Write an effective byte that is another one. Not part of the loops: most writes change nothing.
static void change_byte(rp_world_t *self, uint64_t index, rp_cell_t cell, uint8_t byte)
{
    const rp_written_t written = {index, cell, self->bytes[index], byte};
    self->bytes[index] = byte;
    if (index < self->counted) {
        self->unknown_count += byte == RP_BYTE_UNKNOWN;
        self->unknown_count -= written.before == RP_BYTE_UNKNOWN;
        if (self->cell_hash != NULL) {
            self->hash ^= self->cell_hash(index, written.before) ^ self->cell_hash(index, byte);
        }
    }
    if (self->rewritten_is_kept) {
        self->rewritten_cells[self->rewritten_count] = (uint32_t)index;
        self->rewritten_values[self->rewritten_count++] = byte;
    }
    for (uint32_t i = 0; i < self->layer_count; i++) {
        rp_layer_write(self->layers[i], &written);
    }
}

void rp_world_put(rp_world_t *self, uint64_t index, rp_cell_t cell, uint8_t byte)
{
    if (self->bytes[index] != byte) {
        change_byte(self, index, cell, byte);
    }
}

/// Write a byte of an edit.
/// @param is_bare  there are no shapes beneath which it might stand
static inline void write_byte(rp_world_t *self, uint64_t index, rp_cell_t cell, uint8_t byte,
                              bool is_bare)
{
    if ((is_bare || !rp_overlay_hides(&self->overlay, index, byte)) && self->bytes[index] != byte) {
        change_byte(self, index, cell, byte);
    }
}

static void write_rectangle(rp_world_t *self, const rp_edit_t *edit, bool is_bare)
{
    const rp_grid_t *grid = self->layers[0]->grid;
    for (uint32_t row = 0; row < edit->height; row++) {
        const uint64_t index = (uint64_t)(edit->y + row) * grid->shape.width + edit->x;
        const uint8_t *data = rp_edit_row(edit, row);
        const rp_cell_t first = rp_grid_cell(grid, edit->x, edit->y + row);
        for (uint32_t column = 0; column < edit->width; column++) {
            const uint8_t byte = data != NULL ? data[column] : edit->fill;
            write_byte(self, index + column, first + column, byte, is_bare);
        }
    }
}

bool rp_world_reserve_rewritten(rp_world_t *self, size_t count)
{
    if (count <= self->rewritten_capacity) {
        return true;
    }
    uint32_t *cells = realloc(self->rewritten_cells, count * sizeof *cells);
    if (cells == NULL) {
        return false;
    }
    self->rewritten_cells = cells;
    uint8_t *values = realloc(self->rewritten_values, count);
    if (values == NULL) {
        return false;
    }
    self->rewritten_values = values;
    self->rewritten_capacity = count;
    return true;
}

rp_status_t rp_world_begin(rp_world_t *self, size_t count, bool is_kept)
{
    if (is_kept && !rp_world_reserve_rewritten(self, count)) {
        return RP_E_MEMORY;
    }
    for (uint32_t i = 0; i < self->layer_count; i++) {
        const rp_status_t status = rp_layer_begin(self->layers[i], count);
        if (status != RP_OK) {
            return status;
        }
    }
    self->rewritten_is_kept = is_kept;
    self->rewritten_count = 0;
    return RP_OK;
}

void rp_world_commit(rp_world_t *self)
{
    self->version++;
    for (uint32_t i = 0; i < self->layer_count; i++) {
        (void)rp_layer_commit(self->layers[i], self->version);
    }
}

void rp_world_lift(rp_world_t *self, const rp_box_t *box)
{
    self->version++;
    rp_world_recount(self);
    for (uint32_t i = 0; i < self->layer_count; i++) {
        rp_layer_lift(self->layers[i], box, self->version);
    }
}

bool rp_world_holds_edit(const rp_world_t *self, const rp_edit_t *edit)
{
    return edit_is_inside(edit, &self->layers[0]->grid->shape);
}

bool rp_edit_box(const rp_edit_t *edit, uint32_t world_width, rp_box_t *box)
{
    uint32_t left = edit->width != 0 ? edit->x : UINT32_MAX;
    uint32_t top = edit->width != 0 ? edit->y : UINT32_MAX;
    uint32_t right = edit->width != 0 ? edit->x + edit->width : 0;
    uint32_t bottom = edit->width != 0 ? edit->y + edit->height : 0;
    for (size_t i = 0; i < edit->cell_count; i++) {
        const uint32_t x = edit->cells[i] % world_width;
        const uint32_t y = edit->cells[i] / world_width;
        left = x < left ? x : left;
        top = y < top ? y : top;
        right = x + 1u > right ? x + 1u : right;
        bottom = y + 1u > bottom ? y + 1u : bottom;
    }
    *box = (rp_box_t){left, top, right - left, bottom - top};
    return right != 0;
}

static uint8_t value_of(const rp_edit_t *edit, size_t i)
{
    return edit->values != NULL ? edit->values[i] : edit->value;
}

/// Bytes of an edit that are others than those that stand there; beyond RP_WORLD_REWRITTEN_MOST not
/// all.
static size_t count_rewritten(const rp_world_t *self, const rp_edit_t *edit)
{
    const uint32_t width = self->layers[0]->grid->shape.width;
    size_t count = 0;
    for (uint32_t row = 0;
         edit->width != 0 && row < edit->height && count <= RP_WORLD_REWRITTEN_MOST; row++) {
        const uint8_t *bytes = self->bytes + (size_t)(edit->y + row) * width + edit->x;
        const uint8_t *data = rp_edit_row(edit, row);
        uint32_t others = 0; // of 32 bits, so that many are compared at a time
        for (uint32_t i = 0; i < edit->width; i++) {
            others += bytes[i] != (data != NULL ? data[i] : edit->fill);
        }
        count += others;
    }
    for (size_t i = 0; i < edit->cell_count && count <= RP_WORLD_REWRITTEN_MOST; i++) {
        count += self->bytes[edit->cells[i]] != value_of(edit, i);
    }
    return count;
}

/// The next version, of a world without shapes: bytes are written at once, and the rest is found
/// anew from them when somebody needs it.
static void rewrite(rp_world_t *self, const rp_edit_t *edit)
{
    const uint32_t width = self->layers[0]->grid->shape.width;
    rp_box_t box;
    for (uint32_t row = 0; edit->width != 0 && row < edit->height; row++) {
        uint8_t *bytes = self->bytes + (size_t)(edit->y + row) * width + edit->x;
        if (edit->data != NULL) {
            memcpy(bytes, rp_edit_row(edit, row), edit->width);
        } else {
            memset(bytes, edit->fill, edit->width);
        }
    }
    for (size_t i = 0; i < edit->cell_count; i++) {
        self->bytes[edit->cells[i]] = value_of(edit, i);
    }
    self->rewritten_is_kept = false;
    (void)rp_edit_box(edit, width, &box);
    rp_world_lift(self, &box);
}

rp_status_t rp_world_write(rp_world_t *self, const rp_edit_t *edit)
{
    const rp_grid_t *grid = self->layers[0]->grid;
    if (rp_staged_edit_serves(edit->staged_edit, self)) {
        return rp_staged_edit_apply(edit->staged_edit);
    }
    if (!edit_is_inside(edit, &grid->shape)) {
        return RP_E_INVALID;
    }
    need_edit(self, edit);
    const size_t area = edit->width != 0 ? (size_t)edit->width * edit->height : 0;
    const bool is_bare = self->overlay.base == NULL;
    const size_t most = is_bare ? count_rewritten(self, edit) : area + edit->cell_count;
    if (is_bare && most > RP_WORLD_REWRITTEN_MOST) {
        rewrite(self, edit);
        return RP_OK;
    }
    const rp_status_t status = rp_world_begin(self, most, !is_bare);
    if (status != RP_OK) {
        return status;
    }
    if (area != 0) {
        write_rectangle(self, edit, is_bare);
    }
    for (size_t i = 0; i < edit->cell_count; i++) {
        const uint32_t index = edit->cells[i];
        const uint32_t y = index / grid->shape.width;
        write_byte(self, index, rp_grid_cell(grid, index - y * grid->shape.width, y),
                   value_of(edit, i), is_bare);
    }
    rp_world_commit(self);
    return RP_OK;
}

// ---- frame

static bool frame_is_legal(const rp_frame_t *frame)
{
    return isfinite(frame->resolution_m) && frame->resolution_m > 0.0 &&
           isfinite(frame->origin_x_m) && isfinite(frame->origin_y_m) &&
           isfinite(frame->origin_yaw);
}

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

uint64_t rp_world_bytes(const rp_world_t *self)
{
    uint64_t bytes = sizeof *self + (self->overlay.base != NULL ? 2u : 1u) * self->cells +
                     self->rewritten_capacity * (sizeof *self->rewritten_cells + 1u);
    for (uint32_t i = 0; i < self->layer_count; i++) {
        bytes += rp_layer_bytes(self->layers[i]);
    }
    return bytes;
}

// ---- birth and death

/// The first bytes: those that the options give or name, else the same one everywhere.
/// @param normal  the byte of normal ground
static rp_status_t take_bytes(rp_world_t *self, const rp_world_options_t *options, uint8_t normal)
{
    if (options->given != NULL) {
        self->bytes = options->given;
        return RP_OK;
    }
    self->bytes = malloc(self->cells);
    if (self->bytes == NULL) {
        return RP_E_MEMORY;
    }
    if (options->data != NULL) {
        memcpy(self->bytes, options->data, self->cells);
    } else {
        rp_lazy_fill_init(&self->unfilled, self->bytes, self->cells,
                          options->is_filled ? options->fill : normal);
    }
    return RP_OK;
}

rp_status_t rp_world_new(const rp_world_options_t *options, rp_world_id_t id,
                         rp_deferred_free_t *deferred_free, rp_world_t **world)
{
    if (options->width == 0 || options->height == 0 || options->width > RP_GRID_SIDE_MAX ||
        options->height > RP_GRID_SIDE_MAX || !frame_is_legal(&options->frame)) {
        return RP_E_INVALID;
    }
    const rp_grid_shape_t shape = {
        .width = options->width,
        .height = options->height,
        .neighbors = options->neighbors,
        .wraps = options->wraps,
    };
    rp_world_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return RP_E_MEMORY;
    }
    rp_profile_t profile;
    rp_status_t status = rp_world_take_profiles(self, options);
    if (status != RP_OK) {
        goto fail;
    }
    if (!rp_world_find_profile(self, options->profile, &profile)) {
        status = RP_E_UNKNOWN;
        goto fail;
    }
    self->cells = (uint64_t)options->width * options->height;
    status = take_bytes(self, options, profile.normal);
    if (status != RP_OK) {
        goto fail;
    }
    self->cell_hash = options->cell_hash;
    self->deferred_free = deferred_free;
    rp_overlay_init(&self->overlay);
    self->id = id;
    self->asked_at_once = ASKED_AT_ONCE;
    self->version = options->first_version != 0 ? options->first_version : 1u;
    self->frame = options->frame;
    if (options->windows != NULL) {
        const rp_known_window_t *newest = rp_windows_find(options->windows, 0);
        if (newest->width != options->width || newest->height != options->height) {
            status = RP_E_INVALID;
            goto fail;
        }
        self->windows = *options->windows;
    } else {
        rp_windows_init(&self->windows, &options->frame, options->width, options->height);
    }
    self->cosine = cos(options->frame.origin_yaw);
    self->sine = sin(options->frame.origin_yaw);
    const rp_inflation_t none = {.reach = 0};
    status = rp_world_add_layer(self, &shape, &profile, &none);
    if (status != RP_OK) {
        goto fail;
    }
    rp_world_recount(self);
    *world = self;
    return RP_OK;
fail:
    self->bytes = self->bytes == options->given ? NULL : self->bytes; // still the caller's
    rp_world_destroy(&self);
    return status;
}

void rp_world_destroy(rp_world_t **self)
{
    rp_world_t *world = *self;
    if (world == NULL) {
        return;
    }
    for (uint32_t i = 0; i < world->layer_count; i++) {
        rp_layer_fini(world->layers[i]);
        free(world->layers[i]);
    }
    if (world->staged_edit != NULL) {
        world->staged_edit->world = NULL;
    }
    rp_overlay_fini(&world->overlay);
    free(world->rewritten_cells);
    free(world->rewritten_values);
    free(world->profiles);
    free(world->bytes);
    free(world);
    *self = NULL;
}
