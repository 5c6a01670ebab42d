/// Agents with motion by the wire: the curve is told where it was asked for, and what they have not
/// is refused by name.
#include <math.h>
#include <string.h>

#include "msgs/request.h"
#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

static rp_wire_t wire;

static void tear_down(void)
{
    rp_wire_close(&wire);
}

#define PEER 2u

/// What an agent is opened with: a car in the middle of a cell of a world with cells of a metre.
typedef struct opening {
    Replan__V1__Pose pose;
    Replan__V1__Goal goal;
    Replan__V1__Body body;
    Replan__V1__Motion motion;
    Replan__V1__OpenAgent open;
    double goal_x;
    double goal_y;
} opening_t;

static void fill(opening_t *self)
{
    self->pose = (Replan__V1__Pose)REPLAN__V1__POSE__INIT;
    self->goal = (Replan__V1__Goal)REPLAN__V1__GOAL__INIT;
    self->body = (Replan__V1__Body)REPLAN__V1__BODY__INIT;
    self->motion = (Replan__V1__Motion)REPLAN__V1__MOTION__INIT;
    self->open = (Replan__V1__OpenAgent)REPLAN__V1__OPEN_AGENT__INIT;
    self->goal_x = 9.5;
    self->goal_y = 4.5;
    self->pose.x = self->pose.y = 1.5;
    self->goal.n_x = self->goal.n_y = 1;
    self->goal.x = &self->goal_x;
    self->goal.y = &self->goal_y;
    self->body.radius_m = 0.4;
    self->motion.turning_radius_m = 2.0;
    self->open.world = rp_text("marsh");
    self->open.agent = rp_text("car");
    self->open.pose = &self->pose;
    self->open.goal = &self->goal;
    self->open.body = &self->body;
    self->open.motion = &self->motion;
    self->open.segments = 1;
}

static const Replan__V1__Reply *open_it(opening_t *opening)
{
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &opening->open);
    return rp_wire_ask(&wire, 0, &request);
}

static uint64_t open_car(void)
{
    opening_t opening;
    fill(&opening);
    const Replan__V1__Reply *reply = open_it(&opening);
    ck_assert_msg(reply->status == REPLAN__V1__STATUS__OK, "%s", reply->sentence);
    return reply->opened->handle;
}

static const Replan__V1__Answer *ask(bool segments)
{
    Replan__V1__GetAnswer get = REPLAN__V1__GET_ANSWER__INIT;
    get.world = rp_text("marsh");
    get.agent = rp_text("car");
    get.segments = segments;
    Replan__V1__Request request = RP_REQUEST(GET_ANSWER, get_answer, &get);
    return rp_wire_do(&wire, 1, &request)->answer;
}

static void check_segments(const Replan__V1__Answer *answer)
{
    const size_t count = answer->n_segment_x;
    ck_assert_int_eq(answer->outcome, REPLAN__V1__OUTCOME__FOUND);
    ck_assert_uint_ge(count, 2);
    ck_assert_uint_eq(answer->n_segment_y, count);
    ck_assert_uint_eq(answer->n_segment_yaw, count);
    ck_assert_uint_eq(answer->n_segment_curvature, count);
    ck_assert_uint_eq(answer->n_segment_length, count);
    ck_assert_uint_eq(answer->n_segment_turn, count);
    ck_assert_double_eq(answer->segment_x[0], 1.5);
    ck_assert_double_eq(answer->segment_y[0], 1.5);
    ck_assert_double_eq(answer->segment_yaw[0], 0.0);
    double length = 0.0;
    for (size_t i = 0; i < count; i++) {
        length += answer->segment_length[i];
        ck_assert_double_le(fabs(answer->segment_curvature[i]), 0.5 + 1e-9);
    }
    ck_assert_double_ge(length, hypot(8.0, 3.0));
    ck_assert_double_le(answer->cost, length * 1.01 + 0.1);
    ck_assert_double_eq_tol(answer->valid_through_m, length, 1e-9);
    ck_assert_uint_eq(answer->family, 16);
    ck_assert_str_eq(answer->planner, "lattice");
}

START_TEST(who_asks_for_segments_is_told_the_curve)
{
    rp_wire_open(&wire);
    (void)open_car();
    const Replan__V1__Answer *answer = ask(false);
    ck_assert_uint_eq(answer->n_segment_x, 0);
    ck_assert_uint_ge(answer->steps.len, 8);
    check_segments(ask(true));
}
END_TEST

START_TEST(a_watch_tells_them_where_it_was_asked_to)
{
    rp_wire_open(&wire);
    (void)open_car();
    rp_wire_work(&wire);
    for (unsigned i = 0; i < 2; i++) {
        Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
        watch.world = rp_text("marsh");
        watch.all = 1;
        watch.credit = 100;
        watch.splices = 1;
        watch.segments = i == 1;
        Replan__V1__Request request = RP_REQUEST(WATCH, watch, &watch);
        (void)rp_wire_do(&wire, PEER + i, &request);
        const Replan__V1__ToClient *message;
        do {
            rp_wire_work(&wire);
            message = rp_wire_next(&wire, PEER + i);
        } while (message == NULL || message->body_case != REPLAN__V1__TO_CLIENT__BODY_ANSWER);
        if (i == 1) {
            check_segments(message->answer);
        } else {
            ck_assert_uint_eq(message->answer->n_segment_x, 0);
        }
    }
}
END_TEST

START_TEST(what_cannot_be_driven_is_refused_by_name)
{
    opening_t opening;
    rp_wire_open(&wire);
    const struct {
        double radius;
        double turning;
        double price;
        const char *word;
    } cases[] = {
        {65.0, 2.0, 1.0, "body.radius_m is 65, at most 64 cells of 1 metres"},
        {0.4, 65.0, 1.0, "motion.turning_radius_m is 65, at most 64 cells of 1 metres"},
        {0.4, 2.0, 2000.0, "motion.turn_m_per_rad is 2000, it must lie within 0.01 and 1000"},
        {0.4, 50.0, 1.0, "motion.headings is 16: with a turning_radius_m of 50"},
        {0.4, 50.0, 1.0, "headings that can: none"},
        {0.4, 17.0, 1.0, "headings that can: 32"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fill(&opening);
        opening.body.radius_m = cases[i].radius;
        opening.motion.turning_radius_m = cases[i].turning;
        opening.motion.turn_case = REPLAN__V1__MOTION__TURN_TURN_M_PER_RAD;
        opening.motion.turn_m_per_rad = cases[i].price;
        opening.motion.drive = i == 2 ? REPLAN__V1__DRIVE__SPOT : REPLAN__V1__DRIVE__CAR;
        const Replan__V1__Reply *reply = open_it(&opening);
        ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__INVALID);
        ck_assert_msg(strstr(reply->sentence, cases[i].word) != NULL, "%s", reply->sentence);
    }
}
END_TEST

START_TEST(who_may_is_told_of_the_way_back)
{
    opening_t opening;
    rp_wire_open(&wire);
    fill(&opening);
    opening.pose.x = 8.5;
    opening.pose.y = 4.5;
    opening.goal_x = 5.5;
    opening.motion.reverse = 1;
    opening.motion.gear_change_m = 1001.0;
    const Replan__V1__Reply *refused = open_it(&opening);
    ck_assert_int_eq(refused->status, REPLAN__V1__STATUS__INVALID);
    ck_assert_msg(strstr(refused->sentence, "motion.gear_change_m is 1001, at most 1000 cells of 1 "
                                            "metres") != NULL,
                  "%s", refused->sentence);
    opening.motion.gear_change_m = 30.0;
    opening.motion.factor_case = REPLAN__V1__MOTION__FACTOR_REVERSE_FACTOR;
    opening.motion.reverse_factor = 2.0;
    ck_assert_int_eq(open_it(&opening)->status, REPLAN__V1__STATUS__OK);
    const Replan__V1__Answer *answer = ask(true);
    ck_assert_int_eq(answer->outcome, REPLAN__V1__OUTCOME__FOUND);
    ck_assert_uint_eq(answer->n_segment_length, 1);
    ck_assert_double_eq(answer->segment_length[0], -3.0);
    ck_assert_double_eq_tol(answer->cost, 6.0, 0.1);
    ck_assert_double_eq(answer->valid_through_m, 3.0);
}
END_TEST

/// A slab of 3 cells by 0.8, before the origin 2.
static void draw_slab(opening_t *opening)
{
    static double x[] = {2.0, 2.0, -1.0, -1.0};
    static double y[] = {-0.4, 0.4, 0.4, -0.4};
    opening->body.radius_m = 0.0;
    opening->body.n_footprint_x = opening->body.n_footprint_y = 4;
    opening->body.footprint_x = x;
    opening->body.footprint_y = y;
}

START_TEST(a_footprint_is_swept_or_makes_a_disc)
{
    opening_t opening;
    rp_wire_open(&wire);
    fill(&opening);
    draw_slab(&opening);
    ck_assert_int_eq(open_it(&opening)->status, REPLAN__V1__STATUS__OK);
    ck_assert_int_eq(ask(true)->outcome, REPLAN__V1__OUTCOME__FOUND);
    opening.open.agent = rp_text("walker");
    opening.open.motion = NULL;
    opening.body.padding_m = 0.5;
    ck_assert_int_eq(open_it(&opening)->status, REPLAN__V1__STATUS__OK);
    Replan__V1__ListAgents list = REPLAN__V1__LIST_AGENTS__INIT;
    list.world = rp_text("marsh");
    Replan__V1__Request request = RP_REQUEST(LIST_AGENTS, list_agents, &list);
    const Replan__V1__Reply *reply = rp_wire_do(&wire, 1, &request);
    ck_assert_uint_eq(reply->agents->n_agents, 2);
    for (size_t i = 0; i < 2; i++) {
        const Replan__V1__AgentInfo *info = reply->agents->agents[i];
        const bool walks = strcmp(info->agent, "walker") == 0;
        ck_assert_double_eq_tol(info->body->radius_m, walks ? hypot(2.5, 0.9) : hypot(2.0, 0.4),
                                1e-12);
    }
}
END_TEST

START_TEST(footprints_that_are_none_are_refused_by_name)
{
    opening_t opening;
    double crossed[] = {-0.4, 0.4, -0.4, 0.4};
    double long_x[] = {65.0, 65.0, -1.0, -1.0};
    double away_x[] = {4.0, 4.0, 1.0, 1.0};
    const struct {
        double *x;
        double *y;
        const char *word;
    } cases[] = {
        {NULL, crossed, "body.footprint_x: in cells of 1 metres, the outline crosses itself"},
        {long_x, NULL, "body.footprint_x: in cells of 1 metres, it reaches farther than 64 cells"},
        {away_x, NULL, "the origin does not lie inside"},
    };
    rp_wire_open(&wire);
    for (size_t i = 0; i < 2u * sizeof cases / sizeof *cases; i++) {
        fill(&opening);
        draw_slab(&opening);
        opening.body.footprint_x =
            cases[i / 2u].x != NULL ? cases[i / 2u].x : opening.body.footprint_x;
        opening.body.footprint_y =
            cases[i / 2u].y != NULL ? cases[i / 2u].y : opening.body.footprint_y;
        opening.open.motion = i % 2u == 0 ? opening.open.motion : NULL;
        const Replan__V1__Reply *reply = open_it(&opening);
        ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__INVALID);
        ck_assert_msg(strstr(reply->sentence, cases[i / 2u].word) != NULL, "%s", reply->sentence);
    }
    fill(&opening);
    opening.body.radius_m = 4.5; // the marsh is 8 cells high
    const Replan__V1__Reply *reply = open_it(&opening);
    ck_assert_msg(strstr(reply->sentence, "twice body.radius_m") != NULL, "%s", reply->sentence);
}
END_TEST

static void expect_refusal(Replan__V1__Request *request, const char *word)
{
    const Replan__V1__Reply *reply = rp_wire_ask(&wire, 1, request);
    ck_assert_int_ne(reply->status, REPLAN__V1__STATUS__OK);
    ck_assert_msg(strstr(reply->sentence, word) != NULL, "%s", reply->sentence);
}

START_TEST(what_is_not_built_yet_is_refused_by_name)
{
    double two[] = {3.5, 5.5};
    rp_wire_open(&wire);
    uint64_t handle = open_car();
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    Replan__V1__Order order = REPLAN__V1__ORDER__INIT;
    Replan__V1__AskField field = REPLAN__V1__ASK_FIELD__INIT;
    Replan__V1__AskValid valid = REPLAN__V1__ASK_VALID__INIT;
    goal.world = order.world = field.world = valid.world = rp_text("marsh");
    goal.agent = field.agent = valid.agent = rp_text("car");
    goal.x = goal.y = order.x = order.y = two;
    goal.n_x = goal.n_y = 2;
    Replan__V1__Request request = RP_REQUEST(SET_GOAL, set_goal, &goal);
    goal.kind = REPLAN__V1__GOAL_KIND__REGION;
    expect_refusal(&request, "goal: agent \"car\" has motion, it goes to at most 64 points");
    order.handles = &handle;
    order.n_handles = order.n_x = order.n_y = 1;
    order.nearest = 1;
    request.body_case = REPLAN__V1__REQUEST__BODY_ORDER;
    request.order = &order;
    expect_refusal(&request, "goal: agent \"car\" has motion, it goes to at most 64 points");
    field.reach = 2;
    request.body_case = REPLAN__V1__REQUEST__BODY_ASK_FIELD;
    request.ask_field = &field;
    expect_refusal(&request, "ask_field.agent: \"car\" has motion");
    request.body_case = REPLAN__V1__REQUEST__BODY_ASK_VALID;
    request.ask_valid = &valid;
    expect_refusal(&request, "ask_valid.agent: \"car\" has motion, its path is a curve");
}
END_TEST

START_TEST(waypoints_and_orders_have_their_yaw)
{
    double x[] = {4.5, 8.5, 12.5};
    double y[] = {2.5, 2.5, 4.5};
    double yaws[] = {0.0, 0.2, 0.5};
    rp_wire_open(&wire);
    uint64_t handle = open_car();
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    Replan__V1__Order order = REPLAN__V1__ORDER__INIT;
    goal.world = order.world = rp_text("marsh");
    goal.agent = rp_text("car");
    goal.kind = REPLAN__V1__GOAL_KIND__WAYPOINTS;
    goal.x = order.x = x;
    goal.y = order.y = y;
    goal.yaw = order.yaw = yaws;
    goal.n_x = goal.n_y = goal.n_yaw = 3;
    Replan__V1__Request request = RP_REQUEST(SET_GOAL, set_goal, &goal);
    (void)rp_wire_do(&wire, 1, &request);
    const Replan__V1__Answer *answer = ask(true);
    ck_assert_int_eq(answer->outcome, REPLAN__V1__OUTCOME__FOUND);
    ck_assert_uint_eq(answer->n_leg_at, 3);
    ck_assert_uint_eq(answer->leg_at[0], 0);
    for (size_t i = 1; i < 3; i++) {
        const uint32_t at = answer->leg_at[i];
        ck_assert_uint_lt(at, answer->n_segment_x);
        ck_assert_double_eq_tol(answer->segment_x[at], x[i - 1u], 1e-6);
        ck_assert_double_eq_tol(answer->segment_y[at], y[i - 1u], 1e-6);
        ck_assert_double_eq_tol(answer->segment_yaw[at], yaws[i - 1u], 1e-6);
    }
    ck_assert_uint_eq(ask(false)->n_leg_at, 0);
    order.handles = &handle;
    order.n_handles = order.n_x = order.n_y = order.n_yaw = 1;
    order.yaw = yaws + 1;
    request.body_case = REPLAN__V1__REQUEST__BODY_ORDER;
    request.order = &order;
    (void)rp_wire_do(&wire, 1, &request);
    answer = ask(true);
    ck_assert_uint_eq(answer->n_leg_at, 0);
    const size_t last = answer->n_segment_x - 1u;
    const double end =
        answer->segment_yaw[last] + answer->segment_curvature[last] * answer->segment_length[last];
    ck_assert_double_le(fabs(remainder(end - yaws[1], 2.0 * M_PI)), 1e-6);
}
END_TEST

START_TEST(a_curve_is_held_against_obstacles)
{
    double numbers[6] = {1.5, 3.5, 0.0, 0.0, 10.0, 0.0};
    rp_wire_open(&wire);
    (void)open_car();
    Replan__V1__AskValid ask_valid = REPLAN__V1__ASK_VALID__INIT;
    Replan__V1__Body body = REPLAN__V1__BODY__INIT;
    ask_valid.world = rp_text("marsh");
    ask_valid.agent = rp_text("car");
    ask_valid.segment_x = &numbers[0];
    ask_valid.segment_y = &numbers[1];
    ask_valid.segment_yaw = &numbers[2];
    ask_valid.segment_curvature = &numbers[3];
    ask_valid.segment_length = &numbers[4];
    ask_valid.segment_turn = &numbers[5];
    ask_valid.n_segment_x = ask_valid.n_segment_y = ask_valid.n_segment_yaw = 1;
    ask_valid.n_segment_curvature = ask_valid.n_segment_length = ask_valid.n_segment_turn = 1;
    Replan__V1__Request request = RP_REQUEST(ASK_VALID, ask_valid, &ask_valid);
    const Replan__V1__Valid *valid = rp_wire_do(&wire, 1, &request)->valid;
    ck_assert(valid->legal);
    ck_assert_double_eq_tol(valid->cost, 10.0, 1e-9);
    (void)rp_wire_apply(&wire, 1, rp_wire_change(6, 4, 0), REPLAN__V1__WAIT__APPLIED);
    valid = rp_wire_do(&wire, 1, &request)->valid; // beside it, 0.5 away: a body of 0.4
    ck_assert(valid->legal);
    body.radius_m = 0.7;
    ask_valid.body = &body;
    valid = rp_wire_do(&wire, 1, &request)->valid;
    ck_assert(!valid->legal);
    ck_assert_double_eq(valid->cost, -1.0);
    ck_assert_uint_eq(valid->offending_segment, 0);
    ck_assert_double_eq_tol(valid->offending_at_m, 4.5 - sqrt(0.7 * 0.7 - 0.25), 1e-6);
    ck_assert_uint_eq(valid->n_offending_cells, 1);
    ck_assert_uint_eq(valid->offending_cells[0], 4 * 16 + 6);
    body.radius_m = 70.0;
    expect_refusal(&request, "ask_valid.body: body.radius_m is more than 64 cells");
    double corner_x[] = {2.0, -0.5, -0.5, 2.0};
    double corner_y[] = {0.7, 0.7, -0.7, -0.7};
    body.radius_m = 0.0;
    body.footprint_x = corner_x;
    body.footprint_y = corner_y;
    body.n_footprint_x = body.n_footprint_y = 4;
    valid = rp_wire_do(&wire, 1, &request)->valid;
    ck_assert(!valid->legal);
    ck_assert_double_eq_tol(valid->offending_at_m, 4.5 - 2.0, 1e-6);
    corner_x[0] = -0.5;
    corner_x[1] = 2.0;
    expect_refusal(&request, "ask_valid.body.footprint_x:");
    body.n_footprint_x = body.n_footprint_y = 0;
    body.radius_m = 0.4;
    numbers[4] = 1e8;
    expect_refusal(&request, "ask_valid.segment_length: the curve is too long");
    expect_refusal(&request, "8388608 tests of cells");
}
END_TEST

START_TEST(a_change_that_is_not_made_is_weighed)
{
    rp_wire_open(&wire);
    (void)open_car();
    char *agents[] = {rp_text("car")};
    Replan__V1__AskProbe probe = REPLAN__V1__ASK_PROBE__INIT;
    Replan__V1__Change *change = rp_wire_change(5, 0, 0);
    change->height = 8;
    probe.change = change;
    probe.agents = agents;
    probe.n_agents = 1;
    Replan__V1__Request request = RP_REQUEST(ASK_PROBE, ask_probe, &probe);
    const Replan__V1__Probe *told = rp_wire_do(&wire, 1, &request)->probe;
    ck_assert_uint_eq(told->n_before, 1);
    ck_assert_double_ge(told->before[0], hypot(8.0, 3.0));
    ck_assert_double_eq(told->after[0], -1.0);
    ck_assert_uint_eq(told->n_before_outcome, 1);
    ck_assert_uint_eq(told->n_after_outcome, 1);
    ck_assert_int_eq(told->before_outcome[0], REPLAN__V1__OUTCOME__FOUND);
    ck_assert_int_eq(told->after_outcome[0], REPLAN__V1__OUTCOME__NO_PATH);
}
END_TEST

START_TEST(a_window_too_large_for_motion_is_refused_by_name)
{
    opening_t opening;
    rp_wire_open(&wire);
    fill(&opening);
    opening.motion.drive = REPLAN__V1__DRIVE__SPOT;
    opening.motion.headings = 64;
    ck_assert_int_eq(open_it(&opening)->status, REPLAN__V1__STATUS__OK);
    Replan__V1__Resize resize = REPLAN__V1__RESIZE__INIT;
    resize.world = rp_text("marsh");
    resize.width = resize.height = 5793;
    Replan__V1__Request request = RP_REQUEST(RESIZE, resize, &resize);
    expect_refusal(&request, "resize: agent \"car\" has motion, its 64 headings times the cells");
    resize.width = resize.height = 40;
    ck_assert_int_eq(rp_wire_do(&wire, 1, &request)->status, REPLAN__V1__STATUS__OK);
}
END_TEST

START_TEST(packed_poses_need_a_yaw_once)
{
    opening_t opening;
    double x = 1.6;
    double yaw = 0.0;
    rp_wire_open(&wire);
    fill(&opening);
    opening.open.pose = NULL;
    uint64_t handle = open_it(&opening)->opened->handle;
    Replan__V1__Poses poses = REPLAN__V1__POSES__INIT;
    poses.world = rp_text("marsh");
    poses.handles = &handle;
    poses.x = poses.y = &x;
    poses.n_handles = poses.n_x = poses.n_y = 1;
    Replan__V1__Request request = RP_REQUEST(SET_POSES, set_poses, &poses);
    expect_refusal(&request, "poses.yaw is missing: agent \"car\" has motion");
    poses.yaw = &yaw;
    poses.n_yaw = 1;
    ck_assert_int_eq(rp_wire_do(&wire, 1, &request)->status, REPLAN__V1__STATUS__OK);
    poses.n_yaw = 0;
    x = 1.7;
    ck_assert_int_eq(rp_wire_do(&wire, 1, &request)->status, REPLAN__V1__STATUS__OK);
    ck_assert_int_eq(ask(true)->outcome, REPLAN__V1__OUTCOME__FOUND);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        who_asks_for_segments_is_told_the_curve,
        a_watch_tells_them_where_it_was_asked_to,
        what_cannot_be_driven_is_refused_by_name,
        who_may_is_told_of_the_way_back,
        a_footprint_is_swept_or_makes_a_disc,
        footprints_that_are_none_are_refused_by_name,
        what_is_not_built_yet_is_refused_by_name,
        waypoints_and_orders_have_their_yaw,
        a_curve_is_held_against_obstacles,
        a_change_that_is_not_made_is_weighed,
        a_window_too_large_for_motion_is_refused_by_name,
        packed_poses_need_a_yaw_once,
    };
    return rp_suite_run("motion_wire", tests, sizeof tests / sizeof *tests, 1, tear_down);
}
