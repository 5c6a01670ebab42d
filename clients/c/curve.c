/// Poses along the curve of an agent with motion.
#include "replan/client.h"

#include <math.h>

static rp_client_pose_t pose_on(const Replan__V1__Answer *answer, size_t segment, double part)
{
    const double yaw = answer->segment_yaw[segment];
    const double turn = answer->segment_turn[segment];
    const double curvature = answer->segment_curvature[segment];
    const double course = answer->n_segment_course != 0 ? answer->segment_course[segment] : 0.0;
    const double along = answer->segment_length[segment] < 0.0 ? -part : part;
    rp_client_pose_t pose = {answer->segment_x[segment], answer->segment_y[segment], yaw};
    if (turn != 0.0) {
        pose.yaw += turn;
    } else if (curvature == 0.0) {
        pose.x_m += along * cos(yaw + course);
        pose.y_m += along * sin(yaw + course);
    } else {
        pose.yaw += along * curvature;
        pose.x_m += (sin(pose.yaw) - sin(yaw)) / curvature;
        pose.y_m -= (cos(pose.yaw) - cos(yaw)) / curvature;
    }
    return pose;
}

/// All arrays are as long as the first.
static bool has_curve(const Replan__V1__Answer *answer)
{
    const size_t count = answer != NULL ? answer->n_segment_x : 0;
    return count != 0 && answer->n_segment_y == count && answer->n_segment_yaw == count &&
           answer->n_segment_curvature == count && answer->n_segment_length == count &&
           answer->n_segment_turn == count &&
           (answer->n_segment_course == 0 || answer->n_segment_course == count);
}

bool rp_client_pose_at(const Replan__V1__Answer *answer, double distance_m, rp_client_pose_t *pose)
{
    if (!has_curve(answer) || pose == NULL) {
        return false;
    }
    const size_t last = answer->n_segment_x - 1;
    size_t segment = 0;
    while (segment < last && !(distance_m < fabs(answer->segment_length[segment]))) {
        distance_m -= fabs(answer->segment_length[segment]);
        segment++;
    }
    const double length = fabs(answer->segment_length[segment]);
    *pose =
        length == 0.0 && distance_m < 0.0
            ? (rp_client_pose_t){answer->segment_x[0], answer->segment_y[0], answer->segment_yaw[0]}
            : pose_on(answer, segment, fmin(fmax(distance_m, 0.0), length));
    return true;
}

double rp_client_curve_length(const Replan__V1__Answer *answer)
{
    double length = 0.0;
    for (size_t i = 0; has_curve(answer) && i < answer->n_segment_x; i++) {
        length += fabs(answer->segment_length[i]);
    }
    return length;
}
