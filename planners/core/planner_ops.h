/// @file
/// What the author of a planner fills in: one table of slots, each with its contract.
///
/// The shared part (planner.c) checks arguments, merges changes, keeps start and goals, answers for
/// blocked ends, decides when to start over, and sums the cost of the path. A member of the family
/// has only its own algorithm left to do. It is called with legal arguments only: a free start,
/// free goals, cells inside the grid.
///
/// Each member is compiled twice, for 32- and for 64-bit costs (grid/cost.h). The only
/// trace of that in its source is the name of its table, RP_MEMBER(id).
#ifndef REPLAN_PLANNERS_CORE_PLANNER_OPS_H
#define REPLAN_PLANNERS_CORE_PLANNER_OPS_H

#include <string.h>

#include "base/arena.h"
#include "planners/grid/batch_summary.h"
#include "planners/grid/events.h"
#include "planners/grid/member_options.h"
#include "planners/grid/search_stats.h"
#include "replan/planner.h"

typedef struct rp_planner_ops {
    rp_planner_info_t info;
    size_t state_bytes; ///< size of the member's state; handed to every slot, zeroed before bind

    /// Take all memory for this grid; AUTO binds most of its members later. Nothing is searched
    /// yet. Call rp_member_bind() instead.
    /// @param grid   borrowed until unbind; only read
    /// @param arena  gives arrays until unbind, and counts their bytes (rp_arena_note()). Where it
    ///               is short, the arrays may be missing, and unbind follows
    void (*bind)(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                 rp_arena_t *arena);

    /// Free what bind took beside the arrays, all of it or a part. Call rp_member_unbind() instead.
    /// NULL: there are only arrays.
    /// @param deferred_free  takes arrays (rp_memory_free()); NULL: they are unmapped at once
    void (*unbind)(void *state, rp_deferred_free_t *deferred_free);

    /// Forget every search and begin anew. Called at every restart, so it must take O(1): mark
    /// nodes by the number of the search instead of clearing them.
    /// @param goals  borrowed until return; free cells of the grid [goal_count, at least 1]
    void (*begin)(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count);

    /// Take in what happened, without searching. Called between searches or between slices of one,
    /// and only for events that the native capabilities name.
    /// @param update  borrowed until return
    /// @return false to start over instead: `begin` follows, and the restart is counted
    bool (*update)(void *state, const rp_update_t *update);

    /// Take in a batch at once, if a look at each of its cells is enough to see that the answer
    /// stands, with its path as it was written. Then no search follows. Called only when there is
    /// an answer whose path was asked for. If a cell became cheaper, the grid holds no write but
    /// this batch that the member was not told. The member may repair what takes no more than some
    /// tens of expansions; these are not counted. NULL: the member never tries.
    /// @param changes  borrowed until return; `before` may equal `after` [count, at least 1]
    /// @param summary     their summary
    /// @return false when it is not as easy as that: `update` follows before the next search, with
    ///         all changes that were not undone until then
    bool (*stands)(void *state, const rp_change_t *changes, size_t count,
                   const rp_batch_summary_t *summary);

    /// Search until the result is known or `*budget` expansions are spent; it is counted down.
    /// @param stats  added to, slice after slice, but for restarts and bytes; visited_last and
    ///               expanded_last begin at 0 again with each iteration
    /// @return RP_OK or RP_MORE
    rp_status_t (*search)(void *state, uint64_t *budget, rp_search_stats_t *stats);

    /// Write the path, start first, without the cells that stand. Called once after `search` has
    /// returned RP_OK; with RP_KNOWS_COST perhaps not at all.
    /// @param cells   what this member wrote here last is still there [grid->cell_count]
    /// @param stands  zeroed; a member that can tell what stands says so here
    /// @return the number of cells written; 0 with nothing that stands means no path; RP_PATH_KEPT
    ///         when the last path stands as a whole
    uint32_t (*path)(const void *state, rp_cell_t *cells, rp_path_stands_t *stands);

    /// After `path`, unless the last path stands as a whole: the path as it is shown now, with the
    /// cells that stand. NULL: the member does not look at it again.
    /// @param shown  its cells are borrowed until the next call of `path`; none without a path
    void (*show)(void *state, const rp_path_t *shown);

    /// With RP_KNOWS_COST only, after `search` has returned RP_OK: the cost of the path in the
    /// whole numbers of grid/metric.h; UINT64_MAX when there is none.
    uint64_t (*cost)(const void *state);

    /// With RP_KNOWS_COST only: true when it is certain that no path from a cell costs less than
    /// this. Asked between an update and the search that follows. A path of this cost leads from
    /// that cell; the member found it to be optimal at some time since `begin`, and it was still
    /// optimal before the newest update that had changes. All calls after one update together may
    /// take some tens of expansions. Asked of the start, the member may prepare the search that
    /// follows.
    /// @param from  the start, or any other cell
    bool (*confirm)(void *state, rp_cell_t from, uint64_t cost);

    /// With RP_CAN_IDLE only, after the path of an answer was taken and before the next event: do
    /// what makes later plans cheaper, until there is nothing more to do or `*budget` expansions
    /// are spent; it is counted down. The answer stands, and so does what the next call of `path`
    /// may say stands. The next event may come at any point.
    /// @return RP_OK or RP_MORE
    rp_status_t (*idle)(void *state, uint64_t *budget);

    /// True when the invariants hold. For tests: may be slow, must not change anything.
    bool (*check)(const void *state);
} rp_planner_ops_t;

/// Unbind a member: give back its arrays, and what else it has. Its state is zeroed.
static inline void rp_member_unbind(const rp_planner_ops_t *ops, void *state, rp_arena_t *arena,
                                    rp_deferred_free_t *deferred_free)
{
    if (ops->unbind != NULL) {
        ops->unbind(state, deferred_free);
    }
    rp_arena_free(arena, deferred_free);
    memset(state, 0, ops->state_bytes);
}

/// Bind a member.
/// @param state  zeroed [ops->state_bytes]; and the arena empty
/// @return RP_OK or RP_E_MEMORY; on failure both are as before
static inline rp_status_t rp_member_bind(const rp_planner_ops_t *ops, void *state,
                                         const rp_grid_t *grid, const rp_member_options_t *options,
                                         rp_arena_t *arena)
{
    ops->bind(state, grid, options, arena);
    if (!arena->is_short) {
        return RP_OK;
    }
    rp_member_unbind(ops, state, arena, NULL);
    return RP_E_MEMORY;
}

#endif
