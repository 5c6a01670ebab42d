/// The checker. Costs are compared as doubles: the daemon counts in integers with 408 : 577 for
/// 1 : sqrt 2, which orders all paths of fewer than 408 diagonals rightly and is off by 1.5e-6 of
/// the cost beyond; so that much is forgiven, and any real detour is dearer than that.
#include "sim/check/checker.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "replan/client.h"

#define RELATIVE_SLACK 2e-6
#define ABSOLUTE_SLACK 1e-6

static bool is_same(double a, double b)
{
    if (isinf(a) || isinf(b)) {
        return a == b; // infinite slack would forgive everything
    }
    return fabs(a - b) <= ABSOLUTE_SLACK + RELATIVE_SLACK * fmax(fabs(a), fabs(b));
}

// ---- complaints

typedef struct complaint {
    char text[160];
} complaint_t;

/// @return false, so that a check can end with it
__attribute__((format(printf, 2, 3))) static bool complain(complaint_t *complaint,
                                                           const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(complaint->text, sizeof complaint->text, format, arguments);
    va_end(arguments);
    return false;
}

static bool blame(rp_checker_t *self, const char *agent, uint64_t path_seq, uint64_t version,
                  const complaint_t *complaint)
{
    self->violations++;
    if (self->first[0] == '\0') {
        snprintf(self->first, sizeof self->first,
                 "answer %" PRIu64 " of agent %.32s on version %" PRIu64 " %s", path_seq, agent,
                 version, complaint->text);
    }
    return false;
}

// ---- paths as cells

/// The cells that an answer's steps lead through, into the scratch.
static bool unroll(rp_checker_t *self, const rp_grid_view_t *grid, const Replan__V1__Answer *answer,
                   complaint_t *complaint)
{
    uint32_t cell = answer->start;
    if (cell >= rp_grid_view_cell_count(grid) ||
        !rp_array_reserve(&self->cells, &self->cell_capacity, answer->steps.len + 1u,
                          sizeof *self->cells)) {
        return complain(complaint, "starts in cell %" PRIu32 ", which is none", cell);
    }
    self->cells[0] = cell;
    for (size_t i = 0; i < answer->steps.len; i++) {
        const unsigned direction = answer->steps.data[i];
        if (direction >= RP_PLANE_DIRECTIONS) {
            return complain(complaint, "has direction %u as step %zu", direction, i);
        }
        cell =
            rp_grid_view_offset(grid, cell, rp_grid_view_dx(direction), rp_grid_view_dy(direction));
        if (cell == RP_NOWHERE) {
            return complain(complaint, "leaves the world with step %zu", i);
        }
        self->cells[i + 1] = cell;
    }
    return true;
}

static bool is_move(const rp_grid_view_t *seen, uint32_t from, uint32_t to, double *cost)
{
    for (unsigned direction = 0; direction < RP_PLANE_DIRECTIONS; direction++) {
        if (rp_grid_view_move(seen, from, direction) == to) {
            *cost += rp_grid_view_move_cost(seen, from, to, direction);
            return true;
        }
    }
    return false;
}

/// Walk a path by the rules. @param cost  written: its sum
static bool walk(const rp_grid_view_t *seen, const uint32_t *cells, size_t count, double *cost,
                 complaint_t *complaint)
{
    *cost = 0;
    if (rp_grid_view_factor(seen, cells[0]) == 0) {
        return complain(complaint, "starts in blocked cell %" PRIu32, cells[0]);
    }
    for (size_t i = 1; i < count; i++) {
        if (!is_move(seen, cells[i - 1], cells[i], cost)) {
            return complain(complaint, "has an illegal step %zu, from cell %" PRIu32 " to %" PRIu32,
                            i - 1, cells[i - 1], cells[i]);
        }
    }
    return true;
}

static rp_terrain_box_t box_with(rp_terrain_box_t box, const rp_grid_view_t *grid, uint32_t cell,
                                 uint32_t margin)
{
    const uint32_t x = cell % grid->width;
    const uint32_t y = cell / grid->width;
    const uint32_t left = x > margin ? x - margin : 0;
    const uint32_t top = y > margin ? y - margin : 0;
    const uint32_t right = x + margin < grid->width ? x + margin + 1 : grid->width;
    const uint32_t bottom = y + margin < grid->height ? y + margin + 1 : grid->height;
    if (box.width == 0) {
        return (rp_terrain_box_t){left, top, right - left, bottom - top};
    }
    const uint32_t x_end = box.x + box.width > right ? box.x + box.width : right;
    const uint32_t y_end = box.y + box.height > bottom ? box.y + box.height : bottom;
    box.x = left < box.x ? left : box.x;
    box.y = top < box.y ? top : box.y;
    return (rp_terrain_box_t){box.x, box.y, x_end - box.x, y_end - box.y};
}

/// The plane as the agent's body finds it, on the cells of a path, beside them, and around where
/// the agent stood.
static rp_grid_view_t see_path(rp_checker_t *self, const rp_grid_view_t *grid,
                               const uint32_t *cells, size_t count, uint32_t start)
{
    rp_terrain_box_t box = box_with((rp_terrain_box_t){0}, grid, start, 1);
    for (size_t i = 0; i < count && self->body_view.reach > 0; i++) {
        box = box_with(box, grid, cells[i], 1);
    }
    return rp_body_view_see(&self->body_view, grid, box);
}

// ---- what an answer claims

/// The way from where the agent stood, which no body may, to where the path begins.
static bool leaves_right(const rp_grid_view_t *grid, const rp_grid_view_t *seen,
                         const Replan__V1__Answer *answer, const rp_search_query_t *question,
                         complaint_t *complaint)
{
    uint32_t cell = answer->way_start;
    double length = 0;
    if (cell != question->start) {
        return complain(complaint, "leaves from cell %" PRIu32 ", the agent was in %" PRIu32, cell,
                        question->start);
    }
    for (size_t i = 0; i < answer->way.len; i++) {
        const unsigned direction = answer->way.data[i];
        const uint32_t next =
            direction < RP_PLANE_DIRECTIONS && rp_grid_view_factor(seen, cell) == 0
                ? rp_optimum_way_step(grid, question->start, cell, direction)
                : RP_NOWHERE;
        if (next == RP_NOWHERE) {
            return complain(complaint, "has an illegal step %zu of its way, from cell %" PRIu32, i,
                            cell);
        }
        length += direction % 2u != 0 ? sqrt(2.0) : 1.0;
        cell = next;
    }
    if (cell != answer->start) {
        return complain(complaint, "has a way to cell %" PRIu32 ", and starts in %" PRIu32, cell,
                        answer->start);
    }
    return is_same(length, answer->escape_m) ||
           complain(complaint, "says its way is %.9g m long, it is %.9g", answer->escape_m, length);
}

/// The path must begin where the agent stood, or, when no body could stand there, where a way
/// leads.
static bool begins_right(const rp_grid_view_t *grid, const rp_grid_view_t *seen,
                         const Replan__V1__Answer *answer, const rp_search_query_t *question,
                         complaint_t *complaint)
{
    if (rp_grid_view_factor(seen, question->start) == 0) {
        return leaves_right(grid, seen, answer, question, complaint);
    }
    if (answer->way.len != 0) {
        return complain(complaint, "has a way out of cell %" PRIu32 ", which is free",
                        question->start);
    }
    return answer->start == question->start ||
           complain(complaint, "starts in cell %" PRIu32 ", the agent was in %" PRIu32,
                    answer->start, question->start);
}

/// A path must end at a goal. Only a partial one may end anywhere, and it must not call itself
/// optimal.
static bool ends_right(const rp_grid_view_t *seen, const Replan__V1__Answer *answer,
                       const rp_search_query_t *question, uint32_t end, complaint_t *complaint)
{
    if (answer->outcome == REPLAN__V1__OUTCOME__PARTIAL) {
        return !answer->optimal || complain(complaint, "is partial, and says it is optimal");
    }
    const double off = rp_grid_view_distance(seen, end, question->goal);
    const double left = off <= question->tolerance + ABSOLUTE_SLACK ? 0 : off - question->tolerance;
    if (left > 0 && !question->is_nearest) {
        return complain(complaint, "ends in cell %" PRIu32 ", the goal is %" PRIu32, end,
                        question->goal);
    }
    return is_same(left, answer->goal_distance_m) ||
           complain(complaint, "says %.9g m are left to the goal, it is %.9g",
                    answer->goal_distance_m, left);
}

static bool is_legal(rp_checker_t *self, const rp_grid_view_t *grid,
                     const Replan__V1__Answer *answer, const rp_search_query_t *question,
                     complaint_t *complaint)
{
    double cost;
    const size_t count = answer->steps.len + 1;
    if (!unroll(self, grid, answer, complaint)) {
        return false;
    }
    const rp_grid_view_t seen = answer->way.len != 0
                                    ? rp_body_view_see(&self->body_view, grid, rp_box_of(grid))
                                    : see_path(self, grid, self->cells, count, question->start);
    if (!begins_right(grid, &seen, answer, question, complaint) ||
        !walk(&seen, self->cells, count, &cost, complaint) ||
        !ends_right(&seen, answer, question, self->cells[count - 1], complaint)) {
        return false;
    }
    return is_same(cost, answer->cost) ||
           complain(complaint, "says cost %.9g, its steps sum to %.9g", answer->cost, cost);
}

/// True when no cell that would do is free.
static bool is_goal_blocked(rp_checker_t *self, const rp_grid_view_t *grid,
                            const rp_search_query_t *question)
{
    const int span = (int)ceil(question->tolerance);
    const rp_terrain_box_t box =
        box_with((rp_terrain_box_t){0}, grid, question->goal, (uint32_t)span + 1u);
    const rp_grid_view_t seen = rp_body_view_see(&self->body_view, grid, box);
    for (int dy = -span; dy <= span; dy++) {
        for (int dx = -span; dx <= span; dx++) {
            const uint32_t cell = rp_grid_view_offset(&seen, question->goal, dx, dy);
            if (cell != RP_NOWHERE && hypot(dx, dy) <= question->tolerance &&
                rp_grid_view_factor(&seen, cell) != 0) {
                return false;
            }
        }
    }
    return true;
}

static bool is_start_blocked(rp_checker_t *self, const rp_grid_view_t *grid, uint32_t start)
{
    const rp_grid_view_t seen = see_path(self, grid, &start, 1, start);
    return rp_grid_view_factor(&seen, start) == 0;
}

static bool holds_true(rp_checker_t *self, const rp_grid_view_t *grid,
                       const Replan__V1__Answer *answer, const rp_search_query_t *question,
                       complaint_t *complaint)
{
    const bool is_outside = question->start == RP_NOWHERE || question->goal == RP_NOWHERE;
    if (question->is_lost != (answer->outcome == REPLAN__V1__OUTCOME__TARGET_LOST) ||
        (is_outside && !question->is_lost) != (answer->outcome == REPLAN__V1__OUTCOME__OUTSIDE)) {
        return complain(complaint, "has outcome %d, which this question has no cause for",
                        (int)answer->outcome);
    }
    if (!rp_client_has_path(answer) && answer->cost >= 0.0) {
        return complain(complaint, "has no path, and says that it costs %.9g", answer->cost);
    }
    switch (answer->outcome) {
    case REPLAN__V1__OUTCOME__FOUND:
    case REPLAN__V1__OUTCOME__ARRIVED:
    case REPLAN__V1__OUTCOME__PARTIAL:
        return is_legal(self, grid, answer, question, complaint);
    case REPLAN__V1__OUTCOME__NO_PATH: // only a search can tell
    case REPLAN__V1__OUTCOME__OUTSIDE:
    case REPLAN__V1__OUTCOME__TARGET_LOST:
        return true;
    case REPLAN__V1__OUTCOME__START_BLOCKED:
        return is_start_blocked(self, grid, question->start) ||
               complain(complaint, "says the start is blocked, it is free");
    case REPLAN__V1__OUTCOME__GOAL_BLOCKED:
        return is_goal_blocked(self, grid, question) ||
               complain(complaint, "says the goal is blocked, it is free");
    default:
        return complain(complaint, "has outcome %d, which this world has no cause for",
                        (int)answer->outcome);
    }
}

// ---- optima

/// The way out of a blocked start must be the shortest one that will do, and be there if there is
/// one.
static bool escapes_right(rp_checker_t *self, const rp_grid_view_t *grid,
                          const rp_grid_view_t *seen, const rp_debt_t *debt, complaint_t *complaint)
{
    double any;
    if (rp_grid_view_factor(seen, debt->question.start) != 0) {
        return true;
    }
    const double least = rp_optimum_escape(self->dijkstra, grid, seen, &debt->question, &any);
    if (debt->from == RP_NOWHERE) {
        return !isfinite(any) ||
               complain(complaint, "is stuck, and there is a way out, %.9g m long", any);
    }
    const double way = debt->from == debt->question.start ? INFINITY : debt->way;
    return is_same(way, least) ||
           complain(complaint, "leaves by a way of %.9g m, the shortest is %.9g", way, least);
}

/// An answer that is not marked optimal owes a bound that holds; one that is kept may be dearer by
/// what its policy allows.
static bool costs_right(rp_checker_t *self, const rp_grid_view_t *seen, const rp_debt_t *debt,
                        complaint_t *complaint)
{
    const rp_optimum_t optimum = rp_optimum_find(self->dijkstra, seen, debt->from, &debt->question);
    if (debt->is_bound && debt->claim < optimum.cost) {
        return true;
    }
    const bool is_kept = isfinite(debt->claim) && debt->claim > optimum.cost &&
                         debt->claim - optimum.cost < debt->kept * debt->claim + ABSOLUTE_SLACK;
    if (!is_kept && !is_same(debt->claim, optimum.cost)) {
        return complain(complaint, "says %s %.9g, the optimum is %.9g",
                        debt->is_bound ? "at least" : "optimum", debt->claim, optimum.cost);
    }
    return !isfinite(debt->claim) || is_same(debt->distance, optimum.distance) ||
           complain(complaint, "ends %.9g m from its goal, one could come to %.9g", debt->distance,
                    optimum.distance);
}

static bool pay(rp_checker_t *self, const rp_grid_view_t *grid, const rp_debt_t *debt)
{
    const rp_grid_view_t seen = rp_body_view_see(&self->body_view, grid, rp_box_of(grid));
    complaint_t complaint;
    self->optima++;
    if (escapes_right(self, grid, &seen, debt, &complaint) &&
        (debt->from == RP_NOWHERE || costs_right(self, &seen, debt, &complaint))) {
        return true;
    }
    return blame(self, debt->agent, debt->path_seq, debt->version, &complaint);
}

static bool owe(rp_checker_t *self, const rp_grid_view_t *grid, const rp_debt_t *debt)
{
    if (!rp_seeded_chance(&self->seeded, self->rate)) {
        return true;
    }
    if (self->debt_end - self->debt_first == RP_CHECKER_DEBTS) {
        return self->is_hurried || pay(self, grid, debt);
    }
    self->debts[self->debt_end++ % RP_CHECKER_DEBTS] = *debt;
    return true;
}

static rp_debt_t debt_of(rp_checker_t *self, const rp_grid_view_t *grid,
                         const Replan__V1__Answer *answer, rp_search_query_t question)
{
    const bool has_escaped =
        answer->start != question.start && is_start_blocked(self, grid, question.start);
    rp_debt_t debt = {.epoch = answer->epoch,
                      .version = answer->version,
                      .path_seq = answer->path_seq,
                      .question = question,
                      .from = has_escaped ? answer->start : question.start,
                      .claim = answer->cost,
                      .way = answer->escape_m,
                      .distance = answer->goal_distance_m};
    snprintf(debt.agent, sizeof debt.agent, "%.32s", answer->agent);
    if (answer->outcome == REPLAN__V1__OUTCOME__NO_PATH) {
        debt.claim = INFINITY;
    } else if (answer->outcome == REPLAN__V1__OUTCOME__START_BLOCKED) {
        debt.from = RP_NOWHERE;
    } else if (!answer->optimal) {
        debt.is_bound = true;
        debt.claim = answer->bound;
    }
    return debt;
}

const rp_debt_t *rp_checker_debt(const rp_checker_t *self)
{
    return self->debt_first == self->debt_end ? NULL
                                              : &self->debts[self->debt_first % RP_CHECKER_DEBTS];
}

bool rp_checker_settle(rp_checker_t *self, const rp_grid_view_t *grid)
{
    const rp_debt_t debt = *rp_checker_debt(self);
    self->debt_first++;
    if (grid == NULL) {
        self->skipped++;
        return true;
    }
    return pay(self, grid, &debt);
}

// ---- operations

/// True when only a search can tell whether such an answer is right.
static bool is_searched(Replan__V1__Outcome outcome)
{
    return outcome == REPLAN__V1__OUTCOME__FOUND || outcome == REPLAN__V1__OUTCOME__ARRIVED ||
           outcome == REPLAN__V1__OUTCOME__NO_PATH || outcome == REPLAN__V1__OUTCOME__PARTIAL ||
           outcome == REPLAN__V1__OUTCOME__START_BLOCKED;
}

bool rp_checker_take(rp_checker_t *self, const rp_grid_view_t *grid,
                     const Replan__V1__Answer *answer, rp_search_query_t question)
{
    complaint_t complaint;
    self->checked++;
    if (!holds_true(self, grid, answer, &question, &complaint)) {
        return blame(self, answer->agent, answer->path_seq, answer->version, &complaint);
    }
    if (!is_searched(answer->outcome)) {
        return true;
    }
    const rp_debt_t debt = debt_of(self, grid, answer, question);
    return owe(self, grid, &debt);
}

bool rp_checker_take_silence(rp_checker_t *self, const rp_grid_view_t *grid,
                             const rp_silence_t *silence, rp_search_query_t question)
{
    complaint_t complaint;
    rp_debt_t debt = {.epoch = silence->epoch,
                      .version = silence->version,
                      .path_seq = silence->path_seq,
                      .question = question,
                      .from = question.start,
                      .claim = INFINITY,
                      .kept = silence->kept};
    snprintf(debt.agent, sizeof debt.agent, "%.32s", silence->agent);
    self->silences++;
    if (silence->outcome != REPLAN__V1__OUTCOME__NO_PATH) {
        const rp_grid_view_t seen =
            see_path(self, grid, silence->path, silence->path_count, question.start);
        if (!walk(&seen, silence->path, silence->path_count, &debt.claim, &complaint)) {
            return blame(self, silence->agent, silence->path_seq, silence->version, &complaint);
        }
        const uint32_t end = silence->path[silence->path_count - 1];
        const double off = rp_grid_view_distance(grid, end, question.goal);
        debt.distance = off <= question.tolerance + ABSOLUTE_SLACK ? 0 : off - question.tolerance;
    }
    return silence->kept >= 1 || owe(self, grid, &debt);
}

void rp_checker_take_verdict(rp_checker_t *self, const Replan__V1__Answer *answer,
                             const char *wrong)
{
    complaint_t complaint;
    self->checked++;
    if (wrong != NULL) {
        (void)complain(&complaint, "%s", wrong);
        (void)blame(self, answer->agent, answer->path_seq, answer->version, &complaint);
    }
}

void rp_checker_take_standing(rp_checker_t *self, const char *agent, uint64_t path_seq,
                              uint64_t version, bool is_free)
{
    complaint_t complaint;
    self->silences++;
    if (!is_free) {
        (void)complain(&complaint, "meets an obstacle, and nobody says so");
        (void)blame(self, agent, path_seq, version, &complaint);
    }
}

void rp_checker_skip(rp_checker_t *self)
{
    self->skipped++;
}

bool rp_checker_is_content(const rp_checker_t *self)
{
    const uint64_t seen = self->checked + self->skipped;
    const bool are_few = self->skipped <= 1 || self->skipped * 100 <= seen;
    return self->violations == 0 && self->checked > 0 && are_few;
}

// ---- birth and death

bool rp_checker_init(rp_checker_t *self, size_t cell_count, const rp_body_view_options_t *body,
                     double rate, rp_seeded_t seeded)
{
    const rp_body_view_options_t point = {0};
    *self = (rp_checker_t){.rate = rate, .seeded = seeded};
    self->dijkstra = rp_dijkstra_new(cell_count);
    return self->dijkstra != NULL &&
           rp_body_view_init(&self->body_view, body != NULL ? body : &point, cell_count);
}

void rp_checker_fini(rp_checker_t *self)
{
    rp_dijkstra_destroy(&self->dijkstra);
    rp_body_view_fini(&self->body_view);
    free(self->cells);
    self->cells = NULL;
}
