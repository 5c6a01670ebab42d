#include "sim/world/driving.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

/// How far along a new curve an agent may be already, and how finely that is looked for.
#define AHEAD  3.0
#define FINELY 0.05

bool rp_driving_seat(rp_sim_agent_t *self, const rp_grid_view_t *grid, const rp_drive_pose_t *pose)
{
    if (self->seats == NULL) {
        self->seats = calloc(RP_SIM_AGENT_MEMORY, sizeof *self->seats);
    }
    if (self->seats == NULL) {
        return false;
    }
    rp_sim_agent_place(self, (uint32_t)pose->y * grid->width + (uint32_t)pose->x);
    self->seats[self->pose_seq % RP_SIM_AGENT_MEMORY] = *pose;
    return true;
}

const rp_drive_pose_t *rp_driving_seat_of(const rp_sim_agent_t *self, uint64_t pose_seq)
{
    const bool is_known = self->seats != NULL && pose_seq != 0 && pose_seq <= self->pose_seq &&
                          self->pose_seq - pose_seq < RP_SIM_AGENT_MEMORY;
    return is_known ? &self->seats[pose_seq % RP_SIM_AGENT_MEMORY] : NULL;
}

/// Leave out what of the curve lies behind. @return the pose after so many metres
static rp_drive_pose_t pose_after(const rp_sim_agent_t *self, double metres, size_t *at,
                                  double *along)
{
    *at = 0;
    *along = self->along + metres;
    while (*at + 1u < self->curve_count && *along >= rp_drive_extent(&self->curve[*at])) {
        *along -= rp_drive_extent(&self->curve[(*at)++]);
    }
    *along = fmin(*along, rp_drive_extent(&self->curve[*at]));
    return rp_drive_pose_on(&self->curve[*at], *along);
}

static void pass(rp_sim_agent_t *self, size_t at, double along)
{
    for (size_t i = at; i < self->curve_count; i++) {
        self->curve[i - at] = self->curve[i];
    }
    self->curve_count -= at;
    self->along = along;
}

bool rp_driving_hear(rp_sim_agent_t *self, const Replan__V1__Answer *answer)
{
    const rp_drive_pose_t *seat = rp_driving_seat_of(self, self->pose_seq);
    const size_t count = answer->n_segment_x;
    if (answer->goal_id != self->goal_id || seat == NULL) {
        return true;
    }
    if (!rp_array_reserve(&self->curve, &self->curve_capacity, count + 1u, sizeof *self->curve)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        self->curve[i] = rp_drive_segment(answer, i);
    }
    self->curve_count = self->has_no_path ? 0 : count;
    self->along = 0.0;
    double best = INFINITY;
    double nearest = 0.0;
    size_t at;
    double along;
    for (double metres = 0.0; metres < AHEAD && self->curve_count != 0; metres += FINELY) {
        const rp_drive_pose_t pose = pose_after(self, metres, &at, &along);
        const double off = hypot(pose.x - seat->x, pose.y - seat->y) +
                           fabs(remainder(pose.yaw - seat->yaw, 2.0 * M_PI));
        nearest = off < best - 1e-9 ? metres : nearest;
        best = fmin(off, best);
    }
    if (self->curve_count != 0) {
        (void)pose_after(self, nearest, &at, &along);
        pass(self, at, along);
    }
    return true;
}

bool rp_driving_go(rp_sim_agent_t *self, const rp_drive_options_t *drive,
                   const rp_grid_view_t *grid, double metres)
{
    size_t at;
    double along;
    if (self->curve_count == 0) {
        return false;
    }
    const rp_drive_pose_t before = pose_after(self, 0.0, &at, &along);
    const rp_drive_pose_t pose = pose_after(self, metres, &at, &along);
    if (!rp_drive_is_clear(drive, grid, &pose)) {
        return false;
    }
    pass(self, at, along);
    const bool goes = pose.x != before.x || pose.y != before.y || pose.yaw != before.yaw;
    return rp_driving_seat(self, grid, &pose) && goes;
}
