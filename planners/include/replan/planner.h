/// @file
/// A planner: one search algorithm bound to one grid, one start and one set of goals, that keeps a
/// cheapest path true while any of them change.
///
///     bind -> start, goals -> plan(budget) ... RP_MORE ... plan(budget) -> result
///             apply(changes) / start / goals  ->  plan(budget) -> result
///
/// Every planner gives the optimal cost after any sequence of changes and moves: natively where its
/// capabilities say so, else by starting over, which its statistics count. A planner is used by one
/// thread at a time. No call reads a clock or does I/O, and rp_planner_plan() allocates nothing,
/// nor does rp_planner_idle(); but `auto` gets the memory of a member when that begins first.
///
/// `self` is a planner of rp_planner_new(): that is not checked. Any other NULL is refused with
/// RP_E_INVALID and changes nothing, but where it is said what it means, and for an array of no
/// entries.
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
    RP_NATIVE_NO_PATH =
        1u << 4,               ///< there was no path: its search is kept and repaired all the same
    RP_CAN_GOAL_SET = 1u << 5, ///< several goals with offsets
    RP_CAN_4 = 1u << 6,        ///< 4 neighbours
    RP_CAN_8 = 1u << 7,        ///< 8 neighbours without corner cutting
    RP_CAN_WEIGHTED = 1u << 8, ///< factors other than the unit
    RP_CAN_WRAP = 1u << 9,     ///< wrapped worlds
    RP_CAN_OPEN_BUCKETS = 1u << 10,
    // Bits 11 to 13 say what a planner offers to compare it with papers: not for users.
    RP_KNOWS_COST = 1u << 14, ///< the cost of the answer is known before its path is written
    RP_CAN_IDLE = 1u << 15,   ///< rp_planner_idle() has something to do
};
#define RP_NATIVE_CHANGES (RP_NATIVE_DEARER | RP_NATIVE_CHEAPER)
#define RP_CAN_EVERY_GRID (RP_CAN_4 | RP_CAN_8 | RP_CAN_WEIGHTED | RP_CAN_WRAP)

/// Which structure holds OPEN.
typedef enum rp_open {
    RP_OPEN_HEAP,
    RP_OPEN_BUCKETS,
} rp_open_t;

typedef struct rp_planner_options {
    rp_open_t open;       ///< default heap
    uint32_t check_every; ///< check one plan in so many against an independent search, which takes
                          ///< as long as a search from scratch; 0: none
} rp_planner_options_t;

/// What is known of a planner before one is made. All text is in static storage.
typedef struct rp_planner_info {
    const char *id;
    const char *paper;       ///< authors and year, or "ours" and the idea
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

/// What one plan took, from its first slice to its last. The goal counts as expanded when it is
/// taken from OPEN.
typedef struct rp_plan_stats {
    uint64_t expanded;   ///< cells expanded, whether they went through OPEN or not
    uint64_t generated;  ///< cells put into OPEN or moved in it
    uint32_t restarts;   ///< times the planner started over; the first search does not count
    uint32_t checked;    ///< 1: this plan was checked by an independent search (`check_every`)
    uint32_t differed;   ///< 1: that search found a cheaper path, so the planner started over;
                         ///< what is said here is the result of that
    uint64_t bytes;      ///< most search state that was resident so far, without the grid
    const char *planner; ///< who searched; with `auto` the member that it chose; static text
    const char *why;     ///< why that member, in a few words; empty when there was no choice
} rp_plan_stats_t;

/// The result of a plan.
typedef struct rp_plan {
    rp_outcome_t outcome;
    double cost;    ///< in cell lengths on normal ground, summed along the path, with the offset of
                    ///< the goal where it ends; infinite without a path
    uint64_t units; ///< the same in the planner's whole numbers, for rp_planner_keeps(); 0 without
                    ///< RP_KNOWS_COST
    rp_path_t path; ///< borrowed until the next call on this planner
    rp_plan_stats_t stats;
} rp_plan_t;

/// The planners, in the order of the registry. @return NULL beyond the last
const rp_planner_info_t *rp_planner_info(size_t index);

/// @param id  NULL: no planner has it
/// @return NULL when no planner has this id
const rp_planner_info_t *rp_planner_find(const char *id);

/// @param options  borrowed; NULL for the defaults
/// @return RP_E_UNKNOWN (no such id), RP_E_UNSUPPORTED (options), RP_E_MEMORY
rp_status_t rp_planner_new(const char *id, const rp_planner_options_t *options,
                           rp_planner_t **planner);

/// Accepts NULL.
void rp_planner_destroy(rp_planner_t **self);

/// Which planner this is.
const rp_planner_info_t *rp_planner_about(const rp_planner_t *self);

/// Search on this grid from now on. What was known of another grid is dropped, with start and
/// goals.
/// @param grid  borrowed until the next bind or destroy
/// @return RP_E_UNSUPPORTED when the capabilities do not cover the grid, RP_E_MEMORY (then the
///         planner is bound to nothing). Time: O(1) but for fresh memory.
rp_status_t rp_planner_bind(rp_planner_t *self, const rp_grid_t *grid);

/// Plan from this cell. It may be blocked: the outcome says so then.
/// @return RP_E_INVALID when no grid is bound, or the cell is not inside it; nothing changes then
rp_status_t rp_planner_set_start(rp_planner_t *self, rp_cell_t start);

/// Plan to the cheapest of these goals. Blocked ones are left out.
/// @param goals  borrowed until return; no cell twice [count, 1..RP_GOALS_MAX]
/// @return RP_E_INVALID (no grid, the count, a cell outside), RP_E_UNSUPPORTED (several goals, or
/// an
///         offset, without RP_CAN_GOAL_SET), RP_E_MEMORY; nothing changes then
rp_status_t rp_planner_set_goals(rp_planner_t *self, const rp_goal_t *goals, size_t count);
#define RP_GOALS_MAX 4096u

/// rp_planner_set_goals() with one goal and no offset.
rp_status_t rp_planner_set_goal(rp_planner_t *self, rp_cell_t goal);

/// Tell the planner which cells of its grid were rewritten. The grid holds the new factors already.
/// Every write must be told before the next plan; that plan repairs the search.
/// @param changes  borrowed until return; each cell at most once. The array of the last call of
///                 rp_grid_write() is recognised by its address, and must be as that call left it
///                 [count]
/// @return RP_E_INVALID when a cell is not inside the grid, RP_E_MEMORY; nothing is taken in then,
///         so bind the planner again
/// Time: O(count). A large batch that is the only news may be taken in by the search at once.
rp_status_t rp_planner_apply(rp_planner_t *self, const rp_change_t *changes, size_t count);

/// Forget the search: the next plan begins anew, and what is written to the grid before it need not
/// be told. For changes so large that a new search is cheaper. Counts as a restart. Time: O(1)
void rp_planner_start_over(rp_planner_t *self);

/// Bring the path up to date.
/// @param budget  expansions after which to stop; UINT64_MAX for no limit
/// @param plan    written with RP_OK only
/// @return RP_OK; RP_MORE when the budget was spent first: call again, events may come in between;
///         RP_E_INVALID without grid, start or goal. When the grid's costs were rescaled also
///         RP_E_MEMORY, or RP_E_UNSUPPORTED without RP_CAN_WEIGHTED: the planner is not bound then
rp_status_t rp_planner_plan(rp_planner_t *self, uint64_t budget, rp_plan_t *plan);

/// rp_planner_plan() for a caller that has a path already: when that path is still optimal, the
/// plan says so and no other path is written. Without RP_KNOWS_COST it is rp_planner_plan().
/// @param walk  the caller's path, from the start to a goal; it is legal now
/// @param was_cheapest  this planner once found that path to be optimal, and has not restarted
///                      since; the path was still optimal when it was asked last, for a plan that
///                      ended, from whichever start, or by rp_planner_keeps(); since then its cost
///                      has not changed. Then the answer may need no search
/// @param plan  as of rp_planner_plan(); its path is empty when the walk is optimal
/// @return as rp_planner_plan()
rp_status_t rp_planner_confirm(rp_planner_t *self, const rp_walk_t *walk, bool was_cheapest,
                               uint64_t budget, rp_plan_t *plan);

/// Ask whether a path is still optimal, as rp_planner_confirm() with `was_cheapest` would, but
/// without a plan: the planner takes in the changes that it was told, and its start stays. The
/// caller knows that nothing on the path became dearer; if something on it became cheaper, the
/// answer is false. Of a path that was not kept, ask again only after a plan for it.
/// @param from   where the path began when it was planned, or a later cell of it that the agent has
///               passed since
/// @param units  what the path costs from there: rp_plan_t.units of the plan that began there
/// @return true when the path is still optimal; false when only rp_planner_plan() can tell, which
///         is always so without RP_KNOWS_COST
/// Time: taking the changes in, once for all callers; then some tens of cells
bool rp_planner_keeps(rp_planner_t *self, rp_cell_t from, uint64_t units);

/// Spend idle time on work that makes later plans cheaper. No answer changes: the last plan stands,
/// its path stays borrowed, and later plans find paths of the same cost, though of several optimal
/// paths they may show another one. Optional; to get the same paths from the same events, call it
/// at the same points with the same budgets, or never. There is nothing to do before the first
/// plan, after one that found no path, and between an event and the plan that takes it in. An event
/// ends unfinished work.
/// @param budget  expansions after which to stop; counted down
/// @return RP_OK when there is nothing more to do, RP_MORE when the budget was spent first
rp_status_t rp_planner_idle(rp_planner_t *self, uint64_t *budget);

/// How long an expansion may take now, for callers that use expansions in place of a clock: a
/// multiple of what one takes on a grid of less than a million cells. On larger grids most reads
/// miss the cache; and on those of four million and more, where memory is touched for the first
/// time, each page may take as long as a hundred expansions, which happens to a new search in
/// nearly every step.
/// @return at least 1; falls as the plan under way goes on
uint32_t rp_planner_price(const rp_planner_t *self);

/// Bytes of search state that were touched so far, with path and pending changes, without the grid.
uint64_t rp_planner_bytes(const rp_planner_t *self);

/// True when the invariants of the search hold. Slow: for tests and debug builds. Time: O(cells)
bool rp_planner_check(const rp_planner_t *self);

#ifdef __cplusplus
}
#endif

#endif
