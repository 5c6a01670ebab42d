#include "clients/ros2/footprint.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "msgs/limits.h"

/// Take a mark and the blanks before it. @return false when something else comes
static bool take_mark(const char **text, char mark)
{
    *text += strspn(*text, " \t");
    if (**text != mark) {
        return false;
    }
    ++*text;
    return true;
}

/// A finite decimal number within RP_LIMIT_RADIUS_M.
static bool take_number(const char **text, double *number)
{
    char word[32];
    *text += strspn(*text, " \t");
    const size_t length = strspn(*text, "+-.0123456789eE");
    if (length == 0 || length >= sizeof word) {
        return false;
    }
    memcpy(word, *text, length);
    word[length] = '\0';
    char *end;
    *number = strtod(word, &end);
    *text += length;
    return *end == '\0' && fabs(*number) <= RP_LIMIT_RADIUS_M;
}

static bool take_corner(const char **text, rp_ros_footprint_t *footprint)
{
    const size_t at = footprint->count++;
    return take_mark(text, '[') && take_number(text, &footprint->x_m[at]) && take_mark(text, ',') &&
           take_number(text, &footprint->y_m[at]) && take_mark(text, ']');
}

const char *rp_ros_footprint_parse(const char *text, rp_ros_footprint_t *footprint)
{
    static const char form[] = "is not of the form [[x, y], [x, y], ...]";
    rp_ros_footprint_t parsed = {.count = 0};
    bool is_open = take_mark(&text, '[');
    if (is_open && !take_mark(&text, ']')) {
        do {
            if (parsed.count == RP_FOOTPRINT_CORNERS) {
                return "has more than 64 corners";
            }
            if (!take_corner(&text, &parsed)) {
                return form;
            }
        } while (take_mark(&text, ','));
        is_open = take_mark(&text, ']');
        if (is_open && parsed.count < 3) {
            return "has fewer than 3 corners";
        }
    } else if (!is_open) {
        is_open = *text == '\0';
    }
    if (!is_open || text[strspn(text, " \t")] != '\0') {
        return form;
    }
    *footprint = parsed;
    return NULL;
}

static double away(double metres, double padding_m)
{
    return metres + (metres > 0.0 ? padding_m : metres < 0.0 ? -padding_m : 0.0);
}

void rp_ros_footprint_pad(rp_ros_footprint_t *self, double padding_m)
{
    for (size_t i = 0; i < self->count; i++) {
        self->x_m[i] = away(self->x_m[i], padding_m);
        self->y_m[i] = away(self->y_m[i], padding_m);
    }
}

/// Distance of the origin from a side.
static double side_distance(double ax, double ay, double bx, double by)
{
    const double dx = bx - ax, dy = by - ay, squared = dx * dx + dy * dy;
    const double share = squared > 0.0 ? fmin(1.0, fmax(0.0, -(ax * dx + ay * dy) / squared)) : 0.0;
    return hypot(ax + share * dx, ay + share * dy);
}

double rp_ros_footprint_inscribed_m(const rp_ros_footprint_t *self)
{
    double least = self->count != 0 ? INFINITY : 0.0;
    bool is_inside = false;
    for (size_t i = 0, j = self->count - 1; i < self->count; j = i++) {
        const double ax = self->x_m[i], ay = self->y_m[i], bx = self->x_m[j], by = self->y_m[j];
        least = fmin(least, side_distance(ax, ay, bx, by));
        if ((ay > 0.0) != (by > 0.0) && (bx - ax) * -ay / (by - ay) + ax > 0.0) {
            is_inside = !is_inside;
        }
    }
    return is_inside ? least : 0.0;
}
