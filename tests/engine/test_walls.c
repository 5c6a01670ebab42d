/// No agent is led through a wall: escape and following of the engine against references that were
/// written from the design alone, in worlds of thin walls, niches and shapes, for poses everywhere,
/// also a little inside of a wall, and with budgets of a single expansion.
///
///     REPLAN_WALLS="worlds [seed]" build/release/tests/test_walls     # longer, or one world again
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core.h"
#include "engine/session/session_state.h"
#include "tests/engine/paths/escape_reference.h"
#include "tests/engine/paths/following_reference.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define LINE_MOST 512u
#define AGENTS    4u
#define EVENTS    30u
#define ROUNDS    12u

typedef struct agent {
    rp_session_id_t id;
    rp_escape_question_t question;
    double follow_m;
    uint64_t path_seq; ///< of the answer that was judged last
    uint64_t ground;   ///< sum of what it saw of the world then: other changes do not concern it

    /// Where it was when that was found out: who moves within an obstacle follows
    /// while its way begins on a side that it is nearest to, though another way
    /// may be better from there.
    double x_m;
    double y_m;
    double way_m; ///< what was left of its way then

    /// What was left then of way and path as cells, with the last one that was passed, if any.
    uint32_t line[LINE_MOST];
    size_t count; ///< 0: there is no path
    size_t first; ///< of those that are left: 0, or 1
    bool has_way;
    bool is_beside; ///< the line was cut beside the agent, not in the cell in
                    ///< which it stands
} agent_t;

static rp_random_t rng;
static rp_engine_t *engine;
static rp_world_id_t world_id;
static rp_escape_world_t world; ///< as the agent at hand sees it
static rp_frame_t frame;
static uint32_t width;
static uint32_t height;
static bool is_costmap;
static bool unknown_blocks;
static agent_t agents[AGENTS];
static char complaint[200];

static const rp_cause_t nothing = {0, 0};

static void tear_down(void)
{
    rp_engine_destroy(&engine);
}

static uint32_t below(uint32_t limit)
{
    return rp_random_below(&rng, limit);
}

// ---- the world

static bool is_obstacle(uint8_t byte)
{
    if (byte == RP_BYTE_UNKNOWN) {
        return unknown_blocks;
    }
    return is_costmap ? byte == 254 : byte == 0 || byte == 2;
}

/// A byte that blocks: an obstacle, or now and then one that is inscribed.
static uint8_t blocking(void)
{
    const bool is_inscribed = rp_random_chance(&rng, 25);
    return is_costmap ? (is_inscribed ? 253 : 254) : is_inscribed ? 3 : 0;
}

static uint8_t ground(void)
{
    return rp_random_chance(&rng, 10)   ? RP_BYTE_UNKNOWN
           : is_costmap                 ? (rp_random_chance(&rng, 20) ? 100 : 0)
           : rp_random_chance(&rng, 20) ? 5
                                        : 1;
}

/// A wall of one cell, along a row or a column, with a gap here and there.
static void build_wall(uint8_t *bytes)
{
    const bool is_row = rp_random_chance(&rng, 50);
    const uint32_t length = is_row ? width : height;
    const uint32_t at = below(is_row ? height : width);
    const uint32_t first = below(length);
    const uint32_t last = first + below(length);
    const uint8_t byte = blocking();
    for (uint32_t i = first; i <= last && i < length; i++) {
        if (!rp_random_chance(&rng, 7)) {
            bytes[is_row ? at * width + i : i * width + at] = byte;
        }
    }
}

static void open_world(void)
{
    static uint8_t bytes[RP_ESCAPE_CELLS_MAX];
    static uint8_t factors[256];
    static const uint8_t inscribed[] = {3};
    const double resolutions[] = {1.0, 0.05, 0.1};
    width = 3 + below(18);
    height = 3 + below(18);
    is_costmap = rp_random_chance(&rng, 60);
    unknown_blocks = rp_random_chance(&rng, 40);
    const uint32_t walls = below(8);
    const uint32_t density = below(3) * 12;
    for (uint32_t i = 0; i < width * height; i++) {
        bytes[i] = rp_random_chance(&rng, density) ? blocking() : ground();
    }
    for (uint32_t i = 0; i < walls; i++) {
        build_wall(bytes);
    }
    for (unsigned byte = 0; byte < 256; byte++) {
        factors[byte] = byte == 0 || byte == 2 || byte == 3 ? 0 : byte == 5 ? 5 : 1;
    }
    const rp_profile_options_t profile = {
        .name = "own",
        .factors = is_costmap ? NULL : factors,
        .like = "costmap",
        .unit = 1,
        .unknown = unknown_blocks ? RP_UNKNOWN_BLOCKED : RP_UNKNOWN_FREE,
        .inscribed = inscribed,
        .inscribed_count = is_costmap ? 0 : 1,
    };
    frame = (rp_frame_t){.resolution_m = resolutions[below(3)],
                         .origin_x_m = rp_random_chance(&rng, 50) ? 0.0 : -10.3,
                         .origin_y_m = rp_random_chance(&rng, 50) ? 0.0 : 2.2,
                         .origin_yaw = rp_random_chance(&rng, 80) ? 0.0 : 0.3};
    const rp_world_options_t options = {
        .width = width,
        .height = height,
        .neighbors = rp_random_chance(&rng, 50) ? 4 : 8,
        .wraps = rp_random_chance(&rng, 30),
        .profile = "own",
        .profiles = &profile,
        .profile_count = 1,
        .frame = frame,
        .data = bytes,
    };
    ck_assert_int_eq(rp_engine_new(&engine), RP_OK);
    ck_assert_int_eq(rp_engine_open_world(engine, &options, &world_id), RP_OK);
    world.width = width;
    world.height = height;
    world.neighbors = options.neighbors;
    world.wraps = options.wraps;
    world.unit = is_costmap ? 50 : 1;
    world.frame = frame;
}

/// The world as the layer of an agent has it.
static void look_at(const agent_t *agent)
{
    const rp_session_t *session = rp_engine_session(engine, agent->id);
    const rp_grid_t *grid = session->layer->grid;
    const uint8_t *bytes = rp_engine_bytes(engine, world_id);
    for (uint32_t i = 0; i < width * height; i++) {
        world.factors[i] = grid->factor[rp_grid_cell(grid, i % width, i / width)];
        world.is_obstacle[i] = is_obstacle(bytes[i]);
    }
}

/// A sum of the world at hand.
static uint64_t ground_sum(void)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < width * height; i++) {
        sum = (sum ^ (uint64_t)(world.factors[i] * 2u + world.is_obstacle[i])) * 0x100000001b3u;
    }
    return sum;
}

static void to_metres(double x, double y, double *x_m, double *y_m)
{
    const double along = x * frame.resolution_m;
    const double across = y * frame.resolution_m;
    *x_m = frame.origin_x_m + along * cos(frame.origin_yaw) - across * sin(frame.origin_yaw);
    *y_m = frame.origin_y_m + along * sin(frame.origin_yaw) + across * cos(frame.origin_yaw);
}

// ---- what happens

static void settle(void)
{
    const uint64_t budgets[] = {1, 1, 9, 100000};
    const uint64_t budget = budgets[below(4)];
    unsigned steps = 0;
    while (rp_engine_step(engine, 0, budget)) {
        ck_assert_uint_lt(++steps, 2000000);
    }
}

/// Middles, corners, borders, a little beside them, or anywhere in a cell.
static double within_cell(void)
{
    const double places[] = {0.5, 0.5, 0.0, 0.02, 0.98, 1.0, 0.25};
    const uint32_t which = below(9);
    return which < 7 ? places[which] : below(1000) / 1000.0 + 0.0005;
}

static void pose_at(agent_t *agent, double x, double y)
{
    to_metres(x, y, &agent->question.x_m, &agent->question.y_m);
    ck_assert_int_eq(
        rp_engine_pose(engine, agent->id, agent->question.x_m, agent->question.y_m, 0, nothing),
        RP_OK);
}

static void aim(agent_t *agent)
{
    rp_escape_question_t *question = &agent->question;
    rp_destination_t points[3];
    question->goal_count = 1 + below(3);
    question->is_nearest = rp_random_chance(&rng, 40);
    for (size_t i = 0; i < question->goal_count; i++) {
        const uint32_t cell = below(width * height);
        const uint32_t offset = question->is_nearest ? 0 : below(4);
        to_metres(cell % width + 0.5, (uint32_t)(cell / width) + 0.5, &points[i].x_m,
                  &points[i].y_m);
        points[i].offset = offset;
        question->goals[i] = (rp_escape_goal_t){cell, offset};
    }
    const rp_aim_t how = {
        .points = points, .count = question->goal_count, .is_nearest = question->is_nearest};
    ck_assert_int_eq(rp_engine_aim(engine, agent->id, &how, nothing), RP_OK);
}

static void open_agent(agent_t *agent)
{
    const double metre = frame.resolution_m;
    const double escapes[] = {0.0, 0.0, 1.0, 1.5, 3.0, 7.0};
    const double radii[] = {0.0, 0.6, 1.0, 1.5, 2.5, 4.0};
    rp_session_options_t options = {.planner = rp_random_chance(&rng, 50) ? "astar" : NULL};
    *agent = (agent_t){.follow_m = radii[below(6)] * metre};
    agent->question.escape_m = escapes[below(6)] * metre;
    options.escape_m = agent->question.escape_m;
    options.follow_radius_m = agent->follow_m;
    options.body.radius_m = below(4) * 0.75 * metre;
    if (is_costmap && rp_random_chance(&rng, 40)) {
        options.body.inscribed_radius_m = below(3) * metre;
        options.body.inflation_radius_m = 2.0 * metre;
        options.body.cost_scaling = 1.0 / metre;
    }
    ck_assert_int_eq(rp_engine_open(engine, world_id, &options, &agent->id), RP_OK);
    const double y_m = below(height) + within_cell();
    pose_at(agent, below(width) + within_cell(), y_m);
    aim(agent);
}

static void change(void)
{
    static uint32_t cells[40];
    static uint8_t values[40];
    uint64_t version;
    if (rp_random_chance(&rng, 25)) { // something lies over the cells, or goes
        const double radius = below(3) * 0.7 * frame.resolution_m;
        double at_m[2];
        rp_shape_t shape = {
            .id = 1 + below(3), .corners = 1, .x_m = at_m, .y_m = at_m + 1, .radius_m = radius};
        const double y = below(height) + 0.5;
        to_metres(below(width) + 0.5, y, &at_m[0], &at_m[1]);
        shape.byte = rp_random_chance(&rng, 70) ? blocking() : ground();
        const uint32_t gone = 1 + below(3);
        const rp_overlay_edit_t edit = {
            .shapes = &shape, .shape_count = 1, .removed = &gone, .removed_count = 1};
        ck_assert_int_eq(rp_engine_overlay(engine, world_id, &edit, nothing, &version), RP_OK);
        return;
    }
    const size_t count = 1 + below(rp_random_chance(&rng, 70) ? 3 : 40);
    for (size_t i = 0; i < count; i++) {
        cells[i] = below(width * height);
        values[i] = rp_random_chance(&rng, 50) ? blocking() : ground();
    }
    const rp_edit_t edit = {.cells = cells, .values = values, .cell_count = count};
    ck_assert_int_eq(rp_engine_apply(engine, world_id, &edit, nothing, &version), RP_OK);
}

// ---- the judge

/// What is left of way and path as cells.
static size_t line_of(const rp_answer_t *answer, uint32_t *cells)
{
    size_t count = 0;
    uint32_t cell = answer->way_y * width + answer->way_x;
    for (uint32_t i = 0; i < answer->way_count; i++) {
        cells[count++] = cell;
        cell = rp_escape_step(&world, cell, answer->way[i]);
    }
    cell = answer->start_y * width + answer->start_x;
    cells[count++] = cell;
    for (uint32_t i = 0; i < answer->step_count && count < LINE_MOST; i++) {
        cell = rp_escape_step(&world, cell, answer->steps[i]);
        cells[count++] = cell;
    }
    return count;
}

static bool has_path(const rp_answer_t *answer)
{
    return answer->outcome == RP_ANSWER_FOUND || answer->outcome == RP_ANSWER_ARRIVED;
}

/// Note what is left now. @return false when it is no part of what was left before, but should be
static bool note_line(agent_t *agent, const rp_answer_t *answer)
{
    static uint32_t left[LINE_MOST];
    const size_t count = has_path(answer) ? line_of(answer, left) : 0;
    const bool is_other =
        answer->path_seq != agent->path_seq && answer->reason != RP_REASON_REACHED;
    size_t from = 0;
    if (!is_other && count != 0) {
        const size_t were_left = agent->count - agent->first;
        if (count > were_left ||
            memcmp(agent->line + agent->count - count, left, count * sizeof left[0]) != 0) {
            return false;
        }
        from = agent->count - count;
    }
    agent->first = from != 0 ? 1u : 0u;
    memmove(agent->line, agent->line + from - agent->first, sizeof agent->line[0]);
    memcpy(agent->line + agent->first, left, count * sizeof left[0]);
    agent->count = count != 0 ? count + agent->first : 0;
    agent->path_seq = answer->path_seq;
    return true;
}

/// Beside its line an agent is judged as if it stood in the middle of the first
/// cell that is left.
static const char *judge_at(const rp_answer_t *answer, const rp_escape_question_t *question)
{
    static rp_escape_decision_t decision;
    rp_escape_resolve(&world, question, &decision);
    const rp_answer_outcome_t outcome =
        decision.outcome != RP_ANSWER_FOUND || answer->step_count + answer->way_count != 0
            ? decision.outcome
            : RP_ANSWER_ARRIVED;
    if (answer->outcome != outcome) {
        (void)snprintf(complaint, sizeof complaint, "outcome %d, not %d", answer->outcome, outcome);
        return complaint;
    }
    if (outcome == RP_ANSWER_OUTSIDE) {
        return NULL;
    }
    const char *wrong =
        rp_escape_judge_way(&world, question, &decision, answer->way_y * width + answer->way_x,
                            answer->way, answer->way_count);
    if (wrong == NULL) {
        wrong = rp_escape_judge_path(&world, question, &decision,
                                     answer->start_y * width + answer->start_x, answer->steps,
                                     answer->step_count, answer->cost);
    }
    if (wrong != NULL) {
        (void)snprintf(complaint, sizeof complaint, "%s (start %u, end %u)", wrong,
                       answer->start_y * width + answer->start_x, decision.end);
        return complaint;
    }
    const bool is_found = has_path(answer);
    return fabs(answer->escape_m - (is_found ? decision.way_m : 0.0)) > 1e-9 ? "escape_m"
           : fabs(answer->goal_distance_m -
                  (is_found ? decision.goal_distance * frame.resolution_m : 0.0)) > 1e-9
               ? "goal_distance_m"
               : NULL;
}

/// Distance of the line from a place: of what is left, and beside it of the
/// half of the passed step in its first cell, in which what is left begins.
static double distance_of_line(const agent_t *agent, bool is_beside, double x_m, double y_m)
{
    const uint32_t *left = agent->line + agent->first;
    const double off_m =
        rp_following_distance_m(&world, x_m, y_m, left, agent->count - agent->first);
    return is_beside && agent->first != 0
               ? fmin(off_m, rp_following_half_m(&world, x_m, y_m, agent->line[0], left[0]))
               : off_m;
}

/// The reference may see the agent's line by a hair's breadth, and the engine
/// not, or the other way round: what is seen from a little beside the agent is
/// as good. So is either way round a torus to what lies half of it away.
/// @param least, most  written: distances of the line from around there
static void look_from_around(const agent_t *agent, bool is_beside, double *least, double *most)
{
    const double little = 1e-7 * frame.resolution_m;
    *least = INFINITY;
    *most = 0.0;
    for (unsigned i = 0; i < 9; i++) {
        const double x_m = agent->question.x_m + little * ((double)(i % 3u) - 1.0);
        const double y_m = agent->question.y_m + little * ((double)(uint32_t)(i / 3u) - 1.0);
        const double off = distance_of_line(agent, is_beside, x_m, y_m);
        *least = fmin(*least, off);
        *most = fmax(*most, off);
    }
}

/// An agent that moved, or to whom the world changed: if it is off its path it
/// does not follow the line that it had, by the reference; if it keeps its
/// answer it does.
/// @param off  written: how far it is off that line, at most
static const char *judge_following(const agent_t *agent, const rp_answer_t *answer, double *off)
{
    const double slack = 1e-6 * frame.resolution_m;
    const bool is_kept = answer->path_seq == agent->path_seq || answer->reason == RP_REASON_REACHED;
    const bool is_off = !is_kept && answer->reason == RP_REASON_OFF_PATH;
    double least;
    look_from_around(agent, agent->is_beside, &least, off);
    if (is_off ? *off == 0.0 || *off < agent->follow_m - slack
               : is_kept && least > agent->follow_m + slack) {
        (void)snprintf(complaint, sizeof complaint, "it is %.9g off, and %s",
                       *off / frame.resolution_m, is_off ? "does not follow" : "follows");
        return complaint;
    }
    return NULL;
}

static const char *judge(agent_t *agent)
{
    double at[2];
    double least;
    double unused;
    rp_answer_t answer;
    rp_escape_question_t question = agent->question;
    ck_assert_int_eq(rp_engine_answer(engine, agent->id, &answer), RP_OK);
    ck_assert(rp_engine_is_sure(engine, agent->id));
    look_at(agent);
    const bool is_new = answer.path_seq != agent->path_seq && answer.reason != RP_REASON_REACHED;
    if (!note_line(agent, &answer)) {
        return "what is left was not left before";
    }
    const uint32_t own = rp_escape_cell(&world, question.x_m, question.y_m, at);
    const uint32_t begins = agent->line[agent->first];
    agent->has_way = answer.way_count != 0;
    agent->is_beside = agent->count != 0 && begins != own;
    if (agent->is_beside) {
        if (is_new) {
            return "what is new begins elsewhere";
        }
        look_from_around(agent, true, &least, &unused);
        if (least > agent->follow_m + 1e-6 * frame.resolution_m) {
            return "it does not follow what is left";
        }
        to_metres(begins % width + 0.5, (uint32_t)(begins / width) + 0.5, &question.x_m,
                  &question.y_m);
    }
    const char *wrong = judge_at(&answer, &question);
    const uint64_t sum = ground_sum();
    if (is_new || sum != agent->ground || wrong == NULL) {
        agent->ground = sum;
        agent->x_m = agent->question.x_m;
        agent->y_m = agent->question.y_m;
        agent->way_m = answer.escape_m;
        return wrong;
    }
    if (begins == own && world.is_obstacle[own]) {
        question.x_m = agent->x_m;
        question.y_m = agent->y_m;
    }
    const double passed_m = agent->way_m - answer.escape_m;
    if (question.escape_m > passed_m) { // farther along its way another end may be within reach
        question.escape_m -= passed_m;
    }
    return judge_at(&answer, &question);
}

/// An agent goes somewhere: along its line, beside it, or anywhere.
static void go(agent_t *agent)
{
    uint32_t cell = below(width * height);
    const size_t left = agent->count - agent->first;
    if (agent->count != 0 && !rp_random_chance(&rng, 10)) {
        cell = agent->line[agent->first +
                           below(rp_random_chance(&rng, 60) && left > 3 ? 3 : (uint32_t)left)];
        for (uint32_t i = below(4); i > 0; i--) {
            const uint32_t beside = rp_escape_step(&world, cell, below(8));
            cell = beside != RP_ESCAPE_NO_CELL ? beside : cell;
        }
    }
    const double y_m = (uint32_t)(cell / width) + within_cell();
    pose_at(agent, cell % width + within_cell(), y_m);
}

/// An agent moves; if it follows, what is left begins where the line is
/// nearest.
static const char *move(agent_t *agent)
{
    rp_answer_t answer;
    static agent_t before;
    double off = INFINITY;
    look_at(agent);
    go(agent);
    before = *agent;
    settle();
    ck_assert_int_eq(rp_engine_answer(engine, agent->id, &answer), RP_OK);
    const char *wrong = before.count != 0 ? judge_following(&before, &answer, &off) : NULL;
    wrong = wrong == NULL ? judge(agent) : wrong;
    const bool follows = before.count != 0 && answer.path_seq == before.path_seq;
    if (wrong == NULL && follows && off != 0.0 && agent->count != 0) {
        const double still =
            distance_of_line(agent, true, agent->question.x_m, agent->question.y_m);
        wrong = still > off + 1e-6 * frame.resolution_m
                    ? "another part of the line is left than the nearest"
                    : NULL;
    }
    return wrong;
}

/// The world changes: who was beside its line follows it still, or not any
/// more; or it begins on free ground now, where no way does.
static const char *change_world(void)
{
    const char *wrong = NULL;
    rp_answer_t answer;
    double unused;
    change();
    settle();
    for (unsigned i = 0; i < AGENTS && wrong == NULL; i++) {
        look_at(&agents[i]);
        ck_assert_int_eq(rp_engine_answer(engine, agents[i].id, &answer), RP_OK);
        const bool has_left_way =
            agents[i].has_way && world.factors[agents[i].line[agents[i].first]] != 0;
        if (agents[i].is_beside && !has_left_way) {
            wrong = judge_following(&agents[i], &answer, &unused);
        }
    }
    return wrong;
}

/// Something happens. @param agent  of whom it may be
static const char *happen(agent_t *agent, unsigned event)
{
    if (event == 0) {
        settle();
        return NULL;
    }
    if (rp_random_chance(&rng, 60)) {
        return move(agent);
    }
    if (!rp_random_chance(&rng, 15)) {
        return change_world();
    }
    aim(agent);
    settle();
    return NULL;
}

static void play(uint64_t seed)
{
    rng = (rp_random_t){seed};
    open_world();
    for (unsigned i = 0; i < AGENTS; i++) {
        open_agent(&agents[i]);
    }
    settle();
    for (unsigned event = 0; event < EVENTS; event++) {
        const unsigned concerned = below(AGENTS);
        const char *wrong = happen(&agents[concerned], event);
        for (unsigned i = 0; i < AGENTS && wrong == NULL; i++) {
            wrong = judge(&agents[i]);
        }
        ck_assert_msg(wrong == NULL, "seed %llu, event %u of agent %u: %s",
                      (unsigned long long)seed, event, concerned, wrong);
    }
    rp_engine_destroy(&engine);
}

static unsigned long long first_seed;
static unsigned worlds_each = RP_ROUNDS(ROUNDS); ///< of a case

START_TEST(no_agent_is_led_through_a_wall_in_random_worlds)
{
    for (unsigned i = 0; i < worlds_each; i++) {
        play(first_seed + (uint64_t)_i * (worlds_each == 1 ? 1u : 1000u) + i);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {no_agent_is_led_through_a_wall_in_random_worlds};
    const char *told = getenv("REPLAN_WALLS");
    unsigned cases = 25;
    worlds_each =
        told != NULL && sscanf(told, "%u %llu", &cases, &first_seed) != 0 ? 1 : worlds_each;
    return rp_suite_run("walls", tests, 1, cases, tear_down);
}
