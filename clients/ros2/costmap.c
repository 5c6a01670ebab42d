#include "clients/ros2/costmap.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/ros2/tf_tree.h"
#include "files/occupancy.h"

/// Digits that tell any 32-bit float from its neighbours.
#define FLOAT_DIGITS 9

// ---- what a cell means

static uint8_t map_byte(int occupancy, unsigned threshold)
{
    if (occupancy == RP_OCCUPANCY_UNKNOWN) {
        return RP_COSTMAP_UNKNOWN;
    }
    return occupancy >= (int)threshold ? RP_COSTMAP_LETHAL : 0;
}

rp_ros_bytes_t rp_ros_bytes_of(rp_ros_grid_kind_t kind, unsigned threshold)
{
    rp_ros_bytes_t self = {.is_identity = kind == RP_ROS_COSTMAP_RAW};
    for (int value = 0; value < 256; value++) {
        const int occupancy = (int8_t)value;
        self.is_legal[value] = kind == RP_ROS_COSTMAP_RAW || (occupancy >= RP_OCCUPANCY_UNKNOWN &&
                                                              occupancy <= RP_OCCUPANCY_OCCUPIED);
        if (self.is_legal[value]) {
            self.byte[value] = kind == RP_ROS_COSTMAP_RAW ? (uint8_t)value
                               : kind == RP_ROS_MAP       ? map_byte(occupancy, threshold)
                                                          : rp_occupancy_byte(occupancy);
        }
    }
    return self;
}

double rp_ros_shortest_decimal(float value)
{
    char text[32];
    double decimal = (double)value;
    for (int digits = 1; digits <= FLOAT_DIGITS; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)value);
        decimal = strtod(text, NULL);
        if ((float)decimal == value) {
            break;
        }
    }
    return decimal;
}

/// @return the number of the first cell whose value the topic cannot have; size: there is none
static size_t illegal_cell(const rp_ros_bytes_t *bytes, const uint8_t *data, size_t size)
{
    size_t at = bytes->is_identity ? size : 0;
    while (at < size && bytes->is_legal[data[at]]) {
        at++;
    }
    return at;
}

// ---- what is refused

static bool refuse_size(const rp_ros_grid_t *grid, rp_ros_faults_t *faults)
{
    const uint64_t cells = (uint64_t)grid->width * grid->height;
    if (grid->width == 0 || grid->height == 0) {
        rp_ros_fault(faults, RP_ROS_FAULT_GRID, "%" PRIu32 " x %" PRIu32 " cells", grid->width,
                     grid->height);
    } else if (grid->width > RP_LIMIT_SIDE || grid->height > RP_LIMIT_SIDE ||
               cells > RP_LIMIT_CELLS) {
        rp_ros_fault(faults, RP_ROS_FAULT_GRID,
                     "%" PRIu32 " x %" PRIu32 " cells, at most %u a side and %u in all",
                     grid->width, grid->height, RP_LIMIT_SIDE, RP_LIMIT_CELLS);
    } else if (cells != grid->size) {
        rp_ros_fault(faults, RP_ROS_FAULT_GRID, "%" PRIu32 " x %" PRIu32 " cells, but %zu bytes",
                     grid->width, grid->height, grid->size);
    } else {
        return false;
    }
    return true;
}

static bool is_resolution(float metres)
{
    return (double)metres >= RP_LIMIT_RESOLUTION_MIN && (double)metres <= RP_LIMIT_RESOLUTION_MAX;
}

static bool refuse_place(const rp_ros_grid_t *grid, const char *frame_id, rp_planar_t *origin,
                         rp_ros_faults_t *faults)
{
    const char *fault = rp_planar_of(&grid->origin, origin);
    if (!is_resolution(grid->resolution)) {
        rp_ros_fault(faults, RP_ROS_FAULT_GRID, "resolution %g m is outside %g..%g",
                     (double)grid->resolution, RP_LIMIT_RESOLUTION_MIN, RP_LIMIT_RESOLUTION_MAX);
    } else if (fault != NULL) {
        rp_ros_fault(faults, RP_ROS_FAULT_GRID, "its origin has %s", fault);
    } else if (!rp_tf_is_name(grid->frame_id)) {
        rp_ros_fault(faults, RP_ROS_FAULT_GRID, "frame_id \"%s\" is not 1..%u printable characters",
                     rp_ros_quote(grid->frame_id).text, RP_LIMIT_FRAME_ID);
    } else if (frame_id[0] != '\0' && strcmp(frame_id, grid->frame_id) != 0) {
        rp_ros_fault(faults, RP_ROS_FAULT_GRID, "it is in frame %s, global_frame is %s",
                     grid->frame_id, frame_id);
    } else {
        return false;
    }
    return true;
}

static bool refuse_cells(const rp_ros_bytes_t *bytes, const uint8_t *data, size_t size,
                         rp_ros_fault_kind_t kind, rp_ros_faults_t *faults)
{
    const size_t at = illegal_cell(bytes, data, size);
    if (at < size) {
        rp_ros_fault(faults, kind, "cell %zu is %d, not -1 or 0..100", at, (int8_t)data[at]);
    }
    return at < size;
}

// ---- cells

/// @return the cells as bytes of the world; borrowed until the next row
static const uint8_t *convert(rp_ros_costmap_t *self, const rp_ros_bytes_t *bytes,
                              const uint8_t *data, uint32_t count)
{
    if (bytes->is_identity) {
        return data;
    }
    for (uint32_t i = 0; i < count; i++) {
        self->row[i] = bytes->byte[data[i]];
    }
    return self->row;
}

rp_ros_rect_t rp_ros_rect_join(const rp_ros_rect_t *a, const rp_ros_rect_t *b)
{
    if (a->width == 0 || b->width == 0) {
        return a->width == 0 ? *b : *a;
    }
    const uint32_t left = a->x < b->x ? a->x : b->x, low = a->y < b->y ? a->y : b->y;
    const uint32_t a_right = a->x + a->width, b_right = b->x + b->width;
    const uint32_t a_top = a->y + a->height, b_top = b->y + b->height;
    return (rp_ros_rect_t){left, low, (a_right > b_right ? a_right : b_right) - left,
                           (a_top > b_top ? a_top : b_top) - low};
}

/// Copy one row of new bytes; what differs joins `rect`.
static void write_row(rp_ros_costmap_t *self, uint32_t x, uint32_t y, const uint8_t *bytes,
                      uint32_t count, rp_ros_rect_t *rect)
{
    uint8_t *row = self->bytes + (size_t)y * self->width + x;
    if (memcmp(row, bytes, count) == 0) {
        return;
    }
    uint32_t first = 0, end = count;
    while (row[first] == bytes[first]) {
        first++;
    }
    while (row[end - 1] == bytes[end - 1]) {
        end--;
    }
    memcpy(row + first, bytes + first, end - first);
    const rp_ros_rect_t changed = {x + first, y, end - first, 1};
    *rect = rp_ros_rect_join(rect, &changed);
}

static void write_cells(rp_ros_costmap_t *self, const rp_ros_rect_t *to, const uint8_t *data,
                        const rp_ros_bytes_t *bytes, rp_ros_rect_t *rect)
{
    *rect = (rp_ros_rect_t){0};
    for (uint32_t y = 0; y < to->height; y++) {
        const uint8_t *row = convert(self, bytes, data + (size_t)y * to->width, to->width);
        write_row(self, to->x, to->y + y, row, to->width, rect);
    }
}

/// All cells, whatever was there.
static void fill(rp_ros_costmap_t *self, const uint8_t *data, const rp_ros_bytes_t *bytes)
{
    for (uint32_t y = 0; y < self->height; y++) {
        const size_t at = (size_t)y * self->width;
        memcpy(self->bytes + at, convert(self, bytes, data + at, self->width), self->width);
    }
}

/// Room for all cells, and for a row. @return false without memory
static bool make_room(rp_ros_costmap_t *self, size_t cells)
{
    if (self->row == NULL) {
        self->row = malloc(RP_LIMIT_SIDE);
    }
    if (cells != self->capacity) { // exactly: a large map that went takes no memory
        uint8_t *bytes = realloc(self->bytes, cells);
        self->bytes = bytes != NULL ? bytes : self->bytes;
        self->capacity = bytes != NULL ? cells : self->capacity;
    }
    return self->row != NULL && self->capacity == cells;
}

// ---- messages

static rp_ros_change_t compare(const rp_ros_costmap_t *self, const rp_ros_grid_t *grid,
                               double resolution_m, const rp_planar_t *origin)
{
    if (strcmp(self->frame_id, grid->frame_id) != 0 || self->resolution_m != resolution_m ||
        self->origin.yaw != origin->yaw) {
        return RP_ROS_WORLD;
    }
    const bool is_same = self->width == grid->width && self->height == grid->height &&
                         self->origin.x_m == origin->x_m && self->origin.y_m == origin->y_m;
    return is_same ? RP_ROS_CELLS : RP_ROS_WINDOW;
}

static void place(rp_ros_costmap_t *self, const rp_ros_grid_t *grid, double resolution_m,
                  const rp_planar_t *origin)
{
    strcpy(self->frame_id, grid->frame_id); // its length was checked
    self->resolution_m = resolution_m;
    self->origin = *origin;
    self->width = grid->width;
    self->height = grid->height;
}

rp_ros_change_t rp_ros_costmap_take(rp_ros_costmap_t *self, const rp_ros_grid_t *grid,
                                    const rp_ros_bytes_t *bytes, const char *frame_id,
                                    rp_ros_rect_t *rect, rp_ros_faults_t *faults)
{
    rp_planar_t origin = {0};
    if (refuse_size(grid, faults) || refuse_place(grid, frame_id, &origin, faults) ||
        refuse_cells(bytes, grid->data, grid->size, RP_ROS_FAULT_GRID, faults)) {
        return RP_ROS_NOTHING;
    }
    if (!make_room(self, grid->size)) {
        self->frame_id[0] = '\0'; // what is left fits no window
        rp_ros_fault(faults, RP_ROS_FAULT_GRID, "no memory for %zu cells", grid->size);
        return RP_ROS_NOTHING;
    }
    const double resolution_m = rp_ros_shortest_decimal(grid->resolution);
    const rp_ros_change_t change = compare(self, grid, resolution_m, &origin);
    place(self, grid, resolution_m, &origin);
    const rp_ros_rect_t whole = {0, 0, grid->width, grid->height};
    if (change == RP_ROS_CELLS) {
        write_cells(self, &whole, grid->data, bytes, rect);
    } else {
        fill(self, grid->data, bytes);
    }
    self->full_stamp_ns = grid->stamp_ns != 0 ? grid->stamp_ns : self->full_stamp_ns;
    self->full_ms = faults->now_ms;
    self->grids++;
    return change != RP_ROS_CELLS || rect->width != 0 ? change : RP_ROS_NOTHING;
}

static bool refuse_update(const rp_ros_costmap_t *self, const rp_ros_grid_update_t *update,
                          rp_ros_faults_t *faults)
{
    const int64_t width = update->width, height = update->height;
    if (self->frame_id[0] == '\0') {
        rp_ros_fault(faults, RP_ROS_FAULT_UPDATE, "no full grid came yet");
    } else if (strcmp(self->frame_id, update->frame_id) != 0) {
        rp_ros_fault(faults, RP_ROS_FAULT_UPDATE, "it is in frame %s, the grid in %s",
                     rp_ros_quote(update->frame_id).text, self->frame_id);
    } else if (update->x < 0 || update->y < 0 || update->x + width > self->width ||
               update->y + height > self->height) {
        rp_ros_fault(faults, RP_ROS_FAULT_UPDATE,
                     "%" PRId64 " x %" PRId64 " cells at (%" PRId64 ", %" PRId64
                     ") are not inside %" PRIu32 " x %" PRIu32,
                     width, height, update->x, update->y, self->width, self->height);
    } else if (update->stamp_ns != 0 && update->stamp_ns < self->full_stamp_ns &&
               update->stamp_ns >= self->full_stamp_ns - RP_TF_JUMP_NS) {
        rp_ros_fault(faults, RP_ROS_FAULT_OLD, "an update is %.3f s older than the grid",
                     (double)(self->full_stamp_ns - update->stamp_ns) * 1e-9);
    } else if ((uint64_t)width * (uint64_t)height != update->size) {
        rp_ros_fault(faults, RP_ROS_FAULT_UPDATE, "%" PRId64 " x %" PRId64 " cells, but %zu bytes",
                     width, height, update->size);
    } else {
        return false;
    }
    return true;
}

rp_ros_change_t rp_ros_costmap_update(rp_ros_costmap_t *self, const rp_ros_grid_update_t *update,
                                      const rp_ros_bytes_t *bytes, rp_ros_rect_t *rect,
                                      rp_ros_faults_t *faults)
{
    if (refuse_update(self, update, faults) ||
        refuse_cells(bytes, update->data, update->size, RP_ROS_FAULT_UPDATE, faults)) {
        return RP_ROS_NOTHING;
    }
    const rp_ros_rect_t to = {(uint32_t)update->x, (uint32_t)update->y, update->width,
                              update->height};
    write_cells(self, &to, update->data, bytes, rect);
    self->updates++;
    return rect->width != 0 ? RP_ROS_CELLS : RP_ROS_NOTHING;
}

bool rp_ros_costmap_byte_at(const rp_ros_costmap_t *self, double x_m, double y_m, uint8_t *byte)
{
    const double cosine = cos(self->origin.yaw), sine = sin(self->origin.yaw);
    const double east_m = x_m - self->origin.x_m, north_m = y_m - self->origin.y_m;
    const double x = floor((cosine * east_m + sine * north_m) / self->resolution_m);
    const double y = floor((cosine * north_m - sine * east_m) / self->resolution_m);
    if (!(x >= 0.0 && y >= 0.0 && x < self->width && y < self->height)) {
        return false;
    }
    *byte = self->bytes[(size_t)y * self->width + (size_t)x];
    return true;
}

void rp_ros_costmap_fini(rp_ros_costmap_t *self)
{
    free(self->bytes);
    free(self->row);
    *self = (rp_ros_costmap_t){0};
}
