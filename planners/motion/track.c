/// Everything is seen from the start s of the track. With its left normal n and its curvature k, a
/// point p = s + q lies on the circle when k q.q - 2 q.n = 0, and |k q.q - 2 q.n| / (1 + |k q - n|)
/// away from it. For k = 0 that is a line.
#include "planners/motion/track.h"

#include <math.h>

#include "planners/motion/trig.h"

// Where a track meets an edge just at its corner, rounding must not let it through between two
// edges.
#define SLACK 1e-12

static rp_motion_vector_t minus(rp_motion_vector_t a, rp_motion_vector_t b)
{
    return (rp_motion_vector_t){a.x - b.x, a.y - b.y};
}

static double dot(rp_motion_vector_t a, rp_motion_vector_t b)
{
    return a.x * b.x + a.y * b.y;
}

static rp_motion_vector_t turned(rp_motion_vector_t v, double cos, double sin)
{
    return (rp_motion_vector_t){v.x * cos - v.y * sin, v.x * sin + v.y * cos};
}

static rp_motion_vector_t left_of(rp_motion_vector_t v)
{
    return (rp_motion_vector_t){-v.y, v.x};
}

rp_track_t rp_track_of_point(rp_motion_vector_t start, rp_motion_vector_t leaves, double curvature,
                             double length)
{
    const rp_trig_unit_t half = rp_trig_unit(0.5 * curvature * length);
    const double chord = curvature == 0.0 ? length : 2.0 * half.sin / curvature;
    const rp_motion_vector_t along = turned(leaves, half.cos, half.sin);
    return (rp_track_t){
        .start = start,
        .end = {start.x + chord * along.x, start.y + chord * along.y},
        .leaves = leaves,
        .arrives = turned(along, half.cos, half.sin),
        .curvature = curvature,
        .turn = fabs(curvature * length),
    };
}

rp_track_t rp_track_of_segment(const rp_segment_t *segment)
{
    const rp_trig_unit_t ahead = rp_trig_unit(segment->start.heading + segment->course);
    const rp_motion_vector_t start = {segment->start.x, segment->start.y};
    const rp_motion_vector_t leaves = {segment->gear * ahead.cos, segment->gear * ahead.sin};
    return rp_track_of_point(start, leaves, segment->gear * segment->curvature, segment->length);
}

/// Of a point on the track's circle: whether it lies on the track. Of any other: whether the
/// nearest point of the circle does.
static bool reaches(const rp_track_t *self, rp_motion_vector_t point)
{
    const bool is_ahead = dot(minus(point, self->start), self->leaves) >= 0.0;
    const bool is_behind = dot(minus(point, self->end), self->arrives) <= 0.0;
    if (self->turn <= RP_TRIG_PI) {
        return is_ahead && is_behind;
    }
    return is_ahead || is_behind || self->turn >= RP_TRIG_TURN;
}

/// A root of the crossing's equation that lies on both.
static bool is_crossing(const rp_track_t *self, rp_motion_vector_t from, rp_motion_vector_t along,
                        double part)
{
    const rp_motion_vector_t point = {from.x + part * along.x, from.y + part * along.y};
    return part >= -SLACK && part <= 1.0 + SLACK && reaches(self, point);
}

bool rp_track_crosses(const rp_track_t *self, rp_motion_vector_t from, rp_motion_vector_t along)
{
    const rp_motion_vector_t q = minus(from, self->start);
    const rp_motion_vector_t n = left_of(self->leaves);
    const double a = self->curvature * dot(along, along);
    const double b = self->curvature * dot(q, along) - dot(along, n); // a t^2 + 2 b t + c = 0
    const double c = self->curvature * dot(q, q) - 2.0 * dot(q, n);
    const double square = b * b - a * c;
    if (square < 0.0) {
        return false;
    }
    const double sum = b < 0.0 ? sqrt(square) - b : -sqrt(square) - b;
    return (sum != 0.0 && is_crossing(self, from, along, c / sum)) ||
           (a != 0.0 && is_crossing(self, from, along, sum / a));
}

static double point_distance(rp_motion_vector_t point, double x, double y)
{
    const double across = fmax(fabs(point.x - x) - 0.5, 0.0);
    const double up = fmax(fabs(point.y - y) - 0.5, 0.0);
    return sqrt(across * across + up * up);
}

static double circle_distance(const rp_track_t *self, rp_motion_vector_t point)
{
    const rp_motion_vector_t q = minus(point, self->start);
    const rp_motion_vector_t n = left_of(self->leaves);
    const rp_motion_vector_t w = {self->curvature * q.x - n.x, self->curvature * q.y - n.y};
    return fabs(self->curvature * dot(q, q) - 2.0 * dot(q, n)) / (1.0 + sqrt(dot(w, w)));
}

/// n + d for n in -1 .. 1 and d = -1 or 1, where `rest` is 1 - n^2 without its rounding.
static double sum_of(double n, double d, double rest)
{
    return n * d < 0.0 ? d * rest / (1.0 + fabs(n)) : n + d;
}

/// The circle's point farthest in one of the four directions of the axes: there it may be nearest
/// to an edge.
static rp_motion_vector_t farthest(const rp_track_t *self, uint32_t quarter)
{
    const rp_motion_vector_t n = left_of(self->leaves);
    const double d = quarter < 2u ? 1.0 : -1.0;
    const double x = quarter % 2u == 0 ? sum_of(n.x, d, n.y * n.y) : n.x;
    const double y = quarter % 2u == 0 ? n.y : sum_of(n.y, d, n.x * n.x);
    return (rp_motion_vector_t){self->start.x + x / self->curvature,
                                self->start.y + y / self->curvature};
}

bool rp_track_crosses_square(const rp_track_t *self, double x, double y)
{
    bool crosses = false;
    for (uint32_t i = 0; i < 4u && !crosses; i++) {
        const double side = i < 2u ? -0.5 : 0.5;
        const rp_motion_vector_t from = {x + side, y + side};
        const rp_motion_vector_t along = {i % 2u == 0 ? -2.0 * side : 0.0,
                                          i % 2u == 0 ? 0.0 : -2.0 * side};
        crosses = rp_track_crosses(self, from, along);
    }
    return crosses;
}

double rp_track_distance(const rp_track_t *self, double x, double y)
{
    double least = fmin(point_distance(self->start, x, y), point_distance(self->end, x, y));
    if (least == 0.0 || rp_track_crosses_square(self, x, y)) {
        return 0.0;
    }
    for (uint32_t i = 0; i < 4u; i++) {
        const rp_motion_vector_t corner = {x + (i % 2u == 0 ? -0.5 : 0.5),
                                           y + (i < 2u ? -0.5 : 0.5)};
        if (reaches(self, corner)) {
            least = fmin(least, circle_distance(self, corner));
        }
    }
    for (uint32_t i = 0; i < 4u && self->curvature != 0.0; i++) {
        const rp_motion_vector_t point = farthest(self, i);
        if (reaches(self, point)) {
            least = fmin(least, point_distance(point, x, y));
        }
    }
    return least;
}
