/// The judge knows bytes, factors and costs by itself: nothing of the engine is called for them.
#include "tests/engine/scene.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/engine/paths/escape_reference.h"
#include "tests/support/drawing.h"

/// No scene needs that many steps; one that passes it does not come to an end.
#define STEPS_MOST 100000

#define PATH_MOST 4096u

// ---- birth and death

void rp_scene_open(rp_scene_t *self, const rp_world_options_t *options)
{
    rp_world_options_t complete = *options;
    complete.frame.resolution_m = 1.0;
    *self = (rp_scene_t){.is_costmap =
                             options->profile != NULL && strcmp(options->profile, "costmap") == 0};
    ck_assert_int_eq(rp_engine_new(&self->engine), RP_OK);
    ck_assert_int_eq(rp_engine_open_world(self->engine, &complete, &self->world), RP_OK);
    const rp_grid_shape_t shape = {
        .width = options->width,
        .height = options->height,
        .neighbors = options->neighbors,
        .wraps = options->wraps,
        .unit = self->is_costmap ? 50 : 1,
        .least = self->is_costmap ? 50 : 1,
    };
    self->oracle = rp_oracle_new(&shape);
    ck_assert_ptr_nonnull(self->oracle);
}

void rp_scene_draw(rp_scene_t *self, const char *text)
{
    rp_drawing_t drawing;
    ck_assert(rp_drawing_read(&drawing, text));
    const rp_world_options_t options = {
        .width = drawing.width, .height = drawing.height, .neighbors = 8, .data = drawing.factors};
    rp_scene_open(self, &options);
}

void rp_scene_close(rp_scene_t *self)
{
    rp_engine_destroy(&self->engine);
    rp_oracle_destroy(&self->oracle);
}

// ---- what is done to it

void rp_scene_derive(rp_world_t *world)
{
    for (uint32_t i = 0; i < world->layer_count; i++) {
        uint64_t budget = UINT64_MAX;
        ck_assert_int_eq(rp_layer_derive(world->layers[i], world->version, &budget), RP_OK);
    }
}

rp_status_t rp_scene_pose(rp_scene_t *self, rp_session_id_t session, uint32_t x, uint32_t y)
{
    return rp_engine_pose(self->engine, session, x + 0.5, y + 0.5, 0, (rp_cause_t){0, 0});
}

rp_status_t rp_scene_goal(rp_scene_t *self, rp_session_id_t session, uint32_t x, uint32_t y)
{
    const rp_destination_t goal = {.x_m = x + 0.5, .y_m = y + 0.5};
    return rp_engine_goals(self->engine, session, &goal, 1, 0, (rp_cause_t){0, 0});
}

rp_session_id_t rp_scene_session(rp_scene_t *self, const char *planner, uint32_t x, uint32_t y,
                                 uint32_t goal_x, uint32_t goal_y)
{
    const rp_session_options_t options = {.planner = planner, .policy = self->policy};
    rp_session_id_t session = 0;
    ck_assert_int_eq(rp_engine_open(self->engine, self->world, &options, &session), RP_OK);
    ck_assert_int_eq(rp_scene_pose(self, session, x, y), RP_OK);
    ck_assert_int_eq(rp_scene_goal(self, session, goal_x, goal_y), RP_OK);
    return session;
}

uint64_t rp_scene_set(rp_scene_t *self, uint32_t x, uint32_t y, uint8_t byte)
{
    const rp_edit_t edit = {.x = x, .y = y, .width = 1, .height = 1, .fill = byte};
    uint64_t version = 0;
    ck_assert_int_eq(
        rp_engine_apply(self->engine, self->world, &edit, (rp_cause_t){0, 0}, &version), RP_OK);
    return version;
}

// ---- what it says

void rp_scene_settle(rp_scene_t *self)
{
    int steps = 0;
    while (rp_engine_step(self->engine, self->now_us, 100000)) {
        ck_assert_int_lt(++steps, STEPS_MOST);
    }
}

rp_answer_t rp_scene_answer(rp_scene_t *self)
{
    rp_answer_t answer;
    rp_answer_t another;
    rp_scene_settle(self);
    ck_assert_msg(rp_engine_next_answer(self->engine, &answer), "nothing was said");
    ck_assert_msg(!rp_engine_next_answer(self->engine, &another), "more than one answer");
    return answer;
}

void rp_scene_expect_silence(rp_scene_t *self)
{
    rp_answer_t answer;
    rp_scene_settle(self);
    ck_assert_msg(!rp_engine_next_answer(self->engine, &answer), "something was said");
}

// ---- the judge

static uint8_t factor_of(const rp_scene_t *self, uint8_t byte)
{
    if (!self->is_costmap) {
        return byte == 255 ? 1 : byte;
    }
    if (byte == 253 || byte == 254) {
        return 0;
    }
    return byte == 255 ? 50 : (uint8_t)(50 + 4 * byte / 5);
}

static uint32_t place_count(const rp_oracle_t *oracle)
{
    return oracle->shape.width * oracle->shape.height;
}

static const char *complain(rp_scene_t *self, const char *what, double published, double truth)
{
    (void)snprintf(self->complaint, sizeof self->complaint, "%s: said %.9g, truth %.9g", what,
                   published, truth);
    return self->complaint;
}

static rp_answer_outcome_t expected_outcome(const rp_oracle_t *oracle,
                                            const rp_scene_goal_spec_t *goal_spec,
                                            uint64_t *cheapest)
{
    if (goal_spec->start == RP_ORACLE_NO_PLACE || goal_spec->goal_count == 0) {
        return RP_ANSWER_OUTSIDE;
    }
    size_t blocked = 0;
    for (size_t i = 0; i < goal_spec->goal_count; i++) {
        blocked += oracle->factors[goal_spec->goals[i].place] == 0;
    }
    if (blocked == goal_spec->goal_count) {
        return RP_ANSWER_GOAL_BLOCKED;
    }
    *cheapest = rp_oracle_cheapest(oracle, goal_spec->goals, goal_spec->goal_count);
    return *cheapest == RP_ORACLE_NO_PATH ? RP_ANSWER_NO_PATH : RP_ANSWER_FOUND;
}

/// A start that blocks is held against the escape reference; in a large world the path on alone is
/// judged.
/// @param begun  written: the goal specification with the start of the path, if there is one
static const char *judge_start(rp_scene_t *self, const rp_answer_t *answer,
                               const rp_scene_goal_spec_t *goal_spec, rp_scene_goal_spec_t *begun,
                               rp_answer_outcome_t *outcome)
{
    static rp_escape_world_t world;
    static rp_escape_decision_t decision;
    const rp_grid_shape_t *shape = &self->oracle->shape;
    const uint8_t *bytes = rp_engine_bytes(self->engine, self->world);
    rp_escape_question_t question = {
        .x_m = goal_spec->start % shape->width + 0.5 + goal_spec->off_x,
        .y_m = (uint32_t)(goal_spec->start / shape->width) + 0.5 + goal_spec->off_y,
        .goal_count = goal_spec->goal_count};
    *outcome = answer->outcome;
    if (place_count(self->oracle) > RP_ESCAPE_CELLS_MAX) { // the reference is too slow for that
        begun->start = answer->start_y * shape->width + answer->start_x;
        return NULL;
    }
    world.width = shape->width;
    world.height = shape->height;
    world.neighbors = shape->neighbors;
    world.wraps = shape->wraps;
    world.unit = shape->unit;
    world.frame = (rp_frame_t){.resolution_m = 1.0};
    for (uint32_t place = 0; place < place_count(self->oracle); place++) {
        world.factors[place] = self->oracle->factors[place];
        world.is_obstacle[place] =
            world.factors[place] == 0 && !(self->is_costmap && bytes[place] == 253);
    }
    for (size_t i = 0; i < goal_spec->goal_count; i++) {
        question.goals[i] =
            (rp_escape_goal_t){goal_spec->goals[i].place, goal_spec->goals[i].offset};
    }
    rp_escape_resolve(&world, &question, &decision);
    *outcome = decision.outcome;
    if (answer->way_count == 0 || decision.outcome != RP_ANSWER_FOUND) {
        return answer->way_count != 0                ? "a way, but no path"
               : decision.outcome == RP_ANSWER_FOUND ? "a path without a way"
                                                     : NULL;
    }
    begun->start = decision.end;
    if (fabs(answer->escape_m - decision.way_m) > 1e-9) {
        return complain(self, "escape_m", answer->escape_m, decision.way_m);
    }
    return rp_escape_judge_way(&world, &question, &decision,
                               answer->way_y * shape->width + answer->way_x, answer->way,
                               answer->way_count);
}

/// The path as places. @return their number, 0 when it is too long or leaves the world
static size_t places_of(const rp_oracle_t *oracle, const rp_answer_t *answer, uint32_t *places)
{
    static const int dx[] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const int dy[] = {0, 1, 1, 1, 0, -1, -1, -1};
    places[0] = answer->start_y * oracle->shape.width + answer->start_x;
    for (uint32_t i = 0; i < answer->step_count; i++) {
        if (i + 1u == PATH_MOST || answer->steps[i] > 7) {
            return 0;
        }
        const unsigned direction = answer->steps[i];
        places[i + 1u] = rp_oracle_step(oracle, places[i], dx[direction], dy[direction]);
        if (places[i + 1u] == RP_ORACLE_NO_PLACE) {
            return 0;
        }
    }
    return answer->step_count + 1u;
}

/// A dearer path may be kept when it says so: its bound holds, and the gain is too small.
static bool is_kept_rightly(const rp_scene_t *self, const rp_answer_t *answer,
                            const rp_scene_goal_spec_t *goal_spec, uint64_t whole,
                            uint64_t cheapest)
{
    const double length = (double)rp_oracle_offset(self->oracle, 1);
    const double same = 1.0 + 4e-6; // the oracle's sqrt 2 is 577 / 408
    return answer->bound < answer->cost && answer->bound * length <= (double)cheapest * same &&
           (double)cheapest * same >=
               (double)whole * (100.0 - goal_spec->switch_gain_percent) / 100.0;
}

static const char *judge_path(rp_scene_t *self, const rp_answer_t *answer,
                              const rp_scene_goal_spec_t *goal_spec, uint64_t cheapest)
{
    uint32_t places[PATH_MOST];
    uint64_t whole;
    double lengths;
    const size_t count = places_of(self->oracle, answer, places);
    if (count == 0 || !rp_oracle_measure(self->oracle, places, count, &whole, &lengths)) {
        return "the path has an illegal step";
    }
    if (places[0] != goal_spec->start) {
        return complain(self, "start", places[0], goal_spec->start);
    }
    size_t goal = 0;
    while (goal < goal_spec->goal_count && goal_spec->goals[goal].place != places[count - 1u]) {
        goal++;
    }
    if (goal == goal_spec->goal_count) {
        return "the path ends at no goal";
    }
    for (size_t i = goal; i < goal_spec->goal_count;
         i++) { // a cell may be named twice: the least counts
        const bool is_less = goal_spec->goals[i].offset < goal_spec->goals[goal].offset;
        goal = goal_spec->goals[i].place == goal_spec->goals[goal].place && is_less ? i : goal;
    }
    whole += rp_oracle_offset(self->oracle, goal_spec->goals[goal].offset);
    lengths += goal_spec->goals[goal].offset;
    if (whole != cheapest && !is_kept_rightly(self, answer, goal_spec, whole, cheapest)) {
        return complain(self, "not the cheapest", (double)whole, (double)cheapest);
    }
    return fabs(answer->cost - lengths) <= 1e-9 * lengths
               ? NULL
               : complain(self, "cost", answer->cost, lengths);
}

const char *rp_scene_judge(rp_scene_t *self, const rp_answer_t *answer,
                           const rp_scene_goal_spec_t *goal_spec)
{
    const uint8_t *bytes = rp_engine_bytes(self->engine, self->world);
    for (uint32_t place = 0; place < place_count(self->oracle); place++) {
        self->oracle->factors[place] = factor_of(self, bytes[place]);
    }
    uint64_t cheapest = RP_ORACLE_NO_PATH;
    rp_scene_goal_spec_t begun = *goal_spec;
    rp_answer_outcome_t outcome = RP_ANSWER_OUTSIDE;
    const char *complaint = NULL;
    if (goal_spec->start != RP_ORACLE_NO_PLACE && goal_spec->goal_count != 0 &&
        self->oracle->factors[goal_spec->start] == 0) {
        complaint = judge_start(self, answer, goal_spec, &begun, &outcome);
    } else if (answer->way_count != 0) {
        complaint = "a way from a free cell";
    }
    if (begun.start != RP_ORACLE_NO_PLACE && self->oracle->factors[begun.start] != 0) {
        rp_oracle_flood(self->oracle, begun.start);
        outcome = expected_outcome(self->oracle, &begun, &cheapest);
    }
    const bool has_arrived = answer->outcome == RP_ANSWER_ARRIVED;
    if ((has_arrived ? RP_ANSWER_FOUND : answer->outcome) != outcome ||
        (outcome == RP_ANSWER_FOUND &&
         has_arrived != (answer->step_count + answer->way_count == 0))) {
        return complain(self, "outcome", answer->outcome, outcome);
    }
    if (complaint != NULL) {
        return complaint;
    }
    if (answer->version != rp_engine_version(self->engine, self->world)) {
        return "a sure answer names an older version";
    }
    if (outcome == RP_ANSWER_FOUND) {
        return judge_path(self, answer, &begun, cheapest);
    }
    return answer->step_count == 0 && answer->cost == 0.0 ? NULL : "steps or a cost, but no path";
}
