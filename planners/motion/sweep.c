/// A segment turns the vehicle about one centre, or moves it. So a convex part comes to a square in
/// one of two ways: a corner of the part runs into an edge of the square, or a corner of the
/// square, as seen from the vehicle, into an edge of the part. Both are points on arcs. Where
/// neither happens the part lies on the square all the time or never, which is seen at its start.
#include "planners/motion/sweep.h"

#include <math.h>

#include "planners/motion/trig.h"

// Arcs are cut into pieces whose middle rises so far above their chord, when obstacles near them
// are looked for.
#define RISE 0.5

double rp_sweep_distance(const rp_segment_t *segment, double x, double y)
{
    const rp_track_t track = rp_track_of_segment(segment);
    return rp_track_distance(&track, x, y);
}

/// The track of a point that moves as the vehicle does (way 1), or as what stands still does when
/// seen from the vehicle at its start (way -1).
static rp_track_t track_of(const rp_sweep_t *self, rp_motion_vector_t point, double way)
{
    const double rate = way * self->rate;
    const rp_motion_vector_t velocity = {
        .x = way * self->velocity.x - rate * (point.y - self->middle.start.y),
        .y = way * self->velocity.y + rate * (point.x - self->middle.start.x),
    };
    const double speed = sqrt(velocity.x * velocity.x + velocity.y * velocity.y);
    if (speed == 0.0) { // the centre of the turn
        return rp_track_of_point(point, (rp_motion_vector_t){1.0, 0.0}, 0.0, 0.0);
    }
    const rp_motion_vector_t leaves = {velocity.x / speed, velocity.y / speed};
    return rp_track_of_point(point, leaves, rate / speed, speed * rp_segment_extent(self->segment));
}

static void set_motion(rp_sweep_t *self, const rp_segment_t *segment)
{
    if (segment->turn != 0.0) {
        self->velocity = (rp_motion_vector_t){0.0, 0.0};
        self->rate = segment->turn < 0.0 ? -1.0 : 1.0;
    } else {
        self->velocity = self->middle.leaves;
        self->rate = self->middle.curvature;
    }
}

void rp_sweep_begin(rp_sweep_t *self, const rp_vehicle_t *vehicle, const rp_segment_t *segment)
{
    self->vehicle = vehicle;
    self->segment = segment;
    self->middle = rp_track_of_segment(segment);
    set_motion(self, segment);
    const rp_trig_unit_t ahead = rp_trig_unit(segment->start.heading);
    for (uint32_t i = 0; i < vehicle->first[vehicle->part_count]; i++) {
        const rp_motion_vector_t corner = vehicle->corners[i];
        const rp_motion_vector_t place = {
            .x = segment->start.x + corner.x * ahead.cos - corner.y * ahead.sin,
            .y = segment->start.y + corner.x * ahead.sin + corner.y * ahead.cos,
        };
        self->corners[i] = track_of(self, place, 1.0);
    }
}

/// True when no line along an edge of the part has the square on its other side.
static bool edges_overlap(const rp_track_t *corners, uint32_t count, double x, double y)
{
    bool overlap = true;
    for (uint32_t i = 0; i < count && overlap; i++) {
        const rp_motion_vector_t from = corners[i].start;
        const rp_motion_vector_t to = corners[(i + 1u) % count].start;
        const rp_motion_vector_t out = {to.y - from.y, from.x - to.x};
        const double middle = out.x * (x - from.x) + out.y * (y - from.y);
        overlap = middle <= 0.5 * (fabs(out.x) + fabs(out.y));
    }
    return overlap;
}

static bool boxes_overlap(const rp_track_t *corners, uint32_t count, double x, double y)
{
    bool left = true;
    bool right = true;
    bool below = true;
    bool above = true;
    for (uint32_t i = 0; i < count; i++) {
        const rp_motion_vector_t place = corners[i].start;
        left = left && place.x < x - 0.5;
        right = right && place.x > x + 0.5;
        below = below && place.y < y - 0.5;
        above = above && place.y > y + 0.5;
    }
    return !left && !right && !below && !above;
}

static bool corner_runs_into(const rp_sweep_t *self, rp_motion_vector_t corner,
                             const rp_track_t *corners, uint32_t count)
{
    const rp_track_t track = track_of(self, corner, -1.0);
    bool runs = false;
    for (uint32_t i = 0; i < count && !runs; i++) {
        const rp_motion_vector_t from = corners[i].start;
        const rp_motion_vector_t to = corners[(i + 1u) % count].start;
        runs = rp_track_crosses(&track, from, (rp_motion_vector_t){to.x - from.x, to.y - from.y});
    }
    return runs;
}

static bool part_meets(const rp_sweep_t *self, const rp_track_t *corners, uint32_t count, double x,
                       double y)
{
    bool meets = boxes_overlap(corners, count, x, y) && edges_overlap(corners, count, x, y);
    for (uint32_t i = 0; i < count && !meets; i++) {
        meets = rp_track_crosses_square(&corners[i], x, y);
    }
    for (uint32_t i = 0; i < 4u && !meets; i++) {
        const rp_motion_vector_t corner = {x + (i % 2u == 0 ? -0.5 : 0.5),
                                           y + (i < 2u ? -0.5 : 0.5)};
        meets = corner_runs_into(self, corner, corners, count);
    }
    return meets;
}

bool rp_sweep_meets(const rp_sweep_t *self, double x, double y)
{
    const rp_vehicle_t *vehicle = self->vehicle;
    const double distance = rp_track_distance(&self->middle, x, y);
    bool meets = distance < vehicle->inner;
    for (uint32_t part = 0; part < vehicle->part_count && distance < vehicle->reach && !meets;
         part++) {
        const uint32_t first = vehicle->first[part];
        meets = part_meets(self, &self->corners[first], vehicle->first[part + 1u] - first, x, y);
    }
    return meets;
}

/// What is looked at for obstacles: cells nearer than `reach` to a line.
typedef struct strip {
    rp_motion_vector_t from;
    rp_motion_vector_t to;
    double reach;
    int64_t x; ///< the cell of the map that is (0, 0)
    int64_t y;
} strip_t;

/// The columns of a row that are near the part of the line that is near the row.
static void columns_of(const strip_t *strip, double row, double *low, double *high)
{
    const double rise = strip->to.y - strip->from.y;
    const double reach = strip->reach + 0.5;
    double first = 0.0;
    double last = 1.0;
    if (rise != 0.0) {
        const double a = (row - reach - strip->from.y) / rise;
        const double b = (row + reach - strip->from.y) / rise;
        first = fmin(fmax(fmin(a, b), 0.0), 1.0);
        last = fmin(fmax(fmax(a, b), 0.0), 1.0);
    }
    const double run = strip->to.x - strip->from.x;
    const double begin = strip->from.x + first * run;
    const double end = strip->from.x + last * run;
    *low = fmin(begin, end) - reach;
    *high = fmax(begin, end) + reach;
}

static bool row_is_free(const rp_obstacle_map_t *map, const rp_sweep_t *sweep, const strip_t *strip,
                        int64_t row, rp_sweep_hit_t *hit)
{
    double low;
    double high;
    columns_of(strip, (double)row, &low, &high);
    const int64_t last = (int64_t)floor(high);
    for (int64_t column = (int64_t)ceil(low); column <= last; column += 64) {
        const int64_t left = last - column + 1;
        uint64_t cells = rp_obstacle_map_row(map, strip->x + column, strip->y + row);
        cells &= left < 64 ? ((uint64_t)1 << left) - 1u : UINT64_MAX;
        for (; cells != 0; cells &= cells - 1u) {
            const int64_t x = column + __builtin_ctzll(cells);
            if (rp_sweep_meets(sweep, (double)x, (double)row)) {
                hit->x = strip->x + x;
                hit->y = strip->y + row;
                return false;
            }
        }
    }
    return true;
}

static bool strip_is_free(const rp_obstacle_map_t *map, const rp_sweep_t *sweep,
                          const strip_t *strip, rp_sweep_hit_t *hit)
{
    const double low = fmin(strip->from.y, strip->to.y) - strip->reach - 0.5;
    const double high = fmax(strip->from.y, strip->to.y) + strip->reach + 0.5;
    const int64_t last = (int64_t)floor(high);
    bool is_free = true;
    for (int64_t row = (int64_t)ceil(low); row <= last && is_free; row++) {
        is_free = row_is_free(map, sweep, strip, row, hit);
    }
    return is_free;
}

/// An arc of angle f rises r (1 - cos(f / 2)) above its chord, which is less than r f^2 / 8.
static uint32_t pieces_of(const rp_segment_t *segment)
{
    const double curvature = fabs(segment->curvature);
    return 1u + (uint32_t)(segment->length * sqrt(curvature / (8.0 * RISE)));
}

static bool segment_is_free(const rp_obstacle_map_t *map, const rp_sweep_t *sweep, int64_t x,
                            int64_t y, rp_sweep_hit_t *hit)
{
    const rp_segment_t *segment = sweep->segment;
    const uint32_t pieces = segment->turn != 0.0 ? 1u : pieces_of(segment);
    strip_t strip = {.reach = sweep->vehicle->reach +
                              (pieces > 1u || segment->curvature != 0.0 ? RISE : 0.0),
                     .x = x,
                     .y = y};
    rp_motion_pose_t pose = segment->start;
    bool is_free = true;
    for (uint32_t i = 1; i <= pieces && is_free; i++) {
        strip.from = (rp_motion_vector_t){pose.x, pose.y};
        pose = rp_segment_pose(segment, rp_segment_extent(segment) * i / pieces);
        strip.to = (rp_motion_vector_t){pose.x, pose.y};
        is_free = strip_is_free(map, sweep, &strip, hit);
    }
    return is_free;
}

bool rp_sweep_is_free(const rp_obstacle_map_t *map, const rp_vehicle_t *vehicle,
                      const rp_segment_t *segments, size_t count, int64_t x, int64_t y,
                      rp_sweep_hit_t *hit)
{
    bool is_free = true;
    for (size_t i = 0; i < count && is_free; i++) {
        rp_sweep_t sweep;
        rp_sweep_begin(&sweep, vehicle, &segments[i]);
        rp_sweep_hit_t found = {.segment = i};
        is_free = segment_is_free(map, &sweep, x, y, &found);
        if (!is_free) {
            *hit = found;
        }
    }
    return is_free;
}
