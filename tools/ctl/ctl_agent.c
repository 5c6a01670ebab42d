/// `replan ctl`: agents, their poses, goals and answers.
#include <inttypes.h>
#include <stdio.h>

#include "msgs/request.h"
#include "tools/commands.h"
#include "tools/ctl/ctl.h"
#include "tools/remote.h"

static bool read_goal(const rp_ctl_t *self, uint32_t from, Replan__V1__Goal *goal, double *xs,
                      double *ys)
{
    if ((self->argument_count - from) % 2 != 0) {
        fprintf(stderr, "%s: a goal is X and Y\n", self->program);
        return false;
    }
    for (uint32_t i = from; i < self->argument_count; i += 2) {
        if (!rp_ctl_read_metres(self, "X of the goal", self->arguments[i], &xs[goal->n_x]) ||
            !rp_ctl_read_metres(self, "Y of the goal", self->arguments[i + 1], &ys[goal->n_y])) {
            return false;
        }
        goal->n_x++;
        goal->n_y++;
    }
    goal->x = xs;
    goal->y = ys;
    goal->target = (char *)rp_ctl_value(self, RP_CTL_TARGET, "");
    goal->nearest = (self->given & RP_CTL_NEAREST) != 0;
    if ((self->given & RP_CTL_WAYPOINTS) != 0) {
        goal->kind = REPLAN__V1__GOAL_KIND__WAYPOINTS;
    } else if ((self->given & RP_CTL_REGION) != 0) {
        goal->kind = REPLAN__V1__GOAL_KIND__REGION;
    }
    return rp_ctl_read_metres(self, "--tolerance", rp_ctl_value(self, RP_CTL_TOLERANCE, "0"),
                              &goal->tolerance_m);
}

/// Read the number of an option. @param is_given  written
static bool read_option(const rp_ctl_t *self, rp_ctl_options_t option, const char *what,
                        bool *is_given, uint32_t *value)
{
    const char *text = rp_ctl_value(self, option, NULL);
    *is_given = text != NULL;
    return text == NULL || rp_ctl_read_whole(self, what, text, UINT32_MAX, value);
}

static bool read_policy(const rp_ctl_t *self, Replan__V1__Policy *policy)
{
    bool has_gain;
    bool has_interval;
    bool has_age;
    bool has_within;
    if (!read_option(self, RP_CTL_GAIN, "--gain", &has_gain, &policy->switch_gain_percent) ||
        !read_option(self, RP_CTL_INTERVAL, "--interval", &has_interval,
                     &policy->min_interval_ms) ||
        !read_option(self, RP_CTL_AGE, "--max-age", &has_age, &policy->max_age_ms) ||
        !read_option(self, RP_CTL_WITHIN, "--within", &has_within, &policy->answer_within_ms)) {
        return false;
    }
    policy->immediate_start = (self->given & RP_CTL_IMMEDIATE) != 0;
    const char *follow = rp_ctl_value(self, RP_CTL_FOLLOW, NULL);
    if (follow != NULL && !rp_ctl_read_metres(self, "--follow", follow, &policy->follow_radius_m)) {
        return false;
    }
    const char *escape = rp_ctl_value(self, RP_CTL_ESCAPE, "0");
    policy->escape_case = REPLAN__V1__POLICY__ESCAPE_ESCAPE_M;
    if (!rp_ctl_read_metres(self, "--escape", escape, &policy->escape_m)) {
        return false;
    }
    bool has_lease;
    if (!read_option(self, RP_CTL_LEASE, "--lease", &has_lease, &policy->lease_s)) {
        return false;
    }
    policy->may_wait = (self->given & RP_CTL_MAY_WAIT) != 0;
    policy->lease_case = REPLAN__V1__POLICY__LEASE_LEASE_S; // at a shell nobody renews it: 0
    policy->follow_case = follow != NULL ? REPLAN__V1__POLICY__FOLLOW_FOLLOW_RADIUS_M : 0;
    policy->gain_case = has_gain ? REPLAN__V1__POLICY__GAIN_SWITCH_GAIN_PERCENT : 0;
    policy->interval_case = has_interval ? REPLAN__V1__POLICY__INTERVAL_MIN_INTERVAL_MS : 0;
    policy->age_case = has_age ? REPLAN__V1__POLICY__AGE_MAX_AGE_MS : 0;
    return true;
}

/// A footprint, X,Y,X,Y,...
/// @param corners  room for X and for Y [2 * RP_CTL_CORNERS_MAX]
static bool read_footprint(const rp_ctl_t *self, Replan__V1__Body *body, double *corners)
{
    const char *text = rp_ctl_value(self, RP_CTL_FOOTPRINT, NULL);
    double numbers[2u * RP_CTL_CORNERS_MAX];
    const uint32_t count =
        text != NULL ? rp_ctl_read_list(text, numbers, 2u * RP_CTL_CORNERS_MAX) : 0u;
    if (text != NULL && (count == 0 || count % 2u != 0)) {
        fprintf(stderr, "%s: --footprint \"%s\" is not X,Y,X,Y,... of up to %u corners\n",
                self->program, text, RP_CTL_CORNERS_MAX);
        return false;
    }
    body->footprint_x = corners;
    body->footprint_y = corners + RP_CTL_CORNERS_MAX;
    body->n_footprint_x = body->n_footprint_y = count / 2u;
    for (uint32_t i = 0; i < count; i++) {
        corners[i % 2u * RP_CTL_CORNERS_MAX + i / 2u] = numbers[i];
    }
    return rp_ctl_read_metres(self, "--padding", rp_ctl_value(self, RP_CTL_PADDING, "0"),
                              &body->padding_m);
}

static bool read_body(const rp_ctl_t *self, Replan__V1__Body *body)
{
    const char *inflation = rp_ctl_value(self, RP_CTL_INFLATION, NULL);
    double numbers[3];
    body->profile = (char *)rp_ctl_value(self, RP_CTL_PROFILE, "");
    if (!rp_ctl_read_metres(self, "--radius", rp_ctl_value(self, RP_CTL_RADIUS, "0"),
                            &body->radius_m) ||
        !rp_ctl_read_whole(self, "--cells", rp_ctl_value(self, RP_CTL_CELLS, "0"), UINT32_MAX,
                           &body->cells)) {
        return false;
    }
    if (inflation == NULL) {
        return true;
    }
    if (rp_ctl_read_list(inflation, numbers, 3) != 3) {
        fprintf(stderr, "%s: --inflation \"%s\" is not INSCRIBED,RADIUS,SCALING\n", self->program,
                inflation);
        return false;
    }
    body->inscribed_radius_m = numbers[0];
    body->inflation_radius_m = numbers[1];
    body->cost_scaling_factor = numbers[2];
    return true;
}

/// Motion was asked for by one of its options.
static bool read_motion(const rp_ctl_t *self, Replan__V1__Motion *motion)
{
    motion->drive = (self->given & RP_CTL_OMNI) != 0   ? REPLAN__V1__DRIVE__OMNI
                    : (self->given & RP_CTL_SPOT) != 0 ? REPLAN__V1__DRIVE__SPOT
                                                       : REPLAN__V1__DRIVE__CAR;
    motion->reverse = (self->given & RP_CTL_REVERSE) != 0;
    motion->factor_case = REPLAN__V1__MOTION__FACTOR_REVERSE_FACTOR;
    return rp_ctl_read_metres(self, "--turning-radius", rp_ctl_value(self, RP_CTL_TURNING, "0"),
                              &motion->turning_radius_m) &&
           rp_ctl_read_metres(self, "--reverse-factor", rp_ctl_value(self, RP_CTL_FACTOR, "1"),
                              &motion->reverse_factor) &&
           rp_ctl_read_metres(self, "--gear-change", rp_ctl_value(self, RP_CTL_CHANGE, "0"),
                              &motion->gear_change_m);
}

int rp_ctl_open(rp_ctl_t *self)
{
    double xs[RP_CTL_GOALS_MAX];
    double ys[RP_CTL_GOALS_MAX];
    double corners[2u * RP_CTL_CORNERS_MAX];
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    Replan__V1__Policy policy = REPLAN__V1__POLICY__INIT;
    Replan__V1__Body body = REPLAN__V1__BODY__INIT;
    Replan__V1__Motion motion = REPLAN__V1__MOTION__INIT;
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    if (!rp_ctl_read_metres(self, "X", self->arguments[2], &pose.x) ||
        !rp_ctl_read_metres(self, "Y", self->arguments[3], &pose.y) ||
        !read_goal(self, 4, &goal, xs, ys) || !read_body(self, &body) ||
        !read_footprint(self, &body, corners) || !read_policy(self, &policy) ||
        !read_motion(self, &motion) ||
        !rp_ctl_read_metres(self, "--yaw", rp_ctl_value(self, RP_CTL_YAW, "0"), &pose.yaw)) {
        return RP_EXIT_INPUT;
    }
    open.motion =
        (self->given & (RP_CTL_TURNING | RP_CTL_SPOT | RP_CTL_OMNI)) != 0 ? &motion : NULL;
    open.segments = (self->given & RP_CTL_SEGMENTS) != 0;
    open.world = self->arguments[0];
    open.body = &body;
    open.bends = (self->given & RP_CTL_BENDS) != 0;
    open.agent = self->arguments[1];
    open.planner = (char *)rp_ctl_value(self, RP_CTL_PLANNER, "");
    open.pose = &pose;
    open.goal = self->argument_count > 4 || (self->given & RP_CTL_AIM) != 0 ? &goal : NULL;
    open.policy = &policy;
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &open);
    const Replan__V1__Reply *reply;
    const int code = rp_ctl_call(self, &request, &reply);
    if (code == RP_EXIT_FINE && reply->body_case == REPLAN__V1__REPLY__BODY_OPENED) {
        printf(self->json ? "{\"kind\":\"opened\",\"handle\":\"%" PRIu64 "\",\"epoch\":%" PRIu64
                            ",\"version\":%" PRIu64 "}\n"
                          : "handle %" PRIu64 " epoch %" PRIu64 " version %" PRIu64 "\n",
               reply->opened->handle, reply->opened->epoch, reply->opened->version);
    }
    return code;
}

int rp_ctl_close(rp_ctl_t *self)
{
    Replan__V1__CloseAgent close = REPLAN__V1__CLOSE_AGENT__INIT;
    close.world = self->arguments[0];
    close.agent = self->arguments[1];
    Replan__V1__Request request = RP_REQUEST(CLOSE_AGENT, close_agent, &close);
    return rp_ctl_do(self, &request);
}

int rp_ctl_pose(rp_ctl_t *self)
{
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    pose.world = self->arguments[0];
    pose.agent = self->arguments[1];
    if (!rp_ctl_read_metres(self, "X", self->arguments[2], &pose.x) ||
        !rp_ctl_read_metres(self, "Y", self->arguments[3], &pose.y) ||
        (self->argument_count > 4 &&
         !rp_ctl_read_metres(self, "YAW", self->arguments[4], &pose.yaw))) {
        return RP_EXIT_INPUT;
    }
    Replan__V1__Request request = RP_REQUEST(SET_POSE, set_pose, &pose);
    return rp_ctl_do(self, &request);
}

int rp_ctl_goal(rp_ctl_t *self)
{
    double xs[RP_CTL_GOALS_MAX];
    double ys[RP_CTL_GOALS_MAX];
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    goal.world = self->arguments[0];
    goal.agent = self->arguments[1];
    if (!read_goal(self, 2, &goal, xs, ys)) {
        return RP_EXIT_INPUT;
    }
    Replan__V1__Request request = RP_REQUEST(SET_GOAL, set_goal, &goal);
    return rp_ctl_do(self, &request);
}

int rp_ctl_order(rp_ctl_t *self)
{
    double x;
    double y;
    Replan__V1__Order order = REPLAN__V1__ORDER__INIT;
    if (!rp_ctl_read_metres(self, "X", self->arguments[1], &x) ||
        !rp_ctl_read_metres(self, "Y", self->arguments[2], &y) ||
        !rp_ctl_read_metres(self, "--tolerance", rp_ctl_value(self, RP_CTL_TOLERANCE, "0"),
                            &order.tolerance_m)) {
        return RP_EXIT_INPUT;
    }
    order.world = self->arguments[0];
    order.n_x = order.n_y = 1;
    order.x = &x;
    order.y = &y;
    order.nearest = (self->given & RP_CTL_NEAREST) != 0;
    order.agents = &self->arguments[3];
    order.n_agents = self->argument_count - 3u;
    Replan__V1__Request request = RP_REQUEST(ORDER, order, &order);
    return rp_ctl_do(self, &request);
}

int rp_ctl_answer(rp_ctl_t *self)
{
    Replan__V1__GetAnswer get = REPLAN__V1__GET_ANSWER__INIT;
    get.world = self->arguments[0];
    get.agent = self->arguments[1];
    get.bends = (self->given & RP_CTL_BENDS) != 0;
    get.segments = (self->given & RP_CTL_SEGMENTS) != 0;
    Replan__V1__Request request = RP_REQUEST(GET_ANSWER, get_answer, &get);
    const Replan__V1__Reply *reply;
    const int code = rp_ctl_call(self, &request, &reply);
    if (code == RP_EXIT_FINE && reply->body_case == REPLAN__V1__REPLY__BODY_ANSWER) {
        rp_remote_print_answer(reply->answer, self->json);
    }
    return code;
}
