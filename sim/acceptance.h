/// @file
/// Laws of a scenario: figures that a run must reach, besides that every answer is right.
#ifndef REPLAN_SIM_ACCEPTANCE_H
#define REPLAN_SIM_ACCEPTANCE_H

#include <stdbool.h>
#include <stddef.h>

#define RP_LAWS_MAX 12u

typedef struct rp_criterion {
    const char *what; ///< what is counted or measured; borrowed
    double is;
    double least;
    double most;
} rp_criterion_t;

typedef struct rp_acceptance {
    rp_criterion_t items[RP_LAWS_MAX];
    size_t count;
} rp_acceptance_t;

/// It must lie in least..most.
void rp_acceptance_add(rp_acceptance_t *self, const char *what, double is, double least,
                       double most);

bool rp_criterion_holds(const rp_criterion_t *criterion);
bool rp_acceptance_hold(const rp_acceptance_t *self);

#endif
