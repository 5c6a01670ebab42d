#include "clients/ros2/bridge.h"

#include <stdlib.h>
#include <string.h>

#include "clients/ros2/tf_tree.h"
#include "replan/client.h"

/// A goal as it came: it is turned into the costmap's frame when that is known, and again when the
/// costmap comes in another one.
typedef struct told_goal {
    char frame_id[RP_LIMIT_FRAME_ID + 1u]; ///< empty: none came
    int64_t stamp_ns;
    rp_planar_t pose;
} told_goal_t;

struct rp_ros_bridge {
    const rp_ros_settings_t *settings;
    rp_ros_faults_t *faults;
    rp_ros_bytes_t bytes;
    rp_ros_costmap_t costmap;
    rp_tf_tree_t *tree;
    rp_ros_link_t *link;
    int64_t stamp_ns; ///< the newest of what was taken in
    // the robot
    char pose_frame[RP_LIMIT_FRAME_ID + 1u]; ///< of `told_pose`; empty: none came
    rp_planar_t told_pose;                   ///< of odom or amcl_pose
    int64_t pose_stamp_ns;
    int64_t pose_ms;
    bool is_moved; ///< a transform came since the last look
    bool has_pose;
    rp_planar_t pose;           ///< in the costmap's frame
    rp_tf_status_t pose_status; ///< of the last look
    uint64_t transforms;
    // the goal
    told_goal_t told_goal;
    bool has_goal;
    rp_ros_goal_t goal; ///< in the costmap's frame
    // the plan
    rp_ros_plan_t plan;
    rp_ros_plan_t next; ///< while it is made
    uint64_t plans;
    const char *outcome;
    const char *reason;
    double short_m; ///< from the end of the plan to the goal
};

rp_ros_bridge_t *rp_ros_bridge_new(const rp_ros_settings_t *settings, rp_ros_faults_t *faults)
{
    rp_ros_bridge_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    self->settings = settings;
    self->faults = faults;
    self->bytes =
        rp_ros_bytes_of((rp_ros_grid_kind_t)settings->map_kind, settings->lethal_cost_threshold);
    self->outcome = self->reason = "";
    self->tree = rp_tf_tree_new();
    self->link = rp_ros_link_new(settings, faults);
    if (self->tree == NULL || self->link == NULL) {
        rp_ros_bridge_destroy(&self);
    }
    return self;
}

void rp_ros_bridge_destroy(rp_ros_bridge_t **self)
{
    if (*self != NULL) {
        rp_ros_link_destroy(&(*self)->link);
        rp_tf_tree_destroy(&(*self)->tree);
        rp_ros_costmap_fini(&(*self)->costmap);
        rp_ros_plan_fini(&(*self)->plan);
        rp_ros_plan_fini(&(*self)->next);
        free(*self);
        *self = NULL;
    }
}

/// The robot's own time, which may be that of a simulation, by a message that was taken in. One
/// that goes far back begins anew; 0 is none.
static void note_stamp(rp_ros_bridge_t *self, int64_t stamp_ns)
{
    if (stamp_ns == 0) {
        return;
    }
    if (stamp_ns > self->stamp_ns || stamp_ns < self->stamp_ns - RP_TF_JUMP_NS) {
        self->stamp_ns = stamp_ns;
    }
}

// ---- frames

/// A pose of another frame in the costmap's.
static rp_tf_status_t turn(const rp_ros_bridge_t *self, const char *frame_id, int64_t stamp_ns,
                           const rp_planar_t *pose, rp_planar_t *turned)
{
    rp_planar_t frame;
    const rp_tf_status_t status = rp_tf_tree_find(self->tree, self->costmap.frame_id, frame_id,
                                                  stamp_ns != 0 ? stamp_ns : RP_TF_LATEST, &frame);
    if (status == RP_TF_OK) {
        *turned = rp_planar_compose(&frame, pose);
    }
    return status;
}

/// Where the robot is in the costmap's frame. What was known stays where tf does not say.
static rp_tf_status_t locate(rp_ros_bridge_t *self)
{
    const bool is_tf = self->settings->pose_source == RP_ROS_POSE_TF;
    const char *frame_id = is_tf ? self->settings->robot_base_frame : self->pose_frame;
    const rp_planar_t none = {0};
    if (self->costmap.frame_id[0] == '\0' || frame_id[0] == '\0') {
        return RP_TF_OK; // later
    }
    self->pose_status = turn(self, frame_id, 0, is_tf ? &none : &self->told_pose, &self->pose);
    if (self->pose_status == RP_TF_OK) {
        self->has_pose = true;
        self->pose_ms = self->faults->now_ms;
    }
    return self->pose_status;
}

/// Give the agent a goal in the costmap's frame. @return RP_TF_OK, else the goal before stays
static rp_tf_status_t aim(rp_ros_bridge_t *self, const told_goal_t *told)
{
    rp_planar_t turned;
    const rp_tf_status_t status = turn(self, told->frame_id, told->stamp_ns, &told->pose, &turned);
    if (status == RP_TF_OK) {
        self->has_goal = true;
        self->goal = (rp_ros_goal_t){.pose = turned, .id = self->goal.id + 1};
    }
    return status;
}

/// Aim at the newest goal that came, in a frame that was not known before.
static void aim_again(rp_ros_bridge_t *self)
{
    told_goal_t told = self->told_goal;
    told.stamp_ns = 0; // tf may have forgotten that time
    if (!self->has_goal && told.frame_id[0] != '\0' && self->costmap.frame_id[0] != '\0') {
        (void)aim(self, &told);
    }
}

// ---- what the robot says

static void note_change(rp_ros_bridge_t *self, rp_ros_change_t change, const rp_ros_rect_t *rect)
{
    if (change == RP_ROS_NOTHING) {
        return;
    }
    rp_ros_link_note(self->link, change, rect);
    if (change != RP_ROS_WORLD) {
        return;
    }
    self->has_pose = self->has_goal = false; // they may be in another frame
    (void)locate(self);
    aim_again(self);
}

void rp_ros_bridge_grid(rp_ros_bridge_t *self, const rp_ros_grid_t *grid)
{
    rp_ros_rect_t rect = {0};
    const uint64_t before = self->costmap.grids;
    const rp_ros_change_t change = rp_ros_costmap_take(
        &self->costmap, grid, &self->bytes, self->settings->global_frame, &rect, self->faults);
    note_stamp(self, self->costmap.grids != before ? grid->stamp_ns : 0);
    note_change(self, change, &rect);
}

void rp_ros_bridge_update(rp_ros_bridge_t *self, const rp_ros_grid_update_t *update)
{
    rp_ros_rect_t rect = {0};
    const uint64_t before = self->costmap.updates;
    const rp_ros_change_t change =
        rp_ros_costmap_update(&self->costmap, update, &self->bytes, &rect, self->faults);
    note_stamp(self, self->costmap.updates != before ? update->stamp_ns : 0);
    note_change(self, change, &rect);
}

void rp_ros_bridge_transform(rp_ros_bridge_t *self, const rp_ros_transform_t *transform,
                             bool is_static)
{
    rp_planar_t pose;
    const char *fault = rp_planar_of(&transform->pose, &pose);
    if (fault != NULL) {
        rp_ros_fault(self->faults, RP_ROS_FAULT_TRANSFORM, "%s in %s has %s",
                     rp_ros_quote(transform->child_frame_id).text,
                     rp_ros_quote(transform->frame_id).text, fault);
        return;
    }
    const rp_tf_status_t status =
        rp_tf_tree_put(self->tree, transform->frame_id, transform->child_frame_id, is_static,
                       transform->stamp_ns, &pose);
    if (status != RP_TF_OK) {
        rp_ros_fault(self->faults, status == RP_TF_OLD ? RP_ROS_FAULT_OLD : RP_ROS_FAULT_TRANSFORM,
                     "%s in %s: %s", rp_ros_quote(transform->child_frame_id).text,
                     rp_ros_quote(transform->frame_id).text, rp_tf_status_text(status));
        return;
    }
    self->transforms++;
    self->is_moved = true;
    if (!is_static) {
        note_stamp(self, transform->stamp_ns);
    }
}

/// A pose with an older stamp than the last is late; one that is much older, of a clock that was
/// set. One without a stamp is the newest.
static bool is_late(const rp_ros_bridge_t *self, const rp_ros_stamped_t *pose)
{
    return pose->stamp_ns != 0 && pose->stamp_ns < self->pose_stamp_ns &&
           pose->stamp_ns >= self->pose_stamp_ns - RP_TF_JUMP_NS;
}

void rp_ros_bridge_pose(rp_ros_bridge_t *self, const rp_ros_stamped_t *pose)
{
    rp_planar_t planar;
    const char *fault = rp_planar_of(&pose->pose, &planar);
    fault = fault == NULL && !rp_tf_is_name(pose->frame_id) ? "a frame_id that is none" : fault;
    if (fault != NULL) {
        rp_ros_fault(self->faults, RP_ROS_FAULT_POSE, "it has %s", fault);
        return;
    }
    if (is_late(self, pose)) {
        rp_ros_fault(self->faults, RP_ROS_FAULT_OLD, "a pose is %.3f s older than the last",
                     (double)(self->pose_stamp_ns - pose->stamp_ns) * 1e-9);
        return;
    }
    strcpy(self->pose_frame, pose->frame_id); // its length was checked
    self->told_pose = planar;
    self->pose_stamp_ns = pose->stamp_ns != 0 ? pose->stamp_ns : self->pose_stamp_ns;
    note_stamp(self, pose->stamp_ns);
    if (locate(self) != RP_TF_OK) {
        rp_ros_fault(self->faults, RP_ROS_FAULT_POSE, "its frame %s is not connected to %s",
                     self->pose_frame, self->costmap.frame_id);
    }
}

void rp_ros_bridge_goal(rp_ros_bridge_t *self, const rp_ros_stamped_t *goal)
{
    told_goal_t told = {.stamp_ns = goal->stamp_ns};
    const char *fault = rp_planar_of(&goal->pose, &told.pose);
    fault = fault == NULL && !rp_tf_is_name(goal->frame_id) ? "a frame_id that is none" : fault;
    if (fault != NULL) {
        rp_ros_fault(self->faults, RP_ROS_FAULT_GOAL, "it has %s", fault);
        return;
    }
    strcpy(told.frame_id, goal->frame_id); // its length was checked
    const rp_tf_status_t status = self->costmap.frame_id[0] != '\0' ? aim(self, &told) : RP_TF_OK;
    if (status == RP_TF_OK) {
        self->told_goal = told;
    } else {
        rp_ros_fault(self->faults, status == RP_TF_OLD ? RP_ROS_FAULT_OLD : RP_ROS_FAULT_GOAL,
                     "a goal in %s, the grid is in %s: %s", told.frame_id, self->costmap.frame_id,
                     rp_tf_status_text(status));
    }
}

// ---- the loop

static rp_ros_wish_t wish_of(const rp_ros_bridge_t *self)
{
    return (rp_ros_wish_t){
        .costmap = &self->costmap,
        .pose = self->has_pose ? &self->pose : NULL,
        .goal = self->has_goal ? &self->goal : NULL,
    };
}

void rp_ros_bridge_sync(rp_ros_bridge_t *self)
{
    if (self->is_moved) {
        aim_again(self);
    }
    if (self->is_moved && self->settings->pose_source == RP_ROS_POSE_TF) {
        (void)locate(self); // the state tells of it
    }
    self->is_moved = false;
    const rp_ros_wish_t wish = wish_of(self);
    (void)rp_ros_link_sync(self->link, &wish);
}

/// Swap the plan that was made with the one before, and say where that is blocked now.
static void take_plan(rp_ros_bridge_t *self, rp_ros_news_t *news)
{
    const size_t at =
        rp_ros_plan_blocked_at(&self->plan, &self->costmap, !self->settings->allow_unknown);
    news->is_broken = at < self->plan.count;
    if (news->is_broken) {
        news->blocked = self->plan.poses[at];
    }
    const rp_ros_plan_t before = self->plan;
    self->plan = self->next;
    self->next = before;
}

/// An answer that was on its way when the costmap changed, and does not fit it, is out of date: the
/// daemon will say another.
static bool is_outdated(const rp_ros_bridge_t *self, const Replan__V1__Answer *answer)
{
    const bool unknown_blocks = !self->settings->allow_unknown;
    return rp_ros_link_is_older(self->link, answer) &&
           rp_ros_plan_blocked_at(&self->next, &self->costmap, unknown_blocks) < self->next.count;
}

/// @return false when the answer is not for publishing
static bool take_answer(rp_ros_bridge_t *self, const Replan__V1__Answer *answer,
                        rp_ros_news_t *news)
{
    const bool is_whole = answer->outcome != REPLAN__V1__OUTCOME__PARTIAL;
    if (answer->goal_id != self->goal.id || !self->has_goal ||
        !rp_ros_plan_make(&self->next, answer, is_whole ? &self->goal.pose.yaw : NULL) ||
        is_outdated(self, answer)) {
        return false;
    }
    take_plan(self, news);
    self->outcome = news->outcome = rp_client_outcome_text(answer->outcome);
    self->reason = news->reason = rp_client_reason_text(answer->reason);
    self->short_m = answer->goal_distance_m;
    self->plans++;
    news->cost = answer->cost;
    return true;
}

bool rp_ros_bridge_plan(rp_ros_bridge_t *self, rp_ros_news_t *news)
{
    const Replan__V1__Answer *answer;
    bool is_new = false;
    while ((answer = rp_ros_link_answer(self->link)) != NULL) {
        is_new = take_answer(self, answer, news) || is_new;
    }
    news->plan = &self->plan;
    news->frame_id = self->costmap.frame_id;
    news->stamp_ns = self->stamp_ns;
    news->goal = self->goal.pose;
    return is_new;
}

int rp_ros_bridge_fd(const rp_ros_bridge_t *self)
{
    return rp_ros_link_fd(self->link);
}

int64_t rp_ros_bridge_due_ms(const rp_ros_bridge_t *self)
{
    const rp_ros_wish_t wish = wish_of(self);
    return rp_ros_link_due_ms(self->link, &wish);
}

rp_ros_state_t rp_ros_bridge_state(const rp_ros_bridge_t *self)
{
    return (rp_ros_state_t){
        .costmap = &self->costmap,
        .has_pose = self->has_pose,
        .pose_frame = self->pose_frame,
        .pose_status = rp_tf_status_text(self->pose_status),
        .has_goal = self->has_goal,
        .has_world = rp_ros_link_has_world(self->link),
        .window = rp_ros_link_window(self->link),
        .outcome = self->outcome,
        .reason = self->reason,
        .short_m = self->short_m,
        .plans = self->plans,
        .transforms = self->transforms,
        .pose_ms = self->pose_ms,
    };
}
