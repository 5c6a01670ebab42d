/// @file
/// Laws of a scenario: figures that a run must reach, besides that every answer is right.
#ifndef REPLAN_SIM_LAWS_H
#define REPLAN_SIM_LAWS_H

#include <stdbool.h>
#include <stddef.h>

#define RP_LAWS_MAX 12u

typedef struct rp_law {
    const char *what; ///< what is counted or measured; borrowed
    double is;
    double least;
    double most;
} rp_law_t;

typedef struct rp_laws {
    rp_law_t items[RP_LAWS_MAX];
    size_t count;
} rp_laws_t;

/// It must lie in least..most.
void rp_laws_add(rp_laws_t *self, const char *what, double is, double least, double most);

bool rp_law_holds(const rp_law_t *law);
bool rp_laws_hold(const rp_laws_t *self);

#endif
