/// @file
/// A planner: one search algorithm bound to one grid, one start and one set of goals, that keeps a
/// cheapest path true while any of them change.
///
///     bind -> start, goals -> plan(budget) ... RP_MORE ... plan(budget) -> result
///             apply(changes) / start / goals  ->  plan(budget) -> result
///
/// Every planner gives the optimal cost after any sequence of changes and moves: natively where its
/// capabilities say so, else by starting over, which its statistics count. Not for two threads at
/// once. No call reads a clock or does I/O; a plan allocates nothing.
#ifndef REPLAN_PLANNER_H
#define REPLAN_PLANNER_H

#include "replan/grid.h"
#include "replan/path.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rp_planner rp_planner_t;

/// What a planner does without starting over, and what it can do at all. A missing "native" bit
/// costs time, never exactness; a missing "can" bit is a refusal (RP_E_UNSUPPORTED).
enum rp_capability {
    RP_NATIVE_DEARER = 1u << 0,  ///< cells became blocked or dearer
    RP_NATIVE_CHEAPER = 1u << 1, ///< cells became free or cheaper
    RP_NATIVE_START = 1u << 2,   ///< the start moved
    RP_NATIVE_GOAL = 1u << 3,    ///< the goal moved
    RP_NATIVE_NO_PATH = 1u << 4, ///< keeps what it knows through a time without a path
    RP_CAN_GOAL_SET = 1u << 5,   ///< several goals with offsets
    RP_CAN_4 = 1u << 6,          ///< 4 neighbours
    RP_CAN_8 = 1u << 7,          ///< 8 neighbours without corner cutting
    RP_CAN_WEIGHTED = 1u << 8,   ///< factors other than the unit
    RP_CAN_WRAP = 1u << 9,       ///< wrapped worlds
    RP_CAN_OPEN_BUCKETS = 1u << 10,
    RP_CAN_OPEN_HOT = 1u << 11,
    RP_CAN_VARIANTS = 1u << 12, ///< fast expansion variants 1 and 2
    RP_CAN_RESTORE = 1u << 13,  ///< a choice of how OPEN is put back
    RP_KNOWS_COST = 1u << 14,   ///< what the answer costs is known before its path is written
    RP_CAN_IDLE = 1u << 15,     ///< knows what to do in idle time
};
#define RP_NATIVE_CHANGES (RP_NATIVE_DEARER | RP_NATIVE_CHEAPER)
#define RP_CAN_EVERY_GRID (RP_CAN_4 | RP_CAN_8 | RP_CAN_WEIGHTED | RP_CAN_WRAP)

/// Which structure holds OPEN.
typedef enum rp_open {
    RP_OPEN_HEAP,
    RP_OPEN_BUCKETS,
    RP_OPEN_HOT,
} rp_open_t;

/// How a planner that keeps the beginning of its last search puts OPEN back as it stood there.
typedef enum rp_restore {
    RP_RESTORE_AUTO, ///< the planner's choice
    RP_RESTORE_WALK, ///< round the outside of the closed cells; where that is not exact, as LOG
    RP_RESTORE_LOG,  ///< from what it wrote down while it searched
} rp_restore_t;

typedef struct rp_planner_options {
    rp_open_t open;  ///< default heap
    uint8_t variant; ///< fast expansion variant of "Generalized Adaptive A*" section 4: 0, 1, 2
    rp_restore_t restore;
    uint32_t check_every; ///< paranoid: each so manieth plan is held against a search of another
                          ///< kind, which takes the time of one from scratch; 0: none is
} rp_planner_options_t;

/// What is known of a planner without making one. All text in static storage.
typedef struct rp_planner_info {
    const char *id;
    const char *paper;       ///< where it comes from
    const char *guarantee;   ///< "optimal"
    uint32_t capabilities;   ///< of enum rp_capability
    uint32_t bytes_per_cell; ///< search state with OPEN empty, 32-bit costs
} rp_planner_info_t;

typedef enum rp_outcome {
    RP_OUTCOME_FOUND,
    RP_OUTCOME_NO_PATH,
    RP_OUTCOME_START_BLOCKED, ///< the start cell blocks: nothing was searched
    RP_OUTCOME_GOAL_BLOCKED,  ///< every goal cell blocks: nothing was searched
} rp_outcome_t;

/// "found", "no_path", "start_blocked", "goal_blocked": the words of the wire and of --json.
const char *rp_outcome_text(rp_outcome_t outcome);

/// What one plan did, from the first slice to the last. The goal counts as expanded when it is
/// taken from OPEN. Iterations and visits are the rows of "Fringe Search" tables 1 and 2: `astar`,
/// `fringe` and `me-ida` fill them all, other planners those that their search has, else 0.
typedef struct rp_plan_stats {
    uint64_t expanded;      ///< cells taken from OPEN, or expanded without it (variants)
    uint64_t expanded_fast; ///< of these, without a queue operation (variants 1 and 2; what floods
                            ///< took that lead a search)
    uint64_t generated;     ///< cells put into OPEN or moved in it
    uint64_t iterations;    ///< different values of f (of the limit on f) worked through
    uint64_t visited;       ///< cells looked at to see whether to expand them; each time counts
    uint64_t visited_last;  ///< of these, in the last iteration
    uint64_t expanded_last; ///< of `expanded`, in the last iteration
    uint32_t restarts;      ///< times the planner started over, the first search not counted
    uint32_t checked;       ///< 1: it was held against an independent search (`check_every`)
    uint32_t differed;      ///< 1: and was not the best: this one is, from starting over
    uint64_t bytes;         ///< resident search state at its largest so far, the grid not counted
    const char *planner;    ///< who searched: for `auto` the member that it chose; static text
    const char *why;        ///< why that one, in a few words; empty when there was no choice
} rp_plan_stats_t;

/// @param cost  in cell lengths on normal ground, summed along the path; the goal's offset
/// included.
///              Infinite without a path.
/// @param units  the same as the planner counts, for rp_planner_keeps(); 0 without RP_KNOWS_COST
typedef struct rp_plan {
    rp_outcome_t outcome;
    double cost;
    uint64_t units;
    rp_path_t path; ///< borrowed until the next call on this planner
    rp_plan_stats_t stats;
} rp_plan_t;

/// The planners, in the order of the registry. @return NULL beyond the last
const rp_planner_info_t *rp_planner_info(size_t index);

/// @return NULL when no planner has this id
const rp_planner_info_t *rp_planner_find(const char *id);

/// @param options  borrowed; NULL for the defaults
/// @return RP_E_UNKNOWN (no such id), RP_E_UNSUPPORTED (options), RP_E_MEMORY
rp_status_t rp_planner_new(const char *id, const rp_planner_options_t *options,
                           rp_planner_t **planner);
void rp_planner_destroy(rp_planner_t **self);

const rp_planner_info_t *rp_planner_about(const rp_planner_t *self);

/// Search on this grid from now on; what was known of another is dropped, start and goals too.
/// @param grid  borrowed until the next bind or destroy
/// @return RP_E_UNSUPPORTED when the capabilities do not cover the grid, RP_E_MEMORY (then the
///         planner is bound to nothing). Time: O(1) but for fresh memory.
rp_status_t rp_planner_bind(rp_planner_t *self, const rp_grid_t *grid);

/// @return RP_E_INVALID when the cell is not of the grid; nothing changes then. A blocked start is
///         legal and makes an outcome.
rp_status_t rp_planner_set_start(rp_planner_t *self, rp_cell_t start);

/// @param goals  borrowed until return [count, 1..RP_GOALS_MAX]; no cell twice
/// @return RP_E_INVALID, or RP_E_UNSUPPORTED (several goals, or an offset, without RP_CAN_GOAL_SET)
rp_status_t rp_planner_set_goals(rp_planner_t *self, const rp_goal_t *goals, size_t count);
#define RP_GOALS_MAX 4096u

/// One goal with offset 0.
rp_status_t rp_planner_set_goal(rp_planner_t *self, rp_cell_t goal);

/// Tell the planner which cells of its grid were rewritten. The grid holds the new factors already;
/// every write must be told before the next plan.
/// @param changes  borrowed until return; each cell at most once; the array that rp_grid_write()
/// wrote
///                 from last is known, and must be as it left it [count]
/// @return RP_E_INVALID when a cell is not of the grid, RP_E_MEMORY (nothing is taken in then; bind
///         again). Time: O(count), and of a large batch what taking it in takes: it is told to the
///         search on the spot when nothing else was written. The search is repaired by the next
///         plan.
rp_status_t rp_planner_apply(rp_planner_t *self, const rp_change_t *changes, size_t count);

/// Forget what was searched: the next plan begins anew, and what was written to the grid before it
/// need not be told. For when that is too much to be worth taking in. Counts as a restart.
/// Time: O(1)
void rp_planner_start_over(rp_planner_t *self);

/// Bring the path up to date.
/// @param budget  expansions after which to stop; UINT64_MAX for no limit
/// @param plan    written when the result is there
/// @return RP_OK; RP_MORE when the budget was spent first: call again, changes may come between;
///         RP_E_INVALID without grid, start or goal; when the grid's costs were rescaled
///         RP_E_MEMORY, or RP_E_UNSUPPORTED without RP_CAN_WEIGHTED (bound to nothing then)
rp_status_t rp_planner_plan(rp_planner_t *self, uint64_t budget, rp_plan_t *plan);

/// Bring the path up to date for somebody who has one already: when that is as cheap as any, nobody
/// needs another, and none is written. Without RP_KNOWS_COST as rp_planner_plan().
/// @param walk  of a path from the start to a goal that is legal now
/// @param was_cheapest  this planner said that it was the cheapest, and had no restart since; it
///                      was so still before the calls of rp_planner_apply() since some plan, by
///                      whomever, and costs what it did; so it may take no search
/// @param plan  written as by rp_planner_plan(); without cells when the walk is as cheap as any
/// @return as rp_planner_plan()
rp_status_t rp_planner_confirm(rp_planner_t *self, const rp_walk_t *walk, bool was_cheapest,
                               uint64_t budget, rp_plan_t *plan);

/// Ask for somebody whose path this planner said was the cheapest, as with `was_cheapest` above,
/// without planning for them: the planner hears of what was told, and its start stays. Nothing on
/// the path became dearer; where something on it became cheaper it takes a plan.
/// @param from   where that path began when it was planned, or any cell on it before the agent
/// @param units  of the plan that began there
/// @return true when it is as cheap as any still; false when it takes rp_planner_confirm() to know,
///         always so without RP_KNOWS_COST. Time: what taking the changes in takes, once for all
///         who ask; then some tens of cells
bool rp_planner_keeps(rp_planner_t *self, rp_cell_t from, uint64_t units);

/// Use time that nobody else needs for what makes later plans cheaper. It changes no answer: the
/// plan at hand stands, its path stays borrowed, and later plans cost what they would have; only
/// which of several best paths those show may differ. There is nothing to do before the first plan,
/// after one that found no path, and from an event until the plan that takes it in; an event ends
/// what was begun. Nobody is bound to call this, and who wants the same paths from the same events
/// calls it with the same budgets, or never.
/// @param budget  expansions after which to stop; counted down
/// @return RP_OK when there is nothing more to do, RP_MORE when the budget was used up first
rp_status_t rp_planner_idle(rp_planner_t *self, uint64_t *budget);

/// What an expansion takes at the worst, of expansions on a grid of less than a million cells: for
/// whoever counts expansions in place of time. On a larger grid most of what it looks at comes from
/// memory; where that has not been met before, each page may take as long as a hundred expansions,
/// and a search that begins meets one with nearly every step.
/// @return from 1 on, as far as the plan under way has come
uint32_t rp_planner_price(const rp_planner_t *self);

/// Bytes of search state that were touched so far, path and pending changes included, the grid not.
uint64_t rp_planner_bytes(const rp_planner_t *self);

/// True when the invariants of the search hold; slow, for tests and debug builds.
bool rp_planner_check(const rp_planner_t *self);

#ifdef __cplusplus
}
#endif

#endif
