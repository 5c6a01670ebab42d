#include "clients/ros2/plan.h"

#include <math.h>
#include <stdlib.h>

#include "files/occupancy.h"
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

static void head(rp_ros_plan_t *self, const double *last_yaw)
{
    double yaw = 0.0;
    for (size_t i = 0; i + 1 < self->count; i++) {
        const rp_planar_t *next = &self->poses[i + 1];
        yaw = atan2(next->y_m - self->poses[i].y_m, next->x_m - self->poses[i].x_m);
        self->poses[i].yaw = yaw;
    }
    if (self->count != 0) {
        self->poses[self->count - 1].yaw = last_yaw != NULL ? *last_yaw : yaw;
    }
}

bool rp_ros_plan_make(rp_ros_plan_t *self, const Replan__V1__Answer *answer, const double *last_yaw)
{
    self->count = self->way = 0;
    const bool has_path = rp_client_has_path(answer) && answer->geometry != NULL;
    if (!make_room(self, has_path ? answer->way.len + answer->steps.len + 2u : 0)) {
        return false;
    }
    if (has_path) {
        const size_t way = rp_client_way(answer, self->cells, self->capacity);
        self->way = way != 0 ? way - 1 : 0; // its last cell is the path's first
        add_cells(self, answer->geometry, self->way);
        add_cells(self, answer->geometry, rp_client_cells(answer, self->cells, self->capacity));
    }
    head(self, last_yaw);
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
