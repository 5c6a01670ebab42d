/// Bytes, factors and inflation stand here once more: nothing of the engine is called for them but
/// the bytes of its world.
#include "tests/engine/paths/escape_story.h"

#include <check.h>
#include <math.h>
#include <string.h>

#include "tests/engine/paths/following_reference.h"

#define SIDE_MAX    16u
#define BROAD_MAX   32u  ///< a side of the largest worlds
#define NEAR_BORDER 1e-6 ///< metres: nearer than that to the radius it is not said who follows

#define UNKNOWN   255u
#define INSCRIBED 6u ///< in worlds of factors, a byte that blocks some kinds and is no obstacle
#define NOBODY    UINT32_MAX

static const rp_cause_t nothing = {0, 0};

uint32_t rp_escape_story_below(rp_escape_story_t *self, uint32_t limit)
{
    return rp_random_below(&self->random, limit);
}

bool rp_escape_story_chance(rp_escape_story_t *self, uint32_t percent)
{
    return rp_random_chance(&self->random, percent);
}

static uint32_t cell_count(const rp_escape_story_t *self)
{
    return self->options.width * self->options.height;
}

/// A point of the grid in metres as one of the frame.
void rp_escape_story_place(const rp_escape_story_t *self, double x, double y, double *x_m,
                           double *y_m)
{
    const rp_frame_t *frame = &self->options.frame;
    *x_m = frame->origin_x_m + x * cos(frame->origin_yaw) - y * sin(frame->origin_yaw);
    *y_m = frame->origin_y_m + x * sin(frame->origin_yaw) + y * cos(frame->origin_yaw);
}

// ---- following

/// Whether a pose follows a line.
/// @param is_sure  written: poses and radii a hair's breadth off agree, so whoever rounds otherwise
///                 must agree, too
static bool follows(const rp_escape_story_t *self, const rp_escape_agent_t *agent,
                    const uint32_t *line, size_t count, bool *is_sure)
{
    static const double shifts[][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    const rp_escape_question_t *at = &agent->question;
    const bool holds =
        rp_following_holds(&self->seen, at->x_m, at->y_m, agent->follow_radius_m, line, count);
    *is_sure = true;
    for (size_t i = 0; i < 4; i++) {
        for (int by = -1; by <= 1; by++) {
            *is_sure = *is_sure &&
                       holds == rp_following_holds(
                                    &self->seen, at->x_m + shifts[i][0] * NEAR_BORDER,
                                    at->y_m + shifts[i][1] * NEAR_BORDER,
                                    agent->follow_radius_m + 2 * by * NEAR_BORDER, line, count);
        }
    }
    return holds;
}

/// Whether it is certain that a pose does not even follow a step that led to what is left: the
/// engine takes the one that was passed last for a part of the line.
static bool is_off_all_steps(const rp_escape_story_t *self, const rp_escape_agent_t *agent)
{
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        const uint32_t step[] = {rp_escape_step(&self->seen, agent->left[0], direction),
                                 agent->left[0]};
        bool is_sure = false;
        if (step[0] != RP_ESCAPE_NO_CELL && (follows(self, agent, step, 2, &is_sure) || !is_sure)) {
            return false;
        }
    }
    return true;
}

static bool stands_in_what_is_left(const rp_escape_story_t *self, const rp_escape_agent_t *agent)
{
    double at[2];
    const uint32_t cell = rp_escape_cell(&self->seen, agent->question.x_m, agent->question.y_m, at);
    size_t i = 0;
    while (i < agent->left_count && agent->left[i] != cell) {
        i++;
    }
    return i < agent->left_count;
}

/// Whether the new pose of an agent must be followed by an answer, as far as that is certain.
static void foresee(rp_escape_story_t *self, rp_escape_agent_t *agent)
{
    const bool is_known = agent->is_known && !agent->is_posed;
    bool is_sure = false;
    bool holds = false;
    rp_escape_story_look(self, &self->kinds[agent->kind]);
    if (is_known && agent->leads) {
        holds = follows(self, agent, agent->left, agent->left_count, &is_sure);
    }
    agent->must_keep = is_sure && holds;
    agent->must_leave =
        is_sure && !holds && (agent->follow_radius_m == 0.0 || is_off_all_steps(self, agent));
    agent->may_be_beside = agent->follow_radius_m > 0.0 && !agent->must_leave &&
                           !(is_known && stands_in_what_is_left(self, agent));
    agent->is_posed = true;
}

void rp_escape_story_note(rp_escape_story_t *self, rp_escape_agent_t *agent,
                          const rp_answer_t *answer)
{
    static uint32_t left[RP_ESCAPE_CELLS_MAX];
    const size_t count = rp_escape_story_cells(self, answer, left);
    const bool leads = answer->outcome == RP_ANSWER_FOUND || answer->outcome == RP_ANSWER_ARRIVED;
    const uint64_t since = answer->path_seq - agent->noted_seq;
    const bool is_same = since == 0 || (since == 1 && answer->reason == RP_REASON_REACHED);
    if (leads && agent->leads && is_same) { // the end of what was left before
        ck_assert_uint_le(count, agent->left_count);
        ck_assert_int_eq(
            memcmp(left, agent->left + agent->left_count - count, count * sizeof *left), 0);
    }
    memcpy(agent->left, left, count * sizeof *left);
    agent->left_count = count;
    agent->noted_seq = answer->path_seq;
    agent->leads = leads;
    agent->is_known = true;
    agent->is_posed = agent->must_keep = agent->must_leave = false;
}

/// The world or a goal is another one: nothing is foreseen any more.
static void forget(rp_escape_agent_t *agent)
{
    agent->must_keep = agent->must_leave = false;
    agent->is_known = false;
}

static void forget_all(rp_escape_story_t *self)
{
    for (uint32_t i = 0; i < RP_ESCAPE_STORY_AGENTS; i++) {
        forget(&self->agents[i]);
    }
}

// ---- agents

/// Where in a cell, along one axis: 2 cm from a border, in the middle, on the border, anywhere.
static double some_part(rp_escape_story_t *self)
{
    const double inside = fmin(0.02 / self->options.frame.resolution_m, 0.4);
    const uint32_t what = rp_escape_story_below(self, 100);
    return what < 15   ? inside
           : what < 30 ? 1.0 - inside
           : what < 55 ? 0.5
           : what < 58 ? 0.0
                       : 0.02 + rp_escape_story_below(self, 9600) / 10000.0;
}

/// A cell, or one that blocks, as far as there are some.
static uint32_t some_cell(rp_escape_story_t *self, const rp_escape_agent_t *agent)
{
    const uint8_t *bytes = rp_engine_bytes(self->engine, self->world);
    const bool is_in_wall = rp_escape_story_chance(self, 40);
    uint32_t cell = rp_escape_story_below(self, cell_count(self));
    for (int i = 0; is_in_wall && i < 20 && self->kinds[agent->kind].factors[bytes[cell]] != 0;
         i++) {
        cell = rp_escape_story_below(self, cell_count(self));
    }
    return cell;
}

void rp_escape_story_pose_at(rp_escape_story_t *self, rp_escape_agent_t *agent, double x, double y)
{
    const double metre = self->options.frame.resolution_m;
    rp_escape_story_place(self, x * metre, y * metre, &agent->question.x_m, &agent->question.y_m);
    foresee(self, agent);
    ck_assert_int_eq(rp_engine_pose(self->engine, agent->session, agent->question.x_m,
                                    agent->question.y_m, 0, nothing),
                     RP_OK);
}

void rp_escape_story_pose(rp_escape_story_t *self, rp_escape_agent_t *agent)
{
    const uint32_t cell =
        agent->is_known && rp_escape_story_chance(self, 30)
            ? agent->left[rp_escape_story_below(self, (uint32_t)agent->left_count)]
            : some_cell(self, agent);
    const uint32_t row = cell / self->options.width;
    const double x = cell % self->options.width + some_part(self);
    const double y = row + some_part(self);
    rp_escape_story_pose_at(self, agent, x, y);
}

/// Tell a session of the goals of an agent.
rp_status_t rp_escape_story_aim(const rp_escape_story_t *self, const rp_escape_question_t *question,
                                rp_session_id_t session)
{
    rp_destination_t points[RP_ESCAPE_GOALS_MAX];
    const double metre = self->options.frame.resolution_m;
    for (size_t i = 0; i < question->goal_count; i++) {
        double middle[2];
        rp_escape_middle(self->options.width, question->goals[i].cell, middle);
        rp_escape_story_place(self, middle[0] * metre, middle[1] * metre, &points[i].x_m,
                              &points[i].y_m);
        points[i].offset = question->goals[i].offset;
    }
    const rp_aim_t how = {
        .points = points, .count = question->goal_count, .is_nearest = question->is_nearest};
    return rp_engine_aim(self->engine, session, &how, nothing);
}

void rp_escape_story_aim_anew(rp_escape_story_t *self, rp_escape_agent_t *agent)
{
    rp_escape_question_t *question = &agent->question;
    const rp_escape_question_t before = *question;
    question->goal_count =
        1u + (rp_escape_story_chance(self, 30) ? rp_escape_story_below(self, 3) : 0);
    question->is_nearest = rp_escape_story_chance(self, 35);
    for (size_t i = 0; i < question->goal_count; i++) {
        question->goals[i].cell = rp_escape_story_below(self, cell_count(self));
        question->goals[i].offset = !question->is_nearest && rp_escape_story_chance(self, 20)
                                        ? rp_escape_story_below(self, 6)
                                        : 0;
    }
    const rp_status_t status = rp_escape_story_aim(self, question, agent->session);
    if (status != RP_OK) { // a planner of one goal
        ck_assert_int_eq(status, RP_E_UNSUPPORTED);
        *question = before;
        return;
    }
    forget(agent);
}

rp_session_options_t rp_escape_story_options(const rp_escape_story_t *self,
                                             const rp_escape_agent_t *agent, const char *planner)
{
    return (rp_session_options_t){.body = self->kinds[agent->kind].body,
                                  .planner = planner,
                                  .follow_radius_m = agent->follow_radius_m,
                                  .escape_m = agent->question.escape_m};
}

static const char *some_planner(rp_escape_story_t *self)
{
    uint32_t count = 0;
    while (rp_planner_info(count) != NULL) {
        count++;
    }
    return rp_escape_story_chance(self, 60)
               ? NULL
               : rp_planner_info(rp_escape_story_below(self, count))->id;
}

static void open_agent(rp_escape_story_t *self, rp_escape_agent_t *agent)
{
    static const double radii[] = {0.6, 1.0, 1.7, 2.5};
    static const double escapes[] = {1.5, 2.2, 3.0, 5.1};
    const double metre = self->options.frame.resolution_m;
    *agent = (rp_escape_agent_t){.kind = rp_escape_story_below(self, RP_ESCAPE_STORY_KINDS)};
    agent->follow_radius_m =
        rp_escape_story_chance(self, 50) ? radii[rp_escape_story_below(self, 4)] * metre : 0.0;
    agent->question.escape_m =
        rp_escape_story_chance(self, 40) ? escapes[rp_escape_story_below(self, 4)] * metre : 0.0;
    rp_session_options_t options = rp_escape_story_options(self, agent, some_planner(self));
    rp_status_t status = rp_engine_open(self->engine, self->world, &options, &agent->session);
    if (status == RP_E_UNSUPPORTED) { // that planner cannot do this world
        options.planner = NULL;
        status = rp_engine_open(self->engine, self->world, &options, &agent->session);
    }
    ck_assert_int_eq(status, RP_OK);
    rp_escape_story_pose(self, agent);
    while (agent->question.goal_count == 0) {
        rp_escape_story_aim_anew(self, agent);
    }
}

// ---- the world

static uint8_t some_ground(rp_escape_story_t *self)
{
    const bool is_costmap = self->options.profile != NULL;
    const uint8_t plain = is_costmap ? 0 : 1;
    return rp_escape_story_chance(self, 70)
               ? plain
               : (uint8_t)(is_costmap ? rp_escape_story_below(self, 253)
                                      : 1u + rp_escape_story_below(self, 5));
}

static uint8_t some_wall(rp_escape_story_t *self)
{
    const bool is_costmap = self->options.profile != NULL;
    return rp_escape_story_chance(self, 25) ? (is_costmap ? 253 : INSCRIBED)
                                            : (is_costmap ? 254 : 0);
}

static uint8_t some_byte(rp_escape_story_t *self, uint32_t density)
{
    return rp_escape_story_chance(self, 4)         ? UNKNOWN
           : rp_escape_story_chance(self, density) ? some_wall(self)
                                                   : some_ground(self);
}

/// A wall one cell thick from side to side, with a gap or without.
static void build_wall(rp_escape_story_t *self)
{
    const bool is_upright = rp_escape_story_chance(self, 50);
    const uint32_t width = self->options.width;
    const uint32_t length = is_upright ? self->options.height : width;
    const uint32_t at = rp_escape_story_below(self, is_upright ? width : self->options.height);
    const uint32_t gap =
        rp_escape_story_chance(self, 60) ? rp_escape_story_below(self, length) : NOBODY;
    for (uint32_t i = 0; i < length; i++) {
        if (i != gap) {
            self->bytes[is_upright ? i * width + at : at * width + i] = some_wall(self);
        }
    }
}

/// A room or a niche: the rim of a box, maybe with a door.
static void build_room(rp_escape_story_t *self)
{
    const uint32_t side = 3u + rp_escape_story_below(self, 3);
    const uint32_t x = rp_escape_story_below(self, self->options.width - 2u);
    const uint32_t y = rp_escape_story_below(self, self->options.height - 2u);
    const uint32_t door =
        rp_escape_story_chance(self, 60) ? rp_escape_story_below(self, side * side) : NOBODY;
    for (uint32_t i = 0; i < side * side; i++) {
        const uint32_t by_x = i % side;
        const uint32_t by_y = i / side;
        const bool is_rim = by_x == 0 || by_y == 0 || by_x == side - 1u || by_y == side - 1u;
        if (is_rim && i != door && x + by_x < self->options.width &&
            y + by_y < self->options.height) {
            self->bytes[(y + by_y) * self->options.width + x + by_x] = some_wall(self);
        }
    }
}

static void build(rp_escape_story_t *self)
{
    static const uint32_t densities[] = {2, 10, 25};
    const uint32_t density = densities[rp_escape_story_below(self, 3)];
    for (uint32_t cell = 0; cell < cell_count(self); cell++) {
        self->bytes[cell] = some_byte(self, density);
    }
    for (uint32_t i = rp_escape_story_below(self, 4); i != 0; i--) {
        build_wall(self);
    }
    for (uint32_t i = rp_escape_story_below(self, 3); i != 0; i--) {
        build_room(self);
    }
}

void rp_escape_story_rewrite(rp_escape_story_t *self)
{
    const uint32_t x = rp_escape_story_below(self, self->options.width);
    const uint32_t y = rp_escape_story_below(self, self->options.height);
    const uint32_t right = self->options.width - x;
    const uint32_t down = self->options.height - y;
    rp_edit_t edit = {.x = x, .y = y};
    edit.width = 1u + rp_escape_story_below(self, right < 4 ? right : 4);
    edit.height = 1u + rp_escape_story_below(self, down < 4 ? down : 4);
    edit.fill = some_byte(self, 40);
    uint64_t version;
    ck_assert_int_eq(rp_engine_apply(self->engine, self->world, &edit, nothing, &version), RP_OK);
    forget_all(self);
}

/// Put a disc or a box over the world, move one, or take it away.
void rp_escape_story_overlay(rp_escape_story_t *self)
{
    const uint32_t id = rp_escape_story_below(self, RP_ESCAPE_STORY_SHAPES);
    const double metre = self->options.frame.resolution_m;
    const double side = (0.2 + rp_escape_story_below(self, 24) / 10.0) * metre;
    const double x = rp_escape_story_below(self, self->options.width * 10u) / 10.0 * metre;
    const double y = rp_escape_story_below(self, self->options.height * 10u) / 10.0 * metre;
    double corners_x[4];
    double corners_y[4];
    for (uint32_t i = 0; i < 4; i++) {
        rp_escape_story_place(self, x + (i == 1 || i == 2 ? side : 0.0), y + (i > 1 ? side : 0.0),
                              &corners_x[i], &corners_y[i]);
    }
    rp_shape_t shape = {.id = id + 1u, .x_m = corners_x, .y_m = corners_y, .radius_m = side / 2.0};
    shape.corners = rp_escape_story_chance(self, 50) ? 1 : 4;
    shape.byte = some_byte(self, 80);
    const bool is_removed = self->has_shape[id] && rp_escape_story_chance(self, 50);
    const rp_overlay_edit_t edit = {.shapes = &shape,
                                    .shape_count = is_removed ? 0 : 1,
                                    .removed = &shape.id,
                                    .removed_count = is_removed ? 1 : 0};
    uint64_t version;
    ck_assert_int_eq(rp_engine_overlay(self->engine, self->world, &edit, nothing, &version), RP_OK);
    self->has_shape[id] = !is_removed;
    forget_all(self);
}

/// Whether a cell stays inside of a window.
static bool stays_inside(const rp_escape_story_t *self, const rp_window_t *window, uint32_t cell)
{
    const int64_t x = (int64_t)(cell % self->options.width) - window->x;
    const int64_t y = (int64_t)(cell / self->options.width) - window->y;
    return x >= 0 && y >= 0 && x < window->width && y < window->height;
}

/// Whether all agents and their goals stay inside.
static bool holds_all(rp_escape_story_t *self, const rp_window_t *window)
{
    rp_escape_story_look(self, &self->kinds[0]);
    for (uint32_t i = 0; i < RP_ESCAPE_STORY_AGENTS; i++) {
        const rp_escape_question_t *question = &self->agents[i].question;
        double at[2];
        const uint32_t cell = rp_escape_cell(&self->seen, question->x_m, question->y_m, at);
        if (!stays_inside(self, window, cell)) {
            return false;
        }
        for (size_t k = 0; k < question->goal_count; k++) {
            if (!stays_inside(self, window, question->goals[k].cell)) {
                return false;
            }
        }
    }
    return true;
}

/// Goals keep their places in metres; cells get other numbers.
static void move_goals(rp_escape_story_t *self, const rp_window_t *window)
{
    for (uint32_t i = 0; i < RP_ESCAPE_STORY_AGENTS; i++) {
        rp_escape_question_t *question = &self->agents[i].question;
        self->agents[i].leads = false;
        for (size_t k = 0; k < question->goal_count; k++) {
            const uint32_t cell = question->goals[k].cell;
            const int64_t x = (int64_t)(cell % self->options.width) - window->x;
            const int64_t y = (int64_t)(cell / self->options.width) - window->y;
            question->goals[k].cell = (uint32_t)(y * window->width + x);
        }
    }
}

void rp_escape_story_resize(rp_escape_story_t *self)
{
    rp_window_t window = {.is_filled = true};
    window.x = (int32_t)rp_escape_story_below(self, 5) - 2;
    window.y = (int32_t)rp_escape_story_below(self, 5) - 2;
    window.width = self->options.width + rp_escape_story_below(self, 3) - 1u;
    window.height = self->options.height + rp_escape_story_below(self, 3) - 1u;
    window.fill = some_byte(self, 30);
    if (self->options.wraps || window.width * window.height > RP_ESCAPE_CELLS_MAX ||
        !holds_all(self, &window)) {
        return;
    }
    uint64_t version;
    ck_assert_int_eq(rp_engine_resize(self->engine, self->world, &window, nothing, &version),
                     RP_OK);
    move_goals(self, &window);
    ck_assert(rp_engine_shape(self->engine, self->world, &self->options.width,
                              &self->options.height, &self->options.frame));
    forget_all(self);
}

// ---- birth

static void describe_factors(rp_escape_kind_t *kind, bool is_costmap)
{
    kind->unit = is_costmap ? 50 : 1;
    for (unsigned byte = 0; byte < 256; byte++) {
        const bool is_blocked = byte == 253 || byte == 254;
        const unsigned graded = is_blocked ? 0 : byte == UNKNOWN ? 50 : 50 + 4 * byte / 5;
        const unsigned plain = byte == UNKNOWN ? 1 : byte;
        kind->factors[byte] = (uint8_t)(is_costmap ? graded : plain);
    }
    kind->is_inscribed[253] = is_costmap;
}

/// A point; a body of its own profile, for which unknown blocks and, in a world of factors, one
/// byte is inscribed; and one that inflates hard or soft.
static void describe_kinds(rp_escape_story_t *self, bool is_costmap)
{
    static const double radii[] = {1.0, 1.5, 2.0, 2.3};
    const double metre = self->options.frame.resolution_m;
    for (size_t i = 0; i < RP_ESCAPE_STORY_KINDS; i++) {
        describe_factors(&self->kinds[i], is_costmap);
    }
    rp_escape_kind_t *wary = &self->kinds[1];
    if (rp_escape_story_chance(self, 60)) {
        wary->body.profile = "wary";
        wary->factors[UNKNOWN] = 0;
        wary->factors[INSCRIBED] = is_costmap ? wary->factors[INSCRIBED] : 0;
        wary->is_inscribed[INSCRIBED] = !is_costmap;
    }
    if (rp_escape_story_chance(self, 50)) {
        wary->body.radius_m = radii[rp_escape_story_below(self, 4)] * metre;
    }
    rp_body_t *body = &self->kinds[2].body;
    body->radius_m = radii[rp_escape_story_below(self, 4)] * metre;
    if (is_costmap && rp_escape_story_chance(self, 50)) {
        body->radius_m = rp_escape_story_chance(self, 50) ? 0.0 : metre;
        body->inscribed_radius_m = radii[rp_escape_story_below(self, 4)] * metre;
        body->inflation_radius_m = body->inscribed_radius_m + metre;
        body->cost_scaling = 1.0 / metre;
    }
}

/// Sides, moves and frame; most worlds are small.
static void choose_shape(rp_escape_story_t *self)
{
    static const double resolutions[] = {1.0, 0.5, 0.05};
    rp_world_options_t *options = &self->options;
    const uint32_t most = rp_escape_story_chance(self, 8) ? BROAD_MAX : SIDE_MAX;
    options->width = 6u + rp_escape_story_below(self, most - 5u);
    options->height = 6u + rp_escape_story_below(self, most - 5u);
    options->neighbors = rp_escape_story_chance(self, 65) ? 8 : 4;
    options->wraps = rp_escape_story_chance(self, 30);
    options->frame.resolution_m = resolutions[rp_escape_story_below(self, 3)];
    if (rp_escape_story_chance(self, 40)) {
        options->frame.origin_x_m = -10.3;
        options->frame.origin_y_m = 2.2;
    }
    options->frame.origin_yaw = rp_escape_story_chance(self, 15) ? 0.3 : 0.0;
}

void rp_escape_story_open(rp_escape_story_t *self)
{
    static const uint8_t inscribed = INSCRIBED;
    const bool is_costmap = rp_escape_story_chance(self, 50);
    uint8_t factors[256];
    rp_profile_options_t wary = {.name = "wary", .unit = 1, .unknown = RP_UNKNOWN_BLOCKED};
    self->options.profile = is_costmap ? "costmap" : NULL;
    choose_shape(self);
    build(self);
    describe_kinds(self, is_costmap);
    if (is_costmap) {
        wary.like = "costmap";
    } else {
        for (unsigned byte = 0; byte < 256; byte++) {
            factors[byte] = (uint8_t)(byte == INSCRIBED ? 0 : byte);
        }
        wary.factors = factors;
        wary.inscribed = &inscribed;
        wary.inscribed_count = 1;
    }
    rp_world_options_t options = self->options;
    options.data = self->bytes;
    options.profiles = &wary;
    options.profile_count = 1;
    ck_assert_int_eq(rp_engine_new(&self->engine), RP_OK);
    ck_assert_int_eq(rp_engine_open_world(self->engine, &options, &self->world), RP_OK);
    for (uint32_t i = 0; i < RP_ESCAPE_STORY_AGENTS; i++) {
        open_agent(self, &self->agents[i]);
    }
}
