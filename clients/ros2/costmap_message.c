#include "clients/ros2/costmap_message.h"

#include <string.h>

#define HEAD_BYTES 4u ///< the encapsulation; alignment counts from behind it

/// A place in a CDR. Once something did not fit, all is 0.
typedef struct cdr {
    const uint8_t *bytes; ///< behind the encapsulation [size]
    size_t size;
    size_t at;
    bool is_big;
    bool is_short;
} cdr_t;

/// @return the next `size` bytes, aligned; NULL when there are not so many
static const uint8_t *take(cdr_t *self, size_t size)
{
    const size_t at = (self->at + size - 1u) & ~(size - 1u);
    if (self->is_short || at > self->size || self->size - at < size) {
        self->is_short = true;
        return NULL;
    }
    self->at = at + size;
    return self->bytes + at;
}

static uint64_t take_number(cdr_t *self, size_t size)
{
    const uint8_t *bytes = take(self, size);
    uint64_t number = 0;
    for (size_t i = 0; bytes != NULL && i < size; i++) {
        number = number << 8 | bytes[self->is_big ? i : size - 1u - i];
    }
    return number;
}

static float take_float(cdr_t *self)
{
    const uint32_t bits = (uint32_t)take_number(self, sizeof bits);
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static double take_double(cdr_t *self)
{
    const uint64_t bits = take_number(self, sizeof bits);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/// A count, and so many bytes. @return NULL when there are not so many
static const uint8_t *take_counted(cdr_t *self, size_t *count)
{
    *count = (size_t)take_number(self, 4);
    const uint8_t *bytes = self->bytes + self->at;
    if (self->is_short || *count > self->size - self->at) {
        self->is_short = true;
        *count = 0;
        return NULL;
    }
    self->at += *count;
    return bytes;
}

/// @return the string with its end; "" and short when it has none
static const char *take_text(cdr_t *self)
{
    size_t count;
    const uint8_t *bytes = take_counted(self, &count);
    if (bytes == NULL || count == 0 || memchr(bytes, '\0', count) != bytes + count - 1u) {
        self->is_short = true;
        return "";
    }
    return (const char *)bytes;
}

static int64_t take_time_ns(cdr_t *self)
{
    const int64_t seconds = (int32_t)take_number(self, 4);
    return seconds * INT64_C(1000000000) + (int64_t)take_number(self, 4);
}

static rp_ros_pose_t take_pose(cdr_t *self)
{
    rp_ros_pose_t pose;
    double *const members[] = {&pose.x, &pose.y, &pose.z, &pose.qx, &pose.qy, &pose.qz, &pose.qw};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        *members[i] = take_double(self);
    }
    return pose;
}

const char *rp_costmap_message_read(const char *type, const uint8_t *bytes, size_t size,
                                    rp_ros_grid_t *grid)
{
    const bool is_costmap = strcmp(type, RP_COSTMAP_TYPE) == 0;
    if (size < HEAD_BYTES || bytes[0] != 0 || bytes[1] > 1) {
        return "no CDR of version 1";
    }
    cdr_t cdr = {.bytes = bytes + HEAD_BYTES, .size = size - HEAD_BYTES, .is_big = bytes[1] == 0};
    grid->stamp_ns = take_time_ns(&cdr);
    grid->frame_id = take_text(&cdr);
    (void)take_time_ns(&cdr); // when the map was loaded
    if (is_costmap) {
        (void)take_time_ns(&cdr); // when it was updated
        (void)take_text(&cdr);    // the layer
    }
    grid->resolution = take_float(&cdr);
    grid->width = (uint32_t)take_number(&cdr, 4);
    grid->height = (uint32_t)take_number(&cdr, 4);
    grid->origin = take_pose(&cdr);
    grid->data = take_counted(&cdr, &grid->size);
    return cdr.is_short ? "shorter than its type" : NULL;
}
