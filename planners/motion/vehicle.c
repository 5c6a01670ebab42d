/// Discs and footprints: what is refused, how they are cut, how they are widened.
#include "planners/motion/vehicle.h"

#include <math.h>
#include <string.h>

// An outline keeps this distance to itself, cells.
#define CLEARANCE 1e-3

// A corner that lies so near to the line between its neighbours is none.
#define FLAT 1e-9

typedef struct outline {
    rp_motion_vector_t corners[RP_VEHICLE_CORNERS_MAX];
    uint32_t count;
} outline_t;

const char *rp_vehicle_set_disc(rp_vehicle_t *self, double radius)
{
    if (!(radius >= 0.0)) {
        return "below 0, or no number";
    }
    if (radius > RP_VEHICLE_REACH_MAX) {
        return "more than 1024 cells";
    }
    const double least = fmax(radius, RP_VEHICLE_LEAST);
    *self = (rp_vehicle_t){.radius = least, .reach = least, .inner = least};
    return NULL;
}

static double cross(rp_motion_vector_t a, rp_motion_vector_t b)
{
    return a.x * b.y - a.y * b.x;
}

static rp_motion_vector_t edge(const outline_t *self, uint32_t i)
{
    const rp_motion_vector_t from = self->corners[i];
    const rp_motion_vector_t to = self->corners[(i + 1u) % self->count];
    return (rp_motion_vector_t){to.x - from.x, to.y - from.y};
}

/// Distance of a point to edge i.
static double edge_distance(const outline_t *self, uint32_t i, rp_motion_vector_t point)
{
    const rp_motion_vector_t from = self->corners[i];
    const rp_motion_vector_t along = edge(self, i);
    const rp_motion_vector_t q = {point.x - from.x, point.y - from.y};
    const double square = along.x * along.x + along.y * along.y;
    const double part = square > 0.0 ? (q.x * along.x + q.y * along.y) / square : 0.0;
    const double inside = fmin(fmax(part, 0.0), 1.0);
    const rp_motion_vector_t rest = {q.x - inside * along.x, q.y - inside * along.y};
    return sqrt(rest.x * rest.x + rest.y * rest.y);
}

static bool edges_cross(const outline_t *self, uint32_t i, uint32_t j)
{
    const rp_motion_vector_t a = edge(self, i);
    const rp_motion_vector_t b = edge(self, j);
    const rp_motion_vector_t q = {self->corners[j].x - self->corners[i].x,
                                  self->corners[j].y - self->corners[i].y};
    const double both = cross(a, b);
    const double s = cross(q, b) / both;
    const double t = cross(q, a) / both;
    return both != 0.0 && s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0;
}

/// True when no edge crosses or comes near another one, but for the corner that neighbours share.
static bool is_simple(const outline_t *self)
{
    bool simple = true;
    for (uint32_t i = 0; i < self->count && simple; i++) {
        const uint32_t next = (i + 1u) % self->count;
        for (uint32_t k = 0; k < self->count && simple; k++) {
            const bool is_own = k == i || k == next;
            simple = is_own || edge_distance(self, i, self->corners[k]) >= CLEARANCE;
        }
        for (uint32_t j = i + 2u; j < self->count && simple; j++) {
            simple = (j + 1u) % self->count == i || !edges_cross(self, i, j);
        }
    }
    return simple;
}

/// To the left round it, without corners that are none.
static outline_t tidied(const outline_t *self)
{
    outline_t tidy = {.count = 0};
    double area = 0.0;
    for (uint32_t i = 0; i < self->count; i++) {
        area += cross(self->corners[i], self->corners[(i + 1u) % self->count]);
    }
    for (uint32_t i = 0; i < self->count; i++) {
        const uint32_t place = area > 0.0 ? i : self->count - 1u - i;
        const rp_motion_vector_t in = edge(self, (place + self->count - 1u) % self->count);
        const rp_motion_vector_t out = edge(self, place);
        const double chord =
            sqrt((in.x + out.x) * (in.x + out.x) + (in.y + out.y) * (in.y + out.y));
        if (fabs(cross(in, out)) > FLAT * chord) {
            tidy.corners[tidy.count++] = self->corners[place];
        }
    }
    return tidy;
}

static double moved_out(double value, double padding)
{
    return value > 0.0 ? value + padding : value < 0.0 ? value - padding : value;
}

/// @return what is wrong with a corner
static const char *take_corners(outline_t *outline, const double *x, const double *y, size_t count,
                                double padding)
{
    for (size_t i = 0; i < count; i++) {
        const rp_motion_vector_t corner = {moved_out(x[i], padding), moved_out(y[i], padding)};
        const double distance = sqrt(corner.x * corner.x + corner.y * corner.y);
        if (isnan(x[i]) || isnan(y[i])) {
            return "a corner is no number";
        }
        if (!(distance <= RP_VEHICLE_REACH_MAX)) {
            return "a corner is farther away than 1024 cells";
        }
        outline->corners[outline->count++] = corner;
    }
    return NULL;
}

static bool is_inside(const rp_vehicle_t *self, uint32_t part, rp_motion_vector_t point)
{
    const uint32_t first = self->first[part];
    const uint32_t count = self->first[part + 1u] - first;
    bool inside = true;
    for (uint32_t i = 0; i < count && inside; i++) {
        const rp_motion_vector_t a = self->corners[first + i];
        const rp_motion_vector_t b = self->corners[first + (i + 1u) % count];
        inside = (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) >= 0.0;
    }
    return inside;
}

static double inner_of(const rp_vehicle_t *self, const outline_t *outline)
{
    const rp_motion_vector_t origin = {0.0, 0.0};
    double least = RP_VEHICLE_REACH_MAX;
    bool inside = false;
    for (uint32_t part = 0; part < self->part_count; part++) {
        inside = inside || is_inside(self, part, origin);
    }
    for (uint32_t i = 0; i < outline->count; i++) {
        least = fmin(least, edge_distance(outline, i, origin));
    }
    return inside ? least : 0.0;
}

static double reach_of(const rp_vehicle_t *self)
{
    double square = 0.0;
    for (uint32_t i = 0; i < self->first[self->part_count]; i++) {
        square = fmax(square, self->corners[i].x * self->corners[i].x +
                                  self->corners[i].y * self->corners[i].y);
    }
    return sqrt(square);
}

static rp_vehicle_t vehicle_of(const outline_t *outline, const rp_convex_part_t *parts,
                               uint32_t part_count)
{
    rp_vehicle_t self = {.part_count = part_count};
    uint32_t count = 0;
    for (uint32_t part = 0; part < part_count; part++) {
        for (uint32_t i = 0; i < parts[part].count; i++) {
            self.corners[count++] = outline->corners[parts[part].corners[i]];
        }
        self.first[part + 1u] = (uint8_t)count;
    }
    self.reach = reach_of(&self);
    self.inner = inner_of(&self, outline);
    return self;
}

const char *rp_vehicle_set_footprint(rp_vehicle_t *self, const double *x, const double *y,
                                     size_t count, double padding)
{
    outline_t outline = {.count = 0};
    rp_convex_part_t parts[RP_VEHICLE_PARTS_MAX];
    if (count < 3 || count > RP_VEHICLE_CORNERS_MAX) {
        return count < 3 ? "fewer than 3 corners" : "more than 16 corners";
    }
    if (!(padding >= 0.0)) {
        return "padding is below 0, or no number";
    }
    const char *wrong = take_corners(&outline, x, y, count, padding);
    if (wrong != NULL) {
        return wrong;
    }
    if (!is_simple(&outline)) {
        return "the outline crosses itself, or comes nearer than a thousandth of a cell to itself";
    }
    const outline_t tidy = tidied(&outline);
    const uint32_t part_count = tidy.count < 3 ? 0 : rp_convex_cut(tidy.corners, tidy.count, parts);
    if (part_count == 0) {
        return "the outline has no area";
    }
    *self = vehicle_of(&tidy, parts, part_count);
    return NULL;
}

const char *rp_vehicle_add_footprint(rp_vehicle_t *self, const double *x, const double *y,
                                     size_t count, double padding)
{
    rp_vehicle_t more;
    const char *wrong = rp_vehicle_set_footprint(&more, x, y, count, padding);
    if (wrong != NULL) {
        return wrong;
    }
    const uint32_t corners = self->first[self->part_count];
    const uint32_t added = more.first[more.part_count];
    if (self->part_count + more.part_count > RP_VEHICLE_PARTS_MAX ||
        corners + added > RP_VEHICLE_PART_CORNERS_MAX) {
        return "more than 14 convex parts";
    }
    for (uint32_t part = 1; part <= more.part_count; part++) {
        self->first[self->part_count + part] = (uint8_t)(corners + more.first[part]);
    }
    memcpy(&self->corners[corners], more.corners, added * sizeof *more.corners);
    self->part_count += more.part_count;
    self->reach = fmax(self->reach, more.reach);
    self->inner = fmax(self->inner, more.inner);
    return NULL;
}

/// The edge that begins at a corner of a part, made 1 long.
static rp_motion_vector_t direction(const rp_motion_vector_t *corners, uint32_t count, uint32_t i)
{
    const rp_motion_vector_t from = corners[i % count];
    const rp_motion_vector_t to = corners[(i + 1u) % count];
    const double size = sqrt((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y));
    return (rp_motion_vector_t){(to.x - from.x) / size, (to.y - from.y) / size};
}

/// Move all edges of a part outwards. @return false when an edge would vanish
static bool widen_part(const rp_motion_vector_t *corners, uint32_t count, double margin,
                       rp_motion_vector_t *wide)
{
    bool is_left = true;
    for (uint32_t i = 0; i < count; i++) {
        const rp_motion_vector_t in = direction(corners, count, i + count - 1u);
        const rp_motion_vector_t out = direction(corners, count, i);
        const double scale = margin / (1.0 + in.x * out.x + in.y * out.y);
        wide[i].x = corners[i].x + scale * (in.y + out.y);
        wide[i].y = corners[i].y - scale * (in.x + out.x);
    }
    for (uint32_t i = 0; i < count; i++) {
        const rp_motion_vector_t before = direction(corners, count, i);
        const rp_motion_vector_t after = direction(wide, count, i);
        is_left = is_left && before.x * after.x + before.y * after.y > 0.0;
    }
    return is_left;
}

rp_vehicle_t rp_vehicle_widened(const rp_vehicle_t *self, double margin)
{
    rp_vehicle_t wide = *self;
    if (self->part_count == 0) {
        wide.radius = wide.reach = wide.inner = fmax(self->radius + margin, 0.0);
        return wide;
    }
    for (uint32_t part = 0; part < self->part_count; part++) {
        const uint32_t first = self->first[part];
        const uint32_t count = self->first[part + 1u] - first;
        rp_motion_vector_t corners[RP_VEHICLE_CORNERS_MAX];
        if (widen_part(&self->corners[first], count, margin, corners)) {
            memcpy(&wide.corners[first], corners, count * sizeof *corners);
        }
    }
    wide.reach = reach_of(&wide);
    wide.inner = self->inner > 0.0 ? fmax(self->inner + margin, 0.0) : 0.0;
    return wide;
}

double rp_vehicle_judging_margin(double coordinate)
{
    return -1e-9 - 8.0 * 0x1p-52 * fabs(coordinate);
}
