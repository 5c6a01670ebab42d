/// @file
/// A trial: one planner and the oracle side by side in the same world. What is done to the one is
/// done to the other, and each plan is judged: outcome, legality, optimality, published cost.
#ifndef REPLAN_TESTS_TRIAL_H
#define REPLAN_TESTS_TRIAL_H

#include "planners/papers/papers.h"
#include "replan/planner.h"
#include "tests/support/oracle.h"
#include "tests/support/script.h"

/// Goals of a trial at most.
#define RP_TRIAL_GOALS_MAX 8u

/// No search of a trial is that long: a planner that passes it does not come to an end.
#define RP_TRIAL_BUDGET 50000000u

typedef struct rp_trial {
    rp_planner_t *planner;
    rp_grid_t *grid;
    rp_oracle_t *oracle;
    uint32_t *place_of;   ///< by cell of the grid; RP_ORACLE_NO_PLACE on the rim
    uint32_t *places;     ///< room for a path [width * height]
    rp_change_t *untold;  ///< written into the grid; the planner has not heard of them
    uint32_t *written_in; ///< number of the batch that wrote a place last [width * height]
    uint32_t batch;
    uint32_t untold_count;
    uint32_t start; ///< a place, as the goals
    rp_oracle_goal_t goals[RP_TRIAL_GOALS_MAX];
    size_t goal_count;
    rp_script_t script;
    rp_plan_t plan; ///< of the last call that came to an end
    char complaint[160];
} rp_trial_t;

/// A planner that is bound to nothing yet. @return what rp_papers_new() said
rp_status_t rp_trial_init(rp_trial_t *self, const char *id, const rp_member_options_t *options);
void rp_trial_fini(rp_trial_t *self);

/// A fresh world of normal ground, and the same planner bound to it. @return the status of the bind
rp_status_t rp_trial_bind(rp_trial_t *self, const rp_grid_shape_t *shape);

/// Both, for a world whose unit is 1; the test fails when the planner cannot plan in it.
void rp_trial_open(rp_trial_t *self, const char *id, uint32_t width, uint32_t height,
                   uint8_t neighbors);

/// Write one cell of the world; the planner hears of it by rp_trial_tell() or before the next plan.
/// A cell that is written twice before that is told in between: the contract wants it once a batch.
void rp_trial_set(rp_trial_t *self, uint32_t x, uint32_t y, uint8_t factor);
void rp_trial_set_cell(rp_trial_t *self, rp_cell_t cell, uint8_t factor);
void rp_trial_tell(rp_trial_t *self);

uint8_t rp_trial_factor(const rp_trial_t *self, uint32_t x, uint32_t y);

void rp_trial_set_start(rp_trial_t *self, uint32_t x, uint32_t y);
void rp_trial_set_goal(rp_trial_t *self, uint32_t x, uint32_t y);

/// The start takes a step along the path of the last plan. @return false when it is at its end
bool rp_trial_walk(rp_trial_t *self);

/// Several goals, each with a place y * width + x. @return what the planner said; on a refusal the
/// goals are as before
rp_status_t rp_trial_set_goals(rp_trial_t *self, const rp_oracle_goal_t *goals, size_t count);

/// One slice. @return RP_OK or RP_MORE; `plan` is written with RP_OK
rp_status_t rp_trial_slice(rp_trial_t *self, uint64_t budget);

/// Hold the last plan against the oracle. @return NULL when it is right, else a sentence
const char *rp_trial_judge(rp_trial_t *self);

/// Tell, plan to the end in slices of `budget`, and judge. @return as rp_trial_judge()
const char *rp_trial_plan(rp_trial_t *self, uint64_t budget);

/// Plan to the end; the test fails with what rp_trial_plan() complains of.
void rp_trial_expect_plan(rp_trial_t *self);

/// The same; the test fails when the planner started over, too. @return the expansions
uint64_t rp_trial_expect_repair(rp_trial_t *self);

/// Give the planner all the idle time that it wants. @return what it took, in expansions
uint64_t rp_trial_idle(rp_trial_t *self);

#endif
