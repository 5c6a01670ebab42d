/// @file
/// What a planner's implementer fills in: one table of slots, each with its contract.
///
/// The shared part (planner.c) checks arguments, merges changes, keeps start and goals, answers
/// blocked ends itself, decides when to start over, and sums the cost of the path. A member is left
/// with its idea. It meets only legal arguments: a free start, free goals, real cells.
///
/// Each member is compiled twice, for 32- and for 64-bit costs (search/cost.h); nothing in it says
/// so but the name of its table, RP_MEMBER(id).
#ifndef REPLAN_PLANNER_OPS_H
#define REPLAN_PLANNER_OPS_H

#include "planners/search/site.h"
#include "replan/planner.h"

/// What happened since the last search. Order of one update: moved goal, moved start, changed
/// cells. The grid holds the new factors already.
typedef struct rp_update {
    const rp_change_t *changes; ///< merged: each cell once, before differs from after
    size_t change_count;
    const rp_goal_t *goals; ///< the free ones, at least one
    size_t goal_count;
    rp_cell_t start;
    bool goals_changed;
    bool start_moved;
    rp_path_t shown; ///< what has become of the paths that were written; borrowed until `path` is
                     ///< asked for the next
} rp_update_t;

/// A start may take so many steps along the path that is shown before a member hears of them: then
/// of all at once, and of what it went besides.
#define RP_UNHEARD_MAX 32u

/// No path has so many cells.
#define RP_PATH_KEPT UINT32_MAX

/// What is left of the path that was written last: its first cells were left by a start that walked
/// on, then come some, and at its end some, that are cells of the new path too, with the steps
/// between them at the cost they had.
typedef struct rp_path_stands {
    uint32_t left;
    uint32_t head;
    uint32_t tail; ///< with a tail alone nobody has to count those that were left
} rp_path_stands_t;

typedef struct rp_planner_ops {
    rp_planner_info_t info;
    size_t state_bytes; ///< size of the member's state; handed to every slot, zeroed before bind

    /// Size all memory for this grid. Nothing is searched yet. On failure the state is as zeroed.
    /// @param grid  borrowed until unbind; only read
    rp_status_t (*bind)(void *state, const rp_grid_t *grid, const rp_planner_options_t *options);

    /// Free what bind took. Accepts a zeroed state.
    /// @param rubble  for arrays (rp_memory_free())
    void (*unbind)(void *state, rp_rubble_t *rubble);

    /// Forget every search and begin anew. O(1) by stamps, as it comes with every restart.
    /// @param goals  borrowed until return; the grid holds them [goal_count, at least 1]
    void (*begin)(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count);

    /// Take in what happened, without searching. Called between searches or between slices of one,
    /// and only for events that the native capabilities name.
    /// @return false to start over instead (counted): begin follows
    bool (*update)(void *state, const rp_update_t *update);

    /// Take in a batch on the spot, when by a look at each cell the answer stands and its path as
    /// it was written: nobody is asked to search then. Called with an answer whose path was asked
    /// for. What takes no more than some tens of expansions may be done at once; nobody counts it.
    /// @param changes  borrowed until return; before may be what after is [count, at least 1]
    /// @param gist   what a look at all of them tells
    /// @return false when that is not to be seen so easily: update follows, with all that is
    ///         not taken back before a plan is asked for. NULL: it never is
    bool (*stands)(void *state, const rp_change_t *changes, size_t count, const rp_gist_t *gist);

    /// True when by a look at each cell the answer stands, and its path as it was written, though
    /// the member does not hear of a batch: it stays as it is, and hears of this and of others that
    /// it outlasts with whatever comes next. Called with an answer whose path was asked for.
    /// @param start  to where the start has gone on along that path meanwhile, unheard
    /// @param changes  as in `stands`
    /// @return false when that is not to be seen so easily. NULL: it never is
    bool (*outlasts)(const void *state, rp_cell_t start, const rp_change_t *changes, size_t count);

    /// Go on until the result is known or `*budget` expansions are used up (it is counted down).
    /// @param stats  added to, slice after slice, all but restarts and bytes; visited_last and
    ///               expanded_last begin at 0 again with each iteration
    /// @return RP_OK or RP_MORE
    rp_status_t (*search)(void *state, uint64_t *budget, rp_plan_stats_t *stats);

    /// Once after search said RP_OK: write the path, start first, but for the cells that stand.
    /// With RP_KNOWS_COST it may not be asked for at all.
    /// @param cells   holds what this member wrote last, the middle alone [grid->cell_count]
    /// @param stands  nothing does when called; written by a member that knows better
    /// @return the number of cells written; with none written and none that stand there is no path;
    ///         RP_PATH_KEPT when the path that was written last stands as a whole
    uint32_t (*path)(const void *state, rp_cell_t *cells, rp_path_stands_t *stands);

    /// After search said RP_OK, with RP_KNOWS_COST only: what the path costs, in the whole numbers
    /// of search/metric.h; UINT64_MAX for no path.
    uint64_t (*cost)(const void *state);

    /// With RP_KNOWS_COST only: whether it is certain, with some tens of expansions at most for all
    /// who ask after an update, that no path from a cell costs less than this. A path of this cost
    /// leads from there, which the member said was the cheapest at some time since it began, and
    /// which was so still before the changes of the newest update that had any. Asked of the start
    /// a search may follow, which profits.
    /// @param from  the start, or any other cell
    bool (*confirm)(void *state, rp_cell_t from, uint64_t cost);

    /// With RP_CAN_IDLE only, after the path of an answer was taken and before the next event: go
    /// on with what makes later plans cheaper until there is nothing more to do or `*budget`
    /// expansions are used up (it is counted down). What was answered stands, and so does what
    /// `path` says stands next time. The next event may come at any point.
    /// @return RP_OK or RP_MORE
    rp_status_t (*idle)(void *state, uint64_t *budget);

    /// Bytes of search state that have been touched so far: arrays by cell, OPEN at its largest.
    uint64_t (*bytes)(const void *state);

    /// True when the invariants hold. For tests: may be slow, may not change anything.
    bool (*check)(const void *state);
} rp_planner_ops_t;

/// The registry: both forms of a member.
typedef struct rp_planner_member {
    const rp_planner_ops_t *with_32_bits;
    const rp_planner_ops_t *with_64_bits;
} rp_planner_member_t;

/// @return NULL beyond the last
const rp_planner_member_t *rp_registry_member(size_t index);

#endif
