/// Calls on sessions: poses, goals, and the newest answer.
#include <math.h>

#include "engine/core.h"
#include "engine/session/driving/driven_body.h"
#include "engine/session/endpoints.h"

rp_session_options_t rp_engine_session_defaults(void)
{
    return (rp_session_options_t){.planner = "auto"};
}

/// The world may have become too large for it since it was judged, or too narrow.
static bool can_drive(const rp_engine_t *self, rp_world_id_t world,
                      const rp_session_options_t *options)
{
    if (options->motion.drive == RP_MOTION_NONE) {
        return true;
    }
    const rp_motion_fault_t fault = rp_engine_judge_motion(self, world, &options->motion);
    const bool is_of_world = fault == RP_MOTION_TOO_LARGE || fault == RP_MOTION_TOO_NARROW;
    return fault == RP_MOTION_FINE || (is_of_world && options->is_judged);
}

rp_status_t rp_engine_open(rp_engine_t *self, rp_world_id_t world,
                           const rp_session_options_t *options, rp_session_id_t *session)
{
    rp_world_t *home = rp_engine_world(self, world);
    if (home == NULL) {
        return RP_E_UNKNOWN;
    }
    if (options == NULL || session == NULL) {
        return RP_E_INVALID;
    }
    if (!can_drive(self, world, options)) {
        return RP_E_INVALID;
    }
    uint32_t place;
    rp_session_t *opened;
    rp_status_t status = rp_table_take(&self->sessions, &place);
    if (status == RP_OK) {
        status = rp_timers_reserve(&self->timers, self->sessions.capacity);
    }
    if (status == RP_OK) {
        status = rp_session_new(home, rp_table_handle(&self->sessions, place), &self->searches,
                                options, &opened);
    }
    if (status != RP_OK) {
        return status;
    }
    self->sessions.items[place] = opened;
    self->session_count++;
    opened->greedy = &self->greedy;
    opened->far = &self->far;
    opened->frozen = &self->frozen;
    if (opened->driver != NULL) {
        opened->driver->sets.all = &self->control_sets;
    }
    rp_roster_add(opened);
    *session = opened->id;
    return RP_OK;
}

rp_status_t rp_engine_close(rp_engine_t *self, rp_session_id_t session)
{
    rp_session_t *closing = rp_engine_session(self, session);
    if (closing == NULL) {
        return RP_E_UNKNOWN;
    }
    rp_engine_end_session(self, closing);
    return RP_OK;
}

rp_motion_fault_t rp_engine_judge_motion(const rp_engine_t *self, rp_world_id_t world,
                                         const rp_motion_t *motion)
{
    const rp_world_t *asked = rp_engine_world(self, world);
    if (asked == NULL) {
        return RP_MOTION_NO_SUCH_WORLD;
    }
    return motion != NULL
               ? rp_driver_judge(motion, asked->frame.resolution_m, &asked->layers[0]->grid->shape)
               : RP_MOTION_BAD_DRIVE;
}

const char *rp_engine_judge_footprint(const rp_engine_t *self, rp_world_id_t world,
                                      const rp_polygon_body_t *footprint)
{
    const rp_world_t *asked = rp_engine_world(self, world);
    return asked == NULL || footprint == NULL
               ? NULL
               : rp_driven_body_judge(footprint, asked->frame.resolution_m,
                                      &asked->layers[0]->grid->shape);
}

uint32_t rp_engine_headings_for(double turning_radius)
{
    return rp_lattice_headings_for(turning_radius);
}

rp_status_t rp_engine_pose(rp_engine_t *self, rp_session_id_t session, double x_m, double y_m,
                           uint64_t pose_seq, rp_cause_t cause)
{
    return rp_engine_pose_with_yaw(self, session, x_m, y_m, NAN, pose_seq, cause);
}

rp_status_t rp_engine_pose_with_yaw(rp_engine_t *self, rp_session_id_t session, double x_m,
                                    double y_m, double yaw, uint64_t pose_seq, rp_cause_t cause)
{
    rp_session_t *moving = rp_engine_session(self, session);
    if (moving == NULL) {
        return RP_E_UNKNOWN;
    }
    const bool lacks_yaw = moving->driver != NULL && !moving->driver->has_yaw && !isfinite(yaw);
    if (!isfinite(x_m) || !isfinite(y_m) || lacks_yaw) {
        return RP_E_INVALID;
    }
    if (pose_seq != 0 && moving->position.has_pose && pose_seq <= moving->position.pose_seq) {
        return RP_OK;
    }
    const rp_cell_t before = moving->position.cell;
    if (moving->driver != NULL ? rp_driving_move(moving, x_m, y_m, yaw, pose_seq)
                               : rp_session_move(moving, x_m, y_m, pose_seq)) {
        rp_plan_queue_add(moving, moving->world->version, cause);
    }
    for (rp_session_t *chaser = moving->goal.chasers; chaser != NULL;
         chaser = chaser->goal.chase_next) {
        // A move within a cell matters only where distance is measured from the target itself.
        if (moving->position.cell != before || chaser->goal.spec.tolerance_m > 0.0 ||
            chaser->goal.spec.is_nearest) {
            rp_session_lose_goals(chaser);
            rp_plan_queue_add(chaser, chaser->world->version, cause);
        }
    }
    return RP_OK;
}

rp_status_t rp_engine_goals(rp_engine_t *self, rp_session_id_t session,
                            const rp_destination_t *goals, size_t count, uint64_t goal_id,
                            rp_cause_t cause)
{
    const rp_aim_t aim = {.points = goals, .count = count, .goal_id = goal_id};
    return rp_engine_aim(self, session, &aim, cause);
}

/// @param target  written: NULL for 0, or when there is none any more
/// @return RP_E_INVALID for the session itself, or one of another world
static rp_status_t find_target(const rp_engine_t *self, const rp_session_t *chaser,
                               rp_session_id_t id, rp_session_t **target)
{
    *target = rp_engine_session(self, id);
    return *target == chaser || (*target != NULL && (*target)->world != chaser->world)
               ? RP_E_INVALID
               : RP_OK;
}

rp_status_t rp_engine_aim(rp_engine_t *self, rp_session_id_t session, const rp_aim_t *aim,
                          rp_cause_t cause)
{
    rp_session_t *aiming = rp_engine_session(self, session);
    rp_session_t *target = NULL;
    if (aiming == NULL) {
        return RP_E_UNKNOWN;
    }
    if (aim == NULL) {
        return RP_E_INVALID;
    }
    rp_status_t status =
        aim->kind == RP_AIM_TARGET ? find_target(self, aiming, aim->target, &target) : RP_OK;
    status = status == RP_OK ? rp_session_aim(aiming, aim, target) : status;
    if (status == RP_OK) {
        rp_plan_queue_add(aiming, aiming->world->version, cause);
    }
    return status;
}

size_t rp_engine_middle(const rp_destination_t *places, size_t count)
{
    double x_m = 0.0;
    double y_m = 0.0;
    double least = INFINITY;
    size_t middle = 0;
    count = places != NULL ? count : 0u;
    for (size_t i = 0; i < count; i++) {
        x_m += places[i].x_m / (double)count;
        y_m += places[i].y_m / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        const double off_x = places[i].x_m - x_m;
        const double off_y = places[i].y_m - y_m;
        const double off = off_x * off_x + off_y * off_y;
        middle = off < least ? i : middle;
        least = off < least ? off : least;
    }
    return middle;
}

rp_status_t rp_engine_retarget(rp_engine_t *self, rp_session_id_t session, rp_session_id_t target,
                               rp_cause_t cause)
{
    rp_session_t *chaser = rp_engine_session(self, session);
    rp_session_t *chased;
    if (chaser == NULL) {
        return RP_E_UNKNOWN;
    }
    if (chaser->goal.spec.kind != RP_AIM_TARGET ||
        find_target(self, chaser, target, &chased) != RP_OK) {
        return RP_E_INVALID;
    }
    rp_session_chase(chaser, chased);
    rp_plan_queue_add(chaser, chaser->world->version, cause);
    return RP_OK;
}

rp_status_t rp_engine_answer(const rp_engine_t *self, rp_session_id_t session, rp_answer_t *answer)
{
    rp_session_t *asked = rp_engine_session(self, session);
    if (asked == NULL) {
        return RP_E_UNKNOWN;
    }
    if (answer == NULL) {
        return RP_E_INVALID;
    }
    rp_session_settle(asked);
    rp_session_answer(asked, answer);
    return RP_OK;
}

bool rp_engine_is_sure(const rp_engine_t *self, rp_session_id_t session)
{
    const rp_session_t *asked = rp_engine_session(self, session);
    return asked != NULL &&
           (!rp_session_is_unsure(asked) || (asked->published.is_provisional &&
                                             asked->published.stands_for == asked->world->version));
}

bool rp_engine_newest_pose(const rp_engine_t *self, rp_session_id_t session, double *x_m,
                           double *y_m)
{
    const rp_session_t *asked = rp_engine_session(self, session);
    if (asked == NULL || !asked->position.has_pose || x_m == NULL || y_m == NULL) {
        return false;
    }
    *x_m = asked->position.x_m;
    *y_m = asked->position.y_m;
    return true;
}

uint64_t rp_engine_last_published(const rp_engine_t *self, rp_session_id_t session)
{
    const rp_session_t *asked = rp_engine_session(self, session);
    return asked != NULL ? asked->published.version : 0u;
}

rp_status_t rp_engine_set_session_user(rp_engine_t *self, rp_session_id_t session, void *user)
{
    rp_session_t *found = rp_engine_session(self, session);
    if (found == NULL) {
        return RP_E_UNKNOWN;
    }
    found->user = user;
    return RP_OK;
}

void *rp_engine_session_user(const rp_engine_t *self, rp_session_id_t session)
{
    const rp_session_t *found = rp_engine_session(self, session);
    return found != NULL ? found->user : NULL;
}
