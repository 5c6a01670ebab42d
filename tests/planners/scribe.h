/// @file
/// A member that searches nothing and notes what it is told, alone in a registry of its own: what
/// the shared part tells a member, and when, is seen by it. (The library's registry is left out by
/// the linker, as its one function stands here.)
#ifndef REPLAN_TESTS_SCRIBE_H
#define REPLAN_TESTS_SCRIBE_H

#include "planners/core/registry.h"

#define RP_SCRIBE_CHANGES 2048u

/// One for the program, as a member's slots have no other way out.
typedef struct rp_scribe {
    rp_planner_t *planner;
    rp_grid_t *grid;
    rp_plan_t plan; ///< the last

    // What the member was told.
    int binds;
    int unbinds;
    int begins;
    int updates;
    int searches;
    int stands;                 ///< times it was asked whether the answer stands
    rp_batch_summary_t summary; ///< what it was told then
    int shows;                  ///< times it was told what is shown
    rp_path_t shown;            ///< the last; borrowed from the planner
    bool state_was_zeroed;
    bool with_64_bits;
    rp_update_t update; ///< the last; its arrays are copied here
    rp_change_t changes[RP_SCRIBE_CHANGES];
    rp_cell_t start;
    rp_goal_t goals[8];
    size_t goal_count;

    // What it says.
    bool stands_says;
    bool is_short; ///< binding finds no memory
    bool update_says;
    bool check_says;
    uint64_t expansions_left; ///< of each search
} rp_scribe_t;

extern rp_scribe_t rp_scribe;

/// A world, both ends set beside each other in its first row, nothing planned yet.
/// @param check_every  as in rp_planner_options_t
void rp_scribe_arrange(uint32_t check_every, const char *world);

void rp_scribe_tear_down(void);

void rp_scribe_set_start(uint32_t x, uint32_t y);
void rp_scribe_set_goal(uint32_t x, uint32_t y);

/// Write a cell and tell the planner.
void rp_scribe_write(uint32_t x, uint32_t y, uint8_t factor);

/// Plan to the end.
void rp_scribe_plan_for(rp_outcome_t outcome);

#endif
