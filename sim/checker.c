/// The checker. Costs are compared as doubles: the daemon counts in integers with 408 : 577 for
/// 1 : sqrt 2, which orders all paths of fewer than 408 diagonals rightly and is off by 1.5e-6 of
/// the cost beyond; so that much is forgiven, and any real detour is dearer than that.
#include "sim/checker.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

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

// ---- what an answer claims

/// Walk the path by the rules.
static bool is_legal(const rp_plane_t *plane, const Replan__V1__Answer *answer,
                     rp_question_t question, complaint_t *complaint)
{
    if (answer->start != question.start) {
        return complain(complaint, "starts in cell %" PRIu32 ", the agent was in %" PRIu32,
                        answer->start, question.start);
    }
    if (rp_plane_factor(plane, answer->start) == 0) {
        return complain(complaint, "starts in blocked cell %" PRIu32, answer->start);
    }
    uint32_t cell = answer->start;
    double cost = 0;
    for (size_t i = 0; i < answer->steps.len; i++) {
        const unsigned direction = answer->steps.data[i];
        const uint32_t to = rp_plane_move(plane, cell, direction);
        if (to == RP_NOWHERE) {
            return complain(complaint, "step %zu, direction %u from cell %" PRIu32 ", is illegal",
                            i, direction, cell);
        }
        cost += rp_plane_move_cost(plane, cell, to, direction);
        cell = to;
    }
    if (cell != question.goal) {
        return complain(complaint, "ends in cell %" PRIu32 ", the goal is %" PRIu32, cell,
                        question.goal);
    }
    if (!is_same(cost, answer->cost)) {
        return complain(complaint, "says cost %.9g, its steps sum to %.9g", answer->cost, cost);
    }
    return true;
}

static bool holds_true(const rp_plane_t *plane, const Replan__V1__Answer *answer,
                       rp_question_t question, complaint_t *complaint)
{
    switch (answer->outcome) {
    case REPLAN__V1__OUTCOME__FOUND:
    case REPLAN__V1__OUTCOME__ARRIVED:
        return is_legal(plane, answer, question, complaint);
    case REPLAN__V1__OUTCOME__NO_PATH:
        return true; // only a search can tell
    case REPLAN__V1__OUTCOME__START_BLOCKED:
        return rp_plane_factor(plane, question.start) == 0 ||
               complain(complaint, "says the start is blocked, it is free");
    case REPLAN__V1__OUTCOME__GOAL_BLOCKED:
        return rp_plane_factor(plane, question.goal) == 0 ||
               complain(complaint, "says the goal is blocked, it is free");
    default:
        return complain(complaint, "has outcome %d, which this world has no cause for",
                        (int)answer->outcome);
    }
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

// ---- optima

/// An answer that is not marked optimal owes a bound that holds.
static bool pay(rp_checker_t *self, const rp_plane_t *plane, const rp_debt_t *debt)
{
    const double optimum =
        rp_dijkstra_cost(self->dijkstra, plane, debt->question.start, debt->question.goal);
    complaint_t complaint;
    self->optima++;
    if (is_same(debt->claim, optimum) || (debt->is_bound && debt->claim < optimum)) {
        return true;
    }
    complain(&complaint, "says %s %.9g, the optimum is %.9g",
             debt->is_bound ? "at least" : "optimum", debt->claim, optimum);
    return blame(self, debt->agent, debt->path_seq, debt->version, &complaint);
}

static rp_debt_t debt_of(const Replan__V1__Answer *answer, rp_question_t question)
{
    rp_debt_t debt = {.epoch = answer->epoch,
                      .version = answer->version,
                      .path_seq = answer->path_seq,
                      .question = question,
                      .claim = answer->cost};
    snprintf(debt.agent, sizeof debt.agent, "%.32s", answer->agent);
    if (answer->outcome == REPLAN__V1__OUTCOME__NO_PATH) {
        debt.claim = INFINITY;
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

bool rp_checker_settle(rp_checker_t *self, const rp_plane_t *plane)
{
    const rp_debt_t debt = *rp_checker_debt(self);
    self->debt_first++;
    if (plane == NULL) {
        self->skipped++;
        return true;
    }
    return pay(self, plane, &debt);
}

// ---- operations

bool rp_checker_take(rp_checker_t *self, const rp_plane_t *plane, const Replan__V1__Answer *answer,
                     rp_question_t question)
{
    complaint_t complaint;
    self->checked++;
    if (!holds_true(plane, answer, question, &complaint)) {
        return blame(self, answer->agent, answer->path_seq, answer->version, &complaint);
    }
    if (answer->outcome == REPLAN__V1__OUTCOME__START_BLOCKED ||
        answer->outcome == REPLAN__V1__OUTCOME__GOAL_BLOCKED ||
        !rp_dice_chance(&self->dice, self->rate)) {
        return true;
    }
    const rp_debt_t debt = debt_of(answer, question);
    if (self->debt_end - self->debt_first == RP_CHECKER_DEBTS) {
        return pay(self, plane, &debt);
    }
    self->debts[self->debt_end++ % RP_CHECKER_DEBTS] = debt;
    return true;
}

void rp_checker_skip(rp_checker_t *self)
{
    self->skipped++;
}

bool rp_checker_is_content(const rp_checker_t *self)
{
    const uint64_t seen = self->checked + self->skipped;
    return self->violations == 0 && self->checked > 0 && self->skipped * 100 <= seen;
}

// ---- birth and death

bool rp_checker_init(rp_checker_t *self, size_t cell_count, double rate, rp_dice_t dice)
{
    *self = (rp_checker_t){.rate = rate, .dice = dice};
    self->dijkstra = rp_dijkstra_new(cell_count);
    return self->dijkstra != NULL;
}

void rp_checker_fini(rp_checker_t *self)
{
    rp_dijkstra_destroy(&self->dijkstra);
}
