/// Ray casting cell by cell after Amanatides and Woo, "A Fast Voxel Traversal Algorithm for Ray
/// Tracing", Eurographics 1987. How many steps a ray takes is counted in whole cells, so rounding
/// cannot lead past its end.
#include "sim/world/laser_map.h"

#include <math.h>
#include <stdlib.h>

#define MARGIN 2.0 ///< cells around all that the log shows

/// A beam in cells.
typedef struct ray {
    double from[2];
    double to[2];
} ray_t;

/// Where a beam ends. @return false when it hit nothing
static bool end_of(const rp_carmen_t *log, const rp_laser_scan_t *scan, uint32_t beam,
                   double end[2])
{
    const double range = (double)log->ranges[scan->first + beam];
    const double direction = rp_carmen_direction(scan, beam);
    end[0] = scan->x + range * cos(direction);
    end[1] = scan->y + range * sin(direction);
    return range < RP_CARMEN_RANGE_MAX_M;
}

static void stretch(double extent[4], double x, double y)
{
    extent[0] = fmin(extent[0], x);
    extent[1] = fmin(extent[1], y);
    extent[2] = fmax(extent[2], x);
    extent[3] = fmax(extent[3], y);
}

static void measure(const rp_carmen_t *log, double extent[4])
{
    extent[0] = extent[1] = INFINITY;
    extent[2] = extent[3] = -INFINITY;
    for (size_t i = 0; i < log->count; i++) {
        const rp_laser_scan_t *scan = &log->scans[i];
        stretch(extent, scan->x, scan->y);
        for (uint32_t beam = 0; beam < scan->beam_count; beam++) {
            double end[2];
            if (end_of(log, scan, beam, end)) {
                stretch(extent, end[0], end[1]);
            }
        }
    }
}

rp_laser_map_t rp_laser_map_measure(const rp_carmen_t *log, double resolution)
{
    double extent[4];
    measure(log, extent);
    rp_laser_map_t self = {.resolution = resolution,
                           .origin_x = extent[0] - MARGIN * resolution,
                           .origin_y = extent[1] - MARGIN * resolution};
    self.width = (uint32_t)ceil((extent[2] - self.origin_x) / resolution + MARGIN);
    self.height = (uint32_t)ceil((extent[3] - self.origin_y) / resolution + MARGIN);
    return self;
}

bool rp_laser_map_init(rp_laser_map_t *self, const rp_carmen_t *log, double resolution)
{
    *self = rp_laser_map_measure(log, resolution);
    const size_t cell_count = (size_t)self->width * self->height;
    self->states = calloc(cell_count, sizeof *self->states);
    self->odds = calloc(cell_count, sizeof *self->odds);
    self->judged = calloc(cell_count, sizeof *self->judged);
    if (self->states == NULL || self->odds == NULL || self->judged == NULL) {
        rp_laser_map_fini(self);
        return false;
    }
    return true;
}

void rp_laser_map_fini(rp_laser_map_t *self)
{
    free(self->states);
    free(self->odds);
    free(self->judged);
    *self = (rp_laser_map_t){0};
}

uint32_t rp_laser_map_cell(const rp_laser_map_t *self, double x, double y)
{
    const uint32_t column = (uint32_t)((x - self->origin_x) / self->resolution);
    const uint32_t row = (uint32_t)((y - self->origin_y) / self->resolution);
    return row * self->width + column;
}

/// Add to the odds of a cell, unless this scan did so already.
static bool judge(rp_laser_map_t *self, uint32_t cell, bool is_end, rp_edits_t *changed)
{
    if (self->judged[cell] == self->scans) {
        return true;
    }
    self->judged[cell] = self->scans;
    const int wanted = self->odds[cell] + (is_end ? RP_LASER_HIT : RP_LASER_PASS);
    const int odds = wanted > RP_LASER_CLAMP    ? RP_LASER_CLAMP
                     : wanted < -RP_LASER_CLAMP ? -RP_LASER_CLAMP
                                                : wanted;
    const uint8_t state = odds > 0   ? RP_LASER_OCCUPIED
                          : odds < 0 ? RP_LASER_FREE
                                     : self->states[cell];
    self->odds[cell] = (int8_t)odds;
    if (state == self->states[cell]) {
        return true;
    }
    self->states[cell] = state;
    return rp_edits_add(changed, cell);
}

static ray_t ray_to(const rp_laser_map_t *self, const rp_laser_scan_t *scan, const double end[2])
{
    return (ray_t){{(scan->x - self->origin_x) / self->resolution,
                    (scan->y - self->origin_y) / self->resolution},
                   {(end[0] - self->origin_x) / self->resolution,
                    (end[1] - self->origin_y) / self->resolution}};
}

/// All the cells that a ray runs through before the one in which it ends.
static bool pass(rp_laser_map_t *self, const ray_t *ray, rp_edits_t *changed)
{
    int cell[2];
    int way[2];
    double next[2]; // where on the ray, 0..1, the next column or row begins
    double each[2];
    uint32_t left = 0;
    for (unsigned i = 0; i < 2; i++) {
        const double run = ray->to[i] - ray->from[i];
        cell[i] = (int)ray->from[i];
        way[i] = run < 0 ? -1 : 1;
        each[i] = run != 0 ? fabs(1 / run) : INFINITY;
        next[i] = run != 0 ? (cell[i] + (run > 0) - ray->from[i]) / run : INFINITY;
        left += (uint32_t)abs((int)ray->to[i] - cell[i]);
    }
    for (; left > 0; left--) {
        if (!judge(self, (uint32_t)cell[1] * self->width + (uint32_t)cell[0], false, changed)) {
            return false;
        }
        const unsigned axis = next[0] < next[1] ? 0 : 1;
        cell[axis] += way[axis];
        next[axis] += each[axis];
    }
    return true;
}

bool rp_laser_map_take(rp_laser_map_t *self, const rp_carmen_t *log, const rp_laser_scan_t *scan,
                       rp_edits_t *changed)
{
    double end[2];
    self->scans++;
    for (uint32_t beam = 0; beam < scan->beam_count; beam++) {
        if (end_of(log, scan, beam, end) &&
            !judge(self, rp_laser_map_cell(self, end[0], end[1]), true, changed)) {
            return false;
        }
    }
    for (uint32_t beam = 0; beam < scan->beam_count; beam++) {
        if (end_of(log, scan, beam, end)) {
            const ray_t ray = ray_to(self, scan, end);
            if (!pass(self, &ray, changed)) {
                return false;
            }
        }
    }
    return true;
}
