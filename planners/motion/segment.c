/// Poses along segments. Along an arc by its chord, which is as exact for a radius of a million
/// cells as for one of two.
#include "planners/motion/segment.h"

#include <math.h>

#include "planners/motion/trig.h"

double rp_segment_extent(const rp_segment_t *self)
{
    return self->turn != 0.0 ? fabs(self->turn) : self->length;
}

static rp_motion_pose_t pose_on_line(const rp_segment_t *self, double length)
{
    const rp_trig_unit_t along = rp_trig_unit(self->start.heading + self->course);
    const double signed_length = self->gear * length;
    return (rp_motion_pose_t){
        .x = self->start.x + signed_length * along.cos,
        .y = self->start.y + signed_length * along.sin,
        .heading = self->start.heading,
    };
}

static rp_motion_pose_t pose_on_arc(const rp_segment_t *self, double length)
{
    const double angle = self->gear * length * self->curvature;
    const double chord = 2.0 * rp_trig_unit(0.5 * angle).sin / self->curvature;
    const rp_trig_unit_t along = rp_trig_unit(self->start.heading + 0.5 * angle);
    return (rp_motion_pose_t){
        .x = self->start.x + chord * along.cos,
        .y = self->start.y + chord * along.sin,
        .heading = self->start.heading + angle,
    };
}

rp_motion_pose_t rp_segment_pose(const rp_segment_t *self, double part)
{
    const double extent = rp_segment_extent(self);
    const double inside = part < 0.0 ? 0.0 : part > extent ? extent : part;
    if (inside == 0.0) {
        return self->start;
    }
    if (self->turn != 0.0) {
        rp_motion_pose_t pose = self->start;
        pose.heading += self->turn < 0.0 ? -inside : inside;
        return pose;
    }
    return self->curvature == 0.0 ? pose_on_line(self, inside) : pose_on_arc(self, inside);
}

rp_motion_pose_t rp_segment_end(const rp_segment_t *self)
{
    return rp_segment_pose(self, rp_segment_extent(self));
}

double rp_segment_sum(const rp_segment_t *segments, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += segments[i].length;
    }
    return sum;
}

rp_motion_pose_t rp_segment_pose_along(const rp_motion_curve_t *curve, double length)
{
    double before = 0.0;
    for (size_t i = 0; i < curve->count; i++) {
        const rp_segment_t *segment = &curve->segments[i];
        if (length < before + segment->length) {
            return rp_segment_pose(segment, length - before);
        }
        before += segment->length;
    }
    return curve->end;
}
