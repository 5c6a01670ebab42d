/// What was said against what is true (truth.h). Of the engine it reads who is unsure, which nobody
/// is told, and where an agent goes on beside where it stands.
#include "tests/engine/witness.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/core.h"
#include "tests/engine/truth.h"

/// The oracle's sqrt 2 is 577 / 408.
#define SAME 2e-6

static const int step_x[] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int step_y[] = {0, 1, 1, 1, 0, -1, -1, -1};

// ---- the judge

const char *rp_witness_complain(rp_witness_t *self, const char *what, double published,
                                double truth)
{
    (void)snprintf(self->complaint, sizeof self->complaint, "%s: said %.12g, truth %.12g", what,
                   published, truth);
    return self->complaint;
}

/// The answer of an agent as places, and what of it is known.
typedef struct testimony {
    const rp_witness_agent_t *agent;
    const rp_session_t *session;
    rp_answer_t answer;
    uint32_t places[RP_WITNESS_PLACES];
    size_t count;
    uint64_t whole; ///< cost of the steps, and of stopping at a goal
    double lengths;
} testimony_t;

/// @return false when a step is illegal
static bool walk(const rp_oracle_t *oracle, testimony_t *of)
{
    const rp_answer_t *answer = &of->answer;
    of->places[0] = answer->start_y * oracle->shape.width + answer->start_x;
    of->count = 1;
    for (uint32_t i = 0; i < answer->step_count; i++) {
        const unsigned step = answer->steps[i];
        if (step > 7 || of->count == RP_WITNESS_PLACES) {
            return false;
        }
        const uint32_t next =
            rp_oracle_step(oracle, of->places[of->count - 1u], step_x[step], step_y[step]);
        if (next == RP_ORACLE_NO_PLACE) {
            return false;
        }
        of->places[of->count++] = next;
    }
    return rp_oracle_measure(oracle, of->places, of->count, &of->whole, &of->lengths);
}

static void add_offset(const rp_witness_t *self, const rp_oracle_t *oracle, testimony_t *of)
{
    for (size_t i = 0; i < self->goal_count; i++) {
        if (self->goals[i].place == of->places[of->count - 1u]) {
            of->whole += rp_oracle_offset(oracle, self->goals[i].offset);
            of->lengths += self->goals[i].offset;
        }
    }
}

/// Steps before the first that rests on a cell of which nothing is known.
static uint32_t known_steps(const rp_witness_t *self, const rp_past_ground_t *ground,
                            const testimony_t *of)
{
    for (uint32_t i = 0; i < of->answer.step_count; i++) {
        const int dx = step_x[of->answer.steps[i]];
        const int dy = step_y[of->answer.steps[i]];
        const int64_t x = of->places[i] % ground->width;
        const int64_t y = of->places[i] / ground->width;
        const int64_t to_x = self->wraps ? rp_truth_wrapped(x + dx, ground->width) : x + dx;
        const int64_t to_y = self->wraps ? rp_truth_wrapped(y + dy, ground->height) : y + dy;
        if (ground->bytes[to_y * ground->width + to_x] == RP_BYTE_UNKNOWN ||
            ground->bytes[y * ground->width + to_x] == RP_BYTE_UNKNOWN ||
            ground->bytes[to_y * ground->width + x] == RP_BYTE_UNKNOWN) {
            // A straight step has its own cell, which is known where it stands, for one of these.
            const bool is_diagonal = dx != 0 && dy != 0;
            if (is_diagonal || ground->bytes[to_y * ground->width + to_x] == RP_BYTE_UNKNOWN) {
                return i;
            }
        }
    }
    return of->answer.step_count;
}

/// A path that is not the cheapest may be kept while its policy asks for more than the gain.
static const char *judge_gain(rp_witness_t *self, const testimony_t *of, uint64_t cheapest,
                              double length)
{
    const rp_answer_t *answer = &of->answer;
    const rp_policy_t *policy = &of->agent->policy;
    const double truth = (double)cheapest / length;
    if ((double)of->whole <= (double)cheapest * (1.0 + SAME)) {
        return NULL;
    }
    if (answer->bound >= answer->cost) {
        return rp_witness_complain(self, "not the cheapest", (double)of->whole, (double)cheapest);
    }
    const uint64_t age_us = self->now_us - of->session->published.at_us;
    const double kept = answer->cost * (100.0 - policy->switch_gain_percent) / 100.0;
    const bool is_young = age_us < (uint64_t)policy->min_interval_ms * 1000u;
    if (truth * (1.0 + SAME) < kept && !is_young) {
        return rp_witness_complain(self, "kept though much cheaper is there", answer->cost, truth);
    }
    return NULL;
}

static const char *judge_path(rp_witness_t *self, testimony_t *of, uint64_t cheapest)
{
    rp_oracle_t *oracle = self->oracles[of->agent->kind];
    const rp_answer_t *answer = &of->answer;
    const rp_past_ground_t *ground = rp_witness_ground(self);
    const double length = (double)rp_oracle_offset(oracle, 1);
    if (!rp_truth_is_goal(self, of->places[of->count - 1u])) {
        return "the path ends at no goal";
    }
    add_offset(self, oracle, of);
    if (of->whole < cheapest) {
        return "the witness is wrong";
    }
    if (answer->bound * length > (double)cheapest * (1.0 + SAME)) {
        return rp_witness_complain(self, "bound", answer->bound, (double)cheapest / length);
    }
    if (fabs(answer->cost - of->lengths) > 1e-9 * of->lengths) {
        return rp_witness_complain(self, "cost", answer->cost, of->lengths);
    }
    if (answer->valid_through != known_steps(self, ground, of)) {
        return rp_witness_complain(self, "valid_through", answer->valid_through,
                                   known_steps(self, ground, of));
    }
    return rp_session_is_unsure(of->session) ? NULL : judge_gain(self, of, cheapest, length);
}

/// Where way and path begin, and the agent in cells; beside them as if it stood in the middle.
typedef struct beginning {
    uint32_t place;
    double x;
    double y;
} beginning_t;

/// Where a coordinate lies in its cell, from 0 to 1: it may have been rounded up to the border
/// before the cell, the closing border of a world belongs to the last one, and a world may wrap.
static double within_cell(double at, uint32_t cell, uint32_t side)
{
    const double off = at - cell;
    return fmin(fmax(off - side * floor((off + 0.5) / side), 0.0), 1.0);
}

static beginning_t beginning_of(const rp_witness_t *self, const testimony_t *of)
{
    const rp_past_ground_t *ground = rp_witness_ground(self);
    const rp_witness_agent_t *agent = of->agent;
    const rp_answer_t *answer = &of->answer;
    beginning_t from = {.place = rp_witness_place(self, ground, agent->x_m, agent->y_m)};
    const uint32_t place_x = from.place % ground->width;
    const uint32_t place_y = from.place / ground->width;
    double x =
        within_cell((agent->x_m - ground->origin_x_m) / self->resolution_m, place_x, ground->width);
    double y = within_cell((agent->y_m - ground->origin_y_m) / self->resolution_m, place_y,
                           ground->height);
    if (of->session->position.is_beside) {
        const bool has_way = answer->way_count != 0;
        from.place = has_way ? answer->way_y * ground->width + answer->way_x
                             : answer->start_y * ground->width + answer->start_x;
        x = y = 0.5;
    }
    from.x = from.place % ground->width + x;
    from.y = (uint32_t)(from.place / ground->width) + y;
    return from;
}

/// The way that an answer says.
static const char *judge_way(rp_witness_t *self, const testimony_t *of)
{
    const rp_past_ground_t *ground = rp_witness_ground(self);
    const rp_answer_t *answer = &of->answer;
    const beginning_t from = beginning_of(self, of);
    const double metres = ((double)self->way_straights + (double)self->way_diagonals * sqrt(2.0)) *
                          self->resolution_m;
    uint32_t end;
    if (answer->way_y * ground->width + answer->way_x != from.place) {
        return "the way begins elsewhere";
    }
    if (!rp_truth_is_way(self, of->agent, ground, from.place, from.x, from.y, answer->way,
                         answer->way_count, &end)) {
        return "the way has an illegal step, or is not the shortest";
    }
    if (end != answer->start_y * ground->width + answer->start_x) {
        return "the way ends where the path does not begin";
    }
    return fabs(answer->escape_m - metres) > 1e-9
               ? rp_witness_complain(self, "escape_m", answer->escape_m, metres)
               : NULL;
}

/// What must be said, and where it begins.
typedef struct expected {
    rp_answer_outcome_t outcome;
    bool may_be_blocked; ///< NO_PATH and GOAL_BLOCKED are both true
    uint32_t start;
    bool has_way; ///< else it begins where the agent stands
    uint64_t cheapest;
} expected_t;

/// What is the cheapest from a free place, to what stands for the goals if that must be.
static uint64_t cheapest_from(rp_witness_t *self, const rp_witness_agent_t *agent,
                              const rp_past_ground_t *ground, uint32_t place, uint32_t waypoint)
{
    const rp_oracle_t *oracle = self->oracles[agent->kind];
    if (agent->aim.is_nearest) {
        (void)rp_truth_goals(self, agent, ground, waypoint);
        rp_truth_flood(self, agent->kind);
        if (oracle->cost[place] == RP_ORACLE_NO_PATH) {
            rp_truth_substitute(self, agent->kind, place);
        }
    }
    return oracle->cost[place];
}

/// Of several ends of shortest ways the one with the cheapest path on, then the first one.
static uint32_t best_end(rp_witness_t *self, const testimony_t *of)
{
    const rp_past_ground_t *ground = rp_witness_ground(self);
    uint64_t least = RP_ORACLE_NO_PATH;
    uint32_t best = self->endpoints[0];
    for (size_t i = 0; i < self->end_count; i++) {
        const uint64_t cost =
            cheapest_from(self, of->agent, ground, self->endpoints[i], of->answer.waypoint);
        if (cost < least) {
            least = cost;
            best = self->endpoints[i];
        }
    }
    return best;
}

/// Of the version that is newest.
static expected_t truth_of(rp_witness_t *self, const testimony_t *of)
{
    const rp_witness_agent_t *agent = of->agent;
    const rp_past_ground_t *ground = rp_witness_ground(self);
    rp_oracle_t *oracle = rp_truth_oracle(self, agent->kind, self->past_count);
    expected_t truth = {.outcome = RP_ANSWER_NONE};
    if (!agent->has_pose || !agent->has_aim) {
        return truth;
    }
    truth.outcome = RP_ANSWER_TARGET_LOST;
    if (!rp_truth_goals(self, agent, ground, of->answer.waypoint)) {
        return truth;
    }
    const beginning_t from = beginning_of(self, of);
    truth.start = from.place;
    truth.outcome = RP_ANSWER_OUTSIDE;
    if (truth.start == RP_ORACLE_NO_PLACE || (self->goal_count == 0 && !agent->aim.is_nearest)) {
        return truth;
    }
    rp_truth_flood(self, agent->kind);
    const bool is_free = rp_truth_any_free(self, oracle);
    truth.may_be_blocked = self->goal_count > RP_GOALS_MAX; // only the rim counts
    truth.cheapest = RP_ORACLE_NO_PATH;
    if (oracle->factors[truth.start] == 0) {
        rp_truth_escape(self, agent, ground, from.place, from.x, from.y);
        if (self->end_count == 0) {
            truth.outcome = RP_ANSWER_START_BLOCKED;
            return truth;
        }
        truth.has_way = self->endpoints_reach || agent->aim.is_nearest;
        truth.start = truth.has_way ? best_end(self, of) : truth.start;
    }
    if (oracle->factors[truth.start] != 0) {
        truth.cheapest = cheapest_from(self, agent, ground, truth.start, of->answer.waypoint);
    }
    truth.outcome = truth.cheapest != RP_ORACLE_NO_PATH ? RP_ANSWER_FOUND
                    : is_free                           ? RP_ANSWER_NO_PATH
                                                        : RP_ANSWER_GOAL_BLOCKED;
    return truth;
}

/// Points outside count only when all of them are outside. The goals were gathered.
static bool point_counts(const rp_witness_t *self, const rp_past_ground_t *ground,
                         const rp_aim_t *aim, const rp_destination_t *point)
{
    if (self->goal_count == 0 || aim->kind == RP_AIM_REGION ||
        rp_witness_place(self, ground, point->x_m, point->y_m) != RP_ORACLE_NO_PLACE) {
        return true;
    }
    size_t i = 0;
    while (i < self->goal_count &&
           rp_truth_distance_m(self, ground, aim, point, self->goals[i].place) > 0.0) {
        i++;
    }
    return i < self->goal_count;
}

static double left_m(const rp_witness_t *self, const testimony_t *of)
{
    const rp_witness_agent_t *agent = of->agent;
    const rp_past_ground_t *ground = rp_witness_ground(self);
    rp_aim_t aim = agent->aim;
    aim.points = agent->points;
    double least = INFINITY;
    size_t first = aim.kind == RP_AIM_WAYPOINTS ? of->answer.waypoint : 0;
    size_t end = aim.kind == RP_AIM_WAYPOINTS ? first + 1u : aim.count;
    rp_destination_t there = {0};
    if (aim.kind == RP_AIM_TARGET) {
        there.x_m = self->agents[agent->target].x_m;
        there.y_m = self->agents[agent->target].y_m;
        aim.points = &there;
        end = 1;
    }
    end = aim.kind == RP_AIM_REGION ? 1 : end;
    for (; first < end; first++) {
        if (point_counts(self, ground, &aim, &aim.points[first])) {
            least = fmin(least, rp_truth_distance_m(self, ground, &aim, &aim.points[first],
                                                    of->places[of->count - 1u]));
        }
    }
    return least;
}

/// It is sure: everything must be right.
static const char *judge_sure(rp_witness_t *self, testimony_t *of)
{
    const rp_answer_t *answer = &of->answer;
    const expected_t truth = truth_of(self, of);
    const bool has_arrived = answer->outcome == RP_ANSWER_ARRIVED;
    const rp_answer_outcome_t outcome = has_arrived ? RP_ANSWER_FOUND : answer->outcome;
    if (outcome != truth.outcome && !(truth.may_be_blocked && outcome == RP_ANSWER_GOAL_BLOCKED &&
                                      truth.outcome == RP_ANSWER_NO_PATH)) {
        return rp_witness_complain(self, "outcome", answer->outcome, truth.outcome);
    }
    if (answer->version != self->past_count) {
        return "a sure answer names an older version";
    }
    if (truth.outcome == RP_ANSWER_NONE) {
        return NULL;
    }
    if (answer->goal_id != of->agent->aim.goal_id) {
        return rp_witness_complain(self, "goal_id", (double)answer->goal_id,
                                   (double)of->agent->aim.goal_id);
    }
    if (truth.outcome != RP_ANSWER_FOUND) {
        return answer->step_count == 0 && answer->cost == 0.0 && answer->way_count == 0 &&
                       answer->escape_m == 0.0 && answer->goal_distance_m == 0.0
                   ? NULL
                   : "steps, a way, a cost or a distance, but no path";
    }
    if (!walk(self->oracles[of->agent->kind], of)) {
        return "the path has an illegal step";
    }
    if (of->places[0] != truth.start) {
        return rp_witness_complain(self, "start", of->places[0], truth.start);
    }
    if (has_arrived != (answer->step_count + answer->way_count == 0)) {
        return "arrived, or not";
    }
    if (truth.has_way != (answer->way_count != 0)) {
        return "a way, or none";
    }
    const char *complaint = truth.has_way ? judge_way(self, of) : NULL;
    complaint = complaint == NULL ? judge_path(self, of, truth.cheapest) : complaint;
    if (complaint != NULL) {
        return complaint;
    }
    const rp_past_ground_t *ground = rp_witness_ground(self);
    (void)rp_truth_goals(self, of->agent, ground, answer->waypoint);
    const double left = rp_truth_is_goal(self, of->places[of->count - 1u]) ? 0.0 : left_m(self, of);
    return fabs(answer->goal_distance_m - left) > 1e-6
               ? rp_witness_complain(self, "goal_distance_m", answer->goal_distance_m, left)
               : NULL;
}

/// Who moves within an obstacle follows its way as long as that may begin so from where it is,
/// though another one would be taken from there.
static const char *judge_followed(rp_witness_t *self, testimony_t *of, rp_witness_agent_t *agent)
{
    const double x_m = agent->x_m;
    const double y_m = agent->y_m;
    uint32_t end;
    agent->x_m = agent->found_x_m;
    agent->y_m = agent->found_y_m;
    const char *complaint = judge_sure(self, of);
    agent->x_m = x_m;
    agent->y_m = y_m;
    const beginning_t from = beginning_of(self, of);
    return complaint != NULL ||
                   rp_truth_is_way(self, agent, rp_witness_ground(self), from.place, from.x, from.y,
                                   of->answer.way, of->answer.way_count, &end)
               ? complaint
               : "it follows a way that may not begin so";
}

static const char *judge_answer(rp_witness_t *self, testimony_t *of, rp_witness_agent_t *agent)
{
    const char *complaint = judge_sure(self, of);
    const rp_past_ground_t *ground = rp_witness_ground(self);
    const uint32_t place = rp_witness_place(self, ground, agent->x_m, agent->y_m);
    if (!rp_truth_is_obstacle(self, agent, place) || of->session->position.is_beside ||
        of->answer.way_count == 0) {
        return complaint;
    }
    const uint64_t sum = rp_truth_ground_sum(self, agent);
    if (complaint == NULL) {
        agent->found_x_m = agent->x_m;
        agent->found_y_m = agent->y_m;
        agent->found_seq = of->answer.path_seq;
        agent->found_ground = sum;
    } else if (agent->found_seq == of->answer.path_seq && agent->found_ground == sum &&
               place == rp_witness_place(self, ground, agent->found_x_m, agent->found_y_m)) {
        complaint = judge_followed(self, of, agent);
    }
    return complaint;
}

/// Of an agent that goes as near as it can. @return true when its goals are others now
static bool substitute_if_cut_off(rp_witness_t *self, const testimony_t *of)
{
    const uint32_t kind = of->agent->kind;
    if (!of->agent->aim.is_nearest) {
        return false;
    }
    rp_truth_flood(self, kind);
    if (self->oracles[kind]->cost[of->places[0]] != RP_ORACLE_NO_PATH) {
        return false;
    }
    rp_truth_substitute(self, kind, of->places[0]);
    return true;
}

/// Least cost from where a path begins, on ground and goals that were flooded: of several ways out
/// that are as short any might be taken.
/// @param has_ends  `endpoints` are those of the same ground
static uint64_t least_of(const rp_witness_t *self, const testimony_t *of, bool has_ends)
{
    const rp_oracle_t *oracle = self->oracles[of->agent->kind];
    uint64_t least = oracle->cost[of->places[0]];
    for (size_t i = 0; has_ends && i < self->end_count; i++) {
        const uint64_t cost = oracle->cost[self->endpoints[i]];
        least = cost < least ? cost : least;
    }
    return least;
}

/// It came before its optimum: legal now, and no promise beyond its bound.
static const char *judge_provisional(rp_witness_t *self, testimony_t *of)
{
    const rp_witness_agent_t *agent = of->agent;
    const rp_answer_t *answer = &of->answer;
    const rp_past_ground_t *ground = rp_witness_ground(self);
    const bool has_arrived =
        answer->outcome == RP_ANSWER_ARRIVED && answer->step_count + answer->way_count == 0;
    const bool is_whole = answer->outcome == RP_ANSWER_FOUND || has_arrived;
    if (!is_whole && answer->outcome != RP_ANSWER_PARTIAL) {
        return rp_witness_complain(self, "outcome before the optimum", answer->outcome,
                                   RP_ANSWER_FOUND);
    }
    if (!rp_truth_goals(self, agent, ground, answer->waypoint)) {
        return "a path to a target that is lost";
    }
    if (answer->goal_id != agent->aim.goal_id) {
        return rp_witness_complain(self, "goal_id before the optimum", (double)answer->goal_id,
                                   (double)agent->aim.goal_id);
    }
    (void)rp_truth_oracle(self, agent->kind, self->past_count);
    if (!walk(self->oracles[agent->kind], of)) {
        return "the path has an illegal step before the optimum";
    }
    const beginning_t from = beginning_of(self, of);
    const bool is_stuck = self->oracles[agent->kind]->factors[from.place] == 0;
    if (is_stuck) {
        rp_truth_flood(self, agent->kind);
        rp_truth_escape(self, agent, ground, from.place, from.x, from.y);
        const char *complaint = judge_way(self, of);
        if (complaint != NULL) {
            return complaint;
        }
    } else if (of->places[0] != from.place || answer->way_count != 0) {
        return rp_witness_complain(self, "start before the optimum", of->places[0], from.place);
    }
    const bool is_short = substitute_if_cut_off(self, of);
    if (is_whole && !rp_truth_is_goal(self, of->places[of->count - 1u])) {
        return "the path ends at no goal before the optimum";
    }
    if (is_short && is_whole) {
        (void)rp_truth_goals(self, agent, ground, answer->waypoint);
        const double left = left_m(self, of);
        return fabs(answer->goal_distance_m - left) > 1e-6
                   ? rp_witness_complain(self, "goal_distance_m before the optimum",
                                         answer->goal_distance_m, left)
                   : NULL;
    }
    const rp_past_ground_t *then = &self->past[answer->version - 1u];
    if (then->width != ground->width || then->height != ground->height ||
        then->origin_x_m != ground->origin_x_m || then->origin_y_m != ground->origin_y_m) {
        return "a path of another window";
    }
    rp_oracle_t *oracle = rp_truth_oracle(self, agent->kind, answer->version);
    if (oracle->factors[of->places[0]] == 0) {
        return "it began at a blocked cell";
    }
    rp_truth_flood(self, agent->kind);
    uint64_t cheapest = least_of(self, of, is_stuck && answer->version == self->past_count);
    if (is_short) { // on the ground that the answer names its goals may not have been cut off
        (void)rp_truth_goals(self, agent, ground, answer->waypoint);
        (void)substitute_if_cut_off(self, of);
        const uint64_t then_cheapest = least_of(self, of, false);
        cheapest = then_cheapest > cheapest ? then_cheapest : cheapest;
    }
    const double length = (double)rp_oracle_offset(oracle, 1);
    if (cheapest != RP_ORACLE_NO_PATH && answer->bound * length > (double)cheapest * (1.0 + SAME)) {
        return rp_witness_complain(self, "bound before the optimum", answer->bound,
                                   (double)cheapest / length);
    }
    if (!walk(oracle, of)) {
        return "illegal at the version that it names";
    }
    if (is_whole) {
        add_offset(self, oracle, of);
    }
    return fabs(answer->cost - of->lengths) > 1e-9 * of->lengths
               ? rp_witness_complain(self, "cost before the optimum", answer->cost, of->lengths)
               : NULL;
}

void rp_witness_note(rp_witness_t *self, uint32_t agent)
{
    rp_witness_agent_t *noted = &self->agents[agent];
    if (!rp_engine_session(self->engine, noted->id)->validity.state) {
        noted->true_until = self->past_count;
    }
}

/// A hash of all that the judgement of an agent depends on, but the clock.
static uint64_t key_of(const rp_witness_t *self, const rp_witness_agent_t *agent,
                       const rp_session_t *session)
{
    const rp_witness_agent_t *target =
        agent->target != RP_NOBODY ? &self->agents[agent->target] : NULL;
    const uint64_t parts[] = {self->past_count,
                              session->published.path_seq,
                              rp_session_is_unsure(session),
                              session->published.is_provisional ? session->published.stands_for : 0,
                              session->validity.version,
                              session->published.path.at,
                              session->goal.spec.next,
                              (uint64_t)(1e6 * session->published.cost),
                              (uint64_t)(1e6 * session->published.excess),
                              agent->pose_seq,
                              agent->aim.goal_id,
                              target != NULL ? target->pose_seq + target->id : 0};
    uint64_t key = agent->id;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        key = (key ^ parts[i]) * 0x9e3779b97f4a7c15u;
        key ^= key >> 29;
    }
    return key;
}

const char *rp_witness_judge(rp_witness_t *self, uint32_t agent, bool is_at_rest)
{
    static testimony_t of;
    rp_witness_agent_t *judged = &self->agents[agent];
    const rp_session_t *session = rp_engine_session(self->engine, judged->id);
    const uint64_t key = key_of(self, judged, session);
    if (key == judged->judged && (!is_at_rest || judged->policy.switch_gain_percent == 0)) {
        return NULL;
    }
    judged->judged = key;
    of.agent = judged;
    of.session = session;
    ck_assert_int_eq(rp_engine_answer(self->engine, judged->id, &of.answer), RP_OK);
    self->judged++;
    const bool is_whole = // the bound of a part is that of the whole
        of.answer.outcome == RP_ANSWER_FOUND || of.answer.outcome == RP_ANSWER_ARRIVED;
    if (!(of.answer.bound >= 0.0 && (!is_whole || of.answer.bound <= of.answer.cost))) {
        return rp_witness_complain(self, "bound of any answer", of.answer.bound, of.answer.cost);
    }
    if (!rp_session_is_unsure(of.session)) {
        judged->waypoint = of.answer.waypoint;
        return judge_answer(self, &of, judged);
    }
    if (of.session->validity.sure_until > judged->true_until) {
        return rp_witness_complain(self, "true until", (double)of.session->validity.sure_until,
                                   (double)judged->true_until);
    }
    if (!rp_engine_is_sure(self->engine, judged->id)) {
        return NULL;
    }
    self->provisional++;
    return judge_provisional(self, &of);
}
