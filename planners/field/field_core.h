/// @file
/// A field, a search through it from its apex towards its root (field/field_search.h), and
/// the path that was found, which is cached: what all members with one field and one path
/// have in common. They differ in where a search begins, where it may end, and what is learnt from
/// it.
///
///     SETTLE -> (judge) -> GROW -> (judge) -> READY -> SEARCH -> DONE
///                                    ^                   |
///                                    +---- too short ----+
///
/// With cells that sleep (field/deferred_decreases.h), WAKE and SETTLE come before GROW.
/// When cells learn from a search, RAISE comes before DONE.
///
/// The path ends at the foot: the root itself, or an end that has walked away from it. As d is
/// consistent, the cost from a cell to the foot is at least d(cell) - d(foot).
///
/// A search leaves out cells whose f is beyond the field's limit. If it fails for that reason, the
/// field grows and the search begins again. That there is no path is proven by flooding the
/// component of either end, whichever is smaller (field/disconnection.h).
#ifndef REPLAN_PLANNERS_FIELD_FIELD_CORE_H
#define REPLAN_PLANNERS_FIELD_FIELD_CORE_H

#include <assert.h>

#include "base/budget.h"
#include "planners/field/disconnection.h"
#include "planners/field/field.h"
#include "planners/field/field_search.h"
#include "planners/field/undo_log.h"
#include "planners/field/wavefront.h"
#include "planners/grid/search_stats.h"

/// The field reaches at least so many cell lengths beyond the cost of the path, so that a path that
/// is a little dearer is found without growth. By so much it grows at least when a search has
/// failed, as that will be repeated.
#define RP_FIELD_CORE_SLACK 12u

/// A search that has closed so many cells, and as many as still lead to the foot by the cached
/// path, looks whether the foot is walled in, and again each time it has closed as many more.
#define RP_FIELD_CORE_DISCONNECTION_PORTION 512u

/// Cells that are raised between two looks at the budget, and in the time of an expansion.
#define RP_FIELD_CORE_RAISE_PORTION 256u
#define RP_FIELD_CORE_RAISE_EACH    8u

typedef enum rp_field_core_phase {
    RP_FIELD_CORE_WAKE,   ///< wake sleeping cells that may matter
    RP_FIELD_CORE_SETTLE, ///< spread in the field what became cheaper
    RP_FIELD_CORE_GROW,   ///< grow the field
    RP_FIELD_CORE_READY,  ///< a search is to begin
    RP_FIELD_CORE_SEARCH,
    RP_FIELD_CORE_RAISE, ///< raise d of closed cells to what the search has shown
    RP_FIELD_CORE_DONE,
} rp_field_core_phase_t;

typedef enum rp_field_core_answer {
    RP_FIELD_CORE_KEPT, ///< the path written last stands
    RP_FIELD_CORE_NEW,
    RP_FIELD_CORE_NO_PATH, ///< no path
} rp_field_core_answer_t;

/// Hot members first.
typedef struct rp_field_core {
    rp_field_t field;
    rp_path_cache_t path_cache; ///< from the foot to the field's apex
    rp_cell_t foot;
    rp_field_core_phase_t phase;
    rp_field_core_answer_t
        answer;            ///< when DONE; before that KEPT, or NEW when the path must be written
    const rp_grid_t *grid; ///< searched; the field may lie on another
    rp_field_search_t field_search; ///< from the apex
    uint32_t disconnection_due;     ///< count of closed cells at which the cut is asked next
    rp_cell_t *closed; ///< by the search, in that order, where these are raised; else NULL [cells]
    rp_cell_t stop;    ///< where it met the cached path
    uint32_t raised;   ///< of the cells that the search closed
    rp_wavefront_t wavefront;         ///< the field's first growth, where it may be one
    rp_deferred_decreases_t deferred; ///< all zero where none may sleep
    rp_undo_log_t undo_log;           ///< all zero where none is taken back
    rp_disconnection_t disconnection; ///< why there is no path
    rp_cost_t slack;                  ///< how far the field reaches beyond the cost of the path
    rp_cost_t least;                  ///< limit that the field is to reach
    rp_cost_t widened; ///< what a search that failed adds to it; doubles within one update
} rp_field_core_t;

/// True when the cached path is whole and begins at the apex.
static inline bool rp_field_core_has_path(const rp_field_core_t *self)
{
    return rp_path_cache_is_intact(&self->path_cache) &&
           rp_path_cache_apex(&self->path_cache).cell == self->field.apex;
}

/// d of the foot less the cost that the cached path has there.
static inline rp_cost_t rp_field_core_base(const rp_field_core_t *self)
{
    return rp_field_at(&self->field, self->foot) - rp_path_cache_foot(&self->path_cache).cost;
}

/// The certificate: the path is as legal and as cheap as it was, and d(apex) says that none is
/// cheaper.
static inline bool rp_field_core_is_certified(const rp_field_core_t *self)
{
    return rp_field_core_has_path(self) &&
           rp_path_cache_apex(&self->path_cache).cost + rp_field_core_base(self) ==
               rp_field_at(&self->field, self->field.apex);
}

/// True when the cached path leads on from here to the foot, and at the cost that d promises.
static inline bool rp_field_core_joins(const rp_field_core_t *self, rp_cell_t cell)
{
    const rp_path_cache_t *path_cache = &self->path_cache;
    return rp_path_cache_leads_from(path_cache, cell) &&
           path_cache->steps[rp_path_cache_place(path_cache, cell)].cost +
                   rp_field_core_base(self) ==
               rp_field_at(&self->field, cell);
}

static inline void rp_field_core_answer(rp_field_core_t *self, rp_field_core_answer_t answer)
{
    if (answer != RP_FIELD_CORE_KEPT) {
        self->answer = answer;
    }
    self->phase = RP_FIELD_CORE_DONE;
    RP_TRACE_ONLY(rp_field_trace_reused(&self->field, self->grid));
}

// ---- search

/// Begin a search with nothing in OPEN.
static inline void rp_field_core_open(rp_field_core_t *self)
{
    rp_disconnection_let_go(&self->disconnection);
    rp_field_search_begin(&self->field_search);
    self->disconnection_due =
        RP_FIELD_CORE_DISCONNECTION_PORTION + rp_path_cache_tail(&self->path_cache);
    self->raised = 0;
    self->phase = RP_FIELD_CORE_SEARCH;
}

/// Go on with waking: cells that sleep within the limit, or within the limit that the field is to
/// grow to, must wake first.
static inline void rp_field_core_have_wake(rp_field_core_t *self)
{
    rp_deferred_decreases_stir(&self->deferred);
    rp_undo_log_clear(&self->undo_log);
    self->phase = RP_FIELD_CORE_WAKE;
}

/// Go on with growth, or with waking where that must come first.
static inline void rp_field_core_have_grow(rp_field_core_t *self)
{
    const rp_cost_t target = rp_field_target(&self->field, self->least, self->slack);
    self->phase = RP_FIELD_CORE_GROW;
    if (self->deferred.count != 0 && target > self->deferred.quiet) {
        rp_field_core_have_wake(self);
    }
}

/// The field does not reach far enough: let it grow, and search again.
/// @param most  cost that the field need not reach beyond
static inline void rp_field_core_widen(rp_field_core_t *self, rp_cost_t most)
{
    const rp_cost_t limit = self->field.limit + self->widened;
    const rp_cost_t needed = most != RP_COST_INF ? most + self->field.shift : RP_COST_INF;
    self->least = limit < needed ? limit : needed;
    self->widened *= 2u;
    rp_field_core_have_grow(self);
}

/// OPEN is empty: either the whole component of the apex was searched, so there is no path, or the
/// field does not reach far enough.
static inline void rp_field_core_fail(rp_field_core_t *self)
{
    if (self->field_search.is_pruned) {
        rp_field_core_widen(self, RP_COST_INF);
        return;
    }
    rp_disconnection_take(&self->disconnection, self->field_search.nodes,
                          self->field_search.search);
    rp_field_core_answer(self, RP_FIELD_CORE_NO_PATH);
}

/// Close the first cell of OPEN, or fail when there is none: the search is over then.
/// @return RP_NO_CELL when nothing was closed
static inline rp_cell_t rp_field_core_close(rp_field_core_t *self, uint64_t *budget,
                                            rp_search_stats_t *stats)
{
    if (rp_field_search_least(&self->field_search) == RP_COST_INF) {
        rp_field_core_fail(self);
        return RP_NO_CELL;
    }
    return rp_field_search_close(&self->field_search, budget, stats);
}

/// Flood a little more of the component of the foot. If the foot is walled in, its few cells show
/// that there is no path long before the search has met all others. The flood begins where the
/// cached path was cut: if the foot is not walled in, it soon meets the search there, and is over.
/// This is done even if the budget is nearly spent: with small budgets it would never be done
/// otherwise.
static inline void rp_field_core_ask_disconnection(rp_field_core_t *self, uint64_t *budget,
                                                   rp_search_stats_t *stats)
{
    self->disconnection_due += RP_FIELD_CORE_DISCONNECTION_PORTION;
    if (self->disconnection.state == RP_DISCONNECTION_NONE) {
        rp_disconnection_begin(&self->disconnection, rp_path_cache_tail_end(&self->path_cache));
    }
    if (self->disconnection.state != RP_DISCONNECTION_GROWING) {
        return;
    }
    const uint32_t before = self->disconnection.next;
    rp_disconnection_grow(&self->disconnection, self->grid, RP_FIELD_CORE_DISCONNECTION_PORTION,
                          self->field_search.nodes, self->field_search.search);
    const uint32_t flooded = self->disconnection.next - before;
    rp_budget_pay(budget, flooded);
    stats->expanded += flooded;
    RP_TRACE_ONLY(rp_disconnection_trace(&self->disconnection, before));
    if (self->disconnection.state == RP_DISCONNECTION_CLOSED) {
        rp_field_core_answer(self, RP_FIELD_CORE_NO_PATH);
    }
}

/// Put the neighbours of a closed cell into OPEN, and flood the foot's component from time to time.
static inline void rp_field_core_expand(rp_field_core_t *self, rp_cell_t cell, uint64_t *budget,
                                        rp_search_stats_t *stats)
{
    rp_field_search_expand(&self->field_search, cell, stats);
    if (self->field_search.closed_count >= self->disconnection_due) {
        rp_field_core_ask_disconnection(self, budget, stats);
    }
}

/// Note a closed cell, which is to be raised.
/// @return true when the search has met the cached path there: RAISE comes next
static inline bool rp_field_core_meets(rp_field_core_t *self, rp_cell_t cell)
{
    self->closed[self->field_search.closed_count - 1u] = cell;
    if (!rp_field_core_joins(self, cell)) {
        return false;
    }
    self->stop = cell;
    self->phase = RP_FIELD_CORE_RAISE;
    return true;
}

// ---- what comes after a search

/// d of the apex, which is exact once the search has met the cached path.
static inline rp_cost_t rp_field_core_met(const rp_field_core_t *self)
{
    return self->field_search.nodes[self->stop].g + rp_field_at(&self->field, self->stop);
}

/// Raise the cells that the search has closed: d := d(apex) - g, as in Adaptive A*. For cells with
/// the greatest f that changes nothing. d is not consistent until all of it is done.
/// @return false when the budget was spent first: call again
static inline bool rp_field_core_raise(rp_field_core_t *self, uint64_t *budget)
{
    const rp_node_t *nodes = self->field_search.nodes;
    const rp_cell_t *closed = self->closed;
    const rp_cost_t d_apex = rp_field_core_met(self);
    const uint32_t count = self->field_search.closed_count;
    if (self->raised == 0) {
        rp_undo_log_begin(&self->undo_log);
    }
    for (;;) {
        const uint32_t left = count - self->raised;
        const uint32_t portion =
            left < RP_FIELD_CORE_RAISE_PORTION ? left : RP_FIELD_CORE_RAISE_PORTION;
        for (uint32_t i = self->raised; i < self->raised + portion; i++) {
            rp_node_t *known = &self->field.nodes[closed[i]];
            const rp_cost_t d = d_apex - nodes[closed[i]].g;
            if (known->g < d) {
                rp_undo_log_note(&self->undo_log, closed[i], known->g);
                known->g = d;
            }
        }
        self->raised += portion;
        if (self->raised == count) {
            return true;
        }
        rp_budget_pay(budget, portion / RP_FIELD_CORE_RAISE_EACH);
        if (*budget == 0) {
            return false;
        }
    }
}

/// Finish raising although the answer is not asked for any more: d is consistent only when all
/// cells were raised, or none.
static inline void rp_field_core_raise_rest(rp_field_core_t *self)
{
    uint64_t budget = UINT64_MAX;
    if (self->phase == RP_FIELD_CORE_RAISE) {
        (void)rp_field_core_raise(self, &budget);
        rp_undo_log_end(&self->undo_log);
    }
}

/// Before the first step of a way.
#define RP_FIELD_CORE_NO_HEADING RP_DIRECTIONS

/// The next cell on the way down d: a neighbour n with d(n) + c = d(cell), straight on if it is
/// one of several. In a corridor the one way on is looked at, whichever way it turns, as it would
/// be mispredicted half of the time.
/// @param heading  of the step that led here, down d too; of the next one then
/// @return RP_NO_CELL when there is none
static inline rp_cell_t rp_field_core_step_down(const rp_field_core_t *self, rp_cell_t cell,
                                                unsigned *heading)
{
    const rp_field_t *field = &self->field;
    const rp_cost_t d = rp_field_at(field, cell);
    const unsigned ways =
        self->grid->moves[cell] & ~(1u << rp_direction_back(*heading)); // back is up
    const bool is_corridor = ways != 0 && (ways & (ways - 1u)) == 0;
    unsigned direction = is_corridor ? (unsigned)__builtin_ctz(ways) : *heading;
    rp_cell_t next;
    if (((ways >> direction) & 1u) != 0) {
        next = rp_grid_step(self->grid, cell, direction);
        const rp_cost_t edge = rp_edge(&self->field_search.metric, cell, next, direction);
        if (d >= edge && rp_field_at(field, next) <= d - edge) {
            *heading = direction;
            return next;
        }
    }
    RP_FOR_MOVES (self->grid, cell, direction, next) {
        const rp_cost_t edge = rp_edge(&self->field_search.metric, cell, next, direction);
        if (d >= edge && rp_field_at(field, next) <= d - edge) {
            *heading = direction;
            return next;
        }
    }
    return RP_NO_CELL;
}

/// Lay the cached path anew: from the apex along the search to `stop`, and from there along the old
/// cached path, or down d until that is met.
/// @param joins  true: the old cached path leads on from `stop`; false: d leads down from it
/// @param cost   of the whole path
static inline void rp_field_core_lay(rp_field_core_t *self, rp_cell_t stop, bool joins,
                                     rp_cost_t cost)
{
    const rp_field_t *field = &self->field;
    const rp_node_t *nodes = self->field_search.nodes;
    rp_path_cache_t *path_cache = &self->path_cache;
    uint32_t below = 0;
    uint32_t above = 0;
    unsigned heading = RP_FIELD_CORE_NO_HEADING;
    rp_cell_t cell = stop;
    while (!joins && !rp_field_core_joins(self, cell)) {
        cell = rp_field_core_step_down(self, cell, &heading);
        assert(cell != RP_NO_CELL);
        below++;
    }
    const uint32_t tail = rp_path_cache_place(path_cache, cell);
    for (cell = stop; (nodes[cell].mark & RP_NODE_ROOT) == 0; above++) {
        cell = rp_grid_step(self->grid, cell, nodes[cell].mark & RP_NODE_DIRECTION);
    }
    const uint32_t gap = rp_path_cache_splice(path_cache, tail, below + above, RP_PATH_CACHE_NONE);
    heading = RP_FIELD_CORE_NO_HEADING;
    cell = stop;
    for (uint32_t place = gap + below; place-- > gap;) {
        rp_path_cache_fill(path_cache, place, cell, rp_field_at(field, cell));
        cell = rp_field_core_step_down(self, cell, &heading);
    }
    cell = stop;
    for (uint32_t place = gap + below; place < gap + below + above; place++) {
        cell = rp_grid_step(self->grid, cell, nodes[cell].mark & RP_NODE_DIRECTION);
        rp_path_cache_fill(path_cache, place, cell, cost - nodes[cell].g);
    }
}

// ---- what comes before a search

/// Decide what comes next, with a field that is up to date within its limit. That the apex cannot
/// reach the root is certain only if no cell sleeps within the limit.
static inline void rp_field_core_judge(rp_field_core_t *self)
{
    const rp_field_t *field = &self->field;
    const rp_cost_t d = rp_field_at(field, field->apex);
    const rp_deferred_decreases_t *deferred = &self->deferred;
    const bool has_near =
        deferred->are_near || (deferred->count != 0 && field->limit == RP_FIELD_WHOLE);
    const bool is_lost = d == RP_COST_INF && field->limit == RP_FIELD_WHOLE &&
                         self->foot == field->root && !has_near;
    if (is_lost || rp_disconnection_parts(&self->disconnection, field->apex, self->foot)) {
        rp_field_core_answer(self, RP_FIELD_CORE_NO_PATH);
    } else if (has_near) {
        rp_field_core_have_wake(self);
    } else if (!rp_field_covers(field, d) || field->limit < self->least) {
        rp_field_core_have_grow(self);
    } else if (rp_field_core_is_certified(self)) {
        rp_field_core_answer(self, RP_FIELD_CORE_KEPT);
    } else {
        self->phase = RP_FIELD_CORE_READY;
    }
}

/// Spread what was lowered.
/// @return false when the budget was spent first: call again
static inline bool rp_field_core_settle(rp_field_core_t *self, uint64_t *budget,
                                        rp_search_stats_t *stats)
{
    return rp_wavefront_can_settle(&self->wavefront, &self->field)
               ? rp_wavefront_settle(&self->wavefront, &self->field, budget, stats)
               : rp_field_settle(&self->field, budget, stats);
}

/// Bring the field up to date, until a search is to begin (READY, SEARCH) or none is needed (DONE).
/// @return false when the budget was spent first: call again
static inline bool rp_field_core_prepare(rp_field_core_t *self, uint64_t *budget,
                                         rp_search_stats_t *stats)
{
    if (self->phase == RP_FIELD_CORE_GROW &&
        (rp_wavefront_is_rolling(&self->wavefront) ||
         rp_wavefront_suits(&self->wavefront, &self->field)) &&
        !rp_wavefront_grow(&self->wavefront, &self->field, self->slack, budget, stats)) {
        return false;
    }
    while (self->phase < RP_FIELD_CORE_READY) {
        if (self->phase == RP_FIELD_CORE_WAKE) {
            const rp_cost_t target = rp_field_target(&self->field, self->least, self->slack);
            if (!rp_deferred_decreases_wake(&self->deferred, &self->field, target, budget)) {
                return false;
            }
            self->phase = RP_FIELD_CORE_SETTLE;
        }
        const bool is_ready =
            self->phase == RP_FIELD_CORE_SETTLE
                ? rp_field_core_settle(self, budget, stats)
                : rp_field_grow(&self->field, self->least, self->slack, RP_COST_INF, budget, stats);
        if (!is_ready) {
            return false;
        }
        rp_field_core_judge(self);
    }
    return true;
}

/// What a search that failed is to add to the field's limit at first.
static inline rp_cost_t rp_field_core_widening(const rp_field_core_t *self)
{
    const rp_cost_t least = RP_FIELD_CORE_SLACK * self->field_search.metric.cell_length;
    return self->slack > least ? self->slack : least;
}

/// Build the field anew, and keep the cached path, which begins at the root.
/// @param slack  how far beyond the cost of the path the field is to reach, if that is more than
///               RP_FIELD_CORE_SLACK
static inline void rp_field_core_rebuild(rp_field_core_t *self, rp_cell_t apex, rp_cost_t slack)
{
    const rp_cost_t least = RP_FIELD_CORE_SLACK * self->field_search.metric.cell_length;
    self->slack = slack > least ? slack : least;
    rp_wavefront_drop(&self->wavefront);
    rp_field_begin(&self->field, self->foot, apex);
    rp_deferred_decreases_clear(&self->deferred);
    rp_undo_log_clear(&self->undo_log);
    self->disconnection.state = RP_DISCONNECTION_NONE;
    self->least = 0;
    self->widened = rp_field_core_widening(self);
    self->phase = RP_FIELD_CORE_GROW;
}

/// @param slack  as of rp_field_core_rebuild()
static inline void rp_field_core_begin(rp_field_core_t *self, rp_cell_t root, rp_cell_t apex,
                                       rp_cost_t slack)
{
    rp_path_cache_reset(&self->path_cache, root, 0);
    self->foot = root;
    self->answer = RP_FIELD_CORE_NEW;
    rp_field_core_rebuild(self, apex, slack);
}

/// Right after these two: let the field reach so many cell lengths beyond the cost of the path.
static inline void rp_field_core_set_slack(rp_field_core_t *self, uint32_t cells)
{
    self->slack = cells * self->field_search.metric.cell_length;
    self->widened = rp_field_core_widening(self);
}

// ---- changes

/// Begin an update: the last answer was taken, and the apex may have moved.
/// @return false to start over: the first growth was under way, which is soon repeated, or the
/// shift
///         of the field would grow too great
static inline bool rp_field_core_aim(rp_field_core_t *self, rp_cell_t apex)
{
    if (rp_wavefront_is_rolling(&self->wavefront)) {
        return false;
    }
    if (self->phase == RP_FIELD_CORE_DONE) {
        self->answer =
            self->answer == RP_FIELD_CORE_NO_PATH ? RP_FIELD_CORE_NEW : RP_FIELD_CORE_KEPT;
        rp_path_cache_note_written(&self->path_cache, self->answer == RP_FIELD_CORE_KEPT);
    }
    self->least = 0;
    self->widened = rp_field_core_widening(self);
    self->deferred.quiet = 0;
    self->phase = RP_FIELD_CORE_SETTLE;
    if (apex == self->field.apex) {
        return true;
    }
    if (!rp_field_move_apex(&self->field, apex)) {
        return false;
    }
    if (rp_path_cache_has(&self->path_cache, apex)) {
        rp_path_cache_end_at(&self->path_cache, apex);
    }
    self->answer = RP_FIELD_CORE_NEW;
    return true;
}

/// If the cached path is broken but still legal, compute its cost anew: an upper bound for the
/// search.
static inline void rp_field_core_mend(rp_field_core_t *self)
{
    if (!rp_path_cache_is_intact(&self->path_cache) &&
        rp_path_cache_apex(&self->path_cache).cell == self->field.apex &&
        rp_path_cache_mend(&self->path_cache, &self->field_search.metric)) {
        self->answer = RP_FIELD_CORE_NEW;
    }
}

/// Take in a batch.
static inline void rp_field_core_apply(rp_field_core_t *self, const rp_change_t *changes,
                                       size_t count)
{
    rp_field_apply(&self->field, changes, count);
    rp_path_cache_apply(&self->path_cache, changes, count);
    rp_disconnection_apply(&self->disconnection, self->grid, changes, count);
}

// ---- path

/// The slot `path` of a member whose state begins with its core, which is rooted at the start.
static inline uint32_t rp_field_core_path_from_root(const void *state, rp_cell_t *cells,
                                                    rp_path_stands_t *stands)
{
    const rp_field_core_t *self = state;
    return self->answer == RP_FIELD_CORE_KEPT ? RP_PATH_KEPT
           : self->answer == RP_FIELD_CORE_NEW
               ? rp_path_cache_write_from_root(&self->path_cache, cells, stands)
               : 0;
}

/// The same where it is rooted at the goal.
static inline uint32_t rp_field_core_path_from_apex(const void *state, rp_cell_t *cells,
                                                    rp_path_stands_t *stands)
{
    const rp_field_core_t *self = state;
    return self->answer == RP_FIELD_CORE_KEPT ? RP_PATH_KEPT
           : self->answer == RP_FIELD_CORE_NEW
               ? rp_path_cache_write_from_apex(&self->path_cache, cells, stands)
               : 0;
}

// ---- birth and death

/// @param grid    what is searched
/// @param lower  what the field lies on: `grid`, or one on which every step is as cheap or cheaper
/// @param coarse  steps of f in OPEN are 2^coarse
static inline void rp_field_core_init(rp_field_core_t *self, const rp_grid_t *grid,
                                      const rp_grid_t *lower, unsigned coarse, rp_arena_t *arena)
{
    *self = (rp_field_core_t){.grid = grid};
    rp_path_cache_init(&self->path_cache, grid, arena);
    rp_field_init(&self->field, lower, arena);
    rp_field_search_init(&self->field_search, grid, &self->field, &self->deferred, coarse, arena);
    rp_disconnection_init(&self->disconnection, grid, arena);
    rp_wavefront_init(&self->wavefront, lower, arena);
}

/// For a member that raises what its searches close.
static inline void rp_field_core_take_closed(rp_field_core_t *self, rp_arena_t *arena)
{
    self->closed = rp_arena_new(arena, self->grid->cell_count, sizeof *self->closed);
    rp_arena_note(arena, &self->field_search.closed_count, &self->field_search.closed_peak,
                  sizeof *self->closed);
}

/// Search state a cell with everything empty.
#define RP_FIELD_CORE_BYTES (2u * sizeof(rp_node_t))

#endif
