/// First the answer is held against the references as if it had been made now; only then it is
/// asked whether it may be one that is kept.
#include "tests/engine/paths/escape_judge.h"

#include <check.h>
#include <math.h>
#include <stdio.h>

// ---- the judge

static bool has_path(const rp_answer_t *answer)
{
    return answer->outcome == RP_ANSWER_FOUND || answer->outcome == RP_ANSWER_ARRIVED;
}

static const char *judge_outcome(const rp_answer_t *answer, const rp_escape_decision_t *truth)
{
    const bool has_arrived = answer->outcome == RP_ANSWER_ARRIVED;
    if ((has_arrived ? RP_ANSWER_FOUND : answer->outcome) != truth->outcome) {
        return "the outcome is wrong";
    }
    const bool should_arrive =
        truth->outcome == RP_ANSWER_FOUND && !truth->is_blocked && answer->step_count == 0;
    return has_arrived == should_arrive ? NULL : "it has arrived, or it has not";
}

/// An answer that was made for the newest pose.
static const char *judge(const rp_escape_story_t *self, const rp_escape_agent_t *agent,
                         const rp_answer_t *answer, const rp_escape_decision_t *truth)
{
    const uint32_t way_start = answer->way_y * self->seen.width + answer->way_x;
    const uint32_t start = answer->start_y * self->seen.width + answer->start_x;
    const char *complaint = judge_outcome(answer, truth);
    if (complaint == NULL) {
        complaint = rp_escape_judge_way(&self->seen, &agent->question, truth, way_start,
                                        answer->way, answer->way_count);
    }
    if (complaint == NULL && fabs(answer->escape_m - truth->way_m) > 1e-9) {
        complaint = "escape_m is not the length of the way";
    }
    if (complaint == NULL) {
        complaint = rp_escape_judge_path(&self->seen, &agent->question, truth, start, answer->steps,
                                         answer->step_count, answer->cost);
    }
    if (complaint == NULL && truth->outcome == RP_ANSWER_FOUND &&
        (answer->bound > answer->cost || answer->bound < answer->cost * (1.0 - 4e-6))) {
        complaint = "the bound is not the cost";
    }
    if (complaint == NULL && fabs(answer->goal_distance_m -
                                  truth->goal_distance * self->seen.frame.resolution_m) > 1e-9) {
        complaint = "goal_distance_m is wrong";
    }
    return complaint;
}

/// The question of an agent, as if it stood in the middle of a cell.
static rp_escape_agent_t standing_in(const rp_escape_story_t *self, const rp_escape_agent_t *agent,
                                     uint32_t x, uint32_t y)
{
    rp_escape_agent_t there = *agent;
    const double metre = self->seen.frame.resolution_m;
    rp_escape_story_place(self, (x + 0.5) * metre, (y + 0.5) * metre, &there.question.x_m,
                          &there.question.y_m);
    return there;
}

/// An agent beside its line goes on from the line.
static const char *judge_beside(const rp_escape_story_t *self, const rp_escape_agent_t *agent,
                                const rp_answer_t *answer)
{
    const bool has_way = answer->way_count != 0;
    const rp_escape_agent_t there =
        standing_in(self, agent, has_way ? answer->way_x : answer->start_x,
                    has_way ? answer->way_y : answer->start_y);
    const double off_m =
        hypot(there.question.x_m - agent->question.x_m, there.question.y_m - agent->question.y_m);
    rp_escape_decision_t truth;
    if (!self->seen.wraps && off_m > agent->follow_radius_m + self->seen.frame.resolution_m) {
        return "it begins far beside the agent";
    }
    rp_escape_resolve(&self->seen, &there.question, &truth);
    return judge(self, &there, answer, &truth);
}

/// What is right of an answer that is kept: it was made for an older pose, and maybe an older
/// world. Its way is a way still, and its path the cheapest from where it starts.
static const char *judge_kept(const rp_escape_story_t *self, const rp_escape_agent_t *agent,
                              const rp_answer_t *answer)
{
    rp_escape_agent_t there = standing_in(self, agent, answer->start_x, answer->start_y);
    rp_escape_decision_t truth;
    rp_escape_resolve(&self->seen, &there.question, &truth);
    if (!has_path(answer) || truth.is_blocked) {
        return "it is kept though it leads nowhere";
    }
    if (answer->way_count != 0) {
        uint32_t end;
        truth.cell = answer->way_y * self->seen.width + answer->way_x;
        truth.is_blocked = true;
        (void)rp_escape_walk_way(&self->seen, &agent->question, truth.cell, answer->way,
                                 answer->way_count, &end, &truth.way);
        truth.way_m =
            (truth.way.straights + truth.way.diagonals * sqrt(2.0)) * self->seen.frame.resolution_m;
        there.question = agent->question;
    }
    return judge(self, &there, answer, &truth);
}

/// An answer that came before its optimum: legal, and it promises no more than it has.
static const char *judge_provisional(const rp_escape_story_t *self, const rp_escape_agent_t *agent,
                                     const rp_answer_t *answer, const rp_escape_decision_t *truth)
{
    const uint32_t way_start = answer->way_y * self->seen.width + answer->way_x;
    const uint32_t start = answer->start_y * self->seen.width + answer->start_x;
    uint32_t end = start;
    uint64_t whole;
    double cost;
    rp_escape_length_t way;
    const char *complaint = NULL;
    if (!has_path(answer) && answer->outcome != RP_ANSWER_PARTIAL) {
        return "before the optimum it is said that there is none";
    }
    if (answer->way_count != 0) {
        complaint = rp_escape_walk_way(&self->seen, &agent->question, way_start, answer->way,
                                       answer->way_count, &end, &way);
    }
    if (complaint != NULL || end != start) {
        return complaint != NULL ? complaint : "the way leads elsewhere than the path starts";
    }
    complaint = rp_escape_walk_path(&self->seen, start, answer->steps, answer->step_count, &end,
                                    &whole, &cost);
    const bool is_kept = answer->path_seq == agent->judged_seq && !agent->must_leave;
    if (complaint == NULL && !agent->may_be_beside && !is_kept &&
        truth->cell != (answer->way_count != 0 ? way_start : start)) {
        complaint = "before the optimum it begins beside the agent";
    }
    return complaint;
}

static const char *judge_agent(const rp_escape_story_t *self, const rp_escape_agent_t *agent,
                               const rp_answer_t *answer, rp_escape_decision_t *truth)
{
    const bool is_kept = answer->path_seq == agent->judged_seq;
    rp_escape_resolve(&self->seen, &agent->question, truth);
    if (agent->must_keep && !is_kept && answer->outcome != RP_ANSWER_ARRIVED) {
        return "the pose follows, and was answered";
    }
    const char *complaint = judge(self, agent, answer, truth);
    if (complaint != NULL && agent->may_be_beside && judge_beside(self, agent, answer) == NULL) {
        return NULL;
    }
    if (complaint != NULL && is_kept && !agent->must_leave) {
        complaint = judge_kept(self, agent, answer);
    }
    const bool is_early =
        agent->is_hastened || (!self->is_at_rest && answer->bound < answer->cost * (1.0 - 4e-6));
    return complaint != NULL && is_early ? judge_provisional(self, agent, answer, truth)
                                         : complaint;
}

// ---- what is said when an answer is wrong

static void draw_row(const rp_escape_story_t *self, char *row, uint32_t y,
                     const rp_escape_agent_t *agent, const rp_escape_decision_t *truth)
{
    for (uint32_t x = 0; x < self->seen.width; x++) {
        const uint32_t cell = y * self->seen.width + x;
        row[x] = self->seen.is_obstacle[cell] ? '#' : self->seen.factors[cell] == 0 ? '+' : '.';
        for (size_t i = 0; i < agent->question.goal_count; i++) {
            if (agent->question.goals[i].cell == cell) {
                row[x] = self->seen.factors[cell] != 0 ? 'G' : 'g';
            }
        }
        if (truth->cell == cell) {
            row[x] = self->seen.is_obstacle[cell] ? 'X' : self->seen.factors[cell] == 0 ? 'S' : 'A';
        }
    }
    row[self->seen.width] = '\n';
    row[self->seen.width + 1u] = '\0';
}

static void print_scene(const rp_escape_story_t *self, const rp_escape_agent_t *agent,
                        const rp_escape_decision_t *truth)
{
    char row[RP_ESCAPE_CELLS_MAX + 2u];
    double at[2];
    (void)rp_escape_cell(&self->seen, agent->question.x_m, agent->question.y_m, at);
    for (uint32_t y = 0; y < self->seen.height; y++) {
        draw_row(self, row, y, agent, truth);
        (void)fputs(row, stderr);
    }
    (void)fprintf(stderr,
                  "%u neighbours%s, pose at (%.9g, %.9g) cells, escape_m %.9g cells%s\n"
                  "truth: outcome %d, end (%u, %u), way %u + %u diagonals, cost %.9g\n",
                  self->seen.neighbors, self->seen.wraps ? ", wraps" : "", at[0], at[1],
                  agent->question.escape_m / self->seen.frame.resolution_m,
                  agent->question.is_nearest ? ", nearest" : "", truth->outcome,
                  truth->end % self->seen.width, truth->end / self->seen.width,
                  truth->way.straights, truth->way.diagonals, truth->cost);
}

static void print_steps(const char *what, const uint8_t *steps, size_t count)
{
    (void)fprintf(stderr, ", %s ", what);
    for (size_t i = 0; i < count; i++) {
        (void)fprintf(stderr, "%u", steps[i]);
    }
}

static void print_answer(const rp_escape_story_t *self, const rp_answer_t *answer)
{
    (void)fprintf(stderr, "said: outcome %d, start (%u, %u), escape_m %.9g cells, cost %.9g",
                  answer->outcome, answer->start_x, answer->start_y,
                  answer->escape_m / self->seen.frame.resolution_m, answer->cost);
    print_steps("way", answer->way, answer->way_count);
    print_steps("steps", answer->steps, answer->step_count);
    (void)fputs("\n", stderr);
}

void rp_escape_judge(const rp_escape_story_t *self, const rp_escape_agent_t *agent,
                     const rp_answer_t *answer)
{
    rp_escape_decision_t truth;
    const char *complaint = judge_agent(self, agent, answer, &truth);
    if (complaint != NULL) {
        print_scene(self, agent, &truth);
        print_answer(self, answer);
        ck_abort_msg("seed %llu, event %u, session %u: %s", (unsigned long long)self->seed,
                     self->event, rp_id_place(agent->session), complaint);
    }
}
