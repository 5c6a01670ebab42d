#include "sim/check/curve_check.h"

#include <math.h>

/// Parts of a curve that are shorter than this decide nothing.
#define LEAST 1e-7

/// How far a curve may begin from where the agent was: it follows its curve beside it, too.
#define BESIDE 1.5

uint32_t rp_drive_corners(const rp_drive_options_t *self, double x[RP_DRIVE_CORNERS],
                          double y[RP_DRIVE_CORNERS])
{
    const double ahead[] = {self->ahead_m, self->ahead_m, -self->behind_m, -self->behind_m};
    const double left[] = {-self->aside_m, self->aside_m, self->aside_m, -self->aside_m};
    for (uint32_t i = 0; i < RP_DRIVE_CORNERS; i++) {
        x[i] = ahead[i];
        y[i] = left[i];
    }
    return self->radius_m > 0.0 ? 0u : RP_DRIVE_CORNERS;
}

/// How far the body reaches.
static double reach_of(const rp_drive_options_t *self)
{
    return self->radius_m > 0.0 ? self->radius_m
                                : hypot(fmax(self->ahead_m, self->behind_m), self->aside_m);
}

// ---- segments

rp_drive_segment_t rp_drive_segment(const Replan__V1__Answer *answer, size_t at)
{
    return (rp_drive_segment_t){
        .start = {answer->segment_x[at], answer->segment_y[at], answer->segment_yaw[at]},
        .curvature = answer->segment_curvature[at],
        .length = answer->segment_length[at],
        .turn = answer->segment_turn[at],
    };
}

double rp_drive_extent(const rp_drive_segment_t *self)
{
    return self->turn != 0.0 ? fabs(self->turn) : fabs(self->length);
}

rp_drive_pose_t rp_drive_pose_on(const rp_drive_segment_t *self, double part)
{
    rp_drive_pose_t pose = self->start;
    const double driven = copysign(part, self->length);
    if (self->turn != 0.0) {
        pose.yaw += copysign(part, self->turn);
    } else if (self->curvature == 0.0) {
        pose.x += driven * cos(pose.yaw);
        pose.y += driven * sin(pose.yaw);
    } else {
        const double after = pose.yaw + driven * self->curvature;
        pose.x += (sin(after) - sin(pose.yaw)) / self->curvature;
        pose.y -= (cos(after) - cos(pose.yaw)) / self->curvature;
        pose.yaw = after;
    }
    return pose;
}

// ---- distances

/// From a point to a box.
static double to_box(double x, double y, double left, double top, double right, double bottom)
{
    return hypot(fmax(fmax(left - x, x - right), 0.0), fmax(fmax(top - y, y - bottom), 0.0));
}

/// From a point to a cell's square, moved into the frame of a pose: as far as corners of the one
/// and the other tell. Convex and apart they come nearest at a corner of one of them.
static double gap(const rp_drive_options_t *self, const rp_drive_pose_t *pose, double cell_x,
                  double cell_y)
{
    if (self->radius_m > 0.0) {
        return to_box(pose->x, pose->y, cell_x, cell_y, cell_x + 1.0, cell_y + 1.0) -
               self->radius_m;
    }
    double x[RP_DRIVE_CORNERS];
    double y[RP_DRIVE_CORNERS];
    double least = INFINITY;
    const double cosine = cos(pose->yaw);
    const double sine = sin(pose->yaw);
    double ahead[2] = {INFINITY, -INFINITY};
    double left[2] = {INFINITY, -INFINITY};
    double across[2] = {INFINITY, -INFINITY};
    double down[2] = {INFINITY, -INFINITY};
    (void)rp_drive_corners(self, x, y);
    for (uint32_t i = 0; i < 4u; i++) {
        const double body_x = pose->x + cosine * x[i] - sine * y[i];
        const double body_y = pose->y + sine * x[i] + cosine * y[i];
        const double dx = cell_x + i % 2u - pose->x;
        const double dy = cell_y + i / 2u - pose->y;
        const double corner_x = cosine * dx + sine * dy;
        const double corner_y = cosine * dy - sine * dx;
        least = fmin(least, to_box(body_x, body_y, cell_x, cell_y, cell_x + 1.0, cell_y + 1.0));
        least = fmin(least, to_box(corner_x, corner_y, -self->behind_m, -self->aside_m,
                                   self->ahead_m, self->aside_m));
        ahead[0] = fmin(ahead[0], corner_x);
        ahead[1] = fmax(ahead[1], corner_x);
        left[0] = fmin(left[0], corner_y);
        left[1] = fmax(left[1], corner_y);
        across[0] = fmin(across[0], body_x);
        across[1] = fmax(across[1], body_x);
        down[0] = fmin(down[0], body_y);
        down[1] = fmax(down[1], body_y);
    }
    double parted = fmax(fmax(ahead[0] - self->ahead_m, -self->behind_m - ahead[1]),
                         fmax(left[0] - self->aside_m, -self->aside_m - left[1]));
    parted = fmax(parted, fmax(fmax(across[0] - cell_x - 1.0, cell_x - across[1]),
                               fmax(down[0] - cell_y - 1.0, cell_y - down[1])));
    return parted > 0.0 ? least : parted; // no axis parts them: they overlap
}

static bool blocks(const rp_grid_view_t *grid, int64_t x, int64_t y)
{
    return x < 0 || y < 0 || x >= grid->width || y >= grid->height ||
           rp_grid_view_factor(grid, (uint32_t)y * grid->width + (uint32_t)x) == 0;
}

/// Proof that the body stays out of a cell on a part of a segment.
static bool stays_out(const rp_drive_options_t *self, const rp_drive_segment_t *segment,
                      double from, double to, double x, double y)
{
    const double reach = reach_of(self);
    const double fastest = segment->turn != 0.0   ? reach
                           : self->radius_m > 0.0 ? 1.0
                                                  : 1.0 + reach * fabs(segment->curvature);
    const double middle = 0.5 * (from + to);
    const rp_drive_pose_t pose = rp_drive_pose_on(segment, middle);
    const double apart = gap(self, &pose, x, y);
    if (apart >= 0.5 * (to - from) * fastest) {
        return true;
    }
    if (apart < 0.0 || to - from < LEAST) {
        return apart >= -LEAST;
    }
    return stays_out(self, segment, from, middle, x, y) &&
           stays_out(self, segment, middle, to, x, y);
}

/// @param leaves  where it begins to drive out of obstacles: those that it is in or touches there
///                do not count; NULL: all count
static bool is_free(const rp_drive_options_t *self, const rp_grid_view_t *grid,
                    const rp_drive_segment_t *segment, double from, const rp_drive_pose_t *leaves)
{
    const double extent = rp_drive_extent(segment);
    const rp_drive_pose_t middle = rp_drive_pose_on(segment, 0.5 * extent);
    const double most = (segment->turn != 0.0 ? 0.0 : 0.5 * extent) + reach_of(self) + 1.0;
    for (int64_t y = (int64_t)floor(middle.y - most); y <= (int64_t)(middle.y + most); y++) {
        for (int64_t x = (int64_t)floor(middle.x - most); x <= (int64_t)(middle.x + most); x++) {
            if (blocks(grid, x, y) &&
                (leaves == NULL || gap(self, leaves, (double)x, (double)y) > LEAST) &&
                !stays_out(self, segment, from, extent, (double)x, (double)y)) {
                return false;
            }
        }
    }
    return true;
}

bool rp_drive_is_free(const rp_drive_options_t *self, const rp_grid_view_t *grid,
                      const rp_drive_segment_t *segments, size_t count, double along)
{
    bool free = true;
    for (size_t i = 0; i < count && free; i++) {
        free = is_free(self, grid, &segments[i], i == 0 ? along : 0.0, NULL);
    }
    return free;
}

bool rp_drive_is_clear(const rp_drive_options_t *self, const rp_grid_view_t *grid,
                       const rp_drive_pose_t *pose)
{
    const rp_drive_segment_t rest = {.start = *pose};
    return is_free(self, grid, &rest, 0.0, NULL);
}

// ---- answers

static bool is_near(const rp_drive_pose_t *a, const rp_drive_pose_t *b, double most)
{
    return hypot(a->x - b->x, a->y - b->y) <= most &&
           fabs(remainder(a->yaw - b->yaw, 2.0 * M_PI)) <= most;
}

/// @param leaves  where the curve begins, when this one leads out of obstacles: it meets no others;
///                else NULL
static const char *check_segment(const rp_drive_options_t *self, const rp_grid_view_t *grid,
                                 const rp_drive_segment_t *segment, const rp_drive_pose_t *leaves)
{
    const bool is_fine = isfinite(segment->start.x) && isfinite(segment->start.y) &&
                         isfinite(segment->start.yaw) && isfinite(segment->curvature) &&
                         isfinite(segment->length) && isfinite(segment->turn) &&
                         fabs(segment->length) < 1e5;
    return !is_fine ? "has a segment that is none"
           : fabs(segment->curvature) > 1.0 / self->turning_radius_m + 1e-9
               ? "turns tighter than it may"
           : segment->length < 0.0 && !self->reverses      ? "drives backwards, and may not"
           : segment->turn != 0.0 && !self->turns_in_place ? "turns in place, and may not"
           : !is_free(self, grid, segment, 0.0, leaves)    ? "meets an obstacle"
                                                           : NULL;
}

const char *rp_drive_check(const rp_drive_options_t *self, const rp_grid_view_t *grid,
                           const Replan__V1__Answer *answer, const rp_drive_pose_t *from,
                           uint32_t goal)
{
    const size_t count = answer->n_segment_x;
    const bool are_whole = answer->n_segment_y == count && answer->n_segment_yaw == count &&
                           answer->n_segment_curvature == count &&
                           answer->n_segment_length == count && answer->n_segment_turn == count;
    rp_drive_pose_t at = *from;
    rp_drive_pose_t first = *from;
    const char *wrong = are_whole ? NULL : "has numbers of segments that differ";
    for (size_t i = 0; i < count && wrong == NULL; i++) {
        const rp_drive_segment_t segment = rp_drive_segment(answer, i);
        first = i == 0 ? segment.start : first;
        wrong =
            !is_near(&segment.start, &at, i == 0 ? BESIDE : 1e-6)
                ? i == 0 ? "begins where the agent is not" : "has a gap between two segments"
                : check_segment(self, grid, &segment, i < answer->escape_segments ? &first : NULL);
        at = rp_drive_pose_on(&segment, rp_drive_extent(&segment));
    }
    const double off = hypot(at.x - goal % grid->width - 0.5, at.y - goal / grid->width - 0.5);
    return wrong != NULL              ? wrong
           : count != 0 && off > 1e-6 ? "ends beside its goal"
           : answer->outcome == REPLAN__V1__OUTCOME__ARRIVED && off > BESIDE
               ? "has arrived elsewhere"
           : answer->bound > answer->cost + 1e-9 ? "costs less than its bound"
                                                 : NULL;
}
