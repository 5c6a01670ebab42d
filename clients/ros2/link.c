#include "clients/ros2/link.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clients/ros2/faults.h"
#include "replan/client.h"

#define CONNECT_MS   250u
#define DEADLINE_MS  2000u
#define WORLD_MS     30000u            ///< deadline of a request that carries a whole map
#define RETRY_MS     INT64_C(500)      ///< after the daemon was away, or refused
#define SOON_MS      INT64_C(50)       ///< after something was not there any more
#define POSE_MS      INT64_C(100)      ///< between two poses in one cell
#define POSE_CELL_MS INT64_C(20)       ///< and in different cells
#define PORTION      ((size_t)8 << 20) ///< bytes of one change; a message holds 20 MiB

/// The profile of a world in which unknown cells block.
#define KNOWN_PROFILE "nav2"

struct rp_ros_link {
    const rp_ros_settings_t *settings;
    rp_ros_faults_t *faults;
    rp_client_t *client; ///< NULL: not connected yet
    int64_t retry_ms;    ///< not before
    // the world
    rp_ros_change_t pending; ///< RP_ROS_WORLD: the daemon may have anything
    rp_ros_rect_t rect;      ///< with RP_ROS_CELLS
    uint64_t epoch;
    uint64_t window;
    uint64_t version; ///< that the last request made
    uint8_t *portion; ///< a rectangle as one piece
    size_t portion_bytes;
    // the agent
    bool is_open;
    bool is_watched;
    uint32_t watch;   ///< 0: the daemon has none of ours
    uint64_t goal_id; ///< that it was told
    rp_planar_t pose; ///< that it was told
    int64_t pose_ms;  ///< when
};

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

// ---- requests

/// What the daemon has is not known any more.
static void forget(rp_ros_link_t *self)
{
    self->pending = RP_ROS_WORLD;
    self->is_open = self->is_watched = false;
}

static void wait_a_while(rp_ros_link_t *self, int64_t wait_ms)
{
    self->retry_ms = rp_ros_clock_ms() + wait_ms; // what failed may have taken seconds
}

/// What a refusal means for what we know.
static void take_refusal(rp_ros_link_t *self, Replan__V1__Status status, const char *what)
{
    switch (status) {
    case REPLAN__V1__STATUS__EXISTS:
    case REPLAN__V1__STATUS__GONE:
        break;                        // the caller goes on
    case REPLAN__V1__STATUS__UNKNOWN: // others removed the world or the agent, or the daemon began
                                      // anew
        forget(self);
        wait_a_while(self, SOON_MS);
        break;
    default:
        rp_ros_fault(self->faults, RP_ROS_FAULT_REFUSED, "%s: %s", what,
                     rp_client_sentence(self->client));
        wait_a_while(self, RETRY_MS);
    }
}

/// @param status  written when it is refused; may be NULL
/// @return the reply, NULL on any failure
static const Replan__V1__Reply *ask(rp_ros_link_t *self, Replan__V1__Request *request,
                                    const char *what, Replan__V1__Status *status)
{
    const Replan__V1__Reply *reply = NULL;
    if (request->deadline_ms == 0) {
        request->deadline_ms = DEADLINE_MS;
    }
    const rp_client_status_t outcome = rp_client_call(self->client, request, &reply);
    if (outcome == RP_CLIENT_OK) {
        return reply;
    }
    if (outcome == RP_CLIENT_E_REFUSED) {
        if (status != NULL) {
            *status = reply->status;
        }
        take_refusal(self, reply->status, what);
        return NULL;
    }
    rp_ros_fault(self->faults, RP_ROS_FAULT_DAEMON, "%s: %s", what,
                 rp_client_sentence(self->client));
    forget(self);
    wait_a_while(self, RETRY_MS);
    return NULL;
}

/// Take over what a reply says of the world. @return false without a reply
static bool take_applied(rp_ros_link_t *self, const Replan__V1__Reply *reply)
{
    if (reply == NULL || reply->body_case != REPLAN__V1__REPLY__BODY_APPLIED) {
        return false;
    }
    self->epoch = reply->applied->epoch;
    self->window = reply->applied->window;
    self->version = reply->applied->version;
    return true;
}

// ---- the world

static Replan__V1__Geometry geometry_of(const rp_ros_costmap_t *costmap)
{
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    geometry.width = costmap->width;
    geometry.height = costmap->height;
    geometry.resolution = costmap->resolution_m;
    geometry.origin_x = costmap->origin.x_m;
    geometry.origin_y = costmap->origin.y_m;
    geometry.origin_yaw = costmap->origin.yaw;
    geometry.frame_id = (char *)costmap->frame_id;
    return geometry;
}

static const char *profile_of(const rp_ros_link_t *self)
{
    return self->settings->allow_unknown ? "costmap" : KNOWN_PROFILE;
}

static size_t cells_of(const rp_ros_costmap_t *costmap)
{
    return (size_t)costmap->width * costmap->height;
}

static bool create_world(rp_ros_link_t *self, const rp_ros_costmap_t *costmap)
{
    Replan__V1__Geometry geometry = geometry_of(costmap);
    Replan__V1__Profile profile = REPLAN__V1__PROFILE__INIT, *profiles[] = {&profile};
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    profile.name = (char *)KNOWN_PROFILE;
    profile.like = (char *)"costmap";
    profile.unknown = REPLAN__V1__UNKNOWN__AS_BLOCKED;
    create.world = (char *)self->settings->world;
    create.geometry = &geometry;
    create.profile = (char *)profile_of(self);
    create.n_profiles = self->settings->allow_unknown ? 0 : 1;
    create.profiles = profiles;
    create.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_DATA;
    create.data = (ProtobufCBinaryData){cells_of(costmap), costmap->bytes};
    request.body_case = REPLAN__V1__REQUEST__BODY_CREATE_WORLD;
    request.create_world = &create;
    request.deadline_ms = WORLD_MS;
    return take_applied(self, ask(self, &request, "to create the world", NULL));
}

static bool remove_world(rp_ros_link_t *self)
{
    Replan__V1__RemoveWorld gone = REPLAN__V1__REMOVE_WORLD__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    gone.world = (char *)self->settings->world;
    request.body_case = REPLAN__V1__REQUEST__BODY_REMOVE_WORLD;
    request.remove_world = &gone;
    self->is_open = self->is_watched = false;
    return ask(self, &request, "to remove the world", NULL) != NULL;
}

/// The whole window and its bytes, in one version.
static bool show_window(rp_ros_link_t *self, const rp_ros_costmap_t *costmap)
{
    Replan__V1__Geometry geometry = geometry_of(costmap);
    Replan__V1__Resize resize = REPLAN__V1__RESIZE__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    uint32_t whole[4] = {0, 0, costmap->width, costmap->height};
    resize.world = (char *)self->settings->world;
    resize.geometry = &geometry;
    resize.n_rects = 4;
    resize.rects = whole;
    resize.rect_data = (ProtobufCBinaryData){cells_of(costmap), costmap->bytes};
    request.body_case = REPLAN__V1__REQUEST__BODY_RESIZE;
    request.resize = &resize;
    request.deadline_ms = WORLD_MS;
    return take_applied(self, ask(self, &request, "to show the window", NULL));
}

static bool is_of_kind(const rp_ros_link_t *self, const Replan__V1__WorldInfo *info,
                       const rp_ros_costmap_t *costmap)
{
    const Replan__V1__Geometry *geometry = info->geometry;
    return geometry != NULL && geometry->resolution == costmap->resolution_m &&
           geometry->origin_yaw == costmap->origin.yaw && !info->wraps && info->neighbors == 8 &&
           strcmp(geometry->frame_id, costmap->frame_id) == 0 &&
           strcmp(info->profile, profile_of(self)) == 0;
}

/// Make the world show the costmap, whatever is there under its name.
static bool state_world(rp_ros_link_t *self, const rp_ros_costmap_t *costmap)
{
    Replan__V1__ListWorlds list = REPLAN__V1__LIST_WORLDS__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    request.body_case = REPLAN__V1__REQUEST__BODY_LIST_WORLDS;
    request.list_worlds = &list;
    const Replan__V1__Reply *reply = ask(self, &request, "to list the worlds", NULL);
    if (reply == NULL || reply->body_case != REPLAN__V1__REPLY__BODY_WORLDS) {
        return false;
    }
    for (size_t i = 0; i < reply->worlds->n_worlds; i++) {
        const Replan__V1__WorldInfo *info = reply->worlds->worlds[i];
        if (strcmp(info->world, self->settings->world) == 0) {
            return is_of_kind(self, info, costmap)
                       ? show_window(self, costmap)
                       : remove_world(self) && create_world(self, costmap);
        }
    }
    return create_world(self, costmap);
}

/// @return the cells of a rectangle as one piece; NULL without memory
static uint8_t *copy_rect(rp_ros_link_t *self, const rp_ros_costmap_t *costmap,
                          const rp_ros_rect_t *rect)
{
    const size_t size = (size_t)rect->width * rect->height;
    if (rect->width == costmap->width) {
        return costmap->bytes + (size_t)rect->y * costmap->width;
    }
    if (size > self->portion_bytes) {
        free(self->portion);
        self->portion = malloc(size);
        self->portion_bytes = self->portion != NULL ? size : 0;
    }
    for (uint32_t y = 0; self->portion != NULL && y < rect->height; y++) {
        memcpy(self->portion + (size_t)y * rect->width,
               costmap->bytes + (size_t)(rect->y + y) * costmap->width + rect->x, rect->width);
    }
    return self->portion;
}

/// @param ours  written: the cells landed in the window that we know
static bool write_rect(rp_ros_link_t *self, const rp_ros_costmap_t *costmap,
                       const rp_ros_rect_t *rect, bool *ours)
{
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__Status status = REPLAN__V1__STATUS__OK;
    const uint64_t epoch = self->epoch, window = self->window;
    change.world = (char *)self->settings->world;
    change.epoch = epoch;
    change.window = window;
    change.x = rect->x;
    change.y = rect->y;
    change.width = rect->width;
    change.height = rect->height;
    change.rect_case = REPLAN__V1__CHANGE__RECT_DATA;
    change.data =
        (ProtobufCBinaryData){(size_t)rect->width * rect->height, copy_rect(self, costmap, rect)};
    apply.change = &change;
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &apply;
    if (change.data.data == NULL) {
        rp_ros_fault(self->faults, RP_ROS_FAULT_GRID, "no memory for %zu cells", change.data.len);
        wait_a_while(self, RETRY_MS);
        return false;
    }
    const bool is_written = take_applied(self, ask(self, &request, "to write cells", &status));
    *ours = is_written && self->epoch == epoch && self->window == window;
    return is_written || status == REPLAN__V1__STATUS__GONE;
}

/// In portions. A world that others shifted, or whose window is gone, shows ours again.
static bool write_cells(rp_ros_link_t *self, const rp_ros_costmap_t *costmap)
{
    const uint32_t rows = (uint32_t)(PORTION / self->rect.width);
    const uint32_t end = self->rect.y + self->rect.height;
    bool ours = true;
    for (rp_ros_rect_t part = self->rect; ours && part.y < end; part.y += part.height) {
        part.height = end - part.y < rows ? end - part.y : rows;
        if (!write_rect(self, costmap, &part, &ours)) {
            return false;
        }
    }
    return ours || show_window(self, costmap);
}

/// @return false when the daemon does not show the costmap
static bool sync_world(rp_ros_link_t *self, const rp_ros_costmap_t *costmap)
{
    bool is_shown = true;
    switch (self->pending) {
    case RP_ROS_NOTHING:
        return true;
    case RP_ROS_CELLS:
        is_shown = write_cells(self, costmap);
        break;
    case RP_ROS_WINDOW:
        is_shown = show_window(self, costmap);
        break;
    case RP_ROS_WORLD:
        is_shown = state_world(self, costmap);
        break;
    }
    if (is_shown) {
        self->pending = RP_ROS_NOTHING;
    }
    return is_shown;
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
    message.tolerance_m = self->settings->tolerance;
    message.nearest = true; // of an occupied goal: the nearest cell that is not
    message.must_be_open = true;
    return message;
}

/// Inflated as in Nav2; without an inflation that reaches beyond it, a disc that nothing may enter.
static Replan__V1__Body body_of(const rp_ros_link_t *self)
{
    const rp_ros_settings_t *settings = self->settings;
    const double radius_m = rp_ros_settings_radius_m(settings);
    Replan__V1__Body body = REPLAN__V1__BODY__INIT;
    if (settings->inflation_radius < radius_m) {
        body.radius_m = radius_m;
    } else {
        body.inscribed_radius_m = radius_m;
        body.inflation_radius_m = settings->inflation_radius;
        body.cost_scaling_factor = settings->cost_scaling_factor;
    }
    return body;
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
    policy.answer_within_ms = settings->answer_within_ms;
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
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    gone.world = (char *)self->settings->world;
    gone.agent = (char *)self->settings->agent;
    request.body_case = REPLAN__V1__REQUEST__BODY_CLOSE_AGENT;
    request.close_agent = &gone;
    return ask(self, &request, "to close the agent", NULL) != NULL;
}

/// @param status  written when it is refused
static bool open_agent(rp_ros_link_t *self, const rp_ros_wish_t *wish, Replan__V1__Status *status)
{
    rp_ros_goal_t to = *wish->goal;
    Replan__V1__Pose pose = pose_of(self, wish->pose);
    Replan__V1__Goal goal = goal_of(self, &to);
    Replan__V1__Body body = body_of(self);
    Replan__V1__Policy policy = policy_of(self, wish->costmap);
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    pose.must_be_open = goal.must_be_open = false;
    open.world = (char *)self->settings->world;
    open.agent = (char *)self->settings->agent;
    open.pose = &pose;
    open.goal = &goal;
    open.body = &body;
    open.policy = &policy;
    request.body_case = REPLAN__V1__REQUEST__BODY_OPEN_AGENT;
    request.open_agent = &open;
    if (ask(self, &request, "to open the agent", status) == NULL) {
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
    self->is_watched = rp_client_watch(self->client, &watch, &self->watch) == RP_CLIENT_OK;
    if (!self->is_watched) {
        rp_ros_fault(self->faults, RP_ROS_FAULT_REFUSED, "to watch the agent: %s",
                     rp_client_sentence(self->client));
        forget(self);
        wait_a_while(self, RETRY_MS);
    }
    return self->is_watched;
}

/// When the pose is to be told: at once in another cell, else now and then. INT64_MAX: it is told.
static int64_t pose_due_ms(const rp_ros_link_t *self, const rp_ros_wish_t *wish)
{
    const double cell_m = wish->costmap->resolution_m;
    const rp_planar_t *pose = wish->pose;
    if (pose->x_m == self->pose.x_m && pose->y_m == self->pose.y_m) {
        return INT64_MAX;
    }
    const bool is_far = floor(pose->x_m / cell_m) != floor(self->pose.x_m / cell_m) ||
                        floor(pose->y_m / cell_m) != floor(self->pose.y_m / cell_m);
    return self->pose_ms + (is_far ? POSE_CELL_MS : POSE_MS);
}

static bool tell_pose(rp_ros_link_t *self, const rp_planar_t *at)
{
    Replan__V1__Pose pose = pose_of(self, at);
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    request.body_case = REPLAN__V1__REQUEST__BODY_SET_POSE;
    request.set_pose = &pose;
    note_pose(self, at); // one that is refused is not told again and again
    return ask(self, &request, "to set the pose", NULL) != NULL;
}

static bool tell_goal(rp_ros_link_t *self, const rp_ros_goal_t *goal)
{
    rp_ros_goal_t to = *goal;
    Replan__V1__Goal message = goal_of(self, &to);
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    request.body_case = REPLAN__V1__REQUEST__BODY_SET_GOAL;
    request.set_goal = &message;
    self->goal_id = goal->id;
    return ask(self, &request, "to set the goal", NULL) != NULL;
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
        wait_a_while(self, RETRY_MS);
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
    return sync_world(self, wish->costmap) && sync_agent(self, wish);
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
            forget(self);
            self->watch = 0;
            break;
        case RP_CLIENT_ENDED:
            if (event.watch == self->watch) { // the world may be gone
                forget(self);
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
