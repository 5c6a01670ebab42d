/// Planner and oracle side by side. Cells of the grid are translated by a table made here, so that
/// the arithmetic of the grid is judged as well.
#include "tests/support/trial.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- the world

uint8_t rp_trial_factor(const rp_trial_t *self, uint32_t x, uint32_t y)
{
    return self->oracle->factors[y * self->grid->shape.width + x];
}

static rp_cell_t cell_of(const rp_trial_t *self, uint32_t place)
{
    const uint32_t width = self->grid->shape.width;
    return rp_grid_cell(self->grid, place % width, place / width);
}

void rp_trial_tell(rp_trial_t *self)
{
    if (rp_planner_apply(self->planner, self->untold, self->untold_count) != RP_OK) {
        abort(); // without memory nothing can be tested
    }
    self->untold_count = 0;
    self->batch++;
}

void rp_trial_set(rp_trial_t *self, uint32_t x, uint32_t y, uint8_t factor)
{
    const uint32_t place = y * self->grid->shape.width + x;
    if (self->written_in[place] == self->batch) {
        rp_trial_tell(self);
    }
    self->written_in[place] = self->batch;
    const rp_cell_t cell = cell_of(self, place);
    const uint8_t before = self->oracle->factors[place];
    self->oracle->factors[place] = factor;
    rp_grid_set(self->grid, cell, factor);
    self->untold[self->untold_count++] = (rp_change_t){cell, before, factor};
    rp_script_set(&self->script, x, y, factor);
}

void rp_trial_set_cell(rp_trial_t *self, rp_cell_t cell, uint8_t factor)
{
    rp_trial_set(self, rp_grid_x(self->grid, cell), rp_grid_y(self->grid, cell), factor);
}

// ---- ends

void rp_trial_set_start(rp_trial_t *self, uint32_t x, uint32_t y)
{
    self->start = y * self->grid->shape.width + x;
    if (rp_planner_set_start(self->planner, cell_of(self, self->start)) != RP_OK) {
        abort();
    }
    rp_script_start(&self->script, x, y);
}

rp_status_t rp_trial_set_goals(rp_trial_t *self, const rp_oracle_goal_t *goals, size_t count)
{
    rp_goal_t cells[RP_TRIAL_GOALS_MAX];
    memset(cells, 0, sizeof cells);
    for (size_t i = 0; i < count; i++) {
        cells[i] = (rp_goal_t){cell_of(self, goals[i].place), goals[i].offset};
    }
    const rp_status_t status = rp_planner_set_goals(self->planner, cells, count);
    if (status != RP_OK) {
        return status;
    }
    memcpy(self->goals, goals, count * sizeof *goals);
    self->goal_count = count;
    const uint32_t width = self->grid->shape.width;
    rp_script_goal(&self->script, goals[0].place % width, goals[0].place / width);
    for (size_t i = 0; i < count && (count > 1 || goals[0].offset != 0); i++) {
        rp_script_remark(&self->script,
                         "one of several goals is place y * W + x =", goals[i].place);
        rp_script_remark(&self->script, "and its offset", goals[i].offset);
    }
    return RP_OK;
}

void rp_trial_set_goal(rp_trial_t *self, uint32_t x, uint32_t y)
{
    const rp_oracle_goal_t goal = {.place = y * self->grid->shape.width + x};
    if (rp_trial_set_goals(self, &goal, 1) != RP_OK) {
        abort();
    }
}

bool rp_trial_walk(rp_trial_t *self)
{
    if (self->plan.path.count < 2u) {
        return false;
    }
    const uint32_t place = self->place_of[self->plan.path.cells[1]];
    const uint32_t width = self->grid->shape.width;
    rp_trial_set_start(self, place % width, place / width);
    return true;
}

// ---- judgement

static const char *complain(rp_trial_t *self, const char *what, double is, double should)
{
    snprintf(self->complaint, sizeof self->complaint, "%s (is %.12g, should be %.12g)", what, is,
             should);
    return self->complaint;
}

static rp_outcome_t expected_outcome(rp_trial_t *self, uint64_t *best)
{
    const uint8_t *factors = self->oracle->factors;
    *best = RP_ORACLE_NO_PATH;
    if (factors[self->start] == 0) {
        return RP_OUTCOME_START_BLOCKED;
    }
    bool some_goal_is_free = false;
    for (size_t i = 0; i < self->goal_count; i++) {
        some_goal_is_free = some_goal_is_free || factors[self->goals[i].place] != 0;
    }
    if (!some_goal_is_free) {
        return RP_OUTCOME_GOAL_BLOCKED;
    }
    rp_oracle_flood(self->oracle, self->start);
    *best = rp_oracle_cheapest(self->oracle, self->goals, self->goal_count);
    return *best != RP_ORACLE_NO_PATH ? RP_OUTCOME_FOUND : RP_OUTCOME_NO_PATH;
}

static const rp_oracle_goal_t *goal_at(const rp_trial_t *self, uint32_t place)
{
    for (size_t i = 0; i < self->goal_count; i++) {
        if (self->goals[i].place == place) {
            return &self->goals[i];
        }
    }
    return NULL;
}

static const char *judge_path(rp_trial_t *self, uint64_t best)
{
    const rp_path_t *path = &self->plan.path;
    const uint32_t count = path->count;
    if (count == 0 || count > self->grid->shape.width * self->grid->shape.height) {
        return complain(self, "the path has a wrong number of cells", count, 1);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (path->cells[i] >= self->grid->cell_count) {
            return complain(self, "the path leaves the arrays", path->cells[i], 0);
        }
        self->places[i] = self->place_of[path->cells[i]];
    }
    if (self->places[0] != self->start) {
        return complain(self, "the path begins elsewhere", self->places[0], self->start);
    }
    const rp_oracle_goal_t *goal = goal_at(self, self->places[count - 1]);
    if (goal == NULL) {
        return complain(self, "the path does not end in a goal", self->places[count - 1],
                        self->goals[0].place);
    }
    uint64_t whole;
    double lengths;
    if (!rp_oracle_measure(self->oracle, self->places, count, &whole, &lengths)) {
        return complain(self, "the path has an illegal step", count, count);
    }
    whole += rp_oracle_offset(self->oracle, goal->offset);
    lengths += goal->offset;
    if (whole != best) {
        return complain(self, "the path is not the cheapest", (double)whole, (double)best);
    }
    if (fabs(self->plan.cost - lengths) > 1e-12 * (1.0 + lengths)) {
        return complain(self, "the cost is not that of the path", self->plan.cost, lengths);
    }
    return NULL;
}

const char *rp_trial_judge(rp_trial_t *self)
{
    uint64_t best;
    const rp_outcome_t outcome = expected_outcome(self, &best);
    if (self->plan.outcome != outcome) {
        snprintf(self->complaint, sizeof self->complaint, "the outcome is %s, should be %s",
                 rp_outcome_text(self->plan.outcome), rp_outcome_text(outcome));
        return self->complaint;
    }
    if (!rp_planner_check(self->planner)) {
        return "the invariants of the search do not hold";
    }
    if (self->plan.stats.differed != 0) {
        return "a check of the planner's own found it wrong";
    }
    if (outcome == RP_OUTCOME_FOUND) {
        return judge_path(self, best);
    }
    if (self->plan.path.count != 0 || !isinf(self->plan.cost)) {
        return complain(self, "there is a path where none can be", self->plan.cost, INFINITY);
    }
    return NULL;
}

// ---- plans

rp_status_t rp_trial_slice(rp_trial_t *self, uint64_t budget)
{
    rp_trial_tell(self);
    rp_script_remark(&self->script, "slice of", budget);
    const rp_status_t status = rp_planner_plan(self->planner, budget, &self->plan);
    if (status == RP_OK) {
        rp_script_plan(&self->script);
    }
    return status;
}

const char *rp_trial_plan(rp_trial_t *self, uint64_t budget)
{
    for (uint64_t spent = 0; spent < RP_TRIAL_BUDGET; spent += budget) {
        const uint64_t slice = budget < RP_TRIAL_BUDGET ? budget : RP_TRIAL_BUDGET;
        const rp_status_t status = rp_trial_slice(self, slice);
        if (status == RP_OK) {
            return rp_trial_judge(self);
        }
        if (status != RP_MORE) {
            return rp_status_text(status);
        }
        if (budget >= RP_TRIAL_BUDGET) {
            break;
        }
    }
    return "the search does not come to an end";
}

void rp_trial_expect_plan(rp_trial_t *self)
{
    const char *complaint = rp_trial_plan(self, UINT64_MAX);
    ck_assert_msg(complaint == NULL, "%s", complaint);
}

uint64_t rp_trial_expect_repair(rp_trial_t *self)
{
    rp_trial_expect_plan(self);
    ck_assert_uint_eq(self->plan.stats.restarts, 0);
    return self->plan.stats.expanded;
}

uint64_t rp_trial_idle(rp_trial_t *self)
{
    uint64_t budget = UINT64_MAX;
    ck_assert_int_eq(rp_planner_idle(self->planner, &budget), RP_OK);
    return UINT64_MAX - budget;
}

// ---- birth and death

static void release_world(rp_trial_t *self)
{
    rp_grid_destroy(&self->grid);
    rp_oracle_destroy(&self->oracle);
    free(self->place_of);
    free(self->places);
    free(self->untold);
    free(self->written_in);
    rp_script_fini(&self->script);
}

static void take_world(rp_trial_t *self, const rp_grid_shape_t *shape)
{
    const size_t places = (size_t)shape->width * shape->height;
    self->oracle = rp_oracle_new(shape);
    self->place_of = malloc(self->grid->cell_count * sizeof *self->place_of);
    self->places = malloc(places * sizeof *self->places);
    self->untold = malloc(places * sizeof *self->untold);
    self->written_in = calloc(places, sizeof *self->written_in);
    if (self->oracle == NULL || self->place_of == NULL || self->places == NULL ||
        self->untold == NULL || self->written_in == NULL || !rp_script_init(&self->script, shape)) {
        abort();
    }
    for (uint32_t cell = 0; cell < self->grid->cell_count; cell++) {
        self->place_of[cell] = RP_ORACLE_NO_PLACE;
    }
    for (uint32_t place = 0; place < places; place++) {
        self->place_of[cell_of(self, place)] = place;
    }
    self->plan = (rp_plan_t){0}; // the last one was of another world
    self->batch = 1;
    self->untold_count = 0;
    self->goal_count = 0;
}

rp_status_t rp_trial_bind(rp_trial_t *self, const rp_grid_shape_t *shape)
{
    rp_grid_t *grid;
    if (rp_grid_new(shape, &grid) != RP_OK) {
        abort();
    }
    const rp_status_t status = rp_planner_bind(self->planner, grid);
    release_world(self); // the old grid was borrowed until the bind
    self->grid = grid;
    take_world(self, shape);
    return status;
}

rp_status_t rp_trial_init(rp_trial_t *self, const char *id, const rp_member_options_t *options)
{
    *self = (rp_trial_t){0};
    return options != NULL ? rp_papers_new(id, options, &self->planner)
                           : rp_planner_new(id, NULL, &self->planner);
}

void rp_trial_open(rp_trial_t *self, const char *id, uint32_t width, uint32_t height,
                   uint8_t neighbors)
{
    const rp_grid_shape_t shape = {
        .width = width, .height = height, .neighbors = neighbors, .unit = 1, .least = 1};
    ck_assert_int_eq(rp_trial_init(self, id, NULL), RP_OK);
    ck_assert_int_eq(rp_trial_bind(self, &shape), RP_OK);
}

void rp_trial_fini(rp_trial_t *self)
{
    rp_planner_destroy(&self->planner);
    release_world(self);
    *self = (rp_trial_t){0};
}
