/// Three searches, each after the same pattern: of all cells that are reached and not yet done the
/// nearest is taken, and what lies around it is reached from there.
#include "tests/engine/paths/escape_reference.h"

#include <math.h>
#include <string.h>

#define STRAIGHT       408u
#define DIAGONAL       577u
#define ESCAPE_DEFAULT 64.0 ///< cells
#define SLACK          1e-9 ///< of a limit in cells that went through metres

static const int step_x[RP_DIRECTIONS] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int step_y[RP_DIRECTIONS] = {0, 1, 1, 1, 0, -1, -1, -1};

/// The ways to each cell.
typedef struct ways {
    bool is_reached[RP_ESCAPE_CELLS_MAX];
    rp_escape_length_t length[RP_ESCAPE_CELLS_MAX];
} ways_t;

/// The cheapest paths from one free cell to each.
typedef struct paths {
    bool is_reached[RP_ESCAPE_CELLS_MAX];
    uint64_t whole[RP_ESCAPE_CELLS_MAX];
    double cost[RP_ESCAPE_CELLS_MAX];
} paths_t;

static uint32_t cell_count(const rp_escape_world_t *self)
{
    return self->width * self->height;
}

static bool is_free(const rp_escape_world_t *self, uint32_t cell)
{
    return self->factors[cell] != 0;
}

static bool is_escape_ground(const rp_escape_world_t *self, uint32_t cell)
{
    return !is_free(self, cell) && !self->is_obstacle[cell];
}

// ---- steps

static uint32_t moved(uint32_t at, int by, uint32_t side, bool wraps)
{
    const int64_t to = (int64_t)at + by;
    if (to >= 0 && to < side) {
        return (uint32_t)to;
    }
    return !wraps ? RP_ESCAPE_NO_CELL : to < 0 ? side - 1u : 0u;
}

/// The cell so many columns and rows away, by -1, 0 or 1.
static uint32_t beside(const rp_escape_world_t *self, uint32_t cell, int by_x, int by_y)
{
    const uint32_t x = moved(cell % self->width, by_x, self->width, self->wraps);
    const uint32_t y = moved(cell / self->width, by_y, self->height, self->wraps);
    return x == RP_ESCAPE_NO_CELL || y == RP_ESCAPE_NO_CELL ? RP_ESCAPE_NO_CELL
                                                            : y * self->width + x;
}

uint32_t rp_escape_step(const rp_escape_world_t *self, uint32_t cell, unsigned direction)
{
    return beside(self, cell, step_x[direction], step_y[direction]);
}

static bool is_diagonal(unsigned direction)
{
    return step_x[direction] != 0 && step_y[direction] != 0;
}

static bool is_a_move(const rp_escape_world_t *self, unsigned direction)
{
    return self->neighbors == 8 || !is_diagonal(direction);
}

/// The cells beside a diagonal step; both are inside when the step stays inside.
static uint32_t flank(const rp_escape_world_t *self, uint32_t cell, unsigned direction, int which)
{
    return which == 0 ? beside(self, cell, step_x[direction], 0)
                      : beside(self, cell, 0, step_y[direction]);
}

/// A step of a way, off the question which cells it may lead through.
static uint32_t way_step(const rp_escape_world_t *self, uint32_t cell, unsigned direction)
{
    const uint32_t to = rp_escape_step(self, cell, direction);
    if (!is_a_move(self, direction) || to == RP_ESCAPE_NO_CELL || self->is_obstacle[to]) {
        return RP_ESCAPE_NO_CELL;
    }
    const bool is_shut =
        is_diagonal(direction) && (self->is_obstacle[flank(self, cell, direction, 0)] ||
                                   self->is_obstacle[flank(self, cell, direction, 1)]);
    return is_shut ? RP_ESCAPE_NO_CELL : to;
}

/// A step of a path.
static uint32_t path_step(const rp_escape_world_t *self, uint32_t cell, unsigned direction)
{
    const uint32_t to = rp_escape_step(self, cell, direction);
    if (!is_a_move(self, direction) || to == RP_ESCAPE_NO_CELL || !is_free(self, to)) {
        return RP_ESCAPE_NO_CELL;
    }
    const bool is_shut =
        is_diagonal(direction) && (!is_free(self, flank(self, cell, direction, 0)) ||
                                   !is_free(self, flank(self, cell, direction, 1)));
    return is_shut ? RP_ESCAPE_NO_CELL : to;
}

// ---- lengths

int rp_escape_compare(rp_escape_length_t a, rp_escape_length_t b)
{
    const int64_t straights = (int64_t)a.straights - b.straights;
    const int64_t diagonals = (int64_t)a.diagonals - b.diagonals;
    if (straights >= 0 && diagonals >= 0) {
        return straights > 0 || diagonals > 0;
    }
    if (straights <= 0 && diagonals <= 0) {
        return -1;
    }
    const bool more_straight = straights * straights > 2 * diagonals * diagonals;
    return (straights > 0) == more_straight ? 1 : -1;
}

static double in_cell_lengths(rp_escape_length_t length)
{
    return length.straights + length.diagonals * sqrt(2.0);
}

static rp_escape_length_t longer(rp_escape_length_t length, unsigned direction)
{
    length.diagonals += is_diagonal(direction);
    length.straights += !is_diagonal(direction);
    return length;
}

static bool is_near_enough(const rp_escape_world_t *self, const rp_escape_question_t *question,
                           rp_escape_length_t length)
{
    const double limit =
        question->escape_m > 0.0 ? question->escape_m / self->frame.resolution_m : ESCAPE_DEFAULT;
    return in_cell_lengths(length) <= limit + SLACK;
}

// ---- runs around an obstacle

static bool is_in_a_run(const rp_escape_world_t *self, uint32_t cell, unsigned direction)
{
    const uint32_t to = rp_escape_step(self, cell, direction % RP_DIRECTIONS);
    return to != RP_ESCAPE_NO_CELL && !self->is_obstacle[to];
}

/// The run that holds the cell in this direction.
static unsigned run_of(const rp_escape_world_t *self, uint32_t cell, unsigned direction)
{
    unsigned run = 0;
    for (unsigned i = 0; i < RP_DIRECTIONS && is_in_a_run(self, cell, direction + i); i++) {
        run |= 1u << (direction + i) % RP_DIRECTIONS;
    }
    for (unsigned i = 0;
         i < RP_DIRECTIONS && is_in_a_run(self, cell, direction + RP_DIRECTIONS - i); i++) {
        run |= 1u << (direction + RP_DIRECTIONS - i) % RP_DIRECTIONS;
    }
    return run;
}

/// From a pose in a cell to the middle of the one in this direction.
static double to_middle(const rp_escape_world_t *self, uint32_t cell, const double *at,
                        unsigned direction)
{
    double middle[2];
    rp_escape_middle(self->width, cell, middle);
    return hypot(middle[0] + step_x[direction] - at[0], middle[1] + step_y[direction] - at[1]);
}

unsigned rp_escape_runs(const rp_escape_world_t *self, double x_m, double y_m)
{
    double at[2];
    const uint32_t cell = rp_escape_cell(self, x_m, y_m, at);
    double least = INFINITY;
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        if (is_in_a_run(self, cell, direction)) {
            least = fmin(least, to_middle(self, cell, at, direction));
        }
    }
    unsigned runs = 0;
    for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
        if (is_in_a_run(self, cell, direction) &&
            to_middle(self, cell, at, direction) <= least + rp_escape_snap(self, x_m, y_m)) {
            runs |= run_of(self, cell, direction);
        }
    }
    return runs;
}

/// The directions in which a way may leave the agent's cell, as far as runs decide.
static unsigned first_steps(const rp_escape_world_t *self, const rp_escape_question_t *question,
                            uint32_t cell)
{
    return self->is_obstacle[cell] ? rp_escape_runs(self, question->x_m, question->y_m) : 0xffu;
}

// ---- ways

static uint32_t nearest_to_do(const rp_escape_world_t *self, const ways_t *ways,
                              const bool *is_done)
{
    uint32_t nearest = RP_ESCAPE_NO_CELL;
    for (uint32_t cell = 0; cell < cell_count(self); cell++) {
        if (ways->is_reached[cell] && !is_done[cell] &&
            (nearest == RP_ESCAPE_NO_CELL ||
             rp_escape_compare(ways->length[cell], ways->length[nearest]) < 0)) {
            nearest = cell;
        }
    }
    return nearest;
}

/// The shortest ways from the agent's cell to all cells that they lead to, in escape ground and to
/// the first free cell.
static void find_ways(const rp_escape_world_t *self, const rp_escape_question_t *question,
                      uint32_t start, ways_t *ways)
{
    bool is_done[RP_ESCAPE_CELLS_MAX] = {false};
    memset(ways, 0, sizeof *ways);
    ways->is_reached[start] = true;
    for (uint32_t cell; (cell = nearest_to_do(self, ways, is_done)) != RP_ESCAPE_NO_CELL;) {
        is_done[cell] = true;
        if (cell != start && !is_escape_ground(self, cell)) {
            continue;
        }
        const unsigned open = cell == start ? first_steps(self, question, start) : 0xffu;
        for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
            const uint32_t to = way_step(self, cell, direction);
            const rp_escape_length_t length = longer(ways->length[cell], direction);
            if ((open >> direction & 1u) != 0 && to != RP_ESCAPE_NO_CELL &&
                (!ways->is_reached[to] || rp_escape_compare(length, ways->length[to]) < 0)) {
                ways->is_reached[to] = true;
                ways->length[to] = length;
            }
        }
    }
}

static bool is_an_end(const rp_escape_world_t *self, const rp_escape_question_t *question,
                      const ways_t *ways, uint32_t cell)
{
    return is_free(self, cell) && ways->is_reached[cell] &&
           is_near_enough(self, question, ways->length[cell]);
}

// ---- paths

static uint64_t whole_step(const rp_escape_world_t *self, uint32_t from, uint32_t to,
                           unsigned direction)
{
    const uint64_t factors = (uint64_t)self->factors[from] + self->factors[to];
    return factors * (is_diagonal(direction) ? DIAGONAL : STRAIGHT);
}

static double step_cost(const rp_escape_world_t *self, uint32_t from, uint32_t to,
                        unsigned direction)
{
    const double mean = (self->factors[from] + self->factors[to]) / 2.0 / self->unit;
    return is_diagonal(direction) ? mean * sqrt(2.0) : mean;
}

static uint32_t cheapest_to_do(const rp_escape_world_t *self, const paths_t *paths,
                               const bool *is_done)
{
    uint32_t cheapest = RP_ESCAPE_NO_CELL;
    for (uint32_t cell = 0; cell < cell_count(self); cell++) {
        if (paths->is_reached[cell] && !is_done[cell] &&
            (cheapest == RP_ESCAPE_NO_CELL || paths->whole[cell] < paths->whole[cheapest])) {
            cheapest = cell;
        }
    }
    return cheapest;
}

static void find_paths(const rp_escape_world_t *self, uint32_t start, paths_t *paths)
{
    bool is_done[RP_ESCAPE_CELLS_MAX] = {false};
    memset(paths, 0, sizeof *paths);
    paths->is_reached[start] = true;
    for (uint32_t cell; (cell = cheapest_to_do(self, paths, is_done)) != RP_ESCAPE_NO_CELL;) {
        is_done[cell] = true;
        for (unsigned direction = 0; direction < RP_DIRECTIONS; direction++) {
            const uint32_t to = path_step(self, cell, direction);
            if (to == RP_ESCAPE_NO_CELL) {
                continue;
            }
            const uint64_t whole = paths->whole[cell] + whole_step(self, cell, to, direction);
            if (!paths->is_reached[to] || whole < paths->whole[to]) {
                paths->is_reached[to] = true;
                paths->whole[to] = whole;
                paths->cost[to] = paths->cost[cell] + step_cost(self, cell, to, direction);
            }
        }
    }
}

// ---- where paths end

static uint64_t whole_offset(const rp_escape_world_t *self, uint32_t offset)
{
    return (uint64_t)offset * 2u * STRAIGHT * self->unit;
}

/// The short way round, where the world wraps.
static uint64_t apart(uint32_t a, uint32_t b, uint32_t side, bool wraps)
{
    const uint32_t plain = a > b ? a - b : b - a;
    return wraps && side - plain < plain ? side - plain : plain;
}

/// Square of the distance between the middles of a cell and the nearest goal.
static uint64_t off_goals(const rp_escape_world_t *self, const rp_escape_question_t *question,
                          uint32_t cell)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < question->goal_count; i++) {
        const uint32_t goal = question->goals[i].cell;
        const uint64_t x = apart(cell % self->width, goal % self->width, self->width, self->wraps);
        const uint64_t y = apart(cell / self->width, goal / self->width, self->height, self->wraps);
        least = x * x + y * y < least ? x * x + y * y : least;
    }
    return least;
}

/// What a path on may come to.
typedef struct way_on {
    bool is_there;
    uint64_t whole;
    double cost;
    uint64_t off_goal; ///< square
} way_on_t;

static way_on_t to_a_goal(const rp_escape_world_t *self, const rp_escape_question_t *question,
                          const paths_t *paths)
{
    way_on_t best = {.is_there = false};
    for (size_t i = 0; i < question->goal_count; i++) {
        const rp_escape_goal_t *goal = &question->goals[i];
        const uint64_t whole = paths->whole[goal->cell] + whole_offset(self, goal->offset);
        if (paths->is_reached[goal->cell] && (!best.is_there || whole < best.whole)) {
            best = (way_on_t){true, whole, paths->cost[goal->cell] + goal->offset, 0};
        }
    }
    return best;
}

static way_on_t to_the_nearest(const rp_escape_world_t *self, const rp_escape_question_t *question,
                               const paths_t *paths)
{
    way_on_t best = {.is_there = false};
    for (uint32_t cell = 0; cell < cell_count(self); cell++) {
        const uint64_t off_goal = off_goals(self, question, cell);
        if (paths->is_reached[cell] &&
            (!best.is_there || off_goal < best.off_goal ||
             (off_goal == best.off_goal && paths->whole[cell] < best.whole))) {
            best = (way_on_t){true, paths->whole[cell], paths->cost[cell], off_goal};
        }
    }
    return best;
}

// ---- the decision

/// The better of two ends: shorter way, then cheaper path on, then lower number; ends come in the
/// order of their numbers.
static void take_if_better(rp_escape_decision_t *decision, uint32_t end, rp_escape_length_t way,
                           const way_on_t *on)
{
    if (!on->is_there) {
        return;
    }
    const int order =
        decision->outcome == RP_ANSWER_FOUND ? rp_escape_compare(way, decision->way) : -1;
    if (order < 0 || (order == 0 && on->whole < decision->whole)) {
        decision->outcome = RP_ANSWER_FOUND;
        decision->end = end;
        decision->way = way;
        decision->whole = on->whole;
        decision->cost = on->cost;
        decision->goal_distance = sqrt((double)on->off_goal);
    }
}

/// Look at all ends. A way that is longer than one which was found needs no path on.
static void choose_end(const rp_escape_world_t *self, const rp_escape_question_t *question,
                       const ways_t *ways, bool is_to_a_goal, rp_escape_decision_t *decision)
{
    static paths_t paths;
    for (uint32_t end = 0; end < cell_count(self); end++) {
        if (!is_an_end(self, question, ways, end) ||
            (decision->outcome == RP_ANSWER_FOUND &&
             rp_escape_compare(ways->length[end], decision->way) > 0)) {
            continue;
        }
        find_paths(self, end, &paths);
        const way_on_t on = is_to_a_goal ? to_a_goal(self, question, &paths)
                                         : to_the_nearest(self, question, &paths);
        take_if_better(decision, end, ways->length[end], &on);
    }
}

static bool has_end(const rp_escape_world_t *self, const rp_escape_question_t *question,
                    const ways_t *ways)
{
    for (uint32_t cell = 0; cell < cell_count(self); cell++) {
        if (is_an_end(self, question, ways, cell)) {
            return true;
        }
    }
    return false;
}

static bool has_free_goal(const rp_escape_world_t *self, const rp_escape_question_t *question)
{
    for (size_t i = 0; i < question->goal_count; i++) {
        if (is_free(self, question->goals[i].cell)) {
            return true;
        }
    }
    return false;
}

/// What stands when nothing is found.
static rp_answer_outcome_t outcome_of(const rp_escape_world_t *self,
                                      const rp_escape_question_t *question, const ways_t *ways)
{
    if (!has_end(self, question, ways)) {
        return RP_ANSWER_START_BLOCKED;
    }
    return !has_free_goal(self, question) && !question->is_nearest ? RP_ANSWER_GOAL_BLOCKED
                                                                   : RP_ANSWER_NO_PATH;
}

void rp_escape_resolve(const rp_escape_world_t *self, const rp_escape_question_t *question,
                       rp_escape_decision_t *decision)
{
    static ways_t ways;
    double at[2];
    const uint32_t cell = rp_escape_cell(self, question->x_m, question->y_m, at);
    *decision = (rp_escape_decision_t){.outcome = RP_ANSWER_OUTSIDE, .cell = cell, .end = cell};
    if (cell == RP_ESCAPE_NO_CELL) {
        return;
    }
    decision->is_blocked = !is_free(self, cell);
    if (decision->is_blocked) {
        find_ways(self, question, cell, &ways);
    } else { // there is nothing to leave
        memset(&ways, 0, sizeof ways);
        ways.is_reached[cell] = true;
    }
    decision->outcome = outcome_of(self, question, &ways);
    if (decision->outcome != RP_ANSWER_NO_PATH) {
        return;
    }
    choose_end(self, question, &ways, true, decision);
    decision->reaches_goal = decision->outcome == RP_ANSWER_FOUND;
    if (decision->outcome == RP_ANSWER_NO_PATH && question->is_nearest) {
        choose_end(self, question, &ways, false, decision);
    }
    decision->way_m = in_cell_lengths(decision->way) * self->frame.resolution_m;
}

// ---- the judge of ways and paths

const char *rp_escape_walk_way(const rp_escape_world_t *self, const rp_escape_question_t *question,
                               uint32_t way_start, const uint8_t *steps, size_t count,
                               uint32_t *end, rp_escape_length_t *length)
{
    *end = way_start;
    *length = (rp_escape_length_t){0, 0};
    for (size_t i = 0; i < count; i++) {
        const unsigned open = i == 0 ? first_steps(self, question, *end) : 0xffu;
        if (steps[i] >= RP_DIRECTIONS || (open >> steps[i] & 1u) == 0) {
            return "the first step of the way leads into the wrong run";
        }
        if (i > 0 && !is_escape_ground(self, *end)) {
            return "the way goes on over a cell that is no escape ground";
        }
        *end = way_step(self, *end, steps[i]);
        if (*end == RP_ESCAPE_NO_CELL) {
            return "the way has an illegal step";
        }
        *length = longer(*length, steps[i]);
    }
    return is_free(self, *end) ? NULL : "the way ends on a blocked cell";
}

const char *rp_escape_judge_way(const rp_escape_world_t *self, const rp_escape_question_t *question,
                                const rp_escape_decision_t *decision, uint32_t way_start,
                                const uint8_t *steps, size_t count)
{
    uint32_t end;
    rp_escape_length_t length;
    if (!decision->is_blocked || decision->outcome != RP_ANSWER_FOUND) {
        return count == 0 ? NULL : "a way where none is needed or leads out";
    }
    if (way_start != decision->cell) {
        return "the way does not begin in the agent's cell";
    }
    const char *complaint =
        rp_escape_walk_way(self, question, way_start, steps, count, &end, &length);
    if (complaint != NULL) {
        return complaint;
    }
    if (end != decision->end) {
        return "the way does not end where it must";
    }
    return rp_escape_compare(length, decision->way) == 0 ? NULL : "the way is not the shortest";
}

const char *rp_escape_walk_path(const rp_escape_world_t *self, uint32_t start, const uint8_t *steps,
                                size_t count, uint32_t *end, uint64_t *whole, double *cost)
{
    *end = start;
    *whole = 0;
    *cost = 0.0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t to =
            steps[i] < RP_DIRECTIONS ? path_step(self, *end, steps[i]) : RP_ESCAPE_NO_CELL;
        if (to == RP_ESCAPE_NO_CELL) {
            return "the path has an illegal step";
        }
        *whole += whole_step(self, *end, to, steps[i]);
        *cost += step_cost(self, *end, to, steps[i]);
        *end = to;
    }
    return is_free(self, start) ? NULL : "the path starts on a blocked cell";
}

/// The least offset of the goals at this cell, added. @return false when none is there
static bool add_offset(const rp_escape_world_t *self, const rp_escape_question_t *question,
                       uint32_t cell, uint64_t *whole, double *cost)
{
    uint32_t least = UINT32_MAX;
    for (size_t i = 0; i < question->goal_count; i++) {
        const rp_escape_goal_t *goal = &question->goals[i];
        least = goal->cell == cell && goal->offset < least ? goal->offset : least;
    }
    if (least == UINT32_MAX) {
        return false;
    }
    *whole += whole_offset(self, least);
    *cost += least;
    return true;
}

const char *rp_escape_judge_path(const rp_escape_world_t *self,
                                 const rp_escape_question_t *question,
                                 const rp_escape_decision_t *decision, uint32_t start,
                                 const uint8_t *steps, size_t count, double cost)
{
    uint32_t end;
    uint64_t whole;
    double sum;
    if (start != decision->end) {
        return "the path does not start where it must";
    }
    if (decision->outcome != RP_ANSWER_FOUND) {
        return count == 0 && cost == 0.0 ? NULL : "steps or a cost where there is no path";
    }
    const char *complaint = rp_escape_walk_path(self, start, steps, count, &end, &whole, &sum);
    if (complaint != NULL) {
        return complaint;
    }
    if (decision->reaches_goal && !add_offset(self, question, end, &whole, &sum)) {
        return "the path ends at no goal";
    }
    if (!decision->reaches_goal &&
        sqrt((double)off_goals(self, question, end)) != decision->goal_distance) {
        return "the path does not end at a nearest cell";
    }
    if (whole != decision->whole) {
        return "the path is not the cheapest";
    }
    return fabs(sum - cost) <= 1e-9 * (1.0 + sum) ? NULL : "the cost is not that of the path";
}
