#include "clients/ros2/plan.h"

#include <math.h>
#include <stdlib.h>

#include "files/occupancy.h"
#include "msgs/bends.h"
#include "replan/client.h"

static bool make_room(rp_ros_plan_t *self, size_t count)
{
    if (count <= self->capacity) {
        return true;
    }
    rp_planar_t *poses = realloc(self->poses, count * sizeof *poses);
    self->poses = poses != NULL ? poses : self->poses;
    uint32_t *cells = realloc(self->cells, count * sizeof *cells);
    self->cells = cells != NULL ? cells : self->cells;
    if (poses == NULL || cells == NULL) {
        return false;
    }
    self->capacity = count;
    return true;
}

static void add_cells(rp_ros_plan_t *self, const Replan__V1__Geometry *geometry, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        rp_planar_t *pose = &self->poses[self->count++];
        rp_client_middle(geometry, self->cells[i], &pose->x_m, &pose->y_m);
    }
}

/// A pose heads as the step does that leads on from it.
static void head(rp_ros_plan_t *self, const Replan__V1__Answer *answer, const double *last_yaw)
{
    double yaws[RP_STEP_DIRECTIONS], yaw = 0.0;
    for (unsigned step = 0; step < RP_STEP_DIRECTIONS; step++) {
        const double turned = atan2(rp_wire_step_y[step], rp_wire_step_x[step]);
        yaws[step] = remainder(turned + answer->geometry->origin_yaw, 2.0 * M_PI);
    }
    for (size_t i = 0; i + 1 < self->count; i++) {
        const uint8_t step =
            i < self->way ? answer->way.data[i] : answer->steps.data[i - self->way];
        yaw = yaws[step % RP_STEP_DIRECTIONS];
        self->poses[i].yaw = yaw;
    }
    if (self->count != 0) {
        self->poses[self->count - 1].yaw = last_yaw != NULL ? *last_yaw : yaw;
    }
}

// ---- of a curve

/// A segment of an answer.
typedef struct segment {
    rp_planar_t from;
    double curvature; ///< 1/m
    double length_m;  ///< below 0: backwards
    double turn;      ///< radians, in place
    double course;    ///< of a line, from its yaw
} segment_t;

static segment_t segment_at(const Replan__V1__Answer *answer, size_t i)
{
    return (segment_t){
        .from = {answer->segment_x[i], answer->segment_y[i], answer->segment_yaw[i]},
        .curvature = answer->segment_curvature[i],
        .length_m = answer->segment_length[i],
        .turn = answer->segment_turn[i],
        .course = answer->n_segment_course != 0 ? answer->segment_course[i] : 0.0,
    };
}

/// Where the body is when it has driven this share of the segment.
static rp_planar_t pose_along(const segment_t *segment, double share)
{
    const rp_planar_t from = segment->from;
    const double length_m = share * segment->length_m;
    const double yaw = from.yaw + share * segment->turn + segment->curvature * length_m;
    rp_planar_t pose = {.yaw = remainder(yaw, 2.0 * M_PI)};
    if (segment->curvature == 0.0) {
        pose.x_m = from.x_m + length_m * cos(from.yaw + segment->course);
        pose.y_m = from.y_m + length_m * sin(from.yaw + segment->course);
    } else {
        pose.x_m = from.x_m + (sin(yaw) - sin(from.yaw)) / segment->curvature;
        pose.y_m = from.y_m - (cos(yaw) - cos(from.yaw)) / segment->curvature;
    }
    return pose;
}

/// Poses of a segment without its end. @return at least 1; of numbers that are none, infinity
static double count_of(const segment_t *segment, double cell_m)
{
    const double turned = fabs(segment->turn) + fabs(segment->curvature * segment->length_m);
    const double by_length = fabs(segment->length_m) / cell_m;
    const double by_turn = turned / RP_ROS_PLAN_TURN;
    if (!isfinite(by_length + by_turn)) {
        return INFINITY;
    }
    return fmax(1.0, ceil(fmax(by_length, by_turn) - 1e-9));
}

static bool make_curve(rp_ros_plan_t *self, const Replan__V1__Answer *answer)
{
    const double cell_m = answer->geometry->resolution;
    double total = 1.0;
    segment_t segment = {0};
    for (size_t i = 0; i < answer->n_segment_x; i++) {
        segment = segment_at(answer, i);
        total += count_of(&segment, cell_m);
    }
    if (!(total <= RP_ROS_PLAN_MOST) || !make_room(self, (size_t)total)) {
        return false;
    }
    for (size_t i = 0; i < answer->n_segment_x; i++) {
        self->way = i == answer->escape_segments ? self->count : self->way;
        segment = segment_at(answer, i);
        const double count = count_of(&segment, cell_m);
        for (double k = 0.0; k < count; k++) {
            self->poses[self->count++] = pose_along(&segment, k / count);
        }
    }
    self->poses[self->count++] = pose_along(&segment, 1.0);
    return true;
}

static bool has_curve(const Replan__V1__Answer *answer)
{
    const size_t count = answer->n_segment_x;
    return count != 0 && answer->n_segment_y == count && answer->n_segment_yaw == count &&
           answer->n_segment_curvature == count && answer->n_segment_length == count &&
           answer->n_segment_turn == count &&
           (answer->n_segment_course == 0 || answer->n_segment_course == count);
}

bool rp_ros_plan_make(rp_ros_plan_t *self, const Replan__V1__Answer *answer, const double *last_yaw)
{
    self->count = self->way = 0;
    const bool has_path = rp_client_has_path(answer) && answer->geometry != NULL;
    if (has_path && has_curve(answer)) {
        return make_curve(self, answer);
    }
    if (!make_room(self, has_path ? answer->way.len + answer->steps.len + 2u : 0)) {
        return false;
    }
    if (has_path) {
        const size_t way = rp_client_way(answer, self->cells, self->capacity);
        self->way = way != 0 ? way - 1 : 0; // its last cell is the path's first
        add_cells(self, answer->geometry, self->way);
        add_cells(self, answer->geometry, rp_client_cells(answer, self->cells, self->capacity));
        head(self, answer, last_yaw);
    }
    return true;
}

size_t rp_ros_plan_blocked_at(const rp_ros_plan_t *self, const rp_ros_costmap_t *costmap,
                              bool unknown_blocks)
{
    for (size_t i = 0; i < self->count; i++) {
        uint8_t byte = 0;
        const uint8_t least = i < self->way ? RP_COSTMAP_LETHAL : RP_COSTMAP_INSCRIBED;
        if (rp_ros_costmap_byte_at(costmap, self->poses[i].x_m, self->poses[i].y_m, &byte) &&
            byte >= least && (byte != RP_COSTMAP_UNKNOWN || unknown_blocks)) {
            return i;
        }
    }
    return self->count;
}

void rp_ros_plan_fini(rp_ros_plan_t *self)
{
    free(self->poses);
    free(self->cells);
    *self = (rp_ros_plan_t){0};
}
