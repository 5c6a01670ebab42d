/// Distances at rest, and halving.
#include "tests/planners/motion/checker.h"

#include <math.h>

// Parts shorter than this decide nothing.
#define SHORTEST 1e-9

typedef struct place {
    double x;
    double y;
    double heading;
} place_t;

typedef struct check {
    const rp_checked_world_t *world;
    const rp_checked_body_t *body;
    const rp_segment_t *segment;
    double x[64]; ///< the footprint where it stands now
    double y[64];
    double half; ///< side of the squares
    double reach;
    double change; ///< of the distance, at most, for each unit driven
    uint32_t left;
} check_t;

static place_t place_at(const rp_segment_t *s, double part)
{
    place_t place = {s->start.x, s->start.y, s->start.heading};
    if (s->turn != 0.0) {
        place.heading += s->turn > 0.0 ? part : -part;
    } else if (s->curvature == 0.0) {
        place.x += s->gear * part * cos(place.heading + s->course);
        place.y += s->gear * part * sin(place.heading + s->course);
    } else {
        const double radius = 1.0 / s->curvature;
        const double after = place.heading + s->gear * part * s->curvature;
        place.x += radius * (sin(after) - sin(place.heading));
        place.y -= radius * (cos(after) - cos(place.heading));
        place.heading = after;
    }
    return place;
}

static double point_to_square(double px, double py, double x, double y, double half)
{
    return hypot(fmax(fabs(px - x) - half, 0.0), fmax(fabs(py - y) - half, 0.0));
}

static double point_to_edge(double px, double py, double ax, double ay, double bx, double by)
{
    const double square = (bx - ax) * (bx - ax) + (by - ay) * (by - ay);
    const double t = fmin(fmax(((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / square, 0.0), 1.0);
    return hypot(px - ax - t * (bx - ax), py - ay - t * (by - ay));
}

/// Whether a straight line has a point inside the open square, by clipping.
static bool enters(double ax, double ay, double bx, double by, double x, double y, double half)
{
    double first = 0.0;
    double last = 1.0;
    const double from[2] = {ax - x, ay - y};
    const double along[2] = {bx - ax, by - ay};
    for (uint32_t i = 0; i < 2u; i++) {
        if (along[i] == 0.0) {
            if (fabs(from[i]) >= half) {
                return false;
            }
            continue;
        }
        const double one = (-half - from[i]) / along[i];
        const double two = (half - from[i]) / along[i];
        first = fmax(first, fmin(one, two));
        last = fmin(last, fmax(one, two));
    }
    return first < last;
}

static bool covers(const check_t *self, double px, double py)
{
    bool inside = false;
    for (uint32_t i = 0, j = self->body->count - 1u; i < self->body->count; j = i++) {
        if ((self->y[i] > py) != (self->y[j] > py) &&
            px < (self->x[j] - self->x[i]) * (py - self->y[i]) / (self->y[j] - self->y[i]) +
                     self->x[i]) {
            inside = !inside;
        }
    }
    return inside;
}

/// Distance of the footprint to a square, below 0 when they overlap.
static double footprint_to_square(const check_t *self, double x, double y)
{
    double least = INFINITY;
    if (covers(self, x, y)) {
        return -1.0;
    }
    for (uint32_t i = 0; i < self->body->count; i++) {
        const uint32_t next = (i + 1u) % self->body->count;
        if (enters(self->x[i], self->y[i], self->x[next], self->y[next], x, y, self->half)) {
            return -1.0;
        }
        least = fmin(least, point_to_square(self->x[i], self->y[i], x, y, self->half));
        for (uint32_t k = 0; k < 4u; k++) {
            const double corner_x = x + (k < 2u ? -self->half : self->half);
            const double corner_y = y + (k % 2u == 0 ? -self->half : self->half);
            least = fmin(least, point_to_edge(corner_x, corner_y, self->x[i], self->y[i],
                                              self->x[next], self->y[next]));
        }
    }
    return least;
}

static void stand(check_t *self, place_t place)
{
    for (uint32_t i = 0; i < self->body->count; i++) {
        const double x = self->body->x[i];
        const double y = self->body->y[i];
        self->x[i] = place.x + x * cos(place.heading) - y * sin(place.heading);
        self->y[i] = place.y + x * sin(place.heading) + y * cos(place.heading);
    }
}

/// Distance of the body at a place to the nearest obstacle, when that is below `most`.
static double clearance(check_t *self, place_t place, double most)
{
    const double around = self->reach + most;
    double least = most;
    stand(self, place);
    for (double y = floor(place.y - around); y <= ceil(place.y + around); y++) {
        for (double x = floor(place.x - around); x <= ceil(place.x + around); x++) {
            const double middle = point_to_square(place.x, place.y, x, y, self->half);
            if (middle - self->reach < least &&
                self->world->is_obstacle(self->world->user, (int64_t)x, (int64_t)y)) {
                const double distance = self->body->count == 0 ? middle - self->body->radius
                                                               : footprint_to_square(self, x, y);
                least = fmin(least, distance);
            }
        }
    }
    return least;
}

static rp_verdict_t prove(check_t *self, double from, double to)
{
    const double change = 0.5 * (to - from) * self->change;
    if (self->left == 0) {
        return RP_VERDICT_OPEN;
    }
    self->left--;
    const double distance =
        clearance(self, place_at(self->segment, 0.5 * (from + to)), change + 1e-6);
    if (distance < 0.0) {
        return RP_VERDICT_MEETS;
    }
    if (distance > change) {
        return RP_VERDICT_FREE;
    }
    if (to - from < SHORTEST) {
        return RP_VERDICT_OPEN;
    }
    const rp_verdict_t first = prove(self, from, 0.5 * (from + to));
    if (first == RP_VERDICT_MEETS) {
        return first;
    }
    const rp_verdict_t second = prove(self, 0.5 * (from + to), to);
    return second == RP_VERDICT_FREE ? first : second;
}

rp_verdict_t rp_checker_judge(const rp_checked_world_t *world, const rp_checked_body_t *body,
                              const rp_segment_t *segments, size_t count, uint32_t budget)
{
    check_t self = {.world = world,
                    .body = body,
                    .half = 0.5 - body->slack,
                    .reach = body->radius,
                    .left = budget};
    rp_verdict_t verdict = RP_VERDICT_FREE;
    for (uint32_t i = 0; i < body->count; i++) {
        self.reach = fmax(self.reach, hypot(body->x[i], body->y[i]));
    }
    for (size_t i = 0; i < count && verdict == RP_VERDICT_FREE; i++) {
        const double swing = body->count == 0 ? 0.0 : self.reach;
        self.segment = &segments[i];
        self.change = segments[i].turn != 0.0 ? swing : 1.0 + swing * fabs(segments[i].curvature);
        verdict = prove(&self, 0.0,
                        segments[i].turn != 0.0 ? fabs(segments[i].turn) : segments[i].length);
    }
    return verdict;
}
