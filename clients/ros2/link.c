#include "clients/ros2/link.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clients/ros2/faults.h"
#include "clients/ros2/link_call.h"
#include "msgs/request.h"

#define CONNECT_MS   250u
#define POSE_MS      INT64_C(100) ///< between two poses in one cell
#define POSE_CELL_MS INT64_C(20)  ///< and in different cells

rp_ros_link_t *rp_ros_link_new(const rp_ros_settings_t *settings, rp_ros_faults_t *faults)
{
    rp_ros_link_t *self = calloc(1, sizeof *self);
    if (self != NULL) {
        self->settings = settings;
        self->faults = faults;
        self->pending = RP_ROS_WORLD;
    }
    return self;
}

void rp_ros_link_destroy(rp_ros_link_t **self)
{
    if (*self != NULL) {
        rp_client_close(&(*self)->client);
        free((*self)->portion);
        free(*self);
        *self = NULL;
    }
}

void rp_ros_link_note(rp_ros_link_t *self, rp_ros_change_t change, const rp_ros_rect_t *rect)
{
    if (change == RP_ROS_CELLS && self->pending <= RP_ROS_CELLS) {
        self->rect = self->pending == RP_ROS_CELLS ? rp_ros_rect_join(&self->rect, rect) : *rect;
    }
    self->pending = change > self->pending ? change : self->pending;
}

bool rp_ros_link_has_world(const rp_ros_link_t *self)
{
    return self->pending != RP_ROS_WORLD;
}

uint64_t rp_ros_link_window(const rp_ros_link_t *self)
{
    return rp_ros_link_has_world(self) ? self->window : 0;
}

int rp_ros_link_fd(const rp_ros_link_t *self)
{
    return self->client != NULL ? rp_client_fd(self->client) : -1;
}

// ---- the agent

static Replan__V1__Pose pose_of(const rp_ros_link_t *self, const rp_planar_t *at)
{
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    pose.world = (char *)self->settings->world;
    pose.agent = (char *)self->settings->agent;
    pose.x = at->x_m;
    pose.y = at->y_m;
    pose.yaw = at->yaw;
    pose.must_be_open = true;
    return pose;
}

/// @param goal  borrowed by the message
static Replan__V1__Goal goal_of(const rp_ros_link_t *self, rp_ros_goal_t *goal)
{
    Replan__V1__Goal message = REPLAN__V1__GOAL__INIT;
    message.world = (char *)self->settings->world;
    message.agent = (char *)self->settings->agent;
    message.goal_id = goal->id;
    message.n_x = message.n_y = 1;
    message.x = &goal->pose.x_m;
    message.y = &goal->pose.y_m;
    if (rp_ros_settings_is_car(self->settings)) {
        message.n_yaw = 1;
        message.yaw = &goal->pose.yaw;
    } else {
        message.tolerance_m = self->settings->tolerance;
        message.nearest = true; // of an occupied goal: the nearest cell that is not
    }
    message.must_be_open = true;
    return message;
}

/// A footprint that is swept; a disc that nothing may enter, of a car and without an inflation that
/// reaches beyond it; else inflated as in Nav2.
/// @param footprint  borrowed by the body
static Replan__V1__Body body_of(const rp_ros_link_t *self, rp_ros_footprint_t *footprint)
{
    const rp_ros_settings_t *settings = self->settings;
    const double radius_m = rp_ros_settings_radius_m(settings);
    Replan__V1__Body body = REPLAN__V1__BODY__INIT;
    if (rp_ros_settings_is_swept(settings)) {
        *footprint = settings->footprint;
        body.n_footprint_x = body.n_footprint_y = footprint->count;
        body.footprint_x = footprint->x_m;
        body.footprint_y = footprint->y_m;
        body.padding_m = settings->footprint_padding;
    } else if (rp_ros_settings_is_car(settings) || settings->inflation_radius < radius_m) {
        body.radius_m = radius_m;
    } else {
        body.inscribed_radius_m = radius_m;
        body.inflation_radius_m = settings->inflation_radius;
        body.cost_scaling_factor = settings->cost_scaling_factor;
    }
    return body;
}

/// Of a car. A change of gear costs as much as a turning radius, so that it does not rock.
static Replan__V1__Motion motion_of(const rp_ros_link_t *self)
{
    const rp_ros_settings_t *settings = self->settings;
    Replan__V1__Motion motion = REPLAN__V1__MOTION__INIT;
    motion.drive = REPLAN__V1__DRIVE__CAR;
    motion.turning_radius_m = settings->minimum_turning_radius;
    motion.reverse = settings->motion_model_for_search == RP_ROS_CAR_REEDS_SHEPP;
    if (motion.reverse) {
        motion.factor_case = REPLAN__V1__MOTION__FACTOR_REVERSE_FACTOR;
        motion.reverse_factor = settings->reverse_penalty;
        motion.gear_change_m = settings->minimum_turning_radius;
    }
    return motion;
}

static Replan__V1__Policy policy_of(const rp_ros_link_t *self, const rp_ros_costmap_t *costmap)
{
    const rp_ros_settings_t *settings = self->settings;
    Replan__V1__Policy policy = REPLAN__V1__POLICY__INIT;
    policy.gain_case = REPLAN__V1__POLICY__GAIN_SWITCH_GAIN_PERCENT;
    policy.switch_gain_percent = settings->switch_gain_percent;
    policy.interval_case = REPLAN__V1__POLICY__INTERVAL_MIN_INTERVAL_MS;
    policy.min_interval_ms = settings->min_interval_ms;
    policy.age_case = REPLAN__V1__POLICY__AGE_MAX_AGE_MS;
    policy.max_age_ms = settings->max_age_ms;
    policy.follow_case = REPLAN__V1__POLICY__FOLLOW_FOLLOW_RADIUS_M;
    policy.follow_radius_m =
        settings->follow_radius > 0.0 ? settings->follow_radius : 2.0 * costmap->resolution_m;
    policy.answer_within_ms = rp_ros_settings_is_car(settings) ? 0 : settings->answer_within_ms;
    return policy;
}

static void note_pose(rp_ros_link_t *self, const rp_planar_t *pose)
{
    self->pose = *pose;
    self->pose_ms = self->faults->now_ms;
}

static bool close_agent(rp_ros_link_t *self)
{
    Replan__V1__CloseAgent gone = REPLAN__V1__CLOSE_AGENT__INIT;
    gone.world = (char *)self->settings->world;
    gone.agent = (char *)self->settings->agent;
    Replan__V1__Request request = RP_REQUEST(CLOSE_AGENT, close_agent, &gone);
    return rp_ros_link_ask(self, &request, "to close the agent", NULL) != NULL;
}

/// @param status  written when it is refused
static bool open_agent(rp_ros_link_t *self, const rp_ros_wish_t *wish, Replan__V1__Status *status)
{
    rp_ros_goal_t to = *wish->goal;
    Replan__V1__Pose pose = pose_of(self, wish->pose);
    Replan__V1__Goal goal = goal_of(self, &to);
    rp_ros_footprint_t footprint;
    Replan__V1__Body body = body_of(self, &footprint);
    Replan__V1__Motion motion = motion_of(self);
    Replan__V1__Policy policy = policy_of(self, wish->costmap);
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    pose.must_be_open = goal.must_be_open = false;
    open.world = (char *)self->settings->world;
    open.agent = (char *)self->settings->agent;
    open.pose = &pose;
    open.goal = &goal;
    open.body = &body;
    open.policy = &policy;
    open.motion = rp_ros_settings_is_car(self->settings) ? &motion : NULL;
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &open);
    if (rp_ros_link_ask(self, &request, "to open the agent", status) == NULL) {
        return false;
    }
    self->is_open = true;
    self->goal_id = wish->goal->id;
    note_pose(self, wish->pose);
    return true;
}

/// One of that name is of a run before: it may have another body.
static bool begin_agent(rp_ros_link_t *self, const rp_ros_wish_t *wish)
{
    Replan__V1__Status status = REPLAN__V1__STATUS__OK;
    return open_agent(self, wish, &status) ||
           (status == REPLAN__V1__STATUS__EXISTS && close_agent(self) &&
            open_agent(self, wish, &status));
}

static bool watch_agent(rp_ros_link_t *self)
{
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    char *names[] = {(char *)self->settings->agent};
    if (self->watch != 0) {
        (void)rp_client_unwatch(self->client, self->watch);
        self->watch = 0;
    }
    watch.world = (char *)self->settings->world;
    watch.agents = names;
    watch.n_agents = 1;
    watch.segments = rp_ros_settings_is_car(self->settings);
    self->is_watched = rp_client_watch(self->client, &watch, &self->watch) == RP_CLIENT_OK;
    if (!self->is_watched) {
        rp_ros_fault(self->faults, RP_ROS_FAULT_REFUSED, "to watch the agent: %s",
                     rp_client_sentence(self->client));
        rp_ros_link_forget(self);
        rp_ros_link_wait(self, RP_ROS_LINK_RETRY_MS);
    }
    return self->is_watched;
}

/// When the pose is to be told: at once in another cell, else now and then. INT64_MAX: it is told.
static int64_t pose_due_ms(const rp_ros_link_t *self, const rp_ros_wish_t *wish)
{
    const double cell_m = wish->costmap->resolution_m;
    const rp_planar_t *pose = wish->pose;
    const bool is_turned = rp_ros_settings_is_car(self->settings) && pose->yaw != self->pose.yaw;
    if (pose->x_m == self->pose.x_m && pose->y_m == self->pose.y_m && !is_turned) {
        return INT64_MAX;
    }
    const bool is_far = floor(pose->x_m / cell_m) != floor(self->pose.x_m / cell_m) ||
                        floor(pose->y_m / cell_m) != floor(self->pose.y_m / cell_m);
    return self->pose_ms + (is_far ? POSE_CELL_MS : POSE_MS);
}

static bool tell_pose(rp_ros_link_t *self, const rp_planar_t *at)
{
    Replan__V1__Pose pose = pose_of(self, at);
    Replan__V1__Request request = RP_REQUEST(SET_POSE, set_pose, &pose);
    note_pose(self, at); // one that is refused is not told again and again
    return rp_ros_link_ask(self, &request, "to set the pose", NULL) != NULL;
}

static bool tell_goal(rp_ros_link_t *self, const rp_ros_goal_t *goal)
{
    rp_ros_goal_t to = *goal;
    Replan__V1__Goal message = goal_of(self, &to);
    Replan__V1__Request request = RP_REQUEST(SET_GOAL, set_goal, &message);
    self->goal_id = goal->id;
    return rp_ros_link_ask(self, &request, "to set the goal", NULL) != NULL;
}

static bool sync_agent(rp_ros_link_t *self, const rp_ros_wish_t *wish)
{
    if (wish->pose == NULL || wish->goal == NULL) {
        return true;
    }
    if (!self->is_open) {
        return begin_agent(self, wish) && (self->is_watched || watch_agent(self));
    }
    if (!self->is_watched && !watch_agent(self)) {
        return false;
    }
    const bool is_new = self->goal_id != wish->goal->id;
    const int64_t due_ms = pose_due_ms(self, wish);
    if (due_ms != INT64_MAX && (is_new || due_ms <= self->faults->now_ms) &&
        !tell_pose(self, wish->pose)) {
        return false;
    }
    return !is_new || tell_goal(self, wish->goal);
}

// ---- both

static bool connect_client(rp_ros_link_t *self)
{
    if (self->client != NULL) {
        return true;
    }
    const rp_client_status_t status =
        rp_client_open(self->settings->control, CONNECT_MS, &self->client);
    if (status != RP_CLIENT_OK) {
        rp_ros_fault(self->faults, RP_ROS_FAULT_DAEMON, "%s: %s", self->settings->control,
                     rp_client_status_text(status));
        rp_ros_link_wait(self, RP_ROS_LINK_RETRY_MS);
    }
    return status == RP_CLIENT_OK;
}

bool rp_ros_link_sync(rp_ros_link_t *self, const rp_ros_wish_t *wish)
{
    if (wish->costmap->frame_id[0] == '\0') {
        return true;
    }
    if (self->faults->now_ms < self->retry_ms || !connect_client(self)) {
        return false;
    }
    return rp_ros_link_sync_world(self, wish->costmap) && sync_agent(self, wish);
}

int64_t rp_ros_link_due_ms(const rp_ros_link_t *self, const rp_ros_wish_t *wish)
{
    if (wish->costmap->frame_id[0] == '\0') {
        return INT64_MAX;
    }
    if (self->pending != RP_ROS_NOTHING) {
        return self->retry_ms;
    }
    if (wish->pose == NULL || wish->goal == NULL) {
        return INT64_MAX;
    }
    if (!self->is_open || !self->is_watched || self->goal_id != wish->goal->id) {
        return self->retry_ms;
    }
    const int64_t due_ms = pose_due_ms(self, wish);
    return due_ms < self->retry_ms ? self->retry_ms : due_ms;
}

const Replan__V1__Answer *rp_ros_link_answer(rp_ros_link_t *self)
{
    rp_client_event_t event;
    while (self->client != NULL && rp_client_poll(self->client, 0, &event)) {
        switch (event.kind) {
        case RP_CLIENT_ANSWER:
            if (self->is_watched && event.watch == self->watch) {
                return event.answer;
            }
            break;
        case RP_CLIENT_LOST:
            rp_ros_fault(self->faults, RP_ROS_FAULT_DAEMON, "the line to %s broke",
                         self->settings->control);
            rp_ros_link_forget(self);
            self->watch = 0;
            break;
        case RP_CLIENT_ENDED:
            if (event.watch == self->watch) { // the world may be gone
                rp_ros_link_forget(self);
                self->watch = 0;
            }
            break;
        default:
            break;
        }
    }
    return NULL;
}

bool rp_ros_link_is_older(const rp_ros_link_t *self, const Replan__V1__Answer *answer)
{
    return answer->epoch != self->epoch || answer->version < self->version;
}
